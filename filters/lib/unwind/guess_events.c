/* SPDX-License-Identifier: Apache-2.0 */
/* Traps, trap returns, thread switches and gaps. */
#include <stdlib.h>

#include "stream/reader.h"
#include "unwind/guess.h"

static unsigned rank(uint8_t priv)
{
	return priv & 3U;
}

void events_see_thread(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = &h->context;
	if (!threads_has_tp(u, c) || thread_of(h)->key == c->tp ||
	    threads_name(u, thread_of(h), c->tp))
		return;
	threads_switch(u, h, threads_get(u, c->tp, c->tp, c->satp));
}

/* Without tp an address space is taken for a thread. */
static void see_space(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = &h->context;
	uint64_t key = UINT64_C(1) << 40 | c->space;
	if (u->options.has_tp || rank(c->priv) == TR_PRIV_M || !c->space)
		return;
	if (thread_of(h)->key != key)
		threads_switch(u, h, threads_get(u, key, 0, c->satp));
}

static bool level_fits(const struct thread *t, uint32_t base, const struct tr_context *c)
{
	return t->frames[base].priv == c->priv &&
	       (rank(c->priv) != TR_PRIV_U || base || t->space == c->space ||
		t->space == SPACE_FORKED);
}

/* Which space a forked child has is known when its user code runs. */
static void settle_space(struct thread *t, const struct tr_context *c)
{
	if (t->space == SPACE_FORKED && rank(c->priv) == TR_PRIV_U && c->space)
		t->space = c->space;
}

void events_align(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = &h->context;
	see_space(u, h);
	spaces_see(u, c);
	struct thread *t = thread_of(h);
	if (!t->depth)
		return;
	if (level_fits(t, t->base, c)) {
		settle_space(t, c);
		return;
	}
	uint32_t base = t->base;
	while (base && !level_fits(t, base, c))
		base = t->frames[base].below;
	bool fits = level_fits(t, base, c);
	if (fits) {
		while (t->base != base)
			stack_leave(t);
		settle_space(t, c);
	} else if (rank(c->priv) > rank(t->frames[t->base].priv)) {
		/* A trap that the source did not tell. */
		struct frame trap = {.ret = NO_RETURN,
				     .sym = SYM_TRAP,
				     .flow = FLOW_RESYNC,
				     .priv = c->priv,
				     .from = t->frames[t->base].priv};
		stack_trap(u, t, &trap);
	} else {
		stack_clear(t);
	}
	flow_set(h, FLOW_RESYNC, 0);
}

/* A new process can fault before its first instruction, and tr-match tells the
 * space only where that instruction runs: when this thread is next in user code. */
static bool see_space_ahead(const struct tr_unwind *u, struct hart *h)
{
	struct ahead ahead = threads_ahead(h, h->next_event - 1);
	while (threads_ahead_next(u, &ahead))
		if (ahead.context.satp == h->context.satp) {
			h->context.space = ahead.context.space;
			return true;
		}
	return false;
}

/* Whether a trap at epc is the first that is seen of what runs now. */
static bool is_unseen(struct hart *h, uint64_t epc)
{
	const struct thread *t = thread_of(h);
	uint8_t flow = h->from->flow;
	if (rank(h->context.priv) != TR_PRIV_U)
		return false;
	return flow == FLOW_RESYNC ||
	       (flow == FLOW_RESUME &&
		(epc - guess_hart(h)->resumed.ret > TR_INSN_MAX_BYTES ||
		 t->space != h->context.space));
}

static void take_trap(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	if (is_unseen(h, event->u.trap.epc) && !see_space_ahead(u, h) &&
	    thread_of(h)->space != h->context.space)
		h->context.space = 0;
	events_align(u, h);
	struct thread *t = thread_of(h);
	const struct tr_context *c = &h->context;
	if (h->from->flow == FLOW_RESUME)
		forks_undo(u, t, guess_hart(h)->resumed.ret, event->u.trap.epc);
	if (t->depth)
		flow_settle(u, h, event->u.trap.epc);
	else
		flow_begin(u, h, event->u.trap.epc);
	guess_show(h);
	uint32_t leaf = rows_charge_trap(u, h, event);
	uint8_t flow = h->from->flow;
	struct frame trap = {.ret = event->u.trap.epc,
			     .flow_next = pair_next_pc(h->from),
			     .sym = names_trap(u, event->u.trap.cause),
			     .leaf = leaf,
			     .flow = flow == TR_FLOW_XRET ? FLOW_RESYNC : flow,
			     .priv = event->u.trap.priv,
			     .from = c->priv};
	stack_trap(u, t, &trap);
	u->totals.traps++;
	h->fresh = false;
	flow_set(h, TR_FLOW_NEXT, 0);
}

