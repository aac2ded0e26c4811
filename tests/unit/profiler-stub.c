/* SPDX-License-Identifier: Apache-2.0 */
/* The stubs of functions: every kind of instruction is moved, first and second, near and
 * far; and each reason to refuse occurs. */
#include "base/little.h"
#include "check.h"
#include "profiler-code.h"
#include "target/profiler/extract/insn.h"
#include "target/profiler/extract/live_registers.h"
#include "target/profiler/extract/stub_build.h"

enum {
	COUNTING = 14, /* bytes of the code that counts */
	NEAR_STUB = 0x30000,
	FAR_STUB = 0x10020000,
	AFTER = 0x100, /* bytes after the function's start, where targets are */
};

/* What the callbacks answer: live registers at CODE_START, elsewhere, and a target. */
static struct {
	uint32_t at_entry, elsewhere;
	uint64_t target;
} world;

static uint32_t live_at(const void *context, uint64_t address)
{
	(void)context;
	return address == CODE_START ? world.at_entry : world.elsewhere;
}

static bool is_target(const void *context, uint64_t address)
{
	(void)context;
	return address == world.target;
}

static enum prof_refusal build_at(const struct code *code, enum tr_stubs_kind kind,
				  uint64_t place, struct prof_stub *stub)
{
	const struct prof_request request = {.code = code->bytes,
					     .address = CODE_START,
					     .size = code->size,
					     .kind = kind,
					     .counter = 77,
					     .lowest = place,
					     .highest = place,
					     .live_at = live_at,
					     .is_target = is_target};
	return prof_build_stub(&request, stub);
}

static enum prof_refusal build_near(const struct code *code, struct prof_stub *stub)
{
	return build_at(code, TR_STUBS_NEAR, NEAR_STUB, stub);
}

static enum prof_refusal build_far(const struct code *code, struct prof_stub *stub)
{
	return build_at(code, TR_STUBS_FAR, FAR_STUB, stub);
}

static void check_label(const struct prof_stub *stub, uint32_t number,
			enum tr_stubs_label_kind kind, uint32_t at, uint32_t reg,
			uint64_t target)
{
	CHECK_EQ(stub->labels[number].kind, kind);
	CHECK_EQ(stub->labels[number].at, at);
	CHECK_EQ(stub->labels[number].reg, reg);
	CHECK_EQ(stub->labels[number].target, target);
}

static void check_words(const struct prof_stub *stub, uint32_t at, const uint32_t *words,
			uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		CHECK_EQ(tr_load32(stub->code + at + 4 * i), words[i]);
}

static void counts_first(const struct prof_stub *stub)
{
	const uint32_t words[] = {0x00000297, 0x00028293}; /* auipc, addi t0 */
	check_words(stub, 0, words, 2);
	CHECK_EQ(tr_load16(stub->code + 8), 0x4305);	  /* c.li t1, 1 */
	CHECK_EQ(tr_load32(stub->code + 10), 0x0062b02f); /* amoadd.d zero, t1, (t0) */
	check_label(stub, 0, TR_STUBS_COUNTER, 0, T0, 77);
	CHECK_EQ(stub->moved[0], COUNTING);
}

