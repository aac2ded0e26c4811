/* SPDX-License-Identifier: Apache-2.0 */
/* The model's floating point compared with the host's, which follows IEEE 754 as well:
 * results and flags of each operation in both formats and four rounding modes, on
 * operands near the limits of the formats and near each other. Where hosts differ from
 * RISC-V (NaN patterns, minimum and maximum, integers out of range), and for rounding to
 * nearest with ties away from 0, the expected values come from the specification. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "../../sim/model/float.h"
#include "check.h"

enum { ROUNDS = 200000 };

static uint64_t seed = 1;

static uint64_t rnd(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return seed >> 32 | seed << 32;
}

static const int modes[] = {
    [SOC_ROUND_NEAREST_EVEN] = FE_TONEAREST,
    [SOC_ROUND_TO_ZERO] = FE_TOWARDZERO,
    [SOC_ROUND_DOWN] = FE_DOWNWARD,
    [SOC_ROUND_UP] = FE_UPWARD,
};

static unsigned host_flags(void)
{
	int raised = fetestexcept(FE_ALL_EXCEPT);

	return (raised & FE_INEXACT ? SOC_FLOAT_INEXACT : 0U) |
	       (raised & FE_UNDERFLOW ? SOC_FLOAT_UNDERFLOW : 0U) |
	       (raised & FE_OVERFLOW ? SOC_FLOAT_OVERFLOW : 0U) |
	       (raised & FE_DIVBYZERO ? SOC_FLOAT_BY_ZERO : 0U) |
	       (raised & FE_INVALID ? SOC_FLOAT_INVALID : 0U);
}

static double f64(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static float f32(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, sizeof(value));
	return value;
}

static uint64_t bits64(double value)
{
	uint64_t bits;

	if (isnan(value))
		return soc_float_canonical_nan(SOC_FLOAT64);
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static uint64_t bits32(float value)
{
	uint32_t bits;

	if (isnan(value))
		return soc_float_canonical_nan(SOC_FLOAT32);
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

enum op { ADD, MUL, DIV, SQRT, FMA, CONVERT, EQ, LT, LE, OPS };
static const char *const names[] = {"add",     "mul", "div", "sqrt", "fma",
				    "convert", "eq",  "lt",  "le"};

static uint64_t host64(enum op op, const uint64_t *x)
{
	volatile double a = f64(x[0]), b = f64(x[1]), c = f64(x[2]), r = 0;
	volatile float narrow;

	switch (op) {
	case ADD:
		r = a + b;
		break;
	case MUL:
		r = a * b;
		break;
	case DIV:
		r = a / b;
		break;
	case SQRT:
		r = sqrt(a);
		break;
	case FMA:
		r = fma(a, b, c);
		break;
	case CONVERT:
		narrow = f32(x[0]);
		r = narrow;
		break;
	case EQ:
		return a == b;
	case LT:
		return a < b;
	default:
		return a <= b;
	}
	return bits64(r);
}

static uint64_t host32(enum op op, const uint64_t *x)
{
	volatile float a = f32(x[0]), b = f32(x[1]), c = f32(x[2]), r = 0;
	volatile double wide;

	switch (op) {
	case ADD:
		r = a + b;
		break;
	case MUL:
		r = a * b;
		break;
	case DIV:
		r = a / b;
		break;
	case SQRT:
		r = sqrtf(a);
		break;
	case FMA:
		r = fmaf(a, b, c);
		break;
	case CONVERT:
		wide = f64(x[0]);
		r = (float)wide;
		break;
	case EQ:
		return a == b;
	case LT:
		return a < b;
	default:
		return a <= b;
	}
	return bits32(r);
}

static uint64_t model(enum op op, struct soc_float *f, const uint64_t *x)
{
	switch (op) {
	case ADD:
		return soc_float_add(f, x[0], x[1]);
	case MUL:
		return soc_float_mul(f, x[0], x[1]);
	case DIV:
		return soc_float_div(f, x[0], x[1]);
	case SQRT:
		return soc_float_sqrt(f, x[0]);
	case FMA:
		return soc_float_fma(f, x[0], x[1], x[2]);
	case CONVERT:
		return soc_float_convert(
		    f, f->format == SOC_FLOAT64 ? SOC_FLOAT32 : SOC_FLOAT64, x[0]);
	case EQ:
		return soc_float_eq(f, x[0], x[1]);
	case LT:
		return soc_float_lt(f, x[0], x[1]);
	default:
		return soc_float_le(f, x[0], x[1]);
	}
}

/* Returns runs of ones and of zeros, which exercise the corner cases of rounding. */
static uint64_t runs(unsigned width)
{
	uint64_t bits = rnd() & 1 ? UINT64_MAX : 0;

	for (unsigned n = (unsigned)(rnd() % 4); n > 0; n--)
		bits ^= UINT64_MAX << rnd() % width;
	return bits & (UINT64_MAX >> (64 - width));
}

