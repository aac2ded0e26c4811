/* SPDX-License-Identifier: Apache-2.0 */
/* Traps and trap returns. */
#include "stream/reader.h"
#include "unwind/stacks.h"

enum { CAUSE_ECALL_U = 8 };

bool tr_trap_has_pending(const struct trap *t)
{
	return t->state & HAS_PENDING;
}

bool tr_trap_goes_on(const struct trap *t, uint8_t priv, uint64_t sp,
		     const struct place *place)
{
	if (t->from != priv || t->priv != priv || t->sp != sp)
		return false;
	if (t->epc == NO_RETURN && t->is_interrupt)
		return !place->entry || t->held.flow != TR_FLOW_RETURN;
	if (place->entry || (t->is_interrupt && !t->is_inferred))
		return place->pc == t->epc;
	return trap_is_back(t, place->pc);
}

/* ------------------------------------------------------------ traps */

/* Returns true if a process that has not run yet comes next: tr-match reports its space
 * only with its first instruction. */
static bool is_new_process(const struct tr_unwind *u, const struct hart *h)
{
	return priv_rank(hart_priv(h)) == TR_PRIV_U &&
	       ((state_has(h, IS_CHILD) && !tr_task_is_bare(u, h)) ||
		!stack_top(hart_stack(h)));
}

/* Settles the previous transfer, which continues at epc, where no block may have run yet;
 * the file of the previous block usually has the function. If an interrupt came at an
 * unknown place, the transfer stays as it is until the interrupt returns. */
static void settle_before_trap(struct tr_unwind *u, struct hart *h, uint64_t epc,
			       bool is_interrupt)
{
	struct place place = {.pc = epc, .binary = TR_NOTE_UNKNOWN, .sym = SYM_UNKNOWN};
	if (state_has(h, IS_ADRIFT))
		tr_events_find_stack(u, h);
	if (hart_from(h)->sp_write && !options_of(u)->has_sp)
		tr_inferred_write(h);
	if (state_has(h, HAS_XRET))
		tr_inferred_xret(u, h, &place);
	bool is_back = state_has(h, HAS_RETURNED) && !state_has(h, IS_ELSEWHERE) &&
		       epc == trap_epc(hart_returned(h));
	bool is_located =
	    !is_back && !is_new_process(u, h) && epc != NO_RETURN &&
	    (tr_pairs_locate(pairs_of(u), hart_from(h), hart_space(h), &place) ||
	     (tr_task_is_bare(u, h) && tr_rows_locate(u, h, &place)));
	if (is_located) {
		tr_stacks_land(u, h, &place);
		tr_flow_set(h, TR_FLOW_NEXT, epc);
	} else if (state_has(h, HAS_RETURNED | IS_CHILD | HAS_CROSSED)) {
		tr_traps_land(u, h, &place);
	} else if (hart_from(h)->flow == TR_FLOW_RETURN && !state_has(h, HAS_PENDING) &&
		   !(epc == NO_RETURN && is_interrupt)) {
		tr_stacks_give_back_blank(u, h, &place);
		tr_flow_set(h, TR_FLOW_NEXT, epc);
	}
	tr_leaving_trap(u, h);
	if (!stack_top(hart_stack(h)))
		tr_root_hold(u, h, SYM_UNKNOWN);
	tr_stacks_show(u, h);
}

/* Returns true for a trap from the context `to`, in which sp has this value, to `priv`.
 */
static bool trap_is_left_at(const struct trap *t, uint8_t priv,
			    const struct tr_context *to, uint64_t sp)
{
	const struct tr_space_id space = tr_space_of(to);
	return t->priv == priv && t->from == to->priv && t->sp == sp &&
	       t->hgatp == space.hgatp &&
	       (priv_rank(to->priv) != TR_PRIV_U || t->satp == space.satp);
}

/* Returns the newest trap to `priv`, whatever it interrupted. */
static struct trap *find_newest_trap_to(const struct hart *h, uint8_t priv,
					struct stack **where)
{
	for (struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_trap_count(s); i-- > 0;)
			if (stack_trap(s, i)->priv == priv) {
				*where = s;
				return stack_trap(s, i);
			}
	return NULL;
}

/* Returns where a return that was interrupted at an unknown place leads to, by the frame
 * on top, or NO_RETURN. */
