/* SPDX-License-Identifier: Apache-2.0 */
/* tr-fold: aggregates a stream of stacks into folded text, flame graphs and tables. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli_report.h"
#include "cli/cli_stacks.h"
#include "cli/fold_checks.h"
#include "cli/fold_lines.h"
#include "cli/fold_options.h"
#include "flame/flame.h"
#include "flame/histogram.h"
#include "flame/tint.h"
#include "profile/frame_path.h"

struct run {
	struct tr_cli cli;
	struct tr_fold_options options;
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_folded *folded;
	struct tr_cli_export export;
	struct tr_classes classes; /* read if an output needs them */
	char cut_off[120];	   /* printed before the next two; "" if the run was
				    * complete */
	char conservation[TR_FOLD_LINE];
	char class_sum[200];
};

static const char *folded_input_name(const struct run *run)
{
	return strcmp(run->options.input, "-") == 0 ? "<stdin>" : run->options.input;
}

static _Noreturn void die_status(const struct run *run, int status)
{
	tr_die(&run->cli, "%s: %s", folded_input_name(run),
	       tr_status_text((enum tr_status)status));
}

static void die_on_status(const struct run *run, int status)
{
	if (status)
		die_status(run, status);
}

static struct tr_cli_stacks describe_input_stacks(const struct run *run)
{
	return (struct tr_cli_stacks){.cli = &run->cli,
				      .name = folded_input_name(run),
				      .reader = run->reader,
				      .profile = run->profile};
}

/* Returns true if the unit is cycles, the default. */
static bool is_cycles(const struct run *run)
{
	return !run->options.instructions && !run->options.counter;
}

/* Returns true if waiting is separate, if the source reports it, even without --idle. */
static bool separates_idle(const struct run *run)
{
	return run->options.by == TR_BY_PRIVILEGE || run->options.by == TR_BY_HART;
}

/* Reads the names of classes. For --by privilege or hart alone they are optional:
 * tr-unwind provides cycles by class only for one commit per cycle. */
static void read_classes(struct run *run)
{
	const struct tr_header *header = tr_reader_header(run->reader);
	bool if_there = separates_idle(run) && is_cycles(run);
	if (!run->options.tma && !run->options.idle &&
	    !(if_there && tr_header_get(header, "classes") &&
	      tr_header_commit_width(header) == 1))
		return;
	const struct tr_cli_stacks in = describe_input_stacks(run);
	tr_cli_stacks_classes(&in, &run->classes);
}

/* Returns the set of classes for waiting, as bits. */
static uint32_t idle_classes(const struct run *run)
{
	const struct tr_classes *classes = &run->classes;
	bool wanted = run->options.idle || separates_idle(run);
	uint32_t idle = 0;
	for (unsigned c = 1; wanted && c <= classes->count; c++)
		if (strcmp(classes->group_name[classes->group[c]], "idle") == 0)
			idle |= UINT32_C(1) << c;
	if (run->options.idle && !idle)
		tr_die(&run->cli, "%s: no class of idle cycles in the header: %s",
		       folded_input_name(run),
		       tr_header_get(tr_reader_header(run->reader), "classes"));
	return idle;
}

/* Returns the clock rate, 0 if unknown: cycles are time only if the source counts cycles,
 * not instructions. */
static uint64_t clock_of(const struct run *run)
{
	const struct tr_header *header = tr_reader_header(run->reader);
	const char *precision = tr_header_get(header, "precision");
	bool counted = precision && strstr(precision, "instruction");
	if (!is_cycles(run) || counted)
		return 0;
	if (run->options.has_clock)
		return run->options.clock_hz;
	return tr_header_get_u64(header, "clock_hz", 0);
}

static void make_subtitle(const struct run *run, uint64_t total, char *text, size_t size)
{
	const struct tr_header *header = tr_reader_header(run->reader);
	const char *precision = tr_header_get(header, "precision");
	bool counted = precision && strstr(precision, "instruction");
	const struct tr_cli_stacks in = describe_input_stacks(run);
	tr_fold_node(&in, text, size);
	size_t length = strlen(text);
	tr_flame_total(text + length, size - length, total, run->options.unit,
		       clock_of(run));
	length += strlen(text + length);
	if (is_cycles(run) && counted)
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
	char footer[840];
	uint64_t *totals = calloc(tr_folded_count(run->folded), sizeof(*totals));
	struct tr_flame flame = {
	    .title = title,
	    .subtitle = subtitle,
	    .footer = footer,
	    .unit = run->options.unit,
	    .other_unit = run->options.other_unit,
	    .which = run->options.instructions,
	    .top = top,
	    .classes = run->options.tma ? &run->classes : NULL,
	};
	if (!totals)
		die_status(run, TR_E_NOMEM);
	tr_folded_totals(run->folded, flame.which, totals);
	make_subtitle(run, totals[top], subtitle, sizeof(subtitle));
	snprintf(footer, sizeof(footer), "%s%s%s", run->cut_off, top ? "whole run: " : "",
		 run->conservation);
	free(totals);
	FILE *file = open_text(run, &cli, path);
	die_on_status(run, tr_flame_write(run->folded, &flame, file));
	tr_cli_text_close(&cli, file);
}

