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
#include "timeline/deadlines.h"
#include "timeline/switches.h"
#include "timeline/tallies_tables.h"
#include "timeline/tasks_tables.h"
#include "timeline/timeline_perfetto.h"
#include "timeline/timeline_speedscope.h"
#include "timeline/timeline_svg.h"

static const char usage[] =
    "usage: tr-timeline [options] [stream]\n"
    "Write the call stacks of a stream from tr-unwind over time.\n";

enum format { PERFETTO, SVG, SPEEDSCOPE, TABLES };
enum table {
	PROCESSES,
	WAKEUPS,
	SWITCHES,
	MARKS,
	TALLIES, /* then those of tr_tally_tables */
	ACTIVATIONS = TALLIES + TR_TABLE_ACTIVATIONS
};
enum { BY_THREAD, BY_HART };

struct run {
	struct tr_cli cli;
	enum format format; /* from TABLES on: of a table, as enum tr_report_as */
	unsigned table;	    /* enum table */
	unsigned by;
	/* Names of options that were given, or NULL */
	const char *has_format, *has_table, *has_by, *has_depth, *has_clock,
	    *has_schedulers, *has_assert;
	struct tr_timeline_options options;
	bool quiet;
	uint64_t clock_hz;
	const char *title, *input;
	struct tr_texts fold, schedulers, asserted;
	struct tr_assertion *assertions; /* of --assert */
	int status;			 /* of the program */
	struct tr_cli_window window;
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_tasks *tasks;	      /* NULL: the stream has no probes */
	struct tr_switches *switches; /* of that table */
	struct tr_marks *marks;
	struct tr_timeline *timeline;
	FILE *file;
	void *state; /* of the writer */
};

static const char *tables[TALLIES + TR_TALLY_TABLES + 1] = {"processes", "wakeups",
							    "switches", "marks"};
static const char *const formats[] = {"perfetto", "svg",  "speedscope", "text",
				      "csv",	  "json", NULL};

static void parse_options(struct run *run)
{
	static const char *const bys[] = {"thread", "hart", NULL};
	const struct tr_option options[] = {
	    {"format", .choice = {&run->format, formats}, .seen = &run->has_format,
	     .help = "a trace for the viewer of Perfetto (the default), a picture of one "
		     "page, or a file for speedscope; with --table text, csv or json"},
	    {"table", .choice = {&run->table, tables}, .seen = &run->has_table,
	     .excludes = "by min-cycles max-depth fold clock title",
	     .help = "write a table instead: the processes of a kernel, how long its "
		     "threads waited when they were woken, what they did, how long "
		     "switches from one to another took, or the marks of programs"},
	    {"scheduler", .argument = "FUNCTION", .texts = &run->schedulers,
	     .seen = &run->has_schedulers, .needs = "table",
	     .help = "a switch begins where a thread calls it; may be repeated"},
	    {"assert", .argument = "'NAME.FIGURE OP NUMBER'", .texts = &run->asserted,
	     .seen = &run->has_assert, .needs = "table",
	     .help = "instead of the table of marks or activations: check this, as in "
		     "'frame.max < 20k'; exit status 1 if it does not hold; may be "
		     "repeated"},
	    {"by", .choice = {&run->by, bys}, .seen = &run->has_by,
	     .help = "whose tracks have the stacks: of threads (perfetto), or of harts "
		     "(speedscope; svg always)"},
	    {"min-cycles", .argument = "N", .number = &run->options.min_cycles,
	     .help = "leave out shorter calls; 0: none. By default 1 part in 100 000 of "
		     "the time before them"},
	    {"max-depth", .argument = "N", .seen = &run->has_depth,
	     .range = {&run->options.max_depth, 0, TR_PROFILE_DEPTH},
	     .help = "leave out deeper frames (256; svg: 40); 0: none"},
	    TR_CLI_WINDOW_OPTIONS(&run->window, .needs = NULL),
	    {"fold", .argument = "BINARY", .texts = &run->fold,
	     .help = "show its frames as one; may be repeated"},
	    {"clock", .argument = "HZ", .number = &run->clock_hz, .seen = &run->has_clock,
	     .help = "clock rate of the core, such as 3200M (from the header); 0: show a "
		     "cycle as 1 ns"},
	    {"title", .argument = "TEXT", .text = &run->title,
	     .help = "title of the picture or file"},
	    {"quiet", .flag = &run->quiet, .help = "do not print what is left out"},
	    {0}};
	for (unsigned i = 0; i < TR_TALLY_TABLES; i++)
		tables[TALLIES + i] = tr_tally_tables[i];
	run->options.min_cycles = TR_TIMELINE_AUTO;
	tr_options_parse(&run->cli, options, run);
}

