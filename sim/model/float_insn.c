/* SPDX-License-Identifier: Apache-2.0 */
/* The F and D extensions: registers, fcsr, mstatus.FS, and the instructions, by float.h.
 * A binary32 in a register has all bits above it set ("NaN-boxed"); any other value reads
 * as the canonical NaN (unprivileged specification, "NaN Boxing of Narrower Values"). */
#include "float.h"
#include "internal.h"
#include "stream/insn.h"

#define BOX UINT64_C(0xffffffff00000000)

/* The current instruction. */
struct work {
	struct soc_hart *h;
	uint32_t bits;
	struct soc_float f;
};

static bool is_on(const struct soc_hart *h)
{
	return (h->mstatus & SOC_MSTATUS_FS) != 0;
}

static void mark_dirty(struct soc_hart *h)
{
	h->mstatus |= SOC_MSTATUS_FS;
}

static uint64_t read_as(const struct soc_hart *h, enum soc_float_format format,
			unsigned reg)
{
	uint64_t value = h->x[SOC_F0 + reg];

	if (format == SOC_FLOAT64)
		return value;
	return (value & BOX) == BOX ? value & ~BOX : soc_float_canonical_nan(format);
}

static uint64_t read_rs1(const struct work *w)
{
	return read_as(w->h, w->f.format, w->bits >> 15 & 31U);
}

static uint64_t read_rs2(const struct work *w)
{
	return read_as(w->h, w->f.format, w->bits >> 20 & 31U);
}

static uint64_t read_rs3(const struct work *w)
{
	return read_as(w->h, w->f.format, w->bits >> 27);
}

static unsigned rounding_field(const struct work *w)
{
	return w->bits >> 12 & 7U;
}

static void write_float(struct work *w, uint64_t value)
{
	w->h->x[SOC_F0 + (w->bits >> 7 & 31U)] =
	    w->f.format == SOC_FLOAT32 ? value | BOX : value;
	mark_dirty(w->h);
}

static void write_int(struct work *w, uint64_t value)
{
	unsigned rd = w->bits >> 7 & 31U;

	if (rd)
		w->h->x[rd] = value;
}

static uint64_t extend_word(uint64_t value)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)value;
}

static uint64_t multiply_add(struct work *w)
{
	uint64_t sign = soc_float_sign(w->f.format);
	unsigned op = tr_insn_opcode(w->bits);
	uint64_t a = read_rs1(w), c = read_rs3(w);

	if (op == TR_OPCODE_NMSUB || op == TR_OPCODE_NMADD)
		a ^= sign;
	if (op == TR_OPCODE_MSUB || op == TR_OPCODE_NMADD)
		c ^= sign;
	return soc_float_fma(&w->f, a, read_rs2(w), c);
}

static uint64_t inject_sign(const struct work *w)
{
	uint64_t sign = soc_float_sign(w->f.format), a = read_rs1(w), b = read_rs2(w);

	switch (rounding_field(w)) {
	case 0:
		return (a & ~sign) | (b & sign);
	case 1:
		return (a & ~sign) | (~b & sign);
	default:
		return a ^ (b & sign);
	}
}

static bool compare_operands(struct work *w)
{
	switch (rounding_field(w)) {
	case 0:
		return soc_float_le(&w->f, read_rs1(w), read_rs2(w));
	case 1:
		return soc_float_lt(&w->f, read_rs1(w), read_rs2(w));
	default:
		return soc_float_eq(&w->f, read_rs1(w), read_rs2(w));
	}
}

static uint64_t convert_format(struct work *w)
{
	enum soc_float_format from =
	    w->f.format == SOC_FLOAT32 ? SOC_FLOAT64 : SOC_FLOAT32;

	return soc_float_convert(&w->f, from, read_as(w->h, from, w->bits >> 15 & 31U));
}

/* Bit 0 of the field rs2: unsigned; bit 1: of 64 bits. */
static uint64_t to_int(struct work *w)
{
	bool is_signed = !(w->bits >> 20 & 1U), is_long = w->bits >> 21 & 1U;
	uint64_t value =
	    soc_float_to_int(&w->f, read_rs1(w), is_long ? 64 : 32, is_signed);

	return is_long ? value : extend_word(value);
}

static uint64_t from_int(struct work *w)
{
	bool is_signed = !(w->bits >> 20 & 1U), is_long = w->bits >> 21 & 1U;
	uint64_t value = w->h->x[w->bits >> 15 & 31U];

	if (!is_long)
		value = is_signed ? extend_word(value) : (uint32_t)value;
	return soc_float_from_int(&w->f, value, is_signed);
}

