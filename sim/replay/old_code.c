/* SPDX-License-Identifier: Apache-2.0 */
/* Until a fence, the hardware may execute code that memory no longer has, and translate
 * by page tables that memory no longer has. The trace has the bits of the instructions,
 * the faults, and addresses, and the rules of the lockstep say whether they are legal:
 * the model follows them if memory held them since the hart's last fence.i or sfence.vma.
 */
#include <string.h>

#include "lane.h"
#include "lockstep/history.h"
#include "model/csr.h"
#include "stream/insn.h"

void old_code_note(struct replay *r, uint64_t address, uint64_t bytes)
{
	uint64_t first = address & ~UINT64_C(7), size = bytes + (address - first);

	for (uint64_t at = 0; at < size; at += 8)
		for (unsigned i = 0;
		     i < replay_harts(r) && soc_may_be_old(replay_soc(r), first + at);
		     i++)
			history_store(lane_of_hart(r, i)->old_code.history, first + at);
}

static bool old_code_copy(void *user, unsigned hart, uint64_t destination,
			  uint64_t source, uint64_t bytes)
{
	(void)hart, (void)source;
	old_code_note(user, destination, bytes);
	return false;
}

static void old_code_fence(void *user, unsigned hart, uint32_t insn)
{
	history_system(lane_of_hart(user, hart)->old_code.history, insn);
}

/* Moves to the row of the model's next instruction. Returns the token in it. */
static uint64_t find_row(struct lane *l)
{
	uint64_t instret = soc_instret_current(lane_soc(l), lane_hart(l));

	while (l->old_code.row < lane_view(l)->nrows &&
	       l->old_code.instret + lane_row(l, l->old_code.row)->tokens <= instret)
		l->old_code.instret += lane_row(l, l->old_code.row++)->tokens;
	return instret - l->old_code.instret;
}

/* Returns the exception that stands in the trace before the row, or NULL. */
static const struct tr_event *next_exception(const struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);

	for (uint32_t e = compare_place(l); e < f->nevents; e++) {
		const struct tr_event *event = &f->events[e];

		if (event->row > l->old_code.row)
			break;
		if (event->row == l->old_code.row && event->kind == TR_EV_TRAP &&
		    !(event->u.trap.cause & TR_CAUSE_INTERRUPT))
			return event;
	}
	return NULL;
}

/* An exception without its instruction has an interesting one only if that is known. */
static void set_exception(struct rtl_commit *c, const struct tr_event *event)
{
	c->trap = true;
	c->pc = event->u.trap.epc;
	c->cause = (uint8_t)event->u.trap.cause;
	c->value = event->u.trap.tval;
	if (c->cause >= 8 && c->cause <= 11)
		c->insn = TR_INSN_ECALL;
	else if (c->cause == 3)
		c->insn = TR_INSN_EBREAK;
}

/* Sets what the trace has at the model's next instruction. Returns false at its end. */
static bool next_step(struct lane *l, struct rtl_commit *c)
{
	uint64_t token = find_row(l);
	const struct tr_event *event = token == 0 ? next_exception(l) : NULL;
	unsigned at = 0;

	c->priv = (uint8_t)soc_priv(lane_soc(l), lane_hart(l));
	if (event) {
		set_exception(c, event);
		return true;
	}
	if (l->old_code.row == lane_view(l)->nrows)
		return false;
	const struct tr_block *block = lane_block(l, l->old_code.row);
	for (uint64_t i = 0; i < token; i++)
		at += (block->code[at] & 3) == 3 ? 4 : 2;
	unsigned bytes = (block->code[at] & 3) == 3 ? 4 : 2;
	c->pc = block->pc + at;
	memcpy(&c->insn, block->code + at, bytes);
	return true;
}

/* Addresses by old translations are in the trace as events, faults as traps. */
static bool use_old_translation(struct lane *l, struct soc_translation *t)
{
	struct rtl_commit c = {.trap = false};

	if (inputs_translate(l, t))
		return true;
	return soc_tables_changed(lane_soc(l), lane_hart(l)) && next_step(l, &c) &&
	       c.trap && history_retranslate(l->old_code.history, &c, t);
}

static bool old_code_translate(void *user, unsigned hart, struct soc_translation *t)
{
	struct lane *l = lane_of_hart(user, hart);
	bool changed = use_old_translation(l, t);

	lane_counts(l)->old_translations += changed;
	if (t->kind == SOC_STORE && t->cause == 0)
		old_code_note(user, t->physical, t->size);
	return changed;
}

static bool old_code_fetch(void *user, unsigned hart, struct soc_fetched *f)
{
	struct lane *l = lane_of_hart(user, hart);
	struct rtl_commit c = {.trap = false};

	if (!next_step(l, &c))
		return false;
	bool other = history_refetch(l->old_code.history, &c, f);
	if (!other && c.trap && c.insn == TR_INSN_EBREAK) {
		c.insn = TR_INSN_C_EBREAK;
		other = history_refetch(l->old_code.history, &c, f);
	}
	lane_counts(l)->old_code += other;
	return other;
}

void old_code_set_hooks(struct soc_follow *follow)
{
	follow->translate = old_code_translate;
	follow->copy = old_code_copy;
	follow->fetch = old_code_fetch;
	follow->fence = old_code_fence;
}

/* ------------------------------------------------------------ the state */

bool old_code_create(struct lane *l)
{
	l->old_code.history = history_new(lane_soc(l), lane_hart(l));
	return l->old_code.history != NULL;
}

void old_code_free(struct lane *l)
{
	history_free(l->old_code.history);
}

void old_code_start(struct lane *l)
{
	l->old_code.row = 0;
	l->old_code.instret = carry_instret(lane_carry(l));
}

void old_code_begin_within(struct lane *l)
{
	l->old_code.incomplete = true;
}

void old_code_note_satp(struct lane *l, uint64_t satp)
{
	history_satp(l->old_code.history, satp);
}

bool old_code_may_translate(const struct lane *l, struct soc_translation *t)
{
	return l->old_code.incomplete || history_translates(l->old_code.history, t);
}

void old_code_each(const struct lane *l,
		   void (*each)(void *user, uint64_t address, uint64_t value), void *user)
{
	history_each(l->old_code.history, each, user);
}

void old_code_add(struct lane *l, uint64_t address, uint64_t value)
{
	history_add(l->old_code.history, address, value);
}
