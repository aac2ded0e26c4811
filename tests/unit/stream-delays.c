/* SPDX-License-Identifier: Apache-2.0 */
/* Delays are found by content, even if their hashes are equal; too many of them end a
 * generation. */
#include "check.h"
#include "stream/dictionary.h"

static uint32_t find(struct tr_delays *d, uint64_t cycles, const struct tr_run *runs,
		     uint32_t nruns, bool is_new)
{
	uint32_t id;
	bool added;
	const struct tr_delay delay = {.cycles = cycles, .runs = runs, .nruns = nruns};
	CHECK_EQ(tr_delays_find(d, &delay, &id, &added), TR_OK);
	CHECK_EQ(added, is_new);
	return id;
}

/* The hash of a delay without runs is tr_mix(cycles), that of one run of class 0 is
 * tr_mix((tr_mix(cycles) + 1) * 31 + slots). */
static void equal_hashes(void)
{
	const struct tr_run lost = {.slots = 6, .class = 0};
	uint64_t like = (tr_mix(7) + 1) * 31 + lost.slots;
	struct tr_delays d = {0};
	CHECK_EQ(find(&d, 7, &lost, 1, true), 0);
	CHECK_EQ(find(&d, like, NULL, 0, true), 1);
	CHECK_EQ(find(&d, like, NULL, 0, false), 1);
	CHECK_EQ(find(&d, 7, &lost, 1, false), 0);
	tr_delays_reset(&d);
	CHECK_EQ(find(&d, like, NULL, 0, true), 0);
	CHECK_EQ(find(&d, 7, &lost, 1, true), 1);
	tr_delays_free(&d);
}

/* As above: the single run and the two have equal hashes and cycles. */
static void equal_hashes_and_cycles(void)
{
	const struct tr_run one = {.slots = 732320378, .class = 0};
	const struct tr_run two[] = {{.slots = 1585349526, .class = 0},
				     {.slots = 1, .class = 0}};
	struct tr_delays d = {0};
	CHECK_EQ(tr_hash_runs(tr_mix(7) + 1, &one, 1),
		 tr_hash_runs(tr_mix(7) + 2, two, 2));
	CHECK_EQ(find(&d, 7, two, 2, true), 0);
	CHECK_EQ(find(&d, 7, &one, 1, true), 1);
	CHECK_EQ(find(&d, 7, two, 2, false), 0);
	CHECK_EQ(find(&d, 7, &one, 1, false), 1);
	tr_delays_free(&d);
}

static void many(void)
{
	enum { FULL = 1 << 19 };
	struct tr_dictionary d = {0};
	CHECK_EQ(tr_dictionary_reset(&d), TR_OK);
	for (uint32_t i = 0; i < FULL; i++)
		if (tr_delays_add(&d.delays, &(struct tr_delay){.cycles = i}))
			break;
	CHECK_EQ(d.delays.count, FULL);
	CHECK(!tr_dictionary_full(&d));
	CHECK_EQ(tr_delays_add(&d.delays, &(struct tr_delay){.cycles = FULL}), TR_OK);
	CHECK(tr_dictionary_full(&d));
	tr_dictionary_free(&d);
}

int main(void)
{
	equal_hashes();
	equal_hashes_and_cycles();
	many();
	return check_done();
}
