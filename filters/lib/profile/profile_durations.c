/* SPDX-License-Identifier: Apache-2.0 */
/* Durations of calls: a table of distinct values that rounds when it is full. */
#include "profile/profile_durations.h"

#include <stdlib.h>

#include "base/map.h"

enum { FIRST_SLOTS = 8, FIRST_BITS = 16, LEAST_BITS = 6 };

void tr_durations_free(struct tr_durations *d)
{
	free(d->slots);
	*d = (struct tr_durations){0};
}

/* Returns the binary logarithm of the width of the bucket that contains `value`. */
static unsigned bucket_shift(uint64_t value, unsigned bits)
{
	unsigned length = value ? 64U - (unsigned)__builtin_clzll(value) : 0;
	return bits && length > bits ? length - bits : 0;
}

static void place_duration(struct tr_durations *d, uint64_t value, uint64_t count)
{
	value = value >> bucket_shift(value, d->bits) << bucket_shift(value, d->bits);
	uint32_t mask = d->nslots - 1, i = (uint32_t)tr_mix(value) & mask;
	while (d->slots[i].count && d->slots[i].value != value)
		i = (i + 1) & mask;
	if (!d->slots[i].count)
		d->used++;
	d->slots[i].value = value;
	d->slots[i].count += count;
}

static bool rebuild_slots(struct tr_durations *d, uint32_t nslots)
{
	struct tr_durations next = *d;
	next.slots = calloc(nslots, sizeof(*next.slots));
	if (!next.slots)
		return false;
	next.nslots = nslots;
	next.used = 0;
	for (uint32_t i = 0; i < d->nslots; i++)
		if (d->slots[i].count)
			place_duration(&next, d->slots[i].value, d->slots[i].count);
	free(d->slots);
	*d = next;
	return true;
}

/* Rounds until few values are left. With 6 leading bits, 64-bit numbers fall into at most
 * 1952 buckets. Returns false when out of memory. */
static bool make_coarser(struct tr_durations *d)
{
	while (d->used > TR_DURATIONS_DISTINCT / 2 && d->bits != LEAST_BITS) {
		d->bits = d->bits ? (uint8_t)(d->bits - 1) : FIRST_BITS;
		if (!rebuild_slots(d, d->nslots))
			return false;
	}
	return true;
}

bool tr_durations_add_many(struct tr_durations *d, uint64_t duration, uint64_t count)
{
	if (!d->nslots && !rebuild_slots(d, FIRST_SLOTS))
		return false;
	if (!d->count || duration < d->min)
		d->min = duration;
	if (!d->count || duration > d->max)
		d->max = duration;
	d->count += count;
	place_duration(d, duration, count);
	if (d->used > TR_DURATIONS_DISTINCT && !d->is_exact)
		return make_coarser(d);
	if (d->used > d->nslots / 2 &&
	    (d->is_exact || d->nslots < 2 * TR_DURATIONS_DISTINCT))
		return d->nslots <= UINT32_MAX / 2 && rebuild_slots(d, d->nslots * 2);
	return true;
}

bool tr_durations_add(struct tr_durations *d, uint64_t duration)
{
	return tr_durations_add_many(d, duration, 1);
}

static int by_value(const void *left, const void *right)
{
	const struct tr_duration *a = left, *b = right;
	return (a->value > b->value) - (a->value < b->value);
}

struct tr_duration *tr_durations_sorted(const struct tr_durations *d)
{
	struct tr_duration *sorted = calloc((size_t)d->used + 1, sizeof(*sorted));
	uint32_t n = 0;
	if (!sorted)
		return NULL;
	for (uint32_t slot = 0; slot < d->nslots; slot++)
		if (d->slots[slot].count)
			sorted[n++] = d->slots[slot];
	qsort(sorted, n, sizeof(*sorted), by_value);
	return sorted;
}

/* Returns `percent` of `count`, rounded up. */
static uint64_t percentile_rank(uint64_t count, unsigned percent)
{
	return count / 100 * percent + (count % 100 * percent + 99) / 100;
}

static uint64_t within_durations(const struct tr_durations *d, uint64_t value)
{
	return value > d->max ? d->max : value < d->min ? d->min : value;
}

/* Finds the lowest value of the quantile's bucket. Returns false when out of memory. */
static bool quantile_bucket(const struct tr_durations *d, unsigned percent,
			    uint64_t *value)
{
	struct tr_duration *sorted = tr_durations_sorted(d);
	uint32_t i = 0;
	if (!sorted)
		return false;
	for (uint64_t before = 0; i + 1 < d->used; i++) {
		before += sorted[i].count;
		if (before >= percentile_rank(d->count, percent))
			break;
	}
	*value = d->used ? sorted[i].value : 0;
	free(sorted);
	return true;
}

bool tr_durations_quantile(const struct tr_durations *d, unsigned percent,
			   uint64_t *value)
{
	if (!quantile_bucket(d, percent, value))
		return false;
	*value += (UINT64_C(1) << bucket_shift(*value, d->bits)) / 2;
	*value = within_durations(d, *value);
	return true;
}

bool tr_durations_quantile_range(const struct tr_durations *d, unsigned percent,
				 uint64_t *low, uint64_t *high)
{
	if (!quantile_bucket(d, percent, low))
		return false;
	*high = *low + ((UINT64_C(1) << bucket_shift(*low, d->bits)) - 1);
	*low = within_durations(d, *low);
	*high = within_durations(d, *high);
	return true;
}
