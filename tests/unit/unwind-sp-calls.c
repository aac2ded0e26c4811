/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, returns and jumps out of calls, with sp reported. */
#include "unwind-machine.h"

enum { TOP = 0x80000 };

static void begin(void)
{
	machine_begin_sp(false);
	tell_sp(TOP);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, CALL);
}

#define BEGUN "prog;_start 2*\nprog;_start;main 2*\n"

/* foo returns with the sp of its call, among several calls from the same place. */
static void recursion(void)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1200, CALL);
	run(0x1200, RETURN);
	run_adding(16, 0x1208, RETURN);
	run_adding(16, 0x1208, RETURN);
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;foo 2*\n"
		     "prog;_start;main;foo;foo 2*\n"
		     "prog;_start;main;foo;foo;foo 2*\n"
		     "prog;_start;main;foo;foo 2\n"
		     "prog;_start;main;foo 2\n"
		     "prog;_start;main 2\n"
		     "prog;_start 2\n");
}

/* The callee of a tail call returns for its caller, with the same sp. */
static void tail_call(void)
{
	begin();
	run_adding(-16, 0x1200, NOP);
	run_adding(16, 0x1208, JUMP_A5);
	run(0x1300, RETURN);
	run(0x1108, NOP);
	EXPECT(BEGUN "prog;_start;main;foo 4*\n"
		     "prog;_start;main;bar 2*\n"
		     "prog;_start;main 2\n");
}

/* __riscv_save returns with a lower sp than that of its call. */
static void millicode(void)
{
	begin();
	run(0x1200, CALL_X5);
	run_adding(-48, 0x1700, RETURN_X5);
	run(0x1208, CALL);
	run(0x1300, RETURN);
	run(0x1210, JUMP);
	run_adding(48, 0x1708, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 2*\n"
				"prog;_start;main;foo;save_2 2*\n"
				"prog;_start;main;foo 2\n"
				"prog;_start;main;foo;bar 2*\n"
				"prog;_start;main;foo 2\n"
				"prog;_start;main;save_1 2*\n"
				"prog;_start;main 2\n");
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.doubted_cycles, 0);
}

/* Arithmetic on sp stays on the stack, however large, even across another stack. */
static void alloca_over_pages(void)
{
	begin();
	write_sp(0x1200, SUB_SP, TOP - 0x20000);
	run(0x1208, CALL);
	run(0x1300, RETURN);
	write_sp(0x1210, FRAME_SP, TOP - 64);
	run(0x1218, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 4*\n"
				"prog;_start;main;foo;bar 2*\n"
				"prog;_start;main;foo 4\n"
				"prog;_start;main 2\n");
	CHECK_EQ(totals.switches, 0);
}

/* A write of an sp within this stack unwinds, as in longjmp, or before the jump to an
 * exception handler. */
static void jump_out(uint32_t last)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	write_sp(0x1600, LOAD_SP, TOP - 64);
	run(0x1608, last);
	run(0x1140, NOP);
	run_adding(32, 0x1148, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 2*\n"
				"prog;_start;main;foo;bar 2*\n"
				"prog;_start;main;foo;bar;longjmp 4*\n"
				"prog;_start;main 4\n"
				"prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.switches, 0);
}

/* setjmp is entered again when its frame is gone: it is based on its caller. */
static void setjmp_again(void)
{
	begin();
	run(0x1a00, CALL);
	run(0x1500, RETURN);
	run(0x1a08, RETURN);
	run(0x1108, CALL);
	run_adding(-16, 0x1200, CALL);
	write_sp(0x1600, LOAD_SP, TOP - 64);
	run(0x1608, RETURN);
	run(0x1a08, RETURN);
	run(0x1108, NOP);
	machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;sigsetjmp 2*\n"
				"prog;_start;main;sigsetjmp;setjmp 2*\n"
				"prog;_start;main;sigsetjmp 2\n"
				"prog;_start;main 2\n"
				"prog;_start;main;foo 2*\n"
				"prog;_start;main;foo;longjmp 4*\n"
				"prog;_start;main;sigsetjmp 2\n"
				"prog;_start;main 2\n");
}

/* Beyond the depth limit sp shows when the calls there have returned, also after a trap
 * there. */
