/* SPDX-License-Identifier: Apache-2.0 */
/* Finds names and declarations, along abstract origins and specifications. */
#include "image/image_dwarf_names.h"

#include <stddef.h>

enum { ORIGINS_DEEP = 8, TYPES_DEEP = 4 };

uint64_t image_dwarf_offset(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	return dwarf_dieoffset(die, &offset, &error) == DW_DLV_OK ? offset : 0;
}

int image_dwarf_reference(Dwarf_Die die, Dwarf_Half kind, uint64_t *offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Off found = 0;
	int result = dwarf_attr(die, kind, &attribute, &error);
	if (result != DW_DLV_OK)
		return result;
	result = dwarf_global_formref(attribute, &found, &error);
	dwarf_dealloc_attribute(attribute);
	*offset = found;
	return result;
}

static int follow(Dwarf_Debug dbg, Dwarf_Die die, Dwarf_Half kind, Dwarf_Die *to)
{
	Dwarf_Error error = NULL;
	uint64_t offset = 0;
	int result = image_dwarf_reference(die, kind, &offset);
	return result == DW_DLV_OK ? dwarf_offdie_b(dbg, offset, 1, to, &error) : result;
}

static uint32_t number_of(Dwarf_Die die, Dwarf_Half kind)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Unsigned number = 0;
	Dwarf_Signed constant = 0;
	if (dwarf_attr(die, kind, &attribute, &error) != DW_DLV_OK)
		return 0;
	/* A constant in the abbreviation has a sign. */
	if (dwarf_formsdata(attribute, &constant, &error) == DW_DLV_OK && constant > 0)
		number = (Dwarf_Unsigned)constant;
	else if (dwarf_formudata(attribute, &number, &error) != DW_DLV_OK)
		number = 0;
	if (number > UINT32_MAX)
		number = 0;
	dwarf_dealloc_attribute(attribute);
	return (uint32_t)number;
}

static void take_place(Dwarf_Die die, struct image_dwarf_name *found)
{
	Dwarf_Error error = NULL;
	Dwarf_Off unit = 0;
	found->line = number_of(die, DW_AT_decl_line);
	if (!found->line)
		return;
	found->file = number_of(die, DW_AT_decl_file);
	if (dwarf_CU_dieoffset_given_die(die, &unit, &error) != DW_DLV_OK)
		found->line = 0;
	found->unit = unit;
}

/* A lambda has no place of its own, but the class that it is called on has: behind the
 * pointers to it. */
static void take_place_of_class(Dwarf_Debug dbg, Dwarf_Die die,
				struct image_dwarf_name *found)
{
	Dwarf_Die owned = NULL;
	int result = follow(dbg, die, DW_AT_object_pointer, &owned);
	for (unsigned i = 0; i < TYPES_DEEP && result == DW_DLV_OK; i++) {
		Dwarf_Die next = NULL;
		result = follow(dbg, owned, DW_AT_type, &next);
		if (result != DW_DLV_OK)
			break;
		dwarf_dealloc_die(owned);
		owned = next;
		take_place(owned, found);
	}
	if (owned)
		dwarf_dealloc_die(owned);
}

/* What a DIE has of what is not known yet. */
static void take(Dwarf_Die die, struct image_dwarf_name *found)
{
	Dwarf_Error error = NULL;
	char *text = NULL;
	if (!found->name[0] && dwarf_diename(die, &text, &error) == DW_DLV_OK) {
		found->name = text;
		found->die = image_dwarf_offset(die);
	}
	if (!found->mangled[0] &&
	    (dwarf_die_text(die, DW_AT_linkage_name, &text, &error) == DW_DLV_OK ||
	     dwarf_die_text(die, DW_AT_MIPS_linkage_name, &text, &error) == DW_DLV_OK))
		found->mangled = text;
	if (!found->line)
		take_place(die, found);
}

struct image_dwarf_name image_dwarf_name(Dwarf_Debug dbg, Dwarf_Die die)
{
	struct image_dwarf_name found = {.name = "", .mangled = ""};
	Dwarf_Die owned = NULL;
	for (unsigned i = 0; i < ORIGINS_DEEP; i++) {
		Dwarf_Die next = NULL;
		take(die, &found);
		if (!found.line)
			take_place_of_class(dbg, die, &found);
		if (follow(dbg, die, DW_AT_abstract_origin, &next) != DW_DLV_OK &&
		    follow(dbg, die, DW_AT_specification, &next) != DW_DLV_OK)
			break;
		if (owned)
			dwarf_dealloc_die(owned);
		die = owned = next;
	}
	if (owned)
		dwarf_dealloc_die(owned);
	return found;
}

struct image_dwarf_name image_dwarf_name_at(Dwarf_Debug dbg, uint64_t offset)
{
	struct image_dwarf_name found = {.name = "", .mangled = ""};
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	if (dwarf_offdie_b(dbg, offset, 1, &die, &error) != DW_DLV_OK)
		return found;
	found = image_dwarf_name(dbg, die);
	dwarf_dealloc_die(die);
	return found;
}
