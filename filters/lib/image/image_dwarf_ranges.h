/* SPDX-License-Identifier: Apache-2.0 */
/* The code ranges of a DIE, in all the ways that DWARF 2 to 5 write them. */
#ifndef TR_IMAGE_DWARF_RANGES_H
#define TR_IMAGE_DWARF_RANGES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include "image/image_index.h"

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

#endif
