/* SPDX-License-Identifier: Apache-2.0 */
#include "cursor.h"

#include "acting.h"
#include "lane.h"
#include "stream/insn.h"

struct cursor_place cursor_place(const struct lane *l)
{
	const struct cursor *at = &l->cursor;

	return (struct cursor_place){at->row, at->token, at->instret, at->cycle};
}

uint64_t cursor_row_start(const struct lane *l)
{
	const struct cursor *at = &l->cursor;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t cycle = at->cycle;

	if (at->token == 0)
		return cycle;
	tr_tokens(lane_block(l, at->row), lane_timing(l, at->row), tokens);
	for (unsigned i = 0; i < at->token; i++)
		cycle -= tokens[i].cycles;
	return cycle;
}

void cursor_start(struct lane *l)
{
	l->cursor.instret = soc_instret(lane_soc(l), lane_hart(l));
	l->cursor.cycle = lane_view(l)->start_cycle;
}

void cursor_skip(struct lane *l, unsigned token)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	tr_tokens(lane_block(l, 0), lane_timing(l, 0), tokens);
	for (unsigned i = 0; i < token; i++)
		l->cursor.cycle += tokens[i].cycles;
	l->cursor.token = (uint16_t)token;
}

static bool is_one_of_several(const struct lane *l)
{
	return soc_harts(lane_soc(l)) > 1;
}

uint32_t cursor_needed_event(const struct lane *l)
{
	return is_one_of_several(l) ? l->cursor.timed : UINT32_MAX;
}

void cursor_drop(struct lane *l, uint32_t events)
{
	l->cursor.row = l->cursor.event = 0;
	l->cursor.timed -= is_one_of_several(l) ? events : 0;
}

void cursor_reach(struct lane *l)
{
	watch_reached(l, l->cursor.row, l->cursor.token);
	l->cursor.passed = true;
}

/* Returns the first token of the row that may be watched. */
static unsigned take_first_token(struct lane *l)
{
	unsigned first = l->cursor.token + l->cursor.passed;

	l->cursor.passed = false;
	return first;
}

/* ------------------------------------------------------------ running the model */

/* Runs the hart up to this many instructions, which is at the cursor's row and token. */
static void run_to(struct lane *l, uint64_t instret)
{
	struct soc *soc = lane_soc(l);
	unsigned hart = lane_hart(l);
	enum soc_stop stop = SOC_STOP_LIMIT;

	if (soc_instret(soc, hart) < instret)
		stop = soc_run_hart(soc, hart, instret);
	if (!lane_failed(l) && soc_instret(soc, hart) != instret)
		replay_fail(l, soc_instret(soc, hart),
			    stop == SOC_STOP_LOOP ? "the model traps without end"
						  : "the model stops here");
	l->cursor.instret = instret;
	inputs_check(l, instret);
	compare_check(l, l->cursor.row, l->cursor.token, l->cursor.event);
}

/* Makes the model take the traps that stand before `event`, where no instruction commits.
 */
static void take_traps(struct lane *l, uint32_t event)
{
	struct soc_event step;
	uint32_t before;

	do {
		before = compare_place(l);
		if (!compare_awaits_trap(l, event))
			break;
		soc_step_event(lane_soc(l), lane_hart(l), &step);
	} while (!lane_failed(l) && compare_place(l) != before);
	l->cursor.event = event;
	compare_check(l, l->cursor.row, l->cursor.token, event);
}

/* Returns the first event behind the traps that stand before the model's row. */
static uint32_t behind_traps(const struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);
	uint32_t e = l->cursor.event;

	while (e < f->nevents &&
	       (f->events[e].row < l->cursor.row ||
		(f->events[e].row == l->cursor.row && f->events[e].token == 0)))
		e++;
	return e;
}

/* Runs the hart up to the beginning of a row. */
static void run_to_row(struct lane *l, uint32_t row)
{
	struct cursor *at = &l->cursor;
	uint64_t before = at->instret - at->token;
	unsigned from = take_first_token(l);
	bool watches = watch_is_on(lane_replay(l));

	while (at->row < row) {
		unsigned token =
		    watches ? watch_next(l, at->row, from, before) : UINT16_MAX;
		if (token == UINT16_MAX) {
			before += lane_row(l, at->row)->tokens;
			at->row++;
			from = 0;
			continue;
		}
		at->token = (uint16_t)token;
		run_to(l, before + token);
		if (!lane_failed(l) && token == 0)
			take_traps(l, behind_traps(l));
		if (!lane_failed(l))
			cursor_reach(l);
		if (lane_stopped(l))
			return;
		from = take_first_token(l);
	}
	at->token = 0;
	run_to(l, before);
}

void cursor_follow(struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);

	for (uint32_t e = l->cursor.event; e < f->nevents; e++) {
		if (!acts_on_event(&f->events[e]))
			continue;
		run_to_row(l, f->events[e].row);
		if (!lane_stopped(l))
			take_traps(l, e);
		if (lane_stopped(l))
			return;
		act_on_event(l, &f->events[e], l->cursor.instret);
		l->cursor.event = e + 1;
		if (lane_failed(l))
			return;
	}
	run_to_row(l, f->nrows);
	if (!lane_stopped(l))
		take_traps(l, f->nevents);
	l->cursor.cycle = f->end_cycle;
}

