/* SPDX-License-Identifier: Apache-2.0 */
/* Cache lines: what each hart does in them, and how often they change hands.
 *
 * A line changes hands when a hart stores to it while another one has a copy, or loads it
 * without a copy of its own, though another one has: with caches without end, of which a
 * store leaves only the own copy, and a load those of all. The order of the harts'
 * accesses is that of the cycles in which they commit, then of the harts' numbers. Memory
 * grows with the lines that are accessed. */
#ifndef TR_MEMORY_LINES_H
#define TR_MEMORY_LINES_H

#include "base/status.h"
#include "stream/accesses.h"

struct tr_lines;

enum tr_sharing {
	TR_SHARING_NONE,  /* one hart */
	TR_SHARING_READ,  /* several, of which none writes */
	TR_SHARING_FALSE, /* no byte that one writes is accessed by another one */
	TR_SHARING_TRUE,
};

struct tr_line {
	uint64_t address, physical; /* of its first byte; as it was accessed first */
	uint32_t object;	    /* as it was accessed first */
	uint64_t loads, stores, atomics, missed, lost;
	uint64_t moves; /* it changed hands */
	uint32_t harts; /* that have accessed it */
	enum tr_sharing sharing;
};

/* What a hart did at an offset of a line. */
struct tr_line_use {
	uint32_t hart, offset; /* bytes */
	uint64_t loads, stores, atomics;
};

/* An access. */
struct tr_line_access {
	const struct tr_access *access;
	uint64_t cycle;
	uint32_t hart, object;
	uint64_t lost; /* slots; above 0 it missed */
};

/* `line` is the size in bytes, 64 at most. Returns NULL when out of memory;
 * tr_lines_free() accepts NULL. */
struct tr_lines *tr_lines_new(unsigned line);
void tr_lines_free(struct tr_lines *l);
/* Adds an access. Returns a status, or TR_E_UNSUPPORTED for a 33rd hart. */
int tr_lines_add(struct tr_lines *l, const struct tr_line_access *access);
/* All accesses before `cycle` are added. */
void tr_lines_settle(struct tr_lines *l, uint64_t cycle);
/* Return the lines, after tr_lines_settle(UINT64_MAX), in order of first access. */
size_t tr_lines_count(const struct tr_lines *l);
void tr_lines_get(const struct tr_lines *l, size_t i, struct tr_line *line);
/* Copies up to `room` uses of a line, in order of hart and offset. Returns how many there
 * are. */
size_t tr_lines_uses(const struct tr_lines *l, size_t i, struct tr_line_use *uses,
		     size_t room);

#endif
