// SPDX-License-Identifier: Apache-2.0
// What memory_unit.sv must do in a cycle, for its bench: the port, the walk, the head
// unit, and what commits.
#ifndef MEMORY_UNIT_ANSWERS_H
#define MEMORY_UNIT_ANSWERS_H

#include "system.h"

// ooo_pkg::delay_e
enum { DELAY_PORT, DELAY_MISS, DELAY_STORE, DELAY_WALK, DELAY_DEVICE, DELAY_HEAD };

// ---- What the port does

static inline void check_waits(struct system *s)
{
	bool told = s->ended && !s->port;

	CHECK_EQ(s->b.dut.free_o, !s->head && !s->ended);
	if (s->port)
		return;
	CHECK_EQ(s->b.dut.result_o >> 13 & 1, 0);
	CHECK_EQ(s->b.dut.violation_o, 0);
	CHECK_EQ(s->b.dut.delay_o, 0);
	CHECK_EQ(s->b.dut.replay_o, told);
	if (!told)
		return;
	struct insn *i = find_age(s, s->walk_age);
	if (!CHECK(i != nullptr))
		return;
	CHECK_EQ(s->b.dut.replay_slot_o, i->age % WINDOW);
	CHECK_EQ(s->b.dut.replay_head_o, s->ended_head);
	CHECK_EQ(s->b.dut.replay_wait_o, 0);
	covered[s->ended_head ? WALK_TO_HEAD : WALK].count++;
	i->state = PENDING;
	i->deferred = s->ended_head;
	s->ended = false;
}

static inline void check_delay(struct system *s, const struct insn *i, unsigned why)
{
	CHECK_EQ(s->b.dut.delay_o, 1);
	CHECK_EQ(s->b.dut.delay_slot_o, i->age % WINDOW);
	CHECK_EQ(s->b.dut.delay_why_o, why);
}

static inline void check_replay(struct system *s, struct insn *i, bool head)
{
	CHECK_EQ(s->b.dut.replay_o, 1);
	CHECK_EQ(s->b.dut.replay_slot_o, i->age % WINDOW);
	CHECK_EQ(s->b.dut.replay_head_o, head);
	i->state = PENDING;
	i->deferred = head;
	i->held = s->b.dut.replay_wait_o;
	covered[HELD].count += i->held;
	if (head)
		CHECK_EQ(i->held, 0);
}

static inline void finish_access(struct system *s, struct insn *i)
{
	i->state = DONE;
	// The L1D wakes in the cycle before, all else in this one.
	if (i->early)
		CHECK_EQ(s->b.dut.wake_o, 1);
	CHECK_EQ(s->b.dut.delay_o, 0);
	covered[EARLY].count += i->early;
	i->pa = physical(&s->memory, i);
	i->value = s->b.dut.value_o;
	CHECK_EQ(s->b.dut.result_o >> 7 & 63, i->age % WINDOW);
	CHECK_EQ(s->b.dut.result_o & 127, i->age % 128);
	covered[FORWARDED].count += s->b.dut.forwarded_o;
	covered[HIT].count += i->kind == LOAD && !s->b.dut.forwarded_o;
	covered[BOXED].count += i->boxed;
}

// A load that was not done: it waits for its line, or a store, or issues again at once.
static inline void check_waiting_load(struct system *s, const struct insn *i)
{
	bool miss = s->b.dut.miss_o;

	check_delay(s, i, miss || !i->held ? DELAY_MISS : DELAY_STORE);
	if (miss)
		CHECK_EQ(i->held, s->b.dut.cache_waits_o);
	covered[MISS].count += miss;
	covered[LOAD_WAITS].count += miss && i->held;
	covered[BEHIND_STORE].count += !miss && i->held;
}

// The instruction that issued in the cycle before.
static inline void check_port(struct system *s)
{
	struct insn *i = s->port ? find_age(s, s->in_port.age) : nullptr;

	check_waits(s);
	if (!i)
		return;
	if (s->head || s->single_use) {
		covered[HEAD_BEFORE_ACCESS].count += s->head;
		check_delay(s, i, DELAY_PORT);
		check_replay(s, i, false);
	} else if (misaligned(i)) {
		covered[DEFERRED_MISALIGNED].count++;
		check_delay(s, i, DELAY_HEAD);
		check_replay(s, i, true);
	} else if (!s->in_tlb[i->page]) {
		check_delay(s, i, DELAY_WALK);
		if (s->walks || s->ended) {
			covered[MISS_IN_WALK].count++;
			check_replay(s, i, false);
			return;
		}
		CHECK_EQ(s->b.dut.replay_o, 0);
		CHECK_EQ(s->b.dut.result_o >> 13 & 1, 0);
		i->state = WALKS;
		s->walk_age = i->age;
	} else if (i->page == DEVICE || walk_faults(i->va, writes(i))) {
		covered[DEFERRED_BY_ENTRY].count++;
		// The head unit walks again for what the entry does not allow.
		check_delay(s, i, i->page == DEVICE ? DELAY_DEVICE : DELAY_WALK);
		check_replay(s, i, true);
	} else if (s->b.dut.result_o >> 13 & 1) {
		CHECK_EQ(s->b.dut.replay_o, 0);
		if (i->kind == LOAD && !s->b.dut.forwarded_o)
			CHECK_EQ(s->b.dut.cache_write_o, 0);
		finish_access(s, i);
	} else {
		CHECK(i->kind == LOAD);
		check_replay(s, i, false);
		check_waiting_load(s, i);
	}
}

