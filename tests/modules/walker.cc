// SPDX-License-Identifier: Apache-2.0
// The walker against the algorithm of the specification: the addresses that it reads, the
// checks that it asks of the PMP, its answers, and the cycles that a walk takes.
//
// Sections are those of the RISC-V privileged specification, version 20211203.
#include "bench.h"

#include <vector>

static const uint64_t RAM_BASE = UINT64_C(0x80000000), RAM_SIZE = UINT64_C(0x8000000);
static const uint64_t PAGE = 4096, ADDRESS_MASK = (UINT64_C(1) << 56) - 1;

enum access : unsigned { FETCH, LOAD, STORE };	     // soc_pkg::access_e
enum space : unsigned { MACHINE, BARE, SV39 };	     // soc_pkg::space_e
enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8 }; // 4.4.1, figure 4.18
enum { PTE_U = 16, PTE_G = 32, PTE_A = 64, PTE_D = 128 };
enum { ALLOW_R = 1, ALLOW_W = 2, ALLOW_X = 4, SPLIT = 8 }; // soc_pkg::pmp_allow_t
enum { DOUBLE = 3 };					   // soc_pkg::size_e

enum {
	PHYSICAL,
	PAGE_4K,
	PAGE_2M,
	PAGE_1G,
	TO_DEVICE,
	NOT_CANONICAL,
	BAD_ENTRY,
	RESERVED_POINTER,
	TOO_DEEP,
	MISALIGNED,
	NO_PERMISSION,
	BY_MXR,
	USER_PAGE_OF_S,
	BY_SUM,
	SUPERVISOR_PAGE_OF_U,
	NOT_ACCESSED,
	NOT_DIRTY,
	TABLE_DENIED,
	TABLE_OUTSIDE,
	PAGE_DENIED,
	FETCH_OUTSIDE,
	TOO_LARGE,
	CUT_SHORT,
};
static struct covered_case covered[] = {
    {"physical space", 0},
    {"page of 4 KiB", 0},
    {"page of 2 MiB", 0},
    {"page of 1 GiB", 0},
    {"device", 0},
    {"not canonical", 0},
    {"bad entry", 0},
    {"pointer with reserved bits", 0},
    {"pointer in the last level", 0},
    {"misaligned superpage", 0},
    {"no permission", 0},
    {"readable by MXR", 0},
    {"page of U for S", 0},
    {"page of U for S with SUM", 0},
    {"page of S for U", 0},
    {"not accessed", 0},
    {"not dirty", 0},
    {"table that the PMP denies", 0},
    {"table outside RAM", 0},
    {"page that the PMP denies", 0},
    {"fetch outside RAM", 0},
    {"address of more than 56 bits", 0},
    {"reset during a walk", 0},
};

// A request, with the state of the hart.
struct request {
	enum access access;
	unsigned size, priv;
	enum space space;
	uint64_t va, root;
	bool sum, mxr;
};

// One step of a walk: the entry that is read first, if any, and the check of the PMP.
struct step {
	bool reads, checks;
	uint64_t address, entry;
	uint64_t checked; // soc_pkg::pmp_check_t
	unsigned allow;
};

struct walk {
	std::vector<struct step> steps;
	bool fault, page_fault, is_global, superpage;
	unsigned flags; // soc_pkg::tlb_flags_t
	uint64_t ppn;
};

static bool in_ram(uint64_t address)
{
	return address - RAM_BASE < RAM_SIZE;
}

static void end_walk(struct walk *w, bool page_fault)
{
	w->fault = true;
	w->page_fault = page_fault;
}

static void page_fault(struct walk *w, unsigned why)
{
	covered[why].count++;
	end_walk(w, true);
}

