/* SPDX-License-Identifier: Apache-2.0 */
/* Infers sp for sources that do not report it. Additions to sp are known from the
 * instruction bits, and each stack has made-up addresses. After any other write of sp,
 * the code that follows determines the value: a switch resumes a stack that was left
 * there, and if there are several, the returns ahead decide among them. */
#include "unwind/stacks_ahead.h"
#include "unwind/stacks.h"

/* Address range of one stack. */
#define ROOM (UINT64_C(1) << 32)
/* Size of a signal frame: its handler is called below the interrupted code. */
enum { SIGNAL_ROOM = 4096 };

uint64_t tr_inferred_new_sp(struct tr_unwind *u)
{
	return ++stacks_of(u)->inferred * ROOM + ROOM / 2;
}

void tr_inferred_write(struct hart *h)
{
	const struct pair from = *hart_from(h);
	const struct frame *top = stack_top(hart_stack(h));
	struct pair held = from;
	held.sp_write = TR_SP_KEEPS;
	hart_hold_from(h, &held);
	if (from.sp_write == TR_SP_FRAME && frame_is_function(top)) {
		hart_set_sp(h, frame_sp(top) + (uint64_t)(int64_t)from.sp);
	} else if (from.sp_write == TR_SP_LOADS && !state_has(h, HAS_PENDING)) {
		pending_set_before(hart_pending(h),
				   hart_sp(h) - (uint64_t)(int64_t)from.sp);
		pending_set_floats(hart_pending(h),
				   stack_floats(hart_stack(h), hart_sp_before(h)));
		state_add(h, HAS_PENDING);
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
	const struct frame *top = tr_left_top(left);
	bool is_tie = c->stack && score == c->score;
	c->is_ambiguous = is_tie && (c->is_ambiguous || c->node != frame_node(top));
	if (is_tie && stack_used(c->stack) > stack_used(s))
		return;
	c->stack = s;
	c->score = score;
	c->node = frame_node(top);
}

static bool may_be_of(struct stack *s, uint64_t tp)
{
	uint64_t own = thread_tp(stack_bottom(s));
	return !tp || !own || tp == own;
}

/* Returns the stack that was left in the function that now returns to `place`, if any. */
static struct choice find_left_stack(struct tr_unwind *u, struct hart *h,
				     const struct place *place)
{
	const struct frame *now = stack_top(hart_stack(h));
	struct stack *s;
	struct choice c = {.stack = NULL};
	struct ahead ahead;
	const uint64_t tp = tr_stack_kernel_tp(u, hart_context(h));
	tr_ahead_scan(u, h, &ahead);
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		/* what it resumes is below the function that it was left in */
		const struct frame *top =
		    stack_depth(s) > 1 ? stack_frame(s, stack_depth(s) - 1) : NULL;
		if (!frame_is_function(top) || frame_sym(top) != frame_sym(now) ||
		    tr_stack_stands_on(hart_stack(h), s) ||
		    !frame_returns_to(top, place) || !may_be_of(s, tp))
			continue;
		const struct left left = tr_left_below_top(s);
		weigh_left_stack(&c, s, &left, &ahead,
				 tp && thread_tp(stack_bottom(s)) == tp);
	}
	return c;
}

/* Finds the newest activation of the function at the place, or the newest one that called
 * setjmp(), and sets sp to its value there. Returns false if there is none. */
static bool set_sp_by_function(struct hart *h, const struct place *place, bool has_setjmp)
{
	const struct stack *s = hart_stack(h);
	for (uint32_t i = stack_depth(s);
	     i-- > 0 && frame_kind(stack_frame(s, i)) == FRAME_FUNCTION;)
		if (frame_sym(stack_frame(s, i)) == place->sym &&
		    (frame_has_setjmp(stack_frame(s, i)) || !has_setjmp)) {
			if (i + 1 < stack_depth(s))
				hart_set_sp(h, frame_sp(stack_frame(s, i + 1)));
			return true;
		}
	return false;
}

/* Finds the newest frame that returns to the place, or else one of its function,
 * regardless of sp, and sets sp to its value there. Returns false if there is none. */
