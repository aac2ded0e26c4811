// SPDX-License-Identifier: Apache-2.0
// Records tokens, traps and classes of lost slots from the trace port of a hart. The
// port is that of soc.sv, or of hart.sv where a SoC has several harts: CORE has its
// signals, each a vector of lanes.
#ifndef VERILATED_RECORD_H
#define VERILATED_RECORD_H

#include <cstring>

#include "model/csr.h"
#include "pins.h"
#include "rtl.h"
#include "rtl_constants.h"
#include "stream/insn.h"

// A run with this many slots is full: with those of one more edge it stays below
// UINT32_MAX.
static const uint32_t RUN_FULL = UINT32_MAX - (1 << 16);
// One with fewer has room for those of all lanes.
static const uint32_t RUN_HAS_ROOM = RUN_FULL - COMMITS * (1 << 16);

// COMMITS is that of the cores of this build. HAS_WINDOW: one of them is out-of-order,
// also if it has one lane.
static const unsigned LANES = COMMITS;
static const unsigned ALL_EVENTS = (1U << LANES * TRACE_EVENT_BITS) - 1;
// The lowest bit of the class of each lane.
static const unsigned EACH_LANE =
    ((1U << LANES * TRACE_CLASS_BITS) - 1) / ((1U << TRACE_CLASS_BITS) - 1);

static_assert(TRACE_EVENT_BITS == RTL_TraceEventBits &&
		  TRACE_CLASS_BITS == RTL_TraceClassBits &&
		  TRACE_TOKEN_BITS == RTL_TraceTokenBits &&
		  TRACE_DETAIL_BITS == RTL_TraceDetailBits,
	      "pins.h has the trace port of soc_pkg.sv");
static_assert(LANES <= RTL_SLOTS_MAX, "rtl.h has fewer slots");

template <class CORE> static unsigned event_of_lane(const CORE *core, unsigned lane)
{
	return core->trace_event_o >> lane * TRACE_EVENT_BITS &
	       (TRACE_VALID | TRACE_TRAP);
}

template <class CORE> static bool is_full(const CORE *core, unsigned lane)
{
	return core->trace_full_o >> lane & 1;
}

template <class CORE> static uint8_t class_of_lane(const CORE *core, unsigned lane)
{
	return unpack_lane<uint8_t, TRACE_CLASS_BITS, LANES>(core->trace_class_o, lane);
}

template <class CORE> static trace_token token_of_lane(const CORE *core, unsigned lane)
{
	return unpack_lane<trace_token, TRACE_TOKEN_BITS, LANES>(core->trace_token_o,
								 lane);
}

template <class CORE> static trace_detail detail_of_lane(const CORE *core, unsigned lane)
{
	return unpack_lane<trace_detail, TRACE_DETAIL_BITS, LANES>(core->trace_detail_o,
								   lane);
}

// Returns whether the token, which is full, read a CSR whose value is input, or
// is an SC that failed.
static inline bool reads_input(uint32_t insn, const trace_detail &d)
{
	if (tr_insn_opcode(insn) == TR_OPCODE_SYSTEM)
		return d.rd != 0 && tr_insn_is_csr(insn) && soc_csr_is_input(insn >> 20);
	return tr_insn_is_sc(insn) && !d.store;
}

// Returns whether the token, which is full since entries of a data TLB are watched, is to
// be looked at by the caller for that.
static inline bool uses_watched_entry(const struct tlb *t, uint32_t insn,
				      const trace_detail &d)
{
	if (!HAS_WINDOW || tr_insn_is_copy(insn))
		return true;
	return (d.load | d.store | tr_insn_is_sc(insn)) &&
	       tlb_concerns(t, d.addr, d.store);
}

// Returns whether the loop only counts the token, which changes no state that the loop
// keeps.
template <bool ALONE, class CORE>
static bool is_ordinary_token(const CORE *core, unsigned lane, const trace_token &token,
			      const struct rtl_hart *r)
{
	if (is_full(core, lane)) {
		trace_detail d = detail_of_lane(core, lane);

		if (r->all | d.xret | d.satp_we | ((d.load | d.store) & d.device) |
		    (d.rd == 4) | (d.rd == 2) | reads_input(token.insn, d))
			return false;
		if (r->tlb.watched && uses_watched_entry(&r->tlb, token.insn, d))
			return false;
	}
	for (unsigned i = 0; !ALONE && i < r->nwatches; i++)
		if (rtl_watch_matches(&r->watches[i], token.pc, token.insn))
			return false;
	return true;
}

