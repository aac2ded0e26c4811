/* SPDX-License-Identifier: Apache-2.0 */
/* Finds names, along abstract origins and specifications. */
#include "image/image_dwarf_names.h"

#include <stddef.h>

enum { ORIGINS_DEEP = 8 };

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

struct image_dwarf_name image_dwarf_name(Dwarf_Debug dbg, Dwarf_Die die)
{
	struct image_dwarf_name found = {.name = ""};
	Dwarf_Error error = NULL;
	Dwarf_Die owned = NULL;
	char *name = NULL;
	for (unsigned i = 0; i < ORIGINS_DEEP; i++) {
		Dwarf_Die next = NULL;
		if (dwarf_diename(die, &name, &error) == DW_DLV_OK) {
			found.name = name;
			found.die = image_dwarf_offset(die);
			break;
		}
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
	struct image_dwarf_name found = {.name = ""};
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	if (dwarf_offdie_b(dbg, offset, 1, &die, &error) != DW_DLV_OK)
		return found;
	found = image_dwarf_name(dbg, die);
	dwarf_dealloc_die(die);
	return found;
}
