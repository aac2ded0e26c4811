/* SPDX-License-Identifier: Apache-2.0 */
/* What the extractor has to know of an instruction: its length, whether it transfers
 * control, and which integer registers it reads and writes. For RV64GC, with the ratified
 * extensions that user programs may have besides: Zba, Zbb, Zbc, Zbs, the scalar and
 * vector cryptography, V, Zfh, Zfa, Zicond, Zcb, Zimop, Zacas, Zabha, Zicbom and others.
 *
 * Sources: chapter "RV32/64G Instruction Set Listings" and the chapters of these
 * extensions in the unprivileged specification. The encodings that Zcmp and Zcmt share
 * with C.FSDSP are C.FSDSP, as RV64GC has it. Needs nothing but the C library. */
#ifndef PROF_INSN_H
#define PROF_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum prof_kind {
	PROF_UNKNOWN = 0, /* not one that is known, privileged, longer than 4 bytes, or
			     cut; also lpad, which must be where it is */
	PROF_OTHER,	  /* continues at the next instruction, wherever it is itself */
	PROF_AUIPC,
	PROF_BRANCH,   /* conditional */
	PROF_JUMP,     /* jal x0, c.j */
	PROF_INDIRECT, /* jalr x0, to another register than x1 and x5 */
	PROF_RETURN,   /* jalr x0, to x1 or x5 */
	PROF_CALL,     /* jal and jalr that write a register, whichever */
	PROF_ECALL,
	PROF_EBREAK, /* also unimp and c.unimp, which compilers emit to stop */
};

enum { PROF_COMPRESSED_NOP = 0x0001, PROF_NOP = 0x00000013 }; /* padding */

struct prof_insn {
	uint32_t bits;		/* those beyond its length are 0 */
	uint8_t length;		/* in bytes: 2 or 4; 0 if it is longer, or cut */
	uint8_t kind;		/* enum prof_kind */
	bool has_target;	/* a branch, or a direct jump or call */
	uint64_t target;	/* its address; of auipc its result */
	uint32_t reads, writes; /* bit i: the integer register xi; never bit 0. What is
				   unknown reads all and writes none. */
};

/* Decodes the instruction in `code`, of which `room` bytes are readable, at `address`. */
struct prof_insn prof_decode_insn(const uint8_t *code, uint64_t room, uint64_t address);

/* Returns true if no instruction follows: jumps, returns and indirect jumps. */
static inline bool prof_never_continues(const struct prof_insn *insn)
{
	return insn->kind == PROF_JUMP || insn->kind == PROF_INDIRECT ||
	       insn->kind == PROF_RETURN;
}

#endif
