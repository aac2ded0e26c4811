/* SPDX-License-Identifier: Apache-2.0 */
/* tr-tma: top-down analysis from counters, exact classes beside formulas. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_report.h"
#include "tma/tma_bars.h"
#include "tma/tma_tables.h"

static const char usage[] =
    "usage: tr-tma [options] counters.csv...\n"
    "Top-down analysis (TMA) of runs, from counters in AutoCounter's CSV format.\n"
    "\n"
    "  --level 1|2        2: also show, for each run, the second level, the counters\n"
    "                     beside the classes, and what table 1 omits (1)\n"
    "  --frontend         show only the frontend: icache_blocked beside the true bound\n"
    "  --format NAME      text, csv or json (text)\n"
    "  --prefix TEXT      prefix of the counters' labels\n"
    "  --svg FILE         also draw bars for each run\n"
    "  --title TEXT       title of the picture\n";

struct run {
	struct tr_cli cli;
	unsigned level;
	bool frontend;
	enum tr_report_as as;
	const char *prefix, *svg_path, *title;
	struct tr_tma_named *runs;
	size_t count;
};

enum { LEVEL = TR_CLI_FIRST_FREE, FRONTEND, FORMAT, PREFIX, SVG, TITLE };

static const struct option options[] = {
    {"level", required_argument, NULL, LEVEL},
    {"frontend", no_argument, NULL, FRONTEND},
    {"format", required_argument, NULL, FORMAT},
    {"prefix", required_argument, NULL, PREFIX},
    {"svg", required_argument, NULL, SVG},
    {"title", required_argument, NULL, TITLE},
    {0},
};

static void take_option(void *context, int option)
{
	struct run *run = context;
	switch (option) {
	case LEVEL:
		run->level = tr_cli_range(&run->cli, "--level", optarg, 1, 2);
		break;
	case FRONTEND:
		run->frontend = true;
		break;
	case FORMAT:
		run->as = tr_cli_report_as(&run->cli, optarg);
		break;
	case PREFIX:
		run->prefix = optarg;
		break;
	case SVG:
		run->svg_path = optarg;
		break;
	default:
		run->title = optarg;
	}
}

static void parse_args(struct run *run, int argc, char **argv)
{
	*run = (struct run){.level = 1, .prefix = ""};
	tr_cli_init(&run->cli, TR_CLI_TEXT, "tr-tma", usage, argc, argv);
	tr_cli_parse(&run->cli, options, take_option, run);
	if (optind == argc)
		tr_die(&run->cli, "no file of counters; try --help");
	if (run->frontend && run->level == 2)
		tr_die(&run->cli, "--level 2 cannot be used with --frontend");
	if (run->title && !run->svg_path)
		tr_die(&run->cli, "--title needs --svg");
	if (run->svg_path)
		tr_cli_two_outputs(&run->cli, run->svg_path, run->cli.output);
}

/* Returns "list" for "dir/list.csv". */
static char *list_short_name(const struct run *run, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	size_t length = strlen(name);
	if (length > 4 && strcmp(name + length - 4, ".csv") == 0)
		length -= 4;
	char *copy = strcmp(path, "-") == 0 ? strdup("<stdin>") : strndup(name, length);
	tr_cli_need(&run->cli, copy);
	return copy;
}

/* Names the runs by file name, or all by path if two names are equal. */
static void name_runs(struct run *run, char **paths)
{
	char **names = calloc(run->count, sizeof(*names));
	bool twice = false;
	tr_cli_need(&run->cli, names);
	for (size_t i = 0; i < run->count; i++) {
		names[i] = list_short_name(run, paths[i]);
		for (size_t k = 0; k < i; k++)
			twice |= strcmp(names[i], names[k]) == 0;
	}
	for (size_t i = 0; i < run->count; i++) {
		run->runs[i].name = twice ? paths[i] : names[i];
		if (twice)
			free(names[i]);
	}
	free(names);
}

static void require_tma_counter(const struct run *run, const char *path,
				const struct tr_tma_run *of, enum tr_tma_event event)
{
	if (!of->has[event])
		tr_die(&run->cli, "%s: there is no counter %s%s", path, run->prefix,
		       tr_tma_event_names[event]);
}

