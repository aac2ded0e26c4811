/* SPDX-License-Identifier: Apache-2.0 */
/* Prints tables of operands, results and flags of floating-point instructions for the
 * self-checking programs, as the host's floating point computes them.
 *
 * `gen-float s` or `gen-float d`: for each instruction a DATA block of rows (a, b, c,
 * rounding mode, result, flags), then the macro of run-float.h that runs them.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* In the encoding of frm. */
static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
enum { N_MODES = sizeof(modes) / sizeof(modes[0]) };

static const uint64_t values64[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x000fffffffffffff,
    0x0010000000000000, 0x8010000000000001, 0x3ff0000000000000, 0xbff0000000000001,
    0x3fd5555555555555, 0x4008000000000000, 0xc35fffffffffffff, 0x7fefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
};
static const uint64_t values32[] = {
    0x00000000, 0x80000000, 0x00000001, 0x007fffff, 0x00800000, 0x80800001,
    0x3f800000, 0xbf800001, 0x3eaaaaab, 0x40400000, 0xcaffffff, 0x7f7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
};
enum { N_VALUES = 16 };

enum op { ADD, SUB, MUL, DIV, SQRT, MADD, MSUB, NMADD, NMSUB, EQ, LT, LE };
static const struct {
	const char *name;
	unsigned operands;
	int is_integer;
} ops[] = {
    [ADD] = {"fadd", 2, 0},   [SUB] = {"fsub", 2, 0},	  [MUL] = {"fmul", 2, 0},
    [DIV] = {"fdiv", 2, 0},   [SQRT] = {"fsqrt", 1, 0},	  [MADD] = {"fmadd", 3, 0},
    [MSUB] = {"fmsub", 3, 0}, [NMADD] = {"fnmadd", 3, 0}, [NMSUB] = {"fnmsub", 3, 0},
    [EQ] = {"feq", 2, 1},     [LT] = {"flt", 2, 1},	  [LE] = {"fle", 2, 1},
};
enum { N_OPS = sizeof(ops) / sizeof(ops[0]) };

static uint64_t result64(enum op op, const uint64_t *x)
{
	volatile double v[3], r = 0;
	uint64_t bits;

	memcpy((void *)(uintptr_t)v, x, sizeof(v));
	switch (op) {
	case ADD:
		r = v[0] + v[1];
		break;
	case SUB:
		r = v[0] - v[1];
		break;
	case MUL:
		r = v[0] * v[1];
		break;
	case DIV:
		r = v[0] / v[1];
		break;
	case SQRT:
		r = sqrt(v[0]);
		break;
	case MADD:
		r = fma(v[0], v[1], v[2]);
		break;
	case MSUB:
		r = fma(v[0], v[1], -v[2]);
		break;
	case NMADD:
		r = fma(-v[0], v[1], -v[2]);
		break;
	case NMSUB:
		r = fma(-v[0], v[1], v[2]);
		break;
	case EQ:
		return v[0] == v[1];
	case LT:
		return v[0] < v[1];
	case LE:
		return v[0] <= v[1];
	}
	memcpy(&bits, (const void *)(uintptr_t)&r, sizeof(bits));
	return isnan(r) ? 0x7ff8000000000000 : bits;
}

static float as_float(uint64_t bits)
{
	uint32_t low = (uint32_t)bits;
	float value;

	memcpy(&value, &low, sizeof(value));
	return value;
}

static uint64_t result32(enum op op, const uint64_t *x)
{
	volatile float v[3] = {as_float(x[0]), as_float(x[1]), as_float(x[2])}, r = 0;
	uint32_t bits;

	switch (op) {
	case ADD:
		r = v[0] + v[1];
		break;
	case SUB:
		r = v[0] - v[1];
		break;
	case MUL:
		r = v[0] * v[1];
		break;
	case DIV:
		r = v[0] / v[1];
		break;
	case SQRT:
		r = sqrtf(v[0]);
		break;
	case MADD:
		r = fmaf(v[0], v[1], v[2]);
		break;
	case MSUB:
		r = fmaf(v[0], v[1], -v[2]);
		break;
	case NMADD:
		r = fmaf(-v[0], v[1], -v[2]);
		break;
	case NMSUB:
		r = fmaf(-v[0], v[1], v[2]);
		break;
	case EQ:
		return v[0] == v[1];
	case LT:
		return v[0] < v[1];
	case LE:
		return v[0] <= v[1];
	}
	memcpy(&bits, (const void *)(uintptr_t)&r, sizeof(bits));
	return 0xffffffff00000000 | (isnan(r) ? 0x7fc00000 : bits);
}

static unsigned flags_of(int raised)
{
	return (raised & FE_INEXACT ? 1U : 0U) | (raised & FE_UNDERFLOW ? 2U : 0U) |
	       (raised & FE_OVERFLOW ? 4U : 0U) | (raised & FE_DIVBYZERO ? 8U : 0U) |
	       (raised & FE_INVALID ? 16U : 0U);
}

static void print_row(char format, enum op op, const uint64_t *x, int mode)
{
	const uint64_t box =
	    format == 's' && !ops[op].is_integer ? 0xffffffff00000000 : 0;
	const uint64_t boxed = format == 's' ? 0xffffffff00000000 : 0;
	uint64_t result;
	unsigned flags;

	fesetround(modes[mode]);
	feclearexcept(FE_ALL_EXCEPT);
	result = format == 's' ? result32(op, x) : result64(op, x);
	flags = flags_of(fetestexcept(FE_ALL_EXCEPT));
	fesetround(FE_TONEAREST);
	printf("\t.dword 0x%" PRIx64 ", 0x%" PRIx64 ", 0x%" PRIx64 ", %d, 0x%" PRIx64
	       ", %u\n",
	       x[0] | boxed, x[1] | boxed, x[2] | boxed, mode, result | box, flags);
}

static void print_op(char format, enum op op)
{
	const uint64_t *values = format == 's' ? values32 : values64;
	unsigned operands = ops[op].operands;

	printf("\tDATA\n");
	for (int i = 0; i < N_VALUES; i++)
		for (int j = 0; j < (operands > 1 ? N_VALUES : 1); j++)
			for (int k = 0; k < (operands > 2 ? 3 : 1); k++) {
				const uint64_t x[3] = {
				    values[i], values[j],
				    values[(i + 5 * j + 7 * k) % N_VALUES]};

				print_row(format, op, x, (i + j + k) % N_MODES);
				if (operands == 1)
					for (int mode = 0; mode < N_MODES; mode++)
						print_row(format, op, x, mode);
			}
	printf("\tRUN_FLOAT%s%u %d, %s.%c\n", ops[op].is_integer ? "_INT" : "", operands,
	       (int)op + 1, ops[op].name, format);
}

int main(int argc, char **argv)
{
	if (argc != 2 || (strcmp(argv[1], "s") != 0 && strcmp(argv[1], "d") != 0)) {
		fprintf(stderr, "gen-float: expects s or d\n");
		return 2;
	}
	for (int op = 0; op < N_OPS; op++)
		print_op(argv[1][0], (enum op)op);
	return fclose(stdout) == 0 ? 0 : 2;
}
