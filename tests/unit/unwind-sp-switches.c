/* SPDX-License-Identifier: Apache-2.0 */
/* Stack switches, with sp reported: tasks, coroutines, interrupt stacks. */
#include "unwind-machine.h"

#define STACK_A UINT64_C(0x80100000)
#define STACK_B UINT64_C(0x80200000)
#define STACK_C UINT64_C(0x80280000)
#define STACK_I UINT64_C(0x80300000)

/* Task A runs in M-mode: _start, main. */
static void begin(void)
{
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = M};
	tell_sp(STACK_A);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, NOP);
}

#define BEGUN	"prog;_start 2*\nprog;_start;main 2*\n"
#define BEGUN_4 "prog;_start 2*\nprog;_start;main 4*\n"

/* The timer's handler saves on the stack, switches to another, and returns there. */
static void preempt(uint64_t epc, uint64_t sp)
{
	trap(TIMER, epc, M);
	run_adding(-64, F + 0x100, NOP);
	write_sp(F + 0x108, LOAD_SP, sp);
	run_adding(64, F + 0x110, MRET);
	xret(M);
}

#define IN_HANDLER(task) task ";[timer interrupt];m_entry 6*\n"

static void preemptive(void)
{
	begin();
	preempt(0x1108, STACK_B - 64);
	run_adding(-16, 0x1200, CALL);
	run(0x1300, NOP);
	preempt(0x1308, STACK_A - 128);
	run(0x1108, CALL);
	run_adding(-16, 0x1400, NOP);
	preempt(0x1408, STACK_B - 80);
	run(0x1308, RETURN);
	run(0x1208, NOP);
	EXPECT(BEGUN IN_HANDLER(
	    "prog;_start;main") "prog;foo 2*\n"
				"prog;foo;bar 2*\n" IN_HANDLER(
				    "prog;foo;bar") "prog;_start;main 2\n"
						    "prog;_start;main;baz "
						    "2*\n" IN_HANDLER("prog;_start;main;"
								      "baz") "prog;foo;"
									     "bar 2\n"
									     "prog;foo "
									     "2\n");
}

/* While a task is away, its kernel makes it call a signal handler, as NuttX does: with
 * the sp that it was left with. The trap that led away has ended then, but its handler's
 * return goes where the trap came from. */
static void task_signal(void)
{
	begin();
	preempt(0x1108, STACK_B - 64);
	run_adding(-16, 0x1200, CALL);
	run(0x1300, NOP);
	trap(TIMER, 0x1308, M);
	run_adding(-64, F + 0x100, NOP);
	write_sp(F + 0x108, LOAD_SP, STACK_A - 128);
	run(F + 0x110, MRET);
	xret(M);
	run_adding(-16, 0x1400, NOP);
	preempt(0x1408, STACK_B - 80);
	run(0x1308, NOP);
	preempt(0x1310, STACK_A - 208);
	run(0x1408, CALL);
	run(0x1200, NOP);
	preempt(0x1208, STACK_A - 128);
	run(0x1108, CALL);
	run(0x1300, RETURN);
	run(0x1110, NOP);
	EXPECT(BEGUN IN_HANDLER("prog;_start;main")			   /* */
	       "prog;foo 2*\nprog;foo;bar 2*\n" IN_HANDLER("prog;foo;bar") /* */
	       "prog;_start;main;[signal];baz 2*\n" IN_HANDLER(
		   "prog;_start;main;[signal];baz")	     /* */
	       "prog;foo;bar 2\n" IN_HANDLER("prog;foo;bar") /* */
	       "prog;_start;main;[signal];baz 2\n"
	       "prog;_start;main;[signal];baz;foo 2*\n" IN_HANDLER(
		   "prog;_start;main;[signal];baz;foo") /* */
	       "prog;_start;main 2\nprog;_start;main;bar 2*\nprog;_start;main 2\n");
	CHECK_EQ(m.nthreads, 1 + 2);
}

/* baz saves, switches to another stack, and returns to its caller there. */
static void yield(uint64_t sp)
{
	run_adding(-32, 0x1400, NOP);
	write_sp(0x1408, LOAD_SP, sp);
	run_adding(32, 0x1410, RETURN);
}

