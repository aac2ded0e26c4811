/* SPDX-License-Identifier: Apache-2.0 */
/* How C++ passes the objects of a class: as bytes, or, if the class says how they are
 * copied or destroyed, by an address. */
#include <string.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { MEMBERS_DEEP = 8, MEMBERS_MOST = 10000 }; /* of all classes */

/* A function that the compiler generates copies bytes if those of the members do. */
static bool is_user_written(Dwarf_Die function)
{
	uint64_t defaulted = 0;
	tr_query_number(function, DW_AT_defaulted, &defaulted);
	return !tr_query_flag(function, DW_AT_artificial) &&
	       !tr_query_flag(function, DW_AT_deleted) &&
	       defaulted != DW_DEFAULTED_in_class;
}

/* Returns true if the first parameter, but `this`, is a reference to the class. */
static bool takes_own_class(struct tr_query *query, Dwarf_Die function, uint64_t class)
{
	for (Dwarf_Die die = tr_query_child(function); die;
	     die = tr_query_next(query, die)) {
		struct tr_query_type type, target;
		if (tr_query_tag(die) != DW_TAG_formal_parameter ||
		    tr_query_flag(die, DW_AT_artificial))
			continue;
		uint64_t offset = tr_query_type_of(query, tr_image_dwarf_offset(die));
		dwarf_dealloc_die(die);
		return tr_query_type(query, offset, &type) && type.is_reference &&
		       tr_query_type(query, type.target, &target) && target.die == class;
	}
	return false;
}

/* The constructors of a template have its name without arguments. */
static bool is_name_of_class(const char *name, const char *class)
{
	size_t length = strcspn(class, "<");
	return strncmp(name, class, length) == 0 && name[length] == '\0';
}

/* Destructors, and constructors that copy or move. */
static bool says_how(struct tr_query *query, Dwarf_Die function, const char *class,
		     uint64_t offset)
{
	const char *name = tr_image_dwarf_text(function, DW_AT_name);
	return name && is_user_written(function) &&
	       (*name == '~' || (is_name_of_class(name, class) &&
				 takes_own_class(query, function, offset)));
}

struct search {
	struct tr_query *query;
	unsigned members, deep;
};
static bool is_by_address(struct search *search, uint64_t offset);

/* Returns true for a member or base that is passed by an address itself. */
static bool has_such(struct search *search, Dwarf_Die member)
{
	struct tr_query *query = search->query;
	struct tr_query_type type;
	uint64_t offset = tr_query_type_of(query, tr_image_dwarf_offset(member));
	if (tr_query_flag(member, DW_AT_declaration) ||
	    !tr_query_type(query, offset, &type))
		return false;
	for (unsigned i = 0; i < MEMBERS_DEEP && type.kind == TR_KIND_ARRAY; i++)
		if (!tr_query_type(query, type.target, &type))
			return false;
	if (type.kind != TR_KIND_STRUCT || search->deep == MEMBERS_DEEP ||
	    ++search->members > MEMBERS_MOST)
		return false;
	search->deep++;
	bool is = is_by_address(search, type.die);
	search->deep--;
	return is;
}

static bool is_by_address(struct search *search, uint64_t offset)
{
	struct tr_query *query = search->query;
	Dwarf_Die class = tr_query_die(query, offset);
	const char *name = class ? tr_image_dwarf_text(class, DW_AT_name) : NULL;
	uint64_t convention = 0;
	bool is = false;
	if (class && tr_query_number(class, DW_AT_calling_convention, &convention)) {
		dwarf_dealloc_die(class);
		return convention == DW_CC_pass_by_reference;
	}
	for (Dwarf_Die die = class ? tr_query_child(class) : NULL; die && !is;
	     die = tr_query_next(query, die)) {
		Dwarf_Half tag = tr_query_tag(die);
		uint64_t virtuality = DW_VIRTUALITY_none;
		tr_query_number(die, DW_AT_virtuality, &virtuality);
		if (tag == DW_TAG_subprogram)
			is = virtuality != DW_VIRTUALITY_none ||
			     says_how(query, die, name ? name : "", offset);
		else if (tag == DW_TAG_member || tag == DW_TAG_inheritance)
			is = virtuality != DW_VIRTUALITY_none || has_such(search, die);
	}
	dwarf_dealloc_die(class);
	return is;
}

bool tr_query_is_passed_by_address(struct tr_query *query, uint64_t structure)
{
	struct search search = {.query = query};
	return is_by_address(&search, structure);
}
