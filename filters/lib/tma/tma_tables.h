/* SPDX-License-Identifier: Apache-2.0 */
/* The top-down analysis of runs as text. Write errors stay in ferror(file); all
 * return TR_OK or TR_E_NOMEM. */
#ifndef TR_TMA_TABLES_H
#define TR_TMA_TABLES_H

#include <stdio.h>

#include "tma/tma_bars.h"

/* Per run a line of the classes, one of table 1, and one of their difference. */
int tr_tma_print_top(const struct tr_tma_named *runs, size_t count, FILE *file);
/* Of one run: the tree of classes, the counters beside the classes that they are near
 * to, and what table 1 leaves out; as far as they are there. */
int tr_tma_print_run(const struct tr_tma_named *named, FILE *file);
/* Per run the two counters of the frontend beside its classes. */
int tr_tma_print_frontend(const struct tr_tma_named *runs, size_t count, FILE *file);

#endif
