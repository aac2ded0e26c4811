/* SPDX-License-Identifier: Apache-2.0 */
/* Splits source into tokens, without comments, strings and preprocessor lines. */
#include "tokens.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *path)
{
	perror(path);
	exit(2);
}

static void load(struct source *source)
{
	FILE *file = fopen(source->path, "r");
	if (!file || fseek(file, 0, SEEK_END))
		die(source->path);
	long size = ftell(file);
	if (size < 0)
		die(source->path);
	rewind(file);
	source->size = (size_t)size;
	source->text = calloc(1, source->size + 1);
	source->tokens = calloc(source->size + 1, sizeof(*source->tokens));
	if (!source->text || !source->tokens ||
	    fread(source->text, 1, source->size, file) != source->size)
		die(source->path);
	fclose(file);
}

bool source_is(const struct source *source, size_t i, const char *text)
{
	if (i >= source->count)
		return false;
	const struct token *token = &source->tokens[i];
	return strlen(text) == token->length &&
	       memcmp(source->text + token->at, text, token->length) == 0;
}

bool source_is_type(const struct source *source, size_t i)
{
	static const char *const WORDS[] = {
	    "const", "struct", "static", "enum",   "union", "int",  "unsigned", "char",
	    "short", "long",   "bool",	 "double", "float", "void", "FILE"};
	if (i >= source->count || source->tokens[i].kind != TOKEN_WORD)
		return false;
	for (size_t w = 0; w < sizeof(WORDS) / sizeof(WORDS[0]); w++)
		if (source_is(source, i, WORDS[w]))
			return true;
	const struct token *token = &source->tokens[i];
	return token->length > 2 &&
	       memcmp(source->text + token->at + token->length - 2, "_t", 2) == 0;
}

static size_t string_end(const char *text, size_t at)
{
	char quote = text[at++];
	while (text[at] && text[at] != quote)
		at += text[at] == '\\' ? 2 : 1;
	return at + 1;
}

static size_t line_end(const char *text, size_t at)
{
	while (text[at] && (text[at] != '\n' || text[at - 1] == '\\'))
		at++;
	return at;
}

static size_t punctuator_length(const char *text)
{
	static const char *const LONG[] = {
	    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
	    "!=",  "&&",  "||",	 "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="};
	for (size_t i = 0; i < sizeof(LONG) / sizeof(LONG[0]); i++)
		if (strncmp(text, LONG[i], strlen(LONG[i])) == 0)
			return strlen(LONG[i]);
	return 1;
}

/* Returns the end of the element at `at`; *kind is that of a token, or -1. */
static size_t scan(const char *text, size_t at, bool line_start, int *kind)
{
	size_t end = at;
	*kind = -1;
	if (text[at] == '#' && line_start)
		return line_end(text, at);
	if (strncmp(text + at, "/*", 2) == 0) {
		const char *close = strstr(text + at + 2, "*/");
		return close ? (size_t)(close - text) + 2 : strlen(text);
	}
	if (text[at] == '"' || text[at] == '\'') {
		*kind = TOKEN_TEXT;
		return string_end(text, at);
	}
	if (isalnum((unsigned char)text[at]) || text[at] == '_') {
		*kind = isdigit((unsigned char)text[at]) ? TOKEN_NUMBER : TOKEN_WORD;
		while (isalnum((unsigned char)text[end]) || text[end] == '_')
			end++;
		return end;
	}
	*kind = TOKEN_PUNCTUATOR;
	return at + punctuator_length(text + at);
}

static void split(struct source *source)
{
	unsigned line = 1;
	bool line_start = true;
	for (size_t at = 0; at < source->size;) {
		if (isspace((unsigned char)source->text[at])) {
			if (source->text[at++] == '\n') {
				line++;
				line_start = true;
			}
			continue;
		}
		int kind;
		size_t end = source->sv ? scan_sv(source->text, at, &kind)
					: scan(source->text, at, line_start, &kind);
		if (end > source->size)
			end = source->size;
		if (kind >= 0)
			source->tokens[source->count++] =
			    (struct token){.kind = (enum token_kind)kind,
					   .at = at,
					   .length = end - at,
					   .line = line};
		for (; at < end; at++)
			line += source->text[at] == '\n';
		line_start = false;
	}
}

/* A brace after a closing parenthesis, outside all others, opens a function. */
static void mark_bodies(struct source *source)
{
	unsigned depth = 0;
	bool body = false;
	for (size_t i = 0; i < source->count; i++) {
		if (source_is(source, i, "{") && depth++ == 0)
			body = i > 0 && source_is(source, i - 1, ")");
		else if (source_is(source, i, "}") && depth > 0 && --depth == 0)
			body = false;
		source->tokens[i].body = body;
	}
}

static bool begins_statement(const struct source *source, size_t i)
{
	return source_is(source, i - 1, ";") || source_is(source, i - 1, "{") ||
	       source_is(source, i - 1, "}") ||
	       (source_is(source, i - 1, "(") && source_is(source, i - 2, "for"));
}

static void mark_fixed(struct source *source)
{
	for (size_t i = 2; i < source->count; i++) {
		size_t end = i;
		if (!source->tokens[i].body)
			continue;
		if (source_is(source, i, "case"))
			while (end < source->count && !source_is(source, end, ":"))
				end++;
		else if (begins_statement(source, i) && source_is_type(source, i))
			while (end < source->count && !source_is(source, end, "=") &&
			       !source_is(source, end, ";"))
				end++;
		for (; i < end; i++)
			source->tokens[i].fixed = true;
	}
}

void source_read(struct source *source, const char *path)
{
	size_t length = strlen(path);
	*source = (struct source){.path = path};
	source->sv = length > 3 && strcmp(path + length - 3, ".sv") == 0;
	load(source);
	split(source);
	if (source->sv) {
		mark_sv(source);
		return;
	}
	mark_bodies(source);
	mark_fixed(source);
}
