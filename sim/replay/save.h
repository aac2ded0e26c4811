/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a replay between two frames, besides RAM and the place in the stream:
 * registers of all harts, and how far each of them has come. */
#ifndef REPLAY_SAVE_H
#define REPLAY_SAVE_H

#include "base/buffer.h"
#include "base/varint.h"
#include "replay.h"

/* Appends the state. Returns TR_OK or TR_E_NOMEM. */
int replay_save(const struct replay *r, struct tr_buffer *out);
/* Sets the state, also after a failure or the end of the trace. RAM must have been set,
 * and the reader be at the same place. Probes of notes cannot be hit after that: the
 * notes may have been in a frame before. Returns TR_OK, TR_E_NOMEM, or TR_E_CORRUPT,
 * after which another state must be loaded. */
int replay_load(struct replay *r, struct tr_bytes *in);

#endif
