// SPDX-License-Identifier: Apache-2.0
// The predictor of blocks: sequences of branches, jumps, calls and returns, first
// directed ones that it must learn, then random ones against a model of its tables.
#include "bench.h"
#include "block_predictor/model.h"

static void look_up(struct bench *b, uint64_t pc)
{
	b->dut.lookup_i = 1;
	b->dut.pc_i = pc;
	b->settle();
}

static struct snapshot read_snapshot(const struct bench *b)
{
	uint64_t bits = b->dut.snapshot_o;

	return {static_cast<unsigned>(bits >> 3) % PATHS, static_cast<unsigned>(bits & 7),
		extended(bits >> 10 << 1)};
}

static bool predicts(struct bench *b, uint64_t pc, uint64_t last, uint64_t target)
{
	look_up(b, pc);
	return b->dut.taken_o && b->dut.last_o == halfword_of(last) &&
	       b->dut.target_o == target;
}

static bool predicts_nothing(struct bench *b, uint64_t pc)
{
	look_up(b, pc);
	return !b->dut.taken_o;
}

static void present_redirect(struct bench *b, struct snapshot from,
			     const struct outcome *o)
{
	b->dut.redirect_i = 1;
	b->dut.redirect_snapshot_i =
	    (from.top & 0xffffffffff) / 2 << 10 | from.history << 3 | from.ras;
	b->dut.redirect_kind_i = o->kind & 3;
	b->dut.redirect_push_i = o->push;
	b->dut.redirect_taken_i = o->taken;
	b->dut.redirect_pc_i = o->pc;
	b->dut.redirect_target_i = o->target;
	b->dut.redirect_link_i = o->pc + 2;
}

static void present_update(struct bench *b, unsigned history, const struct outcome *o)
{
	b->dut.update_i = 1;
	b->dut.update_history_i = history % PATHS;
	b->dut.update_kind_i = o->kind & 3;
	b->dut.update_push_i = o->push;
	b->dut.update_indirect_i = o->indirect;
	b->dut.update_taken_i = o->taken;
	b->dut.update_long_i = o->is_long;
	b->dut.update_pc_i = o->pc;
	b->dut.update_target_i = o->target;
}

// One cycle, after which nothing is asked for.
static void cycle(struct bench *b)
{
	b->edge();
	b->dut.lookup_i = 0;
	b->dut.advance_i = 0;
	b->dut.redirect_i = 0;
	b->dut.update_i = 0;
	b->settle();
}

static void execute(struct bench *b, struct outcome o)
{
	present_update(b, 0, &o);
	cycle(b);
}

// What a core has fetched: the rest of a block, which begins at `pc` and ends with the
// predicted jump, if there is one; its successor is `next`.
struct flow {
	struct bench *b;
	uint64_t pc;
	unsigned wrong; // blocks that are fetched on a wrong path
	bool fetched, taken;
	uint64_t last, next;
	struct snapshot before;
};

static void fetch(struct flow *f)
{
	Vdut *dut = &f->b->dut;

	look_up(f->b, f->pc);
	f->before = read_snapshot(f->b);
	f->taken = dut->taken_o;
	f->last = block_of(f->pc) + (f->taken ? 2U * dut->last_o : BLOCK - 2);
	f->next = f->taken ? dut->target_o : f->last + 2;
	f->fetched = true;
	dut->advance_i = 1;
	cycle(f->b);
}

// Fetches up to the next jump or branch of the program, executes it, and redirects if it
// was mispredicted. Returns whether it was predicted.
static bool follow(struct flow *f, struct outcome o)
{
	uint64_t next = o.taken ? o.target : o.pc + 2;
	bool right;
	struct snapshot before;

	while (!f->fetched || (f->last < o.pc && !f->taken)) {
		if (f->fetched)
			f->pc = f->next;
		fetch(f);
	}
	before = f->before;
	right = o.taken == (f->taken && f->last == o.pc);
	right = right && (!o.taken || f->next == next);
	for (unsigned i = 0; !right && i < f->wrong; i++) {
		f->pc = f->next;
		fetch(f);
	}
	present_update(f->b, before.history, &o);
	if (!right)
		present_redirect(f->b, before, &o);
	cycle(f->b);
	f->pc = next;
	if (!right || o.taken)
		f->fetched = false;
	return right;
}

