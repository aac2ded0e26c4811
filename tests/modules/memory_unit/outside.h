// SPDX-License-Identifier: Apache-2.0
// What surrounds the data side in its bench: a walker that reads the L1D and answers
// after some cycles, as ptw_arbiter.sv, the memory below the L1D with probes and writes
// of others, and a device.
#ifndef MEMORY_UNIT_OUTSIDE_H
#define MEMORY_UNIT_OUTSIDE_H

#include "pins.h"
#include "program.h"

enum { MISSES = 2 }; // of the L1D
enum { PROBE_SHARE, PROBE_INVALIDATE, PROBE_WRITE };

struct walker {
	bool busy, killed, reads; // reads: the L1D first
	unsigned delay;
	uint64_t table; // an address
	uint64_t va;
	uint32_t request[3]; // soc_pkg::walk_req_t
	enum page page;
	bool fault, single_use, to_head; // to_head: the port does not use the result
	uint64_t result;		 // soc_pkg::walk_result_t
};

// A line that comes, in some of its beats' cycles.
struct fill {
	bool active, upgrade, exclusive;
	unsigned line, beat, delay;
};

struct probe {
	bool valid, pause;
	unsigned op, line; // mem_pkg::probe_e
};

struct outside {
	struct walker walker;
	struct fill fills[MISSES]; // by identifier
	unsigned coming;	   // whose beat comes, or MISSES
	struct probe probe;
	bool present[LINES]; // in the L1D
	uint64_t device_data;
	unsigned probed, evicted; // lines that were lost
};

static inline unsigned draw_line(struct bench *b)
{
	return b->random.below(FRAMES) * (FRAME / LINE) + b->random.below(4) +
	       b->random.below(2) * (FRAME / LINE / 2);
}

static inline void drive_walker(struct walker *w, struct bench *b)
{
	bool ready = w->busy && !w->reads && w->delay == 0;

	b->dut.walk_busy_i = w->busy;
	b->dut.table_req_i = w->busy && w->reads && w->delay == 0;
	b->dut.table_addr_i = w->table;
	b->dut.data_walk_done_i = ready && !w->killed && !b->dut.data_walk_drop_o;
	b->dut.walk_result_i = w->result;
	for (unsigned n = 0; n < 3; n++)
		b->dut.walk_for_i[n] = w->request[n];
}

// Beats of lines come in turn, in any order.
static inline unsigned draw_beat(const struct outside *o, struct bench *b)
{
	unsigned first = b->random.below(MISSES);

	for (unsigned n = 0; n < MISSES; n++) {
		const struct fill *f = &o->fills[(first + n) % MISSES];

		if (f->active && f->delay == 0)
			return (first + n) % MISSES;
	}
	return MISSES;
}

static inline void outside_drive(struct outside *o, struct bench *b,
				 const struct memory *m, const struct rates *rates)
{
	struct probe *p = &o->probe;
	uint64_t data = b->random.next();

	drive_walker(&o->walker, b);
	if (!p->valid && !p->pause && b->random.once_in(rates->probe))
		*p = {true, false, b->random.below(3), draw_line(b)};
	b->dut.probe_valid_i = p->valid;
	pack_pin(b->dut.probe_i,
		 probe_pin{(RAM + p->line * LINE) & ADDRESS_MASK, p->op & 3});
	o->coming = draw_beat(o, b);
	b->dut.dmem_rsp_valid_i = o->coming < MISSES;
	if (o->coming == MISSES)
		return;
	const struct fill *f = &o->fills[o->coming];
	memcpy(&data, m->below + f->line * LINE + f->beat * 8, sizeof(data));
	pack_pin(b->dut.dmem_rsp_i, line_rsp{data, f->exclusive, o->coming & 7});
}

// Answers the access of the head unit, or not yet.
static inline void outside_serve_device(struct outside *o, struct bench *b,
					const struct insn *i)
{
	o->device_data = b->random.next();
	// device_pkg::device_req_t, device_rsp_t
	CHECK_EQ(b->dut.device_req_o,
		 uint64_t{i->kind == STORE} << 58 | uint64_t{i->size} << 56 | i->pa);
	if (i->kind == STORE)
		CHECK_EQ(b->dut.device_wdata_o, i->data);
	b->dut.device_ready_i = b->random.once_in(4);
	b->dut.device_rsp_i[0] = static_cast<uint32_t>(o->device_data);
	b->dut.device_rsp_i[1] = static_cast<uint32_t>(o->device_data >> 32);
	b->dut.device_rsp_i[2] = 0;
	b->settle();
}

