/* SPDX-License-Identifier: Apache-2.0 */
/* Builds and reads the shared memory of the run-time profiler. */
#include "stubs/shared_counts.h"

#include <stdlib.h>

#include "base/little.h"
#include "stubs/stubs_check_internal.h"
#include "stubs/stubs_layout_internal.h"

#define SHARED_MAGIC "PROFSHMM"
enum {
	SHARED_FUNCTIONS = 24,
	SHARED_CAPACITY = 28,
	SHARED_SIZE = 32,
	SHARED_COUNTS = 40,
	SHARED_INDEX = 48,
	SHARED_BUFFERS = 56,
	SHARED_BUFFER_SIZE = 64,
	SHARED_HASH = 72,
	SHARED_NAMES = 80,
	SHARED_NAMES_SIZE = 88,
	SHARED_HASH_SLOTS = 96,
	SHARED_BUILD_ID_SIZE = 100,
	SHARED_BUILD_ID = 104,
	SHARED_TABLES_CHECKSUM = 136, /* of hash table and names */
	SHARED_STATIC_END = 144,      /* the checksum of the header ends here */
	SHARED_PID = 144,
	SHARED_UNCOUNTED = 148, /* 1: the process has no stubs */
	SHARED_STARTED = 152,

	PAGE = 4096,
	NAME_ROOM = 64, /* bytes of a name to come, in a global file */
};
/* An entry of the table before the names: where the name is, from the table's begin. */
static const uint32_t NAME_LOOPS = 1U << 31, NAMES_MAX = (1U << 31) - 1;

static uint64_t round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* Finds the places of all parts, which the capacity determines. */
static void place_shared_parts(struct tr_shared *s)
{
	uint64_t capacity = s->capacity;
	uint64_t slots = 1;
	while (slots < 2 * capacity)
		slots *= 2;
	s->hash_slots = (uint32_t)slots;
	s->counts = TR_SHARED_HEADER;
	s->index = round_up(s->counts + 8 * capacity, PAGE);
	s->buffers = s->index + 8;
	s->buffer_size = TR_SHARED_BUFFER_HEADER + TR_SHARED_BUFFER_RECORD * capacity;
	s->hash = s->buffers + 2 * s->buffer_size;
	s->names = round_up(s->hash + 4 * slots, 8);
}

/* FNV-1a of 64 bits, both halves of which choose the slot. */
static uint32_t hash_name(const char *name)
{
	uint64_t sum = 0xcbf29ce484222325;
	for (; *name; name++)
		sum = (sum ^ (uint8_t)*name) * 0x100000001b3;
	return (uint32_t)(sum ^ sum >> 32);
}

static uint64_t measure_names(const char *const *names, uint32_t count, uint32_t capacity,
			      const char *program)
{
	uint64_t size = 4 * (uint64_t)capacity + strlen(program) + 1;
	for (uint32_t i = 0; i < count; i++)
		size += strlen(names[i]) + 1;
	return size;
}

/* Returns the size of a file, which has room for names to come if it is global. */
static uint64_t measure_shared(const struct tr_shared *s)
{
	uint64_t least = s->global ? (4 + NAME_ROOM) * (uint64_t)s->capacity : 0;
	return s->names + round_up(s->names_size > least ? s->names_size : least, 8);
}

static void fill_names_table(uint8_t *bytes, const struct tr_shared *s,
			     const char *const *names, const char *program)
{
	uint8_t *table = bytes + s->names;
	size_t at = 4 * (size_t)s->capacity, length = strlen(program) + 1;
	memcpy(table + at, program, length);
	at += length;
	for (uint32_t i = 0; i < s->functions; i++, at += length) {
		length = strlen(names[i]) + 1;
		memcpy(table + at, names[i], length);
		tr_store32(table + 4 * (size_t)i, (uint32_t)at);
	}
}

/* Returns the slot of a name, or the empty one at which the search for it ends, or
 * hash_slots: neither exists. */