static uint64_t return_address(const struct tr_unwind *u, const struct hart *h)
{
	const struct frame *top = stack_top(hart_stack(h));
	const bool is_return = hart_from(h)->flow == TR_FLOW_RETURN &&
			       !(state_has(h, HAS_PENDING | HAS_TRAPPED | IS_CHILD));
	return is_return && options_of(u)->has_sp && top && frame_sp(top) == hart_sp(h)
		   ? frame_return_address(top)
		   : NO_RETURN;
}

/* Returns where a task that was switched to has been interrupted, or NO_RETURN. */
static uint64_t parked_at(const struct tr_unwind *u, const struct hart *h)
{
	const struct tr_context *c = hart_context(h);
	const struct stack *s = tr_stack_find(u, tr_stack_key(c), hart_sp(h));
	const struct trap *t = s && stack_trap_count(s) ? stack_newest_trap(s) : NULL;
	return t && trap_is_left_at(t, c->priv, c, hart_sp(h)) ? t->epc : NO_RETURN;
}

/* Returns the epc of a trap. If it is not known, a trap that comes at once after a return
 * from another has that of the other one: without sp, of the newest. */
static uint64_t epc_of(const struct tr_unwind *u, const struct hart *h,
		       const struct tr_event *event)
{
	const uint64_t epc = event->u.trap.epc;
	const struct trap *trap = NULL;
	struct stack *where;
	if (epc != NO_RETURN)
		return epc;
	if (state_has(h, HAS_RETURNED))
		trap = hart_returned(h);
	else if (state_has(h, HAS_XRET))
		trap = find_newest_trap_to(h, hart_xret_priv(h), &where);
	else if (state_has(h, HAS_CROSSED))
		return parked_at(u, h);
	else
		return return_address(u, h);
	return trap ? trap->epc : epc;
}

void tr_traps_take(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	const struct tr_context *c = hart_context(h);
	const uint64_t epc = epc_of(u, h, event);
	/* An unreported trap at an unknown place came at once after a transfer there. */
	const bool is_interrupt =
	    event->u.trap.cause & TR_CAUSE_INTERRUPT ||
	    (!unwind_reports_all(u) && epc == NO_RETURN && c->priv == event->u.trap.priv);
	if (tr_signals_are_injected(u, h, epc))
		tr_signals_inject(u, h);
	else
		settle_before_trap(u, h, epc, is_interrupt);
	struct trap trap = {.sp = hart_sp(h),
			    .epc = epc,
			    .satp = c->satp,
			    .hgatp = tr_space_of(c).hgatp,
			    .held = *hart_from(h),
			    .pending = *hart_last_write(h),
			    .state = state_has(h, HAS_PENDING | HAS_OVERLAY | WROTE_TP),
			    .overlay = hart_overlay(h),
			    .sym = tr_names_trap(names_of(u), event->u.trap.cause),
			    .leaf = tr_rows_charge_trap(u, h, event),
			    .from = c->priv,
			    .priv = event->u.trap.priv,
			    .is_interrupt = is_interrupt,
			    .is_inferred = epc != event->u.trap.epc};
	if (trap.held.flow <= TR_FLOW_BRANCH)
		trap.held =
		    (struct pair){.flow = TR_FLOW_NEXT, .binary = TR_NOTE_UNKNOWN};
	if (priv_rank(c->priv) == TR_PRIV_U && event->u.trap.cause == CAUSE_ECALL_U)
		tr_snapshot_take(u, h, &trap);
	trap.is_fresh = hart_is_fresh(h);
	tr_frames_push_trap(u, h, &trap);
	state_replace(h, HAS_TRAPPED);
	hart_set_fresh(h, false);
	stacks_count(u, COUNT_TRAPS, 1);
	tr_flow_set(h, TR_FLOW_NEXT, 0);
}

/* Returns true for a trap into its own privilege and function, which is a jump: this is
 * how an MMU is switched on. */
static bool is_jump(const struct hart *h, const struct trap *trap,
		    const struct place *place)
{
	const struct stack *s = hart_stack(h);
	const struct frame *below =
	    trap->frame ? stack_frame(s, trap->frame - 1) : stack_top(stack_below(s));
	return trap->priv == trap->from && !trap->is_interrupt && below &&
	       frame_kind(below) == FRAME_FUNCTION && frame_sym(below) == place->sym;
}

static void begin_handler(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct stack *s = hart_stack(h);
	state_drop(h, HAS_TRAPPED);
	if (!stack_top(s))
		tr_stacks_begin(u, h, place);
	else if (stack_trap_count(s) && is_jump(h, stack_newest_trap(s), place))
		tr_frames_drop(stack_frames(s), stack_newest_trap(s)->frame);
	else
		tr_stacks_enter(u, h, place);
}

