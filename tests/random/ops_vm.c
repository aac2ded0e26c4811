/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on page tables, address spaces and the PMP. */
#include "ops.h"

void gen_sfence(struct chunk *k, uint64_t va, uint64_t asid, bool leaf, bool global)
{
	struct code *c = &k->code;
	unsigned address = gen_hold(k), space = gen_hold(k);
	bool by_address = leaf && rng_chance(&k->rng, 60);
	bool by_asid = !global && rng_chance(&k->rng, 60);

	if (by_address)
		code_li(c, address, va);
	if (by_asid)
		code_li(c, space, asid);
	code_word(
	    c, insn_r(INSN_sfence_vma, 0, by_address ? address : 0, by_asid ? space : 0));
	gen_release(k, address);
	gen_release(k, space);
}

/* A superfluous sfence.vma. */
void op_sfence(struct chunk *k)
{
	unsigned space = rng_below(&k->rng, k->p->spaces);
	bool flat;
	uint64_t va = rng_chance(&k->rng, 50) ? rng_next(&k->rng) : gen_data(k, &flat);

	gen_sfence(k, va, k->p->space[space].asid, true, false);
}

/* A PTE: what it maps, its address, and its new value. */
struct change {
	uint64_t va, at, pte;
	bool leaf, global;
};

static struct change any_change(struct chunk *k, unsigned space)
{
	const struct program *p = k->p;
	const struct space *s = &p->space[space];
	struct rng *rng = &k->rng;
	unsigned i = rng_chance(rng, 30) ? 511 : rng_below(rng, 512), entry;

	switch (p->plain ? 0 : rng_below(rng, 5)) {
	case 0:
		return (struct change){va_l1(p, p->l1_data, i << 12), s->data + 8 * i,
				       pte_data(rng, i >= 256), true, false};
	case 1:
		entry = RNG_PICK(rng, p->l1_misc);
		return (struct change){va_l1(p, entry, (uint64_t)i << 12),
				       s->l1 + 8 * entry, pte_misc(p, rng, space, false),
				       false, false};
	default:
		return (struct change){va_l1(p, p->l1_fault, i << 12), s->fault + 8 * i,
				       pte_fault(p, rng), true, p->share_fault};
	}
}

/* Accesses the page before the fence: with the new PTE, or the old one. This takes no
 * random numbers from the rest of the program, which is the same without it. */
static void use_before_fence(struct chunk *k, unsigned at, const struct change *change)
{
	struct rng rest = k->rng;

	if (!k->p->plain && gen_translates(k) && rng_chance(&k->rng, 50)) {
		code_li(&k->code, at, change->va + rng_below(&k->rng, 0x200) * 8U);
		gen_access(k, at);
	}
	k->rng = rest;
}

/* Writes a new PTE in any space, the required sfence.vma, and perhaps uses. */
void op_pte(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned space = rng_below(&k->rng, k->p->spaces);
	unsigned at = gen_hold(k), value = gen_hold(k);
	struct change change = any_change(k, space);

	if (gen_translates(k) && rng_chance(&k->rng, 50)) {
		code_li(c, at, change.va);
		gen_access(k, at);
	}
	code_li(c, at, gen_ram(k, change.at));
	code_li(c, value, change.pte);
	code_s(c, INSN_sd, value, at, 0);
	gen_release(k, value);
	use_before_fence(k, at, &change);
	gen_sfence(k, change.va, k->p->space[space].asid, change.leaf, change.global);
	if (gen_translates(k)) {
		code_li(c, at, change.va + rng_below(&k->rng, 0x200) * 8U);
		gen_access(k, at);
	}
	gen_release(k, at);
}

static void set_satp(struct chunk *k, int space)
{
	unsigned value = gen_temp(k);

	code_li(&k->code, value, space < 0 ? 0 : paging_satp(k->p, (unsigned)space));
	code_csr(&k->code, INSN_csrrw, gen_dest(k), CSR_SATP, value);
	if (k->p->same_asid)
		code_word(&k->code, insn_r(INSN_sfence_vma, 0, 0, 0));
}

