/* SPDX-License-Identifier: Apache-2.0 */
/* What is not known, what is missing, and the limits. */
#include "unwind-machine.h"

/* Unknown code stands on what is known, and nothing is lost when it ends. */
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
			  "prog;_start;main;[unknown] 2*\n"
			  "prog;_start;main;[unknown] 4*\n"
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

/* A callee that is told apart only after its first block. */
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

/* A program gets its name from the first code of it that is known. */
static void ambiguous_start(void)
{
	machine_begin(true);
	run(0x7800, CALL);
	run(0x7900, CALL);
	run(0x1200, RETURN);
	run(0x7908, NOP);
	EXPECT("[ambiguous] 2*\n"
	       "[ambiguous] 2*\n"
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
			  "prog;main;[no symbol] 2*\n"
			  "prog;main;[no symbol] 4*\n"
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
	run(0x1110, 0); /* behind the call: a return */
	run(0x1008, 0);
	EXPECT("prog;_start 2*\n"
	       "prog;_start;main 4*\n"
	       "prog;_start;main;foo 2*\n"
	       "prog;_start;main 2\n"
	       "prog;_start 2\n");
}

/* After a gap the stack is taken up again where it can be. */
static void gaps(void)
{
	machine_begin(true);
	run(0x1000, CALL);
	run(0x1100, CALL);
	run(0x1200, CALL);
	gap(TR_GAP_UNTRACED, 100);
	run(0x1220, NOP); /* the call came back */
	gap(TR_GAP_LOST, 10);
	run(0x1120, CALL); /* foo returned */
	gap(TR_GAP_SPLIT, 1);
	run(0x1310, RETURN); /* in a function that is not open */
	run(0x1128, NOP);
	gap(TR_GAP_LIMIT, 1);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;_start 2*\n"
			  "prog;_start;main 2*\n"
			  "prog;_start;main;foo 2*\n"
			  "[untraced] 100\n"
			  "prog;_start;main;foo 2\n"
			  "[lost] 10\n"
			  "prog;_start;main 2\n"
			  "[other] 1\n"
			  "prog;_start;bar 2\n"
			  "prog;_start;main 2\n"
			  "[limit] 1\n");
	CHECK_EQ(totals.unmatched, 1);
	CHECK_EQ(totals.resyncs, 2); /* where another function goes on than before */
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
	       "prog;main;[trap];emulate 2*\n");
}

/* Calls beyond the limit are charged to the frame there, and come back right;
 * a longjmp out of them too. */
static void deep_recursion(void)
{
	enum { CALLS = 6000, A_FRAME = 2000 };
	machine_begin(true);
	m.quiet = true;
	run(0x1100, CALL);
	run(0x1500, RETURN); /* setjmp */
	run(0x1108, CALL);
	for (int i = 0; i < CALLS; i++) {
		run(0x1200, CALL);
		if (i % A_FRAME == 0)
			feed();
	}
	for (int i = 0; i < CALLS; i++) {
		run(0x1208, RETURN);
		if (i % A_FRAME == 0)
			feed();
	}
	m.quiet = false;
	run(0x1110, CALL);
	m.quiet = true;
	feed();
	for (int i = 0; i < CALLS; i++) {
		run(0x1200, CALL);
		if (i % A_FRAME == 0)
			feed();
	}
	run(0x1600, RETURN);
	feed();
	m.quiet = false;
	run(0x1108, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_STR(m.text, "prog;main 2\n");
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.longjmps, 1);
	CHECK_EQ(totals.depth_refused, 2 * (CALLS - (TR_UNWIND_DEPTH - 2)) + 1);
	CHECK(m.nnodes <= TR_UNWIND_DEPTH + 2);
}

/* Traps for ever that never return. */
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

/* The stream's numbers for blocks begin again; an open call does not mind. */
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

/* A block without any note is unknown; a later note counts from then on. */
static void notes(void)
{
	machine_begin(true);
	run(0x1100, BRANCH);
	m.nnotes = 0;
	feed();
	run(0x1100, BRANCH);
	EXPECT("[unknown] 2*\nprog;main 2\n");
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

/* A thread goes from hart 0 to hart 1 in the middle of a frame. */
static void migration(void)
{
	machine_begin(true);
	m.context = m.part.start = (struct tr_context){.priv = S};
	set_tp(T);
	run(K, CALL);
	run(K + 0x200, CALL);
	run(K + 0x300, NOP);
	set_tp(T + 0x1000);
	run(K + 0x308, NOP);
	feed();
	CHECK_STR(m.text, "kernel;entry 2* @0\n"
			  "kernel;entry;schedule 2* @0\n"
			  "kernel;entry;schedule;switch_to 2* @0\n"
			  "kernel;switch_to 2* @1\n");
	m.length = 0;

	/* Hart 0 gives its thread away at cycle 14; hart 1 takes it at 16. */
	struct tr_context context = m.context;
	struct tr_hart_frame parts[2] = {m.part, m.part};
	m.part.start.tp = 0;
	run(K + 0x310, CALL);
	run(K + 0x100, NOP);
	run(K + 0x108, NOP);
	set_tp(T + 0x2000);
	run(K + 0x110, NOP);
	parts[0] = m.part;
	parts[0].start = context;
	parts[0].start_cycle = 8;
	parts[0].tokens = 8;
	m.part.rows += m.part.nrows;
	m.part.events += m.part.nevents;
	struct tr_row *rows = m.rows + parts[0].nrows;
	parts[1].rows = rows;
	uint32_t before = parts[0].nrows;
	m.part.nrows = before;
	run(K + 0x300, NOP);
	run(K + 0x300, NOP);
	run(K + 0x300, NOP);
	run(K + 0x300, NOP);
	run(K + 0x110, NOP);
	struct tr_event take = {
	    .kind = TR_EV_REG, .row = 4, .u.reg = {.value = T + 0x1000, .reg = 4}};
	parts[1].start = (struct tr_context){.priv = S};
	parts[1].start_cycle = 8;
	parts[1].hart = 1;
	parts[1].nrows = 5;
	parts[1].events = &take;
	parts[1].nevents = 1;
	struct tr_frame frame = {.number = 1,
				 .harts = parts,
				 .nharts = 2,
				 .notes = m.notes,
				 .nnotes = m.nnotes};
	CHECK_EQ(tr_unwind_frame(m.unwind, &frame, m.nblocks, 2), TR_OK);
	m.part.nrows = m.part.nevents = 0;
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.threads, 5);
	CHECK(strstr(m.text, "h1 kernel;switch_to;handler 2 @1\n") != NULL);
}

/* Processes come and go under one satp: what was known of the dead goes too, and
 * a trap right after the old one is gone does not mind. */
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

/* More threads than are kept: the one that runs stays, its stack too. */
static void threads_without_end(void)
{
	enum { A_FRAME = 2000 };
	machine_begin(true);
	m.quiet = true;
	m.context = m.part.start = (struct tr_context){.priv = S};
	for (uint64_t i = 0; i < TR_UNWIND_THREADS + 10; i++) {
		set_tp(T + 0x1000 * i);
		run(K, CALL);
		if (i % A_FRAME == 0)
			feed();
	}
	run(K + 0x100, RETURN);
	m.quiet = false;
	run(K + 8, NOP);
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.threads_forgotten, TR_UNWIND_THREADS / 2);
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.beyond, 0);
}

/* More spaces than are kept, none of which says that it ended. The kernel stays. */
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
	migration();
	spaces_without_end();
	threads_without_end();
	spaces_that_stay();
	return check_done();
}