// Draws what the PMP allows, mostly all.
static unsigned check_pmp(struct rng *random, struct walk *w, const struct request *r,
			  uint64_t address, unsigned size)
{
	struct step *s = &w->steps.back();

	s->checks = true;
	s->checked =
	    (uint64_t)size << 57 | (uint64_t)(r->space == MACHINE) << 56 | address;
	s->allow = ALLOW_R | ALLOW_W | ALLOW_X;
	if (random->once_in(6))
		s->allow = random->below(16);
	return s->allow;
}

// The access at the address that a leaf gives, and its TLB entry. 3.7.1: the PMP; 4.3.2,
// step 8. Instructions are fetched from RAM only.
static void access_page(struct rng *random, struct walk *w, const struct request *r,
			uint64_t pte, uint64_t address)
{
	static const unsigned NEEDED[] = {ALLOW_X, ALLOW_R, ALLOW_W};
	unsigned allow = check_pmp(random, w, r, address & ADDRESS_MASK, r->size);
	bool device = !in_ram(address & ADDRESS_MASK), translated = r->space == SV39;

	w->ppn = (address & ADDRESS_MASK) / PAGE;
	if (address > ADDRESS_MASK) {
		covered[TOO_LARGE].count++;
		end_walk(w, false);
	} else if (!(allow & NEEDED[r->access])) {
		covered[PAGE_DENIED].count++;
		end_walk(w, false);
	} else if (device && r->access == FETCH) {
		covered[FETCH_OUTSIDE].count++;
		end_walk(w, false);
	}
	covered[TO_DEVICE].count += device;
	w->is_global = pte & PTE_G;
	w->flags = (unsigned)(pte & PTE_R && allow & ALLOW_R) |
		   (unsigned)(pte & PTE_W && pte & PTE_D && allow & ALLOW_W) << 1 |
		   (unsigned)(pte & PTE_X && allow & ALLOW_X) << 2 |
		   (unsigned)(pte & PTE_X && allow & ALLOW_R) << 3 |
		   (unsigned)((pte & PTE_U) != 0) << 4 |
		   (unsigned)(!translated || !(pte & PTE_U)) << 5 |
		   (unsigned)device << 6 | (unsigned)((allow & SPLIT) != 0) << 7;
}

// 4.3.2, steps 5 to 7, and 4.3.1 for U, SUM and MXR. A and D are not set by hardware.
static bool leaf_allows(const struct request *r, uint64_t pte, struct walk *w)
{
	bool readable = pte & PTE_R || (r->mxr && pte & PTE_X);
	bool allowed = r->access == FETCH  ? pte & PTE_X
		       : r->access == LOAD ? readable
					   : pte & PTE_W;

	if (!allowed)
		page_fault(w, NO_PERMISSION);
	else if (r->priv == 0 && !(pte & PTE_U))
		page_fault(w, SUPERVISOR_PAGE_OF_U);
	else if (r->priv == 1 && pte & PTE_U && (r->access == FETCH || !r->sum))
		page_fault(w, USER_PAGE_OF_S);
	else if (!(pte & PTE_A))
		page_fault(w, NOT_ACCESSED);
	else if (r->access == STORE && !(pte & PTE_D))
		page_fault(w, NOT_DIRTY);
	else
		return true;
	return false;
}

static void reach_leaf(struct rng *random, struct walk *w, const struct request *r,
		       uint64_t pte, unsigned level)
{
	uint64_t span = PAGE << 9 * level;
	uint64_t base = (pte >> 10 & ((UINT64_C(1) << 44) - 1)) * PAGE;

	if (!leaf_allows(r, pte, w))
		return;
	if (base % span) {
		page_fault(w, MISALIGNED);
		return;
	}
	covered[PAGE_4K + level].count++;
	covered[BY_MXR].count += r->access == LOAD && !(pte & PTE_R);
	covered[BY_SUM].count += r->priv == 1 && (pte & PTE_U);
	w->superpage = level > 0;
	access_page(random, w, r, pte, base | (r->va & (span - 1)));
}

