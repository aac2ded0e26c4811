// SPDX-License-Identifier: Apache-2.0
// The memory behind an L1D, for its benches: pages whose numbers differ in one bit.
#ifndef PAGES_H
#define PAGES_H

#include <cstdint>
#include <cstring>

#include "rng.h"

enum { LINE = 64, BEATS = 8, PAGE = 4096, TAG_BITS = 44, PAGES = 1 + TAG_BITS };
enum { NEAR = 6 }; // pages in use at a time

struct memory {
	uint64_t first;		    // page number
	uint8_t seen[PAGES][PAGE];  // as the core sees it
	uint8_t below[PAGES][PAGE]; // without the cache's dirty data
	unsigned near[NEAR];
};

static inline uint64_t line_of(uint64_t address)
{
	return address / LINE * LINE;
}

static inline unsigned page_of(const struct memory *m, uint64_t address)
{
	uint64_t difference = address / PAGE ^ m->first;

	return difference ? 1 + static_cast<unsigned>(__builtin_ctzll(difference)) : 0;
}

// Returns the aligned 8 bytes.
static inline uint64_t read(const struct memory *m, const uint8_t (*bytes)[PAGE],
			    uint64_t address)
{
	uint64_t value;

	memcpy(&value, &bytes[page_of(m, address)][address % PAGE / 8 * 8],
	       sizeof(value));
	return value;
}

static inline void write(const struct memory *m, uint8_t (*bytes)[PAGE], uint64_t address,
			 uint64_t value)
{
	memcpy(&bytes[page_of(m, address)][address % PAGE / 8 * 8], &value,
	       sizeof(value));
}

// Another agent writes a line that the cache no longer holds.
static inline void write_elsewhere(struct memory *m, struct rng *random, uint64_t line)
{
	for (unsigned i = 0; i < BEATS; i++) {
		uint64_t value = random->next();

		write(m, m->seen, line + 8 * i, value);
		write(m, m->below, line + 8 * i, value);
	}
}

// Addresses are often in one of a few lines of a few pages.
static inline uint64_t draw_address(const struct memory *m, struct rng *random)
{
	unsigned page = m->near[random->below(NEAR)];
	uint64_t number = page ? m->first ^ UINT64_C(1) << (page - 1) : m->first;
	unsigned line =
	    random->once_in(8) ? random->below(PAGE / LINE) : 21 * random->below(4);

	return number * PAGE + LINE * line + random->below(LINE);
}

// Other pages are in use from now on.
static inline void move_on(struct memory *m, struct rng *random)
{
	m->near[0] = 0;
	for (unsigned i = 1; i < NEAR; i++)
		m->near[i] = random->below(PAGES);
}

// Random bytes, not yet those that the core sees.
static inline void init_memory(struct memory *m, struct rng *random)
{
	m->first = random->next() >> (64 - TAG_BITS);
	for (auto &page : m->below)
		for (uint8_t &byte : page)
			byte = static_cast<uint8_t>(random->next());
	move_on(m, random);
}

#endif
