/* SPDX-License-Identifier: Apache-2.0 */
/* Text that all writers of timelines have: the clock, and what is left out. */
#ifndef TR_TIMELINE_TEXT_H
#define TR_TIMELINE_TEXT_H

#include "stream/header.h"
#include "timeline/timeline.h"

/* The time of a cycle. */
struct tr_timeline_clock {
	uint64_t hz;	      /* 0: cycles are no time, or the clock is not known */
	bool is_instructions; /* the source counts an instruction as a cycle */
};

/* Returns the clock of a stream; `hz` 0 stands for no clock. */
struct tr_timeline_clock tr_timeline_clock(const struct tr_header *header, uint64_t hz);
/* Returns the nanoseconds of a cycle, rounded down; without a clock a cycle is one. */
uint64_t tr_timeline_ns(const struct tr_timeline_clock *clock, uint64_t cycle);
/* Writes "a cycle is 0.3125 ns: the clock is 3 200 000 000 Hz". */
void tr_timeline_clock_text(const struct tr_timeline_clock *clock, char *text,
			    size_t size);
/* Writes "12 calls shorter than 500 cycles left out: …", "" if nothing is. */
void tr_timeline_left_out_text(const struct tr_timeline_sums *sums, char *text,
			       size_t size);

/* Writes `name` to `text`, with '?' for each byte that is not UTF-8, and cut to fit.
 * Returns text. */
char *tr_timeline_utf8(const char *name, char *text, size_t size);

#endif
