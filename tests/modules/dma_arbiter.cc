// SPDX-License-Identifier: Apache-2.0
// The DMA arbiter between two masters, which write lines in beats or read them, and a
// port that is ready when it likes. The header of rtl/mem/dma_arbiter.sv determines whose
// turn it is; what passes is what that master shows.
#include "bench.h"

enum { RUNS = 20, CYCLES = 20000, BEATS = 8 };

enum { READ, FIRST_BEAT, LATER_BEAT, BOTH_WAIT, B_ALONE, NOT_READY };
static struct covered_case covered[] = {
    {"read", 0},       {"write with its first beat", 0},
    {"beat alone", 0}, {"both masters want the port", 0},
    {"b alone", 0},    {"port not ready", 0},
};

// What a master shows, or the port: mem_pkg::dma_req_t, and the words of
// mem_pkg::dma_beat_t.
struct shown {
	bool requests, writes;
	uint64_t req;
	uint32_t beat[3];
};

struct master {
	struct shown now;
	unsigned id, beats; // those of its line still to show
};

static void show_beat(struct rng *random, struct master *m)
{
	struct shown *s = &m->now;
	const uint64_t data = random->next();
	const unsigned number = BEATS - m->beats;

	m->beats--;
	s->writes = true;
	s->beat[0] = static_cast<uint32_t>(data);
	s->beat[1] = static_cast<uint32_t>(data >> 32);
	s->beat[2] = static_cast<uint32_t>(
	    (!m->beats << 17 | m->id << 11 | number << 8 | random->below(256)) & 0x3ffff);
}

// Shows the next beat of a line, a request for one, or nothing.
static void show_next(struct rng *random, struct master *m)
{
	const uint64_t address =
	    random->next() & ((UINT64_C(1) << 56) - 1) & ~UINT64_C(63);
	const bool starts = !m->beats && random->once_in(2);

	m->now = {};
	if (starts) {
		const bool writes = random->once_in(2);

		m->id = random->below(64);
		m->now.requests = true;
		m->now.req = uint64_t{writes} << 62 | uint64_t{m->id} << 56 | address;
		m->beats = writes ? BEATS : 0;
		covered[writes ? FIRST_BEAT : READ].count++;
	}
	if (!m->beats || (!starts && random->once_in(3)))
		return;
	if (!starts)
		covered[LATER_BEAT].count++;
	show_beat(random, m);
}

static void drive(Vdut *dut, const struct master *a, const struct master *b)
{
	dut->a_req_valid_i = a->now.requests;
	dut->a_req_i = a->now.req;
	dut->a_beat_valid_i = a->now.writes;
	dut->b_req_valid_i = b->now.requests;
	dut->b_req_i = b->now.req;
	dut->b_beat_valid_i = b->now.writes;
	for (unsigned i = 0; i < 3; i++) {
		dut->a_beat_i[i] = a->now.beat[i];
		dut->b_beat_i[i] = b->now.beat[i];
	}
}

static bool wants(const struct master *m)
{
	return m->now.requests || m->now.writes;
}

static void check_passed(Vdut *dut, const struct shown *s)
{
	CHECK_EQ(dut->req_valid_o, s->requests);
	CHECK_EQ(dut->beat_valid_o, s->writes);
	if (s->requests)
		CHECK_EQ(dut->req_o, s->req);
	for (unsigned i = 0; s->writes && i < 3; i++)
		CHECK_EQ(dut->beat_o[i], s->beat[i]);
}

static void run_masters(uint64_t seed)
{
	struct bench b(seed);
	struct master masters[2] = {};
	bool b_waited = false;

	drive(&b.dut, &masters[0], &masters[1]);
	b.dut.ready_i = 1;
	b.reset();
	for (unsigned i = 0; i < CYCLES && going_well(); i++) {
		const bool a_wants = wants(&masters[0]), b_wants = wants(&masters[1]);
		const bool is_b = b_wants && (!a_wants || b_waited);
		const bool ready = !b.random.once_in(3);

		b.dut.ready_i = ready;
		drive(&b.dut, &masters[0], &masters[1]);
		b.settle();
		if (a_wants)
			CHECK_EQ(b.dut.a_ready_o, ready && !is_b);
		if (b_wants)
			CHECK_EQ(b.dut.b_ready_o, ready && is_b);
		if (a_wants || b_wants)
			check_passed(&b.dut, &masters[is_b].now);
		covered[BOTH_WAIT].count += a_wants && b_wants;
		covered[B_ALONE].count += !a_wants && b_wants;
		covered[NOT_READY].count += !ready;
		b.edge();
		if (!ready)
			continue;
		b_waited = b_wants && !is_b;
		if (!a_wants || !is_b)
			show_next(&b.random, &masters[0]);
		if (!b_wants || is_b)
			show_next(&b.random, &masters[1]);
	}
}

int main()
{
	for (unsigned seed = 1; seed <= RUNS && going_well(); seed++)
		run_masters(seed);
	check_covered(covered, 100);
	return bench_done();
}
