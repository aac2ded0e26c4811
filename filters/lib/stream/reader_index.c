/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the part of a stream of stacks that is in a window, by its index. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/fuzzed.h"
#include "base/little.h"
#include "stream/reader_state.h"
#include "stream/stacks_index.h"

enum seek_phase { BEFORE, INSIDE, AFTER, AT_END };

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
	enum seek_phase phase;
	bool has_hits;
};

void tr_reader_free_index(struct tr_reader *r)
{
	if (!r->seek)
		return;
	tr_buffer_free(&r->seek->bytes);
	free(r->seek->places);
	free(r->seek);
	r->seek = NULL;
}

/* Returns whether `packed` bytes are decompressed to `whole` ones. */
static bool unpack_index(uint8_t *to, size_t whole, const uint8_t *from, size_t packed)
{
	ZSTD_DCtx *zstd = ZSTD_createDCtx();
	if (!zstd)
		return false;
	if (TR_IS_FUZZED)
		ZSTD_DCtx_setParameter(zstd, ZSTD_d_experimentalParam3,
				       1); /* ZSTD_d_forceIgnoreChecksum */
	const size_t size = ZSTD_decompressDCtx(zstd, to, whole, from, packed);
	ZSTD_freeDCtx(zstd);
	return size == whole;
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
	const uint8_t *from = tail.data + TR_INDEX_SKIPPABLE;
	const size_t packed = (size_t)*size - TR_INDEX_SKIPPABLE - TR_INDEX_TAIL;
	const unsigned long long whole = ZSTD_getFrameContentSize(from, packed);
	/* Both values that mean an error are larger. */
	uint8_t *to = whole <= TR_INDEX_MAX ? tr_buffer_room(out, (size_t)whole) : NULL;
	is_good = to && unpack_index(to, (size_t)whole, from, packed);
	out->size = is_good ? (size_t)whole : 0;
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

/* Returns the next entry's kind, 0 at the end or after damage. */
static unsigned next_entry(struct tr_bytes *in, struct tr_bytes *entry)
{
	if (in->at == in->end)
		return 0;
	const unsigned kind = (unsigned)tr_varint_below(in, TR_INDEX_FRAME + 1);
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
	if (tr_varint(&in) != TR_INDEX_VERSION)
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
		if (kind != TR_INDEX_PLACE)
			continue;
		offset += tr_varint(&offsets);
		if (!take_place(x, &entry, offset))
			return false;
	}
	return !in.bad && !x->entries.bad && x->nplaces == count && count > 1;
}

/* Finds between which places rows can be in the window. Harts that a place does not have
 * yet begin later, perhaps in the window. Returns false if these are all. */
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
	return x->first > 0 || x->last < x->nplaces - 1;
}

bool tr_reader_seek(struct tr_reader *r, uint64_t from, uint64_t to, unsigned limits,
		    struct tr_reader_skipped *skipped)
{
	uint64_t size = 0;
	struct tr_reader_seek *x = r->seek = calloc(1, sizeof(*x));
	if (!x || r->status || !load_bytes(r, &x->bytes, &size) ||
	    !take_places(r, x, size) || !choose_places(x, from, to) ||
	    (limits & TR_SEEK_NO_HITS && x->has_hits) ||
	    (limits & TR_SEEK_ONE_HART && x->nharts > 1)) {
		tr_reader_free_index(r);
		return false;
	}
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
		if (++x->passed > until)
			break;
	}
	return false;
}

static int take_frame(struct tr_reader *r, const struct tr_bytes *frame)
{
	r->chunk = (struct tr_chunk){.payload = frame->at,
				     .size = (size_t)(frame->end - frame->at),
				     .record = r->chunk.record,
				     .byte = r->chunk.byte};
	return TR_OK;
}

int tr_reader_seek_frame(struct tr_reader *r, bool *is_frame)
{
	struct tr_reader_seek *x = r->seek;
	struct tr_bytes frame;
	*is_frame = true;
	if (x->phase == BEFORE) {
		if (next_frame(x, x->first, &frame))
			return take_frame(r, &frame);
		x->phase = INSIDE;
		int status = go_to_place(r, &x->places[x->first]);
		if (status)
			return status;
	}
	if (x->phase == INSIDE && r->totals.frames == x->places[x->last].frames) {
		x->phase = AFTER;
		/* What is in these frames has been read. */
		while (next_frame(x, x->last, &frame))
			continue;
	}
	if (x->phase == AFTER) {
		if (next_frame(x, x->nplaces - 1, &frame))
			return take_frame(r, &frame);
		x->phase = AT_END;
		int status = go_to_place(r, &x->places[x->nplaces - 1]);
		if (status)
			return status;
	}
	*is_frame = false;
	return TR_OK;
}
