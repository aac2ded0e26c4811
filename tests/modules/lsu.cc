// SPDX-License-Identifier: Apache-2.0
// Loads, stores, LR, SC, AMOs and copies against an array of words behind pages, between
// a walker, an L1D, a device and a copy unit that answer after some cycles: values,
// effects on memory, faults, and the walks that a translation needs.
//
// "Privileged" and "unprivileged" are the RISC-V specifications, versions 20211203 and
// 20191213; what they leave open is in sim/soc.h and in rtl/exec/lsu_*.sv.
#include "bench.h"
#include "lsu/model.h"

enum {
	IS_HIT,
	IS_WALK,
	IS_WALK_AGAIN,
	IS_MISALIGNED,
	IS_LOAD_PAGE,
	IS_STORE_PAGE,
	IS_LOAD_ACCESS,
	IS_STORE_ACCESS,
	BY_SUM,
	BY_MXR,
	TO_DEVICE,
	DEVICE_ERROR,
	ATOMIC_TO_DEVICE,
	SC_SUCCEEDS,
	SC_FAILS,
	SC_OF_OTHER_LINE,
	SC_AFTER_WRITE,
	SC_AFTER_TRAP,
	AMO_AGAIN,
	COPY_NOTHING,
	COPIED,
	SOURCE_FAULT,
	DESTINATION_FAULT,
	COPY_SPLITS
};
static struct covered_case covered[] = {{"translation without a walk", 0},
					{"walk", 0},
					{"walk for an entry of one use", 0},
					{"misaligned", 0},
					{"page fault of a load", 0},
					{"page fault of a store", 0},
					{"access fault of a load", 0},
					{"access fault of a store", 0},
					{"access by SUM", 0},
					{"load by MXR", 0},
					{"device", 0},
					{"device that answers with an error", 0},
					{"atomic access to a device", 0},
					{"SC that succeeds", 0},
					{"SC that fails", 0},
					{"SC of another line", 0},
					{"SC after a write of the line", 0},
					{"SC after a trap", 0},
					{"AMO that lost its line", 0},
					{"copy of nothing", 0},
					{"copy", 0},
					{"copy with a fault at its source", 0},
					{"copy with a fault at its destination", 0},
					{"copy in a page that the PMP splits", 0}};

static void present(struct bench *b, const struct model *m, const struct access *a)
{
	// soc_pkg::executed_t, satp_t
	b->dut.valid_i = 1;
	b->dut.executed_i[4] = static_cast<uint32_t>(a->va);
	b->dut.executed_i[5] = static_cast<uint32_t>(a->va >> 32);
	b->dut.executed_i[6] = static_cast<uint32_t>(a->data);
	b->dut.executed_i[7] = static_cast<uint32_t>(a->data >> 32);
	b->dut.executed_i[9] =
	    a->op << 23 | a->amo << 15 | unsigned{a->is_unsigned} << 2 | a->size;
	b->dut.priv_i = m->hart.priv & 3;
	b->dut.satp_i = uint64_t{a->page->space == SV39} << 63 | uint64_t{a->page->asid}
								     << 44;
	b->dut.status_i =
	    static_cast<uint32_t>((m->hart.sum ? SUM : 0) | (m->hart.mxr ? MXR : 0));
	b->dut.length_i = b->random.next();
}

// A walk that the page does not allow is a fault. Returns whether it is answered.
static bool answer_walk(struct bench *b, struct model *m, const struct access *a,
			const struct page *p, uint64_t va, bool write)
{
	uint64_t fault = !page_allows(m, p, write);
	uint64_t flags =
	    uint64_t{p->global} << 9 | uint64_t{p->superpage} << 8 | p->flags;

	CHECK_EQ(b->dut.walk_req_o[0] | uint64_t{b->dut.walk_req_o[1]} << 32, va);
	CHECK_EQ(b->dut.walk_req_o[2], a->page->asid << 8 | (write ? 2U : 1U) << 6 |
					   a->size << 4 | m->hart.priv << 2 | p->space);
	if (!b->random.once_in(3))
		return false;
	if (!fault) {
		covered[p->flags & SINGLE_USE && m->walked.count(p) ? IS_WALK_AGAIN
								    : IS_WALK]
		    .count++;
		m->walked.insert(p);
	}
	b->dut.walk_done_i = 1;
	b->dut.walk_for_i = b->dut.walk_req_o;
	// soc_pkg::walk_result_t
	b->dut.walk_result_i =
	    fault << 55 | uint64_t{fault && p->page_fault} << 54 | flags << 44 | p->ppn;
	return true;
}

