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
	unsigned columns;  /* of a histogram; 0: it is a sum */
	const uint64_t *counts;
};

/* All of them, once the SoC is there. They stay. */
size_t cover_points(const struct cover_point **points);

/* How many cycles the next edge counts for; NULL if the SoC has no point. */
uint32_t *cover_weight(void);

/* Those that are read; all points count while one does. */
struct cover_chosen {
	const uint64_t **counts;
	uint64_t *marked; /* the counts at the last mark */
	size_t n;
	uint32_t *weight;
	bool on;    /* every cycle counts */
	bool marks; /* each token and trap is a mark */
};

static inline void cover_mark(const struct cover_chosen *chosen)
{
	for (size_t i = 0; i < chosen->n; i++)
		chosen->marked[i] = *chosen->counts[i];
}

#ifdef __cplusplus
}
#endif

#endif
