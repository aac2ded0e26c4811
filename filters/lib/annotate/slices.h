/* SPDX-License-Identifier: Apache-2.0 */
/* Executions, cycles, traps and lost slots of each instruction by slice of the run and by
 * hart, so that a window of slices can be summed for one function without the trace.
 *
 * The run is divided into slices of equal length, a power of two of cycles: more than
 * TR_SLICES / 2 and at most TR_SLICES, or one for each cycle of a shorter run. An
 * instruction, or a trap, is as a whole in the slice in which its last cycle is: sums of
 * adjacent slices are those of counts.h in that window.
 *
 * Memory while counting: 8 bytes for each instruction that ran and each hart, and the
 * packed sums of all slices, which the file has as well. */
#ifndef TR_ANNOTATE_SLICES_H
#define TR_ANNOTATE_SLICES_H

#include <stdio.h>

#include "annotate/listing.h"
#include "base/buffer.h"
#include "base/status.h"

enum { TR_SLICES = 256 };

/* ------------------------------------------------------------ writing */

/* Writes the slices of counts that were made with them (tr_counts_options.has_slices) and
 * are complete, with the listing of each function of a file that ran. `instructions` and
 * `cycles` are those of the run. Write errors are left in ferror(file). Returns TR_OK or
 * TR_E_NOMEM. */
int tr_slices_write(const struct tr_listing_parts *parts, uint64_t instructions,
		    uint64_t cycles, FILE *file);

/* ------------------------------------------------------------ reading */

/* A file of slices, all of which is in memory. */
struct tr_slices_file;

/* Reads a file. Returns TR_OK; TR_END if there is none; TR_E_NOMEM; or TR_E_CORRUPT or
 * TR_E_IO, with the reason in `message`. *file is then NULL; tr_slices_close() accepts
 * that. */
int tr_slices_open(struct tr_slices_file **file, const char *path, char *message,
		   size_t size);
void tr_slices_close(struct tr_slices_file *file);
/* Returns true if they are of a run with these totals. */
bool tr_slices_are_of(const struct tr_slices_file *file, uint64_t instructions,
		      uint64_t cycles);
/* Returns the number of functions. */
uint32_t tr_slices_functions(const struct tr_slices_file *file);
/* Returns the number of a function, or UINT32_MAX if it has no instructions here. */
uint32_t tr_slices_find(const struct tr_slices_file *file, const char *name,
			const char *binary, uint64_t address);

/* Which part of the run is wanted. */
enum { TR_SLICES_ALL = UINT32_MAX };
struct tr_slices_choice {
	uint64_t from, to; /* cycles, which are rounded outwards to slices */
	uint32_t hart;	   /* TR_SLICES_ALL: all */
};
/* Writes a function in JSON: the cycles that the choice was rounded to; the names of
 * classes; `places`, a file, a line, its text and inlined functions from the innermost
 * outwards; `rows`, for each instruction its address, text, place (-1: none),
 * executions, cycles, traps, and pairs of class and slots. Returns TR_OK, TR_E_NOMEM,
 * TR_E_ARGUMENT or TR_E_CORRUPT. */
int tr_slices_show(const struct tr_slices_file *file, uint32_t function,
		   const struct tr_slices_choice *choice, FILE *to);

#endif