// ---- The oldest store, and lines of younger ones

static inline const struct insn *oldest_store(const struct system *s)
{
	for (const insn &i : s->window)
		if (i.kind == STORE)
			return i.state == DONE ? &i : nullptr;
	return nullptr;
}

// A store that is executed asks for its line, unless the oldest one asks for its own, or
// the cycle is the walker's.
static inline void check_prefetch(struct system *s, bool asks, uint64_t oldest)
{
	const struct insn *i = s->port ? find_age(s, s->in_port.age) : nullptr;
	bool yields = s->yields && s->b.dut.walk_busy_i;
	bool executed = i && i->kind == STORE && i->state == DONE && !yields;

	if (s->head)
		return;
	CHECK(!yields || !s->b.dut.cache_req_o);
	CHECK_EQ(s->b.dut.cache_write_o, asks || executed);
	if (s->b.dut.cache_write_o) {
		CHECK_EQ(s->b.dut.cache_req_o, 1);
		CHECK_EQ(s->b.dut.cache_addr_o / 8, (asks ? oldest : i->pa) / 8);
	}
	covered[PREFETCH_YIELDS].count += executed && asks;
	covered[PREFETCH].count += executed && !asks && s->b.dut.cache_waits_o;
}

// oldest: it was executed in a cycle before. It gets the L1D within 8 cycles, but for
// those of the head unit and one for the walker.
static inline bool check_oldest_store(struct system *s, const struct insn *oldest)
{
	bool waits = s->b.dut.store_waits_o, ready = s->b.dut.store_ready_o;
	bool asks = ready || (waits && !s->parked);

	CHECK(!ready || !waits);
	CHECK(!s->parked || waits);
	CHECK(oldest || (!ready && !waits));
	CHECK_EQ(ready, asks && s->b.dut.cache_hit_o);
	if (s->yields && s->b.dut.walk_busy_i) {
		CHECK(!asks);
		covered[STORE_YIELDS].count += oldest && !s->head;
	} else if (!oldest || s->head || s->parked) {
		CHECK(!asks);
		s->passed_by = 0;
	} else if (asks) {
		covered[STORE_FIRST].count += s->passed_by == 7;
		s->passed_by = 0;
	} else {
		CHECK(s->b.dut.cache_req_o && !s->b.dut.cache_write_o);
		s->passed_by++;
		CHECK(s->passed_by < 8);
	}
	covered[PARKED_LOAD].count +=
	    s->parked && s->b.dut.cache_req_o && !s->b.dut.cache_write_o && !s->head;
	check_prefetch(s, asks, oldest ? oldest->pa : 0);
	return asks;
}

// At the end of the cycle.
static inline void park_store(struct system *s, bool asks)
{
	bool parks = asks && !s->b.dut.cache_hit_o && s->b.dut.cache_waits_o;

	covered[PARKED].count += parks;
	s->parked = (s->parked || parks) && !s->b.dut.cache_filled_o &&
		    !s->b.dut.commit_store_i && !s->b.dut.squash_i;
	s->yields = s->b.dut.store_ready_o && !s->b.dut.store_write_i;
	if (!s->head && s->b.dut.cache_req_o && !s->b.dut.cache_write_o &&
	    !s->b.dut.cache_hit_o && !s->b.dut.cache_waits_o) {
		covered[LOAD_YIELDS].count += s->b.dut.walk_busy_i;
		s->yields = true;
	}
}

// The walk of the port, else that of the head unit.
static inline void check_walk(struct system *s)
{
	const struct insn *i = nullptr;

	CHECK_EQ(s->b.dut.data_walk_drop_o, s->drops);
	if (s->walks)
		i = find_age(s, s->walk_age);
	else if (s->head)
		i = &s->window.front();
	if (s->walks)
		CHECK_EQ(s->b.dut.data_walk_o, 1);
	if (!s->b.dut.data_walk_o || !CHECK(i != nullptr))
		return;
	// soc_pkg::walk_req_t
	CHECK_EQ(s->b.dut.data_walk_req_o[0] | uint64_t{s->b.dut.data_walk_req_o[1]}
						   << 32,
		 i->va);
	CHECK_EQ(s->b.dut.data_walk_req_o[2],
		 5U << 8 | (writes(i) ? 2U : 1U) << 6 | i->size << 4 | 1 << 2 | 2);
}

