/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/sums.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/varint.h"

enum {
	PACKED_LEVEL = 1,
	MOST_BYTES = 1 << 30, /* of a list that is unpacked */
};

void tr_sums_release(struct tr_sums *sums)
{
	free(sums->list);
	free(sums->lost);
	*sums = (struct tr_sums){.columns = sums->columns};
}

size_t tr_sums_add(struct tr_sums *sums, uint32_t key)
{
	const size_t i = sums->count, columns = sums->columns;
	if (!tr_grow(&sums->list, &sums->room, i + 1, sizeof(*sums->list)) ||
	    !tr_grow(&sums->lost, &sums->lost_room, (i + 1) * columns + 1,
		     sizeof(*sums->lost)))
		return SIZE_MAX;
	sums->list[i] = (struct tr_sum){.key = key};
	memset(sums->lost + i * columns, 0, columns * sizeof(*sums->lost));
	sums->count++;
	return i;
}

int tr_sums_append(void *list, const struct tr_sum *sum, const uint64_t *lost)
{
	struct tr_sums *sums = list;
	const size_t i = tr_sums_add(sums, sum->key);
	if (i == SIZE_MAX)
		return TR_E_NOMEM;
	sums->list[i] = *sum;
	memcpy(sums->lost + i * sums->columns, lost, sums->columns * sizeof(*lost));
	return TR_OK;
}

/* Where a sum of a list is, for sorting. */
struct place {
	uint32_t key, index;
};

static int by_key(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Returns the places in order, which the caller frees; NULL when out of memory. */
static struct place *sort_sums(const struct tr_sums *sums)
{
	struct place *places = calloc(sums->count + 1, sizeof(*places));
	bool is_sorted = true;
	for (size_t i = 0; places && i < sums->count; i++) {
		places[i] = (struct place){sums->list[i].key, (uint32_t)i};
		is_sorted &= !i || places[i - 1].key <= places[i].key;
	}
	if (places && !is_sorted)
		qsort(places, sums->count, sizeof(*places), by_key);
	return places;
}

/* Moves the sums into a list in which each key is once. Returns a status. */
static int join_sums(struct tr_sums *sums)
{
	struct tr_sums joined = {.columns = sums->columns};
	struct place *places = sort_sums(sums);
	int status = places ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < sums->count && !status; i++) {
		const struct tr_sum *from = &sums->list[places[i].index];
		const uint64_t *lost =
		    sums->lost + places[i].index * (size_t)sums->columns;
		if (!i || places[i - 1].key != places[i].key) {
			status = tr_sums_append(&joined, from, lost);
			continue;
		}
		struct tr_sum *to = &joined.list[joined.count - 1];
		to->cycles += from->cycles;
		to->instructions += from->instructions;
		to->calls += from->calls;
		for (unsigned c = 0; c < sums->columns; c++)
			joined.lost[(joined.count - 1) * sums->columns + c] += lost[c];
	}
	free(places);
	if (status) {
		tr_sums_release(&joined);
		return status;
	}
	tr_sums_release(sums);
	*sums = joined;
	return TR_OK;
}

static void encode_sum(struct tr_buffer *out, const struct tr_sum *sum, uint32_t before,
		       const uint64_t *lost, unsigned columns)
{
	unsigned used = 0;
	for (unsigned c = 0; c < columns; c++)
		used += lost[c] != 0;
	tr_buffer_varint(out, sum->key - before);
	tr_buffer_varint(out, sum->cycles);
	tr_buffer_varint(out, sum->instructions);
	tr_buffer_varint(out, sum->calls);
	if (columns)
		tr_buffer_varint(out, used);
	for (unsigned c = 0; c < columns && used; c++)
		if (lost[c]) {
			tr_buffer_varint(out, c);
			tr_buffer_varint(out, lost[c]);
		}
}

int tr_sums_pack(struct tr_sums *sums, struct tr_buffer *packed)
{
	struct tr_buffer plain = {0};
	int status = join_sums(sums);
	tr_buffer_varint(&plain, sums->count);
	for (size_t i = 0; i < sums->count && !status; i++)
		encode_sum(&plain, &sums->list[i], i ? sums->list[i - 1].key : 0,
			   sums->lost + i * sums->columns, sums->columns);
	packed->size = 0;
	const size_t bound = ZSTD_compressBound(plain.size);
	uint8_t *room = status || plain.failed ? NULL : tr_buffer_grow(packed, bound);
	ZSTD_CCtx *zstd = room ? ZSTD_createCCtx() : NULL;
	if (zstd) {
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, PACKED_LEVEL);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
		const size_t size =
		    ZSTD_compress2(zstd, room, bound, plain.data, plain.size);
		status = ZSTD_isError(size) ? TR_E_NOMEM : TR_OK;
		packed->size = status ? 0 : size;
	} else {
		status = TR_E_NOMEM;
	}
	ZSTD_freeCCtx(zstd);
	tr_buffer_free(&plain);
	return status;
}

/* Decodes the classes of a sum. */
static void decode_lost(struct tr_bytes *in, uint64_t *lost, unsigned columns)
{
	memset(lost, 0, columns * sizeof(*lost));
	for (uint64_t used = columns ? tr_varint_below(in, columns + 1U) : 0; used;
	     used--) {
		const uint64_t c = tr_varint_below(in, columns);
		lost[c] = tr_varint(in);
	}
}

static int decode_sums(struct tr_bytes in, unsigned columns, uint32_t keys,
		       int (*take)(void *, const struct tr_sum *, const uint64_t *),
		       void *context)
{
	uint64_t lost[TR_MAX_CLASSES], key = 0;
	int status = TR_OK;
	const uint64_t count = tr_varint(&in);
	if (count > keys)
		return TR_E_CORRUPT;
	for (uint64_t left = count; left && !status; left--) {
		struct tr_sum sum;
		key += tr_varint_below(&in, keys);
		sum.cycles = tr_varint(&in);
		sum.instructions = tr_varint(&in);
		sum.calls = tr_varint(&in);
		decode_lost(&in, lost, columns);
		if (in.bad || key >= keys)
			return TR_E_CORRUPT;
		sum.key = (uint32_t)key;
		status = take(context, &sum, lost);
	}
	return status ? status : in.bad || in.at != in.end ? TR_E_CORRUPT : TR_OK;
}

int tr_sums_unpack(const uint8_t *packed, size_t size, unsigned columns, uint32_t keys,
		   int (*take)(void *context, const struct tr_sum *sum,
			       const uint64_t *lost),
		   void *context)
{
	const unsigned long long plain_size = ZSTD_getFrameContentSize(packed, size);
	/* Each key is there once, with at most as many bytes. */
	const uint64_t most = 10 + keys * (40 + 12 * (uint64_t)columns);
	if (plain_size > MOST_BYTES || plain_size > most)
		return TR_E_CORRUPT;
	uint8_t *plain = malloc(plain_size + 1);
	if (!plain)
		return TR_E_NOMEM;
	int status = TR_E_CORRUPT;
	if (ZSTD_decompress(plain, plain_size, packed, size) == plain_size)
		status = decode_sums((struct tr_bytes){plain, plain + plain_size, false},
				     columns, keys, take, context);
	free(plain);
	return status;
}
