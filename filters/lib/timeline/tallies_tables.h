/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of what tasks do: counts, cycles, median, 99th percentile and maximum. */
#ifndef TR_TALLIES_TABLES_H
#define TR_TALLIES_TABLES_H

#include "base/report.h"
#include "timeline/tasks.h"

/* The tables in the order of tr_tally_tables, which ends with NULL. */
enum tr_tally_table {
	TR_TABLE_SYSCALLS,
	TR_TABLE_PROCESS_SYSCALLS,
	TR_TABLE_WAKERS,
	TR_TABLE_RUNQUEUE,
	TR_TABLE_INTERRUPTS,
	TR_TABLE_SOFTIRQS,
	TR_TABLE_FAULTS,
	TR_TABLE_LOCKS,
	TR_TABLE_ACTIVATIONS,
	TR_TABLE_MASKED,
	TR_TABLE_STACKS,
	TR_TABLE_BLOCK,
	TR_TALLY_TABLES
};
extern const char *const tr_tally_tables[TR_TALLY_TABLES + 1];

/* Returns what a table shows. */
enum tr_tally_kind tr_tally_table_kind(enum tr_tally_table);
/* Reports a table, the rows with the most cycles first. Returns TR_OK or TR_E_NOMEM. */
int tr_tally_table(const struct tr_tasks *, enum tr_tally_table, struct tr_report *);

#endif
