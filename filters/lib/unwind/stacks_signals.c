/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: handlers that a kernel makes a process run. */
#include "stream/reader.h"
#include "unwind/stacks.h"

/* Maximum size of a signal frame in bytes; beyond that distance it is another stack. */
enum { SIGNAL_NEAR = 1 << 14 };
/* Minimum size of one, which has a siginfo_t. */
enum { SIGNAL_LEAST = 128 };

static bool ends_signal(const struct tr_unwind *u, const struct hart *h,
			const struct frame *signal, uint64_t pc)
{
	if (!options_of(u)->has_sp)
		return pc - frame_interrupted_pc(signal) <= TR_INSN_MAX_BYTES;
	return !frame_interrupted_sp(signal) ||
	       frame_interrupted_sp(signal) == hart_sp(h);
}

bool tr_signals_end(struct tr_unwind *u, struct hart *h, uint64_t pc)
{
	for (struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_depth(s); i-- > 0;) {
			const struct frame *f = stack_frame(s, i);
			if (frame_kind(f) != FRAME_SIGNAL || !ends_signal(u, h, f, pc))
				continue;
			if (!options_of(u)->has_sp)
				hart_set_sp(h, frame_interrupted_sp(f));
			tr_frames_drop(stack_frames(s), i);
			tr_stack_go(
			    u, h, stack_depth(s) || !stack_below(s) ? s : stack_below(s),
			    hart_sp(h));
			return true;
		}
	return false;
}

/* Returns the stack with the newest signal, whose frame is *nth; NULL if there is none.
 */
static struct stack *find_newest_signal(const struct hart *h, uint32_t *nth)
{
	for (struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_depth(s); i-- > 0;)
			if (frame_kind(stack_frame(s, i)) == FRAME_SIGNAL) {
				*nth = i;
				return s;
			}
	return NULL;
}

/* Then sp is below the interrupted one, but not by a signal frame. */
bool tr_signals_end_in_call(struct tr_unwind *u, struct hart *h,
			    const struct place *place)
{
	uint32_t nth;
	struct stack *s = find_newest_signal(h, &nth);
	const uint64_t sp = hart_sp(h);
	if (!s || !options_of(u)->has_sp ||
	    frame_interrupted_sp(stack_frame(s, nth)) - sp >= SIGNAL_LEAST)
		return false;
	const struct frame signal = *stack_frame(s, nth);
	tr_frames_drop(stack_frames(s), nth);
	tr_stack_go(u, h, stack_depth(s) || !stack_below(s) ? s : stack_below(s), sp);
	stacks_note_call(u, SYM_NONE, 0);	       /* no call site */
	hart_set_sp(h, frame_interrupted_sp(&signal)); /* with which it returns */
	tr_frames_push(u, h, place->sym, frame_interrupted_pc(&signal), false);
	hart_set_sp(h, sp);
	hart_set_fresh(h, true);
	return true;
}

/* Returns the sp that a signal interrupted: if the previous signal's handler was entered
 * with the same sp, that signal has ended and its value applies; else that of the system
 * call. */
static uint64_t interrupted_sp(struct hart *h)
{
	struct stack *s = hart_stack(h);
	for (uint32_t i = stack_depth(s);
	     i-- > 0 && trap_sp(hart_returned(h)) == hart_sp(h);) {
		const struct frame *f = stack_frame(s, i);
		if (frame_kind(f) != FRAME_SIGNAL || frame_sp(f) != hart_sp(h))
			continue;
		uint64_t sp = frame_interrupted_sp(f);
		tr_frames_drop(stack_frames(s), i);
		return sp;
	}
	return trap_sp(hart_returned(h));
}

void tr_signals_begin(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t sp = hart_sp(h), interrupted = interrupted_sp(h);
	struct stack *s = hart_stack(h);
	if (interrupted - sp > SIGNAL_NEAR && options_of(u)->has_sp) {
		struct stack *other = tr_stack_find(u, stack_key(s), sp);
		if (!other || tr_stack_stands_on(s, other))
			other = tr_stack_new(u, hart_context(h), sp);
		tr_stack_drop_below(u, other, UINT64_MAX - 1);
		tr_frames_drop(stack_frames(other), 0);
		stack_put_on(other,
			     stack_depth(s) || !stack_below(s) ? s : stack_below(s));
		tr_stack_go(u, h, other, interrupted);
	}
	tr_frames_push_signal(u, h, SYM_SIGNAL, interrupted, trap_epc(hart_returned(h)));
	tr_stacks_enter(u, h, place);
}

/* Returns true if a signal has interrupted code with the hart's sp. */
static bool is_end_of_signal(const struct hart *h)
{
	for (const struct stack *s = hart_stack(h); s; s = stack_below(s))
		for (uint32_t i = stack_depth(s); i-- > 0;) {
			const struct frame *f = stack_frame(s, i);
			if (frame_kind(f) == FRAME_SIGNAL && frame_sym(f) == SYM_SIGNAL &&
			    (!frame_interrupted_sp(f) ||
			     frame_interrupted_sp(f) == hart_sp(h)))
				return true;
		}
	return false;
}

bool tr_signals_are_injected(const struct tr_unwind *u, const struct hart *h,
			     uint64_t epc)
{
	const struct pair *from = hart_from(h);
	const struct tr_unwind_source *source = source_of(u);
	const bool has_run = !hart_holds_from(h) || from->flow != FLOW_RESYNC || from->pc;
	if (!source->injects || !options_of(u)->has_sp || has_run ||
	    priv_rank(hart_priv(h)) != TR_PRIV_U || state_has(h, IS_ADRIFT) ||
	    !source->injects(source->user, epc))
		return false;
	const bool is_elsewhere =
	    state_has(h, IS_ELSEWHERE | IS_CHILD) || !stack_top(hart_stack(h));
	return is_elsewhere && !is_end_of_signal(h);
}

void tr_signals_inject(struct tr_unwind *u, struct hart *h)
{
	struct stack *kernel = hart_stack(h);
	const bool is_child = state_has(h, IS_CHILD);
	bool has_trap = state_has(h, HAS_RETURNED);
	struct trap trap = *hart_returned(h);
	const struct frame *top = stack_top(kernel);
	state_drop(h, HAS_RETURNED | IS_ELSEWHERE | IS_CHILD);
	if (top && frame_sym(top) == SYM_INJECT && !is_child)
		return; /* one more */
	if (is_child || !top) {
		/* Which process this is shows only when it continues. */
		if (is_child)
			tr_stack_begin_thread(u, h);
		tr_root_hold(u, h, SYM_UNKNOWN);
		if (is_child)
			tr_snapshot_release(u, h, kernel);
		has_trap = false;
	}
	if (has_trap) {
		/* Where it continues afterwards, as if it had not been stopped. */
		trap_rename(&trap, SYM_INJECT);
		tr_frames_push_trap(u, h, &trap);
	} else {
		tr_frames_push_signal(u, h, SYM_INJECT, 0, 0);
	}
	tr_stacks_show(u, h);
}
