/* SPDX-License-Identifier: Apache-2.0 */
/* tr-fold: a stream of stacks to folded text, flame graphs and a table. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "flame.h"
#include "frame_path.h"
#include "profile.h"
#include "tint.h"

static const char usage[] =
    "usage: tr-fold [options] [stream]\n"
    "Sums the call stacks of a stream that tr-unwind wrote.\n"
    "\n"
    "  --by joined|program|thread  what is summed apart (joined)\n"
    "  --unit cycles|instructions  what is counted (cycles)\n"
    "  --svg FILE                  an interactive flame graph, too\n"
    "  --color role|class          of its frames: by binary, or by what lost their\n"
    "                              cycles (role)\n"
    "  --title TEXT                of the flame graph\n"
    "  --table[=FILE]              functions, calls and cycles; without FILE in\n"
    "                              place of the folded stacks\n"
    "  --classes[=FILE]            what cycles were lost for; as --table\n"
    "  -d, --directory DIR         a folded file (with --svg a flame graph, too)\n"
    "                              for each program or thread, in DIR\n"
    "  -o, --output FILE           instead of standard output\n"
    "  -@, --threads N             2: read ahead in a second thread\n"
    "  -v, --verbose               print the line of conservation\n"
    "  -h, --help                  this text\n"
    "  -V, --version               the version\n";

struct options {
	enum tr_profile_by by;
	bool instructions;
	bool table, classes, color_classes;
	const char *table_path, *classes_path; /* NULL: the main output */
	const char *svg_path;
	const char *title;
	const char *directory;
};

struct run {
	struct tr_cli cli;
	struct options options;
	const char *input;
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_folded *folded;
	struct tr_classes classes; /* read when an output needs them */
	const char *unit, *other_unit;
	char conservation[256];
	char class_sum[200];
};

static bool needs_classes(const struct run *run)
{
	return run->options.classes || run->options.color_classes;
}

static bool is_main_output(bool wanted, const char *path)
{
	return wanted && !path;
}

static const char *input_name(const struct run *run)
{
	return strcmp(run->input, "-") == 0 ? "<stdin>" : run->input;
}

static _Noreturn void die_status(const struct run *run, int status)
{
	tr_die(&run->cli, "%s: %s", input_name(run),
	       tr_status_text((enum tr_status)status));
}

static void check(const struct run *run, int status)
{
	if (status)
		die_status(run, status);
}

/* Index of `text` among `words`, which end with NULL, or a usage error. */
static int choice(const struct tr_cli *cli, const char *option, const char *text,
		  const char *const *words)
{
	char all[64] = "";
	for (int i = 0; words[i]; i++) {
		size_t length = strlen(all);
		if (strcmp(words[i], text) == 0)
			return i;
		snprintf(all + length, sizeof(all) - length, "%s%s", i ? ", " : "",
			 words[i]);
	}
	tr_die(cli, "%s: no such choice: %s (there are %s)", option, text, all);
}

/* Each of the outputs goes to a file of its own. */
static void check_outputs(const struct run *run)
{
	const struct options *o = &run->options;
	bool table = is_main_output(o->table, o->table_path);
	bool classes = is_main_output(o->classes, o->classes_path);
	const char *paths[5];
	unsigned count = 0;
	if (o->svg_path)
		paths[count++] = o->svg_path;
	if (o->table_path)
		paths[count++] = o->table_path;
	if (o->classes_path)
		paths[count++] = o->classes_path;
	if (run->cli.output || table || classes || !o->directory)
		paths[count++] = run->cli.output;
	if (table && classes)
		paths[count++] = run->cli.output;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = i + 1; k < count; k++)
			tr_cli_apart(&run->cli, paths[i], paths[k],
				     "two outputs into one file");
}

enum { BY = TR_CLI_FIRST_FREE, UNIT, SVG, COLOR, TITLE, TABLE, CLASSES };

static const char *const units[] = {"cycles", "instructions", NULL};

