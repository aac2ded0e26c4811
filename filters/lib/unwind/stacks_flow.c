/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for control transfers: the previous block, sp, and the start of the next block
 * determine the running function and its frame. */
#include "unwind/stacks.h"

void tr_stacks_show(struct tr_unwind *u, struct hart *h)
{
	struct stack *bottom = stack_bottom(hart_stack(h));
	const struct frame *top = stack_top(hart_stack(h));
	hart_show_thread(h, 0, 0);
	if (!top)
		return;
	hart_show_thread(h, thread_id(bottom),
			 root_is_held(bottom) ? TR_HELD | root_hold(bottom)
					      : thread_space(bottom));
	uint32_t node = frame_node(top), sym = frame_sym(top), running = SYM_NONE;
	if (state_has(h, HAS_OVERLAY)) {
		node = tr_nodes_on(nodes_of(u), node, hart_overlay(h));
		sym = running = hart_overlay(h);
	} else if (frame_is_function(top) && !stack_deep_sp(hart_stack(h))) {
		running = sym;
	}
	if (state_has(h, ~(uint32_t)(HAS_OVERLAY | WROTE_TP)))
		running = SYM_NONE;
	hart_show_frame(h, node, sym, running);
}

static void push_entered_function(struct tr_unwind *u, struct hart *h,
				  const struct place *place, uint64_t ret, bool is_inside)
{
	tr_frames_push(u, h, place->sym, ret, is_inside);
	hart_set_fresh(h, !is_inside && !stack_deep_sp(hart_stack(h)));
}

void tr_stacks_enter(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	push_entered_function(u, h, place, NO_RETURN, false);
	hart_set_fresh(h, hart_is_fresh(h) && place->entry);
}

/* Drops frames that were called below sp. The oldest function stays in any case. */
static void drop_left(struct hart *h)
{
	struct stack *s = hart_stack(h);
	uint32_t depth = stack_depth(s);
	while (depth > 1 && frame_sp(stack_frame(s, depth - 1)) < hart_sp(h) &&
	       frame_kind(stack_frame(s, depth - 2)) == FRAME_FUNCTION &&
	       frame_sp(stack_frame(s, depth - 2)) <= hart_sp(h))
		depth--;
	if (depth < stack_depth(s))
		tr_frames_drop(stack_frames(s), depth);
}

/* A handler has popped all that it saved and jumps to a function of the stack that the
 * trap interrupted, as to a scheduler that waits: that one begins again, and the trap has
 * ended without a trap return. Returns false in other cases. */
static bool end_trap_by_jump(struct hart *h, const struct place *place)
{
	struct stack *s = hart_stack(h);
	const uint64_t sp = hart_sp(h);
	if (!stack_trap_count(s) || frame_sp(stack_frame(s, stack_depth(s) - 1)) > sp)
		return false;
	const struct trap *t = stack_newest_trap(s);
	for (uint32_t i = trap_frame(t); trap_from(t) == trap_priv(t) && i-- > 0;) {
		const struct frame *f = stack_frame(s, i);
		if (frame_sp(stack_frame(s, i + 1)) > sp)
			return false;
		if (frame_is_function(f) && frame_sym(f) == place->sym &&
		    (frame_sp(f) == sp || frame_sp(stack_frame(s, i + 1)) == sp)) {
			tr_frames_drop(stack_frames(s), i + 1);
			hart_set_fresh(h, true);
			return true;
		}
	}
	return false;
}

static void tail_call(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	if (options_of(u)->has_sp && end_trap_by_jump(h, place))
		return;
	/* A jump that also resets sp leaves frames, as a dynamic loader does when it
	 * starts the program. */
	if (options_of(u)->has_sp)
		drop_left(h);
	tr_frames_rename(u, h, place->sym);
	stacks_count(u, COUNT_TAILCALLS, 1);
	hart_set_fresh(h, true);
}

void tr_stacks_correct(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct frame *top = stack_top(hart_stack(h));
	if (!frame_is_function(top))
		tr_stacks_enter(u, h, place);
	else if (frame_sym(top) != place->sym)
		tr_frames_rename(u, h, place->sym);
}

