// SPDX-License-Identifier: Apache-2.0
// Reads internal state of the Verilated SoC: registers, for triggers and for the
// comparison with the model. peek.vlt keeps the signals named here.
#include "peek.h"

#ifndef PEEK_HART
#include "Vsoc.h"
#include "Vsoc___024root.h"
#endif
#include "model/csr.h"
#include "model/state.h"
#include "rtl_constants.h"
#include "soc.h"

// 0: the hardware has no F and D.
#ifndef HAS_FLOAT
#define HAS_FLOAT 1
#endif

#ifndef PEEK_HART
#define CORE(name) (root->soc__DOT__u_core__DOT__##name)
#endif
#define CSR(name)    CORE(u_retire__DOT__u_csr__DOT__##name)
#define STATUS(name) CSR(u_status__DOT__##name)
#define TRAP(name)   CSR(u_trap__DOT__##name)
#define IRQ(name)    CSR(u_interrupt__DOT__##name)
#define HPM(name)    CSR(u_counter__DOT__gen_hpm__DOT__u_hpm__DOT__##name)
#define FLOAT(name)  CORE(gen_float__DOT__u_float__DOT__##name)
#define PMP(name)    CORE(u_ptw_arbiter__DOT__u_pmp__DOT__##name)
#define DCACHE(name) CORE(u_dcache__DOT__##name)
#define DTLB(name)   CORE(u_lsu__DOT__u_tlb__DOT__##name)

#ifndef PEEK_HART
static Vsoc___024root *peek_root(const struct rtl *r)
{
	return static_cast<Vsoc *>(r->model)->rootp;
}
#endif

uint64_t rtl_x(const struct rtl *r, unsigned reg)
{
	const Vsoc___024root *root = peek_root(r);

	return reg ? CORE(u_decode__DOT__regs_q)[reg & 31] : 0;
}

void rtl_set_x(struct rtl *r, unsigned reg, uint64_t value)
{
	Vsoc___024root *root = peek_root(r);

	CORE(u_decode__DOT__regs_q)[reg & 31] = value;
}

bool rtl_f(const struct rtl *r, unsigned reg, uint64_t *value)
{
#if HAS_FLOAT
	const Vsoc___024root *root = peek_root(r);
	unsigned rd = 32 + (reg & 31);

	*value = FLOAT(u_registers__DOT__regs_q)[reg & 31];
	return FLOAT(rd3_q) != rd && FLOAT(rd4_q) != rd;
#else
	(void)r;
	(void)reg;
	*value = 0;
	return true;
#endif
}

uint64_t rtl_next_pc(const struct rtl *r)
{
	const Vsoc___024root *root = peek_root(r);
	const auto &executed = CORE(u_retire__DOT__executed_q);

	// The lowest field of soc_pkg::executed_t.
	return executed.at(0) | static_cast<uint64_t>(executed.at(1)) << 32;
}

#ifndef PEEK_HART
void rtl_timer(const struct rtl *r, uint64_t *mtime, uint64_t *mtimecmp)
{
	const Vsoc___024root *root = peek_root(r);

	*mtime = root->soc__DOT__u_devices__DOT__u_clint__DOT__mtime_q;
	*mtimecmp = root->soc__DOT__u_devices__DOT__u_clint__DOT__mtimecmp_q;
}
#endif

// A line is {state, tag}. The way that is being filled still has the tag of its victim,
// which has been written back.
bool rtl_l1d(const struct rtl *r, uint64_t address, uint64_t *bytes)
{
	const Vsoc___024root *root = peek_root(r);
	const auto &lines = DCACHE(lines_q);
	const unsigned ways = sizeof(lines) / sizeof(lines[0]);
	const unsigned sets = sizeof(lines[0]) / sizeof(lines[0][0]);
	const int tag_bits = 50 - __builtin_ctz(sets);
	const unsigned set = static_cast<unsigned>(address >> 6) & (sets - 1);
	const bool filling = DCACHE(fsm_q) == RTL_StFill && DCACHE(set_q) == set;

	for (unsigned way = 0; way < ways; way++) {
		uint64_t line = lines[way][set];

		if (line >> tag_bits == 0 || (filling && DCACHE(way_q) == way) ||
		    (line & ((UINT64_C(1) << tag_bits) - 1)) != address / 64 / sets)
			continue;
		*bytes = DCACHE(data_q)[(set * ways + way) * 8 + (address >> 3 & 7)];
		return true;
	}
	return false;
}

// The tag of an entry is {space, ASID, page}.
bool rtl_translates(const struct rtl *r, unsigned entry, unsigned asid)
{
	const Vsoc___024root *root = peek_root(r);

	return (DTLB(valid_q) >> entry & 1) &&
	       ((DTLB(global_q) >> entry & 1) ||
		(DTLB(key_q)[entry] >> 46 & 0xffff) == asid);
}

