/* SPDX-License-Identifier: Apache-2.0 */
/* Takes hits and returns in order of time, and sums the waits. */
#include <stdlib.h>
#include <string.h>

#include "timeline/off_cpu_internal.h"

/* Finds or adds the cell of a stack and a way to wait. Returns NULL when out of memory.
 */
static struct off_cpu_cell *cell_of(struct tr_off_cpu *o, uint32_t stack,
				    enum tr_off_cpu_reason reason, bool at_end,
				    uint32_t waker)
{
	const uint32_t how = (uint32_t)reason * 2 + at_end;
	uint32_t way = tr_map_get(&o->way_map, tr_pair_key(how, waker));
	if (way == TR_MAP_NONE) {
		way = o->nways;
		if (!tr_map_set(&o->way_map, tr_pair_key(how, waker), way))
			return NULL;
		o->nways++;
	}
	const uint32_t id = tr_map_get(&o->cell_map, tr_pair_key(stack, way));
	if (id != TR_MAP_NONE)
		return &o->cells[id];
	if (!tr_grow(&o->cells, &o->cell_room, o->ncells + 1UL, sizeof(*o->cells)) ||
	    !tr_map_set(&o->cell_map, tr_pair_key(stack, way), o->ncells))
		return NULL;
	struct off_cpu_cell *cell = &o->cells[o->ncells++];
	*cell = (struct off_cpu_cell){
	    .stack = stack, .waker = waker, .reason = (uint8_t)reason, .at_end = at_end};
	return cell;
}

/* Adds the part of a wait from one cycle to another, as far as it is in the window.
 * Returns a status. */
static int add_part(struct tr_off_cpu *o, const struct off_cpu_wait *wait, uint64_t from,
		    uint64_t to, enum tr_off_cpu_reason reason, bool at_end,
		    uint32_t waker)
{
	if (from < wait->from)
		from = wait->from;
	if (to > wait->to)
		to = wait->to;
	if (from >= to)
		return TR_OK;
	struct off_cpu_cell *cell = cell_of(o, wait->stack, reason, at_end, waker);
	if (!cell)
		return TR_E_NOMEM;
	cell->cycles += to - from;
	cell->waits++;
	uint64_t *sum = at_end ? &o->sums.at_end[reason] : &o->sums.cycles[reason];
	return __builtin_add_overflow(*sum, to - from, sum) ? TR_E_CORRUPT : TR_OK;
}

/* Adds a wait of a thread that slept and was woken. Returns a status. */
static int add_woken(struct tr_off_cpu *o, const struct off_cpu_wait *wait,
		     uint64_t woken, uint32_t waker, bool at_end)
{
	if (woken < wait->left)
		woken = wait->left;
	if (woken > wait->back)
		woken = wait->back;
	int status = add_part(o, wait, wait->left, woken, TR_OFF_BLOCKED, at_end, waker);
	return status ? status
		      : add_part(o, wait, woken, wait->back, TR_OFF_RUNNABLE, at_end,
				 OFF_CPU_NONE);
}

int tr_off_cpu_settle(struct tr_off_cpu *o, struct off_cpu_thread *t, uint64_t woken,
		      uint32_t waker)
{
	const struct off_cpu_wait *wait = &t->pending;
	if (!t->is_pending)
		return TR_OK;
	t->is_pending = false;
	if (waker != OFF_CPU_NONE)
		return add_woken(o, wait, woken, waker, false);
	return add_part(o, wait, wait->left, wait->back, TR_OFF_EITHER, false,
			OFF_CPU_NONE);
}

/* Returns the reason of a thread that left, if it did not sleep, and otherwise
 * TR_OFF_BLOCKED. */
static enum tr_off_cpu_reason reason_of(const struct tr_off_cpu *o,
					const struct off_cpu_thread *t)
{
	if (t == o->threads)
		return TR_OFF_NO_THREAD;
	/* Without a state, a task that does not sleep has no hit of its own. */
	if (!t->has_left)
		return t->is_task && o->blocks_probe != UINT32_MAX ? TR_OFF_PREEMPTED
								   : TR_OFF_UNKNOWN;
	if (t->is_idle)
		return TR_OFF_IDLE;
	return t->state ? TR_OFF_BLOCKED : TR_OFF_PREEMPTED;
}

