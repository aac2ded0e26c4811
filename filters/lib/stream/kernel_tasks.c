/* SPDX-License-Identifier: Apache-2.0 */
/* Learns the tasks of a kernel from hits of probes. */
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "stream/kernel_tasks_internal.h"

enum {
	LIVES = 4096,	      /* tasks of one place that are kept */
	MOST_TASKS = 1 << 20, /* beyond, further tasks have no names */
	MOST_STACKS = 1 << 16 /* beyond, tasks on further stacks have no names */
};

struct task {
	uint32_t pid, tgid; /* or TR_TASK_NO_PID */
	uint32_t leader;    /* the task of its process */
	uint64_t named;	    /* cycle of its name */
	bool is_seen;	    /* a hit reported it, not only its tgid */
	char comm[TASK_COMM];
};

/* A place is a tp or a stack. The tasks that have been there, the latest last. */
struct life {
	uint64_t cycle; /* from which on it is this task */
	uint64_t top;	/* of a stack: as in struct report */
	uint32_t task;
	bool is_whole; /* of a stack: `top` is its end */
};
struct place {
	struct life *lives;
	size_t room;
	uint64_t base; /* of a stack, or 0 */
	uint32_t count;
	bool is_cut; /* the earliest were dropped */
};
struct stack {
	uint64_t base;
	uint32_t place;
};

struct tr_kernel_tasks {
	int (*changed)(void *user, uint32_t number); /* may be NULL */
	void *user;
	struct task_probe *probes;
	struct task *tasks;
	size_t task_room;
	uint32_t ntasks;
	struct tr_map leaders; /* from pid to the process's task */
	struct place *places;
	size_t place_room;
	uint32_t nplaces;
	struct tr_map by_tp;	/* places, also by the addresses of tasks */
	struct tr_map by_stack; /* by base */
	struct stack *stacks;	/* sorted by base */
	size_t stack_room;
	uint32_t nstacks;
	uint64_t largest; /* of the sizes of stacks */
};

bool tr_kernel_tasks_possible(const struct tr_probe_names *probes)
{
	for (uint32_t i = 0; i < probes->count; i++)
		if (tr_task_probe(probes, i).count)
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
		n->probes[i] = tr_task_probe(probes, i);
	return n;
}

void tr_kernel_tasks_free(struct tr_kernel_tasks *n)
{
	if (!n)
		return;
	for (uint32_t i = 0; i < n->nplaces; i++)
		free(n->places[i].lives);
	free(n->probes);
	free(n->tasks);
	free(n->places);
	free(n->stacks);
	tr_map_free(&n->leaders);
	tr_map_free(&n->by_tp);
	tr_map_free(&n->by_stack);
	free(n);
}

/* --- tasks */

static int tell_change(const struct tr_kernel_tasks *n, uint32_t number)
{
	return n->changed ? n->changed(n->user, number) : TR_OK;
}

/* Adds a task without its leader. Returns a status. */
static int add_one(struct tr_kernel_tasks *n, const struct report *report,
		   uint32_t *number)
{
	if (!tr_grow(&n->tasks, &n->task_room, n->ntasks + 1UL, sizeof(*n->tasks)) ||
	    (report->pid == report->tgid && report->pid != TR_TASK_NO_PID &&
	     !tr_map_set(&n->leaders, report->pid, n->ntasks)))
		return TR_E_NOMEM;
	struct task *task = &n->tasks[n->ntasks];
	*task = (struct task){.pid = report->pid,
			      .tgid = report->tgid,
			      .leader = n->ntasks,
			      .named = report->cycle,
			      .is_seen = true};
	memcpy(task->comm, report->comm, sizeof(task->comm));
	*number = n->ntasks++;
	return tell_change(n, *number);
}

