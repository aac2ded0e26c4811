/* SPDX-License-Identifier: Apache-2.0 */
/* Assembles blocks of instructions whose bits the source does not have, only their
 * lengths. */
#ifndef TR_LENGTHS_H
#define TR_LENGTHS_H

#include <string.h>

#include "stream/stream.h"
#include "stream/writer.h"

enum { LENGTHS_RUNS = 512 }; /* runs in one block */

/* A block under construction. All zero is empty. */
struct tr_lengths {
	uint64_t pc, next; /* addresses of the first instruction, and after the last */
	struct tr_stall delays[TR_BLOCK_MAX_TOKENS];
	struct tr_run runs[LENGTHS_RUNS];
	uint8_t lengths[TR_BLOCK_MAX_TOKENS];
	uint16_t count, ndelays, nruns;
};

/* Passes the block to the writer, before an event or other tokens. Returns the writer's
 * status. */
int tr_lengths_put(struct tr_lengths *l, struct tr_writer *writer, uint32_t hart);

/* Returns true if an instruction at `pc` continues the block, or begins it. */
static inline bool tr_lengths_fits(const struct tr_lengths *l, uint64_t pc)
{
	return !l->count || l->next == pc;
}

/* Adds an instruction of `bytes` bytes, which fits and takes `cycles` cycles. Returns
 * true if the block is full; it also ends where control goes elsewhere. */
static inline bool tr_lengths_add(struct tr_lengths *l, uint64_t pc, unsigned bytes,
				  uint64_t cycles)
{
	if (!l->count)
		l->pc = l->next = pc;
	if (cycles != 1)
		l->delays[l->ndelays++] = (struct tr_stall){
		    .cycles = cycles, .first_run = l->nruns, .token = l->count};
	l->lengths[l->count++] = (uint8_t)bytes;
	l->next += bytes;
	return l->count == TR_BLOCK_MAX_TOKENS;
}

/* Assigns lost slots, `count` runs of them, to the instruction added last. Returns true
 * if the block is full. */
static inline bool tr_lengths_classify(struct tr_lengths *l, const struct tr_run *runs,
				       unsigned count)
{
	if (!count)
		return false;
	if (!l->ndelays || l->delays[l->ndelays - 1].token != l->count - 1)
		l->delays[l->ndelays++] =
		    (struct tr_stall){.cycles = 1,
				      .first_run = l->nruns,
				      .token = (uint16_t)(l->count - 1)};
	l->delays[l->ndelays - 1].nruns = (uint16_t)count;
	memcpy(l->runs + l->nruns, runs, count * sizeof(*runs));
	l->nruns = (uint16_t)(l->nruns + count);
	return l->nruns + TR_TOKEN_MAX_RUNS > LENGTHS_RUNS;
}

#endif
