/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks the stack pointer (sp, x2) of a trace that watches it.
 *
 * A source reports writes of sp as events, except by instructions whose bits determine
 * the new value from the old one: ADDI with rd = rs1 = sp and its compressed forms C.ADDI
 * and C.ADDI16SP (unprivileged specification, chapter "C"). Readers add these up, so that
 * sp is known at every token. The same holds for CM.PUSH, CM.POP and CM.POPRET[Z] in a
 * stream whose header names an ISA with them; other sources report what these write. */
#ifndef TR_SP_H
#define TR_SP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/stream.h"

struct tr_reader;

/* Returns true if the instruction adds a constant to sp, and stores the constant in
 * *bytes. Bits of `insn` beyond its length are ignored. */
static inline bool tr_sp_adds(uint64_t insn, int64_t *bytes)
{
	uint32_t bits = (uint32_t)insn;
	if ((bits & 0xfffff) == 0x10113) { /* addi sp, sp, n */
		*bytes = (int32_t)bits >> 20;
		return true;
	}
	if ((bits & 0xef83) == 0x0101) { /* c.addi sp, n */
		*bytes = (int64_t)(bits >> 2 & 31) - (int64_t)(bits >> 7 & 32);
		return true;
	}
	if ((bits & 0xef83) == 0x6101) { /* c.addi16sp n */
		*bytes = (int64_t)((bits >> 2 & 16) | (bits << 3 & 32) |
				   (bits << 1 & 64) | (bits << 4 & 384)) -
			 (int64_t)(bits >> 3 & 512);
		return true;
	}
	return false;
}

/* Returns the sum of what the first `tokens` instructions of a block add to sp, in bytes,
 * also those of Zcmp if `isa` has it (stream/isa.h); 0 without instruction bits. */
int64_t tr_sp_added(const struct tr_block *block, unsigned tokens, unsigned isa);

/* The sums of all whole blocks of a generation. All zero is empty. */
struct tr_sp_sums {
	int32_t *sums; /* indexed by block */
	size_t count, room;
	uint64_t generation;
};
/* Adds the blocks that are new in the reader's current frame, which is of `generation`.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_sp_sums_update(struct tr_sp_sums *sums, const struct tr_reader *reader,
		      uint64_t generation);
void tr_sp_sums_release(struct tr_sp_sums *sums);

#endif
