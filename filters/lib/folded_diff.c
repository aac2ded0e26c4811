/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of functions and of stacks. */
#include "folded_diff.h"

#include <stdlib.h>
#include <string.h>

static uint64_t distance(const uint64_t pair[2])
{
	return pair[0] < pair[1] ? pair[1] - pair[0] : pair[0] - pair[1];
}

static int by_change(const void *left, const void *right, void *folded)
{
	const struct tr_change *a = left, *b = right;
	uint64_t x = distance(a->self), y = distance(b->self);
	if (x == y) {
		x = distance(a->total);
		y = distance(b->total);
	}
	if (x != y)
		return x < y ? 1 : -1;
	int order = strcmp(tr_folded_node(folded, a->id)->name,
			   tr_folded_node(folded, b->id)->name);
	return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool is_outermost(const struct tr_folded *f, uint32_t id)
{
	uint32_t name = tr_folded_node(f, id)->name_id;
	while ((id = tr_folded_node(f, id)->parent))
		if (tr_folded_node(f, id)->name_id == name)
			return false;
	return true;
}

static void sort(const struct tr_folded *f, struct tr_change *changes, size_t count)
{
	qsort_r(changes, count, sizeof(*changes), by_change, (void *)(uintptr_t)f);
}

/* Both totals of every node; NULL when out of memory. */
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
	*count = tr_folded_names(f);
	*changes = totals ? calloc(*count + 1, sizeof(**changes)) : NULL;
	if (!*changes) {
		free(totals);
		return TR_E_NOMEM;
	}
	for (uint32_t id = 1; id < nodes; id++) {
		const struct tr_folded_node *node = tr_folded_node(f, id);
		struct tr_change *change = &(*changes)[node->name_id];
		bool outermost = is_outermost(f, id);
		change->id = id;
		for (unsigned which = 0; which < 2; which++) {
			change->self[which] += node->self[which];
			if (outermost)
				change->total[which] += totals[which * nodes + id];
		}
	}
	free(totals);
	sort(f, *changes, *count);
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
	sort(f, *changes, *count);
	return TR_OK;
}
