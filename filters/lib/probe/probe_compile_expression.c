/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions become code, with the types and conversions of C. */
#include <stdio.h>
#include <string.h>

#include "probe/probe_compile.h"

static void ready(struct value *value, struct value_type type)
{
	value->type = type;
	value->place = VALUE_READY;
	value->offset = 0;
	value->bits = 0;
}

/* Compiles a number or a pointer onto the stack. */
static void compile_scalar(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	char text[128];
	compile_expression(compiler, node, value);
	value_load(compiler, node, value);
	if (compiler->failed || type_is_scalar(&value->type))
		return;
	type_text(compiler, &value->type, text, sizeof(text));
	compile_fail(compiler, node, "a number or a pointer is needed here, not %s%s",
		     value->type.is_string ? "a " : "a value of type ", text);
}

static void compile_integer(struct compiler *compiler, const struct probe_node *node,
			    struct value *value)
{
	compile_scalar(compiler, node, value);
	if (!compiler->failed && !type_is_integer(&value->type))
		compile_fail(compiler, node, "an integer is needed here, not a pointer");
}

/* --- conversions */

/* The integer promotion. */
static struct value_type promoted(const struct value *value)
{
	const struct tr_query_type *of = &value->type.of;
	bool narrow = value->bits ? value->bits < 32U + of->is_signed : of->size < 4;
	if (of->is_bool || narrow)
		return type_integer(4, true);
	return type_integer((unsigned)of->size, of->is_signed);
}

static struct value_type common_type(const struct value_type *a,
				     const struct value_type *b)
{
	if (a->of.size != b->of.size)
		return a->of.size > b->of.size ? *a : *b;
	return a->of.is_signed ? *b : *a;
}

/* Extends the value on the top, or below it, to a type. */
static void convert(struct compiler *compiler, const struct value_type *from,
		    const struct value_type *to, bool below)
{
	uint64_t size = type_size(compiler, to);
	bool same_sign = type_is_signed(from) == type_is_signed(to);
	if (size >= 8 || (size == type_size(compiler, from) && same_sign))
		return;
	if (below)
		compile_op(compiler, OP_SWAP);
	compile_extend(compiler, size, type_is_signed(to));
	if (below)
		compile_op(compiler, OP_SWAP);
}

static uint64_t target_size(struct compiler *compiler, const struct probe_node *node,
			    const struct value_type *pointer)
{
	struct value_type target;
	if (!type_target(compiler, pointer, &target)) {
		compile_fail(compiler, node, "damaged DWARF: the type behind a pointer");
		return 1;
	}
	if (!target.stars && (target.of.kind == TR_KIND_VOID ||
			      target.of.kind == TR_KIND_FUNCTION))
		return 1;
	uint64_t size = type_size(compiler, &target);
	if (size == 0)
		compile_fail(compiler, node, "a pointer to a type of unknown size");
	return size ? size : 1;
}

/* --- operators */

static void emit_signed(struct compiler *compiler, enum probe_op op, bool is_signed)
{
	compile_emit(compiler, &(struct probe_insn){.op = (uint8_t)op,
						    .is_signed = is_signed});
}

/* pointer ± integer; the integer is on the top. */
static void offset_pointer(struct compiler *compiler, const struct probe_node *node,
			   struct value *pointer)
{
	compile_number(compiler, target_size(compiler, node, &pointer->type));
	compile_op(compiler, OP_MULTIPLY);
	compile_op(compiler, node->op == '-' ? OP_SUBTRACT : OP_ADD);
	compile_extend(compiler, type_word(compiler), false);
}

