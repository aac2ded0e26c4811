/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks: pieces of a program that depend on no other.
 *
 * A chunk has a set-up in M-mode, which makes CSRs and registers what the chunk
 * wants, and one or two segments of random operations, each in one privilege and
 * view of memory. Each has random numbers, code and constants of its own, so that
 * leaving out one changes nothing about the others.
 *
 * An operation may rely on: pointers hold addresses of data that is there, good
 * for 2 KiB up and down and aligned to 8 bytes; an instruction that may trap is
 * followed by the next operation four bytes behind it; no interrupt or trap
 * changes a register. In M-mode MPRV is 0 between operations, mtvec is good, and
 * nothing else is sure of the CSRs.
 */
#ifndef RANDOM_CHUNK_H
#define RANDOM_CHUNK_H

#include "paging.h"
#include "program.h"
#include "csr_bits.h"

/* How a segment sees its code: at its physical address, through l1, or through
 * the large page of U. */
enum view { VIEW_FLAT, VIEW_WINDOW, VIEW_USER };

struct segment {
	unsigned priv;
	enum view view;
	uint32_t start;	   /* offset in the body */
	uint32_t pointers; /* registers that are */
	uint64_t pointer[32];
	uint32_t flat; /* those good without translation too */
};

/* CSRs at the start of each segment. */
struct env {
	int space; /* -1: satp is off */
	uint64_t mstatus, medeleg, mideleg, mie, mip;
	uint64_t mcounteren, scounteren, mcountinhibit, menvcfg, senvcfg;
	bool m_vector, s_vector;
	bool pmp; /* the chunk has its own: */
	uint64_t pmpcfg, pmpaddr[7];
};

struct chunk {
	const struct program *p;
	unsigned index, repeat;
	struct rng rng;
	enum theme theme;
	struct env env;
	unsigned segments;
	unsigned operations; /* in all of them, but those inside others */
	struct segment seg[2];
	uint64_t page[CODE_PAGES]; /* of the body */
	unsigned fix; /* the body's page whose PTE is broken at first; 0: none */
	enum insn exit;
	uint64_t exit_va, rec_start; /* rec_start: what rec has at first */

	/* Of the segment that is being written. */
	const struct segment *now;
	struct code code;
	uint32_t reserved; /* registers that must keep what they have, but pointers */
	unsigned depth;	   /* operations inside operations */
	uint32_t outer;	   /* where the outermost of them begins */
	bool tight;	   /* within reach of a short branch */
	int space;	   /* the present one; env.space but for a time */
};

/* Plans and writes a chunk; the instructions that a run of it executes, about. */
uint64_t chunk_write(const struct program *p, struct chunk *k, unsigned index);
/* The address of the body as a segment sees it. */
uint64_t chunk_va(const struct chunk *k, const struct segment *s);

/* Registers for operations; 0 is x0. Those for results are neither pointers nor
 * reserved, and seldom x0; gen_temp is never x0. Short ones are x8 to x15, or 0 if
 * none is free. gen_pointer is 0 when there is none. */
unsigned gen_dest(struct chunk *k);
unsigned gen_temp(struct chunk *k);
unsigned gen_source(struct chunk *k);
unsigned gen_short_dest(struct chunk *k);
unsigned gen_short_source(struct chunk *k);
unsigned gen_pointer(struct chunk *k);
unsigned gen_short_pointer(struct chunk *k);

/* A temporary that stays reserved until gen_release. */
unsigned gen_hold(struct chunk *k);
void gen_release(struct chunk *k, unsigned reg);

/* Whether addresses are translated now. */
bool gen_translates(const struct chunk *k);
/* The address of RAM or a device in the present privilege and view. */
uint64_t gen_ram(struct chunk *k, uint64_t physical);
uint64_t gen_device(const struct chunk *k, uint64_t physical);
/* An address fit for a pointer; `flat` tells whether it is without translation. */
uint64_t gen_data(struct chunk *k, bool *flat);
/* The same for some privilege, translated by the present space or not. */
uint64_t data_address(const struct program *p, struct rng *rng, unsigned priv, bool vm,
		      bool *flat);

/* A short instruction that may trap, with what makes it four bytes. */
void gen_trap_half(struct chunk *k, uint16_t insn);
/* The next bytes will be in one page: no fetch fault comes between what must not be
 * interrupted by a trap. */
void gen_stay(struct chunk *k, unsigned bytes);
/* The cost of traps that the last operation takes. */
void gen_cost_traps(struct chunk *k, unsigned traps);

/* Operations, ops.c. */
void gen_ops(struct chunk *k, unsigned count);	      /* inside another */
void gen_simple_ops(struct chunk *k, unsigned count); /* short, no traps, no jumps */
void gen_segment_ops(struct chunk *k, uint32_t end);  /* up to there */

#endif
