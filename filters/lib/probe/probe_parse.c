/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of the probe language. */
#include <string.h>

#include "probe/probe_internal.h"

/* The characters of files' names, after a word that the lexer has read. */
static const char *parse_binary(struct probe_parser *parser)
{
	tr_probe_next_loose(parser, ".+-[]");
	if (tr_probe_accept(parser, '*'))
		return PROBE_ANY;
	const char *name = parser->word;
	tr_probe_expect(parser, TOKEN_NAME, "a binary, as in vmlinux:do_exit,");
	return name;
}

static void parse_function(struct probe_parser *parser, struct probe_function *function)
{
	function->name = parser->word;
	if (tr_probe_accept(parser, '*')) {
		function->name = PROBE_ANY; /* :masked */
		return;
	}
	if (parser->token != TOKEN_NAME) {
		tr_probe_fail_at_token(parser, "a function");
		return;
	}
	tr_probe_next(parser);
	if (parser->token == '@') {
		tr_probe_next_loose(parser, "./-+");
		function->file = parser->word;
		tr_probe_expect(parser, TOKEN_NAME, "a source file");
	}
}

static void parse_functions(struct probe_parser *parser,
			    struct probe_definition *definition)
{
	struct probe_function **end = &definition->functions;
	do {
		*end = tr_probe_take(parser, sizeof(**end));
		if (!*end)
			return;
		tr_probe_next_loose(parser, ".$");
		parse_function(parser, *end);
		end = &(*end)->next;
	} while (parser->token == '|' && !parser->failed);
}

static void parse_line_place(struct probe_parser *parser,
			     struct probe_definition *definition)
{
	definition->kind = TR_PROBE_PLACE;
	tr_probe_next(parser);
	if (parser->token != '(') {
		tr_probe_fail_at_token(parser, "(");
		return;
	}
	tr_probe_next_loose(parser, "./-+");
	definition->at_file = parser->word;
	tr_probe_expect(parser, TOKEN_NAME, "a source file, as in line(sort.c:412),");
	tr_probe_expect(parser, ':', ": and a line");
	if (parser->token != TOKEN_NUMBER || parser->number == 0 ||
	    parser->number > UINT32_MAX)
		tr_probe_fail_at_token(parser, "a line");
	definition->at_line = (uint32_t)parser->number;
	tr_probe_next(parser);
	tr_probe_expect(parser, ')', ")");
}

/* What a :changed watches takes the place of a filter. */
static void parse_changed(struct probe_parser *parser,
			  struct probe_definition *definition)
{
	definition->kind = TR_PROBE_CHANGED;
	tr_probe_next(parser);
	tr_probe_expect(parser, '(', "( and an expression, as in changed(L->ci),");
	definition->filter = tr_probe_expression(parser);
	tr_probe_expect(parser, ')', ")");
}

/* The part after the function; the token is what follows it. */
static void parse_where(struct probe_parser *parser, struct probe_definition *definition)
{
	if (tr_probe_accept(parser, '+')) {
		definition->kind = TR_PROBE_PLACE;
		definition->has_offset = true;
		definition->offset = parser->number;
		tr_probe_expect(parser, TOKEN_NUMBER, "an offset");
	} else if (tr_probe_accept(parser, ':')) {
		if (tr_probe_is_at_word(parser, "return")) {
			definition->kind = TR_PROBE_RETURN;
			tr_probe_next(parser);
		} else if (tr_probe_is_at_word(parser, "entry")) {
			tr_probe_next(parser);
		} else if (tr_probe_is_at_word(parser, "masked")) {
			definition->kind = TR_PROBE_MASKED;
			tr_probe_next(parser);
		} else if (tr_probe_is_at_word(parser, "line")) {
			parse_line_place(parser, definition);
		} else if (tr_probe_is_at_word(parser, "changed")) {
			parse_changed(parser, definition);
		} else {
			tr_probe_fail_at_token(
			    parser,
			    "entry, return, changed(EXPRESSION), masked or line(FILE:N)");
		}
	}
	if (!parser->failed && (strcmp(definition->functions->name, PROBE_ANY) == 0) !=
				   (definition->kind == TR_PROBE_MASKED))
		tr_probe_fail(parser,
			      ":masked is of all functions, as in vmlinux:*:masked");
}

