/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the image library that calls libdwarf. It runs in a child process only:
 * libdwarf can crash on a damaged file, and the mapped file may shrink. */
#ifndef TR_IMAGE_DWARF_H
#define TR_IMAGE_DWARF_H

#include "image/image_index.h"
#include "image/image_state.h"

struct image_dwarf_job {
	const struct image_elf *elf;
	char *map; /* the mapped file, which may shrink at any time */
	const struct image_mangled *mangled; /* mangled symbols */
	struct image_key key;
	bool wanted[IMAGE_INDEX_KINDS];
};
/* Reads DWARF. `job` is a struct image_dwarf_job. Appends the requested indices to `out`,
 * in the order of their kinds. */
void tr_image_dwarf_read(void *job, struct tr_buffer *out);

#endif
