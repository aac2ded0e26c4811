/* SPDX-License-Identifier: Apache-2.0 */
/* What single DIEs tell: their names and places, their code ranges, a unit's lines. */
#ifndef TR_IMAGE_DWARF_DIE_H
#define TR_IMAGE_DWARF_DIE_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdint.h>

#include "base/map.h"
#include "image/image_index.h"
#include "image/image_places.h"
#include "image/image_scopes.h"
#include "image/image_state.h"

struct image_dwarf_name {
	const char *name;    /* in a section, "" if there is none */
	uint64_t die;	     /* where the name was found */
	const char *mangled; /* likewise, "" if there is none */
	uint64_t unit;	     /* DIE of the unit that the number of the file is of */
	uint32_t file, line; /* of the declaration; line 0: not known */
};

/* Offset in .debug_info; 0 if not known. */
uint64_t image_dwarf_offset(Dwarf_Die die);
/* Offset of the DIE that attribute `kind` of `die` refers to. A status of libdwarf. */
int image_dwarf_reference(Dwarf_Die die, Dwarf_Half kind, uint64_t *offset);
/* A function's name is its own, or that of what it was made from: the inline
 * function of an out-of-line copy, the declaration in a class. */
struct image_dwarf_name image_dwarf_name(Dwarf_Debug dbg, Dwarf_Die die);
/* The same for the DIE at an offset. */
struct image_dwarf_name image_dwarf_name_at(Dwarf_Debug dbg, uint64_t offset);

/* The code ranges of a DIE, in all the ways that DWARF 2 to 5 write them. */
struct image_dwarf_unit {
	Dwarf_Debug dbg;
	Dwarf_Half version;
	Dwarf_Addr base; /* DW_AT_low_pc of the unit, 0 if it has none */
};

/* Adds the ranges that are not empty to `ranges` as image_index_range() does, tells how
 * many and where the first begins. DW_DLV_OK; DW_DLV_NO_ENTRY if the DIE has no code;
 * DW_DLV_ERROR, and then nothing was added. */
int image_dwarf_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
		       struct tr_buffer *ranges, uint32_t *count, uint64_t *first);

/* What the functions of the DWARF are called in full, and, for those that share a
 * name, where they are declared. */
struct image_title {
	uint64_t unit; /* where it is declared, as in struct image_dwarf_name */
	uint32_t file, line;
	uint32_t name, place; /* offsets into the text; of the place 0: none */
	uint32_t first;	      /* the first title of the same name */
	bool has_namesake;    /* of the first: there is another */
	bool differs;	      /* of the first: the places are not all one */
};

/* Zero-initialised, but for the first three, is empty. */
struct image_dwarf_titles {
	Dwarf_Debug dbg;
	const struct image_scopes *scopes;
	const struct image_mangled *mangled;
	struct image_title *list;
	size_t count, capacity;
	struct tr_map by_name; /* hashes: the first title */
	struct tr_buffer text;
	/* The files of the unit that was asked for last. */
	uint64_t unit;
	char **files;
	Dwarf_Signed nfiles;
	Dwarf_Half version;
	bool failed; /* out of memory */
};

/* Title of a function that has code at `entry`, or, inlined, at UINT64_MAX: titles
 * count 0, 1, … A mangled name is demangled; otherwise the namespaces and classes
 * are put before the name. Call with functions that have a name. */
void image_dwarf_titles_add(struct image_dwarf_titles *titles,
			    const struct image_dwarf_name *name, uint64_t entry);
/* When all are there: finds the places, "file.c:12", of those that share a name. */
void image_dwarf_titles_settle(struct image_dwarf_titles *titles);
/* These hold until the next title is added. */
const char *image_dwarf_title(const struct image_dwarf_titles *titles, size_t i);
/* "" if it is not known, or not needed. */
const char *image_dwarf_title_place(const struct image_dwarf_titles *titles, size_t i);
/* Whether functions of one name are declared at different places. */
bool image_dwarf_title_differs(const struct image_dwarf_titles *titles, size_t i);
void image_dwarf_titles_release(struct image_dwarf_titles *titles);

/* Claims the code of `elf` for the lines of a unit. Files go by the last part of their
 * path. False: damage. */
bool image_dwarf_lines_take(struct image_places *lines, const struct image_elf *elf,
			    Dwarf_Die unit);

#endif
