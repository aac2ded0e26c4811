/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the last operation of an instruction of Zcmp. */
#include "import/import_steps.h"

#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/sp.h"

enum { MOVES = 2 };

static bool is_last(const struct import_steps *steps, uint32_t operation)
{
	const uint8_t code[] = {(uint8_t)steps->insn, (uint8_t)(steps->insn >> 8)};
	int64_t bytes;
	switch (tr_decode_zcm(code, sizeof(code))) {
	case TR_ZCM_PUSH:
	case TR_ZCM_POP:
		return tr_sp_adds(operation, &bytes);
	case TR_ZCM_POPRET:
		return tr_insn_with_funct3(operation) == TR_OPCODE_JALR;
	case TR_ZCM_MOVE:
		return steps->count == MOVES;
	default:
		return true;
	}
}

bool tr_import_step(struct import_steps *steps, uint64_t pc, uint16_t insn,
		    uint32_t operation)
{
	if (steps->count && (steps->pc != pc || steps->insn != insn))
		*steps = (struct import_steps){.count = 0};
	steps->pc = pc;
	steps->insn = insn;
	steps->count++;
	return is_last(steps, operation);
}
