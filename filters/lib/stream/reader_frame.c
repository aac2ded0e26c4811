/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes and verifies frames of rows. */
#include "stream/reader_state.h"

/* Limits that no writer exceeds. They bound the memory that a hostile stream can use. */
enum { MAX_ROWS = 4 << 20, MAX_EVENTS = 2 << 20 };

static int report_bad_frame(struct tr_reader *r, const char *reason)
{
	return tr_reader_fail(r, TR_E_CORRUPT, reason);
}

static int fail_frame(struct tr_reader *r, int status, const char *reason)
{
	if (status == TR_E_UNSUPPORTED)
		reason = "an event that this version does not know";
	return tr_reader_fail(r, status, status == TR_E_NOMEM ? "out of memory" : reason);
}

/* Checks that context and time continue from the hart's previous frame. Returns a
 * status. */
static int check_hart_head(struct tr_reader *r, uint32_t i)
{
	const struct tr_hart_head *head = &r->head.harts[i];
	for (uint32_t j = 0; j < i; j++)
		if (r->head.harts[j].hart == head->hart)
			return report_bad_frame(r, "the same hart twice in a frame");
	struct reader_hart *hart = tr_reader_hart(r, head->hart);
	if (!hart)
		return report_bad_frame(r, "too many harts");
	if (hart->cycle == UINT64_MAX) {
		hart->cycle = head->start_cycle;
		hart->context = head->context;
	}
	const struct tr_context *a = &hart->context, *b = &head->context;
	if (hart->cycle != head->start_cycle || a->satp != b->satp || a->tp != b->tp ||
	    a->space != b->space || a->priv != b->priv || a->hgatp != b->hgatp)
		return report_bad_frame(r, "a hart does not continue where it ended");
	struct frame_part *part = &r->cell->parts[i];
	if (!tr_grow(&part->rows, &part->row_room, head->nrows + 1UL,
		     sizeof(*part->rows)) ||
	    !tr_grow(&part->events, &part->event_room, head->nevents + 1UL,
		     sizeof(*part->events)))
		return fail_frame(r, TR_E_NOMEM, "");
	r->cell->harts[i] = (struct tr_hart_frame){.start = head->context,
						   .start_cycle = head->start_cycle,
						   .tokens = head->tokens,
						   .rows = part->rows,
						   .events = part->events,
						   .nrows = head->nrows,
						   .nevents = head->nevents,
						   .hart = head->hart};
	return TR_OK;
}

static int take_frame_head(struct tr_reader *r, struct tr_bytes *in)
{
	tr_decode_frame_head(in, &r->head);
	if (in->bad)
		return report_bad_frame(r, "damaged frame head");
	if (r->head.number != r->totals.frames)
		return report_bad_frame(r, "frame out of order");
	if (r->head.begins_generation) {
		if (r->generation != UINT64_MAX && r->head.generation <= r->generation)
			return report_bad_frame(r, "a generation that begins twice");
		r->generation = r->head.generation;
		r->rows = (struct tr_row_state){.new_timing = 1};
		for (uint32_t i = 0; i < r->nharts; i++)
			r->harts[i].owner = 0;
		if (tr_dictionary_reset(&r->dictionary))
			return fail_frame(r, TR_E_NOMEM, "");
	}
	if (r->generation != r->head.generation)
		return report_bad_frame(r, "a generation that did not begin");
	uint64_t rows = 0, events = 0;
	for (uint32_t i = 0; i < r->head.nharts; i++) {
		rows += r->head.harts[i].nrows;
		events += r->head.harts[i].nevents;
	}
	if (rows > MAX_ROWS || events > MAX_EVENTS || rows + events > r->chunk.size)
		return report_bad_frame(r, "more rows or events than a frame can have");
	for (uint32_t i = 0; i < r->head.nharts; i++) {
		int status = check_hart_head(r, i);
		if (status)
			return status;
	}
	return TR_OK;
}

static int take_hart_rows(struct tr_reader *r, uint32_t i, struct tr_bytes *in)
{
	const struct tr_hart_head *head = &r->head.harts[i];
	struct reader_hart *hart = tr_reader_hart(r, head->hart);
	uint64_t tokens = 0, cycles = 0;
	int status =
	    tr_decode_rows(in, &r->dictionary, &r->rows, &hart->owner,
			   r->cell->parts[i].rows, head->nrows, &tokens, &cycles);
	if (status)
		return fail_frame(r, status, "damaged rows");
	if (tokens != head->tokens)
		return report_bad_frame(r, "rows and their count of tokens differ");
	hart->cycle += cycles;
	r->totals.rows += head->nrows;
	r->totals.tokens += tokens;
	return TR_OK;
}

