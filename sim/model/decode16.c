/* SPDX-License-Identifier: Apache-2.0 */
/* Expands compressed instructions to their 32-bit equivalents. */
#include "internal.h"
#include "stream/insn.h"

/* Major opcodes. */

/* Returns bits [hi:lo] of an instruction. */
static uint32_t bits_between(uint32_t bits, unsigned hi, unsigned lo)
{
	return bits >> lo & ((2U << (hi - lo)) - 1U);
}

static uint32_t extend_sign(uint32_t value, unsigned width)
{
	uint32_t top = 1U << (width - 1);

	return (value ^ top) - top;
}

static uint32_t i_type(uint32_t imm, uint32_t rs1, uint32_t f3, uint32_t rd, uint32_t op)
{
	return imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static uint32_t s_type(uint32_t imm, uint32_t rs2, uint32_t rs1, uint32_t f3, uint32_t op)
{
	return bits_between(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
	       bits_between(imm, 4, 0) << 7 | op;
}

static uint32_t r_type(uint32_t f7, uint32_t rs2, uint32_t rs1, uint32_t f3, uint32_t rd,
		       uint32_t op)
{
	return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static uint32_t b_type(uint32_t imm, uint32_t rs1, uint32_t f3)
{
	return bits_between(imm, 12, 12) << 31 | bits_between(imm, 10, 5) << 25 |
	       rs1 << 15 | f3 << 12 | bits_between(imm, 4, 1) << 8 |
	       bits_between(imm, 11, 11) << 7 | TR_OPCODE_BRANCH;
}

static uint32_t j_type(uint32_t imm, uint32_t rd)
{
	return bits_between(imm, 20, 20) << 31 | bits_between(imm, 10, 1) << 21 |
	       bits_between(imm, 11, 11) << 20 | bits_between(imm, 19, 12) << 12 |
	       rd << 7 | TR_OPCODE_JAL;
}

/* Quadrant 0: addi4spn, and loads and stores of x8 to x15. */
static uint32_t expand_quadrant0(uint32_t c)
{
	uint32_t rd = 8 + bits_between(c, 4, 2), rs1 = 8 + bits_between(c, 9, 7);
	uint32_t word = bits_between(c, 12, 10) << 3 | bits_between(c, 6, 6) << 2 |
			bits_between(c, 5, 5) << 6;
	uint32_t twice = bits_between(c, 12, 10) << 3 | bits_between(c, 6, 5) << 6;
	uint32_t imm;

	switch (bits_between(c, 15, 13)) {
	case 0:
		imm = bits_between(c, 12, 11) << 4 | bits_between(c, 10, 7) << 6 |
		      bits_between(c, 6, 6) << 2 | bits_between(c, 5, 5) << 3;
		return imm ? i_type(imm, 2, 0, rd, TR_OPCODE_OP_IMM) : 0;
	case 1:
		return i_type(twice, rs1, 3, rd, TR_OPCODE_LOAD_FP);
	case 2:
		return i_type(word, rs1, 2, rd, TR_OPCODE_LOAD);
	case 3:
		return i_type(twice, rs1, 3, rd, TR_OPCODE_LOAD);
	case 5:
		return s_type(twice, rd, rs1, 3, TR_OPCODE_STORE_FP);
	case 6:
		return s_type(word, rd, rs1, 2, TR_OPCODE_STORE);
	case 7:
		return s_type(twice, rd, rs1, 3, TR_OPCODE_STORE);
	default: /* reserved */
		return 0;
	}
}

static uint32_t expand_alu(uint32_t c, uint32_t imm)
{
	static const uint8_t f3[4] = {0, 4, 6, 7}; /* sub xor or and */
	uint32_t rd = 8 + bits_between(c, 9, 7), rs2 = 8 + bits_between(c, 4, 2);
	uint32_t which = bits_between(c, 6, 5);

	switch (bits_between(c, 11, 10)) {
	case 0:
		return i_type(imm & 0x3f, rd, 5, rd, TR_OPCODE_OP_IMM);
	case 1:
		return i_type((imm & 0x3f) | 0x400, rd, 5, rd, TR_OPCODE_OP_IMM);
	case 2:
		return i_type(imm & 0xfff, rd, 7, rd, TR_OPCODE_OP_IMM);
	default:
		if (!bits_between(c, 12, 12))
			return r_type(which ? 0 : 0x20, rs2, rd, f3[which], rd,
				      TR_OPCODE_OP);
		if (which > 1)
			return 0;
		return r_type(which ? 0 : 0x20, rs2, rd, 0, rd, TR_OPCODE_OP_32);
	}
}

/* lui, or addi16sp if the register is x2. */
static uint32_t expand_lui(uint32_t c, uint32_t imm)
{
	uint32_t rd = bits_between(c, 11, 7);

	if (rd == 2) {
		uint32_t big = extend_sign(
		    bits_between(c, 12, 12) << 9 | bits_between(c, 6, 6) << 4 |
			bits_between(c, 5, 5) << 6 | bits_between(c, 4, 3) << 7 |
			bits_between(c, 2, 2) << 5,
		    10);
		return big ? i_type(big & 0xfff, 2, 0, 2, TR_OPCODE_OP_IMM) : 0;
	}
	return imm ? (imm & 0xfffff) << 12 | rd << 7 | 0x37 : 0;
}

/* Quadrant 1: immediates, jumps and branches. */
static uint32_t expand_quadrant1(uint32_t c)
{
	uint32_t rd = bits_between(c, 11, 7), rs1 = 8 + bits_between(c, 9, 7);
	uint32_t imm =
	    extend_sign(bits_between(c, 12, 12) << 5 | bits_between(c, 6, 2), 6);
	uint32_t jump =
	    extend_sign(bits_between(c, 12, 12) << 11 | bits_between(c, 11, 11) << 4 |
			    bits_between(c, 10, 9) << 8 | bits_between(c, 8, 8) << 10 |
			    bits_between(c, 7, 7) << 6 | bits_between(c, 6, 6) << 7 |
			    bits_between(c, 5, 3) << 1 | bits_between(c, 2, 2) << 5,
			12);
	uint32_t branch =
	    extend_sign(bits_between(c, 12, 12) << 8 | bits_between(c, 11, 10) << 3 |
			    bits_between(c, 6, 5) << 6 | bits_between(c, 4, 3) << 1 |
			    bits_between(c, 2, 2) << 5,
			9);

	switch (bits_between(c, 15, 13)) {
	case 0:
		return i_type(imm & 0xfff, rd, 0, rd, TR_OPCODE_OP_IMM);
	case 1:
		return rd ? i_type(imm & 0xfff, rd, 0, rd, TR_OPCODE_OP_IMM_32) : 0;
	case 2:
		return i_type(imm & 0xfff, 0, 0, rd, TR_OPCODE_OP_IMM);
	case 3:
		return expand_lui(c, imm);
	case 4:
		return expand_alu(c, imm);
	case 5:
		return j_type(jump, 0);
	case 6:
		return b_type(branch, rs1, 0);
	default:
		return b_type(branch, rs1, 1);
	}
}

static uint32_t expand_jump(uint32_t c)
{
	uint32_t rd = bits_between(c, 11, 7), rs2 = bits_between(c, 6, 2);
	bool high = bits_between(c, 12, 12);

	if (rs2)
		return r_type(0, rs2, high ? rd : 0, 0, rd, TR_OPCODE_OP);
	if (rd)
		return i_type(0, rd, 0, high, TR_OPCODE_JALR);
	return high ? 0x00100073 : 0;
}

/* Quadrant 2: shifts, register moves and jumps, and the stack. */
static uint32_t expand_quadrant2(uint32_t c)
{
	uint32_t rd = bits_between(c, 11, 7), rs2 = bits_between(c, 6, 2);
	uint32_t word = bits_between(c, 12, 12) << 5 | bits_between(c, 6, 4) << 2 |
			bits_between(c, 3, 2) << 6;
	uint32_t twice = bits_between(c, 12, 12) << 5 | bits_between(c, 6, 5) << 3 |
			 bits_between(c, 4, 2) << 6;

	switch (bits_between(c, 15, 13)) {
	case 0:
		return i_type(bits_between(c, 12, 12) << 5 | rs2, rd, 1, rd,
			      TR_OPCODE_OP_IMM);
	case 1:
		return i_type(twice, 2, 3, rd, TR_OPCODE_LOAD_FP);
	case 2:
		return rd ? i_type(word, 2, 2, rd, TR_OPCODE_LOAD) : 0;
	case 3:
		return rd ? i_type(twice, 2, 3, rd, TR_OPCODE_LOAD) : 0;
	case 4:
		return expand_jump(c);
	case 5:
		return s_type(bits_between(c, 12, 10) << 3 | bits_between(c, 9, 7) << 6,
			      rs2, 2, 3, TR_OPCODE_STORE_FP);
	case 6:
		return s_type(bits_between(c, 12, 9) << 2 | bits_between(c, 8, 7) << 6,
			      rs2, 2, 2, TR_OPCODE_STORE);
	default:
		return s_type(bits_between(c, 12, 10) << 3 | bits_between(c, 9, 7) << 6,
			      rs2, 2, 3, TR_OPCODE_STORE);
	}
}

uint32_t soc_expand(uint32_t bits)
{
	switch (bits & 3U) {
	case 0:
		return expand_quadrant0(bits);
	case 1:
		return expand_quadrant1(bits);
	default:
		return expand_quadrant2(bits);
	}
}
