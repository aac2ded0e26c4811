/* SPDX-License-Identifier: Apache-2.0 */
/* Live registers of functions written by hand: along each kind of control flow, and where
 * nothing is known. */
#include <stdlib.h>

#include "check.h"
#include "profiler-code.h"
#include "target/profiler/extract/live_registers.h"

#define TEMPORARIES UINT32_C(0xf00000e0)
#define ARGUMENTS   UINT32_C(0xf0000080) /* t2 to t6 */

enum { NOP = 0x00000013, UNIMP = (int)0xc0001073, OTHER_START = 0x30000 };

/* A program of one function at CODE_START, and of another one, if it has bytes. */
static struct world {
	struct code code, other;
	struct prof_function functions[2];
	struct prof_program program;
	bool is_between; /* the code at CODE_START is of no known function */
} world;

static struct code *begin_code(void)
{
	memset(&world, 0, sizeof(world));
	return &world.code;
}

static void find_live(void)
{
	prof_free_live(&world.program);
	world.functions[0] = (struct prof_function){.address = CODE_START,
						    .size = world.code.size,
						    .code = world.code.bytes,
						    .is_between = world.is_between};
	world.functions[1] = (struct prof_function){
	    .address = OTHER_START, .size = world.other.size, .code = world.other.bytes};
	world.program.functions = world.functions;
	world.program.count = world.other.size ? 2 : 1;
	CHECK_EQ(prof_find_live(&world.program), TR_OK);
}

/* Returns the temporaries that are live `at` bytes after the start, and the mark of what
 * is unknown. */
static uint32_t live_here(uint32_t at)
{
	return prof_live_at(&world.program, CODE_START + at) &
	       (TEMPORARIES | PROF_LIVE_UNKNOWN);
}

static uint32_t live_of(void)
{
	find_live();
	const uint32_t live = live_here(0);
	prof_free_live(&world.program);
	return live;
}

static uint32_t bit(uint32_t reg)
{
	return UINT32_C(1) << reg;
}

static void straight_code(void)
{
	struct code *code = begin_code();
	put_long(code, insn_add(A0, T1, T2));
	put_short(code, insn_c_mv(T1, T3));
	put_long(code, insn_add(T4, T4, T1));
	put_short(code, C_RET);
	find_live();
	CHECK_EQ(live_here(0), bit(T1) | bit(T2) | bit(T3) | bit(T4));
	CHECK_EQ(live_here(4), bit(T3) | bit(T4));
	CHECK_EQ(live_here(6), bit(T1) | bit(T4));
	CHECK_EQ(live_here(10), 0);
	/* What a return keeps: all but the temporaries. */
	CHECK_EQ(prof_live_at(&world.program, CODE_START + 10),
		 ~(TEMPORARIES | PROF_LIVE_UNKNOWN));
	/* No address of the program. */
	CHECK_EQ(prof_live_at(&world.program, CODE_START - 2), ~(uint32_t)1);
	CHECK_EQ(prof_live_at(&world.program, CODE_START + 12), ~(uint32_t)1);
	CHECK_EQ(prof_live_at(&world.program, CODE_START + 1), ~(uint32_t)1);
	prof_free_live(&world.program);
}

/* One side of a branch reads, or the other. */
static void both_sides(void)
{
	struct code *code = begin_code();
	put_short(code, insn_c_beqz(A0, 6));
	put_short(code, insn_c_mv(A0, T0));
	put_short(code, C_RET);
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	find_live();
	CHECK_EQ(live_here(0), bit(T0) | bit(T1));
	CHECK_EQ(live_here(2), bit(T0));
	CHECK_EQ(live_here(6), bit(T1));
	prof_free_live(&world.program);

	code = begin_code(); /* both sides write, then both paths read */
	put_long(code, insn_beq(A0, T6, 8));
	put_short(code, insn_c_li(T1, 1));
	put_short(code, insn_c_j(4));
	put_short(code, insn_c_li(T1, 2));
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	find_live();
	CHECK_EQ(live_here(0), bit(T6));
	CHECK_EQ(live_here(6), bit(T1));
	prof_free_live(&world.program);
}

