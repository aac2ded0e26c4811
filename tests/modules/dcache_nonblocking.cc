// SPDX-License-Identifier: Apache-2.0
// The non-blocking L1 data cache between a core, a walker and a memory that probes it,
// compared with an array of bytes. The header of rtl/cache/dcache_nonblocking.sv
// determines which lines it holds, in which states, and what it does in each cycle; only
// the numbers of misses are its own choice.
#include "dcache_nonblocking/state.h"

/* ------------------------------------------------------------ inputs */

static void draw_access(struct system *s, struct access *a)
{
	struct rng *random = &s->b.random;
	unsigned size = 1U << random->below(4);

	*a = {};
	a->valid = true;
	a->kind = static_cast<enum kind>(random->below(KINDS));
	a->writes = a->kind != LOAD;
	a->reads_first = a->kind == AMO;
	a->address = draw_address(&s->memory, random) / size * size;
	a->data = random->next();
	a->mask = ~UINT64_C(0) >> (64 - 8 * size) << a->address % 8 * 8;
}

// Chooses who has the port, which may be nobody.
static void draw_core(struct system *s)
{
	struct rng *random = &s->b.random;
	unsigned who = s->mode == HOSTILE ? 0 : random->below(ASKERS);

	if (s->keeps_port) {
		CHECK(++s->patience < PATIENCE);
		return;
	}
	s->core = &s->askers[who];
	if (!s->core->valid || (s->mode != HOSTILE && random->once_in(100)))
		draw_access(s, s->core); // the old one was on a wrong path
	if (s->mode != HOSTILE && random->once_in(5))
		s->core = &s->idle;
	if (s->core->sleeps || (s->mode == HOSTILE && s->core->waits)) {
		s->core->sleeps -= s->core->sleeps > 0;
		s->core = &s->idle;
	}
	s->keeps_port = s->core->valid && s->mode != HOSTILE && random->once_in(20);
	s->patience = 0;
}

static void draw_probe(struct system *s)
{
	struct rng *random = &s->b.random;
	struct probe_request *p = &s->probe;
	bool hostile = s->mode == HOSTILE;

	if (!p->valid && !p->waits && (hostile || random->once_in(20)))
		*p = {true, false, static_cast<enum probe_op>(random->below(3)),
		      line_of(hostile && s->askers[0].valid
				  ? s->askers[0].address
				  : draw_address(&s->memory, random))};
	p->waits = p->valid && COHERENT && random->once_in(4);
}

// Chooses the beat that comes in this cycle.
static void draw_beat(struct system *s)
{
	struct rng *random = &s->b.random;
	unsigned first = random->below(MISSES);

	for (struct answer &a : s->answers)
		a.delay -= a.valid && a.delay > 0;
	if (s->stands)
		return;
	s->sends = -1;
	for (unsigned i = 0; i < MISSES; i++) {
		unsigned number = (first + i) % MISSES;
		const struct answer *a = &s->answers[number];

		if (a->valid && a->delay == 0)
			s->sends = static_cast<int>(number);
	}
}

static void draw(struct system *s)
{
	struct rng *random = &s->b.random;

	if (random->once_in(200))
		move_on(&s->memory, random);
	draw_core(s);
	draw_probe(s);
	draw_beat(s);
	if (!s->table && s->mode != HOSTILE && random->once_in(10))
		s->table = draw_address(&s->memory, random) / 8 * 8;
	else if (random->once_in(100))
		s->table = 0;
}

