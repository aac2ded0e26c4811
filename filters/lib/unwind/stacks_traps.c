/* SPDX-License-Identifier: Apache-2.0 */
/* Traps, returns from them, and the signals that they lead to. */
#include "stream/reader.h"
#include "unwind/stacks.h"

/* A signal's frame is no larger, in bytes; so far below it is another stack. */
enum { SIGNAL_NEAR = 1 << 14 };
enum { CAUSE_ECALL_U = 8 };

/* ------------------------------------------------------------ traps */

/* Whether a process comes next of which nothing has run: tr-match tells its address space
 * with its first instruction. */
static bool is_new_process(const struct stacks_hart *h)
{
	return priv_rank(h->hart.context.priv) == TR_PRIV_U &&
	       (h->state & IS_CHILD || !stack_top(h->stack));
}

/* What ran before a trap at epc goes on there, where no block may have run yet; the
 * file of what ran, most often, tells the function. */
static void settle(struct tr_unwind *u, struct stacks_hart *h, uint64_t epc)
{
	struct place place = {.pc = epc, .binary = TR_NOTE_UNKNOWN, .sym = SYM_UNKNOWN};
	if (h->state & IS_ADRIFT)
		events_find_stack(u, h);
	if (h->hart.from->sp_write && !u->options.has_sp)
		inferred_write(h);
	if (h->state & HAS_XRET)
		inferred_xret(u, h, &place);
	bool is_back = h->state & HAS_RETURNED && !(h->state & IS_ELSEWHERE) &&
		       epc == h->returned.epc;
	bool is_located = !is_back && !is_new_process(h) &&
			  pairs_locate(u, h->hart.from, hart_space(&h->hart), &place);
	if (is_located) {
		stacks_land(u, &h->hart, &place);
		flow_set(&h->hart, TR_FLOW_NEXT, epc);
	} else if (h->state & (HAS_RETURNED | IS_CHILD)) {
		traps_land(u, h, &place);
	} else if (h->hart.from->flow == TR_FLOW_RETURN && !(h->state & HAS_PENDING)) {
		stacks_give_back_blank(u, h, &place);
		flow_set(&h->hart, TR_FLOW_NEXT, epc);
	}
	if (!stack_top(h->stack))
		frames_hold_root(u, h, SYM_UNKNOWN);
	stacks_show(u, h);
}

void traps_take(struct tr_unwind *u, struct stacks_hart *h, const struct tr_event *event)
{
	const struct tr_context *c = &h->hart.context;
	settle(u, h, event->u.trap.epc);
	struct trap trap = {.sp = h->hart.sp,
			    .epc = event->u.trap.epc,
			    .satp = c->satp,
			    .held = *h->hart.from,
			    .pending = h->pending,
			    .state = h->state & (HAS_PENDING | IS_VEILED | WROTE_TP),
			    .veil = h->veil,
			    .sym = names_trap(u, event->u.trap.cause),
			    .leaf = rows_charge_trap(u, &h->hart, event),
			    .from = c->priv,
			    .priv = event->u.trap.priv,
			    .is_interrupt = event->u.trap.cause & TR_CAUSE_INTERRUPT};
	if (trap.held.flow <= TR_FLOW_BRANCH)
		trap.held =
		    (struct pair){.flow = TR_FLOW_NEXT, .binary = TR_NOTE_UNKNOWN};
	if (priv_rank(c->priv) == TR_PRIV_U && event->u.trap.cause == CAUSE_ECALL_U)
		snapshot_take(u, h, &trap);
	trap.is_fresh = h->hart.fresh;
	frames_push_trap(u, h, &trap);
	h->state = HAS_TRAPPED;
	h->hart.fresh = false;
	u->totals.traps++;
	flow_set(&h->hart, TR_FLOW_NEXT, 0);
}

