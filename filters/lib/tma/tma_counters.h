/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of one run for top-down analysis; tma_shares.h computes with them.
 *
 * A core that dispatches several instructions in a cycle has as many slots. Its counters
 * instructions_dispatched, fetch_stall, recovery and backend_stall add up to these. */
#ifndef TR_TMA_COUNTERS_H
#define TR_TMA_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/tma.h"
#include "stream/classes.h"

/* Counters with a meaning in this analysis; the first seven are those of table 1. */
enum tr_tma_event {
	TR_TMA_ISSUED,
	TR_TMA_RETIRED,
	TR_TMA_FETCH_STALL,
	TR_TMA_RECOVERY,
	TR_TMA_BRANCH_MISS,
	TR_TMA_FLUSH,
	TR_TMA_FENCE,
	TR_TMA_TABLE1,
	TR_TMA_ICACHE_BLOCKED = TR_TMA_TABLE1,
	TR_TMA_ICACHE_MISS,
	TR_TMA_DCACHE_BLOCKED,
	TR_TMA_LOAD_USE,
	TR_TMA_CSR,
	TR_TMA_MUL_DIV,
	TR_TMA_FLOAT,
	TR_TMA_DISPATCHED,
	TR_TMA_BACKEND_STALL,
	TR_TMA_RECOVERY_FETCH,
	TR_TMA_FETCH_LATENCY,
	TR_TMA_REPLAY,
	TR_TMA_EXCEPTION,
	TR_TMA_EVENTS
};
/* Labels: "instructions_issued", … */
extern const char *const tr_tma_event_names[TR_TMA_EVENTS];

/* Difference between the last sample of a run and its first. */
struct tr_tma_run {
	uint64_t cycles;
	uint64_t slots; /* `width` in a cycle */
	unsigned width;
	uint64_t events[TR_TMA_EVENTS];
	bool has[TR_TMA_EVENTS];
	bool has_table1;	   /* all counters of table 1 are present */
	bool has_classes;	   /* the counters class.* are present */
	struct tr_classes classes; /* of these */
	struct tr_tma_sum sum;	   /* by class; `slots` is their sum */
	char missing[400];	   /* missing counters, as in "instructions_issued,
				    * fence", or "" */
};

/* Reads an AutoCounter CSV ("-" is standard input). All labels except local_cycle begin
 * with `prefix`. Between two samples the classes must add up to the slots, or to zero
 * (tracing was off). Returns TR_OK or an error of autocounter.h; on failure `message` has
 * the file, the line and the reason. Call tr_tma_run_release() in any case. */
int tr_tma_run_read(struct tr_tma_run *run, const char *path, const char *prefix,
		    char *message, size_t size);
void tr_tma_run_release(struct tr_tma_run *run);

/* Returns whether the four counters that add up to the slots are present. */
bool tr_tma_has_slots(const struct tr_tma_run *run);

#endif
