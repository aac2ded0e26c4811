// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC behind a C interface; the only C++ here.
//
// Verilator's eval() calls two functions, declared below: one evaluates the logic that
// depends on inputs, the other the clock edge. Inputs are the same in most cycles, so
// the loop calls only the one for the edge, and the other after an input has changed.
// If triggers.h says that this version of Verilator is unknown, the loop calls eval()
// for each level of the clocks.
#include "rtl.h"

#include <cstring>
#include <new>

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "link.h"
#include "model/csr.h"
#include "pins.h"
#include "record.h"
#include "rtl_constants.h"
#include "triggers.h"
#include "view.h"

#define CORE(name) (root->soc__DOT__u_core__DOT__##name)
#include "watch.h"

// 1: it can draw waveforms and stages.
#ifndef VIEW
#define VIEW 0
#endif

// 0: the hardware has no trace port, to measure its cost; only cycles are reported.
#ifndef TRACE_PORT
#define TRACE_PORT 1
#endif

void Vsoc___024root___eval_ico(Vsoc___024root *root);
void Vsoc___024root___eval_nba(Vsoc___024root *root);

static Vsoc___024root *soc_root(const struct rtl *r)
{
	return static_cast<Vsoc *>(r->model)->rootp;
}

// Returns whether the network interface has a clock edge. Without skips its clock never
// stops, so that a comparison shows whether it may.
static bool nic_runs(const Vsoc___024root *root, const struct rtl *r)
{
	return root->nic_clk_req_o || !r->skips;
}

// The same for the copy unit.
static bool copy_runs(const Vsoc___024root *root, const struct rtl *r)
{
	return root->copy_clk_req_o || !r->skips;
}

// These clocks are stopped while their results are not needed: tokens, classes of lost
// cycles, counts.
#if EDGE_ALONE
static void evaluate_inputs(const struct rtl *r)
{
	Vsoc___024root *root = soc_root(r);

	root->__VicoTriggered.at(0) = true;
	Vsoc___024root___eval_ico(root);
}

static inline void set_trigger(Vsoc___024root *root, int number, bool rises)
{
	if (number >= 0)
		root->__VnbaTriggered.at(static_cast<unsigned>(number)) = rises;
}

// The selected triggers hold for all edges until the next selection.
template <bool SEEN> static void choose_clocks(Vsoc___024root *root, const struct rtl *r)
{
	set_trigger(root, TRIGGER_CLK, true);
	set_trigger(root, TRIGGER_TRACE_CLK, SEEN);
	set_trigger(root, TRIGGER_CLASS_CLK, SEEN || r->classes);
	set_trigger(root, TRIGGER_COVER_CLK, r->cover.counting);
	set_trigger(root, TRIGGER_FLOAT_CLK, false);
	set_trigger(root, TRIGGER_NIC_CLK, false);
	set_trigger(root, TRIGGER_COPY_CLK, false);
}

template <bool SEEN, bool FLOAT, bool DMA>
static void evaluate_edge(Vsoc___024root *root, const struct rtl *r)
{
	if (FLOAT)
		set_trigger(root, TRIGGER_FLOAT_CLK, root->float_clk_req_o);
	if (DMA) {
		set_trigger(root, TRIGGER_NIC_CLK, nic_runs(root, r));
		set_trigger(root, TRIGGER_COPY_CLK, copy_runs(root, r));
	}
	Vsoc___024root___eval_nba(root);
}
#else
static void evaluate_inputs(const struct rtl *r)
{
	static_cast<Vsoc *>(r->model)->eval();
}

template <bool SEEN> static void choose_clocks(Vsoc___024root *, const struct rtl *)
{
}

template <bool SEEN, bool FLOAT, bool DMA>
static void evaluate_edge(Vsoc___024root *root, const struct rtl *r)
{
	const CData wanted = root->float_clk_req_o;
	const CData nic_wanted = DMA && nic_runs(root, r);
	const CData copy_wanted = DMA && copy_runs(root, r);

	for (CData level = 0; level < 2; level++) {
		root->clk_i = level;
		root->float_clk_i = level & wanted & FLOAT;
		root->nic_clk_i = level & nic_wanted;
		root->copy_clk_i = level & copy_wanted;
		root->trace_clk_i = level && SEEN;
		root->class_clk_i = level && (SEEN || r->classes);
		if (r->cover.clk)
			*r->cover.clk = level && r->cover.counting;
		static_cast<Vsoc *>(r->model)->eval();
	}
}
#endif

