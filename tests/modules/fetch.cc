// SPDX-License-Identifier: Apache-2.0
// F, with its TLB and the L1I (tests/modules/fetch/front.sv), against memory behind
// pages, between a walker and a memory that answer after some cycles: the instructions
// between redirects and their faults, what is walked, and that fences, redirects during
// refills and walks, and predictions lose and repeat nothing.
//
// The header comment of rtl/core/inorder/fetch.sv says what F does; sections are those of
// the RISC-V privileged specification, version 20211203.
#include "bench.h"

#include <set>

enum : unsigned { PRIV_U, PRIV_S, PRIV_M = 3 };
enum : unsigned {
	X = 4,
	USER = 16,
	SUPERVISOR = 32,
	SINGLE_USE = 128
}; // soc_pkg::tlb_flags_t
enum : unsigned { GOOD = 0, BAD_ACCESS = 4, HALF = 1, BAD_PAGE = 6 }; // soc_pkg::bad_e
enum : unsigned { SPACES = 4, PAGES = 6, FRAMES = 12, PAGE = 4096, LINE = 64, BEATS = 8 };
enum : unsigned { LATEST = 2000, CLEARING = 520, CALLS = 8 };
static const uint64_t FIRST = 0x80000; // the number of the first page
static const uint64_t RESET_PC = UINT64_C(0x80000000);

enum {
	NARROW,
	WIDE,
	CROSSES_LINE,
	CROSSES_PAGE,
	SPLIT_PAGE,
	PAGE_FAULT,
	ACCESS_FAULT,
	FAULT_OF_HALF,
	REFILL,
	HIT_UNDER_MISS,
	REDIRECT_IN_REFILL,
	REDIRECT_IN_WALK,
	FENCE_IN_REFILL,
	NEW_SPACE,
	PREDICTED,
	QUIESCENT
};
static struct covered_case covered[] = {
    {"instruction of 16 bits", 0},
    {"instruction of 32 bits", 0},
    {"instruction in two lines", 0},
    {"instruction in two pages", 0},
    {"instruction of 32 bits in a page that the PMP splits", 0},
    {"page fault", 0},
    {"access fault", 0},
    {"fault of the second half", 0},
    {"refill", 0},
    {"instruction during a refill", 0},
    {"redirect during a refill", 0},
    {"redirect during a walk", 0},
    {"fence.i during a refill", 0},
    {"other address space", 0},
    {"successor that is predicted", 0},
    {"cycle in which nothing can change", 0}};

struct page {
	unsigned flags;
	uint64_t frame;
	bool page_fault; // what a walk finds if it is not allowed
};

struct space {
	unsigned priv, number, asid;
};

// Memory's answer to a refill.
struct refill {
	bool busy;
	uint64_t address;
	unsigned wait, beat;
};

struct model {
	uint16_t code[FRAMES][PAGE / 2];
	struct page pages[SPACES][PAGES];
	unsigned space;
	uint64_t pc;
	bool lost; // a fault has been delivered: what follows is undefined until a
		   // redirect
	unsigned waits;
	std::set<uint64_t> targets;
	struct refill refill;
};

static const struct space LIST[SPACES] = {
    {PRIV_M, 0, 0}, {PRIV_U, 1, 0}, {PRIV_S, 2, 7}, {PRIV_U, 2, 9}};
static const struct page UNMAPPED = {0, 0, true};

static const struct page *page_of(const struct model *m, uint64_t va)
{
	uint64_t i = va / PAGE - FIRST;

	return i < PAGES ? &m->pages[m->space][i] : &UNMAPPED;
}

// 4.3.1: U, and X; without SUM, which fetches ignore.
static bool allows(const struct model *m, const struct page *p)
{
	return p->flags & X &&
	       p->flags & (LIST[m->space].priv == PRIV_U ? USER : SUPERVISOR);
}

static uint16_t parcel(const struct model *m, uint64_t va)
{
	return m->code[page_of(m, va)->frame][va % PAGE / 2];
}

static bool is_wide(const struct model *m, uint64_t va)
{
	return (parcel(m, va) & 3) == 3;
}

