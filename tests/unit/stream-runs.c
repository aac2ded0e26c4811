/* SPDX-License-Identifier: Apache-2.0 */
/* Lost slots of a token: runs in order, joined when there is no room. */
#include "stream/runs.h"

#include "check.h"

static uint64_t sum_slots(const struct tr_runs *r, unsigned why)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < r->count; i++)
		if (r->runs[i].class == why)
			sum += r->runs[i].slots;
	return sum;
}

/* Neighbours of one class are one run, of which there may be more than a run can tell. */
static void check_neighbours(void)
{
	struct tr_runs r = {.count = 0};
	struct tr_run to[TR_TOKEN_MAX_RUNS];
	CHECK(tr_runs_lose(&r, 1, 3) && tr_runs_lose(&r, 1, 4) && tr_runs_lose(&r, 2, 1));
	CHECK(r.count == 2 && r.runs[0].slots == 7 && r.runs[1].class == 2);
	CHECK(tr_runs_lose(&r, 2, 0) && r.count == 2);
	CHECK(tr_runs_lose(&r, 2, UINT64_C(9000000000)) && r.count == 5);
	CHECK(sum_slots(&r, 2) == UINT64_C(9000000001));
	for (unsigned i = 0; i < r.count; i++)
		CHECK(r.runs[i].slots < UINT32_MAX);
	CHECK(tr_runs_move(&r, to) == 5 && !r.count && to[0].slots == 7);
}

/* All 31 classes in turns: the sums stay right. */
static void check_joining(void)
{
	struct tr_runs r = {.count = 0};
	for (unsigned i = 0; i < 3100; i++)
		CHECK(tr_runs_lose(&r, 1 + i % 31, 2));
	CHECK(r.count <= TR_TOKEN_MAX_RUNS);
	for (unsigned why = 1; why < TR_MAX_CLASSES; why++)
		CHECK(sum_slots(&r, why) == 200);
	CHECK(!tr_runs_lose(&r, 1, UINT64_C(1) << 40));
}

int main(void)
{
	check_neighbours();
	check_joining();
	return check_done();
}
