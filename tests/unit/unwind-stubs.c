/* SPDX-License-Identifier: Apache-2.0 */
/* A stub of the run-time profiler is part of its function's call: the jumps to it and
 * back are none of another function, and what it has moved acts as in its place. */
#include "unwind-machine.h"

enum { STUB = 0x8200, DIRECT = 0x8280 }; /* of foo */

/* main calls foo, whose entry is a jump to its stub. */
static void enter_foo(uint32_t jump)
{
	machine_begin_sp(false);
	tell_sp(0x9000);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, jump);
}

static void leave_foo(void)
{
	run(0x1108, RETURN);
	run(0x1008, NOP);
}

static void expect_one_call(const char *foo)
{
	char want[200];
	struct tr_unwind_totals totals = machine_end();
	snprintf(want, sizeof(want),
		 "prog;_start 2*\nprog;_start;main 2*\n%sprog;_start;main 2\n"
		 "prog;_start 2\n",
		 foo);
	CHECK_STR(m.text, want);
	CHECK_EQ(totals.calls, 2);
	CHECK_EQ(totals.returns, 2);
	CHECK_EQ(totals.tailcalls, 0);
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.unknown_instructions, 0);
}

static void returns_behind_stub(uint32_t jump, uint64_t stub, uint32_t back)
{
	enter_foo(jump);
	run_adding(-16, stub, back);
	run_adding(16, 0x1208, RETURN);
	leave_foo();
	expect_one_call("prog;_start;main;foo 6*\n");
}

/* The function consists of what was moved. */
static void returns_in_stub(void)
{
	enter_foo(JUMP);
	run(STUB, RETURN);
	leave_foo();
	expect_one_call("prog;_start;main;foo 4*\n");
}

/* Interrupts before each part. */
static void interrupted(void)
{
	enter_foo(JUMP);
	trap(TIMER, STUB, S);
	run(K + 0x100, SRET);
	xret(U);
	run(STUB, NOP);
	trap(TIMER, STUB + 8, S);
	run(K + 0x100, SRET);
	xret(U);
	run(STUB + 8, JUMP);
	trap(TIMER, 0x1208, S);
	run(K + 0x100, SRET);
	xret(U);
	run(0x1208, RETURN);
	leave_foo();
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;[timer interrupt];handler 2*\n"
			  "prog;_start;main;foo 2\n"
			  "prog;_start;main;foo;[timer interrupt];handler 2*\n"
			  "prog;_start;main;foo 2\n"
			  "prog;_start;main;foo;[timer interrupt];handler 2*\n"
			  "prog;_start;main;foo 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.calls, 2);
	CHECK_EQ(totals.unmatched, 0);
}

/* The first code of a process that is seen is a stub. */
static void begins_in_stub(void)
{
	machine_begin_sp(false);
	tell_sp(0x9000);
	run(STUB, JUMP);
	run(0x1208, CALL);
	run(0x1300, JUMP);
	run(0x8300, RETURN);
	run(0x1210, NOP);
	EXPECT("prog;foo 4\n"
	       "prog;foo;bar 4*\n"
	       "prog;foo 2\n");
}

/* A moved jump leads into another function: through a register, if that is not near. */
static const char *jump_from(uint64_t pc, uint32_t insn, uint64_t to)
{
	char counts[80];
	enter_foo(JUMP);
	run(pc, insn);
	run(to, NOP);
	struct tr_unwind_totals totals = machine_end();
	snprintf(counts, sizeof(counts), "%d tail calls, %d returns, %d unmatched\n",
		 (int)totals.tailcalls, (int)totals.returns, (int)totals.unmatched);
	put(counts);
	return m.text;
}

static void jumps_on(void)
{
	static const uint64_t targets[] = {0x1300, 0x1450, 0x1108, 0x1120, 0x1210};
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		char want[TEXT];
		strcpy(want, jump_from(0x1208, JUMP, targets[i]));
		CHECK_STR(jump_from(STUB, JUMP, targets[i]), want);
		CHECK_STR(jump_from(DIRECT, JUMP_A5, targets[i]), want);
		CHECK_STR(jump_from(STUB, BRANCH, targets[i]), want);
		strcpy(want, jump_from(0x1208, JUMP_A5, targets[i]));
		CHECK_STR(jump_from(STUB, JUMP_A5, targets[i]), want);
	}
}

int main(void)
{
	returns_behind_stub(JUMP, STUB, JUMP);
	returns_behind_stub(JUMP_A5, DIRECT, JUMP_A5);
	returns_in_stub();
	interrupted();
	begins_in_stub();
	jumps_on();
	return check_done();
}
