// SPDX-License-Identifier: Apache-2.0
// Fetch blocks by way of the TLB and the L1I (tests/modules/fetch_port/block_front.sv),
// requested as block_fetch.sv does, from memory behind pages, between a walker and a
// memory that answer after some cycles: each answer, what is walked, and that fences and
// redirects in any cycle lose and repeat nothing.
#include "fetch/memory.h"

enum : unsigned { BLOCK = 16 };
static const uint64_t NONE = 1; // no pc

enum {
	WHOLE,
	PARTIAL,
	SEVERAL_PARTIAL,
	REMEMBERED,
	PAGE_FAULT,
	ACCESS_FAULT,
	DENIED_HALFWORD,
	BAD_AGAIN,
	OTHER_PRIVILEGE,
	REFILL,
	HIT_UNDER_MISS,
	NO_REQUEST,
	REDIRECT_IN_REFILL,
	REDIRECT_IN_WALK,
	REDIRECT_OF_PARTIAL,
	REDIRECT_BEFORE_PARTIAL,
	REDIRECT_WITHOUT_REQUEST,
	REDIRECT_WHEN_BAD,
	FENCE_IN_REFILL,
	NEW_SPACE,
	QUIESCENT
};
static struct covered_case covered[] = {{"block of 16 bytes", 0},
					{"halfword of a page that the PMP splits", 0},
					{"halfword of such a page after another one", 0},
					{"block in the line that is remembered", 0},
					{"page fault", 0},
					{"access fault", 0},
					{"halfword that the PMP denies", 0},
					{"request after a fault", 0},
					{"entry of another privilege", 0},
					{"refill", 0},
					{"block during a refill", 0},
					{"cycle without a request", 0},
					{"redirect during a refill", 0},
					{"redirect during a walk", 0},
					{"redirect with the answer of a halfword", 0},
					{"redirect before the answer of a halfword", 0},
					{"redirect without a request", 0},
					{"redirect after a fault", 0},
					{"fence.i during a refill", 0},
					{"other address space", 0},
					{"cycle in which nothing can change", 0}};

struct model : memory {
	bool asks;
	uint64_t pc;	  // of the request, or of the next one
	unsigned bad;	  // of a walk since the redirect
	uint64_t checked; // by the walk that an entry of single use comes from
	uint64_t partial; // the last halfword that was answered by itself
	uint64_t latest;  // pc of the answer before
	bool misses;	  // a refill for the request begins
};

static bool is_split(const struct model *m)
{
	return page_of(m, m->pc)->flags & SINGLE_USE;
}

static void check_data(const struct bench *b, const struct model *m)
{
	uint64_t first = m->pc & ~uint64_t{BLOCK - 1};

	for (unsigned i = 0; i < BLOCK / 4; i++)
		CHECK_EQ(b->dut.data_o[i],
			 parcel(m, first + 4 * i) | uint32_t{parcel(m, first + 4 * i + 2)}
							<< 16);
}

static void check_block(struct bench *b, struct model *m)
{
	bool split = is_split(m);

	CHECK_EQ(b->dut.fetch_bad_o, GOOD);
	CHECK_EQ(bad_at(m, m->pc), GOOD);
	CHECK_EQ(b->dut.fetch_partial_o, split);
	CHECK_EQ(b->dut.fetch_last_o, split ? m->pc / 2 % 8 : 0);
	check_data(b, m);
	if (split)
		CHECK_EQ(m->checked, m->pc);
	covered[WHOLE].count += !split;
	covered[PARTIAL].count += split;
	covered[SEVERAL_PARTIAL].count += split && m->pc == m->partial + 2;
	covered[REMEMBERED].count += b->dut.remembered_o;
	covered[HIT_UNDER_MISS].count += m->refill.busy;
}

// The answer, which comes at once if a walk has failed, or in the line that is
// remembered.
static void check_answer(struct bench *b, struct model *m)
{
	CHECK(!m->asks || b->dut.fetch_valid_o || (!m->bad && !b->dut.remembered_o));
	if (!m->asks) {
		covered[NO_REQUEST].count++;
		CHECK_EQ(b->dut.fetch_valid_o, 0);
		CHECK_EQ(b->dut.walk_o, 0);
	} else if (!b->dut.fetch_valid_o) {
		CHECK(b->dut.walk_o || m->refill.busy || !m->misses);
		m->misses = !b->dut.walk_o && !m->refill.busy;
	} else {
		CHECK_EQ(b->dut.walk_o, 0);
		m->misses = false;
		if (m->bad)
			CHECK_EQ(b->dut.fetch_bad_o, m->bad);
		else
			check_block(b, m);
	}
}

// Returns whether a walk ends.
static bool check_walk(struct bench *b, struct model *m, bool redirects)
{
	if (!b->dut.walk_o)
		return false;
	CHECK_EQ(walked_address(b), m->pc);
	// A redirect drops the walk: there is no answer then.
	return answer_walk(b, m) && !redirects;
}

