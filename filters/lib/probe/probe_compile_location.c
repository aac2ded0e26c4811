/* SPDX-License-Identifier: Apache-2.0 */
/* Location expressions of DWARF become code. */
#include <libdwarf/dwarf.h>

#include "probe/probe_compile.h"

/* DWARF numbers registers as the hardware: x0 to x31, f0 to f31. */
enum { REGISTERS = 32, ALL_REGISTERS = 64 };

/* An expression that is being translated. */
struct translation {
	struct compiler *compiler;
	uint64_t pc;
	struct tr_buffer code; /* of the part that is being read */
	unsigned depth;	       /* of its stack */
	bool is_value;	       /* a register or DW_OP_stack_value: not an address */
	bool is_float;
	bool is_unknown;  /* it uses what is not known here */
	bool is_of_entry; /* ... but at the function's entry */
	bool has_part;	  /* anything since the last piece */
};

static void put_location_insn(struct translation *to, enum probe_op op, uint64_t operand,
			      unsigned size, bool is_signed)
{
	struct probe_insn insn = {.op = (uint8_t)op,
				  .size = (uint8_t)size,
				  .is_signed = is_signed,
				  .operand = operand};
	tr_buffer_add(&to->code, &insn, sizeof(insn));
}

static void push_location(struct translation *to, enum probe_op op, uint64_t operand)
{
	put_location_insn(to, op, operand, 0, false);
	to->depth++;
}

/* Pushes the contents of an integer register. */
static void push_register(struct translation *to, uint64_t reg)
{
	if (reg >= REGISTERS)
		to->is_unknown = true;
	else
		push_location(to, OP_X, reg);
}

static void add_number(struct translation *to, uint64_t number)
{
	if (number == 0)
		return;
	put_location_insn(to, OP_NUMBER, number, 0, false);
	put_location_insn(to, OP_ADD, 0, 0, false);
}

static void push_frame(struct translation *to)
{
	unsigned reg = 0;
	int64_t offset = 0;
	if (!tr_query_frame(to->compiler->query, to->pc, &reg, &offset)) {
		to->is_unknown = true;
		return;
	}
	push_register(to, reg);
	add_number(to, (uint64_t)offset);
}

static void translate_op(struct translation *to, const struct tr_query_op *op,
			 bool inner);

/* Pushes DW_AT_frame_base of the function. */
static void push_frame_base(struct translation *to)
{
	struct compiler *compiler = to->compiler;
	struct tr_buffer ops = {0};
	bool is_list = false;
	uint64_t die = compiler->function ? compiler->function->die : 0;
	enum tr_query_found found = tr_query_location(
	    compiler->query, die, DW_AT_frame_base, to->pc, &ops, &is_list);
	const struct tr_query_op *list = (const struct tr_query_op *)(void *)ops.data;
	size_t count = ops.size / sizeof(*list);
	if (found != TR_FOUND || count == 0)
		to->is_unknown = true;
	else if (count == 1 && list[0].atom >= DW_OP_reg0 && list[0].atom <= DW_OP_reg31)
		push_register(to, list[0].atom - DW_OP_reg0);
	else
		for (size_t i = 0; i < count; i++)
			translate_op(to, &list[i], true);
	tr_buffer_free(&ops);
}

/* The value of a register at the entry is known at the entry. */
static void push_entry_value(struct translation *to, const struct tr_query_op *op)
{
	const struct compiler *compiler = to->compiler;
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)op->operand2;
	bool at_entry =
	    compiler->function && to->pc == compiler->function->entry && bytes;
	if (at_entry && op->operand1 == 1 && bytes[0] >= DW_OP_reg0 &&
	    bytes[0] <= DW_OP_reg31)
		push_register(to, bytes[0] - DW_OP_reg0);
	else
		to->is_unknown = to->is_of_entry = true;
}

static void put_binary_op(struct translation *to, enum probe_op op, bool is_signed)
{
	if (to->depth < 2) {
		to->is_unknown = true;
		return;
	}
	put_location_insn(to, op, 0, 0, is_signed);
	to->depth--;
}

