/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes 32-bit instructions to operations of the interpreter. */
#include "internal.h"
#include "stream/insn.h"
#include "stream/sp.h"

static int32_t to_signed32(uint32_t value)
{
	return (int32_t)value;
}

static uint32_t f3_of(uint32_t bits)
{
	return bits >> 12 & 7U;
}

static uint32_t f7_of(uint32_t bits)
{
	return bits >> 25;
}

static int32_t imm_i(uint32_t bits)
{
	return to_signed32(bits) >> 20;
}

static int32_t imm_s(uint32_t bits)
{
	return to_signed32(bits & 0xfe000000U) >> 20 | to_signed32(bits >> 7 & 31U);
}

static int32_t imm_b(uint32_t bits)
{
	uint32_t low = (bits >> 7 & 0x1eU) | (bits >> 20 & 0x7e0U) | (bits << 4 & 0x800U);

	return to_signed32(bits & 0x80000000U) >> 19 | to_signed32(low);
}

static int32_t imm_j(uint32_t bits)
{
	uint32_t low = (bits >> 20 & 0x7feU) | (bits >> 9 & 0x800U) | (bits & 0xff000U);

	return to_signed32(bits & 0x80000000U) >> 11 | to_signed32(low);
}

static void decode_imm(uint32_t bits, struct soc_insn *insn)
{
	static const uint8_t code[8] = {SOC_OP_addi,  SOC_OP_slli, SOC_OP_slti,
					SOC_OP_sltiu, SOC_OP_xori, SOC_OP_srli,
					SOC_OP_ori,   SOC_OP_andi};

	insn->code = code[f3_of(bits)];
	insn->imm = imm_i(bits);
	if (insn->code == SOC_OP_slli || insn->code == SOC_OP_srli) {
		insn->imm &= 63;
		if (bits >> 26 == 0x10 && insn->code == SOC_OP_srli)
			insn->code = SOC_OP_srai;
		else if (bits >> 26 != 0)
			insn->code = SOC_OP_illegal;
	} else if (insn->code == SOC_OP_addi && insn->rs1 == 0) {
		insn->code = SOC_OP_li;
	} else if (insn->code == SOC_OP_addi && insn->imm == 0) {
		insn->code = SOC_OP_mv;
	}
}

static void decode_imm_w(uint32_t bits, struct soc_insn *insn)
{
	insn->imm = imm_i(bits);
	switch (f3_of(bits)) {
	case 0:
		insn->code = SOC_OP_addiw;
		return;
	case 1:
		if (f7_of(bits) == 0)
			insn->code = SOC_OP_slliw;
		break;
	case 5:
		if (f7_of(bits) == 0)
			insn->code = SOC_OP_srliw;
		else if (f7_of(bits) == 0x20)
			insn->code = SOC_OP_sraiw;
		break;
	default:
		break;
	}
	insn->imm &= 31;
}

static void decode_op(uint32_t bits, struct soc_insn *insn)
{
	static const uint8_t base[8] = {SOC_OP_add, SOC_OP_sll, SOC_OP_slt, SOC_OP_sltu,
					SOC_OP_xor, SOC_OP_srl, SOC_OP_or,  SOC_OP_and};
	static const uint8_t mul[8] = {SOC_OP_mul,   SOC_OP_mulh, SOC_OP_mulhsu,
				       SOC_OP_mulhu, SOC_OP_div,  SOC_OP_divu,
				       SOC_OP_rem,   SOC_OP_remu};
	uint32_t f3 = f3_of(bits);

	if (f7_of(bits) == 0)
		insn->code = base[f3];
	else if (f7_of(bits) == 1)
		insn->code = mul[f3];
	else if (f7_of(bits) == 0x20 && f3 == 0)
		insn->code = SOC_OP_sub;
	else if (f7_of(bits) == 0x20 && f3 == 5)
		insn->code = SOC_OP_sra;
}

