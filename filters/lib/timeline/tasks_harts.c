/* SPDX-License-Identifier: Apache-2.0 */
/* Follows which task each hart runs, and what woke it. */
#include "timeline/tasks_internal.h"

/* The kernel's state of a task that has ended. */
#define STATE_DEAD UINT64_C(0x80)

/* Returns the index of a hart, t->nharts if nothing is known of it. */
static uint32_t task_hart_index(const struct tr_tasks *t, uint32_t number)
{
	uint32_t i = 0;
	while (i < t->nharts && t->harts[i].number != number)
		i++;
	return i;
}

static struct task_hart *find_or_add_task_hart(struct tr_tasks *t, uint32_t number)
{
	struct task_hart *hart = &t->harts[task_hart_index(t, number)];
	if (hart < &t->harts[t->nharts])
		return hart;
	t->nharts++;
	*hart = (struct task_hart){
	    .number = number, .running = TR_TASK_NONE, .first = TR_TASK_NONE};
	return hart;
}

/* Counts the cycles of the task that the hart has run. */
static void count_task_cycles(struct tr_tasks *t, struct task_hart *hart, uint64_t cycle)
{
	if (!hart->has_begun || cycle <= hart->since)
		return;
	t->tasks[hart->running].is.ran += cycle - hart->since;
	hart->since = cycle;
}

static int pass_switch(const struct tr_tasks *t, const struct task_hart *hart,
		       uint64_t cycle, uint32_t from, uint32_t to, uint64_t state)
{
	return t->take
		   ? t->take(t->context, &(struct tr_task_event){.kind = TR_TASK_SWITCH,
								 .cycle = cycle,
								 .hart = hart->number,
								 .task = from,
								 .other = to,
								 .state = state})
		   : TR_OK;
}

/* Passes on a switch of a hart that runs in the window, after the one with which it began
 * to. Returns a status. */
static int leave_for(struct tr_tasks *t, struct task_hart *hart, uint64_t cycle,
		     uint32_t to, uint64_t state)
{
	int status = TR_OK;
	if (!hart->has_begun)
		return TR_OK;
	if (!hart->has_opened)
		status =
		    pass_switch(t, hart, hart->begin, TR_TASK_NONE, hart->running, 0);
	hart->has_opened = true;
	return status ? status : pass_switch(t, hart, cycle, hart->running, to, state);
}

/* Counts the cycles that a task waited for a hart. */
static int count_wait(struct tr_tasks *t, uint64_t cycle, uint32_t id, uint64_t waited,
		      const char *why)
{
	return tr_tasks_count_ended(
	    t, TR_TALLY_RUNQUEUE,
	    &(struct tr_tally_key){id, TR_TASK_NONE, INT64_MIN, why, ""}, cycle, waited);
}

/* The task waited from its wake-up until `cycle`. */
static int end_wait(struct tr_tasks *t, uint32_t hart, uint64_t cycle, uint32_t id,
		    uint64_t since, uint32_t waker)
{
	struct task *task = &t->tasks[id];
	const uint64_t waited = cycle > since ? cycle - since : 0;
	if (tr_tasks_is_in(t, cycle) && !tr_durations_add(&task->is.waits, waited))
		return TR_E_NOMEM;
	int status = tr_tasks_count_ended(
	    t, TR_TALLY_WAKEUPS, &(struct tr_tally_key){id, waker, INT64_MIN, "", ""},
	    cycle, waited);
	if (!status)
		status = count_wait(t, cycle, id, waited, "woken");
	if (status)
		return status;
	return tr_tasks_pass_part(t, &(struct tr_task_event){.kind = TR_TASK_WAITED,
							     .cycle = since + waited,
							     .start = since,
							     .hart = hart,
							     .task = id,
							     .other = waker});
}

int tr_tasks_wake(struct tr_tasks *t, uint32_t hart, uint64_t cycle, uint32_t id,
		  uint32_t by)
{
	struct task *task = &t->tasks[id];
	if (!task->is.pid)
		return TR_OK;
	/* A wake-up is known when the call has returned; another hart may have run the
	 * task by then. */
	if (task->ran_unwoken && task->run >= cycle) {
		task->ran_unwoken = false;
		task->woken = cycle;
		task->waker = by;
		int status = TR_OK;
		if (task->is_active && task->active_since == task->run) {
			task->active_since = cycle;
			task->is_unwoken = false;
			status = tr_tasks_count_period(t, id, task->run);
		}
		return status ? status : end_wait(t, hart, task->run, id, cycle, by);
	}
	if (task->state == ASLEEP) {
		task->state = WOKEN;
		task->woken = cycle;
		task->waker = by;
	}
	return TR_OK;
}

