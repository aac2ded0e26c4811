/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of a sampled run in its trace. */
#ifndef RUN_SAMPLED_H
#define RUN_SAMPLED_H

#include "trace.h"

/* Adds the windows as a hart behind those of the machine, after the run. Returns NULL, or
 * what is missing. */
const char *sampled_tell(const struct machine *machine, struct trace *trace);

/* Writes a warning to `text` if the hardware takes interrupts more or less often than the
 * model, by more than 5 % and more than chance explains; else "". */
void sampled_compare(const struct machine *machine, const struct trace *trace, char *text,
		     size_t size);

#endif