static void check_fault(struct bench *b, const struct access *a, bool write, uint64_t va,
			unsigned load_cause, unsigned store_cause)
{
	CHECK_EQ(b->dut.fault_o, 1);
	CHECK_EQ(b->dut.done_o, 0);
	CHECK_EQ(b->dut.cause_o, write ? store_cause : load_cause);
	CHECK_EQ(b->dut.address_o, va);
	if (a->op == COPY)
		covered[write ? DESTINATION_FAULT : SOURCE_FAULT].count++;
}

static void count_sc(const struct model *m, uint64_t pa)
{
	bool good = sc_succeeds(m, pa);

	covered[good ? SC_SUCCEEDS : SC_FAILS].count++;
	covered[SC_OF_OTHER_LINE].count += m->reserved && !good;
	covered[SC_AFTER_WRITE].count += m->written && m->line == pa / 64;
	covered[SC_AFTER_TRAP].count += m->trapped && m->line == pa / 64;
}

// An access that ends without a fault.
static void finish(struct bench *b, struct model *m, const struct access *a, uint64_t pa)
{
	uint64_t value = 0;
	bool store = a->op & 1;

	if (a->op == SC) {
		store = sc_succeeds(m, pa);
		value = !store;
		count_sc(m, pa);
	} else if (a->op != STORE) {
		value = load_value(m, a, pa);
	}
	CHECK_EQ(b->dut.fault_o, 0);
	if (a->op != STORE)
		CHECK_EQ(b->dut.value_o, value);
	CHECK_EQ(b->dut.load_o, a->op == LOAD || a->op == LR || a->op == AMO);
	CHECK_EQ(b->dut.store_o, store);
	CHECK_EQ(b->dut.device_o, 0);
	CHECK_EQ(b->dut.pa_o, pa);
	if (store)
		*word_at(m, pa) = word_after(m, a, pa);
	if (a->op & 1)
		m->reserved = m->written = m->trapped = false;
	if (a->op == LR) {
		m->reserved = true;
		m->written = m->trapped = false;
		m->line = pa / 64;
		m->lr_page = a->page;
		m->lr_va = a->va;
	}
}

// The L1D hits or not. While an AMO waits for its second cycle another hart may write.
static void serve_cache(struct bench *b, struct model *m, const struct access *a,
			uint64_t pa, bool *was_read)
{
	uint64_t *word = word_at(m, pa), mask, after;
	bool hit = b->random.once_in(2);

	CHECK_EQ(b->dut.pa_o, pa);
	CHECK_EQ(b->dut.cache_write_o, a->op & 1);
	CHECK_EQ(b->dut.cache_amo_o, a->op == AMO && !*was_read);
	CHECK_EQ(b->dut.cache_store_o, a->op & 1 && (a->op != AMO || *was_read));
	if (*was_read && !hit) {
		covered[AMO_AGAIN].count++;
		*word = b->random.next();
	}
	b->dut.cache_hit_i = hit;
	b->dut.cache_rdata_i = *word;
	b->settle();
	if (hit && b->dut.cache_store_o) {
		mask = b->dut.cache_wmask_o;
		after = (*word & ~mask) | (b->dut.wdata_o & mask);
		CHECK_EQ(after, word_after(m, a, pa));
	}
	CHECK_EQ(b->dut.done_o, hit && (a->op != AMO || *was_read));
	*was_read = a->op == AMO && hit && !*was_read;
}

static void serve_device(struct bench *b, struct model *m, const struct access *a,
			 uint64_t pa)
{
	bool error = b->random.once_in(4);
	uint64_t data = b->random.next();

	CHECK_EQ(b->dut.pa_o, pa);
	CHECK_EQ(b->dut.store_o, a->op == STORE);
	b->dut.device_ready_i = b->random.once_in(2);
	// device_pkg::device_rsp_t
	b->dut.device_rsp_i[0] = static_cast<uint32_t>(data);
	b->dut.device_rsp_i[1] = static_cast<uint32_t>(data >> 32);
	b->dut.device_rsp_i[2] = error;
	b->settle();
	CHECK_EQ(b->dut.done_o, b->dut.device_ready_i && !error);
	if (!b->dut.device_ready_i) {
		CHECK_EQ(b->dut.fault_o, 0);
	} else if (error) {
		covered[DEVICE_ERROR].count++;
		check_fault(b, a, a->op == STORE, a->va, LOAD_ACCESS, STORE_ACCESS);
	} else {
		covered[TO_DEVICE].count++;
		CHECK_EQ(b->dut.device_o, 1);
		m->reserved = m->reserved && a->op == LOAD;
		if (a->op == LOAD)
			CHECK_EQ(b->dut.value_o,
				 extend_loaded(data, a->size, a->is_unsigned));
	}
}

