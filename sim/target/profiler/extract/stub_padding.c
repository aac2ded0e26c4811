/* SPDX-License-Identifier: Apache-2.0 */
/* Finds places for stubs at which they take no cycles more than elsewhere. */
#include "stub_padding.h"

#include "insn.h"

enum { FAR_JUMP = 4 /* behind auipc */ };

static unsigned number_place(uint64_t address)
{
	return (unsigned)(address % PROF_JUMP_SPAN / 2);
}

static void add_place(struct prof_jump_places *places, uint64_t address)
{
	const unsigned number = number_place(address);
	places->bits[number / 64] |= UINT64_C(1) << number % 64;
}

static bool has_place(const struct prof_jump_places *places, uint64_t address)
{
	const unsigned number = number_place(address);
	return places->bits[number / 64] >> number % 64 & 1;
}

static bool may_jump(const struct prof_insn *insn)
{
	return insn->kind == PROF_BRANCH || insn->kind == PROF_CALL ||
	       prof_never_continues(insn);
}

struct prof_jump_places prof_find_jumps(const uint8_t *code, uint64_t size,
					uint64_t address, enum tr_stubs_kind kind)
{
	struct prof_jump_places places = {{0}};
	add_place(&places, address + (kind == TR_STUBS_FAR ? FAR_JUMP : 0));
	for (uint64_t at = 0; at < size && at < PROF_JUMP_SPAN;) {
		const struct prof_insn insn =
		    prof_decode_insn(code + at, size - at, address + at);
		if (may_jump(&insn))
			add_place(&places, address + at);
		at += insn.length ? insn.length : 2;
	}
	return places;
}

static bool is_good_place(const struct prof_stub *stub, uint64_t address,
			  const struct prof_jump_places *jumps)
{
	for (uint32_t at = 0; at < stub->size;) {
		const struct prof_insn insn =
		    prof_decode_insn(stub->code + at, stub->size - at, 0);
		const uint64_t place = address + at;
		if (place % PROF_LINE + insn.length > PROF_LINE ||
		    (may_jump(&insn) && has_place(jumps, place)))
			return false;
		at += insn.length;
	}
	return true;
}

uint32_t prof_pad_stub(const struct prof_stub *stub, uint64_t address,
		       const struct prof_jump_places *jumps)
{
	for (uint32_t padding = 0; padding < PROF_LINE; padding += 2)
		if (is_good_place(stub, address + padding, jumps))
			return padding;
	return 0;
}
