/* SPDX-License-Identifier: Apache-2.0 */
/* Traps, trap returns, threads and address spaces. */
#include "unwind-machine.h"

enum { ECALL = 8, LOAD_FAULT = 13, FETCH_FAULT = 12, MISALIGNED = 4, ECALL_S = 9 };
#define TIMER (TR_CAUSE_INTERRUPT | 5)

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

/* The cycles up to the trap's entry, and what they were lost for, are those of the
 * frame that is interrupted. */
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

/* User, fault in the system call, timer to M in that, and all the way back. */
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

/* The interrupt comes between a call, a return, a jump and what they lead to. */
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
	trap(TIMER, 0x1708, S); /* where it runs on into the next function */
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
	       "prog;bar 2\n"
	       "prog;bar;save_2 2*\n"
	       "prog;bar;save_1;[timer interrupt];entry 2*\n"
	       "prog;bar;save_1 2\n");
}

/* Two faults one after the other before a call's first instruction, into code
 * that no file explains: the call is remembered. */
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

/* M hands a misaligned load on to S, which returns to the program. */
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
	run(K + 0x600, SRET); /* another entry: handed on inside the kernel */
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

static void signals(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, S);
	run(K, SRET);
	xret(U);
	run(0x1200, RETURN); /* the handler; returns to the trampoline */
	run(0x1300, NOP);
	trap(ECALL, 0x1308, S);
	run(K, SRET);
	xret(U);
	run(0x1118, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];bar 2\n"
	       "prog;_start;main;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* A handler that calls what was interrupted is interrupted by another signal: each
 * return goes to where its own signal came. */
static void nested_signals(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, S);
	run(K, SRET);
	xret(U);
	run(0x1200, CALL);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	run(K, SRET);
	xret(U);
	run(0x1300, NOP);
	trap(ECALL, 0x1308, S);
	run(K, SRET);
	xret(U);
	run(0x1108, RETURN);
	run(0x1208, NOP);
	trap(ECALL, 0x1210, S);
	trap(TIMER, K, S);
	run(K, SRET);
	xret(S);
	run(K, SRET);
	xret(U);
	trap(FETCH_FAULT, 0x1118, S);
	run(K, SRET);
	xret(U);
	run(0x1118, RETURN);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo 2*\n"
	       "prog;_start;main;[signal];foo;main 2*\n"
	       "prog;_start;main;[signal];foo;main;[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo;main;[signal];bar 2*\n"
	       "prog;_start;main;[signal];foo;main;[signal];bar;[ecall];entry 2*\n"
	       "prog;_start;main;[signal];foo;main 2\n"
	       "prog;_start;main;[signal];foo 2\n"
	       "prog;_start;main;[signal];foo;[ecall];[timer interrupt];entry 2*\n"
	       "prog;_start;main;[signal];foo;[ecall];entry 2*\n"
	       "prog;_start;main;[fetch page fault];entry 2*\n"
	       "prog;_start;main 2\n");
}

/* Firmware, then the kernel, then its first program: each a root of its own. */
static void boot(void)
{
	machine_begin(true);
	m.context = m.part.start = (struct tr_context){.priv = M};
	gap(TR_GAP_RESET, 5);
	run(F, MRET);
	xret(S);
	set_tp(0);
	run(K + 0x400, NOP);
	set_tp(T);
	run(K + 0x408, CALL);
	run(K + 0x200, SRET);
	set_space(1);
	set_tp(0x12345);
	xret(U);
	run(0x1000, NOP);
	gap(TR_GAP_END, 7);
	EXPECT("[reset] 5\n"
	       "firmware;_start 2*\n"
	       "kernel;thread_start 2*\n"
	       "kernel;thread_start 2* @0\n"
	       "kernel;thread_start;schedule 2* @0\n"
	       "prog;_start 2* @0\n"
	       "[end] 7\n");
}

static void to_thread(uint64_t tp)
{
	run(K + 0x200, CALL);
	run(K + 0x300, NOP);
	set_tp(tp);
	run(K + 0x308, RETURN);
}

/* Two threads take turns; the second is new the first time, and its record is
 * taken by a third later. */
static void threads(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	set_tp(T);
	run(K, CALL);
	to_thread(T + 0x1000);
	run(K + 0x400, CALL); /* thread_start, never called */
	to_thread(T);
	run(K + 0x208, RETURN);
	run(K + 8, CALL);
	to_thread(T + 0x1000);
	run(K + 0x208, CALL);
	to_thread(T);
	run(K + 0x208, CALL);
	to_thread(T + 0x1000);
	run(K + 0x400, NOP); /* a new life of the record */
	EXPECT("prog;main 2*\n"
	       "prog;main;[timer interrupt];entry 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 2* @0\n"
	       "kernel;switch_to 2* @1\n"
	       "kernel;thread_start 2* @1\n"
	       "kernel;thread_start;schedule 2* @1\n"
	       "kernel;thread_start;schedule;switch_to 2* @1\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 2 @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2 @0\n"
	       "prog;main;[timer interrupt];entry 2 @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 2* @0\n"
	       "kernel;thread_start;schedule;switch_to 2 @1\n"
	       "kernel;thread_start;schedule 2 @1\n"
	       "kernel;thread_start;schedule;schedule 2* @1\n"
	       "kernel;thread_start;schedule;schedule;switch_to 2* @1\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 2 @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2 @0\n"
	       "prog;main;[timer interrupt];entry;schedule;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;schedule;switch_to 2* @0\n"
	       "kernel;thread_start;schedule;schedule;switch_to 2 @1\n"
	       "kernel;thread_start 2* @1\n");
}

