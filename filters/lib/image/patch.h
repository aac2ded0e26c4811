/* SPDX-License-Identifier: Apache-2.0 */
/* Differences between executed code and the code in its file, and whether a kernel makes
 * such changes by design. */
#ifndef TR_PATCH_H
#define TR_PATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Counts of executed instructions, by what the file has in their place. */
struct tr_patch {
	unsigned same;
	/* Patches of a kernel: a no-operation in place of a static key's jump or of half
	 * of a call to a tracer; the reverse; or another no-operation. */
	unsigned switched;
	unsigned other; /* bytes */
};

/* Compares `size` bytes, which are complete instructions. Returns the counts. */
struct tr_patch tr_patch_of(const uint8_t *ran, const uint8_t *file, unsigned size);

#endif
