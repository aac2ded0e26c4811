/* SPDX-License-Identifier: Apache-2.0 */
/* Branches, loops, calls: forward jumps, or backward ones with a counter. */
#include "ops.h"

static const enum insn branches[] = {INSN_beq, INSN_bne,  INSN_blt,
				     INSN_bge, INSN_bltu, INSN_bgeu};

/* Skips some operations. */
void op_skip(struct chunk *k)
{
	struct code *c = &k->code;
	struct mark mark;
	bool tight = k->tight;

	if (rng_chance(&k->rng, 40)) {
		mark =
		    code_c_branch(c, rng_chance(&k->rng, 50) ? INSN_c_beqz : INSN_c_bnez,
				  gen_short_source(k));
		k->tight = true;
		gen_simple_ops(k, rng_below(&k->rng, 4));
		k->tight = tight;
	} else {
		mark = code_branch(c, RNG_PICK(&k->rng, branches), gen_source(k),
				   gen_source(k));
		gen_ops(k, rng_below(&k->rng, 4));
	}
	code_land(c, mark);
}

void op_loop(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned count = gen_hold(k);
	unsigned n = c->times > 8 ? 2 : rng_range(&k->rng, 2, c->times > 1 ? 4 : 16);

	code_li(c, count, n);
	uint32_t top = c->at;
	c->times *= n;
	gen_ops(k, rng_range(&k->rng, 1, 7));
	code_i(c, INSN_addi, count, count, -1);
	code_branch_to(c, INSN_bne, count, 0, top);
	c->times /= n;
	gen_release(k, count);
}

/* Jumps over code that is never executed, with any return-address-stack hint. */
void op_jump(struct chunk *k)
{
	static const unsigned links[] = {0, 0, 1, 1, 5, 5};
	struct code *c = &k->code;
	struct mark mark;
	unsigned rd = RNG_PICK(&k->rng, links);

	if (rng_chance(&k->rng, 30))
		rd = gen_dest(k);
	if ((k->now->pointers | k->reserved) >> rd & 1)
		rd = 0;
	if (rng_chance(&k->rng, 25)) {
		mark = code_jal(c, rd);
	} else if (rng_chance(&k->rng, 25)) {
		mark = code_c_jump(c);
	} else {
		unsigned to =
		    rng_chance(&k->rng, 50) ? RNG_PICK(&k->rng, links) : gen_temp(k);
		if (to == 0 || (k->now->pointers | k->reserved) >> to & 1)
			to = gen_temp(k);
		mark = code_address(c, to);
		if (rd < 2 && rng_chance(&k->rng, 40))
			code_half(c, insn_cr(rd ? INSN_c_jalr : INSN_c_jr, to, 0));
		else /* the lowest bit of the sum is ignored */
			code_i(c, INSN_jalr, rd, to, rng_chance(&k->rng, 20));
	}
	for (unsigned n = rng_below(&k->rng, 4); n; n--)
		code_half(c, (uint16_t)rng_next(&k->rng));
	code_land(c, mark);
}

static unsigned hold_link(struct chunk *k)
{
	unsigned link = rng_chance(&k->rng, 60) ? 1 : 5;

	if ((k->now->pointers | k->reserved) >> link & 1 || rng_chance(&k->rng, 10))
		return gen_hold(k);
	k->reserved |= 1U << link;
	return link;
}

static void go_back(struct chunk *k, unsigned link)
{
	if (rng_chance(&k->rng, 50))
		code_half(&k->code, insn_cr(INSN_c_jr, link, 0));
	else
		code_i(&k->code, INSN_jalr, 0, link, 0);
}

static void call(struct chunk *k, unsigned link, uint32_t to)
{
	struct code *c = &k->code;

	if (rng_chance(&k->rng, 60)) {
		code_jal_to(c, link, to);
		return;
	}
	unsigned via = gen_temp(k);
	code_address_to(c, via, to);
	if (link == 1 && rng_chance(&k->rng, 50))
		code_half(c, insn_cr(INSN_c_jalr, via, 0));
	else
		code_i(c, INSN_jalr, link, via, 0);
}

