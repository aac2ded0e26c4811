/* SPDX-License-Identifier: Apache-2.0 */
#include "hart.h"

#include <stdlib.h>
#include <string.h>

#include "model/csr.h"
#include "model/state.h"
#include "peek.h"
#include "soc.h"
#include "stream/insn.h"
#include "stream/sp.h"

enum { MAX_TRAPS = 64, QUIET_MAX = 1 << 20, IRQ_TIMER = 7 };

void hart_tell_tokens(struct hart *hart, const struct machine_hooks *hooks)
{
	struct rtl_hart *r = hart->rtl;
	const struct tr_batch batch = {.tokens = r->batch,
				       .stalls = r->stalls,
				       .runs = r->runs,
				       .count = r->nbatch,
				       .nstalls = r->nstalls};

	if (r->nbatch && hooks->tokens)
		hooks->tokens(hooks->user, hart->number, &batch, r->since);
	rtl_empty(r, false);
}

/* Returns whether the token read a CSR whose value is nondeterministic input. */
static bool reads_csr(const struct rtl_commit *c)
{
	return tr_insn_is_csr(c->insn) && c->rd != 0 && soc_csr_is_input(c->insn >> 20);
}

/* Determines the nondeterministic input of a token. Returns false if it has none.
 */
static bool get_commit_input(const struct rtl_commit *c, struct soc_input *input)
{
	unsigned bytes = 1U << c->size;

	*input = (struct soc_input){
	    .size = (uint8_t)bytes, .address = c->address, .value = c->value};
	if (reads_csr(c)) {
		*input = (struct soc_input){.kind = SOC_INPUT_CSR,
					    .csr = (uint16_t)(c->insn >> 20),
					    .value = c->value};
		return true;
	}
	/* Of a token that was only watched, nothing else is known: it has succeeded. */
	if (commit_fails_sc(c) && c->size) {
		input->kind = SOC_INPUT_ATOMIC;
		input->value = 1;
		return true;
	}
	input->kind = SOC_INPUT_LOAD;
	if (bytes < 8)
		input->value &= (UINT64_C(1) << 8 * bytes) - 1;
	return c->load && c->device && c->rd != 0;
}

static void tell_translation(struct hart *hart, const struct machine_hooks *hooks,
			     uint64_t address, bool store)
{
	const struct soc_input input = {
	    .kind = SOC_INPUT_TRANSLATION, .address = address, .store = store};

	hart_tell_tokens(hart, hooks);
	hooks->input(hooks->user, hart->number, &input);
}

/* Determines the entries of the data TLB that the token in hand uses, if it is not known.
 */
static void find_uses(struct hart *hart)
{
	const struct rtl_commit *c = &hart->commit;
	struct tlb *t = &hart->rtl->tlb;
	const bool accesses = c->load || c->store || commit_fails_sc(c);

	if (!t->has_window)
		return;
	t->uses[0] = t->uses[1] = TLB_ENTRIES;
	if (!t->watched || !accesses)
		return;
	t->uses[1] = (uint8_t)tlb_find(t, c->address);
	if (commit_copies(c))
		t->uses[0] = (uint8_t)tlb_find(t, c->source);
}

/* Reports what the token in hand accesses by entries of the data TLB that are old. A copy
 * of nothing uses none. */
static void tell_translations(struct hart *hart, const struct machine_hooks *hooks)
{
	const struct rtl_commit *c = &hart->commit;
	const struct tlb *tlb = &hart->rtl->tlb;
	bool copies = commit_copies(c);

	if (!tlb->watched || (copies && c->value == 0))
		return;
	if (copies && (tlb->watch[tlb->uses[0]] & TLB_OLD))
		tell_translation(hart, hooks, c->source, false);
	if (tlb->watch[tlb->uses[1]] & TLB_OLD)
		tell_translation(hart, hooks, c->address, c->store || commit_fails_sc(c));
}

void hart_note_store(const struct hart *hart)
{
	const struct rtl_commit *c = &hart->commit;

	if (hart->rtl->tlb.watched && c->store && !c->device && !commit_copies(c))
		tlb_stored(&hart->rtl->tlb, c->address, UINT64_C(1) << c->size);
}

void hart_report_input(struct hart *hart, const struct machine_hooks *hooks)
{
	struct soc_input input;

	find_uses(hart);
	if (!hooks->input)
		return;
	tell_translations(hart, hooks);
	if (!get_commit_input(&hart->commit, &input))
		return;
	hart_tell_tokens(hart, hooks);
	hooks->input(hooks->user, hart->number, &input);
}

