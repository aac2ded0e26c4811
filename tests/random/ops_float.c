/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point: operations of programs with the theme `float`. While FS is off, all
 * floating-point instructions trap. Between operations frm holds a legal mode. */
#include "ops.h"

enum { MODES = 5, DYNAMIC = 7 };
enum { OP_FP = 0x53, FMADD = 0x43, LOAD_STORE = 4, SHORT = 0x4000 };
enum { FLOAT32, FLOAT64 };

/* Values of the field funct5 of OP-FP. */
enum {
	F5_ADD = 0,
	F5_SUB = 1,
	F5_MUL = 2,
	F5_DIV = 3,
	F5_INJECT = 4,
	F5_MIN_MAX = 5,
	F5_RESIZE = 8,
	F5_SQRT = 11,
	F5_COMPARE = 20,
	F5_TO_INT = 24,
	F5_FROM_INT = 26,
	F5_MOVE_OUT = 28,
	F5_MOVE_IN = 30,
};

/* Corner cases: zeros, infinities, NaNs, bounds of subnormal and normal numbers, ones,
 * bounds of integers, and values next to those. */
static const uint64_t doubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0x7ff0000000000001, 0xfff4000000000000, 0x0000000000000001,
    0x800fffffffffffff, 0x0010000000000000, 0x0010000000000001, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001,
    0x3fefffffffffffff, 0x3fe0000000000000, 0x3fdfffffffffffff, 0x41dfffffffc00000,
    0x41e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000, 0x43e0000000000000,
    0xc3e0000000000001, 0x43efffffffffffff, 0x380fffffe0000000, 0x36a0000000000000,
    0x47efffffefffffff, 0x47effffff0000000, 0x381000000fffffff, 0x4340000000000001};
static const uint32_t singles[] = {
    0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffa00000,
    0x00000001, 0x807fffff, 0x00800000, 0x00800001, 0x7f7fffff, 0xff7fffff, 0x3f800000,
    0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x3effffff, 0x4effffff, 0x4f000000,
    0xcf000001, 0x4f7fffff, 0x5f000000, 0xdf000001, 0x5f7fffff, 0x4b800001};

static unsigned any_mode(struct rng *rng)
{
	return rng_chance(rng, 50) ? DYNAMIC : rng_below(rng, MODES);
}

/* Few registers, so that instructions depend on each other. Most singles are in even
 * registers and most doubles in odd ones: in the other format each is a NaN or tiny. */
static unsigned any_f(struct rng *rng, unsigned format)
{
	unsigned reg = rng_chance(rng, 60) ? 8 + rng_below(rng, 6) : rng_below(rng, 32);

	return rng_chance(rng, 90) ? (reg & ~1U) | format : reg;
}

static unsigned any_format(struct rng *rng)
{
	return rng_below(rng, 2);
}

/* Returns the format in which to read a register. */
static unsigned format_in(struct rng *rng, unsigned reg)
{
	return rng_chance(rng, 95) ? reg & 1 : any_format(rng);
}

static uint64_t boxed(uint32_t single)
{
	return single | (uint64_t)UINT32_MAX << 32;
}

static uint64_t any_operand(struct rng *rng, unsigned format)
{
	uint64_t near = rng_next(rng) & 0x800fffffffffffff;

	switch (rng_below(rng, 8)) {
	case 0:
	case 1:
	case 2:
	case 3:
		return format ? RNG_PICK(rng, doubles) : boxed(RNG_PICK(rng, singles));
	case 4: /* near exponents, so that sums cancel */
	case 5:
		if (format)
			return near | (uint64_t)(1023 + rng_below(rng, 56)) << 52;
		return boxed((uint32_t)(near >> 32 & 0x80000000) |
			     (uint32_t)(near & 0x7fffff) |
			     (127 + rng_below(rng, 26)) << 23);
	case 6: /* any exponent */
		return format ? rng_next(rng) : boxed((uint32_t)rng_next(rng));
	default: /* not boxed, and any double */
		return rng_next(rng);
	}
}

