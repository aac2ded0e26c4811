/* SPDX-License-Identifier: Apache-2.0 */
/* Completes the counts of instructions, and tells them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/counts_state.h"

bool tr_counts_tell_mispredictions(const struct tr_counts *c, bool *by_flag)
{
	*by_flag = c->flag != COUNTS_NONE;
	return *by_flag || c->mispredicts;
}

void tr_count_add(struct tr_count *sum, const struct tr_count *more)
{
	sum->executions += more->executions;
	sum->cycles += more->cycles;
	sum->traps += more->traps;
	sum->taken += more->taken;
	sum->untaken += more->untaken;
	sum->mispredicted += more->mispredicted;
	sum->penalty += more->penalty;
	sum->missed += more->missed;
	for (unsigned i = 0; i < TR_MAX_CLASSES; i++)
		sum->lost[i] += more->lost[i];
}

static int by_place(const void *left, const void *right)
{
	const struct counted_insn *a = left, *b = right;
	if (a->func != b->func)
		return a->func < b->func ? -1 : 1;
	if (a->binary != b->binary)
		return a->binary < b->binary ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static bool has_address(const struct counted_insn *insn)
{
	return insn->binary < TR_NOTE_AMBIGUOUS;
}

void tr_counts_insn(const struct tr_counts *c, size_t i, struct tr_counted *told)
{
	const struct counted_insn *insn = &c->insns[i];
	*told = (struct tr_counted){.address = insn->address,
				    .binary = insn->binary,
				    .func = insn->func,
				    .bytes = insn->bytes,
				    .has_code = insn->has_code,
				    .differs = insn->differs,
				    .is_branch = insn->is_branch,
				    .is_transfer = insn->is_transfer};
	memcpy(told->code, insn->code, sizeof(told->code));
	told->count = (struct tr_count){.executions = insn->executions,
					.cycles = insn->executions + insn->more_cycles,
					.traps = insn->traps,
					.taken = insn->taken,
					.untaken = insn->untaken,
					.mispredicted = insn->mispredicted,
					.penalty = insn->penalty,
					.missed = insn->missed};
	if (insn->lost != COUNTS_NONE)
		memcpy(told->count.lost, &c->lost[(size_t)insn->lost * c->columns],
		       c->columns * sizeof(*c->lost));
	if (!c->classes || c->width > 1)
		return;
	/* What no class has, in cycles. */
	uint64_t known = insn->executions;
	for (unsigned k = 1; k < c->columns; k++)
		known += told->count.lost[k];
	told->count.lost[0] = told->count.cycles > known ? told->count.cycles - known : 0;
}

/* Adds to a function what its rows of stacks have more than its instructions, since it
 * was not known when that was charged, and takes it from what is held. Returns a status;
 * the message says if there is less. */
static int settle_func(struct tr_counts *c, struct counted_func *func, char *message,
		       size_t size)
{
	struct tr_count all = func->told.sum, more = {0};
	tr_count_add(&all, &func->outside);
	bool is_less = all.cycles > func->cycles || all.executions > func->instructions;
	more.cycles = func->cycles - all.cycles;
	more.executions = func->instructions - all.executions;
	for (unsigned i = 1; i < c->columns; i++) {
		is_less |= all.lost[i] > func->lost[i];
		more.lost[i] = func->lost[i] - all.lost[i];
	}
	if (is_less) {
		snprintf(message, size,
			 "%s: %" PRIu64 " instructions of %" PRIu64
			 " cycles, but %" PRIu64 " of %" PRIu64 " on its stacks",
			 func->told.name, all.executions, all.cycles, func->instructions,
			 func->cycles);
		return TR_E_CORRUPT;
	}
	if (!c->is_cut) {
		tr_count_add(&func->told.sum, &more);
		tr_count_add(&func->told.elsewhere, &more);
	}
	c->held.cycles -= more.cycles;
	c->held.executions -= more.executions;
	for (unsigned i = 1; i < c->columns; i++)
		c->held.lost[i] -= more.lost[i];
	return TR_OK;
}

/* Returns a status: all that was held must be in the rows of some function. */
static int check_held(const struct tr_counts *c, char *message, size_t size)
{
	bool is_left = c->held.cycles || c->held.executions;
	for (unsigned i = 1; i < c->columns; i++)
		is_left |= c->held.lost[i] != 0;
	if (!is_left)
		return TR_OK;
	snprintf(message, size,
		 "%" PRId64 " instructions of %" PRId64
		 " cycles are on no instruction of a function",
		 (int64_t)c->held.executions, (int64_t)c->held.cycles);
	return TR_E_CORRUPT;
}

bool tr_counted_is_code(const struct tr_counted_func *func)
{
	return func->kind == TR_FRAME_FUNCTION ||
	       (func->kind == TR_FRAME_UNKNOWN && func->address);
}

int tr_counts_finish(struct tr_counts *c, char *message, size_t size)
{
	for (size_t i = 0; i < c->npieces; i++) {
		const struct counted_piece *piece = &c->pieces[i];
		for (uint32_t k = 0; k < piece->count; k++)
			c->insns[c->ids[piece->first + k]].executions +=
			    piece->executions;
	}
	c->npieces = 0;
	if (c->ninsns)
		qsort(c->insns, c->ninsns, sizeof(*c->insns), by_place);
	uint32_t next = 0;
	for (size_t i = 0; i < c->ninsns; i++) {
		struct tr_counted insn;
		tr_counts_insn(c, i, &insn);
		for (; next <= insn.func && next < c->nfuncs; next++)
			c->funcs[next].first = (uint32_t)i;
		struct tr_counted_func *told = &c->funcs[insn.func].told;
		tr_count_add(&told->sum, &insn.count);
		if (!has_address(&c->insns[i]))
			tr_count_add(&told->elsewhere, &insn.count);
	}
	for (; next < c->nfuncs; next++)
		c->funcs[next].first = (uint32_t)c->ninsns;
	for (size_t i = 0; i < c->nfuncs; i++)
		if (c->funcs[i].told.kind != TR_FRAME_GAP &&
		    settle_func(c, &c->funcs[i], message, size))
			return TR_E_CORRUPT;
	return check_held(c, message, size);
}

uint32_t tr_counts_funcs(const struct tr_counts *c)
{
	return (uint32_t)c->nfuncs;
}

const struct tr_counted_func *tr_counts_func(const struct tr_counts *c, uint32_t i)
{
	return &c->funcs[i].told;
}

size_t tr_counts_insns(const struct tr_counts *c)
{
	return c->ninsns;
}

size_t tr_counts_first(const struct tr_counts *c, uint32_t func)
{
	return func < c->nfuncs ? c->funcs[func].first : c->ninsns;
}

uint64_t tr_counts_cycles(const struct tr_counts *c, uint64_t *left_out)
{
	uint64_t cycles = 0;
	*left_out = c->is_cut ? c->held_wanted : 0;
	for (size_t i = 0; i < c->nfuncs; i++)
		cycles += c->funcs[i].told.sum.cycles;
	return cycles;
}
