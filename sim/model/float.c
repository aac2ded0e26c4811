/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point: operands are split into a sign and an integer times a power of two,
 * operations use 128-bit integers, and one function rounds. Bits lost on the right are
 * combined into bit 0 ("sticky"), at least two bits below the last bit that any rounding
 * examines. */
#include "float_internal.h"

const struct format soc_float_formats[] = {
    [SOC_FLOAT32] = {23, 127, 32},
    [SOC_FLOAT64] = {52, 1023, 64},
};

/* Highest bit of a significand after `normalize`, leaving room for the carry of a sum. */
enum { TOP = 125 };

uint64_t soc_float_sign(enum soc_float_format format)
{
	return (uint64_t)1 << (soc_float_formats[format].width - 1);
}

static uint64_t float_infinity(enum soc_float_format format)
{
	const struct format *of = &soc_float_formats[format];

	return (uint64_t)(2 * of->bias + 1) << of->fraction;
}

uint64_t soc_float_canonical_nan(enum soc_float_format format)
{
	return float_infinity(format) | (uint64_t)1
					    << (soc_float_formats[format].fraction - 1);
}

struct number soc_float_unpack(enum soc_float_format format, uint64_t bits)
{
	const struct format *of = &soc_float_formats[format];
	uint64_t fraction = bits & low_ones(of->fraction);
	int biased = (int)(bits >> of->fraction & (uint64_t)(2 * of->bias + 1));
	struct number n = {.negative = (bits & soc_float_sign(format)) != 0};

	if (biased == 2 * of->bias + 1) {
		n.kind = fraction == 0			  ? INFINITE
			 : fraction >> (of->fraction - 1) ? QUIET
							  : SIGNALLING;
	} else if (biased || fraction) {
		n.kind = FINITE;
		n.significand = fraction | (uint64_t)(biased != 0) << of->fraction;
		n.exponent = (biased ? biased : 1) - of->bias - (int)of->fraction;
	}
	return n;
}

static int highest_bit(soc_u128 value)
{
	uint64_t high = (uint64_t)(value >> 64);

	return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
}

/* Returns value >> n for any n, with the lost bits combined into bit 0. */
static soc_u128 shift_sticky(soc_u128 value, int n)
{
	if (n <= 0)
		return value;
	if (n > 127)
		return value != 0;
	return value >> n | ((value & (((soc_u128)1 << n) - 1)) != 0);
}

/* Returns value * 2^-n, rounded to an integer, which fits in 126 bits; sets *inexact if
 * rounding changed the value. */
static soc_u128 round_at(soc_u128 value, int n, bool negative, enum soc_rounding how,
			 bool *inexact)
{
	soc_u128 quarters = n >= 2 ? shift_sticky(value, n - 2) : value << (2 - n);
	unsigned rest = (unsigned)quarters & 3U;
	bool up = false;

	*inexact = rest != 0;
	switch (how) {
	case SOC_ROUND_NEAREST_EVEN:
		up = rest == 3 || (rest == 2 && (quarters & 4U));
		break;
	case SOC_ROUND_NEAREST_AWAY:
		up = rest >= 2;
		break;
	case SOC_ROUND_DOWN:
		up = negative && rest;
		break;
	case SOC_ROUND_UP:
		up = !negative && rest;
		break;
	default:
		break;
	}
	return (quarters >> 2) + up;
}

static uint64_t round_overflow(struct soc_float *f, bool negative)
{
	bool away = f->rounding == SOC_ROUND_NEAREST_EVEN ||
		    f->rounding == SOC_ROUND_NEAREST_AWAY ||
		    f->rounding == (negative ? SOC_ROUND_DOWN : SOC_ROUND_UP);

	f->flags |= SOC_FLOAT_OVERFLOW | SOC_FLOAT_INEXACT;
	return float_infinity(f->format) - !away;
}

/* Returns whether the rounded value, with unbounded exponent, is below the smallest
 * normal number. `top` is the weight of its highest bit. */
static bool is_tiny(const struct soc_float *f, const struct number *n, int top)
{
	const struct format *of = &soc_float_formats[f->format];
	bool inexact;

	if (top != -of->bias)
		return top < -of->bias;
	return round_at(n->significand, top - (int)of->fraction - n->exponent,
			n->negative, f->rounding, &inexact) >>
		   (of->fraction + 1) ==
	       0;
}

