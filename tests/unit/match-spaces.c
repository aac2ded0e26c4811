/* SPDX-License-Identifier: Apache-2.0 */
/* The matcher distinguishes spaces: shared prefixes, reused satps, kernels at two
 * addresses, position-independent code, and unknown code. */
#include "match-world.h"

/* Two programs with the same initial code, in user mode. */
static void begin_twins(struct world *w, struct program p[2])
{
	make_twins(p);
	begin(w, p, 2);
	to_user(w);
}

static void shared_prefix_waits_for_the_difference(void)
{
	struct program p[2];
	struct world w;
	begin_twins(&w, p);
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
	begin_twins(&w, p);
	run(&w, &p[0], 0x10000, 4, 4);
	run(&w, &p[0], 0x10000, 0, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.report.ambiguous.instructions, 12);
}

/* Blocks given up as ambiguous stay ambiguous in completed frames, whatever is found
 * later. */
static void given_up_stays_ambiguous(void)
{
	struct program p[2];
	struct world w;
	begin_twins(&w, p);
	for (unsigned i = 0; i < 12; i++)
		run(&w, &p[0], 0x10000, i, 1);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &p[0], 0x10000, 20, 4);
	for (unsigned i = 0; i < 12; i++)
		run(&w, &p[0], 0x10000, i, 1);
	finish(&w, 3, 4);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.rows[12].binary, 0);
	CHECK_EQ(w.report.matched.instructions, 16);
	CHECK_EQ(w.report.ambiguous.instructions, 12);
}

/* The same for the firmware, which has no address space. */
static void equal_firmware_stays_ambiguous(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	p[0].role = p[1].role = TR_ROLE_FIRMWARE;
	begin(&w, p, 2);
	event(&w, (struct tr_event){.kind = TR_EV_PRIV, .u.priv.priv = TR_PRIV_M});
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
	begin_twins(&w, p);
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
	begin_twins(&w, p);
	run(&w, &p[0], 0x10000, 20, 4);
	run(&w, &p[0], 0x7ff000, 20, 4);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.report.unknown.instructions, 4);
	CHECK_EQ(w.report.matched.cycles, 4);
}

/* A program that is not in the list, but shares its first 16 instructions with one
 * that is: once it has run others, it does not match. With two such programs, it stays
 * open. */
static void missing_program_is_unknown(void)
{
	struct program p[3];
	struct world w;
	make_twins(p);
	p[2] = p[0];
	fill(&p[2], 16, 3);
	for (unsigned listed = 1; listed <= 2; listed++) {
		const uint32_t shared = listed == 1 ? TR_NOTE_UNKNOWN : TR_NOTE_AMBIGUOUS;
		begin(&w, p, listed);
		to_user(&w);
		run(&w, &p[2], 0x10000, 4, 2);
		run(&w, &p[2], 0x10000, 20, 4);
		run(&w, &p[2], 0x7ff000, 20, 4);
		run(&w, &p[2], 0x10000, 6, 4);
		run(&w, &p[2], 0x10000, 8, 4);
		finish(&w, 3, 2048);
		CHECK_EQ(w.rows[0].binary, shared);
		CHECK_EQ(w.rows[0].address, 0);
		CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
		CHECK_EQ(w.rows[2].binary, TR_NOTE_UNKNOWN);
		CHECK_EQ(w.rows[3].binary, shared);
		CHECK_EQ(w.rows[4].binary, shared);
		CHECK_EQ(w.report.unknown.instructions, listed == 1 ? 18 : 8);
		CHECK_EQ(w.report.first_unknown, 0x10050);
	}
}

/* The same code in another address space belongs to the program in the list. */
static void missing_program_is_of_one_space(void)
{
	struct program p[2];
	struct world w;
	make_twins(p);
	begin(&w, p, 1);
	for (unsigned i = 0; i < 2; i++) {
		set_satp(&w, i ? SATP_B : SATP_A);
		to_user(&w);
		run(&w, &p[i ? 0 : 1], 0x10000, 20, 4);
		run(&w, &p[0], 0x10000, 4, 4);
		to_kernel(&w);
	}
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.rows[2].binary, 0);
	CHECK_EQ(w.rows[3].binary, 0);
}

/* Only binaries with code there are excluded; and an identified program may have patched
 * code. */
