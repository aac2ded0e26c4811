/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL with several harts as a machine. */
#include "smp_harness.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>

#include "lockstep/lockstep.h"
#include "smp.h"
#include "stream/sp.h"

enum { SLICE = 1 << 16, MAX_TRAPS = 64, QUIET_MAX = 1 << 20, A1 = 11 };
enum { CSR_MIE = 0x304, CSR_MIP = 0x344, IRQ_TIMER = 7, INTERRUPT = 16, LR = 0x1000002f };
#define NEVER UINT64_MAX

struct hart {
	struct smp_harness *machine;
	unsigned number;
	struct rtl *rtl;
	struct tr_context context; /* after the last token or trap */
	struct rtl_commit commit;  /* the token or trap in hand */
	struct {
		unsigned count; /* since the last token */
		uint64_t tokens;
		struct soc_trap first, last;
	} traps;
	uint64_t awake; /* the last cycle known to have been spent in WFI */
	struct lockstep *lockstep;
};

struct smp_harness {
	struct machine machine; /* must be first */
	struct smp smp;
	struct soc_image image;
	struct smp_memory *memory;
	struct harness_options options;
	struct machine_hooks hooks;
	struct hart harts[SMP_HARTS];
	unsigned last; /* the hart of the last token or trap */
	bool held;     /* its token was shown to the caller, and is to be counted */
	bool watches_exit;
	bool off;
	volatile sig_atomic_t stop;
	struct {
		uint8_t bytes[16];
		unsigned first, count;
	} rx;
	uint64_t a1;
	struct soc *model;
	const char *failure, *end;
};

static struct smp_harness *of(struct machine *m)
{
	return (struct smp_harness *)m;
}

static const struct smp_harness *of_const(const struct machine *m)
{
	return (const struct smp_harness *)m;
}

static void fail(struct smp_harness *h, const char *end, const char *why)
{
	if (h->failure)
		return;
	h->end = end;
	h->failure = why;
}

/* ------------------------------------------------------------ tokens and traps */

static void tell_tokens(struct smp_harness *h, struct hart *hart)
{
	struct rtl *r = hart->rtl;
	const struct tr_batch batch = {.tokens = r->batch,
				       .stalls = r->stalls,
				       .runs = r->runs,
				       .count = r->nbatch,
				       .nstalls = r->nstalls};

	if (r->nbatch && h->hooks.tokens)
		h->hooks.tokens(h->hooks.user, hart->number, &batch, r->since);
	rtl_empty(r, false);
}

static void tell_all_tokens(struct smp_harness *h)
{
	for (unsigned i = 0; i < SMP_HARTS; i++)
		tell_tokens(h, &h->harts[i]);
}

/* Returns whether the trace must report the token's write of sp. */
static bool writes_sp(const struct rtl_commit *c)
{
	int64_t bytes;

	return c->rd == TR_REG_SP && !tr_sp_adds(c->insn, &bytes);
}

/* Reports the changes made by the token, after it. */
static void tell_changes(struct smp_harness *h, struct hart *hart)
{
	const struct machine_hooks *hooks = &h->hooks;
	const struct rtl_commit *c = &hart->commit;

	if (c->wrote_satp) {
		hart->context.satp = c->satp;
		if (hooks->satp)
			hooks->satp(hooks->user, hart->number, c->satp);
	}
	if (c->xret) {
		hart->context.priv = c->next_priv;
		if (hooks->xret)
			hooks->xret(hooks->user, hart->number, c->next_priv);
	}
	if (c->rd == TR_REG_TP && c->value == hart->context.tp)
		return;
	if (c->rd == TR_REG_TP)
		hart->context.tp = c->value;
	if (hooks->reg && (c->rd == TR_REG_TP || writes_sp(c)))
		hooks->reg(hooks->user, hart->number, c->rd, c->value);
}

static void compare(struct smp_harness *h, struct hart *hart)
{
	if (!hart->lockstep)
		return;
	if (!lockstep_commit(hart->lockstep, &hart->commit))
		fail(h, "difference", "core and model differ");
	if ((hart->commit.insn & 0xf800007f) == LR && !hart->commit.trap)
		h->smp.probed[hart->number] = false;
}

