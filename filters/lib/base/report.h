/* SPDX-License-Identifier: Apache-2.0 */
/* Tables with remarks about them, as text for people or as CSV or JSON for programs.
 *
 * CSV quotes as RFC 4180 does, and its lines end with a line feed. The first line has the
 * keys of the columns. Of several tables, it has all columns of all of them, and before
 * them a column "table" with the name of the row's table; cells of other tables' columns
 * are empty.
 *
 * JSON is one object: "report" is the report's name, "version" 1, then the facts, then
 * each table as an array of objects. A cell without a value is null, in CSV empty. */
#ifndef TR_REPORT_H
#define TR_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/table.h"

enum tr_report_as { TR_REPORT_TEXT = 0, TR_REPORT_CSV, TR_REPORT_JSON };

struct tr_report;

/* Returns a report, such as "tr-report tma", or NULL when out of memory. With `several`
 * it may have more than one table. */
struct tr_report *tr_report_new(enum tr_report_as as, const char *name, bool several,
				FILE *file);
/* Writes what is missing and frees the report, which may be NULL. Returns TR_OK or
 * TR_E_NOMEM, also for an earlier failure; write errors are left in ferror(file). */
int tr_report_free(struct tr_report *);

/* Returns the file for text, or NULL in CSV and JSON. */
FILE *tr_report_text(struct tr_report *);
/* Print text, which is not in CSV and JSON. */
void tr_report_say(struct tr_report *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add a fact to JSON; not in text and CSV. */
void tr_report_fact(struct tr_report *, const char *key, const char *text);
void tr_report_fact_u64(struct tr_report *, const char *key, uint64_t value);

/* Takes a table, which must have keys (tr_table_keys()), and frees it when it is written:
 * text at once, CSV and JSON at the end. Tables of one name must have the same keys; in
 * CSV and JSON they are one. Returns TR_OK, or TR_E_NOMEM, also if `table` is NULL. */
int tr_report_table(struct tr_report *, const char *name, struct tr_table *table);

#endif
