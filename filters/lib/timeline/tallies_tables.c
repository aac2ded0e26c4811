/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/tallies_tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"

enum column {
	ENDED, /* with the sum of those that are open */
	FAILED,
	MAJOR,
	BYTES,
	OPEN,
	UNWOKEN,
	TOTAL,
	AWAY,
	MEDIAN,
	P99,
	MAX,
	MIN,
	SHORTEST, /* period */
	PERIOD,
	LONGEST,
	JITTER,
	NUMBER,
	ADDRESS, /* the number */
	WHAT,
	NAME,
	TASK_NUMBER,
	TASK_NAME,
	OTHER_NUMBER,
	OTHER_NAME
};
enum { MOST_COLUMNS = 16 };

/* What a table shows of its tallies. */
struct view {
	enum tr_tally_kind kind;
	bool is_of_all; /* the tasks are added up */
	const char *headings[MOST_COLUMNS], *keys[MOST_COLUMNS];
	enum column columns[MOST_COLUMNS];
};

const char *const tr_tally_tables[TR_TALLY_TABLES + 1] = {
    "syscalls",	   "process-syscalls", "wakers", "runqueue",
    "interrupts",  "softirqs",	       "faults", "locks",
    "activations", "masked",	       "stacks", "block",
    NULL};

static const struct view views[TR_TALLY_TABLES] = {
    [TR_TABLE_SYSCALLS] = {TR_TALLY_SYSCALLS,
			   true,
			   {"calls", "errors", "open", "cycles", "away", "median", "p99",
			    "max", "number", "<name"},
			   {"calls", "errors", "open", "cycles", "away", "median", "p99",
			    "max", "number", "name"},
			   {ENDED, FAILED, OPEN, TOTAL, AWAY, MEDIAN, P99, MAX, NUMBER,
			    NAME}},
    [TR_TABLE_PROCESS_SYSCALLS] = {TR_TALLY_SYSCALLS,
				   false,
				   {"calls", "errors", "open", "cycles", "away", "median",
				    "p99", "max", "pid", "<process", "number", "<name"},
				   {"calls", "errors", "open", "cycles", "away", "median",
				    "p99", "max", "pid", "process", "number", "name"},
				   {ENDED, FAILED, OPEN, TOTAL, AWAY, MEDIAN, P99, MAX,
				    TASK_NUMBER, TASK_NAME, NUMBER, NAME}},
    [TR_TABLE_WAKERS] = {TR_TALLY_WAKEUPS,
			 false,
			 {"wake-ups", "cycles", "median", "p99", "max", "waker", "<by",
			  "tid", "<name"},
			 {"wakeups", "cycles", "median", "p99", "max", "waker",
			  "waker_name", "tid", "name"},
			 {ENDED, TOTAL, MEDIAN, P99, MAX, OTHER_NUMBER, OTHER_NAME,
			  TASK_NUMBER, TASK_NAME}},
    [TR_TABLE_RUNQUEUE] =
	{TR_TALLY_RUNQUEUE,
	 false,
	 {"waits", "cycles", "median", "p99", "max", "<after", "tid", "<name"},
	 {"waits", "cycles", "median", "p99", "max", "after", "tid", "name"},
	 {ENDED, TOTAL, MEDIAN, P99, MAX, WHAT, TASK_NUMBER, TASK_NAME}},
    [TR_TABLE_INTERRUPTS] = {TR_TALLY_INTERRUPTS,
			     false,
			     {"interrupts", "cycles", "median", "p99", "max", "number",
			      "<name"},
			     {"interrupts", "cycles", "median", "p99", "max", "number",
			      "name"},
			     {ENDED, TOTAL, MEDIAN, P99, MAX, NUMBER, NAME}},
    [TR_TABLE_SOFTIRQS] = {TR_TALLY_SOFTIRQS,
			   false,
			   {"softirqs", "cycles", "median", "p99", "max", "number",
			    "<name"},
			   {"softirqs", "cycles", "median", "p99", "max", "number",
			    "name"},
			   {ENDED, TOTAL, MEDIAN, P99, MAX, NUMBER, NAME}},
    [TR_TABLE_FAULTS] = {TR_TALLY_FAULTS,
			 false,
			 {"faults", "major", "errors", "cycles", "median", "p99", "max",
			  "pid", "<process", "<file"},
			 {"faults", "major", "errors", "cycles", "median", "p99", "max",
			  "pid", "process", "file"},
			 {ENDED, MAJOR, FAILED, TOTAL, MEDIAN, P99, MAX, TASK_NUMBER,
			  TASK_NAME, NAME}},
    [TR_TABLE_LOCKS] = {TR_TALLY_LOCKS,
			false,
			{"waits", "open", "cycles", "median", "p99", "max", "<kind",
			 "address", "<lock", "holder", "<held by", "tid", "<name"},
			{"waits", "open", "cycles", "median", "p99", "max", "kind",
			 "address", "lock", "holder", "holder_name", "tid", "name"},
			{ENDED, OPEN, TOTAL, MEDIAN, P99, MAX, WHAT, ADDRESS, NAME,
			 OTHER_NUMBER, OTHER_NAME, TASK_NUMBER, TASK_NAME}},
    [TR_TABLE_ACTIVATIONS] =
	{TR_TALLY_ACTIVATIONS,
	 false,
	 {"activations", "open", "unwoken", "response", "away", "median", "p99", "max",
	  "shortest", "period", "longest", "jitter", "tid", "<name"},
	 {"activations", "open", "unwoken", "response", "away", "response_median",
	  "response_p99", "response_max", "period_min", "period_median", "period_max",
	  "jitter", "tid", "name"},
	 {ENDED, OPEN, UNWOKEN, TOTAL, AWAY, MEDIAN, P99, MAX, SHORTEST, PERIOD, LONGEST,
	  JITTER, TASK_NUMBER, TASK_NAME}},
    [TR_TABLE_MASKED] = {TR_TALLY_MASKED,
			 false,
			 {"times", "cycles", "median", "p99", "max", "<from", "<to"},
			 {"times", "cycles", "median", "p99", "max", "from", "to"},
			 {ENDED, TOTAL, MEDIAN, P99, MAX, WHAT, NAME}},
    [TR_TABLE_STACKS] = {TR_TALLY_STACKS,
			 false,
			 {"switches", "free", "size", "tid", "<name"},
			 {"switches", "free", "size", "tid", "name"},
			 {ENDED, MIN, NUMBER, TASK_NUMBER, TASK_NAME}},
    [TR_TABLE_BLOCK] = {TR_TALLY_BLOCK,
			false,
			{"requests", "errors", "open", "bytes", "cycles", "median", "p99",
			 "max", "<operation", "<device"},
			{"requests", "errors", "open", "bytes", "cycles", "median", "p99",
			 "max", "operation", "device"},
			{ENDED, FAILED, OPEN, BYTES, TOTAL, MEDIAN, P99, MAX, WHAT,
			 NAME}},
};

