/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/profile_stages.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/stages.h"
#include "cli/profile_folder.h"
#include "cli/shared_files.h"
#include "cli/jit_files.h"

/* Functions of annotate.html. */
#define ANNOTATED "300"

/* Viewers of folded text load no more, and stacks of long runs would fill the disk. */
#define FOLDED_LIMIT "256M"

struct run {
	const struct tr_cli *cli;
	const struct tr_profile_plan *plan;
	const struct tr_profiled *profiled;
	bool has_processes;   /* Linux has told of them */
	bool is_annotated;    /* there is annotate.html */
	int status;	      /* exit status of the program of --linux */
	struct tr_texts maps; /* of JIT code */

	struct tr_stages stages;
	struct tr_words stage[TR_MAX_STAGES];
	int worst; /* exit status */
};

static void add_word(const struct run *run, struct tr_words *words, const char *word)
{
	tr_cli_check(run->cli, tr_words_add(words, word) ? TR_OK : TR_E_NOMEM);
}

static void add_words(const struct run *run, struct tr_words *words, char *const *more)
{
	tr_cli_check(run->cli, tr_words_add_all(words, more) ? TR_OK : TR_E_NOMEM);
}

/* Returns the path of a file in the folder: static storage, valid for the next calls. */
static const char *output_path(const struct run *run, const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned turn;
	char *text = path[turn++ % 4];
	if (snprintf(text, PATH_MAX, "%s/%s", run->plan->output, name) >= PATH_MAX)
		tr_die(run->cli, "%s: the path is too long", run->plan->output);
	return text;
}

/* ------------------------------------------------------------ pipes */

static struct tr_words *next_stage(struct run *run)
{
	return &run->stage[run->stages.count++];
}

static void add_stage(struct run *run, const char *const *words)
{
	struct tr_words *stage = next_stage(run);
	for (; *words; words++)
		add_word(run, stage, *words);
}

/* Returns the worse of a status and the exit status that a stage's end means. */
static int worse_exit_status(int worst, int status)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : TR_EXIT_TROUBLE;
	if (code > TR_EXIT_TROUBLE)
		code = TR_EXIT_TROUBLE;
	return code > worst ? code : worst;
}

/* Returns whether a stage ended by a signal that asked the simulator to end. */
static bool was_asked(const struct run *run, size_t stage, int status)
{
	const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return stage < run->stages.graceful &&
	       (number == SIGINT || number == SIGTERM || number == SIGHUP);
}

/* Ends by the signal that ended the stages, as a shell and timeout(1) expect it. */
static _Noreturn void reraise_stage_signal(const struct run *run, int number)
{
	fflush(stdout);
	tr_warn(run->cli, "interrupted");
	signal(number, SIG_DFL);
	raise(number);
	exit(TR_EXIT_TROUBLE); /* if the signal is blocked */
}

/* Runs the pipe that was added. Returns the exit status of its last stage, which is what
 * the next pipe needs. */
static int run_pipe(struct run *run)
{
	struct tr_stages_end end = {0};
	size_t failed = 0, count = run->stages.count;
	int last = TR_EXIT_OK;
	run->stages.folder = *run->plan->programs ? run->plan->programs : NULL;
	for (size_t i = 0; i < count; i++)
		run->stages.command[i] = run->stage[i].word;
	if (run->plan->dry_run)
		tr_stages_print(&run->stages, stdout);
	else if (tr_stages_run(&run->stages, &end, &failed))
		tr_die(run->cli, "%s: %s", run->stage[failed].word[0], strerror(errno));
	if (end.signal)
		reraise_stage_signal(run, end.signal);
	for (size_t i = 0; i < count && !run->plan->dry_run; i++) {
		bool own = strncmp(run->stage[i].word[0], "tr-", 3) == 0;
		if (WIFSIGNALED(end.status[i]) && own &&
		    WTERMSIG(end.status[i]) != SIGPIPE)
			tr_warn(run->cli, "%s: killed by signal %d",
				run->stage[i].word[0], WTERMSIG(end.status[i]));
		if (!was_asked(run, i, end.status[i]))
			run->worst = worse_exit_status(run->worst, end.status[i]);
		last = worse_exit_status(TR_EXIT_OK, end.status[i]);
	}
	for (size_t i = 0; i < count; i++)
		tr_words_free(&run->stage[i]);
	run->stages.count = 0;
	run->stages.graceful = 0;
	run->stages.input = run->stages.output = 0;
	return last;
}

/* ------------------------------------------------------------ stacks */

/* Adds what writes the trace, to a file or, if that is NULL, to the next stage. A signal
 * ends the run, and what there is of it is profiled. */
