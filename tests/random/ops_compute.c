/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on registers. */
#include "ops.h"

static const enum insn r_types[] = {
    INSN_add,  INSN_sub, INSN_sll,  INSN_slt,	 INSN_sltu,  INSN_xor,	INSN_srl,
    INSN_sra,  INSN_or,	 INSN_and,  INSN_addw,	 INSN_subw,  INSN_sllw, INSN_srlw,
    INSN_sraw, INSN_mul, INSN_mulh, INSN_mulhsu, INSN_mulhu, INSN_mulw, INSN_div,
    INSN_divu, INSN_rem, INSN_remu, INSN_divw,	 INSN_divuw, INSN_remw, INSN_remuw,
};
static const enum insn i_types[] = {
    INSN_addi, INSN_slti, INSN_sltiu, INSN_xori,  INSN_ori,   INSN_andi,  INSN_slli,
    INSN_srli, INSN_srai, INSN_addiw, INSN_slliw, INSN_srliw, INSN_sraiw,
};
static const enum insn divides[] = {INSN_div,  INSN_divu,  INSN_rem,  INSN_remu,
				    INSN_divw, INSN_divuw, INSN_remw, INSN_remuw};

static int any_imm(struct rng *rng)
{
	static const int edges[] = {0, 1, -1, 2047, -2048, 63, 31, 32, 1024};

	return rng_chance(rng, 30) ? RNG_PICK(rng, edges) : (int)rng_below(rng, 4096);
}

void op_alu(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned rd = gen_dest(k), rs1 = gen_source(k);

	switch (rng_below(rng, 10)) {
	case 0:
		code_word(&k->code, insn_u(rng_chance(rng, 50) ? INSN_lui : INSN_auipc,
					   rd, rng_below(rng, 1 << 20)));
		break;
	case 1:
	case 2:
	case 3:
	case 4:
		code_i(&k->code, RNG_PICK(rng, i_types), rd, rs1, any_imm(rng));
		break;
	default:
		code_r(&k->code, RNG_PICK(rng, r_types), rd, rs1, gen_source(k));
		break;
	}
}

static void short_on_any(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned rd = gen_dest(k), rs2 = rng_range(rng, 1, 31);
	int imm = (int)rng_below(rng, 64), some = imm ? imm : 1;

	switch (rng_below(rng, 8)) {
	case 0:
		code_half(&k->code, insn_ci(INSN_c_addi, rd, imm));
		break;
	case 1:
		code_half(&k->code, insn_ci(INSN_c_addiw, rd ? rd : gen_temp(k), imm));
		break;
	case 2:
		code_half(&k->code, insn_ci(INSN_c_li, rd, imm));
		break;
	case 3:
		if (rd != 2)
			code_half(&k->code, insn_ci(INSN_c_lui, rd, some));
		else
			code_half(&k->code, insn_c_addi16sp(some * 16));
		break;
	case 4:
		code_half(&k->code, insn_ci(INSN_c_slli, rd, imm));
		break;
	case 5:
	case 6:
		code_half(&k->code, insn_cr(INSN_c_add, rd, rs2));
		break;
	default:
		code_half(&k->code, insn_cr(INSN_c_mv, rd, rs2));
		break;
	}
}

void op_alu_short(struct chunk *k)
{
	static const enum insn pairs[] = {INSN_c_sub, INSN_c_xor,  INSN_c_or,
					  INSN_c_and, INSN_c_subw, INSN_c_addw};
	static const enum insn ones[] = {INSN_c_srli, INSN_c_srai, INSN_c_andi};
	struct rng *rng = &k->rng;
	unsigned rd = gen_short_dest(k), kind = rng_below(rng, 10);
	int imm = (int)rng_below(rng, 64);

	if (kind < 5 || !rd)
		short_on_any(k);
	else if (kind < 8)
		code_half(&k->code,
			  insn_ca(RNG_PICK(rng, pairs), rd, gen_short_source(k)));
	else if (kind < 9)
		code_half(&k->code, insn_cb(RNG_PICK(rng, ones), rd, imm));
	else
		code_half(&k->code, insn_c_addi4spn(rd, rng_range(rng, 1, 255) * 4));
}

/* Each instruction depends on the previous one. */
void op_chain(struct chunk *k)
{
	unsigned last = gen_source(k);

	for (unsigned n = rng_range(&k->rng, 2, 6); n; n--) {
		unsigned rd = gen_temp(k), other = gen_source(k);

		if (rng_chance(&k->rng, 30))
			code_i(&k->code, RNG_PICK(&k->rng, i_types), rd, last,
			       any_imm(&k->rng));
		else if (rng_chance(&k->rng, 50))
			code_r(&k->code, RNG_PICK(&k->rng, r_types), rd, last, other);
		else
			code_r(&k->code, RNG_PICK(&k->rng, r_types), rd, other, last);
		last = rd;
	}
}

void op_divide(struct chunk *k)
{
	static const uint64_t divisors[] = {0, 0, UINT64_MAX, UINT64_MAX,
					    1, 2, 0xffffffff};
	static const uint64_t dividends[] = {UINT64_C(1) << 63, 0x80000000,
					     0xffffffff80000000, 0, UINT64_MAX};
	struct rng *rng = &k->rng;
	unsigned a = gen_hold(k), b = gen_hold(k);

	code_li(&k->code, a,
		rng_chance(rng, 50) ? RNG_PICK(rng, dividends) : rng_edge(rng));
	code_li(&k->code, b,
		rng_chance(rng, 50) ? RNG_PICK(rng, divisors) : rng_edge(rng));
	for (unsigned n = rng_range(rng, 1, 3); n; n--)
		code_r(&k->code, RNG_PICK(rng, divides), gen_dest(k), a, b);
	gen_release(k, a);
	gen_release(k, b);
}

void op_fence(struct chunk *k)
{
	bool plain = k->p->plain;
	uint32_t fields = rng_below(&k->rng, 256) << 20;

	if (!plain && rng_chance(&k->rng, 20)) /* reserved fields are ignored */
		fields |= (uint32_t)rng_next(&k->rng) & 0xf00f8f80;
	if (rng_chance(&k->rng, 60))
		code_word(&k->code, insn_kinds[INSN_fence].bits | fields);
	else
		code_word(&k->code, insn_kinds[INSN_fence_i].bits | (plain ? 0 : fields));
}
