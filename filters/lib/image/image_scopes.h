/* SPDX-License-Identifier: Apache-2.0 */
/* Namespaces and classes by their ranges in .debug_info: qualified names need them, but a
 * DIE does not refer to its enclosing scope. */
#ifndef TR_IMAGE_SCOPES_H
#define TR_IMAGE_SCOPES_H

#include "base/buffer.h"

struct image_scope {
	uint64_t low, high; /* offsets of DIEs [low, high) */
	const char *name;   /* not copied */
	uint32_t parent;    /* index + 1; 0 is none */
};

/* All zero is empty. */
struct image_scopes {
	struct image_scope *list;
	size_t count, capacity;
};

/* Opens a scope at `low`, which must not be below that of the previous call;
 * tr_image_scopes_end() sets its end. Returns its index + 1, or 0 when out of memory. */
uint32_t tr_image_scopes_begin(struct image_scopes *scopes, uint32_t parent, uint64_t low,
			       const char *name);
/* Ends a scope and every open scope inside it. */
void tr_image_scopes_end(struct image_scopes *scopes, uint32_t scope, uint64_t high);

/* Appends "outer::inner::" for the scopes around the DIE at `offset`; the walk must have
 * passed it. */
void tr_image_scopes_prefix(const struct image_scopes *scopes, uint64_t offset,
			    struct tr_buffer *out);
void tr_image_scopes_release(struct image_scopes *scopes);

#endif
