// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with several harts.
#include <string>
#include <type_traits>

#include "Vsmp.h"
#include "Vsmp__Syms.h"
#include "triggers.h"

#include "loop.h"

using smp_root = Vsmp___024root;
using smp_hart0 =
    decltype(Vsmp__Syms::TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_hart);
using smp_hart1 =
    decltype(Vsmp__Syms::TOP__soc_smp__DOT__gen_harts__BRA__1__KET____DOT__u_hart);

void Vsmp___024root___eval_ico(smp_root *root);
void Vsmp___024root___eval_nba(smp_root *root);
void Vsmp___024root___eval_settle(smp_root *root);
// What shorten.sh adds: evaluates the logic between registers that depends on a hart.
void Vsmp___024root___eval_hart0(smp_root *root);
void Vsmp___024root___eval_hart1(smp_root *root);

namespace
{

// Lines of a master of DMA; identifiers of lines in crossbar_gather.sv.
enum { DMA_LINES = 8, GATHER_LINES = 4 * DMA_LINES };

// Harts with different cores have different classes: the pins that the loop reads of
// them.
struct smp_pins_of_hart {
	const decltype(smp_hart0::trace_event_o) &trace_event_o;
	const decltype(smp_hart0::trace_full_o) &trace_full_o;
	const decltype(smp_hart0::trace_token_o) &trace_token_o;
	const decltype(smp_hart0::trace_detail_o) &trace_detail_o;
	const decltype(smp_hart0::trace_class_o) &trace_class_o;
	const decltype(smp_hart0::probe_valid_i) &probe_valid_i;
	const decltype(smp_hart0::probe_i) &probe_i;
};
using smp_core =
    std::conditional_t<std::is_same_v<smp_hart0, smp_hart1>, smp_hart0, smp_pins_of_hart>;

using smp_base = verilated_top<Vsmp, Vsmp___024root___eval_ico, Vsmp___024root___eval_nba,
			       Vsmp___024root___eval_settle>;

struct smp_top : smp_base {
	using port = smp_core;
	using smp_base::smp_base;
	static const unsigned HARTS = RTL_HARTS_MAX;
	static const bool HAS_PORT = true;
	static const unsigned ALL_HARTS = (1U << HARTS) - 1;

	const smp_core *core(unsigned hart) const
	{
		return static_cast<const smp_core *>(r->harts[hart].core);
	}

	static void set_clocks(Vsmp *soc, bool level)
	{
		set_common_clocks(soc, level);
		soc->dma_clk_i = soc->crossbar_clk_i = level;
		soc->hart_clk_i = level ? ALL_HARTS : 0;
		soc->eval();
	}

	// Returns the harts that have a clock edge, one bit each.
	unsigned running_harts() const
	{
		return r->skips ? root->hart_clk_req_o : ALL_HARTS;
	}

	// Returns whether DMA has read something, for lockstep.
	bool dma_answers() const
	{
		return r->all && root->soc_smp__DOT__u_gather__DOT__rsp_valid_o;
	}

	static void set_straps(const model *, const struct rtl_config *)
	{
	}

	void drive_memory() const
	{
		const struct smp_pins *pins = &r->beats;

		root->mem_rsp_valid_i = pins->valid;
		pack_pin(root->mem_rsp_i, read_beat{pins->data, pins->id});
		root->mem_dram_i = pins->dram;
		if (r->has_nic)
			drive_link(0);
	}

	void choose_clocks() const
	{
		smp_base::choose_clocks();
		set_clock(root, TRIGGER_DMA_CLK, root->dma_clk_i, false);
	}

	// Evaluates the logic of harts that are wanted for the next edge, but had none
	// before.
	void wake_harts() const
	{
#if EDGE_ALONE
		const unsigned stale = running_harts() & ~r->fresh;

		if (stale & 1)
			Vsmp___024root___eval_hart0(root);
		if (stale & 2)
			Vsmp___024root___eval_hart1(root);
		r->fresh |= stale;
#endif
	}

