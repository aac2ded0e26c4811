/* SPDX-License-Identifier: Apache-2.0 */
/* tr-timeline: writes the stacks of a stream over time, for viewers of timelines. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_report.h"
#include "cli/cli_stacks.h"
#include "cli/timeline_checks.h"
#include "cli/timeline_options.h"
#include "timeline/deadlines.h"
#include "timeline/switches.h"
#include "timeline/tallies_tables.h"
#include "timeline/tasks_tables.h"
#include "timeline/timeline_perfetto.h"
#include "timeline/timeline_speedscope.h"
#include "timeline/timeline_svg.h"

struct run {
	struct tr_cli cli;
	struct tr_timeline_settings settings;
	int status; /* of the program */
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_tasks *tasks;	      /* NULL: the stream has no probes */
	struct tr_switches *switches; /* of that table */
	struct tr_marks *marks;
	struct tr_timeline *timeline;
	FILE *file;
	void *state; /* of the writer */
};

static void die_on_timeline_error(const struct run *run, int status)
{
	if (status == TR_E_IO)
		tr_die(&run->cli, "temporary file: %s", strerror(errno));
	if (status)
		tr_die(&run->cli, "%s: %s", run->settings.input_name,
		       tr_status_text((enum tr_status)status));
}

static void open_timeline_file(struct run *run)
{
	const char *output = run->cli.output;
	if (run->settings.format == TR_TIMELINE_PERFETTO &&
	    (!output || strcmp(output, "-") == 0) && isatty(STDOUT_FILENO))
		tr_die(&run->cli,
		       "refusing to write binary to a terminal; use -o FILE or a pipe");
	run->file = tr_cli_text(&run->cli);
}

/* Begins the output, unless it is a table. */
static void begin_output(struct run *run, const struct tr_counters *counters)
{
	const struct tr_timeline_settings *s = &run->settings;
	const struct tr_header *header = tr_reader_header(run->reader);
	const struct tr_timeline_clock clock = tr_timeline_clock(
	    header,
	    s->has_clock ? s->clock_hz : tr_header_get_u64(header, "clock_hz", 0));
	open_timeline_file(run);
	if (s->format == TR_TIMELINE_PERFETTO)
		run->state = tr_perfetto_new(run->file, run->profile, counters,
					     run->tasks, &clock);
	else if (s->format == TR_TIMELINE_SVG)
		run->state = tr_timeline_svg_new(
		    run->file, run->profile, counters, run->tasks, header, &clock,
		    &(struct tr_timeline_svg_options){s->title, s->timeline.max_depth,
						      s->coarse});
	else
		run->state = tr_speedscope_new(run->file, run->profile, &clock,
					       "tr-timeline", s->title);
	if (!run->state)
		die_on_timeline_error(run, TR_E_NOMEM);
}

/* Returns what is known so far, for the checks. */
static struct tr_timeline_found list_found(const struct run *run)
{
	return (struct tr_timeline_found){.settings = &run->settings,
					  .tasks = run->tasks,
					  .switches = run->switches,
					  .marks = run->marks,
					  .timeline = run->timeline};
}

static void begin_switches(struct run *run)
{
	const struct tr_timeline_settings *s = &run->settings;
	run->switches = tr_switches_new(run->profile, run->reader, s->schedulers.text,
					s->schedulers.count);
	run->state = run->switches;
	if (!run->switches)
		die_on_timeline_error(run, TR_E_NOMEM);
}

static void begin_timeline(struct run *run)
{
	const struct tr_timeline_settings *s = &run->settings;
	static const struct tr_timeline_writer table = {.parts = 1};
	static const struct tr_timeline_writer *const writers[] = {
	    &tr_timeline_perfetto, &tr_timeline_svg, &tr_timeline_speedscope};
	const struct tr_counters *counters = tr_reader_counters(run->reader);
	const struct tr_probe_names *probes = tr_reader_probes(run->reader);
	if (probes->count && !(run->tasks = tr_tasks_new(probes)))
		die_on_timeline_error(run, TR_E_NOMEM);
	const struct tr_timeline_found found = list_found(run);
	if (s->has_table)
		tr_timeline_check_probes(&found);
	if (s->has_table && s->table >= TR_TIMELINE_TALLIES)
		tr_tasks_tally(run->tasks,
			       tr_tally_table_kind(s->table - TR_TIMELINE_TALLIES));
	if (s->has_table && s->table == TR_TIMELINE_SWITCHES)
		begin_switches(run);
	if (!s->has_table)
		begin_output(run, counters);
	run->timeline = tr_timeline_new(&s->timeline, run->profile, counters, run->tasks,
					run->switches  ? &tr_switches_writer
					: s->has_table ? &table
						       : writers[s->format],
					run->state);
	run->marks = tr_marks_new();
	if (!run->timeline || !run->marks)
		die_on_timeline_error(run, TR_E_NOMEM);
	if (s->has_assert && s->table == TR_TIMELINE_MARKS)
		tr_marks_keep_slowest(run->marks);
	else if (s->has_assert)
		tr_tasks_keep_slowest(run->tasks);
	tr_timeline_take_marks(run->timeline, run->marks, probes);
}

