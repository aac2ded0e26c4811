/* SPDX-License-Identifier: Apache-2.0 */
/* Types and members. */
#include <string.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { TYPES_DEEP = 32, UNNAMED_DEEP = 16, MEMBERS_MAX = 100000 };

/* Finds a type in a unit of its own, of -fdebug-types-section: only in .debug_info, where
 * DWARF 5 has them. */
static int find_signed_type(const struct tr_query *query, Dwarf_Attribute attribute,
			    uint64_t *type)
{
	Dwarf_Error error = NULL;
	Dwarf_Sig8 signature;
	Dwarf_Die found = NULL;
	Dwarf_Bool is_info = 0;
	if (dwarf_formsig8(attribute, &signature, &error) != DW_DLV_OK ||
	    dwarf_find_die_given_sig8(query->dbg, &signature, &found, &is_info, &error) !=
		DW_DLV_OK)
		return DW_DLV_ERROR;
	*type = tr_image_dwarf_offset(found);
	dwarf_dealloc_die(found);
	return is_info ? DW_DLV_OK : DW_DLV_ERROR;
}

/* Reads DW_AT_type. Returns DW_DLV_OK, DW_DLV_NO_ENTRY or DW_DLV_ERROR. */
static int read_type_reference(const struct tr_query *query, Dwarf_Die die,
			       uint64_t *type)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Half form = 0;
	int result = dwarf_attr(die, DW_AT_type, &attribute, &error);
	if (result != DW_DLV_OK)
		return result;
	if (dwarf_whatform(attribute, &form, &error) == DW_DLV_OK &&
	    form == DW_FORM_ref_sig8)
		result = find_signed_type(query, attribute, type);
	else
		result = tr_image_dwarf_reference(die, DW_AT_type, type);
	dwarf_dealloc_attribute(attribute);
	return result;
}

uint64_t tr_query_type_of(struct tr_query *query, uint64_t offset)
{
	for (unsigned i = 0; i < TYPES_DEEP && offset; i++) {
		uint64_t type = 0;
		Dwarf_Die die = tr_query_die(query, offset);
		if (die && read_type_reference(query, die, &type) != DW_DLV_OK)
			type = 0;
		dwarf_dealloc_die(die);
		if (type)
			return type;
		offset = tr_query_origin(query, offset);
	}
	return 0;
}

static bool is_transparent(Dwarf_Half tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
	       tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type || tag == DW_TAG_immutable_type ||
	       tag == DW_TAG_packed_type || tag == DW_TAG_shared_type;
}

/* Removes typedefs and qualifiers. Returns false on damage; *die is NULL for void. */
static bool strip_qualifiers(struct tr_query *query, uint64_t offset, Dwarf_Die *die)
{
	*die = NULL;
	for (unsigned i = 0; i < TYPES_DEEP; i++) {
		uint64_t next = 0;
		Dwarf_Die at = tr_query_die(query, offset);
		if (!at)
			return false;
		if (!is_transparent(tr_query_tag(at))) {
			*die = at;
			return true;
		}
		int result = read_type_reference(query, at, &next);
		dwarf_dealloc_die(at);
		if (result == DW_DLV_NO_ENTRY)
			return true;
		if (result != DW_DLV_OK)
			return false;
		offset = next;
	}
	return false;
}

static void read_base(Dwarf_Die die, struct tr_query_type *type)
{
	uint64_t encoding = 0;
	tr_query_number(die, DW_AT_encoding, &encoding);
	type->kind = TR_KIND_INTEGER;
	switch (encoding) {
	case DW_ATE_boolean:
		type->is_bool = true;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		type->is_signed = true;
		break;
	case DW_ATE_unsigned_char:
	case DW_ATE_unsigned:
	case DW_ATE_address:
	case DW_ATE_UTF:
		break;
	case DW_ATE_float:
		type->kind = TR_KIND_FLOAT;
		break;
	default:
		type->kind = TR_KIND_OTHER;
	}
	/* signed char and unsigned char are for numbers. */
	type->is_char = type->size == 1 && strcmp(type->name, "char") == 0;
	bool fits = type->kind == TR_KIND_FLOAT ? type->size == 4 || type->size == 8
						: type->size <= 8;
	if (!fits || (type->size & (type->size - 1)) || !type->size) {
		type->is_wide = type->kind != TR_KIND_OTHER && type->size == 16;
		type->kind = TR_KIND_OTHER;
	}
}

