// SPDX-License-Identifier: Apache-2.0
// The PMP against bytes: which entries cover which bytes of an access and of its page,
// and which writes of its registers the locks discard.
//
// Sections are those of the RISC-V privileged specification, version 20211203.
#include "bench.h"

enum { ENTRIES = 8, PAGE = 4096 };
enum : unsigned { R = 1, W = 2, X = 4, LOCK = 128 }; // 3.7.1, figure 3.35
enum mode { OFF, TOR, NA4, NAPOT };		     // table 3.10
enum { PMPCFG0 = 0x3a0, PMPCFG2 = 0x3a2, PMPADDR0 = 0x3b0 };

enum {
	BY_TOR,
	BY_NA4,
	BY_NAPOT,
	NO_ENTRY,
	NO_ENTRY_OF_M,
	IN_PART,
	LOCKED_FOR_M,
	UNLOCKED_FOR_M,
	SPLIT_PAGE,
	WHOLE_PAGE,
	EMPTY_RANGE,
	CONFIG_LOCKED,
	ADDRESS_LOCKED,
	BOUND_LOCKED,
	W_WITHOUT_R,
};
static struct covered_case covered[] = {
    {"TOR", 0},
    {"NA4", 0},
    {"NAPOT", 0},
    {"no entry", 0},
    {"no entry, M-mode", 0},
    {"entry that covers part of the access", 0},
    {"locked entry, M-mode", 0},
    {"entry without lock, M-mode", 0},
    {"entry that covers part of the page", 0},
    {"entry that covers the page", 0},
    {"empty range", 0},
    {"locked configuration", 0},
    {"locked address", 0},
    {"address locked by the next entry", 0},
    {"W without R", 0},
};

struct model {
	uint64_t address[ENTRIES];
	unsigned config[ENTRIES];
};

// The bytes from `low` to the one before `high`.
struct range {
	uint64_t low, high;
};

static enum mode mode_of(const struct model *m, unsigned i)
{
	return static_cast<enum mode>(m->config[i] >> 3 & 3);
}

// 3.7.1, address matching. Returns an empty range if the entry covers nothing.
static struct range range_of(const struct model *m, unsigned i)
{
	uint64_t address = m->address[i], size = 8;

	switch (mode_of(m, i)) {
	case OFF:
		return {0, 0};
	case TOR:
		return {i ? m->address[i - 1] << 2 : 0, address << 2};
	case NA4:
		return {address << 2, (address << 2) + 4};
	default:
		for (; address & 1; address >>= 1)
			size *= 2;
		address = (m->address[i] << 2) & ~(size - 1);
		return {address, address + size};
	}
}

// Returns how many of the bytes a range covers.
static uint64_t overlap(const struct range *r, uint64_t low, uint64_t size)
{
	uint64_t from = r->low > low ? r->low : low;
	uint64_t to = r->high < low + size ? r->high : low + size;

	return from < to ? to - from : 0;
}

// 3.7.1, priority and matching logic: the entry of the lowest number that covers any byte
// decides, and must cover them all. Returns soc_pkg::pmp_allow_t without `split`.
static unsigned allowed(const struct model *m, bool machine, uint64_t pa, unsigned size)
{
	static const unsigned MODES[] = {0, BY_TOR, BY_NA4, BY_NAPOT};

	for (unsigned i = 0; i < ENTRIES; i++) {
		struct range r = range_of(m, i);
		uint64_t bytes = overlap(&r, pa, size);

		if (!bytes)
			continue;
		if (bytes < size) {
			covered[IN_PART].count++;
			return 0;
		}
		covered[MODES[mode_of(m, i)]].count++;
		if (!machine)
			return m->config[i] & (R | W | X);
		covered[m->config[i] & LOCK ? LOCKED_FOR_M : UNLOCKED_FOR_M].count++;
		return m->config[i] & LOCK ? m->config[i] & (R | W | X) : R | W | X;
	}
	covered[machine ? NO_ENTRY_OF_M : NO_ENTRY].count++;
	return machine ? R | W | X : 0;
}

// Returns whether an entry covers some bytes of the page, but not all.
static bool splits(const struct model *m, uint64_t pa)
{
	bool split = false;

	for (unsigned i = 0; i < ENTRIES; i++) {
		struct range r = range_of(m, i);
		uint64_t bytes = overlap(&r, pa & ~UINT64_C(4095), PAGE);

		covered[EMPTY_RANGE].count += mode_of(m, i) == TOR && r.low >= r.high;
		covered[WHOLE_PAGE].count += bytes == PAGE;
		split = split || (bytes > 0 && bytes < PAGE);
	}
	covered[SPLIT_PAGE].count += split;
	return split;
}

// 3.7.1, locking: until reset. A locked TOR entry locks its lower bound too.
static bool address_locked(const struct model *m, unsigned i)
{
	if (m->config[i] & LOCK) {
		covered[ADDRESS_LOCKED].count++;
		return true;
	}
	if (i + 1 == ENTRIES || !(m->config[i + 1] & LOCK) || mode_of(m, i + 1) != TOR)
		return false;
	covered[BOUND_LOCKED].count++;
	return true;
}

