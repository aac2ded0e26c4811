/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of tr-timeline. */
#include "cli/timeline_options.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/deadlines.h"

static const char usage[] =
    "usage: tr-timeline [options] [stream]\n"
    "Write the call stacks of a stream from tr-unwind over time.\n";

enum { BY_THREAD, BY_HART };

static const char *tables[TR_TIMELINE_TALLIES + TR_TALLY_TABLES + 1] = {
    "processes", "wakeups", "switches", "marks"};
static const char *const formats[] = {"perfetto", "svg",  "speedscope", "text",
				      "csv",	  "json", NULL};

static void parse_options(struct tr_timeline_settings *s)
{
	static const char *const bys[] = {"thread", "hart", NULL};
	const struct tr_option options[] = {
	    {"format", .choice = {&s->format, formats}, .seen = &s->has_format,
	     .help = "a trace for the viewer of Perfetto (the default), a picture of one "
		     "page, or a file for speedscope; with --table text, csv or json"},
	    {"table", .choice = {&s->table, tables}, .seen = &s->has_table,
	     .excludes = "by min-cycles max-depth fold clock title",
	     .help = "write a table instead: the processes of a kernel, how long its "
		     "threads waited when they were woken, what they did, how long "
		     "switches from one to another took, or the marks of programs"},
	    {"scheduler", .argument = "FUNCTION", .texts = &s->schedulers,
	     .seen = &s->has_schedulers, .needs = "table",
	     .help = "a switch begins where a thread calls it; may be repeated"},
	    {"assert", .argument = "'NAME.FIGURE OP NUMBER'", .texts = &s->asserted,
	     .seen = &s->has_assert, .needs = "table",
	     .help = "instead of the table of marks or activations: check this, as in "
		     "'frame.max < 20k'; exit status 1 if it does not hold; may be "
		     "repeated"},
	    {"by", .choice = {&s->by, bys}, .seen = &s->has_by,
	     .help = "whose tracks have the stacks: of threads (perfetto), or of harts "
		     "(speedscope; svg always)"},
	    {"min-cycles", .argument = "N", .number = &s->timeline.min_cycles,
	     .help = "leave out shorter calls; 0: none. By default 1 part in 100 000 of "
		     "the time before them"},
	    {"max-depth", .argument = "N", .seen = &s->has_depth,
	     .range = {&s->timeline.max_depth, 0, TR_PROFILE_DEPTH},
	     .help = "leave out deeper frames (256; svg: 40); 0: none"},
	    TR_CLI_WINDOW_OPTIONS(&s->window, .needs = NULL),
	    {"fold", .argument = "BINARY", .texts = &s->fold,
	     .help = "show its frames as one; may be repeated"},
	    {"clock", .argument = "HZ", .number = &s->clock_hz, .seen = &s->has_clock,
	     .help = "clock rate of the core, such as 3200M (from the header); 0: show a "
		     "cycle as 1 ns"},
	    {"title", .argument = "TEXT", .text = &s->title,
	     .help = "title of the picture or file"},
	    {"coarse", .flag = &s->coarse,
	     .help =
		 "svg: sums of 256 frames of the stream, as if they were spread evenly "
		 "over them; fast for a long run"},
	    {"quiet", .flag = &s->quiet, .help = "do not print what is left out"},
	    {0}};
	for (unsigned i = 0; i < TR_TALLY_TABLES; i++)
		tables[TR_TIMELINE_TALLIES + i] = tr_tally_tables[i];
	s->timeline.min_cycles = TR_TIMELINE_AUTO;
	tr_options_parse(s->cli, options, s);
}

static void check_folds(const struct tr_timeline_settings *s)
{
	for (size_t i = 0; i < s->fold.count; i++)
		if (!*s->fold.text[i])
			tr_die(s->cli, "--fold: no binary");
	if (s->fold.count > TR_PROFILE_FOLDS)
		tr_die(s->cli, "--fold: more than %d binaries", TR_PROFILE_FOLDS);
}

static void check_format(struct tr_timeline_settings *s)
{
	if (s->has_table && !s->has_format)
		s->format = TR_TIMELINE_TABLES;
	if (s->has_table && s->format < TR_TIMELINE_TABLES)
		tr_die(s->cli, "--table cannot be used with --format %s",
		       formats[s->format]);
	if (!s->has_table && s->format >= TR_TIMELINE_TABLES)
		tr_die(s->cli, "--format %s needs --table", formats[s->format]);
	if (s->has_schedulers && s->table != TR_TIMELINE_SWITCHES)
		tr_die(s->cli, "--scheduler is of --table switches");
	if (s->has_assert && s->table != TR_TIMELINE_MARKS &&
	    s->table != TR_TIMELINE_ACTIVATIONS)
		tr_die(s->cli, "--assert is of --table marks and activations");
	if (s->coarse && (s->has_table || s->format != TR_TIMELINE_SVG))
		tr_die(s->cli, "--coarse is of --format svg");
	if (s->format == TR_TIMELINE_SVG && s->has_by && s->by == BY_THREAD)
		tr_die(s->cli, "--by thread: a picture has tracks of harts only");
	if (s->format == TR_TIMELINE_SVG && s->timeline.min_cycles != TR_TIMELINE_AUTO)
		tr_die(s->cli, "--min-cycles: a picture shows columns, not calls");
}

static void parse_deadlines(struct tr_timeline_settings *s)
{
	char message[320];
	s->assertions = calloc(s->asserted.count + 1, sizeof(*s->assertions));
	tr_cli_need(s->cli, s->assertions);
	for (size_t i = 0; i < s->asserted.count; i++) {
		const char *text = s->asserted.text[i];
		const int status = tr_deadline_parse(&s->assertions[i], text,
						     s->table == TR_TIMELINE_MARKS,
						     message, sizeof(message));
		if (status == TR_E_ARGUMENT)
			tr_die(s->cli, "--assert '%s': %s", text, message);
		tr_cli_check(s->cli, status);
	}
}

void tr_timeline_settings_take(struct tr_timeline_settings *s, struct tr_cli *cli,
			       int argc, char **argv)
{
	*s = (struct tr_timeline_settings){.cli = cli, .title = "Timeline"};
	tr_cli_init(cli, TR_CLI_TEXT, "tr-timeline", usage, argc, argv);
	parse_options(s);
	s->input = tr_cli_input(s->cli, NULL);
	s->input_name = strcmp(s->input, "-") == 0 ? "<stdin>" : s->input;
	tr_cli_window_parse(s->cli, &s->window);
	check_folds(s);
	check_format(s);
	parse_deadlines(s);
	s->timeline.by_hart =
	    s->has_by ? s->by == BY_HART : s->format != TR_TIMELINE_PERFETTO;
	if (!s->has_depth)
		s->timeline.max_depth = s->format == TR_TIMELINE_SVG ? 40 : 256;
	if (s->format == TR_TIMELINE_SVG &&
	    (!s->timeline.max_depth || s->timeline.max_depth > 256))
		tr_die(s->cli, "--max-depth: a picture has a depth from 1 to 256");
}

void tr_timeline_settings_release(struct tr_timeline_settings *s)
{
	free(s->fold.text);
	free(s->schedulers.text);
	for (size_t i = 0; i < s->asserted.count; i++)
		tr_assertion_release(&s->assertions[i]);
	free(s->assertions);
	free(s->asserted.text);
}

const char *tr_timeline_table_name(const struct tr_timeline_settings *s)
{
	return tables[s->table];
}
