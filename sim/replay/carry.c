/* SPDX-License-Identifier: Apache-2.0 */
#include "carry.h"

#include <stdlib.h>
#include <string.h>

#include "stream/codec.h"

enum { RETAINED_MAX = 1 << 22, EVENTS_MAX = 1 << 22 };

static void free_rows(struct retained *retained, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free((void *)retained[i].block.code);
		free((void *)retained[i].timing.stalls);
	}
	free(retained);
}

static void free_events(struct carry *c)
{
	for (uint32_t i = 0; c->events && i < c->view.nevents; i++)
		if (c->events[i].kind == TR_EV_DEVICE_WRITE)
			free((void *)c->events[i].u.write.data);
	free(c->events);
	c->events = NULL;
}

void carry_create(struct carry *c, const struct tr_reader *reader)
{
	*c = (struct carry){.reader = reader};
}

void carry_clear(struct carry *c)
{
	free_rows(c->retained, c->nretained);
	free_events(c);
	carry_create(c, c->reader);
}

void carry_skip(struct carry *c, uint32_t rows)
{
	c->rows_before += rows;
}

void carry_count(struct carry *c, uint64_t instret)
{
	c->instret = instret;
}

uint64_t carry_cycle_at(const struct carry *c, uint64_t instret)
{
	const struct tr_hart_frame *f = &c->view;
	uint64_t cycle = f->start_cycle, before = c->instret;
	uint32_t e = 0, row = 0;

	for (;; row++) {
		for (; e < f->nevents && f->events[e].row <= row; e++)
			if (f->events[e].kind == TR_EV_TRAP ||
			    f->events[e].kind == TR_EV_GAP)
				cycle += f->events[e].cycles;
		if (row == f->nrows || before + carry_row(c, row)->tokens > instret)
			break;
		before += carry_row(c, row)->tokens;
		cycle += carry_row(c, row)->cycles;
	}
	if (row < f->nrows) {
		struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

		tr_tokens(carry_block(c, row), carry_timing(c, row), tokens);
		for (unsigned i = 0; i <= instret - before; i++)
			cycle += tokens[i].cycles;
	}
	return cycle;
}

/* ------------------------------------------------------------ copies */

static bool copy_bytes(const void *from, size_t size, const void *pointer)
{
	void *copy = malloc(size + 1);

	if (copy && size)
		memcpy(copy, from, size);
	memcpy((void *)pointer, &copy, sizeof(copy));
	return copy != NULL;
}

/* Copies a row, without runs of classes; the copies are freed by free_rows(). */
static bool copy_row(struct retained *retained, const struct tr_block *block,
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

static bool retain_row(const struct carry *c, const struct carry_cut *cut, uint32_t row,
		       struct retained *retained)
{
	const struct tr_note *note = cut->note(cut->user, row);
	bool done = copy_row(retained, carry_block(c, row), carry_timing(c, row));

	if (note)
		retained->note = *note;
	return done;
}

/* Copies the rows that are left. */
static bool retain_rows(struct carry *c, const struct carry_cut *cut)
{
	uint32_t n = c->view.nrows - cut->row;
	struct retained *retained = calloc(n + 1, sizeof(*retained));
	bool done = retained != NULL;

	for (uint32_t i = 0; i < n && done; i++)
		done = retain_row(c, cut, cut->row + i, &retained[i]);
	free_rows(c->retained, c->nretained);
	c->retained = retained;
	c->nretained = retained ? n : 0;
	return done;
}

/* Copies an event, without what a trap points to. */
static bool copy_event(struct tr_event *to, const struct tr_event *from)
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
		done = copy_event(&to[i], &from[i]);
		to[i].row += row;
	}
	return done;
}

/* ------------------------------------------------------------ views */

bool carry_retain(struct carry *c, const struct carry_cut *cut)
{
	uint32_t n = c->view.nevents - cut->event;
	struct tr_event *events = calloc(n + 1, sizeof(*events));
	bool done =
	    events && retain_rows(c, cut) &&
	    copy_lane_events(events, c->view.events + cut->event, n, 0 - cut->row);

	free_events(c);
	c->events = events;
	c->view = (struct tr_hart_frame){.start = cut->context,
					 .start_cycle = cut->cycle,
					 .end_cycle = c->view.end_cycle,
					 .events = events,
					 .nevents = events ? n : 0,
					 .nrows = c->nretained};
	c->rows = NULL;
	c->instret = cut->instret;
	c->rows_before += cut->row;
	return done;
}

