/* SPDX-License-Identifier: Apache-2.0 */
/* Block definitions: the start address, as an index into the expected places; explicit
 * values where the start or the length is not the expected one; and the code. */
#include "stream/codec.h"

#include "base/little.h"
#include "stream/insn.h"
#include "stream/reader.h"

enum { PLACES, EXPLICIT, CODE }; /* columns */

/* Effect of an instruction on a block whose length follows from its code. */
enum transfer {
	NO_TRANSFER,
	TRANSFER,    /* transfers control and ends the block */
	TRANSFER_TO, /* the same, to a target encoded in the instruction */
};

/* Returns `count` bits from bit `from`, moved to bit `to`. */
static uint32_t move_bits(uint32_t bits, unsigned from, unsigned count, unsigned to)
{
	return (bits >> from & ((1U << count) - 1)) << to;
}

static uint64_t sign_extend(uint32_t value, unsigned sign)
{
	uint64_t top = UINT64_C(1) << sign;
	return (value ^ top) - top;
}

/* Decodes JAL, JALR and branches (unprivileged 2.5). Returns the kind of transfer, and
 * its *offset if that is encoded. */
static enum transfer decode_transfer(uint32_t bits, uint64_t *offset)
{
	switch (tr_insn_opcode(bits)) {
	case TR_OPCODE_JAL:
		*offset = sign_extend(
		    move_bits(bits, 31, 1, 20) | move_bits(bits, 12, 8, 12) |
			move_bits(bits, 20, 1, 11) | move_bits(bits, 21, 10, 1),
		    20);
		return TRANSFER_TO;
	case TR_OPCODE_BRANCH:
		*offset =
		    sign_extend(move_bits(bits, 31, 1, 12) | move_bits(bits, 7, 1, 11) |
				    move_bits(bits, 25, 6, 5) | move_bits(bits, 8, 4, 1),
				12);
		return TRANSFER_TO;
	case TR_OPCODE_JALR:
		return TRANSFER;
	default:
		return NO_TRANSFER;
	}
}

/* Decodes C.J, C.BEQZ, C.BNEZ, C.JR and C.JALR (unprivileged 27.4), whose encodings are
 * the same for every XLEN; this excludes C.JAL. Returns the kind of transfer, and its
 * *offset if that is encoded. */
static enum transfer decode_compressed_transfer(uint32_t bits, uint64_t *offset)
{
	unsigned funct3 = move_bits(bits, 13, 3, 0);
	if ((bits & 3) == 2)
		return funct3 == 4 && !move_bits(bits, 2, 5, 0) &&
			       move_bits(bits, 7, 5, 0)
			   ? TRANSFER
			   : NO_TRANSFER;
	if ((bits & 3) != 1 || funct3 < 5)
		return NO_TRANSFER;
	if (funct3 == 5)
		*offset =
		    sign_extend(move_bits(bits, 12, 1, 11) | move_bits(bits, 11, 1, 4) |
				    move_bits(bits, 9, 2, 8) | move_bits(bits, 8, 1, 10) |
				    move_bits(bits, 7, 1, 6) | move_bits(bits, 6, 1, 7) |
				    move_bits(bits, 3, 3, 1) | move_bits(bits, 2, 1, 5),
				11);
	else
		*offset =
		    sign_extend(move_bits(bits, 12, 1, 8) | move_bits(bits, 10, 2, 3) |
				    move_bits(bits, 5, 2, 6) | move_bits(bits, 3, 2, 1) |
				    move_bits(bits, 2, 1, 5),
				8);
	return TRANSFER_TO;
}

/* The extent of a block as its code implies it. */
struct shape {
	unsigned tokens, bytes; /* through the first transfer; 0 if there is none */
	bool has_target;
	uint64_t target;
};

static struct shape block_shape_at(uint64_t pc, const uint8_t *code, size_t left)
{
	struct shape shape = {0};
	for (unsigned size = 0, tokens = 1; tokens <= TR_BLOCK_MAX_TOKENS; tokens++) {
		if (left - size < 2)
			break;
		unsigned n = tr_insn_length(tr_load16(code + size));
		uint64_t offset = 0;
		if (n == 0 || n > left - size)
			break;
		enum transfer transfer =
		    n == 2   ? decode_compressed_transfer(tr_load16(code + size), &offset)
		    : n == 4 ? decode_transfer(tr_load32(code + size), &offset)
			     : NO_TRANSFER;
		if (transfer != NO_TRANSFER)
			return (struct shape){.tokens = tokens,
					      .bytes = size + n,
					      .has_target = transfer == TRANSFER_TO,
					      .target = pc + size + offset};
		size += n;
	}
	return shape;
}

static void expect_pc(struct tr_expected *expected, uint64_t pc)
{
	expected->pc[expected->count++ % TR_EXPECTED] = pc;
}

/* Returns the `i`th newest expected place, from 1. */
static uint64_t expected_pc(const struct tr_expected *expected, unsigned i)
{
	return expected->pc[(expected->count - i) % TR_EXPECTED];
}

