/* SPDX-License-Identifier: Apache-2.0 */
/* The bars of groups of stacks, and of all nodes of a tree of them. */
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sample/estimate_internal.h"

/* The parts of a node, or of it and all nodes above it, by leaf. */
struct parts {
	struct tr_estimate_part *list;
	size_t count;
	uint32_t child,
	    children; /* of a node in a tree: the last one, and their number */
};

static int by_node_and_leaf(const void *left, const void *right)
{
	const struct tr_estimate_item *a = left, *b = right;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->part.leaf > b->part.leaf) - (a->part.leaf < b->part.leaf);
}

static void add_part(struct parts *to, const struct tr_estimate_part *part)
{
	if (to->count && to->list[to->count - 1].leaf == part->leaf)
		to->list[to->count - 1].instructions += part->instructions;
	else
		to->list[to->count++] = *part;
}

/* Merges `more` into `parts`, and frees it. Returns a status. */
static int merge_parts(struct parts *parts, struct parts *more)
{
	struct parts both = {0};
	if (!parts->count) {
		free(parts->list);
		parts->list = more->list;
		parts->count = more->count;
		*more = (struct parts){0};
		return TR_OK;
	}
	if (more->count) {
		both.list = calloc(parts->count + more->count, sizeof(*both.list));
		if (!both.list)
			return TR_E_NOMEM;
		for (size_t a = 0, b = 0; a < parts->count || b < more->count;) {
			const bool is_first = b == more->count ||
					      (a < parts->count &&
					       parts->list[a].leaf <= more->list[b].leaf);
			add_part(&both, is_first ? &parts->list[a++] : &more->list[b++]);
		}
		free(parts->list);
		parts->list = both.list;
		parts->count = both.count;
	}
	free(more->list);
	*more = (struct parts){0};
	return TR_OK;
}

/* Takes the items of a node, the last ones. Returns a status. */
static int take_items(uint32_t node, const struct tr_estimate_item *items, size_t *count,
		      struct parts *own)
{
	size_t first = *count;
	while (first && items[first - 1].node == node)
		first--;
	*own = (struct parts){.list = calloc(*count - first + 1, sizeof(*own->list))};
	for (size_t i = first; own->list && i < *count; i++)
		add_part(own, &items[i].part);
	*count = first;
	return own->list ? TR_OK : TR_E_NOMEM;
}

int tr_estimate_groups(struct tr_estimate *e, struct tr_estimate_item *items,
		       size_t count, struct tr_bar *bars)
{
	int status = TR_OK;
	if (count)
		qsort(items, count, sizeof(*items), by_node_and_leaf);
	while (count && !status) {
		const uint32_t group = items[count - 1].node;
		struct parts parts;
		status = take_items(group, items, &count, &parts);
		if (!status)
			bars[group] = tr_estimate_sum(e, parts.list, parts.count, 1);
		free(parts.list);
	}
	return status;
}

/* Computes the bars of a node, above which all are known, and adds its parts to its
 * parent's. Returns a status. */
static int take_node(struct tr_estimate *e, uint32_t node, struct parts *parts,
		     struct parts *parent, struct parts *own, struct tr_bar *self,
		     struct tr_bar *total)
{
	self[node] = tr_estimate_sum(e, own->list, own->count, 1);
	const bool is_alone = !parts->count, is_child = !own->count;
	int status = merge_parts(parts, own);
	if (status)
		return status;
	/* Most nodes of a deep tree have the parts of their only child. */
	if (is_alone)
		total[node] = self[node];
	else if (is_child && parts->children == 1)
		total[node] = total[parts->child];
	else
		total[node] = tr_estimate_sum(e, parts->list, parts->count, 1);
	if (!parent)
		return TR_OK;
	parent->child = node;
	parent->children++;
	return merge_parts(parent, parts);
}

int tr_estimate_tree(struct tr_estimate *e, const uint32_t *parents, uint32_t nodes,
		     struct tr_estimate_item *items, size_t count, struct tr_bar *self,
		     struct tr_bar *total)
{
	struct parts *above = calloc((size_t)nodes + 1, sizeof(*above));
	int status = above ? TR_OK : TR_E_NOMEM;
	if (count)
		qsort(items, count, sizeof(*items), by_node_and_leaf);
	for (uint32_t node = nodes; node-- && !status;) {
		struct parts own;
		status = take_items(node, items, &count, &own);
		if (!status)
			status = take_node(e, node, &above[node],
					   node ? &above[parents[node]] : NULL, &own,
					   self, total);
		free(own.list);
	}
	for (uint32_t node = 0; above && node < nodes; node++)
		free(above[node].list);
	free(above);
	return status;
}
