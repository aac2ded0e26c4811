/* SPDX-License-Identifier: Apache-2.0 */
/* Traps and trap returns of one thread. */
#include "unwind-machine.h"

static void system_call(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, NOP);
	trap_timed(ECALL, 0x1108, S, 3);
	run(K, CALL);
	run(K + 0x100, RETURN);
	run(K + 8, SRET);
	xret(U);
	run(0x110c, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 5*\n"
	       "prog;_start;main;[ecall];entry 2*\n"
	       "prog;_start;main;[ecall];entry;handler 2*\n"
	       "prog;_start;main;[ecall];entry 2\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* Cycles up to the trap's entry, and their classes, are charged to the interrupted
 * frame. */
static void lost_cycles(void)
{
	static const struct tr_run RUNS[] = {{.slots = 2, .class = 5},
					     {.slots = 1},
					     {.slots = 4, .class = 3},
					     {.class = 7}};
	machine_begin(true);
	run_timed(0x1100, NOP, 1);
	event((struct tr_event){
	    .kind = TR_EV_TRAP,
	    .cycles = 8,
	    .u.trap = {
		.cause = ECALL, .epc = 0x1108, .priv = S, .runs = RUNS, .nruns = 4}});
	run(K, NOP);
	EXPECT("prog;main 19* 3:11 5:2\n"
	       "prog;main;[ecall];entry 2*\n");
}

/* User code, a fault in its system call, a timer interrupt to M in that, and all
 * returns. */
static void nested(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(ECALL, 0x1108, S);
	run(K, CALL);
	run(K + 0x100, NOP);
	trap(LOAD_FAULT, K + 0x108, S);
	run(K, NOP);
	trap(TR_CAUSE_INTERRUPT | 7, K + 8, M);
	run(F + 0x100, MRET);
	xret(S);
	run(K + 8, SRET);
	xret(S);
	run(K + 0x108, RETURN);
	run(K + 8, SRET);
	xret(U);
	run(0x110c, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[ecall];entry 2*\n"
	       "prog;main;[ecall];entry;handler 2*\n"
	       "prog;main;[ecall];entry;handler;[load page fault];entry 2*\n"
	       "prog;main;[ecall];entry;handler;[load page fault];entry;[timer "
	       "interrupt];m_entry 2*\n"
	       "prog;main;[ecall];entry;handler;[load page fault];entry 2\n"
	       "prog;main;[ecall];entry;handler 2\n"
	       "prog;main;[ecall];entry 2\n"
	       "prog;main 2\n");
}

/* The interrupt comes between a call, a return or a jump, and its target. */
static void between_call_and_callee(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	trap_timed(FETCH_FAULT, 0x1200, S, 1);
	run(K, SRET);
	xret(U);
	run(0x1200, RETURN);
	trap(TIMER, 0x1108, S);
	run(K, SRET);
	xret(U);
	run(0x1108, JUMP);
	trap(TIMER, 0x1300, S);
	run(K, SRET);
	xret(U);
	run(0x1300, CALL_X5);
	run(0x1700, NOP);
	trap(TIMER, 0x1708, S); /* at the fall-through into the next function */
	run(K, SRET);
	xret(U);
	run(0x1708, RETURN_X5);
	EXPECT("prog;main 2*\n"
	       "prog;main;foo 1*\n"
	       "prog;main;foo;[fetch page fault];entry 2*\n"
	       "prog;main;foo 2\n"
	       "prog;main;[timer interrupt];entry 2*\n"
	       "prog;main 2\n"
	       "prog;bar;[timer interrupt];entry 2*\n"
	       "prog;bar 2*\n"
	       "prog;bar;save_2 2*\n"
	       "prog;bar;save_1;[timer interrupt];entry 2*\n"
	       "prog;bar;save_1 2\n");
}

/* Two consecutive faults before a call's first instruction, into unknown code: the call
 * is remembered. */
static void unsettled_call(void)
{
	machine_begin(true);
	run(0x1100, CALL_A5);
	trap(FETCH_FAULT, 0x7000, S);
	run(K, SRET);
	xret(U);
	trap(TIMER, 0x7000, S);
	run(K, SRET);
	xret(U);
	run(0x7000, RETURN);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[fetch page fault];entry 2*\n"
	       "prog;main;[timer interrupt];entry 2*\n"
	       "prog;main;[unknown] 2*\n"
	       "prog;main 2\n");
}

