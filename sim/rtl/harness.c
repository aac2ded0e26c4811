/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine: what the loop over its cycles leaves to be done. */
#include "harness.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "counters.h"
#include "lockstep/lockstep.h"
#include "rtl.h"

enum { SLICE = 1 << 16, MAX_TRAPS = 64, QUIET_MAX = 1 << 20 };
enum { CSR_MIE = 0x304, CSR_MIP = 0x344, IRQ_TIMER = 7 };
enum { INTERRUPT = 16, TP = 4 };
#define NEVER UINT64_MAX

struct harness {
	struct machine machine; /* first */
	struct rtl rtl;
	struct soc_image image;
	struct memory *memory;
	struct harness_options options;
	struct machine_hooks hooks;
	struct tr_context context; /* after the last token or trap */
	struct rtl_commit commit;  /* the token in hand */
	bool watches_exit;
	bool held; /* `commit` was shown to the caller, and is to be counted */
	bool off;  /* it switched the power off */
	volatile sig_atomic_t stop;
	struct {
		unsigned count; /* since the last token */
		uint64_t tokens;
		struct soc_trap first, last;
	} traps;
	struct {
		uint8_t bytes[16];
		unsigned first, count;
	} rx;
	uint64_t awake; /* the last cycle known to have been spent in WFI */
	struct soc *model;
	struct lockstep *lockstep;
	struct counters *counters;
	const char *failure, *end;
};

static struct harness *of(struct machine *m)
{
	return (struct harness *)m;
}

static const struct harness *of_const(const struct machine *m)
{
	return (const struct harness *)m;
}

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

static bool is_power_off(const struct harness *h)
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
	return h->watches_exit && is_power_off(h);
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
	if (c->rd == TP && c->value != h->context.tp) {
		h->context.tp = c->value;
		if (hooks->tp)
			hooks->tp(hooks->user, 0, c->value);
	}
}

static void tell_tokens(struct harness *h)
{
	struct rtl *r = &h->rtl;

	if (r->nbatch && h->hooks.tokens)
		h->hooks.tokens(h->hooks.user, 0, r->batch, r->nbatch, r->runs);
	rtl_empty(r, false);
}

static void count_token(struct harness *h)
{
	h->held = false;
	rtl_count(&h->rtl, h->commit.pc, h->commit.insn);
	compare(h);
	tell_tokens(h);
	tell_changes(h);
	h->off = is_power_off(h);
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
	uint32_t power;

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
	/* No token will be seen to do that. */
	if (!h->rtl.seen)
		h->off = rtl_power(&h->rtl, &power);
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

/* ------------------------------------------------------------ the machine */

static bool lockstep_csr(void *user, unsigned csr, uint64_t *value)
{
	const struct harness *h = user;

	return rtl_csr(&h->rtl, csr, value);
}

/* The model gets what was loaded. */
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

static enum machine_stop run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	enum machine_stop stop = run_until(of(m), instret, cycle);

	tell_tokens(of(m));
	return stop;
}

static void request_stop(struct machine *m)
{
	of(m)->stop = 1;
}

static void state(const struct machine *m, struct machine_state *state)
{
	const struct harness *h = of_const(m);

	state->cycle = h->held ? h->rtl.since : h->rtl.cycle;
	state->instret = h->rtl.tokens;
	state->context = h->context;
}

static void next(const struct machine *m, struct machine_next *next)
{
	const struct harness *h = of_const(m);

	*next = (struct machine_next){.pc = rtl_next_pc(&h->rtl)};
	if (!h->held)
		return;
	next->known = true;
	next->pc = h->commit.pc;
	next->insn = h->commit.insn;
	next->exit = is_power_off(h);
}

static void observe(struct machine *m)
{
	rtl_observe(&of(m)->rtl, false);
}

static bool watch(struct machine *m, const struct trigger *trigger)
{
	struct harness *h = of(m);
	struct rtl_watch *w = &h->rtl.watches[h->rtl.nwatches];

	observe(m);
	if (trigger->kind == TRIGGER_EXIT) {
		h->watches_exit = true;
		return true;
	}
	if (h->rtl.nwatches == RTL_WATCHES)
		return false;
	h->rtl.nwatches++;
	*w = (struct rtl_watch){.pc = trigger->value, .pc_mask = UINT64_MAX};
	if (trigger->kind == TRIGGER_INSN)
		*w = (struct rtl_watch){.insn = (uint32_t)trigger->value,
					.insn_mask = trigger->mask};
	return true;
}