int tr_off_cpu_add(struct tr_off_cpu *o, struct off_cpu_thread *t,
		   const struct off_cpu_wait *wait, bool at_end)
{
	const enum tr_off_cpu_reason reason = reason_of(o, t);
	if (reason != TR_OFF_BLOCKED)
		return add_part(o, wait, wait->left, wait->back, reason, at_end,
				OFF_CPU_NONE);
	if (t->waker != OFF_CPU_NONE)
		return add_woken(o, wait, t->woken, t->waker, at_end);
	/* At the end it sleeps, unless there is no probe to tell. */
	if (at_end)
		return add_part(o, wait, wait->left, wait->back,
				o->wakeup_probe == UINT32_MAX ? TR_OFF_EITHER
							      : TR_OFF_BLOCKED,
				true, OFF_CPU_NONE);
	t->pending = *wait;
	t->is_pending = true;
	return TR_OK;
}

/* The thread is this task from now on, unless that is not told. Returns a status. */
static int set_task(struct tr_off_cpu *o, uint32_t thread, uint64_t task)
{
	if (!task || !thread)
		return TR_OK;
	o->threads[thread].task = task;
	return tr_map_set(&o->by_task, task, thread) ? TR_OK : TR_E_NOMEM;
}

/* The thread leaves its hart with a state. Returns a status. */
static int leave_with_state(struct tr_off_cpu *o, const struct off_cpu_event *event,
			    uint64_t state)
{
	struct off_cpu_thread *t = &o->threads[event->thread];
	int status = tr_off_cpu_settle(o, t, 0, OFF_CPU_NONE);
	t->has_left = true;
	t->state = state;
	t->left = event->is.cycle;
	t->waker = OFF_CPU_NONE;
	return status ? status : set_task(o, event->thread, event->is.task);
}

static int take_switch(struct tr_off_cpu *o, const struct off_cpu_event *event)
{
	struct off_cpu_thread *t = &o->threads[event->thread];
	if (o->state != UINT32_MAX) {
		t->is_idle = !event->is.task && o->has_forks;
		return leave_with_state(o, event, event->is.value);
	}
	/* A task that was about to sleep goes on. */
	if (event->is.next && t->task == event->is.next)
		t->has_left = false;
	return TR_OK;
}

static int take_arrival(struct tr_off_cpu *o, const struct off_cpu_event *event)
{
	o->threads[event->thread].is_task = true;
	return set_task(o, event->thread, event->is.task);
}

/* The call may begin before the task has left its hart, and end after it runs again. */
static int take_wakeup(struct tr_off_cpu *o, const struct off_cpu_event *event)
{
	const uint32_t thread = tr_map_get(&o->by_task, event->is.task);
	if (thread == TR_MAP_NONE)
		return TR_OK;
	struct off_cpu_thread *t = &o->threads[thread];
	if (t->is_pending && event->is.value <= t->pending.back)
		return tr_off_cpu_settle(o, t, event->is.value, event->stack);
	if (t->has_left && t->waker == OFF_CPU_NONE) {
		t->waker = event->stack;
		t->woken = event->is.value;
	}
	return TR_OK;
}

static int take_return(struct tr_off_cpu *o, const struct off_cpu_event *event)
{
	struct off_cpu_thread *t = &o->threads[event->thread];
	const struct off_cpu_wait wait = {.left = event->left,
					  .back = event->is.cycle,
					  .from = event->from,
					  .to = event->to,
					  .stack = event->stack};
	const uint64_t away = off_cpu_in_window(&wait);
	int status = tr_off_cpu_settle(o, t, 0, OFF_CPU_NONE);
	o->sums.waits += away != 0;
	if (!status && __builtin_add_overflow(o->sums.away, away, &o->sums.away))
		status = TR_E_CORRUPT;
	if (!status)
		status = tr_off_cpu_add(o, t, &wait, false);
	t->has_left = false;
	return status;
}

