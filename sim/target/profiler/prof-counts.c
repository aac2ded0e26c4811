/* SPDX-License-Identifier: Apache-2.0 */
/* prof-counts: prints the calls of a profiled process's functions. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "command_line.h"
#include "counts_files.h"

static const char counts_usage[] =
    "usage: prof-counts [--csv] [PID | FILE]\n"
    "Print the calls of a profiled process's functions, or list the processes.\n";

struct counts_print {
	const struct prof_command *command;
	bool csv;
	int status;
};

struct function_row {
	uint64_t calls;
	const char *name;
	uint32_t index;
};

static void warn_file(struct counts_print *print, const char *folder, const char *name,
		      const struct prof_trouble *trouble)
{
	const char *between = *folder ? "/" : "";
	if (trouble->at == PROF_NO_BYTE)
		prof_warn_user(print->command, "%s%s%s: %s", folder, between, name,
			       trouble->reason);
	else
		prof_warn_user(print->command, "%s%s%s: byte %" PRIu64 ": %s", folder,
			       between, name, trouble->at, trouble->reason);
	print->status = PROF_EXIT_TROUBLE;
}

static void put_cell(const struct counts_print *print, const char *text)
{
	if (tr_csv_put(stdout, text) != TR_OK)
		prof_end_with(print->command, "%s", strerror(ENOMEM));
}

/* --- one file */

static int compare_rows(const void *a, const void *b)
{
	const struct function_row *x = a, *y = b;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	const int order = strcmp(x->name, y->name);
	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void print_rows(const struct counts_print *print, const struct tr_shared *shared,
		       const struct function_row *rows)
{
	puts(print->csv ? "calls,counts,name" : "               calls  name");
	for (uint32_t i = 0; i < shared->functions; i++) {
		const bool loops = tr_shared_loops(shared, rows[i].index);
		if (print->csv) {
			printf("%" PRIu64 ",%s,", rows[i].calls,
			       loops ? "entries" : "calls");
			put_cell(print, rows[i].name);
			putchar('\n');
		} else {
			printf("%20" PRIu64 "  %s%s\n", rows[i].calls, rows[i].name,
			       loops ? " (entries)" : "");
		}
	}
}

static void print_counts(struct counts_print *print, int folder, const char *path,
			 const char *name)
{
	struct prof_counts_file file;
	struct prof_trouble trouble;
	if (!prof_read_counts(folder, name, &file, &trouble)) {
		warn_file(print, path, name, &trouble);
		return;
	}
	prof_unlock_counts_folder(folder);
	const struct tr_shared *shared = &file.shared;
	struct function_row *rows = calloc((size_t)shared->functions + 1, sizeof(*rows));
	if (!rows)
		prof_end_with(print->command, "%s", strerror(ENOMEM));
	for (uint32_t i = 0; i < shared->functions; i++)
		rows[i] = (struct function_row){tr_shared_calls(shared, i),
						tr_shared_name(shared, i), i};
	qsort(rows, shared->functions, sizeof(*rows), compare_rows);
	print_rows(print, shared, rows);
	free(rows);
	prof_free_counts(&file);
}

/* --- the run folder */

static void print_process(const struct counts_print *print, uint32_t pid,
			  const struct tr_shared *shared)
{
	uint64_t calls = 0;
	const char *program = tr_shared_program(shared);
	const char *state = "all";
	for (uint32_t i = 0; i < shared->functions; i++)
		calls += tr_shared_calls(shared, i);
	if (!shared->global)
		state =
		    prof_find_counter(shared) == PROF_COUNTER_LIVES ? "lives" : "ended";
	if (print->csv) {
		printf("%" PRIu32 ",%s,%" PRIu32 ",%" PRIu64 ",", pid, state,
		       shared->functions, calls);
		put_cell(print, program);
		putchar('\n');
	} else {
		printf("%10" PRIu32 "  %s  %9" PRIu32 "  %20" PRIu64 "  %s\n", pid,
		       shared->global ? "all  " : state, shared->functions, calls,
		       *program ? program : "-");
	}
}

static void print_folder(struct counts_print *print, int folder, const char *path)
{
	uint32_t *pids;
	size_t count;
	const int failed = prof_list_counts(folder, &pids, &count);
	if (failed)
		prof_end_with(print->command, "%s: %s", path, strerror(failed));
	puts(print->csv ? "pid,state,functions,calls,program"
			: "       pid  state  functions                 calls  program");
	for (size_t i = 0; i < count; i++) {
		char name[PROF_COUNTS_NAME];
		struct prof_counts_file file;
		struct prof_trouble trouble;
		prof_name_counts(name, pids[i]);
		if (!prof_read_counts(folder, name, &file, &trouble)) {
			warn_file(print, path, name, &trouble);
			continue;
		}
		prof_unlock_counts_folder(folder); /* the global file is the first */
		print_process(print, pids[i], &file.shared);
		prof_free_counts(&file);
	}
	free(pids);
}

/* The operand is a file unless it is a number. */
static void print_operand(struct counts_print *print, const char *operand)
{
	char path[PATH_MAX], name[PROF_COUNTS_NAME];
	if (operand && (!*operand || operand[strspn(operand, "0123456789")])) {
		print_counts(print, AT_FDCWD, "", operand);
		return;
	}
	errno = 0;
	const unsigned long pid = operand ? strtoul(operand, NULL, 10) : 0;
	if (errno || pid > UINT32_MAX)
		prof_end_with(print->command, "%s: not a process", operand);
	const int folder = prof_open_counts_folder(geteuid(), path);
	if (folder < 0)
		prof_end_with(print->command, "%s: %s", path, strerror(errno));
	if (operand) {
		prof_name_counts(name, (uint32_t)pid);
		print_counts(print, folder, path, name);
	} else {
		print_folder(print, folder, path);
	}
	close(folder);
}

int main(int argc, char **argv)
{
	struct counts_print print = {.status = PROF_EXIT_DONE};
	const struct prof_option options[] = {
	    {"csv", .flag = &print.csv, .help = "print as CSV"}, {0}};
	const struct prof_command command = {"prof-counts", counts_usage, options,
					     .in_order = false};
	print.command = &command;
	prof_parse_options(&command, argc, argv);
	if (argc - optind > 1)
		prof_end_with(&command, "at most one process or file is expected");
	print_operand(&print, argv[optind]);
	prof_finish_output(&command);
	return print.status;
}
