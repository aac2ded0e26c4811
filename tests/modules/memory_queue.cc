// SPDX-License-Identifier: Apache-2.0
// The load and store queues of the out-of-order core, in a window of random instructions
// that are executed in any order, squashed at any place, and commit in order, above a
// memory that others write. Memory has the state behind the last instruction that
// committed, so each load that commits must have the value that is there. All outputs are
// compared with a search of the window by the rules in the header of
// rtl/core/ooo/memory_queue.sv.
#include "bench.h"
#include "memory_queue/program.h"
#include <deque>
#include <vector>

#ifndef QUEUE
#define QUEUE 16
#endif
#ifndef WIDTH
#define WIDTH 4
#endif

enum { WINDOW = 64, INDEXES = 32, EPISODES = 1000 };

enum {
	FROM_CACHE,
	MISS,
	FORWARDED,
	FORWARDED_PART,
	YOUNGEST_OF_SEVERAL,
	BLOCKED,
	PASSES,
	WAITS,
	WAITS_FOR_NONE,
	WRONG_FROM_CACHE,
	WRONG_FORWARDED,
	RIGHT_FORWARDED,
	OLDEST_OF_SEVERAL,
	OLDER_LOAD,
	OTHER_BYTES,
	ACROSS_WRAP,
	MARKED_BY_PROBE,
	MARKED_BY_EVICTION,
	MARKED_FORWARDED,
	MARKED_AT_ONCE,
	LEAVES_AT_COMMIT,
	FLUSHED_BY_MARK,
	DEVICE,
	SQUASH_OF_NONE,
	SQUASH_OF_ALL,
	SQUASH_OF_ACCESS,
	SQUASH_BESIDE_COMMIT,
	LOADS_FULL,
	STORES_FULL,
	PART_FITS,
	COMMITS_MOST,
	STORE_BEHIND
};
static struct covered_case covered[] = {
    {"load from the cache", 0},
    {"load that misses", 0},
    {"load forwarded", 0},
    {"load forwarded from a larger store", 0},
    {"load forwarded from the youngest of several stores", 0},
    {"load blocked by a store of some of its bytes", 0},
    {"load that passes a store without an address", 0},
    {"load that waits for addresses", 0},
    {"load that need not wait, since its store is younger", 0},
    {"violation of a load from the cache", 0},
    {"violation of a load forwarded from an older store", 0},
    {"no violation of a load forwarded from a younger store", 0},
    {"violation of several loads", 0},
    {"store with the bytes of an older load", 0},
    {"store with other bytes of the 8 of a younger load", 0},
    {"queue whose indexes wrap", 0},
    {"mark by a probe", 0},
    {"mark by an eviction", 0},
    {"mark of a forwarded load", 0},
    {"mark of a load in the cycle of its access", 0},
    {"line that leaves as its load commits", 0},
    {"squash at a marked load", 0},
    {"access to a device", 0},
    {"squash of nothing", 0},
    {"squash of everything", 0},
    {"squash of an access in its cycle", 0},
    {"squash in the cycle of a commit", 0},
    {"full load queue", 0},
    {"full store queue", 0},
    {"group of which some lanes fit", 0},
    {"commit of as many loads as possible", 0},
    {"commit of a store before a load of its bytes", 0},
};

// What happens in a cycle.
struct events {
	std::vector<insn> lanes;
	unsigned dispatched;
	int access;	// place in the window; -1: none
	bool leaves[2]; // by a probe, by an eviction
	unsigned line[2];
	bool squash;
	size_t victim; // place of the first instruction that leaves
	size_t commits;
};

struct system {
	struct bench b;
	std::deque<insn> window;
	struct rates rates;
	struct memory memory;
	uint64_t cycle, age;
	unsigned loads, stores;	      // indexes of the next ones
	bool flushes;		      // at the instruction flush_age
	uint64_t flush_age, flush_at; // flush_at: the cycle
	struct events now;
	uint64_t commits;

	explicit system(uint64_t seed) : b(seed)
	{
	}
};

static unsigned in_use(const struct system *s, enum kind kind)
{
	unsigned count = 0;

	for (const insn &i : s->window)
		count += i.kind == kind;
	return count;
}

