/* SPDX-License-Identifier: Apache-2.0 */
/* Adds rows and events to the current frame, defines what is new, and copies frames from
 * a reader. */
#include "stream/writer_state.h"

#include "base/little.h"
#include "stream/reader.h"

/* Rejects what readers would reject, so that a caller's mistake shows where it is
 * made. */

bool tr_writer_block_good(const struct tr_block *block)
{
	if (block->tokens == 0 || block->tokens > TR_BLOCK_MAX_TOKENS)
		return false;
	unsigned size = 0;
	for (unsigned i = 0; i < block->tokens; i++) {
		unsigned n = block->no_bits
				 ? block->code[i]
				 : tr_insn_length(tr_load16(block->code + size));
		if (n < 2 || n > TR_INSN_MAX_BYTES || n % 2)
			return false;
		size += n;
	}
	return size == block->bytes;
}

static bool stall_good(const struct tr_timing *timing, const struct tr_stall *stall,
		       uint32_t first, uint32_t commit_width)
{
	return stall->first_run == first && stall->nruns <= timing->nruns - first &&
	       tr_runs_good(&timing->runs[first], stall->nruns, stall->cycles,
			    commit_width);
}

bool tr_writer_timing_good(const struct tr_timing *timing, uint32_t commit_width)
{
	uint32_t run = 0;
	if (timing->nstalls > TR_BLOCK_MAX_TOKENS)
		return false;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (!stall_good(timing, stall, run, commit_width) ||
		    stall->token >= TR_BLOCK_MAX_TOKENS ||
		    (i && stall->token <= timing->stalls[i - 1].token))
			return false;
		run += stall->nruns;
	}
	return run == timing->nruns;
}

/* A frame ends at TR_FRAME_TOKENS, or when its events and definitions exceed this. */
enum { FRAME_BYTES = 8 << 20 };

static inline bool frame_full(const struct tr_writer *w)
{
	return w->frame_tokens >= TR_FRAME_TOKENS ||
	       w->frame_events + w->frame_definitions >= FRAME_BYTES;
}

/* Ends the frame after the pending rows of all harts. */
static void end_full_frame(struct tr_writer *w)
{
	w->frame_tokens = 0; /* tr_writer_cut() below comes back here */
	for (uint32_t i = 0; i < w->nharts; i++)
		tr_writer_cut(w, w->harts[i]->head.hart);
	tr_writer_flush(w);
}

int tr_writer_check_frame(struct tr_writer *w, const struct writer_hart *hart)
{
	if (hart->cycle > INT64_MAX)
		return tr_writer_status(w, TR_E_ARGUMENT);
	if (frame_full(w))
		end_full_frame(w);
	return w->status;
}

static void count_definitions(struct tr_writer *w)
{
	w->frame_definitions = tr_columns_size(w->blocks, TR_BLOCK_COLUMNS) +
			       tr_columns_size(w->timings, TR_WIDE_TIMING_COLUMNS);
}

/* Blocks get their ids in order. */
static int add_exits(struct tr_writer *w, const struct tr_block *block)
{
	const size_t id = w->dictionary.nblocks - 1;
	if (!tr_grow(&w->exits, &w->exits_room, id + 1, sizeof(*w->exits)))
		return TR_E_NOMEM;
	w->exits[id] = tr_block_exits(block, w->isa);
	return TR_OK;
}

static int new_block(struct tr_writer *w, const struct tr_block *block)
{
	if (!tr_writer_block_good(block))
		return TR_E_ARGUMENT;
	if (w->marks_breaks && add_exits(w, block))
		return TR_E_NOMEM;
	tr_encode_block(w->blocks, &w->expected, block);
	count_definitions(w);
	return TR_OK;
}

static int new_timing(struct tr_writer *w, const struct tr_timing *timing)
{
	if (!tr_writer_timing_good(timing, w->commit_width))
		return TR_E_ARGUMENT;
	struct tr_delays *delays = &w->dictionary.delays;
	int status = w->commit_width > 1
			 ? tr_encode_wide_timing(w->timings, delays, timing)
			 : tr_encode_timing(w->timings, delays, timing);
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
	tr_writer_leave_passing(w);
	return find_block(w, block, id);
}

int tr_writer_timing(struct tr_writer *w, const struct tr_timing *timing, uint32_t *id)
{
	tr_writer_leave_passing(w);
	return tr_writer_find_timing(w, timing, id);
}

void tr_writer_check_row(struct tr_writer *w, struct writer_hart *hart, uint32_t block)
{
	const struct tr_break broken = {.from = hart->continuity.last,
					.to = w->exits[block].pc & ~UINT64_C(1),
					.count = 1};
	if (!tr_continuity_row(&hart->continuity, &w->exits[block]))
		tr_writer_put_break(w, hart, &broken);
}

int tr_writer_put_row(struct tr_writer *w, struct writer_hart *hart,
		      struct tr_row_ids row)
{
	if (hart->head.nrows == hart->row_room &&
	    !tr_grow(&hart->rows, &hart->row_room, hart->row_room + 1,
		     sizeof(*hart->rows)))
		return tr_writer_status(w, TR_E_NOMEM);
	if (w->marks_breaks)
		tr_writer_check_row(w, hart, row.block);
	uint64_t tokens = w->dictionary.tokens[row.block];
	uint64_t cycles = tokens + (uint64_t)w->dictionary.extras[row.timing];
	tr_hart_add_row(w, hart, row, tokens, hart->cycle + cycles);
	return tr_writer_check_frame(w, hart);
}

