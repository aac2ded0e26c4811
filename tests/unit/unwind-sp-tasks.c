/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks in U-mode without address spaces of their own, which sp tells apart. */
#include "unwind-machine.h"

enum { TASK_A = 0x20001000, TASK_B = 0x20003000 };
enum { BOOT = 0x1f000 }; /* + F: stacks of the kernel */
#define HANDLER_A (F + 0x10000)
#define HANDLER_B (F + 0x12000)

static void begin(void)
{
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = M};
	tell_sp(F + BOOT);
	run_adding(-32, F, CALL);
}

/* The kernel calls a function that goes to a task, and returns when that traps. */
static void go(uint64_t sp)
{
	run_adding(-64, F + 0x200, NOP);
	write_sp(F + 0x208, LOAD_SP, sp);
	run(F + 0x210, MRET);
	xret(U);
}

static void come_back(uint64_t cause, uint64_t epc)
{
	trap(cause, epc, M);
	write_sp(F + 0x100, SWAP_SP, F + BOOT - 96);
	run(F + 0x108, BRANCH);
	run_adding(64, F + 0x110, RETURN);
	run(F + 8, JUMP);
	run(F, CALL);
}

#define KERNEL_GOES "firmware;_start 4\nfirmware;_start;emulate 6*\n"

/* One stack of the kernel for all tasks. A new task begins on the stack of one that has
 * called others. */
static void one_kernel_stack(void)
{
	begin();
	go(TASK_A);
	run_adding(-32, 0x1100, CALL);
	run_adding(-32, 0x1200, NOP);
	come_back(TIMER, 0x1208);
	go(TASK_B);
	run_adding(-32, 0x1300, NOP);
	come_back(ECALL, 0x1308);
	go(TASK_A - 64);
	run_adding(32, 0x1208, RETURN);
	run(0x1108, NOP);
	come_back(TIMER, 0x1110);
	go(TASK_B);
	run(0x1400, NOP);
	come_back(TIMER, 0x1408);
	go(TASK_A - 32);
	run(0x1110, NOP);
	EXPECT("firmware;_start 2*\n"
	       "firmware;_start;emulate 6*\n"
	       "prog;main 2*\n"
	       "prog;main;foo 2*\n"
	       "prog;main;foo;[timer interrupt];m_entry 6*\n" KERNEL_GOES "prog;bar 2*\n"
	       "prog;bar;[ecall];m_entry 6*\n" KERNEL_GOES "prog;main;foo 2\n"
	       "prog;main 2\n"
	       "prog;main;[timer interrupt];m_entry 6*\n" KERNEL_GOES "prog;baz 2*\n"
	       "prog;baz;[timer interrupt];m_entry 6*\n" KERNEL_GOES "prog;main 2\n");
	CHECK_EQ(m.nthreads, 1 + 4);
}

/* A timer interrupts a task before its first instruction, which is in the kernel's file.
 */
static void interrupted_at_entry(void)
{
	begin();
	go(TASK_A);
	come_back(TIMER, F + 0x200);
	feed(); /* before the notes on its code */
	go(TASK_A);
	run_adding(-32, F + 0x200, NOP);
	EXPECT("firmware;_start 2*\n"
	       "firmware;_start;emulate 6*\n"
	       "firmware;emulate;[timer interrupt];m_entry 6*\n" KERNEL_GOES
	       "firmware;emulate 2*\n");
}

/* A handler on a stack of the task in the kernel, which goes to another task. */
static void enter(uint64_t cause, uint64_t epc, uint64_t sp)
{
	trap(cause, epc, M);
	write_sp(F + 0x100, SWAP_SP, sp);
	run_adding(-256, F + 0x108, CALL);
}

static void leave(uint64_t frame, uint64_t sp)
{
	write_sp(F + 0x110, LOAD_SP, frame);
	write_sp(F + 0x118, LOAD_SP, sp);
	run(F + 0x120, MRET);
	xret(U);
}

/* A stack of the kernel for each task: sp is written twice, first with an address of the
 * other task's. */
static void a_stack_in_the_kernel(void)
{
	begin();
	go(TASK_A);
	run_adding(-32, 0x1100, NOP);
	enter(TIMER, 0x1108, HANDLER_A);
	run(F + 0x200, RETURN);
	leave(HANDLER_B - 256, TASK_B);
	run_adding(-32, 0x1300, NOP);
	enter(TIMER, 0x1308, HANDLER_B);
	run(F + 0x200, RETURN);
	leave(HANDLER_A - 256, TASK_A - 32);
	run(0x1108, CALL);
	run(0x1200, NOP);
	enter(TIMER, 0x1208, HANDLER_A);
	run(F + 0x200, RETURN);
	leave(HANDLER_B - 256, TASK_B - 32);
	run(0x1308, NOP);
	EXPECT("firmware;_start 2*\n"
	       "firmware;_start;emulate 6*\n"
	       "prog;main 2*\n"
	       "prog;main;[timer interrupt];m_entry 4*\n"
	       "prog;main;[timer interrupt];m_entry;emulate 2*\n"
	       "prog;main;[timer interrupt];m_entry 6\n"
	       "prog;bar 2*\n"
	       "prog;bar;[timer interrupt];m_entry 4*\n"
	       "prog;bar;[timer interrupt];m_entry;emulate 2*\n"
	       "prog;bar;[timer interrupt];m_entry 6\n"
	       "prog;main 2\n"
	       "prog;main;foo 2*\n"
	       "prog;main;foo;[timer interrupt];m_entry 4*\n"
	       "prog;main;foo;[timer interrupt];m_entry;emulate 2*\n"
	       "prog;main;foo;[timer interrupt];m_entry 6\n"
	       "prog;bar 2\n");
	CHECK_EQ(m.nthreads, 1 + 3);
}

/* The kernel makes a task that waits call a function, after which the task goes on. */
static void upcall(void)
{
	begin();
	go(TASK_A);
	run_adding(-32, 0x1100, NOP);
	come_back(ECALL, 0x1108);
	go(TASK_A - 32);
	run_adding(-32, 0x1300, NOP);
	come_back(ECALL, 0x1308);
	go(TASK_A - 32);
	run(0x110c, NOP);
	EXPECT("firmware;_start 2*\n"
	       "firmware;_start;emulate 6*\n"
	       "prog;main 2*\n"
	       "prog;main;[ecall];m_entry 6*\n" KERNEL_GOES "prog;main;[signal];bar 2*\n"
	       "prog;main;[signal];bar;[ecall];m_entry 6*\n" KERNEL_GOES "prog;main 2\n");
	CHECK_EQ(m.nthreads, 1 + 2);
}

/* A process that begins in an address space that another one has had is a new one, if the
 * kernel's threads have no tp that says otherwise. */
static void address_space_again(void)
{
	begin();
	set_space(5);
	go(TASK_A);
	run_adding(-32, 0x1100, NOP);
	come_back(ECALL, 0x1108);
	go(TASK_A);
	run_adding(-32, 0x1300, NOP);
	EXPECT("firmware;_start 2*\n"
	       "firmware;_start;emulate 6*\n"
	       "prog;main 2*\n"
	       "prog;main;[ecall];m_entry 6*\n" KERNEL_GOES "prog;bar 2*\n");
	CHECK_EQ(m.nthreads, 1 + 3);
}

int main(void)
{
	address_space_again();
	one_kernel_stack();
	interrupted_at_entry();
	a_stack_in_the_kernel();
	upcall();
	return check_done();
}
