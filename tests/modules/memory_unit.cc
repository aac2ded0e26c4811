// SPDX-License-Identifier: Apache-2.0
// The data side of the out-of-order core, with a DTLB and a small L1D, in a window of
// random instructions that issue in any order, are squashed at any place, and commit in
// order, above a memory that others write. Memory has the state behind the last
// instruction that committed, so each load that commits must have the value that is
// there.
//
// What the port does with an instruction is predicted from the pages that have been
// walked; the walker answers after some cycles, and reads the L1D before.
#include "bench.h"
#include "memory_unit/answers.h"

// ---- Commit and squash

static void flush_at(struct system *s, size_t at)
{
	s->now.squash = true;
	s->now.victim = std::min(s->now.victim, at);
}

static bool stops_commit(struct system *s, const struct insn *i, unsigned loads,
			 unsigned stores)
{
	bool no_place = stores > 0 || !s->b.dut.store_ready_o;

	if (i->kind == OTHER)
		return i->from > s->cycle;
	if (is_head_kind(i) || i->deferred || i->state != DONE)
		return true;
	if (i->kind == STORE) {
		covered[STORE_WAITS].count += no_place;
		return no_place;
	}
	return s->b.dut.marked_o >> loads & 1;
}

// An access of this cycle does not commit in it.
static void draw_commits(struct system *s)
{
	unsigned loads = 0, stores = 0;
	size_t at = 0;

	for (; at < s->window.size() && at < WIDTH; at++) {
		const struct insn *i = &s->window[at];
		bool fresh = s->port && i->age == s->in_port.age;

		if (fresh || stops_commit(s, i, loads, stores) ||
		    s->b.random.once_in(s->rates.stop))
			break;
		loads += i->kind == LOAD;
		stores += i->kind == STORE;
	}
	s->now.commits = at;
	const struct insn *i = s->window.empty() ? nullptr : &s->window.front();
	if (i && i->kind == LOAD && i->state == DONE && s->b.dut.marked_o & 1) {
		covered[MARKED].count++;
		flush_at(s, 0);
	}
	s->now.write = stores > 0;
}

static void draw_squash(struct system *s)
{
	size_t least = s->now.commits + (s->head && !s->now.commits);

	if (s->b.dut.violation_o) {
		for (size_t n = 0; n < s->window.size(); n++)
			if (s->window[n].age % WINDOW == s->b.dut.violation_slot_o) {
				CHECK(s->window[n].kind == LOAD &&
				      s->window[n].state == DONE);
				flush_at(s, n);
			}
		CHECK(s->now.squash);
		covered[VIOLATION].count++;
	}
	if (s->now.trap || s->window.size() < least)
		return;
	if (s->b.random.once_in(s->rates.squash))
		flush_at(s, least + s->b.random.below(static_cast<unsigned>(
					s->window.size() - least + 1)));
	s->now.fence = s->now.squash && !s->head && s->now.victim == s->now.commits &&
		       s->b.random.once_in(2);
}

// ---- A cycle

// An SC of the line of the last LR, or a trap before it.
static void draw_after_lr(struct system *s, struct insn *i)
{
	struct rng *random = &s->b.random;

	if (s->reserved && random->once_in(12)) {
		i->kind = LOAD;
		i->size = 3;
		i->is_unsigned = i->boxed = false;
		i->va |= 1;
	} else if (s->reserving.kind == LR &&
		   random->once_in(s->reserved || s->trapped ? 4 : 100)) {
		i->kind = SC;
		i->page = s->reserving.page;
		i->va = s->reserving.va;
		i->size = s->reserving.size;
	}
}

static void draw_events(struct system *s)
{
	struct rng *random = &s->b.random;
	struct events *now = &s->now;
	bool alone = false;

	*now = {};
	now->victim = s->window.size();
	for (const insn &i : s->window)
		alone = alone || is_head_kind(&i);
	for (unsigned l = 0; l < WIDTH && !alone; l++) {
		struct insn i = draw_insn(random, &s->rates, s->cycle);

		if (l == 0)
			draw_after_lr(s, &i);
		if (is_head_kind(&i) && l > 0)
			break;
		now->lanes.push_back(i);
		alone = is_head_kind(&i);
	}
	if (!s->head && !s->window.empty()) {
		const struct insn *i = &s->window.front();

		s->head = i->state == PENDING && (is_head_kind(i) || i->deferred) &&
			  i->from <= s->cycle && random->once_in(2);
	}
}