// Clearing takes a cycle for each entry of the largest array, in which everything else is
// ignored.
static void clear(struct bench *b, struct model *m, uint64_t pc)
{
	struct outcome o = {pc, JUMP, true, 0x80001000, true, false, true};
	int cycles = 0;

	for (int words : {BTBSETS, COUNTERS / 32, BRANCHES, TARGETS})
		cycles = words > cycles ? words : cycles;

	b->reset();
	model_reset(m);
	for (int i = 0; i < cycles; i++) {
		look_up(b, block_of(pc));
		present_update(b, 0, &o);
		present_redirect(b, {5, 1, 0}, &o);
		b->dut.advance_i = 1;
		b->settle();
		CHECK_EQ(b->dut.ready_o, 0);
		CHECK_EQ(b->dut.taken_o, 0);
		CHECK_EQ(b->dut.snapshot_o & 0x3ff, 0);
		cycle(b);
	}
	CHECK_EQ(b->dut.ready_o, 1);
	CHECK_EQ(b->dut.snapshot_o & 0x3ff, 0);
	for (uint64_t at = 0; at < BTBSETS * BLOCK; at += BLOCK)
		CHECK(predicts_nothing(b, pc ^ at) && predicts_nothing(b, at));
	CHECK(predicts_nothing(b, block_of(pc)));
}

// As many are learned in the rounds of loops().
enum { MOST_ITERATIONS = 14 };

// The inner of two loops is predicted completely, its end included, while the path tells
// how many iterations there were.
static void loops(struct bench *b)
{
	const uint64_t inner = 0x80000124, top = 0x80000112, outer = 0x8000014a;
	const struct outcome none = {};

	for (unsigned n = 1; n <= MOST_ITERATIONS; n++) {
		struct flow f = {b, top, 3, false, false, 0, 0, {0, 0, 0}};
		unsigned wrong = 0;

		present_redirect(b, {0, 0, 0}, &none);
		cycle(b);
		for (unsigned round = 0; round < 160; round++) {
			if (round == 120)
				wrong = 0;
			for (unsigned i = 1; i <= n; i++)
				wrong +=
				    !follow(&f, {inner, BRANCH, i < n, top, false, true});
			wrong += !follow(&f, {outer, BRANCH, true, top, false, true});
		}
		if (!CHECK_EQ(wrong, 0))
			fprintf(stderr, "%s: a loop of %u iterations\n", BENCH, n);
	}
}

// Two branches of one block are taken in turn.
static void turns(struct bench *b)
{
	const uint64_t block = 0x80000230, one = block + 2, two = block + 6;
	struct flow f = {b, block, 1, false, false, 0, 0, {0, 0, 0}};
	unsigned wrong = 0;

	for (unsigned round = 0; round < 100; round++) {
		uint64_t to = round % 2 ? 0x80000540 : 0x80000680;

		if (round == 40)
			wrong = 0;
		wrong +=
		    !follow(&f, {one, BRANCH, round % 2 == 0, 0x80000680, false, false});
		if (round % 2)
			wrong +=
			    !follow(&f, {two, BRANCH, true, 0x80000540, false, true});
		wrong += !follow(&f, {to + 4, JUMP, true, block, false, false});
	}
	CHECK_EQ(wrong, 0);
}

// A switch: an indirect jump goes on in a cycle of targets, from each of which a jump
// returns to it.
static void switches(struct bench *b)
{
	const uint64_t top = 0x80000720;
	struct flow f = {b, top, 2, false, false, 0, 0, {0, 0, 0}};
	unsigned wrong = 0;

	for (unsigned round = 0; round < 300; round++) {
		uint64_t to = 0x80004000 + 0x150 * (round % 5);

		if (round == 200)
			wrong = 0;
		wrong += !follow(&f, {top + 6, JUMP, true, to, false, false, true});
		wrong += !follow(&f, {to + 4, JUMP, true, top, false, false});
	}
	CHECK_EQ(wrong, 0);
}

// The function at depth `i` calls that at `i` + 1.
static struct outcome call_at(unsigned i)
{
	uint64_t function = 0x80002000 + 0x50 * i;

	return {function + 0x0a, JUMP, true, function + 0x50, true, true};
}

