/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the addresses that a replay's loads and stores access, until their frames are
 * written. Memory is that of the accesses in the frames that are not written yet. */
#ifndef REPLAY_ADDRESSES_H
#define REPLAY_ADDRESSES_H

#include "base/buffer.h"
#include "stream/stream.h"
#include "watch.h"

struct addresses;

/* Which rows' addresses are wanted. */
struct addresses_choice {
	void *user;
	/* Begins a frame. Returns a status. */
	int (*frame)(void *user, const struct tr_frame *frame);
	/* Returns whether those of a row of the frame are. */
	bool (*row)(void *user, uint32_t part, uint32_t row);
};

/* Call before the first frame. The replay remains the caller's, and so does what `choice`
 * refers to, which is copied; NULL: all rows. Returns NULL if memory runs out. */
struct addresses *addresses_new(struct replay *replay,
				const struct addresses_choice *choice);
/* Call before the replay is freed. */
void addresses_free(struct addresses *a);

/* Appends the sections of a frame that was followed, in which the rows of its parts have
 * these numbers among all of their harts. Returns TR_OK, TR_E_NOMEM, or TR_E_ARGUMENT if
 * the addresses are not those of its code. */
int addresses_encode(struct addresses *a, const struct tr_frame *frame,
		     const uint64_t *first_rows, struct tr_buffer *out);

/* Returns how many addresses were written, and how many there were, which is more if some
 * were not wanted, or if their row began before its window had the state of the machine.
 */
uint64_t addresses_written(const struct addresses *a);
uint64_t addresses_seen(const struct addresses *a);
/* Returns whether addresses are left over: a mistake of the replay. */
bool addresses_left(const struct addresses *a);

#endif