static void check_folds(const struct run *run)
{
	for (size_t i = 0; i < run->fold.count; i++)
		if (!*run->fold.text[i])
			tr_die(&run->cli, "--fold: no binary");
	if (run->fold.count > TR_PROFILE_FOLDS)
		tr_die(&run->cli, "--fold: more than %d binaries", TR_PROFILE_FOLDS);
}

static void check_format(struct run *run)
{
	if (run->has_table && !run->has_format)
		run->format = TABLES;
	if (run->has_table && run->format < TABLES)
		tr_die(&run->cli, "--table cannot be used with --format %s",
		       formats[run->format]);
	if (!run->has_table && run->format >= TABLES)
		tr_die(&run->cli, "--format %s needs --table", formats[run->format]);
	if (run->has_schedulers && run->table != SWITCHES)
		tr_die(&run->cli, "--scheduler is of --table switches");
	if (run->has_assert && run->table != MARKS && run->table != ACTIVATIONS)
		tr_die(&run->cli, "--assert is of --table marks and activations");
	if (run->format == SVG && run->has_by && run->by == BY_THREAD)
		tr_die(&run->cli, "--by thread: a picture has tracks of harts only");
	if (run->format == SVG && run->options.min_cycles != TR_TIMELINE_AUTO)
		tr_die(&run->cli, "--min-cycles: a picture shows columns, not calls");
}

static void parse_deadlines(struct run *run)
{
	char message[320];
	run->assertions = calloc(run->asserted.count + 1, sizeof(*run->assertions));
	tr_cli_need(&run->cli, run->assertions);
	for (size_t i = 0; i < run->asserted.count; i++) {
		const char *text = run->asserted.text[i];
		const int status =
		    tr_deadline_parse(&run->assertions[i], text, run->table == MARKS,
				      message, sizeof(message));
		if (status == TR_E_ARGUMENT)
			tr_die(&run->cli, "--assert '%s': %s", text, message);
		tr_cli_check(&run->cli, status);
	}
}

static void take_options(struct run *run, int argc, char **argv)
{
	tr_cli_init(&run->cli, TR_CLI_TEXT, "tr-timeline", usage, argc, argv);
	parse_options(run);
	run->input = tr_cli_input(&run->cli, NULL);
	tr_cli_window_parse(&run->cli, &run->window);
	check_folds(run);
	check_format(run);
	parse_deadlines(run);
	run->options.by_hart = run->has_by ? run->by == BY_HART : run->format != PERFETTO;
	if (!run->has_depth)
		run->options.max_depth = run->format == SVG ? 40 : 256;
	if (run->format == SVG &&
	    (!run->options.max_depth || run->options.max_depth > 256))
		tr_die(&run->cli, "--max-depth: a picture has a depth from 1 to 256");
	if (!run->title)
		run->title = "Timeline";
}

static const char *stacks_input_name(const struct run *run)
{
	return strcmp(run->input, "-") == 0 ? "<stdin>" : run->input;
}

static void die_on_timeline_error(const struct run *run, int status)
{
	if (status == TR_E_IO)
		tr_die(&run->cli, "temporary file: %s", strerror(errno));
	if (status)
		tr_die(&run->cli, "%s: %s", stacks_input_name(run),
		       tr_status_text((enum tr_status)status));
}

static void open_timeline_file(struct run *run)
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
	open_timeline_file(run);
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
		die_on_timeline_error(run, TR_E_NOMEM);
}

