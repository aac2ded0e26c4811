/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a program: those of its symbols; of a stripped program the ranges of
 * its unwind tables, with the names of the dynamic symbols where there are any, and what
 * it calls directly elsewhere (called_functions.h). Those of
 * libraries, and the stubs that call them, are not functions of the program. */
#ifndef PROF_FUNCTIONS_H
#define PROF_FUNCTIONS_H

#include "elf_file.h"

struct prof_listed {
	uint64_t start, end; /* addresses, even; within one section */
	const char *name;    /* valid until the list is freed and the file closed */
	uint64_t at;	     /* byte of the file: its symbol or unwind table, or itself */
	uint32_t rank;	     /* of the name: the least is kept */
	bool by_call;	     /* only calls show it: it ends at the next one that is known,
				or with its section, and may have others within that no
				call shows */
};

struct prof_list {
	struct prof_listed *functions; /* by start, which no other has */
	size_t count;
	char *made_names;
};

/* Lists the functions. Of several symbols at an address the name is that of a global
 * one, then of a weak one, then the one with the fewest leading underscores, then the
 * shortest, then the first by strcmp(), as tr-match names it; the function ends where the
 * longest ends. A symbol without size ends at the next symbol, or with the function that
 * it is within. Returns false with *trouble set if there is none, a symbol is damaged, or
 * functions overlap other than one within another. */
bool prof_list_functions(const struct prof_elf *elf, struct prof_list *list,
			 struct prof_trouble *trouble);
void prof_free_list(struct prof_list *list);

#endif
