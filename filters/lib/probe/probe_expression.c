/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of the probe language, with the precedences of C. */
#include <string.h>

#include "probe/probe_internal.h"

static struct probe_node *parse_operators(struct probe_parser *parser, unsigned lowest);

static struct probe_node *make_node(struct probe_parser *parser,
				    enum probe_node_kind kind)
{
	struct probe_node *node = tr_probe_take(parser, sizeof(*node));
	if (!node)
		return NULL;
	node->kind = kind;
	node->line = parser->token_line;
	node->column = parser->token_column;
	node->text = "";
	return node;
}

/* Replaces a failed node, so that the callers need not check. */
static struct probe_node *placeholder_node(void)
{
	static struct probe_node node = {.kind = NODE_NUMBER, .text = ""};
	return &node;
}

/* --- types */

static bool is_any(const struct probe_parser *parser, const char *const *words)
{
	for (; *words; words++)
		if (tr_probe_is_at_word(parser, *words))
			return true;
	return false;
}

static const char *const specifiers[] = {"unsigned", "signed", "long",	"int",	  "short",
					 "char",     "_Bool",  "float", "double", NULL};
static const char *const tags[] = {"struct", "union", "enum", NULL};
static const char *const qualifiers[] = {"const", "volatile", NULL};

/* Names the type of specifiers, in any order, as DWARF does. */
static const char *base_name(unsigned longs, bool is_unsigned, bool is_signed,
			     const char *base)
{
	if (strcmp(base, "char") == 0)
		return is_unsigned ? "unsigned char" : is_signed ? "signed char" : "char";
	if (strcmp(base, "short") == 0)
		return is_unsigned ? "short unsigned int" : "short int";
	if (longs == 1)
		return is_unsigned ? "long unsigned int" : "long int";
	if (longs == 2)
		return is_unsigned ? "long long unsigned int" : "long long int";
	if (strcmp(base, "int") == 0)
		return is_unsigned ? "unsigned int" : "int";
	return base;
}

static const char *parse_specifiers(struct probe_parser *parser)
{
	unsigned longs = 0;
	bool is_unsigned = false, is_signed = false;
	const char *base = "int";
	for (; is_any(parser, specifiers) && !parser->failed; tr_probe_next(parser)) {
		if (tr_probe_is_at_word(parser, "long"))
			longs++;
		else if (tr_probe_is_at_word(parser, "unsigned"))
			is_unsigned = true;
		else if (tr_probe_is_at_word(parser, "signed"))
			is_signed = true;
		else if (!tr_probe_is_at_word(parser, "int"))
			base = parser->word;
	}
	return base_name(longs, is_unsigned, is_signed, base);
}

static void skip_qualifiers(struct probe_parser *parser)
{
	while (is_any(parser, qualifiers) && !parser->failed)
		tr_probe_next(parser);
}

static struct probe_type parse_type(struct probe_parser *parser)
{
	struct probe_type type = {.keyword = "", .name = ""};
	skip_qualifiers(parser);
	if (is_any(parser, specifiers)) {
		type.name = parse_specifiers(parser);
	} else {
		if (is_any(parser, tags)) {
			type.keyword = parser->word;
			tr_probe_next(parser);
		}
		type.name = parser->word;
		tr_probe_expect(parser, TOKEN_NAME, "a type");
	}
	skip_qualifiers(parser);
	while (tr_probe_accept(parser, '*')) {
		type.stars++;
		skip_qualifiers(parser);
	}
	return type;
}

/* Tells a cast, "(u64)x", from a variable in parentheses, "(x) - 1". The token is the
 * parenthesis. */
static bool is_cast(const struct probe_parser *parser)
{
	char quiet[PROBE_MESSAGE];
	struct probe_parser ahead = *parser;
	ahead.message = quiet;
	tr_probe_next(&ahead);
	if (is_any(&ahead, specifiers) || is_any(&ahead, tags) ||
	    is_any(&ahead, qualifiers) || tr_probe_is_at_word(&ahead, "void"))
		return true;
	if (ahead.token != TOKEN_NAME)
		return false;
	tr_probe_next(&ahead);
	if (ahead.token == '*') {
		while (ahead.token == '*')
			tr_probe_next(&ahead);
		return ahead.token == ')' && !ahead.failed;
	}
	if (ahead.token != ')')
		return false;
	tr_probe_next(&ahead);
	return ahead.token == TOKEN_NAME || ahead.token == TOKEN_NUMBER ||
	       ahead.token == TOKEN_STRING || ahead.token == '(' || ahead.token == '~' ||
	       ahead.token == '!';
}

/* --- operands */