static uint32_t op_fp(unsigned f5, unsigned format, unsigned rm)
{
	return f5 << 27 | format << 25 | rm << 12 | OP_FP;
}

static uint32_t registers(unsigned rd, unsigned rs1, unsigned rs2)
{
	return rd << 7 | rs1 << 15 | rs2 << 20;
}

/* Returns an arithmetic instruction that reads rs1 and writes a floating-point
 * register. */
static uint32_t arithmetic(struct rng *rng, unsigned rs1)
{
	static const uint8_t sums[] = {F5_ADD, F5_SUB, F5_MUL};
	unsigned format = format_in(rng, rs1), rm = any_mode(rng);
	unsigned rd = any_f(rng, format), rs2 = any_f(rng, format);

	switch (rng_below(rng, 10)) {
	case 0:
	case 1:
	case 2:
		return op_fp(RNG_PICK(rng, sums), format, rm) | registers(rd, rs1, rs2);
	case 3:
	case 4:
	case 5:
		return (FMADD + 4 * rng_below(rng, 4)) | format << 25 | rm << 12 |
		       any_f(rng, format) << 27 | registers(rd, rs1, rs2);
	case 6:
		if (rng_chance(rng, 50))
			return op_fp(F5_SQRT, format, rm) | registers(rd, rs1, 0);
		return op_fp(F5_DIV, format, rm) | registers(rd, rs1, rs2);
	case 7:
		return op_fp(F5_INJECT, format, rng_below(rng, 3)) |
		       registers(rd, rs1, rs2);
	case 8:
		return op_fp(F5_MIN_MAX, format, rng_below(rng, 2)) |
		       registers(rd, rs1, rs2);
	default:
		return op_fp(F5_RESIZE, !format, rm) |
		       registers(any_f(rng, !format), rs1, format);
	}
}

static uint32_t to_integer(struct rng *rng, unsigned rd, unsigned rs1)
{
	unsigned format = format_in(rng, rs1);

	switch (rng_below(rng, 4)) {
	case 0:
		return op_fp(F5_COMPARE, format, rng_below(rng, 3)) |
		       registers(rd, rs1, any_f(rng, format));
	case 1:
		return op_fp(F5_MOVE_OUT, format, rng_below(rng, 2)) |
		       registers(rd, rs1, 0);
	default:
		return op_fp(F5_TO_INT, format, any_mode(rng)) |
		       registers(rd, rs1, rng_below(rng, 4));
	}
}

static uint32_t from_integer(struct rng *rng, unsigned rd, unsigned rs1)
{
	unsigned format = format_in(rng, rd);

	if (rng_chance(rng, 50))
		return op_fp(F5_MOVE_IN, format, 0) | registers(rd, rs1, 0);
	return op_fp(F5_FROM_INT, format, any_mode(rng)) |
	       registers(rd, rs1, rng_below(rng, 4));
}

static uint32_t load(struct rng *rng, unsigned rd, unsigned base, int offset)
{
	return insn_i(format_in(rng, rd) ? INSN_ld : INSN_lw, rd, base, offset & -8) |
	       LOAD_STORE;
}

static uint32_t store(struct rng *rng, unsigned rs2, unsigned base, int offset)
{
	return insn_s(format_in(rng, rs2) ? INSN_sd : INSN_sw, rs2, base, offset & -8) |
	       LOAD_STORE;
}

static int any_offset(struct rng *rng)
{
	return (int)rng_below(rng, 4096) - 2048;
}

/* Adds the cost of the traps of count instructions if floating point is off. */
static void cost(struct chunk *k, unsigned count)
{
	if (!(k->env.mstatus & STATUS_FS))
		gen_cost_traps(k, count);
}

static void put(struct chunk *k, uint32_t insn)
{
	code_word(&k->code, insn);
	cost(k, 1);
}

static void put_operand(struct chunk *k, unsigned reg)
{
	unsigned value = gen_hold(k);

	code_li(&k->code, value, any_operand(&k->rng, reg & 1));
	put(k, op_fp(F5_MOVE_IN, FLOAT64, 0) | registers(reg, value, 0));
	gen_release(k, value);
}

