// SPDX-License-Identifier: Apache-2.0
// The network interface between a driver, a memory and a link. The driver sends and
// receives random frames and follows rtl/nic/nic.md; the memory answers late and in any
// order; the link stalls. Every byte, checksum and count is compared with a plain
// reference. In half of the runs the clock stops when the interface allows it.
#include "nic/system.h"

enum { RUNS = 16, ACTIONS = 40000, TIMEOUT = 400000 };

// ---------------------------------------------------------------- the driver

static void post_buffer(struct system *s)
{
	if (s->posted.size() + s->in_received >= BUFFERS ||
	    (read_register(s, OCCUPANCY) >> 16 & 255) == 64)
		return;
	struct receive_buffer p = {};
	unsigned region = s->next_region++ % BUFFERS;

	p.region = RECEIVE_AT + region * REGION;
	p.at = p.region + 64 + s->b.random.below(130);
	p.size = s->small_buffers && s->b.random.once_in(2) ? 40 + s->b.random.below(2000)
							    : REGION - 256;
	s->posted.push_back(p);
	write_register(s, RECV, static_cast<uint64_t>(p.size) << 48 | (s->base + p.at),
		       8);
}

// Splits a frame into fragments of any alignment, also empty ones.
static void send_frame(struct system *s, const frame &f, bool csum, unsigned start,
		       unsigned offset)
{
	unsigned n = 1 + s->b.random.below(s->b.random.once_in(3) ? 8 : 2);
	size_t done = 0;

	if (s->submitted - s->sent + n > 64)
		return;
	if (csum)
		write_register(s, SEND_CSUM, UINT64_C(1) << 31 | offset << 16 | start, 4);
	for (unsigned i = 0; i < n; i++) {
		size_t left = f.size() - done;
		size_t part = i + 1 == n ? left : s->b.random.next() % (left + 1);

		s->send_at = (s->send_at + s->b.random.below(70)) % (SEND_BYTES - 40000);
		memcpy(&s->memory[s->send_at], f.data() + done, part);
		write_register(s, SEND,
			       static_cast<uint64_t>(i + 1 < n) << 63 |
				   static_cast<uint64_t>(part) << 48 |
				   (s->base + s->send_at),
			       8);
		s->send_at += part;
		done += part;
	}
	s->submitted += n;
	if (f.empty() || f.size() > MAX_FRAME) {
		s->send_drops++;
		return;
	}
	s->to_send.push_back(csum ? with_checksum(f, start, offset) : f);
}

static void send_something(struct system *s)
{
	frame f = random_frame(s, true);
	bool csum = s->b.random.once_in(2);
	unsigned limit = static_cast<unsigned>(f.size()) + 20;

	send_frame(s, f, csum, s->b.random.below(limit < 16384 ? limit : 16384) & ~1U,
		   s->b.random.below(limit < 16384 ? limit : 16384) & ~1U);
}

static void poll_sent(struct system *s)
{
	uint32_t sent = static_cast<uint32_t>(read_register(s, SENT));

	if (s->interrupts)
		CHECK_EQ(s->line_at_access.send, sent != s->sent);
	CHECK(sent - s->sent <= s->submitted - s->sent);
	s->sent = sent;
}

// A frame received: the first to fit its buffer, in order.
static void take_frame(struct system *s, uint64_t entry)
{
	struct receive_buffer p = s->posted.front();
	size_t bytes = entry & 0x3fff;

	s->posted.pop_front();
	while (!s->arrived.empty() &&
	       (s->arrived.front().bytes.size() > p.size ||
		(s->overloads &&
		 (s->arrived.front().bytes.size() != bytes ||
		  memcmp(&s->memory[p.at], s->arrived.front().bytes.data(), bytes))))) {
		s->skipped++;
		s->skipped_long += s->arrived.front().bytes.size() > p.size;
		s->arrived.pop_front();
	}
	CHECK(!s->arrived.empty());
	if (!going_well())
		return;
	const struct arrival &a = s->arrived.front();
	CHECK_EQ(bytes, a.bytes.size());
	memcpy(&s->shadow[p.at], a.bytes.data(), a.bytes.size());
	CHECK(memcmp(&s->shadow[p.region], &s->memory[p.region], REGION) == 0);
	CHECK_EQ(entry >> 32 & 0xffff, sum_of(a.bytes, 14));
	CHECK_EQ(entry >> 29 & 3, classify(a.bytes));
	if (a.damaged)
		CHECK((entry >> 30 & 1) == 0);
	s->damaged_seen += a.damaged;
	s->good_seen += entry >> 30 & 1;
	s->received++;
	s->received_bytes += bytes;
	s->arrived.pop_front();
}

