/* SPDX-License-Identifier: Apache-2.0 */
/* Corner cases that the other tests of the unwinder do not cover. */
#include "unwind-machine.h"

/* Two setjmps of one function are two return points. */
static void two_setjmps(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run_adding(-16, 0x1100, CALL);
	run(0x1500, RETURN); /* the first returns to 0x1108 */
	run(0x1108, CALL);
	run(0x1500, RETURN); /* the second to 0x1110 */
	for (uint64_t back = 0x1108; back <= 0x1110; back += 8) {
		run(back == 0x1108 ? 0x1110 : 0x1180, CALL);
		run_adding(-16, 0x1200, CALL);
		run_adding(-16, 0x1100, BRANCH); /* main again: not longjmp's target */
		run(0x1120, CALL);
		run_with(LOAD_SP, 0x1600, RETURN);
		run(back, BRANCH);
	}
	run_adding(16, 0x1190, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;setjmp 2*\n"
			  "prog;_start;main 2\n"
			  "prog;_start;main;setjmp 2*\n"
			  "prog;_start;main 2\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;main 4*\n"
			  "prog;_start;main;foo;main;longjmp 2*\n"
			  "prog;_start;main 4\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;main 4*\n"
			  "prog;_start;main;foo;main;longjmp 2*\n"
			  "prog;_start;main 4\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
}

/* musl's sigsetjmp calls setjmp, so longjmp returns into it when its own frame is long
 * gone; it returns again to its first caller. */
static void setjmp_within(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run_adding(-16, 0x1100, CALL);
	run(0x1a00, CALL);
	run(0x1500, RETURN);
	run(0x1a08, RETURN);
	run(0x1108, CALL);
	run(0x1200, CALL);
	run_with(LOAD_SP, 0x1600, RETURN);
	run(0x1a08, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;sigsetjmp 2*\n"
			  "prog;_start;main;sigsetjmp;setjmp 2*\n"
			  "prog;_start;main;sigsetjmp 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;longjmp 2*\n"
			  "prog;_start;main;sigsetjmp 2\n"
			  "prog;_start;main 2\n");
	CHECK_EQ(totals.unmatched, 0);
}

/* More setjmps than are remembered: the oldest are dropped. */
static void many_setjmps(void)
{
	machine_begin(true);
	m.quiet = true;
	run(0x1000, CALL);
	for (unsigned i = 0; i < TR_UNWIND_SETJMPS + 6; i++) {
		run(0x1100, CALL);
		run(0x1500, RETURN);
		run(0x1108, CALL);
	}
	run_with(LOAD_SP, 0x1600, RETURN);
	run(0x1108, BRANCH);
	machine_end();
}

/* Repeating a setjmp takes no further slot, nor do setjmps of functions that have
 * returned: the oldest is still remembered. */
static void one_setjmp_many_times(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	m.quiet = true;
	run(0x1100, CALL);
	run(0x1500, RETURN); /* the oldest returns to 0x1108 */
	for (unsigned i = 0; i < TR_UNWIND_SETJMPS + 6; i++) {
		run(0x1108, CALL);
		run(0x1500, RETURN);
		run(0x1110, CALL);
		run(0x1200 + 2 * i, CALL);
		run(0x1500, RETURN);
		run(0x1208 + 2 * i, RETURN);
		run(0x1118, JUMP);
	}
	run(0x1108, CALL);
	run(0x1300, CALL);
	run_with(LOAD_SP, 0x1600, RETURN);
	run(0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.unmatched, 0);
}

/* A setjmp of a function that has returned is no return point. */
static void setjmp_that_is_gone(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, CALL);
	run(0x1500, RETURN);
	run(0x1208, RETURN);
	run(0x1108, JUMP_A5);
	run(0x1208, NOP);
	machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;foo 2*\n"
			  "prog;_start;main;foo;setjmp 2*\n"
			  "prog;_start;main;foo 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start;foo 2\n");
}

/* A handler redirects the process to another address, where it traps again at once:
 * pending state, here a call, is not resumed when that trap returns. */
static void trap_elsewhere(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x1200, CALL);
	trap(8, 0x1300, S); /* bar has been called */
	run(K, SRET);
	xret(U);
	trap(8, 0x1140, S); /* but main continues */
	run(K, SRET);
	xret(U);
	run(0x1140, NOP);
	CHECK_EQ(machine_end().unmatched, 0);
	CHECK_STR(m.text, "prog;main 2*\n"
			  "prog;main;foo 2*\n"
			  "prog;main;foo;bar;[ecall];entry 2*\n"
			  "prog;main;[ecall];entry 2*\n"
			  "prog;main 2\n");
}

