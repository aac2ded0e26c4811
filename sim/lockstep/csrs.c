/* SPDX-License-Identifier: Apache-2.0 */
/* Compares all CSRs except the counters of time and of events. */
#include "compare.h"

static const struct {
	uint16_t number;
	const char *name;
} LIST[CSRS] = {
    {CSR_FCSR, "fcsr"},
    {CSR_MSTATUS, "mstatus"},
    {CSR_MIE, "mie"},
    {CSR_MIP, "mip"},
    {CSR_MTVEC, "mtvec"},
    {CSR_MEPC, "mepc"},
    {CSR_MCAUSE, "mcause"},
    {CSR_MTVAL, "mtval"},
    {CSR_MSCRATCH, "mscratch"},
    {CSR_MEDELEG, "medeleg"},
    {CSR_MIDELEG, "mideleg"},
    {CSR_MCOUNTEREN, "mcounteren"},
    {CSR_MCOUNTINHIBIT, "mcountinhibit"},
    {CSR_MENVCFG, "menvcfg"},
    {CSR_MINSTRET, "minstret"},
    {CSR_MHPMEVENT3, "mhpmevent3"},
    {CSR_MHPMEVENT3 + 1, "mhpmevent4"},
    {CSR_MHPMEVENT3 + 2, "mhpmevent5"},
    {CSR_MHPMEVENT3 + 3, "mhpmevent6"},
    {CSR_MHPMEVENT3 + 4, "mhpmevent7"},
    {CSR_MHPMEVENT3 + 5, "mhpmevent8"},
    {CSR_STVEC, "stvec"},
    {CSR_SEPC, "sepc"},
    {CSR_SCAUSE, "scause"},
    {CSR_STVAL, "stval"},
    {CSR_SSCRATCH, "sscratch"},
    {CSR_SCOUNTEREN, "scounteren"},
    {CSR_SENVCFG, "senvcfg"},
    {CSR_SATP, "satp"},
    {CSR_PMPCFG0, "pmpcfg0"},
    {CSR_PMPADDR0, "pmpaddr0"},
    {CSR_PMPADDR0 + 1, "pmpaddr1"},
    {CSR_PMPADDR0 + 2, "pmpaddr2"},
    {CSR_PMPADDR0 + 3, "pmpaddr3"},
    {CSR_PMPADDR0 + 4, "pmpaddr4"},
    {CSR_PMPADDR0 + 5, "pmpaddr5"},
    {CSR_PMPADDR0 + 6, "pmpaddr6"},
    {CSR_PMPADDR0 + 7, "pmpaddr7"},
    {CSR_SSTATUS, "sstatus"},
    {CSR_SIE, "sie"},
};

/* The lines of mip are the core's own, but an SEIP written by software is compared. */
static uint64_t mask_mip_lines(uint64_t core, uint64_t model)
{
	return (core & ~(uint64_t)MIP_LINES) | (core & model & MIP_SEIP);
}

bool csrs_agree(struct lockstep *l)
{
	unsigned before = l->ncsrs;

	if (!l->core.csr)
		return true;
	for (unsigned i = 0; i < CSRS; i++) {
		uint64_t core, model = model_csr(l, LIST[i].number);

		if (LIST[i].number == CSR_FCSR && !l->core.f)
			continue;
		if (!l->core.csr(l->core.user, LIST[i].number, &core))
			continue;
		if (LIST[i].number == CSR_MIP)
			core = mask_mip_lines(core, model);
		if (core != model)
			l->csrs[l->ncsrs++] =
			    (struct csr_difference){LIST[i].name, core, model};
	}
	return l->ncsrs == before;
}
