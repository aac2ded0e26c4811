// SPDX-License-Identifier: Apache-2.0
// The Verilated SoC with several harts behind a C interface. As in rtl.cc, the loop calls
// the two parts of eval() directly if triggers.h says that it may.
#include "smp.h"

#include <new>

#include "Vsmp.h"
#include "Vsmp__Syms.h"
#include "link.h"
#include "record.h"
#include "rtl_constants.h"
#include "triggers.h"

#define CORE(name) (root->name)
#include "watch.h"

void Vsmp___024root___eval_ico(Vsmp___024root *root);
void Vsmp___024root___eval_nba(Vsmp___024root *root);
// What shorten.sh adds: evaluates the logic between registers that depends on a hart.
void Vsmp___024root___eval_hart0(Vsmp___024root *root);
void Vsmp___024root___eval_hart1(Vsmp___024root *root);

// Lines of a master of DMA; identifiers of lines in crossbar_gather.sv.
enum { DMA_LINES = 8, GATHER_LINES = 4 * DMA_LINES };

static const unsigned ALL_HARTS = (1U << SMP_HARTS) - 1;

using core =
    decltype(Vsmp__Syms::TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_core);

static Vsmp___024root *smp_root(const struct smp *s)
{
	return static_cast<Vsmp *>(s->model)->rootp;
}

static const core *core_of(const struct rtl *hart)
{
	return static_cast<const core *>(hart->model);
}

// Returns the harts that have a clock edge, one bit each.
static unsigned running_harts(const Vsmp___024root *root, const struct smp *s)
{
	return s->skips ? root->hart_clk_req_o : ALL_HARTS;
}

// As in rtl.cc.
static bool crossbar_runs(const Vsmp___024root *root, const struct smp *s)
{
	return root->crossbar_clk_req_o || !s->skips;
}

static bool smp_nic_runs(const Vsmp___024root *root, const struct smp *s)
{
	return s->has_nic && (root->nic_clk_req_o || !s->skips);
}

static bool smp_copy_runs(const Vsmp___024root *root, const struct smp *s)
{
	return s->has_copy && (root->copy_clk_req_o || !s->skips);
}

// The clock of the way of DMA to the crossbar.
static bool dma_runs(const Vsmp___024root *root, const struct smp *s)
{
	return (s->has_nic || s->has_copy) && (root->dma_clk_req_o || !s->skips);
}

static bool is_counting(const struct smp *s)
{
	return s->harts[0].cover.counting;
}

#if EDGE_ALONE
static void smp_evaluate_inputs(const struct smp *s)
{
	Vsmp___024root *root = smp_root(s);

	root->__VicoTriggered.at(0) = true;
	Vsmp___024root___eval_ico(root);
}

static inline void smp_set_trigger(Vsmp___024root *root, int number, bool rises)
{
	if (number >= 0)
		root->__VnbaTriggered.at(static_cast<unsigned>(number)) = rises;
}

// As in rtl.cc.
static void smp_choose_clocks(Vsmp___024root *root, const struct smp *s)
{
	smp_set_trigger(root, TRIGGER_CLK, true);
	smp_set_trigger(root, TRIGGER_TRACE_CLK, s->seen);
	smp_set_trigger(root, TRIGGER_CLASS_CLK, s->seen || s->classes);
	smp_set_trigger(root, TRIGGER_COVER_CLK, is_counting(s));
	smp_set_trigger(root, TRIGGER_NIC_CLK, false);
	smp_set_trigger(root, TRIGGER_COPY_CLK, false);
	smp_set_trigger(root, TRIGGER_DMA_CLK, false);
}

// Evaluates the logic of harts that are wanted for the next edge, but had none before.
static inline void wake_harts(Vsmp___024root *root, struct smp *s)
{
	const unsigned stale = running_harts(root, s) & ~s->fresh;

	if (stale & 1)
		Vsmp___024root___eval_hart0(root);
	if (stale & 2)
		Vsmp___024root___eval_hart1(root);
	s->fresh |= stale;
}

static inline void smp_evaluate_edge(Vsmp___024root *root, struct smp *s)
{
	s->fresh = running_harts(root, s);
	smp_set_trigger(root, TRIGGER_HART0_CLK, s->fresh & 1);
	smp_set_trigger(root, TRIGGER_HART1_CLK, s->fresh >> 1 & 1);
	if (s->has_nic || s->has_copy) {
		smp_set_trigger(root, TRIGGER_NIC_CLK, smp_nic_runs(root, s));
		smp_set_trigger(root, TRIGGER_COPY_CLK, smp_copy_runs(root, s));
		smp_set_trigger(root, TRIGGER_DMA_CLK, dma_runs(root, s));
	}
	smp_set_trigger(root, TRIGGER_CROSSBAR_CLK, crossbar_runs(root, s));
	smp_set_trigger(root, TRIGGER_FLOAT_CLK, s->has_float && root->float_clk_req_o);
	Vsmp___024root___eval_nba(root);
	if (s->fresh != ALL_HARTS)
		wake_harts(root, s);
}
#else
static void wake_harts(Vsmp___024root *, struct smp *)
{
}

