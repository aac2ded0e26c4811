/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters and results, which a return probe saves at the entry. */
#include <libdwarf/dwarf.h>
#include <string.h>

#include "probe/probe_compile.h"

enum { SP = 2 };

/* Saves what the code gives at the entry, and returns an instruction that gives it at the
 * return. */
static struct probe_insn save_entry_code(struct compiler *compiler,
					 struct probe_insn *insns, uint32_t count)
{
	struct saved_code saved = {.insns = insns, .count = count};
	size_t number = compiler->saved.size / sizeof(saved);
	tr_buffer_add(&compiler->saved, &saved, sizeof(saved));
	compiler->failed |= compiler->saved.failed;
	return (struct probe_insn){.op = OP_SAVED, .operand = number};
}

/* The same of `size` bytes in memory, at `offset` from the address that the code gives.
 */
static struct probe_insn save_memory(struct compiler *compiler,
				     const struct saved_code *address, uint64_t offset,
				     uint64_t size, bool is_signed)
{
	struct probe_insn load[] = {
	    {.op = OP_NUMBER, .operand = offset},
	    {.op = OP_ADD},
	    {.op = OP_LOAD, .size = (uint8_t)size, .is_signed = is_signed}};
	uint32_t count = sizeof(load) / sizeof(*load);
	struct probe_insn *code =
	    tr_arena_take(&compiler->arena, (address->count + count) * sizeof(*code));
	if (!code) {
		tr_compile_fail(compiler, NULL, "out of memory");
		return load[0];
	}
	memcpy(code, address->insns, address->count * sizeof(*code));
	memcpy(code + address->count, load, sizeof(load));
	return save_entry_code(compiler, code, address->count + count);
}

/* Adds a piece that was saved. */
static void add_saved(struct compiler *compiler, struct value *value,
		      struct probe_insn insn, const struct piece *piece, uint64_t size)
{
	value->pieces[value->npieces++] =
	    (struct piece){.insns = tr_compile_copy(compiler, &insn, 1),
			   .count = 1,
			   .is_float = piece->is_float,
			   .size = size};
}

/* Saves the pieces, of which those in memory may be larger than a saved value. */
static void save_pieces(struct compiler *compiler, struct value *value)
{
	struct value from = *value;
	value->npieces = 0;
	for (unsigned i = 0; i < from.npieces; i++) {
		const struct piece *piece = &from.pieces[i];
		const struct saved_code code = {piece->insns, piece->count};
		unsigned room = PIECES_MAX - (from.npieces - i - 1) - value->npieces;
		uint64_t words = (piece->size + 7) / 8, at = 0, part;
		if (!piece->insns || (piece->is_address && words > room)) {
			value->pieces[value->npieces++] =
			    (struct piece){.size = piece->size};
		} else if (!piece->is_address) {
			add_saved(compiler, value,
				  save_entry_code(compiler, piece->insns, piece->count),
				  piece, piece->size);
		} else {
			for (; at < piece->size; at += part) {
				part = piece->size - at < 8 ? piece->size - at : 8;
				add_saved(compiler, value,
					  save_memory(compiler, &code, at, part, false),
					  piece, part);
			}
		}
	}
}

/* Takes code that was emitted since `before` off again. */
static struct saved_code withdraw_code(struct compiler *compiler, size_t before)
{
	const struct probe_insn *code =
	    (const struct probe_insn *)(void *)compiler->code.data;
	size_t first = before / sizeof(*code);
	struct saved_code taken = {0};
	if (compiler->code.failed)
		return taken;
	taken.count = (uint32_t)(compiler->code.size / sizeof(*code) - first);
	taken.insns = tr_compile_copy(compiler, code + first, taken.count);
	compiler->code.size = before;
	return taken;
}

/* Saves the number or address whose code was emitted since `before`. Returns that code.
 */
static struct saved_code save_emitted(struct compiler *compiler, size_t before)
{
	struct saved_code code = withdraw_code(compiler, before);
	if (code.insns && !compiler->failed) {
		struct probe_insn insn =
		    save_entry_code(compiler, code.insns, code.count);
		tr_compile_emit(compiler, &insn);
	}
	return code;
}

/* What is in memory may have changed at the return. */
static void save_parameter(struct compiler *compiler, const struct probe_node *node,
			   size_t before, struct value *value)
{
	if (compiler->failed)
		return;
	if (value->place == VALUE_PIECES) {
		save_pieces(compiler, value);
	} else if (tr_type_is_scalar(&value->type)) {
		tr_value_load(compiler, node, value);
		save_emitted(compiler, before);
	} else {
		value->entry_address = save_emitted(compiler, before);
	}
}

