/* SPDX-License-Identifier: Apache-2.0 */
/* Initial stacks of forked children. */
#include "unwind-machine.h"

/* fork: the child starts with its parent's user frames. */
static void fork_child(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, NOP);
	trap(ECALL, 0x1108, S);
	set_tp(T);
	run(K, CALL);
	run(K + 0x500, RETURN);
	run(K + 8, CALL);
	to_thread(T + 0x1000);
	run(K + 0x400, SRET);
	set_space(2);
	xret(U);
	run(0x110c, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2* @0\n"
	       "prog;_start;main;[ecall];entry 2* @0\n"
	       "prog;_start;main;[ecall];entry;kernel_clone 2* @0\n"
	       "prog;_start;main;[ecall];entry 2 @0\n"
	       "prog;_start;main;[ecall];entry;schedule 2* @0\n"
	       "prog;_start;main;[ecall];entry;schedule;switch_to 4* @0\n"
	       "prog;_start;main;[ecall];thread_start 2* @1\n"
	       "prog;_start;main 2 @1\n"
	       "prog;_start 2 @1\n");
}

/* The kernel frames of a child are based on its parent's stack. Two children that start
 * in another order than they were made find their own forks when they continue. */
static void born_in_the_kernel(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(ECALL, 0x1108, S);
	set_tp(T);
	run(K + 0x500, SRET);
	xret(U);
	run(0x110c, CALL);
	run(0x1200, NOP);
	trap(ECALL, 0x1208, S);
	run(K + 0x500, CALL);
	to_thread(T + 0x1000);
	run(K + 0x700, SRET);
	set_space(2);
	xret(U);
	run(0x120c, RETURN);
	run(0x1114, NOP);
	trap(ECALL, 0x111c, S);
	run(K, CALL);
	to_thread(T + 0x2000);
	run(K + 0x700, SRET);
	set_space(3);
	xret(U);
	trap(FETCH_FAULT, 0x110c, S);
	run(K, SRET);
	xret(U);
	run(0x110c, NOP);
	EXPECT("prog;main 2* @0\n"
	       "prog;main;[ecall];kernel_clone 2* @0\n"
	       "prog;main 2 @0\n"
	       "prog;main;foo 2* @0\n"
	       "prog;main;foo;[ecall];kernel_clone 2* @0\n"
	       "prog;main;foo;[ecall];kernel_clone;schedule 2* @0\n"
	       "prog;main;foo;[ecall];kernel_clone;schedule;switch_to 4* @0\n"
	       "prog;main;foo;[ecall];ret_from_fork 2* @1\n"
	       "prog;main;foo 2 @1\n"
	       "prog;main 2 @1\n"
	       "prog;main;[ecall];entry 2* @1\n"
	       "prog;main;[ecall];entry;schedule 2* @1\n"
	       "prog;main;[ecall];entry;schedule;switch_to 4* @1\n"
	       "prog;main;[ecall];ret_from_fork 2* @2\n"
	       "prog;main;[fetch page fault];entry 2* @2\n"
	       "prog;main 2 @2\n");
}

/* A thread that clone() makes has a stack of its own. */
static void thread_by_clone(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1900, NOP);
	trap(ECALL, 0x1908, S);
	set_tp(T);
	run(K, CALL);
	run(K + 0x500, RETURN);
	run(K + 8, CALL);
	to_thread(T + 0x1000);
	run(K + 0x400, SRET);
	xret(U);
	run(0x190c, CALL);
	run(0x1200, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;clone 2* @0\n"
	       "prog;main;clone;[ecall];entry 2* @0\n"
	       "prog;main;clone;[ecall];entry;kernel_clone 2* @0\n"
	       "prog;main;clone;[ecall];entry 2 @0\n"
	       "prog;main;clone;[ecall];entry;schedule 2* @0\n"
	       "prog;main;clone;[ecall];entry;schedule;switch_to 4* @0\n"
	       "prog;clone;[ecall];thread_start 2* @1\n"
	       "prog;clone 2 @1\n"
	       "prog;clone;foo 2* @1\n");
}

/* foo makes a child, and returns. */
static void fork_in_foo(void)
{
	run(0x1200, NOP);
	trap(ECALL, 0x1208, S);
	set_tp(T);
	run(K + 0x500, SRET);
	xret(U);
	run(0x120c, RETURN);
}

/* Two forks in foo: main called it for the first, bar for the second. */
static void fork_twice(void)
{
	machine_begin(true);
	m.quiet = true;
	run(0x1100, CALL);
	fork_in_foo();
	run(0x1108, CALL);
	run_adding(-16, 0x1300, CALL);
	fork_in_foo();
	run(0x1308, NOP);
	trap(TIMER, 0x1310, S);
	run(K, CALL);
}

