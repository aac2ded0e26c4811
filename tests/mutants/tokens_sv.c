/* SPDX-License-Identifier: Apache-2.0 */
/* Splits SystemVerilog into tokens; declarations are not mutated either. */
#include <ctype.h>
#include <string.h>

#include "tokens.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Scans a literal from its tick. */
static size_t literal_end(const char *text, size_t at)
{
	at++;
	if (text[at] == 's' || text[at] == 'S')
		at++;
	while (is_word(text[at]) || text[at] == '?')
		at++;
	return at;
}

static size_t operator_length(const char *text)
{
	static const char *const LONG[] = {">>>", "<<", ">>", "<=", ">=", "==", "!=",
					   "&&",  "||", "+:", "-:", "++", "--", "::"};
	for (size_t i = 0; i < sizeof(LONG) / sizeof(LONG[0]); i++)
		if (strncmp(text, LONG[i], strlen(LONG[i])) == 0)
			return strlen(LONG[i]);
	return 1;
}

size_t scan_sv(const char *text, size_t at, int *kind)
{
	*kind = -1;
	if (text[at] == '`' || strncmp(text + at, "//", 2) == 0)
		return at + strcspn(text + at, "\n");
	if (strncmp(text + at, "/*", 2) == 0) {
		const char *close = strstr(text + at + 2, "*/");
		return close ? (size_t)(close - text) + 2 : strlen(text);
	}
	if (text[at] == '"') {
		*kind = TOKEN_TEXT;
		return at + strcspn(text + at + 1, "\"") + 2;
	}
	*kind = TOKEN_NUMBER;
	if (text[at] == '\'' && isalnum((unsigned char)text[at + 1]))
		return literal_end(text, at);
	if (is_word(text[at])) {
		if (!isdigit((unsigned char)text[at]))
			*kind = TOKEN_WORD;
		while (is_word(text[at]))
			at++;
		if (*kind == TOKEN_NUMBER && text[at] == '\'')
			return literal_end(text, at);
		return at;
	}
	*kind = TOKEN_PUNCTUATOR;
	return at + operator_length(text + at);
}

static bool is_one_of(const struct source *source, size_t i, const char *const *texts)
{
	for (; *texts; texts++)
		if (source_is(source, i, *texts))
			return true;
	return false;
}

/* Types are the words that end in _e or _t. */
static bool names_type(const struct source *source, size_t i)
{
	const struct token *token = &source->tokens[i];
	const char *end = source->text + token->at + token->length;
	return token->kind == TOKEN_WORD && token->length > 2 &&
	       (strncmp(end - 2, "_e", 2) == 0 || strncmp(end - 2, "_t", 2) == 0);
}

static bool begins_declaration(const struct source *source, size_t i)
{
	static const char *const WORDS[] = {
	    "module", "function", "logic", "localparam", "parameter", "typedef", "genvar",
	    "wire",   "input",	  "int",   "integer",	 "import",    NULL};
	if (i + 2 < source->count && source_is(source, i + 1, "::"))
		i += 2;
	return is_one_of(source, i, WORDS) || names_type(source, i);
}

/* Returns the nesting depth in parentheses, brackets and braces after token `i`. */
static unsigned step(const struct source *source, size_t i, unsigned depth)
{
	static const char *const OPEN[] = {"(", "[", "{", NULL};
	static const char *const CLOSE[] = {")", "]", "}", NULL};
	if (is_one_of(source, i, OPEN))
		return depth + 1;
	return depth && is_one_of(source, i, CLOSE) ? depth - 1 : depth;
}

/* Returns the semicolon that ends the statement at `i`. */
static size_t statement_end(const struct source *source, size_t i)
{
	unsigned depth = 0;
	for (; i < source->count; i++) {
		depth = step(source, i, depth);
		if (depth == 0 && source_is(source, i, ";"))
			break;
	}
	return i;
}

/* `<=` assigns if it is the first operator of its statement, and compares elsewhere. */
void mark_sv(struct source *source)
{
	static const char *const BEFORE[] = {";", "begin", "end", "else", ":", ")", NULL};
	static const char *const ASSIGN[] = {"=", "<=", NULL};
	unsigned depth = 0;
	bool assigned = false;
	size_t start = 0;
	for (size_t i = 0; i < source->count; i++) {
		if (depth == 0 && start == i && begins_declaration(source, i)) {
			i = statement_end(source, i);
			start = i + 1;
			continue;
		}
		source->tokens[i].body = true;
		depth = step(source, i, depth);
		if (depth)
			continue;
		if (!assigned && is_one_of(source, i, ASSIGN)) {
			assigned = true;
			source->tokens[i].assigns = true;
			source->tokens[start].starts =
			    !source_is(source, start, "assign");
		} else if (is_one_of(source, i, BEFORE)) {
			if (source_is(source, i, ";"))
				assigned = false;
			if (!assigned)
				start = i + 1;
		}
	}
}
