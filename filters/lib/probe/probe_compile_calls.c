/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the language: str(), buf(), words(), symbol(), entry(), container_of(),
 * sizeof. */
#include <string.h>

#include "probe/probe_compile.h"

/* A pointer, or an array, whose address is used. Returns the array's bytes, or 0. */
static uint64_t compile_pointer(struct compiler *compiler, const struct probe_node *node,
				struct value *value)
{
	uint64_t size = 0;
	tr_compile_expression(compiler, node, value);
	if (!compiler->failed && !value->type.stars &&
	    value->type.of.kind == TR_KIND_ARRAY)
		size = value->type.of.size;
	tr_value_load(compiler, node, value);
	if (!compiler->failed && !tr_type_is_scalar(&value->type))
		tr_compile_fail(compiler, node, "an address is needed here");
	return size;
}

static void compile_str(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	struct value most = {0};
	uint64_t size = compile_pointer(compiler, node->a, value);
	if (node->b)
		tr_compile_integer(compiler, node->b, &most);
	else
		tr_compile_number(compiler, size ? size : PROBE_STRING_USUAL);
	tr_compile_op(compiler, size && !node->b ? OP_CHARS : OP_STR);
	tr_value_set(value, (struct value_type){.is_string = true});
}

static void compile_buffer(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	struct value size = {0};
	bool words = strcmp(node->text, "words") == 0;
	compile_pointer(compiler, node->a, value);
	tr_compile_integer(compiler, node->b, &size);
	tr_compile_op(compiler, words ? OP_WORDS : OP_BUF);
	tr_value_set(value, (struct value_type){.is_string = true, .is_bytes = !words});
}

static void compile_container(struct compiler *compiler, const struct probe_node *node,
			      struct value *value)
{
	struct value_type type;
	struct tr_query_member member;
	struct tr_near near;
	compile_pointer(compiler, node->a, value);
	if (compiler->failed || !tr_type_named(compiler, node, &type))
		return;
	if (type.stars || type.of.kind != TR_KIND_STRUCT) {
		tr_compile_fail(compiler, node, "container_of() needs a structure");
		return;
	}
	tr_near_init(&near, node->names->name);
	for (const struct probe_names *name = node->names; name; name = name->next)
		if (tr_query_member(compiler->query, type.of.die, name->name, &near,
				    &member)) {
			tr_value_add(compiler, -member.offset);
			tr_compile_extend(compiler, tr_type_word(compiler), false);
			type.stars = 1;
			tr_value_set(value, type);
			return;
		}
	tr_compile_fail(compiler, node, "the structure has no member %s%s",
			node->names->name, tr_compile_near(&near));
}

static void compile_lowest(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	struct value size = {0};
	compile_pointer(compiler, node->a, value);
	tr_compile_integer(compiler, node->b, &size);
	tr_compile_op(compiler, OP_LOWEST);
	tr_value_set(value, tr_type_long(compiler, false));
}

/* The symbols have the addresses of the file. */
static void compile_symbol(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	compile_pointer(compiler, node->a, value);
	tr_compile_op(compiler, OP_BIAS);
	tr_compile_op(compiler, OP_SUBTRACT);
	tr_compile_op(compiler, OP_SYMBOL);
	*compiler->has_symbols = true;
	tr_value_set(value, (struct value_type){.is_string = true});
}

void tr_compile_call(struct compiler *compiler, const struct probe_node *node,
		     struct value *value)
{
	if (strcmp(node->text, "reg") == 0)
		tr_compile_register(compiler, node, value);
	else if (strcmp(node->text, "str") == 0)
		compile_str(compiler, node, value);
	else if (strcmp(node->text, "container_of") == 0)
		compile_container(compiler, node, value);
	else if (strcmp(node->text, "lowest_sp") == 0)
		compile_lowest(compiler, node, value);
	else if (strcmp(node->text, "symbol") == 0)
		compile_symbol(compiler, node, value);
	else if (strcmp(node->text, "entry") == 0)
		tr_compile_at_entry(compiler, node, value);
	else
		compile_buffer(compiler, node, value);
}

/* The size of a type, or of an expression, which is not evaluated. */
void tr_compile_sizeof(struct compiler *compiler, const struct probe_node *node,
		       struct value *value)
{
	struct value_type type;
	size_t code = compiler->code.size, saved = compiler->saved.size;
	uint64_t unit = compiler->function ? compiler->function->die : 0, die = 0;
	bool is_type =
	    node->a && node->a->kind == NODE_NAME && !node->a->is_quoted &&
	    tr_query_type_named(compiler->query, unit, "", node->a->text, &die);
	if (!node->a) {
		if (!tr_type_named(compiler, node, &type))
			return;
	} else if (is_type) {
		if (!tr_type_of_die(compiler->query, die, &type))
			return;
	} else {
		tr_compile_expression(compiler, node->a, value);
		type = value->type;
		if (compiler->code.size > code)
			compiler->code.size = code;
		compiler->saved.size = saved;
	}
	if (compiler->failed)
		return;
	uint64_t size = tr_type_size(compiler, &type);
	if (type.is_string || size == 0 || value->bits)
		tr_compile_fail(compiler, node, "a value of unknown size");
	tr_compile_number(compiler, size);
	tr_value_set(value, tr_type_long(compiler, false));
}
