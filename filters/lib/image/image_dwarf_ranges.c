/* SPDX-License-Identifier: Apache-2.0 */
/* Reads DW_AT_low_pc, DW_AT_high_pc and DW_AT_ranges through libdwarf. */
#include "image/image_dwarf_ranges.h"

struct adding {
	struct tr_buffer *ranges;
	uint32_t count;
	uint64_t first;
};

static void add(struct adding *adding, uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	if (adding->count++ == 0)
		adding->first = low;
	image_index_range(adding->ranges, low, high);
}

static int add_low_high(Dwarf_Die die, uint64_t low, struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr high = 0;
	Dwarf_Half form = 0;
	enum Dwarf_Form_Class form_class = DW_FORM_CLASS_UNKNOWN;
	int result = dwarf_highpc_b(die, &high, &form, &form_class, &error);
	if (result != DW_DLV_OK)
		return result;
	add(adding, low, form_class == DW_FORM_CLASS_ADDRESS ? high : low + high);
	return DW_DLV_OK;
}

/* .debug_ranges, of DWARF 3 and 4. */
static int add_old_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
			  Dwarf_Off offset, struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Ranges *list = NULL;
	Dwarf_Signed n = 0;
	Dwarf_Addr base = unit->base;
	int result =
	    dwarf_get_ranges_b(unit->dbg, offset, die, NULL, &list, &n, NULL, &error);
	if (result != DW_DLV_OK)
		return result;
	for (Dwarf_Signed i = 0; i < n && list[i].dwr_type != DW_RANGES_END; i++) {
		if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
			base = list[i].dwr_addr2;
		else
			add(adding, base + list[i].dwr_addr1, base + list[i].dwr_addr2);
	}
	dwarf_ranges_dealloc(unit->dbg, list, n);
	return DW_DLV_OK;
}

static int add_rnglist_entry(Dwarf_Rnglists_Head head, Dwarf_Unsigned i,
			     struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned raw1 = 0, raw2 = 0, low = 0, high = 0;
	Dwarf_Bool no_address = 0;
	unsigned length = 0, kind = 0;
	int result = dwarf_get_rnglists_entry_fields_a(
	    head, i, &length, &kind, &raw1, &raw2, &no_address, &low, &high, &error);
	if (result != DW_DLV_OK)
		return result;
	bool is_range = kind == DW_RLE_startx_endx || kind == DW_RLE_startx_length ||
			kind == DW_RLE_offset_pair || kind == DW_RLE_start_end ||
			kind == DW_RLE_start_length;
	if (is_range && !no_address)
		add(adding, low, high);
	return DW_DLV_OK;
}

/* .debug_rnglists, of DWARF 5. */
static int add_rnglist(Dwarf_Attribute attribute, Dwarf_Half form, Dwarf_Unsigned value,
		       struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Unsigned n = 0, offset = 0;
	int result = dwarf_rnglists_get_rle_head(attribute, form, value, &head, &n,
						 &offset, &error);
	if (result != DW_DLV_OK)
		return result;
	for (Dwarf_Unsigned i = 0; i < n && result == DW_DLV_OK; i++)
		result = add_rnglist_entry(head, i, adding);
	dwarf_dealloc_rnglists_head(head);
	return result;
}

static int add_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
		      struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Half form = 0;
	Dwarf_Unsigned value = 0;
	int result = dwarf_attr(die, DW_AT_ranges, &attribute, &error);
	if (result != DW_DLV_OK)
		return result;
	result = dwarf_whatform(attribute, &form, &error);
	if (result == DW_DLV_OK)
		result = form == DW_FORM_sec_offset
			     ? dwarf_global_formref(attribute, &value, &error)
			     : dwarf_formudata(attribute, &value, &error);
	if (result == DW_DLV_OK)
		result = unit->version >= 5 ? add_rnglist(attribute, form, value, adding)
					    : add_old_ranges(unit, die, value, adding);
	dwarf_dealloc_attribute(attribute);
	return result;
}

int image_dwarf_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
		       struct tr_buffer *ranges, uint32_t *count, uint64_t *first)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr low = 0;
	struct adding adding = {.ranges = ranges};
	size_t before = ranges->size;
	int result = dwarf_lowpc(die, &low, &error);
	if (result == DW_DLV_OK)
		result = add_low_high(die, low, &adding);
	else if (result == DW_DLV_NO_ENTRY)
		result = add_ranges(unit, die, &adding);
	if (result != DW_DLV_OK)
		ranges->size = before;
	else if (adding.count == 0)
		result = DW_DLV_NO_ENTRY;
	*count = result == DW_DLV_OK ? adding.count : 0;
	*first = adding.first;
	return result;
}
