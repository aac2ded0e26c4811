/* SPDX-License-Identifier: Apache-2.0 */
/* Follows several harts in the order in which they access memory. */
#include "lane.h"
#include "stream/insn.h"

/* A place in the order in which harts access memory: tokens by their commits, those of
 * the lower hart first, and writes of devices before them. */
struct moment {
	uint64_t cycle;
	int hart; /* -1: a device */
};

static bool is_before(struct moment a, struct moment b)
{
	return a.cycle < b.cycle || (a.cycle == b.cycle && a.hart < b.hart);
}

/* Returns whether the event takes the model's time or acts on it. */
static bool is_timed(const struct tr_event *event)
{
	return event->kind == TR_EV_TRAP || replay_acts_on(event);
}

/* Moves to the next such event at or after the model's place; returns its row, or the
 * number of rows if there is none. */
static uint32_t next_timed(struct lane *l)
{
	const struct tr_hart_frame *f = &l->view;

	while (l->run.timed < f->nevents && !is_timed(&f->events[l->run.timed]))
		l->run.timed++;
	return l->run.timed < f->nevents ? f->events[l->run.timed].row : f->nrows;
}

/* Returns the event that comes next, if it stands before the next token, else NULL. */
static const struct tr_event *event_here(struct lane *l)
{
	return l->run.token == 0 && next_timed(l) == l->run.row &&
		       l->run.timed < l->view.nevents
		   ? &l->view.events[l->run.timed]
		   : NULL;
}

/* Returns the cycles of a token, of which only the stalled ones have an entry. `stall` is
 * the first entry to look at, and moves to that of the token. */
static uint64_t cycles_of(const struct tr_timing *timing, unsigned token, uint32_t *stall)
{
	while (*stall < timing->nstalls && timing->stalls[*stall].token < token)
		++*stall;
	if (*stall < timing->nstalls && timing->stalls[*stall].token == token)
		return timing->stalls[*stall].cycles;
	return 1;
}

static bool is_page_fault(uint64_t cause)
{
	return cause == 12 || cause == 13 || cause == 15;
}

/* Returns whether the instruction may access memory, or orders accesses. */
static bool is_ordered(const uint8_t *code)
{
	switch (tr_insn_opcode(code[0])) {
	case TR_OPCODE_LOAD:
	case TR_OPCODE_LOAD_FP:
	case TR_OPCODE_CUSTOM_0: /* copies */
	case TR_OPCODE_MISC_MEM: /* fences */
	case TR_OPCODE_STORE:
	case TR_OPCODE_STORE_FP:
	case TR_OPCODE_AMO:
	case TR_OPCODE_SYSTEM: /* CSRs */
		return true;
	default:
		/* Of c0 and c2 all but c.addi4spn, and c.slli, c.jr and the like. */
		return (code[0] & 3) != 3 && (code[0] & 1) == 0 &&
		       (code[1] >> 5 & 3) != 0;
	}
}

/* Returns the first token of the row from `token` on whose order matters to other harts,
 * or the last one. What another hart stores while the hart executes those before it can
 * only be their code: then the trace has the old one, which is legal until fence.i. */
static unsigned next_ordered(struct lane *l, uint32_t row, unsigned token)
{
	const struct tr_block *block = lane_block(l, row);
	unsigned last = block->tokens - 1U, at = 0;

	if (token >= last)
		return token;
	unsigned watched = watch_next(l, row, token, l->run.instret - l->run.token);
	for (unsigned i = 0; i < last; i++) {
		if (i >= token && (i == watched || is_ordered(block->code + at)))
			return i;
		at += (block->code[at] & 3) == 3 ? 4 : 2;
	}
	return last;
}

/* tr-stream(5): what a frame does not have of a hart is less than this many cycles before
 * the end of the frame. */
enum { UNREPORTED_CYCLES = 1 << 17 };

/* Gets the moment of the hart's next token whose order matters, or of `event`, which
 * comes before it. Returns false if the view has none: then it is no earlier than the
 * moment that is set. */
static bool next_moment(struct lane *l, const struct tr_event *event, struct moment *when)
{
	uint32_t stall = 0;

	*when = (struct moment){l->run.cycle, (int)l->number};
	if (event) {
		when->cycle += event->cycles;
		if (event->kind == TR_EV_DEVICE_WRITE)
			when->hart = -1;
		return true;
	}
	if (l->run.row == l->view.nrows) {
		uint64_t latest = l->replay->latest;

		if (latest > UNREPORTED_CYCLES &&
		    when->cycle < latest - UNREPORTED_CYCLES)
			when->cycle = latest - UNREPORTED_CYCLES;
		return false;
	}
	unsigned last = next_ordered(l, l->run.row, l->run.token);
	for (unsigned i = l->run.token; i <= last; i++)
		when->cycle += cycles_of(lane_timing(l, l->run.row), i, &stall);
	return true;
}

/* Returns whether the hart has used page-table entries at its next token, or fault, that
 * memory may no longer have there: it has walked before. */