static uint32_t find_slot(const struct tr_shared *s, const char *name)
{
	uint32_t slot = hash_name(name) & (s->hash_slots - 1);
	for (uint32_t i = 0; i < s->hash_slots; i++) {
		uint32_t entry = tr_load32(s->bytes + s->hash + 4 * (uint64_t)slot);
		if (entry == 0 || (entry <= s->functions &&
				   strcmp(tr_shared_name(s, entry - 1), name) == 0))
			return slot;
		slot = (slot + 1) & (s->hash_slots - 1);
	}
	return s->hash_slots;
}

static void fill_hash_table(uint8_t *bytes, const struct tr_shared *s,
			    const char *const *names)
{
	for (uint32_t i = 0; i < s->functions; i++) {
		uint8_t *p = bytes + s->hash + 4 * (uint64_t)find_slot(s, names[i]);
		if (tr_load32(p) == 0)
			tr_store32(p, i + 1);
	}
}

/* The checksums of what never changes. */
static void seal_file(uint8_t *bytes)
{
	uint64_t hash = tr_load64(bytes + SHARED_HASH);
	uint64_t end =
	    tr_load64(bytes + SHARED_NAMES) + tr_load64(bytes + SHARED_NAMES_SIZE);
	tr_store64(bytes + SHARED_TABLES_CHECKSUM,
		   tr_stubs_checksum(bytes + hash, end - hash));
	tr_store64(
	    bytes + FILE_CHECKSUM,
	    tr_stubs_checksum(bytes + FILE_VERSION, SHARED_STATIC_END - FILE_VERSION));
}

static void put_header(uint8_t *bytes, const struct tr_shared *s)
{
	memcpy(bytes + FILE_MAGIC, SHARED_MAGIC, 8);
	tr_store32(bytes + FILE_VERSION, TR_SHARED_VERSION);
	tr_store32(bytes + FILE_FLAGS, s->global ? TR_STUBS_GLOBAL : 0);
	tr_store32(bytes + SHARED_FUNCTIONS, s->functions);
	tr_store32(bytes + SHARED_CAPACITY, s->capacity);
	tr_store64(bytes + SHARED_SIZE, s->size);
	tr_store64(bytes + SHARED_COUNTS, s->counts);
	tr_store64(bytes + SHARED_INDEX, s->index);
	tr_store64(bytes + SHARED_BUFFERS, s->buffers);
	tr_store64(bytes + SHARED_BUFFER_SIZE, s->buffer_size);
	tr_store64(bytes + SHARED_HASH, s->hash);
	tr_store64(bytes + SHARED_NAMES, s->names);
	tr_store64(bytes + SHARED_NAMES_SIZE, s->names_size);
	tr_store32(bytes + SHARED_HASH_SLOTS, s->hash_slots);
	tr_store32(bytes + SHARED_BUILD_ID_SIZE, s->build_id_size);
	memcpy(bytes + SHARED_BUILD_ID, s->build_id, s->build_id_size);
}

uint8_t *tr_shared_build(const char *const *names, uint32_t count, uint32_t capacity,
			 bool global, const char *program, const uint8_t *build_id,
			 uint32_t build_id_size, size_t *size)
{
	struct tr_shared s = {.global = global,
			      .functions = count,
			      .capacity = capacity,
			      .build_id_size = build_id_size};
	if (build_id_size)
		memcpy(s.build_id, build_id, build_id_size);
	place_shared_parts(&s);
	s.names_size = measure_names(names, count, capacity, program);
	s.size = measure_shared(&s);
	uint8_t *bytes = calloc(1, s.size);
	if (!bytes)
		return NULL;
	s.bytes = bytes;
	put_header(bytes, &s);
	fill_names_table(bytes, &s, names, program);
	fill_hash_table(bytes, &s, names);
	seal_file(bytes);
	*size = s.size;
	return bytes;
}

