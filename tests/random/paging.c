/* SPDX-License-Identifier: Apache-2.0 */
/* Page tables of the programs. */
#include "paging.h"

enum { ENTRIES = 512, ALL = PTE_V | PTE_R | PTE_W | PTE_A | PTE_D };

uint64_t pte_make(uint64_t physical, unsigned flags)
{
	return physical >> 12 << 10 | flags;
}

uint64_t va_root(unsigned entry, uint64_t offset)
{
	uint64_t va = (uint64_t)entry << 30 | offset;

	return entry < 256 ? va : va | UINT64_C(0xffffff8000000000);
}

uint64_t va_l1(const struct program *p, unsigned entry, uint64_t offset)
{
	return va_root(p->root_l1, (uint64_t)entry << 21 | offset);
}

uint64_t paging_satp(const struct program *p, unsigned space)
{
	return UINT64_C(8) << 60 | p->space[space].asid << 44 |
	       p->space[space].root >> 12;
}

/* Returns a number below n not yet taken in this set, and takes it and the next `run` - 1
 * numbers. */
static unsigned take(struct rng *rng, uint8_t *taken, unsigned n, unsigned run)
{
	for (;;) {
		unsigned i = rng_below(rng, n / run) * run;

		if (taken[i])
			continue;
		for (unsigned k = 0; k < run; k++)
			taken[i + k] = 1;
		return i;
	}
}

static void choose_entries(struct program *p)
{
	struct rng *rng = &p->rng;
	uint8_t root[ENTRIES] = {[0] = 1, [2] = 1}, l1[ENTRIES] = {0};
	static const unsigned edges[] = {255, 511, 256};

	p->root_l1 = rng_chance(rng, 70) ? RNG_PICK(rng, edges) : 3;
	/* The address after the last page of l1 must not be executable. */
	root[p->root_l1] = root[(p->root_l1 + 1) % ENTRIES] = 1;
	p->root_user = take(rng, root, ENTRIES, 1);
	p->root_device = take(rng, root, ENTRIES, 1);
	for (unsigned i = 0; i < ROOT_MISC; i++)
		p->root_misc[i] = take(rng, root, ENTRIES, 1);
	/* 0: bodies have the same low 30 address bits as physically. */
	p->l1_code = rng_chance(rng, 60) ? 0 : take(rng, l1, ENTRIES, 2);
	l1[p->l1_code] = 1;
	p->l1_fault = rng_chance(rng, 60) ? 511 : take(rng, l1, ENTRIES, 2);
	l1[p->l1_fault & ~1U] = l1[p->l1_fault] = 1;
	p->l1_big = take(rng, l1, ENTRIES, 2);
	p->l1_big_user = take(rng, l1, ENTRIES, 2);
	p->l1_data = take(rng, l1, ENTRIES, 1);
	for (unsigned i = 0; i < L1_MISC; i++)
		p->l1_misc[i] = take(rng, l1, ENTRIES, 1);
}

void paging_init(struct program *p)
{
	uint64_t next = TABLES;
	static const unsigned asids[] = {0, 1, 2, 0x8000, 0xffff, 0x7fff};

	choose_entries(p);
	p->spaces = rng_range(&p->rng, 1, MAX_SPACES);
	p->share_fault = rng_chance(&p->rng, 30);
	for (unsigned i = 0; i < p->spaces; i++) {
		struct space *s = &p->space[i];

		s->asid = rng_chance(&p->rng, 60) ? RNG_PICK(&p->rng, asids)
						  : rng_below(&p->rng, 0x10000);
		for (unsigned k = 0; k < i; k++)
			p->same_asid |= p->space[k].asid == s->asid;
		s->root = next;
		s->l1 = next + 0x1000;
		s->code = next + 0x2000;
		s->data = next + 0x3000;
		s->fault = p->share_fault && i ? p->space[0].fault : next + 0x4000;
		next += 0x5000;
	}
}

/* Returns a PTE that may have any fault. Executable pages contain code that returns by
 * itself; data is never executable, code never writable, and devices are not mapped. */
uint64_t pte_fault(const struct program *p, struct rng *rng)
{
	static const uint64_t nowhere[] = {0x3000, 0x20000000, RAM_END,
					   ((UINT64_C(1) << 44) - 1) << 12};
	unsigned flags = rng_below(rng, 256) & (PTE_R | PTE_W | PTE_X | PTE_U | PTE_G);
	uint64_t page;

	flags |= rng_chance(rng, 92) ? PTE_V : 0;
	flags |= rng_chance(rng, 85) ? PTE_A : 0;
	flags |= rng_chance(rng, 75) ? PTE_D : 0;
	if (!p->share_fault)
		flags &= ~(unsigned)PTE_G;
	if (flags & PTE_X) {
		page = ARENA_RETURNS + 0x1000 * rng_below(rng, RETURN_PAGES);
		flags &= flags & PTE_W ? ~(unsigned)PTE_D : ~0U;
	} else {
		page = HOT + 0x1000 * rng_below(rng, HOT_PAGES);
	}
	if (rng_chance(rng, 8))
		page = RNG_PICK(rng, nowhere);
	uint64_t pte = pte_make(page, flags) | (uint64_t)rng_below(rng, 4) << 8;
	if (rng_chance(rng, 8))
		pte |= UINT64_C(1) << rng_range(rng, 54, 63);
	return pte;
}

