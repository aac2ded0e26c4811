/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between code that ran and the code of its file, and whether that is what
 * a kernel changes by design. */
#ifndef TR_PATCH_H
#define TR_PATCH_H

#include <stdbool.h>
#include <stdint.h>

/* Instructions of the code that ran, by what the file has in their place. */
struct tr_patch {
	unsigned same;
	/* A kernel's switches: a no-operation in place of a jump of a static key, or of
	 * half of a call to a tracer; the reverse; or another no-operation. */
	unsigned switched;
	unsigned other; /* bytes */
};

/* Compares `size` bytes of whole instructions. */
struct tr_patch tr_patch_of(const uint8_t *ran, const uint8_t *file, unsigned size);

#endif
