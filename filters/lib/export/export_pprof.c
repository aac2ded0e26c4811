/* SPDX-License-Identifier: Apache-2.0 */
/* The format of pprof: a gzip file of one protobuf message. Its parts are written as they
 * occur, since a message may be divided between its fields. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zlib.h>

#include "export/export_events.h"
#include "export/export_formats.h"
#include "export/export_mappings.h"
#include "export/pprof.pb-c.h"

enum { GZIP = 16, ROOM = 1 << 15, LINES = 66 };

struct pprof {
	const struct tr_export *export;
	struct tr_export_events events;
	FILE *file;
	z_stream zip;
	struct tr_buffer packed;
	struct tr_map strings, functions, locations; /* by hash: number */
	uint32_t nstrings, nfunctions, nlocations;
	struct tr_export_mappings mappings;
	uint64_t *ids; /* scratch: the locations of a stack */
	size_t ids_room;
	uint32_t *of_node;   /* by node: its location without address, 0: none yet */
	uint32_t *of_caller; /* by node: the location of the call, 0: none yet */
	int status;
};

static void fail_pprof(struct pprof *p, int status)
{
	if (!p->status)
		p->status = status;
}

/* Compresses and writes bytes; `flush` as for deflate(). */
static void deflate_bytes(struct pprof *p, const uint8_t *data, size_t size, int flush)
{
	uint8_t out[ROOM];
	p->zip.next_in = (Bytef *)(uintptr_t)data;
	p->zip.avail_in = (uInt)size;
	do {
		p->zip.next_out = out;
		p->zip.avail_out = sizeof(out);
		deflate(&p->zip, flush);
		fwrite(out, 1, sizeof(out) - p->zip.avail_out, p->file);
	} while (!p->zip.avail_out);
}

/* Writes a part of the message. */
static void write_message_part(struct pprof *p, const TrPprof__Profile *part)
{
	size_t size = tr_pprof__profile__get_packed_size(part);
	p->packed.size = 0;
	uint8_t *room = tr_buffer_room(&p->packed, size + 1);
	if (!room) {
		fail_pprof(p, TR_E_NOMEM);
		return;
	}
	deflate_bytes(p, room, tr_pprof__profile__pack(part, room), Z_NO_FLUSH);
}

/* Returns the number of `key`, after *next, which counts them, for a new one. */
static uint32_t number_key(struct pprof *p, struct tr_map *map, uint64_t key,
			   uint32_t *next, bool *is_new)
{
	uint32_t number = tr_map_get(map, key);
	*is_new = number == TR_MAP_NONE;
	if (!*is_new)
		return number;
	if (!tr_map_set(map, key, *next))
		fail_pprof(p, TR_E_NOMEM);
	return (*next)++;
}

static int64_t string_of(struct pprof *p, const char *text)
{
	bool is_new;
	uint32_t id = number_key(p, &p->strings, XXH3_64bits(text, strlen(text)),
				 &p->nstrings, &is_new);
	if (is_new) {
		TrPprof__Profile part = TR_PPROF__PROFILE__INIT;
		char *strings[] = {(char *)(uintptr_t)text};
		part.n_string_table = 1;
		part.string_table = strings;
		write_message_part(p, &part);
	}
	return id;
}

/* `system` is the linkage name, or empty: pprof shortens a name that is equal to it. */
static uint64_t number_function(struct pprof *p, const char *name, const char *system,
				const char *file, uint32_t line)
{
	const int64_t key[] = {string_of(p, name), string_of(p, system),
			       string_of(p, file), line};
	bool is_new;
	uint32_t id = number_key(p, &p->functions, XXH3_64bits(key, sizeof(key)),
				 &p->nfunctions, &is_new);
	if (is_new) {
		TrPprof__Profile part = TR_PPROF__PROFILE__INIT;
		TrPprof__Function function = TR_PPROF__FUNCTION__INIT;
		TrPprof__Function *functions[] = {&function};
		function.id = id;
		function.name = key[0];
		function.system_name = key[1];
		function.filename = key[2];
		function.start_line = key[3];
		part.n_function = 1;
		part.function = functions;
		write_message_part(p, &part);
	}
	return id;
}

/* --- locations */

/* A location under construction. */
struct place {
	uint64_t address;
	uint32_t binary; /* or UINT32_MAX */
	size_t count;
	struct {
		uint64_t function;
		int64_t line;
	} lines[LINES];
};