static void add_capture(struct run *run, const char *trace)
{
	const bool is_log =
	    run->profiled->format && run->profiled->kind == TR_PROFILED_COMMAND;
	if (is_log)
		add_words(run, next_stage(run), run->profiled->command.word);
	struct tr_words *capture = next_stage(run);
	run->stages.graceful = run->stages.count;
	if (run->plan->sample) {
		add_word(run, capture, "tr-sample");
		add_words(run, capture, run->plan->sample->word);
	} else {
		add_words(run, capture, (char *[]){"tr-capture", "--level", "3", NULL});
	}
	if (trace)
		add_words(run, capture, (char *[]){"-o", (char *)trace, NULL});
	if (run->profiled->format) {
		add_word(run, capture, "--from");
		add_word(run, capture, run->profiled->format);
	}
	if (run->profiled->kind != TR_PROFILED_COMMAND)
		add_word(run, capture, run->profiled->file);
	else if (!is_log) {
		add_word(run, capture, "--");
		add_words(run, capture, run->profiled->command.word);
	}
}

/* Adds the options of tr-match, by which tr-unwind matches as well. */
static void add_match_options(struct run *run, struct tr_words *match)
{
	add_words(run, match, run->profiled->places.word);
	if (run->plan->target) {
		add_word(run, match, "--bins");
		add_word(run, match, output_path(run, "bins.lst"));
	}
	for (size_t i = 0; i < run->maps.count; i++) {
		add_word(run, match, "--perf-map");
		add_word(run, match, run->maps.text[i]);
	}
}

/* Adds tr-match of a file, or of what the stage before it writes. */
static void add_match(struct run *run, const char *file)
{
	struct tr_words *match = next_stage(run);
	add_word(run, match, "tr-match");
	add_match_options(run, match);
	if (file)
		add_word(run, match, file);
}

/* Adds tr-unwind of what tr-match has written, and runs the pipe. */
static bool run_unwind_stages(struct run *run)
{
	add_stage(run, (const char *[]){"tr-unwind", "-o", output_path(run, "stacks.tr"),
					NULL});
	return run_pipe(run) <= TR_EXIT_NO;
}

/* Runs the rest of the filters, from the trace to the stacks: one program, which decodes
 * the rows once, in a thread of its own. */
static bool unwind_trace(struct run *run, const char *file)
{
	struct tr_words *unwind = next_stage(run);
	add_words(run, unwind, (char *[]){"tr-unwind", "-@2", NULL});
	add_match_options(run, unwind);
	add_words(run, unwind,
		  (char *[]){"-o", (char *)output_path(run, "stacks.tr"), NULL});
	if (file)
		add_word(run, unwind, file);
	return run_pipe(run) <= TR_EXIT_NO;
}

/* Runs a replay with probes in front of the filters, so that processes and tasks have
 * names; or behind tr-match, which finds the kernel's symbols. `probes` is that on Linux,
 * or NULL. Without names of Linux, as without debug information of the kernel, the rest
 * is the same.
 */
static bool make_named_stacks(struct run *run, const char *probes, const char *trace)
{
	const int worst = run->worst;
	const bool matches =
	    tr_profiled_names(run->profiled) == TR_PROFILED_NAMES_BY_MATCH;
	if (matches)
		add_match(run, trace);
	struct tr_words *replay = next_stage(run);
	add_words(run, replay, (char *[]){"tr-replay", "--stream", NULL});
	if (probes)
		add_words(run, replay, (char *[]){"--probes", (char *)probes, NULL});
	for (size_t i = 0; i < run->plan->probes->count; i++) {
		add_word(run, replay, "--probes");
		add_word(run, replay, run->plan->probes->text[i]);
	}
	add_word(run, replay, matches ? "-" : trace);
	add_words(run, replay, run->profiled->loaded.word);
	if (matches ? run_unwind_stages(run) : unwind_trace(run, NULL)) {
		run->has_processes = probes != NULL;
		return true;
	}
	if (!run->plan->probes->count)
		run->worst = worst;
	tr_warn(run->cli, probes ? "note: the kernel's names of processes are not known"
				 : "note: without probes: tasks have no names");
	return unwind_trace(run, trace);
}

