/* SPDX-License-Identifier: Apache-2.0 */
/* The outer loop: interrupts, traps, limits and hooks between runs of the interpreter. */
#include <string.h>

#include "csr.h"
#include "internal.h"

enum { SLICE = 1 << 16, MAX_TRAPS = 64 };

void soc_account(struct soc_hart *h)
{
	uint64_t done = h->end_cycle - (uint64_t)h->left - h->cycle;

	h->cycle += done;
	h->instret += done;
	h->now = h->cycle;
	if (done)
		h->traps = 0;
}

static uint64_t lower_count(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns how many instructions may run before the next check. */
static uint64_t insn_budget(const struct soc_hart *h, const struct soc_limits *limits)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	uint64_t timer = soc_timer_cycle(h), n = SLICE;

	if (hooks->commit || hooks->access)
		return 1;
	if (h->log)
		n = SOC_LOG_BLOCKS;
	n = lower_count(n, limits->instret - h->instret);
	n = lower_count(n, limits->cycle - h->cycle);
	if (timer > h->cycle)
		n = lower_count(n, timer - h->cycle);
	if (h->soc->virtio.due > h->cycle)
		n = lower_count(n, h->soc->virtio.due - h->cycle);
	return lower_count(n, limits->turn - h->cycle);
}

/* Reports to the hooks what the last instruction changed; `reported` is the register to
 * report, if any. */
static void tell_changes(struct soc_hart *h, unsigned reported)
{
	const struct soc_hooks *hooks = &h->soc->hooks;

	if (h->wrote_satp && hooks->satp)
		hooks->satp(hooks->user, h->id, h->satp);
	if (h->returned && hooks->xret)
		hooks->xret(hooks->user, h->id, h->priv);
	if (hooks->reg && (reported == TR_REG_SP || h->x[TR_REG_TP] != h->last_tp)) {
		unsigned reg = reported == TR_REG_SP ? TR_REG_SP : TR_REG_TP;
		hooks->reg(hooks->user, h->id, reg, h->x[reg]);
	}
	h->wrote_satp = h->returned = false;
	h->last_tp = h->x[TR_REG_TP];
}

/* Only used when executing single instructions, so that the block is the
 * instruction's. */
static void tell_commit(struct soc_hart *h, uint64_t pc, unsigned priv)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	const struct soc_block *b = h->log_first->block;
	struct soc_commit commit = {.pc = pc, .cycle = h->cycle, .priv = (uint8_t)priv};

	if (!hooks->commit)
		return;
	commit.bytes = (b->code[0] & 3) == 3 ? 4 : 2;
	memcpy(&commit.insn, b->code, commit.bytes);
	if (b->ops[0].rd != SOC_SINK) {
		commit.rd = soc_reported_register(b->ops[0].rd);
		commit.value = h->x[b->ops[0].rd];
	}
	hooks->commit(hooks->user, h->id, &commit);
}

static void tell_wfi(struct soc_hart *h, uint64_t slept)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	static const uint8_t code[4] = {0x73, 0x00, 0x50, 0x10};
	struct soc_row row = {
	    .pc = h->pc, .code = code, .count = 1, .bytes = 4, .slept = slept};
	struct soc_commit commit = {.pc = h->pc,
				    .cycle = h->cycle,
				    .insn = 0x10500073,
				    .bytes = 4,
				    .priv = h->priv};

	if (hooks->row)
		hooks->row(hooks->user, h->id, &row);
	if (hooks->commit)
		hooks->commit(hooks->user, h->id, &commit);
}

void soc_commit_wfi(struct soc_hart *h, uint64_t wake)
{
	uint64_t slept = h->slept + wake - h->cycle - 1;

	h->slept = 0;
	h->traps = 0;
	h->instret++;
	h->now = h->cycle = wake;
	tell_wfi(h, slept);
	h->pc += 4;
}

/* Returns the cycle at which an enabled interrupt ends the WFI at pc, or SOC_NEVER. */
static uint64_t find_wake_cycle(const struct soc_hart *h)
{
	uint64_t wake = h->cycle + 1;

	if (!(soc_mip(h) & h->mie) && !h->soc->following) {
		wake = h->mie >> SOC_IRQ_MT & 1U ? soc_timer_cycle(h) : SOC_NEVER;
		if (wake <= h->cycle)
			wake = h->cycle + 1;
	}
	return wake;
}

/* Advances the WFI at pc to a cycle in which it does not end. */
static void sleep_until(struct soc_hart *h, uint64_t cycle)
{
	h->slept += cycle - h->cycle;
	h->now = h->cycle = cycle;
}

/* Advances to the next cycle at which an enabled interrupt is pending, through the commit
 * of the WFI at pc. Returns false if there is none, or if the limit comes first and the
 * rest of the WFI is left to the next run. With other harts, one of these may end the
 * WFI. */
static bool sleep_until_due(struct soc_hart *h, const struct soc_limits *limits,
			    enum soc_stop *stop)
{
	const uint64_t *due = &h->soc->virtio.due;

