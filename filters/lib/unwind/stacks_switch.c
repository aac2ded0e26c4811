/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of stacks: where a write of sp leads. */
#include "unwind/stacks.h"

/* Additions to sp after a write of it stay within this many bytes. */
enum { NEAR = 1 << 16 };

void tr_stack_clear(struct tr_unwind *u, struct stack *s)
{
	if (root_is_held(s))
		tr_root_release(u, s);
	tr_frames_drop(stack_frames(s), 0);
	stack_put_on(s, NULL);
	thread_set_task(s, false);
	tr_thread_settle(u, s);
	tr_breaks_forget(s);
}

/* Drops the frames that were called at sp or below, but not the root. */
static void drop_calls(struct stack *s, uint64_t sp)
{
	tr_frames_drop(stack_frames(s), tr_frames_count_above(stack_frames(s), sp));
}

void tr_stack_drop_below(struct tr_unwind *u, struct stack *s, uint64_t sp)
{
	drop_calls(s, sp);
	if (stack_depth(s) == 1 && frame_kind(stack_frame(s, 0)) == FRAME_ROOT)
		tr_stack_clear(u, s);
}

/* ------------------------------------------------------------ what continues */

bool tr_stack_goes_on(const struct hart *h, const struct stack *s,
		      const struct place *place, const struct trap **trap)
{
	return tr_frames_go_on(stack_frames_left(s), hart_priv(h), hart_sp(h), place,
			       trap);
}

/* ------------------------------------------------------------ where to */

/* Returns true if another process has begun at the stack's addresses. */
static bool is_reused_by_process(const struct hart *h, const struct stack *s)
{
	const struct tr_context *c = hart_context(h);
	return thread_space(s) && thread_space(s) != c->space &&
	       tr_mode_is_user(tr_mode_of(c->priv));
}

