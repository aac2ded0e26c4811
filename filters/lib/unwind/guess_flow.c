/* SPDX-License-Identifier: Apache-2.0 */
/* The rules: what the last instruction of a block and the place where the next
 * one begins mean for the stack. */
#include "unwind/guess.h"

static void entered(struct tr_unwind *u, struct hart *h, uint32_t sym)
{
	h->fresh = !thread_of(h)->frames[thread_of(h)->depth - 1].hidden;
	if (u->syms[sym].role == ROLE_SETJMP)
		stack_note_setjmp(u, thread_of(h));
	else if (u->syms[sym].role == ROLE_FORK)
		forks_note(u, thread_of(h));
}

void flow_enter(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t ret)
{
	stack_push(u, thread_of(h), sym, ret);
	entered(u, h, sym);
}

static void tail_call(struct tr_unwind *u, struct hart *h, uint32_t sym)
{
	stack_rename(u, thread_of(h), sym);
	u->totals.tailcalls++;
	entered(u, h, sym);
}

static const struct frame *top_of(const struct thread *t)
{
	return &t->frames[t->depth - 1];
}

static bool is_empty_level(const struct thread *t)
{
	return t->depth - 1 == t->base;
}

/* Code without a name runs that was not called: it stands on top of what is known
 * until that goes on. It is no call, so not counted at the depth limit. On "[signal]"
 * it is the trampoline, which has no frame then. */
static void go_blank(struct tr_unwind *u, struct thread *t, uint32_t sym)
{
	if (top_of(t)->sym == SYM_SIGNAL)
		return;
	if (sym_is_blank(u, top_of(t)->sym))
		stack_rename(u, t, sym);
	else if (t->depth < TR_UNWIND_DEPTH)
		stack_push(u, t, sym, NO_RETURN);
}

/* `sym` is known and next: code without a name that was not called ends. What it
 * stood on is on top again, or the nearest open frame of `sym`, if it is not
 * called anew. */
static void end_overlay(struct tr_unwind *u, struct thread *t, uint32_t sym, bool anew)
{
	uint32_t top = t->depth - 1;
	if (!stack_is_overlay(u, t, top))
		return;
	uint32_t frame = anew ? 0 : stack_find_symbol(t, sym);
	stack_keep(t, frame ? frame + 1 : top);
}

/* The function on top is `sym`, whatever was thought before. */
static void correct(struct tr_unwind *u, struct hart *h, uint32_t sym)
{
	struct thread *t = thread_of(h);
	if (!sym_is_blank(u, sym))
		end_overlay(u, t, sym, false);
	if (is_empty_level(t))
		flow_enter(u, h, sym, NO_RETURN);
	else if (t->top == sym)
		return;
	else if (sym_is_blank(u, sym))
		go_blank(u, t, sym);
	else
		stack_rename(u, t, sym);
}

/* To a setjmp's return, or into a function that is open. */
static bool land_inside(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct thread *t = thread_of(h);
	if (!stack_longjmp(u, t, place->pc)) {
		bool is_known = !sym_is_blank(u, place->sym);
		uint32_t frame = is_known ? stack_find_symbol(t, place->sym) : 0;
		if (!frame)
			return false;
		stack_keep(t, frame + 1);
	}
	h->fresh = false;
	correct(u, h, place->sym);
	return true;
}

static void resync(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	if (thread_of(h)->top == place->sym)
		return;
	u->totals.resyncs++;
	if (!land_inside(u, h, place))
		correct(u, h, place->sym);
}

static bool pop_to_return(struct tr_unwind *u, struct hart *h, uint64_t pc)
{
	uint32_t frame = stack_find_return(thread_of(h), pc);
	if (!frame)
		return false;
	stack_keep(thread_of(h), frame);
	h->fresh = false;
	guess_hart(h)->switched = false;
	u->totals.returns++;
	return true;
}