static void drive_head(struct system *s)
{
	const struct insn *i = s->head ? &s->window.front() : nullptr;
	static const unsigned OPS[] = {0, 0, 1, 2, 3, 5}; // soc_pkg::mem_op_e

	s->b.dut.head_valid_i = s->head;
	if (!i)
		return;
	s->b.dut.head_executed_i[4] = static_cast<uint32_t>(i->va);
	s->b.dut.head_executed_i[5] = static_cast<uint32_t>(i->va >> 32);
	s->b.dut.head_executed_i[6] = static_cast<uint32_t>(i->data);
	s->b.dut.head_executed_i[7] = static_cast<uint32_t>(i->data >> 32);
	s->b.dut.head_executed_i[9] =
	    OPS[i->kind] << 23 | unsigned{i->is_unsigned} << 2 | i->size;
}

static void drive_issue(struct system *s)
{
	std::vector<insn *> ready;
	struct insn *i = nullptr;
	bool early = s->b.random.once_in(2);

	for (insn &candidate : s->window)
		if (candidate.state == PENDING && !candidate.deferred &&
		    (candidate.kind == LOAD || candidate.kind == STORE) &&
		    candidate.from <= s->cycle &&
		    (early || !candidate.held || s->b.dut.wake_o))
			ready.push_back(&candidate);
	if (s->b.dut.free_o && !ready.empty() && !s->b.random.once_in(8))
		i = ready[s->b.random.below(static_cast<unsigned>(ready.size()))];
	s->now.issue = i;
	if (i)
		i->early = i->held && !s->b.dut.wake_o;
	s->b.dut.issue_i = 0;
	if (!i)
		return;
	uint64_t immediate = s->b.random.next() & 2047;
	// ooo_pkg::issue_t, work_t
	s->b.dut.issue_i =
	    UINT64_C(1) << 34 | (i->age % WINDOW) << 28 | (i->age % 128) << 21;
	s->b.dut.work_i =
	    immediate | uint64_t{i->load_index} << 32 | uint64_t{i->store_index} << 37 |
	    uint64_t{i->kind == LOAD} << 42 | uint64_t{i->kind == STORE} << 43 |
	    uint64_t{i->boxed ? 13U : 5U} << 48 |
	    uint64_t{i->size | unsigned{i->is_unsigned} << 2} << 52;
	s->b.dut.rs1_i = i->va - immediate;
	s->b.dut.rs2_i = i->data;
}

static void drive(struct system *s)
{
	unsigned loads = 0, stores = 0;

	for (size_t l = 0; l < s->now.lanes.size(); l++) {
		loads |= unsigned{s->now.lanes[l].kind == LOAD} << l;
		stores |= unsigned{s->now.lanes[l].kind == STORE} << l;
	}
	s->b.dut.load_i = loads & 15;
	s->b.dut.store_i = stores & 15;
	s->b.dut.dispatch_i = s->b.dut.squash_i = s->b.dut.commit_store_i = 0;
	s->b.dut.commit_count_i = s->b.dut.commit_loads_i = s->b.dut.store_write_i = 0;
	s->b.dut.squashed_i = 0;
	s->b.dut.fence_i = s->b.dut.reservation_clear_i = s->b.dut.device_ready_i = 0;
	s->b.dut.head_i =
	    (s->window.empty() ? s->age : s->window.front().age) % WINDOW & 63;
	s->b.dut.trace_i = s->b.random.once_in(2);
	s->b.dut.trace_details_i = s->b.random.once_in(2);
	drive_head(s);
	outside_drive(&s->outside, &s->b, &s->memory, &s->rates);
	s->b.settle();
	drive_issue(s);
	s->b.settle();
}