/* Returns a FINITE number in f->format. */
static uint64_t round_finite(struct soc_float *f, const struct number *n)
{
	const struct format *of = &soc_float_formats[f->format];
	uint64_t sign = n->negative ? soc_float_sign(f->format) : 0;
	int top = highest_bit(n->significand) + n->exponent, least = 1 - of->bias;
	int last = (top < least ? least : top) - (int)of->fraction;
	bool inexact;

	if (top > of->bias)
		return sign | round_overflow(f, n->negative);
	uint64_t bits = (uint64_t)round_at(n->significand, last - n->exponent,
					   n->negative, f->rounding, &inexact);
	/* The leading one of a normal number adds 1 to the exponent, as does a carry. */
	if (top >= least)
		bits += (uint64_t)(top - least) << of->fraction;
	if (bits >= float_infinity(f->format))
		return sign | round_overflow(f, n->negative);
	if (inexact)
		f->flags |=
		    SOC_FLOAT_INEXACT | (is_tiny(f, n, top) ? SOC_FLOAT_UNDERFLOW : 0U);
	return sign | bits;
}

static uint64_t pack_number(struct soc_float *f, const struct number *n)
{
	uint64_t sign = n->negative ? soc_float_sign(f->format) : 0;

	switch (n->kind) {
	case ZERO:
		return sign;
	case FINITE:
		return round_finite(f, n);
	case INFINITE:
		return sign | float_infinity(f->format);
	default:
		return soc_float_canonical_nan(f->format);
	}
}

static uint64_t raise_invalid(struct soc_float *f)
{
	f->flags |= SOC_FLOAT_INVALID;
	return soc_float_canonical_nan(f->format);
}

uint64_t soc_float_nan_of(struct soc_float *f, const struct number *a,
			  const struct number *b)
{
	if (a->kind == SIGNALLING || b->kind == SIGNALLING)
		f->flags |= SOC_FLOAT_INVALID;
	return soc_float_canonical_nan(f->format);
}

static void normalize_number(struct number *n)
{
	int up = TOP - highest_bit(n->significand);

	n->significand <<= up;
	n->exponent -= up;
}

/* Adds two FINITE, normalized numbers. The smaller is shifted right; bits are lost only
 * if at most one leading bit of the difference cancels. */
static struct number add_finite(const struct soc_float *f, struct number a,
				struct number b)
{
	struct number sum;

	if (a.exponent < b.exponent ||
	    (a.exponent == b.exponent && a.significand < b.significand)) {
		sum = a;
		a = b;
		b = sum;
	}
	sum = a;
	b.significand = shift_sticky(b.significand, a.exponent - b.exponent);
	if (a.negative == b.negative)
		sum.significand += b.significand;
	else
		sum.significand -= b.significand;
	if (sum.significand == 0)
		sum = (struct number){.kind = ZERO,
				      .negative = f->rounding == SOC_ROUND_DOWN};
	return sum;
}

/* Adds two numbers, neither of which is a NaN. */
static uint64_t add_numbers(struct soc_float *f, struct number a, struct number b)
{
	if (a.kind == INFINITE && b.kind == INFINITE && a.negative != b.negative)
		return raise_invalid(f);
	if (a.kind == INFINITE || b.kind == INFINITE)
		return pack_number(f, a.kind == INFINITE ? &a : &b);
	if (a.kind == ZERO && b.kind == ZERO) {
		if (a.negative != b.negative)
			a.negative = f->rounding == SOC_ROUND_DOWN;
		return pack_number(f, &a);
	}
	if (a.kind == ZERO || b.kind == ZERO)
		return pack_number(f, a.kind == ZERO ? &b : &a);
	normalize_number(&a);
	normalize_number(&b);
	struct number sum = add_finite(f, a, b);
	return pack_number(f, &sum);
}

/* Returns the exact product of two numbers, neither a NaN, and not 0 and infinity. */
static struct number multiply_numbers(const struct number *a, const struct number *b)
{
	struct number n = {.negative = a->negative != b->negative};

	if (a->kind == INFINITE || b->kind == INFINITE) {
		n.kind = INFINITE;
	} else if (a->kind == FINITE && b->kind == FINITE) {
		n.kind = FINITE;
		n.significand = a->significand * b->significand;
		n.exponent = a->exponent + b->exponent;
	}
	return n;
}

static bool is_zero_by_infinity(const struct number *a, const struct number *b)
{
	return (a->kind == ZERO && b->kind == INFINITE) ||
	       (a->kind == INFINITE && b->kind == ZERO);
}

uint64_t soc_float_add(struct soc_float *f, uint64_t a, uint64_t b)
{
	struct number x = soc_float_unpack(f->format, a),
		      y = soc_float_unpack(f->format, b);

	if (is_nan(&x) || is_nan(&y))
		return soc_float_nan_of(f, &x, &y);
	return add_numbers(f, x, y);
}

uint64_t soc_float_mul(struct soc_float *f, uint64_t a, uint64_t b)
{
	struct number x = soc_float_unpack(f->format, a),
		      y = soc_float_unpack(f->format, b), n;

	if (is_nan(&x) || is_nan(&y))
		return soc_float_nan_of(f, &x, &y);
	if (is_zero_by_infinity(&x, &y))
		return raise_invalid(f);
	n = multiply_numbers(&x, &y);
	return pack_number(f, &n);
}

