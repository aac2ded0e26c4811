/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks in U-mode that share one address space. A kernel without virtual memory goes from
 * one to another as between tasks in one privilege: it loads the sp of another one, whose
 * trap the xret ends. */
#include "unwind/stacks.h"

/* Maximum distance from the sp of a trap to that of a function that the kernel has made
 * the task call. */
enum { UPCALL_NEAR = 2048 };

bool tr_task_is_bare(const struct tr_unwind *u, const struct stacks_hart *h)
{
	const struct tr_context *c = &h->hart.context;
	return priv_rank(c->priv) == TR_PRIV_U && options_of(u)->has_sp && !c->satp &&
	       (options_of(u)->has_satp || priv_rank(h->xret_priv) == TR_PRIV_M);
}

bool tr_task_begins_at(const struct stack *s, uint64_t sp)
{
	return s->depth < 2 || sp >= s->frames[1].sp;
}

void tr_task_begin(struct tr_unwind *u, struct stacks_hart *h, const struct place *place)
{
	tr_stack_begin_thread(u, h);
	h->stack->ordinal = ORDINAL_NEW;
	tr_stacks_begin(u, h, place);
}

/* Returns the trap that a task has left its stack by, NULL if there is none: the newest
 * one on the stack, or the first of the handler's stack. */
static const struct trap *find_leaving_trap(struct stack *s, struct stack **where)
{
	struct stack *above = s->above;
	if (above && above->below == s && above->ntraps && !above->traps[0].frame)
		s = above;
	*where = s;
	if (!s->ntraps)
		return NULL;
	return s == above ? &s->traps[0] : &s->traps[s->ntraps - 1];
}

bool tr_task_was_left_at(struct stack *s, uint64_t sp, uint64_t pc)
{
	struct stack *where;
	const struct trap *trap = find_leaving_trap(s, &where);
	return trap && trap->sp == sp && trap_is_back(trap, pc);
}

/* Returns true if the kernel has made the task call the function at `place`. */
static bool is_upcall(const struct stack *s, const struct trap *trap, uint64_t sp,
		      const struct place *place)
{
	return place->entry && trap && trap->sp - sp < UPCALL_NEAR &&
	       !tr_task_begins_at(s, sp);
}

void tr_task_hands_over(struct tr_unwind *u, struct stacks_hart *h, struct stack *to)
{
	struct stack *below = to->below;
	if (below && stack_is_bare(below) && to->ntraps && !to->traps[0].frame &&
	    !tr_stack_stands_on(h->stack, below))
		tr_frames_move_trap_back(u, to);
	else if (!below && to->depth > 1 && to->ordinal && !to->tp &&
		 stack_is_user(h->stack))
		tr_frames_doubt(u, h, to, 1);
}

bool tr_task_land(struct tr_unwind *u, struct stacks_hart *h, const struct place *place)
{
	const uint64_t sp = h->hart.sp, before = h->pending.before;
	struct stack *where, *s = tr_stack_find(u, tr_stack_key(&h->hart.context), sp);
	h->state &= ~(uint32_t)IS_CHILD;
	const struct trap *trap = s ? find_leaving_trap(s, &where) : NULL;
	bool is_back = trap && trap->sp == sp && trap_is_back(trap, place->pc);
	if (is_back || is_upcall(s, trap, sp, place)) {
		/* Of a task that has not run yet, as in tr_traps_resume(). */
		if (is_back && place->entry && tr_task_begins_at(s, sp)) {
			stacks_count(u, COUNT_DOUBTED_CYCLES, s->left - s->begun);
			s->begun = s->left;
		}
		tr_stack_go(u, h, where, before);
		tr_traps_leave(u, h, where, trap);
		h->state |= is_back ? 0 : IS_ELSEWHERE;
		return tr_traps_land(u, h, place);
	}
	if (!s || !s->depth || place->entry) {
		tr_task_begin(u, h, place);
		return true;
	}
	tr_stack_go(u, h, s, before);
	if (!tr_signals_end(u, h, place->pc)) {
		tr_stack_drop_below(u, s, sp - 1);
		tr_stack_doubt(u, h, true);
	}
	return false;
}
