/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of call durations in buckets, as a table and as a picture.
 *
 * A power of two is divided into 2^bits buckets; values below 2^bits have one each.
 * `bits` is the largest number, at least 3, for which the buckets from the minimum to the
 * maximum are 48 or fewer. With 3 bits a bucket is at most an eighth of its lowest value
 * wide, so that modes 30 % apart have an empty bucket between them. */
#ifndef TR_HISTOGRAM_H
#define TR_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/report.h"
#include "profile/profile_durations.h"

enum {
	TR_HISTOGRAM_BITS = 3,	/* minimum */
	TR_HISTOGRAM_ROWS = 48, /* maximum, with more bits */
};

/* Information shown with the durations. */
struct tr_histogram_text {
	const char *title; /* the function */
	const char *unit;  /* "cycles" */
	const char *footer;
	uint64_t calls;	    /* started, finished or not */
	unsigned functions; /* number of functions with that name */
	uint64_t clock_hz;  /* 0: cycles have no time */
};

struct tr_histogram {
	uint64_t *counts; /* of each bucket from `first` on */
	uint64_t first;	  /* bucket of the minimum */
	uint32_t rows;
	unsigned bits;
	uint64_t most; /* maximum of counts[] */
	uint64_t count, min, max;
	uint64_t median, p90, p99;
	bool rounded; /* the last three are rounded */
};

/* Return the bucket of a value, and the lowest value of a bucket. */
uint64_t tr_histogram_bucket(uint64_t value, unsigned bits);
uint64_t tr_histogram_lowest(uint64_t bucket, unsigned bits);

/* Returns TR_OK or TR_E_NOMEM. Call tr_histogram_release() in either case. */
int tr_histogram_init(struct tr_histogram *h, const struct tr_durations *durations);
void tr_histogram_release(struct tr_histogram *h);

/* Reports a line of figures, then the table "calls" with a row per bucket; consecutive
 * empty ones share a row. Returns TR_OK or TR_E_NOMEM. */
int tr_histogram_report(const struct tr_histogram *h,
			const struct tr_histogram_text *text, struct tr_report *report);
/* Draws an SVG file with a bar per bucket. Write errors are left in ferror(file). */
void tr_histogram_svg(const struct tr_histogram *h, const struct tr_histogram_text *text,
		      FILE *file);

#endif
