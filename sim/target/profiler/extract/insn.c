/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the kind, target and integer registers of instructions: those of 32 bits. */
#include "insn_internal.h"

#include "base/little.h"
#include "stream/decode.h"
#include "stream/insn.h"

#define UNIMP	      UINT32_C(0xc0001073)
#define ALL_REGISTERS UINT32_C(0xfffffffe)

enum { RV64GC = 64 | TR_ISA_ZCD };

static uint32_t rd_of(uint32_t insn)
{
	return insn >> 7 & 31;
}

static uint32_t rs1_of(uint32_t insn)
{
	return insn >> 15 & 31;
}

static uint32_t rs2_of(uint32_t insn)
{
	return insn >> 20 & 31;
}

static uint32_t funct3_of(uint32_t insn)
{
	return insn >> 12 & 7;
}

/* Of the formats with rd, rs1 and rs2, with rd and rs1, with rs1 and rs2. */
static void set_r(struct prof_insn *insn)
{
	prof_set_registers(
	    insn, prof_mask_of(rs1_of(insn->bits)) | prof_mask_of(rs2_of(insn->bits)),
	    prof_mask_of(rd_of(insn->bits)));
}

static void set_i(struct prof_insn *insn)
{
	prof_set_registers(insn, prof_mask_of(rs1_of(insn->bits)),
			   prof_mask_of(rd_of(insn->bits)));
}

static void set_s(struct prof_insn *insn)
{
	prof_set_registers(
	    insn, prof_mask_of(rs1_of(insn->bits)) | prof_mask_of(rs2_of(insn->bits)), 0);
}

/* Of OP: for each funct7 the values of funct3 that are instructions, as bits. */
static bool knows_op(uint32_t bits)
{
	static const uint8_t known[128] = {
	    [0x00] = 0xff, [0x01] = 0xff, /* I, M */
	    [0x20] = 0xf1, [0x04] = 0x90, /* sub, sra, xnor, orn, andn; pack, packh */
	    [0x05] = 0xfe, [0x07] = 0xa0, /* clmul, min, max; czero */
	    [0x10] = 0x54, [0x30] = 0x22, /* sh1add and on; rol, ror */
	    [0x14] = 0x16, [0x24] = 0x22, /* bset, xperm; bclr, bext */
	    [0x34] = 0x02, [0x19] = 0x01, /* binv; aes64 */
	    [0x1b] = 0x01, [0x1d] = 0x01, [0x1f] = 0x01, [0x3f] = 0x01,
	    [0x18] = 0x01, [0x38] = 0x01, [0x58] = 0x01, [0x78] = 0x01, /* sm4ed */
	    [0x1a] = 0x01, [0x3a] = 0x01, [0x5a] = 0x01, [0x7a] = 0x01, /* sm4ks */
	};
	return known[bits >> 25] >> funct3_of(bits) & 1;
}

static bool knows_op_32(uint32_t bits)
{
	static const uint8_t known[128] = {
	    [0x00] = 0x23, [0x01] = 0xf1,
	    [0x20] = 0x21, /* I, M */
	    [0x04] = 0x11, [0x10] = 0x54,
	    [0x30] = 0x22, /* add.uw, packw; sh1add.uw; rolw
			    */
	};
	return known[bits >> 25] >> funct3_of(bits) & 1;
}

/* Returns true for the operations of one operand that have the place of slli, whose
 * immediate value says which it is. */
static bool knows_unary(uint32_t value)
{
	return (value >= 0x600 && value <= 0x605 && value != 0x603) || /* clz, sext */
	       (value >= 0x100 && value <= 0x109) ||		       /* sha, sm3 */
	       value == 0x300 || (value >= 0x310 && value <= 0x31a);   /* aes64im, ks1i */
}

static bool knows_op_imm(uint32_t bits)
{
	const uint32_t value = bits >> 20, funct6 = bits >> 26;
	switch (funct3_of(bits)) {
	case 1: /* slli, bseti, bclri, binvi */
		return funct6 == 0 || funct6 == 0x0a || funct6 == 0x12 ||
		       funct6 == 0x1a || knows_unary(value);
	case 5: /* srli, srai, rori, bexti; orc.b, brev8, rev8 */
		return funct6 == 0 || funct6 == 0x10 || funct6 == 0x18 ||
		       funct6 == 0x12 || value == 0x287 || value == 0x687 ||
		       value == 0x6b8;
	default:
		return true;
	}
}

static bool knows_op_imm_32(uint32_t bits)
{
	const uint32_t value = bits >> 20, funct7 = bits >> 25;
	switch (funct3_of(bits)) {
	case 0:
		return true;
	case 1: /* slliw, slli.uw, clzw, ctzw, cpopw */
		return funct7 == 0 || funct7 >> 1 == 2 ||
		       (value >= 0x600 && value <= 0x602);
	case 5: /* srliw, sraiw, roriw */
		return funct7 == 0 || funct7 == 0x20 || funct7 == 0x30;
	default:
		return false;
	}
}

