/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the files of a program (prof-files(5)) below a folder:
 *
 *     FOLDER/ABSOLUTE_PATH/injected.o, data.bin, datag.bin, funcs.bin, funcsg.bin,
 *     shmem.dat; and FOLDER/shmemg.dat, which all programs share
 *
 * All are complete before any takes the place of an older one. The names of functions are
 * added to shmemg.dat, where those that it has keep their indexes. */
#ifndef PROF_EXTRACT_FILES_H
#define PROF_EXTRACT_FILES_H

#include <limits.h>

#include "extract.h"

/* Why a file was not read or written: one line for the user. */
struct prof_file_trouble {
	char path[PATH_MAX];
	const char *reason; /* of strerror(), or static storage */
	uint64_t at;	    /* byte of the file; PROF_NO_BYTE: none is to blame */
};

/* Makes the folder, and locks it for this process until the descriptor that is returned
 * is closed. Returns -1 with *trouble set. */
int prof_lock_folder(const char *folder, struct prof_file_trouble *trouble);

/* Writes the files of `program`, an absolute path, into the locked folder. plan->stubs
 * has all fields of the program; the checksum is set here. Returns false with *trouble
 * set, and nothing changed unless renaming failed. */
bool prof_write_files(const char *folder, const char *program, struct prof_plan *plan,
		      struct prof_file_trouble *trouble);

/* Reads whether a program was stopped, and its first 4 bytes, from its data.bin. Returns
 * false if there is no such file, or it is damaged. */
bool prof_read_stop(const char *folder, const char *program, bool *stopped,
		    uint8_t first[4]);

#endif
