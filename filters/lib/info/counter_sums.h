/* SPDX-License-Identifier: Apache-2.0 */
/* How far counters went: the increase from the first sample of each hart to its last,
 * over all harts.
 */
#ifndef TR_COUNTER_SUMS_H
#define TR_COUNTER_SUMS_H

#include <stdio.h>

#include "stream/counters.h"
#include "stream/stream.h"

/* Zero-initialised is empty. */
struct tr_counter_sums {
	uint64_t *sum[TR_MAX_COUNTER_SETS]; /* NULL: no sample */
	uint64_t samples;		    /* of all sets */
	struct {
		struct tr_samples last;
		uint32_t hart;
	} harts[TR_MAX_HARTS];
	uint32_t nharts;
};
void tr_counter_sums_release(struct tr_counter_sums *sums);

/* The next sample of a hart. TR_OK, TR_E_NOMEM. */
int tr_counter_sums_add(struct tr_counter_sums *sums, const struct tr_counters *counters,
			uint32_t hart, const struct tr_sample *sample);

/* A table of all counters with the header's descriptions; nothing when there are
 * none. Write errors stay in ferror(out). TR_OK, TR_E_NOMEM. */
int tr_counter_sums_print(const struct tr_counter_sums *sums,
			  const struct tr_counters *counters,
			  const struct tr_header *header, FILE *out);

#endif
