/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions, variables and types of all units, and questions about them. */
#include <string.h>
#include <xxhash.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { NAMESPACES_DEEP = 8 };

/* Kinds of names, which separate the keys of the map. */
enum space {
	SPACE_STRUCT = 1,
	SPACE_UNION,
	SPACE_ENUM,
	SPACE_PLAIN,
	SPACE_PROTOTYPE,
	SPACE_INLINE,
	SPACE_EXTERN
};

static uint64_t hash_space_name(enum space space, const char *name)
{
	return XXH3_64bits_withSeed(name, strlen(name), space);
}

static enum space space_of_tag(Dwarf_Half tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return SPACE_STRUCT;
	case DW_TAG_union_type:
		return SPACE_UNION;
	case DW_TAG_enumeration_type:
		return SPACE_ENUM;
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return SPACE_PLAIN;
	default:
		return 0;
	}
}

static void index_die_name(struct tr_query *query, struct tr_buffer *list, Dwarf_Die die,
			   enum space space)
{
	const char *name = tr_image_dwarf_text(die, DW_AT_name);
	uint64_t at = tr_image_dwarf_offset(die);
	if (!name || at >= TR_MAP_NONE)
		return;
	uint64_t key = hash_space_name(space, name);
	if (tr_map_get(&query->by_name, key) != TR_MAP_NONE)
		return;
	query->failed |= !tr_map_set(&query->by_name, key, (uint32_t)at);
	if (list)
		tr_buffer_add(list, &(struct query_name){name, at},
			      sizeof(struct query_name));
}

/* Returns true for a variable that has a place or a constant value. */
static bool has_value(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Bool has = 0;
	return (dwarf_hasattr(die, DW_AT_location, &has, &error) == DW_DLV_OK && has) ||
	       (dwarf_hasattr(die, DW_AT_const_value, &has, &error) == DW_DLV_OK && has);
}

static void take_variable(struct tr_query *query, Dwarf_Die die)
{
	struct query_name found = {.die = tr_image_dwarf_offset(die)};
	if (!has_value(die)) {
		index_die_name(query, NULL, die, SPACE_EXTERN);
		return;
	}
	found.name = tr_query_name(query, found.die);
	if (found.name)
		tr_buffer_add(&query->variables, &found, sizeof(found));
}

/* Returns false if the function has no code. */
static bool find_entry_address(struct tr_query *query,
			       const struct image_dwarf_unit *unit, Dwarf_Die die,
			       uint64_t *entry)
{
	Dwarf_Error error = NULL;
	struct tr_buffer ranges = {0};
	Dwarf_Bool has = 0;
	Dwarf_Addr low = 0;
	uint32_t count = 0;
	uint64_t first = 0;
	if ((dwarf_hasattr(die, DW_AT_low_pc, &has, &error) != DW_DLV_OK || !has) &&
	    (dwarf_hasattr(die, DW_AT_ranges, &has, &error) != DW_DLV_OK || !has))
		return false;
	bool good =
	    tr_image_dwarf_ranges(unit, die, &ranges, &count, &first) == DW_DLV_OK &&
	    tr_image_elf_is_code(query->elf, first, first + 1);
	/* DW_AT_entry_pc of a function in parts is a rare thing; low_pc is the entry. */
	if (good && dwarf_lowpc(die, &low, &error) == DW_DLV_OK)
		first = low;
	*entry = first;
	tr_buffer_free(&ranges);
	return good;
}

static void index_query_function(struct tr_query *query,
				 const struct image_dwarf_unit *unit,
				 Dwarf_Unsigned language, Dwarf_Die die)
{
	struct query_code code = {.die = tr_image_dwarf_offset(die),
				  .language = language};
	if (find_entry_address(query, unit, die, &code.entry)) {
		code.name = tr_query_name(query, code.die);
		if (code.name)
			tr_buffer_add(&query->code, &code, sizeof(code));
	} else {
		index_die_name(query, NULL, die,
			       tr_query_flag(die, DW_AT_declaration) ? SPACE_PROTOTYPE
								     : SPACE_INLINE);
	}
}

