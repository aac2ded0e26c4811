/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the code of binaries without a fixed address by content. Position-independent
 * executables, shared libraries, the dynamic loader and the vdso may start on any page,
 * sections of kernel modules anywhere.
 *
 * An anchor is TR_ANCHOR_BYTES of code at an address that is a multiple of the spacing.
 * The index maps an anchor, and its page offset if it is certain, to the places in the
 * binaries that have it. The spacing is 2 bytes, and doubles while there would be more
 * than TR_ANCHORS_MAX anchors, so that thousands of libraries need some 100 MB. Blocks
 * that contain no anchor, and those whose anchors are too common, are not found; they
 * wait until the place of the code around them is known. */
#ifndef TR_MATCH_ANCHORS_H
#define TR_MATCH_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

enum {
	TR_ANCHOR_BYTES = 8,
	TR_ANCHORS_MAX = 8 << 20,
	TR_ANCHOR_COMMON = 64, /* an anchor at more places than this is too common */
};

/* Code of binary number `binary`. */
struct tr_anchored_code {
	struct tr_code code;
	const uint8_t *mask; /* of its bytes; NULL: all bits are certain */
	uint32_t binary;
};
/* A place with the code that was looked up. */
struct tr_anchored_place {
	uint64_t address; /* in the binary, of the first byte that was looked up */
	uint32_t binary;
};

struct tr_match_anchors;

/* Builds the index of code that starts on any page, or, without `paged`, anywhere. Copies
 * the array, but neither code nor masks. Returns NULL when out of memory. */
struct tr_match_anchors *tr_match_anchors_new(const struct tr_anchored_code *codes,
					      size_t count, bool paged);
void tr_match_anchors_free(struct tr_match_anchors *anchors);

/* Looks up `size` bytes of code at the run-time address `pc`. Writes at most
 * TR_ANCHOR_COMMON places, of which only the bytes of one anchor are compared, and
 * returns their number. With 0, *absent is true if the code is in none of the
 * binaries, and false if it may not have been found, which is always possible unless
 * `paged`. */
size_t tr_match_anchors_find(const struct tr_match_anchors *anchors, uint64_t pc,
			     const uint8_t *code, size_t size,
			     struct tr_anchored_place places[TR_ANCHOR_COMMON],
			     bool *absent);

#endif