/* M redirects a misaligned load to S, which returns to the program. */
static void passed_on(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(MISALIGNED, 0x1108, M);
	run(F + 0x100, MRET);
	xret(S);
	run(K, SRET);
	xret(U);
	run(0x110c, NOP);
	trap(ECALL, 0x1114, S);
	run(K, NOP);
	trap(MISALIGNED, K + 8, M);
	run(F + 0x100, MRET);
	xret(S);
	run(K + 0x600, SRET); /* another entry: redirected inside the kernel */
	xret(S);
	run(K + 8, SRET);
	xret(U);
	run(0x1118, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[misaligned load];m_entry 2*\n"
	       "prog;main;[misaligned load];entry 2*\n"
	       "prog;main 2\n"
	       "prog;main;[ecall];entry 2*\n"
	       "prog;main;[ecall];entry;[misaligned load];m_entry 2*\n"
	       "prog;main;[ecall];entry;[misaligned load];ret_from_trap 2*\n"
	       "prog;main;[ecall];entry 2\n"
	       "prog;main 2\n");
}

/* A system call at the end of a function falls through into the next: no signal. */
static void runs_on_behind_a_call(void)
{
	machine_begin(true);
	run(0x11f0, NOP);
	trap(ECALL, 0x11fc, S);
	run(K, SRET);
	xret(U);
	run(0x1200, NOP);
	EXPECT("prog;main 2\n"
	       "prog;main;[ecall];entry 2*\n"
	       "prog;foo 2\n");
}

/* A source that reports only the privilege. */
static void privilege_only(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	event((struct tr_event){.kind = TR_EV_PRIV, .u.priv = {.priv = S}});
	run(K, CALL);
	run(K + 0x100, RETURN);
	run(K + 8, SRET);
	event((struct tr_event){.kind = TR_EV_PRIV, .u.priv = {.priv = U}});
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[trap];entry 2*\n"
	       "prog;main;[trap];entry;handler 2*\n"
	       "prog;main;[trap];entry 2\n"
	       "prog;main 2\n");
}

/* A kernel in M-mode saves a task, loads the sp of another, and returns there. */
static void switch_at(uint64_t epc)
{
	trap(ECALL, epc, M);
	run(F + 0x100, NOP);
	m.first = LOAD_SP;
	run(F + 0x108, MRET);
	xret(M);
}

#define SWITCHES(task) task ";[ecall];m_entry 4*\n"

/* main, foo and bar are tasks. The first two have called baz, which waits. */
static void begin_tasks(void)
{
	machine_begin(false);
	m.context = m.part.start = (struct tr_context){.priv = M};
	run(F, NOP);
	m.first = LOAD_SP;
	run(F + 8, MRET);
	xret(M);
	run(0x1100, CALL);
	run(0x1400, NOP);
	switch_at(0x1408);
	run(0x1200, CALL);
	run(0x1400, NOP);
	switch_at(0x1408);
	run(0x1300, NOP);
	switch_at(0x1308);
}

#define TASKS                                                                                                                       \
	"firmware;_start 4*\nprog;main 2*\nprog;main;baz 2*\n" SWITCHES("prog;main;baz") "prog;foo 2*\nprog;foo;baz 2*\n" SWITCHES( \
	    "prog;foo;baz") "prog;bar 2*\n" SWITCHES("prog;bar")

/* Without sp: the task that goes on in the function where several wait is the one to
 * which this returns, also after an interrupt. */
static void waiting_tasks(void)
{
	begin_tasks();
	run(0x140c, RETURN);
	run(0x1108, NOP);
	switch_at(0x1110);
	run(0x140c, NOP);
	trap(TIMER, 0x1414, M);
	run(F + 0x100, NOP);
	run(F + 0x108, MRET);
	xret(M);
	run(0x1414, RETURN);
	run(0x1208, NOP);
	CHECK_EQ(machine_end().doubted_cycles, 0);
	CHECK_STR(m.text,
		  TASKS "prog;main;baz 2\nprog;main 2\n" SWITCHES("prog;main") /* */
		  "prog;foo;baz 2\n"
		  "prog;foo;baz;[timer interrupt];m_entry 4*\n"
		  "prog;foo;baz 2\nprog;foo 2\n");
}

/* If it waits again before it returns, it may be any of them: its cycles are in doubt. */
static void waiting_again(void)
{
	begin_tasks();
	run(0x140c, NOP);
	switch_at(0x1414);
	run(0x130c, NOP);
	switch_at(0x1314);
	run(0x1418, RETURN);
	run(0x1108, NOP);
	CHECK_EQ(machine_end().doubted_cycles, 10);
	CHECK_STR(m.text, TASKS "prog;foo;baz 2\n" SWITCHES("prog;foo;baz") /* */
		  "prog;bar 2\n" SWITCHES("prog;bar")			    /* */
		  "prog;foo;baz 2\nprog;foo;main 2\n");
}

int main(void)
{
	system_call();
	lost_cycles();
	nested();
	between_call_and_callee();
	unsettled_call();
	passed_on();
	runs_on_behind_a_call();
	privilege_only();
	waiting_tasks();
	waiting_again();
	return check_done();
}
