/* SPDX-License-Identifier: Apache-2.0 */
/* Events between rows: writes of sp and tp, privilege changes, gaps; and the begin and
 * end of tracking. */
#include <stdlib.h>

#include "stream/reader.h"
#include "unwind/stacks.h"

static void release_held_roots(struct tr_unwind *u, bool all);

/* ------------------------------------------------------------ registers */

static void add_value(struct pending *p, uint64_t value)
{
	if (p->count == PENDING_VALUES) {
		p->values[1] = p->values[2];
		p->count--;
	}
	p->values[p->count++] = value;
}

static void write_sp(struct tr_unwind *u, struct stacks_hart *h, uint64_t value)
{
	if (!options_of(u)->has_sp)
		return;
	value = stack_address(u, value);
	bool is_known = h->knows_sp && !(h->state & IS_ADRIFT);
	if (is_known && h->hart.from->last_sp != TR_SP_ADDS &&
	    h->hart.from->last_sp != TR_SP_SHIFTS) {
		if (!(h->state & HAS_PENDING))
			h->pending = (struct pending){
			    .before = h->hart.sp,
			    .floats = stack_floats(h->stack, h->hart.sp)};
		add_value(&h->pending, value);
		h->state |= HAS_PENDING;
	} else if (is_known && h->state & HAS_PENDING && h->pending.count &&
		   h->hart.from->last_sp == TR_SP_SHIFTS) {
		/* Computed from the value written, which may be on another stack. */
		add_value(&h->pending, value);
	}
	if (!h->knows_sp && h->stack)
		tr_stack_place(u, h->stack, value);
	h->hart.sp = value;
	h->knows_sp = true;
}

/* In S-mode tp identifies the thread; elsewhere it says nothing about stacks. */
static void write_tp(struct tr_unwind *u, struct stacks_hart *h)
{
	const struct tr_context *c = &h->hart.context;
	const bool has_guest = c->hgatp && !tr_mode_of(c->priv).is_virtual;
	/* A hypervisor that is still on its guest's stack loads its own tp. */
	if (!tr_stack_kernel_tp(u, c) || (has_guest && h->stack->hgatp))
		return;
	if (!(h->state & WROTE_TP)) {
		h->thread_tp = tr_stack_tp(h->stack);
		h->state |= WROTE_TP;
	}
	/* A hypervisor may have loaded the guest's sp and tp, which it enters next. */
	if (h->state & HAS_PENDING && !has_guest) {
		if (options_of(u)->has_sp)
			tr_stack_settle(
			    u, h,
			    &(struct leaving){.flow = TR_FLOW_NEXT,
					      .is_task = tr_stack_has_new_tp(u, h)});
		h->state &= ~(uint32_t)WROTE_TP;
	}
	/* otherwise a thread switch follows */
	if (!tr_stack_has_new_tp(u, h))
		tr_stack_name_thread(u, h);
}

/* ------------------------------------------------------------ gaps */

/* Returns true for a gap in which unknown code ran, so that any frame may have ended. In
 * the gap of a split, other programs ran. */
static bool is_blind(uint8_t reason)
{
	return reason == TR_GAP_UNTRACED || reason == TR_GAP_LOST ||
	       reason == TR_GAP_LIMIT;
}

static void apply_gap(struct tr_unwind *u, struct stacks_hart *h,
		      const struct tr_event *event)
{
	if (h->knows_sp && h->stack)
		tr_stack_reach(u, h->stack,
			       h->state & HAS_PENDING ? h->pending.before : h->hart.sp);
	if (is_blind(event->u.gap.reason))
		tr_stacks_forget_frames(u, h);
	if (is_blind(event->u.gap.reason) && h->stack)
		stack_bottom(h->stack)->is_broken = false;
	tr_rows_gap(
	    u, &h->hart,
	    tr_nodes_on(nodes_of(u), 0, tr_names_gap(names_of(u), event->u.gap.reason)),
	    event->cycles);
	h->pending.before = h->hart.sp;
	h->state = IS_ADRIFT;
	h->hart.fresh = false;
	tr_flow_set(&h->hart, FLOW_RESYNC, 0);
}

/* Handles a change of privilege that no trap or trap return reported. */
static void apply_priv_change(struct tr_unwind *u, struct stacks_hart *h,
			      const struct tr_event *event)
{
	const uint8_t from = h->hart.context.priv, to = event->u.priv.priv;
	const struct tr_event trap = {
	    .kind = TR_EV_TRAP,
	    .u.trap = {.cause = UINT64_MAX >> 1, .epc = NO_RETURN, .priv = to}};
	const struct tr_event xret = {.kind = TR_EV_XRET, .u.xret = {.priv = to}};
	if (h->state & IS_ADRIFT || from == to)
		return;
	if (priv_rank(to) > priv_rank(from))
		tr_traps_take(u, h, &trap);
	else
		tr_traps_xret(u, h, &xret);
}

static bool is_of_former_process(const struct stack *s, const struct tr_context *c)
{
	return priv_rank(c->priv) == TR_PRIV_U && s->space && c->space &&
	       s->space != c->space;
}

static bool has_thread(const struct tr_unwind *u)
{
	const struct stack *s;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++)
		if (s->depth)
			return true;
	return false;
}