/* A trap into its own privilege and function is a jump: so an MMU is switched on. */
static bool is_jump(const struct stacks_hart *h, const struct trap *trap,
		    const struct place *place)
{
	const struct stack *s = h->stack;
	const struct frame *below =
	    trap->frame ? &s->frames[trap->frame - 1] : stack_top(s->below);
	return trap->priv == trap->from && !trap->is_interrupt && below &&
	       below->kind == FRAME_FUNCTION && below->sym == place->sym;
}

static void begin_handler(struct tr_unwind *u, struct stacks_hart *h,
			  const struct place *place)
{
	struct stack *s = h->stack;
	h->state &= ~(uint32_t)HAS_TRAPPED;
	if (!stack_top(s))
		stacks_begin(u, h, place);
	else if (s->ntraps && is_jump(h, &s->traps[s->ntraps - 1], place))
		frames_keep(s, s->traps[s->ntraps - 1].frame);
	else
		stacks_enter(u, h, place);
}

/* ------------------------------------------------------------ returns from traps */

static bool fits(const struct trap *t, uint8_t priv, uint8_t to, uint64_t sp,
		 uint64_t satp)
{
	return t->priv == priv && t->from == to && t->sp == sp &&
	       (priv_rank(to) != TR_PRIV_U || t->satp == satp);
}

/* The newest trap that was taken to `priv`, from `to` at sp; NULL: there is none. */
static struct trap *find_trap(const struct stacks_hart *h, uint8_t priv,
			      struct stack **where)
{
	const struct tr_context *c = &h->hart.context;
	struct stack *s = h->stack, *above = s->above;
	if (above && above->below == s && above->ntraps &&
	    fits(&above->traps[above->ntraps - 1], priv, c->priv, h->hart.sp, c->satp)) {
		*where = above;
		return &above->traps[above->ntraps - 1];
	}
	for (; s; s = s->below)
		for (uint32_t i = s->ntraps; i-- > 0;)
			if (fits(&s->traps[i], priv, c->priv, h->hart.sp, c->satp)) {
				*where = s;
				return &s->traps[i];
			}
	return NULL;
}

/* The newest trap to `priv`, whatever it interrupted. */
static struct trap *find_newest(const struct stacks_hart *h, uint8_t priv,
				struct stack **where)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->ntraps; i-- > 0;)
			if (s->traps[i].priv == priv) {
				*where = s;
				return &s->traps[i];
			}
	return NULL;
}

void traps_leave(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		 const struct trap *trap)
{
	h->returned = *trap;
	frames_keep(s, trap->frame);
	stack_go(u, h, s->depth || !s->below ? s : s->below, h->hart.sp);
	h->state = HAS_RETURNED;
}

/* The trap is handed on to the supervisor. */
void traps_hand_on(struct tr_unwind *u, struct stacks_hart *h)
{
	struct trap trap = h->returned;
	trap.priv = h->hart.context.priv;
	frames_push_trap(u, h, &trap);
	h->state = HAS_TRAPPED;
}

/* Within a privilege: a task that was switched to goes on, or begins; or a jump. Returns
 * how what ran before was left. */
static uint8_t return_across(struct tr_unwind *u, struct stacks_hart *h, uint8_t priv)
{
	struct stack *where, *before = h->stack;
	if (!(h->state & HAS_PENDING))
		return TR_FLOW_RETURN;
	stack_settle(u, h, false, false);
	const struct trap *trap = find_trap(h, priv, &where);
	if (trap) {
		traps_leave(u, h, where, trap);
	} else if (!h->stack->depth || h->stack == before) {
		stack_begin_thread(u, h);
		h->stack->ordinal = ORDINAL_NEW;
	}
	return FLOW_RESYNC;
}