/* Without new operands all registers would soon be NaNs, and all flags set. */
static void put_fresh(struct chunk *k, uint32_t insn)
{
	struct rng *rng = &k->rng;

	if (rng_chance(rng, 60))
		put_operand(k, insn >> 15 & 31);
	if (rng_chance(rng, 40))
		put_operand(k, insn >> 20 & 31);
	if (rng_chance(rng, 25)) {
		code_csr(&k->code, INSN_csrrwi, 0, CSR_FFLAGS, 0);
		cost(k, 1);
	}
	put(k, insn);
}

void op_float(struct chunk *k)
{
	struct rng *rng = &k->rng;

	put_fresh(k, arithmetic(rng, any_f(rng, any_format(rng))));
	for (unsigned n = rng_below(rng, 3); n; n--)
		put(k, arithmetic(rng, any_f(rng, any_format(rng))));
}

void op_float_operand(struct chunk *k)
{
	put_operand(k, any_f(&k->rng, any_format(&k->rng)));
}

void op_float_integer(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned reg = any_f(rng, any_format(rng));

	if (rng_chance(rng, 60))
		put_fresh(k, to_integer(rng, gen_dest(k), reg));
	else
		put(k, from_integer(rng, reg, gen_source(k)));
}

/* Each instruction reads the result of the one before it. */
void op_float_chain(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned last = any_f(rng, any_format(rng)), base = gen_pointer(k), temp;
	uint32_t insn;

	for (unsigned n = rng_range(rng, 2, 6); n; n--) {
		switch (base ? rng_below(rng, 6) : 5) {
		case 0:
			put(k, load(rng, last, base, any_offset(rng)));
			break;
		case 1:
			put(k, store(rng, last, base, any_offset(rng)));
			break;
		case 2:
			temp = gen_temp(k);
			put(k, to_integer(rng, temp, last));
			last = any_f(rng, any_format(rng));
			put(k, from_integer(rng, last, temp));
			break;
		default:
			insn = arithmetic(rng, last);
			put(k, insn);
			last = insn >> 7 & 31;
			break;
		}
	}
}

static void memory_short(struct chunk *k, unsigned base)
{
	struct rng *rng = &k->rng;
	bool loads = rng_chance(rng, 50);
	enum insn of = loads ? INSN_c_ld : INSN_c_sd;
	uint16_t insn =
	    insn_c_memory(of, 8 + rng_below(rng, 8), base, rng_below(rng, 32) * 8);

	if (base == 2)
		insn = insn_c_stack(loads ? INSN_c_ldsp : INSN_c_sdsp,
				    any_f(rng, FLOAT64), rng_below(rng, 64) * 8);
	gen_trap_half(k, insn ^ SHORT);
	cost(k, 1);
}

void op_float_memory(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned base = gen_pointer(k);

	if (!base)
		op_float(k);
	else if (rng_chance(rng, 30) && (base == 2 || (base >= 8 && base < 16)))
		memory_short(k, base);
	else if (rng_chance(rng, 50))
		put(k, load(rng, any_f(rng, any_format(rng)), base, any_offset(rng)));
	else
		put(k, store(rng, any_f(rng, any_format(rng)), base, any_offset(rng)));
}

/* One access to the address in a register; it may trap. */
void gen_float_access(struct chunk *k, unsigned at)
{
	struct rng *rng = &k->rng;

	code_word(&k->code, rng_chance(rng, 50)
				? load(rng, any_f(rng, any_format(rng)), at, 0)
				: store(rng, any_f(rng, any_format(rng)), at, 0));
}

/* Reads and writes of fcsr, between instructions that raise flags and round; some write a
 * reserved rounding mode, with which those are illegal. */
