/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the part of a stream of stacks that is in a window, by its index. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/fuzzed.h"
#include "base/little.h"
#include "stream/reader_sums.h"
#include "stream/stacks_index.h"

/* Frames of definitions come up to a place, frames of the stream are read up to one, or
 * the end record is next. */
enum seek_phase { DEFINING, READING, AT_END };

/* A place, without the harts, which are still encoded. */
struct place {
	struct tr_place at;
	uint64_t frames, tokens, cycles;
	uint64_t least, most; /* cycles of the harts */
	struct tr_bytes harts;
};

struct tr_reader_seek {
	struct tr_buffer bytes;
	struct place *places; /* the last one is that of the end record */
	size_t nplaces, room;
	uint32_t nharts;
	uint64_t starts[TR_MAX_HARTS]; /* cycle at which each hart begins */
	struct tr_bytes entries;       /* those that are left */
	size_t passed;		       /* places before them */
	size_t first, last;	       /* the places between which rows are read */
	uint64_t from, to;	       /* the window */
	enum seek_phase phase;
	size_t goal;  /* the place where it ends */
	bool is_away; /* the next chunk is not that of the place */
	bool has_hits, has_tasks;
	struct reader_sums *sums; /* in order of their first place, the longest first */
	size_t nsums, sums_room, next_sums;
	struct tr_buffer section; /* sums that come at the goal, or empty */
	struct reader_span span;  /* of these */
};

void tr_reader_free_index(struct tr_reader *r)
{
	if (!r->seek)
		return;
	tr_buffer_free(&r->seek->bytes);
	tr_buffer_free(&r->seek->section);
	free(r->seek->places);
	free(r->seek->sums);
	free(r->seek);
	r->seek = NULL;
}

bool tr_index_unpack(const uint8_t *from, size_t size, uint64_t most,
		     struct tr_buffer *out)
{
	const unsigned long long whole = ZSTD_getFrameContentSize(from, size);
	/* Both values that mean an error are larger. */
	uint8_t *to = whole <= most ? tr_buffer_room(out, (size_t)whole) : NULL;
	ZSTD_DCtx *zstd = to ? ZSTD_createDCtx() : NULL;
	if (!zstd)
		return false;
	if (TR_IS_FUZZED)
		ZSTD_DCtx_setParameter(zstd, ZSTD_d_experimentalParam3,
				       1); /* ZSTD_d_forceIgnoreChecksum */
	const bool is_good =
	    ZSTD_decompressDCtx(zstd, to, (size_t)whole, from, size) == whole;
	ZSTD_freeDCtx(zstd);
	out->size = is_good ? (size_t)whole : 0;
	return is_good;
}

/* Reads the compressed index at the end of the file, and decompresses it. Returns false
 * if there is none that is whole. */
static bool load_bytes(const struct tr_reader *r, struct tr_buffer *out, uint64_t *size)
{
	struct tr_buffer tail = {0};
	bool is_good = false;
	if (tr_chunk_reader_tail(r->chunks, TR_INDEX_TAIL, 0, &tail) ||
	    memcmp(tail.data + 4, TR_INDEX_MAGIC, TR_INDEX_TAIL - 4) != 0)
		goto out;
	*size = tr_load32(tail.data);
	tail.size = 0;
	if (*size < TR_INDEX_SKIPPABLE + TR_INDEX_TAIL ||
	    tr_chunk_reader_tail(r->chunks, *size, 0, &tail) ||
	    tr_load32(tail.data) != TR_INDEX_MAGIC_NUMBER ||
	    tr_load32(tail.data + 4) != *size - TR_INDEX_SKIPPABLE)
		goto out;
	is_good = tr_index_unpack(tail.data + TR_INDEX_SKIPPABLE,
				  (size_t)*size - TR_INDEX_SKIPPABLE - TR_INDEX_TAIL,
				  TR_INDEX_MAX, out);
out:
	tr_buffer_free(&tail);
	return is_good;
}

/* Takes the harts of a place: its least and most cycle, and where each hart begins. */
static void scan_harts(struct tr_reader_seek *x, struct place *place)
{
	struct tr_bytes in = place->harts;
	const uint32_t count = (uint32_t)tr_varint_below(&in, TR_MAX_HARTS + 1);
	place->least = UINT64_MAX;
	for (uint32_t i = 0; i < count; i++) {
		tr_varint_below(&in, UINT32_MAX);
		x->starts[i] = tr_varint_below(&in, INT64_MAX);
		const uint64_t cycle = tr_varint_below(&in, INT64_MAX);
		tr_varint_below(&in, INT64_MAX);
		place->least = cycle < place->least ? cycle : place->least;
		place->most = cycle > place->most ? cycle : place->most;
	}
	x->nharts = count;
	x->entries.bad = x->entries.bad || in.bad || in.at != in.end;
}