/* Instructions that are moved as they are, of each format that is decoded apart. */
static const uint32_t plain[] = {
    0x00c58533, /* add a0, a1, a2 */
    0x02c58533, /* mul a0, a1, a2 */
    0x12345537, /* lui a0, 0x12345 */
    0x0005b503, /* ld a0, 0(a1) */
    0x00a5b023, /* sd a0, 0(a1) */
    0x0005a507, /* flw fa0, 0(a1) */
    0x00b53027, /* fsd fa1, 0(a0) */
    0x02c5f553, /* fadd.d fa0, fa1, fa2 */
    0x62c5f543, /* fmadd.d */
    0x1005b52f, /* lr.d a0, (a1) */
    0x18c5b52f, /* sc.d a0, a2, (a1) */
    0x00c5b52f, /* amoadd.d a0, a2, (a1) */
    0x0ff0000f, /* fence */
    0xc0002573, /* rdcycle a0 */
    0x0d0572d7, /* vsetvli t0, a0, ... */
    0x00008067, /* ret */
    0x00050067, /* jr a0 */
    0x00058513, /* mv a0, a1 */
};
static const uint32_t plain_short[] = {
    0x852e, /* c.mv a0, a1 */
    0x952e, /* c.add a0, a1 */
    0x6502, /* c.ldsp a0, 0(sp) */
    0xe02a, /* c.sdsp a0, 0(sp) */
    0x2502, /* c.fldsp fa0, 0(sp) */
    0xa02a, /* c.fsdsp fa0, 0(sp) */
    0x6188, /* c.ld a0, 0(a1) */
    0xe188, /* c.sd a0, 0(a1) */
    0x1141, /* c.addi sp, -16 */
    0x0028, /* c.addi4spn a0, sp, 8 */
    0x7139, /* c.addi16sp sp, -64 */
    0x65c1, /* c.lui a1, 16 */
    0x9d4d, /* c.or... */
    0x9d71, /* c.not... */
    0x8082, /* c.jr ra */
    0x8502, /* c.jr a0 */
};

static bool continues(const uint8_t *bytes)
{
	const struct prof_insn insn = prof_decode_insn(bytes, 4, CODE_START);
	return !prof_never_continues(&insn);
}

/* `code` begins with one or two instructions, and c.nops follow. */
static void moves_as_it_is(const struct code *code, enum tr_stubs_kind kind)
{
	struct prof_stub stub;
	CHECK_EQ(kind == TR_STUBS_NEAR ? build_near(code, &stub) : build_far(code, &stub),
		 PROF_COUNTED);
	counts_first(&stub);
	uint32_t at = 0, to = COUNTING;
	bool goes_on = true;
	while (at < (kind == TR_STUBS_NEAR ? 4 : 8)) {
		const uint32_t length = (code->bytes[at] & 3) == 3 ? 4 : 2;
		CHECK_EQ(stub.moved[at / 2], goes_on ? to : 0);
		if (goes_on) {
			CHECK(memcmp(stub.code + to, code->bytes + at, length) == 0);
			to += length;
			goes_on = continues(code->bytes + at);
		}
		at += length;
	}
	CHECK_EQ(stub.entry_size, at);
	CHECK_EQ(stub.tail, goes_on ? to : 0);
	CHECK_EQ(stub.resume, goes_on ? CODE_START + at : 0);
	CHECK_EQ(stub.size, to + (goes_on ? 4 : 0) + (goes_on && kind ? 4 : 0));
	CHECK_EQ(stub.label_count, goes_on ? 2 : 1);
	CHECK(!stub.loops);
	if (!goes_on)
		return;
	check_label(&stub, 1, kind ? TR_STUBS_FAR_JUMP : TR_STUBS_JUMP, to, kind ? T1 : 0,
		    stub.resume);
}

static void put_plain(struct code *code, uint32_t number)
{
	const uint32_t shorts = sizeof(plain_short) / sizeof(plain_short[0]);
	if (number < shorts)
		put_short(code, plain_short[number]);
	else
		put_long(code, plain[number - shorts]);
}

static void plain_ones(void)
{
	const uint32_t count = (sizeof(plain) + sizeof(plain_short)) / sizeof(plain[0]);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t before = 0; before < 4; before++) {
			struct code code = {.size = 0};
			for (uint32_t k = 0; k < before; k++)
				put_short(&code, C_NOP);
			put_plain(&code, i);
			for (uint32_t k = 0; k < 6; k++)
				put_short(&code, C_NOP);
			moves_as_it_is(&code, TR_STUBS_NEAR);
			moves_as_it_is(&code, TR_STUBS_FAR);
		}
}

/* Appends c.nops until a function has enough bytes for any entry. */
static struct code *fill(struct code *code)
{
	while (code->size < 16)
		put_short(code, C_NOP);
	return code;
}