static uint64_t draw_ppn(struct rng *random)
{
	uint64_t ppn = (RAM_BASE + random->next() % RAM_SIZE) / PAGE;

	if (random->once_in(8))
		ppn = random->next() >> 20;
	if (random->once_in(8))
		ppn = RAM_BASE / PAGE - 1 + random->below(2) * (RAM_SIZE / PAGE + 1);
	return ppn;
}

// An entry of any kind; a useful one more often than not.
static uint64_t draw_entry(struct rng *random, unsigned level)
{
	static const unsigned RIGHTS[] = {PTE_R, PTE_R | PTE_W, PTE_X, PTE_R | PTE_X,
					  PTE_R | PTE_W | PTE_X};
	uint64_t ppn = draw_ppn(random), flags = PTE_V;

	if (random->below(32) < 1 + 10 * level) {
		flags |= random->once_in(16) ? random->next() & 0x3f1 : 0;
		flags |= random->next() & 0x320;
	} else {
		flags |=
		    RIGHTS[random->below(5)] | PTE_A | PTE_D | (random->next() & 0x330);
		if (!random->once_in(8))
			ppn &= ~((UINT64_C(1) << 9 * level) - 1);
		if (random->once_in(4))
			flags ^= UINT64_C(1) << random->below(8);
	}
	if (random->once_in(24))
		flags ^= UINT64_C(1) << (54 + random->below(10));
	return flags ^ ppn << 10;
}

// 4.3.2 and 4.4.1. An entry is read as if by S-mode.
static void translate(struct rng *random, struct walk *w, const struct request *r)
{
	uint64_t base = r->root * PAGE;

	w->steps.push_back({});
	if ((uint64_t)((int64_t)(r->va << 25) >> 25) != r->va) {
		page_fault(w, NOT_CANONICAL);
		return;
	}
	for (unsigned level = 2;; level--) {
		uint64_t address = base + (r->va >> (12 + 9 * level) & 511) * 8;
		unsigned allow = check_pmp(random, w, r, address, DOUBLE);

		if (!(allow & ALLOW_R) || !in_ram(address)) {
			covered[allow & ALLOW_R ? TABLE_OUTSIDE : TABLE_DENIED].count++;
			end_walk(w, false);
			return;
		}
		uint64_t pte = draw_entry(random, level);
		w->steps.push_back({true, false, address, pte, 0, 0});
		if (!(pte & PTE_V) || (!(pte & PTE_R) && pte & PTE_W) || pte >> 54) {
			page_fault(w, BAD_ENTRY);
			return;
		}
		if (pte & (PTE_R | PTE_X)) {
			reach_leaf(random, w, r, pte, level);
			return;
		}
		if (pte & (PTE_A | PTE_D | PTE_U)) {
			page_fault(w, RESERVED_POINTER);
			return;
		}
		if (level == 0) {
			page_fault(w, TOO_DEEP);
			return;
		}
		base = (pte >> 10) * PAGE;
	}
}

static struct walk expect(struct rng *random, const struct request *r)
{
	struct walk w = {};

	if (r->space == SV39) {
		translate(random, &w, r);
	} else {
		covered[PHYSICAL].count++;
		w.steps.push_back({});
		access_page(random, &w, r, 255, r->va);
	}
	return w;
}

static struct request draw(struct rng *random)
{
	struct request r = {};

	r.access = static_cast<enum access>(random->below(3));
	r.size = r.access == FETCH ? 1 : random->below(4);
	r.space = random->below(8) < 6 ? SV39 : random->once_in(2) ? MACHINE : BARE;
	r.priv = r.space == MACHINE ? 3 : random->below(2);
	r.sum = random->once_in(2);
	r.mxr = random->once_in(2);
	r.root = draw_ppn(random);
	r.va = random->next();
	if (r.space == SV39 && !random->once_in(16))
		r.va = (uint64_t)((int64_t)(r.va << 25) >> 25);
	else if (r.space == SV39)
		r.va = (uint64_t)((int64_t)(r.va << 25) >> 25) ^
		       UINT64_C(1) << (38 + random->below(26));
	else if (!random->once_in(8))
		r.va = draw_ppn(random) * PAGE | r.va % PAGE;
	r.va &= ~UINT64_C(0) << r.size;
	return r;
}

