// SPDX-License-Identifier: Apache-2.0
// What the tops of soc.cc and soc_smp.cc have in common: the creation of the Verilated
// class, its clocks, and the pins of the devices.
//
// Verilator's eval() calls two functions: one evaluates the logic that depends on inputs,
// the other the clock edge. Inputs are the same in most cycles, so the loop calls only
// the one for the edge, and the other after an input has changed. If triggers.h says that
// this version of Verilator is unknown, the loop calls eval() for each level of the
// clocks.
#ifndef VERILATED_TOP_H
#define VERILATED_TOP_H

#include <new>

#include "pins.h"
#include "record.h"
#include "rtl.h"
#include "view.h"

// Sets whether a clock has the next edge: its trigger, or its pin, for eval().
template <class ROOT>
static inline void set_clock(ROOT *root, int trigger, CData &pin, bool runs)
{
#if EDGE_ALONE
	(void)pin;
	if (trigger >= 0)
		root->__VnbaTriggered.at(static_cast<unsigned>(trigger)) = runs;
#else
	(void)root;
	(void)trigger;
	pin = runs;
#endif
}

template <class SOC> static SOC *model_of(const struct rtl *r)
{
	return static_cast<SOC *>(r->model);
}

// SOC is the Verilated class. INPUTS, EDGE and SETTLE are functions that Verilator has
// generated for it: they evaluate what depends on inputs, the triggered clock edges, and
// all logic between registers.
template <class SOC, auto INPUTS, auto EDGE, auto SETTLE> struct verilated_top {
	using model = SOC;

	decltype(SOC::rootp) const root;
	struct rtl *const r;

	explicit verilated_top(struct rtl *rtl) : root(model_of<SOC>(rtl)->rootp), r(rtl)
	{
	}

	bool has_dma() const
	{
		return r->has_nic || r->has_disk || r->features.copy;
	}

	static void set_common_clocks(SOC *soc, bool level)
	{
		soc->clk_i = soc->trace_clk_i = soc->class_clk_i = level;
		soc->float_clk_i = soc->nic_clk_i = soc->copy_clk_i = level;
	}

	void evaluate_inputs() const
	{
#if EDGE_ALONE
		root->__VicoTriggered.at(0) = true;
		INPUTS(root);
#else
		model_of<SOC>(r)->eval();
#endif
	}

	void evaluate_triggered() const
	{
#if EDGE_ALONE
		EDGE(root);
#else
		model_of<SOC>(r)->eval();
#endif
	}

	static void settle(struct rtl *rtl)
	{
		SETTLE(model_of<SOC>(rtl)->rootp);
	}

	// These clocks are stopped while their results are not needed: tokens, classes of
	// lost cycles, counts. Those of DMA and floating point are chosen for each edge.
	void choose_clocks() const
	{
		static CData none;
		const struct cover_chosen *cover = &r->harts[0].cover;

		set_clock(root, TRIGGER_CLK, root->clk_i, true);
		set_clock(root, TRIGGER_TRACE_CLK, root->trace_clk_i, r->seen);
		set_clock(root, TRIGGER_CLASS_CLK, root->class_clk_i,
			  r->seen || r->classes);
		set_clock(root, TRIGGER_FLOAT_CLK, root->float_clk_i, false);
		set_clock(root, TRIGGER_NIC_CLK, root->nic_clk_i, false);
		set_clock(root, TRIGGER_COPY_CLK, root->copy_clk_i, false);
		set_clock(root, TRIGGER_COVER_CLK, cover->clk ? *cover->clk : none,
			  cover->counting);
	}

	// Returns whether a clock has an edge. Without skips none ever stops, so that a
	// comparison shows whether it may.
	bool runs(bool requested) const
	{
		return requested || !r->skips;
	}

	bool nic_runs() const
	{
		return r->has_nic && runs(root->nic_clk_req_o);
	}

	bool copy_runs() const
	{
		return r->features.copy && runs(root->copy_clk_req_o);
	}

	// `dma`: the bits NIC_RSP and NIC_DONE.
	void drive_link(unsigned dma) const
	{
		const struct wire_pins *link = &r->link;
		const struct wire_word *word = &link->word;

		root->nic_i = static_cast<CData>(dma | (link->valid ? NIC_RX : 0) |
						 (link->up ? NIC_UP : 0) |
						 (link->ready ? NIC_READY : 0));
		if (link->valid)
			pack_pin(
			    root->link_rx_i,
			    link_word{word->data, (word->bytes - 1) & 7U, word->last});
	}

	void read_device_ports(struct rtl_ports *ports) const
	{
		const serial tx = unpack_pin<serial>(root->uart_tx_o);

		ports->tx_valid = tx.valid;
		ports->tx_data = static_cast<uint8_t>(tx.data);
		ports->link_valid = r->has_nic && root->link_tx_valid_o;
		if (!ports->link_valid)
			return;
		const link_word word = unpack_pin<link_word>(root->link_tx_o);
		ports->link = {word.last != 0, word.bytes + 1U, word.data};
	}
};

