/* SPDX-License-Identifier: Apache-2.0 */
/* prof-extract: writes what the injector needs to count the calls of a program. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command_line.h"
#include "extract/extract.h"
#include "extract/extract_files.h"
#include "extract/extract_report.h"
#include "extract/text_image.h"

static const char extract_usage[] =
    "usage: prof-extract [-s | -u] [-o FOLDER] [--root ROOT] PROGRAM\n"
    "       prof-extract [-o FOLDER] [--root ROOT] --why | --list PROGRAM\n"
    "Write the files that prof-inject needs to count the calls of a program's "
    "functions.\n";

/* A jump to itself. */
static const uint8_t stop_instruction[4] = {0x6f, 0x00, 0x00, 0x00};

struct extraction {
	const struct prof_command *command;
	bool stop, undo_stop, why, list;
	const char *folder, *root, *file;
	char path[PATH_MAX]; /* of the file, absolute */
	const char *program; /* the same below the root */
	struct prof_elf elf;
	uint64_t entry_offset; /* of the first instruction in the file */
	bool is_stopped;       /* the file is */
	struct prof_list functions;
	struct prof_plan plan;
};

static _Noreturn void report_trouble(const struct extraction *e,
				     const struct prof_trouble *trouble)
{
	if (trouble->at == PROF_NO_BYTE)
		prof_end_with(e->command, "%s: %s", e->file, trouble->reason);
	prof_end_with(e->command, "%s: byte %" PRIu64 ": %s", e->file, trouble->at,
		      trouble->reason);
}

static _Noreturn void report_file_trouble(const struct extraction *e,
					  const struct prof_file_trouble *trouble)
{
	if (trouble->at == PROF_NO_BYTE)
		prof_end_with(e->command, "%s: %s", trouble->path, trouble->reason);
	prof_end_with(e->command, "%s: byte %" PRIu64 ": %s", trouble->path, trouble->at,
		      trouble->reason);
}

/* Finds the absolute paths: of the program, and where its files are. */
static void resolve_paths(struct extraction *e)
{
	char root[PATH_MAX] = "";
	if (!realpath(e->file, e->path))
		prof_end_with(e->command, "%s: %s", e->file, strerror(errno));
	if (e->root && !realpath(e->root, root))
		prof_end_with(e->command, "%s: %s", e->root, strerror(errno));
	const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
	if (strncmp(e->path, root, length) != 0 || e->path[length] != '/')
		prof_end_with(e->command, "%s: not below %s", e->file, e->root);
	e->program = e->path + length;
}

static void open_program(struct extraction *e)
{
	struct prof_trouble trouble;
	if (!prof_elf_open(e->path, &e->elf, &trouble))
		report_trouble(e, &trouble);
	e->entry_offset = prof_file_offset(&e->elf, e->elf.entry, 4);
	if (!prof_code_at(&e->elf, e->elf.entry) || e->elf.entry % 2 ||
	    e->entry_offset == UINT64_MAX)
		report_trouble(
		    e, &(struct prof_trouble){"the program does not begin in code", 24});
}

/* Gives a program that was stopped its first instruction back, in memory. */
static void restore_first(struct extraction *e)
{
	uint8_t *first = e->elf.bytes + e->entry_offset;
	uint8_t original[4];
	bool stopped;
	e->is_stopped = memcmp(first, stop_instruction, sizeof(stop_instruction)) == 0;
	if (!e->is_stopped)
		return;
	if (!prof_read_stop(e->folder, e->program, &stopped, original) || !stopped)
		prof_end_with(e->command,
			      "%s: byte %" PRIu64 ": the program is stopped, and %s does "
			      "not have its first instruction",
			      e->file, e->entry_offset, e->folder);
	memcpy(first, original, sizeof(original));
}

static void plan_entries(struct extraction *e)
{
	struct prof_trouble trouble;
	if (!prof_list_functions(&e->elf, &e->functions, &trouble) ||
	    !prof_make_plan(&e->elf, &e->functions, e->why, &e->plan, &trouble))
		report_trouble(e, &trouble);
}

/* A stripped program may have no unwind tables of most of its code. What calls show is
 * not all that is there. */
static void warn_if_few(const struct extraction *e)
{
	uint64_t covered = 0, all = 0;

	for (size_t i = 0; i < e->functions.count; i++)
		if (!e->functions.functions[i].by_call)
			covered += e->functions.functions[i].end -
				   e->functions.functions[i].start;
	for (size_t i = 0; i < e->elf.code_count; i++)
		all += e->elf.code[i]->size;
	if (covered < all / 10 * 9 && !prof_section_typed(&e->elf, PROF_TYPE_SYMBOLS))
		prof_warn_user(e->command,
			       "%s: unwind tables and symbols have %" PRIu64
			       " %% of its code: other functions are known only by "
			       "direct calls",
			       e->file, covered * 100 / all);
}