void tr_shared_mark_loops(uint8_t *bytes, const bool *loops)
{
	uint8_t *p = bytes + tr_load64(bytes + SHARED_NAMES);
	uint32_t functions = tr_load32(bytes + SHARED_FUNCTIONS);
	for (uint32_t i = 0; i < functions; i++, p += 4) {
		uint32_t entry = tr_load32(p) & ~NAME_LOOPS;
		tr_store32(p, entry | (loops[i] ? NAME_LOOPS : 0));
	}
	seal_file(bytes);
}

static void load_header(const uint8_t *bytes, struct tr_shared *s)
{
	s->bytes = bytes;
	s->global = tr_load32(bytes + FILE_FLAGS) & TR_STUBS_GLOBAL;
	s->functions = tr_load32(bytes + SHARED_FUNCTIONS);
	s->capacity = tr_load32(bytes + SHARED_CAPACITY);
	s->size = tr_load64(bytes + SHARED_SIZE);
	s->counts = tr_load64(bytes + SHARED_COUNTS);
	s->index = tr_load64(bytes + SHARED_INDEX);
	s->buffers = tr_load64(bytes + SHARED_BUFFERS);
	s->buffer_size = tr_load64(bytes + SHARED_BUFFER_SIZE);
	s->hash = tr_load64(bytes + SHARED_HASH);
	s->names = tr_load64(bytes + SHARED_NAMES);
	s->names_size = tr_load64(bytes + SHARED_NAMES_SIZE);
	s->hash_slots = tr_load32(bytes + SHARED_HASH_SLOTS);
	s->build_id_size = tr_load32(bytes + SHARED_BUILD_ID_SIZE);
	memcpy(s->build_id, bytes + SHARED_BUILD_ID, TR_STUBS_BUILD_ID_MAX);
	s->pid = tr_load32(bytes + SHARED_PID);
	s->started = tr_load64(bytes + SHARED_STARTED);
}

/* Returns 0, or the first field that contradicts the capacity. */
static unsigned check_shared_places(const struct tr_shared *s)
{
	struct tr_shared want = *s;
	if (s->capacity > TR_SHARED_CAPACITY_MAX)
		return SHARED_CAPACITY;
	place_shared_parts(&want);
	if (s->functions > s->capacity)
		return SHARED_FUNCTIONS;
	if (s->counts != want.counts)
		return SHARED_COUNTS;
	if (s->index != want.index)
		return SHARED_INDEX;
	if (s->buffers != want.buffers)
		return SHARED_BUFFERS;
	if (s->buffer_size != want.buffer_size)
		return SHARED_BUFFER_SIZE;
	if (s->hash != want.hash)
		return SHARED_HASH;
	if (s->names != want.names)
		return SHARED_NAMES;
	if (s->hash_slots != want.hash_slots)
		return SHARED_HASH_SLOTS;
	if (s->build_id_size > TR_STUBS_BUILD_ID_MAX)
		return SHARED_BUILD_ID_SIZE;
	if (s->names_size <= 4 * (uint64_t)s->capacity || s->names_size > NAMES_MAX)
		return SHARED_NAMES_SIZE;
	if (s->size != measure_shared(s))
		return SHARED_SIZE;
	return 0;
}

/* Names are behind their table, and the last byte ends the last of them. Returns 0, or
 * the byte that is wrong. */
static uint64_t check_shared_names(const struct tr_shared *s)
{
	uint64_t least = 4 * (uint64_t)s->capacity, size = s->names_size;
	const uint8_t *table = s->bytes + s->names;
	if (table[size - 1])
		return s->names + size - 1;
	for (uint32_t i = 0; i < s->functions; i++) {
		uint32_t entry = tr_load32(table + 4 * (uint64_t)i) & ~NAME_LOOPS;
		if (entry < least || entry >= size)
			return s->names + 4 * (uint64_t)i;
	}
	return 0;
}

