/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of blocks: lengths implied by the code, and predicted addresses. */
#include "check.h"
#include "stream/codec.h"

enum { PLACES, EXPLICIT, CODE, PC = 0x10000 };

struct defined {
	struct tr_buffer columns[TR_BLOCK_COLUMNS];
	struct tr_expected expected;
	struct tr_block blocks[40];
	unsigned count;
};

static void define(struct defined *d, uint64_t pc, const void *code, uint16_t tokens,
		   uint16_t bytes, bool no_bits)
{
	d->blocks[d->count] = (struct tr_block){
	    .pc = pc, .code = code, .tokens = tokens, .bytes = bytes, .no_bits = no_bits};
	tr_encode_block(d->columns, &d->expected, &d->blocks[d->count++]);
}

/* The decoded block equals the encoded one; with a column one byte longer or shorter it
 * does not. */
static void check_defined(struct defined *d)
{
	struct tr_buffer body = {0};
	struct tr_dictionary dictionary = {0};
	struct tr_bytes section = {0};
	unsigned kind;
	bool must;
	tr_encode_columns(&body, TR_SECTION_BLOCKS, d->columns, TR_BLOCK_COLUMNS);
	struct tr_bytes in =
	    (struct tr_bytes){.at = body.data, .end = body.data + body.size};
	CHECK(tr_decode_section(&in, &kind, &must, &section) && must);
	CHECK_EQ(kind, TR_SECTION_BLOCKS);
	CHECK_EQ(tr_dictionary_reset(&dictionary), TR_OK);
	CHECK_EQ(tr_decode_blocks(&section, &dictionary), TR_OK);
	CHECK_EQ(dictionary.nblocks, d->count);
	for (unsigned i = 0; i < dictionary.nblocks; i++) {
		const struct tr_block *a = &dictionary.blocks[i], *b = &d->blocks[i];
		CHECK_EQ(a->pc, b->pc);
		CHECK_EQ(a->tokens, b->tokens);
		CHECK_EQ(a->bytes, b->bytes);
		CHECK_EQ(a->no_bits, b->no_bits);
		CHECK(memcmp(a->code, b->code, tr_block_code_size(b)) == 0);
	}
	tr_dictionary_free(&dictionary);
	tr_buffer_free(&body);
	tr_columns_free(d->columns, TR_BLOCK_COLUMNS);
}

/* After a c.nop a jump, and then its target block: no bytes but those of the code, and
 * one for the address. Encodings by an assembler. */
static void jumps(void)
{
	static const struct {
		uint32_t bits, bytes;
		int64_t offset;
	} JUMPS[] = {
	    {0x7ffff06f, 4, 0xffffe}, {0x8000006f, 4, -0x100000}, /* jal */
	    {0x554550ef, 4, 0x55554}, {0xd56d50ef, 4, -0x2aaaa},  /* jal */
	    {0x7eb50fe3, 4, 0xffe},   {0x80b51063, 4, -0x1000},	  /* beq, bne */
	    {0x54b54a63, 4, 0x554},   {0xd4b57be3, 4, -0x2aa},	  /* blt, bgeu */
	    {0xaffd, 2, 0x7fe},	      {0xb001, 2, -0x800},	  /* c.j */
	    {0xab91, 2, 0x554},	      {0xbb99, 2, -0x2aa},	  /* c.j */
	    {0xcd7d, 2, 0xfe},	      {0xf101, 2, -0x100},	  /* c.beqz, c.bnez */
	    {0xe831, 2, 0x54},	      {0xdbf9, 2, -0x2a},	  /* c.bnez, c.beqz */
	};
	for (size_t i = 0; i < sizeof(JUMPS) / sizeof(JUMPS[0]); i++) {
		uint32_t bits = JUMPS[i].bits;
		const uint8_t first[] = {1,
					 0,
					 (uint8_t)bits,
					 (uint8_t)(bits >> 8),
					 (uint8_t)(bits >> 16),
					 (uint8_t)(bits >> 24)};
		const uint8_t ret[] = {0x82, 0x80};
		uint64_t size = 2 + JUMPS[i].bytes;
		struct defined d = {0};
		define(&d, PC, first, 2, (uint16_t)size, false);
		size_t is_explicit = d.columns[EXPLICIT].size;
		define(&d, PC + 2 + (uint64_t)JUMPS[i].offset, ret, 1, 2, false);
		define(&d, PC + size, ret, 1, 2, false);
		CHECK_EQ(d.columns[PLACES].size, 3);
		CHECK_EQ(d.columns[PLACES].data[0], 0);
		CHECK_EQ(d.columns[PLACES].data[1], 1 << 1); /* the newest */
		CHECK_EQ(d.columns[PLACES].data[2], 3 << 1);
		CHECK_EQ(d.columns[EXPLICIT].size, is_explicit);
		CHECK_EQ(d.columns[CODE].size, size + 4);
		check_defined(&d);
	}
}

