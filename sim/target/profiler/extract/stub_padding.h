/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes stay free before a stub, so that a processor loses no cycles to where it
 * is.
 *
 * - None of its instructions crosses a cache line, since that takes two fetches: with the
 *   core of rtl/, a cycle more. Lines have 64 bytes in RVA22 and later (Zic64b).
 * - None of its jumps has the low address bits of a jump of its function. A branch target
 *   buffer is indexed with such bits, and without ways the two would evict each other in
 *   every call: with our core, 4 cycles more. It has an entry for every other one of 512
 *   addresses; a larger table uses these bits and others.
 *
 * Areas of stubs and the segments of programs begin at pages, wherever they are mapped,
 * so that these bits are known. Of jumps of other functions, callers among them, nothing
 * is assumed. Needs nothing but the C library. */
#ifndef PROF_STUB_PADDING_H
#define PROF_STUB_PADDING_H

#include "stub_build.h"

enum {
	PROF_LINE = 64,	      /* bytes */
	PROF_JUMP_SPAN = 512, /* addresses that differ by multiples of it collide */
};

/* Where jumps are, modulo PROF_JUMP_SPAN: bit i is of 2 * i bytes. */
struct prof_jump_places {
	uint64_t bits[PROF_JUMP_SPAN / 2 / 64];
};

/* Returns the places of the jumps of a function that has an entry of this kind: of that
 * of the entry, and of its jumps, branches, calls and returns among the first
 * PROF_JUMP_SPAN bytes; those behind it run less often in proportion. */
struct prof_jump_places prof_find_jumps(const uint8_t *code, uint64_t size,
					uint64_t address, enum tr_stubs_kind kind);

/* Returns by how many bytes a stub at an address is to be moved upwards: 0 if it is good
 * there, or if no place within a line is. */
uint32_t prof_pad_stub(const struct prof_stub *stub, uint64_t address,
		       const struct prof_jump_places *jumps);

#endif
