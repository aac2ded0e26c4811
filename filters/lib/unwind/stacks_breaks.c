/* SPDX-License-Identifier: Apache-2.0 */
/* Doubt after a break of continuity (stream/continuity.h): instructions are missing, or
 * are those of another hart, so that the frames may be wrong. There is the same doubt
 * where an inferred stack turns out to be that of another task. A return to a frame that
 * was open at the break, or to code that a trap interrupted before it, shows that the
 * frames are right again. */
#include "unwind/stacks.h"

/* Returns true if the hart is below the frames that were open at the thread's break. */
static bool is_below_break(const struct stack *s, const struct stack *thread)
{
	if (s == thread->broken_on)
		return s->depth < thread->broken_depth;
	return !tr_stack_stands_on(s, thread->broken_on);
}

void tr_breaks_doubt(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *s = h->stack, *thread = stack_bottom(s);
	tr_stack_count_doubt(u, h);
	if (!thread->is_broken || is_below_break(s, thread)) {
		thread->broken_on = s;
		thread->broken_depth = s->depth;
	}
	thread->is_broken = true;
}

void tr_breaks_take(struct tr_unwind *u, struct stacks_hart *h)
{
	tr_breaks_doubt(u, h);
	stacks_count(u, COUNT_BREAKS, 1);
	stacks_count(u, COUNT_RESYNCS, 1);
	h->hart.fresh = false;
	tr_flow_set(&h->hart, FLOW_RESYNC, 0);
}

void tr_breaks_mend(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *thread = stack_bottom(h->stack);
	if (!thread->is_broken || !is_below_break(h->stack, thread))
		return;
	tr_stack_count_doubt(u, h);
	thread->is_broken = false;
}
