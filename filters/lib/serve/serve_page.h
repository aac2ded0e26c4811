/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a flame graph that grows. */
#ifndef TR_SERVE_PAGE_H
#define TR_SERVE_PAGE_H

#include <stdio.h>

#include "flame/flame.h"

/* Writes the page, with a graph to begin with; its script asks for the state about once a
 * second (serve.h). The state's members: "cycles" and "instructions" so far, "rate" in
 * cycles per second, "now", the names of what runs, "share" of the work done or null,
 * "left" in seconds or null, "done". Returns TR_OK or TR_E_NOMEM. */
int tr_serve_page(const struct tr_folded *folded, const struct tr_flame *flame,
		  FILE *file);

#endif
