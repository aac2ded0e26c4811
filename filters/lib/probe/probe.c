/* SPDX-License-Identifier: Apache-2.0 */
/* A set of probes: its definitions and what is known of it. */
#include "probe/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/probe_internal.h"

struct tr_probes *tr_probes_new(void)
{
	struct tr_probes *probes = calloc(1, sizeof(*probes));
	if (probes)
		probes->end = &probes->definitions;
	return probes;
}

void tr_probes_free(struct tr_probes *probes)
{
	if (!probes)
		return;
	for (size_t i = 0; i < probes->count; i++)
		free(probes->probes[i].values);
	free(probes->probes);
	free(probes->places);
	free(probes->binaries);
	free(probes->notes);
	tr_buffer_free(&probes->scratch);
	tr_arena_reset(&probes->arena);
	free(probes);
}

const char *tr_probes_message(const struct tr_probes *probes)
{
	return probes->message;
}

static int fail_probes_memory(struct tr_probes *probes)
{
	snprintf(probes->message, sizeof(probes->message), "out of memory");
	return TR_E_NOMEM;
}

/* --- definitions */

static size_t count_shown(const struct probe_definition *definition)
{
	size_t count = 0;
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next)
		count += field->name[0] != '$';
	return count;
}

static int fail_definition(struct tr_probes *probes,
			   const struct probe_definition *definition, const char *text)
{
	snprintf(probes->message, sizeof(probes->message),
		 "%.200s: line %u, column %u: %.60s: %s", definition->source,
		 definition->line, definition->column, definition->name, text);
	return TR_E_CORRUPT;
}

/* Checks that all definitions of a name have the same fields. */
static int check_columns(struct tr_probes *probes,
			 const struct probe_definition *definition)
{
	const struct probe_probe *probe = &probes->probes[definition->probe];
	size_t i = 0;
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next) {
		if (field->name[0] == '$')
			continue;
		if (i == probe->ncolumns ||
		    strcmp(field->name, probe->columns[i++].name) != 0)
			return fail_definition(
			    probes, definition,
			    "the definitions of a probe must have the same fields");
	}
	return i == probe->ncolumns
		   ? TR_OK
		   : fail_definition(
			 probes, definition,
			 "the definitions of a probe must have the same fields");
}

static int add_probe(struct tr_probes *probes, const struct probe_definition *definition)
{
	struct probe_probe probe = {.name = definition->name,
				    .ncolumns = count_shown(definition)};
	size_t i = 0;
	if (!tr_grow(&probes->probes, &probes->capacity, probes->count + 1,
		     sizeof(probe)))
		return fail_probes_memory(probes);
	probe.columns =
	    tr_arena_take(&probes->arena, (probe.ncolumns + 1) * sizeof(*probe.columns));
	probe.values = calloc(probe.ncolumns + 1, sizeof(*probe.values));
	if (!probe.columns || !probe.values) {
		free(probe.values);
		return fail_probes_memory(probes);
	}
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next)
		if (field->name[0] != '$')
			probe.columns[i++] =
			    (struct probe_column){.name = field->name, .type = ""};
	probes->probes[probes->count++] = probe;
	return TR_OK;
}

/* Forgets the probes from `count` on. */
static void drop_probes_from(struct tr_probes *probes, size_t count)
{
	while (probes->count > count)
		free(probes->probes[--probes->count].values);
}

static int add_definitions(struct tr_probes *probes, struct probe_definition *list)
{
	size_t before = probes->count;
	int status = TR_OK;
	for (struct probe_definition *one = list; one && status == TR_OK;
	     one = one->next) {
		size_t i = 0;
		while (
		    i < probes->count &&
		    (one->is_address || strcmp(probes->probes[i].name, one->name) != 0))
			i++;
		one->probe = i;
		status = i < probes->count ? check_columns(probes, one)
					   : add_probe(probes, one);
	}
	if (status != TR_OK) {
		drop_probes_from(probes, before);
		return status;
	}
	*probes->end = list;
	while (*probes->end)
		probes->end = &(*probes->end)->next;
	return TR_OK;
}

