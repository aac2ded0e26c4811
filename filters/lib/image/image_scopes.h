/* SPDX-License-Identifier: Apache-2.0 */
/* Namespaces and classes, by the stretch of .debug_info that each covers: DIEs
 * do not know what encloses them, and qualified names need it.
 */
#ifndef TR_IMAGE_SCOPES_H
#define TR_IMAGE_SCOPES_H

#include "base/buffer.h"

struct image_scope {
	uint64_t low, high; /* offsets of DIEs [low, high) */
	const char *name;   /* not copied */
	uint32_t parent;    /* index + 1; 0 is none */
};

/* Zero-initialised is empty. */
struct image_scopes {
	struct image_scope *list;
	size_t count, capacity;
};

/* Opens a scope at `low`, which must not be below that of the last call. Returns
 * its index + 1, 0 when out of memory; image_scopes_end sets its end. */
uint32_t image_scopes_begin(struct image_scopes *scopes, uint32_t parent, uint64_t low,
			    const char *name);
/* Ends a scope, and those in it that were the last of what encloses them. */
void image_scopes_end(struct image_scopes *scopes, uint32_t scope, uint64_t high);

/* Appends "outer::inner::" for the scopes around the DIE at `offset`, which must
 * have been walked past. */
void image_scopes_prefix(const struct image_scopes *scopes, uint64_t offset,
			 struct tr_buffer *out);
void image_scopes_release(struct image_scopes *scopes);

#endif
