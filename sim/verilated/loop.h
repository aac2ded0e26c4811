// SPDX-License-Identifier: Apache-2.0
// The loop over the cycles of a SoC. TOP is its top, a class of soc.cc or soc_smp.cc:
//
//   HARTS, HAS_PORT            their number; whether they have trace ports
//   TOP(r), root               the Verilated class, with the pins that all tops have
//   port, core(hart)           the class that has the pins of a hart's trace port
//   drive_memory()             sets the pins for memory
//   evaluate_inputs()          evaluates the logic that depends on inputs
//   choose_clocks()            for all edges until the next choice
//   evaluate_edge<FLOAT, DMA>()
//   begin()                    before the first edge, with the pins as they are
//   watch_probes()             with rtl.all, before each edge
//   asks<SEEN, DMA>()          whether there are requests to memory or a word of the link
//   answers()                  RTL_PORTS if there was an answer to memory in the cycle
//
// Verilator's eval() calls two functions: one evaluates the logic that depends on inputs,
// the other the clock edge. Inputs are the same in most cycles, so the loop calls only
// the one for the edge, and the other after an input has changed. If triggers.h says that
// this version of Verilator is unknown, the loop calls eval() for each level of the
// clocks.
#ifndef VERILATED_LOOP_H
#define VERILATED_LOOP_H

#include <algorithm>
#include <new>

#include "pins.h"
#include "record.h"
#include "rtl.h"
#include "view.h"
#include "watch.h"

// 1: it can draw waveforms and stages.
#ifndef VIEW
#define VIEW 0
#endif

// Sets whether a clock has the next edge: its trigger, or its pin, for eval().
#if EDGE_ALONE
template <class ROOT>
static inline void set_clock(ROOT *root, int trigger, CData &, bool runs)
{
	if (trigger >= 0)
		root->__VnbaTriggered.at(static_cast<unsigned>(trigger)) = runs;
}
#else
template <class ROOT> static inline void set_clock(ROOT *, int, CData &pin, bool runs)
{
	pin = runs;
}

// The falling edge of all clocks, before their pins are chosen for the next one.
template <class SOC, class TOP> static inline void lower_clocks(const TOP &top)
{
	if (top.r->harts[0].cover.clk)
		*top.r->harts[0].cover.clk = 0;
	TOP::set_clocks(static_cast<SOC *>(top.r->model), false);
	top.choose_clocks();
}
#endif

template <class ROOT> static inline void set_cover_clock(ROOT *root, const struct rtl *r)
{
	static CData none;
	uint8_t *clk = r->harts[0].cover.clk;

	set_clock(root, TRIGGER_COVER_CLK, clk ? *clk : none, r->harts[0].cover.counting);
}

template <class SOC> static SOC *model_of(const struct rtl *r)
{
	return static_cast<SOC *>(r->model);
}

template <class SOC> static void release_model(struct rtl *r)
{
	delete model_of<SOC>(r);
}

// In a build with VIEW=1: adds all signals to a waveform. Returns the flag that eval()
// would set.
class VerilatedFstC;
template <class SOC, class FST> static bool *trace_model(const struct rtl *r, void *fst)
{
	if constexpr (VIEW) {
		model_of<SOC>(r)->trace(static_cast<FST *>(fst), 99);
		return &model_of<SOC>(r)->rootp->vlSymsp->__Vm_activity;
	}
	(void)r;
	(void)fst;
	return nullptr;
}

// An edge of all clocks; the reset of the harts is registered.
template <class SOC, class TOP> static void leave_reset(struct rtl *r)
{
	TOP::set_clocks(model_of<SOC>(r), false);
	TOP::set_clocks(model_of<SOC>(r), true);
}

// Creates the model, and sets the straps.
template <class SOC, class TOP>
static SOC *create_soc_model(struct rtl *r, const struct rtl_config *config)
{
	SOC *soc = new (std::nothrow) SOC();

	if (!soc)
		return nullptr;
	r->model = soc;
	r->has_port = TOP::HAS_PORT;
	soc->ram_size_i = config->ram_size;
	soc->float_on_i = config->features.fpu;
	soc->copy_on_i = config->features.copy;
	soc->nic_on_i = config->mac != 0;
	soc->mac_i = config->mac;
	for (unsigned i = 0; i < 4; i++)
		TOP::set_clocks(soc, i & 1);
	soc->rst_ni = 1;
	r->rx_ready = &soc->rootp->uart_rx_ready_o;
	r->power = &soc->rootp->power_o;
	r->trace_mode = &soc->rootp->trace_mode_i;
	return soc;
}

template <class PORT>
static void read_commit_of(const struct rtl *r, unsigned hart, unsigned slot,
			   struct rtl_commit *commit)
{
	const struct rtl_hart *h = &r->harts[hart];

	read_token(static_cast<const PORT *>(h->core), slot, &h->probe, r->cycle, commit);
}

// Creates the model. RUN, READ_PORTS and SETTLE are those of struct rtl_top. Returns NULL
// if memory runs out.
template <class SOC, class TOP, auto RUN, auto READ_PORTS, auto SETTLE>
static SOC *init_top(struct rtl *r, const struct rtl_config *config)
{
	static const struct rtl_top top = {RUN,
					   read_commit_of<typename TOP::port>,
					   READ_PORTS,
					   leave_reset<SOC, TOP>,
					   SETTLE,
					   trace_model<SOC, VerilatedFstC>,
					   release_model<SOC>};
	SOC *soc = create_soc_model<SOC, TOP>(r, config);

	if (!soc)
		return nullptr;
	r->top = &top;
	TOP(r).evaluate_inputs();
	return soc;
}

// These clocks are stopped while their results are not needed: tokens, classes of lost
// cycles, counts. Those of DMA are chosen for each edge.
template <class ROOT> static void choose_soc_clocks(ROOT *root, const struct rtl *r)
{
	set_clock(root, TRIGGER_CLK, root->clk_i, true);
	set_clock(root, TRIGGER_TRACE_CLK, root->trace_clk_i, r->seen);
	set_clock(root, TRIGGER_CLASS_CLK, root->class_clk_i, r->seen || r->classes);
	set_clock(root, TRIGGER_NIC_CLK, root->nic_clk_i, false);
	set_clock(root, TRIGGER_COPY_CLK, root->copy_clk_i, false);
	set_cover_clock(root, r);
}

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
static inline unsigned look_at_harts(const TOP &top, struct rtl *r, unsigned cycles)
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

template <class TOP> static inline uint64_t count_tokens_of(const struct rtl *r)
{
	uint64_t tokens = 0;

	for (unsigned h = 0; h < TOP::HARTS; h++)
		tokens += r->harts[h].tokens;
	return tokens;
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
			follow_walk(&r->harts[h].probe, &r->harts[h].tlb);
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

// Before an edge.
template <class TOP> static inline void watch_harts(const TOP &top, struct rtl *r)
{
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

	for (unsigned h = 0; h < TOP::HARTS; h++) {
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
	const uint64_t tokens = count_tokens_of<TOP>(r);
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
	top.begin();
	if (SEEN)
		unwatch_harts(top, r);
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
	return why | top.answers();
}

#endif