enum tr_tally_kind tr_tally_table_kind(enum tr_tally_table table)
{
	return views[table].kind;
}

static int quantile_cell(struct tr_table *table, const struct tr_durations *durations,
			 unsigned percent)
{
	uint64_t value;
	if (!tr_durations_quantile(durations, percent, &value))
		return TR_E_NOMEM;
	return durations->count ? tr_table_cell(table, "%" PRIu64, value)
				: tr_table_cell(table, "%s", "");
}

/* Adds a number, an empty cell without one. */
static int optional_cell(struct tr_table *table, bool has, uint64_t number)
{
	return has ? tr_table_cell(table, "%" PRIu64, number)
		   : tr_table_cell(table, "%s", "");
}

static int task_cell(struct tr_table *table, const struct tr_tasks *t, uint32_t id,
		     bool is_number)
{
	const struct tr_task *task = id == TR_TASK_NONE ? NULL : tr_tasks_at(t, id);
	if (is_number)
		return optional_cell(table, task && task->is_numbered,
				     task ? (uint64_t)task->pid : 0);
	return tr_table_cell(table, "%s", task ? task->comm : "");
}

static int tally_cell(struct tr_table *table, const struct tr_tasks *t,
		      const struct tr_tally *tally, enum column column)
{
	switch (column) {
	case ENDED:
		return tr_table_cell(table, "%" PRIu64,
				     tally->cycles.count + tally->open);
	case FAILED:
		return tr_table_cell(table, "%" PRIu64, tally->failed);
	case MAJOR:
		return tr_table_cell(table, "%" PRIu64, tally->major);
	case BYTES:
		return tr_table_cell(table, "%" PRIu64, tally->bytes);
	case OPEN:
		return tr_table_cell(table, "%" PRIu64, tally->open);
	case UNWOKEN:
		return tr_table_cell(table, "%" PRIu64, tally->unwoken);
	case TOTAL:
		return tr_table_cell(table, "%" PRIu64, tally->total);
	case AWAY:
		return tr_table_cell(table, "%" PRIu64, tally->away);
	case MEDIAN:
		return quantile_cell(table, &tally->cycles, 50);
	case P99:
		return quantile_cell(table, &tally->cycles, 99);
	case MAX:
		return optional_cell(table, tally->cycles.count, tally->cycles.max);
	case MIN:
		return optional_cell(table, tally->cycles.count, tally->cycles.min);
	case SHORTEST:
		return optional_cell(table, tally->periods.count, tally->periods.min);
	case PERIOD:
		return quantile_cell(table, &tally->periods, 50);
	case LONGEST:
		return optional_cell(table, tally->periods.count, tally->periods.max);
	case JITTER:
		return optional_cell(table, tally->periods.count,
				     tally->periods.max - tally->periods.min);
	case NUMBER:
		return tally->key.number == INT64_MIN
			   ? tr_table_cell(table, "%s", "")
			   : tr_table_cell(table, "%" PRId64, tally->key.number);
	case ADDRESS:
		return tr_table_cell(table, "0x%" PRIx64, (uint64_t)tally->key.number);
	case WHAT:
		return tr_table_cell(table, "%s", tally->key.what);
	case NAME:
		return tr_table_cell(table, "%s", tally->key.name);
	case TASK_NUMBER:
	case TASK_NAME:
		return task_cell(table, t, tally->key.task, column == TASK_NUMBER);
	case OTHER_NUMBER:
	case OTHER_NAME:
		return task_cell(table, t, tally->key.other, column == OTHER_NUMBER);
	}
	return TR_OK;
}

