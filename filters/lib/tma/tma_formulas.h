/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the formulas of tma_shares.h by the two exact accounts of a run: the slots of
 * commit by class, and those of dispatch.
 *
 * Both accounts are right, each of its own end of the core, so that a formula is wrong
 * only where its share is outside the two. How far, is the sum of known terms; the
 * largest one in that direction is the reason. */
#ifndef TR_TMA_FORMULAS_H
#define TR_TMA_FORMULAS_H

#include "base/report.h"
#include "tma/tma_tables.h"

/* Reports the table "formulas", five rows per run, and in text which formula is wrong
 * in which runs, and why. All runs have classes, table 1 and slots. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_tma_report_formulas(const struct tr_tma_named *runs, size_t count,
			   struct tr_report *report);

#endif