/* Adds a task; also the process that it is of, if no hit has reported that. */
static int add_task_and_process(struct tr_kernel_tasks *n, const struct report *report,
				uint32_t *number)
{
	uint32_t leader = tr_map_get(&n->leaders, report->tgid);
	int status = TR_OK;
	if (report->pid == report->tgid)
		return add_one(n, report, number);
	if (leader == TR_MAP_NONE) {
		struct report process = *report;
		process.pid = report->tgid;
		status = add_one(n, &process, &leader);
		if (!status)
			n->tasks[leader].is_seen = false;
	}
	if (!status)
		status = add_one(n, report, number);
	if (!status)
		n->tasks[*number].leader = leader;
	return status;
}

static int rename_task(struct tr_kernel_tasks *n, uint32_t number,
		       const struct report *report)
{
	struct task *task = &n->tasks[number];
	if (!report->has_comm || report->cycle < task->named)
		return TR_OK;
	task->named = report->cycle;
	if (strcmp(task->comm, report->comm) == 0)
		return TR_OK;
	memcpy(task->comm, report->comm, sizeof(task->comm));
	return tell_change(n, number);
}

/* Returns the number of the task that a new life at an address is: one that is known but
 * was not seen, that of a process whose thread replaces it in exec, or a new one. */
static int number_new_life(struct tr_kernel_tasks *n, const struct report *report,
			   const struct life *before, uint32_t *number)
{
	const bool is_leader =
	    report->pid == report->tgid && report->pid != TR_TASK_NO_PID;
	*number = is_leader ? tr_map_get(&n->leaders, report->pid) : TR_MAP_NONE;
	if (*number == TR_MAP_NONE)
		return add_task_and_process(n, report, number);
	const bool replaces = before && n->tasks[before->task].tgid == report->tgid;
	if (n->tasks[*number].is_seen && !replaces)
		return add_task_and_process(n, report, number);
	n->tasks[*number].is_seen = true;
	return TR_OK;
}

/* --- places */

static int add_task_place(struct tr_kernel_tasks *n, struct tr_map *map, uint64_t key,
			  uint32_t *place)
{
	*place = n->nplaces;
	if (!tr_grow(&n->places, &n->place_room, n->nplaces + 1UL, sizeof(*n->places)) ||
	    !tr_map_set(map, key, n->nplaces))
		return TR_E_NOMEM;
	n->places[n->nplaces++] = (struct place){.count = 0};
	return TR_OK;
}

/* Finds or adds the place of a task's address, or of its tp. Returns a status. */
static int find_tp(struct tr_kernel_tasks *n, uint64_t tp, uint32_t *place)
{
	*place = tr_map_get(&n->by_tp, tp);
	return *place == TR_MAP_NONE ? add_task_place(n, &n->by_tp, tp, place) : TR_OK;
}

