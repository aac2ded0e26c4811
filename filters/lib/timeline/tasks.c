/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the tasks of a kernel through the hits of probes. */
#include "timeline/tasks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/tasks_internal.h"

struct tr_tasks *tr_tasks_new(const struct tr_probe_names *probes)
{
	struct tr_tasks *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->probes = probes;
	t->from = UINT64_MAX;
	t->to = UINT64_MAX;
	t->tallied = TR_TALLY_KINDS;
	if (!tr_tasks_find_probes(t))
		return t;
	tr_tasks_free(t);
	return NULL;
}

void tr_tasks_free(struct tr_tasks *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->count; i++)
		tr_durations_free(&t->tasks[i].is.waits);
	tr_map_free(&t->by_pid);
	tr_map_free(&t->by_place);
	tr_map_free(&t->by_address);
	tr_map_free(&t->by_request);
	free(t->requests);
	tr_arena_reset(&t->text);
	tr_tallies_free(&t->tallies);
	free(t->kind_of);
	free(t->fields);
	free(t->tasks);
	free(t->names);
	free(t->goroutines);
	free(t);
}

void tr_tasks_observe(struct tr_tasks *t,
		      int (*take)(void *context, const struct tr_task_event *),
		      void *context)
{
	t->take = take;
	t->context = context;
}

bool tr_tasks_has_forks(const struct tr_tasks *t)
{
	return t->has[FORK];
}

bool tr_tasks_has_switches(const struct tr_tasks *t)
{
	return t->has[SWITCH];
}

void tr_tasks_window(struct tr_tasks *t, uint64_t from, uint64_t to)
{
	t->from = from;
	t->to = to;
}

bool tr_tasks_is_in(const struct tr_tasks *t, uint64_t cycle)
{
	return cycle >= t->from && cycle <= t->to;
}

int tr_tasks_count_ended(struct tr_tasks *t, enum tr_tally_kind kind,
			 const struct tr_tally_key *key, uint64_t cycle, uint64_t cycles)
{
	if (kind != t->tallied || !tr_tasks_is_in(t, cycle))
		return TR_OK;
	const uint32_t i = tr_tallies_find(&t->tallies, key);
	return i != UINT32_MAX && tr_tally_add(&t->tallies.tallies[i], cycles, 0)
		   ? TR_OK
		   : TR_E_NOMEM;
}

int tr_tasks_pass(const struct tr_tasks *t, const struct tr_task_event *event)
{
	return t->take && tr_tasks_is_in(t, event->cycle) ? t->take(t->context, event)
							  : TR_OK;
}

/* Passes on what began at event->start, as far as it is in the window. */
int tr_tasks_pass_part(const struct tr_tasks *t, struct tr_task_event *event)
{
	if (event->start < t->from)
		event->start = t->from;
	if (event->cycle > t->to)
		event->cycle = t->to;
	return event->start <= event->cycle ? tr_tasks_pass(t, event) : TR_OK;
}

/* Tasks */

static int record_task_name(struct tr_tasks *t, struct task *task, uint64_t cycle,
			    const char *program, const char *arguments)
{
	const size_t size = strlen(task->is.comm) + 1;
	char *comm = tr_arena_take(&t->text, size);
	if (!comm ||
	    !tr_grow(&t->names, &t->name_room, t->nnames + 1UL, sizeof(*t->names)))
		return TR_E_NOMEM;
	memcpy(comm, task->is.comm, size);
	t->names[t->nnames] = (struct tr_task_name){.cycle = cycle,
						    .comm = comm,
						    .program = program,
						    .arguments = arguments,
						    .next = TR_TASK_NONE};
	if (task->is.first_name == TR_TASK_NONE)
		task->is.first_name = t->nnames;
	else
		t->names[task->last_name].next = t->nnames;
	task->last_name = t->nnames++;
	return TR_OK;
}

/* Tasks of Linux with the number 0 are one, which harts share: it boots and is idle in
 * them. Linux is the kernel that forks. */
