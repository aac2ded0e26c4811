/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/varint.h"
#include "image/data_variables.h"
#include "image/image_query.h"

enum { NAME = 512, MOST = 4096, DEPTH = 16, OVERLAPS = 4 };

struct member {
	uint64_t offset, size;
	const char *name;
};

/* Members of a symbol: `count` from `first` on, of each `stride` bytes. Without members
 * it is an array of bytes if it has a stride. */
struct shape {
	uint64_t stride;
	uint32_t first, count;
};

struct tr_data_members {
	struct shape *shapes; /* by symbol */
	size_t nshapes;
	struct member *list;
	size_t count, room;
	struct tr_arena names;
	char message[256];
};

/* ------------------------------------------------------------ in the child */

/* The members of a symbol, in order of their offsets. */
struct taking {
	struct tr_buffer out; /* offset, size and name of each */
	char last[NAME];      /* of a bit-field that the next one may share bytes with */
	uint64_t last_offset, last_size, end;
	uint32_t count;
	bool is_open; /* the last one is not in `out` */
};

static void close_member(struct taking *t)
{
	if (!t->is_open)
		return;
	tr_buffer_varint(&t->out, t->last_offset);
	tr_buffer_varint(&t->out, t->last_size);
	tr_buffer_sized(&t->out, t->last, strlen(t->last));
	t->count++;
	t->is_open = false;
}

/* `own` is the last part of the name of a bit-field, NULL if it has no name; of what is
 * none, `name` itself. */
static void add_member(struct taking *t, uint64_t offset, uint64_t size, const char *name,
		       const char *own)
{
	const bool is_bits = own != name;
	if (is_bits && t->is_open && offset < t->last_offset + t->last_size) {
		const size_t length = strlen(t->last);
		if (own)
			snprintf(t->last + length, sizeof(t->last) - length, "|%s", own);
		if (offset + size > t->last_offset + t->last_size)
			t->last_size = offset + size - t->last_offset;
		t->end = t->last_offset + t->last_size;
		return;
	}
	close_member(t);
	if (offset < t->end || !size || t->count == MOST)
		return; /* members that overlap: only the first is told */
	snprintf(t->last, sizeof(t->last), "%s", name);
	t->last_offset = offset;
	t->last_size = size;
	t->end = offset + size;
	t->is_open = true;
}

/* Appends the members of an unnamed union to its name, as "i|f". */
static void name_union(const struct tr_query_type *type, char name[NAME], unsigned *count,
		       unsigned depth)
{
	struct tr_query_member m;
	for (unsigned i = 0; i < MOST && *count <= OVERLAPS &&
			     tr_query_member_at(type->query, type->die, i, &m);
	     i++) {
		const size_t length = strlen(name);
		struct tr_query_type inner;
		if (m.name)
			snprintf(name + length, NAME - length, "%s%s", *count ? "|" : "",
				 *count < OVERLAPS ? m.name : "...");
		else if (depth < DEPTH && tr_query_type(type->query, m.type, &inner) &&
			 inner.kind == TR_KIND_STRUCT)
			name_union(&inner, name, count, depth + 1);
		*count += m.name != NULL;
	}
}

static void take_structure(struct taking *t, const struct tr_query_type *type,
			   uint64_t base, const char *prefix, unsigned depth)
{
	struct tr_query_member m;
	for (unsigned i = 0;
	     i < MOST && tr_query_member_at(type->query, type->die, i, &m); i++) {
		struct tr_query_type inner;
		char name[NAME];
		if (!tr_query_type(type->query, m.type, &inner))
			continue;
		const bool is_unnamed_union = inner.is_union && !m.name;
		snprintf(name, sizeof(name), "%s%s%s", prefix,
			 m.name || is_unnamed_union ? "." : "", m.name ? m.name : "");
		const bool is_structure =
		    inner.kind == TR_KIND_STRUCT && !inner.is_union && !m.bits;
		if (is_unnamed_union)
			name_union(&inner, name, &(unsigned){0}, 0);
		if (is_structure && depth < DEPTH)
			take_structure(t, &inner, base + m.offset, name, depth + 1);
		else if (m.bits)
			add_member(t, base + m.offset + m.bit / 8,
				   (m.bit % 8 + m.bits + 7) / 8, name, m.name);
		else
			add_member(t, base + m.offset, inner.size, name, name);
	}
}

static bool is_byte(const struct tr_query_type *type)
{
	return (type->kind == TR_KIND_INTEGER || type->kind == TR_KIND_ENUM) &&
	       type->size == 1 && !type->is_bool;
}

/* Reads the type of a variable, or of its elements if it is an array. Returns false if
 * that is no structure, and it is no array of bytes. Sets *size to that of the whole
 * variable. */
static bool read_shape(struct tr_query *query, uint64_t die, struct tr_query_type *type,
		       bool *is_array, uint64_t *size)
{
	*is_array = false;
	if (!tr_query_type(query, tr_query_type_of(query, die), type))
		return false;
	*size = type->size;
	while (type->kind == TR_KIND_ARRAY) {
		struct tr_query_type element;
		if (!tr_query_element(type, &element))
			return false;
		*type = element;
		*is_array = true;
	}
	return (type->kind == TR_KIND_STRUCT && !type->is_union && type->size) ||
	       (*is_array && is_byte(type));
}

/* Finds what a symbol is: by the variables at its address, of which one of
 * the symbol's size counts before others; by its name in BTF, which has no addresses. */
