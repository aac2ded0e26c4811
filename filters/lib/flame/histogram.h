/* SPDX-License-Identifier: Apache-2.0 */
/* The distribution of how long calls took: buckets, as a table and as a picture.
 *
 * A power of two is divided into 2^bits buckets, and values below 2^bits have one
 * each. `bits` is as large as lets the buckets from the least to the most value be
 * 48 or fewer, but at least 3: a bucket is never wider than an eighth of its lowest
 * value, so that modes 30 % apart have an empty one between them.
 */
#ifndef TR_HISTOGRAM_H
#define TR_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile_durations.h"

enum {
	TR_HISTOGRAM_BITS = 3,	/* at least */
	TR_HISTOGRAM_ROWS = 48, /* at most, when there are more bits */
};

/* What is told beside the durations. */
struct tr_histogram_text {
	const char *title; /* the function */
	const char *unit;  /* "cycles" */
	const char *footer;
	uint64_t calls;	    /* that began, ended or not */
	unsigned functions; /* how many have the name */
	uint64_t clock_hz;  /* 0: a cycle is no time */
};

struct tr_histogram {
	uint64_t *counts; /* of each bucket from `first` on */
	uint64_t first;	  /* bucket of the least value */
	uint32_t rows;
	unsigned bits;
	uint64_t most; /* of counts[] */
	uint64_t count, min, max;
	uint64_t median, p90, p99;
	bool rounded; /* the last three */
};

/* The bucket of a value, and the least value of a bucket. */
uint64_t tr_histogram_bucket(uint64_t value, unsigned bits);
uint64_t tr_histogram_lowest(uint64_t bucket, unsigned bits);

/* TR_OK, TR_E_NOMEM. */
int tr_histogram_init(struct tr_histogram *h, const struct tr_durations *durations);
void tr_histogram_release(struct tr_histogram *h);

/* A line of figures, then a line for each bucket; empty ones in a row share one. Write
 * errors stay in ferror(file). TR_OK, TR_E_NOMEM. */
int tr_histogram_print(const struct tr_histogram *h, const struct tr_histogram_text *text,
		       FILE *file);
/* One SVG file: a bar for each bucket. As above. */
void tr_histogram_svg(const struct tr_histogram *h, const struct tr_histogram_text *text,
		      FILE *file);

#endif