static void move(struct tr_unwind *u, struct hart *h, uint8_t flow,
		 const struct place *place)
{
	struct thread *t = thread_of(h);
	if (t->top == place->sym)
		return;
	if (sym_is_blank(u, place->sym)) {
		go_blank(u, t, place->sym);
		return;
	}
	bool is_tail = place->entry && flow != TR_FLOW_NEXT;
	end_overlay(u, t, place->sym, is_tail);
	if (t->top == place->sym)
		return;
	if (sym_is_blank(u, t->top))
		stack_rename(u, t, place->sym);
	else if (is_tail)
		tail_call(u, h, place->sym);
	else if (flow == TR_FLOW_INDIRECT && pop_to_return(u, h, place->pc))
		correct(u, h, place->sym);
	else if (flow != TR_FLOW_INDIRECT || !land_inside(u, h, place))
		stack_rename(u, t, place->sym);
}

static void call(struct tr_unwind *u, struct hart *h, const struct place *place,
		 uint64_t ret)
{
	/* "jal ra, .+4" asks where it is. */
	if (place->pc == ret && !place->entry) {
		move(u, h, TR_FLOW_NEXT, place);
		return;
	}
	u->totals.calls++;
	flow_enter(u, h, place->sym, ret);
}

static void begin(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct thread *t = thread_of(h);
	bool user = (h->context.priv & 3) == TR_PRIV_U;
	uint32_t root = place->sym;
	if (place->binary < u->options.nprograms)
		root = u->binaries[place->binary].program;
	h->fresh = false;
	if (u->syms[place->sym].role == ROLE_NEWBORN && forks_begin(u, h)) {
		t->id = guess_thread_id(u, t);
		guess_show(h);
		rows_begin_stack(u, h, t->frames[0].node);
		flow_enter(u, h, place->sym, NO_RETURN);
		return;
	}
	if (user && forks_adopt(u, h, place->pc, place->sym)) {
		correct(u, h, place->sym);
		t->id = guess_thread_id(u, t);
	} else {
		stack_root(u, t, root, h->context.priv);
		t->id = guess_thread_id(u, t);
		guess_show(h);
		rows_begin_stack(u, h, t->frames[0].node);
		flow_enter(u, h, place->sym, NO_RETURN);
	}
	t->space = user ? h->context.space : 0;
}

/* Whether the function on top, or below what stands there without a call, ran when
 * the trace began. */
static bool is_beyond(const struct tr_unwind *u, const struct thread *t)
{
	uint32_t top = t->depth - 1;
	top -= stack_is_overlay(u, t, top);
	return t->frames[top].ret == NO_RETURN && top - 1 == t->base;
}

static void land_return(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct thread *t = thread_of(h);
	if (pop_to_return(u, h, place->pc)) {
		correct(u, h, place->sym);
		return;
	}
	/* The first return on a thread goes where it came from, or else this is
	 * a new one in the old one's place. */
	if (guess_hart(h)->switched) {
		guess_hart(h)->switched = false;
		begin(u, h, place);
		return;
	}
	if (signals_end_handler(u, h, place->sym) || t->top == place->sym)
		return;
	if (place->entry) {
		end_overlay(u, t, place->sym, true);
		tail_call(u, h, place->sym);
		return;
	}
	if (forks_exchange(u, t, place->pc) && pop_to_return(u, h, place->pc)) {
		correct(u, h, place->sym);
		return;
	}
	if (land_inside(u, h, place))
		return;
	u->totals.returns++;
	if (is_beyond(u, t))
		u->totals.beyond++;
	else
		u->totals.unmatched++;
	h->fresh = false;
	correct(u, h, place->sym);
}

/* Coroutines change places: the one that goes on is on top. */
static void swap(struct tr_unwind *u, struct hart *h, const struct place *place,
		 uint64_t ret)
{
	struct thread *t = thread_of(h);
	if (!pop_to_return(u, h, place->pc))
		call(u, h, place, ret);
	else if (t->top == place->sym)
		stack_twin(u, t, ret);
	else
		stack_push(u, t, place->sym, ret);
}