/* To a lower privilege, where no trap came from with this sp. */
static void return_down(struct tr_unwind *u, struct stacks_hart *h, uint8_t priv)
{
	const struct tr_context *c = &h->hart.context;
	struct stack *where;
	const struct trap *trap = find_newest(h, priv, &where);
	h->state &= ~(uint32_t)HAS_PENDING;
	if (priv_rank(c->priv) == TR_PRIV_S && trap && trap->sp == h->hart.sp) {
		traps_leave(u, h, where, trap);
		traps_hand_on(u, h);
	} else if (priv_rank(c->priv) == TR_PRIV_U && trap &&
		   priv_rank(trap->from) == TR_PRIV_U && trap->satp == c->satp) {
		traps_leave(u, h, where, trap);
		h->state |= IS_ELSEWHERE;
	} else if (trap && priv_rank(trap->from) == TR_PRIV_U) {
		frames_keep(where, trap->frame);
		stack_begin_thread(u, h);
	} else {
		h->state |= IS_CHILD;
	}
}

void traps_xret(struct tr_unwind *u, struct stacks_hart *h, const struct tr_event *event)
{
	const uint8_t priv = h->hart.context.priv;
	struct stack *where;
	tr_context_apply(&h->hart.context, event);
	h->hart.fresh = false;
	h->state &= ~(uint32_t)(IS_VEILED | HAS_TRAPPED);
	if (!u->options.has_sp) {
		if (h->hart.from->sp_write)
			inferred_write(h);
		h->state |= HAS_XRET;
		h->xret_priv = priv;
		flow_set(&h->hart, FLOW_RESYNC, 0);
		return;
	}
	const struct trap *trap = find_trap(h, priv, &where);
	uint8_t flow = FLOW_RESYNC;
	if (trap)
		traps_leave(u, h, where, trap);
	else if (priv == h->hart.context.priv)
		flow = return_across(u, h, priv);
	else
		return_down(u, h, priv);
	flow_set(&h->hart, flow, 0);
}

static bool ends_signal(const struct tr_unwind *u, const struct stacks_hart *h,
			const struct frame *signal, uint64_t pc)
{
	if (!u->options.has_sp)
		return pc - signal->linked <= TR_INSN_MAX_BYTES;
	return !signal->signal || signal->signal == h->hart.sp;
}

bool traps_end_signal(struct tr_unwind *u, struct stacks_hart *h, uint64_t pc)
{
	for (struct stack *s = h->stack; s; s = s->below)
		for (uint32_t i = s->depth; i-- > 0;) {
			const struct frame *f = &s->frames[i];
			if (f->kind != FRAME_SIGNAL || !ends_signal(u, h, f, pc))
				continue;
			if (!u->options.has_sp)
				h->hart.sp = f->signal;
			frames_keep(s, i);
			stack_go(u, h, s->depth || !s->below ? s : s->below, h->hart.sp);
			return true;
		}
	return false;
}

/* The signal whose handler was entered with this sp has ended, and another begins:
 * the sp that it interrupted, or else that of the system call. */
static uint64_t interrupted_sp(struct stacks_hart *h)
{
	struct stack *s = h->stack;
	for (uint32_t i = s->depth; i-- > 0 && h->returned.sp == h->hart.sp;) {
		const struct frame *f = &s->frames[i];
		if (f->kind != FRAME_SIGNAL || f->sp != h->hart.sp)
			continue;
		uint64_t sp = f->signal;
		frames_keep(s, i);
		return sp;
	}
	return h->returned.sp;
}

static void begin_signal(struct tr_unwind *u, struct stacks_hart *h,
			 const struct place *place)
{
	const uint64_t sp = h->hart.sp, interrupted = interrupted_sp(h);
	struct stack *s = h->stack;
	if (interrupted - sp > SIGNAL_NEAR && u->options.has_sp) {
		struct stack *other = stack_find(u, s->key, sp);
		if (!other || stack_stands_on(s, other))
			other = stack_new(u, &h->hart.context, sp);
		stack_drop_below(u, other, UINT64_MAX - 1);
		other->depth = other->ntraps = 0;
		other->below = s->depth || !s->below ? s : s->below;
		stack_go(u, h, other, interrupted);
	}
	frames_push_signal(u, h, interrupted, h->returned.epc);
	stacks_enter(u, h, place);
}

