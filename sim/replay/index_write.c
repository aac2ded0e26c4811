/* SPDX-License-Identifier: Apache-2.0 */
/* Adds places to an index. */
#include <errno.h>
#include <string.h>
#include <xxhash.h>

#include "base/little.h"
#include "index_state.h"
#include "model/load.h"
#include "save.h"
#include "watching.h"
#include "window.h"

enum { LEVEL = 1 };

static bool write_failed(struct replay_index *ix)
{
	return index_fail(ix, "%s", strerror(errno));
}

/* Appends a varint size and the compressed bytes. */
static bool put_packed(struct replay_index *ix, const void *data, size_t size)
{
	size_t bound = ZSTD_compressBound(size);

	if (!tr_grow(&ix->packed, &ix->packed_room, bound, 1))
		return index_fail(ix, "out of memory");
	size_t packed =
	    ZSTD_compressCCtx(ix->zstd, ix->packed, ix->packed_room, data, size, LEVEL);
	if (ZSTD_isError(packed))
		return index_fail(ix, "out of memory");
	tr_buffer_varint(&ix->body, packed);
	tr_buffer_add(&ix->body, ix->packed, packed);
	return true;
}

/* Gets the state into its buffer: the size of the reader's part, that, and the
 * replay's. */
static bool make_state(struct replay_index *ix)
{
	ix->reader_part.size = ix->state.size = 0;
	int status = tr_saver_put(ix->saver, ix->source.reader, &ix->reader_part);
	tr_buffer_body(&ix->state, &ix->reader_part);
	if (!status)
		status = replay_save(ix->source.replay, &ix->state);
	if (status == TR_E_UNSUPPORTED)
		return index_fail(ix,
				  "%s cannot be read from the middle: it is not as these "
				  "programs write a file",
				  ix->source.trace);
	if (status || ix->state.failed)
		return index_fail(ix, "out of memory");
	return true;
}

/* Puts the next pages that were written, from *page on, into a group. Returns their
 * number. */
static unsigned take_group(struct replay_index *ix, uint64_t *page)
{
	const struct soc_image *image = soc_image(ix->source.soc);
	struct tr_buffer numbers = {0};
	uint64_t last = 0;
	unsigned n = 0;

	for (; n < INDEX_GROUP && *page < image->size / INDEX_PAGE; ++*page) {
		if (!soc_page_written(ix->source.soc, SOC_RAM_BASE + *page * INDEX_PAGE))
			continue;
		ix->touched[*page] = 1;
		tr_buffer_varint(&numbers, *page - last);
		last = *page;
		memcpy(ix->pages + n++ * INDEX_PAGE, image->ram + *page * INDEX_PAGE,
		       INDEX_PAGE);
	}
	if (n) {
		tr_buffer_varint(&ix->body, n);
		tr_buffer_add(&ix->body, numbers.data, numbers.size);
		ix->body.failed |= numbers.failed;
	}
	tr_buffer_free(&numbers);
	return n;
}

/* Pages that were written since the last place; a group of none ends them. */
static bool put_pages(struct replay_index *ix)
{
	uint64_t page = 0;
	unsigned n;

	while ((n = take_group(ix, &page)) != 0)
		if (!put_packed(ix, ix->pages, n * INDEX_PAGE))
			return false;
	tr_buffer_varint(&ix->body, 0);
	soc_forget_written(ix->source.soc);
	return true;
}

/* Writes the body, and adds it to the list. */
static bool put_body(struct replay_index *ix, struct index_place *place)
{
	uint8_t head[INDEX_HEAD];

	place->size = ix->body.size;
	place->checksum = XXH64(ix->body.data, ix->body.size, ix->nplaces);
	if (ix->body.failed ||
	    !tr_grow(&ix->places, &ix->room, ix->nplaces + 1, sizeof(*ix->places)))
		return index_fail(ix, "out of memory");
	ix->places[ix->nplaces++] = *place;
	tr_store64(head, place->size);
	tr_store64(head + 8, place->checksum);
	if (fwrite(head, sizeof(head), 1, ix->file) != 1 ||
	    fwrite(ix->body.data, 1, ix->body.size, ix->file) != ix->body.size)
		return write_failed(ix);
	return true;
}

/* Puts what finds the place: the end in the trace, and where the harts are. */
static bool put_where(struct replay_index *ix, struct index_place *place)
{
	const struct replay *r = ix->source.replay;
	struct tr_place where;
	uint64_t sum;

	if (!tr_reader_place_next(ix->source.reader, &where) ||
	    !index_hash_trace(ix, ix->trace_at, where.offset, &sum))
		return index_fail(ix, "%s cannot be read again", ix->source.trace);
	tr_buffer_varint(&ix->body, where.offset);
	tr_buffer_add64(&ix->body, sum);
	tr_buffer_varint(&ix->body, place->first);
	tr_buffer_varint(&ix->body, soc_harts(ix->source.soc));
	for (unsigned i = 0; i < soc_harts(ix->source.soc); i++) {
		place->cycle[i] = replay_cycle(r, i);
		place->instret[i] = soc_instret(ix->source.soc, i);
		tr_buffer_varint(&ix->body, place->cycle[i]);
		tr_buffer_varint(&ix->body, place->instret[i]);
	}
	ix->trace_at = place->offset = where.offset;
	return true;
}

static bool append_place(struct replay_index *ix)
{
	struct index_place place = {.at = ix->end + INDEX_HEAD};

	ix->body.size = 0;
	if (!make_state(ix))
		return false;
	place.first = ix->reader_part.data[0];
	if (!put_where(ix, &place))
		return false;
	tr_buffer_varint(&ix->body, ix->state.size);
	if (!put_packed(ix, ix->state.data, ix->state.size) || !put_pages(ix) ||
	    !put_body(ix, &place))
		return false;
	ix->checked = ix->nplaces;
	ix->end = place.at + place.size;
	ix->next = replay_counts(ix->source.replay)->instructions + ix->source.every;
	return true;
}

bool index_begin(struct replay_index *ix)
{
	uint8_t head[INDEX_HEAD] = INDEX_MAGIC;

	tr_store64(head + 8, index_version());
	if (fwrite(head, sizeof(head), 1, ix->file) != 1)
		return write_failed(ix);
	ix->end = sizeof(head);
	watch_contexts(ix->source.replay);
	soc_forget_written(ix->source.soc);
	return append_place(ix);
}

/* After a place may have been read. */
static bool seek_end(struct replay_index *ix)
{
	return fseeko(ix->file, 0, SEEK_END) == 0 || errno == ESPIPE ? true
								     : write_failed(ix);
}

bool replay_index_frame(struct replay_index *ix)
{
	const struct replay *r = ix->source.replay;
	struct tr_place where;

	/* Inside a zstd frame the next place is where that ends. */
	if (replay_counts(r)->instructions < ix->next || window_is_lost(r) ||
	    !tr_reader_place_next(ix->source.reader, &where))
		return true;
	return seek_end(ix) && append_place(ix);
}

bool replay_index_end(struct replay_index *ix)
{
	uint8_t head[INDEX_HEAD];

	if (!seek_end(ix))
		return false;
	tr_store64(head, 0);
	tr_store64(head + 8, XXH64(NULL, 0, ix->nplaces));
	if (fwrite(head, sizeof(head), 1, ix->file) != 1 || fflush(ix->file) != 0)
		return write_failed(ix);
	return true;
}