static bool translate_binary(struct translation *to, uint8_t atom)
{
	static const struct {
		uint8_t atom, op;
		bool is_signed;
	} known[] = {{DW_OP_and, OP_AND, false},	{DW_OP_or, OP_OR, false},
		     {DW_OP_xor, OP_XOR, false},	{DW_OP_plus, OP_ADD, false},
		     {DW_OP_minus, OP_SUBTRACT, false}, {DW_OP_mul, OP_MULTIPLY, false},
		     {DW_OP_div, OP_DIVIDE, true},	{DW_OP_mod, OP_MODULO, false},
		     {DW_OP_shl, OP_SHL, false},	{DW_OP_shr, OP_SHR, false},
		     {DW_OP_eq, OP_EQUAL, false},	{DW_OP_lt, OP_LESS, true},
		     {DW_OP_le, OP_LESS_EQUAL, true}};
	/* Signed operations on 32 bits need signed operands. */
	bool narrow = tr_type_word(to->compiler) < 8;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].atom == atom) {
			if (narrow && (known[i].is_signed || atom == DW_OP_shr ||
				       atom == DW_OP_mod))
				to->is_unknown = true;
			put_binary_op(to, known[i].op, known[i].is_signed);
			return true;
		}
	return false;
}

static bool translate_unary(struct translation *to, const struct tr_query_op *op)
{
	unsigned word = tr_type_word(to->compiler);
	enum probe_op unary = op->atom == DW_OP_neg   ? OP_NEGATE
			      : op->atom == DW_OP_not ? OP_INVERT
						      : OP_LOAD;
	if (op->atom != DW_OP_neg && op->atom != DW_OP_not && op->atom != DW_OP_deref &&
	    op->atom != DW_OP_deref_size && op->atom != DW_OP_plus_uconst)
		return false;
	if (to->depth == 0 ||
	    (op->atom == DW_OP_deref_size && (op->operand1 == 0 || op->operand1 > word)))
		to->is_unknown = true;
	else if (op->atom == DW_OP_plus_uconst)
		add_number(to, op->operand1);
	else
		put_location_insn(
		    to, unary, 0,
		    op->atom == DW_OP_deref_size ? (unsigned)op->operand1 : word, false);
	return true;
}

static bool translate_constant(struct translation *to, const struct tr_query_op *op)
{
	switch (op->atom) {
	case DW_OP_const1u:
	case DW_OP_const2u:
	case DW_OP_const4u:
	case DW_OP_const8u:
	case DW_OP_constu:
	case DW_OP_const1s:
	case DW_OP_const2s:
	case DW_OP_const4s:
	case DW_OP_const8s:
	case DW_OP_consts:
		push_location(to, OP_NUMBER, op->operand1);
		return true;
	case DW_OP_addr:
		push_location(to, OP_NUMBER, op->operand1);
		put_location_insn(to, OP_BIAS, 0, 0, false);
		put_location_insn(to, OP_ADD, 0, 0, false);
		return true;
	default:
		if (op->atom < DW_OP_lit0 || op->atom > DW_OP_lit31)
			return false;
		push_location(to, OP_NUMBER, op->atom - (uint64_t)DW_OP_lit0);
		return true;
	}
}

/* A register is the place itself; only one may be there. */
static void name_register(struct translation *to, uint64_t reg)
{
	if (reg < REGISTERS)
		push_location(to, OP_X, reg);
	else if (reg < ALL_REGISTERS)
		push_location(to, OP_F, reg - REGISTERS);
	else
		to->is_unknown = true;
	to->is_float = reg >= REGISTERS;
	to->is_value = true;
}

static bool translate_register(struct translation *to, const struct tr_query_op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
		name_register(to, (uint64_t)op->atom - DW_OP_reg0);
	} else if (op->atom == DW_OP_regx) {
		name_register(to, op->operand1);
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		push_register(to, (uint64_t)op->atom - DW_OP_breg0);
		add_number(to, op->operand1);
	} else if (op->atom == DW_OP_bregx) {
		push_register(to, op->operand1);
		add_number(to, op->operand2);
	} else {
		return false;
	}
	return true;
}

