/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in several files, and the stacks of Go, with sp reported. */
#include "unwind-machine.h"

#define STACK_A UINT64_C(0x3fff0000)
#define STACK_B UINT64_C(0x4000a000)
#define STACK_C UINT64_C(0x40020000)

static void begin(void)
{
	machine_begin_sp(false);
	tell_sp(STACK_A);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, NOP);
}

/* The page of a library's function is missing at its first instruction, in a file other
 * than that of the call. */
static void fault_in_another_file(void)
{
	begin();
	run(0x1108, CALL);
	trap(FETCH_FAULT, 0x6000, S);
	run(K, NOP);
	run(K + 8, SRET);
	xret(U);
	run(0x6000, RETURN);
	run(0x1110, JUMP_A5);
	trap(FETCH_FAULT, 0x6000, S);
	run(K, SRET);
	xret(U);
	run(0x6000, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 4*\n"
	       "prog;_start;main;clock;[fetch page fault];entry 4*\n"
	       "prog;_start;main;clock 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start;clock;[fetch page fault];entry 2*\n"
	       "prog;_start;clock 2*\n");
}

/* A loader resets sp and jumps to the program: its frames are gone. */
static void started_by_a_loader(void)
{
	begin();
	run(0x1108, CALL);
	run_adding(-32, 0x1200, CALL);
	write_sp(0x1300, MOVE_SP, STACK_A);
	run(0x1308, JUMP_A5);
	run(0x1400, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 4*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main;foo;bar 4*\n"
	       "prog;baz 2*\n");
}

/* A process that begins in a loader, which faults at its first instruction. */
static void begun_in_a_loader(void)
{
	machine_begin_sp(true);
	m.context = m.part.start = (struct tr_context){.priv = S, .satp = 1, .tp = T};
	tell_sp(STACK(0));
	run(K + 0x400, SRET);
	event((struct tr_event){.kind = TR_EV_SATP, .u.satp = {.satp = 2, .space = 2}});
	xret(U);
	tell_sp(STACK_A);
	trap(FETCH_FAULT, 0x6000, S);
	tell_sp(STACK(0));
	run(K, NOP);
	tell_sp(STACK_A);
	run(K + 8, SRET);
	xret(U);
	run(0x6000, CALL);
	run(0x1000, NOP);
	machine_end();
	CHECK(strstr(m.text, "prog;clock;[fetch page fault];entry") != NULL);
	CHECK(strstr(m.text, "prog;clock;_start 2*") != NULL);
	CHECK(strstr(m.text, "prog;[fetch") == NULL);
}

/* Go's scheduler has run on stack B. Then goroutine main, on stack A. */
static void begin_go(void)
{
	machine_begin_sp(false);
	tell_sp(STACK_B);
	run_adding(-64, 0x1000, CALL);
	write_sp(0x1400, LOAD_SP, STACK_A);
	run(0x1408, RETURN_X5);
	run_adding(-32, 0x1100, CALL);
}

#define BEGUN_GO                                                                         \
	"prog;_start 2*\n"                                                               \
	"prog;_start;baz 4*\n"                                                           \
	"prog;main 2*\n"

/* A function of the runtime calls another one on the scheduler's stack. */
static void called_on_another_stack(void)
{
	begin_go();
	run_adding(-16, 0x1b00, NOP);
	write_sp(0x1b08, MOVE_SP, STACK_B - 64);
	run(0x1b10, CALL_A5);
	run_adding(-16, 0x1200, NOP);
	run_adding(16, 0x1208, RETURN);
	write_sp(0x1b18, LOAD_SP, STACK_A - 48);
	run_adding(16, 0x1b20, RETURN);
	run(0x1108, NOP);
	EXPECT(BEGUN_GO "prog;main;runtime.systemstack 6*\n"
			"prog;main;runtime.systemstack;foo 4*\n"
			"prog;main;runtime.systemstack 4\n"
			"prog;main 2\n");
}

/* The stack is too small: it is copied elsewhere while the scheduler's is used. */
static void copied(void)
{
	begin_go();
	run(0x1300, CALL_X5);
	write_sp(0x1c00, LOAD_SP, STACK_B - 64);
	run(0x1c08, CALL);
	run_adding(-16, 0x1200, NOP);
	write_sp(0x1208, LOAD_SP, STACK_C - 32);
	run(0x1210, RETURN_X5);
	run_adding(-16, 0x1308, NOP);
	run_adding(16, 0x1310, RETURN);
	run(0x1108, NOP);
	EXPECT(BEGUN_GO "prog;main;bar 2*\n"
			"prog;main;bar;runtime.morestack 4*\n"
			"prog;main;bar;runtime.morestack;foo 6*\n"
			"prog;main;bar 4\n"
			"prog;main 2\n");
}

int main(void)
{
	fault_in_another_file();
	started_by_a_loader();
	begun_in_a_loader();
	called_on_another_stack();
	copied();
	return check_done();
}
