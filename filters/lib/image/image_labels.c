/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of code whose functions are known, in view of symbols without a size. */
#include "image/image_labels.h"

#include <stdlib.h>

static int compare_candidate_lows(const void *a, const void *b)
{
	const struct image_candidate *x = a, *y = b;
	return (x->low > y->low) - (x->low < y->low);
}

void tr_image_candidates_sort(struct image_candidates *candidates)
{
	if (candidates->count)
		qsort(candidates->list, candidates->count, sizeof(*candidates->list),
		      compare_candidate_lows);
}

bool tr_image_begins(const struct image_candidates *candidates, uint64_t address)
{
	size_t low = 0, high = candidates->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (candidates->list[middle].low < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < candidates->count && candidates->list[low].low == address;
}

/* Adds a range that does not begin before the last one. */
static bool append_span(struct image_spans *spans, uint64_t low, uint64_t high)
{
	struct image_span *last = spans->count ? &spans->list[spans->count - 1] : NULL;
	if (last && low <= last->high) {
		last->high = high > last->high ? high : last->high;
		return true;
	}
	if (!tr_grow(&spans->list, &spans->capacity, spans->count + 1,
		     sizeof(*spans->list)))
		return false;
	spans->list[spans->count++] = (struct image_span){low, high};
	return true;
}

bool tr_image_spans_hold(const struct image_spans *spans, uint64_t address)
{
	size_t low = 0, high = spans->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (spans->list[middle].high <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < spans->count && spans->list[low].low <= address;
}

/* Returns true for a symbol that may be of less code than up to the next one. */
static bool is_open_symbol(const struct image_candidate *candidate)
{
	return candidate->open && candidate->name;
}

bool tr_image_spans_close(struct image_spans *spans,
			  const struct image_candidates *candidates)
{
	for (size_t i = 0; i < candidates->count; i++) {
		const struct image_candidate *c = &candidates->list[i];
		if (!is_open_symbol(c) && !append_span(spans, c->low, c->high))
			return false;
	}
	return true;
}

/* Returns true if all calls into the range of a symbol lead to symbols. */
static bool calls_lead_to_symbols(const struct image_candidates *candidates,
				  const struct image_candidate *candidate,
				  const uint64_t *calls, size_t ncalls)
{
	size_t low = 0, high = ncalls;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (calls[middle] <= candidate->low)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < ncalls && calls[low] < candidate->high; low++)
		if (!tr_image_begins(candidates, calls[low]))
			return false;
	return true;
}

bool tr_image_spans_settle(struct image_spans *spans,
			   const struct image_candidates *candidates,
			   const uint64_t *calls, size_t ncalls)
{
	for (size_t i = 0; i < candidates->count; i++) {
		const struct image_candidate *c = &candidates->list[i];
		if (is_open_symbol(c) &&
		    !calls_lead_to_symbols(candidates, c, calls, ncalls))
			continue;
		if (!append_span(spans, c->low, c->high))
			return false;
	}
	return true;
}