/* Describes the stacks for their format; what is not known yet is NULL. */
static struct tr_export export_of(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	return (struct tr_export){
	    .folded = run->folded,
	    .which = o->instructions,
	    .unit = o->unit,
	    .other_unit = o->other_unit,
	    .profile = run->profile,
	    .header = tr_reader_header(run->reader),
	    .end = tr_reader_end(run->reader),
	    .title = o->title,
	    .note = run->conservation,
	    .clock_hz = clock_of(run),
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
	die_on_status(run,
		      tr_folded_limit(all, o->instructions, o->limit, &limited, &left));
	if (limited) {
		double share =
		    (double)left.sum / (double)tr_folded_sum(all, o->instructions);
		tr_warn(&run->cli,
			"note: %s: limited to %" PRIu64 " bytes: %" PRIu64
			" stacks with %.3f %% of the %s are combined as %s below their "
			"callers",
			path, o->limit, left.stacks, 100.0 * share, o->unit,
			TR_FOLDED_LEFT);
		run->folded = limited;
	}
	write_stacks(run, NULL, 0);
	run->folded = all;
	tr_folded_free(limited);
}

/* Says the unit of the columns. */
static void tell_unit(const struct run *run, struct tr_report *report)
{
	const struct tr_fold_options *o = &run->options;
	const struct tr_cli_stacks in = describe_input_stacks(run);
	struct tr_counter_id id = tr_fold_counter(o, &in);
	const char *description =
	    tr_counters_description(tr_reader_header(run->reader), id.set, id.counter);
	tr_report_fact(report, "unit", o->unit);
	if (!o->counter)
		tr_report_say(report,
			      "%s; min, median and max of a call; cycles away in all\n",
			      o->unit);
	else
		tr_report_say(report, "%s%s%s\n", o->unit, *description ? ": " : "",
			      description);
}

/* Adds the line of conservation to JSON. */
static void tell_note(const struct run *run, struct tr_report *report, const char *line)
{
	char note[840];
	snprintf(note, sizeof(note), "%s%s", run->cut_off, line);
	tr_report_fact(report, "note", note);
}

static void write_function_table(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	struct tr_cli cli = run->cli;
	if (o->table_path)
		cli.output = o->table_path;
	struct tr_cli_report out = tr_cli_report_open(
	    &cli, o->table_as, o->tma ? "tr-fold --table --tma" : "tr-fold --table",
	    o->tma);
	if (o->tma) {
		tell_note(run, out.report, run->class_sum);
		die_on_status(
		    run, tr_profile_report_tma(run->profile, &run->classes, out.report));
		tr_report_say(out.report, "%s%s\n", run->cut_off, run->class_sum);
	} else {
		tell_unit(run, out.report);
		tell_note(run, out.report, run->conservation);
		die_on_status(run, tr_profile_report(run->profile, o->unit, out.report));
		tr_report_say(out.report, "%s%s\n", run->cut_off, run->conservation);
	}
	tr_cli_report_close(&out);
}

static void write_histogram(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	struct tr_profile_timing timing = tr_profile_timing(run->profile);
	struct tr_histogram histogram;
	char footer[840];
	snprintf(footer, sizeof(footer), "%s%s", run->cut_off, run->conservation);
	const struct tr_histogram_text text = {.title =
						   o->title ? o->title : o->histogram,
					       .unit = o->unit,
					       .footer = footer,
					       .calls = timing.calls,
					       .functions = timing.functions,
					       .clock_hz = clock_of(run)};
	struct tr_cli cli;
	die_on_status(run, tr_histogram_init(&histogram, timing.durations));
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, o->table_as, "tr-fold --histogram", false);
	die_on_status(run, tr_histogram_report(&histogram, &text, out.report));
	tr_cli_report_close(&out);
	if (o->svg_path) {
		FILE *file = open_text(run, &cli, o->svg_path);
		tr_histogram_svg(&histogram, &text, file);
		tr_cli_text_close(&cli, file);
	}
	tr_histogram_release(&histogram);
}

static void write_slowest(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	struct tr_profile_timing timing = tr_profile_timing(run->profile);
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, o->table_as, "tr-fold --slowest", false);
	die_on_status(run, tr_slowest_report(timing.slowest, o->histogram, o->unit,
					     timing.calls, timing.durations->count,
					     out.report));
	tell_note(run, out.report, run->conservation);
	tr_report_say(out.report, "%s%s\n", run->cut_off, run->conservation);
	tr_cli_report_close(&out);
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

/* Says what is out of focus. */
static void tell_focus(const struct run *run)
{
	uint64_t all = tr_folded_sum(run->folded, run->options.instructions);
	uint64_t out = tr_profile_out_of_focus(run->profile);
	char number[2][28];
	if (run->options.nfocus)
		tr_warn(&run->cli, "%s: %s of %s %s (%.3f %%) are in [out of focus]",
			folded_input_name(run), tr_flame_number(out, number[0]),
			tr_flame_number(all, number[1]), run->options.unit,
			all ? 100 * (double)out / (double)all : 0);
}