static void changed_code_is_unknown_alone(void)
{
	for (unsigned no_cache = 0; no_cache < 2; no_cache++) {
		struct program p[2];
		struct world w;
		make_twins(p);
		begin(&w, p, 1);
		w.no_cache = no_cache;
		to_user(&w);
		run(&w, &p[1], 0x7ff000, 20, 4);
		run(&w, &p[0], 0x10000, 4, 4);
		run(&w, &p[1], 0x10000, 20, 4);
		run(&w, &p[0], 0x10000, 30, 4);
		finish(&w, 3, 2048);
		CHECK_EQ(w.rows[0].binary, TR_NOTE_UNKNOWN);
		CHECK_EQ(w.rows[1].binary, 0);
		CHECK_EQ(w.rows[2].binary, TR_NOTE_UNKNOWN);
		CHECK_EQ(w.rows[3].binary, 0);
	}
}

/* A binary without a fixed address is not excluded by a little other code, and does not
 * help others; one that
 * has been placed is. */
static void missing_program_and_moved_code(void)
{
	for (unsigned has_base = 0; has_base < 2; has_base++) {
		struct program p[] = {{.type = ET_DYN, .role = TR_ROLE_USER},
				      {.address = 0x20000, .type = ET_EXEC}};
		struct program other = {.address = 0};
		struct world w;
		fill(&p[0], 0, 3);
		fill(&p[1], 16, 4);
		fill(&other, 16, 5);
		begin(&w, p, 2);
		w.binaries[0].has_base = has_base;
		w.binaries[0].base = 0x30000;
		to_user(&w);
		run(&w, &other, has_base ? 0x7ff000 : 0, 20, 4);
		run(&w, &other, 0x30000, 20, 4);
		run(&w, &p[0], 0x30000, 24, 40);
		run(&w, &other, 0x20000, 20, 4);
		run(&w, &p[1], 0x20000, 5, 4);
		finish(&w, 3, 2048);
		CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
		CHECK_EQ(w.rows[2].binary, has_base ? TR_NOTE_UNKNOWN : 0);
		CHECK_EQ(w.rows[4].binary, TR_NOTE_UNKNOWN);
	}
}

/* A kernel that is first seen in patched code is still that kernel. */
static void kernel_begins_patched(void)
{
	struct program p = {.address = UINT64_C(0xffffffff80200000),
			    .type = ET_EXEC,
			    .role = TR_ROLE_KERNEL};
	struct world w;
	fill(&p, 0, 3);
	struct program patched = p;
	fill(&patched, 0, 4);
	begin(&w, &p, 1);
	run(&w, &patched, p.address, 0, 4);
	run(&w, &p, p.address, 8, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.rows[1].binary, 0);
}

/* The paper's extreme case: another program in the same satp, with the same code at the
 * same addresses, up to its first difference. */
static void reused_satp_is_another_program(void)
{
	struct program p[2];
	struct world w;
	begin_twins(&w, p);
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

/* The same when the start of the second program is not traced. */
static void contradiction_is_another_program(void)
{
	struct program p[2];
	struct world w;
	begin_twins(&w, p);
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
	run(&w, &p, UINT64_C(0x2aaaaab004), 5, 8); /* not a multiple of a page */
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
	begin_twins(&w, p);
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
	CHECK_EQ(w.rows[3].binary, 0); /* decided, including blocks given up before */
	CHECK_EQ(w.rows[0].binary, 0);
	CHECK_EQ(w.report.ambiguous.instructions, 0);
	CHECK_EQ(w.report.matched.instructions, 16);
}

/* A trap is no return, whatever its cause: code that jumps to its start is one life. */
static void trap_into_user_is_no_return(void)
{
	struct program p[2];
	struct world w;
	begin_twins(&w, p);
	run(&w, &p[0], 0x10000, 0, 8);
	run(&w, &p[0], 0x10000, 20, 4);
	event(&w, (struct tr_event){.kind = TR_EV_TRAP,
				    .u.trap = {.cause = 8, .priv = TR_PRIV_U}});
	run(&w, &p[0], 0x10000, 0, 8);
	finish(&w, 3, 2048);
	CHECK_EQ(w.report.spaces, 1);
	CHECK_EQ(w.spaces[2], w.spaces[0]);
}

/* A frame that waits for later ones keeps all data to which its events point. */
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

/* Blocks of an identified program, and one of another program that replaces it: the
 * result is the same, but each block is searched for. */
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

/* A repeated block does not corroborate others; an identified program does. */
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
	given_up_stays_ambiguous();
	equal_firmware_stays_ambiguous();
	too_few_tokens_are_no_match();
	code_of_nobody_is_unknown();
	missing_program_is_unknown();
	missing_program_is_of_one_space();
	changed_code_is_unknown_alone();
	missing_program_and_moved_code();
	kernel_begins_patched();
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
