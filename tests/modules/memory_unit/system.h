// SPDX-License-Identifier: Apache-2.0
// The window of the bench of memory_unit.sv, what is around it, and what has occurred.
#ifndef MEMORY_UNIT_SYSTEM_H
#define MEMORY_UNIT_SYSTEM_H

#include <algorithm>
#include <deque>
#include <vector>

#include "outside.h"

enum { WIDTH = 4, WINDOW = 64, QUEUE = 16, INDEXES = 32, EPISODES = 600, LATEST = 1000 };

enum {
	HIT,
	MISS,
	FORWARDED,
	WALK,
	WALK_TO_HEAD,
	WALK_SQUASHED,
	WALK_ENDS_SQUASHED,
	WALK_DROPPED,
	MISS_IN_WALK,
	DEFERRED_MISALIGNED,
	DEFERRED_BY_ENTRY,
	HEAD_BEFORE_ACCESS,
	SINGLE_USE,
	VIOLATION,
	MARKED,
	STORE_COMMITS,
	STORE_WAITS,
	FENCE_IN_WALK,
	HEAD_LOAD,
	HEAD_STORE,
	HEAD_DEVICE,
	HEAD_AMO,
	SC_DONE,
	SC_FAILED,
	SC_AFTER_TRAP,
	STORE_ENDS_RESERVATION,
	FAULT,
	TRACED,
	PROBED,
	EVICTED,
	BOXED,
	HELD,
	EARLY,
	WOKEN,
	LOAD_WAITS,
	BEHIND_STORE,
	PREFETCH,
	PREFETCH_YIELDS,
	PARKED,
	PARKED_LOAD,
	STORE_FIRST,
	STORE_YIELDS,
	LOAD_YIELDS,
	QUIESCENT,
	YOUNGER_FLUSHED
};
static struct covered_case covered[] = {
    {"load from the L1D", 0},
    {"load that misses", 0},
    {"load forwarded", 0},
    {"walk", 0},
    {"walk after which the head executes", 0},
    {"walk of an instruction that leaves", 0},
    {"walk that ends as its instruction leaves", 0},
    {"walk that is dropped for the head", 0},
    {"miss of the DTLB in a walk", 0},
    {"misaligned", 0},
    {"entry that the port does not use", 0},
    {"access in the way of the head", 0},
    {"entry of single use", 0},
    {"violation", 0},
    {"flush at a marked load", 0},
    {"store that commits", 0},
    {"store that cannot be written", 0},
    {"fence in a walk", 0},
    {"load by the head", 0},
    {"store by the head", 0},
    {"device", 0},
    {"AMO", 0},
    {"SC that succeeds", 0},
    {"SC that fails", 0},
    {"SC after a trap", 0},
    {"store that ends a reservation", 0},
    {"fault", 0},
    {"traced commit of several accesses", 0},
    {"line lost by a probe", 0},
    {"line lost by an eviction", 0},
    {"single float", 0},
    {"replay that waits", 0},
    {"access in the cycle of its wake", 0},
    {"wake", 0},
    {"load that waits for its line", 0},
    {"load that waits for a store", 0},
    {"line of a store asked for early", 0},
    {"access of the oldest store instead", 0},
    {"oldest store that waits for its line", 0},
    {"load beside a store that waits", 0},
    {"oldest store before loads", 0},
    {"walker instead of the oldest store", 0},
    {"walker instead of a load that is to be repeated", 0},
    {"quiescent", 0},
    {"deferred store with younger instructions", 0},
};

// What happens in a cycle.
struct events {
	std::vector<insn> lanes;
	unsigned dispatched;
	struct insn *issue;
	bool squash, fence, trap;
	size_t victim; // the first that leaves
	size_t commits;
	bool write; // the store is written
};

struct system {
	struct bench b;
	std::deque<insn> window;
	struct rates rates;
	struct memory memory;
	struct outside outside;
	struct events now;
	uint64_t cycle, age, since; // since: the last commit
	unsigned loads, stores;	    // indexes of the next ones
	struct insn in_port;
	bool port, head;	// an instruction is in the port, in the head unit
	bool walks, ended;	// of walk_age
	bool ended_head, drops; // drops: the walk is dropped in this cycle
	uint64_t walk_age;
	bool in_tlb[PAGES], single_use;
	bool parked, yields; // the oldest store waits for its line; the walker comes next
	unsigned passed_by;  // cycles in which the oldest store did not get the L1D
	bool reserved, trapped; // trapped: a trap has ended the reservation
	uint64_t line;		// of the reservation
	struct insn reserving;
	uint64_t commits;

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

static inline struct insn *find_age(struct system *s, uint64_t age)
{
	for (insn &i : s->window)
		if (i.age == age)
			return &i;
	return nullptr;
}

#endif
