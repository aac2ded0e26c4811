/* SPDX-License-Identifier: Apache-2.0 */
/* A function may call another one on a stack that has frames already, as a runtime with
 * stacks of its own calls C on the first stack of the thread. What is called there stands
 * on the caller's stack, and has a stack of its own that covers the other one: it has the
 * other one's addresses until it has returned. */
#include "unwind/stacks.h"

struct stack *tr_stack_cover(struct tr_unwind *u, const struct stacks_hart *h,
			     struct stack *other)
{
	const uint64_t sp = h->hart.sp;
	struct stack *s = tr_stack_new(u, &h->hart.context, sp);
	s->covers = other;
	s->base = sp;
	tr_stack_widen(u, s, other->low);
	tr_stack_widen(u, s, other->high);
	return s;
}

/* Returns the stack that `s` covers, and gives its addresses back. */
static struct stack *uncover_stack(struct tr_unwind *u, struct stack *s)
{
	struct stack *other = s->covers;
	uint64_t low = s->low;
	s->covers = NULL;
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
	while (s && s->covers && (sp > s->base || !s->depth || s->frames[0].sp <= sp))
		s = uncover_stack(u, s);
	return s;
}

void tr_stack_rise(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *s = h->stack;
	while (s->covers && h->hart.sp > s->base && h->hart.sp <= s->high) {
		tr_stack_go(u, h, s->covers, h->pending.before);
		s = uncover_stack(u, s);
	}
}

void tr_stack_leave_cover(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *s = h->stack, *below = s->below;
	const uint64_t base = s->base;
	if (!s->covers || s->depth || !below)
		return;
	tr_stack_go(u, h, below, h->hart.sp);
	uncover_stack(u, s);
	h->pending =
	    (struct pending){.values = {base}, .before = below->parked, .count = 1};
	h->state |= HAS_PENDING;
}
