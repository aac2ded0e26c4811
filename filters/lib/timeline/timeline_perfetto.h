/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a timeline as a trace of Perfetto: packets of perfetto.proto.
 *
 * Processes and threads have the kernel's numbers if the stream has the hits of probes on
 * its tasks. Otherwise, and for idle tasks, they have numbers of ours: 1 000 000 + that
 * of the process, and 2 000 000 + that of the thread. Their names end with "#" and it.
 * What a hart runs is a sched_switch event, so each hart is a CPU. Times are nanoseconds;
 * the last packet of each slice has the exact cycle of its start and its cycles. */
#ifndef TR_TIMELINE_PERFETTO_H
#define TR_TIMELINE_PERFETTO_H

#include "timeline/timeline_text.h"

extern const struct tr_timeline_writer tr_timeline_perfetto;

struct tr_perfetto;
/* Begins a file, which remains the caller's; `tasks` may be NULL. Returns NULL when out
 * of memory; tr_perfetto_free() accepts NULL. */
struct tr_perfetto *tr_perfetto_new(FILE *file, const struct tr_profile *profile,
				    const struct tr_counters *counters,
				    const struct tr_tasks *tasks,
				    const struct tr_timeline_clock *clock);
void tr_perfetto_free(struct tr_perfetto *);

#endif
