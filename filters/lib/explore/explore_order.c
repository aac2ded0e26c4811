/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of an index in depth-first order, the callees of each in order of their
 * names, as in a flame graph. */
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"

static const struct tr_explore *sorted; /* qsort() has no argument */

static int by_parent_and_name(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct explore_node *x = &sorted->nodes[a], *y = &sorted->nodes[b];
	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	const int order =
	    strcmp(sorted->funcs[x->func].name, sorted->funcs[y->func].name);
	return order ? order : (a > b) - (a < b);
}

/* Writes the nodes in depth-first order: `sorted_nodes` by parent and name, of which the
 * callees of a node begin at `first`. Returns a status. */
static int walk_nodes(struct tr_explore *x, const uint32_t *sorted_nodes,
		      const uint32_t *first, uint32_t *next)
{
	uint32_t node = 0, at = 0, depth = 0;
	x->order[0] = (struct explore_place){0, 0, 0};
	x->position[0] = at++;
	memcpy(next, first, x->nnodes * sizeof(*next));
	for (;;) {
		if (next[node] < first[node + 1]) {
			node = sorted_nodes[next[node]++];
			x->order[at] = (struct explore_place){node, 0, ++depth};
			x->position[node] = at++;
			if (depth > TR_PROFILE_DEPTH)
				return TR_E_CORRUPT;
			continue;
		}
		x->order[x->position[node]].end = at;
		if (!node)
			return TR_OK;
		node = x->nodes[node].parent;
		depth--;
	}
}

int tr_explore_order(struct tr_explore *x)
{
	const size_t n = x->nnodes;
	if (x->norder == n)
		return TR_OK;
	uint32_t *nodes = calloc(n, sizeof(*nodes));
	uint32_t *first = calloc(n + 1, sizeof(*first));
	uint32_t *next = calloc(n + 1, sizeof(*next));
	free(x->order);
	free(x->position);
	x->order = calloc(n, sizeof(*x->order));
	x->position = calloc(n, sizeof(*x->position));
	x->norder = 0;
	const bool has_room = nodes && first && next && x->order && x->position;
	int status = TR_E_NOMEM;
	if (has_room) {
		for (uint32_t i = 1; i < n; i++) {
			nodes[i - 1] = i;
			first[x->nodes[i].parent + 1]++;
		}
		for (size_t i = 1; i <= n; i++)
			first[i] += first[i - 1];
		sorted = x;
		qsort(nodes, n - 1, sizeof(*nodes), by_parent_and_name);
		status = walk_nodes(x, nodes, first, next);
		x->norder = status ? 0 : n;
	}
	free(nodes);
	free(first);
	free(next);
	return status;
}
