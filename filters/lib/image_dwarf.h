/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the image library that calls libdwarf. It runs in the child
 * process only: libdwarf can crash on a damaged file.
 */
#ifndef TR_IMAGE_DWARF_H
#define TR_IMAGE_DWARF_H

#include "image_index.h"
#include "image_state.h"

struct image_dwarf_job {
	const struct image_elf *elf;
	struct image_key key;
};
/* `job` is a struct image_dwarf_job; appends an index to `out`. */
void image_dwarf_read(void *job, struct tr_buffer *out);

#endif
