/* SPDX-License-Identifier: Apache-2.0 */
/* Source in C or SystemVerilog as tokens, as far as finding places to mutate needs it. */
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
	bool fixed;	   /* of a declaration's type or a case label */
	/* SystemVerilog: */
	bool assigns; /* the operator of an assignment */
	bool starts;  /* an assignment in a block */
};

struct source {
	const char *path;
	char *text; /* ends in NUL */
	size_t size;
	struct token *tokens;
	size_t count;
	bool sv; /* SystemVerilog, by its name */
};

/* Ends the program with a message when it cannot. Never freed. */
void source_read(struct source *source, const char *path);

/* Does token `i` read `text`? False beyond the ends. */
bool source_is(const struct source *source, size_t i, const char *text);
/* Is it the name of a type, or a word that only declarations begin with? */
bool source_is_type(const struct source *source, size_t i);

/* The parts that are SystemVerilog's: the end of the token that begins at `at`, or of
 * what is none (*kind: -1); and the flags of all tokens. */
size_t scan_sv(const char *text, size_t at, int *kind);
void mark_sv(struct source *source);

#endif