/* A function, and calls of it from several places. */
void op_call(struct chunk *k)
{
	struct code *c = &k->code;
	struct mark over = code_jal(c, 0);
	unsigned link = hold_link(k), calls = rng_range(&k->rng, 1, 4);
	uint32_t function = c->at;

	c->times *= calls;
	gen_ops(k, rng_range(&k->rng, 0, 4));
	go_back(k, link);
	c->times /= calls;
	code_land(c, over);
	while (calls--) {
		call(k, link, function);
		gen_simple_ops(k, rng_below(&k->rng, 2));
	}
	gen_release(k, link);
}

static void push(struct chunk *k, unsigned stack, unsigned reg)
{
	code_i(&k->code, INSN_addi, stack, stack, -8);
	code_s(&k->code, INSN_sd, reg, stack, 0);
}

static void pop(struct chunk *k, unsigned stack, unsigned reg)
{
	code_i(&k->code, INSN_ld, reg, stack, 0);
	code_i(&k->code, INSN_addi, stack, stack, 8);
}

/* A chain of calls deeper than the predictor's return stack. */
void op_nest_calls(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned stack = gen_pointer(k), depth = rng_range(&k->rng, 2, 12);

	if (!stack)
		return;
	unsigned link = hold_link(k);
	struct mark over = code_jal(c, 0);
	uint32_t function = c->at;
	gen_simple_ops(k, rng_below(&k->rng, 2));
	go_back(k, link);
	while (--depth) {
		uint32_t outer = c->at;

		push(k, stack, link);
		for (unsigned n = rng_range(&k->rng, 1, depth > 3 ? 1 : 2); n; n--)
			code_jal_to(c, link, function);
		pop(k, stack, link);
		go_back(k, link);
		function = outer;
	}
	code_land(c, over);
	c->cost += c->times * 150; /* some functions run several times */
	code_jal_to(c, link, function);
	gen_release(k, link);
}

/* A recursive function. */
void op_recurse(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned stack = gen_pointer(k), depth = rng_range(&k->rng, 2, 24);

	if (!stack)
		return;
	unsigned link = hold_link(k);
	unsigned count = gen_hold(k);
	struct mark over = code_jal(c, 0);
	uint32_t function = c->at;
	c->times *= depth;
	push(k, stack, link);
	code_i(c, INSN_addi, count, count, -1);
	gen_simple_ops(k, rng_below(&k->rng, 3));
	struct mark deep = code_branch(c, INSN_beq, count, 0);
	code_jal_to(c, link, function);
	code_land(c, deep);
	gen_simple_ops(k, rng_below(&k->rng, 2));
	pop(k, stack, link);
	go_back(k, link);
	c->times /= depth;
	code_land(c, over);
	code_li(c, count, depth);
	code_jal_to(c, link, function);
	gen_release(k, count);
	gen_release(k, link);
}

/* A jump by a value to one of several blocks of equal size. */
void op_table(struct chunk *k)
{
	struct code *c = &k->code;
	struct mark table, end[8];
	unsigned n = 1U << rng_range(&k->rng, 1, 3), shift = rng_range(&k->rng, 3, 4);
	unsigned to = gen_hold(k), base = gen_hold(k);

	code_i(c, INSN_andi, to, gen_source(k), (int)n - 1);
	code_i(c, INSN_slli, to, to, (int)shift);
	table = code_address(c, base);
	code_r(c, INSN_add, to, to, base);
	code_i(c, INSN_jalr, rng_chance(&k->rng, 20) ? base : 0, to, 0);
	code_land(c, table);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned w = 1; w < 1U << (shift - 2); w++)
			op_alu(k);
		end[i] = code_jal(c, 0);
	}
	for (unsigned i = 0; i < n; i++)
		code_land(c, end[i]);
	gen_release(k, to);
	gen_release(k, base);
}
