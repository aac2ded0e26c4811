/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a .BTF section and checks everything that it refers to. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_btf_internal.h"

enum {
	MAGIC = 0xeb9f,
	HEADER_BYTES = 24,
	HEAD_BYTES = 12, /* of a type */
	MOST_BYTES = 1 << 28,
	CHAIN_MAX = 32, /* typedefs, qualifiers and arrays above each other */
	INT_MAX_BYTES = 16
};

__attribute__((format(printf, 2, 3))) static bool fail_btf(struct btf *btf,
							   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(btf->problem, btf->problem_size, format, args);
	va_end(args);
	return false;
}

__attribute__((format(printf, 3, 4))) static bool fail_type(struct btf *btf, uint32_t id,
							    const char *format, ...)
{
	char why[128];
	va_list args;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return fail_btf(btf, "type %" PRIu32 ", byte %" PRIu32 ": %s", id,
			btf->places[id], why);
}

uint32_t tr_btf_u32(const uint8_t *bytes, size_t i)
{
	bytes += 4 * i;
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
}

struct btf_type tr_btf_type(const struct btf *btf, uint32_t id)
{
	if (!id)
		return (struct btf_type){.kind = BTF_VOID};
	const uint8_t *head = btf->types + btf->places[id];
	const uint32_t info = tr_btf_u32(head, 1);
	return (struct btf_type){.kind = (enum btf_kind)(info >> 24 & 31),
				 .name = tr_btf_u32(head, 0),
				 .number = tr_btf_u32(head, 2),
				 .parts = info & 0xffff,
				 .flag = info >> 31,
				 .rest = head + HEAD_BYTES};
}

/* Returns the bytes behind the head of a type. */
static size_t rest_bytes(const struct btf_type *type)
{
	switch (type->kind) {
	case BTF_INT:
	case BTF_VAR:
	case BTF_DECL_TAG:
		return 4;
	case BTF_ARRAY:
		return 12;
	case BTF_STRUCT:
	case BTF_UNION:
	case BTF_DATASEC:
	case BTF_ENUM64:
		return 12UL * type->parts;
	case BTF_ENUM:
	case BTF_FUNC_PROTO:
		return 8UL * type->parts;
	default:
		return 0;
	}
}

/* --- the header, and where types are */

static bool read_header(struct btf *btf, const struct image_btf_source *source)
{
	const uint8_t *data = source->data;
	if (source->size < HEADER_BYTES || source->size > MOST_BYTES)
		return fail_btf(btf, "a section of %zu bytes", source->size);
	if ((data[0] | data[1] << 8) != MAGIC || data[2] != 1)
		return fail_btf(btf, "byte 0: not the header of BTF, version 1");
	const uint64_t header = tr_btf_u32(data, 1), types = tr_btf_u32(data, 2),
		       types_size = tr_btf_u32(data, 3), strings = tr_btf_u32(data, 4),
		       strings_size = tr_btf_u32(data, 5);
	if (header < HEADER_BYTES || types % 4 ||
	    header + types + types_size > source->size ||
	    header + strings + strings_size > source->size)
		return fail_btf(btf, "byte 4: types or strings beyond the end");
	btf->types = data + header + types;
	btf->types_size = (uint32_t)types_size;
	btf->strings = (const char *)data + header + strings;
	btf->strings_size = (uint32_t)strings_size;
	if (!strings_size || btf->strings[0] || btf->strings[strings_size - 1])
		return fail_btf(btf, "byte %" PRIu64 ": strings without a NUL",
				header + strings);
	return true;
}

/* Finds the types, and checks that they are within the section. */
static bool find_btf_types(struct btf *btf)
{
	const uint32_t most = btf->types_size / HEAD_BYTES;
	btf->places = calloc(most + 1UL, sizeof(*btf->places));
	if (!btf->places)
		return fail_btf(btf, "out of memory");
	for (uint32_t at = 0; at < btf->types_size;) {
		const uint32_t left = btf->types_size - at;
		if (left < HEAD_BYTES)
			return fail_btf(
			    btf, "type %" PRIu32 ", byte %" PRIu32 ": beyond the end",
			    btf->count + 1, at);
		btf->places[++btf->count] = at;
		const struct btf_type type = tr_btf_type(btf, btf->count);
		const size_t size = HEAD_BYTES + rest_bytes(&type);
		if (type.kind == BTF_VOID || type.kind >= BTF_KINDS)
			return fail_type(btf, btf->count, "unknown kind %d", type.kind);
		if (size > left)
			return fail_type(btf, btf->count, "beyond the end");
		at += (uint32_t)size;
	}
	return true;
}