/* Returns the stack that continues at the place, NULL if there is none. */
static struct stack *find_by_place(struct tr_unwind *u, const struct hart *h,
				   uint64_t key, const struct place *place)
{
	const struct trap *trap;
	for (unsigned i = 0; i <= pending_count(hart_last_write(h)); i++) {
		struct stack *first = tr_stack_find(
		    u, key, tr_pending_value(hart_last_write(h), i, hart_sp(h)));
		for (struct stack *s = first; s; s = stack_covered(s))
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
	for (struct stack *s = first; s; s = stack_covered(s))
		if (stack_depth(s) && stack_parked_sp(s) == sp)
			return tr_stack_uncover_to(u, first, s);
	return NULL;
}

/* Returns the stack that sp is on now, NULL if none is known. A value written earlier may
 * be that of the outgoing task. The program of another life never writes such an sp on
 * purpose. */
static struct stack *find_by_sp(struct tr_unwind *u, const struct hart *h, uint64_t key)
{
	struct stack *s =
	    find_exact(u, key, tr_pending_value(hart_last_write(h), 0, hart_sp(h)));
	if (!s)
		s = find_exact(u, key, hart_sp(h));
	if (!s)
		s = tr_stack_uncovered(u, tr_stack_find(u, key, hart_sp(h)), hart_sp(h));
	if (s && is_reused_by_process(h, s)) {
		tr_stack_unlist(u, s);
		return NULL;
	}
	return s;
}

static bool is_parked_here(const struct hart *h, const struct stack *s)
{
	return stack_depth(s) &&
	       (stack_parked_sp(s) ==
		    tr_pending_value(hart_last_write(h), 0, hart_sp(h)) ||
		stack_parked_sp(s) == hart_sp(h));
}

/* Bounds the height, since each landing searches for the thread at the bottom. */
static bool is_high(const struct stack *s)
{
	unsigned height = 1;
	while (height < TR_UNWIND_HEIGHT && (s = stack_below(s)))
		height++;
	return height == TR_UNWIND_HEIGHT;
}

void tr_stack_put_above(struct tr_unwind *u, struct hart *h, struct stack *to)
{
	struct stack *from = hart_stack(h);
	/* the stack stood on `to`, and has ended */
	if (tr_stack_stands_on(from, to))
		return;
	if (pending_floats(hart_last_write(h)) && stack_trap_count(from))
		tr_frames_move_trap(u, h, to);
	stack_put_on(to, from);
	/* At the limit, the newest stack replaces the previous one. */
	if (is_high(from)) {
		stacks_count(u, COUNT_TOO_DEEP, 1);
		stack_put_on(to, stack_below(from));
	} else if (!stack_depth(from) && stack_below(from)) {
		stack_put_on(to, stack_below(from));
	}
}

/* Prepares an empty stack: one that stands on the hart's, or a new thread. */
static void set_up(struct tr_unwind *u, struct hart *h, struct stack *to, bool is_task)
{
	const uint64_t tp = tr_stack_kernel_tp(u, hart_context(h));
	struct thread_name first;
	const bool was_first = is_task && tr_thread_was_first(to, tp, &first);
	tr_stack_clear(u, to);
	if (is_task) {
		thread_set_tp(to, tp);
		thread_set_task(to, true);
		thread_set_ordinal(to, 0);
		thread_meet(to);
		if (was_first)
			tr_thread_has_been(to, &first);
		return;
	}
	tr_stack_put_above(u, h, to);
}

bool tr_stack_stays(struct tr_unwind *u, struct hart *h, bool is_task)
{
	const struct pending *p = hart_last_write(h);
	const uint64_t sp = hart_sp(h);
	tr_stack_rise(u, h);
	struct stack *s = hart_stack(h);
	if (stack_key(s) != tr_stack_key(hart_context(h)) || stack_is_elsewhere(s))
		return false;
	if (sp >= pending_before(p) && sp <= stack_high(s))
		return true;
	/* The write gave sp the value that it had, as when the handler of a trap within
	 * the kernel loads sp again; then it has only been decreased. */
	if (is_task ||
	    tr_pending_value(hart_last_write(h), 0, hart_sp(h)) != pending_before(p) ||
	    pending_before(p) - sp >= NEAR)
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
static bool begins_handler(const struct hart *h, const struct leaving *by)
{
	return pending_floats(hart_last_write(h)) &&
	       (by->flow == TR_FLOW_BRANCH || by->flow == TR_FLOW_JUMP ||
		by->flow == TR_FLOW_CALL);
}

/* Returns true if a function is called on a stack in use, and will return. */
static bool is_called_on(const struct hart *h, const struct stack *to,
			 const struct leaving *by)
{
	const struct stack *from = hart_stack(h);
	const struct trap *trap = stack_trap_count(from) ? stack_newest_trap(from) : NULL;
	if (by->flow != TR_FLOW_CALL || !stack_depth(to) || by->is_task || by->calls_on)
		return false;
	if (pending_floats(hart_last_write(h)) && trap &&
	    trap_from(trap) != trap_priv(trap))
		return false;
	return stack_depth(from) || !tr_stack_stands_on(from, to);
}

/* The handler of a trap leaves its stack: what it interrupted has the trap again. */
static void put_trap_back(struct tr_unwind *u, struct hart *h)
{
	struct stack *s = hart_stack(h);
	if (!stack_below(s) || !stack_trap_count(s) || trap_frame(stack_trap(s, 0)) ||
	    trap_from(stack_trap(s, 0)) != trap_priv(stack_trap(s, 0)))
		return;
	tr_frames_move_trap_back(u, s);
	tr_stack_go(u, h, stack_below(s), hart_sp_before(h));
	pending_set_before(hart_pending(h), stack_parked_sp(stack_below(s)));
}

/* Drops what has ended on a stack that was not left with this sp. */
static void drop_ended(struct tr_unwind *u, struct hart *h, struct stack *to,
		       const struct leaving *by)
{
	if (by->flow == TR_FLOW_CALL || by->flow == TR_FLOW_JUMP)
		drop_calls(to, hart_sp(h));
	else
		tr_stack_drop_below(u, to, hart_sp(h));
}

void tr_stack_settle(struct tr_unwind *u, struct hart *h, const struct leaving *by)
{
	const uint64_t key = tr_stack_key(hart_context(h));
	if (!hart_sp(h))
		return;
	state_drop(h, HAS_PENDING);
	if (tr_stack_stays(u, h, by->is_task))
		return;
	if (by->flow == TR_FLOW_XRET)
		put_trap_back(u, h);
	const uint64_t sp = hart_sp(h),
		       last = tr_pending_value(hart_last_write(h), 0, hart_sp(h));
	struct stack *from = hart_stack(h);
	const uint64_t tp = thread_tp(stack_bottom(from));
	struct stack *to = leaves_for(by) ? find_by_place(u, h, key, by->place) : NULL;
	const bool is_known = to;
	if (!to)
		to = find_by_sp(u, h, key);
	if (to == from)
		return;
	if (!to)
		to = tr_stack_new(u, hart_context(h), sp);
	bool is_exact = is_known || (is_parked_here(h, to) && !begins_handler(h, by));
	if (last - sp + NEAR < 2 * NEAR)
		tr_stack_widen(u, to, last);
	if (!is_known && (by->flow == TR_FLOW_CALL ||
			  (pending_floats(hart_last_write(h)) && !is_exact)))
		tr_task_hands_over(u, h, to);
	if (!is_exact)
		drop_ended(u, h, to, by);
	/* The memory may have been reused from a thread that ended. */
	if (by->is_task && tr_stack_is_of_another(u, h, to))
		tr_stack_clear(u, to);
	if (is_called_on(h, to, by)) {
		to = tr_stack_cover(u, h, to);
		set_up(u, h, to, false);
	} else if (!stack_depth(to) || by->calls_on ||
		   (pending_floats(hart_last_write(h)) && !is_exact)) {
		set_up(u, h, to, by->is_task);
	} else if (leaves_for(by) ? !is_known : !is_exact) {
		state_add(h, HAS_ARRIVED);
	}
	if (stack_key(from) == key && !stack_is_elsewhere(from))
		tr_stack_reach(u, from, hart_sp_before(h));
	tr_stack_go(u, h, to, hart_sp_before(h));
	if (stack_below(to) && tr_stack_has_own_tp(to))
		thread_set_tp(to, tr_stack_kernel_tp(u, hart_context(h)));
	if (stack_is_user(to))
		tr_stack_keep_thread(u, h, tp);
}