static void take_option(struct run *run, int option)
{
	static const char *const bys[] = {"joined", "program", "thread", NULL};
	static const char *const colors[] = {"role", "class", NULL};
	struct options *o = &run->options;
	switch (option) {
	case BY:
		o->by = (enum tr_profile_by)choice(&run->cli, "--by", optarg, bys);
		break;
	case UNIT:
		o->instructions = choice(&run->cli, "--unit", optarg, units) == 1;
		break;
	case SVG:
		o->svg_path = optarg;
		break;
	case COLOR:
		o->color_classes = choice(&run->cli, "--color", optarg, colors) == 1;
		break;
	case TITLE:
		o->title = optarg;
		break;
	case TABLE:
		o->table = true;
		o->table_path = optarg;
		break;
	case CLASSES:
		o->classes = true;
		o->classes_path = optarg;
		break;
	case 'd':
		o->directory = optarg;
		break;
	default:
		tr_cli_option(&run->cli, option);
	}
}

/* A file name behind --table or --classes looks like an input. */
static void check_input(const struct run *run, int argc, char **argv)
{
	const struct options *o = &run->options;
	bool table = is_main_output(o->table, o->table_path);
	if (optind + 1 < argc && (table || is_main_output(o->classes, o->classes_path)))
		tr_die(&run->cli,
		       "more than one input: %s; a table in a file is --%s=FILE",
		       argv[optind + 1], table ? "table" : "classes");
}

static void parse_args(struct run *run, int argc, char **argv)
{
	static const struct option longs[] = {
	    TR_CLI_LONG,
	    {"by", required_argument, NULL, BY},
	    {"unit", required_argument, NULL, UNIT},
	    {"svg", required_argument, NULL, SVG},
	    {"color", required_argument, NULL, COLOR},
	    {"title", required_argument, NULL, TITLE},
	    {"table", optional_argument, NULL, TABLE},
	    {"classes", optional_argument, NULL, CLASSES},
	    {"directory", required_argument, NULL, 'd'},
	    {0},
	};
	tr_cli_init(&run->cli, "tr-fold", usage, argc, argv);
	for (int c; (c = getopt_long(argc, argv, TR_CLI_SHORT "d:", longs, NULL)) != -1;)
		take_option(run, c);
	check_input(run, argc, argv);
	run->input = tr_cli_input(&run->cli);
	if (needs_classes(run) && run->options.instructions)
		tr_die(&run->cli, "classes are of cycles: not with --unit instructions");
	if (run->options.color_classes && !run->options.svg_path)
		tr_die(&run->cli, "--color: without --svg there is no picture");
	check_outputs(run);
	run->unit = units[run->options.instructions];
	run->other_unit = units[!run->options.instructions];
}

/* What the header calls the classes. */
static void read_classes(struct run *run)
{
	const struct tr_header *header = tr_reader_header(run->reader);
	if (!needs_classes(run))
		return;
	switch (tr_classes_read(&run->classes, header)) {
	case TR_OK:
		break;
	case TR_E_ARGUMENT:
		tr_die(
		    &run->cli,
		    "%s: no classes: the source does not tell what cycles were lost for",
		    input_name(run));
	case TR_E_CORRUPT:
		tr_die(&run->cli, "%s: bad names of classes in the header: %s",
		       input_name(run), tr_header_get(header, "classes"));
	default:
		die_status(run, TR_E_NOMEM);
	}
	if (tr_header_commit_width(header) != 1)
		tr_die(&run->cli, "%s: no classes: more than one commit a cycle",
		       input_name(run));
}

static void take_stream(struct run *run)
{
	const struct tr_sframe *frame;
	const char *content = tr_header_get(tr_reader_header(run->reader), "content");
	struct tr_progress progress;
	char message[128];
	int status;
	if (!content || strcmp(content, "stacks") != 0)
		tr_die(&run->cli, "%s: not a stream of stacks: tr-unwind makes one",
		       input_name(run));
	tr_progress_init(&progress);
	while (!(status = tr_reader_next_stacks(run->reader, &frame))) {
		if (tr_profile_take(run->profile, run->reader, frame, message,
				    sizeof(message)))
			tr_die(&run->cli, "%s: %s", input_name(run), message);
		tr_progress_show(&progress, &run->cli,
				 tr_profile_instructions(run->profile), run->reader);
	}
	tr_progress_done(&progress);
	if (status != TR_END)
		tr_die(&run->cli, "%s", tr_reader_message(run->reader));
}

