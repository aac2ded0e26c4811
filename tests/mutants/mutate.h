/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the changes of C and of SystemVerilog. */
#ifndef MUTANTS_MUTATE_H
#define MUTANTS_MUTATE_H

#include <stdint.h>

#include "tokens.h"

enum { NEW_MAX = 512, REPLACEMENTS_MAX = 6 };

struct change {
	uint64_t rank;
	const struct source *source;
	size_t at, length;
	unsigned line;
	unsigned choices;  /* among which choose() chose: 1 if it did not */
	char new[NEW_MAX]; /* for the caller of add() to write */
};

/* An operator and its possible replacements. */
struct replacement {
	const char *old;
	const char *new[REPLACEMENTS_MAX];
	bool binary; /* must follow an operand */
};

/* Returns a new change of the bytes [at, at + length), where the token begins at `at`;
 * `kind` distinguishes changes at the same token. Valid until the next call. */
struct change *add(const struct source *source, size_t token, size_t length,
		   uint64_t kind);
/* Returns a second random number of the same draw; of `every` change, each in its turn.
 */
unsigned choose(struct change *change, unsigned among);
void add_replacement(const struct source *source, size_t i, const struct replacement *r);
/* Adds, for `if (C)`: the negation, always, never; for `while (C)`: the negation,
 * never. */
void mutate_condition(const struct source *source, size_t i);

/* Adds all changes of a source in SystemVerilog. */
void mutate_sv(const struct source *source);

#endif
