// SPDX-License-Identifier: Apache-2.0
// The window against a list of instructions in program order: random streams with random
// latencies, replays, holds and squashes, and streams of known throughput.
//
// The value of a physical register is the number of the instruction that wrote it, and
// each instruction knows the numbers that it must read. What issues and commits in a
// cycle is predicted exactly.
#include "bench.h"
#include "window/model.h"

enum {
	IS_FULL_WINDOW,
	IS_LATE_WAKE,
	IS_THIRD,
	IS_THIRD_WAKE,
	IS_REPLAY,
	IS_REPLAY_SQUASHED,
	IS_REPLAY_HEAD,
	IS_REPLAY_HEAD_WITH_GROUP,
	IS_REPLAY_WAIT,
	IS_REPLAY_WAIT_IN_WAKE,
	IS_WAKE,
	IS_QUIESCENT,
	IS_QUIESCENT_HELD,
	IS_ISSUE_SQUASHED,
	IS_RESULT_SQUASHED,
	IS_SQUASH_IN_WALK,
	IS_COMMIT_IN_WALK,
	IS_WALK_OF_PART,
	IS_SQUASH_AFTER_COMMIT,
	IS_SQUASH_OF_NONE,
	IS_SQUASH_INCLUSIVE,
	IS_SQUASH_WITH_GROUP,
	IS_FLUSH,
	IS_FLUSH_WITH_COMMIT,
	IS_FLUSH_OF_FULL,
	IS_HOLD,
	IS_ALONE,
	IS_DIV_BUSY,
	IS_HEAD_LATER
};
static struct covered_case covered[] = {
    {"window without a free slot", 0},
    {"result in the cycle in which its reader is dispatched", 0},
    {"third operand", 0},
    {"wait for the third operand alone", 0},
    {"replay", 0},
    {"replay in the cycle of its squash", 0},
    {"replay as the oldest", 0},
    {"replay as the oldest in a cycle with a group", 0},
    {"replay that waits", 0},
    {"replay that waits in the cycle of a wake", 0},
    {"wake of several", 0},
    {"quiescent", 0},
    {"quiescent with one that waits for a wake", 0},
    {"issue in the cycle of its squash", 0},
    {"result in the cycle of its squash", 0},
    {"squash during a walk", 0},
    {"commit during a walk", 0},
    {"walk that ends with fewer slots", 0},
    {"squash after a slot that commits", 0},
    {"squash of nothing", 0},
    {"squash with its slot", 0},
    {"squash in a cycle with a group", 0},
    {"flush", 0},
    {"flush in a cycle with a commit", 0},
    {"flush of a full window", 0},
    {"hold", 0},
    {"slot that commits alone", 0},
    {"division that is ready while the divider is not", 0},
    {"instruction that waits to be the oldest", 0}};

// Cases of several lanes.
enum { IS_FULL_GROUP, IS_GROUP_OPERAND, IS_GROUP_WRITE, IS_ALONE_BEHIND, IS_FULL_COMMIT };
static struct covered_case covered_lanes[] = {{"group of all lanes", 0},
					      {"operand of the same group", 0},
					      {"register written twice in a group", 0},
					      {"slot that waits to commit alone", 0},
					      {"commit of all lanes", 0}};

static bool once(struct bench *b, unsigned rate)
{
	return rate && b->random.once_in(rate);
}

// ---- Dispatch

static enum port draw_port(struct bench *b, const struct temper *t)
{
	unsigned sum = 0, at;

	for (unsigned weight : t->weights)
		sum += weight;
	at = b->random.below(sum);
	for (unsigned port = 0;; port++) {
		if (at < t->weights[port])
			return static_cast<enum port>(port);
		at -= t->weights[port];
	}
}

// Registers from both ends, so that all bits of their numbers occur.
static unsigned draw_register(struct bench *b, const struct temper *t)
{
	unsigned r = b->random.below(t->registers);

	return r % 2 ? REGISTERS - 1 - r / 2 : r / 2;
}

static struct insn draw_insn(struct bench *b, struct model *m)
{
	const struct temper *t = m->temper;
	struct insn i = {};

	i.port = draw_port(b, t);
	i.rd = i.port == BRANCH || b->random.once_in(6) ? 0 : draw_register(b, t);
	i.rs[0] = draw_register(b, t);
	i.rs[1] = b->random.once_in(2) ? draw_register(b, t) : 0;
	i.rs[2] = once(b, t->thirds) ? draw_register(b, t) : 0;
	if (t->shape == temper::INDEPENDENT)
		std::fill(i.rs, i.rs + OPERANDS, 0);
	else if (t->shape == temper::CHAIN)
		i.rd = i.rs[0] = 1;
	i.alone = once(b, t->alone);
	return i;
}