static bool is_power_off(const struct smp_harness *h, const struct rtl_commit *c)
{
	uint32_t value;

	return c->store && c->device && c->address == SOC_POWER_BASE &&
	       smp_power(&h->smp, &value) && (uint32_t)c->data == value;
}

static bool is_watched(const struct smp_harness *h, const struct hart *hart)
{
	const struct rtl_commit *c = &hart->commit;

	for (unsigned i = 0; i < hart->rtl->nwatches; i++) {
		const struct rtl_watch *w = &hart->rtl->watches[i];

		if (((c->pc ^ w->pc) & w->pc_mask) == 0 &&
		    ((c->insn ^ w->insn) & w->insn_mask) == 0)
			return true;
	}
	return h->watches_exit && is_power_off(h, c);
}

static void count_token(struct smp_harness *h, struct hart *hart)
{
	rtl_count(hart->rtl, hart->commit.pc, hart->commit.insn);
	h->smp.tokens++;
	compare(h, hart);
	tell_tokens(h, hart);
	tell_changes(h, hart);
	h->off |= is_power_off(h, &hart->commit);
}

static void count_trap(struct smp_harness *h, struct hart *hart)
{
	struct rtl_commit *c = &hart->commit;
	struct soc_trap trap;

	if (h->smp.seen)
		smp_read_commit(hart->rtl, c);
	else
		smp_read_trap(hart->rtl, c);
	h->last = hart->number;
	trap = (struct soc_trap){.cause = c->cause & (INTERRUPT - 1),
				 .tval = c->value,
				 .epc = c->pc,
				 .cycle = c->cycle,
				 .priv = c->next_priv};
	if (c->cause & INTERRUPT)
		trap.cause |= TR_CAUSE_INTERRUPT;
	tell_tokens(h, hart);
	if (hart->traps.tokens != hart->rtl->tokens)
		hart->traps.count = 0;
	hart->traps.tokens = hart->rtl->tokens;
	if (hart->traps.count++ == 0)
		hart->traps.first = trap;
	hart->traps.last = trap;
	rtl_since(hart->rtl);
	hart->context.priv = c->next_priv;
	compare(h, hart);
	h->machine.runs = hart->rtl->runs;
	h->machine.nruns = hart->rtl->nruns;
	if (h->hooks.trap)
		h->hooks.trap(h->hooks.user, hart->number, &trap);
	rtl_empty(hart->rtl, true);
}

/* ------------------------------------------------------------ ports */

static void answer_ports(struct smp_harness *h)
{
	uint64_t next = h->smp.cycle + 1; /* the cycle to which the ports refer */
	struct smp_ports p;

	smp_read_ports(&h->smp, &p);
	if (p.write)
		smp_memory_write(h->memory, p.write_address, p.strobe, p.data);
	if (p.read)
		smp_memory_read(h->memory, next, p.read_id, p.read_address);
	if (p.tx_valid && h->hooks.uart)
		h->hooks.uart(h->hooks.user, p.tx_data);
	if (smp_memory_fault(h->memory))
		fail(h, "failed", smp_memory_fault(h->memory));
}

/* Sets the inputs for the next cycle. Returns whether they are for that cycle only. */
static bool drive(struct smp_harness *h)
{
	struct smp *s = &h->smp;
	bool send = h->rx.count && !s->rx_valid && smp_rx_ready(s);

	if (smp_memory_next(h->memory) <= s->cycle + 1) {
		smp_memory_drive(h->memory, s->cycle + 1, &s->pins);
		s->changed = true;
	}
	if (send) {
		s->rx_data = h->rx.bytes[h->rx.first++];
		h->rx.count--;
		s->dozing = false;
	}
	s->changed |= send || s->rx_valid;
	s->rx_valid = send;
	return send;
}

