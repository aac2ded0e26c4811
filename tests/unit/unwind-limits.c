/* SPDX-License-Identifier: Apache-2.0 */
/* At the depth limit: calls beyond it are charged to the last frame, and only counted
 * until they return. */
#include "unwind-machine.h"

/* baz, called by bar, is the last frame for which there is room, and calls. */
static void fill(void)
{
	machine_begin(true);
	m.quiet = true;
	run_adding(-16, 0x1000, CALL);
	run_adding(-16, 0x1100, CALL);
	for (int i = 0; i < TR_UNWIND_DEPTH - 5; i++)
		run_adding(-16, 0x1200, CALL);
	run_adding(-16, 0x1300, CALL);
	run_adding(-16, 0x1400, CALL);
	feed();
	m.quiet = false;
}

/* A row that adds to sp, and the expected end of its output line. */
static void expect(int bytes, uint64_t pc, uint32_t last, const char *end)
{
	size_t size = strlen(end);
	m.length = 0;
	run_adding(bytes, pc, last);
	feed();
	if (CHECK(m.length > size))
		CHECK_STR(m.text + m.length - size, end);
}

#define LIMIT ";foo;bar;baz 2\n"

static void calls_beyond(void)
{
	fill();
	expect(-16, 0x1100, CALL, LIMIT);
	expect(0, 0x1210, RETURN, LIMIT); /* into the middle: still called */
	expect(16, 0x1108, RETURN, LIMIT);
	expect(16, 0x1408, RETURN, LIMIT);
	expect(16, 0x1308, RETURN, ";foo;foo;bar 2\n");
	expect(16, 0x1208, NOP, ";foo;foo;foo 2\n");
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.depth_refused, 2);
	CHECK_EQ(totals.calls, TR_UNWIND_DEPTH);
	CHECK_EQ(totals.returns, 4);
	CHECK_EQ(totals.unmatched, 0);
}

/* "call .+4" is no call there either, except to an entry. */
static void call_to_next(void)
{
	fill();
	expect(-16, 0x11f8, CALL, LIMIT);
	expect(-16, 0x1200, CALL, LIMIT); /* called */
	expect(16, 0x1208, RETURN, LIMIT);
	expect(16, 0x1200, RETURN, LIMIT);
	expect(16, 0x1408, RETURN, LIMIT);
	expect(16, 0x1308, NOP, ";foo;foo;bar 2\n");
	CHECK_EQ(machine_end().depth_refused, 2);
}

/* Unknown code that was not called is not counted. */
static void nameless_code(void)
{
	fill();
	expect(0, 0x1100, RETURN, LIMIT);
	expect(0, 0x1408, NOP, LIMIT);
	expect(16, 0x7000, RETURN, ";baz;[unknown] 2\n");
	expect(16, 0x1308, NOP, ";foo;foo;bar 2\n");
	machine_end();
}

/* Traps still have room, but not the calls in them; after they return, the calls are
 * active as before. */
static void trap_beyond(void)
{
	fill();
	expect(-16, 0x1100, NOP, LIMIT);
	trap(TIMER, 0x1108, S);
	expect(0, K, SRET, ";foo;bar;baz;[timer interrupt] 2\n");
	xret(U);
	expect(16, 0x1108, RETURN, LIMIT);
	expect(16, 0x1408, RETURN, LIMIT);
	expect(16, 0x1308, NOP, ";foo;foo;bar 2\n");
	machine_end();
}

int main(void)
{
	calls_beyond();
	call_to_next();
	nameless_code();
	trap_beyond();
	return check_done();
}