static void add_location_line(struct place *place, uint64_t function, uint32_t line)
{
	if (place->count == LINES)
		return;
	place->lines[place->count].function = function;
	place->lines[place->count++].line = line;
}

/* Notes what the binary of a location has. */
static uint64_t mapping_of(struct pprof *p, const struct place *place)
{
	const uint32_t at =
	    tr_export_mappings_at(&p->mappings, place->binary, place->address);
	if (at == UINT32_MAX)
		return 0;
	struct tr_export_mapping *m = &p->mappings.list[at];
	m->is_used = true;
	m->has_addresses |= place->address != 0;
	m->has_inlined |= place->count > 1;
	for (size_t i = 0; i < place->count; i++)
		m->has_lines |= place->lines[i].line != 0;
	return at + 1ULL;
}

static uint32_t location_of(struct pprof *p, const struct place *place)
{
	bool is_new;
	uint64_t key =
	    XXH3_64bits_withSeed(place->lines, place->count * sizeof(*place->lines),
				 tr_mix(place->address) + place->binary);
	uint32_t id = number_key(p, &p->locations, key, &p->nlocations, &is_new);
	if (!is_new)
		return id;
	TrPprof__Profile part = TR_PPROF__PROFILE__INIT;
	TrPprof__Location location = TR_PPROF__LOCATION__INIT;
	TrPprof__Location *locations[] = {&location};
	TrPprof__Line lines[LINES], *list[LINES];
	for (size_t i = 0; i < place->count; i++) {
		lines[i] = (TrPprof__Line)TR_PPROF__LINE__INIT;
		lines[i].function_id = place->lines[i].function;
		lines[i].line = place->lines[i].line;
		list[i] = &lines[i];
	}
	location.id = id;
	location.mapping_id = mapping_of(p, place);
	location.address = place->address;
	location.n_line = place->count;
	location.line = list;
	part.n_location = 1;
	part.location = locations;
	write_message_part(p, &part);
	return id;
}

/* Returns the location of an instruction of function `func`. */
static uint32_t spot_location(struct pprof *p, uint32_t id, const struct tr_func *func)
{
	const struct tr_reader *r = p->events.code.reader;
	const struct tr_spot *spot = tr_reader_spot(r, id);
	const struct tr_span *span = tr_reader_span(r, spot->span);
	struct place place = {.address = span->address + spot->offset,
			      .binary = span->binary};
	uint32_t line = spot->line;
	for (uint32_t at = spot->scope; at && place.count < LINES;) {
		const struct tr_scope *scope = tr_reader_scope(r, at);
		const char *name = scope->around ? scope->name : func->name;
		add_location_line(
		    &place,
		    number_function(p, name, scope->linkage, scope->file, scope->line),
		    line);
		line = scope->call_line;
		at = scope->around;
	}
	if (!place.count)
		add_location_line(&place, number_function(p, func->name, "", "", 0),
				  line);
	return location_of(p, &place);
}

/* Returns the number of the binary with this short name, or UINT32_MAX. */
static uint32_t find_binary_number(const struct pprof *p, const char *name)
{
	for (uint32_t i = 0; *name && i < p->mappings.nbinaries; i++) {
		const char *own = tr_header_bin(p->export->header, i, ".name");
		if (own && strcmp(own, name) == 0)
			return i;
	}
	return UINT32_MAX;
}

/* Adds a frame of which only the name is known: an inlined call "f (inlined)", the line
 * "f.c:12" of the frame below, or a function. */
static void add_named_frame(struct pprof *p, struct place *place,
			    const struct tr_func *func, uint32_t line)
{
	const size_t length = strlen(func->name);
	static const char inlined[] = " (inlined)";
	const size_t mark = sizeof(inlined) - 1;
	bool is_inlined = func->kind == TR_FRAME_INLINED && length > mark &&
			  strcmp(func->name + length - mark, inlined) == 0;
	char *name = strndup(func->name, is_inlined ? length - mark : length);
	if (!name)
		fail_pprof(p, TR_E_NOMEM);
	else
		add_location_line(place, number_function(p, name, "", "", 0), line);
	free(name);
}

/* Returns the location of a node without its address: its function, with the inlined
 * calls and the line on top of it. */