// Without the trace port: reads the trap from the CSRs of the mode that handles it.
void rtl_read_trap(const struct rtl *r, struct rtl_commit *c)
{
	const Vsoc___024root *root = peek_root(r);
	bool read_machine_csr = root->trace_next_priv_o == RTL_PrivM;
	uint64_t cause = read_machine_csr ? TRAP(mcause_q) : TRAP(scause_q);

	*c = rtl_commit();
	c->trap = true;
	c->cycle = r->cycle;
	c->next_priv = root->trace_next_priv_o;
	c->pc = read_machine_csr ? TRAP(mepc_q) : TRAP(sepc_q);
	c->value = read_machine_csr ? TRAP(mtval_q) : TRAP(stval_q);
	c->cause = static_cast<uint8_t>((cause & 31) | (cause >> 63) * COMMIT_INTERRUPT);
}

static uint64_t hpm_event(const Vsoc___024root *root, unsigned i)
{
	if (i >= SOC_HPM_COUNTERS || !(HPM(on_q) >> i & 1))
		return 0;
	uint64_t event = HPM(event_q)[i];
	return event >> 2 << 8 | (event & 3);
}

static uint64_t pmp_address(const Vsoc___024root *root, unsigned i)
{
	return i < SOC_PMP_ENTRIES && (PMP(written_q) >> i & 1) ? PMP(address_q)[i] : 0;
}

static uint64_t read_float_csr(const Vsoc___024root *root, unsigned csr, bool *known)
{
#if HAS_FLOAT
	*known = !(FLOAT(rd3_q) | FLOAT(rd4_q));
	switch (csr) {
	case CSR_FFLAGS:
		return FLOAT(fflags_q);
	case CSR_FRM:
		return FLOAT(frm_q);
	default:
		return FLOAT(frm_q) << FRM_SHIFT | FLOAT(fflags_q);
	}
#else
	(void)root;
	(void)csr;
	*known = false;
	return 0;
#endif
}

// mstatus or sstatus, with SD.
static uint64_t status_with_sd(const Vsoc___024root *root, uint64_t mask)
{
	const uint64_t fs = 3 << 13, value = STATUS(status_q) & mask;

	return (value & fs) == fs ? value | SOC_MSTATUS_SD : value;
}

static uint64_t read_machine_csr(const Vsoc___024root *root, unsigned csr, bool *known)
{
	switch (csr) {
	case CSR_MSTATUS:
		return status_with_sd(root, UINT64_MAX) | RTL_Uxl | RTL_Sxl;
	case CSR_MEDELEG:
		return TRAP(medeleg_q);
	case CSR_MIDELEG:
		return IRQ(mideleg_q);
	case CSR_MIE:
		return IRQ(enable_q);
	case CSR_MIP:
		return IRQ(mip_o);
	case CSR_MTVEC:
		return TRAP(mtvec_q);
	case CSR_MCOUNTEREN:
		return CSR(mcounteren_q);
	case CSR_MENVCFG:
		return CSR(mfiom_q);
	case CSR_MCOUNTINHIBIT:
		return CSR(u_counter__DOT__inhibit_q);
	case CSR_MSCRATCH:
		return CSR(mscratch_q);
	case CSR_MEPC:
		return TRAP(mepc_q);
	case CSR_MCAUSE:
		return TRAP(mcause_q);
	case CSR_MTVAL:
		return TRAP(mtval_q);
	case CSR_PMPCFG0:
		return PMP(config_q);
	case CSR_MCYCLE:
		return CSR(u_counter__DOT__mcycle_q);
	case CSR_MINSTRET:
		return CSR(u_counter__DOT__minstret_q);
	default:
		*known = false;
		return 0;
	}
}

static uint64_t read_supervisor_csr(const Vsoc___024root *root, unsigned csr, bool *known)
{
	switch (csr) {
	case CSR_SSTATUS:
		return status_with_sd(root, RTL_SstatusMask) | RTL_Uxl;
	case CSR_SIE:
		return IRQ(enable_q) & IRQ(mideleg_q);
	case CSR_SIP:
		return IRQ(mip_o) & IRQ(mideleg_q);
	case CSR_STVEC:
		return TRAP(stvec_q);
	case CSR_SCOUNTEREN:
		return CSR(scounteren_q);
	case CSR_SENVCFG:
		return CSR(sfiom_q);
	case CSR_SSCRATCH:
		return CSR(sscratch_q);
	case CSR_SEPC:
		return TRAP(sepc_q);
	case CSR_SCAUSE:
		return TRAP(scause_q);
	case CSR_STVAL:
		return TRAP(stval_q);
	case CSR_SATP:
		return root->trace_satp_o;
	default:
		*known = false;
		return 0;
	}
}

