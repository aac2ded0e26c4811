/* SPDX-License-Identifier: Apache-2.0 */
/* Classes of lost cycles in the terms of top-down analysis (TMA).
 *
 * The group "badspec" is bad speculation, "memory" and "core" are the two parts of the
 * backend. Below them are frontend latency and bandwidth, branch mispredicts and
 * machine clears; groups that are not known stand for themselves.
 */
#ifndef TR_TMA_H
#define TR_TMA_H

#include <stdint.h>
#include <stdio.h>

#include "stream/classes.h"

/* All cycles: an instruction retires in one, the others were lost for a class, or
 * nothing was traced. */
struct tr_tma_sum {
	uint64_t cycles, retiring, untraced;
	uint64_t lost[TR_MAX_CLASSES]; /* by class, from 1 */
};

/* "backend memory" for "memory". */
const char *tr_tma_group(const char *group);
/* The first level above a class. */
const char *tr_tma_first(const struct tr_classes *classes, unsigned class);

/* A table: cycles, their share, cycles an instruction, and what for, as a tree.
 * What has no cycle is left out. Write errors stay in ferror(file). TR_OK,
 * TR_E_NOMEM. */
int tr_tma_print(const struct tr_tma_sum *sum, const struct tr_classes *classes,
		 FILE *file);

#endif
