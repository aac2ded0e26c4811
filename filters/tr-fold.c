/* SPDX-License-Identifier: Apache-2.0 */
/* tr-fold: aggregates a stream of stacks into folded text, flame graphs and the formats
 * of other tools. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "cli/fold_bars.h"
#include "cli/fold_options.h"
#include "cli/stack_sums.h"
#include "flame/flame.h"
#include "flame/tint.h"
#include "profile/frame_path.h"
#include "timeline/off_cpu.h"

struct run {
	struct tr_cli cli;
	struct tr_fold_options options;
	struct tr_stack_sums sums;
	struct tr_folded *folded;
	struct tr_folded *slots; /* the same stacks in commit slots, for --tma at a commit
				  * width above 1; or NULL */
	struct tr_fold_bars bars; /* of `folded`, of a sampled run */
	struct tr_cli_export export;
	struct tr_off_cpu *off_cpu; /* with --off-cpu */
	char waits[TR_FOLD_LINE];   /* its line, instead of that of conservation */
};

static _Noreturn void die_status(const struct run *run, int status)
{
	tr_die(&run->cli, "%s: %s", run->sums.in.name,
	       tr_status_text((enum tr_status)status));
}

static void die_on_status(const struct run *run, int status)
{
	if (status)
		die_status(run, status);
}

/* Returns the sum of the stacks below a node. */
static uint64_t sum_below_node(const struct run *run, struct tr_folded *folded,
			       uint32_t top)
{
	uint64_t *totals = calloc(tr_folded_count(folded), sizeof(*totals));
	if (!totals)
		die_status(run, TR_E_NOMEM);
	tr_folded_totals(folded, run->options.stacks.instructions, totals);
	const uint64_t total = totals[top];
	free(totals);
	return total;
}

/* Returns the line about what is in the tree. */
static const char *sum_line(const struct run *run)
{
	return run->off_cpu ? run->waits : run->sums.conservation;
}

/* Returns the name of the tree's second value. */
static const char *other_unit(const struct run *run)
{
	return run->off_cpu ? "waits" : run->options.stacks.other_unit;
}

/* Writes ", ± 3.70 % (2 654 082) at 95 %, from 1 014 windows": the error of the `sum` of
 * the stacks below `top`. */
static void write_error(const struct run *run, uint32_t top, uint64_t sum, char *text,
			size_t size)
{
	const struct tr_bar *bar = &run->bars.total[top];
	const uint32_t windows =
	    top ? bar->windows
		: tr_estimate_windows(tr_profile_estimate(run->sums.in.profile));
	char number[2][28];
	tr_flame_number(windows, number[0]);
	if (isinf(bar->error))
		snprintf(text, size, ", from %s window%s: too few for an error",
			 number[0], tr_plural(windows));
	else
		snprintf(text, size, ", ± %.2f %% (%s) at 95 %%, from %s window%s",
			 sum ? 100 * bar->error / (double)sum : 0,
			 tr_flame_number((uint64_t)ceil(bar->error), number[1]),
			 number[0], tr_plural(windows));
}

static void make_subtitle(const struct run *run, uint32_t top, char *text, size_t size)
{
	const uint64_t total = sum_below_node(run, run->folded, top);
	const struct tr_stack_options *o = &run->options.stacks;
	tr_fold_node(&run->sums.in, text, size);
	size_t length = strlen(text);
	tr_flame_total(text + length, size - length, total,
		       run->off_cpu ? "cycles away" : o->unit,
		       tr_stack_sums_clock(&run->sums));
	length += strlen(text + length);
	if (run->bars.total && !o->instructions)
		write_error(run, top, total, text + length, size - length);
	length += strlen(text + length);
	if (run->slots)
		snprintf(text + length, size - length, ", %" PRIu64 " slots",
			 sum_below_node(run, run->slots, top));
	length += strlen(text + length);
	if (!o->instructions && !o->counter && tr_stack_sums_counted(&run->sums))
		snprintf(text + length, size - length, " (a cycle is an instruction)");
}

/* Returns a text output to `path`, or the main output if it is NULL. */
static FILE *open_text(const struct run *run, struct tr_cli *cli, const char *path)
{
	*cli = run->cli;
	if (path)
		cli->output = path;
	return tr_cli_text(cli);
}

