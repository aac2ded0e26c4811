/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes instructions, and tracks sp through a function without calls. */
#include "code.h"

#include <string.h>

enum { MOST_HALFWORDS = 1 << 14, KNOWN_FRAMES = 1 << 12 };

static int64_t extend(uint64_t value, unsigned sign)
{
	return (int64_t)(value << (63 - sign)) >> (63 - sign);
}

/* Returns bits [low, low + count) of `insn`, moved to bit `to`. */
static uint64_t part(uint32_t insn, unsigned low, unsigned count, unsigned to)
{
	return (uint64_t)(insn >> low & ((1U << count) - 1)) << to;
}

static struct op quadrant0(uint32_t insn)
{
	struct op op = {.kind = OP_OTHER, .bytes = 2, .reg = 8 + (insn >> 2 & 7)};

	if (insn >> 13 == 3) {
		op.kind = OP_LOAD;
	} else if (insn >> 13 == 7) {
		op.kind = OP_STORE;
	} else if (insn >> 13 == 0 && op.reg == S0) {
		op.kind = OP_SET_S0;
		op.value = (int64_t)(part(insn, 11, 2, 4) | part(insn, 7, 4, 6) |
				     part(insn, 6, 1, 2) | part(insn, 5, 1, 3));
	}
	return op;
}

static struct op quadrant1(uint32_t insn, uint64_t pc)
{
	struct op op = {.kind = OP_OTHER, .bytes = 2};
	unsigned rd = insn >> 7 & 31;
	uint64_t branch = part(insn, 12, 1, 8) | part(insn, 10, 2, 3) |
			  part(insn, 5, 2, 6) | part(insn, 3, 2, 1) | part(insn, 2, 1, 5);
	uint64_t jump = part(insn, 12, 1, 11) | part(insn, 11, 1, 4) |
			part(insn, 9, 2, 8) | part(insn, 8, 1, 10) | part(insn, 7, 1, 6) |
			part(insn, 6, 1, 7) | part(insn, 3, 3, 1) | part(insn, 2, 1, 5);

	switch (insn >> 13) {
	case 0:
		op.kind = rd == SP ? OP_ADD_SP : OP_OTHER;
		op.value = extend(part(insn, 12, 1, 5) | part(insn, 2, 5, 0), 5);
		break;
	case 3:
		op.kind = rd == SP ? OP_ADD_SP : OP_OTHER;
		op.value = extend(part(insn, 12, 1, 9) | part(insn, 6, 1, 4) |
				      part(insn, 5, 1, 6) | part(insn, 3, 2, 7) |
				      part(insn, 2, 1, 5),
				  9);
		break;
	case 5:
		op.kind = OP_JUMP;
		op.target = pc + (uint64_t)extend(jump, 11);
		break;
	case 6:
	case 7:
		op.kind = OP_BRANCH;
		op.target = pc + (uint64_t)extend(branch, 8);
		break;
	default:
		break;
	}
	return op;
}

static struct op quadrant2(uint32_t insn)
{
	struct op op = {.kind = OP_OTHER, .bytes = 2};

	if (insn >> 13 == 3) {
		op.kind = OP_LOAD_SP;
		op.reg = insn >> 7 & 31;
		op.value = (int64_t)(part(insn, 12, 1, 5) | part(insn, 5, 2, 3) |
				     part(insn, 2, 3, 6));
	} else if (insn >> 13 == 7) {
		op.kind = OP_STORE_SP;
		op.reg = insn >> 2 & 31;
		op.value = (int64_t)(part(insn, 10, 3, 3) | part(insn, 7, 3, 6));
	} else if (insn >> 12 == 8 && (insn >> 2 & 31) == 0) {
		op.kind = OP_TO;
		op.reg = insn >> 7 & 31;
	} else if (insn >> 13 == 4 && (insn >> 2 & 31) && (insn >> 7 & 31) == SP) {
		op.kind =
		    insn >> 12 == 8 && (insn >> 2 & 31) == S0 ? OP_GET_S0 : OP_SET_SP;
	}
	return op;
}

static struct op jal(uint32_t insn, uint64_t pc)
{
	uint64_t offset = part(insn, 31, 1, 20) | part(insn, 12, 8, 12) |
			  part(insn, 20, 1, 11) | part(insn, 21, 10, 1);
	struct op op = {.bytes = 4, .reg = insn >> 7 & 31};

