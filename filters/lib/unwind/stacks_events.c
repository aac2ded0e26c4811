/* SPDX-License-Identifier: Apache-2.0 */
/* Events between rows: writes of sp and tp, privilege changes, gaps; and the begin and
 * end of tracking. */
#include "stream/reader.h"
#include "unwind/stacks.h"

static void release_held_roots(struct tr_unwind *u, bool all);

/* ------------------------------------------------------------ registers */

static void write_sp(struct tr_unwind *u, struct hart *h, uint64_t value)
{
	if (!options_of(u)->has_sp)
		return;
	value = stack_address(u, value);
	bool is_known = h->stacks.knows_sp && !state_has(h, IS_ADRIFT);
	if (is_known && hart_from(h)->last_sp != TR_SP_ADDS &&
	    hart_from(h)->last_sp != TR_SP_SHIFTS) {
		if (!state_has(h, HAS_PENDING))
			tr_pending_begin(hart_pending(h), hart_sp(h),
					 stack_floats(hart_stack(h), hart_sp(h)));
		tr_pending_add(hart_pending(h), value);
		state_add(h, HAS_PENDING);
	} else if (is_known && state_has(h, HAS_PENDING) &&
		   pending_count(hart_last_write(h)) &&
		   hart_from(h)->last_sp == TR_SP_SHIFTS) {
		/* Computed from the value written, which may be on another stack. */
		tr_pending_add(hart_pending(h), value);
	}
	if (!h->stacks.knows_sp && hart_stack(h))
		tr_stack_place(u, hart_stack(h), value);
	hart_set_sp(h, value);
	h->stacks.knows_sp = true;
}

