/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the constants of a block: what its registers are, relative to their values
 * before it. */
#include "stream/access_shape.h"

#include <string.h>

#include "base/little.h"
#include "stream/insn.h"
#include "stream/reader.h"
#include "stream/sp.h"

/* The value of a register is `origin` plus an offset: 0 is no origin, 1 to 31 the
 * register before the block, others a result of an instruction that is not followed. */
struct value {
	uint16_t origin;
	int64_t offset;
};

enum { RA = 1, SP = 2, ORIGINS = 32 + TR_BLOCK_MAX_TOKENS };

struct walk {
	struct tr_access_shapes *shapes;
	struct value x[32];
	uint16_t origins;	     /* so far */
	int16_t leader[ORIGINS + 1]; /* the first access by this origin; -1: none */
	int64_t leader_offset[ORIGINS + 1];
	uint16_t pc;
	uint8_t token;
};

static void set_value(struct walk *w, unsigned rd, struct value value)
{
	if (rd)
		w->x[rd] = value;
}

/* The register has a value that is not followed. */
static void forget_value(struct walk *w, unsigned rd)
{
	if (rd)
		w->x[rd] = (struct value){.origin = w->origins++};
}

static void set_constant(struct walk *w, unsigned rd, int64_t value)
{
	set_value(w, rd, (struct value){.offset = value});
}

static void add_constant(struct walk *w, unsigned rd, unsigned rs, int64_t more)
{
	struct value value = w->x[rs];
	value.offset = (int64_t)((uint64_t)value.offset + (uint64_t)more);
	set_value(w, rd, value);
}

/* An access at `more` bytes from a register. */
static void add_access(struct walk *w, unsigned rs, int64_t more, unsigned size,
		       unsigned kind)
{
	const struct value v = w->x[rs];
	const int64_t offset = (int64_t)((uint64_t)v.offset + (uint64_t)more);
	const int16_t leader = w->leader[v.origin];
	struct tr_access_shape *shape = &w->shapes->access[w->shapes->count];

	*shape = (struct tr_access_shape){.offset = offset,
					  .pc = w->pc,
					  .token = w->token,
					  .size = (uint8_t)size,
					  .kind = (uint8_t)kind};
	if (v.origin == SP)
		shape->kind |= TR_ACCESS_SP;
	if (v.origin == 0) {
		shape->base = TR_BASE_NONE;
	} else if (leader >= 0) {
		shape->base = TR_BASE_ACCESS;
		shape->leader = (uint8_t)leader;
		shape->offset =
		    (int64_t)((uint64_t)offset - (uint64_t)w->leader_offset[v.origin]);
	} else {
		shape->base = v.origin == SP ? TR_BASE_SP : TR_BASE_ANY;
		w->leader[v.origin] = (int16_t)w->shapes->count;
		w->leader_offset[v.origin] = offset;
	}
	w->shapes->count++;
}