/* --- what types refer to */

static bool is_modifier(enum btf_kind kind)
{
	return kind == BTF_TYPEDEF || kind == BTF_VOLATILE || kind == BTF_CONST ||
	       kind == BTF_RESTRICT || kind == BTF_TYPE_TAG;
}

static bool is_type_kind(enum btf_kind kind)
{
	return kind != BTF_FUNC && kind != BTF_VAR && kind != BTF_DATASEC &&
	       kind != BTF_DECL_TAG;
}

static bool check_name(struct btf *btf, uint32_t id, uint32_t name)
{
	return name < btf->strings_size ||
	       fail_type(btf, id, "a name at %" PRIu32 " of %" PRIu32 " bytes", name,
			 btf->strings_size);
}

/* Checks that a type refers to one that can be there. */
static bool check_reference(struct btf *btf, uint32_t id, uint32_t to)
{
	if (to > btf->count)
		return fail_type(btf, id, "refers to type %" PRIu32 " of %" PRIu32, to,
				 btf->count);
	return is_type_kind(tr_btf_type(btf, to).kind) ||
	       fail_type(btf, id, "refers to type %" PRIu32 ", which is none", to);
}

/* Checks that typedefs, qualifiers and arrays end. */
static bool check_chain(struct btf *btf, uint32_t id)
{
	uint32_t to = id;
	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type type = tr_btf_type(btf, to);
		if (is_modifier(type.kind))
			to = type.number;
		else if (type.kind == BTF_ARRAY)
			to = tr_btf_u32(type.rest, 0);
		else
			return true;
		if (!check_reference(btf, id, to))
			return false;
	}
	return fail_type(btf, id, "typedefs or arrays in a loop, or more than %d deep",
			 CHAIN_MAX);
}

/* Returns the bytes of a type whose chain was checked, UINT64_MAX if they are too many.
 */
static uint64_t size_of_type(const struct btf *btf, uint32_t id)
{
	uint64_t times = 1, size = 0;
	struct btf_type type = tr_btf_type(btf, id);
	while (is_modifier(type.kind) || type.kind == BTF_ARRAY) {
		if (type.kind == BTF_ARRAY &&
		    __builtin_mul_overflow(times, tr_btf_u32(type.rest, 2), &times))
			return UINT64_MAX;
		type = tr_btf_type(btf, type.kind == BTF_ARRAY ? tr_btf_u32(type.rest, 0)
							       : type.number);
	}
	if (type.kind == BTF_PTR)
		size = btf->xlen / 8;
	else if (type.kind != BTF_VOID && type.kind != BTF_FWD &&
		 type.kind != BTF_FUNC_PROTO)
		size = type.number;
	return __builtin_mul_overflow(times, size, &size) ? UINT64_MAX : size;
}

/* Old BTF has bit-fields as integers of fewer bits than their bytes have. */
static uint32_t bits_of_type(const struct btf *btf, uint32_t id)
{
	struct btf_type type = tr_btf_type(btf, id);
	while (is_modifier(type.kind))
		type = tr_btf_type(btf, type.number);
	const uint32_t bits = type.kind == BTF_INT ? tr_btf_u32(type.rest, 0) & 0xff : 0;
	return bits < 8 * (uint64_t)type.number ? bits : 0;
}

struct btf_member tr_btf_member(const struct btf *btf, const struct btf_type *type,
				uint32_t i)
{
	const uint8_t *at = type->rest + 12UL * i;
	struct btf_member member = {.name = tr_btf_u32(at, 0),
				    .type = tr_btf_u32(at, 1),
				    .offset = tr_btf_u32(at, 2)};
	if (!type->flag) {
		member.bits = bits_of_type(btf, member.type);
		return member;
	}
	member.bits = member.offset >> 24;
	member.offset &= 0xffffff;
	return member;
}

