// SPDX-License-Identifier: Apache-2.0
// The integer arithmetic of the functional model, with the encodings of the hardware.
#include "expected.h"

static uint64_t extended(uint64_t value)
{
	return static_cast<uint64_t>(static_cast<int32_t>(value));
}

static uint64_t to_int(struct soc_float *f, const struct work *w, uint64_t a)
{
	uint64_t value = soc_float_to_int(f, a, w->kind & 2 ? 64 : 32, !(w->kind & 1));

	return w->kind & 2 ? value : extended(value);
}

static uint64_t from_int(struct soc_float *f, const struct work *w)
{
	uint64_t value = w->a;

	if (!(w->kind & 2))
		value = w->kind & 1 ? value & ~BOX : extended(value);
	return soc_float_from_int(f, value, !(w->kind & 1));
}

// Arithmetic, of operands that are not boxed.
static uint64_t arithmetic(struct soc_float *f, const struct work *w, uint64_t a,
			   uint64_t b, uint64_t c)
{
	uint64_t sign = soc_float_sign(f->format);

	switch (w->op) {
	case ADD:
		return soc_float_add(f, a, b);
	case SUB:
		return soc_float_add(f, a, b ^ sign);
	case MUL:
		return soc_float_mul(f, a, b);
	case MADD:
		return soc_float_fma(f, a, b, c);
	case MSUB:
		return soc_float_fma(f, a, b, c ^ sign);
	case NMSUB:
		return soc_float_fma(f, a ^ sign, b, c);
	case NMADD:
		return soc_float_fma(f, a ^ sign, b, c ^ sign);
	case DIV:
		return soc_float_div(f, a, b);
	default:
		return soc_float_sqrt(f, a);
	}
}

// The others whose result is a floating-point number, not boxed.
static uint64_t selection(struct soc_float *f, const struct work *w, uint64_t a,
			  uint64_t b)
{
	uint64_t sign = soc_float_sign(f->format);

	switch (w->op) {
	case SGNJ:
		return (a & ~sign) | (b & sign);
	case SGNJN:
		return (a & ~sign) | (~b & sign);
	case SGNJX:
		return a ^ (b & sign);
	case MIN:
		return soc_float_min(f, a, b);
	case MAX:
		return soc_float_max(f, a, b);
	case MOVE_TO_F:
		return w->is_double ? w->a : w->a & ~BOX;
	case FROM_INT:
		return from_int(f, w);
	default:
		return soc_float_convert(f, format_of(!w->is_double),
					 unboxed(!w->is_double, w->a));
	}
}
struct answer expected(const struct work *w)
{
	struct soc_float f = {format_of(w->is_double),
			      static_cast<enum soc_rounding>(w->rounding), 0};
	uint64_t a = unboxed(w->is_double, w->a), b = unboxed(w->is_double, w->b);
	uint64_t result;

	switch (w->op) {
	case EQ:
		result = soc_float_eq(&f, a, b);
		break;
	case LT:
		result = soc_float_lt(&f, a, b);
		break;
	case LE:
		result = soc_float_le(&f, a, b);
		break;
	case CLASS:
		result = soc_float_class(f.format, a);
		break;
	case MOVE_TO_X:
		result = w->is_double ? w->a : extended(w->a);
		break;
	case TO_INT:
		result = to_int(&f, w, a);
		break;
	default:
		result = w->op <= SQRT
			     ? arithmetic(&f, w, a, b, unboxed(w->is_double, w->c))
			     : selection(&f, w, a, b);
		result = boxed(w->is_double, result);
	}
	return {result, f.flags};
}