static struct outcome return_to(unsigned i)
{
	return {0x80002000 + 0x50 * (i + 1) + 0x24,
		RETURN,
		true,
		call_at(i).pc + 2,
		false,
		false};
}

// Calls as deep as the RAS return as predicted; of one more, the outermost does not.
static void calls(struct bench *b)
{
	struct flow f = {b, 0x80002000, 2, false, false, 0, 0, {0, 0, 0}};

	for (unsigned depth = RAS; depth <= RAS + 1; depth++)
		for (unsigned round = 0; round < 3; round++) {
			unsigned right = 0;

			for (unsigned i = 0; i < depth; i++)
				right += follow(&f, call_at(i));
			for (unsigned i = depth; i-- > 0;) {
				bool good = follow(&f, return_to(i));

				right += good;
				if (i == 0 && round > 0)
					CHECK_EQ(good, depth == RAS);
			}
			follow(&f, {0x8000202c, JUMP, true, 0x80002000, false, false});
			if (round > 0)
				CHECK_EQ(right, depth == RAS ? 2 * depth : 2 * depth - 1);
		}
}

// A return that calls: it removes one address and adds another.
static void swaps(struct bench *b)
{
	struct flow f = {b, 0x80002000, 0, false, false, 0, 0, {0, 0, 0}};
	struct outcome swap = return_to(1),
		       back = {0x80002066, RETURN, true, 0, false, false};

	swap.push = true;
	back.target = swap.pc + 2;
	for (unsigned round = 0; round < 3; round++) {
		unsigned right = 0;

		right += follow(&f, call_at(0));
		right += follow(&f, call_at(1));
		right += follow(&f, swap);
		right += follow(&f, back);
		right += follow(
		    &f, {swap.pc + 8, RETURN, true, call_at(0).pc + 2, false, false});
		right += follow(&f, {0x80002016, JUMP, true, 0x80002000, false, false});
		CHECK(round == 0 || right == 6);
	}
}

// A function that returns at once, or calls another one before: nothing predicts which.
// Returns whether its returns were predicted, and counts mispredicted branches.
static bool call_and_return(struct flow *f, const struct outcome &call,
			    unsigned *squashed)
{
	const uint64_t function = call.target, other = 0x80003010;
	bool early = f->b->random.once_in(2), right = follow(f, call);

	*squashed +=
	    !follow(f, {function + 4, BRANCH, early, function + 0x38, false, true});
	if (early)
		return right & follow(f, {function + 0x3e, RETURN, true, call.pc + 2,
					  false, false});
	right &= follow(f, {function + 0x12, JUMP, true, other, true, true});
	right &= follow(f, {other + 2, RETURN, true, function + 0x14, false, false});
	return right &
	       follow(f, {function + 0x1a, RETURN, true, call.pc + 2, false, false});
}

// The wrong path calls and returns, or returns and calls from another place; no return is
// mispredicted because of that.
static void squashes(struct bench *b)
{
	struct outcome calls[2] = {call_at(0), call_at(0)};
	struct flow f = {b, 0x80002000, 0, false, false, 0, 0, {0, 0, 0}};
	unsigned squashed = 0, wrong = 0;

	calls[1].pc += 12;
	for (unsigned round = 0; round < 400; round++) {
		bool right = true;

		f.wrong = b->random.below(6);
		for (const struct outcome &call : calls)
			right &= call_and_return(&f, call, &squashed);
		right &= follow(&f, {0x80002036, JUMP, true, 0x80002000, false, false});
		wrong += !right && round >= 20;
	}
	CHECK(squashed > 100);
	CHECK_EQ(wrong, 0);
}

// Of two jumps in a block the first behind the place of entry counts.
static void pairs(struct bench *b)
{
	const uint64_t block = 0x80000420;

	for (unsigned i = 0; i < 2; i++) {
		uint64_t at = block + BLOCK * i;

		execute(b, {at + (i ? 4 : 10), JUMP, true, 0x80004000, false, false});
		execute(
		    b, {at + (i ? 10 : 4), JUMP, true, 0xffffffc000004000, false, false});
		for (unsigned from = 0; from < 8; from++)
			CHECK(from <= 2	  ? predicts(b, at + 2 * from, at + 4,
						     i ? 0x80004000 : 0xffffffc000004000)
			      : from <= 5 ? predicts(b, at + 2 * from, at + 10,
						     i ? 0xffffffc000004000 : 0x80004000)
					  : predicts_nothing(b, at + 2 * from));
	}
}

