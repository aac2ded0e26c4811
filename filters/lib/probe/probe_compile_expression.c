/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions become code: members, unary operators, casts, and fields as a whole. */
#include <stdio.h>

#include "probe/probe_compile.h"

/* Compiles a number or a pointer onto the stack. */
void tr_compile_scalar(struct compiler *compiler, const struct probe_node *node,
		       struct value *value)
{
	char text[128];
	tr_compile_expression(compiler, node, value);
	tr_value_load(compiler, node, value);
	if (compiler->failed || tr_type_is_scalar(&value->type))
		return;
	tr_type_text(compiler, &value->type, text, sizeof(text));
	tr_compile_fail(compiler, node, "a number or a pointer is needed here, not %s%s",
			value->type.is_string ? "a " : "a value of type ", text);
}

void tr_compile_integer(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	tr_compile_scalar(compiler, node, value);
	if (!compiler->failed && !tr_type_is_integer(&value->type))
		tr_compile_fail(compiler, node,
				"an integer is needed here, not a pointer");
}

bool tr_value_is_text(const struct value *value)
{
	return !value->type.stars && value->type.of.kind == TR_KIND_ARRAY &&
	       value->type.of.is_char && value->type.of.count != UINT64_MAX;
}

/* A char array in memory becomes a string. */
void tr_value_load_text(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	uint64_t count = value->type.of.count;
	if (!tr_value_address(compiler, node, value))
		return;
	tr_compile_number(compiler, count);
	tr_compile_op(compiler, OP_CHARS);
	tr_value_set(value, (struct value_type){.is_string = true});
}

/* --- unary operators and members */

static void dereference_pointer(struct compiler *compiler, const struct probe_node *node,
				struct value *value)
{
	struct value_type target;
	if (!tr_type_is_pointer(&value->type)) {
		tr_compile_fail(compiler, node, "a pointer is needed here");
		return;
	}
	if (!tr_type_target(&value->type, &target)) {
		tr_compile_fail(compiler, node,
				"damaged DWARF: the type behind a pointer");
		return;
	}
	if (!target.stars && target.of.kind == TR_KIND_VOID) {
		tr_compile_fail(compiler, node,
				"a pointer to void: cast it first, as in "
				"(struct page *)x");
		return;
	}
	*value = (struct value){.type = target, .place = VALUE_MEMORY};
}

static void compile_unary(struct compiler *compiler, const struct probe_node *node,
			  struct value *value)
{
	if (node->op == '&') {
		tr_compile_expression(compiler, node->a, value);
		if (tr_value_address(compiler, node, value)) {
			value->type.stars++;
			value->place = VALUE_READY;
		}
		return;
	}
	tr_compile_scalar(compiler, node->a, value);
	if (compiler->failed)
		return;
	if (node->op == '*') {
		dereference_pointer(compiler, node, value);
		return;
	}
	if (node->op == '!') {
		tr_compile_op(compiler, OP_NOT);
		tr_value_set(value, tr_type_integer(4, true));
		return;
	}
	if (!tr_type_is_integer(&value->type)) {
		tr_compile_fail(compiler, node,
				"an integer is needed here, not a pointer");
		return;
	}
	struct value_type type = tr_type_promoted(value);
	tr_value_convert(compiler, &value->type, &type, false);
	if (node->op != '+') {
		tr_compile_op(compiler, node->op == '-' ? OP_NEGATE : OP_INVERT);
		tr_compile_extend(compiler, type.of.size, type.of.is_signed);
	}
	tr_value_set(value, type);
}

static void compile_member(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	struct tr_query_member member;
	struct tr_near near;
	const char *wanted = "";
	char text[128];
	tr_compile_expression(compiler, node->a, value);
	if (node->op == TOKEN_ARROW && !compiler->failed) {
		tr_value_load(compiler, node->a, value);
		if (!compiler->failed)
			dereference_pointer(compiler, node, value);
	}
	if (compiler->failed)
		return;
	tr_type_text(compiler, &value->type, text, sizeof(text));
	if (value->type.stars || value->type.is_string ||
	    value->type.of.kind != TR_KIND_STRUCT) {
		tr_compile_fail(compiler, node, "%s has no members%s", text,
				tr_type_is_pointer(&value->type) ||
					value->type.of.kind == TR_KIND_ARRAY
				    ? ": use ->"
				    : "");
		return;
	}
	if (value->type.of.is_incomplete) {
		tr_compile_fail(compiler, node, "%s is declared but nowhere defined",
				text);
		return;
	}
	struct tr_query *query = value->type.of.query;
	for (const struct probe_names *name = node->names; name; name = name->next) {
		tr_near_init(&near, name->name);
		wanted = name->name;
		if (!tr_query_member(query, value->type.of.die, name->name, &near,
				     &member))
			continue;
		if (!tr_type_of_die(query, member.type, &value->type))
			break;
		value->offset += member.offset;
		value->bit = member.bit;
		value->bits = member.bits;
		return;
	}
	tr_compile_fail(compiler, node, "%s has no member %s%s", text, wanted,
			tr_compile_near(&near));
}