int tr_off_cpu_take(struct tr_off_cpu *o, const struct off_cpu_event *event)
{
	switch (event->is.kind) {
	case OFF_CPU_SWITCH:
		return take_switch(o, event);
	case OFF_CPU_BLOCKS:
		return leave_with_state(o, event, 1);
	case OFF_CPU_WAKEUP:
		return take_wakeup(o, event);
	case OFF_CPU_ARRIVAL:
		return take_arrival(o, event);
	default:
		return take_return(o, event);
	}
}

/* Folding */

static int add_text(struct tr_folded *folded, const char *text, uint32_t *id)
{
	return tr_folded_child(folded, *id, text, strlen(text), TR_TINT_OTHER, id);
}

/* Returns true for a frame of an interrupt, which has nothing to do with those below. */
static bool is_interrupt(const struct tr_func *func)
{
	static const char end[] = " interrupt]";
	const size_t length = strlen(func->name), size = sizeof(end) - 1;
	return func->kind == TR_FRAME_TRAP && length > size &&
	       strcmp(func->name + length - size, end) == 0;
}

/* Adds the waker's frames, the last one first. Returns a status. */
static int add_waker(const struct tr_off_cpu *o, struct tr_profile_folding *fold,
		     struct tr_folded *folded, uint32_t waker, uint32_t *id)
{
	const struct off_cpu_stack *stack = &o->stacks[waker];
	const enum tr_profile_by by = tr_profile_options_of(o->profile)->by;
	uint32_t node = stack->node, parent;
	int status = add_text(folded, "--", id);
	for (; node && !status; node = parent) {
		const struct tr_func *func = tr_profile_frame(o->profile, node, &parent);
		status = tr_profile_folding_frame(fold, *id, node, id);
		if (is_interrupt(func))
			return status;
	}
	if (status || (by != TR_BY_THREAD && by != TR_BY_PROCESS))
		return status;
	const char *label = tr_profile_label(o->profile, stack->group);
	return tr_folded_child(folded, *id, label, strlen(label), TR_TINT_PROGRAM, id);
}

static int fold_off_cpu_cell(const struct tr_off_cpu *o, struct tr_profile_folding *fold,
			     struct tr_folded *folded, const struct off_cpu_cell *cell)
{
	static const char *const reasons[TR_OFF_REASONS] = {
	    [TR_OFF_BLOCKED] = "[blocked]",
	    [TR_OFF_RUNNABLE] = "[runnable]",
	    [TR_OFF_EITHER] = "[blocked or runnable]",
	    [TR_OFF_PREEMPTED] = "[preempted]",
	    [TR_OFF_IDLE] = "[idle task]",
	    [TR_OFF_NO_THREAD] = "[no thread]",
	    [TR_OFF_UNKNOWN] = "[unknown reason]"};
	const struct off_cpu_stack *stack = &o->stacks[cell->stack];
	uint32_t id;
	int status = tr_profile_folding_stack(fold, stack->group, stack->node, &id);
	if (!status && cell->at_end)
		status = add_text(folded, "[at the end]", &id);
	if (!status)
		status = add_text(folded, reasons[cell->reason], &id);
	if (!status && cell->waker != OFF_CPU_NONE)
		status = add_waker(o, fold, folded, cell->waker, &id);
	if (!status)
		status = tr_folded_add(folded, id, 0, cell->cycles);
	return status ? status : tr_folded_add(folded, id, 1, cell->waits);
}

int tr_off_cpu_fold(const struct tr_off_cpu *o, struct tr_folded *folded,
		    uint8_t (*tint)(const void *, const struct tr_func *),
		    const void *argument)
{
	struct tr_profile_folding *fold =
	    tr_profile_folding_new(o->profile, folded, tint, argument);
	int status = fold ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < o->ncells && !status; i++)
		status = fold_off_cpu_cell(o, fold, folded, &o->cells[i]);
	tr_profile_folding_free(fold);
	return status;
}
