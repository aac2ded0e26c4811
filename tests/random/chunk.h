/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks: parts of a program that are independent of one another.
 *
 * A chunk has a set-up in M-mode, which initialises CSRs and registers, and one or two
 * segments of random operations, each in one privilege and view of memory. Each chunk has
 * its own random numbers, code and constants, so that omitting one does not change the
 * others.
 *
 * An operation may rely on the following: pointers hold addresses of mapped data, valid
 * for 2 KiB up and down and aligned to 8 bytes; an instruction that may trap is followed
 * by the next operation four bytes after it; no interrupt or trap changes a register. In
 * M-mode MPRV is 0 between operations and mtvec is valid; nothing else is known about the
 * CSRs. */
#ifndef RANDOM_CHUNK_H
#define RANDOM_CHUNK_H

#include "paging.h"
#include "program.h"
#include "csr_bits.h"

/* View of a segment on its code: at its physical address, through l1, or through U's
 * large page. */
enum view { VIEW_FLAT, VIEW_WINDOW, VIEW_USER };

struct segment {
	unsigned priv;
	enum view view;
	uint32_t start;	   /* offset in the body */
	uint32_t pointers; /* registers that hold pointers */
	uint64_t pointer[32];
	uint32_t flat; /* pointers also valid without translation */
};

/* CSRs at the start of each segment. */
struct env {
	int space; /* -1: satp is off */
	uint64_t mstatus, medeleg, mideleg, mie, mip;
	uint64_t mcounteren, scounteren, mcountinhibit, menvcfg, senvcfg;
	bool m_vector, s_vector;
	bool pmp; /* the chunk has its own PMP entries: */
	uint64_t pmpcfg, pmpaddr[7];
};

struct chunk {
	const struct program *p;
	unsigned index, repeat;
	struct rng rng;
	enum theme theme;
	struct env env;
	unsigned segments;
	unsigned operations; /* in all segments, without nested ones */
	struct segment seg[2];
	uint64_t page[CODE_PAGES]; /* of the body */
	unsigned fix; /* page of the body whose PTE is broken at first; 0: none */
	enum insn exit;
	uint64_t exit_va, rec_start; /* rec_start: initial value of rec */

	/* State of the segment being written. */
	const struct segment *now;
	struct code code;
	uint32_t reserved; /* registers that must keep their values, besides pointers */
	unsigned depth;	   /* nesting of operations */
	uint32_t outer;	   /* start of the outermost one */
	bool tight;	   /* within reach of a short branch */
	int space;	   /* the current one; env.space except temporarily */
};

/* Plans and writes a chunk. Returns the approximate number of instructions per run. */
uint64_t chunk_write(const struct program *p, struct chunk *k, unsigned index);
/* Returns the address of the body in the view of a segment. */
uint64_t chunk_va(const struct chunk *k, const struct segment *s);

/* Registers for operations; 0 is x0. Result registers are neither pointers nor reserved,
 * and seldom x0; gen_temp is never x0. Short ones are x8 to x15, or 0 if none is free.
 * gen_pointer is 0 if there is none. */
unsigned gen_dest(struct chunk *k);
unsigned gen_temp(struct chunk *k);
unsigned gen_source(struct chunk *k);
unsigned gen_short_dest(struct chunk *k);
unsigned gen_short_source(struct chunk *k);
unsigned gen_pointer(struct chunk *k);
unsigned gen_short_pointer(struct chunk *k);

/* Returns a temporary register that is reserved until gen_release. */
unsigned gen_hold(struct chunk *k);
void gen_release(struct chunk *k, unsigned reg);

/* Returns whether addresses are currently translated. */
bool gen_translates(const struct chunk *k);
/* Returns the address of RAM or a device in the current privilege and view. */
uint64_t gen_ram(struct chunk *k, uint64_t physical);
uint64_t gen_device(const struct chunk *k, uint64_t physical);
/* Returns a valid address for a pointer; sets `flat` if it is valid without
 * translation. */
uint64_t gen_data(struct chunk *k, bool *flat);
/* The same for a given privilege, translated by the current space or not. */
uint64_t data_address(const struct program *p, struct rng *rng, unsigned priv, bool vm,
		      bool *flat);

/* Writes a compressed instruction that may trap, padded to four bytes. */
void gen_trap_half(struct chunk *k, uint16_t insn);
/* Keeps the next bytes within one page, so that no fetch fault interrupts a sequence that
 * must not trap. */
void gen_stay(struct chunk *k, unsigned bytes);
/* Adds the cost of the traps of the last operation. */
void gen_cost_traps(struct chunk *k, unsigned traps);

/* Operations, ops.c. */
void gen_ops(struct chunk *k, unsigned count);	      /* within another */
void gen_simple_ops(struct chunk *k, unsigned count); /* short, no traps, no jumps */
void gen_segment_ops(struct chunk *k, uint32_t end);  /* up to `end` */

#endif
