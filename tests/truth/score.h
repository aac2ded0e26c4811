/* SPDX-License-Identifier: Apache-2.0 */
/* Compares true stacks with those of tr-unwind, and counts differences. */
#ifndef TRUTH_SCORE_H
#define TRUTH_SCORE_H

#include <stdio.h>

#include "points.h"
#include "walk.h"

/* Rows of the table: for the run, by place of the innermost frame, then by contents of
 * the stack; then the other sets. */
enum {
	ROW_RUN = PLACES,
	ROW_TRAP_STACK,
	ROW_TAIL_STACK,
	ROW_SETS, /* for SET_TRAP and so on */
	ROWS = ROW_SETS + SETS - 1,
};

struct score_row {
	uint64_t points, equal, excluded;
	uint64_t threads, privileges; /* correct ones */
	/* Threads that have begun to run a program, and those with the right one. */
	uint64_t users, processes;
};

/* Reasons for differences or exclusions: a known one, or where the stacks diverge,
 * starting from the root. */
enum { SCORE_CLASSES = 256 };
struct score_class {
	const char *reason; /* NULL: */
	const char *is, *has, *below;
	bool is_excluded;
	uint64_t points[SETS];
};

/* A partial trace of the run: the outermost frames may be missing. */
struct score_part {
	unsigned open; /* how many are missing */
};

struct score {
	struct score_row rows[ROWS];
	struct score_class classes[SCORE_CLASSES];
	uint64_t unnamed[SETS];	       /* equal except for an unnamed trampoline */
	const struct score_part *part; /* NULL: a full trace */
	bool verbose; /* print an example of each class on stderr, not only of new ones */
	unsigned nclasses, sets; /* sets: number of sets subject to the limits */
	bool is_strict;		 /* everything compared must be equal */
	bool may_exclude;	 /* any number of points */
};

void score_point(struct score *score, struct tr_reader *reader, const struct point *point,
		 const struct walk *walk);
/* Prints the table and the last line. Returns whether the limits are met. */
bool score_print(const struct score *score, const struct walk_system *system, FILE *out);

#endif