/* A new thread continues after the system call that made it. */
static void begin_child(uint64_t number)
{
	to_thread(T + 0x1000 * number);
	run(K + 0x400, SRET);
	set_space((uint32_t)number + 1);
	xret(U);
	feed();
	m.quiet = false;
	run(0x120c, NOP);
}

static void back_to_kernel(uint64_t epc)
{
	feed();
	m.quiet = true;
	trap(TIMER, epc, S);
	run(K, CALL);
}

/* The frame ends before a child has returned, so that it starts with the newest fork.
 * That was the first child's; the other's return leads to the right one. */
static void exchanged_fork(void)
{
	fork_twice();
	begin_child(1);
	feed();
	run(0x1214, RETURN);
	run(0x1308, NOP);
	trap(ECALL, 0x1310, S);
	run(K, SRET);
	xret(U);
	run(0x1314, RETURN);
	run(0x1110, NOP);
	back_to_kernel(0x1118);
	begin_child(2);
	feed();
	run(0x1214, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @0\n"
	       "prog;main;bar;foo;[ecall];thread_start 2* @1\n"
	       "prog;main;bar;foo 2 @1\n"
	       "prog;main;bar;foo 2 @1\n"
	       "prog;main;bar 2 @1\n"
	       "prog;main;bar;[ecall];entry 2* @1\n"
	       "prog;main;bar 2 @1\n"
	       "prog;main 2 @1\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 4* @1\n"
	       "prog;main;bar;foo;[ecall];thread_start 2* @2\n"
	       "prog;main;bar;foo 2 @2\n"
	       "prog;main;bar;foo 2 @2\n"
	       "prog;main 2 @2\n");
}

/* A child is interrupted in the kernel before it has its own space, and another continues
 * first: it keeps its fork. */
static void space_comes_late(void)
{
	fork_twice();
	to_thread(T + 0x1000);
	run(K + 0x700, NOP);
	trap(TIMER, K + 0x708, S);
	run(K, SRET);
	xret(S);
	run(K + 0x708, CALL);
	to_thread(T + 0x2000);
	run(K + 0x700, SRET);
	set_space(3);
	xret(U);
	run(0x120c, RETURN);
	run(0x1308, NOP);
	trap(TIMER, 0x1310, S);
	run(K, CALL);
	to_thread(T + 0x1000);
	run(K + 0x208, RETURN);
	run(K + 0x710, SRET);
	set_space(2);
	feed();
	m.quiet = false;
	xret(U);
	run(0x120c, RETURN);
	run(0x1108, NOP);
	CHECK_EQ(machine_end().unmatched, 0);
	CHECK_STR(m.text,
		  "prog;main;foo;[ecall];ret_from_fork 2* @1\n"
		  "prog;main;foo;[ecall];ret_from_fork;[timer interrupt];entry 2* @1\n"
		  "prog;main;foo;[ecall];ret_from_fork 2 @1\n"
		  "prog;main;foo;[ecall];ret_from_fork;schedule 2* @1\n"
		  "prog;main;foo;[ecall];ret_from_fork;schedule;switch_to 4* @1\n"
		  "prog;main;bar;foo;[ecall];ret_from_fork 2* @2\n"
		  "prog;main;bar;foo 2 @2\n"
		  "prog;main;bar 2 @2\n"
		  "prog;main;bar;[timer interrupt];entry 2* @2\n"
		  "prog;main;bar;[timer interrupt];entry;schedule 2* @2\n"
		  "prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @2\n"
		  "prog;main;foo;[ecall];ret_from_fork;schedule 2 @1\n"
		  "prog;main;foo;[ecall];ret_from_fork 2 @1\n"
		  "prog;main;foo 2 @1\n"
		  "prog;main 2 @1\n");
}

/* The child returns to an address that only the stack of another function's fork, here
 * baz's, has: it does not belong to that. */
static void no_such_fork(void)
{
	machine_begin(true);
	m.quiet = true;
	run(0x1100, CALL);
	fork_in_foo();
	run(0x1108, CALL);
	run_adding(-16, 0x1300, CALL);
	run(0x1400, NOP);
	trap(ECALL, 0x1408, S);
	run(K + 0x500, CALL);
	begin_child(1);
	run(0x1214, RETURN);
	run(0x1308, NOP);
	back_to_kernel(0x1310);
	begin_child(2);
	run(0x1214, NOP);
	CHECK_EQ(machine_end().unmatched, 0);
	CHECK_STR(m.text,
		  "prog;main;bar;baz;[ecall];kernel_clone;schedule;switch_to 4* @0\n"
		  "prog;foo;[ecall];thread_start 2* @1\n"
		  "prog;foo 4 @1\n"
		  "prog;bar 2 @1\n"
		  "prog;bar;[timer interrupt];entry;schedule;switch_to 4* @1\n"
		  "prog;main;foo;[ecall];thread_start 2* @2\n"
		  "prog;main;foo 4 @2\n");
}

