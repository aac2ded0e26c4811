/* SPDX-License-Identifier: Apache-2.0 */
/* What a just-in-time compiler tells of the code that it made: a perf map
 * (/tmp/perf-PID.map: a line of start, size and name for each function) or a jitdump
 * (jit-PID.dump, which also has the code). Such a file is opened as an image, by
 * tr_image_open() with one of the parts below.
 *
 * An address may be compiled again, so it is not enough to find a function. Each piece of
 * code has a layer: one above those of all earlier pieces that it overlaps. Its address
 * in the image is its own plus the layer times 2^48; pieces of one layer do not overlap.
 * A piece that a later one overlaps is in the image a second time, TR_JIT_DOUBT above,
 * with a name that tells of doubt, for code that may be that piece or a later one. */
#ifndef TR_IMAGE_JIT_H
#define TR_IMAGE_JIT_H

#include "image/image.h"

#define TR_PART_PERF_MAP "perf-map"
#define TR_PART_JITDUMP	 "jitdump"

enum { TR_JIT_LAYER_SHIFT = 48, TR_JIT_LAYERS = 4096 };
#define TR_JIT_DOUBT (UINT64_C(1) << 62)

struct tr_jit_piece {
	const char *name;    /* as stored in the image */
	const uint8_t *code; /* NULL: not known, of a perf map */
	uint64_t address, size;
	uint32_t layer;
	uint32_t number; /* 0, 1, 2 … in the order of compilation */
	bool is_covered; /* a later piece overlaps it */
};

/* Returns the part that opens a file: TR_PART_JITDUMP if it begins as a jitdump does, of
 * either byte order, else TR_PART_PERF_MAP. */
const char *tr_jit_part_of(const char *path);
/* Returns true if an image was opened as one of the two. */
bool tr_image_is_jit(const struct tr_image *image);

/* Return the number of pieces, and of layers, of such an image; and a piece. */
uint32_t tr_jit_count(const struct tr_image *image);
uint32_t tr_jit_layers(const struct tr_image *image);
const struct tr_jit_piece *tr_jit_piece(const struct tr_image *image, uint32_t number);
/* Returns true if the pieces have code: of a jitdump. */
bool tr_jit_has_code(const struct tr_image *image);
/* Returns the process of a jitdump, 0 if it is not known. */
uint32_t tr_jit_pid(const struct tr_image *image);
/* Returns the first piece of a layer that overlaps [low, high), NULL if none does. */
const struct tr_jit_piece *tr_jit_overlap(const struct tr_image *image, uint32_t layer,
					  uint64_t low, uint64_t high);
/* Returns the address in the image of an address in a piece, without doubt. */
static inline uint64_t tr_jit_address(const struct tr_jit_piece *piece, uint64_t pc)
{
	return pc + ((uint64_t)piece->layer << TR_JIT_LAYER_SHIFT);
}

#endif