static void depth_limit(bool is_trapped)
{
	enum { CALLS = TR_UNWIND_DEPTH + 100 };
	begin();
	m.quiet = true;
	for (int i = 0; i < CALLS; i++)
		run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	if (is_trapped) {
		run(0x1400, NOP);
		trap(TIMER, 0x1408, S);
		run(K, SRET);
		xret(U);
	}
	run(0x1408, RETURN);
	feed();
	m.quiet = false;
	m.length = 0;
	run_adding(16, 0x1308, RETURN);
	feed();
	CHECK_STR(m.text + m.length - 7, ";foo 2\n");
	m.quiet = true;
	m.length = 0;
	for (int i = 0; i < CALLS; i++)
		run_adding(16, 0x1208, RETURN);
	feed();
	m.quiet = false;
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start;main 2\nprog;_start 2\n");
	CHECK(totals.depth_refused > 0);
	CHECK_EQ(totals.doubted_cycles, 0);
	CHECK_EQ(totals.unmatched, 0);
}

/* sp becomes known while main runs: it applies to all calls before, and main is in doubt
 * only if it returns with another. */
static void known_late(int adds)
{
	machine_begin_sp(false);
	run(0x1000, CALL);
	run(0x1100, NOP);
	tell_sp(TOP);
	run(0x1108, CALL);
	run(0x1200, RETURN);
	run_adding(adds, 0x1110, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 4*\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.doubted_cycles != 0, adds != 0);
}

/* Code without a name that was not called belongs to main, even if it moves sp. */
static void blank_code(void)
{
	begin();
	run(0x1200, RETURN);
	run(0x1108, JUMP_A5);
	run_adding(-16, 0x7000, CALL);
	run(0x1200, RETURN);
	run_adding(16, 0x7008, JUMP);
	run_adding(32, 0x1118, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;foo 2*\n"
		     "prog;_start;main 2\n"
		     "prog;_start;main;[unknown] 2\n"
		     "prog;_start;main;foo 2*\n"
		     "prog;_start;main;[unknown] 2\n"
		     "prog;_start;main 2\n"
		     "prog;_start 2\n");
}

/* After a gap the thread is identified by sp, but none of its frames. */
static void gap_over_returns(void)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run(0x1300, NOP);
	gap(TR_GAP_LOST, 1);
	tell_sp(TOP - 64);
	run_adding(32, 0x1120, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;foo 2*\n"
		     "prog;_start;main;foo;bar 2*\n"
		     "[lost] 1\n"
		     "prog;main 2\n"
		     "prog;_start 2\n");
}

/* A leaf's own frame is part of the stack, where nothing was called. */
static void gap_below_all_calls(void)
{
	begin();
	run_adding(-64, 0x1200, NOP);
	gap(TR_GAP_LOST, 1);
	tell_sp(TOP - 128);
	run(0x1220, NOP);
	EXPECT(BEGUN "prog;_start;main;foo 2*\n"
		     "[lost] 1\n"
		     "prog;foo 2\n");
	CHECK_EQ(m.stacks_begun, 1);
}

/* An exception out of a second foo and its callees is caught by the first: had the second
 * caught it, sp would be lower. */
static void caught_by_the_first(void)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1200, CALL);
	run(0x1300, NOP);
	write_sp(0x1308, LOAD_SP, TOP - 80);
	run(0x1310, JUMP_A5);
	run(0x1220, NOP);
	run_adding(16, 0x1228, RETURN);
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;foo 2*\n"
		     "prog;_start;main;foo;foo 2*\n"
		     "prog;_start;main;foo;foo;bar 6*\n"
		     "prog;_start;main;foo 4\n"
		     "prog;_start;main 2\n"
		     "prog;_start 2\n");
}

/* foo returns with another sp than that of its call: its cycles, and those of its
 * callees, are in doubt, and no others. */
static void doubt(void)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run_timed(0x1300, RETURN, 1);
	run(0x1208, RETURN);
	run(0x1108, CALL);
	run(0x1200, RETURN);
	run(0x1110, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 2*\n"
				"prog;_start;main;foo;bar 11* 3:7\n"
				"prog;_start;main;foo 2\n"
				"prog;_start;main 2\n"
				"prog;_start;main;foo 2*\n"
				"prog;_start;main 2\n");
	CHECK_EQ(totals.doubted_cycles, 15);
	CHECK_EQ(totals.unmatched, 0);
}

/* foo returns to an address without a call: it is in doubt, and the code there is not. */
static void doubt_of_unmatched(void)
{
	begin();
	run_timed(0x1200, NOP, 1);
	run(0x1208, RETURN);
	run(0x1440, NOP);
	run(0x1448, CALL);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 13* 3:7\n"
				"prog;_start;main;baz 4\n");
	CHECK_EQ(totals.unmatched, 1);
	CHECK_EQ(totals.doubted_cycles, 13);
}

/* bar, called by foo, does so as well: the cycles of foo before the call are in doubt,
 * too, and none is counted twice. */