/* Returns false if neither operand is a pointer. */
static bool pointer_arithmetic(struct compiler *compiler, const struct probe_node *node,
			       struct value *a, const struct value *b)
{
	bool left = type_is_pointer(&a->type), right = type_is_pointer(&b->type);
	if (!left && !right)
		return false;
	if (left && right && node->op == '-') {
		uint64_t size = target_size(compiler, node, &a->type);
		compile_op(compiler, OP_SUBTRACT);
		compile_extend(compiler, type_word(compiler), true);
		compile_number(compiler, size);
		emit_signed(compiler, OP_DIVIDE, true);
		ready(a, type_long(compiler, true));
	} else if (left && !right && (node->op == '+' || node->op == '-')) {
		offset_pointer(compiler, node, a);
	} else if (right && !left && node->op == '+') {
		compile_op(compiler, OP_SWAP);
		*a = *b;
		offset_pointer(compiler, node, a);
	} else {
		compile_fail(compiler, node, "no such operation on pointers");
	}
	return true;
}

static bool compare(struct compiler *compiler, int op, bool is_signed)
{
	switch (op) {
	case TOKEN_EQ:
	case TOKEN_NE:
		compile_op(compiler, OP_EQUAL);
		if (op == TOKEN_NE)
			compile_op(compiler, OP_NOT);
		return true;
	case '<':
		emit_signed(compiler, OP_LESS, is_signed);
		return true;
	case TOKEN_LE:
		emit_signed(compiler, OP_LESS_EQUAL, is_signed);
		return true;
	case '>':
		compile_op(compiler, OP_SWAP);
		emit_signed(compiler, OP_LESS, is_signed);
		return true;
	case TOKEN_GE:
		compile_op(compiler, OP_SWAP);
		emit_signed(compiler, OP_LESS_EQUAL, is_signed);
		return true;
	default:
		return false;
	}
}

static enum probe_op arithmetic_op(int op)
{
	switch (op) {
	case '+':
		return OP_ADD;
	case '-':
		return OP_SUBTRACT;
	case '*':
		return OP_MULTIPLY;
	case '/':
		return OP_DIVIDE;
	case '%':
		return OP_MODULO;
	case '&':
		return OP_AND;
	case '|':
		return OP_OR;
	case '^':
		return OP_XOR;
	case TOKEN_SHL:
		return OP_SHL;
	default:
		return OP_SHR;
	}
}

static void compile_shift(struct compiler *compiler, const struct probe_node *node,
			  struct value *a, struct value *b)
{
	struct value_type type = promoted(a);
	if (!type_is_integer(&a->type) || !type_is_integer(&b->type)) {
		compile_fail(compiler, node, "a shift of a pointer");
		return;
	}
	emit_signed(compiler, arithmetic_op(node->op), type.of.is_signed);
	compile_extend(compiler, type.of.size, type.of.is_signed);
	ready(a, type);
}

static void compile_arithmetic(struct compiler *compiler, const struct probe_node *node,
			       struct value *a, struct value *b)
{
	struct value_type left = promoted(a), right = promoted(b);
	struct value_type type = common_type(&left, &right);
	convert(compiler, &a->type, &type, true);
	convert(compiler, &b->type, &type, false);
	if (compare(compiler, node->op, type.of.is_signed)) {
		ready(a, type_integer(4, true));
		return;
	}
	emit_signed(compiler, arithmetic_op(node->op), type.of.is_signed);
	compile_extend(compiler, type.of.size, type.of.is_signed);
	ready(a, type);
}

/* Pointers compare as addresses. */
static bool compare_pointers(struct compiler *compiler, const struct probe_node *node,
			     struct value *a, struct value *b)
{
	struct value_type address = type_long(compiler, false);
	if (!type_is_pointer(&a->type) && !type_is_pointer(&b->type))
		return false;
	convert(compiler, &a->type, &address, true);
	convert(compiler, &b->type, &address, false);
	if (!compare(compiler, node->op, false))
		return false;
	ready(a, type_integer(4, true));
	return true;
}