/* The oldest space is still known after thousands have ended, and so is its program: it
 * names code that has not run yet. */
static void first_space_stays(void)
{
	enum { LIVES = 6000 };
	machine_begin(true);
	m.quiet = true;
	m.part.start.satp = 7;
	run(0x1000, NOP);
	feed();
	for (uint32_t i = 2; i <= LIVES; i++) {
		m.nnotes = 0;
		m.context.space = m.part.start.space = i;
		m.part.start.satp = 1;
		run(0x1000, NOP);
		feed();
	}
	m.nnotes = 0;
	m.context.space = m.part.start.space = 1;
	m.part.start.satp = 7;
	m.quiet = false;
	run(0x1000, NOP);
	m.nnotes = 0;
	run(0x7000, JUMP);
	trap(8, 0x1200, S);
	run(K, SRET);
	CHECK_EQ(machine_end().unknown_instructions, 2);
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;[unknown] 2\n"
			  "prog;foo;[ecall];entry 2*\n");
}

/* A window of the trace ends at a call. Without a gap no code was left out, so the first
 * code of the next window was called there. */
static void call_at_the_end_of_a_window(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	event((struct tr_event){.kind = TR_EV_TRIGGER});
	event((struct tr_event){.kind = TR_EV_TRIGGER, .u.trigger = {.start = 1}});
	run(0x1200, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;foo 2*\n");
}

/* A trap before anything else is known of a process: tp in it names its thread. */
static void named_in_first_trap(void)
{
	machine_begin(true);
	trap(8, 0x1100, S);
	set_tp(T + 0x1000);
	run(K, SRET);
	xret(U);
	run(0x1100, NOP);
	machine_end();
	CHECK_STR(m.text, "prog;main;[ecall];entry 2* @1\n"
			  "prog;main 2* @1\n");
}

/* An idle hart continues in its frame, although another hart's activity has evicted its
 * space. */
static void idle_while_forgotten(void)
{
	machine_begin(true);
	m.part.hart = 1;
	m.part.start.satp = 7;
	m.context.space = m.part.start.space = 2;
	run(0x1000, CALL);
	feed();
	const struct tr_context idle = m.part.start;
	m.part.hart = 0;
	m.part.start.satp = 7;
	m.nnotes = 0;
	m.context.space = m.part.start.space = 3;
	run(0x1400, NOP);
	feed();
	m.part.hart = 1;
	m.nnotes = 0;
	m.context = m.part.start = idle;
	trap(8, 0x1100, S);
	run(K, SRET);
	EXPECT("h1 prog;_start 2*\n"
	       "prog;baz 2*\n"
	       "h1 prog;_start;main;[ecall];entry 2*\n");
}

/* Code that loads sp continues until it returns; if sp is not reported, the return shows
 * that the stack is the same. */
static void branch_behind_write_of_sp(void)
{
	machine_begin(false);
	run(0x1100, CALL);
	run_with(LOAD_SP, 0x1200, BRANCH);
	run(0x1220, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;foo 4*\n"
	       "prog;main 2\n");
	CHECK_EQ(m.stacks_begun, 1);
}

/* Without satp, an address space that the source claims to know is not reported. */
static void no_process_without_satp(void)
{
	machine_lacks_satp = true;
	machine_begin(true);
	machine_lacks_satp = false;
	run(0x1000, CALL);
	set_space(2);
	run(0x1100, NOP);
	machine_end();
	CHECK_EQ(m.nprocesses, 1);
	CHECK_EQ(m.processes[0], 0);
}

/* Two threads, begun in their first functions, switch in another: what the first one was
 * left in stands on nothing. */
static void switch_on_first_frame(void)
{
	machine_begin(true);
	run_with(LOAD_SP, 0x1100, CALL);
	run(0x1200, NOP);
	run_with(LOAD_SP, 0x1600, RETURN);
	run(0x1400, JUMP);
	run_with(LOAD_SP, 0x1600, RETURN);
	run(0x1108, NOP);
	machine_end();
	CHECK_STR(m.text, "prog;main 2*\n"
			  "prog;main;foo 2*\n"
			  "prog;main;longjmp 2\n"
			  "prog;baz 2*\n"
			  "prog;longjmp 2*\n"
			  "prog;main 2\n");
}

int main(void)
{
	branch_behind_write_of_sp();
	setjmp_within();
	two_setjmps();
	switch_on_first_frame();
	many_setjmps();
	one_setjmp_many_times();
	setjmp_that_is_gone();
	trap_elsewhere();
	first_space_stays();
	named_in_first_trap();
	call_at_the_end_of_a_window();
	idle_while_forgotten();
	no_process_without_satp();
	return check_done();
}
