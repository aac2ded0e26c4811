/* SPDX-License-Identifier: Apache-2.0 */
/* funcs.bin: what is written is read, and what is damaged is refused or in order. */
#include <stdlib.h>

#include "base/little.h"
#include "check.h"
#include "stubs/function_ranges.h"
#include "stubs/stubs_layout_internal.h"

static struct tr_function_range list[] = {
    {0x10000, 0x10010, 4}, {0x10010, 0x10400, 0}, {0x20000, 0xffffffffffffffff, 9}};
enum { COUNT = 3 };

static bool is_refused(const uint8_t *bytes, size_t size)
{
	struct tr_function_ranges got;
	uint64_t at = UINT64_MAX, behind = 0;
	enum tr_status status = tr_function_ranges_decode(bytes, size, &got, &at);
	if (status == TR_OK) {
		CHECK(got.build_id_size <= TR_STUBS_BUILD_ID_MAX);
		for (uint32_t i = 0; i < got.count; i++) {
			CHECK(got.ranges[i].start >= behind);
			CHECK(got.ranges[i].end > got.ranges[i].start);
			behind = got.ranges[i].end;
		}
		free(got.ranges);
		return false;
	}
	CHECK(status == TR_E_CORRUPT || status == TR_E_TRUNCATED ||
	      status == TR_E_UNSUPPORTED);
	CHECK(at <= size && got.ranges == NULL);
	return true;
}

static void check_same(const uint8_t *bytes, size_t size)
{
	struct tr_function_ranges got;
	uint64_t at;
	CHECK_EQ(tr_function_ranges_decode(bytes, size, &got, &at), TR_OK);
	CHECK_EQ(got.count, COUNT);
	CHECK_EQ(got.flags, TR_STUBS_GLOBAL);
	CHECK_EQ(got.build_id_size, 3);
	CHECK(memcmp(got.build_id, "abc", 4) == 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		CHECK_EQ(got.ranges[i].start, list[i].start);
		CHECK_EQ(got.ranges[i].end, list[i].end);
		CHECK_EQ(got.ranges[i].index, list[i].index);
	}
	free(got.ranges);
}

static void check_damage(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size * 9; i++) {
		uint8_t flip = (uint8_t)(i % 9 == 8 ? 0xff : 1U << i % 9);
		uint8_t sum[8];
		bytes[i / 9] ^= flip;
		CHECK(is_refused(bytes, size));
		memcpy(sum, bytes + FILE_CHECKSUM, 8);
		tr_store64(bytes + FILE_CHECKSUM,
			   tr_stubs_checksum(bytes + FILE_VERSION, size - FILE_VERSION));
		is_refused(bytes, size);
		memcpy(bytes + FILE_CHECKSUM, sum, 8);
		bytes[i / 9] ^= flip;
	}
	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *part = malloc(cut + 1);
		struct tr_function_ranges got;
		uint64_t at;
		memcpy(part, bytes, cut);
		CHECK_EQ(tr_function_ranges_decode(part, cut, &got, &at), TR_E_TRUNCATED);
		CHECK_EQ(at, cut);
		free(part);
	}
}

/* Ranges that overlap, or have no bytes. */
static void check_order(struct tr_function_ranges *ranges)
{
	static const struct tr_function_range wrong[] = {
	    {0x1000f, 0x10400, 0}, {0x10400, 0x10400, 0}, {0x10400, 0x10000, 0}};
	for (unsigned i = 0; i < 3; i++) {
		struct tr_function_range kept = list[1];
		size_t size;
		list[1] = wrong[i];
		uint8_t *bytes = tr_function_ranges_encode(ranges, &size);
		CHECK(is_refused(bytes, size));
		free(bytes);
		list[1] = kept;
	}
}

int main(void)
{
	struct tr_function_ranges ranges = {.ranges = list,
					    .count = COUNT,
					    .flags = TR_STUBS_GLOBAL,
					    .build_id = "abc",
					    .build_id_size = 3};
	size_t size;
	uint8_t *bytes = tr_function_ranges_encode(&ranges, &size);
	CHECK_EQ(size, 64 + 24 * COUNT);
	check_same(bytes, size);
	check_damage(bytes, size);
	check_order(&ranges);
	free(bytes);
	return check_done();
}
