/* SPDX-License-Identifier: Apache-2.0 */
/* The places of stubs: none of their instructions crosses a line, none of their jumps has
 * the place of one of the function. */
#include <string.h>

#include "check.h"
#include "profiler-code.h"
#include "target/profiler/extract/stub_padding.h"

enum {
	BACK = 18,	/* of the stub below, where its jump is */
	STUB_SIZE = 22, /* bytes */
	RETURN = 10,	/* of the function below, where it returns */
};

/* The sizes of the stub's instructions are 4, 4, 2, 4, 4 and 4. */
static struct prof_stub make_stub(void)
{
	struct code code = {.size = 0};
	struct prof_stub stub = {.size = STUB_SIZE};
	put_long(&code, insn_auipc(T0, 0));
	put_long(&code, insn_addi(T0, T0, 0));
	put_short(&code, insn_c_li(T1, 1));
	put_long(&code, 0x0062b02f); /* amoadd.d zero, t1, (t0) */
	put_long(&code, insn_addi(A0, A0, 100));
	put_long(&code, insn_jal(X0, 0));
	memcpy(stub.code, code.bytes, code.size);
	return stub;
}

static struct code make_function(void)
{
	struct code code = {.size = 0};
	put_long(&code, insn_addi(A0, A0, 100));
	put_long(&code, insn_addi(A0, A0, 100));
	put_short(&code, C_NOP);
	put_short(&code, C_RET);
	return code;
}

/* An instruction of 4 bytes that begins 2 before the end of a line crosses it. */
static bool crosses_line(uint64_t place)
{
	static const uint8_t longs[] = {0, 4, 10, 14, BACK};
	for (unsigned i = 0; i < sizeof(longs); i++)
		if ((place + longs[i]) % 64 == 62)
			return true;
	return false;
}

static bool collides(uint64_t place, uint64_t entry)
{
	const uint64_t back = place + BACK;
	return back % 512 == entry % 512 || back % 512 == (CODE_START + RETURN) % 512;
}

static void first_good_place(enum tr_stubs_kind kind)
{
	const struct prof_stub stub = make_stub();
	const struct code code = make_function();
	const uint64_t entry = CODE_START + (kind == TR_STUBS_FAR ? 4 : 0);
	const struct prof_jump_places jumps =
	    prof_find_jumps(code.bytes, code.size, CODE_START, kind);
	unsigned padded = 0;
	for (uint64_t at = 0; at < 4096; at += 2) {
		uint32_t padding = 0;
		while (crosses_line(at + padding) || collides(at + padding, entry))
			padding += 2;
		CHECK_EQ(prof_pad_stub(&stub, at, &jumps), padding);
		padded += padding > 0;
	}
	CHECK_EQ(padded, 4096 / 64 * 5 + 4096 / 512 * 2);
}

/* Jumps everywhere, so that no place is better than another. */
static void no_good_place(void)
{
	const struct prof_stub stub = make_stub();
	struct code code = {.size = 0};
	while (code.size < PROF_JUMP_SPAN)
		put_short(&code, insn_c_j(8));
	const struct prof_jump_places jumps =
	    prof_find_jumps(code.bytes, code.size, CODE_START, TR_STUBS_NEAR);
	for (uint64_t at = 0; at < PROF_JUMP_SPAN; at += 2)
		CHECK_EQ(prof_pad_stub(&stub, at, &jumps), 0);
}

/* Instructions that may transfer control, and those that do not; what is behind the first
 * PROF_JUMP_SPAN bytes does not count. */
static void jumps_of_function(void)
{
	static const uint32_t jumps[] = {C_RET, 0x8502,
					 /* c.jr a0 */ 0x9502 /* c.jalr a0 */};
	struct code code = {.size = 0};
	for (unsigned i = 0; i < 3; i++)
		put_short(&code, jumps[i]);
	put_short(&code, insn_c_beqz(A0, 8));
	put_short(&code, C_EBREAK);
	put_long(&code, insn_beq(A0, A1, 8));
	put_long(&code, insn_jal(RA, 8));
	put_long(&code, ECALL);
	put_long(&code, insn_auipc(A0, 0));
	while (code.size < PROF_JUMP_SPAN)
		put_short(&code, C_NOP);
	put_long(&code, insn_auipc(A0, 0));
	put_short(&code, C_RET);
	const struct prof_jump_places places =
	    prof_find_jumps(code.bytes, code.size, CODE_START, TR_STUBS_FAR);
	/* At 0, 2, 4 and 6, at 10 and 14; that of the entry is at 4. */
	CHECK_EQ(places.bits[0], 0xaf);
	for (unsigned i = 1; i < sizeof(places.bits) / sizeof(places.bits[0]); i++)
		CHECK_EQ(places.bits[i], 0);
}

/* A jump right behind these bytes is at the place of the first instruction. */
static void jump_behind(void)
{
	struct code code = {.size = 0};
	while (code.size < PROF_JUMP_SPAN)
		put_short(&code, C_NOP);
	put_short(&code, C_RET);
	const struct prof_jump_places places =
	    prof_find_jumps(code.bytes, code.size, CODE_START, TR_STUBS_FAR);
	CHECK_EQ(places.bits[0], 1 << 2); /* that of the entry */
}

int main(void)
{
	first_good_place(TR_STUBS_NEAR);
	first_good_place(TR_STUBS_FAR);
	no_good_place();
	jumps_of_function();
	jump_behind();
	return check_done();
}
