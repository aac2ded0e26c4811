/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "memory/merge.h"

struct tr_objects {
	const struct tr_memory_options *o;
	struct tr_memory_object *objects;
	size_t count, room;
	struct tr_map ids;	/* by place */
	struct tr_map insn_ids; /* by kind of place, or site, and instruction */
	struct tr_map line_ids; /* by number of the line */
	uint32_t nlines;
	struct tr_map touched;	  /* by line and object */
	struct tr_touch *touches; /* the same, with `typed` */
	size_t ntouches, touch_room;
	struct tr_arena names;
};

struct tr_objects *tr_objects_new(const struct tr_memory_options *options)
{
	struct tr_objects *objects = calloc(1, sizeof(*objects));
	if (objects)
		objects->o = options;
	return objects;
}

void tr_objects_free(struct tr_objects *m)
{
	if (!m)
		return;
	tr_map_free(&m->ids);
	tr_map_free(&m->insn_ids);
	tr_map_free(&m->line_ids);
	tr_map_free(&m->touched);
	tr_arena_reset(&m->names);
	free(m->touches);
	free(m->objects);
	free(m);
}

/* ------------------------------------------------------------ names */

/* Returns NULL when out of memory. */
static const char *name_of_site(struct tr_objects *m, const char *kind, uint32_t site)
{
	const char *name = tr_heap_sites_get(m->o->sites, site)->name;
	const size_t size = strlen(kind) + strlen(name) + 1;
	char *text = tr_arena_take(&m->names, size);
	if (text)
		snprintf(text, size, "%s%s", kind, name);
	return text;
}

/* Returns NULL when out of memory. */
static const char *name_of_place(struct tr_objects *m, const struct tr_place *place)
{
	switch (place->kind) {
	case TR_PLACE_SYMBOL:
		if (place->member != UINT32_MAX)
			return tr_data_members_name(
			    tr_places_members(m->o->places, place->binary),
			    place->member);
		return tr_data_symbols_get(tr_places_symbols(m->o->places, place->binary),
					   place->symbol)
		    ->name;
	case TR_PLACE_HEAP:
		return name_of_site(m, "[heap] ", place->symbol);
	case TR_PLACE_FREED:
		return name_of_site(m, "[freed] ", place->symbol);
	case TR_PLACE_STACK:
		return "[stack]";
	case TR_PLACE_DEVICE:
		return "[device]";
	default:
		return "[unknown]";
	}
}

static const char *name_of_binary(const struct tr_objects *m, uint32_t binary)
{
	const char *name = tr_header_bin(m->o->header, binary, ".name");
	return name ? name : "";
}

static const char *binary_of_place(const struct tr_objects *m,
				   const struct tr_place *place)
{
	return place->kind == TR_PLACE_SYMBOL || tr_place_is_on_heap(place)
		   ? name_of_binary(m, place->binary)
		   : "";
}

/* ------------------------------------------------------------ places and lines */

/* Numbers of symbols and binaries in the key of an instruction's place. */
enum { SYMBOL_BITS = 22, BINARY_BITS = 9 };

bool tr_objects_by_insn(const struct tr_place *place)
{
	if (place->kind == TR_PLACE_SYMBOL)
		return place->is_bytes && place->symbol >> SYMBOL_BITS == 0 &&
		       place->binary >> BINARY_BITS == 0;
	return place->kind != TR_PLACE_DEVICE;
}

static uint64_t key_of_place(const struct tr_place *place)
{
	const uint32_t kind = (uint32_t)place->kind;
	if (place->insn && place->kind == TR_PLACE_SYMBOL)
		return tr_pair_key(UINT32_C(1) << 31 | place->binary << SYMBOL_BITS |
				       place->symbol,
				   place->insn);
	if (place->insn) /* freed or not: 2 numbers for each site, above the kinds */
		return tr_pair_key(tr_place_is_on_heap(place) ? kind + 2 * place->symbol
							      : kind,
				   place->insn);
	if (place->member != UINT32_MAX)
		return tr_pair_key(place->binary | UINT32_C(1) << 31, place->member);
	if (place->kind == TR_PLACE_SYMBOL)
		return tr_pair_key(place->binary, place->symbol);
	return tr_place_is_on_heap(place) ? tr_pair_key(UINT32_MAX - kind, place->symbol)
					  : tr_pair_key(UINT32_MAX, kind);
}

struct tr_memory_object *tr_objects_at(struct tr_objects *m, const struct tr_place *place,
				       uint32_t *number)
{
	const uint64_t key = key_of_place(place);
	struct tr_map *ids = place->insn ? &m->insn_ids : &m->ids;
	uint32_t id = tr_map_get(ids, key);
	*number = id;
	if (id != TR_MAP_NONE)
		return &m->objects[id];
	*number = id = (uint32_t)m->count;
	if (!tr_grow(&m->objects, &m->room, m->count + 1, sizeof(*m->objects)) ||
	    !tr_map_set(ids, key, id))
		return NULL;
	m->objects[m->count++] = (struct tr_memory_object){
	    .place = *place,
	    .name = name_of_place(m, place),
	    .binary = binary_of_place(m, place),
	    .evidence = place->kind == TR_PLACE_SYMBOL ? 1U << TR_EVIDENCE_SYMBOL : 0};
	return m->objects[id].name ? &m->objects[id] : NULL;
}

int tr_objects_touch(struct tr_objects *m, uint32_t number, uint64_t physical)
{
	const uint64_t line = physical / m->o->line;
	uint32_t id = tr_map_get(&m->line_ids, line);
	if (id == TR_MAP_NONE) {
		id = m->nlines++;
		if (!tr_map_set(&m->line_ids, line, id))
			return TR_E_NOMEM;
	}
	const uint64_t key = tr_pair_key(number, id);
	if (tr_map_get(&m->touched, key) != TR_MAP_NONE)
		return TR_OK;
	m->objects[number].sum.lines++;
	if (m->o->typed) {
		if (!tr_grow(&m->touches, &m->touch_room, m->ntouches + 1,
			     sizeof(*m->touches)))
			return TR_E_NOMEM;
		m->touches[m->ntouches++] = (struct tr_touch){number, id};
	}
	return tr_map_set(&m->touched, key, 0) ? TR_OK : TR_E_NOMEM;
}

int tr_objects_name_types(struct tr_objects *m)
{
	const int status = tr_typed_find(m->o->typed);
	for (size_t i = 0; i < m->count && !status; i++) {
		struct tr_memory_object *object = &m->objects[i];
		const uint32_t insn = object->place.insn;
		enum tr_data_evidence evidence = TR_EVIDENCE_NONE;
		uint32_t binary = 0;
		const char *name =
		    insn ? tr_typed_get(m->o->typed, insn - 1, &binary, &evidence) : NULL;
		if (!name)
			continue;
		object->binary = name_of_binary(m, binary);
		object->name = name;
		object->is_typed = true;
		object->evidence = 1U << evidence;
	}
	return status ? status
		      : tr_memory_merge(m->objects, &m->count, m->touches, m->ntouches);
}

uint32_t tr_objects_lines(const struct tr_objects *m)
{
	return m->nlines;
}

size_t tr_objects_count(const struct tr_objects *m)
{
	return m->count;
}

const struct tr_memory_object *tr_objects_get(const struct tr_objects *m, size_t i)
{
	return &m->objects[i];
}
