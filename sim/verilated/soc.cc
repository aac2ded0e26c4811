// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with one hart.
#include <new>

#include "Vsoc.h"
#include "Vsoc__Syms.h"
#include "link.h"
#include "loop.h"
#include "triggers.h"

// 0: the hardware has no trace port, to measure its cost; only cycles are reported.
#ifndef TRACE_PORT
#define TRACE_PORT 1
#endif

using soc_root = Vsoc___024root;

void Vsoc___024root___eval_ico(soc_root *root);
void Vsoc___024root___eval_nba(soc_root *root);
void Vsoc___024root___eval_settle(soc_root *root);

namespace
{

Vsoc *soc_of(const struct rtl *r)
{
	return static_cast<Vsoc *>(r->model);
}

struct soc_top {
	static const unsigned HARTS = 1;
	static const bool HAS_PORT = TRACE_PORT;

	soc_root *const root;
	struct rtl *const r;
	bool dma; // DMA has had a clock edge

	explicit soc_top(struct rtl *rtl) : root(soc_of(rtl)->rootp), r(rtl), dma(false)
	{
	}

	const soc_root *core(unsigned) const
	{
		return root;
	}

	CData next_valid(unsigned) const
	{
		return root->soc__DOT__u_core__DOT__u_retire__DOT__valid_q;
	}

	CData next_unit(unsigned) const
	{
		return root->soc__DOT__u_core__DOT__u_retire__DOT__unit_q;
	}

	const WData *next(unsigned) const
	{
		return root->soc__DOT__u_core__DOT__u_retire__DOT__executed_q.data();
	}

	CData walks(unsigned) const
	{
		return root->soc__DOT__u_core__DOT__u_ptw_arbiter__DOT__busy_q;
	}

	// Returns whether the network interface has a clock edge. Without skips its clock
	// never stops, so that a comparison shows whether it may.
	bool nic_runs() const
	{
		return root->nic_clk_req_o || !r->skips;
	}

	// The same for the copy unit.
	bool copy_runs() const
	{
		return root->copy_clk_req_o || !r->skips;
	}

	void drive_dma() const
	{
		const struct l2_dram_pins *pins = &r->lines;

		drive_link(root, &r->link,
			   static_cast<unsigned>(pins->dma_valid ? NIC_RSP : 0) |
			       static_cast<unsigned>(pins->dma_done ? NIC_DONE : 0));
		pack_pin(root->dma_rsp_i, dma_rsp{pins->dma_data, pins->dma_id});
		root->dma_done_id_i = pins->dma_done_id;
	}

	void drive_memory() const
	{
		const struct l2_dram_pins *pins = &r->lines;

		root->imem_valid_i = pins->imem_valid;
		root->imem_data_i = pins->imem_data;
		root->dmem_rsp_valid_i = pins->dmem_valid;
		pack_pin(root->dmem_rsp_i, line_rsp{pins->dmem_data, pins->dmem_excl});
		root->mem_dram_i = static_cast<CData>((pins->imem_dram ? DRAM_IMEM : 0) |
						      (pins->dmem_dram ? DRAM_DMEM : 0));
		root->probe_valid_i = pins->probe_valid;
		pack_pin(root->probe_i,
			 probe_pin{pins->probe_addr & ADDRESS_MASK, pins->probe_op & 3U});
		if (r->has_nic || r->has_copy)
			drive_dma();
	}

	// These clocks are stopped while their results are not needed: tokens, classes of
	// lost cycles, counts.
#if EDGE_ALONE
	void evaluate_inputs() const
	{
		root->__VicoTriggered.at(0) = true;
		Vsoc___024root___eval_ico(root);
	}

	template <bool SEEN> void choose_clocks() const
	{
		set_trigger(root, TRIGGER_CLK, true);
		set_trigger(root, TRIGGER_TRACE_CLK, SEEN);
		set_trigger(root, TRIGGER_CLASS_CLK, SEEN || r->classes);
		set_trigger(root, TRIGGER_COVER_CLK, is_counting(r));
		set_trigger(root, TRIGGER_FLOAT_CLK, false);
		set_trigger(root, TRIGGER_NIC_CLK, false);
		set_trigger(root, TRIGGER_COPY_CLK, false);
	}

	template <bool FLOAT, bool DMA> void evaluate_edge()
	{
		dma = DMA && (nic_runs() || copy_runs());
		if (FLOAT)
			set_trigger(root, TRIGGER_FLOAT_CLK, root->float_clk_req_o);
		if (DMA) {
			set_trigger(root, TRIGGER_NIC_CLK, nic_runs());
			set_trigger(root, TRIGGER_COPY_CLK, copy_runs());
		}
		Vsoc___024root___eval_nba(root);
	}
#else
	void evaluate_inputs() const
	{
		soc_of(r)->eval();
	}

	template <bool SEEN> void choose_clocks() const
	{
	}

	template <bool FLOAT, bool DMA> void evaluate_edge()
	{
		const CData wanted = root->float_clk_req_o;
		const CData nic_wanted = DMA && nic_runs(),
			    copy_wanted = DMA && copy_runs();
		uint8_t *cover_clk = r->harts[0].cover.clk;

		dma = nic_wanted || copy_wanted;
		for (CData level = 0; level < 2; level++) {
			root->clk_i = level;
			root->float_clk_i = level & wanted & FLOAT;
			root->nic_clk_i = level & nic_wanted;
			root->copy_clk_i = level & copy_wanted;
			root->trace_clk_i = level && r->seen;
			root->class_clk_i = level && (r->seen || r->classes);
			if (cover_clk)
				*cover_clk = level && is_counting(r);
			soc_of(r)->eval();
		}
	}
#endif

