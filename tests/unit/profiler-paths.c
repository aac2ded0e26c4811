/* SPDX-License-Identifier: Apache-2.0 */
/* The ends of paths on which registers are live, in functions written by hand. */
#include "check.h"
#include "profiler-code.h"
#include "target/profiler/extract/live_paths.h"

enum { UNKNOWN = 0x0000000b, OTHER_START = 0x30000, C_JR_A0 = 0x8502 };

/* A program of one function at CODE_START, and of another one, if it has bytes. */
static struct world {
	struct code code, other;
	struct prof_function functions[2];
	struct prof_program program;
} world;

static struct code *begin_code(void)
{
	memset(&world, 0, sizeof(world));
	return &world.code;
}

/* Finds the path of a register, which must be live, from the start. */
static struct prof_path find_path_of(unsigned reg)
{
	struct prof_path path;
	world.functions[0] = (struct prof_function){
	    .address = CODE_START, .size = world.code.size, .code = world.code.bytes};
	world.functions[1] = (struct prof_function){
	    .address = OTHER_START, .size = world.other.size, .code = world.other.bytes};
	world.program.functions = world.functions;
	world.program.count = world.other.size ? 2 : 1;
	CHECK_EQ(prof_find_live(&world.program), TR_OK);
	struct prof_paths *paths = prof_open_paths(&world.program);
	CHECK(paths != NULL);
	/* The second search must not see the marks of the first. */
	for (unsigned i = 0; i < 2; i++)
		CHECK(prof_find_path(paths, CODE_START, reg, &path));
	prof_close_paths(paths);
	prof_free_live(&world.program);
	return path;
}

static void check_end(unsigned reg, enum prof_path_end end, uint64_t at)
{
	const struct prof_path path = find_path_of(reg);
	CHECK_EQ(path.end, end);
	CHECK_EQ(path.at, at);
}

static void reads(void)
{
	struct code *code = begin_code();
	put_long(code, insn_beq(A0, A1, 8));
	put_short(code, insn_c_li(T1, 1));
	put_short(code, C_RET);
	put_short(code, insn_c_li(T0, 1)); /* 8 */
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	check_end(T1, PROF_PATH_READS, CODE_START + 10);
	check_end(T0, PROF_PATH_NONE, 0);
}

/* A shorter path that only leaves is worse than one that reads. */
static void leaves(void)
{
	struct code *code = begin_code();
	put_long(code, insn_beq(A0, A1, 0x7e0));
	check_end(T0, PROF_PATH_LEAVES, CODE_START);
	code = begin_code();
	put_long(code, insn_beq(A0, A1, 0x7e0));
	put_short(code, insn_c_li(A0, 1));
	put_short(code, insn_c_mv(A0, T0));
	put_short(code, C_RET);
	check_end(T0, PROF_PATH_READS, CODE_START + 6);
	check_end(T1, PROF_PATH_LEAVES, CODE_START);
	code = begin_code();
	put_long(code, insn_jalr(X0, T0));
	check_end(T0, PROF_PATH_READS, CODE_START);
	check_end(T1, PROF_PATH_RETURNS, CODE_START);
	code = begin_code();
	put_short(code, insn_c_li(A0, 1));
	put_long(code, insn_jal(T0, 0x40));
	put_short(code, C_RET);
	check_end(T1, PROF_PATH_CALLS, CODE_START + 2);
	check_end(T0, PROF_PATH_NONE, 0);
}

static void calls(void)
{
	struct code *code = begin_code();
	put_long(code, insn_jal(RA, OTHER_START - CODE_START));
	put_short(code, C_RET);
	put_long(&world.other, insn_add(A0, T1, T3));
	put_short(&world.other, C_RET);
	check_end(T3, PROF_PATH_READS, OTHER_START);
	check_end(T1, PROF_PATH_NONE, 0);
	check_end(T2, PROF_PATH_CALLS, CODE_START);
	code = begin_code();
	put_long(code, insn_jalr(RA, A0));
	put_short(code, C_RET);
	check_end(T2, PROF_PATH_CALLS, CODE_START);
	code = begin_code(); /* a part of the function, and what is behind the call */
	put_long(code, insn_jal(RA, 8));
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	put_short(code, insn_c_mv(A0, T0));
	put_short(code, C_RET);
	check_end(T0, PROF_PATH_READS, CODE_START + 8);
	check_end(T1, PROF_PATH_READS, CODE_START + 4);
}

static void indirect_jumps(void)
{
	static const uint64_t targets[] = {CODE_START + 4};
	struct code *code = begin_code();
	world.program.targets = targets;
	world.program.target_count = 1;
	put_long(code, insn_jalr(X0, A0));
	put_short(code, insn_c_mv(A0, T1));
	put_short(code, C_RET);
	const struct prof_path path = find_path_of(T1);
	CHECK_EQ(path.end, PROF_PATH_READS);
	CHECK_EQ(path.at, CODE_START + 4);
	CHECK_EQ(path.jump_count, 1);
	CHECK_EQ(path.jumps[0].from, CODE_START);
	CHECK_EQ(path.jumps[0].to, CODE_START + 4);
	code = begin_code(); /* to a function, which may get t2 */
	world.program.targets = targets;
	put_short(code, insn_c_li(A0, 1));
	put_long(code, insn_jalr(X0, A0));
	check_end(T2, PROF_PATH_LEAVES, CODE_START + 2);
	check_end(T1, PROF_PATH_NONE, 0);
}

/* A path with more jumps by tables than can be printed is none. */
static void many_jumps(void)
{
	enum { JUMPS = PROF_PATH_JUMPS_MAX + 1 };
	for (unsigned count = JUMPS - 1; count <= JUMPS; count++) {
		struct prof_table_jump jumps[JUMPS];
		uint64_t targets[JUMPS];
		struct code *code = begin_code();
		for (unsigned i = 0; i < count; i++) {
			put_short(code, C_JR_A0);
			jumps[i] = (struct prof_table_jump){CODE_START + 2 * i, i, 1};
			targets[i] = CODE_START + 2 * (i + 1);
		}
		put_short(code, insn_c_mv(A0, T1));
		put_short(code, C_RET);
		world.program.jumps = jumps;
		world.program.jump_count = count;
		world.program.jump_targets = targets;
		const struct prof_path path = find_path_of(T1);
		CHECK_EQ(path.end, count < JUMPS ? PROF_PATH_READS : PROF_PATH_NONE);
		CHECK_EQ(path.jump_count, count < JUMPS ? count : 0);
	}
}

/* A jump to a library may pass t2. */
static void libraries(void)
{
	struct code *code = begin_code();
	world.program.plt_start = CODE_START + 0x7e0;
	world.program.plt_end = CODE_START + 0x7f0;
	put_short(code, insn_c_li(A0, 1));
	put_long(code, insn_jal(X0, 0x7e0 - 2));
	check_end(T2, PROF_PATH_LEAVES, CODE_START + 2);
	check_end(T3, PROF_PATH_NONE, 0);
}

static void unknown_instructions(void)
{
	struct code *code = begin_code();
	put_short(code, insn_c_beqz(A0, 4));
	put_short(code, C_RET);
	put_long(code, UNKNOWN);
	check_end(0, PROF_PATH_UNKNOWN, CODE_START + 4);
}

int main(void)
{
	reads();
	leaves();
	calls();
	indirect_jumps();
	many_jumps();
	libraries();
	unknown_instructions();
	return check_done();
}