/* Every cycle and instruction of the stream is on one stack. */
static void check_conservation(struct run *run)
{
	const struct tr_header *end = tr_reader_end(run->reader);
	char number[5][28];
	for (int instructions = 0; instructions < 2; instructions++) {
		const char *unit = instructions ? "instructions" : "cycles";
		struct tr_charge charge =
		    tr_profile_charge(run->profile, instructions != 0);
		uint64_t total = tr_header_get_u64(end, unit, UINT64_MAX);
		if (charge.charged != total)
			tr_die(&run->cli,
			       "%s: %" PRIu64 " of %" PRIu64 " %s charged: not conserved",
			       input_name(run), charge.charged, total, unit);
		if ((instructions != 0) != run->options.instructions)
			continue;
		snprintf(run->conservation, sizeof(run->conservation),
			 "100.000 %% of %s %s charged: %s lost, %s in unknown code, "
			 "%s ambiguous, %s gap",
			 tr_flame_number(total, number[0]), unit,
			 tr_flame_number(charge.lost, number[1]),
			 tr_flame_number(charge.unknown, number[2]),
			 tr_flame_number(charge.ambiguous, number[3]),
			 tr_flame_number(charge.gap, number[4]));
	}
}

/* And every cycle is of one class, or retires an instruction. */
static void check_classes(struct run *run)
{
	struct tr_class_sum sum;
	char number[4][28];
	tr_profile_class_sum(run->profile, &sum);
	if (sum.wrong)
		tr_die(&run->cli,
		       "%s: %" PRIu64 " of %" PRIu64
		       " cycles have no class, or two; most of them in %s",
		       input_name(run), sum.wrong, sum.cycles, sum.wrong_func->name);
	snprintf(
	    run->class_sum, sizeof(run->class_sum),
	    "100.000 %% of %s cycles have a class: %s retiring, %s lost, %s not traced",
	    tr_flame_number(sum.cycles, number[0]),
	    tr_flame_number(sum.retiring, number[1]),
	    tr_flame_number(sum.cycles - sum.retiring - sum.untraced, number[2]),
	    tr_flame_number(sum.untraced, number[3]));
}

/* Cycles are time when the source counts cycles, not instructions. */
static void make_subtitle(const struct run *run, uint64_t total, char *text, size_t size)
{
	const struct tr_header *header = tr_reader_header(run->reader);
	const char *precision = tr_header_get(header, "precision");
	bool cycles = !run->options.instructions;
	bool counted = precision && strstr(precision, "instruction");
	tr_flame_total(text, size, total, run->unit,
		       cycles && !counted ? tr_header_get_u64(header, "clock_hz", 0) : 0);
	size_t length = strlen(text);
	if (cycles && counted)
		snprintf(text + length, size - length, " (a cycle is an instruction)");
}

/* Text to `path`, or to the main output when it is NULL. */
static FILE *open_text(const struct run *run, struct tr_cli *cli, const char *path)
{
	*cli = run->cli;
	if (path)
		cli->output = path;
	return tr_cli_text(cli);
}

static void write_svg(const struct run *run, const char *path, uint32_t top,
		      const char *title)
{
	struct tr_cli cli;
	char subtitle[128];
	char footer[280];
	uint64_t *totals = calloc(tr_folded_count(run->folded), sizeof(*totals));
	struct tr_flame flame = {
	    .title = title,
	    .subtitle = subtitle,
	    .footer = footer,
	    .unit = run->unit,
	    .other_unit = run->other_unit,
	    .which = run->options.instructions,
	    .top = top,
	    .classes = run->options.color_classes ? &run->classes : NULL,
	};
	if (!totals)
		die_status(run, TR_E_NOMEM);
	tr_folded_totals(run->folded, flame.which, totals);
	make_subtitle(run, totals[top], subtitle, sizeof(subtitle));
	snprintf(footer, sizeof(footer), "%s%s", top ? "whole run: " : "",
		 run->conservation);
	free(totals);
	FILE *file = open_text(run, &cli, path);
	check(run, tr_flame_write(run->folded, &flame, file));
	tr_cli_text_close(&cli, file);
}

