/* SPDX-License-Identifier: Apache-2.0 */
/* Compares true stacks with tr-unwind's, and counts. */
#ifndef TRUTH_SCORE_H
#define TRUTH_SCORE_H

#include <stdio.h>

#include "points.h"
#include "walk.h"

/* Rows of the table: by place of the top frame, then what the stack holds, for
 * the run; then the other sets. */
enum {
	ROW_RUN = PLACES,
	ROW_TRAP_STACK,
	ROW_TAIL_STACK,
	ROW_SETS, /* of SET_TRAP and so on */
	ROWS = ROW_SETS + SETS - 1,
};

struct score_row {
	uint64_t points, equal, excluded;
	uint64_t threads, privileges; /* that are the right one */
	/* Threads that have begun to run a program, and with the right one. */
	uint64_t users, processes;
};

/* Why stacks differ, or are excluded: known reasons; else where they part, from the
 * root on. */
enum { SCORE_CLASSES = 256 };
struct score_class {
	const char *reason; /* NULL: */
	const char *is, *has, *below;
	bool is_excluded;
	uint64_t points[SETS];
};

/* A trace that does not have all of the run: the oldest frames may be missing. */
struct score_part {
	unsigned open; /* how many */
};

struct score {
	struct score_row rows[ROWS];
	struct score_class classes[SCORE_CLASSES];
	uint64_t unnamed[SETS];	       /* equal but for a trampoline without a name */
	const struct score_part *part; /* NULL: the trace has all */
	bool verbose; /* an example of each class on stderr, not only of new ones */
	unsigned nclasses, sets; /* how many of the sets are held to the limits */
	bool is_strict;		 /* all that is compared is to be equal */
};

void score_point(struct score *score, struct tr_reader *reader, const struct point *point,
		 const struct walk *walk);
/* The table and the last line; true when the limits are held. */
bool score_print(const struct score *score, const struct walk_system *system, FILE *out);

#endif
