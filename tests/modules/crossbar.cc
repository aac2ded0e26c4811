// SPDX-License-Identifier: Apache-2.0
// The crossbar between real L1Ds, L1Is, DMA and memory: loads, stores, LR, SC, AMOs,
// fetches and DMA on few lines, compared with an array that has the values written last.
// A line has one writer or several readers, a reservation ends with each write of
// another agent and not otherwise, and all that is asked for ends, in turn.
#include "crossbar/memory.h"
#include "crossbar/others.h"

/* ------------------------------------------------------------ requests */

static enum kind draw_kind(struct system *s)
{
	unsigned sum = 0;

	for (unsigned weight : s->mix.weights)
		sum += weight;
	unsigned at = s->b.random.below(sum);
	for (unsigned k = 0; k < KINDS; k++) {
		if (at < s->mix.weights[k])
			return static_cast<enum kind>(k);
		at -= s->mix.weights[k];
	}
	return LOAD;
}

// An SC is often to the line of the LR.
static void draw_access(struct system *s, unsigned hart)
{
	struct rng *random = &s->b.random;
	struct access *a = &s->core[hart];
	unsigned size = 1U << random->below(4);

	*a = {};
	a->valid = true;
	a->kind = draw_kind(s);
	a->line = random->below(s->mix.lines);
	a->word = random->below(s->mix.words);
	if (a->kind == SC && !random->once_in(8))
		a->line = s->reservations[hart].line;
	a->reads_first = a->kind == AMO;
	a->data = random->next();
	a->mask = a->kind == STORE
		      ? ~UINT64_C(0) >> (64 - 8 * size)
					    << 8 * size * random->below(8 / size)
		      : ~UINT64_C(0);
	a->since = s->cycle;
}

// An LR, and an SC that adds 1, in turn.
static void draw_count(struct system *s, unsigned hart)
{
	struct access *a = &s->core[hart];
	bool next = a->kind == LR;

	*a = {};
	a->valid = true;
	a->kind = next ? SC : LR;
	a->data = s->seen[hart] + 1;
	a->mask = ~UINT64_C(0);
	a->since = s->cycle;
}

static void draw(struct system *s)
{
	for (unsigned h = 0; h < HARTS; h++) {
		struct access *table = &s->table[h];

		s->release[h] = !s->mix.counts && one_in(s, 300);
		// M has priority over the walker, for which it waits in the end.
		if (!s->core[h].valid && !s->drains && one_in(s, s->mix.access) &&
		    (!table->valid || s->cycle - table->since < 300)) {
			if (s->mix.counts)
				draw_count(s, h);
			else
				draw_access(s, h);
		}
		if (table->valid || s->drains || !one_in(s, s->mix.table))
			continue;
		*table = {};
		table->valid = true;
		table->line = s->b.random.below(s->mix.lines);
		table->word = s->b.random.below(WORDS);
		table->since = s->cycle;
	}
}

// A load of a non-blocking L1D, or a question whether a store would hit, in place of an
// access that can be repeated.
static void draw_stray(struct system *s, unsigned h)
{
	const struct access *a = &s->core[h];
	const struct access *table = &s->table[h];
	bool held = a->valid && (a->kind == SC || (a->kind == AMO && !a->reads_first));

	s->strays[h] = {};
	held |= table->valid && s->cycle - table->since >= 300; // as in draw()
	if (MISSES == 1 || held || s->drains || !one_in(s, s->mix.stray))
		return;
	s->strays[h].valid = true;
	s->strays[h].kind = one_in(s, 4) ? STORE : LOAD;
	s->strays[h].line = s->b.random.below(s->mix.lines);
}

static void drive_stray(struct system *s, unsigned h)
{
	Vdut *dut = &s->b.dut;
	const struct access *a = &s->strays[h];

	put_bit(dut->req_i, h, true);
	put_bit(dut->write_i, h, a->kind == STORE);
	put_bit(dut->store_i, h, false);
	put_bit(dut->amo_i, h, false);
	put_bit(dut->sc_i, h, false);
	put(dut->addr_i, h, 64 * a->line);
}

