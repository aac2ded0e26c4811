/* SPDX-License-Identifier: Apache-2.0 */
/* Adds rows and events to the frame under construction, and defines what is new. */
#include "stream/writer_state.h"

/* A frame ends at TR_FRAME_TOKENS, or when its parts grow beyond this. */
enum { FRAME_BYTES = 8 << 20 };

static inline bool frame_full(const struct tr_writer *w)
{
	return w->frame_tokens >= TR_FRAME_TOKENS ||
	       w->frame_events + w->frame_definitions >= FRAME_BYTES;
}

/* All harts' rows so far go before it. */
static void end_frame(struct tr_writer *w)
{
	w->frame_tokens = 0; /* the cuts below come back here */
	for (uint32_t i = 0; i < w->nharts; i++)
		tr_writer_cut(w, w->harts[i]->head.hart);
	tr_writer_flush(w);
}

static bool time_good(struct tr_writer *w, const struct writer_hart *hart)
{
	if (hart->cycle <= INT64_MAX)
		return true;
	tr_writer_status(w, TR_E_ARGUMENT);
	return false;
}

/* Rows after passed frames do not know those frames' dictionary. */
static inline void leave_passing(struct tr_writer *w)
{
	if (w->passed)
		tr_writer_begin_generation(w);
	w->passed = false;
}

static void count_definitions(struct tr_writer *w)
{
	w->frame_definitions = tr_columns_size(w->blocks, TR_BLOCK_COLUMNS) +
			       tr_columns_size(w->timings, TR_TIMING_COLUMNS);
}

static int new_block(struct tr_writer *w, const struct tr_block *block)
{
	if (!tr_writer_block_good(block))
		return TR_E_ARGUMENT;
	tr_encode_block(w->blocks, &w->expected, block);
	count_definitions(w);
	return TR_OK;
}

static int new_timing(struct tr_writer *w, const struct tr_timing *timing)
{
	if (!tr_writer_timing_good(timing, w->commit_width))
		return TR_E_ARGUMENT;
	int status = tr_encode_timing(w->timings, &w->dictionary.delays, timing);
	count_definitions(w);
	return status;
}

static inline int find_block(struct tr_writer *w, const struct tr_block *block,
			     uint32_t *id)
{
	bool added;
	int status = tr_dictionary_block(&w->dictionary, block, id, &added);
	if (!status && added)
		status = new_block(w, block);
	return tr_writer_status(w, status);
}

int tr_writer_find_timing(struct tr_writer *w, const struct tr_timing *timing,
			  uint32_t *id)
{
	bool added;
	int status = tr_dictionary_timing(&w->dictionary, timing, id, &added);
	if (!status && added)
		status = new_timing(w, timing);
	return tr_writer_status(w, status);
}

int tr_writer_block(struct tr_writer *w, const struct tr_block *block, uint32_t *id)
{
	leave_passing(w);
	return find_block(w, block, id);
}

int tr_writer_timing(struct tr_writer *w, const struct tr_timing *timing, uint32_t *id)
{
	leave_passing(w);
	return tr_writer_find_timing(w, timing, id);
}

int tr_writer_put_row(struct tr_writer *w, struct writer_hart *hart,
		      struct tr_row_ids row)
{
	if (hart->head.nrows == hart->row_room &&
	    !tr_grow(&hart->rows, &hart->row_room, hart->row_room + 1,
		     sizeof(*hart->rows)))
		return tr_writer_status(w, TR_E_NOMEM);
	uint64_t tokens = w->dictionary.tokens[row.block];
	uint64_t cycles = tokens + (uint64_t)w->dictionary.extras[row.timing];
	tr_hart_add_row(w, hart, row, tokens, hart->cycle + cycles);
	if (time_good(w, hart) && frame_full(w))
		end_frame(w);
	return w->status;
}

int tr_writer_end_block(struct tr_writer *w, struct writer_hart *hart,
			const struct tr_commit *tokens)
{
	struct draft *draft = &hart->draft;
	struct tr_row_ids row;
	unsigned count = draft->block.tokens;
	leave_passing(w);
	if (find_block(w, &draft->block, &row.block) ||
	    tr_writer_find_timing(w, &draft->timing, &row.timing))
		return w->status;
	if (tokens)
		tr_writer_know(&w->known, row.block, tokens, count, row.timing);
	tr_draft_clear(draft);
	return tr_writer_put_row(w, hart, row);
}

int tr_writer_cut(struct tr_writer *w, uint32_t number)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (hart->draft.block.tokens)
		tr_writer_end_block(w, hart, NULL);
	return w->status;
}

int tr_writer_row(struct tr_writer *w, uint32_t number, uint32_t block, uint32_t timing)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (block >= w->dictionary.nblocks || timing >= w->dictionary.ntimings ||
	    !tr_timing_fits(&w->dictionary.timings[timing], &w->dictionary.blocks[block]))
		return tr_writer_status(w, TR_E_ARGUMENT);
	return tr_writer_put_row(w, hart, (struct tr_row_ids){block, timing});
}

int tr_writer_event(struct tr_writer *w, uint32_t number, const struct tr_event *event)
{
	leave_passing(w);
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (!tr_writer_event_good(event, w->commit_width) ||
	    !tr_writer_sample_good(w, event))
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_writer_cut(w, number);
	if (event->kind == TR_EV_COUNTERS &&
	    !tr_writer_sample_at(w, &hart->sample_cycle, hart->cycle + event->cycles))
		return w->status;
	struct tr_event placed = *event;
	placed.row = hart->head.nrows;
	placed.token = 0;
	size_t before = hart->events.size;
	tr_encode_event(&hart->events, &placed, &hart->events_from);
	w->frame_events += hart->events.size - before;
	hart->head.nevents++;
	tr_context_apply(&hart->context, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		hart->cycle += event->cycles;
	if (!time_good(w, hart))
		return w->status;
	if (frame_full(w))
		end_frame(w);
	return w->status;
}