static bool is_field(const struct probe_definition *definition, const char *name)
{
	for (const struct probe_field *field = definition->fields; field;
	     field = field->next)
		if (strcmp(field->name, name) == 0)
			return true;
	return false;
}

static void parse_fields(struct probe_parser *parser, struct probe_definition *definition)
{
	struct probe_field **end = &definition->fields;
	while (parser->token == TOKEN_NAME && !parser->failed) {
		struct probe_field *field = tr_probe_take(parser, sizeof(*field));
		if (!field)
			return;
		field->name = parser->word;
		if (is_field(definition, field->name))
			tr_probe_fail(parser, "%s is there twice", field->name);
		else if (parser->is_quoted || (*field->name == '$' && !field->name[1]))
			tr_probe_fail_at_token(parser, "a name");
		tr_probe_next(parser);
		tr_probe_expect(parser, '=', "=");
		field->value = tr_probe_expression(parser);
		*end = field;
		end = &field->next;
		if (!tr_probe_accept(parser, ';') && parser->token != '}')
			tr_probe_fail_at_token(parser, "; or }");
	}
}

static struct probe_definition *parse_definition(struct probe_parser *parser)
{
	struct probe_definition *definition = tr_probe_take(parser, sizeof(*definition));
	if (!definition)
		return NULL;
	definition->source = parser->source;
	definition->line = parser->token_line;
	definition->column = parser->token_column;
	definition->is_also = tr_probe_accept(parser, '+');
	definition->name = parser->word;
	tr_probe_expect(parser, TOKEN_NAME, "the name of a probe");
	/* What follows has other characters than an expression. */
	if (parser->token != ':') {
		tr_probe_fail_at_token(parser, ": and a binary");
		return definition;
	}
	definition->binary = parse_binary(parser);
	if (parser->token != ':') {
		tr_probe_fail_at_token(parser, ": and a function");
		return definition;
	}
	parse_functions(parser, definition);
	parse_where(parser, definition);
	definition->is_optional = tr_probe_accept(parser, '?');
	if (parser->token == '/' && definition->kind == TR_PROBE_CHANGED)
		tr_probe_fail(parser, "a :changed has no filter");
	if (parser->token == '/') {
		parser->in_filter = true;
		tr_probe_next(parser);
		definition->filter = tr_probe_expression(parser);
		parser->in_filter = false;
		tr_probe_expect(parser, '/', "/ at the end of the filter");
	}
	tr_probe_expect(parser, '{', "{");
	parse_fields(parser, definition);
	tr_probe_expect(parser, '}', "} or a field");
	return definition;
}

/* Expressions, whose text is their name. */
static struct probe_definition *parse_expressions(struct probe_parser *parser)
{
	struct probe_definition *definition = tr_probe_take(parser, sizeof(*definition));
	if (!definition)
		return NULL;
	struct probe_field **end = &definition->fields;
	definition->source = definition->name = parser->source;
	definition->line = definition->column = 1;
	definition->kind = TR_PROBE_PLACE;
	definition->is_address = true;
	do {
		struct probe_field *field = tr_probe_take(parser, sizeof(*field));
		const char *start = parser->start;
		if (!field)
			return NULL;
		if (parser->token == TOKEN_END && definition->fields)
			break; /* a ';' at the end */
		field->value = tr_probe_expression(parser);
		if (parser->failed) /* perhaps at the first token */
			return definition;
		field->name = tr_probe_text(parser, start, (size_t)(parser->end - start));
		*end = field;
		end = &field->next;
	} while (tr_probe_accept(parser, ';'));
	if (parser->token != TOKEN_END)
		tr_probe_fail_at_token(parser, "the end of the expression");
	return definition;
}

int tr_probe_parse(struct tr_arena *arena, const char *name, const char *text,
		   bool is_expression, struct probe_definition **list, char *message)
{
	struct probe_parser parser = {.arena = arena,
				      .source = name,
				      .text = text,
				      .at = text,
				      .line = 1,
				      .column = 1,
				      .message = message};
	struct probe_definition **end = list;
	*list = NULL;
	tr_probe_next(&parser);
	if (is_expression)
		*list = parse_expressions(&parser);
	else
		while (parser.token != TOKEN_END && !parser.failed) {
			*end = parse_definition(&parser);
			if (!*end)
				break;
			end = &(*end)->next;
		}
	if (parser.no_memory)
		return TR_E_NOMEM;
	return parser.failed ? TR_E_CORRUPT : TR_OK;
}
