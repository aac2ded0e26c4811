/* SPDX-License-Identifier: Apache-2.0 */
/* Folded stacks within a limit of bytes.
 *
 * The text of deep stacks grows with the square of their depth: minutes of a recursive
 * interpreter fill a disk. A callee whose total is less than a threshold is left out; its
 * callers never are, since theirs is not less. The threshold is the smallest with which
 * the text fits. */
#include <stdlib.h>
#include <string.h>

#include "profile/folded.h"

enum { DIGITS = 20 }; /* of a count, at most */

struct limit {
	const struct tr_folded *folded;
	const struct tr_folded_node *nodes;
	uint32_t count;
	unsigned which;
	uint64_t *totals;
	uint64_t *lengths; /* of the text of each stack, with a ';' */
};

static bool is_kept(const struct limit *limit, uint32_t id, uint64_t threshold)
{
	return id == 0 || limit->totals[id] >= threshold;
}

/* Returns true for a node whose cycles are combined below its caller. */
static bool is_cut(const struct limit *limit, uint32_t id, uint64_t threshold)
{
	return limit->totals[id] && !is_kept(limit, id, threshold) &&
	       is_kept(limit, limit->nodes[id].parent, threshold);
}

/* Returns at least the size of the text. Lines of what is left out count once for each
 * callee, though those of one caller are combined. */
static uint64_t size_with(const struct limit *limit, uint64_t threshold)
{
	uint64_t size = 0;
	for (uint32_t id = 1; id < limit->count; id++) {
		const struct tr_folded_node *node = &limit->nodes[id];
		if (is_kept(limit, id, threshold))
			size += node->self[limit->which] ? limit->lengths[id] + DIGITS + 1
							 : 0;
	}
	return size;
}

/* Returns at least the size of the lines of what is left out; `seen` has room for a flag
 * for each node. */
static uint64_t size_of_left(const struct limit *limit, uint64_t threshold, bool *seen)
{
	uint64_t size = 0;
	memset(seen, 0, limit->count * sizeof(*seen));
	for (uint32_t id = 1; id < limit->count; id++) {
		uint32_t parent = limit->nodes[id].parent;
		if (!is_cut(limit, id, threshold) || seen[parent])
			continue;
		seen[parent] = true;
		size += limit->lengths[parent] + sizeof(TR_FOLDED_LEFT) + DIGITS + 1;
	}
	return size;
}

/* Returns the smallest threshold with which the text has at most `most` bytes. */
static uint64_t find_threshold(const struct limit *limit, uint64_t most, bool *seen)
{
	uint64_t low = 1, high = UINT64_MAX;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		uint64_t size = size_with(limit, middle);
		if (size <= most)
			size += size_of_left(limit, middle, seen);
		if (size <= most)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Copies what is kept, and the sums of the rest. `ids` has room for an id for each
 * node. Returns a status. */
static int copy_kept_nodes(const struct limit *limit, uint64_t threshold,
			   struct tr_folded *to, uint32_t *ids,
			   struct tr_folded_left *left)
{
	int status = TR_OK;
	ids[0] = 0;
	for (uint32_t id = 1; id < limit->count && !status; id++) {
		const struct tr_folded_node *node = &limit->nodes[id];
		bool kept = is_kept(limit, id, threshold);
		uint32_t parent = ids[node->parent];
		ids[id] = parent;
		if (kept)
			status =
			    tr_folded_child(to, parent, node->name, strlen(node->name),
					    node->tint, &ids[id]);
		else if (is_kept(limit, node->parent, threshold))
			status = tr_folded_child(to, parent, TR_FOLDED_LEFT,
						 strlen(TR_FOLDED_LEFT), TR_TINT_OTHER,
						 &ids[id]);
		for (unsigned i = 0; i < 2 && !status; i++)
			status = tr_folded_add(to, ids[id], i, node->self[i]);
		left->stacks += !kept && node->self[limit->which];
		left->sum += kept ? 0 : node->self[limit->which];
	}
	return status;
}

static void measure_stacks(const struct limit *limit)
{
	for (uint32_t id = 1; id < limit->count; id++)
		limit->lengths[id] = limit->lengths[limit->nodes[id].parent] +
				     strlen(limit->nodes[id].name) + 1;
}

int tr_folded_limit(const struct tr_folded *f, unsigned which, uint64_t most,
		    struct tr_folded **limited, struct tr_folded_left *left)
{
	struct limit limit = {.folded = f,
			      .nodes = tr_folded_node(f, 0),
			      .count = tr_folded_count(f),
			      .which = which};
	uint32_t *ids = calloc(limit.count, sizeof(*ids));
	bool *seen = calloc(limit.count, sizeof(*seen));
	int status = ids && seen ? TR_OK : TR_E_NOMEM;
	limit.totals = calloc(limit.count, sizeof(*limit.totals));
	limit.lengths = calloc(limit.count, sizeof(*limit.lengths));
	*limited = NULL;
	*left = (struct tr_folded_left){0};
	if (!limit.totals || !limit.lengths)
		status = TR_E_NOMEM;
	if (!status) {
		tr_folded_totals(f, which, limit.totals);
		measure_stacks(&limit);
	}
	if (!status && size_with(&limit, 1) > most) {
		*limited = tr_folded_new();
		status = *limited
			     ? copy_kept_nodes(&limit, find_threshold(&limit, most, seen),
					       *limited, ids, left)
			     : TR_E_NOMEM;
	}
	free(ids);
	free(seen);
	free(limit.totals);
	free(limit.lengths);
	return status;
}