bool rtl_init(struct rtl *r, const struct rtl_config *config)
{
	if (VIEW)
		Verilated::traceEverOn(true); // needed before the model is built
	Vsoc *soc = new (std::nothrow) Vsoc();

	if (!soc)
		return false;
	*r = rtl();
	r->model = soc;
	r->has_float = config->has_float;
	r->has_dma = config->mac != 0 || config->has_copy;
	soc->ram_size_i = config->ram_size;
	soc->float_on_i = config->has_float;
	soc->copy_on_i = config->has_copy;
	soc->nic_on_i = config->mac != 0;
	soc->mac_i = config->mac;
	for (int i = 0; i < 4; i++) {
		soc->clk_i = soc->trace_clk_i = soc->class_clk_i = soc->float_clk_i =
		    soc->nic_clk_i = soc->copy_clk_i = i & 1;
		soc->eval();
	}
	soc->rst_ni = 1;
	evaluate_inputs(r);
	r->tlb.next = &r->tlb;
	r->tlb.valid =
	    &soc_root(r)->soc__DOT__u_core__DOT__u_lsu__DOT__u_tlb__DOT__valid_q;
	r->tlb.copies = r->tlb.alert = config->has_copy;
	return true;
}

void rtl_count_classes(struct rtl *r)
{
	r->classes = TRACE_PORT;
	soc_root(r)->trace_mode_i |= TRACE_CLASSES;
	r->changed = true;
}

void rtl_observe(struct rtl *r, bool all)
{
	rtl_count_classes(r);
	r->seen = TRACE_PORT;
	soc_root(r)->trace_mode_i |= TRACE_ON;
	r->all |= all;
	if (r->all)
		soc_root(r)->trace_mode_i |= TRACE_FULL;
}

const char *rtl_view(struct rtl *r, const char *wave, const char *kanata)
{
	const char *failed = nullptr;

	if (VIEW)
		r->view = view_new(static_cast<Vsoc *>(r->model), wave, kanata, &failed);
	return failed;
}

const char *rtl_view_end(struct rtl *r)
{
	return VIEW && r->view ? view_end(r->view) : nullptr;
}

void rtl_release(struct rtl *r)
{
	delete static_cast<Vsoc *>(r->model);
}

static void drive_dma(Vsoc___024root *root, const struct rtl *r)
{
	drive_link(root, &r->link,
		   static_cast<unsigned>(r->pins.dma_valid ? NIC_RSP : 0) |
		       static_cast<unsigned>(r->pins.dma_done ? NIC_DONE : 0));
	pack_pin(root->dma_rsp_i, dma_rsp{r->pins.dma_data, r->pins.dma_id});
	root->dma_done_id_i = r->pins.dma_done_id;
}

static void drive_pins(Vsoc___024root *root, struct rtl *r)
{
	root->imem_valid_i = r->pins.imem_valid;
	root->imem_data_i = r->pins.imem_data;
	root->dmem_rsp_valid_i = r->pins.dmem_valid;
	pack_pin(root->dmem_rsp_i, line_rsp{r->pins.dmem_data, r->pins.dmem_excl});
	root->mem_dram_i = static_cast<CData>((r->pins.imem_dram ? DRAM_IMEM : 0) |
					      (r->pins.dmem_dram ? DRAM_DMEM : 0));
	root->probe_valid_i = r->pins.probe_valid;
	pack_pin(root->probe_i,
		 probe{r->pins.probe_addr & ADDRESS_MASK, r->pins.probe_op & 3U});
	pack_pin(root->uart_rx_i, serial{r->rx_data, r->rx_valid});
	if (r->has_dma)
		drive_dma(root, r);
	evaluate_inputs(r);
	r->changed = false;
}

