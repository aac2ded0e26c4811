/* SPDX-License-Identifier: Apache-2.0 */
/* Zcmp and Zcmt, whose encodings are those of C.FSDSP on other harts. */
#include "check.h"
#include "stream/decode.h"
#include "stream/sp.h"
#include "stream/stream.h"

/* Encodings by LLVM's assembler, and the constants of the specification's tables. */
static const struct {
	uint16_t insn;
	enum tr_zcm zcm;
	enum tr_flow flow;
	int64_t bytes32, bytes64;
} insns[] = {
    {0xb842, TR_ZCM_PUSH, TR_FLOW_NEXT, -16, -16},    /* cm.push {ra}, -16 */
    {0xb84e, TR_ZCM_PUSH, TR_FLOW_NEXT, -64, -64},    /* cm.push {ra}, -64 */
    {0xb862, TR_ZCM_PUSH, TR_FLOW_NEXT, -16, -32},    /* cm.push {ra, s0-s1} */
    {0xb882, TR_ZCM_PUSH, TR_FLOW_NEXT, -32, -48},    /* cm.push {ra, s0-s3} */
    {0xb8e2, TR_ZCM_PUSH, TR_FLOW_NEXT, -48, -96},    /* cm.push {ra, s0-s9} */
    {0xb8fe, TR_ZCM_PUSH, TR_FLOW_NEXT, -112, -160},  /* cm.push {ra, s0-s11} */
    {0xba72, TR_ZCM_POP, TR_FLOW_NEXT, 16, 32},	      /* cm.pop {ra, s0-s2} */
    {0xbaf2, TR_ZCM_POP, TR_FLOW_NEXT, 64, 112},      /* cm.pop {ra, s0-s11} */
    {0xbe52, TR_ZCM_POPRET, TR_FLOW_RETURN, 16, 16},  /* cm.popret {ra, s0} */
    {0xbeda, TR_ZCM_POPRET, TR_FLOW_RETURN, 80, 112}, /* cm.popret {ra, s0-s8} */
    {0xbcf6, TR_ZCM_POPRET, TR_FLOW_RETURN, 80, 128}, /* cm.popretz {ra, s0-s11} */
    {0xac66, TR_ZCM_MOVE, TR_FLOW_NEXT, 0, 0},	      /* cm.mva01s s0, s1 */
    {0xaca2, TR_ZCM_MOVE, TR_FLOW_NEXT, 0, 0},	      /* cm.mvsa01 s1, s0 */
    {0xa002, TR_ZCM_JT, TR_FLOW_JUMP, 0, 0},	      /* cm.jt 0 */
    {0xa07e, TR_ZCM_JT, TR_FLOW_JUMP, 0, 0},	      /* cm.jt 31 */
    {0xa082, TR_ZCM_JALT, TR_FLOW_CALL, 0, 0},	      /* cm.jalt 32 */
    {0xa3fe, TR_ZCM_JALT, TR_FLOW_CALL, 0, 0},	      /* cm.jalt 255 */
    {0xb832, TR_ZCM_NONE, TR_FLOW_NEXT, 0, 0},	      /* list 3: reserved */
    {0xbb42, TR_ZCM_NONE, TR_FLOW_NEXT, 0, 0},
    {0xac22, TR_ZCM_MOVE, TR_FLOW_NEXT, 0, 0}, /* cm.mvsa01 s0, s0: reserved */
    {0xa402, TR_ZCM_NONE, TR_FLOW_NEXT, 0, 0}, /* c.fsdsp ft0, 8(sp) alone */
    {0x8082, TR_ZCM_NONE, TR_FLOW_RETURN, 0, 0},
};

enum { PC = 0x1000 };

static void with_zcmp(const uint8_t *code, size_t i, unsigned xlen)
{
	const unsigned isa = xlen | TR_ISA_ZCMP;
	const int64_t want = xlen == 32 ? insns[i].bytes32 : insns[i].bytes64;
	int64_t bytes;
	uint64_t target;
	CHECK_EQ(tr_decode_zcm(code, 2), insns[i].zcm);
	CHECK_EQ(tr_decode_flow(code, 2, isa), insns[i].flow);
	CHECK_EQ(tr_decode_sp(code, 2, isa, &bytes), want ? TR_SP_ADDS : TR_SP_KEEPS);
	CHECK_EQ(bytes, want);
	CHECK(!tr_decode_target(code, 2, isa, PC, &target));
	CHECK_EQ(tr_decode_next(code, 2, isa, PC),
		 insns[i].flow == TR_FLOW_NEXT ? PC + 2 : TR_EPC_UNKNOWN);
}

/* All but c.jr are c.fsdsp. If that is not known, what follows is not known either. */
static void as_store(const uint8_t *code, size_t i, unsigned xlen)
{
	const enum tr_flow flow = insns[i].insn == 0x8082 ? TR_FLOW_RETURN : TR_FLOW_NEXT;
	const bool may_leave = tr_zcm_transfers(insns[i].zcm) || flow == TR_FLOW_RETURN;
	int64_t bytes;
	CHECK_EQ(tr_decode_flow(code, 2, xlen | TR_ISA_ZCD), flow);
	CHECK_EQ(tr_decode_sp(code, 2, xlen | TR_ISA_ZCD, &bytes), TR_SP_KEEPS);
	CHECK_EQ(tr_decode_next(code, 2, xlen | TR_ISA_ZCD, PC),
		 flow == TR_FLOW_NEXT ? PC + 2 : TR_EPC_UNKNOWN);
	CHECK_EQ(tr_decode_flow(code, 2, xlen), flow);
	CHECK_EQ(tr_decode_sp(code, 2, xlen, &bytes), TR_SP_KEEPS);
	CHECK_EQ(tr_decode_next(code, 2, xlen, PC), may_leave ? TR_EPC_UNKNOWN : PC + 2);
}

/* An instruction of 32 bits with the same low half is none of them. */
static void other_lengths(void)
{
	static const uint8_t code[] = {0x42, 0xb8, 0x42, 0xb8};
	CHECK_EQ(tr_decode_zcm(code, 4), TR_ZCM_NONE);
	CHECK_EQ(tr_decode_zcm(code, 2), TR_ZCM_PUSH);
}

/* cm.push {ra, s0-s1}, -16; c.addi16sp -64; cm.popret {ra, s0-s1}, 16 */
static void sums_of_blocks(void)
{
	static const uint8_t code[] = {0x62, 0xb8, 0x39, 0x71, 0x62, 0xbe};
	const struct tr_block block = {.code = code, .tokens = 3, .bytes = sizeof(code)};
	CHECK_EQ(tr_sp_added(&block, 2, 32 | TR_ISA_ZCMP), -80);
	CHECK_EQ(tr_sp_added(&block, 3, 32 | TR_ISA_ZCMP), -64);
	CHECK_EQ(tr_sp_added(&block, 3, 64 | TR_ISA_ZCMP), -64);
	CHECK_EQ(tr_sp_added(&block, 2, 64 | TR_ISA_ZCMP), -96);
	CHECK_EQ(tr_sp_added(&block, 2, 32 | TR_ISA_ZCD), -64);
	CHECK_EQ(tr_sp_added(&block, 2, 32), -64);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(insns) / sizeof(insns[0]); i++) {
		const uint8_t code[] = {(uint8_t)insns[i].insn,
					(uint8_t)(insns[i].insn >> 8)};
		with_zcmp(code, i, 32);
		with_zcmp(code, i, 64);
		as_store(code, i, 32);
		as_store(code, i, 64);
	}
	other_lengths();
	sums_of_blocks();
	return check_done();
}