uint64_t soc_float_fma(struct soc_float *f, uint64_t a, uint64_t b, uint64_t c)
{
	struct number x = soc_float_unpack(f->format, a),
		      y = soc_float_unpack(f->format, b);
	struct number z = soc_float_unpack(f->format, c);

	/* Infinity times 0 is invalid even if the addend is a quiet NaN. */
	if (is_zero_by_infinity(&x, &y))
		return raise_invalid(f);
	if (is_nan(&x) || is_nan(&y) || is_nan(&z)) {
		soc_float_nan_of(f, &x, &y);
		return soc_float_nan_of(f, &z, &z);
	}
	return add_numbers(f, multiply_numbers(&x, &y), z);
}

static uint64_t divide_finite(struct soc_float *f, struct number a,
			      const struct number *b)
{
	normalize_number(&a);
	soc_u128 remainder = a.significand % b->significand;
	a.significand = a.significand / b->significand | (remainder != 0);
	a.exponent -= b->exponent;
	return pack_number(f, &a);
}

uint64_t soc_float_div(struct soc_float *f, uint64_t a, uint64_t b)
{
	struct number x = soc_float_unpack(f->format, a),
		      y = soc_float_unpack(f->format, b);

	if (is_nan(&x) || is_nan(&y))
		return soc_float_nan_of(f, &x, &y);
	if (x.kind == y.kind && x.kind != FINITE)
		return raise_invalid(f);
	x.negative = x.negative != y.negative;
	if (x.kind == FINITE && y.kind == FINITE)
		return divide_finite(f, x, &y);
	if (x.kind == FINITE && y.kind == ZERO)
		f->flags |= SOC_FLOAT_BY_ZERO;
	x.kind = x.kind == INFINITE || y.kind == ZERO ? INFINITE : ZERO;
	return pack_number(f, &x);
}

/* Returns the integer square root of a significand, with a sticky bit below it. */
static soc_u128 integer_root(soc_u128 value)
{
	soc_u128 root = 0, rest = value;

	for (int bit = TOP / 2; bit >= 0; bit--) {
		soc_u128 part = (root << 1 | (soc_u128)1 << bit) << bit;

		if (part <= rest) {
			rest -= part;
			root |= (soc_u128)1 << bit;
		}
	}
	return root << 1 | (rest != 0);
}

uint64_t soc_float_sqrt(struct soc_float *f, uint64_t a)
{
	struct number n = soc_float_unpack(f->format, a);

	if (is_nan(&n))
		return soc_float_nan_of(f, &n, &n);
	if (n.negative && n.kind != ZERO)
		return raise_invalid(f);
	if (n.kind == FINITE) {
		normalize_number(&n);
		if (n.exponent & 1) {
			n.significand >>= 1;
			n.exponent++;
		}
		n.significand = integer_root(n.significand);
		n.exponent = n.exponent / 2 - 1;
	}
	return pack_number(f, &n);
}

uint64_t soc_float_convert(struct soc_float *f, enum soc_float_format from, uint64_t a)
{
	struct number n = soc_float_unpack(from, a);

	return is_nan(&n) ? soc_float_nan_of(f, &n, &n) : pack_number(f, &n);
}

static uint64_t out_of_range(struct soc_float *f, unsigned bits, bool is_signed,
			     bool negative)
{
	uint64_t greatest = bits == 64 ? UINT64_MAX : low_ones(bits);

	f->flags |= SOC_FLOAT_INVALID;
	if (is_signed)
		return negative ? ~(greatest >> 1) : greatest >> 1;
	return negative ? 0 : greatest;
}

uint64_t soc_float_to_int(struct soc_float *f, uint64_t a, unsigned bits, bool is_signed)
{
	struct number n = soc_float_unpack(f->format, a);
	bool inexact, negative = n.negative && !is_nan(&n);
	soc_u128 limit = (soc_u128)1 << (bits - is_signed);

	if (n.kind == ZERO)
		return 0;
	if (n.kind != FINITE || n.exponent > 64)
		return out_of_range(f, bits, is_signed, negative);
	soc_u128 whole =
	    round_at(n.significand, -n.exponent, negative, f->rounding, &inexact);
	if (negative ? whole > (is_signed ? limit : 0) : whole >= limit)
		return out_of_range(f, bits, is_signed, negative);
	if (inexact)
		f->flags |= SOC_FLOAT_INEXACT;
	return negative ? 0 - (uint64_t)whole : (uint64_t)whole;
}

uint64_t soc_float_from_int(struct soc_float *f, uint64_t value, bool is_signed)
{
	struct number n = {.kind = value ? FINITE : ZERO,
			   .negative = is_signed && value >> 63};

	n.significand = n.negative ? 0 - value : value;
	return pack_number(f, &n);
}
