/* SPDX-License-Identifier: Apache-2.0 */
/* The explained change of two profiles as a table. */
#include <inttypes.h>

#include "base/table.h"
#include "diff/tma_diff.h"

enum { FIRST = 7, LAST = 2, COLUMNS = FIRST + TR_MAX_CLASSES + LAST + 1 };

static double size_of(tr_i128 number)
{
	return (double)(number < 0 ? -number : number);
}

static bool is_beyond(const struct tr_tma_change *change, double least)
{
	tr_i128 whole = (tr_i128)change->cycles[1] - (tr_i128)change->cycles[0];
	bool is = size_of(whole) > least || size_of(change->by_instructions) > least;
	for (unsigned c = 0; c < TR_MAX_CLASSES && !is; c++)
		is = size_of(change->by_class[c]) > least;
	return is;
}

/* With its sign; 0 is "0". */
static int add_part(struct tr_table *table, tr_i128 part)
{
	char digits[48], *at = digits + sizeof(digits);
	tr_i128 rest = part < 0 ? -part : part;
	*--at = '\0';
	do
		*--at = (char)('0' + (int)(rest % 10));
	while (rest /= 10);
	if (part)
		*--at = part < 0 ? '-' : '+';
	return tr_table_cell(table, "%s", at);
}

static int add_cpi(struct tr_table *table, const struct tr_tma_change *change,
		   unsigned side)
{
	if (!change->instructions[side])
		return tr_table_cell(table, "-");
	return tr_table_cell(table, "%.3f",
			     (double)change->cycles[side] /
				 (double)change->instructions[side]);
}

static int add_change(struct tr_table *table, const struct tr_tma_change *change,
		      const bool *columns, const char *name)
{
	int failed = tr_table_cell(table, "%" PRIu64, change->cycles[0]);
	failed |= tr_table_cell(table, "%" PRIu64, change->cycles[1]);
	failed |=
	    add_part(table, (tr_i128)change->cycles[1] - (tr_i128)change->cycles[0]);
	failed |= add_part(table, change->by_instructions);
	failed |= add_part(table, change->by_cpi);
	failed |= add_cpi(table, change, 0);
	failed |= add_cpi(table, change, 1);
	for (unsigned c = 1; c <= TR_MAX_CLASSES; c++)
		if (columns[c % TR_MAX_CLASSES])
			failed |= add_part(table, change->by_class[c % TR_MAX_CLASSES]);
	failed |= tr_table_cell(table, "%s",
				change->binary && *change->binary ? change->binary : "-");
	return failed | tr_table_cell(table, "%s", name);
}

/* Classes that a function changed by; the last one is what was not traced. */
static void choose_columns(const struct tr_tma_diff *diff, bool columns[TR_MAX_CLASSES],
			   const char *headings[COLUMNS])
{
	static const char *const first[FIRST] = {
	    "before", "after",	    "change",	 "by instructions",
	    "by CPI", "CPI before", "CPI after",
	};
	unsigned n = 0;
	while (n < FIRST) {
		headings[n] = first[n];
		n++;
	}
	for (unsigned c = 1; c <= TR_MAX_CLASSES; c++) {
		unsigned class = c % TR_MAX_CLASSES;
		for (size_t i = 0; i < diff->count && !columns[class]; i++)
			columns[class] = diff->changes[i].by_class[class] != 0;
		if (columns[class])
			headings[n++] = class ? diff->classes.name[class] : "not traced";
	}
	headings[n++] = "<binary";
	headings[n++] = "<function";
	headings[n] = NULL;
}

static void subtract(struct tr_tma_change *rest, const struct tr_tma_change *change)
{
	for (unsigned side = 0; side < 2; side++) {
		rest->cycles[side] -= change->cycles[side];
		rest->instructions[side] -= change->instructions[side];
	}
	rest->by_instructions -= change->by_instructions;
	rest->by_cpi -= change->by_cpi;
	for (unsigned c = 0; c < TR_MAX_CLASSES; c++)
		rest->by_class[c] -= change->by_class[c];
}

static int add_rows(const struct tr_tma_diff *diff, double least, struct tr_table *table,
		    const bool *columns, size_t *rows)
{
	struct tr_tma_change rest = diff->all;
	char name[48];
	int failed = TR_OK;
	for (size_t i = 0; i < diff->count && !failed; i++) {
		const struct tr_tma_change *change = &diff->changes[i];
		if (!is_beyond(change, least))
			continue;
		failed = add_change(table, change, columns, change->name);
		subtract(&rest, change);
		++*rows;
	}
	snprintf(name, sizeof(name), "%zu others", diff->count - *rows);
	if (*rows < diff->count)
		failed |= add_change(table, &rest, columns, name);
	return failed | add_change(table, &diff->all, columns, "all");
}

int tr_tma_diff_print(const struct tr_tma_diff *diff, double least, size_t *rows,
		      FILE *file)
{
	bool columns[TR_MAX_CLASSES] = {false};
	const char *headings[COLUMNS];
	*rows = 0;
	choose_columns(diff, columns, headings);
	struct tr_table *table = tr_table_new(headings);
	int failed = table ? add_rows(diff, least, table, columns, rows) : TR_E_NOMEM;
	if (!failed && *rows)
		failed = tr_table_print(table, file);
	tr_table_free(table);
	return failed ? TR_E_NOMEM : TR_OK;
}