static uint64_t move_out(const struct work *w)
{
	uint64_t value = w->h->x[SOC_F0 + (w->bits >> 15 & 31U)];

	if (rounding_field(w) == 1)
		return soc_float_class(w->f.format, read_rs1(w));
	return w->f.format == SOC_FLOAT32 ? extend_word(value) : value;
}

static uint64_t move_in(const struct work *w)
{
	uint64_t value = w->h->x[w->bits >> 15 & 31U];

	return w->f.format == SOC_FLOAT32 ? value & ~BOX : value;
}

static uint64_t float_result(struct work *w)
{
	struct soc_float *f = &w->f;

	switch (w->bits >> 27) {
	case SOC_FLOAT_ADD:
		return soc_float_add(f, read_rs1(w), read_rs2(w));
	case SOC_FLOAT_SUB:
		return soc_float_add(f, read_rs1(w),
				     read_rs2(w) ^ soc_float_sign(f->format));
	case SOC_FLOAT_MUL:
		return soc_float_mul(f, read_rs1(w), read_rs2(w));
	case SOC_FLOAT_DIV:
		return soc_float_div(f, read_rs1(w), read_rs2(w));
	case SOC_FLOAT_SQRT:
		return soc_float_sqrt(f, read_rs1(w));
	case SOC_FLOAT_INJECT:
		return inject_sign(w);
	case SOC_FLOAT_MIN_MAX:
		return (rounding_field(w) ? soc_float_max : soc_float_min)(f, read_rs1(w),
									   read_rs2(w));
	case SOC_FLOAT_RESIZE:
		return convert_format(w);
	case SOC_FLOAT_FROM_INT:
		return from_int(w);
	default:
		return move_in(w);
	}
}

static void run_float_insn(struct work *w)
{
	if (tr_insn_opcode(w->bits) != TR_OPCODE_OP_FP) {
		write_float(w, multiply_add(w));
		return;
	}
	switch (w->bits >> 27) {
	case SOC_FLOAT_COMPARE:
		write_int(w, compare_operands(w));
		break;
	case SOC_FLOAT_TO_INT:
		write_int(w, to_int(w));
		break;
	case SOC_FLOAT_MOVE_OUT:
		write_int(w, move_out(w));
		break;
	default:
		write_float(w, float_result(w));
		break;
	}
}

/* Returns whether the field rm of the instruction is no rounding mode. */
static bool does_not_round(uint32_t bits)
{
	switch (bits >> 27) {
	case SOC_FLOAT_INJECT:
	case SOC_FLOAT_MIN_MAX:
	case SOC_FLOAT_COMPARE:
	case SOC_FLOAT_MOVE_OUT:
	case SOC_FLOAT_MOVE_IN:
		return tr_insn_opcode(bits) == TR_OPCODE_OP_FP;
	default:
		return false;
	}
}

enum soc_result soc_floating(struct soc_hart *h, uint32_t bits)
{
	struct work w = {.h = h, .bits = bits};
	unsigned rounding = rounding_field(&w);

	if (rounding == SOC_ROUND_DYNAMIC)
		rounding = (unsigned)(h->fcsr >> 5);
	if (!is_on(h) || (rounding > SOC_ROUND_NEAREST_AWAY && !does_not_round(bits)))
		return soc_raise(h, SOC_CAUSE_ILLEGAL, bits);
	w.f.format = bits >> 25 & 1U ? SOC_FLOAT64 : SOC_FLOAT32;
	w.f.rounding = (enum soc_rounding)rounding;
	run_float_insn(&w);
	if (w.f.flags) {
		h->fcsr |= w.f.flags;
		mark_dirty(h);
	}
	return SOC_DONE;
}

/* Raises an illegal instruction, with the bits at pc as in memory, possibly compressed,
 * in tval. */
static enum soc_result raise_illegal(struct soc_hart *h)
{
	return soc_raise(h, SOC_CAUSE_ILLEGAL, soc_bits_at_pc(h));
}

enum soc_result soc_float_load(struct soc_hart *h, unsigned rd, uint64_t va,
			       unsigned size)
{
	uint64_t value = 0;

	if (!is_on(h))
		return raise_illegal(h);
	enum soc_result result = soc_load_slow(h, va, size, &value);
	if (result == SOC_TRAP)
		return result;
	h->x[rd] = size == 4 ? value | BOX : value;
	mark_dirty(h);
	return result;
}

enum soc_result soc_float_store(struct soc_hart *h, uint64_t va, unsigned size,
				uint64_t value)
{
	if (!is_on(h))
		return raise_illegal(h);
	return soc_store_slow(h, va, size, size == 4 ? (uint32_t)value : value);
}