static bool has_negative_enumerator(struct tr_query *query, Dwarf_Die parent)
{
	bool has = false;
	for (Dwarf_Die die = tr_query_child(parent); die; die = tr_query_next(query, die))
		has |= tr_query_tag(die) == DW_TAG_enumerator &&
		       tr_query_is_negative(die, DW_AT_const_value);
	return has;
}

/* An enum is signed if the type behind it is, which older compilers do not tell; or, if
 * that is not known, if an enumerator is below 0. */
static void read_enum(struct tr_query *query, Dwarf_Die die, struct tr_query_type *type)
{
	struct tr_query_type behind;
	type->kind = TR_KIND_ENUM;
	if (read_type_reference(query, die, &type->target) == DW_DLV_OK &&
	    tr_query_type(query, type->target, &behind)) {
		type->is_signed = behind.is_signed;
		if (!type->size)
			type->size = behind.size;
	} else {
		type->is_signed = has_negative_enumerator(query, die);
	}
	if (!type->size || type->size > 8)
		type->kind = TR_KIND_OTHER;
}

/* Reads dimension `type->dimension`, and the size of all that are left. */
static void read_array(struct tr_query *query, Dwarf_Die die, struct tr_query_type *type)
{
	struct tr_query_type element;
	unsigned at = 0;
	type->kind = TR_KIND_ARRAY;
	type->count = UINT64_MAX;
	type->size = 0;
	if (read_type_reference(query, die, &type->target) != DW_DLV_OK ||
	    !tr_query_type(query, type->target, &element)) {
		type->kind = TR_KIND_OTHER;
		return;
	}
	type->size = element.size;
	for (Dwarf_Die child = tr_query_child(die); child;
	     child = tr_query_next(query, child)) {
		uint64_t count = UINT64_MAX, upper = 0;
		if (tr_query_tag(child) != DW_TAG_subrange_type)
			continue;
		if (tr_query_number(child, DW_AT_count, &upper))
			count = upper;
		else if (tr_query_number(child, DW_AT_upper_bound, &upper))
			count = upper + 1; /* -1: none */
		if (at == type->dimension)
			type->count = count;
		if (at >= type->dimension &&
		    (count == UINT64_MAX ||
		     __builtin_mul_overflow(type->size, count, &type->size)))
			type->size = 0;
		at++;
	}
	if (at > type->dimension + 1 || type->dimension)
		type->is_char = false;
	else
		type->is_char = element.is_char;
}

/* A declaration is replaced by a definition of that name from another unit. */
static bool read_struct(struct tr_query *query, Dwarf_Die die, struct tr_query_type *type)
{
	uint64_t full = 0;
	type->is_union = tr_query_tag(die) == DW_TAG_union_type;
	type->kind = TR_KIND_STRUCT;
	if (!tr_query_flag(die, DW_AT_declaration))
		return true;
	type->is_incomplete = true;
	if (!*type->name ||
	    !tr_query_type_named(query, 0, type->is_union ? "union" : "struct",
				 type->name, &full))
		return true;
	Dwarf_Die whole = tr_query_die(query, full);
	if (!whole || tr_query_flag(whole, DW_AT_declaration)) {
		dwarf_dealloc_die(whole);
		return true;
	}
	type->is_incomplete = false;
	type->die = full;
	tr_query_number(whole, DW_AT_byte_size, &type->size);
	dwarf_dealloc_die(whole);
	return true;
}

static void read_type(struct tr_query *query, Dwarf_Die die, struct tr_query_type *type)
{
	const char *name = tr_image_dwarf_text(die, DW_AT_name);
	Dwarf_Half tag = tr_query_tag(die);
	type->die = tr_image_dwarf_offset(die);
	type->name = name ? name : "";
	tr_query_number(die, DW_AT_byte_size, &type->size);
	switch (tag) {
	case DW_TAG_base_type:
		read_base(die, type);
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		type->kind = TR_KIND_POINTER;
		type->is_reference = tag != DW_TAG_pointer_type;
		type->size = query->xlen / 8;
		if (read_type_reference(query, die, &type->target) != DW_DLV_OK)
			type->target = 0;
		break;
	case DW_TAG_enumeration_type:
		read_enum(query, die, type);
		break;
	case DW_TAG_array_type:
		read_array(query, die, type);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		read_struct(query, die, type);
		break;
	case DW_TAG_subroutine_type:
		type->kind = TR_KIND_FUNCTION;
		break;
	default:
		type->kind = TR_KIND_OTHER;
	}
}

