// SPDX-License-Identifier: Apache-2.0
// Sets the architectural state of the Verilated SoC, which has just left reset: pipeline,
// caches, TLBs and predictors are empty. peek.vlt keeps the registers named here.
//
// The registers are written directly, because no program could load all of them: the mret
// at its end needs mepc and mstatus, which are part of the state. The logic between
// registers is evaluated afterwards, so that the first edge sees a consistent state.
#include "rtl.h"

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "model/csr.h"
#include "model/state.h"
#include "rtl_constants.h"
#include "soc.h"

// 0: the hardware has no F and D.
#ifndef HAS_FLOAT
#define HAS_FLOAT 1
#endif

#define CORE(name)   (root->soc__DOT__u_core__DOT__##name)
#define CSR(name)    CORE(u_retire__DOT__u_csr__DOT__##name)
#define TRAP(name)   CSR(u_trap__DOT__##name)
#define IRQ(name)    CSR(u_interrupt__DOT__##name)
#define HPM(name)    CSR(u_counter__DOT__gen_hpm__DOT__u_hpm__DOT__##name)
#define FLOAT(name)  CORE(gen_float__DOT__u_float__DOT__##name)
#define PMP(name)    CORE(u_ptw_arbiter__DOT__u_pmp__DOT__##name)
#define DEVICE(name) (root->soc__DOT__u_devices__DOT__##name)
#define CLINT(name)  DEVICE(u_clint__DOT__##name)
#define PLIC(name)   DEVICE(u_plic__DOT__##name)
#define UART(name)   DEVICE(u_uart__DOT__##name)

void Vsoc___024root___eval_settle(Vsoc___024root *root);

static const uint64_t CYCLES_PER_TICK = SOC_CLOCK_HZ / SOC_TIMEBASE_HZ;

// One edge of all clocks without reset. The core, whose reset is registered, is still in
// reset at this edge, and leaves it after it.
static void leave_reset(Vsoc *soc)
{
	for (CData level = 0; level < 2; level++) {
		soc->clk_i = soc->trace_clk_i = soc->class_clk_i = soc->float_clk_i =
		    level;
		soc->eval();
	}
}

static void poke_privilege(Vsoc___024root *root, const struct soc_state *s)
{
	bool as_previous = s->priv == RTL_PrivM && (s->mstatus & SOC_MSTATUS_MPRV);

	CSR(u_status__DOT__status_q) = static_cast<IData>(s->mstatus);
	CSR(u_status__DOT__data_priv_q) =
	    static_cast<CData>(as_previous ? s->mstatus >> SOC_MPP_SHIFT & 3 : s->priv);
	root->trace_next_priv_o = static_cast<CData>(s->priv);
	root->trace_satp_o = s->satp;
}

static void poke_traps(Vsoc___024root *root, const struct soc_state *s)
{
	TRAP(medeleg_q) = static_cast<SData>(s->medeleg);
	TRAP(mtvec_q) = s->mtvec;
	TRAP(stvec_q) = s->stvec;
	TRAP(mepc_q) = s->mepc;
	TRAP(sepc_q) = s->sepc;
	TRAP(mcause_q) = s->mcause;
	TRAP(scause_q) = s->scause;
	TRAP(mtval_q) = s->mtval;
	TRAP(stval_q) = s->stval;
	IRQ(soft_q) = static_cast<SData>(s->mip);
	IRQ(enable_q) = static_cast<SData>(s->mie);
	IRQ(mideleg_q) = static_cast<SData>(s->mideleg);
}

// An event selector holds {events, set}, and is valid if it selects an event.
static void poke_counters(Vsoc___024root *root, const struct soc_state *s)
{
	QData *const counts[] = {&HPM(gen_counter__BRA__0__KET____DOT__count_q),
				 &HPM(gen_counter__BRA__1__KET____DOT__count_q),
				 &HPM(gen_counter__BRA__2__KET____DOT__count_q),
				 &HPM(gen_counter__BRA__3__KET____DOT__count_q),
				 &HPM(gen_counter__BRA__4__KET____DOT__count_q),
				 &HPM(gen_counter__BRA__5__KET____DOT__count_q)};
	static_assert(sizeof(counts) / sizeof(*counts) == SOC_HPM_COUNTERS,
		      "one for each counter");

	CSR(u_counter__DOT__mcycle_q) = s->mcycle;
	CSR(u_counter__DOT__minstret_q) = s->minstret;
	CSR(u_counter__DOT__inhibit_q) = static_cast<IData>(s->mcountinhibit);
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++) {
		uint64_t events = s->mhpmevent[i] >> 8;

		HPM(event_q)[i] = static_cast<IData>(events << 2 | (s->mhpmevent[i] & 3));
		HPM(on_q) = static_cast<CData>(HPM(on_q) | (events != 0) << i);
		*counts[i] = s->mhpmcounter[i];
	}
}

static void poke_other_csrs(Vsoc___024root *root, const struct soc_state *s)
{
	CSR(mcounteren_q) = static_cast<IData>(s->mcounteren);
	CSR(scounteren_q) = static_cast<IData>(s->scounteren);
	CSR(mscratch_q) = s->mscratch;
	CSR(sscratch_q) = s->sscratch;
	CSR(mfiom_q) = static_cast<CData>(s->menvcfg);
	CSR(sfiom_q) = static_cast<CData>(s->senvcfg);
	PMP(config_q) = s->pmpcfg;
	PMP(written_q) = (1 << SOC_PMP_ENTRIES) - 1;
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		PMP(address_q)[i] = s->pmpaddr[i];
}

