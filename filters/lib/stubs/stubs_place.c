/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the instructions that depend on where a process has its parts. */
#include "stubs/stubs.h"

#include "base/little.h"

enum {
	TEMPORARY = 6,	 /* t1, of far entries */
	C_NOP = 0x0001,	 /* 2 bytes */
	OP_ADDI = 0x13,	 /* addi reg, reg, low */
	OP_JALR = 0x67,	 /* jalr zero, low(reg) */
	OP_AUIPC = 0x17, /* auipc reg, high */
	OP_JAL = 0x6f,
};

/* Of the distances that `high` and `low` have: low is signed. */
static bool is_far_reached(int64_t distance)
{
	return distance >= -0x80000000LL - 0x800 && distance < 0x80000000LL - 0x800;
}

/* auipc reg, then `second`: an addi or jalr with reg as source. */
static bool put_pair(uint8_t *p, uint64_t from, uint64_t to, uint32_t reg,
		     uint32_t second)
{
	int64_t distance = (int64_t)(to - from);
	if (!is_far_reached(distance))
		return false;
	uint32_t high = ((uint32_t)distance + 0x800) & 0xfffff000;
	uint32_t low = (uint32_t)distance << 20;
	tr_store32(p, high | reg << 7 | OP_AUIPC);
	tr_store32(p + 4, low | reg << 15 | second);
	return true;
}

/* jal zero: 21 bits, the lowest of which is 0. */
static bool put_jump(uint8_t *p, uint64_t from, uint64_t to)
{
	int64_t distance = (int64_t)(to - from);
	if (distance < -0x100000 || distance >= 0x100000 || distance % 2)
		return false;
	uint32_t d = (uint32_t)distance;
	tr_store32(p, (d >> 20 & 1) << 31 | (d >> 1 & 0x3ff) << 21 | (d >> 11 & 1) << 20 |
			  (d & 0xff000) | OP_JAL);
	return true;
}

static bool put_label(const struct tr_stubs_label *label,
		      const struct tr_stubs_places *places, uint64_t from, uint8_t *code)
{
	uint8_t *p = code + label->at;
	uint32_t reg = label->reg;
	uint64_t place = places->bias + label->target;
	switch ((enum tr_stubs_label_kind)label->kind) {
	case TR_STUBS_COUNTER:
		place = places->counters + 8 * label->target;
		return put_pair(p, from, place, reg, reg << 7 | OP_ADDI);
	case TR_STUBS_JUMP:
		return put_jump(p, from, place);
	case TR_STUBS_FAR_JUMP:
		return put_pair(p, from, place, reg, OP_JALR);
	case TR_STUBS_ADDRESS:
		return put_pair(p, from, place, reg, reg << 7 | OP_ADDI);
	}
	return false;
}

enum tr_status tr_stubs_place(const struct tr_stubs *stubs,
			      const struct tr_stubs_places *places, uint8_t *code)
{
	const struct tr_stubs_function *f = stubs->functions;
	const struct tr_stubs_label *label = stubs->labels;
	for (uint32_t i = 0; i < stubs->function_count; i++, f++) {
		uint64_t moved = places->areas[f->area] - stubs->areas[f->area].offset;
		uint32_t end =
		    i + 1 < stubs->function_count ? f[1].first_label : stubs->label_count;
		for (; label != stubs->labels + end; label++)
			if (!put_label(label, places, moved + label->at, code))
				return TR_E_ARGUMENT;
	}
	return TR_OK;
}

enum tr_status tr_stubs_entry(const struct tr_stubs *stubs,
			      const struct tr_stubs_places *places, uint32_t number,
			      uint8_t entry[TR_STUBS_ENTRY_MAX])
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	uint64_t from = places->bias + f->start;
	uint64_t to = places->areas[f->area] - stubs->areas[f->area].offset + f->stub;
	bool far = f->kind == TR_STUBS_FAR;
	bool reached = far ? put_pair(entry, from, to, TEMPORARY, OP_JALR)
			   : put_jump(entry, from, to);
	for (unsigned i = far ? 8 : 4; i < f->size; i += 2) {
		entry[i] = C_NOP;
		entry[i + 1] = 0;
	}
	return reached ? TR_OK : TR_E_ARGUMENT;
}
