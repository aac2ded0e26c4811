/* SPDX-License-Identifier: Apache-2.0 */
/* Operators with two or three operands, and the conversions of C. */
#include "probe/probe_compile.h"

void tr_value_set(struct value *value, struct value_type type)
{
	value->type = type;
	value->place = VALUE_READY;
	value->offset = 0;
	value->bits = 0;
}

/* --- conversions */

/* The integer promotion. */
struct value_type tr_type_promoted(const struct value *value)
{
	const struct tr_query_type *of = &value->type.of;
	bool narrow = value->bits ? value->bits < 32U + of->is_signed : of->size < 4;
	if (of->is_bool || narrow)
		return tr_type_integer(4, true);
	return tr_type_integer((unsigned)of->size, of->is_signed);
}

static struct value_type common_type(const struct value_type *a,
				     const struct value_type *b)
{
	if (a->of.size != b->of.size)
		return a->of.size > b->of.size ? *a : *b;
	return a->of.is_signed ? *b : *a;
}

/* Extends the value on the top, or below it, to a type. */
void tr_value_convert(struct compiler *compiler, const struct value_type *from,
		      const struct value_type *to, bool below)
{
	uint64_t size = tr_type_size(compiler, to);
	bool same_sign = tr_type_is_signed(from) == tr_type_is_signed(to);
	if (size >= 8 || (size == tr_type_size(compiler, from) && same_sign))
		return;
	if (below)
		tr_compile_op(compiler, OP_SWAP);
	tr_compile_extend(compiler, size, tr_type_is_signed(to));
	if (below)
		tr_compile_op(compiler, OP_SWAP);
}

uint64_t tr_type_target_size(struct compiler *compiler, const struct probe_node *node,
			     const struct value_type *pointer)
{
	struct value_type target;
	if (!tr_type_target(pointer, &target)) {
		tr_compile_fail(compiler, node,
				"damaged DWARF: the type behind a pointer");
		return 1;
	}
	if (!target.stars &&
	    (target.of.kind == TR_KIND_VOID || target.of.kind == TR_KIND_FUNCTION))
		return 1;
	uint64_t size = tr_type_size(compiler, &target);
	if (size == 0)
		tr_compile_fail(compiler, node, "a pointer to a type of unknown size");
	return size ? size : 1;
}

/* --- operators */

static void emit_signed(struct compiler *compiler, enum probe_op op, bool is_signed)
{
	tr_compile_emit(compiler,
			&(struct probe_insn){.op = (uint8_t)op, .is_signed = is_signed});
}

/* pointer ± integer; the integer is on the top. */
static void offset_pointer(struct compiler *compiler, const struct probe_node *node,
			   struct value *pointer)
{
	tr_compile_number(compiler, tr_type_target_size(compiler, node, &pointer->type));
	tr_compile_op(compiler, OP_MULTIPLY);
	tr_compile_op(compiler, node->op == '-' ? OP_SUBTRACT : OP_ADD);
	tr_compile_extend(compiler, tr_type_word(compiler), false);
}

/* Returns false if neither operand is a pointer. */
static bool pointer_arithmetic(struct compiler *compiler, const struct probe_node *node,
			       struct value *a, const struct value *b)
{
	bool left = tr_type_is_pointer(&a->type), right = tr_type_is_pointer(&b->type);
	if (!left && !right)
		return false;
	if (left && right && node->op == '-') {
		uint64_t size = tr_type_target_size(compiler, node, &a->type);
		tr_compile_op(compiler, OP_SUBTRACT);
		tr_compile_extend(compiler, tr_type_word(compiler), true);
		tr_compile_number(compiler, size);
		emit_signed(compiler, OP_DIVIDE, true);
		tr_value_set(a, tr_type_long(compiler, true));
	} else if (left && !right && (node->op == '+' || node->op == '-')) {
		offset_pointer(compiler, node, a);
	} else if (right && !left && node->op == '+') {
		tr_compile_op(compiler, OP_SWAP);
		*a = *b;
		offset_pointer(compiler, node, a);
	} else {
		tr_compile_fail(compiler, node, "no such operation on pointers");
	}
	return true;
}