/* Returns whether the hart's WFI can end without input. */
static bool hart_can_wake(const struct smp_harness *h, const struct hart *hart)
{
	uint64_t mie, mip, mtime, mtimecmp;

	smp_csr(hart->rtl, CSR_MIE, &mie);
	smp_csr(hart->rtl, CSR_MIP, &mip);
	smp_timer(&h->smp, hart->number, &mtime, &mtimecmp);
	return (mie & mip) ||
	       ((mie >> IRQ_TIMER & 1) &&
		mtimecmp - mtime < NEVER / (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ));
}

static bool can_wake(const struct smp_harness *h)
{
	bool can = smp_memory_next(h->memory) != NEVER;

	for (unsigned i = 0; i < SMP_HARTS; i++)
		can |= hart_can_wake(h, &h->harts[i]);
	return can;
}

/* Each hart must commit, trap or sleep from time to time. */
static void check_progress(struct smp_harness *h)
{
	const struct l2_dram_timing *t = &h->options.timing;

	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct hart *hart = &h->harts[i];
		uint64_t last =
		    hart->rtl->since > hart->awake ? hart->rtl->since : hart->awake;

		if (smp_asleep(hart->rtl))
			hart->awake = h->smp.cycle;
		else if (h->smp.cycle - last >
			 QUIET_MAX + UINT64_C(16) * (t->l2 + t->dram))
			fail(h, "stuck", "a core neither commits nor traps");
	}
}

static uint64_t lower(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns false at a watched token, which stays to be counted with those behind it. */
static bool handle_harts(struct smp_harness *h)
{
	struct smp *s = &h->smp;

	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct hart *hart = &h->harts[i];

		if (s->trapped >> i & 1)
			count_trap(h, hart);
		s->trapped &= ~(1U << i);
		if (!(s->committed >> i & 1))
			continue;
		if (!h->held) {
			smp_read_commit(hart->rtl, &hart->commit);
			h->last = i;
			h->held = is_watched(h, hart);
			if (h->held)
				return false;
		}
		h->held = false;
		s->committed &= ~(1U << i);
		count_token(h, hart);
	}
	return true;
}

/* Runs some cycles. Returns false with the reason when the run must stop. */
static bool advance(struct smp_harness *h, uint64_t limit, enum machine_stop *stop)
{
	struct smp *s = &h->smp;
	bool alone = drive(h);
	unsigned why;

	s->until = lower(limit, (s->cycle | (SLICE - 1)) + 1);
	s->until = alone ? s->cycle + 1 : lower(s->until, smp_memory_next(h->memory) - 1);
	why = smp_run(s);
	if (why == RTL_ASLEEP) {
		s->dozing = can_wake(h);
		*stop = MACHINE_IDLE;
		return s->dozing;
	}
	if (why & RTL_PORTS)
		answer_ports(h);
	h->off |= (why & RTL_OFF) != 0;
	if (why & RTL_FULL)
		tell_all_tokens(h);
	if (s->cycle % SLICE == 0)
		check_progress(h);
	*stop = MACHINE_BREAK;
	return handle_harts(h);
}

/* ------------------------------------------------------------ lockstep */

static bool lockstep_csr(void *user, unsigned csr, uint64_t *value)
{
	const struct hart *hart = user;

	return smp_csr(hart->rtl, csr, value);
}

static bool lockstep_f(void *user, unsigned reg, uint64_t *value)
{
	const struct hart *hart = user;

	return smp_f(hart->rtl, reg, value);
}

static bool lockstep_lost(void *user)
{
	const struct hart *hart = user;

	return hart->machine->smp.probed[hart->number];
}

/* Gives the model the same state. */
static bool begin_lockstep(struct smp_harness *h)
{
	const struct soc_config config = {.ram_size = h->image.size,
					  .harts = SMP_HARTS,
					  .has_float = h->options.has_float};

	h->model = soc_new(&config);
	if (!h->model)
		return false;
	for (size_t i = 0; i < h->image.nloaded; i++) {
		uint64_t first = h->image.loaded[i].first;

		soc_write_physical(h->model, first, h->image.ram + first - SOC_RAM_BASE,
				   h->image.loaded[i].last - first + 1);
	}
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct hart *hart = &h->harts[i];
		struct lockstep_side side = {
		    .user = hart, .csr = lockstep_csr, .lost = lockstep_lost};

		if (h->options.has_float)
			side.f = lockstep_f;
		soc_set_x(h->model, i, A1, h->a1);
		hart->lockstep = i ? lockstep_join(h->harts[0].lockstep, i, &side)
				   : lockstep_new(h->model, &side);
		if (!hart->lockstep)
			return false;
	}
	return true;
}

