// SPDX-License-Identifier: Apache-2.0
// Outcomes of jumps and branches: random windows, of which instructions execute in any
// order, commit in order, and are squashed, against a model of what is to train and when.
#include "bench.h"

enum { WINDOW = 64, WIDTH = 4 };

struct slot {
	bool jumps, executed; // a jump or branch in the window
	bool waits;	      // the outcome of one that has committed
	uint64_t outcome, target;
};

struct model {
	struct slot slots[WINDOW];
	unsigned head, count;
};

struct temper {
	unsigned enter, jumps, execute, again, squash, flush; // once in so many times
};

enum { OF_COMMITTED, AT_ONCE, LOST, OF_WRONG_PATH, FLUSHED };
static struct covered_case covered[] = {
    {"trained with what has committed", 0},
    {"trained before what waits, without commit", 0},
    {"lost to the next instruction of the slot", 0},
    {"of a wrong path", 0},
    {"everything leaves the window", 0},
};

static unsigned slot_at(const struct model *m, unsigned age)
{
	return (m->head + age) % WINDOW;
}

// What leaves the window in a cycle. With `again` the instruction that executes leaves.
static uint64_t draw_squash(struct bench *b, const struct model *m,
			    const struct temper *t, unsigned commits, int again)
{
	uint64_t squashed = 0;
	unsigned from = commits + b->random.below(m->count - commits + 1);

	if (b->random.once_in(t->flush)) {
		covered[FLUSHED].count++;
		return ~UINT64_C(0);
	}
	if (again >= 0)
		from = (static_cast<unsigned>(again) - m->head) % WINDOW;
	else if (!b->random.once_in(t->squash))
		return 0;
	for (unsigned age = from; age < WINDOW; age++)
		squashed |= UINT64_C(1) << slot_at(m, age);
	return squashed;
}

// The oldest that may commit: executed before this cycle, or no jump.
static unsigned draw_commits(struct bench *b, const struct model *m)
{
	unsigned most = b->random.below(WIDTH + 1), n = 0;

	while (n < most && n < m->count) {
		const struct slot *s = &m->slots[slot_at(m, n)];

		if (s->jumps && !s->executed)
			break;
		n++;
	}
	return n;
}

// The slot of a jump that has not been executed and does not commit now, or -1.
static int draw_execution(struct bench *b, const struct model *m, unsigned commits)
{
	if (m->count == commits)
		return -1;
	const unsigned age = commits + b->random.below(m->count - commits);
	const struct slot *s = &m->slots[slot_at(m, age)];

	return s->jumps && !s->executed ? static_cast<int>(slot_at(m, age)) : -1;
}

static struct slot *oldest_that_waits(struct model *m)
{
	for (unsigned age = 0; age < WINDOW; age++)
		if (m->slots[slot_at(m, age)].waits)
			return &m->slots[slot_at(m, age)];
	return nullptr;
}

static void check_training(struct bench *b, struct model *m)
{
	struct slot *oldest = oldest_that_waits(m);
	const bool at_once = b->dut.update_i && b->dut.again_i;

	CHECK_EQ(b->dut.quiescent_o, oldest == nullptr);
	CHECK_EQ(b->dut.train_o, at_once || oldest);
	if (at_once) {
		covered[AT_ONCE].count += oldest != nullptr;
		CHECK_EQ(b->dut.outcome_o, b->dut.outcome_i);
		CHECK_EQ(b->dut.target_o, b->dut.target_i);
	} else if (oldest) {
		covered[OF_COMMITTED].count++;
		CHECK_EQ(b->dut.outcome_o, oldest->outcome);
		CHECK_EQ(b->dut.target_o, oldest->target);
		oldest->waits = false;
	}
}

static void leave(struct model *m, unsigned commits, uint64_t squashed)
{
	const unsigned before = m->count;

	for (unsigned age = 0; age < before; age++) {
		struct slot *s = &m->slots[slot_at(m, age)];

		if (age < commits) {
			s->waits = s->waits || s->executed;
		} else if (squashed >> slot_at(m, age) & 1) {
			covered[OF_WRONG_PATH].count += s->executed;
			m->count--;
		} else {
			continue;
		}
		s->jumps = s->executed = false;
	}
	m->head = slot_at(m, commits);
	m->count -= commits;
}

static void enter(struct bench *b, struct model *m, const struct temper *t)
{
	for (unsigned lane = 0; lane < WIDTH && m->count < WINDOW; lane++)
		if (b->random.once_in(t->enter))
			m->slots[slot_at(m, m->count++)].jumps =
			    b->random.once_in(t->jumps);
}

static void step(struct bench *b, struct model *m, const struct temper *t)
{
	const unsigned commits = draw_commits(b, m);
	const int executes =
	    b->random.once_in(t->execute) ? draw_execution(b, m, commits) : -1;
	const bool again = executes >= 0 && b->random.once_in(t->again);
	const uint64_t squashed = draw_squash(b, m, t, commits, again ? executes : -1);
	const uint64_t committed = (UINT64_C(1) << commits) - 1;

	b->dut.head_i = static_cast<uint8_t>(m->head);
	b->dut.committed_i =
	    m->head ? committed << m->head | committed >> (WINDOW - m->head) : committed;
	b->dut.squashed_i = squashed;
	b->dut.update_i = executes >= 0;
	b->dut.again_i = again || (executes < 0 && b->random.once_in(2));
	b->dut.slot_i = static_cast<uint8_t>(executes >= 0 ? executes : 0);
	b->dut.outcome_i = b->random.next();
	b->dut.target_i = b->random.next();
	b->settle();
	check_training(b, m);
	if (executes >= 0 && !again) {
		struct slot *s = &m->slots[executes];

		covered[LOST].count += s->waits;
		*s = {true, true, false, b->dut.outcome_i, b->dut.target_i};
	}
	b->edge();
	leave(m, commits, squashed);
	enter(b, m, t);
}

int main()
{
	static const struct temper tempers[] = {
	    {1, 1, 1, 1000, 1000, 100000}, // many outcomes, which wait long
	    {2, 3, 1, 20, 30, 200},
	    {1, 2, 2, 3, 10, 50},
	};
	struct bench b(1);

	for (unsigned session = 0; session < 60 && going_well(); session++) {
		struct model m = {};

		b.reset();
		for (unsigned i = 0; i < 5000 && going_well(); i++)
			step(&b, &m, &tempers[session % 3]);
	}
	check_covered(covered, 100);
	return bench_done();
}