static void compile_strings(struct compiler *compiler, const struct probe_node *node,
			    struct value *a, const struct value *b)
{
	if (!b->type.is_string || (node->op != TOKEN_EQ && node->op != TOKEN_NE)) {
		compile_fail(compiler, node, "a string can be compared with a string by "
					     "== and != only");
		return;
	}
	compile_op(compiler, OP_SAME);
	if (node->op == TOKEN_NE)
		compile_op(compiler, OP_NOT);
	ready(a, type_integer(4, true));
}

static bool is_comparison(int op)
{
	return op == TOKEN_EQ || op == TOKEN_NE || op == '<' || op == '>' ||
	       op == TOKEN_LE || op == TOKEN_GE;
}

static bool is_char_array(const struct value *value)
{
	return !value->type.stars && value->type.of.kind == TR_KIND_ARRAY &&
	       value->type.of.is_char && value->type.of.count != UINT64_MAX;
}

/* A char array in memory becomes a string. */
static void load_string(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	uint64_t count = value->type.of.count;
	if (!value_address(compiler, node, value))
		return;
	compile_number(compiler, count);
	compile_op(compiler, OP_CHARS);
	ready(value, (struct value_type){.is_string = true});
}

/* An operand of == may be a string. */
static void compile_operand(struct compiler *compiler, const struct probe_node *node,
			    bool may_be_string, struct value *value)
{
	compile_expression(compiler, node, value);
	if (compiler->failed || value->type.is_string)
		return;
	if (may_be_string && is_char_array(value)) {
		load_string(compiler, node, value);
		return;
	}
	value_load(compiler, node, value);
	if (!compiler->failed && !type_is_scalar(&value->type))
		compile_fail(compiler, node,
			     "no arithmetic on floating-point values or structures");
}

static void compile_binary(struct compiler *compiler, const struct probe_node *node,
			   struct value *a)
{
	struct value b = {0};
	bool logical = node->op == TOKEN_AND || node->op == TOKEN_OR;
	bool strings = node->op == TOKEN_EQ || node->op == TOKEN_NE;
	compile_operand(compiler, node->a, strings, a);
	compile_operand(compiler, node->b, strings, &b);
	if (compiler->failed)
		return;
	if (a->type.is_string || b.type.is_string) {
		if (a->type.is_string)
			compile_strings(compiler, node, a, &b);
		else
			compile_fail(compiler, node, "a number compared with a string");
	} else if (logical) {
		compile_op(compiler, node->op == TOKEN_AND ? OP_BOTH : OP_EITHER);
		ready(a, type_integer(4, true));
	} else if (node->op == TOKEN_SHL || node->op == TOKEN_SHR) {
		compile_shift(compiler, node, a, &b);
	} else if (is_comparison(node->op) && compare_pointers(compiler, node, a, &b)) {
		return;
	} else if (!pointer_arithmetic(compiler, node, a, &b)) {
		compile_arithmetic(compiler, node, a, &b);
	}
}

static void compile_condition(struct compiler *compiler, const struct probe_node *node,
			      struct value *value)
{
	struct value b = {0}, c = {0};
	compile_scalar(compiler, node->a, value);
	compile_scalar(compiler, node->b, &b);
	compile_scalar(compiler, node->c, &c);
	if (compiler->failed)
		return;
	struct value_type type = b.type;
	if (!type_is_pointer(&b.type) && type_is_pointer(&c.type))
		type = c.type;
	if (!type_is_pointer(&type)) {
		struct value_type left = promoted(&b), right = promoted(&c);
		type = common_type(&left, &right);
	}
	convert(compiler, &b.type, &type, true);
	convert(compiler, &c.type, &type, false);
	compile_op(compiler, OP_SELECT);
	ready(value, type);
}

/* --- unary operators and members */

static void dereference(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	struct value_type target;
	if (!type_is_pointer(&value->type)) {
		compile_fail(compiler, node, "a pointer is needed here");
		return;
	}
	if (!type_target(compiler, &value->type, &target)) {
		compile_fail(compiler, node, "damaged DWARF: the type behind a pointer");
		return;
	}
	if (!target.stars && target.of.kind == TR_KIND_VOID) {
		compile_fail(compiler, node, "a pointer to void: cast it first, as in "
					     "(struct page *)x");
		return;
	}
	*value = (struct value){.type = target, .place = VALUE_MEMORY};
}

