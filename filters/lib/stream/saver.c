/* SPDX-License-Identifier: Apache-2.0 */
/* Saves and loads the state of a reader between two frames. A place consists of:
 * - a byte, 1 if it is the first in its generation
 * - varints: offset in the file, byte in the plain stream, number of the next record
 * - varints: frames, tokens, cycles and rows so far; generation; the highest ids used
 * - the harts, as save_hart() writes them
 * - sections BLOCKS and TIMINGS of tr-stream(5) with the new definitions
 * - a section with the new entries of the lists of blocks and timings, which put_lists()
 *   writes */
#include "stream/saver.h"

#include <stdlib.h>
#include <string.h>

#include "stream/reader_state.h"

enum { SECTION_LISTS = 0x100 };

/* Lengths of a block's lists when they were last saved. */
struct seen {
	uint32_t followers, rhythms;
};

struct tr_saver {
	uint64_t generation;
	bool begun;
	size_t nblocks, ntimings;
	struct seen *seen; /* indexed like tr_dictionary.history */
	size_t nseen, seen_room;
	struct tr_delays delays; /* those that the saved timings define */
};

struct tr_saver *tr_saver_new(void)
{
	return calloc(1, sizeof(struct tr_saver));
}

void tr_saver_free(struct tr_saver *saver)
{
	if (!saver)
		return;
	tr_delays_free(&saver->delays);
	free(saver->seen);
	free(saver);
}

/* ------------------------------------------------------------ saving */

static void save_samples(const struct reader_hart *hart, struct tr_buffer *out)
{
	const struct tr_event_state *from = &hart->events_from;

	tr_buffer_varint(out, hart->sample_cycle);
	for (unsigned set = 0; set < TR_MAX_COUNTER_SETS; set++) {
		const uint64_t *last = from->samples.last[set];

		tr_buffer_varint(out, last != NULL);
		for (uint32_t i = 0; last && i < from->counters->set[set].count; i++)
			tr_buffer_varint(out, last[i]);
	}
}

static void save_hart(const struct reader_hart *hart, struct tr_buffer *out)
{
	tr_buffer_varint(out, hart->hart);
	tr_buffer_varint(out, hart->cycle);
	tr_buffer_varint(out, hart->owner);
	tr_encode_context(out, &hart->context);
	save_samples(hart, out);
}

static void put_blocks(const struct tr_saver *saver, const struct tr_dictionary *d,
		       struct tr_buffer *out)
{
	struct tr_buffer columns[TR_BLOCK_COLUMNS] = {{0}};
	struct tr_expected expected = {.count = 0};

	for (size_t i = saver->nblocks; i < d->nblocks; i++)
		tr_encode_block(columns, &expected, &d->blocks[i]);
	tr_encode_columns(out, TR_SECTION_BLOCKS, columns, TR_BLOCK_COLUMNS);
	out->failed |= columns[0].failed || columns[1].failed || columns[2].failed;
	tr_columns_free(columns, TR_BLOCK_COLUMNS);
}

static int put_timings(struct tr_saver *saver, const struct tr_dictionary *d,
		       struct tr_buffer *out)
{
	struct tr_buffer columns[TR_TIMING_COLUMNS] = {{0}};
	int status = TR_OK;

	for (size_t i = saver->ntimings; i < d->ntimings && !status; i++)
		status = tr_encode_timing(columns, &saver->delays, &d->timings[i]);
	tr_encode_columns(out, TR_SECTION_TIMINGS, columns, TR_TIMING_COLUMNS);
	out->failed |= columns[0].failed || columns[1].failed || columns[2].failed;
	tr_columns_free(columns, TR_TIMING_COLUMNS);
	if (!status && saver->delays.count != d->delays.count)
		status = TR_E_UNSUPPORTED; /* ids of later delays would differ */
	return status;
}

static void put_list(struct tr_buffer *out, const struct tr_dictionary *d,
		     const struct tr_list *list, uint32_t from)
{
	tr_buffer_varint(out, list->count - from);
	for (uint32_t i = from; i < list->count; i++)
		tr_buffer_varint(out, tr_list_id(d, list, i));
}

/* For each block with new entries, and for the start: varint number of owners since the
 * previous one; for each of its two lists a varint count and the ids. */
static void put_lists(struct tr_saver *saver, const struct tr_dictionary *d,
		      struct tr_buffer *out)
{
	struct tr_buffer body = {0};
	size_t last = 0;

