/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_layouts.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/map.h"
#include "image/image_query_state.h"

enum { DEPTH = 16, OVERLAPS = 4, TYPEDEFS = 32 };

struct field {
	const char *name; /* NULL: unnamed, or a base */
	uint64_t offset, size;
	uint64_t type;	/* DIE, without typedefs */
	uint64_t given; /* with them */
	uint64_t element_size;
	bool is_structure, is_union, is_pointer, is_array; /* is_array: of structures */
	bool is_open;					   /* an array without a size */
};

struct layout {
	const char *keyword, *name;
	uint64_t size;
	bool is_union;
	size_t first, count; /* fields */
};

struct data_layouts {
	struct tr_query *query;
	struct layout *list;
	size_t count, room;
	struct field *fields;
	size_t nfields, field_room;
	struct tr_map by_die;	  /* of a type as given: layout */
	struct tr_map by_pointer; /* the same of pointers */
	struct tr_map by_name;
	bool failed;
};

struct data_layouts *tr_data_layouts_new(struct tr_query *query)
{
	struct data_layouts *l = calloc(1, sizeof(*l));
	if (l)
		l->query = query;
	return l;
}

void tr_data_layouts_free(struct data_layouts *l)
{
	if (!l)
		return;
	tr_map_free(&l->by_die);
	tr_map_free(&l->by_pointer);
	tr_map_free(&l->by_name);
	free(l->list);
	free(l->fields);
	free(l);
}

bool tr_data_layouts_failed(const struct data_layouts *l)
{
	return l->failed;
}

uint64_t tr_data_layout_size(const struct data_layouts *l, uint32_t layout)
{
	return l->list[layout].size;
}

/* ------------------------------------------------------------ reading */

static void take_field(void *context, const struct tr_query_member *member)
{
	struct data_layouts *l = context;
	struct tr_query_type type, element;
	struct field field = {.name = member->name,
			      .offset = member->offset + member->bit / 8,
			      .given = member->type};
	if (!tr_query_type(l->query, member->type, &type))
		return;
	field.type = type.die;
	field.size = member->bits ? (member->bit % 8 + member->bits + 7) / 8 : type.size;
	field.is_pointer = type.kind == TR_KIND_POINTER && !member->bits;
	field.is_structure = type.kind == TR_KIND_STRUCT;
	field.is_union = type.is_union;
	field.is_open = type.kind == TR_KIND_ARRAY && !type.size;
	for (element = type; element.kind == TR_KIND_ARRAY;) {
		struct tr_query_type inner;
		if (!tr_query_element(&element, &inner))
			return;
		element = inner;
	}
	if (type.kind == TR_KIND_ARRAY) {
		field.is_array = element.kind == TR_KIND_STRUCT && element.size;
		field.type = element.die;
		field.given = element.die;
		field.element_size = element.size;
	}
	if (!tr_grow(&l->fields, &l->field_room, l->nfields + 1, sizeof(field))) {
		l->failed = true;
		return;
	}
	l->fields[l->nfields++] = field;
}

/* Returns the name of the last typedef that names an unnamed type, or "". */
static const char *name_by_typedef(struct tr_query *query, uint64_t type)
{
	const char *name = "";
	for (unsigned i = 0; i < TYPEDEFS && type; i++) {
		Dwarf_Die die = tr_query_die(query, type);
		const Dwarf_Half tag = die ? tr_query_tag(die) : 0;
		dwarf_dealloc_die(die);
		if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		    tag == DW_TAG_union_type || !tag)
			break;
		const char *own =
		    tag == DW_TAG_typedef ? tr_query_name(query, type) : NULL;
		name = own ? own : name;
		type = tr_query_type_of(query, type);
	}
	return name;
}

static const char *keyword_of(struct tr_query *query, const struct tr_query_type *type)
{
	Dwarf_Die die = tr_query_die(query, type->die);
	const Dwarf_Half tag = die ? tr_query_tag(die) : 0;
	dwarf_dealloc_die(die);
	return type->is_union		  ? "union "
	       : tag == DW_TAG_class_type ? "class "
					  : "struct ";
}

/* Only the last member may go on beyond the structure. */
static void close_fields(struct field *fields, size_t count)
{
	for (size_t i = 0; i + 1 < count; i++)
		fields[i].is_open = false;
}