/* ------------------------------------------------------------ returns from traps */

/* Returns the newest trap taken from the current privilege to `priv` at sp, or NULL. */
static struct trap *find_trap_left_at(const struct hart *h, uint8_t priv,
				      struct stack **where)
{
	const struct tr_context *c = hart_context(h);
	struct stack *s = hart_stack(h), *above = stack_above(s);
	if (above && stack_trap_count(above) &&
	    trap_is_left_at(stack_newest_trap(above), priv, c, hart_sp(h))) {
		*where = above;
		return stack_newest_trap(above);
	}
	for (; s; s = stack_below(s))
		for (uint32_t i = stack_trap_count(s); i-- > 0;)
			if (trap_is_left_at(stack_trap(s, i), priv, c, hart_sp(h))) {
				*where = s;
				return stack_trap(s, i);
			}
	return NULL;
}

void tr_traps_leave(struct tr_unwind *u, struct hart *h, struct stack *s,
		    const struct trap *trap)
{
	/* Else it has been moved from the stack below. A guest and its hypervisor may
	 * have stacks at the same addresses. */
	bool was_here = frame_sp(stack_frame(s, trap->frame)) == trap->sp &&
			thread_hgatp(s) == trap->hgatp;
	hart_set_returned(h, trap);
	tr_frames_drop(stack_frames(s), trap->frame);
	tr_stack_go(u, h,
		    stack_depth(s) || !stack_below(s) || was_here ? s : stack_below(s),
		    hart_sp(h));
	state_replace(h, HAS_RETURNED);
}

/* The trap is handed on to the supervisor. */
void tr_traps_hand_on(struct tr_unwind *u, struct hart *h)
{
	struct trap trap = *hart_returned(h);
	trap.priv = hart_priv(h);
	tr_frames_push_trap(u, h, &trap);
	state_replace(h, HAS_TRAPPED);
}

/* An xret to a lower privilege, where no trap came from with this sp. */
static void return_down(struct tr_unwind *u, struct hart *h, uint8_t priv)
{
	const struct tr_context *c = hart_context(h);
	struct stack *where;
	const struct trap *trap = find_newest_trap_to(h, priv, &where);
	if (!state_has(h, HAS_PENDING))
		pending_set_before(hart_pending(h), hart_sp(h));
	state_drop(h, HAS_PENDING);
	if (tr_task_is_bare(u, h)) {
		state_add(h, IS_CHILD);
	} else if (priv_rank(c->priv) == TR_PRIV_S && trap && trap->sp == hart_sp(h)) {
		tr_traps_leave(u, h, where, trap);
		tr_traps_hand_on(u, h);
	} else if (priv_rank(c->priv) == TR_PRIV_U && trap &&
		   priv_rank(trap->from) == TR_PRIV_U &&
		   tr_space_equals(trap_space(trap), tr_space_of(c))) {
		tr_traps_leave(u, h, where, trap);
		state_add(h, IS_ELSEWHERE);
	} else if (trap && priv_rank(trap->from) == TR_PRIV_U) {
		tr_frames_drop(stack_frames(where), trap->frame);
		tr_stack_begin_thread(u, h);
	} else {
		state_add(h, IS_CHILD);
	}
}

void tr_traps_xret(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	const uint8_t priv = hart_priv(h);
	struct stack *where;
	tr_hart_apply(h, event);
	hart_set_fresh(h, false);
	state_drop(h, HAS_OVERLAY | HAS_TRAPPED);
	hart_set_xret_priv(h, priv);
	if (!options_of(u)->has_sp) {
		if (hart_from(h)->sp_write)
			tr_inferred_write(h);
		state_add(h, HAS_XRET);
		tr_flow_set(h, FLOW_RESYNC, 0);
		return;
	}
	const bool is_across = priv == hart_priv(h);
	const struct trap *trap = find_trap_left_at(h, priv, &where);
	uint8_t flow = FLOW_RESYNC;
	if (is_across && !trap)
		tr_stack_leave_cover(u, h);
	if (is_across && state_has(h, HAS_PENDING))
		state_add(h, HAS_CROSSED);
	else if (trap)
		tr_traps_leave(u, h, where, trap);
	else if (is_across)
		flow = TR_FLOW_RETURN; /* a jump */
	else
		return_down(u, h, priv);
	tr_flow_set(h, flow, 0);
}

/* A process that has executed nothing but injected calls begins: it is a forked child, or
 * has a new program. Returns true if the landing is complete. */
