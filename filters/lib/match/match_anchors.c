/* SPDX-License-Identifier: Apache-2.0 */
/* The index of anchors. */
#include "match/match_anchors.h"

#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "base/map.h"

enum { PAGE = 4096, BUCKET_BITS_MIN = 8, BUCKET_BITS_MAX = 22 };

struct anchor {
	uint32_t key;
	uint32_t number; /* over the anchors of all runs */
};

struct run {
	const uint8_t *data; /* at the first anchor */
	const uint8_t *mask; /* of the bytes at `data`, or NULL */
	uint64_t address;    /* of the first anchor */
	uint32_t first;	     /* number of the first anchor */
	uint32_t count;
	uint32_t binary;
};

struct tr_match_anchors {
	struct run *runs;
	size_t nruns;
	uint64_t spacing; /* bytes */
	bool paged;
	struct anchor *anchors; /* by bucket, then by number */
	uint32_t *first;	/* of each bucket, and the end of the last */
	unsigned bucket_bits;
};

static uint64_t hash_anchor(const struct tr_match_anchors *a, const uint8_t *bytes,
			    uint64_t address)
{
	uint64_t offset = a->paged ? address % PAGE : 0;
	return tr_mix(tr_load64(bytes) ^ tr_mix(offset + 1));
}

/* Returns the number of anchors of a run. */
static uint64_t count_run_anchors(const struct tr_code *code, uint64_t spacing)
{
	uint64_t skip = -code->address % spacing;
	if (code->size < skip + TR_ANCHOR_BYTES)
		return 0;
	return (code->size - skip - TR_ANCHOR_BYTES) / spacing + 1;
}

static uint64_t choose_spacing(const struct tr_anchored_code *codes, size_t count)
{
	uint64_t bytes = 0, spacing = 2;
	for (size_t i = 0; i < count; i++)
		bytes += codes[i].code.size;
	while (spacing < PAGE && bytes / spacing > TR_ANCHORS_MAX)
		spacing *= 2;
	return spacing;
}

/* Fills in the runs. Returns the number of anchors, or UINT32_MAX if there are too many.
 */
static uint32_t add_runs(struct tr_match_anchors *a, const struct tr_anchored_code *codes,
			 size_t count)
{
	uint64_t total = 0;
	for (size_t i = 0; i < count; i++) {
		const struct tr_code *code = &codes[i].code;
		uint64_t skip = -code->address % a->spacing;
		uint64_t n = count_run_anchors(code, a->spacing);
		if (n == 0)
			continue;
		if (total + n >= UINT32_MAX)
			return UINT32_MAX;
		a->runs[a->nruns++] =
		    (struct run){.data = code->data + skip,
				 .mask = codes[i].mask ? codes[i].mask + skip : NULL,
				 .address = code->address + skip,
				 .first = (uint32_t)total,
				 .count = (uint32_t)n,
				 .binary = codes[i].binary};
		total += n;
	}
	return (uint32_t)total;
}

static uint64_t hash_at(const struct tr_match_anchors *a, const struct run *run,
			uint64_t i)
{
	return hash_anchor(a, run->data + i * a->spacing, run->address + i * a->spacing);
}

/* Returns true if all bits of an anchor are certain. */
static bool is_certain(const struct tr_match_anchors *a, const struct run *run,
		       uint64_t i)
{
	return !run->mask || tr_load64(run->mask + i * a->spacing) == UINT64_MAX;
}

