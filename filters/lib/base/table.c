/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned text tables. */
#include "base/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"

struct tr_table {
	const char *const *headings;
	size_t columns, count, capacity;
	const char **cells;
	struct tr_arena text;
};

struct tr_table *tr_table_new(const char *const *headings)
{
	struct tr_table *table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	table->headings = headings;
	while (headings[table->columns])
		table->columns++;
	return table;
}

void tr_table_free(struct tr_table *table)
{
	if (!table)
		return;
	free(table->cells);
	tr_arena_reset(&table->text);
	free(table);
}

int tr_table_cell(struct tr_table *table, const char *format, ...)
{
	va_list arguments;
	char *text = NULL;
	va_start(arguments, format);
	int size = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (size < 0)
		return TR_E_NOMEM;
	char *copy = tr_arena_take(&table->text, (size_t)size + 1);
	if (copy)
		memcpy(copy, text, (size_t)size + 1);
	free(text);
	if (!copy || !tr_grow(&table->cells, &table->capacity, table->count + 1,
			      sizeof(*table->cells)))
		return TR_E_NOMEM;
	table->cells[table->count++] = copy;
	return TR_OK;
}

static void print_row(const struct tr_table *table, const char *const *cells,
		      const int *widths, FILE *file)
{
	for (size_t i = 0; i < table->columns; i++) {
		int words = table->headings[i][0] == '<';
		const char *cell = cells[i] + (cells == table->headings && words);
		if (i)
			fputs("  ", file);
		if (words && i + 1 == table->columns)
			fputs(cell, file);
		else
			fprintf(file, "%*s", words ? -widths[i] : widths[i], cell);
	}
	putc('\n', file);
}

int tr_table_print(const struct tr_table *table, FILE *file)
{
	int *widths = calloc(table->columns + 1, sizeof(*widths));
	if (!widths)
		return TR_E_NOMEM;
	for (size_t i = 0; i < table->columns; i++)
		widths[i] =
		    (int)strlen(table->headings[i]) - (table->headings[i][0] == '<');
	for (size_t i = 0; i < table->count; i++) {
		int size = (int)strlen(table->cells[i]);
		if (size > widths[i % table->columns])
			widths[i % table->columns] = size;
	}
	print_row(table, table->headings, widths, file);
	for (size_t i = 0; i < table->count; i += table->columns)
		print_row(table, table->cells + i, widths, file);
	free(widths);
	return TR_OK;
}