static bool poll_received(struct system *s)
{
	uint64_t entry = read_register(s, RECEIVED);

	if (s->interrupts)
		CHECK_EQ(s->line_at_access.recv, entry >> 31 & 1);
	if (entry >> 31 & 1)
		take_frame(s, entry);
	else
		CHECK_EQ(entry, 0);
	return entry != 0;
}

static void act(struct system *s)
{
	switch (s->b.random.below(8)) {
	case 0:
	case 1:
		send_something(s);
		break;
	case 2:
	case 3:
		if (!s->overloads || s->b.random.once_in(12))
			post_buffer(s);
		break;
	case 4:
		poll_sent(s);
		break;
	case 5:
	case 6:
		poll_received(s);
		break;
	default:
		for (unsigned n = s->b.random.below(200); n; n--)
			cycle(s);
	}
	// Frames that were dropped because of their size do not occupy the receive
	// buffer.
	if (s->wire_in.size() < 4 &&
	    (s->overloads ||
	     s->arrived.size() + s->skipped - read_register(s, RX_DROPS_SIZE) < 6))
		queue_arrival(s);
}

// ---------------------------------------------------------------- runs

static void begin(struct system *s)
{
	reset(s);
	set_input(s, NIC_READY, true);
	CHECK_EQ(read_register(s, CONTROL), 0);
	CHECK_EQ(read_register(s, MAC), s->b.dut.mac_i);
	write_register(s, CONTROL, 3, 4);
	if (s->interrupts)
		write_register(s, INT_ENABLE, 3, 4);
	CHECK_EQ(read_register(s, INT_DISABLE), s->interrupts ? 3 : 0);
}

// Waits until everything sent and received is done. With interrupts the driver acts only
// when there is one.
static void drain(struct system *s)
{
	for (unsigned i = 0; i < TIMEOUT && going_well(); i++) {
		if (!s->interrupts || (s->b.dut.irq_o & 1))
			poll_sent(s);
		if (!s->interrupts || (s->b.dut.irq_o >> 1 & 1))
			poll_received(s);
		else
			cycle(s);
		if (s->posted.size() < 8) {
			s->small_buffers = false;
			post_buffer(s);
		}
		if (s->sent == s->submitted && s->to_send.empty() && s->wire_in.empty() &&
		    (read_register(s, STATUS) & 6) == 0)
			break;
	}
	while (poll_received(s) && going_well())
		;
	// What is left was dropped.
	s->skipped += s->arrived.size();
	s->arrived.clear();
	CHECK_EQ(s->sent, s->submitted);
	CHECK(s->to_send.empty());
}

static void compare_counts(struct system *s)
{
	uint64_t full = read_register(s, RX_DROPS_FULL),
		 size = read_register(s, RX_DROPS_SIZE);

	CHECK_EQ(read_register(s, TX_FRAMES), s->wire_frames);
	CHECK_EQ(read_register(s, TX_BYTES), s->wire_bytes);
	CHECK_EQ(read_register(s, TX_DROPS), s->send_drops);
	CHECK_EQ(read_register(s, RX_FRAMES), s->received);
	CHECK_EQ(read_register(s, RX_BYTES), s->received_bytes);
	CHECK_EQ(full + size, s->skipped);
	CHECK_EQ(s->received + full + size, s->arrivals);
	if (!s->overloads)
		CHECK_EQ(full, 0);
	CHECK_EQ(read_register(s, RX_DROPS_OFF), 0);
	CHECK_EQ(read_register(s, STATUS) & 0x306, 0);
	CHECK_EQ(read_register(s, OCCUPANCY) & 0xffff, 0);
}

static void random_run(unsigned seed)
{
	struct system s(seed);

	s.gated = seed & 1;
	s.overloads = seed % 3 == 0;
	s.interrupts = seed & 2;
	s.small_buffers = seed & 4;
	s.late = seed % 4 == 0 ? 300 : 30;
	begin(&s);
	for (unsigned i = 0; i < ACTIONS && going_well(); i++)
		act(&s);
	drain(&s);
	if (going_well())
		compare_counts(&s);
	CHECK(s.received > 100 && s.wire_frames > 100);
	CHECK(s.good_seen > 10 && s.damaged_seen > 5);
	if (s.overloads)
		CHECK(s.skipped > 50);
}