void tr_compile_load_of_entry(struct compiler *compiler, struct value *value,
			      uint64_t size, bool is_signed)
{
	struct probe_insn insn =
	    save_memory(compiler, &value->entry_address, value->offset, size, is_signed);
	/* The address is not needed. */
	compiler->code.size -= sizeof(insn);
	tr_compile_emit(compiler, &insn);
}

/* Sets the pieces of a place of the calling convention. */
static void take_abi(struct compiler *compiler, const struct abi_place *place,
		     struct value *value)
{
	uint64_t end = 0;
	value->place = VALUE_PIECES;
	value->npieces = 0;
	for (unsigned i = 0; i < place->count; i++) {
		const struct abi_part *part = &place->parts[i];
		struct probe_insn code[3] = {
		    {.op = part->kind == ABI_F ? OP_F : OP_X,
		     .operand = part->kind == ABI_STACK ? SP : part->reg},
		    {.op = OP_NUMBER, .operand = part->offset},
		    {.op = OP_ADD}};
		/* Members may have a gap between them. */
		if (part->at > end)
			value->pieces[value->npieces++] =
			    (struct piece){.size = part->at - end};
		value->pieces[value->npieces++] =
		    (struct piece){.count = part->kind == ABI_STACK ? 3 : 1,
				   .insns = tr_compile_copy(
				       compiler, code, part->kind == ABI_STACK ? 3 : 1),
				   .is_address = part->kind == ABI_STACK,
				   .is_float = part->kind == ABI_F,
				   .size = part->size};
		end = part->at + part->size;
	}
	if (!place->by_reference || !value->pieces[0].insns)
		return;
	for (uint32_t i = 0; i < value->pieces[0].count; i++)
		tr_compile_emit(compiler, &value->pieces[0].insns[i]);
	if (value->pieces[0].is_address)
		tr_compile_emit(compiler, &(struct probe_insn){
					      .op = OP_LOAD,
					      .size = (uint8_t)tr_type_word(compiler)});
	value->place = VALUE_MEMORY;
	value->npieces = 0;
}

static void drop_parameter(struct compiler *compiler, const struct probe_node *node,
			   unsigned i)
{
	const struct tr_query_function *function = compiler->function;
	const char *symbol = function->symbol ? function->symbol : "the function";
	if (function->is_clone || function->is_local_llvm)
		tr_compile_drop(
		    compiler, node,
		    "parameter %u (%s): the compiler dropped or moved it in %s", i,
		    node->text, symbol);
	else
		tr_compile_drop(
		    compiler, node,
		    "parameter %u (%s) has no location at the entry of %s, and "
		    "its type or language does not tell it",
		    i, node->text, symbol);
}

/* Returns true if all bytes of the value have a place. */
static bool is_value_complete(struct compiler *compiler, const struct value *value)
{
	uint64_t size = 0;
	for (unsigned i = 0; i < value->npieces; i++) {
		if (!value->pieces[i].insns)
			return false;
		size += value->pieces[i].size;
	}
	return value->place == VALUE_MEMORY ||
	       size >= tr_type_size(compiler, &value->type);
}

/* Returns true if each parameter has a place in memory for the whole function: the code
 * is not optimised. */
static bool all_in_memory(struct compiler *compiler)
{
	const struct tr_query_function *function = compiler->function;
	struct tr_buffer ops = {0};
	bool all = true, is_list = false;
	uint64_t die, type;
	for (unsigned i = 0;
	     all && tr_query_parameter(compiler->query, function, i, &die, &type); i++) {
		enum tr_query_found found =
		    tr_query_location(compiler->query, die, DW_AT_location,
				      function->entry, &ops, &is_list);
		const struct tr_query_op *op =
		    (const struct tr_query_op *)(void *)ops.data;
		all = found == TR_FOUND && !is_list && op->atom == DW_OP_fbreg;
	}
	tr_buffer_free(&ops);
	return all;
}

/* Returns true if the calling convention may not hold for the function, so that only a
 * location at the entry counts. */
static bool is_strict(struct compiler *compiler)
{
	const struct tr_query_function *function = compiler->function;
	return function->is_clone || function->has_own_abi ||
	       (function->is_local_llvm && !all_in_memory(compiler));
}

/* A parameter whose location is a stack slot or another register for the whole function
 * is not there yet at the entry. */