/* A hart leaves a task. Returns a status. */
static int switch_out_task(struct tr_tasks *t, const struct task_hart *hart,
			   uint64_t cycle, uint32_t id, uint64_t state)
{
	struct task *task = &t->tasks[id], *leader = &t->tasks[task->is.process];
	int status = TR_OK;
	task->state = state ? ASLEEP : RUNNABLE;
	task->left = cycle;
	task->active_ran += cycle > task->run ? cycle - task->run : 0;
	if (state && task->is.pid)
		status = tr_tasks_deactivate(t, id, cycle);
	if (status)
		return status;
	if (!task->is_exiting || task->is_gone || !(state & STATE_DEAD))
		return TR_OK;
	task->is_gone = true;
	leader->gone++;
	struct tr_task_event gone = {
	    .kind = TR_TASK_GONE, .cycle = cycle, .hart = hart->number, .task = id};
	/* A leader remains until its group has ended. */
	if (task != leader)
		status = tr_tasks_pass(t, &gone);
	gone.task = task->is.process;
	return !status && leader->gone == leader->members ? tr_tasks_pass(t, &gone)
							  : status;
}

static int switch_in_task(struct tr_tasks *t, const struct task_hart *hart,
			  uint64_t cycle, uint32_t id)
{
	struct task *task = &t->tasks[id];
	const enum task_state was = task->state;
	int status = TR_OK;
	/* It cannot run on two harts at once, unless it is idle. */
	if (task->state == RUNNING && task->is.pid)
		t->sums.unseen++;
	else if (task->left && cycle > task->left)
		task->away += cycle - task->left;
	task->ran_unwoken = task->state == ASLEEP;
	task->state = RUNNING;
	task->run = cycle;
	if (was == RUNNABLE && task->is.pid && task->is.pid != TR_TASK_NOBODY &&
	    t->has_states && task->left)
		status = count_wait(t, cycle, id, cycle - task->left, "preempted");
	else if (was == WOKEN && task->is.pid)
		status = end_wait(t, hart->number, cycle, id, task->woken, task->waker);
	if (!status && (was == ASLEEP || was == WOKEN) && task->is.pid)
		status = tr_tasks_activate(
		    t, id, cycle, was == WOKEN ? task->woken : cycle, was == WOKEN);
	return status;
}

/* A hart continues from the task that it is known to run. Returns a status. */
static int switch_hart_task(struct tr_tasks *t, struct task_hart *hart, uint64_t cycle,
			    uint32_t to, uint64_t state)
{
	const uint32_t from = hart->running;
	count_task_cycles(t, hart, cycle);
	int status = leave_for(t, hart, cycle, to, state);
	if (!status)
		status = switch_out_task(t, hart, cycle, from, state);
	if (!status)
		status = switch_in_task(t, hart, cycle, to);
	if (!status)
		status = tr_goroutines_switch(t, hart->number, cycle, from, to);
	hart->running = to;
	return status;
}

int tr_tasks_become(struct tr_tasks *t, uint32_t number, uint64_t cycle, uint32_t id)
{
	struct task_hart *hart = find_or_add_task_hart(t, number);
	struct task *task = &t->tasks[id];
	task->exited -= task->is_exiting;
	task->gone -= task->is_gone;
	task->is_exiting = task->is_gone = false;
	task->is.end = UINT64_MAX;
	int status = TR_OK;
	if (hart->running != TR_TASK_NONE && hart->running != id &&
	    t->tasks[hart->running].is.process == id) {
		tr_tasks_exit(t, cycle, hart->running);
		task->state = RUNNABLE;
		status = switch_hart_task(t, hart, cycle, id, STATE_DEAD);
	}
	tr_tasks_move_call(t, id);
	return status;
}

void tr_tasks_note_running(struct tr_tasks *t, const struct task_hit *hit)
{
	struct task_hart *hart = find_or_add_task_hart(t, hit->hart);
	if (hart->running != TR_TASK_NONE || hart->is_told)
		return;
	hart->is_told = true;
	hart->told = hit->pid;
	hart->told_tgid = hit->tgid;
}

int tr_tasks_take_blocks(struct tr_tasks *t, const struct task_hit *hit)
{
	find_or_add_task_hart(t, hit->hart)->blocks = true;
	return TR_OK;
}

