/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as a text table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "profile/profile_internal.h"

static int add_share(struct tr_table *table, uint64_t value, uint64_t sum)
{
	int failed = tr_table_cell(table, "%" PRIu64, value);
	double share = sum ? 100.0 * (double)value / (double)sum : 0;
	return failed | tr_table_cell(table, "%.2f", share);
}

static void put_headings(const struct tr_profile *p, const char *headings[13])
{
	static const char *const all[] = {"calls", "self",   "self %", "total", "total %",
					  "min",   "median", "max",    "away"};
	/* How a counter rose in a call nobody knows. */
	unsigned n = p->counter ? 5 : 9;
	memcpy(headings, all, n * sizeof(*headings));
	if (p->options.by != TR_BY_JOINED)
		headings[n++] = profile_by_heading(p->options.by);
	headings[n++] = "<binary";
	headings[n] = "<function";
}

static int add_calls(struct tr_table *table, const struct tr_profile_line *line)
{
	if (!line->ended)
		return tr_table_cell(table, "-") | tr_table_cell(table, "-") |
		       tr_table_cell(table, "-") | tr_table_cell(table, "-");
	return tr_table_cell(table, "%" PRIu64, line->min) |
	       tr_table_cell(table, "%s%" PRIu64, line->rounded ? "~" : "",
			     line->median) |
	       tr_table_cell(table, "%" PRIu64, line->max) |
	       tr_table_cell(table, "%" PRIu64, line->away);
}

static int by_name_and_address(const void *left, const void *right)
{
	const struct tr_func *a = *(const struct tr_func *const *)left;
	const struct tr_func *b = *(const struct tr_func *const *)right;
	int order = strcmp(a->binary, b->binary);
	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : (a->address > b->address) - (a->address < b->address);
}

bool *profile_namesakes(const struct tr_profile *p)
{
	const struct tr_func **order = calloc((size_t)p->nfuncs + 1, sizeof(*order));
	bool *namesake = calloc((size_t)p->nfuncs + 1, sizeof(*namesake));
	uint32_t count = 0;
	for (uint32_t i = 0; order && namesake && i < p->nfuncs; i++)
		if (p->funcs[i].kind == TR_FRAME_FUNCTION)
			order[count++] = &p->funcs[i];
	if (count)
		qsort(order, count, sizeof(*order), by_name_and_address);
	for (uint32_t i = 1; i < count; i++)
		if (strcmp(order[i - 1]->binary, order[i]->binary) == 0 &&
		    strcmp(order[i - 1]->name, order[i]->name) == 0) {
			namesake[order[i - 1] - p->funcs] = true;
			namesake[order[i] - p->funcs] = true;
		}
	if (!order) {
		free(namesake);
		namesake = NULL;
	}
	free(order);
	return namesake;
}

int profile_add_function(struct tr_table *table, const struct tr_func *func,
			 bool namesake)
{
	const char *binary = *func->binary ? func->binary : "-";
	int failed = tr_table_cell(table, "%s", binary);
	if (namesake)
		return failed | tr_table_cell(table, "%s (0x%" PRIx64 ")", func->name,
					      func->address);
	return failed | tr_table_cell(table, "%s", func->name);
}

static int add_line(const struct tr_profile *p, struct tr_table *table,
		    const struct tr_profile_line *line, uint64_t sum, bool namesake)
{
	bool called = line->func->kind != TR_FRAME_INLINED;
	int failed = called ? tr_table_cell(table, "%" PRIu64, line->calls)
			    : tr_table_cell(table, "-");
	failed |= add_share(table, line->self, sum);
	failed |= add_share(table, line->total, sum);
	if (!p->counter)
		failed |= add_calls(table, line);
	if (p->options.by != TR_BY_JOINED)
		failed |= tr_table_cell(table, "%s", line->group);
	return failed | profile_add_function(table, line->func, namesake);
}

int tr_profile_print(struct tr_profile *p, FILE *file)
{
	const char *headings[13] = {0};
	struct tr_profile_line *lines;
	size_t count;
	uint64_t rise, sum = p->options.instructions ? p->instructions : p->cycles;
	if (p->counter)
		sum = tr_profile_counter_charge(p, &rise).charged;
	if (tr_profile_lines(p, &lines, &count))
		return TR_E_NOMEM;
	put_headings(p, headings);
	struct tr_table *table = tr_table_new(headings);
	bool *namesakes = profile_namesakes(p);
	int failed = table && namesakes ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++)
		if (lines[i].calls || lines[i].total)
			failed = add_line(p, table, &lines[i], sum,
					  namesakes[lines[i].func - p->funcs]);
	if (!failed)
		failed = tr_table_print(table, file);
	tr_table_free(table);
	free(namesakes);
	free(lines);
	return failed ? TR_E_NOMEM : TR_OK;
}
