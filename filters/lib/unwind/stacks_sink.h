/* SPDX-License-Identifier: Apache-2.0 */
/* What an unwinder emits: a stream of stacks, one frame for each frame of rows, whose
 * samples of counters and hits of probes are copied. If the probes tell of a kernel's
 * tasks, threads have their names (task_names.h). */
#ifndef TR_STACKS_SINK_H
#define TR_STACKS_SINK_H

#include "stream/reader.h"
#include "stream/writer.h"
#include "unwind/unwind.h"

struct tr_stacks_sink;

/* Both remain the caller's. Returns NULL when out of memory. tr_stacks_sink_free()
 * accepts NULL. */
struct tr_stacks_sink *tr_stacks_sink_new(const struct tr_probe_names *probes,
					  struct tr_writer *writer);
void tr_stacks_sink_free(struct tr_stacks_sink *sink);

/* Returns the callbacks for tr_unwind_new(), which use `sink`. */
struct tr_unwind_sink tr_stacks_sink_calls(struct tr_stacks_sink *sink);

/* Called before and after the unwinder gets a frame. The time of a hart starts where its
 * first frame does. Both return TR_OK, TR_E_NOMEM, or an error of the writer. */
int tr_stacks_sink_begin(struct tr_stacks_sink *sink, const struct tr_frame *frame);
int tr_stacks_sink_end(struct tr_stacks_sink *sink, const struct tr_frame *frame);

#endif