static void draw_events(struct system *s)
{
	struct rng *random = &s->b.random;
	struct events *now = &s->now;
	std::vector<int> ready;

	*now = {};
	for (unsigned i = 0; i < WIDTH; i++)
		now->lanes.push_back(draw_insn(random, &s->memory, &s->rates, s->cycle));
	for (size_t i = 0; i < s->window.size(); i++)
		if (!s->window[i].done && s->window[i].from <= s->cycle &&
		    s->window[i].kind != OTHER && !s->window[i].device)
			ready.push_back(static_cast<int>(i));
	now->access = -1;
	if (!ready.empty() && !random->once_in(8))
		now->access = ready[random->below(static_cast<unsigned>(ready.size()))];
	for (unsigned i = 0; i < 2; i++) {
		now->leaves[i] = random->once_in(s->rates.leave);
		now->line[i] = random->below(LINES);
	}
}

static bool leaves_now(const struct system *s, unsigned line)
{
	return (s->now.leaves[0] && s->now.line[0] == line) ||
	       (s->now.leaves[1] && s->now.line[1] == line);
}

// Inputs that mean nothing in this cycle are random.
static void drive(struct system *s)
{
	struct rng *random = &s->b.random;
	struct events *now = &s->now;
	struct insn noise = draw_insn(random, &s->memory, &s->rates, s->cycle);
	const struct insn *i =
	    now->access < 0 ? &noise : &s->window[static_cast<size_t>(now->access)];
	unsigned loads = 0, stores = 0;

	noise.load_index = random->below(INDEXES);
	noise.store_index = random->below(INDEXES);
	for (unsigned l = 0; l < WIDTH; l++) {
		loads |= unsigned{now->lanes[l].kind == LOAD} << l;
		stores |= unsigned{now->lanes[l].kind == STORE} << l;
	}
	s->b.dut.load_i = loads & 15;
	s->b.dut.store_i = stores & 15;
	s->b.dut.dispatch_i = 0;
	s->b.dut.access_i = now->access >= 0;
	s->b.dut.access_store_i = i->kind == STORE;
	s->b.dut.access_load_index_i = i->load_index & 31;
	s->b.dut.access_store_index_i = i->store_index & 31;
	s->b.dut.access_slot_i = i->age % WINDOW;
	s->b.dut.access_addr_i = i->address;
	s->b.dut.access_width_i = (i->is_unsigned << 2 | i->size) & 7;
	s->b.dut.access_data_i = i->data;
	s->b.dut.access_wait_i = random->once_in(4);
	s->b.dut.cache_hit_i = s->memory.present[line_of(&s->memory, i->address)] &&
			       random->once_in(s->rates.hit);
	s->b.dut.cache_rdata_i = s->b.dut.cache_hit_i
				     ? s->memory.bytes[group_of(&s->memory, i->address)]
				     : random->next();
	s->b.dut.probe_i = now->leaves[0];
	s->b.dut.probe_line_i = s->memory.line[now->line[0]] / 64;
	s->b.dut.evict_i = now->leaves[1];
	s->b.dut.evict_line_i = s->memory.line[now->line[1]] / 64;
	s->b.dut.commit_loads_i = 0;
	s->b.dut.commit_store_i = 0;
	s->b.dut.squash_i = 0;
	s->b.dut.squash_load_index_i = random->below(INDEXES) & 31;
	s->b.dut.squash_store_index_i = random->below(INDEXES) & 31;
	s->b.settle();
}

static void check_dispatch(struct system *s)
{
	unsigned loads = in_use(s, LOAD), stores = in_use(s, STORE);
	unsigned load_index = s->loads, store_index = s->stores, fit = 0;

	covered[LOADS_FULL].count += loads == QUEUE;
	covered[STORES_FULL].count += stores == QUEUE;
	for (unsigned l = 0; l < WIDTH; l++) {
		struct insn *i = &s->now.lanes[l];

		i->load_index = load_index % INDEXES;
		i->store_index = store_index % INDEXES;
		CHECK_EQ(s->b.dut.load_index_o >> 5 * l & 31, i->load_index);
		CHECK_EQ(s->b.dut.store_index_o >> 5 * l & 31, i->store_index);
		loads += i->kind == LOAD;
		load_index += i->kind == LOAD;
		stores += i->kind == STORE;
		store_index += i->kind == STORE;
		CHECK_EQ(s->b.dut.ready_o >> l & 1, loads <= QUEUE && stores <= QUEUE);
		fit += loads <= QUEUE && stores <= QUEUE;
	}
	covered[PART_FITS].count += fit > 0 && fit < WIDTH;
	s->now.dispatched = s->b.random.once_in(2) ? fit : s->b.random.below(fit + 1);
	if (s->window.size() + s->now.dispatched > WINDOW)
		s->now.dispatched = 0;
}

