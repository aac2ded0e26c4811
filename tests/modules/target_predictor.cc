// SPDX-License-Identifier: Apache-2.0
// The predictor of targets: random jumps, of which some collide, against a model of its
// tables.
#include "bench.h"
#include "block_predictor/tables.h"

#ifndef ENTRIES
#define ENTRIES 128
#endif

typedef targets<ENTRIES> model;

static const uint64_t TARGET_MASK = (UINT64_C(1) << 39) - 1;

static void clear(struct bench *b, model *m)
{
	b->reset();
	b->dut.clear_i = 1;
	for (unsigned i = 0; i < ENTRIES; i++) {
		b->dut.clear_entry_i = i % ENTRIES;
		b->dut.lookup_i = 1;
		b->dut.update_i = 1;
		b->settle();
		CHECK_EQ(b->dut.hit_o, 0);
		b->edge();
	}
	b->dut.clear_i = 0;
	b->dut.update_i = 0;
	m->reset();
}

// Places and paths that differ in a bit, so that they collide.
struct pool {
	unsigned place[4];
	uint64_t path[6], target[3];
};

static void draw_pool(struct rng *random, struct pool *p)
{
	p->place[0] = random->below(1 << 20);
	p->path[0] = random->next();
	for (unsigned i = 1; i < 4; i++)
		p->place[i] = p->place[random->below(i)] ^ 1U << random->below(20);
	for (unsigned i = 1; i < 6; i++)
		p->path[i] = p->path[random->below(i)] ^
			     UINT64_C(1) << random->below(random->once_in(4) ? 64 : 24);
	p->target[0] = random->next() & TARGET_MASK;
	p->target[1] = p->target[0] ^ UINT64_C(1) << random->below(39);
	p->target[2] = random->next() & TARGET_MASK;
}

static void step(struct bench *b, model *m, const struct pool *p)
{
	struct rng *random = &b->random;
	unsigned at = random->below(4), place = p->place[random->below(4)];
	unsigned way = random->below(6);
	uint64_t path = p->path[random->below(6)], last = p->target[random->below(3)];
	uint64_t target =
	    p->target[random->once_in(5) ? random->below(3) : (at + way) % 3];
	const target_entry *known;

	b->dut.lookup_i = !random->once_in(4);
	b->dut.at_i = place;
	b->dut.path_i = path;
	b->dut.update_i = random->once_in(2);
	b->dut.update_at_i = p->place[at];
	b->dut.update_path_i = p->path[way];
	b->dut.update_last_i = last;
	b->dut.update_target_i = target;
	b->settle();
	known = b->dut.lookup_i ? m->predict(place, path) : nullptr;
	if (CHECK_EQ(b->dut.hit_o, known != nullptr) && known)
		CHECK_EQ(b->dut.target_o, known->target);
	if (b->dut.update_i)
		m->learn(p->place[at], p->path[way], last, target);
	b->edge();
}

int main()
{
	struct bench b(1);
	static model m;
	struct pool p = {};

	for (unsigned session = 0; session < 900 && going_well(); session++) {
		if (session % 3 == 0)
			draw_pool(&b.random, &p);
		if (session % 10 == 1 || session == 0)
			clear(&b, &m);
		for (unsigned i = 0; i < 600 && going_well(); i++)
			step(&b, &m, &p);
	}
	check_covered(m.covered, 100);
	return bench_done();
}