static void serve_copy(struct bench *b, const struct access *a, uint64_t pa)
{
	uint64_t source = a->page->ppn << 12 | a->va % 4096;
	bool splits = a->page->flags & SINGLE_USE,
	     splits_to = a->destination->flags & SINGLE_USE;
	uint64_t words[3] = {};

	// mem_pkg::copy_t
	memcpy(words, &b->dut.copy_req_o[0], sizeof(words));
	CHECK_EQ(words[0] & ((UINT64_C(1) << 56) - 1), pa);
	CHECK_EQ((words[0] >> 56 | words[1] << 8) & ((UINT64_C(1) << 56) - 1), source);
	CHECK_EQ(words[1] >> 48 | words[2] << 16, a->length);
	CHECK_EQ(words[2] >> 48 & 3, unsigned{splits} << 1 | unsigned{splits_to});
	covered[COPY_SPLITS].count += splits || splits_to;
	b->dut.copy_done_i = b->random.once_in(3);
	b->dut.copy_count_i = static_cast<uint16_t>(a->length);
}

// Writes of others and traps, in a cycle without an answer.
static void disturb(struct bench *b, struct model *m)
{
	uint64_t line = (0x80000 + b->random.below(8)) << 6 | b->random.below(2);

	if (b->random.once_in(12)) {
		// mem_pkg::probe_t
		b->dut.probe_valid_i = 1;
		unsigned op = b->random.below(3);
		if (b->random.once_in(2))
			line = m->line;
		b->dut.probe_i = uint64_t{op} << 56 | line << 6;
		if (op == 2 && m->reserved && line == m->line) {
			m->reserved = false;
			m->written = true;
		}
	} else if (b->random.once_in(64)) {
		b->dut.reservation_clear_i = 1;
		m->trapped = m->trapped || m->reserved;
		m->reserved = false;
	}
}

static void calm(struct bench *b)
{
	b->dut.walk_done_i = b->dut.device_ready_i = b->dut.cache_hit_i =
	    b->dut.copy_done_i = 0;
	b->dut.probe_valid_i = b->dut.reservation_clear_i = 0;
}

// The end of a walk, and faults that it finds. Returns whether the access has ended.
static bool serve_walk(struct bench *b, struct model *m, const struct access *a,
		       const struct page *p, uint64_t va, bool write)
{
	bool ended = answer_walk(b, m, a, p, va, write) && !page_allows(m, p, write);

	b->settle();
	if (!ended) {
		CHECK_EQ(b->dut.fault_o | b->dut.done_o, 0);
		return false;
	}
	if (p->page_fault)
		check_fault(b, a, write, va, LOAD_PAGE, STORE_PAGE);
	else
		check_fault(b, a, write, va, LOAD_ACCESS, STORE_ACCESS);
	covered[p->page_fault ? (write ? IS_STORE_PAGE : IS_LOAD_PAGE)
			      : (write ? IS_STORE_ACCESS : IS_LOAD_ACCESS)]
	    .count++;
	return true;
}

static void count_modes(const struct model *m, const struct page *p, bool write)
{
	covered[BY_SUM].count += m->hart.priv == PRIV_S && !(p->flags & SUPERVISOR);
	covered[BY_MXR].count += !write && !(p->flags & R);
}

// One cycle of an access whose address has been translated. Returns whether it has ended.
static bool serve_access(struct bench *b, struct model *m, const struct access *a,
			 const struct page *p, uint64_t va, bool write, bool *was_read)
{
	uint64_t pa = p->ppn << 12 | va % 4096;

	CHECK(page_allows(m, p, write));
	if (p->flags & DEVICE && a->op > STORE) {
		covered[ATOMIC_TO_DEVICE].count++;
		check_fault(b, a, write, va, LOAD_ACCESS, STORE_ACCESS);
		return true;
	}
	if (p->flags & DEVICE) {
		CHECK_EQ(b->dut.device_valid_o, 1);
		serve_device(b, m, a, pa);
		return b->dut.done_o || b->dut.fault_o;
	}
	if (a->op == SC && !sc_succeeds(m, pa))
		CHECK_EQ(b->dut.cache_req_o, 0);
	else {
		CHECK_EQ(b->dut.cache_req_o, 1);
		serve_cache(b, m, a, pa, was_read);
	}
	if (b->dut.done_o)
		finish(b, m, a, pa);
	return b->dut.done_o;
}

// Misaligned accesses trap, before any translation.
static bool misaligned(struct bench *b, const struct access *a)
{
	if (a->va % (1U << a->size) == 0)
		return false;
	covered[IS_MISALIGNED].count++;
	check_fault(b, a, a->op & 1, a->va, LOAD_MISALIGNED, STORE_MISALIGNED);
	return true;
}

