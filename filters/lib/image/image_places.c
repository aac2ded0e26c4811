/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves claims to ranges of code into one answer per address. */
#include "image/image_places.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

uint32_t tr_image_places_name(struct image_places *places, const char *name)
{
	struct tr_buffer *names = &places->index.names;
	size_t size = strlen(name) + 1;
	uint64_t hash = XXH3_64bits(name, size);
	uint32_t offset = tr_map_get(&places->names, hash);
	if (offset != TR_MAP_NONE && strcmp((char *)names->data + offset, name) == 0)
		return offset;
	offset = (uint32_t)names->size;
	tr_buffer_add(names, name, size);
	if (names->failed || names->size > INT32_MAX ||
	    !tr_map_set(&places->names, hash, offset))
		places->failed = true;
	return offset;
}

uint32_t tr_image_places_item(struct image_places *places, uint32_t name, uint32_t number)
{
	uint64_t key = tr_pair_key(name, number);
	uint32_t item = tr_map_get(&places->items, key);
	if (item != TR_MAP_NONE)
		return item;
	struct tr_buffer *items = &places->index.items;
	tr_image_index_add32(items, name);
	tr_image_index_add32(items, number);
	item = (uint32_t)(items->size / 8);
	if (items->failed || !tr_map_set(&places->items, key, item))
		places->failed = true;
	return item;
}

void tr_image_places_claim(struct image_places *places, const struct image_claim *claim)
{
	if (!tr_grow(&places->claims, &places->capacity, places->nclaims + 1,
		     sizeof(*places->claims)))
		places->failed = true;
	else if (claim->low < claim->high)
		places->claims[places->nclaims++] = *claim;
}

static int compare_claim_order(const void *a, const void *b)
{
	const struct image_claim *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

struct settling {
	struct tr_buffer *extents;
	uint32_t *open; /* stack of claims that have begun */
	size_t nopen;
	uint64_t at, end; /* range that is resolved */
	uint32_t item;	  /* up to `end` */
};

static void add_place_step(struct settling *s, uint64_t low, uint32_t item)
{
	tr_buffer_add64(s->extents, low);
	tr_image_index_add32(s->extents, item);
	s->item = item;
}

static void settle_to(struct settling *s, const struct image_claim *claims,
		      uint64_t limit)
{
	while (s->nopen && s->at < limit) {
		const struct image_claim *top = &claims[s->open[s->nopen - 1]];
		if (top->high <= s->at) {
			s->nopen--;
			continue;
		}
		if (s->item && s->end < s->at)
			add_place_step(s, s->end, 0);
		if (s->item != top->item)
			add_place_step(s, s->at, top->item);
		s->at = s->end = top->high < limit ? top->high : limit;
	}
	if (s->at < limit)
		s->at = limit;
}

static bool is_sorted(const struct image_claim *claims, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (compare_claim_order(&claims[i - 1], &claims[i]) > 0)
			return false;
	return true;
}

void tr_image_places_settle(struct image_places *places)
{
	struct settling s = {.extents = &places->index.extents};
	s.open = calloc(places->nclaims + 1, sizeof(*s.open));
	places->failed |= !s.open || places->nclaims > UINT32_MAX;
	if (!places->failed) {
		if (!is_sorted(places->claims, places->nclaims))
			qsort(places->claims, places->nclaims, sizeof(*places->claims),
			      compare_claim_order);
		for (size_t i = 0; i < places->nclaims; i++) {
			settle_to(&s, places->claims, places->claims[i].low);
			s.open[s.nopen++] = (uint32_t)i;
		}
		settle_to(&s, places->claims, UINT64_MAX);
		if (s.item)
			add_place_step(&s, s.end, 0);
	}
	free(s.open);
	free(places->claims);
	tr_map_free(&places->names);
	tr_map_free(&places->items);
	places->claims = NULL;
	places->nclaims = places->capacity = 0;
}
