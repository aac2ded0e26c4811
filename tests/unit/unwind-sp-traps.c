/* SPDX-License-Identifier: Apache-2.0 */
/* Traps, kernels, forks and signals, with sp reported. */
#include "unwind-machine.h"
#include "unwind/stacks.h"

#define USER_SP	     UINT64_C(0x3fff0000)
#define KERNEL_SP(n) (UINT64_C(0xffffffc000010000) + ((uint64_t)(n) << 16))

static void begin(void)
{
	machine_begin_sp(true);
	tell_sp(USER_SP);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, NOP);
}

#define BEGUN "prog;_start 2*\nprog;_start;main 2*\n"

/* Enters the kernel, which switches to the stack of thread N, and leaves it. */
static void enter_kernel(uint64_t cause, uint64_t epc, unsigned n)
{
	trap(cause, epc, S);
	write_sp(K, SWAP_SP, KERNEL_SP(n));
	run_adding(-256, K + 8, CALL);
}

static void leave_kernel(uint64_t sp)
{
	write_sp(K + 0x10, LOAD_SP, sp);
	run(K + 0x18, SRET);
	xret(U);
}

/* From schedule(), called by entry, to thread N and the sp at which it was suspended. */
static void to_thread_at(unsigned n, uint64_t sp)
{
	run_adding(-64, K + 0x200, CALL);
	write_sp(K + 0x300, LOAD_SP, sp);
	set_tp(T + 0x1000 * n);
	run(K + 0x308, RETURN);
}

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
	run_adding(32, 0x1118, RETURN);
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

/* A child starts after the system call of its parent, with its sp and frames; its earlier
 * kernel code is held back, and is based on them. */
static void fork_child(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	run_adding(-16, K + 0x700, NOP);
	set_space(2);
	leave_kernel(USER_SP - 64);
	run_adding(32, 0x110c, RETURN);
	run(0x1008, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler 2* @0\n"
		     "prog;_start;main;[ecall];entry;handler;schedule 2* @0\n"
		     "prog;_start;main;[ecall];entry;handler;schedule;switch_to 2* @0\n"
		     "prog;_start;main;[ecall];switch_to 2 @1\n"
		     "prog;_start;main;[ecall];ret_from_fork 2* @1\n"
		     "prog;_start;main;[ecall];entry 4 @1\n"
		     "prog;_start;main 2 @1\n"
		     "prog;_start 2 @1\n");
}

/* A new thread of the process has a stack of its own. */
static void new_thread(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	write_sp(K + 0x700, LOAD_SP, 0x3ff00000);
	run(K + 0x708, SRET);
	xret(U);
	run_adding(-16, 0x110c, CALL);
	run(0x1200, NOP);
	machine_end();
	CHECK(strstr(m.text, "\nprog;main 2 @1\nprog;main;foo 2* @1\n") != NULL);
}

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

