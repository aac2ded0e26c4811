/* SPDX-License-Identifier: Apache-2.0 */
/* The cover points of the Verilated SoC: those that are there, and what they count. */
#ifndef RTL_COVER_H
#define RTL_COVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As it has declared itself. */
struct cover_point {
	const char *path; /* of the instance that has it: soc.u_core.u_fetch */
	const char *name, *description;
	const char *names; /* of the columns, separated by commas; "": they are numbers */
	unsigned width;	   /* of the signal */
	/* Of a histogram: with names one for all other values, too; 0: it is a sum. */
	unsigned columns;
	const uint64_t *counts;
};

/* All of them, once the SoC is there. They stay. */
size_t cover_points(const struct cover_point **points);

/* Whether the points count edges; NULL if the SoC has none. */
uint8_t *cover_switch(void);

/* One that is read. An edge counts once; `further` has the other cycles of those edges
 * that stand for several. */
struct cover_count {
	const uint64_t *edges;
	uint64_t further;
	uint64_t before; /* edges, before such an edge */
	uint64_t marked; /* cycles, at the last mark */
};

struct cover_chosen {
	struct cover_count *counts;
	size_t n;
	uint8_t *on; /* the switch: all points count while one is read */
	bool marks;  /* each token and trap is a mark */
};

static inline uint64_t cover_cycles(const struct cover_count *count)
{
	return *count->edges + count->further;
}

static inline void cover_mark(struct cover_chosen *chosen)
{
	for (size_t i = 0; i < chosen->n; i++)
		chosen->counts[i].marked = cover_cycles(&chosen->counts[i]);
}

/* Before and after an edge that stands for `further` cycles more. */
static inline void cover_before(struct cover_chosen *chosen)
{
	for (size_t i = 0; i < chosen->n; i++)
		chosen->counts[i].before = *chosen->counts[i].edges;
}

static inline void cover_after(struct cover_chosen *chosen, unsigned further)
{
	for (size_t i = 0; i < chosen->n; i++) {
		struct cover_count *count = &chosen->counts[i];

		count->further += (*count->edges - count->before) * further;
	}
}

#ifdef __cplusplus
}
#endif

#endif
