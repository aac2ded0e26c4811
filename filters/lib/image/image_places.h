/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves overlapping claims to ranges of code, of nested inlined calls and of lines,
 * into an index with one answer per address. */
#ifndef TR_IMAGE_PLACES_H
#define TR_IMAGE_PLACES_H

#include "base/map.h"
#include "image/image_index.h"

struct image_claim {
	uint64_t low, high;
	uint32_t item;	/* from 1 */
	uint32_t depth; /* of claims that begin at the same address, the deepest is
			 * innermost */
};

/* An index under construction. All zero is empty. */
struct image_places {
	struct image_index_writer index;
	struct image_claim *claims;
	size_t nclaims, capacity;
	struct tr_map names; /* by hash: offset of the name */
	struct tr_map items; /* by (name, number) */
	bool failed;	     /* out of memory */
};

/* Returns the offset of a name; each name is stored once. */
uint32_t tr_image_places_name(struct image_places *places, const char *name);
/* Returns the item (from 1) of a name and a number; equal pairs share an item. */
uint32_t tr_image_places_item(struct image_places *places, uint32_t name,
			      uint32_t number);
void tr_image_places_claim(struct image_places *places, const struct image_claim *claim);
/* Resolves the claims: at each address the claim that began last wins. Completes the
 * items and extents of `index` and frees everything else. */
void tr_image_places_settle(struct image_places *places);

#endif