static inline void accept_walk(struct walker *w, struct bench *b, const struct memory *m,
			       const struct rates *rates)
{
	static const uint64_t FLAGS[PAGES] = {35, 35,  33,
					      99, 163, 0}; // soc_pkg::tlb_flags_t

	*w = {};
	w->busy = true;
	w->delay = b->random.below(rates->walk);
	w->reads = b->random.once_in(2);
	w->table = RAM + draw_line(b) * LINE + b->random.below(8) * 8;
	for (unsigned n = 0; n < 3; n++)
		w->request[n] = b->dut.data_walk_req_o[n];
	w->va = w->request[0] | uint64_t{w->request[1]} << 32;
	w->page = static_cast<enum page>((w->va - FIRST_PAGE) / FRAME);
	w->fault = walk_faults(w->va, w->request[2] >> 6 & 2);
	w->single_use = w->page == SPLIT && !w->fault;
	w->to_head = w->fault || w->page == SPLIT || w->page == DEVICE;
	uint64_t frame =
	    w->page == DEVICE ? DEVICES / FRAME : RAM / FRAME + m->frame[w->page];
	w->result = uint64_t{w->fault} << 55 | uint64_t{w->page != SPLIT} << 54 |
		    FLAGS[w->page] << 44 | frame;
}

static inline void end_walker_cycle(struct walker *w, struct bench *b,
				    const struct memory *m, const struct rates *rates)
{
	bool drop = b->dut.data_walk_drop_o;

	if (!w->busy) {
		if (b->dut.data_walk_o && !drop)
			accept_walk(w, b, m, rates);
		return;
	}
	w->killed = w->killed || drop;
	if (w->delay > 0) {
		w->delay--;
	} else if (w->reads) {
		w->reads = !b->dut.table_ack_o;
		if (b->dut.table_ack_o)
			CHECK_EQ(b->dut.cache_rdata_o, read_word(m->seen, w->table));
	} else {
		w->busy = false;
	}
}

static inline void begin_fill(struct outside *o, struct bench *b)
{
	line_req request = unpack_pin<line_req>(b->dut.dmem_req_o);

	if (!CHECK((request.addr - RAM) / LINE < LINES && request.id < MISSES))
		return;
	struct fill *f = &o->fills[request.id];
	CHECK(!f->active);
	*f = {};
	f->active = true;
	f->upgrade = request.upgrade;
	f->exclusive = request.excl || request.upgrade || b->random.once_in(2);
	f->line = static_cast<unsigned>((request.addr - RAM) / LINE);
	f->delay = b->random.below(b->random.once_in(4) ? 40 : 6);
}

static inline void end_fill_cycle(struct outside *o, struct bench *b)
{
	for (struct fill &f : o->fills)
		if (f.active && f.delay > 0)
			f.delay--;
	if (o->coming < MISSES) {
		struct fill *f = &o->fills[o->coming];
		bool last = ++f->beat == (f->upgrade ? 1 : 8);

		CHECK_EQ(b->dut.cache_filled_o, last);
		if (last) {
			f->active = false;
			o->present[f->line] = true;
		}
	}
	if (b->dut.dmem_req_valid_o)
		begin_fill(o, b);
}

static inline bool line_comes(const struct outside *o, unsigned line)
{
	for (const struct fill &f : o->fills)
		if (f.active && f.line == line)
			return true;
	return false;
}

static inline void write_word(struct bench *b, struct memory *m, unsigned line)
{
	uint64_t pa = RAM + line * LINE + b->random.below(2) * 8, data = b->random.next();

	write_bytes(m->seen, pa, data, 8);
	write_bytes(m->below, pa, data, 8);
}

// Behind a cycle. Returns whether a probe ends the reservation of *reserved, if any.
static inline bool outside_end_cycle(struct outside *o, struct bench *b, struct memory *m,
				     const struct rates *rates, const uint64_t *reserved)
{
	struct probe *p = &o->probe;
	bool ends = reserved && p->valid && p->op == PROBE_WRITE &&
		    *reserved == RAM / LINE + p->line;
	unsigned line = draw_line(b), evicted = LINES;

	end_walker_cycle(&o->walker, b, m, rates);
	end_fill_cycle(o, b);
	if (b->dut.wb_valid_o) {
		writeback wb = unpack_pin<writeback>(b->dut.wb_o);

		write_bytes(m->below, wb.addr, wb.data, 8);
	}
	if (b->dut.evict_o) {
		evicted = static_cast<unsigned>(b->dut.evict_line_o - RAM / LINE);
		CHECK(o->present[evicted]);
		o->present[evicted] = false;
		o->evicted++;
	}
	p->pause = false;
	if (b->dut.probe_ack_o) {
		*p = {false, true, p->op, p->line};
		if (p->op != PROBE_SHARE) {
			o->probed += o->present[p->line];
			o->present[p->line] = false;
			CHECK(memcmp(m->seen + p->line * LINE, m->below + p->line * LINE,
				     LINE) == 0);
		}
		if (p->op == PROBE_WRITE)
			write_word(b, m, p->line);
	}
	// A line that the L1D does not have and that is not reserved needs no probe.
	if (!o->present[line] && line != evicted && !b->dut.wb_valid_o &&
	    !line_comes(o, line) && !(reserved && *reserved == RAM / LINE + line) &&
	    b->random.once_in(rates->write))
		write_word(b, m, line);
	return ends;
}

#endif
