/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of image_query share; they run in the child. */
#ifndef TR_IMAGE_QUERY_STATE_H
#define TR_IMAGE_QUERY_STATE_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include "base/map.h"
#include "image/image_query.h"
#include "image/image_state.h"

/* A function that has code. */
struct query_code {
	const char *name;
	uint64_t die, entry;
	Dwarf_Unsigned language;
};
struct query_name {
	const char *name;
	uint64_t die;
};

struct image_dwarf_unit;

struct tr_query {
	const struct image_elf *elf;
	char *map;	      /* the mapped file, which may shrink at any time */
	Elf *whole;	      /* the same in the child, which cannot read the file */
	bool has_btf;	      /* in place of DWARF */
	struct tr_buffer btf; /* as DWARF, in an ELF file */
	char problem[192];    /* of the BTF */
	Dwarf_Debug dbg;
	unsigned xlen, float_bytes;
	bool is_split, failed; /* failed: out of memory */
	bool is_module;
	struct tr_query *others;
	size_t nothers;
	bool was_begun, is_unusable;	  /* of one of the others */
	struct tr_buffer code;		  /* struct query_code */
	struct tr_buffer variables;	  /* struct query_name, with a location */
	struct tr_buffer types;		  /* struct query_name, one for each name */
	struct tr_map by_name;		  /* types and prototypes */
	struct tr_map enumerators;	  /* by name: number in enumerator_list */
	struct tr_buffer enumerator_list; /* struct query_enumerator */
	bool has_enumerators;
	Dwarf_Fde *fdes;
	Dwarf_Cie *cies;
	Dwarf_Signed nfdes, ncies;
	bool has_frames;
	unsigned depth; /* of the type that is being read */
};
struct query_enumerator {
	uint64_t die, type;
};

/* Reads the names of all units. */
void tr_query_index(struct tr_query *query);
void tr_query_release(struct tr_query *query);
/* Calls `take` at the header of each unit, until one is damaged. */
void tr_query_each_unit(struct tr_query *query,
			void (*take)(struct tr_query *query,
				     struct image_dwarf_unit *unit, void *context),
			void *context);
/* Returns the address of a variable that has the same one everywhere, else 0, which is
 * also that of those that the linker has discarded. */
uint64_t tr_query_address(struct tr_query *query, uint64_t die);

/* Returns the DIE of a prototype, or of a function that is only inlined; 0: none. */
uint64_t tr_query_prototype(const struct tr_query *query, const char *name);
uint64_t tr_query_inline(const struct tr_query *query, const char *name);

/* Appends the symbols of code and data (struct image_btf_symbol). Returns their number.
 */
size_t tr_query_btf_symbols(const struct tr_query *query, struct tr_buffer *list);

/* Finds a symbol of code or data. */
bool tr_query_symbol(const struct tr_query *query, const char *name, uint64_t *address);

/* Opens a DIE by its offset; dwarf_dealloc_die() frees it. Returns NULL on damage. */
Dwarf_Die tr_query_die(const struct tr_query *query, uint64_t offset);
Dwarf_Half tr_query_tag(Dwarf_Die die);
/* Returns the first child, or NULL. */
Dwarf_Die tr_query_child(Dwarf_Die die);
/* Frees `die`. Returns its sibling, or NULL; a sibling before it is damage. */
Dwarf_Die tr_query_next(const struct tr_query *query, Dwarf_Die die);
bool tr_query_flag(Dwarf_Die die, Dwarf_Half attribute);
/* Reads a constant, 0 if there is none. */
bool tr_query_number(Dwarf_Die die, Dwarf_Half attribute, uint64_t *value);
/* Returns whether the number is below 0 and of a form with a sign. */
bool tr_query_is_negative(Dwarf_Die die, Dwarf_Half attribute);
/* Follows DW_AT_abstract_origin or DW_AT_specification. Returns 0 if there is none. */
uint64_t tr_query_origin(const struct tr_query *query, uint64_t die);
/* Returns the name of a DIE, or of its origin; NULL if none. */
const char *tr_query_name(const struct tr_query *query, uint64_t die);
/* Returns the DIE of the unit that a DIE is in, 0 on damage. */
uint64_t tr_query_unit(const struct tr_query *query, uint64_t die);
/* Appends the ranges of the DIE's code: low and high, each a uint64_t. Returns their
 * number. */
size_t tr_query_ranges(const struct tr_query *query, Dwarf_Die die,
		       struct tr_buffer *ranges);
/* Returns the end of the DIE's range that contains `pc`, or 0. */
uint64_t tr_query_range_end(const struct tr_query *query, Dwarf_Die die, uint64_t pc);
/* Returns true if the ranges of the DIE contain `pc`. */
bool tr_query_covers(const struct tr_query *query, Dwarf_Die die, uint64_t pc);

#endif