static void present_group(struct bench *b, const struct model *m)
{
	uint32_t lanes[WIDTH]; // ooo_pkg::dispatch_t

	for (size_t lane = 0; lane < WIDTH; lane++) {
		if (lane >= m->group.size()) {
			// What else is on the lane has no effect.
			lanes[lane] = b->random.next() & ~(UINT32_C(1) << 28);
			continue;
		}
		const struct insn &i = m->group[lane];
		lanes[lane] = 1U << 28 | unsigned{i.alone} << 27 |
			      unsigned{i.port} << 24 | i.rd << 18 | i.rs[0] << 12 |
			      i.rs[1] << 6 | i.rs[2];
	}
	memcpy(&b->dut.dispatch_i, lanes, sizeof(lanes));
}

static void cover_group(const struct model *m)
{
	covered_lanes[IS_FULL_GROUP].count += m->group.size() == WIDTH;
	for (const struct insn &i : m->group)
		covered[IS_THIRD].count += i.rs[2] != 0;
	for (size_t lane = 1; lane < m->group.size(); lane++)
		for (size_t below = 0; below < lane; below++) {
			const struct insn *i = &m->group[lane], *other = &m->group[below];

			if (!other->rd)
				continue;
			covered_lanes[IS_GROUP_OPERAND].count +=
			    std::count(i->rs, i->rs + OPERANDS, other->rd) != 0;
			covered_lanes[IS_GROUP_WRITE].count += i->rd == other->rd;
		}
}

// ---- Issue

static uint64_t issue_output(struct bench *b, unsigned port)
{
	const uint64_t outputs[] = {b->dut.int0_o, b->dut.int1_o,  b->dut.int2_o,
				    b->dut.mem_o,  b->dut.float_o, b->dut.head_issue_o};

	return outputs[port];
}

// Predicts what issues by each port.
static void select_issues(struct bench *b, struct model *m, struct insn **issues)
{
	static const enum port first[] = {BRANCH, MUL, DIV};
	struct insn *oldest = m->window.empty() ? nullptr : &m->window.front();

	std::fill(issues, issues + ISSUES, nullptr);
	for (unsigned port = INT0; port <= INT2; port++) {
		struct insn *i = find_oldest(m, first[port], issues);

		if (i && port == INT2 && !b->dut.div_free_i) {
			covered[IS_DIV_BUSY].count++;
			i = nullptr;
		}
		issues[port] = i ? i : find_oldest(m, ALU, issues);
	}
	if (b->dut.mem_free_i)
		issues[TO_MEM] = find_oldest(m, MEM, issues);
	if (b->dut.float_free_i)
		issues[TO_FLOAT] = find_oldest(m, FLOAT, issues);
	if (oldest && oldest->port == HEAD && is_ready(m, oldest) && b->dut.head_free_i)
		issues[TO_HEAD] = oldest;
	for (const struct insn &i : m->window)
		covered[IS_HEAD_LATER].count +=
		    i.port == HEAD && is_ready(m, &i) && &i != oldest;
}

// The register of a result is no other's.
static void check_tag(const struct model *m, const struct insn *i)
{
	CHECK_EQ(i->tag != 0, i->rd != 0);
	if (!i->tag)
		return;
	for (unsigned r = 0; r < REGISTERS; r++)
		CHECK(m->architectural_tag[r] != i->tag);
	for (const struct insn &other : m->window)
		CHECK(&other == i || other.state == PENDING || other.tag != i->tag);
}

// Cycles from issue to result.
static unsigned draw_latency(struct bench *b, const struct temper *t, enum port port)
{
	static const unsigned latencies[PORTS] = {0, 0, 2, 12, 1, 3, 1};

	if (once(b, t->late))
		return latencies[port] + b->random.below(6);
	return latencies[port];
}

static void check_issues(struct bench *b, struct model *m, struct insn *const *issues)
{
	static const unsigned sources[PORTS] = {0,	  0,	      FROM_MUL, FROM_DIV,
						FROM_MEM, FROM_FLOAT, FROM_HEAD};

	for (unsigned port = 0; port < ISSUES && going_well(); port++) {
		uint64_t output = issue_output(b, port);
		struct insn *i = issues[port];

		if (!CHECK_EQ(output >> 34, i != nullptr) || !i)
			continue;
		CHECK_EQ(output >> 28 & 63, i->slot);
		i->tag = output >> 21 & 127;
		for (unsigned k = 0; k < OPERANDS; k++)
			CHECK_EQ(m->value[output >> (14 - 7 * k) & 127], i->reads[k]);
		check_tag(m, i);
		i->state = ISSUED;
		i->source = i->port <= BRANCH ? port : sources[i->port];
		i->due = m->now + draw_latency(b, m->temper, i->port);
	}
}

