/* SPDX-License-Identifier: Apache-2.0 */
/* What decides how instructions are decoded (stream/decode.h): XLEN, and which extension
 * has the encodings of 16 bits that C.FSDSP shares with Zcmp and Zcmt. A hart has either:
 * Zcmp and Zcmt exclude Zcd, which is what C and D have together (unprivileged
 * specification, chapter "Zc*"). */
#ifndef TR_ISA_H
#define TR_ISA_H

#include <stdbool.h>
#include <stddef.h>

/* An `isa` is XLEN, plus one of these if it is known which. */
enum {
	TR_ISA_ZCD = 1 << 8,  /* C.FSDSP */
	TR_ISA_ZCMP = 1 << 9, /* Zcmp and Zcmt */
};

static inline unsigned tr_isa_xlen(unsigned isa)
{
	return isa & 0xff;
}

/* Returns true if an isa includes one of the two flags. */
static inline bool tr_isa_tells_zcm(unsigned isa)
{
	return isa & (TR_ISA_ZCD | TR_ISA_ZCMP);
}

/* Returns the isa of a naming string of `size` bytes, such as "rv32imac_zcmp" or
 * "rv32i2p1_m2p0_c2p0": TR_ISA_ZCMP if it names Zcmp, Zcmt or Zce; else TR_ISA_ZCD with
 * C and D; else TR_ISA_ZCMP for RV32 without D, as small cores are. From other text
 * follows XLEN alone: a file of RV64 without D may be linked with code that has it. */
unsigned tr_isa_parse(unsigned xlen, const char *text, size_t size);

#endif
