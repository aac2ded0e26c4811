/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and libraries without a fixed address: their places are solved from the code
 * alone, however they are mixed. */
#include "match-world.h"

enum { PROGRAM, LOADER, LIBC, OTHER };

/* Four files that begin alike, as start-up code does. */
static void make_files(struct program files[4])
{
	for (unsigned i = 0; i < 4; i++) {
		files[i] = (struct program){.type = ET_DYN, .role = TR_ROLE_USER};
		fill(&files[i], 8, i + 1);
	}
}

static void begin_files(struct world *w, struct program files[4], unsigned listed)
{
	make_files(files);
	begin(w, files, listed);
	to_user(w);
}

static uint64_t random_page(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (*seed >> 34) << 12;
}

/* Calls go back and forth; each place is solved, and earlier blocks match there. */
static void objects_take_turns(void)
{
	static const uint64_t BASES[] = {0x2aaaaaa000, 0x3ff7fd0000, 0x3ff7e00000};
	struct program files[4];
	struct world w;
	begin_files(&w, files, 4);
	for (unsigned i = 0; i < 9; i++)
		run(&w, &files[i % 3], BASES[i % 3], 20 + 7 * i, 3);
	finish(&w, 3, 2048);
	for (unsigned i = 0; i < 9; i++) {
		CHECK_EQ(w.rows[i].binary, i % 3);
		CHECK_EQ(w.rows[i].address, 4 * (20 + 7 * i));
	}
	CHECK_EQ(w.report.matched.instructions, 27);
}

/* Address space layouts from 200 seeds: two processes share the loader and the library,
 * at different bases, and take turns. */
static void layouts_are_never_confused(void)
{
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct program files[4];
		struct world w;
		uint64_t bases[2][4], random = seed;
		make_files(files);
		begin(&w, files, 4);
		for (unsigned i = 0; i < 8; i++)
			bases[i / 4][i % 4] = random_page(&random);
		for (unsigned i = 0; i < 24; i++) {
			unsigned process = i % 2, file = i / 2 % 3;
			set_satp(&w, process ? SATP_B : SATP_A);
			to_user(&w);
			run(&w, &files[file], bases[process][file], 10 + i, 4);
			to_kernel(&w);
		}
		finish(&w, 3, 2048);
		for (unsigned i = 0; i < 24; i++) {
			CHECK_EQ(w.rows[i].binary, i / 2 % 3);
			CHECK_EQ(w.rows[i].address, 4 * (10 + i));
		}
		CHECK_EQ(w.report.spaces, 2);
	}
}

/* The code that all files begin with fits each of them until one has run code of its
 * own; a block too short to be looked up matches once the code around it does. */
static void common_and_short_code_waits(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 4);
	run(&w, &files[LIBC], 0x3ff7e00000, 30, 1);
	run(&w, &files[LIBC], 0x3ff7e00000, 0, 8);
	run(&w, &files[LIBC], 0x3ff7e00000, 2, 6);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &files[LIBC], 0x3ff7e00000, 40, 20);
	finish(&w, 3, 2048);
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQ(w.rows[i].binary, LIBC);
	CHECK_EQ(w.rows[0].address, 120);
}

static void common_code_alone_is_ambiguous(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 4);
	run(&w, &files[LIBC], 0x3ff7e00000, 0, 8);
	run(&w, &files[LIBC], 0x3ff7e00000, 30, 1);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.rows[1].binary,
		 TR_NOTE_AMBIGUOUS); /* as little of its own decides nothing */
	CHECK_EQ(w.report.ambiguous.instructions, 9);
}

/* Code of a library that is not listed is unknown, though its first instructions are
 * those of listed files. */
static void missing_library_is_unknown(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 3);
	run(&w, &files[LIBC], 0x3ff7e00000, 20, 20);
	run(&w, &files[OTHER], 0x3ff7d00000, 20, 20);
	run(&w, &files[OTHER], 0x3ff7d00000, 0, 8);
	run(&w, &files[OTHER], 0x3ff7d00000, 60, 1);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, LIBC);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
	CHECK(w.rows[2].binary >= TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.rows[3].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.report.matched.instructions, 20);
}

/* Another version of a library has some of its code at the same place, and other code
 * elsewhere: it is not the listed one. */
static void other_version_is_unknown(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 3);
	struct program newer = files[LIBC];
	fill(&newer, 100, 9);
	memcpy(newer.code, files[LIBC].code, 100 * sizeof(newer.code[0]));
	for (unsigned i = 0; i < 4; i++) {
		run(&w, &newer, 0x3ff7e00000, 100 + 20 * i, 20);
		run(&w, &newer, 0x3ff7e00000, 20 + 4 * i, 3);
	}
	finish(&w, 3, 2048);
	for (unsigned i = 0; i < 8; i++)
		CHECK(w.rows[i].binary >= TR_NOTE_AMBIGUOUS);
}

/* The same when what agrees runs first: the place is given up once most of the code
 * differs. */