void hart_note_dma(struct hart_dma *dma, uint64_t line, const uint8_t *data,
		   uint64_t mask)
{
	struct hart_dma_write *write = &dma->writes[dma->n];

	if (dma->n == HART_DMA_WRITES)
		abort(); /* memory takes fewer beats in one cycle */
	*write = (struct hart_dma_write){.line = line, .mask = mask};
	memcpy(write->data, data, sizeof(write->data));
	dma->n++;
}

static void tell_write(const struct hart_dma_write *write,
		       const struct machine_hooks *hooks, uint64_t cycle)
{
	uint64_t mask = write->mask;

	while (mask) {
		unsigned first = (unsigned)__builtin_ctzll(mask), end = first;

		while (end < 64 && mask >> end & 1)
			mask &= ~(UINT64_C(1) << end++);
		hooks->device_write(hooks->user, cycle, write->line + first,
				    write->data + first, end - first);
	}
}

void hart_tell_dma(struct hart_dma *dma, const struct machine_hooks *hooks,
		   uint64_t cycle)
{
	for (unsigned i = 0; hooks->device_write && i < dma->n; i++)
		tell_write(&dma->writes[i], hooks, cycle);
	dma->n = 0;
}

/* Returns false if floating-point values are still being computed. */
static bool read_float(const struct hart *hart, uint64_t f[32], uint64_t *fcsr)
{
	for (unsigned i = 0; i < 32; i++)
		if (!peek_f(hart->rtl, i, &f[i]))
			return false;
	return peek_csr(hart->rtl, CSR_FCSR, fcsr);
}

bool hart_hash_registers(const struct hart *hart, uint64_t *hash)
{
	uint64_t x[32], f[32], fcsr = 0;

	if (hart->features.fpu && !read_float(hart, f, &fcsr))
		return false;
	for (unsigned i = 0; i < 32; i++)
		x[i] = peek_x(hart->rtl, i);
	*hash = soc_hash_registers(x, hart->features.fpu ? f : NULL, fcsr);
	return true;
}

void hart_tell_registers(struct hart *hart, const struct machine_hooks *hooks)
{
	uint64_t hash;

	if (hart->rtl->tokens - hart->hashed < SOC_HASH_EVERY ||
	    !hart_hash_registers(hart, &hash))
		return;
	hart->hashed = hart->rtl->tokens;
	if (!hooks->registers)
		return;
	hart_tell_tokens(hart, hooks);
	hooks->registers(hooks->user, hart->number, hash);
}

/* Returns whether the trace must report the token's write of sp. */
static bool must_tell_sp(const struct rtl_commit *c)
{
	int64_t bytes;

	return c->rd == TR_REG_SP && !tr_sp_adds(c->insn, &bytes);
}

/* This machine has no guests. One that had them would tell the satp of a guest before the
 * return that enters it, and the hypervisor's behind the trap that leaves it: EXECUTION
 * CONTEXTS in tr-stream(5). */
void hart_tell_changes(struct hart *hart, const struct machine_hooks *hooks)
{
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
	if (hooks->reg && (c->rd == TR_REG_TP || must_tell_sp(c)))
		hooks->reg(hooks->user, hart->number, c->rd, c->value);
}

bool hart_is_watched(const struct hart *hart)
{
	const struct rtl_commit *c = &hart->commit;

	for (unsigned i = 0; i < hart->rtl->nwatches; i++)
		if (rtl_watch_matches(&hart->rtl->watches[i], c->pc, c->insn))
			return true;
	return false;
}

struct soc_trap hart_enter_trap(struct hart *hart, const struct machine_hooks *hooks)
{
	const struct rtl_commit *c = &hart->commit;
	struct soc_trap trap = {.cause = c->cause & (COMMIT_INTERRUPT - 1),
				.tval = c->value,
				.epc = c->pc,
				.cycle = c->cycle,
				.priv = c->next_priv};

	if (c->cause & COMMIT_INTERRUPT)
		trap.cause |= TR_CAUSE_INTERRUPT;
	hart_tell_tokens(hart, hooks);
	if (hart->traps.tokens != hart->rtl->tokens)
		hart->traps.count = 0;
	hart->traps.tokens = hart->rtl->tokens;
	if (hart->traps.count++ == 0)
		hart->traps.first = trap;
	hart->traps.last = trap;
	rtl_since(hart->rtl, c->cycle);
	hart->context.priv = c->next_priv;
	hart->rtl->expects = 0;
	if (hart->before)
		hart->before->instret = UINT64_MAX;
	return trap;
}

