// SPDX-License-Identifier: Apache-2.0
// The DMA port in front of the crossbar, between masters that read and write lines with
// all ids, in beats of any order, and a crossbar that takes requests and beats when it
// likes. Requests leave in the order and at the time of the header comment, lines are
// written with the bytes that the masters sent, and answers go back by id. In half of the
// runs the clock stops when the module allows it.
#include <deque>

#include "bench.h"
#include "pins.h"

#ifndef IDS
#define IDS 1
#endif

enum { LINES = 64, WORDS = 8, RUNS = 60, CYCLES = 20000 };

// A line of a master. The bits of `left` are the beats not yet sent.
struct access {
	bool valid, all_sent;
	uint64_t address;
	unsigned left, had;
	uint64_t data[WORDS];
	uint8_t strobes[WORDS];
};

struct request {
	bool write;
	unsigned id;
};

// A transaction of the crossbar.
struct transaction {
	bool valid, accepted, complete; // complete: a write has all beats
	struct request of;
	unsigned beats;
	uint64_t from; // cycle of the answer at the earliest
};

struct system {
	struct bench b;
	uint64_t cycle;
	bool drains, stops;
	unsigned pace, ready, latency; // one in so many cycles
	struct access reads[LINES], writes[LINES];
	std::deque<unsigned> wait_reads, wait_writes; // ids, in order
	struct transaction slots[IDS];
	std::deque<unsigned> order; // slots of writes that need beats
	int out;		    // the slot whose request is on the port, or -1
	int answers;		    // the slot whose answer is driven, or -1
	uint64_t answer;
	struct request asks; // the master's request in this cycle
	bool asking, beats;
	unsigned beat_id, beat, read_count, write_count, full, waits, stopped;

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

static bool one_in(struct system *s, unsigned n)
{
	return s->b.random.once_in(n);
}

/* ------------------------------------------------------------ the masters */

static struct access *line_of(struct system *s, const struct request &r)
{
	return r.write ? &s->writes[r.id] : &s->reads[r.id];
}

static void draw_request(struct system *s)
{
	s->asks = {one_in(s, 2), s->b.random.below(LINES)};
	struct access *a = line_of(s, s->asks);
	s->asking = !s->drains && !a->valid && one_in(s, s->pace);
	if (!s->asking)
		return;
	*a = {};
	a->valid = true;
	a->address = (s->b.random.next() & ADDRESS_MASK) / 64 * 64;
	a->all_sent = !s->asks.write;
	a->left = s->asks.write ? 1 + s->b.random.below(255) : 0;
	if (one_in(s, 2) && s->asks.write)
		a->left = 255;
}

// A beat of any line, perhaps of that of this cycle's request.
static void draw_beat(struct system *s)
{
	s->beat_id = s->b.random.below(LINES);
	s->beat = s->b.random.below(WORDS);
	struct access *a = &s->writes[s->beat_id];
	s->beats = a->valid && (a->left >> s->beat & 1);
	if (!s->beats)
		return;
	a->left &= ~(1U << s->beat);
	a->all_sent = a->left == 0;
	a->data[s->beat] = s->b.random.next();
	a->strobes[s->beat] = static_cast<uint8_t>(s->b.random.next());
}

static void drive_masters(struct system *s)
{
	Vdut *dut = &s->b.dut;
	const struct access *a = line_of(s, s->asks), *w = &s->writes[s->beat_id];

	dut->req_valid_i = s->asking;
	pack_pin(dut->req_i, dma_req{a->address & ADDRESS_MASK, s->asks.id & (LINES - 1),
				     s->asks.write});
	dut->beat_valid_i = s->beats;
	pack_pin(dut->beat_i, dma_beat{w->data[s->beat], w->strobes[s->beat], s->beat & 7,
				       s->beat_id & (LINES - 1), w->all_sent});
}

/* ------------------------------------------------------------ the crossbar */

static void drive_crossbar(struct system *s)
{
	Vdut *dut = &s->b.dut;
	unsigned first = s->b.random.below(IDS);

	s->answers = -1;
	for (unsigned i = 0; i < IDS && s->answers < 0; i++) {
		const struct transaction *t = &s->slots[(first + i) % IDS];

		if (t->valid && t->accepted && t->from <= s->cycle &&
		    (!t->of.write || t->complete))
			s->answers = static_cast<int>((first + i) % IDS);
	}
	s->answer = s->b.random.next();
	dut->dma_rsp_valid_i = s->answers >= 0;
	pack_pin(dut->dma_rsp_i,
		 read_beat{s->answer, static_cast<unsigned>(s->answers) & 7});
	dut->dma_ready_i = one_in(s, s->ready);
	dut->dma_write_ready_i =
	    !s->order.empty() && s->slots[s->order[0]].accepted && one_in(s, s->ready);
}

// A beat of a write: the bytes are those that the master sent.
static void take_beat(struct system *s)
{
	struct transaction *t = &s->slots[s->order[0]];
	const struct access *a = &s->writes[t->of.id];
	dma_word w = unpack_pin<dma_word>(s->b.dut.dma_write_o);

	CHECK_EQ(w.strb & 255, a->strobes[t->beats]);
	if (a->strobes[t->beats])
		CHECK_EQ(w.data, a->data[t->beats]);
	if (++t->beats < WORDS)
		return;
	t->complete = true;
	t->from = s->cycle + 1 + s->b.random.below(s->latency);
	s->order.pop_front();
}

static void check_answer(struct system *s)
{
	const Vdut *dut = &s->b.dut;
	bool any = s->answers >= 0;
	const struct transaction *t = &s->slots[any ? s->answers : 0];
	read_beat rsp = unpack_pin<read_beat>(dut->rsp_o);

	CHECK_EQ(dut->rsp_valid_o, any && !t->of.write);
	CHECK_EQ(dut->done_valid_o, any && t->of.write);
	if (!any)
		return;
	if (t->of.write) {
		CHECK_EQ(dut->done_id_o, t->of.id);
		return;
	}
	CHECK_EQ(rsp.id, t->of.id);
	CHECK_EQ(rsp.data, s->answer);
}

static void answered(struct system *s)
{
	struct transaction *t = &s->slots[s->answers];
	struct access *a = line_of(s, t->of);

	if (!t->of.write && ++a->had < WORDS) {
		t->from = s->cycle + 1 + s->b.random.below(3);
		return;
	}
	a->valid = t->valid = false;
	(t->of.write ? s->write_count : s->read_count)++;
}

/* ------------------------------------------------------------ the order */

static void check_request(struct system *s)
{
	const Vdut *dut = &s->b.dut;
	dma_line req = unpack_pin<dma_line>(dut->dma_req_o);

	CHECK_EQ(dut->dma_valid_o, s->out >= 0);
	if (s->out < 0)
		return;
	const struct transaction *t = &s->slots[s->out];

	CHECK_EQ(req.id, s->out);
	CHECK_EQ(req.write, t->of.write);
	CHECK_EQ(req.addr, line_of(s, t->of)->address);
}

// Chooses the next request at an edge, before what comes in this cycle.
static void choose(struct system *s)
{
	std::deque<unsigned> *from =
	    s->wait_writes.empty() ? &s->wait_reads : &s->wait_writes;
	unsigned slot = 0;

	if (s->out >= 0 && !s->b.dut.dma_ready_i)
		return;
	if (s->out >= 0)
		s->slots[s->out].accepted = true;
	s->out = -1;
	if (from->empty())
		return;
	while (slot < IDS && s->slots[slot].valid)
		slot++;
	s->full += slot == IDS;
	if (slot == IDS)
		return;
	s->slots[slot] = {true,	 false,
			  false, {from == &s->wait_writes, from->front()},
			  0,	 s->cycle + 3 + s->b.random.below(s->latency)};
	s->out = static_cast<int>(slot);
	if (s->slots[slot].of.write)
		s->order.push_back(slot);
	from->pop_front();
}

static void come(struct system *s)
{
	if (s->asking && !s->asks.write)
		s->wait_reads.push_back(s->asks.id);
	if (s->beats && s->writes[s->beat_id].all_sent)
		s->wait_writes.push_back(s->beat_id);
	s->waits += !s->wait_reads.empty() && !s->wait_writes.empty();
}

static void step(struct system *s)
{
	Vdut *dut = &s->b.dut;

	s->cycle++;
	draw_request(s);
	draw_beat(s);
	drive_masters(s);
	drive_crossbar(s);
	s->b.settle();
	check_request(s);
	check_answer(s);
	bool writes = dut->dma_write_valid_o && dut->dma_write_ready_i;
	CHECK_EQ(dut->dma_write_valid_o, !s->order.empty());
	bool busy = dut->busy_o;
	if (writes)
		take_beat(s);
	choose(s); // a transaction that ends now is free from the next cycle on
	if (s->answers >= 0)
		answered(s);
	come(s);
	if (!s->stops || busy)
		s->b.edge();
	else
		s->stopped++;
}

/* ------------------------------------------------------------ the run */

static bool anything_waits(const struct system *s)
{
	bool waits = false;

	for (unsigned i = 0; i < LINES; i++)
		waits |= s->reads[i].valid | s->writes[i].valid;
	return waits;
}

static void reset(struct system *s)
{
	for (unsigned i = 0; i < LINES; i++)
		s->reads[i] = s->writes[i] = {};
	for (struct transaction &t : s->slots)
		t = {};
	s->wait_reads.clear();
	s->wait_writes.clear();
	s->order.clear();
	s->out = s->answers = -1;
	s->asking = s->beats = false;
	drive_masters(s);
	s->b.dut.dma_rsp_valid_i = 0;
	s->b.reset();
}

static void run(struct system *s)
{
	unsigned left = 100000;

	s->pace = 1 + s->b.random.below(20);
	s->ready = 1 + s->b.random.below(4);
	s->latency = 1 + s->b.random.below(60);
	s->drains = false;
	for (unsigned i = 0; i < CYCLES && going_well(); i++)
		step(s);
	s->drains = true;
	while (anything_waits(s) && going_well() && CHECK(left > 0)) {
		step(s);
		left--;
	}
	s->asking = s->beats = false;
	drive_masters(s);
	s->b.dut.dma_rsp_valid_i = 0;
	s->b.settle();
	CHECK(!s->b.dut.busy_o);
}

int main()
{
	static struct system s(1);

	for (unsigned i = 0; i < RUNS && going_well(); i++) {
		if (i % 4 == 0) // also in the middle, after a few cycles
			reset(&s);
		s.stops = i & 1;
		run(&s);
		for (unsigned n = i % 4 == 3 ? 40 : 0; n && going_well(); n--) {
			s.drains = false;
			step(&s);
		}
	}
	if (going_well())
		CHECK(s.read_count > 5000 && s.write_count > 5000 && s.full > 1000 &&
		      s.waits > 1000 && s.stopped > 1000);
	return bench_done();
}