/* Base of the newest trap that was taken to `priv`, 0 if there is none. */
static uint32_t find_trap(const struct thread *t, uint8_t priv)
{
	uint32_t base = t->depth ? t->base : 0;
	while (base && t->frames[base].priv != priv)
		base = t->frames[base].below;
	return base;
}

static void return_from_trap(struct hart *h, uint8_t to)
{
	struct thread *t = thread_of(h);
	uint32_t base = find_trap(t, h->context.priv);
	flow_set(h, FLOW_RESYNC, 0);
	h->fresh = false;
	if (!base)
		return;
	while (t->base != base)
		stack_leave(t);
	struct frame *trap = &t->frames[base];
	if (trap->from == to) {
		guess_hart(h)->resumed = *trap;
		stack_leave(t);
		flow_set(h, FLOW_RESUME, 0);
	} else if (rank(to) > rank(trap->from)) {
		/* M hands a trap on to S: the same trap, another handler. */
		stack_keep(t, base + 1);
		trap->priv = to;
		flow_set(h, TR_FLOW_NEXT, 0);
	} else {
		stack_leave(t);
	}
}

static void gap(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	rows_gap(u, h, names_node(u, 0, names_gap(u, event->u.gap.reason)),
		 event->cycles);
	flow_set(h, FLOW_RESYNC, 0);
	h->fresh = false;
}

void events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		take_trap(u, h, event);
		break;
	case TR_EV_XRET:
		return_from_trap(h, event->u.xret.priv);
		break;
	case TR_EV_GAP:
		gap(u, h, event);
		break;
	case TR_EV_TRIGGER:
		flow_set(h, FLOW_RESYNC, 0);
		break;
	default:
		break;
	}
	tr_context_apply(&h->context, event);
	if (event->kind == TR_EV_REG && event->u.reg.reg == 4)
		events_see_thread(u, h);
}

static uint32_t process_of(const struct thread *t)
{
	return t->space >= SPACE_FORKED ? 0 : t->space;
}

void guess_show(struct hart *h)
{
	const struct thread *t = thread_of(h);
	if (!t->depth) {
		h->here = (struct here){.top = SYM_NONE};
		return;
	}
	const struct frame *top = &t->frames[t->depth - 1];
	h->here = (struct here){.node = top->node,
				.sym = top->sym,
				.top = t->top,
				.thread = t->id,
				.process = process_of(t)};
}

static bool init(struct tr_unwind *u)
{
	u->state = calloc(1, sizeof(struct guess));
	return u->state;
}

static void release(struct tr_unwind *u)
{
	if (u->state)
		threads_free(u);
	free(u->state);
}

static struct hart *new_hart(struct tr_unwind *u, uint32_t number)
{
	struct guess_hart *h = calloc(1, sizeof(*h));
	struct thread *t = threads_get(u, number + 1, 0, 0);
	if (h && t) {
		h->thread = t;
		flow_set(&h->hart, FLOW_RESYNC, 0);
		return &h->hart;
	}
	free(h);
	return NULL;
}

static void begin_part(struct tr_unwind *u, struct hart *h)
{
	events_see_thread(u, h);
	guess_show(h);
}

static void align(struct tr_unwind *u, struct hart *h)
{
	events_align(u, h);
	guess_show(h);
}

static void land(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	flow_land(u, h, place);
	guess_show(h);
}

static void apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event)
{
	events_apply(u, h, event);
	guess_show(h);
}

const struct engine guess_engine = {.init = init,
				    .free = release,
				    .hart = new_hart,
				    .part = begin_part,
				    .rows = align,
				    .land = land,
				    .event = apply};
