/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_scopes.h"

#include <dwarf.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { BLOCKS_DEEP = 64, REGISTERS = 32 };

struct reading {
	struct data_scopes *s;
	struct tr_query *query;
	struct data_layouts *layouts;
	const uint64_t *ranges; /* of the block: low and high of each */
	size_t nranges;
	uint32_t pointed, layout; /* of the variable */
	uint64_t size;
	uint32_t variables; /* before this one */
	bool
	    is_parameter; /* of the function itself, which has its value from the entry */
};

/* Adds a home where the block has code. */
static void add_home(const struct reading *r, const struct tr_query_entry *entry,
		     struct data_home home)
{
	for (size_t i = 0; i < r->nranges; i++) {
		const uint64_t low = r->ranges[2 * i], high = r->ranges[2 * i + 1];
		home.low = entry->low > low ? entry->low : low;
		home.high = entry->high < high ? entry->high : high;
		if (home.low < home.high)
			tr_buffer_add(&r->s->homes, &home, sizeof(home));
	}
}

static bool is_based(uint8_t atom)
{
	return atom >= DW_OP_breg0 && atom < DW_OP_breg0 + REGISTERS;
}

/* What the expression says of a register, or of the frame; others are not understood. */
static void take_entry(void *context, const struct tr_query_entry *entry)
{
	const struct reading *r = context;
	const struct tr_query_op *op = entry->ops;
	const bool is_list = entry->low || entry->high != UINT64_MAX;
	r->s->has_lists |= is_list;
	struct data_home home = {.kind = is_list || r->is_parameter ? DATA_HOME_REGISTER
								    : DATA_HOME_LATER,
				 .layout = r->pointed,
				 .size = r->size,
				 .variable = r->variables,
				 .is_later = !is_list};
	const bool is_value = entry->count == 2 && op[1].atom == DW_OP_stack_value;

	if (entry->count == 1 && op->atom >= DW_OP_reg0 &&
	    op->atom < DW_OP_reg0 + REGISTERS && r->pointed != TR_LAYOUT_NONE) {
		home.reg = (uint8_t)(op->atom - DW_OP_reg0);
	} else if (is_value && is_based(op->atom) && r->pointed != TR_LAYOUT_NONE) {
		home.reg = (uint8_t)(op->atom - DW_OP_breg0);
		home.offset = -(int64_t)op->operand1;
	} else if (entry->count == 1 && is_based(op->atom) &&
		   r->layout != TR_LAYOUT_NONE) {
		home.reg = (uint8_t)(op->atom - DW_OP_breg0);
		home.offset = -(int64_t)op->operand1;
		home.layout = r->layout;
	} else if (entry->count == 1 && op->atom == DW_OP_fbreg) {
		home.kind =
		    r->layout != TR_LAYOUT_NONE ? DATA_HOME_INSIDE : DATA_HOME_POINTER;
		home.offset = (int64_t)op->operand1;
		home.layout = r->layout != TR_LAYOUT_NONE ? r->layout : r->pointed;
	} else {
		return;
	}
	add_home(r, entry, home);
}

static void take_variable(struct reading *r, uint64_t die, bool is_parameter)
{
	r->is_parameter = is_parameter;
	const uint64_t type = tr_query_type_of(r->query, die);
	r->pointed = tr_data_layout_pointed(r->layouts, type);
	r->layout = tr_data_layout_of(r->layouts, type);
	struct tr_query_type read;
	r->size = tr_query_type(r->query, type, &read) ? read.size : 0;
	tr_query_locations(r->query, die, take_entry, r);
	r->variables++;
}

static bool has_attribute(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Error error = NULL;
	Dwarf_Bool has = 0;
	return dwarf_hasattr(die, attribute, &has, &error) == DW_DLV_OK && has;
}

static uint64_t address_of(Dwarf_Die die, Dwarf_Half attribute)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute found = NULL;
	Dwarf_Addr address = 0;
	if (dwarf_attr(die, attribute, &found, &error) != DW_DLV_OK)
		return 0;
	if (dwarf_formaddr(found, &address, &error) != DW_DLV_OK)
		address = 0;
	dwarf_dealloc_attribute(found);
	return address;
}

/* The return address is DW_AT_low_pc before DWARF 5. */
static void take_call_site(struct reading *r, Dwarf_Die die)
{
	struct data_call call = {.back = address_of(die, DW_AT_call_return_pc)};
	if (!call.back)
		call.back = address_of(die, DW_AT_low_pc);
	call.is_tail = tr_query_flag(die, DW_AT_call_tail_call) ||
		       tr_query_flag(die, DW_AT_GNU_tail_call);
	if (call.back)
		tr_buffer_add(&r->s->calls, &call, sizeof(call));
}

static void take_block(struct reading *r, Dwarf_Die parent, unsigned deep);

/* An entry without code of its own has that of what is around it. */
static void enter_block(struct reading *r, Dwarf_Die die, unsigned deep)
{
	struct reading inner = *r;
	struct tr_buffer ranges = {0};
	if (has_attribute(die, DW_AT_low_pc) || has_attribute(die, DW_AT_ranges)) {
		inner.nranges = tr_query_ranges(r->query, die, &ranges);
		inner.ranges = (const uint64_t *)(void *)ranges.data;
	}
	if (!ranges.failed)
		take_block(&inner, die, deep + 1);
	r->variables = inner.variables;
	tr_buffer_free(&ranges);
}

static void take_block(struct reading *r, Dwarf_Die parent, unsigned deep)
{
	for (Dwarf_Die die = tr_query_child(parent); die;
	     die = tr_query_next(r->query, die)) {
		switch (tr_query_tag(die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			take_variable(r, tr_image_dwarf_offset(die),
				      deep == 1 && tr_query_tag(die) != DW_TAG_variable);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			if (deep < BLOCKS_DEEP)
				enter_block(r, die, deep);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			take_call_site(r, die);
			break;
		default:
			break;
		}
	}
}

/* The frame's address is the CFA, of GCC, or a register, of LLVM. */
static void read_frame(struct data_scopes *s, struct tr_query *query, uint64_t function)
{
	struct tr_buffer ops = {0};
	bool is_list = false;
	const enum tr_query_found found =
	    tr_query_location(query, function, DW_AT_frame_base, 0, &ops, &is_list);
	const struct tr_query_op *op = (const struct tr_query_op *)(void *)ops.data;
	if (found == TR_FOUND && !is_list && ops.size == sizeof(*op)) {
		if (op->atom == DW_OP_call_frame_cfa) {
			s->has_frame = true;
			s->frame_register = -1;
		} else if (op->atom >= DW_OP_reg0 && op->atom < DW_OP_reg0 + REGISTERS) {
			s->has_frame = true;
			s->frame_register = op->atom - DW_OP_reg0;
		}
	}
	tr_buffer_free(&ops);
}

void tr_data_scopes_read(struct data_scopes *s, struct tr_query *query,
			 struct data_layouts *layouts, uint64_t function)
{
	struct reading r = {.s = s, .query = query, .layouts = layouts};
	Dwarf_Die die = tr_query_die(query, function);
	if (!die)
		return;
	read_frame(s, query, function);
	enter_block(&r, die, 0);
	dwarf_dealloc_die(die);
}

void tr_data_scopes_release(struct data_scopes *s)
{
	tr_buffer_free(&s->homes);
	tr_buffer_free(&s->calls);
}
