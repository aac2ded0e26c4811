/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes frames of rows in a thread, ahead of the reader's caller.
 *
 * The thread has the reader's decoder to itself, from tr_decode_ahead_start() until
 * tr_decode_ahead_next() returns an error or TR_END, or tr_decode_ahead_stop() returns.
 * Frames are delivered in order, each as soon as it is decoded, and the error or the end
 * after them. The thread waits while AHEAD_FRAMES frames are decoded and not taken, so
 * that a reader has AHEAD_FRAMES + 2 of them: the caller's, and the one being decoded. It
 * receives no signals. A program that exits need not stop it. */
#ifndef TR_DECODE_AHEAD_H
#define TR_DECODE_AHEAD_H

#include "stream/frame_state.h"

enum { AHEAD_FRAMES = 2 };

struct tr_decode_ahead;
struct tr_reader;

/* Starts the thread. The reader's chunks are read by another one
 * (tr_chunk_reader_has_thread()), which can be interrupted. Returns NULL if there is no
 * memory or no thread; the caller then decodes itself. */
struct tr_decode_ahead *tr_decode_ahead_start(struct tr_reader *reader);
/* Waits for the next frame, to which the caller gets a reference. Returns TR_OK, or what
 * tr_reader_decode() returned. */
int tr_decode_ahead_next(struct tr_decode_ahead *ahead, struct frame_cell **cell);
/* Ends the thread, also while it waits for input, and drops the frames not taken. After
 * that the reader can only be closed, unless tr_decode_ahead_next() returned an error or
 * the end. */
void tr_decode_ahead_stop(struct tr_decode_ahead *ahead);

#endif
