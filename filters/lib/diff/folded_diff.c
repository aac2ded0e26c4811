/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of functions and of stacks. */
#include "diff/folded_diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint64_t pair_distance(const uint64_t pair[2])
{
	return pair[0] < pair[1] ? pair[1] - pair[0] : pair[0] - pair[1];
}

static int compare_folded_changes(const void *left, const void *right, void *folded)
{
	const struct tr_change *a = left, *b = right;
	uint64_t x = pair_distance(a->self), y = pair_distance(b->self);
	if (x == y) {
		x = pair_distance(a->total);
		y = pair_distance(b->total);
	}
	if (x != y)
		return x < y ? 1 : -1;
	int order = strcmp(tr_folded_node(folded, a->id)->name,
			   tr_folded_node(folded, b->id)->name);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

/* A traversal of the tree that tracks the names on the path to the current node. */
struct walk {
	const struct tr_folded *f;
	uint32_t *first; /* by node: index of its first child in `children` */
	uint32_t *children;
	uint32_t *next;	  /* by node: next child to visit */
	uint32_t *on_way; /* by name: occurrences on the path */
	uint8_t *outermost;
};

static void walk_free(struct walk *w)
{
	free(w->first);
	free(w->children);
	free(w->next);
	free(w->on_way);
}

static bool walk_init(struct walk *w, const struct tr_folded *f)
{
	uint32_t count = tr_folded_count(f);
	*w = (struct walk){.f = f};
	w->first = calloc((size_t)count + 1, sizeof(*w->first));
	w->children = calloc(count, sizeof(*w->children));
	w->next = calloc(count, sizeof(*w->next));
	w->on_way = calloc((size_t)tr_folded_names(f) + 1, sizeof(*w->on_way));
	w->outermost = calloc(count, sizeof(*w->outermost));
	if (!w->first || !w->children || !w->next || !w->on_way || !w->outermost) {
		walk_free(w);
		free(w->outermost);
		return false;
	}
	for (uint32_t i = 1; i < count; i++)
		w->first[tr_folded_node(f, i)->parent + 1]++;
	for (uint32_t i = 0; i < count; i++) {
		w->first[i + 1] += w->first[i];
		w->next[i] = w->first[i];
	}
	for (uint32_t i = 1; i < count; i++)
		w->children[w->next[tr_folded_node(f, i)->parent]++] = i;
	for (uint32_t i = 0; i < count; i++)
		w->next[i] = w->first[i];
	return true;
}

/* Returns for each node whether no node below it on its stack has the same name; NULL
 * when out of memory. */
static uint8_t *find_outermost(const struct tr_folded *f)
{
	struct walk w;
	if (!walk_init(&w, f))
		return NULL;
	for (uint32_t id = 0; id || w.next[0] < w.first[1];) {
		if (w.next[id] < w.first[id + 1]) {
			id = w.children[w.next[id]++];
			w.outermost[id] = !w.on_way[tr_folded_node(f, id)->name_id]++;
		} else {
			w.on_way[tr_folded_node(f, id)->name_id]--;
			id = tr_folded_node(f, id)->parent;
		}
	}
	walk_free(&w);
	return w.outermost;
}

static void sort_folded_changes(const struct tr_folded *f, struct tr_change *changes,
				size_t count)
{
	qsort_r(changes, count, sizeof(*changes), compare_folded_changes,
		(void *)(uintptr_t)f);
}

/* Returns both totals of every node; NULL when out of memory. */
static uint64_t *totals_of(const struct tr_folded *f)
{
	size_t count = tr_folded_count(f);
	uint64_t *totals = calloc(2 * count, sizeof(*totals));
	if (totals) {
		tr_folded_totals(f, 0, totals);
		tr_folded_totals(f, 1, totals + count);
	}
	return totals;
}

int tr_folded_functions(const struct tr_folded *f, struct tr_change **changes,
			size_t *count)
{
	uint32_t nodes = tr_folded_count(f);
	uint64_t *totals = totals_of(f);
	uint8_t *outermost = find_outermost(f);
	*count = tr_folded_names(f);
	*changes = totals && outermost ? calloc(*count + 1, sizeof(**changes)) : NULL;
	if (!*changes) {
		free(totals);
		free(outermost);
		return TR_E_NOMEM;
	}
	for (uint32_t id = 1; id < nodes; id++) {
		const struct tr_folded_node *node = tr_folded_node(f, id);
		struct tr_change *change = &(*changes)[node->name_id];
		change->id = id;
		for (unsigned which = 0; which < 2; which++) {
			change->self[which] += node->self[which];
			if (outermost[id])
				change->total[which] += totals[which * nodes + id];
		}
	}
	free(totals);
	free(outermost);
	sort_folded_changes(f, *changes, *count);
	return TR_OK;
}

int tr_folded_stacks(const struct tr_folded *f, struct tr_change **changes, size_t *count)
{
	uint32_t nodes = tr_folded_count(f);
	*count = 0;
	*changes = calloc(nodes, sizeof(**changes));
	if (!*changes)
		return TR_E_NOMEM;
	for (uint32_t id = 1; id < nodes; id++) {
		const uint64_t *self = tr_folded_node(f, id)->self;
		if (self[0] || self[1])
			(*changes)[(*count)++] =
			    (struct tr_change){.self = {self[0], self[1]},
					       .total = {self[0], self[1]},
					       .id = id};
	}
	sort_folded_changes(f, *changes, *count);
	return TR_OK;
}
