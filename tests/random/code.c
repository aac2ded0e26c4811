/* SPDX-License-Identifier: Apache-2.0 */
/* Writes instructions sequentially. */
#include "code.h"

#include <stdio.h>
#include <stdlib.h>

static const uint32_t NOP = 0x13;

static void die(const char *why)
{
	fprintf(stderr, "random-program: internal error: %s\n", why);
	exit(2);
}

struct code code_flat(struct image *image, uint64_t address, uint32_t size)
{
	struct code c = {.image = image, .va = address, .times = 1};
	uint32_t offset = (uint32_t)(address & 0xfff);

	c.va -= offset;
	c.at = offset;
	c.end = offset + size;
	for (unsigned i = 0; i < CODE_PAGES; i++)
		c.page[i] = c.va + 0x1000 * i;
	return c;
}

uint64_t code_here(const struct code *c)
{
	return c->va + c->at;
}

uint64_t code_physical(const struct code *c, uint32_t at)
{
	return c->page[at >> 12] + (at & 0xfff);
}

static void put_half(struct code *c, uint32_t at, uint32_t half)
{
	if (at + 2 > c->end)
		die("no room for the code");
	image_put16(c->image, code_physical(c, at), (uint16_t)half);
}

static void put_word(struct code *c, uint32_t at, uint32_t word)
{
	put_half(c, at, word & 0xffff);
	put_half(c, at + 2, word >> 16);
}

static uint32_t get_half(const struct code *c, uint32_t at)
{
	return image_get16(c->image, code_physical(c, at));
}

void code_word(struct code *c, uint32_t insn)
{
	put_word(c, c->at, insn);
	c->at += 4;
	c->cost += c->times;
}

void code_half(struct code *c, uint16_t insn)
{
	put_half(c, c->at, insn);
	c->at += 2;
	c->cost += c->times;
}

void code_i(struct code *c, enum insn insn, unsigned rd, unsigned rs1, int imm)
{
	code_word(c, insn_i(insn, rd, rs1, imm));
}

void code_r(struct code *c, enum insn insn, unsigned rd, unsigned rs1, unsigned rs2)
{
	code_word(c, insn_r(insn, rd, rs1, rs2));
}

void code_s(struct code *c, enum insn insn, unsigned rs2, unsigned rs1, int imm)
{
	code_word(c, insn_s(insn, rs2, rs1, imm));
}

void code_csr(struct code *c, enum insn insn, unsigned rd, unsigned csr, unsigned operand)
{
	code_word(c, insn_csr(insn, rd, csr, operand));
}

static bool fits(int64_t value, unsigned bits)
{
	int64_t half = INT64_C(1) << (bits - 1);

	return value >= -half && value < half;
}

static bool short_form(const struct code *c)
{
	return c->rng && rng_chance(c->rng, 50);
}

static int low12(uint64_t value)
{
	return (int)(value & 0xfff) - (int)(value << 1 & 0x1000);
}

static void li32(struct code *c, unsigned rd, int64_t value)
{
	int low = low12((uint64_t)value);
	uint32_t high = (uint32_t)((value - low) >> 12) & 0xfffff;
	bool small = fits((int32_t)(high << 12) >> 12, 6);

	if (small && rd != 2 && short_form(c))
		code_half(c, insn_ci(INSN_c_lui, rd, (int)high));
	else
		code_word(c, insn_u(INSN_lui, rd, high));
	/* addiw, because lui sign-extends: 0x7fffffff starts from 0x80000000. */
	if (low && fits(low, 6) && short_form(c))
		code_half(c, insn_ci(INSN_c_addiw, rd, low));
	else if (low)
		code_i(c, INSN_addiw, rd, rd, low);
}

void code_li(struct code *c, unsigned rd, uint64_t value)
{
	int64_t v = (int64_t)value;
	int low = low12(value);

	if (fits(v, 6) && short_form(c)) {
		code_half(c, insn_ci(INSN_c_li, rd, (int)v));
		return;
	}
	if (fits(v, 12)) {
		code_i(c, INSN_addi, rd, 0, (int)v);
		return;
	}
	if (fits(v, 32)) {
		li32(c, rd, v);
		return;
	}
	value -= (uint64_t)(int64_t)low;
	unsigned shift = (unsigned)__builtin_ctzll(value);
	code_li(c, rd, (uint64_t)((int64_t)value >> shift));
	if (short_form(c))
		code_half(c, insn_ci(INSN_c_slli, rd, (int)shift));
	else
		code_i(c, INSN_slli, rd, rd, (int)shift);
	if (low)
		code_i(c, INSN_addi, rd, rd, low);
}

