// SPDX-License-Identifier: Apache-2.0
// The copy unit with a memory that answers late and in any order. Random copies of every
// alignment and length; after each, all bytes of the memory are those of a plain copy. In
// half of the runs the clock stops between copies. Not all copies use all paths, so some
// of them are counted.
#include <cstring>
#include <vector>

#include "bench.h"

enum { RUNS = 8, COPIES = 2500, TIMEOUT = 20000 };
enum { PAGE = 4096, PAGES = 3, MEMORY = PAGES * PAGE, LINE = 64, LINES = 8, BEATS = 8 };

// A line that is being read, or written.
struct transfer {
	bool valid, complete;
	unsigned at, due, beat;
	uint8_t data[LINE];
	uint64_t mask;
};

struct copy {
	unsigned source, destination; // offsets in the memory
	bool source_splits, destination_splits;
	uint64_t length;
};

struct system {
	struct bench b;
	uint64_t base = {};
	std::vector<uint8_t> memory = std::vector<uint8_t>(MEMORY), expected = memory;
	struct transfer reads[LINES] = {}, writes[LINES] = {};
	unsigned now = {}, late = {};
	bool gated = {}, busy_port = {};
	unsigned most_reads = {}, most_writes = {};

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

static struct transfer *accept(struct system *s, struct transfer *lines, uint64_t req)
{
	struct transfer *t = &lines[req >> 56 & 7];
	uint64_t address = req & ((UINT64_C(1) << 56) - 1);

	CHECK(!t->valid);
	CHECK_EQ(address % LINE, 0);
	CHECK(address >= s->base && address - s->base <= MEMORY - LINE);
	*t = transfer();
	t->valid = true;
	t->at = static_cast<unsigned>(address - s->base) % MEMORY;
	t->due = s->now + 1 + s->b.random.below(s->late);
	return t;
}

static unsigned count(const struct transfer *lines)
{
	unsigned n = 0;

	for (unsigned i = 0; i < LINES; i++)
		n += lines[i].valid;
	return n;
}

// mem_pkg::dma_req_t: {write, master, line, address}
static void take_request(struct system *s)
{
	uint64_t req = s->b.dut.dma_req_o;

	if (!s->b.dut.dma_req_valid_o)
		return;
	CHECK_EQ(req >> 59 & 7, 1);
	accept(s, req >> 62 & 1 ? s->writes : s->reads, req);
	unsigned n = count(s->reads);
	s->most_reads = n > s->most_reads ? n : s->most_reads;
	n = count(s->writes);
	s->most_writes = n > s->most_writes ? n : s->most_writes;
}

// mem_pkg::dma_beat_t: {last, master, line, beat, byte enables, data}
static void take_beat(struct system *s)
{
	const auto &words = s->b.dut.dma_beat_o;
	uint64_t data = words[0] | static_cast<uint64_t>(words[1]) << 32;
	struct transfer *t = &s->writes[words[2] >> 11 & 7];
	unsigned beat = words[2] >> 8 & 7, strobe = words[2] & 0xff;

	if (!s->b.dut.dma_beat_valid_o)
		return;
	CHECK(t->valid && !t->complete && beat >= t->beat && strobe != 0);
	CHECK_EQ(words[2] >> 14 & 7, 1);
	t->beat = beat + 1;
	memcpy(t->data + 8 * beat, &data, sizeof(data));
	t->mask |= static_cast<uint64_t>(strobe) << 8 * beat;
	t->complete = words[2] >> 17 & 1;
}

// Returns one of the lines that are due, in any order.
static struct transfer *choose(struct system *s, struct transfer *lines)
{
	unsigned first = s->b.random.below(LINES);

