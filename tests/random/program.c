/* SPDX-License-Identifier: Apache-2.0 */
/* Choices by the seed that apply to all chunks. */
#include "program.h"
#include "paging.h"

const char *const theme_names[THEMES] = {
    "compute", "memory", "branch", "trap",   "paging", "protection", "interrupt",
    "csr",     "patch",	 "atomic", "device", "cache",  "float"};

/* Chooses distinct registers: for the return after a fetch fault, and for the
 * handlers. */
static void choose_registers(struct program *p)
{
	uint32_t left = ~1U;

	p->rec = rng_bit(&p->rng, left);
	left &= ~(1U << p->rec);
	for (unsigned i = 0; i < 4; i++) {
		p->tmp[i] = rng_bit(&p->rng, left);
		left &= ~(1U << p->tmp[i]);
	}
}

/* Entry 7 allows everything; the others may restrict parts of the arena, and some are
 * locked. */
static void choose_pmp(struct program *p)
{
	const uint8_t lock = 0x80, all = 0x1f;
	bool locked = !p->plain && rng_chance(&p->rng, 30);
	uint8_t cfg;

	p->pmpaddr[7] = UINT64_MAX >> 10;
	p->pmpcfg = (uint64_t)all << 56;
	for (unsigned i = 0; i < 7; i++) {
		pmp_random(&p->rng, i, &p->pmpaddr[i], &cfg);
		if (rng_chance(&p->rng, 60))
			cfg = 0;
		if (locked && rng_chance(&p->rng, 30))
			cfg |= lock;
		p->pmpcfg |= (uint64_t)cfg << 8 * i;
	}
}

/* Compressed instructions that return through rec; the first is arbitrary, and the last,
 * like some in between, is the first half of a 32-bit instruction. */
static uint16_t return_half(const struct program *p, struct rng *rng, unsigned i)
{
	uint16_t lui = (uint16_t)(0x37 | rng_below(rng, 16) << 12);

	if (i == 0)
		return insn_ci(INSN_c_addi, 0, (int)rng_below(rng, 64));
	return i == 2047 || i % 3 == 2 ? lui : insn_cr(INSN_c_jr, p->rec, 0);
}

static void put_returns(struct program *p)
{
	for (unsigned page = 0; page < RETURN_PAGES; page++)
		for (unsigned i = 0; i < 2048; i++)
			image_put16(p->image, ARENA_RETURNS + 0x1000 * page + 2 * i,
				    return_half(p, &p->rng, i));
	image_symbol(p->image, "returns", ARENA_RETURNS, true);
	for (unsigned i = 2044; i < 2048; i++)
		image_put16(p->image, RAM_END - 4096 + 2 * i, return_half(p, &p->rng, i));
}

static void put_data(struct program *p)
{
	for (unsigned i = 0; i < HOT_SIZE; i += 8)
		image_put64(p->image, HOT + i, rng_edge(&p->rng));
	image_symbol(p->image, "hot_data", HOT, false);
}

void program_init(struct program *p)
{
	p->rng = rng_make(p->seed, 0);
	choose_registers(p);
	p->timer = rng_range(&p->rng, 1, 3);
	p->focus = rng_chance(&p->rng, 60) ? (int)rng_below(&p->rng, THEME_FLOAT) : -1;
	paging_init(p);
	choose_pmp(p);
	paging_build(p);
	put_returns(p);
	put_data(p);
}
