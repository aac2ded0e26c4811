// SPDX-License-Identifier: Apache-2.0
// An instruction of the floating-point unit and its answer, and the formats of numbers.
#ifndef FPU_WORK_H
#define FPU_WORK_H

#include <cstdint>

extern "C" {
#include "model/float.h"
}

// soc_pkg::fpu_op_e
enum op {
	ADD,
	SUB,
	MUL,
	MADD,
	MSUB,
	NMSUB,
	NMADD, // pipelined
	DIV,
	SQRT,
	SGNJ,
	SGNJN,
	SGNJX,
	MIN,
	MAX,
	EQ,
	LT,
	LE,
	CLASS,
	MOVE_TO_X,
	MOVE_TO_F,
	TO_INT,
	FROM_INT,
	TO_FLOAT,
	OPS
};

static const unsigned ROUNDINGS = 5;
static const uint64_t BOX = UINT64_C(0xffffffff00000000);

// An instruction.
struct work {
	unsigned op;
	bool is_double;
	unsigned kind; // soc_pkg::integer_e
	unsigned rounding;
	uint64_t a, b, c;
};

struct answer {
	uint64_t result;
	unsigned flags;
};

struct format {
	unsigned fraction;
	unsigned bias;
};
static const struct format FORMATS[] = {{23, 127}, {52, 1023}};

static inline unsigned exponent_of(bool is_double, uint64_t value)
{
	const struct format *of = &FORMATS[is_double];

	return static_cast<unsigned>(value >> of->fraction) & (2 * of->bias + 1);
}

static inline enum soc_float_format format_of(bool is_double)
{
	return is_double ? SOC_FLOAT64 : SOC_FLOAT32;
}

static inline uint64_t unboxed(bool is_double, uint64_t value)
{
	if (is_double)
		return value;
	return (value & BOX) == BOX ? value & ~BOX : soc_float_canonical_nan(SOC_FLOAT32);
}

static inline uint64_t boxed(bool is_double, uint64_t value)
{
	return is_double ? value : value | BOX;
}

#endif