static void drive(struct system *s)
{
	Vdut *dut = &s->b.dut;
	const struct access *a = s->core;
	const struct answer *beat = s->sends < 0 ? nullptr : &s->answers[s->sends];
	line_rsp rsp = line_rsp();

	dut->req_i = a->valid;
	dut->write_i = a->valid ? a->writes : s->b.random.once_in(2);
	dut->store_i = a->valid ? a->writes && !a->reads_first && a->kind != ASK
				: s->b.random.once_in(2);
	dut->amo_i = a->valid ? a->writes && a->reads_first : s->b.random.once_in(2);

	dut->addr_i = a->address;
	dut->wdata_i = a->data;
	dut->wmask_i = a->mask;
	dut->table_req_i = s->table != 0;
	dut->table_addr_i = s->table;
	dut->probe_valid_i = s->probe.valid;
	dut->probe_stall_i = s->probe.waits;
	pack_pin(dut->probe_i, probe_pin{s->probe.address & ADDRESS_MASK,
					 static_cast<unsigned>(s->probe.op) & 3});
	dut->wb_ready_i = !COHERENT || !s->b.random.once_in(4);
	dut->dmem_dram_i = s->b.random.once_in(2);
	dut->dmem_rsp_valid_i = beat != nullptr;
	rsp.data = s->b.random.next();
	if (beat) {
		rsp.id = static_cast<unsigned>(s->sends) & 7;
		rsp.excl = beat->grants;
		if (!beat->upgrade)
			rsp.data = read(&s->memory, s->memory.below,
					beat->line + 8 * beat->beat);
	}
	pack_pin(dut->dmem_rsp_i, rsp);
	s->b.settle();
}

/* ------------------------------------------------------------ registers */

// The miss of the last cycle gets its number, and the memory its request.
static void take_request(struct system *s)
{
	struct model *c = &s->cache;
	line_req req = unpack_pin<line_req>(s->b.dut.dmem_req_o);
	bool hostile = s->mode == HOSTILE;

	CHECK_EQ(s->b.dut.dmem_req_valid_o, c->asks);
	CHECK_EQ(req.addr, c->asks ? c->next.line : 0);
	CHECK_EQ(req.excl, c->asks && c->next.excl);
	CHECK_EQ(req.upgrade, c->asks && c->next.upgrade);
	CHECK_EQ(s->b.dut.evict_o, c->evicts);
	if (c->evicts)
		CHECK_EQ(s->b.dut.evict_line_o, c->evicted / LINE);
	c->evicts = false;
	if (!c->asks || !CHECK(c->choices >> req.id & 1))
		return;
	if (c->misses[req.id].held)
		count(s, NUMBER_TAKEN);
	c->misses[req.id] = c->next;
	c->asked = req.id;
	s->most = pending(c) > s->most ? pending(c) : s->most;
	s->answers[req.id] = {true,
			      c->next.upgrade,
			      c->next.upgrade || (hostile && c->next.excl) ||
				  s->b.random.once_in(2),
			      c->next.line,
			      1 + s->b.random.below(s->mode == SLOW ? 200 : 20),
			      0,
			      ++s->turns};
}

static void check_registers(struct system *s)
{
	struct model *c = &s->cache;
	const struct write_back *out = &c->out;
	writeback wb = unpack_pin<writeback>(s->b.dut.wb_o);
	bool quiescent = c->cleared == SETS && !c->asks && !out->valid;

	for (const struct miss &m : c->misses)
		quiescent = quiescent && !m.held && !m.started;
	s->still = quiescent;
	CHECK_EQ(s->b.dut.dram_o, c->dram);
	c->dram = (c->dram || pending(c)) && pending(c) && s->b.dut.dmem_dram_i;
	CHECK_EQ(s->b.dut.wb_valid_o, out->valid);
	CHECK_EQ(wb.addr, out->valid ? out->line + 8 * out->beat : 0);
	if (out->valid && CHECK_EQ(wb.data, read(&s->memory, s->memory.seen, wb.addr)) &&
	    s->b.dut.wb_ready_i)
		write(&s->memory, s->memory.below, wb.addr, wb.data);
}

/* ------------------------------------------------------------ accesses */

static void begin_write_back(struct model *c, const struct line *line, bool for_probe)
{
	c->out = {true, for_probe, false, line->address, line, 0};
}