static void decode_op_w(uint32_t bits, struct soc_insn *insn)
{
	switch (f7_of(bits) << 3 | f3_of(bits)) {
	case 0x00 << 3 | 0:
		insn->code = SOC_OP_addw;
		break;
	case 0x20 << 3 | 0:
		insn->code = SOC_OP_subw;
		break;
	case 0x00 << 3 | 1:
		insn->code = SOC_OP_sllw;
		break;
	case 0x00 << 3 | 5:
		insn->code = SOC_OP_srlw;
		break;
	case 0x20 << 3 | 5:
		insn->code = SOC_OP_sraw;
		break;
	case 0x01 << 3 | 0:
		insn->code = SOC_OP_mulw;
		break;
	case 0x01 << 3 | 4:
		insn->code = SOC_OP_divw;
		break;
	case 0x01 << 3 | 5:
		insn->code = SOC_OP_divuw;
		break;
	case 0x01 << 3 | 6:
		insn->code = SOC_OP_remw;
		break;
	case 0x01 << 3 | 7:
		insn->code = SOC_OP_remuw;
		break;
	default:
		break;
	}
}

static void decode_int_load(uint32_t bits, struct soc_insn *insn)
{
	static const uint8_t code[8] = {SOC_OP_lb,  SOC_OP_lh,	   SOC_OP_lw,
					SOC_OP_ld,  SOC_OP_lbu,	   SOC_OP_lhu,
					SOC_OP_lwu, SOC_OP_illegal};

	insn->code = code[f3_of(bits)];
	insn->imm = imm_i(bits);
}

static void decode_int_store(uint32_t bits, struct soc_insn *insn)
{
	static const uint8_t code[4] = {SOC_OP_sb, SOC_OP_sh, SOC_OP_sw, SOC_OP_sd};

	insn->rd = 0;
	insn->imm = imm_s(bits);
	if (f3_of(bits) < 4)
		insn->code = code[f3_of(bits)];
}

static void decode_branch(uint32_t bits, struct soc_insn *insn)
{
	static const uint8_t code[8] = {SOC_OP_beq,	SOC_OP_bne, SOC_OP_illegal,
					SOC_OP_illegal, SOC_OP_blt, SOC_OP_bge,
					SOC_OP_bltu,	SOC_OP_bgeu};

	insn->rd = 0;
	insn->code = code[f3_of(bits)];
	insn->imm = imm_b(bits);
	insn->ends = true;
}

static void decode_atomic(uint32_t bits, struct soc_insn *insn)
{
	/* Bit i is set if funct5 i is an AMO, LR (2) or SC (3). */
	const uint32_t known = 1U << 0 | 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4 | 1U << 8 |
			       1U << 12 | 1U << 16 | 1U << 20 | 1U << 24 | 1U << 28;
	uint32_t f5 = bits >> 27;

	if ((f3_of(bits) != 2 && f3_of(bits) != 3) || !(known >> f5 & 1U))
		return;
	if (f5 == 2 && (bits >> 20 & 31U) != 0)
		return;
	insn->code = SOC_OP_atomic;
	insn->imm = to_signed32(bits);
}

/* cpy; rd is an operand as well, so x0 is reserved. */
static void decode_copy(uint32_t bits, struct soc_insn *insn)
{
	if (f3_of(bits) != 0 || f7_of(bits) != 0 || insn->rd == 0)
		return;
	insn->code = SOC_OP_copy;
	insn->imm = to_signed32(bits);
}

static void decode_system_insn(uint32_t bits, struct soc_insn *insn)
{
	if (f3_of(bits) & 3U) {
		insn->code = SOC_OP_csr;
		insn->imm = to_signed32(bits);
		insn->ends = soc_csr_ends_block(bits);
		return;
	}
	insn->imm = to_signed32(bits);
	insn->rd = 0;
	if (bits == TR_INSN_ECALL || bits == TR_INSN_EBREAK) {
		insn->code = SOC_OP_system;
		insn->alone = true;
	} else if (bits == TR_INSN_WFI) {
		insn->code = SOC_OP_wfi;
		insn->alone = true;
	} else if (bits == TR_INSN_SRET || bits == TR_INSN_MRET ||
		   tr_insn_is_sfence_vma(bits)) {
		insn->code = SOC_OP_system;
		insn->ends = true;
	}
}

/* Traces report writes of tp, and writes of sp that do not add a constant, between
 * rows. */
static bool is_reported(uint32_t bits, unsigned rd)
{
	int64_t bytes;

	return rd == TR_REG_TP || (rd == TR_REG_SP && !tr_sp_adds(bits, &bytes));
}

