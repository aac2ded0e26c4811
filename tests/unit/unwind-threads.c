/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and address spaces: identifying who runs. */
#include "unwind-machine.h"

/* Firmware, then the kernel, then its first program: each has its own root. */
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
	       "kernel;thread_start 2 @0\n"
	       "kernel;thread_start;schedule 2* @0\n"
	       "prog;_start 2* @0\n"
	       "[end] 7\n");
}

/* `la tp, record` is two instructions: the first one's value names no thread. The code
 * behind it, which does not call at once, already runs on the thread. */
static void halves_of_an_address(void)
{
	machine_begin_sp(true);
	m.context = m.part.start = (struct tr_context){.priv = S};
	tell_sp(STACK(1));
	run(K + 0x400, NOP);
	write_sp(K + 0x408, MOVE_SP, STACK(2));
	run(K + 0x410, AUIPC_TP);
	set_tp(T + 0x3000);
	run(K + 0x418, ADDI_TP);
	set_tp(T + 0x1000);
	for (int i = 0; i < 3; i++)
		run(K + 0x420, BRANCH);
	run(K + 0x428, CALL);
	run(K + 0x100, NOP);
	EXPECT("kernel;thread_start 8*\n"
	       "kernel;thread_start 8 @1\n"
	       "kernel;thread_start;handler 2* @1\n");
}

/* Two threads take turns; the second is new the first time, and its record is reused by a
 * third later. */
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
	run(K + 0x400, NOP); /* a new thread in the same record */
	EXPECT("prog;main 2* @0\n"
	       "prog;main;[timer interrupt];entry 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 4* @0\n"
	       "kernel;thread_start 2* @1\n"
	       "kernel;thread_start;schedule 2* @1\n"
	       "kernel;thread_start;schedule;switch_to 4* @1\n"
	       "prog;main;[timer interrupt];entry;schedule 2 @0\n"
	       "prog;main;[timer interrupt];entry 2 @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 4* @0\n"
	       "kernel;thread_start;schedule 2 @1\n"
	       "kernel;thread_start;schedule;schedule 2* @1\n"
	       "kernel;thread_start;schedule;schedule;switch_to 4* @1\n"
	       "prog;main;[timer interrupt];entry;schedule 2 @0\n"
	       "prog;main;[timer interrupt];entry;schedule;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;schedule;switch_to 4* @0\n"
	       "kernel;thread_start 2* @1\n");
}

/* After the first return on a thread has matched, an unmatched one does not start a new
 * thread in its place. */
static void second_return(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	set_tp(T);
	run(K, CALL);
	to_thread(T + 0x1000);
	run(K + 0x400, CALL);
	to_thread(T);
	m.quiet = true;
	feed();
	m.quiet = false;
	run(K + 0x208, RETURN);
	run(K + 0x110, NOP);
	CHECK_EQ(machine_end().unmatched, 1);
	CHECK_STR(m.text, "prog;main;[timer interrupt];entry;schedule 2 @0\n"
			  "prog;main;[timer interrupt];entry;handler 2 @0\n");
}

/* tp names an unknown thread which continues where the previous one would, too: it is
 * another one nevertheless. */
static void unknown_thread(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	set_tp(T);
	run(K, CALL);
	to_thread(T + 0x1000);
	run(K + 0x208, RETURN);
	run(K + 8, NOP);
	EXPECT("prog;main 2* @0\n"
	       "prog;main;[timer interrupt];entry 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule 2* @0\n"
	       "prog;main;[timer interrupt];entry;schedule;switch_to 4* @0\n"
	       "kernel;schedule 2 @1\n"
	       "kernel;entry 2 @1\n");
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
	       "prog;main;[timer interrupt];entry 4*\n"
	       "prog;foo 2*\n"
	       "prog;foo;[timer interrupt];entry 4*\n"
	       "prog;main 2\n");
}

