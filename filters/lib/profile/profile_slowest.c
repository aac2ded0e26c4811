/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/profile_slowest.h"

#include <inttypes.h>

#include "base/number.h"
#include "base/status.h"

void tr_slowest_add(struct tr_slowest *slowest, const struct tr_slow_call *call)
{
	unsigned i = slowest->count;
	if (i == TR_SLOWEST && call->duration <= slowest->call[i - 1].duration)
		return;
	if (i == TR_SLOWEST)
		i--;
	else
		slowest->count++;
	for (; i > 0 && slowest->call[i - 1].duration < call->duration; i--)
		slowest->call[i] = slowest->call[i - 1];
	slowest->call[i] = *call;
}

static int add_slow_call(struct tr_table *table, const struct tr_slow_call *call)
{
	return tr_table_cell(table, "%" PRIu64, call->duration) |
	       tr_table_cell(table, "%" PRIu64, call->away) |
	       tr_table_cell(table, "%" PRIu64, call->from) |
	       tr_table_cell(table, "%" PRIu64, call->to) |
	       tr_table_cell(table, "%" PRIu32, call->hart) |
	       tr_table_cell(table, "%s", call->thread);
}

int tr_slowest_report(const struct tr_slowest *slowest, const char *function,
		      const char *unit, uint64_t calls, uint64_t ended,
		      struct tr_report *report)
{
	static const char *const keys[] = {"*",	       "away_cycles", "from_cycle",
					   "to_cycle", "hart",	      "thread"};
	const char *const headings[] = {unit,	"away",	   "from", "to",
					"hart", "<thread", NULL};
	struct tr_table *table = tr_table_new_keyed(headings, keys, unit);
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (unsigned i = 0; i < slowest->count && !failed; i++)
		failed = add_slow_call(table, &slowest->call[i]);
	tr_report_say(report, "%s: the %u slowest of %" PRIu64 " call%s", function,
		      slowest->count, ended, tr_plural(ended));
	if (calls > ended)
		tr_report_say(report, ", and %" PRIu64 " that did not end",
			      calls - ended);
	tr_report_say(report, "; from and to are cycles of the trace\n");
	tr_report_fact(report, "function", function);
	tr_report_fact(report, "unit", unit);
	tr_report_fact_u64(report, "calls_begun", calls);
	tr_report_fact_u64(report, "calls_ended", ended);
	if (!failed)
		return tr_report_table(report, "calls", table);
	tr_table_free(table);
	return TR_E_NOMEM;
}