static bool emit_comparison(struct compiler *compiler, int op, bool is_signed)
{
	switch (op) {
	case TOKEN_EQ:
	case TOKEN_NE:
		tr_compile_op(compiler, OP_EQUAL);
		if (op == TOKEN_NE)
			tr_compile_op(compiler, OP_NOT);
		return true;
	case '<':
		emit_signed(compiler, OP_LESS, is_signed);
		return true;
	case TOKEN_LE:
		emit_signed(compiler, OP_LESS_EQUAL, is_signed);
		return true;
	case '>':
		tr_compile_op(compiler, OP_SWAP);
		emit_signed(compiler, OP_LESS, is_signed);
		return true;
	case TOKEN_GE:
		tr_compile_op(compiler, OP_SWAP);
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
	struct value_type type = tr_type_promoted(a);
	if (!tr_type_is_integer(&a->type) || !tr_type_is_integer(&b->type)) {
		tr_compile_fail(compiler, node, "a shift of a pointer");
		return;
	}
	emit_signed(compiler, arithmetic_op(node->op), type.of.is_signed);
	tr_compile_extend(compiler, type.of.size, type.of.is_signed);
	tr_value_set(a, type);
}

static void compile_arithmetic(struct compiler *compiler, const struct probe_node *node,
			       struct value *a, struct value *b)
{
	struct value_type left = tr_type_promoted(a), right = tr_type_promoted(b);
	struct value_type type = common_type(&left, &right);
	tr_value_convert(compiler, &a->type, &type, true);
	tr_value_convert(compiler, &b->type, &type, false);
	if (emit_comparison(compiler, node->op, type.of.is_signed)) {
		tr_value_set(a, tr_type_integer(4, true));
		return;
	}
	emit_signed(compiler, arithmetic_op(node->op), type.of.is_signed);
	tr_compile_extend(compiler, type.of.size, type.of.is_signed);
	tr_value_set(a, type);
}

/* Pointers compare as addresses. */
static bool compare_pointers(struct compiler *compiler, const struct probe_node *node,
			     struct value *a, struct value *b)
{
	struct value_type address = tr_type_long(compiler, false);
	if (!tr_type_is_pointer(&a->type) && !tr_type_is_pointer(&b->type))
		return false;
	tr_value_convert(compiler, &a->type, &address, true);
	tr_value_convert(compiler, &b->type, &address, false);
	if (!emit_comparison(compiler, node->op, false))
		return false;
	tr_value_set(a, tr_type_integer(4, true));
	return true;
}

static void compile_strings(struct compiler *compiler, const struct probe_node *node,
			    struct value *a, const struct value *b)
{
	if (!b->type.is_string || (node->op != TOKEN_EQ && node->op != TOKEN_NE)) {
		tr_compile_fail(compiler, node,
				"a string can be compared with a string by "
				"== and != only");
		return;
	}
	tr_compile_op(compiler, OP_SAME);
	if (node->op == TOKEN_NE)
		tr_compile_op(compiler, OP_NOT);
	tr_value_set(a, tr_type_integer(4, true));
}

static bool is_comparison(int op)
{
	return op == TOKEN_EQ || op == TOKEN_NE || op == '<' || op == '>' ||
	       op == TOKEN_LE || op == TOKEN_GE;
}

/* An operand of == and of a condition may be a string. */
static void compile_operand(struct compiler *compiler, const struct probe_node *node,
			    bool may_be_string, struct value *value)
{
	tr_compile_expression(compiler, node, value);
	if (compiler->failed || value->type.is_string)
		return;
	if (may_be_string && tr_value_is_text(value)) {
		tr_value_load_text(compiler, node, value);
		return;
	}
	tr_value_load(compiler, node, value);
	if (!compiler->failed && !tr_type_is_scalar(&value->type))
		tr_compile_fail(compiler, node,
				"no arithmetic on floating-point values or structures");
}

void tr_compile_binary(struct compiler *compiler, const struct probe_node *node,
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
			tr_compile_fail(compiler, node,
					"a number compared with a string");
	} else if (logical) {
		tr_compile_op(compiler, node->op == TOKEN_AND ? OP_BOTH : OP_EITHER);
		tr_value_set(a, tr_type_integer(4, true));
	} else if (node->op == TOKEN_SHL || node->op == TOKEN_SHR) {
		compile_shift(compiler, node, a, &b);
	} else if (is_comparison(node->op) && compare_pointers(compiler, node, a, &b)) {
		return;
	} else if (!pointer_arithmetic(compiler, node, a, &b)) {
		compile_arithmetic(compiler, node, a, &b);
	}
}

void tr_compile_condition(struct compiler *compiler, const struct probe_node *node,
			  struct value *value)
{
	struct value b = {0}, c = {0};
	tr_compile_scalar(compiler, node->a, value);
	compile_operand(compiler, node->b, true, &b);
	compile_operand(compiler, node->c, true, &c);
	if (compiler->failed)
		return;
	if (b.type.is_string || c.type.is_string) {
		if (!b.type.is_string || !c.type.is_string)
			tr_compile_fail(compiler, node,
					"a condition gives a number or a string");
		tr_compile_op(compiler, OP_CHOOSE);
		tr_value_set(value, b.type);
		value->type.is_bytes &= c.type.is_bytes;
		return;
	}
	struct value_type type = b.type;
	if (!tr_type_is_pointer(&b.type) && tr_type_is_pointer(&c.type))
		type = c.type;
	if (!tr_type_is_pointer(&type)) {
		struct value_type left = tr_type_promoted(&b),
				  right = tr_type_promoted(&c);
		type = common_type(&left, &right);
	}
	tr_value_convert(compiler, &b.type, &type, true);
	tr_value_convert(compiler, &c.type, &type, false);
	tr_compile_op(compiler, OP_SELECT);
	tr_value_set(value, type);
}