// Returns whether the miss is remembered.
static bool begin_miss(struct system *s, uint64_t address, bool writes, struct line *line)
{
	struct model *c = &s->cache;
	struct line *place = line ? line : room(c, address);
	bool dirty = place && !line && place->state == MODIFIED;
	unsigned idle = 0, held = 0;

	for (unsigned i = 0; i < MISSES; i++) {
		idle |= (!c->misses[i].pending && !c->misses[i].held) * 1U << i;
		held |= (!c->misses[i].pending && c->misses[i].held) * 1U << i;
	}
	if (!(idle | held))
		count(s, ALL_IN_USE);
	if (!place || !(idle | held))
		return false;
	if (c->out.valid && (dirty || c->out.line == line_of(address))) {
		count(s, dirty ? VICTIM_WAITS : REFETCHED);
		return false;
	}
	for (struct miss &m : c->misses)
		m.held = m.held && m.line != line_of(address);
	c->choices = idle ? idle : held;
	c->asks = true;
	c->next = {true, false, false, false, line != nullptr, writes, line_of(address),
		   place};
	c->evicts = !line && place->state != INVALID;
	c->evicted = place->address;
	if (line)
		count(s, UPGRADE);
	if (dirty) {
		count(s, VICTIM);
		begin_write_back(c, place, false);
	}
	if (!line) {
		place->state = INVALID;
		c->turn = (c->turn + 1) % WAYS;
	}
	return true;
}

static void no_hit(struct system *s, uint64_t address, bool writes, struct line *line)
{
	struct model *c = &s->cache;
	struct access *a = s->core;
	const struct miss *known = find_miss(c, address);
	bool comes = false, waits;

	if (known) {
		count(s, MERGED);
		comes = s->b.dut.filled_o && &c->misses[s->sends] == known;
		waits = !comes;
	} else {
		waits = begin_miss(s, address, writes, line);
	}
	CHECK_EQ(s->b.dut.waits_o, waits && a->valid);
	CHECK(!a->valid || !a->woken);
	a->waits = waits && a->valid;
}

static void hit(struct system *s, uint64_t address, struct line *line)
{
	uint64_t old = read(&s->memory, s->memory.seen, address);
	struct access *a = s->core;
	bool stores = a->writes && !a->reads_first && a->kind != ASK;

	CHECK_EQ(s->b.dut.rdata_o, old);
	count(s, a->valid ? HIT + a->kind : TABLE);
	if (pending(&s->cache))
		count(s, HIT_UNDER_MISS);
	for (struct miss &m : s->cache.misses)
		if (m.line == line->address && (!m.excl || (a->valid && a->writes)))
			m.held = false;
	if (!a->valid) {
		s->table = 0;
		return;
	}
	if (stores) {
		line->state = MODIFIED;
		write(&s->memory, s->memory.seen, address,
		      (old & ~a->mask) | (a->data & a->mask));
	}
	s->cache.holds = a->reads_first;
	a->valid = s->keeps_port = a->reads_first;
	a->reads_first = a->woken = false;
}

static void no_answer(struct system *s)
{
	CHECK_EQ(s->b.dut.hit_o, 0);
	CHECK_EQ(s->b.dut.waits_o, 0);
	CHECK_EQ(s->b.dut.table_ack_o, 0);
	CHECK(!s->core->valid || s->core->kind != AMO || s->core->reads_first);
}

// The core has priority.
static void serve(struct system *s)
{
	struct access *a = s->core;
	uint64_t address = a->valid ? a->address : s->table;
	struct line *line = find(&s->cache, address);
	bool writes = a->valid && a->writes;
	bool hits = line && !(writes && line->state == SHARED);

	CHECK_EQ(s->b.dut.hit_o, hits && a->valid);
	CHECK_EQ(s->b.dut.table_ack_o, hits && !a->valid);
	if (hits)
		hit(s, address, line);
	else
		no_hit(s, address, writes, line);
}

