/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an index of what lies at each address out of claims to stretches of code,
 * which may overlap: inlined calls in one another, and lines.
 */
#ifndef TR_IMAGE_PLACES_H
#define TR_IMAGE_PLACES_H

#include "base/map.h"
#include "image/image_index.h"

struct image_claim {
	uint64_t low, high;
	uint32_t item;	/* from 1 */
	uint32_t depth; /* of what begins at one address, the deepest is inside */
};

/* Under construction. Zero-initialised is empty. */
struct image_places {
	struct image_index_writer index;
	struct image_claim *claims;
	size_t nclaims, capacity;
	struct tr_map names; /* by hash: offsets */
	struct tr_map items; /* by (name, number) */
	bool failed;	     /* out of memory */
};

/* Offset of a name, which is kept once. */
uint32_t image_places_name(struct image_places *places, const char *name);
/* The item (from 1) of a name and a number, the same for the same two. */
uint32_t image_places_item(struct image_places *places, uint32_t name, uint32_t number);
void image_places_claim(struct image_places *places, const struct image_claim *claim);
/* Settles who owns what: of all that hold at an address the one that began last.
 * The items and extents of `index` are whole then; frees the rest. */
void image_places_settle(struct image_places *places);

#endif