static uint32_t node_location(struct pprof *p, uint32_t node)
{
	struct place place = {.binary = UINT32_MAX};
	uint32_t parent, line = 0;
	const struct tr_func *func = tr_profile_frame(p->export->profile, node, &parent);
	if (p->of_node[node])
		return p->of_node[node];
	uint32_t at = node;
	if (func->kind == TR_FRAME_LINE && parent) {
		const char *colon = strrchr(func->name, ':');
		line = colon ? (uint32_t)strtoul(colon + 1, NULL, 10) : 0;
		at = parent;
		func = tr_profile_frame(p->export->profile, at, &parent);
	}
	for (; func->kind == TR_FRAME_INLINED && parent; line = 0) {
		add_named_frame(p, &place, func, line);
		at = parent;
		func = tr_profile_frame(p->export->profile, at, &parent);
	}
	place.binary = find_binary_number(p, func->binary);
	add_named_frame(p, &place, func, line);
	return p->of_node[node] = location_of(p, &place);
}

/* --- samples */

/* Returns the location of the spot, if it is in the function of `node`; else 0. */
static uint32_t site_location(struct pprof *p, uint32_t spot, uint32_t node)
{
	const struct tr_reader *r = p->events.code.reader;
	uint32_t parent;
	if (spot == TR_NO_SPOT)
		return 0;
	const struct tr_func *func = tr_profile_frame(p->export->profile, node, &parent);
	const struct tr_span *span = tr_reader_span(r, tr_reader_spot(r, spot)->span);
	return tr_export_code_same(func, tr_reader_func(r, span->func))
		   ? spot_location(p, spot, func)
		   : 0;
}

/* Returns the location of a node: of the spot in its function, if it is known. */
static uint32_t location_at(struct pprof *p, uint32_t node, uint32_t spot)
{
	uint32_t id = site_location(p, spot, tr_export_base(p->export->profile, node));
	return id ? id : node_location(p, node);
}

/* Returns the location of the caller of `base`, a function on node `caller`. */
static uint32_t caller_location(struct pprof *p, uint32_t base, uint32_t caller)
{
	uint32_t *id = &p->of_caller[base];
	if (!*id)
		*id = location_at(p, caller, tr_export_site(&p->events.code, base));
	return *id;
}

/* Sets p->ids to the locations of a stack. Returns their number. */
static size_t stack_of(struct pprof *p, const struct tr_export_part *part)
{
	uint32_t node = part->node, base = 0;
	size_t count = 0;
	while (node) {
		if (!tr_grow(&p->ids, &p->ids_room, count + 2, sizeof(*p->ids))) {
			fail_pprof(p, TR_E_NOMEM);
			return 0;
		}
		p->ids[count++] = base ? caller_location(p, base, node)
				       : location_at(p, node, part->spot);
		base = tr_export_base(p->export->profile, node);
		tr_profile_frame(p->export->profile, base, &node);
	}
	if (part->group) {
		struct place place = {.binary = UINT32_MAX};
		add_location_line(&place, number_function(p, part->group, "", "", 0), 0);
		if (!tr_grow(&p->ids, &p->ids_room, count + 1, sizeof(*p->ids)))
			fail_pprof(p, TR_E_NOMEM);
		else
			p->ids[count++] = location_of(p, &place);
	}
	return count;
}

static int write_part_sample(void *context, const struct tr_export_part *part)
{
	struct pprof *p = context;
	TrPprof__Profile message = TR_PPROF__PROFILE__INIT;
	TrPprof__Sample sample = TR_PPROF__SAMPLE__INIT;
	TrPprof__Sample *samples[] = {&sample};
	int64_t values[TR_EXPORT_EVENTS];
	for (unsigned k = 0; k < p->events.count; k++) {
		if (part->values[k] > INT64_MAX)
			return TR_E_CORRUPT;
		values[k] = (int64_t)part->values[k];
	}
	sample.n_location_id = stack_of(p, part);
	sample.location_id = p->ids;
	sample.n_value = p->events.count;
	sample.value = values;
	message.n_sample = 1;
	message.sample = samples;
	write_message_part(p, &message);
	return p->status;
}

/* --- the rest */

