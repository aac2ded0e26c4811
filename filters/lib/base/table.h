/* SPDX-License-Identifier: Apache-2.0 */
/* Aligned text tables: numbers to the right, words to the left. */
#ifndef TR_TABLE_H
#define TR_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct tr_table;

/* `headings` ends with NULL; one that begins with '<' heads a column of words.
 * It is kept, not copied. NULL when out of memory; tr_table_free takes NULL. */
struct tr_table *tr_table_new(const char *const *headings);
void tr_table_free(struct tr_table *);

/* Adds the next cell, row by row. TR_OK, TR_E_NOMEM. */
int tr_table_cell(struct tr_table *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Headings and rows; a last column of words is not padded. Write errors stay in
 * ferror(file). TR_OK, TR_E_NOMEM. */
int tr_table_print(const struct tr_table *, FILE *file);

#endif