/* `inner`: within a frame base, which is no place of its own. */
static void translate_op(struct translation *to, const struct tr_query_op *op, bool inner)
{
	to->has_part = true;
	if (translate_register(to, op) || translate_constant(to, op) ||
	    translate_unary(to, op) || translate_binary(to, op->atom))
		return;
	switch (op->atom) {
	case DW_OP_call_frame_cfa:
		push_frame(to);
		return;
	case DW_OP_fbreg:
		if (inner) {
			to->is_unknown = true;
			return;
		}
		push_frame_base(to);
		add_number(to, op->operand1);
		return;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		push_entry_value(to, op);
		return;
	case DW_OP_stack_value:
		to->is_value = true;
		return;
	case DW_OP_nop:
	case DW_OP_GNU_uninit:
		return;
	default:
		to->is_unknown = true;
	}
}

/* Ends a part of `size` bytes. */
static void end_part(struct translation *to, uint64_t size, struct value *value)
{
	if (value->npieces == PIECES_MAX) {
		to->is_unknown = true;
		return;
	}
	struct piece *piece = &value->pieces[value->npieces++];
	*piece = (struct piece){
	    .size = size, .is_address = !to->is_value, .is_float = to->is_float};
	if (to->has_part && !to->is_unknown && to->depth == 1) {
		piece->count = (uint32_t)(to->code.size / sizeof(struct probe_insn));
		piece->insns = tr_compile_copy(
		    to->compiler, (const struct probe_insn *)(void *)to->code.data,
		    piece->count);
	}
	to->code.size = 0;
	to->depth = 0;
	piece->is_of_entry = to->is_of_entry;
	to->is_value = to->is_float = to->is_unknown = to->has_part = false;
	to->is_of_entry = false;
}

/* The bytes of a constant, in pieces of up to 8. */
static void take_implicit(struct translation *to, const struct tr_query_op *op,
			  struct value *value)
{
	const uint8_t *bytes = (const uint8_t *)(uintptr_t)op->operand2;
	for (uint64_t at = 0; at < op->operand1 && bytes; at += 8) {
		uint64_t number = 0, size = op->operand1 - at < 8 ? op->operand1 - at : 8;
		for (uint64_t i = 0; i < size; i++)
			number |= (uint64_t)bytes[at + i] << 8 * i;
		push_location(to, OP_NUMBER, number);
		to->has_part = to->is_value = true;
		end_part(to, size, value);
	}
}

/* Emits the address of a variable that is in memory as a whole. */
static void emit_address(struct compiler *compiler, struct value *value)
{
	const struct piece *piece = &value->pieces[0];
	for (uint32_t i = 0; i < piece->count; i++)
		tr_compile_emit(compiler, &piece->insns[i]);
	value->place = VALUE_MEMORY;
	value->npieces = 0;
}

enum tr_query_found tr_compile_location(struct compiler *compiler, uint64_t die,
					uint64_t pc, struct value *value, bool *is_list)
{
	struct translation to = {.compiler = compiler, .pc = pc};
	struct tr_buffer ops = {0};
	bool in_pieces = false;
	enum tr_query_found found =
	    tr_query_location(compiler->query, die, DW_AT_location, pc, &ops, is_list);
	const struct tr_query_op *op = (const struct tr_query_op *)(void *)ops.data;
	value->place = VALUE_PIECES;
	value->npieces = 0;
	for (size_t i = 0; found == TR_FOUND && i < ops.size / sizeof(*op); i++) {
		in_pieces |= op[i].atom == DW_OP_piece;
		if (op[i].atom == DW_OP_piece)
			end_part(&to, op[i].operand1, value);
		else if (op[i].atom == DW_OP_implicit_value)
			take_implicit(&to, &op[i], value);
		else
			translate_op(&to, &op[i], false);
	}
	if (found == TR_FOUND && to.has_part)
		end_part(&to, tr_type_size(compiler, &value->type), value);
	if (found == TR_FOUND && !in_pieces && value->npieces == 1 &&
	    value->pieces[0].is_address && value->pieces[0].insns)
		emit_address(compiler, value);
	compiler->failed |= to.code.failed || ops.failed;
	tr_buffer_free(&to.code);
	tr_buffer_free(&ops);
	return found;
}
