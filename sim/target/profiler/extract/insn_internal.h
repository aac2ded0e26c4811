/* SPDX-License-Identifier: Apache-2.0 */
/* What the decoders of 32 and of 16 bits share. */
#ifndef PROF_INSN_INTERNAL_H
#define PROF_INSN_INTERNAL_H

#include "insn.h"

/* Returns the bit of a register; of x0 none. */
static inline uint32_t prof_mask_of(uint32_t reg)
{
	return UINT32_C(1) << reg & ~UINT32_C(1);
}

/* Notes a known instruction with the registers of its format. */
static inline void prof_set_registers(struct prof_insn *insn, uint32_t reads,
				      uint32_t writes)
{
	insn->kind = PROF_OTHER;
	insn->reads = reads;
	insn->writes = writes;
}

static inline void prof_set_kind(struct prof_insn *insn, enum prof_kind kind)
{
	insn->kind = (uint8_t)kind;
}

/* Of jalr, as in the table of return-address-stack hints, but that all that links is a
 * call. */
static inline enum prof_kind prof_classify_jump(uint32_t rd, uint32_t rs1)
{
	if (rd)
		return PROF_CALL;
	return rs1 == 1 || rs1 == 5 ? PROF_RETURN : PROF_INDIRECT;
}

/* Decodes insn->bits, of 16 bits; what is not known remains as it is. */
void prof_decode_compressed(struct prof_insn *insn);

#endif
