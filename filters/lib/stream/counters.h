/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters: the counter sets that a header names, and a hart's last sample of
 * each. tr-stream(5), "COUNTERS". */
#ifndef TR_COUNTERS_H
#define TR_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "stream/header.h"

enum {
	TR_MAX_COUNTER_SETS = 16,
	TR_MAX_COUNTERS = 4096, /* in a set */
	TR_MAX_LABEL = 255,	/* bytes in a label */
};

/* Counter sets of the header keys "counters.S": labels separated by commas. A set without
 * a key is empty. */
struct tr_counters {
	struct {
		const char **label;
		uint32_t count;
	} set[TR_MAX_COUNTER_SETS];
	struct tr_arena text;
};

/* Reads the sets of a header. Returns TR_OK, TR_E_CORRUPT (a label is empty, too long or
 * duplicate, or there are too many) or TR_E_NOMEM. Release `counters` in any case. */
int tr_counters_read(struct tr_counters *counters, const struct tr_header *header);
/* Also valid after a failed tr_counters_read(). */
void tr_counters_release(struct tr_counters *counters);

/* Returns the header's description of a counter, "" if none. */
const char *tr_counters_description(const struct tr_header *header, uint32_t set,
				    uint32_t counter);

/* Identifies a counter among all sets, in order. */
struct tr_counter_id {
	uint32_t set, counter;
};
/* Finds the first counter with that label. Returns false if there is none. */
bool tr_counters_find(const struct tr_counters *counters, const char *label,
		      struct tr_counter_id *id);

/* A hart's last sample of each set: 0 before the first. All zero initialises. */
struct tr_samples {
	uint64_t *last[TR_MAX_COUNTER_SETS];
};
void tr_samples_release(struct tr_samples *samples);
/* Returns the last values of a non-empty set, or NULL when out of memory. */
uint64_t *tr_samples_of(struct tr_samples *samples, const struct tr_counters *counters,
			uint32_t set);

#endif
