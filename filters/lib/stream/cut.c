/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a frame off at a number of tokens or at a cycle. */
#include "stream/accesses.h"
#include "stream/cut.h"

#include "stream/codec.h"

bool tr_cut_fits(const struct tr_cut *cut, const struct tr_frame *frame)
{
	uint64_t tokens = 0;
	for (uint32_t i = 0; i < frame->nharts; i++) {
		tokens += frame->harts[i].tokens;
		if (frame->harts[i].end_cycle > cut->cycle)
			return false;
	}
	return tokens <= cut->tokens;
}

/* Returns how many of a row's tokens have committed by `cycle`; advances *now to the last
 * of them. */
static unsigned tokens_by(const struct tr_reader *reader, const struct tr_row *row,
			  uint64_t cycle, uint64_t *now)
{
	const struct tr_block *block = tr_reader_block(reader, row->block);
	const struct tr_timing *timing = tr_reader_timing(reader, row->timing);
	unsigned token = 0;
	for (uint32_t s = 0; s <= timing->nstalls; s++) {
		unsigned next =
		    s < timing->nstalls ? timing->stalls[s].token : block->tokens;
		uint64_t left = cycle - *now;
		if (next - token > left) {
			*now = cycle;
			return token + (unsigned)left;
		}
		*now += next - token;
		token = next;
		if (s == timing->nstalls || timing->stalls[s].cycles > cycle - *now)
			return token;
		*now += timing->stalls[s].cycles;
		token++;
	}
	return token;
}

/* Returns how many tokens of a hart have committed by `cycle`. */
static uint64_t count_hart(const struct tr_reader *reader,
			   const struct tr_hart_frame *hart, uint64_t cycle)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	uint64_t count = 0;
	tr_cursor_init(&cursor, hart);
	while ((step = tr_cursor_next(&cursor, &first, &last, &event))) {
		if (step == TR_STEP_EVENT && cursor.next_cycle > cycle)
			return count;
		if (step == TR_STEP_EVENT)
			continue;
		uint64_t now = cursor.cycle;
		for (uint32_t i = first; i < last; i++) {
			const struct tr_row *row = &hart->rows[i];
			unsigned all = tr_reader_block(reader, row->block)->tokens;
			unsigned fit = tokens_by(reader, row, cycle, &now);
			count += fit;
			if (fit < all)
				return count;
		}
	}
	return count;
}

static uint64_t count_frame(const struct tr_reader *reader, const struct tr_frame *frame,
			    uint64_t cycle)
{
	uint64_t count = 0;
	for (uint32_t i = 0; i < frame->nharts; i++)
		if (frame->harts[i].start_cycle <= cycle)
			count += count_hart(reader, &frame->harts[i], cycle);
	return count;
}

/* Returns the first cycle by which more than `tokens` tokens have committed, at most
 * `high`. */
