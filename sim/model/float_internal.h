/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of float.h: numbers taken apart. */
#ifndef SOC_FLOAT_INTERNAL_H
#define SOC_FLOAT_INTERNAL_H

#include "arith.h"
#include "float.h"

struct format {
	unsigned fraction; /* width of the fraction */
	int bias;
	unsigned width;
};
extern const struct format soc_float_formats[];

enum kind { ZERO, FINITE, INFINITE, QUIET, SIGNALLING };

/* FINITE: the value is significand * 2^exponent, and the significand is not 0. */
struct number {
	enum kind kind;
	bool negative;
	int exponent;
	soc_u128 significand;
};

static inline uint64_t low_ones(unsigned n)
{
	return ((uint64_t)1 << n) - 1;
}

static inline bool is_nan(const struct number *n)
{
	return n->kind == QUIET || n->kind == SIGNALLING;
}

struct number soc_float_unpack(enum soc_float_format format, uint64_t bits);
/* Returns the result of an operation with at least one NaN operand: the canonical NaN. A
 * signalling one raises the invalid flag. */
uint64_t soc_float_nan_of(struct soc_float *f, const struct number *a,
			  const struct number *b);

#endif
