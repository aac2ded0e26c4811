/* SPDX-License-Identifier: Apache-2.0 */
/* Single DIEs, and what the ELF file itself tells. */
#include "image/image_query.h"

#include <string.h>

#include "base/little.h"
#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { ORIGINS_DEEP = 8 };

unsigned tr_query_xlen(const struct tr_query *query)
{
	return query->xlen;
}

unsigned tr_query_float_bytes(const struct tr_query *query)
{
	return query->float_bytes;
}

bool tr_query_in_section(const struct tr_query *query, uint64_t address, const char *name)
{
	const struct image_elf *elf = query->elf;
	size_t names = 0;
	if (!elf->nsections || elf_getshdrstrndx(query->whole, &names) != 0)
		return false;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(query->whole, i), &section))
			continue;
		if (query->is_module)
			section.sh_addr = tr_query_section_base(i);
		if (address - section.sh_addr >= section.sh_size)
			continue;
		const char *own = elf_strptr(query->whole, names, section.sh_name);
		if (own && strcmp(own, name) == 0)
			return true;
	}
	return false;
}

/* --- single DIEs */

Dwarf_Die tr_query_die(const struct tr_query *query, uint64_t offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	if (offset == 0 ||
	    dwarf_offdie_b(query->dbg, offset, 1, &die, &error) != DW_DLV_OK)
		return NULL;
	return die;
}

Dwarf_Half tr_query_tag(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;
	return dwarf_tag(die, &tag, &error) == DW_DLV_OK ? tag : 0;
}

Dwarf_Die tr_query_child(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;
	return dwarf_child(die, &child, &error) == DW_DLV_OK ? child : NULL;
}

Dwarf_Die tr_query_next(const struct tr_query *query, Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Die next = NULL;
	uint64_t at = tr_image_dwarf_offset(die);
	if (dwarf_siblingof_b(query->dbg, die, 1, &next, &error) != DW_DLV_OK)
		next = NULL;
	dwarf_dealloc_die(die);
	if (next && tr_image_dwarf_offset(next) <= at) {
		dwarf_dealloc_die(next);
		next = NULL;
	}
	return next;
}

bool tr_query_flag(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Bool set = 0;
	if (dwarf_attr(die, attribute, &found, &error) != DW_DLV_OK)
		return false;
	if (dwarf_formflag(found, &set, &error) != DW_DLV_OK)
		set = 0;
	dwarf_dealloc_attribute(found);
	return set;
}

bool tr_query_number(Dwarf_Die die, Dwarf_Half attribute, uint64_t *value)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Unsigned number = 0;
	Dwarf_Signed constant = 0;
	*value = 0;
	if (dwarf_attr(die, attribute, &found, &error) != DW_DLV_OK)
		return false;
	bool good = true;
	if (dwarf_formudata(found, &number, &error) == DW_DLV_OK)
		*value = number;
	else if (dwarf_formsdata(found, &constant, &error) == DW_DLV_OK)
		*value = (uint64_t)constant;
	else
		good = false;
	dwarf_dealloc_attribute(found);
	return good;
}

bool tr_query_is_negative(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Half form = 0;
	Dwarf_Signed constant = 0;
	if (dwarf_attr(die, attribute, &found, &error) != DW_DLV_OK)
		return false;
	bool has_sign = dwarf_whatform(found, &form, &error) == DW_DLV_OK &&
			(form == DW_FORM_sdata || form == DW_FORM_implicit_const) &&
			dwarf_formsdata(found, &constant, &error) == DW_DLV_OK;
	dwarf_dealloc_attribute(found);
	return has_sign && constant < 0;
}

uint64_t tr_query_origin(const struct tr_query *query, uint64_t offset)
{
	uint64_t to = 0;
	Dwarf_Die die = tr_query_die(query, offset);
	if (!die)
		return 0;
	if (tr_image_dwarf_reference(die, DW_AT_abstract_origin, &to) != DW_DLV_OK &&
	    tr_image_dwarf_reference(die, DW_AT_specification, &to) != DW_DLV_OK)
		to = 0;
	dwarf_dealloc_die(die);
	return to;
}

const char *tr_query_name(const struct tr_query *query, uint64_t offset)
{
	for (unsigned i = 0; i < ORIGINS_DEEP && offset; i++) {
		Dwarf_Die die = tr_query_die(query, offset);
		const char *name = die ? tr_image_dwarf_text(die, DW_AT_name) : NULL;
		if (die)
			dwarf_dealloc_die(die);
		if (name)
			return name;
		offset = tr_query_origin(query, offset);
	}
	return NULL;
}

uint64_t tr_query_unit(const struct tr_query *query, uint64_t offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Off unit = 0;
	Dwarf_Die die = tr_query_die(query, offset);
	if (!die)
		return 0;
	if (dwarf_CU_dieoffset_given_die(die, &unit, &error) != DW_DLV_OK)
		unit = 0;
	dwarf_dealloc_die(die);
	return unit;
}

size_t tr_query_ranges(const struct tr_query *query, Dwarf_Die die,
		       struct tr_buffer *list)
{
	Dwarf_Error error = NULL;
	struct image_dwarf_unit unit = {.dbg = query->dbg};
	struct tr_buffer ranges = {0};
	Dwarf_Half offset_size = 0;
	uint32_t count = 0;
	uint64_t first = 0;
	Dwarf_Die top =
	    tr_query_die(query, tr_query_unit(query, tr_image_dwarf_offset(die)));
	if (!top ||
	    dwarf_get_version_of_die(die, &unit.version, &offset_size) != DW_DLV_OK)
		return 0;
	if (dwarf_lowpc(top, &unit.base, &error) != DW_DLV_OK)
		unit.base = 0;
	dwarf_dealloc_die(top);
	tr_image_dwarf_ranges(&unit, die, &ranges, &count, &first);
	if (ranges.failed)
		count = 0;
	for (size_t i = 0; i < count; i++) {
		const uint8_t *range = ranges.data + i * IMAGE_INDEX_RANGE_BYTES;
		const uint64_t bounds[2] = {tr_load64(range), tr_load64(range + 8)};
		tr_buffer_add(list, bounds, sizeof(bounds));
	}
	tr_buffer_free(&ranges);
	return count;
}

uint64_t tr_query_range_end(const struct tr_query *query, Dwarf_Die die, uint64_t pc)
{
	struct tr_buffer list = {0};
	uint64_t end = 0;
	const size_t count = tr_query_ranges(query, die, &list);
	const uint64_t *bounds = (const uint64_t *)(void *)list.data;
	for (size_t i = 0; i < count && !list.failed; i++)
		if (pc >= bounds[2 * i] && pc < bounds[2 * i + 1])
			end = bounds[2 * i + 1];
	tr_buffer_free(&list);
	return end;
}

bool tr_query_covers(const struct tr_query *query, Dwarf_Die die, uint64_t pc)
{
	return tr_query_range_end(query, die, pc) != 0;
}
