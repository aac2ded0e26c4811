/* SPDX-License-Identifier: Apache-2.0 */
/* tr-profile: runs the filters one after the other, from a simulator or a trace to flame
 * graphs, timelines and tables in a folder. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stages.h"
#include "cli/linux_target.h"
#include "cli/options.h"
#include "cli/profile_folder.h"
#include "cli/shared_files.h"

static const char usage[] =
    "usage: tr-profile [OPTION...] [--] SIMULATOR [ARGUMENT...]\n"
    "       tr-profile [OPTION...] IMAGE...\n"
    "       tr-profile [OPTION...] FILE [IMAGE...]\n"
    "       tr-profile --linux [OPTION...] PROGRAM [ARGUMENT...]\n"
    "Profile a run of a simulator, of soc-sim with these images, a trace or log, or a\n"
    "program for RV64 Linux, and leave flame graphs, timelines and tables in a folder.\n";

/* Functions of annotate.html. */
#define ANNOTATED "300"

/* Viewers of folded text load no more, and stacks of long runs would fill the disk. */
#define FOLDED_LIMIT "256M"

struct run {
	struct tr_cli cli;
	struct tr_profiled profiled;
	const char *output; /* the folder */
	bool dry_run, annotates;
	struct tr_texts probes; /* files with probes, besides linux.probes */
	char folder[PATH_MAX];	/* of the programs */
	struct tr_linux_options linux_options;
	struct tr_linux_target *target; /* NULL: not --linux */
	int status;			/* exit status of its program */

	struct tr_stages stages;
	struct tr_words stage[TR_MAX_STAGES];
	int worst; /* exit status */
};

static void add_word(const struct run *run, struct tr_words *words, const char *word)
{
	tr_cli_check(&run->cli, tr_words_add(words, word) ? TR_OK : TR_E_NOMEM);
}

static void add_words(const struct run *run, struct tr_words *words, char *const *more)
{
	tr_cli_check(&run->cli, tr_words_add_all(words, more) ? TR_OK : TR_E_NOMEM);
}

/* Adds --bins or --sysroot to what tr-match is given. */
static void take_place(void *context, const struct tr_option *option, const char *path)
{
	struct run *run = context;
	const bool is_bins = strcmp(option->name, "bins") == 0;
	add_word(run, &run->profiled.places, is_bins ? "--bins" : "--sysroot");
	add_word(run, &run->profiled.places, path);
	if (!is_bins)
		tr_options_add_text(&run->cli, &run->linux_options.sysroots, path);
}

static void parse_options(struct run *run)
{
	const struct tr_option options[] = {
	    {"bins", 'b', .argument = "FILE", .take = take_place,
	     .help = "an ELF file that may have run, or a list of them, besides the "
		     "images; may be repeated"},
	    {"sysroot", .argument = "FOLDER", .take = take_place,
	     .help = "search the programs and libraries below FOLDER, too"},
	    {"from", .argument = "FORMAT", .text = &run->profiled.format,
	     .help =
		 "FILE, or what SIMULATOR prints, is a log in this format; tr-capture "
		 "--from help lists them"},
	    {"probes", .argument = "FILE", .texts = &run->probes,
	     .help =
		 "replay the run with these probes, such as freertos.probes, which name "
		 "the tasks of an RTOS; may be repeated"},
	    {"annotate", .flag = &run->annotates,
	     .help = "also write the page annotate.html: the cost of each instruction of "
		     "the functions that take most, to which the flame graphs lead"},
	    {"output", 'o', .argument = "FOLDER", .text = &run->cli.output,
	     .help = "write into FOLDER instead of NAME-profile"},
	    {"dry-run", .flag = &run->dry_run,
	     .help = "print the commands instead of running them"},
	    {0}};
	const struct tr_option linux_options[] = {TR_LINUX_OPTIONS(&run->linux_options),
						  {0}};
	const struct tr_option_table tables[] = {
	    {options, run}, {linux_options, run}, {.options = NULL}};
	tr_options_parse_tables(&run->cli, tables);
}

static void check_readable(const struct run *run, const char *path)
{
	if (strcmp(path, "-") != 0 && access(path, R_OK) != 0)
		tr_die(&run->cli, "%s: %s", path, strerror(errno));
}

/* Those of tr-replay --probes may be installed. */
static void check_probes_readable(const struct run *run, const char *file)
{
	char path[PATH_MAX];
	if (strchr(file, '/') || !tr_shared_probes(file, path))
		check_readable(run, file);
}

