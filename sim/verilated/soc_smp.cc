// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with several harts.
#include <new>
#include <string>

#include "Vsmp.h"
#include "Vsmp__Syms.h"
#include "link.h"
#include "loop.h"
#include "triggers.h"

using smp_root = Vsmp___024root;
using smp_core =
    decltype(Vsmp__Syms::TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_core);

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

Vsmp *smp_of(const struct rtl *r)
{
	return static_cast<Vsmp *>(r->model);
}

// Returns whether DMA has read something, for lockstep.
bool dma_answers(const smp_root *root, const struct rtl *r)
{
	return r->all && root->soc_smp__DOT__u_gather__DOT__rsp_valid_o;
}

struct smp_top {
	static const unsigned HARTS = RTL_HARTS_MAX;
	static const bool HAS_PORT = true;
	static const unsigned ALL_HARTS = (1U << HARTS) - 1;

	smp_root *const root;
	struct rtl *const r;

	explicit smp_top(struct rtl *rtl) : root(smp_of(rtl)->rootp), r(rtl)
	{
	}

	const smp_core *core(unsigned hart) const
	{
		return static_cast<const smp_core *>(r->harts[hart].core);
	}

	CData next_valid(unsigned hart) const
	{
		return core(hart)->u_retire__DOT__valid_q;
	}

	CData next_unit(unsigned hart) const
	{
		return core(hart)->u_retire__DOT__unit_q;
	}

	const WData *next(unsigned hart) const
	{
		return core(hart)->u_retire__DOT__executed_q.data();
	}

	CData walks(unsigned hart) const
	{
		return core(hart)->u_ptw_arbiter__DOT__busy_q;
	}

	// Returns the harts that have a clock edge, one bit each.
	unsigned running_harts() const
	{
		return r->skips ? root->hart_clk_req_o : ALL_HARTS;
	}

	// As in soc.cc.
	bool crossbar_runs() const
	{
		return root->crossbar_clk_req_o || !r->skips;
	}

	bool nic_runs() const
	{
		return r->has_nic && (root->nic_clk_req_o || !r->skips);
	}

	bool copy_runs() const
	{
		return r->has_copy && (root->copy_clk_req_o || !r->skips);
	}

	// The clock of the way of DMA to the crossbar.
	bool dma_runs() const
	{
		return (r->has_nic || r->has_copy) && (root->dma_clk_req_o || !r->skips);
	}

	void drive_memory() const
	{
		const struct smp_pins *pins = &r->beats;

		root->mem_rsp_valid_i = pins->valid;
		pack_pin(root->mem_rsp_i, read_beat{pins->data, pins->id});
		root->mem_dram_i = pins->dram;
		if (r->has_nic)
			drive_link(root, &r->link, 0);
	}

#if EDGE_ALONE
	void evaluate_inputs() const
	{
		root->__VicoTriggered.at(0) = true;
		Vsmp___024root___eval_ico(root);
	}

	template <bool SEEN> void choose_clocks() const
	{
		set_trigger(root, TRIGGER_CLK, true);
		set_trigger(root, TRIGGER_TRACE_CLK, SEEN);
		set_trigger(root, TRIGGER_CLASS_CLK, SEEN || r->classes);
		set_trigger(root, TRIGGER_COVER_CLK, is_counting(r));
		set_trigger(root, TRIGGER_NIC_CLK, false);
		set_trigger(root, TRIGGER_COPY_CLK, false);
		set_trigger(root, TRIGGER_DMA_CLK, false);
	}

	// Evaluates the logic of harts that are wanted for the next edge, but had none
	// before.
	void wake_harts() const
	{
		const unsigned stale = running_harts() & ~r->fresh;

		if (stale & 1)
			Vsmp___024root___eval_hart0(root);
		if (stale & 2)
			Vsmp___024root___eval_hart1(root);
		r->fresh |= stale;
	}

