/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for control transfers: the previous block, sp, and the start of the next block
 * determine the running function and its frame. */
#include "unwind/stacks.h"

void tr_stacks_show(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *bottom = stack_bottom(h->stack);
	const struct frame *top = stack_top(h->stack);
	struct here *here = &h->hart.here;
	*here = (struct here){.top = SYM_NONE};
	if (!top)
		return;
	here->node = top->node;
	here->sym = top->sym;
	here->thread = bottom->id;
	here->process =
	    bottom->root == HOLD_NONE ? bottom->space : TR_HELD | bottom->root;
	if (h->state & HAS_OVERLAY) {
		here->node = tr_nodes_on(nodes_of(u), top->node, h->overlay);
		here->sym = here->top = h->overlay;
	} else if (frame_is_function(top) && !h->stack->deep) {
		here->top = top->sym;
	}
	if (h->state & ~(uint32_t)(HAS_OVERLAY | WROTE_TP))
		here->top = SYM_NONE;
}

static void push_entered_function(struct tr_unwind *u, struct stacks_hart *h,
				  const struct place *place, uint64_t ret, bool is_inside)
{
	tr_frames_push(u, h, place->sym, ret, is_inside);
	h->hart.fresh = !is_inside && !h->stack->deep;
}

void tr_stacks_enter(struct tr_unwind *u, struct stacks_hart *h,
		     const struct place *place)
{
	push_entered_function(u, h, place, NO_RETURN, false);
	h->hart.fresh &= place->entry;
}

/* Drops frames that were called below sp. The oldest function stays in any case. */
static void drop_left(struct stacks_hart *h)
{
	struct stack *s = h->stack;
	uint32_t depth = s->depth;
	while (depth > 1 && s->frames[depth - 1].sp < h->hart.sp &&
	       s->frames[depth - 2].kind == FRAME_FUNCTION &&
	       s->frames[depth - 2].sp <= h->hart.sp)
		depth--;
	if (depth < s->depth)
		tr_frames_truncate(s, depth);
}

/* A handler has popped all that it saved and jumps to a function of the stack that the
 * trap interrupted, as to a scheduler that waits: that one begins again, and the trap has
 * ended without a trap return. Returns false in other cases. */
static bool end_trap_by_jump(struct stacks_hart *h, const struct place *place)
{
	struct stack *s = h->stack;
	const uint64_t sp = h->hart.sp;
	if (!s->ntraps || s->frames[s->depth - 1].sp > sp)
		return false;
	const struct trap *t = &s->traps[s->ntraps - 1];
	for (uint32_t i = t->frame; t->from == t->priv && i-- > 0;) {
		const struct frame *f = &s->frames[i];
		if (s->frames[i + 1].sp > sp)
			return false;
		if (frame_is_function(f) && f->sym == place->sym &&
		    (f->sp == sp || s->frames[i + 1].sp == sp)) {
			tr_frames_truncate(s, i + 1);
			h->hart.fresh = true;
			return true;
		}
	}
	return false;
}

static void tail_call(struct tr_unwind *u, struct stacks_hart *h,
		      const struct place *place)
{
	if (options_of(u)->has_sp && end_trap_by_jump(h, place))
		return;
	/* A jump that also resets sp leaves frames, as a dynamic loader does when it
	 * starts the program. */
	if (options_of(u)->has_sp)
		drop_left(h);
	tr_frames_rename(u, h, place->sym);
	stacks_count(u, COUNT_TAILCALLS, 1);
	h->hart.fresh = true;
}

void tr_stacks_correct(struct tr_unwind *u, struct stacks_hart *h,
		       const struct place *place)
{
	struct frame *top = stack_top(h->stack);
	if (!frame_is_function(top))
		tr_stacks_enter(u, h, place);
	else if (top->sym != place->sym)
		tr_frames_rename(u, h, place->sym);
}

/* Frames below sp that were dropped. */
struct gone {
	bool is_odd;  /* one returns to the place, but had another sp at the call */
	bool has_top; /* one was called by the frame now on top, which had moved sp */
};