static uint32_t add_layout(struct data_layouts *l, const struct tr_query_type *type,
			   struct layout layout)
{
	const uint32_t id = (uint32_t)l->count;
	layout.first = l->nfields;
	/* Without all members it is not known what else is at an offset. */
	if (!tr_query_members(l->query, type->die, take_field, l))
		l->nfields = layout.first;
	layout.count = l->nfields - layout.first;
	if (layout.count)
		close_fields(&l->fields[layout.first], layout.count);
	if (!tr_grow(&l->list, &l->room, l->count + 1, sizeof(layout))) {
		l->failed = true;
		return TR_LAYOUT_NONE;
	}
	l->list[l->count++] = layout;
	return id;
}

static uint32_t read_layout(struct data_layouts *l, uint64_t given)
{
	struct tr_query_type type;
	if (!given || !tr_query_type(l->query, given, &type) ||
	    type.kind != TR_KIND_STRUCT || type.is_incomplete || !type.size)
		return TR_LAYOUT_NONE;
	struct layout layout = {.keyword = keyword_of(l->query, &type),
				.name = type.name,
				.size = type.size,
				.is_union = type.is_union};
	if (!*type.name) {
		layout.name = name_by_typedef(l->query, given);
		layout.keyword = *layout.name ? "" : layout.keyword;
	}
	uint64_t key = XXH3_64bits_withSeed(
	    layout.name, strlen(layout.name),
	    layout.size << 3 | (uint64_t)layout.is_union << 1 | !*type.name);
	if (!*layout.name)
		key = tr_mix(type.die);
	uint32_t id = tr_map_get(&l->by_name, key);
	if (id != TR_MAP_NONE && strcmp(l->list[id].name, layout.name) == 0 &&
	    l->list[id].size == layout.size && l->list[id].is_union == layout.is_union)
		return id;
	id = add_layout(l, &type, layout);
	if (id != TR_LAYOUT_NONE && !tr_map_set(&l->by_name, key, id))
		l->failed = true;
	return id;
}

/* The map has number + 1; 0 is none. */
static uint32_t remember(struct data_layouts *l, struct tr_map *map, uint64_t die,
			 uint32_t id)
{
	if (!tr_map_set(map, die, id + 1))
		l->failed = true;
	return id;
}

uint32_t tr_data_layout_of(struct data_layouts *l, uint64_t type)
{
	const uint32_t known = tr_map_get(&l->by_die, type);
	return known != TR_MAP_NONE ? known - 1
				    : remember(l, &l->by_die, type, read_layout(l, type));
}

uint32_t tr_data_layout_pointed(struct data_layouts *l, uint64_t given)
{
	const uint32_t known = tr_map_get(&l->by_pointer, given);
	struct tr_query_type type;
	if (known != TR_MAP_NONE)
		return known - 1;
	const bool is_pointer = given && tr_query_type(l->query, given, &type) &&
				type.kind == TR_KIND_POINTER;
	return remember(l, &l->by_pointer, given,
			is_pointer ? tr_data_layout_of(l, type.target) : TR_LAYOUT_NONE);
}

/* ------------------------------------------------------------ asking */

static bool covers(const struct field *field, uint64_t offset)
{
	return offset >= field->offset &&
	       (field->is_open || offset - field->offset < field->size);
}

/* Goes into a member. Returns its layout, and makes *offset that in it. */
static uint32_t enter_field(struct data_layouts *l, const struct field *field,
			    uint64_t *offset)
{
	if (!field->is_structure && !field->is_array)
		return TR_LAYOUT_NONE;
	*offset -= field->offset;
	if (field->is_array)
		*offset %= field->element_size;
	return tr_data_layout_of(l, field->given);
}

bool tr_data_layout_is_open(const struct data_layouts *l, uint32_t layout)
{
	const struct layout *at = &l->list[layout];
	return at->count && l->fields[at->first + at->count - 1].is_open;
}

