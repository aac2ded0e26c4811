/* SPDX-License-Identifier: Apache-2.0 */
/* Targets of branches and jumps, for every offset of each format. */
#include "check.h"
#include "stream/decode.h"

enum { PC = 0x40000000 };

/* A format: bit b of the offset is bit at[b] of the instruction (unprivileged
 * specification, "Base Instruction Formats" and "RVC"); bits - 1 is the sign. */
struct format {
	uint32_t insn;
	unsigned length, bits;
	uint8_t at[21];
};

static const struct format FORMATS[] = {
    {0x0000006f, 4, 21, {0,  21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
			 20, 12, 13, 14, 15, 16, 17, 18, 19, 31}},	   /* j */
    {0x00000063, 4, 13, {0, 8, 9, 10, 11, 25, 26, 27, 28, 29, 30, 7, 31}}, /* beq */
    {0xa001, 2, 12, {0, 3, 4, 5, 11, 2, 7, 6, 9, 10, 8, 12}},		   /* c.j */
    {0xc001, 2, 9, {0, 3, 4, 10, 11, 2, 5, 6, 12}},			   /* c.beqz */
    {0xe001, 2, 9, {0, 3, 4, 10, 11, 2, 5, 6, 12}},			   /* c.bnez */
};

static void every_offset(const struct format *f)
{
	const int64_t end = INT64_C(1) << (f->bits - 1);
	for (int64_t offset = -end; offset < end; offset += 2) {
		uint32_t insn = f->insn;
		for (unsigned b = 1; b < f->bits; b++)
			insn |= ((uint64_t)offset >> b & 1 ? UINT32_C(1) : 0) << f->at[b];
		const uint8_t code[] = {(uint8_t)insn, (uint8_t)(insn >> 8),
					(uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
		uint64_t target = 0;
		CHECK_EQ(tr_decode_target(code, f->length, 64, PC, &target), true);
		CHECK_EQ(target, (uint64_t)(PC + offset));
	}
}

/* With XLEN 32 a target wraps at either end of the address space. */
static void wraps(void)
{
	static const uint8_t forth[] = {0x6f, 0x00, 0x00, 0x02}; /* j .+32 */
	static const uint8_t back[] = {0xe3, 0x00, 0x00, 0xfe};	 /* beqz zero, .-32 */
	static const uint8_t call[] = {0x01, 0x21};		 /* c.jal .+1024 */
	uint64_t target = 0;
	CHECK(tr_decode_target(forth, 4, 32, 0xfffffff0, &target));
	CHECK_EQ(target, 0x10);
	CHECK(tr_decode_target(forth, 4, 64, 0xfffffff0, &target));
	CHECK_EQ(target, 0x100000010);
	CHECK(tr_decode_target(back, 4, 32, 0x10, &target));
	CHECK_EQ(target, 0xfffffff0);
	CHECK(tr_decode_target(back, 4, 64, 0x10, &target));
	CHECK_EQ(target, 0xfffffffffffffff0);
	CHECK(tr_decode_target(call, 2, 32, 0xfffffc00, &target));
	CHECK_EQ(target, 0);
	CHECK(!tr_decode_target(call, 2, 64, 0xfffffc00, &target));
}

static void no_target(uint32_t insn, unsigned length)
{
	const uint8_t code[] = {(uint8_t)insn, (uint8_t)(insn >> 8),
				(uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
	uint64_t target = 0;
	CHECK_EQ(tr_decode_target(code, length, 64, PC, &target), false);
}

int main(void)
{
	for (unsigned i = 0; i < sizeof(FORMATS) / sizeof(*FORMATS); i++)
		every_offset(&FORMATS[i]);
	wraps();
	no_target(0x00000013, 4); /* nop */
	no_target(0x00008067, 4); /* ret */
	no_target(0x000780e7, 4); /* jalr a5 */
	no_target(0x8782, 2);	  /* c.jr a5 */
	no_target(0x9782, 2);	  /* c.jalr a5 */
	return check_done();
}
