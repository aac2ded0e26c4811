/* SPDX-License-Identifier: Apache-2.0 */
/* Classifies differences between executed code and the code in its file. */
#include "image/patch.h"

#include <string.h>

#include "base/little.h"

enum {
	NOP = 0x00000013,
	C_NOP = 0x0001,
	RD_AND_OPCODE = 0xfff,
	JAL_X0 = 0x06f,
	AUIPC_RA = 0x097,
	AUIPC_T0 = 0x297,
	ALL_BUT_IMMEDIATE = 0xfffff,
	JALR_RA_RA = 0x080e7,
	JALR_T0_T0 = 0x282e7,
};

static bool is_nop(uint32_t insn)
{
	return insn == NOP || insn == (C_NOP << 16 | C_NOP);
}

/* Returns true for half of a call to a tracer at a function's entry. */
static bool is_tracer_call(uint32_t insn)
{
	uint32_t upper = insn & RD_AND_OPCODE, lower = insn & ALL_BUT_IMMEDIATE;

	return upper == AUIPC_RA || upper == AUIPC_T0 || lower == JALR_RA_RA ||
	       lower == JALR_T0_T0;
}

/* Returns true for a static key's jump and its no-operation, which are never
 * compressed. */
static bool is_static_key(uint32_t insn, uint32_t nop)
{
	return (insn & RD_AND_OPCODE) == JAL_X0 && nop == NOP;
}

static bool is_patch_switch(uint32_t a, uint32_t b)
{
	return (is_nop(b) && (is_nop(a) || is_tracer_call(a))) || is_static_key(a, b);
}

static void compare_patch_bytes(struct tr_patch *patch, const uint8_t *ran,
				const uint8_t *file, unsigned length)
{
	if (memcmp(ran, file, length) == 0)
		patch->same++;
	else if (length == 4 && (is_patch_switch(tr_load32(ran), tr_load32(file)) ||
				 is_patch_switch(tr_load32(file), tr_load32(ran))))
		patch->switched++;
	else
		patch->other += length;
}

struct tr_patch tr_patch_of(const uint8_t *ran, const uint8_t *file, unsigned size)
{
	struct tr_patch patch = {0};
	unsigned length;

	for (unsigned at = 0; at < size; at += length) {
		length = (ran[at] & 3) == 3 ? 4 : 2;
		if (length > size - at)
			length = size - at;
		compare_patch_bytes(&patch, ran + at, file + at, length);
	}
	return patch;
}
