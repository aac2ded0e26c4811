// SPDX-License-Identifier: Apache-2.0
// The device bus with two masters: the lower number has priority, an access takes two
// cycles, and the address map is that of soc.h.
#include "bench.h"
#include "soc.h"

enum { MASTERS = 2, DEVICES = 5, SIZES = 4, RUNS = 20, CYCLES = 20000 };

struct region {
	uint64_t base, size;
	unsigned sizes; // valid access sizes: bit n for 2^n bytes
};

static const struct region MAP[DEVICES] = {
    {SOC_UART_BASE, SOC_UART_SIZE, 1 << 0},
    {SOC_CLINT_BASE, SOC_CLINT_SIZE, 1 << 2 | 1 << 3},
    {SOC_PLIC_BASE, SOC_PLIC_SIZE, 1 << 2},
    {SOC_POWER_BASE, SOC_POWER_SIZE, 1 << 2},
    {SOC_NIC_BASE, SOC_NIC_SIZE, 1 << 2 | 1 << 3},
};

static const uint64_t ADDRESSES = UINT64_C(1) << 56;

struct request {
	bool valid, write;
	unsigned size;
	uint64_t address, data;
};

// Returns an address aligned, in a device or just outside one, or anywhere.
static struct request draw(struct rng *random)
{
	const struct region *r = &MAP[random->below(DEVICES)];
	struct request q = {true, random->once_in(2), random->below(SIZES), 0,
			    random->next()};

	switch (random->below(6)) {
	case 0:
		q.address = r->base - 8;
		break;
	case 1:
		q.address = r->base + r->size - 8;
		break;
	case 2:
		q.address = r->base + r->size;
		break;
	case 3:
		q.address = random->next() % ADDRESSES;
		break;
	default:
		q.address = r->base + random->next() % r->size;
	}
	q.address &= ~((UINT64_C(1) << q.size) - 1);
	return q;
}

static unsigned device_of(const struct request *q)
{
	for (unsigned i = 0; i < DEVICES; i++)
		if (q->address >= MAP[i].base && q->address - MAP[i].base < MAP[i].size &&
		    (MAP[i].sizes >> q->size & 1))
			return 1U << i;
	return 0;
}

// device_pkg::device_req_t
static uint64_t packed(const struct request *q)
{
	return static_cast<uint64_t>(q->write) << 58 |
	       static_cast<uint64_t>(q->size) << 56 | q->address;
}

// Verilator stores vectors as 32-bit words.
template <class WORDS>
static void set_bits(WORDS &words, unsigned from, unsigned n, uint64_t value)
{
	for (unsigned i = 0; i < n; i++) {
		uint32_t bit = UINT32_C(1) << ((from + i) % 32);

		words[(from + i) / 32] &= ~bit;
		if (value >> i & 1)
			words[(from + i) / 32] |= bit;
	}
}

struct bus {
	struct request masters[MASTERS];
	unsigned ready, answer; // expected in this cycle
};

static void drive(struct bench *b, struct bus *bus)
{
	b->dut.valid_i = 0;
	for (unsigned i = 0; i < MASTERS; i++) {
		struct request *q = &bus->masters[i];

		if (!q->valid && b->random.once_in(3))
			*q = draw(&b->random);
		if (!q->valid)
			continue;
		b->dut.valid_i |= 1U << i;
		set_bits(b->dut.req_i, 59 * i, 59, packed(q));
		set_bits(b->dut.wdata_i, 64 * i, 64, q->data);
	}
	b->settle();
}

// Simulates a cycle; its inputs determine the outputs expected in the next one.
static void cycle(struct bench *b, struct bus *bus)
{
	unsigned owner = 0, access = 0;

	drive(b, bus);
	CHECK_EQ(b->dut.ready_o, bus->ready);
	if (bus->ready)
		CHECK_EQ(b->dut.response_o, bus->answer);
	while (owner < MASTERS && !bus->masters[owner].valid)
		owner++;
	if (owner < MASTERS && !bus->ready) {
		access = device_of(&bus->masters[owner]);
		CHECK_EQ(b->dut.req_o, packed(&bus->masters[owner]));
		CHECK_EQ(b->dut.wdata_o, bus->masters[owner].data);
	}
	CHECK_EQ(b->dut.access_o, access);
	for (unsigned i = 0; i < MASTERS; i++)
		if (bus->ready >> i & 1)
			bus->masters[i].valid = false;
	bus->ready = owner < MASTERS && !bus->ready ? 1U << owner : 0;
	bus->answer = access;
	b->edge();
}

int main(void)
{
	for (unsigned seed = 1; seed <= RUNS && going_well(); seed++) {
		struct bench b(seed);
		struct bus bus = {};

		// Requests made before a reset are never answered, however long the
		// reset.
		b.dut.rst_ni = 0;
		b.dut.valid_i = 1;
		for (unsigned i = 0; i < seed; i++)
			b.edge();
		b.reset();
		for (unsigned i = 0; i < CYCLES && going_well(); i++)
			cycle(&b, &bus);
	}
	return bench_done();
}
