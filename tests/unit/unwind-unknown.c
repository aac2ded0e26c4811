/* SPDX-License-Identifier: Apache-2.0 */
/* Code without a name in the middle of a function: a file that differs in a constant from
 * the code that ran, or a patched kernel. It must leave no frame. */
#include "unwind-machine.h"

enum { TURNS = 1000000, SOME_TURNS = 2 * TR_UNWIND_DEPTH, A_FRAME = 400 };

/* Repeats an iteration of a loop: the depth must be the same at the end as at the
 * start. */
static void check_depth(void (*turn)(void), int turns, const char *want)
{
	machine_begin(true);
	run(0x1000, CALL);
	m.quiet = true;
	for (int i = 0; i < turns; i++) {
		turn();
		if (i % A_FRAME == 0)
			feed();
	}
	feed();
	m.quiet = false;
	m.length = 0;
	turn();
	run(0x1110, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, want);
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.depth_refused, 0);
	CHECK(m.nnodes < 12);
}

/* main falls through into an unknown block, which calls; main continues. */
static void turn_with_call(void)
{
	run(0x1100, NOP);
	run(0x7000, CALL);
	run(0x1200, RETURN);
	run(0x7008, CALL);
	run(0x1200, RETURN);
	run(0x7010, CALL);
	run(0x1200, RETURN);
	run(0x1108, BRANCH);
}

static void turn_unknown_callee(void)
{
	run(0x1100, BRANCH);
	run(0x7000, CALL);
	run(0x7800, RETURN);
	run(0x7008, JUMP);
	run(0x1108, JUMP_A5);
}

/* With a trap in between, and a jump out of it. */
static void turn_with_trap(void)
{
	run(0x1100, NOP);
	run(0x7000, CALL);
	run(0x1200, RETURN);
	run(0x7008, BRANCH);
	trap(8, 0x7040, S);
	run(K, SRET);
	xret(U);
	run(0x7040, CALL);
	run(0x1200, RETURN);
	run(0x7048, JUMP);
	run(0x1108, BRANCH);
}

/* main falls through into a part with another name, and back. */
static void turn_with_other_part(void)
{
	run(0x1100, NOP);
	run(0x7000, CALL);
	run(0x1200, RETURN);
	run(0x7008, NOP);
	run(0x1310, JUMP);
	run(0x1108, BRANCH);
}

/* Called: a frame that its return removes. */
static void turn_called(void)
{
	run(0x1100, CALL_A5);
	run(0x7000, JUMP);
	run(0x7800, RETURN);
	run(0x1108, BRANCH);
}

static void endless_loops(void)
{
	check_depth(turn_with_call, TURNS,
		    "prog;_start;main 2\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;foo 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;foo 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;foo 2*\n"
		    "prog;_start;main 4\n"
		    "prog;_start 2\n");
	check_depth(turn_unknown_callee, SOME_TURNS,
		    "prog;_start;main 2\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;[ambiguous] 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main 4\n"
		    "prog;_start 2\n");
	check_depth(turn_with_trap, SOME_TURNS,
		    "prog;_start;main 2\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;foo 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;[ecall];entry 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;foo 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main 4\n"
		    "prog;_start 2\n");
	check_depth(turn_with_other_part, SOME_TURNS,
		    "prog;_start;main 2\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;main;foo 2*\n"
		    "prog;_start;main;[unknown] 2\n"
		    "prog;_start;bar 2\n"
		    "prog;_start;main 4\n"
		    "prog;_start 2\n");
	check_depth(turn_called, SOME_TURNS,
		    "prog;_start;main 2\n"
		    "prog;_start;main;[unknown] 2*\n"
		    "prog;_start;main;[ambiguous] 2\n"
		    "prog;_start;main 4\n"
		    "prog;_start 2\n");
}

/* A jump from there replaces the function; a target that is already active is called
 * again. */
