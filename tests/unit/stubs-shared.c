/* SPDX-License-Identifier: Apache-2.0 */
/* The shared memory: names and counts are found, and what is damaged is refused or
 * consistent. */
#include <stdlib.h>

#include "base/little.h"
#include "check.h"
#include "stubs/shared_counts.h"

static const char *const names[] = {"multiply", "main", "square_root",
				    "main",	"",	"a_name::of<C, plus, plus>()"};
enum { COUNT = 6, CAPACITY = 9, STATIC_END = 144, OWNER_END = 160 };
static const uint8_t build_id[] = {1, 2, 3, 4, 5};

static uint8_t *build_shared(bool global, uint32_t capacity, size_t *size)
{
	return tr_shared_build(names, COUNT, capacity, global,
			       global ? "" : "/usr/bin/it", build_id,
			       global ? 0 : sizeof(build_id), size);
}

static void check_shared_contents(const struct tr_shared *s, bool global)
{
	CHECK_EQ(s->global, global);
	CHECK_EQ(s->functions, COUNT);
	CHECK_EQ(s->capacity, CAPACITY);
	CHECK_EQ(s->build_id_size, global ? 0 : sizeof(build_id));
	CHECK(memcmp(s->build_id, build_id, s->build_id_size) == 0);
	CHECK_STR(tr_shared_program(s), global ? "" : "/usr/bin/it");
	CHECK_EQ(s->counts, 4096);
	CHECK_EQ(s->index, 8192); /* nothing else is in the page of the counts */
	CHECK_EQ(s->buffer_size, 64 + 16 * CAPACITY);
	CHECK_EQ(s->hash, s->buffers + 2 * s->buffer_size);
	CHECK_EQ(s->hash_slots, 32);
	for (uint32_t i = 0; i < COUNT; i++) {
		CHECK_STR(tr_shared_name(s, i), names[i]);
		CHECK_EQ(tr_shared_find(s, names[i]), i == 3 ? 1 : i);
		CHECK_EQ(tr_shared_calls(s, i), 0);
		CHECK(!tr_shared_loops(s, i));
	}
	CHECK_EQ(tr_shared_find(s, "mai"), TR_SHARED_NONE);
	CHECK_EQ(tr_shared_find(s, "multiplyx"), TR_SHARED_NONE);
}

static void check_shared_changes(uint8_t *bytes, size_t size)
{
	struct tr_shared s;
	uint64_t at;
	const bool loops[COUNT] = {false, true, false, false, false, true};
	tr_shared_own(bytes, 4321, 987654321);
	tr_shared_mark_loops(bytes, loops);
	CHECK_EQ(tr_shared_open(bytes, size, &s, &at), TR_OK);
	CHECK_EQ(s.pid, 4321);
	CHECK_EQ(s.started, 987654321);
	tr_store64(bytes + s.counts + 8 * 2, 1ULL << 40 | 5);
	tr_store64(bytes + s.index, 1);
	memset(bytes + s.buffers, 0x5a, 2 * s.buffer_size);
	CHECK_EQ(tr_shared_open(bytes, size, &s, &at), TR_OK);
	CHECK_EQ(tr_shared_calls(&s, 2), 1ULL << 40 | 5);
	for (uint32_t i = 0; i < COUNT; i++) {
		CHECK_EQ(tr_shared_loops(&s, i), loops[i]);
		CHECK_STR(tr_shared_name(&s, i), names[i]);
	}
	CHECK_EQ(tr_shared_find(&s, names[5]), 5);
}

/* Returns whether the file is refused; asks an accepted one for everything. */
static bool is_shared_refused(const uint8_t *bytes, size_t size)
{
	struct tr_shared s;
	uint64_t at = UINT64_MAX;
	enum tr_status status = tr_shared_open(bytes, size, &s, &at);
	if (status) {
		CHECK(status == TR_E_CORRUPT || status == TR_E_TRUNCATED ||
		      status == TR_E_UNSUPPORTED);
		CHECK(at <= size);
		return true;
	}
	CHECK(s.functions <= s.capacity);
	for (uint32_t i = 0; i < s.functions; i++) {
		const char *name = tr_shared_name(&s, i);
		CHECK(name + strlen(name) < (const char *)bytes + size);
		CHECK(tr_shared_find(&s, name) < (int64_t)s.functions);
		tr_shared_calls(&s, i);
	}
	const char *program = tr_shared_program(&s);
	CHECK(program + strlen(program) < (const char *)bytes + size);
	return false;
}