static void take_children(struct tr_query *query, const struct image_dwarf_unit *unit,
			  Dwarf_Unsigned language, Dwarf_Die parent, unsigned deep)
{
	for (Dwarf_Die die = tr_query_child(parent); die;
	     die = tr_query_next(query, die)) {
		Dwarf_Half tag = tr_query_tag(die);
		enum space space = space_of_tag(tag);
		if (tag == DW_TAG_subprogram)
			index_query_function(query, unit, language, die);
		else if (tag == DW_TAG_variable)
			take_variable(query, die);
		else if (tag == DW_TAG_namespace && deep < NAMESPACES_DEEP)
			take_children(query, unit, language, die, deep + 1);
		else if (space && !tr_query_flag(die, DW_AT_declaration))
			index_die_name(query, &query->types, die, space);
	}
}

static void index_query_unit(struct tr_query *query, struct image_dwarf_unit *unit,
			     void *unused)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	Dwarf_Unsigned language = 0;
	Dwarf_Bool split = 0;
	(void)unused;
	if (dwarf_siblingof_b(query->dbg, NULL, 1, &die, &error) != DW_DLV_OK)
		return;
	if (dwarf_lowpc(die, &unit->base, &error) != DW_DLV_OK)
		unit->base = 0;
	if (dwarf_srclang(die, &language, &error) != DW_DLV_OK)
		language = DW_LANG_C;
	if ((dwarf_hasattr(die, DW_AT_GNU_dwo_name, &split, &error) == DW_DLV_OK &&
	     split) ||
	    (dwarf_hasattr(die, DW_AT_dwo_name, &split, &error) == DW_DLV_OK && split))
		query->is_split = true;
	take_children(query, unit, language, die, 0);
	dwarf_dealloc_die(die);
}

void tr_query_each_unit(struct tr_query *query,
			void (*take)(struct tr_query *query,
				     struct image_dwarf_unit *unit, void *context),
			void *context)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned length, type, next = 0;
	Dwarf_Half address_size, length_size, extension_size, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;
	struct image_dwarf_unit unit = {.dbg = query->dbg};
	while (dwarf_next_cu_header_d(query->dbg, 1, &length, &unit.version,
				      &abbreviations, &address_size, &length_size,
				      &extension_size, &signature, &type, &next, &kind,
				      &error) == DW_DLV_OK)
		take(query, &unit, context);
}

void tr_query_index(struct tr_query *query)
{
	tr_query_each_unit(query, index_query_unit, NULL);
	query->failed |=
	    query->code.failed || query->variables.failed || query->types.failed;
}

void tr_query_release(struct tr_query *query)
{
	tr_buffer_free(&query->code);
	tr_buffer_free(&query->variables);
	tr_buffer_free(&query->types);
	tr_buffer_free(&query->enumerator_list);
	tr_map_free(&query->by_name);
	tr_map_free(&query->enumerators);
}

/* --- enumerators, of which few programs ask */

static void take_enumerators(struct tr_query *query, uint64_t type, Dwarf_Die parent)
{
	for (Dwarf_Die die = tr_query_child(parent); die;
	     die = tr_query_next(query, die)) {
		const char *name = tr_image_dwarf_text(die, DW_AT_name);
		size_t i = query->enumerator_list.size / sizeof(struct query_enumerator);
		if (!name || tr_query_tag(die) != DW_TAG_enumerator)
			continue;
		uint64_t key = XXH3_64bits(name, strlen(name));
		if (tr_map_get(&query->enumerators, key) != TR_MAP_NONE)
			continue;
		struct query_enumerator found = {tr_image_dwarf_offset(die), type};
		query->failed |= !tr_map_set(&query->enumerators, key, (uint32_t)i);
		tr_buffer_add(&query->enumerator_list, &found, sizeof(found));
	}
	query->failed |= query->enumerator_list.failed;
}

