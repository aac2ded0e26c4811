/* SPDX-License-Identifier: Apache-2.0 */
/* The log in the shared memory of the run-time profiler: what a process, or all
 * processes, did in the last span. One writer, the daemon, fills two buffers in turn; any
 * number of readers copy the current one without a lock, and never stop the writer. The
 * sequence number of a buffer tells a reader whether its copy is whole, however long it
 * took. Format: prof-files(5). */
#ifndef TR_SHARED_LOG_H
#define TR_SHARED_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "stubs/shared_counts.h"

/* The header of a buffer: what is between two snapshots. Times are in nanoseconds. */
struct tr_log_span {
	uint64_t sequence;     /* even, and greater than that of each earlier span */
	uint64_t time;	       /* of the later snapshot, CLOCK_MONOTONIC */
	uint64_t span;	       /* between the snapshots */
	uint64_t cycles;       /* of a hart in the span; 0: unknown */
	uint64_t period;       /* that a sample stands for, on average */
	uint64_t samples;      /* of the process; global: of all profiled processes */
	uint64_t all_samples;  /* of all processes and harts, without idle harts */
	uint64_t lost_samples; /* that are in none of the other numbers */
};

/* Of one index, in the span. */
struct tr_log_counts {
	uint64_t calls, samples;
};

enum tr_log_result {
	TR_LOG_WHOLE,
	TR_LOG_TORN,	/* the buffer was being overwritten meanwhile */
	TR_LOG_EMPTY,	/* no span was written yet */
	TR_LOG_DAMAGED, /* the index is of no buffer */
};

/* All functions take the bytes of a file that is mapped from its begin, at a multiple of
 * 8, and what tr_shared_open() or tr_shared_head() has found in it, of which they use the
 * places, the capacity and the number of functions. */

/* Marks a log that has no span yet as one that has a writer: a sequence number is odd,
 * for readers there still is no span. */
void tr_log_claim(uint8_t *bytes, const struct tr_shared *shared);

/* The counts of an index. */
struct tr_log_entry {
	uint32_t index;
	struct tr_log_counts counts;
};

/* Writes the buffer that is not current and makes it current. With `clear` the counts of
 * all indexes that `entries` have not become 0; else they stay as this buffer has them,
 * since the write before the last. span->sequence is ignored. Two writers exclude each
 * other. A writer that is killed leaves what was current; another one goes on. */
void tr_log_write(uint8_t *bytes, const struct tr_shared *shared,
		  const struct tr_log_span *span, const struct tr_log_entry *entries,
		  uint32_t count, bool clear);

/* Copies the current buffer: the header, and shared->functions counts by index. What is
 * copied is of one span only if TR_LOG_WHOLE is returned. After TR_LOG_TORN a new attempt
 * copies a later span, if the writer lives. */
enum tr_log_result tr_log_read(const uint8_t *bytes, const struct tr_shared *shared,
			       struct tr_log_span *span, struct tr_log_counts *counts);

#endif
