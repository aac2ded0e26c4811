/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of top-down analyses of runs. */
#ifndef TR_TMA_TABLES_H
#define TR_TMA_TABLES_H

#include "base/report.h"
#include "tma/tma_shares.h"

struct tr_tma_named {
	const char *name;
	struct tr_tma_run run;
};

/* Reports the table "top", of three rows per run: the classes, table 1, and their
 * difference; of slots four: the classes, the slots of dispatch, table 1, and Icicle.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_tma_report_top(const struct tr_tma_named *runs, size_t count,
		      struct tr_report *report);
/* Reports, for one run and as far as present, the tables "classes", the tree of classes,
 * "counters", beside the classes most similar to them, and "left_out", what table 1
 * omits. Returns TR_OK or TR_E_NOMEM. */
int tr_tma_report_run(const struct tr_tma_named *named, struct tr_report *report);
/* Reports the table "frontend": per run, the two counters of the frontend beside its
 * classes. Returns TR_OK or TR_E_NOMEM. */
int tr_tma_report_frontend(const struct tr_tma_named *runs, size_t count,
			   struct tr_report *report);

#endif
