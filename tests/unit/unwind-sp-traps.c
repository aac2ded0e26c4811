/* SPDX-License-Identifier: Apache-2.0 */
/* Traps and kernels, with sp reported. */
#include "unwind-kernel.h"

static void system_call(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	run(K + 0x100, RETURN);
	leave_kernel(USER_SP - 64);
	run_adding(32, 0x110c, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler 2*\n"
		     "prog;_start;main;[ecall];entry 4\n"
		     "prog;_start;main 2\n"
		     "prog;_start 2\n");
}

/* A fault in the kernel is undecided and then stays on its stack; another one comes in
 * it. */
static void nested(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	run_adding(-16, K + 0x100, NOP);
	trap(LOAD_FAULT, K + 0x108, S);
	run_adding(-256, K, NOP);
	trap(TIMER, K + 8, S);
	run_adding(-256, K, NOP);
	run_adding(256, K + 8, SRET);
	xret(S);
	run_adding(256, K + 8, SRET);
	xret(S);
	run_adding(16, K + 0x108, RETURN);
	leave_kernel(USER_SP - 64);
	run(0x110c, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler 2*\n"
		     "prog;_start;main;[ecall];entry;handler;[load page fault];entry "
		     "2*\n"
		     "prog;_start;main;[ecall];entry;handler;[load page fault];entry"
		     ";[timer interrupt];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler;[load page fault];entry "
		     "2\n"
		     "prog;_start;main;[ecall];entry;handler 2\n"
		     "prog;_start;main;[ecall];entry 4\n"
		     "prog;_start;main 2\n");
}

/* A handler in the kernel loads the sp that it has, and goes deeper than this stack ever
 * was: it stays there, and the stack is found again after a switch to another thread. */
static void loads_sp_again(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run_adding(-16, K + 0x100, NOP);
	trap(TIMER, K + 0x108, S);
	write_sp(K, LOAD_SP, m.sp);
	run_adding(-512, K + 8, BRANCH);
	run(K + 0x20, NOP);
	run_adding(512, K + 0x28, SRET);
	xret(S);
	run(K + 0x108, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	run(K + 0x700, CALL);
	run_adding(-64, K + 0x200, CALL);
	write_sp(K + 0x300, LOAD_SP, KERNEL_SP(0) - 256 - 16 - 64);
	set_tp(T);
	run(K + 0x308, RETURN);
	run_adding(64, K + 0x208, RETURN);
	run_adding(16, K + 0x110, RETURN);
	machine_end();
	CHECK(strstr(m.text, "[ecall];entry;handler;[timer interrupt];entry 8*") != NULL);
	CHECK(strstr(m.text, "[ecall];entry;handler;schedule 2 @0\n"
			     "prog;_start;main;[ecall];entry;handler 2 @0\n") != NULL);
}

/* The kernel changes the address space in a trap of its own: it continues where it
 * was. */
static void satp_in_trap(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	run_adding(-16, K + 0x100, CALL);
	run(K + 0x200, NOP);
	trap(TIMER, K + 0x208, S);
	run_adding(-256, K, NOP);
	set_space(2);
	run_adding(256, K + 8, SRET);
	xret(S);
	run(K + 0x208, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler 2*\n"
		     "prog;_start;main;[ecall];entry;handler;schedule 2*\n"
		     "prog;_start;main;[ecall];entry;handler;schedule;[timer interrupt];"
		     "entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler;schedule 2\n");
}

/* The kernel writes tp after the return to the other thread: until then tp is that of the
 * previous one, and names nobody. */
static void tp_behind_switch(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	run(K + 0x700, CALL);
	run_adding(-64, K + 0x200, CALL);
	write_sp(K + 0x300, LOAD_SP, KERNEL_SP(0) - 256 - 64);
	run(K + 0x308, RETURN);
	run(K + 0x208, NOP);
	set_tp(T);
	run(K + 0x210, NOP);
	machine_end();
	CHECK(strstr(m.text, "entry;handler;schedule 4 @0\n") != NULL);
}

/* A longjmp() out of a handler, to the sp of the interrupt: into the interrupted
 * function, or one below it. */
static void jump_out_of_handlers(void)
{
	enum { TOP = 0x70010000 };
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = S};
	tell_sp(TOP);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, CALL);
	run(0x1200, NOP);
	trap(TIMER, 0x1208, S);
	run_adding(-64, 0x1300, CALL);
	write_sp(0x1400, LOAD_SP, TOP - 64);
	run(0x1408, RETURN);
	run(0x1110, NOP);
	trap(TIMER, 0x1118, S);
	run(0x1300, NOP);
	trap(TIMER, 0x1308, S);
	run_adding(-64, 0x1300, CALL);
	write_sp(0x1400, LOAD_SP, TOP - 64);
	run(0x1408, RETURN);
	run_adding(32, 0x1150, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text,
		  BEGUN "prog;_start;main;foo 2*\n"
			"prog;_start;main;foo;[timer interrupt];bar 2*\n"
			"prog;_start;main;foo;[timer interrupt];bar;baz 4*\n"
			"prog;_start;main 2\n"
			"prog;_start;main;[timer interrupt];bar 2*\n"
			"prog;_start;main;[timer interrupt];bar;[timer interrupt];"
			"bar 2*\n"
			"prog;_start;main;[timer interrupt];bar;[timer interrupt];"
			"bar;baz 4*\n"
			"prog;_start;main 2\n"
			"prog;_start 2\n");
	CHECK_EQ(totals.longjmps, 2);
	CHECK_EQ(totals.beyond, 0);
	CHECK_EQ(totals.unmatched, 0);
}

