/* SPDX-License-Identifier: Apache-2.0 */
/* The line table of a unit: which code is of which line. */
#ifndef TR_IMAGE_DWARF_LINES_H
#define TR_IMAGE_DWARF_LINES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include "image/image_places.h"
#include "image/image_state.h"

/* Claims the code of `elf` for the lines of a unit. Files are named without their
 * folders. Returns false on damage. */
bool tr_image_dwarf_lines_take(struct image_places *lines, const struct image_elf *elf,
			       Dwarf_Die unit);
/* Claims the code of `elf` for the lines of a unit with their discriminators, without
 * files. Returns false on damage. */
bool tr_image_dwarf_spots_take(struct image_places *spots, const struct image_elf *elf,
			       Dwarf_Die unit);

/* Claims the code of `elf` for the lines of a unit, whose files have their paths. Returns
 * false on damage. */
bool tr_image_dwarf_paths_take(struct image_places *paths, const struct image_elf *elf,
			       Dwarf_Debug dbg, Dwarf_Die unit);

#endif