/* Finds files of --bins and --probes, and folders of --sysroot, that are missing, before
 * a simulator runs for nothing. */
static void check_places_readable(const struct run *run)
{
	const struct tr_words *places = &run->profiled.places;
	for (size_t i = 1; i < places->count; i += 2)
		check_readable(run, places->word[i]);
	for (size_t i = 0; i < run->probes.count; i++)
		check_probes_readable(run, run->probes.text[i]);
}

/* Returns true if a program of this name is in PATH or beside this one. */
static bool is_in_path(const struct run *run, const char *name)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];
	bool found = false;
	for (const char *folder = run->folder; folder && !found;) {
		int size = (int)strcspn(folder, ":");
		snprintf(file, sizeof(file), "%.*s/%s", size, folder, name);
		found = tr_operand(file) != TR_OPERAND_NONE && access(file, X_OK) == 0;
		folder = folder == run->folder ? path
			 : folder[size]	       ? folder + size + 1
					       : NULL;
	}
	return found;
}

/* Parses what follows a file: options and images. */
static void parse_images(struct run *run)
{
	const struct tr_cli *cli = &run->cli;
	while (optind < cli->argc) {
		parse_options(run);
		if (optind == cli->argc)
			return;
		if (tr_operand(cli->argv[optind]) == TR_OPERAND_NONE)
			tr_die(cli, "%s: not a file", cli->argv[optind]);
		tr_profiled_image(&run->profiled, cli, cli->argv[optind++]);
	}
}

/* Parses the operands behind the options. */
static void parse_operands(struct run *run, bool is_command)
{
	struct tr_cli *cli = &run->cli;
	char **operands = cli->argv + optind;
	if (!operands[0])
		tr_die(cli, "no simulator, image or trace; see --help");
	enum tr_operand first = tr_operand(operands[0]);
	if (!is_command && (first == TR_OPERAND_OTHER || strcmp(operands[0], "-") == 0)) {
		optind++;
		parse_images(run);
		tr_profiled_file(&run->profiled, cli, operands[0]);
		return;
	}
	if (first == TR_OPERAND_NONE && !run->dry_run && !is_in_path(run, operands[0]))
		tr_die(cli, "%s: no such file, and no such program", operands[0]);
	if (!is_command && first == TR_OPERAND_IMAGE) {
		add_word(run, &run->profiled.command, "soc-sim");
		for (char **image = operands; *image; image++)
			tr_linux_refuse_program(cli, *image);
	}
	tr_profiled_command(&run->profiled, cli, operands);
}

