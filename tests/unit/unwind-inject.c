/* SPDX-License-Identifier: Apache-2.0 */
/* System calls that the run-time profiler makes a process execute: the kernel returns to
 * the vdso with another sp, where the `ecall` is trapped before it has committed. */
#include "unwind-kernel.h"

/* Two calls, with frames of their own, and then back to `sp`. */
static void inject_calls(uint64_t sp)
{
	leave_kernel(sp - 1024);
	trap(FETCH_FAULT, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(sp - 1024);
	trap(ECALL, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(sp - 2048);
	trap(ECALL, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(sp);
}

#define INJECTED(stack)                                                                  \
	stack ";[inject];[fetch page fault];entry 6*\n" stack                            \
	      ";[inject];[ecall];entry 6*\n" stack ";[inject];[ecall];entry 6*\n"

/* The process is stopped between two functions. */
static void in_running_process(void)
{
	begin();
	run(0x1108, CALL);
	trap(TIMER, 0x1200, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	inject_calls(USER_SP - 64);
	run(0x1200, RETURN);
	run(0x1110, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 4*\n"
			  "prog;_start;main;foo;[timer interrupt];entry 6*\n" INJECTED(
			      "prog;_start;main;foo") "prog;_start;main;foo 2*\n"
						      "prog;_start;main 2\n");
	CHECK_EQ(totals.calls, 2);
	CHECK_EQ(totals.unmatched, 0);
}

/* A program begins. */
static void in_new_program(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	run(K + 0x100, RETURN);
	set_space(9);
	inject_calls(USER_SP);
	run(0x1000, NOP);
	machine_end();
	CHECK(strstr(m.text, INJECTED("other;other") "other;other 2*\n") != NULL);
}

/* A program begins in a library, at whose first instruction it is trapped. */
static void in_dynamic_program(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	run(K + 0x100, RETURN);
	set_space(9);
	inject_calls(USER_SP);
	trap(FETCH_FAULT, 0x6000, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP);
	run(0x6000, JUMP);
	run(0x1000, NOP);
	machine_end();
	CHECK(strstr(m.text,
		     INJECTED("other;clock") "other;clock;[fetch page fault];entry 6*\n"
					     "other;clock 2*\n"
					     "other;other 2*\n") != NULL);
}

/* A forked child, whose stack is that of its parent. */
static void in_child(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	run_adding(-16, K + 0x700, NOP);
	set_space(2);
	inject_calls(USER_SP - 64);
	run_adding(32, 0x110c, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK(strstr(m.text, "prog;_start;main;[ecall];ret_from_fork 2* @1\n") != NULL);
	CHECK(strstr(m.text, "prog;_start;main;[inject];[ecall];entry 6* @1\n") != NULL);
	CHECK(strstr(m.text, "prog;_start;main 2 @1\nprog;_start 2 @1\n") != NULL);
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.beyond, 0);
}

/* A handler's return leads to an `ecall` that is executed again: it is the program's. */
static void after_signal(void)
{
	begin();
	trap(TIMER, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 1024);
	run_adding(-16, 0x1200, NOP);
	trap(ECALL, 0x1208, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	trap(ECALL, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	run_adding(32, 0x110c, RETURN);
	run(0x1008, NOP);
	machine_end();
	CHECK(strstr(m.text, "[inject]") == NULL);
}

/* So is one that was interrupted. */
static void after_interrupt(void)
{
	begin();
	trap(TIMER, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	trap(ECALL, GADGET, S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	run(0x110c, NOP);
	machine_end();
	CHECK(strstr(m.text, "[inject]") == NULL);
}

int main(void)
{
	in_running_process();
	in_new_program();
	in_dynamic_program();
	in_child();
	after_signal();
	after_interrupt();
	return check_done();
}