/* Frames below sp that were dropped. */
struct gone {
	bool is_odd;  /* one returns to the place, but had another sp at the call */
	bool has_top; /* one was called by the frame now on top, which had moved sp */
};

/* Drops the frames that were called below sp. Returns a summary of them. */
static struct gone pop_below(struct tr_unwind *u, struct hart *h,
			     const struct place *place)
{
	struct stack *s = hart_stack(h);
	uint32_t depth = stack_depth(s);
	struct gone gone = {.is_odd = false};
	while (depth && frame_sp(stack_frame(s, depth - 1)) < hart_sp(h)) {
		gone.is_odd |= frame_returns_to(stack_frame(s, depth - 1), place);
		depth--;
	}
	if (gone.is_odd)
		tr_frames_doubt(u, h, s, depth);
	gone.has_top =
	    depth < stack_depth(s) && frame_kind(stack_frame(s, depth)) == FRAME_FUNCTION;
	if (depth < stack_depth(s))
		tr_frames_drop(stack_frames(s), depth);
	return gone;
}

/* Handles a return to a place that no frame returns to. */
static void land_inside(struct tr_unwind *u, struct hart *h, const struct place *place,
			struct gone gone)
{
	struct stack *s = hart_stack(h);
	struct frame *top = stack_top(s);
	uint32_t frame = stack_depth(s);
	/* The frame that had moved sp has ended too, if the one below it resumes: as when
	 * an exception is caught by a recursive function. */
	if (gone.has_top && stack_depth(s) &&
	    frame_sp(stack_frame(s, stack_depth(s) - 1)) == hart_sp(h))
		frame = tr_frames_find_function(stack_frames(s), stack_depth(s) - 1,
						hart_sp(h), place);
	if (frame == stack_depth(s))
		frame = tr_frames_find_function(stack_frames(s), stack_depth(s),
						hart_sp(h), place);
	if (frame == stack_depth(s) && options_of(u)->has_sp)
		frame = tr_frames_find_interrupted(stack_frames(s), hart_sp(h), place);
	if (frame < stack_depth(s)) {
		tr_frames_drop(stack_frames(s), frame + 1);
		return;
	}
	/* A signal handler has no caller either, but it began within the trace. */
	bool is_handler = frame_is_function(top) && stack_depth(s) > 1 &&
			  frame_sym(stack_frame(s, stack_depth(s) - 2)) == SYM_SIGNAL;
	bool is_beyond = !frame_is_function(top) ||
			 (frame_return_address(top) == NO_RETURN && !is_handler);
	stacks_count(u, COUNT_BEYOND, is_beyond);
	/* longjmp() returns into setjmp(), whose frame is gone. */
	bool is_setjmp = names_role(names_of(u), place->sym) == ROLE_SETJMP;
	/* The stack was taken for that of this task. */
	if (!options_of(u)->has_sp && !is_setjmp && thread_ordinal(stack_bottom(s)))
		tr_breaks_doubt(u, h);
	if (!is_beyond && !gone.is_odd && !is_setjmp) {
		stacks_count(u, COUNT_UNMATCHED, 1);
		if (stack_depth(s))
			tr_frames_doubt(u, h, s, stack_depth(s) - 1);
	}
	if (frame_is_function(top) && frame_sp(top) <= hart_sp(h)) {
		tr_frames_rename(u, h, place->sym);
		return;
	}
	tr_frames_push(u, h, place->sym, NO_RETURN, false);
	hart_set_fresh(h, place->entry);
}

/* Returns true if sp is above that of the newest call, but within the frame of the
 * caller: the function has taken its arguments off the stack. A caller that goes on keeps
 * its return address below the sp that it was entered with. An sp that is only inferred
 * is no evidence. */
static bool has_taken_arguments(const struct tr_unwind *u, const struct hart *h)
{
	struct stack *s = hart_stack(h);
	if (!options_of(u)->has_sp || stack_depth(s) < 2)
		return false;
	const struct frame *top = stack_frame(s, stack_depth(s) - 1), *caller = top - 1;
	return frame_is_function(top) && frame_is_function(caller) &&
	       frame_sp(top) < hart_sp(h) && hart_sp(h) < frame_sp(caller);
}