static void draw_code(struct bench *b, struct model *m)
{
	for (auto &frame : m->code)
		for (uint16_t &half : frame)
			half = static_cast<uint16_t>(b->random.next() |
						     (b->random.once_in(2) ? 3 : 0));
}

static void draw_pages(struct bench *b, struct model *m)
{
	for (auto &pages : m->pages)
		for (struct page &p : pages) {
			p.frame = b->random.below(FRAMES);
			p.flags = X | USER | SUPERVISOR;
			if (b->random.once_in(4))
				p.flags =
				    b->random.below(2) * X | b->random.below(4) * USER;
			p.flags |= b->random.once_in(4) * SINGLE_USE;
			p.page_fault = b->random.once_in(2);
		}
}

// Often at the end of a line or of a page.
static uint64_t draw_pc(struct bench *b)
{
	uint64_t pc =
	    (FIRST + b->random.below(PAGES)) * PAGE + 2 * b->random.below(PAGE / 2);

	if (b->random.once_in(4))
		pc |= LINE - 2;
	if (b->random.once_in(8))
		pc |= PAGE - 2;
	if (b->random.once_in(64))
		pc = b->random.next() & ~UINT64_C(1);
	return pc;
}

// Returns soc_pkg::bad_e of the instruction at `pc`.
static unsigned fault_at(const struct model *m, uint64_t pc)
{
	const struct page *p = page_of(m, pc);

	if (!allows(m, p))
		return p->page_fault ? BAD_PAGE : BAD_ACCESS;
	p = page_of(m, pc + 2);
	if (is_wide(m, pc) && !allows(m, p))
		return (p->page_fault ? BAD_PAGE : BAD_ACCESS) | HALF;
	return GOOD;
}

static void count_instruction(const struct model *m, uint64_t pc, bool wide)
{
	covered[wide ? WIDE : NARROW].count++;
	covered[CROSSES_LINE].count += wide && pc % LINE == LINE - 2;
	covered[CROSSES_PAGE].count += wide && pc % PAGE == PAGE - 2;
	covered[SPLIT_PAGE].count += wide && page_of(m, pc)->flags & SINGLE_USE;
	covered[HIT_UNDER_MISS].count += m->refill.busy;
}

static uint64_t word_of(const uint32_t *words, unsigned i)
{
	return words[i] | uint64_t{words[i + 1]} << 32;
}

// The instruction that leaves F.
static void check_instruction(struct bench *b, struct model *m)
{
	const uint32_t *fetched = &b->dut.fetched_o[0]; // soc_pkg::fetched_t
	unsigned bad = fault_at(m, m->pc);
	bool wide;
	uint64_t next = word_of(fetched, 2);

	CHECK_EQ(word_of(fetched, 0), m->pc);
	CHECK_EQ(fetched[5] & 7, bad);
	if (bad) {
		covered[bad & HALF	  ? FAULT_OF_HALF
			: bad == BAD_PAGE ? PAGE_FAULT
					  : ACCESS_FAULT]
		    .count++;
		return;
	}
	wide = is_wide(m, m->pc);
	CHECK_EQ(fetched[4],
		 parcel(m, m->pc) | (wide ? uint32_t{parcel(m, m->pc + 2)} << 16 : 0));
	if (next != m->pc + (wide ? 4 : 2)) {
		covered[PREDICTED].count++;
		CHECK(m->targets.count(next));
	}
	count_instruction(m, m->pc, wide);
}

// Something must happen, unless D takes nothing.
static void check_progress(struct bench *b, struct model *m, bool progress)
{
	m->waits = progress ? 0 : m->waits + 1;
	CHECK(m->waits < LATEST);
	if (b->dut.crosses_o && !m->lost) {
		CHECK(is_wide(m, m->pc));
		CHECK(m->pc % LINE == LINE - 2 || page_of(m, m->pc)->flags & SINGLE_USE);
	}
}