static void addresses(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_short(&code, C_NOP);
	put_long(&code, insn_auipc(A0, 5));
	CHECK_EQ(build_near(fill(&code), &stub), PROF_COUNTED);
	check_label(&stub, 1, TR_STUBS_ADDRESS, COUNTING + 2, A0,
		    CODE_START + 2 + 0x5000);
	const uint32_t words[] = {0x00000517, 0x00050513, 0x0000006f};
	check_words(&stub, COUNTING + 2, words, 3);
	check_label(&stub, 2, TR_STUBS_JUMP, COUNTING + 10, 0, CODE_START + 6);
	CHECK_EQ(stub.size, COUNTING + 14);

	/* Two of them, the second with a negative distance. */
	code.size = 0;
	put_long(&code, insn_auipc(A0, 5));
	put_long(&code, insn_auipc(T1, 0xfffff));
	world.elsewhere = PROF_T1; /* so that the jump back takes another */
	CHECK_EQ(build_far(fill(&code), &stub), PROF_COUNTED);
	check_label(&stub, 2, TR_STUBS_ADDRESS, COUNTING + 8, T1,
		    CODE_START + 4 - 0x1000);
	check_label(&stub, 3, TR_STUBS_FAR_JUMP, COUNTING + 16, T2, CODE_START + 8);
	CHECK_EQ(stub.moved[2], COUNTING + 8);
	const uint32_t back[] = {0x00000397, 0x00038067}; /* auipc t2; jr t2 */
	check_words(&stub, COUNTING + 16, back, 2);
	world.elsewhere = 0;
}

/* A branch of 32 bits of each kind, taken in the stub if it was not in the function. */
static void long_branches(void)
{
	for (uint32_t funct3 = 0; funct3 < 8; funct3++) {
		if (funct3 == 2 || funct3 == 3)
			continue;
		struct prof_stub stub;
		struct code code = {.size = 0};
		put_long(&code, insn_branch(funct3, A1, T6, AFTER));
		CHECK_EQ(build_near(fill(&code), &stub), PROF_COUNTED);
		const uint32_t near[] = {insn_branch(funct3 ^ 1, A1, T6, 8), 0x0000006f,
					 0x0000006f};
		check_words(&stub, COUNTING, near, 3);
		check_label(&stub, 1, TR_STUBS_JUMP, COUNTING + 4, 0, CODE_START + AFTER);
		check_label(&stub, 2, TR_STUBS_JUMP, COUNTING + 8, 0, CODE_START + 4);
		CHECK_EQ(stub.tail, COUNTING + 8);

		code.size = 0;
		put_long(&code, 0x00000013);
		put_long(&code, insn_branch(funct3, A0, T6, -AFTER));
		CHECK_EQ(build_far(fill(&code), &stub), PROF_COUNTED);
		const uint32_t far[] = {insn_branch(funct3 ^ 1, A0, T6, 12), 0x00000317,
					0x00030067};
		check_words(&stub, COUNTING + 4, far, 3);
		check_label(&stub, 1, TR_STUBS_FAR_JUMP, COUNTING + 8, T1,
			    CODE_START + 4 - AFTER);
		CHECK_EQ(stub.moved[2], COUNTING + 4);
		CHECK_EQ(stub.tail, COUNTING + 16);
	}
}

