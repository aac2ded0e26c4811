/* SPDX-License-Identifier: Apache-2.0 */
/* Follows several harts in the order in which they access memory. */
#include "lane.h"

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

static struct tr_token *decode(struct lane *l, uint32_t row, struct tr_token *tokens)
{
	tr_tokens(lane_block(l, row), lane_timing(l, row), tokens);
	return tokens;
}

/* tr-stream(5): what a frame does not have of a hart is less than this many cycles before
 * the end of the frame. */
enum { UNTOLD_CYCLES = 1 << 17 };

/* Gets the moment of the hart's next token or event. Returns false if the view has none:
 * then it is no earlier than the moment that is set. */
static bool next_moment(struct lane *l, struct moment *when)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint32_t row = next_timed(l);

	*when = (struct moment){l->run.cycle, (int)l->number};
	if (l->run.token == 0 && row == l->run.row && l->run.timed < l->view.nevents) {
		const struct tr_event *event = &l->view.events[l->run.timed];

		when->cycle += event->cycles;
		if (event->kind == TR_EV_DEVICE_WRITE)
			when->hart = -1;
		return true;
	}
	if (l->run.row == l->view.nrows) {
		uint64_t latest = l->replay->latest;

		if (latest > UNTOLD_CYCLES && when->cycle < latest - UNTOLD_CYCLES)
			when->cycle = latest - UNTOLD_CYCLES;
		return false;
	}
	when->cycle += decode(l, l->run.row, tokens)[l->run.token].cycles;
	return true;
}

static void take_event(struct lane *l)
{
	uint32_t e = l->run.timed++;
	const struct tr_event *event = &l->view.events[e];

	replay_to_row(l, l->run.row);
	if (!l->replay->failed && replay_acts_on(event))
		replay_act(l, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		l->run.cycle += event->cycles;
	if (!l->replay->failed)
		replay_traps(l, e + 1);
}

/* Runs tokens whose moment is before `limit`. */
static void run_tokens(struct lane *l, struct moment limit)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint32_t last = next_timed(l);
	uint64_t instret = l->run.instret;
	struct moment when = {0, (int)l->number};
	unsigned from = l->run.token, watched;

	while (l->run.row < last) {
		const struct tr_row *row = lane_row(l, l->run.row);

		watched = watch_next(l, l->run.row, from);
		when.cycle = l->run.cycle + row->cycles;
		if (l->run.token == 0 && watched == UINT16_MAX &&
		    is_before(when, limit)) {
			instret += row->tokens;
			l->run.cycle = when.cycle;
			l->run.row++;
			from = 0;
			continue;
		}
		decode(l, l->run.row, tokens);
		while (l->run.token < row->tokens) {
			when.cycle = l->run.cycle + tokens[l->run.token].cycles;
			if (!is_before(when, limit))
				break;
			if (l->run.token == watched) {
				replay_to(l, instret);
				if (l->replay->failed)
					return;
				watch_reached(l);
				watched = watch_next(l, l->run.row, watched + 1U);
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
	replay_to(l, instret);
}

/* Runs the hart that comes next, up to the next moment of another. Returns false if that
 * cannot be told before the next frame, and after a failure. */
static bool follow_next(struct replay *r)
{
	struct moment when, first = {UINT64_MAX, 0}, second = first;
	struct lane *next = NULL;
	bool known = false;

	for (unsigned i = 0; i < r->harts; i++) {
		bool has;

		has = next_moment(&r->lanes[i], &when);
		if (is_before(when, first)) {
			second = first;
			first = when;
			next = &r->lanes[i];
			known = has;
		} else if (is_before(when, second)) {
			second = when;
		}
	}
	if (!known)
		return false;
	if (next->run.token == 0 && next_timed(next) == next->run.row &&
	    next->run.timed < next->view.nevents)
		take_event(next);
	else
		run_tokens(next, second);
	return !r->failed;
}

void replay_in_order(struct replay *r)
{
	while (follow_next(r))
		continue;
}
