// SPDX-License-Identifier: Apache-2.0
// The loop over the cycles of a SoC. TOP is its top, a class of soc.cc or soc_smp.cc:
//
//   HARTS, HAS_PORT            their number; whether they have trace ports
//   TOP(r), root               a verilated_top of top.h
//   port, core(hart)           the class that has the pins of a hart's trace port
//   drive_memory()             sets the pins for memory
//   set_straps(soc, config)    those of this top alone
//   choose_clocks()            for all edges until the next choice
//   evaluate_edge<FLOAT, DMA>()
//   begin()                    before the first edge, with the pins as they are: returns
//                              RTL_PORTS if these answer memory
//   watch_probes()             with rtl.all, before each edge
//   asks<SEEN, DMA>()          whether there are requests to memory or a word of the link
#ifndef VERILATED_LOOP_H
#define VERILATED_LOOP_H

#include <algorithm>

#include "top.h"
#include "watch.h"

template <class TOP> static void drive_pins(const TOP &top, struct rtl *r)
{
	top.drive_memory();
	pack_pin(top.root->uart_rx_i, serial{r->rx_data, r->rx_valid});
	top.evaluate_inputs();
	r->changed = false;
}

template <class TOP> static bool sleep_all_harts(const struct rtl *r)
{
	for (unsigned h = 0; h < TOP::HARTS; h++)
		if (!sleeps_in_m(&r->harts[h].probe))
			return false;
	return true;
}

// ------------------------------------------------------------ edges

// Returns the number of cycles that the next edge may stand for.
template <class TOP> static unsigned cycles_to_skip(const TOP &top, const struct rtl *r)
{
	uint64_t n = r->until - r->cycle;

	if (!r->skips || n == 0)
		return 1;
	return n < top.root->tick_o ? static_cast<unsigned>(n) : top.root->tick_o;
}

// Evaluates an edge that stands for several cycles.
template <class TOP, bool FLOAT, bool DMA>
static void leap_cycles(TOP &top, struct rtl *r, unsigned cycles)
{
	top.root->skip_i = static_cast<SData>(cycles - 1);
	top.evaluate_inputs();
	for (unsigned h = 0; h < TOP::HARTS; h++)
		cover_before(&r->harts[h].cover);
	top.template evaluate_edge<FLOAT, DMA>();
	for (unsigned h = 0; h < TOP::HARTS; h++)
		cover_after(&r->harts[h].cover, cycles - 1);
	top.root->skip_i = 0;
	top.evaluate_inputs();
}

// Counts and records what the harts have done at an edge. Returns reasons.
template <class TOP>
__attribute__((always_inline)) static inline unsigned
look_at_harts(const TOP &top, struct rtl *r, unsigned cycles)
{
	unsigned all = 0;

	for (unsigned h = 0; h < TOP::HARTS; h++) {
		struct rtl_hart *hart = &r->harts[h];
		unsigned why = after_edge(top.core(h), hart, r->cycle, cycles);

		if (why & RTL_TRAP)
			hart->trapped = true;
		all |= why;
	}
	return all;
}

template <class TOP> static inline bool has_powered_off(const TOP &top)
{
	return unpack_pin<power>(top.root->power_o).valid;
}

// The same without an observer: tokens are only counted, and the write to the power
// register ends the run, with the edge after it, at which the store commits. Another hart
// may commit with the write.
template <class TOP>
static inline unsigned count_unseen_tokens(const TOP &top, struct rtl *r)
{
	unsigned all = 0;

	for (unsigned h = 0; h < TOP::HARTS; h++) {
		struct rtl_hart *hart = &r->harts[h];

		for (unsigned lane = 0; lane < LANES; lane++) {
			if (!(event_of_lane(top.core(h), lane) & TRACE_VALID) &&
			    TOP::HAS_PORT)
				continue;
			hart->since = r->cycle;
			hart->tokens += TOP::HAS_PORT;
			if (TOP::HARTS == 1 && has_powered_off(top))
				all |= RTL_OFF;
		}
		if (event_of_lane(top.core(h), 0) & TRACE_TRAP) {
			hart->trapped = true;
			all |= RTL_TRAP;
		}
	}
	return all;
}

// ------------------------------------------------------------ the data TLBs

// Makes tokens full, or not: the setting is for all harts.
template <class TOP> static void change_detail(const TOP &top, struct rtl *r)
{
	bool full = r->all;

	for (unsigned h = 0; h < TOP::HARTS; h++)
		full |= r->harts[h].tlb.watched;
	if (full == ((top.root->trace_mode_i & TRACE_FULL) != 0))
		return;
	top.root->trace_mode_i ^= TRACE_FULL;
	top.evaluate_inputs();
}

// Sets whether the token that the instruction in M may become is to be full, and handled
// by the caller. Where the token of one hart may be a store that makes entries old, those
// of the others are handled as well: one that commits in the same cycle used the entry as
// it was. A store of another hart makes the entry old for which a walk is in progress.
template <class TOP> static void watch_next_tokens(const TOP &top, struct rtl *r)
{
	bool is_watched_token = false;

	for (unsigned h = 0; h < TOP::HARTS; h++)
		if (in_m(&r->harts[h].probe))
			follow_walk(&r->harts[h].probe, &r->harts[h].tlb, false);
	for (unsigned h = 0; h < TOP::HARTS; h++) {
		struct tlb *t = &r->harts[h].tlb;

		if (in_m(&r->harts[h].probe))
			note_uses(&r->harts[h].probe, t);
		is_watched_token |= t->watched | (TOP::HARTS > 1 && t->walks);
	}
	for (unsigned h = 0; h < TOP::HARTS; h++)
		if (is_watched_token && in_m(&r->harts[h].probe))
			r->harts[h].tlb.watched = r->harts[h].tlb.alert = true;
	change_detail(top, r);
}

