/* SPDX-License-Identifier: Apache-2.0 */
/* Hardware counters: the sets of them that a header names, and a hart's last sample
 * of each. tr-stream(5), "COUNTERS".
 */
#ifndef TR_COUNTERS_H
#define TR_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "stream/header.h"

enum {
	TR_MAX_COUNTER_SETS = 16,
	TR_MAX_COUNTERS = 4096, /* of a set */
	TR_MAX_LABEL = 255,	/* bytes of a label */
};

/* Header keys "counters.S", labels between commas. A set without a key has none. */
struct tr_counters {
	struct {
		const char **label;
		uint32_t count;
	} set[TR_MAX_COUNTER_SETS];
	struct tr_arena text;
};

/* TR_OK; TR_E_CORRUPT: a label that is empty, too long or there twice, or too many of
 * them; TR_E_NOMEM. */
int tr_counters_read(struct tr_counters *counters, const struct tr_header *header);
/* Also after a failure. */
void tr_counters_release(struct tr_counters *counters);

/* What the header says of a counter, "" if nothing. */
const char *tr_counters_description(const struct tr_header *header, uint32_t set,
				    uint32_t counter);

/* A place among all counters of all sets, in their order. */
struct tr_counter_id {
	uint32_t set, counter;
};
/* The first counter of that label; false when there is none. */
bool tr_counters_find(const struct tr_counters *counters, const char *label,
		      struct tr_counter_id *id);

/* The values of a hart's last sample of each set, 0 before the first. Zero-initialised
 * is before the first. */
struct tr_samples {
	uint64_t *last[TR_MAX_COUNTER_SETS];
};
void tr_samples_release(struct tr_samples *samples);
/* The last values of a set that has counters; NULL when out of memory. */
uint64_t *tr_samples_of(struct tr_samples *samples, const struct tr_counters *counters,
			uint32_t set);

#endif
