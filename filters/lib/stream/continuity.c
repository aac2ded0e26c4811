/* SPDX-License-Identifier: Apache-2.0 */
/* Compares each row with the exits of the one before. */
#include "stream/continuity.h"

#include "base/little.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/reader.h"

/* Returns true for an instruction that may trap where others continue: a call of the
 * environment, or a write of satp, after which the next address may not be mapped. */
static bool may_lead_anywhere(const uint8_t *code, unsigned length)
{
	if (length == 2)
		return tr_load16(code) == TR_INSN_C_EBREAK;
	if (length != 4)
		return false;
	const uint32_t insn = tr_load16(code) | (uint32_t)tr_load16(code + 2) << 16;
	return insn == TR_INSN_ECALL || insn == TR_INSN_EBREAK ||
	       (tr_insn_opcode(insn) == TR_OPCODE_SYSTEM && insn >> 12 & 7 &&
		insn >> 20 == TR_CSR_SATP);
}

static void set_exits(struct tr_exits *exits, const uint8_t *code, unsigned length,
		      unsigned isa)
{
	const enum tr_flow flow = tr_decode_flow(code, length, isa);
	uint64_t next = tr_decode_next(code, length, isa, exits->last), target;
	if (next == TR_EPC_UNKNOWN || may_lead_anywhere(code, length))
		next = TR_EXIT_ANY;
	exits->next = exits->target = next;
	if (flow == TR_FLOW_XRET)
		exits->target = TR_EXIT_XRET;
	else if (flow == TR_FLOW_BRANCH &&
		 tr_decode_target(code, length, isa, exits->last, &target))
		exits->target = target;
}

struct tr_exits tr_block_exits(const struct tr_block *block, unsigned isa)
{
	struct tr_exits exits = {.pc = block->pc,
				 .last = block->pc,
				 .next = TR_EXIT_ANY,
				 .target = TR_EXIT_ANY};
	unsigned length = 0;
	const uint8_t *code = block->code;
	for (unsigned i = 0; i < block->tokens; i++) {
		exits.last += length;
		code += block->no_bits ? i != 0 : length;
		length = block->no_bits ? *code : tr_insn_length(tr_load16(code));
		if (!block->no_bits && tr_load16(code) == 0)
			exits.pc |= 1;
	}
	if (!block->no_bits)
		set_exits(&exits, code, length, isa);
	return exits;
}

static struct tr_handler *find_handler(struct tr_continuity *c, uint64_t pc)
{
	for (uint32_t i = 0; i < c->nhandlers; i++)
		if (c->handlers[i].pc == pc)
			return &c->handlers[i];
	if (c->nhandlers == TR_CONTINUITY_HANDLERS ||
	    c->nunproven == TR_CONTINUITY_UNPROVEN)
		return NULL;
	c->nunproven++;
	c->handlers[c->nhandlers] = (struct tr_handler){.pc = pc};
	return &c->handlers[c->nhandlers++];
}

bool tr_continuity_is_handler(const struct tr_continuity *c, uint64_t pc)
{
	for (uint32_t i = 0; i < c->nhandlers; i++)
		if (c->handlers[i].pc == pc)
			return c->handlers[i].returns != 0;
	return false;
}

static void open_trap(struct tr_continuity *c, struct tr_open_trap trap)
{
	if (c->nopen == TR_CONTINUITY_OPEN) {
		c->nopen--;
		for (uint32_t i = 0; i < c->nopen; i++)
			c->open[i] = c->open[i + 1];
	}
	c->open[c->nopen++] = trap;
}