// The falling edge of all clocks for eval(), before their pins are chosen for the next.
template <class TOP> static inline void lower_clocks(const TOP &top)
{
	if (EDGE_ALONE)
		return;
	if (top.r->harts[0].cover.clk)
		*top.r->harts[0].cover.clk = 0;
	TOP::set_clocks(model_of<typename TOP::model>(top.r), false);
	top.choose_clocks();
}

template <class SOC> static void release_model(struct rtl *r)
{
	delete model_of<SOC>(r);
}

// In a build with VIEW=1: adds all signals to a waveform. Returns the flag that eval()
// would set.
class VerilatedFstC;
template <class SOC, class FST> static bool *trace_model(const struct rtl *r, void *fst)
{
	if constexpr (VIEW) {
		model_of<SOC>(r)->trace(static_cast<FST *>(fst), 99);
		return &model_of<SOC>(r)->rootp->vlSymsp->__Vm_activity;
	}
	(void)r;
	(void)fst;
	return nullptr;
}

// An edge of all clocks; the reset of the harts is registered.
template <class TOP> static void leave_reset(struct rtl *r)
{
	if (r->has_left_reset)
		return;
	r->has_left_reset = true;
	TOP::set_clocks(model_of<typename TOP::model>(r), false);
	TOP::set_clocks(model_of<typename TOP::model>(r), true);
}

template <class PORT>
static void read_commit_of(const struct rtl *r, unsigned hart, unsigned slot,
			   struct rtl_commit *commit)
{
	const struct rtl_hart *h = &r->harts[hart];

	read_token(static_cast<const PORT *>(h->core), slot, &h->probe, r->cycle, commit);
}

template <class TOP> static void read_ports_of(struct rtl *r, struct rtl_ports *ports)
{
	TOP(r).read_ports(ports);
}

// Creates the model, and sets the straps. Returns NULL if memory runs out.
template <class TOP>
static typename TOP::model *init_top(struct rtl *r, const struct rtl_config *config)
{
	using SOC = typename TOP::model;
	static const struct rtl_top top = {
	    TOP::run,		read_commit_of<typename TOP::port>,
	    read_ports_of<TOP>, leave_reset<TOP>,
	    TOP::settle,	trace_model<SOC, VerilatedFstC>,
	    release_model<SOC>};
	SOC *soc = new (std::nothrow) SOC();

	if (!soc)
		return nullptr;
	r->top = &top;
	r->model = soc;
	r->has_port = TOP::HAS_PORT;
	soc->ram_size_i = config->ram_size;
	soc->float_on_i = config->features.fpu;
	soc->copy_on_i = config->features.copy;
	soc->nic_on_i = config->mac != 0;
	soc->mac_i = config->mac;
	TOP::set_straps(soc, config);
	for (unsigned i = 0; i < 4; i++)
		TOP::set_clocks(soc, i & 1);
	soc->rst_ni = 1;
	r->rx_ready = &soc->rootp->uart_rx_ready_o;
	r->power = &soc->rootp->power_o;
	r->trace_mode = &soc->rootp->trace_mode_i;
	TOP(r).evaluate_inputs();
	return soc;
}

#endif
