/* SPDX-License-Identifier: Apache-2.0 */
/* Samples the chosen counters of a machine while a window of the trace is open. It does
 * not sample the pc: the functions of a profile come from the trace itself.
 *
 * Only cycles in windows are counted. A sample is taken when a window opens and when it
 * closes, and in between at each multiple of the interval that is not within the first
 * token, because the window is known to open only when that token has committed. */
#ifndef RUN_SAMPLER_H
#define RUN_SAMPLER_H

#include "csv.h"
#include "trace.h"

struct sampler;

struct sampler_options {
	struct machine *machine;
	const size_t *chosen; /* indices of the machine's counters; copied */
	size_t n;
	uint64_t every;	     /* cycles between samples */
	struct csv *csv;     /* destination; NULL: the trace */
	struct trace *trace; /* destination without csv */
};

/* Returns NULL if memory runs out. */
struct sampler *sampler_new(const struct sampler_options *options);
void sampler_free(struct sampler *s);

/* Starts or stops counting cycles. */
void sampler_count(struct sampler *s, enum machine_count how);

/* Saves the current counts, in case a window opens here. */
void sampler_note(struct sampler *s);
/* Opens a window at `cycle`, with the counts last saved. */
void sampler_open(struct sampler *s, uint64_t cycle);
void sampler_close(struct sampler *s, uint64_t cycle);

/* Returns the cycle of the next sample in the window, after `cycle` and the last sample,
 * or UINT64_MAX if there is none. */
uint64_t sampler_next(const struct sampler *s, uint64_t cycle);
/* Takes the sample at that cycle. */
void sampler_take(struct sampler *s, uint64_t cycle);

/* Returns the errno of the first failed write to the CSV, or 0. */
int sampler_error(const struct sampler *s);

#endif