/* Without instruction bits the landing alone decides. */
static void land_without_bits(struct tr_unwind *u, struct hart *h,
			      const struct place *place, uint64_t next_pc)
{
	if (place->pc == next_pc)
		move(u, h, TR_FLOW_NEXT, place);
	else if (pop_to_return(u, h, place->pc))
		correct(u, h, place->sym);
	else if (place->entry && place->sym != thread_of(h)->top)
		call(u, h, place, next_pc);
	else
		move(u, h, TR_FLOW_INDIRECT, place);
}

/* Above the depth limit calls are only counted. */
static void land_hidden(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place, uint64_t next_pc)
{
	struct thread *t = thread_of(h);
	if (flow == TR_FLOW_CALL) {
		if (place->pc != next_pc || place->entry)
			flow_enter(u, h, place->sym, next_pc);
		h->fresh = false;
		return;
	}
	if ((flow == TR_FLOW_RETURN || flow == TR_FLOW_INDIRECT) &&
	    stack_longjmp(u, t, place->pc)) {
		correct(u, h, place->sym);
	} else if (flow == FLOW_NO_BITS && pop_to_return(u, h, place->pc)) {
		correct(u, h, place->sym);
	} else if (flow == TR_FLOW_RETURN) {
		u->totals.returns++;
		if (stack_unhide(t))
			correct(u, h, place->sym);
	}
}

static void land(struct tr_unwind *u, struct hart *h, uint8_t flow,
		 const struct place *place, uint64_t next_pc)
{
	switch (flow) {
	case TR_FLOW_CALL:
		call(u, h, place, next_pc);
		break;
	case TR_FLOW_RETURN:
		land_return(u, h, place);
		break;
	case TR_FLOW_SWAP:
		swap(u, h, place, next_pc);
		break;
	case FLOW_NO_BITS:
		land_without_bits(u, h, place, next_pc);
		break;
	case TR_FLOW_XRET:
	case FLOW_RESYNC:
		resync(u, h, place);
		break;
	default:
		move(u, h, flow, place);
		break;
	}
}

/* After a trap return: where the trap came from, what would have happened there
 * happens now; elsewhere it is a signal handler, a trap passed on to S, or a
 * context that the handler set up. */
static uint8_t resume(struct tr_unwind *u, struct hart *h, const struct place *place,
		      uint64_t *next_pc)
{
	const struct frame *trap = &guess_hart(h)->resumed;
	*next_pc = trap->flow_next;
	if (place->pc == trap->ret)
		return trap->flow;
	if (place->pc - trap->ret <= TR_INSN_MAX_BYTES)
		return TR_FLOW_NEXT;
	if (signals_return(u, h, place) || !place->entry)
		return FLOW_RESYNC;
	if ((h->context.priv & 3) == TR_PRIV_U) {
		if (!is_empty_level(thread_of(h)))
			signals_begin(u, h, trap->ret, place->sym);
	} else if (trap->priv != h->context.priv) {
		struct frame again = *trap;
		again.priv = h->context.priv;
		stack_trap(u, thread_of(h), &again);
	} else {
		return FLOW_RESYNC;
	}
	return TR_FLOW_NEXT;
}

/* What nearly all returns are: from the function on top into the one below. False,
 * and nothing done, for all others. */
static inline bool return_below(struct tr_unwind *u, struct hart *h,
				const struct place *place)
{
	struct thread *t = thread_of(h);
	if (h->from->flow != TR_FLOW_RETURN || t->depth < t->base + 3)
		return false;
	const struct frame *top = top_of(t), *below = top - 1;
	if (top->hidden || top->ret != place->pc || below->sym != place->sym)
		return false;
	t->depth--;
	t->top = place->sym;
	h->fresh = false;
	guess_hart(h)->switched = false;
	u->totals.returns++;
	return true;
}

