/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as CSV and JSON: each with its own cycles and instructions, sorted as in folded
 * text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/report.h"
#include "export/export_formats.h"

/* Adds the row of a stack. Returns a status. */
static int add_stack(const struct tr_export *export, struct tr_table *table, uint32_t id)
{
	const uint64_t *self = tr_folded_node(export->folded, id)->self;
	char *text = tr_folded_text(export->folded, id);
	int failed = text ? tr_table_cell(table, "%s", text) : TR_E_NOMEM;
	free(text);
	return failed | tr_table_cell(table, "%" PRIu64, self[export->which]) |
	       tr_table_cell(table, "%" PRIu64, self[!export->which]);
}

static int write_csv(const struct tr_export *export, void *state, FILE *file)
{
	static const char *const headings[] = {"<stack", "self", "other", NULL};
	const char *keys[] = {"stack", export->unit, export->other_unit};
	struct tr_table *table = tr_table_new(headings);
	struct tr_report *report = tr_report_new(TR_REPORT_CSV, "tr-fold", false, file);
	uint32_t *ids = NULL, count = 0;
	(void)state;
	int failed = table && report ? tr_table_keys(table, keys, NULL) : TR_E_NOMEM;
	if (!failed)
		failed = tr_folded_sorted(export->folded, export->top, TR_FOLDED_EITHER,
					  &ids, &count);
	for (uint32_t i = 0; i < count && !failed; i++)
		failed = add_stack(export, table, ids[i]);
	free(ids);
	if (failed || !report)
		tr_table_free(table);
	else
		failed = tr_report_table(report, "stacks", table);
	failed |= tr_report_free(report);
	return failed ? TR_E_NOMEM : TR_OK;
}

const struct tr_export_format tr_export_csv = {
    .name = "csv",
    .suffix = ".csv",
    .summary = "a row for each stack, or the rows of --table or --histogram",
    .write = write_csv,
};

/* `path` has room for the nodes of a stack. */
static void put_stack(const struct tr_export *export, struct tr_json *json, uint32_t id,
		      uint32_t *path)
{
	const uint64_t *self = tr_folded_node(export->folded, id)->self;
	uint32_t depth = 0;
	for (uint32_t i = id; i; i = tr_folded_node(export->folded, i)->parent)
		path[depth++] = i;
	tr_json_open_object(json);
	tr_json_key(json, "frames");
	tr_json_open_array(json);
	while (depth)
		tr_json_text(json, tr_folded_node(export->folded, path[--depth])->name);
	tr_json_close_array(json);
	tr_json_member_u64(json, export->unit, self[export->which]);
	tr_json_member_u64(json, export->other_unit, self[!export->which]);
	tr_json_close_object(json);
}

static int write_json(const struct tr_export *export, void *state, FILE *file)
{
	struct tr_json *json = tr_json_new(file);
	uint32_t *ids = NULL, count = 0;
	/* A group is one more frame. */
	uint32_t *path = calloc(TR_PROFILE_DEPTH + 1, sizeof(*path));
	(void)state;
	int status = json && path ? tr_folded_sorted(export->folded, export->top,
						     TR_FOLDED_EITHER, &ids, &count)
				  : TR_E_NOMEM;
	if (!json) {
		free(path);
		return status;
	}
	tr_json_open_object(json);
	tr_json_member(json, "report", "tr-fold");
	tr_json_member_u64(json, "version", 1);
	tr_json_member(json, "unit", export->unit);
	tr_json_member(json, "note", export->note);
	tr_json_key(json, "stacks");
	tr_json_open_array(json);
	for (uint32_t i = 0; i < count; i++)
		put_stack(export, json, ids[i], path);
	tr_json_close_array(json);
	tr_json_close_object(json);
	free(ids);
	free(path);
	int written = tr_json_free(json);
	return status ? status : written;
}

const struct tr_export_format tr_export_json = {
    .name = "json",
    .suffix = ".json",
    .summary = "the same as JSON, with the line of conservation",
    .write = write_json,
};