// ---- Results

static bool is_due(const struct model *m, const struct insn *i, unsigned source)
{
	return i->state == ISSUED && i->source == source && i->due <= m->now;
}

// Tells at most one result of each source, and at most one replay.
static void tell_results(struct bench *b, struct model *m, struct insn **results,
			 struct insn **replayed)
{
	uint32_t words[SOURCES]; // ooo_pkg::result_t

	b->dut.replay_i = 0;
	b->dut.replay_head_i = b->random.once_in(4);
	b->dut.replay_wait_i = !b->dut.replay_head_i && b->random.once_in(2);
	*replayed = nullptr;
	for (unsigned source = 0; source < SOURCES; source++) {
		results[source] = nullptr;
		for (struct insn &i : m->window) {
			if (!is_due(m, &i, source))
				continue;
			if (source == FROM_MEM && !*replayed &&
			    once(b, m->temper->replay)) {
				*replayed = &i;
				b->dut.replay_i = 1;
				b->dut.replay_slot_i = i.slot & 63;
				continue;
			}
			results[source] = &i;
			break;
		}
		const struct insn *i = results[source];
		words[source] =
		    i ? 1U << 13 | i->slot << 7 | i->tag : b->random.next() & 0x1fff;
	}
	memcpy(&b->dut.results_i, words, sizeof(words));
	if (!*replayed)
		b->dut.replay_slot_i = b->random.below(WINDOW) & 63;
}

// ---- Commit and squash

static unsigned count_commits(const struct model *m, unsigned hold)
{
	unsigned n = 0;

	for (const struct insn &i : m->window) {
		if (n == WIDTH || i.state != DONE)
			break;
		if (hold >> n & 1) {
			covered[IS_HOLD].count++;
			break;
		}
		if (n && (i.alone || m->window.front().alone)) {
			covered_lanes[IS_ALONE_BEHIND].count += i.alone;
			break;
		}
		covered[IS_ALONE].count += i.alone;
		n++;
	}
	return n;
}

static void draw_hold(struct bench *b, struct model *m)
{
	b->dut.hold_i = 0;
	if (once(b, m->temper->hold))
		b->dut.hold_i = b->random.next() & ((1U << WIDTH) - 1);
	m->commits = count_commits(m, b->dut.hold_i);
}

// What leaves does not commit in the same cycle.
static void draw_squash(struct bench *b, struct model *m)
{
	size_t size = m->window.size(), least = m->commits ? m->commits - 1 : 0;

	m->squash = size > least && once(b, m->temper->squash);
	m->inclusive = b->random.once_in(2) && size > m->commits;
	m->flush = once(b, m->temper->flush);
	m->stay = size;
	b->dut.squash_slot_i = b->random.below(WINDOW) & 63;
	if (m->squash) {
		size_t from = m->inclusive ? m->commits : least;
		size_t at = from + b->random.below(static_cast<unsigned>(size - from));

		b->dut.squash_slot_i = m->window[at].slot & 63;
		m->stay = at + !m->inclusive;
	}
	if (m->flush)
		m->stay = m->commits;
	b->dut.squash_i = m->squash;
	b->dut.squash_inclusive_i = m->inclusive;
	b->dut.flush_all_i = m->flush;
}

static void cover_squash(const struct model *m, struct insn *const *issues,
			 struct insn *const *results, const struct insn *replayed)
{
	size_t size = m->window.size();
	auto leaves = [m](const struct insn *i) {
		for (size_t at = m->stay; i && at < m->window.size(); at++)
			if (&m->window[at] == i)
				return true;
		return false;
	};

	covered[IS_SQUASH_IN_WALK].count += m->extra && m->stay < size;
	covered[IS_SQUASH_AFTER_COMMIT].count +=
	    !m->flush && m->commits && m->stay == m->commits && m->stay < size;
	covered[IS_SQUASH_OF_NONE].count += !m->flush && m->stay == size;
	covered[IS_SQUASH_INCLUSIVE].count += !m->flush && m->inclusive;
	covered[IS_SQUASH_WITH_GROUP].count += model_ready(m) && !m->group.empty();
	covered[IS_FLUSH].count += m->flush;
	covered[IS_FLUSH_WITH_COMMIT].count += m->flush && m->commits;
	covered[IS_FLUSH_OF_FULL].count += m->flush && size == WINDOW && !m->commits;
	covered[IS_REPLAY_SQUASHED].count += leaves(replayed);
	covered[IS_ISSUE_SQUASHED].count += std::any_of(issues, issues + ISSUES, leaves);
	covered[IS_RESULT_SQUASHED].count +=
	    std::any_of(results, results + SOURCES, leaves);
}