static bool is_covered(const struct tr_shared *s, uint64_t at)
{
	return at < STATIC_END || (at >= s->hash && at < s->names + s->names_size);
}

static void check_shared_flips(uint8_t *bytes, const struct tr_shared *s)
{
	for (uint64_t i = 0; i < s->size * 9; i++) {
		uint8_t flip = (uint8_t)(i % 9 == 8 ? 0xff : 1U << i % 9);
		bytes[i / 9] ^= flip;
		CHECK_EQ(is_shared_refused(bytes, s->size), is_covered(s, i / 9));
		bytes[i / 9] ^= flip;
	}
}

static void seal_shared(uint8_t *bytes, const struct tr_shared *s)
{
	tr_store64(bytes + 136, tr_stubs_checksum(bytes + s->hash,
						  s->names + s->names_size - s->hash));
	tr_store64(bytes + 8, tr_stubs_checksum(bytes + 16, STATIC_END - 16));
}

/* With the right checksums every value is checked by itself. */
static void check_shared_values(uint8_t *bytes, const struct tr_shared *s)
{
	uint8_t *copy = malloc(s->size);
	for (uint64_t i = 16; i < s->size; i++) {
		memcpy(copy, bytes, s->size);
		copy[i] ^= (uint8_t)(1U << i % 8);
		seal_shared(copy, s);
		is_shared_refused(copy, s->size);
	}
	memcpy(copy, bytes, s->size);
	copy[s->names + s->names_size - 1] = 'x';
	seal_shared(copy, s);
	CHECK(is_shared_refused(copy, s->size));
	memcpy(copy, bytes, s->size);
	tr_store32(copy + 24, CAPACITY + 1); /* functions */
	for (unsigned i = COUNT; i <= CAPACITY; i++)
		tr_store32(copy + s->names + 4 * i, 4 * CAPACITY + 4);
	seal_shared(copy, s);
	CHECK(is_shared_refused(copy, s->size));
	free(copy);
}

static void check_shared_cuts(const uint8_t *bytes, size_t size)
{
	struct tr_shared s;
	uint64_t at;
	for (size_t cut = 0; cut < size; cut++) {
		uint8_t *part = malloc(cut + 1);
		memcpy(part, bytes, cut);
		CHECK_EQ(tr_shared_open(part, cut, &s, &at), TR_E_TRUNCATED);
		CHECK_EQ(at, cut);
		free(part);
	}
	CHECK_EQ(tr_shared_head(bytes, 4096, size, &s, &at), TR_OK);
	CHECK_EQ(tr_shared_head(bytes, 4096, size - 1, &s, &at), TR_E_TRUNCATED);
	CHECK_EQ(tr_shared_head(bytes, 4096, size + 1, &s, &at), TR_E_CORRUPT);
	CHECK_EQ(tr_shared_head(bytes, 4095, size, &s, &at), TR_E_TRUNCATED);
}

int main(void)
{
	for (unsigned global = 0; global < 2; global++) {
		struct tr_shared s;
		size_t size, again;
		uint64_t at;
		uint8_t *bytes = build_shared(global, CAPACITY, &size);
		uint8_t *same = build_shared(global, CAPACITY, &again);
		CHECK(size == again && memcmp(bytes, same, size) == 0);
		free(same);
		CHECK_EQ(tr_shared_open(bytes, size, &s, &at), TR_OK);
		CHECK_EQ(s.size, size);
		check_shared_contents(&s, global);
		check_shared_changes(bytes, size);
		check_shared_flips(bytes, &s);
		check_shared_values(bytes, &s);
		check_shared_cuts(bytes, size);
		free(bytes);
	}
	/* A table that is full of names, and one of none. */
	size_t size;
	uint64_t at;
	struct tr_shared s;
	uint8_t *full = build_shared(false, COUNT, &size);
	CHECK_EQ(tr_shared_open(full, size, &s, &at), TR_OK);
	CHECK_EQ(tr_shared_find(&s, "none"), TR_SHARED_NONE);
	free(full);
	uint8_t *empty = tr_shared_build(NULL, 0, 0, true, "", NULL, 0, &size);
	CHECK_EQ(tr_shared_open(empty, size, &s, &at), TR_OK);
	CHECK_EQ(tr_shared_find(&s, "none"), TR_SHARED_NONE);
	free(empty);
	return check_done();
}
