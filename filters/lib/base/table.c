/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned text tables. */
#include "base/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"

struct tr_table {
	const char **headings;
	const char **keys; /* NULL: none */
	size_t columns, count, capacity;
	const char **cells;
	struct tr_arena text;
};

struct tr_table *tr_table_new(const char *const *headings)
{
	struct tr_table *table = calloc(1, sizeof(*table));
	if (!table)
		return NULL;
	while (headings[table->columns])
		table->columns++;
	table->headings = calloc(table->columns + 1, sizeof(*table->headings));
	if (!table->headings) {
		free(table);
		return NULL;
	}
	memcpy(table->headings, headings, table->columns * sizeof(*headings));
	return table;
}

void tr_table_free(struct tr_table *table)
{
	if (!table)
		return;
	free(table->cells);
	free(table->headings);
	free(table->keys);
	tr_arena_reset(&table->text);
	free(table);
}

/* Returns a copy of a key, with the unit in it; NULL when out of memory. */
static const char *make_key(struct tr_table *table, const char *key, const char *unit)
{
	size_t at = strcspn(key, "*"), more = unit ? strlen(unit) : 0;
	char *copy = tr_arena_take(&table->text, strlen(key) + more + 1);
	if (!copy)
		return NULL;
	memcpy(copy, key, at);
	if (key[at])
		memcpy(copy + at, unit ? unit : "", more);
	strcpy(copy + at + (key[at] ? more : 0), key + at + (key[at] != '\0'));
	for (char *c = copy; *c; c++)
		if (*c == ' ')
			*c = '_';
	return copy;
}

int tr_table_keys(struct tr_table *table, const char *const *keys, const char *unit)
{
	table->keys = calloc(table->columns + 1, sizeof(*table->keys));
	for (size_t i = 0; table->keys && i < table->columns; i++)
		if (!keys[i] || !(table->keys[i] = make_key(table, keys[i], unit)))
			return TR_E_NOMEM;
	return table->keys ? TR_OK : TR_E_NOMEM;
}

struct tr_table *tr_table_new_keyed(const char *const *headings, const char *const *keys,
				    const char *unit)
{
	struct tr_table *table = tr_table_new(headings);
	if (table && tr_table_keys(table, keys, unit)) {
		tr_table_free(table);
		return NULL;
	}
	return table;
}

size_t tr_table_columns(const struct tr_table *table)
{
	return table->columns;
}

size_t tr_table_rows(const struct tr_table *table)
{
	return table->columns ? table->count / table->columns : 0;
}

const char *tr_table_key(const struct tr_table *table, size_t column)
{
	return table->keys ? table->keys[column] : "";
}

bool tr_table_has_words(const struct tr_table *table, size_t column)
{
	return table->headings[column][0] == '<';
}

const char *tr_table_at(const struct tr_table *table, size_t row, size_t column)
{
	return table->cells[row * table->columns + column];
}

static const char *format_text(struct tr_table *table, const char *format,
			       va_list arguments)
{
	char *text = NULL;
	int size = vasprintf(&text, format, arguments);
	if (size < 0)
		return NULL;
	char *copy = tr_arena_take(&table->text, (size_t)size + 1);
	if (copy)
		memcpy(copy, text, (size_t)size + 1);
	free(text);
	return copy;
}

const char *tr_table_format(struct tr_table *table, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *text = format_text(table, format, arguments);
	va_end(arguments);
	return text;
}

int tr_table_cell(struct tr_table *table, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const char *text = format_text(table, format, arguments);
	va_end(arguments);
	if (!text || !tr_grow(&table->cells, &table->capacity, table->count + 1,
			      sizeof(*table->cells)))
		return TR_E_NOMEM;
	table->cells[table->count++] = text;
	return TR_OK;
}

static bool is_printed(const struct tr_table *table, size_t column)
{
	const char *heading = table->headings[column];
	return heading[heading[0] == '<'] != '\0';
}

static void print_row(const struct tr_table *table, const char *const *cells,
		      const int *widths, FILE *file)
{
	size_t last = table->columns;
	bool any = false;
	while (last && !is_printed(table, --last))
		;
	for (size_t i = 0; i <= last; i++) {
		int words = table->headings[i][0] == '<';
		bool is_heading = cells == (const char *const *)table->headings;
		const char *cell = cells[i] + (is_heading && words);
		if (!is_printed(table, i))
			continue;
		if (any)
			fputs("  ", file);
		any = true;
		if (words && i == last)
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