/* Returns the number of stacks whose base is below an address. */
static uint32_t stacks_below(const struct tr_kernel_tasks *n, uint64_t address)
{
	uint32_t low = 0, high = n->nstacks;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (n->stacks[middle].base < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds or adds the place of a stack, and sets *place to TASK_NONE beyond MOST_STACKS.
 * Returns a status. */
static int find_stack_place(struct tr_kernel_tasks *n, const struct report *report,
			    uint32_t *place)
{
	if (report->top - report->stack > n->largest)
		n->largest = report->top - report->stack;
	*place = tr_map_get(&n->by_stack, report->stack);
	if (*place != TR_MAP_NONE)
		return TR_OK;
	*place = TASK_NONE;
	if (n->nstacks == MOST_STACKS)
		return TR_OK;
	if (!tr_grow(&n->stacks, &n->stack_room, n->nstacks + 1UL, sizeof(*n->stacks)) ||
	    add_task_place(n, &n->by_stack, report->stack, place))
		return TR_E_NOMEM;
	n->places[*place].base = report->stack;
	const uint32_t at = stacks_below(n, report->stack);
	memmove(&n->stacks[at + 1], &n->stacks[at],
		(n->nstacks - at) * sizeof(*n->stacks));
	n->stacks[at] = (struct stack){report->stack, *place};
	n->nstacks++;
	return TR_OK;
}

/* Returns the number of lives that begin up to a cycle. */
static uint32_t lives_until(const struct place *p, uint64_t cycle)
{
	uint32_t low = 0, high = p->count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (p->lives[middle].cycle <= cycle)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the life of a place in a cycle; before the first one, that. Returns NULL if it
 * is not known any longer. */
static const struct life *life_at(const struct place *p, uint64_t cycle)
{
	const uint32_t at = lives_until(p, cycle);
	if (!at && (p->is_cut || !p->count))
		return NULL;
	return &p->lives[at ? at - 1 : 0];
}

/* Inserts a life behind `at` others. Returns a status. */
static int add_life(struct place *p, uint32_t at, struct life life)
{
	if (p->count == LIVES) {
		p->is_cut = true;
		if (at == 0)
			return TR_OK;
		memmove(&p->lives[0], &p->lives[1], (LIVES - 1) * sizeof(life));
		p->count--;
		at--;
	}
	if (!tr_grow(&p->lives, &p->room, p->count + 1UL, sizeof(life)))
		return TR_E_NOMEM;
	memmove(&p->lives[at + 1], &p->lives[at], (p->count - at) * sizeof(life));
	p->lives[at] = life;
	p->count++;
	return TR_OK;
}

/* Without a number, a task is its name: another name at the same place is another task.
 */
static bool is_same_task(const struct task *task, const struct report *report)
{
	return task->pid == report->pid &&
	       (report->pid != TR_TASK_NO_PID || strcmp(task->comm, report->comm) == 0);
}

/* Returns the life of a place that a hit reports, or NULL. Hits of another hart may be
 * of an earlier cycle. */
static struct life *find_life(const struct tr_kernel_tasks *n, const struct place *p,
			      const struct report *report)
{
	const uint32_t at = lives_until(p, report->cycle);
	if (at && is_same_task(&n->tasks[p->lives[at - 1].task], report))
		return &p->lives[at - 1];
	if (at == p->count || !is_same_task(&n->tasks[p->lives[at].task], report))
		return NULL;
	p->lives[at].cycle = report->cycle;
	return &p->lives[at];
}

/* Takes the task of a hit at the first of its places. Sets *number, to TASK_NONE beyond
 * the limit. Returns a status. */
static int take_task_at(struct tr_kernel_tasks *n, const struct report *report,
			uint32_t place, uint32_t *number)
{
	struct place *p = &n->places[place];
	const struct life *life = find_life(n, p, report);
	if (life) {
		*number = life->task;
		return rename_task(n, *number, report);
	}
	*number = TASK_NONE;
	if (n->ntasks >= MOST_TASKS)
		return TR_OK;
	const uint32_t at = lives_until(p, report->cycle);
	int status = number_new_life(n, report, at ? &p->lives[at - 1] : NULL, number);
	if (!status)
		status = add_life(p, at,
				  (struct life){.cycle = report->cycle, .task = *number});
	return status ? status : rename_task(n, *number, report);
}

/* The task is at another of its places, too. Returns a status. */
static int note_task_place(struct tr_kernel_tasks *n, const struct report *report,
			   uint32_t place, uint32_t number)
{
	struct place *p = &n->places[place];
	const uint32_t at = lives_until(p, report->cycle);
	if (at && p->lives[at - 1].task == number)
		return TR_OK;
	if (at < p->count && p->lives[at].task == number) {
		p->lives[at].cycle = report->cycle;
		return TR_OK;
	}
	return add_life(p, at, (struct life){.cycle = report->cycle, .task = number});
}

/* The task's stack reaches up to report->top, or further. */
static void take_top(struct place *p, const struct report *report)
{
	const uint32_t at = lives_until(p, report->cycle);
	struct life *life = at ? &p->lives[at - 1] : NULL;
	if (!life)
		return;
	if (report->is_whole || report->top > life->top)
		life->top = report->top;
	life->is_whole |= report->is_whole;
}

/* Stores what a hit reports of a task. */
static int take_report(struct tr_kernel_tasks *n, const struct report *report)
{
	uint32_t places[3], count = 0, number, stack = TASK_NONE;
	int status = TR_OK;
	if (report->task)
		status = find_tp(n, report->task, &places[count++]);
	if (report->tp && report->tp != report->task && !status)
		status = find_tp(n, report->tp, &places[count++]);
	if (report->stack && !status)
		status = find_stack_place(n, report, &stack);
	if (stack != TASK_NONE)
		places[count++] = stack;
	if (status || !count)
		return status;
	status = take_task_at(n, report, places[0], &number);
	for (uint32_t i = 1; i < count && !status && number != TASK_NONE; i++)
		status = note_task_place(n, report, places[i], number);
	if (stack != TASK_NONE)
		take_top(&n->places[stack], report);
	return status;
}

/* --- hits */

/* Takes the tasks of a hit. What lacks a number is ignored. */
static int take_task_hit(struct tr_kernel_tasks *n, const struct tr_hit *hit)
{
	int status = TR_OK;
	if (hit->probe == TR_PROBE_MARK)
		return TR_OK;
	const struct task_probe *probe = &n->probes[hit->probe];
	for (unsigned i = 0; i < probe->count && !status; i++) {
		struct report report;
		if (tr_task_read(&probe->tasks[i], hit, &report))
			status = take_report(n, &report);
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
		status = take_task_hit(n, first);
	}
	return status;
}

/* --- queries */

uint32_t tr_kernel_tasks_of_tp(const struct tr_kernel_tasks *n, uint64_t tp)
{
	const uint32_t i = tp ? tr_map_get(&n->by_tp, tp) : TR_MAP_NONE;
	/* Beyond MOST_TASKS there may be a place without a task. */
	return i != TR_MAP_NONE && n->places[i].count ? i : TASK_NONE;
}

/* Stacks may overlap: their memory may have been used for others before. The last one
 * that was reported by then counts, else the first one after that. */
uint32_t tr_kernel_tasks_of_stack(const struct tr_kernel_tasks *n, uint64_t sp,
				  uint64_t cycle)
{
	uint32_t best = TASK_NONE;
	uint64_t began = 0;
	for (uint32_t i = stacks_below(n, sp);
	     i-- && sp - n->stacks[i].base <= n->largest;) {
		const struct life *life = life_at(&n->places[n->stacks[i].place], cycle);
		if (!life || sp > life->top)
			continue;
		const bool is_better = life->cycle <= cycle
					   ? began > cycle || life->cycle > began
					   : life->cycle < began;
		if (best == TASK_NONE || is_better) {
			best = n->stacks[i].place;
			began = life->cycle;
		}
	}
	return best;
}

/* What is saved of a task when it is left, at most, is between the sp that was saved and
 * the end of its stack. */
bool tr_kernel_tasks_can_be(const struct tr_kernel_tasks *n, uint32_t place, uint64_t sp,
			    uint64_t cycle)
{
	enum { SAVED = 1024 };
	const struct place *p = &n->places[place];
	const struct life *life = life_at(p, cycle);
	return p->base && life && sp > p->base &&
	       sp - p->base <= life->top - p->base + (life->is_whole ? 0 : SAVED);
}

uint32_t tr_kernel_tasks_at(const struct tr_kernel_tasks *n, uint32_t place,
			    uint64_t cycle)
{
	const struct life *life = life_at(&n->places[place], cycle);
	return life ? life->task : TASK_NONE;
}

struct tr_kernel_task tr_kernel_tasks_get(const struct tr_kernel_tasks *n,
					  uint32_t number)
{
	const struct task *task = &n->tasks[number];
	return (struct tr_kernel_task){task->pid, task->tgid, task->leader, task->comm};
}
