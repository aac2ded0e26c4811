/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the return-address-stack table, and similar encodings outside it. */
#include "check.h"
#include "stream/decode.h"

static enum tr_flow flow(uint32_t insn, unsigned xlen)
{
	uint8_t code[4] = {(uint8_t)insn, (uint8_t)(insn >> 8), (uint8_t)(insn >> 16),
			   (uint8_t)(insn >> 24)};
	return tr_decode_flow(code, (insn & 3) == 3 ? 4 : 2, xlen);
}

static bool is_link(uint32_t reg)
{
	return reg == 1 || reg == 5;
}

static void jal(void)
{
	for (uint32_t rd = 0; rd < 32; rd++)
		CHECK_EQ(flow(0xfe00006f | rd << 7, 64),
			 is_link(rd) ? TR_FLOW_CALL : TR_FLOW_JUMP);
}

static void jalr(void)
{
	for (uint32_t rd = 0; rd < 32; rd++)
		for (uint32_t rs1 = 0; rs1 < 32; rs1++) {
			enum tr_flow want = TR_FLOW_INDIRECT;
			if (is_link(rd))
				want = is_link(rs1) && rs1 != rd ? TR_FLOW_SWAP
								 : TR_FLOW_CALL;
			else if (is_link(rs1))
				want = TR_FLOW_RETURN;
			CHECK_EQ(flow(0x00400067 | rs1 << 15 | rd << 7, 64), want);
		}
	CHECK_EQ(flow(0x00401067, 64), TR_FLOW_NEXT); /* funct3 1: reserved */
}

static void branches(void)
{
	for (uint32_t funct3 = 0; funct3 < 8; funct3++)
		CHECK_EQ(flow(0x00b50063 | funct3 << 12, 64), TR_FLOW_BRANCH);
	CHECK_EQ(flow(0xc101, 64), TR_FLOW_BRANCH); /* c.beqz */
	CHECK_EQ(flow(0xe101, 64), TR_FLOW_BRANCH); /* c.bnez */
}

static void compressed(void)
{
	CHECK_EQ(flow(0xa001, 64), TR_FLOW_JUMP); /* c.j */
	CHECK_EQ(flow(0x2001, 32), TR_FLOW_CALL); /* c.jal */
	CHECK_EQ(flow(0x2505, 64), TR_FLOW_NEXT); /* c.addiw, the same bits */
	for (uint32_t rs1 = 1; rs1 < 32; rs1++) {
		CHECK_EQ(flow(0x8002 | rs1 << 7, 64),
			 is_link(rs1) ? TR_FLOW_RETURN : TR_FLOW_INDIRECT);
		CHECK_EQ(flow(0x9002 | rs1 << 7, 64),
			 rs1 == 5 ? TR_FLOW_SWAP : TR_FLOW_CALL);
		CHECK_EQ(flow(0x8006 | rs1 << 7, 64), TR_FLOW_NEXT); /* c.mv */
		CHECK_EQ(flow(0x9006 | rs1 << 7, 64), TR_FLOW_NEXT); /* c.add */
	}
	CHECK_EQ(flow(0x9002, 64), TR_FLOW_NEXT); /* c.ebreak */
	CHECK_EQ(flow(0x8002, 64), TR_FLOW_NEXT); /* reserved */
	CHECK_EQ(flow(0x0001, 64), TR_FLOW_NEXT); /* c.nop */
	CHECK_EQ(flow(0x8000, 64), TR_FLOW_NEXT); /* quadrant 0 */
	CHECK_EQ(flow(0xa000, 64), TR_FLOW_NEXT);
	CHECK_EQ(flow(0xa002, 64), TR_FLOW_NEXT); /* c.fsdsp */
}

static void others(void)
{
	CHECK_EQ(flow(0x30200073, 64), TR_FLOW_XRET); /* mret */
	CHECK_EQ(flow(0x10200073, 64), TR_FLOW_XRET); /* sret */
	CHECK_EQ(flow(0x7b200073, 64), TR_FLOW_XRET); /* dret */
	CHECK_EQ(flow(0x70200073, 64), TR_FLOW_XRET); /* mnret */
	CHECK_EQ(flow(0x00200073, 64), TR_FLOW_XRET); /* uret */
	CHECK_EQ(flow(0x00000073, 64), TR_FLOW_NEXT); /* ecall */
	CHECK_EQ(flow(0x10500073, 64), TR_FLOW_NEXT); /* wfi */
	CHECK_EQ(flow(0x34011173, 64), TR_FLOW_NEXT); /* csrrw */
	CHECK_EQ(flow(0x00000013, 64), TR_FLOW_NEXT); /* nop */
	static const uint8_t LONG[8] = {0x1f, 0x00, 0x67, 0x80};
	CHECK_EQ(tr_decode_flow(LONG, 6, 64), TR_FLOW_NEXT);
}

int main(void)
{
	jal();
	jalr();
	branches();
	compressed();
	others();
	return check_done();
}