static void compile_unary(struct compiler *compiler, const struct probe_node *node,
			  struct value *value)
{
	if (node->op == '&') {
		compile_expression(compiler, node->a, value);
		if (!compiler->failed && value->place == VALUE_READY &&
		    node->a->kind == NODE_NAME && type_is_pointer(&value->type))
			return; /* &function */
		if (value_address(compiler, node, value)) {
			value->type.stars++;
			value->place = VALUE_READY;
		}
		return;
	}
	compile_scalar(compiler, node->a, value);
	if (compiler->failed)
		return;
	if (node->op == '*') {
		dereference(compiler, node, value);
		return;
	}
	if (node->op == '!') {
		compile_op(compiler, OP_NOT);
		ready(value, type_integer(4, true));
		return;
	}
	if (!type_is_integer(&value->type)) {
		compile_fail(compiler, node, "an integer is needed here, not a pointer");
		return;
	}
	struct value_type type = promoted(value);
	convert(compiler, &value->type, &type, false);
	if (node->op != '+') {
		compile_op(compiler, node->op == '-' ? OP_NEGATE : OP_INVERT);
		compile_extend(compiler, type.of.size, type.of.is_signed);
	}
	ready(value, type);
}

static void compile_member(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	struct tr_query_member member;
	struct tr_near near;
	char text[128];
	compile_expression(compiler, node->a, value);
	if (node->op == TOKEN_ARROW && !compiler->failed) {
		value_load(compiler, node->a, value);
		if (!compiler->failed)
			dereference(compiler, node, value);
	}
	if (compiler->failed)
		return;
	type_text(compiler, &value->type, text, sizeof(text));
	if (value->type.stars || value->type.is_string ||
	    value->type.of.kind != TR_KIND_STRUCT) {
		compile_fail(compiler, node, "%s has no members%s", text,
			     type_is_pointer(&value->type) ? ": use ->" : "");
		return;
	}
	if (value->type.of.is_incomplete) {
		compile_fail(compiler, node, "%s is declared but nowhere defined", text);
		return;
	}
	tr_near_init(&near, node->names->name);
	for (const struct probe_names *name = node->names; name; name = name->next) {
		if (!tr_query_member(compiler->query, value->type.of.die, name->name,
				     &near, &member))
			continue;
		if (!type_of_die(compiler, member.type, &value->type))
			break;
		value->offset += member.offset;
		value->bit = member.bit;
		value->bits = member.bits;
		return;
	}
	compile_fail(compiler, node, "%s has no member %s%s", text, node->names->name,
		     compile_near(&near));
}

static void compile_index(struct compiler *compiler, const struct probe_node *node,
			  struct value *value)
{
	struct value index = {0};
	struct value_type element;
	compile_expression(compiler, node->a, value);
	bool is_array = !compiler->failed && !value->type.stars &&
			value->type.of.kind == TR_KIND_ARRAY;
	if (is_array && value->place == VALUE_PIECES &&
	    node->b->kind == NODE_NUMBER &&
	    type_target(compiler, &value->type, &element)) {
		value->type = element;
		value->offset += node->b->number * type_size(compiler, &element);
		return;
	}
	value_load(compiler, node->a, value);
	if (!compiler->failed && !type_is_pointer(&value->type)) {
		compile_fail(compiler, node, "an array or a pointer is needed before [");
		return;
	}
	compile_integer(compiler, node->b, &index);
	if (compiler->failed)
		return;
	compile_number(compiler, target_size(compiler, node, &value->type));
	compile_op(compiler, OP_MULTIPLY);
	compile_op(compiler, OP_ADD);
	dereference(compiler, node, value);
}

