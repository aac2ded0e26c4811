/* SPDX-License-Identifier: Apache-2.0 */
/* Which instructions and traps are selected: those of stretches of rows, by hart, whose
 * keys are chosen. A trap belongs to the stretch whose cycles it uses up. */
#include "annotate/selection.h"

#include "stream/stream.h"

#include "check.h"

static bool is_even(void *context, uint32_t key)
{
	++*(unsigned *)context;
	return key % 2 == 0;
}

static void test_traps(void)
{
	struct tr_selection *s = tr_selection_new();
	unsigned asked = 0;

	/* Two instructions of 5 cycles and a trap of 3; then a trap, and an instruction.
	 */
	CHECK_EQ(tr_selection_add(s, 7, 2, 1, 2), 0);
	CHECK_EQ(tr_selection_add(s, 7, 2, 1, 6), 0);
	CHECK_EQ(tr_selection_add(s, 7, 1, 1, 5), 0);
	CHECK_EQ(tr_selection_add(s, 7, 4, 1, 1), 0);
	CHECK_EQ(tr_selection_add(s, 7, TR_SELECTION_NEVER, 1, 1), 0);
	tr_selection_choose(s, is_even, &asked);
	CHECK_EQ(asked, 3); /* one for each stretch, but that which is never chosen */
	CHECK(tr_selection_takes_insn(s, 7, 2));
	CHECK(tr_selection_takes_insn(s, 7, 3));
	CHECK(tr_selection_takes_trap(s, 7, 3));
	CHECK(!tr_selection_takes_trap(s, 7, 4));
	CHECK(!tr_selection_takes_insn(s, 7, 1));
	CHECK(tr_selection_takes_insn(s, 7, 1));
	CHECK(!tr_selection_takes_insn(s, 7, 1));
	/* Behind the last one, and on another hart. */
	CHECK(!tr_selection_takes_insn(s, 7, 1));
	CHECK(!tr_selection_takes_trap(s, 7, 1));
	CHECK(!tr_selection_takes_insn(s, 0, 1));
	tr_selection_free(s);
}

static void test_harts(void)
{
	struct tr_selection *s = tr_selection_new();
	unsigned asked = 0;

	for (uint32_t hart = 0; hart < TR_MAX_HARTS; hart++)
		CHECK_EQ(tr_selection_add(s, hart, hart, 1, 1), 0);
	CHECK(tr_selection_add(s, TR_MAX_HARTS, 0, 1, 1) != 0);
	tr_selection_choose(s, is_even, &asked);
	for (uint32_t hart = 0; hart < TR_MAX_HARTS; hart++)
		CHECK_EQ(tr_selection_takes_insn(s, hart, 1), hart % 2 == 0);
	tr_selection_free(s);
}

/* Without a choice: the keys of runs of instructions, which end where the key changes,
 * and of traps. */
static void test_keys(void)
{
	struct tr_selection *s = tr_selection_new();
	uint32_t count = 5;

	CHECK_EQ(tr_selection_add(s, 1, 8, 3, 4), 0);
	CHECK_EQ(tr_selection_add(s, 1, 9, 4, 9), 0);
	CHECK_EQ(tr_selection_key_of_insns(s, 1, &count), 8);
	CHECK_EQ(count, 3);
	tr_selection_take_cycles(s, 1, 3);
	CHECK_EQ(tr_selection_key_of_trap(s, 1, 1), 8);
	CHECK_EQ(tr_selection_key_of_trap(s, 1, 1), 9);
	count = 2;
	CHECK_EQ(tr_selection_key_of_insns(s, 1, &count), 9);
	CHECK_EQ(count, 2);
	tr_selection_take_cycles(s, 1, 2);
	CHECK(!tr_selection_is_used_up(s));
	count = 2;
	CHECK_EQ(tr_selection_key_of_insns(s, 1, &count), 9);
	CHECK(tr_selection_is_used_up(s));
	count = 1;
	CHECK_EQ(tr_selection_key_of_insns(s, 1, &count), TR_SELECTION_NEVER);
	CHECK(!tr_selection_is_used_up(s));
	tr_selection_free(s);
}

int main(void)
{
	test_keys();
	test_traps();
	test_harts();
	return check_done();
}
