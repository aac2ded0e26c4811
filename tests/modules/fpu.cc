// SPDX-License-Identifier: Apache-2.0
// The floating-point unit: each result and its flags, in the cycle that the latencies
// say, against the integer arithmetic of the functional model and against the host's own
// floating point; and its handshakes, with stalls, kills and resets.
#include "bench.h"

#include <cfenv>
#include <cmath>
#include <cstring>

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
static const unsigned CYCLES_DOUBLE = 29, CYCLES_SINGLE = 14; // of a division, until done
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

// A stage of the pipeline.
struct stage {
	bool valid;
	struct work work;
	struct answer want;
};

struct pipeline {
	struct stage x, m, third, fourth;
	unsigned cycles; // that x is there
};

struct format {
	unsigned fraction;
	unsigned bias;
};
static const struct format FORMATS[] = {{23, 127}, {52, 1023}};

static unsigned exponent_of(bool is_double, uint64_t value)
{
	const struct format *of = &FORMATS[is_double];

	return static_cast<unsigned>(value >> of->fraction) & (2 * of->bias + 1);
}

// The model

static enum soc_float_format format_of(bool is_double)
{
	return is_double ? SOC_FLOAT64 : SOC_FLOAT32;
}

static uint64_t unboxed(bool is_double, uint64_t value)
{
	if (is_double)
		return value;
	return (value & BOX) == BOX ? value & ~BOX : soc_float_canonical_nan(SOC_FLOAT32);
}

static uint64_t boxed(bool is_double, uint64_t value)
{
	return is_double ? value : value | BOX;
}

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

static struct answer expected(const struct work *w)
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

// The host

