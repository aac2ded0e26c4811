// SPDX-License-Identifier: Apache-2.0
// Code behind pages, with a walker and a memory that answer after some cycles, for the
// benches that fetch it through the ITLB and the L1I: those have the same ports of walks
// and refills. Sections are those of the RISC-V privileged specification, version
// 20211203.
#ifndef MEMORY_H
#define MEMORY_H

#include "bench.h"

enum : unsigned { PRIV_U, PRIV_S, PRIV_M = 3 };
enum : unsigned {
	X = 4,
	USER = 16,
	SUPERVISOR = 32,
	SINGLE_USE = 128
}; // soc_pkg::tlb_flags_t
enum : unsigned { GOOD = 0, BAD_ACCESS = 4, HALF = 1, BAD_PAGE = 6 }; // soc_pkg::bad_e
enum : unsigned { SPACES = 5, TABLES = 4, PAGES = 6, FRAMES = 12, PAGE = 4096 };
enum : unsigned { LINE = 64, BEATS = 8 };
static const uint64_t FIRST = 0x80000; // the number of the first page
static const uint64_t RESET_PC = UINT64_C(0x80000000);

struct page {
	unsigned flags;
	uint64_t frame;
	bool page_fault; // what a walk finds if it is not allowed
	uint64_t denied; // with SINGLE_USE: by PMP, of each 64 halfwords
};

// Two that differ in the privilege alone have the same entries of the TLB.
struct space {
	unsigned priv, number, asid, table;
};

// Memory's answer to a refill.
struct refill {
	bool busy;
	uint64_t address;
	unsigned wait, beat;
};

struct memory {
	uint16_t code[FRAMES][PAGE / 2];
	struct page pages[TABLES][PAGES];
	unsigned space;
	struct refill refill;
};

static const struct space LIST[SPACES] = {{PRIV_M, 0, 0, 0},
					  {PRIV_U, 1, 0, 1},
					  {PRIV_S, 2, 7, 2},
					  {PRIV_U, 2, 9, 3},
					  {PRIV_S, 2, 9, 3}};
static const struct page UNMAPPED = {0, 0, true, 0};

static inline const struct page *page_of(const struct memory *m, uint64_t va)
{
	uint64_t i = va / PAGE - FIRST;

	return i < PAGES ? &m->pages[LIST[m->space].table][i] : &UNMAPPED;
}

// Returns soc_pkg::bad_e of a fetch of the halfword at `va`. 4.3.1: U, and X; without
// SUM, which fetches ignore.
static inline unsigned bad_at(const struct memory *m, uint64_t va)
{
	const struct page *p = page_of(m, va);

	if (!(p->flags & X) ||
	    !(p->flags & (LIST[m->space].priv == PRIV_U ? USER : SUPERVISOR)))
		return p->page_fault ? BAD_PAGE : BAD_ACCESS;
	return p->flags & SINGLE_USE && p->denied >> va / 2 % 64 & 1 ? BAD_ACCESS : GOOD;
}

static inline uint16_t parcel(const struct memory *m, uint64_t va)
{
	return m->code[page_of(m, va)->frame][va % PAGE / 2];
}

static inline void draw_code(struct bench *b, struct memory *m)
{
	for (auto &frame : m->code)
		for (uint16_t &half : frame)
			half = static_cast<uint16_t>(b->random.next() |
						     (b->random.once_in(2) ? 3 : 0));
}

static inline void draw_pages(struct bench *b, struct memory *m)
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
			p.denied = b->random.next() & b->random.next() & b->random.next();
		}
}

// Often at the end of a line or of a page.
static inline uint64_t draw_pc(struct bench *b)
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

static inline uint64_t walked_address(const struct bench *b)
{
	return b->dut.walk_req_o[0] | uint64_t{b->dut.walk_req_o[1]} << 32;
}

// Checks the request of a walk. Returns whether its answer, which it sets, is to come
// now.
static inline bool answer_walk(struct bench *b, const struct memory *m)
{
	uint64_t va = walked_address(b);
	const struct page *p = page_of(m, va);
	const struct space *s = &LIST[m->space];
	unsigned bad = bad_at(m, va);

	// soc_pkg::walk_req_t: AccessFetch, SizeHalf
	CHECK_EQ(b->dut.walk_req_o[2], s->asid << 8 | 1U << 4 | s->priv << 2 | s->number);
	if (!b->random.once_in(3))
		return false;
	b->dut.walk_for_i = b->dut.walk_req_o;
	// soc_pkg::walk_result_t
	b->dut.walk_result_i =
	    uint64_t{bad != GOOD} << 55 | uint64_t{bad == BAD_PAGE} << 54 |
	    uint64_t{s->number < 2} << 53 | uint64_t{p->flags} << 44 | (FIRST + p->frame);
	return true;
}

// Memory: a beat, or none. The data of a beat are those of its cycle.
static inline void answer_refill(struct bench *b, struct memory *m)
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

// After an edge. Returns whether a refill begins.
static inline bool take_request(struct bench *b, struct memory *m)
{
	struct refill *r = &m->refill;

	if (r->beat == BEATS)
		*r = {};
	if (!b->dut.imem_req_o)
		return false;
	CHECK(!r->busy);
	CHECK_EQ(b->dut.imem_addr_o % LINE, 0);
	CHECK(b->dut.imem_addr_o / PAGE - FIRST < FRAMES);
	*r = {true, b->dut.imem_addr_o, b->random.below(24), 0};
	return true;
}

// A fence, or a change of the address space. The new state is seen after the edge.
struct change {
	bool flush, clear, remap;
	unsigned space;
};

static inline struct change draw_change(struct bench *b, const struct memory *m)
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

static inline void set_change(struct bench *b, const struct change *c)
{
	b->dut.flush_i = c->flush;
	b->dut.clear_i = c->clear;
	b->dut.tlb_flush_i = c->remap;
}

static inline void apply_change(struct bench *b, struct memory *m, const struct change *c)
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

#endif