static void put_types(struct pprof *p)
{
	TrPprof__Profile part = TR_PPROF__PROFILE__INIT;
	TrPprof__Type types[TR_EXPORT_EVENTS], *list[TR_EXPORT_EVENTS];
	int64_t note;
	string_of(p, "");
	for (unsigned k = 0; k < p->events.count; k++) {
		bool is_cycles = k == TR_EXPORT_CYCLES;
		types[k] = (TrPprof__Type)TR_PPROF__TYPE__INIT;
		types[k].type = string_of(p, p->events.names[k]);
		types[k].unit = string_of(p, is_cycles ? "cycles" : "count");
		list[k] = &types[k];
	}
	part.n_sample_type = p->events.count;
	part.sample_type = list;
	part.default_sample_type = string_of(p, p->export->unit);
	note = string_of(p, p->export->note);
	part.n_comment = *p->export->note ? 1 : 0;
	part.comment = &note;
	write_message_part(p, &part);
}

static const char *bin_value(const struct pprof *p, uint32_t n, const char *below)
{
	const char *value = tr_header_bin(p->export->header, n, below);
	return value ? value : "";
}

static void put_mappings(struct pprof *p)
{
	for (size_t i = 0; i < p->mappings.count; i++) {
		const struct tr_export_mapping *m = &p->mappings.list[i];
		TrPprof__Profile part = TR_PPROF__PROFILE__INIT;
		TrPprof__Mapping mapping = TR_PPROF__MAPPING__INIT;
		TrPprof__Mapping *mappings[] = {&mapping};
		if (!m->is_used)
			continue;
		mapping.id = i + 1ULL;
		mapping.memory_start = m->start;
		mapping.memory_limit = m->has_addresses ? m->limit : m->start + 1;
		mapping.file_offset = m->offset;
		mapping.filename = string_of(p, bin_value(p, m->binary, ""));
		mapping.build_id = string_of(p, bin_value(p, m->binary, ".build_id"));
		mapping.has_functions = true;
		mapping.has_filenames = mapping.has_line_numbers = m->has_lines;
		mapping.has_inline_frames = m->has_inlined;
		part.n_mapping = 1;
		part.mapping = mappings;
		write_message_part(p, &part);
	}
}

static int pprof_begin(const struct tr_export *export, void **state, FILE *file)
{
	struct pprof *p = calloc(1, sizeof(*p));
	(void)file;
	*state = p;
	return p ? tr_export_events_begin(&p->events, export) : TR_E_NOMEM;
}

static int pprof_take_frame(const struct tr_export *export, void *state,
			    const struct tr_reader *reader, const struct tr_sframe *frame,
			    FILE *file)
{
	struct pprof *p = state;
	(void)file;
	return tr_export_events_take(&p->events, export, reader, frame);
}

static int prepare_pprof(struct pprof *p, const struct tr_export *export, FILE *file)
{
	p->export = export;
	p->file = file;
	p->nfunctions = p->nlocations = 1;
	p->of_node =
	    calloc(tr_profile_node_count(export->profile) + 1UL, sizeof(*p->of_node));
	p->of_caller =
	    calloc(tr_profile_node_count(export->profile) + 1UL, sizeof(*p->of_caller));
	int status = tr_export_mappings_init(&p->mappings, export->header);
	bool good = !status && p->of_node && p->of_caller &&
		    deflateInit2(&p->zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
				 MAX_WBITS + GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK;
	return good ? tr_export_events_end(&p->events, export) : TR_E_NOMEM;
}

static int write_pprof(const struct tr_export *export, void *state, FILE *file)
{
	struct pprof *p = state;
	int status = prepare_pprof(p, export, file);
	if (status)
		return status;
	put_types(p);
	status = tr_export_events_parts(&p->events, export, write_part_sample, p);
	put_mappings(p);
	deflate_bytes(p, NULL, 0, Z_FINISH);
	return status ? status : p->status;
}

static void pprof_release(void *state)
{
	struct pprof *p = state;
	deflateEnd(&p->zip);
	tr_export_events_release(&p->events);
	tr_buffer_free(&p->packed);
	tr_map_free(&p->strings);
	tr_map_free(&p->functions);
	tr_map_free(&p->locations);
	tr_export_mappings_release(&p->mappings);
	free(p->of_node);
	free(p->of_caller);
	free(p->ids);
	free(p);
}

const struct tr_export_format tr_export_pprof = {
    .name = "pprof",
    .suffix = ".pb.gz",
    .summary = "for go tool pprof; by address with tr-unwind --addresses",
    .is_binary = true,
    .has_no_parts = true,
    .write = write_pprof,
    .begin = pprof_begin,
    .take = pprof_take_frame,
    .release = pprof_release,
};