static void draw_flame_graph(const struct run *run, const char *path, uint32_t top,
			     const char *title)
{
	struct tr_cli cli;
	char subtitle[400];
	char footer[1120];
	struct tr_flame flame = {
	    .title = title,
	    .subtitle = subtitle,
	    .footer = footer,
	    .unit = tr_stack_sums_class_unit(&run->sums),
	    .other_unit = other_unit(run),
	    .which = run->options.stacks.instructions,
	    .top = top,
	    .classes = run->options.tma ? &run->sums.classes : NULL,
	    .annotated = run->options.annotated,
	    .bars = run->options.stacks.instructions ? NULL : run->bars.total,
	    .bar_units = run->slots ? tr_cli_stacks_width(&run->sums.in) : 1,
	};
	if (flame.bars)
		flame.windows =
		    tr_estimate_windows(tr_profile_estimate(run->sums.in.profile));
	make_subtitle(run, top, subtitle, sizeof(subtitle));
	snprintf(footer, sizeof(footer), "%s%s%s%s%s", run->sums.cut_off,
		 top ? "whole run: " : "", sum_line(run), run->slots ? "; " : "",
		 run->slots ? run->sums.class_sum : "");
	FILE *file = open_text(run, &cli, path);
	die_on_status(
	    run, tr_flame_write(run->slots ? run->slots : run->folded, &flame, file));
	tr_cli_text_close(&cli, file);
}

/* Describes the stacks for their format; what is not known yet is NULL. */
static struct tr_export export_of(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	return (struct tr_export){
	    .folded = run->folded,
	    .which = o->stacks.instructions,
	    .unit = o->stacks.unit,
	    .other_unit = other_unit(run),
	    .profile = run->sums.in.profile,
	    .header = tr_reader_header(run->sums.in.reader),
	    .end = tr_reader_end(run->sums.in.reader),
	    .title = o->title,
	    .note = sum_line(run),
	    .clock_hz = tr_stack_sums_clock(&run->sums),
	};
}

/* Writes the stacks below `top`: to `path`, or to the main output if it is NULL. */
static void write_stacks(struct run *run, const char *path, uint32_t top)
{
	struct tr_cli_export *out = &run->export;
	struct tr_cli cli = run->cli;
	if (path)
		cli.output = path;
	out->cli = &cli;
	out->export = export_of(run);
	out->export.top = top;
	tr_cli_export_write(out);
}

/* Writes all stacks, within the limit. */
static void write_limited(struct run *run)
{
	struct tr_folded *all = run->folded, *limited;
	const struct tr_fold_options *o = &run->options;
	const char *path = run->cli.output ? run->cli.output : "<stdout>";
	struct tr_folded_left left;
	if (!o->limit) {
		write_stacks(run, NULL, 0);
		return;
	}
	die_on_status(
	    run, tr_folded_limit(all, o->stacks.instructions, o->limit, &limited, &left));
	if (limited) {
		double share =
		    (double)left.sum / (double)tr_folded_sum(all, o->stacks.instructions);
		tr_warn(&run->cli,
			"note: %s: limited to %" PRIu64 " bytes: %" PRIu64
			" stacks with %.3f %% of the %s are combined as %s below their "
			"callers",
			path, o->limit, left.stacks, 100.0 * share, o->stacks.unit,
			TR_FOLDED_LEFT);
		run->folded = limited;
	}
	write_stacks(run, NULL, 0);
	run->folded = all;
	tr_folded_free(limited);
}

static int compare_node_names(const void *left, const void *right, void *folded)
{
	return strcmp(tr_folded_node(folded, *(const uint32_t *)left)->name,
		      tr_folded_node(folded, *(const uint32_t *)right)->name);
}

/* Returns the first frames of all stacks, sorted by name. */
static uint32_t *first_frames(const struct run *run, uint32_t *count)
{
	struct tr_folded *f = run->folded;
	uint32_t nodes = tr_folded_count(f), *ids = calloc(nodes, sizeof(*ids));
	if (!ids)
		die_status(run, TR_E_NOMEM);
	*count = 0;
	for (uint32_t i = 1; i < nodes; i++)
		if (tr_folded_node(f, i)->parent == 0)
			ids[(*count)++] = i;
	qsort_r(ids, *count, sizeof(*ids), compare_node_names, f);
	return ids;
}

static void write_pair(struct run *run, const char *path, uint32_t id)
{
	const char *suffix = run->options.format->suffix;
	size_t size = strlen(path) + strlen(suffix) + 5;
	char *full = malloc(size);
	if (!full)
		die_status(run, TR_E_NOMEM);
	snprintf(full, size, "%s%s", path, suffix);
	write_stacks(run, full, id);
	if (run->options.svg_path) {
		snprintf(full, size, "%s.svg", path);
		draw_flame_graph(run, full, id, tr_folded_node(run->folded, id)->name);
	}
	free(full);
}