static bool event_fits(const struct tr_reader *r, const struct tr_hart_frame *hart,
		       const struct tr_event *event)
{
	if (event->row > hart->nrows)
		return false;
	if (event->token == 0)
		return true;
	if (event->row == hart->nrows ||
	    event->token >= r->dictionary.blocks[hart->rows[event->row].block].tokens)
		return false;
	return (event->kind > TR_EV_SPACE && event->kind != TR_EV_BREAK &&
		event->kind != TR_EV_HGATP) ||
	       event->kind == TR_EV_TRIGGER ||
	       (event->kind == TR_EV_REG && event->u.reg.reg != TR_REG_SP &&
		event->u.reg.reg != TR_REG_TP);
}

/* Position of a scan over a hart's rows, for events that have a cycle. */
struct clock {
	uint64_t cycle;
	uint32_t row;
};

/* Returns the time before token `token` of row `row`. */
static uint64_t time_at(const struct tr_reader *r, const struct tr_hart_frame *hart,
			struct clock *clock, uint32_t row, unsigned token)
{
	for (; clock->row < row; clock->row++)
		clock->cycle += hart->rows[clock->row].cycles;
	if (token == 0)
		return clock->cycle;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t cycle = clock->cycle;
	tr_tokens(&r->dictionary.blocks[hart->rows[row].block],
		  &r->dictionary.timings[hart->rows[row].timing], tokens);
	for (unsigned i = 0; i < token; i++)
		cycle += tokens[i].cycles;
	return cycle;
}

/* Checks that samples are in order of time, and sets the sample's cycle. Returns a
 * status. */
static int set_sample_cycle(struct tr_reader *r, const struct tr_hart_frame *frame,
			    struct reader_hart *hart, struct clock *clock,
			    struct tr_event *event)
{
	uint64_t cycle =
	    time_at(r, frame, clock, event->row, event->token) + event->cycles;
	if (cycle > INT64_MAX)
		return report_bad_frame(r, "more cycles than possible");
	if (cycle < hart->sample_cycle)
		return report_bad_frame(r, "samples of counters out of order");
	event->u.counters.cycle = hart->sample_cycle = cycle;
	return TR_OK;
}

/* Sets the cycle of a hit: that in which the next token commits, if the frame has it. */
static void set_hit_cycle(const struct tr_reader *r, const struct tr_hart_frame *frame,
			  struct clock *clock, struct tr_event *event)
{
	unsigned through = event->row < frame->nrows ? event->token + 1U : 0;
	event->u.probe.cycle = time_at(r, frame, clock, event->row, through);
}

static int take_events(struct tr_reader *r, uint32_t i, struct tr_bytes *in)
{
	struct tr_hart_frame *frame = &r->cell->harts[i];
	struct reader_hart *hart = tr_reader_hart(r, frame->hart);
	uint32_t last_token = 0;
	struct tr_event_state *from = &hart->events_from;
	struct clock clock = {.cycle = frame->start_cycle};
	from->last_row = 0;
	for (uint32_t e = 0; e < frame->nevents; e++) {
		struct tr_event *event = &r->cell->parts[i].events[e];
		uint32_t before = from->last_row;
		int status =
		    tr_decode_event(in, event, from, &r->cell->runs, r->commit_width);
		if (status)
			return fail_frame(r, status, "damaged event");
		if (!event_fits(r, frame, event) ||
		    (event->row == before && event->token < last_token))
			return report_bad_frame(r, "an event at an impossible place");
		last_token = event->token;
		tr_context_apply(&hart->context, event);
		if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP) {
			hart->cycle += event->cycles;
			clock.cycle += event->cycles;
		}
		if (hart->cycle > INT64_MAX)
			return report_bad_frame(r, "more cycles than possible");
		if (event->kind == TR_EV_COUNTERS &&
		    set_sample_cycle(r, frame, hart, &clock, event))
			return r->status;
		if (event->kind == TR_EV_PROBE)
			set_hit_cycle(r, frame, &clock, event);
	}
	return in->at == in->end ? TR_OK : report_bad_frame(r, "bytes after the events");
}

static int take_frame_notes(struct tr_reader *r, struct tr_bytes *in)
{
	struct frame_cell *cell = r->cell;
	uint64_t last = 0;
	while (in->at != in->end) {
		struct tr_note note;
		tr_decode_note(in, &note, &last);
		if (in->bad || note.block >= r->dictionary.nblocks)
			return report_bad_frame(r, "damaged note");
		if (!tr_grow(&cell->notes, &cell->note_room, cell->frame.nnotes + 1UL,
			     sizeof(*cell->notes)))
			return fail_frame(r, TR_E_NOMEM, "");
		cell->notes[cell->frame.nnotes++] = note;
	}
	return TR_OK;
}

/* Indices of the next hart with rows, or with events, that has not had its section
 * yet. */
struct section_turn {
	uint32_t rows, events;
};

