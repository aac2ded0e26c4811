/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and checks the compact form of a file's DWARF functions. */
#include "image_index.h"

#include <string.h>
#include <xxhash.h>

#include "little.h"

static const char magic[] = "tr-index";
enum {
	HEADER_BYTES = 64,
	FUNCTION_BYTES = 16,
	RANGE_BYTES = IMAGE_INDEX_RANGE_BYTES,
	SUM_BYTES = 8
};

void image_key_make(struct image_key *key, const uint8_t *data, size_t size)
{
	XXH128_canonical_t hash;
	XXH128_canonicalFromHash(&hash, XXH3_128bits(data, size));
	memcpy(key->hash, hash.digest, sizeof(key->hash));
	key->file_bytes = size;
}

static void add32(struct tr_buffer *buffer, uint64_t value)
{
	uint8_t bytes[4];
	if (value > UINT32_MAX)
		buffer->failed = true;
	tr_store32(bytes, (uint32_t)value);
	tr_buffer_add(buffer, bytes, sizeof(bytes));
}

static void add64(struct tr_buffer *buffer, uint64_t value)
{
	uint8_t bytes[8];
	tr_store64(bytes, value);
	tr_buffer_add(buffer, bytes, sizeof(bytes));
}

void image_index_range(struct image_index_writer *writer, uint64_t low, uint64_t high)
{
	add64(&writer->ranges, low);
	add64(&writer->ranges, high);
}

void image_index_function(struct image_index_writer *writer, const char *name,
			  uint32_t nranges, uint64_t entry)
{
	add32(&writer->functions, writer->names.size);
	add32(&writer->functions, nranges);
	add64(&writer->functions, entry);
	tr_buffer_add(&writer->names, name, strlen(name) + 1);
}

void image_index_finish(struct image_index_writer *writer, const struct image_key *key,
			const char *damage, struct tr_buffer *out)
{
	size_t start = out->size, damage_name = writer->names.size;
	tr_buffer_add(&writer->names, damage, strlen(damage) + 1);
	tr_buffer_add(out, magic, sizeof(magic) - 1);
	add32(out, IMAGE_INDEX_VERSION);
	add32(out, writer->units);
	add32(out, writer->damaged);
	add32(out, writer->functions.size / FUNCTION_BYTES);
	add32(out, writer->ranges.size / RANGE_BYTES);
	add32(out, writer->names.size);
	tr_buffer_add(out, key->hash, sizeof(key->hash));
	add64(out, key->file_bytes);
	add32(out, damage_name);
	add32(out, 0);
	tr_buffer_add(out, writer->functions.data, writer->functions.size);
	tr_buffer_add(out, writer->ranges.data, writer->ranges.size);
	tr_buffer_add(out, writer->names.data, writer->names.size);
	if (writer->functions.failed || writer->ranges.failed || writer->names.failed)
		out->failed = true;
	if (!out->failed)
		add64(out, XXH64(out->data + start, out->size - start, 0));
	tr_buffer_free(&writer->functions);
	tr_buffer_free(&writer->ranges);
	tr_buffer_free(&writer->names);
}

static bool check_header(const uint8_t *data, size_t size, const struct image_key *key)
{
	return size >= HEADER_BYTES + SUM_BYTES &&
	       memcmp(data, magic, sizeof(magic) - 1) == 0 &&
	       tr_load32(data + 8) == IMAGE_INDEX_VERSION &&
	       memcmp(data + 32, key->hash, sizeof(key->hash)) == 0 &&
	       tr_load64(data + 48) == key->file_bytes && tr_load32(data + 60) == 0 &&
	       tr_load64(data + size - SUM_BYTES) == XXH64(data, size - SUM_BYTES, 0);
}

static bool check_entries(const struct image_index *index)
{
	uint64_t ranges = 0;
	for (uint32_t i = 0; i < index->nfunctions; i++) {
		const uint8_t *function = index->functions + (size_t)i * FUNCTION_BYTES;
		if (tr_load32(function) >= index->names_bytes)
			return false;
		ranges += tr_load32(function + 4);
	}
	for (uint32_t i = 0; i < index->nranges; i++) {
		const uint8_t *range = index->ranges + (size_t)i * RANGE_BYTES;
		if (tr_load64(range) >= tr_load64(range + 8))
			return false;
	}
	return ranges == index->nranges;
}

bool image_index_read(struct image_index *index, const uint8_t *data, size_t size,
		      const struct image_key *key)
{
	if (!check_header(data, size, key))
		return false;
	*index = (struct image_index){
	    .units = tr_load32(data + 12),
	    .damaged = tr_load32(data + 16),
	    .nfunctions = tr_load32(data + 20),
	    .nranges = tr_load32(data + 24),
	    .names_bytes = tr_load32(data + 28),
	    .functions = data + HEADER_BYTES,
	};
	uint64_t functions = (uint64_t)index->nfunctions * FUNCTION_BYTES;
	uint64_t ranges = (uint64_t)index->nranges * RANGE_BYTES;
	uint32_t damage = tr_load32(data + 56);
	if (HEADER_BYTES + functions + ranges + index->names_bytes + SUM_BYTES != size ||
	    damage >= index->names_bytes)
		return false;
	index->ranges = index->functions + functions;
	index->names = (const char *)index->ranges + ranges;
	index->damage = index->names + damage;
	return index->names[index->names_bytes - 1] == '\0' && check_entries(index);
}

bool image_index_walk(const struct image_index *index,
		      bool (*each)(void *context, const struct image_index_range *range),
		      void *context)
{
	const uint8_t *at = index->ranges;
	for (uint32_t i = 0; i < index->nfunctions; i++) {
		const uint8_t *function = index->functions + (size_t)i * FUNCTION_BYTES;
		for (uint32_t n = tr_load32(function + 4); n; n--, at += RANGE_BYTES) {
			struct image_index_range range = {
			    .name = index->names + tr_load32(function),
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
