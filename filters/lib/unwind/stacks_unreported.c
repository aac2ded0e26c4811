/* SPDX-License-Identifier: Apache-2.0 */
/* Infers traps and privileges for sources that do not report them. A trap was taken where
 * control goes elsewhere than the instruction leads; the role of the running binary
 * determines the privilege. */
#include "unwind/stacks.h"

#include "stream/insn.h"

enum { CAUSE_BREAK = 3, CAUSE_ECALL = 8 };

static uint8_t priv_at(const struct tr_unwind *u, const struct hart *h,
		       const struct pair *p)
{
	static const uint8_t privs[] = {[TR_UNWIND_FIRMWARE] = TR_PRIV_M,
					[TR_UNWIND_KERNEL] = TR_PRIV_S,
					[TR_UNWIND_USER] = TR_PRIV_U};
	const uint8_t now = hart_priv(h);
	enum tr_unwind_role role = tr_binaries_role(binaries_of(u), p->binary);
	if (options_of(u)->has_priv)
		return hart_reported_priv(h);
	if (p->binary >= options_of(u)->nprograms &&
	    !tr_mode_is_machine(tr_mode_of(now)) &&
	    tr_binaries_are_above(binaries_of(u), p->pc))
		role = TR_UNWIND_USER;
	return role == TR_UNWIND_ANY ? now : privs[role];
}

/* Returns the last instruction of a block, or NULL if unknown. */
static const uint8_t *last_code(struct tr_unwind *u, const struct pair *p, uint64_t pc,
				unsigned *length)
{
	const uint64_t address = p->address + (pc - p->pc);
	const struct tr_unwind_source *source = source_of(u);
	if (!source->code || p->binary >= options_of(u)->nprograms)
		return NULL;
	const uint8_t *code = source->code(source->user, p->binary, address, 2);
	if (!code)
		return NULL;
	*length = (code[0] & 3) == 3 ? 4 : 2;
	return source->code(source->user, p->binary, address, *length);
}

/* Finds the target of the branch or jump at the end of a block. Returns false if
 * unknown. */
static bool target_of(struct tr_unwind *u, const struct pair *p, uint64_t *target)
{
	const unsigned isa = tr_isa_of(isa_of(u), p->binary);
	unsigned length;
	for (unsigned bytes = p->bytes < 4 ? 2 : 4; bytes >= 2; bytes -= 2) {
		uint64_t pc = pair_next_pc(p) - bytes;
		const uint8_t *code = last_code(u, p, pc, &length);
		if (code && length == bytes &&
		    tr_decode_flow(code, length, isa) == p->flow &&
		    tr_decode_target(code, length, isa, pc, target))
			return true;
	}
	return false;
}

static uint64_t key_of(const struct pair *p)
{
	return p->address ^ (uint64_t)p->binary << 48;
}

/* Returns true for a jump that can be of a table of vectors, which have no functions of
 * their own. */
static bool is_lone_jump(const struct pair *p)
{
	return p->flow == TR_FLOW_JUMP && p->bytes <= 4;
}

bool tr_unreported_is_vector(const struct tr_unwind *u, const struct pair *p)
{
	return (p->entry || is_lone_jump(p)) && stacks_has_vector(u, key_of(p));
}

/* A control transfer that its instruction does not explain. */
struct break_in {
	uint64_t epc, other;
	bool is_trap;
};

static struct break_in find_break(struct tr_unwind *u, const struct hart *h,
				  const struct pair *p)
{
	const struct pair *from = hart_from(h);
	struct break_in b = {.epc = pair_next_pc(from)};
	uint64_t target = 0;
	switch (from->flow) {
	case TR_FLOW_NEXT:
		b.is_trap = p->pc != b.epc;
		break;
	case TR_FLOW_BRANCH:
		if (p->pc == b.epc || !target_of(u, from, &target))
			break;
		b.other = target;
		b.is_trap = p->pc != target;
		break;
	case TR_FLOW_JUMP:
	case TR_FLOW_CALL:
		if (!target_of(u, from, &target)) {
			b.epc = NO_RETURN;
			b.is_trap = tr_unreported_is_vector(u, p);
			break;
		}
		b.epc = target;
		b.is_trap = p->pc != target;
		break;
	case TR_FLOW_RETURN:
		b.epc = frame_return_address(stack_top(hart_stack(h)));
		b.is_trap = tr_unreported_is_vector(u, p);
		break;
	case TR_FLOW_INDIRECT:
		b.epc = NO_RETURN;
		b.is_trap = tr_unreported_is_vector(u, p);
		break;
	default:
		break;
	}
	return b;
}

/* Returns the cause of a trap at epc. An ecall or ebreak does not commit: it is the next
 * instruction in order. */
