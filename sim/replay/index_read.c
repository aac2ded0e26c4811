/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an index, and sets a replay to one of its places. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/fuzzed.h"
#include "base/little.h"
#include "index_state.h"
#include "model/load.h"
#include "save.h"

enum {
	STATE_MAX = 1 << 30, /* bytes */
	WHERE_MAX = 8 * TR_VARINT_MAX + 2 * SOC_HARTS_MAX * TR_VARINT_MAX,
};

static bool report_damaged_place(struct replay_index *ix, size_t place)
{
	return index_fail(ix, "place %zu: damaged", place);
}

/* Reads bytes of the file. Returns how many there are. */
static size_t read_index_bytes(struct replay_index *ix, uint64_t at, void *to,
			       size_t size)
{
	return fseeko(ix->file, (off_t)at, SEEK_SET) == 0 ? fread(to, 1, size, ix->file)
							  : 0;
}

/* What is before the state of a place. */
struct where {
	uint64_t offset, hash;
};

static bool get_where(const struct replay_index *ix, struct tr_bytes *in,
		      struct index_place *place, struct where *where)
{
	where->offset = place->offset = tr_varint_below(in, INT64_MAX);
	const uint8_t *hash = tr_bytes_take(in, 8);
	where->hash = hash ? tr_load64(hash) : 0;
	place->first = tr_varint_below(in, 2);
	if (tr_varint(in) != soc_harts(ix->source.soc))
		return false;
	for (unsigned i = 0; i < soc_harts(ix->source.soc); i++) {
		place->cycle[i] = tr_varint_below(in, INT64_MAX);
		place->instret[i] = tr_varint_below(in, INT64_MAX);
	}
	return !in->bad;
}

/* Adds the place at ix->end to the list. Sets *last if it is the end. */
static bool list_place(struct replay_index *ix, uint64_t size, bool *last)
{
	uint8_t head[INDEX_HEAD], bytes[WHERE_MAX];
	struct index_place place = {.at = ix->end + INDEX_HEAD};
	struct tr_bytes in = {.at = bytes};
	struct where where;

	if (read_index_bytes(ix, ix->end, head, sizeof(head)) != sizeof(head))
		return index_fail(ix, "truncated");
	place.size = tr_load64(head);
	place.checksum = tr_load64(head + 8);
	*last = place.size == 0;
	if (*last)
		return (place.checksum == XXH64(NULL, 0, ix->nplaces) || TR_IS_FUZZED) &&
			       place.at == size && ix->nplaces
			   ? true
			   : index_fail(ix, "damaged end");
	if (place.size > size || place.at > size - place.size)
		return index_fail(ix, "truncated");
	in.end = bytes + read_index_bytes(ix, place.at, bytes,
					  place.size < sizeof(bytes) ? place.size
								     : sizeof(bytes));
	if (!get_where(ix, &in, &place, &where) || (ix->nplaces == 0 && !place.first))
		return report_damaged_place(ix, ix->nplaces);
	if (!tr_grow(&ix->places, &ix->room, ix->nplaces + 1, sizeof(*ix->places)))
		return index_fail(ix, "out of memory");
	ix->places[ix->nplaces++] = place;
	ix->end = place.at + place.size;
	return true;
}

bool index_list(struct replay_index *ix)
{
	uint8_t head[INDEX_HEAD];
	bool last = false;
	off_t size;

	if (fseeko(ix->file, 0, SEEK_END) != 0 || (size = ftello(ix->file)) < 0)
		return index_fail(ix, "%s", strerror(errno));
	if (read_index_bytes(ix, 0, head, sizeof(head)) != sizeof(head) ||
	    memcmp(head, INDEX_MAGIC, 8) != 0)
		return index_fail(ix, "not an index of a replay");
	if (tr_load64(head + 8) != index_version())
		return index_fail(ix, "written by another version of tr-replay");
	ix->end = sizeof(head);
	while (!last)
		if (!list_place(ix, (uint64_t)size, &last))
			return false;
	return true;
}

/* Reads the bytes of a place into ix->body. */
static bool read_body(struct replay_index *ix, size_t n, struct tr_bytes *in)
{
	const struct index_place *place = &ix->places[n];

	ix->body.size = 0;
	if (!tr_buffer_room(&ix->body, place->size))
		return index_fail(ix, "out of memory");
	if (read_index_bytes(ix, place->at, ix->body.data, place->size) != place->size)
		return report_damaged_place(ix, n);
	*in = (struct tr_bytes){.at = ix->body.data, .end = ix->body.data + place->size};
	return true;
}

bool replay_index_check(struct replay_index *ix, size_t place)
{
	struct index_place again;
	struct where where;
	struct tr_bytes in;
	uint64_t hash = 0;

	for (; ix->checked <= place; ix->checked++) {
		if (!read_body(ix, ix->checked, &in))
			return false;
		if (XXH64(in.at, ix->places[ix->checked].size, ix->checked) !=
			ix->places[ix->checked].checksum &&
		    !TR_IS_FUZZED)
			return report_damaged_place(ix, ix->checked);
		if (!get_where(ix, &in, &again, &where))
			return report_damaged_place(ix, ix->checked);
		if (!index_hash_trace(ix, ix->checked_at, where.offset, &hash) ||
		    (hash != where.hash && !TR_IS_FUZZED))
			return index_fail(ix, "not the index of %s as it is now",
					  ix->source.trace);
		ix->checked_at = where.offset;
	}
	return true;
}