static bool is_idle_of_linux(const struct tr_tasks *t, int32_t pid)
{
	return !pid && t->has[FORK];
}

static void set_task_comm(const struct tr_tasks *t, struct task *task, const char *comm)
{
	if (is_idle_of_linux(t, task->is.pid))
		comm = "swapper";
	else if (task->is.pid == TR_TASK_UNKNOWN)
		comm = "[unknown]";
	else if (task->is.pid == TR_TASK_NOBODY)
		comm = "[no task]";
	snprintf(task->is.comm, sizeof(task->is.comm), "%s", comm);
}

/* Adds a task, which leads a group of its own until its fork is known. Returns a status.
 */
static int add_lone_task(struct tr_tasks *t, int32_t pid, uint64_t cycle,
			 const char *comm, uint32_t *id)
{
	*id = t->count;
	if (!tr_grow(&t->tasks, &t->task_room, t->count + 1UL, sizeof(*t->tasks)) ||
	    !tr_map_set(&t->by_pid, (uint32_t)pid, *id))
		return TR_E_NOMEM;
	struct task *task = &t->tasks[t->count++];
	*task = (struct task){.is = {.pid = pid,
				     .process = *id,
				     .parent = TR_TASK_NONE,
				     .end = UINT64_MAX,
				     .first_name = TR_TASK_NONE,
				     .waits = {.is_exact = true}},
			      .waker = TR_TASK_NONE,
			      .goroutine = TR_TASK_NONE,
			      .members = 1};
	task->is.is_numbered = pid < TR_TASK_UNKNOWN;
	set_task_comm(t, task, comm);
	return record_task_name(t, task, cycle, NULL, NULL);
}

/* Makes a task a thread of a group. */
static void join_thread_group(struct tr_tasks *t, uint32_t id, uint32_t leader)
{
	leader = t->tasks[leader].is.process;
	t->tasks[leader].is_named = true;
	if (t->tasks[id].is.process == leader)
		return;
	t->tasks[id].is.process = leader;
	t->tasks[leader].members++;
	t->tasks[leader].is.end = UINT64_MAX;
}

int tr_tasks_find(struct tr_tasks *t, int32_t pid, int32_t tgid, uint64_t cycle,
		  const char *comm, uint32_t *id)
{
	uint32_t leader;
	*id = tr_map_get(&t->by_pid, (uint32_t)pid);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	int status = add_lone_task(t, pid, cycle, comm, id);
	if (status || !tgid || tgid == pid)
		return status;
	status = tr_tasks_find(t, tgid, 0, cycle, "", &leader);
	if (!status)
		join_thread_group(t, *id, leader);
	return status;
}

int tr_tasks_number(struct tr_tasks *t, uint64_t cycle, uint64_t place, const char *comm,
		    int32_t *number)
{
	uint32_t id = tr_map_get(&t->by_place, place);
	if (id == TR_MAP_NONE || strcmp(t->tasks[id].is.comm, comm) != 0) {
		int status =
		    add_lone_task(t, TR_TASK_NOBODY + ++t->nunnumbered, cycle, comm, &id);
		if (!status && !tr_map_set(&t->by_place, place, id))
			status = TR_E_NOMEM;
		if (status)
			return status;
	}
	*number = t->tasks[id].is.pid;
	return TR_OK;
}

/* Gives a task a name. Returns a status. */
int tr_tasks_rename(struct tr_tasks *t, uint32_t hart, uint64_t cycle, uint32_t id,
		    const char *comm)
{
	struct task *task = &t->tasks[id];
	char old[TR_TASK_COMM];
	if (!*comm || strcmp(comm, task->is.comm) == 0 ||
	    is_idle_of_linux(t, task->is.pid))
		return TR_OK;
	memcpy(old, task->is.comm, sizeof(old));
	set_task_comm(t, task, comm);
	int status = record_task_name(t, task, cycle, NULL, NULL);
	return status ? status
		      : tr_tasks_pass(t, &(struct tr_task_event){.kind = TR_TASK_RENAME,
								 .cycle = cycle,
								 .hart = hart,
								 .task = id,
								 .text = old});
}