/* exec: another program on the same kernel stack. */
static void exec(void)
{
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	run(K + 0x100, RETURN);
	set_space(9);
	leave_kernel(USER_SP);
	run(0x1000, NOP);
	EXPECT(BEGUN "prog;_start;main;[ecall];entry 4*\n"
		     "prog;_start;main;[ecall];entry;handler 2*\n"
		     "prog;_start;main;[ecall];entry 4\n"
		     "other;other 2*\n");
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

/* More system calls, each with another sp, than stacks are kept: the oldest are dropped
 * one after the other, and the child of any other call finds its own. */
static void snapshots_kept(int call, const char *child)
{
	enum { CALLS = 1100 };
	uint64_t sp = USER_SP - 64;
	begin();
	m.quiet = true;
	for (int i = 0; i < CALLS; i++) {
		run_adding(-16, 0x1108, NOP);
		sp -= 16;
		enter_kernel(ECALL, 0x1110, 0);
		if (i + 1 == CALLS)
			break;
		run(K + 0x100, RETURN);
		leave_kernel(sp);
	}
	feed();
	m.quiet = false;
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	run_adding(-16, K + 0x700, NOP);
	set_space(2);
	leave_kernel(sp + 16 * (uint64_t)(CALLS - 1 - call));
	run(0x1114, NOP);
	machine_end();
	CHECK_STR(m.text + m.length - strlen(child), child);
}

/* Each program starts the next one and never runs again: none of it is kept, and the last
 * has the stack of the first. */
static void programs_for_ever(void)
{
	enum { PROGRAMS = 8000, SLOTS = 4, FEW = 1 << 14 };
	begin();
	m.quiet = true;
	for (unsigned i = 0; i < PROGRAMS; i++) {
		unsigned next = (i + 1) % SLOTS;
		enter_kernel(ECALL, 0x1108, i % SLOTS);
		set_tp(T + 0x1000 * (i % SLOTS));
		run_adding(-512, K + 0x100, CALL);
		to_thread_at(next, KERNEL_SP(next) - 16);
		run_adding(-16, K + 0x700, NOP);
		event((struct tr_event){.kind = TR_EV_SATP,
					.u.satp = {.satp = 2 + i % 2, .space = 10 + i}});
		leave_kernel(USER_SP - 64);
		run(0x110c, JUMP);
		feed();
		m.quiet = i + 2 < PROGRAMS;
	}
	feed();
	CHECK(m.unwind->nnodes < FEW + 1000);
	CHECK(stacks_of(m.unwind)->count < 256);
	machine_end();
	CHECK(strstr(m.text, "\nprog;_start;main 2 @") != NULL);
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

/* Rows wait for a root no longer than there is room; later ones belong to the kernel. */
static void held_too_long(void)
{
	enum { TURNS = (1 << 17) + 1000, A_FRAME = 1000 };
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	m.quiet = true;
	run(K + 0x700, CALL);
	for (int i = 0; i < TURNS; i++) {
		run(K + 0x100, RETURN);
		run(K + 0x708, JUMP);
		run(K + 0x700, CALL);
		if (i % A_FRAME == 0)
			feed();
	}
	feed();
	CHECK(m.out_cycles > 20); /* before the end */
	machine_end();
}

/* A child is identified while another still waits, so the space of its rows is reused:
 * the classes of waiting rows stay theirs. */
static void room_of_held_rows(void)
{
	enum { CALLS = 40, MORE = 100 };
	begin();
	enter_kernel(ECALL, 0x1108, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	for (int i = 0; i < CALLS; i++) {
		run(K + 0x700, CALL);
		run_timed(K + 0x100, RETURN, 1);
		run(K + 0x708, JUMP);
	}
	run(K + 0x700, CALL);
	to_thread_at(2, KERNEL_SP(2) - 512);
	run(K + 0x700, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512 - 64);
	run_adding(64, K + 0x208, RETURN);
	run(K + 0x708, NOP);
	set_space(2);
	leave_kernel(USER_SP - 64);
	for (int i = 0; i < MORE; i++) {
		run(0x110c, CALL);
		for (int n = 0; n < i % 3; n++)
			run_timed(0x1200, BRANCH, 1);
		run_timed(0x1200, RETURN, 1);
		run(0x1114, JUMP);
	}
	CHECK_EQ(machine_end().unmatched, 0);
	CHECK(strstr(m.text, ";[ecall];ret_from_fork;handler 11* @1 3:7\n") ||
	      strstr(m.text, ";[ecall];ret_from_fork;handler 11* 3:7 @1\n"));
	int found = 0, of_foo = 0;
	for (const char *at = m.text; (at = strstr(at, " 3:")); at++, found++) {
		const char *cycles = at;
		while (cycles[-1] != ' ')
			cycles--;
		CHECK_EQ(atoi(cycles) * 7, atoi(at + 3) * 11);
		if (found >= CALLS)
			CHECK_EQ(atoi(at + 3), 7 * (of_foo++ % 3 + 1));
	}
	CHECK_EQ(found, CALLS + MORE);
	static const uint32_t PROCESSES[] = {1, 2, 0, 2};
	CHECK_EQ(m.nprocesses, 4);
	CHECK_EQ(memcmp(m.processes, PROCESSES, sizeof(PROCESSES)), 0);
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

int main(void)
{
	system_call();
	nested();
	satp_in_trap();
	tp_behind_switch();
	jump_out_of_handlers();
	trap_into_own_function();
	handed_on();
	ecall_after_write();
	fork_child();
	new_thread();
	signal_before_all();
	exec();
	signal(USER_SP - 1024);
	signal(0x20000000);
	signal(0x50000000);
	signal_back_on_first();
	signal_stack_again();
	snapshots_kept(75, "\nprog;main 2 @1\n");
	snapshots_kept(76, "\nprog;_start;main 2 @1\n");
	snapshots_kept(1098, "\nprog;_start;main 2 @1\n");
	programs_for_ever();
	next_signal();
	gap_over_trap();
	held_too_long();
	room_of_held_rows();
	return check_done();
}
