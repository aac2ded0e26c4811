/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a stream for writing, writes frames, and ends the stream. */
#include "stream/writer_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A generation also ends after this many tokens, so that blocks executed once, such as
 * those cut short by an interrupt, do not accumulate. */
#define GENERATION_TOKENS (UINT64_C(1) << 30)

void tr_writer_begin_chunk(struct tr_writer *w)
{
	w->chunk.size = 0;
	if (tr_buffer_room(&w->chunk, TR_CHUNK_HEAD))
		w->chunk.size = TR_CHUNK_HEAD;
}

int tr_writer_put_chunk(struct tr_writer *w, enum tr_chunk_type type)
{
	if (w->chunk.failed)
		return tr_writer_status(w, TR_E_NOMEM);
	size_t size = w->chunk.size - TR_CHUNK_HEAD;
	struct tr_cuts cuts = {0};
	if (type == TR_CHUNK_FRAME)
		tr_frame_cuts(w->chunk.data + TR_CHUNK_HEAD, size, &cuts);
	int status = tr_chunk_write(w->chunks, type, w->chunk.data, size, &cuts);
	tr_writer_index_header(w);
	return tr_writer_status(w, status);
}

static int put_header_chunk(struct tr_writer *w, enum tr_chunk_type type,
			    const struct tr_header *header)
{
	size_t size;
	char *text = tr_header_format(header, &size);
	if (!text)
		return tr_writer_status(w, TR_E_NOMEM);
	tr_writer_begin_chunk(w);
	tr_buffer_add(&w->chunk, text, size);
	free(text);
	return tr_writer_put_chunk(w, type);
}

static int open_chunk_writer(struct tr_writer *w, int fd,
			     const struct tr_writer_options *options)
{
	return options->link ? tr_chunk_writer_open_link(&w->chunks, options->link)
			     : tr_chunk_writer_open(&w->chunks, fd, options->level,
						    options->group, options->threads);
}

int tr_writer_open(struct tr_writer **writer, int fd, const struct tr_header *header,
		   const struct tr_writer_options *options)
{
	struct tr_writer *w = *writer = calloc(1, sizeof(*w));
	if (!w)
		return TR_E_NOMEM;
	w->isa = tr_header_isa(header);
	w->commit_width = tr_header_commit_width(header);
	w->marks_breaks = options->marks_breaks;
	w->infers_traps = tr_header_lacks(header, "traps");
	tr_writer_init_shapes(w);
	w->rows.new_timing = 1;
	w->begins_generation = true;
	int status = tr_dictionary_reset(&w->dictionary);
	if (!status && tr_counters_read(&w->counters, header))
		status = TR_E_ARGUMENT;
	if (!status && tr_probe_names_read(&w->probes, header))
		status = TR_E_ARGUMENT;
	if (!status)
		status = open_chunk_writer(w, fd, options);
	if (status)
		return tr_writer_status(w, status);
	tr_writer_index_open(w, fd, header, options);
	return put_header_chunk(w, TR_CHUNK_HEADER, header);
}

struct writer_hart *tr_writer_hart(struct tr_writer *w, uint32_t number)
{
	for (uint32_t i = 0; i < w->nharts; i++)
		if (w->harts[i]->head.hart == number)
			return w->harts[i];
	if (w->nharts == TR_MAX_HARTS)
		return NULL;
	struct writer_hart *hart = calloc(1, sizeof(*hart));
	if (!hart)
		return NULL;
	hart->head.hart = number;
	hart->context.priv = TR_PRIV_M;
	hart->events_from.counters = &w->counters;
	hart->events_from.probes = &w->probes;
	hart->draft.block.code = hart->draft.code;
	hart->draft.timing.stalls = hart->draft.stalls;
	hart->draft.timing.runs = hart->draft.runs;
	hart->head.context = hart->context;
	hart->continuity.infers_traps = w->infers_traps;
	return w->harts[w->nharts++] = hart;
}

int tr_writer_begin(struct tr_writer *w, uint32_t number, uint64_t cycle,
		    const struct tr_context *context)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (hart->head.nrows || hart->head.nevents || hart->draft.block.tokens ||
	    hart->cycle)
		return tr_writer_status(w, TR_E_ARGUMENT);
	hart->context = hart->head.context = *context;
	hart->cycle = hart->head.start_cycle = cycle;
	return w->status;
}

