/* SPDX-License-Identifier: Apache-2.0 */
/* What the header of a trace says of the machine and its run. */
#ifndef RUN_TRACE_HEADER_H
#define RUN_TRACE_HEADER_H

#include "trace.h"

/* Returns the harts of the stream: those of the machine, and that of the windows of a
 * sampled run. */
unsigned trace_harts(const struct machine *machine);
/* Returns the commit slots that a hart of the stream has in a cycle. */
unsigned trace_hart_width(const struct simulator *simulator,
			  const struct machine *machine, unsigned hart);
/* Adds all keys to an empty header. Returns a status. */
int trace_fill_header(struct tr_header *header, const struct machine *machine,
		      const struct trace_options *options);

#endif