/* Lengths that the code does not determine, and those that it does. */
static void lengths(void)
{
	static const uint8_t CODE_BYTES[] = {
	    0x82, 0x80,		       /* c.jr ra */
	    0x13, 0,	0,    0,       /* nop */
	    0x67, 0x80, 0,    0,       /* jalr zero, 0(ra) */
	    0x01, 0x20,		       /* c.addiw, or c.jal with XLEN 32 */
	    0x1f, 0,	0x63, 0, 0, 0, /* six bytes */
	    0x02, 0x90,		       /* c.ebreak */
	    0x82, 0x90,		       /* c.jalr ra */
	};
	static const struct {
		unsigned at, tokens, bytes, is_explicit;
	} BLOCKS[] = {
	    {0, 1, 2, 0},  {0, 2, 6, 1},  {2, 1, 4, 1},	  {2, 2, 8, 0},	 {6, 1, 4, 0},
	    {10, 1, 2, 1}, {10, 2, 8, 1}, {10, 4, 12, 0}, {18, 1, 2, 1}, {18, 2, 4, 0},
	};
	static uint8_t nops[2 * TR_BLOCK_MAX_TOKENS], loop[2 * TR_BLOCK_MAX_TOKENS];
	struct defined d = {0};
	for (size_t i = 0; i < sizeof(BLOCKS) / sizeof(BLOCKS[0]); i++) {
		define(&d, PC * (i + 1), CODE_BYTES + BLOCKS[i].at,
		       (uint16_t)BLOCKS[i].tokens, (uint16_t)BLOCKS[i].bytes, false);
		CHECK_EQ(d.columns[PLACES].data[i] & 1, BLOCKS[i].is_explicit);
	}
	for (unsigned i = 0; i < sizeof(nops); i += 2)
		nops[i] = loop[i] = 1;
	define(&d, PC, nops, TR_BLOCK_MAX_TOKENS, sizeof(nops), false);
	CHECK_EQ(d.columns[PLACES].data[d.count - 1] & 1, 1);
	loop[sizeof(loop) - 1] = 0xa0; /* c.j */
	define(&d, PC, loop, TR_BLOCK_MAX_TOKENS, sizeof(loop), false);
	CHECK_EQ(d.columns[PLACES].data[d.count - 1] & 1, 0);
	static const uint8_t SIZES[] = {2, 4, 8, 6};
	define(&d, PC, SIZES, 4, 20, true);
	CHECK_EQ(d.columns[PLACES].data[d.count - 1] & 1, 1);
	check_defined(&d);
}

/* The 16 newest addresses are remembered. */
static void places(void)
{
	static const uint8_t ret[] = {0x82, 0x80};
	for (unsigned back = 15; back <= 16; back++) {
		struct defined d = {0};
		for (unsigned i = 0; i < 20; i++)
			define(&d, PC * (i + 1), ret, 1, 2, false);
		define(&d, PC * (20 - back) + 2, ret, 1, 2, false);
		CHECK_EQ(d.columns[PLACES].data[20], back == 15 ? 16 << 1 : 0);
		check_defined(&d);
	}
}

/* Bodies that no writer produces. */
static void malformed(void)
{
	static const struct {
		unsigned size, status;
		uint8_t bytes[16];
	} BODIES[] = {
	    {7, TR_OK, {1, 0, 1, 0, 2, 0x82, 0x80}},
	    {8, 1, {1, 0, 1, 0, 2, 0x82, 0x80, 0}}, /* past the columns */
	    {6, 1, {1, 0, 1, 0, 2, 0x82}},	    /* a column cut short */
	    {5, 1, {1, 0, 1, 0, 0}},		    /* no code */
	    {6, 1, {1, 0, 1, 0, 1, 0x82}},	    /* half an instruction */
	    {6, 1, {1, 0, 0, 2, 0x82, 0x80}},	    /* no address */
	    {7, 1, {1, 2, 1, 0, 2, 0x82, 0x80}},    /* an address before any */
	    {10, TR_OK, {2, 0, 2, 1, 0, 4, 0x82, 0x80, 0x82, 0x80}},
	    {10, 1, {2, 0, 4, 1, 0, 4, 0x82, 0x80, 0x82, 0x80}},
	    {7, 1, {1, 0, 1, 0, 2, 1, 0}},	    /* without a transfer */
	    {8, 1, {1, 0, 1, 0, 3, 0x82, 0x80, 1}}, /* code left over */
	    {8, 1, {1, 0, 2, 0, 0, 2, 0x82, 0x80}}, /* numbers left over */
	    {8, TR_OK, {1, 1, 2, 0, 0, 2, 1, 0}},   /* an explicit length */
	};
	for (size_t i = 0; i < sizeof(BODIES) / sizeof(BODIES[0]); i++) {
		struct tr_dictionary d = {0};
		struct tr_bytes in = {.at = BODIES[i].bytes,
				      .end = BODIES[i].bytes + BODIES[i].size};
		CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
		int status = tr_decode_blocks(&in, &d);
		if (!CHECK_EQ(status, BODIES[i].status ? TR_E_CORRUPT : TR_OK))
			fprintf(stderr, "body %zu\n", i);
		tr_dictionary_free(&d);
	}
}

int main(void)
{
	jumps();
	lengths();
	places();
	malformed();
	return check_done();
}
