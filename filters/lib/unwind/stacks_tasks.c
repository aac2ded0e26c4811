/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks in U-mode that share one address space. A kernel without virtual memory goes from
 * one to another as between tasks in one privilege: it loads the sp of another one, whose
 * trap the xret ends. */
#include "unwind/stacks.h"

/* Maximum distance from the sp of a trap to that of a function that the kernel has made
 * the task call. */
enum { UPCALL_NEAR = 2048 };

bool tr_task_is_bare(const struct tr_unwind *u, const struct hart *h)
{
	const struct tr_context *c = hart_context(h);
	return priv_rank(c->priv) == TR_PRIV_U && options_of(u)->has_sp && !c->satp &&
	       (options_of(u)->has_satp || priv_rank(hart_xret_priv(h)) == TR_PRIV_M);
}

bool tr_task_begins_at(const struct stack *s, uint64_t sp)
{
	return stack_depth(s) < 2 || sp >= frame_sp(stack_frame(s, 1));
}

void tr_task_begin(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	tr_stack_begin_thread(u, h);
	thread_set_ordinal(hart_stack(h), ORDINAL_NEW);
	tr_stacks_begin(u, h, place);
}

/* Returns the trap that a task has left its stack by, NULL if there is none: the newest
 * one on the stack, or the first of the handler's stack. */
static const struct trap *find_leaving_trap(struct stack *s, struct stack **where)
{
	struct stack *above = stack_above(s);
	if (above && stack_trap_count(above) && !trap_frame(stack_trap(above, 0)))
		s = above;
	*where = s;
	if (!stack_trap_count(s))
		return NULL;
	return s == above ? stack_trap(s, 0) : stack_newest_trap(s);
}

bool tr_task_was_left_at(struct stack *s, uint64_t sp, uint64_t pc)
{
	struct stack *where;
	const struct trap *trap = find_leaving_trap(s, &where);
	return trap && trap_sp(trap) == sp && trap_is_back(trap, pc);
}

/* Returns true if the kernel has made the task call the function at `place`. */
static bool is_upcall(const struct stack *s, const struct trap *trap, uint64_t sp,
		      const struct place *place)
{
	return place->entry && trap && trap_sp(trap) - sp < UPCALL_NEAR &&
	       !tr_task_begins_at(s, sp);
}

void tr_task_hands_over(struct tr_unwind *u, struct hart *h, struct stack *to)
{
	struct stack *below = stack_below(to);
	if (below && stack_is_bare(below) && stack_trap_count(to) &&
	    !trap_frame(stack_trap(to, 0)) && !tr_stack_stands_on(hart_stack(h), below))
		tr_frames_move_trap_back(u, to);
	else if (!below && stack_depth(to) > 1 && thread_ordinal(to) && !thread_tp(to) &&
		 stack_is_user(hart_stack(h)))
		tr_frames_doubt(u, h, to, 1);
}

bool tr_task_land(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t sp = hart_sp(h), before = hart_sp_before(h);
	struct stack *where, *s = tr_stack_find(u, tr_stack_key(hart_context(h)), sp);
	state_drop(h, IS_CHILD);
	const struct trap *trap = s ? find_leaving_trap(s, &where) : NULL;
	bool is_back = trap && trap_sp(trap) == sp && trap_is_back(trap, place->pc);
	if (is_back || is_upcall(s, trap, sp, place)) {
		tr_stack_go(u, h, where, before);
		tr_traps_leave(u, h, where, trap);
		state_add(h, is_back ? 0 : IS_ELSEWHERE);
		return tr_traps_land(u, h, place);
	}
	if (!s || !stack_depth(s) || place->entry) {
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
