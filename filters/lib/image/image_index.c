/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and verifies the compact index of a file's DWARF. */
#include "image/image_index.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/fuzzed.h"
#include "base/little.h"

static const char magic[] = "tr-index";
enum {
	HEADER_BYTES = 64,
	FUNCTION_BYTES = 20,
	RANGE_BYTES = IMAGE_INDEX_RANGE_BYTES,
	PLACE_BYTES = 8,
	STEP_BYTES = 12,
	SUM_BYTES = 8,
	HASH_AT_ONCE = 1 << 18, /* fits the data cache */
};

static size_t item_bytes(uint32_t kind)
{
	return kind == IMAGE_INDEX_FUNCTIONS ? FUNCTION_BYTES : PLACE_BYTES;
}

static size_t extent_bytes(uint32_t kind)
{
	return kind == IMAGE_INDEX_FUNCTIONS ? RANGE_BYTES : STEP_BYTES;
}

static bool hash_file(XXH3_state_t *state, uint8_t *room, int fd, size_t size)
{
	for (size_t done = 0; done < size;) {
		size_t most = size - done < HASH_AT_ONCE ? size - done : HASH_AT_ONCE;
		ssize_t n = pread(fd, room, most, (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		XXH3_128bits_update(state, room, (size_t)n);
		done += (size_t)n;
	}
	return true;
}

bool tr_image_key_make(struct image_key *key, int fd, size_t size)
{
	XXH3_state_t *state = XXH3_createState();
	struct tr_buffer room = {0};
	bool good = state && tr_buffer_room(&room, HASH_AT_ONCE) &&
		    XXH3_128bits_reset(state) == XXH_OK &&
		    hash_file(state, room.data, fd, size);
	if (good) {
		XXH128_canonical_t hash;
		XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state));
		memcpy(key->hash, hash.digest, sizeof(key->hash));
		key->file_bytes = size;
	}
	XXH3_freeState(state);
	tr_buffer_free(&room);
	return good;
}

void tr_image_index_add32(struct tr_buffer *buffer, uint64_t value)
{
	if (value > UINT32_MAX)
		buffer->failed = true;
	tr_buffer_add32(buffer, (uint32_t)value);
}

void tr_image_index_range(struct tr_buffer *extents, uint64_t low, uint64_t high)
{
	tr_buffer_add64(extents, low);
	tr_buffer_add64(extents, high);
}

void tr_image_index_function(struct image_index_writer *writer, const char *name,
			     const char *place, uint32_t nranges, uint64_t entry)
{
	tr_image_index_add32(&writer->items, writer->names.size);
	tr_image_index_add32(&writer->items, nranges);
	tr_buffer_add64(&writer->items, entry);
	tr_buffer_add(&writer->names, name, strlen(name) + 1);
	/* The terminator of the name serves as an empty place. */
	tr_image_index_add32(&writer->items, writer->names.size - (*place ? 0 : 1));
	if (*place)
		tr_buffer_add(&writer->names, place, strlen(place) + 1);
}

void tr_image_index_finish(struct image_index_writer *writer, enum image_index_kind kind,
			   const struct image_key *key, const char *damage,
			   struct tr_buffer *out)
{
	size_t start = out->size, damage_name = writer->names.size;
	tr_buffer_add(&writer->names, damage, strlen(damage) + 1);
	tr_buffer_add(out, magic, sizeof(magic) - 1);
	tr_image_index_add32(out, IMAGE_INDEX_VERSION);
	tr_image_index_add32(out, kind);
	tr_image_index_add32(out, writer->units);
	tr_image_index_add32(out, writer->damaged);
	tr_image_index_add32(out, writer->items.size / item_bytes(kind));
	tr_image_index_add32(out, writer->extents.size / extent_bytes(kind));
	tr_image_index_add32(out, writer->names.size);
	tr_image_index_add32(out, damage_name);
	tr_buffer_add(out, key->hash, sizeof(key->hash));
	tr_buffer_add64(out, key->file_bytes);
	tr_buffer_add(out, writer->items.data, writer->items.size);
	tr_buffer_add(out, writer->extents.data, writer->extents.size);
	tr_buffer_add(out, writer->names.data, writer->names.size);
	if (writer->items.failed || writer->extents.failed || writer->names.failed)
		out->failed = true;
	if (!out->failed)
		tr_buffer_add64(out, XXH3_64bits(out->data + start, out->size - start));
	tr_buffer_free(&writer->items);
	tr_buffer_free(&writer->extents);
	tr_buffer_free(&writer->names);
}

size_t tr_image_index_size(const uint8_t *data, size_t size)
{
	if (size < HEADER_BYTES)
		return 0;
	uint32_t kind = tr_load32(data + 12);
	uint64_t bytes = HEADER_BYTES + SUM_BYTES + (uint64_t)tr_load32(data + 32);
	bytes += (uint64_t)tr_load32(data + 24) * item_bytes(kind);
	bytes += (uint64_t)tr_load32(data + 28) * extent_bytes(kind);
	return bytes <= size ? bytes : 0;
}

