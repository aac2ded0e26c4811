/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a table of function ranges without overlap from all candidates.
 *
 * A sweep over the addresses keeps the claims in force in a heap; the best one owns the
 * range up to the next begin or end of a claim.
 *
 * Assemblers write DWARF for aliases of a function, and some of it extends over the
 * padding into the entry of the next function (memmove and memset in Linux). A function
 * symbol that begins in the tail of such a claim and extends beyond it ends the claim.
 *
 * DWARF omits the no-operations for tracers (-fpatchable-function-entry) at an entry. If
 * a function symbol begins just before the DWARF range and ends with it, it is the
 * entry.
 *
 * A function with aliases has one name throughout: that of its entry. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_state.h"

enum { HEAD_BYTES = 16, TAIL_BYTES = 16, NEIGHBOURS = 16 };

struct sweep {
	const struct image_candidate *list;
	size_t *heap; /* indices into list; the best is first */
	size_t used;
	struct tr_function *made;
	size_t nmade, capacity;
	size_t last; /* the claim from which the newest of `made` came */
};

/* Orders claims: DWARF before symbols before unwind tables; then the innermost; then the
 * better name. */
static int compare_claims(const struct image_candidate *a,
			  const struct image_candidate *b)
{
	uint32_t x = image_rank_source(a->rank), y = image_rank_source(b->rank);
	if (x != y)
		return x < y ? -1 : 1;
	if (a->low != b->low)
		return a->low > b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high < b->high ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->entry != b->entry)
		return a->entry < b->entry ? -1 : 1;
	if (!a->name || !b->name)
		return (a->name ? 1 : 0) - (b->name ? 1 : 0);
	return tr_image_name_compare(a->name, b->name);
}

static bool is_better(const struct sweep *sweep, size_t a, size_t b)
{
	return compare_claims(&sweep->list[a], &sweep->list[b]) < 0;
}

static void heap_push(struct sweep *sweep, size_t claim)
{
	size_t i = sweep->used++;
	for (; i && is_better(sweep, claim, sweep->heap[(i - 1) / 2]); i = (i - 1) / 2)
		sweep->heap[i] = sweep->heap[(i - 1) / 2];
	sweep->heap[i] = claim;
}

static void heap_pop(struct sweep *sweep)
{
	size_t claim = sweep->heap[--sweep->used], i = 0;
	for (size_t child = 1; child < sweep->used; child = 2 * i + 1) {
		if (child + 1 < sweep->used &&
		    is_better(sweep, sweep->heap[child + 1], sweep->heap[child]))
			child++;
		if (!is_better(sweep, sweep->heap[child], claim))
			break;
		sweep->heap[i] = sweep->heap[child];
		i = child;
	}
	sweep->heap[i] = claim;
}

/* Assigns [low, high) to the best claim. Returns false when out of memory. */
static bool assign_range(struct sweep *sweep, uint64_t low, uint64_t high)
{
	size_t claim = sweep->heap[0];
	const struct image_candidate *from = &sweep->list[claim];
	if (!from->name)
		return true;
	if (sweep->nmade && sweep->last == claim &&
	    sweep->made[sweep->nmade - 1].high == low) {
		sweep->made[sweep->nmade - 1].high = high;
		return true;
	}
	if (!tr_grow(&sweep->made, &sweep->capacity, sweep->nmade + 1,
		     sizeof(*sweep->made)))
		return false;
	sweep->made[sweep->nmade++] = (struct tr_function){
	    .name = from->name,
	    .place = from->place,
	    .entry = from->entry,
	    .low = low,
	    .high = high,
	    .is_entry = low == from->entry,
	    .from_dwarf = image_rank_source(from->rank) == IMAGE_RANK_DWARF,
	    .is_nameless = image_rank_source(from->rank) >= IMAGE_RANK_TABLE,
	};
	sweep->last = claim;
	return true;
}

static bool sweep_claims(struct sweep *sweep, size_t count)
{
	const struct image_candidate *list = sweep->list;
	uint64_t at = 0;
	size_t next = 0;
	while (sweep->used || next < count) {
		if (sweep->used && list[sweep->heap[0]].high <= at) {
			heap_pop(sweep);
			continue;
		}
		if (!sweep->used)
			at = list[next].low;
		for (; next < count && list[next].low <= at; next++)
			heap_push(sweep, next);
		uint64_t end = list[sweep->heap[0]].high;
		if (next < count && list[next].low < end)
			end = list[next].low;
		if (end > at && !assign_range(sweep, at, end))
			return false;
		at = end > at ? end : at;
	}
	return true;
}

static int compare_claim_lows(const void *a, const void *b)
{
	const struct image_candidate *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return compare_claims(x, y);
}

static void cut_tail(struct image_candidate *claim, const struct image_candidate *symbol)
{
	if (image_rank_source(claim->rank) == IMAGE_RANK_DWARF &&
	    claim->low < symbol->low && claim->high > symbol->low &&
	    claim->high - symbol->low <= TAIL_BYTES && symbol->high > claim->high)
		claim->high = symbol->low;
}

