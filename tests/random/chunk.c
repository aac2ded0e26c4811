/* SPDX-License-Identifier: Apache-2.0 */
/* Plans chunks: CSRs, privileges, addresses; and writes their bodies. */
#include <stdio.h>

#include "chunk_internal.h"

enum {
	PAIR = 0x2000,
	SLOTS = 128,
	FLAGS = PTE_V | PTE_R | PTE_W | PTE_X | PTE_A | PTE_D
};

static uint64_t some(struct rng *rng, unsigned percent, uint64_t bits)
{
	return rng_chance(rng, percent) ? bits : 0;
}

static void plan_status(struct chunk *k)
{
	struct rng *rng = &k->rng;
	bool plain = k->p->plain;

	k->env.mstatus = some(rng, 50, STATUS_SUM);
	if (k->p->has_float && rng_chance(rng, 92))
		k->env.mstatus |= (uint64_t)rng_range(rng, 1, 3) << 13;
	if (plain)
		return;
	k->env.mstatus |= some(rng, 40, STATUS_MXR) | some(rng, 60, STATUS_MPIE) |
			  some(rng, 50, STATUS_SIE) | some(rng, 60, STATUS_SPIE) |
			  some(rng, 8, STATUS_TVM) | some(rng, 10, STATUS_TW) |
			  some(rng, 8, STATUS_TSR);
	k->env.mcounteren = rng_next(rng);
	k->env.scounteren = rng_next(rng);
	k->env.mcountinhibit = some(rng, 20, rng_next(rng));
	k->env.menvcfg = rng_next(rng);
	k->env.senvcfg = rng_next(rng);
}

/* The S handler must be able to return, and to leave for M. */
static void plan_delegation(struct chunk *k)
{
	const uint64_t leaves =
	    1 << CAUSE_ILLEGAL | 1 << CAUSE_BREAK | 1 << CAUSE_ECALL_S;
	struct rng *rng = &k->rng;
	struct env *e = &k->env;

	e->m_vector = rng_chance(rng, 50);
	e->s_vector = rng_chance(rng, 50);
	if (!(e->mstatus & STATUS_TSR)) {
		e->medeleg = some(rng, 65, rng_next(rng) | some(rng, 20, UINT64_MAX));
		e->mideleg = some(rng, 65, rng_next(rng) | some(rng, 40, UINT64_MAX));
	}
	if ((e->medeleg & leaves) == leaves)
		e->medeleg &= ~(UINT64_C(1) << rng_bit(rng, leaves));
	if (k->p->plain) {
		e->medeleg &= 1 << CAUSE_ILLEGAL | 1 << CAUSE_ECALL_U;
		e->mideleg = 0;
		return;
	}
	e->mie = rng_next(rng) & 0xaaa;
	if (k->theme == THEME_INTERRUPT)
		e->mie = 0xaaa;
	e->mie |= some(rng, 80, 1 << IRQ_MT);
	e->mip = some(rng, 25, rng_next(rng) & 0x222);
}

static void plan_env(struct chunk *k)
{
	struct env *e = &k->env;
	const struct program *p = k->p;
	bool own = k->theme == THEME_PROTECTION || rng_chance(&k->rng, 5);

	plan_status(k);
	plan_delegation(k);
	e->space = -1;
	if (rng_chance(&k->rng, k->theme == THEME_PAGING ? 95 : 65))
		e->space = (int)rng_below(&k->rng, p->spaces);
	e->pmp = own && !p->plain;
	e->pmpcfg = p->pmpcfg;
	for (unsigned i = 0; i < 7; i++) {
		uint8_t cfg;

		e->pmpaddr[i] = p->pmpaddr[i];
		if (!e->pmp)
			continue;
		pmp_random(&k->rng, i, &e->pmpaddr[i], &cfg);
		e->pmpcfg &= ~(UINT64_C(0xff) << 8 * i);
		e->pmpcfg |= (uint64_t)cfg << 8 * i;
	}
}

static enum view plan_view(struct chunk *k, unsigned priv)
{
	if (priv == PRIV_M || k->env.space < 0)
		return VIEW_FLAT;
	if (rng_chance(&k->rng, 60))
		return VIEW_WINDOW;
	return priv == PRIV_S ? VIEW_FLAT : VIEW_USER;
}

/* Registers that hold addresses of data throughout. */
static void plan_pointers(struct chunk *k, struct segment *s)
{
	uint32_t free = ~(1U | 1U << k->p->rec);
	unsigned count = rng_range(&k->rng, 2, 5);
	bool flat;

	k->now = s;
	for (unsigned i = 0; i < count; i++) {
		unsigned reg = rng_bit(&k->rng, free);
		if (i == 0)
			reg = rng_bit(&k->rng, free & 0xff00);
		else if (i == 1 && k->p->rec != 2 && rng_chance(&k->rng, 60))
			reg = 2;
		free &= ~(1U << reg);
		s->pointers |= 1U << reg;
		s->pointer[reg] = gen_data(k, &flat);
		if (flat)
			s->flat |= 1U << reg;
	}
}