int tr_tasks_take_switch(struct tr_tasks *t, const struct task_hit *hit)
{
	struct task_hart *hart = find_or_add_task_hart(t, hit->hart);
	uint32_t from = hart->running, to;
	int status = TR_OK;
	if (hit->has_prev)
		status =
		    tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, hit->comm, &from);
	else if (from == TR_TASK_NONE)
		status = tr_tasks_find(t, TR_TASK_UNKNOWN, 0, hit->cycle, "", &from);
	if (!status)
		status = tr_tasks_find(t, hit->other, hit->other_tgid, hit->cycle,
				       hit->other_comm, &to);
	if (!status)
		status = tr_tasks_rename(t, hit->hart, hit->cycle, from, hit->comm);
	if (!status)
		status = tr_tasks_rename(t, hit->hart, hit->cycle, to, hit->other_comm);
	if (status)
		return status;
	if (hart->running == TR_TASK_NONE) {
		hart->running = hart->first = from;
	} else if (hart->running != from && t->tasks[from].is_gone &&
		   t->tasks[hart->running].is.process == from) {
		status =
		    tr_tasks_become(t, hit->hart, hit->cycle, from); /* for an exec */
	} else if (hart->running != from) {
		t->sums.unseen++;
		status = switch_hart_task(t, hart, hit->cycle, from, 0);
	}
	const uint64_t state = hit->number | hart->blocks;
	hart->blocks = false;
	return status || to == hart->running
		   ? status
		   : switch_hart_task(t, hart, hit->cycle, to, state);
}

/* Finds the task that wakes another one. Returns a status. */
static int find_waker(struct tr_tasks *t, const struct task_hit *hit, uint32_t *by)
{
	*by = hit->is_by_running ? tr_tasks_running(t, hit->hart) : TR_TASK_NONE;
	if (*by != TR_TASK_NONE)
		return TR_OK;
	return hit->is_by_running
		   ? tr_tasks_find(t, TR_TASK_UNKNOWN, 0, hit->cycle, "", by)
		   : tr_tasks_find(t, hit->other, 0, hit->cycle, hit->other_comm, by);
}

int tr_tasks_take_wakeup(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id, by;
	if (hit->number > hit->cycle) {
		t->sums.incomplete++;
		return TR_OK;
	}
	int status = tr_tasks_find(t, hit->pid, 0, hit->cycle, hit->comm, &id);
	if (!status)
		status = find_waker(t, hit, &by);
	if (status)
		return status;
	/* The call may begin before the task has left its hart to sleep; it waits after
	 * that.
	 */
	const struct task *task = &t->tasks[id];
	const bool has_left = !task->ran_unwoken || task->left < task->run;
	const uint64_t cycle =
	    hit->number <= task->left && has_left ? task->left + 1 : hit->number;
	status = tr_tasks_pass(t, &(struct tr_task_event){.kind = TR_TASK_WAKING,
							  .cycle = cycle,
							  .start = task->left,
							  .hart = hit->hart,
							  .task = id,
							  .other = by});
	return status ? status : tr_tasks_wake(t, hit->hart, cycle, id, by);
}

void tr_tasks_begin(struct tr_tasks *t, uint32_t number, uint64_t cycle)
{
	struct task_hart *hart = find_or_add_task_hart(t, number);
	hart->has_begun = true;
	hart->begin = hart->since = cycle;
}

int tr_tasks_end(struct tr_tasks *t, uint32_t number, uint64_t cycle)
{
	struct task_hart *hart = find_or_add_task_hart(t, number);
	int status = TR_OK;
	/* A hart that never switches runs the task that hits were of, or else the one
	 * that it booted with, in Linux 0. */
	if (hart->running == TR_TASK_NONE)
		status = tr_tasks_find(t,
				       hart->is_told  ? hart->told
				       : t->has[FORK] ? 0
						      : TR_TASK_UNKNOWN,
				       hart->told_tgid, cycle, "", &hart->running);
	if (status)
		return status;
	if (hart->first == TR_TASK_NONE)
		hart->first = hart->running;
	count_task_cycles(t, hart, cycle);
	status = leave_for(t, hart, cycle, TR_TASK_NONE, 0);
	hart->has_begun = false;
	return status;
}

uint32_t tr_tasks_running(const struct tr_tasks *t, uint32_t number)
{
	const uint32_t i = task_hart_index(t, number);
	return i < t->nharts ? t->harts[i].running : TR_TASK_NONE;
}

uint32_t tr_tasks_first(const struct tr_tasks *t, uint32_t number)
{
	const uint32_t i = task_hart_index(t, number);
	return i < t->nharts ? t->harts[i].first : TR_TASK_NONE;
}
