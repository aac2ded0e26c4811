// SPDX-License-Identifier: Apache-2.0
// The divider: results as specified, and its handshake in every cycle.
#include "bench.h"

// soc_pkg::div_op_e
enum { IS_UNSIGNED = 1, REMAINDER = 2 };

__extension__ typedef __int128 int128;

struct division {
	unsigned op;
	bool word;
	uint64_t a, b;
};

struct answer {
	uint64_t result;
	unsigned cycles; // until done_o
};

// Returns the numeric value of an operand.
static int128 number(const struct division *d, uint64_t bits)
{
	if (d->op & IS_UNSIGNED)
		return d->word ? static_cast<uint32_t>(bits) : bits;
	return d->word ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits);
}

static int128 magnitude(int128 n)
{
	return n < 0 ? -n : n;
}

// Division by 0 gives -1 and leaves the dividend as remainder. Nothing overflows in 128
// bits; the low bits are the specified result of an overflow.
static struct answer expected(const struct division *d)
{
	int128 a = number(d, d->a), b = number(d, d->b);
	int128 result = d->op & REMAINDER ? a : -1;
	struct answer answer = {0, 1};

	if (b != 0)
		result = d->op & REMAINDER ? a % b : a / b;
	answer.result = d->word ? static_cast<uint64_t>(static_cast<int32_t>(result))
				: static_cast<uint64_t>(result);
	if (magnitude(b) > 1)
		for (int128 left = magnitude(a); left != 0; left >>= 1)
			answer.cycles++;
	return answer;
}

static uint64_t operand(struct rng *random)
{
	static const uint64_t CORNERS[] = {
	    0,
	    1,
	    2,
	    ~UINT64_C(0),
	    ~UINT64_C(1),
	    INT64_MAX,
	    UINT64_C(1) << 63,
	    INT32_MAX,
	    UINT64_C(1) << 31,
	    UINT32_MAX,
	    UINT64_C(1) << 32,
	    ~UINT64_C(0) << 31,
	};
	uint64_t value = random->next();

	if (random->once_in(4))
		return CORNERS[random->below(sizeof(CORNERS) / sizeof(*CORNERS))];
	value >>= random->below(64);
	return random->once_in(2) ? value : -value;
}

static struct division draw(struct rng *random)
{
	struct division d = {random->below(4), random->once_in(2), operand(random),
			     operand(random)};

	if (random->once_in(16))
		d.b = random->once_in(2) ? d.a : d.a + 1;
	return d;
}

static void present(struct bench *b, const struct division *d)
{
	b->dut.valid_i = 1;
	b->dut.kill_i = b->dut.ack_i = 0;
	b->dut.op_i = d->op & 3;
	b->dut.word_i = d->word;
	b->dut.a_i = d->a;
	b->dut.b_i = d->b;
	b->settle();
}

// Without a request, ack_i, kill_i and the other inputs have no effect.
static void no_request(struct bench *b, unsigned cycles, bool done)
{
	b->dut.valid_i = 0;
	while (cycles--) {
		b->dut.kill_i = b->random.once_in(2);
		b->dut.ack_i = b->random.once_in(2);
		b->settle();
		CHECK_EQ(b->dut.done_o, done);
		b->edge();
	}
}

static void leave(struct bench *b, bool kill)
{
	b->dut.kill_i = kill;
	b->dut.ack_i = !kill;
	b->edge();
	b->dut.valid_i = 0;
	b->settle();
	CHECK_EQ(b->dut.done_o, 0);
	CHECK_EQ(b->dut.result_o, 0);
}

// Runs from the first cycle to the one before the answer, or to a kill.
static bool wait_for(struct bench *b, const struct division *d, const struct answer *want,
		     unsigned killed_in)
{
	for (unsigned cycle = 0; cycle < want->cycles; cycle++) {
		CHECK_EQ(b->dut.done_o, 0);
		CHECK_EQ(b->dut.result_o, 0);
		if (cycle == killed_in) {
			leave(b, true);
			return false;
		}
		b->edge();
		if (b->random.once_in(64)) {
			no_request(b, 1 + b->random.below(3), cycle + 1 == want->cycles);
			present(b, d);
		}
	}
	return true;
}

static void divide(struct bench *b)
{
	struct division d = draw(&b->random);
	struct answer want = expected(&d);
	unsigned killed_in = b->random.once_in(8) ? b->random.below(80) : ~0U;

	present(b, &d);
	if (!wait_for(b, &d, &want, killed_in))
		return;
	for (unsigned stays = b->random.below(4); stays; stays--) {
		CHECK_EQ(b->dut.done_o, 1);
		CHECK_EQ(b->dut.result_o, want.result);
		b->edge();
	}
	CHECK_EQ(b->dut.done_o, 1);
	if (!CHECK_EQ(b->dut.result_o, want.result))
		fprintf(stderr, "op %u word %d a 0x%" PRIx64 " b 0x%" PRIx64 "\n", d.op,
			d.word, d.a, d.b);
	leave(b, killed_in != ~0U);
	if (b->random.once_in(2))
		no_request(b, b->random.below(4), false);
}

// A reset in the middle of a division.
static void reset(struct bench *b)
{
	struct division d = draw(&b->random);

	present(b, &d);
	for (unsigned cycles = b->random.below(70); cycles; cycles--)
		b->edge();
	b->reset();
	b->dut.valid_i = 0;
	b->settle();
	CHECK_EQ(b->dut.done_o, 0);
}

int main()
{
	struct bench b(1);

	b.reset();
	for (unsigned i = 0; i < 30000 && going_well(); i++) {
		divide(&b);
		if (i % 100 == 0)
			reset(&b);
	}
	return bench_done();
}