static struct probe_names *parse_names(struct probe_parser *parser)
{
	struct probe_names *first = NULL, **end = &first;
	bool several = tr_probe_accept(parser, '(');
	do {
		*end = tr_probe_take(parser, sizeof(**end));
		if (!*end)
			return NULL;
		(*end)->name = parser->word;
		tr_probe_expect(parser, TOKEN_NAME, "a member");
		end = &(*end)->next;
	} while (several && tr_probe_accept(parser, '|'));
	if (several)
		tr_probe_expect(parser, ')', "| or )");
	return first;
}

static bool is_builtin_call(const char *name)
{
	static const char *const calls[] = {"str",   "buf",	     "words",
					    "reg",   "symbol",	     "lowest_sp",
					    "entry", "container_of", NULL};
	for (const char *const *call = calls; *call; call++)
		if (strcmp(name, *call) == 0)
			return true;
	return false;
}

static void parse_arguments(struct probe_parser *parser, struct probe_node *call)
{
	bool is_container = strcmp(call->text, "container_of") == 0;
	bool outer = parser->in_filter;
	parser->in_filter = false;
	tr_probe_expect(parser, '(', "(");
	call->a = parse_operators(parser, 0);
	if (is_container) {
		tr_probe_expect(parser, ',', ", and a type");
		call->type = parse_type(parser);
		tr_probe_expect(parser, ',', ", and a member");
		call->names = parse_names(parser);
	} else if (tr_probe_accept(parser, ',')) {
		call->b = parse_operators(parser, 0);
	}
	bool two = strcmp(call->text, "buf") == 0 || strcmp(call->text, "words") == 0 ||
		   strcmp(call->text, "lowest_sp") == 0;
	if (two && !call->b)
		tr_probe_fail(parser, "%s() needs an address and a size", call->text);
	if (strcmp(call->text, "symbol") == 0 && call->b)
		tr_probe_fail(parser, "symbol() needs an address alone");
	if (strcmp(call->text, "entry") == 0 && call->b)
		tr_probe_fail(parser, "entry() needs one expression");
	if (strcmp(call->text, "reg") == 0 && (call->a->kind != NODE_STRING || call->b))
		tr_probe_fail(parser, "reg() needs a name in quotes, as in reg(\"a0\")");
	parser->in_filter = outer;
	tr_probe_expect(parser, ')', ")");
}

static struct probe_node *parse_sizeof(struct probe_parser *parser)
{
	struct probe_node *node = make_node(parser, NODE_SIZEOF);
	tr_probe_next(parser);
	bool is_type = parser->token == '(' && is_cast(parser);
	if (!node)
		return placeholder_node();
	if (!is_type && parser->token == '(') {
		/* "sizeof(name)" may be a type; the compiler looks. */
		tr_probe_next(parser);
		node->a = parse_operators(parser, 0);
		tr_probe_expect(parser, ')', ")");
	} else if (is_type) {
		tr_probe_next(parser);
		node->type = parse_type(parser);
		tr_probe_expect(parser, ')', ")");
	} else {
		tr_probe_fail_at_token(parser, "( after sizeof");
	}
	return node;
}

static struct probe_node *parse_name(struct probe_parser *parser)
{
	if (tr_probe_is_at_word(parser, "sizeof"))
		return parse_sizeof(parser);
	struct probe_node *node = make_node(parser, NODE_NAME);
	if (!node)
		return placeholder_node();
	bool quoted = parser->is_quoted;
	node->text = parser->word;
	node->is_quoted = quoted;
	tr_probe_next(parser);
	if (!quoted && parser->token == '(') {
		if (!is_builtin_call(node->text)) {
			tr_probe_fail(
			    parser,
			    "no function %s(): str, buf, words, reg, symbol, "
			    "lowest_sp, entry, sizeof and container_of are known",
			    node->text);
			return placeholder_node();
		}
		node->kind = NODE_CALL;
		parse_arguments(parser, node);
	}
	return node;
}

static struct probe_node *parse_group(struct probe_parser *parser)
{
	bool outer = parser->in_filter;
	parser->in_filter = false;
	tr_probe_next(parser);
	struct probe_node *node = parse_operators(parser, 0);
	parser->in_filter = outer;
	tr_probe_expect(parser, ')', ")");
	return node;
}

static struct probe_node *parse_primary(struct probe_parser *parser)
{
	struct probe_node *node;
	if (parser->token == TOKEN_NAME)
		return parse_name(parser);
	if (parser->token == '(')
		return parse_group(parser);
	if (parser->token != TOKEN_NUMBER && parser->token != TOKEN_STRING) {
		tr_probe_fail_at_token(parser, "an expression");
		return placeholder_node();
	}
	node =
	    make_node(parser, parser->token == TOKEN_NUMBER ? NODE_NUMBER : NODE_STRING);
	if (!node)
		return placeholder_node();
	node->number = parser->token == TOKEN_NUMBER ? parser->number : parser->word_size;
	node->is_unsigned = parser->is_unsigned;
	node->is_hexadecimal = parser->is_hexadecimal;
	node->longs = parser->longs;
	node->text = parser->token == TOKEN_STRING ? parser->word : "";
	tr_probe_next(parser);
	return node;
}

