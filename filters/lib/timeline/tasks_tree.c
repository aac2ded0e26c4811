/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of processes. */
#include <stdlib.h>

#include "timeline/tasks_internal.h"

static int by_start(const void *left, const void *right, void *tasks)
{
	const struct tr_tasks *t = tasks;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct tr_task *at = &t->tasks[a].is, *other = &t->tasks[b].is;
	if (at->start != other->start)
		return at->start < other->start ? -1 : 1;
	return at->pid != other->pid ? (at->pid > other->pid) - (at->pid < other->pid)
				     : (a > b) - (a < b);
}

/* Processes as lists of children: of each task its first child and its next sibling, and
 * after the last task the first root. */
struct lists {
	uint32_t *child, *next;
};

/* Links the processes, those that started last first, so that each list is in order. */
static void link_children(const struct tr_tasks *t, const uint32_t *sorted,
			  uint32_t count, struct lists *lists)
{
	for (uint32_t i = 0; i <= t->count; i++)
		lists->child[i] = lists->next[i] = TR_TASK_NONE;
	for (uint32_t i = count; i-- > 0;) {
		const uint32_t parent = t->tasks[sorted[i]].is.parent;
		uint32_t *list =
		    &lists->child[parent == TR_TASK_NONE ? t->count : parent];
		lists->next[sorted[i]] = *list;
		*list = sorted[i];
	}
}

/* Writes the processes in the order of the tree over `order`. */
static void order_process_tree(const struct tr_tasks *t, const struct lists *lists,
			       uint32_t *order, uint32_t *depths)
{
	uint32_t at = lists->child[t->count], depth = 0, n = 0;
	while (at != TR_TASK_NONE) {
		order[n] = at;
		depths[n++] = depth;
		if (lists->child[at] != TR_TASK_NONE) {
			at = lists->child[at];
			depth++;
			continue;
		}
		while (lists->next[at] == TR_TASK_NONE && depth) {
			at = t->tasks[at].is.parent;
			depth--;
		}
		at = lists->next[at];
	}
}

uint32_t *tr_tasks_tree(const struct tr_tasks *t, uint32_t **depths, uint32_t *count)
{
	const size_t room = t->count + 1UL;
	uint32_t *order = calloc(room, sizeof(*order));
	struct lists lists = {calloc(room, sizeof(uint32_t)),
			      calloc(room, sizeof(uint32_t))};
	*depths = calloc(room, sizeof(**depths));
	*count = 0;
	const bool good = order && lists.child && lists.next && *depths;
	for (uint32_t i = 0; good && i < t->count; i++)
		if (t->tasks[i].is.process == i)
			order[(*count)++] = i;
	if (good) {
		qsort_r(order, *count, sizeof(*order), by_start, (void *)t);
		link_children(t, order, *count, &lists);
		order_process_tree(t, &lists, order, *depths);
	} else {
		free(order);
		free(*depths);
		order = *depths = NULL;
	}
	free(lists.child);
	free(lists.next);
	return order;
}