static void short_branches(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_short(&code, insn_c_beqz(A0, 0x60));
	put_short(&code, insn_c_beqz(S1, -0x40) ^ 0x2000); /* c.bnez */
	CHECK_EQ(build_near(fill(&code), &stub), PROF_COUNTED);
	CHECK_EQ(tr_load16(stub.code + COUNTING), insn_c_beqz(A0, 6) ^ 0x2000);
	check_label(&stub, 1, TR_STUBS_JUMP, COUNTING + 2, 0, CODE_START + 0x60);
	CHECK_EQ(tr_load16(stub.code + COUNTING + 6), insn_c_beqz(S1, 6));
	check_label(&stub, 2, TR_STUBS_JUMP, COUNTING + 8, 0, CODE_START + 2 - 0x40);
	CHECK_EQ(stub.moved[1], COUNTING + 6);
	CHECK_EQ(stub.size, COUNTING + 16);

	/* The largest stub: four of them, far. */
	code.size = 0;
	for (unsigned i = 0; i < 4; i++)
		put_short(&code, insn_c_beqz(A0, 0x60));
	world.elsewhere = PROF_T1 | 1U << T2 | 1U << T3 | 1U << T4 | 1U << T5;
	CHECK_EQ(build_far(fill(&code), &stub), PROF_COUNTED);
	for (uint32_t i = 0; i < 4; i++) {
		CHECK_EQ(tr_load16(stub.code + COUNTING + 10 * i),
			 insn_c_beqz(A0, 10) ^ 0x2000);
		check_label(&stub, 1 + i, TR_STUBS_FAR_JUMP, COUNTING + 10 * i + 2, T6,
			    CODE_START + 2 * i + 0x60);
	}
	CHECK_EQ(stub.label_count, 6);
	CHECK_EQ(stub.size, COUNTING + 48);
	world.elsewhere = 0;
}

static void jumps(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_long(&code, insn_jal(X0, AFTER));
	CHECK_EQ(build_near(fill(&code), &stub), PROF_COUNTED);
	check_label(&stub, 1, TR_STUBS_JUMP, COUNTING, 0, CODE_START + AFTER);
	CHECK_EQ(stub.size, COUNTING + 4);
	CHECK_EQ(stub.resume, 0);
	CHECK_EQ(stub.tail, 0);

	/* What is behind a jump is neither moved nor looked at. */
	code.size = 0;
	put_short(&code, C_NOP);
	put_short(&code, insn_c_j(-AFTER));
	put_long(&code, ECALL);
	CHECK_EQ(build_far(fill(&code), &stub), PROF_COUNTED);
	check_label(&stub, 1, TR_STUBS_FAR_JUMP, COUNTING + 2, T1,
		    CODE_START + 2 - AFTER);
	CHECK_EQ(stub.size, COUNTING + 10);
	CHECK_EQ(stub.entry_size, 8);
	CHECK_EQ(stub.moved[1], COUNTING + 2);
	CHECK_EQ(stub.moved[2], 0);
	CHECK_EQ(stub.resume, 0);
}

/* To the first instruction, which counts again. */
static void loops_to_entry(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_short(&code, C_NOP);
	put_short(&code, insn_c_beqz(A0, -2));
	CHECK_EQ(build_near(fill(&code), &stub), PROF_COUNTED);
	CHECK(stub.loops);
	check_label(&stub, 1, TR_STUBS_JUMP, COUNTING + 4, 0, CODE_START);
	code.size = 0;
	put_short(&code, insn_c_j(0));
	CHECK_EQ(build_near(fill(&code), &stub), PROF_COUNTED);
	CHECK(stub.loops);
	CHECK_EQ(stub.entry_size, 4);
}