static bool check_members(struct btf *btf, uint32_t id, const struct btf_type *type)
{
	for (uint32_t i = 0; i < type->parts; i++) {
		const uint8_t *at = type->rest + 12UL * i;
		if (!check_name(btf, id, tr_btf_u32(at, 0)) ||
		    !check_reference(btf, id, tr_btf_u32(at, 1)) ||
		    !check_chain(btf, tr_btf_u32(at, 1)))
			return false;
		const struct btf_member member = tr_btf_member(btf, type, i);
		const uint64_t size = size_of_type(btf, member.type);
		const uint64_t end = member.bits
					 ? (member.offset + (uint64_t)member.bits + 7) / 8
					 : member.offset / 8 + size;
		if (member.type == id || size == UINT64_MAX || end > type->number ||
		    (!member.bits && member.offset % 8) || member.bits > 64 ||
		    member.bits > 8 * size)
			return fail_type(btf, id, "member %" PRIu32 " does not fit", i);
	}
	return true;
}

static bool check_parts(struct btf *btf, uint32_t id, const struct btf_type *type,
			size_t each)
{
	for (uint32_t i = 0; i < type->parts; i++)
		if (!check_name(btf, id, tr_btf_u32(type->rest + each * i, 0)))
			return false;
	if (type->kind == BTF_FUNC_PROTO)
		for (uint32_t i = 0; i < type->parts; i++)
			if (!check_reference(btf, id,
					     tr_btf_u32(type->rest + each * i, 1)))
				return false;
	return true;
}

static bool check_size(struct btf *btf, uint32_t id, uint32_t size, uint32_t most)
{
	return (size && size <= most && (size & (size - 1)) == 0) ||
	       fail_type(btf, id, "a number of %" PRIu32 " bytes", size);
}

static bool check_type(struct btf *btf, uint32_t id)
{
	const struct btf_type type = tr_btf_type(btf, id);
	if (!check_name(btf, id, type.name))
		return false;
	switch (type.kind) {
	case BTF_INT:
		return check_size(btf, id, type.number, INT_MAX_BYTES);
	case BTF_ENUM:
		return check_size(btf, id, type.number, 8) &&
		       check_parts(btf, id, &type, 8);
	case BTF_ENUM64:
		return check_size(btf, id, type.number, 8) &&
		       check_parts(btf, id, &type, 12);
	case BTF_FLOAT:
		return (type.number && type.number <= INT_MAX_BYTES) ||
		       fail_type(btf, id, "a number of %" PRIu32 " bytes", type.number);
	case BTF_PTR:
		return check_reference(btf, id, type.number);
	case BTF_TYPEDEF:
	case BTF_VOLATILE:
	case BTF_CONST:
	case BTF_RESTRICT:
	case BTF_TYPE_TAG:
	case BTF_ARRAY:
		return check_chain(btf, id);
	case BTF_STRUCT:
	case BTF_UNION:
		return check_members(btf, id, &type);
	case BTF_FUNC_PROTO:
		return check_reference(btf, id, type.number) &&
		       check_parts(btf, id, &type, 8);
	case BTF_VAR:
		return check_reference(btf, id, type.number);
	case BTF_FUNC:
		return (type.number <= btf->count &&
			tr_btf_type(btf, type.number).kind == BTF_FUNC_PROTO) ||
		       fail_type(btf, id, "a function of type %" PRIu32, type.number);
	default:
		return true;
	}
}

bool tr_btf_open(struct btf *btf, const struct image_btf_source *source)
{
	if (!read_header(btf, source) || !find_btf_types(btf))
		return false;
	for (uint32_t id = 1; id <= btf->count; id++)
		if (!check_type(btf, id))
			return false;
	return true;
}

void tr_btf_close(struct btf *btf)
{
	free(btf->places);
	btf->places = NULL;
}
