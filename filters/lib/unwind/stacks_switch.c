/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of stacks: where a write of sp leads. */
#include "unwind/stacks.h"

/* Additions to sp after a write of it stay within this many bytes. */
enum { NEAR = 1 << 16 };

void tr_stack_clear(struct tr_unwind *u, struct stack *s)
{
	if (s->root != HOLD_NONE)
		tr_frames_release_root(u, s);
	s->depth = s->ntraps = 0;
	s->deep = 0;
	s->below = NULL;
	s->is_task = s->is_broken = false;
}

/* Drops the frames that were called at sp or below, but not the root. */
static void drop_calls(struct stack *s, uint64_t sp)
{
	uint32_t depth = s->depth;
	while (depth && s->frames[depth - 1].sp <= sp)
		depth--;
	tr_frames_truncate(s, depth);
}

void tr_stack_drop_below(struct tr_unwind *u, struct stack *s, uint64_t sp)
{
	drop_calls(s, sp);
	if (s->depth == 1 && s->frames[0].kind == FRAME_ROOT)
		tr_stack_clear(u, s);
}

/* ------------------------------------------------------------ what continues */

bool tr_trap_goes_on(const struct stacks_hart *h, const struct trap *t,
		     const struct place *place)
{
	const uint8_t priv = h->hart.context.priv;
	if (t->from != priv || t->priv != priv || t->sp != h->hart.sp)
		return false;
	if (t->epc == NO_RETURN && t->is_interrupt)
		return !place->entry || t->held.flow != TR_FLOW_RETURN;
	if (place->entry || (t->is_interrupt && !t->is_inferred))
		return place->pc == t->epc;
	return trap_is_back(t, place->pc);
}