bool carry_add(struct carry *c, const struct tr_hart_frame *frame)
{
	uint32_t retained = c->view.nevents, n = retained + frame->nevents;

	c->rows = frame->rows;
	if (retained == 0 && c->nretained == 0) {
		free_events(c);
		c->view = *frame;
		return true;
	}
	struct tr_event *events = calloc(n + 1, sizeof(*events));
	if (!events)
		return false;
	memcpy(events, c->view.events, retained * sizeof(*events));
	bool done = copy_lane_events(events + retained, frame->events, frame->nevents,
				     c->nretained);
	free(c->events);
	c->events = events;
	c->view.end_cycle = frame->end_cycle;
	c->view.nrows = c->nretained + frame->nrows;
	c->view.events = events;
	c->view.nevents = n;
	return done;
}

bool carry_enter(struct carry *c, const struct tr_hart_frame *frame, uint32_t row,
		 uint32_t event, uint64_t number)
{
	struct tr_hart_frame *view = &c->view;

	c->rows_before = number;
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
	c->rows = frame->rows + row;
	c->events = calloc(frame->nevents - event + 1UL, sizeof(*c->events));
	view->events = c->events;
	if (!c->events)
		return false;
	view->nevents = frame->nevents - event;
	return copy_lane_events(c->events, frame->events + event, view->nevents, 0 - row);
}

/* ------------------------------------------------------------ saving */

/* A row with its block and timing, which are not in the dictionary any more. */
static int put_retained(const struct retained *retained, struct tr_buffer *out)
{
	struct tr_buffer blocks[TR_BLOCK_COLUMNS] = {{0}};
	struct tr_buffer timings[TR_TIMING_COLUMNS] = {{0}};
	struct tr_expected expected = {.count = 0};
	struct tr_delays delays = {.count = 0};
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_timing timing = {.stalls = stalls, .nstalls = retained->timing.nstalls};
	int status = TR_OK;

	for (uint32_t i = 0; i < timing.nstalls; i++)
		stalls[i] = (struct tr_stall){.cycles = retained->timing.stalls[i].cycles,
					      .token = retained->timing.stalls[i].token};
	tr_encode_block(blocks, &expected, &retained->block);
	tr_encode_columns(out, TR_SECTION_BLOCKS, blocks, TR_BLOCK_COLUMNS);
	if (timing.nstalls)
		status = tr_encode_timing(timings, &delays, &timing);
	tr_buffer_varint(out, timing.nstalls != 0);
	tr_encode_columns(out, TR_SECTION_TIMINGS, timings, TR_TIMING_COLUMNS);
	tr_columns_free(blocks, TR_BLOCK_COLUMNS);
	tr_columns_free(timings, TR_TIMING_COLUMNS);
	tr_delays_free(&delays);
	return status;
}

/* Events that a replay ignores lose what they point to. */
static void put_lane_event(const struct tr_event *event, struct tr_buffer *out)
{
	struct tr_event_state state = {.last_row = 0};
	struct tr_event copy = *event;

	if (copy.kind == TR_EV_TRAP)
		copy.u.trap.nruns = 0;
	if (copy.kind == TR_EV_COUNTERS || copy.kind == TR_EV_MARK ||
	    (copy.kind > TR_EV_REGISTERS && !tr_event_is_input(copy.kind))) {
		copy.kind = TR_EV_MARK;
		copy.u.raw.data = NULL;
		copy.u.raw.size = 0;
	}
	tr_encode_event(out, &copy, &state);
}

void carry_put_bounds(const struct carry *c, struct tr_buffer *out)
{
	tr_buffer_varint(out, c->view.start_cycle);
	tr_buffer_varint(out, c->view.end_cycle);
	tr_buffer_varint(out, c->view.start.satp);
	tr_buffer_varint(out, c->view.start.tp);
	tr_buffer_varint(out, c->view.start.space);
	tr_buffer_varint(out, c->view.start.priv);
}

int carry_put_rest(const struct carry *c, struct tr_buffer *out)
{
	int status = TR_OK;

	tr_buffer_varint(out, c->nretained);
	for (uint32_t i = 0; i < c->nretained && !status; i++)
		status = put_retained(&c->retained[i], out);
	tr_buffer_varint(out, c->view.nevents);
	for (uint32_t i = 0; i < c->view.nevents; i++)
		put_lane_event(&c->view.events[i], out);
	return status;
}

