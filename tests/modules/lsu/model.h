// SPDX-License-Identifier: Apache-2.0
// A model of loads, stores, LR, SC and AMOs, for the bench of the load/store unit: words
// behind pages, and the accesses that it draws.
//
// "Privileged" and "unprivileged" are the RISC-V specifications, versions 20211203 and
// 20191213.
#ifndef LSU_MODEL_H
#define LSU_MODEL_H

#include <cstdint>
#include <map>
#include <set>

#include "../rng.h"

enum : unsigned {
	LOAD = 0,
	STORE = 1,
	LR = 2,
	SC = 3,
	AMO = 5,
	COPY = 6
}; // soc_pkg::mem_op_e
enum : unsigned { PRIV_U, PRIV_S, PRIV_M = 3 };
enum : unsigned { MACHINE, BARE, SV39 }; // soc_pkg::space_e
enum : unsigned { R = 1, W = 2, X = 4, XR = 8, USER = 16, SUPERVISOR = 32, DEVICE = 64 };
enum : unsigned { SINGLE_USE = 128 }; // soc_pkg::tlb_flags_t
enum : unsigned { LOAD_MISALIGNED = 4, LOAD_ACCESS, STORE_MISALIGNED, STORE_ACCESS };
enum : unsigned { LOAD_PAGE = 13, STORE_PAGE = 15 }; // privileged, table 3.6
enum : unsigned { PAGES = 12, LATEST = 300 };
static const uint64_t SUM = 1 << 18, MXR = 1 << 19;

// A virtual page, in one address space. `page_fault`: how a walk ends that is not
// allowed.
struct page {
	unsigned space, asid, flags;
	uint64_t vpn, ppn;
	bool page_fault, global, superpage;
};

struct access {
	unsigned op, size, amo;
	bool is_unsigned;
	const struct page *page, *destination; // the latter of a copy
	uint64_t va, to, data, length;
};

struct hart {
	unsigned priv;
	bool sum, mxr;
};

struct model {
	struct page pages[PAGES];
	std::map<uint64_t, uint64_t> words; // by address / 8
	std::set<const struct page *> walked;
	struct hart hart;
	bool reserved, written, trapped; // the reservation, and what ended it
	uint64_t line;
	const struct page *lr_page; // of the last LR, or NULL
	uint64_t lr_va;
};

// Returns the word that has an address, and a value from the first use on.
uint64_t *word_at(struct model *m, uint64_t address);
// Returns whether the mode may read or write the page.
bool page_allows(const struct model *m, const struct page *p, bool write);
// Returns the lowest 2^size bytes, extended to 64 bits.
uint64_t extend_loaded(uint64_t value, unsigned size, bool is_unsigned);
uint64_t load_value(struct model *m, const struct access *a, uint64_t pa);
// Returns what the accesses of an AMO, a store or an SC leave in the word.
uint64_t word_after(struct model *m, const struct access *a, uint64_t pa);
// Returns whether the reservation holds, and has this line.
bool sc_succeeds(const struct model *m, uint64_t pa);

// Draws pages whose virtual numbers share a set of the TLB, or are the same in two
// spaces.
void draw_pages(struct rng *random, struct model *m);
struct access draw_operation(struct rng *random, const struct model *m);

#endif