// Of three jumps in a set, that which was not executed for the longest time is replaced,
// but a free way is used first.
static void ways(struct bench *b)
{
	const uint64_t pc = 0x80000434, apart = BLOCK * BTBSETS;
	struct outcome jump[3];

	for (unsigned i = 0; i < 3; i++)
		jump[i] = {pc + apart * i,	   JUMP,  true,
			   0x80005000 + 0x100 * i, false, false};
	for (unsigned i = 0; i < 24; i++) {
		struct outcome &old = jump[i % 3], &kept = jump[(i + 1) % 3];
		struct outcome &added = jump[(i + 2) % 3];

		execute(b, old);
		execute(b, kept);
		if (i & 4)
			execute(b, old);
		if (i & 8)
			execute(b, {old.pc, NONE, false, 0, false, false});
		else if (i & 4)
			execute(b, kept);
		execute(b, added);
		CHECK(predicts(b, kept.pc, kept.pc, kept.target));
		CHECK(predicts(b, added.pc, added.pc, added.target));
		CHECK(predicts_nothing(b, old.pc));
		for (const struct outcome &o : jump)
			execute(b, {o.pc, NONE, false, 0, false, false});
	}
}

// Code has changed: what the entries of its halfwords predict does not stay.
static void stale(struct bench *b)
{
	const uint64_t pc = 0x80000606, target = 0x80006000;
	const struct outcome jump = {pc, JUMP, true, target, false, false};

	for (unsigned i = 0; i < 2; i++) {
		execute(b, {pc - 4 + 10 * i, JUMP, true, target + 4, false, false});
		execute(b, jump);
		execute(b, {pc + 2, NONE, false, 0, false, false});
		CHECK(predicts(b, pc, pc, target));
		execute(b, {pc + 2, NONE, false, 0, false, true});
		CHECK(!predicts(b, pc, pc, target));
		execute(b, jump);
		execute(b, {pc, BRANCH, false, target + 8, false, false});
		CHECK(!predicts(b, pc, pc, target));
		execute(b, jump);
		execute(b, {pc + 2, BRANCH, false, target + 8, false, true});
		CHECK(!predicts(b, pc, pc, target));
		execute(b, {pc - 4 + 10 * i, NONE, false, 0, false, false});
	}
	execute(b, jump);
	execute(b, {pc + 2, JUMP, true, target + 4, false, false});
	execute(b, {pc + 2, RETURN, true, target + 8, false, true});
	CHECK(!predicts(b, pc, pc, target));
	CHECK(!predicts(b, pc, pc + 2, target + 4));
	execute(b, {pc + 2, JUMP, true, target + 12, false, true});
	CHECK(predicts(b, pc, pc + 2, target + 12));
	// An instruction of two blocks leaves the entry of the first one.
	execute(b, {block_of(pc) + 14, JUMP, true, target, false, false});
	execute(b, {block_of(pc) + 16, NONE, false, 0, false, true});
	CHECK(predicts(b, block_of(pc) + 12, block_of(pc) + 14, target));
}

// Few addresses, which differ in a bit, so that they collide in the tables, and few
// targets, so that there are not many paths.
struct pool {
	uint64_t pc[8], target[3];
};

static void draw_pool(struct rng *random, struct pool *p)
{
	p->pc[0] = (random->once_in(2) ? 0x80000000 : 0xffffffc000000000) |
		   random->below(1 << 14) << 1;
	for (unsigned i = 1; i < 8; i++) {
		unsigned bit = random->once_in(3)   ? 1 + random->below(63)
			       : random->once_in(2) ? 1 + random->below(3)
						    : 12 + random->below(28);
		p->pc[i] = p->pc[random->below(i)] ^ UINT64_C(1) << bit;
	}
	for (uint64_t &target : p->target)
		target = random->next() & ~UINT64_C(1);
}

static struct outcome draw(struct rng *random, const struct pool *p)
{
	static const enum kind KINDS[] = {NONE,	  BRANCH, BRANCH, BRANCH,
					  BRANCH, JUMP,	  JUMP,	  RETURN};
	struct outcome o = {
	    p->pc[random->below(8)],	 KINDS[random->below(8)], true,
	    p->target[random->below(3)], random->once_in(2),	  random->once_in(4),
	    random->once_in(2)};