	for (size_t i = 0; i <= d->nblocks; i++) {
		const struct tr_history *history = &d->history[i];
		struct seen *seen = &saver->seen[i];

		if (seen->followers == history->followers.count &&
		    seen->rhythms == history->rhythms.count)
			continue;
		tr_buffer_varint(&body, i - last);
		put_list(&body, d, &history->followers, seen->followers);
		put_list(&body, d, &history->rhythms, seen->rhythms);
		*seen = (struct seen){history->followers.count, history->rhythms.count};
		last = i;
	}
	tr_encode_section(out, (enum tr_section)SECTION_LISTS, &body);
	out->failed |= body.failed;
	tr_buffer_free(&body);
}

/* Forgets what has been saved if another generation has begun. Returns a status. */
static int prepare_generation(struct tr_saver *saver, const struct tr_reader *r,
			      bool *first)
{
	size_t n = r->dictionary.nblocks + 1;

	*first = !saver->begun || saver->generation != r->generation;
	if (!tr_grow(&saver->seen, &saver->seen_room, n, sizeof(*saver->seen)))
		return TR_E_NOMEM;
	if (*first) {
		saver->begun = true;
		saver->generation = r->generation;
		saver->nblocks = saver->nseen = 0;
		saver->ntimings = 1;
		tr_delays_reset(&saver->delays);
	}
	memset(&saver->seen[saver->nseen], 0, (n - saver->nseen) * sizeof(*saver->seen));
	saver->nseen = n;
	return TR_OK;
}

bool tr_reader_place_next(const struct tr_reader *r, struct tr_place *place)
{
	return tr_chunk_reader_place(r->chunks, place);
}

int tr_saver_put(struct tr_saver *saver, const struct tr_reader *r, struct tr_buffer *out)
{
	const struct tr_dictionary *d = &r->dictionary;
	struct tr_place place;
	bool first;
	int status = prepare_generation(saver, r, &first);

	if (!status && !tr_reader_place_next(r, &place))
		status = TR_E_UNSUPPORTED;
	if (status)
		return status;
	tr_buffer_varint(out, first);
	tr_buffer_varint(out, place.offset);
	tr_buffer_varint(out, place.byte);
	tr_buffer_varint(out, place.record);
	tr_buffer_varint(out, r->totals.frames);
	tr_buffer_varint(out, r->totals.tokens);
	tr_buffer_varint(out, r->totals.cycles);
	tr_buffer_varint(out, r->totals.rows);
	tr_buffer_varint(out, r->generation);
	tr_buffer_varint(out, r->rows.new_block);
	tr_buffer_varint(out, r->rows.new_timing);
	tr_buffer_varint(out, r->nharts);
	for (uint32_t i = 0; i < r->nharts; i++)
		save_hart(&r->harts[i], out);
	put_blocks(saver, d, out);
	status = put_timings(saver, d, out);
	put_lists(saver, d, out);
	saver->nblocks = d->nblocks;
	saver->ntimings = d->ntimings;
	return out->failed ? TR_E_NOMEM : status;
}

/* ------------------------------------------------------------ loading */

static int load_samples(struct reader_hart *hart, struct tr_bytes *in)
{
	struct tr_event_state *from = &hart->events_from;

	tr_samples_release(&from->samples);
	hart->sample_cycle = tr_varint_below(in, INT64_MAX);
	for (unsigned set = 0; set < TR_MAX_COUNTER_SETS; set++) {
		uint32_t count = from->counters->set[set].count;
		uint64_t *last;

		if (!tr_varint_below(in, count ? 2 : 1))
			continue;
		last = tr_samples_of(&from->samples, from->counters, set);
		if (!last)
			return TR_E_NOMEM;
		for (uint32_t i = 0; i < count; i++)
			last[i] = tr_varint(in);
	}
	return in->bad ? TR_E_CORRUPT : TR_OK;
}

static int load_hart(struct tr_reader *r, struct tr_bytes *in)
{
	uint32_t number = (uint32_t)tr_varint_below(in, UINT32_MAX), n = r->nharts;
	struct reader_hart *hart = tr_reader_hart(r, number);

	if (in->bad || !hart || r->nharts == n)
		return TR_E_CORRUPT;
	hart->cycle = tr_varint_below(in, INT64_MAX);
	hart->owner = (uint32_t)tr_varint_below(in, UINT32_MAX);
	tr_decode_context(in, &hart->context);
	return load_samples(hart, in);
}

