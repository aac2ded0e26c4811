/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of mapped data. */
#include "ops.h"

static const enum insn loads[] = {INSN_lb,  INSN_lh,  INSN_lw, INSN_ld,
				  INSN_lbu, INSN_lhu, INSN_lwu};
static const enum insn stores[] = {INSN_sb, INSN_sh, INSN_sw, INSN_sd};

/* log2 of the bytes that a load or store moves */
static unsigned size_of(enum insn insn)
{
	return insn_kinds[insn].bits >> 12 & 3;
}

static int aligned(struct rng *rng, enum insn insn, int low, int high)
{
	int any = low + (int)rng_below(rng, (unsigned)(high - low));

	return any & -(1 << size_of(insn));
}

static void load_or_store(struct chunk *k, unsigned base, int low, int high)
{
	enum insn insn;

	if (rng_chance(&k->rng, 55)) {
		insn = RNG_PICK(&k->rng, loads);
		code_i(&k->code, insn, gen_dest(k), base,
		       aligned(&k->rng, insn, low, high));
	} else {
		insn = RNG_PICK(&k->rng, stores);
		code_s(&k->code, insn, gen_source(k), base,
		       aligned(&k->rng, insn, low, high));
	}
}

void op_load_store(struct chunk *k)
{
	unsigned base = gen_pointer(k);

	if (!base)
		op_alu(k);
	else if (rng_chance(&k->rng, 50))
		load_or_store(k, base, -2048, 2048);
	else
		load_or_store(k, base, -32, 96);
}

static void short_stack(struct chunk *k)
{
	static const enum insn all[] = {INSN_c_lwsp, INSN_c_ldsp, INSN_c_swsp,
					INSN_c_sdsp};
	enum insn insn = RNG_PICK(&k->rng, all);
	bool load = insn == INSN_c_lwsp || insn == INSN_c_ldsp;
	bool word = insn == INSN_c_lwsp || insn == INSN_c_swsp;

	code_half(&k->code, insn_c_stack(insn, load ? gen_temp(k) : gen_source(k),
					 rng_below(&k->rng, 64) * (word ? 4 : 8)));
}

void op_load_store_short(struct chunk *k)
{
	static const enum insn all[] = {INSN_c_lw, INSN_c_ld, INSN_c_sw, INSN_c_sd};
	enum insn insn = RNG_PICK(&k->rng, all);
	unsigned base = gen_short_pointer(k), r = gen_short_source(k);
	bool word = insn == INSN_c_lw || insn == INSN_c_sw;
	bool stack =
	    k->now->pointers >> 2 & 1 && (gen_translates(k) || k->now->flat >> 2 & 1);

	if (insn == INSN_c_lw || insn == INSN_c_ld)
		r = gen_short_dest(k);
	if (stack && rng_chance(&k->rng, 50))
		short_stack(k);
	else if (base && r)
		code_half(&k->code,
			  insn_c_memory(insn, r, base,
					rng_below(&k->rng, 32) * (word ? 4 : 8)));
	else
		op_load_store(k);
}

/* A load followed immediately by a use of its value. */
void op_load_use(struct chunk *k)
{
	unsigned base = gen_pointer(k), value = gen_hold(k);
	enum insn insn = RNG_PICK(&k->rng, loads);

	if (base) {
		code_i(&k->code, insn, value, base, aligned(&k->rng, insn, -2048, 2048));
		switch (rng_below(&k->rng, 4)) {
		case 0:
			code_s(&k->code, INSN_sd, value, base,
			       aligned(&k->rng, INSN_sd, -2048, 2048));
			break;
		case 1:
			code_word(&k->code, insn_b(INSN_blt, value, gen_source(k), 4));
			break;
		case 2:
			code_half(&k->code, insn_cr(INSN_c_add, gen_dest(k), value));
			break;
		default:
			code_r(&k->code, rng_chance(&k->rng, 50) ? INSN_div : INSN_mul,
			       gen_dest(k), gen_source(k), value);
			break;
		}
	}
	gen_release(k, value);
}

/* Overlapping stores and loads of different sizes. */
void op_overlap(struct chunk *k)
{
	unsigned base = gen_pointer(k);
	int at = aligned(&k->rng, INSN_sd, -2048, 2040);

	if (!base)
		return;
	for (unsigned n = rng_range(&k->rng, 2, 5); n; n--)
		load_or_store(k, base, at, at + 8);
}

/* A computed address. */
void op_index(struct chunk *k)
{
	unsigned base = gen_pointer(k), index = gen_temp(k);
	struct code *c = &k->code;

	if (!base)
		return;
	code_i(c, INSN_andi, index, gen_source(k), 0x7f8);
	if (rng_chance(&k->rng, 50))
		code_half(c, insn_cr(INSN_c_add, index, base));
	else
		code_r(c, INSN_add, index, index, base);
	load_or_store(k, index, 0, 8);
}

