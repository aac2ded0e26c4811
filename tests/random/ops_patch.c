/* SPDX-License-Identifier: Apache-2.0 */
/* Self-modifying code. */
#include "ops.h"

/* Returns four bytes of code that may be anywhere: one instruction, two compressed ones,
 * or a jump over nothing. */
static uint32_t any_word(struct chunk *k)
{
	unsigned rd = gen_dest(k), other = gen_temp(k), imm = rng_below(&k->rng, 4096);

	switch (rng_below(&k->rng, 6)) {
	case 0:
		return insn_r(INSN_mul, rd, gen_source(k), gen_source(k));
	case 1:
		return insn_jal(0, 4);
	case 2:
		return insn_b(INSN_bne, gen_source(k), gen_source(k), 4);
	case 3:
		return insn_ci(INSN_c_addi, other, (int)imm & 63) |
		       (uint32_t)insn_cr(INSN_c_mv, other, rng_range(&k->rng, 1, 31))
			   << 16;
	case 4:
		return (uint32_t)insn_ci(INSN_c_li, other, (int)imm & 63) << 16 |
		       insn_c_jump(2);
	default:
		return insn_i(INSN_addi, rd, gen_source(k), (int)imm);
	}
}

static void flip_word(struct chunk *k, unsigned at, unsigned old, unsigned flip,
		      uint32_t delta)
{
	struct code *c = &k->code;

	code_li(c, flip, delta);
	code_i(c, INSN_lw, old, at, 0);
	code_r(c, INSN_xor, old, old, flip);
	code_s(c, INSN_sw, old, at, 0);
}

static void flip_halves(struct chunk *k, unsigned at, unsigned old, unsigned flip,
			uint32_t delta)
{
	struct code *c = &k->code;

	for (int i = 0; i < 2; i++) {
		code_li(c, flip, delta >> 16 * i & 0xffff);
		code_i(c, INSN_lhu, old, at, 2 * i);
		code_r(c, INSN_xor, old, old, flip);
		code_s(c, INSN_sh, old, at, 2 * i);
	}
}

/* Toggles a word between two instructions each time it runs, and executes it. */
void op_patch(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned at = gen_hold(k), old = gen_hold(k), flip = gen_hold(k);
	uint32_t before = any_word(k), delta = before ^ any_word(k),
		 page = c->at & ~0xfffU;
	bool halves = rng_chance(&k->rng, 50);

	/* Not across the end of a page, since the next one may be elsewhere. */
	if ((c->at & 0xfff) < 0xf80) {
		struct mark site = code_address(c, at);
		if (rng_chance(&k->rng, 50)) { /* through another address */
			code_li(c, flip,
				gen_ram(k, code_physical(c, page)) - (c->va + page));
			code_r(c, INSN_add, at, at, flip);
		}
		if (halves)
			flip_halves(k, at, old, flip, delta);
		else
			flip_word(k, at, old, flip, delta);
		code_word(c, insn_kinds[INSN_fence_i].bits);
		if (!halves && c->at & 2)
			code_half(c, insn_ci(INSN_c_addi, old, 1));
		code_land(c, site);
		code_word(c, before);
	}
	gen_release(k, at);
	gen_release(k, old);
	gen_release(k, flip);
}
