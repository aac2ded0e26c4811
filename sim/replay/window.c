/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include <inttypes.h>

#include "accesses.h"
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
	if (!lane_has_begun(replay_lane(r, f->hart)))
		return f->start_cycle > soc_cycle(replay_soc(r), f->hart);
	for (uint32_t e = 0; e < f->nevents && f->events[e].row == 0; e++)
		if (is_untraced_gap(&f->events[e]))
			return true;
	return false;
}

bool window_begins(const struct replay *r, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts && !r->window.lost; i++)
		if (frame->harts[i].hart < replay_harts(r) &&
		    begins_later(r, &frame->harts[i]))
			return true;
	return false;
}

void window_leave(struct replay *r)
{
	r->window.lost = true;
}

void window_forget(struct replay *r)
{
	r->window.lost = false;
}

bool window_is_lost(const struct replay *r)
{
	return r->window.lost;
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
		accesses_tell_write(l, event);
		if (!soc_write_physical(lane_soc(l), event->u.write.address,
					event->u.write.data, event->u.write.size))
			replay_fail_frame(lane_replay(l), lane_hart(l),
					  "the window has memory at 0x%" PRIx64
					  ", where the machine has none",
					  event->u.write.address);
	}
}

static void set_hart_state(struct lane *l, const struct tr_event *event)
{
	struct tr_header *keys = tr_header_new();
	struct soc_state state;
	const char *wrong = "text";

	if (keys && tr_header_parse(keys, (const char *)event->u.state.text,
				    event->u.state.size) == TR_OK)
		wrong = checkpoint_get_state(keys, &state, soc_get_features(lane_soc(l)));
	if (wrong)
		replay_fail_frame(lane_replay(l), lane_hart(l),
				  "the state of the hart is damaged: %s", wrong);
	else
		soc_set_state(lane_soc(l), lane_hart(l), &state);
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

/* Begins the lane at its state. */
static void enter_lane_at_state(struct lane *l, const struct tr_hart_frame *f,
				uint64_t generation, uint32_t state)
{
	const struct tr_event *event = &f->events[state];
	uint32_t row = event->row, before = 0;

	if (event->u.state.back && row == 0) {
		replay_fail_frame(lane_replay(l), lane_hart(l),
				  "the state is that of no instruction");
		return;
	}
	if (event->u.state.back)
		before = f->rows[--row].tokens - 1;
	set_hart_state(l, event);
	if (lane_failed(l))
		return;
	if (!lane_enter(l, f, generation, row, first_event(f, state, row, before),
			before)) {
		replay_fail_frame(lane_replay(l), lane_hart(l), "out of memory");
		return;
	}
	lane_counts(l)->instructions += lane_view(l)->tokens - before;
	lane_counts(l)->before += f->tokens - lane_view(l)->tokens + before;
	l->window.seeks_pc = true;
	window_find_pc(l);
}

/* What is not followed at all. */
static void skip_unfollowed_frame(struct replay *r, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		struct lane *l = lane_of_hart(r, frame->harts[i].hart);

		lane_skip(l, frame->harts[i].nrows);
		lane_counts(l)->before += frame->harts[i].tokens;
	}
}

bool window_enter(struct replay *r, const struct tr_frame *frame)
{
	uint32_t states[SOC_HARTS_MAX], n = 0;

	for (uint32_t i = 0; i < frame->nharts && !replay_failed(r); i++) {
		const struct tr_hart_frame *f = &frame->harts[i];

		states[i] = find_state(f);
		n += states[i] < f->nevents;
		set_memory(lane_of_hart(r, f->hart), f, states[i]);
	}
	if (n && n != replay_harts(r) && !replay_failed(r))
		replay_fail_frame(r, frame->harts[0].hart,
				  "the states of the harts are not together");
	if (replay_failed(r))
		return false;
	if (n == 0) {
		skip_unfollowed_frame(r, frame);
		return false;
	}
	r->window.lost = false;
	lane_counts(lane_of_hart(r, 0))->windows++;
	for (uint32_t i = 0; i < frame->nharts && !replay_failed(r); i++)
		enter_lane_at_state(lane_of_hart(r, frame->harts[i].hart),
				    &frame->harts[i], frame->generation, states[i]);
	return !replay_failed(r);
}

void window_find_pc(struct lane *l)
{
	const struct tr_hart_frame *f = lane_view(l);
	const struct cursor_place at = cursor_place(l);
	uint32_t e = compare_place(l);
	uint64_t pc;

	if (!l->window.seeks_pc)
		return;
	while (e < f->nevents && f->events[e].row == at.row &&
	       f->events[e].kind != TR_EV_TRAP)
		e++;
	if (e < f->nevents && f->events[e].row == at.row)
		pc = f->events[e].u.trap.epc;
	else if (at.row < f->nrows)
		pc = lane_block(l, at.row)->pc +
		     carry_offset(lane_block(l, at.row), at.token);
	else
		return;
	soc_set_pc(lane_soc(l), lane_hart(l), pc);
	l->window.seeks_pc = false;
}

void window_put(const struct lane *l, struct tr_buffer *out)
{
	tr_buffer_varint(out, l->window.seeks_pc);
}

void window_load(struct lane *l, struct tr_bytes *in)
{
	l->window.seeks_pc = tr_varint_below(in, 2);
}
