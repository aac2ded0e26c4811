/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the model follow each step of the core, and compares the results. */
#include "lockstep.h"

#include <stdlib.h>

#include "compare.h"
#include "stream/insn.h"

enum { DMA_LINE = 64 };

static struct lockstep *lockstep_of_hart(void *user, unsigned hart)
{
	return ((struct lockstep *)user)->harts[hart];
}

void lockstep_note_store(struct lockstep *first, uint64_t physical)
{
	for (unsigned h = 0; h < SOC_HARTS_MAX; h++)
		if (first->harts[h])
			history_store(first->harts[h]->history, physical);
}

static bool lockstep_copy(void *user, unsigned hart, uint64_t destination,
			  uint64_t source, uint64_t bytes)
{
	(void)destination, (void)bytes;
	return copies_follow(lockstep_of_hart(user, hart), source);
}

static bool lockstep_translate(void *user, unsigned hart, struct soc_translation *t)
{
	struct lockstep *first = user;
	const struct lockstep *l = lockstep_of_hart(user, hart);
	bool changed = history_retranslate(l->history, l->now, t);

	if (t->kind == SOC_STORE && t->cause == 0)
		lockstep_note_store(first, t->physical);
	return changed;
}

static bool lockstep_fetch(void *user, unsigned hart, struct soc_fetched *f)
{
	const struct lockstep *l = lockstep_of_hart(user, hart);

	return history_refetch(l->history, l->now, f);
}

static bool lockstep_mmio_load(void *user, unsigned hart, uint64_t address, unsigned size,
			       uint64_t *value)
{
	const struct lockstep *l = lockstep_of_hart(user, hart);

	(void)address, (void)size;
	*value = l->now->value;
	return !l->now->trap && l->now->rd != 0;
}

/* Supplies counters of time and of events, and the lines of mip. */
static bool lockstep_csr_read(void *user, unsigned hart, unsigned csr, uint64_t *value)
{
	const struct lockstep *l = lockstep_of_hart(user, hart);

	if (l->now->trap || l->now->rd == 0 || !soc_csr_is_input(csr))
		return false;
	*value = soc_csr_from_input(l->model, hart, csr, l->now->value);
	return true;
}

/* An SC of the core may fail where the model's would succeed if a probe has ended the
 * reservation. */
static bool lockstep_atomic(void *user, unsigned hart, uint64_t address, unsigned size,
			    uint64_t *value)
{
	const struct lockstep *l = lockstep_of_hart(user, hart);
	const struct rtl_commit *c = l->now;

	(void)address, (void)size;
	*value = 1;
	return commit_fails_sc(c) && l->core.lost && l->core.lost(l->core.user);
}

static struct lockstep *create_lockstep(struct soc *model, unsigned hart,
					const struct lockstep_side *core)
{
	struct lockstep *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->hart = hart;
	l->history = history_new(model, hart);
	if (!l->history) {
		free(l);
		return NULL;
	}
	l->model = model;
	l->core = *core;
	l->interrupts = (struct interrupts){.must = -1, .waiting = -1};
	l->satp = model_csr(l, CSR_SATP);
	return l;
}

struct lockstep *lockstep_new(struct soc *model, const struct lockstep_side *core)
{
	struct lockstep *l = create_lockstep(model, 0, core);
	const struct soc_follow follow = {.user = l,
					  .mmio_load = lockstep_mmio_load,
					  .csr_read = lockstep_csr_read,
					  .atomic = lockstep_atomic,
					  .copy = lockstep_copy,
					  .translate = lockstep_translate,
					  .fetch = lockstep_fetch};

	if (!l)
		return NULL;
	l->first = l->harts[0] = l;
	soc_set_follow(model, &follow);
	return l;
}

struct lockstep *lockstep_join(struct lockstep *first, unsigned hart,
			       const struct lockstep_side *core)
{
	struct lockstep *l = create_lockstep(first->model, hart, core);

	if (!l)
		return NULL;
	l->first = first;
	first->harts[hart] = l;
	return l;
}

void lockstep_free(struct lockstep *l)
{
	if (!l)
		return;
	if (l == l->first)
		soc_set_follow(l->model, NULL);
	l->first->harts[l->hart] = NULL;
	history_free(l->history);
	free(l);
}

static uint32_t field_bit(bool differs, enum field field)
{
	return (uint32_t)differs << field;
}

static uint32_t compare_trap(const struct rtl_commit *c, const struct soc_event *e)
{
	unsigned interrupt = e->cause >> 63 ? COMMIT_INTERRUPT : 0;

	return field_bit(c->cause != (interrupt | (e->cause & 31)), FIELD_CAUSE) |
	       field_bit(c->value != e->value, FIELD_TVAL);
}

static uint32_t compare_access(const struct rtl_commit *c, const struct soc_event *e)
{
	uint64_t data = c->data ^ e->data;

	return field_bit(c->device != e->device, FIELD_DEVICE) |
	       field_bit(1U << c->size != e->size, FIELD_SIZE) |
	       field_bit(c->address != e->address, FIELD_ADDRESS) |
	       field_bit(c->store && !tr_insn_is_copy(c->insn) &&
			     data << (64 - 8 * e->size) != 0,
			 FIELD_DATA);
}

