/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic operations. */
#include "ops.h"

static const enum insn amos[] = {
    INSN_amoswap_w, INSN_amoadd_w,  INSN_amoxor_w,  INSN_amoand_w,  INSN_amoor_w,
    INSN_amomin_w,  INSN_amomax_w,  INSN_amominu_w, INSN_amomaxu_w, INSN_amoswap_d,
    INSN_amoadd_d,  INSN_amoxor_d,  INSN_amoand_d,  INSN_amoor_d,   INSN_amomin_d,
    INSN_amomax_d,  INSN_amominu_d, INSN_amomaxu_d,
};

/* Writes an atomic with random ordering bits. */
static void atomic(struct chunk *k, enum insn insn, unsigned rd, unsigned at,
		   unsigned rs2)
{
	code_word(&k->code, insn_r(insn, rd, at, rs2) | rng_below(&k->rng, 4) << 25);
}

/* at = pointer + some offset */
static bool address(struct chunk *k, unsigned at, unsigned align)
{
	unsigned base = gen_pointer(k);
	int offset = (int)rng_below(&k->rng, 4096) - 2048;

	if (rng_chance(&k->rng, 60))
		offset = (int)rng_below(&k->rng, 64);
	if (base)
		code_i(&k->code, INSN_addi, at, base, offset & -(int)align);
	return base != 0;
}

void op_amo(struct chunk *k)
{
	unsigned at = gen_hold(k);

	if (address(k, at, 8))
		for (unsigned n = rng_range(&k->rng, 1, 3); n; n--)
			atomic(k, RNG_PICK(&k->rng, amos), gen_dest(k), at,
			       gen_source(k));
	gen_release(k, at);
}

static enum insn lr(bool wide)
{
	return wide ? INSN_lr_d : INSN_lr_w;
}

static enum insn sc(bool wide)
{
	return wide ? INSN_sc_d : INSN_sc_w;
}

/* LR and SC, not always at the same address, with other operations in between. */
void op_reserve(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned at = gen_hold(k);
	bool wide = rng_chance(rng, 50), plain = k->p->plain;

	if (address(k, at, 8)) {
		if (plain || rng_chance(rng, 85))
			atomic(k, lr(wide), gen_dest(k), at, 0);
		if (rng_chance(rng, 50))
			gen_simple_ops(k, rng_below(rng, 4));
		if (!plain && rng_chance(rng, 15))
			op_load_store(k);
		if (!plain && rng_chance(rng, 30))
			code_i(&k->code, INSN_xori, at, at, 8 << rng_below(rng, 4));
		if (!plain && rng_chance(rng, 15))
			wide = !wide;
		atomic(k, sc(wide), gen_dest(k), at, gen_source(k));
		if (!plain && rng_chance(rng, 15))
			atomic(k, sc(wide), gen_dest(k), at, gen_source(k));
	}
	gen_release(k, at);
}

/* A retry loop of LR and SC as in software, with a bound. */
void op_retry(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned at = gen_hold(k), value = gen_hold(k), count = gen_hold(k);
	unsigned failed = gen_hold(k);
	bool wide = rng_chance(&k->rng, 50);

	if (address(k, at, 8)) {
		code_li(c, count, 3);
		uint32_t top = c->at;
		atomic(k, lr(wide), value, at, 0);
		code_r(c, INSN_add, value, value, gen_source(k));
		atomic(k, sc(wide), failed, at, value);
		struct mark done = code_branch(c, INSN_beq, failed, 0);
		code_i(c, INSN_addi, count, count, -1);
		code_branch_to(c, INSN_bne, count, 0, top);
		code_land(c, done);
	}
	gen_release(k, at);
	gen_release(k, value);
	gen_release(k, count);
	gen_release(k, failed);
}
