/* SPDX-License-Identifier: Apache-2.0 */
/* Where to look: tokens of the run, and what tr-unwind says of them. */
#ifndef TRUTH_POINTS_H
#define TRUTH_POINTS_H

#include "machine.h"
#include "reader.h"

/* The 20,000 over the whole run; beside them, shortly before or after an event. */
enum point_set { SET_RUN, SET_TRAP, SET_SWITCH, SETS };
enum { POINTS_RUN = 20000, POINTS_TRAP = 4000, POINTS_SWITCH = 4000 };

struct point {
	uint64_t token;
	uint32_t node, thread; /* tr-unwind's */
	enum point_set set;
};

struct points {
	struct point *points; /* ascending by token */
	size_t count;
	uint64_t tokens; /* of the run */
};

/* Runs `m` to its end to see where traps and switches are, then chooses. False,
 * after a message: out of memory, or a run that does not end by itself. */
bool points_choose(struct points *p, struct machine *m);
void points_free(struct points *p);
/* Fills in node and thread from a stream of stacks; its definitions stay with the
 * reader. False, after a message. */
bool points_read(struct points *p, struct tr_reader *reader);

#endif