static bool find_shape(struct tr_query *query, const struct data_variables *variables,
		       const struct tr_data_symbol *symbol, struct tr_query_type *type,
		       bool *is_array)
{
	uint64_t die, size;
	bool found = false;
	if (tr_query_has_btf(query))
		return tr_query_global(query, 0, symbol->name, &die) == 1 &&
		       read_shape(query, die, type, is_array, &size);
	for (size_t i = 0; (die = tr_data_variables_at(variables, symbol->low, i)) != 0;
	     i++) {
		struct tr_query_type at;
		bool at_array;
		if (!read_shape(query, die, &at, &at_array, &size))
			continue;
		const bool is_whole = size == symbol->high - symbol->low;
		if (!found || is_whole) {
			*type = at;
			*is_array = at_array;
		}
		found = true;
		if (is_whole)
			break;
	}
	return found;
}

static void take_symbol(struct tr_query *query, const struct data_variables *variables,
			const struct tr_data_symbol *symbol, size_t number,
			struct tr_buffer *out)
{
	struct taking t = {.is_open = false};
	struct tr_query_type type;
	bool is_array;
	if (symbol->is_section || !find_shape(query, variables, symbol, &type, &is_array))
		return;
	char prefix[NAME];
	snprintf(prefix, sizeof(prefix), "%s%s", symbol->name, is_array ? "[]" : "");
	if (type.kind == TR_KIND_STRUCT)
		take_structure(&t, &type, 0, prefix, 0);
	close_member(&t);
	if (t.count || type.kind != TR_KIND_STRUCT) {
		tr_buffer_varint(out, number + 1);
		tr_buffer_varint(out, type.size);
		tr_buffer_varint(out, t.count);
		tr_buffer_add(out, t.out.data, t.out.size);
		out->failed |= t.out.failed;
	}
	tr_buffer_free(&t.out);
}

static void take_symbols(struct tr_query *query, void *context, struct tr_buffer *out)
{
	const struct tr_data_symbols *symbols = context;
	struct data_variables *variables = tr_data_variables_new(query);
	for (size_t i = 0; variables && i < tr_data_symbols_count(symbols); i++)
		take_symbol(query, variables, tr_data_symbols_get(symbols, i), i, out);
	out->failed |= !variables;
	tr_buffer_varint(out, 0);
	tr_data_variables_free(variables);
}

/* ------------------------------------------------------------ in the parent */

static bool read_member(struct tr_data_members *m, struct tr_bytes *in)
{
	struct member member = {.offset = tr_varint(in), .size = tr_varint(in)};
	const uint64_t length = tr_varint(in);
	const uint8_t *bytes = tr_bytes_take(in, length);
	char *name = bytes ? tr_arena_take(&m->names, length + 1) : NULL;
	if (!name || !tr_grow(&m->list, &m->room, m->count + 1, sizeof(*m->list)))
		return false;
	memcpy(name, bytes, length);
	name[length] = '\0';
	member.name = name;
	m->list[m->count++] = member;
	return true;
}

/* Returns false if memory runs out; what the child did not write is missing. */
static bool read_members(struct tr_data_members *m, struct tr_bytes *in)
{
	uint64_t symbol;
	while ((symbol = tr_varint(in)) != 0 && symbol <= m->nshapes) {
		struct shape *shape = &m->shapes[symbol - 1];
		const uint64_t stride = tr_varint(in), count = tr_varint(in);
		const size_t first = m->count;
		for (uint64_t i = 0; i < count; i++)
			if (!read_member(m, in))
				return in->bad;
		*shape = (struct shape){stride, (uint32_t)first, (uint32_t)count};
	}
	return true;
}

int tr_data_members_open(struct tr_data_members **members, const char *path,
			 const struct tr_data_symbols *symbols)
{
	struct tr_data_members *m = *members = calloc(1, sizeof(*m));
	struct tr_buffer out = {0};
	bool done = m != NULL;
	int status = TR_END;
	if (m) {
		m->nshapes = tr_data_symbols_count(symbols);
		m->shapes = calloc(m->nshapes + 1, sizeof(*m->shapes));
		done = m->shapes != NULL;
	}
	if (done && m->nshapes)
		status = tr_query_run(path, NULL, 0, take_symbols, (void *)symbols, &out,
				      m->message, sizeof(m->message));
	if (status == TR_OK) {
		struct tr_bytes in = {.at = out.data, .end = out.data + out.size};
		done = read_members(m, &in);
	}
	if (m && (status == TR_OK || tr_query_has_none(status, m->message)))
		m->message[0] = '\0';
	tr_buffer_free(&out);
	if (done)
		return TR_OK;
	tr_data_members_close(m);
	*members = NULL;
	return TR_E_NOMEM;
}

void tr_data_members_close(struct tr_data_members *m)
{
	if (!m)
		return;
	free(m->shapes);
	free(m->list);
	tr_arena_reset(&m->names);
	free(m);
}

uint32_t tr_data_members_at(const struct tr_data_members *m, size_t symbol,
			    uint64_t offset)
{
	const struct shape *shape = &m->shapes[symbol];
	uint32_t low = 0, high = shape->count;
	if (!shape->count || !shape->stride)
		return UINT32_MAX;
	offset %= shape->stride;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		const struct member *at = &m->list[shape->first + middle];
		if (offset < at->offset)
			high = middle;
		else if (offset >= at->offset + at->size)
			low = middle + 1;
		else
			return shape->first + middle;
	}
	return UINT32_MAX;
}

const char *tr_data_members_message(const struct tr_data_members *m)
{
	return m->message;
}

bool tr_data_members_is_bytes(const struct tr_data_members *m, size_t symbol)
{
	return m->shapes[symbol].stride && !m->shapes[symbol].count;
}

const char *tr_data_members_name(const struct tr_data_members *m, uint32_t member)
{
	return m->list[member].name;
}