enum tr_status tr_shared_head(const uint8_t *bytes, size_t have, uint64_t size,
			      struct tr_shared *shared, uint64_t *at)
{
	static const struct stubs_file file = {SHARED_MAGIC, TR_SHARED_VERSION,
					       TR_SHARED_HEADER};
	const enum tr_status status =
	    tr_stubs_check_header(bytes, have, &file, SHARED_STATIC_END, at);
	if (status)
		return status;
	load_header(bytes, shared);
	*at = FILE_FLAGS;
	if (tr_load32(bytes + FILE_FLAGS) & ~(uint32_t)TR_STUBS_GLOBAL)
		return TR_E_CORRUPT;
	*at = check_shared_places(shared);
	if (*at)
		return TR_E_CORRUPT;
	*at = size < shared->size ? size : shared->size;
	if (size != shared->size)
		return size < shared->size ? TR_E_TRUNCATED : TR_E_CORRUPT;
	return TR_OK;
}

enum tr_status tr_shared_open(const uint8_t *bytes, size_t size, struct tr_shared *shared,
			      uint64_t *at)
{
	enum tr_status status = tr_shared_head(bytes, size, size, shared, at);
	if (status)
		return status;
	*at = SHARED_TABLES_CHECKSUM;
	if (!tr_stubs_fits_sum(bytes + shared->hash,
			       shared->names + shared->names_size - shared->hash,
			       tr_load64(bytes + SHARED_TABLES_CHECKSUM)))
		return TR_E_CORRUPT;
	*at = check_shared_names(shared);
	return *at ? TR_E_CORRUPT : TR_OK;
}

uint32_t tr_shared_functions(const uint8_t *bytes)
{
	const uint8_t *p = bytes + SHARED_FUNCTIONS;
	return le32toh(__atomic_load_n((const uint32_t *)__builtin_assume_aligned(p, 4),
				       __ATOMIC_ACQUIRE));
}

static uint32_t load_name_entry(const struct tr_shared *shared, uint32_t index)
{
	return tr_load32(shared->bytes + shared->names + 4 * (uint64_t)index);
}

const char *tr_shared_name(const struct tr_shared *shared, uint32_t index)
{
	return (const char *)shared->bytes + shared->names +
	       (load_name_entry(shared, index) & ~NAME_LOOPS);
}

bool tr_shared_loops(const struct tr_shared *shared, uint32_t index)
{
	return load_name_entry(shared, index) & NAME_LOOPS;
}

const char *tr_shared_program(const struct tr_shared *shared)
{
	return (const char *)shared->bytes + shared->names +
	       4 * (uint64_t)shared->capacity;
}

uint64_t tr_shared_calls(const struct tr_shared *shared, uint32_t index)
{
	const uint8_t *p = shared->bytes + shared->counts + 8 * (uint64_t)index;
	uint64_t calls = __atomic_load_n((const uint64_t *)__builtin_assume_aligned(p, 8),
					 __ATOMIC_RELAXED);
	return le64toh(calls);
}

int64_t tr_shared_find(const struct tr_shared *shared, const char *name)
{
	uint32_t slot = find_slot(shared, name);
	if (slot == shared->hash_slots)
		return TR_SHARED_NONE;
	uint32_t entry = tr_load32(shared->bytes + shared->hash + 4 * (uint64_t)slot);
	return entry == 0 ? TR_SHARED_NONE : (int64_t)entry - 1;
}

void tr_shared_mark_counted(uint8_t *bytes, bool counted)
{
	tr_store32(bytes + SHARED_UNCOUNTED, !counted);
}

bool tr_shared_is_counted(const uint8_t *bytes)
{
	return !tr_load32(bytes + SHARED_UNCOUNTED);
}

void tr_shared_own(uint8_t *bytes, uint32_t pid, uint64_t started)
{
	tr_store32(bytes + SHARED_PID, pid);
	tr_store64(bytes + SHARED_STARTED, started);
}
