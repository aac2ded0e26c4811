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

#include "run/trouble.h"
#include "stubs/shared_counts.h"
#include "stubs/stubs.h"

struct program_files {
	char *folder; /* that the files are in: FOLDER/PROGRAM */
	bool global;
	struct tr_stubs stubs;
	const uint8_t *code;	 /* of the stubs, before it is placed */
	struct tr_shared shared; /* the first contents of the counters */
	char *object, *counters; /* injected.o, and the bytes of `shared` */
	struct program_files *next;
};

/* Reads the files of a folder FOLDER/PROGRAM; shmemg.dat is in `top`, which is FOLDER.
 * With `counters` false without the counters. Returns what free_program_files() releases,
 * or NULL. */
struct program_files *read_program_files(const char *top, const char *folder, bool global,
					 bool counters, struct trouble *trouble);
/* Also of those that follow it. */
void free_program_files(struct program_files *files);

#endif
