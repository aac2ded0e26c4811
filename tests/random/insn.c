/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of RV64IMAC: the table, and encoders. */
#include "insn.h"

const struct insn_kind insn_kinds[INSN_COUNT] = {
#define X(name, bits, fixed) {#name, bits, fixed, 0},
    INSN_TABLE(X)
#undef X
#define X(name, bits, fixed, some) {#name, bits, fixed, some},
	INSN_TABLE_C(X)
#undef X
};

int insn_find(uint32_t bits)
{
	int i = (bits & 3) == 3 ? 0 : INSN_c_addi4spn;
	int end = (bits & 3) == 3 ? INSN_c_addi4spn : INSN_COUNT;

	for (; i < end; i++) {
		const struct insn_kind *k = &insn_kinds[i];

		if ((bits & k->fixed) == k->bits)
			return k->some && !(bits & k->some) ? -1 : i;
	}
	return -1;
}

bool insn_is_float(uint32_t bits)
{
	switch (bits & 0x7f) {
	case 0x07:
	case 0x27:
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f:
	case 0x53:
		return true;
	default: /* fld, fsd, fldsp and fsdsp of 16 bits */
		return (bits & 3) != 3 && (bits & 1) == 0 && (bits >> 13 & 3) == 1;
	}
}

/* Returns bits [hi:lo] of a value, moved to bit `at`. */
static uint32_t place(int value, unsigned hi, unsigned lo, unsigned at)
{
	return ((uint32_t)value >> lo & ((2U << (hi - lo)) - 1U)) << at;
}

uint32_t insn_r(enum insn insn, unsigned rd, unsigned rs1, unsigned rs2)
{
	return insn_kinds[insn].bits | rd << 7 | rs1 << 15 | rs2 << 20;
}

uint32_t insn_i(enum insn insn, unsigned rd, unsigned rs1, int imm)
{
	uint32_t field = place(imm, 11, 0, 20) & ~insn_kinds[insn].fixed;

	return insn_kinds[insn].bits | rd << 7 | rs1 << 15 | field;
}

uint32_t insn_s(enum insn insn, unsigned rs2, unsigned rs1, int imm)
{
	return insn_r(insn, 0, rs1, rs2) | place(imm, 4, 0, 7) | place(imm, 11, 5, 25);
}

uint32_t insn_b(enum insn insn, unsigned rs1, unsigned rs2, int offset)
{
	return insn_r(insn, 0, rs1, rs2) | place(offset, 12, 12, 31) |
	       place(offset, 10, 5, 25) | place(offset, 4, 1, 8) |
	       place(offset, 11, 11, 7);
}

uint32_t insn_u(enum insn insn, unsigned rd, uint32_t imm20)
{
	return insn_kinds[insn].bits | rd << 7 | imm20 << 12;
}

uint32_t insn_jal(unsigned rd, int offset)
{
	return insn_kinds[INSN_jal].bits | rd << 7 | place(offset, 20, 20, 31) |
	       place(offset, 10, 1, 21) | place(offset, 11, 11, 20) |
	       place(offset, 19, 12, 12);
}

uint32_t insn_csr(enum insn insn, unsigned rd, unsigned csr, unsigned operand)
{
	return insn_kinds[insn].bits | rd << 7 | operand << 15 | csr << 20;
}

static uint16_t short_of(enum insn insn, uint32_t fields)
{
	return (uint16_t)(insn_kinds[insn].bits | fields);
}

uint16_t insn_ci(enum insn insn, unsigned rd, int imm6)
{
	return short_of(insn, rd << 7 | place(imm6, 5, 5, 12) | place(imm6, 4, 0, 2));
}

uint16_t insn_cr(enum insn insn, unsigned rd, unsigned rs2)
{
	return short_of(insn, rd << 7 | rs2 << 2);
}

uint16_t insn_ca(enum insn insn, unsigned rd, unsigned rs2)
{
	return short_of(insn, (rd & 7) << 7 | (rs2 & 7) << 2);
}

uint16_t insn_cb(enum insn insn, unsigned rd, int imm6)
{
	return short_of(insn,
			(rd & 7) << 7 | place(imm6, 5, 5, 12) | place(imm6, 4, 0, 2));
}

uint16_t insn_c_branch(enum insn insn, unsigned rs1, int offset)
{
	return short_of(insn, (rs1 & 7) << 7 | place(offset, 8, 8, 12) |
				  place(offset, 4, 3, 10) | place(offset, 7, 6, 5) |
				  place(offset, 2, 1, 3) | place(offset, 5, 5, 2));
}

uint16_t insn_c_jump(int offset)
{
	return short_of(INSN_c_j, place(offset, 11, 11, 12) | place(offset, 4, 4, 11) |
				      place(offset, 9, 8, 9) | place(offset, 10, 10, 8) |
				      place(offset, 6, 6, 7) | place(offset, 7, 7, 6) |
				      place(offset, 3, 1, 3) | place(offset, 5, 5, 2));
}

uint16_t insn_c_memory(enum insn insn, unsigned r, unsigned base, unsigned offset)
{
	uint32_t fields = (r & 7) << 2 | (base & 7) << 7 | place((int)offset, 5, 3, 10);

	if (insn == INSN_c_lw || insn == INSN_c_sw)
		fields |= place((int)offset, 2, 2, 6) | place((int)offset, 6, 6, 5);
	else
		fields |= place((int)offset, 7, 6, 5);
	return short_of(insn, fields);
}

uint16_t insn_c_stack(enum insn insn, unsigned r, unsigned offset)
{
	int o = (int)offset;

	switch (insn) {
	case INSN_c_lwsp:
		return short_of(insn, r << 7 | place(o, 5, 5, 12) | place(o, 4, 2, 4) |
					  place(o, 7, 6, 2));
	case INSN_c_ldsp:
		return short_of(insn, r << 7 | place(o, 5, 5, 12) | place(o, 4, 3, 5) |
					  place(o, 8, 6, 2));
	case INSN_c_swsp:
		return short_of(insn, r << 2 | place(o, 5, 2, 9) | place(o, 7, 6, 7));
	default:
		return short_of(INSN_c_sdsp,
				r << 2 | place(o, 5, 3, 10) | place(o, 8, 6, 7));
	}
}

uint16_t insn_c_addi4spn(unsigned rd, unsigned imm)
{
	int i = (int)imm;

	return short_of(INSN_c_addi4spn, (rd & 7) << 2 | place(i, 5, 4, 11) |
					     place(i, 9, 6, 7) | place(i, 2, 2, 6) |
					     place(i, 3, 3, 5));
}

uint16_t insn_c_addi16sp(int imm)
{
	return short_of(INSN_c_addi16sp, place(imm, 9, 9, 12) | place(imm, 4, 4, 6) |
					     place(imm, 6, 6, 5) | place(imm, 8, 7, 3) |
					     place(imm, 5, 5, 2));
}