	for (unsigned i = 0; i < LINES; i++) {
		struct transfer *t = &lines[(first + i) % LINES];

		if (t->valid && t->due <= s->now)
			return t;
	}
	return nullptr;
}

// Returns the identifier of a line of another master than 1.
static unsigned foreign(struct system *s)
{
	unsigned master = s->b.random.below(7);

	return (master + (master > 0)) * LINES + s->b.random.below(LINES);
}

// Answers; between them some to other masters.
static void drive_memory(struct system *s)
{
	struct transfer *read = choose(s, s->reads), *write = choose(s, s->writes);

	s->b.dut.dma_rsp_valid_i = read || s->b.random.once_in(4);
	s->b.dut.dma_rsp_i[2] = foreign(s);
	s->b.dut.dma_done_valid_i = (write && write->complete) || s->b.random.once_in(4);
	s->b.dut.dma_done_id_i = static_cast<uint8_t>(foreign(s));
	if (read) {
		memcpy(&s->b.dut.dma_rsp_i, &s->memory[read->at + 8 * read->beat], 8);
		s->b.dut.dma_rsp_i[2] = static_cast<uint32_t>(read - s->reads) + LINES;
		read->valid = ++read->beat < BEATS;
	}
	if (!write || !write->complete)
		return;
	s->b.dut.dma_done_id_i = static_cast<uint8_t>(write - s->writes + LINES);
	for (unsigned i = 0; i < LINE; i++)
		if (write->mask >> i & 1)
			s->memory[write->at + i] = write->data[i];
	write->valid = false;
}

static void cycle(struct system *s)
{
	drive_memory(s);
	s->b.settle();
	if (s->b.dut.valid_i || !s->gated)
		s->b.edge();
	else
		CHECK(!s->b.dut.dma_req_valid_o && !s->b.dut.dma_beat_valid_o);
	s->b.dut.dma_ready_i = !s->busy_port || s->b.random.once_in(2);
	if (s->b.dut.dma_ready_i) {
		take_request(s);
		take_beat(s);
	}
	s->now++;
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t reach(unsigned at, bool splits)
{
	return splits ? 4 - at % 4 : PAGE - at % PAGE;
}

// Copies as copy.md says, in `expected`. Returns the number of bytes.
static uint64_t plain_copy(struct system *s, const struct copy *c)
{
	uint64_t n = lower(lower(c->length, reach(c->source, c->source_splits)),
			   reach(c->destination, c->destination_splits));
	bool same = c->source / PAGE == c->destination / PAGE;

	if (same && c->source < c->destination)
		n = lower(n, c->destination - c->source);
	if (same && c->destination < c->source)
		n = lower(n, c->source - c->destination);
	memmove(&s->expected[c->destination], &s->expected[c->source], n);
	return n;
}

static struct copy draw(struct system *s)
{
	rng *r = &s->b.random;
	struct copy c = {r->below(MEMORY), r->below(MEMORY), r->once_in(20),
			 r->once_in(20), 1 + r->below(300)};

	if (r->once_in(4)) // near the end of a page
		c.source = (c.source | (PAGE - 1)) - r->below(200);
	if (r->once_in(4))
		c.destination = (c.destination | (PAGE - 1)) - r->below(200);
	if (r->once_in(6)) // near each other
		c.destination = (c.source + MEMORY + 40 - r->below(80)) % MEMORY;
	if (r->once_in(6))
		c.length = 1 + r->below(24);
	if (r->once_in(10))
		c.length = UINT64_C(1) << (12 + r->below(52));
	if (r->once_in(40)) { // a page
		c.source = PAGE * r->below(PAGES);
		c.destination = PAGE * r->below(PAGES);
		c.length = UINT64_MAX;
	}
	return c;
}

// Sets bits of a wide pin.
template <class WORDS>
static void put(WORDS &words, unsigned at, unsigned bits, uint64_t value)
{
	for (unsigned i = 0; i < bits; i++) {
		uint32_t bit = UINT32_C(1) << (at + i) % 32;

		words[(at + i) / 32] &= ~bit;
		if (value >> i & 1)
			words[(at + i) / 32] |= bit;
	}
}

// mem_pkg::copy_t: {source splits, destination splits, length, source, destination}
static void offer(struct system *s, const struct copy *c)
{
	put(s->b.dut.copy_i, 0, 56, s->base + c->destination);
	put(s->b.dut.copy_i, 56, 56, s->base + c->source);
	put(s->b.dut.copy_i, 112, 64, c->length);
	put(s->b.dut.copy_i, 176, 1, c->destination_splits);
	put(s->b.dut.copy_i, 177, 1, c->source_splits);
	s->b.dut.valid_i = 1;
}

static void do_copy(struct system *s)
{
	struct copy c = draw(s);
	uint64_t n = plain_copy(s, &c);
	unsigned from = s->now;

	offer(s, &c);
	while (!s->b.dut.done_o && s->now - from < TIMEOUT && going_well())
		cycle(s);
	CHECK(s->b.dut.done_o);
	CHECK_EQ(s->b.dut.count_o, n);
	CHECK_EQ(count(s->reads) + count(s->writes), 0);
	CHECK(s->memory == s->expected);
	cycle(s);
	s->b.dut.valid_i = 0;
	for (unsigned i = 1 + s->b.random.below(4); i; i--)
		cycle(s);
}

static void run(uint64_t seed)
{
	static const unsigned late[] = {1, 20, 150};
	struct system s(seed);

	s.late = late[seed % 3];
	s.gated = seed & 1;
	s.busy_port = seed & 2;
	s.base = UINT64_C(0x80000000) + PAGE * s.b.random.below(1 << 20);
	for (unsigned i = 0; i < MEMORY; i++)
		s.expected[i] = s.memory[i] = static_cast<uint8_t>(s.b.random.next());
	s.b.dut.valid_i = 0;
	s.b.dut.dma_ready_i = 1;
	s.b.reset();
	for (unsigned i = 0; i < COPIES && going_well(); i++)
		do_copy(&s);
	CHECK(s.late < 100 || (s.most_reads == LINES && s.most_writes >= 4));
}

int main()
{
	for (uint64_t seed = 1; seed <= RUNS && going_well(); seed++)
		run(seed);
	return bench_done();
}