static void write_directory(struct run *run)
{
	const char *directory = run->options.directory;
	struct tr_folded *taken = tr_folded_new();
	uint32_t count, *ids = first_frames(run, &count);
	if (!taken)
		die_status(run, TR_E_NOMEM);
	if (mkdir(directory, 0777) != 0 && errno != EEXIST)
		tr_die(&run->cli, "%s: %s", directory, strerror(errno));
	for (uint32_t i = 0; i < count; i++) {
		const char *name = tr_folded_node(run->folded, ids[i])->name;
		char *path = tr_frame_path(directory, name, taken);
		if (!path)
			die_status(run, TR_E_NOMEM);
		write_pair(run, path, ids[i]);
		free(path);
	}
	tr_folded_free(taken);
	free(ids);
}

static int export_step(void *export, const struct tr_profile_step *step)
{
	tr_cli_export_step(export, step);
	return TR_OK;
}

static void begin_export(struct run *run)
{
	struct tr_cli_stacks *in = &run->sums.in;
	run->export = (struct tr_cli_export){.cli = &run->cli,
					     .name = in->name,
					     .format = run->options.format,
					     .export = export_of(run)};
	if (run->options.format->take)
		in->export = &run->export;
	tr_cli_export_begin(&run->export);
	if (run->options.format->step)
		tr_profile_observe(in->profile, export_step, &run->export, true);
}

static void begin_serve(struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	const struct tr_cli_serve_options options = {
	    .port = o->port,
	    .expect = o->expect,
	    .instructions = o->stacks.instructions,
	    .title = o->title ? o->title : "Flame graph",
	    .unit = tr_stack_sums_class_unit(&run->sums),
	    .other_unit = o->stacks.other_unit,
	    .classes = o->tma ? &run->sums.classes : NULL,
	};
	if (o->serve_seen)
		run->sums.in.serve =
		    tr_cli_serve_start(&run->cli, run->sums.in.reader, &options);
}

/* Returns an empty tree, divided by class if `is_divided`. */
static struct tr_folded *make_folded(const struct run *run, bool is_divided)
{
	struct tr_folded *folded = tr_folded_new();
	if (!folded ||
	    tr_folded_divide(folded, is_divided ? run->sums.classes.count + 1 : 0))
		die_status(run, TR_E_NOMEM);
	return folded;
}

/* The nodes of all trees have the same numbers. */
static void fold_stacks(const struct run *run, struct tr_folded *folded)
{
	die_on_status(run, tr_profile_fold(run->sums.in.profile, folded, tr_tint_of,
					   tr_reader_header(run->sums.in.reader)));
}

static void begin_off_cpu_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	die_on_status(run, tr_off_cpu_begin_frame(run->off_cpu, frame));
}

static void end_off_cpu_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	(void)frame;
	die_on_status(run, tr_off_cpu_end_frame(run->off_cpu));
}

static void begin_off_cpu(struct run *run)
{
	struct tr_cli_stacks *in = &run->sums.in;
	run->off_cpu = tr_off_cpu_new(in->profile, tr_reader_probes(in->reader));
	tr_cli_need(&run->cli, run->off_cpu);
	in->taking = begin_off_cpu_frame;
	in->taken = end_off_cpu_frame;
	in->context = run;
}

/* Tells how much of the waits is out of focus. */
static void tell_waits_out_of_focus(const struct run *run)
{
	const uint32_t count = tr_folded_count(run->folded);
	uint64_t *total = calloc(count, sizeof(*total)), out = 0;
	char number[2][28];
	tr_cli_need(&run->cli, total);
	tr_folded_totals(run->folded, 0, total);
	for (uint32_t i = 1; i < count; i++)
		if (strcmp(tr_folded_node(run->folded, i)->name, "[out of focus]") == 0)
			out += total[i];
	tr_warn(&run->cli, "%s: %s of %s cycles away (%.3f %%) are in [out of focus]",
		run->sums.in.name, tr_flame_number(out, number[0]),
		tr_flame_number(total[0], number[1]),
		total[0] ? 100 * (double)out / (double)total[0] : 0);
	free(total);
}

