/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of symbols, and the roots that become known later. */
#include "unwind/unwind_nodes.h"

#include <stdlib.h>
#include <string.h>

/* Depth limit of the output, which tr-fold accepts. */
enum { NODE_DEPTH = 12288, HELD_NODES = 1 << 14 };

struct tr_nodes *tr_nodes_new(struct tr_names *names, const struct tr_unwind_sink *sink,
			      struct unwind_status *status)
{
	struct tr_nodes *nodes = calloc(1, sizeof(*nodes));
	if (!nodes)
		return NULL;
	nodes->names = names;
	nodes->sink = sink;
	nodes->status = status;
	if (!tr_unwind_reserve(status, (void **)&nodes->all, &nodes->capacity, 1,
			       sizeof(*nodes->all))) {
		free(nodes);
		return NULL;
	}
	nodes->all[0] = (struct node){.parent = 0}; /* the root */
	return nodes;
}

void tr_nodes_free(struct tr_nodes *nodes)
{
	if (!nodes)
		return;
	tr_map_free(&nodes->ids);
	free(nodes->all);
	free(nodes->path);
	free(nodes->holds);
	free(nodes);
}

uint32_t tr_nodes_parent(const struct tr_nodes *nodes, uint32_t node)
{
	return nodes->all[node].parent;
}

uint32_t tr_nodes_sym(const struct tr_nodes *nodes, uint32_t node)
{
	return nodes->all[node].sym;
}

uint32_t tr_nodes_depth(const struct tr_nodes *nodes, uint32_t node)
{
	return nodes->all[node].depth;
}

uint32_t tr_nodes_count(const struct tr_nodes *nodes)
{
	return nodes->count;
}

/* Returns 0 when out of memory. */
static uint32_t allocate_node(struct tr_nodes *nodes, const struct node *node)
{
	uint32_t id = nodes->free;
	if (id)
		nodes->free = nodes->all[id].parent;
	else if (tr_unwind_reserve(nodes->status, (void **)&nodes->all, &nodes->capacity,
				   nodes->count + 2ULL, sizeof(*nodes->all)))
		id = ++nodes->count;
	else
		return 0;
	nodes->all[id] = *node;
	nodes->nheld += node->is_held;
	return id;
}

/* Finds a node, or makes it. */
static uint32_t find_node_on(struct tr_nodes *nodes, uint32_t parent, uint32_t sym)
{
	uint64_t key = tr_pair_key(parent, sym);
	uint32_t node = tr_map_get(&nodes->ids, key);
	if (node != TR_MAP_NONE)
		return node;
	struct node made = {.parent = parent, .sym = sym};
	if (parent) {
		made.depth = (uint16_t)(nodes->all[parent].depth + !sym_is_site(sym));
		made.is_held = nodes->all[parent].is_held;
	}
	if (made.depth >= NODE_DEPTH) {
		nodes->too_deep++;
		return parent;
	}
	if (nodes->count >= TR_UNWIND_NODES && !nodes->free) {
		nodes->refused++;
		return parent;
	}
	node = allocate_node(nodes, &made);
	if (!tr_map_set(&nodes->ids, key, node))
		unwind_fail(nodes->status, TR_E_NOMEM);
	return node;
}

/* A function mostly calls one of few others. Their nodes are kept in its own, which is
 * in the cache, as the map is not. */
uint32_t tr_nodes_on(struct tr_nodes *nodes, uint32_t parent, uint32_t sym)
{
	const struct node_child *recent = nodes->all[parent].recent;
	for (unsigned i = 0; i < NODE_RECENT; i++)
		if (recent[i].sym == sym && recent[i].node)
			return recent[i].node;
	const uint32_t node = find_node_on(nodes, parent, sym);
	struct node *on = &nodes->all[parent];
	if (node != parent) {
		on->recent[on->replace] = (struct node_child){sym, node};
		on->replace = (uint8_t)((on->replace + 1U) % NODE_RECENT);
	}
	return node;
}

/* Collects the nodes from `node` up to the first one that `ends` in nodes->path. Returns
 * their number. */
static uint32_t path_to(struct tr_nodes *nodes, uint32_t node,
			bool (*ends)(const struct node *))
{
	uint32_t count = 0;
	while (node && !ends(&nodes->all[node])) {
		if (!tr_unwind_reserve(nodes->status, (void **)&nodes->path,
				       &nodes->path_capacity, count + 1ULL,
				       sizeof(*nodes->path)))
			return 0;
		nodes->path[count++] = node;
		node = nodes->all[node].parent;
	}
	return count;
}

static bool is_aliased(const struct node *node)
{
	return node->alias != 0;
}

static bool node_is_written(const struct node *node)
{
	return node->written != 0;
}

uint32_t tr_nodes_final(struct tr_nodes *nodes, uint32_t node)
{
	if (!node || !nodes->all[node].is_held)
		return node;
	uint32_t root = node;
	while (!nodes->all[root].alias)
		root = nodes->all[root].parent;
	uint32_t at = tr_nodes_final(nodes, nodes->all[root].alias);
	for (uint32_t count = path_to(nodes, node, is_aliased); count;) {
		uint32_t held = nodes->path[--count];
		at = tr_nodes_on(nodes, at, nodes->all[held].sym);
		nodes->all[held].alias = at;
	}
	return at;
}