static void other_version_is_found_out(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 3);
	struct program newer = files[LIBC];
	fill(&newer, 100, 9);
	memcpy(newer.code, files[LIBC].code, 100 * sizeof(newer.code[0]));
	run(&w, &newer, 0x3ff7e00000, 20, 40);
	run(&w, &newer, 0x3ff7e00000, 100, 50);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &newer, 0x3ff7e00000, 150, 50);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &newer, 0x3ff7e00000, 20, 40);
	run(&w, &newer, 0x3ff7e00000, 60, 40);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[0].binary, LIBC);
	CHECK_EQ(w.rows[1].binary, TR_NOTE_UNKNOWN);
	CHECK(w.rows[4].binary >= TR_NOTE_AMBIGUOUS);
	CHECK_EQ(w.report.matched.instructions, 40);
	CHECK_EQ(w.suspects[LIBC].agreed, 40);
	CHECK_EQ(w.suspects[LIBC].differing, 100);
	CHECK_EQ(w.suspects[PROGRAM].agreed, 0);
}

/* dlclose() and dlopen(): another library at the same place; the code that both have is
 * of the one that is there. */
static void closed_library_makes_room(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 4);
	run(&w, &files[LIBC], 0x3ff7e00000, 20, 20);
	run(&w, &files[LIBC], 0x3ff7e00000, 0, 8);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &files[OTHER], 0x3ff7e00000, 20, 20);
	run(&w, &files[OTHER], 0x3ff7e00000, 0, 8);
	run(&w, &files[OTHER], 0x3ff7e00000, 1, 5);
	run(&w, &files[OTHER], 0x3ff7e00000, 50, 1);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &files[LIBC], 0x3ff7e00000, 60, 20);
	finish(&w, 3, 2048);
	CHECK_EQ(w.rows[1].binary, LIBC);
	for (unsigned i = 2; i < 6; i++)
		CHECK_EQ(w.rows[i].binary, OTHER);
	CHECK_EQ(w.rows[6].binary, LIBC);
	CHECK_EQ(w.report.spaces, 1);
}

/* A prelinked library, whose addresses in the file do not begin with 0, where it is meant
 * to be, and elsewhere. */
static void prelinked_library_is_found(void)
{
	for (unsigned moved = 0; moved < 2; moved++) {
		const uint64_t linked = UINT64_C(0x3000000000);
		const uint64_t base = linked + (moved ? 0x7123000 : 0);
		struct program files[4];
		struct world w;
		make_files(files);
		files[LIBC].address = linked;
		begin(&w, files, 4);
		to_user(&w);
		run(&w, &files[LIBC], base, 20, 20);
		finish(&w, 3, 2048);
		CHECK_EQ(w.rows[0].binary, LIBC);
		CHECK_EQ(w.rows[0].address, linked + 80);
	}
}

/* A library may come back elsewhere in the same process; a program cannot. */
static void moved_program_is_another_process(void)
{
	for (unsigned has_entry = 0; has_entry < 2; has_entry++) {
		struct program files[4];
		struct world w;
		make_files(files);
		files[PROGRAM].entry = has_entry ? 0x100 : 0;
		begin(&w, files, 4);
		to_user(&w);
		run(&w, &files[PROGRAM], 0x2aaaaaa000, 20, 20);
		to_kernel(&w);
		to_user(&w);
		run(&w, &files[PROGRAM], 0x2bbbbbb000, 20, 20);
		finish(&w, 3, 2048);
		CHECK_EQ(w.rows[0].binary, PROGRAM);
		CHECK_EQ(w.rows[1].binary, PROGRAM);
		CHECK_EQ(w.report.spaces, 1 + has_entry);
	}
}

/* Written at run time: each version is unknown, and holds up nothing else. */
static void generated_code_is_unknown(void)
{
	struct program files[4], jit;
	struct world w;
	begin_files(&w, files, 4);
	for (uint32_t i = 0; i < 12; i++) {
		fill(&jit, 0, 16 + i);
		run(&w, &jit, 0x3ff0000000, 5, 6);
		run(&w, &files[LIBC], 0x3ff7e00000, 20 + 4 * i, 4);
	}
	finish(&w, 3, 2048);
	for (unsigned i = 0; i < 24; i++)
		CHECK_EQ(w.rows[i].binary, i % 2 ? LIBC : TR_NOTE_UNKNOWN);
}

/* Waiting is bounded; what was given up matches later, if its dictionary is at hand. */
static void given_up_code_matches_later(void)
{
	struct program files[4];
	struct world w;
	begin_files(&w, files, 4);
	for (unsigned i = 0; i < 10; i++)
		run(&w, &files[LIBC], 0x3ff7e00000, 30 + 2 * i, 1);
	CHECK_EQ(tr_writer_flush(w.writer), TR_OK);
	run(&w, &files[LIBC], 0x3ff7e00000, 60, 20);
	run(&w, &files[LIBC], 0x3ff7e00000, 30, 1);
	finish(&w, 3, 4);
	CHECK_EQ(w.rows[0].binary, TR_NOTE_UNKNOWN);
	CHECK_EQ(w.rows[9].binary, LIBC);
	CHECK_EQ(w.rows[10].binary, LIBC);
	CHECK_EQ(w.rows[11].binary, LIBC);
	CHECK_EQ(w.report.unknown.instructions, 6);
	CHECK_EQ(w.report.matched.instructions, 25);
}

int main(void)
{
	objects_take_turns();
	layouts_are_never_confused();
	common_and_short_code_waits();
	common_code_alone_is_ambiguous();
	missing_library_is_unknown();
	other_version_is_unknown();
	other_version_is_found_out();
	closed_library_makes_room();
	prelinked_library_is_found();
	moved_program_is_another_process();
	generated_code_is_unknown();
	given_up_code_matches_later();
	return check_done();
}
