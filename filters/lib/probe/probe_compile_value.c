/* SPDX-License-Identifier: Apache-2.0 */
/* Puts values on the stack: from memory, registers, or parts of both. */
#include <stdio.h>

#include "probe/probe_compile.h"

void tr_value_add(struct compiler *compiler, uint64_t offset)
{
	if (offset == 0)
		return;
	tr_compile_number(compiler, offset);
	tr_compile_op(compiler, OP_ADD);
}

bool tr_value_address(struct compiler *compiler, const struct probe_node *node,
		      struct value *value)
{
	if (compiler->failed)
		return false;
	if (value->place == VALUE_MEMORY && !value->bits) {
		tr_value_add(compiler, value->offset);
		value->offset = 0;
		return true;
	}
	if (value->bits)
		tr_compile_fail(compiler, node, "a bit-field has no address");
	else
		tr_compile_fail(compiler, node, "this value is not in memory");
	return false;
}

static void emit_load(struct compiler *compiler, uint64_t size, bool is_signed)
{
	tr_compile_emit(compiler, &(struct probe_insn){.op = OP_LOAD,
						       .size = (uint8_t)size,
						       .is_signed = is_signed});
}

/* Puts bytes [from, from + size) of a piece on the stack as a number. */
static void emit_part(struct compiler *compiler, const struct probe_node *node,
		      const struct piece *piece, uint64_t from, uint64_t size)
{
	if (!piece->insns) {
		tr_compile_drop(compiler, node,
				piece->is_of_entry
				    ? "the value is known at the entry of the function "
				      "only: probe that"
				    : "the compiler dropped this value here");
		return;
	}
	for (uint32_t i = 0; i < piece->count; i++)
		tr_compile_emit(compiler, &piece->insns[i]);
	if (piece->is_address) {
		tr_value_add(compiler, from);
		emit_load(compiler, size, false);
		return;
	}
	if (from) {
		tr_compile_number(compiler, from * 8);
		tr_compile_op(compiler, OP_SHR);
	}
	tr_compile_extend(compiler, size, false);
}

/* Puts up to 8 bytes from `offset` on together, from the pieces that have them. */
static void emit_pieces(struct compiler *compiler, const struct probe_node *node,
			const struct value *value, uint64_t offset, uint64_t size)
{
	uint64_t at = 0, done = 0;
	for (unsigned i = 0; i < value->npieces && done < size; i++) {
		const struct piece *piece = &value->pieces[i];
		uint64_t want = offset + done, left;
		if (want >= at + piece->size) {
			at += piece->size;
			continue;
		}
		left = at + piece->size - want;
		uint64_t part = left < size - done ? left : size - done;
		emit_part(compiler, node, piece, want - at, part);
		if (done) {
			tr_compile_number(compiler, done * 8);
			tr_compile_op(compiler, OP_SHL);
			tr_compile_op(compiler, OP_OR);
		}
		done += part;
		at += piece->size;
	}
	if (done < size)
		tr_compile_drop(compiler, node, "the compiler dropped this value here");
}

static void emit_bytes(struct compiler *compiler, const struct probe_node *node,
		       struct value *value, uint64_t size, bool is_signed)
{
	if (value->place == VALUE_MEMORY && value->entry_address.insns) {
		tr_compile_load_of_entry(compiler, value, size, is_signed);
		return;
	}
	if (value->place == VALUE_MEMORY) {
		tr_value_add(compiler, value->offset);
		emit_load(compiler, size, is_signed);
		return;
	}
	emit_pieces(compiler, node, value, value->offset, size);
	tr_compile_extend(compiler, size, is_signed);
}

static void load_bits(struct compiler *compiler, const struct probe_node *node,
		      struct value *value)
{
	uint64_t size = (value->bit + value->bits + 7) / 8;
	if (size > 8) {
		tr_compile_fail(compiler, node, "a bit-field across nine bytes");
		return;
	}
	emit_bytes(compiler, node, value, size, false);
	tr_compile_emit(
	    compiler, &(struct probe_insn){.op = OP_BITS,
					   .size = (uint8_t)value->bits,
					   .operand = value->bit,
					   .is_signed = tr_type_is_signed(&value->type)});
}

static void decay_to_pointer(struct compiler *compiler, const struct probe_node *node,
			     struct value *value)
{
	struct value_type element;
	if (value->type.of.kind == TR_KIND_ARRAY) {
		if (!tr_type_target(&value->type, &element)) {
			tr_compile_fail(compiler, node, "an array of unknown elements");
			return;
		}
		value->type = element;
	}
	value->type.stars++;
	tr_value_address(compiler, node, value);
}

void tr_value_load(struct compiler *compiler, const struct probe_node *node,
		   struct value *value)
{
	char text[128];
	enum tr_query_kind kind = value->type.of.kind;
	uint64_t size = tr_type_size(compiler, &value->type);
	bool is_pointer = tr_type_is_pointer(&value->type);
	if (compiler->failed || value->place == VALUE_READY)
		return;
	if (!is_pointer && (kind == TR_KIND_ARRAY || kind == TR_KIND_FUNCTION)) {
		decay_to_pointer(compiler, node, value);
	} else if (value->bits && tr_type_is_integer(&value->type)) {
		load_bits(compiler, node, value);
	} else if (tr_type_is_scalar(&value->type) && size >= 1 && size <= 8) {
		emit_bytes(compiler, node, value, size, tr_type_is_signed(&value->type));
	} else if (!is_pointer && kind == TR_KIND_FLOAT) {
		emit_bytes(compiler, node, value, size, false);
		tr_compile_emit(compiler, &(struct probe_insn){.op = OP_DOUBLE,
							       .size = (uint8_t)size});
	} else {
		tr_type_text(compiler, &value->type, text, sizeof(text));
		if (kind == TR_KIND_STRUCT && value->type.of.is_incomplete)
			tr_compile_fail(compiler, node,
					"%s is declared but nowhere defined", text);
		else if (kind == TR_KIND_STRUCT)
			tr_compile_fail(compiler, node,
					"a %s as a whole: choose a member", text);
		else
			tr_compile_fail(compiler, node,
					"a value of type %s has no use here", text);
		return;
	}
	value->place = VALUE_READY;
	value->offset = 0;
}
