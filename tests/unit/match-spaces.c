/* SPDX-License-Identifier: Apache-2.0 */
/* The matcher tells spaces apart: shared prefixes, reused satps, kernels at two
 * addresses, position-independent code, and code of nobody. */
#include "match-world.h"

static void shared_prefix_waits_for_the_difference(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[1], 0x10000, 4, 4);
	run(&w, &p[1], 0x10000, 8, 4);
	run(&w, &p[1], 0x10000, 20, 4);
	run(&w, &p[1], 0x10000, 4, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.nrows, 4);
	for (unsigned i = 0; i < w.nrows; i++) {
		CHECK_EQ(w.rows[i].binary, 1);
		CHECK_EQ(w.spaces[i], 1);
	}
	CHECK_EQ(w.rows[0].address, 0x10010);
	CHECK_EQ(w.report.matched.instructions, 16);
	CHECK_EQ(w.report.ambiguous.instructions, 0);
}

static void equal_code_stays_ambiguous(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 0, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.report.ambiguous.instructions, 12);
}

static void too_few_tokens_are_no_match(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 2);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 2);
	finish(&w, 2, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
}

static void code_of_nobody_is_unknown(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 4);
	run(&w, &p[0], 0x7ff000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.report.unknown.instructions, 4);
	CHECK_EQ(w.report.matched.cycles, 4);
}

/* The paper's extreme case: another program in the same satp, with the same
 * code at the same addresses, up to its first difference. */
static void reused_satp_is_another_program(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 0, 8);
	run(&w, &p[0], 0x10000, 20, 4);
	to_kernel(&w);
	to_user(&w);
	run(&w, &p[1], 0x10000, 0, 8);
	run(&w, &p[1], 0x10000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[1].binary, 0);
	CHECK_EQ(w.rows[2].binary, 1);
	CHECK_EQ(w.rows[3].binary, 1);
	CHECK(w.spaces[0] != w.spaces[2]);
	CHECK_EQ(w.report.spaces, 2);
}

/* The same without the start of the second program in sight. */
static void contradiction_is_another_program(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 8);
	to_kernel(&w);
	to_user(&w);
	run(&w, &p[0], 0x10000, 30, 8);
	to_kernel(&w);
	to_user(&w);
	run(&w, &p[1], 0x10000, 4, 4);
	run(&w, &p[1], 0x10000, 20, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[1].binary, 0);
	CHECK_EQ(w.rows[2].binary, 1);
	CHECK_EQ(w.rows[3].binary, 1);
	CHECK_EQ(w.spaces[0], w.spaces[1]);
	CHECK_EQ(w.spaces[2], w.spaces[3]);
	CHECK(w.spaces[1] != w.spaces[2]);
	CHECK_EQ(w.report.matched.instructions, 28);
}

static void two_satps_are_two_spaces(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 0; i < 4; i++) {
		set_satp(&w, i % 2 ? SATP_B : SATP_A);
		to_user(&w);
		run(&w, &p[i % 2], 0x10000, 4, 4);
		run(&w, &p[i % 2], 0x10000, 20, 4);
		to_kernel(&w);
	}
	finish(&w, 3, 2048);
	for (unsigned i = 0; i < w.nrows; i++) {
		CHECK_EQ(w.rows[i].binary, i / 2 % 2);
		CHECK_EQ(w.spaces[i], i / 2 % 2 + 1);
	}
	CHECK_EQ(w.report.spaces, 2);
}

static void kernel_is_found_before_translation(void)
{
	struct program p = {.address = UINT64_C(0xffffffff80200000),
			    .physical = 0x80200000,
			    .type = ET_EXEC,
			    .role = TR_ROLE_KERNEL};
	struct world w;
	fill(&p, 0, 3);
	begin(&w, &p, 1);
	run(&w, &p, p.physical, 0, 8);
	run(&w, &p, p.address, 8, 8);
	to_user(&w);
	run(&w, &p, p.address, 8, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[0].address, p.address);
	CHECK_EQ(w.rows[1].binary, 0);
	CHECK_EQ(w.rows[1].address, p.address + 32);
	CHECK_EQ(w.rows[2].binary, TR_NOTE_UNKNOWN); /* its role is kernel */
}

static void base_of_moved_code_is_solved(void)
{
	struct program p = {.type = ET_DYN, .role = TR_ROLE_USER};
	struct world w;
	fill(&p, 0, 3);
	begin(&w, &p, 1);
	to_user(&w);
	run(&w, &p, UINT64_C(0x2aaaaab000), 5, 8);
	run(&w, &p, UINT64_C(0x2aaaaab000), 100, 8);
	run(&w, &p, UINT64_C(0x2aaaaab004), 5, 8); /* not a whole page away */
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[0].address, 20);
	CHECK_EQ(w.rows[1].address, 400);
	CHECK_EQ(w.rows[2].binary, TR_NOTE_UNKNOWN);
}

