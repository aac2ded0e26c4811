/* SPDX-License-Identifier: Apache-2.0 */
/* What the loop over the cycles leaves to be done: tokens, traps, ports, limits. */
#include "harness_state.h"
#include "stream/sp.h"

enum { SLICE = 1 << 16, MAX_TRAPS = 64, QUIET_MAX = 1 << 20 };
enum { CSR_MIE = 0x304, CSR_MIP = 0x344, IRQ_TIMER = 7 };
enum { INTERRUPT = 16 };
#define NEVER UINT64_MAX

static void fail(struct harness *h, const char *end, const char *why)
{
	if (h->failure)
		return;
	h->end = end;
	h->failure = why;
}

/* ------------------------------------------------------------ tokens and traps */

static void compare(struct harness *h)
{
	if (h->lockstep && !lockstep_commit(h->lockstep, &h->commit))
		fail(h, "difference", "core and model differ");
}

bool harness_is_power_off(const struct harness *h)
{
	const struct rtl_commit *c = &h->commit;
	uint32_t value;

	return c->store && c->device && c->address == SOC_POWER_BASE &&
	       rtl_power(&h->rtl, &value) && (uint32_t)c->data == value;
}

static bool is_watched(const struct harness *h)
{
	const struct rtl_commit *c = &h->commit;

	for (unsigned i = 0; i < h->rtl.nwatches; i++) {
		const struct rtl_watch *w = &h->rtl.watches[i];

		if (((c->pc ^ w->pc) & w->pc_mask) == 0 &&
		    ((c->insn ^ w->insn) & w->insn_mask) == 0)
			return true;
	}
	return h->watches_exit && harness_is_power_off(h);
}

/* Whether the trace has to tell what it wrote to sp. */
static bool writes_sp(const struct rtl_commit *c)
{
	int64_t bytes;

	return c->rd == TR_REG_SP && !tr_sp_adds(c->insn, &bytes);
}

/* What the token changed, after it. */
static void tell_changes(struct harness *h)
{
	const struct machine_hooks *hooks = &h->hooks;
	const struct rtl_commit *c = &h->commit;

	if (c->wrote_satp) {
		h->context.satp = c->satp;
		if (hooks->satp)
			hooks->satp(hooks->user, 0, c->satp);
	}
	if (c->xret) {
		h->context.priv = c->next_priv;
		if (hooks->xret)
			hooks->xret(hooks->user, 0, c->next_priv);
	}
	if (c->rd == TR_REG_TP && c->value == h->context.tp)
		return;
	if (c->rd == TR_REG_TP)
		h->context.tp = c->value;
	if (hooks->reg && (c->rd == TR_REG_TP || writes_sp(c)))
		hooks->reg(hooks->user, 0, c->rd, c->value);
}

static void tell_tokens(struct harness *h)
{
	struct rtl *r = &h->rtl;
	const struct tr_batch batch = {.tokens = r->batch,
				       .stalls = r->stalls,
				       .runs = r->runs,
				       .count = r->nbatch,
				       .nstalls = r->nstalls};

	if (r->nbatch && h->hooks.tokens)
		h->hooks.tokens(h->hooks.user, 0, &batch, r->since);
	rtl_empty(r, false);
}

static void count_token(struct harness *h)
{
	h->held = false;
	rtl_count(&h->rtl, h->commit.pc, h->commit.insn);
	compare(h);
	tell_tokens(h);
	tell_changes(h);
	h->off = harness_is_power_off(h);
}

static void count_trap(struct harness *h)
{
	const struct rtl_commit *c = &h->commit;
	struct soc_trap trap = {
	    .tval = c->value, .epc = c->pc, .cycle = c->cycle, .priv = c->next_priv};

	tell_tokens(h);
	trap.cause = c->cause & (INTERRUPT - 1);
	if (c->cause & INTERRUPT)
		trap.cause |= TR_CAUSE_INTERRUPT;
	if (h->traps.tokens != h->rtl.tokens)
		h->traps.count = 0;
	h->traps.tokens = h->rtl.tokens;
	if (h->traps.count++ == 0)
		h->traps.first = trap;
	h->traps.last = trap;
	rtl_since(&h->rtl);
	h->context.priv = c->next_priv;
	compare(h);
	h->machine.runs = h->rtl.runs;
	h->machine.nruns = h->rtl.nruns;
	if (h->hooks.trap)
		h->hooks.trap(h->hooks.user, 0, &trap);
	rtl_empty(&h->rtl, true);
}

/* ------------------------------------------------------------ ports */

static void answer_ports(struct harness *h)
{
	uint64_t next = h->rtl.cycle + 1; /* the cycle that they speak in */
	struct rtl_ports p;

	rtl_read_ports(&h->rtl, &p);
	if (p.wb_valid)
		memory_write_back(h->memory, p.wb_addr, p.wb_data);
	if (p.imem_req)
		memory_fetch(h->memory, next, p.imem_addr);
	if (p.dmem_req)
		memory_data(h->memory, next, p.dmem_addr, p.dmem_upgrade);
	if (p.tx_valid && h->hooks.uart)
		h->hooks.uart(h->hooks.user, p.tx_data);
	if (memory_fault(h->memory))
		fail(h, "failed", memory_fault(h->memory));
}

