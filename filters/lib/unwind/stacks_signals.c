/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: handlers that a kernel makes a process run. */
#include "stream/reader.h"
#include "unwind/stacks.h"

/* Maximum size of a signal frame in bytes; beyond that distance it is another stack. */
enum { SIGNAL_NEAR = 1 << 14 };
/* Minimum size of one, which has a siginfo_t. */
enum { SIGNAL_LEAST = 128 };

static bool ends_signal(const struct tr_unwind *u, const struct stacks_hart *h,
			const struct frame *signal, uint64_t pc)
{
	if (!options_of(u)->has_sp)
		return pc - signal->linked <= TR_INSN_MAX_BYTES;
	return !signal->signal || signal->signal == h->hart.sp;
}

bool tr_signals_end(struct tr_unwind *u, struct stacks_hart *h, uint64_t pc)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->depth; i-- > 0;) {
			const struct frame *f = &s->frames[i];
			if (f->kind != FRAME_SIGNAL || !ends_signal(u, h, f, pc))
				continue;
			if (!options_of(u)->has_sp)
				h->hart.sp = f->signal;
			tr_frames_truncate(s, i);
			tr_stack_go(u, h, s->depth || !s->below ? s : s->below,
				    h->hart.sp);
			return true;
		}
	return false;
}

/* Returns the frame of the newest signal, and its stack; NULL if there is none. */
static const struct frame *newest_signal(const struct stacks_hart *h,
					 struct stack **where)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->depth; i-- > 0;)
			if (s->frames[i].kind == FRAME_SIGNAL) {
				*where = s;
				return &s->frames[i];
			}
	return NULL;
}

/* Then sp is below the interrupted one, but not by a signal frame. */
bool tr_signals_end_in_call(struct tr_unwind *u, struct stacks_hart *h,
			    const struct place *place)
{
	struct stack *s;
	const uint64_t sp = h->hart.sp;
	const struct frame *f = newest_signal(h, &s);
	if (!f || !options_of(u)->has_sp || f->signal - sp >= SIGNAL_LEAST)
		return false;
	const struct frame signal = *f;
	tr_frames_truncate(s, (uint32_t)(f - s->frames));
	tr_stack_go(u, h, s->depth || !s->below ? s : s->below, sp);
	stacks_note_call(u, SYM_NONE, 0); /* no call site */
	h->hart.sp = signal.signal;	  /* with which it returns */
	tr_frames_push(u, h, place->sym, signal.linked, false);
	h->hart.sp = sp;
	h->hart.fresh = true;
	return true;
}

/* Returns the sp that a signal interrupted: if the previous signal's handler was entered
 * with the same sp, that signal has ended and its value applies; else that of the system
 * call. */
static uint64_t interrupted_sp(struct stacks_hart *h)
{
	struct stack *s = h->stack;
	for (uint32_t i = s->depth; i-- > 0 && h->returned.sp == h->hart.sp;) {
		const struct frame *f = &s->frames[i];
		if (f->kind != FRAME_SIGNAL || f->sp != h->hart.sp)
			continue;
		uint64_t sp = f->signal;
		tr_frames_truncate(s, i);
		return sp;
	}
	return h->returned.sp;
}

void tr_signals_begin(struct tr_unwind *u, struct stacks_hart *h,
		      const struct place *place)
{
	const uint64_t sp = h->hart.sp, interrupted = interrupted_sp(h);
	struct stack *s = h->stack;
	if (interrupted - sp > SIGNAL_NEAR && options_of(u)->has_sp) {
		struct stack *other = tr_stack_find(u, s->key, sp);
		if (!other || tr_stack_stands_on(s, other))
			other = tr_stack_new(u, &h->hart.context, sp);
		tr_stack_drop_below(u, other, UINT64_MAX - 1);
		other->depth = other->ntraps = 0;
		other->below = s->depth || !s->below ? s : s->below;
		tr_stack_go(u, h, other, interrupted);
	}
	tr_frames_push_signal(u, h, interrupted, h->returned.epc);
	tr_stacks_enter(u, h, place);
}