/* What a loop reads in its next round is live at its end. */
static void around_loops(void)
{
	struct code *code = begin_code();
	put_short(code, C_NOP);
	put_short(code, insn_c_beqz(A0, 10)); /* out */
	put_long(code, insn_add(A1, T1, A1));
	put_short(code, insn_c_li(T1, 0));
	put_short(code, insn_c_j(-8)); /* to c.beqz */
	put_short(code, C_RET);
	find_live();
	CHECK_EQ(live_here(0), bit(T1));
	CHECK_EQ(live_here(8), 0);
	CHECK_EQ(live_here(10), bit(T1));
	prof_free_live(&world.program);

	/* Nested ones, where a register takes three passes to the entry. */
	code = begin_code();
	put_short(code, insn_c_j(12));	    /* 0: to 12 */
	put_short(code, insn_c_mv(A0, T1)); /* 2 */
	put_short(code, C_RET);
	put_short(code, insn_c_beqz(A0, -4)); /* 6: to 2 */
	put_short(code, insn_c_j(-8));	      /* 8: to 0 */
	put_short(code, insn_c_j(-4));	      /* 10: to 6 */
	put_short(code, insn_c_beqz(A1, -2)); /* 12: to 10 */
	put_short(code, C_RET);
	find_live();
	CHECK_EQ(live_here(0), bit(T1));
	CHECK_EQ(live_here(12), bit(T1));
	prof_free_live(&world.program);
}

static void calls(void)
{
	struct code *code = begin_code();
	put_long(code, insn_jal(RA, OTHER_START - CODE_START));
	put_long(code, insn_add(A0, T0, T1));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), ARGUMENTS); /* t0 and t1 are dead before and after */

	code = begin_code();
	put_long(code, insn_jalr(RA, T1));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), bit(T2) | bit(T1));

	code = begin_code(); /* of the temporaries that it reads, t1 is no argument */
	put_long(code, insn_jal(RA, OTHER_START - CODE_START));
	put_short(code, C_RET);
	put_long(&world.other, insn_add(A0, T1, T3));
	put_short(&world.other, C_RET);
	CHECK_EQ(live_of(), bit(T2) | bit(T3));

	code = begin_code(); /* through another register, of which nothing is known */
	put_long(code, insn_jal(T0, 0x40));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), TEMPORARIES & ~bit(T0));

	code = begin_code(); /* to a part of the function itself: all that is read */
	put_long(code, insn_jal(RA, 8));
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	put_short(code, insn_c_mv(A0, T0));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), bit(T2) | bit(T0) | bit(T1));
	world.is_between = true; /* or to another function */
	CHECK_EQ(live_of(), bit(T2));
	code = begin_code();
	put_long(code, insn_jal(RA, 4));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), bit(T2));
	code = begin_code(); /* recursion */
	put_long(code, insn_jal(RA, 0));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), bit(T2));
	code = begin_code();
	put_long(code, ECALL);
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	find_live();
	CHECK_EQ(live_here(0), bit(T1));
	CHECK_EQ(prof_live_at(&world.program, CODE_START) & 0x3fc00, 0x3fc00);
	prof_free_live(&world.program);
}

static void returns(void)
{
	struct code *code = begin_code();
	put_long(code, insn_jalr(X0, T0)); /* of a routine that keeps all registers */
	CHECK_EQ(live_of(), TEMPORARIES);
	code = begin_code();
	put_long(code, insn_jalr(X0, RA));
	CHECK_EQ(live_of(), 0);
}

