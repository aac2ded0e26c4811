/* SPDX-License-Identifier: Apache-2.0 */
/* Counts interrupts, page faults, and waits for locks. */
#include "timeline/tasks_internal.h"

/* Returns the cycles from the one in which what has ended began, 0 if it is later. */
static uint64_t cycles_since(uint64_t cycle, uint64_t began)
{
	return cycle > began ? cycle - began : 0;
}

/* Returns whether the hit says that it began after it, which cannot be. */
static bool is_from_future(struct tr_tasks *t, const struct task_hit *hit, uint64_t began)
{
	const bool is = began > hit->cycle;
	t->sums.incomplete += is;
	return is;
}

int tr_tasks_take_interrupt(struct tr_tasks *t, const struct task_hit *hit)
{
	if (is_from_future(t, hit, hit->values[0]))
		return TR_OK;
	return tr_tasks_count_ended(
	    t, hit->kind == SOFTIRQ ? TR_TALLY_SOFTIRQS : TR_TALLY_INTERRUPTS,
	    &(struct tr_tally_key){TR_TASK_NONE, TR_TASK_NONE, (int64_t)hit->number, "",
				   hit->text},
	    hit->cycle, cycles_since(hit->cycle, hit->values[0]));
}

int tr_tasks_take_masked(struct tr_tasks *t, const struct task_hit *hit)
{
	if (is_from_future(t, hit, hit->number))
		return TR_OK;
	return tr_tasks_count_ended(t, TR_TALLY_MASKED,
				    &(struct tr_tally_key){TR_TASK_NONE, TR_TASK_NONE,
							   INT64_MIN, hit->from,
							   hit->text},
				    hit->cycle, hit->cycle - hit->number);
}

/* The hart will leave its task: bytes of its stack that are free, and of the stack. */
int tr_tasks_take_stack(struct tr_tasks *t, const struct task_hit *hit)
{
	const uint32_t id = tr_tasks_running(t, hit->hart);
	if (id == TR_TASK_NONE)
		return TR_OK;
	return tr_tasks_count_ended(
	    t, TR_TALLY_STACKS,
	    &(struct tr_tally_key){id, TR_TASK_NONE, (int64_t)hit->size, "", ""},
	    hit->cycle, hit->number);
}

int tr_tasks_take_fault(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	if (is_from_future(t, hit, hit->values[0]))
		return TR_OK;
	int status = tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, "", &id);
	if (status || t->tallied != TR_TALLY_FAULTS || !tr_tasks_is_in(t, hit->cycle))
		return status;
	const uint32_t i = tr_tallies_find(
	    &t->tallies, &(struct tr_tally_key){t->tasks[id].is.process, TR_TASK_NONE,
						INT64_MIN, "", hit->text});
	if (i == UINT32_MAX)
		return TR_E_NOMEM;
	struct tr_tally *tally = &t->tallies.tallies[i];
	tally->major += hit->number != 0;
	tally->failed += hit->values[1] != 0;
	return tr_tally_add(tally, cycles_since(hit->cycle, hit->values[0]), 0)
		   ? TR_OK
		   : TR_E_NOMEM;
}

/* A task waits for a lock: the one that holds it is `other`, 0 if it is not known. */
int tr_tasks_take_lock(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id, holder = TR_TASK_NONE;
	int status = tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, "", &id);
	if (!status && hit->other)
		status = tr_tasks_find(t, hit->other, 0, hit->cycle, "", &holder);
	if (status)
		return status;
	struct task *task = &t->tasks[id];
	if (t->tallied != TR_TALLY_LOCKS)
		return TR_OK;
	task->is_at_lock = true;
	task->lock_start = hit->cycle;
	task->lock_tally = tr_tallies_find(
	    &t->tallies, &(struct tr_tally_key){id, holder, (int64_t)hit->number,
						hit->comm, hit->text});
	return task->lock_tally == UINT32_MAX ? TR_E_NOMEM : TR_OK;
}

