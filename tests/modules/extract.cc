// SPDX-License-Identifier: Apache-2.0
// Extraction of instructions from fetch blocks: random bytes in random blocks, which
// jump, end early or are bad, against a decoder that goes through their halfwords one by
// one.
#include "bench.h"

#include <deque>

#ifndef WIDTH
#define WIDTH 4
#endif
enum : unsigned { FIFO = 4, BLOCK = 8 }; // blocks; halfwords
enum : unsigned { SNAPSHOT_BITS = 49 };
enum : unsigned { GOOD = 0, BAD_ACCESS = 4, BAD_PAGE = 6, HALF = 1 }; // soc_pkg::bad_e

enum {
	NARROW,
	WIDE,
	SPLIT,
	SPLIT_PARTIAL,
	SPLIT_WAITS,
	JUMPS,
	JUMPS_AT_SECOND_BLOCK,
	STALE,
	TORN_AT_END,
	TORN_PARTIAL,
	ACCESS_FAULT,
	PAGE_FAULT,
	ACCESS_FAULT_OF_HALF,
	PAGE_FAULT_OF_HALF,
	ONE_HALFWORD,
	CARRY,
	FULL,
	EMPTY,
	NOT_TAKEN,
	REDIRECT_OF_PUSH,
	ALL_LANES
};
static struct covered_case covered[] = {
    {"instruction of 16 bits", 0},
    {"instruction of 32 bits", 0},
    {"instruction in two blocks", 0},
    {"instruction that begins in a partial block and ends in the next", 0},
    {"instruction whose second half is not there yet", 0},
    {"predicted jump", 0},
    {"predicted jump that ends in the next block", 0},
    {"prediction in the middle of an instruction", 0},
    {"torn instruction at the end of 16 bytes", 0},
    {"torn instruction at the end of a partial block", 0},
    {"access fault", 0},
    {"page fault", 0},
    {"access fault of the second half", 0},
    {"page fault of the second half", 0},
    {"block of one halfword", 0},
    {"carry into the upper half of a pc", 0},
    {"full", 0},
    {"empty", 0},
    {"cycle that takes nothing", 0},
    {"redirect at a push", 0},
    {"instruction in each lane", 0}};

// What only several lanes can do.
enum { THIRD_BLOCK, THREE_LEAVE, SECOND_OF_TWO, TWO_JUMPS };
static struct covered_case covered_wide[] = {
    {"instruction that ends in the third block", 0},
    {"three blocks that leave at once", 0},
    {"lane that is stopped by the second block", 0},
    {"two predicted jumps in a cycle", 0}};

// A halfword of a block; a bad block is one halfword.
struct halfword {
	uint64_t pc;
	uint16_t bits;
	unsigned block; // its number since the start
	unsigned bad;
	bool jumps; // the last of a block that jumps
	bool has_behind;
	uint16_t behind; // the next one in memory, if it is in the block
	uint64_t target;
	uint64_t snapshot;
};

struct instruction {
	unsigned halfwords; // of the stream
	uint32_t insn;
	uint64_t next_pc;
	unsigned bad;
	bool predicted, torn;
	uint64_t snapshot;
};

struct model {
	std::deque<halfword> stream;
	unsigned blocks;     // pushed since the start
	uint64_t pc;	     // of the next block
	unsigned wide;	     // halfwords in 4 that may begin an instruction of 32 bits
	unsigned push, take; // of 4 cycles, so many
};

// A block as it is pushed.
struct block {
	uint64_t pc;
	uint16_t bits[BLOCK];
	unsigned bad;
	bool jumps, partial;
	unsigned last;
	uint64_t target;
	uint64_t snapshot;
};

// The decoder. Returns an instruction of 0 halfwords if its second half is not there.
static struct instruction decode(const std::deque<halfword> &stream, size_t at)
{
	const halfword &h = stream[at];
	bool wide = (h.bits & 3) == 3;
	struct instruction i = {1, h.bits, h.pc + 2, h.bad, false, false, h.snapshot};