/* Ends if the stream has no probe that the table needs. */
static void check_table_probes(const struct run *run)
{
	struct tr_tasks_lack lack;
	if (run->table == SWITCHES || run->table == MARKS)
		return;
	if (!run->tasks || (run->table < TALLIES && !tr_tasks_has_switches(run->tasks)))
		tr_die(
		    &run->cli,
		    "%s: no probe \"switch\" tells of tasks: tr-replay --stream --probes "
		    "linux.probes adds one, or the probes of another kernel",
		    stacks_input_name(run));
	if (run->table < TALLIES ||
	    !tr_tasks_lacks(run->tasks, tr_tally_table_kind(run->table - TALLIES), &lack))
		return;
	if (lack.field)
		tr_die(&run->cli,
		       "%s: no table: neither the field %s of the probe \"%s\" nor a "
		       "probe \"blocks\" tells which tasks block",
		       stacks_input_name(run), lack.field, lack.probe);
	if (lack.absence)
		tr_die(&run->cli, "%s: no table: no place for the probe \"%s\": %s",
		       stacks_input_name(run), lack.probe, lack.absence);
	const bool is_stack =
	    tr_tally_table_kind(run->table - TALLIES) == TR_TALLY_STACKS;
	tr_die(&run->cli,
	       "%s: no table: no probe \"%s\", which tr-replay --stream --probes "
	       "%s adds, or those of another kernel",
	       stacks_input_name(run), lack.probe,
	       is_stack ? "freertos.probes" : "linux.probes");
}

static void begin_switches(struct run *run)
{
	run->switches = tr_switches_new(run->profile, run->reader, run->schedulers.text,
					run->schedulers.count);
	run->state = run->switches;
	if (!run->switches)
		die_on_timeline_error(run, TR_E_NOMEM);
}

static void begin_timeline(struct run *run)
{
	static const struct tr_timeline_writer table = {.parts = 1};
	static const struct tr_timeline_writer *const writers[] = {
	    &tr_timeline_perfetto, &tr_timeline_svg, &tr_timeline_speedscope};
	const struct tr_counters *counters = tr_reader_counters(run->reader);
	const struct tr_probe_names *probes = tr_reader_probes(run->reader);
	if (probes->count && !(run->tasks = tr_tasks_new(probes)))
		die_on_timeline_error(run, TR_E_NOMEM);
	if (run->has_table)
		check_table_probes(run);
	if (run->has_table && run->table >= TALLIES)
		tr_tasks_tally(run->tasks, tr_tally_table_kind(run->table - TALLIES));
	if (run->has_table && run->table == SWITCHES)
		begin_switches(run);
	if (!run->has_table)
		begin_output(run, counters);
	run->timeline = tr_timeline_new(&run->options, run->profile, counters, run->tasks,
					run->switches	 ? &tr_switches_writer
					: run->has_table ? &table
							 : writers[run->format],
					run->state);
	run->marks = tr_marks_new();
	if (!run->timeline || !run->marks)
		die_on_timeline_error(run, TR_E_NOMEM);
	if (run->has_assert && run->table == MARKS)
		tr_marks_keep_slowest(run->marks);
	else if (run->has_assert)
		tr_tasks_keep_slowest(run->tasks);
	tr_timeline_take_marks(run->timeline, run->marks, probes);
}

static void begin_stacks_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	die_on_timeline_error(run, tr_timeline_frame(run->timeline, frame));
}

static int pass_profile_step(void *context, const struct tr_profile_step *step)
{
	const struct run *run = context;
	die_on_timeline_error(run, tr_timeline_step(run->timeline, step));
	return TR_OK;
}

static void end_stacks_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	die_on_timeline_error(run, tr_timeline_frame_end(run->timeline, frame));
}

static void take_stream(struct run *run)
{
	const struct tr_profile_options of = {.by = TR_BY_PROCESS,
					      .may_lack_groups = true,
					      .from = run->window.from,
					      .to = run->window.to,
					      .fold = run->fold.text,
					      .nfold = (unsigned)run->fold.count};
	run->reader = tr_cli_reader_of(&run->cli, run->input, TR_CONTENT_STACKS);
	run->profile = tr_profile_new(&of);
	if (!run->profile)
		die_on_timeline_error(run, TR_E_NOMEM);
	begin_timeline(run);
	tr_profile_observe(run->profile, pass_profile_step, run, false);
	struct tr_cli_stacks in = {.cli = &run->cli,
				   .name = stacks_input_name(run),
				   .reader = run->reader,
				   .profile = run->profile,
				   .taking = begin_stacks_frame,
				   .taken = end_stacks_frame,
				   .context = run};
	tr_cli_stacks_take(&in);
	for (size_t i = 0; i < run->fold.count; i++)
		tr_cli_stacks_name(
		    &in, "fold", run->fold.text[i],
		    tr_profile_has_binary(run->profile, run->fold.text[i]));
	tr_cli_window_names(&in, &run->window);
	tr_cli_window_found(&in, &run->window);
	tr_cli_stacks_conserved(&in);
}