template <typename T, typename U> static T cast(U bits)
{
	T value;

	static_assert(sizeof value == sizeof bits, "the same bits");
	memcpy(&value, &bits, sizeof value);
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

	if (w->rounding >= sizeof HOST_ROUNDINGS / sizeof *HOST_ROUNDINGS)
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

static void check_host(const struct work *w, const struct answer *got)
{
	uint64_t result;
	unsigned flags;

	if (!host_has(w))
		return;
	fesetround(HOST_ROUNDINGS[w->rounding]);
	feclearexcept(FE_ALL_EXCEPT);
	result = w->is_double ? host_result<double, uint64_t, float, uint32_t>(w)
			      : host_result<float, uint32_t, double, uint64_t>(w);
	flags = host_flags();
	fesetround(FE_TONEAREST);
	CHECK_EQ(got->result, result);
	CHECK_EQ(got->flags, flags);
}

// Operands

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

static struct work draw(struct rng *random, unsigned op)
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

// The pipeline

// Returns the cycles in X before the one in which the work is done.
static unsigned waits(const struct work *w)
{
	const uint64_t known = 0x399; // fclass: infinities, zeros and NaNs
	enum soc_float_format format = format_of(w->is_double);
	uint64_t classes = soc_float_class(format, unboxed(w->is_double, w->a));

	if (w->op != DIV && w->op != SQRT)
		return 0;
	if (w->op == DIV)
		classes |= soc_float_class(format, unboxed(w->is_double, w->b));
	else if (classes & 0xf)
		return 1;
	if (classes & known)
		return 1;
	return w->is_double ? CYCLES_DOUBLE : CYCLES_SINGLE;
}

static void put(struct pipeline *p, const struct work *w)
{
	p->x = {true, *w, expected(w)};
	p->cycles = 0;
}

static void present(struct bench *b, const struct stage *x)
{
	b->dut.valid_i = x->valid;
	if (!x->valid)
		return;
	b->dut.op_i =
	    static_cast<uint8_t>(x->work.is_double << 7 | x->work.kind << 5 | x->work.op);
	b->dut.rounding_i = x->work.rounding & 7;
	b->dut.a_i = x->work.a;
	b->dut.b_i = x->work.b;
	b->dut.c_i = x->work.c;
}

static void show(const struct work *w)
{
	fprintf(stderr,
		"op %u double %d kind %u rounding %u a 0x%016" PRIx64 " b 0x%016" PRIx64
		" c 0x%016" PRIx64 "\n",
		w->op, w->is_double, w->kind, w->rounding, w->a, w->b, w->c);
}

static void check_answer(const struct stage *s, const struct answer *got)
{
	bool same = CHECK_EQ(got->result, s->want.result);

	if (!CHECK_EQ(got->flags, s->want.flags) || !same)
		show(&s->work);
	if (!same)
		return;
	check_host(&s->work, got);
	if (!going_well())
		show(&s->work);
}

// The outputs, once the inputs have settled.
static void check(struct bench *b, const struct pipeline *p)
{
	struct answer now = {b->dut.result_o, b->dut.flags_o};
	struct answer late = {b->dut.late_result_o, b->dut.late_flags_o};
	bool done = p->x.valid && p->cycles >= waits(&p->x.work);

	CHECK_EQ(b->dut.done_o, done);
	if (done && p->x.work.op > NMADD) {
		check_answer(&p->x, &now);
	} else {
		CHECK_EQ(now.result, 0);
		CHECK_EQ(now.flags, 0);
	}
	CHECK_EQ(b->dut.late_valid_o, p->fourth.valid);
	if (p->fourth.valid)
		check_answer(&p->fourth, &late);
}

// A cycle: what is in X leaves it if `ack` and if it can, what is in M if `commit`. Where
// there is nothing, neither has an effect.
static void cycle(struct bench *b, struct pipeline *p, bool commit, bool ack, bool kill)
{
	bool late = p->x.valid && p->x.work.op <= NMADD;

	if (p->x.valid)
		ack = ack && !kill && p->cycles >= waits(&p->x.work) &&
		      (!late || commit || !p->m.valid);
	present(b, &p->x);
	b->dut.commit_i = commit;
	b->dut.ack_i = ack;
	b->dut.kill_i = kill;
	b->settle();
	check(b, p);
	b->dut.clk_i = 1;
	b->dut.eval();

	p->fourth = p->third;
	p->third = p->m;
	p->third.valid = p->m.valid && commit && !kill;
	if (kill || commit)
		p->m.valid = false;
	if (ack && late)
		p->m = p->x;
	p->cycles++;
	if (ack || kill)
		p->x.valid = false;
}

static void finish(struct bench *b, struct pipeline *p)
{
	while (p->x.valid || p->m.valid || p->third.valid || p->fourth.valid)
		cycle(b, p, true, true, false);
	cycle(b, p, true, true, false);
}

// One after the other, at full speed.
static void run(struct bench *b, struct pipeline *p, const struct work *w)
{
	put(p, w);
	while (p->x.valid)
		cycle(b, p, true, true, false);
}

// All operands of a list with all others.

static unsigned specials(bool is_double, uint64_t *list, bool brief)
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

enum { MOST = 64 };

static void cross_two(struct bench *b, struct pipeline *p, unsigned op, bool is_double)
{
	uint64_t list[MOST];
	unsigned count = specials(is_double, list, false);
	struct work w = {op, is_double, 0, 0, 0, 0, 0};

	for (w.rounding = 0; w.rounding < ROUNDINGS; w.rounding++)
		for (unsigned i = 0; i < count; i++)
			for (unsigned j = 0; j < count && going_well(); j++) {
				w.a = list[i];
				w.b = list[j];
				w.c = list[(i + j) % count];
				run(b, p, &w);
			}
}

static void cross_three(struct bench *b, struct pipeline *p, unsigned op, bool is_double)
{
	uint64_t list[MOST];
	unsigned count = specials(is_double, list, true);
	struct work w = {op, is_double, 0, 0, 0, 0, 0};

	for (w.rounding = 0; w.rounding < ROUNDINGS; w.rounding++)
		for (unsigned i = 0; i < count * count * count && going_well(); i++) {
			w.a = list[i % count];
			w.b = list[i / count % count];
			w.c = list[i / count / count];
			run(b, p, &w);
		}
}

// Of one operand, also of the wrong format.
static void cross_one(struct bench *b, struct pipeline *p, unsigned op, bool is_double)
{
	uint64_t list[2 * MOST];
	unsigned count = specials(false, list, false);
	struct work w = {op, is_double, 0, 0, 0, 0, 0};

	count += specials(true, list + count, false);
	for (w.rounding = 0; w.rounding < ROUNDINGS; w.rounding++)
		for (w.kind = 0; w.kind < 4; w.kind++)
			for (unsigned i = 0; i < count && going_well(); i++) {
				w.a = list[i];
				run(b, p, &w);
			}
}

static void cross(struct bench *b, struct pipeline *p)
{
	for (unsigned op = 0; op < OPS; op++)
		for (unsigned is_double = 0; is_double < 2; is_double++) {
			if (op >= MADD && op <= NMADD)
				cross_three(b, p, op, is_double);
			else if (op == SQRT || op > LE)
				cross_one(b, p, op, is_double);
			else
				cross_two(b, p, op, is_double);
		}
	finish(b, p);
}

// Random operands of each operation, at full speed.
static void each(struct bench *b, struct pipeline *p)
{
	for (unsigned op = 0; op < OPS; op++) {
		unsigned times = op == DIV || op == SQRT ? 60000
				 : op <= NMADD		 ? 400000
							 : 100000;

		while (times-- && going_well()) {
			struct work w = draw(&b->random, op);

			run(b, p, &w);
		}
	}
	finish(b, p);
}

// Random operations, with bubbles, stalls and kills.
static void mixed(struct bench *b, struct pipeline *p)
{
	for (unsigned i = 0; i < 300000 && going_well(); i++) {
		if (!p->x.valid && !b->random.once_in(4)) {
			unsigned op = b->random.below(b->random.once_in(2) ? DIV : OPS);
			struct work w = draw(&b->random, op);

			put(p, &w);
		}
		bool kill = b->random.once_in(32);
		bool commit = !b->random.once_in(4) && !(kill && p->m.valid);

		cycle(b, p, commit, !b->random.once_in(4), kill);
	}
	finish(b, p);
}

// A reset in the middle of everything.
static void resets(struct bench *b, struct pipeline *p)
{
	for (unsigned i = 0; i < 300 && going_well(); i++) {
		for (unsigned cycles = b->random.below(12); cycles; cycles--) {
			if (!p->x.valid) {
				struct work w =
				    draw(&b->random, b->random.below(DIV + 1));

				put(p, &w);
			}
			cycle(b, p, b->random.once_in(2), true, false);
		}
		b->dut.ack_i = 0;
		b->dut.valid_i = 0;
		b->dut.commit_i = 0;
		b->reset();
		*p = {};
		cycle(b, p, true, true, false);
	}
	finish(b, p);
}

int main()
{
	static void (*const STORIES[])(struct bench *,
				       struct pipeline *) = {cross, each, mixed, resets};
	struct bench b(1);
	struct pipeline p = {};

	b.reset();
	for (auto story : STORIES)
		story(&b, &p);
	return bench_done();
}
