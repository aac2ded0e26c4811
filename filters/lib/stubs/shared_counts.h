/* SPDX-License-Identifier: Apache-2.0 */
/* The shared memory of the run-time profiler: counters that stubs increment, and what a
 * scheduler reads. Format: prof-files(5), after figure 3 of appendix C of the thesis: the
 * number of functions, the place of the hash table; the counts; the index; two buffers;
 * the hash table from names to indexes. shmem.dat and shmemg.dat are its first contents,
 * the global one with room to grow.
 *
 * Counters begin at a page, so that a process maps nothing else. All numbers are
 * little-endian; the parts in order: header (TR_SHARED_HEADER bytes, a page), counts (8
 * bytes each), index, two buffers, hash table, names. This folder is also compiled for
 * the target. */
#ifndef TR_SHARED_COUNTS_H
#define TR_SHARED_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "stubs/stubs.h"

enum {
	TR_SHARED_VERSION = 2,
	TR_SHARED_HEADER = 4096,
	/* Of each of the two buffers, which shared_log.h writes and reads. */
	TR_SHARED_BUFFER_HEADER = 64,
	TR_SHARED_BUFFER_RECORD = 16, /* of each index: calls and samples */
	TR_SHARED_NONE = -1,
	TR_SHARED_CAPACITY_MAX = 1 << 24,
};

struct tr_shared {
	bool global;
	uint32_t functions; /* that have a name */
	uint32_t capacity;  /* of all arrays; functions at least */
	uint32_t pid;	    /* of the process that counts; 0: none, or all */
	uint64_t started; /* when it was started, field 22 of /proc/PID/stat; tells reused
			     pids apart */
	uint8_t build_id[TR_STUBS_BUILD_ID_MAX];
	uint32_t build_id_size;
	/* Offsets and sizes in the file, in bytes. */
	uint64_t size, counts, index, buffers, buffer_size, hash, names, names_size;
	uint32_t hash_slots;  /* a power of two, twice the capacity at least; a slot has
				 index + 1, or 0 */
	const uint8_t *bytes; /* of the file: the caller's */
};

/* Builds the first contents. `names` are of `count` functions, by index; a later one of
 * the same name is not in the hash table; `program` is the absolute path, "" in the
 * global file. Returns bytes, which the caller frees, with their number in *size; NULL
 * without memory. The same arguments give the same bytes. The capacity is at most
 * TR_SHARED_CAPACITY_MAX; with the same capacity all parts are at the same places. */
uint8_t *tr_shared_build(const char *const *names, uint32_t count, uint32_t capacity,
			 bool global, const char *program, const uint8_t *build_id,
			 uint32_t build_id_size, size_t *size);

/* Marks the functions that jump to their own first instruction in a file that
 * tr_shared_build() has built: what it counts are executions of the entry, not calls.
 * `loops` has one value for each function. */
void tr_shared_mark_loops(uint8_t *bytes, const bool *loops);

/* Checks a file, whose counts may change meanwhile, and finds its parts. Returns 0 with
 * *shared; or TR_E_TRUNCATED, TR_E_UNSUPPORTED, TR_E_CORRUPT with the number of the byte
 * in *at. */
enum tr_status tr_shared_open(const uint8_t *bytes, size_t size, struct tr_shared *shared,
			      uint64_t *at);

/* The same of the header alone, for who maps the counts: `bytes` are the first `have` of
 * a file of `size` bytes, TR_SHARED_HEADER at least if it is whole. Names cannot be asked
 * for. */
enum tr_status tr_shared_head(const uint8_t *bytes, size_t have, uint64_t size,
			      struct tr_shared *shared, uint64_t *at);

/* Returns the number of functions that a checked file has now: a global file may get more
 * of them, and then has to be opened again. */
uint32_t tr_shared_functions(const uint8_t *bytes);

/* Returns the name of a function, which is within shared->bytes; the program's path. */
const char *tr_shared_name(const struct tr_shared *shared, uint32_t index);
const char *tr_shared_program(const struct tr_shared *shared);
/* Returns whether a function is marked by tr_shared_mark_loops(). */
bool tr_shared_loops(const struct tr_shared *shared, uint32_t index);
/* Returns the calls of a function, in one load: `bytes` begin at a multiple of 8. */
uint64_t tr_shared_calls(const struct tr_shared *shared, uint32_t index);
/* Returns the index of a name, or TR_SHARED_NONE. */
int64_t tr_shared_find(const struct tr_shared *shared, const char *name);

/* Marks a file as one whose calls are counted, as it is at first, or not: there are
 * samples alone. */
void tr_shared_mark_counted(uint8_t *bytes, bool counted);
bool tr_shared_is_counted(const uint8_t *bytes);

/* Marks the bytes of a file as those of a process. */
void tr_shared_own(uint8_t *bytes, uint32_t pid, uint64_t started);

#endif