static void set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	of(m)->hooks = *hooks;
	of(m)->rtl.records = hooks->tokens != NULL;
}

static size_t counters(const struct machine *m, const struct machine_counter **list)
{
	return counters_list(of_const(m)->counters, list);
}

static bool choose(struct machine *m, const size_t *numbers, size_t n)
{
	observe(m);
	return counters_choose(of(m)->counters, &of(m)->rtl.cover, numbers, n);
}

static void count(struct machine *m, enum machine_count how)
{
	struct cover_chosen *cover = &of(m)->rtl.cover;

	if (how == MACHINE_COUNT_AHEAD && !cover->marks)
		cover_mark(cover);
	cover->marks = how == MACHINE_COUNT_AHEAD;
	*cover->on = how != MACHINE_COUNT_OFF;
	of(m)->rtl.changed = true; /* what the points alone need is computed, or not */
}

static void counts(const struct machine *m, uint64_t *values)
{
	const struct cover_chosen *cover = &of_const(m)->rtl.cover;

	for (size_t i = 0; i < cover->n; i++)
		values[i] = of_const(m)->held ? cover->counts[i].marked
					      : cover_cycles(&cover->counts[i]);
}

static size_t receive(struct machine *m, const uint8_t *data, size_t size)
{
	struct harness *h = of(m);
	size_t n = 0;

	if (h->rx.count || !rtl_rx_ready(&h->rtl))
		return 0;
	while (n < size && n < sizeof h->rx.bytes) {
		h->rx.bytes[n] = data[n];
		n++;
	}
	h->rx.first = 0;
	h->rx.count = (unsigned)n;
	return n;
}

static enum soc_power power(const struct machine *m, unsigned *status)
{
	uint32_t value;

	*status = 0;
	if (!of_const(m)->off)
		return SOC_POWER_ON;
	rtl_power(&of_const(m)->rtl, &value);
	if ((value & 0xffff) == SOC_POWER_RESET)
		return SOC_POWERED_RESET;
	if ((value & 0xffff) == SOC_POWER_FAIL)
		*status = value >> 16 & 0xff ? value >> 16 & 0xff : 1;
	return SOC_POWERED_OFF;
}

static void chain(const struct machine *m, struct soc_trap *first, struct soc_trap *last)
{
	*first = of_const(m)->traps.first;
	*last = of_const(m)->traps.last;
}

static const char *explain(const struct machine *m, const struct tr_cli *cli)
{
	const struct harness *h = of_const(m);

	tr_warn(cli, "cycle %" PRIu64 ": %s", h->rtl.cycle, h->failure);
	if (h->lockstep)
		lockstep_report(h->lockstep, stderr);
	return h->end;
}

static bool init(struct harness *h, uint64_t ram_size)
{
	if (!soc_image_init(&h->image, ram_size) || !rtl_init(&h->rtl, ram_size))
		return false;
	if (h->options.lockstep)
		rtl_observe(&h->rtl, true);
	h->counters = counters_new();
	h->memory = memory_new(h->image.ram, ram_size, &h->options.timing);
	h->context.priv = TR_PRIV_M;
	h->machine.image = &h->image;
	h->machine.runs = h->rtl.runs;
	h->rtl.skips = !h->options.no_skip;
	return h->memory && h->counters;
}

struct machine *harness_new(uint64_t ram_size, const struct harness_options *options)
{
	static const struct machine_ops ops = {.run = run,
					       .observe = observe,
					       .request_stop = request_stop,
					       .state = state,
					       .next = next,
					       .watch = watch,
					       .set_hooks = set_hooks,
					       .counters = counters,
					       .choose = choose,
					       .count = count,
					       .counts = counts,
					       .receive = receive,
					       .power = power,
					       .chain = chain,
					       .explain = explain};
	struct harness *h = calloc(1, sizeof *h);

	if (!h)
		return NULL;
	h->options = *options;
	h->machine.ops = &ops;
	if (init(h, ram_size))
		return &h->machine;
	harness_free(&h->machine);
	return NULL;
}

void harness_free(struct machine *m)
{
	struct harness *h = of(m);

	lockstep_free(h->lockstep);
	soc_free(h->model);
	counters_free(h->counters);
	memory_free(h->memory);
	rtl_release(&h->rtl);
	soc_image_free(&h->image);
	free(h);
}