static bool land_first(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct stack *s = hart_stack(h);
	if (stack_depth(s) != 1 || stack_below(s) || !root_is_held(s))
		return false;
	if (tr_snapshot_adopt(u, h, place)) {
		tr_stack_clear(u, s);
		return false;
	}
	if (place->sym != SYM_UNKNOWN) /* else it is trapped at once */
		tr_stacks_enter(u, h, place);
	return true;
}

/* Lands in user code with another sp than the interrupted one. Returns true if the
 * landing is complete. */
static bool land_elsewhere(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	tr_flow_set(h, FLOW_RESYNC, 0);
	if (tr_signals_end(u, h, place->pc))
		return land_first(u, h, place);
	if (place->entry) {
		if (!tr_signals_end_in_call(u, h, place))
			tr_signals_begin(u, h, place);
		return true;
	}
	tr_pending_begin(hart_pending(h), trap_sp(hart_returned(h)), false);
	tr_pending_add(hart_pending(h), hart_sp(h));
	if (options_of(u)->has_sp) {
		tr_stack_settle(u, h, &(struct leaving){.flow = TR_FLOW_XRET});
	} else {
		hart_set_sp(h, trap_sp(hart_returned(h)));
		tr_flow_set(h, TR_FLOW_RETURN, 0);
	}
	return false;
}

/* The interrupted code continues: a write of sp that has not taken effect still does. */
static void restore_pending_write(struct hart *h, const struct trap *trap)
{
	*hart_pending(h) = trap->pending;
	state_add(h, trap->state);
	hart_set_overlay(h, trap->overlay);
}

/* Returns true if the hart's thread, which continues at the place, was interrupted before
 * its first instruction: a thread that begins there would continue in the same way. */
static bool is_before_first(const struct hart *h, const struct trap *r,
			    const struct place *place)
{
	const struct stack *s = hart_stack(h);
	return r->is_fresh && place->pc == r->epc && !stack_below(s) &&
	       stack_depth(s) == 2 && frame_sp(stack_frame(s, 1)) == hart_sp(h);
}

static bool land_returned(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const struct trap *r = hart_returned(h);
	bool is_elsewhere = state_has(h, IS_ELSEWHERE);
	state_drop(h, HAS_RETURNED | IS_ELSEWHERE);
	/* The thread was forgotten after the trap. */
	if (!stack_top(hart_stack(h)))
		return false;
	if (is_elsewhere)
		return land_elsewhere(u, h, place);
	const bool is_unknown = r->epc == NO_RETURN && r->is_interrupt;
	if (is_unknown || place->pc == r->epc || (r->other && place->pc == r->other)) {
		if (is_before_first(h, r, place) && thread_was_left(hart_stack(h))) {
			tr_stack_doubt_recent(u, h);
			tr_thread_doubt_life(u, h, hart_stack(h));
		}
		hart_hold_from(h, &r->held);
		hart_set_fresh(h, r->is_fresh);
		restore_pending_write(h, r);
		tr_breaks_mend(u, h);
	} else if (place->pc - r->epc <= TR_INSN_MAX_BYTES &&
		   !(place->entry && r->from == r->priv)) {
		tr_flow_set(h, TR_FLOW_NEXT, 0);
		restore_pending_write(h, r);
	} else if (r->from == r->priv && place->entry && options_of(u)->has_sp) {
		/* A task begins with the sp of one that was deleted. After a switch, what
		 * ran since was already the new one's. */
		if ((int64_t)(stack_clock(hart_stack(h)) - r->taken) > 0)
			tr_stack_doubt_recent(u, h);
		tr_stack_begin_thread(u, h);
		thread_set_ordinal(hart_stack(h), ORDINAL_NEW);
		tr_stacks_begin(u, h, place);
		return true;
	} else if (tr_task_is_bare(u, h) && place->entry &&
		   tr_task_begins_at(hart_stack(h), hart_sp(h))) {
		tr_task_begin(u, h, place);
		return true;
	} else if (priv_rank(r->from) == TR_PRIV_U && place->entry &&
		   options_of(u)->has_sp) {
		/* A signal whose frame has the address of the previous signal's. */
		tr_signals_begin(u, h, place);
		return true;
	} else if (priv_rank(r->priv) == TR_PRIV_M && r->from == TR_PRIV_S &&
		   place->entry) {
		tr_traps_hand_on(u, h);
		begin_handler(u, h, place);
		return true;
	}
	return false;
}

