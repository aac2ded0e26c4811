/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of counters that prof-inject leaves in the run folder,
 * ${TMPDIR:-/tmp}/prof-UID: PID.dat, and 00000.dat for all processes. */
#ifndef PROF_COUNTS_FILES_H
#define PROF_COUNTS_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "file_trouble.h"
#include "stubs/shared_counts.h"

/* A file as it was when it was read. */
struct prof_counts_file {
	uint8_t *bytes;
	struct tr_shared shared;
};

/* Opens the run folder of a user, and waits until no injector changes a global file
 * there, but a second at most. Sets `path` to its name. Returns a file descriptor, or -1
 * with errno set. */
int prof_open_counts_folder(uid_t user, char path[PATH_MAX]);
/* Waits so in a folder that is open, whose lock is released when it is closed. */
void prof_lock_counts_folder(int folder);
/* Lets injectors change global files again; to be called before anything slow, such as
 * printing. */
void prof_unlock_counts_folder(int folder);

/* Sets `name` to that of a process's file. */
enum { PROF_COUNTS_NAME = 16 };
void prof_name_counts(char name[PROF_COUNTS_NAME], uint32_t pid);

/* Lists the processes that have a file in the folder, by number: 0 is the global file.
 * Returns 0 with the list, which the caller frees, or an errno. */
int prof_list_counts(int folder, uint32_t **pids, size_t *count);

/* Reads a file of a folder, which may be AT_FDCWD. Returns false with *trouble set. */
bool prof_read_counts(int folder, const char *name, struct prof_counts_file *file,
		      struct prof_trouble *trouble);
/* The same of a file that is open for reading. */
bool prof_load_counts(int fd, struct prof_counts_file *file,
		      struct prof_trouble *trouble);
void prof_free_counts(struct prof_counts_file *file);

/* The process that counts in a file: it runs, it has ended, or another process has its
 * number now. */
enum prof_counter { PROF_COUNTER_LIVES, PROF_COUNTER_ENDED, PROF_COUNTER_REUSED };
enum prof_counter prof_find_counter(const struct tr_shared *shared);

#endif
