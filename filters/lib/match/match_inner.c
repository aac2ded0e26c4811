/* SPDX-License-Identifier: Apache-2.0 */
/* Finds binaries that contain others. */
#include "match/match_inner.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

enum { PLACES = 2, PART_MIN = 32 /* bytes of code; less is alike by chance */ };

/* Gets the places at which a binary can be without being searched for: its own, and that
 * of its first code before translation is on. Returns their number. */
static unsigned places_of(const struct tr_match_index *index, uint32_t b,
			  struct tr_candidate places[PLACES])
{
	const struct tr_image *image = tr_match_index_binary(index, b)->image;
	unsigned n = 0;
	if (tr_match_floats(index, b) || !tr_image_code_count(image))
		return 0;
	const uint64_t delta = (uint64_t)tr_image_code(image, 0)->load_delta;
	places[n++] = (struct tr_candidate){tr_match_own_bias(index, b), b};
	if (delta && !tr_match_index_binary(index, b)->has_base)
		places[n++] = (struct tr_candidate){delta, b};
	return n;
}

/* Returns true if all code of the part is in the whole. */
static bool has_all(const struct tr_match_index *index, const struct tr_candidate *whole,
		    const struct tr_candidate *part)
{
	const struct tr_image *image = tr_match_index_binary(index, whole->binary)->image;
	const struct tr_image *inner = tr_match_index_binary(index, part->binary)->image;
	for (size_t i = 0; i < tr_image_code_count(inner); i++) {
		const struct tr_code *code = tr_image_code(inner, i);
		const uint8_t *bytes = tr_image_bytes(
		    image, code->address + part->bias - whole->bias, code->size);
		if (!bytes || memcmp(bytes, code->data, code->size) != 0)
			return false;
	}
	return true;
}

/* Of files with the same code, those of one build are one program. */
static bool is_same_build(const struct tr_match_index *index, uint32_t a, uint32_t b)
{
	const char *id = tr_image_build_id(tr_match_index_binary(index, a)->image);
	return *id && a > b &&
	       strcmp(id, tr_image_build_id(tr_match_index_binary(index, b)->image)) == 0;
}

static bool contains_part(const struct tr_match_index *index,
			  const struct tr_candidate *whole,
			  const struct tr_candidate *part)
{
	uint64_t size = tr_match_size(index, whole->binary);
	uint64_t inner = tr_match_size(index, part->binary);
	if (whole->binary == part->binary || inner < PART_MIN || inner > size ||
	    (inner == size && !is_same_build(index, whole->binary, part->binary)))
		return false;
	return has_all(index, whole, part);
}

static int compare_part_sizes(const struct tr_match_index *index,
			      const struct tr_match_part *a,
			      const struct tr_match_part *b)
{
	uint64_t x = tr_match_size(index, a->part.binary);
	uint64_t y = tr_match_size(index, b->part.binary);
	if (x != y)
		return x < y ? -1 : 1;
	return a->part.binary < b->part.binary ? -1 : 1;
}

/* Inserts a part; there are few. */
static bool insert_part(struct tr_match_parts *parts, const struct tr_match_index *index,
			const struct tr_match_part *part)
{
	if (!tr_grow(&parts->list, &parts->capacity, parts->count + 1,
		     sizeof(*parts->list)))
		return false;
	size_t i = parts->count++;
	for (; i && compare_part_sizes(index, part, &parts->list[i - 1]) < 0; i--)
		parts->list[i] = parts->list[i - 1];
	parts->list[i] = *part;
	return true;
}

static bool find_pair(struct tr_match_parts *parts, const struct tr_match_index *index,
		      uint32_t a, uint32_t b)
{
	struct tr_candidate wholes[PLACES], inner[PLACES];
	unsigned n = places_of(index, a, wholes), m = places_of(index, b, inner);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < m; k++) {
			const struct tr_match_part part = {wholes[i], inner[k]};
			if (contains_part(index, &part.whole, &part.part) &&
			    !insert_part(parts, index, &part))
				return false;
		}
	return true;
}

bool tr_match_parts_find(struct tr_match_parts *parts, const struct tr_match_index *index)
{
	const uint32_t count = (uint32_t)tr_match_index_count(index);
	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = 0; b < count; b++)
			if (!tr_match_floats(index, a) && !tr_match_floats(index, b) &&
			    !find_pair(parts, index, a, b))
				return false;
	return true;
}