/* Checks that each cycle is of a process, and reports what the hits of probes lack. */
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
		       stacks_input_name(run), ran, cycles);
	const struct tr_tasks_sums sums = tr_tasks_sums(run->tasks);
	if (sums.unseen || sums.incomplete)
		tr_warn(&run->cli,
			"%s: %" PRIu64 " of %" PRIu64
			" hit%s of probes on tasks %s a number, and %" PRIu64
			" switch%s had no hit: who runs is in doubt",
			stacks_input_name(run), sums.incomplete, sums.hits,
			tr_plural(sums.hits), sums.incomplete == 1 ? "lacks" : "lack",
			sums.unseen, sums.unseen == 1 ? "" : "es");
	if (sums.left_out)
		tr_warn(&run->cli,
			"%s: %" PRIu64 " hit%s of the probe \"%s\"%s %s a number, and %s "
			"left out",
			stacks_input_name(run), sums.left_out, tr_plural(sums.left_out),
			sums.left_out_probe, sums.are_several ? " and others" : "",
			sums.left_out == 1 ? "lacks" : "lack",
			sums.left_out == 1 ? "is" : "are");
	if (sums.unseen_states)
		tr_warn(&run->cli,
			"%s: %" PRIu64 " change%s of goroutines' states %s in doubt",
			stacks_input_name(run), sums.unseen_states,
			tr_plural(sums.unseen_states),
			sums.unseen_states == 1 ? "is" : "are");
}

/* A name that no row has may be misspelt. An assertion that there is none may hold, with
 * a warning. */
static void check_deadline_names(const struct run *run, const struct tr_deadlines *of)
{
	const char *where =
	    run->window.from_text || run->window.to_text ? " in the window" : "";
	for (size_t i = 0; i < of->count; i++) {
		const struct tr_assertion *a = &of->assertions[i];
		const char *what = of->marks ? "mark" : "activation of a task";
		if (tr_deadlines_have_name(of, a))
			continue;
		if (!tr_deadline_forbids(a))
			tr_die(&run->cli, "%s: --assert '%s': no %s has this name%s",
			       stacks_input_name(run), a->text, what, where);
		tr_warn(&run->cli, "%s: warning: --assert '%s': no %s has this name%s",
			stacks_input_name(run), a->text, what, where);
	}
}

/* Ends if the figures would not be those of all regions, or of the right tasks. */
static void check_deadline_doubt(const struct run *run)
{
	const bool is_deep = tr_marks_sums(run->marks).deep != 0;
	const struct tr_tasks_sums none = {0},
				   sums = run->tasks ? tr_tasks_sums(run->tasks) : none;
	if (run->table == MARKS ? is_deep
				: sums.unseen || sums.incomplete || sums.left_out)
		tr_die(&run->cli, "%s: --assert cannot be checked in doubt",
		       stacks_input_name(run));
}

static void write_deadlines(struct run *run)
{
	const bool is_of_marks = run->table == MARKS;
	const struct tr_deadlines of = {.marks = is_of_marks ? run->marks : NULL,
					.tasks = is_of_marks ? NULL : run->tasks,
					.assertions = run->assertions,
					.count = run->asserted.count};
	char name[64];
	size_t failed;
	check_deadline_doubt(run);
	check_deadline_names(run, &of);
	snprintf(name, sizeof(name), "tr-timeline --table %s --assert",
		 tables[run->table]);
	struct tr_cli_report out = tr_cli_report_open(
	    &run->cli, (enum tr_report_as)(run->format - TABLES), name, true);
	die_on_timeline_error(run, tr_deadlines_report(&of, out.report, &failed));
	tr_report_fact_u64(out.report, "assertions_failed", failed);
	tr_cli_report_close(&out);
	run->status = failed ? TR_EXIT_NO : TR_EXIT_OK;
}

