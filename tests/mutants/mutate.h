/* SPDX-License-Identifier: Apache-2.0 */
/* What the changes of C and of SystemVerilog share. */
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
	char new[NEW_MAX]; /* for the caller of add() to write */
};

/* An operator, and those that may take its place. */
struct replacement {
	const char *old;
	const char *new[REPLACEMENTS_MAX];
	bool binary; /* must follow an operand */
};

/* A change of the bytes [at, at + length), `at` being where the token begins; kind
 * tells apart what begins there. Valid until the next is added. */
struct change *add(const struct source *source, size_t token, size_t length,
		   uint64_t kind);
/* A second number of the same draw. */
unsigned choose(const struct change *change, unsigned among);
void add_replacement(const struct source *source, size_t i, const struct replacement *r);
/* `if (C)`: the opposite, always, never; `while (C)`: the opposite, never. */
void mutate_condition(const struct source *source, size_t i);

/* Adds all changes of a source in SystemVerilog. */
void mutate_sv(const struct source *source);

#endif
