/* SPDX-License-Identifier: Apache-2.0 */
/* Infers sp for sources that do not report it. Additions to sp are known from the
 * instruction bits, and each stack has made-up addresses. After any other write of sp,
 * the code that follows determines the value: a switch resumes a stack that was left
 * there, and if there are several, the returns ahead decide among them. */
#include "unwind/stacks.h"

/* Address range of one stack. */
#define ROOM (UINT64_C(1) << 32)
/* Size of a signal frame: its handler is called below the interrupted code. */
enum { SIGNAL_ROOM = 4096 };

uint64_t tr_inferred_new_sp(struct tr_unwind *u)
{
	return ++stacks_of(u)->inferred * ROOM + ROOM / 2;
}

void tr_inferred_write(struct stacks_hart *h)
{
	const struct pair from = *h->hart.from;
	const struct frame *top = stack_top(h->stack);
	h->hart.held = from;
	h->hart.held.sp_write = TR_SP_KEEPS;
	h->hart.from = &h->hart.held;
	if (from.sp_write == TR_SP_FRAME && frame_is_function(top)) {
		h->hart.sp = top->sp + (uint64_t)(int64_t)from.sp;
	} else if (from.sp_write == TR_SP_LOADS && !(h->state & HAS_PENDING)) {
		h->pending.before = h->hart.sp - (uint64_t)(int64_t)from.sp;
		h->pending.floats = stack_floats(h->stack, h->pending.before);
		h->state |= HAS_PENDING;
	}
}

/* ------------------------------------------------------------ switches */

/* A stack that may be resumed. */
struct choice {
	struct stack *stack;
	int score;
	uint32_t node;	   /* of the code that resumes */
	bool is_ambiguous; /* another one with a different stack is as good */
};

/* Considers a stack, or what remains of it when control has come back. */
static void weigh_left_stack(struct choice *c, struct stack *s, const struct left *left,
			     const struct ahead *a, bool is_named)
{
	int score = tr_ahead_score(a, left);
	if (is_named && score < 0)
		score = 0;
	if (score < 0 || (c->stack && score < c->score))
		return;
	const struct frame *top = &left->frames[left->depth - 1];
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

/* Returns the stack that was left in the function that now returns to `place`, if any. */
static struct choice find_left_stack(struct tr_unwind *u, struct stacks_hart *h,
				     const struct place *place)
{
	const struct frame *now = stack_top(h->stack);
	struct stack *s;
	struct choice c = {.stack = NULL};
	struct ahead ahead = {.count = 0};
	const uint64_t tp = tr_stack_kernel_tp(u, &h->hart.context);
	tr_ahead_scan(u, h, &ahead);
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		/* what it resumes is below the function that it was left in */
		const struct frame *top = s->depth > 1 ? &s->frames[s->depth - 1] : NULL;
		if (!frame_is_function(top) || top->sym != now->sym ||
		    tr_stack_stands_on(h->stack, s) || !frame_returns_to(top, place) ||
		    !may_be_of(s, tp))
			continue;
		struct left left = left_of(s);
		left.depth--;
		weigh_left_stack(&c, s, &left, &ahead, tp && stack_bottom(s)->tp == tp);
	}
	return c;
}

/* Finds the newest activation of the function at the place, or the newest one that called
 * setjmp(), and sets sp to its value there. Returns false if there is none. */
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

/* Finds the newest frame that returns to the place, or else one of its function,
 * regardless of sp, and sets sp to its value there. Returns false if there is none. */
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

/* Handles a longjmp() into a setjmp() that has returned: its caller resumes. Returns
 * false in other cases. */
static bool set_sp_by_setjmp(const struct tr_unwind *u, struct stacks_hart *h,
			     const struct place *place)
{
	struct stack *s = h->stack;
	if (names_role(names_of(u), place->sym) != ROLE_SETJMP &&
	    !names_is_blank(names_of(u), place->sym))
		return false;
	for (uint32_t i = s->depth; i-- > 0;)
		if (s->frames[i].has_setjmp) {
			if (i + 1 < s->depth)
				h->hart.sp = s->frames[i + 1].sp;
			tr_frames_truncate(s, i + 1);
			return true;
		}
	return false;
}

/* Moves the hart to an empty stack on top of its current one. */
static void go_above(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *from = h->stack, *to = from->above;
	if (!to || to->depth || to->below != from)
		to = tr_stack_new(u, &h->hart.context, tr_inferred_new_sp(u));
	to->key = tr_stack_key(&h->hart.context);
	h->hart.sp = to->high;
	tr_stack_put_above(u, h, to);
	tr_stack_go(u, h, to, h->pending.before);
}

static void go_to_left(struct tr_unwind *u, struct stacks_hart *h, const struct choice *c)
{
	tr_stack_go(u, h, c->stack, h->pending.before);
	h->hart.sp = stack_top(c->stack)->sp;
	tr_stack_doubt(u, h, c->is_ambiguous);
}

