/* SPDX-License-Identifier: Apache-2.0 */
/* A pending write of sp when control is transferred: whether it takes effect now. A
 * restore of registers may branch, jump to code that it shares with others, or return to
 * a caller that continues with it; a scheduler on a stack of its own is jumped to. */
#include "unwind/stacks.h"

/* Returns true if the running function is a trap handler, and not called by one. */
static bool is_handler(const struct stack *s)
{
	while (s && !stack_depth(s))
		s = stack_below(s);
	return s && stack_depth(s) > 1 &&
	       frame_kind(stack_frame(s, stack_depth(s) - 2)) == FRAME_TRAP;
}

/* Returns the number of frames up to the function, if sp is where it called others or was
 * entered, else 0. */
static uint32_t depth_of(const struct stack *s, uint64_t sp, uint32_t sym)
{
	for (uint32_t i = stack_depth(s); i-- > 0;) {
		const struct frame *f = stack_frame(s, i);
		if (frame_is_function(f) && frame_sym(f) == sym && !frame_is_passing(f))
			return i + 1;
		if (frame_sp(f) > sp)
			break;
	}
	return 0;
}

/* A function on which the handler of a trap ended has been left for one task, and entered
 * again from another: a scheduler, which is a thread of its own, not a part of the trap.
 * What it ran before is in doubt. */
static void begin_scheduler(struct tr_unwind *u, struct hart *h,
			    const struct place *place)
{
	struct stack *s = hart_stack(h);
	tr_frames_doubt(u, h, s, stack_depth(s) - 1);
	if (stack_trap_count(s) && !trap_frame(stack_trap(s, 0)))
		tr_frames_move_trap_back(u, s);
	tr_frames_drop(stack_frames(s), 0);
	tr_stack_begin_thread(u, h);
	thread_set_ordinal(s, ORDINAL_NEW);
	tr_stacks_begin(u, h, place);
}

/* A jump to the entry of a function that has been left on another stack where sp is: it
 * begins again there, as a scheduler does that waits on a stack of its own. Returns false
 * in other cases. */
static bool enter_again(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t key = tr_stack_key(hart_context(h)), sp = hart_sp(h);
	const bool is_pending = state_has(h, HAS_PENDING);
	if (!place->entry || pending_floats(hart_last_write(h)) ||
	    (!is_pending && !stack_covered(hart_stack(h))))
		return false;
	struct stack *first = tr_stack_find(u, key, sp), *s = first;
	uint32_t depth = 0;
	for (; s; s = stack_covered(s))
		if (s != hart_stack(h) && (depth = depth_of(s, sp, place->sym)))
			break;
	if (!s)
		return false;
	const bool is_other = stack_below(s) && !stack_is_user(s) &&
			      stack_bottom(s) != stack_bottom(hart_stack(h));
	tr_stack_go(u, h, s, is_pending ? hart_sp_before(h) : sp);
	tr_stack_uncover_to(u, first, s);
	tr_frames_drop(stack_frames(s), depth);
	state_drop(h, HAS_PENDING);
	hart_set_fresh(h, true);
	if (is_other)
		begin_scheduler(u, h, place);
	return true;
}

void tr_leaving_begin_thread(struct tr_unwind *u, struct hart *h)
{
	struct stack *s = hart_stack(h), *below = stack_below(s);
	const struct frame *top = stack_top(s);
	while (below && !stack_depth(below))
		below = stack_below(below);
	/* A thread that has only set up its stack so far has moved to it. */
	bool is_same =
	    below && stack_depth(below) <= 2 &&
	    frame_kind(stack_frame(below, 0)) == FRAME_ROOT &&
	    (!frame_is_function(top) || frame_return_address(top) == NO_RETURN);
	uint32_t ordinal = thread_ordinal(stack_bottom(s));
	tr_stack_begin_thread(u, h);
	thread_set_ordinal(hart_stack(h), is_same ? ordinal : ORDINAL_NEW);
}

/* The function that wrote sp, or called the one that did, has been left by a jump, and
 * the one that runs continues: it is on the other stack. */
static void settle_jumped(struct tr_unwind *u, struct hart *h)
{
	const struct frame *top = stack_top(hart_stack(h));
	const struct pair *from = hart_from(h);
	const struct place place = {.pc = from->pc,
				    .address = from->address,
				    .sym = frame_sym(top),
				    .binary = from->binary};
	tr_stack_settle(u, h, &(struct leaving){.flow = TR_FLOW_JUMP});
	state_drop(h, HAS_ARRIVED);
	if (stack_depth(hart_stack(h))) {
		tr_stacks_correct(u, h, &place);
		return;
	}
	tr_leaving_begin_thread(u, h);
	tr_stacks_begin(u, h, &place);
}

static void settle_sp_at_event(struct tr_unwind *u, struct hart *h, uint8_t flow)
{
	if (pending_has_jumped(hart_last_write(h)) && !is_handler(hart_stack(h)))
		settle_jumped(u, h);
	else
		tr_stack_settle(u, h, &(struct leaving){.flow = flow});
}

void tr_leaving_trap(struct tr_unwind *u, struct hart *h)
{
	if (state_has(h, HAS_PENDING) && (pending_was_transferred(hart_last_write(h)) ||
					  pending_has_jumped(hart_last_write(h))))
		settle_sp_at_event(u, h, TR_FLOW_BRANCH);
}

