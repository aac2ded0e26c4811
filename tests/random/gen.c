/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, addresses and padding for the random operations. */
#include "chunk.h"

enum { TRAP_COST = 32 };
#define SHORT 0x0000ff00U /* x8 to x15 */

static uint32_t busy(const struct chunk *k)
{
	return k->now->pointers | k->reserved | 1U;
}

unsigned gen_temp(struct chunk *k)
{
	return rng_bit(&k->rng, ~busy(k));
}

unsigned gen_dest(struct chunk *k)
{
	return rng_chance(&k->rng, 3) ? 0 : gen_temp(k);
}

unsigned gen_source(struct chunk *k)
{
	return rng_below(&k->rng, 32);
}

static unsigned bit_or_0(struct chunk *k, uint32_t mask)
{
	return mask ? rng_bit(&k->rng, mask) : 0;
}

unsigned gen_short_dest(struct chunk *k)
{
	return bit_or_0(k, SHORT & ~busy(k));
}

unsigned gen_short_source(struct chunk *k)
{
	return rng_bit(&k->rng, SHORT);
}

static uint32_t pointers(const struct chunk *k)
{
	return gen_translates(k) ? k->now->pointers : k->now->flat;
}

unsigned gen_pointer(struct chunk *k)
{
	return bit_or_0(k, pointers(k));
}

unsigned gen_short_pointer(struct chunk *k)
{
	return bit_or_0(k, pointers(k) & SHORT);
}

unsigned gen_hold(struct chunk *k)
{
	unsigned reg = gen_temp(k);

	k->reserved |= 1U << reg;
	return reg;
}

void gen_release(struct chunk *k, unsigned reg)
{
	k->reserved &= ~(1U << reg);
}

bool gen_translates(const struct chunk *k)
{
	return k->now->priv != PRIV_M && k->space >= 0;
}

uint64_t gen_ram(struct chunk *k, uint64_t physical)
{
	if (gen_translates(k) && k->now->priv == PRIV_U)
		return va_root(k->p->root_user, physical - SOC_RAM_BASE);
	return physical;
}

uint64_t gen_device(const struct chunk *k, uint64_t physical)
{
	if (gen_translates(k) && k->now->priv == PRIV_U)
		return va_root(k->p->root_device, physical);
	return physical;
}

uint64_t data_address(const struct program *p, struct rng *rng, unsigned priv, bool vm,
		      bool *flat)
{
	bool user = priv == PRIV_U, big = rng_chance(rng, 30);
	uint64_t size = big ? BIG_SIZE : HOT_SIZE;
	bool window = vm && rng_chance(rng, 60);

	if (window && !big)
		size = 0x100000; /* 256 pages that map the hot ones */
	uint64_t offset =
	    0x800 + (uint64_t)rng_below(rng, (unsigned)(size - 0x1000)) / 8 * 8;
	*flat = !window && !(vm && user);
	if (window && big)
		return va_l1(p, user ? p->l1_big_user : p->l1_big, offset);
	if (window)
		return va_l1(p, p->l1_data, (user ? 0x100000 : 0) + offset);
	offset += (big ? BIG : HOT);
	return vm && user ? va_root(p->root_user, offset - SOC_RAM_BASE) : offset;
}

uint64_t gen_data(struct chunk *k, bool *flat)
{
	unsigned priv = k->now->priv;

	if (priv == PRIV_S && (k->env.mstatus & STATUS_SUM) && rng_chance(&k->rng, 40))
		priv = PRIV_U;
	return data_address(k->p, &k->rng, priv, gen_translates(k), flat);
}

void gen_trap_half(struct chunk *k, uint16_t insn)
{
	code_half(&k->code, insn);
	code_half(&k->code, insn_ci(INSN_c_li, gen_dest(k), (int)rng_below(&k->rng, 64)));
}

void gen_cost_traps(struct chunk *k, unsigned traps)
{
	k->code.cost += TRAP_COST * traps * k->code.times;
}

void gen_stay(struct chunk *k, unsigned bytes)
{
	struct code *c = &k->code;
	uint32_t page = c->at >> 12;

	if ((c->at + bytes) >> 12 == page)
		return;
	while (c->at >> 12 == page)
		code_i(c, INSN_addi, gen_dest(k), gen_source(k), 1);
}
