// SPDX-License-Identifier: Apache-2.0
// Finds signals by name, in the scopes that Verilator keeps of those that peek.vlt names.
#include "probe.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "verilated.h"
#include "verilated_sym_props.h"

namespace
{

const VerilatedVar *find_signal(const std::string &module, const char *name)
{
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind(("TOP." + module).c_str());

	return scope ? scope->varFind(name) : nullptr;
}

// An instance, whose signals are found.
class instance
{
	const std::string path;

      public:
	explicit instance(const std::string &where) : path(where)
	{
	}

	// A signal, whose elements have the type of the pointer.
	template <class T> void operator()(T *&to, const char *name) const
	{
		const VerilatedVar *signal = find_signal(path, name);

		to = signal ? static_cast<T *>(signal->datap()) : nullptr;
		if (signal && signal->vltype() != VLVT_WDATA &&
		    signal->entSize() != sizeof(T)) {
			fprintf(stderr, "soc-sim: %s.%s has another width\n",
				path.c_str(), name);
			abort();
		}
	}

	// One whose width depends on the number of harts.
	void any(void *&to, const char *name) const
	{
		const VerilatedVar *signal = find_signal(path, name);

		to = signal ? signal->datap() : nullptr;
	}
};

void find_csrs(struct probe *p, const std::string &csr)
{
	const instance csrs(csr), status(csr + ".u_status"), traps(csr + ".u_trap"),
	    interrupts(csr + ".u_interrupt"), counters(csr + ".u_counter");

	csrs(p->mcounteren, "mcounteren_q");
	csrs(p->scounteren, "scounteren_q");
	csrs(p->menvcfg, "mfiom_q");
	csrs(p->senvcfg, "sfiom_q");
	csrs(p->mscratch, "mscratch_q");
	csrs(p->sscratch, "sscratch_q");
	status(p->status, "status_q");
	traps(p->medeleg, "medeleg_q");
	traps(p->mtvec, "mtvec_q");
	traps(p->stvec, "stvec_q");
	traps(p->mepc, "mepc_q");
	traps(p->sepc, "sepc_q");
	traps(p->mcause, "mcause_q");
	traps(p->scause, "scause_q");
	traps(p->mtval, "mtval_q");
	traps(p->stval, "stval_q");
	interrupts(p->mideleg, "mideleg_q");
	interrupts(p->mie, "enable_q");
	interrupts(p->mip, "mip_o");
	interrupts(p->soft, "soft_q");
	counters(p->mcountinhibit, "inhibit_q");
	counters(p->mcycle, "mcycle_q");
	counters(p->minstret, "minstret_q");
}

void find_events(struct probe *p, const std::string &hpm)
{
	const instance events(hpm);

	events(p->events_on, "on_q");
	events(p->events, "event_q");
	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++)
		instance(hpm + ".gen_counter[" + std::to_string(i) +
			 "]")(p->event_counts[i], "count_q");
}

void find_registers(struct probe *p, const std::string &core)
{
	const instance floats(core + ".gen_float.u_float"), fetch(core + ".u_fetch"),
	    pmp(core + ".u_ptw_arbiter.u_pmp");

	instance(core + ".u_decode")(p->x, "regs_q");
	instance(core + ".gen_float.u_float.u_registers")(p->f, "regs_q");
	floats(p->rd3, "rd3_q");
	floats(p->rd4, "rd4_q");
	floats(p->fflags, "fflags_q");
	floats(p->frm, "frm_q");
	fetch(p->fetch_pc, "pc_q");
	fetch(p->fetch_next, "fetch_pc_q");
	pmp(p->pmpcfg, "config_q");
	pmp(p->pmpaddr, "address_q");
	pmp(p->pmp_written, "written_q");
}

void find_memory(struct probe *p, const std::string &core)
{
	const instance lsu(core + ".u_lsu"), reservation(core + ".u_lsu.u_reservation"),
	    tlb(core + ".u_lsu.u_tlb"), arbiter(core + ".u_ptw_arbiter"),
	    walker(core + ".u_ptw_arbiter.u_walker"), cache(core + ".u_dcache");

	lsu(p->source, "source_q");
	reservation(p->reserved, "reserved_q");
	reservation(p->reserved_line, "reserved_line_q");
	tlb(p->tlb_valid, "valid_q");
	tlb(p->tlb_global, "global_q");
	tlb(p->tlb_keys, "key_q");
	tlb(p->tlb_pages, "data_q");
	arbiter(p->walks, "busy_q");
	arbiter(p->walks_fetch, "fetch_q");
	arbiter(p->walk_for, "req_q");
	walker(p->walk_state, "state_q");
	walker(p->walk_entry, "addr_q");
	cache(p->line_data, "data_q");
	cache(p->line_fsm, "fsm_q");
	cache(p->line_set, "set_q");
	cache(p->line_way, "way_q");
}

void find_stages(struct probe *p, const instance &core)
{
	static const char stages[] = "dxm";

	for (unsigned i = 0; i < PROBE_STAGES; i++) {
		const std::string stage(1, stages[i]);

		core(p->stages[i].valid, (stage + "_valid").c_str());
		core(p->stages[i].pc, ("view_" + stage + "_pc").c_str());
		core(p->stages[i].insn, ("view_" + stage + "_insn").c_str());
	}
	core(p->d_hazard, "d_hazard");
	core(p->x_ready, "x_ready");
	core(p->x_ack, "x_ack");
	core(p->x_redirect, "x_redirect");
	core(p->m_commit, "m_commit");
	core(p->m_trap, "m_trap");
	core(p->m_redirect, "m_redirect");
}

void find_uart(struct device_probe *p, const instance &uart)
{
	uart(p->ier, "ier_q");
	uart(p->lcr, "lcr_q");
	uart(p->mcr, "mcr_q");
	uart(p->scr, "scr_q");
	uart(p->dll, "dll_q");
	uart(p->dlm, "dlm_q");
	uart(p->fifo_on, "fifo_on_q");
	uart(p->trigger, "trigger_q");
	uart(p->thr_empty, "thr_empty_q");
	uart(p->overrun, "overrun_q");
	uart(p->count, "count_q");
	uart(p->fifo, "fifo_q");
}

} // namespace

void probe_find_core(struct probe *p, const char *core)
{
	const std::string at = core;
	const instance retire(at + ".u_retire");

	find_registers(p, at);
	find_csrs(p, at + ".u_retire.u_csr");
	find_events(p, at + ".u_retire.u_csr.u_counter.gen_hpm.u_hpm");
	find_memory(p, at);
	retire(p->next_valid, "valid_q");
	retire(p->next_unit, "unit_q");
	retire(p->next, "executed_q");
	find_stages(p, instance(at));
}

void probe_find_devices(struct device_probe *p, const char *devices)
{
	const std::string at = devices;
	const instance clint(at + ".u_clint"), plic(at + ".u_plic");

	clint(p->mtime, "mtime_q");
	clint.any(p->mtimecmp, "mtimecmp_q");
	clint(p->tick, "tick_q");
	clint(p->mtip, "mtip_q");
	clint(p->msip, "msip_q");
	plic(p->priority[0], "priority0_q");
	plic(p->priority[1], "priority1_q");
	plic(p->priority[2], "priority2_q");
	plic(p->pending, "pending_q");
	plic(p->claimed, "claimed_q");
	plic.any(p->enable, "enable_q");
	plic.any(p->threshold, "threshold_q");
	plic.any(p->best, "best_q");
	find_uart(p, instance(at + ".u_uart"));
}