/* In S-mode tp identifies the thread; elsewhere it says nothing about stacks. */
static void write_tp(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = hart_context(h);
	const bool has_guest = c->hgatp && !tr_mode_of(c->priv).is_virtual;
	/* A hypervisor that is still on its guest's stack loads its own tp. */
	if (!tr_stack_kernel_tp(u, c) || (has_guest && thread_hgatp(hart_stack(h))))
		return;
	/* An address that is not complete is no thread's. */
	if (hart_from(h)->is_half_tp)
		return;
	tr_thread_write_tp(h);
	/* A hypervisor may have loaded the guest's sp and tp, which it enters next. */
	if (state_has(h, HAS_PENDING) && !has_guest) {
		if (options_of(u)->has_sp)
			tr_stack_settle(
			    u, h,
			    &(struct leaving){.flow = TR_FLOW_NEXT,
					      .is_task = tr_stack_has_new_tp(u, h)});
		state_drop(h, WROTE_TP);
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

static void apply_gap(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	if (h->stacks.knows_sp && hart_stack(h))
		tr_stack_reach(u, hart_stack(h),
			       state_has(h, HAS_PENDING) ? hart_sp_before(h)
							 : hart_sp(h));
	if (hart_stack(h))
		tr_thread_settle(u, stack_bottom(hart_stack(h)));
	if (is_blind(event->u.gap.reason))
		tr_stacks_forget_frames(u, h);
	if (is_blind(event->u.gap.reason) && hart_stack(h))
		tr_breaks_forget(stack_bottom(hart_stack(h)));
	tr_rows_gap(
	    u, h,
	    tr_nodes_on(nodes_of(u), 0, tr_names_gap(names_of(u), event->u.gap.reason)),
	    event->cycles);
	pending_set_before(hart_pending(h), hart_sp(h));
	state_replace(h, IS_ADRIFT);
	hart_set_fresh(h, false);
	tr_flow_set(h, FLOW_RESYNC, 0);
}

/* Handles a change of privilege that no trap or trap return reported. */
static void apply_priv_change(struct tr_unwind *u, struct hart *h,
			      const struct tr_event *event)
{
	const uint8_t from = hart_priv(h), to = event->u.priv.priv;
	const struct tr_event trap = {
	    .kind = TR_EV_TRAP,
	    .u.trap = {.cause = UINT64_MAX >> 1, .epc = NO_RETURN, .priv = to}};
	const struct tr_event xret = {.kind = TR_EV_XRET, .u.xret = {.priv = to}};
	if (state_has(h, IS_ADRIFT) || from == to)
		return;
	if (priv_rank(to) > priv_rank(from))
		tr_traps_take(u, h, &trap);
	else
		tr_traps_xret(u, h, &xret);
}

static bool is_of_former_process(const struct stack *s, const struct tr_context *c)
{
	return priv_rank(c->priv) == TR_PRIV_U && thread_space(s) && c->space &&
	       thread_space(s) != c->space;
}

static bool has_thread(const struct tr_unwind *u)
{
	const struct stack *s;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++)
		if (stack_depth(s))
			return true;
	return false;
}

/* After a gap, sp identifies the stack and how much of it is left. */
void tr_events_find_stack(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = hart_context(h);
	const uint64_t sp = hart_sp(h), key = tr_stack_key(c);
	struct stack *s = h->stacks.knows_sp ? tr_stack_find(u, key, sp) : NULL;
	s = tr_stack_uncovered(u, s, sp);
	state_drop(h, IS_ADRIFT);
	if (!options_of(u)->has_sp)
		hart_set_sp(h, hart_sp_before(h));
	if (!h->stacks.knows_sp && stack_key(hart_stack(h)) == key)
		s = hart_stack(h);
	if (!s || is_of_former_process(s, c)) {
		bool is_other = priv_rank(c->priv) == TR_PRIV_M && has_thread(u);
		s = tr_stack_new(u, c, sp);
		tr_thread_start(u, h, s);
		thread_set_ordinal(s, is_other ? ORDINAL_NEW : 0);
	} else if (h->stacks.knows_sp && sp && stack_depth(s) > 1) {
		tr_stack_drop_below(u, s, sp - 1);
	}
	/* Traps to a higher privilege have ended. */
	while (stack_trap_count(s) &&
	       priv_rank(trap_priv(stack_newest_trap(s))) > priv_rank(c->priv))
		tr_frames_drop(stack_frames(s), trap_frame(stack_newest_trap(s)));
	tr_stack_go(u, h, s, hart_sp_before(h));
}

void tr_stacks_begin_rows(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = hart_context(h);
	tr_pairs_see(pairs_of(u), c);
	if (tr_queue_length(queue_of(u)) > QUEUE_LONG)
		release_held_roots(u, false);
	if (state_has(h, IS_ADRIFT))
		tr_events_find_stack(u, h);
	struct stack *s = stack_bottom(hart_stack(h));
	if (priv_rank(c->priv) == TR_PRIV_U && !state_has(h, IS_CHILD)) {
		if (is_of_former_process(s, c))
			tr_stack_begin_thread(u, h);
		else if (!thread_space(s))
			thread_set_space(s, c->space);
	}
	tr_stacks_show(u, h);
}

void tr_events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
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
	tr_hart_apply(h, event);
	if (!options_of(u)->has_satp)
		tr_hart_forget_space(h);
	if (event->kind == TR_EV_REG && event->u.reg.reg == TR_REG_SP)
		write_sp(u, h, event->u.reg.value);
	if (event->kind == TR_EV_REG && event->u.reg.reg == TR_REG_TP)
		write_tp(u, h);
	tr_stacks_show(u, h);
}

/* ------------------------------------------------------------ as a whole */

/* If something is inferred, a change of privilege is handled at the next row. */
void tr_stacks_take_event(struct tr_unwind *u, struct hart *h,
			  const struct tr_event *event)
{
	if (!unwind_reports_all(u) && event->kind == TR_EV_PRIV) {
		hart_report_priv(h, event->u.priv.priv);
		return;
	}
	tr_events_apply(u, h, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_XRET)
		hart_report_priv(h, hart_priv(h));
}

void tr_stacks_begin_part(struct tr_unwind *u, struct hart *h)
{
	if (hart_stack(h))
		return;
	hart_report_priv(h, hart_priv(h));
	hart_set_sp(h, options_of(u)->has_sp ? 0 : tr_inferred_new_sp(u));
	pending_set_before(hart_pending(h), hart_sp(h));
	hart_begin_on(h, tr_stack_new(u, hart_context(h), hart_sp(h)));
	tr_thread_start(u, h, hart_stack(h));
}

/* Releases the oldest held root, or all: the stack below is still unknown. */
static void release_held_roots(struct tr_unwind *u, bool all)
{
	struct stack *first = NULL, *s;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		if (!root_is_held(s))
			continue;
		if (all)
			tr_root_release(u, s);
		else if (!first || root_hold(s) < root_hold(first))
			first = s;
	}
	if (first)
		tr_root_release(u, first);
}

void tr_stacks_finish(struct tr_unwind *u)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		if (unwind_hart(u, i))
			tr_stack_count_doubt(u, unwind_hart(u, i));
	release_held_roots(u, true);
}