// With a window: all tokens are full while one may use an entry of a data TLB that is
// watched, or may store to a page with page tables. Such a store uses an entry, which is
// watched as well, unless its address is physical; or a walk has read there, and fills
// none yet. The entries that tokens use are found by their physical addresses.
template <class TOP> static inline void watch_lanes(const TOP &top, struct rtl *r)
{
	bool is_watched = false;

	for (unsigned h = 0; h < TOP::HARTS; h++) {
		const struct probe *p = &r->harts[h].probe;
		struct tlb *t = &r->harts[h].tlb;

		if (*p->walks | t->walks)
			follow_walk(p, t, true);
		is_watched |= t->walks | tlb_is_watched(t);
	}
	if (is_watched == r->harts[0].tlb.watched)
		return;
	for (unsigned h = 0; h < TOP::HARTS; h++)
		r->harts[h].tlb.watched = is_watched;
	change_detail(top, r);
}

// Before the loop: modes and satp change with its last edge only.
template <class TOP> static void note_translation(struct rtl *r)
{
	bool is_physical = false;

	for (unsigned h = 0; h < TOP::HARTS; h++)
		is_physical |= !translates_data(&r->harts[h].probe);
	for (unsigned h = 0; h < TOP::HARTS; h++)
		r->harts[h].tlb.is_physical = is_physical;
}

// Before an edge.
template <class TOP> static inline void watch_harts(const TOP &top, struct rtl *r)
{
	if (HAS_WINDOW) {
		watch_lanes(top, r);
		return;
	}
	for (unsigned h = 0; h < TOP::HARTS; h++) {
		if (in_m(&r->harts[h].probe) &&
		    concerns_tlb(&r->harts[h].probe, &r->harts[h].tlb)) {
			watch_next_tokens(top, r);
			return;
		}
	}
}

// After tokens and traps.
template <class TOP> static inline void unwatch_harts(const TOP &top, struct rtl *r)
{
	bool changed = false;

	for (unsigned h = 0; !HAS_WINDOW && h < TOP::HARTS; h++) {
		struct rtl_hart *hart = &r->harts[h];

		changed |= hart->tlb.alert &&
			   end_watch(&hart->tlb, in_m(&hart->probe),
				     event_of_lane(top.core(h), 0) & TRACE_TRAP);
	}
	if (changed)
		change_detail(top, r);
}

// ------------------------------------------------------------ the loop

// Returns the cycle at which the loop ends at the latest: up to it, no more tokens can
// commit than r->instret and the room in the batches allow. So the loop need not compare
// these in each cycle.
template <class TOP, bool SEEN> static uint64_t cycle_of_end(const struct rtl *r)
{
	const uint64_t tokens = rtl_tokens(r, TOP::HARTS);
	uint64_t cycles = r->instret > tokens ? r->instret - tokens - 1 : 0;

	cycles = cycles / (LANES * TOP::HARTS) + 1;
	for (unsigned h = 0; SEEN && h < TOP::HARTS; h++)
		cycles =
		    std::min<uint64_t>(cycles, (RTL_BATCH - r->harts[h].nbatch) / LANES);
	return r->until - r->cycle < cycles ? r->until : r->cycle + cycles;
}

// Returns whether a batch has no room for another cycle.
template <class TOP> static bool has_full_batch(const struct rtl *r)
{
	for (unsigned h = 0; h < TOP::HARTS; h++)
		if (r->harts[h].nbatch > RTL_BATCH - LANES)
			return true;
	return false;
}

template <class TOP, bool SEEN, bool FLOAT, bool DMA>
static unsigned run_cycles(struct rtl *r)
{
	TOP top(r);
	const uint64_t end = cycle_of_end<TOP, SEEN>(r);
	bool steady = !r->changed;
	unsigned why;

	if (r->changed)
		drive_pins(top, r);
	for (unsigned h = 0; h < TOP::HARTS; h++) {
		r->harts[h].next = false;
		r->harts[h].records_alone = is_recorded_alone(&r->harts[h]);
	}
	if (EDGE_ALONE)
		top.choose_clocks();
	const unsigned answers = top.begin();
	if (SEEN)
		unwatch_harts(top, r);
	if (SEEN && HAS_WINDOW)
		note_translation<TOP>(r);
	do {
		const bool off = !SEEN && TOP::HARTS > 1 && has_powered_off(top);
		unsigned cycles = 1;

		if (SEEN)
			watch_harts(top, r);
		if (top.root->idle_o && steady) {
			if (!r->dozing && sleep_all_harts<TOP>(r))
				return RTL_ASLEEP;
			cycles = cycles_to_skip(top, r);
		} else {
			r->dozing = false;
		}
		steady = true;
		if (SEEN && r->all)
			top.watch_probes();
		if (VIEW && r->harts[0].records)
			view_before(r->view, r->cycle);
		if (cycles == 1)
			top.template evaluate_edge<FLOAT, DMA>();
		else
			leap_cycles<TOP, FLOAT, DMA>(top, r, cycles);
		r->cycle += cycles;
		why = SEEN ? look_at_harts(top, r, cycles) : count_unseen_tokens(top, r);
		if (off)
			why |= RTL_OFF;
		if (VIEW && r->harts[0].records)
			view_after(r->view, r->cycle);
		if (top.template asks<SEEN, DMA>() |
		    unpack_pin<serial>(top.root->uart_tx_o).valid)
			why |= RTL_PORTS;
	} while (!why && r->cycle < end);
	if (SEEN && has_full_batch<TOP>(r))
		why |= RTL_FULL;
	return why | answers;
}

#endif