/* The firmware, and a kernel without a space, run on the interrupted thread. */
static void threads_by_user_space(void)
{
	machine_begin(false);
	run(0x1100, NOP);
	trap(TIMER, 0x1108, S);
	run(K, NOP);
	set_space(0);
	run(K + 8, NOP);
	trap(TIMER, K + 0x10, M);
	set_space(2);
	run(F + 0x100, MRET);
	xret(S);
	run(K + 0x10, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[timer interrupt];entry 4*\n"
	       "prog;main;[timer interrupt];entry;[timer interrupt];m_entry 2*\n"
	       "prog;main;[timer interrupt];entry 2\n");
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

/* A new process faults at its entry before its first instruction; its space is only known
 * when that runs. Until then, faults belong to the kernel. */
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
	       "prog;_start;[fetch page fault];entry 2* @0\n"
	       "prog;_start;[fetch page fault];entry 6* @0\n"
	       "prog;_start 2* @0\n");
}

/* The same thread's next user code belongs to another program, with another satp: the
 * fault was not that program's. */
static void fault_of_another_space(void)
{
	machine_begin(true);
	m.context = m.part.start = (struct tr_context){.priv = S, .satp = 5};
	set_tp(T);
	run(K + 0x400, SRET);
	xret(U);
	trap(FETCH_FAULT, 0x1000, S);
	run(K, NOP);
	set_space(9);
	run(K + 8, SRET);
	xret(U);
	run(0x1000, NOP);
	EXPECT("kernel;thread_start 2* @0\n"
	       "[unknown];[fetch page fault];entry 4* @0\n"
	       "other;other 2* @0\n");
}

/* After a gap no lookahead identifies the owner of a trap: it belongs to the space that
 * ran before. */
static void trap_after_gap(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	gap(TR_GAP_LOST, 1);
	trap(TIMER, 0x1110, S);
	run(K, NOP);
	EXPECT("prog;main 2*\n"
	       "[lost] 1\n"
	       "prog;main;[timer interrupt];entry 2*\n");
}

/* One instruction of each thread, fed one frame at a time. */
static void run_threads(uint64_t first, uint64_t end, uint64_t step)
{
	enum { A_FRAME = 2000 };
	for (uint64_t i = first; i < end; i++) {
		write_sp(K + 0x300, LOAD_SP, STACK(i));
		set_tp(T + step * i);
		run(K + 0x308, RETURN);
		run(K, NOP);
		if (i % A_FRAME == 0)
			feed();
	}
	feed();
}

/* More threads than are kept, while hart 1 is idle in one of the oldest. */
static void idle_while_forgotten(void)
{
	machine_begin_sp(true);
	m.quiet = true;
	m.part.hart = 1;
	m.context = m.part.start = (struct tr_context){.priv = S};
	set_tp(T);
	write_sp(K + 0x10, MOVE_SP, STACK(0));
	run(K, CALL);
	feed();
	const struct tr_context idle = m.part.start;
	m.part.hart = 0;
	run_threads(1, TR_UNWIND_THREADS + 10, 0x1000);
	m.quiet = false;
	m.part.hart = 1;
	m.context = m.part.start = idle;
	run(K + 0x100, NOP);
	CHECK(machine_end().threads_forgotten > 0);
	CHECK_STR(m.text, "h1 kernel;entry;handler 2* @0\n");
}

/* More threads than there are ids: thread 0, which is without tp, stands for the rest. */
static void threads_beyond_the_ids(void)
{
	machine_begin_sp(true);
	m.quiet = true;
	m.context = m.part.start = (struct tr_context){.priv = S};
	run_threads(0, TR_UNWIND_THREAD_IDS + 1, 0x800);
	m.quiet = false;
	run(K + 0x10, NOP);
	CHECK(machine_end().threads_refused > 0);
	CHECK_STR(m.text, "kernel;entry 2\n");
}

int main(void)
{
	boot();
	halves_of_an_address();
	threads();
	second_return();
	unknown_thread();
	threads_by_space();
	threads_by_user_space();
	exec();
	exec_of_itself();
	fault_before_the_first_instruction();
	fault_of_another_space();
	trap_after_gap();
	idle_while_forgotten();
	threads_beyond_the_ids();
	return check_done();
}