/* Moves a pointer to another address. Both are valid, whether this is executed or not. */
void op_new_pointer(struct chunk *k)
{
	unsigned reg = gen_pointer(k);
	bool flat, was_flat = k->now->flat >> reg & 1;
	uint64_t at = gen_data(k, &flat);

	if (reg && (flat || !was_flat))
		code_li(&k->code, reg, at);
}

/* n accesses, `step` bytes apart. Registers: address, step, counter; and the first
 * address, which is accessed repeatedly if the register is not x0: the L1 then keeps a
 * line that is old in the L2. */
static void walk(struct chunk *k, const unsigned reg[4], unsigned step, unsigned n)
{
	struct code *c = &k->code;

	code_li(c, reg[1], step);
	code_li(c, reg[2], n);
	if (reg[3])
		code_i(c, INSN_addi, reg[3], reg[0], 0);
	uint32_t top = c->at;
	c->times *= n;
	for (unsigned i = rng_range(&k->rng, 1, 2); i; i--)
		load_or_store(k, reg[0], 0, 8);
	if (reg[3])
		load_or_store(k, reg[3], 0, 64);
	code_r(c, INSN_add, reg[0], reg[0], reg[1]);
	code_i(c, INSN_addi, reg[2], reg[2], -1);
	code_branch_to(c, INSN_bne, reg[2], 0, top);
	c->times /= n;
}

/* Accesses with a stride that maps to one set of a cache, of either level. */
void op_stride(struct chunk *k)
{
	static const unsigned steps[] = {0x1000, 0x1000,  0x2000,
					 0x4000, 0x10000, 0x20000};
	unsigned reg[4] = {0}, step = RNG_PICK(&k->rng, steps);
	unsigned held = rng_range(&k->rng, 3, 4);

	for (unsigned i = 0; i < held; i++)
		reg[i] = gen_hold(k);
	code_li(&k->code, reg[0],
		gen_ram(k, BIG + rng_below(&k->rng, 0x20000) / 64 * 64));
	walk(k, reg, step, rng_range(&k->rng, 4, step > 0x4000 ? 30 : 12));
	for (unsigned i = 0; i < held; i++)
		gen_release(k, reg[i]);
}

/* Sequential lines, starting from a different place each time. */
void op_sweep(struct chunk *k)
{
	static const unsigned steps[] = {64, 64, 64, 128, 192, 1024};
	struct code *c = &k->code;
	unsigned reg[4] = {0}, most = 250;

	for (unsigned i = 0; i < 3; i++)
		reg[i] = gen_hold(k);
	if (k->theme == THEME_CACHE && c->times == 1)
		most = 1500;
	code_li(c, reg[1], BIG_SIZE / 2 - 64);
	code_i(c, INSN_slli, reg[0], gen_source(k), (int)rng_range(&k->rng, 0, 16));
	code_r(c, INSN_and, reg[0], reg[0], reg[1]);
	code_li(c, reg[1], gen_ram(k, BIG));
	code_r(c, INSN_add, reg[0], reg[0], reg[1]);
	walk(k, reg, RNG_PICK(&k->rng, steps), rng_range(&k->rng, 16, most));
	for (unsigned i = 0; i < 3; i++)
		gen_release(k, reg[i]);
}

/* Random addresses throughout the big data. */
void op_scatter(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned seed = gen_hold(k), mask = gen_hold(k), at = gen_hold(k);
	unsigned count = gen_hold(k), n = rng_range(&k->rng, 4, 24);

	code_r(c, INSN_add, seed, gen_source(k), 0);
	code_li(c, mask, BIG_SIZE - 8);
	code_li(c, count, n);
	uint32_t top = c->at;
	c->times *= n;
	code_i(c, INSN_slli, at, seed, 13);
	code_r(c, INSN_xor, seed, seed, at);
	code_i(c, INSN_srli, at, seed, 7);
	code_r(c, INSN_xor, seed, seed, at);
	code_r(c, INSN_and, seed, seed, mask);
	code_li(c, at, gen_ram(k, BIG));
	code_r(c, INSN_add, at, at, seed);
	code_i(c, INSN_addi, seed, seed, 0x7ed);
	load_or_store(k, at, 0, 8);
	code_i(c, INSN_addi, count, count, -1);
	code_branch_to(c, INSN_bne, count, 0, top);
	c->times /= n;
	gen_release(k, seed);
	gen_release(k, mask);
	gen_release(k, at);
	gen_release(k, count);
}