/* Of a lock without a holder, as a futex is, that is who woke the task. */
int tr_tasks_take_lock_end(struct tr_tasks *t, const struct task_hit *hit)
{
	const uint32_t id = tr_map_get(&t->by_pid, (uint32_t)hit->pid);
	struct tr_tallies *locks = &t->tallies;
	if (id == TR_MAP_NONE || !t->tasks[id].is_at_lock)
		return TR_OK;
	struct task *task = &t->tasks[id];
	struct tr_tally_key key = locks->tallies[task->lock_tally].key;
	task->is_at_lock = false;
	if (key.other == TR_TASK_NONE && task->woken >= task->lock_start)
		key.other = task->waker;
	return tr_tasks_count_ended(t, TR_TALLY_LOCKS, &key, hit->cycle,
				    cycles_since(hit->cycle, task->lock_start));
}

/* --- activations */

static uint32_t find_activations(struct tr_tasks *t, uint32_t id)
{
	return tr_tallies_find(
	    &t->tallies, &(struct tr_tally_key){id, TR_TASK_NONE, INT64_MIN, "", ""});
}

int tr_tasks_count_period(struct tr_tasks *t, uint32_t id, uint64_t cycle)
{
	const struct task *task = &t->tasks[id];
	if (!task->has_before || t->tallied != TR_TALLY_ACTIVATIONS ||
	    !tr_tasks_is_in(t, cycle))
		return TR_OK;
	const uint32_t i = find_activations(t, id);
	return i != UINT32_MAX && tr_durations_add(&t->tallies.tallies[i].periods,
						   cycles_since(task->active_since,
								task->active_before))
		   ? TR_OK
		   : TR_E_NOMEM;
}

/* Where wake-ups are told, an activation without one has no known beginning, and periods
 * are those between two others. */
int tr_tasks_activate(struct tr_tasks *t, uint32_t id, uint64_t cycle, uint64_t since,
		      bool is_woken)
{
	struct task *task = &t->tasks[id];
	if (task->is.pid == TR_TASK_NOBODY)
		return TR_OK;
	task->active_before = task->active_since;
	task->has_before = task->was_active && !(t->has[WAKEUP] && task->is_unwoken);
	task->is_active = task->was_active = true;
	task->is_unwoken = !is_woken;
	task->active_since = since;
	task->active_ran = 0;
	return t->has[WAKEUP] && !is_woken ? TR_OK : tr_tasks_count_period(t, id, cycle);
}

int tr_tasks_deactivate(struct tr_tasks *t, uint32_t id, uint64_t cycle)
{
	struct task *task = &t->tasks[id];
	const uint64_t cycles = cycles_since(cycle, task->active_since);
	if (!task->is_active)
		return TR_OK;
	task->is_active = false;
	if (t->tallied != TR_TALLY_ACTIVATIONS || !tr_tasks_is_in(t, cycle))
		return TR_OK;
	const uint32_t i = find_activations(t, id);
	const struct tr_slow_call call = {.duration = cycles,
					  .away = cycles_since(cycles, task->active_ran),
					  .from = task->active_since,
					  .to = cycle};
	if (i == UINT32_MAX || !tr_tally_add_call(&t->tallies.tallies[i], &call))
		return TR_E_NOMEM;
	t->tallies.tallies[i].unwoken += task->is_unwoken;
	return TR_OK;
}

/* --- the end of the window */

int tr_tasks_finish_spans(struct tr_tasks *t, uint64_t cycle)
{
	tr_tasks_finish_block(t, cycle);
	for (uint32_t i = 0; i < t->count && tr_tasks_is_in(t, cycle); i++) {
		const struct task *task = &t->tasks[i];
		const uint64_t cycles = cycles_since(cycle, task->active_since);
		const uint64_t runs =
		    task->state == RUNNING ? cycles_since(cycle, task->run) : 0;
		const struct tr_slow_call call = {
		    .duration = cycles,
		    .away = cycles_since(cycles, task->active_ran + runs),
		    .from = task->active_since,
		    .to = cycle,
		    .is_open = true};
		if (task->is_at_lock)
			t->tallies.tallies[task->lock_tally].open++;
		if (!task->is_active || t->tallied != TR_TALLY_ACTIVATIONS)
			continue;
		const uint32_t active = find_activations(t, i);
		if (active == UINT32_MAX ||
		    !tr_tally_add_call(&t->tallies.tallies[active], &call))
			return TR_E_NOMEM;
		t->tallies.tallies[active].unwoken += task->is_unwoken;
	}
	return TR_OK;
}
