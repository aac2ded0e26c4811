/* SPDX-License-Identifier: Apache-2.0 */
/* Locations of variables, and frames. */
#include <string.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { OPS_MAX = 1024, NO_COLUMN = 1436, UNDEFINED_COLUMN = 1034, SAME_COLUMN = 1035 };

/* Replaces a number in .debug_addr by the address. */
static bool resolve_address(Dwarf_Die die, struct tr_query_op *op)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr address = 0;
	if (op->atom != DW_OP_addrx && op->atom != DW_OP_GNU_addr_index)
		return true;
	if (dwarf_debug_addr_index_to_addr(die, op->operand1, &address, &error) !=
	    DW_DLV_OK)
		return false;
	op->atom = DW_OP_addr;
	op->operand1 = address;
	return true;
}

static bool take_ops(Dwarf_Die die, Dwarf_Locdesc_c entry, Dwarf_Unsigned count,
		     struct tr_buffer *ops)
{
	Dwarf_Error error = NULL;
	if (count > OPS_MAX)
		return false;
	for (Dwarf_Unsigned i = 0; i < count; i++) {
		Dwarf_Small atom = 0;
		Dwarf_Unsigned operand[3] = {0}, raw[3] = {0}, offset = 0;
		if (dwarf_get_location_op_value_d(
			entry, i, &atom, &operand[0], &operand[1], &operand[2], &raw[0],
			&raw[1], &raw[2], &offset, &error) != DW_DLV_OK)
			return false;
		struct tr_query_op op = {.atom = atom,
					 .operand1 = operand[0],
					 .operand2 = operand[1],
					 .offset = offset};
		if (!resolve_address(die, &op))
			return false;
		tr_buffer_add(ops, &op, sizeof(op));
	}
	return !ops->failed;
}

/* Reads the bounds and operations of an entry. Returns TR_FOUND_ELSEWHERE if it has none,
 * or does not cover `pc`, unless that is NULL. */
static enum tr_query_found read_location_entry(Dwarf_Die die, Dwarf_Loc_Head_c head,
					       Dwarf_Unsigned i, bool is_list,
					       const uint64_t *pc,
					       struct tr_query_entry *bounds,
					       struct tr_buffer *ops)
{
	Dwarf_Error error = NULL;
	Dwarf_Small kind = 0, source = 0;
	Dwarf_Unsigned raw_low, raw_high, count = 0, expression, where;
	Dwarf_Bool no_address = 0;
	Dwarf_Addr low = 0, high = 0;
	Dwarf_Locdesc_c entry = NULL;
	if (dwarf_get_locdesc_entry_d(head, i, &kind, &raw_low, &raw_high, &no_address,
				      &low, &high, &count, &entry, &source, &expression,
				      &where, &error) != DW_DLV_OK)
		return TR_FOUND_DAMAGE;
	*bounds = (struct tr_query_entry){.low = 0, .high = UINT64_MAX};
	if (is_list && kind != DW_LLE_default_location) {
		bool has_range = kind == DW_LLE_startx_endx ||
				 kind == DW_LLE_startx_length ||
				 kind == DW_LLE_offset_pair || kind == DW_LLE_start_end ||
				 kind == DW_LLE_start_length;
		if (!has_range || no_address || (pc && (*pc < low || *pc >= high)))
			return TR_FOUND_ELSEWHERE;
		bounds->low = low;
		bounds->high = high;
	}
	if (count == 0)
		return TR_FOUND_ELSEWHERE;
	return take_ops(die, entry, count, ops) ? TR_FOUND : TR_FOUND_DAMAGE;
}

static enum tr_query_found read_location_list(Dwarf_Die die, Dwarf_Attribute attribute,
					      uint64_t pc, struct tr_buffer *ops,
					      bool *is_list)
{
	Dwarf_Error error = NULL;
	Dwarf_Loc_Head_c head = NULL;
	Dwarf_Unsigned count = 0;
	unsigned kind = 0;
	enum tr_query_found found = TR_FOUND_ELSEWHERE;
	if (dwarf_get_loclist_c(attribute, &head, &count, &error) != DW_DLV_OK)
		return TR_FOUND_DAMAGE;
	if (dwarf_get_loclist_head_kind(head, &kind, &error) != DW_DLV_OK) {
		dwarf_loc_head_c_dealloc(head);
		return TR_FOUND_DAMAGE;
	}
	*is_list = kind != DW_LKIND_expression;
	struct tr_query_entry bounds;
	for (Dwarf_Unsigned i = 0; i < count && found == TR_FOUND_ELSEWHERE; i++)
		found = read_location_entry(die, head, i, *is_list, &pc, &bounds, ops);
	dwarf_loc_head_c_dealloc(head);
	return found;
}

