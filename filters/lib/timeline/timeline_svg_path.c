/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the stack that a column shows. */
#include <stdlib.h>

#include "timeline/timeline_svg_internal.h"

/* A stack of the column, as the nodes from its root on. */
struct lane {
	const uint32_t *nodes;
	uint32_t depth;
	uint64_t cycles;
};

bool tr_timeline_path_init(struct path *path, uint32_t max_depth)
{
	*path = (struct path){
	    .max_depth = max_depth,
	    .shown = malloc(max_depth * sizeof(*path->shown)),
	    .lanes = malloc(CELLS * sizeof(*path->lanes)),
	    .ancestors = malloc((size_t)CELLS * max_depth * sizeof(*path->ancestors))};
	return path->shown && path->lanes && path->ancestors;
}

void tr_timeline_path_release(struct path *path)
{
	free(path->shown);
	free(path->lanes);
	free(path->ancestors);
}

static int by_nodes(const void *left, const void *right)
{
	const struct lane *a = left, *b = right;
	for (uint32_t i = 0; i < a->depth && i < b->depth; i++)
		if (a->nodes[i] != b->nodes[i])
			return a->nodes[i] < b->nodes[i] ? -1 : 1;
	return (a->depth > b->depth) - (a->depth < b->depth);
}

/* Sets path->lanes to the stacks of the column, those with a common root adjacent. */
static uint32_t set_lanes(struct path *path, const struct columns *c, uint32_t column)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < c->column[column].count; i++) {
		const struct cell *cell = &c->column[column].cells[i];
		uint32_t *nodes = &path->ancestors[count * path->max_depth];
		uint32_t node = cell->key, depth = tr_profile_depth(c->nodes, node);
		if (!depth)
			continue;
		for (; depth > path->max_depth; depth--)
			tr_profile_frame(c->nodes, node, &node);
		for (uint32_t d = depth; d; d--) {
			nodes[d - 1] = node;
			tr_profile_frame(c->nodes, node, &node);
		}
		path->lanes[count++] = (struct lane){nodes, depth, cell->cycles};
	}
	qsort(path->lanes, count, sizeof(*path->lanes), by_nodes);
	return count;
}

void tr_timeline_path_find(struct path *path, const struct columns *c, uint32_t column)
{
	const struct lane *lanes = path->lanes;
	uint32_t first = 0, last = set_lanes(path, c, column);
	path->depth = 0;
	path->own = 0;
	while (path->depth < path->max_depth) {
		const uint32_t d = path->depth;
		uint64_t own = 0, most = 0;
		uint32_t from = first, to = first;
		for (; first < last && lanes[first].depth == d; first++)
			own += lanes[first].cycles;
		path->own += own;
		for (uint32_t i = first, next; i < last; i = next) {
			uint64_t sum = 0;
			for (next = i;
			     next < last && lanes[next].nodes[d] == lanes[i].nodes[d];
			     next++)
				sum += lanes[next].cycles;
			if (sum > most) {
				most = sum;
				from = i;
				to = next;
			}
		}
		if (!most || own > most)
			return;
		path->shown[path->depth++] =
		    (struct shown){.node = lanes[from].nodes[d], .cycles = most};
		first = from;
		last = to;
	}
	for (; first < last; first++)
		path->own += lanes[first].cycles;
}
