/* SPDX-License-Identifier: Apache-2.0 */
/* C source as tokens, as far as finding places to mutate needs it. */
#ifndef MUTANTS_TOKENS_H
#define MUTANTS_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind { TOKEN_WORD, TOKEN_NUMBER, TOKEN_PUNCTUATOR, TOKEN_TEXT };

struct token {
	enum token_kind kind;
	size_t at, length; /* bytes of the source */
	unsigned line;	   /* from 1 */
	bool body;	   /* within a function */
	bool fixed;	   /* of a declaration's type or a case label */
};

struct source {
	const char *path;
	char *text; /* ends in NUL */
	size_t size;
	struct token *tokens;
	size_t count;
};

/* Ends the program with a message when it cannot. Never freed. */
void source_read(struct source *source, const char *path);

/* Does token `i` read `text`? False beyond the ends. */
bool source_is(const struct source *source, size_t i, const char *text);
/* Is it the name of a type, or a word that only declarations begin with? */
bool source_is_type(const struct source *source, size_t i);

#endif
