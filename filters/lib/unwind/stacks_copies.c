/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that the program copies to other addresses, as Go's runtime does to let one grow
 * or shrink: such a stack is resumed where it was left, with another sp. */
#include "unwind/stacks.h"

/* Returns true if the stack was left by a call that returns to the place. */
static bool was_left_to(const struct stack *s, const struct place *place)
{
	return stack_depth(s) && !stack_trap_count(s) &&
	       frame_returns_to(stack_frame(s, stack_depth(s) - 1), place);
}

/* Returns the stack that resumes: the one that the current one was called on, or else the
 * only one that was left to this place; the newest of several, which *is_doubtful tells.
 */
static struct stack *find_copied(const struct tr_unwind *u, const struct hart *h,
				 uint64_t key, const struct place *place,
				 bool *is_doubtful)
{
	struct stack *found = NULL, *other;
	*is_doubtful = false;
	for (struct stack *s = stack_below(hart_stack(h)); s; s = stack_below(s))
		if (stack_key(s) == key && was_left_to(s, place))
			return s;
	for (uint32_t i = 0; (other = stacks_nth(u, i)); i++) {
		if (stack_key(other) != key || !stack_is_listed(other) ||
		    stack_below(other) || other == hart_stack(h) ||
		    thread_space(other) != hart_context(h)->space ||
		    !was_left_to(other, place))
			continue;
		*is_doubtful = found;
		if (!found || stack_used(other) > stack_used(found))
			found = other;
	}
	return found;
}

bool tr_stack_follow_copy(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t key = tr_stack_key(hart_context(h)), sp = hart_sp(h);
	const struct stack *there = tr_stack_find(u, key, sp);
	bool is_doubtful;
	if (!sp || hart_priv(h) != TR_PRIV_U || there == hart_stack(h) ||
	    (there && was_left_to(there, place)))
		return false;
	struct stack *s = find_copied(u, h, key, place, &is_doubtful);
	if (!s)
		return false;
	const uint64_t tp = thread_tp(stack_bottom(hart_stack(h)));
	state_drop(h, HAS_PENDING);
	tr_stack_move(u, s, sp - frame_sp(stack_frame(s, stack_depth(s) - 1)));
	tr_stack_go(u, h, s, hart_sp_before(h));
	tr_stack_keep_thread(u, h, tp);
	tr_stack_doubt(u, h, is_doubtful);
	return true;
}
