/* SPDX-License-Identifier: Apache-2.0 */
/* Top-down analyses of runs as text. Write errors are left in ferror(file). */
#ifndef TR_TMA_TABLES_H
#define TR_TMA_TABLES_H

#include <stdio.h>

#include "tma/tma_bars.h"

/* Prints three rows per run: the classes, table 1, and their difference. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_tma_print_top(const struct tr_tma_named *runs, size_t count, FILE *file);
/* Prints, for one run and as far as present, the tree of classes, the counters beside the
 * classes most similar to them, and what table 1 omits. Returns TR_OK or TR_E_NOMEM. */
int tr_tma_print_run(const struct tr_tma_named *named, FILE *file);
/* Prints, per run, the two counters of the frontend beside its classes. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_tma_print_frontend(const struct tr_tma_named *runs, size_t count, FILE *file);

#endif
