/* SPDX-License-Identifier: Apache-2.0 */
/* sp for sources that do not tell it. What instructions add to sp is known from their
 * bits, and each stack has made-up addresses. Where sp gets another value, what comes
 * next tells which: a switch goes on where another stack was left, and if several were
 * left there, the returns that follow decide between them.
 */
#include "unwind/stacks.h"

/* The addresses of a stack. */
#define ROOM (UINT64_C(1) << 32)
/* A signal's frame, so that its handler is called below what it interrupted. */
enum { SIGNAL_ROOM = 4096 };

uint64_t inferred_new_sp(struct tr_unwind *u)
{
	return ++stacks_of(u)->inferred * ROOM + ROOM / 2;
}

static bool is_function(const struct frame *f)
{
	return f && f->kind == FRAME_FUNCTION;
}

void inferred_write(struct stacks_hart *h)
{
	const struct pair from = *h->hart.from;
	const struct frame *top = stack_top(h->stack);
	h->hart.held = from;
	h->hart.held.sp_write = TR_SP_KEEPS;
	h->hart.from = &h->hart.held;
	if (from.sp_write == TR_SP_FRAME && is_function(top)) {
		h->hart.sp = top->sp + (uint64_t)(int64_t)from.sp;
	} else if (from.sp_write == TR_SP_LOADS && !(h->state & HAS_PENDING)) {
		h->pending.before = h->hart.sp - (uint64_t)(int64_t)from.sp;
		h->pending.floats = stack_floats(h->stack, h->pending.before);
		h->state |= HAS_PENDING;
	}
}

/* ------------------------------------------------------------ switches */

/* Where control may go on. */
struct choice {
	struct stack *stack;
	int score;
	uint32_t node;	   /* that goes on */
	bool is_ambiguous; /* another one, which shows otherwise, is as good */
};

static void consider(struct choice *c, struct stack *s, const struct ahead *a,
		     bool is_named)
{
	const struct left left = left_of(s);
	int score = ahead_score(a, &left);
	if (is_named && score < 0)
		score = 0;
	if (score < 0 || (c->stack && score < c->score))
		return;
	const struct frame *top = &s->frames[s->depth - 1];
	bool is_tie = c->stack && score == c->score;
	c->is_ambiguous = is_tie && (c->is_ambiguous || c->node != top->node);
	if (is_tie && c->stack->used > s->used)
		return;
	c->stack = s;
	c->score = score;
	c->node = top->node;
}

static bool may_be_of(struct stack *s, uint64_t tp)
{
	uint64_t own = stack_bottom(s)->tp;
	return !tp || !own || tp == own;
}

/* The stack that was left in the function which now returns to `place`. */
static struct choice find_left(struct tr_unwind *u, struct stacks_hart *h,
			       const struct place *place)
{
	const struct stacks *all = stacks_of(u);
	const struct frame *now = stack_top(h->stack);
	struct choice c = {.stack = NULL};
	struct ahead ahead = {.count = 0};
	const uint64_t tp = stack_kernel_tp(u, &h->hart.context);
	ahead_look(u, h, &ahead);
	for (uint32_t i = 0; i < all->count; i++) {
		struct stack *s = all->all[i];
		const struct frame *top = s->depth ? &s->frames[s->depth - 1] : NULL;
		if (!is_function(top) || top->sym != now->sym ||
		    stack_stands_on(h->stack, s) || !frame_returns_to(top, place) ||
		    !may_be_of(s, tp))
			continue;
		s->depth--;
		consider(&c, s, &ahead, tp && stack_bottom(s)->tp == tp);
		s->depth++;
	}
	return c;
}

/* The newest activation of the function at the place, or that has called setjmp(), goes
 * on, with sp as it must be then. */
static bool set_sp_by_function(struct stacks_hart *h, const struct place *place,
			       bool has_setjmp)
{
	const struct stack *s = h->stack;
	for (uint32_t i = s->depth; i-- > 0 && s->frames[i].kind == FRAME_FUNCTION;)
		if (s->frames[i].sym == place->sym &&
		    (s->frames[i].has_setjmp || !has_setjmp)) {
			if (i + 1 < s->depth)
				h->hart.sp = s->frames[i + 1].sp;
			return true;
		}
	return false;
}

/* The newest frame that returns to the place, or else is of its function, whatever sp
 * was; sp is as it must be then. */
