/* SPDX-License-Identifier: Apache-2.0 */
/* Learns tasks from hits of probes, and names threads and processes by them. */
#include "unwind/task_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"

enum {
	PREFIX = 64,
	TASKS_OF_PROBE = 4,
	COMM = 64,	      /* bytes that are kept of a name */
	LIVES = 16,	      /* tasks of one address whose rows may still come */
	MOST_TASKS = 1 << 20, /* beyond, further tasks have no names */
	NONE = UINT32_MAX
};

/* The numbers of a task's fields in a probe; `comm` may be NONE. */
struct fields {
	uint32_t task, pid, tgid, comm;
};
struct probe {
	struct fields tasks[TASKS_OF_PROBE];
	unsigned count;
};

struct task {
	uint32_t pid, tgid;
	uint32_t leader; /* the task of its process */
	uint64_t named;	 /* cycle of its name */
	bool is_seen;	 /* a hit told of it, not only of its tgid */
	char comm[COMM];
};

/* The tasks that have been at one address, the latest last. */
struct life {
	uint64_t cycle; /* from which on it is this task */
	uint32_t task;
};
struct address {
	struct life lives[LIVES];
	uint32_t count;
};

/* A thread of the unwinder. */
struct thread {
	struct tr_thread told;
	uint32_t address;	     /* its tp, NONE: never told of */
	uint32_t id;		     /* in the output, of the first task */
	uint32_t task;		     /* the first task, NONE: not known yet */
	uint32_t last_task, last_id; /* of the last row */
};

/* The time at the end of a hart's rows. */
struct hart {
	uint32_t number;
	uint64_t cycle;
};

struct tr_task_names {
	struct tr_writer *writer;
	struct probe *probes;
	uint32_t nprobes;
	struct task *tasks;
	size_t task_room;
	uint32_t ntasks;
	struct tr_map leaders; /* from pid to the process's task */
	struct address *addresses;
	size_t address_room;
	uint32_t naddresses;
	struct tr_map by_address;
	struct thread *threads;
	size_t thread_room;
	uint32_t nthreads, nids;
	struct tr_map ids;	 /* from (thread, task) */
	struct tr_map processes; /* whose task was told */
	struct hart harts[TR_MAX_HARTS];
	uint32_t nharts;
};

/* --- probes */

static uint32_t find_field(const struct tr_probe_names *names, uint32_t probe,
			   const char *prefix, size_t length, const char *name)
{
	char field[PREFIX + 8];
	snprintf(field, sizeof(field), "%.*s%s", (int)length, prefix, name);
	return tr_probe_names_field(names, probe, field);
}

/* Finds the fields of the task of field `i`. Returns false if it is no task, or if some
 * are missing. */
static bool find_task(const struct tr_probe_names *names, uint32_t probe, uint32_t i,
		      struct fields *fields)
{
	const char *name = names->probes[probe].fields[i];
	const size_t size = strlen(name);
	if (size < 4 || size - 4 >= PREFIX || strcmp(name + size - 4, "task") != 0)
		return false;
	const size_t length = size - 4;
	if (length && name[length - 1] != '_')
		return false;
	fields->task = i;
	fields->pid = find_field(names, probe, name, length, "pid");
	if (fields->pid == NONE && length) /* "next" goes with "next_task" */
		fields->pid = find_field(names, probe, name, length - 1, "");
	fields->tgid = find_field(names, probe, name, length, "tgid");
	fields->comm = find_field(names, probe, name, length, "comm");
	return fields->pid != NONE && fields->tgid != NONE;
}

static struct probe find_tasks(const struct tr_probe_names *names, uint32_t probe)
{
	struct probe found = {.count = 0};
	for (uint32_t i = 0;
	     i < names->probes[probe].count && found.count < TASKS_OF_PROBE; i++)
		found.count += find_task(names, probe, i, &found.tasks[found.count]);
	return found;
}

bool tr_task_names_possible(const struct tr_probe_names *probes)
{
	for (uint32_t i = 0; i < probes->count; i++)
		if (find_tasks(probes, i).count)
			return true;
	return false;
}

