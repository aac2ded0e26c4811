/* SPDX-License-Identifier: Apache-2.0 */
/* A function may call another one on a stack that has frames already, as a runtime with
 * stacks of its own calls C on the first stack of the thread. What is called there stands
 * on the caller's stack, and has a stack of its own that covers the other one: it has the
 * other one's addresses until it has returned. */
#include "unwind/stacks.h"

struct stack *tr_stack_cover(struct tr_unwind *u, const struct hart *h,
			     struct stack *other)
{
	const uint64_t sp = hart_sp(h);
	struct stack *s = tr_stack_new(u, hart_context(h), sp);
	s->cover.covers = other;
	s->cover.base = sp;
	tr_stack_widen(u, s, stack_low(other));
	tr_stack_widen(u, s, stack_high(other));
	return s;
}

/* Returns the stack that `s` covers, and gives its addresses back. */
static struct stack *uncover_stack(struct tr_unwind *u, struct stack *s)
{
	struct stack *other = s->cover.covers;
	uint64_t low = stack_low(s);
	s->cover.covers = NULL;
	tr_stack_clear(u, s);
	tr_stack_unlist(u, s);
	tr_stack_list(u, other);
	tr_stack_widen(u, other, low);
	return other;
}

struct stack *tr_stack_uncover_to(struct tr_unwind *u, struct stack *s,
				  const struct stack *other)
{
	while (s != other)
		s = uncover_stack(u, s);
	return s;
}

struct stack *tr_stack_uncovered(struct tr_unwind *u, struct stack *s, uint64_t sp)
{
	while (
	    s && s->cover.covers &&
	    (sp > s->cover.base || !stack_depth(s) || frame_sp(stack_frame(s, 0)) <= sp))
		s = uncover_stack(u, s);
	return s;
}

void tr_stack_rise(struct tr_unwind *u, struct hart *h)
{
	struct stack *s = hart_stack(h);
	while (s->cover.covers && hart_sp(h) > s->cover.base &&
	       hart_sp(h) <= stack_high(s)) {
		tr_stack_go(u, h, s->cover.covers, hart_sp_before(h));
		s = uncover_stack(u, s);
	}
}

void tr_stack_leave_cover(struct tr_unwind *u, struct hart *h)
{
	struct stack *s = hart_stack(h), *below = stack_below(s);
	const uint64_t base = s->cover.base;
	if (!s->cover.covers || stack_depth(s) || !below)
		return;
	tr_stack_go(u, h, below, hart_sp(h));
	uncover_stack(u, s);
	tr_pending_begin(hart_pending(h), stack_parked_sp(below), false);
	tr_pending_add(hart_pending(h), base);
	state_add(h, HAS_PENDING);
}
