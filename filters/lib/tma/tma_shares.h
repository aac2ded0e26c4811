/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of the slots of a run: two exact accounts, and what formulas make of counters.
 *
 * Table 1 of "Towards Open-Source and Automatic Performance Characterization Hardware"
 * (Weingarten, Khan) has
 *
 *   retiring         retired / cycles
 *   B_Miss           branch misses / (branch misses + flushes + fences)
 *   bad speculation  ((issued - retired) * B_Miss + recovery) / cycles
 *   frontend         fetch stalls / cycles
 *   backend          1 - frontend - bad speculation
 *
 * and of a core with several slots in a cycle all is divided by slots; its flushes are
 * BOOM's: also those for traps, and by loads that were executed too early. Icicle
 * (Weingarten, Grieco, Edwards, Khan) has for BOOM, with W slots in a cycle
 *
 *   bad speculation  ((issued - retired) * (branch misses + fences) / (branch misses +
 *                    flushes + fences) + recovery + 2 * W * branch misses) / slots
 *   backend          1 - retiring - frontend - bad speculation
 *   fetch latency    W * blocked cycles of the L1I / slots
 *   memory bound     W * blocked cycles of the L1D / slots */
#ifndef TR_TMA_SHARES_H
#define TR_TMA_SHARES_H

#include "tma/tma_counters.h"

struct tr_tma_top {
	double retiring, bad, frontend;
	double backend; /* of table 1: 1 - frontend - bad */
	double idle;	/* classes only */
	double rest;	/* 1 - retiring - bad - frontend */
	double b_miss;	/* of a formula; negative if it is 0 / 0, which counts as 0 */
};
/* Return the shares; has_table1 or has_classes, respectively, must be set, or both of
 * table 1 and of slots: tr_tma_has_slots(). */
struct tr_tma_top tr_tma_table1(const struct tr_tma_run *run);
struct tr_tma_top tr_tma_exact(const struct tr_tma_run *run);
struct tr_tma_top tr_tma_slots(const struct tr_tma_run *run);
struct tr_tma_top tr_tma_icicle(const struct tr_tma_run *run);
/* Returns the slots of the classes below a first-level name. */
uint64_t tr_tma_first_sum(const struct tr_tma_run *run, const char *first);

#endif
