/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of sp and tp by commits, and whether they fit the instructions. */
#include "base/little.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/sp.h"
#include "trace_internal.h"

int tr_trace_put_reg(struct tr_trace *t, unsigned hart, uint8_t reg, uint64_t value)
{
	struct tr_event event = {.kind = TR_EV_REG,
				 .u.reg = {.reg = reg, .value = value}};
	return tr_trace_put(t, hart, &event);
}

/* Returns true if the destination is a floating-point or vector register, whose number
 * some cores report like that of another register. Of OP-FP, comparisons, conversions to
 * integers and moves to x registers have an integer destination. */
static bool writes_float(const struct tr_trace *t, uint64_t bits)
{
	enum { FEQ = 0x14, FCVT_W = 0x18, FMV_X_W = 0x1c };
	const unsigned opcode = tr_insn_opcode(bits);
	const unsigned compressed = (unsigned)bits >> 13 & 7;
	const unsigned operation = (unsigned)bits >> 27 & 31;
	if ((bits & 3) == 2)
		return compressed == 1 || (compressed == 3 && t->options.xlen == 32);
	switch (opcode) {
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_MADD:
	case TR_OPCODE_MSUB:
	case TR_OPCODE_NMSUB:
	case TR_OPCODE_NMADD:
		return true;
	case TR_OPCODE_OP_FP:
		return operation != FEQ && operation != FCVT_W && operation != FMV_X_W;
	default:
		return false;
	}
}

/* Writes of sp and tp; readers compute additions of constants to sp themselves, from the
 * right sp. tr_trace_check_sp() has added the constant to the lane's. */
int tr_trace_take_reg(struct tr_trace *t, unsigned hart, const struct tr_trace_commit *c)
{
	struct trace_lane *lane = t->lanes[hart];
	int64_t bytes;
	if (writes_float(t, c->insn))
		return TR_TRACE_OK;
	if (c->rd == TR_REG_SP) {
		const uint64_t sp = c->rd_value & t->mask;
		const bool computed =
		    tr_sp_adds(c->insn, &bytes) && (!lane->has_sp || sp == lane->sp);
		lane->has_sp = true;
		lane->sp = sp;
		if (t->state == TRACE_RUNS && !computed)
			return tr_trace_put_reg(t, hart, TR_REG_SP, lane->sp);
	} else if (c->rd == TR_REG_TP) {
		lane->has_tp = true;
		lane->tp = c->rd_value & t->mask;
		if (t->state == TRACE_RUNS)
			return tr_trace_put_reg(t, hart, TR_REG_TP, lane->tp);
	}
	return TR_TRACE_OK;
}

/* Returns true if an instruction of 32 bits has an opcode that is the core's own. */
static bool is_custom(uint64_t bits)
{
	return (bits & 0x1f) == 0x0b || (bits & 0x5f) == 0x5b;
}

/* Returns true if the register that a commit writes does not fit its instruction: sp is
 * not reported, or reported with an instruction that does not write it, or with a value
 * that the instruction cannot give it. Sources may leave out additions of a constant. */
static bool misses_sp(const struct tr_trace *t, struct trace_lane *lane,
		      const struct tr_trace_commit *c, uint64_t bits)
{
	const unsigned length = tr_insn_length((unsigned)bits & 0xffff);
	uint8_t code[4];
	const bool reported = c->rd == TR_REG_SP;
	int64_t bytes;
	tr_store32(code, (uint32_t)bits);
	if (length > 4 || (length == 4 && is_custom(bits)) ||
	    tr_decode_zcm(code, length) != TR_ZCM_NONE)
		return false;
	switch (tr_decode_sp(code, length, t->options.xlen, &bytes)) {
	case TR_SP_KEEPS:
		return reported && !writes_float(t, bits);
	case TR_SP_ADDS:
		lane->sp = (lane->sp + (uint64_t)bytes) & t->mask;
		return reported && lane->has_sp && (c->rd_value & t->mask) != lane->sp;
	default:
		return !reported;
	}
}

/* The readers' sp would be wrong from here on. */
int tr_trace_check_sp(struct tr_trace *t, unsigned hart, const struct tr_trace_commit *c)
{
	const uint64_t bits = insn_bits_of(c);
	struct trace_lane *lane = t->lanes[hart];
	const struct tr_event event = {.kind = TR_EV_BREAK,
				       .u.broken = {.from = lane->unreported.last,
						    .to = c->pc & t->mask,
						    .count = 1}};
	if (c->rd != TR_REG_SP && (bits >> 7 & 31) != TR_REG_SP)
		return TR_TRACE_OK;
	if (t->options.lacks & (TR_TRACE_NO_REGS | TR_TRACE_NO_INSN) ||
	    !misses_sp(t, lane, c, bits))
		return TR_TRACE_OK;
	return tr_trace_put(t, hart, &event);
}