/* ------------------------------------------------------------ of several harts */

/* Returns whether the event takes the model's time or acts on it. */
static bool is_timed(const struct tr_event *event)
{
	return event->kind == TR_EV_TRAP || acts_on_event(event);
}

/* Moves to the next such event at or after the model's place; returns its row, or the
 * number of rows if there is none. */
static uint32_t next_timed(struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);
	struct cursor *at = &l->cursor;

	while (at->timed < f->nevents && !is_timed(&f->events[at->timed]))
		at->timed++;
	return at->timed < f->nevents ? f->events[at->timed].row : f->nrows;
}

/* Returns the event that comes next, if it stands before the next token, else NULL. */
static const struct tr_event *event_here(struct lane *l)
{
	return l->cursor.token == 0 && next_timed(l) == l->cursor.row &&
		       l->cursor.timed < lane_view(l)->nevents
		   ? &lane_view(l)->events[l->cursor.timed]
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
	unsigned watched = watch_next(l, row, token, l->cursor.instret - l->cursor.token);
	for (unsigned i = 0; i < last; i++) {
		if (i >= token && (i == watched || is_ordered(block->code + at)))
			return i;
		at += (block->code[at] & 3) == 3 ? 4 : 2;
	}
	return last;
}

void cursor_find_next(struct lane *l, struct cursor_next *next)
{
	const struct cursor *at = &l->cursor;
	const struct tr_event *event = event_here(l);
	uint32_t stall = 0;

	next->event = event;
	next->when = (struct moment){at->cycle, (int)lane_hart(l)};
	next->known = event || at->row < lane_view(l)->nrows;
	next->walked = at->walks || (event && event->kind == TR_EV_TRAP &&
				     is_page_fault(event->u.trap.cause));
	if (event) {
		next->when.cycle += event->cycles;
		if (event->kind == TR_EV_DEVICE_WRITE)
			next->when.hart = -1;
	} else if (next->known) {
		unsigned last = next_ordered(l, at->row, at->token);

		for (unsigned i = at->token; i <= last; i++)
			next->when.cycle += cycles_of(lane_timing(l, at->row), i, &stall);
	}
}

void cursor_take_event(struct lane *l)
{
	uint32_t e = l->cursor.timed++;
	const struct tr_event *event = &lane_view(l)->events[e];

	run_to_row(l, l->cursor.row);
	l->cursor.walks |= event->kind == TR_EV_TRANSLATION;
	if (!lane_failed(l) && acts_on_event(event))
		act_on_event(l, event, l->cursor.instret);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		l->cursor.cycle += event->cycles;
	if (!lane_failed(l))
		take_traps(l, e + 1);
}

bool cursor_run(struct lane *l, struct moment limit, struct moment *watched)
{
	struct cursor *at = &l->cursor;
	uint32_t last = next_timed(l);
	uint64_t instret = at->instret;
	struct moment when = {0, (int)lane_hart(l)};

	for (unsigned from = take_first_token(l); at->row < last; from = 0) {
		const struct tr_row *row = lane_row(l, at->row);
		unsigned stop = watch_next(l, at->row, from, instret - at->token);

		when.cycle = at->cycle + row->cycles;
		if (at->token == 0 && stop == UINT16_MAX &&
		    moment_is_before(when, limit)) {
			instret += row->tokens;
			at->cycle = when.cycle;
			at->row++;
			continue;
		}
		const struct tr_timing *timing = lane_timing(l, at->row);
		uint32_t stall = 0;
		while (at->token < row->tokens) {
			when.cycle = at->cycle + cycles_of(timing, at->token, &stall);
			if (!moment_is_before(when, limit))
				break;
			if (at->token == stop) {
				run_to(l, instret);
				*watched = when;
				return !lane_failed(l);
			}
			at->cycle = when.cycle;
			at->token++;
			instret++;
		}
		if (at->token < row->tokens)
			break;
		at->token = 0;
		at->row++;
	}
	at->walks &= instret == at->instret;
	run_to(l, instret);
	return false;
}

/* ------------------------------------------------------------ saving and loading */

void cursor_put(const struct lane *l, struct tr_buffer *out)
{
	tr_buffer_varint(out, l->cursor.cycle);
	tr_buffer_varint(out, l->cursor.token);
	tr_buffer_varint(out, l->cursor.timed);
}

void cursor_load(struct lane *l, struct tr_bytes *in)
{
	l->cursor.cycle = tr_varint_below(in, INT64_MAX);
	l->cursor.token = (uint16_t)tr_varint_below(in, TR_BLOCK_MAX_TOKENS);
	l->cursor.timed = (uint32_t)tr_varint_below(in, UINT32_MAX);
}

bool cursor_restore(struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);

	l->cursor.instret = soc_instret(lane_soc(l), lane_hart(l));
	return l->cursor.timed <= f->nevents &&
	       (l->cursor.token == 0 ||
		(f->nrows && l->cursor.token < lane_row(l, 0)->tokens));
}