static void drive_hart(struct system *s, unsigned h)
{
	Vdut *dut = &s->b.dut;
	const struct access *a = &s->core[h], *table = &s->table[h];
	bool stores = a->kind == STORE || a->kind == AMO || a->kind == SC;

	put_bit(dut->req_i, h, a->valid && a->kind != SC);
	put_bit(dut->write_i, h, stores || a->kind == LR);
	put_bit(dut->store_i, h, stores && !a->reads_first);
	put_bit(dut->amo_i, h, a->reads_first);
	put_bit(dut->sc_i, h, a->valid && a->kind == SC);
	put(dut->addr_i, h, 64 * a->line + 8 * a->word);
	put(dut->wdata_i, h, a->kind == AMO ? a->old + a->data : a->data);
	put(dut->wmask_i, h, a->mask);
	put_bit(dut->table_req_i, h, table->valid);
	put(dut->table_addr_i, h, 64 * table->line + 8 * table->word);
	put_bit(dut->reserve_i, h, false);
	put_bit(dut->release_i, h, s->release[h]);
	if (s->strays[h].valid)
		drive_stray(s, h);
}

// Outputs on which the hart's own inputs depend come first.
static void drive(struct system *s)
{
	Vdut *dut = &s->b.dut;

	for (unsigned h = 0; h < HARTS; h++) {
		draw_stray(s, h);
		drive_hart(s, h);
	}
	memory_drive(s);
	others_drive(s);
	s->b.settle();
	for (unsigned h = 0; h < HARTS; h++)
		if (s->core[h].valid && s->core[h].kind == SC && !s->strays[h].valid)
			put_bit(dut->req_i, h, !(dut->sc_fails_o >> h & 1));
	s->b.settle();
	for (unsigned h = 0; h < HARTS; h++) {
		bool hits = dut->hit_o >> h & 1;
		bool fails = dut->sc_i & dut->sc_fails_o & 1U << h;
		bool stores = dut->store_i >> h & 1;

		hits &= !s->strays[h].valid;
		put_bit(dut->reserve_i, h, hits && s->core[h].kind == LR);
		put_bit(dut->release_i, h, s->release[h] || (hits && stores) || fails);
	}
	s->b.settle();
}

/* ------------------------------------------------------------ results */

static void end(struct system *s, unsigned hart)
{
	struct access *a = &s->core[hart];

	a->valid = false;
	s->counts.done[a->kind]++;
	waited(s, 0, a->since);
}

// An SC fails only if its own hart or a probe has ended the reservation.
static void fail(struct system *s, unsigned hart)
{
	const struct access *a = &s->core[hart];
	struct reservation *r = &s->reservations[hart];

	CHECK(r->dropped || r->line != a->line || r->probed);
	s->counts.sc_dropped += r->dropped;
	s->counts.sc_lost += !r->dropped && r->line == a->line;
	r->dropped = true;
	end(s, hart);
}

// Checks the value that an access reads. Writes follow after those of all harts.
static void read(struct system *s, unsigned hart)
{
	struct access *a = &s->core[hart];
	struct reservation *r = &s->reservations[hart];
	uint64_t value = get(s->b.dut.rdata_o, hart);

	CHECK_EQ(value, s->latest[a->line][a->word]);
	if (a->kind == SC)
		CHECK(r->valid && !r->dropped && r->line == a->line);
	if (a->kind == AMO && !a->reads_first)
		CHECK_EQ(a->old, value);
	if (a->kind == LR)
		*r = {true, false, false, a->line};
	a->old = value;
	if (a->kind == LR)
		s->seen[hart] = value;
}

static void write(struct system *s, unsigned hart)
{
	struct access *a = &s->core[hart];
	uint64_t *word = &s->latest[a->line][a->word];
	uint64_t data = a->kind == AMO ? a->old + a->data : a->data;

	if (a->reads_first) {
		a->reads_first = false;
		return;
	}
	if (a->kind != LOAD && a->kind != LR) {
		*word = (*word & ~a->mask) | (data & a->mask);
		written(s, hart, a->line);
		s->reservations[hart].dropped = true;
		s->adds[hart] += a->kind == SC;
	}
	end(s, hart);
}

