/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the addresses of jump tables through registers. */
#include "table_jumps.h"

#include <string.h>

enum holding { ELSE, TABLE, PLACE, ENTRY, TARGET };

void prof_forget_tables(struct prof_table_state *state)
{
	memset(state->holds, ELSE, sizeof(state->holds));
}

/* Returns whether an instruction adds two registers, the second of which may be shifted
 * before (Zba's sh2add and the like). */
static bool is_sum(const struct prof_insn *insn, uint32_t *a, uint32_t *b)
{
	const uint32_t bits = insn->bits, function = bits & 0xfe00707f;
	if (insn->length == 4 && (function == 0x33 || function == 0x20004033)) {
		*a = bits >> 20 & 31;
		*b = bits >> 15 & 31;
		return true;
	}
	*a = bits >> 2 & 31;
	*b = bits >> 7 & 31;
	return insn->length == 2 && (bits & 0xf003) == 0x9002 && *a && *b; /* c.add */
}

/* Returns whether an instruction loads a word from where a register points to. */
static bool is_plain_load(const struct prof_insn *insn, uint32_t *base)
{
	const uint32_t bits = insn->bits;
	if (insn->length == 4) { /* lw, lwu */
		*base = bits >> 15 & 31;
		return (bits & 0xfff0707f) == 0x2003 || (bits & 0xfff0707f) == 0x6003;
	}
	*base = (bits >> 7 & 7) + 8;
	return insn->length == 2 && (bits & 0xfc63) == 0x4000; /* c.lw */
}

static void follow_sum(const struct prof_table_state *state, uint32_t a, uint32_t b,
		       uint8_t *holds, uint64_t *table)
{
	if (state->holds[a] != TABLE) {
		const uint32_t other = a;
		a = b;
		b = other;
	}
	if (state->holds[a] != TABLE)
		return;
	*table = state->table[a];
	if (state->holds[b] == ELSE)
		*holds = PLACE;
	else if (state->holds[b] == ENTRY && state->table[b] == *table)
		*holds = TARGET;
}

void prof_follow_table(struct prof_table_state *state, const struct prof_insn *insn,
		       const uint64_t *address)
{
	uint8_t holds = ELSE;
	uint64_t table = 0;
	uint32_t a, b;
	if (address) {
		holds = TABLE;
		table = *address;
	} else if (is_sum(insn, &a, &b)) {
		follow_sum(state, a, b, &holds, &table);
	} else if (is_plain_load(insn, &a) && state->holds[a] == PLACE) {
		holds = ENTRY;
		table = state->table[a];
	}
	for (unsigned reg = 1; reg < 32; reg++)
		if (insn->writes >> reg & 1) {
			state->holds[reg] = holds;
			state->table[reg] = table;
		}
}

bool prof_uses_table(const struct prof_table_state *state, const struct prof_insn *insn,
		     uint64_t *table, bool *relative)
{
	if (insn->kind != PROF_INDIRECT || (insn->length == 4 && insn->bits >> 20))
		return false;
	for (unsigned reg = 1; reg < 32; reg++) {
		if (!(insn->reads >> reg & 1))
			continue;
		*table = state->table[reg];
		*relative = state->holds[reg] == TARGET;
		return *relative || state->holds[reg] == ENTRY;
	}
	return false;
}