static bool set_sp_by_frames(struct hart *h, const struct place *place)
{
	const struct stack *s = hart_stack(h);
	for (uint32_t i = stack_depth(s);
	     i-- > 0 && frame_kind(stack_frame(s, i)) == FRAME_FUNCTION;)
		if (frame_returns_to(stack_frame(s, i), place)) {
			hart_set_sp(h, frame_sp(stack_frame(s, i)));
			return true;
		}
	return !place->entry && (set_sp_by_function(h, place, true) ||
				 set_sp_by_function(h, place, false));
}

/* Handles a longjmp() into a setjmp() that has returned: its caller resumes. Returns
 * false in other cases. */
static bool set_sp_by_setjmp(const struct tr_unwind *u, struct hart *h,
			     const struct place *place)
{
	struct stack *s = hart_stack(h);
	if (names_role(names_of(u), place->sym) != ROLE_SETJMP &&
	    !names_is_blank(names_of(u), place->sym))
		return false;
	for (uint32_t i = stack_depth(s); i-- > 0;)
		if (frame_has_setjmp(stack_frame(s, i))) {
			if (i + 1 < stack_depth(s))
				hart_set_sp(h, frame_sp(stack_frame(s, i + 1)));
			tr_frames_drop(stack_frames(s), i + 1);
			return true;
		}
	return false;
}

/* Moves the hart to an empty stack on top of its current one. */
static void go_above(struct tr_unwind *u, struct hart *h)
{
	struct stack *from = hart_stack(h), *to = stack_above(from);
	if (!to || stack_depth(to))
		to = tr_stack_new(u, hart_context(h), tr_inferred_new_sp(u));
	stack_set_key(to, tr_stack_key(hart_context(h)));
	hart_set_sp(h, stack_high(to));
	tr_stack_put_above(u, h, to);
	tr_stack_go(u, h, to, hart_sp_before(h));
}

static void go_to_left(struct tr_unwind *u, struct hart *h, const struct choice *c)
{
	tr_stack_go(u, h, c->stack, hart_sp_before(h));
	hart_set_sp(h, frame_sp(stack_top(c->stack)));
	tr_stack_doubt(u, h, c->is_ambiguous);
}