static void decode_jump(uint32_t bits, struct soc_insn *insn, bool indirect)
{
	insn->ends = true;
	if (indirect && f3_of(bits) != 0)
		return;
	if (is_reported(bits, insn->rd))
		insn->code = indirect ? SOC_OP_jalr_reported : SOC_OP_jal_reported;
	else
		insn->code = indirect ? SOC_OP_jalr : SOC_OP_jal;
	insn->imm = indirect ? imm_i(bits) : imm_j(bits);
}

static void decode_fence(uint32_t bits, struct soc_insn *insn)
{
	insn->rd = 0;
	if (f3_of(bits) > 1)
		return;
	insn->code = SOC_OP_nop;
	if (f3_of(bits) == 1) {
		insn->code = SOC_OP_system;
		insn->imm = (int32_t)bits;
		insn->ends = true;
	}
}

static void decode_upper(uint32_t bits, struct soc_insn *insn, enum soc_op_code code)
{
	insn->code = code;
	insn->imm = to_signed32(bits & 0xfffff000U);
}

static void decode_auipc(uint32_t bits, struct soc_insn *insn)
{
	decode_upper(bits, insn, SOC_OP_auipc);
}

static void decode_lui(uint32_t bits, struct soc_insn *insn)
{
	decode_upper(bits, insn, SOC_OP_li);
}

static void decode_jalr_insn(uint32_t bits, struct soc_insn *insn)
{
	decode_jump(bits, insn, true);
}

static void decode_jal(uint32_t bits, struct soc_insn *insn)
{
	decode_jump(bits, insn, false);
}

/* By the major opcode, bits 6 to 2. */
static void (*const major[32])(uint32_t bits, struct soc_insn *insn) = {
    [TR_OPCODE_LOAD >> 2] = decode_int_load,
    [TR_OPCODE_LOAD_FP >> 2] = soc_decode_float,
    [TR_OPCODE_CUSTOM_0 >> 2] = decode_copy,
    [TR_OPCODE_MISC_MEM >> 2] = decode_fence,
    [TR_OPCODE_OP_IMM >> 2] = decode_imm,
    [TR_OPCODE_AUIPC >> 2] = decode_auipc,
    [TR_OPCODE_OP_IMM_32 >> 2] = decode_imm_w,
    [TR_OPCODE_STORE >> 2] = decode_int_store,
    [TR_OPCODE_STORE_FP >> 2] = soc_decode_float,
    [TR_OPCODE_AMO >> 2] = decode_atomic,
    [TR_OPCODE_OP >> 2] = decode_op,
    [TR_OPCODE_LUI >> 2] = decode_lui,
    [TR_OPCODE_OP_32 >> 2] = decode_op_w,
    [TR_OPCODE_MADD >> 2] = soc_decode_float,
    [TR_OPCODE_MSUB >> 2] = soc_decode_float,
    [TR_OPCODE_NMSUB >> 2] = soc_decode_float,
    [TR_OPCODE_NMADD >> 2] = soc_decode_float,
    [TR_OPCODE_OP_FP >> 2] = soc_decode_float,
    [TR_OPCODE_BRANCH >> 2] = decode_branch,
    [TR_OPCODE_JALR >> 2] = decode_jalr_insn,
    [TR_OPCODE_JAL >> 2] = decode_jal,
    [TR_OPCODE_SYSTEM >> 2] = decode_system_insn,
};

void soc_decode(uint32_t bits, struct soc_insn *insn)
{
	*insn = (struct soc_insn){.code = SOC_OP_illegal,
				  .rd = bits >> 7 & 31U,
				  .rs1 = bits >> 15 & 31U,
				  .rs2 = bits >> 20 & 31U};
	if ((bits & 3U) == 3 && major[bits >> 2 & 31U])
		major[bits >> 2 & 31U](bits, insn);
	if (insn->code == SOC_OP_illegal) {
		insn->rd = 0;
		insn->alone = true;
		insn->ends = true;
	}
	insn->reported = is_reported(bits, insn->rd);
	if (insn->reported || insn->alone)
		insn->ends = true;
	if (insn->rd == 0)
		insn->rd = SOC_SINK;
}
