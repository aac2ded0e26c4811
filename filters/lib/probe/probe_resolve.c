/* SPDX-License-Identifier: Apache-2.0 */
/* Asks the child process that reads DWARF, and checks its answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "image/image.h"
#include "probe/probe_compile.h"

struct reader {
	struct tr_probes *probes;
	const uint8_t *at, *end;
	size_t binary;
	bool bad, no_memory;
};

static const uint8_t *take_answer_bytes(struct reader *reader, size_t size)
{
	if (reader->bad || (size_t)(reader->end - reader->at) < size) {
		reader->bad = true;
		return NULL;
	}
	const uint8_t *at = reader->at;
	reader->at += size;
	return at;
}

static uint32_t take_answer_u32(struct reader *reader)
{
	const uint8_t *at = take_answer_bytes(reader, 4);
	return at ? tr_load32(at) : 0;
}

static uint64_t take_answer_u64(struct reader *reader)
{
	const uint8_t *at = take_answer_bytes(reader, 8);
	return at ? tr_load64(at) : 0;
}

/* Returns zeroed memory of the set. */
static void *take_zeroed_room(struct reader *reader, size_t size)
{
	void *got = reader->bad ? NULL : tr_arena_take(&reader->probes->arena, size + 1);
	if (got)
		return memset(got, 0, size + 1);
	reader->no_memory |= !reader->bad;
	reader->bad = true;
	return NULL;
}

/* Returns memory for `count` things that take at least `least` bytes of the answer. */
static void *room_for(struct reader *reader, uint32_t count, size_t least, size_t size)
{
	if (count > (size_t)(reader->end - reader->at) / least)
		reader->bad = true;
	return take_zeroed_room(reader, count * size);
}

static const char *take_answer_text(struct reader *reader)
{
	uint32_t size = take_answer_u32(reader);
	const uint8_t *from = take_answer_bytes(reader, size);
	char *copy = from ? take_zeroed_room(reader, size) : NULL;
	return copy ? memcpy(copy, from, size) : "";
}

static struct probe_code take_answer_code(struct reader *reader)
{
	struct probe_code code = {.count = take_answer_u32(reader)};
	code.insns = room_for(reader, code.count, PROBE_INSN_BYTES, sizeof(*code.insns));
	const uint8_t *bytes =
	    take_answer_bytes(reader, (size_t)code.count * PROBE_INSN_BYTES);
	if (reader->bad)
		return (struct probe_code){0};
	tr_probe_get(bytes, code.count, code.insns);
	for (uint32_t i = 0; i < code.count; i++)
		reader->probes->need_sp |= code.insns[i].op == OP_LOWEST;
	return code;
}

static void verify_answer_code(struct reader *reader, const struct probe_code *code,
			       size_t nsaved, bool is_string)
{
	const struct probe_binary *binary = &reader->probes->binaries[reader->binary];
	if (!reader->bad && !tr_probe_verify(code, nsaved, binary->texts_size, is_string))
		reader->bad = true;
}

static void take_columns(struct reader *reader, const struct probe_definition *definition,
			 struct probe_column *columns, uint32_t count)
{
	struct probe_probe *probe = &reader->probes->probes[definition->probe];
	for (uint32_t i = 0; i < count && !reader->bad; i++) {
		columns[i].name = probe->columns[i].name;
		columns[i].type = take_answer_text(reader);
		columns[i].nenumerators = take_answer_u32(reader);
		columns[i].enumerators =
		    room_for(reader, (uint32_t)columns[i].nenumerators, 12,
			     sizeof(*columns[i].enumerators));
		for (size_t n = 0; n < columns[i].nenumerators && !reader->bad; n++) {
			columns[i].enumerators[n].name = take_answer_text(reader);
			columns[i].enumerators[n].value = take_answer_u64(reader);
		}
		if (!reader->bad && !probe->is_resolved)
			probe->columns[i].type = columns[i].type;
	}
	probe->is_resolved = true;
}

static void take_fields(struct reader *reader, struct probe_place *place)
{
	place->fields = room_for(reader, (uint32_t)place->nfields, 6,
				 place->nfields ? sizeof(*place->fields) : 1);
	place->shows = room_for(reader, (uint32_t)place->nfields, 6,
				place->nfields ? sizeof(*place->shows) : 1);
	for (size_t i = 0; i < place->nfields && !reader->bad; i++) {
		const uint8_t *show = take_answer_bytes(reader, 2);
		if (!show)
			return;
		place->shows[i] = (struct probe_show){show[0], show[1] != 0};
		place->fields[i] = take_answer_code(reader);
		reader->bad |= show[0] > TR_PROBE_BYTES;
		verify_answer_code(reader, &place->fields[i], place->nentries,
				   show[0] == TR_PROBE_STRING ||
				       show[0] == TR_PROBE_BYTES);
	}
}

