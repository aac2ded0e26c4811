/* SPDX-License-Identifier: Apache-2.0 */
/* The cover points of the Verilated SoC and their counts. */
#ifndef VERILATED_COVER_H
#define VERILATED_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cover point as declared by the SoC. */
struct cover_point {
	const char *path; /* of its instance: soc.u_hart.u_dcache; without the hart */
	int hart;	  /* of several; -1: of none, or the only one */
	const char *name, *description;
	const char *names; /* of the columns, separated by commas; "": numbers */
	unsigned width;	   /* of the signal */
	/* Columns of a histogram, with names including one for all other values; 0: a
	 * sum. */
	unsigned columns;
	const uint64_t *counts;
	const uint8_t *pending; /* of a sum: what is not in its count yet */
};

/* Gets all points; returns their number. Valid once the SoC exists, until exit. */
size_t cover_points(const struct cover_point **points);

/* The clock of the points; NULL if the SoC has none. */
uint8_t *cover_clock(void);

/* A selected counter. An edge counts once; `further` has the other cycles of edges that
 * stand for several. */
struct cover_count {
	const uint64_t *counted;
	const uint8_t *pending;
	uint64_t further;
	uint64_t before; /* count of edges before such an edge */
	uint64_t marked; /* count of cycles at the last mark */
};

struct cover_chosen {
	struct cover_count *counts;
	size_t n;
	uint8_t *clk;  /* the clock of the points */
	bool counting; /* it runs: all points count while one is read */
	bool marks;    /* each token and trap is a mark */
};

static inline uint64_t cover_edges(const struct cover_count *count)
{
	return *count->counted + *count->pending;
}

static inline uint64_t cover_cycles(const struct cover_count *count)
{
	return cover_edges(count) + count->further;
}

static inline void cover_mark(struct cover_chosen *chosen)
{
	for (size_t i = 0; i < chosen->n; i++)
		chosen->counts[i].marked = cover_cycles(&chosen->counts[i]);
}

/* Called before and after an edge that stands for `further` additional cycles. */
static inline void cover_before(struct cover_chosen *chosen)
{
	for (size_t i = 0; i < chosen->n; i++)
		chosen->counts[i].before = cover_edges(&chosen->counts[i]);
}

static inline void cover_after(struct cover_chosen *chosen, unsigned further)
{
	for (size_t i = 0; i < chosen->n; i++) {
		struct cover_count *count = &chosen->counts[i];

		count->further += (cover_edges(count) - count->before) * further;
	}
}

#ifdef __cplusplus
}
#endif

#endif
