// SPDX-License-Identifier: Apache-2.0
// What surrounds the network interface in its bench: memory, link, and the bus.
#ifndef NIC_SYSTEM_H
#define NIC_SYSTEM_H

#include <deque>

#include "../bench.h"
#include "pins.h"
#include "frames.h"

// Offsets of the registers, as in rtl/nic/nic.md.
enum {
	SEND = 0x00,
	RECV = 0x08,
	SENT = 0x10,
	RECEIVED = 0x18,
	SEND_CSUM = 0x20,
	INT_STATUS = 0x28,
	INT_ENABLE = 0x30,
	INT_DISABLE = 0x38,
	CONTROL = 0x40,
	STATUS = 0x48,
	OCCUPANCY = 0x50,
	MAC = 0x58,
	TX_FRAMES = 0x60,
	TX_BYTES = 0x68,
	TX_DROPS = 0x70,
	RX_FRAMES = 0x78,
	RX_BYTES = 0x80,
	RX_DROPS_FULL = 0x88,
	RX_DROPS_SIZE = 0x90,
	RX_DROPS_OFF = 0x98,
};

enum { LINE = 64, BEATS = 8, LINES = 8 };
// The memory: frames to send, then a region for each of the buffers.
enum { SEND_BYTES = 3 << 20, RECEIVE_AT = SEND_BYTES, BUFFERS = 150, REGION = 11 * 1024 };
enum { MEMORY = RECEIVE_AT + BUFFERS * REGION };

// A line that is being read, or written.
struct transfer {
	bool valid, complete;
	uint64_t at; // in `memory`
	unsigned due, beat;
	uint8_t data[LINE];
	uint64_t mask;
};

struct receive_buffer {
	size_t region, at, size;
};

struct arrival {
	frame bytes;
	bool damaged;
};

struct system {
	struct bench b;
	uint64_t base = {};
	std::vector<uint8_t> memory = std::vector<uint8_t>(MEMORY), shadow = memory;
	struct transfer reads[LINES] = {}, writes[LINES] = {};
	unsigned now = {};
	// How it behaves.
	bool gated = {}, overloads = {}, interrupts = {}, small_buffers = {}, stall = {};
	unsigned late = {}; // the longest delay of memory
	// The link: frames to arrive, arrived, to be sent; the frame in hand each way.
	std::deque<arrival> wire_in, arrived;
	std::deque<frame> to_send;
	size_t in_at = {};
	frame out;
	bool ready_before = {};
	uint64_t wire_frames = {}, wire_bytes = {}, arrivals = {};
	// The driver.
	std::deque<receive_buffer> posted;
	unsigned next_region = {}, in_received = {};
	size_t send_at = {};
	uint32_t submitted = {}, sent = {};
	uint64_t send_drops = {}, received = {}, received_bytes = {}, skipped = {},
		 skipped_long = {};
	unsigned damaged_seen = {}, good_seen = {};
	struct {
		bool send = {}, recv = {};
	} line_at_access = {};

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

static void set_input(struct system *s, unsigned bit, bool value)
{
	s->b.dut.nic_i =
	    static_cast<uint8_t>(value ? s->b.dut.nic_i | bit : s->b.dut.nic_i & ~bit);
}

static frame random_frame(struct system *s, bool any)
{
	return draw_frame(&s->b.random, any);
}

static void queue_frame(struct system *s, const frame &f, bool damaged)
{
	s->wire_in.push_back({f, damaged});
	s->arrivals++;
}

static void queue_arrival(struct system *s)
{
	frame f =
	    s->b.random.once_in(3) ? random_frame(s, false) : draw_packet(&s->b.random);
	bool damaged = f.size() > 60 && classify(f) == 3 && s->b.random.once_in(2);

	if (f.size() < 16 && s->overloads)
		return;
	if (damaged)
		damage(&s->b.random, &f);
	queue_frame(s, f, damaged);
}

// ---------------------------------------------------------------- memory

static struct transfer *accept(struct system *s, struct transfer *lines, uint64_t id,
			       uint64_t address)
{
	struct transfer *t = &lines[id];

	CHECK(!t->valid);
	CHECK_EQ(address % LINE, 0);
	CHECK(address >= s->base && address - s->base <= MEMORY - LINE);
	*t = transfer();
	t->valid = true;
	t->at = (address - s->base) % (MEMORY - LINE + 1);
	t->due = s->now + 1 + s->b.random.below(s->late);
	return t;
}

// mem_pkg::dma_req_t: {write, id, address}
static void take_request(struct system *s)
{
	uint64_t req = s->b.dut.dma_req_o, address = req & ((UINT64_C(1) << 56) - 1);
	unsigned id = req >> 56 & 7;

	if (!s->b.dut.dma_req_valid_o || !s->b.dut.dma_ready_i)
		return;
	CHECK_EQ(req >> 59 & 7, 0); // the master
	if (req >> 62 & 1)
		accept(s, s->writes, id, address);
	else
		accept(s, s->reads, id, address);
}

// mem_pkg::dma_beat_t: {last, id, beat, byte enables, data}
static void take_beat(struct system *s)
{
	const auto &words = s->b.dut.dma_beat_o;
	uint64_t data = words[0] | static_cast<uint64_t>(words[1]) << 32;
	struct transfer *t = &s->writes[words[2] >> 11 & 7];
	unsigned beat = words[2] >> 8 & 7, strobe = words[2] & 0xff;

	if (!s->b.dut.dma_beat_valid_o || !s->b.dut.dma_ready_i)
		return;
	CHECK(t->valid && !t->complete && beat >= t->beat && strobe != 0);
	t->beat = beat + 1;
	memcpy(t->data + 8 * beat, &data, sizeof(data));
	t->mask |= static_cast<uint64_t>(strobe) << 8 * beat;
	CHECK_EQ(words[2] >> 14 & 7, 0);
	t->complete = words[2] >> 17 & 1;
}

// Returns one of the lines that are due, in any order.
static struct transfer *choose(struct system *s, struct transfer *lines)
{
	unsigned first = s->b.random.below(LINES);