/* Folds the waits, checks that they add up, and says what they are. */
static void fold_off_cpu(struct run *run)
{
	const struct tr_cli_stacks *in = &run->sums.in;
	die_on_status(run, tr_off_cpu_finish(run->off_cpu, in->reader));
	die_on_status(run, tr_off_cpu_fold(run->off_cpu, run->folded, tr_tint_of,
					   tr_reader_header(in->reader)));
	tr_fold_off_cpu(in, run->off_cpu, tr_folded_sum(run->folded, 0), run->waits,
			sizeof(run->waits));
	if (run->options.stacks.nfocus)
		tell_waits_out_of_focus(run);
	const uint64_t incomplete = tr_off_cpu_sums(run->off_cpu).incomplete;
	if (incomplete)
		tr_warn(&run->cli,
			"note: %s: %" PRIu64 " hit%s of switch or wakeup without a "
			"number, or with one that cannot be: reasons are in doubt",
			in->name, incomplete, tr_plural(incomplete));
	if (!tr_off_cpu_has_states(run->off_cpu))
		tr_warn(&run->cli,
			"note: %s: no probe tells why threads leave their harts; see "
			"linux.probes in tr-replay(1), or those of another kernel",
			in->name);
}

/* Refuses what cannot be estimated, and bars of what is none. */
static void check_sampled(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	const char *name = run->sums.in.name;
	if (!run->sums.is_sampled && o->bars_path)
		tr_die(&run->cli, "%s: --bars: not a sampled run: its cycles are exact",
		       name);
	if (!run->sums.is_sampled)
		return;
	if (o->off_cpu || o->serve_seen)
		tr_die(&run->cli,
		       "%s: --%s: a sampled run, whose cycles are estimated at its end",
		       name, o->off_cpu ? "off-cpu" : "serve");
	if (o->format->take || o->format->step)
		tr_die(&run->cli,
		       "%s: --format %s: a sampled run, of which only sums are "
		       "estimated: use folded, csv, json or speedscope-sums",
		       name, o->format->name);
}

static void sum_input_stacks(struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	run->sums = (struct tr_stack_sums){
	    .cli = &run->cli,
	    .options = &o->stacks,
	    .needs_privileges = o->svg_path || o->serve_seen,
	    .needs_classes = o->tma,
	    .sums_waits = o->off_cpu,
	    .chain = o->is_trace ? &run->options.chain : NULL,
	};
	tr_stack_sums_open(&run->sums);
	check_sampled(run);
	const bool has_slots = o->tma && tr_cli_stacks_width(&run->sums.in) > 1;
	run->folded = make_folded(run, o->tma && !has_slots);
	run->slots = has_slots ? make_folded(run, true) : NULL;
	begin_export(run);
	begin_serve(run);
	if (o->off_cpu)
		begin_off_cpu(run);
	tr_stack_sums_take(&run->sums);
	if (o->off_cpu)
		fold_off_cpu(run);
	else
		fold_stacks(run, run->folded);
	if (has_slots)
		fold_stacks(run, run->slots);
	if (o->svg_path || o->bars_path)
		tr_fold_bars_init(&run->bars, &run->sums.in, run->folded);
}

static void write_outputs(struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	if (o->svg_path)
		draw_flame_graph(run, o->svg_path, 0,
				 o->title	? o->title
				 : run->off_cpu ? "Off-CPU flame graph"
						: "Flame graph");
	if (o->directory)
		write_directory(run);
	if (!o->directory || run->cli.output)
		write_limited(run);
	if (o->bars_path)
		tr_fold_bars_write(&run->bars, &run->sums.in, run->folded, o->bars_path);
	tr_stack_sums_verbose(&run->sums);
	if (run->off_cpu && run->cli.verbose)
		tr_warn(&run->cli, "%s", run->waits);
}

/* Adds up the folded profiles of all operands, and writes the sum. */
static void merge_profiles(struct run *run)
{
	const struct tr_cli *cli = &run->cli;
	char message[512];
	run->folded = tr_folded_new();
	tr_cli_need(cli, run->folded);
	for (int i = optind; i < cli->argc; i++) {
		tr_cli_reads(cli, cli->argv[i]);
		if (tr_folded_read(run->folded, cli->argv[i], 0, message,
				   sizeof(message)))
			tr_die(cli, "%s", message);
	}
	FILE *file = tr_cli_text(cli);
	tr_cli_check(cli, tr_folded_write(run->folded, 0, 0, file));
	tr_cli_text_close(cli, file);
	tr_folded_free(run->folded);
}

int main(int argc, char **argv)
{
	static struct run run;
	tr_fold_options_take(&run.options, &run.cli, argc, argv);
	if (run.options.merge) {
		merge_profiles(&run);
		return TR_EXIT_OK;
	}
	sum_input_stacks(&run);
	write_outputs(&run);
	tr_fold_options_release(&run.options);
	tr_folded_free(run.folded);
	tr_folded_free(run.slots);
	tr_fold_bars_release(&run.bars);
	tr_off_cpu_free(run.off_cpu);
	tr_stack_sums_release(&run.sums);
	tr_cli_chain_release(&run.options.chain);
	return TR_EXIT_OK;
}