// The stores that matter for a load: the youngest older one with an address and any of
// its bytes, or none, and those without an address behind it.
struct found {
	const struct insn *source;
	bool exposed;
	bool older_unknown, older_source; // before the source
};

static struct found search(const struct system *s, size_t at)
{
	const struct insn *load = &s->window[at];
	struct found f = {};

	while (at-- > 0) {
		const struct insn *i = &s->window[at];
		bool touches =
		    i->kind == STORE && i->done && !i->device && insns_overlap(i, load);

		if (i->kind != STORE)
			continue;
		if (f.source) {
			f.older_unknown |= !i->done || i->device;
			f.older_source |= touches;
		} else if (touches) {
			f.source = i;
		} else {
			f.exposed |= !i->done || i->device;
		}
	}
	return f;
}

static void count_load(const struct system *s, const struct insn *load,
		       const struct found *f, bool blocked, bool waits, bool done)
{
	covered[BLOCKED].count += blocked;
	covered[WAITS].count += waits && !blocked;
	if (!done) {
		covered[MISS].count += !blocked && !waits;
		return;
	}
	covered[f->source ? FORWARDED : FROM_CACHE].count++;
	covered[FORWARDED_PART].count += f->source && f->source->size > load->size;
	covered[YOUNGEST_OF_SEVERAL].count += f->source && f->older_source;
	covered[PASSES].count += f->exposed;
	covered[WAITS_FOR_NONE].count +=
	    f->source && f->older_unknown && s->b.dut.access_wait_i;
	covered[ACROSS_WRAP].count +=
	    f->source && f->source->store_index > load->store_index;
}

static void check_load(struct system *s, struct insn *load)
{
	struct found f = search(s, static_cast<size_t>(s->now.access));
	bool all = f.source && (bytes_of(load) & ~bytes_of(f.source)) == 0;
	bool blocked = f.source && !all, waits = f.exposed && s->b.dut.access_wait_i;
	bool done = !blocked && !waits && (f.source || s->b.dut.cache_hit_i);
	uint64_t eight = s->memory.bytes[group_of(&s->memory, load->address)];

	if (all)
		eight = f.source->data << f.source->address % 8 * 8;
	CHECK_EQ(s->b.dut.violation_o, 0);
	CHECK_EQ(s->b.dut.cache_req_o, !f.source && !waits);
	CHECK_EQ(s->b.dut.done_o, done);
	CHECK_EQ(s->b.dut.forwarded_o, done && f.source);
	count_load(s, load, &f, blocked, waits, done);
	if (!done)
		return;
	CHECK_EQ(s->b.dut.value_o, extend_group(load, eight));
	load->done = true;
	load->value = s->b.dut.value_o;
	load->forwarded = f.source != nullptr;
	load->source = f.source ? f.source->age : 0;
}

// Squashes at an instruction, at once or some cycles later, unless that is already to
// happen to an older one.
static void flush_at(struct system *s, const struct insn *i)
{
	if (s->flushes && s->flush_age <= i->age)
		return;
	s->flushes = true;
	s->flush_age = i->age;
	s->flush_at = s->cycle + (s->b.random.once_in(2) ? 0 : s->b.random.below(4));
}

static void check_store(struct system *s, struct insn *store)
{
	const struct insn *wrong = nullptr;
	unsigned count = 0;

	for (const insn &i : s->window) {
		if (i.kind != LOAD || !i.done || i.device)
			continue;
		if (i.age < store->age) {
			covered[OLDER_LOAD].count += insns_overlap(&i, store);
		} else if (!insns_overlap(&i, store)) {
			covered[OTHER_BYTES].count += i.address / 8 == store->address / 8;
		} else if (i.forwarded && i.source > store->age) {
			covered[RIGHT_FORWARDED].count++;
		} else {
			wrong = wrong ? wrong : &i;
			count++;
		}
	}
	CHECK_EQ(s->b.dut.done_o, 1);
	CHECK_EQ(s->b.dut.forwarded_o, 0);
	CHECK_EQ(s->b.dut.cache_req_o, 0);
	CHECK_EQ(s->b.dut.violation_o, wrong != nullptr);
	store->done = true;
	if (!wrong)
		return;
	CHECK_EQ(s->b.dut.violation_slot_o, wrong->age % WINDOW);
	covered[wrong->forwarded ? WRONG_FORWARDED : WRONG_FROM_CACHE].count++;
	covered[OLDEST_OF_SEVERAL].count += count > 1;
	flush_at(s, wrong);
}