/* Returns true for a return of such a function to the one that called it. */
static bool returns_without_arguments(const struct tr_unwind *u, const struct hart *h,
				      const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	return hart_from(h)->flow == TR_FLOW_RETURN && has_taken_arguments(u, h) &&
	       frame_returns_to(top, place) && frame_sym(top - 1) == place->sym;
}

/* Handles a jump that may be a return to `place`. */
static void stacks_give_back(struct tr_unwind *u, struct hart *h,
			     const struct place *place)
{
	struct stack *s = hart_stack(h);
	if (!options_of(u)->has_sp)
		tr_inferred_return(h, place);
	if (returns_without_arguments(u, h, place)) {
		tr_frames_drop(stack_frames(s), stack_depth(s) - 1);
		tr_breaks_mend(u, h);
		hart_set_fresh(h, false);
		stacks_count(u, COUNT_RETURNS, 1);
		return;
	}
	struct gone gone = pop_below(u, h, place);
	uint32_t top = stack_depth(s) - 1;
	hart_set_fresh(h, false);
	stacks_count(u, COUNT_RETURNS, 1);
	stacks_count(u, COUNT_LONGJMPS, gone.has_top && !gone.is_odd);
	if (!stack_depth(s)) {
		stacks_count(u, COUNT_UNMATCHED, 1);
		tr_frames_push(u, h, place->sym, NO_RETURN, false);
		return;
	}
	if (stack_depth(s) && frame_returns_to(stack_frame(s, top), place)) {
		if (frame_sp(stack_frame(s, top)) != hart_sp(h) &&
		    !frame_is_alternate(stack_frame(s, top)))
			tr_frames_doubt(u, h, s, top);
		tr_frames_drop(stack_frames(s), top);
		tr_breaks_mend(u, h);
		tr_stacks_correct(u, h, place);
		return;
	}
	uint32_t frame = tr_frames_find_return(stack_frames(s), hart_sp(h), place);
	if (frame < stack_depth(s)) {
		tr_frames_drop(stack_frames(s), frame);
		tr_breaks_mend(u, h);
		tr_stacks_correct(u, h, place);
	} else if (place->entry && frame_is_function(stack_top(s))) {
		stacks_count(u, COUNT_RETURNS, UINT64_MAX);
		tail_call(u, h, place);
	} else {
		land_inside(u, h, place, gone);
	}
	if (hart_sp(h) > stack_high(s))
		tr_stack_widen(u, s, hart_sp(h));
}

/* The stack stands on another as long as the function that wrote sp runs and calls; when
 * control leaves that function otherwise, this is a new thread. Returns true in that
 * case. */
static bool leaves_base(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place, bool is_task)
{
	if (stack_depth(hart_stack(h)) || !tr_leaves_caller(h, flow, place))
		return false;
	tr_leaving_begin_thread(u, h);
	thread_set_task(hart_stack(h), is_task);
	tr_stack_doubt(u, h, !options_of(u)->has_sp && !place->entry);
	tr_stacks_begin(u, h, place);
	return true;
}

static void follow_call(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t ret = pair_next_pc(hart_from(h));
	const struct frame *top = stack_top(hart_stack(h));
	bool is_inside =
	    frame_is_function(top) && frame_sym(top) == place->sym && !place->entry;
	/* "jal ra, .+4" reads the pc. */
	if (is_inside && place->pc == ret)
		return;
	stacks_count(u, COUNT_CALLS, !is_inside);
	push_entered_function(u, h, place, ret, is_inside);
}

/* Returns true for a jump by a register into a function of which neither the name nor,
 * therefore, the bounds are certain, and that no frame returns to: a table of a switch
 * may lead behind an address that is called, and a tail call to one that never is. */
static bool goes_to_nameless(const struct tr_unwind *u, const struct hart *h,
			     const struct place *place)
{
	return names_role(names_of(u), place->sym) == ROLE_NAMELESS &&
	       (frame_sp(stack_top(hart_stack(h))) >= hart_sp(h) ||
		has_taken_arguments(u, h)) &&
	       tr_frames_find_return(stack_frames(hart_stack(h)), hart_sp(h), place) ==
		   stack_depth(hart_stack(h));
}

