/* SPDX-License-Identifier: Apache-2.0 */
/* Names threads and processes by the tasks of a kernel. */
#include "unwind/task_names.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/map.h"
#include "stream/kernel_tasks.h"

#define NONE   UINT32_MAX
#define NOBODY (NONE - 1)

/* A thread of the unwinder. */
struct thread {
	struct tr_thread reported;
	uint32_t place; /* its tp or stack, NONE: never told of */
	bool has_tp;	/* `place` is that of told.tp */
	bool has_run;	/* before a task was known, first here: */
	struct tr_unwind_where first;
	uint32_t id;		     /* in the output, of the first task */
	uint32_t task;		     /* the first task, NONE: not known yet; NOBODY: the
				      * thread ran without a task first */
	uint32_t last_task, last_id; /* of the last row */
};

/* The time at the end of a hart's rows. */
struct hart {
	uint32_t number;
	uint32_t thread; /* of the last row, or NONE */
	uint64_t cycle;
};

struct tr_task_names {
	struct tr_writer *writer;
	struct tr_kernel_tasks *tasks;
	struct thread *threads;
	size_t thread_room;
	uint32_t nthreads, nids;
	struct tr_map ids;	 /* from (thread, task) */
	struct tr_map processes; /* whose task was told */
	struct hart harts[TR_MAX_HARTS];
	uint32_t nharts;
};

static int write_task(void *user, uint32_t number)
{
	const struct tr_task_names *n = user;
	const struct tr_kernel_task task = tr_kernel_tasks_get(n->tasks, number);
	return tr_writer_task(n->writer, &(struct tr_stask){.number = number,
							    .pid = task.pid,
							    .tgid = task.tgid,
							    .name = task.comm});
}

struct tr_task_names *tr_task_names_new(const struct tr_probe_names *probes,
					struct tr_writer *writer)
{
	struct tr_task_names *n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->writer = writer;
	n->tasks = tr_kernel_tasks_new(probes, write_task, n);
	if (n->tasks)
		return n;
	free(n);
	return NULL;
}

void tr_task_names_free(struct tr_task_names *n)
{
	if (!n)
		return;
	tr_kernel_tasks_free(n->tasks);
	free(n->threads);
	tr_map_free(&n->ids);
	tr_map_free(&n->processes);
	free(n);
}

static struct hart *find_or_add_row_hart(struct tr_task_names *n, uint32_t number,
					 uint64_t start)
{
	uint32_t i = 0;
	while (i < n->nharts && n->harts[i].number != number)
		i++;
	if (i == n->nharts)
		n->harts[n->nharts++] = (struct hart){number, NONE, start};
	return &n->harts[i];
}

int tr_task_names_frame(struct tr_task_names *n, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++)
		find_or_add_row_hart(n, frame->harts[i].hart,
				     frame->harts[i].start_cycle);
	return tr_kernel_tasks_frame(n->tasks, frame);
}

static int write_thread(struct tr_task_names *n, const struct tr_thread *thread,
			uint32_t *id)
{
	*id = n->nids++;
	return tr_writer_thread(n->writer, thread);
}

int tr_task_names_thread(struct tr_task_names *n, const struct tr_thread *thread)
{
	if (!tr_grow(&n->threads, &n->thread_room, n->nthreads + 1UL,
		     sizeof(*n->threads)))
		return TR_E_NOMEM;
	struct thread *t = &n->threads[n->nthreads++];
	*t = (struct thread){
	    .reported = *thread, .place = NONE, .task = NONE, .last_task = NONE};
	return write_thread(n, thread, &t->id);
}

int tr_task_names_rename(struct tr_task_names *n, const struct tr_sname *name)
{
	return tr_writer_thread_name(
	    n->writer, &(struct tr_sname){n->threads[name->thread].id, name->name});
}

int tr_task_names_tp(struct tr_task_names *n, const struct tr_stp *tp)
{
	struct thread *t = &n->threads[tp->thread];
	const uint32_t id = t->task == NOBODY ? t->last_id : t->id;
	t->reported.tp = tp->tp;
	return tr_writer_thread_tp(n->writer, &(struct tr_stp){id, tp->tp});
}

/* Returns the place of a thread whose sp is in no known stack: that of the lowest address
 * of its stack so far, or of its tp; NONE if both are unknown. */