/* Without evidence, the newest fork is taken. */
static void forks_in_order(void)
{
	fork_twice();
	begin_child(1);
	back_to_kernel(0x1214);
	begin_child(2);
	back_to_kernel(0x1214);
	EXPECT("prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @0\n"
	       "prog;main;bar;foo;[ecall];thread_start 2* @1\n"
	       "prog;main;bar;foo 2 @1\n"
	       "prog;main;bar;foo;[timer interrupt];entry;schedule;switch_to 4* @1\n"
	       "prog;main;bar;foo;[ecall];thread_start 2* @2\n"
	       "prog;main;bar;foo 2 @2\n");
}

/* A fork that already has a child cannot be exchanged. */
static void no_free_fork(void)
{
	fork_twice();
	begin_child(1);
	run(0x1214, RETURN);
	run(0x1308, NOP);
	back_to_kernel(0x1310);
	begin_child(2);
	run(0x1214, RETURN);
	run(0x1308, NOP);
	CHECK_EQ(machine_end().unmatched, 0);
	CHECK_STR(m.text,
		  "prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @0\n"
		  "prog;main;bar;foo;[ecall];thread_start 2* @1\n"
		  "prog;main;bar;foo 4 @1\n"
		  "prog;main;bar 2 @1\n"
		  "prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @1\n"
		  "prog;main;bar;foo;[ecall];thread_start 2* @2\n"
		  "prog;main;bar;foo 4 @2\n"
		  "prog;main;bar 2 @2\n");
}

/* A child's return identifies its fork only within a limited lookahead; until then it has
 * the newest. */
static void far_ahead(void)
{
	enum { TURNS = 4096 };
	fork_twice();
	begin_child(1);
	for (int i = 0; i < TURNS; i++)
		run(0x1214, BRANCH);
	run(0x1214, RETURN);
	run(0x1308, NOP);
	EXPECT("prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @0\n"
	       "prog;main;bar;foo;[ecall];thread_start 2* @1\n"
	       "prog;main;bar;foo 8196 @1\n"
	       "prog;main;bar 2 @1\n");
}

/* A return to an address of no fork exchanges nothing. */
static void to_no_fork(void)
{
	fork_twice();
	begin_child(1);
	run(0x1214, RETURN);
	run(0x1450, NOP);
	CHECK_EQ(machine_end().unmatched, 0);
	CHECK_STR(m.text,
		  "prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @0\n"
		  "prog;foo;[ecall];thread_start 2* @1\n"
		  "prog;foo 4 @1\n"
		  "prog;baz 2 @1\n");
}

/* A thread that starts in foo, but not after a fork, is no fork's child. */
static void nobodys_child(void)
{
	for (uint64_t pc = 0x1208; pc <= 0x1248; pc += 0x40) {
		fork_twice();
		to_thread(T + 0x1000);
		run(K + 0x400, SRET);
		set_space(2);
		xret(U);
		feed();
		m.quiet = false;
		run(pc, NOP);
		EXPECT("prog;main;bar;[timer interrupt];entry;schedule;switch_to 4* @0\n"
		       "prog;foo;[ecall];thread_start 2* @1\n"
		       "prog;foo 2 @1\n");
	}
}

/* After more forks than are remembered, neither a child of a dropped fork nor a thread
 * without a fork gets another's stack. */
static void forgotten_fork(void)
{
	enum { FORKS_MORE = 64 };
	machine_begin(true);
	m.quiet = true;
	run(0x1100, CALL);
	fork_in_foo();
	run(0x1108, NOP);
	trap(TIMER, 0x1110, S);
	run(K, CALL);
	begin_child(1);
	back_to_kernel(0x1214);
	to_thread(T);
	run(K + 0x208, RETURN);
	run(K + 8, SRET);
	set_space(1);
	xret(U);
	for (int i = 0; i < FORKS_MORE; i++) {
		run(0x1110, CALL);
		run(0x1300, CALL);
		fork_in_foo();
		run(0x1308, RETURN);
		run(0x1118, JUMP);
	}
	run(0x1210, RETURN); /* in main's place */
	feed();
	m.quiet = false;
	run(0x1308, NOP);
	back_to_kernel(0x1310);
	to_thread(T + 0x1000);
	run(K + 0x208, RETURN);
	run(K + 8, SRET);
	set_space(2);
	xret(U);
	feed();
	m.quiet = false;
	run(0x1214, RETURN);
	run(0x1308, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main;[timer interrupt];entry;schedule;switch_to 4* @0\n"
			  "prog;main;foo;[ecall];thread_start 2* @1\n"
			  "prog;main;foo 2 @1\n"
			  "prog;bar 2 @0\n"
			  "prog;main;foo 2 @1\n"
			  "prog;main;bar 2 @1\n");
	CHECK_EQ(totals.unmatched, 1);
	CHECK_EQ(totals.beyond, 1);
}