static void read_stray(struct system *s, unsigned hart)
{
	if (!(s->b.dut.hit_o >> hart & 1))
		return;
	CHECK_EQ(get(s->b.dut.rdata_o, hart), s->latest[s->strays[hart].line][0]);
	s->counts.strays++;
}

static void finish_accesses(struct system *s)
{
	const Vdut *dut = &s->b.dut;

	for (unsigned h = 0; h < HARTS; h++) {
		struct access *a = &s->core[h], *table = &s->table[h];

		if (s->strays[h].valid)
			read_stray(s, h);
		else if (dut->hit_o >> h & 1)
			read(s, h);
		else if (a->valid && a->kind == AMO)
			CHECK(a->reads_first);
		if (table->valid && (dut->table_ack_o >> h & 1)) {
			CHECK_EQ(get(dut->rdata_o, h),
				 s->latest[table->line][table->word]);
			table->valid = false;
			s->counts.tables++;
		}
		if (a->valid)
			waited(s, 0, a->since);
		if (table->valid)
			waited(s, 1, table->since);
		s->reservations[h].dropped |= s->release[h];
	}
	for (unsigned h = 0; h < HARTS; h++) {
		if (s->strays[h].valid)
			continue;
		if (dut->hit_o >> h & 1)
			write(s, h);
		else if (dut->sc_i & dut->sc_fails_o & 1U << h)
			fail(s, h);
	}
}

static unsigned lines_of(const IData *pin, unsigned hart)
{
	return pin[hart / 2] >> 16 * (hart % 2) & 0xffff;
}

// A line that one L1D may write is in no other, and not reserved.
static void check_owners(struct system *s)
{
	const auto *owned = reinterpret_cast<const IData *>(&s->b.dut.owned_o);
	const auto *held = reinterpret_cast<const IData *>(&s->b.dut.held_o);

	for (unsigned h = 0; h < HARTS; h++)
		for (unsigned g = 0; g < HARTS; g++) {
			const struct reservation *r = &s->reservations[g];
			unsigned lines = lines_of(held, g);

			if (g == h)
				continue;
			if (r->valid && !r->dropped && !r->probed)
				lines |= 1U << r->line;
			CHECK_EQ(lines_of(owned, h) & lines, 0);
		}
}

static void watch_probes(struct system *s)
{
	const Vdut *dut = &s->b.dut;
	const auto *held = reinterpret_cast<const IData *>(&dut->held_o);

	for (unsigned h = 0; h < HARTS; h++) {
		struct reservation *r = &s->reservations[h];
		uint64_t line = get(dut->probe_addr_o, h) / 64;

		if (!((dut->probe_valid_o & ~dut->probe_stall_o) >> h & 1))
			continue;
		s->counts.crossed += (dut->filling_o & dut->probe_ack_o) >> h & 1;
		if (r->line != line)
			continue;
		s->counts.reserved_only += r->valid && !r->dropped && !r->probed &&
					   !(lines_of(held, h) >> line & 1);
		r->probed |= dut->probe_writes_o >> h & 1;
	}
}

static void step(struct system *s)
{
	const Vdut *dut = &s->b.dut;

	s->cycle++;
	draw(s);
	drive(s);
	check_owners(s);
	if (s->was_still)
		CHECK(!(dut->mem_read_valid_o | dut->probe_valid_o | dut->imem_valid_o |
			dut->dma_rsp_valid_o));
	s->was_still = dut->quiescent_o;
	watch_probes(s);
	finish_accesses(s);
	others_clock(s);
	memory_clock(s);
	s->b.edge();
}

/* ------------------------------------------------------------ the run */

// Dirty data is lost.
static void reset(struct system *s)
{
	s->drains = true;
	for (unsigned h = 0; h < HARTS; h++) {
		s->core[h] = s->table[h] = {};
		s->reservations[h] = {false, false, true, 0};
		s->strays[h] = {};

		s->fetches[h] = {};
	}
	for (unsigned i = 0; i < IDS; i++)
		s->dma[i] = {};
	for (unsigned i = 0; i < SLOTS; i++)
		s->reads[i] = {};
	s->asked = {};
	s->nwrites = s->sent = 0;
	s->was_still = false;
	memcpy(s->latest, s->ram, sizeof(s->latest));
	drive(s);
	s->b.reset();
}

