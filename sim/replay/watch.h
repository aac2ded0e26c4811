/* SPDX-License-Identifier: Apache-2.0 */
/* Stops of a replay before chosen instructions, where the model has the registers and the
 * memory that the machine had. */
#ifndef REPLAY_WATCH_H
#define REPLAY_WATCH_H

#include "replay.h"

struct replay_watch {
	void *user;
	/* Returns whether the instruction at this address is watched, in any mode: it is
	 * asked once for each block of the trace. */
	bool (*wants)(void *user, uint64_t pc);
	/* The hart is about to execute the instruction, which commits in `cycle`. */
	void (*reached)(void *user, unsigned hart, uint64_t pc, uint64_t cycle);
};
/* Call before the first frame. */
void replay_watch(struct replay *r, const struct replay_watch *watch);
/* Begins or ends to watch an address that a jump or a return leads to; there, reached()
 * may also be called for other addresses. */
void replay_watch_start(struct replay *r, uint64_t pc, bool on);
/* Calls reached() before the first instruction of the hart that commits in this cycle or
 * later. */
void replay_watch_cycle(struct replay *r, unsigned hart, uint64_t cycle);

#endif