/* In S at its physical address: some operations in another space, or without translation;
 * and writes of satp that are ignored. */
void op_satp(struct chunk *k)
{
	int old = k->space;
	unsigned value = gen_temp(k);

	if (rng_chance(&k->rng, 20)) {
		code_li(&k->code, value,
			rng_next(&k->rng) >> 4 | (uint64_t)rng_range(&k->rng, 1, 7)
						     << 60);
		code_csr(&k->code, INSN_csrrw, gen_dest(k), CSR_SATP, value);
		return;
	}
	if (k->now->view != VIEW_FLAT)
		return;
	if (rng_chance(&k->rng, 30))
		k->space = -1;
	else
		k->space = (int)rng_below(&k->rng, k->p->spaces);
	set_satp(k, k->space);
	gen_ops(k, rng_range(&k->rng, 1, 5));
	k->space = old;
	set_satp(k, old);
}

void pmp_random(struct rng *rng, unsigned i, uint64_t *addr, uint8_t *cfg)
{
	enum { TOR = 0x08, NA4 = 0x10, NAPOT = 0x18 };
	uint64_t at = ARENA + rng_below(rng, 0x1000) * 4U;
	unsigned kind = rng_below(rng, 8);

	*cfg = (uint8_t)rng_below(rng, 8);
	*addr = at >> 2;
	if (kind < 2 && i > 0) {
		*cfg |= TOR;
	} else if (kind < 4) {
		*cfg |= NA4;
	} else if (kind < 7) {
		*cfg |= NAPOT;
		uint64_t size = UINT64_C(1) << rng_range(rng, 3, 14);
		*addr = (at & ~(size - 1)) >> 2 | (size / 8 - 1);
	}
}

uint64_t pmp_edge(struct rng *rng, const uint64_t *addr, uint64_t first, uint64_t size)
{
	uint64_t at = addr[rng_below(rng, 7)] << 2;
	uint64_t ones = at >> 2 ^ ((at >> 2) + 1); /* of a NAPOT region */

	if (rng_chance(rng, 50))
		at = (at >> 2 & ~ones) << 2;
	if (rng_chance(rng, 50))
		at += (ones + 1) << 2;
	at += rng_below(rng, 17);
	at -= 8;
	if (at < first || at > first + size - 8)
		at = first + rng_below(rng, (unsigned)size - 8);
	return at;
}

static void put_pmp(struct chunk *k, unsigned csr, uint64_t value)
{
	unsigned reg = gen_temp(k);

	code_li(&k->code, reg, value);
	code_csr(&k->code, INSN_csrrw, gen_dest(k), csr, reg);
}

/* Writes random values, without locks, to a PMP register or the whole configuration, and
 * then the previous value. */
static void scramble_pmp(struct chunk *k)
{
	const uint64_t locks = UINT64_C(0x8080808080808080);
	unsigned i = rng_below(&k->rng, 7);

	put_pmp(k, CSR_PMPADDR0 + i, rng_edge(&k->rng));
	code_csr(&k->code, INSN_csrrs, gen_dest(k), CSR_PMPADDR0 + i, 0);
	put_pmp(k, CSR_PMPCFG0, rng_next(&k->rng) & ~locks);
	code_csr(&k->code, INSN_csrrs, gen_dest(k), CSR_PMPCFG0, 0);
	put_pmp(k, CSR_PMPADDR0 + i, k->env.pmpaddr[i]);
	put_pmp(k, CSR_PMPCFG0, k->env.pmpcfg);
}

/* Runs in M. Entries stay inside the arena, so that other code is unaffected. */
void op_pmp(struct chunk *k)
{
	uint64_t addr;
	uint8_t cfg;

	k->env.pmp = true;
	if (rng_chance(&k->rng, 30)) {
		scramble_pmp(k);
	} else {
		unsigned i = rng_below(&k->rng, 7);

		pmp_random(&k->rng, i, &addr, &cfg);
		put_pmp(k, CSR_PMPADDR0 + i, addr);
	}
	code_word(&k->code, insn_r(INSN_sfence_vma, 0, 0, 0));
}