	op.kind = op.reg ? OP_CALL : OP_JUMP;
	op.target = pc + (uint64_t)extend(offset, 20);
	return op;
}

static struct op full(uint32_t insn, uint64_t pc)
{
	struct op op = {.kind = OP_OTHER, .bytes = 4, .reg = insn >> 7 & 31};
	unsigned rs1 = insn >> 15 & 31, width = insn >> 12 & 7;
	uint64_t branch = part(insn, 31, 1, 12) | part(insn, 7, 1, 11) |
			  part(insn, 25, 6, 5) | part(insn, 8, 4, 1);

	op.value = extend(insn >> 20, 11);
	switch (insn & 0x7f) {
	case 0x03:
		op.kind = rs1 == SP ? OP_LOAD_SP : OP_LOAD;
		break;
	case 0x13:
		if (rs1 == SP && width == 0 && (op.reg == SP || op.reg == S0))
			op.kind = op.reg == SP ? OP_ADD_SP : OP_SET_S0;
		else if (rs1 == S0 && width == 0 && op.reg == SP)
			op.kind = OP_GET_S0;
		else if (op.reg == SP)
			op.kind = OP_SET_SP;
		break;
	case 0x33:
	case 0x37:
		op.kind = op.reg == SP ? OP_SET_SP : OP_OTHER;
		break;
	case 0x23:
		op.kind = rs1 == SP && width == 3 ? OP_STORE_SP : OP_STORE;
		op.reg = insn >> 20 & 31;
		op.value = extend(part(insn, 25, 7, 5) | part(insn, 7, 5, 0), 11);
		break;
	case 0x63:
		op.kind = OP_BRANCH;
		op.target = pc + (uint64_t)extend(branch, 12);
		break;
	case 0x6f:
		return jal(insn, pc);
	case 0x67:
		op.kind = op.reg == 0 ? OP_TO : OP_OTHER;
		op.reg = rs1;
		break;
	case 0x73:
		op.kind = insn == 0x10200073 || insn == 0x30200073 ? OP_XRET
			  : insn == 0x00000073			   ? OP_ECALL
								   : OP_OTHER;
		break;
	default:
		break;
	}
	return op;
}

struct op code_at(const struct binary *binary, uint64_t pc)
{
	uint32_t insn = binary_insn(binary, pc);

	if (!insn)
		return (struct op){.kind = OP_NONE, .bytes = 2};
	switch (insn & 3) {
	case 0:
		return quadrant0(insn);
	case 1:
		return quadrant1(insn, pc);
	case 2:
		return quadrant2(insn);
	default:
		return full(insn, pc);
	}
}

struct flow {
	const struct tr_function *function;
	struct code_frame frames[MOST_HALFWORDS];
	bool known[MOST_HALFWORDS];
	bool inside[MOST_HALFWORDS]; /* second half of an instruction */
	uint16_t
	    work[2 * MOST_HALFWORDS]; /* each is reached, and may turn out to differ */
	unsigned nwork;
	struct code_frame dispatch; /* at the newest jump through a table */
	bool has_dispatch;
};

static bool is_same(const struct code_frame *a, const struct code_frame *b)
{
	return a->sp == b->sp && a->no_sp == b->no_sp && a->has_s0 == b->has_s0 &&
	       a->s0 == b->s0 && a->differs == b->differs;
}

/* Makes the frame one of either path. Returns whether it changes. */
static bool join(struct code_frame *frame, const struct code_frame *other)
{
	bool has_s0 = frame->has_s0 && other->has_s0 && frame->s0 == other->s0;

	if (frame->differs || is_same(frame, other))
		return false;
	if (frame->no_sp && has_s0 && !other->differs)
		return false;
	if (frame->sp == other->sp && !frame->no_sp && !other->no_sp && !other->differs) {
		bool had_s0 = frame->has_s0;
		frame->has_s0 = has_s0;
		return had_s0 != has_s0;
	}
	if (has_s0 && !other->differs)
		frame->no_sp = true;
	else
		frame->differs = true;
	return true;
}

