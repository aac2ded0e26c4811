/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned text tables: numbers are right-aligned, words left-aligned. report.h writes
 * them in other formats. */
#ifndef TR_TABLE_H
#define TR_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct tr_table;

/* Creates a table. `headings` ends with NULL; its texts are kept, not copied; a heading
 * that begins with '<' is of a left-aligned column. A column whose heading is "" or "<"
 * is not printed: it is for other formats only. Returns NULL when out of memory.
 * tr_table_free() accepts NULL. */
struct tr_table *tr_table_new(const char *const *headings);
void tr_table_free(struct tr_table *);

/* Names the columns for other formats; `keys` has one for each heading, and is copied,
 * with `unit` (may be NULL) for a '*', and '_' for a space. A column whose key is "" is
 * for text only. Returns TR_OK, or TR_E_NOMEM, also if a key is NULL. */
int tr_table_keys(struct tr_table *, const char *const *keys, const char *unit);
/* Does both: creates a table with keys. Returns NULL when out of memory. */
struct tr_table *tr_table_new_keyed(const char *const *headings, const char *const *keys,
				    const char *unit);
/* Returns the number of columns, and that of complete rows. */
size_t tr_table_columns(const struct tr_table *);
size_t tr_table_rows(const struct tr_table *);
/* Returns the key of a column, "" if it has none. */
const char *tr_table_key(const struct tr_table *, size_t column);
/* Returns true if the column is left-aligned. */
bool tr_table_has_words(const struct tr_table *, size_t column);
/* Returns the text of a cell. */
const char *tr_table_at(const struct tr_table *, size_t row, size_t column);

/* Returns text that the table owns, such as a key, or NULL when out of memory. */
const char *tr_table_format(struct tr_table *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the next cell, row by row. Returns TR_OK or TR_E_NOMEM. */
int tr_table_cell(struct tr_table *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints headings and rows as text; a left-aligned last column is not padded. Returns
 * TR_OK or TR_E_NOMEM; write errors are left in ferror(file). */
int tr_table_print(const struct tr_table *, FILE *file);

#endif
