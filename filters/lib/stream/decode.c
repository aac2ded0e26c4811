/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes control transfers of RV32 and RV64 with C, Zcmp and Zcmt. */
#include "stream/decode.h"

#include <stdbool.h>

#include "stream/insn.h"
#include "stream/sp.h"
#include "stream/xlen.h"

static bool is_link(uint32_t reg)
{
	return reg == 1 || reg == 5;
}

static enum tr_flow classify_jalr(uint32_t rd, uint32_t rs1)
{
	if (!is_link(rd))
		return is_link(rs1) ? TR_FLOW_RETURN : TR_FLOW_INDIRECT;
	if (is_link(rs1) && rs1 != rd)
		return TR_FLOW_SWAP;
	return TR_FLOW_CALL;
}

static enum tr_flow classify_system(uint32_t insn)
{
	switch (insn) {
	case TR_INSN_URET:
	case TR_INSN_SRET:
	case TR_INSN_MRET:
	case TR_INSN_MNRET:
	case TR_INSN_DRET:
		return TR_FLOW_XRET;
	default:
		return TR_FLOW_NEXT;
	}
}

static enum tr_flow decode_full(uint32_t insn)
{
	uint32_t rd = insn >> 7 & 31;

	switch (tr_insn_opcode(insn)) {
	case TR_OPCODE_BRANCH:
		return TR_FLOW_BRANCH;
	case TR_OPCODE_JALR:
		if (insn >> 12 & 7)
			return TR_FLOW_NEXT;
		return classify_jalr(rd, insn >> 15 & 31);
	case TR_OPCODE_JAL:
		return is_link(rd) ? TR_FLOW_CALL : TR_FLOW_JUMP;
	case TR_OPCODE_SYSTEM:
		return classify_system(insn);
	default:
		return TR_FLOW_NEXT;
	}
}

/* Decodes c.jr and c.jalr, which share quadrant 2, funct3 4, with c.mv, c.add and
 * c.ebreak. */
static enum tr_flow decode_c_jr(uint32_t insn)
{
	uint32_t rs1 = insn >> 7 & 31, rs2 = insn >> 2 & 31;

	if (rs1 == 0 || rs2 != 0)
		return TR_FLOW_NEXT;
	return classify_jalr(insn >> 12 & 1, rs1);
}

/* Tells the instructions of Zcmp and Zcmt apart, which share quadrant 2, funct3 5. */
static enum tr_zcm decode_zcm(uint32_t insn)
{
	const uint32_t index = insn >> 2 & 255, list = insn >> 4 & 15;

	if ((insn & 0xe003) != 0xa002)
		return TR_ZCM_NONE;
	switch (insn >> 10 & 7) {
	case 0:
		return index < 32 ? TR_ZCM_JT : TR_ZCM_JALT;
	case 3:
		return insn >> 5 & 1 ? TR_ZCM_MOVE : TR_ZCM_NONE;
	case 6:
	case 7:
		break;
	default:
		return TR_ZCM_NONE;
	}
	if (insn >> 8 & 1 || list < 4)
		return TR_ZCM_NONE;
	if (insn >> 10 & 1)
		return TR_ZCM_POPRET;
	return insn >> 9 & 1 ? TR_ZCM_POP : TR_ZCM_PUSH;
}

/* Returns how many bytes the instruction moves sp by: room for the registers of its list,
 * which are ra and the first of s0 to s11 (s10 only with s11), rounded up to 16, plus up
 * to three times 16. */
static int64_t zcm_bytes(uint32_t insn, unsigned xlen)
{
	const uint32_t list = insn >> 4 & 15, registers = list < 15 ? list - 3 : 13;
	return (registers * xlen / 8 + 15) / 16 * 16 + (insn >> 2 & 3) * 16;
}

static enum tr_flow flow_of_zcm(uint32_t insn)
{
	switch (decode_zcm(insn)) {
	case TR_ZCM_POPRET:
		return TR_FLOW_RETURN;
	case TR_ZCM_JT:
		return TR_FLOW_JUMP;
	case TR_ZCM_JALT:
		return TR_FLOW_CALL;
	default:
		return TR_FLOW_NEXT;
	}
}

static enum tr_flow decode_compressed(uint32_t insn, unsigned isa)
{
	switch ((insn & 3) << 3 | insn >> 13) {
	case 1 << 3 | 1:
		return tr_isa_xlen(isa) == 32 ? TR_FLOW_CALL : TR_FLOW_NEXT;
	case 1 << 3 | 5:
		return TR_FLOW_JUMP;
	case 1 << 3 | 6:
	case 1 << 3 | 7:
		return TR_FLOW_BRANCH;
	case 2 << 3 | 4:
		return decode_c_jr(insn);
	case 2 << 3 | 5:
		return isa & TR_ISA_ZCMP ? flow_of_zcm(insn) : TR_FLOW_NEXT;
	default:
		return TR_FLOW_NEXT;
	}
}