static bool answer_walk(struct bench *b, struct model *m)
{
	uint64_t va = b->dut.walk_req_o[0] | uint64_t{b->dut.walk_req_o[1]} << 32;
	const struct page *p = page_of(m, va);
	const struct space *s = &LIST[m->space];
	uint64_t fault = !allows(m, p);

	// soc_pkg::walk_req_t: AccessFetch, SizeHalf
	CHECK_EQ(b->dut.walk_req_o[2], s->asid << 8 | 1U << 4 | s->priv << 2 | s->number);
	if (!m->lost)
		CHECK(va == m->pc || va == m->pc + 2);
	if (!b->random.once_in(3))
		return false;
	b->dut.walk_for_i = b->dut.walk_req_o;
	// soc_pkg::walk_result_t
	b->dut.walk_result_i = fault << 55 | uint64_t{fault && p->page_fault} << 54 |
			       uint64_t{s->number < 2} << 53 | uint64_t{p->flags} << 44 |
			       (FIRST + p->frame);
	return true;
}

// Memory: a beat, or none. The data of a beat are those of its cycle.
static void answer_refill(struct bench *b, struct model *m)
{
	struct refill *r = &m->refill;
	uint64_t address = r->address + 8 * uint64_t{r->beat}, data = 0;

	b->dut.imem_valid_i = 0;
	b->dut.imem_data_i = b->random.next();
	b->dut.imem_dram_i = b->random.once_in(2);
	if (!r->busy || (r->wait && r->wait--) || b->random.once_in(3))
		return;
	memcpy(&data, &m->code[(address / PAGE - FIRST) % FRAMES][address % PAGE / 2], 8);
	b->dut.imem_valid_i = 1;
	b->dut.imem_data_i = data;
	r->beat++;
}

static void take_request(struct bench *b, struct model *m)
{
	struct refill *r = &m->refill;

	if (r->beat == BEATS)
		*r = {};
	if (!b->dut.imem_req_o)
		return;
	CHECK(!r->busy);
	CHECK_EQ(b->dut.imem_addr_o % LINE, 0);
	CHECK(b->dut.imem_addr_o / PAGE - FIRST < FRAMES);
	*r = {true, b->dut.imem_addr_o, b->random.below(24), 0};
	covered[REFILL].count++;
}

// An outcome of a branch, a jump or a return near the current instruction; the latter two
// may be calls too.
static void train(struct bench *b, struct model *m, bool calls)
{
	uint64_t target = draw_pc(b), link = draw_pc(b);

	b->dut.update_i = calls || b->random.once_in(16);
	b->dut.update_pc_i = m->pc + 2 * b->random.below(16);
	b->dut.update_kind_i =
	    calls ? 2 : (1 + b->random.below(3)) & 3; // soc_pkg::kind_e
	b->dut.update_taken_i = 1;
	b->dut.update_push_i =
	    calls || (b->dut.update_kind_i > 1 && b->random.once_in(2));
	b->dut.update_target_i = target;
	b->dut.update_link_i = link;
	if (b->dut.update_i) {
		// Bits 39:0 are kept, and extended.
		m->targets.insert((uint64_t)((int64_t)(target << 24) >> 24));
		m->targets.insert(link);
	}
}

// A fence, or a change of the address space. The new state is seen after the edge.
struct change {
	bool flush, clear, remap;
	unsigned space;
};

static struct change draw_change(struct bench *b, const struct model *m)
{
	struct change c = {false, false, false, m->space};

	c.flush = b->random.once_in(8);
	if (c.flush) {
		c.clear = b->random.once_in(4);
		c.remap = b->random.once_in(4);
		c.space = b->random.below(SPACES);
	}
	return c;
}

static void redirect(struct bench *b, struct model *m, const struct change *c,
		     uint64_t pc)
{
	b->dut.redirect_i = 1;
	b->dut.redirect_pc_i = pc;
	b->dut.flush_i = c->flush;
	b->dut.clear_i = c->clear;
	b->dut.tlb_flush_i = c->remap;
	covered[REDIRECT_IN_REFILL].count += m->refill.busy;
	covered[REDIRECT_IN_WALK].count += b->dut.walk_o;
	covered[FENCE_IN_REFILL].count += c->clear && m->refill.busy;
	covered[NEW_SPACE].count += c->space != m->space;
}

