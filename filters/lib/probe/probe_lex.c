/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of the probe language. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "probe/probe_internal.h"

static void fail_at(struct probe_parser *parser, unsigned line, unsigned column,
		    const char *format, va_list args)
{
	if (parser->failed)
		return;
	parser->failed = true;
	parser->token = TOKEN_END;
	int used = snprintf(parser->message, PROBE_MESSAGE,
			    "%.200s: line %u, column %u: ", parser->source, line, column);
	vsnprintf(parser->message + used, PROBE_MESSAGE - (size_t)used, format, args);
}

void tr_probe_fail(struct probe_parser *parser, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fail_at(parser, parser->token_line, parser->token_column, format, args);
	va_end(args);
}

void tr_probe_fail_at_token(struct probe_parser *parser, const char *wanted)
{
	size_t size = (size_t)(parser->at - parser->start);
	if (parser->token == TOKEN_END)
		tr_probe_fail(parser, "%s expected, not the end", wanted);
	else
		tr_probe_fail(parser, "%s expected, not \"%.*s\"", wanted,
			      size > 40 ? 40 : (int)size, parser->start);
}

void *tr_probe_take(struct probe_parser *parser, size_t size)
{
	void *room = tr_arena_take(parser->arena, size);
	if (room)
		return memset(room, 0, size);
	parser->no_memory = true;
	tr_probe_fail(parser, "out of memory");
	return NULL;
}

const char *tr_probe_text(struct probe_parser *parser, const char *from, size_t size)
{
	char *copy = tr_probe_take(parser, size + 1);
	if (!copy)
		return "";
	memcpy(copy, from, size);
	return copy;
}

static void advance_parser(struct probe_parser *parser, size_t bytes)
{
	for (; bytes; bytes--) {
		if (*parser->at++ == '\n') {
			parser->line++;
			parser->column = 1;
		} else {
			parser->column++;
		}
	}
}

static void skip_space(struct probe_parser *parser)
{
	for (;;) {
		if (isspace((unsigned char)*parser->at))
			advance_parser(parser, 1);
		else if (*parser->at == '#')
			advance_parser(parser, strcspn(parser->at, "\n"));
		else if (strncmp(parser->at, "//", 2) == 0)
			advance_parser(parser, strcspn(parser->at, "\n"));
		else
			return;
	}
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int unescape_char(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '0':
		return '\0';
	case '\\':
	case '"':
	case '\'':
		return c;
	default:
		return -1;
	}
}

/* Reads text between quotes; within back quotes a backslash is one. */
static void lex_quoted(struct probe_parser *parser, char quote)
{
	const char *at = parser->at + 1;
	char *copy = tr_probe_take(parser, strcspn(at, "\n") + 1);
	size_t size = 0;
	while (copy && *at != quote) {
		int c = *at++;
		if (c == '\0' || c == '\n') {
			tr_probe_fail(parser, "the text has no closing %c", quote);
			return;
		}
		if (c == '\\' && quote != '`')
			c = unescape_char(*at++);
		if (c < 0) {
			tr_probe_fail(parser, "unknown escape \\%c", at[-1]);
			return;
		}
		copy[size++] = (char)c;
	}
	if (!copy)
		return;
	advance_parser(parser, (size_t)(at + 1 - parser->at));
	parser->word = copy;
	parser->word_size = size;
	parser->token = quote == '"' ? TOKEN_STRING : TOKEN_NAME;
	parser->is_quoted = true;
	if (quote == '\'') {
		parser->token = TOKEN_NUMBER;
		parser->number = (unsigned char)copy[0];
		if (size != 1)
			tr_probe_fail(parser, "one character expected between '");
	}
}