static void check_access(struct system *s)
{
	if (s->now.access < 0) {
		CHECK_EQ(s->b.dut.done_o | s->b.dut.forwarded_o, 0);
		CHECK_EQ(s->b.dut.violation_o | s->b.dut.cache_req_o, 0);
		return;
	}
	struct insn *i = &s->window[static_cast<size_t>(s->now.access)];
	if (i->kind == LOAD)
		check_load(s, i);
	else
		check_store(s, i);
}

// The oldest store, and the marks of the oldest loads, before this cycle's access.
static void check_oldest(struct system *s)
{
	const struct insn *oldest = nullptr;
	unsigned loads = 0;

	for (const insn &i : s->window) {
		if (i.kind == STORE && !oldest)
			oldest = &i;
		if (i.kind == LOAD && loads < WIDTH)
			CHECK_EQ(s->b.dut.marked_o >> loads++ & 1, i.marked);
	}
	bool valid = oldest && oldest->done && !oldest->device;
	CHECK_EQ(s->b.dut.write_valid_o, valid);
	if (!valid)
		return;
	CHECK_EQ(s->b.dut.write_addr_o, oldest->address / 8 * 8);
	CHECK_EQ(s->b.dut.write_bytes_o, bytes_of(oldest));
	CHECK_EQ(extend_group(oldest, s->b.dut.write_data_o),
		 extend_group(oldest, oldest->data << oldest->address % 8 * 8));
}

static void draw_squash(struct system *s)
{
	struct events *now = &s->now;

	now->victim = s->window.size();
	if (s->b.random.once_in(s->rates.squash)) {
		now->squash = true;
		now->victim =
		    s->b.random.below(static_cast<unsigned>(s->window.size() + 1));
		if (s->b.random.once_in(4))
			now->victim = 0;
	}
	if (s->flushes && s->flush_at <= s->cycle) {
		now->squash = true;
		for (size_t i = 0; i < now->victim; i++)
			if (s->window[i].age == s->flush_age)
				now->victim = i;
	}
	if (!now->squash)
		return;
	now->dispatched = 0;
	covered[SQUASH_OF_NONE].count += now->victim == s->window.size();
	covered[SQUASH_OF_ALL].count += now->victim == 0 && in_use(s, LOAD) == QUEUE;
	covered[SQUASH_OF_ACCESS].count += now->access >= static_cast<int>(now->victim);
}

// An access of this cycle has not been done yet. At most one store commits in a cycle,
// and an access to a device commits alone.
static bool may_commit(const struct system *s, size_t at, unsigned stores)
{
	const struct insn *i = &s->window[at];

	if (static_cast<int>(at) == s->now.access || at >= s->now.victim)
		return false;
	if ((at > 0 && s->window[0].device) || (s->flushes && i->age >= s->flush_age))
		return false;
	if (i->kind == OTHER)
		return i->from <= s->cycle;
	if (i->kind == STORE && stores > 0)
		return false;
	if (i->device)
		return at == 0 && i->from <= s->cycle;
	if (i->kind == STORE && i->done) {
		unsigned line = line_of(&s->memory, i->address);
		return s->memory.present[line] && !leaves_now(s, line);
	}
	return i->done;
}

static void draw_commits(struct system *s)
{
	unsigned stores = 0, loads = 0;
	size_t at = 0;

	for (; at < s->window.size() && at < WIDTH; at++) {
		const struct insn *i = &s->window[at];

		if (!may_commit(s, at, stores) || s->b.random.once_in(s->rates.stop))
			break;
		if (i->kind == LOAD && i->marked) {
			covered[FLUSHED_BY_MARK].count++;
			flush_at(s, i);
			break;
		}
		stores += i->kind == STORE;
		loads += i->kind == LOAD;
	}
	s->now.commits = at;
	covered[COMMITS_MOST].count += loads == (QUEUE < WIDTH ? QUEUE : WIDTH);
	covered[SQUASH_BESIDE_COMMIT].count += s->now.squash && loads + stores > 0;
	s->b.dut.commit_loads_i = loads & 7;
	s->b.dut.commit_store_i = stores & 1;
}