	if (h->soc->nharts > 1 && !h->soc->following) {
		h->asleep = true;
		return true;
	}
	uint64_t wake = find_wake_cycle(h);
	for (; *due < wake && *due < limits->cycle; wake = find_wake_cycle(h)) {
		if (*due > h->cycle)
			sleep_until(h, *due);
		soc_virtio_serve(h->soc);
	}
	if (wake == SOC_NEVER && *due == SOC_NEVER) {
		*stop = SOC_STOP_IDLE;
		return false;
	}
	if (wake > limits->cycle) {
		*stop = SOC_STOP_LIMIT;
		sleep_until(h, limits->cycle);
		return false;
	}
	soc_commit_wfi(h, wake);
	return true;
}

static bool sleep_until_interrupt(struct soc_hart *h, const struct soc_limits *limits,
				  enum soc_stop *stop)
{
	if (h->priv == SOC_U || (h->priv == SOC_S && (h->mstatus & SOC_MSTATUS_TW))) {
		soc_take_trap(h, SOC_CAUSE_ILLEGAL, 0x10500073);
		return true;
	}
	return sleep_until_due(h, limits, stop);
}

static bool breaks_at_return(const struct soc_hart *h)
{
	const struct soc *soc = h->soc;

	return h->returned && h->priv == SOC_U && soc->break_at_return &&
	       soc->break_at_return(soc->break_user);
}

/* Runs the interpreter once. Returns false when the run is over. */
static bool run_interpreter(struct soc_hart *h, const struct soc_limits *limits,
			    enum soc_stop *stop)
{
	uint64_t pc = h->pc, before = h->instret;
	unsigned priv = h->priv;

	h->left = (int64_t)insn_budget(h, limits);
	h->end_cycle = h->cycle + (uint64_t)h->left;
	enum soc_exit why = soc_run_blocks(h);
	soc_account(h);
	if (h->instret != before)
		tell_commit(h, pc, priv);
	unsigned reported = soc_log_reported(h);
	soc_log_flush(h);
	bool breaks = breaks_at_return(h);
	tell_changes(h, reported);
	if (breaks) {
		*stop = SOC_STOP_BREAK;
		return false;
	}
	switch (why) {
	case SOC_EXIT_TRAP:
		soc_take_trap(h, h->cause, h->tval);
		return true;
	case SOC_EXIT_BREAK:
		*stop = SOC_STOP_BREAK;
		h->resume = true;
		return false;
	case SOC_EXIT_WFI:
		return sleep_until_interrupt(h, limits, stop);
	default:
		return true;
	}
}

bool soc_run_once(struct soc_hart *h, const struct soc_limits *limits,
		  enum soc_stop *stop)
{
	struct soc *soc = h->soc;

	if (soc->power != SOC_POWER_ON && !soc->following) {
		*stop = SOC_STOP_POWER;
		return false;
	}
	if (soc->stop) {
		soc->stop = 0;
		*stop = SOC_STOP_REQUEST;
		return false;
	}
	if (h->instret >= limits->instret || h->cycle >= limits->cycle) {
		*stop = SOC_STOP_LIMIT;
		return false;
	}
	if (h->traps >= MAX_TRAPS) {
		*stop = SOC_STOP_LOOP;
		return false;
	}
	while (soc->virtio.due <= h->cycle && soc->nharts == 1)
		soc_virtio_serve(soc);
	if (h->asleep) {
		soc_wake(h);
		return true;
	}
	int irq = soc->following ? -1 : soc_interrupt_due(h);
	if (irq >= 0)
		soc_take_trap(h, SOC_CAUSE_INTERRUPT | (unsigned)irq, 0);
	return run_interpreter(h, limits, stop);
}

enum soc_stop soc_run(struct soc *soc, uint64_t instret, uint64_t cycle)
{
	const struct soc_limits limits = {instret, cycle, SOC_NEVER};
	enum soc_stop stop;

	for (unsigned i = 0; i < soc->nharts; i++)
		soc->harts[i].stepping = false;
	if (soc->nharts > 1)
		return soc_run_harts(soc, instret, cycle);
	while (soc_run_once(soc->harts, &limits, &stop))
		continue;
	return stop;
}

enum soc_stop soc_step(struct soc *soc)
{
	uint64_t done = 0;

	for (unsigned i = 0; i < soc->nharts; i++)
		done += soc->harts[i].instret;
	return soc_run(soc, done + 1, SOC_NEVER);
}

void soc_pass_time(struct soc *soc, uint64_t cycles)
{
	struct soc_hart *h = soc->harts;

	soc->passed += cycles;
	soc->mtime_offset += soc->passed / SOC_CYCLES_PER_TICK;
	soc->passed %= SOC_CYCLES_PER_TICK;
	if (!(h->mcountinhibit & INHIBIT_CYCLE))
		h->mcycle += cycles;
	soc->attention = true;
}

void soc_request_stop(struct soc *soc)
{
	soc->stop = 1;
}

void soc_interrupt(struct soc *soc, unsigned hart, unsigned number)
{
	soc_take_trap(&soc->harts[hart], SOC_CAUSE_INTERRUPT | (number & 15), 0);
}

void soc_advance(struct soc *soc, unsigned hart, uint64_t cycles)
{
	soc->harts[hart].cycle += cycles;
	soc->harts[hart].now += cycles;
}
