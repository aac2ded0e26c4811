/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the data TLB of a hart: see tlb.h. */
#ifndef VERILATED_WATCH_H
#define VERILATED_WATCH_H

#include "rtl.h"
#include "rtl_constants.h"
#include "stream/insn.h"

/* Returns whether the instruction in M, which commits next, accesses memory. */
static inline bool in_m(unsigned unit)
{
	return (unit & 7) == RTL_UnitMem;
}

/* Returns whether the hart is idle in WFI. */
static inline bool sleeps_in_m(unsigned valid, unsigned unit)
{
	return valid && unit == RTL_UnitSys;
}

/* Follows the walk for the instruction in M, if there is one. */
static inline void follow_walk(const struct probe *p, struct tlb *t)
{
	const bool walks = *p->walks && !*p->walks_fetch;

	if (walks && !t->walks) {
		t->nwalk = 0;
		t->raced = false;
		t->set = (uint8_t)tlb_set(p->walk_for[0]);
	}
	if (walks && *p->walk_state == RTL_StRead) {
		const uint64_t at = *p->walk_entry;

		if (t->nwalk < TLB_LEVELS && (!t->nwalk || t->walk[t->nwalk - 1] != at))
			t->walk[t->nwalk++] = at;
	}
	if (t->walks && !walks)
		tlb_fill(t, p->tlb_pages[t->set] & ((UINT64_C(1) << 44) - 1));
	t->walks = walks;
}

/* The instruction in M accesses memory: notes the entries that it uses. */
static inline void note_uses(const struct probe *p, struct tlb *t)
{
	t->uses[0] = (uint8_t)tlb_set(p->next[PROBE_RESULT]);
	t->uses[1] = t->uses[0];
	if (t->copies && tr_insn_is_copy(probe_next_insn(p)))
		t->uses[1] = (uint8_t)tlb_set(p->next[PROBE_B]);
	t->watched = (t->watch[t->uses[0]] | t->watch[t->uses[1]]) != 0;
	t->alert = t->copies || t->walks || t->watched;
}

/* Before each edge: returns whether the instruction in M, which accesses memory at an
 * address with these low bits, is to be looked at, as in few cycles. `walks`: some walk
 * is in progress. */
static inline bool concerns_tlb(uint32_t address, unsigned walks, const struct tlb *t)
{
	return (t->watch[tlb_set(address)] | t->alert | walks) != 0;
}

/* Called after the edge at which a watched instruction has committed, or any trapped:
 * its watch does not hold for the next, unless that accesses memory. A walk that faulted
 * has filled nothing. Returns whether tokens need no longer be full. */
static inline bool end_watch(struct tlb *t, bool accesses, bool trapped)
{
	const bool before = t->watched;

	t->walks &= !trapped;
	t->watched &= accesses;
	t->alert = t->copies || t->walks || t->watched;
	return t->watched != before;
}

#endif
