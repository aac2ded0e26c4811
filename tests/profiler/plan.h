/* SPDX-License-Identifier: Apache-2.0 */
/* What prof-extract has planned for a program: read, placed, and put into a machine. */
#ifndef PROFILER_PLAN_H
#define PROFILER_PLAN_H

#include "bench.h"
#include "stubs/stubs.h"

/* Where an area is put within its interval. In between the program has a bias as well;
 * beside the program is where prof-inject puts it, if there is room. */
enum plan_place { PLAN_LOWEST, PLAN_HIGHEST, PLAN_BETWEEN, PLAN_BESIDE };
#define PLAN_BIAS UINT64_C(0x40000000)

struct plan {
	struct tr_stubs stubs;
	struct tr_stubs_places places;
	uint8_t *code;	    /* as placed */
	uint32_t *clobbers; /* of each function: registers that its stub overwrites
			       without that the program does */
};

/* Reads injected.o of the folder, and data.bin for the lowest places, else datag.bin, and
 * chooses places. Exits after a message if that fails: the files must be good. */
void plan_read(struct plan *plan, const char *folder, enum plan_place place);
void plan_free(struct plan *plan);

/* Writes all stubs and all entries. */
void plan_install(const struct plan *plan, struct bench *bench);
/* Writes the entry of one function, or its original bytes. */
void plan_patch(const struct plan *plan, struct bench *bench, uint32_t number);
void plan_restore(const struct plan *plan, struct bench *bench, uint32_t number);

/* Returns the place of a function's entry, and of its stub. */
uint64_t plan_entry(const struct plan *plan, uint32_t number);
uint64_t plan_stub(const struct plan *plan, uint32_t number);
/* Returns the number of the function whose replaced bytes are there, or UINT32_MAX. */
uint32_t plan_replaced(const struct plan *plan, uint64_t pc);
/* Returns the place in the program for which the instruction at a place stands, while
 * function `restored` (UINT32_MAX: none) has its original bytes. */
uint64_t plan_origin(const struct plan *plan, uint64_t pc, uint32_t restored);
/* Returns the number of the function that has its entry there, or UINT32_MAX. */
uint32_t plan_find(const struct plan *plan, uint64_t pc);
/* Tries places at the ends of what labels and entries reach, and behind them. */
void plan_try_reach(const struct plan *plan);
uint64_t plan_count(const struct plan *plan, const struct bench *bench, uint32_t number);
/* Returns the sum of all counters. */
uint64_t plan_sum(const struct plan *plan, const struct bench *bench);
void plan_add(const struct plan *plan, struct bench *bench, uint32_t number,
	      uint64_t calls);

#endif
