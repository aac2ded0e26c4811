/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinder reports the failure of each of its allocations. */
#include "no-memory.h"
#include "unwind-machine.h"

static void rows(void)
{
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1500, RETURN); /* setjmp */
	run(0x1108, CALL_A5);
	for (unsigned i = 0; i < 80; i++)
		run(0x1200, CALL); /* a stack that grows */
	run(0x1704, RETURN_X5);	   /* across functions */
	for (uint32_t space = 2; space < 80; space++) {
		trap(8, 0x1320, S);
		set_tp(T + 0x1000 * space);
		run(K, CALL);
		run(K + 0x500, RETURN); /* a fork */
		run(K + 8, SRET);
		set_space(space);
		xret(U);
		run(0x1000 + 8 * (space % 30), CALL);
	}
	trap(ECALL, 0x1320, S);
	run(K + 0x500, NOP); /* a child that begins in the kernel is held back */
	if (m.has_sp) {
		write_sp(K + 0x308, LOAD_SP, STACK(1));
		set_tp(T + 0x100000);
		run(K + 0x310, RETURN);
	} else {
		to_thread(T + 0x100000);
	}
	run_timed(K + 0x700, NOP, 1);
	trap(TIMER, K + 0x708, M);
	run(F + 0x100, MRET);
	xret(S);
	run(K + 0x708, SRET);
	xret(U);
	run(0x1400, NOP); /* a signal */
	trap(TIMER, 0x1408, S);
	run(K, SRET);
	xret(U);
	run(0x1300, RETURN);
	gap(TR_GAP_LOST, 1);
	run(0x1100, NOP);
}

/* Two frames, so that the state left by the first is used again. */
static int feed_twice(void)
{
	struct tr_frame frame = {
	    .harts = &m.part, .notes = m.notes, .nharts = 1, .nnotes = m.nnotes};
	int status = tr_unwind_frame(m.unwind, &frame, m.nblocks, 2);
	frame.number = 1;
	if (!status)
		status = tr_unwind_frame(m.unwind, &frame, m.nblocks, 2);
	return status;
}

static void fail_each(bool has_sp)
{
	unsigned long n = 1;
	for (memory_failed = true; memory_failed; n++) {
		machine_begin_with(true, has_sp);
		m.quiet = true;
		rows();
		memory_fail_at(n);
		int status = feed_twice();
		if (!status)
			status = tr_unwind_finish(m.unwind);
		memory_left = 0;
		if (!CHECK_EQ(status, memory_failed ? TR_E_NOMEM : TR_OK))
			fprintf(stderr, "allocation %lu\n", n);
		tr_unwind_free(m.unwind);
	}
	CHECK(n > 50);
	machine_begin_with(true, has_sp);
	rows();
	machine_end(); /* nothing is lost if none fails */
}

int main(void)
{
	fail_each(false);
	fail_each(true);
	return check_done();
}
