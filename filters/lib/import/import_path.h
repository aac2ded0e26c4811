/* SPDX-License-Identifier: Apache-2.0 */
/* Follows a program between the points that a branch trace reports: passes instructions
 * on, and divides the time between two points among them. */
#ifndef TR_IMPORT_PATH_H
#define TR_IMPORT_PATH_H

#include "import/import_code.h"
#include "import/import_state.h"

struct path_piece;

/* All zero is a path that has not begun. */
struct import_path {
	struct import_place place;
	uint64_t pc;
	bool known;    /* the pc is */
	bool dry;      /* nothing is passed on */
	uint64_t lost; /* cycles while it was not */
	uint32_t hart;
	struct path_piece *pieces; /* run, but not yet passed on */
	size_t npieces, room;
	uint64_t count; /* of their instructions */
};

void tr_path_release(struct import_path *path);

/* Returns the run at the path's pc, or NULL if its code is not known. */
const struct import_run *tr_path_run(struct tr_import *im, struct import_path *path);
/* Runs the first `count` instructions of a run; the pc is then after them. */
void tr_path_take(struct tr_import *im, struct import_path *path,
		  const struct import_run *run, uint32_t count);
/* Passes on what ran. The last instruction commits at `cycle`, the others one after the
 * other before it. */
void tr_path_pass(struct tr_import *im, struct import_path *path, uint64_t cycle);
/* Passes on what ran up to `cycle`. An instruction takes at most one cycle, so that
 * cycles may be left before `cycle`. */
void tr_path_pass_before(struct tr_import *im, struct import_path *path, uint64_t cycle);
/* The time up to `cycle` is a gap, after what ran. */
void tr_path_gap(struct tr_import *im, struct import_path *path, uint64_t cycle,
		 enum tr_gap_reason reason);

/* Returns the number of instructions of a run before `pc`, or UINT32_MAX if it is none of
 * them. */
uint32_t tr_path_before(const struct import_run *run, uint64_t pc);
/* Returns a satp for a context, which is the number of an address space, or a satp. */
uint64_t tr_path_satp(uint64_t context);

#endif
