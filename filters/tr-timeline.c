/* SPDX-License-Identifier: Apache-2.0 */
/* tr-timeline: writes the stacks of a stream over time, for viewers of timelines. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/cli_report.h"
#include "cli/cli_stacks.h"
#include "cli/cli_window.h"
#include "timeline/tasks_tables.h"
#include "timeline/timeline_perfetto.h"
#include "timeline/timeline_speedscope.h"
#include "timeline/timeline_svg.h"

static const char usage[] =
    "usage: tr-timeline [options] [stream]\n"
    "Write the call stacks of a stream from tr-unwind over time.\n"
    "\n"
    "  --format perfetto|svg|speedscope\n"
    "                              a trace for the viewer of Perfetto (the default), a\n"
    "                              picture of one page, or a file for speedscope\n"
    "  --table processes|wakeups   write a table instead: the processes of a kernel, or\n"
    "                              how long its threads waited when they were woken;\n"
    "                              --format text|csv|json\n"
    "  --by thread|hart            whose tracks have the stacks: of threads (perfetto),\n"
    "                              or of harts (speedscope; svg always)\n"
    "  --min-cycles N              leave out shorter calls; 0: none. By default 1 part\n"
    "                              in 100 000 of the time before them\n"
    "  --max-depth N               leave out deeper frames (256; svg: 40); 0: none\n"
    "  --from X, --to Y            only this window: a cycle (5M); the first entry of\n"
    "                              function X, the first return of Y after that; or\n"
    "                              trigger: where tracing first starts, then stops\n"
    "  --fold BINARY               show its frames as one; may be repeated\n"
    "  --clock HZ                  clock rate of the core, such as 3200M (from the\n"
    "                              header); 0: show a cycle as 1 ns\n"
    "  --title TEXT                title of the picture or file\n"
    "  --quiet                     do not print what is left out\n";

enum format { PERFETTO, SVG, SPEEDSCOPE, FORMATS };
enum table { NO_TABLE, PROCESSES, WAKEUPS };

struct run {
	struct tr_cli cli;
	const char *format_name;
	enum format format;
	enum table table;
	enum tr_report_as table_as;
	struct tr_timeline_options options;
	bool has_by, has_depth, has_clock, quiet;
	uint64_t clock_hz;
	const char *title, *input;
	const char *fold[TR_PROFILE_FOLDS];
	unsigned nfold;
	struct tr_cli_window window;
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_tasks *tasks; /* NULL: the stream has no probes */
	struct tr_timeline *timeline;
	FILE *file;
	void *state; /* of the writer */
};

enum {
	FORMAT = TR_CLI_FIRST_FREE,
	TABLE,
	BY,
	MIN_CYCLES,
	MAX_DEPTH,
	FROM,
	TO,
	FOLD,
	CLOCK,
	TITLE,
	QUIET,
};

static const struct option options[] = {
    {"format", required_argument, NULL, FORMAT},
    {"table", required_argument, NULL, TABLE},
    {"by", required_argument, NULL, BY},
    {"min-cycles", required_argument, NULL, MIN_CYCLES},
    {"max-depth", required_argument, NULL, MAX_DEPTH},
    {"from", required_argument, NULL, FROM},
    {"to", required_argument, NULL, TO},
    {"fold", required_argument, NULL, FOLD},
    {"clock", required_argument, NULL, CLOCK},
    {"title", required_argument, NULL, TITLE},
    {"quiet", no_argument, NULL, QUIET},
    {0},
};