/* A trap to its own privilege and into its own function is a jump: the MMU is turned
 * on. */
static void trap_into_own_function(void)
{
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = S};
	tell_sp(0x80010000);
	run(K, NOP);
	trap(FETCH_FAULT, K + 8, S);
	run(K + 0x40, CALL);
	run(K + 0x100, RETURN);
	run(K + 0x48, NOP);
	EXPECT("kernel;entry 4*\n"
	       "kernel;entry;handler 2*\n"
	       "kernel;entry 2\n");
}

/* M redirects a trap to S, which returns to the program. */
static void handed_on(void)
{
	begin();
	trap(MISALIGNED, 0x1108, M);
	write_sp(F + 0x100, SWAP_SP, F + 0x10000);
	write_sp(F + 0x108, SWAP_SP, USER_SP - 64);
	run(F + 0x110, MRET);
	xret(S);
	write_sp(K, SWAP_SP, KERNEL_SP(0));
	leave_kernel(USER_SP - 64);
	run(0x110c, NOP);
	EXPECT(BEGUN "prog;_start;main;[misaligned load];m_entry 6*\n"
		     "prog;_start;main;[misaligned load];entry 6*\n"
		     "prog;_start;main 2\n");
}

/* After a gap, the trap of the user code is over, although sp has not moved. */
static void gap_over_trap(void)
{
	begin();
	trap(ECALL, 0x1108, S);
	run(K, NOP);
	gap(TR_GAP_LOST, 1);
	event((struct tr_event){.kind = TR_EV_PRIV, .u.priv = {.priv = U}});
	tell_sp(USER_SP - 64);
	run(0x110c, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 2*\n"
		     "[lost] 1\n"
		     "prog;main 2\n");
}

/* A kernel writes sp and calls the firmware before the next transfer, as Linux 7.2 does
 * when it boots: its stack is where sp is, and a thread has a stack of its own. */
static void ecall_after_write(void)
{
	machine_begin_sp(true);
	m.context = m.part.start = (struct tr_context){.priv = S};
	tell_sp(F + 0x2000);
	run(K + 0x100, NOP);
	write_sp(K + 0x108, LOAD_SP, F + 0x200000);
	run(K + 0x110, BRANCH);
	set_tp(T);
	write_sp(K + 0x118, LOAD_SP, KERNEL_SP(9));
	trap(9, K + 0x120, M);
	write_sp(F + 0x100, SWAP_SP, F + 0x2000);
	write_sp(F + 0x108, SWAP_SP, KERNEL_SP(9));
	run(F + 0x110, MRET);
	xret(S);
	run(K + 0x124, CALL);
	run_adding(-64, K + 0x200, CALL);
	write_sp(K + 0x300, LOAD_SP, KERNEL_SP(1));
	set_tp(T + 0x1000);
	run(K + 0x308, RETURN);
	run(K + 0x400, NOP);
	EXPECT("kernel;handler 6*\n"
	       "kernel;handler 2 @0\n"
	       "kernel;handler;[ecall];m_entry 6* @0\n"
	       "kernel;handler 2 @0\n"
	       "kernel;handler;schedule 2* @0\n"
	       "kernel;handler;schedule;switch_to 2* @0\n"
	       "kernel;switch_to 2 @1\n"
	       "kernel;thread_start 2* @1\n");
}

/* Interrupts by a source that does not tell where they came: two at once after a call,
 * which takes effect when the handlers have returned, and one after a return, whose place
 * the frame tells. */
static void unknown_epc(void)
{
	enum { TOP = 0x70010000 };
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = S};
	tell_sp(TOP);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, CALL_A5);
	trap(TIMER, 0x1200, S);
	run(0x1300, SRET);
	xret(S);
	trap(TIMER, TR_EPC_UNKNOWN, S);
	run(0x1300, SRET);
	xret(S);
	run(0x1200, RETURN);
	trap(TIMER, TR_EPC_UNKNOWN, S);
	run(0x1300, SRET);
	xret(S);
	run_adding(32, 0x1108, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, BEGUN "prog;_start;main;foo;[timer interrupt];bar 2*\n"
				"prog;_start;main;foo;[timer interrupt];bar 2*\n"
				"prog;_start;main;foo 2*\n"
				"prog;_start;main;[timer interrupt];bar 2*\n"
				"prog;_start;main 2\n"
				"prog;_start 2\n");
	CHECK_EQ(totals.unmatched + totals.longjmps, 0);
	CHECK_EQ(totals.returns, 2);
}

int main(void)
{
	system_call();
	nested();
	loads_sp_again();
	satp_in_trap();
	tp_behind_switch();
	jump_out_of_handlers();
	trap_into_own_function();
	handed_on();
	ecall_after_write();
	gap_over_trap();
	unknown_epc();
	return check_done();
}
