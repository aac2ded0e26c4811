/* SPDX-License-Identifier: Apache-2.0 */
/* Learns the tasks of a kernel from hits of probes. */
#include "stream/kernel_tasks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/utf8.h"

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

struct tr_kernel_tasks {
	int (*changed)(void *user, uint32_t number); /* may be NULL */
	void *user;
	struct probe *probes;
	struct task *tasks;
	size_t task_room;
	uint32_t ntasks;
	struct tr_map leaders; /* from pid to the process's task */
	struct address *addresses;
	size_t address_room;
	uint32_t naddresses;
	struct tr_map by_address;
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

bool tr_kernel_tasks_possible(const struct tr_probe_names *probes)
{
	for (uint32_t i = 0; i < probes->count; i++)
		if (find_tasks(probes, i).count)
			return true;
	return false;
}

struct tr_kernel_tasks *tr_kernel_tasks_new(const struct tr_probe_names *probes,
					    int (*changed)(void *user, uint32_t number),
					    void *user)
{
	struct tr_kernel_tasks *n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->changed = changed;
	n->user = user;
	n->probes = calloc(probes->count + 1UL, sizeof(*n->probes));
	if (!n->probes) {
		tr_kernel_tasks_free(n);
		return NULL;
	}
	for (uint32_t i = 0; i < probes->count; i++)
		n->probes[i] = find_tasks(probes, i);
	return n;
}

void tr_kernel_tasks_free(struct tr_kernel_tasks *n)
{
	if (!n)
		return;
	free(n->probes);
	free(n->tasks);
	free(n->addresses);
	tr_map_free(&n->leaders);
	tr_map_free(&n->by_address);
	free(n);
}

/* --- tasks */

/* What a hit tells of a task. */
struct told {
	uint64_t cycle, address;
	uint32_t pid, tgid;
	bool has_comm;
	char comm[COMM];
};

static int tell_change(const struct tr_kernel_tasks *n, uint32_t number)
{
	return n->changed ? n->changed(n->user, number) : TR_OK;
}

/* Adds a task without its leader. Returns a status. */
static int add_one(struct tr_kernel_tasks *n, const struct told *told, uint32_t *number)
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
	return tell_change(n, *number);
}

/* Adds a task; also the process that it is of, if no hit has told of that. */
static int add_task(struct tr_kernel_tasks *n, const struct told *told, uint32_t *number)
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

static int rename_task(struct tr_kernel_tasks *n, uint32_t number,
		       const struct told *told)
{
	struct task *task = &n->tasks[number];
	if (!told->has_comm || told->cycle < task->named)
		return TR_OK;
	task->named = told->cycle;
	if (strcmp(task->comm, told->comm) == 0)
		return TR_OK;
	memcpy(task->comm, told->comm, sizeof(task->comm));
	return tell_change(n, number);
}

/* Returns the number of the task that a new life at an address is: one that is known but
 * was not seen, that of a process whose thread replaces it in exec, or a new one. */
static int number_of(struct tr_kernel_tasks *n, const struct told *told,
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

static int find_address(struct tr_kernel_tasks *n, uint64_t address,
			struct address **found)
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
static int take_told(struct tr_kernel_tasks *n, const struct told *told)
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
	if (value.kind != TR_PROBE_STRING)
		return false;
	tr_utf8_clean(comm, COMM - 1, (const char *)value.data, value.size, '?');
	return true;
}

/* Takes the tasks of a hit. What lacks a number is ignored. */
static int take_hit(struct tr_kernel_tasks *n, const struct tr_hit *hit)
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

int tr_kernel_tasks_frame(struct tr_kernel_tasks *n, const struct tr_frame *frame)
{
	uint32_t events[TR_MAX_HARTS] = {0};
	int status = TR_OK;
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

/* --- queries */

uint32_t tr_kernel_tasks_address(const struct tr_kernel_tasks *n, uint64_t tp)
{
	const uint32_t i = tr_map_get(&n->by_address, tp);
	/* Beyond MOST_TASKS there may be an address without a task. */
	return i != TR_MAP_NONE && n->addresses[i].count ? i : NONE;
}

uint32_t tr_kernel_tasks_at(const struct tr_kernel_tasks *n, uint32_t address,
			    uint64_t cycle)
{
	const struct address *a = &n->addresses[address];
	uint32_t at = a->count - 1;
	while (at && a->lives[at].cycle > cycle)
		at--;
	return a->lives[at].task;
}

struct tr_kernel_task tr_kernel_tasks_get(const struct tr_kernel_tasks *n,
					  uint32_t number)
{
	const struct task *task = &n->tasks[number];
	return (struct tr_kernel_task){task->pid, task->tgid, task->leader, task->comm};
}