static uint32_t load_insn_bits(const uint8_t *code, unsigned bytes)
{
	uint32_t low = (uint32_t)code[0] | (uint32_t)code[1] << 8;
	return bytes == 4 ? low | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24 : low;
}

enum tr_zcm tr_decode_zcm(const uint8_t *code, unsigned bytes)
{
	return bytes == 2 ? decode_zcm(load_insn_bits(code, bytes)) : TR_ZCM_NONE;
}

bool tr_decode_is_alternate(const uint8_t *code, unsigned bytes)
{
	uint32_t insn = load_insn_bits(code, bytes);
	bool is_jump = tr_insn_opcode(insn) == TR_OPCODE_JAL ||
		       tr_insn_with_funct3(insn) == TR_OPCODE_JALR;
	return bytes == 4 && is_jump && (insn >> 7 & 31) == 5;
}

/* Returns true if an instruction of 16 bits writes x2. */
static bool compressed_writes_sp(uint32_t insn, unsigned xlen)
{
	uint32_t funct3 = insn >> 13 & 7, rs2 = insn >> 2 & 31;
	if ((insn >> 7 & 31) != 2)
		return false;
	if ((insn & 3) == 1) /* c.addi, c.addiw or c.jal, c.li, c.addi16sp */
		return funct3 < 4 && (funct3 != 1 || xlen != 32);
	/* c.slli, c.lwsp, c.ldsp or c.flwsp, c.mv, c.add */
	return (insn & 3) == 2 && (funct3 == 0 || funct3 == 2 ||
				   (funct3 == 3 && xlen != 32) || (funct3 == 4 && rs2));
}

/* Returns true if rd of an operation on floating-point registers is an integer register:
 * comparisons, conversions to integers, moves and FCLASS. */
static bool float_writes_integer(uint32_t insn)
{
	const uint32_t funct5 = insn >> 27;
	return funct5 == 0x14 || funct5 == 0x18 || funct5 == 0x1c;
}

/* Returns true if rd of a vector instruction is an integer register: VSETVLI, VSETIVLI,
 * VSETVL, VMV.X.S, VCPOP.M and VFIRST.M. */
static bool vector_writes_integer(uint32_t insn)
{
	const uint32_t funct3 = insn >> 12 & 7;
	return funct3 == 7 || (funct3 == 2 && insn >> 26 == 0x10);
}

/* Returns true if an instruction of 32 bits writes the integer register rd. */
static bool insn_writes_integer(uint32_t insn)
{
	switch (tr_insn_opcode(insn)) {
	case TR_OPCODE_BRANCH:
	case TR_OPCODE_STORE:
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_STORE_FP:
	case TR_OPCODE_MISC_MEM:
	case TR_OPCODE_MADD:
	case TR_OPCODE_MSUB:
	case TR_OPCODE_NMSUB:
	case TR_OPCODE_NMADD:
	case TR_OPCODE_OP_VE:
		return false;
	case TR_OPCODE_OP_FP:
		return float_writes_integer(insn);
	case TR_OPCODE_OP_V:
		return vector_writes_integer(insn);
	case TR_OPCODE_SYSTEM:
		return insn >> 12 & 7;
	default:
		return true;
	}
}

/* Returns true if the instruction writes x2. */
static bool insn_writes_sp(uint32_t insn, unsigned length, unsigned xlen)
{
	if (length == 4)
		return (insn >> 7 & 31) == 2 && insn_writes_integer(insn);
	return length == 2 && compressed_writes_sp(insn, xlen);
}

/* Returns true if an instruction that writes x2 computes it from x2 and another register,
 * or aligns it. */
static bool shifts_sp(uint32_t insn, unsigned length)
{
	const uint32_t rs1 = insn >> 15 & 31, rs2 = insn >> 20 & 31;
	if (length == 2) /* c.add sp, rs2 */
		return (insn & 0xff83) == 0x9102;
	switch (tr_insn_with_funct7(insn)) {
	case 0x00000033: /* add */
	case 0x00007033: /* and */
		return rs1 == 2 || rs2 == 2;
	case 0x40000033: /* sub */
	case 0x40007033: /* andn */
		return rs1 == 2;
	case 0x20002033: /* sh1add, sh2add, sh3add */
	case 0x20004033:
	case 0x20006033:
	case 0x0800003b: /* add.uw, sh1add.uw, sh2add.uw, sh3add.uw */
	case 0x2000203b:
	case 0x2000403b:
	case 0x2000603b:
		return rs2 == 2;
	default:
		return (insn & 0xfffff) == 0x17113; /* andi sp, sp, n */
	}
}

