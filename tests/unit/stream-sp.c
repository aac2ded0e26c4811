/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of sp by instructions: checked with encodings of the specification, and summed
 * over blocks. */
#include "stream/sp.h"

#include "check.h"
#include "stream/decode.h"

/* Encodings by the assembler. */
static const struct {
	uint64_t insn;
	int64_t bytes;
} adds[] = {
    {0x1141, -16},     {0x1101, -32},	    {0x7179, -48},	{0x7139, -64},
    {0x715d, -80},     {0x711d, -96},	    {0x7159, -112},	{0x7119, -128},
    {0x7101, -512},    {0x617d, 496},	    {0x6141, 16},	{0x6105, 32},
    {0x6121, 64},      {0x0141, 16},	    {0x0105, 1},	{0x117d, -1},
    {0xff010113, -16}, {0x80010113, -2048}, {0x7ff10113, 2047}, {0x00010113, 0},
    {0xdead1141, -16}, /* bits beyond its length are ignored */
};

static const uint64_t others[] = {
    0x40610133, /* sub sp, sp, t1 */
    0xfc040113, /* addi sp, s0, -64 */
    0xff01011b, /* addiw sp, sp, -16 */
    0xff017113, /* andi sp, sp, -16 */
    0xff010193, /* addi gp, sp, -16 */
    0x34011173, /* csrrw sp, mscratch, sp */
    0x00813103, /* ld sp, 8(sp) */
    0x810a,	/* c.mv sp, sp */
    0x6142,	/* c.ldsp sp, 16(sp) */
    0x2101,	/* c.addiw sp, 0 */
    0x4141,	/* c.li sp, 16 */
    0x0808,	/* c.addi4spn a0, sp, 16 */
    0x1142,	/* c.slli sp, 48 */
    0x9116,	/* c.add sp, t0 */
};

/* Instructions of 16 bits that write sp with one XLEN and not with the other. */
static const struct {
	uint16_t insn;
	enum tr_sp_effect effect32, effect64;
} compressed[] = {
    {0x2101, TR_SP_KEEPS, TR_SP_LOADS}, /* c.jal; c.addiw sp, 0 */
    {0x3105, TR_SP_KEEPS, TR_SP_LOADS}, /* likewise, with other bits */
    {0x6102, TR_SP_KEEPS, TR_SP_LOADS}, /* c.flwsp ft2, 0; c.ldsp sp, 0 */
    {0x4112, TR_SP_LOADS, TR_SP_LOADS}, /* c.lwsp sp, 4 */
    {0x4141, TR_SP_LOADS, TR_SP_LOADS}, /* c.li sp, 16 */
    {0x2122, TR_SP_KEEPS, TR_SP_KEEPS}, /* c.fldsp ft2, 8 */
    {0x1141, TR_SP_ADDS, TR_SP_ADDS},	/* c.addi sp, -16 */
    {0xe106, TR_SP_KEEPS, TR_SP_KEEPS}, /* c.fswsp ft1, 128; c.sdsp ra, 128 */
};

static void by_xlen(void)
{
	int64_t bytes;
	for (size_t i = 0; i < sizeof(compressed) / sizeof(compressed[0]); i++) {
		const uint16_t insn = compressed[i].insn;
		const uint8_t code[] = {(uint8_t)insn, (uint8_t)(insn >> 8)};
		CHECK_EQ(tr_decode_sp(code, 2, 32, &bytes), compressed[i].effect32);
		CHECK_EQ(tr_decode_sp(code, 2, 64, &bytes), compressed[i].effect64);
	}
}

static void single_instructions(void)
{
	int64_t bytes;

	for (size_t i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		bytes = INT64_MAX;
		CHECK(tr_sp_adds(adds[i].insn, &bytes));
		CHECK_EQ(bytes, adds[i].bytes);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CHECK(!tr_sp_adds(others[i], &bytes));
}

/* addi a0, a0, 1; c.addi16sp -64; addi sp, sp, -2048; c.addi sp, 16; ret */
static void sums_of_blocks(void)
{
	static const uint8_t code[] = {0x13, 0x05, 0x15, 0x00, 0x39, 0x71, 0x13,
				       0x01, 0x01, 0x80, 0x41, 0x01, 0x82, 0x80};
	static const uint8_t lengths[] = {4, 2, 4, 2, 2};
	static const int64_t sums[] = {0, 0, -64, -2112, -2096, -2096};
	const struct tr_block block = {.code = code, .tokens = 5, .bytes = sizeof(code)};
	const struct tr_block no_bits = {
	    .code = lengths, .tokens = 5, .bytes = sizeof(code), .no_bits = true};

	for (unsigned i = 0; i < 6; i++) {
		CHECK_EQ(tr_sp_added(&block, i, 64), sums[i]);
		CHECK_EQ(tr_sp_added(&no_bits, i, 64), 0);
	}
}

int main(void)
{
	single_instructions();
	by_xlen();
	sums_of_blocks();
	return check_done();
}