static void begin_stacks_frame(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	die_on_timeline_error(run, tr_timeline_frame(run->timeline, frame));
	if (run->settings.coarse)
		die_on_timeline_error(run, tr_timeline_svg_frame(run->state, frame));
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
	const struct tr_timeline_settings *s = &run->settings;
	const struct tr_profile_options of = {.by = TR_BY_PROCESS,
					      .may_lack_groups = true,
					      .from = s->window.from,
					      .to = s->window.to,
					      .fold = s->fold.text,
					      .nfold = (unsigned)s->fold.count};
	run->reader = tr_cli_reader_of(&run->cli, s->input, TR_CONTENT_STACKS);
	run->profile = tr_profile_new(&of);
	if (!run->profile)
		die_on_timeline_error(run, TR_E_NOMEM);
	begin_timeline(run);
	tr_profile_observe(run->profile, pass_profile_step, run, false);
	struct tr_cli_stacks in = {.cli = &run->cli,
				   .name = s->input_name,
				   .reader = run->reader,
				   .profile = run->profile,
				   .taking = begin_stacks_frame,
				   .taken = end_stacks_frame,
				   .context = run,
				   .may_seek =
				       !s->has_table && !s->has_assert && !run->tasks,
				   .may_sum = s->coarse};
	tr_cli_stacks_take(&in);
	for (size_t i = 0; i < s->fold.count; i++)
		tr_cli_stacks_name(&in, "fold", s->fold.text[i],
				   tr_profile_has_binary(run->profile, s->fold.text[i]));
	tr_cli_window_names(&in, &s->window);
	tr_cli_window_found(&in, &s->window);
	tr_cli_stacks_conserved(&in);
}

static void write_deadlines(struct run *run)
{
	const struct tr_timeline_settings *s = &run->settings;
	const bool is_of_marks = s->table == TR_TIMELINE_MARKS;
	const struct tr_deadlines of = {.marks = is_of_marks ? run->marks : NULL,
					.tasks = is_of_marks ? NULL : run->tasks,
					.assertions = s->assertions,
					.count = s->asserted.count};
	char name[64];
	size_t failed;
	const struct tr_timeline_found found = list_found(run);
	tr_timeline_check_deadlines(&found, &of);
	snprintf(name, sizeof(name), "tr-timeline --table %s --assert",
		 tr_timeline_table_name(s));
	struct tr_cli_report out = tr_cli_report_open(
	    &run->cli, (enum tr_report_as)(s->format - TR_TIMELINE_TABLES), name, true);
	die_on_timeline_error(run, tr_deadlines_report(&of, out.report, &failed));
	tr_report_fact_u64(out.report, "assertions_failed", failed);
	tr_cli_report_close(&out);
	run->status = failed ? TR_EXIT_NO : TR_EXIT_OK;
}

static void write_task_table(const struct run *run)
{
	const struct tr_timeline_settings *s = &run->settings;
	char name[64];
	snprintf(name, sizeof(name), "tr-timeline --table %s", tr_timeline_table_name(s));
	struct tr_cli_report out = tr_cli_report_open(
	    &run->cli, (enum tr_report_as)(s->format - TR_TIMELINE_TABLES), name, false);
	die_on_timeline_error(
	    run,
	    s->table == TR_TIMELINE_PROCESSES ? tr_tasks_processes(run->tasks, out.report)
	    : s->table == TR_TIMELINE_WAKEUPS ? tr_tasks_wakeups(run->tasks, out.report)
	    : s->table == TR_TIMELINE_SWITCHES
		? tr_switches_table(run->switches, out.report)
	    : s->table == TR_TIMELINE_MARKS
		? tr_marks_table(run->marks, out.report)
		: tr_tally_table(run->tasks, s->table - TR_TIMELINE_TALLIES, out.report));
	tr_cli_report_close(&out);
}

/* Completes the output, and says what it leaves out. */
static void close_timeline_file(struct run *run)
{
	const struct tr_timeline_settings *s = &run->settings;
	char text[400];
	tr_cli_text_close(&run->cli, run->file);
	const struct tr_timeline_sums sums = tr_timeline_sums(run->timeline);
	if (s->format == TR_TIMELINE_SVG)
		tr_timeline_svg.left_out(run->state, text, sizeof(text));
	else
		tr_timeline_left_out_text(&sums, text, sizeof(text));
	const char *output = run->cli.output ? run->cli.output : "";
	if (*text && !s->quiet)
		tr_warn(&run->cli, "%s%s%s", output, *output ? ": " : "", text);
}

static void finish_timeline(struct run *run)
{
	const struct tr_timeline_settings *s = &run->settings;
	die_on_timeline_error(run, tr_timeline_finish(run->timeline));
	const struct tr_timeline_found found = list_found(run);
	tr_timeline_check_hits(&found);
	if (s->has_assert)
		write_deadlines(run);
	else if (s->has_table)
		write_task_table(run);
	else
		close_timeline_file(run);
}

int main(int argc, char **argv)
{
	static struct run run;
	tr_timeline_settings_take(&run.settings, &run.cli, argc, argv);
	take_stream(&run);
	finish_timeline(&run);
	tr_timeline_free(run.timeline);
	tr_tasks_free(run.tasks);
	tr_switches_free(run.switches);
	tr_marks_free(run.marks);
	if (run.settings.format == TR_TIMELINE_PERFETTO)
		tr_perfetto_free(run.state);
	else if (run.settings.format == TR_TIMELINE_SVG)
		tr_timeline_svg_free(run.state);
	else if (run.settings.format == TR_TIMELINE_SPEEDSCOPE)
		tr_speedscope_free(run.state);
	tr_profile_free(run.profile);
	tr_reader_close(run.reader);
	tr_timeline_settings_release(&run.settings);
	return run.status;
}
