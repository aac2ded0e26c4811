// SPDX-License-Identifier: Apache-2.0
// The floating-point unit: each result with its flags and its tag, in the cycle that the
// latencies say, against the integer arithmetic of the functional model and against the
// host's own floating point; and its handshakes, with stalls, kills and resets.
#include "bench.h"
#include "fpu/expected.h"
#include "fpu/host.h"
#include "fpu/operands.h"

static const unsigned CYCLES_DOUBLE = 29, CYCLES_SINGLE = 14; // of a division, until done
static const unsigned TAGS = 64;

enum { RESULT_OVERTAKES, RESULT_IN_DIVISION };
static struct covered_case covered[] = {{"result before that of an older operation", 0},
					{"result during a division", 0}};

// A stage of the pipeline.
struct stage {
	bool valid;
	unsigned tag;
	struct work work;
	struct answer want;
};

struct pipeline {
	struct stage x, m, third, fourth;
	unsigned cycles; // that x is there
	unsigned tags;	 // of the last operation
};

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
	// Of operations in flight no two have the same tag.
	p->tags = (p->tags + 29) % TAGS;
	p->x = {true, p->tags, *w, expected(w)};
	p->cycles = 0;
}

static void present(struct bench *b, const struct stage *x)
{
	b->dut.valid_i = x->valid;
	if (!x->valid)
		return;
	b->dut.op_i =
	    static_cast<uint8_t>(x->work.is_double << 7 | x->work.kind << 5 | x->work.op);
	b->dut.tag_i = x->tag & (TAGS - 1);
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

static void check_host(const struct work *w, const struct answer *got)
{
	struct answer host;

	if (!host_answer(w, &host))
		return;
	CHECK_EQ(got->result, host.result);
	CHECK_EQ(got->flags, host.flags);
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

// Returns the operation in flight that has a tag.
static const struct stage *find_tagged(const struct pipeline *p, unsigned tag)
{
	for (const struct stage *s : {&p->x, &p->m, &p->third, &p->fourth})
		if (s->valid && s->tag == tag)
			return s;
	return NULL;
}

// The result of a tag is that of the stage.
static void check_tagged(const struct pipeline *p, unsigned tag, const struct stage *from,
			 const struct answer *got)
{
	const struct stage *s = find_tagged(p, tag);

	if (CHECK(s == from))
		check_answer(s, got);
}

// The outputs, once the inputs have settled.
static void check(struct bench *b, const struct pipeline *p)
{
	struct answer now = {b->dut.result_o, b->dut.flags_o};
	struct answer late = {b->dut.late_result_o, b->dut.late_flags_o};
	bool done = p->x.valid && p->cycles >= waits(&p->x.work);

	CHECK_EQ(b->dut.done_o, done);
	if (done && p->x.work.op > NMADD) {
		check_tagged(p, b->dut.tag_o, &p->x, &now);
		covered[RESULT_OVERTAKES].count += p->m.valid || p->third.valid;
	} else {
		CHECK_EQ(now.result, 0);
		CHECK_EQ(now.flags, 0);
	}
	CHECK_EQ(b->dut.late_valid_o, p->fourth.valid);
	CHECK(p->fourth.valid || b->dut.late_tag_o == 0);
	if (p->fourth.valid) {
		check_tagged(p, b->dut.late_tag_o, &p->fourth, &late);
		covered[RESULT_IN_DIVISION].count += p->x.valid && !done;
	}
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

static void cross_two(struct bench *b, struct pipeline *p, unsigned op, bool is_double)
{
	uint64_t list[MOST_SPECIALS];
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
	uint64_t list[MOST_SPECIALS];
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
	uint64_t list[2 * MOST_SPECIALS];
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
	check_covered(covered, 1000);
	return bench_done();
}
