// SPDX-License-Identifier: Apache-2.0
// F, with its TLB and the L1I (tests/modules/fetch/front.sv), against memory behind
// pages, between a walker and a memory that answer after some cycles: the instructions
// between redirects and their faults, what is walked, and that fences, redirects during
// refills and walks, and predictions lose and repeat nothing.
//
// The header comment of rtl/core/inorder/fetch.sv says what F does; sections are those of
// the RISC-V privileged specification, version 20211203.
#include "fetch/memory.h"

#include <set>

enum : unsigned { LATEST = 2000, CLEARING = 520, CALLS = 8 };

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

struct model : memory {
	uint64_t pc;
	bool lost; // a fault has been delivered: what follows is undefined until a
		   // redirect
	unsigned waits;
	std::set<uint64_t> targets;
};

static bool is_wide(const struct model *m, uint64_t va)
{
	return (parcel(m, va) & 3) == 3;
}

// Returns soc_pkg::bad_e of the instruction at `pc`.
static unsigned fault_at(const struct model *m, uint64_t pc)
{
	unsigned bad = bad_at(m, pc);

	if (bad == GOOD && is_wide(m, pc) && bad_at(m, pc + 2))
		return bad_at(m, pc + 2) | HALF;
	return bad;
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

static void redirect(struct bench *b, struct model *m, const struct change *c,
		     uint64_t pc)
{
	b->dut.redirect_i = 1;
	b->dut.redirect_pc_i = pc;
	set_change(b, c);
	covered[REDIRECT_IN_REFILL].count += m->refill.busy;
	covered[REDIRECT_IN_WALK].count += b->dut.walk_o;
	covered[FENCE_IN_REFILL].count += c->clear && m->refill.busy;
	covered[NEW_SPACE].count += c->space != m->space;
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
	if (b->dut.walk_o && !m->lost)
		CHECK(walked_address(b) == m->pc || walked_address(b) == m->pc + 2);
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
	covered[REFILL].count += take_request(b, m);
	apply_change(b, m, &c);
}

// The predictor clears itself, and only then predicts what it has learnt. Calls fill its
// return stack, which has no reset.
static void start(struct bench *b, struct model *m)
{
	struct change none = {false, false, false, 0};

	quiet(b);
	apply_change(b, m, &none);
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
		covered[REFILL].count += take_request(b, m);
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