/* Only a task that was named as a parent can be above another one. */
static bool is_ancestor(const struct tr_tasks *t, uint32_t id, uint32_t of)
{
	if (!t->tasks[id].is_named && id != of)
		return false;
	while (of != TR_TASK_NONE && of != id)
		of = t->tasks[of].is.parent;
	return of == id;
}

/* Puts a new task into its group. A hart may have run it before the hit of its fork on
 * another hart was read. Returns a status. */
static int place_task(struct tr_tasks *t, const struct task_hit *hit, uint32_t id)
{
	uint32_t leader, parent;
	int status;
	if (hit->tgid != hit->pid) {
		status = tr_tasks_find(t, hit->tgid, 0, hit->cycle, "", &leader);
		if (!status)
			join_thread_group(t, id, leader);
		return status;
	}
	status = tr_tasks_find(t, hit->ppid, 0, hit->cycle, "", &parent);
	if (status)
		return status;
	parent = t->tasks[parent].is.process;
	if (!is_ancestor(t, id, parent)) {
		t->tasks[id].is.parent = parent;
		t->tasks[parent].is_named = true;
	}
	return TR_OK;
}

static int take_fork(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id, by;
	/* Other harts' idle tasks have the number 0, too. */
	if (!hit->pid || !hit->tgid)
		return TR_OK;
	int status = tr_tasks_find(t, hit->other, 0, hit->cycle, "", &by);
	id = tr_map_get(&t->by_pid, (uint32_t)hit->pid);
	if (!status &&
	    (id == TR_MAP_NONE || t->tasks[id].was_forked || t->tasks[id].is_gone ||
	     id == by || (t->tasks[id].is_named && hit->tgid != hit->pid)))
		status = add_lone_task(t, hit->pid, hit->cycle, hit->comm, &id);
	else if (!status && !*t->tasks[id].is.comm)
		status = tr_tasks_rename(t, hit->hart, hit->cycle, id, hit->comm);
	if (!status)
		status = place_task(t, hit, id);
	if (status)
		return status;
	struct task *task = &t->tasks[id];
	task->was_forked = true;
	task->is.start = hit->cycle;
	status = tr_tasks_wake(t, hit->hart, hit->cycle, id, by);
	return status ? status
		      : tr_tasks_pass(t, &(struct tr_task_event){.kind = TR_TASK_FORK,
								 .cycle = hit->cycle,
								 .hart = hit->hart,
								 .task = id,
								 .other = by});
}

static int take_exec(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	int status = tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, hit->comm, &id);
	if (!status)
		status = tr_tasks_become(t, hit->hart, hit->cycle, id);
	if (!status)
		status = tr_tasks_rename(t, hit->hart, hit->cycle, id, hit->comm);
	return status ? status
		      : record_task_name(t, &t->tasks[id], hit->cycle, hit->program,
					 hit->arguments);
}

static int take_comm(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	int status = tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, hit->comm, &id);
	return status ? status : tr_tasks_rename(t, hit->hart, hit->cycle, id, hit->comm);
}

void tr_tasks_exit(struct tr_tasks *t, uint64_t cycle, uint32_t id)
{
	struct task *task = &t->tasks[id], *leader = &t->tasks[task->is.process];
	if (task->is_exiting)
		return;
	task->is_exiting = true;
	if (task != leader)
		task->is.end = cycle;
	if (++leader->exited == leader->members)
		leader->is.end = cycle;
}

static int take_exit(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	int status = tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, "", &id);
	if (status)
		return status;
	tr_tasks_exit(t, hit->cycle, id);
	t->tasks[id].is.code = hit->number;
	status = tr_tasks_pass(t, &(struct tr_task_event){.kind = TR_TASK_EXIT,
							  .cycle = hit->cycle,
							  .hart = hit->hart,
							  .task = id});
	return status ? status : tr_tasks_end_syscall(t, hit->hart, hit->cycle, id, NULL);
}