static uint64_t cause_at(struct tr_unwind *u, const struct hart *h, uint64_t epc)
{
	unsigned length;
	const uint8_t *code = last_code(u, hart_from(h), epc, &length);
	if (!code)
		return TR_CAUSE_UNKNOWN;
	uint32_t insn = (uint32_t)code[0] | (uint32_t)code[1] << 8;
	if (length == 4)
		insn |= (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
	if (insn == TR_INSN_ECALL)
		return CAUSE_ECALL + tr_mode_of(hart_priv(h)).nominal;
	return insn == TR_INSN_EBREAK || insn == TR_INSN_C_EBREAK ? CAUSE_BREAK
								  : TR_CAUSE_UNKNOWN;
}

static void apply_unreported_trap(struct tr_unwind *u, struct hart *h,
				  const struct break_in *b, const struct pair *p)
{
	const struct tr_event event = {.kind = TR_EV_TRAP,
				       .u.trap = {.cause = cause_at(u, h, b->epc),
						  .epc = b->epc,
						  .priv = priv_at(u, h, p)}};
	if (!stacks_add_vector(u, key_of(p)))
		unwind_fail(status_of(u), TR_E_NOMEM);
	tr_events_apply(u, h, &event);
	struct stack *s = hart_stack(h);
	if (stack_trap_count(s))
		trap_set_other(stack_newest_trap(s), b->other);
}

static void change_privilege(struct tr_unwind *u, struct hart *h, uint8_t priv)
{
	const struct tr_event event = {.kind = TR_EV_PRIV, .u.priv = {.priv = priv}};
	if (state_has(h, IS_ADRIFT))
		hart_set_priv(h, priv);
	else if (hart_priv(h) != priv)
		tr_events_apply(u, h, &event);
}

/* Handles a trap right after a return to another task: where this one waits, sp tells. */
static void trap_at_switch(struct tr_unwind *u, struct hart *h, const struct pair *p)
{
	const struct tr_event xret = {.kind = TR_EV_XRET,
				      .u.xret = {.priv = hart_priv(h)}};
	tr_events_apply(u, h, &xret);
	apply_unreported_trap(u, h, &(struct break_in){.epc = NO_RETURN}, p);
}

/* Handles a trap right after a trap return: the returned trap was perhaps meant for this
 * handler, or nothing ran in between and its place is unknown. */
static void trap_again(struct tr_unwind *u, struct hart *h, const struct pair *p)
{
	const uint8_t priv = priv_at(u, h, p);
	if (options_of(u)->has_sp && state_has(h, HAS_PENDING) && hart_priv(h) == priv) {
		trap_at_switch(u, h, p);
		return;
	}
	struct stack *s = hart_stack(h);
	while (s && !stack_trap_count(s))
		s = stack_below(s);
	if (!s) {
		change_privilege(u, h, TR_PRIV_U);
		change_privilege(u, h, priv);
		return;
	}
	struct trap *trap = stack_newest_trap(s);
	trap_set_priv(trap, priv);
	hart_set_priv(h, priv);
	tr_frames_drop(stack_frames(s), trap_frame(trap) + 1);
	tr_stack_go(u, h, s, hart_sp(h));
	hart_set_sp(h, trap_sp(trap));
	state_replace(h, HAS_TRAPPED);
	tr_flow_set(h, TR_FLOW_NEXT, 0);
}

/* Returns true if the block can begin a trap handler: handlers are in the kernel or
 * firmware, and are entered at a function's entry or by a table of jumps. */
static bool can_trap_to(const struct tr_unwind *u, const struct hart *h,
			const struct pair *p)
{
	uint8_t priv = tr_mode_of(priv_at(u, h, p)).nominal;
	return (p->entry || is_lone_jump(p)) && priv != TR_PRIV_U &&
	       priv >= tr_mode_of(hart_priv(h)).nominal;
}

const struct pair *tr_unreported_row(struct tr_unwind *u, struct hart *h,
				     const struct pair *match)
{
	const struct pair *p =
	    tr_program_pair(u, hart_binary(h), hart_reported_priv(h), match);
	const uint8_t priv = priv_at(u, h, p);
	const struct break_in b = find_break(u, h, p);
	const struct tr_event xret = {.kind = TR_EV_XRET, .u.xret = {.priv = priv}};
	const bool is_back = state_has(h, HAS_RETURNED | HAS_CROSSED);
	if (is_back && priv == hart_priv(h) && tr_unreported_is_vector(u, p))
		apply_unreported_trap(u, h, &(struct break_in){.epc = NO_RETURN}, p);
	else if (hart_holds_from(h))
		change_privilege(u, h, priv);
	else if (hart_from(h)->flow == TR_FLOW_XRET && tr_unreported_is_vector(u, p))
		trap_again(u, h, p);
	else if (hart_from(h)->flow == TR_FLOW_XRET)
		tr_events_apply(u, h, &xret);
	else if (b.is_trap && can_trap_to(u, h, p))
		apply_unreported_trap(u, h, &b, p);
	else if (b.is_trap)
		tr_flow_set(h, FLOW_RESYNC, 0);
	else
		change_privilege(u, h, priv);
	if (state_has(h, HAS_XRET))
		tr_program_choose(u, h, match);
	return tr_program_pair(u, hart_binary(h), hart_priv(h), match);
}
