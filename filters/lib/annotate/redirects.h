/* SPDX-License-Identifier: Apache-2.0 */
/* What the core's own counter of mispredictions says, if the stream has samples of it:
 * "branch_miss", or "hart0.branch_miss" and the like, of which all are added. */
#ifndef TR_ANNOTATE_REDIRECTS_H
#define TR_ANNOTATE_REDIRECTS_H

#include "info/counter_sums.h"
#include "stream/counters.h"
#include "stream/stream.h"

/* All zero but for `counters`, those of the stream. */
struct tr_redirects {
	const struct tr_counters *counters; /* the reader's */
	struct tr_counter_sums sums;
};
void tr_redirects_release(struct tr_redirects *redirects);

/* Takes the samples of a frame. Returns TR_OK or TR_E_NOMEM. */
int tr_redirects_frame(struct tr_redirects *redirects, const struct tr_frame *frame);
/* Gets how many were counted, from the first sample of each hart to its last. Returns
 * false if the stream has no samples of the counter. */
bool tr_redirects_counted(const struct tr_redirects *redirects, uint64_t *count);

#endif
