// SPDX-License-Identifier: Apache-2.0
// The bench of the crossbar: L1Ds, L1Is and DMA on a few shared lines, around memory with
// random latencies. Reads must return the value written last, in the order of the cycles
// in which L1Ds and DMA complete.
#ifndef CROSSBAR_SYSTEM_H
#define CROSSBAR_SYSTEM_H

#include "bench.h"
#include "pins.h"

#ifndef HARTS
#define HARTS 2
#endif
// Of each L1D at a time; with more than one it is non-blocking.
#ifndef MISSES
#define MISSES 1
#endif

enum { LINES = 16, WORDS = 8, IDS = 8, SLOTS = HARTS * MISSES + HARTS + IDS };
enum { PATIENCE = 6000 }; // cycles in which everything must end

enum kind { LOAD, STORE, AMO, LR, SC, KINDS };

// An access of M, held until it ends. An AMO adds `data`.
struct access {
	bool valid, reads_first;
	enum kind kind;
	unsigned line, word;
	uint64_t data, mask, old;
	uint64_t since;
};

// The reservation of a hart according to the accesses.
struct reservation {
	bool valid;   // no other agent has written the line
	bool probed;  // another agent may have: a probe has said so
	bool dropped; // ended by the hart itself
	unsigned line;
};

struct fetch {
	bool valid, asks;
	unsigned line, beat;
	uint64_t since;
};

struct dma_access {
	bool valid, writes;
	unsigned line, beat;
	uint64_t since;
};

struct memory_read {
	bool valid;
	unsigned beat;
	uint64_t from; // the cycle of the first beat
	uint64_t data[WORDS];
};

// What the harts do for some time.
struct mix {
	unsigned lines, words; // the first of them
	unsigned weights[KINDS];
	unsigned access, table, fetch, dma; // one in so many cycles; 0: never
	unsigned latency, pause;
	unsigned stray; // one in so many cycles
	bool counts;	// LR and SC in turn, to add 1
};

struct counts {
	unsigned done[KINDS], tables, fetches, reads, writes;
	unsigned sc_lost, sc_dropped, crossed, reserved_only, masks;
	unsigned strays, overlapped; // overlapped: three reads of an L1D at a time
	uint64_t longest[4];	     // waits: accesses, tables, fetches, DMA
};

struct system {
	struct bench b;
	struct mix mix;
	bool drains;
	uint64_t cycle;
	uint64_t latest[LINES][WORDS], ram[LINES][WORDS];
	struct access core[HARTS], table[HARTS];
	struct reservation reservations[HARTS];
	uint64_t seen[HARTS]; // the value of the last LR
	unsigned adds[HARTS]; // successful SCs of the mix
	bool release[HARTS];
	struct access strays[HARTS]; // on wrong paths, in place of `core` for a cycle
	struct fetch fetches[HARTS];
	struct dma_access dma[IDS];
	struct dma_access asked; // a request that was not taken yet
	unsigned asked_id;
	unsigned order[IDS], nwrites; // ids that have beats to send
	unsigned sent;		      // of the first
	struct memory_read reads[SLOTS];
	int answers; // the slot whose beat is driven, or -1
	bool was_still;
	struct counts counts;

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

// Sets or gets the 64 bits of a hart.
template <class WORDS_> static inline void put(WORDS_ &pin, unsigned hart, uint64_t value)
{
	pin[2 * hart] = static_cast<uint32_t>(value);
	pin[2 * hart + 1] = static_cast<uint32_t>(value >> 32);
}

template <class WORDS_> static inline uint64_t get(const WORDS_ &pin, unsigned hart)
{
	return pin[2 * hart] | static_cast<uint64_t>(pin[2 * hart + 1]) << 32;
}

static inline void put_bit(CData &pin, unsigned bit, bool value)
{
	pin = static_cast<CData>((pin & ~(1U << bit)) | static_cast<unsigned>(value)
							    << bit);
}

static inline bool one_in(struct system *s, unsigned n)
{
	return n && s->b.random.once_in(n);
}

// Checks that an access has not waited too long, and records the longest wait.
static inline void waited(struct system *s, unsigned who, uint64_t since)
{
	uint64_t cycles = s->cycle - since;

	if (cycles > s->counts.longest[who])
		s->counts.longest[who] = cycles;
	if (cycles > PATIENCE)
		CHECK_EQ(cycles, PATIENCE);
}

// Another agent than `hart` writes a line: reservations of it must end.
static inline void written(struct system *s, unsigned hart, unsigned line)
{
	for (unsigned h = 0; h < HARTS; h++)
		if (h != hart && s->reservations[h].line == line)
			s->reservations[h].valid = false;
}

#endif