/* ------------------------------------------------------------ the run */

static bool loops(const struct smp_harness *h)
{
	for (unsigned i = 0; i < SMP_HARTS; i++)
		if (h->harts[i].traps.count >= MAX_TRAPS &&
		    h->harts[i].traps.tokens == h->harts[i].rtl->tokens)
			return true;
	return false;
}

static enum machine_stop run_until(struct smp_harness *h, uint64_t instret,
				   uint64_t cycle)
{
	enum machine_stop stop = MACHINE_LIMIT;

	if (h->options.lockstep && !h->model && !begin_lockstep(h))
		fail(h, "failed", "out of memory");
	h->smp.instret = instret;
	if (h->held && !handle_harts(h))
		return MACHINE_BREAK;
	do {
		if (h->failure)
			return MACHINE_FAILED;
		if (h->off)
			return MACHINE_POWER;
		if (h->stop) {
			h->stop = 0;
			return MACHINE_REQUEST;
		}
		if (h->smp.tokens >= instret || h->smp.cycle >= cycle)
			return MACHINE_LIMIT;
		if (loops(h))
			return MACHINE_LOOP;
	} while (advance(h, cycle, &stop));
	return stop;
}

static enum machine_stop run(struct machine *m, uint64_t instret, uint64_t cycle)
{
	enum machine_stop stop = run_until(of(m), instret, cycle);

	tell_all_tokens(of(m));
	return stop;
}

static void observe(struct machine *m)
{
	smp_observe(&of(m)->smp, false);
}

static void request_stop(struct machine *m)
{
	of(m)->stop = 1;
}

static void hart_state(const struct machine *m, unsigned number,
		       struct machine_state *state)
{
	const struct smp_harness *h = of_const(m);
	const struct hart *hart = &h->harts[number];
	bool held = h->held && h->last == number;
	int64_t bytes = 0;

	state->cycle = held ? hart->rtl->since : h->smp.cycle;
	state->instret = hart->rtl->tokens;
	state->context = hart->context;
	state->has_sp = tr_sp_adds(held ? hart->commit.insn : 0, &bytes) ||
			!(held && hart->commit.rd == TR_REG_SP);
	state->sp = smp_x(hart->rtl, TR_REG_SP) - (uint64_t)bytes;
}

static void state(const struct machine *m, struct machine_state *state)
{
	hart_state(m, of_const(m)->last, state);
	state->instret = of_const(m)->smp.tokens;
}

static void next(const struct machine *m, struct machine_next *next)
{
	const struct smp_harness *h = of_const(m);

	const struct rtl_commit *c = &h->harts[h->last].commit;

	*next = (struct machine_next){.pc = smp_next_pc(h->harts[h->last].rtl)};
	if (h->held)
		*next = (struct machine_next){.pc = c->pc,
					      .insn = c->insn,
					      .known = true,
					      .exit = is_power_off(h, c)};
}

static bool watch(struct machine *m, const struct trigger *trigger)
{
	struct smp_harness *h = of(m);
	struct rtl_watch w = {.pc = trigger->value, .pc_mask = UINT64_MAX};

	smp_observe(&h->smp, false);
	if (trigger->kind == TRIGGER_EXEC || h->smp.harts[0].nwatches == RTL_WATCHES) {
		fail(h, "failed", "a trigger that needs a machine with one hart");
		return false;
	}
	h->watches_exit |= trigger->kind == TRIGGER_EXIT;
	if (trigger->kind == TRIGGER_INSN)
		w = (struct rtl_watch){.insn = (uint32_t)trigger->value,
				       .insn_mask = trigger->mask};
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		struct rtl *r = &h->smp.harts[i];

		r->watches_any = true;
		if (trigger->kind != TRIGGER_EXIT)
			r->watches[r->nwatches++] = w;
	}
	return true;
}

