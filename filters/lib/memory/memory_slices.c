/* SPDX-License-Identifier: Apache-2.0 */
/* The table of slices of a run. */
#include <inttypes.h>

#include "memory/memory_report.h"
#include "profile/tma.h"

static int add_slice_row(struct tr_table *table, const struct tr_slice *slice)
{
	int failed = tr_table_cell(table, "%" PRIu64, slice->from);
	failed |= tr_table_cell(table, "%" PRIu64, slice->lines);
	failed |= tr_table_cell(table, "%" PRIu64, slice->fresh);
	failed |= tr_table_cell(table, "%" PRIu64, slice->pages);
	failed |= tr_table_cell(table, "%" PRIu64, slice->loads);
	failed |= tr_table_cell(table, "%" PRIu64, slice->stores);
	failed |= tr_table_cell(table, "%" PRIu64, slice->atomics);
	failed |= tr_table_cell(table, "%" PRIu64, slice->missed);
	return failed | tr_table_cell(table, "%" PRIu64, slice->lost);
}

int tr_memory_report_slices(const struct tr_memory *m,
			    const struct tr_working_set *slices, unsigned width,
			    struct tr_report *report)
{
	static const char *const headings[] = {"from",	"lines",  "new",     "pages",
					       "loads", "stores", "atomics", "missed",
					       "lost",	NULL};
	static const char *const keys[] = {"from_cycle", "lines",  "new_lines",
					   "pages",	 "loads",  "stores",
					   "atomics",	 "missed", "lost_*"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, tr_tma_unit(width));
	int failed = !table;
	tr_memory_report_total(m, width, report);
	for (size_t i = 0; i < tr_working_set_count(slices) && !failed; i++) {
		const struct tr_slice *slice = tr_working_set_get(slices, i);
		if (slice->loads + slice->stores + slice->atomics)
			failed |= add_slice_row(table, slice);
	}
	failed |= tr_report_table(report, "slices", table);
	return failed ? TR_E_NOMEM : TR_OK;
}