static const char *keep_probe_text(struct tr_probes *probes, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&probes->arena, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

int tr_probes_read_text(struct tr_probes *probes, const char *name, const char *text)
{
	struct probe_definition *list;
	const char *source = keep_probe_text(probes, name);
	if (!source)
		return fail_probes_memory(probes);
	int status =
	    tr_probe_parse(&probes->arena, source, text, false, &list, probes->message);
	return status == TR_OK ? add_definitions(probes, list) : status;
}

/* Reads a whole text file. */
static int read_probe_file(struct tr_probes *probes, const char *path,
			   struct tr_buffer *text)
{
	FILE *file = fopen(path, "rbe");
	uint8_t *room;
	size_t n = 0;
	if (!file) {
		snprintf(probes->message, sizeof(probes->message), "%.300s: %s", path,
			 strerror(errno));
		return TR_E_IO;
	}
	while (text->size <= PROBE_TEXT_MAX && (room = tr_buffer_room(text, 65536)) &&
	       (n = fread(room, 1, 65535, file)) > 0)
		text->size += n;
	bool bad = ferror(file) != 0;
	int number = errno;
	fclose(file);
	tr_buffer_add(text, "", 1);
	if (text->failed)
		return fail_probes_memory(probes);
	if (bad) {
		snprintf(probes->message, sizeof(probes->message), "%.300s: %s", path,
			 strerror(number));
		return TR_E_IO;
	}
	if (text->size > PROBE_TEXT_MAX || strlen((char *)text->data) + 1 != text->size) {
		snprintf(probes->message, sizeof(probes->message), "%.300s: %s", path,
			 text->size > PROBE_TEXT_MAX ? "larger than 1 MiB"
						     : "not a text: it has a zero byte");
		return TR_E_CORRUPT;
	}
	return TR_OK;
}

int tr_probes_read(struct tr_probes *probes, const char *path)
{
	struct tr_buffer text = {0};
	int status = read_probe_file(probes, path, &text);
	if (status == TR_OK)
		status = tr_probes_read_text(probes, path, (const char *)text.data);
	tr_buffer_free(&text);
	return status;
}

/* --- what is known */

const char *tr_probes_note(const struct tr_probes *probes, size_t i)
{
	return i < probes->nnotes ? probes->notes[i] : NULL;
}

bool tr_probes_need_sp(const struct tr_probes *probes)
{
	return probes->need_sp;
}

bool tr_probes_name_binary(const struct tr_probes *probes, const char *binary)
{
	for (const struct probe_definition *one = probes->definitions; one;
	     one = one->next)
		if (probe_is_of(one, binary))
			return true;
	return false;
}

bool tr_probes_name_one(const struct tr_probes *probes, const char *binary)
{
	for (const struct probe_definition *one = probes->definitions; one;
	     one = one->next)
		if (strcmp(one->binary, binary) == 0)
			return true;
	return false;
}

static bool has_probe_binary(const struct tr_probes *probes, const char *name)
{
	for (size_t i = 0; i < probes->nbinaries; i++)
		if (strcmp(probes->binaries[i].name, name) == 0)
			return true;
	return false;
}

const char *tr_probes_unresolved(const struct tr_probes *probes)
{
	for (const struct probe_definition *one = probes->definitions; one;
	     one = one->next)
		if (strcmp(one->binary, PROBE_ANY) != 0 &&
		    !has_probe_binary(probes, one->binary))
			return one->binary;
	return NULL;
}

const char *tr_probes_without_place(const struct tr_probes *probes)
{
	for (const struct probe_definition *one = probes->definitions; one;
	     one = one->next) {
		size_t i = 0;
		while (i < probes->nplaces && probes->places[i].place.probe != one->probe)
			i++;
		if (i == probes->nplaces && strcmp(one->binary, PROBE_ANY) == 0 &&
		    !one->is_optional)
			return one->functions->name;
	}
	return NULL;
}

const char *tr_probes_absence(const struct tr_probes *probes, size_t probe)
{
	const struct probe_probe *one = &probes->probes[probe];
	if (one->is_resolved)
		return NULL;
	return one->absence ? one->absence : "no program has the function";
}

size_t tr_probes_count(const struct tr_probes *probes)
{
	return probes->count;
}

const char *tr_probes_name(const struct tr_probes *probes, size_t probe)
{
	return probes->probes[probe].name;
}

size_t tr_probes_field_count(const struct tr_probes *probes, size_t probe)
{
	return probes->probes[probe].ncolumns;
}

const char *tr_probes_field_name(const struct tr_probes *probes, size_t probe,
				 size_t field)
{
	return probes->probes[probe].columns[field].name;
}

const char *tr_probes_field_type(const struct tr_probes *probes, size_t probe,
				 size_t field)
{
	return probes->probes[probe].columns[field].type;
}

uint64_t tr_probes_unknown(const struct tr_probes *probes, size_t probe)
{
	return probes->probes[probe].unknown;
}

size_t tr_probes_place_count(const struct tr_probes *probes)
{
	return probes->nplaces;
}

const struct tr_probe_place *tr_probes_place(const struct tr_probes *probes, size_t i)
{
	return &probes->places[i].place;
}

/* Adds and resolves expressions; `is_parts`: of a structure. */
static int add_expression(struct tr_probes *probes, const char *text, bool is_parts,
			  const char *binary, const char *path, uint64_t address,
			  size_t *place)
{
	struct probe_definition *list;
	int status = tr_probe_parse(&probes->arena, "expression", text, true, &list,
				    probes->message);
	if (status != TR_OK)
		return status;
	list->binary = keep_probe_text(probes, binary);
	list->offset = address;
	list->is_parts = is_parts;
	if (!list->binary)
		return fail_probes_memory(probes);
	/* It is compiled alone, since the others may have been before. */
	status = add_definitions(probes, list);
	*place = probes->nplaces;
	return status == TR_OK ? tr_probe_resolve(probes, list, binary, path) : status;
}

static size_t count_parts(const char *shape)
{
	size_t count = 0;
	while ((shape = strstr(shape, PROBE_PART)) != NULL) {
		shape += strlen(PROBE_PART);
		count++;
	}
	return count;
}

int tr_probes_expression(struct tr_probes *probes, const char *text, const char *binary,
			 const char *path, uint64_t address, size_t *place)
{
	const char *shape, *parts;
	int status = add_expression(probes, text, false, binary, path, address, place);
	shape = probes->shape;
	parts = probes->parts;
	if (status != TR_E_UNSUPPORTED || !parts)
		return status;
	status = add_expression(probes, parts, true, binary, path, address, place);
	if (status != TR_OK)
		return status;
	probes->shape = shape;
	if (count_parts(shape) == probes->probes[probes->count - 1].ncolumns)
		return TR_OK;
	snprintf(probes->message, sizeof(probes->message),
		 "the reader of DWARF gave an invalid answer");
	return TR_E_CORRUPT;
}

void tr_probes_set_kernels(struct tr_probes *probes, const char *const *paths,
			   size_t count)
{
	probes->others = paths;
	probes->nothers = count;
}

int tr_probes_resolve(struct tr_probes *probes, const char *binary, const char *path)
{
	return tr_probe_resolve(probes, probes->definitions, binary, path);
}
