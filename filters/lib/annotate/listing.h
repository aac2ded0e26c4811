/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of a function in order of their addresses, those that never ran
 * included, with what is known of each: counts, text, source line, inlined calls. */
#ifndef TR_ANNOTATE_LISTING_H
#define TR_ANNOTATE_LISTING_H

#include "annotate/counts.h"
#include "annotate/disassemble.h"
#include "annotate/sources.h"
#include "base/buffer.h"
#include "base/map.h"
#include "unwind/symbols.h"

/* What listings are made of; all stays the caller's. */
struct tr_listing_parts {
	const struct tr_counts *counts;
	const struct tr_symbols *symbols;
	struct tr_sources *sources;
	const struct tr_classes *classes; /* NULL: none */
	unsigned isa, width;
	bool is_untimed;  /* the source has no cycles */
	bool is_part;	  /* of the run: shares are of what was chosen */
	bool has_counted; /* the core counted mispredictions: `counted` */
	uint64_t counted;
};

enum { TR_LISTING_CALLS = 8 };

struct tr_listed {
	struct tr_counted insn;
	char text[TR_DISASSEMBLED]; /* mnemonic, tab, operands */
	uint64_t target;	    /* of a direct transfer of control */
	bool has_target;
	bool is_far;	  /* not in the function's code */
	const char *path; /* of the source file; NULL: unknown */
	uint32_t line;
	/* Inlined functions that it is of, from the innermost outwards. */
	const char *calls[TR_LISTING_CALLS];
	unsigned ncalls;
};

struct tr_listing {
	const struct tr_counted_func *func;
	uint32_t number; /* of the function, in the counts */
	struct tr_listed *rows;
	size_t count, room;
	struct tr_map places;  /* addresses of the rows */
	struct tr_arena names; /* of inlined functions */
};

/* Lists a function. Returns TR_OK or TR_E_NOMEM; release it in any case. */
int tr_listing_make(struct tr_listing *listing, const struct tr_listing_parts *parts,
		    uint32_t func);
void tr_listing_release(struct tr_listing *listing);
/* Returns true if a row has this address. */
bool tr_listing_has(const struct tr_listing *listing, uint64_t address);

/* Returns true if both rows are of one source line and the same inlined calls; `a` may be
 * NULL. */
bool tr_listed_same_place(const struct tr_listed *a, const struct tr_listed *b);

/* Writes the name of an address in a binary: "main+0x10", or "" if it has none. */
void tr_listing_name(const struct tr_listing_parts *parts, uint32_t binary,
		     uint64_t address, char *text, size_t size);
/* Returns the file name of a path. */
const char *tr_listing_file(const char *path);
/* Returns the source line at an address of a binary, and its path in *path, NULL if it
 * has none. */
uint32_t tr_listing_line(const struct tr_symbols *symbols, uint32_t binary,
			 uint64_t address, const char **path);

#endif
