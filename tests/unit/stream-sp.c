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
    {0x3105, TR_SP_KEEPS, TR_SP_LOADS}, /* c.jal; c.addiw sp, -31 */
    {0x6102, TR_SP_KEEPS, TR_SP_LOADS}, /* c.flwsp ft2, 0; c.ldsp sp, 0 */
    {0x4112, TR_SP_LOADS, TR_SP_LOADS}, /* c.lwsp sp, 4 */
    {0x4141, TR_SP_LOADS, TR_SP_LOADS}, /* c.li sp, 16 */
    {0x2122, TR_SP_KEEPS, TR_SP_KEEPS}, /* c.fldsp ft2, 8 */
    {0x1141, TR_SP_ADDS, TR_SP_ADDS},	/* c.addi sp, -16 */
    {0xe106, TR_SP_KEEPS, TR_SP_KEEPS}, /* c.fswsp ft1, 128; c.sdsp ra, 128 */
};

/* Instructions of 32 bits with 2 as rd. */
static const struct {
	uint32_t insn;
	enum tr_sp_effect effect;
} full[] = {
    {0x00b57153, TR_SP_KEEPS},	/* fadd.s f2, f10, f11 */
    {0x02a5f143, TR_SP_KEEPS},	/* fmadd.d f2, f11, f10, f0 */
    {0xa2b52153, TR_SP_LOADS},	/* feq.d sp, f10, f11 */
    {0xc2051153, TR_SP_LOADS},	/* fcvt.w.d sp, f10, rtz */
    {0xe2050153, TR_SP_LOADS},	/* fmv.x.d sp, f10 */
    {0xf2050153, TR_SP_KEEPS},	/* fmv.d.x f2, a0 */
    {0x02838157, TR_SP_KEEPS},	/* vadd.vv v2, v8, v7 */
    {0x42802157, TR_SP_LOADS},	/* vmv.x.s sp, v8 */
    {0x0c057157, TR_SP_LOADS},	/* vsetvli sp, a0, e8 */
    {0xa2832177, TR_SP_KEEPS},	/* of vector cryptography */
    {0x00813103, TR_SP_LOADS},	/* ld sp, 8(sp) */
    {0x00813107, TR_SP_KEEPS},	/* fld f2, 8(sp) */
    {0x08a1212f, TR_SP_LOADS},	/* amoswap.w sp, a0, (sp) */
    {0x34011173, TR_SP_LOADS},	/* csrrw sp, mscratch, sp */
    {0xff010113, TR_SP_ADDS},	/* addi sp, sp, -16 */
    {0xfc040113, TR_SP_FRAME},	/* addi sp, s0, -64 */
    {0x40610133, TR_SP_SHIFTS}, /* sub sp, sp, t1 */
    {0x40230133, TR_SP_LOADS},	/* sub sp, t1, sp */
    {0x00230133, TR_SP_SHIFTS}, /* add sp, t1, sp */
    {0x20234133, TR_SP_SHIFTS}, /* sh2add sp, t1, sp */
    {0x20614133, TR_SP_LOADS},	/* sh2add sp, sp, t1 */
    {0x0823013b, TR_SP_SHIFTS}, /* add.uw sp, t1, sp */
    {0x00617133, TR_SP_SHIFTS}, /* and sp, sp, t1 */
    {0x40617133, TR_SP_SHIFTS}, /* andn sp, sp, t1 */
    {0xff017113, TR_SP_SHIFTS}, /* andi sp, sp, -16 */
    {0x00616133, TR_SP_LOADS},	/* or sp, sp, t1 */
};

static void full_instructions(void)
{
	int64_t bytes;
	for (size_t i = 0; i < sizeof(full) / sizeof(full[0]); i++) {
		const uint32_t insn = full[i].insn;
		const uint8_t code[] = {(uint8_t)insn, (uint8_t)(insn >> 8),
					(uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
		CHECK_EQ(tr_decode_sp(code, 4, 64, &bytes), full[i].effect);
	}
}

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
	full_instructions();
	sums_of_blocks();
	return check_done();
}
