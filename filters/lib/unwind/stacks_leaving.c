/* SPDX-License-Identifier: Apache-2.0 */
/* A pending write of sp when control is transferred: whether it takes effect now. A
 * restore of registers may branch, jump to code that it shares with others, or return to
 * a caller that continues with it; a scheduler on a stack of its own is jumped to. */
#include "unwind/stacks.h"

/* Returns true if the running function is a trap handler, and not called by one. */
static bool is_handler(const struct stack *s)
{
	while (s && !s->depth)
		s = s->below;
	return s && s->depth > 1 && s->frames[s->depth - 2].kind == FRAME_TRAP;
}

/* Returns the number of frames up to the function, if sp is where it called others or was
 * entered, else 0. */
static uint32_t depth_of(const struct stack *s, uint64_t sp, uint32_t sym)
{
	for (uint32_t i = s->depth; i-- > 0;) {
		const struct frame *f = &s->frames[i];
		if (frame_is_function(f) && f->sym == sym && !f->passes)
			return i + 1;
		if (f->sp > sp)
			break;
	}
	return 0;
}

/* A function on which the handler of a trap ended has been left for one task, and entered
 * again from another: a scheduler, which is a thread of its own, not a part of the trap.
 * What it ran before is in doubt. */
static void begin_scheduler(struct tr_unwind *u, struct stacks_hart *h,
			    const struct place *place)
{
	struct stack *s = h->stack;
	tr_frames_doubt(u, h, s, s->depth - 1);
	if (s->ntraps && !s->traps[0].frame)
		tr_frames_move_trap_back(u, s);
	tr_frames_truncate(s, 0);
	tr_stack_begin_thread(u, h);
	s->ordinal = ORDINAL_NEW;
	tr_stacks_begin(u, h, place);
}

/* A jump to the entry of a function that has been left on another stack where sp is: it
 * begins again there, as a scheduler does that waits on a stack of its own. Returns false
 * in other cases. */
static bool enter_again(struct tr_unwind *u, struct stacks_hart *h,
			const struct place *place)
{
	const uint64_t key = tr_stack_key(&h->hart.context), sp = h->hart.sp;
	const bool is_pending = h->state & HAS_PENDING;
	if (!place->entry || h->pending.floats || (!is_pending && !h->stack->covers))
		return false;
	struct stack *first = tr_stack_find(u, key, sp), *s = first;
	uint32_t depth = 0;
	for (; s; s = s->covers)
		if (s != h->stack && (depth = depth_of(s, sp, place->sym)))
			break;
	if (!s)
		return false;
	const bool is_other =
	    s->below && !stack_is_user(s) && stack_bottom(s) != stack_bottom(h->stack);
	tr_stack_go(u, h, s, is_pending ? h->pending.before : sp);
	tr_stack_uncover_to(u, first, s);
	tr_frames_truncate(s, depth);
	h->state &= ~(uint32_t)HAS_PENDING;
	h->hart.fresh = true;
	if (is_other)
		begin_scheduler(u, h, place);
	return true;
}

void tr_leaving_begin_thread(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *s = h->stack, *below = s->below;
	const struct frame *top = stack_top(s);
	while (below && !below->depth)
		below = below->below;
	/* A thread that has only set up its stack so far has moved to it. */
	bool is_same = below && below->depth <= 2 &&
		       below->frames[0].kind == FRAME_ROOT &&
		       (!frame_is_function(top) || top->ret == NO_RETURN);
	uint32_t ordinal = stack_bottom(s)->ordinal;
	tr_stack_begin_thread(u, h);
	h->stack->ordinal = is_same ? ordinal : ORDINAL_NEW;
}

/* The function that wrote sp, or called the one that did, has been left by a jump, and
 * the one that runs continues: it is on the other stack. */
static void settle_jumped(struct tr_unwind *u, struct stacks_hart *h)
{
	const struct frame *top = stack_top(h->stack);
	const struct pair *from = h->hart.from;
	const struct place place = {.pc = from->pc,
				    .address = from->address,
				    .sym = top->sym,
				    .binary = from->binary};
	tr_stack_settle(u, h, &(struct leaving){.flow = TR_FLOW_JUMP});
	h->state &= ~(uint32_t)HAS_ARRIVED;
	if (h->stack->depth) {
		tr_stacks_correct(u, h, &place);
		return;
	}
	tr_leaving_begin_thread(u, h);
	tr_stacks_begin(u, h, &place);
}

static void settle_sp_at_event(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow)
{
	if (h->pending.has_jumped && !is_handler(h->stack))
		settle_jumped(u, h);
	else
		tr_stack_settle(u, h, &(struct leaving){.flow = flow});
}

void tr_leaving_trap(struct tr_unwind *u, struct stacks_hart *h)
{
	if (h->state & HAS_PENDING && (h->pending.has_branched || h->pending.has_jumped))
		settle_sp_at_event(u, h, TR_FLOW_BRANCH);
}

