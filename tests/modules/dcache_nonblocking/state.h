// SPDX-License-Identifier: Apache-2.0
// The state of the cache, as its header determines it, and of what is around it.
#ifndef STATE_H
#define STATE_H

#include "bench.h"
#include "pages.h"
#include "pins.h"

// The default size; the makefile also tests others.
#ifndef SETS
#define SETS 64
#define WAYS 4
#endif
#ifndef MISSES
#define MISSES 4
#endif
// 1: other caches have the same lines
#ifndef COHERENT
#define COHERENT 0
#endif

enum { HOLD = 16, ASKERS = 12, PATIENCE = 2500 };
enum state { INVALID, SHARED, EXCLUSIVE, MODIFIED };
enum probe_op { TO_SHARED, TO_INVALID, WRITTEN }; // mem_pkg::probe_e
enum kind { LOAD, STORE, AMO, ASK, KINDS };	  // ASK: would a store hit?

// RANDOM: one of several askers in each cycle, any addresses. HOSTILE: a single one,
// which sleeps while it waits; all probes are of its line, and follow each other. SLOW:
// RANDOM with a slow memory.
enum mode { RANDOM, SLOW, HOSTILE };

struct line {
	enum state state;
	uint64_t address;
};

// An access, which its asker repeats until it hits.
struct access {
	bool valid, writes;
	bool reads_first; // an AMO that has not been answered yet
	bool waits;	  // its line has been requested
	bool woken;	  // its line has come: it must hit
	enum kind kind;
	uint64_t address, data, mask;
	unsigned sleeps; // cycles until it is repeated
};

struct miss {
	bool pending, started, held, old, upgrade, excl;
	uint64_t line;
	struct line *place;
};

struct write_back {
	bool valid, for_probe, kept;
	uint64_t line;
	const struct line *place;
	unsigned beat;
};

// State of the cache.
struct model {
	struct line sets[SETS][WAYS];
	unsigned turn, cleared, hold;
	struct miss misses[MISSES];
	struct miss next; // is requested in the next cycle
	unsigned choices; // numbers for it
	bool asks, evicts, dram;
	unsigned asked; // number of the miss that is requested in this cycle
	uint64_t evicted;
	struct write_back out;
	bool holds; // no probe is served in this cycle
	unsigned beat;
};

// A request at the memory, by its number.
struct answer {
	bool valid, upgrade, grants;
	uint64_t line;
	unsigned delay, beat, turn;
};

struct probe_request {
	bool valid, waits; // waits: it must not be served now
	enum probe_op op;
	uint64_t address;
};

enum {
	HIT,
	HIT_UNDER_MISS = HIT + KINDS,
	MERGED,
	ALL_IN_USE,
	TABLE,
	PROBED,
	PROBED_IN_MISS = PROBED + 3,
	PROBE_HELD,
	UPGRADE,
	UPGRADE_LOST,
	VICTIM,
	VICTIM_WAITS,
	REFETCHED,
	KEPT,
	OUT_OF_ORDER,
	INTERLEAVED,

	BEAT_WAITS,
	NUMBER_TAKEN,
	HOLD_EXPIRED,
	SECOND_CYCLE,
	WOKEN,
	CASES
};

struct system {
	struct bench b;
	struct memory memory;
	struct model cache;
	struct access askers[ASKERS], idle;
	struct access *core; // who has the port
	bool keeps_port;
	unsigned patience; // cycles for which it has had the port
	uint64_t table;	   // address of the walker's request, or 0
	struct probe_request probe;
	enum mode mode;
	struct answer answers[MISSES];
	int sends;   // the number of the beat in this cycle; or -1
	bool still;  // nothing is going on but an access
	bool stands; // the beat has not been taken
	unsigned turns, most;
	struct covered_case cases[CASES];

	explicit system(uint64_t seed);
};

inline system::system(uint64_t seed)
    : b(seed), cases{{"load hit", 0},
		     {"store hit", 0},
		     {"AMO hit", 0},
		     {"would hit", 0},
		     {"hit under miss", 0},
		     {"merged miss", 0},
		     {"all misses in use", 0},
		     {"walker", 0},
		     {"probe: share", 0},
		     {"probe: invalidate", 0},
		     {"probe: write", 0},
		     {"probe during a miss", 0},
		     {"probe of a held line", 0},
		     {"upgrade", 0},
		     {"upgrade lost", 0},
		     {"victim written back", 0},
		     {"second victim waits", 0},
		     {"line requested while it is written back", 0},
		     {"line kept", 0},
		     {"answer out of order", 0},
		     {"beats of lines in turn", 0},
		     {"beat waits for a write-back", 0},
		     {"number of a held line taken", 0},
		     {"hold expired", 0},
		     {"probe in the second cycle of an AMO", 0},
		     {"woken by the line", 0}}
{
}

static inline void count(struct system *s, int number)
{
	s->cases[number].count++;
}

static inline struct line *find(struct model *c, uint64_t address)
{
	for (struct line &line : c->sets[address / LINE % SETS])
		if (line.state != INVALID && line.address == line_of(address))
			return &line;
	return nullptr;
}

static inline unsigned pending(const struct model *c)
{
	unsigned n = 0;

	for (const struct miss &m : c->misses)
		n += m.pending;
	return n;
}

static inline struct miss *find_miss(struct model *c, uint64_t address)
{
	for (struct miss &m : c->misses)
		if (m.pending && m.line == line_of(address))
			return &m;
	return nullptr;
}

enum use { IDLE, HELD, AWAITED };

// Returns whether a line is to come to this place, or has come and is held.
static inline enum use use_of(const struct model *c, const struct line *place)
{
	enum use use = IDLE;

	for (const struct miss &m : c->misses)
		if (m.place == place && m.pending)
			return AWAITED;
		else if (m.place == place && m.held)
			use = HELD;
	return use;
}

// Returns a free way, else the next one in round-robin order, else the first. NULL: lines
// are to come to all of them, or are held there.
static inline struct line *room(struct model *c, uint64_t address)
{
	struct line *set = c->sets[address / LINE % SETS];

	for (unsigned i = 0; i < WAYS; i++)
		if (set[i].state == INVALID && use_of(c, &set[i]) != AWAITED)
			return &set[i];
	if (use_of(c, &set[c->turn]) == IDLE)
		return &set[c->turn];
	for (unsigned i = 0; i < WAYS; i++)
		if (use_of(c, &set[i]) == IDLE)
			return &set[i];
	return nullptr;
}

#endif