static int take_frame_section(struct tr_reader *r, struct section_turn *turn,
			      unsigned kind, bool must, struct tr_bytes *body)
{
	const struct tr_hart_head *harts = r->head.harts;
	int status;
	switch (kind) {
	case TR_SECTION_BLOCKS:
		status = tr_decode_blocks(body, &r->dictionary);
		return status ? fail_frame(r, status, "damaged block definition") : TR_OK;
	case TR_SECTION_TIMINGS:
		status = tr_decode_timings(body, &r->dictionary, r->commit_width);
		return status ? fail_frame(r, status, "damaged timing definition")
			      : TR_OK;
	case TR_SECTION_WIDE_TIMINGS:
		status = tr_decode_wide_timings(body, &r->dictionary, r->commit_width);
		return status ? fail_frame(r, status, "damaged timing definition")
			      : TR_OK;
	case TR_SECTION_ROWS:
		while (turn->rows < r->head.nharts && harts[turn->rows].nrows == 0)
			turn->rows++;
		return turn->rows < r->head.nharts
			   ? take_hart_rows(r, turn->rows++, body)
			   : report_bad_frame(r, "rows without a hart");
	case TR_SECTION_EVENTS:
		while (turn->events < r->head.nharts && harts[turn->events].nevents == 0)
			turn->events++;
		if (turn->events >= turn->rows && turn->events < r->head.nharts &&
		    harts[turn->events].nrows)
			return report_bad_frame(r, "events before their rows");
		return turn->events < r->head.nharts
			   ? take_events(r, turn->events++, body)
			   : report_bad_frame(r, "events without a hart");
	case TR_SECTION_NOTES:
		return take_frame_notes(r, body);
	default:
		return must ? tr_reader_fail(r, TR_E_UNSUPPORTED,
					     "a section that this version does not know")
			    : TR_OK;
	}
}

/* Checks that every hart has had its sections and ends at the time in its head. Returns a
 * status. */
static int check_harts(struct tr_reader *r, struct section_turn turn)
{
	for (uint32_t i = 0; i < r->head.nharts; i++) {
		const struct tr_hart_head *head = &r->head.harts[i];
		if ((head->nrows && i >= turn.rows) ||
		    (head->nevents && i >= turn.events) || (!head->nrows && head->tokens))
			return report_bad_frame(r, "a hart without its rows or events");
		struct reader_hart *hart = tr_reader_hart(r, head->hart);
		if (hart->cycle - head->start_cycle != head->cycles ||
		    hart->cycle > INT64_MAX)
			return report_bad_frame(r, "cycles of a hart do not add up");
		r->cell->harts[i].end_cycle = hart->cycle;
		r->totals.cycles += head->cycles;
		if (r->totals.cycles > INT64_MAX)
			return report_bad_frame(r, "more cycles than possible");
	}
	return TR_OK;
}

/* Decodes the payload of the current chunk into r->cell. Returns a status. */
static int take_frame(struct tr_reader *r)
{
	struct tr_bytes in = {.at = r->chunk.payload,
			      .end = r->chunk.payload + r->chunk.size};
	int status = take_frame_head(r, &in);
	if (status)
		return status;
	unsigned kind;
	bool must;
	struct tr_bytes body;
	struct section_turn turn = {0};
	while (tr_decode_section(&in, &kind, &must, &body)) {
		status = take_frame_section(r, &turn, kind, must, &body);
		if (status)
			return status;
	}
	if (in.bad)
		return report_bad_frame(r, "damaged section");
	return check_harts(r, turn);
}

/* Completes a frame that is good, so that it needs the reader no longer. Returns a
 * status. */
static int detach_frame(struct tr_reader *r, struct frame_cell *cell)
{
	struct tr_frame *frame = &cell->frame;
	if (tr_dictionary_view(&r->dictionary, &frame->view, &cell->shelf))
		return fail_frame(r, TR_E_NOMEM, "");
	tr_chunk_exchange(r->chunks, &cell->bytes);
	cell->offset = tr_chunk_reader_offset(r->chunks);
	frame->number = r->head.number;
	frame->generation = r->generation;
	frame->harts = cell->harts;
	frame->nharts = r->head.nharts;
	frame->notes = cell->notes;
	frame->record = r->chunk.record;
	frame->byte = r->chunk.byte;
	frame->payload = (struct tr_payload){r->chunk.payload, r->chunk.size};
	return TR_OK;
}

int tr_reader_decode(struct tr_reader *r, struct frame_cell **cell)
{
	int status = tr_reader_chunk(r, TR_CHUNK_FRAME);
	if (status)
		return status;
	r->cell = tr_frame_take(r->pool);
	if (!r->cell)
		return fail_frame(r, TR_E_NOMEM, "");
	status = take_frame(r);
	if (!status)
		status = detach_frame(r, r->cell);
	if (status) {
		tr_frame_release(&r->cell->frame);
		return status;
	}
	r->totals.frames++;
	*cell = r->cell;
	return TR_OK;
}