static void write_task_table(const struct run *run)
{
	char name[64];
	snprintf(name, sizeof(name), "tr-timeline --table %s", tables[run->table]);
	struct tr_cli_report out = tr_cli_report_open(
	    &run->cli, (enum tr_report_as)(run->format - TABLES), name, false);
	die_on_timeline_error(
	    run, run->table == PROCESSES  ? tr_tasks_processes(run->tasks, out.report)
		 : run->table == WAKEUPS  ? tr_tasks_wakeups(run->tasks, out.report)
		 : run->table == SWITCHES ? tr_switches_table(run->switches, out.report)
		 : run->table == MARKS
		     ? tr_marks_table(run->marks, out.report)
		     : tr_tally_table(run->tasks, run->table - TALLIES, out.report));
	tr_cli_report_close(&out);
}

/* Says how many switches are not in their table. */
static void check_switches(const struct run *run)
{
	const uint64_t unknown = run->switches ? tr_switches_unknown(run->switches) : 0;
	if (unknown)
		tr_warn(&run->cli,
			"%s: %" PRIu64 " switch%s not in the table: where %s or ended is "
			"not known; see TABLES in tr-timeline(1)",
			stacks_input_name(run), unknown, unknown == 1 ? " is" : "es are",
			unknown == 1 ? "it began" : "they began");
}

/* Reports what is wrong with the marks of the program. */
static void check_marks(const struct run *run)
{
	const struct tr_marks_sums sums = tr_marks_sums(run->marks);
	const char *name = stacks_input_name(run);
	const bool is_cut = run->window.from_text || run->window.to_text;
	const char *where = is_cut ? " in the window" : "";
	if (sums.refused)
		tr_warn(
		    &run->cli,
		    "%s: %" PRIu64
		    " hit%s of the probe mark lack%s a name, or a kind that is point, "
		    "begin or end",
		    name, sums.refused, tr_plural(sums.refused),
		    sums.refused == 1 ? "s" : "");
	if (sums.strays)
		tr_warn(&run->cli,
			"%s: %" PRIu64
			" end%s of a region without a begin on %s thread%s",
			name, sums.strays, tr_plural(sums.strays),
			sums.strays == 1 ? "its" : "their", where);
	if (sums.open)
		tr_warn(&run->cli, "%s: %" PRIu64 " region%s without an end%s", name,
			sums.open, tr_plural(sums.open), where);
	if (sums.deep)
		tr_warn(&run->cli,
			"%s: %" PRIu64
			" region%s left out: more than %d inside each other",
			name, sums.deep, tr_plural(sums.deep), TR_MARKS_DEPTH);
}

/* Completes the output, and says what it leaves out. */
static void close_timeline_file(struct run *run)
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

static void finish_timeline(struct run *run)
{
	die_on_timeline_error(run, tr_timeline_finish(run->timeline));
	check_tasks(run);
	check_switches(run);
	if (!run->has_table || run->table == MARKS)
		check_marks(run);
	if (run->has_assert)
		write_deadlines(run);
	else if (run->has_table)
		write_task_table(run);
	else
		close_timeline_file(run);
}

int main(int argc, char **argv)
{
	static struct run run;
	take_options(&run, argc, argv);
	take_stream(&run);
	finish_timeline(&run);
	tr_timeline_free(run.timeline);
	tr_tasks_free(run.tasks);
	tr_switches_free(run.switches);
	tr_marks_free(run.marks);
	if (run.format == PERFETTO)
		tr_perfetto_free(run.state);
	else if (run.format == SVG)
		tr_timeline_svg_free(run.state);
	else if (run.format == SPEEDSCOPE)
		tr_speedscope_free(run.state);
	tr_profile_free(run.profile);
	tr_reader_close(run.reader);
	free(run.fold.text);
	free(run.schedulers.text);
	for (size_t i = 0; i < run.asserted.count; i++)
		tr_assertion_release(&run.assertions[i]);
	free(run.assertions);
	free(run.asserted.text);
	return run.status;
}
