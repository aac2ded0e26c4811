/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/virtual_hits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/utf8.h"

/* The fields, by their numbers in a probe; NO_FIELD for those that it lacks. */
#define NO_FIELD UINT32_MAX
enum virtual_field {
	FIELD_FRAME,
	FIELD_CALLER,
	FIELD_CALL,
	FIELD_AGAIN,
	FIELD_NAME,
	FIELD_FILE,
	FIELD_LINE,
	FIELD_LANGUAGE,
	FIELD_MODULE,
	FIELDS
};
static const char *const field_names[FIELDS] = {
    [FIELD_FRAME] = "vframe",	      [FIELD_CALLER] = "vframe_caller",
    [FIELD_CALL] = "vframe_call",     [FIELD_AGAIN] = "vframe_again",
    [FIELD_NAME] = "vframe_name",     [FIELD_FILE] = "vframe_file",
    [FIELD_LINE] = "vframe_line",     [FIELD_LANGUAGE] = "vframe_language",
    [FIELD_MODULE] = "vframe_module",
};

struct virtual_probe {
	uint32_t fields[FIELDS];
};
struct tr_virtual_hits {
	uint32_t count;
	struct virtual_probe probes[];
};

int tr_virtual_hits_new(struct tr_virtual_hits **hits, const struct tr_probe_names *names)
{
	bool any = false;
	*hits = NULL;
	for (uint32_t i = 0; names && i < names->count; i++)
		any |=
		    tr_probe_names_field(names, i, field_names[FIELD_FRAME]) != NO_FIELD;
	if (!any)
		return TR_OK;
	*hits = calloc(1, sizeof(**hits) + names->count * sizeof((*hits)->probes[0]));
	if (!*hits)
		return TR_E_NOMEM;
	(*hits)->count = names->count;
	for (uint32_t i = 0; i < names->count; i++)
		for (unsigned f = 0; f < FIELDS; f++)
			(*hits)->probes[i].fields[f] =
			    tr_probe_names_field(names, i, field_names[f]);
	return TR_OK;
}

void tr_virtual_hits_free(struct tr_virtual_hits *hits)
{
	free(hits);
}

bool tr_virtual_hits_tells(const struct tr_virtual_hits *hits, uint32_t probe)
{
	return hits && probe < hits->count &&
	       hits->probes[probe].fields[FIELD_FRAME] != NO_FIELD;
}

/* ------------------------------------------------------------ values */

/* Returns the value of a field, a missing one if the probe does not have it. */
static struct tr_probe_value value_of(const struct tr_hit *hit,
				      const struct virtual_probe *probe,
				      enum virtual_field field)
{
	const uint32_t number = probe->fields[field];
	if (number == NO_FIELD)
		return (struct tr_probe_value){.kind = TR_PROBE_MISSING};
	return tr_hit_value(hit, number);
}

/* Returns false if a field is no number. */
static bool read_number(const struct tr_hit *hit, const struct virtual_probe *probe,
			enum virtual_field field, uint64_t *number)
{
	const struct tr_probe_value value = value_of(hit, probe, field);
	*number = value.number;
	return value.kind == TR_PROBE_UNSIGNED || value.kind == TR_PROBE_SIGNED ||
	       value.kind == TR_PROBE_ADDRESS || value.kind == TR_PROBE_BOOL ||
	       value.kind == TR_PROBE_ENUM;
}

/* Appends a text to `name`, in which it is cut. */
static void append_text(char *name, const char *text)
{
	const size_t used = strlen(name);
	snprintf(name + used, TR_VIRTUAL_NAME - used, "%s", text);
}

/* Copies a string; of a path, its last part. Returns false if it is missing. */
static bool read_string(const struct tr_hit *hit, const struct virtual_probe *probe,
			enum virtual_field field, char text[TR_VIRTUAL_MODULE])
{
	const struct tr_probe_value value = value_of(hit, probe, field);
	const char *data = (const char *)value.data;
	size_t size = value.size;
	*text = '\0';
	if (value.kind != TR_PROBE_STRING || !size)
		return false;
	for (size_t i = size - 1; field == FIELD_FILE && i-- > 0;)
		if (data[i] == '/') {
			size -= i + 1;
			data += i + 1;
			break;
		}
	tr_utf8_clean(text, TR_VIRTUAL_MODULE - 3, data, size, ':');
	if (value.is_cut)
		strcat(text, "...");
	return true;
}

/* "py:f (app.py:3)" */
static void make_name(const struct tr_hit *hit, const struct virtual_probe *probe,
		      char name[TR_VIRTUAL_NAME])
{
	char text[TR_VIRTUAL_MODULE], number[32];
	uint64_t line = 0;
	*name = '\0';
	if (read_string(hit, probe, FIELD_LANGUAGE, text)) {
		append_text(name, text);
		append_text(name, ":");
	}
	append_text(name, read_string(hit, probe, FIELD_NAME, text) ? text : "[missing]");
	if (probe->fields[FIELD_FILE] == NO_FIELD)
		return;
	append_text(name, " (");
	append_text(name, read_string(hit, probe, FIELD_FILE, text) ? text : "[missing]");
	if (read_number(hit, probe, FIELD_LINE, &line) && line) {
		snprintf(number, sizeof(number), ":%" PRIu64, line);
		append_text(name, number);
	}
	append_text(name, ")");
}

void tr_virtual_hits_read(const struct tr_virtual_hits *hits, const struct tr_hit *hit,
			  struct tr_virtual_hit *to)
{
	const struct virtual_probe *probe = &hits->probes[hit->probe];
	uint64_t call = 0, again = 0;
	const bool tells_call = read_number(hit, probe, FIELD_CALL, &call);
	to->is_known = read_number(hit, probe, FIELD_FRAME, &to->frame);
	to->has_caller = read_number(hit, probe, FIELD_CALLER, &to->caller);
	to->has_name = probe->fields[FIELD_NAME] != NO_FIELD;
	to->is_call = !tells_call || call;
	to->is_again = read_number(hit, probe, FIELD_AGAIN, &again) && again;
	*to->name = *to->module = '\0';
	if (!to->has_name)
		return;
	make_name(hit, probe, to->name);
	read_string(hit, probe, FIELD_MODULE, to->module);
}