// Defined here, because the loop calls it in each idle cycle.
bool rtl_asleep(const struct rtl *r)
{
	const Vsoc___024root *root = soc_root(r);

	return root->soc__DOT__u_core__DOT__u_retire__DOT__valid_q &&
	       root->soc__DOT__u_core__DOT__u_retire__DOT__unit_q == RTL_UnitSys;
}

// Returns the number of cycles that the next edge may stand for.
static unsigned cycles_to_skip(const Vsoc___024root *root, const struct rtl *r)
{
	uint64_t n = r->until - r->cycle;

	if (!r->skips || n == 0)
		return 1;
	return n < root->tick_o ? static_cast<unsigned>(n) : root->tick_o;
}

// Evaluates an edge that stands for several cycles.
template <bool SEEN, bool FLOAT, bool DMA>
static void leap_cycles(Vsoc___024root *root, struct rtl *r, unsigned cycles)
{
	root->skip_i = static_cast<SData>(cycles - 1);
	evaluate_inputs(r);
	cover_before(&r->cover);
	evaluate_edge<SEEN, FLOAT, DMA>(root, r);
	cover_after(&r->cover, cycles - 1);
	root->skip_i = 0;
	evaluate_inputs(r);
}

void rtl_count(struct rtl *r, uint64_t pc, uint32_t insn)
{
	count_token_cycles(r, pc, insn);
}

void rtl_since(struct rtl *r)
{
	begin_token_cycles(r);
}

void rtl_empty(struct rtl *r, bool all)
{
	unsigned n = all ? 0 : r->nruns - r->first_run;

	memmove(r->runs, r->runs + r->first_run, n * sizeof(*r->runs));
	r->nbatch = r->nstalls = r->first_run = 0;
	r->nruns = n;
}

static bool power_valid(const Vsoc___024root *root)
{
	return unpack_pin<power>(root->power_o).valid;
}

// Without an observer, tokens are only counted.
static unsigned after_unseen_edge(const Vsoc___024root *root, struct rtl *r,
				  unsigned cycles)
{
	r->cycle += cycles;
	unsigned event = root->trace_event_o;

	if (!((event & TRACE_VALID) | !TRACE_PORT))
		return event & TRACE_TRAP ? RTL_TRAP : 0;
	r->since = r->cycle;
	r->tokens += TRACE_PORT;
	// The register is written in the cycle before the store commits; without a trace
	// port no commit is seen, and the run ends with the write.
	return power_valid(root) ? RTL_OFF : 0;
}

// Returns whether there is something for memory by DMA, or for the wire.
static bool dma_speaks(const Vsoc___024root *root)
{
	return root->dma_req_valid_o | root->dma_beat_valid_o | root->link_tx_valid_o;
}

// The instruction in M has become a watched one, or is no longer: makes its token full,
// or not.
static void change_detail(Vsoc___024root *root, const struct rtl *r)
{
	if (r->all)
		return;
	root->trace_mode_i ^= TRACE_FULL;
	evaluate_inputs(r);
}

// Sets whether the token that the instruction in M may become is to be full, and handled
// by the caller.
static void watch_next_token(Vsoc___024root *root, struct rtl *r)
{
	const bool before = r->tlb.watched;

	follow_walk(root, &r->tlb);
	note_uses(root, &r->tlb);
	if (r->tlb.watched != before)
		change_detail(root, r);
}

