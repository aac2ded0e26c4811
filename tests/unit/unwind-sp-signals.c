/* SPDX-License-Identifier: Apache-2.0 */
/* Signals, with sp reported. */
#include "unwind-kernel.h"

/* A signal comes before the first instruction of a new thread: its handler is the first
 * code there. */
static void signal_before_all(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	write_sp(K + 0x700, LOAD_SP, 0x3ff00000);
	run(K + 0x708, SRET);
	xret(U);
	run_adding(-16, 0x1400, CALL);
	run(0x1300, RETURN);
	run_adding(16, 0x1408, RETURN);
	run(0x7000, NOP);
	trap(ECALL, 0x7008, S);
	write_sp(K, SWAP_SP, KERNEL_SP(1));
	leave_kernel(0x3ff00400);
	run_adding(-16, 0x1200, CALL);
	run(0x1300, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler 2* @0\n"
		     "prog;_start;main;[ecall];entry;handler;schedule 2* @0\n"
		     "prog;_start;main;[ecall];entry;handler;schedule;switch_to 2* @0\n"
		     "prog;foo;[ecall];switch_to 2 @1\n"
		     "prog;foo;[ecall];ret_from_fork 4* @1\n"
		     "prog;foo;[signal];baz 2* @1\n"
		     "prog;foo;[signal];baz;bar 2* @1\n"
		     "prog;foo;[signal];baz 2 @1\n"
		     "prog;foo;[signal];[unknown] 2 @1\n"
		     "prog;foo;[signal];[unknown];[ecall];entry 6* @1\n"
		     "prog;foo 2* @1\n"
		     "prog;foo;bar 2* @1\n");
}

/* A signal handler, on the interrupted stack or on another, and its return: sp is that of
 * the interrupt. Its system calls belong to the handler. */
static void signal(uint64_t sp)
{
	begin();
	trap(TIMER, 0x1108, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(sp);
	run_adding(-16, 0x1200, CALL);
	run(0x1300, NOP);
	trap(ECALL, 0x1308, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(sp - 16);
	run(0x130c, RETURN);
	run_adding(16, 0x1208, RETURN);
	run(0x7000, NOP);
	trap(ECALL, 0x7008, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;[timer interrupt];entry 6*\n"
				"prog;_start;main;[signal];foo 2*\n"
				"prog;_start;main;[signal];foo;bar 2*\n"
				"prog;_start;main;[signal];foo;bar;[ecall];entry 6*\n"
				"prog;_start;main;[signal];foo;bar 2\n"
				"prog;_start;main;[signal];foo 2\n"
				"prog;_start;main;[signal];[unknown] 2\n"
				"prog;_start;main;[signal];[unknown];[ecall];entry 6*\n"
				"prog;_start;main 2\n"
				"prog;_start 2\n");
	CHECK_EQ(totals.resyncs, 0);
	CHECK_EQ(m.stacks_begun, 1);
}

/* A handler on a stack of its own is interrupted by a signal whose handler runs on the
 * stack interrupted first, below its current frames. */
static void signal_back_on_first(void)
{
	enum { OWN = 0x20000000 };
	begin();
	trap(TIMER, 0x1108, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(OWN);
	run_adding(-16, 0x1200, NOP);
	trap(TIMER, 0x1208, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 48);
	run_adding(-16, 0x1400, CALL);
	run(0x1300, NOP);
	trap(ECALL, 0x1308, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(OWN - 16);
	run(0x1208, NOP);
	trap(ECALL, 0x1210, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;[timer interrupt];entry 6*\n"
		     "prog;_start;main;[signal];foo 2*\n"
		     "prog;_start;main;[signal];foo;[timer interrupt];entry 6*\n"
		     "prog;_start;main;[signal];foo;[signal];baz 2*\n"
		     "prog;_start;main;[signal];foo;[signal];baz;bar 2*\n"
		     "prog;_start;main;[signal];foo;[signal];baz;bar;[ecall];entry 6*\n"
		     "prog;_start;main;[signal];foo 2\n"
		     "prog;_start;main;[signal];foo;[ecall];entry 6*\n"
		     "prog;_start;main 2\n"
		     "prog;_start 2\n");
}

/* A handler on a stack of its own is left by a jump, and its stack is reused: no frame of
 * the first is left. */
static void signal_stack_again(void)
{
	enum { OWN = 0x20000000 };
	begin();
	trap(TIMER, 0x1108, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(OWN);
	run_adding(-16, 0x1200, CALL);
	write_sp(0x1600, LOAD_SP, USER_SP - 64);
	run(0x1608, RETURN);
	run(0x1140, NOP);
	trap(TIMER, 0x1148, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(OWN);
	run_adding(-16, 0x1400, NOP);
	EXPECT(BEGUN "prog;_start;main;[timer interrupt];entry 6*\n"
		     "prog;_start;main;[signal];foo 2*\n"
		     "prog;_start;main;[signal];foo;longjmp 4*\n"
		     "prog;_start;main 2\n"
		     "prog;_start;main;[timer interrupt];entry 6*\n"
		     "prog;_start;main;[signal];baz 2*\n");
}

/* Another signal is delivered at sigreturn, in place of the first. */
static void next_signal(void)
{
	begin();
	trap(TIMER, 0x1108, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 1024);
	run(0x1200, NOP);
	trap(ECALL, 0x1208, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 1024);
	run(0x1400, NOP);
	trap(ECALL, 0x1408, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	run_adding(32, 0x1108, NOP);
	EXPECT(BEGUN "prog;_start;main;[timer interrupt];entry 6*\n"
		     "prog;_start;main;[signal];foo 2*\n"
		     "prog;_start;main;[signal];foo;[ecall];entry 6*\n"
		     "prog;_start;main;[signal];baz 2*\n"
		     "prog;_start;main;[signal];baz;[ecall];entry 6*\n"
		     "prog;_start;main 2\n");
}

/* A handler makes the interrupted code call a function, which returns by a jump: the
 * signal has ended. */
static void signal_that_calls(uint64_t sp)
{
	begin();
	trap(TIMER, 0x1108, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(sp);
	run(0x1200, NOP);
	trap(ECALL, 0x1208, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 72);
	run_adding(-464, 0x1400, CALL);
	run(0x1300, RETURN);
	run_adding(472, 0x1408, JUMP_A5);
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;[timer interrupt];entry 6*\n"
				"prog;_start;main;[signal];foo 2*\n"
				"prog;_start;main;[signal];foo;[ecall];entry 6*\n"
				"prog;_start;main;baz 2*\n"
				"prog;_start;main;baz;bar 2*\n"
				"prog;_start;main;baz 2\n"
				"prog;_start;main 2\n"
				"prog;_start 2\n");
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.doubted_cycles, 0);
}

int main(void)
{
	signal_before_all();
	signal(USER_SP - 1024);
	signal(0x20000000);
	signal(0x50000000);
	signal_back_on_first();
	signal_stack_again();
	next_signal();
	signal_that_calls(USER_SP - 1024);
	signal_that_calls(0x20000000);
	return check_done();
}
