// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with one hart.
#include "Vsoc.h"
#include "Vsoc__Syms.h"
#include "link.h"
#include "triggers.h"

#include "loop.h"

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

struct soc_top {
	using port = soc_root;
	static const unsigned HARTS = 1;
	static const bool HAS_PORT = TRACE_PORT;

	soc_root *const root;
	struct rtl *const r;
	bool dma; // DMA has had a clock edge

	explicit soc_top(struct rtl *rtl)
	    : root(model_of<Vsoc>(rtl)->rootp), r(rtl), dma(false)
	{
	}

	const soc_root *core(unsigned) const
	{
		return root;
	}

	static void set_clocks(Vsoc *soc, bool level)
	{
		soc->clk_i = soc->trace_clk_i = soc->class_clk_i = soc->float_clk_i =
		    level;
		soc->nic_clk_i = soc->copy_clk_i = level;
		soc->eval();
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
		if (r->has_nic || r->features.copy)
			drive_dma();
	}

	void evaluate_inputs() const
	{
#if EDGE_ALONE
		root->__VicoTriggered.at(0) = true;
		Vsoc___024root___eval_ico(root);
#else
		model_of<Vsoc>(r)->eval();
#endif
	}

	void choose_clocks() const
	{
		choose_soc_clocks(root, r);
		set_clock(root, TRIGGER_FLOAT_CLK, root->float_clk_i, false);
	}

	template <bool FLOAT, bool DMA> void evaluate_edge()
	{
#if !EDGE_ALONE
		lower_clocks<Vsoc>(*this);
#endif
		dma = DMA && (nic_runs() || copy_runs());
		if (FLOAT)
			set_clock(root, TRIGGER_FLOAT_CLK, root->float_clk_i,
				  root->float_clk_req_o);
		if (DMA) {
			set_clock(root, TRIGGER_NIC_CLK, root->nic_clk_i, nic_runs());
			set_clock(root, TRIGGER_COPY_CLK, root->copy_clk_i, copy_runs());
		}
#if EDGE_ALONE
		Vsoc___024root___eval_nba(root);
#else
		model_of<Vsoc>(r)->eval();
#endif
	}

	void begin() const
	{
		r->probe_ack = r->lines.probe_valid && root->probe_ack_o;
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
	if (r->features.fpu)
		return r->seen ? run_cycles<soc_top, true, true, DMA>(r)
			       : run_cycles<soc_top, false, true, DMA>(r);
	return r->seen ? run_cycles<soc_top, true, false, DMA>(r)
		       : run_cycles<soc_top, false, false, DMA>(r);
}

unsigned run_soc(struct rtl *r)
{
	return r->has_nic || r->features.copy ? run_with<true>(r) : run_with<false>(r);
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
	const soc_root *root = model_of<Vsoc>(r)->rootp;
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
	if (!r->has_nic && !r->features.copy)
		return;
	read_soc_dma(root, q);
	ports->link_valid = read_link_word(root, &ports->link);
}

void settle_soc(struct rtl *r)
{
	Vsoc___024root___eval_settle(model_of<Vsoc>(r)->rootp);
}

} // namespace

bool soc_top_init(struct rtl *r, const struct rtl_config *config)
{
	Vsoc *soc =
	    init_top<Vsoc, soc_top, run_soc, read_soc_ports, settle_soc>(r, config);

	if (!soc)
		return false;
	r->harts[0].core = soc->rootp;
	probe_find_hart(&r->harts[0].probe, "soc.u_hart");
	r->devices = "soc.u_devices";
	return true;
}