/* Returns true if the instruction is one of Zcmp that moves sp, by *bytes. */
static bool zcm_moves_sp(uint32_t insn, unsigned isa, int64_t *bytes)
{
	const enum tr_zcm zcm = isa & TR_ISA_ZCMP ? decode_zcm(insn) : TR_ZCM_NONE;
	if (zcm != TR_ZCM_PUSH && zcm != TR_ZCM_POP && zcm != TR_ZCM_POPRET)
		return false;
	*bytes = zcm_bytes(insn, tr_isa_xlen(isa));
	if (zcm == TR_ZCM_PUSH)
		*bytes = -*bytes;
	return true;
}

enum tr_sp_effect tr_decode_sp(const uint8_t *code, unsigned length, unsigned isa,
			       int64_t *bytes)
{
	const unsigned xlen = tr_isa_xlen(isa);
	uint32_t insn = load_insn_bits(code, length);
	*bytes = 0;
	if (tr_sp_adds(insn, bytes) || (length == 2 && zcm_moves_sp(insn, isa, bytes)))
		return TR_SP_ADDS;
	if (!insn_writes_sp(insn, length, xlen))
		return TR_SP_KEEPS;
	if (shifts_sp(insn, length))
		return TR_SP_SHIFTS;
	if (length == 2 && insn == 0x8122) /* c.mv sp, s0 */
		return TR_SP_FRAME;
	if (length == 4 && (insn & 0xfffff) == 0x40113) { /* addi sp, s0, n */
		*bytes = (int32_t)insn >> 20;
		return TR_SP_FRAME;
	}
	return TR_SP_LOADS;
}

static int64_t signed_bits(uint32_t value, unsigned bits)
{
	uint32_t sign = UINT32_C(1) << (bits - 1);
	return (int64_t)(value & (sign - 1)) - (int64_t)(value & sign);
}

static int64_t offset_full(uint32_t i)
{
	if (tr_insn_opcode(i) == TR_OPCODE_BRANCH)
		return signed_bits((i >> 8 & 15) << 1 | (i >> 25 & 63) << 5 |
				       (i >> 7 & 1) << 11 | (i >> 31) << 12,
				   13);
	return signed_bits((i >> 21 & 1023) << 1 | (i >> 20 & 1) << 11 |
			       (i >> 12 & 255) << 12 | (i >> 31) << 20,
			   21);
}

static int64_t offset_compressed(uint32_t i)
{
	if ((i >> 13 & 7) >= 6) /* c.beqz, c.bnez */
		return signed_bits((i >> 3 & 3) << 1 | (i >> 10 & 3) << 3 |
				       (i >> 2 & 1) << 5 | (i >> 5 & 3) << 6 |
				       (i >> 12 & 1) << 8,
				   9);
	return signed_bits((i >> 3 & 7) << 1 | (i >> 11 & 1) << 4 | (i >> 2 & 1) << 5 |
			       (i >> 7 & 1) << 6 | (i >> 6 & 1) << 7 | (i >> 9 & 3) << 8 |
			       (i >> 8 & 1) << 10 | (i >> 12 & 1) << 11,
			   12);
}

bool tr_decode_target(const uint8_t *code, unsigned length, unsigned isa, uint64_t pc,
		      uint64_t *target)
{
	uint32_t insn = load_insn_bits(code, length);
	enum tr_flow flow = tr_decode_flow(code, length, isa);
	bool is_direct =
	    length == 2 ? (insn & 3) == 1 : tr_insn_opcode(insn) != TR_OPCODE_JALR;
	if ((flow != TR_FLOW_BRANCH && flow != TR_FLOW_JUMP && flow != TR_FLOW_CALL) ||
	    !is_direct)
		return false;
	int64_t offset = length == 2 ? offset_compressed(insn) : offset_full(insn);
	*target = tr_xlen_wrap(tr_isa_xlen(isa), pc + (uint64_t)offset);
	return true;
}

enum tr_flow tr_decode_flow(const uint8_t *code, unsigned bytes, unsigned isa)
{
	if (bytes == 2)
		return decode_compressed(load_insn_bits(code, bytes), isa);
	return bytes == 4 ? decode_full(load_insn_bits(code, bytes)) : TR_FLOW_NEXT;
}

uint64_t tr_decode_next(const uint8_t *code, unsigned length, unsigned isa, uint64_t pc)
{
	uint64_t target;
	switch (tr_decode_flow(code, length, isa)) {
	case TR_FLOW_NEXT:
		if (!tr_isa_tells_zcm(isa) &&
		    tr_zcm_transfers(tr_decode_zcm(code, length)))
			return TR_EPC_UNKNOWN;
		return tr_xlen_wrap(tr_isa_xlen(isa), pc + length);
	case TR_FLOW_BRANCH:
		return tr_xlen_wrap(tr_isa_xlen(isa), pc + length);
	default:
		return tr_decode_target(code, length, isa, pc, &target) ? target
									: TR_EPC_UNKNOWN;
	}
}
