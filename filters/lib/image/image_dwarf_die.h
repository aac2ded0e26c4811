/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of single DIEs: names, declarations, code ranges. */
#ifndef TR_IMAGE_DWARF_DIE_H
#define TR_IMAGE_DWARF_DIE_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdint.h>

#include "base/map.h"
#include "image/image_index.h"
#include "image/image_scopes.h"
#include "image/image_state.h"

struct image_dwarf_name {
	const char *name;    /* points into a section; "" if none */
	uint64_t die;	     /* the DIE that has the name */
	const char *mangled; /* linkage name in a section; "" if none */
	uint64_t unit;	     /* DIE of the unit whose file table `file` refers to */
	uint32_t file, line; /* of the declaration; line 0: unknown */
};

/* Returns the DIE's offset in .debug_info, 0 if unknown. */
uint64_t tr_image_dwarf_offset(Dwarf_Die die);
/* Reads a name: DW_AT_name, or a linkage name. Returns NULL if the DIE has none, or only
 * in a file of names that several files share, as dwz makes: libdwarf returns another
 * text. */
char *tr_image_dwarf_text(Dwarf_Die die, Dwarf_Half attribute);
/* Finds the offset of the DIE that attribute `kind` of `die` refers to. Returns a
 * libdwarf status. */
int tr_image_dwarf_reference(Dwarf_Die die, Dwarf_Half kind, uint64_t *offset);
/* Returns the name of a function: its own, or that of its abstract origin or
 * specification, such as the inline function of an out-of-line copy or the declaration in
 * a class. */
struct image_dwarf_name tr_image_dwarf_name(Dwarf_Debug dbg, Dwarf_Die die);
/* Returns the name for the DIE at an offset. */
struct image_dwarf_name tr_image_dwarf_name_at(Dwarf_Debug dbg, uint64_t offset);

/* Context for reading the code ranges of DIEs, in every encoding of DWARF 2 to 5. */
struct image_dwarf_unit {
	Dwarf_Debug dbg;
	Dwarf_Half version;
	Dwarf_Addr base; /* DW_AT_low_pc of the unit, 0 without it */
};

/* Adds the non-empty ranges to `ranges` as tr_image_index_range() does; sets *count and
 * *first, the start of the first one. Returns DW_DLV_OK; DW_DLV_NO_ENTRY if the DIE has
 * no code; DW_DLV_ERROR if nothing was added. */
int tr_image_dwarf_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
			  struct tr_buffer *ranges, uint32_t *count, uint64_t *first);

/* Title of a function in the DWARF: its full name and, if several functions share it, the
 * place of its declaration. */
struct image_title {
	uint64_t unit; /* where it is declared, as in struct image_dwarf_name */
	uint32_t file, line;
	uint32_t name, place; /* offsets into the text; place 0: none */
	uint32_t first;	      /* first title of the same name */
	bool has_namesake;    /* for the first: there is another */
	bool differs;	      /* for the first: their places differ */
};

/* All zero, except for the first three members, is empty. */
struct image_dwarf_titles {
	Dwarf_Debug dbg;
	const struct image_scopes *scopes;
	const struct image_mangled *mangled;
	struct image_title *list;
	size_t count, capacity;
	struct tr_map by_name; /* from hash to first title */
	struct tr_buffer text;
	/* File table of the unit that was queried last. */
	uint64_t unit;
	char **files;
	Dwarf_Signed nfiles;
	Dwarf_Half version;
	bool failed; /* out of memory */
};

/* Adds the title of a function with code at `entry`, or UINT64_MAX if it is only inlined;
 * titles are numbered from 0. A mangled name is demangled; otherwise the name is prefixed
 * by its namespaces and classes. The function must have a name. */
void tr_image_dwarf_titles_add(struct image_dwarf_titles *titles,
			       const struct image_dwarf_name *name, uint64_t entry);
/* Finds the places, "file.c:12", of titles that share a name. Call after adding all. */
void tr_image_dwarf_titles_settle(struct image_dwarf_titles *titles);
/* Returns the name, valid until the next title is added. */
const char *tr_image_dwarf_title(const struct image_dwarf_titles *titles, size_t i);
/* Returns the place, or "" if it is unknown or not needed; valid until the next title is
 * added. */
const char *tr_image_dwarf_title_place(const struct image_dwarf_titles *titles, size_t i);
/* Returns true if functions of this name are declared at different places. */
bool tr_image_dwarf_title_differs(const struct image_dwarf_titles *titles, size_t i);
void tr_image_dwarf_titles_release(struct image_dwarf_titles *titles);

/* Returns the number in an attribute, 0 if there is none. */
uint32_t tr_image_dwarf_number(Dwarf_Die die, Dwarf_Half attribute);
/* Returns the name of a file without its folders, NULL if unknown; valid until the next
 * call for another unit. */
const char *tr_image_dwarf_file(struct image_dwarf_titles *titles, uint64_t unit,
				uint32_t file);

#endif
