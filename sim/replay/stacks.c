/* SPDX-License-Identifier: Apache-2.0 */
#include "stacks.h"

#include "base/little.h"

enum { GRANULE = 16, STACK_MAX = 1 << 20 };

void stacks_free(struct stacks *s)
{
	tr_map_free(&s->was);
}

/* Returns the lowest `bits` of a value with their sign. */
static int with_sign(uint32_t value, unsigned bits)
{
	return (int)(value << (32 - bits)) >> (32 - bits);
}

int stacks_growth(const uint8_t *code, unsigned size)
{
	const uint32_t insn = size == 4 ? tr_load32(code) : tr_load16(code);
	int growth = 0;

	if (size == 4 && (insn & 0xfffff) == 0x10113) /* addi sp, sp, n */
		growth = (int32_t)insn >> 20;
	else if (size == 2 && (insn & 0xef83) == 0x6101) /* c.addi16sp */
		growth = with_sign((insn >> 12 & 1) << 9 | (insn >> 3 & 3) << 7 |
				       (insn >> 5 & 1) << 6 | (insn >> 2 & 1) << 5 |
				       (insn >> 6 & 1) << 4,
				   10);
	else if (size == 2 && (insn & 0xef83) == 0x101) /* c.addi sp, n */
		growth = with_sign((insn >> 12 & 1) << 5 | (insn >> 2 & 31), 6);
	return growth < 0 ? growth : 0;
}

void stacks_note(struct stacks *s, uint64_t sp)
{
	const uint64_t granule = sp / GRANULE;

	if (s->last == granule + 1)
		return;
	s->last = granule + 1;
	if (tr_map_get(&s->was, granule) == TR_MAP_NONE)
		s->failed |= !tr_map_set(&s->was, granule, 0);
}

bool stacks_lowest(const struct stacks *s, uint64_t base, uint64_t size, uint64_t *sp)
{
	if (size > STACK_MAX || base > UINT64_MAX - STACK_MAX)
		return false;
	for (*sp = (base + GRANULE - 1) / GRANULE * GRANULE; *sp <= base + size;
	     *sp += GRANULE)
		if (tr_map_get(&s->was, *sp / GRANULE) != TR_MAP_NONE)
			return true;
	return false;
}
