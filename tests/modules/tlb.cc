// SPDX-License-Identifier: Apache-2.0
// The TLB against sets of entries: hits and misses, address spaces, global pages, fills,
// drops and the scopes of flushes.
#include "bench.h"

// The default size; the makefile also tests others.
#ifndef SETS
#define SETS 64
#define WAYS 1
#endif

enum { SPACES = 3 };
enum { FREE = -1 };

// Subject of a lookup.
struct page {
	uint64_t vpn;
	unsigned space, asid;
};

struct entry {
	bool valid, global, superpage;
	struct page page;
	uint64_t data; // soc_pkg::tlb_entry_t, opaque to the TLB
};

struct scope {
	bool page, asid;
	unsigned index;
};

struct model {
	struct entry sets[SETS][WAYS];
	unsigned turn;
};

static struct entry *set_of(struct model *m, const struct page *p)
{
	return m->sets[p->vpn % SETS];
}

// Returns its way, or FREE.
static int find(const struct entry *set, const struct page *p)
{
	for (int way = 0; way < WAYS; way++) {
		const struct entry *e = &set[way];

		if (e->valid && e->page.vpn == p->vpn && e->page.space == p->space &&
		    (e->global || e->page.asid == p->asid))
			return way;
	}
	return FREE;
}

// Returns the way that holds the page, else a free one, else the next one in
// round-robin order.
static unsigned room(struct model *m, const struct entry *set, const struct page *p)
{
	int way = find(set, p);
	unsigned turn = m->turn;

	if (way != FREE)
		return static_cast<unsigned>(way);
	m->turn = (turn + 1) % WAYS;
	for (unsigned i = 0; i < WAYS; i++)
		if (!set[i].valid)
			return i;
	return turn;
}

static bool covered(const struct scope *f, const struct entry *e)
{
	if (f->page)
		return e->superpage || (e->page.vpn ^ f->index) % SETS == 0;
	return !f->asid || !e->global;
}

static void flush(struct model *m, const struct scope *f)
{
	for (auto &set : m->sets)
		for (struct entry &e : set)
			if (covered(f, &e))
				e.valid = false;
}

// Few pages, so that they collide, and others that differ in one bit of the key.
static struct page draw(struct rng *random)
{
	static const uint64_t BASES[] = {0, UINT64_C(0x80000), UINT64_C(0xffffffc000000)};
	struct page p;

	p.vpn = BASES[random->below(3)] ^ random->below(8) ^ (random->below(8) << 6);
	p.space = random->below(SPACES);
	p.asid = random->once_in(2) ? 0x1234 : 0x4321;
	if (random->once_in(4))
		p.vpn ^= UINT64_C(1) << random->below(52);
	if (random->once_in(8))
		p.asid ^= 1U << random->below(16);
	return p;
}

// Returns a page that has been filled, or any.
static struct page draw_known(struct model *m, struct rng *random)
{
	struct page p = draw(random);
	const struct entry *e = &set_of(m, &p)[random->below(WAYS)];

	if (!e->valid || random->once_in(4))
		return p;
	p = e->page;
	if (random->once_in(4))
		p.asid ^= 1U << random->below(16);
	if (random->once_in(16))
		p.vpn ^= UINT64_C(1) << random->below(52);
	if (random->once_in(16))
		p.space = random->below(SPACES);
	return p;
}

static void look_up(struct bench *b, struct model *m, const struct page *p)
{
	const struct entry *set = set_of(m, p);
	int way = find(set, p);

	b->dut.lookup_i = 1;
	b->dut.vpn_i = p->vpn;
	b->dut.space_i = p->space & 3;
	b->dut.asid_i = p->asid & 0xffff;
	b->settle();
	CHECK_EQ(b->dut.hit_o, way != FREE);
	if (way != FREE)
		CHECK_EQ(b->dut.entry_o, set[way].data);
}

// Fills a page, whatever is looked up; a flush in the same cycle discards the fill.
// Its way is that of the state `before` the cycle.
static void fill(struct bench *b, struct model *m, struct model before,
		 const struct page *p, bool lost)
{
	unsigned way = room(&before, set_of(&before, p), p);
	struct entry e = {true, b->random.once_in(4), b->random.once_in(4), *p,
			  b->random.next() >> 12};

	b->dut.fill_i = 1;
	b->dut.fill_vpn_i = p->vpn;
	b->dut.fill_space_i = p->space & 3;
	b->dut.fill_asid_i = p->asid & 0xffff;
	// soc_pkg::walk_result_t
	b->dut.fill_result_i =
	    static_cast<uint64_t>(e.global << 1 | e.superpage) << 52 | e.data;
	if (lost)
		return;
	set_of(m, p)[way] = e;
	m->turn = before.turn;
}

static void drop(struct bench *b, struct model *m, const struct page *p)
{
	int way = find(set_of(m, p), p);

	if (way == FREE)
		return;
	b->dut.drop_i = 1;
	set_of(m, p)[way].valid = false;
}

static struct scope draw_flush(struct rng *random)
{
	return {random->once_in(2), random->once_in(2), random->below(64)};
}

static void present(struct bench *b, const struct scope *f)
{
	b->dut.flush_i = 1;
	// soc_pkg::tlb_flush_t
	b->dut.flush_scope_i = (f->page << 7 | f->asid << 6 | f->index) & 0xff;
}

static void idle(struct bench *b)
{
	b->dut.lookup_i = b->dut.fill_i = b->dut.drop_i = b->dut.flush_i = 0;
	b->settle();
	CHECK_EQ(b->dut.hit_o, 0);
	CHECK_EQ(b->dut.entry_o, 0);
}

static void step(struct bench *b, struct model *m)
{
	struct page p = draw_known(m, &b->random);
	struct page filled = b->random.once_in(2) ? p : draw_known(m, &b->random);
	struct scope f = draw_flush(&b->random);
	bool flushes = b->random.once_in(40), fills = b->random.once_in(3);
	const struct model before = *m;

	if (b->random.once_in(8))
		b->dut.lookup_i = 0;
	else
		look_up(b, m, &p);
	if (b->dut.lookup_i && b->random.once_in(fills ? 16 : 8))
		drop(b, m, &p);
	if (fills)
		fill(b, m, before, &filled, flushes);
	if (flushes) {
		flush(m, &f);
		present(b, &f);
	}
	b->edge();
	idle(b);
}

int main()
{
	struct bench b(1);
	struct model m = {};

	b.reset();
	for (unsigned i = 0; i < 400000 && going_well(); i++) {
		step(&b, &m);
		if (i % 5000 == 0) {
			b.reset();
			m = {};
		}
	}
	return bench_done();
}