static void tail_call_from_there(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, JUMP_A5);
	run(0x7000, JUMP_A5); /* like an entry of a PLT */
	run(0x1300, JUMP);
	run(0x7000, RETURN_X5);
	run(0x1100, RETURN);
	run(0x1108, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main;foo;[unknown] 2\n"
	       "prog;_start;main;bar 2*\n"
	       "prog;_start;main;bar;[unknown] 2\n"
	       "prog;_start;main;main 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* A setjmp called from there belongs to main. */
static void setjmp_from_there(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run_adding(-16, 0x1100, NOP);
	run(0x7000, CALL);
	run(0x1500, RETURN);
	run(0x7008, NOP);
	run(0x1108, CALL);
	run_adding(-16, 0x1200, CALL);
	run_with(LOAD_SP, 0x1600, RETURN);
	run(0x7008, NOP);
	run_adding(16, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;[unknown] 2\n"
			  "prog;_start;main;setjmp 2*\n"
			  "prog;_start;main;[unknown] 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;longjmp 2*\n"
			  "prog;_start;main;[unknown] 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
}

/* Out of the function that ran when the trace began. */
static void beyond_the_start(void)
{
	machine_begin(true);
	run(0x1210, NOP);
	run(0x7000, RETURN);
	run(0x1110, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;foo 2\n"
			  "prog;foo;[unknown] 2\n"
			  "prog;main 2\n");
	CHECK_EQ(totals.beyond, 1);
	CHECK_EQ(totals.unmatched, 0);
}

/* At the depth limit there is no room for it, and it is no call that returns. */
static void at_the_limit(void)
{
	machine_begin(true);
	m.quiet = true;
	run_adding(-16, 0x1000, CALL);
	run_adding(-16, 0x1100, CALL);
	for (int i = 0; i < TR_UNWIND_DEPTH - 3; i++)
		run_adding(-16, 0x1200, CALL);
	feed();
	run(0x1208, NOP);
	run_adding(16, 0x7000, RETURN);
	for (int i = 0; i < TR_UNWIND_DEPTH - 4; i++)
		run_adding(16, 0x1208, RETURN);
	feed();
	m.quiet = false;
	run_adding(16, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
}

/* Recursion beyond the limit, with the same return address for all calls: those that were
 * only counted return first. */
static void recursion_beyond_the_limit(void)
{
	enum { RETURNS = 50 };
	int calls = 0;
	machine_begin(true);
	m.quiet = true;
	run_adding(-16, 0x1000, CALL);
	run_adding(-16, 0x1100, CALL);
	for (int i = 0; i < TR_UNWIND_DEPTH + 10; i++) {
		run_adding(-16, 0x1200, CALL);
		if (i % A_FRAME == 0)
			feed();
	}
	run(0x1200, RETURN);
	for (int i = 1; i < RETURNS; i++)
		run_adding(16, 0x1208, RETURN);
	feed();
	m.quiet = false;
	run_adding(16, 0x1208, RETURN);
	machine_end();
	for (const char *p = m.text; (p = strstr(p, ";foo")); p++)
		calls++;
	CHECK_EQ(calls, TR_UNWIND_DEPTH + 11 - RETURNS);
}

/* An unknown program calls the vdso, which is no program; one that is in a file gives the
 * stack its name, and also what ran in libraries before, as in the dynamic loader. */
static void only_a_library_is_known(void)
{
	machine_begin(true);
	run(0x7000, CALL);
	run(0x6000, RETURN);
	run(0x7008, CALL);
	run(0x1000, RETURN);
	machine_end();
	CHECK_STR(m.text, "[unknown] 2\n"
			  "[unknown];clock 2*\n"
			  "[unknown] 2\n"
			  "prog;[unknown];_start 2*\n");
	machine_begin(true);
	run(0x6000, CALL);
	run(0x1000, NOP);
	machine_end();
	CHECK_STR(m.text, "prog;clock 2*\n"
			  "prog;clock;_start 2*\n");
}

/* The kernel starts a thread, in this address space, in a library, where it stays until
 * the trace ends, as the child of posix_spawn() does until it executes a program. */
static void library_thread(uint32_t space)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(ECALL, 0x1108, S);
	set_tp(T);
	run(K, CALL);
	to_thread(T + 0x1000);
	if (space)
		set_space(space);
	run(K + 0x700, SRET);
	xret(U);
	run(0x6000, NOP);
	machine_end();
}

/* A thread that runs nothing but a library is of the program of its address space. */
static void a_thread_in_a_library(void)
{
	library_thread(0);
	CHECK(strstr(m.text, "\nprog;clock 2* @1\n") != NULL);
	CHECK(strstr(m.text, "[unknown]") == NULL);
	library_thread(2);
	CHECK(strstr(m.text, "\n[unknown];clock 2* @1\n") != NULL);
}

int main(void)
{
	endless_loops();
	tail_call_from_there();
	setjmp_from_there();
	beyond_the_start();
	at_the_limit();
	recursion_beyond_the_limit();
	only_a_library_is_known();
	a_thread_in_a_library();
	return check_done();
}