static int64_t sign_extend(uint64_t value, unsigned bits)
{
	return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

/* ------------------------------------------------------------ 32 bits */

static void walk_atomic(struct walk *w, uint32_t insn)
{
	unsigned kind = TR_ACCESS_LOAD | TR_ACCESS_STORE;

	if (tr_insn_is_lr(insn))
		kind = TR_ACCESS_LOAD;
	else if (tr_insn_is_sc(insn))
		kind = TR_ACCESS_STORE | TR_ACCESS_SC;
	add_access(w, insn >> 15 & 31, 0, 1U << (insn >> 12 & 3), kind);
}

static void walk_wide(struct walk *w, uint32_t insn, uint64_t pc)
{
	const unsigned rd = insn >> 7 & 31, rs1 = insn >> 15 & 31,
		       size = 1U << (insn >> 12 & 3);
	const int64_t imm = (int32_t)insn >> 20, upper = (int32_t)(insn & 0xfffff000);

	switch (tr_insn_opcode(insn)) {
	case TR_OPCODE_LOAD:
		add_access(w, rs1, imm, size, TR_ACCESS_LOAD);
		forget_value(w, rd);
		break;
	case TR_OPCODE_LOAD_FP:
		add_access(w, rs1, imm, size, TR_ACCESS_LOAD);
		break;
	case TR_OPCODE_STORE:
	case TR_OPCODE_STORE_FP:
		add_access(w, rs1, (imm & ~INT64_C(31)) | rd, size, TR_ACCESS_STORE);
		break;
	case TR_OPCODE_AMO:
		walk_atomic(w, insn);
		forget_value(w, rd);
		break;
	case TR_OPCODE_LUI:
		set_constant(w, rd, upper);
		break;
	case TR_OPCODE_AUIPC:
		set_constant(w, rd, (int64_t)(pc + (uint64_t)upper));
		break;
	case TR_OPCODE_OP_IMM:
		if ((insn >> 12 & 7) == 0)
			add_constant(w, rd, rs1, imm);
		else
			forget_value(w, rd);
		break;
	case TR_OPCODE_BRANCH:
		break;
	default:
		forget_value(w, rd);
	}
}

/* ------------------------------------------------------------ 16 bits */

/* Offsets of c.lw, c.ld, and of the forms with sp for loads and stores. */
static int64_t offset_of_word(unsigned c)
{
	return (int64_t)((c >> 4 & 4) | (c >> 7 & 0x38) | (c << 1 & 0x40));
}

static int64_t offset_of_double(unsigned c)
{
	return (int64_t)((c >> 7 & 0x38) | (c << 1 & 0xc0));
}

static void walk_quadrant_0(struct walk *w, unsigned c)
{
	const unsigned rd = 8 + (c >> 2 & 7), rs = 8 + (c >> 7 & 7);

	switch (c >> 13) {
	case 0: /* c.addi4spn */
		add_constant(w, rd, SP,
			     (int64_t)((c >> 7 & 0x30) | (c >> 1 & 0x3c0) | (c >> 4 & 4) |
				       (c >> 2 & 8)));
		break;
	case 1: /* c.fld */
		add_access(w, rs, offset_of_double(c), 8, TR_ACCESS_LOAD);
		break;
	case 2:
		add_access(w, rs, offset_of_word(c), 4, TR_ACCESS_LOAD);
		forget_value(w, rd);
		break;
	case 3:
		add_access(w, rs, offset_of_double(c), 8, TR_ACCESS_LOAD);
		forget_value(w, rd);
		break;
	case 5: /* c.fsd */
	case 7:
		add_access(w, rs, offset_of_double(c), 8, TR_ACCESS_STORE);
		break;
	case 6:
		add_access(w, rs, offset_of_word(c), 4, TR_ACCESS_STORE);
		break;
	default:
		forget_value(w, rd);
	}
}

static void walk_quadrant_1(struct walk *w, unsigned c)
{
	const unsigned rd = c >> 7 & 31;
	const int64_t imm = sign_extend((c >> 7 & 0x20) | (c >> 2 & 0x1f), 6);
	int64_t more;

	switch (c >> 13) {
	case 0:
		add_constant(w, rd, rd, imm);
		break;
	case 1: /* c.addiw */
		forget_value(w, rd);
		break;
	case 2:
		set_constant(w, rd, imm);
		break;
	case 3: /* c.lui, c.addi16sp */
		if (rd == SP && tr_sp_adds(c, &more))
			add_constant(w, SP, SP, more);
		else
			set_constant(w, rd, (int64_t)((uint64_t)imm << 12));
		break;
	case 4:
		forget_value(w, 8 + (c >> 7 & 7));
		break;
	default: /* jumps and branches */
		break;
	}
}

static void walk_quadrant_2(struct walk *w, unsigned c)
{
	const unsigned rd = c >> 7 & 31, rs2 = c >> 2 & 31;
	const int64_t loads_double =
	    (int64_t)((c >> 7 & 0x20) | (c >> 2 & 0x18) | (c << 4 & 0x1c0));
	const int64_t loads_word =
	    (int64_t)((c >> 7 & 0x20) | (c >> 2 & 0x1c) | (c << 4 & 0xc0));
	const int64_t stores_double = (int64_t)((c >> 7 & 0x38) | (c >> 1 & 0x1c0));
	const int64_t stores_word = (int64_t)((c >> 7 & 0x3c) | (c >> 1 & 0xc0));

	switch (c >> 13) {
	case 1: /* c.fldsp */
		add_access(w, SP, loads_double, 8, TR_ACCESS_LOAD);
		break;
	case 2:
		add_access(w, SP, loads_word, 4, TR_ACCESS_LOAD);
		forget_value(w, rd);
		break;
	case 3:
		add_access(w, SP, loads_double, 8, TR_ACCESS_LOAD);
		forget_value(w, rd);
		break;
	case 4:
		if (rs2 && !(c >> 12 & 1))
			set_value(w, rd, w->x[rs2]); /* c.mv */
		else if (rs2)
			forget_value(w, rd);
		else if (c >> 12 & 1)
			forget_value(w, RA); /* c.jalr */
		break;
	case 5: /* c.fsdsp */
	case 7:
		add_access(w, SP, stores_double, 8, TR_ACCESS_STORE);
		break;
	case 6:
		add_access(w, SP, stores_word, 4, TR_ACCESS_STORE);
		break;
	default: /* c.slli */
		forget_value(w, rd);
	}
}

/* ------------------------------------------------------------ blocks */

static void walk_narrow(struct walk *w, unsigned c)
{
	switch (c & 3) {
	case 0:
		walk_quadrant_0(w, c);
		break;
	case 1:
		walk_quadrant_1(w, c);
		break;
	default:
		walk_quadrant_2(w, c);
	}
}

static void set_sp(struct walk *w)
{
	struct tr_access_shapes *s = w->shapes;
	const struct value sp = w->x[SP];
	const int16_t leader = w->leader[sp.origin];

	s->sp_offset = sp.offset;
	if (sp.origin == 0) {
		s->sp_base = TR_BASE_NONE;
	} else if (sp.origin == SP) {
		s->sp_base = TR_BASE_SP;
	} else if (leader >= 0) {
		s->sp_base = TR_BASE_ACCESS;
		s->sp_leader = (uint8_t)leader;
		s->sp_offset = (int64_t)((uint64_t)sp.offset -
					 (uint64_t)w->leader_offset[sp.origin]);
	}
}

void tr_access_shape(const struct tr_block *block, struct tr_access_shapes *shapes)
{
	struct walk w = {.shapes = shapes, .origins = 32};

	shapes->count = 0;
	shapes->sp_base = TR_BASE_ANY;
	if (block->no_bits)
		return;
	memset(w.leader, 0xff, sizeof(w.leader));
	for (unsigned i = 1; i < 32; i++)
		w.x[i].origin = (uint16_t)i;
	for (unsigned i = 0; i < block->tokens; i++) {
		const uint8_t *code = block->code + w.pc;
		const unsigned length = tr_insn_length(tr_load16(code));

		w.token = (uint8_t)i;
		if (length == 2)
			walk_narrow(&w, tr_load16(code));
		else if (length == 4)
			walk_wide(&w, tr_load32(code), block->pc + w.pc);
		w.pc = (uint16_t)(w.pc + length);
	}
	set_sp(&w);
}
