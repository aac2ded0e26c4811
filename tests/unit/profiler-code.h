/* SPDX-License-Identifier: Apache-2.0 */
/* Code for the tests of the profiler: instructions one after another, at CODE_START. */
#ifndef PROFILER_CODE_H
#define PROFILER_CODE_H

#include <stdint.h>

enum {
	X0,
	RA,
	SP,
	T0 = 5,
	T1,
	T2,
	S0,
	S1,
	A0,
	A1,
	A2,
	T3 = 28,
	T4,
	T5,
	T6,
};

enum {
	CODE_START = 0x20000,
	C_NOP = 0x0001,
	C_RET = 0x8082,
	RET = 0x00008067,
	ECALL = 0x00000073,
	EBREAK = 0x00100073,
	C_EBREAK = 0x9002,
};

struct code {
	uint8_t bytes[8192];
	uint32_t size;
};

static inline void put_short(struct code *code, uint32_t insn)
{
	code->bytes[code->size++] = (uint8_t)insn;
	code->bytes[code->size++] = (uint8_t)(insn >> 8);
}

static inline void put_long(struct code *code, uint32_t insn)
{
	put_short(code, insn & 0xffff);
	put_short(code, insn >> 16);
}

/* Instructions; offsets are in bytes. */
static inline uint32_t insn_addi(uint32_t rd, uint32_t rs1, int32_t value)
{
	return (uint32_t)value << 20 | rs1 << 15 | rd << 7 | 0x13;
}

static inline uint32_t insn_add(uint32_t rd, uint32_t rs1, uint32_t rs2)
{
	return rs2 << 20 | rs1 << 15 | rd << 7 | 0x33;
}

static inline uint32_t insn_auipc(uint32_t rd, uint32_t pages)
{
	return pages << 12 | rd << 7 | 0x17;
}

static inline uint32_t insn_jal(uint32_t rd, int32_t offset)
{
	const uint32_t o = (uint32_t)offset;
	return (o >> 20 & 1) << 31 | (o >> 1 & 1023) << 21 | (o >> 11 & 1) << 20 |
	       (o >> 12 & 255) << 12 | rd << 7 | 0x6f;
}

static inline uint32_t insn_jalr(uint32_t rd, uint32_t rs1)
{
	return rs1 << 15 | rd << 7 | 0x67;
}

static inline uint32_t insn_branch(uint32_t funct3, uint32_t rs1, uint32_t rs2,
				   int32_t offset)
{
	const uint32_t o = (uint32_t)offset;
	return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 |
	       funct3 << 12 | (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7 | 0x63;
}

static inline uint32_t insn_beq(uint32_t rs1, uint32_t rs2, int32_t offset)
{
	return insn_branch(0, rs1, rs2, offset);
}

/* c.li, c.mv and c.beqz (rs1 from x8 to x15), c.j. */
static inline uint32_t insn_c_li(uint32_t rd, uint32_t value)
{
	return 0x4001 | rd << 7 | (value & 31) << 2 | (value >> 5 & 1) << 12;
}

static inline uint32_t insn_c_mv(uint32_t rd, uint32_t rs2)
{
	return 0x8002 | rd << 7 | rs2 << 2;
}

static inline uint32_t insn_c_beqz(uint32_t rs1, int32_t offset)
{
	const uint32_t o = (uint32_t)offset;
	return 0xc001 | (o >> 8 & 1) << 12 | (o >> 3 & 3) << 10 | (rs1 & 7) << 7 |
	       (o >> 6 & 3) << 5 | (o >> 1 & 3) << 3 | (o >> 5 & 1) << 2;
}

static inline uint32_t insn_c_j(int32_t offset)
{
	const uint32_t o = (uint32_t)offset;
	return 0xa001 | (o >> 11 & 1) << 12 | (o >> 4 & 1) << 11 | (o >> 8 & 3) << 9 |
	       (o >> 10 & 1) << 8 | (o >> 6 & 1) << 7 | (o >> 7 & 1) << 6 |
	       (o >> 1 & 7) << 3 | (o >> 5 & 1) << 2;
}

#endif