static uint32_t find_quiet_thread_place(const struct tr_task_names *n, uint64_t cycle,
					const struct tr_unwind_where *where)
{
	const uint32_t place =
	    where->lowest ? tr_kernel_tasks_of_stack(n->tasks, where->lowest, cycle)
			  : NONE;
	return place == NONE ? tr_kernel_tasks_of_tp(n->tasks, where->tp) : place;
}

/* Returns the place of a thread at the beginning of a row, NONE if it is unknown. */
static uint32_t find_thread_place(const struct tr_task_names *n, const struct thread *t,
				  uint64_t cycle, const struct tr_unwind_where *where,
				  bool has_arrived)
{
	uint32_t place =
	    where->sp ? tr_kernel_tasks_of_stack(n->tasks, where->sp, cycle) : NONE;
	if (place == NONE && (has_arrived || t->place == NONE))
		place = find_quiet_thread_place(n, cycle, where);
	return place == NONE ? t->place : place;
}

/* Returns the task of a hart's thread in a cycle, NONE if no hit has told of it. */
static uint32_t find_thread_task(const struct tr_task_names *n, struct hart *h,
				 uint32_t thread, const struct tr_unwind_where *where)
{
	struct thread *t = &n->threads[thread];
	const bool has_arrived = h->thread != thread;
	h->thread = thread;
	if (!t->has_tp) {
		const uint32_t place = tr_kernel_tasks_of_tp(n->tasks, t->reported.tp);
		t->has_tp = place != NONE;
		t->place = t->has_tp
			       ? place
			       : find_thread_place(n, t, h->cycle, where, has_arrived);
	}
	return t->place == NONE ? NONE : tr_kernel_tasks_at(n->tasks, t->place, h->cycle);
}

/* Before its task was known, a thread has run somewhere else: that was not the task. */
static bool was_elsewhere(const struct tr_task_names *n, const struct thread *t,
			  uint64_t cycle)
{
	return t->has_run && !t->has_tp &&
	       !tr_kernel_tasks_can_be(n->tasks, t->place, t->first.lowest, cycle) &&
	       tr_kernel_tasks_of_tp(n->tasks, t->first.tp) != t->place;
}

static int write_task_use(const struct tr_task_names *n, uint32_t id, uint32_t task,
			  bool is_process)
{
	return tr_writer_task_use(n->writer,
				  &(struct tr_stask_use){id, task, is_process});
}

/* Returns the id of a thread for a task: the first has that of the unwinder's thread. */
static int id_of(struct tr_task_names *n, uint32_t thread, uint32_t task, uint64_t cycle,
		 uint32_t *id)
{
	struct thread *t = &n->threads[thread];
	if (t->task == NONE && was_elsewhere(n, t, cycle))
		t->task = NOBODY;
	if (t->task == NONE) {
		t->task = task;
		*id = t->id;
		return write_task_use(n, t->id, task, false);
	}
	*id = t->id;
	if (t->task == task)
		return TR_OK;
	const uint64_t key = tr_pair_key(thread, task);
	*id = tr_map_get(&n->ids, key);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	int status = write_thread(n, &t->reported, id);
	if (!status && !tr_map_set(&n->ids, key, *id))
		status = TR_E_NOMEM;
	return status ? status : write_task_use(n, *id, task, false);
}

/* The first task that runs in a process is of it: a fork by vfork comes later. */
static int tell_process(struct tr_task_names *n, uint32_t process, uint32_t task)
{
	const uint32_t leader = tr_kernel_tasks_get(n->tasks, task).leader;
	if (tr_map_get(&n->processes, process) != TR_MAP_NONE)
		return TR_OK;
	if (!tr_map_set(&n->processes, process, leader))
		return TR_E_NOMEM;
	return write_task_use(n, process, leader, true);
}

int tr_task_names_row(struct tr_task_names *n, uint32_t hart, uint32_t process,
		      const struct tr_unwind_where *where, struct tr_srow *row)
{
	struct hart *h = find_or_add_row_hart(n, hart, 0);
	struct thread *t = &n->threads[row->thread];
	const uint32_t task = find_thread_task(n, h, row->thread, where);
	int status = TR_OK;
	h->cycle += row->cycles;
	if (task == NONE) {
		if (!t->has_run)
			t->first = *where;
		t->has_run = true;
		row->thread = t->id;
		return TR_OK;
	}
	if (t->last_task != task) {
		status = id_of(n, row->thread, task, h->cycle, &t->last_id);
		t->last_task = task;
	}
	row->thread = t->last_id;
	return status || !process ? status : tell_process(n, process, task);
}
