// SPDX-License-Identifier: Apache-2.0
// Follows the data TLB of a hart: see tlb.h. CORE(name) is a signal of the core in
// `root`; rtl_constants.h and pins.h are included before.
#ifndef VERILATED_WATCH_H
#define VERILATED_WATCH_H

#include "rtl.h"
#include "stream/insn.h"

// Offsets of fields of soc_pkg::executed_t, in words of 32 bits.
enum { EXECUTED_RESULT = 4, EXECUTED_B = 6, EXECUTED_INSN = 8 };

template <class ROOT> static bool in_m(const ROOT *root)
{
	return (CORE(u_retire__DOT__unit_q) & 7) == RTL_UnitMem;
}

// Follows the walk for the instruction in M, if there is one.
template <class ROOT> static void follow_walk(const ROOT *root, struct tlb *t)
{
	const bool walks =
	    CORE(u_ptw_arbiter__DOT__busy_q) && !CORE(u_ptw_arbiter__DOT__fetch_q);

	if (walks && !t->walks) {
		t->nwalk = 0;
		t->raced = false;
		t->set =
		    static_cast<uint8_t>(tlb_set(CORE(u_ptw_arbiter__DOT__req_q).at(0)));
	}
	if (walks && CORE(u_ptw_arbiter__DOT__u_walker__DOT__state_q) == RTL_StRead) {
		const uint64_t at = CORE(u_ptw_arbiter__DOT__u_walker__DOT__addr_q);

		if (t->nwalk < TLB_LEVELS && (!t->nwalk || t->walk[t->nwalk - 1] != at))
			t->walk[t->nwalk++] = at;
	}
	if (t->walks && !walks)
		tlb_fill(t, CORE(u_lsu__DOT__u_tlb__DOT__data_q)[t->set] &
				((UINT64_C(1) << 44) - 1));
	t->walks = walks;
}

// The instruction in M accesses memory: notes the entries that it uses.
template <class ROOT> static void note_uses(const ROOT *root, struct tlb *t)
{
	const auto &executed = CORE(u_retire__DOT__executed_q);

	t->uses[0] = static_cast<uint8_t>(tlb_set(executed.at(EXECUTED_RESULT)));
	t->uses[1] = t->uses[0];
	if (t->copies && tr_insn_is_copy(executed.at(EXECUTED_INSN)))
		t->uses[1] = static_cast<uint8_t>(tlb_set(executed.at(EXECUTED_B)));
	t->watched = (t->watch[t->uses[0]] | t->watch[t->uses[1]]) != 0;
	t->alert = t->copies || t->walks || t->watched;
}

// Before each edge: returns whether the instruction in M is to be looked at, as in few
// cycles.
template <class ROOT>
static inline bool concerns_tlb(const ROOT *root, const struct tlb *t)
{
	if (!in_m(root))
		return false;
	const uint32_t result = CORE(u_retire__DOT__executed_q).at(EXECUTED_RESULT);

	return (t->watch[tlb_set(result)] | t->alert |
		CORE(u_ptw_arbiter__DOT__busy_q)) != 0;
}

// Called after the edge at which a watched instruction has committed, or any trapped:
// its watch does not hold for the next. A walk that faulted has filled nothing. Returns
// whether tokens need no longer be full.
template <class ROOT> static bool end_watch(const ROOT *root, struct tlb *t)
{
	const bool before = t->watched;

	t->walks &= !(root->trace_event_o & TRACE_TRAP);
	t->watched &= in_m(root);
	t->alert = t->copies || t->walks || t->watched;
	return t->watched != before;
}

#endif