static bool anything_waits(const struct system *s)
{
	bool waits = others_wait(s);

	for (unsigned h = 0; h < HARTS; h++)
		waits |= s->core[h].valid | s->table[h].valid;
	return waits;
}

static void run(struct system *s, unsigned cycles)
{
	s->drains = false;
	while (cycles-- && going_well())
		step(s);
	s->drains = true;
	while (anything_waits(s) && going_well())
		step(s);
	for (unsigned i = 0; i < 100 + 500 * (MISSES - 1); i++) // lines of strays
		step(s);
	CHECK(s->b.dut.quiescent_o);
}

static void draw_mix(struct system *s)
{
	static const unsigned seldom[] = {0, 2, 10, 60}, lines[] = {1, 2, 4, 8, LINES};
	struct rng *random = &s->b.random;

	s->mix = {};
	s->mix.lines = lines[random->below(5)];
	s->mix.words = 1 + random->below(WORDS);
	for (unsigned &weight : s->mix.weights)
		weight = random->below(4);
	s->mix.weights[random->below(KINDS)] = 4;
	s->mix.access = 1 + random->below(6);
	s->mix.table = seldom[random->below(4)] * 4;
	s->mix.fetch = seldom[random->below(4)];
	s->mix.dma = seldom[random->below(4)];
	s->mix.stray = MISSES > 1 ? 2 + random->below(4) : 0;
	s->mix.latency = 1 + random->below(60);
	s->mix.pause = seldom[random->below(4)];
}

// All harts increment one word, with LR and SC or with AMOs, or only execute LR: none is
// left far behind.
static void count(struct system *s, enum kind kind)
{
	unsigned least = UINT32_MAX, most = 0;

	draw_mix(s);
	s->mix.lines = s->mix.words = 1;
	s->mix.access = s->b.random.once_in(2) ? 1 : 5;
	s->mix.table = 0;
	s->mix.counts = kind == SC;
	if (kind == SC)
		s->mix.dma = 0; // DMA may end every reservation
	for (unsigned &weight : s->mix.weights)
		weight = 0;
	s->mix.weights[kind] = 1;
	for (unsigned h = 0; h < HARTS; h++)
		s->core[h].kind = LOAD;
	uint64_t before = s->counts.done[kind];
	memset(s->adds, 0, sizeof(s->adds));
	run(s, 20000);
	// With strays, lines also come for these.
	CHECK(s->counts.done[kind] - before >= 20000 / (MISSES > 1 ? 400 : 200));
	if (kind != SC)
		return;
	for (unsigned n : s->adds) {
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	CHECK(least >= 10 && least * 8 >= most);
}

static void check_counts(const struct counts *n)
{
	for (unsigned done : n->done)
		CHECK(done >= 5000);
	CHECK(n->tables >= 1000 && n->fetches >= 1000 && n->masks >= 1000);
	CHECK(n->reads >= 1000 && n->writes >= 1000);
	CHECK(n->sc_lost >= 100 && n->sc_dropped >= 1000);
	CHECK(n->crossed >= 1000 && n->reserved_only >= 100);
	CHECK(MISSES == 1 || (n->strays >= 1000 && n->overlapped >= 1000));
	printf("%s: longest waits in cycles: accesses %lu, walker %lu, fetches %lu, DMA "
	       "%lu\n",
	       BENCH, n->longest[0], n->longest[1], n->longest[2], n->longest[3]);
}

int main()
{
	static struct system s(1);

	for (auto &line : s.ram)
		for (uint64_t &word : line)
			word = s.b.random.next();
	for (unsigned i = 0; i < 200 && going_well(); i++) {
		if (i % 10 == 0)
			reset(&s);
		draw_mix(&s);
		run(&s, s.b.random.below(20000));
		if (going_well() && i % 6 == 0)
			count(&s, i % 18 == 0 ? SC : i % 18 == 6 ? AMO : LR);
		if (i % 10 == 9) { // a reset in the middle
			s.drains = false;
			for (unsigned n = s.b.random.below(1000); n && going_well(); n--)
				step(&s);
		}
	}
	if (going_well())
		check_counts(&s.counts);
	return bench_done();
}
