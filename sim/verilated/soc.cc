// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with one hart.
#include "Vsoc.h"
#include "Vsoc__Syms.h"
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

using soc_base = verilated_top<Vsoc, Vsoc___024root___eval_ico, Vsoc___024root___eval_nba,
			       Vsoc___024root___eval_settle>;

struct soc_top : soc_base {
	using port = soc_root;
	static const unsigned HARTS = 1;
	static const bool HAS_PORT = TRACE_PORT;

	bool dma; // DMA has had a clock edge

	explicit soc_top(struct rtl *rtl) : soc_base(rtl), dma(false)
	{
	}

	const soc_root *core(unsigned) const
	{
		return root;
	}

	static void set_clocks(Vsoc *soc, bool level)
	{
		set_common_clocks(soc, level);
		soc->disk_clk_i = level;
		soc->eval();
	}

	static void set_straps(Vsoc *soc, const struct rtl_config *config)
	{
		soc->disk_on_i = config->disk_sectors != 0;
		soc->disk_sectors_i = config->disk_sectors;
	}

	void choose_clocks() const
	{
		soc_base::choose_clocks();
		set_clock(root, TRIGGER_DISK_CLK, root->disk_clk_i, false);
	}

	bool disk_runs() const
	{
		return r->has_disk && runs(root->disk_clk_req_o);
	}

	void drive_dma() const
	{
		const struct l2_dram_pins *pins = &r->lines;

		drive_link(static_cast<unsigned>(pins->dma_valid ? NIC_RSP : 0) |
			   static_cast<unsigned>(pins->dma_done ? NIC_DONE : 0));
		pack_pin(root->dma_rsp_i, read_beat{pins->dma_data, pins->dma_id});
		root->dma_done_id_i = pins->dma_done_id;
		root->disk_answer_i = static_cast<CData>(
		    (r->disk.used ? DISK_USED : 0) | (r->disk.fault ? DISK_FAULT : 0));
	}

	void drive_memory() const
	{
		const struct l2_dram_pins *pins = &r->lines;

		root->imem_valid_i = pins->imem_valid;
		root->imem_data_i = pins->imem_data;
		root->dmem_rsp_valid_i = pins->dmem_valid;
		pack_pin(root->dmem_rsp_i,
			 line_rsp{pins->dmem_data, pins->dmem_excl, pins->dmem_id & 7U});
		root->mem_dram_i = static_cast<CData>((pins->imem_dram ? DRAM_IMEM : 0) |
						      (pins->dmem_dram ? DRAM_DMEM : 0));
		root->probe_valid_i = pins->probe_valid;
		pack_pin(root->probe_i,
			 probe_pin{pins->probe_addr & ADDRESS_MASK, pins->probe_op & 3U});
		if (has_dma())
			drive_dma();
	}

	template <bool FLOAT, bool DMA> void evaluate_edge()
	{
		lower_clocks(*this);
		dma = DMA && (nic_runs() || copy_runs());
		if (FLOAT)
			set_clock(root, TRIGGER_FLOAT_CLK, root->float_clk_i,
				  root->float_clk_req_o);
		if (DMA) {
			set_clock(root, TRIGGER_NIC_CLK, root->nic_clk_i, nic_runs());
			set_clock(root, TRIGGER_COPY_CLK, root->copy_clk_i, copy_runs());
			set_clock(root, TRIGGER_DISK_CLK, root->disk_clk_i, disk_runs());
		}
		evaluate_triggered();
	}

	unsigned begin() const
	{
		r->probe_ack = r->lines.probe_valid && root->probe_ack_o;
		return r->probe_ack ? RTL_PORTS : 0;
	}

	void watch_probes() const
	{
	}

	template <bool SEEN, bool DMA> bool asks() const
	{
		return root->imem_req_o | root->dmem_req_valid_o | root->wb_valid_o |
		       (DMA && dma &&
			(root->dma_req_valid_o | root->dma_beat_valid_o |
			 root->link_tx_valid_o)) |
		       (DMA && (root->disk_event_o & (DISK_START | DISK_STOP)));
	}

	template <bool DMA> static unsigned run_with(struct rtl *r)
	{
		if (r->features.fpu)
			return r->seen ? run_cycles<soc_top, true, true, DMA>(r)
				       : run_cycles<soc_top, false, true, DMA>(r);
		return r->seen ? run_cycles<soc_top, true, false, DMA>(r)
			       : run_cycles<soc_top, false, false, DMA>(r);
	}

	static unsigned run(struct rtl *r)
	{
		return soc_top(r).has_dma() ? run_with<true>(r) : run_with<false>(r);
	}

	void read_dma(struct l2_dram_requests *q) const
	{
		const dma_req req = unpack_pin<dma_req>(root->dma_req_o);
		const dma_beat beat = unpack_pin<dma_beat>(root->dma_beat_o);

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

	void read_disk(struct disk_event *event) const
	{
		const disk_addresses queue =
		    unpack_pin<disk_addresses>(root->disk_queue_o);

		*event = {(root->disk_event_o & DISK_START) != 0,
			  (root->disk_event_o & DISK_STOP) != 0,
			  static_cast<unsigned>(root->disk_event_o >> DISK_SIZE_SHIFT),
			  queue.descriptors,
			  queue.driver,
			  queue.device};
	}

	void read_ports(struct rtl_ports *ports) const
	{
		struct l2_dram_requests *q = &ports->lines;
		const line_req req = unpack_pin<line_req>(root->dmem_req_o);
		const writeback wb = unpack_pin<writeback>(root->wb_o);

		q->imem_req = root->imem_req_o;
		q->imem_addr = root->imem_addr_o;
		q->dmem_req = root->dmem_req_valid_o;
		q->dmem_upgrade = req.upgrade;
		q->dmem_id = req.id;
		q->dmem_addr = req.addr;
		q->wb_valid = root->wb_valid_o;
		q->wb_addr = wb.addr;
		q->wb_data = wb.data;
		q->probe_ack = r->probe_ack;
		q->dma_req = q->dma_beat_valid = false;
		if (has_dma())
			read_dma(q);
		if (r->has_disk)
			read_disk(&ports->disk);
		read_device_ports(ports);
	}
};

} // namespace

bool soc_top_init(struct rtl *r, const struct rtl_config *config)
{
	Vsoc *soc = init_top<soc_top>(r, config);

	if (!soc)
		return false;
	r->harts[0].core = soc->rootp;
	probe_find_hart(&r->harts[0].probe, "soc.u_hart");
	r->devices = "soc.u_devices";
	return true;
}
