/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/memory_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "memory/merge.h"
#include "profile/tma.h"

/* The columns of a table: those of all tables, and of the classes that lost slots. */
enum { FIRST = 6 };
struct columns {
	const char *headings[FIRST + TR_MAX_CLASSES + 4];
	const char *keys[FIRST + TR_MAX_CLASSES + 4];
	unsigned classes[TR_MAX_CLASSES], count;
	bool evidence;
};

static struct columns columns_of(const struct tr_memory_sum *total,
				 const struct tr_classes *classes, bool evidence)
{
	struct columns c = {
	    .evidence = evidence,
	    .headings = {"accesses", "loads", "stores", "atomics", "missed"},
	    .keys = {"accesses", "loads", "stores", "atomics", "missed"}};
	unsigned n = FIRST - 1;
	for (unsigned i = 1; classes && i <= classes->count; i++) {
		if (!total->lost[i])
			continue;
		c.classes[c.count++] = i;
		c.headings[n] = c.keys[n] = classes->name[i];
		n++;
	}
	c.headings[n] = c.keys[n] = "lines";
	n++;
	if (evidence) {
		c.headings[n] = "<evidence";
		c.keys[n++] = "evidence";
	}
	c.headings[n] = "<object";
	c.keys[n] = "object";
	c.headings[n + 1] = "<binary";
	c.keys[n + 1] = "binary";
	return c;
}

static uint64_t sum_lost(const struct tr_memory_sum *sum)
{
	uint64_t lost = 0;
	for (unsigned i = 0; i < TR_MAX_CLASSES; i++)
		lost += sum->lost[i];
	return lost;
}

static int add_sum_cells(struct tr_table *table, const struct columns *columns,
			 const struct tr_memory_sum *sum)
{
	int failed = tr_table_cell(table, "%" PRIu64, tr_memory_accesses(sum));
	failed |= tr_table_cell(table, "%" PRIu64, sum->loads);
	failed |= tr_table_cell(table, "%" PRIu64, sum->stores);
	failed |= tr_table_cell(table, "%" PRIu64, sum->atomics);
	failed |= tr_table_cell(table, "%" PRIu64, sum->missed);
	for (unsigned i = 0; i < columns->count; i++)
		failed |=
		    tr_table_cell(table, "%" PRIu64, sum->lost[columns->classes[i]]);
	return failed | tr_table_cell(table, "%" PRIu64, sum->lines);
}

/* Returns how it is known what an object is. */
static const char *evidence_of(const struct tr_memory_object *object)
{
	switch (object->evidence) {
	case 1U << TR_EVIDENCE_SYMBOL:
		return "symbol";
	case 1U << TR_EVIDENCE_POINTER:
		return "pointer";
	case 1U << TR_EVIDENCE_FOLLOWED:
		return "followed";
	case 1U << TR_EVIDENCE_POINTER | 1U << TR_EVIDENCE_FOLLOWED:
		return "both";
	default:
		return "-";
	}
}

static int compare_objects(const void *left, const void *right)
{
	const struct tr_memory_object *a = *(const struct tr_memory_object *const *)left,
				      *b = *(const struct tr_memory_object *const *)right;
	const uint64_t lost[2] = {sum_lost(&a->sum), sum_lost(&b->sum)},
		       all[2] = {tr_memory_accesses(&a->sum),
				 tr_memory_accesses(&b->sum)};
	if (lost[0] != lost[1])
		return lost[0] > lost[1] ? -1 : 1;
	if (all[0] != all[1])
		return all[0] > all[1] ? -1 : 1;
	int order = strcmp(a->name, b->name);
	order = order ? order : strcmp(a->binary, b->binary);
	return order ? order : (a > b) - (a < b);
}

static int add_object_rows(struct tr_table *table, const struct columns *columns,
			   const struct tr_memory_object **order, size_t count,
			   uint64_t limit)
{
	struct tr_memory_sum others = {0};
	int failed = 0;
	for (size_t i = 0; i < count; i++) {
		if (limit && i >= limit) {
			tr_memory_add(&others, &order[i]->sum);
			others.lines += order[i]->sum.lines;
			continue;
		}
		failed |= add_sum_cells(table, columns, &order[i]->sum);
		if (columns->evidence)
			failed |= tr_table_cell(table, "%s", evidence_of(order[i]));
		failed |= tr_table_cell(table, "%s", order[i]->name);
		failed |= tr_table_cell(table, "%s",
					*order[i]->binary ? order[i]->binary : "-");
	}
	if (tr_memory_accesses(&others)) {
		failed |= add_sum_cells(table, columns, &others);
		if (columns->evidence)
			failed |= tr_table_cell(table, "-");
		failed |= tr_table_cell(table, "[%zu others]", (size_t)(count - limit));
		failed |= tr_table_cell(table, "-");
	}
	return failed;
}

void tr_memory_report_total(const struct tr_memory *m, unsigned width,
			    struct tr_report *report)
{
	struct tr_memory_sum total;
	uint64_t without;
	tr_memory_total(m, &total, &without);
	tr_report_fact(report, "unit", tr_tma_unit(width));
	tr_report_fact_u64(report, "accesses", tr_memory_accesses(&total));
	tr_report_fact_u64(report, "accesses_without_address", without);
	tr_report_fact_u64(report, "lines", total.lines);
	tr_report_say(report,
		      "%" PRIu64 " accesses to %" PRIu64 " lines, %" PRIu64
		      " without an address; %s lost to the memory\n",
		      tr_memory_accesses(&total), total.lines, without,
		      tr_tma_unit(width));
}

int tr_memory_report_objects(const struct tr_memory *m, const struct tr_classes *classes,
			     unsigned width, bool evidence, uint64_t limit,
			     struct tr_report *report)
{
	const size_t count = tr_memory_objects(m);
	const struct tr_memory_object **order = calloc(count + 1, sizeof(*order));
	struct tr_memory_sum total;
	uint64_t without;
	if (!order)
		return TR_E_NOMEM;
	tr_memory_total(m, &total, &without);
	for (size_t i = 0; i < count; i++)
		order[i] = tr_memory_object(m, i);
	qsort(order, count, sizeof(*order), compare_objects);
	const struct columns columns = columns_of(&total, classes, evidence);
	struct tr_table *table = tr_table_new_keyed(columns.headings, columns.keys, NULL);
	tr_memory_report_total(m, width, report);
	int failed = !table || add_object_rows(table, &columns, order, count, limit);
	failed |= tr_report_table(report, "objects", table);
	free(order);
	return failed ? TR_E_NOMEM : TR_OK;
}
