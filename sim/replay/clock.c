/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

#include "base/little.h"
#include "stream/decode.h"

void clock_begin(struct row_clock *k, const struct carry *c)
{
	k->row = k->event = 0;
	k->cycle = carry_view(c)->start_cycle;
	k->context = carry_view(c)->start;
}

static void move_clock(struct row_clock *k, const struct carry *c, uint32_t row)
{
	const struct tr_hart_frame *f = carry_view(c);

	for (;;) {
		for (; k->event < f->nevents && f->events[k->event].row <= k->row;
		     k->event++) {
			const struct tr_event *event = &f->events[k->event];

			if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
				k->cycle += event->cycles;
			tr_context_apply(&k->context, event);
		}
		if (k->row >= row)
			return;
		k->cycle += carry_row(c, k->row++)->cycles;
	}
}

/* Returns the token before a row whose events end before `event`; none behind a trap. */
static struct before before_row(const struct row_clock *k, const struct carry *c,
				uint32_t row, uint32_t event)
{
	const struct tr_event *events = carry_view(c)->events;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	for (; event && events[event - 1].row == row; event--)
		if (events[event - 1].kind == TR_EV_TRAP)
			return (struct before){0};
	if (row == 0)
		return k->last;
	tr_tokens(carry_block(c, row - 1), carry_timing(c, row - 1), tokens);
	const struct tr_token *token = &tokens[carry_row(c, row - 1)->tokens - 1U];
	return (struct before){token->pc, token->insn, token->bytes};
}

void clock_cut(struct row_clock *k, const struct carry *c, uint32_t row)
{
	move_clock(k, c, row);
	k->last = before_row(k, c, row, k->event);
}

struct tr_context clock_context(const struct row_clock *k)
{
	return k->context;
}

uint32_t clock_event(const struct row_clock *k)
{
	return k->event;
}

uint32_t clock_space(struct row_clock *k, const struct carry *c, uint32_t row)
{
	move_clock(k, c, row);
	return tr_note_space(&k->context);
}

unsigned clock_find_cycle(struct row_clock *k, const struct carry *c, uint32_t row,
			  unsigned from, uint64_t cycle)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	move_clock(k, c, row);
	uint64_t at = k->cycle;
	if (at + carry_row(c, row)->cycles < cycle)
		return UINT16_MAX;
	tr_tokens(carry_block(c, row), carry_timing(c, row), tokens);
	for (unsigned i = 0; i < carry_row(c, row)->tokens; i++) {
		at += tokens[i].cycles;
		if (i >= from && at >= cycle)
			return i;
	}
	return UINT16_MAX;
}

static enum tr_flow flow_of(const struct before *before)
{
	uint8_t code[8];

	tr_store64(code, before->insn);
	return before->bytes ? tr_decode_flow(code, before->bytes, 64) : TR_FLOW_NEXT;
}

/* Returns the instruction that has jumped to pc at the beginning of a row, or 0. If there
 * was a trap in between, that is the last one before the row which returns there. */
static uint64_t jumped_from(const struct row_clock *k, const struct carry *c,
			    uint32_t row, uint64_t pc, uint64_t *behind)
{
	const struct tr_event *events = carry_view(c)->events;
	uint32_t e = k->event;
	struct before before = before_row(k, c, row, e);
	enum tr_flow flow;

	while ((flow = flow_of(&before)) == TR_FLOW_XRET) {
		while (e && !(events[e - 1].kind == TR_EV_TRAP &&
			      events[e - 1].u.trap.epc == pc))
			e--;
		if (e == 0)
			return 0;
		e--;
		before = before_row(k, c, events[e].row, e);
	}
	if (flow != TR_FLOW_BRANCH && flow != TR_FLOW_JUMP && flow != TR_FLOW_INDIRECT)
		return 0;
	*behind = before.pc + before.bytes;
	return before.pc;
}

uint64_t clock_reach(struct row_clock *k, const struct carry *c, uint32_t row,
		     unsigned token, struct replay_reached *reached)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	move_clock(k, c, row);
	reached->space = tr_note_space(&k->context);
	reached->priv = k->context.priv;
	reached->cycle = k->cycle;
	tr_tokens(carry_block(c, row), carry_timing(c, row), tokens);
	for (unsigned i = 0; i <= token; i++)
		reached->cycle += tokens[i].cycles;
	reached->pc = tokens[token].pc;
	reached->behind = reached->pc + tokens[token].bytes;
	if (token == 0)
		reached->jumped_from =
		    jumped_from(k, c, row, reached->pc, &reached->behind_jump);
	return tokens[0].pc;
}