static void check_squashed(struct bench *b, const struct model *m)
{
	if (!m->squash && !m->flush)
		CHECK_EQ(b->dut.squashed_o, 0);
	for (size_t at = m->commits; at < m->window.size(); at++)
		CHECK_EQ(uint64_t{b->dut.squashed_o} >> m->window[at].slot & 1,
			 at >= m->stay);
}

static void check_state(struct bench *b, const struct model *m)
{
	uint64_t tags = b->dut.commit_rd_o;

	CHECK_EQ(b->dut.ready_o, model_ready(m));
	CHECK_EQ(b->dut.slot_o, (m->head + m->window.size() + m->extra) % WINDOW);
	CHECK_EQ(b->dut.head_o, m->head);
	CHECK_EQ(b->dut.count_o, m->window.size());
	CHECK_EQ(b->dut.empty_o, m->window.empty());
	CHECK_EQ(b->dut.walking_o, m->extra != 0);
	CHECK_EQ(b->dut.commit_count_o, m->commits);
	for (unsigned lane = 0; lane < m->commits; lane++)
		CHECK_EQ(tags >> 7 * lane & 127, m->window[lane].tag);
	check_squashed(b, m);
	covered_lanes[IS_FULL_COMMIT].count += m->commits == WIDTH;
	covered[IS_FULL_WINDOW].count += m->window.size() == WINDOW;
	covered[IS_COMMIT_IN_WALK].count += m->extra && m->commits;
	covered[IS_WALK_OF_PART].count += m->extra % WALK != 0 && m->extra < WALK;
}

// ---- A cycle

static void cover_waits(const struct model *m, struct insn *const *results)
{
	for (const struct insn &i : m->window)
		covered[IS_THIRD_WAKE].count +=
		    i.state == PENDING && m->known[i.reads[0]] && m->known[i.reads[1]] &&
		    !m->known[i.reads[2]];
	for (unsigned source = 0; source < SOURCES; source++)
		for (const struct insn &i : m->group)
			if (results[source] && model_ready(m))
				for (unsigned r : i.rs)
					covered[IS_LATE_WAKE].count +=
					    m->latest[r] == results[source]->number;
}

static void draw_wake(struct bench *b, struct model *m)
{
	unsigned wake = m->temper->wake;

	b->dut.mem_wake_i = !wake || b->random.once_in(wake);
	m->woken = 0;
	if (!b->dut.mem_wake_i)
		return;
	for (struct insn &i : m->window) {
		m->woken += i.held;
		i.held = false;
	}
	covered[IS_WAKE].count += m->woken > 1;
}

static void draw_cycle(struct bench *b, struct model *m)
{
	const struct temper *t = m->temper;
	size_t lanes = WIDTH;

	if (once(b, t->dispatch_gap))
		lanes = b->random.below(WIDTH + 1);
	m->group.clear();
	while (m->group.size() < lanes)
		m->group.push_back(draw_insn(b, m));
	present_group(b, m);
	b->dut.div_free_i = !once(b, t->busy);
	b->dut.mem_free_i = !once(b, t->busy);
	b->dut.float_free_i = !once(b, t->busy);
	b->dut.head_free_i = !once(b, t->busy);
	draw_wake(b, m);
	draw_hold(b, m);
}

static void check_quiescent(struct bench *b, const struct model *m,
			    struct insn *const *issues, struct insn *const *results)
{
	auto any = [](struct insn *const *from, struct insn *const *to) {
		return std::any_of(from, to, [](const struct insn *i) { return i; });
	};
	bool enters = model_ready(m) && !m->squash && !m->flush && !m->group.empty();
	bool quiescent = !m->init && !m->extra && !m->commits && !m->woken && !enters &&
			 !any(issues, issues + ISSUES) &&
			 !any(results, results + SOURCES) && !b->dut.replay_i;

	CHECK_EQ(b->dut.quiescent_o, quiescent);
	covered[IS_QUIESCENT].count += quiescent;
	covered[IS_QUIESCENT_HELD].count +=
	    quiescent && std::any_of(m->window.begin(), m->window.end(),
				     [](const struct insn &i) { return i.held; });
}