/* Drops the frames that were called below sp. Returns a summary of them. */
static struct gone pop_below(struct tr_unwind *u, struct stacks_hart *h,
			     const struct place *place)
{
	struct stack *s = h->stack;
	uint32_t depth = s->depth;
	struct gone gone = {.is_odd = false};
	while (depth && s->frames[depth - 1].sp < h->hart.sp) {
		gone.is_odd |= frame_returns_to(&s->frames[depth - 1], place);
		depth--;
	}
	if (gone.is_odd)
		tr_frames_doubt(u, h, s, depth);
	gone.has_top = depth < s->depth && s->frames[depth].kind == FRAME_FUNCTION;
	if (depth < s->depth)
		tr_frames_truncate(s, depth);
	return gone;
}

/* Returns the newest frame at sp that returns to the place, or s->depth. */
static uint32_t find_return(const struct stack *s, uint64_t sp, const struct place *place)
{
	for (uint32_t i = s->depth; i-- > 0 && s->frames[i].sp == sp;)
		if (frame_returns_to(&s->frames[i], place))
			return i;
	return s->depth;
}

/* Returns the newest activation of the function at the place among the first `depth`
 * frames, if all frames above it were called at sp; else s->depth. */
static uint32_t find_function(const struct stack *s, uint32_t depth, uint64_t sp,
			      const struct place *place)
{
	for (uint32_t i = depth; i-- > 0;) {
		const struct frame *f = &s->frames[i];
		if (f->kind == FRAME_FUNCTION && f->sym == place->sym)
			return i;
		if (f->kind != FRAME_FUNCTION || f->sp != sp)
			break;
	}
	return s->depth;
}

/* Returns the newest activation of the function below traps that came at sp, as for a
 * longjmp() out of their handlers; else s->depth. */
static uint32_t find_interrupted(const struct stack *s, uint64_t sp,
				 const struct place *place)
{
	for (uint32_t i = s->ntraps; i-- > 0 && s->frames[s->traps[i].frame].sp == sp;) {
		uint32_t frame = find_function(s, s->traps[i].frame, sp, place);
		if (frame < s->depth)
			return frame;
	}
	return s->depth;
}

/* Handles a return to a place that no frame returns to. */
static void land_inside(struct tr_unwind *u, struct stacks_hart *h,
			const struct place *place, struct gone gone)
{
	struct stack *s = h->stack;
	struct frame *top = stack_top(s);
	uint32_t frame = s->depth;
	/* The frame that had moved sp has ended too, if the one below it resumes: as when
	 * an exception is caught by a recursive function. */
	if (gone.has_top && s->depth && s->frames[s->depth - 1].sp == h->hart.sp)
		frame = find_function(s, s->depth - 1, h->hart.sp, place);
	if (frame == s->depth)
		frame = find_function(s, s->depth, h->hart.sp, place);
	if (frame == s->depth && options_of(u)->has_sp)
		frame = find_interrupted(s, h->hart.sp, place);
	if (frame < s->depth) {
		tr_frames_truncate(s, frame + 1);
		return;
	}
	/* A signal handler has no caller either, but it began within the trace. */
	bool is_handler = frame_is_function(top) && s->depth > 1 &&
			  s->frames[s->depth - 2].sym == SYM_SIGNAL;
	bool is_beyond =
	    !frame_is_function(top) || (top->ret == NO_RETURN && !is_handler);
	stacks_count(u, COUNT_BEYOND, is_beyond);
	/* longjmp() returns into setjmp(), whose frame is gone. */
	bool is_setjmp = names_role(names_of(u), place->sym) == ROLE_SETJMP;
	/* The stack was taken for that of this task. */
	if (!options_of(u)->has_sp && !is_setjmp && stack_bottom(s)->ordinal)
		tr_breaks_doubt(u, h);
	if (!is_beyond && !gone.is_odd && !is_setjmp) {
		stacks_count(u, COUNT_UNMATCHED, 1);
		if (s->depth)
			tr_frames_doubt(u, h, s, s->depth - 1);
	}
	if (frame_is_function(top) && top->sp <= h->hart.sp) {
		tr_frames_rename(u, h, place->sym);
		return;
	}
	tr_frames_push(u, h, place->sym, NO_RETURN, false);
	h->hart.fresh = place->entry;
}

