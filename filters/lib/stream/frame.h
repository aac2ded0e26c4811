/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of rows that leave the reader.
 *
 * A frame from tr_reader_next() has references: one of the reader, which drops it at the
 * next call, and those of holders. While there is one, the frame and all that it points
 * to, its view of the dictionary included, stay where they are and do not change,
 * whatever the reader does: it goes on, fails, or is closed. The view has the definitions
 * that the frame's rows, events and notes refer to; later frames add to the dictionary,
 * not to the view.
 *
 * Threads: a frame that is held may be read by any number of threads at once, without a
 * lock, and released by any of them. The reader itself stays with its one thread, which
 * hands a frame to another one with the usual synchronisation (a mutex, or
 * pthread_create()). Neither holding nor releasing blocks.
 *
 * Memory: a frame that nobody holds is used for a later one, so the reader has as many as
 * were ever held at the same time, and frees them after tr_reader_close() and the last
 * release. A frame holds its rows and events (24 and about 64 bytes each), its encoded
 * payload (TR_CHUNK_MAX at most) and its generation's definitions, also if the reader has
 * begun another one.
 *
 * Errors: a damaged frame is never returned. tr_reader_next() returns the error after all
 * frames before the damage, and tr_reader_message() says where it is; frames held until
 * then remain valid. */
#ifndef TR_FRAME_H
#define TR_FRAME_H

#include "stream/stream.h"

/* Adds a reference to a frame of a reader and returns the frame. The caller has one, or
 * is between two calls of tr_reader_next(). Frames from elsewhere have none. */
const struct tr_frame *tr_frame_hold(const struct tr_frame *frame);
/* Drops a reference; NULL has none. */
void tr_frame_release(const struct tr_frame *frame);

/* Return a definition by an id found in the frame. */
static inline const struct tr_block *tr_frame_block(const struct tr_frame *frame,
						    uint32_t id)
{
	return &frame->view.blocks[id];
}

static inline const struct tr_timing *tr_frame_timing(const struct tr_frame *frame,
						      uint32_t id)
{
	return &frame->view.timings[id];
}

#endif