/* Returns true for a symbol that has a size or is global; memset in the kernel has no
 * type. */
static bool is_function_symbol(const struct image_candidate *claim)
{
	uint32_t source = image_rank_source(claim->rank);
	return claim->name && (source == IMAGE_RANK_FUNC || source == IMAGE_RANK_OPEN);
}

/* The list is sorted by `low`, so overlapping claims are close. */
static void cut_tails(struct image_candidate *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = i;
		     is_function_symbol(&list[i]) && j > 0 && i - j < NEIGHBOURS; j--)
			cut_tail(&list[j - 1], &list[i]);
}

static bool is_dwarf(const struct image_candidate *claim)
{
	return image_rank_source(claim->rank) == IMAGE_RANK_DWARF;
}

/* Returns the entry of the function of DWARF claim i. */
static uint64_t head_of(const struct image_candidate *list, size_t i)
{
	const struct image_candidate *claim = &list[i];
	uint64_t head = claim->low;
	for (size_t j = i; j > 0 && i - j < NEIGHBOURS; j--) {
		const struct image_candidate *other = &list[j - 1];
		if (other->low == claim->low)
			continue;
		if (is_dwarf(other) && other->high > head)
			return claim->low;
		if (is_function_symbol(other) && other->high == claim->high &&
		    claim->low - other->low <= HEAD_BYTES)
			head = other->low;
	}
	return head;
}

/* Returns the index of the first claim at or above the address; `count` if there
 * is none. */
static size_t find_low(const struct image_candidate *list, size_t count, uint64_t address)
{
	size_t low = 0, high = count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list[middle].low < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adjusts the other parts of a function first, while its first part still begins at the
 * recorded entry. */
static void add_heads(struct image_candidate *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_dwarf(&list[i]) || list[i].entry == list[i].low)
			continue;
		size_t first = find_low(list, count, list[i].entry);
		if (first < count && list[first].low == list[i].entry &&
		    is_dwarf(&list[first]))
			list[i].entry = head_of(list, first);
	}
	for (size_t i = count; i-- > 0;)
		if (is_dwarf(&list[i]) && list[i].entry == list[i].low)
			list[i].entry = list[i].low = head_of(list, i);
}

static const struct tr_function *made_at(const struct sweep *sweep, uint64_t address)
{
	size_t low = 0, high = sweep->nmade;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (sweep->made[middle].low < address)
			low = middle + 1;
		else
			high = middle;
	}
	bool found = low < sweep->nmade && sweep->made[low].low == address;
	return found ? &sweep->made[low] : NULL;
}

static void use_one_name(struct sweep *sweep)
{
	for (size_t i = 0; i < sweep->nmade; i++) {
		struct tr_function *f = &sweep->made[i];
		const struct tr_function *at_entry = made_at(sweep, f->entry);
		if (at_entry && at_entry->entry == f->entry) {
			f->name = at_entry->name;
			f->place = at_entry->place;
			f->is_nameless = at_entry->is_nameless;
		}
	}
}

bool tr_image_add(struct image_candidates *candidates,
		  const struct image_candidate *candidate)
{
	if (!tr_grow(&candidates->list, &candidates->capacity, candidates->count + 1,
		     sizeof(*candidates->list)))
		return false;
	candidates->list[candidates->count++] = *candidate;
	return true;
}

bool tr_image_add_nameless(struct tr_image *image, struct image_candidates *candidates,
			   uint64_t low, uint64_t high, uint32_t rank)
{
	char text[IMAGE_NAME_MAX];
	snprintf(text, sizeof(text), "%s+0x%" PRIx64, image->name, low);
	const struct image_candidate candidate = {
	    .name = tr_image_name_store(image, text, strlen(text)),
	    .entry = low,
	    .low = low,
	    .high = high,
	    .rank = rank,
	};
	return candidate.name && tr_image_add(candidates, &candidate);
}

int tr_image_ranges_make(struct tr_image *image, struct image_candidates *candidates)
{
	struct sweep sweep = {.list = candidates->list};
	if (candidates->count == 0)
		return TR_OK;
	sweep.heap = calloc(candidates->count, sizeof(*sweep.heap));
	if (!sweep.heap)
		return TR_E_NOMEM;
	qsort(candidates->list, candidates->count, sizeof(*candidates->list),
	      compare_claim_lows);
	cut_tails(candidates->list, candidates->count);
	add_heads(candidates->list, candidates->count);
	qsort(candidates->list, candidates->count, sizeof(*candidates->list),
	      compare_claim_lows);
	bool done = sweep_claims(&sweep, candidates->count);
	free(sweep.heap);
	use_one_name(&sweep);
	image->functions = sweep.made;
	image->nfunctions = sweep.nmade;
	return done ? TR_OK : TR_E_NOMEM;
}
