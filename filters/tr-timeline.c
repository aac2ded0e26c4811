/* SPDX-License-Identifier: Apache-2.0 */
/* tr-timeline: writes the stacks of a stream over time, for viewers of timelines. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_stacks.h"
#include "cli/cli_window.h"
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

struct run {
	struct tr_cli cli;
	enum format format;
	struct tr_timeline_options options;
	bool has_by, has_depth, has_clock, quiet;
	uint64_t clock_hz;
	const char *title, *input;
	const char *fold[TR_PROFILE_FOLDS];
	unsigned nfold;
	struct tr_cli_window window;
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_timeline *timeline;
	FILE *file;
	void *state; /* of the writer */
};

enum {
	FORMAT = TR_CLI_FIRST_FREE,
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
		run->format = format_of(&run->cli, optarg);
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

static void take_options(struct run *run, int argc, char **argv)
{
	run->window.to.cycle = UINT64_MAX;
	run->options.min_cycles = TR_TIMELINE_AUTO;
	tr_cli_init(&run->cli, TR_CLI_TEXT, "tr-timeline", usage, argc, argv);
	tr_cli_parse(&run->cli, options, take_option, run);
	run->input = tr_cli_input(&run->cli, NULL);
	tr_cli_window_order(&run->cli, &run->window);
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

/* Begins the output. */
static void begin(struct run *run)
{
	static const struct tr_timeline_writer *const writers[] = {
	    &tr_timeline_perfetto, &tr_timeline_svg, &tr_timeline_speedscope};
	const struct tr_header *header = tr_reader_header(run->reader);
	const struct tr_counters *counters = tr_reader_counters(run->reader);
	const struct tr_timeline_clock clock = tr_timeline_clock(
	    header,
	    run->has_clock ? run->clock_hz : tr_header_get_u64(header, "clock_hz", 0));
	open_output(run);
	if (run->format == PERFETTO)
		run->state = tr_perfetto_new(run->file, run->profile, counters, &clock);
	else if (run->format == SVG)
		run->state =
		    tr_timeline_svg_new(run->file, run->profile, counters, header, &clock,
					&(struct tr_timeline_svg_options){
					    run->title, run->options.max_depth});
	else
		run->state = tr_speedscope_new(run->file, run->profile, &clock,
					       "tr-timeline", run->title);
	run->timeline = tr_timeline_new(&run->options, run->profile, counters,
					writers[run->format], run->state);
	if (!run->state || !run->timeline)
		check(run, TR_E_NOMEM);
}

static int take_step(void *context, const struct tr_profile_step *step)
{
	const struct run *run = context;
	check(run, tr_timeline_step(run->timeline, step));
	return TR_OK;
}

static void take_samples(void *context, const struct tr_sframe *frame)
{
	const struct run *run = context;
	check(run, tr_timeline_samples(run->timeline, frame));
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
				   .taken = take_samples,
				   .context = run};
	tr_cli_stacks_take(&in);
	for (unsigned i = 0; i < run->nfold; i++)
		tr_cli_stacks_name(&in, "fold", run->fold[i],
				   tr_profile_has_binary(run->profile, run->fold[i]));
	tr_cli_window_names(&in, &run->window);
	tr_cli_window_found(&in, &run->window);
	tr_cli_stacks_conserved(&in);
}

static void finish(struct run *run)
{
	char text[400];
	check(run, tr_timeline_finish(run->timeline));
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

int main(int argc, char **argv)
{
	static struct run run;
	take_options(&run, argc, argv);
	take_stream(&run);
	finish(&run);
	tr_timeline_free(run.timeline);
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