// Records a lost cycle's class where it can be needed: the first token recorded may be a
// watched one. A wait longer than one run can encode takes several of the same class. If
// a token's runs are used up the last one is extended; if that is full the cycles are
// dropped.
template <bool ALONE = false>
static inline void record_lost_cycles(struct rtl_hart *r, unsigned cycles, uint8_t why)
{
	if (!ALONE && !r->records && !r->watches_any)
		return;
	unsigned n = r->nruns - r->first_run;
	struct tr_run *last = n ? &r->runs[r->nruns - 1] : nullptr;

	if (last && last->classname == why && last->slots < RUN_FULL)
		last->slots += cycles;
	else if (n < RTL_TOKEN_RUNS)
		r->runs[r->nruns++] = {cycles, why};
	else if (last->slots < RUN_FULL)
		last->slots += cycles;
}

// Records the classes of the lanes from this one on, for some cycles. Most lanes have the
// same.
template <bool ALONE, class CORE>
static inline void record_classes(const CORE *core, struct rtl_hart *r, unsigned first,
				  unsigned cycles)
{
	const uint8_t why = class_of_lane(core, LANES - 1);
	const bool fits =
	    r->nruns == r->first_run || r->runs[r->nruns - 1].slots < RUN_HAS_ROOM;

	if (why && fits &&
	    (core->trace_class_o ^ why * EACH_LANE) >> first * TRACE_CLASS_BITS == 0) {
		record_lost_cycles<ALONE>(r, (LANES - first) * cycles, why);
		return;
	}
	for (unsigned lane = first; lane < LANES; lane++)
		if (class_of_lane(core, lane))
			record_lost_cycles<ALONE>(r, cycles, class_of_lane(core, lane));
}

// Adds the cycles and runs of the next token of the batch.
static inline void record_stall(struct rtl_hart *r, uint64_t cycles)
{
	r->stalls[r->nstalls++] = {cycles, r->first_run,
				   static_cast<uint16_t>(r->nruns - r->first_run),
				   static_cast<uint16_t>(r->nbatch)};
	r->first_run = r->nruns;
}

// Adds a token of some cycles to the batch.
static inline void record_token(struct rtl_hart *r, uint64_t cycles, uint64_t pc,
				uint32_t insn)
{
	if (cycles != 1 || (LANES > 1 && r->nruns != r->first_run))
		record_stall(r, cycles);
	r->batch[r->nbatch++] = {pc, insn};
}

template <bool ALONE = false>
static inline void count_token_cycles(struct rtl_hart *r, uint64_t cycle, uint64_t pc,
				      uint32_t insn)
{
	uint64_t cycles = cycle - r->since;

	r->tokens++;
	if (ALONE)
		r->since = cycle;
	else
		rtl_since(r, cycle);
	if (ALONE || r->records)
		record_token(r, cycles, pc, insn);
	else
		r->nruns = r->first_run;
}

// For records_alone, before the loop.
static inline bool is_recorded_alone(const struct rtl_hart *r)
{
	return r->records && !r->nwatches && !r->cover.marks;
}

// After the last token of a cycle that the caller counts.
static inline void record_kept_slots(struct rtl_hart *r)
{
	for (unsigned i = 0; LANES > 1 && i < r->nkept; i++)
		record_lost_cycles(r, 1, r->kept[i]);
	r->nkept = 0;
}

// Counts and records what a lane of the port says. With `left`, an earlier token of the
// cycle was left to the caller: this one is, too, and the class of a lost slot is kept.
// Returns reasons of rtl.h.
template <bool ALONE, class CORE>
static inline unsigned after_lane(const CORE *core, unsigned lane, struct rtl_hart *r,
				  uint64_t cycle, unsigned cycles, bool left)
{
	const unsigned event = event_of_lane(core, lane);

	if (!(event & TRACE_VALID)) {
		const uint8_t lost = class_of_lane(core, lane);

		if (lost && left)
			r->kept[r->nkept++] = lost;
		else if (lost)
			record_lost_cycles<ALONE>(r, cycles, lost);
		return event & TRACE_TRAP ? RTL_TRAP : 0;
	}
	const trace_token token = token_of_lane(core, lane);
	if (left || !is_ordinary_token<ALONE>(core, lane, token, r)) {
		r->commits |= 1U << lane;
		return RTL_TOKEN;
	}
	count_token_cycles<ALONE>(r, cycle, token.pc, token.insn);
	return 0;
}