struct tr_task_names *tr_task_names_new(const struct tr_probe_names *probes,
					struct tr_writer *writer)
{
	struct tr_task_names *n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->writer = writer;
	n->nprobes = probes->count;
	n->probes = calloc(probes->count + 1UL, sizeof(*n->probes));
	if (!n->probes) {
		tr_task_names_free(n);
		return NULL;
	}
	for (uint32_t i = 0; i < probes->count; i++)
		n->probes[i] = find_tasks(probes, i);
	return n;
}

void tr_task_names_free(struct tr_task_names *n)
{
	if (!n)
		return;
	free(n->probes);
	free(n->tasks);
	free(n->addresses);
	free(n->threads);
	tr_map_free(&n->leaders);
	tr_map_free(&n->by_address);
	tr_map_free(&n->ids);
	tr_map_free(&n->processes);
	free(n);
}

uint32_t tr_task_names_count(const struct tr_task_names *n)
{
	return n->ntasks;
}

/* --- tasks */

/* What a hit tells of a task. */
struct told {
	uint64_t cycle, address;
	uint32_t pid, tgid;
	bool has_comm;
	char comm[COMM];
};

static int write_task(const struct tr_task_names *n, uint32_t number)
{
	const struct task *task = &n->tasks[number];
	return tr_writer_task(n->writer, &(struct tr_stask){.number = number,
							    .pid = task->pid,
							    .tgid = task->tgid,
							    .name = task->comm});
}

/* Adds a task without its leader. Returns a status. */
static int add_one(struct tr_task_names *n, const struct told *told, uint32_t *number)
{
	if (!tr_grow(&n->tasks, &n->task_room, n->ntasks + 1UL, sizeof(*n->tasks)) ||
	    (told->pid == told->tgid && !tr_map_set(&n->leaders, told->pid, n->ntasks)))
		return TR_E_NOMEM;
	struct task *task = &n->tasks[n->ntasks];
	*task = (struct task){.pid = told->pid,
			      .tgid = told->tgid,
			      .leader = n->ntasks,
			      .named = told->cycle,
			      .is_seen = true};
	memcpy(task->comm, told->comm, sizeof(task->comm));
	*number = n->ntasks++;
	return write_task(n, *number);
}

/* Adds a task; also the process that it is of, if no hit has told of that. */
static int add_task(struct tr_task_names *n, const struct told *told, uint32_t *number)
{
	uint32_t leader = tr_map_get(&n->leaders, told->tgid);
	int status = TR_OK;
	if (told->pid == told->tgid)
		return add_one(n, told, number);
	if (leader == TR_MAP_NONE) {
		struct told process = *told;
		process.pid = told->tgid;
		status = add_one(n, &process, &leader);
		if (!status)
			n->tasks[leader].is_seen = false;
	}
	if (!status)
		status = add_one(n, told, number);
	if (!status)
		n->tasks[*number].leader = leader;
	return status;
}

static int rename_task(struct tr_task_names *n, uint32_t number, const struct told *told)
{
	struct task *task = &n->tasks[number];
	if (!told->has_comm || told->cycle < task->named)
		return TR_OK;
	task->named = told->cycle;
	if (strcmp(task->comm, told->comm) == 0)
		return TR_OK;
	memcpy(task->comm, told->comm, sizeof(task->comm));
	return write_task(n, number);
}

/* Returns the number of the task that a new life at an address is: one that is known but
 * was not seen, that of a process whose thread replaces it in exec, or a new one. */
static int number_of(struct tr_task_names *n, const struct told *told,
		     const struct life *before, uint32_t *number)
{
	const bool is_leader = told->pid == told->tgid;
	*number = is_leader ? tr_map_get(&n->leaders, told->pid) : TR_MAP_NONE;
	if (*number == TR_MAP_NONE)
		return add_task(n, told, number);
	const bool replaces = before && n->tasks[before->task].tgid == told->tgid;
	if (n->tasks[*number].is_seen && !replaces)
		return add_task(n, told, number);
	n->tasks[*number].is_seen = true;
	return TR_OK;
}

