/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_steps.h"

#include "base/little.h"
#include "stream/insn.h"
#include "stream/reader.h"

enum { RA = 1, SP = 2, T0 = 5 };

static int32_t sign_extend(uint32_t value, unsigned bits)
{
	return (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static struct data_step plain(enum data_step_kind kind, uint32_t rd, uint32_t rs1,
			      int32_t imm)
{
	return (struct data_step){
	    .kind = (uint8_t)kind, .rd = (uint8_t)rd, .rs1 = (uint8_t)rs1, .imm = imm};
}

static struct data_step access(enum data_step_kind kind, uint32_t rd, uint32_t rs1,
			       int32_t imm, unsigned size)
{
	struct data_step step = plain(kind, rd, rs1, imm);
	step.size = (uint8_t)size;
	return step;
}

/* ------------------------------------------------------------ 32 bits */

static int32_t imm_of_branch(uint32_t insn)
{
	return sign_extend((insn >> 31 << 12) | (insn << 4 & 0x800) |
			       (insn >> 20 & 0x7e0) | (insn >> 7 & 0x1e),
			   13);
}

static int32_t imm_of_jal(uint32_t insn)
{
	return sign_extend((insn >> 31 << 20) | (insn & 0xff000) | (insn >> 9 & 0x800) |
			       (insn >> 20 & 0x7fe),
			   21);
}

static struct data_step step_of_jalr(uint32_t rd, uint32_t rs1, int32_t imm)
{
	if (rd)
		return plain(DATA_STEP_CALL, rd, rs1 ? rs1 : RA, imm);
	return plain(rs1 == RA || rs1 == T0 ? DATA_STEP_RETURN : DATA_STEP_INDIRECT, 0,
		     rs1, imm);
}

static struct data_step step_of_system(uint32_t insn)
{
	if (insn == TR_INSN_ECALL)
		return plain(DATA_STEP_TRAP, 0, 0, 0);
	if (insn == TR_INSN_EBREAK || insn == TR_INSN_SRET || insn == TR_INSN_MRET)
		return plain(DATA_STEP_RETURN, 0, 0, 0);
	return plain(DATA_STEP_OTHER, insn >> 7 & 31, 0, 0);
}

static struct data_step step_of_registers(uint32_t insn)
{
	static const struct {
		uint32_t insn;
		uint8_t kind, shift;
	} known[] = {
	    {0x00000033, DATA_STEP_SUM, 0},	   /* add */
	    {0x20002033, DATA_STEP_SUM, 1},	   /* sh1add */
	    {0x20004033, DATA_STEP_SUM, 2},	   /* sh2add */
	    {0x20006033, DATA_STEP_SUM, 3},	   /* sh3add */
	    {0x40000033, DATA_STEP_DIFFERENCE, 0}, /* sub */
	    {0x02000033, DATA_STEP_PRODUCT, 0},	   /* mul */
	};
	struct data_step step = plain(DATA_STEP_OTHER, insn >> 7 & 31, 0, 0);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (tr_insn_with_funct7(insn) == known[i].insn) {
			step.kind = known[i].kind;
			step.rs1 = insn >> 15 & 31;
			step.rs2 = insn >> 20 & 31;
			step.imm = known[i].shift;
		}
	return step;
}

static struct data_step step_of_constant(uint32_t insn)
{
	const uint32_t rd = insn >> 7 & 31, rs1 = insn >> 15 & 31;
	const int32_t imm = (int32_t)insn >> 20;

	if ((insn >> 12 & 7) == 0)
		return plain(DATA_STEP_ADD, rd, rs1, imm);
	if ((insn & 0xfc00707f) == 0x1013 && imm < 32) /* slli */
		return plain(DATA_STEP_SHIFT, rd, rs1, imm);
	return plain(DATA_STEP_OTHER, rd, 0, 0);
}

static struct data_step step_of_wide(uint32_t insn)
{
	const uint32_t rd = insn >> 7 & 31, rs1 = insn >> 15 & 31, f3 = insn >> 12 & 7;
	const int32_t imm = (int32_t)insn >> 20;
	const int32_t at = (imm & ~31) | (int32_t)rd; /* of a store */

	switch (tr_insn_opcode(insn)) {
	case TR_OPCODE_LOAD:
		return access(DATA_STEP_LOAD, rd, rs1, imm, 1U << (f3 & 3));
	case TR_OPCODE_LOAD_FP:
		return access(DATA_STEP_LOAD, 0, rs1, imm, 1U << (f3 & 3));
	case TR_OPCODE_STORE:
	case TR_OPCODE_STORE_FP:
		return access(DATA_STEP_STORE, 0, rs1, at, 1U << (f3 & 3));
	case TR_OPCODE_AMO:
		return access(DATA_STEP_ATOMIC, rd, rs1, 0, 1U << (f3 & 3));
	case TR_OPCODE_OP_IMM:
		return step_of_constant(insn);
	case TR_OPCODE_BRANCH:
		return plain(DATA_STEP_BRANCH, 0, 0, imm_of_branch(insn));
	case TR_OPCODE_JAL:
		return plain(rd ? DATA_STEP_CALL : DATA_STEP_JUMP, rd, 0,
			     imm_of_jal(insn));
	case TR_OPCODE_JALR:
		return step_of_jalr(rd, rs1, imm);
	case TR_OPCODE_SYSTEM:
		return step_of_system(insn);
	case TR_OPCODE_MISC_MEM:
		return plain(DATA_STEP_OTHER, 0, 0, 0);
	case TR_OPCODE_OP:
		return step_of_registers(insn);
	case TR_OPCODE_LUI: /* a constant */
		return plain(DATA_STEP_ADD, rd, 0, (int32_t)(insn & 0xfffff000));
	case TR_OPCODE_AUIPC:
	case TR_OPCODE_OP_32:
	case TR_OPCODE_OP_IMM_32:
	case TR_OPCODE_OP_FP:
	case TR_OPCODE_OP_V:
		return plain(DATA_STEP_OTHER, rd, 0, 0);
	case TR_OPCODE_MADD:
	case TR_OPCODE_MSUB:
	case TR_OPCODE_NMSUB:
	case TR_OPCODE_NMADD:
		return plain(DATA_STEP_OTHER, 0, 0, 0);
	default:
		return plain(DATA_STEP_UNKNOWN, 0, 0, 0);
	}
}

/* ------------------------------------------------------------ 16 bits */

/* Of rd and another register. */
static struct data_step arithmetic(enum data_step_kind kind, uint32_t rd, uint32_t rs2,
				   int32_t imm)
{
	struct data_step step = plain(kind, rd, rd, imm);
	step.rs2 = (uint8_t)rs2;
	return step;
}

static int32_t offset_of_word(uint32_t c)
{
	return (int32_t)((c >> 4 & 4) | (c >> 7 & 0x38) | (c << 1 & 0x40));
}

static int32_t offset_of_double(uint32_t c)
{
	return (int32_t)((c >> 7 & 0x38) | (c << 1 & 0xc0));
}

static struct data_step step_of_quadrant_0(uint32_t c)
{
	const uint32_t rd = 8 + (c >> 2 & 7), rs1 = 8 + (c >> 7 & 7);

	switch (c >> 13) {
	case 0: /* c.addi4spn */
		if (!(c >> 5 & 0xff))
			break;
		return plain(DATA_STEP_ADD, rd, SP,
			     (int32_t)((c >> 7 & 0x30) | (c >> 1 & 0x3c0) | (c >> 4 & 4) |
				       (c >> 2 & 8)));
	case 1: /* c.fld */
		return access(DATA_STEP_LOAD, 0, rs1, offset_of_double(c), 8);
	case 2:
		return access(DATA_STEP_LOAD, rd, rs1, offset_of_word(c), 4);
	case 3:
		return access(DATA_STEP_LOAD, rd, rs1, offset_of_double(c), 8);
	case 5: /* c.fsd */
	case 7:
		return access(DATA_STEP_STORE, 0, rs1, offset_of_double(c), 8);
	case 6:
		return access(DATA_STEP_STORE, 0, rs1, offset_of_word(c), 4);
	default: /* Zcb */
		break;
	}
	return plain(DATA_STEP_UNKNOWN, 0, 0, 0);
}

static struct data_step step_of_quadrant_1(uint32_t c)
{
	const uint32_t rd = c >> 7 & 31, rs = 8 + (c >> 7 & 7);
	const int32_t imm = sign_extend((c >> 7 & 0x20) | (c >> 2 & 0x1f), 6);
	const uint32_t jump = (c >> 1 & 0x800) | (c >> 7 & 0x10) | (c >> 1 & 0x300) |
			      (c << 2 & 0x400) | (c >> 1 & 0x40) | (c << 1 & 0x80) |
			      (c >> 2 & 0xe) | (c << 3 & 0x20);
	const uint32_t branch = (c >> 4 & 0x100) | (c >> 7 & 0x18) | (c << 1 & 0xc0) |
				(c >> 2 & 6) | (c << 3 & 0x20);

	switch (c >> 13) {
	case 0:
		return plain(DATA_STEP_ADD, rd, rd, imm);
	case 2: /* c.li */
		return plain(DATA_STEP_ADD, rd, 0, imm);
	case 3: /* c.lui, c.addi16sp */
		return rd == SP ? plain(DATA_STEP_OTHER, rd, 0, 0)
				: plain(DATA_STEP_ADD, rd, 0, imm * 4096);
	case 4:
		if ((c & 0xfc60) != 0x8c00) /* c.sub */
			return plain(DATA_STEP_OTHER, rs, 0, 0);
		return arithmetic(DATA_STEP_DIFFERENCE, rs, 8 + (c >> 2 & 7), 0);
	case 5:
		return plain(DATA_STEP_JUMP, 0, 0, sign_extend(jump, 12));
	case 6:
	case 7:
		return plain(DATA_STEP_BRANCH, 0, 0, sign_extend(branch, 9));
	default: /* c.addiw */
		return plain(DATA_STEP_OTHER, rd, 0, 0);
	}
}

static struct data_step step_of_register(uint32_t c)
{
	const uint32_t rd = c >> 7 & 31, rs2 = c >> 2 & 31;
	const bool is_high = c >> 12 & 1;

	if (rs2)
		return is_high ? arithmetic(DATA_STEP_SUM, rd, rs2, 0)
			       : plain(DATA_STEP_ADD, rd, rs2, 0);
	if (is_high && !rd)
		return plain(DATA_STEP_RETURN, 0, 0, 0); /* c.ebreak */
	return step_of_jalr(is_high ? RA : 0, rd, 0);
}

static struct data_step step_of_quadrant_2(uint32_t c)
{
	const uint32_t rd = c >> 7 & 31;
	const int32_t loads_double =
	    (int32_t)((c >> 7 & 0x20) | (c >> 2 & 0x18) | (c << 4 & 0x1c0));
	const int32_t loads_word =
	    (int32_t)((c >> 7 & 0x20) | (c >> 2 & 0x1c) | (c << 4 & 0xc0));

	switch (c >> 13) {
	case 1: /* c.fldsp */
		return access(DATA_STEP_LOAD, 0, SP, loads_double, 8);
	case 2:
		return access(DATA_STEP_LOAD, rd, SP, loads_word, 4);
	case 3:
		return access(DATA_STEP_LOAD, rd, SP, loads_double, 8);
	case 4:
		return step_of_register(c);
	case 5: /* c.fsdsp */
	case 7:
		return access(DATA_STEP_STORE, 0, SP,
			      (int32_t)((c >> 7 & 0x38) | (c >> 1 & 0x1c0)), 8);
	case 6:
		return access(DATA_STEP_STORE, 0, SP,
			      (int32_t)((c >> 7 & 0x3c) | (c >> 1 & 0xc0)), 4);
	default: /* c.slli */
		return c >> 12 & 1
			   ? plain(DATA_STEP_OTHER, rd, 0, 0)
			   : arithmetic(DATA_STEP_SHIFT, rd, 0, (int32_t)(c >> 2 & 31));
	}
}

bool tr_data_step(const uint8_t *code, uint64_t bytes, struct data_step *step)
{
	const unsigned length = bytes < 2 ? 0 : tr_insn_length(tr_load16(code));

	if (!length || length > 4 || length > bytes)
		return false;
	if (length == 4) {
		*step = step_of_wide(tr_load32(code));
	} else {
		const uint32_t c = tr_load16(code);
		*step = (c & 3) == 0   ? step_of_quadrant_0(c)
			: (c & 3) == 1 ? step_of_quadrant_1(c)
				       : step_of_quadrant_2(c);
	}
	step->length = (uint8_t)length;
	return true;
}
