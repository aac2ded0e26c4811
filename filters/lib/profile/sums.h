/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key: what a slice of time, or several, has of each cell of an index, or
 * instruction.
 *
 * A list is packed for storage: sorted by key, as varints, in a zstd frame with a
 * checksum. */
#ifndef TR_PROFILE_SUMS_H
#define TR_PROFILE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"
#include "stream/stream.h"

struct tr_sum {
	uint32_t key;
	uint64_t cycles, instructions, calls;
};

/* A list of sums, with `columns` slots by class for each: the i-th has those from
 * lost[i * columns] on, class c in column c - 1. A key may be in it several times. A list
 * that is all zero but for its columns is empty. */
struct tr_sums {
	struct tr_sum *list;
	uint64_t *lost;
	size_t count, room, lost_room;
	unsigned columns; /* at most TR_MAX_CLASSES */
};

void tr_sums_release(struct tr_sums *sums);
/* Adds a sum of zero. Returns its index, or SIZE_MAX when out of memory. */
size_t tr_sums_add(struct tr_sums *sums, uint32_t key);
/* Packs a list, which is sorted and has each key once afterwards, in place of what
 * `packed` holds. Returns TR_OK or TR_E_NOMEM. */
int tr_sums_pack(struct tr_sums *sums, struct tr_buffer *packed);
/* Passes the sums of a packed list, with their slots by class, to `take`. Keys of `keys`
 * and more, and other damage, are TR_E_CORRUPT, perhaps after some calls. Returns that,
 * TR_OK, TR_E_NOMEM, or what `take` returned instead of TR_OK. */
int tr_sums_unpack(const uint8_t *packed, size_t size, unsigned columns, uint32_t keys,
		   int (*take)(void *context, const struct tr_sum *sum,
			       const uint64_t *lost),
		   void *context);
/* A `take` that adds to the end of a list, which is the context. */
int tr_sums_append(void *list, const struct tr_sum *sum, const uint64_t *lost);

#endif