static bool take_place(struct tr_reader_seek *x, struct tr_bytes *in, uint64_t offset)
{
	struct place place = {.at.offset = offset};
	place.at.byte = tr_varint_below(in, INT64_MAX);
	place.at.record = (uint32_t)tr_varint_below(in, UINT32_MAX);
	place.frames = tr_varint_below(in, UINT32_MAX);
	place.tokens = tr_varint_below(in, INT64_MAX);
	place.cycles = tr_varint_below(in, INT64_MAX);
	place.harts = *in;
	scan_harts(x, &place);
	if (in->bad || !tr_grow(&x->places, &x->room, x->nplaces + 1, sizeof(*x->places)))
		return false;
	x->places[x->nplaces++] = place;
	return true;
}

/* Takes the sums of a section that ends at the next place. */
static bool take_sums_entry(struct tr_reader_seek *x, struct tr_bytes *in)
{
	struct reader_sums sums = {.end = x->nplaces};
	sums.frames = tr_varint_below(in, UINT32_MAX);
	sums.offset = tr_varint_below(in, INT64_MAX);
	sums.size = tr_varint_below(in, UINT32_MAX);
	const uint64_t places = sums.frames / TR_INDEX_EVERY;
	if (in->bad || in->at != in->end || !places || places > x->nplaces ||
	    !tr_grow(&x->sums, &x->sums_room, x->nsums + 1, sizeof(*x->sums)))
		return false;
	sums.first = x->nplaces - (size_t)places;
	x->sums[x->nsums++] = sums;
	return true;
}

/* Sets whether a frame of definitions has tasks of the kernel, or what changes them. */
static void look_for_tasks(struct tr_reader_seek *x, struct tr_bytes in)
{
	struct tr_bytes body;
	unsigned kind;
	bool must;
	tr_varint(&in);
	for (uint64_t left = 3 * tr_varint_below(&in, TR_MAX_HARTS + 1); left; left--)
		tr_varint(&in);
	while (tr_decode_section(&in, &kind, &must, &body))
		x->has_tasks = x->has_tasks || kind == TR_SECTION_STASKS ||
			       kind == TR_SECTION_STASKUSES || kind == TR_SECTION_STPS;
}

static int by_first_place(const void *left, const void *right)
{
	const struct reader_sums *a = left, *b = right;
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->end < b->end) - (a->end > b->end);
}

/* Returns the next entry's kind, 0 at the end or after damage. */
static unsigned next_entry(struct tr_bytes *in, struct tr_bytes *entry)
{
	if (in->at == in->end)
		return 0;
	const unsigned kind = (unsigned)tr_varint_below(in, TR_INDEX_SUMS + 1);
	const uint64_t size = tr_varint(in);
	const uint8_t *at = tr_bytes_take(in, size);
	*entry = (struct tr_bytes){.at = at, .end = in->bad ? at : at + size};
	return in->bad ? 0 : kind;
}

/* Checks that the index is of this file, and takes its places. Returns false if not. */
static bool take_places(struct tr_reader *r, struct tr_reader_seek *x, uint64_t size)
{
	struct tr_bytes offsets, entry,
	    in = {.at = x->bytes.data, .end = x->bytes.data + x->bytes.size};
	uint64_t offset = 0;
	const uint64_t version = tr_varint(&in);
	if (!version || version > TR_INDEX_VERSION)
		return false;
	x->has_hits = tr_varint(&in);
	const uint8_t *header = tr_bytes_take(&in, sizeof(uint64_t));
	if (!header || tr_load64(header) != r->header_hash ||
	    tr_varint(&in) + size != tr_chunk_reader_size(r->chunks))
		return false;
	const uint64_t count = tr_varint(&in);
	offsets = in;
	for (uint64_t i = 0; i < count && !in.bad; i++)
		tr_varint(&in);
	x->entries = in;
	for (unsigned kind; (kind = next_entry(&in, &entry));) {
		if (kind == TR_INDEX_SUMS && !take_sums_entry(x, &entry))
			return false;
		if (kind == TR_INDEX_FRAME)
			look_for_tasks(x, entry);
		if (kind != TR_INDEX_PLACE)
			continue;
		offset += tr_varint(&offsets);
		if (!take_place(x, &entry, offset))
			return false;
	}
	if (x->nsums)
		qsort(x->sums, x->nsums, sizeof(*x->sums), by_first_place);
	return !in.bad && !x->entries.bad && x->nplaces == count && count > 1;
}