// W without R is reserved: the hardware clears W. Bits 5 and 6 are 0.
static void write_config(struct model *m, uint64_t value)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		unsigned config = value >> 8 * i & 0x9f;

		if (m->config[i] & LOCK) {
			covered[CONFIG_LOCKED].count++;
			continue;
		}
		covered[W_WITHOUT_R].count += (config & (R | W)) == W;
		m->config[i] = config & R ? config : config & ~W;
	}
}

static void write_register(struct model *m, unsigned number, uint64_t value)
{
	if (number == PMPCFG0)
		write_config(m, value);
	else if (number >= PMPADDR0 && number < PMPADDR0 + ENTRIES &&
		 !address_locked(m, number - PMPADDR0))
		m->address[number - PMPADDR0] = value & ((UINT64_C(1) << 54) - 1);
}

// pmpcfg2 and the addresses from entry 8 on read 0: there are no such entries.
static uint64_t read_register(const struct model *m, unsigned number)
{
	uint64_t value = 0;

	if (number >= PMPADDR0 && number < PMPADDR0 + ENTRIES)
		value = m->address[number - PMPADDR0];
	else if (number == PMPCFG0)
		for (unsigned i = 0; i < ENTRIES; i++)
			value |= (uint64_t)m->config[i] << 8 * i;
	return value;
}

// An address in or near few pages, and often at a border.
static uint64_t draw_address(struct rng *random)
{
	uint64_t pa =
	    UINT64_C(0x80000000) + random->below(4) * PAGE + random->below(PAGE);

	if (random->once_in(2))
		pa = (pa & ~UINT64_C(63)) + random->below(3) * 8 - 8;
	if (random->once_in(4))
		pa &= ~UINT64_C(4095);
	if (random->once_in(16))
		pa = random->next();
	return pa & ((UINT64_C(1) << 56) - 1);
}

// The value of an address register: often one with trailing ones, for NAPOT.
static uint64_t draw_bound(struct rng *random)
{
	uint64_t value = draw_address(random) >> 2;

	if (random->once_in(2))
		value |= (UINT64_C(1) << random->below(random->once_in(8) ? 55 : 13)) - 1;
	if (random->once_in(8))
		value &= ~(UINT64_C(1) << random->below(12));
	return value | (random->once_in(8) ? random->next() << 54 : 0);
}

static unsigned draw_number(struct rng *random)
{
	if (random->once_in(4))
		return random->once_in(4) ? PMPCFG2 : PMPCFG0;
	return PMPADDR0 + random->below(random->once_in(4) ? 16 : ENTRIES);
}

static uint64_t draw_config(struct rng *random)
{
	uint64_t value = random->next();

	// Few locks, and some entries that are off
	for (unsigned i = 0; i < ENTRIES; i++) {
		if (!random->once_in(12))
			value &= ~(uint64_t{LOCK} << 8 * i);
		if (random->once_in(3))
			value &= ~(UINT64_C(0x18) << 8 * i);
	}
	return value;
}

static void access_registers(struct bench *b, struct model *m)
{
	unsigned number = draw_number(&b->random);

	b->dut.addr_i = number & 0xfff;
	b->dut.we_i = b->random.once_in(3);
	b->dut.wdata_i =
	    number == PMPCFG0 ? draw_config(&b->random) : draw_bound(&b->random);
	b->settle();
	CHECK_EQ(b->dut.rdata_o, read_register(m, number));
	if (b->dut.we_i)
		write_register(m, number, b->dut.wdata_i);
}

static void check_access(struct bench *b, const struct model *m)
{
	unsigned size = b->random.below(4);
	bool machine = b->random.once_in(3);
	uint64_t pa = draw_address(&b->random) >> size << size;

	b->dut.valid_i = 1;
	// soc_pkg::pmp_check_t
	b->dut.check_i = (uint64_t)size << 57 | (uint64_t)machine << 56 | pa;
	b->settle();
	CHECK_EQ(b->dut.allow_o & 7, allowed(m, machine, pa, 1U << size));
	CHECK_EQ(b->dut.allow_o >> 3, splits(m, pa));
	b->dut.valid_i = 0;
	b->settle();
	CHECK_EQ(b->dut.allow_o, 0);
}

int main()
{
	struct bench b(1);
	struct model m = {};

	for (unsigned i = 0; i < 300000 && going_well(); i++) {
		if (i % 300 == 0) {
			b.dut.we_i = 0;
			b.reset();
			m = {};
		}
		check_access(&b, &m);
		access_registers(&b, &m);
		// The module checks its own inputs and outputs at the edge.
		b.dut.valid_i = b.random.once_in(2);
		b.edge();
	}
	check_covered(covered, 100);
	return bench_done();
}