static void locate_parameter(struct compiler *compiler, const struct probe_node *node,
			     unsigned i, uint64_t die, struct value *value)
{
	const struct tr_query_function *function = compiler->function;
	struct abi_place place;
	size_t before = compiler->code.size;
	bool is_list = false, strict = is_strict(compiler);
	uint64_t constant = 0;
	enum tr_query_found found = TR_FOUND_NOTHING;
	if (function->die)
		found =
		    tr_compile_location(compiler, die, function->entry, value, &is_list);
	bool in_registers = value->place == VALUE_PIECES;
	if (found == TR_FOUND && is_value_complete(compiler, value) &&
	    (is_list || (strict && in_registers)))
		return;
	compiler->code.size = before;
	if (found == TR_FOUND_DAMAGE)
		tr_compile_fail(compiler, node, "damaged DWARF: the location of %s",
				node->text);
	else if (found == TR_FOUND_NOTHING && tr_type_is_scalar(&value->type) &&
		 tr_query_constant(compiler->query, die, &constant)) {
		tr_compile_number(compiler, constant);
		tr_compile_extend(compiler, tr_type_size(compiler, &value->type),
				  tr_type_is_signed(&value->type));
		value->place = VALUE_READY;
	} else if (strict || !tr_abi_parameter(compiler, i, &place))
		drop_parameter(compiler, node, i);
	else
		take_abi(compiler, &place, value);
}

void tr_compile_parameter(struct compiler *compiler, const struct probe_node *node,
			  unsigned i, struct value *value)
{
	const struct tr_query_function *function = compiler->function;
	uint64_t die, type;
	size_t before = compiler->code.size;
	if (!function || !function->origin) {
		tr_compile_fail(
		    compiler, node,
		    "the debug information does not tell the parameters of this "
		    "function: use reg(\"a%u\")",
		    i);
		return;
	}
	if (!tr_query_parameter(compiler->query, function, i, &die, &type)) {
		unsigned count = 0;
		while (count < i &&
		       tr_query_parameter(compiler->query, function, count, &die, &type))
			count++;
		tr_compile_fail(compiler, node, "the function has %u parameter%s", count,
				count == 1 ? "" : "s");
		return;
	}
	if (!tr_type_of_die(compiler->query, type, &value->type)) {
		tr_compile_fail(compiler, node, "damaged DWARF: the type of %s",
				node->text);
		return;
	}
	locate_parameter(compiler, node, i, die, value);
	if (compiler->kind == TR_PROBE_RETURN || compiler->kind == TR_PROBE_CHANGED)
		save_parameter(compiler, node, before, value);
}

void tr_compile_result(struct compiler *compiler, const struct probe_node *node,
		       struct value *value)
{
	const struct tr_query_function *function = compiler->function;
	struct abi_place place;
	size_t before = compiler->code.size;
	uint64_t type;
	if (compiler->kind != TR_PROBE_RETURN) {
		tr_compile_fail(compiler, node, "retval is known at a :return only");
		return;
	}
	if (!function || !function->origin) {
		tr_compile_fail(compiler, node,
				"the debug information does not tell what this function "
				"returns: use reg(\"a0\")");
		return;
	}
	type = tr_query_type_of(compiler->query, function->origin);
	if (!type || !tr_type_of_die(compiler->query, type, &value->type) ||
	    value->type.of.kind == TR_KIND_VOID) {
		tr_compile_fail(compiler, node, "the function returns nothing");
		return;
	}
	if (function->has_own_abi || !tr_abi_result(compiler, &place)) {
		tr_compile_fail(
		    compiler, node,
		    "the type or language does not tell where the result is: use "
		    "reg(\"a0\")");
		return;
	}
	take_abi(compiler, &place, value);
	/* The caller passed the address of a large result. */
	if (place.by_reference)
		save_emitted(compiler, before);
}

/* entry(x): the value is computed at the entry, and saved. */
void tr_compile_at_entry(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	const enum tr_probe_kind kind = compiler->kind;
	const size_t before = compiler->code.size;
	if (kind != TR_PROBE_RETURN && kind != TR_PROBE_CHANGED) {
		tr_compile_fail(compiler, node,
				"entry() is known at a :return or :changed only");
		return;
	}
	compiler->kind = TR_PROBE_ENTRY;
	tr_compile_scalar(compiler, node->a, value);
	compiler->kind = kind;
	if (!compiler->failed)
		save_emitted(compiler, before);
}

/* `cycle` at the entry, which is saved. */
void tr_compile_entered(struct compiler *compiler, const struct probe_node *node,
			enum probe_op what, struct value *value)
{
	struct probe_insn entry = {.op = (uint8_t)what}, insn;
	tr_value_set(value, tr_type_integer(8, false));
	if (compiler->kind != TR_PROBE_RETURN && compiler->kind != TR_PROBE_CHANGED &&
	    compiler->kind != TR_PROBE_MASKED) {
		tr_compile_fail(compiler, node,
				"%s is known at a :return, :changed or :masked only",
				node->text);
		return;
	}
	insn = save_entry_code(compiler, tr_compile_copy(compiler, &entry, 1), 1);
	tr_compile_emit(compiler, &insn);
}