/* Changes the first bytes of the program's file, which keeps its times. */
static void change_first(const struct extraction *e, const uint8_t first[4])
{
	const int file = open(e->path, O_WRONLY | O_CLOEXEC);
	const struct timespec times[2] = {e->elf.status.st_atim, e->elf.status.st_mtim};
	bool good = file >= 0 && pwrite(file, first, 4, (off_t)e->entry_offset) == 4 &&
		    futimens(file, times) == 0;
	if (file >= 0 && close(file) != 0)
		good = false;
	if (!good)
		prof_end_with(e->command, "%s: %s", e->file, strerror(errno));
}

static void write_files(struct extraction *e)
{
	static struct prof_file_trouble trouble;
	struct prof_trouble image_trouble;
	struct tr_stubs *stubs = &e->plan.stubs;
	const uint8_t *first = e->elf.bytes + e->entry_offset;
	if (!stubs->function_count)
		prof_end_with(e->command, "%s: no function can be counted (see --why)",
			      e->file);
	if (!prof_make_text_image(&e->elf, &e->plan, &image_trouble))
		report_trouble(e, &image_trouble);
	if (e->undo_stop && e->is_stopped)
		change_first(e, first);
	stubs->flags =
	    (e->elf.movable ? TR_STUBS_MOVABLE : 0) |
	    (e->stop || (e->is_stopped && !e->undo_stop) ? TR_STUBS_STOPPED : 0);
	stubs->program_entry = e->elf.entry;
	memcpy(stubs->program_first, first, sizeof(stubs->program_first));
	stubs->program_size = e->elf.size;
	stubs->program_mtime = (uint64_t)e->elf.status.st_mtim.tv_sec;
	memcpy(stubs->build_id, e->elf.build_id, sizeof(stubs->build_id));
	stubs->build_id_size = e->elf.build_id_size;
	if (!prof_write_files(e->folder, e->program, &e->plan, &trouble))
		report_file_trouble(e, &trouble);
	if (e->stop && !e->is_stopped)
		change_first(e, stop_instruction);
}

static void lock_files(struct extraction *e)
{
	static struct prof_file_trouble trouble;
	if (prof_lock_folder(e->folder, &trouble) < 0)
		report_file_trouble(e, &trouble);
}

static void check_options(const struct extraction *e)
{
	if (e->stop && e->undo_stop)
		prof_end_with(e->command, "--stop cannot be used with --undo-stop");
	if (e->why && e->list)
		prof_end_with(e->command, "--why cannot be used with --list");
	if ((e->why || e->list) && (e->stop || e->undo_stop))
		prof_end_with(e->command, "--%s cannot be used with --%s",
			      e->why ? "why" : "list", e->stop ? "stop" : "undo-stop");
}

int main(int argc, char **argv)
{
	static struct extraction e = {.folder = PROF_FOLDER};
	const struct prof_option options[] = {
	    {"stop", 's', .flag = &e.stop,
	     .help = "let the program's first instruction jump to itself"},
	    {"undo-stop", 'u', .flag = &e.undo_stop, .help = "undo what --stop did"},
	    {"folder", 'o', .argument = "FOLDER", .text = &e.folder,
	     .help = "write below FOLDER instead of " PROF_FOLDER},
	    {"root", .argument = "ROOT", .text = &e.root,
	     .help = "ROOT is the target's root; its paths begin there"},
	    {"why", .flag = &e.why,
	     .help = "only print how each function is entered, or why not"},
	    {"list", .flag = &e.list, .help = "only print the functions, as CSV"},
	    {0}};
	const struct prof_command command = {"prof-extract", extract_usage, options,
					     .in_order = false};

	e.command = &command;
	prof_parse_options(&command, argc, argv);
	check_options(&e);
	if (argc - optind != 1)
		prof_end_with(&command, "one program is expected");
	e.file = argv[optind];
	resolve_paths(&e);
	open_program(&e);
	if (!e.why && !e.list)
		lock_files(&e);
	restore_first(&e);
	plan_entries(&e);
	if (e.why)
		prof_explain_plan(&e.plan);
	else if (!e.list)
		write_files(&e);
	else if (!prof_print_table(&e.plan))
		prof_end_with(&command, "out of memory");
	prof_finish_output(&command);
	warn_if_few(&e);
	prof_free_plan(&e.plan);
	prof_free_list(&e.functions);
	prof_elf_close(&e.elf);
	return PROF_EXIT_DONE;
}