/* Those of a unit or a namespace. */
static void take_enums_in(struct tr_query *query, Dwarf_Die parent, unsigned deep)
{
	for (Dwarf_Die die = tr_query_child(parent); die;
	     die = tr_query_next(query, die)) {
		Dwarf_Half tag = tr_query_tag(die);
		if (tag == DW_TAG_enumeration_type)
			take_enumerators(query, tr_image_dwarf_offset(die), die);
		else if (tag == DW_TAG_namespace && deep < NAMESPACES_DEEP)
			take_enums_in(query, die, deep + 1);
	}
}

static void take_enums(struct tr_query *query, struct image_dwarf_unit *unit,
		       void *unused)
{
	Dwarf_Error error = NULL;
	Dwarf_Die top = NULL;
	(void)unit;
	(void)unused;
	if (dwarf_siblingof_b(query->dbg, NULL, 1, &top, &error) != DW_DLV_OK)
		return;
	take_enums_in(query, top, 0);
	dwarf_dealloc_die(top);
}

static const struct query_enumerator *enumerator_named(const struct tr_query *query,
						       const char *name)
{
	uint32_t i = tr_map_get(&query->enumerators, XXH3_64bits(name, strlen(name)));
	const struct query_enumerator *list =
	    (const struct query_enumerator *)(const void *)query->enumerator_list.data;
	return i == TR_MAP_NONE ? NULL : &list[i];
}

/* Finds it in one unit. */
static bool enumerator_in(struct tr_query *query, uint64_t unit, const char *name,
			  struct query_enumerator *found)
{
	Dwarf_Die top = tr_query_die(query, unit);
	for (Dwarf_Die type = top ? tr_query_child(top) : NULL; type;
	     type = tr_query_next(query, type)) {
		if (tr_query_tag(type) != DW_TAG_enumeration_type)
			continue;
		for (Dwarf_Die die = tr_query_child(type); die;
		     die = tr_query_next(query, die)) {
			const char *own = tr_image_dwarf_text(die, DW_AT_name);
			if (!own || strcmp(own, name) != 0)
				continue;
			*found = (struct query_enumerator){tr_image_dwarf_offset(die),
							   tr_image_dwarf_offset(type)};
			return true;
		}
	}
	return false;
}

bool tr_query_enumerator(struct tr_query *query, uint64_t unit, const char *name,
			 uint64_t *value, uint64_t *type)
{
	struct query_enumerator found = {0};
	if (!enumerator_in(query, tr_query_unit(query, unit), name, &found)) {
		if (!query->has_enumerators)
			tr_query_each_unit(query, take_enums, NULL);
		query->has_enumerators = true;
		const struct query_enumerator *other = enumerator_named(query, name);
		if (!other)
			return false;
		found = *other;
	}
	Dwarf_Die die = tr_query_die(query, found.die);
	bool good = die && tr_query_number(die, DW_AT_const_value, value);
	if (die)
		dwarf_dealloc_die(die);
	*type = found.type;
	return good;
}

/* --- types and variables */

/* Finds a child of a unit by its name, and by one of the tags that `is` accepts. */
static uint64_t find_in_unit(struct tr_query *query, uint64_t unit, const char *name,
			     bool (*is)(Dwarf_Die die, unsigned what), unsigned what)
{
	Dwarf_Die top = tr_query_die(query, unit);
	uint64_t found = 0;
	for (Dwarf_Die die = top ? tr_query_child(top) : NULL; die && !found;
	     die = tr_query_next(query, die)) {
		if (!is(die, what))
			continue;
		uint64_t at = tr_image_dwarf_offset(die);
		const char *own = tr_query_name(query, at);
		if (own && strcmp(own, name) == 0)
			found = at;
	}
	return found;
}