/* amocas.q reads and writes pairs of registers; with x0 there is no pair. */
static uint32_t pair_of(uint32_t reg)
{
	return reg ? prof_mask_of(reg) | prof_mask_of(reg | 1) : 0;
}

static void decode_atomic(struct prof_insn *insn)
{
	/* swap, add, xor, or, and, min, max, minu, maxu */
	const uint32_t amo = 0x11111113;
	const uint32_t bits = insn->bits, width = funct3_of(bits), rd = rd_of(bits);
	switch (bits >> 27) {
	case 2: /* lr */
		if ((width == 2 || width == 3) && !rs2_of(bits))
			set_i(insn);
		return;
	case 3: /* sc */
	case 9: /* ssamoswap */
		if (width == 2 || width == 3)
			set_r(insn);
		return;
	case 5: /* amocas */
		if (width < 4) {
			set_r(insn);
			insn->reads |= prof_mask_of(rd);
		} else if (width == 4 && !((rd | rs2_of(bits)) & 1)) {
			prof_set_registers(insn,
					   prof_mask_of(rs1_of(bits)) | pair_of(rd) |
					       pair_of(rs2_of(bits)),
					   pair_of(rd));
		}
		return;
	default:
		if (width < 4 && amo >> (bits >> 27) & 1)
			set_r(insn);
	}
}

/* Loads and stores of floating-point and vector registers have an integer register for
 * the address, and some of vectors one for the stride. */
static void decode_float_access(struct prof_insn *insn)
{
	const uint32_t bits = insn->bits, width = funct3_of(bits);
	const bool is_vector = width == 0 || width >= 5;
	uint32_t reads = prof_mask_of(rs1_of(bits));
	if (is_vector && bits >> 28 & 1)
		return;
	if (is_vector && (bits >> 26 & 3) == 2)
		reads |= prof_mask_of(rs2_of(bits));
	prof_set_registers(insn, reads, 0);
}

static void decode_op_float(struct prof_insn *insn)
{
	const uint32_t bits = insn->bits;
	switch (bits >> 27) {
	case 0x00: /* add, sub, mul, div, sgnj, min, cvt, sqrt */
	case 0x01:
	case 0x02:
	case 0x03:
	case 0x04:
	case 0x05:
	case 0x08:
	case 0x0b:
		prof_set_registers(insn, 0, 0);
		return;
	case 0x14: /* comparisons, conversions to integers, fmv.x, fclass */
	case 0x18:
	case 0x1c:
		prof_set_registers(insn, 0, prof_mask_of(rd_of(bits)));
		return;
	case 0x1a: /* conversions of integers, fmv of integers, fli */
	case 0x1e:
		prof_set_registers(
		    insn,
		    bits >> 27 == 0x1e && rs2_of(bits) ? 0 : prof_mask_of(rs1_of(bits)),
		    0);
		return;
	default:
		return;
	}
}

static void decode_op_vector(struct prof_insn *insn)
{
	const uint32_t bits = insn->bits;
	switch (funct3_of(bits)) {
	case 2: /* vmv.x.s, vcpop.m, vfirst.m have the funct6 0x10 */
		prof_set_registers(insn, 0,
				   bits >> 26 == 0x10 ? prof_mask_of(rd_of(bits)) : 0);
		return;
	case 4:
	case 6:
		prof_set_registers(insn, prof_mask_of(rs1_of(bits)), 0);
		return;
	case 7: /* vsetvli, vsetivli, vsetvl */
		if (!(bits >> 31))
			set_i(insn);
		else if (bits >> 30 & 1)
			prof_set_registers(insn, 0, prof_mask_of(rd_of(bits)));
		else if (bits >> 25 == 0x40)
			set_r(insn);
		return;
	default:
		prof_set_registers(insn, 0, 0);
	}
}

static void decode_system(struct prof_insn *insn)
{
	const uint32_t bits = insn->bits, wrs_nto = 0x00d00073, wrs_sto = 0x01d00073;
	if (bits == TR_INSN_ECALL) {
		prof_set_registers(insn, 0x3fc00, 0);
		insn->kind = PROF_ECALL;
	} else if (bits == TR_INSN_EBREAK || bits == UNIMP) {
		prof_set_registers(insn, 0, 0);
		insn->kind = PROF_EBREAK;
	} else if (bits == wrs_nto || bits == wrs_sto) {
		prof_set_registers(insn, 0, 0);
	} else if (tr_insn_is_csr(bits)) {
		if (bits >> 28 & 3) /* not a user's */
			return;
		set_i(insn);
		if (funct3_of(bits) > 4)
			insn->reads = 0;
	} else if ((bits & 0xb3c0707f) == 0x81c04073) { /* mop.r */
		set_i(insn);
	} else if ((bits & 0xb200707f) == 0x82004073) { /* mop.rr */
		set_r(insn);
	}
}

static void decode_misc_mem(struct prof_insn *insn)
{
	const uint32_t bits = insn->bits, value = bits >> 20;
	if (funct3_of(bits) < 2) /* fence, fence.i */
		prof_set_registers(insn, 0, 0);
	else if (funct3_of(bits) == 2 && !rd_of(bits) && value <= 4 &&
		 value != 3) /* cbo */
		set_i(insn);
}