/* Back in user code, with another sp than was interrupted. */
static bool land_elsewhere(struct tr_unwind *u, struct stacks_hart *h,
			   const struct place *place)
{
	flow_set(&h->hart, FLOW_RESYNC, 0);
	if (traps_end_signal(u, h, place->pc))
		return false;
	if (place->entry) {
		begin_signal(u, h, place);
		return true;
	}
	h->pending = (struct pending){.first = h->hart.sp, .before = h->returned.sp};
	if (u->options.has_sp) {
		stack_settle(u, h, false, false);
	} else {
		h->hart.sp = h->returned.sp;
		flow_set(&h->hart, TR_FLOW_RETURN, 0);
	}
	return false;
}

static bool land_returned(struct tr_unwind *u, struct stacks_hart *h,
			  const struct place *place)
{
	const struct trap *r = &h->returned;
	bool is_elsewhere = h->state & IS_ELSEWHERE;
	h->state &= ~(uint32_t)(HAS_RETURNED | IS_ELSEWHERE);
	/* The thread has been forgotten since the trap. */
	if (!stack_top(h->stack))
		return false;
	if (is_elsewhere)
		return land_elsewhere(u, h, place);
	if (place->pc == r->epc || (r->other && place->pc == r->other)) {
		h->hart.held = r->held;
		h->hart.from = &h->hart.held;
		h->pending = r->pending;
		h->state |= r->state;
		h->veil = r->veil;
		h->hart.fresh = r->is_fresh;
	} else if (place->pc - r->epc <= TR_INSN_MAX_BYTES) {
		flow_set(&h->hart, TR_FLOW_NEXT, 0);
	} else if (priv_rank(r->from) == TR_PRIV_U && place->entry && u->options.has_sp) {
		/* A signal whose frame is where that of the last one was. */
		begin_signal(u, h, place);
		return true;
	} else if (priv_rank(r->priv) == TR_PRIV_M && r->from == TR_PRIV_S &&
		   place->entry) {
		traps_hand_on(u, h);
		begin_handler(u, h, place);
		return true;
	}
	return false;
}

/* In user code that no trap came from: a forked child, a task that a kernel in M-mode
 * goes on with, or a thread that begins, perhaps with a signal: at the entry of a
 * function in a process that runs already. */
static bool land_child(struct tr_unwind *u, struct stacks_hart *h,
		       const struct place *place)
{
	struct stack *kernel = h->stack;
	uint64_t key = stack_key(&h->hart.context), sp = h->hart.sp;
	struct stack *s = stack_find_parked(u, key, sp);
	h->state &= ~(uint32_t)IS_CHILD;
	if (s && s->tp == stack_bottom(kernel)->tp) {
		stack_go(u, h, s, sp);
		while (s->ntraps && s->traps[s->ntraps - 1].sp == sp)
			frames_keep(s, s->traps[s->ntraps - 1].frame);
		return false;
	}
	if (snapshot_adopt(u, h, place))
		return false;
	bool is_unknown = place->sym == SYM_UNKNOWN;
	bool is_signal = place->entry && stack_has_process(u, &h->hart.context);
	stack_begin_thread(u, h);
	if (is_unknown) {
		h->stack->space = 0;
		h->stack->binary = TR_NOTE_UNKNOWN;
	}
	if (is_unknown || is_signal)
		frames_hold_root(u, h, frames_program(u, place));
	else
		stacks_begin(u, h, place);
	snapshot_release(u, h, kernel);
	if (is_signal) {
		frames_push_signal(u, h, 0, 0);
		stacks_enter(u, h, place);
	}
	return true;
}

bool traps_land(struct tr_unwind *u, struct stacks_hart *h, const struct place *place)
{
	if (h->state & HAS_XRET)
		inferred_xret(u, h, place);
	if (h->state & HAS_TRAPPED) {
		begin_handler(u, h, place);
		return true;
	}
	if (h->state & HAS_RETURNED)
		return land_returned(u, h, place);
	if (h->state & IS_CHILD)
		return land_child(u, h, place);
	return false;
}