static void cooperative(void)
{
	begin();
	run(0x1108, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1200, CALL);
	yield(STACK_A - 96);
	run_adding(0, 0x1110, CALL);
	yield(STACK_B - 48);
	run_adding(16, 0x1208, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;baz 6*\n"
		       "prog;foo 2*\n"
		       "prog;foo;baz 6*\n"
		       "prog;_start;main 2\n"
		       "prog;_start;main;baz 6*\n"
		       "prog;foo 2\n");
}

/* swapcontext(): the same in user mode, between two stacks of a process. */
static void coroutines(void)
{
	machine_begin_sp(false);
	tell_sp(STACK_A);
	run_adding(-32, 0x1100, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1200, CALL);
	yield(STACK_A - 64);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;baz 6*\n"
	       "prog;foo 2*\n"
	       "prog;foo;baz 6*\n"
	       "prog;main 2\n");
}

/* A task is killed, and its stack reused: no frame of the first is left. */
static void used_again(void)
{
	begin();
	run(0x1108, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	yield(STACK_A - 96);
	run(0x1110, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1300, CALL);
	run(0x1200, RETURN);
	run(0x1308, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;baz 6*\n"
		       "prog;foo 2*\n"
		       "prog;foo;bar 2*\n"
		       "prog;foo;bar;baz 6*\n"
		       "prog;_start;main 2\n"
		       "prog;_start;main;baz 6*\n"
		       "prog;bar 2*\n"
		       "prog;bar;foo 2*\n"
		       "prog;bar 2\n");
	CHECK_EQ(m.stacks_begun, 3);
}

/* A task starts on the stack of a killed one, at an sp where that was not suspended:
 * frames above it on the stack do not belong to the new one. */
static void begun_within(void)
{
	begin();
	run(0x1108, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	yield(STACK_A - 96);
	run(0x1110, CALL);
	yield(STACK_B - 56);
	run(0x1200, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;baz 6*\n"
		       "prog;foo 2*\n"
		       "prog;foo;bar 2*\n"
		       "prog;foo;bar;baz 6*\n"
		       "prog;_start;main 2\n"
		       "prog;_start;main;baz 6*\n"
		       "prog;foo 2*\n");
	CHECK_EQ(m.stacks_begun, 3);
}

/* The timer's handler saves nothing, and returns as if it had been called by the other
 * task, which continues. */
static void return_out_of_handler(void)
{
	begin();
	run(0x1108, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	yield(STACK_A - 96);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, M);
	write_sp(F + 0x100, LOAD_SP, STACK_B - 64);
	run_adding(32, F + 0x108, RETURN);
	run(0x1308, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;baz 6*\n"
		       "prog;foo 2*\n"
		       "prog;foo;bar 2*\n"
		       "prog;foo;bar;baz 6*\n"
		       "prog;_start;main 2\n"
		       "prog;_start;main;[timer interrupt];m_entry 4*\n"
		       "prog;foo;bar 2\n");
}

/* Another life of an address space has no stacks of the previous one. */
static void another_life(void)
{
	machine_begin_sp(false);
	tell_sp(STACK_A);
	run_adding(-32, 0x1100, CALL);
	yield(STACK_B - 32);
	run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	yield(STACK_A - 64);
	run(0x1108, NOP);
	event((struct tr_event){.kind = TR_EV_SATP, .u.satp = {.satp = 1, .space = 2}});
	run(0x1108, CALL);
	yield(STACK_B - 64);
	run(0x1308, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;baz 6*\n"
	       "prog;foo 2*\n"
	       "prog;foo;bar 2*\n"
	       "prog;foo;bar;baz 6*\n"
	       "prog;main 2\n"
	       "prog;main 2\n"
	       "prog;main;baz 6*\n"
	       "prog;bar 2\n");
	CHECK_EQ(m.stacks_begun, 4);
}

/* In M-mode tp is used freely by an RTOS, even for an address in the upper half that it
 * writes between sp and the jump: it names no thread. The idle task, which calls nothing,
 * does not end either when it is suspended at the same place as before. */
static void tp_of_rtos(void)
{
	machine_begin_sp(true);
	m.context = m.part.start = (struct tr_context){.priv = M};
	tell_sp(STACK_A);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, NOP);
	for (int i = 0; i < 2; i++) {
		trap(TIMER, 0x1108, M);
		run_adding(-64, F + 0x100, NOP);
		write_sp(F + 0x108, LOAD_SP, STACK_B - 64);
		set_tp(T + 0x1000);
		run_adding(64, F + 0x110, MRET);
		xret(M);
		run(0x1300, JUMP);
		trap(TIMER, 0x1300, M);
		run_adding(-64, F + 0x100, NOP);
		write_sp(F + 0x108, LOAD_SP, STACK_A - 128);
		set_tp(T);
		run_adding(64, F + 0x110, MRET);
		xret(M);
		run(0x1108, BRANCH);
	}
	EXPECT(
	    BEGUN IN_HANDLER("prog;_start;main") "prog;bar 2*\n" IN_HANDLER("prog;bar") "prog;_start;main 2\n" IN_HANDLER(
		"prog;_start;main") "prog;bar 2\n" IN_HANDLER("prog;bar") "prog;_start;"
									  "main 2\n");
	CHECK_EQ(m.stacks_begun, 2);
}

/* The handler switches to its own stack, which is based on the task's; a second interrupt
 * arrives there, and stays on it. */
static void isr_stack(void)
{
	begin();
	trap(TIMER, 0x1108, M);
	write_sp(F + 0x100, SWAP_SP, STACK_I);
	run_adding(-16, F + 0x108, CALL);
	run(F + 0x200, NOP);
	trap(TIMER, F + 0x208, M);
	run_adding(-64, F + 0x180, NOP);
	run_adding(64, F + 0x188, MRET);
	xret(M);
	run(F + 0x208, RETURN);
	write_sp(F + 0x110, LOAD_SP, STACK_A - 64);
	run(F + 0x118, MRET);
	xret(M);
	run(0x1108, NOP);
	machine_end();
	CHECK_STR(m.text,
		  BEGUN "prog;_start;main;[timer interrupt];m_entry 4*\n"
			"prog;_start;main;[timer interrupt];m_entry;emulate 2*\n"
			"prog;_start;main;[timer interrupt];m_entry;emulate;[timer "
			"interrupt];m_entry 4\n"
			"prog;_start;main;[timer interrupt];m_entry;emulate 2\n"
			"prog;_start;main;[timer interrupt];m_entry 4\n"
			"prog;_start;main 2\n");
}

/* The handler, on its own stack, restarts the task on which it is based. */
static void begin_anew(void)
{
	begin();
	trap(TIMER, 0x1108, M);
	write_sp(F + 0x100, SWAP_SP, STACK_I);
	run_adding(-16, F + 0x108, BRANCH);
	write_sp(F + 0x110, LOAD_SP, STACK_A);
	run(F + 0x118, MRET);
	xret(M);
	run_adding(-32, 0x1300, CALL);
	run(0x1400, NOP);
	EXPECT(BEGUN "prog;_start;main;[timer interrupt];m_entry 8*\n"
		     "prog;bar 2*\n"
		     "prog;bar;baz 2*\n");
}

/* call_on_stack(): its callee is based on its caller. */
static void call_on_stack(void)
{
	begin();
	run(0x1108, CALL);
	write_sp(0x1200, MOVE_SP, STACK_I);
	run(0x1208, CALL_A5);
	run_adding(-16, 0x1300, CALL);
	run(0x1400, RETURN);
	run_adding(16, 0x1308, RETURN);
	write_sp(0x1210, MOVE_SP, STACK_A - 64);
	run(0x1218, RETURN);
	run(0x1110, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;foo 4*\n"
		       "prog;_start;main;foo;bar 2*\n"
		       "prog;_start;main;foo;bar;baz 2*\n"
		       "prog;_start;main;foo;bar 2\n"
		       "prog;_start;main;foo 4\n"
		       "prog;_start;main 2\n");
}

/* sp = 0 is no stack: sp is an ordinary register until it has a value. */
static void zero(void)
{
	begin();
	write_sp(0x1108, SWAP_SP, 0);
	run(0x1110, JUMP_A5);
	write_sp(0x1300, SWAP_SP, STACK_A - 64);
	run_adding(32, 0x1308, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 6*\n"
	       "prog;_start;bar 4*\n"
	       "prog;_start 2\n");
}

/* A trap before the write of sp takes effect, which happens after the trap. */
static void trap_before_effect(void)
{
	begin();
	run(0x1108, CALL);
	run_adding(-32, 0x1400, NOP);
	write_sp(0x1408, LOAD_SP, STACK_B - 32);
	trap(TIMER, 0x1410, M);
	run(F + 0x100, MRET);
	xret(M);
	run_adding(32, 0x1410, RETURN);
	run(0x1200, CALL);
	yield(STACK_A - 96);
	run(0x1110, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;baz 4*\n"
		       "prog;_start;main;baz;[timer interrupt];m_entry 2*\n"
		       "prog;_start;main;baz 2\n"
		       "prog;foo 2*\n"
		       "prog;foo;baz 6*\n"
		       "prog;_start;main 2\n");
}

/* The handler switches without a call: the task is suspended below the handler's
 * callee. */
static void two_harts(void)
{
	begin();
	run(0x1108, CALL);
	yield(STACK_B - 32);
	run(0x1200, NOP);
	feed();
	const struct tr_context context = m.part.start;
	m.part.hart = 1;
	m.part.start = m.context = context;
	tell_sp(STACK_I);
	run(0x1200, CALL);
	yield(STACK_A - 96);
	run(0x1110, NOP);
	EXPECT(BEGUN_4 "prog;_start;main;baz 6*\n"
		       "prog;foo 2*\n"
		       "h1 prog;foo 2*\n"
		       "h1 prog;foo;baz 6*\n"
		       "h1 prog;_start;main 2\n");
}

/* A trace begins in a task, which a trap interrupts whose handler jumps to the scheduler
 * on the system stack. When another task leaves for the scheduler, this is a thread. */
static void scheduler_from_handler(void)
{
	enum { TASK_A = 0x20001000, TASK_B = 0x20003000, SYSTEM = 0x20005000 };
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = M};
	tell_sp(TASK_A);
	run_adding(-32, F, NOP);
	trap(TIMER, F + 8, M);
	run_adding(-256, F + 0x100, NOP);
	write_sp(F + 0x108, LOAD_SP, SYSTEM);
	run(F + 0x110, CALL);
	run(K + 0x100, JUMP);
	run(K + 0x200, NOP);
	write_sp(K + 0x208, LOAD_SP, TASK_B);
	run(K + 0x210, RETURN);
	run_adding(-32, K + 0x400, CALL);
	write_sp(K + 0x300, LOAD_SP, SYSTEM);
	run(K + 0x308, JUMP_A5);
	run(K + 0x200, NOP);
	write_sp(K + 0x208, LOAD_SP, TASK_A - 288);
	run_adding(256, K + 0x210, MRET);
	xret(M);
	run(F + 8, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "firmware;_start 2*\n"
			  "firmware;_start;[timer interrupt];m_entry 6*\n"
			  "firmware;_start;[timer interrupt];m_entry;handler 2*\n"
			  "firmware;_start;[timer interrupt];m_entry;schedule 6*\n"
			  "kernel;thread_start 2*\n"
			  "kernel;thread_start;switch_to 4*\n"
			  "kernel;schedule 6*\n"
			  "firmware;_start 2\n");
	CHECK_EQ(totals.doubted_cycles, 8);
	CHECK_EQ(m.nthreads, 1 + 3);
}