static void check_dispatch(struct system *s)
{
	unsigned in_use[2] = {}, fit = 0;

	for (const insn &i : s->window) {
		in_use[0] += i.kind == LOAD;
		in_use[1] += i.kind == STORE;
	}
	for (struct insn &i : s->now.lanes) {
		i.load_index = s->b.dut.load_index_o >> 5 * fit & 31;
		i.store_index = s->b.dut.store_index_o >> 5 * fit & 31;
		in_use[0] += i.kind == LOAD;
		in_use[1] += i.kind == STORE;
		if (in_use[0] > QUEUE || in_use[1] > QUEUE)
			break;
		CHECK_EQ(s->b.dut.ready_o >> fit & 1, 1);
		fit++;
	}
	s->now.dispatched = s->b.random.below(fit + 1);
	if (s->window.size() + s->now.dispatched > WINDOW)
		s->now.dispatched = 0;
}

// Slots that are not in use may be among those that leave.
static void drive_end(struct system *s)
{
	struct events *now = &s->now;
	unsigned loads = 0, stores = 0;

	for (size_t n = 0; n < now->commits; n++) {
		loads += s->window[n].kind == LOAD;
		stores += s->window[n].kind == STORE;
	}
	now->write = stores > 0 && !s->head;
	s->b.dut.commit_count_i = now->commits & 7;
	s->b.dut.commit_loads_i = loads & 7;
	s->b.dut.commit_store_i = stores & 1;
	s->b.dut.store_write_i = now->write;
	s->b.dut.reservation_clear_i = now->trap;
	if (now->squash) {
		unsigned load = s->loads, store = s->stores;
		uint64_t stay = 0;

		if (now->victim < s->window.size()) {
			load = s->window[now->victim].load_index;
			store = s->window[now->victim].store_index;
		}
		for (size_t n = 0; n < now->victim; n++)
			stay |= UINT64_C(1) << s->window[n].age % WINDOW;
		s->b.dut.squash_i = 1;
		s->b.dut.squashed_i = ~stay;
		s->b.dut.squash_load_index_i = load & 31;
		s->b.dut.squash_store_index_i = store & 31;
		now->dispatched = 0;
	}
	s->b.dut.dispatch_i = ((1U << now->dispatched) - 1) & 15;
	s->b.dut.fence_i = now->fence ? 1 << 8 : 0; // soc_pkg::fence_t: all of the TLB
	s->b.settle();
}

// ---- Behind the cycle

static void commit(struct system *s)
{
	if (s->now.commits)
		s->since = s->cycle;
	if (s->head && s->now.commits)
		check_head_access(s, &s->window.front());
	for (size_t n = 0; n < s->now.commits; n++) {
		const struct insn *i = &s->window.front();

		if (!s->head && i->kind == LOAD)
			CHECK_EQ(i->value, loaded_value(&s->memory, i));
		if (!s->head && i->kind == STORE) {
			covered[STORE_COMMITS].count++;
			covered[STORE_ENDS_RESERVATION].count += s->reserved;
			s->reserved = false;
			write_bytes(s->memory.seen, i->pa, i->data, 1U << i->size);
		}
		s->window.pop_front();
		s->commits++;
	}
}

static void end_walk(struct system *s, bool leaves)
{
	bool done = s->b.dut.data_walk_done_i;

	s->drops = s->walks && (s->head || leaves) && !done;
	if (s->walks) {
		s->single_use = done && s->outside.walker.single_use;
		s->ended = (done || s->head) && !leaves;
		s->ended_head = done && s->outside.walker.to_head;
		s->walks = !done && !s->head && !leaves;
		covered[SINGLE_USE].count += s->single_use;
		covered[WALK_SQUASHED].count += leaves && !done;
		covered[WALK_ENDS_SQUASHED].count += leaves && done;
		covered[WALK_DROPPED].count += s->head && !leaves && !done;
	} else {
		s->ended = s->ended && !leaves;
	}
	if (done && !s->outside.walker.fault && !s->outside.walker.single_use)
		s->in_tlb[s->outside.walker.page] = true;
	if (s->now.fence) {
		memset(s->in_tlb, 0, sizeof(s->in_tlb));
		draw_frames(&s->b.random, &s->memory);
	}
}

