/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point: minimum, maximum, comparisons and classification. */
#include "float_internal.h"

/* Returns -1, 0 or 1 if a is less than, equal to or greater than b; neither is a NaN. */
static int order_floats(enum soc_float_format format, uint64_t a, uint64_t b)
{
	uint64_t sign = soc_float_sign(format);

	if (((a | b) & ~sign) == 0)
		return 0;
	/* For negative numbers, larger patterns are smaller numbers. */
	a = a & sign ? ~a & (sign | low_ones(soc_float_formats[format].width - 1))
		     : a | sign;
	b = b & sign ? ~b & (sign | low_ones(soc_float_formats[format].width - 1))
		     : b | sign;
	return (a > b) - (a < b);
}

/* Sets *picked to the only number, or to the canonical NaN if both are NaNs. Returns
 * false if both are numbers. */
static bool pick_number(struct soc_float *f, uint64_t a, uint64_t b, uint64_t *picked)
{
	struct number x = soc_float_unpack(f->format, a),
		      y = soc_float_unpack(f->format, b);

	soc_float_nan_of(f, &x, &y);
	if (!is_nan(&x) && !is_nan(&y))
		return false;
	*picked = !is_nan(&x) ? a : !is_nan(&y) ? b : soc_float_canonical_nan(f->format);
	return true;
}

uint64_t soc_float_min(struct soc_float *f, uint64_t a, uint64_t b)
{
	uint64_t picked;

	if (pick_number(f, a, b, &picked))
		return picked;
	int by = order_floats(f->format, a, b);
	return by < 0 || (by == 0 && a & soc_float_sign(f->format)) ? a : b;
}

uint64_t soc_float_max(struct soc_float *f, uint64_t a, uint64_t b)
{
	uint64_t picked;

	if (pick_number(f, a, b, &picked))
		return picked;
	int by = order_floats(f->format, a, b);
	return by > 0 || (by == 0 && b & soc_float_sign(f->format)) ? a : b;
}

/* Returns whether neither operand is a NaN; a NaN raises the invalid flag, if `quiet`
 * only a signalling one. */
static bool are_ordered(struct soc_float *f, uint64_t a, uint64_t b, bool quiet)
{
	struct number x = soc_float_unpack(f->format, a),
		      y = soc_float_unpack(f->format, b);

	if (!is_nan(&x) && !is_nan(&y))
		return true;
	if (!quiet)
		f->flags |= SOC_FLOAT_INVALID;
	soc_float_nan_of(f, &x, &y);
	return false;
}

bool soc_float_eq(struct soc_float *f, uint64_t a, uint64_t b)
{
	return are_ordered(f, a, b, true) && order_floats(f->format, a, b) == 0;
}

bool soc_float_lt(struct soc_float *f, uint64_t a, uint64_t b)
{
	return are_ordered(f, a, b, false) && order_floats(f->format, a, b) < 0;
}

bool soc_float_le(struct soc_float *f, uint64_t a, uint64_t b)
{
	return are_ordered(f, a, b, false) && order_floats(f->format, a, b) <= 0;
}

uint64_t soc_float_class(enum soc_float_format format, uint64_t a)
{
	struct number n = soc_float_unpack(format, a);
	unsigned bit;

	switch (n.kind) {
	case SIGNALLING:
		return 1 << 8;
	case QUIET:
		return 1 << 9;
	case INFINITE:
		bit = 0;
		break;
	case ZERO:
		bit = 3;
		break;
	default:
		bit = n.significand >> soc_float_formats[format].fraction ? 1 : 2;
		break;
	}
	return (uint64_t)1 << (n.negative ? bit : 7 - bit);
}
