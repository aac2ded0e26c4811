/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the architectural state of a hart. */
#include "peek.h"

#include "model/csr.h"
#include "model/state.h"
#include "soc.h"
#include "watch.h"

enum { FCSR_FRM_SHIFT = FRM_SHIFT, TAG_ADDRESS = 50 };

bool peek_f(const struct rtl_hart *hart, unsigned reg, uint64_t *value)
{
	const struct probe *p = &hart->probe;
	unsigned rd = 32 + (reg & 31);

	*value = p->f ? p->f[reg & 31] : 0;
	return !p->f || (*p->rd3 != rd && *p->rd4 != rd);
}

bool peek_asleep(const struct rtl_hart *hart)
{
	return sleeps_in_m(&hart->probe);
}

void peek_timer(const struct rtl *r, unsigned hart, uint64_t *mtime, uint64_t *mtimecmp)
{
	*mtime = *r->devices.mtime;
	*mtimecmp = probe_word(r->devices.mtimecmp, hart);
}

/* ------------------------------------------------------------ the L1D and the TLB */

static uint64_t tag_of_line(const struct probe *p, uint64_t line)
{
	return line & ((UINT64_C(1) << (TAG_ADDRESS - __builtin_ctz(p->sets))) - 1);
}

static uint64_t state_of_line(const struct probe *p, uint64_t line)
{
	return line >> (TAG_ADDRESS - __builtin_ctz(p->sets));
}

/* The way that is being filled still has the tag of its victim, which has been written
 * back. */
bool peek_l1d(const struct rtl_hart *hart, uint64_t address, uint64_t *bytes)
{
	const struct probe *p = &hart->probe;
	const unsigned set = (unsigned)(address >> 6) & (p->sets - 1);
	const bool filling = *p->line_fsm == RTL_StFill && *p->line_set == set;

	for (unsigned way = 0; way < p->ways; way++) {
		uint64_t line = p->lines[way * p->sets + set];

		if (state_of_line(p, line) == 0 || (filling && *p->line_way == way) ||
		    tag_of_line(p, line) != address / 64 / p->sets)
			continue;
		*bytes = p->line_data[(set * p->ways + way) * 8 + (address >> 3 & 7)];
		return true;
	}
	return false;
}

/* A number is {set, way}. */
bool peek_l1d_modified(const struct rtl_hart *hart, unsigned number, uint64_t *address,
		       uint64_t words[8])
{
	const struct probe *p = &hart->probe;
	const unsigned set = number / p->ways % p->sets, way = number % p->ways;
	const uint64_t line = p->lines[way * p->sets + set];
	const bool misses = *p->line_fsm == RTL_StFill || *p->line_fsm == RTL_StSnoop;

	/* The way that is being filled still has the tag of its victim. */
	if (state_of_line(p, line) != RTL_Modified ||
	    (misses && *p->line_set == set && *p->line_way == way))
		return false;
	*address = (tag_of_line(p, line) * p->sets + set) * 64;
	memcpy(words, p->line_data + number * 8, 8 * sizeof(*words));
	return true;
}

/* The tag of an entry is {space, ASID, page}. */
bool peek_translates(const struct rtl_hart *hart, unsigned entry, unsigned asid)
{
	const struct probe *p = &hart->probe;

	return (*p->tlb_valid >> entry & 1) &&
	       ((*p->tlb_global >> entry & 1) ||
		(p->tlb_keys[entry] >> 46 & 0xffff) == asid);
}

/* ------------------------------------------------------------ CSRs */

void peek_trap(const struct rtl_hart *hart, struct rtl_commit *c)
{
	const struct probe *p = &hart->probe;
	const bool to_machine = *p->priv == RTL_PrivM;
	const uint64_t cause = to_machine ? *p->mcause : *p->scause;

	*c = (struct rtl_commit){.trap = true, .cycle = hart->cycle};
	c->next_priv = *p->priv;
	c->pc = to_machine ? *p->mepc : *p->sepc;
	c->value = to_machine ? *p->mtval : *p->stval;
	c->cause = (uint8_t)((cause & 15) | (cause >> 63 << 4));
}

static uint64_t hpm_event(const struct probe *p, unsigned i)
{
	if (i >= SOC_HPM_COUNTERS || !p->events || !(*p->events_on >> i & 1))
		return 0;
	return (uint64_t)p->events[i] >> 2 << 8 | (p->events[i] & 3);
}

static uint64_t pmp_address(const struct probe *p, unsigned i)
{
	return i < SOC_PMP_ENTRIES && (*p->pmp_written >> i & 1) ? p->pmpaddr[i] : 0;
}

static uint64_t fcsr_of(const struct probe *p)
{
	return (uint64_t)*p->frm << FCSR_FRM_SHIFT | *p->fflags;
}

static uint64_t read_float_csr(const struct probe *p, unsigned csr, bool *known)
{
	*known = p->f && !(*p->rd3 | *p->rd4);
	if (!p->f)
		return 0;
	switch (csr) {
	case CSR_FFLAGS:
		return *p->fflags;
	case CSR_FRM:
		return *p->frm;
	default:
		return fcsr_of(p);
	}
}

/* mstatus or sstatus, with SD. */
static uint64_t status_with_sd(const struct probe *p, uint64_t mask)
{
	const uint64_t fs = 3 << 13, value = *p->status & mask;

	return (value & fs) == fs ? value | SOC_MSTATUS_SD : value;
}

