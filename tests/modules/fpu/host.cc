// SPDX-License-Identifier: Apache-2.0
// Floating point of the host, with its rounding modes and flags.
#include "host.h"

#include <cfenv>
#include <cmath>
#include <cstring>

template <typename T, typename U> static T cast(U bits)
{
	T value;

	static_assert(sizeof(value) == sizeof(bits), "the same bits");
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static const int HOST_ROUNDINGS[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static unsigned host_flags()
{
	static const struct {
		int raised;
		unsigned flag;
	} FLAGS[] = {
	    {FE_INVALID, SOC_FLOAT_INVALID},   {FE_DIVBYZERO, SOC_FLOAT_BY_ZERO},
	    {FE_OVERFLOW, SOC_FLOAT_OVERFLOW}, {FE_UNDERFLOW, SOC_FLOAT_UNDERFLOW},
	    {FE_INEXACT, SOC_FLOAT_INEXACT},
	};
	int raised = fetestexcept(FE_ALL_EXCEPT);
	unsigned flags = 0;

	for (const auto &of : FLAGS)
		if (raised & of.raised)
			flags |= of.flag;
	return flags;
}

// Volatile, since the compiler knows neither rounding modes nor flags.
template <typename T> static T host_arithmetic(unsigned op, T x, T y, T z)
{
	volatile T a = x, b = y, c = z, result;

	switch (op) {
	case ADD:
		result = a + b;
		break;
	case SUB:
		result = a - b;
		break;
	case MUL:
		result = a * b;
		break;
	case DIV:
		result = a / b;
		break;
	case SQRT:
		result = std::sqrt(a);
		break;
	default:
		if (op == NMSUB || op == NMADD)
			a = -a;
		if (op == MSUB || op == NMADD)
			c = -c;
		result = std::fma(a, b, c);
	}
	return result;
}

template <typename T> static T host_from_int(unsigned kind, uint64_t value)
{
	volatile uint64_t from = value;

	switch (kind) {
	case 0:
		return static_cast<T>(static_cast<int32_t>(from));
	case 1:
		return static_cast<T>(static_cast<uint32_t>(from));
	case 2:
		return static_cast<T>(static_cast<int64_t>(from));
	default:
		return static_cast<T>(from);
	}
}

template <typename T> static bool host_compare(unsigned op, T x, T y)
{
	volatile T a = x, b = y;

	return op == EQ ? a == b : op == LT ? a < b : a <= b;
}

// Of 64 bits and signed, in range.
template <typename T> static uint64_t host_to_int(T x)
{
	volatile T a = x;

	return static_cast<uint64_t>(std::llrint(a));
}

template <typename T, typename U> static T host_operand(bool is_double, uint64_t value)
{
	return cast<T>(static_cast<U>(unboxed(is_double, value)));
}

template <typename T, typename U, typename OTHER, typename OTHER_BITS>
static uint64_t host_result(const struct work *w)
{
	T a = host_operand<T, U>(w->is_double, w->a),
	  b = host_operand<T, U>(w->is_double, w->b);
	volatile OTHER from;
	volatile T to;

	if (w->op >= EQ && w->op <= LE)
		return host_compare(w->op, a, b);
	if (w->op == TO_INT)
		return host_to_int(a);
	if (w->op == FROM_INT) {
		to = host_from_int<T>(w->kind, w->a);
	} else if (w->op == TO_FLOAT) {
		from = host_operand<OTHER, OTHER_BITS>(!w->is_double, w->a);
		to = static_cast<T>(from);
	} else {
		to = host_arithmetic(w->op, a, b, host_operand<T, U>(w->is_double, w->c));
	}
	if (std::isnan(static_cast<T>(to)))
		return boxed(w->is_double,
			     soc_float_canonical_nan(format_of(w->is_double)));
	return boxed(w->is_double, cast<U>(static_cast<T>(to)));
}

// Returns whether the magnitude is below 2^63.
static bool fits(const struct work *w)
{
	return exponent_of(w->is_double, unboxed(w->is_double, w->a)) <
	       FORMATS[w->is_double].bias + 63;
}

static bool host_has(const struct work *w)
{
	enum soc_float_format format = format_of(w->is_double);

	if (w->rounding >= sizeof(HOST_ROUNDINGS) / sizeof(*HOST_ROUNDINGS))
		return false;
	// Of infinity times 0 and a quiet NaN, processors differ.
	if (w->op >= MADD && w->op <= NMADD &&
	    soc_float_class(format, unboxed(w->is_double, w->c)) >> 8)
		return false;
	// The unsigned conversion of 64 bits is made of several that round.
	if (w->op == FROM_INT)
		return w->kind != 3;
	if (w->op == TO_INT)
		return w->kind == 2 && fits(w);
	return w->op <= SQRT || w->op == TO_FLOAT || (w->op >= EQ && w->op <= LE);
}

bool host_answer(const struct work *w, struct answer *answer)
{
	if (!host_has(w))
		return false;
	fesetround(HOST_ROUNDINGS[w->rounding]);
	feclearexcept(FE_ALL_EXCEPT);
	answer->result = w->is_double ? host_result<double, uint64_t, float, uint32_t>(w)
				      : host_result<float, uint32_t, double, uint64_t>(w);
	answer->flags = host_flags();
	fesetround(FE_TONEAREST);
	return true;
}
