/* SPDX-License-Identifier: Apache-2.0 */
/* State that the matcher discards to stay small: never that of running programs. */
#include "match-world.h"

/* A program that starts again and again: state of ended lives is discarded, but their
 * counts remain. */
static void lives_leave_no_pairs(void)
{
	enum { LIVES = 1000, BLOCKS = 240, KEPT = 1 << 16, A_FRAME = 20 };
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned life = 0; life < LIVES; life++) {
		to_user(&w);
		for (unsigned i = 0; i < BLOCKS; i++)
			run(&w, &p[0], 0x10000, i, 1);
		to_kernel(&w);
		if (life % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	match(&w, 3, 2048);
	clean_up(&w);
	CHECK_EQ(w.report.spaces, LIVES);
	CHECK_EQ(w.report.matched.instructions, LIVES * BLOCKS);
	CHECK(w.most_pairs > KEPT && w.most_pairs < KEPT + 2 * A_FRAME * BLOCKS);
}

/* Endlessly starting processes, each with its own satp: idle ones keep no pairs, and are
 * recognised as the same space when they run again. */
static void rest_leaves_no_pairs(void)
{
	enum { SATPS = 1000, BLOCKS = 200, KEPT = 1 << 16, A_FRAME = 20 };
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 0; i <= SATPS; i++) {
		set_satp(&w, SATP_A + i % SATPS);
		to_user(&w);
		for (unsigned k = 1; k <= BLOCKS; k++)
			run(&w, &p[0], 0x10000, k, 1);
		to_kernel(&w);
		if (i % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	match(&w, 3, 2048);
	clean_up(&w);
	CHECK_EQ(w.report.spaces, SATPS);
	CHECK_EQ(w.report.unknown.instructions, 0);
	CHECK_EQ(w.report.matched.instructions, (SATPS + 1) * BLOCKS);
	CHECK_EQ(w.report.cached + w.report.searched, (SATPS + 1) * BLOCKS);
	CHECK(w.most_pairs > KEPT && w.most_pairs < KEPT + 2 * A_FRAME * BLOCKS);
}

static void visit(struct world *w, const struct program *p, uint64_t satp, unsigned n)
{
	set_satp(w, satp);
	to_user(w);
	for (unsigned k = 1; k <= n; k++)
		run(w, p, 0x10000, k, 1);
	to_kernel(w);
}

/* A process that runs in every frame among them keeps its pairs: each of its blocks is
 * checked once, and counted correctly. */
static void who_runs_keeps_pairs(void)
{
	enum { SATPS = 500, BLOCKS = 200, A_FRAME = 20 };
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 1; i <= SATPS; i++) {
		visit(&w, &p[0], SATP_A + i, BLOCKS);
		visit(&w, &p[0], SATP_A, BLOCKS);
		to_user(&w);
		run(&w, &p[0], 0x7ff000, 1, 1);
		to_kernel(&w);
		if (i % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	match(&w, 3, 2048);
	clean_up(&w);
	CHECK_EQ(w.report.spaces, SATPS + 1);
	CHECK_EQ(w.report.cached + w.report.searched, (SATPS + 1) * BLOCKS + 1);
	CHECK_EQ(w.report.matched.instructions, 2 * SATPS * BLOCKS);
	CHECK_EQ(w.report.unknown.instructions, SATPS);
}

/* Undecided blocks in it stay undecided, and are counted when they are decided. */
static void who_waits_is_decided(void)
{
	enum { SATPS = 500, BLOCKS = 200, A_FRAME = 20 };
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 1; i <= SATPS; i++) {
		visit(&w, &p[0], SATP_A + i, BLOCKS);
		visit(&w, &p[1], SATP_A, 15);
		if (i % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	visit(&w, &p[1], SATP_A, 20);
	match(&w, 3, 2048);
	clean_up(&w);
	CHECK_EQ(w.report.ambiguous.instructions, 15 * SATPS);
	CHECK_EQ(w.report.matched.instructions, BLOCKS * SATPS + 20);
}

/* Returns the space of the n-th row from the end. */
static uint32_t space_at_end(const struct world *w, uint32_t n)
{
	return w->spaces[(w->nrows - n) % MAX_NOTES];
}

/* Endlessly starting processes, each with its own satp: the half that ran last are the
 * same spaces when they run again, the others are new. Hart 1 ran user code first, and is
 * in the kernel since then: it continues in its space. */
static void who_ran_last_stays(void)
{
	enum { SATPS = 10000, A_FRAME = 512, MADE = SATPS + 1 };
	static const struct tr_context KERNEL = {.priv = TR_PRIV_S};
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	CHECK_EQ(tr_writer_begin(w.writer, 1, 0, &KERNEL), TR_OK);
	w.hart = 1;
	visit(&w, &p[1], SATP_A, 20);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	w.hart = 0;
	for (unsigned i = 1; i <= SATPS; i++) {
		visit(&w, &p[0], SATP_A + i, 20);
		if (i == 8000)
			visit(&w, &p[0], SATP_A + 7, 1);
		if (i % A_FRAME == 0)
			CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	visit(&w, &p[0], SATP_A + 4000, 1);
	visit(&w, &p[0], SATP_A + 5000, 1);
	visit(&w, &p[0], SATP_A + 7, 1);
	visit(&w, &p[0], SATP_A + 1, 1);
	w.hart = 1;
	to_user(&w);
	run(&w, &p[1], 0x10000, 1, 1);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.spaces, MADE + 2);
	CHECK_EQ(space_at_end(&w, 5), MADE + 1);
	CHECK_EQ(space_at_end(&w, 4), 5001);
	CHECK_EQ(space_at_end(&w, 3), 8);
	CHECK_EQ(space_at_end(&w, 2), MADE + 2);
	CHECK_EQ(space_at_end(&w, 1), 1);
}

int main(void)
{
	lives_leave_no_pairs();
	rest_leaves_no_pairs();
	who_runs_keeps_pairs();
	who_waits_is_decided();
	who_ran_last_stays();
	return check_done();
}