static void take_answer_place(struct reader *reader,
			      const struct probe_definition *definition,
			      const struct probe_column *columns)
{
	struct tr_probes *probes = reader->probes;
	struct probe_place place = {
	    .definition = definition, .columns = columns, .binary = reader->binary};
	place.place = (struct tr_probe_place){.binary = definition->binary,
					      .address = take_answer_u64(reader),
					      .code_size = take_answer_u64(reader),
					      .probe = definition->probe,
					      .kind = definition->kind};
	place.nentries = take_answer_u32(reader);
	place.entries = room_for(reader, (uint32_t)place.nentries, 4,
				 place.nentries ? sizeof(*place.entries) : 1);
	for (size_t i = 0; i < place.nentries && !reader->bad; i++) {
		place.entries[i] = take_answer_code(reader);
		verify_answer_code(reader, &place.entries[i], 0, false);
	}
	place.place.saved_size = place.nentries * sizeof(struct probe_slot);
	place.filter = take_answer_code(reader);
	if (place.filter.count)
		verify_answer_code(reader, &place.filter, place.nentries, false);
	place.nfields = probes->probes[definition->probe].ncolumns;
	take_fields(reader, &place);
	if (!reader->bad && !tr_grow(&probes->places, &probes->places_capacity,
				     probes->nplaces + 1, sizeof(place)))
		reader->bad = reader->no_memory = true;
	if (!reader->bad)
		probes->places[probes->nplaces++] = place;
}

static void take_definition(struct reader *reader, const struct probe_definition *list)
{
	const struct probe_definition *definition = list;
	uint32_t number = take_answer_u32(reader), count = take_answer_u32(reader);
	while (definition && number--)
		definition = definition->next;
	if (!definition || count != reader->probes->probes[definition->probe].ncolumns) {
		reader->bad = true;
		return;
	}
	struct probe_column *columns =
	    room_for(reader, count, 8, count ? sizeof(*columns) : 1);
	if (!columns)
		return;
	take_columns(reader, definition, columns, count);
	for (uint32_t i = take_answer_u32(reader); i && !reader->bad; i--)
		take_answer_place(reader, definition, columns);
}

/* Returns a message without the place of the definition in its file. */
static const char *message_reason(const struct probe_definition *definition,
				  const char *message)
{
	size_t source = strlen(definition->source);
	source = source > 200 ? 200 : source;
	const char *place = strlen(message) > source + 2 ? message + source + 2 : "";
	const char *reason = strstr(place, ": ");
	return reason ? reason + 2 : message;
}

/* Takes why optional definitions have no place. */
static void take_absences(struct reader *reader, const struct probe_definition *list)
{
	for (uint32_t i = take_answer_u32(reader); i && !reader->bad; i--) {
		const struct probe_definition *definition = list;
		uint32_t number = take_answer_u32(reader);
		const char *message = take_answer_text(reader);
		while (definition && number--)
			definition = definition->next;
		if (!definition) {
			reader->bad = true;
			return;
		}
		struct probe_probe *probe = &reader->probes->probes[definition->probe];
		if (!probe->is_resolved && !probe->absence)
			probe->absence = message_reason(definition, message);
	}
}

static void take_symbols(struct reader *reader, struct probe_binary *binary)
{
	const uint32_t count = take_answer_u32(reader);
	binary->symbols =
	    room_for(reader, count, 20, count ? sizeof(*binary->symbols) : 1);
	for (uint32_t i = 0; i < count && !reader->bad; i++) {
		struct probe_symbol *symbol = &binary->symbols[i];
		symbol->address = take_answer_u64(reader);
		symbol->end = take_answer_u64(reader);
		symbol->name = take_answer_text(reader);
		reader->bad |= i && symbol->address <= symbol[-1].address;
	}
	binary->nsymbols = count;
}

static void take_answer_binary(struct reader *reader, const char *name)
{
	struct tr_probes *probes = reader->probes;
	struct probe_binary binary = {.xlen = take_answer_u32(reader)};
	binary.texts_size = take_answer_u32(reader);
	const uint8_t *texts = take_answer_bytes(reader, binary.texts_size);
	uint8_t *copy = texts ? take_zeroed_room(reader, binary.texts_size) : NULL;
	char *own = take_zeroed_room(reader, strlen(name));
	if (!copy || !own)
		return;
	memcpy(copy, texts, binary.texts_size);
	memcpy(own, name, strlen(name));
	binary.name = own;
	binary.texts = copy;
	take_symbols(reader, &binary);
	if (reader->bad)
		return;
	reader->binary = probes->nbinaries;
	if (tr_grow(&probes->binaries, &probes->binaries_capacity, probes->nbinaries + 1,
		    sizeof(binary)))
		probes->binaries[probes->nbinaries++] = binary;
	else
		reader->bad = reader->no_memory = true;
}

static bool has_note(const struct tr_probes *probes, const char *note)
{
	for (size_t i = 0; i < probes->nnotes; i++)
		if (strcmp(probes->notes[i], note) == 0)
			return true;
	return false;
}