/* A thread starts in the kernel as a fork's child. */
static void begin_in_kernel(uint64_t number)
{
	to_thread(T + 0x1000 * number);
	feed();
	m.quiet = false;
	run(K + 0x700, SRET);
	set_space((uint32_t)number + 1);
	xret(U);
}

/* But it continues elsewhere in user mode, so the next one is that fork's child. */
static void no_child_after_all(void)
{
	fork_twice();
	begin_in_kernel(1);
	run(0x1450, NOP);
	back_to_kernel(0x1458);
	begin_in_kernel(2);
	run(0x120c, NOP);
	EXPECT("prog;baz;[ecall];ret_from_fork 2* @1\n"
	       "prog;baz 2 @1\n"
	       "prog;main;bar;foo;[ecall];ret_from_fork 2* @2\n"
	       "prog;main;bar;foo 2 @2\n");
}

/* It faults there before its first instruction. */
static void faults_after_all(void)
{
	fork_twice();
	begin_in_kernel(1);
	trap(FETCH_FAULT, 0x1450, S);
	run(K, SRET);
	xret(U);
	run(0x1450, NOP);
	back_to_kernel(0x1458);
	begin_in_kernel(2);
	run(0x120c, NOP);
	EXPECT("prog;baz;[ecall];ret_from_fork 2* @1\n"
	       "prog;baz;[fetch page fault];entry 2* @1\n"
	       "prog;baz 2 @1\n"
	       "prog;main;bar;foo;[ecall];ret_from_fork 2* @2\n"
	       "prog;main;bar;foo 2 @2\n");
}

/* The first code of a child can be a signal handler. */
static void child_with_signal(void)
{
	fork_twice();
	begin_in_kernel(1);
	run(0x1400, NOP);
	EXPECT("prog;baz;[ecall];ret_from_fork 2* @1\n"
	       "prog;baz 2* @1\n");
}

/* A child continues elsewhere from another system call: it is a child nevertheless. */
static void child_goes_elsewhere(void)
{
	fork_twice();
	begin_in_kernel(1);
	run(0x120c, NOP);
	trap(ECALL, 0x1214, S);
	run(K, SRET);
	xret(U);
	run(0x1120, NOP);
	EXPECT("prog;main;bar;foo;[ecall];ret_from_fork 2* @1\n"
	       "prog;main;bar;foo 2 @1\n"
	       "prog;main;bar;foo;[ecall];entry 2* @1\n"
	       "prog;main 2 @1\n");
}

/* In the kernel, too, a thread made by clone() is based on clone() alone. */
static void thread_in_kernel(void)
{
	machine_begin(true);
	m.quiet = true;
	run(0x1100, CALL);
	run(0x1900, NOP);
	trap(ECALL, 0x1908, S);
	set_tp(T);
	run(K + 0x500, CALL);
	begin_in_kernel(1);
	run(0x190c, CALL);
	run(0x1200, NOP);
	EXPECT("prog;clone;[ecall];ret_from_fork 2* @1\n"
	       "prog;clone 2 @1\n"
	       "prog;clone;foo 2* @1\n");
}

/* Actions of its parent before the child returns do not identify the child. */
static void parent_in_between(void)
{
	fork_twice();
	begin_child(1);
	trap(TIMER, 0x1214, S);
	run(K, CALL);
	to_thread(T);
	run(K + 0x208, RETURN);
	run(K + 8, SRET);
	set_space(1);
	xret(U);
	run(0x1310, JUMP);
	run(0x1108, NOP); /* where the first fork returned to */
	trap(TIMER, 0x1110, S);
	run(K, CALL);
	to_thread(T + 0x1000);
	run(K + 0x208, RETURN);
	run(K + 8, SRET);
	set_space(2);
	xret(U);
	run(0x1214, RETURN);
	run(0x1308, NOP);
	machine_end();
	CHECK(strstr(m.text, "\nprog;main;bar;foo 2 @1\n") != NULL);
	CHECK(strstr(m.text, "\nprog;main;foo 2 @1\n") == NULL);
}

int main(void)
{
	fork_child();
	born_in_the_kernel();
	thread_by_clone();
	exchanged_fork();
	space_comes_late();
	no_such_fork();
	forks_in_order();
	no_free_fork();
	far_ahead();
	to_no_fork();
	nobodys_child();
	forgotten_fork();
	no_child_after_all();
	faults_after_all();
	child_with_signal();
	child_goes_elsewhere();
	thread_in_kernel();
	parent_in_between();
	return check_done();
}