static uint64_t read_machine_csr(const struct probe *p, unsigned csr, bool *known)
{
	switch (csr) {
	case CSR_MSTATUS:
		return status_with_sd(p, UINT64_MAX) | RTL_Uxl | RTL_Sxl;
	case CSR_MEDELEG:
		return *p->medeleg;
	case CSR_MIDELEG:
		return *p->mideleg;
	case CSR_MIE:
		return *p->mie;
	case CSR_MIP:
		return *p->mip;
	case CSR_MTVEC:
		return *p->mtvec;
	case CSR_MCOUNTEREN:
		return *p->mcounteren;
	case CSR_MENVCFG:
		return *p->menvcfg;
	case CSR_MCOUNTINHIBIT:
		return *p->mcountinhibit;
	case CSR_MSCRATCH:
		return *p->mscratch;
	case CSR_MEPC:
		return *p->mepc;
	case CSR_MCAUSE:
		return *p->mcause;
	case CSR_MTVAL:
		return *p->mtval;
	case CSR_PMPCFG0:
		return *p->pmpcfg;
	case CSR_MCYCLE:
		return *p->mcycle;
	case CSR_MINSTRET:
		return *p->minstret;
	default:
		*known = false;
		return 0;
	}
}

static uint64_t read_supervisor_csr(const struct probe *p, unsigned csr, bool *known)
{
	switch (csr) {
	case CSR_SSTATUS:
		return status_with_sd(p, RTL_SstatusMask) | RTL_Uxl;
	case CSR_SIE:
		return *p->mie & *p->mideleg;
	case CSR_SIP:
		return *p->mip & *p->mideleg;
	case CSR_STVEC:
		return *p->stvec;
	case CSR_SCOUNTEREN:
		return *p->scounteren;
	case CSR_SENVCFG:
		return *p->senvcfg;
	case CSR_SSCRATCH:
		return *p->sscratch;
	case CSR_SEPC:
		return *p->sepc;
	case CSR_SCAUSE:
		return *p->scause;
	case CSR_STVAL:
		return *p->stval;
	case CSR_SATP:
		return *p->satp;
	default:
		*known = false;
		return 0;
	}
}

bool peek_csr(const struct rtl_hart *hart, unsigned csr, uint64_t *value)
{
	const struct probe *p = &hart->probe;
	bool known = true;

	if (csr <= CSR_FCSR)
		*value = read_float_csr(p, csr, &known);
	else if (csr >= CSR_PMPADDR0 && csr <= CSR_PMPADDR15)
		*value = pmp_address(p, csr - CSR_PMPADDR0);
	else if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31)
		*value = hpm_event(p, csr - CSR_MHPMEVENT3);
	else if (csr >= CSR_MSTATUS)
		*value = read_machine_csr(p, csr, &known);
	else
		*value = read_supervisor_csr(p, csr, &known);
	return known;
}

/* ------------------------------------------------------------ all of it */

static void save_traps(const struct probe *p, struct soc_state *s)
{
	s->mstatus = *p->status;
	s->mie = *p->mie;
	s->mip = *p->soft;
	s->medeleg = *p->medeleg;
	s->mideleg = *p->mideleg;
	s->mtvec = *p->mtvec;
	s->stvec = *p->stvec;
	s->mepc = *p->mepc;
	s->sepc = *p->sepc;
	s->mcause = *p->mcause;
	s->scause = *p->scause;
	s->mtval = *p->mtval;
	s->stval = *p->stval;
}

static void save_other_csrs(const struct probe *p, struct soc_state *s)
{
	s->mscratch = *p->mscratch;
	s->sscratch = *p->sscratch;
	s->mcounteren = *p->mcounteren;
	s->scounteren = *p->scounteren;
	s->menvcfg = *p->menvcfg;
	s->senvcfg = *p->senvcfg;
	s->satp = *p->satp;
	s->mcountinhibit = *p->mcountinhibit;
	s->mcycle = *p->mcycle;
	s->minstret = *p->minstret;
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++)
		s->mhpmevent[i] = hpm_event(p, i);
	s->pmpcfg = *p->pmpcfg;
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		s->pmpaddr[i] = pmp_address(p, i);
}

/* Returns false if values are still being computed. */
static bool save_float(const struct rtl_hart *hart, struct soc_state *s)
{
	const struct probe *p = &hart->probe;
	bool known = !(*p->rd3 | *p->rd4);

	for (unsigned i = 0; i < 32; i++)
		known = peek_f(hart, i, &s->f[i]) && known;
	s->fcsr = fcsr_of(p);
	return known;
}

bool peek_save(const struct rtl_hart *hart, struct soc_state *s)
{
	const struct probe *p = &hart->probe;

	*s = (struct soc_state){.pc = probe_next_pc(p), .priv = *p->priv};
	for (unsigned i = 0; i < 32; i++)
		s->x[i] = peek_x(hart, i);
	s->reservation = SOC_NOT_RESERVED;
	if (*p->reserved)
		s->reservation = *p->reserved_line * SOC_LR_BYTES;
	save_traps(p, s);
	save_other_csrs(p, s);
	return !p->f || save_float(hart, s);
}
