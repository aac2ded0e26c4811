/* SPDX-License-Identifier: Apache-2.0 */
/* Unknown code, missing information, and limits. */
#include "unwind-machine.h"

/* Unknown code is based on known frames, and nothing is lost when it ends. */
static void unknown_code(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL_A5);
	run(0x7000, CALL);
	run(0x7100, RETURN); /* unknown calls unknown: one node */
	run(0x7008, CALL_A5);
	run(0x1200, RETURN);
	run(0x7010, RETURN);
	run(0x1108, JUMP);
	run(0x7040, JUMP); /* no call: and back */
	run(0x1110, RETURN);
	run(0x1008, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;[unknown] 6*\n"
			  "prog;_start;main;[unknown];foo 2*\n"
			  "prog;_start;main;[unknown] 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start;main;[unknown] 2\n"
			  "prog;_start;main 2\n"
			  "prog;_start 2\n");
	CHECK_EQ(totals.unknown_instructions, 10);
	CHECK_EQ(totals.unknown_cycles, 10);
	CHECK_EQ(totals.unmatched, 0);
}

/* A callee that is identified only after its first block. */
static void ambiguous_callee(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x7800, BRANCH);
	run(0x1210, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main 2*\n"
			  "prog;main;[ambiguous] 2*\n"
			  "prog;main;foo 2\n"
			  "prog;main 2\n");
	CHECK_EQ(totals.ambiguous_instructions, 2);
	CHECK_EQ(totals.unknown_instructions, 0);
}

/* A program gets its name from its first identified code. */
static void ambiguous_start(void)
{
	machine_begin(true);
	run(0x7800, CALL);
	run(0x7900, CALL);
	run(0x1200, RETURN);
	run(0x7908, NOP);
	EXPECT("[ambiguous] 4\n"
	       "prog;[ambiguous];foo 2*\n"
	       "prog;[ambiguous] 2\n");
}

static void no_symbol(void)
{
	machine_begin(true);
	run(0x1100, CALL);
	run(0x2000, CALL);
	run(0x2100, RETURN);
	run(0x2008, RETURN);
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main 2*\n"
			  "prog;main;[no symbol] 6*\n"
			  "prog;main 2\n");
	CHECK_EQ(totals.nameless_instructions, 6);
	CHECK_STR(m.funcs[2].binary, "prog");
}

static void no_bits(void)
{
	machine_begin(true);
	m.no_bits = true;
	run(0x1000, 0);
	run(0x1100, 0); /* to an entry: a call */
	run(0x1108, 0);
	run(0x1200, 0);
	run(0x1110, 0); /* after the call: a return */
	run(0x1008, 0);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 4*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* Code that ran in a gap may have returned from any frame: only the root remains. In a
 * gap made by tr-split-by-satp other programs ran. */
static void gaps(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, CALL);
	gap(TR_GAP_UNTRACED, 100);
	run(0x1220, NOP); /* the call returned */
	gap(TR_GAP_LOST, 10);
	run(0x1120, CALL); /* foo returned */
	gap(TR_GAP_SPLIT, 1);
	run(0x1310, RETURN); /* in a function that is not active */
	run(0x1128, NOP);
	gap(TR_GAP_LIMIT, 1);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;foo 2*\n"
			  "[untraced] 100\n"
			  "prog;foo 2\n"
			  "[lost] 10\n"
			  "prog;main 2\n"
			  "[other] 1\n"
			  "prog;bar 2\n"
			  "prog;main 2\n"
			  "[limit] 1\n");
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.resyncs, 3);
	CHECK_EQ(totals.beyond, 1);
}

/* The gap hides the return from a trap, or the trap. */
static void gap_over_trap(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	trap(8, 0x1108, S);
	run(K, NOP);
	gap(TR_GAP_LOST, 1);
	event((struct tr_event){.kind = TR_EV_PRIV, .u.priv = {.priv = U}});
	run(0x110c, NOP);
	gap(TR_GAP_LOST, 1);
	event((struct tr_event){.kind = TR_EV_PRIV, .u.priv = {.priv = M}});
	run(F + 0x200, NOP);
	EXPECT("prog;main 2*\n"
	       "prog;main;[ecall];entry 2*\n"
	       "[lost] 1\n"
	       "prog;main 2\n"
	       "[lost] 1\n"
	       "firmware;emulate 2*\n");
}

/* Calls beyond the limit are charged to the last frame, and return correctly; so does a
 * longjmp out of them. */
static void call_deep(int calls)
{
	enum { A_FRAME = 2000 };
	for (int i = 0; i < calls; i++) {
		run_adding(-16, 0x1200, CALL);
		if (i % A_FRAME == 0)
			feed();
	}
}

