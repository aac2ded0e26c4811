/* SPDX-License-Identifier: Apache-2.0 */
/* Executions, cycles, traps and lost slots of each instruction by slice of the run, by
 * hart, and by process and thread if these are known, so that a window of slices can be
 * summed for one function without the trace.
 *
 * The run is divided into slices of equal length, a power of two of cycles: more than
 * TR_SLICES / 2 and at most TR_SLICES, or one for each cycle of a shorter run. An
 * instruction, or a trap, is as a whole in the slice in which its last cycle is: sums of
 * adjacent slices are those of counts.h in that window.
 *
 * Memory while counting: 8 bytes for each instruction, and for each piece of code, that
 * ran and each hart, the sums of the current slice, and the packed sums of all others,
 * which the file has as well. */
#ifndef TR_ANNOTATE_SLICES_H
#define TR_ANNOTATE_SLICES_H

#include <stdio.h>

#include "annotate/listing.h"
#include "base/buffer.h"
#include "base/status.h"

enum { TR_SLICES = 256 };

/* ------------------------------------------------------------ writing */

/* Processes and threads, by the numbers that a profile by process gives them
 * (tr_profile_step.group, tr_profile_thread_group()). */
struct tr_slices_pair {
	uint32_t process, thread;
};
struct tr_slices_contexts {
	const struct tr_slices_pair *pairs; /* by number of the context */
	size_t count;
};

/* Writes the slices of counts that were made with them (tr_counts_options.has_slices) and
 * are complete, with the listing of each function of a file that ran. `contexts` says
 * what the counts' contexts are, each of which has a pair; NULL: they are not known.
 * `instructions` and `cycles` are those of the run. Write errors are left in
 * ferror(file). Returns TR_OK or TR_E_NOMEM. */
int tr_slices_write(const struct tr_listing_parts *parts,
		    const struct tr_slices_contexts *contexts, uint64_t instructions,
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
/* What the instructions of a lane have in common: a hart, a process and a thread. */
struct tr_slices_lane {
	uint32_t hart;
	struct tr_slices_pair pair; /* if they are known */
	uint64_t instructions;	    /* as well */
};
/* Returns the lanes, of which there are *count. They are the file's. */
const struct tr_slices_lane *tr_slices_lanes(const struct tr_slices_file *file,
					     uint32_t *count);
/* Returns true if the processes and threads of lanes are known. */
bool tr_slices_have_pairs(const struct tr_slices_file *file);
/* Returns the number of functions. */
uint32_t tr_slices_functions(const struct tr_slices_file *file);
/* Binaries of the same name may have functions of the same name and address: returns the
 * number of the one that is the `which`-th of them, from 0, in the order in which the
 * unwinder told of them, and in *count how many there are. UINT32_MAX: there is none; if
 * there is a single one of that name and address, it has no instructions here. */
uint32_t tr_slices_find(const struct tr_slices_file *file, const char *name,
			const char *binary, uint64_t address, uint32_t which,
			uint32_t *count);

/* Which part of the run is wanted. */
struct tr_slices_choice {
	uint64_t from, to;    /* cycles, which are rounded outwards to slices */
	const bool *has_lane; /* by number of the lane; NULL: it has all */
};
/* Writes the members of an object in JSON that describes a function: the cycles that the
 * choice was rounded to; the names of classes; `places`, a file, a line, its text and
 * inlined functions from the innermost outwards; `rows`, for each instruction its
 * address, text, place (-1: none), executions, cycles, traps, and pairs of class and
 * slots. Returns TR_OK, TR_E_NOMEM, TR_E_ARGUMENT or TR_E_CORRUPT. */
int tr_slices_show(const struct tr_slices_file *file, uint32_t function,
		   const struct tr_slices_choice *choice, FILE *to);

#endif
