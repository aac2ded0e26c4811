// SPDX-License-Identifier: Apache-2.0
// Random instructions, the pages that they access and the memory behind these, for the
// bench of the data side of the out-of-order core.
#ifndef MEMORY_UNIT_PROGRAM_H
#define MEMORY_UNIT_PROGRAM_H

#include <cstdint>

#include "../rng.h"

enum { FRAMES = 2, FRAME = 4096, LINE = 64, LINES = FRAMES * FRAME / LINE };
enum kind { OTHER, LOAD, STORE, LR, SC, AMO };
enum page { WRITABLE, WRITABLE_TOO, READABLE, DEVICE, SPLIT, ABSENT, PAGES };
enum { LOAD_MISALIGNED = 4, LOAD_ACCESS, STORE_MISALIGNED, STORE_ACCESS };
enum { LOAD_PAGE = 13, STORE_PAGE = 15 }; // soc_pkg::cause_e
enum state { PENDING, ISSUED, WALKS, DONE };
static const uint64_t RAM = UINT64_C(0x80000000), DEVICES = UINT64_C(0x10000000),
		      FIRST_PAGE = UINT64_C(0x7654321) << 12;

// An instruction of the window.
struct insn {
	enum kind kind;
	enum page page;
	uint64_t age;  // its number in the order of dispatch
	uint64_t from; // the cycle from which it may issue
	unsigned load_index, store_index;
	uint64_t va, pa, data;
	unsigned size;
	bool is_unsigned, boxed; // boxed: a float
	enum state state;
	bool deferred; // to the head unit
	bool held;     // waits for wake_o
	bool early;    // has issued while it was held
	uint64_t value;
};

// Memory as the hart sees it, and as it is below the L1D; where the pages are.
struct memory {
	uint8_t seen[FRAMES * FRAME], below[FRAMES * FRAME];
	unsigned frame[PAGES];
};

struct rates {
	unsigned squash, probe, write, stop, late, special, atomic;
	unsigned walk;	// cycles at most
	unsigned mixed; // else loads
};

void draw_memory(struct rng *random, struct memory *m);
void draw_frames(struct rng *random, struct memory *m);
struct rates draw_rates(struct rng *random);
struct insn draw_insn(struct rng *random, const struct rates *rates, uint64_t cycle);

bool is_head_kind(const struct insn *i);
bool writes(const struct insn *i);
bool misaligned(const struct insn *i);
// Returns whether a walk for the access ends with a fault.
bool walk_faults(uint64_t va, bool write);
// Returns the cause of the exception, or 0.
unsigned cause_of(const struct insn *i);
uint64_t physical(const struct memory *m, const struct insn *i);
uint64_t read_word(const uint8_t *bytes, uint64_t pa);
void write_bytes(uint8_t *bytes, uint64_t pa, uint64_t data, unsigned count);
// Returns the register's value of a load of these bytes, the first in the low bits.
uint64_t extend_loaded(const struct insn *i, uint64_t bytes);
uint64_t loaded_value(const struct memory *m, const struct insn *i);
// Returns what an amoadd writes, or else the instruction's data.
uint64_t stored_value(const struct memory *m, const struct insn *i);

#endif
