// SPDX-License-Identifier: Apache-2.0
// The L1 data cache between a core, a walker and a memory that probes it, compared with
// an array of bytes. The header of rtl/cache/dcache.sv determines which lines it holds,
// in which states, and what it does in each cycle.
#include "bench.h"
#include "pages.h"
#include "pins.h"

// The default size; the makefile also tests others.
#ifndef SETS
#define SETS 64
#define WAYS 4
#endif
// 1: other caches have the same lines
#ifndef COHERENT
#define COHERENT 0
#endif

enum state { INVALID, SHARED, EXCLUSIVE, MODIFIED };
enum phase { CLEARS, READY, SENDS_VICTIM, FILLS, SENDS_PROBED, SNOOPED, PHASES };
enum probe_op { TO_SHARED, TO_INVALID, WRITTEN }; // mem_pkg::probe_e
enum kind { LOAD, STORE, AMO };

struct line {
	enum state state;
	uint64_t address;
};

// A request of the core, which stays until it hits.
struct access {
	bool valid, writes;
	bool reads_first; // an AMO that has not been answered yet
	enum kind kind;
	uint64_t address, data, mask;
};

struct table_read {
	bool valid;
	uint64_t address;
};

struct probe_request {
	bool valid, waits; // waits: it must not be served now
	enum probe_op op;
	uint64_t address;
};

// State of the cache.
struct model {
	struct line sets[SETS][WAYS];
	unsigned turn;
	enum phase phase;
	unsigned beat; // of the phase; sets already cleared
	struct line *place, wanted;
	uint64_t out; // address of the line being written back
	bool excl, upgrade, asks, dram;
	bool holds; // no probe is served in this cycle
};

// Counts of events, to check that each was tested.
struct counts {
	unsigned phases[PHASES], upgrades, hits[3], tables, gone[3], refused, withdrawn;
	unsigned evictions, snooped, held, lost_upgrades, waiting_beats, kept[2];
};

struct system {
	struct bench b;
	struct memory memory;
	struct model cache;
	struct access core;
	struct table_read table;
	struct probe_request probe;
	unsigned delay; // cycles to the next beat
	bool answers, grants;
	bool evicts; // in this cycle
	struct counts counts;

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

static struct line *find(struct model *c, uint64_t address)
{
	for (struct line &line : c->sets[address / LINE % SETS])
		if (line.state != INVALID && line.address == line_of(address))
			return &line;
	return nullptr;
}

// Returns a free way, else the next one in round-robin order.
static struct line *room(struct model *c, uint64_t address)
{
	struct line *set = c->sets[address / LINE % SETS];
	unsigned turn = c->turn;