	template <bool FLOAT, bool DMA> void evaluate_edge() const
	{
		r->fresh = running_harts();
		set_trigger(root, TRIGGER_HART0_CLK, r->fresh & 1);
		set_trigger(root, TRIGGER_HART1_CLK, r->fresh >> 1 & 1);
		if (r->has_nic || r->has_copy) {
			set_trigger(root, TRIGGER_NIC_CLK, nic_runs());
			set_trigger(root, TRIGGER_COPY_CLK, copy_runs());
			set_trigger(root, TRIGGER_DMA_CLK, dma_runs());
		}
		set_trigger(root, TRIGGER_CROSSBAR_CLK, crossbar_runs());
		set_trigger(root, TRIGGER_FLOAT_CLK,
			    r->has_float && root->float_clk_req_o);
		Vsmp___024root___eval_nba(root);
		if (r->fresh != ALL_HARTS)
			wake_harts();
	}
#else
	void evaluate_inputs() const
	{
		smp_of(r)->eval();
	}

	template <bool SEEN> void choose_clocks() const
	{
	}

	void wake_harts() const
	{
	}

	template <bool FLOAT, bool DMA> void evaluate_edge() const
	{
		const CData harts = static_cast<CData>(running_harts());
		const CData wanted = root->float_clk_req_o;
		const CData nic_wanted = nic_runs();
		const CData copy_wanted = copy_runs(), dma_wanted = dma_runs();
		const CData crossbar_wanted = crossbar_runs();
		uint8_t *cover_clk = r->harts[0].cover.clk;

		for (CData level = 0; level < 2; level++) {
			root->clk_i = level;
			root->hart_clk_i = level ? harts : 0;
			root->float_clk_i = level & wanted & r->has_float;
			root->nic_clk_i = level & nic_wanted;
			root->copy_clk_i = level & copy_wanted;
			root->dma_clk_i = level & dma_wanted;
			root->crossbar_clk_i = level & crossbar_wanted;
			root->trace_clk_i = level && r->seen;
			root->class_clk_i = level && (r->seen || r->classes);
			if (cover_clk)
				*cover_clk = level && is_counting(r);
			smp_of(r)->eval();
		}
	}
#endif

	template <bool SEEN> void begin() const
	{
		wake_harts();
		choose_clocks<SEEN>();
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
		       root->link_tx_valid_o | (SEEN && dma_answers(root, r));
	}

	unsigned answers() const
	{
		return 0;
	}
};

unsigned run_smp(struct rtl *r)
{
	return r->seen ? run_cycles<smp_top, true, true, true>(r)
		       : run_cycles<smp_top, false, true, true>(r);
}

void read_smp_commit(const struct rtl *r, unsigned hart, unsigned,
		     struct rtl_commit *commit)
{
	const struct rtl_hart *h = &r->harts[hart];

	read_token(static_cast<const smp_core *>(h->core), r->cycle, commit);
	commit->source = *h->probe.source;
}

// Masters and reads of DMA: what crossbar_gather.sv knows of them.
void read_smp_dma(const smp_root *root, struct smp_requests *q)
{
	dma_rsp rsp = unpack_pin<dma_rsp>(root->soc_smp__DOT__u_gather__DOT__rsp_o);

	q->answer_master = static_cast<uint8_t>(rsp.id / DMA_LINES);
	q->answer_address =
	    root->soc_smp__DOT__u_gather__DOT__read_lines_q[rsp.id % GATHER_LINES] * 64 +
	    root->soc_smp__DOT__u_gather__DOT__rsp_beats * UINT64_C(8);
	q->answer_data = rsp.data;
	q->write_master =
	    static_cast<uint8_t>(root->soc_smp__DOT__u_gather__DOT__send_id / DMA_LINES);
}