void tr_writer_begin_generation(struct tr_writer *w)
{
	tr_writer_status(w, tr_dictionary_reset(&w->dictionary));
	w->rows = (struct tr_row_state){.new_timing = 1};
	tr_writer_forget(&w->known);
	w->generation++;
	w->generation_start = w->instructions;
	w->begins_generation = true;
	for (uint32_t i = 0; i < w->nharts; i++)
		w->harts[i]->owner = 0;
}

/* Rows are encoded when the frame ends, hart by hart as readers decode them, because the
 * dictionary's lists grow in this order. */
static void encode_hart_rows(struct tr_writer *w, struct writer_hart *hart)
{
	tr_columns_clear(w->encoded, TR_ROW_COLUMNS);
	tr_writer_status(w, tr_encode_rows(w->encoded, &w->dictionary, &w->rows,
					   &hart->owner, hart->rows, hart->head.nrows));
	tr_encode_columns(&w->chunk, TR_SECTION_ROWS, w->encoded, TR_ROW_COLUMNS);
}

static void encode_frame(struct tr_writer *w)
{
	struct tr_frame_head head = {.number = w->frames,
				     .generation = w->generation,
				     .begins_generation = w->begins_generation,
				     .nharts = w->nharts};
	for (uint32_t i = 0; i < w->nharts; i++) {
		struct writer_hart *hart = w->harts[i];
		hart->head.cycles = hart->cycle - hart->head.start_cycle;
		head.harts[i] = hart->head;
	}
	tr_writer_begin_chunk(w);
	tr_encode_frame_head(&w->chunk, &head);
	tr_encode_columns(&w->chunk, TR_SECTION_BLOCKS, w->blocks, TR_BLOCK_COLUMNS);
	if (w->commit_width > 1)
		tr_encode_columns(&w->chunk, TR_SECTION_WIDE_TIMINGS, w->timings,
				  TR_WIDE_TIMING_COLUMNS);
	else
		tr_encode_columns(&w->chunk, TR_SECTION_TIMINGS, w->timings,
				  TR_TIMING_COLUMNS);
	for (uint32_t i = 0; i < w->nharts; i++)
		encode_hart_rows(w, w->harts[i]);
	for (uint32_t i = 0; i < w->nharts; i++)
		tr_encode_section(&w->chunk, TR_SECTION_EVENTS, &w->harts[i]->events);
	tr_writer_put_addresses(w);
}

static void begin_frame(struct tr_writer *w)
{
	w->frames++;
	w->frame_tokens = w->frame_events = w->frame_definitions = 0;
	w->begins_generation = false;
	tr_columns_clear(w->blocks, TR_BLOCK_COLUMNS);
	tr_columns_clear(w->timings, TR_WIDE_TIMING_COLUMNS);
	w->expected = (struct tr_expected){0};
	for (uint32_t i = 0; i < w->nharts; i++) {
		struct writer_hart *hart = w->harts[i];
		w->instructions += hart->head.tokens;
		w->cycles += hart->cycle - hart->head.start_cycle;
		hart->head = (struct tr_hart_head){.context = hart->context,
						   .start_cycle = hart->cycle,
						   .hart = hart->head.hart};
		hart->events.size = 0;
		hart->events_from.last_row = 0;
	}
	if (tr_dictionary_full(&w->dictionary) ||
	    w->instructions - w->generation_start >= GENERATION_TOKENS)
		tr_writer_begin_generation(w);
}

int tr_writer_flush(struct tr_writer *w)
{
	bool any = false;
	for (uint32_t i = 0; i < w->nharts; i++)
		any |= w->harts[i]->head.nrows || w->harts[i]->head.nevents;
	if (!any || w->status)
		return w->status;
	encode_frame(w);
	tr_writer_put_chunk(w, TR_CHUNK_FRAME);
	begin_frame(w);
	return w->status;
}

uint64_t tr_writer_generation(const struct tr_writer *w)
{
	return w->generation;
}

uint64_t tr_writer_frames(const struct tr_writer *w)
{
	return w->frames;
}

uint64_t tr_writer_instructions(const struct tr_writer *w)
{
	uint64_t sum = w->instructions;
	for (uint32_t i = 0; i < w->nharts; i++)
		sum += w->harts[i]->head.tokens + w->harts[i]->draft.block.tokens;
	return sum;
}

uint64_t tr_writer_cycles(const struct tr_writer *w)
{
	uint64_t sum = w->cycles;
	for (uint32_t i = 0; i < w->nharts; i++)
		sum += w->harts[i]->cycle - w->harts[i]->head.start_cycle +
		       w->harts[i]->draft.block.tokens +
		       (uint64_t)w->harts[i]->draft.timing.extra;
	return sum;
}