uint64_t pte_data(struct rng *rng, bool user)
{
	uint64_t page = HOT + 0x1000 * rng_below(rng, HOT_PAGES);

	return pte_make(page, ALL | (user ? PTE_U : 0));
}

uint64_t pte_broken(struct rng *rng, uint64_t pte)
{
	switch (rng_below(rng, 6)) {
	case 0:
		return pte & ~(uint64_t)PTE_V;
	case 1:
		return pte & ~(uint64_t)PTE_A;
	case 2:
		return (pte & ~(uint64_t)PTE_X) | PTE_R;
	case 3:
		return pte ^ PTE_U;
	case 4:
		return pte | UINT64_C(1) << rng_range(rng, 54, 63);
	default: /* writable but not readable */
		return (pte & ~(uint64_t)PTE_R) | PTE_W;
	}
}

uint64_t pte_misc(const struct program *p, struct rng *rng, unsigned space, bool root)
{
	static const unsigned odd[] = {PTE_A, PTE_D, PTE_U, PTE_A | PTE_D, PTE_U | PTE_A};
	uint64_t size = root ? 1U << 30 : 1U << 21;
	unsigned user = rng_chance(rng, 50) ? PTE_U : 0;
	unsigned any = rng_below(rng, 256) & (PTE_W | PTE_A | PTE_D);

	switch (rng_below(rng, root ? 7 : 9)) {
	case 0:
		return rng_next(rng) & ~(uint64_t)PTE_V;
	case 1: /* not aligned */
		return pte_make(RAM(size & 0x200000) + (size >> rng_range(rng, 1, 9)),
				ALL | user);
	case 2: /* not allowed in a pointer */
		return pte_make(p->space[space].data, PTE_V | RNG_PICK(rng, odd));
	case 3: /* a table at an unmapped address */
		return pte_make(rng_chance(rng, 50) ? 0x30000000 : RAM_END, PTE_V);
	case 4:
		return pte_make(ARENA_TABLE, PTE_V);
	case 5:
		return pte_make(p->space[space].data, PTE_V) |
		       UINT64_C(1) << rng_range(rng, 54, 63);
	case 6:
		return pte_make(UINT64_C(0x4000000000), ALL | user);
	case 7: /* W without R: reserved */
		return pte_make(BIG, PTE_V | PTE_W | PTE_A | PTE_D | user);
	default:
		return pte_make(BIG, PTE_V | PTE_R | any | user);
	}
}

static void put(const struct program *p, uint64_t table, unsigned index, uint64_t pte)
{
	image_put64(p->image, table + 8 * index, pte);
}

static void build_root(struct program *p, unsigned space)
{
	const struct space *s = &p->space[space];

	for (unsigned i = 0; i < ROOT_MISC; i++)
		put(p, s->root, p->root_misc[i], pte_misc(p, &p->rng, space, true));
	put(p, s->root, 0, pte_make(0, ALL | PTE_G));
	put(p, s->root, 2, pte_make(SOC_RAM_BASE, ALL | PTE_X | PTE_G));
	put(p, s->root, p->root_user,
	    pte_make(SOC_RAM_BASE, ALL | PTE_X | PTE_U | PTE_G));
	put(p, s->root, p->root_device, pte_make(0, ALL | PTE_U | PTE_G));
	put(p, s->root, p->root_l1, pte_make(s->l1, PTE_V));
}

static void build_l1(struct program *p, unsigned space)
{
	const struct space *s = &p->space[space];

	for (unsigned i = 0; i < L1_MISC; i++)
		put(p, s->l1, p->l1_misc[i], pte_misc(p, &p->rng, space, false));
	for (unsigned i = 0; i < 2; i++) {
		put(p, s->l1, p->l1_big + i, pte_make(BIG + (i << 21), ALL));
		put(p, s->l1, p->l1_big_user + i, pte_make(BIG + (i << 21), ALL | PTE_U));
	}
	put(p, s->l1, p->l1_code, pte_make(s->code, PTE_V));
	put(p, s->l1, p->l1_data, pte_make(s->data, PTE_V));
	put(p, s->l1, p->l1_fault, pte_make(s->fault, PTE_V));
}

void paging_build(struct program *p)
{
	for (unsigned i = 0; i < p->spaces; i++) {
		build_root(p, i);
		build_l1(p, i);
		for (unsigned k = 0; k < ENTRIES; k++)
			put(p, p->space[i].data, k, pte_data(&p->rng, k >= ENTRIES / 2));
		if (i == 0 || !p->share_fault)
			for (unsigned k = 0; k < ENTRIES; k++)
				put(p, p->space[i].fault, k, pte_fault(p, &p->rng));
	}
	for (unsigned k = 0; k < ENTRIES; k++)
		put(p, ARENA_TABLE, k, pte_data(&p->rng, rng_chance(&p->rng, 50)));
}