/* Finds between which places rows can be in the window. Harts that a place does not have
 * yet begin later, perhaps in the window. Returns false if these are all, and there are
 * no sums. */
static bool choose_places(struct tr_reader_seek *x, uint64_t from, uint64_t to)
{
	uint64_t start = UINT64_MAX;
	x->last = x->nplaces - 1;
	for (size_t i = 0; i < x->nplaces - 1; i++)
		if (x->places[i].most <= from)
			x->first = i;
	for (size_t i = x->nplaces - 1; i > x->first; i--) {
		struct tr_bytes in = x->places[i].harts;
		const uint32_t known = (uint32_t)tr_varint(&in);
		start = UINT64_MAX;
		for (uint32_t h = known; h < x->nharts; h++)
			start = x->starts[h] < start ? x->starts[h] : start;
		if (x->places[i].least <= to || start <= to)
			break;
		x->last = i;
	}
	return x->first > 0 || x->last < x->nplaces - 1 || x->nsums;
}

/* Leaves the sums out if the caller cannot use them. */
static void limit_sums(struct tr_reader_seek *x, unsigned limits)
{
	size_t kept = 0;
	for (size_t i = 0; i < x->nsums; i++)
		if (!(limits & TR_SEEK_FIRST_SUMS) || x->sums[i].frames == TR_SUMS_FRAMES)
			x->sums[kept++] = x->sums[i];
	x->nsums = kept;
	if (!(limits & TR_SEEK_SUMS) ||
	    (limits & TR_SEEK_SUMS_BY_TASK && (x->has_tasks || x->nharts > 1)))
		x->nsums = 0;
}

bool tr_reader_seek(struct tr_reader *r, uint64_t from, uint64_t to, unsigned limits,
		    struct tr_reader_skipped *skipped)
{
	uint64_t size = 0;
	struct tr_reader_seek *x = r->seek = calloc(1, sizeof(*x));
	bool is_good =
	    x && !r->status && load_bytes(r, &x->bytes, &size) && take_places(r, x, size);
	if (is_good) {
		limit_sums(x, limits);
		is_good = choose_places(x, from, to);
	}
	if (!is_good || (limits & TR_SEEK_NO_HITS && x->has_hits) ||
	    (limits & TR_SEEK_ONE_HART && x->nharts > 1)) {
		tr_reader_free_index(r);
		return false;
	}
	x->from = from;
	x->to = to;
	x->goal = x->first;
	x->is_away = true;
	const struct place *first = &x->places[x->first], *last = &x->places[x->last],
			   *end = &x->places[x->nplaces - 1];
	*skipped = (struct tr_reader_skipped){
	    .cycles = {first->cycles, end->cycles - last->cycles},
	    .instructions = {first->tokens, end->tokens - last->tokens},
	    .first_cycle = UINT64_MAX,
	    .last_cycle = end->most};
	for (uint32_t i = 0; i < x->nharts; i++)
		if (x->starts[i] < skipped->first_cycle)
			skipped->first_cycle = x->starts[i];
	return true;
}

/* Continues at a place, in the state that the frames before it leave. Returns a status.
 */
static int go_to_place(struct tr_reader *r, const struct place *place)
{
	struct reader_stacks *s = &r->stacks;
	struct tr_bytes in = place->harts;
	int status = tr_chunk_reader_go(r->chunks, &place->at);
	r->chunk = (struct tr_chunk){.byte = place->at.byte, .record = place->at.record};
	if (status)
		return tr_reader_fail(r, status, tr_chunk_reader_reason(r->chunks));
	r->totals.frames = place->frames;
	r->totals.tokens = place->tokens;
	r->totals.cycles = place->cycles;
	s->nharts = (uint32_t)tr_varint(&in);
	for (uint32_t i = 0; i < s->nharts; i++) {
		s->harts[i].hart = (uint32_t)tr_varint(&in);
		tr_varint(&in);
		s->cycle[i] = tr_varint(&in);
		s->hit_cycle[i] = tr_varint(&in);
	}
	return TR_OK;
}

/* Gets the next frame of definitions before place `until`. Returns false if there is
 * none, behind the place. */
static bool next_frame(struct tr_reader_seek *x, size_t until, struct tr_bytes *frame)
{
	for (unsigned kind;
	     x->passed <= until && (kind = next_entry(&x->entries, frame));) {
		if (kind == TR_INDEX_FRAME)
			return true;
		if (kind == TR_INDEX_PLACE && ++x->passed > until)
			break;
	}
	return false;
}

