/* SPDX-License-Identifier: Apache-2.0 */
/* What DIEs are called, and where they lie. */
#ifndef TR_IMAGE_DWARF_NAMES_H
#define TR_IMAGE_DWARF_NAMES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>
#include <stdint.h>

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

#endif