/* Jumps to another function read what is live there, also within it. */
static void tail_calls(void)
{
	struct code *code = begin_code();
	put_long(code, insn_jal(X0, OTHER_START - CODE_START));
	CHECK_EQ(live_of(), TEMPORARIES); /* there is none */
	put_long(&world.other, insn_c_mv(A0, T3));
	put_long(&world.other, insn_jal(X0, CODE_START - OTHER_START - 4));
	CHECK_EQ(live_of(), bit(T3)); /* it jumps back */
	world.code.size = 0;
	put_long(code, insn_jal(X0, OTHER_START - CODE_START + 2));
	CHECK_EQ(live_of(), 0);
	world.code.size = 0;
	put_long(code, insn_beq(A0, A1, 0x7e0)); /* into no function */
	put_short(code, C_RET);
	CHECK_EQ(live_of(), TEMPORARIES);
	world.program.plt_start = CODE_START + 0x7e0;
	world.program.plt_end = CODE_START + 0x7f0;
	CHECK_EQ(live_of(), bit(T2));
	world.program.plt_end = world.program.plt_start;
	CHECK_EQ(live_of(), TEMPORARIES);
}

/* A chain of functions in the order in which one pass over them is not enough. */
static void chains_of_tail_calls(void)
{
	enum { COUNT = 1500 };
	static struct code code;
	static struct prof_function functions[COUNT];
	for (uint32_t i = 0; i < COUNT; i++) {
		functions[i] = (struct prof_function){
		    .address = CODE_START + 4 * i, .size = 4, .code = code.bytes + 4 * i};
		if (i == 0) {
			put_short(&code, insn_c_mv(A0, T1));
			put_short(&code, C_RET);
		} else {
			put_long(&code, insn_jal(X0, -4));
		}
	}
	struct prof_program program = {.functions = functions, .count = COUNT};
	CHECK_EQ(prof_find_live(&program), TR_OK);
	for (uint32_t i = 0; i < COUNT; i++)
		CHECK_EQ(prof_live_at(&program, CODE_START + 4 * i) & TEMPORARIES,
			 bit(T1));
	CHECK(prof_function_at(&program, CODE_START + 4 * COUNT - 1) ==
	      &functions[COUNT - 1]);
	CHECK(prof_function_at(&program, CODE_START + 4 * COUNT) == NULL);
	CHECK(prof_function_at(&program, CODE_START - 1) == NULL);
	prof_free_live(&program);
}

/* An indirect jump goes to a function, to known targets, or to every instruction. */
static void indirect_jumps(void)
{
	static const uint64_t targets[] = {CODE_START - 2, CODE_START + 6,
					   CODE_START + 10};
	struct code *code = begin_code();
	put_short(code, 0x8502);	    /* 0: c.jr a0 */
	put_short(code, insn_c_mv(A0, T0)); /* 2 */
	put_short(code, C_RET);
	put_short(code, insn_c_mv(A0, T1)); /* 6 */
	put_short(code, C_RET);
	CHECK_EQ(live_of(), bit(T0) | bit(T1) | bit(T2));
	world.program.targets = targets;
	world.program.target_count = 1;
	CHECK_EQ(live_of(), bit(T2));
	world.program.target_count = 3;
	CHECK_EQ(live_of(), bit(T2) | bit(T1));
	world.program.targets = NULL; /* of the halves of instructions none is a target */
	world.code.size = 2;
	put_short(code, 0x0513); /* addi a0, s4, .. */
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	CHECK_EQ(live_of(), bit(T2));
}

/* To instructions before them, also the first one; through t1. */
static void indirect_jumps_back(void)
{
	static const uint64_t first[] = {CODE_START}, second[] = {CODE_START + 2};
	struct code *code = begin_code();
	put_short(code, insn_c_mv(A0, T0));
	put_short(code, 0x8502); /* c.jr a0 */
	world.program.targets = first;
	world.program.target_count = 1;
	find_live();
	CHECK_EQ(live_here(2), bit(T2) | bit(T0));
	prof_free_live(&world.program);
	code = begin_code();
	put_short(code, insn_c_j(6));
	put_short(code, insn_c_mv(A0, T0));
	put_short(code, C_RET);
	put_short(code, 0x8302); /* c.jr t1 */
	world.program.targets = second;
	world.program.target_count = 1;
	CHECK_EQ(live_of(), bit(T2) | bit(T0) | bit(T1));
}