void op_fcsr(struct chunk *k)
{
	static const enum insn kinds[] = {INSN_csrrw,  INSN_csrrs,  INSN_csrrc,
					  INSN_csrrwi, INSN_csrrsi, INSN_csrrci};
	struct rng *rng = &k->rng;
	unsigned value = gen_hold(k);

	if (rng_chance(rng, 50))
		put(k, arithmetic(rng, any_f(rng, any_format(rng))));
	if (rng_chance(rng, 40))
		code_li(&k->code, value, rng_below(rng, 256));
	code_csr(&k->code, RNG_PICK(rng, kinds), gen_dest(k), rng_range(rng, 1, 3),
		 rng_chance(rng, 30) ? 0 : value);
	cost(k, 1);
	gen_release(k, value);
	for (unsigned n = rng_below(rng, 3); n; n--) {
		code_word(&k->code, arithmetic(rng, any_f(rng, any_format(rng))));
		gen_cost_traps(k, 1);
	}
	code_csr(&k->code, INSN_csrrwi, gen_dest(k), CSR_FRM, rng_below(rng, MODES));
	cost(k, 1);
	if (rng_chance(rng, 50)) {
		code_csr(&k->code, INSN_csrrs, gen_dest(k), CSR_FCSR, 0);
		cost(k, 1);
	}
}

static void any_float(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned base = gen_pointer(k);

	switch (rng_below(rng, base ? 5 : 3)) {
	case 0:
		code_word(&k->code,
			  to_integer(rng, gen_dest(k), any_f(rng, any_format(rng))));
		break;
	case 1:
		code_csr(&k->code, INSN_csrrs, gen_dest(k), CSR_FCSR, 0);
		break;
	case 2:
		code_word(&k->code, arithmetic(rng, any_f(rng, any_format(rng))));
		break;
	case 3:
		code_word(&k->code,
			  load(rng, any_f(rng, any_format(rng)), base, any_offset(rng)));
		break;
	default:
		code_word(&k->code,
			  store(rng, any_f(rng, any_format(rng)), base, any_offset(rng)));
		break;
	}
	gen_cost_traps(k, 1);
}

/* Changes of FS around instructions that depend on it or change it. */
void op_float_state(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned csr = k->now->priv == PRIV_M ? CSR_MSTATUS : CSR_SSTATUS;
	unsigned clear = gen_hold(k), set = gen_hold(k);

	code_li(&k->code, clear, STATUS_FS);
	code_csr(&k->code, INSN_csrrc, gen_dest(k), csr, clear);
	if (rng_chance(rng, 60)) {
		code_li(&k->code, set, (uint64_t)rng_below(rng, 4) << 13);
		code_csr(&k->code, INSN_csrrs, gen_dest(k), csr, set);
	}
	for (unsigned n = rng_below(rng, 4); n; n--)
		any_float(k);
	code_csr(&k->code, INSN_csrrs, gen_dest(k), csr, 0);
	code_csr(&k->code, INSN_csrrc, gen_dest(k), csr, clear);
	code_li(&k->code, set, k->env.mstatus & STATUS_FS);
	code_csr(&k->code, INSN_csrrs, gen_dest(k), csr, set);
	gen_release(k, clear);
	gen_release(k, set);
}

/* Reserved encodings and rounding modes. */
void op_float_illegal(struct chunk *k)
{
	static const uint32_t reserved[] = {
	    0x04007053, 0x06007053, 0x00005053, 0x02006053, 0x58107053, 0x5a207053,
	    0x20003053, 0x22007053, 0x28002053, 0x2a003053, 0x40007053, 0x40207053,
	    0x42107053, 0xa0003053, 0xa2007053, 0xc0407053, 0xc2507053, 0xc0005053,
	    0xd0407053, 0xd2006053, 0xe0002053, 0xe0101053, 0xe2100053, 0xf0001053,
	    0xf2100053, 0x30007053, 0xf8000053, 0x04007043, 0x06007047, 0x0000504b,
	    0x0200604f, 0x00000007, 0x00001007, 0x00004007, 0x00005027, 0x00007027};
	struct rng *rng = &k->rng;

	code_word(&k->code, RNG_PICK(rng, reserved) | rng_below(rng, 32) << 7 |
				rng_below(rng, 32) << 15);
	gen_cost_traps(k, 1);
}
