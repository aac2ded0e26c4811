/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the instructions that depend on where a process has its parts. */
#include "stubs/stubs.h"

#include <endian.h>
#include <string.h>

#include "base/little.h"

enum {
	ENTRY_REG = 6,	 /* t1, of far entries */
	C_NOP = 0x0001,	 /* 2 bytes */
	OP_ADDI = 0x13,	 /* addi reg, reg, low */
	OP_JALR = 0x67,	 /* jalr zero, low(reg) */
	OP_AUIPC = 0x17, /* auipc reg, high */
	OP_JAL = 0x6f,
};

/* What one label or entry becomes: one instruction or two. */
struct put_code {
	uint32_t first, second;
};

/* auipc reg, then `second`: an addi or jalr with reg as source, which adds the lower 12
 * bits, signed. */
static inline bool encode_pair(struct put_code *code, uint64_t distance, uint32_t reg,
			       uint32_t second)
{
	uint64_t high = distance + 0x800;
	code->first = ((uint32_t)high & 0xfffff000) | reg << 7 | OP_AUIPC;
	code->second = (uint32_t)distance << 20 | reg << 15 | second;
	return high == (uint64_t)(int32_t)high;
}

/* jal zero: 21 bits, the lowest of which is 0. */
static inline bool encode_jump(struct put_code *code, uint64_t distance)
{
	uint32_t d = (uint32_t)distance;
	code->first = (d & 0x100000) << 11 | (d & 0x7fe) << 20 | (d & 0x800) << 9 |
		      (d & 0xff000) | OP_JAL;
	return distance + 0x100000 < 0x200000 && d % 2 == 0;
}

/* Instructions begin at multiples of 2 bytes: two stores on the target, not four. */
static inline void put_insn(uint8_t *p, uint32_t insn)
{
	uint32_t little = htole32(insn);
	memcpy(__builtin_assume_aligned(p, 2), &little, sizeof(little));
}

/* `from` is the place of the label, `p` its bytes. */
static inline bool place_label(const struct tr_stubs_label *label, uint64_t from,
			       const struct tr_stubs_places *places, uint8_t *p)
{
	struct put_code code;
	uint32_t reg = label->reg;
	uint64_t to = label->target;
	bool reached;
	if (label->kind == TR_STUBS_JUMP) {
		reached = encode_jump(&code, to + places->bias - from);
		put_insn(p, code.first);
		return reached;
	}
	if (label->kind == TR_STUBS_COUNTER)
		to = places->counters + 8 * to;
	else
		to += places->bias;
	reached =
	    encode_pair(&code, to - from, reg,
			label->kind == TR_STUBS_FAR_JUMP ? OP_JALR : reg << 7 | OP_ADDI);
	put_insn(p, code.first);
	put_insn(p + 4, code.second);
	return reached;
}

struct tr_stubs_places tr_stubs_first_places(const struct tr_stubs *stubs, uint64_t bias)
{
	struct tr_stubs_places places = {.bias = bias,
					 .counters = stubs->image.counters + bias};
	if (stubs->areas[0].size)
		places.areas[0] = stubs->areas[0].highest + bias;
	if (stubs->areas[1].size)
		places.areas[1] = stubs->areas[1].lowest + bias;
	return places;
}

/* Without pointers in the loop that the stores to the code could change. */
enum tr_status tr_stubs_place(const struct tr_stubs *stubs,
			      const struct tr_stubs_places *places, uint8_t *code)
{
	const struct tr_stubs_places at = *places;
	const struct tr_stubs_function *f = stubs->functions;
	const struct tr_stubs_function *end = f + stubs->function_count;
	const struct tr_stubs_label *labels = stubs->labels, *label = labels;
	const struct tr_stubs_label *last = labels + stubs->label_count;
	uint64_t moved[TR_STUBS_AREAS];
	bool reached = true;
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		moved[i] = at.areas[i] - stubs->areas[i].offset;
	while (f != end) {
		uint64_t area = moved[f->area];
		f++;
		const struct tr_stubs_label *next =
		    f == end ? last : labels + f->first_label;
		for (; label != next; label++)
			reached &=
			    place_label(label, area + label->at, &at, code + label->at);
	}
	return reached ? TR_OK : TR_E_ARGUMENT;
}

enum tr_status tr_stubs_entry(const struct tr_stubs *stubs,
			      const struct tr_stubs_places *places, uint32_t number,
			      uint8_t entry[TR_STUBS_ENTRY_MAX])
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	uint64_t stub = places->areas[f->area] - stubs->areas[f->area].offset + f->stub;
	uint64_t distance = stub - places->bias - f->start;
	struct put_code code;
	unsigned size = 4;
	bool reached;
	if (f->kind == TR_STUBS_FAR) {
		reached = encode_pair(&code, distance, ENTRY_REG, OP_JALR);
		tr_store32(entry + 4, code.second);
		size = 8;
	} else {
		reached = encode_jump(&code, distance);
	}
	tr_store32(entry, code.first);
	for (; size < f->size; size += 2) {
		entry[size] = C_NOP;
		entry[size + 1] = 0;
	}
	return reached ? TR_OK : TR_E_ARGUMENT;
}