// Remembers where the runs of the classes of a cycle are, the last of the runs, if each
// has its own.
template <class CORE>
static inline void remember_lost_lanes(const CORE *core, struct rtl_hart *r)
{
	unsigned n = 1, at;

	for (unsigned lane = 1; lane < LANES; lane++)
		n += class_of_lane(core, lane) != class_of_lane(core, lane - 1);
	r->nlost = 0;
	if (r->nruns - r->first_run < n)
		return;
	at = r->nruns - n;
	for (unsigned lane = 0; lane < LANES; lane++) {
		at += lane && class_of_lane(core, lane) != class_of_lane(core, lane - 1);
		if (r->runs[at].classname != class_of_lane(core, lane))
			return;
	}
	r->lost_classes = core->trace_class_o;
	r->lost_run = r->nruns - n - r->first_run;
	r->nlost = n;
}

// Records some cycles in which nothing commits. If they have the classes of the cycle
// before, its runs become longer: each has the slots of its lanes, in all of these
// cycles. So the runs do not depend on how many cycles an edge stands for, and there are
// few of them.
template <bool ALONE, class CORE>
static inline void record_lost_lanes(const CORE *core, struct rtl_hart *r,
				     unsigned cycles)
{
	unsigned at = r->first_run + r->lost_run;
	bool repeats = r->nlost && core->trace_class_o == r->lost_classes &&
		       at + r->nlost <= r->nruns;

	// Each gets the cycles of one lane or more.
	for (unsigned i = 0; repeats && i < r->nlost; i++)
		repeats = r->runs[at + i].slots < RUN_HAS_ROOM;
	if (repeats && r->nlost == 1) {
		r->runs[at].slots += LANES * cycles;
		return;
	}
	if (repeats) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			at += lane && r->runs[at].classname != class_of_lane(core, lane);
			r->runs[at].slots += cycles;
		}
		return;
	}
	record_classes<ALONE>(core, r, 0, cycles);
	remember_lost_lanes(core, r);
}

// Returns the number of tokens of a cycle with at least one if the loop only records them
// all, or 0.
template <class CORE> static inline unsigned count_plain_tokens(const CORE *core)
{
	static const unsigned VALID = ALL_EVENTS / 3 * TRACE_VALID;
	const unsigned events = core->trace_event_o & ALL_EVENTS,
		       others = ALL_EVENTS - VALID;
	const unsigned n =
	    static_cast<unsigned>(__builtin_ctz((events | others) + 1)) / 2;

	return events & others || core->trace_full_o & ((1U << n) - 1) ? 0 : n;
}

// Records the cycle of these tokens, and what lanes behind them have lost. All lanes are
// written to the batch, which has room for them: branches would cost more.
template <class CORE>
static inline void record_plain_cycle(const CORE *core, struct rtl_hart *r,
				      uint64_t cycle, unsigned n)
{
	const uint64_t cycles = cycle - r->since;

	r->since = cycle;
	r->tokens += n;
	if (cycles != 1 || r->nruns != r->first_run)
		record_stall(r, cycles);
	struct tr_commit *tokens = r->batch + r->nbatch;
	struct tr_stall *stalls = r->stalls + r->nstalls;
	const struct tr_stall none = {0, r->first_run, 0,
				      static_cast<uint16_t>(r->nbatch)};

#pragma GCC unroll 8
	for (unsigned lane = 0; lane < LANES; lane++) {
		const trace_token token = token_of_lane(core, lane);

		tokens[lane] = {token.pc, token.insn};
	}
#pragma GCC unroll 8
	for (unsigned lane = 1; lane < LANES; lane++) {
		stalls[lane - 1] = none;
		stalls[lane - 1].token = static_cast<uint16_t>(none.token + lane);
	}
	r->nbatch += n;
	r->nstalls += n - 1;
	if (n < LANES)
		record_classes<true>(core, r, n, 1);
}