int tr_writer_end_block(struct tr_writer *w, struct writer_hart *hart,
			const struct tr_commit *tokens)
{
	struct draft *draft = &hart->draft;
	struct tr_row_ids row;
	unsigned count = draft->block.tokens;
	tr_writer_leave_passing(w);
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
	if (hart->nheld)
		tr_writer_place_held(w, hart, 0, 0);
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
	if (hart->draft.block.tokens)
		tr_writer_end_block(w, hart, NULL);
	if (hart->nheld)
		tr_writer_place_held(w, hart, 0, w->dictionary.tokens[block]);
	return tr_writer_put_row(w, hart, (struct tr_row_ids){block, timing});
}

/* Copies frames from a reader, with other events and notes. */

/* Contexts follow from the outgoing events, not from the incoming ones. */
static int pass_hart(struct tr_writer *w, struct tr_hart_head *head,
		     const struct tr_event *events, uint32_t nevents,
		     struct tr_buffer *body)
{
	struct writer_hart *hart = tr_writer_hart(w, head->hart);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (!hart->passed) {
		hart->passed = true;
		hart->cycle = head->start_cycle;
		hart->context = head->context;
	}
	if (hart->cycle != head->start_cycle)
		return tr_writer_status(w, TR_E_ARGUMENT);
	head->context = hart->context;
	head->nevents = nevents;
	hart->events_from.last_row = 0;
	for (uint32_t i = 0; i < nevents; i++) {
		if (!tr_writer_named_good(w, &events[i]))
			return tr_writer_status(w, TR_E_ARGUMENT);
		tr_encode_event(body, &events[i], &hart->events_from);
		tr_writer_count_breaks(w, head->hart, &events[i]);
		tr_context_apply(&hart->context, &events[i]);
	}
	hart->events_from.last_row = 0;
	hart->cycle += head->cycles;
	w->cycles += head->cycles;
	w->instructions += head->tokens;
	return w->status;
}

static void copy_sections(struct tr_writer *w, struct tr_bytes *in, bool has_accesses)
{
	unsigned kind;
	bool must;
	struct tr_bytes body;
	while (tr_decode_section(in, &kind, &must, &body)) {
		if (kind == TR_SECTION_EVENTS || kind == TR_SECTION_NOTES ||
		    (kind == TR_SECTION_ACCESSES && has_accesses))
			continue;
		tr_buffer_varint(&w->chunk, (uint64_t)kind << 1 | must);
		tr_buffer_varint(&w->chunk, (uint64_t)(body.end - body.at));
		tr_buffer_add(&w->chunk, body.at, (size_t)(body.end - body.at));
	}
}

static void pass_notes(struct tr_writer *w, const struct tr_pass *pass)
{
	struct tr_buffer body = {0};
	uint64_t last = 0;
	for (uint32_t i = 0; i < pass->nnotes; i++)
		tr_encode_note(&body, &pass->notes[i], &last);
	tr_encode_section(&w->chunk, TR_SECTION_NOTES, &body);
	tr_buffer_free(&body);
}

static bool has_tokens(const struct tr_writer *w)
{
	for (uint32_t i = 0; i < w->nharts; i++)
		if (w->harts[i]->head.nrows || w->harts[i]->draft.block.tokens)
			return true;
	return false;
}

int tr_writer_pass(struct tr_writer *w, const struct tr_pass *pass)
{
	struct tr_bytes in = {.at = pass->payload.data,
			      .end = pass->payload.data + pass->payload.size};
	struct tr_frame_head head;
	struct tr_buffer events[TR_MAX_HARTS] = {{0}};
	tr_decode_frame_head(&in, &head);
	if (in.bad || head.nharts != pass->nharts || (w->frames && !w->passed) ||
	    has_tokens(w))
		return tr_writer_status(w, TR_E_ARGUMENT);
	for (uint32_t i = 0; i < head.nharts && !w->status; i++)
		pass_hart(w, &head.harts[i], pass->events[i], pass->nevents[i],
			  &events[i]);
	head.number = w->frames++;
	w->generation = head.generation;
	w->passed = true;
	tr_writer_begin_chunk(w);
	tr_encode_frame_head(&w->chunk, &head);
	copy_sections(w, &in, pass->accesses != NULL);
	for (uint32_t i = 0; i < head.nharts; i++) {
		tr_encode_section(&w->chunk, TR_SECTION_EVENTS, &events[i]);
		tr_buffer_free(&events[i]);
	}
	pass_notes(w, pass);
	if (pass->accesses)
		tr_buffer_add(&w->chunk, pass->accesses->data, pass->accesses->size);
	for (uint32_t i = 0; i < w->nharts; i++) {
		w->harts[i]->head.start_cycle = w->harts[i]->cycle;
		w->harts[i]->head.context = w->harts[i]->context;
	}
	return tr_writer_put_chunk(w, TR_CHUNK_FRAME);
}
