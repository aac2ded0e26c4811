// SPDX-License-Identifier: Apache-2.0
// Chooses operands.
#include "operands.h"

static uint64_t number(bool is_double, bool negative, uint64_t exponent,
		       uint64_t fraction)
{
	const struct format *of = &FORMATS[is_double];

	fraction &= (UINT64_C(1) << of->fraction) - 1;
	exponent &= 2 * of->bias + 1;
	return boxed(is_double, (negative ? soc_float_sign(format_of(is_double)) : 0) |
				    exponent << of->fraction | fraction);
}

static uint64_t draw_fraction(struct rng *random, unsigned width)
{
	uint64_t bit = UINT64_C(1) << random->below(width);
	uint64_t other = UINT64_C(1) << random->below(width);

	switch (random->below(8)) {
	case 0:
		return 0;
	case 1:
		return bit;
	case 2:
		return 0 - bit;
	case 3:
		return bit - 1;
	case 4:
		return bit | other;
	case 5:
		return ~(bit | other);
	case 6:
		return random->next() & (0 - bit);
	default:
		return random->next();
	}
}

static uint64_t draw_exponent(struct rng *random, unsigned bias)
{
	switch (random->below(8)) {
	case 0:
		return random->below(4);
	case 1:
		return 2 * bias + 1 - random->below(4);
	case 2:
		return random->below(2 * bias + 2);
	case 3:
		return 0;
	default:
		return bias - 4 + random->below(8);
	}
}

static uint64_t draw_operand(struct rng *random, bool is_double)
{
	const struct format *of = &FORMATS[is_double];
	uint64_t value =
	    number(is_double, random->once_in(2), draw_exponent(random, of->bias),
		   draw_fraction(random, of->fraction));

	if (!is_double && random->once_in(64))
		value ^= UINT64_C(1) << (32 + random->below(32));
	return value;
}

// The result's exponent becomes one of interest: near the least or the greatest, or for
// an addend, one that decides what is lost of which.
static uint64_t with_exponent(struct rng *random, bool is_double, uint64_t value,
			      int exponent)
{
	const struct format *of = &FORMATS[is_double];
	int greatest = static_cast<int>(2 * of->bias);

	if (exponent < 0 || exponent > greatest)
		return value;
	return number(is_double, random->once_in(2), static_cast<uint64_t>(exponent),
		      value);
}

static int draw_edge(struct rng *random, bool is_double)
{
	const struct format *of = &FORMATS[is_double];
	int near = static_cast<int>(random->below(8)) - 4;

	if (random->once_in(4))
		return static_cast<int>(2 * of->bias) + near;
	return near - static_cast<int>(random->below(of->fraction + 4));
}

static void meet_edge(struct rng *random, struct work *w)
{
	int bias = static_cast<int>(FORMATS[w->is_double].bias);
	int a = static_cast<int>(exponent_of(w->is_double, w->a));
	int edge = draw_edge(random, w->is_double);

	w->b = with_exponent(random, w->is_double, w->b,
			     w->op == DIV ? a + bias - edge : edge + bias - a);
}

// The addend cancels all but a few bits of the product, or is at some distance.
static void draw_addend(struct rng *random, struct work *w)
{
	struct soc_float f = {format_of(w->is_double), SOC_ROUND_TO_ZERO, 0};
	uint64_t sign = soc_float_sign(f.format);
	uint64_t product =
	    soc_float_mul(&f, unboxed(w->is_double, w->a), unboxed(w->is_double, w->b));
	int distance = static_cast<int>(random->below(240)) - 120;

	if (random->once_in(2)) {
		product += random->below(5) - UINT64_C(2);
		product = random->once_in(2) ? product ^ sign : product;
		w->c = boxed(w->is_double, w->is_double ? product : product & ~BOX);
	} else {
		w->c = with_exponent(
		    random, w->is_double, w->c,
		    distance + static_cast<int>(exponent_of(w->is_double, product)));
	}
	if (w->op <= SUB)
		w->b = w->c;
}