/* Unpacks a varint size and compressed bytes into exactly `size` bytes. */
static bool decompress_exactly(struct tr_bytes *in, void *to, size_t size)
{
	uint64_t packed = tr_varint(in);
	const uint8_t *from = tr_bytes_take(in, packed);

	return from && ZSTD_decompress(to, size, from, packed) == size;
}

/* ------------------------------------------------------------ memory */

/* Reads the numbers of a group's pages. Returns how many of them are not set yet, or -1
 * if the group is damaged. */
static int get_group(struct tr_bytes *in, uint64_t npages, const uint8_t *set,
		     uint64_t *numbers, unsigned *count)
{
	uint64_t page = 0;
	int wanted = 0;

	*count = (unsigned)tr_varint_below(in, INDEX_GROUP + 1);
	for (unsigned i = 0; i < *count; i++) {
		page += tr_varint_below(in, npages);
		if (page >= npages)
			in->bad = true;
		numbers[i] = in->bad ? 0 : page;
		wanted += !set[numbers[i]];
	}
	return in->bad ? -1 : wanted;
}

/* Sets the pages of place n that a later place has not set. */
static bool load_pages(struct replay_index *ix, size_t n, uint8_t *set)
{
	struct soc_image *image = soc_image(ix->source.soc);
	uint64_t numbers[INDEX_GROUP], size;
	struct index_place place;
	struct where where;
	struct tr_bytes in;
	unsigned count;
	int wanted;

	if (!read_body(ix, n, &in) || !get_where(ix, &in, &place, &where))
		return report_damaged_place(ix, n);
	tr_varint(&in);
	size = tr_varint(&in);
	tr_bytes_take(&in, size);
	while ((wanted = get_group(&in, image->size / INDEX_PAGE, set, numbers, &count)),
	       wanted >= 0 && count) {
		if (wanted == 0) {
			size = tr_varint(&in);
			tr_bytes_take(&in, size);
			continue;
		}
		if (!decompress_exactly(&in, ix->pages, count * (size_t)INDEX_PAGE))
			return report_damaged_place(ix, n);
		for (unsigned i = 0; i < count; i++)
			if (!set[numbers[i]]) {
				memcpy(image->ram + numbers[i] * INDEX_PAGE,
				       ix->pages + i * INDEX_PAGE, INDEX_PAGE);
				set[numbers[i]] = 1;
			}
	}
	return in.bad || in.at != in.end ? report_damaged_place(ix, n) : true;
}

/* Sets memory as it was at the place. */
static bool load_memory(struct replay_index *ix, size_t place)
{
	struct soc_image *image = soc_image(ix->source.soc);
	uint64_t npages = image->size / INDEX_PAGE;
	uint8_t *set = calloc(npages, 1);
	bool done = set != NULL;

	if (!done)
		index_fail(ix, "out of memory");
	for (size_t n = place + 1; n-- && done;)
		done = load_pages(ix, n, set);
	for (uint64_t i = 0; i < npages && done; i++) {
		ix->touched[i] |=
		    soc_page_written(ix->source.soc, SOC_RAM_BASE + i * INDEX_PAGE);
		if ((ix->touched[i] || ix->source.shares) && !set[i] && ix->base)
			memcpy(image->ram + i * INDEX_PAGE, ix->base + i * INDEX_PAGE,
			       INDEX_PAGE);
		ix->touched[i] |= set[i];
	}
	free(set);
	soc_forget_written(ix->source.soc);
	return done;
}

/* ------------------------------------------------------------ state */

/* Sets the reader to place n; for the last one also the model. */
static bool load_state(struct replay_index *ix, size_t n, bool last)
{
	struct index_place place;
	struct tr_place at;
	struct where where;
	struct tr_bytes in, part;

	if (!read_body(ix, n, &in) || !get_where(ix, &in, &place, &where))
		return report_damaged_place(ix, n);
	uint64_t size = tr_varint_below(&in, STATE_MAX);
	ix->state.size = 0;
	if (!tr_buffer_room(&ix->state, size))
		return index_fail(ix, "out of memory");
	if (!decompress_exactly(&in, ix->state.data, size))
		return report_damaged_place(ix, n);
	in = (struct tr_bytes){.at = ix->state.data, .end = ix->state.data + size};
	size = tr_varint(&in);
	part.at = tr_bytes_take(&in, size);
	if (!part.at)
		return report_damaged_place(ix, n);
	part = (struct tr_bytes){.at = part.at, .end = part.at + size};
	int status = tr_reader_load(ix->source.reader, &part, &at);
	if (!status && last && at.offset != where.offset)
		status = TR_E_CORRUPT;
	if (!status && last)
		status = replay_load(ix->source.replay, &in);
	if (status == TR_E_NOMEM)
		return index_fail(ix, "out of memory");
	if (status)
		return report_damaged_place(ix, n);
	if (last && tr_reader_go(ix->source.reader, &at) != TR_OK)
		return index_fail(ix, "%s", tr_reader_message(ix->source.reader));
	return true;
}

bool replay_index_go(struct replay_index *ix, size_t place)
{
	size_t n = place;

	if (fflush(ix->file) != 0)
		return index_fail(ix, "%s", strerror(errno));
	while (n && !ix->places[n].first)
		n--;
	if (!load_memory(ix, place))
		return false;
	for (; n <= place; n++)
		if (!load_state(ix, n, n == place))
			return false;
	return true;
}