/* ------------------------------------------------------------ probes */

// The probe has been answered.
static void give_up(struct system *s, bool kept)
{
	CHECK_EQ(s->b.dut.probe_ack_o, 1);
	CHECK_EQ(s->b.dut.probe_kept_o, kept);
	s->probe.valid = false;
	s->probe.waits = true; // a cycle without a probe follows
	count(s, PROBED + s->probe.op);
	s->cases[KEPT].count += kept;
	if (s->probe.op != TO_SHARED && s->b.random.once_in(2))
		write_elsewhere(&s->memory, &s->b.random, s->probe.address);
}

static void answer_probe(struct system *s)
{
	struct model *c = &s->cache;
	struct line *line = find(c, s->probe.address);
	struct miss *m = find_miss(c, s->probe.address);
	bool shares = s->probe.op == TO_SHARED,
	     modified = line && line->state == MODIFIED;

	no_answer(s);
	if (pending(c))
		count(s, PROBED_IN_MISS);
	if (line && m && m->upgrade && !shares) {
		m->upgrade = s->answers[m - c->misses].upgrade = false;
		count(s, UPGRADE_LOST);
	}
	if (modified) {
		begin_write_back(c, line, true);
		c->out.kept = shares;
	}
	if (line)
		line->state = shares ? SHARED : INVALID;
	if (modified)
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
	else
		give_up(s, line && shares);
}

// Returns whether the probe is served in this cycle.
static bool serves_probe(struct system *s, bool takes)
{
	struct model *c = &s->cache;
	bool serves = s->probe.valid && !s->probe.waits && !c->out.valid && !c->holds;

	if (s->probe.valid && c->holds)
		count(s, SECOND_CYCLE);
	for (unsigned i = 0; s->probe.valid && i < MISSES; i++) {
		const struct miss *m = &c->misses[i];
		bool begins = takes && s->sends == static_cast<int>(i);
		bool asks = c->asks && c->asked == i;

		if (m->line != s->probe.address)
			continue;
		if (m->held)
			count(s, PROBE_HELD);
		if (m->held ||
		    (m->pending && (!COHERENT || m->started || begins || asks)))
			serves = false;
	}
	return serves;
}

/* ------------------------------------------------------------ lines and time */

static void check_order(struct system *s, const struct answer *a)
{
	for (const struct answer &other : s->answers)
		if (other.valid && other.turn < a->turn) {
			count(s, OUT_OF_ORDER);
			return;
		}
}

static void take_beat(struct system *s)
{
	struct answer *a = &s->answers[s->sends];
	struct miss *m = &s->cache.misses[s->sends];
	bool last = a->upgrade || a->beat == BEATS - 1;

	CHECK_EQ(s->b.dut.filled_o, last);
	a->delay = s->b.random.once_in(4) ? s->b.random.below(4) : 0;

	for (const struct miss &other : s->cache.misses)
		s->cases[INTERLEAVED].count += other.started && &other != m;
	m->started = !last;

	a->beat++;
	if (!last)
		return;
	check_order(s, a);
	a->valid = m->pending = m->old = false;
	m->held = true;
	*m->place = {a->grants ? EXCLUSIVE : SHARED, m->line};
	for (struct access &who : s->askers) {
		if (!who.waits || line_of(who.address) != m->line)
			continue;
		if (s->mode == HOSTILE) {
			who.waits = false;
			who.woken = true;
			who.sleeps = s->b.random.below(HOLD);
			count(s, WOKEN);
		}
	}
}

// Lines that are held become old.
static void pass_time(struct system *s, unsigned held)
{
	struct model *c = &s->cache;

	if (!held)
		return;
	if (c->hold == HOLD - 1) {
		for (unsigned i = 0; i < MISSES; i++) {
			struct miss *m = &c->misses[i];

			if (!(held >> i & 1))
				continue;
			s->cases[HOLD_EXPIRED].count += m->held && m->old;
			m->held = m->held && !m->old;
			m->old = true;
		}
	}
	c->hold = (c->hold + 1) % HOLD;
}