/* Returns true if a stack with one of the values continues at the place. */
static bool is_left_at(const struct tr_unwind *u, const struct stacks_hart *h,
		       const struct place *place)
{
	const uint64_t key = tr_stack_key(&h->hart.context);
	const struct trap *trap;
	for (unsigned i = 0; i <= h->pending.count; i++) {
		uint64_t sp = i ? h->pending.values[i - 1] : h->hart.sp;
		const struct stack *s = tr_stack_find(u, key, sp);
		for (; s; s = s->covers)
			if (tr_stack_goes_on(h, s, place, &trap))
				return true;
	}
	return false;
}

/* Handles a branch or jump, at which the write of sp stays pending. A loop is not part of
 * a restore: then it takes effect, and the result is false. */
static bool passes_jump(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place)
{
	const bool is_within = stack_top(h->stack)->sym == place->sym;
	if (is_within && place->pc < pair_next_pc(h->hart.from)) {
		settle_sp_at_event(u, h, flow);
		return false;
	}
	h->pending.has_branched = true;
	if (is_within)
		return true;
	h->pending.has_jumped = true;
	tr_frames_rename(u, h, place->sym);
	stack_top(h->stack)->passes = true;
	stacks_count(u, COUNT_TAILCALLS, 1);
	h->hart.fresh = place->entry;
	return true;
}

/* The function returns to its caller, which continues with the pending write. Returns
 * false in other cases. */
static bool passes_return(struct tr_unwind *u, struct stacks_hart *h,
			  const struct place *place)
{
	struct stack *s = h->stack;
	if (place->entry || s->depth < 2 ||
	    !frame_returns_to(&s->frames[s->depth - 1], place) ||
	    !frame_is_function(&s->frames[s->depth - 2]) || tr_stack_stays(u, h, false) ||
	    is_left_at(u, h, place))
		return false;
	tr_frames_truncate(s, s->depth - 1);
	tr_stacks_correct(u, h, place);
	stacks_count(u, COUNT_RETURNS, 1);
	h->hart.fresh = false;
	h->pending.has_branched = true;
	return true;
}

/* Returns true if the transfer is complete, and the write still pending. */
static bool keeps_sp_pending(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			     const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	if (!frame_is_function(top) || tr_stack_has_new_tp(u, h))
		return false;
	const bool is_within = top->sym == place->sym;
	if (flow == TR_FLOW_RETURN)
		return passes_return(u, h, place);
	if (flow != TR_FLOW_BRANCH && flow != TR_FLOW_JUMP && flow != TR_FLOW_INDIRECT)
		return false;
	if (tr_stack_stays(u, h, false)) {
		h->state &= ~(uint32_t)HAS_PENDING;
		return false;
	}
	if (flow == TR_FLOW_INDIRECT ? !is_within || is_left_at(u, h, place)
				     : !is_within && h->pending.floats)
		return false;
	return passes_jump(u, h, flow, place);
}

bool tr_leaves_caller(const struct stacks_hart *h, uint8_t flow,
		      const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	if (h->stack->depth || h->state & HAS_PENDING || !top || flow == TR_FLOW_CALL ||
	    flow == TR_FLOW_SWAP || flow == TR_FLOW_NEXT || flow == TR_FLOW_BRANCH)
		return false;
	if (flow == TR_FLOW_JUMP && is_handler(h->stack))
		return false;
	return flow == TR_FLOW_RETURN || top->sym != place->sym;
}

/* The write of sp takes effect at this transfer. */
static void settle_sp_at_transfer(struct tr_unwind *u, struct stacks_hart *h,
				  uint8_t flow, const struct place *place)
{
	if (flow == TR_FLOW_CALL && h->pending.has_jumped && !is_handler(h->stack)) {
		settle_jumped(u, h);
		return;
	}
	if (flow == TR_FLOW_RETURN && !place->entry && tr_stack_follow_copy(u, h, place))
		return;
	const struct frame *top = stack_top(h->stack);
	tr_stack_settle(u, h,
			&(struct leaving){.place = place,
					  .flow = flow,
					  .is_task = tr_stack_has_new_tp(u, h),
					  .calls_on = flow == TR_FLOW_CALL &&
						      frame_is_function(top) &&
						      names_role(names_of(u), top->sym) ==
							  ROLE_CALLS_ON});
	if ((flow == TR_FLOW_RETURN || flow == TR_FLOW_INDIRECT) &&
	    tr_traps_resume(u, h, place))
		tr_traps_land(u, h, place);
}

bool tr_leaving_land(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
		     const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	if ((flow == TR_FLOW_JUMP || flow == TR_FLOW_INDIRECT ||
	     flow == TR_FLOW_BRANCH) &&
	    frame_is_function(top) && top->sym != place->sym && enter_again(u, h, place))
		return true;
	if (h->stack->covers && tr_leaves_caller(h, flow, place))
		tr_stack_leave_cover(u, h);
	if (!(h->state & HAS_PENDING))
		return false;
	if (keeps_sp_pending(u, h, flow, place))
		return true;
	if (h->state & HAS_PENDING)
		settle_sp_at_transfer(u, h, flow, place);
	return false;
}