/* Writes a node whose parent is written. */
static void write_node(struct tr_nodes *nodes, struct node *n)
{
	const struct node *parent = &nodes->all[n->parent];
	if (sym_is_site(n->sym)) {
		n->written = parent->written;
		return;
	}
	struct tr_node made = {.parent = parent->written,
			       .func = tr_names_func(nodes->names, n->sym)};
	unwind_fail(nodes->status, nodes->sink->node(nodes->sink->user, &made));
	if (n->parent && sym_is_site(parent->sym))
		unwind_fail(nodes->status,
			    nodes->sink->site(nodes->sink->user, sym_site(parent->sym)));
	n->written = ++nodes->written;
}

uint32_t tr_nodes_write(struct tr_nodes *nodes, uint32_t node)
{
	node = tr_nodes_final(nodes, node);
	if (nodes->all[node].written)
		return nodes->all[node].written;
	for (uint32_t count = path_to(nodes, node, node_is_written); count;)
		write_node(nodes, &nodes->all[nodes->path[--count]]);
	return nodes->all[node].written;
}

uint32_t tr_nodes_write_root(struct tr_nodes *nodes, uint32_t node)
{
	node = tr_nodes_final(nodes, node);
	while (nodes->all[node].parent)
		node = nodes->all[node].parent;
	return nodes_written(nodes, node);
}

bool tr_nodes_have_dead(const struct tr_nodes *nodes)
{
	return nodes->nheld >= HELD_NODES && !nodes->holds_open;
}

void tr_nodes_drop_dead(struct tr_nodes *nodes)
{
	tr_map_clear(&nodes->ids);
	nodes->free = nodes->nheld = 0;
	memset(nodes->all[0].recent, 0, sizeof(nodes->all[0].recent));
	for (uint32_t i = 1; i <= nodes->count; i++) {
		struct node *n = &nodes->all[i];
		memset(n->recent, 0, sizeof(n->recent));
		if (n->is_held) {
			*n = (struct node){.parent = nodes->free, .is_held = true};
			nodes->free = i;
		} else if (!tr_map_set(&nodes->ids, tr_pair_key(n->parent, n->sym), i)) {
			unwind_fail(nodes->status, TR_E_NOMEM);
		}
	}
}

uint32_t tr_nodes_hold(struct tr_nodes *nodes)
{
	if (!nodes->holds_open)
		nodes->nholds = 0;
	if (!tr_unwind_reserve(nodes->status, (void **)&nodes->holds,
			       &nodes->holds_capacity, nodes->nholds + 1ULL,
			       sizeof(*nodes->holds)))
		return HOLD_NONE;
	const struct node root = {.sym = SYM_NONE, .is_held = true};
	nodes->holds[nodes->nholds] = (struct held){.node = allocate_node(nodes, &root)};
	nodes->holds_open++;
	return nodes->nholds++;
}

uint32_t tr_nodes_held_node(const struct tr_nodes *nodes, uint32_t hold)
{
	return nodes->holds[hold].node;
}

/* Returns true if the resolution of a hold refers to the hold itself. */
static bool is_circular(const struct tr_nodes *nodes, uint32_t hold, uint32_t reference)
{
	while (reference & TR_HELD) {
		const struct held *h = &nodes->holds[reference & ~TR_HELD];
		if ((reference & ~TR_HELD) == hold)
			return true;
		if (!h->is_released)
			return false;
		reference = h->known.thread;
	}
	return false;
}

void tr_nodes_release(struct tr_nodes *nodes, uint32_t hold, const struct hold *known)
{
	struct held *h = &nodes->holds[hold];
	h->known = *known;
	if (is_circular(nodes, hold, known->thread))
		h->known.thread = 0;
	if (is_circular(nodes, hold, known->process))
		h->known.process = 0;
	h->is_released = true;
	nodes->all[h->node].alias = known->node;
	nodes->holds_open--;
}

bool tr_nodes_is_open(const struct tr_nodes *nodes, uint32_t reference)
{
	while (reference & TR_HELD) {
		const struct held *h = &nodes->holds[reference & ~TR_HELD];
		if (!h->is_released)
			return true;
		reference = h->known.thread;
	}
	return false;
}

bool tr_nodes_has_root(const struct tr_nodes *nodes, uint32_t node)
{
	while (node && nodes->all[node].is_held) {
		while (node && !nodes->all[node].alias)
			node = nodes->all[node].parent;
		if (!node)
			return false;
		node = nodes->all[node].alias;
	}
	return true;
}

void tr_nodes_add_totals(const struct tr_nodes *nodes, struct tr_unwind_totals *totals)
{
	totals->nodes += nodes->written;
	totals->depth_refused += nodes->too_deep;
	totals->nodes_refused += nodes->refused;
}