static void plan_segments(struct chunk *k)
{
	static const uint8_t privs[] = {PRIV_U, PRIV_U, PRIV_S, PRIV_S,
					PRIV_S, PRIV_M, PRIV_M};
	struct rng *rng = &k->rng;
	unsigned priv = RNG_PICK(rng, privs);

	k->space = k->env.space;
	k->segments = priv != PRIV_U && rng_chance(rng, 40) ? 2 : 1;
	for (unsigned i = 0; i < k->segments; i++) {
		struct segment *s = &k->seg[i];

		s->priv = priv;
		s->view = plan_view(k, priv);
		s->start = PAIR * i + 0x1000 - 2 * rng_range(rng, 16, 0x100);
		plan_pointers(k, s);
		if (priv == PRIV_S && k->segments == 2)
			k->env.mstatus &= ~(uint64_t)STATUS_TSR;
		if (priv == PRIV_S)
			priv = rng_chance(rng, 85) ? PRIV_U : PRIV_S;
		else
			priv = RNG_PICK(rng, privs);
	}
}

/* Chooses the location of the body's pages. Only pages seen through small pages may be
 * out of order. */
static void plan_pages(struct chunk *k)
{
	uint64_t base = BODIES + (uint64_t)k->index * BODY_SIZE;

	for (unsigned i = 0; i < CODE_PAGES; i++)
		k->page[i] = base + 0x1000 * i;
	for (unsigned i = 0; i < k->segments; i++) {
		if (k->seg[i].view != VIEW_WINDOW)
			continue;
		if (rng_chance(&k->rng, 50)) {
			uint64_t page = k->page[2 * i];
			k->page[2 * i] = k->page[2 * i + 1];
			k->page[2 * i + 1] = page;
		}
		if (rng_chance(&k->rng, 50))
			k->fix = 2 * i + 1;
	}
	/* S cannot do it. */
	if ((k->env.mstatus & STATUS_TVM) || k->p->plain)
		k->fix = 0;
}

uint64_t chunk_code_pte(const struct chunk *k, unsigned page, uint64_t *at)
{
	const struct space *s = &k->p->space[k->env.space];
	bool user = k->seg[page / 2].priv == PRIV_U;

	*at = s->code + 8 * (k->index * CODE_PAGES + page);
	return pte_make(k->page[page], FLAGS | (user ? PTE_U : 0));
}

uint64_t chunk_va(const struct chunk *k, const struct segment *s)
{
	uint64_t offset = (uint64_t)k->index * BODY_SIZE;

	switch (s->view) {
	case VIEW_WINDOW:
		return va_l1(k->p, k->p->l1_code, offset);
	case VIEW_USER:
		return va_root(k->p->root_user, BODIES - SOC_RAM_BASE + offset);
	default:
		return BODIES + offset;
	}
}

static void map_body(const struct chunk *k)
{
	uint64_t at;

	for (unsigned i = 0; i < k->segments; i++) {
		if (k->seg[i].view != VIEW_WINDOW)
			continue;
		for (unsigned page = 2 * i; page < 2 * i + 2; page++) {
			uint64_t pte = chunk_code_pte(k, page, &at);
			image_put64(k->p->image, at, pte);
		}
	}
}

static void write_exit(struct chunk *k)
{
	static const enum insn below[] = {INSN_ecall, INSN_ebreak, INSN_mret};

	k->exit = k->now->priv == PRIV_M
		      ? RNG_PICK(&k->rng, ((enum insn[]){INSN_ecall, INSN_ebreak}))
		      : RNG_PICK(&k->rng, below);
	if (k->p->plain)
		k->exit = INSN_ecall;
	k->exit_va = code_here(&k->code);
	code_word(&k->code, insn_kinds[k->exit].bits);
}

static void write_segment(struct chunk *k, unsigned i)
{
	const struct segment *s = &k->seg[i];
	struct code *c = &k->code;
	char name[32];

	k->now = s;
	k->reserved = 1U << k->p->rec;
	*c = (struct code){.image = k->p->image,
			   .rng = &k->rng,
			   .va = chunk_va(k, s),
			   .at = s->start,
			   .end = PAIR * (i + 1),
			   .cost = c->cost,
			   .times = 1};
	for (unsigned page = 0; page < CODE_PAGES; page++)
		c->page[page] = k->page[page];
	snprintf(name, sizeof(name), "chunk%u_body%u", k->index, i);
	image_symbol(k->p->image, name, code_physical(c, c->at), true);
	gen_segment_ops(k, c->end - 0x80);
	if (i == 0)
		k->rec_start = code_here(c);
	if (i + 1 < k->segments)
		chunk_descend(k, &k->seg[i + 1]);
	else
		write_exit(k);
}

uint64_t chunk_write(const struct program *p, struct chunk *k, unsigned index)
{
	*k = (struct chunk){.p = p, .index = index};
	k->rng = rng_make(p->seed, 1000 + index);
	k->theme = (enum theme)rng_below(&k->rng, THEME_FLOAT);
	if (p->focus >= 0 && rng_chance(&k->rng, 50))
		k->theme = (enum theme)p->focus;
	if (p->theme >= 0 && !(p->has_float && rng_chance(&k->rng, 30)))
		k->theme = (enum theme)p->theme;
	k->repeat = rng_chance(&k->rng, 50) ? 1 : rng_range(&k->rng, 2, 6);
	plan_env(k);
	plan_segments(k);
	plan_pages(k);
	if (k->env.space >= 0)
		map_body(k);
	for (unsigned i = 0; i < k->segments; i++)
		write_segment(k, i);
	chunk_write_setup(k);
	if (k->repeat > p->repeats)
		k->repeat = p->repeats;
	return k->code.cost * k->repeat;
}
