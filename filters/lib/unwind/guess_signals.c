/* SPDX-License-Identifier: Apache-2.0 */
/* Signals: a handler is called by nobody, returns to a trampoline, and that goes back by
 * a system call. */
#include "unwind/guess.h"

enum { ECALL_BYTES = 4 };

void signals_begin(struct tr_unwind *u, struct hart *h, uint64_t pc, uint32_t handler)
{
	struct thread *t = thread_of(h);
	uint32_t depth = t->depth;
	stack_push(u, t, SYM_SIGNAL, NO_RETURN);
	if (t->depth > depth)
		t->frames[depth].flow_next = pc;
	flow_enter(u, h, handler, NO_RETURN);
}

/* The trampoline has a frame if it has a name. */
bool signals_end_handler(struct tr_unwind *u, struct hart *h, uint32_t sym)
{
	struct thread *t = thread_of(h);
	uint32_t top = t->depth - 1;
	top -= stack_is_overlay(u, t, top);
	if (top <= t->base + 1 || t->frames[top - 1].sym != SYM_SIGNAL)
		return false;
	stack_keep(t, top);
	if (!sym_is_blank(u, sym)) {
		stack_push(u, t, sym, NO_RETURN);
		t->frames[top].flow_next = true;
	}
	u->totals.returns++;
	return true;
}

/* Index of the newest "[signal]" that interrupted `pc`, or an ecall before it; 0 if
 * none. */
static uint32_t find_signal(const struct thread *t, uint64_t pc)
{
	for (uint32_t i = t->depth - 1; i > t->base; i--)
		if (t->frames[i].sym == SYM_SIGNAL &&
		    pc - t->frames[i].flow_next <= ECALL_BYTES)
			return i;
	return 0;
}

/* Index of the "[signal]" whose trampoline is on top; 0 if none is. */
static uint32_t ended_signal(const struct thread *t)
{
	uint32_t top = t->depth - 1;
	if (t->frames[top].sym == SYM_SIGNAL)
		return top;
	if (top > t->base && t->frames[top].flow_next &&
	    t->frames[top - 1].sym == SYM_SIGNAL)
		return top - 1;
	return 0;
}

bool signals_return(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct thread *t = thread_of(h);
	uint32_t found = find_signal(t, place->pc);
	uint32_t frame = found ? found : ended_signal(t);
	if (!frame)
		return false;
	uint64_t pc = t->frames[frame].flow_next;
	stack_keep(t, frame);
	if (!found && place->entry)
		signals_begin(u, h, pc, place->sym);
	return true;
}