void tr_inferred_settle(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place)
{
	const struct frame *top = stack_top(h->stack);
	bool is_within = frame_is_function(top) && top->sym == place->sym;
	if (!h->pending.floats && is_within && flow != TR_FLOW_RETURN &&
	    flow != TR_FLOW_CALL)
		return;
	h->state &= ~(uint32_t)HAS_PENDING;
	if (h->pending.floats || flow != TR_FLOW_RETURN || !frame_is_function(top)) {
		go_above(u, h);
		return;
	}
	struct choice c = find_left_stack(u, h, place);
	if (c.stack)
		go_to_left(u, h, &c);
	else if (tr_stack_has_new_tp(u, h) ||
		 (!set_sp_by_frames(h, place) && !set_sp_by_setjmp(u, h, place)))
		go_above(u, h);
}

void tr_inferred_return(struct stacks_hart *h, const struct place *place)
{
	const struct stack *s = h->stack;
	if (!s->depth || s->deep)
		return;
	const struct frame *top = &s->frames[s->depth - 1];
	if (!frame_is_function(top) ||
	    (top->sp == h->hart.sp && frame_returns_to(top, place)))
		return;
	set_sp_by_frames(h, place);
}

/* ------------------------------------------------------------ returns from traps */

static bool xret_matches_trap(const struct stacks_hart *h, const struct trap *t,
			      uint64_t pc)
{
	const struct tr_context *c = &h->hart.context;
	return t->priv == h->xret_priv && t->from == c->priv && trap_is_back(t, pc) &&
	       (!tr_mode_is_user(tr_mode_of(c->priv)) ||
		tr_space_equals(trap_space(t), tr_space_of(c)));
}

/* Returns the newest trap of this stack, or of those below, that an xret to pc ends. */
static const struct trap *find_own_trap(const struct stacks_hart *h, uint64_t pc,
					struct stack **where)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->ntraps; i-- > 0;)
			if (xret_matches_trap(h, &s->traps[i], pc) ||
			    xret_matches_trap(h, &s->traps[i], NO_RETURN)) {
				*where = s;
				return &s->traps[i];
			}
	return NULL;
}

/* The trap that an xret ends, and its stack. */
struct ended {
	const struct trap *trap;
	struct stack *where;
	bool is_ambiguous; /* another task may be the one */
	bool is_certain;   /* returns ahead tell that it is this one */
};

static const struct trap *newest_trap(const struct stack *s)
{
	return s->ntraps ? &s->traps[s->ntraps - 1] : NULL;
}

/* Considers the task that was left in this trap. */
static void consider_trap(struct choice *c, struct stack *s, const struct trap *trap,
			  const struct ahead *ahead)
{
	struct left left = left_of(s);
	left.depth = trap->frame;
	left.ntraps = (uint32_t)(trap - s->traps);
	if (left.depth)
		weigh_left_stack(c, s, &left, ahead, false);
}

static bool may_end_newest_trap(const struct stacks_hart *h, struct stack *s, uint64_t pc,
				uint64_t tp)
{
	return s->ntraps && xret_matches_trap(h, newest_trap(s), pc) && may_be_of(s, tp);
}

/* Of several tasks that wait in traps at pc, as in a function that yields, the returns
 * ahead decide. If they do not, all of these may be one another from now on. `own` is the
 * one that runs, or NULL. */
static struct ended choose_trap(struct tr_unwind *u, const struct stacks_hart *h,
				uint64_t pc, uint64_t tp, struct ended own)
{
	struct choice c = {.stack = NULL};
	struct ahead ahead = {.count = 0};
	struct stack *s;
	tr_ahead_scan(u, h, &ahead);
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++)
		if (s != own.where && may_end_newest_trap(h, s, pc, tp))
			consider_trap(&c, s, newest_trap(s), &ahead);
	if (own.trap)
		consider_trap(&c, own.where, own.trap, &ahead);
	const bool is_ambiguous = !c.stack || c.is_ambiguous;
	for (uint32_t i = 0; is_ambiguous && (s = stacks_nth(u, i)); i++)
		if (may_end_newest_trap(h, s, pc, tp))
			stack_bottom(s)->is_doubtful = true;
	if (c.stack && c.stack != own.where)
		own = (struct ended){.trap = newest_trap(c.stack), .where = c.stack};
	own.is_ambiguous = is_ambiguous;
	own.is_certain = !is_ambiguous && c.score > 0;
	return own;
}

/* The context is that of the privilege returned to, so tp is the thread's. In a switch
 * within a privilege, the trap need not be that of the task that runs. */
static struct ended find_ended_trap(struct tr_unwind *u, const struct stacks_hart *h,
				    uint64_t pc, bool is_switch)
{
	struct stack *s;
	const uint64_t tp = h->state & WROTE_TP ? 0 : stack_bottom(h->stack)->tp;
	struct ended own = {.trap = NULL}, other = {.trap = NULL};
	own.trap = find_own_trap(h, pc, &own.where);
	uint32_t count = own.trap != NULL;
	if (own.trap && (!is_switch || own.trap->epc == NO_RETURN))
		return own;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		if (s == own.where || !may_end_newest_trap(h, s, pc, tp))
			continue;
		count++;
		if (!other.trap || s->used > other.where->used)
			other = (struct ended){.trap = newest_trap(s), .where = s};
	}
	if (!own.trap)
		own = other;
	return is_switch && count > 1 ? choose_trap(u, h, pc, tp, own) : own;
}