bool rtl_csr(const struct rtl *r, unsigned csr, uint64_t *value)
{
	const Vsoc___024root *root = peek_root(r);
	bool known = true;

	if (csr <= CSR_FCSR)
		*value = read_float_csr(root, csr, &known);
	else if (csr >= CSR_PMPADDR0 && csr <= CSR_PMPADDR15)
		*value = pmp_address(root, csr - CSR_PMPADDR0);
	else if (csr >= CSR_MHPMEVENT3 && csr <= CSR_MHPMEVENT31)
		*value = hpm_event(root, csr - CSR_MHPMEVENT3);
	else if (csr >= CSR_MSTATUS)
		*value = read_machine_csr(root, csr, &known);
	else
		*value = read_supervisor_csr(root, csr, &known);
	return known;
}

// A line is {state, tag}; a number is {set, way}.
bool rtl_l1d_modified(const struct rtl *r, unsigned number, uint64_t *address,
		      uint64_t words[8])
{
	const Vsoc___024root *root = peek_root(r);
	const auto &lines = DCACHE(lines_q);
	const unsigned ways = sizeof(lines) / sizeof(lines[0]);
	const unsigned sets = sizeof(lines[0]) / sizeof(lines[0][0]);
	const int tag_bits = 50 - __builtin_ctz(sets);
	const unsigned set = number / ways % sets, way = number % ways;
	const uint64_t line = lines[way][set];
	const bool misses = DCACHE(fsm_q) == RTL_StFill || DCACHE(fsm_q) == RTL_StSnoop;

	static_assert(sizeof(lines) / sizeof(lines[0][0]) == RTL_L1D_LINES,
		      "all lines have a number");
	// The way that is being filled still has the tag of its victim.
	if (line >> tag_bits != RTL_Modified ||
	    (misses && DCACHE(set_q) == set && DCACHE(way_q) == way))
		return false;
	*address = ((line & ((UINT64_C(1) << tag_bits) - 1)) * sets + set) * 64;
	for (unsigned i = 0; i < 8; i++)
		words[i] = DCACHE(data_q)[number * 8 + i];
	return true;
}

static void get_traps(const Vsoc___024root *root, struct soc_state *s)
{
	s->mstatus = STATUS(status_q);
	s->mie = IRQ(enable_q);
	s->mip = IRQ(soft_q);
	s->medeleg = TRAP(medeleg_q);
	s->mideleg = IRQ(mideleg_q);
	s->mtvec = TRAP(mtvec_q);
	s->stvec = TRAP(stvec_q);
	s->mepc = TRAP(mepc_q);
	s->sepc = TRAP(sepc_q);
	s->mcause = TRAP(mcause_q);
	s->scause = TRAP(scause_q);
	s->mtval = TRAP(mtval_q);
	s->stval = TRAP(stval_q);
}

static void get_other_csrs(const Vsoc___024root *root, struct soc_state *s)
{
	s->mscratch = CSR(mscratch_q);
	s->sscratch = CSR(sscratch_q);
	s->mcounteren = CSR(mcounteren_q);
	s->scounteren = CSR(scounteren_q);
	s->menvcfg = CSR(mfiom_q);
	s->senvcfg = CSR(sfiom_q);
	s->satp = root->trace_satp_o;
	s->mcountinhibit = CSR(u_counter__DOT__inhibit_q);
	s->mcycle = CSR(u_counter__DOT__mcycle_q);
	s->minstret = CSR(u_counter__DOT__minstret_q);
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++)
		s->mhpmevent[i] = hpm_event(root, i);
	s->pmpcfg = PMP(config_q);
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		s->pmpaddr[i] = pmp_address(root, i);
}

bool rtl_save(const struct rtl *r, struct soc_state *s)
{
	const Vsoc___024root *root = peek_root(r);
	bool known = true;

	*s = soc_state();
	s->pc = rtl_next_pc(r);
	s->priv = root->trace_next_priv_o;
	for (unsigned i = 0; i < 32; i++)
		s->x[i] = rtl_x(r, i);
#if HAS_FLOAT
	for (unsigned i = 0; i < 32; i++)
		known = rtl_f(r, i, &s->f[i]) && known;
	s->fcsr = FLOAT(frm_q) << FRM_SHIFT | FLOAT(fflags_q);
	known = known && !(FLOAT(rd3_q) | FLOAT(rd4_q));
#endif
	s->reservation = SOC_NOT_RESERVED;
	if (CORE(u_lsu__DOT__u_reservation__DOT__reserved_q))
		s->reservation =
		    CORE(u_lsu__DOT__u_reservation__DOT__reserved_line_q) * SOC_LR_BYTES;
	get_traps(root, s);
	get_other_csrs(root, s);
	return known;
}