/* Definitions of one name may have the same note. The text stays the caller's. */
static void add_note(struct reader *reader, const char *note)
{
	struct tr_probes *probes = reader->probes;
	if (reader->bad || has_note(probes, note))
		return;
	if (!tr_grow(&probes->notes, &probes->notes_capacity, probes->nnotes + 1,
		     sizeof(*probes->notes)))
		reader->bad = reader->no_memory = true;
	else
		probes->notes[probes->nnotes++] = note;
}

static void take_answer_notes(struct reader *reader)
{
	for (uint32_t i = take_answer_u32(reader); i && !reader->bad; i--)
		add_note(reader, take_answer_text(reader));
}

/* Returns the first function that some definition wants of any file and the image has, or
 * NULL. */
static const char *function_wanted(const struct probe_definition *list,
				   const struct tr_image *image)
{
	uint64_t address;
	for (; list; list = list->next)
		for (const struct probe_function *f = list->functions;
		     f && strcmp(list->binary, PROBE_ANY) == 0; f = f->next)
			if (tr_image_symbol(image, f->name, &address) == TR_OK)
				return f->name;
	return NULL;
}

/* Notes that a file without debug information is left out, if it has such a function. */
static int note_left_out(struct tr_probes *probes, const struct probe_definition *list,
			 const char *binary, const char *path)
{
	const struct tr_image_options options = {.functions = true};
	struct reader reader = {.probes = probes};
	struct tr_image *image = NULL;
	const char *function = tr_image_open(&image, path, &options) == TR_OK
				   ? function_wanted(list, image)
				   : NULL;
	const size_t size = function ? strlen(binary) + strlen(function) + 80 : 0;
	char *note = function ? take_zeroed_room(&reader, size) : NULL;
	if (note) {
		snprintf(note, size,
			 "%s has no debug information: its %s is not seen by probes of *",
			 binary, function);
		add_note(&reader, note);
	}
	tr_image_close(image);
	return reader.no_memory ? TR_E_NOMEM : TR_OK;
}

static int compare_place_address(const void *a, const void *b)
{
	const struct probe_place *left = a, *right = b;
	if (left->place.address != right->place.address)
		return left->place.address < right->place.address ? -1 : 1;
	return (left->place.probe > right->place.probe) -
	       (left->place.probe < right->place.probe);
}

static int bad_answer(const struct reader *reader)
{
	struct tr_probes *probes = reader->probes;
	snprintf(probes->message, sizeof(probes->message), "%s",
		 reader->no_memory ? "out of memory"
				   : "the reader of DWARF gave an invalid answer");
	return reader->no_memory ? TR_E_NOMEM : TR_E_CORRUPT;
}

static int read_probe_answer(struct tr_probes *probes,
			     const struct probe_definition *list, const char *binary,
			     const struct tr_buffer *answer)
{
	struct reader reader = {
	    .probes = probes, .at = answer->data, .end = answer->data + answer->size};
	size_t first = probes->nplaces;
	const uint8_t *kind = take_answer_bytes(&reader, 1);
	if (kind && *kind == PROBE_ANSWER_WHOLE) {
		probes->parts = take_answer_text(&reader);
		probes->shape = take_answer_text(&reader);
		return reader.bad ? bad_answer(&reader) : TR_E_UNSUPPORTED;
	}
	if (kind && *kind) {
		const char *message = take_answer_text(&reader);
		snprintf(probes->message, sizeof(probes->message), "%s", message);
		return TR_E_CORRUPT;
	}
	take_answer_binary(&reader, binary);
	take_answer_notes(&reader);
	for (uint32_t i = take_answer_u32(&reader); i && !reader.bad; i--)
		take_definition(&reader, list);
	take_absences(&reader, list);
	if (!reader.bad && reader.at == reader.end) {
		if (probes->nplaces > first)
			qsort(probes->places + first, probes->nplaces - first,
			      sizeof(*probes->places), compare_place_address);
		return TR_OK;
	}
	probes->nplaces = first;
	return bad_answer(&reader);
}

int tr_probe_resolve(struct tr_probes *probes, const struct probe_definition *list,
		     const char *binary, const char *path)
{
	struct probe_job job = {.definitions = list, .binary = binary};
	struct tr_buffer answer = {0};
	bool wanted = false, is_named = false;
	probes->parts = probes->shape = NULL;
	for (const struct probe_definition *one = list; one; one = one->next) {
		wanted |= probe_is_of(one, binary);
		is_named |= strcmp(one->binary, binary) == 0;
	}
	if (!wanted)
		return TR_OK;
	int status =
	    tr_query_run(path, probes->others, probes->nothers, tr_probe_compile, &job,
			 &answer, probes->message, sizeof(probes->message));
	if (status == TR_OK)
		status = read_probe_answer(probes, list, binary, &answer);
	else if (status == TR_E_UNSUPPORTED && !is_named)
		status = note_left_out(probes, list, binary, path);
	tr_buffer_free(&answer);
	return status;
}