static void smp_evaluate_inputs(const struct smp *s)
{
	static_cast<Vsmp *>(s->model)->eval();
}

static void smp_choose_clocks(Vsmp___024root *, const struct smp *)
{
}

static void smp_evaluate_edge(Vsmp___024root *root, struct smp *s)
{
	const CData harts = static_cast<CData>(running_harts(root, s));
	const CData wanted = root->float_clk_req_o;
	const CData nic_wanted = smp_nic_runs(root, s);
	const CData copy_wanted = smp_copy_runs(root, s), dma_wanted = dma_runs(root, s);
	const CData crossbar_wanted = crossbar_runs(root, s);
	uint8_t *cover_clk = s->harts[0].cover.clk;

	for (CData level = 0; level < 2; level++) {
		root->clk_i = level;
		root->hart_clk_i = level ? harts : 0;
		root->float_clk_i = level & wanted & s->has_float;
		root->nic_clk_i = level & nic_wanted;
		root->copy_clk_i = level & copy_wanted;
		root->dma_clk_i = level & dma_wanted;
		root->crossbar_clk_i = level & crossbar_wanted;
		root->trace_clk_i = level && s->seen;
		root->class_clk_i = level && (s->seen || s->classes);
		if (cover_clk)
			*cover_clk = level && is_counting(s);
		static_cast<Vsmp *>(s->model)->eval();
	}
}
#endif

bool smp_init(struct smp *s, const struct rtl_config *config)
{
	Vsmp *soc = new (std::nothrow) Vsmp();

	if (!soc)
		return false;
	*s = smp();
	s->model = soc;
	s->has_float = config->has_float;
	s->has_nic = config->mac != 0;
	s->has_copy = config->has_copy;
	s->harts[0].model =
	    &soc->rootp->vlSymsp
		 ->TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_core;
	s->harts[1].model =
	    &soc->rootp->vlSymsp
		 ->TOP__soc_smp__DOT__gen_harts__BRA__1__KET____DOT__u_core;
	soc->ram_size_i = config->ram_size;
	soc->float_on_i = config->has_float;
	soc->copy_on_i = config->has_copy;
	soc->nic_on_i = s->has_nic;
	soc->mac_i = config->mac;
	for (int i = 0; i < 4; i++) {
		soc->clk_i = soc->trace_clk_i = soc->class_clk_i = soc->float_clk_i =
		    soc->nic_clk_i = soc->copy_clk_i = soc->dma_clk_i =
			soc->crossbar_clk_i = i & 1;
		soc->hart_clk_i = i & 1 ? ALL_HARTS : 0;
		soc->eval();
	}
	soc->rst_ni = 1;
	smp_evaluate_inputs(s);
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		s->harts[i].tlb.next = &s->harts[(i + 1) % SMP_HARTS].tlb;
		s->harts[i].tlb.valid =
		    &core_of(&s->harts[i])->u_lsu__DOT__u_tlb__DOT__valid_q;
		s->harts[i].tlb.copies = s->harts[i].tlb.alert = config->has_copy;
	}
	return true;
}

void smp_count_classes(struct smp *s)
{
	s->classes = true;
	smp_root(s)->trace_mode_i |= TRACE_CLASSES;
	s->changed = true;
}

void smp_observe(struct smp *s, bool all)
{
	smp_count_classes(s);
	s->seen = true;
	s->all |= all;
	for (struct rtl &hart : s->harts)
		hart.all = s->all;
	smp_root(s)->trace_mode_i |= TRACE_ON;
	if (s->all)
		smp_root(s)->trace_mode_i |= TRACE_FULL;
}

void smp_release(struct smp *s)
{
	delete static_cast<Vsmp *>(s->model);
}

static void smp_drive_pins(Vsmp___024root *root, struct smp *s)
{
	root->mem_rsp_valid_i = s->pins.valid;
	pack_pin(root->mem_rsp_i, read_beat{s->pins.data, s->pins.id});
	root->mem_dram_i = s->pins.dram;
	pack_pin(root->uart_rx_i, serial{s->rx_data, s->rx_valid});
	if (s->has_nic)
		drive_link(root, &s->link, 0);
	smp_evaluate_inputs(s);
	wake_harts(root, s);
	s->changed = false;
}

bool smp_asleep(const struct rtl *hart)
{
	const core *c = core_of(hart);

	return c->u_retire__DOT__valid_q && c->u_retire__DOT__unit_q == RTL_UnitSys;
}