	if (h.bad)
		return i;
	if (h.jumps) {
		i.predicted = true;
		i.next_pc = h.target;
		i.torn = wide && !h.has_behind;
		if (wide)
			i.insn |= uint32_t{h.behind} << 16;
		return i;
	}
	if (!wide)
		return i;
	if (at + 1 == stream.size())
		return {};
	const halfword &second = stream[at + 1];
	i = {2,
	     h.bits | uint32_t{second.bits} << 16,
	     h.pc + 4,
	     0,
	     false,
	     false,
	     second.snapshot};
	if (second.bad)
		i.bad = second.bad | HALF;
	else if (second.jumps)
		i.predicted = true, i.next_pc = second.target;
	return i;
}

// Often where the addition of 4 carries into the upper half.
static uint64_t draw_pc(struct rng *random)
{
	uint64_t pc = random->next() & ~UINT64_C(1);

	return random->once_in(8) ? pc | 0xfffffff0 : pc;
}

// A block at m->pc. What does not matter is random as well.
static struct block draw_block(struct rng *random, const struct model *m)
{
	struct block k = {};
	unsigned first = m->pc / 2 % BLOCK;

	k.pc = m->pc;
	for (uint16_t &bits : k.bits) {
		unsigned low = random->below(4) < m->wide ? 3 : random->below(3);

		bits = static_cast<uint16_t>(random->next() << 2 | low);
	}
	if (random->once_in(16))
		k.bad = random->once_in(2) ? BAD_ACCESS : BAD_PAGE;
	k.jumps = random->once_in(3);
	k.partial = random->once_in(4);
	k.last = random->below(BLOCK);
	if (k.jumps || k.partial)
		k.last = first + random->below(BLOCK - first);
	k.target = draw_pc(random);
	k.snapshot = random->next() >> (64 - SNAPSHOT_BITS);
	return k;
}

static void present(struct bench *b, const struct block *k)
{
	b->dut.push_pc_i = k->pc >> 1;
	memcpy(&b->dut.push_data_i, k->bits, sizeof(k->bits));
	b->dut.push_bad_i = k->bad & 7;
	b->dut.push_jumps_i = k->jumps;
	b->dut.push_partial_i = k->partial;
	b->dut.push_last_i = k->last & 7;
	b->dut.push_target_i = k->target >> 1;
	b->dut.push_snapshot_i = k->snapshot;
}

static void append(struct bench *b, struct model *m, const struct block *k)
{
	unsigned first = k->pc / 2 % BLOCK;
	unsigned last = k->bad ? first : k->jumps || k->partial ? k->last : BLOCK - 1;

	for (unsigned i = first; i <= last; i++) {
		bool jumps = k->jumps && !k->bad && i == last;
		bool has_behind = i < BLOCK - 1 && !(k->partial && i == last);

		m->stream.push_back({k->pc + 2 * uint64_t{i - first}, k->bits[i],
				     m->blocks, k->bad, jumps, has_behind,
				     has_behind ? k->bits[i + 1] : uint16_t{0}, k->target,
				     k->snapshot});
	}
	m->blocks++;
	m->pc = k->bad	   ? draw_pc(&b->random)
		: k->jumps ? k->target
			   : m->stream.back().pc + 2;
	covered[ONE_HALFWORD].count += first == last && !k->bad;
}

// Lane `l` of a port with `n` bytes for each.
template <class PORT> static uint64_t lane(const PORT &port, unsigned l, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, reinterpret_cast<const unsigned char *>(&port) + l * n, n);
	return value;
}

static void count_bad(unsigned bad)
{
	covered[bad == BAD_ACCESS	   ? ACCESS_FAULT
		: bad == BAD_PAGE	   ? PAGE_FAULT
		: bad == (BAD_PAGE | HALF) ? PAGE_FAULT_OF_HALF
					   : ACCESS_FAULT_OF_HALF]
	    .count++;
}

static void count_instruction(const struct halfword *h, const struct instruction *i)
{
	bool wide = (h->bits & 3) == 3, at_end = h->pc % 16 == 14;
	bool crosses = i->halfwords == 2 && h[0].block != h[1].block;

	if (i->bad) {
		count_bad(i->bad);
		return;
	}
	covered[wide ? WIDE : NARROW].count++;
	covered[SPLIT].count += crosses;
	covered[SPLIT_PARTIAL].count += crosses && !at_end;
	covered[JUMPS].count += i->predicted;
	covered[JUMPS_AT_SECOND_BLOCK].count += i->predicted && crosses;
	covered[STALE].count += wide && i->predicted && i->halfwords == 1 && !i->torn;
	covered[TORN_AT_END].count += i->torn && at_end;
	covered[TORN_PARTIAL].count += i->torn && !at_end;
	covered[CARRY].count += !i->predicted && h->pc >> 32 != i->next_pc >> 32;
}