static void apply(struct bench *b, struct model *m, const struct change *c)
{
	if (c->clear)
		draw_code(b, m);
	if (c->remap)
		draw_pages(b, m);
	m->space = c->space;
	b->dut.priv_i = LIST[m->space].priv & 3;
	b->dut.space_i = LIST[m->space].number & 3;
	b->dut.asid_i = LIST[m->space].asid & 0xffff;
}

// Nothing but inputs may end a quiescent cycle.
static void check_quiescent(struct bench *b)
{
	bool valid = b->dut.valid_o, walk = b->dut.walk_o, crosses = b->dut.crosses_o;

	covered[QUIESCENT].count++;
	b->edge();
	CHECK_EQ(b->dut.valid_o, valid);
	CHECK_EQ(b->dut.walk_o, walk);
	CHECK_EQ(b->dut.crosses_o, crosses);
	CHECK_EQ(b->dut.imem_req_o, 0);
}

static void quiet(struct bench *b)
{
	b->dut.redirect_i = b->dut.flush_i = b->dut.clear_i = b->dut.tlb_flush_i = 0;
	b->dut.walk_done_i = b->dut.imem_valid_i = b->dut.update_i = b->dut.ready_i = 0;
}

static void step(struct bench *b, struct model *m)
{
	struct change c = {false, false, false, m->space};
	bool redirects = m->lost ? b->random.once_in(4) : b->random.once_in(40);
	uint64_t pc = draw_pc(b);

	quiet(b);
	b->settle();
	if (b->dut.quiescent_o && b->random.once_in(2))
		check_quiescent(b);
	train(b, m, false);
	answer_refill(b, m);
	b->dut.ready_i = b->random.below(4) != 0;
	// A redirect drops the walk: there is no answer then.
	b->dut.walk_done_i = b->dut.walk_o && answer_walk(b, m) && !redirects;
	if (redirects) {
		// Now and then to an address that differs in one bit
		if (b->random.once_in(16))
			pc = m->pc ^ UINT64_C(1) << (6 + b->random.below(58));
		c = draw_change(b, m);
		redirect(b, m, &c, pc);
	}
	b->settle();
	bool taken = b->dut.valid_o && b->dut.ready_i && !redirects;
	uint64_t next = word_of(&b->dut.fetched_o[0], 2);
	if (b->dut.valid_o && !m->lost)
		check_instruction(b, m);
	check_progress(b, m, taken || redirects);
	b->edge();
	if (taken && !m->lost) {
		m->lost = fault_at(m, m->pc) != GOOD;
		m->pc = next;
	}
	// A translation is used at once, and a miss that is redirected fetches no line.
	if (b->dut.walk_done_i)
		CHECK_EQ(b->dut.walk_o, 0);
	if (redirects) {
		CHECK_EQ(b->dut.imem_req_o, 0);
		m->lost = false;
		m->pc = pc;
	}
	take_request(b, m);
	apply(b, m, &c);
}

// The predictor clears itself, and only then predicts what it has learnt. Calls fill its
// return stack, which has no reset.
static void start(struct bench *b, struct model *m)
{
	struct change none = {false, false, false, 0};

	quiet(b);
	apply(b, m, &none);
	m->refill = {};
	m->targets.clear();
	m->pc = RESET_PC;
	m->lost = false;
	b->dut.tlb_flush_scope_i = 0;
	b->reset();
	for (unsigned i = 0; i < CLEARING + CALLS; i++) {
		if (i >= CLEARING)
			train(b, m, true);
		answer_refill(b, m);
		b->edge();
		take_request(b, m);
	}
}

int main()
{
	static struct model m;
	struct bench b(1);

	draw_code(&b, &m);
	draw_pages(&b, &m);
	for (unsigned i = 0; i < 400000 && going_well(); i++) {
		if (i % 20000 == 0)
			start(&b, &m);
		step(&b, &m);
	}
	check_covered(covered, 100);
	return bench_done();
}