static bool all_asleep(const struct smp *s)
{
	for (const struct rtl &hart : s->harts)
		if (!smp_asleep(&hart))
			return false;
	return true;
}

// Evaluates an edge, which may stand for several cycles; returns their number.
static unsigned smp_advance_edge(Vsmp___024root *root, struct smp *s, bool idle)
{
	uint64_t n = s->until - s->cycle;

	if (!idle || !s->skips || n <= 1) {
		smp_evaluate_edge(root, s);
		return 1;
	}
	n = n < root->tick_o ? n : root->tick_o;
	root->skip_i = static_cast<SData>(n - 1);
	smp_evaluate_inputs(s);
	for (struct rtl &hart : s->harts)
		cover_before(&hart.cover);
	smp_evaluate_edge(root, s);
	for (struct rtl &hart : s->harts)
		cover_after(&hart.cover, static_cast<unsigned>(n - 1));
	root->skip_i = 0;
	smp_evaluate_inputs(s);
	return static_cast<unsigned>(n);
}

// Returns the reasons that a hart has.
static unsigned after_seen(struct smp *s, unsigned hart, unsigned cycles)
{
	struct rtl *r = &s->harts[hart];
	const core *c = core_of(r);
	unsigned why = after_edge(c, r, cycles);

	if (r->nwatches &&
	    token_comes(r, c->u_retire__DOT__executed_q, c->u_retire__DOT__valid_q)) {
		s->next |= 1U << hart;
		why |= RTL_NEXT;
	}
	s->tokens += (c->trace_event_o & TRACE_VALID) && !(why & RTL_TOKEN);
	s->committed |= (why & RTL_TOKEN ? 1U : 0) << hart;
	s->trapped |= (why & RTL_TRAP ? 1U : 0) << hart;
	return why;
}

// The same without an observer, who would need tokens.
static unsigned after_unseen(struct smp *s, unsigned hart, unsigned cycles)
{
	struct rtl *r = &s->harts[hart];
	unsigned event = core_of(r)->trace_event_o;

	r->cycle += cycles;
	if (event & TRACE_VALID) {
		r->since = r->cycle;
		r->tokens++;
		s->tokens++;
	}
	if (!(event & TRACE_TRAP))
		return 0;
	s->trapped |= 1U << hart;
	return RTL_TRAP;
}

// Without an observer, the write to the power register ends the run: with the edge after
// it, at which the store commits.
static bool is_off(const Vsmp___024root *root)
{
	return unpack_pin<power>(root->power_o).valid;
}

// Before an edge: a probe may end a reservation at it.
static void watch_probes(struct smp *s)
{
	for (unsigned h = 0; h < SMP_HARTS; h++) {
		const core *c = core_of(&s->harts[h]);
		probe p = unpack_pin<probe>(c->probe_i);

		if (c->probe_valid_i && p.op == RTL_ProbeWrite &&
		    p.addr >> 6 == c->u_lsu__DOT__u_reservation__DOT__reserved_line_q)
			s->probed[h] = true;
	}
}

// Returns whether DMA has read something, for lockstep.
static bool dma_answers(const Vsmp___024root *root, const struct smp *s)
{
	return s->all && root->soc_smp__DOT__u_gather__DOT__rsp_valid_o;
}

// As in rtl.cc; the setting is for all harts.
static void smp_change_detail(Vsmp___024root *root, struct smp *s)
{
	bool full = s->all;

	for (const struct rtl &hart : s->harts)
		full |= hart.tlb.watched;
	if (full == ((root->trace_mode_i & TRACE_FULL) != 0))
		return;
	root->trace_mode_i ^= TRACE_FULL;
	smp_evaluate_inputs(s);
}

// Where the token of one hart may be a store that makes entries old, those of the others
// are handled as well: one that commits in the same cycle used the entry as it was. A
// store to any page makes the entry old for which a walk is in progress.
static void smp_watch_next_tokens(Vsmp___024root *root, struct smp *s)
{
	bool is_watched_token = false;

	for (struct rtl &hart : s->harts)
		if (in_m(core_of(&hart)))
			follow_walk(core_of(&hart), &hart.tlb);
	for (struct rtl &hart : s->harts) {
		if (in_m(core_of(&hart)))
			note_uses(core_of(&hart), &hart.tlb);
		is_watched_token |= hart.tlb.watched | hart.tlb.walks;
	}
	for (struct rtl &hart : s->harts)
		if (is_watched_token && in_m(core_of(&hart)))
			hart.tlb.watched = hart.tlb.alert = true;
	smp_change_detail(root, s);
}

// Before an edge.
static inline void watch_harts(Vsmp___024root *root, struct smp *s)
{
	for (const struct rtl &hart : s->harts) {
		if (concerns_tlb(core_of(&hart), &hart.tlb)) {
			smp_watch_next_tokens(root, s);
			return;
		}
	}
}

