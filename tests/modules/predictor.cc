// SPDX-License-Identifier: Apache-2.0
// The predictor: how branches, jumps, calls and returns train it, first in directed
// sequences, then in random ones against a model of its tables.
#include "bench.h"

#ifdef BTBENTRIES
enum { BTB = BTBENTRIES, BHT = BHTENTRIES, RAS = RASENTRIES };
#else
enum { BTB = 256, BHT = 512, RAS = 8 };
#endif
enum { WEAKLY_TAKEN = 2, STRONGLY_TAKEN = 3 };
enum kind { NONE, BRANCH, JUMP, RETURN }; // soc_pkg::kind_e

// An executed instruction.
struct update {
	uint64_t pc;
	enum kind kind;
	bool taken;
	uint64_t target;
	bool push;
	uint64_t link;
};

struct model {
	struct {
		enum kind kind;
		uint64_t tag, target;
	} btb[BTB];
	unsigned counter[BHT]; // 2 and 3 predict that a branch is taken
	uint64_t ras[RAS];
	bool known[RAS]; // pushed since power-on
	unsigned top;
};

static void model_reset(struct model *m)
{
	for (auto &entry : m->btb)
		entry.kind = NONE;
	for (unsigned &counter : m->counter)
		counter = WEAKLY_TAKEN;
	m->top = 0;
}

static uint64_t tag(uint64_t pc)
{
	return (pc & 0x3fffffff) / 2 / BTB;
}

// Targets are stored as their lower 40 bits and sign-extended.
static uint64_t extended(uint64_t target)
{
	return target & UINT64_C(1) << 39 ? target | ~UINT64_C(0) << 40
					  : target & ((UINT64_C(1) << 40) - 1);
}

static void learn(struct model *m, const struct update *u)
{
	unsigned *counter = &m->counter[u->pc / 2 % BHT];

	if (u->kind == BRANCH) {
		if (u->taken && *counter < STRONGLY_TAKEN)
			++*counter;
		if (!u->taken && *counter > 0)
			--*counter;
	}
	if (u->taken || u->kind == NONE)
		m->btb[u->pc / 2 % BTB] = {u->kind, tag(u->pc), extended(u->target)};
	if (u->kind == RETURN)
		m->top = (m->top + RAS - 1) % RAS;
	if (u->push) {
		m->top = (m->top + 1) % RAS;
		m->ras[m->top] = u->link;
		m->known[m->top] = true;
	}
}

static void look_up(struct bench *b, uint64_t pc)
{
	b->dut.pc_i = pc;
	b->settle();
}

// A lookup has no side effect.
static void check(struct bench *b, const struct model *m, uint64_t pc)
{
	const auto &entry = m->btb[pc / 2 % BTB];
	bool known = entry.kind != NONE && entry.tag == tag(pc);
	bool taken =
	    known && (entry.kind != BRANCH || m->counter[pc / 2 % BHT] >= WEAKLY_TAKEN);

	look_up(b, pc);
	if (!CHECK_EQ(b->dut.taken_o, taken) || !taken)
		return;
	if (entry.kind != RETURN)
		CHECK_EQ(b->dut.target_o, entry.target);
	else if (m->known[m->top])
		CHECK_EQ(b->dut.target_o, m->ras[m->top]);
}

static void present(struct bench *b, const struct update *u)
{
	b->dut.update_i = 1;
	b->dut.update_pc_i = u->pc;
	b->dut.update_kind_i = u->kind & 3;
	b->dut.update_taken_i = u->taken;
	b->dut.update_target_i = u->target;
	b->dut.update_push_i = u->push;
	b->dut.update_link_i = u->link;
}

// Without update_i the other inputs have no effect.
static void execute(struct bench *b, const struct update *u)
{
	present(b, u);
	b->edge();
	b->dut.update_i = 0;
	b->edge();
}

static bool predicts(struct bench *b, uint64_t pc, uint64_t target)
{
	look_up(b, pc);
	return b->dut.taken_o && b->dut.target_o == target;
}

// Clearing takes one cycle per entry, during which updates are ignored.
static void clear(struct bench *b, struct model *m)
{
	struct update u = {0x80000000, JUMP, true, 0x80001000, true, 0x80000004};

	b->reset();
	model_reset(m);
	present(b, &u);
	for (unsigned i = 0; i < (BTB < BHT ? BHT : BTB); i++) {
		CHECK_EQ(b->dut.ready_o, 0);
		b->edge();
	}
	b->dut.update_i = 0;
	b->settle();
	CHECK_EQ(b->dut.ready_o, 1);
	for (uint64_t pc = 0; pc < 4 * BHT + 4 * BTB; pc += 2) {
		check(b, m, pc);
		check(b, m, ~pc);
	}
	check(b, m, u.pc);
}

static void branch(struct bench *b, uint64_t pc, bool taken, uint64_t target)
{
	struct update u = {pc, BRANCH, taken, target, false, 0};

	execute(b, &u);
}