static int distance(uint32_t from, uint32_t to)
{
	return (int)to - (int)from;
}

void code_branch_to(struct code *c, enum insn insn, unsigned rs1, unsigned rs2,
		    uint32_t to)
{
	int offset = distance(c->at, to);
	bool zero =
	    rs2 == 0 && rs1 >= 8 && rs1 < 16 && (insn == INSN_beq || insn == INSN_bne);

	if (!fits(offset, 13))
		die("a branch out of reach");
	if (zero && fits(offset, 9) && short_form(c))
		code_half(c, insn_c_branch(insn == INSN_beq ? INSN_c_beqz : INSN_c_bnez,
					   rs1, offset));
	else
		code_word(c, insn_b(insn, rs1, rs2, offset));
}

void code_jal_to(struct code *c, unsigned rd, uint32_t to)
{
	int offset = distance(c->at, to);

	if (rd == 0 && fits(offset, 12) && short_form(c))
		code_half(c, insn_c_jump(offset));
	else
		code_word(c, insn_jal(rd, offset));
}

static void put_address(struct code *c, unsigned rd, uint32_t at, uint32_t to)
{
	int offset = distance(at, to), low = low12((uint64_t)(int64_t)offset);

	put_word(c, at, insn_u(INSN_auipc, rd, (uint32_t)(offset - low) >> 12));
	put_word(c, at + 4, insn_i(INSN_addi, rd, rd, low));
}

void code_address_to(struct code *c, unsigned rd, uint32_t to)
{
	uint32_t at = c->at;

	code_word(c, NOP);
	code_word(c, NOP);
	put_address(c, rd, at, to);
}

static struct mark mark_word(struct code *c, uint32_t insn, enum mark_kind kind)
{
	struct mark mark = {c->at, kind};

	code_word(c, insn);
	return mark;
}

static struct mark mark_half(struct code *c, uint16_t insn, enum mark_kind kind)
{
	struct mark mark = {c->at, kind};

	code_half(c, insn);
	return mark;
}

struct mark code_branch(struct code *c, enum insn insn, unsigned rs1, unsigned rs2)
{
	return mark_word(c, insn_b(insn, rs1, rs2, 0), MARK_BRANCH);
}

struct mark code_jal(struct code *c, unsigned rd)
{
	return mark_word(c, insn_jal(rd, 0), MARK_JAL);
}

struct mark code_c_branch(struct code *c, enum insn insn, unsigned rs1)
{
	return mark_half(c, insn_c_branch(insn, rs1, 0), MARK_C_BRANCH);
}

struct mark code_c_jump(struct code *c)
{
	return mark_half(c, insn_c_jump(0), MARK_C_JUMP);
}

struct mark code_address(struct code *c, unsigned rd)
{
	struct mark mark = mark_word(c, insn_u(INSN_auipc, rd, 0), MARK_ADDRESS);

	code_word(c, NOP);
	return mark;
}

void code_land(struct code *c, struct mark mark)
{
	static const uint8_t reach[] = {
	    [MARK_BRANCH] = 13, [MARK_JAL] = 21, [MARK_C_BRANCH] = 9, [MARK_C_JUMP] = 12};
	int offset = distance(mark.at, c->at);
	uint32_t low = get_half(c, mark.at);

	if (mark.kind != MARK_ADDRESS && !fits(offset, reach[mark.kind]))
		die("a jump out of reach");
	switch (mark.kind) {
	case MARK_BRANCH:
		low |= get_half(c, mark.at + 2) << 16;
		put_word(c, mark.at, low | insn_b(INSN_beq, 0, 0, offset));
		break;
	case MARK_JAL:
		put_word(c, mark.at, low | insn_jal(0, offset));
		break;
	case MARK_C_BRANCH:
		put_half(c, mark.at, low | insn_c_branch(INSN_c_beqz, 8, offset));
		break;
	case MARK_C_JUMP:
		put_half(c, mark.at, low | insn_c_jump(offset));
		break;
	default:
		put_address(c, low >> 7 & 31, mark.at, c->at);
		break;
	}
}
