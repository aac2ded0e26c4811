/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the data TLB of a hart: see tlb.h. */
#ifndef VERILATED_WATCH_H
#define VERILATED_WATCH_H

#include "rtl.h"
#include "rtl_constants.h"
#include "stream/insn.h"

/* Returns whether the instruction that commits next accesses memory. */
static inline bool in_m(const struct probe *p)
{
	return (*p->next_unit & 7) == RTL_UnitMem;
}

/* Returns whether the hart is idle in WFI. */
static inline bool sleeps_in_m(const struct probe *p)
{
	return *p->next_valid && *p->next_unit == RTL_UnitSys;
}

/* Returns whether addresses of data are virtual, but for those that MPRV makes so. */
static inline bool translates_data(const struct probe *p)
{
	return *p->priv != TR_PRIV_M && satp_mode_of(*p->satp) == SATP_SV39;
}

/* Follows the walk for the data TLB, if there is one: that for the instruction in M,
 * which is never dropped, or one that may be. */
static inline void follow_walk(const struct probe *p, struct tlb *t, bool may_be_dropped)
{
	uint64_t va, at;
	uint8_t reads;

	if (!*p->walks && !t->walks)
		return;
	probe_ask(p);
	const bool walks = probe_walk(&va, &reads, &at);
	if (walks && !t->walks) {
		t->nwalk = 0;
		t->raced = false;
		t->set = (uint8_t)tlb_set(va);
		t->va = va;
	}
	if (walks && reads && t->nwalk < TLB_LEVELS &&
	    (!t->nwalk || t->walk[t->nwalk - 1] != at))
		t->walk[t->nwalk++] = at;
	if (t->walks && !walks && (!may_be_dropped || probe_tlb_has(t->va)))
		tlb_fill(t, probe_tlb_page(t->set));
	t->walks = walks;
}

/* The instruction in M accesses memory: notes the entries that it uses. */
static inline void note_uses(const struct probe *p, struct tlb *t)
{
	t->uses[0] = (uint8_t)tlb_set(*p->next_address);
	t->uses[1] = t->uses[0];
	if (t->copies && tr_insn_is_copy(*p->next_insn))
		t->uses[1] = (uint8_t)tlb_set(*p->next_b);
	t->watched = (t->watch[t->uses[0]] | t->watch[t->uses[1]]) != 0;
	t->alert = t->copies || t->walks || t->watched;
}

/* Before each edge: returns whether the instruction in M, which accesses memory, is to be
 * looked at, as in few cycles. */
static inline bool concerns_tlb(const struct probe *p, const struct tlb *t)
{
	return (t->watch[tlb_set(*p->next_address)] | t->alert | *p->walks) != 0;
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
