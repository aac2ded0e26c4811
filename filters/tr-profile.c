/* SPDX-License-Identifier: Apache-2.0 */
/* tr-profile: runs the filters one after the other, from a simulator or a trace to flame
 * graphs, timelines and tables in a folder. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/profile_folder.h"
#include "cli/profile_server.h"
#include "cli/profile_stages.h"
#include "cli/sample_options.h"
#include "cli/shared_files.h"

static const char usage[] =
    "usage: tr-profile [OPTION...] [--] SIMULATOR [ARGUMENT...]\n"
    "       tr-profile [OPTION...] IMAGE...\n"
    "       tr-profile [OPTION...] FILE [IMAGE...]\n"
    "       tr-profile --linux [OPTION...] PROGRAM [ARGUMENT...]\n"
    "Profile a run of a simulator, of soc-sim with these images, a trace or log, or a\n"
    "program for RV64 Linux, and leave flame graphs, timelines and tables in a folder.\n";

struct run {
	struct tr_cli cli;
	struct tr_profiled profiled;
	const char *output; /* the folder */
	bool dry_run, annotates, serves;
	struct tr_texts probes; /* files with probes, besides linux.probes */
	bool samples;
	struct tr_words sample; /* options of tr-sample */
	char folder[PATH_MAX];	/* of the programs */
	struct tr_linux_options linux_options;
	struct tr_linux_target *target; /* NULL: not --linux */
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

static void take_sample(void *context, const struct tr_option *option, const char *text)
{
	struct run *run = context;
	(void)option;
	run->samples = true;
	if (text)
		tr_sample_options_take(&run->cli, &run->sample, text);
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
	    {"sample", .argument = "KEY=N,...", .is_optional = true, .take = take_sample,
	     .excludes = "from annotate serve model jit",
	     .help =
		 "run it by tr-sample: all of it on the functional model, windows of it "
		 "on the hardware; KEY is windows, interval, length, warm or seed"},
	    {"annotate", .flag = &run->annotates,
	     .help = "also write the page annotate.html: the cost of each instruction of "
		     "the functions that take most, to which the flame graphs lead"},
	    {"serve", .flag = &run->serves, .excludes = "dry-run",
	     .help =
		 "also serve a page over the run, as tr-explore does, from its beginning "
		 "until Ctrl-C; with the counts of --annotate"},
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
	tr_words_free(&run->sample);
	free(run->probes.text);
	free(run->linux_options.roots.text);
	free(run->linux_options.sysroots.text);
	free(run->linux_options.variables.text);
}

/* Dies if what is named cannot be sampled, or, as it has been, not be annotated. */
static void check_sampled(struct run *run)
{
	if (run->samples && !tr_profiled_can_be_sampled(&run->profiled))
		tr_die(&run->cli, "--sample needs a run of soc-sim, and this is none: %s",
		       run->profiled.kind == TR_PROFILED_COMMAND
			   ? run->profiled.command.word[0]
			   : run->profiled.file);
	run->profiled.is_sampled |= run->samples;
	if (run->profiled.is_sampled && (run->annotates || run->serves))
		tr_die(&run->cli,
		       "--%s: %s: a sampled run, of which only sums can be estimated",
		       run->serves ? "serve" : "annotate", run->profiled.file);
}

/* Dies if what is named cannot be profiled, or not with these options. */
static void check_plan(struct run *run)
{
	check_sampled(run);
	if (run->profiled.places.count == 0 && run->profiled.kind != TR_PROFILED_STACKS)
		tr_die(&run->cli,
		       "no ELF file of what runs is named; add --bins FILE, or "
		       "--sysroot FOLDER");
	if (run->probes.count &&
	    (!run->profiled.loaded.count || run->profiled.kind == TR_PROFILED_STACKS))
		tr_die(&run->cli,
		       "--probes needs a run, or a trace, of soc-sim or soc-model, "
		       "which can be replayed");
	if (tr_profiled_nameless(&run->profiled))
		tr_warn(&run->cli,
			"note: %s: a Linux kernel without symbols: its functions and "
			"processes have no names; add --bins with the vmlinux of its "
			"build",
			tr_profiled_nameless(&run->profiled));
	if (tr_profiled_lost(&run->profiled))
		tr_warn(&run->cli,
			"note: %s, which the run began from, is not there: processes "
			"have no names",
			tr_profiled_lost(&run->profiled));
	run->annotates |= run->serves && run->profiled.kind != TR_PROFILED_STACKS;
	if (run->annotates && run->profiled.kind == TR_PROFILED_STACKS)
		tr_die(&run->cli, "--annotate: %s holds call stacks, not instructions",
		       run->profiled.file);
}

/* The page is over stacks in the folder. */
static void check_served(const struct run *run)
{
	char path[PATH_MAX + 16];
	struct stat there, file;
	if (!run->serves || run->profiled.kind != TR_PROFILED_STACKS)
		return;
	snprintf(path, sizeof(path), "%s/stacks.tr", run->output);
	if (stat(path, &there) < 0 || stat(run->profiled.file, &file) < 0 ||
	    there.st_dev != file.st_dev || there.st_ino != file.st_ino)
		tr_die(&run->cli,
		       "--serve: %s is not %s; choose the folder of the stacks with -o",
		       run->profiled.file, path);
}

static void prepare_output(const struct run *run)
{
	if (!run->dry_run) {
		tr_profile_folder_take(&run->cli, run->output, &run->profiled);
		return;
	}
	fputs("mkdir -p ", stdout);
	tr_word_print(run->output, stdout);
	putchar('\n');
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
	if (run.target && !run.dry_run)
		tr_linux_target_check(run.target);
	run.output = tr_profile_folder_name(&run.cli, &run.profiled);
	if (run.target)
		tr_linux_target_offer(run.target, run.output, &run.profiled);
	check_plan(&run);
	check_served(&run);
	prepare_output(&run);
	const pid_t server =
	    run.serves ? tr_profile_server_start(&run.cli, run.folder, run.output) : 0;
	const struct tr_profile_plan plan = {.profiled = &run.profiled,
					     .output = run.output,
					     .programs = run.folder,
					     .probes = &run.probes,
					     .sample = run.samples ? &run.sample : NULL,
					     .target = run.target,
					     .dry_run = run.dry_run,
					     .annotates = run.annotates,
					     .has_jit = run.linux_options.has_jit};
	bool has_results;
	const int status = tr_profile_stages_run(&run.cli, &plan, &has_results);
	if (has_results && !run.dry_run)
		tr_profile_folder_show(&run.cli, run.output);
	free_run_words(&run);
	if (run.serves && has_results) {
		fflush(stdout);
		tr_profile_folder_release();
		return tr_profile_server_wait(server);
	}
	if (run.serves)
		tr_profile_server_stop(server);
	return fflush(stdout) ? TR_EXIT_TROUBLE : status;
}
