/* SPDX-License-Identifier: Apache-2.0 */
/* Classifies a block in an address space by its instructions and the file that they are
 * from. */
#include <stdlib.h>

#include "base/little.h"
#include "stream/insn.h"
#include "unwind/unwind_pairs_internal.h"
#include "unwind/unwind_spans.h"

bool tr_pairs_origin(const struct tr_pairs *pairs, uint32_t *binary, uint64_t *address,
		     bool *is_direct)
{
	const struct tr_unwind_source *source = pairs->parts.source;
	return source->origin && source->origin(source->user, binary, address, is_direct);
}

/* Returns the symbol of the function at an address; `range` is where the answer
 * is valid. */
static uint32_t look_up_function(struct tr_pairs *pairs, uint32_t binary,
				 uint64_t address, struct tr_function *range, bool *entry)
{
	*entry = false;
	if (binary >= pairs->nbinaries) {
		*range = (struct tr_function){.low = 0, .high = UINT64_MAX};
		return binary == TR_NOTE_AMBIGUOUS ? SYM_AMBIGUOUS : SYM_UNKNOWN;
	}
	if (!pairs->parts.source->function(pairs->parts.source->user, binary, address,
					   range)) {
		*range = (struct tr_function){.low = address, .high = address + 1};
		return tr_names_nameless(pairs->parts.names, binary);
	}
	*entry = address == range->entry;
	return tr_names_function(pairs->parts.names, binary, range);
}

static bool locate_in(struct tr_pairs *pairs, uint32_t binary, uint64_t bias,
		      struct place *place)
{
	struct tr_function range;
	bool is_direct;
	if (binary >= pairs->nbinaries)
		return false;
	place->binary = binary;
	place->address = place->pc - bias;
	bool is_stub =
	    tr_pairs_origin(pairs, &place->binary, &place->address, &is_direct);
	place->sym =
	    look_up_function(pairs, place->binary, place->address, &range, &place->entry);
	if (is_stub)
		place->entry = false;
	return !names_is_blank(pairs->parts.names, place->sym);
}

bool tr_pairs_locate(struct tr_pairs *pairs, const struct pair *near, uint32_t space,
		     struct place *place)
{
	struct space_object object;
	if (!near->is_stub &&
	    locate_in(pairs, near->binary, near->pc - near->address, place))
		return true;
	for (uint32_t i = 0; tr_spaces_object(pairs->parts.spaces, space, i, &object);
	     i++)
		if (locate_in(pairs, object.binary, object.bias, place))
			return true;
	return false;
}

static void add_segment(struct tr_pairs *pairs, struct pair *p, const struct segment *s)
{
	struct segment *more = realloc(p->segments, (p->nsegments + 1U) * sizeof(*more));
	if (!more) {
		unwind_fail(pairs->parts.status, TR_E_NOMEM);
		return;
	}
	p->segments = more;
	more[p->nsegments++] = *s;
}

static unsigned code_length(const struct tr_block *block, const uint8_t *code)
{
	if (block->no_bits)
		return *code;
	return tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
}

/* Finds out whether an instruction is a mark. */
static bool is_mark(const uint8_t *code, unsigned length, struct tr_mark *mark)
{
	/* Most instructions are not OP-IMM with rd x0. */
	return code && length == 4 && code[0] == TR_OPCODE_OP_IMM && !(code[1] & 0x0f) &&
	       tr_mark_decode(tr_load32(code), mark);
}

/* State of a walk over a block's instructions. */
struct walk {
	struct tr_function range;     /* where `sym` and `entry` are valid */
	struct tr_source_place place; /* where `leaf` is valid */
	uint32_t sym, leaf;
	bool entry;
};

/* Advances to token i, at pc and an address in the file. A segment begins where the
 * function or the leaf changes. */
static void walk_to(struct tr_pairs *pairs, struct pair *p, struct walk *w, uint16_t i,
		    uint64_t pc, uint64_t address)
{
	struct segment s = {.pc = pc, .base = UINT32_MAX, .first = i};
	uint32_t leaf = w->leaf;
	if (address - w->range.low >= w->range.high - w->range.low) {
		s.sym = look_up_function(pairs, p->binary, address, &w->range, &s.entry);
		s.moves = s.sym != w->sym;
		w->sym = s.sym;
	}
	if (address - w->place.low >= w->place.high - w->place.low)
		w->leaf =
		    tr_leaves_at(pairs->parts.leaves, p->binary, address, &w->place);
	if (!s.moves && w->leaf == leaf)
		return;
	s.sym = w->sym;
	s.leaf = names_is_blank(pairs->parts.names, w->sym) ? 0 : w->leaf;
	add_segment(pairs, p, &s);
}