/* Returns false if pointers differ. */
static bool find_pointer(struct data_layouts *l, uint32_t layout, uint64_t offset,
			 unsigned depth, uint32_t *found)
{
	const size_t first = l->list[layout].first, count = l->list[layout].count;
	for (size_t i = first; i < first + count; i++) {
		const struct field field = l->fields[i];
		uint64_t inside = offset;
		if (!covers(&field, offset))
			continue;
		if (field.is_pointer && field.offset == offset) {
			const uint32_t to = tr_data_layout_pointed(l, field.given);
			if (to == TR_LAYOUT_NONE ||
			    (*found != TR_LAYOUT_NONE && *found != to))
				return false;
			*found = to;
			continue;
		}
		const uint32_t inner = enter_field(l, &field, &inside);
		if (inner == TR_LAYOUT_NONE || depth == DEPTH)
			return false; /* a member that is no pointer */
		if (!find_pointer(l, inner, inside, depth + 1, found))
			return false;
	}
	return true;
}

uint32_t tr_data_layout_pointer(struct data_layouts *l, uint32_t layout, uint64_t offset)
{
	uint32_t found = TR_LAYOUT_NONE;
	return find_pointer(l, layout, offset, 0, &found) ? found : TR_LAYOUT_NONE;
}

static bool contains(struct data_layouts *l, uint32_t outer, uint64_t offset,
		     uint32_t inner, unsigned depth)
{
	if (outer == inner && offset == 0)
		return true;
	const size_t first = l->list[outer].first, count = l->list[outer].count;
	bool found = false;
	for (size_t i = first; i < first + count && !found && depth < DEPTH; i++) {
		const struct field field = l->fields[i];
		uint64_t inside = offset;
		if (!covers(&field, offset))
			continue;
		const uint32_t next = enter_field(l, &field, &inside);
		found =
		    next != TR_LAYOUT_NONE && contains(l, next, inside, inner, depth + 1);
	}
	return found;
}

bool tr_data_layout_contains(struct data_layouts *l, uint32_t outer, uint64_t offset,
			     uint32_t inner)
{
	return contains(l, outer, offset, inner, 0);
}

/* Names of members that are at an offset. */
struct naming {
	char list[OVERLAPS][TR_LAYOUT_NAME / 8];
	unsigned count;
	bool is_cut; /* there are more, or longer ones */
};

static void add_name(struct naming *n, const char *name)
{
	for (unsigned i = 0; i < n->count; i++)
		if (strcmp(n->list[i], name) == 0)
			return;
	if (n->count == OVERLAPS || strlen(name) >= sizeof(n->list[0]))
		n->is_cut = true;
	else
		strcpy(n->list[n->count++], name);
}

static void name_fields(struct data_layouts *l, struct naming *n, uint32_t layout,
			uint64_t offset, const char *prefix, unsigned depth)
{
	const size_t first = l->list[layout].first, count = l->list[layout].count;
	for (size_t i = first; i < first + count; i++) {
		const struct field field = l->fields[i];
		uint64_t inside = offset;
		char name[TR_LAYOUT_NAME];
		if (!covers(&field, offset))
			continue;
		const int length =
		    snprintf(name, sizeof(name), "%s%s%s%s", prefix,
			     *prefix && field.name ? "." : "",
			     field.name ? field.name : "", field.is_array ? "[]" : "");
		n->is_cut |= length >= (int)sizeof(name);
		const uint32_t inner = enter_field(l, &field, &inside);
		if (inner != TR_LAYOUT_NONE && depth < DEPTH)
			name_fields(l, n, inner, inside, name, depth + 1);
		else if (*name)
			add_name(n, name);
	}
}

bool tr_data_layout_member(struct data_layouts *l, uint32_t layout, uint64_t offset,
			   char text[TR_LAYOUT_NAME])
{
	struct naming n = {.count = 0};
	name_fields(l, &n, layout, offset, "", 0);
	const struct layout at = l->list[layout];
	if (!n.count && !n.is_cut)
		return false;
	int length = snprintf(text, TR_LAYOUT_NAME, "%s%s.", at.keyword,
			      *at.name ? at.name : "(unnamed)");
	if (length >= TR_LAYOUT_NAME / 2 - OVERLAPS)
		return false;
	for (unsigned i = 0; i < n.count; i++)
		length += snprintf(text + length, TR_LAYOUT_NAME - (size_t)length, "%s%s",
				   i ? "|" : "", n.list[i]);
	if (n.is_cut)
		snprintf(text + length, TR_LAYOUT_NAME - (size_t)length, "%s...",
			 n.count ? "|" : "");
	return true;
}
