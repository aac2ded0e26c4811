// SPDX-License-Identifier: Apache-2.0
// The arbiter of walks between two requesters, which withdraw requests at any time, and a
// memory that answers after some cycles: M comes first, each request that stands is
// answered once, to its requester and with its operands, and none that was withdrawn.
#include "bench.h"

enum side : unsigned { F, M, SIDES };
enum : unsigned { MACHINE, BARE, SV39 }; // soc_pkg::space_e
enum : unsigned { LATEST = 100, PHYSICAL = 2 };
static const uint64_t RAM_BASE = UINT64_C(0x80000000), RAM_SIZE = UINT64_C(0x8000000);

enum {
	FOR_F,
	FOR_M,
	M_FIRST,
	OF_MACHINE,
	DROP_AT_ONCE,
	DROP_IN_WALK,
	DROP_OF_M,
	DROP_WITH_ANSWER,
	OTHER_AFTER_DROP
};
static struct covered_case covered[] = {{"answer to F", 0},
					{"answer to M", 0},
					{"M before F", 0},
					{"answer in a physical space", 0},
					{"drop of a request not yet accepted", 0},
					{"drop during the walk", 0},
					{"drop of a request of M", 0},
					{"drop in the cycle of the answer", 0},
					{"other request while a dropped walk ends", 0}};

// A request; `bits` are those above the address in soc_pkg::walk_req_t.
struct request {
	bool on;
	uint64_t va;
	uint32_t bits;
};

struct model {
	struct request asks[SIDES];
	bool drops[SIDES];
	bool busy, killed;
	unsigned cycles; // of the walk in progress
	enum side side;
	struct request walked;
};

static struct request draw(struct bench *b, enum side side)
{
	struct request r = {true, b->random.next() & ~UINT64_C(7), 0};
	unsigned space = b->random.below(3);
	unsigned priv = space == MACHINE ? 3 : b->random.below(2);
	unsigned access = side == F ? 0 : 1 + b->random.below(2);

	r.bits = b->random.below(1 << 16) << 8 | access << 6 | b->random.below(4) << 4 |
		 priv << 2 | space;
	if (space != SV39 && !b->random.once_in(4))
		r.va = RAM_BASE + r.va % RAM_SIZE;
	else if (space == SV39)
		r.va = (uint64_t)((int64_t)(r.va << 25) >> 25);
	return r;
}

static unsigned space_of(const struct request *r)
{
	return r->bits & 3;
}

template <class PINS> static void put(PINS &pins, const struct request *r)
{
	pins[0] = static_cast<uint32_t>(r->va);
	pins[1] = static_cast<uint32_t>(r->va >> 32);
	pins[2] = r->bits;
}

static void drive(struct bench *b, struct model *m)
{
	put(b->dut.f_req_i, &m->asks[F]);
	put(b->dut.m_req_i, &m->asks[M]);
	b->dut.f_walk_i = m->asks[F].on;
	b->dut.m_walk_i = m->asks[M].on;
	b->dut.f_drop_i = m->drops[F];
	b->dut.m_drop_i = m->drops[M];
	b->dut.mem_ack_i = 0;
	b->settle();
	// A table: mostly entries that point to others, in RAM
	b->dut.mem_ack_i = b->dut.mem_req_o && b->random.once_in(2);
	b->dut.mem_data_i = (RAM_BASE + b->random.below(RAM_SIZE)) >> 12 << 10 |
			    (b->random.once_in(3) ? 0xcf : 1);
	b->settle();
}

// The answer of a walk in machine mode: the address itself.
static void check_machine(struct bench *b, const struct model *m)
{
	const uint64_t result = b->dut.result_o; // soc_pkg::walk_result_t

	covered[OF_MACHINE].count++;
	if (m->walked.va - RAM_BASE >= RAM_SIZE)
		return;
	CHECK_EQ(result >> 55, 0);
	CHECK_EQ(result & ((UINT64_C(1) << 44) - 1), m->walked.va >> 12);
}

