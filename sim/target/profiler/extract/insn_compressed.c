/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the kind and integer registers of compressed instructions. */
#include "insn_internal.h"
#include "stream/insn.h"

/* Registers x8 to x15 in the lower and the upper place, and those of 5 bits. */
static uint32_t low_of(uint32_t c)
{
	return prof_mask_of(8 + (c >> 2 & 7));
}

static uint32_t high_of(uint32_t c)
{
	return prof_mask_of(8 + (c >> 7 & 7));
}

static uint32_t c_rd_of(uint32_t c)
{
	return prof_mask_of(c >> 7 & 31);
}

static uint32_t c_rs2_of(uint32_t c)
{
	return prof_mask_of(c >> 2 & 31);
}

static const uint32_t sp_mask = 1 << 2;

static void decode_zcb_access(struct prof_insn *insn)
{
	const uint32_t c = insn->bits;
	switch (c >> 10 & 7) {
	case 0: /* c.lbu */
	case 1: /* c.lhu, c.lh */
		prof_set_registers(insn, high_of(c), low_of(c));
		return;
	case 3: /* c.sh */
		if (c >> 6 & 1)
			return;
		/* fallthrough */
	case 2: /* c.sb */
		prof_set_registers(insn, high_of(c) | low_of(c), 0);
		return;
	default:
		return;
	}
}

/* Stack-relative addresses, and loads and stores of x8 to x15. */
static void decode_quadrant0(struct prof_insn *insn)
{
	const uint32_t c = insn->bits;
	switch (c >> 13) {
	case 0: /* c.addi4spn; c.unimp */
		if (c >> 5)
			prof_set_registers(insn, sp_mask, low_of(c));
		if (c == 0) {
			prof_set_registers(insn, 0, 0);
			insn->kind = PROF_EBREAK;
		}
		return;
	case 1: /* c.fld, c.fsd */
	case 5:
		prof_set_registers(insn, high_of(c), 0);
		return;
	case 2: /* c.lw, c.ld */
	case 3:
		prof_set_registers(insn, high_of(c), low_of(c));
		return;
	case 4:
		decode_zcb_access(insn);
		return;
	default: /* c.sw, c.sd */
		prof_set_registers(insn, high_of(c) | low_of(c), 0);
	}
}

static void decode_arithmetic(struct prof_insn *insn)
{
	const uint32_t c = insn->bits, which = c >> 5 & 3, rest = c >> 2 & 7;
	if ((c >> 10 & 3) != 3) /* c.srli, c.srai, c.andi */
		prof_set_registers(insn, high_of(c), high_of(c));
	else if (!(c >> 12 & 1) || which < 3) /* c.sub and on, c.subw, c.addw, c.mul */
		prof_set_registers(insn, high_of(c) | low_of(c), high_of(c));
	else if (rest < 6) /* c.zext.b and on, c.not */
		prof_set_registers(insn, high_of(c), high_of(c));
}

/* c.lui, c.addi16sp and c.mop. */
static void decode_lui(struct prof_insn *insn)
{
	const uint32_t c = insn->bits, rd = c >> 7 & 31;
	const bool is_zero = !(c & 0x107c);
	if (!is_zero)
		prof_set_registers(insn, rd == 2 ? sp_mask : 0, c_rd_of(c));
	else if (rd < 16 && rd & 1)
		prof_set_registers(insn, c_rd_of(c), 0);
}

/* Immediate values, jumps and branches. */
static void decode_quadrant1(struct prof_insn *insn)
{
	const uint32_t c = insn->bits;
	switch (c >> 13) {
	case 0: /* c.addi; c.addiw without x0 */
	case 1:
		if (c >> 13 == 0 || c_rd_of(c))
			prof_set_registers(insn, c_rd_of(c), c_rd_of(c));
		return;
	case 2: /* c.li */
		prof_set_registers(insn, 0, c_rd_of(c));
		return;
	case 3:
		decode_lui(insn);
		return;
	case 4:
		decode_arithmetic(insn);
		return;
	case 5:
		prof_set_registers(insn, 0, 0);
		prof_set_kind(insn, PROF_JUMP);
		return;
	default:
		prof_set_registers(insn, high_of(c), 0);
		prof_set_kind(insn, PROF_BRANCH);
	}
}

/* c.jr, c.mv, c.ebreak, c.jalr, c.add. */
static void decode_move_or_jump(struct prof_insn *insn)
{
	const uint32_t c = insn->bits, rd = c >> 7 & 31;
	const bool links = c >> 12 & 1;
	if (c == TR_INSN_C_EBREAK) {
		prof_set_registers(insn, 0, 0);
		prof_set_kind(insn, PROF_EBREAK);
	} else if (c >> 2 & 31) {
		prof_set_registers(insn, c_rs2_of(c) | (links ? c_rd_of(c) : 0),
				   c_rd_of(c));
	} else if (rd) {
		prof_set_registers(insn, prof_mask_of(rd), links ? prof_mask_of(1) : 0);
		prof_set_kind(insn, prof_classify_jump(links, rd));
	}
}

/* Shifts, moves, jumps to registers, and the stack. */
static void decode_quadrant2(struct prof_insn *insn)
{
	const uint32_t c = insn->bits;
	switch (c >> 13) {
	case 0: /* c.slli */
		prof_set_registers(insn, c_rd_of(c), c_rd_of(c));
		return;
	case 2: /* c.lwsp, c.ldsp, without x0 */
	case 3:
		if (c_rd_of(c))
			prof_set_registers(insn, sp_mask, c_rd_of(c));
		return;
	case 4:
		decode_move_or_jump(insn);
		return;
	case 1: /* c.fldsp, c.fsdsp */
	case 5:
		prof_set_registers(insn, sp_mask, 0);
		return;
	default: /* c.swsp, c.sdsp */
		prof_set_registers(insn, sp_mask | c_rs2_of(c), 0);
	}
}

void prof_decode_compressed(struct prof_insn *insn)
{
	switch (insn->bits & 3) {
	case 0:
		decode_quadrant0(insn);
		return;
	case 1:
		decode_quadrant1(insn);
		return;
	default:
		decode_quadrant2(insn);
	}
}