/* Gets the maps that programs wrote out of the trace, by a replay of its own. */
static void find_maps(struct run *run, const char *trace)
{
	char probes[PATH_MAX];
	const char *hits = output_path(run, "jit.txt");
	if (!tr_shared_probes("jit.probes", probes))
		tr_die(run->cli, "--jit: jit.probes is not installed");
	add_match(run, trace);
	struct tr_words *replay = next_stage(run);
	add_words(
	    run, replay,
	    (char *[]){"tr-replay", "--probes", probes, "-o", (char *)hits, "-", NULL});
	add_words(run, replay, run->profiled->loaded.word);
	const bool is_good = run_pipe(run) <= TR_EXIT_NO;
	if (run->plan->dry_run) {
		char *path = strdup(output_path(run, "perf-PID.map"));
		tr_cli_need(run->cli, path);
		tr_options_add_text(run->cli, &run->maps, path);
		return;
	}
	if (is_good)
		tr_jit_files_take(run->cli, hits, run->plan->output, &run->maps);
	remove(hits);
	if (is_good && !run->maps.count)
		tr_warn(run->cli,
			"note: --jit: no program wrote a perf-PID.map or jit-PID.dump");
}

/* Boots to the program, and runs it from there. */
static bool run_linux(struct run *run)
{
	tr_linux_target_boot(run->plan->target, run->plan->output, run->plan->dry_run);
	add_capture(run, output_path(run, "trace.tr"));
	if (run->plan->dry_run)
		return run_pipe(run) <= TR_EXIT_NO;
	run->stages.output = tr_linux_target_listen(run->plan->target, run->plan->output);
	const bool is_good = run_pipe(run) <= TR_EXIT_NO;
	run->status = tr_linux_target_status(run->plan->target);
	return is_good;
}

/* Runs the filters from the source to the stacks. */
static bool make_stacks(struct run *run)
{
	const bool is_stream = run->profiled->kind == TR_PROFILED_ROWS;
	char path[PATH_MAX];
	const char *probes =
	    tr_profiled_names(run->profiled) && tr_shared_probes("linux.probes", path)
		? path
		: NULL;
	const bool is_replayed = probes || run->plan->probes->count;
	if (is_stream && !is_replayed)
		return unwind_trace(run, run->profiled->file);
	if (is_stream)
		return make_named_stacks(run, probes, run->profiled->file);
	if (run->plan->target) {
		if (!run_linux(run))
			return false;
		if (run->plan->has_jit)
			find_maps(run, output_path(run, "trace.tr"));
		const char *taken = output_path(run, "trace.tr");
		return is_replayed ? make_named_stacks(run, probes, taken)
				   : unwind_trace(run, taken);
	}
	const char *trace = output_path(run, "trace.tr");
	const bool is_complete = is_replayed || run->plan->sample;
	add_capture(run, is_complete ? trace : NULL);
	if (!is_complete) {
		add_stage(run, (const char *[]){"tee", "-i", trace, NULL});
		return unwind_trace(run, NULL);
	}
	if (run_pipe(run) > TR_EXIT_NO)
		return false;
	return is_replayed ? make_named_stacks(run, probes, trace)
			   : unwind_trace(run, trace);
}

/* ------------------------------------------------------------ results */

/* Returns true if the header of a stream has a key. */
static bool has_key(const char *stream, const char *key)
{
	struct tr_reader *reader = NULL;
	bool has = false;
	if (tr_reader_open(&reader, stream, 1) == TR_OK) {
		const struct tr_header *header = tr_reader_header(reader);
		has = tr_header_get(header, key) != NULL;
	}
	tr_reader_close(reader);
	return has;
}

/* Returns by what flame graphs have a frame, for tr-fold, or NULL. */
static const char *choose_frames(const struct run *run)
{
	if (run->plan->target || run->has_processes)
		return "process";
	return run->plan->probes->count ? "thread" : NULL;
}

static void add_fold(struct run *run, const char *const *options_of, const char *svg,
		     const char *folded, const char *stacks)
{
	struct tr_words *fold = next_stage(run);
	add_word(run, fold, "tr-fold");
	if (choose_frames(run))
		add_words(run, fold,
			  (char *[]){"--by", (char *)choose_frames(run), NULL});
	for (; *options_of; options_of++)
		add_word(run, fold, *options_of);
	if (run->is_annotated) {
		add_word(run, fold, "--annotated");
		add_word(run, fold, "annotate.html");
	}
	add_word(run, fold, "--svg");
	add_word(run, fold, output_path(run, svg));
	add_word(run, fold, "-o");
	add_word(run, fold, folded);
	add_word(run, fold, stacks);
}

static int report_table(struct run *run, const char *command, const char *table,
			const char *stacks)
{
	add_stage(run, (const char *[]){"tr-report", command, "-o",
					output_path(run, table), stacks, NULL});
	return run_pipe(run);
}

/* Writes the page of instructions, from the trace. Without it the flame graphs are not
 * linked. */
