/* SPDX-License-Identifier: Apache-2.0 */
/* Why a register is live at an address (live_registers.h): where a path from there reads
 * it before it is written, or goes to where it is not known what is read. */
#ifndef PROF_LIVE_PATHS_H
#define PROF_LIVE_PATHS_H

#include "live_registers.h"

enum prof_path_end {
	PROF_PATH_NONE = 0, /* none was found within the limit */
	PROF_PATH_READS,    /* the instruction reads the register */
	PROF_PATH_RETURNS,  /* a return through another register than x1 */
	PROF_PATH_CALLS,    /* a call with another convention, or that passes x7 */
	PROF_PATH_LEAVES,   /* continues in what is no code */
	PROF_PATH_UNKNOWN,  /* the instruction is not known */
};

enum { PROF_PATH_JUMPS_MAX = 4 };

struct prof_path {
	enum prof_path_end end;
	uint64_t at; /* the last instruction */
	/* Indirect jumps to known targets on the path, the last one first. */
	unsigned jump_count;
	struct prof_path_jump {
		uint64_t from, to;
	} jumps[PROF_PATH_JUMPS_MAX];
};

/* The memory of searches in a program whose live registers and targets are known. Returns
 * NULL without memory. All searches together take time in proportion to the size of the
 * code; after that no path is found. */
struct prof_paths *prof_open_paths(const struct prof_program *program);
void prof_close_paths(struct prof_paths *paths);

/* Finds a shortest path from `start` on which register x`reg` is read before it is
 * written, else a shortest one that ends otherwise; with 0, one to an instruction that is
 * not known (PROF_LIVE_UNKNOWN). Returns false without memory. */
bool prof_find_path(struct prof_paths *paths, uint64_t start, unsigned reg,
		    struct prof_path *path);

#endif
