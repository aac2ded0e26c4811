/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions that are counted, and the pieces of code that they are in: found by
 * their place, and remembered by block. */
#include <string.h>

#include "annotate/counts_state.h"
#include "stream/reader.h"

static uint64_t key_of_insn(uint32_t func, uint32_t binary, uint64_t address)
{
	return tr_mix(address) ^ (uint64_t)func << 24 ^ (uint64_t)binary << 48;
}

uint32_t tr_counts_insn_at(struct tr_counts *c, uint32_t func, uint32_t binary,
			   uint64_t address)
{
	uint64_t key = key_of_insn(func, binary, address);
	uint32_t id;
	for (; (id = tr_map_get(&c->insn_ids, key)) != TR_MAP_NONE; key++)
		if (c->insns[id].func == func && c->insns[id].binary == binary &&
		    c->insns[id].address == address)
			return id;
	if (c->ninsns >= COUNTS_NONE - 1 ||
	    !tr_grow(&c->insns, &c->insns_room, c->ninsns + 1, sizeof(*c->insns)) ||
	    !tr_map_set(&c->insn_ids, key, (uint32_t)c->ninsns)) {
		c->failed = true;
		return COUNTS_NONE;
	}
	c->insns[c->ninsns] = (struct counted_insn){.address = address,
						    .func = func,
						    .binary = binary,
						    .lost = COUNTS_NONE,
						    .number = (uint32_t)c->ninsns};
	return (uint32_t)c->ninsns++;
}

static unsigned length_at(const struct tr_block *block, const uint8_t *code)
{
	return block->no_bits
		   ? *code
		   : tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
}

/* Notes the bits of an instruction that a piece has. */
static void describe_insn(const struct tr_counts *c, struct counted_insn *insn,
			  const uint8_t *code, unsigned bytes)
{
	insn->differs |= insn->bytes && insn->bytes != bytes;
	insn->bytes = (uint8_t)bytes;
	if (!code)
		return;
	insn->differs |= insn->has_code && memcmp(insn->code, code, bytes) != 0;
	memcpy(insn->code, code, bytes);
	insn->has_code = true;
	const enum tr_flow flow = tr_decode_flow(code, bytes, c->isa);
	insn->is_branch = flow == TR_FLOW_BRANCH;
	insn->is_transfer = flow != TR_FLOW_NEXT;
}

/* Where a part of a block begins. */
struct start {
	const uint8_t *code;
	uint64_t pc, address;
	uint64_t bits; /* hash of the code of the part */
};

static struct start find_start(const struct tr_unwind_run *run)
{
	const struct tr_block *block = run->block;
	struct start start = {
	    .code = block->code, .pc = run->pc, .address = run->address};
	for (unsigned i = 0; i < run->end; i++) {
		const unsigned bytes = length_at(block, start.code);
		if (i >= run->first)
			break;
		start.code += block->no_bits ? 1 : bytes;
		start.pc += bytes;
		start.address += bytes;
	}
	const uint8_t *at = start.code;
	for (unsigned i = run->first; i < run->end; i++) {
		const unsigned bytes = block->no_bits ? 1 : length_at(block, at);
		for (unsigned k = 0; k < bytes; k++)
			start.bits = tr_mix(start.bits ^ at[k]);
		at += bytes;
	}
	return start;
}

/* Notes the bits of an instruction that the source does not have, from its file. */
static void describe_by_file(const struct tr_counts *c, struct counted_insn *insn,
			     unsigned bytes)
{
	const struct tr_image *image = insn->binary < tr_symbols_count(c->symbols)
					   ? tr_symbols_image(c->symbols, insn->binary)
					   : NULL;
	const uint8_t *low = image ? tr_image_bytes(image, insn->address, 2) : NULL;
	const unsigned length =
	    low ? tr_insn_length((unsigned)low[0] | (unsigned)low[1] << 8) : 0;
	const uint8_t *code =
	    length ? tr_image_bytes(image, insn->address, length) : NULL;
	describe_insn(c, insn, code, code ? length : bytes);
}

static bool define_piece(struct tr_counts *c, const struct tr_unwind_run *run,
			 const struct start *start, struct counted_piece *piece)
{
	const struct tr_block *block = run->block;
	const uint8_t *code = start->code;
	uint64_t address = start->address;
	piece->first = (uint32_t)c->nids;
	if (!tr_grow(&c->ids, &c->ids_room, c->nids + piece->count, sizeof(*c->ids)))
		return false;
	for (uint32_t i = 0; i < piece->count; i++) {
		const unsigned bytes = length_at(block, code);
		const uint32_t id = tr_counts_insn_at(c, run->func, run->binary, address);
		if (id == COUNTS_NONE || bytes > sizeof(c->insns[id].code))
			return false;
		if (block->no_bits)
			describe_by_file(c, &c->insns[id], bytes);
		else
			describe_insn(c, &c->insns[id], code, bytes);
		c->ids[c->nids++] = id;
		code += block->no_bits ? 1 : bytes;
		address += bytes;
	}
	return true;
}

static bool is_piece(const struct counted_piece *piece, const struct tr_unwind_run *run,
		     uint64_t address)
{
	return piece->address == address && piece->func == run->func &&
	       piece->binary == run->binary &&
	       piece->count == (uint32_t)(run->end - run->first);
}

/* Returns the piece of a run; COUNTS_NONE when out of memory. */
static uint32_t find_piece(struct tr_counts *c, const struct tr_unwind_run *run)
{
	const struct start start = find_start(run);
	struct counted_piece piece = {.address = start.address,
				      .bits = start.bits,
				      .func = run->func,
				      .binary = run->binary,
				      .count = (uint32_t)(run->end - run->first)};
	uint64_t key =
	    key_of_insn(run->func, run->binary, start.address) ^ tr_mix(piece.count);
	uint32_t id;
	for (; (id = tr_map_get(&c->piece_ids, key)) != TR_MAP_NONE; key++)
		if (is_piece(&c->pieces[id], run, start.address) &&
		    c->pieces[id].bits == start.bits)
			return id;
	if (c->npieces >= COUNTS_NONE - 1 ||
	    c->nids >= COUNTS_NONE - TR_BLOCK_MAX_TOKENS ||
	    !tr_grow(&c->pieces, &c->pieces_room, c->npieces + 1, sizeof(*c->pieces)) ||
	    !define_piece(c, run, &start, &piece) ||
	    !tr_map_set(&c->piece_ids, key, (uint32_t)c->npieces)) {
		c->failed = true;
		return COUNTS_NONE;
	}
	c->pieces[c->npieces] = piece;
	return (uint32_t)c->npieces++;
}

uint32_t tr_counts_piece_of(struct tr_counts *c, const struct tr_unwind_run *run)
{
	const uint32_t block = run->id;
	const size_t known = c->nblocks;
	if (block >= known) {
		if (!tr_grow(&c->piece_of_block, &c->blocks_room, (size_t)block + 1,
			     sizeof(*c->piece_of_block))) {
			c->failed = true;
			return COUNTS_NONE;
		}
		c->nblocks = (size_t)block + 1;
		memset(&c->piece_of_block[known], 0xff,
		       (c->nblocks - known) * sizeof(*c->piece_of_block));
	}
	const uint32_t last = c->piece_of_block[block];
	if (last != COUNTS_NONE && !run->first &&
	    is_piece(&c->pieces[last], run, run->address))
		return last;
	const uint32_t id = find_piece(c, run);
	if (!run->first)
		c->piece_of_block[block] = id;
	return id;
}