static enum format format_of(const struct tr_cli *cli, const char *text)
{
	static const char *const names[] = {"perfetto", "svg", "speedscope"};
	for (enum format i = 0; i < FORMATS; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	tr_die(cli, "--format: no such format: %s (there are perfetto, svg, speedscope)",
	       text);
}

static enum table table_of(const struct tr_cli *cli, const char *text)
{
	if (strcmp(text, "processes") != 0 && strcmp(text, "wakeups") != 0)
		tr_die(cli, "--table: no such table: %s (there are processes, wakeups)",
		       text);
	return *text == 'p' ? PROCESSES : WAKEUPS;
}

static bool is_by_hart(const struct tr_cli *cli, const char *text)
{
	if (strcmp(text, "hart") != 0 && strcmp(text, "thread") != 0)
		tr_die(cli, "--by: no such choice: %s (there are thread, hart)", text);
	return *text == 'h';
}

static void take_fold(struct run *run)
{
	if (!*optarg)
		tr_die(&run->cli, "--fold: no binary");
	if (run->nfold == TR_PROFILE_FOLDS)
		tr_die(&run->cli, "--fold: more than %d binaries", TR_PROFILE_FOLDS);
	run->fold[run->nfold++] = optarg;
}

/* Options that select what is shown. */
static void take_part(struct run *run, int option)
{
	const struct tr_cli *cli = &run->cli;
	switch (option) {
	case MIN_CYCLES:
		run->options.min_cycles = tr_cli_u64(cli, "--min-cycles", optarg);
		break;
	case MAX_DEPTH:
		run->has_depth = true;
		run->options.max_depth =
		    tr_cli_range(cli, "--max-depth", optarg, 0, TR_PROFILE_DEPTH);
		break;
	case FROM:
		run->window.from_text = optarg;
		run->window.from = tr_cli_bound(cli, "--from", optarg);
		break;
	case TO:
		run->window.to_text = optarg;
		run->window.to = tr_cli_bound(cli, "--to", optarg);
		break;
	default:
		take_fold(run);
	}
}

static void take_option(void *context, int option)
{
	struct run *run = context;
	switch (option) {
	case FORMAT:
		run->format_name = optarg;
		break;
	case TABLE:
		run->table = table_of(&run->cli, optarg);
		break;
	case BY:
		run->has_by = true;
		run->options.by_hart = is_by_hart(&run->cli, optarg);
		break;
	case CLOCK:
		run->has_clock = true;
		run->clock_hz = tr_cli_u64(&run->cli, "--clock", optarg);
		break;
	case TITLE:
		run->title = optarg;
		break;
	case QUIET:
		run->quiet = true;
		break;
	default:
		take_part(run, option);
	}
}

/* Checks the options of a table. */
static void take_table(struct run *run)
{
	run->table_as =
	    tr_cli_report_as(&run->cli, run->format_name ? run->format_name : "text");
	if (run->has_by || run->has_depth || run->has_clock || run->title || run->nfold ||
	    run->options.min_cycles != TR_TIMELINE_AUTO)
		tr_die(&run->cli, "--table: only with --format, --from, --to, --quiet");
}

static void take_options(struct run *run, int argc, char **argv)
{
	run->window.to.cycle = UINT64_MAX;
	run->options.min_cycles = TR_TIMELINE_AUTO;
	tr_cli_init(&run->cli, TR_CLI_TEXT, "tr-timeline", usage, argc, argv);
	tr_cli_parse(&run->cli, options, take_option, run);
	run->input = tr_cli_input(&run->cli, NULL);
	tr_cli_window_order(&run->cli, &run->window);
	if (run->table) {
		take_table(run);
		return;
	}
	if (run->format_name)
		run->format = format_of(&run->cli, run->format_name);
	if (run->format == SVG && run->has_by && !run->options.by_hart)
		tr_die(&run->cli, "--by thread: a picture has tracks of harts only");
	if (run->format == SVG && run->options.min_cycles != TR_TIMELINE_AUTO)
		tr_die(&run->cli, "--min-cycles: a picture shows columns, not calls");
	if (!run->has_by)
		run->options.by_hart = run->format != PERFETTO;
	if (!run->has_depth)
		run->options.max_depth = run->format == SVG ? 40 : 256;
	if (run->format == SVG &&
	    (!run->options.max_depth || run->options.max_depth > 256))
		tr_die(&run->cli, "--max-depth: a picture has a depth from 1 to 256");
	if (!run->title)
		run->title = "Timeline";
}

static const char *input_name(const struct run *run)
{
	return strcmp(run->input, "-") == 0 ? "<stdin>" : run->input;
}

static void check(const struct run *run, int status)
{
	if (status == TR_E_IO)
		tr_die(&run->cli, "temporary file: %s", strerror(errno));
	if (status)
		tr_die(&run->cli, "%s: %s", input_name(run),
		       tr_status_text((enum tr_status)status));
}

static void open_output(struct run *run)
{
	const char *output = run->cli.output;
	if (run->format == PERFETTO && (!output || strcmp(output, "-") == 0) &&
	    isatty(STDOUT_FILENO))
		tr_die(&run->cli,
		       "refusing to write binary to a terminal; use -o FILE or a pipe");
	run->file = tr_cli_text(&run->cli);
}

/* Begins the output, unless it is a table. */
static void begin_output(struct run *run, const struct tr_counters *counters)
{
	const struct tr_header *header = tr_reader_header(run->reader);
	const struct tr_timeline_clock clock = tr_timeline_clock(
	    header,
	    run->has_clock ? run->clock_hz : tr_header_get_u64(header, "clock_hz", 0));
	open_output(run);
	if (run->format == PERFETTO)
		run->state = tr_perfetto_new(run->file, run->profile, counters,
					     run->tasks, &clock);
	else if (run->format == SVG)
		run->state = tr_timeline_svg_new(run->file, run->profile, counters,
						 run->tasks, header, &clock,
						 &(struct tr_timeline_svg_options){
						     run->title, run->options.max_depth});
	else
		run->state = tr_speedscope_new(run->file, run->profile, &clock,
					       "tr-timeline", run->title);
	if (!run->state)
		check(run, TR_E_NOMEM);
}

static void begin(struct run *run)
{
	static const struct tr_timeline_writer table = {.parts = 1};
	static const struct tr_timeline_writer *const writers[] = {
	    &tr_timeline_perfetto, &tr_timeline_svg, &tr_timeline_speedscope};
	const struct tr_counters *counters = tr_reader_counters(run->reader);
	const struct tr_probe_names *probes = tr_reader_probes(run->reader);
	if (probes->count && !(run->tasks = tr_tasks_new(probes)))
		check(run, TR_E_NOMEM);
	if (run->table && (!run->tasks || !tr_tasks_has_switches(run->tasks)))
		tr_die(
		    &run->cli,
		    "%s: no probe \"switch\" tells of tasks: tr-replay --stream --probes "
		    "linux.probes adds one, or the probes of another kernel",
		    input_name(run));
	if (!run->table)
		begin_output(run, counters);
	run->timeline =
	    tr_timeline_new(&run->options, run->profile, counters, run->tasks,
			    run->table ? &table : writers[run->format], run->state);
	if (!run->timeline)
		check(run, TR_E_NOMEM);
}

static void take_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	check(run, tr_timeline_frame(run->timeline, frame));
}