	if (o.kind == BRANCH)
		o.taken = random->once_in(2);
	else if (o.kind == NONE)
		o.taken = false;
	o.push = o.push && (o.kind == JUMP || o.kind == RETURN);
	o.indirect = o.indirect && o.kind == JUMP;
	return o;
}

// Returns what advance_i applies.
static struct outcome check(struct bench *b, struct model *m, uint64_t pc)
{
	struct prediction p = predict(m, pc);
	struct outcome o = {};
	struct snapshot now;
	uint64_t target;

	look_up(b, pc);
	now = read_snapshot(b);
	CHECK_EQ(now.history, m->history);
	CHECK_EQ(now.ras, m->top);
	CHECK(!m->known[m->top] || now.top == m->ras[m->top]);
	if (!CHECK_EQ(b->dut.taken_o, p.taken) || !p.taken)
		return o;
	CHECK_EQ(b->dut.last_o, p.entry->last);
	target = p.target;
	if (p.entry->kind == RETURN) {
		target = m->known[m->top] ? m->ras[m->top] : b->dut.target_o;
		cover(RETURNS, m->known[m->top]);
	}
	CHECK_EQ(b->dut.target_o, target);
	o = {block_of(pc) + 2 * p.entry->last,
	     p.entry->kind,
	     true,
	     target,
	     p.entry->push,
	     false,
	     p.entry->indirect};
	return o;
}

// The number of a path that there has been: often one of the last ones.
static unsigned draw_history(struct rng *random, const struct model *m)
{
	unsigned history = m->history;

	if (random->once_in(2))
		history = (history + PATHS - random->below(4)) % PATHS;
	if (random->once_in(8))
		history = random->below(PATHS);
	return m->has_path[history] ? history : 0;
}

// A cycle with a lookup, and with anything else.
static void step(struct bench *b, struct model *m, const struct pool *p)
{
	struct rng *random = &b->random;
	struct outcome advance = {}, redirect = draw(random, p), update = draw(random, p);
	struct snapshot from = {draw_history(random, m), random->below(RAS),
				extended(random->next() & ~UINT64_C(1))};
	unsigned history = draw_history(random, m);
	uint64_t pc = p->pc[random->below(8)];
	bool advances = random->once_in(4), redirects = random->once_in(3);

	if (random->once_in(2))
		pc = block_of(pc) + 2 * random->below(8);
	present_redirect(b, from, &redirect);
	present_update(b, history, &update);
	advance = check(b, m, pc);
	if (random->once_in(8)) {
		b->dut.lookup_i = 0;
		advance.taken = false;
		b->settle();
		CHECK_EQ(b->dut.taken_o, 0);
	}
	b->dut.advance_i = advances;
	b->dut.redirect_i = redirects;
	b->dut.update_i = random->once_in(2);
	cover(REDIRECTED_ADVANCE, advances && advance.taken && redirects);
	cover(CALL_REDIRECTED, redirects && redirect.push);
	cover(RETURN_REDIRECTED, redirects && redirect.kind == RETURN);
	if (b->dut.update_i)
		learn(m, &update, history);
	if (redirects)
		restore(m, &from);
	if (redirects || advances)
		move(m, redirects ? &redirect : &advance);
	cycle(b);
}

static void at_random(struct bench *b, struct model *m)
{
	struct pool p = {};

	for (unsigned session = 0; session < 1200 && going_well(); session++) {
		if (session % 3 == 0)
			draw_pool(&b->random, &p);
		if (session % 3 == 1)
			clear(b, m, p.pc[0]);
		for (unsigned i = 0; i < 400 && going_well(); i++)
			step(b, m, &p);
	}
}

int main()
{
	static void (*const STORIES[])(struct bench *) = {
	    loops, turns, switches, calls, swaps, squashes, pairs, ways, stale};
	struct bench b(1);
	static struct model m;

	for (auto story : STORIES)
		if (going_well()) {
			clear(&b, &m, 0x80000000);
			story(&b);
		}
	m = {};
	clear(&b, &m, 0x80000000);
	at_random(&b, &m);
	check_covered(covered, 100);
	return bench_done();
}