static void history_bounds_what_waits(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 5, 4);
	run(&w, &p[0], 0x10000, 6, 4);
	finish(&w, 3, 8);
	CHECK_EQ(w.report.ambiguous.instructions, 12);
	CHECK_EQ(w.rows[2].binary, TR_NOTE_AMBIGUOUS);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 5, 4);
	run(&w, &p[0], 0x10000, 6, 4);
	run(&w, &p[0], 0x10000, 20, 4);
	finish(&w, 3, 8);
	CHECK_EQ(w.rows[3].binary, 0); /* once decided, also what gave up */
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.report.ambiguous.instructions, 0);
	CHECK_EQ(w.report.matched.instructions, 16);
}

/* A trap is no return, whatever its cause: code that jumps to its start is one life. */
static void trap_into_user_is_no_return(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	to_user(&w);
	run(&w, &p[0], 0x10000, 0, 8);
	run(&w, &p[0], 0x10000, 20, 4);
	event(&w, (struct tr_event){.kind = TR_EV_TRAP,
				    .u.trap = {.cause = 8, .priv = TR_PRIV_U}});
	run(&w, &p[0], 0x10000, 0, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.spaces, 1);
	CHECK_EQ(w.spaces[2], w.spaces[0]);
}

/* A frame that waits for what comes later keeps all that its events point to. */
static void held_frames_keep_classes(void)
{
	static const struct tr_run RUNS[] = {{.slots = 1, .class = 5},
					     {.slots = 2, .class = 6}};
	const struct tr_event trap = {
	    .kind = TR_EV_TRAP,
	    .cycles = 3,
	    .u.trap = {.cause = 8, .priv = TR_PRIV_S, .runs = RUNS, .nruns = 2}};
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	for (unsigned i = 0; i < 3; i++) {
		to_user(&w);
		run(&w, &p[1], 0x10000, 4, 4);
		event(&w, trap);
		CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	}
	to_user(&w);
	run(&w, &p[1], 0x10000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 1);
	CHECK_EQ(w.lost, 121212);
}

/* Blocks of a program that is known, and one of another that takes its place: the same
 * comes out, but each block is searched for. */
static void cache_only_saves_searches(void)
{
	for (unsigned no_cache = 0; no_cache < 2; no_cache++) {
		struct program p[2];
		struct world w;
		make_twins(p);
		begin(&w, p, 2);
		w.no_cache = no_cache;
		for (unsigned i = 0; i < 3; i++) {
			to_user(&w);
			run(&w, &p[0], 0x10000, 20, 4);
			run(&w, &p[0], 0x10000, 4, 2);
			run(&w, &p[0], 0x10000, 4, 2);
			run(&w, &p[0], 0x10000, 20, 4);
			to_kernel(&w);
		}
		to_user(&w);
		run(&w, &p[1], 0x10000, 40, 4);
		finish(&w, 3, 2048);
		for (unsigned i = 0; i < w.nrows; i++)
			CHECK_EQ(w.rows[i].binary, i == 12);
		CHECK_EQ(w.report.spaces, 2);
		CHECK_EQ(w.report.matched.instructions, 40);
		CHECK_EQ(w.report.cached, no_cache ? 0 : 1);
		CHECK_EQ(w.report.searched, no_cache ? 4 : 3);
	}
}

/* A block that repeats does not stand for others; what is known by then does. */
static void without_cache_others_corroborate(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 2);
	w.no_cache = true;
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 4);
	for (unsigned i = 0; i < 9; i++)
		run(&w, &p[0], 0x10000, 40, 2);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.matched.instructions, 4);
	CHECK_EQ(w.report.ambiguous.instructions, 18);
	begin(&w, p, 2);
	w.no_cache = true;
	to_user(&w);
	run(&w, &p[0], 0x10000, 20, 4);
	for (unsigned i = 0; i < 9; i++)
		run(&w, &p[0], 0x10000, 40, 2);
	run(&w, &p[0], 0x10000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.matched.instructions, 26);
	CHECK_EQ(w.rows[1].binary, 0);
}

int main(void)
{
	shared_prefix_waits_for_the_difference();
	equal_code_stays_ambiguous();
	too_few_tokens_are_no_match();
	code_of_nobody_is_unknown();
	reused_satp_is_another_program();
	contradiction_is_another_program();
	two_satps_are_two_spaces();
	kernel_is_found_before_translation();
	base_of_moved_code_is_solved();
	history_bounds_what_waits();
	trap_into_user_is_no_return();
	held_frames_keep_classes();
	cache_only_saves_searches();
	without_cache_others_corroborate();
	return check_done();
}