/* Returns the instruction at `pc`, of at most 8 bytes, from the block or, if the source
 * has no instruction bits, from the file; NULL if unknown. *length is always set. */
static const uint8_t *code_at(struct tr_pairs *pairs, const struct pair *p,
			      const struct tr_block *block, const uint8_t *own,
			      uint64_t pc, unsigned *length)
{
	const uint64_t address = p->address + (pc - p->pc);
	*length = code_length(block, own);
	if (!block->no_bits)
		return own;
	if (!pairs->parts.source->code || p->binary >= pairs->nbinaries)
		return NULL;
	const uint8_t *code =
	    pairs->parts.source->code(pairs->parts.source->user, p->binary, address, 2);
	/* A source of addresses alone guesses the length of a jump. */
	if (code)
		*length = tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
	if (code && *length > 2)
		code = pairs->parts.source->code(pairs->parts.source->user, p->binary,
						 address, *length);
	return code;
}

/* Accumulates an instruction's effect on sp. The source may report writes other than
 * additions. */
static void add_sp(const struct tr_pairs *pairs, struct pair *p, const uint8_t *code,
		   unsigned length, unsigned isa)
{
	int64_t bytes = 0;
	enum tr_sp_effect effect =
	    code ? tr_decode_sp(code, length, isa, &bytes) : TR_SP_KEEPS;
	p->last_sp = effect & 7U;
	if (effect == TR_SP_ADDS)
		p->sp += (int32_t)bytes;
	if (effect <= TR_SP_ADDS || pairs->has_sp)
		return;
	p->sp_write = effect & 7U;
	p->sp = (int32_t)bytes;
}

/* Returns whether the instruction is `lui tp` or `auipc tp`, as in `la tp, symbol`. */
static bool is_half_tp(const uint8_t *code, unsigned length)
{
	if (!code || length != 4)
		return false;
	const unsigned opcode = code[0] & 0x7fU, rd = (code[0] >> 7 | code[1] << 1) & 31U;
	return (opcode == TR_OPCODE_LUI || opcode == TR_OPCODE_AUIPC) && rd == TR_REG_TP;
}

/* The control flow of the last instruction; code that `is_vague` may transfer control. */
static void set_flow(struct pair *p, const uint8_t *code, unsigned length, unsigned isa,
		     bool is_vague)
{
	p->flow = FLOW_NO_BITS;
	if (!code || is_vague)
		return;
	p->flow = (uint8_t)tr_decode_flow(code, length, isa);
	p->is_alternate = tr_decode_is_alternate(code, length);
}

/* Returns true if two instructions, 0 for shorter ones, are a jump to a fixed target
 * beyond the reach of jal: `auipc t1, %pcrel_hi(f)` and `jalr x0, %pcrel_lo(f)(t1)`. */
static bool is_far_jump(uint32_t first, uint32_t second)
{
	return (first & 0x7f) == TR_OPCODE_AUIPC && (second & 0xfff) == TR_OPCODE_JALR &&
	       (second >> 15 & 31) == (first >> 7 & 31);
}

/* Calls by the block's last instruction are distinguished from others. */
static void add_site(struct tr_pairs *pairs, struct pair *p)
{
	uint32_t spot = tr_spans_last_spot(pairs->parts.spans, p);
	if (spot != TR_NO_SPOT && !names_is_blank(pairs->parts.names, p->last_sym))
		p->last_leaf = tr_leaves_site(pairs->parts.leaves, p->last_leaf, spot);
}

/* Returns what an instruction of a pair may be if not even the frame shows whether it is
 * of Zcmp, and marks the pair; what the frame shows changes *isa. */
static enum tr_zcm vague_insn(struct tr_pairs *pairs, struct pair *p, const uint8_t *code,
			      unsigned length, unsigned *isa)
{
	const enum tr_zcm zcm =
	    code && !tr_isa_tells_zcm(*isa) ? tr_decode_zcm(code, length) : TR_ZCM_NONE;
	if (zcm == TR_ZCM_NONE)
		return zcm;
	if (tr_isa_look(pairs->parts.isa))
		tr_pairs_settle_vague(pairs);
	*isa = tr_isa_of(pairs->parts.isa, p->binary);
	if (tr_isa_tells_zcm(*isa))
		return TR_ZCM_NONE;
	pairs->has_vague = true;
	p->is_vague = true;
	return zcm;
}

