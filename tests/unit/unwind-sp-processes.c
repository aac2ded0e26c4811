/* SPDX-License-Identifier: Apache-2.0 */
/* Forks, threads and programs, with sp reported. */
#include "unwind-kernel.h"
#include "unwind/stacks.h"

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

/* A goroutine was left in one thread; another thread continues it. Its next trap is not a
 * switch of threads. */
static void continued_by_another_thread(void)
{
	begin();
	run(0x1108, CALL);
	run(0x1400, NOP);
	write_sp(0x1408, LOAD_SP, 0x3fe00000);
	run(0x1410, RETURN_X5);
	run(0x1200, NOP);
	enter_kernel(ECALL, 0x1208, 0);
	set_tp(T);
	run(K + 0x100, CALL);
	to_thread_at(1, KERNEL_SP(1) - 512);
	write_sp(K + 0x700, LOAD_SP, 0x3ff00000);
	run(K + 0x708, SRET);
	xret(U);
	set_tp(0);
	run_adding(-16, 0x130c, NOP);
	write_sp(0x1314, LOAD_SP, USER_SP - 64);
	run(0x131c, RETURN_X5);
	run(0x1110, NOP);
	trap(LOAD_FAULT, 0x1118, S);
	set_tp(T + 0x1000);
	write_sp(K, SWAP_SP, KERNEL_SP(1));
	run_adding(-256, K + 8, CALL);
	run(K + 0x100, NOP);
	machine_end();
	CHECK(strstr(m.text, "\nprog;_start;main 2 @1\n") != NULL);
	CHECK(strstr(m.text,
		     "\nprog;_start;main;[load page fault];entry;handler 2* @1\n") !=
	      NULL);
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
	CHECK(tr_nodes_count(nodes_of(m.unwind)) < FEW + 1000);
	CHECK(!stacks_nth(m.unwind, 255));
	machine_end();
	CHECK(strstr(m.text, "\nprog;_start;main 2 @") != NULL);
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

int main(void)
{
	fork_child();
	new_thread();
	continued_by_another_thread();
	exec();
	snapshots_kept(75, "\nprog;main 2 @1\n");
	snapshots_kept(76, "\nprog;_start;main 2 @1\n");
	snapshots_kept(1098, "\nprog;_start;main 2 @1\n");
	programs_for_ever();
	held_too_long();
	room_of_held_rows();
	return check_done();
}
