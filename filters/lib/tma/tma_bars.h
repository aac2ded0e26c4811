/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the top-down analysis of runs as bars: one self-contained SVG file, 1200 pixels
 * wide. */
#ifndef TR_TMA_BARS_H
#define TR_TMA_BARS_H

#include <stdio.h>

#include "tma/tma_counters.h"

/* What the bars of a run are. */
enum tr_tma_bars {
	TR_TMA_BARS_TOP,     /* its groups of classes, below them table 1 */
	TR_TMA_BARS_CLASSES, /* the same with a part for each class */
	TR_TMA_BARS_FRONTEND /* icache_blocked, fetch_stall, and the class */
};

struct tr_tma_named {
	const char *name;
	struct tr_tma_run run;
};

/* Those of the runs that have classes must have the same. Write errors stay in
 * ferror(file). */
void tr_tma_bars(const struct tr_tma_named *runs, size_t count, enum tr_tma_bars what,
		 const char *title, FILE *file);

#endif