// After tokens and traps.
static inline void unwatch_harts(Vsmp___024root *root, struct smp *s)
{
	bool changed = false;

	for (struct rtl &hart : s->harts)
		changed |= hart.tlb.alert && end_watch(core_of(&hart), &hart.tlb);
	if (changed)
		smp_change_detail(root, s);
}

template <bool SEEN> static unsigned smp_run_cycles(struct smp *s)
{
	Vsmp___024root *root = smp_root(s);
	bool steady = !s->changed;
	unsigned why = 0;

	if (s->changed)
		smp_drive_pins(root, s);
	s->committed = s->trapped = s->next = 0;
	smp_choose_clocks(root, s);
	if (SEEN)
		unwatch_harts(root, s);
	do {
		bool idle = root->idle_o && steady, off = !SEEN && is_off(root);

		if (idle && !s->dozing && all_asleep(s))
			return RTL_ASLEEP;
		s->dozing &= idle;
		steady = true;
		if (SEEN)
			watch_harts(root, s);
		if (SEEN && s->all)
			watch_probes(s);
		unsigned cycles = smp_advance_edge(root, s, idle);
		s->cycle += cycles;
		for (unsigned h = 0; h < SMP_HARTS; h++)
			why |=
			    SEEN ? after_seen(s, h, cycles) : after_unseen(s, h, cycles);
		if (off)
			why |= RTL_OFF;
		if (root->mem_read_valid_o | root->mem_write_valid_o |
		    root->link_tx_valid_o | unpack_pin<serial>(root->uart_tx_o).valid)
			why |= RTL_PORTS;
		if (SEEN && dma_answers(root, s))
			why |= RTL_PORTS;
	} while (!why && s->cycle < s->until && s->tokens < s->instret);
	return why;
}

unsigned smp_run(struct smp *s)
{
	return s->seen ? smp_run_cycles<true>(s) : smp_run_cycles<false>(s);
}

void smp_read_commit(const struct rtl *hart, struct rtl_commit *commit)
{
	read_commit(core_of(hart), hart, commit);
	commit->source = core_of(hart)->u_lsu__DOT__source_q;
}

// Masters and reads of DMA: what crossbar_gather.sv knows of them.
static void smp_read_dma(const Vsmp___024root *root, struct smp_ports *p)
{
	dma_rsp rsp = unpack_pin<dma_rsp>(root->soc_smp__DOT__u_gather__DOT__rsp_o);

	p->answer_master = static_cast<uint8_t>(rsp.id / DMA_LINES);
	p->answer_address =
	    root->soc_smp__DOT__u_gather__DOT__read_lines_q[rsp.id % GATHER_LINES] * 64 +
	    root->soc_smp__DOT__u_gather__DOT__rsp_beats * UINT64_C(8);
	p->answer_data = rsp.data;
	p->write_master =
	    static_cast<uint8_t>(root->soc_smp__DOT__u_gather__DOT__send_id / DMA_LINES);
}

void smp_read_ports(const struct smp *s, struct smp_ports *p)
{
	const Vsmp___024root *root = smp_root(s);
	read_request read = unpack_pin<read_request>(root->mem_read_o);
	memory_write write = unpack_pin<memory_write>(root->mem_write_o);
	serial tx = unpack_pin<serial>(root->uart_tx_o);

	p->read = root->mem_read_valid_o;
	p->read_id = read.id;
	p->read_address = read.addr;
	p->write = root->mem_write_valid_o;
	p->dma = write.dma;
	p->write_address = 8 * static_cast<uint64_t>(write.word);
	p->strobe = static_cast<uint8_t>(write.strb);
	p->data = write.data;
	p->tx_valid = tx.valid;
	p->tx_data = static_cast<uint8_t>(tx.data);
	p->link_valid = read_link_word(root, &p->link);
	p->answer = dma_answers(root, s);
	if (s->all || (p->write && p->dma))
		smp_read_dma(root, p);
}

bool smp_rx_ready(const struct smp *s)
{
	return smp_root(s)->uart_rx_ready_o;
}

bool smp_power(const struct smp *s, uint32_t *value)
{
	power p = unpack_pin<power>(smp_root(s)->power_o);

	*value = p.value;
	return p.valid;
}

void smp_timer(const struct smp *s, unsigned hart, uint64_t *mtime, uint64_t *mtimecmp)
{
	const Vsmp___024root *root = smp_root(s);
	const auto &compare =
	    root->soc_smp__DOT__u_devices__DOT__u_clint__DOT__mtimecmp_q;

	*mtime = root->soc_smp__DOT__u_devices__DOT__u_clint__DOT__mtime_q;
	*mtimecmp = compare[2 * hart] | static_cast<uint64_t>(compare[2 * hart + 1])
					    << 32;
}