/* After a gap, sp identifies the stack and how much of it is left. */
void tr_events_find_stack(struct tr_unwind *u, struct stacks_hart *h)
{
	const struct tr_context *c = &h->hart.context;
	const uint64_t sp = h->hart.sp, key = tr_stack_key(c);
	struct stack *s = h->knows_sp ? tr_stack_find(u, key, sp) : NULL;
	s = tr_stack_uncovered(u, s, sp);
	h->state &= ~(uint32_t)IS_ADRIFT;
	if (!options_of(u)->has_sp)
		h->hart.sp = h->pending.before;
	if (!h->knows_sp && h->stack->key == key)
		s = h->stack;
	if (!s || is_of_former_process(s, c)) {
		bool is_other = priv_rank(c->priv) == TR_PRIV_M && has_thread(u);
		s = tr_stack_new(u, c, sp);
		s->tp = tr_stack_kernel_tp(u, c);
		s->ordinal = is_other ? ORDINAL_NEW : 0;
	} else if (h->knows_sp && sp && s->depth > 1) {
		tr_stack_drop_below(u, s, sp - 1);
	}
	/* Traps to a higher privilege have ended. */
	while (s->ntraps && priv_rank(s->traps[s->ntraps - 1].priv) > priv_rank(c->priv))
		tr_frames_truncate(s, s->traps[s->ntraps - 1].frame);
	tr_stack_go(u, h, s, h->pending.before);
}

void tr_stacks_begin_rows(struct tr_unwind *u, struct hart *hart)
{
	struct stacks_hart *h = stacks_hart(hart);
	const struct tr_context *c = &hart->context;
	tr_pairs_see(pairs_of(u), c);
	if (tr_queue_length(queue_of(u)) > QUEUE_LONG)
		release_held_roots(u, false);
	if (h->state & IS_ADRIFT)
		tr_events_find_stack(u, h);
	struct stack *s = stack_bottom(h->stack);
	if (priv_rank(c->priv) == TR_PRIV_U && !(h->state & IS_CHILD)) {
		if (is_of_former_process(s, c))
			tr_stack_begin_thread(u, h);
		else if (!s->space)
			s->space = c->space;
	}
	tr_stacks_show(u, h);
}

void tr_events_apply(struct tr_unwind *u, struct hart *hart, const struct tr_event *event)
{
	struct stacks_hart *h = stacks_hart(hart);
	switch (event->kind) {
	case TR_EV_TRAP:
		tr_traps_take(u, h, event);
		break;
	case TR_EV_XRET:
		tr_traps_xret(u, h, event);
		break;
	case TR_EV_PRIV:
		apply_priv_change(u, h, event);
		break;
	case TR_EV_GAP:
		apply_gap(u, h, event);
		break;
	case TR_EV_BREAK:
		tr_breaks_take(u, h);
		break;
	default:
		break;
	}
	tr_context_apply(&hart->context, event);
	if (!options_of(u)->has_satp)
		hart->context.space = 0;
	if (event->kind == TR_EV_REG && event->u.reg.reg == TR_REG_SP)
		write_sp(u, h, event->u.reg.value);
	if (event->kind == TR_EV_REG && event->u.reg.reg == TR_REG_TP)
		write_tp(u, h);
	tr_stacks_show(u, h);
}

/* ------------------------------------------------------------ as a whole */

/* If something is inferred, a change of privilege is handled at the next row. */
void tr_stacks_take_event(struct tr_unwind *u, struct hart *hart,
			  const struct tr_event *event)
{
	if (!unwind_reports_all(u) && event->kind == TR_EV_PRIV) {
		stacks_hart(hart)->reported_priv = event->u.priv.priv;
		return;
	}
	tr_events_apply(u, hart, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_XRET)
		stacks_hart(hart)->reported_priv = hart->context.priv;
}

struct hart *tr_stacks_new_hart(void)
{
	struct stacks_hart *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->state = IS_ADRIFT;
	h->binary = TR_NOTE_UNKNOWN;
	tr_flow_set(&h->hart, FLOW_RESYNC, 0);
	return &h->hart;
}

void tr_stacks_begin_part(struct tr_unwind *u, struct hart *hart)
{
	struct stacks_hart *h = stacks_hart(hart);
	if (h->stack)
		return;
	h->reported_priv = hart->context.priv;
	hart->sp = options_of(u)->has_sp ? 0 : tr_inferred_new_sp(u);
	h->pending.before = hart->sp;
	h->stack = tr_stack_new(u, &hart->context, hart->sp);
}

/* Releases the oldest held root, or all: the stack below is still unknown. */
static void release_held_roots(struct tr_unwind *u, bool all)
{
	struct stack *first = NULL, *s;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		if (s->root == HOLD_NONE)
			continue;
		if (all)
			tr_frames_release_root(u, s);
		else if (!first || s->root < first->root)
			first = s;
	}
	if (first)
		tr_frames_release_root(u, first);
}

void tr_stacks_finish(struct tr_unwind *u)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		if (unwind_hart(u, i))
			tr_stack_count_doubt(u, stacks_hart(unwind_hart(u, i)));
	release_held_roots(u, true);
}