/* Where the stub can be at several places, all of them decide. */
static void reach_of_jumps(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_long(&code, insn_beq(A0, X0, AFTER));
	const uint64_t resume = CODE_START + 4, target = CODE_START + AFTER;
	struct prof_request request = {.code = fill(&code)->bytes,
				       .address = CODE_START,
				       .size = code.size,
				       .live_at = live_at,
				       .is_target = is_target};
	/* The last stub that the branch's jump reaches: 2^20 above it. */
	request.highest = target - COUNTING - 4 + (1 << 20);
	request.lowest = request.highest - 0x1000;
	CHECK_EQ(prof_build_stub(&request, &stub), PROF_COUNTED);
	CHECK_EQ(stub.labels[1].kind, TR_STUBS_JUMP);
	CHECK_EQ(stub.labels[2].kind, TR_STUBS_FAR_JUMP); /* resume is further */
	CHECK_EQ(stub.labels[2].target, resume);
	request.highest += 2;
	CHECK_EQ(prof_build_stub(&request, &stub), PROF_COUNTED);
	CHECK_EQ(stub.labels[1].kind, TR_STUBS_FAR_JUMP);
	/* The first one: 2^20 - 2 below. */
	request.lowest = target - COUNTING - 4 - (1 << 20) + 2;
	request.highest = NEAR_STUB;
	CHECK_EQ(prof_build_stub(&request, &stub), PROF_COUNTED);
	CHECK_EQ(stub.labels[1].kind, TR_STUBS_JUMP);
	CHECK_EQ(stub.labels[2].kind, TR_STUBS_JUMP);
	request.lowest -= 2;
	CHECK_EQ(prof_build_stub(&request, &stub), PROF_COUNTED);
	CHECK_EQ(stub.labels[1].kind, TR_STUBS_FAR_JUMP);
	CHECK_EQ(stub.labels[2].kind, TR_STUBS_JUMP);
	/* 2 GiB, and what the sign of the low part adds. */
	request.lowest = request.highest = resume - COUNTING - 12 + 0x80000800;
	CHECK_EQ(prof_build_stub(&request, &stub), PROF_COUNTED);
	request.lowest = request.highest += 2;
	CHECK_EQ(prof_build_stub(&request, &stub), PROF_REFUSED_REACH);
}

static enum prof_refusal refusal_of(uint32_t first, uint32_t second, bool far)
{
	struct code code = {.size = 0};
	struct prof_stub stub;
	put_long(&code, first);
	put_long(&code, second);
	fill(&code);
	return far ? build_far(&code, &stub) : build_near(&code, &stub);
}

static void refused_instructions(void)
{
	static const struct {
		uint32_t insn;
		enum prof_refusal refusal;
	} cases[] = {
	    {0x010000ef, PROF_REFUSED_CALL},	{0x010002ef, PROF_REFUSED_CALL},
	    {0x0100036f, PROF_REFUSED_CALL},	{0x000500e7, PROF_REFUSED_CALL},
	    {ECALL, PROF_REFUSED_ECALL},	{EBREAK, PROF_REFUSED_EBREAK},
	    {0xc0001073, PROF_REFUSED_EBREAK},	{0x30200073, PROF_REFUSED_UNKNOWN},
	    {0x10002573, PROF_REFUSED_UNKNOWN}, {0x0000000b, PROF_REFUSED_UNKNOWN},
	    {0x00000017, PROF_REFUSED_UNKNOWN}, {0x0000001f, PROF_REFUSED_UNKNOWN},
	    {0x00000000, PROF_REFUSED_EBREAK},
	};
	const uint32_t nop = 0x00000013;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK_EQ(refusal_of(cases[i].insn, nop, false), cases[i].refusal);
		CHECK_EQ(refusal_of(nop, cases[i].insn, true), cases[i].refusal);
		CHECK_EQ(refusal_of(nop, cases[i].insn, false), PROF_COUNTED);
	}
	CHECK_EQ(refusal_of(C_EBREAK, nop, false), PROF_REFUSED_EBREAK);
	CHECK_EQ(refusal_of(0x9502, nop, false), PROF_REFUSED_CALL); /* c.jalr a0 */
}

static void refused_targets(void)
{
	const uint32_t nop = 0x00000013;
	for (uint32_t at = 0; at <= 12; at += 2) {
		world.target = CODE_START + at;
		CHECK_EQ(refusal_of(nop, nop, false),
			 at > 0 && at < 4 ? PROF_REFUSED_TARGET : PROF_COUNTED);
		CHECK_EQ(refusal_of(nop, nop, true),
			 at > 0 && at < 8 ? PROF_REFUSED_TARGET : PROF_COUNTED);
	}
	world.target = 0;
	/* Its own branches. */
	CHECK_EQ(refusal_of(nop, insn_beq(A0, X0, -4), true), PROF_COUNTED);
	CHECK_EQ(refusal_of(nop, insn_beq(A0, X0, -2), true), PROF_REFUSED_TARGET);
	CHECK_EQ(refusal_of(insn_jal(X0, 6), nop, true), PROF_REFUSED_TARGET);
	CHECK_EQ(refusal_of(insn_jal(X0, 8), nop, true), PROF_COUNTED);
}

