/* SPDX-License-Identifier: Apache-2.0 */
/* Reports as text, CSV and JSON. */
#include "base/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/status.h"

struct part {
	const char *name;
	struct tr_table *table;
	bool is_written;
};

struct tr_report {
	enum tr_report_as as;
	bool several, failed;
	FILE *file;
	struct tr_json *json;
	struct part *parts; /* in CSV and JSON */
	size_t count, capacity;
};

struct tr_report *tr_report_new(enum tr_report_as as, const char *name, bool several,
				FILE *file)
{
	struct tr_report *report = calloc(1, sizeof(*report));
	if (!report)
		return NULL;
	*report = (struct tr_report){.as = as, .several = several, .file = file};
	if (as != TR_REPORT_JSON)
		return report;
	report->json = tr_json_new(file);
	if (!report->json) {
		free(report);
		return NULL;
	}
	tr_json_open_object(report->json);
	tr_json_member(report->json, "report", name);
	tr_json_member_u64(report->json, "version", 1);
	return report;
}

FILE *tr_report_text(struct tr_report *report)
{
	return report->as == TR_REPORT_TEXT ? report->file : NULL;
}

void tr_report_say(struct tr_report *report, const char *format, ...)
{
	va_list arguments;
	if (report->as != TR_REPORT_TEXT)
		return;
	va_start(arguments, format);
	vfprintf(report->file, format, arguments);
	va_end(arguments);
}

void tr_report_fact(struct tr_report *report, const char *key, const char *text)
{
	if (report->json)
		tr_json_member(report->json, key, text);
}

void tr_report_fact_u64(struct tr_report *report, const char *key, uint64_t value)
{
	if (report->json)
		tr_json_member_u64(report->json, key, value);
}

int tr_report_table(struct tr_report *report, const char *name, struct tr_table *table)
{
	int status = table ? TR_OK : TR_E_NOMEM;
	if (table && report->as == TR_REPORT_TEXT) {
		status = tr_table_print(table, report->file);
		tr_table_free(table);
	} else if (table && tr_grow(&report->parts, &report->capacity, report->count + 1,
				    sizeof(*report->parts))) {
		report->parts[report->count++] =
		    (struct part){.name = name, .table = table};
	} else if (table) {
		tr_table_free(table);
		status = TR_E_NOMEM;
	}
	report->failed |= status != TR_OK;
	return status;
}

/* Returns a cell's value: without the signs that are for people; "" for none. `room` has
 * space for a number. */
static const char *bare_cell_value(const struct tr_table *table, size_t row,
				   size_t column, char room[64])
{
	const char *text = tr_table_at(table, row, column);
	if (strcmp(text, "-") == 0)
		return "";
	if (tr_table_has_words(table, column))
		return text;
	text += *text == '~' || *text == '+';
	size_t size = strcspn(text, " ");
	if (strcmp(text + size, " %") != 0 || size >= 64)
		return text;
	memcpy(room, text, size);
	room[size] = '\0';
	return room;
}

/* JSON. */

static void write_json_cell(struct tr_json *json, const struct tr_table *table,
			    size_t row, size_t column)
{
	char room[64];
	const char *text = bare_cell_value(table, row, column, room);
	bool words = tr_table_has_words(table, column);
	if (!*text)
		tr_json_null(json);
	else if (!words && tr_json_is_number(text))
		tr_json_number(json, text);
	else if (!words && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
		tr_json_bool(json, *text == 't');
	else
		tr_json_text(json, text);
}

static void write_json_rows(struct tr_json *json, const struct tr_table *table)
{
	for (size_t row = 0; row < tr_table_rows(table); row++) {
		tr_json_open_object(json);
		for (size_t i = 0; i < tr_table_columns(table); i++) {
			if (!*tr_table_key(table, i))
				continue;
			tr_json_key(json, tr_table_key(table, i));
			write_json_cell(json, table, row, i);
		}
		tr_json_close_object(json);
	}
}

/* Writes all tables of this one's name. */
static void write_json_tables(struct tr_report *report, size_t first)
{
	tr_json_open_member_array(report->json, report->parts[first].name);
	for (size_t i = first; i < report->count; i++) {
		if (strcmp(report->parts[i].name, report->parts[first].name) != 0)
			continue;
		write_json_rows(report->json, report->parts[i].table);
		report->parts[i].is_written = true;
	}
	tr_json_close_array(report->json);
}

/* CSV. */

static void write_csv_cell(struct tr_report *report, const char *text)
{
	report->failed |= tr_csv_put(report->file, text) != TR_OK;
}

/* The keys of all tables, each once. */
struct keys {
	const char **keys;
	size_t count, capacity;
};

static bool add_csv_key(struct keys *all, const char *key)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->keys[i], key) == 0)
			return true;
	if (!tr_grow(&all->keys, &all->capacity, all->count + 1, sizeof(*all->keys)))
		return false;
	all->keys[all->count++] = key;
	return true;
}

static bool add_keys(struct keys *all, const struct tr_table *table)
{
	bool added = true;
	for (size_t i = 0; i < tr_table_columns(table) && added; i++)
		if (*tr_table_key(table, i))
			added = add_csv_key(all, tr_table_key(table, i));
	return added;
}

static void write_csv_line(struct tr_report *report, const struct keys *keys,
			   const struct part *part, const size_t *places, size_t row)
{
	char room[64];
	if (report->several)
		write_csv_cell(report, part->name);
	for (size_t i = 0; i < keys->count; i++) {
		if (i || report->several)
			putc(',', report->file);
		if (places[i] < tr_table_columns(part->table))
			write_csv_cell(
			    report, bare_cell_value(part->table, row, places[i], room));
	}
	putc('\n', report->file);
}

static void write_csv_part(struct tr_report *report, const struct keys *keys,
			   struct part *part)
{
	const struct tr_table *table = part->table;
	size_t *places = calloc(keys->count + 1, sizeof(*places));
	report->failed |= !places;
	for (size_t i = 0; places && i < keys->count; i++)
		while (places[i] < tr_table_columns(table) &&
		       strcmp(tr_table_key(table, places[i]), keys->keys[i]) != 0)
			places[i]++;
	for (size_t row = 0; places && row < tr_table_rows(table); row++)
		write_csv_line(report, keys, part, places, row);
	free(places);
}

static void put_csv(struct tr_report *report)
{
	struct keys keys = {0};
	for (size_t i = 0; i < report->count; i++)
		report->failed |= !add_keys(&keys, report->parts[i].table);
	if (report->several)
		fputs("table", report->file);
	for (size_t i = 0; i < keys.count; i++) {
		if (i || report->several)
			putc(',', report->file);
		write_csv_cell(report, keys.keys[i]);
	}
	if (keys.count || report->several)
		putc('\n', report->file);
	for (size_t i = 0; i < report->count; i++)
		write_csv_part(report, &keys, &report->parts[i]);
	free(keys.keys);
}

int tr_report_free(struct tr_report *report)
{
	if (!report)
		return TR_OK;
	for (size_t i = 0; report->json && i < report->count; i++)
		if (!report->parts[i].is_written)
			write_json_tables(report, i);
	if (report->json)
		tr_json_close_object(report->json);
	if (report->as == TR_REPORT_CSV)
		put_csv(report);
	bool failed = tr_json_free(report->json) != TR_OK || report->failed;
	for (size_t i = 0; i < report->count; i++)
		tr_table_free(report->parts[i].table);
	free(report->parts);
	free(report);
	return failed ? TR_E_NOMEM : TR_OK;
}