static int load_list(struct tr_dictionary *d, struct tr_bytes *in, uint32_t owner,
		     bool follows)
{
	uint64_t count = tr_varint(in);
	int status = TR_OK;

	for (uint64_t i = 0; i < count && !status; i++) {
		uint32_t id =
		    (uint32_t)tr_varint_below(in, follows ? d->nblocks : d->ntimings);

		if (in->bad ||
		    (!follows && (owner == 0 || !tr_timing_fits(&d->timings[id],
								&d->blocks[owner - 1]))))
			return TR_E_CORRUPT;
		status = follows ? tr_dictionary_add_follower(d, owner, id, false)
				 : tr_dictionary_add_rhythm(d, owner - 1, id, false);
	}
	return status;
}

static int load_lists(struct tr_dictionary *d, struct tr_bytes *in)
{
	uint64_t owner = 0;
	int status = TR_OK;

	while (in->at != in->end && !status) {
		owner += tr_varint_below(in, d->nblocks + 1);
		if (in->bad || owner > d->nblocks)
			return TR_E_CORRUPT;
		status = load_list(d, in, (uint32_t)owner, true);
		if (!status)
			status = load_list(d, in, (uint32_t)owner, false);
		if (!status && (in->bad || tr_dictionary_beyond(d)))
			status = TR_E_CORRUPT;
	}
	return status;
}

static int load_definitions(struct tr_reader *r, struct tr_bytes *in)
{
	struct tr_bytes body;
	int status = TR_OK;
	unsigned kind;
	bool must;

	while (!status && tr_decode_section(in, &kind, &must, &body)) {
		if (kind == TR_SECTION_BLOCKS)
			status = tr_decode_blocks(&body, &r->dictionary);
		else if (kind == TR_SECTION_TIMINGS)
			status =
			    tr_decode_timings(&body, &r->dictionary, r->commit_width);
		else
			status = load_lists(&r->dictionary, &body);
	}
	return status || !in->bad ? status : TR_E_CORRUPT;
}

static void drop_harts(struct tr_reader *r)
{
	for (uint32_t i = 0; i < r->nharts; i++)
		tr_samples_release(&r->harts[i].events_from.samples);
	r->nharts = 0;
}

static void load_numbers(struct tr_reader *r, struct tr_bytes *in, struct tr_place *place)
{
	place->offset = tr_varint_below(in, INT64_MAX);
	place->byte = tr_varint_below(in, INT64_MAX);
	place->record = (uint32_t)tr_varint_below(in, UINT32_MAX);
	r->totals.frames = tr_varint(in);
	r->totals.tokens = tr_varint_below(in, INT64_MAX);
	r->totals.cycles = tr_varint_below(in, INT64_MAX);
	r->totals.rows = tr_varint_below(in, INT64_MAX);
	r->generation = tr_varint(in);
	r->rows.new_block = (uint32_t)tr_varint_below(in, UINT32_MAX);
	r->rows.new_timing = (uint32_t)tr_varint_below(in, UINT32_MAX);
}

static int load_place(struct tr_reader *r, struct tr_bytes *in, struct tr_place *place)
{
	const struct tr_dictionary *d = &r->dictionary;
	uint64_t generation = r->generation, n;
	int status = TR_OK;
	bool first = tr_varint_below(in, 2);

	if (first && tr_dictionary_reset(&r->dictionary))
		return TR_E_NOMEM;
	load_numbers(r, in, place);
	if (!first && r->generation != generation)
		return TR_E_CORRUPT;
	drop_harts(r);
	n = tr_varint_below(in, TR_MAX_HARTS + 1);
	for (uint64_t i = 0; i < n && !status; i++)
		status = load_hart(r, in);
	if (!status)
		status = load_definitions(r, in);
	if (status)
		return status;
	for (uint32_t i = 0; i < r->nharts; i++)
		in->bad |= r->harts[i].owner > d->nblocks;
	return in->bad || r->rows.new_block > d->nblocks ||
		       r->rows.new_timing > d->ntimings
		   ? TR_E_CORRUPT
		   : TR_OK;
}

int tr_reader_load(struct tr_reader *r, struct tr_bytes *in, struct tr_place *place)
{
	tr_reader_drop_frame(r);
	int status = load_place(r, in, place);
	r->view = tr_dictionary_glance(&r->dictionary);
	return status;
}

int tr_reader_go(struct tr_reader *r, const struct tr_place *place)
{
	int status = tr_chunk_reader_go(r->chunks, place);

	tr_reader_drop_frame(r);
	tr_header_free(r->end);
	r->end = NULL;
	r->status = TR_OK;
	r->chunk = (struct tr_chunk){.byte = place->byte, .record = place->record};
	return status ? tr_reader_fail(r, status, tr_chunk_reader_reason(r->chunks))
		      : TR_OK;
}
