/* SPDX-License-Identifier: Apache-2.0 */
/* Files of running processes, in the run folder ${TMPDIR:-/tmp}/prof-UID of their user:
 *
 *     PID.dat           the process's counters; 00000.dat: those of all processes, with
 *                       global indexes
 *     injectedPID.o     the placed stubs, until they are mapped
 *     injectedPID.from  a link to the folder that the stubs come from
 *
 * They belong to the user and nobody else can write them. Functions that may fail return
 * false with the trouble set. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "program_files.h"
#include "run/trouble.h"

/* Bytes of paths, with the NUL: of the folder, and of a file in it. */
enum { RUN_FOLDER_MAX = 400, RUN_FILE_MAX = 448 };

struct run_folder {
	int folder;
	uid_t user;
	gid_t group;
	char path[RUN_FOLDER_MAX];
};

/* Opens the folder of a user, and makes it if there is none. It is closed by
 * close_run_folder(), also after a failure. */
bool open_run_folder(struct run_folder *run, uid_t user, gid_t group,
		     struct trouble *trouble);
void close_run_folder(struct run_folder *run);

/* Makes injectedPID.o with `size` bytes of code, and removes it. */
bool make_code_file(const struct run_folder *run, pid_t pid, const uint8_t *code,
		    size_t size, char path[RUN_FILE_MAX], struct trouble *trouble);
void remove_code_file(const struct run_folder *run, pid_t pid);

/* A file of counters. */
struct run_counts {
	char path[RUN_FILE_MAX];
	uint8_t *bytes; /* if it is mapped: `size` of them */
	size_t size;
};

/* Makes PID.dat or 00000.dat with the first contents of `files`. If it exists and belongs
 * to the same process, which was started at `started`, its counts are kept, as always
 * those of 00000.dat. Released by close_run_counts(), also after a failure. */
bool make_run_counts(const struct run_folder *run, const struct program_files *files,
		     pid_t pid, uint64_t started, struct run_counts *counts,
		     struct trouble *trouble);
/* Maps the file, unless it is. */
bool map_run_counts(struct run_counts *counts, struct trouble *trouble);
void close_run_counts(struct run_counts *counts);

/* Removes PID.dat, if it still is that file, and injectedPID.from. */
void remove_run_counts(const struct run_folder *run, pid_t pid, dev_t device,
		       ino_t inode);

/* Makes injectedPID.from. */
bool link_program_files(const struct run_folder *run, pid_t pid, const char *folder,
			struct trouble *trouble);

/* Tells what a process has mapped, by the path of the mapping: stubs, of injectedPID.o or
 * of an image, which is in injected.o (struct tr_stubs_image); or counters. */
bool is_code_path(const char *path);
bool is_image_path(const char *path);
bool is_counts_path(const char *path);

#endif
