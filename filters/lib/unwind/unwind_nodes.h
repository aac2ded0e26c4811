/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes: paths of symbols from a root, to which execution is charged. A node is written
 * when the first row that needs it is.
 *
 * A hold stands for a root that is not known yet. Its node stands for the root, and its
 * number (with TR_HELD) for thread and process; they are replaced when the hold is
 * released.
 *
 * Functions that may fail call unwind_fail(), and return something valid. */
#ifndef TR_UNWIND_NODES_H
#define TR_UNWIND_NODES_H

#include "unwind/unwind_names.h"

#define TR_HELD	  (UINT32_C(1) << 31)
#define HOLD_NONE UINT32_MAX

/* The resolution of a held root. */
struct hold {
	uint32_t node;	 /* replaces the node of the root */
	uint32_t thread; /* id in the output */
	uint32_t process;
};

enum { NODE_RECENT = 4 };
/* Only unwind_nodes.c, and the functions below that are called for each row, use the
 * members. */
struct node {
	uint32_t parent, sym;
	uint32_t written; /* id in the output; 0: not written yet */
	uint32_t alias;	  /* the node that it was replaced by; 0: none */
	/* Nodes on it that were asked for: a cache. */
	struct node_child {
		uint32_t sym;
		uint32_t node; /* 0: none */
	} recent[NODE_RECENT];
	uint16_t depth;
	bool is_held;	 /* its root is, or was, unknown */
	uint8_t replace; /* index of the next one of `recent` to be replaced */
};
struct held {
	struct hold known;
	uint32_t node;
	bool is_released;
};
struct tr_nodes {
	struct tr_names *names;
	const struct tr_unwind_sink *sink;
	struct unwind_status *status;
	struct tr_map ids; /* by (parent, symbol) */
	struct node *all;  /* from 1 */
	uint32_t count, capacity, written;
	uint32_t free;	/* list linked by parent; 0: end */
	uint32_t nheld; /* with is_held, since dead ones were last dropped */
	uint32_t *path; /* scratch: a path of nodes */
	uint32_t path_capacity;
	struct held *holds;
	uint32_t nholds, holds_capacity, holds_open;
	uint64_t too_deep, refused;
};

/* Keeps the pointers. Returns NULL when out of memory. tr_nodes_free() accepts NULL. */
struct tr_nodes *tr_nodes_new(struct tr_names *names, const struct tr_unwind_sink *sink,
			      struct unwind_status *status);
void tr_nodes_free(struct tr_nodes *nodes);

/* Returns the node of `sym` on top of node `parent`, or `parent` itself at the limit. */
uint32_t tr_nodes_on(struct tr_nodes *nodes, uint32_t parent, uint32_t sym);
uint32_t tr_nodes_parent(const struct tr_nodes *nodes, uint32_t node);
uint32_t tr_nodes_sym(const struct tr_nodes *nodes, uint32_t node);
/* Returns the number of symbols below that of a node, without call sites. */
uint32_t tr_nodes_depth(const struct tr_nodes *nodes, uint32_t node);
/* Returns how many nodes there is memory in use for. */
uint32_t tr_nodes_count(const struct tr_nodes *nodes);

/* Returns a new hold; HOLD_NONE when out of memory. Numbers are used again once all holds
 * are released. */
uint32_t tr_nodes_hold(struct tr_nodes *nodes);
uint32_t tr_nodes_held_node(const struct tr_nodes *nodes, uint32_t hold);
/* Resolves a hold. */
void tr_nodes_release(struct tr_nodes *nodes, uint32_t hold, const struct hold *known);
/* Returns true if a hold is not released. */
static inline bool nodes_are_held(const struct tr_nodes *nodes)
{
	return nodes->holds_open;
}
/* Returns true if the root that a thread or process stands for is unresolved. */
bool tr_nodes_is_open(const struct tr_nodes *nodes, uint32_t reference);
/* Return the thread and the process that a resolved number stands for. */
static inline uint32_t nodes_thread(const struct tr_nodes *nodes, uint32_t thread)
{
	while (thread & TR_HELD)
		thread = nodes->holds[thread & ~TR_HELD].known.thread;
	return thread;
}
static inline uint32_t nodes_process(const struct tr_nodes *nodes, uint32_t process)
{
	while (process & TR_HELD)
		process = nodes->holds[process & ~TR_HELD].known.process;
	return process;
}
/* Returns true if the root of a node is known. */
bool tr_nodes_has_root(const struct tr_nodes *nodes, uint32_t node);
/* Returns the node with the same symbols on the resolved root. */
uint32_t tr_nodes_final(struct tr_nodes *nodes, uint32_t node);

/* Returns the output id of a node, which this call may write; its holds must be
 * released. */
uint32_t tr_nodes_write(struct tr_nodes *nodes, uint32_t node);
static inline uint32_t nodes_written(struct tr_nodes *nodes, uint32_t node)
{
	uint32_t written = nodes->all[node].written;
	return written ? written : tr_nodes_write(nodes, node);
}
/* Returns the output id of a node's root. */
uint32_t tr_nodes_write_root(struct tr_nodes *nodes, uint32_t node);

/* Returns true if there are many nodes of released holds whose rows have been written. */
bool tr_nodes_have_dead(const struct tr_nodes *nodes);
/* Frees them. No references may remain; tr_nodes_final() returns the replacement. */
void tr_nodes_drop_dead(struct tr_nodes *nodes);

/* Adds the nodes written and refused. */
void tr_nodes_add_totals(const struct tr_nodes *nodes, struct tr_unwind_totals *totals);

#endif