static void check_answer(struct bench *b, struct model *m, enum side side)
{
	covered[side == F ? FOR_F : FOR_M].count++;
	CHECK(m->busy && !m->killed && m->side == side && !m->drops[side]);
	CHECK(m->asks[side].on);
	CHECK_EQ(b->dut.req_o[0] | uint64_t{b->dut.req_o[1]} << 32, m->asks[side].va);
	CHECK_EQ(b->dut.req_o[2], m->asks[side].bits);
	if (space_of(&m->walked) == MACHINE)
		check_machine(b, m);
	m->asks[side].on = false;
}

static void check_outputs(struct bench *b, struct model *m)
{
	const bool answered = b->dut.f_done_o | b->dut.m_done_o;
	const bool ends =
	    m->busy && space_of(&m->walked) != SV39 && m->cycles == PHYSICAL;
	const bool dropped = m->busy && (m->killed || m->drops[m->side]);

	CHECK_EQ(b->dut.busy_o, m->busy);
	CHECK_EQ(b->dut.quiescent_o,
		 m->busy ? b->dut.mem_req_o && !b->dut.mem_ack_i : !m->asks[F].on);
	CHECK(m->cycles < LATEST);
	if (ends)
		CHECK_EQ(answered, !dropped);
	covered[DROP_WITH_ANSWER].count += ends && !m->killed && dropped;
	covered[OTHER_AFTER_DROP].count +=
	    m->killed && m->asks[m->side].on && m->asks[m->side].va != m->walked.va;
	if (b->dut.f_done_o)
		check_answer(b, m, F);
	if (b->dut.m_done_o)
		check_answer(b, m, M);
}

// The edge: a request is accepted, or withdrawn.
static void pass_edge(struct bench *b, struct model *m, bool answered)
{
	const bool f = m->asks[F].on && !m->drops[F],
		   of_m = m->asks[M].on && !m->drops[M];

	b->edge();
	if (m->busy) {
		covered[DROP_IN_WALK].count += !m->killed && m->drops[m->side];
		m->killed |= m->drops[m->side];
		// A walk that was dropped ends by itself.
		m->busy = !answered && (!m->killed || b->dut.busy_o);
		m->cycles++;
	} else if (f || of_m) {
		covered[M_FIRST].count += f && of_m;
		m->busy = true;
		m->killed = false;
		m->cycles = 1;
		m->side = of_m ? M : F;
		m->walked = m->asks[m->side];
	}
	if (!m->busy)
		m->cycles = 0;
}

static void step(struct bench *b, struct model *m)
{
	for (enum side side : {F, M}) {
		if (!m->asks[side].on && b->random.once_in(4))
			m->asks[side] = draw(b, side);
		m->drops[side] = m->asks[side].on && b->random.once_in(12);
		covered[DROP_AT_ONCE].count += m->drops[side] && !m->busy;
	}
	covered[DROP_OF_M].count += m->drops[M];
	drive(b, m);
	check_outputs(b, m);
	pass_edge(b, m, b->dut.f_done_o | b->dut.m_done_o);
	for (enum side side : {F, M})
		if (m->drops[side]) {
			m->asks[side].on = false;
			if (b->random.once_in(2))
				m->asks[side] = draw(b, side);
		}
}

int main()
{
	struct bench b(1);
	struct model m = {};

	b.dut.ram_size_i = RAM_SIZE;
	b.dut.root_i = RAM_BASE >> 12;
	b.dut.status_i = 0;
	b.dut.pmp_allow_i = 7; // soc_pkg::pmp_allow_t: all
	b.dut.f_walk_i = b.dut.m_walk_i = b.dut.f_drop_i = b.dut.m_drop_i = 0;
	b.dut.mem_ack_i = 0;
	b.reset();
	for (unsigned i = 0; i < 400000 && going_well(); i++)
		step(&b, &m);
	check_covered(covered, 100);
	return bench_done();
}