static int find_address(struct tr_task_names *n, uint64_t address, struct address **found)
{
	uint32_t i = tr_map_get(&n->by_address, address);
	if (i == TR_MAP_NONE) {
		i = n->naddresses;
		if (!tr_grow(&n->addresses, &n->address_room, i + 1UL,
			     sizeof(*n->addresses)) ||
		    !tr_map_set(&n->by_address, address, i))
			return TR_E_NOMEM;
		n->addresses[n->naddresses++] = (struct address){.count = 0};
	}
	*found = &n->addresses[i];
	return TR_OK;
}

/* Inserts a life behind `at` others. */
static void add_life(struct address *a, uint32_t at, struct life life)
{
	if (a->count == LIVES) {
		if (at == 0)
			return;
		memmove(&a->lives[0], &a->lives[1], (LIVES - 1) * sizeof(life));
		a->count--;
		at--;
	}
	memmove(&a->lives[at + 1], &a->lives[at], (a->count - at) * sizeof(life));
	a->lives[at] = life;
	a->count++;
}

/* Takes what a hit tells of a task. Those of another hart may be of an earlier cycle. */
static int take_told(struct tr_task_names *n, const struct told *told)
{
	struct address *a;
	int status = find_address(n, told->address, &a);
	if (status)
		return status;
	uint32_t at = a->count;
	while (at && a->lives[at - 1].cycle > told->cycle)
		at--;
	struct life *life = at ? &a->lives[at - 1] : NULL;
	if (life && n->tasks[life->task].pid == told->pid)
		return rename_task(n, life->task, told);
	if (at < a->count && n->tasks[a->lives[at].task].pid == told->pid) {
		a->lives[at].cycle = told->cycle;
		return rename_task(n, a->lives[at].task, told);
	}
	if (n->ntasks >= MOST_TASKS)
		return TR_OK;
	uint32_t number;
	status = number_of(n, told, life, &number);
	if (!status)
		add_life(a, at, (struct life){told->cycle, number});
	return status ? status : rename_task(n, number, told);
}

/* --- hits */

static bool get_number(const struct tr_hit *hit, uint32_t field, uint64_t limit,
		       uint64_t *number)
{
	const struct tr_probe_value value = tr_hit_value(hit, field);
	*number = value.number;
	return value.kind >= TR_PROBE_UNSIGNED && value.kind <= TR_PROBE_ADDRESS &&
	       value.number < limit;
}

/* Copies a name as far as it fits, without what a name cannot have. */
static bool get_comm(const struct tr_hit *hit, uint32_t field, char comm[COMM])
{
	const struct tr_probe_value value = tr_hit_value(hit, field);
	const size_t size = value.size < COMM ? value.size : COMM - 1;
	if (value.kind != TR_PROBE_STRING)
		return false;
	for (size_t i = 0; i < size; i++) {
		const uint8_t c = value.data[i];
		comm[i] = c < ' ' || c == 0x7f || c == ';' ? '?' : (char)c;
	}
	return true;
}

/* Takes the tasks of a hit. What lacks a number is ignored. */
static int take_hit(struct tr_task_names *n, const struct tr_hit *hit)
{
	int status = TR_OK;
	const struct probe *probe = &n->probes[hit->probe];
	for (unsigned i = 0; i < probe->count && !status; i++) {
		const struct fields *f = &probe->tasks[i];
		struct told told = {.cycle = hit->cycle};
		uint64_t pid, tgid;
		if (!get_number(hit, f->task, UINT64_MAX, &told.address) ||
		    !get_number(hit, f->pid, INT32_MAX, &pid) ||
		    !get_number(hit, f->tgid, INT32_MAX, &tgid))
			continue;
		told.pid = (uint32_t)pid;
		told.tgid = (uint32_t)tgid;
		told.has_comm = f->comm != NONE && get_comm(hit, f->comm, told.comm);
		status = take_told(n, &told);
	}
	return status;
}