/* Returns the type that a declaration has by its signature, or the declaration itself. */
static Dwarf_Die follow_signature(const struct tr_query *query, Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	uint64_t type = 0;
	if (dwarf_attr(die, DW_AT_signature, &attribute, &error) != DW_DLV_OK)
		return die;
	const bool found = find_signed_type(query, attribute, &type) == DW_DLV_OK;
	dwarf_dealloc_attribute(attribute);
	Dwarf_Die whole = found ? tr_query_die(query, type) : NULL;
	if (!whole)
		return die;
	dwarf_dealloc_die(die);
	return whole;
}

static bool read_type_at(struct tr_query *query, uint64_t offset, unsigned dimension,
			 struct tr_query_type *type)
{
	Dwarf_Die die = NULL;
	*type =
	    (struct tr_query_type){.query = query, .name = "", .dimension = dimension};
	if (query->depth >= TYPES_DEEP)
		return false;
	if (offset == 0)
		return true;
	if (!strip_qualifiers(query, offset, &die))
		return false;
	if (!die)
		return true;
	die = follow_signature(query, die);
	query->depth++;
	read_type(query, die, type);
	query->depth--;
	dwarf_dealloc_die(die);
	return true;
}

bool tr_query_type(struct tr_query *query, uint64_t die, struct tr_query_type *type)
{
	return read_type_at(query, die, 0, type);
}

bool tr_query_element(const struct tr_query_type *array, struct tr_query_type *type)
{
	struct tr_query *query = array->query;
	unsigned dimensions = 0;
	Dwarf_Die die = tr_query_die(query, array->die);
	for (Dwarf_Die child = die ? tr_query_child(die) : NULL; child;
	     child = tr_query_next(query, child))
		dimensions += tr_query_tag(child) == DW_TAG_subrange_type;
	dwarf_dealloc_die(die);
	if (array->dimension + 1 < dimensions)
		return read_type_at(query, array->die, array->dimension + 1, type);
	return tr_query_type(query, array->target, type);
}

/* --- members */

/* DWARF 2 has the offset in an expression: DW_OP_plus_uconst. */
static bool read_offset(struct tr_query *query, Dwarf_Die die, uint64_t *offset)
{
	struct tr_buffer ops = {0};
	bool is_list = false;
	if (tr_query_number(die, DW_AT_data_member_location, offset))
		return true;
	*offset = 0;
	enum tr_query_found found =
	    tr_query_location(query, tr_image_dwarf_offset(die),
			      DW_AT_data_member_location, 0, &ops, &is_list);
	const struct tr_query_op *op = (const struct tr_query_op *)(void *)ops.data;
	bool good = found == TR_FOUND_NOTHING;
	if (found == TR_FOUND && ops.size == sizeof(*op) &&
	    op->atom == DW_OP_plus_uconst) {
		*offset = op->operand1;
		good = true;
	}
	tr_buffer_free(&ops);
	return good;
}

/* Bit-fields: DW_AT_data_bit_offset, or DW_AT_bit_offset from the highest bit of a
 * storage unit (DWARF 2 and 3). */
static bool read_member(struct tr_query *query, Dwarf_Die die,
			struct tr_query_member *member)
{
	uint64_t bits = 0, bit = 0, bytes = 0;
	*member = (struct tr_query_member){.name = NULL};
	if (tr_query_tag(die) != DW_TAG_inheritance)
		member->name = tr_image_dwarf_text(die, DW_AT_name);
	if (read_type_reference(query, die, &member->type) != DW_DLV_OK ||
	    !read_offset(query, die, &member->offset))
		return false;
	if (!tr_query_number(die, DW_AT_bit_size, &bits))
		return true;
	if (tr_query_number(die, DW_AT_data_bit_offset, &bit)) {
		member->offset += bit / 8;
		bit %= 8;
	} else if (tr_query_number(die, DW_AT_bit_offset, &bit)) {
		struct tr_query_type type;
		if (!tr_query_number(die, DW_AT_byte_size, &bytes)) {
			if (!tr_query_type(query, member->type, &type))
				return false;
			bytes = type.size;
		}
		if (bit + bits > bytes * 8)
			return false;
		bit = bytes * 8 - bit - bits;
		member->offset += bit / 8;
		bit %= 8;
	}
	member->bit = (unsigned)bit;
	member->bits = (unsigned)bits;
	return bits > 0 && bits <= 64;
}

