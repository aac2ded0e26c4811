/* SPDX-License-Identifier: Apache-2.0 */
/* Doubt after a break of continuity (stream/continuity.h): instructions are missing, or
 * are those of another hart, so that the frames may be wrong. There is the same doubt
 * where an inferred stack turns out to be that of another task. A return to a frame that
 * was open at the break, or to code that a trap interrupted before it, shows that the
 * frames are right again. */
#include "unwind/stacks.h"

/* ------------------------------------------------------------ doubtful cycles */

void tr_stack_count_doubt(struct tr_unwind *u, struct hart *h)
{
	const uint64_t cycles = tr_tracking_lap(h);
	if (thread_is_in_doubt(stack_bottom(hart_stack(h)))) {
		stacks_count(u, COUNT_DOUBTED_CYCLES, cycles);
		stack_discount(hart_stack(h), cycles); /* not again for its frames */
	}
}

void tr_stack_doubt(struct tr_unwind *u, struct hart *h, bool is_doubtful)
{
	tr_stack_count_doubt(u, h);
	stack_bottom(hart_stack(h))->doubt.is_doubtful = is_doubtful;
}

void tr_thread_doubt(struct stack *bottom)
{
	bottom->doubt.is_doubtful = true;
}

void tr_stack_doubt_recent(struct tr_unwind *u, struct hart *h)
{
	struct doubt *doubt = &stack_bottom(hart_stack(h))->doubt;
	const bool was_doubtful = doubt->is_doubtful;
	doubt->is_doubtful = true;
	tr_stack_count_doubt(u, h);
	doubt->is_doubtful = was_doubtful;
}

/* ------------------------------------------------------------ breaks */

void tr_breaks_forget(struct stack *bottom)
{
	bottom->doubt.is_broken = false;
}

/* Returns true if the hart is below the frames that were open at the thread's break. */
static bool is_below_break(const struct stack *s, const struct stack *thread)
{
	if (s == thread->doubt.broken_on)
		return stack_depth(s) < thread->doubt.broken_depth;
	return !tr_stack_stands_on(s, thread->doubt.broken_on);
}

void tr_breaks_doubt(struct tr_unwind *u, struct hart *h)
{
	struct stack *s = hart_stack(h), *thread = stack_bottom(s);
	tr_stack_count_doubt(u, h);
	if (!thread->doubt.is_broken || is_below_break(s, thread)) {
		thread->doubt.broken_on = s;
		thread->doubt.broken_depth = stack_depth(s);
	}
	thread->doubt.is_broken = true;
}

void tr_breaks_take(struct tr_unwind *u, struct hart *h)
{
	tr_breaks_doubt(u, h);
	if (hart_stack(h))
		tr_thread_settle(u, stack_bottom(hart_stack(h)));
	stacks_count(u, COUNT_BREAKS, 1);
	stacks_count(u, COUNT_RESYNCS, 1);
	hart_set_fresh(h, false);
	tr_flow_set(h, FLOW_RESYNC, 0);
}

void tr_breaks_mend(struct tr_unwind *u, struct hart *h)
{
	struct stack *thread = stack_bottom(hart_stack(h));
	if (!thread->doubt.is_broken || !is_below_break(hart_stack(h), thread))
		return;
	tr_stack_count_doubt(u, h);
	thread->doubt.is_broken = false;
}