/* Returns the newest trap, on this stack or those below, to the privilege that is being
 * left. */
static const struct trap *find_trap_to_left_priv(const struct stacks_hart *h,
						 struct stack **where)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->ntraps; i-- > 0;)
			if (s->traps[i].priv == h->xret_priv) {
				*where = s;
				return &s->traps[i];
			}
	return NULL;
}

static void leave_ended_trap(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
			     const struct trap *trap)
{
	h->hart.sp = trap->sp;
	tr_traps_leave(u, h, s, trap);
}

static void begin_elsewhere(struct tr_unwind *u, struct stacks_hart *h)
{
	h->hart.sp = tr_inferred_new_sp(u);
	tr_stack_begin_thread(u, h);
}

void tr_inferred_xret(struct tr_unwind *u, struct stacks_hart *h,
		      const struct place *place)
{
	const uint64_t pc = place->pc;
	const struct tr_context *c = &h->hart.context;
	struct stack *where;
	bool was_pending = h->state & HAS_PENDING;
	h->state &= ~(uint32_t)(HAS_XRET | HAS_PENDING);
	bool is_switch = was_pending && c->priv == h->xret_priv;
	const struct ended ended = find_ended_trap(u, h, pc, is_switch);
	const struct trap *trap = ended.trap;
	if (trap) {
		bool is_exact = trap->epc != NO_RETURN;
		leave_ended_trap(u, h, ended.where, trap);
		if (ended.is_ambiguous || ended.is_certain)
			tr_stack_doubt(u, h, ended.is_ambiguous);
		if (!is_exact && tr_signals_end(u, h, pc))
			h->state = 0;
		/* Nothing had run before the trap; its origin is now known. */
		if (h->stack->root != HOLD_NONE && h->stack->depth == 1 &&
		    pc != NO_RETURN)
			h->state = IS_CHILD;
		return;
	}
	trap = find_trap_to_left_priv(h, &where);
	if (c->priv == h->xret_priv) {
		if (!was_pending)
			return;
		begin_elsewhere(u, h);
		h->stack->ordinal = ORDINAL_NEW;
	} else if (!trap) {
		h->hart.sp = tr_inferred_new_sp(u);
		h->state |= IS_CHILD;
	} else if (tr_mode_is_supervisor(tr_mode_of(c->priv))) {
		bool is_handed_on = tr_mode_is_user(tr_mode_of(trap->from));
		leave_ended_trap(u, h, where, trap);
		if (is_handed_on)
			tr_traps_hand_on(u, h);
	} else if (trap->from == c->priv &&
		   tr_space_equals(trap_space(trap), tr_space_of(c)) &&
		   !tr_program_begins(u, pc)) {
		leave_ended_trap(u, h, where, trap);
		h->hart.sp -= SIGNAL_ROOM;
		h->state |= IS_ELSEWHERE;
	} else {
		tr_frames_truncate(where, trap->frame);
		begin_elsewhere(u, h);
	}
}

/* ------------------------------------------------------------ forks */

static uint32_t snapshot_top_node(const struct snapshot *s)
{
	return s->depth ? s->frames[s->depth - 1].node : 0;
}

const struct snapshot *tr_inferred_snapshot(struct tr_unwind *u,
					    const struct stacks_hart *h, uint64_t epc,
					    uint32_t sym, bool *is_doubtful)
{
	const struct snapshot *best = NULL, *s;
	struct ahead ahead;
	int best_score = -1;
	tr_ahead_scan(u, h, &ahead);
	*is_doubtful = false;
	for (uint32_t i = 0; (s = tr_snapshots_nth(u, i)); i++) {
		const struct left left = {.frames = s->frames, .depth = s->depth};
		if (s->epc != epc || (sym != SYM_UNKNOWN && s->sym != sym) ||
		    names_role(names_of(u), s->sym) == ROLE_CLONE)
			continue;
		int score = tr_ahead_score(&ahead, &left);
		bool is_tie = best && score == best_score;
		if (score < best_score)
			continue;
		*is_doubtful = is_tie && (*is_doubtful || snapshot_top_node(best) !=
							      snapshot_top_node(s));
		if (is_tie && s->used < best->used)
			continue;
		best = s;
		best_score = score;
	}
	return best_score < 0 ? NULL : best;
}

uint32_t tr_inferred_binary(struct tr_unwind *u, const struct stacks_hart *h, uint64_t pc)
{
	const struct snapshot *best = NULL, *s;
	const struct ended ended = find_ended_trap(u, h, pc, false);
	if (ended.trap && ended.trap->epc != NO_RETURN)
		return stack_bottom(ended.where)->binary;
	for (uint32_t i = 0; (s = tr_snapshots_nth(u, i)); i++)
		if (s->epc == pc - ECALL_BYTES && (!best || s->used > best->used))
			best = s;
	if (best)
		return best->binary;
	return ended.trap ? stack_bottom(ended.where)->binary : TR_NOTE_UNKNOWN;
}
