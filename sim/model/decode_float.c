/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes instructions of the F and D extensions to operations of the interpreter.
 * Illegal rounding modes are detected at execution, because the mode may be in fcsr. */
#include "internal.h"
#include "stream/insn.h"

enum { FLOAT32 = 0, FLOAT64 = 1 };

static void decode_float_load(uint32_t bits, struct soc_insn *insn)
{
	unsigned width = bits >> 12 & 7U;

	if (width != 2 && width != 3)
		return;
	insn->code = width == 2 ? SOC_OP_flw : SOC_OP_fld;
	insn->rd = (uint8_t)(SOC_F0 + insn->rd);
	insn->imm = (int32_t)bits >> 20;
}

static void decode_float_store(uint32_t bits, struct soc_insn *insn)
{
	unsigned width = bits >> 12 & 7U;

	insn->rd = 0;
	if (width != 2 && width != 3)
		return;
	insn->code = width == 2 ? SOC_OP_fsw : SOC_OP_fsd;
	insn->rs2 = (uint8_t)(SOC_F0 + insn->rs2);
	insn->imm = (int32_t)(bits & 0xfe000000U) >> 20 | (int32_t)(bits >> 7 & 31U);
}

/* Returns whether OP-FP has this instruction, whatever the rounding mode. */
static bool is_valid_op_fp(uint32_t bits)
{
	unsigned rm = bits >> 12 & 7U, rs2 = bits >> 20 & 31U;

	switch (bits >> 27) {
	case SOC_FLOAT_ADD:
	case SOC_FLOAT_SUB:
	case SOC_FLOAT_MUL:
	case SOC_FLOAT_DIV:
		return true;
	case SOC_FLOAT_SQRT:
		return rs2 == 0;
	case SOC_FLOAT_INJECT:
	case SOC_FLOAT_COMPARE:
		return rm < 3;
	case SOC_FLOAT_MIN_MAX:
		return rm < 2;
	case SOC_FLOAT_RESIZE:
		return rs2 == ((bits >> 25 & 3U) == FLOAT32 ? FLOAT64 : FLOAT32);
	case SOC_FLOAT_TO_INT:
	case SOC_FLOAT_FROM_INT:
		return rs2 < 4;
	case SOC_FLOAT_MOVE_OUT:
		return rs2 == 0 && rm < 2;
	case SOC_FLOAT_MOVE_IN:
		return rs2 == 0 && rm == 0;
	default:
		return false;
	}
}

static bool writes_integer_reg(uint32_t bits)
{
	uint32_t f5 = bits >> 27;

	return tr_insn_opcode(bits) == TR_OPCODE_OP_FP &&
	       (f5 == SOC_FLOAT_COMPARE || f5 == SOC_FLOAT_TO_INT ||
		f5 == SOC_FLOAT_MOVE_OUT);
}

void soc_decode_float(uint32_t bits, struct soc_insn *insn)
{
	unsigned format = bits >> 25 & 3U;

	switch (tr_insn_opcode(bits)) {
	case TR_OPCODE_LOAD_FP:
		decode_float_load(bits, insn);
		return;
	case TR_OPCODE_STORE_FP:
		decode_float_store(bits, insn);
		return;
	case TR_OPCODE_OP_FP:
		if (!is_valid_op_fp(bits))
			return;
		break;
	default: /* the four multiply-adds */
		break;
	}
	if (format != FLOAT32 && format != FLOAT64)
		return;
	insn->code = SOC_OP_floating;
	insn->imm = (int32_t)bits;
	if (!writes_integer_reg(bits))
		insn->rd = (uint8_t)(SOC_F0 + insn->rd);
}