static void make_annotation(struct run *run)
{
	add_match(run, run->profiled->kind == TR_PROFILED_ROWS
			   ? run->profiled->file
			   : output_path(run, "trace.tr"));
	add_stage(run,
		  (const char *[]){"tr-annotate", "--all", "--limit", ANNOTATED,
				   "--slices", output_path(run, "annotate.slices"),
				   "--stacks", output_path(run, "stacks.tr"), "--html",
				   output_path(run, "annotate.html"), NULL});
	run->is_annotated = run_pipe(run) <= TR_EXIT_NO;
}

/* Returns true if the run has the classes of lost cycles that tr-report tma needs. A
 * simulator, which has not run, may have some. */
static bool expects_classes(const struct run *run, const char *stacks)
{
	if (!run->plan->dry_run)
		return has_key(stacks, "classes");
	return run->profiled->kind == TR_PROFILED_COMMAND ||
	       (run->profiled->kind != TR_PROFILED_LOG &&
		has_key(run->profiled->file, "classes"));
}

/* Returns true if the run is a sampled one, also if it is the command that makes it so.
 */
static bool is_sampled(const struct run *run, const char *stacks)
{
	return run->profiled->is_sampled ||
	       (!run->plan->dry_run && has_key(stacks, "sampled_hart"));
}

static void make_pictures(struct run *run, const char *stacks)
{
	const char *bars = is_sampled(run, stacks) ? output_path(run, "bars.csv") : NULL;
	add_fold(
	    run,
	    (const char *[]){"--limit", FOLDED_LIMIT, bars ? "--bars" : NULL, bars, NULL},
	    "flame.svg", output_path(run, "stacks.folded"), stacks);
	if (run_pipe(run) > TR_EXIT_NO ||
	    report_table(run, "functions", "functions.txt", stacks) > TR_EXIT_NO)
		return;
	if (expects_classes(run, stacks)) {
		add_fold(run, (const char *[]){"--tma", NULL}, "classes.svg", "/dev/null",
			 stacks);
		run_pipe(run);
		report_table(run, "tma", "classes.txt", stacks);
	}
}

/* What they leave out is in the files, too. */
static void make_timelines(struct run *run, const char *stacks)
{
	if (is_sampled(run, stacks)) {
		tr_warn(run->cli, "note: no timeline: of a sampled run only sums are "
				  "estimated, and not when what ran");
		return;
	}
	add_stage(run, (const char *[]){"tr-timeline", "--quiet", "--format", "svg", "-o",
					output_path(run, "timeline.svg"), stacks, NULL});
	run_pipe(run);
	add_stage(run,
		  (const char *[]){"tr-timeline", "--quiet", "-o",
				   output_path(run, "timeline.perfetto"), stacks, NULL});
	run_pipe(run);
}

/* Describes the trace, and why the graph may be empty or incomplete, in view of what the
 * filters found. */
static void make_summary(struct run *run, const char *stacks)
{
	struct tr_words *info = next_stage(run);
	const bool has_rows = run->profiled->kind != TR_PROFILED_STACKS;
	bool in_file = run->profiled->kind == TR_PROFILED_ROWS || !has_rows;
	bool has_bins = false;
	add_word(run, info, "tr-info");
	for (size_t i = 0; i < run->profiled->places.count && has_rows; i += 2)
		if (strcmp(run->profiled->places.word[i], "--bins") == 0) {
			add_word(run, info, "--bins");
			add_word(run, info, run->profiled->places.word[i + 1]);
			has_bins = true;
		}
	if (has_bins)
		add_words(run, info, (char *[]){"--found", (char *)stacks, NULL});
	add_words(run, info,
		  (char *[]){"-o", (char *)output_path(run, "summary.txt"),
			     in_file ? (char *)run->profiled->file
				     : (char *)output_path(run, "trace.tr"),
			     NULL});
	run_pipe(run);
}

int tr_profile_stages_run(const struct tr_cli *cli, const struct tr_profile_plan *plan,
			  bool *has_results)
{
	struct run run = {.cli = cli, .plan = plan, .profiled = plan->profiled};
	const bool has_stacks = run.profiled->kind == TR_PROFILED_STACKS;
	*has_results = has_stacks || make_stacks(&run);
	if (*has_results) {
		char *stacks = strdup(has_stacks ? run.profiled->file
						 : output_path(&run, "stacks.tr"));
		tr_cli_need(cli, stacks);
		if (plan->annotates)
			make_annotation(&run);
		make_pictures(&run, stacks);
		make_timelines(&run, stacks);
		make_summary(&run, stacks);
		free(stacks);
	}
	for (size_t i = 0; i < run.maps.count; i++)
		free((char *)run.maps.text[i]);
	free(run.maps.text);
	return run.worst ? run.worst : run.status;
}