	template <bool SEEN> void begin() const
	{
		r->probe_ack = r->lines.probe_valid && root->probe_ack_o;
		choose_clocks<SEEN>();
	}

	void watch_probes() const
	{
	}

	template <bool SEEN, bool DMA> bool asks() const
	{
		return root->imem_req_o | root->dmem_req_valid_o | root->wb_valid_o |
		       (DMA && dma &&
			(root->dma_req_valid_o | root->dma_beat_valid_o |
			 root->link_tx_valid_o));
	}

	unsigned answers() const
	{
		return r->probe_ack ? RTL_PORTS : 0;
	}
};

template <bool DMA> unsigned run_with(struct rtl *r)
{
	if (r->has_float)
		return r->seen ? run_cycles<soc_top, true, true, DMA>(r)
			       : run_cycles<soc_top, false, true, DMA>(r);
	return r->seen ? run_cycles<soc_top, true, false, DMA>(r)
		       : run_cycles<soc_top, false, false, DMA>(r);
}

unsigned run_soc(struct rtl *r)
{
	return r->has_nic || r->has_copy ? run_with<true>(r) : run_with<false>(r);
}

void read_soc_commit(const struct rtl *r, unsigned hart, unsigned,
		     struct rtl_commit *commit)
{
	read_token(soc_of(r)->rootp, r->cycle, commit);
	commit->source = *r->harts[hart].probe.source;
}

void read_soc_dma(const soc_root *root, struct l2_dram_requests *q)
{
	dma_req req = unpack_pin<dma_req>(root->dma_req_o);
	dma_beat beat = unpack_pin<dma_beat>(root->dma_beat_o);

	q->dma_req = root->dma_req_valid_o;
	q->dma_write = req.write;
	q->dma_id = req.id;
	q->dma_addr = req.addr;
	q->dma_beat_valid = root->dma_beat_valid_o;
	q->dma_beat.id = beat.id;
	q->dma_beat.beat = beat.beat;
	q->dma_beat.strobe = beat.strobe;
	q->dma_beat.last = beat.last;
	q->dma_beat.data = beat.data;
}

void read_soc_ports(const struct rtl *r, struct rtl_ports *ports)
{
	const soc_root *root = soc_of(r)->rootp;
	struct l2_dram_requests *q = &ports->lines;
	line_req req = unpack_pin<line_req>(root->dmem_req_o);
	writeback wb = unpack_pin<writeback>(root->wb_o);
	serial tx = unpack_pin<serial>(root->uart_tx_o);

	q->imem_req = root->imem_req_o;
	q->imem_addr = root->imem_addr_o;
	q->dmem_req = root->dmem_req_valid_o;
	q->dmem_upgrade = req.upgrade;
	q->dmem_addr = req.addr;
	q->wb_valid = root->wb_valid_o;
	q->wb_addr = wb.addr;
	q->wb_data = wb.data;
	q->probe_ack = r->probe_ack;
	ports->tx_valid = tx.valid;
	ports->tx_data = tx.data;
	q->dma_req = q->dma_beat_valid = ports->link_valid = false;
	if (!r->has_nic && !r->has_copy)
		return;
	read_soc_dma(root, q);
	ports->link_valid = read_link_word(root, &ports->link);
}

void clock_soc(Vsoc *soc, bool level)
{
	soc->clk_i = soc->trace_clk_i = soc->class_clk_i = soc->float_clk_i = level;
	soc->nic_clk_i = soc->copy_clk_i = level;
	soc->eval();
}

void leave_soc_reset(struct rtl *r)
{
	clock_soc(soc_of(r), false);
	clock_soc(soc_of(r), true);
}

void settle_soc(struct rtl *r)
{
	Vsoc___024root___eval_settle(soc_of(r)->rootp);
}

bool *trace_soc(const struct rtl *r, void *fst)
{
	return add_to_wave<VerilatedFstC>(soc_of(r), fst);
}

void release_soc(struct rtl *r)
{
	delete soc_of(r);
}

void find_soc_signals(struct rtl *r, soc_root *root)
{
	struct probe *p = &r->harts[0].probe;
	const auto &lines = root->soc__DOT__u_core__DOT__u_dcache__DOT__lines_q;

	probe_find_core(p, "soc.u_core");
	r->devices = "soc.u_devices";
	p->priv = &root->trace_next_priv_o;
	p->satp = &root->trace_satp_o;
	p->data_priv =
	    &root->soc__DOT__u_core__DOT__u_retire__DOT__u_csr__DOT__u_status__DOT__data_priv_q;
	set_probe_lines(p, lines);
	r->rx_ready = &root->uart_rx_ready_o;
	r->power = &root->power_o;
	r->trace_mode = &root->trace_mode_i;
}

} // namespace

bool soc_top_init(struct rtl *r, const struct rtl_config *config)
{
	static const struct rtl_top top = {
	    run_soc,	read_soc_commit, read_soc_ports, leave_soc_reset,
	    settle_soc, trace_soc,	 release_soc};
	Vsoc *soc = new (std::nothrow) Vsoc();

	if (!soc)
		return false;
	r->top = &top;
	r->model = soc;
	r->has_port = soc_top::HAS_PORT;
	soc->ram_size_i = config->ram_size;
	soc->float_on_i = config->has_float;
	soc->copy_on_i = config->has_copy;
	soc->nic_on_i = config->mac != 0;
	soc->mac_i = config->mac;
	for (unsigned i = 0; i < 4; i++)
		clock_soc(soc, i & 1);
	soc->rst_ni = 1;
	find_soc_signals(r, soc->rootp);
	soc_top(r).evaluate_inputs();
	return true;
}