static uint64_t cycle_of(const struct tr_reader *reader, const struct tr_frame *frame,
			 uint64_t tokens, uint64_t high)
{
	uint64_t low = 0;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (count_frame(reader, frame, middle) > tokens)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* State of copying one hart's part of the frame. */
struct cutter {
	struct tr_writer *writer;
	const struct tr_reader *reader;
	const struct tr_hart_frame *hart;
	uint64_t cycle, tokens; /* limits */
	uint64_t now;
	bool done;			    /* the rest is beyond the limits */
	const struct tr_accesses *accesses; /* of the frame; NULL: they are damaged */
	uint32_t part;			    /* of the hart in it */
};

/* Writes the addresses of what the first tokens of a row access. Returns a status. */
static int write_cut_addresses(const struct cutter *c, uint32_t row, unsigned tokens)
{
	struct tr_accessed addresses[TR_BLOCK_MAX_TOKENS];
	unsigned count = 0, n = 0;
	const struct tr_access *accesses =
	    c->accesses ? tr_accesses_row(c->accesses, c->part, row, &count) : NULL;
	for (; n < count && accesses[n].token < tokens; n++)
		addresses[n] = tr_accessed_of(&accesses[n]);
	return n ? tr_writer_addresses(c->writer, c->hart->hart, addresses, n) : TR_OK;
}

/* Writes the first tokens of a row as a row. Returns a status. */
static int write_cut_row(struct cutter *c, uint32_t number, unsigned tokens)
{
	const struct tr_row *row = &c->hart->rows[number];
	struct tr_block block = *tr_reader_block(c->reader, row->block);
	struct tr_timing timing = *tr_reader_timing(c->reader, row->timing);
	struct tr_token all[TR_BLOCK_MAX_TOKENS];
	uint32_t block_id, timing_id;
	tr_tokens(&block, &timing, all);
	block.tokens = (uint16_t)tokens;
	block.bytes = 0;
	timing.extra = 0;
	for (unsigned i = 0; i < tokens; i++) {
		block.bytes = (uint16_t)(block.bytes + all[i].bytes);
		c->now += all[i].cycles;
	}
	while (timing.nstalls && timing.stalls[timing.nstalls - 1].token >= tokens)
		timing.nstalls--;
	timing.nruns = 0;
	for (uint32_t i = 0; i < timing.nstalls; i++) {
		const struct tr_stall *stall = &timing.stalls[i];
		timing.extra += (int64_t)stall->cycles - 1;
		timing.nruns = stall->first_run + stall->nruns;
	}
	int status = tr_writer_block(c->writer, &block, &block_id);
	if (!status)
		status = tr_writer_timing(c->writer, &timing, &timing_id);
	if (!status)
		status = write_cut_addresses(c, number, tokens);
	return status ? status
		      : tr_writer_row(c->writer, c->hart->hart, block_id, timing_id);
}

/* Returns how many tokens of the next row are within the limits. */
static unsigned tokens_that_fit(const struct cutter *c, uint32_t row)
{
	uint64_t now = c->now;
	unsigned fit = tokens_by(c->reader, &c->hart->rows[row], c->cycle, &now);
	return fit < c->tokens ? fit : (unsigned)c->tokens;
}

static int write_rows_within(struct cutter *c, uint32_t first, uint32_t last)
{
	int status = TR_OK;
	for (uint32_t i = first; i < last && !status && !c->done; i++) {
		const struct tr_row *row = &c->hart->rows[i];
		unsigned fit = tokens_that_fit(c, i);
		c->done = fit < tr_reader_block(c->reader, row->block)->tokens;
		c->tokens -= fit;
		if (fit)
			status = write_cut_row(c, i, fit);
	}
	return status;
}

static int write_event_within(struct cutter *c, const struct tr_event *event)
{
	bool moves = event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP;
	if (tr_event_is_of_token(event->kind) && event->row < c->hart->nrows &&
	    event->token >= tokens_that_fit(c, event->row))
		return TR_OK;
	uint64_t cycles = moves || event->kind == TR_EV_COUNTERS ? event->cycles : 0;
	c->done = cycles > c->cycle - c->now;
	if (c->done)
		return TR_OK;
	if (moves)
		c->now += cycles;
	return tr_writer_event(c->writer, c->hart->hart, event);
}

static int cut_hart(struct cutter *c)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	int status = TR_OK;
	tr_cursor_init(&cursor, c->hart);
	while (!status && !c->done &&
	       (step = tr_cursor_next(&cursor, &first, &last, &event)))
		status = step == TR_STEP_ROWS ? write_rows_within(c, first, last)
					      : write_event_within(c, event);
	return status;
}

static int fill_with_gaps(struct cutter *c)
{
	int status = TR_OK;
	while (!status && c->now < c->cycle) {
		uint64_t left = c->cycle - c->now;
		struct tr_event gap = {.kind = TR_EV_GAP,
				       .cycles = left < TR_MAX_CYCLES ? left
								      : TR_MAX_CYCLES - 1,
				       .u.gap.reason = TR_GAP_LIMIT};
		status = tr_writer_event(c->writer, c->hart->hart, &gap);
		c->now += gap.cycles;
	}
	return status;
}

static bool is_hart_known(const struct tr_cut *cut, uint32_t hart)
{
	for (uint32_t i = 0; i < cut->nharts; i++)
		if (cut->harts[i] == hart)
			return true;
	return false;
}

int tr_cut_frame(const struct tr_cut *cut, struct tr_writer *writer,
		 const struct tr_reader *reader, const struct tr_frame *frame)
{
	/* All tokens through the cycle before the last fit. In the last cycle, harts are
	 * served in order until the tokens are used up. */
	uint64_t last = cycle_of(reader, frame, cut->tokens, cut->cycle);
	bool by_tokens = count_frame(reader, frame, last) > cut->tokens;
	uint64_t before = last ? count_frame(reader, frame, last - 1) : 0;
	uint64_t spare = by_tokens ? cut->tokens - before : UINT64_MAX;
	struct tr_accesses *accesses = tr_accesses_new();
	int status = accesses ? TR_OK : TR_E_NOMEM;
	const bool is_damaged = accesses && tr_accesses_frame(accesses, frame);
	for (uint32_t i = 0; i < frame->nharts && !status; i++) {
		const struct tr_hart_frame *hart = &frame->harts[i];
		if (hart->start_cycle > last)
			continue;
		uint64_t sure =
		    last > hart->start_cycle ? count_hart(reader, hart, last - 1) : 0;
		uint64_t more = count_hart(reader, hart, last) - sure;
		if (more > spare)
			more = spare;
		spare -= more;
		struct cutter c = {writer,
				   reader,
				   hart,
				   last,
				   sure + more,
				   hart->start_cycle,
				   false,
				   is_damaged ? NULL : accesses,
				   i};
		if (!is_hart_known(cut, hart->hart))
			status = tr_writer_begin(writer, hart->hart, c.now, &hart->start);
		if (!status)
			status = cut_hart(&c);
		if (!status && !by_tokens && cut->fill)
			status = fill_with_gaps(&c);
	}
	tr_accesses_free(accesses);
	return status;
}