static void send(struct system *s)
{
	struct write_back *out = &s->cache.out;

	out->beat += s->b.dut.wb_ready_i;
	if (out->beat < BEATS) {
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
		return;
	}
	out->valid = false;
	if (out->for_probe)
		give_up(s, out->kept);
	else
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
}

static bool is_in_the_way(const struct system *s)
{
	const struct write_back *out = &s->cache.out;

	return COHERENT && out->valid && s->cache.misses[s->sends].place == out->place;
}

static void step(struct system *s)
{
	struct model *c = &s->cache;
	unsigned held = 0;

	draw(s);
	drive(s);
	take_request(s);
	check_registers(s);
	for (unsigned i = 0; i < MISSES; i++)
		held |= c->misses[i].held * 1U << i;
	const bool sends = c->out.valid;
	const bool takes = s->sends >= 0 && !is_in_the_way(s);
	if (s->sends >= 0)
		CHECK_EQ(s->b.dut.dmem_rsp_ready_o, takes);
	s->stands = s->sends >= 0 && !takes;
	s->cases[BEAT_WAITS].count += s->stands;
	if (c->cleared < SETS) {
		no_answer(s);
		CHECK_EQ(s->b.dut.quiescent_o, 0);
		c->cleared++;
		s->b.edge();
		return;
	}
	const bool served = serves_probe(s, takes);
	c->holds = c->asks = false;
	if (!served && !s->probe.valid)
		s->probe.waits = false;
	if (served)
		answer_probe(s);
	else if (s->core->valid || s->table)
		serve(s);
	else
		no_answer(s);
	CHECK_EQ(s->b.dut.quiescent_o,
		 s->still && !c->asks && !s->b.dut.hit_o && !s->b.dut.table_ack_o);
	if (takes)
		take_beat(s);
	else
		CHECK_EQ(s->b.dut.filled_o, 0);
	if (sends)
		send(s);
	else if (!served)
		CHECK_EQ(s->b.dut.probe_ack_o, 0);
	pass_time(s, held);
	s->b.edge();
}

/* ------------------------------------------------------------ runs */

// Dirty data is lost.
static void reset(struct system *s)
{
	for (struct access &a : s->askers)
		a = {};
	for (struct answer &a : s->answers)
		a = {};
	s->core = &s->idle;
	s->keeps_port = s->stands = false;
	s->table = 0;
	s->probe = {};
	s->sends = -1;
	s->cache = {};
	memcpy(s->memory.seen, s->memory.below, sizeof(s->memory.seen));
	drive(s);
	s->b.reset();
}

// Some cases need several misses, others probes during misses, or more sets.
static void check_cases(struct system *s)
{
	const int coherent[] = {UPGRADE_LOST, BEAT_WAITS};
	const int several[] = {OUT_OF_ORDER, INTERLEAVED, NUMBER_TAKEN, VICTIM_WAITS,
			       HOLD_EXPIRED};

	for (int number : coherent)
		s->cases[number].count += COHERENT ? 0 : 100;
	for (int number : several)
		s->cases[number].count += MISSES > 1 ? 0 : 100;
	check_covered(s->cases, 100);
}

int main()
{
	static struct system s(1);

	init_memory(&s.memory, &s.b.random);
	for (unsigned i = 0; i < 200 && going_well(); i++) {
		s.mode = i % 4 == 3 ? HOSTILE : i % 4 == 2 ? SLOW : RANDOM;
		reset(&s);
		for (unsigned cycles = s.b.random.below(20000); cycles && going_well();
		     cycles--)
			step(&s);
	}
	if (going_well()) {
		CHECK_EQ(s.most, MISSES);
		check_cases(&s);
	}
	return bench_done();
}