/* Without tp the address space is the thread. */
static void threads_by_space(void)
{
	machine_begin(false);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	run(K, NOP);
	set_space(2);
	run(K + 8, SRET);
	xret(U);
	run(0x1200, NOP);
	trap(TIMER, 0x1208, S);
	run(K, NOP);
	set_space(1);
	run(K + 8, SRET);
	xret(U);
	run(0x1108, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[timer interrupt];entry 2*\n"
	       "kernel;entry 2*\n"
	       "prog;foo 2*\n"
	       "prog;foo;[timer interrupt];entry 2*\n"
	       "prog;main;[timer interrupt];entry 2\n"
	       "prog;main 2\n");
}

/* exec: other code in another space on the same thread. */
static void exec(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, NOP);
	trap(ECALL, 0x1108, S);
	run(K, NOP);
	set_space(9);
	run(K + 8, SRET);
	xret(U);
	run(0x1000, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[ecall];entry 4*\n"
	       "other;other 2*\n");
	CHECK_EQ(m.stacks_begun, 2);
}

/* The same program again: the stack looks the same, but it is another one. */
static void exec_of_itself(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, NOP);
	trap(ECALL, 0x1108, S);
	set_space(4);
	run(K + 8, SRET);
	xret(U);
	run(0x1000, CALL);
	machine_end();
	CHECK_EQ(m.stacks_begun, 2);
}

/* fork: the child begins with its parent's user part. */
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
	       "prog;_start;main 2*\n"
	       "prog;_start;main;[ecall];entry 2* @0\n"
	       "prog;_start;main;[ecall];entry;kernel_clone 2* @0\n"
	       "prog;_start;main;[ecall];entry 2 @0\n"
	       "prog;_start;main;[ecall];entry;schedule 2* @0\n"
	       "prog;_start;main;[ecall];entry;schedule;switch_to 2* @0\n"
	       "kernel;switch_to 2* @1\n"
	       "kernel;thread_start 2* @1\n"
	       "prog;_start;main 2 @1\n"
	       "prog;_start 2 @1\n");
}

/* The kernel's part of a child stands on what its parent did. Two children that begin
 * in another order than they were made find their own forks when they go on. */
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
	run(0x1110, NOP);
	trap(ECALL, 0x1118, S);
	run(K, CALL);
	to_thread(T + 0x2000);
	run(K + 0x700, SRET);
	set_space(3);
	xret(U);
	trap(FETCH_FAULT, 0x110c, S);
	run(K, SRET);
	xret(U);
	run(0x110c, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[ecall];kernel_clone 2* @0\n"
	       "prog;main 2 @0\n"
	       "prog;main;foo 2* @0\n"
	       "prog;main;foo;[ecall];kernel_clone 2* @0\n"
	       "prog;main;foo;[ecall];kernel_clone;schedule 2* @0\n"
	       "prog;main;foo;[ecall];kernel_clone;schedule;switch_to 2* @0\n"
	       "kernel;switch_to 2* @1\n"
	       "prog;main;foo;[ecall];ret_from_fork 2* @1\n"
	       "prog;main;foo 2 @1\n"
	       "prog;main 2 @1\n"
	       "prog;main;[ecall];entry 2* @1\n"
	       "prog;main;[ecall];entry;schedule 2* @1\n"
	       "prog;main;[ecall];entry;schedule;switch_to 2* @1\n"
	       "kernel;switch_to 2* @2\n"
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
	       "prog;main;clone 2*\n"
	       "prog;main;clone;[ecall];entry 2* @0\n"
	       "prog;main;clone;[ecall];entry;kernel_clone 2* @0\n"
	       "prog;main;clone;[ecall];entry 2 @0\n"
	       "prog;main;clone;[ecall];entry;schedule 2* @0\n"
	       "prog;main;clone;[ecall];entry;schedule;switch_to 2* @0\n"
	       "kernel;switch_to 2* @1\n"
	       "kernel;thread_start 2* @1\n"
	       "prog;clone 2 @1\n"
	       "prog;clone;foo 2* @1\n");
}

/* A new process faults at its entry before its first instruction; its space shows
 * only where that runs. Until it is known whose they are, faults are the kernel's. */
static void fault_before_the_first_instruction(void)
{
	machine_begin(true);
	m.context = m.part.start = (struct tr_context){.priv = S};
	set_tp(T);
	run(K + 0x400, SRET);
	xret(U);
	trap(FETCH_FAULT, 0x1000, S);
	run(K, SRET);
	feed();
	xret(U);
	trap(FETCH_FAULT, 0x1000, S);
	run(K, NOP);
	set_tp(T + 0x1000);
	run(K + 8, NOP);
	set_tp(T);
	run(K + 8, SRET);
	xret(U);
	event((struct tr_event){.kind = TR_EV_SPACE, .u.space = {.space = 7}});
	m.context.space = 7;
	run(0x1000, NOP);
	EXPECT("kernel;thread_start 2* @0\n"
	       "kernel;[fetch page fault];entry 2* @0\n"
	       "prog;_start;[fetch page fault];entry 2* @0\n"
	       "kernel;entry 2* @1\n"
	       "prog;_start;[fetch page fault];entry 2 @0\n"
	       "prog;_start 2 @0\n");
}

/* A source that tells the privilege only. */
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

int main(void)
{
	system_call();
	lost_cycles();
	nested();
	between_call_and_callee();
	unsettled_call();
	passed_on();
	signals();
	nested_signals();
	boot();
	threads();
	threads_by_space();
	exec();
	exec_of_itself();
	fork_child();
	born_in_the_kernel();
	thread_by_clone();
	fault_before_the_first_instruction();
	privilege_only();
	return check_done();
}
