/* SPDX-License-Identifier: Apache-2.0 */
/* Increase of counters from the first sample of each hart to its last, summed
 * over harts. */
#ifndef TR_COUNTER_SUMS_H
#define TR_COUNTER_SUMS_H

#include "base/report.h"
#include "stream/counters.h"
#include "stream/stream.h"

/* All zero is empty. */
struct tr_counter_sums {
	uint64_t *sum[TR_MAX_COUNTER_SETS]; /* NULL: no sample */
	uint64_t samples;		    /* in all sets */
	struct {
		struct tr_samples last;
		uint32_t hart;
	} harts[TR_MAX_HARTS];
	uint32_t nharts;
};
void tr_counter_sums_release(struct tr_counter_sums *sums);

/* Adds the next sample of a hart. Returns TR_OK or TR_E_NOMEM. */
int tr_counter_sums_add(struct tr_counter_sums *sums, const struct tr_counters *counters,
			uint32_t hart, const struct tr_sample *sample);

/* Reports the table "counters" of all counters with the header's descriptions; in text
 * nothing if there are none. Returns TR_OK or TR_E_NOMEM. */
int tr_counter_sums_report(const struct tr_counter_sums *sums,
			   const struct tr_counters *counters,
			   const struct tr_header *header, struct tr_report *report);

#endif