static bool has_walked(const struct lane *l, const struct tr_event *event)
{
	return l->run.walks ||
	       (event && event->kind == TR_EV_TRAP && is_page_fault(event->u.trap.cause));
}

static void take_timed_event(struct lane *l)
{
	uint32_t e = l->run.timed++;
	const struct tr_event *event = &l->view.events[e];

	replay_to_row(l, l->run.row);
	l->run.walks |= event->kind == TR_EV_TRANSLATION;
	if (!l->replay->failed && replay_acts_on(event))
		replay_act(l, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		l->run.cycle += event->cycles;
	if (!l->replay->failed)
		replay_traps(l, e + 1);
}

static void run_tokens(struct lane *l, struct moment limit);

/* Runs the others up to the moment of a watched token: they may be behind with tokens
 * whose order does not matter. */
static void run_others_until(const struct lane *l, struct moment when)
{
	struct replay *r = l->replay;

	for (unsigned i = 0; i < r->harts && !r->failed; i++)
		if (i != l->number && r->lanes[i].begun)
			run_tokens(&r->lanes[i], when);
}

/* Runs tokens whose moment is before `limit`. */
static void run_tokens(struct lane *l, struct moment limit)
{
	uint32_t last = next_timed(l);
	uint64_t instret = l->run.instret;
	struct moment when = {0, (int)l->number};
	unsigned from = l->run.token + l->passed;

	l->passed = false;
	while (l->run.row < last) {
		const struct tr_row *row = lane_row(l, l->run.row);

		unsigned watched =
		    watch_next(l, l->run.row, from, instret - l->run.token);
		when.cycle = l->run.cycle + row->cycles;
		if (l->run.token == 0 && watched == UINT16_MAX &&
		    is_before(when, limit)) {
			instret += row->tokens;
			l->run.cycle = when.cycle;
			l->run.row++;
			from = 0;
			continue;
		}
		const struct tr_timing *timing = lane_timing(l, l->run.row);
		uint32_t stall = 0;
		while (l->run.token < row->tokens) {
			when.cycle =
			    l->run.cycle + cycles_of(timing, l->run.token, &stall);
			if (!is_before(when, limit))
				break;
			if (l->run.token == watched) {
				replay_to(l, instret);
				if (!l->replay->failed)
					run_others_until(l, when);
				if (l->replay->failed)
					return;
				watch_reached(l);
				if (replay_is_stopped(l->replay))
					return;
				watched = watch_next(l, l->run.row, watched + 1U,
						     instret - l->run.token);
			}
			l->run.cycle = when.cycle;
			l->run.token++;
			instret++;
		}
		if (l->run.token < row->tokens)
			break;
		l->run.token = 0;
		l->run.row++;
		from = 0;
	}
	l->run.walks &= instret == l->run.instret;
	replay_to(l, instret);
}

/* The next moment of each hart, and the event there, or NULL. */
struct order {
	struct moment when[SOC_HARTS_MAX];
	bool known[SOC_HARTS_MAX]; /* next_moment() */
	const struct tr_event *event[SOC_HARTS_MAX];
	bool walked[SOC_HARTS_MAX];
};

static void find_next(struct order *order, struct lane *l)
{
	unsigned i = l->number;

	order->event[i] = event_here(l);
	order->known[i] = next_moment(l, order->event[i], &order->when[i]);
	order->walked[i] = has_walked(l, order->event[i]);
}

static bool others_have_walked(const struct replay *r, const struct order *order,
			       unsigned hart)
{
	for (unsigned i = 0; i < r->harts; i++)
		if (i != hart && order->walked[i])
			return true;
	return false;
}

/* Runs the hart that comes next, up to the next moment of another. Returns the hart, or
 * -1 if that cannot be told before the next frame, and after a failure. */
static int follow_next(struct replay *r, const struct order *order)
{
	struct moment first = {UINT64_MAX, 0}, second = first;
	struct lane *next = NULL;

	for (unsigned i = 0; i < r->harts; i++) {
		if (is_before(order->when[i], first)) {
			second = first;
			first = order->when[i];
			next = &r->lanes[i];
		} else if (is_before(order->when[i], second)) {
			second = order->when[i];
		}
	}
	if (!next || !order->known[next->number])
		return -1;
	soc_assume_tables(r->soc, others_have_walked(r, order, next->number));
	if (order->event[next->number])
		take_timed_event(next);
	else
		run_tokens(next, second);
	return replay_is_stopped(r) ? -1 : (int)next->number;
}

/* Only the hart that has run has another moment, unless what is watched has changed. */
void replay_in_order(struct replay *r)
{
	struct order order;
	unsigned first = 0, end = r->harts;
	int ran;

	do {
		for (unsigned i = first; i < end; i++)
			find_next(&order, &r->lanes[i]);
		ran = follow_next(r, &order);
		if (!r->watch.reached && ran >= 0) {
			first = (unsigned)ran;
			end = first + 1;
		}
	} while (ran >= 0);
}
