/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions of a block access memory, and what is known of their addresses.
 *
 * The addresses of a row depend on one another where the block's instructions show it:
 * an access by a register that an earlier access of the row used, and to which constants
 * were added since, is at a constant distance from that one; and one by a register that
 * the block sets to a constant (lui, auipc) is at a known address. What the block does
 * not show is the address of its leaders. This is for RV64; loads and stores of the
 * extensions V and Zc* are not known. */
#ifndef TR_ACCESS_SHAPE_H
#define TR_ACCESS_SHAPE_H

#include "stream/accesses.h"
#include "stream/stream.h"

enum tr_access_base {
	TR_BASE_ANY = 0, /* a leader */
	TR_BASE_SP,	 /* a leader: `offset` from sp at the beginning of the row */
	TR_BASE_ACCESS,	 /* `offset` from access `leader` of the row */
	TR_BASE_NONE,	 /* `offset` is the address */
};

struct tr_access_shape {
	int64_t offset;
	uint16_t pc; /* bytes from the beginning of the block */
	uint8_t token, leader;
	uint8_t base;	    /* enum tr_access_base */
	uint8_t size, kind; /* as in struct tr_access */
};

/* The accesses of a block, and what it leaves in sp. */
struct tr_access_shapes {
	uint16_t count;
	uint8_t sp_base; /* as of an access; TR_BASE_ANY: not known */
	uint8_t sp_leader;
	int64_t sp_offset;
	struct tr_access_shape access[TR_BLOCK_MAX_TOKENS];
};

/* Finds the accesses of a block. One without instruction bits has none. */
void tr_access_shape(const struct tr_block *block, struct tr_access_shapes *shapes);

#endif
