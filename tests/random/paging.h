/* SPDX-License-Identifier: Apache-2.0 */
/* Page tables of the programs.
 *
 * The root of each space has entries for RAM and devices, identity-mapped for S; both
 * again for U; some faulty entries; and l1, which maps the bodies of chunks, pages of
 * data (the first half for S, the other for U), pages with random faults, large pages of
 * data, and more faults. */
#ifndef RANDOM_PAGING_H
#define RANDOM_PAGING_H

#include "program.h"

enum {
	PTE_V = 1,
	PTE_R = 2,
	PTE_W = 4,
	PTE_X = 8,
	PTE_U = 16,
	PTE_G = 32,
	PTE_A = 64,
	PTE_D = 128
};

uint64_t pte_make(uint64_t physical, unsigned flags);

void paging_init(struct program *p); /* chooses addresses and ASIDs */
void paging_build(struct program *p);
uint64_t paging_satp(const struct program *p, unsigned space);

/* Virtual addresses. */
uint64_t va_root(unsigned entry, uint64_t offset);
uint64_t va_l1(const struct program *p, unsigned entry, uint64_t offset);

/* Return entries for small pages with any fault; for valid pages of data; for the
 * miscellaneous faults of l1 or the root. */
uint64_t pte_fault(const struct program *p, struct rng *rng);
uint64_t pte_data(struct rng *rng, bool user);
uint64_t pte_misc(const struct program *p, struct rng *rng, unsigned space, bool root);
/* Returns a copy of a valid code entry that raises a page fault in `user` or S-mode. */
uint64_t pte_broken(struct rng *rng, uint64_t pte);

#endif