/* Returns true if the first number of a probe is that of the task that the hart runs. */
static bool is_of_running_task(enum probe_kind kind)
{
	return kind == EXEC || kind == EXIT || kind == CALL || kind == RESULT ||
	       kind == FAULT || kind == INTERRUPT || kind == SOFTIRQ;
}

int tr_tasks_take(struct tr_tasks *t, uint32_t hart, const struct tr_hit *hit)
{
	static int (*const takes[KINDS])(struct tr_tasks *, const struct task_hit *) = {
	    [FORK] = take_fork,
	    [EXEC] = take_exec,
	    [COMM] = take_comm,
	    [EXIT] = take_exit,
	    [SWITCH] = tr_tasks_take_switch,
	    [START] = tr_tasks_take_switch,
	    [IDLE] = tr_tasks_take_switch,
	    [WAKEUP] = tr_tasks_take_wakeup,
	    [CALL] = tr_tasks_take_call,
	    [RESULT] = tr_tasks_take_result,
	    [STATUS] = tr_tasks_take_status,
	    [PREEMPT] = tr_tasks_take_preempt,
	    [GOROUTINE] = tr_tasks_take_goroutine,
	    [INTERRUPT] = tr_tasks_take_interrupt,
	    [SOFTIRQ] = tr_tasks_take_interrupt,
	    [FAULT] = tr_tasks_take_fault,
	    [LOCK] = tr_tasks_take_lock,
	    [LOCK_END] = tr_tasks_take_lock_end,
	    [BLOCKS] = tr_tasks_take_blocks,
	    [MASKED] = tr_tasks_take_masked,
	    [STACK] = tr_tasks_take_stack,
	    [BLOCK] = tr_tasks_take_block,
	    [BLOCK_END] = tr_tasks_take_block_end};
	struct task_hit values;
	if (hit->cycle > t->to)
		return TR_OK;
	int status = tr_tasks_read(t, hit, &values);
	if (status)
		return status == TR_END ? TR_OK : status;
	values.hart = hart;
	if (is_of_running_task(values.kind))
		tr_tasks_note_running(t, &values);
	return takes[values.kind](t, &values);
}

int tr_tasks_finish(struct tr_tasks *t, uint64_t cycle)
{
	int status = tr_goroutines_finish(t, cycle);
	if (!status)
		status = tr_tasks_finish_spans(t, cycle);
	for (uint32_t i = 0; i < t->count && !status; i++)
		status = tr_tasks_end_syscall(t, 0, cycle, i, NULL);
	return status;
}

/* Results */

const struct tr_task *tr_tasks_at(const struct tr_tasks *t, uint32_t task)
{
	return &t->tasks[task].is;
}

uint32_t tr_tasks_count(const struct tr_tasks *t)
{
	return t->count;
}

const struct tr_task_name *tr_tasks_name(const struct tr_tasks *t, uint32_t name)
{
	return &t->names[name];
}

char *tr_task_label(const struct tr_task *task, char text[TR_TASK_LABEL])
{
	if (task->is_numbered)
		snprintf(text, TR_TASK_LABEL, "%s[%" PRId32 "]", task->comm, task->pid);
	else
		snprintf(text, TR_TASK_LABEL, "%s", task->comm);
	return text;
}

struct tr_tasks_sums tr_tasks_sums(const struct tr_tasks *t)
{
	return t->sums;
}

void tr_tasks_tally(struct tr_tasks *t, enum tr_tally_kind kind)
{
	t->tallied = kind;
}

void tr_tasks_keep_slowest(struct tr_tasks *t)
{
	t->tallies.keeps_slowest = true;
}

const struct tr_tallies *tr_tasks_tallies(const struct tr_tasks *t)
{
	return &t->tallies;
}
