/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a trace: the model continues where the trace has the state of the machine.
 */
#include <inttypes.h>

#include "lane.h"
#include "model/csr.h"
#include "model/state.h"
#include "run/checkpoint.h"

static bool is_untraced_gap(const struct tr_event *event)
{
	return event->kind == TR_EV_GAP && event->u.gap.reason == TR_GAP_UNTRACED;
}

static bool begins_later(const struct replay *r, const struct tr_hart_frame *f)
{
	if (!r->lanes[f->hart].begun)
		return f->start_cycle > soc_cycle(r->soc, f->hart);
	for (uint32_t e = 0; e < f->nevents && f->events[e].row == 0; e++)
		if (is_untraced_gap(&f->events[e]))
			return true;
	return false;
}

bool window_begins(const struct replay *r, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++)
		if (frame->harts[i].hart < r->harts && begins_later(r, &frame->harts[i]))
			return true;
	return false;
}

bool window_leave(struct replay *r)
{
	if (!replay_finish(r))
		return false;
	for (unsigned i = 0; i < r->harts; i++)
		if (r->lanes[i].begun && !lane_retain(&r->lanes[i]))
			replay_fail(&r->lanes[i], r->lanes[i].run.instret,
				    "out of memory");
	r->latest = 0;
	r->lost = true;
	return !r->failed;
}

/* ------------------------------------------------------------ the state */

/* Returns the index of the hart's state in the frame, or the number of its events. */
static uint32_t find_state(const struct tr_hart_frame *f)
{
	uint32_t e = 0;

	while (e < f->nevents && f->events[e].kind != TR_EV_STATE)
		e++;
	return e;
}

static void set_memory(struct lane *l, const struct tr_hart_frame *f, uint32_t end)
{
	for (uint32_t e = 0; e < end; e++) {
		const struct tr_event *event = &f->events[e];

		if (event->kind != TR_EV_MEMORY)
			continue;
		watch_external_write(l, event);
		if (!soc_write_physical(l->replay->soc, event->u.write.address,
					event->u.write.data, event->u.write.size))
			replay_fail_frame(l->replay, l->number,
					  "the window has memory at 0x%" PRIx64
					  ", where the machine has none",
					  event->u.write.address);
	}
}

static void set_hart_state(struct lane *l, const struct tr_event *event)
{
	struct replay *r = l->replay;
	struct tr_header *keys = tr_header_new();
	struct soc_state state;
	const char *wrong = "text";

	if (keys && tr_header_parse(keys, (const char *)event->u.state.text,
				    event->u.state.size) == TR_OK)
		wrong = checkpoint_get_state(keys, &state, soc_get_features(r->soc));
	if (wrong)
		replay_fail_frame(l->replay, l->number,
				  "the state of the hart is damaged: %s", wrong);
	else
		soc_set_state(r->soc, l->number, &state);
	tr_header_free(keys);
}

/* Returns the first event behind the state or, if that is of token `before` of the row,
 * of this token. */
static uint32_t first_event(const struct tr_hart_frame *f, uint32_t state, uint32_t row,
			    uint32_t before)
{
	uint32_t e = 0;

	if (row == f->events[state].row)
		return state + 1;
	while (f->events[e].row < row ||
	       (f->events[e].row == row &&
		!(tr_event_is_input(f->events[e].kind) && f->events[e].token == before)))
		e++;
	return e;
}

/* The model is before token `n` of the view's first row. */
static void skip_tokens(struct lane *l, unsigned n)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	tr_tokens(lane_block(l, 0), lane_timing(l, 0), tokens);
	for (unsigned i = 0; i < n; i++)
		l->run.cycle += tokens[i].cycles;
	l->run.token = (uint16_t)n;
	compare_skip(l, n, (unsigned)(tokens[n].pc - tokens[0].pc));
	l->instret -= n;
	inputs_start(l);
	old_code_start(l);
}

/* Begins the lane at its state. */
static void enter_lane_at_state(struct lane *l, const struct tr_hart_frame *f,
				uint32_t state)
{
	const struct tr_event *event = &f->events[state];
	uint32_t row = event->row, before = 0;

	if (event->u.state.back && row == 0) {
		replay_fail_frame(l->replay, l->number,
				  "the state is that of no instruction");
		return;
	}
	if (event->u.state.back)
		before = f->rows[--row].tokens - 1;
	set_hart_state(l, event);
	if (l->replay->failed)
		return;
	if (!lane_enter(l, f, row, first_event(f, state, row, before))) {
		replay_fail_frame(l->replay, l->number, "out of memory");
		return;
	}
	l->replay->counts.instructions += l->view.tokens - before;
	l->replay->counts.before += f->tokens - l->view.tokens + before;
	l->seeks_pc = true;
	old_code_begin_within(l);
	replay_begin_lane(l);
	if (before)
		skip_tokens(l, before);
}

/* What is not followed at all. */
static void skip_unfollowed_frame(struct replay *r, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		r->lanes[frame->harts[i].hart].rows_before += frame->harts[i].nrows;
		r->counts.before += frame->harts[i].tokens;
	}
}

bool window_enter(struct replay *r, const struct tr_frame *frame)
{
	uint32_t states[SOC_HARTS_MAX], n = 0;

	for (uint32_t i = 0; i < frame->nharts && !r->failed; i++) {
		const struct tr_hart_frame *f = &frame->harts[i];

		states[i] = find_state(f);
		n += states[i] < f->nevents;
		set_memory(&r->lanes[f->hart], f, states[i]);
	}
	if (n && n != r->harts && !r->failed)
		replay_fail_frame(r, frame->harts[0].hart,
				  "the states of the harts are not together");
	if (r->failed)
		return false;
	if (n == 0) {
		skip_unfollowed_frame(r, frame);
		return false;
	}
	r->lost = false;
	r->counts.windows++;
	for (uint32_t i = 0; i < frame->nharts && !r->failed; i++)
		enter_lane_at_state(&r->lanes[frame->harts[i].hart], &frame->harts[i],
				    states[i]);
	return !r->failed;
}

void window_find_pc(struct lane *l)
{
	const struct tr_hart_frame *f = &l->view;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint32_t e = compare_place(l);
	uint64_t pc;

	while (e < f->nevents && f->events[e].row == l->run.row &&
	       f->events[e].kind != TR_EV_TRAP)
		e++;
	if (e < f->nevents && f->events[e].row == l->run.row) {
		pc = f->events[e].u.trap.epc;
	} else if (l->run.row < f->nrows) {
		tr_tokens(lane_block(l, l->run.row), lane_timing(l, l->run.row), tokens);
		pc = tokens[l->run.token].pc;
	} else {
		return;
	}
	soc_set_pc(l->replay->soc, l->number, pc);
	l->seeks_pc = false;
}
