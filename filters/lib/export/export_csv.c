/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as CSV and JSON: each with its own cycles and instructions, sorted as in folded
 * text. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/json.h"
#include "export/export_formats.h"

/* Returns a status. */
static int write_csv_stack(const struct tr_export *export, uint32_t id, FILE *file)
{
	const uint64_t *self = tr_folded_node(export->folded, id)->self;
	char *text = tr_folded_text(export->folded, id);
	int status = text ? tr_csv_put(file, text) : TR_E_NOMEM;
	fprintf(file, ",%" PRIu64 ",%" PRIu64 "\n", self[export->which],
		self[!export->which]);
	free(text);
	return status;
}

static int write_csv(const struct tr_export *export, void *state, FILE *file)
{
	uint32_t *ids, count;
	(void)state;
	int status =
	    tr_folded_sorted(export->folded, export->top, TR_FOLDED_EITHER, &ids, &count);
	fputs("stack,", file);
	status |= tr_csv_put(file, export->unit);
	putc(',', file);
	status |= tr_csv_put(file, export->other_unit);
	putc('\n', file);
	for (uint32_t i = 0; i < count && !status; i++)
		status = write_csv_stack(export, ids[i], file);
	free(ids);
	return status ? TR_E_NOMEM : TR_OK;
}

const struct tr_export_format tr_export_csv = {
    .name = "csv",
    .suffix = ".csv",
    .summary = "a row for each stack",
    .write = write_csv,
};

/* `path` has room for the nodes of a stack. */
static void write_json_stack(const struct tr_export *export, struct tr_json *json,
			     uint32_t id, uint32_t *path)
{
	const uint64_t *self = tr_folded_node(export->folded, id)->self;
	uint32_t depth = 0;
	for (uint32_t i = id; i; i = tr_folded_node(export->folded, i)->parent)
		path[depth++] = i;
	tr_json_open_object(json);
	tr_json_open_member_array(json, "frames");
	while (depth)
		tr_json_text(json, tr_folded_node(export->folded, path[--depth])->name);
	tr_json_close_array(json);
	tr_json_member_u64(json, export->unit, self[export->which]);
	tr_json_member_u64(json, export->other_unit, self[!export->which]);
	tr_json_close_object(json);
}

/* Groups, and what woke a thread, add frames to those of a stack. */
static uint32_t deepest_stack(const struct tr_folded *folded)
{
	uint32_t deepest = 0;
	for (uint32_t i = 0; i < tr_folded_count(folded); i++)
		if (tr_folded_node(folded, i)->depth > deepest)
			deepest = tr_folded_node(folded, i)->depth;
	return deepest;
}

static int write_json(const struct tr_export *export, void *state, FILE *file)
{
	struct tr_json *json = tr_json_new(file);
	uint32_t *ids = NULL, count = 0;
	uint32_t *path = calloc(deepest_stack(export->folded) + 1UL, sizeof(*path));
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
	tr_json_open_member_array(json, "stacks");
	for (uint32_t i = 0; i < count; i++)
		write_json_stack(export, json, ids[i], path);
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
