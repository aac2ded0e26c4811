/* SPDX-License-Identifier: Apache-2.0 */
/* Executes and describes single instructions or traps, for comparison with another
 * machine. This has no cost for ordinary runs. */
#include <string.h>

#include "internal.h"

/* Sets h->place to pc. Returns false with cause and tval set. */
static bool locate_insn(struct soc_hart *h)
{
	struct soc_place *at = &h->place;
	const struct soc_jump *j = &h->jumps[h->pc >> 1 & (SOC_JUMPS - 1)];
	enum soc_exit why;

	if (h->pc == at->next && h->context == at->context &&
	    at->index + 1U < at->block->n) {
		at->index++;
	} else if (j->pc == h->pc && j->context == h->context) {
		*at = (struct soc_place){.block = j->block, .base = h->pc};
	} else {
		h->resume = true;
		*at = (struct soc_place){.block = soc_block_find(h, h->pc, &why),
					 .base = h->pc};
		if (at->block == NULL)
			return false;
	}
	at->context = h->context;
	at->next = at->base + 2U * at->block->ops[at->index + 1].half;
	return true;
}

static uint32_t place_bits(const struct soc_place *at)
{
	const uint8_t *code = at->block->code + 2U * at->block->ops[at->index].half;
	uint32_t bits = 0;

	memcpy(&bits, code, 2);
	if ((bits & 3U) == 3U)
		memcpy(&bits, code, 4);
	return bits;
}

/* Sets h->single and its address. Returns false with cause and tval set. */
static bool fetch_single(struct soc_hart *h)
{
	const struct soc_follow *f = &h->soc->follow;
	struct soc_fetched got = {.pc = h->pc};

	if (locate_insn(h)) {
		got.insn = place_bits(&h->place);
	} else {
		got.cause = (unsigned)h->cause;
		got.tval = h->tval;
	}
	if (f->fetch && f->fetch(f->user, h->id, &got)) {
		soc_mmu_forget(h);
		h->single_base = h->pc;
		h->single = soc_block_of(h, got.insn);
	} else if (got.cause == 0) {
		h->single_base = h->place.base;
		h->single = soc_block_one(h, h->place.block, h->place.index);
	}
	h->event->insn = got.insn;
	if (got.cause)
		soc_raise(h, got.cause, got.tval);
	return got.cause == 0;
}

static void step_into_trap(struct soc_hart *h, uint64_t cause, uint64_t tval)
{
	struct soc_event *e = h->event;

	e->trap = true;
	e->cause = cause;
	e->value = tval;
	soc_take_trap(h, cause, tval);
}

static void step_wfi(struct soc_hart *h)
{
	if (h->priv == SOC_U || (h->priv == SOC_S && (h->mstatus & SOC_MSTATUS_TW))) {
		step_into_trap(h, SOC_CAUSE_ILLEGAL, h->event->insn);
		return;
	}
	h->slept = 0;
	h->traps = 0;
	h->instret++;
	h->now = ++h->cycle;
	h->pc += 4;
}

static void execute_single(struct soc_hart *h)
{
	struct soc_event *e = h->event;
	unsigned rd = h->single->ops[0].rd;

	h->left = 1;
	h->end_cycle = h->cycle + 1;
	enum soc_exit why = soc_run_blocks(h);
	h->single = NULL;
	soc_account(h);
	if (why == SOC_EXIT_TRAP) {
		step_into_trap(h, h->cause, h->tval);
	} else if (why == SOC_EXIT_WFI) {
		step_wfi(h);
	} else if (rd != SOC_SINK) {
		e->rd = soc_reported_register(rd);
		e->value = h->x[rd];
	}
}

static void step_hart(struct soc_hart *h)
{
	int irq = h->soc->following ? -1 : soc_interrupt_due(h);

	if (irq >= 0)
		step_into_trap(h, SOC_CAUSE_INTERRUPT | (unsigned)irq, 0);
	else if (fetch_single(h))
		execute_single(h);
	else
		step_into_trap(h, h->cause, h->tval);
}

void soc_step_event(struct soc *soc, unsigned hart, struct soc_event *event)
{
	struct soc_hart *h = &soc->harts[hart];
	struct soc_log *log = h->log;

	*event = (struct soc_event){.pc = h->pc, .priv = h->priv};
	if (!h->stepping) {
		soc_mmu_flush_data(h);
		h->stepping = true;
	}
	h->log = NULL;
	h->event = event;
	step_hart(h);
	h->event = NULL;
	h->log = log;
	event->next_priv = h->priv;
	event->satp = h->satp;
	event->xret = h->returned;
	event->wrote_satp = h->wrote_satp;
	h->returned = h->wrote_satp = false;
	h->last_tp = h->x[TR_REG_TP];
}
