/* SPDX-License-Identifier: Apache-2.0 */
/* Iterates over frames: contexts, groups of rows, single tokens. */
#include "base/little.h"
#include "stream/reader.h"

void tr_context_apply(struct tr_context *context, const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		context->priv = event->u.trap.priv;
		break;
	case TR_EV_XRET:
		context->priv = event->u.xret.priv;
		break;
	case TR_EV_PRIV:
		context->priv = event->u.priv.priv;
		break;
	case TR_EV_SATP:
		context->satp = event->u.satp.satp;
		context->space = event->u.satp.space;
		break;
	case TR_EV_SPACE:
		context->space = event->u.space.space;
		break;
	case TR_EV_HGATP:
		context->hgatp = event->u.hgatp.hgatp;
		break;
	case TR_EV_REG:
		if (event->u.reg.reg == TR_REG_TP)
			context->tp = event->u.reg.value;
		break;
	default:
		break;
	}
}

void tr_cursor_init(struct tr_cursor *cursor, const struct tr_hart_frame *hart)
{
	*cursor = (struct tr_cursor){.context = hart->start,
				     .hart = hart,
				     .cycle = hart->start_cycle,
				     .next_cycle = hart->start_cycle};
}

enum tr_step tr_cursor_next(struct tr_cursor *c, uint32_t *first, uint32_t *last,
			    const struct tr_event **event)
{
	const struct tr_hart_frame *hart = c->hart;
	c->cycle = c->next_cycle;
	const struct tr_event *next =
	    c->event < hart->nevents ? &hart->events[c->event] : NULL;
	uint32_t limit = next ? next->row : hart->nrows;
	if (c->row < limit) {
		*first = c->row;
		*last = limit;
		for (uint32_t i = c->row; i < limit; i++)
			c->next_cycle += hart->rows[i].cycles;
		c->row = limit;
		return TR_STEP_ROWS;
	}
	if (!next)
		return TR_STEP_END;
	c->event++;
	*event = next;
	tr_context_apply(&c->context, next);
	if (next->kind == TR_EV_TRAP || next->kind == TR_EV_GAP)
		c->next_cycle += next->cycles;
	return TR_STEP_EVENT;
}

static uint64_t insn_bits(const uint8_t *code, unsigned bytes)
{
	uint64_t bits = tr_load16(code);
	for (unsigned i = 2; i < bytes; i += 2)
		bits |= (uint64_t)tr_load16(code + i) << 8 * i;
	return bits;
}

void tr_tokens(const struct tr_block *block, const struct tr_timing *timing,
	       struct tr_token tokens[TR_BLOCK_MAX_TOKENS])
{
	uint64_t pc = block->pc;
	const uint8_t *code = block->code;
	uint32_t stall = 0;
	for (unsigned i = 0; i < block->tokens; i++) {
		struct tr_token *token = &tokens[i];
		*token = (struct tr_token){.pc = pc, .cycles = 1};
		if (block->no_bits) {
			token->bytes = *code++;
		} else {
			token->bytes = (uint8_t)tr_insn_length(tr_load16(code));
			token->insn = insn_bits(code, token->bytes);
			code += token->bytes;
		}
		if (stall < timing->nstalls && timing->stalls[stall].token == i) {
			const struct tr_stall *s = &timing->stalls[stall++];
			token->cycles = s->cycles;
			token->runs = timing->runs + s->first_run;
			token->nruns = s->nruns;
		}
		pc += token->bytes;
	}
}
