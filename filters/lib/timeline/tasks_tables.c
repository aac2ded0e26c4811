/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of tasks. */
#include "timeline/tasks_tables.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"

/* Adds a number, an empty cell for `none`. */
static int number_cell(struct tr_table *table, uint64_t number, uint64_t none)
{
	return number == none ? tr_table_cell(table, "%s", "")
			      : tr_table_cell(table, "%" PRIu64, number);
}

/* Returns the arguments of the last exec, "" if there was none. */
static const char *arguments_of(const struct tr_tasks *t, const struct tr_task *task)
{
	const char *arguments = "";
	for (uint32_t i = task->first_name; i != TR_TASK_NONE;
	     i = tr_tasks_name(t, i)->next)
		if (tr_tasks_name(t, i)->program)
			arguments = tr_tasks_name(t, i)->arguments;
	return arguments;
}

static int process_row(struct tr_table *table, const struct tr_tasks *t, uint32_t id,
		       uint64_t ran)
{
	const struct tr_task *task = tr_tasks_at(t, id);
	const uint64_t parent = task->parent == TR_TASK_NONE
				    ? UINT64_MAX
				    : (uint64_t)tr_tasks_at(t, task->parent)->pid;
	return number_cell(table, task->is_numbered ? (uint64_t)task->pid : UINT64_MAX,
			   UINT64_MAX) ||
		       number_cell(table, parent, UINT64_MAX) ||
		       number_cell(table, task->start, 0) ||
		       number_cell(table, task->end, UINT64_MAX) ||
		       tr_table_cell(table, "%" PRIu64, ran) ||
		       tr_table_cell(table, "%s", task->comm) ||
		       tr_table_cell(table, "%s", arguments_of(t, task))
		   ? TR_E_NOMEM
		   : TR_OK;
}

int tr_tasks_processes(const struct tr_tasks *t, struct tr_report *report)
{
	static const char *const headings[] = {"pid",	 "parent", "start",	 "end",
					       "cycles", "<name",  "<arguments", NULL};
	static const char *const keys[] = {"pid",    "parent", "start",	   "end",
					   "cycles", "name",   "arguments"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	uint64_t *ran = calloc(tr_tasks_count(t) + 1UL, sizeof(*ran));
	uint32_t *depths, count, *order = tr_tasks_tree(t, &depths, &count);
	int status = table && ran && order ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; !status && i < tr_tasks_count(t); i++)
		ran[tr_tasks_at(t, i)->process] += tr_tasks_at(t, i)->ran;
	for (uint32_t i = 0; !status && i < count; i++)
		status = process_row(table, t, order[i], ran[order[i]]);
	free(ran);
	free(order);
	free(depths);
	if (status) {
		tr_table_free(table);
		return status;
	}
	return tr_report_table(report, "processes", table);
}

/* Those that were woken the most often first. */
static int by_waits(const void *left, const void *right, void *tasks)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint64_t at = tr_tasks_at(tasks, a)->waits.count;
	const uint64_t other = tr_tasks_at(tasks, b)->waits.count;
	return at != other ? (at < other) - (at > other) : (a > b) - (a < b);
}

static int wait_row(struct tr_table *table, const struct tr_task *task)
{
	uint64_t median;
	return !tr_durations_quantile(&task->waits, 50, &median) ||
		       tr_table_cell(table, "%" PRIu64, task->waits.count) ||
		       tr_table_cell(table, "%" PRIu64, task->waits.min) ||
		       tr_table_cell(table, "%" PRIu64, median) ||
		       tr_table_cell(table, "%" PRIu64, task->waits.max) ||
		       number_cell(table,
				   task->is_numbered ? (uint64_t)task->pid : UINT64_MAX,
				   UINT64_MAX) ||
		       tr_table_cell(table, "%s", task->comm)
		   ? TR_E_NOMEM
		   : TR_OK;
}

int tr_tasks_wakeups(const struct tr_tasks *t, struct tr_report *report)
{
	static const char *const headings[] = {"wake-ups", "min",   "median", "max",
					       "tid",	   "<name", NULL};
	static const char *const keys[] = {"wakeups", "min", "median",
					   "max",     "tid", "name"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	uint32_t *order = calloc(tr_tasks_count(t) + 1UL, sizeof(*order)), count = 0;
	int status = table && order ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; !status && i < tr_tasks_count(t); i++)
		if (tr_tasks_at(t, i)->waits.count)
			order[count++] = i;
	if (count)
		qsort_r(order, count, sizeof(*order), by_waits, (void *)t);
	for (uint32_t i = 0; !status && i < count; i++)
		status = wait_row(table, tr_tasks_at(t, order[i]));
	free(order);
	if (status) {
		tr_table_free(table);
		return status;
	}
	return tr_report_table(report, "wakeups", table);
}
