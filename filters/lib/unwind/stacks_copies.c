/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that the program copies to other addresses, as Go's runtime does to let one grow
 * or shrink: such a stack is resumed where it was left, with another sp. */
#include "unwind/stacks.h"

/* Returns true if the stack was left by a call that returns to the place. */
static bool was_left_to(const struct stack *s, const struct place *place)
{
	return s->depth && !s->ntraps &&
	       frame_returns_to(&s->frames[s->depth - 1], place);
}

/* Returns the stack that resumes: the one that the current one was called on, or else the
 * only one that was left to this place; the newest of several, which *is_doubtful tells.
 */
static struct stack *find_copied(const struct tr_unwind *u, const struct stacks_hart *h,
				 uint64_t key, const struct place *place,
				 bool *is_doubtful)
{
	struct stack *found = NULL, *other;
	*is_doubtful = false;
	for (struct stack *s = h->stack->below; s; s = s->below)
		if (s->key == key && was_left_to(s, place))
			return s;
	for (uint32_t i = 0; (other = stacks_nth(u, i)); i++) {
		if (other->key != key || !other->is_listed || other->below ||
		    other == h->stack || other->space != h->hart.context.space ||
		    !was_left_to(other, place))
			continue;
		*is_doubtful = found;
		if (!found || other->used > found->used)
			found = other;
	}
	return found;
}

bool tr_stack_follow_copy(struct tr_unwind *u, struct stacks_hart *h,
			  const struct place *place)
{
	const uint64_t key = tr_stack_key(&h->hart.context), sp = h->hart.sp;
	const struct stack *there = tr_stack_find(u, key, sp);
	bool is_doubtful;
	if (!sp || h->hart.context.priv != TR_PRIV_U || there == h->stack ||
	    (there && was_left_to(there, place)))
		return false;
	struct stack *s = find_copied(u, h, key, place, &is_doubtful);
	if (!s)
		return false;
	const uint64_t tp = stack_bottom(h->stack)->tp;
	h->state &= ~(uint32_t)HAS_PENDING;
	tr_stack_move(u, s, sp - s->frames[s->depth - 1].sp);
	tr_stack_go(u, h, s, h->pending.before);
	tr_stack_keep_thread(u, h, tp);
	tr_stack_doubt(u, h, is_doubtful);
	return true;
}