static void present(struct bench *b, const struct request *r)
{
	// soc_pkg::walk_req_t
	b->dut.req_valid_i = 1;
	b->dut.req_i[0] = static_cast<uint32_t>(r->va);
	b->dut.req_i[1] = static_cast<uint32_t>(r->va >> 32);
	b->dut.req_i[2] = 64U * r->access + 16 * r->size + 4 * r->priv + r->space;
	b->dut.sum_i = r->sum;
	b->dut.mxr_i = r->mxr;
	b->dut.root_i = r->root;
	b->dut.ram_size_i = RAM_SIZE;
}

// The entry of a step comes after some cycles without one.
static void read_entry(struct bench *b, const struct step *s)
{
	bool waits;

	do {
		waits = b->random.once_in(2);
		b->dut.mem_ack_i = !waits;
		b->dut.mem_data_i = waits ? b->random.next() : s->entry;
		b->settle();
		CHECK_EQ(b->dut.mem_req_o, 1);
		CHECK_EQ(b->dut.mem_addr_o, s->address);
		CHECK_EQ(b->dut.done_o, 0);
		CHECK_EQ(b->dut.pmp_valid_o, 0);
		b->edge();
	} while (waits);
	b->dut.mem_ack_i = 0;
}

// The cycle in which an entry is evaluated.
static void evaluate(struct bench *b, const struct step *s, bool last)
{
	b->dut.pmp_allow_i = s->allow & 15;
	b->settle();
	CHECK_EQ(b->dut.mem_req_o, 0);
	CHECK_EQ(b->dut.pmp_valid_o, s->checks);
	if (s->checks)
		CHECK_EQ(b->dut.pmp_check_o, s->checked);
	CHECK_EQ(b->dut.done_o, last);
}

static void check_answer(struct bench *b, const struct walk *w)
{
	// soc_pkg::walk_result_t
	uint64_t result = b->dut.result_o;

	CHECK_EQ(result >> 55 & 1, w->fault);
	if (w->fault) {
		CHECK_EQ(result >> 54 & 1, w->page_fault);
		return;
	}
	CHECK_EQ(result >> 53 & 1, w->is_global);
	CHECK_EQ(result >> 52 & 1, w->superpage);
	CHECK_EQ(result >> 44 & 255, w->flags);
	CHECK_EQ(result & ((UINT64_C(1) << 44) - 1), w->ppn);
}

// A request takes a cycle, and each entry one; reading it, at least one more.
static void run_walk(struct bench *b)
{
	struct request r = draw(&b->random);
	struct walk w = expect(&b->random, &r);
	unsigned cut = b->random.once_in(64) ? b->random.below(4) : 9;

	present(b, &r);
	b->settle();
	CHECK_EQ(b->dut.done_o, 0);
	b->edge();
	for (size_t i = 0; i < w.steps.size(); i++) {
		const struct step *s = &w.steps[i];

		if (s->reads)
			read_entry(b, s);
		if (i == cut) {
			covered[CUT_SHORT].count++;
			b->dut.req_valid_i = 0;
			b->reset();
			return;
		}
		evaluate(b, s, i + 1 == w.steps.size());
		if (i + 1 == w.steps.size())
			check_answer(b, &w);
		b->edge();
	}
	b->dut.req_valid_i = b->random.once_in(2);
	b->settle();
	CHECK_EQ(b->dut.done_o, 0);
	CHECK_EQ(b->dut.mem_req_o, 0);
	b->dut.req_valid_i = 0;
	if (b->random.once_in(2))
		b->edge();
}

int main()
{
	struct bench b(1);

	b.reset();
	for (unsigned i = 0; i < 200000 && going_well(); i++)
		run_walk(&b);
	check_covered(covered, 100);
	return bench_done();
}