static void compile_index(struct compiler *compiler, const struct probe_node *node,
			  struct value *value)
{
	struct value index = {0};
	struct value_type element;
	tr_compile_expression(compiler, node->a, value);
	bool is_array = !compiler->failed && !value->type.stars &&
			value->type.of.kind == TR_KIND_ARRAY;
	if (is_array && value->place != VALUE_READY && node->b->kind == NODE_NUMBER &&
	    tr_type_target(&value->type, &element)) {
		value->type = element;
		value->offset += node->b->number * tr_type_size(compiler, &element);
		return;
	}
	tr_value_load(compiler, node->a, value);
	if (!compiler->failed && !tr_type_is_pointer(&value->type)) {
		tr_compile_fail(compiler, node,
				"an array or a pointer is needed before [");
		return;
	}
	tr_compile_integer(compiler, node->b, &index);
	if (compiler->failed)
		return;
	tr_compile_number(compiler, tr_type_target_size(compiler, node, &value->type));
	tr_compile_op(compiler, OP_MULTIPLY);
	tr_compile_op(compiler, OP_ADD);
	dereference_pointer(compiler, node, value);
}

static void compile_cast(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	struct value_type type;
	tr_compile_scalar(compiler, node->a, value);
	if (compiler->failed || !tr_type_named(compiler, node, &type))
		return;
	if (!tr_type_is_scalar(&type)) {
		tr_compile_fail(compiler, node, "a cast to an integer or a pointer only");
		return;
	}
	if (type.of.is_bool && !type.stars) {
		tr_compile_op(compiler, OP_NOT);
		tr_compile_op(compiler, OP_NOT);
	} else {
		tr_compile_extend(compiler, tr_type_size(compiler, &type),
				  tr_type_is_signed(&type));
	}
	tr_value_set(value, type);
}

/* A number is of the first type that holds it, as in C: a decimal one without u of a
 * signed type, a hexadecimal one also of an unsigned type. */
static struct value_type number_type(const struct compiler *compiler,
				     const struct probe_node *node)
{
	bool may_be_unsigned = node->is_unsigned || node->is_hexadecimal;
	bool is_narrow =
	    node->longs == 0 || (node->longs == 1 && tr_type_word(compiler) == 4);
	if (is_narrow && !node->is_unsigned && node->number <= INT32_MAX)
		return tr_type_integer(4, true);
	if (is_narrow && may_be_unsigned && node->number <= UINT32_MAX)
		return tr_type_integer(4, false);
	return tr_type_integer(8, !node->is_unsigned && node->number <= INT64_MAX);
}

static void compile_text(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	tr_compile_emit(compiler, &(struct probe_insn){.op = OP_TEXT,
						       .operand = compiler->texts->size,
						       .more = (uint32_t)node->number});
	tr_buffer_add(compiler->texts, node->text, (size_t)node->number);
	tr_value_set(value, (struct value_type){.is_string = true});
}

void tr_compile_expression(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	static void (*const compilers[])(
	    struct compiler * compiler, const struct probe_node *node,
	    struct value *value) = {[NODE_STRING] = compile_text,
				    [NODE_NAME] = tr_compile_name,
				    [NODE_MEMBER] = compile_member,
				    [NODE_INDEX] = compile_index,
				    [NODE_UNARY] = compile_unary,
				    [NODE_BINARY] = tr_compile_binary,
				    [NODE_CONDITION] = tr_compile_condition,
				    [NODE_CAST] = compile_cast,
				    [NODE_SIZEOF] = tr_compile_sizeof,
				    [NODE_CALL] = tr_compile_call};
	if (compiler->failed)
		return;
	if (++compiler->deep > 4 * PROBE_DEEP) {
		tr_compile_fail(compiler, node, "the expression is nested too deeply");
	} else if (node->kind == NODE_NUMBER) {
		*value = (struct value){.type = number_type(compiler, node)};
		tr_compile_number(compiler, node->number);
	} else {
		*value = (struct value){.type = {.of = {.name = ""}}};
		compilers[node->kind](compiler, node, value);
	}
	compiler->deep--;
}

static void set_show(const struct value_type *type, struct probe_show *show)
{
	show->is_signed = tr_type_is_signed(type);
	if (type->is_string)
		show->kind = type->is_bytes ? TR_PROBE_BYTES : TR_PROBE_STRING;
	else if (tr_type_is_pointer(type))
		show->kind = TR_PROBE_ADDRESS;
	else if (type->of.kind == TR_KIND_FLOAT)
		show->kind = TR_PROBE_FLOAT;
	else if (type->of.kind == TR_KIND_ENUM)
		show->kind = TR_PROBE_ENUM;
	else if (type->of.is_bool)
		show->kind = TR_PROBE_BOOL;
	else
		show->kind = show->is_signed ? TR_PROBE_SIGNED : TR_PROBE_UNSIGNED;
}

void tr_compile_field(struct compiler *compiler, const struct probe_node *node,
		      struct value_type *type, struct probe_show *show)
{
	struct value value = {0};
	char text[128];
	tr_compile_expression(compiler, node, &value);
	if (compiler->failed)
		return;
	if (value.place != VALUE_READY && tr_value_is_text(&value)) {
		tr_value_load_text(compiler, node, &value);
	} else if (value.place != VALUE_READY && !value.type.stars &&
		   value.type.of.kind == TR_KIND_ARRAY) {
		tr_type_text(compiler, &value.type, text, sizeof(text));
		tr_compile_fail(
		    compiler, node,
		    "an %s as a whole: choose an element, str(x) if it is text, or "
		    "buf(x, sizeof(x))",
		    text);
	} else {
		tr_value_load(compiler, node, &value);
	}
	*type = value.type;
	set_show(&value.type, show);
}

void tr_compile_filter(struct compiler *compiler, const struct probe_node *node)
{
	struct value value = {0};
	tr_compile_scalar(compiler, node, &value);
}