	template <bool FLOAT, bool DMA> void evaluate_edge() const
	{
		lower_clocks(*this);
		r->fresh = running_harts();
		if (has_dma()) {
			set_clock(root, TRIGGER_NIC_CLK, root->nic_clk_i, nic_runs());
			set_clock(root, TRIGGER_COPY_CLK, root->copy_clk_i, copy_runs());
			set_clock(root, TRIGGER_DMA_CLK, root->dma_clk_i,
				  runs(root->dma_clk_req_o));
		}
		set_clock(root, TRIGGER_CROSSBAR_CLK, root->crossbar_clk_i,
			  runs(root->crossbar_clk_req_o));
		set_clock(root, TRIGGER_FLOAT_CLK, root->float_clk_i,
			  r->features.fpu && root->float_clk_req_o);
		set_clock(root, TRIGGER_HART0_CLK, root->hart_clk_i, r->fresh & 1);
		set_clock(root, TRIGGER_HART1_CLK, root->hart_clk_i, r->fresh >> 1 & 1);
		if (!EDGE_ALONE)
			root->hart_clk_i = static_cast<CData>(r->fresh);
		evaluate_triggered();
		if (r->fresh != ALL_HARTS)
			wake_harts();
	}

	unsigned begin() const
	{
		wake_harts();
		return 0;
	}

	// A probe may end a reservation at the next edge.
	void watch_probes() const
	{
		for (unsigned h = 0; h < HARTS; h++) {
			const probe_pin p = unpack_pin<probe_pin>(core(h)->probe_i);

			if (core(h)->probe_valid_i && p.op == RTL_ProbeWrite &&
			    p.addr >> 6 == *r->harts[h].probe.reserved_line)
				r->harts[h].probed = true;
		}
	}

	template <bool SEEN, bool DMA> bool asks() const
	{
		return root->mem_read_valid_o | root->mem_write_valid_o |
		       root->link_tx_valid_o | (SEEN && dma_answers());
	}

	static unsigned run(struct rtl *r)
	{
		return r->seen ? run_cycles<smp_top, true, true, true>(r)
			       : run_cycles<smp_top, false, true, true>(r);
	}

	// Masters and reads of DMA: what crossbar_gather.sv knows of them.
	void read_dma(struct smp_requests *q) const
	{
		const read_beat rsp =
		    unpack_pin<read_beat>(root->soc_smp__DOT__u_gather__DOT__rsp_o);

		q->answer_master = static_cast<uint8_t>(rsp.id / DMA_LINES);
		q->answer_address =
		    root->soc_smp__DOT__u_gather__DOT__read_lines_q[rsp.id %
								    GATHER_LINES] *
			64 +
		    root->soc_smp__DOT__u_gather__DOT__rsp_beats * UINT64_C(8);
		q->answer_data = rsp.data;
		q->write_master = static_cast<uint8_t>(
		    root->soc_smp__DOT__u_gather__DOT__send_id / DMA_LINES);
	}

	void read_ports(struct rtl_ports *ports) const
	{
		struct smp_requests *q = &ports->beats;
		const read_request read = unpack_pin<read_request>(root->mem_read_o);
		const memory_write write = unpack_pin<memory_write>(root->mem_write_o);

		q->read = root->mem_read_valid_o;
		q->read_id = read.id;
		q->read_address = read.addr;
		q->write = root->mem_write_valid_o;
		q->dma = write.dma;
		q->write_address = 8 * static_cast<uint64_t>(write.word);
		q->strobe = static_cast<uint8_t>(write.strb);
		q->data = write.data;
		q->answer = dma_answers();
		if (r->all || (q->write && q->dma))
			read_dma(q);
		read_device_ports(ports);
	}
};

template <class HART> void find_smp_core(struct rtl_hart *hart, const HART &of)
{
	const std::string at =
	    "soc_smp.gen_harts[" + std::to_string(hart->number) + "].u_hart";

	if constexpr (std::is_same_v<HART, smp_core>) {
		hart->core = &of;
	} else {
		static const smp_core pins = {of.trace_event_o, of.trace_full_o,
					      of.trace_token_o, of.trace_detail_o,
					      of.trace_class_o, of.probe_valid_i,
					      of.probe_i};
		hart->core = &pins;
	}
	probe_find_hart(&hart->probe, at.c_str());
}

void find_smp_signals(struct rtl *r, smp_root *root)
{
	Vsmp__Syms *all = root->vlSymsp;

	find_smp_core(&r->harts[0],
		      all->TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_hart);
	find_smp_core(&r->harts[1],
		      all->TOP__soc_smp__DOT__gen_harts__BRA__1__KET____DOT__u_hart);
	r->devices = "soc_smp.u_devices";
}

} // namespace

bool smp_top_init(struct rtl *r, const struct rtl_config *config)
{
	Vsmp *soc = init_top<smp_top>(r, config);

	if (!soc)
		return false;
	find_smp_signals(r, soc->rootp);
	return true;
}