/* mtvec and stvec have multiples of 4 (privileged specification 3.1.7). */
bool tr_continuity_jump(struct tr_continuity *c, uint64_t next, uint64_t target,
			uint64_t pc)
{
	struct tr_handler *handler = pc & 3 ? NULL : find_handler(c, pc);
	c->latest = 0;
	if (!handler)
		return false;
	const uint32_t number = (uint32_t)(handler - c->handlers);
	open_trap(c, (struct tr_open_trap){next, target, number});
	if (handler->jumps >= TR_CONTINUITY_JUMPS * (handler->returns + 1))
		return false;
	if (!handler->jumps++)
		handler->from = c->last;
	if (pc - next + TR_CONTINUITY_NEAR > 2 * TR_CONTINUITY_NEAR)
		c->latest = number + 1;
	c->latest_check = c->checks;
	return true;
}

/* Returns 1 + the index of the newest trap that was taken there, or 0. The newest of all
 * may return behind the instruction that trapped. */
static uint32_t find_open(const struct tr_continuity *c, uint64_t pc)
{
	uint32_t i = c->nopen;
	while (i && pc != c->open[i - 1].next && pc != c->open[i - 1].target)
		i--;
	if (i || !c->nopen)
		return i;
	const uint64_t skipped = pc - c->open[c->nopen - 1].next;
	return skipped == 2 || skipped == 4 ? c->nopen : 0;
}

void tr_continuity_return(struct tr_continuity *c, uint64_t pc)
{
	uint32_t i = find_open(c, pc);
	if (!i)
		return;
	const uint32_t number = c->open[i - 1].handler;
	if (number < TR_CONTINUITY_HANDLERS && !c->handlers[number].returns++)
		c->nunproven--;
	for (c->nopen--; i <= c->nopen; i++)
		c->open[i - 1] = c->open[i];
}

bool tr_continuity_check(struct tr_continuity *c, const struct tr_exits *row)
{
	const uint64_t pc = row->pc & ~UINT64_C(1);
	const bool may_commit = !(row->pc & 1) || c->reported;
	bool follows = (c->explained && !c->only_reported) || !c->begun ||
		       c->next == TR_EXIT_ANY || pc == c->next || pc == c->target;
	if (c->target == TR_EXIT_XRET && c->infers_traps)
		tr_continuity_return(c, pc);
	if (!follows && pc == c->first) {
		c->nopen = 0;
		follows = true;
	}
	if (!follows && c->infers_traps)
		follows = tr_continuity_jump(c, c->next, c->target, pc);
	follows |= c->only_reported;
	if (!c->begun)
		c->first = pc;
	c->begun = true;
	c->explained = c->reported = c->only_reported = false;
	c->checks++;
	return follows && may_commit;
}

bool tr_continuity_event(struct tr_continuity *c, const struct tr_event *event)
{
	bool follows = true;
	switch (event->kind) {
	case TR_EV_TRAP:
		follows = !c->begun || c->explained || c->next == TR_EXIT_ANY ||
			  event->u.trap.epc == TR_EPC_UNKNOWN ||
			  event->u.trap.epc == c->next || event->u.trap.epc == c->target;
		c->explained = true;
		c->only_reported = false;
		if (c->infers_traps)
			open_trap(c, (struct tr_open_trap){event->u.trap.epc,
							   event->u.trap.epc,
							   TR_CONTINUITY_HANDLERS});
		break;
	case TR_EV_XRET:
	case TR_EV_PRIV:
	case TR_EV_TRIGGER:
	case TR_EV_GAP:
		c->explained = true;
		c->only_reported = false;
		break;
	case TR_EV_BREAK:
		c->only_reported |= !c->explained;
		c->explained = c->reported = true;
		break;
	default:
		break;
	}
	return follows;
}

struct tr_break tr_continuity_rest(const struct tr_continuity *c, uint32_t i)
{
	const struct tr_handler *handler = &c->handlers[i];
	const bool is_end =
	    c->latest == i + 1 && c->checks - c->latest_check <= TR_CONTINUITY_LAST;
	return (struct tr_break){.from = handler->from,
				 .to = handler->pc,
				 .count = handler->returns ? 0 : handler->jumps - is_end};
}
