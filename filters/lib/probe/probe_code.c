/* SPDX-License-Identifier: Apache-2.0 */
/* Code of expressions: its bytes, and what is checked of them. */
#include "base/little.h"
#include "probe/probe_internal.h"

void tr_probe_put(struct tr_buffer *out, const struct probe_insn *insn)
{
	uint8_t bytes[PROBE_INSN_BYTES] = {insn->op, insn->size, insn->is_signed};
	tr_store32(bytes + 3, insn->more);
	tr_store64(bytes + 7, insn->operand);
	tr_buffer_add(out, bytes, sizeof(bytes));
}

void tr_probe_get(const uint8_t *bytes, uint32_t count, struct probe_insn *insns)
{
	for (uint32_t i = 0; i < count; i++, bytes += PROBE_INSN_BYTES)
		insns[i] = (struct probe_insn){.op = bytes[0],
					       .size = bytes[1],
					       .is_signed = bytes[2] != 0,
					       .more = tr_load32(bytes + 3),
					       .operand = tr_load64(bytes + 7)};
}

/* What an operation takes from the stack and leaves there, from the top down: n for
 * a number, s for a string. */
static const struct {
	const char *takes, *leaves;
} effects[OP_COUNT] = {
    [OP_NUMBER] = {"", "n"},
    [OP_MISSING] = {"", "n"},
    [OP_X] = {"", "n"},
    [OP_F] = {"", "n"},
    [OP_PC] = {"", "n"},
    [OP_BIAS] = {"", "n"},
    [OP_HART] = {"", "n"},
    [OP_CYCLE] = {"", "n"},
    [OP_SATP] = {"", "n"},
    [OP_TASK] = {"", "n"},
    [OP_SAVED] = {"", "n"},
    [OP_LOAD] = {"n", "n"},
    [OP_EXTEND] = {"n", "n"},
    [OP_BITS] = {"n", "n"},
    [OP_DOUBLE] = {"n", "n"},
    [OP_NEGATE] = {"n", "n"},
    [OP_INVERT] = {"n", "n"},
    [OP_NOT] = {"n", "n"},
    [OP_ADD] = {"nn", "n"},
    [OP_SUBTRACT] = {"nn", "n"},
    [OP_MULTIPLY] = {"nn", "n"},
    [OP_DIVIDE] = {"nn", "n"},
    [OP_MODULO] = {"nn", "n"},
    [OP_AND] = {"nn", "n"},
    [OP_OR] = {"nn", "n"},
    [OP_XOR] = {"nn", "n"},
    [OP_SHL] = {"nn", "n"},
    [OP_SHR] = {"nn", "n"},
    [OP_EQUAL] = {"nn", "n"},
    [OP_LESS] = {"nn", "n"},
    [OP_LESS_EQUAL] = {"nn", "n"},
    [OP_BOTH] = {"nn", "n"},
    [OP_EITHER] = {"nn", "n"},
    [OP_SELECT] = {"nnn", "n"},
    [OP_SWAP] = {"nn", "nn"},
    [OP_TEXT] = {"", "s"},
    [OP_STR] = {"nn", "s"},
    [OP_CHARS] = {"nn", "s"},
    [OP_BUF] = {"nn", "s"},
    [OP_WORDS] = {"nn", "s"},
    [OP_LOWEST] = {"nn", "n"},
    [OP_SYMBOL] = {"n", "s"},
    [OP_SAME] = {"ss", "n"},
    [OP_CHOOSE] = {"ssn", "s"},
};

static bool is_power(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool operands_good(const struct probe_insn *insn, size_t nsaved, size_t texts)
{
	switch (insn->op) {
	case OP_X:
	case OP_F:
		return insn->operand < 32;
	case OP_SAVED:
		return insn->operand < nsaved;
	case OP_LOAD:
	case OP_EXTEND:
		return insn->size >= 1 && insn->size <= 8;
	case OP_BITS:
		return insn->size >= 1 && insn->size <= 64 && insn->operand < 64;
	case OP_DOUBLE:
		return is_power(insn->size) && insn->size >= 4;
	case OP_TEXT:
		return insn->operand <= texts && insn->more <= texts - insn->operand;
	default:
		return true;
	}
}

bool tr_probe_verify(const struct probe_code *code, size_t nsaved, size_t texts_size,
		     bool is_string)
{
	char stack[PROBE_STACK];
	size_t depth = 0;
	for (uint32_t i = 0; i < code->count; i++) {
		const struct probe_insn *insn = &code->insns[i];
		if (insn->op >= OP_COUNT || !operands_good(insn, nsaved, texts_size))
			return false;
		for (const char *type = effects[insn->op].takes; *type; type++)
			if (depth == 0 || stack[--depth] != *type)
				return false;
		for (const char *type = effects[insn->op].leaves; *type; type++) {
			if (depth == PROBE_STACK)
				return false;
			stack[depth++] = *type;
		}
	}
	return depth == 1 && stack[0] == (is_string ? 's' : 'n');
}