// A square, or its neighbour.
static uint64_t draw_square(struct rng *random, bool is_double)
{
	struct soc_float f = {format_of(is_double), SOC_ROUND_TO_ZERO, 0};
	unsigned width = FORMATS[is_double].fraction;
	uint64_t keep = ~UINT64_C(0) << (width / 2 + random->below(3));
	uint64_t root =
	    unboxed(is_double, number(is_double, false,
				      draw_exponent(random, FORMATS[is_double].bias),
				      random->next() & keep));

	return boxed(is_double, soc_float_mul(&f, root, root) + random->below(3));
}

static uint64_t draw_integer(struct rng *random)
{
	uint64_t value = draw_fraction(random, 64) >> random->below(64);

	return random->once_in(2) ? value : 0 - value;
}

// For conversions: exponents near those of integers, or the limits of the other format.
static uint64_t draw_converted(struct rng *random, const struct work *w)
{
	bool is_double = w->op == TO_INT ? w->is_double : !w->is_double;
	const struct format *of = &FORMATS[is_double];
	unsigned exponent = of->bias - 4 + random->below(72);

	if (w->op == TO_FLOAT && is_double) {
		exponent = of->bias - 160 + random->below(40);
		if (random->once_in(4))
			exponent = of->bias + 124 + random->below(8);
	}
	if (random->once_in(4))
		return draw_operand(random, is_double);
	return number(is_double, random->once_in(2), exponent,
		      draw_fraction(random, of->fraction));
}
struct work draw(struct rng *random, unsigned op)
{
	struct work w = {
	    op, random->once_in(2), random->below(4), random->below(ROUNDINGS), 0, 0, 0};

	w.a = draw_operand(random, w.is_double);
	w.b = draw_operand(random, w.is_double);
	w.c = draw_operand(random, w.is_double);
	if (op <= DIV && random->once_in(2))
		meet_edge(random, &w);
	if (op <= NMADD && op != MUL && random->once_in(2))
		draw_addend(random, &w);
	if (op == SQRT && random->once_in(4))
		w.a = draw_square(random, w.is_double);
	if (op == FROM_INT || op == MOVE_TO_F || op == MOVE_TO_X)
		w.a = draw_integer(random);
	if (op == TO_INT || op == TO_FLOAT)
		w.a = draw_converted(random, &w);
	if (op >= SGNJ && op <= LE && random->once_in(4))
		w.b = random->once_in(2) ? w.a
					 : w.a ^ soc_float_sign(format_of(w.is_double));
	return w;
}

unsigned specials(bool is_double, uint64_t *list, bool brief)
{
	const unsigned bias = FORMATS[is_double].bias,
		       width = FORMATS[is_double].fraction;
	const uint64_t quiet = UINT64_C(1) << (width - 1);
	const uint64_t values[][2] = {
	    {0, 0},
	    {0, 1},
	    {0, ~UINT64_C(0)},
	    {1, 0},
	    {1, 1},
	    {bias, 0},
	    {bias, 1},
	    {bias - 1, ~UINT64_C(0)},
	    {2 * bias, ~UINT64_C(0)},
	    {2 * bias + 1, 0},
	    {2 * bias + 1, 1},
	    {2 * bias + 1, quiet},
	    {bias + width, 1},
	    {bias - width - 1, 0},
	    // The rest only if there are two operands.
	    {0, quiet},
	    {0, 3},
	    {1, ~UINT64_C(0)},
	    {2, 0},
	    {bias - 1, 0},
	    {bias, quiet},
	    {bias + 1, quiet},
	    {2 * bias, 0},
	    {2 * bias - 1, 5},
	    {2 * bias + 1, quiet - 1},
	    {2 * bias + 1, ~UINT64_C(0)},
	    {bias + width + 1, 1},
	    {bias + width + 2, 0},
	    {bias / 2, 0},
	    {bias / 2, 1},
	    {bias + bias / 2, ~UINT64_C(0)},
	};
	unsigned count = 0;

	for (const auto &value : values) {
		if (brief && count == 28)
			break;
		list[count++] = number(is_double, false, value[0], value[1]);
		list[count++] = number(is_double, true, value[0], value[1]);
	}
	if (!is_double && !brief) {
		list[count++] = 0x3f800000;
		list[count++] = UINT64_C(0xfffffffe7f800001);
		list[count++] = UINT64_C(0x7fffffffbf800000);
	}
	return count;
}