/* The inputs for the next cycle; true if they are for that one alone. */
static bool drive(struct harness *h)
{
	struct rtl *r = &h->rtl;
	bool send = h->rx.count && !r->rx_valid && rtl_rx_ready(r);

	if (memory_next(h->memory) <= r->cycle + 1) {
		memory_drive(h->memory, r->cycle + 1, &r->pins);
		r->changed = true;
	}
	if (send) {
		r->rx_data = h->rx.bytes[h->rx.first++];
		h->rx.count--;
		r->dozing = false;
	}
	r->changed |= send || r->rx_valid;
	r->rx_valid = send;
	return send;
}

/* Can the WFI in which the core waits end without input? */
static bool can_wake(const struct harness *h)
{
	uint64_t mie, mip, mtime, mtimecmp;

	if (memory_next(h->memory) != NEVER)
		return true;
	rtl_csr(&h->rtl, CSR_MIE, &mie);
	rtl_csr(&h->rtl, CSR_MIP, &mip);
	rtl_timer(&h->rtl, &mtime, &mtimecmp);
	if (mie & mip)
		return true;
	return (mie >> IRQ_TIMER & 1) &&
	       mtimecmp - mtime < NEVER / (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ);
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The core must commit or trap now and then, or sleep. */
static void check_progress(struct harness *h)
{
	const struct memory_timing *t = &h->options.timing;
	struct rtl *r = &h->rtl;
	uint64_t last = r->since > h->awake ? r->since : h->awake;

	if (rtl_asleep(r))
		h->awake = r->cycle;
	else if (r->cycle - last > QUIET_MAX + UINT64_C(16) * (t->l2 + t->dram))
		fail(h, "stuck", "the core neither commits nor traps");
}

/* Some cycles; false when the run must stop, for the reason given. */
static bool advance(struct harness *h, uint64_t limit, enum machine_stop *stop)
{
	struct rtl *r = &h->rtl;
	bool alone = drive(h);
	unsigned why;

	r->until = lower(limit, (r->cycle | (SLICE - 1)) + 1);
	r->until = alone ? r->cycle + 1 : lower(r->until, memory_next(h->memory) - 1);
	why = rtl_run(r);
	if (why == RTL_ASLEEP) {
		r->dozing = can_wake(h);
		*stop = MACHINE_IDLE;
		return r->dozing;
	}
	if (r->probe_ack)
		memory_probe_ack(h->memory, r->cycle);
	if (why & RTL_PORTS)
		answer_ports(h);
	h->off |= (why & RTL_OFF) != 0;
	if (why & RTL_FULL)
		tell_tokens(h);
	if (why & RTL_TRAP && !r->seen)
		rtl_read_trap(r, &h->commit);
	else if (why & (RTL_TOKEN | RTL_TRAP))
		rtl_read_commit(r, &h->commit);
	if (why & RTL_TRAP)
		count_trap(h);
	if (r->cycle % SLICE == 0)
		check_progress(h);
	h->held = (why & RTL_TOKEN) && is_watched(h);
	if ((why & RTL_TOKEN) && !h->held)
		count_token(h);
	*stop = MACHINE_BREAK;
	return !h->held;
}
/* ------------------------------------------------------------ the run */

static bool lockstep_csr(void *user, unsigned csr, uint64_t *value)
{
	const struct harness *h = user;

	return rtl_csr(&h->rtl, csr, value);
}

/* The model gets what was loaded, and the same register. */
static bool begin_lockstep(struct harness *h)
{
	const struct soc_config config = {.ram_size = h->image.size, .harts = 1};
	const struct lockstep_side side = {.user = h, .csr = lockstep_csr};

	h->model = soc_new(&config);
	if (!h->model)
		return false;
	for (size_t i = 0; i < h->image.nloaded; i++) {
		uint64_t first = h->image.loaded[i].first;

		soc_write_physical(h->model, first, h->image.ram + first - SOC_RAM_BASE,
				   h->image.loaded[i].last - first + 1);
	}
	soc_set_x(h->model, 0, HARNESS_A1, h->a1);
	h->lockstep = lockstep_new(h->model, &side);
	return h->lockstep != NULL;
}

static enum machine_stop run_until(struct harness *h, uint64_t instret, uint64_t cycle)
{
	enum machine_stop stop = MACHINE_LIMIT;

	if (h->options.lockstep && !h->lockstep && !begin_lockstep(h))
		fail(h, "failed", "out of memory");
	if (h->held)
		count_token(h);
	h->rtl.instret = instret;
	do {
		if (h->failure)
			return MACHINE_FAILED;
		if (h->off)
			return MACHINE_POWER;
		if (h->stop) {
			h->stop = 0;
			return MACHINE_REQUEST;
		}
		if (h->rtl.tokens >= instret || h->rtl.cycle >= cycle)
			return MACHINE_LIMIT;
		if (h->traps.count >= MAX_TRAPS && h->traps.tokens == h->rtl.tokens)
			return MACHINE_LOOP;
	} while (advance(h, cycle, &stop));
	return stop;
}

enum machine_stop harness_run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	struct harness *h = harness_of(m);
	enum machine_stop stop = run_until(h, instret, cycle);

	tell_tokens(h);
	return stop;
}