static uint64_t operand(enum soc_float_format format)
{
	unsigned fraction = format == SOC_FLOAT64 ? 52 : 23;
	unsigned exponents = format == SOC_FLOAT64 ? 2047 : 255;
	static const unsigned special[] = {0, 0, 1, 2, UINT32_MAX, UINT32_MAX - 1};
	uint64_t exponent = 0, bits = 0;

	switch (rnd() % 4) {
	case 0:
		exponent = special[rnd() % 6] + (exponents + 1U);
		break;
	case 1: /* near half of the range, where sums cancel */
		exponent = exponents / 2 + rnd() % (2 * fraction) - fraction;
		break;
	case 2:
		exponent = rnd() % exponents;
		break;
	default: /* near half of the least exponent and of the greatest */
		exponent =
		    (rnd() & 1 ? exponents / 4 : exponents - exponents / 4) + rnd() % 8;
		break;
	}
	bits = rnd() & 1 ? runs(fraction) : rnd() & (((uint64_t)1 << fraction) - 1);
	return bits | (exponent & exponents) << fraction |
	       (rnd() & 1 ? soc_float_sign(format) : 0);
}

static void compare(enum op op, enum soc_float_format format, unsigned mode)
{
	struct soc_float f = {.format = format, .rounding = (enum soc_rounding)mode};
	enum soc_float_format other = format == SOC_FLOAT64 ? SOC_FLOAT32 : SOC_FLOAT64;
	uint64_t x[3], got, want;
	unsigned before = rnd() % 4 ? 0 : rnd() & 31;

	for (unsigned i = 0; i < 3; i++)
		x[i] = operand(op == CONVERT ? other : format);
	if (rnd() % 8 == 0)
		x[1] = x[0] ^ rnd() % 4 ^ (rnd() & 1 ? soc_float_sign(format) : 0);
	if (op == CONVERT)
		x[1] = 0;
	fesetround(modes[mode]);
	feclearexcept(FE_ALL_EXCEPT);
	want = format == SOC_FLOAT64 ? host64(op, x) : host32(op, x);
	unsigned flags = before | host_flags();
	fesetround(FE_TONEAREST);
	f.flags = before;
	got = model(op, &f, x);
	if (CHECK(got == want && f.flags == flags))
		return;
	fprintf(stderr,
		"%s of %u bits, rounding mode %u, of %016" PRIx64 " %016" PRIx64
		" %016" PRIx64 ": %016" PRIx64 " flags %x; host %016" PRIx64
		" flags %x\n",
		names[op], format == SOC_FLOAT64 ? 64 : 32, mode, x[0], x[1], x[2], got,
		f.flags, want, flags);
}

static void compare_all(void)
{
	for (unsigned i = 0; i < ROUNDS; i++)
		for (int op = 0; op < OPS; op++)
			compare((enum op)op, i & 1 ? SOC_FLOAT64 : SOC_FLOAT32,
				i / 2 % 4);
}

/* The product of two binary32 is exact in binary64, so the neighbours in binary32
 * determine which is nearer. */
static void nearest_away(void)
{
	static const enum soc_rounding outward[] = {SOC_ROUND_UP, SOC_ROUND_DOWN};

	for (unsigned i = 0; i < ROUNDS; i++) {
		uint64_t a = runs(24) | UINT64_C(0x3f000000),
			 b = (runs(24) | UINT64_C(0x3f000000)) ^ (rnd() & 1) << 31;
		double exact = (double)f32(a) * (double)f32(b);
		struct soc_float f = {SOC_FLOAT32, SOC_ROUND_TO_ZERO, 0};
		uint64_t low = soc_float_mul(&f, a, b);

		f.rounding = outward[signbit(exact) != 0];
		uint64_t high = soc_float_mul(&f, a, b);
		f.rounding = SOC_ROUND_NEAREST_AWAY;
		CHECK_EQ(soc_float_mul(&f, a, b),
			 fabs(exact) * 2 >= fabs((double)f32(low) + (double)f32(high))
			     ? high
			     : low);
	}
}

static long double whole_of(double value, unsigned mode)
{
	if (mode == SOC_ROUND_NEAREST_AWAY)
		return roundl(value);
	fesetround(modes[mode]);
	long double whole = nearbyintl(value);
	fesetround(FE_TONEAREST);
	return whole;
}