/* Counting sort by bucket. */
static void sort_anchors(struct tr_match_anchors *a)
{
	const unsigned shift = 64 - a->bucket_bits;
	const size_t buckets = (size_t)1 << a->bucket_bits;
	for (size_t r = 0; r < a->nruns; r++)
		for (uint32_t i = 0; i < a->runs[r].count; i++)
			if (is_certain(a, &a->runs[r], i))
				a->first[hash_at(a, &a->runs[r], i) >> shift]++;
	uint32_t end = 0;
	for (size_t b = 0; b <= buckets; b++) {
		end += a->first[b];
		a->first[b] = end;
	}
	/* Backwards, so that each bucket ends up at its start, in order. */
	for (size_t r = a->nruns; r-- > 0;)
		for (uint32_t i = a->runs[r].count; i-- > 0;) {
			if (!is_certain(a, &a->runs[r], i))
				continue;
			uint64_t h = hash_at(a, &a->runs[r], i);
			a->anchors[--a->first[h >> shift]] =
			    (struct anchor){(uint32_t)h, a->runs[r].first + i};
		}
}

struct tr_match_anchors *tr_match_anchors_new(const struct tr_anchored_code *codes,
					      size_t count, bool paged)
{
	struct tr_match_anchors *a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->paged = paged;
	a->spacing = choose_spacing(codes, count);
	a->runs = calloc(count + 1, sizeof(*a->runs));
	uint32_t total = a->runs ? add_runs(a, codes, count) : UINT32_MAX;
	if (total != UINT32_MAX) {
		a->bucket_bits = BUCKET_BITS_MIN;
		while (a->bucket_bits < BUCKET_BITS_MAX && total >> a->bucket_bits)
			a->bucket_bits++;
		a->anchors = malloc((total + 1UL) * sizeof(*a->anchors));
		a->first = calloc(((size_t)1 << a->bucket_bits) + 1, sizeof(*a->first));
	}
	if (!a->anchors || !a->first) {
		tr_match_anchors_free(a);
		return NULL;
	}
	sort_anchors(a);
	return a;
}

void tr_match_anchors_free(struct tr_match_anchors *a)
{
	if (!a)
		return;
	free(a->runs);
	free(a->anchors);
	free(a->first);
	free(a);
}

static const struct run *find_anchor_run(const struct tr_match_anchors *a,
					 uint32_t number)
{
	size_t low = 0, high = a->nruns;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;
		if (a->runs[middle].first <= number)
			low = middle;
		else
			high = middle;
	}
	return &a->runs[low];
}

/* Looks up one anchor, `into` bytes behind the start of what is looked up. Returns the
 * number of places, TR_ANCHOR_COMMON + 1 if there are more. */
static size_t find_anchor(const struct tr_match_anchors *a, const uint8_t *bytes,
			  uint64_t address, uint64_t into,
			  struct tr_anchored_place places[TR_ANCHOR_COMMON])
{
	uint64_t h = hash_anchor(a, bytes, address);
	size_t bucket = h >> (64 - a->bucket_bits), n = 0;
	for (uint32_t i = a->first[bucket]; i < a->first[bucket + 1]; i++) {
		if (a->anchors[i].key != (uint32_t)h)
			continue;
		const struct run *run = find_anchor_run(a, a->anchors[i].number);
		uint64_t at = (a->anchors[i].number - run->first) * a->spacing;
		if ((a->paged && (run->address + at) % PAGE != address % PAGE) ||
		    memcmp(run->data + at, bytes, TR_ANCHOR_BYTES) != 0)
			continue;
		if (n == TR_ANCHOR_COMMON)
			return n + 1;
		places[n++] = (struct tr_anchored_place){
		    .address = run->address + at - into, .binary = run->binary};
	}
	return n;
}

size_t tr_match_anchors_find(const struct tr_match_anchors *a, uint64_t pc,
			     const uint8_t *code, size_t size,
			     struct tr_anchored_place places[TR_ANCHOR_COMMON],
			     bool *absent)
{
	const uint64_t step = a->paged ? a->spacing : 2;
	*absent = a->nruns == 0;
	for (uint64_t into = a->nruns ? -pc % step : size; into + TR_ANCHOR_BYTES <= size;
	     into += step) {
		size_t n = find_anchor(a, code + into, pc + into, into, places);
		*absent = n == 0 && a->paged;
		if (n <= TR_ANCHOR_COMMON && (n || a->paged))
			return n;
	}
	return 0;
}
