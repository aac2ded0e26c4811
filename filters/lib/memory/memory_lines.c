/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of cache lines. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "memory/memory_report.h"
#include "profile/tma.h"

static const char *const sharing_names[] = {
    [TR_SHARING_NONE] = "none",
    [TR_SHARING_READ] = "read",
    [TR_SHARING_FALSE] = "false",
    [TR_SHARING_TRUE] = "true",
};

/* A line, and its number. */
struct numbered_line {
	struct tr_line line;
	size_t number;
};

static int compare_lines(const void *left, const void *right)
{
	const struct numbered_line *a = left, *b = right;
	if (a->line.moves != b->line.moves)
		return a->line.moves > b->line.moves ? -1 : 1;
	if (a->line.lost != b->line.lost)
		return a->line.lost > b->line.lost ? -1 : 1;
	if (a->line.missed != b->line.missed)
		return a->line.missed > b->line.missed ? -1 : 1;
	return (a->line.physical > b->line.physical) -
	       (a->line.physical < b->line.physical);
}

static int add_line_row(struct tr_table *table, const struct tr_memory *m,
			const struct tr_line *line)
{
	const struct tr_memory_object *object = tr_memory_object(m, line->object);
	int failed = tr_table_cell(table, "%" PRIu64, line->moves);
	failed |= tr_table_cell(table, "%" PRIu64, line->missed);
	failed |= tr_table_cell(table, "%" PRIu64, line->lost);
	failed |= tr_table_cell(table, "%" PRIu64, line->loads);
	failed |= tr_table_cell(table, "%" PRIu64, line->stores);
	failed |= tr_table_cell(table, "%" PRIu64, line->atomics);
	failed |= tr_table_cell(table, "%" PRIu32, line->harts);
	failed |= tr_table_cell(table, "%s", sharing_names[line->sharing]);
	failed |= tr_table_cell(table, "0x%" PRIx64, line->physical);
	failed |= tr_table_cell(table, "0x%" PRIx64, line->address);
	failed |= tr_table_cell(table, "%s", object->name);
	return failed |
	       tr_table_cell(table, "%s", *object->binary ? object->binary : "-");
}

static int report_line_table(const struct tr_memory *m, const struct numbered_line *order,
			     size_t shown, unsigned width, struct tr_report *report)
{
	static const char *const headings[] = {
	    "moves",	"missed",   "lost",	"loads",   "stores",  "atomics", "harts",
	    "<sharing", "physical", "<address", "<object", "<binary", NULL};
	static const char *const keys[] = {"moves",    "missed",  "lost_*", "loads",
					   "stores",   "atomics", "harts",  "sharing",
					   "physical", "address", "object", "binary"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, tr_tma_unit(width));
	int failed = !table;
	for (size_t i = 0; i < shown && !failed; i++)
		failed |= add_line_row(table, m, &order[i].line);
	return failed | tr_report_table(report, "lines", table);
}

static int add_use_rows(struct tr_table *table, const struct tr_lines *lines,
			const struct numbered_line *line)
{
	const size_t count = tr_lines_uses(lines, line->number, NULL, 0);
	struct tr_line_use *uses = calloc(count, sizeof(*uses));
	int failed = !uses;
	if (uses)
		tr_lines_uses(lines, line->number, uses, count);
	for (size_t i = 0; i < count && !failed; i++) {
		failed |= tr_table_cell(table, "0x%" PRIx64, line->line.physical);
		failed |= tr_table_cell(table, "%" PRIu32, uses[i].offset);
		failed |= tr_table_cell(table, "%" PRIu32, uses[i].hart);
		failed |= tr_table_cell(table, "%" PRIu64, uses[i].loads);
		failed |= tr_table_cell(table, "%" PRIu64, uses[i].stores);
		failed |= tr_table_cell(table, "%" PRIu64, uses[i].atomics);
	}
	free(uses);
	return failed;
}

static int report_use_table(const struct tr_lines *lines,
			    const struct numbered_line *order, size_t shown,
			    struct tr_report *report)
{
	static const char *const headings[] = {"physical", "offset",  "hart", "loads",
					       "stores",   "atomics", NULL};
	struct tr_table *table = tr_table_new_keyed(headings, headings, NULL);
	int failed = !table;
	for (size_t i = 0; i < shown && !failed; i++)
		if (order[i].line.harts > 1)
			failed |= add_use_rows(table, lines, &order[i]);
	if (!failed && tr_table_rows(table))
		tr_report_say(report, "\nwhat each hart did in lines of several:\n");
	return failed | tr_report_table(report, "line_uses", table);
}

int tr_memory_report_lines(const struct tr_memory *m, const struct tr_lines *lines,
			   unsigned width, uint64_t limit, struct tr_report *report)
{
	const size_t count = tr_lines_count(lines),
		     shown = limit && limit < count ? (size_t)limit : count;
	struct numbered_line *order = calloc(count + 1, sizeof(*order));
	if (!order)
		return TR_E_NOMEM;
	for (size_t i = 0; i < count; i++) {
		tr_lines_get(lines, i, &order[i].line);
		order[i].number = i;
	}
	qsort(order, count, sizeof(*order), compare_lines);
	tr_memory_report_total(m, width, report);
	int failed = report_line_table(m, order, shown, width, report) ||
		     report_use_table(lines, order, shown, report);
	free(order);
	return failed ? TR_E_NOMEM : TR_OK;
}
