/* SPDX-License-Identifier: Apache-2.0 */
/* Source in C or SystemVerilog as tokens, in the detail needed to find places to
 * mutate. */
#ifndef MUTANTS_TOKENS_H
#define MUTANTS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_PUNCTUATOR, TOKEN_TEXT };

struct token {
	enum token_kind kind;
	size_t at, length; /* bytes of the source */
	unsigned line;	   /* from 1 */
	bool body;	   /* within a function, or a module but no declaration */
	bool fixed;	   /* part of a declaration's type or a case label */
	/* SystemVerilog: */
	bool assigns; /* an assignment operator */
	bool starts;  /* the first token of an assignment in a block */
};

struct source {
	const char *path;
	char *text; /* NUL-terminated */
	size_t size;
	struct token *tokens;
	size_t count;
	bool sv; /* SystemVerilog, by the file name */
};

/* Reads and splits a file, which is never freed. On failure, ends the program with a
 * message. */
void source_read(struct source *source, const char *path);

/* Returns whether token `i` is `text`; false beyond the ends. */
bool source_is(const struct source *source, size_t i, const char *text);
/* Returns whether it is the name of a type, or a keyword that only declarations start
 * with. */
bool source_is_type(const struct source *source, size_t i);

/* The SystemVerilog parts. scan_sv() returns the end of the token at `at`, or of anything
 * else (*kind: -1); mark_sv() sets the flags of all tokens. */
size_t scan_sv(const char *text, size_t at, int *kind);
void mark_sv(struct source *source);

#endif
