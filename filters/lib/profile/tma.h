/* SPDX-License-Identifier: Apache-2.0 */
/* Stall classes in terms of top-down analysis (TMA).
 *
 * The group "badspec" is bad speculation; "memory" and "core" are the parts of the
 * backend. The second level has frontend latency and bandwidth, branch mispredicts and
 * machine clears; unknown groups stand for themselves. */
#ifndef TR_TMA_H
#define TR_TMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/report.h"
#include "stream/classes.h"

/* A breakdown of all commit slots: an instruction retired, or the slot was lost to a
 * class, or the source gave it none, or nothing was traced. A cycle has `width` slots;
 * with one, they are cycles. The slots of a hart that has fewer count as several each, so
 * that its instructions retire in more slots than one. */
struct tr_tma_sum {
	uint64_t slots, retiring, untraced;
	uint64_t instructions;
	uint64_t lost[TR_MAX_CLASSES]; /* by class; [0] is of those without a class */
	unsigned width;
	/* Of a sampled run: returns the error at 95 % of the slots of some classes, with
	 * a bit each, or with bit 0 of all slots, with the bit behind those of the
	 * classes of the slots without one. NULL: the sum is exact. */
	double (*error_of)(const void *context, uint64_t classes);
	const void *context; /* for error_of(); of whoever set it */
};

/* Returns "cycles" if a cycle has one slot, else "slots". */
const char *tr_tma_unit(unsigned width);

/* Returns the TMA name of a group: "backend memory" for "memory". */
const char *tr_tma_group(const char *group);
/* Returns the first level above a class. */
const char *tr_tma_first(const struct tr_classes *classes, unsigned class);

/* Returns true for the classes of the memory and of the frontend's latency: misses of
 * caches and TLBs, of data and of code. */
bool tr_tma_is_miss(const struct tr_classes *classes, unsigned class);
/* Returns true for the class of what mispredicted branches and jumps cost. */
bool tr_tma_is_mispredict(const struct tr_classes *classes, unsigned class);

/* Reports the table "classes" of slots, their share and cycles per instruction, as a
 * tree; entries without slots are omitted. If `key` is not NULL, a column of this name
 * has `name`, which the sum is of, except in text. A sum with errors has a column of
 * them. Returns TR_OK or TR_E_NOMEM. */
int tr_tma_report(const struct tr_tma_sum *sum, const struct tr_classes *classes,
		  const char *key, const char *name, struct tr_report *report);

#endif