static void compile_cast(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	struct value_type type;
	compile_scalar(compiler, node->a, value);
	if (compiler->failed || !type_named(compiler, node, &type))
		return;
	if (!type_is_scalar(&type)) {
		compile_fail(compiler, node, "a cast to an integer or a pointer only");
		return;
	}
	if (type.of.is_bool && !type.stars) {
		compile_op(compiler, OP_NOT);
		compile_op(compiler, OP_NOT);
	} else {
		compile_extend(compiler, type_size(compiler, &type),
			       type_is_signed(&type));
	}
	ready(value, type);
}

/* --- functions of the language */

/* A pointer, or an array, whose address is used. Returns the array's bytes, or 0. */
static uint64_t compile_pointer(struct compiler *compiler, const struct probe_node *node,
				struct value *value)
{
	uint64_t size = 0;
	compile_expression(compiler, node, value);
	if (!compiler->failed && !value->type.stars &&
	    value->type.of.kind == TR_KIND_ARRAY)
		size = value->type.of.size;
	value_load(compiler, node, value);
	if (!compiler->failed && !type_is_scalar(&value->type))
		compile_fail(compiler, node, "an address is needed here");
	return size;
}

static void compile_str(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	struct value most = {0};
	uint64_t size = compile_pointer(compiler, node->a, value);
	if (node->b)
		compile_integer(compiler, node->b, &most);
	else
		compile_number(compiler, size ? size : PROBE_STRING_USUAL);
	compile_op(compiler, size && !node->b ? OP_CHARS : OP_STR);
	ready(value, (struct value_type){.is_string = true});
}

static void compile_buffer(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	struct value size = {0};
	bool words = strcmp(node->text, "words") == 0;
	compile_pointer(compiler, node->a, value);
	compile_integer(compiler, node->b, &size);
	compile_op(compiler, words ? OP_WORDS : OP_BUF);
	ready(value, (struct value_type){.is_string = true, .is_bytes = !words});
}

static void compile_container(struct compiler *compiler, const struct probe_node *node,
			      struct value *value)
{
	struct value_type type;
	struct tr_query_member member;
	struct tr_near near;
	compile_pointer(compiler, node->a, value);
	if (compiler->failed || !type_named(compiler, node, &type))
		return;
	if (type.stars || type.of.kind != TR_KIND_STRUCT) {
		compile_fail(compiler, node, "container_of() needs a structure");
		return;
	}
	tr_near_init(&near, node->names->name);
	for (const struct probe_names *name = node->names; name; name = name->next)
		if (tr_query_member(compiler->query, type.of.die, name->name, &near,
				    &member)) {
			value_add(compiler, -member.offset);
			compile_extend(compiler, type_word(compiler), false);
			type.stars = 1;
			ready(value, type);
			return;
		}
	compile_fail(compiler, node, "the structure has no member %s%s",
		     node->names->name, compile_near(&near));
}

static void compile_call(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	if (strcmp(node->text, "reg") == 0)
		compile_register(compiler, node, value);
	else if (strcmp(node->text, "str") == 0)
		compile_str(compiler, node, value);
	else if (strcmp(node->text, "container_of") == 0)
		compile_container(compiler, node, value);
	else
		compile_buffer(compiler, node, value);
}

/* The size of a type, or of an expression, which is not evaluated. */
static void compile_sizeof(struct compiler *compiler, const struct probe_node *node,
			   struct value *value)
{
	struct value_type type;
	size_t code = compiler->code.size, saved = compiler->saved.size;
	uint64_t unit = compiler->function ? compiler->function->die : 0, die = 0;
	bool is_type = node->a && node->a->kind == NODE_NAME && !node->a->is_quoted &&
		       tr_query_type_named(compiler->query, unit, "", node->a->text, &die);
	if (!node->a) {
		if (!type_named(compiler, node, &type))
			return;
	} else if (is_type) {
		if (!type_of_die(compiler, die, &type))
			return;
	} else {
		compile_expression(compiler, node->a, value);
		type = value->type;
		if (compiler->code.size > code)
			compiler->code.size = code;
		compiler->saved.size = saved;
	}
	if (compiler->failed)
		return;
	uint64_t size = type_size(compiler, &type);
	if (type.is_string || size == 0 || value->bits)
		compile_fail(compiler, node, "a value of unknown size");
	compile_number(compiler, size);
	ready(value, type_long(compiler, false));
}

