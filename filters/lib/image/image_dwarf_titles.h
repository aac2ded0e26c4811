/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of the DWARF are called in full, and, for those that share a
 * name, where they are declared. */
#ifndef TR_IMAGE_DWARF_TITLES_H
#define TR_IMAGE_DWARF_TITLES_H

#include "base/map.h"
#include "image/image_dwarf_names.h"
#include "image/image_scopes.h"
#include "image/image_state.h"

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

#endif