/* Lands in code that no trap came from: a forked child, a task resumed by a kernel in
 * M-mode, the kernel on another hart, or a new thread, perhaps with a signal, at a
 * function's entry in a running process. Returns true if the landing is complete. */
static bool land_child(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct stack *kernel = hart_stack(h);
	uint64_t key = tr_stack_key(hart_context(h)), sp = hart_sp(h);
	const uint64_t tp = thread_tp(stack_bottom(kernel));
	struct stack *s = tr_stack_find_parked(u, key, sp);
	state_drop(h, IS_CHILD);
	if (s && thread_tp(s) == tp &&
	    (tp || !place->entry || tr_task_was_left_at(s, sp, place->pc))) {
		tr_stack_go(u, h, s, sp);
		while (stack_trap_count(s) && stack_newest_trap(s)->sp == sp)
			tr_frames_drop(stack_frames(s), stack_newest_trap(s)->frame);
		return false;
	}
	if (tr_snapshot_adopt(u, h, place))
		return false;
	bool is_unknown = place->sym == SYM_UNKNOWN;
	bool is_new = (place->entry || is_unknown) && stack_is_user_key(key);
	bool is_signal = place->entry && stack_is_user_key(key) && tp &&
			 tr_stack_has_process(u, hart_context(h));
	struct thread_name first;
	const bool is_first = stack_is_user_key(key) &&
			      tr_thread_leaves_kernel(stack_bottom(kernel), &first);
	tr_stack_begin_thread(u, h);
	if (is_first)
		tr_thread_has_been(hart_stack(h), &first);
	/* Without tp, the address space is used again. */
	if (is_new && !tp &&
	    tr_names_has_space(names_of(u), tr_space_of(hart_context(h))))
		thread_set_ordinal(hart_stack(h), ORDINAL_NEW);
	if (is_unknown) {
		tr_thread_forget_process(hart_stack(h));
	}
	if (is_unknown || is_signal)
		tr_root_hold(u, h, tr_root_program(u, place));
	else
		tr_stacks_begin(u, h, place);
	tr_snapshot_release(u, h, kernel);
	if (is_signal) {
		tr_frames_push_signal(u, h, SYM_SIGNAL, 0, 0);
		tr_stacks_enter(u, h, place);
	}
	return true;
}

bool tr_traps_resume(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const struct trap *trap;
	struct stack *s = hart_stack(h);
	if (!tr_stack_goes_on(h, s, place, &trap) || !trap)
		return false;
	tr_traps_leave(u, h, s, trap);
	return true;
}

/* An xret within a privilege that has also written sp: a task resumes where a trap or a
 * call left it, or begins, or it is a jump. Returns true if the landing is complete. */
static bool land_across(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct stack *where, *before = hart_stack(h);
	const struct trap *trap;
	state_drop(h, HAS_CROSSED);
	trap = find_trap_left_at(h, hart_priv(h), &where);
	if (trap && tr_trap_goes_on(trap, hart_priv(h), hart_sp(h), place)) {
		tr_traps_leave(u, h, where, trap);
		return land_returned(u, h, place);
	}
	tr_stack_settle(u, h, &(struct leaving){.place = place, .flow = TR_FLOW_XRET});
	if (tr_traps_resume(u, h, place))
		return land_returned(u, h, place);
	if (tr_stack_goes_on(h, hart_stack(h), place, &trap)) {
		tr_flow_set(h, TR_FLOW_RETURN, 0);
		return false;
	}
	tr_flow_set(h, FLOW_RESYNC, 0);
	trap = place->entry ? NULL : find_trap_left_at(h, hart_priv(h), &where);
	if (trap) {
		tr_traps_leave(u, h, where, trap);
		return land_returned(u, h, place);
	}
	if (!stack_depth(hart_stack(h)) || hart_stack(h) == before) {
		tr_stack_begin_thread(u, h);
		thread_set_ordinal(hart_stack(h), ORDINAL_NEW);
	}
	return false;
}

bool tr_traps_land(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	if (state_has(h, HAS_XRET))
		tr_inferred_xret(u, h, place);
	if (state_has(h, HAS_TRAPPED)) {
		begin_handler(u, h, place);
		return true;
	}
	if (state_has(h, HAS_CROSSED))
		return land_across(u, h, place);
	if (state_has(h, HAS_RETURNED))
		return land_returned(u, h, place);
	if (state_has(h, IS_CHILD) && tr_task_is_bare(u, h))
		return tr_task_land(u, h, place);
	if (state_has(h, IS_CHILD))
		return land_child(u, h, place);
	return false;
}
