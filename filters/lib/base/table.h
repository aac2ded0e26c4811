/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned text tables: numbers are right-aligned, words left-aligned. */
#ifndef TR_TABLE_H
#define TR_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct tr_table;

/* Creates a table. `headings` ends with NULL and is kept, not copied; a heading that
 * begins with '<' is of a left-aligned column. Returns NULL when out of memory.
 * tr_table_free() accepts NULL. */
struct tr_table *tr_table_new(const char *const *headings);
void tr_table_free(struct tr_table *);

/* Adds the next cell, row by row. Returns TR_OK or TR_E_NOMEM. */
int tr_table_cell(struct tr_table *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints headings and rows; a left-aligned last column is not padded. Returns TR_OK or
 * TR_E_NOMEM; write errors are left in ferror(file). */
int tr_table_print(const struct tr_table *, FILE *file);

#endif