static void write_folded(const struct run *run, const char *path, uint32_t top)
{
	struct tr_cli cli;
	FILE *file = open_text(run, &cli, path);
	check(run, tr_folded_write(run->folded, top, run->options.instructions, file));
	tr_cli_text_close(&cli, file);
}

static void write_table(const struct run *run)
{
	struct tr_cli cli;
	FILE *file = open_text(run, &cli, run->options.table_path);
	fprintf(file, "%s; min, median and max of a call\n", run->unit);
	check(run, tr_profile_print(run->profile, file));
	fprintf(file, "%s\n", run->conservation);
	tr_cli_text_close(&cli, file);
}

static void write_classes(const struct run *run)
{
	struct tr_cli cli;
	FILE *file = open_text(run, &cli, run->options.classes_path);
	check(run, tr_profile_print_classes(run->profile, &run->classes, file));
	fprintf(file, "%s\n", run->class_sum);
	tr_cli_text_close(&cli, file);
}

static int by_name(const void *left, const void *right, void *folded)
{
	return strcmp(tr_folded_node(folded, *(const uint32_t *)left)->name,
		      tr_folded_node(folded, *(const uint32_t *)right)->name);
}

/* The first frames of all stacks, by name. */
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
	qsort_r(ids, *count, sizeof(*ids), by_name, f);
	return ids;
}

static void write_pair(const struct run *run, const char *path, uint32_t id)
{
	size_t size = strlen(path) + 8;
	char *full = malloc(size);
	if (!full)
		die_status(run, TR_E_NOMEM);
	snprintf(full, size, "%s.folded", path);
	write_folded(run, full, id);
	if (run->options.svg_path) {
		snprintf(full, size, "%s.svg", path);
		write_svg(run, full, id, tr_folded_node(run->folded, id)->name);
	}
	free(full);
}

static void write_directory(const struct run *run)
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

static void sum_up(struct run *run)
{
	run->reader = tr_cli_reader(&run->cli, run->input);
	read_classes(run);
	struct tr_profile_options options = {
	    .by = run->options.by,
	    .instructions = run->options.instructions,
	    .calls = run->options.table,
	    .classes = run->classes.count,
	};
	run->profile = tr_profile_new(&options);
	run->folded = tr_folded_new();
	if (!run->profile || !run->folded ||
	    tr_folded_divide(run->folded, run->classes.count))
		die_status(run, TR_E_NOMEM);
	take_stream(run);
	check_conservation(run);
	if (needs_classes(run))
		check_classes(run);
	check(run, tr_profile_fold(run->profile, run->folded, tr_tint_of,
				   tr_reader_header(run->reader)));
}

static void write_outputs(const struct run *run)
{
	const struct options *o = &run->options;
	bool table_only = is_main_output(o->table, o->table_path) ||
			  is_main_output(o->classes, o->classes_path);
	if (o->table)
		write_table(run);
	if (o->classes)
		write_classes(run);
	if (o->svg_path)
		write_svg(run, o->svg_path, 0, o->title ? o->title : "Flame graph");
	if (o->directory)
		write_directory(run);
	if (!table_only && (!o->directory || run->cli.output))
		write_folded(run, NULL, 0);
	if (run->cli.verbose)
		tr_warn(&run->cli, "%s", run->conservation);
	if (run->cli.verbose && needs_classes(run))
		tr_warn(&run->cli, "%s", run->class_sum);
}

int main(int argc, char **argv)
{
	static struct run run;
	parse_args(&run, argc, argv);
	sum_up(&run);
	write_outputs(&run);
	tr_classes_release(&run.classes);
	tr_folded_free(run.folded);
	tr_profile_free(run.profile);
	tr_reader_close(run.reader);
	return TR_EXIT_OK;
}
