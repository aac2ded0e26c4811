// SPDX-License-Identifier: Apache-2.0
// Random instructions and the memory that they access, for the bench of the load and
// store queues.
#ifndef MEMORY_QUEUE_PROGRAM_H
#define MEMORY_QUEUE_PROGRAM_H

#include <cstdint>

#include "../rng.h"

enum { LINES = 4, GROUPS = 2 * LINES };
enum kind { OTHER, LOAD, STORE };

// Memory: a few lines, and two groups of 8 bytes in each.
struct memory {
	uint64_t line[LINES], group[GROUPS]; // addresses
	uint64_t bytes[GROUPS];
	bool present[LINES]; // in the L1D
};

// How often things happen, as the n of "once in n".
struct rates {
	unsigned load, device, hit, squash, leave, stop;
	unsigned late_load, late_store; // cycles until an access, at most
};

// An instruction of the window.
struct insn {
	enum kind kind;
	bool device;   // accessed when it is the oldest, not by the queues
	uint64_t age;  // its number in the order of dispatch
	uint64_t from; // the cycle from which it may be executed
	unsigned load_index, store_index;
	uint64_t address, data;
	unsigned size;
	bool is_unsigned;
	bool done, marked, forwarded;
	uint64_t source; // the age of the store that it was forwarded from
	uint64_t value;
};

// The lines, and the groups of a line, differ in one bit of their addresses.
void draw_memory(struct rng *random, struct memory *m);
struct rates draw_rates(struct rng *random);
struct insn draw_insn(struct rng *random, const struct memory *m,
		      const struct rates *rates, uint64_t cycle);

unsigned group_of(const struct memory *m, uint64_t address);
unsigned line_of(const struct memory *m, uint64_t address);

// Returns a mask of the bytes, of the aligned 8.
unsigned bytes_of(const struct insn *i);
bool insns_overlap(const struct insn *a, const struct insn *b);

// Returns the register's value, of an access to these 8 bytes.
uint64_t extend_group(const struct insn *i, uint64_t bytes);

// Writes the bytes of `mask`.
void write_group(struct memory *m, uint64_t address, uint64_t bytes, unsigned mask);

// Others write groups of lines that are not present, some of which then come back.
void change_absent(struct rng *random, struct memory *m);

#endif