static int take_step(void *context, const struct tr_profile_step *step)
{
	const struct run *run = context;
	check(run, tr_timeline_step(run->timeline, step));
	return TR_OK;
}

static void end_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	check(run, tr_timeline_frame_end(run->timeline, frame));
}

static void take_stream(struct run *run)
{
	const struct tr_profile_options of = {.by = TR_BY_PROCESS,
					      .may_lack_groups = true,
					      .from = run->window.from,
					      .to = run->window.to,
					      .fold = run->fold,
					      .nfold = run->nfold};
	run->reader = tr_cli_reader_of(&run->cli, run->input, TR_CONTENT_STACKS);
	run->profile = tr_profile_new(&of);
	if (!run->profile)
		check(run, TR_E_NOMEM);
	begin(run);
	tr_profile_observe(run->profile, take_step, run, false);
	struct tr_cli_stacks in = {.cli = &run->cli,
				   .name = input_name(run),
				   .reader = run->reader,
				   .profile = run->profile,
				   .taking = take_frame,
				   .taken = end_frame,
				   .context = run};
	tr_cli_stacks_take(&in);
	for (unsigned i = 0; i < run->nfold; i++)
		tr_cli_stacks_name(&in, "fold", run->fold[i],
				   tr_profile_has_binary(run->profile, run->fold[i]));
	tr_cli_window_names(&in, &run->window);
	tr_cli_window_found(&in, &run->window);
	tr_cli_stacks_conserved(&in);
}