static void step(struct bench *b, struct model *m)
{
	struct insn *issues[ISSUES], *results[SOURCES], *replayed;

	draw_cycle(b, m);
	b->settle();
	select_issues(b, m, issues);
	check_issues(b, m, issues);
	tell_results(b, m, results, &replayed);
	draw_squash(b, m);
	b->settle();
	check_state(b, m);
	check_quiescent(b, m, issues, results);
	covered[IS_REPLAY].count += replayed != nullptr;
	if (m->squash || m->flush)
		cover_squash(m, issues, results, replayed);
	cover_waits(m, results);
	b->edge();

	bool enters = model_ready(m) && !m->squash && !m->flush;
	covered[IS_REPLAY_HEAD].count += replayed && b->dut.replay_head_i;
	covered[IS_REPLAY_HEAD_WITH_GROUP].count +=
	    replayed && b->dut.replay_head_i && enters && !m->group.empty();
	covered[IS_REPLAY_WAIT].count += replayed && b->dut.replay_wait_i;
	covered[IS_REPLAY_WAIT_IN_WAKE].count +=
	    replayed && b->dut.replay_wait_i && b->dut.mem_wake_i;
	take_results(m, results, replayed, b->dut.replay_head_i, b->dut.replay_wait_i);
	commit_slots(m);
	leave_slots(m);
	if (enters) {
		cover_group(m);
		enter_group(m);
	}
	m->init -= m->init != 0;
	m->now++;
}

static double run_stream(struct bench *b, const struct temper *t, unsigned cycles)
{
	struct model m;

	model_reset(&m, t);
	b->reset();
	while (m.now < cycles && going_well())
		step(b, &m);
	return static_cast<double>(m.committed) / (cycles - 64);
}

// Streams of which the throughput is known.
static void measure_throughput(struct bench *b)
{
	static const struct {
		enum temper::shape shape;
		unsigned weights[PORTS];
		double most;
	} streams[] = {{temper::INDEPENDENT, {1}, 3},
		       {temper::CHAIN, {1}, 1},
		       {temper::INDEPENDENT, {0, 1}, 1},
		       {temper::INDEPENDENT, {0, 0, 1}, 1},
		       {temper::INDEPENDENT, {0, 0, 0, 0, 1}, 1},
		       {temper::INDEPENDENT, {0, 0, 0, 0, 0, 1}, 1}};

	for (const auto &stream : streams) {
		struct temper t = {};
		double most = std::min<double>(stream.most, WIDTH), ipc;

		t.registers = REGISTERS;
		t.shape = stream.shape;
		std::copy(stream.weights, stream.weights + PORTS, t.weights);
		ipc = run_stream(b, &t, 2000);
		CHECK(ipc <= most);
		CHECK(ipc > 0.98 * most || WINDOW < 64);
	}
}

static void run_at_random(struct bench *b)
{
	static const struct temper tempers[] = {
	    // registers, weights, gap, squash, flush, hold, alone, replay, busy,
	    // late, thirds, wake
	    {64, {40, 15, 8, 3, 25, 6, 3}, 3, 12, 60, 6, 30, 6, 4, 4, 4, 9, {}},
	    {6, {40, 15, 8, 3, 25, 6, 3}, 3, 20, 200, 6, 30, 6, 4, 4, 2, 40, {}},
	    {24, {20, 5, 5, 5, 20, 20, 5}, 2, 2, 9, 3, 10, 3, 3, 2, 2, 3, {}},
	    {64, {40, 15, 8, 3, 25, 6, 0}, 4, 150, 200, 2, 0, 9, 2, 2, 9, 0, {}},
	    {64, {10, 5, 5, 30, 20, 20, 0}, 0, 90, 150, 9, 0, 2, 2, 2, 3, 20, {}},
	    {64, {40, 15, 8, 3, 25, 6, 0}, 0, 0, 250, 1, 0, 9, 4, 4, 9, 90, {}},
	    {12, {40, 15, 8, 1, 25, 6, 0}, 0, 0, 0, 0, 0, 0, 0, 0, 4, 2, {}}};

	for (unsigned round = 0; round < 8; round++)
		for (const struct temper &t : tempers)
			run_stream(b, &t, 4000);
}

int main()
{
	struct bench b(1);

	run_at_random(&b);
	measure_throughput(&b);
	if (going_well()) {
		check_covered(covered, 20);
		if (WIDTH > 1)
			check_covered(covered_lanes, 20);
	}
	return bench_done();
}