static void lex_number(struct probe_parser *parser)
{
	const char *end = tr_parse_number(parser->at, &parser->number);
	parser->is_hexadecimal =
	    parser->at[0] == '0' && (parser->at[1] == 'x' || parser->at[1] == 'X');
	if (!end) {
		bool is_empty =
		    parser->is_hexadecimal && !isxdigit((unsigned char)parser->at[2]);
		tr_probe_fail(parser,
			      is_empty ? "no digits after 0x" : "a number above 64 bits");
		return;
	}
	if (parser->at[0] == '0' && isdigit((unsigned char)parser->at[1])) {
		tr_probe_fail(parser,
			      "octal numbers are not known; 0x begins hexadecimal");
		return;
	}
	for (; *end && strchr("uUlL", *end); end++) {
		parser->is_unsigned |= *end == 'u' || *end == 'U';
		parser->longs += *end == 'l' || *end == 'L';
	}
	if (*end == '.' && isdigit((unsigned char)end[1])) {
		tr_probe_fail(parser, "numbers are integers");
		return;
	}
	if (is_name_char(*end)) {
		tr_probe_fail(parser, "a letter in a number");
		return;
	}
	advance_parser(parser, (size_t)(end - parser->at));
	parser->token = TOKEN_NUMBER;
}

static void lex_word(struct probe_parser *parser, const char *others)
{
	const char *end = parser->at;
	while (is_name_char(*end) || (*end && strchr(others, *end)))
		end++;
	parser->word_size = (size_t)(end - parser->at);
	parser->word = tr_probe_text(parser, parser->at, parser->word_size);
	parser->token = TOKEN_NAME;
	advance_parser(parser, parser->word_size);
}

static void lex_operator(struct probe_parser *parser)
{
	static const struct {
		const char *text;
		int token;
	} pairs[] = {{"->", TOKEN_ARROW}, {"<<", TOKEN_SHL}, {">>", TOKEN_SHR},
		     {"<=", TOKEN_LE},	  {">=", TOKEN_GE},  {"==", TOKEN_EQ},
		     {"!=", TOKEN_NE},	  {"&&", TOKEN_AND}, {"||", TOKEN_OR}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (strncmp(parser->at, pairs[i].text, 2) == 0) {
			parser->token = pairs[i].token;
			advance_parser(parser, 2);
			return;
		}
	if (!strchr("+-*/%&|^~!<>=()[]{}.,;:?@", *parser->at)) {
		if (isprint((unsigned char)*parser->at))
			tr_probe_fail(parser, "unknown character %c", *parser->at);
		else
			tr_probe_fail(parser, "unknown character 0x%02x",
				      (unsigned char)*parser->at);
		return;
	}
	parser->token = *parser->at;
	advance_parser(parser, 1);
}

static void begin_token(struct probe_parser *parser)
{
	parser->end = parser->at;
	skip_space(parser);
	parser->token = TOKEN_END;
	parser->token_line = parser->line;
	parser->token_column = parser->column;
	parser->start = parser->at;
	parser->is_unsigned = parser->is_hexadecimal = parser->is_quoted = false;
	parser->longs = 0;
}

void tr_probe_next(struct probe_parser *parser)
{
	if (parser->failed)
		return;
	begin_token(parser);
	char c = *parser->at;
	if (c == '\0')
		return;
	if (c == '"' || c == '`' || c == '\'')
		lex_quoted(parser, c);
	else if (isdigit((unsigned char)c))
		lex_number(parser);
	else if (is_name_char(c) || c == '$')
		lex_word(parser, "$");
	else
		lex_operator(parser);
}

void tr_probe_next_loose(struct probe_parser *parser, const char *others)
{
	if (parser->failed)
		return;
	begin_token(parser);
	if (*parser->at == '`')
		lex_quoted(parser, '`');
	else if (is_name_char(*parser->at) ||
		 (*parser->at && strchr(others, *parser->at)))
		lex_word(parser, others);
	else
		tr_probe_next(parser);
}

bool tr_probe_accept(struct probe_parser *parser, int token)
{
	if (parser->failed || parser->token != token)
		return false;
	tr_probe_next(parser);
	return true;
}

bool tr_probe_is_at_word(const struct probe_parser *parser, const char *word)
{
	return parser->token == TOKEN_NAME && !parser->is_quoted &&
	       strcmp(parser->word, word) == 0;
}

void tr_probe_expect(struct probe_parser *parser, int token, const char *wanted)
{
	if (!parser->failed && !tr_probe_accept(parser, token))
		tr_probe_fail_at_token(parser, wanted);
}