static bool check_index_header(const uint8_t *data, size_t size, uint32_t kind,
			       const struct image_key *key)
{
	return tr_image_index_size(data, size) == size &&
	       memcmp(data, magic, sizeof(magic) - 1) == 0 &&
	       tr_load32(data + 8) == IMAGE_INDEX_VERSION &&
	       tr_load32(data + 12) == kind &&
	       memcmp(data + 40, key->hash, sizeof(key->hash)) == 0 &&
	       tr_load64(data + 56) == key->file_bytes &&
	       (TR_IS_FUZZED || tr_load64(data + size - SUM_BYTES) ==
				    XXH3_64bits(data, size - SUM_BYTES));
}

static bool check_functions(const struct image_index *index)
{
	uint64_t ranges = 0;
	for (uint32_t i = 0; i < index->nitems; i++) {
		const uint8_t *function = index->items + (size_t)i * FUNCTION_BYTES;
		uint32_t name = tr_load32(function);
		if (name >= index->names_bytes || !index->names[name] ||
		    tr_load32(function + 16) >= index->names_bytes)
			return false;
		ranges += tr_load32(function + 4);
	}
	for (uint32_t i = 0; i < index->nextents; i++) {
		const uint8_t *range = index->extents + (size_t)i * RANGE_BYTES;
		if (tr_load64(range) >= tr_load64(range + 8))
			return false;
	}
	return ranges == index->nextents;
}

/* Bounds the nesting of calls, so that loops over the enclosing calls terminate. Returns
 * false if it is deeper. */
static bool check_depth(const struct image_index *index)
{
	uint8_t *depths = calloc((size_t)index->nitems + 1, 1);
	bool good = depths;
	for (uint32_t i = 0; good && i < index->nitems; i++) {
		uint32_t around = tr_load32(index->items + (size_t)i * PLACE_BYTES + 4);
		good = around <= i && depths[around] < IMAGE_CALLS_DEEP;
		depths[i + 1] = good ? (uint8_t)(depths[around] + 1) : 0;
	}
	free(depths);
	return good;
}

static bool check_index_places(const struct image_index *index, uint32_t kind)
{
	uint64_t end = 0;
	bool is_nested = kind == IMAGE_INDEX_CALLS || kind == IMAGE_INDEX_SCOPES;
	if (is_nested && !check_depth(index))
		return false;
	for (uint32_t i = 0; i < index->nitems; i++) {
		uint32_t name = tr_load32(index->items + (size_t)i * PLACE_BYTES);
		if (name >= index->names_bytes || (is_nested && !index->names[name]))
			return false;
	}
	for (uint32_t i = 0; i < index->nextents; i++) {
		const uint8_t *step = index->extents + (size_t)i * STEP_BYTES;
		if ((i && tr_load64(step) <= end) || tr_load32(step + 8) > index->nitems)
			return false;
		end = tr_load64(step);
	}
	return true;
}

bool tr_image_index_read(struct image_index *index, enum image_index_kind kind,
			 const uint8_t *data, size_t size, const struct image_key *key)
{
	*index = (struct image_index){0};
	if (!check_index_header(data, size, kind, key))
		return false;
	struct image_index found = {
	    .units = tr_load32(data + 16),
	    .damaged = tr_load32(data + 20),
	    .nitems = tr_load32(data + 24),
	    .nextents = tr_load32(data + 28),
	    .names_bytes = tr_load32(data + 32),
	    .items = data + HEADER_BYTES,
	};
	uint32_t damage = tr_load32(data + 36);
	if (damage >= found.names_bytes)
		return false;
	found.extents = found.items + found.nitems * item_bytes(kind);
	found.names = (const char *)found.extents + found.nextents * extent_bytes(kind);
	found.damage = found.names + damage;
	bool good = found.names[found.names_bytes - 1] == '\0' &&
		    (kind == IMAGE_INDEX_FUNCTIONS ? check_functions(&found)
						   : check_index_places(&found, kind));
	if (good)
		*index = found;
	return good;
}

bool tr_image_index_walk(const struct image_index *index,
			 bool (*each)(void *context,
				      const struct image_index_range *range),
			 void *context)
{
	const uint8_t *at = index->extents;
	for (uint32_t i = 0; i < index->nitems; i++) {
		const uint8_t *function = index->items + (size_t)i * FUNCTION_BYTES;
		for (uint32_t n = tr_load32(function + 4); n; n--, at += RANGE_BYTES) {
			struct image_index_range range = {
			    .name = index->names + tr_load32(function),
			    .place = index->names + tr_load32(function + 16),
			    .entry = tr_load64(function + 8),
			    .low = tr_load64(at),
			    .high = tr_load64(at + 8),
			};
			if (!each(context, &range))
				return false;
		}
	}
	return true;
}

struct tr_stretch tr_image_index_step(const struct image_index *index, uint64_t address)
{
	struct tr_stretch step = {.high = UINT64_MAX};
	uint32_t low = 0, high = index->nextents;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const uint8_t *at = index->extents + (size_t)middle * STEP_BYTES;
		uint64_t begin = tr_load64(at);
		if (address < begin) {
			high = middle;
			step.high = begin;
		} else {
			low = middle + 1;
			step.low = begin;
			step.item = tr_load32(at + 8);
		}
	}
	return step;
}

const char *tr_image_index_item(const struct image_index *index, uint32_t item,
				uint32_t *number)
{
	const uint8_t *at = index->items + (size_t)(item - 1) * PLACE_BYTES;
	*number = tr_load32(at + 4);
	return index->names + tr_load32(at);
}
