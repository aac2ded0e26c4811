/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes control transfers of RV32 and RV64 with C. */
#include <stdbool.h>

#include "stream/sp.h"
#include "unwind/decode.h"

enum {
	OPCODE_BRANCH = 0x63,
	OPCODE_JALR = 0x67,
	OPCODE_JAL = 0x6f,
	OPCODE_SYSTEM = 0x73,
};

static bool is_link(uint32_t reg)
{
	return reg == 1 || reg == 5;
}

static enum tr_flow decode_jalr(uint32_t rd, uint32_t rs1)
{
	if (!is_link(rd))
		return is_link(rs1) ? TR_FLOW_RETURN : TR_FLOW_INDIRECT;
	if (is_link(rs1) && rs1 != rd)
		return TR_FLOW_SWAP;
	return TR_FLOW_CALL;
}

static enum tr_flow decode_system(uint32_t insn)
{
	switch (insn) {
	case 0x00200073: /* uret */
	case 0x10200073: /* sret */
	case 0x30200073: /* mret */
	case 0x70200073: /* mnret */
	case 0x7b200073: /* dret */
		return TR_FLOW_XRET;
	default:
		return TR_FLOW_NEXT;
	}
}

static enum tr_flow decode_full(uint32_t insn)
{
	uint32_t rd = insn >> 7 & 31;

	switch (insn & 0x7f) {
	case OPCODE_BRANCH:
		return TR_FLOW_BRANCH;
	case OPCODE_JALR:
		if (insn >> 12 & 7)
			return TR_FLOW_NEXT;
		return decode_jalr(rd, insn >> 15 & 31);
	case OPCODE_JAL:
		return is_link(rd) ? TR_FLOW_CALL : TR_FLOW_JUMP;
	case OPCODE_SYSTEM:
		return decode_system(insn);
	default:
		return TR_FLOW_NEXT;
	}
}

/* c.jr and c.jalr share quadrant 2, funct3 4, with c.mv, c.add and c.ebreak. */
static enum tr_flow decode_c_jr(uint32_t insn)
{
	uint32_t rs1 = insn >> 7 & 31, rs2 = insn >> 2 & 31;

	if (rs1 == 0 || rs2 != 0)
		return TR_FLOW_NEXT;
	return decode_jalr(insn >> 12 & 1, rs1);
}

static enum tr_flow decode_compressed(uint32_t insn, unsigned xlen)
{
	switch ((insn & 3) << 3 | insn >> 13) {
	case 1 << 3 | 1:
		return xlen == 32 ? TR_FLOW_CALL : TR_FLOW_NEXT;
	case 1 << 3 | 5:
		return TR_FLOW_JUMP;
	case 1 << 3 | 6:
	case 1 << 3 | 7:
		return TR_FLOW_BRANCH;
	case 2 << 3 | 4:
		return decode_c_jr(insn);
	default:
		return TR_FLOW_NEXT;
	}
}

static uint32_t bits_of(const uint8_t *code, unsigned bytes)
{
	uint32_t low = (uint32_t)code[0] | (uint32_t)code[1] << 8;
	return bytes == 4 ? low | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24 : low;
}

bool tr_decode_is_alternate(const uint8_t *code, unsigned bytes)
{
	uint32_t insn = bits_of(code, bytes);
	bool is_jump = (insn & 0x7f) == OPCODE_JAL || (insn & 0x707f) == OPCODE_JALR;
	return bytes == 4 && is_jump && (insn >> 7 & 31) == 5;
}

bool tr_decode_adds_to_sp(const uint8_t *code, unsigned bytes)
{
	uint32_t insn = bits_of(code, bytes), rs1 = insn >> 15 & 31,
		 rs2 = insn >> 20 & 31;
	int64_t sum;
	if (tr_sp_adds(insn, &sum))
		return true;
	if (bytes == 2) /* c.add sp, rs2 */
		return (insn & 0xff83) == 0x9102 && insn >> 2 & 31;
	switch (insn & 0xfe007fff) {
	case 0x00000133: /* add sp, rs1, rs2 */
		return rs1 == 2 || rs2 == 2;
	case 0x40000133: /* sub sp, rs1, rs2 */
		return rs1 == 2;
	default: /* andi sp, sp, n */
		return (insn & 0xfffff) == 0x17113;
	}
}

enum tr_flow tr_decode_flow(const uint8_t *code, unsigned bytes, unsigned xlen)
{
	if (bytes == 2)
		return decode_compressed(bits_of(code, bytes), xlen);
	return bytes == 4 ? decode_full(bits_of(code, bytes)) : TR_FLOW_NEXT;
}