/* Handles a jump that may be a return to `place`. */
static void stacks_give_back(struct tr_unwind *u, struct stacks_hart *h,
			     const struct place *place)
{
	struct stack *s = h->stack;
	if (!options_of(u)->has_sp)
		tr_inferred_return(h, place);
	struct gone gone = pop_below(u, h, place);
	uint32_t top = s->depth - 1;
	h->hart.fresh = false;
	stacks_count(u, COUNT_RETURNS, 1);
	stacks_count(u, COUNT_LONGJMPS, gone.has_top && !gone.is_odd);
	if (!s->depth) {
		stacks_count(u, COUNT_UNMATCHED, 1);
		tr_frames_push(u, h, place->sym, NO_RETURN, false);
		return;
	}
	if (s->depth && frame_returns_to(&s->frames[top], place)) {
		if (s->frames[top].sp != h->hart.sp && !s->frames[top].is_alternate)
			tr_frames_doubt(u, h, s, top);
		tr_frames_truncate(s, top);
		tr_breaks_mend(u, h);
		tr_stacks_correct(u, h, place);
		return;
	}
	uint32_t frame = find_return(s, h->hart.sp, place);
	if (frame < s->depth) {
		tr_frames_truncate(s, frame);
		tr_breaks_mend(u, h);
		tr_stacks_correct(u, h, place);
	} else if (place->entry && frame_is_function(stack_top(s))) {
		stacks_count(u, COUNT_RETURNS, UINT64_MAX);
		tail_call(u, h, place);
	} else {
		land_inside(u, h, place, gone);
	}
	if (h->hart.sp > s->high)
		tr_stack_widen(u, s, h->hart.sp);
}

/* The stack stands on another as long as the function that wrote sp runs and calls; when
 * control leaves that function otherwise, this is a new thread. Returns true in that
 * case. */
static bool leaves_base(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place, bool is_task)
{
	if (h->stack->depth || !tr_leaves_caller(h, flow, place))
		return false;
	tr_leaving_begin_thread(u, h);
	h->stack->is_task = is_task;
	tr_stack_doubt(u, h, !options_of(u)->has_sp && !place->entry);
	tr_stacks_begin(u, h, place);
	return true;
}

static void follow_call(struct tr_unwind *u, struct stacks_hart *h,
			const struct place *place)
{
	const uint64_t ret = pair_next_pc(h->hart.from);
	const struct frame *top = stack_top(h->stack);
	bool is_inside =
	    frame_is_function(top) && top->sym == place->sym && !place->entry;
	/* "jal ra, .+4" reads the pc. */
	if (is_inside && place->pc == ret)
		return;
	stacks_count(u, COUNT_CALLS, !is_inside);
	push_entered_function(u, h, place, ret, is_inside);
}

/* Returns true for a jump by a register into a function of which neither the name nor,
 * therefore, the bounds are certain, and that no frame returns to: a table of a switch
 * may lead behind an address that is called, and a tail call to one that never is. */
static bool goes_to_nameless(const struct tr_unwind *u, const struct stacks_hart *h,
			     const struct place *place)
{
	return names_role(names_of(u), place->sym) == ROLE_NAMELESS &&
	       stack_top(h->stack)->sp >= h->hart.sp &&
	       find_return(h->stack, h->hart.sp, place) == h->stack->depth;
}

