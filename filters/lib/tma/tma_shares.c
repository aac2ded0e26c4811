/* SPDX-License-Identifier: Apache-2.0 */
/* Computes shares of slots from counters. */
#include "tma/tma_shares.h"

#include <string.h>

/* Redirects that are not of branches, fences apart. On a core with one slot in a cycle
 * they are those of table 1. */
static double flushes_of(const struct tr_tma_run *run)
{
	uint64_t flushes = run->events[TR_TMA_FLUSH];
	if (run->width > 1)
		flushes += run->events[TR_TMA_REPLAY] + run->events[TR_TMA_EXCEPTION];
	return (double)flushes;
}

struct tr_tma_top tr_tma_table1(const struct tr_tma_run *run)
{
	const uint64_t *n = run->events;
	const double slots = (double)run->slots, missed = (double)n[TR_TMA_BRANCH_MISS];
	double any = missed + flushes_of(run) + (double)n[TR_TMA_FENCE];
	double thrown = (double)n[TR_TMA_ISSUED] - (double)n[TR_TMA_RETIRED];
	struct tr_tma_top top = {.b_miss = any > 0 ? missed / any : -1};
	top.retiring = (double)n[TR_TMA_RETIRED] / slots;
	top.bad = (any > 0 ? thrown * top.b_miss : 0) + (double)n[TR_TMA_RECOVERY];
	top.bad /= slots;
	top.frontend = (double)n[TR_TMA_FETCH_STALL] / slots;
	top.backend = 1 - top.frontend - top.bad;
	top.rest = top.backend - top.retiring;
	return top;
}

struct tr_tma_top tr_tma_icicle(const struct tr_tma_run *run)
{
	const uint64_t *n = run->events;
	const double slots = (double)run->slots, missed = (double)n[TR_TMA_BRANCH_MISS];
	const double known = missed + (double)n[TR_TMA_FENCE];
	double any = known + flushes_of(run);
	double thrown = (double)n[TR_TMA_ISSUED] - (double)n[TR_TMA_RETIRED];
	struct tr_tma_top top = {.b_miss = any > 0 ? known / any : -1};
	top.retiring = (double)n[TR_TMA_RETIRED] / slots;
	top.bad = (any > 0 ? thrown * top.b_miss : 0) + (double)n[TR_TMA_RECOVERY];
	top.bad += 2 * run->width * missed;
	top.bad /= slots;
	top.frontend = (double)n[TR_TMA_FETCH_STALL] / slots;
	top.rest = top.backend = 1 - top.retiring - top.frontend - top.bad;
	return top;
}

uint64_t tr_tma_first_sum(const struct tr_tma_run *run, const char *first)
{
	uint64_t sum = 0;
	for (unsigned c = 1; c <= run->classes.count; c++)
		if (strcmp(tr_tma_first(&run->classes, c), first) == 0)
			sum += run->sum.lost[c];
	return sum;
}

struct tr_tma_top tr_tma_exact(const struct tr_tma_run *run)
{
	const double slots = (double)run->slots;
	struct tr_tma_top top = {.b_miss = -1};
	top.retiring = (double)run->sum.retiring / slots;
	top.bad = (double)tr_tma_first_sum(run, "bad speculation") / slots;
	top.frontend = (double)tr_tma_first_sum(run, "frontend") / slots;
	top.backend = (double)tr_tma_first_sum(run, "backend") / slots;
	top.idle = (double)tr_tma_first_sum(run, "idle") / slots;
	top.rest = 1 - top.retiring - top.bad - top.frontend;
	return top;
}

struct tr_tma_top tr_tma_slots(const struct tr_tma_run *run)
{
	const uint64_t *n = run->events;
	const double slots = (double)run->slots, retired = (double)n[TR_TMA_RETIRED];
	struct tr_tma_top top = {.b_miss = -1};
	top.retiring = retired / slots;
	/* A new path that is not in the L1I is the frontend's. */
	const double refetch = (double)n[TR_TMA_RECOVERY_FETCH];
	top.bad = ((double)n[TR_TMA_DISPATCHED] - retired + (double)n[TR_TMA_RECOVERY] -
		   refetch) /
		  slots;
	top.frontend = ((double)n[TR_TMA_FETCH_STALL] + refetch) / slots;
	top.backend = (double)n[TR_TMA_BACKEND_STALL] / slots;
	top.rest = 1 - top.retiring - top.bad - top.frontend;
	return top;
}