static void check_instruction(struct bench *b, unsigned l, const struct halfword *h,
			      const struct instruction *i)
{
	CHECK_EQ(lane(b->dut.pc_o, l, 8), h->pc);
	CHECK_EQ(lane(b->dut.insn_o, l, 4), i->bad || i->torn ? 0 : i->insn);
	if (!i->bad)
		CHECK_EQ(lane(b->dut.next_pc_o, l, 8), i->next_pc);
	// ooo_pkg::extracted_t
	CHECK_EQ(lane(b->dut.extracted_o, l, 8),
		 uint64_t{i->torn} << (SNAPSHOT_BITS + 4) |
		     uint64_t{i->predicted} << (SNAPSHOT_BITS + 3) |
		     uint64_t{i->bad} << SNAPSHOT_BITS | i->snapshot);
	count_instruction(h, i);
}

// The instructions of a cycle. Returns the number of halfwords that leave.
static size_t check_lanes(struct bench *b, const struct model *m)
{
	const std::deque<halfword> &stream = m->stream;
	size_t at = 0;
	unsigned head = stream.empty() ? 0 : stream[0].block, jumps = 0, l = 0;

	for (; l < WIDTH && at < stream.size() && stream[at].block - head < 2; l++) {
		const halfword pair[2] = {stream[at],
					  stream[at + 1 < stream.size() ? at + 1 : at]};
		struct instruction i = decode(stream, at);

		covered[SPLIT_WAITS].count += i.halfwords == 0;
		if (i.halfwords == 0)
			break;
		CHECK(b->dut.valid_o >> l & 1);
		check_instruction(b, l, pair, &i);
		jumps += i.predicted;
		at += i.halfwords;
		covered_wide[THIRD_BLOCK].count += stream[at - 1].block - head == 2;
	}
	CHECK_EQ(b->dut.valid_o >> l, 0);
	covered[ALL_LANES].count += l == WIDTH;
	covered_wide[SECOND_OF_TWO].count +=
	    l < WIDTH && at < stream.size() && stream[at].block - head == 2;
	covered_wide[TWO_JUMPS].count += jumps == 2;
	covered_wide[THREE_LEAVE].count +=
	    at < stream.size() && stream[at].block - head == 3;
	return at;
}

static void step(struct bench *b, struct model *m)
{
	struct block k = draw_block(&b->random, m);
	unsigned held = m->stream.empty() ? 0 : m->blocks - m->stream[0].block; // blocks
	bool push = held < FIFO && b->random.below(4) < m->push;
	bool take = b->random.below(4) < m->take, redirect = b->random.once_in(40);
	size_t taken = 0;

	present(b, &k);
	b->dut.push_i = push;
	b->dut.take_i = take;
	b->dut.redirect_i = redirect;
	b->settle();
	CHECK_EQ(b->dut.ready_o, held < FIFO);
	if (take)
		taken = check_lanes(b, m);
	else
		CHECK_EQ(b->dut.valid_o, 0);
	covered[FULL].count += held == FIFO;
	covered[EMPTY].count += held == 0 && take;
	covered[NOT_TAKEN].count += held != 0 && !take;
	covered[REDIRECT_OF_PUSH].count += redirect && push;
	b->edge();
	m->stream.erase(m->stream.begin(),
			m->stream.begin() + static_cast<std::ptrdiff_t>(taken));
	if (redirect) {
		m->stream.clear();
		m->pc = draw_pc(&b->random);
	} else if (push) {
		append(b, m, &k);
	}
}

static void start(struct bench *b, struct model *m)
{
	b->reset();
	m->stream.clear();
	m->pc = draw_pc(&b->random);
}

int main()
{
	static struct model m;
	struct bench b(1);

	for (unsigned i = 0; i < 400000 && going_well(); i++) {
		if (i % 20000 == 0)
			start(&b, &m);
		if (i % 500 == 0) {
			m.wide = b.random.below(5);
			m.push = 1 + b.random.below(4);
			m.take = 1 + b.random.below(4);
		}
		step(&b, &m);
	}
	check_covered(covered, 100);
	if (WIDTH > 1)
		check_covered(covered_wide, 100);
	return bench_done();
}