static void follow_jump(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	if (frame_is_function(top) && frame_sym(top) == place->sym)
		return;
	if (!frame_is_function(top))
		tr_stacks_enter(u, h, place);
	else if (flow == TR_FLOW_INDIRECT && !place->entry &&
		 goes_to_nameless(u, h, place))
		tr_frames_rename(u, h, place->sym);
	else if (flow == TR_FLOW_INDIRECT && !place->entry)
		stacks_give_back(u, h, place);
	else if (place->entry && flow != TR_FLOW_NEXT)
		tail_call(u, h, place);
	else
		tr_frames_rename(u, h, place->sym);
}

/* The preceding code is unknown: finds a frame by sp and the function. */
static void resync_to_function(struct tr_unwind *u, struct hart *h,
			       const struct place *place)
{
	struct stack *s = hart_stack(h);
	const struct frame *top = stack_top(s);
	if (frame_is_function(top) && frame_sym(top) == place->sym)
		return;
	stacks_count(u, COUNT_RESYNCS, 1);
	hart_set_fresh(h, false);
	uint32_t frame =
	    tr_frames_find_function(stack_frames(s), stack_depth(s), hart_sp(h), place);
	if (frame < stack_depth(s))
		tr_frames_drop(stack_frames(s), frame + 1);
	else if (frame_is_function(top) && frame_sp(top) <= hart_sp(h) && !place->entry)
		tr_frames_rename(u, h, place->sym);
	else
		tr_stacks_enter(u, h, place);
}

/* A coroutine switch: the resumed coroutine replaces the top frame. */
static void switch_coroutine(struct tr_unwind *u, struct hart *h,
			     const struct place *place)
{
	struct stack *s = hart_stack(h);
	uint32_t frame = tr_frames_find_return(stack_frames(s), hart_sp(h), place);
	if (frame == stack_depth(s)) {
		follow_call(u, h, place);
		return;
	}
	const uint64_t ret = pair_next_pc(hart_from(h));
	tr_frames_drop(stack_frames(s), frame);
	const struct frame *top = stack_top(s);
	bool is_inside = frame_is_function(top) && frame_sym(top) == place->sym;
	tr_frames_push(u, h, place->sym, ret, is_inside);
}

/* Without instruction bits the target alone determines the transfer. */
static void land_without_bits(struct tr_unwind *u, struct hart *h,
			      const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	bool is_within = frame_is_function(top) && frame_sym(top) == place->sym;
	if (place->pc == pair_next_pc(hart_from(h)))
		follow_jump(u, h, TR_FLOW_NEXT, place);
	else if (frame_is_function(top) && frame_returns_to(top, place))
		stacks_give_back(u, h, place);
	else if (place->entry && !is_within)
		follow_call(u, h, place);
	else if (!is_within)
		stacks_give_back(u, h, place);
}

/* Calls beyond the depth limit have no frames; they are counted until sp is back at its
 * value at the first one. Returns true while that is so. */
static bool is_too_deep(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place)
{
	struct stack *s = hart_stack(h);
	const uint64_t first = stack_deep_sp(s);
	if (!first)
		return false;
	if (flow == TR_FLOW_CALL &&
	    (place->entry || place->pc != pair_next_pc(hart_from(h)))) {
		stacks_count(u, COUNT_CALLS, 1);
		stacks_count(u, COUNT_TOO_DEEP, 1);
	}
	if (flow != TR_FLOW_RETURN && flow != TR_FLOW_INDIRECT)
		return true;
	if (hart_sp(h) >= first)
		frames_end_deep(stack_frames(s));
	if (hart_sp(h) > first)
		return false;
	stacks_count(u, COUNT_RETURNS, flow == TR_FLOW_RETURN);
	return true;
}

void tr_stacks_give_back_blank(struct tr_unwind *u, struct hart *h,
			       const struct place *place)
{
	struct stack *s = hart_stack(h);
	pop_below(u, h, place);
	stacks_count(u, COUNT_RETURNS, 1);
	hart_set_fresh(h, false);
	uint32_t frame = tr_frames_find_return(stack_frames(s), hart_sp(h), place);
	if (frame == stack_depth(s) && stack_depth(s) &&
	    frame_is_function(stack_frame(s, frame - 1)) &&
	    frame_sp(stack_frame(s, frame - 1)) == hart_sp(h))
		frame--;
	tr_frames_drop(stack_frames(s), frame);
}