/* A trap interrupts a task before its first instruction, and its handler, on a stack of
 * its own, leaves for a new task. What begins at the same place later may be another
 * task: the cycles from the trap up to the new task are in doubt. */
static void left_before_first(void)
{
	begin();
	preempt(0x1108, STACK_B - 64);
	trap(TIMER, 0x1200, M);
	run_adding(-64, F + 0x100, NOP);
	write_sp(F + 0x108, LOAD_SP, STACK_I);
	run_adding(-16, F + 0x110, CALL);
	run(F + 0x200, RETURN);
	write_sp(F + 0x118, LOAD_SP, STACK_C - 64);
	run_adding(64, F + 0x120, MRET);
	xret(M);
	run(0x1300, NOP);
	preempt(0x1308, STACK_B - 64);
	run(0x1200, NOP);
	struct tr_unwind_totals totals = machine_end();
	const char *foo = strstr(m.text, "prog;foo");
	CHECK_STR(foo ? foo : "", "prog;foo;[timer interrupt];m_entry 6*\n"
				  "prog;foo;[timer interrupt];m_entry;emulate 2*\n"
				  "prog;foo;[timer interrupt];m_entry 4\n"
				  "prog;bar 2*\n" IN_HANDLER("prog;bar") "prog;foo 2*\n");
	CHECK_EQ(totals.doubted_cycles, 12);
}

