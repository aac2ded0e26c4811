/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that have not returned. A call is found by the value of sp before it, which its
 * return restores; there may be many, as of a deep recursion. */
#ifndef REPLAY_CALLS_H
#define REPLAY_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call {
	struct call *next; /* of its bucket */
	uint64_t pc, sp;   /* to which it returns */
	uint64_t site;	   /* the address behind the instruction that has called */
	uint32_t space;	   /* as in notes; code of user programs is in many spaces */
	uint64_t satp;
	uint64_t bias; /* of the binary */
	size_t place;
	uint64_t saved[]; /* by tr_probes_enter() */
};

/* All zero: none. */
struct calls {
	struct call **buckets;
	size_t nbuckets; /* a power of two, or 0 */
	size_t count;
};
void calls_end_all(struct calls *calls);

/* Returns a call with that sp and room for saved bytes, which is the newest; NULL without
 * memory. */
struct call *calls_add(struct calls *calls, uint64_t sp, size_t saved_size);
void calls_remove(struct calls *calls, struct call *call);
/* Return the newest call with that sp, and the one before `call` with its sp; or NULL. */
struct call *calls_newest(const struct calls *calls, uint64_t sp);
struct call *calls_older(const struct call *call);
/* Removes the calls for which `ends` returns true. */
void calls_sweep(struct calls *calls, bool (*ends)(void *user, const struct call *call),
		 void *user);

#endif