static const struct tr_hit *next_hit(const struct tr_hart_frame *part, uint32_t *event)
{
	while (*event < part->nevents && part->events[*event].kind != TR_EV_PROBE)
		++*event;
	return *event < part->nevents ? &part->events[*event].u.probe : NULL;
}

static struct hart *find_hart(struct tr_task_names *n, uint32_t number, uint64_t start)
{
	uint32_t i = 0;
	while (i < n->nharts && n->harts[i].number != number)
		i++;
	if (i == n->nharts)
		n->harts[n->nharts++] = (struct hart){number, start};
	return &n->harts[i];
}

int tr_task_names_frame(struct tr_task_names *n, const struct tr_frame *frame)
{
	uint32_t events[TR_MAX_HARTS] = {0};
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->nharts; i++)
		find_hart(n, frame->harts[i].hart, frame->harts[i].start_cycle);
	while (!status) {
		const struct tr_hit *first = NULL;
		uint32_t best = 0;
		for (uint32_t i = 0; i < frame->nharts; i++) {
			const struct tr_hit *hit = next_hit(&frame->harts[i], &events[i]);
			if (!hit || (first && first->cycle <= hit->cycle))
				continue;
			first = hit;
			best = i;
		}
		if (!first)
			break;
		events[best]++;
		status = take_hit(n, first);
	}
	return status;
}

/* --- threads and rows */

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
	    .told = *thread, .address = NONE, .task = NONE, .last_task = NONE};
	return write_thread(n, thread, &t->id);
}

/* Returns the task of a thread in a cycle, NONE if no hit has told of it. */
static uint32_t task_at(const struct tr_task_names *n, struct thread *t, uint64_t cycle)
{
	if (t->address == NONE && t->told.tp) {
		uint32_t i = tr_map_get(&n->by_address, t->told.tp);
		if (i != TR_MAP_NONE)
			t->address = i;
	}
	if (t->address == NONE)
		return NONE;
	const struct address *a = &n->addresses[t->address];
	uint32_t at = a->count - 1;
	while (at && a->lives[at].cycle > cycle)
		at--;
	return a->lives[at].task;
}

static int use(const struct tr_task_names *n, uint32_t id, uint32_t task, bool is_process)
{
	return tr_writer_task_use(n->writer,
				  &(struct tr_stask_use){id, task, is_process});
}

/* Returns the id of a thread for a task: the first has that of the unwinder's thread. */
static int id_of(struct tr_task_names *n, uint32_t thread, uint32_t task, uint32_t *id)
{
	struct thread *t = &n->threads[thread];
	if (t->task == NONE) {
		t->task = task;
		*id = t->id;
		return use(n, t->id, task, false);
	}
	*id = t->id;
	if (t->task == task)
		return TR_OK;
	const uint64_t key = tr_pair_key(thread, task);
	*id = tr_map_get(&n->ids, key);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	int status = write_thread(n, &t->told, id);
	if (!status && !tr_map_set(&n->ids, key, *id))
		status = TR_E_NOMEM;
	return status ? status : use(n, *id, task, false);
}

/* The first task that runs in a process is of it: a fork by vfork comes later. */
static int tell_process(struct tr_task_names *n, uint32_t process, uint32_t task)
{
	const uint32_t leader = n->tasks[task].leader;
	if (tr_map_get(&n->processes, process) != TR_MAP_NONE)
		return TR_OK;
	if (!tr_map_set(&n->processes, process, leader))
		return TR_E_NOMEM;
	return use(n, process, leader, true);
}

int tr_task_names_row(struct tr_task_names *n, uint32_t hart, uint32_t process,
		      struct tr_srow *row)
{
	struct hart *h = find_hart(n, hart, 0);
	struct thread *t = &n->threads[row->thread];
	const uint32_t task = task_at(n, t, h->cycle);
	int status = TR_OK;
	h->cycle += row->cycles;
	if (task == NONE) {
		row->thread = t->id;
		return TR_OK;
	}
	if (t->last_task != task) {
		status = id_of(n, row->thread, task, &t->last_id);
		t->last_task = task;
	}
	row->thread = t->last_id;
	return status || !process ? status : tell_process(n, process, task);
}
