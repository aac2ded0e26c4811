/* SPDX-License-Identifier: Apache-2.0 */
/* Compares true stacks with tr-unwind's, and counts. */
#ifndef TRUTH_SCORE_H
#define TRUTH_SCORE_H

#include <stdio.h>

#include "points.h"
#include "walk.h"

/* Why stacks differ. */
enum difference {
	DIFFER_NEW_THREAD,
	DIFFER_HANDED_ON,
	DIFFER_UNEXPLAINED,
	DIFFERENCES,
};

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
	uint64_t threads; /* that are the right one */
	/* Threads that have begun to run a program, and with the right one. */
	uint64_t users, processes;
};

struct score {
	struct score_row rows[ROWS];
	uint64_t differences[SETS][DIFFERENCES];
	struct {
		const char *reason;
		uint64_t points[SETS];
	} excluded[8];
	unsigned shown;
};

void score_point(struct score *score, struct tr_reader *reader, const struct point *point,
		 const struct walk *walk);
/* The table and the last line; true when the run holds the limits. */
bool score_print(const struct score *score, FILE *out);

#endif
