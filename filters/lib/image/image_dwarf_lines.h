/* SPDX-License-Identifier: Apache-2.0 */
/* The line table of a compilation unit. */
#ifndef TR_IMAGE_DWARF_LINES_H
#define TR_IMAGE_DWARF_LINES_H

#include <libdwarf/dwarf.h>
#include <libdwarf/libdwarf.h>

#include "image/image_places.h"
#include "image/image_state.h"

/* Claims the code of `elf` for its lines. Files go by the last part of their path.
 * False: damage. */
bool image_dwarf_lines_take(struct image_places *lines, const struct image_elf *elf,
			    Dwarf_Die unit);

#endif