template <bool SEEN, bool FLOAT, bool DMA> static unsigned run_cycles(struct rtl *r)
{
	Vsoc___024root *root = soc_root(r);
	unsigned why;
	bool steady = !r->changed;

	if (r->changed)
		drive_pins(root, r);
	r->probe_ack = r->pins.probe_valid && root->probe_ack_o;
	choose_clocks<SEEN>(root, r);
	if (SEEN && r->tlb.alert && end_watch(root, &r->tlb))
		change_detail(root, r);
	do {
		unsigned cycles = 1;

		if (root->idle_o && steady) {
			if (!r->dozing && rtl_asleep(r))
				return RTL_ASLEEP;
			cycles = cycles_to_skip(root, r);
		} else {
			r->dozing = false;
		}
		steady = true;
		if (SEEN && concerns_tlb(root, &r->tlb))
			watch_next_token(root, r);
		const bool dma = DMA && (nic_runs(root, r) || copy_runs(root, r));
		if (VIEW && r->records)
			view_before(r->view, r->cycle);
		if (cycles == 1)
			evaluate_edge<SEEN, FLOAT, DMA>(root, r);
		else
			leap_cycles<SEEN, FLOAT, DMA>(root, r, cycles);
		why = SEEN ? after_edge(root, r, cycles)
			   : after_unseen_edge(root, r, cycles);
		if (SEEN && r->nwatches &&
		    token_comes(r, root->soc__DOT__u_core__DOT__u_retire__DOT__executed_q,
				root->soc__DOT__u_core__DOT__u_retire__DOT__valid_q))
			why |= RTL_NEXT;
		if (VIEW && r->records)
			view_after(r->view, r->cycle);
		if (root->imem_req_o | root->dmem_req_valid_o | root->wb_valid_o |
		    unpack_pin<serial>(root->uart_tx_o).valid)
			why |= RTL_PORTS;
		if (dma && dma_speaks(root))
			why |= RTL_PORTS;
	} while (!why && r->cycle < r->until && r->tokens < r->instret);
	return why;
}

template <bool DMA> static unsigned run_with(struct rtl *r)
{
	if (r->has_float)
		return r->seen ? run_cycles<true, true, DMA>(r)
			       : run_cycles<false, true, DMA>(r);
	return r->seen ? run_cycles<true, false, DMA>(r)
		       : run_cycles<false, false, DMA>(r);
}

unsigned rtl_run(struct rtl *r)
{
	return r->has_dma ? run_with<true>(r) : run_with<false>(r);
}

void rtl_read_commit(const struct rtl *r, struct rtl_commit *c)
{
	read_commit(soc_root(r), r, c);
	c->source = soc_root(r)->soc__DOT__u_core__DOT__u_lsu__DOT__source_q;
}

static void read_dma(const Vsoc___024root *root, struct rtl_ports *p)
{
	dma_req req = unpack_pin<dma_req>(root->dma_req_o);
	dma_beat beat = unpack_pin<dma_beat>(root->dma_beat_o);

	p->dma_req = root->dma_req_valid_o;
	p->dma_write = req.write;
	p->dma_id = req.id;
	p->dma_addr = req.addr;
	p->dma_beat_valid = root->dma_beat_valid_o;
	p->dma_beat.id = beat.id;
	p->dma_beat.beat = beat.beat;
	p->dma_beat.strobe = beat.strobe;
	p->dma_beat.last = beat.last;
	p->dma_beat.data = beat.data;
	p->link_valid = read_link_word(root, &p->link);
}

void rtl_read_ports(const struct rtl *r, struct rtl_ports *p)
{
	const Vsoc___024root *root = soc_root(r);

	line_req req = unpack_pin<line_req>(root->dmem_req_o);
	writeback wb = unpack_pin<writeback>(root->wb_o);

	p->imem_req = root->imem_req_o;
	p->imem_addr = root->imem_addr_o;
	p->dmem_req = root->dmem_req_valid_o;
	p->dmem_upgrade = req.upgrade;
	p->dmem_addr = req.addr;
	p->wb_valid = root->wb_valid_o;
	p->wb_addr = wb.addr;
	p->wb_data = wb.data;
	serial tx = unpack_pin<serial>(root->uart_tx_o);

	p->tx_valid = tx.valid;
	p->tx_data = tx.data;
	p->dma_req = p->dma_beat_valid = p->link_valid = false;
	if (r->has_dma)
		read_dma(root, p);
}

bool rtl_rx_ready(const struct rtl *r)
{
	return soc_root(r)->uart_rx_ready_o;
}

bool rtl_power(const struct rtl *r, uint32_t *value)
{
	power p = unpack_pin<power>(soc_root(r)->power_o);

	*value = p.value;
	return p.valid;
}