static void settle_for(struct system *s, unsigned cycles)
{
	while (cycles-- && going_well())
		cycle(s);
}

// Frames without a buffer: the receive buffer takes 64 KiB, or 255 frames, and counts the
// rest.
static void full_buffer(void)
{
	struct system s(100);

	s.gated = true;
	begin(&s);
	for (unsigned i = 0; i < 80; i++)
		queue_frame(&s, frame(1024, static_cast<uint8_t>(i)), false);
	settle_for(&s, 60000);
	CHECK_EQ(read_register(&s, RX_DROPS_FULL), 16);
	CHECK_EQ(read_register(&s, OCCUPANCY), 0);
	write_register(&s, CONTROL, 1, 4);
	settle_for(&s, 60000);
	CHECK_EQ(read_register(&s, RX_DROPS_OFF), 64);
	CHECK_EQ(read_register(&s, STATUS) & 4, 0);
	queue_frame(&s, frame(100, 1), false);
	settle_for(&s, 2000);
	CHECK_EQ(read_register(&s, RX_DROPS_OFF), 65);
	write_register(&s, CONTROL, 3, 4);
	for (unsigned i = 0; i < 300; i++)
		queue_frame(&s, frame(8, static_cast<uint8_t>(i)), false);
	settle_for(&s, 60000);
	uint64_t drops = read_register(&s, RX_DROPS_FULL) - 16;
	CHECK(drops == 44 || drops == 45);
}

// The queues take 64 entries, and say so if there is one more.
static void full_queues(void)
{
	struct system s(101);

	s.gated = true;
	begin(&s);
	s.stall = true;
	for (unsigned i = 0; i < 64; i++)
		write_register(&s, RECV,
			       UINT64_C(100) << 48 | (s.base + RECEIVE_AT + 128 * i), 8);
	CHECK_EQ(read_register(&s, OCCUPANCY), 64 << 16);
	CHECK_EQ(read_register(&s, STATUS) & 0x300, 0);
	write_register(&s, RECV, UINT64_C(100) << 48 | s.base, 8);
	CHECK_EQ(read_register(&s, STATUS) & 0x300, 0x200);
	for (unsigned i = 0; i < 64 + 8; i++)
		write_register(&s, SEND, UINT64_C(1) << 48 | (s.base + i), 8);
	CHECK_EQ(read_register(&s, OCCUPANCY), 64 << 16 | 64);
	CHECK_EQ(read_register(&s, STATUS) & 0x300, 0x200);
	write_register(&s, SEND, UINT64_C(1) << 48 | s.base, 8);
	CHECK_EQ(read_register(&s, STATUS) & 0x300, 0x300);
	write_register(&s, STATUS, 0x300, 4);
	CHECK_EQ(read_register(&s, STATUS) & 0x300, 0);
	write_register(&s, SEND, UINT64_C(1) << 48, 4); // needs 8 bytes
	CHECK_EQ(read_register(&s, STATUS) & 0x300, 0);
	// Switching off empties them.
	s.to_send.assign(8, frame(1, s.memory[0]));
	s.stall = false;
	for (unsigned i = 0; i < 8; i++)
		s.to_send[i][0] = s.memory[i];
	write_register(&s, CONTROL, 0, 4);
	settle_for(&s, 2000);
	CHECK_EQ(read_register(&s, STATUS) & 6, 0);
	CHECK_EQ(read_register(&s, OCCUPANCY), 8 << 8);
	CHECK_EQ(read_register(&s, SENT), 8);
	CHECK(s.to_send.empty());
}

// While the link is down frames are dropped, and a change of the link interrupts.
static void link_down(void)
{
	struct system s(102);

	s.gated = true;
	begin(&s);
	CHECK_EQ(read_register(&s, STATUS) & 1, 1);
	write_register(&s, INT_ENABLE, 4, 4);
	CHECK_EQ(s.b.dut.irq_o & 1, 0);
	set_input(&s, NIC_UP, false);
	settle_for(&s, 3);
	CHECK_EQ(s.b.dut.irq_o & 1, 1);
	CHECK_EQ(read_register(&s, STATUS) & 1, 0);
	write_register(&s, INT_STATUS, 4, 4);
	CHECK_EQ(read_register(&s, INT_STATUS), 0);
	for (unsigned i = 0; i < 5; i++)
		write_register(&s, SEND, UINT64_C(60) << 48 | (s.base + 100 * i), 8);
	settle_for(&s, 3000);
	CHECK_EQ(read_register(&s, TX_DROPS), 5);
	CHECK_EQ(read_register(&s, TX_FRAMES), 0);
	CHECK_EQ(read_register(&s, SENT), 5);
	set_input(&s, NIC_UP, true);
	settle_for(&s, 3);
	CHECK_EQ(read_register(&s, INT_STATUS), 4);
	write_register(&s, INT_DISABLE, 4, 4);
	settle_for(&s, 3);
	CHECK_EQ(s.b.dut.irq_o & 1, 0);
}