static bool is_type(Dwarf_Die die, unsigned space)
{
	return space_of_tag(tr_query_tag(die)) == space &&
	       !tr_query_flag(die, DW_AT_declaration);
}

static bool is_variable(Dwarf_Die die, unsigned unused)
{
	(void)unused;
	return tr_query_tag(die) == DW_TAG_variable && has_value(die);
}

bool tr_query_type_named(struct tr_query *query, uint64_t unit, const char *keyword,
			 const char *name, uint64_t *die)
{
	enum space space = strcmp(keyword, "struct") == 0  ? SPACE_STRUCT
			   : strcmp(keyword, "union") == 0 ? SPACE_UNION
			   : strcmp(keyword, "enum") == 0  ? SPACE_ENUM
							   : SPACE_PLAIN;
	*die = unit
		   ? find_in_unit(query, tr_query_unit(query, unit), name, is_type, space)
		   : 0;
	if (*die)
		return true;
	uint32_t found = tr_map_get(&query->by_name, hash_space_name(space, name));
	*die = found;
	return found != TR_MAP_NONE;
}

static void offer_near_names(const struct tr_buffer *names, struct tr_near *near)
{
	const struct query_name *list =
	    (const struct query_name *)(const void *)names->data;
	for (size_t i = 0; i < names->size / sizeof(*list); i++)
		tr_near_offer(near, list[i].name);
}

void tr_query_near_types(struct tr_query *query, struct tr_near *near)
{
	offer_near_names(&query->types, near);
}

uint64_t tr_query_address(struct tr_query *query, uint64_t die)
{
	struct tr_buffer ops = {0};
	bool is_list = false;
	uint64_t address = 0;
	if (tr_query_location(query, die, DW_AT_location, 0, &ops, &is_list) ==
		TR_FOUND &&
	    ops.size == sizeof(struct tr_query_op)) {
		const struct tr_query_op *op =
		    (const struct tr_query_op *)(void *)ops.data;
		address = op->atom == DW_OP_addr ? op->operand1 : 0;
	}
	tr_buffer_free(&ops);
	return address;
}

/* Several units may define a variable of which the linker keeps one: a weak one, or one
 * in a header of C++. */
unsigned tr_query_global(struct tr_query *query, uint64_t unit, const char *name,
			 uint64_t *die)
{
	const struct query_name *list =
	    (const struct query_name *)(const void *)query->variables.data;
	unsigned found = 0;
	*die = unit
		   ? find_in_unit(query, tr_query_unit(query, unit), name, is_variable, 0)
		   : 0;
	if (*die)
		return 1;
	for (size_t i = 0; i < query->variables.size / sizeof(*list) && found < 2; i++) {
		uint64_t address;
		if (strcmp(list[i].name, name) != 0 ||
		    (found && (address = tr_query_address(query, list[i].die)) != 0 &&
		     address == tr_query_address(query, *die)))
			continue;
		*die = list[i].die;
		found++;
	}
	return found;
}

void tr_query_near_globals(struct tr_query *query, struct tr_near *near)
{
	offer_near_names(&query->variables, near);
}

/* Returns the DIE of a prototype, 0 if there is none. */
uint64_t tr_query_prototype(const struct tr_query *query, const char *name)
{
	uint32_t found =
	    tr_map_get(&query->by_name, hash_space_name(SPACE_PROTOTYPE, name));
	return found == TR_MAP_NONE ? 0 : found;
}

bool tr_query_extern(struct tr_query *query, const char *name, uint64_t *die,
		     uint64_t *address)
{
	uint32_t found = tr_map_get(&query->by_name, hash_space_name(SPACE_EXTERN, name));
	*die = found == TR_MAP_NONE ? 0 : found;
	return *die && tr_query_symbol(query, name, address);
}

uint64_t tr_query_inline(const struct tr_query *query, const char *name)
{
	uint32_t found = tr_map_get(&query->by_name, hash_space_name(SPACE_INLINE, name));
	return found == TR_MAP_NONE ? 0 : found;
}