static struct probe_node *parse_postfix(struct probe_parser *parser)
{
	struct probe_node *node = parse_primary(parser);
	for (unsigned i = 0; !parser->failed; i++) {
		struct probe_node *outer;
		int op = parser->token;
		if (op != '[' && op != '.' && op != TOKEN_ARROW)
			return node;
		if (i == PROBE_DEEP)
			tr_probe_fail(parser, "more than %d members", PROBE_DEEP);
		outer = make_node(parser, op == '[' ? NODE_INDEX : NODE_MEMBER);
		tr_probe_next(parser);
		if (!outer)
			return placeholder_node();
		outer->a = node;
		outer->op = op;
		if (op == '[') {
			bool filter = parser->in_filter;
			parser->in_filter = false;
			outer->b = parse_operators(parser, 0);
			parser->in_filter = filter;
			tr_probe_expect(parser, ']', "]");
		} else {
			outer->names = parse_names(parser);
		}
		node = outer;
	}
	return node;
}

static struct probe_node *parse_unary(struct probe_parser *parser)
{
	struct probe_node *node;
	int op = parser->token;
	if (++parser->deep > PROBE_DEEP) {
		tr_probe_fail(parser, "expressions nested more than %d deep", PROBE_DEEP);
		return placeholder_node();
	}
	if (op == '(' && is_cast(parser)) {
		node = make_node(parser, NODE_CAST);
		tr_probe_next(parser);
		struct probe_type type = parse_type(parser);
		tr_probe_expect(parser, ')', ")");
		if (node) {
			node->type = type;
			node->a = parse_unary(parser);
		}
	} else if (op == '-' || op == '+' || op == '~' || op == '!' || op == '*' ||
		   op == '&') {
		node = make_node(parser, NODE_UNARY);
		tr_probe_next(parser);
		if (node) {
			node->op = op;
			node->a = parse_unary(parser);
		}
	} else {
		node = parse_postfix(parser);
	}
	parser->deep--;
	return node ? node : placeholder_node();
}

/* --- operators */

static unsigned operator_precedence(const struct probe_parser *parser)
{
	switch (parser->token) {
	case '/':
		return parser->in_filter ? 0 : 10;
	case '*':
	case '%':
		return 10;
	case '+':
	case '-':
		return 9;
	case TOKEN_SHL:
	case TOKEN_SHR:
		return 8;
	case '<':
	case '>':
	case TOKEN_LE:
	case TOKEN_GE:
		return 7;
	case TOKEN_EQ:
	case TOKEN_NE:
		return 6;
	case '&':
		return 5;
	case '^':
		return 4;
	case '|':
		return 3;
	case TOKEN_AND:
		return 2;
	case TOKEN_OR:
		return 1;
	default:
		return 0;
	}
}

static struct probe_node *parse_condition(struct probe_parser *parser,
					  struct probe_node *first)
{
	struct probe_node *node = make_node(parser, NODE_CONDITION);
	tr_probe_next(parser);
	if (!node)
		return placeholder_node();
	node->a = first;
	node->b = parse_operators(parser, 0);
	tr_probe_expect(parser, ':', ":");
	node->c = parse_operators(parser, 0);
	return node;
}

/* Parses operators that bind more tightly than `lowest`; 0 for all. */
static struct probe_node *parse_operators(struct probe_parser *parser, unsigned lowest)
{
	if (++parser->deep > PROBE_DEEP) {
		tr_probe_fail(parser, "expressions nested more than %d deep", PROBE_DEEP);
		return placeholder_node();
	}
	struct probe_node *node = parse_unary(parser);
	unsigned own, terms = 0;
	while (!parser->failed && (own = operator_precedence(parser)) > lowest) {
		struct probe_node *outer = make_node(parser, NODE_BINARY);
		if (!outer)
			break;
		if (++terms == PROBE_DEEP)
			tr_probe_fail(parser, "more than %d terms: use parentheses",
				      PROBE_DEEP);
		outer->op = parser->token;
		tr_probe_next(parser);
		outer->a = node;
		outer->b = parse_operators(parser, own);
		node = outer;
	}
	if (lowest == 0 && parser->token == '?' && !parser->failed)
		node = parse_condition(parser, node);
	parser->deep--;
	return node;
}

struct probe_node *tr_probe_expression(struct probe_parser *parser)
{
	return parse_operators(parser, 0);
}
