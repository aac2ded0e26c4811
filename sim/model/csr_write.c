/* SPDX-License-Identifier: Apache-2.0 */
/* CSR writes. */
#include "csr.h"
#include "internal.h"
#include "satp.h"

static void set_mstatus(struct soc_hart *h, uint64_t value, uint64_t mask)
{
	uint64_t old = h->mstatus, mpp = value >> SOC_MPP_SHIFT & 3U;

	if ((mask & SOC_MSTATUS_MPP) && mpp == 2)
		mask &= ~SOC_MSTATUS_MPP;
	if (!h->soc->features.fpu)
		mask &= ~SOC_MSTATUS_FS;
	h->mstatus = (old & ~mask) | (value & mask);
	if ((old ^ h->mstatus) & SOC_MSTATUS_MXR)
		soc_mmu_flush_data(h);
	soc_mmu_switch(h);
}

static void set_satp(struct soc_hart *h, uint64_t value)
{
	if (satp_mode_of(value) != SATP_BARE && satp_mode_of(value) != SATP_SV39)
		return;
	h->wrote_satp = true;
	if (value == h->satp)
		return;
	h->satp = value;
	soc_mmu_flush_data(h);
	soc_mmu_switch(h);
}

static uint64_t legal_tvec(uint64_t value)
{
	return value & ~UINT64_C(2);
}

/* An inhibit bit that is set freezes the count that the next instruction would read; when
 * it is cleared the count continues from there. */
static void set_inhibit(struct soc_hart *h, uint64_t value)
{
	uint64_t cycle = h->now + 1, instret = soc_instret_now(h) + 1;
	uint64_t changed =
	    (h->mcountinhibit ^ value) & (INHIBIT_CYCLE | INHIBIT_INSTRET | INHIBIT_HPM);

	if (changed & INHIBIT_CYCLE)
		h->mcycle += value & INHIBIT_CYCLE ? cycle : 0 - cycle;
	if (changed & INHIBIT_INSTRET)
		h->minstret += value & INHIBIT_INSTRET ? instret : 0 - instret;
	h->mcountinhibit ^= changed;
}

static void set_counter(struct soc_hart *h, unsigned csr, uint64_t value)
{
	if (csr == CSR_MCYCLE)
		h->mcycle = value - (h->mcountinhibit & INHIBIT_CYCLE ? 0 : h->now + 1);
	else
		h->minstret =
		    value -
		    (h->mcountinhibit & INHIBIT_INSTRET ? 0 : soc_instret_now(h) + 1);
}

static void set_hpm(struct soc_hart *h, unsigned csr, uint64_t value)
{
	unsigned i = csr - CSR_MHPMEVENT3;

	if (i < SOC_HPM_COUNTERS)
		h->mhpmevent[i] = value & MHPMEVENTS ? value & MHPMEVENT_MASK : 0;
	i = csr - CSR_MHPMCOUNTER3;
	if (i < SOC_HPM_COUNTERS)
		h->mhpmcounter[i] = value & HPM_MASK;
}

static bool set_float(struct soc_hart *h, unsigned csr, uint64_t value)
{
	if (csr < CSR_FFLAGS || csr > CSR_FCSR || !h->soc->features.fpu)
		return false;
	if (csr == CSR_FFLAGS)
		h->fcsr = (h->fcsr & ~(uint64_t)FFLAGS) | (value & FFLAGS);
	else if (csr == CSR_FRM)
		h->fcsr = (h->fcsr & FFLAGS) | (value & 7) << FRM_SHIFT;
	else
		h->fcsr = value & 0xff;
	h->mstatus |= SOC_MSTATUS_FS;
	return true;
}

static bool set_supervisor(struct soc_hart *h, unsigned csr, uint64_t value)
{
	const uint64_t ssip = UINT64_C(1) << SOC_IRQ_SS & h->mideleg;

	switch (csr) {
	case CSR_SSTATUS:
		set_mstatus(h, value, SOC_SSTATUS_MASK);
		return true;
	case CSR_SIE:
		h->mie = (h->mie & ~h->mideleg) | (value & h->mideleg);
		return true;
	case CSR_STVEC:
		h->stvec = legal_tvec(value);
		return true;
	case CSR_SCOUNTEREN:
		h->scounteren = value & UINT32_MAX;
		return true;
	case CSR_SENVCFG:
		h->senvcfg = value & 1;
		return true;
	case CSR_SSCRATCH:
		h->sscratch = value;
		return true;
	case CSR_SEPC:
		h->sepc = value & ~UINT64_C(1);
		return true;
	case CSR_SCAUSE:
		h->scause = value;
		return true;
	case CSR_STVAL:
		h->stval = value;
		return true;
	case CSR_SIP:
		h->mip = (h->mip & ~ssip) | (value & ssip);
		return true;
	case CSR_SATP:
		set_satp(h, value);
		return true;
	default:
		return false;
	}
}

static bool set_machine_setup(struct soc_hart *h, unsigned csr, uint64_t value)
{
	switch (csr) {
	case CSR_MSTATUS:
		set_mstatus(h, value, SOC_MSTATUS_MASK | SOC_MSTATUS_MPP);
		return true;
	case CSR_MEDELEG:
		h->medeleg = value & SOC_MEDELEG_MASK;
		return true;
	case CSR_MIDELEG:
		h->mideleg = value & SOC_MIP_S;
		return true;
	case CSR_MIE:
		h->mie = value & (SOC_MIP_S | SOC_MIP_M);
		return true;
	case CSR_MTVEC:
		h->mtvec = legal_tvec(value);
		return true;
	case CSR_MCOUNTEREN:
		h->mcounteren = value & UINT32_MAX;
		return true;
	case CSR_MENVCFG:
		h->menvcfg = value & 1;
		return true;
	default:
		return false;
	}
}

static bool set_machine(struct soc_hart *h, unsigned csr, uint64_t value)
{
	switch (csr) {
	case CSR_MCOUNTINHIBIT:
		set_inhibit(h, value);
		return true;
	case CSR_MSCRATCH:
		h->mscratch = value;
		return true;
	case CSR_MEPC:
		h->mepc = value & ~UINT64_C(1);
		return true;
	case CSR_MCAUSE:
		h->mcause = value;
		return true;
	case CSR_MTVAL:
		h->mtval = value;
		return true;
	case CSR_MIP:
		h->mip = value & SOC_MIP_S;
		return true;
	case CSR_MCYCLE:
	case CSR_MINSTRET:
		set_counter(h, csr, value);
		return true;
	default:
		return set_machine_setup(h, csr, value);
	}
}

bool soc_csr_set(struct soc_hart *h, unsigned csr, uint64_t value)
{
	uint64_t old;

	if (csr >= CSR_PMPADDR0 && csr < CSR_PMPADDR0 + SOC_PMP_ENTRIES) {
		if (soc_pmp_set_addr(h, csr - CSR_PMPADDR0, value))
			soc_mmu_flush(h);
		return true;
	}
	if (csr == CSR_PMPCFG0) {
		if (soc_pmp_set_cfg(h, value))
			soc_mmu_flush(h);
		return true;
	}
	if (set_float(h, csr, value) || set_supervisor(h, csr, value) ||
	    set_machine(h, csr, value))
		return true;
	set_hpm(h, csr, value);
	/* Other existing CSRs are read-only. */
	return csr >> 10 != 3 && soc_csr_get(h, csr, &old);
}
