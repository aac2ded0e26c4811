/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps that return, go back or continue elsewhere; and the same without instruction
 * bits, where only the landing is evidence. */
#include "unwind-machine.h"

/* main, foo, and both again. */
static void go_deep(void)
{
	machine_begin(true);
	m.quiet = true;
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, CALL);
	run(0x1120, CALL);
	run(0x1200, NOP);
	feed();
	m.quiet = false;
}

/* Through a register to a return address: the frames above are gone. */
static void jump_that_returns(void)
{
	go_deep();
	run(0x1210, JUMP_A5);
	run(0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start;main;foo;main;foo 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.returns, 2);
	CHECK_EQ(totals.unmatched, 0);
}

/* Into an active function: back to its newest frame. */
static void jump_back(void)
{
	go_deep();
	run(0x1210, JUMP_A5);
	run(0x1180, NOP);
	EXPECT("prog;_start;main;foo;main;foo 2\n"
	       "prog;_start;main;foo;main 2\n");
}

/* A jump with an immediate target does not unwind, wherever it goes: the function
 * continues in another part. */
static void jump_into_other_part(void)
{
	go_deep();
	run(0x1210, JUMP);
	run(0x1108, JUMP_A5);
	run(0x1450, NOP); /* baz is not active */
	CHECK_EQ(machine_end().unmatched, 1);
	CHECK_STR(m.text, "prog;_start;main;foo;main;foo 2\n"
			  "prog;_start;main;foo;main;main 2\n"
			  "prog;_start;main;foo;main;baz 2\n");
}

/* A call is the last instruction of a function: it returns to the start of the next one,
 * or to another's cold part. */
static void return_into_next_function(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x11f8, CALL);
	run(0x1300, RETURN);
	run(0x1200, RETURN);
	run(0x1008, CALL);
	run(0x17f8, CALL);
	run(0x1300, JUMP_A5);
	run(0x1800, RETURN);
	run(0x1010, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;bar 2*\n"
	       "prog;_start;foo 2\n"
	       "prog;_start 2\n"
	       "prog;_start;[no symbol] 2*\n"
	       "prog;_start;[no symbol];bar 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* "call .+4": if another function or code without a name starts there, it is a call. */
static void call_to_next(void)
{
	machine_begin(true);
	run(0x11f8, CALL);
	run(0x1200, RETURN);
	run(0x1200, CALL_X5);
	run(0x1708, CALL);
	run(0x1710, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main 2\n"
			  "prog;main;foo 2*\n"
			  "prog;foo 2\n"
			  "prog;foo;save_1 2*\n"
			  "prog;foo;save_1;[no symbol] 2*\n");
	CHECK_EQ(totals.calls, 3);
	CHECK_EQ(totals.returns, 1);
}

/* Without bits: to the next instruction, to a return address, to a function's entry from
 * another and from itself, and to any other address. */
static void no_bits(void)
{
	machine_begin(true);
	m.no_bits = true;
	run(0x1000, 0);
	run(0x11f8, 0); /* main is not entered at its entry: no call */
	run(0x1200, 0); /* on into foo */
	run(0x1200, 0); /* a loop */
	run(0x1300, 0); /* a call */
	run(0x1208, 0); /* and its return */
	run(0x14f8, 0);
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.beyond, 2); /* no caller of the running code was seen */
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;main 2\n"
			  "prog;foo 4\n"
			  "prog;foo;bar 2*\n"
			  "prog;foo 2\n"
			  "prog;baz 2\n");
}

/* A call at the end of a function, without bits. */
static void no_bits_return_into_next_function(void)
{
	machine_begin(true);
	m.no_bits = true;
	run(0x1000, 0);
	run(0x1100, 0);
	run(0x11f8, 0);
	run(0x1300, 0);
	run(0x1200, 0);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 4*\n"
	       "prog;_start;main;bar 2*\n"
	       "prog;_start;foo 2\n");
}

/* To the entry of its caller, not to the return address: a tail call. */
static void return_to_callers_entry(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, RETURN);
	run(0x1100, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main;main 2*\n");
}

int main(void)
{
	jump_that_returns();
	jump_back();
	jump_into_other_part();
	return_into_next_function();
	return_to_callers_entry();
	call_to_next();
	no_bits();
	no_bits_return_into_next_function();
	return check_done();
}
