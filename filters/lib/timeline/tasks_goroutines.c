/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the goroutines of Go's runtime through the hits of go.probes. */
#include <stdio.h>
#include <string.h>

#include "timeline/tasks_internal.h"

/* Finds the goroutine at an address of the process that the hart runs, or adds it. Sets
 * *id to TR_TASK_NONE if that is not known. Returns a status. */
static int find_or_add_goroutine(struct tr_tasks *t, const struct task_hit *hit,
				 uint32_t *id)
{
	enum { ADDRESS_BITS = 47, ALIGNED_BITS = 3 };
	const uint32_t task = tr_tasks_running(t, hit->hart);
	*id = TR_TASK_NONE;
	if (task == TR_TASK_NONE)
		return TR_OK;
	const uint32_t process = t->tasks[task].is.process;
	if (hit->number >> ADDRESS_BITS ||
	    process >> (64 - ADDRESS_BITS + ALIGNED_BITS)) {
		t->sums.unseen_states++;
		return TR_OK;
	}
	const uint64_t key = (uint64_t)process << (ADDRESS_BITS - ALIGNED_BITS) |
			     hit->number >> ALIGNED_BITS;
	*id = tr_map_get(&t->by_address, key);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	*id = t->ngoroutines;
	if (!tr_grow(&t->goroutines, &t->goroutine_room, *id + 1UL,
		     sizeof(*t->goroutines)) ||
	    !tr_map_set(&t->by_address, key, *id))
		return TR_E_NOMEM;
	t->goroutines[t->ngoroutines++] =
	    (struct goroutine){.process = process, .thread = TR_TASK_NONE};
	return TR_OK;
}

/* Passes on the state in which a goroutine has been up to a cycle. Returns a status. */
static int pass_goroutine_state(struct tr_tasks *t, uint32_t hart, uint64_t cycle,
				uint32_t id)
{
	struct goroutine *g = &t->goroutines[id];
	struct tr_task_event event = {.kind = TR_TASK_GOROUTINE,
				      .cycle = cycle,
				      .start = g->since,
				      .hart = hart,
				      .task = g->process,
				      .other = g->is_running ? g->thread : TR_TASK_NONE,
				      .text = g->is_off ? "no hart" : g->state,
				      .state = (uint64_t)g->goid,
				      .number = id};
	g->since = cycle;
	return *g->state && event.start < cycle ? tr_tasks_pass_part(t, &event) : TR_OK;
}

/* A goroutine changes its state; if it runs, it is on the task that runs it. */
static void set_goroutine_state(struct tr_tasks *t, uint32_t id, const char *state,
				const char *reason, uint32_t task)
{
	struct goroutine *g = &t->goroutines[id];
	if (g->is_running && t->tasks[g->thread].goroutine == id)
		t->tasks[g->thread].goroutine = TR_TASK_NONE;
	snprintf(g->state, sizeof(g->state), "%s%s%s", state, *reason ? ": " : "",
		 reason);
	g->is_running = strcmp(state, "running") == 0;
	g->is_off = false;
	if (!g->is_running)
		return;
	g->thread = task;
	t->tasks[task].goroutine = id;
}

/* Returns whether a state of ours can be left for another one as `old` of the runtime. */
static bool is_state(const char *state, const char *old)
{
	return strncmp(state, old, strlen(old)) == 0;
}

int tr_tasks_take_status(struct tr_tasks *t, const struct task_hit *hit)
{
	const char *old = hit->comm, *state = hit->other_comm;
	uint32_t id;
	int status = find_or_add_goroutine(t, hit, &id);
	/* While its stack is copied, it continues to run. */
	if (status || id == TR_TASK_NONE || strcmp(old, "copystack") == 0 ||
	    strcmp(state, "copystack") == 0)
		return status;
	struct goroutine *g = &t->goroutines[id];
	if (*g->state && !is_state(g->state, old))
		t->sums.unseen_states++;
	g->goid = hit->pid; /* of a new one, that of the last one here */
	status = pass_goroutine_state(t, hit->hart, hit->cycle, id);
	const bool has_ended = strcmp(state, "dead") == 0 || strcmp(state, "idle") == 0;
	set_goroutine_state(t, id, has_ended ? "" : state,
			    strcmp(state, "waiting") == 0 ? hit->text : "",
			    tr_tasks_running(t, hit->hart));
	return status;
}

int tr_tasks_take_preempt(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	int status = find_or_add_goroutine(t, hit, &id);
	if (status || id == TR_TASK_NONE)
		return status;
	t->goroutines[id].goid = hit->pid;
	status = pass_goroutine_state(t, hit->hart, hit->cycle, id);
	set_goroutine_state(t, id, "waiting", "preempted", TR_TASK_NONE);
	return status;
}

int tr_tasks_take_goroutine(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	int status = find_or_add_goroutine(t, hit, &id);
	if (!status && id != TR_TASK_NONE)
		t->goroutines[id].goid = hit->pid;
	return status;
}

int tr_goroutines_switch(struct tr_tasks *t, uint32_t hart, uint64_t cycle, uint32_t from,
			 uint32_t to)
{
	const uint32_t ids[] = {t->tasks[from].goroutine, t->tasks[to].goroutine};
	int status = TR_OK;
	for (unsigned i = 0; i < 2 && !status; i++)
		if (ids[i] != TR_TASK_NONE) {
			status = pass_goroutine_state(t, hart, cycle, ids[i]);
			t->goroutines[ids[i]].is_off = i == 0;
		}
	return status;
}

int tr_goroutines_finish(struct tr_tasks *t, uint64_t cycle)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < t->ngoroutines && !status; i++) {
		const uint64_t end = t->tasks[t->goroutines[i].process].is.end;
		status = pass_goroutine_state(t, 0, end < cycle ? end : cycle, i);
	}
	return status;
}
