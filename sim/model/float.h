/* SPDX-License-Identifier: Apache-2.0 */
/* IEEE 754-2019 binary32 and binary64 in integer arithmetic, with the choices of the
 * RISC-V F and D extensions (unprivileged specification, chapters "F" and "D"): every
 * NaN result is the canonical one, and tininess is detected after rounding.
 *
 * A number is the bit pattern of its format in the low bits of a uint64_t; the bits above
 * must be 0, and are 0 in results. Nothing here uses the host's floating point.
 */
#ifndef SOC_FLOAT_H
#define SOC_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

enum soc_float_format { SOC_FLOAT32, SOC_FLOAT64 };

/* In the encoding of the field rm of an instruction and of fcsr; 5 and 6 are reserved. */
enum soc_rounding {
	SOC_ROUND_NEAREST_EVEN,
	SOC_ROUND_TO_ZERO,
	SOC_ROUND_DOWN,
	SOC_ROUND_UP,
	SOC_ROUND_NEAREST_AWAY,
	SOC_ROUND_DYNAMIC = 7,
};

/* The bits of fflags. */
enum {
	SOC_FLOAT_INEXACT = 1,
	SOC_FLOAT_UNDERFLOW = 2,
	SOC_FLOAT_OVERFLOW = 4,
	SOC_FLOAT_BY_ZERO = 8,
	SOC_FLOAT_INVALID = 16,
};

/* Parameters of an operation, which sets bits of `flags` and clears none. */
struct soc_float {
	enum soc_float_format format; /* of the operands and of the result */
	enum soc_rounding rounding;
	unsigned flags;
};

uint64_t soc_float_add(struct soc_float *f, uint64_t a, uint64_t b);
uint64_t soc_float_mul(struct soc_float *f, uint64_t a, uint64_t b);
uint64_t soc_float_div(struct soc_float *f, uint64_t a, uint64_t b);
uint64_t soc_float_sqrt(struct soc_float *f, uint64_t a);
/* Returns a * b + c, rounded once. */
uint64_t soc_float_fma(struct soc_float *f, uint64_t a, uint64_t b, uint64_t c);

/* minimumNumber and maximumNumber of IEEE 754-2019: -0 is less than +0. */
uint64_t soc_float_min(struct soc_float *f, uint64_t a, uint64_t b);
uint64_t soc_float_max(struct soc_float *f, uint64_t a, uint64_t b);

/* feq is quiet; flt and fle raise the invalid flag for any NaN. */
bool soc_float_eq(struct soc_float *f, uint64_t a, uint64_t b);
bool soc_float_lt(struct soc_float *f, uint64_t a, uint64_t b);
bool soc_float_le(struct soc_float *f, uint64_t a, uint64_t b);

/* Returns the ten bits of fclass. */
uint64_t soc_float_class(enum soc_float_format format, uint64_t a);

/* Converts `a` from the format `from` to f->format. */
uint64_t soc_float_convert(struct soc_float *f, enum soc_float_format from, uint64_t a);

/* Conversion to integers of 32 or 64 bits. A value out of range raises the invalid flag
 * and gives the nearest representable integer, a NaN the largest one; only the low `bits`
 * bits of the result are significant. */
uint64_t soc_float_to_int(struct soc_float *f, uint64_t a, unsigned bits, bool is_signed);
/* `value` is already sign-extended or zero-extended to 64 bits. */
uint64_t soc_float_from_int(struct soc_float *f, uint64_t value, bool is_signed);

uint64_t soc_float_canonical_nan(enum soc_float_format format);
/* Returns the sign bit: xor with it negates a number. */
uint64_t soc_float_sign(enum soc_float_format format);

#endif
