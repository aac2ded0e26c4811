/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads funcs.bin. */
#include "stubs/function_ranges.h"

#include <stdlib.h>

#include "base/little.h"
#include "stubs/stubs_check_internal.h"
#include "stubs/stubs_layout_internal.h"

#define RANGES_MAGIC "PROFFUNC"
enum {
	RANGES_VERSION = 1,
	RANGES_COUNT = 24,
	RANGES_BUILD_ID_SIZE = 28,
	RANGES_BUILD_ID = 32,
	RANGES_HEADER = 64,
	RANGE_START = 0,
	RANGE_END = 8,
	RANGE_INDEX = 16,
	RANGE_ZERO = 20,
	RANGE_SIZE = 24,
};

uint8_t *tr_function_ranges_encode(const struct tr_function_ranges *ranges, size_t *size)
{
	*size = RANGES_HEADER + (size_t)ranges->count * RANGE_SIZE;
	uint8_t *bytes = calloc(1, *size);
	if (!bytes)
		return NULL;
	memcpy(bytes + FILE_MAGIC, RANGES_MAGIC, 8);
	tr_store32(bytes + FILE_VERSION, RANGES_VERSION);
	tr_store32(bytes + FILE_FLAGS, ranges->flags);
	tr_store32(bytes + RANGES_COUNT, ranges->count);
	tr_store32(bytes + RANGES_BUILD_ID_SIZE, ranges->build_id_size);
	memcpy(bytes + RANGES_BUILD_ID, ranges->build_id, ranges->build_id_size);
	uint8_t *p = bytes + RANGES_HEADER;
	for (uint32_t i = 0; i < ranges->count; i++, p += RANGE_SIZE) {
		tr_store64(p + RANGE_START, ranges->ranges[i].start);
		tr_store64(p + RANGE_END, ranges->ranges[i].end);
		tr_store32(p + RANGE_INDEX, ranges->ranges[i].index);
	}
	tr_store64(bytes + FILE_CHECKSUM,
		   tr_stubs_checksum(bytes + FILE_VERSION, *size - FILE_VERSION));
	return bytes;
}

static enum tr_status check_ranges_file(const uint8_t *bytes, size_t size, uint64_t *at)
{
	static const struct stubs_file file = {RANGES_MAGIC, RANGES_VERSION,
					       RANGES_HEADER};
	const enum tr_status status = tr_stubs_check_head(bytes, size, &file, at);
	if (status)
		return status;
	return tr_stubs_check_whole(
	    bytes, size,
	    RANGES_HEADER + (uint64_t)tr_load32(bytes + RANGES_COUNT) * RANGE_SIZE, at);
}

/* Returns false at a range that is empty, or begins before the one before it ends. */
static bool decode_range(const uint8_t *p, uint64_t behind, struct tr_function_range *r)
{
	r->start = tr_load64(p + RANGE_START);
	r->end = tr_load64(p + RANGE_END);
	r->index = tr_load32(p + RANGE_INDEX);
	return r->start >= behind && r->end > r->start && tr_load32(p + RANGE_ZERO) == 0;
}

enum tr_status tr_function_ranges_decode(const uint8_t *bytes, size_t size,
					 struct tr_function_ranges *ranges, uint64_t *at)
{
	*ranges = (struct tr_function_ranges){0};
	enum tr_status status = check_ranges_file(bytes, size, at);
	if (status)
		return status;
	uint32_t count = tr_load32(bytes + RANGES_COUNT);
	ranges->flags = tr_load32(bytes + FILE_FLAGS);
	ranges->build_id_size = tr_load32(bytes + RANGES_BUILD_ID_SIZE);
	memcpy(ranges->build_id, bytes + RANGES_BUILD_ID, TR_STUBS_BUILD_ID_MAX);
	*at = FILE_FLAGS;
	if (ranges->flags & ~(uint32_t)(TR_STUBS_GLOBAL | TR_STUBS_MOVABLE))
		return TR_E_CORRUPT;
	*at = RANGES_BUILD_ID_SIZE;
	if (ranges->build_id_size > TR_STUBS_BUILD_ID_MAX)
		return TR_E_CORRUPT;
	ranges->ranges = malloc((size_t)count * sizeof(*ranges->ranges) + 1);
	if (!ranges->ranges)
		return TR_E_NOMEM;
	uint64_t behind = 0;
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *p = bytes + RANGES_HEADER + (size_t)i * RANGE_SIZE;
		if (!decode_range(p, behind, &ranges->ranges[i])) {
			free(ranges->ranges);
			ranges->ranges = NULL;
			*at = (uint64_t)(p - bytes);
			return TR_E_CORRUPT;
		}
		behind = ranges->ranges[i].end;
	}
	ranges->count = count;
	return TR_OK;
}
