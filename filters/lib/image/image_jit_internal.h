/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts that read what a just-in-time compiler tells. */
#ifndef TR_IMAGE_JIT_INTERNAL_H
#define TR_IMAGE_JIT_INTERNAL_H

#include "image/image_jit.h"
#include "image/image_places.h"
#include "image/image_state.h"

/* The record with the lines of a piece of code. */
struct image_jit_lines {
	const uint8_t *data; /* behind its prefix */
	size_t size;
	uint64_t number, byte; /* where it is in the file */
	uint32_t piece;
};

/* The file, and what has been read of it. */
struct image_jit {
	uint8_t *data;
	size_t size;
	struct tr_jit_piece *pieces; /* in the order of compilation */
	size_t npieces, room;
	uint32_t *by_place; /* pieces by layer and address */
	uint32_t nlayers, pid;
	uint64_t hash; /* of the whole file */
	struct image_jit_lines *lines;
	size_t nlines, line_room;
	struct tr_map latest; /* of a jitdump: by address, the piece loaded there last */
};

/* Adds a piece of code; an empty one is left out. `what` and `number` tell of the place
 * in the file, as in "line 3". Returns TR_OK, TR_E_NOMEM or TR_E_CORRUPT with the message
 * set. */
int tr_jit_add(struct tr_image *image, const struct tr_jit_piece *piece, const char *what,
	       uint64_t number, uint64_t byte);

/* image_jit.c: opens image->path as one of the two parts. Returns a status. */
int tr_jit_open(struct tr_image *image, const struct tr_image_options *options);
void tr_jit_free(struct tr_image *image);

/* image_jit_layers.c: sets the layers of all pieces, and the order by place. Returns
 * TR_OK, TR_E_NOMEM or TR_E_UNSUPPORTED (too many layers), with the message set. */
int tr_jit_layer(struct tr_image *image);

/* image_jit_map.c, image_jit_dump.c: read the whole file. Return a status. */
int tr_jit_read_map(struct tr_image *image);
int tr_jit_read_dump(struct tr_image *image);
/* Claims the lines of a piece, whose layer is known; without `places`, checks them.
 * Returns a status. */
int tr_jit_claim_lines(struct tr_image *image, const struct image_jit_lines *lines,
		       bool with_paths, struct image_places *places);

#endif