/* Adds up the tallies of all tasks. Returns false when out of memory. */
static bool merge_tasks(const struct tr_tallies *from, struct tr_tallies *to)
{
	for (uint32_t i = 0; i < from->count; i++) {
		struct tr_tally_key key = from->tallies[i].key;
		key.task = TR_TASK_NONE;
		const uint32_t sum = tr_tallies_find(to, &key);
		if (sum == UINT32_MAX ||
		    !tr_tally_merge(&to->tallies[sum], &from->tallies[i]))
			return false;
	}
	return true;
}

static int put_rows(struct tr_table *table, const struct tr_tasks *t,
		    const struct tr_tallies *tallies, const struct view *view)
{
	uint32_t *order = tr_tallies_sorted(tallies);
	int status = order ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < tallies->count && !status; i++) {
		const struct tr_tally *tally = &tallies->tallies[order[i]];
		if (!tally->cycles.count && !tally->open)
			continue;
		for (unsigned c = 0; view->headings[c] && !status; c++)
			status = tally_cell(table, t, tally, view->columns[c]);
	}
	free(order);
	return status;
}

int tr_tally_table(const struct tr_tasks *t, enum tr_tally_table which,
		   struct tr_report *report)
{
	const struct view *view = &views[which];
	const struct tr_tallies *tallies = tr_tasks_tallies(t);
	struct tr_tallies sums = {0};
	struct tr_table *table = tr_table_new_keyed(view->headings, view->keys, NULL);
	int status = table && (!view->is_of_all || merge_tasks(tallies, &sums))
			 ? TR_OK
			 : TR_E_NOMEM;
	if (!status)
		status = put_rows(table, t, view->is_of_all ? &sums : tallies, view);
	tr_tallies_free(&sums);
	if (!status)
		return tr_report_table(report, tr_tally_tables[which], table);
	tr_table_free(table);
	return status;
}
