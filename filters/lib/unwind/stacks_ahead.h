/* SPDX-License-Identifier: Apache-2.0 */
/* The returns out of the current function, found by looking ahead in the following rows:
 * they identify the stack among several that were left. */
#ifndef TR_STACKS_AHEAD_H
#define TR_STACKS_AHEAD_H

#include "unwind/stacks_stack.h"

/* Only stacks_ahead.c, and unit tests, use the members of these structs. */
enum { AHEAD_STEPS = 16 };
struct ahead_step {
	uint64_t pc;
	bool is_xret;
};
struct ahead {
	struct ahead_step steps[AHEAD_STEPS];
	unsigned count;
};
/* The frames of a stack that was left, or of a snapshot. They stay those of the stack. */
struct left {
	const struct frames *frames;
	const struct stack *below;
	uint32_t depth, ntraps;
};

/* Return what remains on a stack: below the frame on top, or where its trap came from. */
struct left tr_left_below_top(const struct stack *s);
struct left tr_left_by_trap(const struct stack *s, const struct trap *trap);
/* Returns all frames, with nothing below them. */
struct left tr_left_all(const struct frames *frames);
/* Returns the frame on top, or NULL. */
const struct frame *tr_left_top(const struct left *left);

/* Looks ahead from the hart's current row to a gap or the end of the frame. */
void tr_ahead_scan(struct tr_unwind *u, const struct hart *h, struct ahead *a);
/* Returns how many of these steps match the frames, or -1 if they contradict them. */
int tr_ahead_score(const struct ahead *a, const struct left *left);

#endif