static void doubt_in_doubt(void)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, RETURN);
	run_timed(0x1208, RETURN, 1);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 2*\n"
				"prog;_start;main;foo;bar 2*\n"
				"prog;_start;main;foo 11 3:7\n"
				"prog;_start;main 2\n");
	CHECK_EQ(totals.doubted_cycles, 15);
	CHECK_EQ(totals.unmatched, 0);
}

/* Functions that take their arguments off the stack when they return, as those of V8 do:
 * the calls match, also in a recursion from one place, and nothing is in doubt. */
static void takes_arguments(void)
{
	begin();
	run_adding(-32, 0x1200, CALL);
	run_adding(-32, 0x1200, CALL);
	run_adding(8, 0x1200, RETURN);
	run_adding(40, 0x1208, RETURN);
	run_adding(24, 0x1208, RETURN);
	run_adding(24, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 2*\n"
				"prog;_start;main;foo;foo 2*\n"
				"prog;_start;main;foo;foo;foo 2*\n"
				"prog;_start;main;foo;foo 2\n"
				"prog;_start;main;foo 2\n"
				"prog;_start;main 2\n"
				"prog;_start 2\n");
	CHECK_EQ(totals.returns, 4);
	CHECK_EQ(totals.doubted_cycles, 0);
	CHECK_EQ(totals.unmatched, 0);
}

/* Such a function leaves sp within the frame of its caller, main, which is below TOP -
 * 32, by a return. Otherwise it is in doubt, with main if that has no frame any more. */
static void takes_bytes(int adds, uint32_t last, uint64_t doubted)
{
	begin();
	run_adding(adds, 0x1200, last);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.doubted_cycles, doubted);
	CHECK_EQ(totals.unmatched, 0);
}

/* Such a function jumps to code without a name, which returns for it; unless sp is beyond
 * the frame of its caller. */
static void takes_and_jumps(int adds, bool is_known)
{
	begin();
	run_adding(adds, 0x1200, JUMP_A5);
	run_adding(8 - adds, 0x1d10, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(strcmp(m.text, BEGUN "prog;_start;main;foo 2*\n"
				      "prog;_start;main;prog+0x1d00 2\n"
				      "prog;_start;main 2\n") == 0,
		 is_known);
	CHECK_EQ(totals.unmatched == 0, is_known);
	CHECK_EQ(totals.doubted_cycles == 0, is_known);
}

/* A jump by a register that was set to a fixed target is a jump to that, which may be
 * within a function; one by another register may be anything. */
static void jump_far(uint32_t last, bool is_known)
{
	begin();
	run_with(0x00000317, 0x1200, last); /* auipc t1, 0 */
	run(0x1310, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo 2*\n"
				"prog;_start;main;bar 2\n"
				"prog;_start;main 2\n");
	CHECK_EQ(totals.unmatched, is_known ? 0 : 1);
}

/* A function that returns for its caller as well, to where both were called, has left
 * more than its arguments. */
static void takes_a_frame(void)
{
	begin();
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1200, CALL);
	run_adding(24, 0x1200, RETURN);
	run(0x1208, NOP);
	CHECK_EQ(machine_end().doubted_cycles, 4);
}

/* A jump that links into the middle of its own function is no call; one that links to the
 * next instruction does not even return. */
static void links_within(void)
{
	begin();
	run(0x1180, CALL);
	run(0x1200, RETURN);
	run(0x1188, RETURN);
	run(0x1108, CALL);
	run(0x1110, NOP);
	run_adding(32, 0x1118, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 4*\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main 8\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.calls, 2);
	CHECK_EQ(totals.longjmps, 0);
	CHECK_EQ(totals.doubted_cycles, 0);
	CHECK_EQ(totals.unmatched, 0);
}

int main(void)
{
	recursion();
	caught_by_the_first();
	doubt();
	doubt_in_doubt();
	doubt_of_unmatched();
	takes_arguments();
	takes_bytes(-8, RETURN, 2);
	takes_bytes(8, RETURN, 0);
	takes_bytes(24, RETURN, 0);
	takes_bytes(24, JUMP_A5, 2);
	takes_bytes(32, RETURN, 2);
	takes_bytes(40, RETURN, 4);
	takes_a_frame();
	takes_and_jumps(-16, true);
	takes_and_jumps(16, true);
	takes_and_jumps(32, false);
	jump_far(0x11030067, true);  /* jr 272(t1) */
	jump_far(0x11038067, false); /* jr 272(t2) */
	links_within();
	tail_call();
	millicode();
	alloca_over_pages();
	jump_out(RETURN);
	jump_out(JUMP_A5);
	setjmp_again();
	depth_limit(false);
	depth_limit(true);
	known_late(0);
	known_late(32);
	blank_code();
	gap_over_returns();
	gap_below_all_calls();
	return check_done();
}
