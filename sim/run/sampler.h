/* SPDX-License-Identifier: Apache-2.0 */
/* Samples the chosen counters of a machine while a window of the trace is open.
 *
 * Counts are of the cycles in windows. There is a sample when a window opens and when it
 * closes, and between them at each cycle that is a multiple of the interval and not in
 * the first token: whether a window opens is known when that has committed.
 */
#ifndef RUN_SAMPLER_H
#define RUN_SAMPLER_H

#include "csv.h"
#include "trace.h"

struct sampler;

struct sampler_options {
	struct machine *machine;
	const size_t *chosen; /* numbers of the machine's counters; copied */
	size_t n;
	uint64_t every;	     /* cycles between samples */
	struct csv *csv;     /* where they go; NULL: */
	struct trace *trace; /* there */
};

/* NULL: out of memory. */
struct sampler *sampler_new(const struct sampler_options *options);
void sampler_free(struct sampler *s);

/* From here on cycles are counted, or not. */
void sampler_count(struct sampler *s, enum machine_count how);

/* Keeps the counts as they are: a window opens here, if any does. */
void sampler_note(struct sampler *s);
/* It opens, with the cycle that was noted. */
void sampler_open(struct sampler *s, uint64_t cycle);
void sampler_close(struct sampler *s, uint64_t cycle);

/* The cycle of the next sample in the window, after `cycle` and the last sample;
 * UINT64_MAX: none. */
uint64_t sampler_next(const struct sampler *s, uint64_t cycle);
/* When that cycle has come. */
void sampler_take(struct sampler *s, uint64_t cycle);

/* The errno of a CSV that could not be written, else 0. */
int sampler_error(const struct sampler *s);

#endif
