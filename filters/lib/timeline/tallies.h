/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and cycles of what happens again and again, such as system calls, by what it is
 * and whose. Each distinct duration is kept, so that quantiles are exact; memory grows
 * with their number. */
#ifndef TR_TALLIES_H
#define TR_TALLIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/map.h"
#include "profile/profile_durations.h"
#include "profile/profile_slowest.h"

struct tr_tally_key {
	uint32_t task, other;	 /* numbers of tasks, or UINT32_MAX */
	int64_t number;		 /* INT64_MIN: none */
	const char *what, *name; /* "": none */
};

struct tr_tally {
	struct tr_tally_key key;
	struct tr_durations cycles; /* of those that have ended */
	uint64_t total;		    /* their sum; UINT64_MAX: or more */
	uint64_t away;	  /* of these, cycles in which no hart ran the task; of a
			   * switch, those in functions that were called */
	uint64_t failed;  /* of those that have ended */
	uint64_t bytes;	  /* that requests of a disk moved */
	uint64_t major;	  /* page faults that waited for a device */
	uint64_t open;	  /* those that have not ended */
	uint64_t unwoken; /* activations, also open ones, whose wake-up was not seen */
	struct tr_durations periods; /* from the beginning of one to that of the next */
	/* With tr_tallies.keeps_slowest: the slowest, also open ones; of those that have
	 * ended, the cycles in which a hart ran the task; and of open ones, the most of
	 * either so far. */
	struct tr_slowest *slowest;
	struct tr_durations ran;
	uint64_t open_most, open_most_ran;
	uint32_t next; /* of the same hash */
};

/* All zero is empty. */
struct tr_tallies {
	struct tr_tally *tallies;
	size_t room;
	uint32_t count;
	struct tr_map by_hash;
	struct tr_arena names;
	bool keeps_slowest;
};

void tr_tallies_free(struct tr_tallies *);
/* Finds the tally of a key, whose texts are copied, or adds it. Returns its number,
 * UINT32_MAX when out of memory. */
uint32_t tr_tallies_find(struct tr_tallies *, const struct tr_tally_key *key);
/* Adds one that has ended. Returns false when out of memory. */
bool tr_tally_add(struct tr_tally *, uint64_t cycles, uint64_t away);
/* Adds one that has ended, or is open, with its times; its thread is not kept. Returns
 * false when out of memory. */
bool tr_tally_add_call(struct tr_tally *, const struct tr_slow_call *call);
/* Adds all of another tally. Returns false when out of memory. */
bool tr_tally_merge(struct tr_tally *, const struct tr_tally *other);
/* Returns the numbers of all, the most cycles first, for the caller to free; NULL when
 * out of memory. */
uint32_t *tr_tallies_sorted(const struct tr_tallies *);

#endif