static bool set_sp_by_frames(struct stacks_hart *h, const struct place *place)
{
	const struct stack *s = h->stack;
	for (uint32_t i = s->depth; i-- > 0 && s->frames[i].kind == FRAME_FUNCTION;)
		if (frame_returns_to(&s->frames[i], place)) {
			h->hart.sp = s->frames[i].sp;
			return true;
		}
	return !place->entry && (set_sp_by_function(h, place, true) ||
				 set_sp_by_function(h, place, false));
}

/* A longjmp into a setjmp that has returned: what called that one goes on. */
static bool set_sp_by_setjmp(const struct tr_unwind *u, struct stacks_hart *h,
			     const struct place *place)
{
	struct stack *s = h->stack;
	if (u->syms[place->sym].role != ROLE_SETJMP && !sym_is_blank(u, place->sym))
		return false;
	for (uint32_t i = s->depth; i-- > 0;)
		if (s->frames[i].has_setjmp) {
			if (i + 1 < s->depth)
				h->hart.sp = s->frames[i + 1].sp;
			frames_keep(s, i + 1);
			return true;
		}
	return false;
}

/* An empty stack that stands on the one that the hart was on. */
static void go_above(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *from = h->stack, *to = from->above;
	if (!to || to->depth || to->below != from)
		to = stack_new(u, &h->hart.context, inferred_new_sp(u));
	to->key = stack_key(&h->hart.context);
	h->hart.sp = to->high;
	stack_put_above(u, h, to);
	stack_go(u, h, to, h->pending.before);
}

static void go_to_left(struct tr_unwind *u, struct stacks_hart *h, const struct choice *c)
{
	stack_go(u, h, c->stack, h->pending.before);
	h->hart.sp = stack_top(c->stack)->sp;
	stack_doubt(u, h, c->is_ambiguous);
}

void inferred_settle(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
		     const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	bool is_within = is_function(top) && top->sym == place->sym;
	if (!h->pending.floats && is_within && flow != TR_FLOW_RETURN &&
	    flow != TR_FLOW_CALL)
		return;
	h->state &= ~(uint32_t)HAS_PENDING;
	if (h->pending.floats || flow != TR_FLOW_RETURN || !is_function(top)) {
		go_above(u, h);
		return;
	}
	struct choice c = find_left(u, h, place);
	if (c.stack)
		go_to_left(u, h, &c);
	else if (stack_has_new_tp(u, h) ||
		 (!set_sp_by_frames(h, place) && !set_sp_by_setjmp(u, h, place)))
		go_above(u, h);
}

void inferred_return(struct stacks_hart *h, const struct place *place)
{
	const struct stack *s = h->stack;
	if (!s->depth || s->deep)
		return;
	const struct frame *top = &s->frames[s->depth - 1];
	if (!is_function(top) || (top->sp == h->hart.sp && frame_returns_to(top, place)))
		return;
	set_sp_by_frames(h, place);
}

/* ------------------------------------------------------------ returns from traps */

static bool fits(const struct stacks_hart *h, const struct trap *t, uint64_t pc)
{
	const struct tr_context *c = &h->hart.context;
	return t->priv == h->xret_priv && t->from == c->priv && trap_is_back(t, pc) &&
	       ((c->priv & 3) != TR_PRIV_U || t->satp == c->satp);
}

/* The context is that of the privilege that is returned to, so tp is the thread's. */
static const struct trap *find_trap(const struct tr_unwind *u,
				    const struct stacks_hart *h, uint64_t pc,
				    struct stack **where)
{
	const struct stacks *all = stacks_of(u);
	const struct stack *best = NULL;
	const uint64_t tp = h->state & WROTE_TP ? 0 : stack_bottom(h->stack)->tp;
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->ntraps; i-- > 0;)
			if (fits(h, &s->traps[i], pc) ||
			    fits(h, &s->traps[i], NO_RETURN)) {
				*where = s;
				return &s->traps[i];
			}
	/* That of another task, which was left in it. */
	for (uint32_t i = 0; i < all->count; i++) {
		struct stack *s = all->all[i];
		if (s->ntraps && fits(h, &s->traps[s->ntraps - 1], pc) &&
		    may_be_of(s, tp) && (!best || s->used > best->used))
			best = *where = s;
	}
	return best ? &best->traps[best->ntraps - 1] : NULL;
}

