/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the frames of a trace. */
#include "replay.h"

#include <stdlib.h>

#include "lane.h"

struct replay *replay_new(struct soc *soc, struct tr_reader *reader)
{
	struct replay *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->soc = soc;
	r->harts = soc_harts(soc);
	r->sampled_hart =
	    (unsigned)tr_header_get_u64(tr_reader_header(reader), "sampled_hart", 0);
	difference_create(r, reader);
	watch_create(r, reader);
	for (unsigned i = 0; i < r->harts; i++) {
		r->lanes[i] = lane_new(r, i, reader);
		if (!r->lanes[i]) {
			replay_free(r);
			return NULL;
		}
	}
	compare_set_hooks(r);
	inputs_set_hooks(r);
	return r;
}

void replay_free(struct replay *r)
{
	static const struct soc_hooks none;

	if (!r)
		return;
	for (unsigned i = 0; i < r->harts; i++)
		lane_free(r->lanes[i]);
	watch_free(r);
	soc_set_follow(r->soc, NULL);
	soc_set_hooks(r->soc, &none);
	free(r);
}

static bool is_sampled_hart(const struct replay *r, unsigned hart)
{
	return r->sampled_hart && hart == r->sampled_hart;
}

uint64_t replay_rows(const struct replay *r, unsigned hart)
{
	if (is_sampled_hart(r, hart))
		return UINT64_MAX;
	const struct lane *l = replay_lane(r, hart);

	return carry_number(lane_carry(l), cursor_place(l).row);
}

uint64_t replay_cycle(const struct replay *r, unsigned hart)
{
	return cursor_place(replay_lane(r, hart)).cycle;
}

const struct replay_counts *replay_counts(const struct replay *r)
{
	return &r->counts;
}

void replay_continue(struct replay *r)
{
	difference_forget(r);
	window_forget(r);
	watch_forget(r);
	r->paused = false;
	r->pending = NULL;
}

/* ------------------------------------------------------------ frames */

static void retain_lanes(struct replay *r)
{
	for (unsigned i = 0; i < r->harts && !replay_is_stopped(r); i++)
		lane_retain(r->lanes[i]);
}

/* Follows the frame that has begun, up to its end or a pause. */
static bool follow_begun_frame(struct replay *r)
{
	if (!replay_failed(r) && r->harts == 1)
		cursor_follow(r->lanes[0]);
	else if (!replay_failed(r))
		replay_in_order(r);
	retain_lanes(r);
	return !replay_is_stopped(r);
}

static bool has_harts(struct replay *r, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		if (frame->harts[i].hart < r->harts)
			continue;
		replay_fail_frame(r, frame->harts[i].hart,
				  "the machine has only %u hart%s", r->harts,
				  r->harts == 1 ? "" : "s");
		return false;
	}
	return true;
}

/* Follows a frame from its beginning or, if the model is elsewhere, from the state on
 * that the frame has of the machine. */
static bool follow_new_frame(struct replay *r, const struct tr_frame *frame)
{
	if (window_is_lost(r)) {
		if (!window_enter(r, frame))
			return !replay_failed(r);
		return follow_begun_frame(r);
	}
	for (uint32_t i = 0; i < frame->nharts && !replay_failed(r); i++)
		lane_add(r->lanes[frame->harts[i].hart], &frame->harts[i],
			 frame->generation);
	return follow_begun_frame(r);
}

/* Runs what is left before the end of the trace, or of a window. Returns whether nothing
 * is left over. */
static bool finish_trace(struct replay *r)
{
	order_end(r);
	if (r->harts > 1 && !replay_failed(r))
		replay_in_order(r);
	for (unsigned i = 0; i < r->harts && !replay_is_stopped(r); i++) {
		struct lane *l = r->lanes[i];

		if (compare_is_deferred(l) || inputs_next(l) < lane_view(l)->nevents)
			replay_fail(l, carry_instret(lane_carry(l)),
				    "the trace ends in the middle of an instruction");
	}
	return !replay_is_stopped(r);
}

/* Ends a window, and continues with the frame behind it. */
static bool pass_gap(struct replay *r)
{
	const struct tr_frame *frame = r->pending;

	if (!finish_trace(r))
		return false;
	retain_lanes(r);
	order_restart(r);
	window_leave(r);
	if (replay_failed(r))
		return false;
	r->pending = NULL;
	return follow_new_frame(r, frame);
}

/* Follows a frame, or what it has before the windows of a sampled run. */
static bool follow_frame(struct replay *r, const struct tr_frame *frame)
{
	if (!watch_begin(r, frame))
		replay_fail_trace(r, "out of memory");
	if (replay_failed(r) || !has_harts(r, frame))
		return false;
	if (!window_begins(r, frame))
		return follow_new_frame(r, frame);
	r->pending = frame;
	return pass_gap(r);
}

bool replay_frame(struct replay *r, const struct tr_frame *frame)
{
	struct tr_frame rest = *frame;

	/* Harts are ascending, and that of the windows is the last. */
	if (rest.nharts && is_sampled_hart(r, rest.harts[rest.nharts - 1].hart))
		rest.nharts--;
	if (rest.nharts == 0)
		return !replay_failed(r);
	return follow_frame(r, rest.nharts == frame->nharts ? frame : &rest);
}

bool replay_end(struct replay *r)
{
	if (window_is_lost(r) && !r->counts.windows)
		replay_fail_trace(
		    r, "the trace begins in the middle of the run, without the state "
		       "of the machine: trace with soc-sim or soc-model of this "
		       "version");
	return !replay_failed(r) && (window_is_lost(r) || finish_trace(r));
}

void replay_pause(struct replay *r)
{
	r->paused = true;
}

bool replay_is_paused(const struct replay *r)
{
	return r->paused && !replay_failed(r);
}

bool replay_resume(struct replay *r)
{
	r->paused = false;
	if (r->pending)
		return pass_gap(r);
	return order_is_ended(r) ? replay_end(r) : follow_begun_frame(r);
}