void read_smp_ports(const struct rtl *r, struct rtl_ports *ports)
{
	const smp_root *root = smp_of(r)->rootp;
	struct smp_requests *q = &ports->beats;
	read_request read = unpack_pin<read_request>(root->mem_read_o);
	memory_write write = unpack_pin<memory_write>(root->mem_write_o);
	serial tx = unpack_pin<serial>(root->uart_tx_o);

	q->read = root->mem_read_valid_o;
	q->read_id = read.id;
	q->read_address = read.addr;
	q->write = root->mem_write_valid_o;
	q->dma = write.dma;
	q->write_address = 8 * static_cast<uint64_t>(write.word);
	q->strobe = static_cast<uint8_t>(write.strb);
	q->data = write.data;
	q->answer = dma_answers(root, r);
	if (r->all || (q->write && q->dma))
		read_smp_dma(root, q);
	ports->tx_valid = tx.valid;
	ports->tx_data = static_cast<uint8_t>(tx.data);
	ports->link_valid = read_link_word(root, &ports->link);
}

void clock_smp(Vsmp *soc, bool level)
{
	soc->clk_i = soc->trace_clk_i = soc->class_clk_i = soc->float_clk_i = level;
	soc->nic_clk_i = soc->copy_clk_i = soc->dma_clk_i = soc->crossbar_clk_i = level;
	soc->hart_clk_i = level ? smp_top::ALL_HARTS : 0;
	soc->eval();
}

void leave_smp_reset(struct rtl *r)
{
	clock_smp(smp_of(r), false);
	clock_smp(smp_of(r), true);
}

void settle_smp(struct rtl *r)
{
	Vsmp___024root___eval_settle(smp_of(r)->rootp);
}

bool *trace_smp(const struct rtl *r, void *fst)
{
	return add_to_wave<VerilatedFstC>(smp_of(r), fst);
}

void release_smp(struct rtl *r)
{
	delete smp_of(r);
}

void find_smp_core(struct rtl_hart *hart, smp_core *core)
{
	const std::string at =
	    "soc_smp.gen_harts[" + std::to_string(hart->number) + "].u_core";
	struct probe *p = &hart->probe;

	hart->core = core;
	probe_find_core(p, at.c_str());
	p->priv = &core->trace_next_priv_o;
	p->satp = &core->trace_satp_o;
	p->data_priv =
	    &core->__PVT__u_retire__DOT__u_csr__DOT__u_status__DOT__data_priv_q;
	set_probe_lines(p, core->u_dcache__DOT__lines_q);
}

void find_smp_signals(struct rtl *r, smp_root *root)
{
	Vsmp__Syms *all = root->vlSymsp;

	find_smp_core(&r->harts[0],
		      &all->TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_core);
	find_smp_core(&r->harts[1],
		      &all->TOP__soc_smp__DOT__gen_harts__BRA__1__KET____DOT__u_core);
	r->devices = "soc_smp.u_devices";
	r->rx_ready = &root->uart_rx_ready_o;
	r->power = &root->power_o;
	r->trace_mode = &root->trace_mode_i;
}

} // namespace

bool smp_top_init(struct rtl *r, const struct rtl_config *config)
{
	static const struct rtl_top top = {
	    run_smp,	read_smp_commit, read_smp_ports, leave_smp_reset,
	    settle_smp, trace_smp,	 release_smp};
	Vsmp *soc = new (std::nothrow) Vsmp();

	if (!soc)
		return false;
	r->top = &top;
	r->model = soc;
	r->has_port = smp_top::HAS_PORT;
	soc->ram_size_i = config->ram_size;
	soc->float_on_i = config->has_float;
	soc->copy_on_i = config->has_copy;
	soc->nic_on_i = config->mac != 0;
	soc->mac_i = config->mac;
	for (unsigned i = 0; i < 4; i++)
		clock_smp(soc, i & 1);
	soc->rst_ni = 1;
	find_smp_signals(r, soc->rootp);
	smp_top(r).evaluate_inputs();
	return true;
}
