/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a machine where a window of the trace opens, for its replay: that of each
 * hart, and what memory has there. */
#ifndef RUN_SNAPSHOT_H
#define RUN_SNAPSHOT_H

#include "base/buffer.h"
#include "machine.h"
#include "trace.h"

/* All zero but for the machine: none is taken. */
struct snapshot {
	struct machine *machine;
	bool taken;
	struct soc_state states[SOC_HARTS_MAX];
	bool back[SOC_HARTS_MAX]; /* machine_ops.snapshot() */
	struct tr_buffer memory;  /* changes that are not in the trace yet */
};

/* Takes one of the machine's current place. In the open window of a trace, which may be
 * NULL, it can be that of a hart before its last token. Returns false if it cannot be
 * taken here. */
bool snapshot_take(struct snapshot *s, const struct trace *trace);
/* Adds it to the trace, at the current place of each hart. If memory has run out, that is
 * the trace's status. */
void snapshot_put(struct snapshot *s, struct trace *trace);
void snapshot_release(struct snapshot *s);

#endif