/* Unnamed code that was not called is shown on top of the known function. Returns false
 * if it was called or nothing is known. */
static bool overlay_unnamed_code(struct tr_unwind *u, struct hart *h, uint8_t flow,
				 const struct place *place)
{
	if (!names_is_blank(names_of(u), place->sym) || flow == TR_FLOW_CALL ||
	    flow == TR_FLOW_SWAP)
		return false;
	if (flow == TR_FLOW_RETURN)
		tr_stacks_give_back_blank(u, h, place);
	const struct frame *top = stack_top(hart_stack(h));
	if (!frame_is_function(top) || names_is_blank(names_of(u), frame_sym(top))) {
		tr_stacks_correct(u, h, place);
	} else {
		hart_set_overlay(h, place->sym);
		state_add(h, HAS_OVERLAY);
	}
	return true;
}

/* A task's kernel has made it call a signal handler. The trap with which it was left has
 * ended, as the handler's return will go where that would have gone. */
static void begin_task_signal(struct tr_unwind *u, struct hart *h, uint8_t flow)
{
	struct stack *s = hart_stack(h);
	if (flow != FLOW_RESYNC || !stack_trap_count(s)) {
		tr_frames_push_signal(u, h, SYM_SIGNAL, 0, 0);
		return;
	}
	struct trap trap = *stack_newest_trap(s);
	trap_rename(&trap, SYM_SIGNAL);
	tr_frames_drop(stack_frames(s), trap_frame(&trap));
	tr_frames_push_trap(u, h, &trap);
}

/* A return or resync has reached a stack that does not go on there. At a function's
 * entry, a new thread begins; or, with just the sp that a task deep in its calls was left
 * with, a signal handler of that task. Returns true in these cases. Elsewhere, it is not
 * certain whose stack it is. */
static bool begin_again(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place)
{
	struct stack *s = hart_stack(h);
	state_drop(h, HAS_ARRIVED);
	if ((flow != TR_FLOW_RETURN && flow != FLOW_RESYNC) ||
	    tr_frames_find_return(stack_frames(s), hart_sp(h), place) < stack_depth(s))
		return false;
	if (!place->entry) {
		if (tr_frames_find_function(stack_frames(s), stack_depth(s), hart_sp(h),
					    place) == stack_depth(s) &&
		    names_role(names_of(u), place->sym) != ROLE_SETJMP)
			tr_stack_doubt(u, h, true);
		return false;
	}
	if (options_of(u)->has_sp && hart_sp(h) == stack_parked_sp(s) &&
	    !tr_task_begins_at(s, hart_sp(h))) {
		begin_task_signal(u, h, flow);
		tr_stacks_enter(u, h, place);
		return true;
	}
	tr_stack_begin_thread(u, h);
	thread_set_ordinal(hart_stack(h), ORDINAL_NEW);
	tr_stacks_begin(u, h, place);
	return true;
}

/* Calls and returns on the stack that control has come to. */
static void follow_transfer(struct tr_unwind *u, struct hart *h, uint8_t flow,
			    const struct place *place)
{
	switch (flow) {
	case FLOW_RESYNC:
		resync_to_function(u, h, place);
		break;
	case FLOW_NO_BITS:
		land_without_bits(u, h, place);
		break;
	case TR_FLOW_CALL:
		follow_call(u, h, place);
		break;
	case TR_FLOW_RETURN:
		stacks_give_back(u, h, place);
		break;
	case TR_FLOW_SWAP:
		switch_coroutine(u, h, place);
		break;
	default:
		follow_jump(u, h, flow, place);
		break;
	}
}