static void ends_and_stops(void)
{
	struct code *code = begin_code();
	put_short(code, C_NOP); /* into the next function */
	CHECK_EQ(live_of(), TEMPORARIES);
	code = begin_code();
	put_long(code, (uint32_t)UNIMP);
	put_short(code, insn_c_mv(A0, T1));
	CHECK_EQ(live_of(), 0);
	code = begin_code();
	put_short(code, 0); /* c.unimp */
	put_short(code, insn_c_mv(A0, T1));
	CHECK_EQ(live_of(), 0);
	for (unsigned i = 0; i < 2; i++) {
		code = begin_code(); /* a debugger may go on */
		if (i)
			put_long(code, EBREAK);
		else
			put_short(code, C_EBREAK);
		CHECK_EQ(live_of(), 0);
		put_short(code, insn_c_mv(A0, T1));
		put_short(code, C_RET);
		CHECK_EQ(live_of(), bit(T1));
	}
	code = begin_code();
	put_long(code, NOP);
	put_short(code, 0x9002);
	code->size--; /* half an instruction */
	CHECK_EQ(live_of(), TEMPORARIES | PROF_LIVE_UNKNOWN);
}

static void unknown_instructions(void)
{
	struct code *code = begin_code();
	put_short(code, insn_c_li(T1, 1));
	put_short(code, insn_c_beqz(A0, 6));
	put_long(code, 0x0000000b);
	put_short(code, C_RET);
	CHECK_EQ(live_of(), (TEMPORARIES & ~bit(T1)) | PROF_LIVE_UNKNOWN);
	code = begin_code(); /* into an instruction */
	put_short(code, insn_c_beqz(A0, 4));
	put_long(code, (uint32_t)insn_c_mv(A0, T1) << 16 | 0x513); /* addi a0, s4, .. */
	put_short(code, C_RET);
	CHECK_EQ(live_of(), TEMPORARIES | PROF_LIVE_UNKNOWN);
	code = begin_code(); /* data that is never executed does no harm */
	put_short(code, insn_c_j(8));
	put_short(code, 0x1f1f);
	put_long(code, 0xffffffff);
	put_short(code, C_RET);
	CHECK_EQ(live_of(), 0);
	code->bytes[0] = C_NOP;
	code->bytes[1] = 0;
	CHECK_EQ(live_of(), TEMPORARIES | PROF_LIVE_UNKNOWN);
}

/* Jumps that would take a pass for each of them: everything is live. */
static void limit_of_passes(void)
{
	struct code *code = begin_code();
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	for (uint32_t i = 0; i < 200; i++)
		put_short(code, insn_c_j(i ? -2 : -4));
	find_live();
	CHECK_EQ(live_here(0), TEMPORARIES | PROF_LIVE_UNKNOWN);
	prof_free_live(&world.program);
	put_long(&world.other, insn_jal(X0, CODE_START - OTHER_START));
	find_live(); /* also in what depends on it */
	CHECK_EQ(prof_live_at(&world.program, OTHER_START), ~(uint32_t)0);
	prof_free_live(&world.program);
	world.other.size = 0;
	code->size = 2 * 42;
	find_live();
	CHECK_EQ(live_here(0), bit(T1));
	CHECK_EQ(live_here(82), bit(T1));
	prof_free_live(&world.program);
}

int main(void)
{
	straight_code();
	both_sides();
	around_loops();
	calls();
	returns();
	tail_calls();
	chains_of_tail_calls();
	indirect_jumps();
	indirect_jumps_back();
	ends_and_stops();
	unknown_instructions();
	limit_of_passes();
	return check_done();
}