/* Values of floating-point registers are compared by floats_agree(). */
static bool is_integer(unsigned ours, unsigned theirs)
{
	return (ours | theirs) && ours < 32 && theirs < 32;
}

static uint32_t compare_token(const struct rtl_commit *c, const struct soc_event *e)
{
	uint32_t d =
	    field_bit(c->insn != e->insn, FIELD_INSN) |
	    field_bit(c->rd != e->rd, FIELD_RD) |
	    field_bit(is_integer(c->rd, e->rd) && c->value != e->value, FIELD_VALUE) |
	    field_bit(c->xret != e->xret, FIELD_XRET) |
	    field_bit(c->wrote_satp != e->wrote_satp, FIELD_WROTE_SATP) |
	    field_bit(c->load != e->load || c->store != e->store, FIELD_ACCESS);

	if ((c->load || c->store) && (e->load || e->store))
		d |= compare_access(c, e);
	return d;
}

static uint32_t compare_commit(const struct rtl_commit *c, const struct soc_event *e)
{
	uint32_t d = field_bit(c->pc != e->pc, FIELD_PC) |
		     field_bit(c->priv != e->priv, FIELD_PRIV) |
		     field_bit(c->next_priv != e->next_priv, FIELD_NEXT_PRIV) |
		     field_bit(c->satp != e->satp, FIELD_SATP);

	if (c->trap != e->trap)
		return d | field_bit(true, FIELD_KIND);
	return d | (c->trap ? compare_trap(c, e) : compare_token(c, e));
}

/* Makes the model take the interrupt that the core took. */
static void step_interrupt(struct lockstep *l)
{
	struct soc_event *e = &l->event;
	struct soc_trap first, last;

	*e = (struct soc_event){.priv = (uint8_t)soc_priv(l->model, l->hart),
				.trap = true};
	soc_interrupt(l->model, l->hart, l->now->cause & 15);
	soc_trap_chain(l->model, l->hart, &first, &last);
	e->pc = last.epc;
	e->cause = last.cause;
	e->value = last.tval;
	e->satp = l->satp;
	e->next_priv = last.priv;
}

static void step_model(struct lockstep *l)
{
	bool interrupt = l->now->trap && l->now->cause >= COMMIT_INTERRUPT;
	bool may = interrupt ? interrupts_may_take(l) : interrupts_may_wait(l);

	l->differs |= field_bit(!may, FIELD_INTERRUPT);
	if (interrupt)
		step_interrupt(l);
	else
		soc_step_event(l->model, l->hart, &l->event);
	l->differs |= compare_commit(l->now, &l->event);
	if (!l->differs)
		l->differs |= field_bit(!copies_agree(l), FIELD_COPY);
}

/* Records fences and writes of satp. Returns whether this is a CSR instruction that
 * writes. */
static bool note_system(struct lockstep *l)
{
	const struct soc_event *e = &l->event;

	history_system(l->history, e->insn);
	if (tr_insn_opcode(e->insn) != TR_OPCODE_SYSTEM)
		return false;
	if (e->satp != l->satp)
		history_satp(l->history, l->satp);
	l->satp = e->satp;
	return tr_insn_writes_csr(e->insn);
}

/* A write of the same byte ends the reservation. */
static void end_reservation(struct lockstep *l, uint64_t line)
{
	uint8_t byte;

	if (soc_read_physical(l->model, line, &byte, 1))
		soc_write_physical(l->model, line, &byte, 1);
}

void lockstep_dma(struct lockstep *l, uint64_t line, const uint8_t *data, uint64_t mask)
{
	unsigned end;

	if (mask == 0)
		end_reservation(l, line);
	for (unsigned i = 0; i < DMA_LINE; i += 8)
		if (mask >> i & 0xff)
			lockstep_note_store(l->first, line + i);
	for (unsigned i = 0; i < DMA_LINE; i = end + 1) {
		end = i;
		while (end < DMA_LINE && (mask >> end & 1))
			end++;
		if (end > i)
			soc_write_physical(l->model, line + i, data + i, end - i);
	}
}

bool lockstep_commit(struct lockstep *l, const struct rtl_commit *c)
{
	bool look = c->trap || c->xret;

	if (l->differs)
		return false;
	l->now = &l->last[(l->commits + l->traps) % LOCKSTEP_LAST];
	l->last[(l->commits + l->traps) % LOCKSTEP_LAST] = *c;
	if (c->trap)
		l->traps++;
	else
		l->commits++;
	step_model(l);
	if (l->differs)
		return false;
	l->ncsrs = 0;
	l->differs |= field_bit(!floats_agree(l), FIELD_FLOAT);
	look |= (!c->trap && note_system(l)) || l->commits + l->traps == 1;
	if (look)
		l->differs |= field_bit(!csrs_agree(l), FIELD_CSR);
	l->differs |= field_bit(!interrupts_update(l, look), FIELD_INTERRUPT);
	return l->differs == 0;
}