/* Returns whether an entry of a class is a part of its objects: a member, but not a
 * static one, which DWARF 4 has as a declaration, or a base. */
static bool is_part(Dwarf_Die die)
{
	Dwarf_Half tag = tr_query_tag(die);
	return tag == DW_TAG_inheritance ||
	       (tag == DW_TAG_member && !tr_query_flag(die, DW_AT_declaration));
}

static bool find_member(struct tr_query *query, uint64_t structure, const char *name,
			struct tr_near *near, unsigned deep,
			struct tr_query_member *member);

/* Finds a member of the class itself and of its unnamed members, or `in_bases`. */
static bool find_class_member(struct tr_query *query, uint64_t structure,
			      const char *name, struct tr_near *near, unsigned deep,
			      bool in_bases, struct tr_query_member *member)
{
	Dwarf_Die parent = tr_query_die(query, structure);
	bool found = false;
	for (Dwarf_Die die = parent ? tr_query_child(parent) : NULL; die && !found;
	     die = tr_query_next(query, die)) {
		struct tr_query_member inner;
		struct tr_query_type type;
		const char *own = tr_image_dwarf_text(die, DW_AT_name);
		if (!is_part(die) ||
		    (tr_query_tag(die) == DW_TAG_inheritance) != in_bases)
			continue;
		if (own && near)
			tr_near_offer(near, own);
		if (own && strcmp(own, name) == 0) {
			found = read_member(query, die, member);
			continue;
		}
		if ((own && !in_bases) || deep >= UNNAMED_DEEP ||
		    !read_member(query, die, &inner) ||
		    !tr_query_type(query, inner.type, &type) ||
		    type.kind != TR_KIND_STRUCT || type.die == structure ||
		    !find_member(query, type.die, name, near, deep + 1, member))
			continue;
		member->offset += inner.offset;
		found = true;
	}
	dwarf_dealloc_die(parent);
	return found;
}

/* A member hides those of bases with its name, which come first in DWARF. */
static bool find_member(struct tr_query *query, uint64_t structure, const char *name,
			struct tr_near *near, unsigned deep,
			struct tr_query_member *member)
{
	return find_class_member(query, structure, name, near, deep, false, member) ||
	       find_class_member(query, structure, name, near, deep, true, member);
}

bool tr_query_member(struct tr_query *query, uint64_t structure, const char *name,
		     struct tr_near *near, struct tr_query_member *member)
{
	return find_member(query, structure, name, near, 0, member);
}

bool tr_query_member_at(struct tr_query *query, uint64_t structure, unsigned i,
			struct tr_query_member *member)
{
	Dwarf_Die parent = tr_query_die(query, structure);
	bool found = false;
	for (Dwarf_Die die = parent ? tr_query_child(parent) : NULL; die && !found;
	     die = tr_query_next(query, die)) {
		if (is_part(die) && i-- == 0)
			found = read_member(query, die, member);
	}
	dwarf_dealloc_die(parent);
	return found;
}

bool tr_query_members(struct tr_query *query, uint64_t structure,
		      void (*take)(void *context, const struct tr_query_member *member),
		      void *context)
{
	Dwarf_Die parent = tr_query_die(query, structure);
	bool good = parent != NULL;
	for (Dwarf_Die die = parent ? tr_query_child(parent) : NULL; die;
	     die = tr_query_next(query, die)) {
		struct tr_query_member member;
		if (!good || !is_part(die))
			continue;
		good = read_member(query, die, &member);
		if (good)
			take(context, &member);
	}
	dwarf_dealloc_die(parent);
	return good;
}

void tr_query_enumerators(struct tr_query *query, uint64_t offset,
			  void (*take)(void *context, const char *name, uint64_t value),
			  void *context)
{
	Dwarf_Die parent = tr_query_die(query, offset);
	for (Dwarf_Die die = parent ? tr_query_child(parent) : NULL; die;
	     die = tr_query_next(query, die)) {
		uint64_t value;
		const char *name = tr_image_dwarf_text(die, DW_AT_name);
		if (name && tr_query_tag(die) == DW_TAG_enumerator &&
		    tr_query_number(die, DW_AT_const_value, &value))
			take(context, name, value);
	}
	dwarf_dealloc_die(parent);
}