/* Begins a segment behind token i, at an address in the file, if that is a mark. */
static void split_behind_mark(struct tr_pairs *pairs, struct pair *p,
			      const struct walk *w, const uint8_t *code, unsigned length,
			      uint16_t i, uint64_t address)
{
	const struct tr_unwind_source *source = pairs->parts.source;
	struct segment s = {
	    .sym = w->sym, .base = UINT32_MAX, .first = (uint16_t)(i + 1)};
	if (!pairs->parts.finds_marks || !is_mark(code, length, &s.mark))
		return;
	s.is_marked = true;
	s.leaf = names_is_blank(pairs->parts.names, w->sym) ? 0 : w->leaf;
	if (source->mark && p->binary < pairs->nbinaries)
		s.name = source->mark(source->user, p->binary, address);
	add_segment(pairs, p, &s);
}

/* Where the code of a pair is: in a program, or among its stubs. */
struct pair_code {
	uint64_t bias; /* pc minus address */
	uint32_t binary;
};

/* Returns the address of the instruction at `pc`, or of that for which it stands. */
static uint64_t address_at(const struct tr_pairs *pairs, const struct pair *p,
			   struct pair_code code, uint64_t pc, bool *is_direct)
{
	uint64_t address = pc - code.bias;
	*is_direct = false;
	if (p->is_stub)
		tr_pairs_origin(pairs, &code.binary, &address, is_direct);
	return address;
}

/* Sets the place of a pair whose code is a stub's to that for which it stands. Returns
 * where the code is. */
static struct pair_code place_pair(const struct tr_pairs *pairs, struct pair *p,
				   uint64_t pc)
{
	const struct pair_code code = {.bias = pc - p->address, .binary = p->binary};
	bool is_direct;
	p->is_stub = tr_pairs_origin(pairs, &p->binary, &p->address, &is_direct);
	return code;
}

/* Returns true if code in no binary is JIT code. */
static bool is_jit_code(const struct tr_pairs *pairs, const struct pair *p)
{
	const struct tr_unwind_source *source = pairs->parts.source;
	return p->binary == TR_NOTE_UNKNOWN && source->is_jit &&
	       source->is_jit(source->user, p->space, p->pc);
}

void tr_pairs_classify(struct tr_pairs *pairs, struct pair *p)
{
	const struct tr_block *block =
	    pairs->parts.source->block(pairs->parts.source->user, p->block);
	const uint8_t *own = block->code, *code = NULL;
	uint64_t pc = block->pc;
	const struct pair_code place = place_pair(pairs, p, pc);
	struct walk w = {.leaf = 0};
	enum tr_zcm vague = TR_ZCM_NONE;
	unsigned length = 0, isa;
	uint32_t insn = 0, before = 0;
	bool entry, is_direct = false;

	p->pc = pc;
	p->nsegments = 0;
	p->is_vague = false;
	p->sp = 0;
	p->sp_write = TR_SP_KEEPS;
	w.sym = p->sym = look_up_function(pairs, p->binary, p->address, &w.range, &entry);
	if (p->sym == SYM_UNKNOWN && is_jit_code(pairs, p))
		w.sym = p->sym = SYM_JIT;
	p->entry = entry && !p->is_stub;
	isa = tr_isa_of(pairs->parts.isa, p->binary);
	for (uint16_t i = 0; i < block->tokens; i++) {
		const uint64_t address = address_at(pairs, p, place, pc, &is_direct);
		walk_to(pairs, p, &w, i, pc, address);
		code = code_at(pairs, p, block, own, pc, &length);
		before = insn;
		insn = code && length == 4 ? tr_load32(code) : 0;
		split_behind_mark(pairs, p, &w, code, length, i, address);
		if (!p->is_stub) /* such instructions are not moved */
			vague = vague_insn(pairs, p, code, length, &isa);
		add_sp(pairs, p, code, length, isa);
		p->is_half_tp = is_half_tp(code, length);
		/* The next address is known: a short branch over as short an
		 * instruction looks like a long instruction. */
		if (i + 1 < block->tokens)
			length = code_length(block, own);
		own += block->no_bits ? 1 : length;
		pc += length;
	}
	p->last_sym = w.sym;
	p->last_leaf = names_is_blank(pairs->parts.names, w.sym)
			   ? 0
			   : tr_leaves_calls(pairs->parts.leaves, w.leaf);
	p->bytes = (uint16_t)(pc - p->pc);
	/* In a stream without bits no frame shows it. */
	set_flow(p, code, length, isa, block->no_bits && tr_zcm_transfers(vague));
	if (p->flow == TR_FLOW_INDIRECT && (is_direct || is_far_jump(before, insn)))
		p->flow = TR_FLOW_JUMP;
	if (pairs->parts.spans)
		add_site(pairs, p);
	p->ready = true;
}