static void take_frame(struct tr_reader *r, const struct tr_bytes *frame)
{
	r->chunk = (struct tr_chunk){.payload = frame->at,
				     .size = (size_t)(frame->end - frame->at),
				     .record = r->chunk.record,
				     .byte = r->chunk.byte};
}

/* Describes the frames between two places. */
static struct reader_span span_of(const struct tr_reader_seek *x, size_t first,
				  size_t end)
{
	const struct place *a = &x->places[first], *b = &x->places[end];
	struct tr_bytes at = a->harts, in = b->harts;
	struct reader_span span = {.frame = a->frames,
				   .instructions = b->tokens - a->tokens};
	const uint32_t known = (uint32_t)tr_varint(&at);
	span.nharts = (uint32_t)tr_varint(&in);
	for (uint32_t i = 0; i < span.nharts; i++) {
		span.hart[i] = (uint32_t)tr_varint(&in);
		tr_varint(&in);
		span.end[i] = tr_varint(&in);
		tr_varint(&in);
		span.start[i] = x->starts[i];
		for (unsigned k = 0; k < 4 && i < known; k++) {
			const uint64_t value = tr_varint(&at);
			span.start[i] = k == 2 ? value : span.start[i];
		}
	}
	return span;
}

/* Returns whether all rows of a section are in the window. One without cycles is in the
 * cycle before. */
static bool is_inside(const struct tr_reader_seek *x, const struct reader_span *span)
{
	for (uint32_t i = 0; i < span->nharts; i++)
		if ((x->from && span->start[i] <= x->from) || span->end[i] > x->to ||
		    span->end[i] < span->start[i])
			return false;
	return true;
}

/* Loads the longest sums that begin at a place and are in the window, and makes their end
 * the goal. Returns false if there are none. */
static bool load_section(const struct tr_reader *r, struct tr_reader_seek *x, size_t at)
{
	while (x->next_sums < x->nsums && x->sums[x->next_sums].first < at)
		x->next_sums++;
	for (size_t i = x->next_sums; i < x->nsums && x->sums[i].first == at; i++) {
		const struct reader_sums *sums = &x->sums[i];
		if (sums->end > x->last ||
		    x->places[sums->end].frames != x->places[at].frames + sums->frames)
			continue;
		x->span = span_of(x, at, sums->end);
		if (!is_inside(x, &x->span) ||
		    !tr_reader_load_sums(r, sums, &x->section) ||
		    !tr_reader_check_sums(&x->section, &x->span))
			continue;
		x->goal = sums->end;
		return true;
	}
	x->section.size = 0;
	return false;
}

/* Goes on from place `at`, which all before leads to. Returns a status. */
static int leave_place(struct tr_reader *r, struct tr_reader_seek *x, size_t at)
{
	int status = TR_OK;
	if (at == x->nplaces - 1) {
		x->phase = AT_END;
	} else if (at >= x->last) {
		x->phase = DEFINING;
		x->goal = x->nplaces - 1;
		x->is_away = true;
	} else if (load_section(r, x, at)) {
		x->phase = DEFINING;
		x->is_away = true;
	} else {
		x->phase = READING;
		x->goal = at + 1;
	}
	if (x->phase != DEFINING && x->is_away) {
		x->is_away = false;
		status = go_to_place(r, &x->places[at]);
	}
	return status;
}

int tr_reader_seek_frame(struct tr_reader *r, enum tr_seek_frame *kind)
{
	struct tr_reader_seek *x = r->seek;
	struct tr_bytes frame;
	int status = TR_OK;
	while (!status) {
		*kind = TR_SEEK_CHUNK;
		if (x->phase == AT_END || (x->phase == READING &&
					   r->totals.frames != x->places[x->goal].frames))
			return TR_OK;
		if (x->phase == DEFINING && next_frame(x, x->goal, &frame)) {
			take_frame(r, &frame);
			*kind = TR_SEEK_DEFINITIONS;
			return TR_OK;
		}
		if (x->phase == DEFINING && x->section.size) {
			*kind = TR_SEEK_SECTION;
			status = tr_reader_take_sums(r, &x->section, &x->span);
			x->section.size = 0;
			return status;
		}
		/* What is in frames that were read is defined. */
		while (next_frame(x, x->goal, &frame))
			continue;
		status = leave_place(r, x, x->goal);
	}
	return status;
}
