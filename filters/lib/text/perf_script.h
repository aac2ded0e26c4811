/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of stacks as the text of `perf script`, which viewers of other projects read.
 *
 * A sample is
 *   sort  1207/1210 [001]     3.250000120:        340 cycles:
 *   	           10a40 compare (sort)
 *   	           10b00 main (sort)
 * and an empty line: name, pid and tid of the thread, hart, time in seconds, period in
 * cycles, then the frames, the last one first, each with the address of its function. In
 * the order of time, up to one frame of the stream. */
#ifndef TR_PERF_SCRIPT_H
#define TR_PERF_SCRIPT_H

#include <stdio.h>

#include "stream/reader.h"

struct tr_perf_script;

struct tr_perf_options {
	uint64_t clock_hz; /* cycles of a second, not 0 */
	/* 0: a sample for each time in which a hart stays on one stack of one thread,
	 * with its cycles as the period; else a sample at each multiple of so many
	 * cycles. */
	uint64_t period;
};

/* Creates the state; `reader` must outlive it. Returns NULL when out of memory;
 * tr_perf_script_free() accepts NULL. */
struct tr_perf_script *tr_perf_script_new(const struct tr_perf_options *options,
					  const struct tr_reader *reader, FILE *out);
void tr_perf_script_free(struct tr_perf_script *);
/* Writes the samples of a frame. Returns TR_OK; TR_E_CORRUPT, with the reason in
 * `message`; or TR_E_NOMEM. Write errors are left in ferror(out). */
int tr_perf_script_take(struct tr_perf_script *, const struct tr_sframe *frame,
			char *message, size_t size);

#endif
