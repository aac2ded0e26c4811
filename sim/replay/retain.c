/* SPDX-License-Identifier: Apache-2.0 */
/* Frames do not end in the same cycle for all harts: what another hart must come first
 * for is retained until the next frame. */
#include <stdlib.h>
#include <string.h>

#include "lane.h"

static void free_rows(struct retained *retained, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free((void *)retained[i].block.code);
		free((void *)retained[i].timing.stalls);
	}
	free(retained);
}

static void free_events(struct lane *l)
{
	for (uint32_t i = 0; l->events && i < l->view.nevents; i++)
		if (l->events[i].kind == TR_EV_DEVICE_WRITE)
			free((void *)l->events[i].u.write.data);
	free(l->events);
	l->events = NULL;
}

void lane_free(struct lane *l)
{
	free_rows(l->retained, l->nretained);
	free_events(l);
	old_code_free(l);
}

bool lane_reset(struct lane *l, struct replay *r, unsigned number)
{
	lane_free(l);
	*l = (struct lane){.replay = r, .number = number};
	return old_code_create(l);
}

static bool copy_bytes(const void *from, size_t size, const void *pointer)
{
	void *copy = malloc(size + 1);

	if (copy && size)
		memcpy(copy, from, size);
	memcpy((void *)pointer, &copy, sizeof(copy));
	return copy != NULL;
}

bool lane_copy_row(struct retained *retained, const struct tr_block *block,
		   const struct tr_timing *timing)
{
	static const struct tr_note none = {.binary = TR_NOTE_UNKNOWN};
	const struct tr_row row = {.cycles = (uint64_t)(block->tokens + timing->extra),
				   .block = UINT32_MAX,
				   .timing = UINT32_MAX,
				   .tokens = block->tokens};

	*retained = (struct retained){row, *block, *timing, none};
	retained->timing.stalls = NULL;
	return copy_bytes(block->code, block->bytes, &retained->block.code) &&
	       copy_bytes(timing->stalls, timing->nstalls * sizeof(*timing->stalls),
			  &retained->timing.stalls);
}

static bool retain_row(struct lane *l, uint32_t row, struct retained *retained)
{
	const struct tr_note *note = watch_note(l, row);
	bool done = lane_copy_row(retained, lane_block(l, row), lane_timing(l, row));

	if (note)
		retained->note = *note;
	return done;
}

/* Copies the rows that are left. */
static bool retain_rows(struct lane *l)
{
	uint32_t n = l->view.nrows - l->run.row;
	struct retained *retained = calloc(n + 1, sizeof(*retained));
	bool done = retained != NULL;

	for (uint32_t i = 0; i < n && done; i++)
		done = retain_row(l, l->run.row + i, &retained[i]);
	free_rows(l->retained, l->nretained);
	l->retained = retained;
	l->nretained = retained ? n : 0;
	return done;
}

bool lane_copy_event(struct tr_event *to, const struct tr_event *from)
{
	*to = *from;
	if (from->kind != TR_EV_DEVICE_WRITE)
		return true;
	return copy_bytes(from->u.write.data, from->u.write.size, &to->u.write.data);
}

/* Copies the events that are left, or adds those of a frame behind `n` rows. */
static bool copy_lane_events(struct tr_event *to, const struct tr_event *from,
			     uint32_t count, uint32_t row)
{
	bool done = true;

	for (uint32_t i = 0; i < count && done; i++) {
		done = lane_copy_event(&to[i], &from[i]);
		to[i].row += row;
	}
	return done;
}

/* Returns the cycle in which the view's first row began, if the model is in its middle.
 */
static uint64_t start_of_row(const struct lane *l)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t cycle = l->run.cycle;

	if (l->run.token == 0)
		return cycle;
	tr_tokens(lane_block(l, l->run.row), lane_timing(l, l->run.row), tokens);
	for (unsigned i = 0; i < l->run.token; i++)
		cycle -= tokens[i].cycles;
	return cycle;
}

/* Returns the first event that has not been compared, used or acted on. */
static uint32_t first_needed(struct lane *l)
{
	uint32_t first = inputs_next(l), compared = compare_next(l);

	if (compared < first)
		first = compared;
	if (l->replay->clocks && l->clock.event < first)
		first = l->clock.event;
	return l->replay->harts > 1 && l->run.timed < first ? l->run.timed : first;
}

bool lane_retain(struct lane *l)
{
	uint32_t row = l->run.row;
	uint64_t start = start_of_row(l);

	if (l->replay->clocks)
		watch_clock(l, row);
	struct tr_context context = l->clock.context;
	l->last = watch_before(l, row);
	uint32_t first = first_needed(l);
	uint32_t n = l->view.nevents - first;
	struct tr_event *events = calloc(n + 1, sizeof(*events));
	bool done = events && retain_rows(l) &&
		    copy_lane_events(events, l->view.events + first, n, 0 - row);
	free_events(l);
	l->events = events;
	l->view = (struct tr_hart_frame){.start = context,
					 .start_cycle = start,
					 .end_cycle = l->view.end_cycle,
					 .events = events,
					 .nevents = events ? n : 0,
					 .nrows = l->nretained};
	l->rows = NULL;
	l->run.event = 0;
	l->run.timed -= first;
	compare_drop(l, row, first);
	inputs_drop(l, first);
	l->run.row = 0;
	l->clock.row = l->clock.event = 0;
	l->clock.cycle = start;
	l->clock.context = context;
	l->instret = l->run.instret - l->run.token;
	l->rows_before += row;
	inputs_start(l);
	old_code_start(l);
	return done;
}

bool lane_begin(struct lane *l, const struct tr_hart_frame *frame)
{
	uint32_t retained = l->view.nevents, n = retained + frame->nevents;

	l->rows = frame->rows;
	if (retained == 0 && l->nretained == 0) {
		free_events(l);
		l->run.timed = 0;
		l->view = *frame;
		return true;
	}
	struct tr_event *events = calloc(n + 1, sizeof(*events));
	if (!events)
		return false;
	memcpy(events, l->view.events, retained * sizeof(*events));
	bool done = copy_lane_events(events + retained, frame->events, frame->nevents,
				     l->nretained);
	free(l->events);
	l->events = events;
	if (l->nretained == 0)
		l->view.start_cycle = frame->start_cycle;
	l->view.end_cycle = frame->end_cycle;
	l->view.nrows = l->nretained + frame->nrows;
	l->view.events = events;
	l->view.nevents = n;
	return done;
}

bool lane_enter(struct lane *l, const struct tr_hart_frame *frame, uint32_t row,
		uint32_t event)
{
	uint64_t rows = l->rows_before + row;
	struct tr_hart_frame *view = &l->view;

	if (!lane_reset(l, l->replay, l->number))
		return false;
	l->rows_before = rows;
	*view = *frame;
	view->nrows -= row;
	view->nevents = 0;
	for (uint32_t i = 0; i < event; i++) {
		if (frame->events[i].kind == TR_EV_TRAP ||
		    frame->events[i].kind == TR_EV_GAP)
			view->start_cycle += frame->events[i].cycles;
		tr_context_apply(&view->start, &frame->events[i]);
	}
	for (uint32_t i = 0; i < row; i++) {
		view->start_cycle += frame->rows[i].cycles;
		view->tokens -= frame->rows[i].tokens;
	}
	l->rows = frame->rows + row;
	l->events = calloc(frame->nevents - event + 1UL, sizeof(*l->events));
	view->events = l->events;
	if (!l->events)
		return false;
	view->nevents = frame->nevents - event;
	return copy_lane_events(l->events, frame->events + event, view->nevents, 0 - row);
}