/* The handler, on the task's stack, calls what loads the sp of another task and returns
 * in its handler. */
static void leave_by_call(uint64_t epc, uint64_t sp)
{
	trap(TIMER, epc, M);
	run_adding(-64, F + 0x100, CALL);
	write_sp(F + 0x200, LOAD_SP, sp);
	run(F + 0x208, RETURN);
}

static void end_handler(void)
{
	run_adding(64, F + 0x108, MRET);
	xret(M);
}

/* The same with a handler that returns from such a call in the task before its first
 * instruction, where a new task would return as well: what ran from when it began, or
 * last came back, until it was left, and since then. An interrupt without a switch is no
 * doubt. */
static void left_before_first_by_call(void)
{
	begin();
	leave_by_call(0x1108, STACK_B - 64);
	run_adding(64, 0x1400, MRET);
	xret(M);
	trap(TIMER, 0x1200, M);
	run_adding(-64, F + 0x100, NOP);
	end_handler();
	leave_by_call(0x1200, STACK_A - 128);
	end_handler();
	run(0x1108, NOP);
	leave_by_call(0x1110, STACK_B - 64);
	end_handler();
	leave_by_call(0x1200, STACK_A - 128);
	end_handler();
	run(0x1110, NOP);
	leave_by_call(0x1118, STACK_B - 64);
	end_handler();
	run(0x1200, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;[timer interrupt];m_entry 2*\n"
				"prog;_start;main;[timer interrupt];m_entry;emulate 4*\n"
				"prog;baz 2*\n"
				"prog;foo;[timer interrupt];m_entry 4*\n"
				"prog;foo;[timer interrupt];m_entry 2*\n"
				"prog;foo;[timer interrupt];m_entry;emulate 4*\n"
				"prog;_start;main;[timer interrupt];m_entry 2\n"
				"prog;_start;main 2\n"
				"prog;_start;main;[timer interrupt];m_entry 2*\n"
				"prog;_start;main;[timer interrupt];m_entry;emulate 4*\n"
				"prog;foo;[timer interrupt];m_entry 2\n"
				"prog;foo;[timer interrupt];m_entry 2*\n"
				"prog;foo;[timer interrupt];m_entry;emulate 4*\n"
				"prog;_start;main;[timer interrupt];m_entry 2\n"
				"prog;_start;main 2\n"
				"prog;_start;main;[timer interrupt];m_entry 2*\n"
				"prog;_start;main;[timer interrupt];m_entry;emulate 4*\n"
				"prog;foo;[timer interrupt];m_entry 2\n"
				"prog;foo 2*\n");
	CHECK_EQ(totals.doubted_cycles, (2 + 4 + 6 + 2) + (6 + 2));
}

int main(void)
{
	scheduler_from_handler();
	left_before_first();
	left_before_first_by_call();
	preemptive();
	task_signal();
	cooperative();
	coroutines();
	used_again();
	begun_within();
	return_out_of_handler();
	another_life();
	tp_of_rtos();
	isr_stack();
	begin_anew();
	call_on_stack();
	zero();
	trap_before_effect();
	two_harts();
	return check_done();
}