static void end_walk(struct model *m)
{
	m->bad = bad_at(m, m->pc);
	if (!m->bad) {
		m->checked = m->pc;
		return;
	}
	covered[m->bad == BAD_PAGE ? PAGE_FAULT : ACCESS_FAULT].count++;
	covered[DENIED_HALFWORD].count += page_of(m, m->pc)->flags & X && is_split(m);
}

// What is requested after an answer: the successor, or the target of a jump.
static void advance(struct bench *b, struct model *m)
{
	bool split = is_split(m);

	covered[BAD_AGAIN].count += m->bad != GOOD;
	m->checked = NONE;
	m->latest = m->pc;
	m->partial = split ? m->pc : NONE;
	m->pc = split ? m->pc + 2 : (m->pc | (BLOCK - 1)) + 1;
	if (b->random.once_in(5))
		m->pc = draw_pc(b);
	m->asks = false;
}

static void cover_redirect(const struct bench *b, const struct model *m,
			   const struct change *c)
{
	bool waits = m->asks && m->checked == m->pc && is_split(m);

	covered[REDIRECT_IN_REFILL].count += m->refill.busy;
	covered[REDIRECT_IN_WALK].count += b->dut.walk_o;
	covered[REDIRECT_OF_PARTIAL].count += waits && b->dut.fetch_valid_o;
	covered[REDIRECT_BEFORE_PARTIAL].count += waits && !b->dut.fetch_valid_o;
	covered[REDIRECT_WITHOUT_REQUEST].count += !m->asks;
	covered[REDIRECT_WHEN_BAD].count += m->bad != GOOD;
	covered[FENCE_IN_REFILL].count += c->clear && m->refill.busy;
	covered[NEW_SPACE].count += c->space != m->space;
	covered[OTHER_PRIVILEGE].count += c->space != m->space && !c->remap &&
					  LIST[c->space].table == LIST[m->space].table;
}

// Often to the same line or page, now and then to an address that differs in one bit.
static void redirect(struct bench *b, struct model *m)
{
	if (b->random.once_in(16))
		m->pc ^= UINT64_C(1) << (6 + b->random.below(58));
	else if (b->random.once_in(4))
		m->pc = m->latest;
	else if (b->random.once_in(4))
		m->pc ^= 2 * b->random.below(PAGE / 2);
	else
		m->pc = draw_pc(b);
	m->asks = false;
	m->bad = GOOD;
	m->checked = m->partial = NONE;
	m->misses = false;
}

// Nothing but inputs may end a quiescent cycle.
static void check_quiescent(struct bench *b)
{
	bool walk = b->dut.walk_o;

	covered[QUIESCENT].count++;
	CHECK_EQ(b->dut.fetch_valid_o, 0);
	b->edge();
	CHECK_EQ(b->dut.fetch_valid_o, 0);
	CHECK_EQ(b->dut.walk_o, walk);
	CHECK_EQ(b->dut.imem_req_o, 0);
}

static void quiet(struct bench *b)
{
	b->dut.redirect_i = b->dut.flush_i = b->dut.clear_i = b->dut.tlb_flush_i = 0;
	b->dut.walk_done_i = b->dut.imem_valid_i = 0;
}

// Requests a block, or none, while its queue is full.
static void ask(struct bench *b, struct model *m)
{
	if (!m->asks)
		m->asks = !b->random.once_in(4);
	b->dut.fetch_req_i = m->asks;
	b->dut.fetch_pc_i = m->pc;
}

static void step(struct bench *b, struct model *m)
{
	struct change c = {false, false, false, m->space};
	bool redirects = b->random.once_in(m->bad ? 6 : 30);

	quiet(b);
	ask(b, m);
	b->settle();
	if (b->dut.quiescent_o && b->random.once_in(2))
		check_quiescent(b);
	answer_refill(b, m);
	if (redirects) {
		c = draw_change(b, m);
		set_change(b, &c);
		b->dut.redirect_i = 1;
	}
	b->dut.walk_done_i = check_walk(b, m, redirects);
	b->settle();
	check_answer(b, m);
	bool answered = b->dut.fetch_valid_o;
	if (redirects)
		cover_redirect(b, m, &c);
	b->edge();
	if (b->dut.walk_done_i) {
		end_walk(m);
		// A translation is used at once.
		CHECK_EQ(b->dut.walk_o, 0);
	}
	if (redirects || !m->asks)
		CHECK_EQ(b->dut.imem_req_o, 0);
	if (redirects)
		redirect(b, m);
	else if (answered)
		advance(b, m);
	covered[REFILL].count += take_request(b, m);
	apply_change(b, m, &c);
}

static void start(struct bench *b, struct model *m)
{
	struct change none = {false, false, false, 0};

	quiet(b);
	apply_change(b, m, &none);
	m->refill = {};
	redirect(b, m);
	b->dut.fetch_req_i = 0;
	b->dut.tlb_flush_scope_i = 0;
	b->reset();
}

int main()
{
	static struct model m;
	struct bench b(1);

	draw_code(&b, &m);
	draw_pages(&b, &m);
	for (unsigned i = 0; i < 500000 && going_well(); i++) {
		if (i % 20000 == 0)
			start(&b, &m);
		step(&b, &m);
	}
	check_covered(covered, 100);
	return bench_done();
}