// An unfinished frame is discarded when the transmitter is switched off.
static void cut_frame(void)
{
	struct system s(103);

	s.gated = true;
	begin(&s);
	write_register(&s, SEND, UINT64_C(1) << 63 | UINT64_C(777) << 48 | s.base, 8);
	settle_for(&s, 1000);
	CHECK_EQ(read_register(&s, SENT), 0);
	CHECK_EQ(read_register(&s, STATUS) & 2, 2);
	write_register(&s, CONTROL, 0, 4);
	settle_for(&s, 10);
	CHECK_EQ(read_register(&s, STATUS) & 2, 0);
	write_register(&s, CONTROL, 1, 4);
	s.to_send.push_back(frame(&s.memory[5], &s.memory[105]));
	write_register(&s, SEND, UINT64_C(100) << 48 | (s.base + 5), 8);
	settle_for(&s, 1000);
	CHECK(s.to_send.empty());
	CHECK_EQ(read_register(&s, SENT), 1);
}

// A frame of the longest length passes; a longer one is dropped, like one that is longer
// than its buffer, which then serves the next frame.
static void long_frames(void)
{
	struct system s(104);

	s.gated = true;
	begin(&s);
	s.posted.push_back({RECEIVE_AT, RECEIVE_AT + 64, MAX_FRAME});
	s.posted.push_back({RECEIVE_AT + 2 * REGION, RECEIVE_AT + 2 * REGION + 1, 99});
	for (const receive_buffer &p : s.posted)
		write_register(&s, RECV, p.size << 48 | (s.base + p.at), 8);
	for (int bytes : {MAX_FRAME + 1, 11000, +MAX_FRAME, 100, 99})
		queue_frame(
		    &s, frame(static_cast<size_t>(bytes), static_cast<uint8_t>(bytes)),
		    false);
	s.arrived.clear();
	settle_for(&s, 20000);
	CHECK_EQ(read_register(&s, RX_DROPS_SIZE), 3);
	CHECK(poll_received(&s));
	CHECK(poll_received(&s));
	CHECK(!poll_received(&s));
	CHECK_EQ(s.received_bytes, MAX_FRAME + 99);
}

// RECEIVED takes 64 entries; the frame after that waits.
static void full_received(void)
{
	struct system s(105);

	s.gated = true;
	begin(&s);
	for (unsigned i = 0; i < 70; i++) {
		s.posted.push_back(
		    {RECEIVE_AT + i * REGION, RECEIVE_AT + i * REGION + 64, 500});
		write_register(&s, RECV,
			       UINT64_C(500) << 48 | (s.base + s.posted.back().at), 8);
		queue_frame(&s, frame(100 + i, static_cast<uint8_t>(i)), false);
		settle_for(&s, 200);
	}
	CHECK_EQ(read_register(&s, OCCUPANCY) >> 24, 64);
	CHECK_EQ(read_register(&s, RX_FRAMES), 64);
	for (unsigned i = 0; i < 70 && going_well(); i++)
		CHECK(poll_received(&s));
	CHECK(!poll_received(&s));
}

// A sum of 0xffff, whose complement is 0, is sent as 0xffff.
static void zero_checksum(void)
{
	struct system s(106);
	frame f(20, 0);

	s.gated = true;
	begin(&s);
	f[2] = f[3] = 0xff;
	send_frame(&s, f, true, 0, 8);
	CHECK_EQ(s.to_send.front()[8] & s.to_send.front()[9], 0xff);
	settle_for(&s, 1000);
	CHECK(s.to_send.empty());
}

int main(void)
{
	for (unsigned seed = 1; seed <= RUNS && going_well(); seed++)
		random_run(seed);
	full_buffer();
	full_queues();
	link_down();
	cut_frame();
	long_frames();
	full_received();
	zero_checksum();
	return bench_done();
}