	c->turn = (turn + 1) % WAYS;
	for (unsigned i = 0; i < WAYS; i++)
		if (set[i].state == INVALID)
			return &set[i];
	return &set[turn];
}

static void draw_access(struct system *s)
{
	struct rng *random = &s->b.random;
	struct access *a = &s->core;
	unsigned size = 1U << random->below(4);

	a->valid = true;
	a->kind = static_cast<enum kind>(random->below(3));
	a->writes = a->kind != LOAD;
	a->reads_first = a->kind == AMO;
	a->address = draw_address(&s->memory, random) / size * size;
	a->data = random->next();
	a->mask = ~UINT64_C(0) >> (64 - 8 * size) << a->address % 8 * 8;
}

// Keeps pending requests and sometimes makes new ones; a store-conditional may be
// withdrawn.
static void draw(struct system *s)
{
	struct rng *random = &s->b.random;

	if (random->once_in(200))
		move_on(&s->memory, random);
	if (s->core.valid && random->once_in(100)) {
		s->core.valid = false;
		s->counts.withdrawn++;
	} else if (!s->core.valid && !random->once_in(4)) {
		draw_access(s);
	}
	if (!s->table.valid && random->once_in(10))
		s->table = {true, draw_address(&s->memory, random) / 8 * 8};
	if (!s->probe.valid && random->once_in(20))
		s->probe = {true, false, static_cast<enum probe_op>(random->below(3)),
			    line_of(draw_address(&s->memory, random))};
	s->probe.waits = COHERENT && random->once_in(4);
}

// Returns whether a beat arrives in this cycle; beats arrive together or with pauses.
static bool beat_comes(struct system *s)
{
	return s->answers && s->delay == 0;
}

static void drive(struct system *s)
{
	Vdut *dut = &s->b.dut;
	const struct access *a = &s->core;
	uint64_t beat = s->cache.wanted.address + 8 * s->cache.beat;

	dut->req_i = a->valid;
	dut->write_i = a->writes;
	dut->store_i = a->writes && !a->reads_first;
	dut->amo_i = a->writes && a->reads_first;
	dut->addr_i = a->address;
	dut->wdata_i = a->data;
	dut->wmask_i = a->mask;
	dut->table_req_i = s->table.valid;
	dut->table_addr_i = s->table.address;
	dut->probe_valid_i = s->probe.valid;
	dut->probe_stall_i = s->probe.waits;
	pack_pin(dut->probe_i, probe_pin{s->probe.address & ADDRESS_MASK,
					 static_cast<unsigned>(s->probe.op) & 3});
	dut->wb_ready_i = !COHERENT || !s->b.random.once_in(4);
	dut->dmem_dram_i = s->b.random.once_in(2);
	dut->dmem_rsp_valid_i = beat_comes(s);
	pack_pin(dut->dmem_rsp_i,
		 line_rsp{beat_comes(s) ? read(&s->memory, s->memory.below, beat)
					: s->b.random.next(),
			  s->grants, 0});
	s->b.settle();
}

// Request outputs are 0 when there is no request.
static void check_memory_side(struct system *s)
{
	struct model *c = &s->cache;
	bool sends =
	    c->phase == SENDS_VICTIM || c->phase == SENDS_PROBED || c->phase == SNOOPED;
	line_req req = unpack_pin<line_req>(s->b.dut.dmem_req_o);
	writeback wb = unpack_pin<writeback>(s->b.dut.wb_o);

	CHECK_EQ(s->b.dut.dmem_req_valid_o, c->asks);
	CHECK_EQ(req.addr, c->asks ? c->wanted.address : 0);
	CHECK_EQ(req.excl, c->asks && c->excl);
	CHECK_EQ(req.upgrade, c->asks && c->upgrade);
	CHECK_EQ(s->b.dut.wb_valid_o, sends);
	CHECK_EQ(wb.addr, sends ? c->out + 8 * c->beat : 0);
	if (sends && CHECK_EQ(wb.data, read(&s->memory, s->memory.seen, wb.addr)) &&
	    s->b.dut.wb_ready_i)
		write(&s->memory, s->memory.below, wb.addr, wb.data);
	CHECK_EQ(s->b.dut.dmem_rsp_ready_o, c->phase != SNOOPED);
	CHECK_EQ(s->b.dut.quiescent_o, c->phase == FILLS && !c->asks && c->beat == 0);
	CHECK_EQ(s->b.dut.dram_o, c->dram);
}

static void begin(struct model *c, enum phase phase)
{
	c->phase = phase;
	c->beat = 0;
	c->asks = phase == FILLS;
}

static void miss(struct system *s, uint64_t address, bool writes, struct line *line)
{
	struct model *c = &s->cache;

	c->excl = writes;
	c->upgrade = line != nullptr;
	c->place = line ? line : room(c, address);
	c->wanted = {INVALID, line_of(address)};
	c->out = c->place->address;
	c->dram = false;
	s->evicts = !line && c->place->state != INVALID;
	s->counts.upgrades += c->upgrade;
	s->counts.evictions += s->evicts;
	begin(c, c->place->state == MODIFIED ? SENDS_VICTIM : FILLS);
	if (!line)
		c->place->state = INVALID;
}

static void hit(struct system *s, uint64_t address, struct line *line)
{
	uint64_t old = read(&s->memory, s->memory.seen, address);
	struct access *a = &s->core;

	CHECK_EQ(s->b.dut.rdata_o, old);
	if (!a->valid) {
		s->table.valid = false;
		s->counts.tables++;
		return;
	}
	if (a->writes && !a->reads_first) {
		line->state = MODIFIED;
		write(&s->memory, s->memory.seen, address,
		      (old & ~a->mask) | (a->data & a->mask));
	}
	s->cache.holds = COHERENT && a->reads_first;
	a->valid = a->reads_first;
	a->reads_first = false;
	s->counts.hits[a->kind]++;
}

// The core has priority.
static void serve(struct system *s)
{
	struct access *a = &s->core;
	uint64_t address = a->valid ? a->address : s->table.address;
	struct line *line = find(&s->cache, address);
	bool writes = a->valid && a->writes;
	bool hits = line && !(writes && line->state == SHARED);

	CHECK_EQ(s->b.dut.hit_o, hits && a->valid);
	CHECK_EQ(s->b.dut.table_ack_o, hits && !a->valid);
	CHECK_EQ(s->b.dut.probe_ack_o, 0);
	if (hits)
		hit(s, address, line);
	else
		miss(s, address, writes, line);
}

static void no_answer(struct system *s)
{
	CHECK_EQ(s->b.dut.hit_o, 0);
	CHECK_EQ(s->b.dut.table_ack_o, 0);
	if (s->core.valid && s->core.kind == AMO && !s->core.reads_first) {
		s->core.reads_first = true; // it lost the line and reads again
		s->counts.refused++;
	}
}

// The probe has been answered; `line` is the line it found.
static void give_up(struct system *s, struct line *line)
{
	CHECK_EQ(s->b.dut.probe_ack_o, 1);
	CHECK_EQ(s->b.dut.probe_kept_o, line && s->probe.op == TO_SHARED);
	s->counts.kept[s->b.dut.probe_kept_o]++;
	s->probe.valid = false;
	s->counts.gone[s->probe.op]++;
	if (line)
		line->state = s->probe.op == TO_SHARED ? SHARED : INVALID;
	if (s->probe.op != TO_SHARED && s->b.random.once_in(2))
		write_elsewhere(&s->memory, &s->b.random, s->probe.address);
}

static void answer_probe(struct system *s)
{
	struct line *line = find(&s->cache, s->probe.address);

	no_answer(s);
	if (!line || line->state != MODIFIED) {
		give_up(s, line);
		return;
	}
	CHECK_EQ(s->b.dut.probe_ack_o, 0);
	s->cache.out = line->address;
	begin(&s->cache, SENDS_PROBED);
}

static void send(struct system *s)
{
	struct model *c = &s->cache;
	enum phase phase = c->phase;
	bool ready = s->b.dut.wb_ready_i, last = ready && c->beat == BEATS - 1;

	no_answer(s);
	if (phase == SENDS_VICTIM || !last)
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
	if (phase == SNOOPED) {
		c->dram = s->b.dut.dmem_dram_i;
		s->delay -= s->delay > 0;
		s->counts.waiting_beats += beat_comes(s);
	}
	c->beat += ready;
	if (!last)
		return;
	if (phase != SENDS_VICTIM)
		give_up(s, find(c, c->out));
	begin(c, phase == SENDS_PROBED ? READY : FILLS);
	c->asks = phase == SENDS_VICTIM;
}

// Justified requests are granted as made; the memory decides about others.
static void ask(struct system *s)
{
	struct model *c = &s->cache;

	c->asks = false;
	s->answers = true;
	s->grants = c->upgrade || s->b.random.once_in(2);
	s->delay = s->b.random.below(20);
}

static void take_beat(struct system *s)
{
	struct model *c = &s->cache;

	s->delay = s->b.random.once_in(4) ? s->b.random.below(4) : 0;
	if (++c->beat < (c->upgrade ? 1 : BEATS))
		return;
	s->answers = false;
	c->wanted.state = s->grants ? EXCLUSIVE : SHARED;
	*c->place = c->wanted;
	begin(c, READY);
	c->holds = COHERENT;
}

// A probe during a miss
static void snoop(struct system *s)
{
	struct model *c = &s->cache;
	struct line *line = find(c, s->probe.address);
	enum probe_op op = s->probe.op;

	s->counts.snooped++;
	if (line && line->state == MODIFIED) {
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
		c->out = line->address;
		c->phase = SNOOPED;
		return;
	}
	give_up(s, line);
	if (line && line == c->place && op != TO_SHARED) {
		c->upgrade = false;
		s->counts.lost_upgrades++;
	}
}

static void fill(struct system *s)
{
	struct model *c = &s->cache;

	no_answer(s);
	c->dram = s->b.dut.dmem_dram_i;
	if (COHERENT && s->probe.valid && !s->probe.waits && !c->asks && c->beat == 0 &&
	    !beat_comes(s)) {
		s->delay--;
		snoop(s);
		return;
	}
	CHECK_EQ(s->b.dut.probe_ack_o, 0);
	if (c->asks)
		ask(s);
	else if (s->delay)
		s->delay--;
	else
		take_beat(s);
}

// No access, miss or probe is in progress.
static void ready(struct system *s)
{
	bool holds = s->cache.holds;

	s->cache.holds = false;
	s->counts.held += s->probe.valid && holds;
	if (s->probe.valid && !s->probe.waits && !holds) {
		answer_probe(s);
	} else if (s->core.valid || s->table.valid) {
		serve(s);
	} else {
		no_answer(s);
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
	}
}

static void step(struct system *s)
{
	struct model *c = &s->cache;

	draw(s);
	drive(s);
	check_memory_side(s);
	s->evicts = false;
	s->counts.phases[c->phase]++;
	if (c->phase == CLEARS) {
		no_answer(s);
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
		if (++c->beat == SETS)
			begin(c, READY);
	} else if (c->phase == FILLS) {
		fill(s);
	} else if (c->phase == READY) {
		ready(s);
	} else {
		send(s);
	}
	CHECK_EQ(s->b.dut.evict_o, s->evicts);
	CHECK_EQ(s->b.dut.evict_line_o, s->evicts ? c->out / LINE : 0);
	s->b.edge();
}

// Dirty data is lost.
static void reset(struct system *s)
{
	s->core.valid = s->table.valid = s->probe.valid = s->answers = false;
	s->cache = {};
	memcpy(s->memory.seen, s->memory.below, sizeof(s->memory.seen));
	drive(s);
	s->b.reset();
}

static void check_counts(const struct counts *n)
{
	for (unsigned i = 0; i < PHASES; i++)
		CHECK(n->phases[i] >= 1000 || (!COHERENT && i == SNOOPED));
	for (unsigned hits : n->hits)
		CHECK(hits >= 1000);
	for (unsigned gone : n->gone)
		CHECK(gone >= 1000);
	CHECK(n->upgrades >= 1000 && n->tables >= 1000);
	CHECK(n->evictions >= 1000 && n->withdrawn >= 100);
	for (unsigned kept : n->kept)
		CHECK(kept >= 100);
	if (COHERENT) {
		CHECK(n->refused == 0 && n->snooped >= 1000 && n->held >= 100);
		CHECK(n->lost_upgrades >= 10 && n->waiting_beats >= 100);
	} else {
		CHECK(n->refused >= 100);
	}
}

int main()
{
	static struct system s(1);

	init_memory(&s.memory, &s.b.random);
	for (unsigned i = 0; i < 40 && going_well(); i++) {
		reset(&s);
		for (unsigned cycles = s.b.random.below(20000); cycles && going_well();
		     cycles--)
			step(&s);
	}
	if (going_well())
		check_counts(&s.counts);
	return bench_done();
}