static void refused_for_size(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_short(&code, C_RET);
	CHECK_EQ(build_near(&code, &stub), PROF_REFUSED_SMALL);
	put_short(&code, C_RET);
	CHECK_EQ(build_near(&code, &stub), PROF_COUNTED);
	CHECK_EQ(stub.size, COUNTING + 2);
	CHECK_EQ(build_far(&code, &stub), PROF_REFUSED_SMALL);

	/* The instruction at byte 2 or 6 has the last one. */
	code.size = 0;
	put_short(&code, C_NOP);
	put_long(&code, RET);
	code.size--;
	CHECK_EQ(build_near(&code, &stub), PROF_REFUSED_SMALL);
	code.size++;
	CHECK_EQ(build_near(&code, &stub), PROF_COUNTED);
	CHECK_EQ(stub.entry_size, 6);
	code.size = 0;
	CHECK_EQ(build_near(&code, &stub), PROF_REFUSED_SMALL);
}

static void refused_for_registers(void)
{
	const uint32_t nop = 0x00000013;
	const uint32_t all = 0xf00000c0; /* t1 to t6 */
	world.at_entry = ~(uint32_t)(PROF_T0 | PROF_T1 | PROF_LIVE_UNKNOWN);
	CHECK_EQ(refusal_of(nop, nop, false), PROF_COUNTED);
	world.at_entry = PROF_T0;
	CHECK_EQ(refusal_of(nop, nop, false), PROF_REFUSED_LIVE);
	world.at_entry = PROF_T1;
	CHECK_EQ(refusal_of(nop, nop, true), PROF_REFUSED_LIVE);
	world.at_entry |= PROF_LIVE_UNKNOWN;
	CHECK_EQ(refusal_of(nop, nop, true), PROF_REFUSED_UNKNOWN);
	CHECK_EQ(refusal_of(ECALL, nop, true), PROF_REFUSED_ECALL);
	world.at_entry = 0;

	world.elsewhere = all;
	CHECK_EQ(refusal_of(nop, nop, false), PROF_COUNTED);
	CHECK_EQ(refusal_of(nop, nop, true), PROF_REFUSED_REGISTER);
	CHECK_EQ(refusal_of(nop, insn_jal(X0, 0x40), true), PROF_REFUSED_REGISTER);
	CHECK_EQ(refusal_of(nop, insn_beq(A0, A1, 0x40), true), PROF_REFUSED_REGISTER);
	CHECK_EQ(refusal_of(nop, RET, true), PROF_COUNTED);
	world.elsewhere = 0;
}

/* The addresses that auipc and addi reach. */
static void refused_for_reach(void)
{
	struct prof_stub stub;
	struct code code = {.size = 0};
	put_long(&code, insn_auipc(A0, 0x7ffff));
	const uint64_t lowest = CODE_START + UINT64_C(0x7ffff000) - 0x7ffff7fe - COUNTING;
	CHECK_EQ(build_at(fill(&code), TR_STUBS_NEAR, lowest, &stub), PROF_COUNTED);
	CHECK_EQ(build_at(&code, TR_STUBS_NEAR, lowest - 2, &stub), PROF_REFUSED_REACH);
}

static void names_of_refusals(void)
{
	CHECK_STR(prof_name_refusal(PROF_COUNTED), "counted");
	CHECK_STR(prof_name_refusal(PROF_REFUSED_REGISTER), "register");
	CHECK_STR(prof_name_refusal(PROF_REFUSED_OVERLAP), "overlap");
}

int main(void)
{
	plain_ones();
	addresses();
	long_branches();
	short_branches();
	jumps();
	loops_to_entry();
	reach_of_jumps();
	refused_instructions();
	refused_targets();
	refused_for_size();
	refused_for_registers();
	refused_for_reach();
	names_of_refusals();
	return check_done();
}