// The sequential reference.
static void commit(struct system *s)
{
	for (size_t n = 0; n < s->now.commits; n++) {
		const struct insn *i = &s->window.front();

		covered[DEVICE].count += i->device;
		if (i->kind == STORE && !i->device) {
			write_group(&s->memory, s->b.dut.write_addr_o,
				    s->b.dut.write_data_o, s->b.dut.write_bytes_o);
			if (n + 1 < s->now.commits)
				covered[STORE_BEHIND].count +=
				    insns_overlap(i, &s->window[1]);
		} else if (i->kind == LOAD && !i->device) {
			uint64_t group =
			    s->memory.bytes[group_of(&s->memory, i->address)];

			CHECK_EQ(i->value, extend_group(i, group));
			covered[LEAVES_AT_COMMIT].count +=
			    leaves_now(s, line_of(&s->memory, i->address));
		}
		s->window.pop_front();
		s->commits++;
	}
}

static void mark(struct system *s, int accessed)
{
	for (size_t n = 0; n < s->window.size(); n++) {
		struct insn *i = &s->window[n];
		unsigned line = line_of(&s->memory, i->address);

		if (i->kind != LOAD || !i->done || i->device || !leaves_now(s, line))
			continue;
		covered[MARKED_AT_ONCE].count += static_cast<int>(n) == accessed;
		covered[MARKED_FORWARDED].count += i->forwarded;
		covered[s->now.leaves[0] && s->now.line[0] == line ? MARKED_BY_PROBE
								   : MARKED_BY_EVICTION]
		    .count++;
		i->marked = true;
	}
}

static void squash(struct system *s)
{
	const struct events *now = &s->now;

	if (now->victim < s->window.size()) {
		s->loads = s->window[now->victim].load_index;
		s->stores = s->window[now->victim].store_index;
		if (s->flushes && s->window[now->victim].age <= s->flush_age)
			s->flushes = false;
	}
	s->b.dut.squash_i = 1;
	s->b.dut.squash_load_index_i = s->loads & 31;
	s->b.dut.squash_store_index_i = s->stores & 31;
	s->window.resize(now->victim);
}

static void dispatch(struct system *s)
{
	for (unsigned l = 0; l < s->now.dispatched; l++) {
		struct insn *i = &s->now.lanes[l];

		i->age = s->age++;
		s->loads = (i->load_index + (i->kind == LOAD)) % INDEXES;
		s->stores = (i->store_index + (i->kind == STORE)) % INDEXES;
		s->window.push_back(*i);
	}
	s->b.dut.dispatch_i = ((1U << s->now.dispatched) - 1) & 15;
}

static void step(struct system *s)
{
	draw_events(s);
	drive(s);
	check_dispatch(s);
	check_oldest(s);
	check_access(s);
	draw_squash(s);
	draw_commits(s);
	int accessed = s->now.access - static_cast<int>(s->now.commits);
	if (s->now.squash)
		squash(s);
	commit(s);
	mark(s, s->now.access < 0 ? -1 : accessed);
	dispatch(s);
	for (unsigned i = 0; i < 2; i++)
		if (s->now.leaves[i])
			s->memory.present[s->now.line[i]] = false;
	change_absent(&s->b.random, &s->memory);
	s->b.edge();
	s->cycle++;
}

static void reset(struct system *s)
{
	s->window.clear();
	s->loads = s->stores = 0;
	s->flushes = false;
	draw_memory(&s->b.random, &s->memory);
	s->rates = draw_rates(&s->b.random);
	draw_events(s);
	s->now.access = -1;
	drive(s);
	s->b.reset();
}

int main()
{
	static struct system s(1);

	for (unsigned i = 0; i < EPISODES && going_well(); i++) {
		reset(&s);
		for (unsigned cycles = s.b.random.below(2000); cycles && going_well();
		     cycles--)
			step(&s);
	}
	CHECK(s.commits >= EPISODES * 100);
	if (going_well())
		check_covered(covered, 100);
	return bench_done();
}