// ---- The head unit

static inline void check_sc(struct system *s, const struct insn *i)
{
	bool good = s->reserved && s->line == i->pa / LINE;

	CHECK_EQ(s->b.dut.head_value_o, !good);
	covered[good ? SC_DONE : SC_FAILED].count++;
	covered[SC_AFTER_TRAP].count += s->trapped && s->line == i->pa / LINE;
	s->trapped = false;
	if (good)
		write_bytes(s->memory.seen, i->pa, i->data, 1U << i->size);
}

static inline void check_head_access(struct system *s, struct insn *i)
{
	covered[HEAD_AMO].count += i->kind == AMO;
	covered[HEAD_LOAD].count += i->kind == LOAD;
	covered[HEAD_STORE].count += i->kind == STORE;
	i->boxed = false; // the head unit boxes it
	if (i->page == DEVICE) {
		covered[HEAD_DEVICE].count++;
		if (i->kind == LOAD)
			CHECK_EQ(s->b.dut.head_value_o,
				 extend_loaded(i, s->outside.device_data));
	} else if (i->kind == SC) {
		check_sc(s, i);
	} else {
		if (i->kind != STORE)
			CHECK_EQ(s->b.dut.head_value_o, loaded_value(&s->memory, i));
		if (writes(i))
			write_bytes(s->memory.seen, i->pa, stored_value(&s->memory, i),
				    1U << i->size);
	}
	if (writes(i))
		s->reserved = false;
	if (i->kind == LR) {
		s->reserved = true;
		s->line = i->pa / LINE;
		s->reserving = *i;
	}
}

// The instruction in the head unit commits, traps or waits. What follows a store leaves.
static inline void serve_head(struct system *s)
{
	struct events *now = &s->now;

	if (!s->head) {
		CHECK_EQ(s->b.dut.head_done_o | s->b.dut.head_fault_o, 0);
		CHECK_EQ(s->b.dut.device_valid_o, 0);
		return;
	}
	struct insn *i = &s->window.front();
	i->pa = physical(&s->memory, i);
	if (s->b.dut.device_valid_o)
		outside_serve_device(&s->outside, &s->b, i);
	CHECK_EQ(s->b.dut.store_ready_o, 0);
	if (s->b.dut.head_fault_o) {
		CHECK_EQ(s->b.dut.head_cause_o, cause_of(i));
		CHECK_EQ(s->b.dut.head_address_o, i->va);
		covered[FAULT].count++;
		now->trap = now->squash = true;
		now->victim = 0;
	} else if (s->b.dut.head_done_o) {
		CHECK_EQ(cause_of(i), 0);
		now->commits = 1;
		if (i->kind == STORE) {
			now->squash = true;
			now->victim = 1;
			covered[YOUNGER_FLUSHED].count += s->window.size() > 1;
		}
	}
}

// ---- What commits

static uint64_t lane_address(const struct system *s, size_t n)
{
	return uint64_t{s->b.dut.commit_addr_o[2 * n + 1]} << 32 |
	       s->b.dut.commit_addr_o[2 * n];
}

static inline void check_trace(struct system *s)
{
	unsigned accesses = 0;

	for (size_t n = 0; n < s->now.commits; n++) {
		const struct insn *i = &s->window[n];
		// The head unit executes accesses to devices.
		bool trace = s->b.dut.trace_i &&
			     (s->b.dut.trace_details_i || is_head_kind(i) || i->deferred);
		bool load = i->kind == LOAD, store = writes(i);
		uint64_t data = s->b.dut.commit_wdata_o[2 * n] |
				uint64_t{s->b.dut.commit_wdata_o[2 * n + 1]} << 32;

		if (is_head_kind(i)) {
			load = i->kind != SC;
			store =
			    i->kind == AMO || (i->kind == SC && !s->b.dut.head_value_o);
		}
		accesses += load || store;
		CHECK_EQ(s->b.dut.commit_load_o >> n & 1, trace && load);
		CHECK_EQ(s->b.dut.commit_store_o >> n & 1, trace && store);
		CHECK_EQ(s->b.dut.commit_device_o >> n & 1,
			 trace && i->kind != OTHER && i->page == DEVICE);
		CHECK_EQ(lane_address(s, n), trace && i->kind != OTHER ? i->pa : 0);
		if (!trace)
			CHECK_EQ(data, 0);
		else if (i->kind == STORE)
			CHECK_EQ(data, i->data << i->pa % 8 * 8);
	}
	covered[TRACED].count +=
	    s->b.dut.trace_i && s->b.dut.trace_details_i && accesses > 1;
}

#endif