/* Control transfers and auipc. */
static void decode_relative(struct prof_insn *insn, uint64_t address)
{
	const uint32_t bits = insn->bits, rd = rd_of(bits);
	switch (tr_insn_opcode(bits)) {
	case TR_OPCODE_AUIPC:
		if (!rd) /* lpad */
			return;
		prof_set_registers(insn, 0, prof_mask_of(rd));
		prof_set_kind(insn, PROF_AUIPC);
		insn->target = address + (uint64_t)(int64_t)(int32_t)(bits & 0xfffff000);
		return;
	case TR_OPCODE_JAL:
		prof_set_registers(insn, 0, prof_mask_of(rd));
		prof_set_kind(insn, rd ? PROF_CALL : PROF_JUMP);
		return;
	case TR_OPCODE_JALR:
		if (funct3_of(bits))
			return;
		set_i(insn);
		prof_set_kind(insn, prof_classify_jump(rd, rs1_of(bits)));
		return;
	default: /* of branches, funct3 2 and 3 are none */
		if (funct3_of(bits) >> 1 == 1)
			return;
		set_s(insn);
		prof_set_kind(insn, PROF_BRANCH);
	}
}

/* Accesses and operations on integer registers. */
static void decode_integer(struct prof_insn *insn)
{
	const uint32_t bits = insn->bits;
	switch (tr_insn_opcode(bits)) {
	case TR_OPCODE_LUI:
		prof_set_registers(insn, 0, prof_mask_of(rd_of(bits)));
		return;
	case TR_OPCODE_LOAD:
		if (funct3_of(bits) != 7)
			set_i(insn);
		return;
	case TR_OPCODE_STORE:
		if (funct3_of(bits) < 4)
			set_s(insn);
		return;
	case TR_OPCODE_OP_IMM:
		if (knows_op_imm(bits))
			set_i(insn);
		return;
	case TR_OPCODE_OP_IMM_32:
		if (knows_op_imm_32(bits))
			set_i(insn);
		return;
	case TR_OPCODE_OP:
		if (knows_op(bits))
			set_r(insn);
		return;
	default: /* OP_32 */
		if (knows_op_32(bits))
			set_r(insn);
	}
}

/* Floating point and vectors. */
static void decode_float(struct prof_insn *insn)
{
	switch (tr_insn_opcode(insn->bits)) {
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_STORE_FP:
		decode_float_access(insn);
		return;
	case TR_OPCODE_OP_FP:
		decode_op_float(insn);
		return;
	case TR_OPCODE_OP_V:
		decode_op_vector(insn);
		return;
	case TR_OPCODE_OP_VE:
		if (funct3_of(insn->bits) == 2)
			prof_set_registers(insn, 0, 0);
		return;
	default: /* multiplications with additions */
		prof_set_registers(insn, 0, 0);
	}
}

static void decode_full(struct prof_insn *insn, uint64_t address)
{
	switch (tr_insn_opcode(insn->bits)) {
	case TR_OPCODE_AUIPC:
	case TR_OPCODE_JAL:
	case TR_OPCODE_JALR:
	case TR_OPCODE_BRANCH:
		decode_relative(insn, address);
		return;
	case TR_OPCODE_LUI:
	case TR_OPCODE_LOAD:
	case TR_OPCODE_STORE:
	case TR_OPCODE_OP_IMM:
	case TR_OPCODE_OP_IMM_32:
	case TR_OPCODE_OP:
	case TR_OPCODE_OP_32:
		decode_integer(insn);
		return;
	case TR_OPCODE_AMO:
		decode_atomic(insn);
		return;
	case TR_OPCODE_MISC_MEM:
		decode_misc_mem(insn);
		return;
	case TR_OPCODE_SYSTEM:
		decode_system(insn);
		return;
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_STORE_FP:
	case TR_OPCODE_OP_FP:
	case TR_OPCODE_OP_V:
	case TR_OPCODE_OP_VE:
	case TR_OPCODE_MADD:
	case TR_OPCODE_MSUB:
	case TR_OPCODE_NMSUB:
	case TR_OPCODE_NMADD:
		decode_float(insn);
		return;
	default:
		return;
	}
}

struct prof_insn prof_decode_insn(const uint8_t *code, uint64_t room, uint64_t address)
{
	struct prof_insn insn = {.kind = PROF_UNKNOWN, .reads = ALL_REGISTERS};
	if (room < 2)
		return insn;
	insn.bits = tr_load16(code);
	insn.length = (insn.bits & 3) == 3 ? 4 : 2;
	if (insn.length == 4) {
		if ((insn.bits & 0x1f) == 0x1f || room < 4) {
			insn.length = 0;
			return insn;
		}
		insn.bits = tr_load32(code);
		decode_full(&insn, address);
	} else {
		prof_decode_compressed(&insn);
	}
	if (insn.kind >= PROF_BRANCH)
		insn.has_target =
		    tr_decode_target(code, insn.length, RV64GC, address, &insn.target);
	return insn;
}