static void set_a1(struct machine *m, uint64_t value)
{
	of(m)->a1 = value;
	for (unsigned i = 0; i < SMP_HARTS; i++)
		smp_set_x(of(m)->harts[i].rtl, A1, value);
}

static void set_hooks(struct machine *m, const struct machine_hooks *hooks)
{
	of(m)->hooks = *hooks;
	for (unsigned i = 0; i < SMP_HARTS; i++)
		of(m)->harts[i].rtl->records = hooks->tokens != NULL;
}

static size_t receive(struct machine *m, const uint8_t *data, size_t size)
{
	struct smp_harness *h = of(m);
	size_t n = 0;

	if (h->rx.count || !smp_rx_ready(&h->smp))
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
	smp_power(&of_const(m)->smp, &value);
	if ((value & 0xffff) == SOC_POWER_RESET)
		return SOC_POWERED_RESET;
	if ((value & 0xffff) == SOC_POWER_FAIL)
		*status = value >> 16 & 0xff ? value >> 16 & 0xff : 1;
	return SOC_POWERED_OFF;
}

static void chain(const struct machine *m, struct soc_trap *first, struct soc_trap *last)
{
	const struct hart *hart = &of_const(m)->harts[of_const(m)->last];

	*first = hart->traps.first;
	*last = hart->traps.last;
}

static const char *explain(const struct machine *m, const struct tr_cli *cli)
{
	const struct smp_harness *h = of_const(m);

	tr_warn(cli, "cycle %" PRIu64 ", hart %u: %s", h->smp.cycle, h->last, h->failure);
	if (h->harts[h->last].lockstep)
		lockstep_report(h->harts[h->last].lockstep, stderr);
	return h->end;
}

/* ------------------------------------------------------------ the machine */

static bool init(struct smp_harness *h, uint64_t ram_size)
{
	if (!soc_image_init(&h->image, ram_size) ||
	    !smp_init(&h->smp, ram_size, h->options.has_float))
		return false;
	for (unsigned i = 0; i < SMP_HARTS; i++) {
		h->harts[i] = (struct hart){.machine = h,
					    .number = i,
					    .rtl = &h->smp.harts[i],
					    .context.priv = TR_PRIV_M};
		smp_set_x(&h->smp.harts[i], A1 - 1, i);
	}
	if (h->options.lockstep)
		smp_observe(&h->smp, true);
	h->memory = smp_memory_new(h->image.ram, ram_size, SMP_HARTS, &h->options.timing);
	h->machine.image = &h->image;
	h->machine.has_float = h->options.has_float;
	h->machine.runs = h->smp.harts[0].runs;
	h->smp.skips = !h->options.no_skip;
	return h->memory != NULL;
}

struct machine *smp_harness_new(uint64_t ram_size, const struct harness_options *options)
{
	static const struct machine_ops ops = {.run = run,
					       .observe = observe,
					       .request_stop = request_stop,
					       .state = state,
					       .hart = hart_state,
					       .next = next,
					       .watch = watch,
					       .set_a1 = set_a1,
					       .set_hooks = set_hooks,
					       .receive = receive,
					       .power = power,
					       .chain = chain,
					       .explain = explain};
	struct smp_harness *h = calloc(1, sizeof *h);

	if (!h)
		return NULL;
	h->options = *options;
	h->machine.ops = &ops;
	if (init(h, ram_size))
		return &h->machine;
	smp_harness_free(&h->machine);
	return NULL;
}

void smp_harness_free(struct machine *m)
{
	struct smp_harness *h = of(m);

	for (unsigned i = SMP_HARTS; i > 0; i--)
		lockstep_free(h->harts[i - 1].lockstep);
	soc_free(h->model);
	smp_memory_free(h->memory);
	smp_release(&h->smp);
	soc_image_free(&h->image);
	free(h);
}