// Counts and records what the port says, lane by lane, which is the order of the program.
template <bool ALONE, class CORE>
static inline unsigned after_each_lane(const CORE *core, struct rtl_hart *r,
				       uint64_t cycle, unsigned cycles)
{
	unsigned why = after_lane<ALONE>(core, 0, r, cycle, cycles, false);

	for (unsigned lane = 1; lane < LANES; lane++)
		why |= after_lane<ALONE>(core, lane, r, cycle, cycles, why & RTL_TOKEN);
	return why;
}

// The same of several lanes, which is not part of the loop: few cycles need it.
template <bool ALONE, class CORE>
__attribute__((noinline)) static unsigned
after_odd_lanes(const CORE *core, struct rtl_hart *r, uint64_t cycle, unsigned cycles)
{
	return after_each_lane<ALONE>(core, r, cycle, cycles);
}

// Counts and records what the port says. A token that is not ordinary, and those behind
// it, are left to the caller. Returns reasons of rtl.h.
template <bool ALONE, class CORE>
static inline unsigned after_lanes(const CORE *core, struct rtl_hart *r, uint64_t cycle,
				   unsigned cycles)
{
	if constexpr (LANES == 1)
		return after_each_lane<ALONE>(core, r, cycle, cycles);
	if (!(core->trace_event_o & ALL_EVENTS)) {
		record_lost_lanes<ALONE>(core, r, cycles);
		return 0;
	}
	r->nlost = 0;
	const unsigned plain = ALONE && cycles == 1 ? count_plain_tokens(core) : 0;
	if (plain) {
		record_plain_cycle(core, r, cycle, plain);
		return 0;
	}
	return after_odd_lanes<ALONE>(core, r, cycle, cycles);
}

// Returns how many tokens of the cycle are left to the caller. In order, the one that is
// has been the next one before.
static inline unsigned uncounted_tokens(const struct rtl_hart *r)
{
	return HAS_WINDOW ? static_cast<unsigned>(__builtin_popcount(r->commits)) : 0;
}

// Returns whether a watched instruction has become the next one, which commits with the
// next edge or later; once for each.
static inline bool token_comes(struct rtl_hart *r)
{
	const uint64_t number = r->tokens + uncounted_tokens(r) + 1;
	trace_token token;

	if (!probe_next(&r->probe, &token.pc, &token.insn) || r->expects == number)
		return false;
	for (unsigned i = 0; i < r->nwatches; i++) {
		if (rtl_watch_matches(&r->watches[i], token.pc, token.insn)) {
			r->expects = number;
			return true;
		}
	}
	return false;
}

// Called after each edge, which stood for some cycles up to this one. Returns reasons of
// rtl.h.
template <class CORE>
__attribute__((always_inline)) static inline unsigned
after_edge(const CORE *core, struct rtl_hart *r, uint64_t cycle, unsigned cycles)
{
	if (r->records_alone)
		return after_lanes<true>(core, r, cycle, cycles);
	unsigned why = after_lanes<false>(core, r, cycle, cycles);
	if (r->nwatches && token_comes(r)) {
		r->next = true;
		why |= RTL_NEXT;
	}
	return why;
}

template <class CORE>
static void read_token(const CORE *core, unsigned lane, const struct probe *p,
		       uint64_t cycle, struct rtl_commit *c)
{
	trace_token token = token_of_lane(core, lane);

	*c = rtl_commit();
	c->cycle = cycle;
	c->pc = token.pc;
	c->insn = token.insn;
	c->trap = event_of_lane(core, lane) & TRACE_TRAP;
	c->source = *p->copy_source;
	// For other tokens the remaining signals of the port are stale.
	if (!is_full(core, lane) && !c->trap)
		return;
	trace_detail d = detail_of_lane(core, lane);
	c->value = d.value;
	c->satp = *p->satp;
	c->address = d.addr;
	c->data = d.wdata;
	c->priv = d.priv;
	c->next_priv = *p->priv;
	c->rd = d.rd;
	c->cause = d.code | (d.interrupt ? COMMIT_INTERRUPT : 0);
	c->size = d.size;
	c->xret = d.xret;
	c->wrote_satp = d.satp_we;
	c->load = d.load;
	c->store = d.store;
	c->device = d.device;
}

#endif