// An unknown branch is predicted not taken, and correctly from its second execution; one
// loop exit does not change its prediction.
static void loops(struct bench *b)
{
	const uint64_t pc = 0x80000124, top = 0x80000100;

	look_up(b, pc);
	CHECK_EQ(b->dut.taken_o, 0);
	branch(b, pc, false, top);
	look_up(b, pc);
	CHECK_EQ(b->dut.taken_o, 0);
	for (unsigned times = 0; times < 3; times++) {
		branch(b, pc, true, top);
		branch(b, pc, true, top);
		CHECK(predicts(b, pc, top));
		branch(b, pc, false, top);
		CHECK(predicts(b, pc, top));
	}
	branch(b, pc, false, top);
	CHECK(!predicts(b, pc, top));
	branch(b, pc, false, top);
	branch(b, pc, true, top);
	CHECK(!predicts(b, pc, top));
	branch(b, pc, true, top);
	CHECK(predicts(b, pc, top));
}

// Calls from one more place than the return stack has entries: only the oldest address is
// lost.
static void returns(struct bench *b)
{
	const uint64_t callee = 0x80002000, end = 0x80002010;
	const unsigned depth = RAS + 1;

	for (unsigned i = 0; i < depth; i++) {
		struct update call = {0x80000200 + 8 * i, JUMP, true, callee, true,
				      0x80000204 + 8 * i};
		execute(b, &call);
	}
	for (unsigned i = depth; i-- > 1;) {
		struct update ret = {end, RETURN, true, 0x80000204 + 8 * i, false, 0};

		if (i < depth - 1)
			CHECK(predicts(b, end, ret.target));
		execute(b, &ret);
	}
	CHECK(!predicts(b, end, 0x80000204));
}

// A return that calls: it pops one address and pushes another.
static void swaps(struct bench *b)
{
	struct update call = {0x80000300, JUMP, true, 0x80002000, true, 0x80000304};
	struct update swap = {0x80002010, RETURN, true, 0x80000304, true, 0x80002014};

	execute(b, &call);
	execute(b, &call);
	execute(b, &swap);
	CHECK(predicts(b, swap.pc, swap.link));
	execute(b, &swap);
	CHECK(predicts(b, swap.pc, swap.link));
	swap.push = false;
	execute(b, &swap);
	CHECK(predicts(b, swap.pc, call.link));
}

// Two jumps that share an entry are distinguished by their tags; an entry that predicts a
// jump where there is none is removed.
static void aliases(struct bench *b)
{
	struct update one = {0x80000400, JUMP, true, 0x80003000, false, 0};
	struct update two = {one.pc + 2 * BTB, JUMP, true, 0x80004000, false, 0};
	struct update none = {two.pc, NONE, false, 0, false, 0};

	execute(b, &one);
	CHECK(predicts(b, one.pc, one.target));
	look_up(b, two.pc);
	CHECK_EQ(b->dut.taken_o, 0);
	execute(b, &two);
	CHECK(predicts(b, two.pc, two.target));
	look_up(b, one.pc);
	CHECK_EQ(b->dut.taken_o, 0);
	execute(b, &none);
	look_up(b, two.pc);
	CHECK_EQ(b->dut.taken_o, 0);
}

// Few addresses, so that they collide in the tables.
static uint64_t draw_pc(struct rng *random)
{
	uint64_t pc = 0x80000000 | random->below(8) << 1;

	if (random->once_in(4))
		pc ^= UINT64_C(1) << (1 + random->below(63));
	if (random->once_in(64))
		pc = random->below(1 << 10) << 1;
	return pc;
}

static struct update draw(struct rng *random)
{
	struct update u = {draw_pc(random),
			   static_cast<enum kind>(random->below(4)),
			   true,
			   random->next() & ~UINT64_C(1),
			   random->once_in(3),
			   random->next() & ~UINT64_C(1)};

	// Only jumps call.
	if (u.kind == BRANCH)
		u.taken = random->once_in(2);
	else if (u.kind == NONE)
		u.taken = false;
	u.push = u.push && (u.kind == JUMP || u.kind == RETURN);
	return u;
}

static void at_random(struct bench *b, struct model *m)
{
	for (unsigned i = 0; i < 20000 && going_well(); i++) {
		struct update u = draw(&b->random);

		present(b, &u);
		check(b, m, draw_pc(&b->random));
		check(b, m, u.pc);
		if (b->random.once_in(4))
			b->dut.update_i = 0;
		else
			learn(m, &u);
		b->edge();
		b->dut.update_i = 0;
		check(b, m, u.pc);
	}
}

int main()
{
	static void (*const STORIES[])(struct bench *) = {loops, returns, swaps, aliases};
	struct bench b(1);
	struct model m = {};

	for (auto story : STORIES) {
		clear(&b, &m);
		story(&b);
	}
	m = {};
	for (unsigned i = 0; i < 10; i++) {
		clear(&b, &m);
		at_random(&b, &m);
	}
	return bench_done();
}