/* Returns the path of a file in the folder: static storage, valid for the next calls. */
static const char *output_path(const struct run *run, const char *name)
{
	static char path[4][PATH_MAX];
	static unsigned turn;
	char *text = path[turn++ % 4];
	if (snprintf(text, PATH_MAX, "%s/%s", run->output, name) >= PATH_MAX)
		tr_die(&run->cli, "%s: the path is too long", run->output);
	return text;
}

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
	tr_warn(&run->cli, "interrupted");
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
	run->stages.folder = *run->folder ? run->folder : NULL;
	for (size_t i = 0; i < count; i++)
		run->stages.command[i] = run->stage[i].word;
	if (run->dry_run)
		tr_stages_print(&run->stages, stdout);
	else if (tr_stages_run(&run->stages, &end, &failed))
		tr_die(&run->cli, "%s: %s", run->stage[failed].word[0], strerror(errno));
	if (end.signal)
		reraise_stage_signal(run, end.signal);
	for (size_t i = 0; i < count && !run->dry_run; i++) {
		bool own = strncmp(run->stage[i].word[0], "tr-", 3) == 0;
		if (WIFSIGNALED(end.status[i]) && own &&
		    WTERMSIG(end.status[i]) != SIGPIPE)
			tr_warn(&run->cli, "%s: killed by signal %d",
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

/* Adds what writes the trace, to a file or, if that is NULL, to the next stage. A signal
 * ends the run, and what there is of it is profiled. */
static void add_capture(struct run *run, const char *trace)
{
	const bool is_log =
	    run->profiled.format && run->profiled.kind == TR_PROFILED_COMMAND;
	if (is_log)
		add_words(run, next_stage(run), run->profiled.command.word);
	struct tr_words *capture = next_stage(run);
	run->stages.graceful = run->stages.count;
	add_words(run, capture, (char *[]){"tr-capture", "--level", "3", NULL});
	if (trace)
		add_words(run, capture, (char *[]){"-o", (char *)trace, NULL});
	if (run->profiled.format) {
		add_word(run, capture, "--from");
		add_word(run, capture, run->profiled.format);
	}
	if (run->profiled.kind != TR_PROFILED_COMMAND)
		add_word(run, capture, run->profiled.file);
	else if (!is_log) {
		add_word(run, capture, "--");
		add_words(run, capture, run->profiled.command.word);
	}
}

/* Adds tr-match of a file, or of what the stage before it writes. */
static void add_match(struct run *run, const char *file)
{
	struct tr_words *match = next_stage(run);
	add_word(run, match, "tr-match");
	add_words(run, match, run->profiled.places.word);
	if (run->target) {
		add_word(run, match, "--bins");
		add_word(run, match, output_path(run, "bins.lst"));
	}
	if (file)
		add_word(run, match, file);
}

/* Adds tr-unwind, and runs the pipe. */
static bool run_unwind_stages(struct run *run)
{
	add_stage(run, (const char *[]){"tr-unwind", "-o", output_path(run, "stacks.tr"),
					NULL});
	return run_pipe(run) <= TR_EXIT_NO;
}

/* Runs the rest of the filters, from the trace to the stacks. */
static bool unwind_trace(struct run *run, const char *file)
{
	add_match(run, file);
	return run_unwind_stages(run);
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
	    tr_profiled_names(&run->profiled) == TR_PROFILED_NAMES_BY_MATCH;
	if (matches)
		add_match(run, trace);
	struct tr_words *replay = next_stage(run);
	add_words(run, replay, (char *[]){"tr-replay", "--stream", NULL});
	if (probes)
		add_words(run, replay, (char *[]){"--probes", (char *)probes, NULL});
	for (size_t i = 0; i < run->probes.count; i++) {
		add_word(run, replay, "--probes");
		add_word(run, replay, run->probes.text[i]);
	}
	add_word(run, replay, matches ? "-" : trace);
	add_words(run, replay, run->profiled.loaded.word);
	if (matches ? run_unwind_stages(run) : unwind_trace(run, NULL))
		return true;
	if (!run->probes.count)
		run->worst = worst;
	tr_warn(&run->cli, probes ? "note: the kernel's names of processes are not known"
				  : "note: without probes: tasks have no names");
	return unwind_trace(run, trace);
}

/* Boots to the program, and runs it from there. */
static bool run_linux(struct run *run)
{
	tr_linux_target_boot(run->target, run->output, run->dry_run);
	add_capture(run, output_path(run, "trace.tr"));
	if (run->dry_run)
		return run_pipe(run) <= TR_EXIT_NO;
	run->stages.output = tr_linux_target_listen(run->target, run->output);
	const bool is_good = run_pipe(run) <= TR_EXIT_NO;
	run->status = tr_linux_target_status(run->target);
	return is_good;
}

/* Runs the filters from the source to the stacks. */
static bool make_stacks(struct run *run)
{
	const bool is_stream = run->profiled.kind == TR_PROFILED_ROWS;
	char path[PATH_MAX];
	const char *probes =
	    tr_profiled_names(&run->profiled) && tr_shared_probes("linux.probes", path)
		? path
		: NULL;
	const bool is_replayed = probes || run->probes.count;
	if (is_stream && !is_replayed)
		return unwind_trace(run, run->profiled.file);
	if (is_stream)
		return make_named_stacks(run, probes, run->profiled.file);
	if (run->target) {
		if (!run_linux(run))
			return false;
		const char *taken = output_path(run, "trace.tr");
		return is_replayed ? make_named_stacks(run, probes, taken)
				   : unwind_trace(run, taken);
	}
	const char *trace = output_path(run, "trace.tr");
	add_capture(run, is_replayed ? trace : NULL);
	if (!is_replayed) {
		add_stage(run, (const char *[]){"tee", "-i", trace, NULL});
		return unwind_trace(run, NULL);
	}
	return run_pipe(run) <= TR_EXIT_NO && make_named_stacks(run, probes, trace);
}

/* Returns true if the stacks have the classes of lost cycles that tr-report tma needs. */
static bool has_classes(const char *stacks)
{
	struct tr_reader *reader = NULL;
	bool has = false;
	if (tr_reader_open(&reader, stacks, 1) == TR_OK) {
		const struct tr_header *header = tr_reader_header(reader);
		has = tr_header_get(header, "classes") != NULL;
	}
	tr_reader_close(reader);
	return has;
}

static void add_fold(struct run *run, const char *const *options_of, const char *svg,
		     const char *folded, const char *stacks)
{
	struct tr_words *fold = next_stage(run);
	add_word(run, fold, "tr-fold");
	if (run->target || run->probes.count)
		add_words(run, fold,
			  (char *[]){"--by", run->target ? "process" : "thread", NULL});
	for (; *options_of; options_of++)
		add_word(run, fold, *options_of);
	if (run->annotates) {
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
	add_match(run, run->profiled.kind == TR_PROFILED_ROWS
			   ? run->profiled.file
			   : output_path(run, "trace.tr"));
	add_stage(run,
		  (const char *[]){"tr-annotate", "--all", "--limit", ANNOTATED, "--html",
				   output_path(run, "annotate.html"), NULL});
	run->annotates = run_pipe(run) <= TR_EXIT_NO;
}

static void make_pictures(struct run *run, const char *stacks)
{
	add_fold(run, (const char *[]){"--limit", FOLDED_LIMIT, NULL}, "flame.svg",
		 output_path(run, "stacks.folded"), stacks);
	if (run_pipe(run) > TR_EXIT_NO ||
	    report_table(run, "functions", "functions.txt", stacks) > TR_EXIT_NO)
		return;
	if (run->dry_run ? run->profiled.kind == TR_PROFILED_COMMAND
			 : has_classes(stacks)) {
		add_fold(run, (const char *[]){"--tma", NULL}, "classes.svg", "/dev/null",
			 stacks);
		run_pipe(run);
		report_table(run, "tma", "classes.txt", stacks);
	}
}

/* What they leave out is in the files, too. */
static void make_timelines(struct run *run, const char *stacks)
{
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
	const bool has_rows = run->profiled.kind != TR_PROFILED_STACKS;
	bool in_file = run->profiled.kind == TR_PROFILED_ROWS || !has_rows;
	bool has_bins = false;
	add_word(run, info, "tr-info");
	for (size_t i = 0; i < run->profiled.places.count && has_rows; i += 2)
		if (strcmp(run->profiled.places.word[i], "--bins") == 0) {
			add_word(run, info, "--bins");
			add_word(run, info, run->profiled.places.word[i + 1]);
			has_bins = true;
		}
	if (has_bins)
		add_words(run, info, (char *[]){"--found", (char *)stacks, NULL});
	add_words(run, info,
		  (char *[]){"-o", (char *)output_path(run, "summary.txt"),
			     in_file ? (char *)run->profiled.file
				     : (char *)output_path(run, "trace.tr"),
			     NULL});
	run_pipe(run);
}

/* Prints what was found out about the trace. */
static void show_findings(const struct run *run)
{
	FILE *file = fopen(output_path(run, "summary.txt"), "re");
	char line[1000];
	bool inside = false;
	while (file && fgets(line, sizeof(line), file)) {
		inside |= strcmp(line, "findings\n") == 0;
		if (inside)
			fputs(line, stdout);
	}
	if (file)
		fclose(file);
}

static void show_files(const struct run *run)
{
	static const struct {
		const char *name, *what;
	} files[] = {
	    {"flame.svg", "flame graph; open it in a browser"},
	    {"functions.txt", "cycles and calls of each function"},
	    {"classes.svg", "flame graph coloured by classes of lost cycles"},
	    {"classes.txt", "classes of lost cycles of each function"},
	    {"annotate.html", "cost of each instruction and source line"},
	    {"timeline.svg", "what ran when; open it in a browser"},
	    {"timeline.perfetto", "calls over time, for the viewer of Perfetto"},
	    {"stacks.folded", "stacks as folded text"},
	    {"stacks.tr", "stacks over time, for tr-fold and tr-report"},
	    {"console.txt", "what the program printed"},
	    {"start.checkpoint", "the machine at the start of the program, for soc-sim"},
	    {"bins.lst", "the binaries, for --bins"},
	    {"trace.tr", "the trace, for tr-profile with other binaries"},
	    {"summary.txt", "what is in the trace"},
	};
	struct stat st;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (stat(output_path(run, files[i].name), &st) == 0 && st.st_size > 0)
			printf("%s/%-18s %s\n", run->output, files[i].name,
			       files[i].what);
}

static void prepare_output(struct run *run)
{
	if (run->dry_run) {
		add_stage(run, (const char *[]){"mkdir", "-p", run->output, NULL});
		run_pipe(run);
	} else {
		tr_profile_folder_take(&run->cli, run->output, &run->profiled);
	}
}

/* Remembers the folder of this program, in which the others are. */
static void find_programs(struct run *run)
{
	ssize_t size = readlink("/proc/self/exe", run->folder, sizeof(run->folder) - 1);
	run->folder[size > 0 ? size : 0] = '\0';
	char *slash = strrchr(run->folder, '/');
	if (slash)
		*slash = '\0';
}

/* Takes what follows --linux. The sysroots are for the libraries that the program needs,
 * which tr-match is told of one by one. */
static void parse_linux(struct run *run)
{
	struct tr_linux_options *o = &run->linux_options;
	struct tr_words given = run->profiled.places;
	run->profiled.places = (struct tr_words){0};
	for (size_t i = 0; i < given.count; i += 2)
		if (strcmp(given.word[i], "--bins") == 0)
			add_words(run, &run->profiled.places,
				  (char *[]){given.word[i], given.word[i + 1], NULL});
	tr_words_free(&given);
	run->target =
	    tr_linux_target_open(&run->cli, o, run->cli.argv + optind, run->folder);
	if (o->prepare) {
		tr_linux_target_write(run->target, o->prepare);
		exit(TR_EXIT_OK);
	}
	add_word(run, &run->profiled.images, run->cli.argv[optind]);
}

static void free_run_words(struct run *run)
{
	tr_linux_target_close(run->target);
	tr_words_free(&run->profiled.command);
	tr_words_free(&run->profiled.images);
	tr_words_free(&run->profiled.loaded);
	tr_words_free(&run->profiled.places);
	free(run->probes.text);
	free(run->linux_options.roots.text);
	free(run->linux_options.sysroots.text);
	free(run->linux_options.variables.text);
}

int main(int argc, char **argv)
{
	struct run run = {0};
	tr_cli_init(&run.cli, TR_CLI_PLAIN, "tr-profile", usage, argc, argv);
	run.cli.in_order = true;
	find_programs(&run);
	parse_options(&run);
	if (run.linux_options.is_on)
		parse_linux(&run);
	else
		parse_operands(&run, strcmp(argv[optind - 1], "--") == 0);
	if (!run.dry_run)
		check_places_readable(&run);
	run.output = tr_profile_folder_name(&run.cli, &run.profiled);
	if (run.target)
		tr_linux_target_offer(run.target, run.output, &run.profiled);
	if (run.profiled.places.count == 0 && run.profiled.kind != TR_PROFILED_STACKS)
		tr_die(&run.cli, "no ELF file of what runs is named; add --bins FILE, or "
				 "--sysroot FOLDER");
	if (run.probes.count &&
	    (!run.profiled.loaded.count || run.profiled.kind == TR_PROFILED_STACKS))
		tr_die(&run.cli,
		       "--probes needs a run, or a trace, of soc-sim or soc-model, "
		       "which can be replayed");
	if (tr_profiled_nameless(&run.profiled))
		tr_warn(&run.cli,
			"note: %s: a Linux kernel without symbols: its functions and "
			"processes have no names; add --bins with the vmlinux of its "
			"build",
			tr_profiled_nameless(&run.profiled));
	if (run.annotates && run.profiled.kind == TR_PROFILED_STACKS)
		tr_die(&run.cli, "--annotate: %s holds call stacks, not instructions",
		       run.profiled.file);
	prepare_output(&run);
	bool has_stacks = run.profiled.kind == TR_PROFILED_STACKS || make_stacks(&run);
	if (has_stacks) {
		char *stacks = strdup(run.profiled.kind == TR_PROFILED_STACKS
					  ? run.profiled.file
					  : output_path(&run, "stacks.tr"));
		tr_cli_need(&run.cli, stacks);
		if (run.annotates)
			make_annotation(&run);
		make_pictures(&run, stacks);
		make_timelines(&run, stacks);
		make_summary(&run, stacks);
		free(stacks);
	}
	if (has_stacks && !run.dry_run) {
		show_findings(&run);
		show_files(&run);
	}
	free_run_words(&run);
	if (!run.worst)
		run.worst = run.status;
	return fflush(stdout) ? TR_EXIT_TROUBLE : run.worst;
}