void hart_tell_trap(const struct hart *hart, const struct soc_trap *trap,
		    struct machine *machine, const struct machine_hooks *hooks)
{
	machine->runs = hart->rtl->runs;
	machine->nruns = hart->rtl->nruns;
	if (hooks->trap)
		hooks->trap(hooks->user, hart->number, trap);
	rtl_empty(hart->rtl, true);
}

bool hart_loops(const struct hart *hart)
{
	return hart->traps.count >= MAX_TRAPS && hart->traps.tokens == hart->rtl->tokens;
}

bool hart_is_stuck(struct hart *hart, uint64_t cycle, const struct l2_dram_timing *timing)
{
	uint64_t last = hart->rtl->since > hart->awake ? hart->rtl->since : hart->awake;

	if (peek_asleep(hart->rtl)) {
		hart->awake = cycle;
		return false;
	}
	return cycle - last > QUIET_MAX + UINT64_C(16) * (timing->l2 + timing->dram);
}

bool hart_can_wake(const struct hart *hart, const struct rtl *r)
{
	uint64_t mie, mip, mtime, mtimecmp;

	peek_csr(hart->rtl, CSR_MIE, &mie);
	peek_csr(hart->rtl, CSR_MIP, &mip);
	peek_timer(r, hart->number, &mtime, &mtimecmp);
	return (mie & mip) ||
	       ((mie >> IRQ_TIMER & 1) &&
		mtimecmp - mtime < UINT64_MAX / (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ));
}

void hart_tell_sp(const struct hart *hart, bool held, struct machine_state *state)
{
	bool changed = held && hart->commit.rd == TR_REG_SP;
	int64_t bytes = 0;

	if (peek_counted(hart->rtl)) {
		state->has_sp = true;
		state->sp = peek_x(hart->rtl, TR_REG_SP);
		return;
	}
	state->has_sp = tr_sp_adds(held ? hart->commit.insn : 0, &bytes) || !changed;
	state->sp = peek_x(hart->rtl, TR_REG_SP) - (uint64_t)bytes;
}

void hart_note_next(struct hart *hart)
{
	if (!hart->before)
		hart->before = malloc(sizeof(*hart->before));
	if (!hart->before)
		return;
	hart->before->instret = UINT64_MAX;
	if (peek_save(hart->rtl, hart->before))
		hart->before->instret =
		    hart->rtl->tokens + (unsigned)__builtin_popcount(hart->rtl->commits);
}

/* Returns whether the state before the token in hand is known, and memory allows to
 * execute it again: it has stored a value of its own, if any. */
static bool knows_before(const struct hart *hart)
{
	unsigned opcode = tr_insn_opcode(hart->commit.insn);

	return hart->before && hart->before->instret + 1 == hart->rtl->tokens &&
	       !hart->commit.trap && opcode != TR_OPCODE_AMO &&
	       opcode != TR_OPCODE_CUSTOM_0;
}

bool hart_snapshot(const struct hart *hart, uint64_t cycle, struct soc_state *state,
		   bool *back)
{
	*back = *back && knows_before(hart);
	if (*back)
		*state = *hart->before;
	else if (!peek_save(hart->rtl, state))
		return false;
	state->cycle = cycle;
	if (!*back)
		state->instret = hart->rtl->tokens;
	return true;
}

/* As knows_before(), of a token that has not been counted, the only one of its cycle. */
static bool knows_before_held(const struct hart *hart)
{
	unsigned opcode = tr_insn_opcode(hart->commit.insn);

	return hart->before && hart->before->instret == hart->rtl->tokens &&
	       __builtin_popcount(hart->rtl->commits) == 1 && !hart->commit.device &&
	       opcode != TR_OPCODE_AMO && opcode != TR_OPCODE_CUSTOM_0;
}

bool hart_save(const struct hart *hart, bool held, uint64_t cycle,
	       struct soc_state *state)
{
	if (held && !knows_before_held(hart))
		return false;
	if (held)
		*state = *hart->before;
	else if (!peek_between(hart->rtl) || !peek_save(hart->rtl, state))
		return false;
	peek_events(hart->rtl, state);
	state->cycle = cycle;
	state->instret = hart->rtl->tokens;
	return true;
}

void hart_release(struct hart *hart)
{
	free(hart->before);
}
