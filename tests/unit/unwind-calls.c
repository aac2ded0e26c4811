/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, returns and jumps within one level. */
#include "unwind-machine.h"

static void call_and_return(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, BRANCH);
	run(0x1220, RETURN);
	run(0x1108, CALL_A5);
	run(0x1300, RETURN);
	run(0x1110, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;foo 4*\n"
	       "prog;_start;main 2\n"
	       "prog;_start;main;bar 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

static void recursion(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1200, CALL);
	run(0x1200, CALL);
	run(0x1200, BRANCH);
	run(0x1240, RETURN);
	run(0x1208, RETURN);
	run(0x1208, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;foo 2*\n"
	       "prog;main;foo;foo 2*\n"
	       "prog;main;foo;foo;foo 4*\n"
	       "prog;main;foo;foo 2\n"
	       "prog;main;foo 2\n"
	       "prog;main 2\n");
}

/* A loop to the function's own entry is no call. */
static void loop_to_entry(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1200, BRANCH);
	run(0x1200, JUMP);
	run(0x1200, JUMP_A5);
	run(0x1200, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\nprog;main;foo 8*\nprog;main 2\n");
}

static void tail_calls(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1200, JUMP);
	run(0x1300, JUMP_A5);
	run(0x1400, RETURN_X5); /* lands on an entry: dispatch through t0 */
	run(0x1200, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main 2*\n"
			  "prog;main;foo 2*\n"
			  "prog;main;bar 2*\n"
			  "prog;main;baz 2*\n"
			  "prog;main;foo 2*\n"
			  "prog;main 2\n");
	CHECK_EQ(totals.tailcalls, 3);
	CHECK_EQ(totals.returns, 1);
	CHECK_EQ(totals.unmatched, 0);
}

/* A function with its cold part elsewhere is one function. */
static void cold_part(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, BRANCH);
	run(0x1800, CALL);
	run(0x1200, RETURN);
	run(0x1808, JUMP);
	run(0x1110, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 4*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main 4\n"
	       "prog;_start 2\n");
}

/* -msave-restore: called through x5, one entry falls through into the next. */
static void millicode(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1200, CALL_X5);
	run(0x1700, NOP);
	run(0x1708, RETURN_X5);
	run(0x1208, JUMP);
	run(0x1300, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;foo 2*\n"
	       "prog;main;foo;save_2 2*\n"
	       "prog;main;foo;save_1 2\n"
	       "prog;main;foo 2\n"
	       "prog;main;bar 2*\n"
	       "prog;main 2\n");
}

/* A block that extends into the next function is split there. */
static void block_across_functions(void)
{
	machine_begin(true);
	run(0x1200, CALL_X5);
	run_timed(0x1704, RETURN_X5, 1);
	run(0x1208, NOP);
	EXPECT("prog;foo 2*\n"
	       "prog;foo;save_2 1*\n"
	       "prog;foo;save_1 10 3:7\n"
	       "prog;foo 2\n");
}

static void longjmp_to_setjmp(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run_adding(-16, 0x1100, CALL);
	run(0x1500, RETURN); /* setjmp */
	run(0x1108, CALL);
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1100, BRANCH); /* main again, with a higher sp: not longjmp's
					  * target */
	run(0x1120, CALL);
	run_with(LOAD_SP, 0x1600, RETURN);
	run_adding(16, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;setjmp 2*\n"
			  "prog;_start;main 2\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;main 4*\n"
			  "prog;_start;main;foo;main;longjmp 2*\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
}

static void coroutines(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1200, SWAP_X5);
	run(0x1108, SWAP_X1);
	run(0x1208, SWAP_X5);
	run(0x1110, SWAP_X1);
	run(0x1210, RETURN);
	run(0x1118, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;foo 2*\n"
	       "prog;main 2\n"
	       "prog;main;foo 2\n"
	       "prog;main 2\n"
	       "prog;main;foo 2\n"
	       "prog;main 2\n");
}

/* A call through the other link register counts as a call if it lands like one. */
static void call_through_link(void)
{
	machine_begin(true);
	run(0x1100, SWAP_X1);
	run(0x1200, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\nprog;main;foo 2*\nprog;main 2\n");
}

static void call_to_next(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1108, NOP);
	EXPECT("prog;main 4*\n");
}

/* Returns from frames older than the trace are no error. */
static void beyond_the_start(void)
{
	machine_begin(true);
	run(0x1210, RETURN);
	run(0x1110, RETURN);
	run(0x1010, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;foo 2\nprog;main 2\nprog;_start 2\n");
	CHECK_EQ(totals.beyond, 2);
	CHECK_EQ(totals.unmatched, 0);
}

/* An unexplained return keeps the frames below. */
static void unmatched(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, RETURN);
	run(0x1310, RETURN);
	run(0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;bar 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 1);
	CHECK_EQ(totals.returns, 3);
}

/* An unmatched return into an active function returns to it. */
static void nearest_frame(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, CALL);
	run(0x1300, RETURN);
	run(0x1180, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main;foo;bar 2*\n"
	       "prog;_start;main 2\n");
}

int main(void)
{
	call_and_return();
	recursion();
	loop_to_entry();
	tail_calls();
	cold_part();
	millicode();
	block_across_functions();
	longjmp_to_setjmp();
	coroutines();
	call_through_link();
	call_to_next();
	beyond_the_start();
	unmatched();
	nearest_frame();
	return check_done();
}