/* A decimal number is of the first signed type that holds it, as in C. */
static struct value_type number_type(const struct compiler *compiler,
				     const struct probe_node *node)
{
	bool is_signed = !node->is_unsigned;
	if (!node->is_long && node->number <= INT32_MAX)
		return type_integer(4, is_signed);
	if (!node->is_long && !is_signed && node->number <= UINT32_MAX)
		return type_integer(4, false);
	if (type_word(compiler) == 4 && node->is_long && node->number <= INT32_MAX)
		return type_integer(4, is_signed);
	return type_integer(8, is_signed && node->number <= INT64_MAX);
}

static void compile_text(struct compiler *compiler, const struct probe_node *node,
			 struct value *value)
{
	compile_emit(compiler, &(struct probe_insn){.op = OP_TEXT,
						    .operand = compiler->texts->size,
						    .more = (uint32_t)node->number});
	tr_buffer_add(compiler->texts, node->text, (size_t)node->number);
	ready(value, (struct value_type){.is_string = true});
}

void compile_expression(struct compiler *compiler, const struct probe_node *node,
			struct value *value)
{
	static void (*const compilers[])(struct compiler * compiler,
					 const struct probe_node *node,
					 struct value *value) = {
	    [NODE_STRING] = compile_text,	  [NODE_NAME] = compile_name,
	    [NODE_MEMBER] = compile_member,	  [NODE_INDEX] = compile_index,
	    [NODE_UNARY] = compile_unary,	  [NODE_BINARY] = compile_binary,
	    [NODE_CONDITION] = compile_condition, [NODE_CAST] = compile_cast,
	    [NODE_SIZEOF] = compile_sizeof,	  [NODE_CALL] = compile_call};
	if (compiler->failed)
		return;
	if (++compiler->deep > 4 * PROBE_DEEP) {
		compile_fail(compiler, node, "the expression is nested too deeply");
	} else if (node->kind == NODE_NUMBER) {
		*value = (struct value){.type = number_type(compiler, node)};
		compile_number(compiler, node->number);
	} else {
		*value = (struct value){.type = {.of = {.name = ""}}};
		compilers[node->kind](compiler, node, value);
	}
	compiler->deep--;
}

static void set_show(const struct value_type *type, struct probe_show *show)
{
	show->is_signed = type_is_signed(type);
	if (type->is_string)
		show->kind = type->is_bytes ? TR_PROBE_BYTES : TR_PROBE_STRING;
	else if (type_is_pointer(type))
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

void compile_field(struct compiler *compiler, const struct probe_node *node,
		   struct value_type *type, struct probe_show *show)
{
	struct value value = {0};
	char text[128];
	compile_expression(compiler, node, &value);
	if (compiler->failed)
		return;
	if (value.place != VALUE_READY && is_char_array(&value)) {
		load_string(compiler, node, &value);
	} else if (value.place != VALUE_READY && !value.type.stars &&
		   value.type.of.kind == TR_KIND_ARRAY) {
		type_text(compiler, &value.type, text, sizeof(text));
		compile_fail(compiler, node,
			     "an %s as a whole: choose an element, or buf(x, sizeof(x))",
			     text);
	} else {
		value_load(compiler, node, &value);
	}
	*type = value.type;
	set_show(&value.type, show);
}

void compile_filter(struct compiler *compiler, const struct probe_node *node)
{
	struct value value = {0};
	compile_scalar(compiler, node, &value);
}