/* ------------------------------------------------------------ loading */

/* Decodes a section that must be of this kind. */
static int load_dictionary(struct tr_bytes *in, unsigned kind, struct tr_dictionary *d)
{
	struct tr_bytes body;
	unsigned found;
	bool must;

	if (!tr_decode_section(in, &found, &must, &body) || found != kind)
		return TR_E_CORRUPT;
	return kind == TR_SECTION_BLOCKS ? tr_decode_blocks(&body, d)
					 : tr_decode_timings(&body, d, 1);
}

static int load_retained(struct retained *retained, struct tr_bytes *in,
			 struct tr_dictionary *d)
{
	int status = tr_dictionary_reset(d);

	if (!status)
		status = load_dictionary(in, TR_SECTION_BLOCKS, d);
	uint64_t has_timing = tr_varint_below(in, 2);
	if (!status && has_timing)
		status = load_dictionary(in, TR_SECTION_TIMINGS, d);
	if (status || in->bad)
		return status ? status : TR_E_CORRUPT;
	if (d->nblocks != 1 || d->ntimings != 1 + has_timing ||
	    !tr_timing_fits(&d->timings[has_timing], &d->blocks[0]))
		return TR_E_CORRUPT;
	return copy_row(retained, &d->blocks[0], &d->timings[has_timing]) ? TR_OK
									  : TR_E_NOMEM;
}

static int load_rows(struct carry *c, struct tr_bytes *in)
{
	uint64_t n = tr_varint_below(in, RETAINED_MAX);
	int status = TR_OK;

	if (in->bad || n > (uint64_t)(in->end - in->at))
		return TR_E_CORRUPT;
	c->retained = calloc(n + 1, sizeof(*c->retained));
	struct tr_dictionary *d = calloc(1, sizeof(*d));
	c->nretained = c->retained ? (uint32_t)n : 0;
	if (!c->retained || !d)
		status = TR_E_NOMEM;
	for (uint64_t i = 0; i < n && !status; i++)
		status = load_retained(&c->retained[i], in, d);
	if (d)
		tr_dictionary_free(d);
	free(d);
	return status;
}

static int load_event(const struct carry *c, struct tr_event *event, struct tr_bytes *in,
		      struct tr_arena *arena)
{
	static const struct tr_counters none;
	struct tr_event_state state = {.counters = &none};
	struct tr_event read;
	int status = tr_decode_event(in, &read, &state, arena, 1);

	if (status)
		return status;
	if (read.row > c->nretained ||
	    read.token >=
		(read.row < c->nretained ? c->retained[read.row].row.tokens : 1U))
		return TR_E_CORRUPT;
	return copy_event(event, &read) ? TR_OK : TR_E_NOMEM;
}

static int load_events(struct carry *c, struct tr_bytes *in)
{
	uint64_t n = tr_varint_below(in, EVENTS_MAX);
	struct tr_arena arena = {.total = 0};
	int status = TR_OK;

	if (in->bad || n > (uint64_t)(in->end - in->at))
		return TR_E_CORRUPT;
	c->events = calloc(n + 1, sizeof(*c->events));
	if (!c->events)
		return TR_E_NOMEM;
	c->view.events = c->events;
	for (uint64_t i = 0; i < n && !status; i++) {
		c->view.nevents = (uint32_t)i + 1;
		status = load_event(c, &c->events[i], in, &arena);
		if (i && c->events[i].row < c->events[i - 1].row)
			status = TR_E_CORRUPT;
	}
	tr_arena_reset(&arena);
	return status;
}

void carry_load_bounds(struct carry *c, struct tr_bytes *in)
{
	c->view.start_cycle = tr_varint_below(in, INT64_MAX);
	c->view.end_cycle = tr_varint_below(in, INT64_MAX);
	c->view.start.satp = tr_varint(in);
	c->view.start.tp = tr_varint(in);
	c->view.start.space = (uint32_t)tr_varint_below(in, UINT32_MAX);
	c->view.start.priv = (uint8_t)tr_varint_below(in, 16);
}

int carry_load_rest(struct carry *c, struct tr_bytes *in)
{
	int status = in->bad ? TR_E_CORRUPT : load_rows(c, in);

	c->view.nrows = c->nretained;
	if (!status)
		status = load_events(c, in);
	return status || !in->bad ? status : TR_E_CORRUPT;
}