static void check_run(const struct run *run, const char *path,
		      const struct tr_tma_run *of, const struct tr_tma_run *other)
{
	if (run->frontend) {
		require_tma_counter(run, path, of, TR_TMA_ICACHE_BLOCKED);
		require_tma_counter(run, path, of, TR_TMA_FETCH_STALL);
		if (!of->has_classes)
			tr_die(&run->cli, "%s: there are no counters %sclass.*", path,
			       run->prefix);
	}
	if (!other || !of->has_classes)
		return;
	bool same = of->classes.count == other->classes.count;
	for (unsigned c = 1; same && c <= of->classes.count; c++)
		same = strcmp(of->classes.name[c], other->classes.name[c]) == 0;
	if (!same)
		tr_die(&run->cli,
		       "%s: its classes differ from those of the files before it", path);
}

static void read_runs(struct run *run, char **paths, int count)
{
	const struct tr_tma_run *classes = NULL;
	char message[1024];
	run->count = (size_t)count;
	run->runs = calloc(run->count, sizeof(*run->runs));
	tr_cli_need(&run->cli, run->runs);
	name_runs(run, paths);
	for (size_t i = 0; i < run->count; i++) {
		struct tr_tma_run *of = &run->runs[i].run;
		tr_cli_reads(&run->cli, paths[i]);
		if (tr_tma_run_read(of, paths[i], run->prefix, message, sizeof(message)))
			tr_die(&run->cli, "%s", message);
		check_run(run, paths[i], of, classes);
		if (of->has_classes && !classes)
			classes = of;
	}
}

/* Says why rows are missing. */
static void tell_missing(const struct run *run, struct tr_report *report)
{
	for (size_t i = 0; i < run->count; i++) {
		const struct tr_tma_named *named = &run->runs[i];
		if (!named->run.has_classes)
			tr_report_say(report, "%s: no counters class.*\n", named->name);
		if (!named->run.has_table1)
			tr_report_say(report, "%s: missing for table 1: %s\n",
				      named->name, named->run.missing);
	}
}

static const char legend[] =
    "\n"
    "classes: the core's class of each cycle. table 1: retired / cycles,\n"
    "((issued - retired) * B_Miss + recovery) / cycles, fetch_stall / cycles, and\n"
    "backend = 1 - frontend - bad speculation, which includes retiring; rest excludes\n"
    "it, and is backend and idle of the classes. Table 1 omits what flushes, fences and\n"
    "traps discarded, and counts a fetch miss after a redirect as recovery.\n";

static void write_report(const struct run *run)
{
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, run->as, "tr-tma", run->level == 2);
	if (run->frontend) {
		tr_cli_check(&run->cli,
			     tr_tma_report_frontend(run->runs, run->count, out.report));
	} else {
		tr_cli_check(&run->cli,
			     tr_tma_report_top(run->runs, run->count, out.report));
		tell_missing(run, out.report);
		tr_report_say(out.report, "%s", legend);
	}
	for (size_t i = 0; i < run->count && run->level == 2; i++)
		tr_cli_check(&run->cli, tr_tma_report_run(&run->runs[i], out.report));
	tr_cli_report_close(&out);
}

static void draw_tma_bars(const struct run *run)
{
	struct tr_cli cli = run->cli;
	enum tr_tma_bars what = run->frontend	  ? TR_TMA_BARS_FRONTEND
				: run->level == 2 ? TR_TMA_BARS_CLASSES
						  : TR_TMA_BARS_TOP;
	const char *title = run->title	    ? run->title
			    : run->frontend ? "Frontend"
					    : "Top-down analysis";
	cli.output = run->svg_path;
	FILE *file = tr_cli_text(&cli);
	tr_tma_bars(run->runs, run->count, what, title, file);
	tr_cli_text_close(&cli, file);
}

int main(int argc, char **argv)
{
	static struct run run;
	parse_args(&run, argc, argv);
	read_runs(&run, argv + optind, argc - optind);
	write_report(&run);
	if (run.svg_path)
		draw_tma_bars(&run);
	for (size_t i = 0; i < run.count; i++)
		tr_tma_run_release(&run.runs[i].run);
	return TR_EXIT_OK;
}