static void poke_registers(Vsoc___024root *root, const struct soc_state *s)
{
	CORE(u_fetch__DOT__pc_q) = CORE(u_fetch__DOT__fetch_pc_q) = s->pc;
	for (unsigned i = 0; i < 32; i++)
		CORE(u_decode__DOT__regs_q)[i] = s->x[i];
#if HAS_FLOAT
	for (unsigned i = 0; i < 32; i++)
		FLOAT(u_registers__DOT__regs_q)[i] = s->f[i];
	FLOAT(frm_q) = static_cast<CData>(s->fcsr >> FRM_SHIFT);
	FLOAT(fflags_q) = static_cast<CData>(s->fcsr & FFLAGS);
#endif
	CORE(u_lsu__DOT__u_reservation__DOT__reserved_q) =
	    s->reservation != SOC_NOT_RESERVED;
	CORE(u_lsu__DOT__u_reservation__DOT__reserved_line_q) =
	    s->reservation / SOC_LR_BYTES & ((UINT64_C(1) << 50) - 1);
}

static void poke_clint(Vsoc___024root *root, const struct soc_state *s)
{
	CLINT(tick_q) = static_cast<SData>(CYCLES_PER_TICK - s->cycle % CYCLES_PER_TICK);
	CLINT(mtime_q) = s->clint.mtime;
	CLINT(mtimecmp_q) = s->clint.mtimecmp;
	CLINT(mtip_q) = s->clint.mtime >= s->clint.mtimecmp;
	CLINT(msip_q) = static_cast<CData>(s->clint.msip);
}

// Returns the result of the PLIC's search for a context: {interrupts, source}.
static unsigned best_source(const struct soc_state *s, unsigned context)
{
	uint64_t ready = s->plic.pending & s->plic.enable[context];
	unsigned best = 0;

	for (unsigned i = 1; i <= SOC_PLIC_SOURCES; i++)
		if ((ready >> i & 1) && s->plic.priority[i] > s->plic.priority[best])
			best = i;
	return (s->plic.priority[best] > s->plic.threshold[context]) << 5 | best;
}

static void poke_plic(Vsoc___024root *root, const struct soc_state *s)
{
	uint32_t priority[3] = {0, 0, 0};

	for (unsigned i = 0; i <= SOC_PLIC_SOURCES; i++)
		for (unsigned bit = 0; bit < 3; bit++)
			priority[bit] |=
			    static_cast<uint32_t>(s->plic.priority[i] >> bit & 1) << i;
	PLIC(priority0_q) = priority[0];
	PLIC(priority1_q) = priority[1];
	PLIC(priority2_q) = priority[2];
	PLIC(pending_q) = static_cast<IData>(s->plic.pending);
	PLIC(claimed_q) = static_cast<IData>(s->plic.claimed);
	PLIC(enable_q) = s->plic.enable[1] << 32 | s->plic.enable[0];
	PLIC(threshold_q) =
	    static_cast<CData>(s->plic.threshold[1] << 3 | s->plic.threshold[0]);
	PLIC(best_q) = static_cast<SData>(best_source(s, 1) << 6 | best_source(s, 0));
}

// Its FIFO begins at the first place, as after reset. The cause of its interrupt is found
// again in each cycle that needs it.
static void poke_uart(Vsoc___024root *root, const struct soc_state *s)
{
	UART(ier_q) = static_cast<CData>(s->uart.ier);
	UART(lcr_q) = static_cast<CData>(s->uart.lcr);
	UART(mcr_q) = static_cast<CData>(s->uart.mcr);
	UART(scr_q) = static_cast<CData>(s->uart.scr);
	UART(dll_q) = static_cast<CData>(s->uart.dll);
	UART(dlm_q) = static_cast<CData>(s->uart.dlm);
	UART(fifo_on_q) = s->uart.fcr & 1;
	UART(trigger_q) = static_cast<CData>(s->uart.fcr >> 6);
	UART(thr_empty_q) = static_cast<CData>(s->uart.thr_empty);
	UART(overrun_q) = static_cast<CData>(s->uart.overrun);
	UART(count_q) = static_cast<CData>(s->uart.count);
	for (unsigned i = 0; i < SOC_UART_FIFO; i++)
		UART(fifo_q)[i] = static_cast<CData>(s->uart.fifo[i]);
}

void rtl_resume(struct rtl *r, const struct soc_state *s)
{
	Vsoc *soc = static_cast<Vsoc *>(r->model);
	Vsoc___024root *root = soc->rootp;

	leave_reset(soc);
	poke_registers(root, s);
	poke_privilege(root, s);
	poke_traps(root, s);
	poke_counters(root, s);
	poke_other_csrs(root, s);
	poke_clint(root, s);
	poke_plic(root, s);
	poke_uart(root, s);
	Vsoc___024root___eval_settle(root);
	r->cycle = r->since = s->cycle;
	r->tokens = s->instret;
}