void tr_inferred_settle(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place)
{
	const struct frame *top = stack_top(hart_stack(h));
	bool is_within = frame_is_function(top) && frame_sym(top) == place->sym;
	if (!pending_floats(hart_last_write(h)) && is_within && flow != TR_FLOW_RETURN &&
	    flow != TR_FLOW_CALL)
		return;
	state_drop(h, HAS_PENDING);
	if (pending_floats(hart_last_write(h)) || flow != TR_FLOW_RETURN ||
	    !frame_is_function(top)) {
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

void tr_inferred_return(struct hart *h, const struct place *place)
{
	const struct stack *s = hart_stack(h);
	if (!stack_depth(s) || stack_deep_sp(s))
		return;
	const struct frame *top = stack_frame(s, stack_depth(s) - 1);
	if (!frame_is_function(top) ||
	    (frame_sp(top) == hart_sp(h) && frame_returns_to(top, place)))
		return;
	set_sp_by_frames(h, place);
}

/* ------------------------------------------------------------ returns from traps */

static bool xret_matches_trap(const struct hart *h, const struct trap *t, uint64_t pc)
{
	const struct tr_context *c = hart_context(h);
	return trap_priv(t) == hart_xret_priv(h) && trap_from(t) == c->priv &&
	       trap_is_back(t, pc) &&
	       (!tr_mode_is_user(tr_mode_of(c->priv)) ||
		tr_space_equals(trap_space(t), tr_space_of(c)));
}

/* Returns the newest trap of this stack, or of those below, that an xret to pc ends. */
static const struct trap *find_own_trap(const struct hart *h, uint64_t pc,
					struct stack **where)
{
	for (struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_trap_count(s); i-- > 0;)
			if (xret_matches_trap(h, stack_trap(s, i), pc) ||
			    xret_matches_trap(h, stack_trap(s, i), NO_RETURN)) {
				*where = s;
				return stack_trap(s, i);
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

/* Considers the task that was left in this trap. */
static void consider_trap(struct choice *c, struct stack *s, const struct trap *trap,
			  const struct ahead *ahead)
{
	const struct left left = tr_left_by_trap(s, trap);
	if (tr_left_top(&left))
		weigh_left_stack(c, s, &left, ahead, false);
}

static bool may_end_newest_trap(const struct hart *h, struct stack *s, uint64_t pc,
				uint64_t tp)
{
	return stack_trap_count(s) && xret_matches_trap(h, stack_newest_trap(s), pc) &&
	       may_be_of(s, tp);
}

/* Of several tasks that wait in traps at pc, as in a function that yields, the returns
 * ahead decide. If they do not, all of these may be one another from now on. `own` is the
 * one that runs, or NULL. */
static struct ended choose_trap(struct tr_unwind *u, const struct hart *h, uint64_t pc,
				uint64_t tp, struct ended own)
{
	struct choice c = {.stack = NULL};
	struct ahead ahead;
	struct stack *s;
	tr_ahead_scan(u, h, &ahead);
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++)
		if (s != own.where && may_end_newest_trap(h, s, pc, tp))
			consider_trap(&c, s, stack_newest_trap(s), &ahead);
	if (own.trap)
		consider_trap(&c, own.where, own.trap, &ahead);
	const bool is_ambiguous = !c.stack || c.is_ambiguous;
	for (uint32_t i = 0; is_ambiguous && (s = stacks_nth(u, i)); i++)
		if (may_end_newest_trap(h, s, pc, tp))
			tr_thread_doubt(stack_bottom(s));
	if (c.stack && c.stack != own.where)
		own =
		    (struct ended){.trap = stack_newest_trap(c.stack), .where = c.stack};
	own.is_ambiguous = is_ambiguous;
	own.is_certain = !is_ambiguous && c.score > 0;
	return own;
}

/* The context is that of the privilege returned to, so tp is the thread's. In a switch
 * within a privilege, the trap need not be that of the task that runs. */
static struct ended find_ended_trap(struct tr_unwind *u, const struct hart *h,
				    uint64_t pc, bool is_switch)
{
	struct stack *s;
	const uint64_t tp =
	    state_has(h, WROTE_TP) ? 0 : thread_tp(stack_bottom(hart_stack(h)));
	struct ended own = {.trap = NULL}, other = {.trap = NULL};
	own.trap = find_own_trap(h, pc, &own.where);
	uint32_t count = own.trap != NULL;
	if (own.trap && (!is_switch || trap_epc(own.trap) == NO_RETURN))
		return own;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		if (s == own.where || !may_end_newest_trap(h, s, pc, tp))
			continue;
		count++;
		if (!other.trap || stack_used(s) > stack_used(other.where))
			other = (struct ended){.trap = stack_newest_trap(s), .where = s};
	}
	if (!own.trap)
		own = other;
	return is_switch && count > 1 ? choose_trap(u, h, pc, tp, own) : own;
}

/* Returns the newest trap, on this stack or those below, to the privilege that is being
 * left. */
static const struct trap *find_trap_to_left_priv(const struct hart *h,
						 struct stack **where)
{
	for (struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_trap_count(s); i-- > 0;)
			if (trap_priv(stack_trap(s, i)) == hart_xret_priv(h)) {
				*where = s;
				return stack_trap(s, i);
			}
	return NULL;
}

static void leave_ended_trap(struct tr_unwind *u, struct hart *h, struct stack *s,
			     const struct trap *trap)
{
	hart_set_sp(h, trap_sp(trap));
	tr_traps_leave(u, h, s, trap);
}

static void begin_elsewhere(struct tr_unwind *u, struct hart *h)
{
	hart_set_sp(h, tr_inferred_new_sp(u));
	tr_stack_begin_thread(u, h);
}

void tr_inferred_xret(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t pc = place->pc;
	const struct tr_context *c = hart_context(h);
	struct stack *where;
	bool was_pending = state_has(h, HAS_PENDING);
	state_drop(h, HAS_XRET | HAS_PENDING);
	bool is_switch = was_pending && c->priv == hart_xret_priv(h);
	const struct ended ended = find_ended_trap(u, h, pc, is_switch);
	const struct trap *trap = ended.trap;
	if (trap) {
		bool is_exact = trap_epc(trap) != NO_RETURN;
		leave_ended_trap(u, h, ended.where, trap);
		if (ended.is_ambiguous || ended.is_certain)
			tr_stack_doubt(u, h, ended.is_ambiguous);
		if (!is_exact && tr_signals_end(u, h, pc))
			state_replace(h, 0);
		/* Nothing had run before the trap; its origin is now known. */
		if (root_is_held(hart_stack(h)) && stack_depth(hart_stack(h)) == 1 &&
		    pc != NO_RETURN)
			state_replace(h, IS_CHILD);
		return;
	}
	trap = find_trap_to_left_priv(h, &where);
	if (c->priv == hart_xret_priv(h)) {
		if (!was_pending)
			return;
		begin_elsewhere(u, h);
		thread_set_ordinal(hart_stack(h), ORDINAL_NEW);
	} else if (!trap) {
		hart_set_sp(h, tr_inferred_new_sp(u));
		state_add(h, IS_CHILD);
	} else if (tr_mode_is_supervisor(tr_mode_of(c->priv))) {
		bool is_handed_on = tr_mode_is_user(tr_mode_of(trap_from(trap)));
		leave_ended_trap(u, h, where, trap);
		if (is_handed_on)
			tr_traps_hand_on(u, h);
	} else if (trap_from(trap) == c->priv &&
		   tr_space_equals(trap_space(trap), tr_space_of(c)) &&
		   !tr_program_begins(u, pc)) {
		leave_ended_trap(u, h, where, trap);
		hart_set_sp(h, hart_sp(h) - SIGNAL_ROOM);
		state_add(h, IS_ELSEWHERE);
	} else {
		tr_frames_drop(stack_frames(where), trap_frame(trap));
		begin_elsewhere(u, h);
	}
}

/* ------------------------------------------------------------ forks */

static uint32_t snapshot_top_node(const struct snapshot *s)
{
	const struct left left = tr_left_all(snapshot_frames(s));
	const struct frame *top = tr_left_top(&left);
	return top ? frame_node(top) : 0;
}

const struct snapshot *tr_inferred_snapshot(struct tr_unwind *u, const struct hart *h,
					    uint64_t epc, uint32_t sym, bool *is_doubtful)
{
	const struct snapshot *best = NULL, *s;
	struct ahead ahead;
	int best_score = -1;
	tr_ahead_scan(u, h, &ahead);
	*is_doubtful = false;
	for (uint32_t i = 0; (s = tr_snapshots_nth(u, i)); i++) {
		const struct left left = tr_left_all(snapshot_frames(s));
		if (snapshot_epc(s) != epc ||
		    (sym != SYM_UNKNOWN && snapshot_sym(s) != sym) ||
		    names_role(names_of(u), snapshot_sym(s)) == ROLE_CLONE)
			continue;
		int score = tr_ahead_score(&ahead, &left);
		bool is_tie = best && score == best_score;
		if (score < best_score)
			continue;
		*is_doubtful = is_tie && (*is_doubtful || snapshot_top_node(best) !=
							      snapshot_top_node(s));
		if (is_tie && snapshot_used(s) < snapshot_used(best))
			continue;
		best = s;
		best_score = score;
	}
	return best_score < 0 ? NULL : best;
}

uint32_t tr_inferred_binary(struct tr_unwind *u, const struct hart *h, uint64_t pc)
{
	const struct snapshot *best = NULL, *s;
	const struct ended ended = find_ended_trap(u, h, pc, false);
	if (ended.trap && trap_epc(ended.trap) != NO_RETURN)
		return thread_binary(stack_bottom(ended.where));
	for (uint32_t i = 0; (s = tr_snapshots_nth(u, i)); i++)
		if (snapshot_epc(s) == pc - ECALL_BYTES &&
		    (!best || snapshot_used(s) > snapshot_used(best)))
			best = s;
	if (best)
		return snapshot_binary(best);
	return ended.trap ? thread_binary(stack_bottom(ended.where)) : TR_NOTE_UNKNOWN;
}
