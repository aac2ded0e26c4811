/* SPDX-License-Identifier: Apache-2.0 */
/* Draws top-down analyses of runs as bars: a self-contained SVG file, 1200
 * pixels wide. */
#ifndef TR_TMA_BARS_H
#define TR_TMA_BARS_H

#include <stdio.h>

#include "tma/tma_counters.h"

/* Content of the bars. */
enum tr_tma_bars {
	TR_TMA_BARS_TOP,     /* groups of classes, and table 1 below them */
	TR_TMA_BARS_CLASSES, /* likewise, with a part for each class */
	TR_TMA_BARS_FRONTEND /* icache_blocked, fetch_stall, and the class */
};

struct tr_tma_named {
	const char *name;
	struct tr_tma_run run;
};

/* All runs with classes must have the same classes. Write errors are left in
 * ferror(file). */
void tr_tma_bars(const struct tr_tma_named *runs, size_t count, enum tr_tma_bars what,
		 const char *title, FILE *file);

#endif