static void deep_recursion(void)
{
	enum { CALLS = 6000 };
	machine_begin(true);
	m.quiet = true;
	run(0x1100, CALL);
	run(0x1500, RETURN); /* setjmp */
	run_adding(-16, 0x1108, CALL);
	call_deep(CALLS);
	for (int i = 0; i < CALLS; i++)
		run_adding(16, 0x1208, RETURN);
	m.quiet = false;
	run(0x1110, CALL);
	m.quiet = true;
	feed();
	call_deep(CALLS);
	run_with(LOAD_SP, 0x1600, RETURN);
	feed();
	m.quiet = false;
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main 2\n");
	CHECK(totals.depth_refused >= 2);
	CHECK(m.nnodes <= TR_UNWIND_DEPTH + 4);
}

/* Endless traps that never return. */
static void endless_traps(void)
{
	machine_begin(true);
	m.quiet = true;
	run(0x1100, NOP);
	for (int i = 0; i < 20000; i++) {
		trap(2, K, S);
		run(K, NOP);
		if (i % 2000 == 1999)
			feed();
	}
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.traps, 20000);
	CHECK(m.nnodes < 3 * TR_UNWIND_DEPTH);
}

/* The stream's block numbers start again; an active call is not affected. */
static void generations(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	feed();
	m.generation++;
	m.nblocks = m.nnotes = 0;
	run(0x1200, RETURN);
	run(0x1108, RETURN);
	run(0x1008, NOP);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 2*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* A block without a note is unknown; a later note applies from then on. */
static void notes(void)
{
	machine_begin(true);
	run(0x1100, BRANCH);
	m.nnotes = 0;
	feed();
	run(0x1100, BRANCH);
	EXPECT("[unknown] 2\n"
	       "prog;main 2*\n");
}

static void bad_notes(void)
{
	machine_begin(true);
	run(0x1100, NOP);
	m.notes[0].block = 7;
	struct tr_frame frame = {
	    .harts = &m.part, .nharts = 1, .notes = m.notes, .nnotes = 1};
	CHECK_EQ(tr_unwind_frame(m.unwind, &frame, m.nblocks, 2), TR_E_CORRUPT);
	CHECK_EQ(tr_unwind_frame(m.unwind, &frame, m.nblocks, 2), TR_E_CORRUPT);
	tr_unwind_free(m.unwind);

	machine_begin(true);
	run(0x1100, NOP);
	m.notes[0].binary = BINARIES;
	CHECK_EQ(tr_unwind_frame(m.unwind, &frame, m.nblocks, 2), TR_E_CORRUPT);
	tr_unwind_free(m.unwind);
}

/* Endless processes under one satp: state of ended ones is discarded, and a trap right
 * after one has ended is handled. */
static void spaces_without_end(void)
{
	enum { LIVES = 6000, A_FRAME = 300 };
	machine_begin(true);
	m.quiet = true;
	for (uint32_t i = 1; i <= LIVES; i++) {
		m.nnotes = 0;
		m.context.space = m.part.start.space = i;
		m.part.start.satp = 1;
		for (uint32_t k = 0; k < A_FRAME; k++)
			run(0x1000 + 8 * (k % 100), BRANCH);
		run(0x1704, RETURN_X5); /* through two functions */
		feed();
	}
	m.quiet = false;
	run(0x1000, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n");
	CHECK_EQ(totals.unknown_instructions, 0);
	CHECK_EQ(totals.spaces_forgotten, 0);
}

/* More spaces than are kept, none of which is reported as ended. The kernel stays. */
static void spaces_that_stay(void)
{
	enum { BLOCKS = 100, SPACES = 80 };
	machine_begin(true);
	trap(ECALL, 0x1000, S);
	run(K, SRET);
	xret(U);
	for (uint32_t k = 0; k < BLOCKS; k++)
		run(0x1000 + 8 * k, NOP);
	feed();
	for (uint32_t frame = 0; frame <= TR_UNWIND_PAIRS / (BLOCKS * SPACES); frame++) {
		m.nnotes = 0;
		for (uint32_t i = 0; i < BLOCKS * SPACES; i++)
			m.notes[m.nnotes++] =
			    (struct tr_note){.address = 0x1000 + 8 * (i % BLOCKS),
					     .block = i % BLOCKS,
					     .space = 2 + frame * SPACES + i / BLOCKS};
		run(0x1000, NOP);
		feed();
	}
	set_space(5);
	run(0x1000, NOP);
	set_space(1);
	run(0x1000, NOP);
	trap(ECALL, 0x1008, S);
	run(K, SRET);
	m.nnotes = 0;
	struct tr_unwind_totals totals = machine_end();
	CHECK(totals.spaces_forgotten > TR_UNWIND_PAIRS / BLOCKS / 3);
	CHECK_EQ(totals.unknown_instructions, 2);
}

int main(void)
{
	unknown_code();
	ambiguous_callee();
	ambiguous_start();
	no_symbol();
	no_bits();
	gaps();
	gap_over_trap();
	deep_recursion();
	endless_traps();
	generations();
	notes();
	bad_notes();
	spaces_without_end();
	spaces_that_stay();
	return check_done();
}