static void move_on(struct system *s, bool walk_starts)
{
	struct events *now = &s->now;
	uint64_t first = s->window.empty() ? s->age : s->window.front().age;
	uint64_t end = now->squash ? first + now->victim : UINT64_MAX;
	bool was_walking = s->walks;

	s->single_use = false;
	covered[FENCE_IN_WALK].count += now->fence && was_walking;
	end_walk(s, s->walk_age >= end);
	if (walk_starts && s->walk_age < end)
		s->walks = true;
	s->port = now->issue && now->issue->age < end;
	if (now->issue) {
		now->issue->state = ISSUED;
		s->in_port = *now->issue;
	}
	check_trace(s);
	commit(s);
	if (s->head && (now->commits || now->trap))
		s->head = false;
	if (now->squash && now->victim < s->window.size() + now->commits) {
		const struct insn *i = &s->window[now->victim - now->commits];

		s->loads = i->load_index;
		s->stores = i->store_index;
		s->age = i->age;
		s->window.resize(now->victim - now->commits);
	}
	s->trapped = s->trapped || (s->reserved && now->trap);
	s->reserved = s->reserved && !now->trap;
	for (unsigned l = 0; l < now->dispatched; l++) {
		now->lanes[l].age = s->age++;
		s->loads = (now->lanes[l].load_index + (now->lanes[l].kind == LOAD)) % 32;
		s->stores =
		    (now->lanes[l].store_index + (now->lanes[l].kind == STORE)) % 32;
		s->window.push_back(now->lanes[l]);
	}
}

static void wake(struct system *s)
{
	if (!s->b.dut.wake_o)
		return;
	for (struct insn &i : s->window) {
		covered[WOKEN].count += i.held;
		i.held = false;
	}
}

static void check_quiescent(struct system *s)
{
	const Vdut &dut = s->b.dut;
	bool wakes = dut.wake_o && !dut.cache_filled_o;
	bool parks = !s->head && dut.cache_write_o && dut.cache_waits_o;

	if (!dut.quiescent_o)
		return;
	CHECK(!s->port && !s->ended && !s->drops && !s->single_use && !s->passed_by);
	CHECK(!dut.cache_hit_o && !dut.device_valid_o && !wakes && !parks);
	covered[QUIESCENT].count += !s->window.empty();
}

static void step(struct system *s)
{
	struct outside *o = &s->outside;

	draw_events(s);
	drive(s);
	check_walk(s);
	check_quiescent(s);
	const struct insn *oldest = oldest_store(s);
	bool was_walking = s->walks || s->ended;
	wake(s);
	check_port(s);
	bool walk_starts =
	    !was_walking && s->port && find_age(s, s->in_port.age)->state == WALKS;
	bool asks = check_oldest_store(s, oldest);
	check_dispatch(s);
	serve_head(s);
	if (!s->head)
		draw_commits(s);
	draw_squash(s);
	drive_end(s);
	park_store(s, asks);
	move_on(s, walk_starts);
	if (outside_end_cycle(o, &s->b, &s->memory, &s->rates,
			      s->reserved ? &s->line : nullptr))
		s->reserved = false;
	s->b.edge();
	s->cycle++;
	CHECK(s->window.empty() || s->cycle - s->since < LATEST);
}

static void reset(struct system *s)
{
	s->window.clear();
	s->loads = s->stores = 0;
	s->port = s->head = s->walks = s->ended = s->drops = s->single_use = false;
	s->reserved = s->trapped = s->parked = s->yields = false;
	s->passed_by = 0;
	s->reserving = {};
	s->since = s->cycle;
	memset(s->in_tlb, 0, sizeof(s->in_tlb));
	s->outside = {};
	draw_memory(&s->b.random, &s->memory);
	s->rates = draw_rates(&s->b.random);
	s->now = {};
	s->b.dut.rst_ni = 0;
	drive(s);
	s->b.reset();
}

int main()
{
	static struct system s(1);
	unsigned probed = 0, evicted = 0;

	for (unsigned i = 0; i < EPISODES && going_well(); i++) {
		reset(&s);
		for (unsigned cycles = s.b.random.below(4000); cycles && going_well();
		     cycles--)
			step(&s);
		probed += s.outside.probed;
		evicted += s.outside.evicted;
	}
	covered[PROBED].count = probed;
	covered[EVICTED].count = evicted;
	CHECK(s.commits >= EPISODES * 100);
	if (going_well())
		check_covered(covered, 100);
	return bench_done();
}
