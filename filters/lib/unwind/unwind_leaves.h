/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves: the inlined calls and the source line of an instruction, on top of its
 * function. Functions called from an inlined call are above it. Leaf 0 is none.
 *
 * Functions that may fail call unwind_fail(), and return something valid. */
#ifndef TR_UNWIND_LEAVES_H
#define TR_UNWIND_LEAVES_H

#include "unwind/unwind_nodes.h"

struct tr_leaves;

/* Keeps the pointers but `options`. Returns NULL when out of memory. tr_leaves_free()
 * accepts NULL. */
struct tr_leaves *tr_leaves_new(const struct tr_unwind_source *source,
				const struct tr_unwind_options *options,
				struct tr_names *names, struct tr_nodes *nodes,
				struct unwind_status *status);
void tr_leaves_free(struct tr_leaves *leaves);

/* Returns the leaf at an address of binary N, and its range in `place`. */
uint32_t tr_leaves_at(struct tr_leaves *leaves, uint32_t binary, uint64_t address,
		      struct tr_source_place *place);
/* The same, if the function `sym` is there, else 0. */
uint32_t tr_leaves_in(struct tr_leaves *leaves, uint32_t binary, uint64_t address,
		      uint32_t sym);
/* Returns the leaf with a call site on top of it. */
uint32_t tr_leaves_site(struct tr_leaves *leaves, uint32_t leaf, uint32_t spot);
/* Returns the call site on top of a leaf, or TR_NO_SPOT. */
uint32_t tr_leaves_spot(const struct tr_leaves *leaves, uint32_t leaf);
/* Returns a leaf without the line on top. */
uint32_t tr_leaves_calls(const struct tr_leaves *leaves, uint32_t leaf);
/* Returns the node of a leaf on top of `node`. */
uint32_t tr_leaves_node(struct tr_leaves *leaves, uint32_t node, uint32_t leaf);

#endif