static void follow_jump(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	if (frame_is_function(top) && top->sym == place->sym)
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
static void resync_to_function(struct tr_unwind *u, struct stacks_hart *h,
			       const struct place *place)
{
	struct stack *s = h->stack;
	const struct frame *top = stack_top(s);
	if (frame_is_function(top) && top->sym == place->sym)
		return;
	stacks_count(u, COUNT_RESYNCS, 1);
	h->hart.fresh = false;
	uint32_t frame = find_function(s, s->depth, h->hart.sp, place);
	if (frame < s->depth)
		tr_frames_truncate(s, frame + 1);
	else if (frame_is_function(top) && top->sp <= h->hart.sp && !place->entry)
		tr_frames_rename(u, h, place->sym);
	else
		tr_stacks_enter(u, h, place);
}

/* A coroutine switch: the resumed coroutine replaces the top frame. */
static void switch_coroutine(struct tr_unwind *u, struct stacks_hart *h,
			     const struct place *place)
{
	struct stack *s = h->stack;
	uint32_t frame = find_return(s, h->hart.sp, place);
	if (frame == s->depth) {
		follow_call(u, h, place);
		return;
	}
	const uint64_t ret = pair_next_pc(h->hart.from);
	tr_frames_truncate(s, frame);
	const struct frame *top = stack_top(s);
	bool is_inside = frame_is_function(top) && top->sym == place->sym;
	tr_frames_push(u, h, place->sym, ret, is_inside);
}

/* Without instruction bits the target alone determines the transfer. */
static void land_without_bits(struct tr_unwind *u, struct stacks_hart *h,
			      const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	bool is_within = frame_is_function(top) && top->sym == place->sym;
	if (place->pc == pair_next_pc(h->hart.from))
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
static bool is_too_deep(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place)
{
	struct stack *s = h->stack;
	const uint64_t first = s->deep;
	if (!first)
		return false;
	if (flow == TR_FLOW_CALL &&
	    (place->entry || place->pc != pair_next_pc(h->hart.from))) {
		stacks_count(u, COUNT_CALLS, 1);
		stacks_count(u, COUNT_TOO_DEEP, 1);
	}
	if (flow != TR_FLOW_RETURN && flow != TR_FLOW_INDIRECT)
		return true;
	if (h->hart.sp >= first)
		s->deep = 0;
	if (h->hart.sp > first)
		return false;
	stacks_count(u, COUNT_RETURNS, flow == TR_FLOW_RETURN);
	return true;
}

void tr_stacks_give_back_blank(struct tr_unwind *u, struct stacks_hart *h,
			       const struct place *place)
{
	struct stack *s = h->stack;
	pop_below(u, h, place);
	stacks_count(u, COUNT_RETURNS, 1);
	h->hart.fresh = false;
	uint32_t frame = find_return(s, h->hart.sp, place);
	if (frame == s->depth && s->depth && frame_is_function(&s->frames[frame - 1]) &&
	    s->frames[frame - 1].sp == h->hart.sp)
		frame--;
	tr_frames_truncate(s, frame);
}

/* Unnamed code that was not called is shown on top of the known function. Returns false
 * if it was called or nothing is known. */
static bool overlay_unnamed_code(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
				 const struct place *place)
{
	if (!names_is_blank(names_of(u), place->sym) || flow == TR_FLOW_CALL ||
	    flow == TR_FLOW_SWAP)
		return false;
	if (flow == TR_FLOW_RETURN)
		tr_stacks_give_back_blank(u, h, place);
	const struct frame *top = stack_top(h->stack);
	if (!frame_is_function(top) || names_is_blank(names_of(u), top->sym)) {
		tr_stacks_correct(u, h, place);
	} else {
		h->overlay = place->sym;
		h->state |= HAS_OVERLAY;
	}
	return true;
}

/* A task's kernel has made it call a signal handler. The trap with which it was left has
 * ended, as the handler's return will go where that would have gone. */
static void begin_task_signal(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow)
{
	struct stack *s = h->stack;
	if (flow != FLOW_RESYNC || !s->ntraps) {
		tr_frames_push_signal(u, h, 0, 0);
		return;
	}
	struct trap trap = s->traps[s->ntraps - 1];
	trap.sym = SYM_SIGNAL;
	tr_frames_truncate(s, trap.frame);
	tr_frames_push_trap(u, h, &trap);
}

/* A return or resync has reached a stack that does not go on there. At a function's
 * entry, a new thread begins; or, with just the sp that a task deep in its calls was left
 * with, a signal handler of that task. Returns true in these cases. Elsewhere, it is not
 * certain whose stack it is. */
static bool begin_again(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place)
{
	const struct stack *s = h->stack;
	h->state &= ~(uint32_t)HAS_ARRIVED;
	if ((flow != TR_FLOW_RETURN && flow != FLOW_RESYNC) ||
	    find_return(s, h->hart.sp, place) < s->depth)
		return false;
	if (!place->entry) {
		if (find_function(s, s->depth, h->hart.sp, place) == s->depth &&
		    names_role(names_of(u), place->sym) != ROLE_SETJMP)
			tr_stack_doubt(u, h, true);
		return false;
	}
	if (options_of(u)->has_sp && h->hart.sp == s->parked &&
	    !tr_task_begins_at(s, h->hart.sp)) {
		begin_task_signal(u, h, flow);
		tr_stacks_enter(u, h, place);
		return true;
	}
	tr_stack_begin_thread(u, h);
	h->stack->ordinal = ORDINAL_NEW;
	tr_stacks_begin(u, h, place);
	return true;
}

/* Calls and returns on the stack that control has come to. */
static void follow_transfer(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
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

static void arrive_at_place(struct tr_unwind *u, struct stacks_hart *h,
			    const struct place *place)
{
	uint8_t flow = h->hart.from->flow;
	stacks_note_call(u, h->hart.from->last_sym, h->hart.from->last_leaf);
	h->state &= ~(uint32_t)HAS_OVERLAY;
	if ((h->state & HAS_PENDING || h->stack->covers) && flow >= TR_FLOW_BRANCH &&
	    flow <= TR_FLOW_SWAP) {
		if (!options_of(u)->has_sp)
			tr_inferred_settle(u, h, flow, place);
		else if (tr_leaving_land(u, h, flow, place))
			return;
		flow = h->hart.from->flow;
	}
	bool is_task = h->state & WROTE_TP && tr_stack_has_new_tp(u, h);
	bool is_named = h->state & WROTE_TP && flow > TR_FLOW_BRANCH;
	if (is_named)
		h->state &= ~(uint32_t)WROTE_TP;
	if (h->state & HAS_ARRIVED && begin_again(u, h, flow, place))
		return;
	if (!stack_top(h->stack)) {
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
static inline bool return_below(struct tr_unwind *u, struct stacks_hart *h,
				const struct place *place)
{
	struct stack *s = h->stack;
	if (h->hart.from->flow != TR_FLOW_RETURN || h->state || s->depth < 2 || s->deep ||
	    stacks_counted(u, COUNT_BREAKS)) /* the return may end a doubt */
		return false;
	const struct frame *top = &s->frames[s->depth - 1], *below = top - 1;
	if (top->ret != place->pc || top->sp != h->hart.sp ||
	    top->kind != FRAME_FUNCTION || below->kind != FRAME_FUNCTION ||
	    below->sym != place->sym)
		return false;
	s->depth--;
	h->hart.here.node = below->node;
	h->hart.here.sym = h->hart.here.top = below->sym;
	h->hart.fresh = false;
	stacks_count(u, COUNT_RETURNS, 1);
	return true;
}

/* Fast path for calls of another function's entry from a known function. Returns false,
 * and does nothing, in other cases. */
static inline bool call_above(struct tr_unwind *u, struct stacks_hart *h,
			      const struct place *place)
{
	struct stack *s = h->stack;
	if (h->hart.from->flow != TR_FLOW_CALL || h->state || !place->entry ||
	    !s->depth || s->depth >= TR_UNWIND_DEPTH || h->hart.here.top == SYM_NONE ||
	    names_is_blank(names_of(u), s->frames[0].sym))
		return false;
	stacks_note_call(u, h->hart.from->last_sym, h->hart.from->last_leaf);
	stacks_count(u, COUNT_CALLS, 1);
	push_entered_function(u, h, place, pair_next_pc(h->hart.from), false);
	const struct frame *top = &s->frames[s->depth - 1];
	h->hart.here.node = top->node;
	h->hart.here.sym = h->hart.here.top = top->sym;
	return true;
}

/* Not inlined: it would make tr_stacks_land() save all callee-saved registers in its
 * prologue. */
__attribute__((noinline)) static void land_any(struct tr_unwind *u, struct stacks_hart *h,
					       const struct place *place)
{
	if (h->hart.from->sp_write && !options_of(u)->has_sp)
		tr_inferred_write(h);
	if (call_above(u, h, place))
		return;
	if (!(h->state &
	      (HAS_RETURNED | HAS_XRET | IS_CHILD | HAS_TRAPPED | HAS_CROSSED)) ||
	    !tr_traps_land(u, h, place))
		arrive_at_place(u, h, place);
	tr_stacks_name_root(u, h, place);
	tr_stacks_show(u, h);
}

void tr_stacks_land(struct tr_unwind *u, struct hart *hart, const struct place *place)
{
	struct stacks_hart *h = stacks_hart(hart);
	bool infers_sp = hart->from->sp_write && !options_of(u)->has_sp;
	if (infers_sp || !return_below(u, h, place))
		land_any(u, h, place);
}
