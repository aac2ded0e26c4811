/* SPDX-License-Identifier: Apache-2.0 */
/* Storage of frames, which returns to the reader when nobody holds them. */
#ifndef TR_FRAME_STATE_H
#define TR_FRAME_STATE_H

#include <stdatomic.h>

#include "base/buffer.h"
#include "stream/frame.h"
#include "stream/shelf.h"

/* Rows and events of a hart's part of a frame. */
struct frame_part {
	struct tr_row *rows;
	struct tr_event *events;
	size_t row_room, event_room;
};

struct tr_frame_pool;

/* A frame and what it owns. */
struct frame_cell {
	struct tr_frame frame; /* the first member: tr_frame_hold() relies on it */
	atomic_uint holders;
	struct tr_frame_pool *pool;
	struct frame_cell *next; /* in the pool */
	struct tr_shelf *shelf;	 /* of the view */
	uint64_t offset;	 /* in the file: bytes read so far */
	struct tr_buffer bytes;	 /* the chunk, to which raw events point */
	struct tr_arena runs;	 /* runs of traps and values of samples */
	struct tr_note *notes;
	size_t note_room;
	struct tr_hart_frame harts[TR_MAX_HARTS];
	struct frame_part parts[TR_MAX_HARTS];
};

/* Returns a pool, or NULL when out of memory. */
struct tr_frame_pool *tr_frame_pool_new(void);
/* Frees the pool, with the last frame that is held. NULL is allowed. */
void tr_frame_pool_free(struct tr_frame_pool *pool);
/* Returns a frame with one reference and arbitrary contents, for the one thread that
 * decodes; no notes, runs or shelf. Returns NULL when out of memory. */
struct frame_cell *tr_frame_take(struct tr_frame_pool *pool);

#endif