/* The newest in the chain that was taken to the privilege which is left now. */
static const struct trap *find_newest(const struct stacks_hart *h, struct stack **where)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->ntraps; i-- > 0;)
			if (s->traps[i].priv == h->xret_priv) {
				*where = s;
				return &s->traps[i];
			}
	return NULL;
}

static void leave(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		  const struct trap *trap)
{
	h->hart.sp = trap->sp;
	traps_leave(u, h, s, trap);
}

static void begin_elsewhere(struct tr_unwind *u, struct stacks_hart *h)
{
	h->hart.sp = inferred_new_sp(u);
	stack_begin_thread(u, h);
}

void inferred_xret(struct tr_unwind *u, struct stacks_hart *h, const struct place *place)
{
	const uint64_t pc = place->pc;
	const struct tr_context *c = &h->hart.context;
	struct stack *where;
	bool was_pending = h->state & HAS_PENDING;
	h->state &= ~(uint32_t)(HAS_XRET | HAS_PENDING);
	const struct trap *trap = find_trap(u, h, pc, &where);
	if (trap) {
		bool is_exact = trap->epc != NO_RETURN;
		leave(u, h, where, trap);
		if (!is_exact && traps_end_signal(u, h, pc))
			h->state = 0;
		/* Nothing had run before the trap, and now it is known where that was. */
		if (h->stack->root != HOLD_NONE && h->stack->depth == 1 &&
		    pc != NO_RETURN)
			h->state = IS_CHILD;
		return;
	}
	trap = find_newest(h, &where);
	if (c->priv == h->xret_priv) {
		if (!was_pending)
			return;
		begin_elsewhere(u, h);
		h->stack->ordinal = ORDINAL_NEW;
	} else if (!trap) {
		h->hart.sp = inferred_new_sp(u);
		h->state |= IS_CHILD;
	} else if ((c->priv & 3) == TR_PRIV_S) {
		bool is_handed_on = (trap->from & 3) == TR_PRIV_U;
		leave(u, h, where, trap);
		if (is_handed_on)
			traps_hand_on(u, h);
	} else if (trap->from == c->priv && trap->satp == c->satp &&
		   !program_begins(u, pc)) {
		leave(u, h, where, trap);
		h->hart.sp -= SIGNAL_ROOM;
		h->state |= IS_ELSEWHERE;
	} else {
		frames_keep(where, trap->frame);
		begin_elsewhere(u, h);
	}
}

/* ------------------------------------------------------------ forks */

static uint32_t node_of(const struct snapshot *s)
{
	return s->depth ? s->frames[s->depth - 1].node : 0;
}

const struct snapshot *inferred_snapshot(struct tr_unwind *u, const struct stacks_hart *h,
					 uint64_t epc, uint32_t sym, bool *is_doubtful)
{
	const struct stacks *all = stacks_of(u);
	const struct snapshot *best = NULL;
	struct ahead ahead;
	int best_score = -1;
	ahead_look(u, h, &ahead);
	*is_doubtful = false;
	for (uint32_t i = 0; i < all->nsnapshots; i++) {
		const struct snapshot *s = &all->snapshots[i];
		const struct left left = {.frames = s->frames, .depth = s->depth};
		if (s->epc != epc || (sym != SYM_UNKNOWN && s->sym != sym) ||
		    u->syms[s->sym].role == ROLE_CLONE)
			continue;
		int score = ahead_score(&ahead, &left);
		bool is_tie = best && score == best_score;
		if (score < best_score)
			continue;
		*is_doubtful = is_tie && (*is_doubtful || node_of(best) != node_of(s));
		if (is_tie && s->used < best->used)
			continue;
		best = s;
		best_score = score;
	}
	return best_score < 0 ? NULL : best;
}

uint32_t inferred_binary(struct tr_unwind *u, const struct stacks_hart *h, uint64_t pc)
{
	const struct stacks *all = stacks_of(u);
	const struct snapshot *best = NULL;
	struct stack *where;
	const struct trap *trap = find_trap(u, h, pc, &where);
	if (trap && trap->epc != NO_RETURN)
		return stack_bottom(where)->binary;
	for (uint32_t i = 0; i < all->nsnapshots; i++) {
		const struct snapshot *s = &all->snapshots[i];
		if (s->epc == pc - ECALL_BYTES && (!best || s->used > best->used))
			best = s;
	}
	if (best)
		return best->binary;
	return trap ? stack_bottom(where)->binary : TR_NOTE_UNKNOWN;
}