static unsigned known_places(const struct tr_expected *expected)
{
	return expected->count < TR_EXPECTED ? expected->count : TR_EXPECTED;
}

static unsigned find_expected_place(const struct tr_expected *expected, uint64_t pc)
{
	for (unsigned i = 1; i <= known_places(expected); i++)
		if (expected_pc(expected, i) == pc)
			return i;
	return 0;
}

static void expect_more(struct tr_expected *expected, uint64_t end,
			const struct shape *shape)
{
	expect_pc(expected, end);
	if (shape->has_target)
		expect_pc(expected, shape->target);
	expected->last_end = end;
}

void tr_encode_block(struct tr_buffer *columns, struct tr_expected *expected,
		     const struct tr_block *block)
{
	struct shape shape = {0};
	if (!block->no_bits)
		shape = block_shape_at(block->pc, block->code, block->bytes);
	bool is_explicit = shape.tokens != block->tokens;
	unsigned place = find_expected_place(expected, block->pc);
	tr_buffer_varint(&columns[PLACES], (uint64_t)place << 1 | is_explicit);
	if (!place)
		tr_buffer_varint(&columns[EXPLICIT],
				 tr_zigzag(block->pc - expected->last_end));
	if (is_explicit) {
		tr_buffer_varint(&columns[EXPLICIT],
				 (uint64_t)(block->tokens - 1) << 1 | block->no_bits);
		shape = (struct shape){0};
	}
	tr_buffer_add(&columns[CODE], block->code, tr_block_code_size(block));
	expect_more(expected, block->pc + block->bytes, &shape);
}

/* Returns the size of the first `tokens` instructions of `in` in bytes, or 0 if they are
 * incomplete or not RISC-V. */
static uint32_t code_size(const struct tr_bytes *in, unsigned tokens, bool no_bits)
{
	uint32_t size = 0;
	for (unsigned i = 0; i < tokens; i++) {
		size_t left = (size_t)(in->end - in->at) - (no_bits ? i : size);
		if (left < 2 && (left < 1 || !no_bits))
			return 0;
		unsigned n =
		    no_bits ? in->at[i] : tr_insn_length(tr_load16(in->at + size));
		if (n < 2 || n > TR_INSN_MAX_BYTES || n % 2 || (!no_bits && n > left))
			return 0;
		size += n;
	}
	return size;
}

/* Decodes and returns the extent of a block, which the stream may have explicitly. Sets
 * block->bytes to 0 if malformed. */
static struct shape decode_shape(struct tr_bytes *columns, struct tr_block *block,
				 bool is_explicit)
{
	const struct tr_bytes *code = &columns[CODE];
	struct shape shape = {0};
	block->tokens = block->bytes = 0;
	block->no_bits = false;
	if (is_explicit) {
		uint64_t size =
		    tr_varint_below(&columns[EXPLICIT], TR_BLOCK_MAX_TOKENS << 1);
		block->tokens = (uint16_t)((size >> 1) + 1);
		block->no_bits = size & 1;
		block->bytes = (uint16_t)code_size(code, block->tokens, block->no_bits);
		return shape;
	}
	shape = block_shape_at(block->pc, code->at, (size_t)(code->end - code->at));
	block->tokens = (uint16_t)shape.tokens;
	block->bytes = (uint16_t)shape.bytes;
	return shape;
}

static int decode_block(struct tr_bytes *columns, struct tr_expected *expected,
			struct tr_dictionary *dictionary)
{
	struct tr_block block;
	uint64_t place = tr_varint(&columns[PLACES]), i = place >> 1;
	if (i > known_places(expected))
		return TR_E_CORRUPT;
	block.pc = i ? expected_pc(expected, (unsigned)i)
		     : expected->last_end + tr_unzigzag(tr_varint(&columns[EXPLICIT]));
	struct shape shape = decode_shape(columns, &block, place & 1);
	if (columns[PLACES].bad || columns[EXPLICIT].bad || block.bytes == 0)
		return TR_E_CORRUPT;
	block.code = tr_bytes_take(&columns[CODE], tr_block_code_size(&block));
	expect_more(expected, block.pc + block.bytes, &shape);
	int status = tr_dictionary_add_block(dictionary, &block);
	if (!status && tr_dictionary_beyond(dictionary))
		status = TR_E_CORRUPT;
	return status;
}

int tr_decode_blocks(struct tr_bytes *in, struct tr_dictionary *dictionary)
{
	struct tr_bytes columns[TR_BLOCK_COLUMNS];
	struct tr_expected expected = {0};
	if (!tr_decode_columns(in, columns, TR_BLOCK_COLUMNS))
		return TR_E_CORRUPT;
	while (columns[PLACES].at != columns[PLACES].end) {
		int status = decode_block(columns, &expected, dictionary);
		if (status)
			return status;
	}
	return tr_columns_done(columns, TR_BLOCK_COLUMNS) ? TR_OK : TR_E_CORRUPT;
}
