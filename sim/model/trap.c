/* SPDX-License-Identifier: Apache-2.0 */
/* Traps, trap returns, interrupts, and system instructions. */
#include "csr.h"
#include "internal.h"
#include "stream/insn.h"

uint64_t soc_mip(const struct soc_hart *h)
{
	uint64_t mip = h->mip | h->lines;

	if (h->soc->following)
		return mip;
	if (soc_mtime(h->soc, h->now) >= h->mtimecmp)
		mip |= UINT64_C(1) << SOC_IRQ_MT;
	return mip;
}

int soc_interrupt_due(const struct soc_hart *h)
{
	static const uint8_t order[] = {SOC_IRQ_ME, SOC_IRQ_MS, SOC_IRQ_MT,
					SOC_IRQ_SE, SOC_IRQ_SS, SOC_IRQ_ST};

	if (h->mie == 0)
		return -1;
	uint64_t due = h->mie & soc_mip(h);
	if (due == 0)
		return -1;
	uint64_t machine = due & ~h->mideleg;
	uint64_t supervisor = due & h->mideleg;
	if (h->priv == SOC_M && !(h->mstatus & SOC_MSTATUS_MIE))
		machine = 0;
	if (h->priv > SOC_S || (h->priv == SOC_S && !(h->mstatus & SOC_MSTATUS_SIE)))
		supervisor = 0;
	due = machine ? machine : supervisor;
	for (unsigned i = 0; i < sizeof(order); i++)
		if (due >> order[i] & 1U)
			return order[i];
	return -1;
}

static uint64_t vectored_address(uint64_t tvec, uint64_t cause)
{
	uint64_t base = tvec & ~UINT64_C(3);

	if ((tvec & 1) && (cause & SOC_CAUSE_INTERRUPT))
		base += 4 * (cause & ~SOC_CAUSE_INTERRUPT);
	return base;
}

static bool is_delegated(const struct soc_hart *h, uint64_t cause)
{
	uint64_t set = cause & SOC_CAUSE_INTERRUPT ? h->mideleg : h->medeleg;

	return h->priv != SOC_M && (set >> (cause & 63) & 1U);
}

static void enter_supervisor(struct soc_hart *h, uint64_t cause, uint64_t tval)
{
	uint64_t status = h->mstatus & ~(SOC_MSTATUS_SPIE | SOC_MSTATUS_SPP);

	h->scause = cause;
	h->sepc = h->pc;
	h->stval = tval;
	if (status & SOC_MSTATUS_SIE)
		status |= SOC_MSTATUS_SPIE;
	if (h->priv == SOC_S)
		status |= SOC_MSTATUS_SPP;
	h->mstatus = status & ~SOC_MSTATUS_SIE;
	h->priv = SOC_S;
	h->pc = vectored_address(h->stvec, cause);
}

static void enter_machine(struct soc_hart *h, uint64_t cause, uint64_t tval)
{
	uint64_t status = h->mstatus & ~(SOC_MSTATUS_MPIE | SOC_MSTATUS_MPP);

	h->mcause = cause;
	h->mepc = h->pc;
	h->mtval = tval;
	if (status & SOC_MSTATUS_MIE)
		status |= SOC_MSTATUS_MPIE;
	status |= (uint64_t)h->priv << SOC_MPP_SHIFT;
	h->mstatus = status & ~SOC_MSTATUS_MIE;
	h->priv = SOC_M;
	h->pc = vectored_address(h->mtvec, cause);
}

void soc_take_trap(struct soc_hart *h, uint64_t cause, uint64_t tval)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	struct soc_trap trap = {cause, tval, h->pc, h->now, 0};

	if (is_delegated(h, cause))
		enter_supervisor(h, cause, tval);
	else
		enter_machine(h, cause, tval);
	h->reserved = SOC_NEVER;
	h->resume = false;
	h->traps++;
	soc_mmu_switch(h);
	trap.priv = h->priv;
	if (h->traps == 1)
		h->first_trap = trap;
	h->last_trap = trap;
	if (hooks->trap)
		hooks->trap(hooks->user, h->id, &trap);
}

static void return_supervisor(struct soc_hart *h)
{
	uint64_t status = h->mstatus;

	h->priv = status & SOC_MSTATUS_SPP ? SOC_S : SOC_U;
	status &= ~(SOC_MSTATUS_SIE | SOC_MSTATUS_SPP | SOC_MSTATUS_MPRV);
	if (status & SOC_MSTATUS_SPIE)
		status |= SOC_MSTATUS_SIE;
	h->mstatus = status | SOC_MSTATUS_SPIE;
	h->pc = h->sepc;
}

static void return_machine(struct soc_hart *h)
{
	uint64_t status = h->mstatus;

	h->priv = status >> SOC_MPP_SHIFT & 3U;
	status &= ~(SOC_MSTATUS_MIE | SOC_MSTATUS_MPP);
	if (h->priv != SOC_M)
		status &= ~SOC_MSTATUS_MPRV;
	if (status & SOC_MSTATUS_MPIE)
		status |= SOC_MSTATUS_MIE;
	h->mstatus = status | SOC_MSTATUS_MPIE;
	h->pc = h->mepc;
}

static void return_from_trap(struct soc_hart *h, unsigned from)
{
	if (from == SOC_M)
		return_machine(h);
	else
		return_supervisor(h);
	h->reserved = SOC_NEVER;
	h->returned = true;
	soc_mmu_switch(h);
}

enum soc_result soc_system_insn(struct soc_hart *h, uint32_t bits)
{
	bool virtual = h->mstatus & SOC_MSTATUS_TVM,
	     returns = h->mstatus & SOC_MSTATUS_TSR;

	switch (bits) {
	case TR_INSN_ECALL:
		return soc_raise(h, SOC_CAUSE_ECALL_U + h->priv, 0);
	case TR_INSN_EBREAK:
		return soc_raise(h, SOC_CAUSE_BREAK, h->pc);
	case TR_INSN_SRET:
		if (h->priv == SOC_U || (h->priv == SOC_S && returns))
			return soc_raise(h, SOC_CAUSE_ILLEGAL, bits);
		return_from_trap(h, SOC_S);
		return SOC_LEAVE;
	case TR_INSN_MRET:
		if (h->priv != SOC_M)
			return soc_raise(h, SOC_CAUSE_ILLEGAL, bits);
		return_from_trap(h, SOC_M);
		return SOC_LEAVE;
	default: /* sfence.vma, fence.i */
		if (tr_insn_opcode(bits) == TR_OPCODE_SYSTEM) {
			if (h->priv == SOC_U || (h->priv == SOC_S && virtual))
				return soc_raise(h, SOC_CAUSE_ILLEGAL, bits);
			soc_table_fence(h, bits);
		}
		soc_old_fence(h, bits);
		h->pc += 4;
		return SOC_LEAVE;
	}
}

void soc_trap_chain(const struct soc *soc, unsigned hart, struct soc_trap *first,
		    struct soc_trap *last)
{
	*first = soc->harts[hart].first_trap;
	*last = soc->harts[hart].last_trap;
}