bool tr_stack_goes_on(const struct stacks_hart *h, const struct stack *s,
		      const struct place *place, const struct trap **trap)
{
	const uint64_t sp = h->hart.sp;
	uint32_t traps = s->ntraps;
	*trap = NULL;
	for (uint32_t i = s->depth; i-- > 0 && s->frames[i].sp <= sp;) {
		const struct frame *f = &s->frames[i];
		while (traps && s->traps[traps - 1].frame > i)
			traps--;
		if (f->sp == sp && place->pc != NO_RETURN && frame_returns_to(f, place))
			return true;
		if (traps && s->traps[traps - 1].frame == i &&
		    tr_trap_goes_on(h, &s->traps[traps - 1], place)) {
			*trap = &s->traps[traps - 1];
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ where to */

/* Returns value `i` of the pending write, the newest first, and last the current sp. */
static uint64_t pending_sp_value(const struct stacks_hart *h, unsigned i)
{
	const struct pending *p = &h->pending;
	return i < p->count ? p->values[p->count - 1 - i] : h->hart.sp;
}

/* Returns true if another process has begun at the stack's addresses. */
static bool is_reused_by_process(const struct stacks_hart *h, const struct stack *s)
{
	const struct tr_context *c = &h->hart.context;
	return s->space && s->space != c->space && tr_mode_is_user(tr_mode_of(c->priv));
}

/* Returns the stack that continues at the place, NULL if there is none. */
static struct stack *find_by_place(struct tr_unwind *u, const struct stacks_hart *h,
				   uint64_t key, const struct place *place)
{
	const struct trap *trap;
	for (unsigned i = 0; i <= h->pending.count; i++) {
		struct stack *first = tr_stack_find(u, key, pending_sp_value(h, i));
		for (struct stack *s = first; s; s = s->covers)
			if (!is_reused_by_process(h, s) &&
			    tr_stack_goes_on(h, s, place, &trap))
				return tr_stack_uncover_to(u, first, s);
	}
	return NULL;
}

/* Returns the stack that was left with this value of sp, NULL if there is none. */
static struct stack *find_exact(struct tr_unwind *u, uint64_t key, uint64_t sp)
{
	struct stack *first = tr_stack_find(u, key, sp);
	for (struct stack *s = first; s; s = s->covers)
		if (s->depth && s->parked == sp)
			return tr_stack_uncover_to(u, first, s);
	return NULL;
}

/* Returns the stack that sp is on now, NULL if none is known. A value written earlier may
 * be that of the outgoing task. The program of another life never writes such an sp on
 * purpose. */
static struct stack *find_by_sp(struct tr_unwind *u, const struct stacks_hart *h,
				uint64_t key)
{
	struct stack *s = find_exact(u, key, pending_sp_value(h, 0));
	if (!s)
		s = find_exact(u, key, h->hart.sp);
	if (!s)
		s = tr_stack_uncovered(u, tr_stack_find(u, key, h->hart.sp), h->hart.sp);
	if (s && is_reused_by_process(h, s)) {
		tr_stack_unlist(u, s);
		return NULL;
	}
	return s;
}

static bool is_parked_here(const struct stacks_hart *h, const struct stack *s)
{
	return s->depth &&
	       (s->parked == pending_sp_value(h, 0) || s->parked == h->hart.sp);
}

/* Bounds the height, since each landing searches for the thread at the bottom. */
static bool is_high(const struct stack *s)
{
	unsigned height = 1;
	while (height < TR_UNWIND_HEIGHT && (s = s->below))
		height++;
	return height == TR_UNWIND_HEIGHT;
}

void tr_stack_put_above(struct tr_unwind *u, struct stacks_hart *h, struct stack *to)
{
	struct stack *from = h->stack;
	/* the stack stood on `to`, and has ended */
	if (tr_stack_stands_on(from, to))
		return;
	if (h->pending.floats && from->ntraps)
		tr_frames_move_trap(u, h, to);
	to->below = from;
	/* At the limit, the newest stack replaces the previous one. */
	if (is_high(from)) {
		stacks_count(u, COUNT_TOO_DEEP, 1);
		to->below = from->below;
	} else if (!from->depth && from->below) {
		to->below = from->below;
	}
}

/* Prepares an empty stack: one that stands on the hart's, or a new thread. */
static void set_up(struct tr_unwind *u, struct stacks_hart *h, struct stack *to,
		   bool is_task)
{
	tr_stack_clear(u, to);
	if (is_task) {
		to->tp = tr_stack_kernel_tp(u, &h->hart.context);
		to->is_task = true;
		to->ordinal = 0;
		return;
	}
	tr_stack_put_above(u, h, to);
}

bool tr_stack_stays(struct tr_unwind *u, struct stacks_hart *h, bool is_task)
{
	const struct pending *p = &h->pending;
	const uint64_t sp = h->hart.sp;
	tr_stack_rise(u, h);
	struct stack *s = h->stack;
	if (s->key != tr_stack_key(&h->hart.context) || stack_is_elsewhere(s))
		return false;
	if (sp >= p->before && sp <= s->high)
		return true;
	/* The write gave sp the value that it had, as when the handler of a trap within
	 * the kernel loads sp again; then it has only been decreased. */
	if (is_task || pending_sp_value(h, 0) != p->before || p->before - sp >= NEAR)
		return false;
	tr_stack_reach(u, s, sp);
	return true;
}

/* Returns true if the place where a stack continues determines which stack control
 * reaches. */
static bool leaves_for(const struct leaving *by)
{
	return by->place && (by->flow == TR_FLOW_RETURN || by->flow == TR_FLOW_INDIRECT ||
			     by->flow == TR_FLOW_XRET);
}

/* Returns true if the code that wrote sp is a trap handler that continues. */
static bool begins_handler(const struct stacks_hart *h, const struct leaving *by)
{
	return h->pending.floats &&
	       (by->flow == TR_FLOW_BRANCH || by->flow == TR_FLOW_JUMP ||
		by->flow == TR_FLOW_CALL);
}

/* Returns true if a function is called on a stack in use, and will return. */
static bool is_called_on(const struct stacks_hart *h, const struct stack *to,
			 const struct leaving *by)
{
	const struct stack *from = h->stack;
	const struct trap *trap = from->ntraps ? &from->traps[from->ntraps - 1] : NULL;
	if (by->flow != TR_FLOW_CALL || !to->depth || by->is_task || by->calls_on)
		return false;
	if (h->pending.floats && trap && trap->from != trap->priv)
		return false;
	return from->depth || !tr_stack_stands_on(from, to);
}

/* The handler of a trap leaves its stack: what it interrupted has the trap again. */
static void put_trap_back(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *s = h->stack;
	if (!s->below || !s->ntraps || s->traps[0].frame ||
	    s->traps[0].from != s->traps[0].priv)
		return;
	tr_frames_move_trap_back(u, s);
	tr_stack_go(u, h, s->below, h->pending.before);
	h->pending.before = s->below->parked;
}

/* Drops what has ended on a stack that was not left with this sp. */
static void drop_ended(struct tr_unwind *u, struct stacks_hart *h, struct stack *to,
		       const struct leaving *by)
{
	if (by->flow == TR_FLOW_CALL || by->flow == TR_FLOW_JUMP)
		drop_calls(to, h->hart.sp);
	else
		tr_stack_drop_below(u, to, h->hart.sp);
}

void tr_stack_settle(struct tr_unwind *u, struct stacks_hart *h, const struct leaving *by)
{
	const uint64_t key = tr_stack_key(&h->hart.context);
	if (!h->hart.sp)
		return;
	h->state &= ~(uint32_t)HAS_PENDING;
	if (tr_stack_stays(u, h, by->is_task))
		return;
	if (by->flow == TR_FLOW_XRET)
		put_trap_back(u, h);
	const uint64_t sp = h->hart.sp, last = pending_sp_value(h, 0);
	struct stack *from = h->stack;
	const uint64_t tp = stack_bottom(from)->tp;
	struct stack *to = leaves_for(by) ? find_by_place(u, h, key, by->place) : NULL;
	const bool is_known = to;
	if (!to)
		to = find_by_sp(u, h, key);
	if (to == from)
		return;
	if (!to)
		to = tr_stack_new(u, &h->hart.context, sp);
	bool is_exact = is_known || (is_parked_here(h, to) && !begins_handler(h, by));
	if (last - sp + NEAR < 2 * NEAR)
		tr_stack_widen(u, to, last);
	if (!is_known && (by->flow == TR_FLOW_CALL || (h->pending.floats && !is_exact)))
		tr_task_hands_over(u, h, to);
	if (!is_exact)
		drop_ended(u, h, to, by);
	/* The memory may have been reused from a thread that ended. */
	if (by->is_task && tr_stack_is_of_another(u, h, to))
		tr_stack_clear(u, to);
	if (is_called_on(h, to, by)) {
		to = tr_stack_cover(u, h, to);
		set_up(u, h, to, false);
	} else if (!to->depth || by->calls_on || (h->pending.floats && !is_exact)) {
		set_up(u, h, to, by->is_task);
	} else if (leaves_for(by) ? !is_known : !is_exact) {
		h->state |= HAS_ARRIVED;
	}
	if (from->key == key && !stack_is_elsewhere(from))
		tr_stack_reach(u, from, h->pending.before);
	tr_stack_go(u, h, to, h->pending.before);
	if (to->below && tr_stack_has_own_tp(to))
		to->tp = tr_stack_kernel_tp(u, &h->hart.context);
	if (stack_is_user(to))
		tr_stack_keep_thread(u, h, tp);
}