enum tr_query_found tr_query_location(struct tr_query *query, uint64_t offset,
				      unsigned attribute, uint64_t pc,
				      struct tr_buffer *ops, bool *is_list)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Die die = tr_query_die(query, offset);
	ops->size = 0;
	*is_list = false;
	if (!die)
		return TR_FOUND_DAMAGE;
	int result = dwarf_attr(die, (Dwarf_Half)attribute, &found, &error);
	enum tr_query_found answer =
	    result == DW_DLV_NO_ENTRY ? TR_FOUND_NOTHING : TR_FOUND_DAMAGE;
	if (result == DW_DLV_OK) {
		answer = read_location_list(die, found, pc, ops, is_list);
		dwarf_dealloc_attribute(found);
	}
	dwarf_dealloc_die(die);
	return answer;
}

static void take_location_entries(Dwarf_Die die, Dwarf_Attribute attribute,
				  void (*take)(void *context,
					       const struct tr_query_entry *entry),
				  void *context)
{
	Dwarf_Error error = NULL;
	Dwarf_Loc_Head_c head = NULL;
	Dwarf_Unsigned count = 0;
	unsigned kind = 0;
	struct tr_buffer ops = {0};
	if (dwarf_get_loclist_c(attribute, &head, &count, &error) != DW_DLV_OK)
		return;
	if (dwarf_get_loclist_head_kind(head, &kind, &error) != DW_DLV_OK)
		count = 0;
	for (Dwarf_Unsigned i = 0; i < count; i++) {
		struct tr_query_entry entry;
		ops.size = 0;
		if (read_location_entry(die, head, i, kind != DW_LKIND_expression, NULL,
					&entry, &ops) != TR_FOUND)
			continue;
		entry.ops = (const struct tr_query_op *)(void *)ops.data;
		entry.count = ops.size / sizeof(*entry.ops);
		take(context, &entry);
	}
	tr_buffer_free(&ops);
	dwarf_loc_head_c_dealloc(head);
}

void tr_query_locations(struct tr_query *query, uint64_t offset,
			void (*take)(void *context, const struct tr_query_entry *entry),
			void *context)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Die die = tr_query_die(query, offset);
	if (die && dwarf_attr(die, DW_AT_location, &found, &error) == DW_DLV_OK) {
		take_location_entries(die, found, take, context);
		dwarf_dealloc_attribute(found);
	}
	dwarf_dealloc_die(die);
}

bool tr_query_constant(struct tr_query *query, uint64_t offset, uint64_t *value)
{
	bool good = false;
	for (unsigned i = 0; i < 8 && offset && !good; i++) {
		Dwarf_Die die = tr_query_die(query, offset);
		good = die && tr_query_number(die, DW_AT_const_value, value);
		dwarf_dealloc_die(die);
		offset = tr_query_origin(query, offset);
	}
	return good;
}

/* Opens .debug_frame, which compilers write beside the DWARF, or else .eh_frame. */
static void open_frames(struct tr_query *query)
{
	Dwarf_Error error = NULL;
	query->has_frames = true;
	dwarf_set_frame_rule_initial_value(query->dbg, SAME_COLUMN);
	dwarf_set_frame_cfa_value(query->dbg, NO_COLUMN);
	dwarf_set_frame_same_value(query->dbg, SAME_COLUMN);
	dwarf_set_frame_undefined_value(query->dbg, UNDEFINED_COLUMN);
	if (dwarf_get_fde_list(query->dbg, &query->cies, &query->ncies, &query->fdes,
			       &query->nfdes, &error) == DW_DLV_OK)
		return;
	if (dwarf_get_fde_list_eh(query->dbg, &query->cies, &query->ncies, &query->fdes,
				  &query->nfdes, &error) != DW_DLV_OK)
		query->fdes = NULL;
}

bool tr_query_frame(struct tr_query *query, uint64_t pc, unsigned *reg, int64_t *offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Fde fde = NULL;
	Dwarf_Addr low, high, row;
	Dwarf_Small kind = 0;
	Dwarf_Signed relevant = 0, column = 0, bytes = 0;
	Dwarf_Ptr block = NULL;
	if (!query->has_frames)
		open_frames(query);
	if (!query->fdes ||
	    dwarf_get_fde_at_pc(query->fdes, pc, &fde, &low, &high, &error) !=
		DW_DLV_OK ||
	    dwarf_get_fde_info_for_cfa_reg3(fde, pc, &kind, &relevant, &column, &bytes,
					    &block, &row, &error) != DW_DLV_OK)
		return false;
	if (kind != DW_EXPR_OFFSET || column < 0 || column > 31)
		return false;
	*reg = (unsigned)column;
	*offset = relevant ? bytes : 0;
	return true;
}