/* Returns true if a stack with one of the values continues at the place. */
static bool is_left_at(const struct tr_unwind *u, const struct hart *h,
		       const struct place *place)
{
	const uint64_t key = tr_stack_key(hart_context(h));
	const struct trap *trap;
	for (unsigned i = 0; i <= pending_count(hart_last_write(h)); i++) {
		const uint64_t sp = tr_pending_value(hart_last_write(h), i, hart_sp(h));
		const struct stack *s = tr_stack_find(u, key, sp);
		for (; s; s = stack_covered(s))
			if (tr_stack_goes_on(h, s, place, &trap))
				return true;
	}
	return false;
}

/* Handles a branch or jump, at which the write of sp stays pending. A loop is not part of
 * a restore: then it takes effect, and the result is false. */
static bool passes_jump(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place)
{
	const bool is_within = frame_sym(stack_top(hart_stack(h))) == place->sym;
	if (is_within && place->pc < pair_next_pc(hart_from(h))) {
		settle_sp_at_event(u, h, flow);
		return false;
	}
	pending_transfer(hart_pending(h), !is_within);
	if (is_within)
		return true;
	tr_frames_rename(u, h, place->sym);
	frame_set_passing(stack_top(hart_stack(h)));
	stacks_count(u, COUNT_TAILCALLS, 1);
	hart_set_fresh(h, place->entry);
	return true;
}

/* The function returns to its caller, which continues with the pending write. Returns
 * false in other cases. */
static bool passes_return(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct stack *s = hart_stack(h);
	if (place->entry || stack_depth(s) < 2 ||
	    !frame_returns_to(stack_frame(s, stack_depth(s) - 1), place) ||
	    !frame_is_function(stack_frame(s, stack_depth(s) - 2)) ||
	    tr_stack_stays(u, h, false) || is_left_at(u, h, place))
		return false;
	tr_frames_drop(stack_frames(s), stack_depth(s) - 1);
	tr_stacks_correct(u, h, place);
	stacks_count(u, COUNT_RETURNS, 1);
	hart_set_fresh(h, false);
	pending_transfer(hart_pending(h), false);
	return true;
}

/* Returns true if the transfer is complete, and the write still pending. */
static bool keeps_sp_pending(struct tr_unwind *u, struct hart *h, uint8_t flow,
			     const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	if (!frame_is_function(top) || tr_stack_has_new_tp(u, h))
		return false;
	const bool is_within = frame_sym(top) == place->sym;
	if (flow == TR_FLOW_RETURN)
		return passes_return(u, h, place);
	if (flow != TR_FLOW_BRANCH && flow != TR_FLOW_JUMP && flow != TR_FLOW_INDIRECT)
		return false;
	if (tr_stack_stays(u, h, false)) {
		state_drop(h, HAS_PENDING);
		return false;
	}
	if (flow == TR_FLOW_INDIRECT ? !is_within || is_left_at(u, h, place)
				     : !is_within && pending_floats(hart_last_write(h)))
		return false;
	return passes_jump(u, h, flow, place);
}

bool tr_leaves_caller(const struct hart *h, uint8_t flow, const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	if (stack_depth(hart_stack(h)) || state_has(h, HAS_PENDING) || !top ||
	    flow == TR_FLOW_CALL || flow == TR_FLOW_SWAP || flow == TR_FLOW_NEXT ||
	    flow == TR_FLOW_BRANCH)
		return false;
	if (flow == TR_FLOW_JUMP && is_handler(hart_stack(h)))
		return false;
	return flow == TR_FLOW_RETURN || frame_sym(top) != place->sym;
}

/* The write of sp takes effect at this transfer. */
static void settle_sp_at_transfer(struct tr_unwind *u, struct hart *h, uint8_t flow,
				  const struct place *place)
{
	if (flow == TR_FLOW_CALL && pending_has_jumped(hart_last_write(h)) &&
	    !is_handler(hart_stack(h))) {
		settle_jumped(u, h);
		return;
	}
	if (flow == TR_FLOW_RETURN && !place->entry && tr_stack_follow_copy(u, h, place))
		return;
	const struct frame *top = stack_top(hart_stack(h));
	tr_stack_settle(
	    u, h,
	    &(struct leaving){
		.place = place,
		.flow = flow,
		.is_task = tr_stack_has_new_tp(u, h),
		.calls_on = flow == TR_FLOW_CALL && frame_is_function(top) &&
			    names_role(names_of(u), frame_sym(top)) == ROLE_CALLS_ON});
	if ((flow == TR_FLOW_RETURN || flow == TR_FLOW_INDIRECT) &&
	    tr_traps_resume(u, h, place))
		tr_traps_land(u, h, place);
}

bool tr_leaving_land(struct tr_unwind *u, struct hart *h, uint8_t flow,
		     const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	if ((flow == TR_FLOW_JUMP || flow == TR_FLOW_INDIRECT ||
	     flow == TR_FLOW_BRANCH) &&
	    frame_is_function(top) && frame_sym(top) != place->sym &&
	    enter_again(u, h, place))
		return true;
	if (stack_covered(hart_stack(h)) && tr_leaves_caller(h, flow, place))
		tr_stack_leave_cover(u, h);
	if (!state_has(h, HAS_PENDING))
		return false;
	if (keeps_sp_pending(u, h, flow, place))
		return true;
	if (state_has(h, HAS_PENDING))
		settle_sp_at_transfer(u, h, flow, place);
	return false;
}