static void arrive_at_place(struct tr_unwind *u, struct hart *h,
			    const struct place *place)
{
	uint8_t flow = hart_from(h)->flow;
	stacks_note_call(u, hart_from(h)->last_sym, hart_from(h)->last_leaf);
	state_drop(h, HAS_OVERLAY);
	if ((state_has(h, HAS_PENDING) || stack_covered(hart_stack(h))) &&
	    flow >= TR_FLOW_BRANCH && flow <= TR_FLOW_SWAP) {
		if (!options_of(u)->has_sp)
			tr_inferred_settle(u, h, flow, place);
		else if (tr_leaving_land(u, h, flow, place))
			return;
		flow = hart_from(h)->flow;
	}
	bool is_task = state_has(h, WROTE_TP) && tr_stack_has_new_tp(u, h);
	bool is_named = state_has(h, WROTE_TP) && flow > TR_FLOW_BRANCH;
	if (is_named)
		state_drop(h, WROTE_TP);
	if (state_has(h, HAS_ARRIVED) && begin_again(u, h, flow, place))
		return;
	if (!stack_top(hart_stack(h))) {
		tr_stacks_begin(u, h, place);
		return;
	}
	if (leaves_base(u, h, flow, place, is_task))
		return;
	if (is_named)
		tr_stack_name_thread(u, h);
	if (is_too_deep(u, h, flow, place))
		return;
	if (overlay_unnamed_code(u, h, flow, place))
		return;
	follow_transfer(u, h, flow, place);
}

/* Fast path for most returns: from the top function into the one below. Returns false,
 * and does nothing, in other cases. */
static inline bool return_below(struct tr_unwind *u, struct hart *h,
				const struct place *place)
{
	struct stack *s = hart_stack(h);
	if (hart_from(h)->flow != TR_FLOW_RETURN || state_is_any(h) ||
	    stack_depth(s) < 2 || stack_deep_sp(s) ||
	    stacks_counted(u, COUNT_BREAKS)) /* the return may end a doubt */
		return false;
	const struct frame *top = stack_frame(s, stack_depth(s) - 1), *below = top - 1;
	if (frame_return_address(top) != place->pc || frame_sp(top) != hart_sp(h) ||
	    frame_kind(top) != FRAME_FUNCTION || frame_kind(below) != FRAME_FUNCTION ||
	    frame_sym(below) != place->sym)
		return false;
	frames_pop(stack_frames(s));
	hart_show_frame(h, frame_node(below), frame_sym(below), frame_sym(below));
	hart_set_fresh(h, false);
	stacks_count(u, COUNT_RETURNS, 1);
	return true;
}

/* Fast path for calls of another function's entry from a known function. Returns false,
 * and does nothing, in other cases. */
static inline bool call_above(struct tr_unwind *u, struct hart *h,
			      const struct place *place)
{
	struct stack *s = hart_stack(h);
	if (hart_from(h)->flow != TR_FLOW_CALL || state_is_any(h) || !place->entry ||
	    !stack_depth(s) || stack_depth(s) >= TR_UNWIND_DEPTH ||
	    hart_top(h) == SYM_NONE ||
	    names_is_blank(names_of(u), frame_sym(stack_frame(s, 0))))
		return false;
	stacks_note_call(u, hart_from(h)->last_sym, hart_from(h)->last_leaf);
	stacks_count(u, COUNT_CALLS, 1);
	push_entered_function(u, h, place, pair_next_pc(hart_from(h)), false);
	const struct frame *top = stack_frame(s, stack_depth(s) - 1);
	hart_show_frame(h, frame_node(top), frame_sym(top), frame_sym(top));
	return true;
}

/* Not inlined: it would make tr_stacks_land() save all callee-saved registers in its
 * prologue. */
__attribute__((noinline)) static void land_any(struct tr_unwind *u, struct hart *h,
					       const struct place *place)
{
	if (hart_from(h)->sp_write && !options_of(u)->has_sp)
		tr_inferred_write(h);
	if (call_above(u, h, place))
		return;
	if (!(state_has(h, HAS_RETURNED | HAS_XRET | IS_CHILD | HAS_TRAPPED |
			       HAS_CROSSED)) ||
	    !tr_traps_land(u, h, place))
		arrive_at_place(u, h, place);
	tr_stacks_name_root(u, h, place);
	tr_stacks_show(u, h);
}

void tr_stacks_land(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	bool infers_sp = hart_from(h)->sp_write && !options_of(u)->has_sp;
	if (infers_sp || !return_below(u, h, place))
		land_any(u, h, place);
}
