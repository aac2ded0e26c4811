/* SPDX-License-Identifier: Apache-2.0 */
/* Durations of calls, in bounded memory unless all are to be exact.
 *
 * Up to 4096 distinct durations are kept exactly. Beyond that, each is rounded to as many
 * leading bits as leave at most 2048 distinct values; with `is_exact` none is. */
#ifndef TR_PROFILE_DURATIONS_H
#define TR_PROFILE_DURATIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { TR_DURATIONS_DISTINCT = 4096 };

/* All zero is empty; `is_exact` may be set then. */
struct tr_durations {
	struct tr_duration *slots;
	uint64_t count; /* durations added */
	uint64_t min, max;
	uint32_t nslots; /* a power of two, or 0 */
	uint32_t used;
	uint8_t bits; /* leading bits kept; 0: all */
	bool is_exact;
};

void tr_durations_free(struct tr_durations *);
/* Return false when out of memory; `count` is not 0. */
bool tr_durations_add(struct tr_durations *, uint64_t duration);
bool tr_durations_add_many(struct tr_durations *, uint64_t duration, uint64_t count);
/* Finds the smallest duration that at least `percent` (1 to 100) percent of all do not
 * exceed, so 50 gives the lower median; 0 when empty. It is exact unless `bits` is set,
 * when it is the middle of its bucket. Returns false when out of memory. */
bool tr_durations_quantile(const struct tr_durations *, unsigned percent,
			   uint64_t *value);
/* Finds the least and the greatest that it may be: the same value unless `bits` is set.
 * Returns false when out of memory. */
bool tr_durations_quantile_range(const struct tr_durations *, unsigned percent,
				 uint64_t *low, uint64_t *high);

/* A duration, or the lowest of its bucket, and the number of calls. */
struct tr_duration {
	uint64_t value;
	uint64_t count; /* 0: free slot */
};
/* Returns `used` durations in ascending order, for the caller to free, or NULL when out
 * of memory. */
struct tr_duration *tr_durations_sorted(const struct tr_durations *);

#endif
