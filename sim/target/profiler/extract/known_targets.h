/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of a program's code to which something may jump. A replaced instruction
 * must not be one, unless it is the first of a function.
 *
 * Direct targets are those of branches, jumps and calls in all code. Indirect ones are
 * the values of symbols, what relocations refer to, words in data that are addresses of
 * code (function pointers, vtables, absolute jump tables, labels as values of GNU C),
 * the entries of jump tables that are relative to their own address, addresses that code
 * computes by auipc or lui and addi, the program's entry, and landing pads of exceptions.
 * There may be too many of them, but of what gcc, clang and gas write none is missing. */
#ifndef PROF_KNOWN_TARGETS_H
#define PROF_KNOWN_TARGETS_H

#include "functions.h"
#include "table_jumps.h"

/* How it is known that something may jump to an address. */
enum prof_origin_kind {
	PROF_BY_NOTHING = 0, /* it is not known to be a target */
	PROF_BY_BRANCH,	     /* of the branch, jump or call at `at` */
	PROF_BY_SYMBOL,	     /* a symbol has that value */
	PROF_BY_ENTRY,	     /* the program begins there */
	PROF_BY_RELOCATION,  /* the one of the place `at` refers to it */
	PROF_BY_CHANGE,	     /* the dynamic linker changes `at` and what is behind it */
	PROF_BY_PAD,	     /* it is a landing pad of the function at `at` */
	PROF_BY_ANY_PAD,     /* the landing pads of the function at `at` cannot be read */
	PROF_BY_WORD,	     /* the word of data at `at` */
	PROF_BY_CODE,	     /* the instruction at `at` completes this address */
	PROF_BY_TABLE, /* the entry at `at` of a jump table, a distance from `base` */
};

struct prof_origin {
	enum prof_origin_kind kind;
	uint64_t at, base;
};

/* An address whose origin is asked for. */
struct prof_watched {
	uint64_t address;
	struct prof_origin origin;
};

/* The targets in one section of code. */
struct prof_target_map {
	uint64_t address, size;
	const uint8_t *code;
	/* A bit for each 2 bytes; and where instructions begin, read from the begin of
	 * each function on. */
	uint8_t *direct, *indirect, *begins;
	/* The same of entries of functions to which a jump table of their own refers. */
	uint8_t *repeated;
};

struct prof_targets {
	struct prof_target_map *maps; /* by address, apart */
	size_t count;
	/* Sorted: those at which an instruction begins. The others are false. */
	uint64_t *indirect;
	size_t indirect_count;
	struct prof_table_jump *jumps; /* by address */
	size_t jump_count, jump_capacity;
	uint64_t *table_targets;
	size_t table_target_count, table_target_capacity;
	struct prof_watched *watched; /* by address; NULL: none */
	size_t watched_count;
};

/* Finds the targets. Returns false with *trouble set. */
bool prof_find_targets(const struct prof_elf *elf, const struct prof_list *list,
		       struct prof_targets *targets, struct prof_trouble *trouble);
void prof_free_targets(struct prof_targets *targets);

/* Finds again the targets, and sets the origins of `count` addresses, which are sorted:
 * of several the one whose kind comes first. Returns false with *trouble set. */
bool prof_find_origins(const struct prof_elf *elf, const struct prof_list *list,
		       struct prof_watched *watched, size_t count,
		       struct prof_trouble *trouble);

/* Returns whether something may jump to an address at which an instruction begins. */
bool prof_is_target(const struct prof_targets *targets, uint64_t address);

/* Returns whether a jump table of a function has the function's entry, an address in
 * code.
 */
bool prof_is_repeated(const struct prof_targets *targets, uint64_t entry);

/* For the parts of this module: adds an address, which may be none of code; and marks the
 * entry of a function. */
void prof_add_target(struct prof_targets *targets, uint64_t address,
		     struct prof_origin origin);
void prof_mark_repeated(struct prof_targets *targets, uint64_t entry);

/* Adds the targets that the code itself has: of its branches, and of the addresses and
 * jump tables that it computes. `global_pointer` is the value of gp; 0: not known.
 * Returns false with *trouble set if the tables have no end. */
bool prof_add_code_targets(const struct prof_elf *elf, const struct prof_list *list,
			   uint64_t global_pointer, struct prof_targets *targets,
			   struct prof_trouble *trouble);

#endif
