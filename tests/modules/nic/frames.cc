// SPDX-License-Identifier: Apache-2.0
// Random frames and their checksums.
#include "frames.h"

enum { ETHERNET = 14, TCP = 6, UDP = 17 };

static frame draw_bytes(rng *random, size_t n)
{
	frame f(n);

	for (uint8_t &byte : f)
		byte = static_cast<uint8_t>(random->next());
	return f;
}

frame draw_frame(rng *random, bool any)
{
	switch (random->below(any ? 22 : 20)) {
	case 0:
		return draw_bytes(random, MAX_FRAME - random->below(9));
	case 1:
	case 2:
		return draw_bytes(random, 9018 - random->below(20));
	case 20:
		return frame();
	case 21:
		return draw_bytes(random, MAX_FRAME + 1 + random->below(500));
	case 3:
	case 4:
	case 5:
	case 6:
		return draw_bytes(random, 1 + random->below(64));
	default:
		return draw_bytes(random, 1 + random->below(1600));
	}
}

// Numbers of 16 bits, most significant byte first.
static unsigned get(const frame &f, size_t at)
{
	return at + 1 < f.size() ? f[at] * 256U + f[at + 1] : f[at] * 256U;
}

static void put(frame *f, size_t at, unsigned value)
{
	(*f)[at] = static_cast<uint8_t>(value >> 8);
	(*f)[at + 1] = static_cast<uint8_t>(value);
}

static unsigned add(unsigned a, unsigned b)
{
	return (a + b) % 65536 + (a + b) / 65536;
}

static unsigned sum(const frame &f, size_t from, size_t to)
{
	unsigned total = 0;

	for (size_t at = from; at < to; at += 2)
		total = add(total, at + 1 < to ? get(f, at) : f[at] * 256U);
	return total;
}

static unsigned swapped(unsigned value)
{
	return value % 256 * 256 + value / 256;
}

unsigned sum_of(const frame &f, size_t from)
{
	return swapped(sum(f, from, f.size()));
}

frame with_checksum(const frame &f, unsigned start, unsigned offset)
{
	frame sent = f;
	unsigned total = ~sum(f, start, f.size()) & 0xffff;

	if (offset + 2 <= f.size())
		put(&sent, offset, total ? total : 0xffff);
	return sent;
}

// The pseudo-header of an IPv4 packet.
static unsigned pseudo(const frame &f, size_t payload)
{
	return add(sum(f, ETHERNET + 12, ETHERNET + 20),
		   add(f[ETHERNET + 9], static_cast<unsigned>(payload)));
}

unsigned classify(const frame &f)
{
	if (f.size() < ETHERNET + 28 || get(f, 12) != 0x0800 || f[ETHERNET] / 16 != 4)
		return 0;
	size_t header = f[ETHERNET] % 16 * 4U;
	size_t total = get(f, ETHERNET + 2);
	if (header < 20 || total < header + 8 || total + ETHERNET > f.size() ||
	    (get(f, ETHERNET + 6) & 0xbfff) != 0 ||
	    (f[ETHERNET + 9] != TCP && f[ETHERNET + 9] != UDP))
		return 0;
	return add(pseudo(f, total - header), sum(f, ETHERNET, f.size())) == 0xffff ? 3
										    : 1;
}

frame draw_packet(rng *random)
{
	size_t header = 20 + 4 * (random->once_in(4) ? random->below(11) : 0);
	size_t payload =
	    20 + (random->once_in(4) ? random->below(9000 - 80) : random->below(1440));
	frame f = draw_bytes(random, ETHERNET + header + payload);
	bool udp = random->once_in(2);
	size_t at = ETHERNET + header + (udp ? 6 : 16);

	put(&f, 12, 0x0800);
	f[ETHERNET] = static_cast<uint8_t>(0x40 + header / 4);
	put(&f, ETHERNET + 2, static_cast<unsigned>(header + payload));
	put(&f, ETHERNET + 6, random->once_in(2) ? 0x4000 : 0);
	f[ETHERNET + 9] = udp ? UDP : TCP;
	put(&f, ETHERNET + 10, 0);
	put(&f, ETHERNET + 10, ~sum(f, ETHERNET, ETHERNET + header) & 0xffff);
	put(&f, at, 0);
	put(&f, at,
	    ~add(pseudo(f, payload), sum(f, ETHERNET + header, f.size())) & 0xffff);
	f.resize(f.size() + (random->once_in(4) ? random->below(20) : 0));
	return f;
}

void damage(rng *random, frame *f)
{
	size_t bit = 8 * 12 + random->next() % (8 * (f->size() - 12));

	(*f)[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
}
