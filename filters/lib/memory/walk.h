/* SPDX-License-Identifier: Apache-2.0 */
/* Goes over the rows of frames, of all harts in the order of their cycles, and hands over
 * those with accesses. On the way the places learn which memory sp passes, and the heap
 * what is allocated and freed, so that both are as of the row. */
#ifndef TR_MEMORY_WALK_H
#define TR_MEMORY_WALK_H

#include "memory/memory.h"

struct tr_walk;

/* A row with accesses, valid during the call. */
struct tr_walk_row {
	const struct tr_context *context;
	uint64_t cycle; /* at which it begins */
	uint32_t hart;
	const struct tr_block *block;
	const struct tr_timing *timing;
	const struct tr_access *accesses;
	unsigned count;
	uint64_t weight; /* slots of the stream for one of the hart */
};

/* `row` returns a status. The options stay the caller's. Returns NULL when out of memory;
 * tr_walk_free() accepts NULL. */
struct tr_walk *tr_walk_new(const struct tr_memory_options *options,
			    int (*row)(void *user, const struct tr_walk_row *row),
			    void *user);
void tr_walk_free(struct tr_walk *walk);
/* Returns TR_OK or TR_E_NOMEM, as tr_places_frame(), or the first other status of `row`.
 */
int tr_walk_frame(struct tr_walk *walk, const struct tr_reader *reader,
		  const struct tr_frame *frame, const struct tr_accesses *accesses);
/* Returns the address of an instruction of a block; of the first one in a block without
 * instruction bits. */
uint64_t tr_walk_pc(const struct tr_block *block, unsigned token);

#endif