static int export_step(void *export, const struct tr_profile_step *step)
{
	tr_cli_export_step(export, step);
	return TR_OK;
}

static void begin_export(struct run *run, struct tr_cli_stacks *in)
{
	run->export = (struct tr_cli_export){.cli = &run->cli,
					     .name = folded_input_name(run),
					     .format = run->options.format,
					     .export = export_of(run)};
	if (run->options.format->take)
		in->export = &run->export;
	tr_cli_export_begin(&run->export);
	if (run->options.format->step)
		tr_profile_observe(run->profile, export_step, &run->export, true);
}

static void begin_serve(const struct run *run, struct tr_cli_stacks *in)
{
	const struct tr_fold_options *o = &run->options;
	const struct tr_cli_serve_options options = {
	    .port = o->port,
	    .expect = o->expect,
	    .instructions = o->instructions,
	    .title = o->title ? o->title : "Flame graph",
	    .unit = o->unit,
	    .other_unit = o->other_unit,
	    .classes = o->tma ? &run->classes : NULL,
	};
	if (o->serves)
		in->serve = tr_cli_serve_start(&run->cli, run->reader, &options);
}

/* A log of another tool's stacks has less than tr-unwind tells. */
static void check_source(const struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	if (!tr_header_lacks(tr_reader_header(run->reader), "instructions"))
		return;
	if (o->instructions)
		tr_die(&run->cli,
		       "%s: --unit instructions: the source does not count them",
		       folded_input_name(run));
	if (o->by == TR_BY_PROCESS || o->by == TR_BY_PRIVILEGE)
		tr_die(&run->cli,
		       "%s: --by: the source tells no process and no privilege",
		       folded_input_name(run));
}

static void sum_input_stacks(struct run *run)
{
	run->reader = tr_cli_reader_of(&run->cli, run->options.input, TR_CONTENT_STACKS);
	check_source(run);
	read_classes(run);
	struct tr_cli_stacks in = describe_input_stacks(run);
	struct tr_profile_options options = {
	    .by = run->options.by,
	    .instructions = run->options.instructions,
	    .counter = run->options.counter != NULL,
	    .counter_id = tr_fold_counter(&run->options, &in),
	    .calls = run->options.table && !run->options.tma,
	    .privileges = run->options.svg_path || run->options.serves,
	    .classes = run->options.tma ? run->classes.count : 0,
	    .idle = idle_classes(run),
	    .fold = run->options.fold,
	    .nfold = run->options.nfold,
	    .from = run->options.from,
	    .to = run->options.to,
	    .histogram = run->options.histogram,
	    .hide = run->options.hide,
	    .nhide = run->options.nhide,
	    .focus = run->options.focus,
	    .nfocus = run->options.nfocus,
	    .merge_recursion = run->options.merge_recursion,
	};
	run->profile = tr_profile_new(&options);
	run->folded = tr_folded_new();
	if (!run->profile || !run->folded ||
	    tr_folded_divide(run->folded, options.classes))
		die_status(run, TR_E_NOMEM);
	in.profile = run->profile;
	begin_export(run, &in);
	begin_serve(run, &in);
	tr_cli_stacks_take(&in);
	tr_cli_serve_end(in.serve, run->profile);
	tr_fold_check(&run->options, &in);
	tr_cli_stacks_conserved(&in);
	tr_fold_cut_off(&in, run->cut_off, sizeof(run->cut_off));
	tr_fold_conservation(&run->options, &in, run->conservation,
			     sizeof(run->conservation));
	if (run->options.tma)
		tr_fold_classes(&in, run->class_sum, sizeof(run->class_sum));
	die_on_status(run, tr_profile_fold(run->profile, run->folded, tr_tint_of,
					   tr_reader_header(run->reader)));
	tell_focus(run);
}

static void write_outputs(struct run *run)
{
	const struct tr_fold_options *o = &run->options;
	if (o->table)
		write_function_table(run);
	if (o->histogram && !o->slowest)
		write_histogram(run);
	else if (o->svg_path)
		draw_flame_graph(run, o->svg_path, 0,
				 o->title ? o->title : "Flame graph");
	if (o->slowest)
		write_slowest(run);
	if (o->directory)
		write_directory(run);
	if (!tr_fold_options_replace(o) && (!o->directory || run->cli.output))
		write_limited(run);
	if (run->cli.verbose)
		tr_warn(&run->cli, "%s", run->conservation);
	if (run->cli.verbose && run->options.tma)
		tr_warn(&run->cli, "%s", run->class_sum);
}

int main(int argc, char **argv)
{
	static struct run run;
	tr_fold_options_take(&run.options, &run.cli, argc, argv);
	sum_input_stacks(&run);
	write_outputs(&run);
	tr_fold_options_release(&run.options);
	tr_classes_release(&run.classes);
	tr_folded_free(run.folded);
	tr_profile_free(run.profile);
	tr_reader_close(run.reader);
	return TR_EXIT_OK;
}