static void to_int(unsigned bits, bool is_signed)
{
	const long double end = ldexpl(1, (int)(bits - is_signed));
	const uint64_t all = UINT64_MAX >> (64 - bits), most = all >> is_signed;

	for (unsigned i = 0; i < ROUNDS / 4; i++) {
		struct soc_float f = {SOC_FLOAT64, (enum soc_rounding)(i % 5), 0};
		uint64_t a = rnd() & 1 ? operand(SOC_FLOAT64)
				       : (uint64_t)(1020 + rnd() % 70) << 52 | runs(52) |
					     rnd() << 63;
		uint64_t got = soc_float_to_int(&f, a, bits, is_signed) & all;
		long double whole = whole_of(f64(a), i % 5);

		if (isnan(f64(a)) || whole >= end) {
			CHECK_EQ(got, most);
			CHECK_EQ(f.flags, SOC_FLOAT_INVALID);
		} else if (whole < (is_signed ? -end : 0)) {
			CHECK_EQ(got, is_signed ? most + 1 : 0);
			CHECK_EQ(f.flags, SOC_FLOAT_INVALID);
		} else {
			CHECK_EQ(got,
				 (whole < 0 ? 0 - (uint64_t)-whole : (uint64_t)whole) &
				     all);
			CHECK_EQ(f.flags, whole == f64(a) ? 0 : SOC_FLOAT_INEXACT);
		}
	}
}

static void from_int(void)
{
	for (unsigned i = 0; i < ROUNDS / 4; i++) {
		struct soc_float f = {SOC_FLOAT64, (enum soc_rounding)(i % 4), 0};
		uint64_t value = runs(64) >> rnd() % 64;
		volatile long double as_signed = (long double)(int64_t)value;
		volatile long double as_unsigned = (long double)value;

		fesetround(modes[i % 4]);
		uint64_t want = bits64((double)as_signed);
		uint64_t narrow = bits32((float)as_unsigned);
		fesetround(FE_TONEAREST);
		CHECK_EQ(soc_float_from_int(&f, value, true), want);
		CHECK_EQ(f.flags, f64(want) == as_signed ? 0 : SOC_FLOAT_INEXACT);
		f.format = SOC_FLOAT32;
		f.flags = 0;
		CHECK_EQ(soc_float_from_int(&f, value, false), narrow);
		CHECK_EQ(f.flags, f32(narrow) == as_unsigned ? 0 : SOC_FLOAT_INEXACT);
	}
}

#define ONE	   UINT64_C(0x3ff0000000000000)
#define MINUS_ONE  UINT64_C(0xbff0000000000000)
#define MINUS_ZERO UINT64_C(0x8000000000000000)
#define QUIET	   UINT64_C(0xfff8000000000001)
#define SIGNALLING UINT64_C(0x7ff0000000000001)
#define CANONICAL  UINT64_C(0x7ff8000000000000)

static void min_max(void)
{
	static const struct {
		uint64_t a, b, min, max;
		unsigned flags;
	} rows[] = {
	    {0, MINUS_ZERO, MINUS_ZERO, 0, 0},
	    {MINUS_ZERO, 0, MINUS_ZERO, 0, 0},
	    {ONE, MINUS_ONE, MINUS_ONE, ONE, 0},
	    {MINUS_ONE, ONE, MINUS_ONE, ONE, 0},
	    {ONE, QUIET, ONE, ONE, 0},
	    {QUIET, ONE, ONE, ONE, 0},
	    {SIGNALLING, ONE, ONE, ONE, SOC_FLOAT_INVALID},
	    {QUIET, QUIET, CANONICAL, CANONICAL, 0},
	    {QUIET, SIGNALLING, CANONICAL, CANONICAL, SOC_FLOAT_INVALID},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct soc_float f = {.format = SOC_FLOAT64};

		CHECK_EQ(soc_float_min(&f, rows[i].a, rows[i].b), rows[i].min);
		CHECK_EQ(f.flags, rows[i].flags);
		f.flags = 0;
		CHECK_EQ(soc_float_max(&f, rows[i].a, rows[i].b), rows[i].max);
		CHECK_EQ(f.flags, rows[i].flags);
	}
}

static void classes(void)
{
	static const uint64_t of[] = {UINT64_C(0xfff0000000000000),
				      MINUS_ONE,
				      UINT64_C(0x8000000000000001),
				      MINUS_ZERO,
				      0,
				      UINT64_C(0x000fffffffffffff),
				      UINT64_C(0x0010000000000000),
				      UINT64_C(0x7ff0000000000000),
				      SIGNALLING,
				      QUIET};

	for (unsigned i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		CHECK_EQ(soc_float_class(SOC_FLOAT64, of[i]), UINT64_C(1) << i);
}

/* Infinity times 0 is invalid even if the addend is a quiet NaN. */
static void invalid_fma(void)
{
	struct soc_float f = {.format = SOC_FLOAT64};

	CHECK_EQ(soc_float_fma(&f, UINT64_C(0x7ff0000000000000), 0, QUIET), CANONICAL);
	CHECK_EQ(f.flags, SOC_FLOAT_INVALID);
}

int main(void)
{
	compare_all();
	nearest_away();
	for (unsigned bits = 32; bits <= 64; bits += 32) {
		to_int(bits, true);
		to_int(bits, false);
	}
	from_int();
	min_max();
	classes();
	invalid_fma();
	return check_done();
}