static void run_simple(struct bench *b, struct model *m, const struct access *a)
{
	bool ended = false, was_read = false, walked = false;

	for (unsigned i = 0; !ended && i < LATEST && going_well(); i++) {
		calm(b);
		b->settle();
		if (misaligned(b, a)) {
			ended = true;
		} else if (b->dut.walk_o) {
			walked = true;
			disturb(b, m);
			ended = serve_walk(b, m, a, a->page, a->va, a->op & 1);
		} else {
			ended =
			    serve_access(b, m, a, a->page, a->va, a->op & 1, &was_read);
			if (ended)
				count_modes(m, a->page, a->op & 1);
			covered[IS_HIT].count += ended && !walked;
		}
		// An entry of one use is gone after it, other entries after flushes.
		if (!b->dut.walk_o && !walked && i == 0 && a->va % (1U << a->size) == 0)
			CHECK(!(a->page->flags & SINGLE_USE) && m->walked.count(a->page));
		b->edge();
	}
	CHECK(ended);
}

// The length comes in the second cycle; then the source, the destination, and the copy.
static void run_copy(struct bench *b, struct model *m, const struct access *a)
{
	const struct page *p = a->page;
	uint64_t va = a->va;
	bool ended = false, source_done = false, copying = false, finished = false;

	CHECK_EQ(b->dut.copy_o, 1);
	for (unsigned i = 0; !ended && i < LATEST && going_well(); i++) {
		calm(b);
		b->settle();
		bool write = source_done, ready = !b->dut.walk_o;
		if (i < 2) {
			CHECK_EQ(b->dut.walk_o | b->dut.copy_valid_o | b->dut.fault_o, 0);
		} else if (a->length == 0 || finished) {
			covered[finished ? COPIED : COPY_NOTHING].count++;
			CHECK_EQ(b->dut.done_o, 1);
			CHECK_EQ(b->dut.value_o, finished ? a->length : 0);
			m->reserved = m->reserved && !finished;
			ended = true;
		} else if (!ready) {
			ended = serve_walk(b, m, a, p, va, write);
		} else if (p->flags & DEVICE) {
			check_fault(b, a, write, va, LOAD_ACCESS, STORE_ACCESS);
			ended = true;
		} else if (!source_done) {
			CHECK(page_allows(m, p, false));
			source_done = true;
			p = a->destination;
			va = a->data;
		} else {
			CHECK(page_allows(m, p, true));
			CHECK_EQ(b->dut.copy_valid_o, copying);
			if (copying)
				serve_copy(b, a, p->ppn << 12 | va % 4096);
			copying = true;
			finished = b->dut.copy_done_i;
		}
		b->settle();
		CHECK(ended || !b->dut.done_o);
		b->edge();
		b->dut.length_i = a->length;
	}
	CHECK(ended);
}

static void idle(struct bench *b, struct model *m)
{
	calm(b);
	b->dut.valid_i = 0;
	disturb(b, m);
	b->settle();
	CHECK_EQ(b->dut.walk_o | b->dut.cache_req_o | b->dut.device_valid_o |
		     b->dut.copy_valid_o,
		 0);
	CHECK_EQ(b->dut.done_o | b->dut.fault_o, 0);
	b->edge();
	calm(b);
}

// A fence, after which the pages are others.
static void change_pages(struct bench *b, struct model *m)
{
	calm(b);
	b->dut.valid_i = 0;
	b->dut.fence_i = 1 << 8; // soc_pkg::fence_t: all of the TLB
	b->edge();
	b->dut.fence_i = 0;
	draw_pages(&b->random, m);
	m->walked.clear();
	m->lr_page = NULL;
}

int main()
{
	struct bench b(1);
	struct model m = {};

	calm(&b);
	b.dut.valid_i = 0;
	b.reset();
	draw_pages(&b.random, &m);
	for (unsigned i = 0; i < 150000 && going_well(); i++) {
		if (i % 100 == 0)
			change_pages(&b, &m);
		if (i % 8 == 0)
			m.hart = {b.random.below(3), b.random.once_in(2),
				  b.random.once_in(2)};
		m.hart.priv = m.hart.priv == 2 ? unsigned{PRIV_M} : m.hart.priv;
		if (b.random.once_in(4))
			idle(&b, &m);
		struct access a = draw_operation(&b.random, &m);
		present(&b, &m, &a);
		b.settle();
		if (a.op == COPY)
			run_copy(&b, &m, &a);
		else
			run_simple(&b, &m, &a);
	}
	check_covered(covered, 100);
	return bench_done();
}