/* Checks that each cycle is of a process, and tells what the hits of probes lack. */
static void check_tasks(const struct run *run)
{
	uint64_t ran = 0;
	if (!run->tasks || !tr_tasks_has_switches(run->tasks))
		return;
	for (uint32_t i = 0; i < tr_tasks_count(run->tasks); i++)
		ran += tr_tasks_at(run->tasks, i)->ran;
	const uint64_t cycles = tr_timeline_sums(run->timeline).cycles;
	if (ran != cycles)
		tr_die(&run->cli,
		       "%s: %" PRIu64 " of %" PRIu64
		       " cycles are of tasks: not conserved",
		       input_name(run), ran, cycles);
	const struct tr_tasks_sums sums = tr_tasks_sums(run->tasks);
	if (sums.unseen || sums.incomplete)
		tr_warn(&run->cli,
			"%s: %" PRIu64 " of %" PRIu64
			" hit%s of probes on tasks %s a number, and %" PRIu64
			" switch%s had no hit: who runs is in doubt",
			input_name(run), sums.incomplete, sums.hits, tr_plural(sums.hits),
			sums.incomplete == 1 ? "lacks" : "lack", sums.unseen,
			sums.unseen == 1 ? "" : "es");
	if (sums.unseen_states)
		tr_warn(&run->cli,
			"%s: %" PRIu64 " change%s of goroutines' states %s in doubt",
			input_name(run), sums.unseen_states,
			tr_plural(sums.unseen_states),
			sums.unseen_states == 1 ? "is" : "are");
}

static void write_table(const struct run *run)
{
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, run->table_as,
			       run->table == PROCESSES ? "tr-timeline --table processes"
						       : "tr-timeline --table wakeups",
			       false);
	check(run, run->table == PROCESSES ? tr_tasks_processes(run->tasks, out.report)
					   : tr_tasks_wakeups(run->tasks, out.report));
	tr_cli_report_close(&out);
}

/* Completes the output, and says what it leaves out. */
static void finish_output(struct run *run)
{
	char text[400];
	tr_cli_text_close(&run->cli, run->file);
	const struct tr_timeline_sums sums = tr_timeline_sums(run->timeline);
	if (run->format == SVG)
		tr_timeline_svg.left_out(run->state, text, sizeof(text));
	else
		tr_timeline_left_out_text(&sums, text, sizeof(text));
	const char *output = run->cli.output ? run->cli.output : "";
	if (*text && !run->quiet)
		tr_warn(&run->cli, "%s%s%s", output, *output ? ": " : "", text);
}

static void finish(struct run *run)
{
	check(run, tr_timeline_finish(run->timeline));
	check_tasks(run);
	if (run->table)
		write_table(run);
	else
		finish_output(run);
}

int main(int argc, char **argv)
{
	static struct run run;
	take_options(&run, argc, argv);
	take_stream(&run);
	finish(&run);
	tr_timeline_free(run.timeline);
	tr_tasks_free(run.tasks);
	if (run.format == PERFETTO)
		tr_perfetto_free(run.state);
	else if (run.format == SVG)
		tr_timeline_svg_free(run.state);
	else
		tr_speedscope_free(run.state);
	tr_profile_free(run.profile);
	tr_reader_close(run.reader);
	return TR_EXIT_OK;
}