struct tr_breaks tr_writer_breaks(const struct tr_writer *w)
{
	return w->breaks;
}

/* What was taken for traps, but never returned, is known at the end. */
static void put_unreturned_breaks(struct tr_writer *w)
{
	if (!w->marks_breaks || w->has_marked_breaks)
		return;
	for (uint32_t i = 0; i < w->nharts; i++) {
		const struct tr_continuity *c = &w->harts[i]->continuity;
		for (uint32_t k = 0; k < c->nhandlers; k++) {
			const struct tr_break rest = tr_continuity_rest(c, k);
			if (rest.count)
				tr_writer_put_break(w, w->harts[i], &rest);
		}
	}
}

static int put_end_chunk(struct tr_writer *w, struct tr_header *end)
{
	int status = tr_header_set_u64(end, "instructions", w->instructions);
	if (!status)
		status = tr_header_set_u64(end, "cycles", w->cycles);
	if (!status)
		status = tr_header_set_u64(end, "frames", w->frames);
	if (status)
		return tr_writer_status(w, status);
	tr_writer_index_place(w);
	put_header_chunk(w, TR_CHUNK_END, end);
	tr_writer_status(w, tr_chunk_writer_flush(w->chunks));
	tr_writer_index_end(w);
	return w->status;
}

static void flush_all(struct tr_writer *w)
{
	for (uint32_t i = 0; i < w->nharts; i++)
		tr_writer_cut(w, w->harts[i]->head.hart);
	tr_writer_flush(w);
	tr_writer_stacks_flush(w);
}

int tr_writer_drain(struct tr_writer *w)
{
	flush_all(w);
	return tr_writer_status(w, tr_chunk_writer_flush(w->chunks));
}

int tr_writer_end(struct tr_writer *w, const struct tr_header *end)
{
	for (uint32_t i = 0; i < w->nharts; i++)
		tr_writer_cut(w, w->harts[i]->head.hart);
	put_unreturned_breaks(w);
	flush_all(w);
	if (w->status)
		return w->status;
	struct tr_header *copy = end ? tr_header_copy(end) : tr_header_new();
	if (!copy)
		return tr_writer_status(w, TR_E_NOMEM);
	put_end_chunk(w, copy);
	tr_header_free(copy);
	return w->status;
}

void tr_writer_close(struct tr_writer *w)
{
	if (!w)
		return;
	tr_chunk_writer_close(w->chunks);
	tr_buffer_free(&w->chunk);
	tr_columns_free(w->encoded, TR_ROW_COLUMNS);
	tr_dictionary_free(&w->dictionary);
	free(w->exits);
	tr_counters_release(&w->counters);
	tr_probe_names_release(&w->probes);
	tr_columns_free(w->blocks, TR_BLOCK_COLUMNS);
	tr_columns_free(w->timings, TR_WIDE_TIMING_COLUMNS);
	tr_writer_free_addresses(w);
	tr_writer_index_close(w);
	for (uint32_t i = 0; i < w->nharts; i++) {
		free(w->harts[i]->rows);
		free(w->harts[i]->held);
		tr_arena_reset(&w->harts[i]->held_values);
		tr_buffer_free(&w->harts[i]->events);
		tr_samples_release(&w->harts[i]->events_from.samples);
		free(w->harts[i]);
	}
	tr_buffer_free(&w->stacks.funcs);
	tr_buffer_free(&w->stacks.nodes);
	tr_buffer_free(&w->stacks.threads);
	tr_buffer_free(&w->stacks.tasks);
	tr_buffer_free(&w->stacks.uses);
	tr_buffer_free(&w->stacks.names);
	tr_buffer_free(&w->stacks.tps);
	for (uint32_t i = 0; i < w->stacks.nharts; i++)
		tr_buffer_free(&w->stacks.harts[i].rows);
	for (uint32_t i = 0; i < w->stacks.nharts; i++)
		tr_buffer_free(&w->stacks.harts[i].contexts);
	for (uint32_t i = 0; i < w->stacks.nharts; i++) {
		tr_buffer_free(&w->stacks.harts[i].samples);
		tr_buffer_free(&w->stacks.harts[i].hits);
		tr_samples_release(&w->stacks.harts[i].last);
	}
	tr_writer_free_spans(w);
	tr_buffer_free(&w->stacks.contexts);
	tr_buffer_free(&w->stacks.all_samples);
	tr_buffer_free(&w->stacks.all_hits);
	free(w);
}