static void reach(struct flow *flow, uint64_t pc, const struct code_frame *frame)
{
	uint64_t i = (pc - flow->function->low) / 2;

	if (pc - flow->function->low >= flow->function->high - flow->function->low)
		return;
	if (flow->known[i] && !join(&flow->frames[i], frame))
		return;
	if (!flow->known[i])
		flow->frames[i] = *frame;
	flow->known[i] = true;
	flow->work[flow->nwork++] = (uint16_t)i;
}

static void apply(struct code_frame *frame, const struct op *op)
{
	switch (op->kind) {
	case OP_ADD_SP:
		frame->sp += op->value;
		break;
	case OP_SET_SP:
		frame->no_sp = true;
		frame->sp = 0;
		break;
	case OP_SET_S0:
		frame->has_s0 = !frame->no_sp;
		frame->s0 = frame->sp + op->value;
		break;
	case OP_GET_S0:
		frame->no_sp = !frame->has_s0;
		frame->sp = frame->s0 + op->value;
		break;
	case OP_STORE_SP:
		if (!frame->no_sp && !frame->saved[op->reg])
			frame->saved[op->reg] = frame->sp + op->value;
		break;
	case OP_LOAD_SP:
		if (frame->saved[op->reg] != frame->sp + op->value)
			break;
		frame->saved[op->reg] = 0;
		frame->has_s0 &= op->reg != S0;
		break;
	case OP_LOAD:
		/* After a variable array, or of another frame, as in longjmp. */
		frame->no_sp |= op->reg == SP;
		frame->differs |= op->reg == RA || (op->reg == SP && !frame->has_s0);
		break;
	default:
		break;
	}
}

static void follow(struct flow *flow, const struct binary *binary, unsigned i)
{
	uint64_t pc = flow->function->low + 2 * (uint64_t)i;
	struct code_frame frame = flow->frames[i];
	struct op op = code_at(binary, pc);

	apply(&frame, &op);
	if (op.bytes == 4 && i + 1 < MOST_HALFWORDS)
		flow->inside[i + 1] = true;
	if (op.kind == OP_TO && op.reg != RA && op.reg != T0) {
		flow->dispatch = frame;
		flow->has_dispatch = true;
	}
	if (op.kind == OP_BRANCH || op.kind == OP_JUMP)
		reach(flow, op.target, &frame);
	if (op.kind != OP_JUMP && op.kind != OP_TO && op.kind != OP_NONE)
		reach(flow, pc + op.bytes, &frame);
}

static struct flow *flow_of(const struct binary *binary,
			    const struct tr_function *function)
{
	static struct flow flow;
	const struct code_frame frame = {.sp = 0};
	unsigned size = (unsigned)((function->high - function->low) / 2);

	memset(&flow.known, 0, sizeof(flow.known));
	flow.nwork = 0;
	flow.function = function;
	flow.has_dispatch = false;
	memset(&flow.inside, 0, sizeof(flow.inside));
	reach(&flow, function->low, &frame);
	while (flow.nwork)
		follow(&flow, binary, flow.work[--flow.nwork]);
	/* The rest is reached through tables. */
	for (unsigned i = 0; flow.has_dispatch && i < size; i++) {
		if (!flow.known[i] && !flow.inside[i])
			reach(&flow, function->low + 2 * (uint64_t)i, &flow.dispatch);
		while (flow.nwork)
			follow(&flow, binary, flow.work[--flow.nwork]);
	}
	return &flow;
}

bool code_frame_at(const struct binary *binary, const struct tr_function *function,
		   uint64_t pc, struct code_frame *frame)
{
	static struct known_frame {
		const struct binary *binary;
		uint64_t pc;
		struct code_frame frame;
		bool is_known;
	} all[KNOWN_FRAMES];
	uint64_t i = (pc - function->low) / 2;

	if (function->high - function->low > 2 * (uint64_t)MOST_HALFWORDS)
		return false;
	struct known_frame *at = &all[pc / 2 % KNOWN_FRAMES];
	if (at->binary != binary || at->pc != pc) {
		const struct flow *flow = flow_of(binary, function);
		at->binary = binary;
		at->pc = pc;
		at->frame = flow->frames[i];
		at->is_known = flow->known[i];
	}
	*frame = at->frame;
	return at->is_known && !frame->differs && (!frame->no_sp || frame->has_s0);
}