static void land_anew(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct thread *t = thread_of(h);
	uint8_t flow = h->from->flow;
	uint64_t next_pc = pair_next_pc(h->from);
	u->call_sym = h->from->last_sym;
	u->call_leaf = h->from->last_leaf;
	if (flow == FLOW_RESUME && !place->entry)
		forks_undo(u, t, guess_hart(h)->resumed.ret, place->pc);
	if (!t->depth) {
		begin(u, h, place);
		return;
	}
	if (flow == FLOW_RESUME)
		flow = resume(u, h, place, &next_pc);
	if (top_of(t)->hidden)
		land_hidden(u, h, flow, place, next_pc);
	else if (is_empty_level(t))
		flow_enter(u, h, place->sym, NO_RETURN);
	else
		land(u, h, flow, place, next_pc);
}

/* A library tells no program: whose it is may be in no file. */
static void name_root(struct tr_unwind *u, struct thread *t, uint32_t program)
{
	if (!sym_is_blank(u, program))
		stack_name_root(u, t, program);
}

void flow_land(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct thread *t = thread_of(h);
	if (!return_below(u, h, place))
		land_anew(u, h, place);
	if (t->base == 0 && sym_is_blank(u, t->frames[0].sym) &&
	    place->binary < u->options.nprograms)
		name_root(u, t, u->binaries[place->binary].program);
}

/* A trap right after the return from another, back where that came from: what was
 * open then is open still. */
static void resume_at(struct tr_unwind *u, struct hart *h, uint64_t epc)
{
	const struct frame *trap = &guess_hart(h)->resumed;
	const struct place place = {.pc = epc};
	if (epc == trap->ret)
		flow_set(h, trap->flow, trap->flow_next);
	else if (epc - trap->ret <= TR_INSN_MAX_BYTES)
		flow_set(h, TR_FLOW_NEXT, epc);
	else {
		signals_return(u, h, &place);
		flow_set(h, FLOW_RESYNC, epc);
	}
}

/* Nothing is known at epc. The end of a handler is one all the same. */
static void settle_unknown(struct tr_unwind *u, struct hart *h, uint64_t epc)
{
	if (h->from->flow == TR_FLOW_RETURN && !stack_find_return(thread_of(h), epc) &&
	    signals_end_handler(u, h, SYM_UNKNOWN))
		flow_set(h, TR_FLOW_NEXT, epc);
}

/* No block has run at epc yet; but its file, most often that of what ran before it,
 * tells its function. */
void flow_settle(struct tr_unwind *u, struct hart *h, uint64_t epc)
{
	struct place place = {.pc = epc};
	if (h->from->flow == FLOW_RESUME)
		resume_at(u, h, epc);
	bool is_near = h->from->flow < TR_FLOW_JUMP;
	if (h->from->flow > TR_FLOW_SWAP || (is_near && h->from == &h->held))
		return;
	if (!pairs_locate(u, h->from, tr_note_space(&h->context), &place)) {
		settle_unknown(u, h, epc);
		return;
	}
	flow_land(u, h, &place);
	flow_set(h, TR_FLOW_NEXT, epc);
}

/* A process of which no instruction has run yet is the kernel's. */
void flow_begin(struct tr_unwind *u, struct hart *h, uint64_t epc)
{
	struct place place = {.pc = epc, .binary = TR_NOTE_UNKNOWN};
	struct thread *t = thread_of(h);
	if (pairs_locate(u, &h->held, tr_note_space(&h->context), &place)) {
		begin(u, h, &place);
	} else {
		stack_root(u, t, pairs_program(u, TR_SPACE_SUPERVISOR), h->context.priv);
		t->space = SPACE_NONE;
		t->id = guess_thread_id(u, t);
	}
	flow_set(h, TR_FLOW_NEXT, epc);
}
