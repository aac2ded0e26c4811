/* SPDX-License-Identifier: Apache-2.0 */
/* How long calls took, in bounded memory.
 *
 * Up to 4096 distinct durations are kept exactly; when there are more, each is
 * rounded to as many leading bits as let 2048 remain.
 */
#ifndef TR_PROFILE_DURATIONS_H
#define TR_PROFILE_DURATIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { TR_DURATIONS_DISTINCT = 4096 };

/* Zero-initialised is empty. */
struct tr_durations {
	struct tr_duration *slots;
	uint64_t count; /* durations added */
	uint64_t min, max;
	uint32_t nslots; /* a power of two, or 0 */
	uint32_t used;
	uint8_t bits; /* leading bits kept; 0: all */
};

void tr_durations_free(struct tr_durations *);
/* False when out of memory. */
bool tr_durations_add(struct tr_durations *, uint64_t duration);
/* The least duration that `percent` (1 to 100) of all do not exceed, so at 50 the
 * lower median; 0 when empty. Exact unless `bits` is set, when it is the middle of
 * its bucket. False when out of memory. */
bool tr_durations_quantile(const struct tr_durations *, unsigned percent,
			   uint64_t *value);

/* A duration, or the lowest that is rounded to it, and how many there were. */
struct tr_duration {
	uint64_t value;
	uint64_t count; /* 0: free */
};
/* Ascending, `used` of them, for the caller to free; NULL when out of memory. */
struct tr_duration *tr_durations_sorted(const struct tr_durations *);

#endif