	for (unsigned i = 0; i < LINES; i++) {
		struct transfer *t = &lines[(first + i) % LINES];

		if (t->valid && !s->stall && t->due <= s->now)
			return t;
	}
	return nullptr;
}

static void drive_memory(struct system *s)
{
	struct transfer *read = choose(s, s->reads), *write = choose(s, s->writes);

	set_input(s, NIC_RSP, read != nullptr);
	set_input(s, NIC_DONE, write && write->complete);
	if (read) {
		memcpy(&s->b.dut.dma_rsp_i, &s->memory[read->at + 8 * read->beat], 8);
		s->b.dut.dma_rsp_i[2] = static_cast<uint32_t>(read - s->reads);
		read->valid = ++read->beat < BEATS;
	}
	if (!write || !write->complete)
		return;
	s->b.dut.dma_done_id_i = static_cast<uint8_t>(write - s->writes);
	for (unsigned i = 0; i < LINE; i++)
		if (write->mask >> i & 1)
			s->memory[write->at + i] = write->data[i];
	write->valid = false;
}

// ---------------------------------------------------------------- the link

static void finish_out(struct system *s)
{
	CHECK(!s->to_send.empty());
	if (!going_well())
		return;
	CHECK_EQ(s->out.size(), s->to_send.front().size());
	CHECK(s->out == s->to_send.front());
	s->to_send.pop_front();
	s->wire_frames++;
	s->wire_bytes += s->out.size();
	s->out.clear();
}

// nic_pkg::link_t: {last, bytes - 1, data}
static void take_word(struct system *s)
{
	const auto &words = s->b.dut.link_tx_o;
	uint64_t data = words[0] | static_cast<uint64_t>(words[1]) << 32;

	if (!s->b.dut.link_tx_valid_o)
		return;
	CHECK(s->ready_before);
	CHECK(words[2] >> 3 & 1 || (words[2] & 7) == 7);
	for (unsigned i = 0; i <= (words[2] & 7); i++)
		s->out.push_back(static_cast<uint8_t>(data >> 8 * i));
	if (words[2] >> 3 & 1)
		finish_out(s);
}

static void drive_link(struct system *s)
{
	uint32_t words[3] = {};

	// It stays for a while, so that the clock stops.
	if (s->stall || s->b.random.once_in(50))
		set_input(s, NIC_READY, !s->stall && !s->b.random.once_in(5));
	set_input(s, NIC_RX, !s->wire_in.empty() && !s->b.random.once_in(4));
	if (!(s->b.dut.nic_i & NIC_RX))
		return;
	const frame &f = s->wire_in.front().bytes;
	size_t n = f.size() - s->in_at < 8 ? f.size() - s->in_at : 8;

	// Bytes beyond the end are arbitrary.
	words[0] = static_cast<uint32_t>(s->b.random.next());
	words[1] = static_cast<uint32_t>(s->b.random.next());
	memcpy(words, f.data() + s->in_at, n);
	s->in_at += n;
	words[2] = static_cast<uint32_t>(n - 1) | (s->in_at == f.size() ? 8U : 0);
	memcpy(&s->b.dut.link_rx_i, words, sizeof(words));
	if (s->in_at != f.size())
		return;
	s->in_at = 0;
	s->arrived.push_back(s->wire_in.front());
	s->wire_in.pop_front();
}

// ---------------------------------------------------------------- cycles and the bus

// An edge of clk_i, and of nic_clk_i, which may be stopped if it is not wanted.
static void edge(struct system *s, bool both)
{
	s->b.dut.nic_clk_i = 0;
	s->b.settle();
	s->b.dut.clk_i = 1;
	s->b.dut.nic_clk_i = both;
	s->b.dut.eval();
	s->b.dut.nic_clk_i = 0;
	s->b.settle();
}

static void cycle(struct system *s)
{
	drive_link(s);
	drive_memory(s);
	s->b.settle();
	if (s->b.dut.clk_req_o || !s->gated) {
		edge(s, true);
		s->b.dut.dma_ready_i = !s->b.random.once_in(4);
		take_request(s);
		take_beat(s);
		take_word(s);
	} else {
		CHECK(!s->b.dut.dma_req_valid_o && !s->b.dut.dma_beat_valid_o &&
		      !s->b.dut.link_tx_valid_o);
		edge(s, false);
	}
	s->ready_before = s->b.dut.nic_i & NIC_READY;
	s->now++;
}

// Returns the value read; the access happens in the cycle after that with access_i.
static uint64_t access(struct system *s, unsigned offset, unsigned size, bool write,
		       uint64_t value)
{
	s->b.dut.access_i = 1;
	s->b.dut.write_i = write;
	s->b.dut.wide_i = size == 8;
	s->b.dut.offset_i = static_cast<uint16_t>(offset >> 2);
	s->b.dut.wdata_i = value;
	cycle(s);
	value = s->b.dut.rdata_o;
	bool send = (s->b.dut.irq_o & 1);
	bool recv = (s->b.dut.irq_o >> 1 & 1);
	s->b.dut.access_i = 0;
	s->b.dut.wdata_i = s->b.random.next();
	cycle(s);
	s->line_at_access = {send, recv};
	return value;
}

static void write_register(struct system *s, unsigned offset, uint64_t value,
			   unsigned size)
{
	access(s, offset, size, true, value);
}

static uint64_t read_register(struct system *s, unsigned offset)
{
	return access(s, offset, 8, false, 0);
}

static void reset(struct system *s)
{
	s->base = (s->b.random.next() & 0xffffff) << 21;
	s->late = s->late ? s->late : 30;
	for (unsigned i = 0; i < MEMORY; i++)
		s->memory[i] = s->shadow[i] = static_cast<uint8_t>(s->b.random.next());
	s->b.dut.mac_i = s->b.random.next() & ((UINT64_C(1) << 48) - 1);
	s->b.dut.on_i = 1;
	s->b.dut.access_i = 0;
	s->b.dut.nic_i = NIC_UP;
	s->b.dut.rst_ni = 0;
	edge(s, true);
	edge(s, true);
	s->b.dut.rst_ni = 1;
}

#endif
