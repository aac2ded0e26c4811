/* SPDX-License-Identifier: Apache-2.0 */
/* What prof-extract has written of a program: FOLDER/PROGRAM/data.bin, injected.o and
 * shmem.dat, or with global indexes FOLDER/PROGRAM/datag.bin, injected.o and
 * FOLDER/shmemg.dat; see prof-files(5). Functions that may fail return false with the
 * trouble set, as "FILE: byte N: reason". */
#ifndef PROGRAM_FILES_H
#define PROGRAM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mapped_file.h"
#include "run/trouble.h"
#include "stubs/shared_counts.h"
#include "stubs/stubs.h"

struct program_files {
	char *folder; /* that the files are in: FOLDER/PROGRAM */
	bool global;
	/* Without functions until complete_program_files(). */
	struct tr_stubs stubs;
	const uint8_t *code;	 /* of the stubs, before it is placed; then, too */
	struct tr_shared shared; /* the first contents of the counters */
	/* data.bin or datag.bin, injected.o, shmem.dat or shmemg.dat; and the program, if
	 * its text was found to be that of the image. */
	struct mapped_file data, object, counters, program;
	unsigned users; /* processes whose stubs they are */
	bool replaced;	/* the folder has others by now */
	bool logged;	/* counters of processes get a log: see tr_log_claim() */
	struct program_files *next;
};

/* Maps the files of a folder FOLDER/PROGRAM; shmemg.dat is in `top`, which is FOLDER.
 * With `counters` false without the counters. Returns what free_program_files() releases,
 * or NULL. */
struct program_files *read_program_files(const char *top, const char *folder, bool global,
					 bool counters, struct trouble *trouble);
/* Decodes the functions, and checks the code: what is not needed to map an image. */
bool complete_program_files(struct program_files *files, struct trouble *trouble);
/* Tells whether the folder still has the same files: prof-extract replaces all. */
bool are_current_files(const struct program_files *files);
/* Also of those that follow it. */
void free_program_files(struct program_files *files);

/* Tells what is wrong with a file of the profiler, at that byte. Returns false. */
bool tell_file_status(struct trouble *trouble, const char *path, uint64_t at,
		      enum tr_status status);

/* The path of injected.o, of at most `size` bytes. */
bool name_object_file(const struct program_files *files, char *path, size_t size,
		      struct trouble *trouble);

#endif
