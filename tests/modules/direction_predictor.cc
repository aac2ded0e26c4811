// SPDX-License-Identifier: Apache-2.0
// The predictor of directions: random branches, of which some collide, against a model of
// its tables; and branches that depend on earlier ones, which it must learn.
#include "bench.h"
#include "block_predictor/tables.h"

#ifndef COUNTERS
#define COUNTERS 4096
#define ENTRIES	 1024
#endif

typedef directions<COUNTERS, ENTRIES> model;

static void clear(struct bench *b, model *m)
{
	const unsigned words = COUNTERS / 32;
	unsigned cycles = words > ENTRIES ? words : ENTRIES;

	b->reset();
	b->dut.clear_i = 1;
	for (unsigned i = 0; i < cycles; i++) {
		b->dut.clear_entry_i = i % ENTRIES;
		b->dut.clear_word_i = static_cast<uint8_t>(i % words);
		b->dut.branch_i = 3;
		b->dut.update_i = 1;
		b->settle();
		CHECK_EQ(b->dut.taken_o, 0);
		b->edge();
	}
	b->dut.clear_i = 0;
	b->dut.update_i = 0;
	m->reset();
}

// Places and paths that differ in a bit, or in the same bits, so that they collide.
struct pool {
	unsigned place[6];
	uint64_t path[6];
};

static void draw_pool(struct rng *random, struct pool *p)
{
	p->place[0] = random->below(1 << 20);
	p->path[0] = random->next();
	for (unsigned i = 1; i < 6; i++) {
		unsigned bit = random->below(random->once_in(2) ? 20 : 10);

		p->place[i] = p->place[random->below(i)] ^ 1U << bit;
		if (random->once_in(3))
			bit = random->below(64);
		p->path[i] = p->path[random->below(i)] ^ UINT64_C(1) << bit;
	}
}

static void check_lookup(struct bench *b, model *m, const struct pool *p)
{
	struct rng *random = &b->random;
	unsigned place[2] = {p->place[random->below(6)], p->place[random->below(6)]};
	uint64_t path = p->path[random->below(6)];
	unsigned asked = random->below(4);

	b->dut.branch_i = asked & 3;
	b->dut.at_i = static_cast<uint64_t>(place[1]) << 20 | place[0];
	b->dut.path_i = path;
	b->settle();
	for (unsigned i = 0; i < 2; i++)
		if (asked >> i & 1)
			CHECK_EQ(b->dut.taken_o >> i & 1, m->predict(place[i], path));
}

// Each branch mostly goes as a bit of its path does.
static void update(struct bench *b, model *m, const struct pool *p)
{
	struct rng *random = &b->random;
	unsigned place = p->place[random->below(6)];
	uint64_t path = p->path[random->below(6)];
	bool taken = (path >> place % 64 & 1) != random->once_in(6);

	b->dut.update_i = random->once_in(2);
	b->dut.update_at_i = place;
	b->dut.update_path_i = path;
	b->dut.update_taken_i = taken;
	b->settle();
	if (b->dut.update_i)
		m->learn(place, path, taken);
}

static void at_random(struct bench *b, model *m)
{
	struct pool p = {};

	for (unsigned session = 0; session < 600 && going_well(); session++) {
		if (session % 3 == 0)
			draw_pool(&b->random, &p);
		if (session % 10 == 0)
			clear(b, m);
		for (unsigned i = 0; i < 600 && going_well(); i++) {
			check_lookup(b, m, &p);
			update(b, m, &p);
			b->edge();
		}
	}
	check_covered(m->covered, 100);
}

// A branch that goes as the one `distance` branches ago did is predicted, if its path
// tells: each branch adds a bit that tells how it went.
static void depends(struct bench *b, model *m, unsigned distance)
{
	uint64_t path = 0;
	unsigned wrong = 0;

	clear(b, m);
	for (unsigned i = 0; i < 4000; i++) {
		bool taken = i % (distance + 1) == 0 ? b->random.once_in(2)
						     : path >> (distance - 1) & 1;

		if (i % (distance + 1) == 0)
			path = taken;
		b->dut.branch_i = 1;
		b->dut.at_i = 0x123;
		b->dut.path_i = path;
		b->settle();
		if (i >= 3000 && i % (distance + 1) == distance)
			wrong += (b->dut.taken_o & 1) != taken;
		b->dut.update_i = 1;
		b->dut.update_at_i = 0x123;
		b->dut.update_path_i = path;
		b->dut.update_taken_i = taken;
		b->edge();
		b->dut.update_i = 0;
		path = path << 1;
	}
	if (!CHECK_EQ(wrong, 0))
		fprintf(stderr, "%s: %u branches ago\n", BENCH, distance);
}

int main()
{
	struct bench b(1);
	static model m;

	at_random(&b, &m);
	for (unsigned distance : {1U, 4U, 7U, 12U, 24U, 40U})
		if (going_well())
			depends(&b, &m, distance);
	return bench_done();
}
