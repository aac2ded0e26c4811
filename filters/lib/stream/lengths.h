/* SPDX-License-Identifier: Apache-2.0 */
/* Assembles blocks of instructions whose bits the source does not have, only their
 * lengths. */
#ifndef TR_LENGTHS_H
#define TR_LENGTHS_H

#include "stream/stream.h"
#include "stream/writer.h"

/* A block under construction. All zero is empty. */
struct tr_lengths {
	uint64_t pc, next; /* addresses of the first instruction, and after the last */
	struct tr_stall delays[TR_BLOCK_MAX_TOKENS];
	uint8_t lengths[TR_BLOCK_MAX_TOKENS];
	uint16_t count, ndelays;
};

/* Adds an instruction of `bytes` bytes, which takes `cycles` cycles, after passing on a
 * block that it does not continue. `ends`: control goes elsewhere behind it. Returns the
 * writer's status. */
int tr_lengths_add(struct tr_lengths *l, struct tr_writer *writer, uint32_t hart,
		   uint64_t pc, unsigned bytes, uint64_t cycles, bool ends);

/* Passes the block to the writer, before an event or other tokens. Returns the writer's
 * status. */
int tr_lengths_put(struct tr_lengths *l, struct tr_writer *writer, uint32_t hart);

#endif
