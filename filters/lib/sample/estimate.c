/* SPDX-License-Identifier: Apache-2.0 */
/* Ratio estimates from windows: rates of leaves, and where leaves are pooled. */
#include "sample/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sample/estimate_internal.h"

struct tr_estimate *tr_estimate_new(unsigned columns)
{
	struct tr_estimate *e = calloc(1, sizeof(*e));
	if (e)
		e->columns = columns;
	return e;
}

void tr_estimate_free(struct tr_estimate *e)
{
	if (!e)
		return;
	free(e->entries);
	free(e->values);
	free(e->last);
	free(e->leaves);
	free(e->units);
	free(e->members);
	free(e->rates);
	free(e->order);
	free(e->residuals);
	free(e->stamps);
	free(e->touched);
	free(e->used);
	free(e);
}

int tr_estimate_begin(struct tr_estimate *e)
{
	e->windows++;
	return e->windows == UINT32_MAX ? TR_E_NOMEM : TR_OK;
}

/* Returns the entry of a leaf in the current window, NULL when out of memory. */
static struct entry *current_entry(struct tr_estimate *e, uint32_t leaf)
{
	const size_t known = e->nlast;
	if (leaf >= known) {
		if (!tr_grow(&e->last, &e->last_capacity, (size_t)leaf + 1,
			     sizeof(*e->last)))
			return NULL;
		memset(e->last + known, 0, ((size_t)leaf + 1 - known) * sizeof(*e->last));
		e->nlast = (size_t)leaf + 1;
	}
	const size_t at = e->last[leaf];
	if (at && e->entries[at - 1].window == e->windows - 1)
		return &e->entries[at - 1];
	if (!tr_grow(&e->entries, &e->entry_capacity, e->nentries + 1,
		     sizeof(*e->entries)) ||
	    !tr_grow(&e->values, &e->value_capacity, (e->nentries + 1) * e->columns,
		     sizeof(*e->values)))
		return NULL;
	memset(e->values + e->nentries * e->columns, 0, e->columns * sizeof(*e->values));
	e->entries[e->nentries] = (struct entry){.window = e->windows - 1, .leaf = leaf};
	e->last[leaf] = ++e->nentries;
	return &e->entries[e->nentries - 1];
}

int tr_estimate_add(struct tr_estimate *e, uint32_t leaf, uint64_t instructions,
		    const double *columns)
{
	struct entry *entry = current_entry(e, leaf);
	if (!entry)
		return TR_E_NOMEM;
	double *values = e->values + (size_t)(entry - e->entries) * e->columns;
	entry->instructions += (double)instructions;
	e->instructions += instructions;
	for (unsigned c = 0; c < e->columns; c++)
		values[c] += columns[c];
	return TR_OK;
}

/* Sorts the entries by leaf; within a leaf they are in the order of windows. */
static bool sort_entries(struct tr_estimate *e)
{
	e->order = calloc(e->nentries + 1, sizeof(*e->order));
	if (!e->order)
		return false;
	for (size_t i = 0; i < e->nentries; i++)
		e->leaves[e->entries[i].leaf].count++;
	uint32_t at = 0;
	for (uint32_t leaf = 0; leaf < e->nleaves; leaf++) {
		e->leaves[leaf].first = at;
		at += e->leaves[leaf].count;
		e->leaves[leaf].count = 0;
	}
	for (uint32_t i = 0; i < e->nentries; i++) {
		struct leaf *leaf = &e->leaves[e->entries[i].leaf];
		e->order[leaf->first + leaf->count++] = i;
		if (e->entries[i].instructions > 0)
			leaf->windows++;
	}
	return true;
}

/* What leaves that are pooled have in common; the last is all windows, of all leaves. */
enum { WINDOWS_OF_REST = 2 }; /* without which there is no error */
enum level { LEVEL_LEAF, LEVEL_BINARY, LEVEL_REST, LEVELS };

static uint32_t key_at(const struct tr_estimate *e, uint32_t leaf, unsigned level)
{
	const struct tr_estimate_leaf *of = &e->leaves[leaf].is;
	return level == LEVEL_LEAF ? leaf : level == LEVEL_BINARY ? of->binary : 0;
}

static int by_key(const void *left, const void *right)
{
	const struct member *a = left, *b = right;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->leaf > b->leaf) - (a->leaf < b->leaf);
}

/* Counts the windows in which any of the leaves ran. */
static uint32_t count_windows(struct tr_estimate *e, const struct member *members,
			      size_t count)
{
	uint32_t windows = 0;
	e->stamp++;
	for (size_t i = 0; i < count; i++) {
		const struct leaf *leaf = &e->leaves[members[i].leaf];
		for (uint32_t k = 0; k < leaf->count; k++) {
			const struct entry *entry =
			    &e->entries[e->order[leaf->first + k]];
			if (entry->instructions > 0 &&
			    e->stamps[entry->window] != e->stamp) {
				e->stamps[entry->window] = e->stamp;
				windows++;
			}
		}
	}
	return windows;
}

/* Adds what a leaf has in all windows. */
static void sum_leaf(const struct tr_estimate *e, uint32_t number, double *instructions,
		     double *columns)
{
	const struct leaf *leaf = &e->leaves[number];
	for (uint32_t k = 0; k < leaf->count; k++) {
		const uint32_t at = e->order[leaf->first + k];
		*instructions += e->entries[at].instructions;
		for (unsigned c = 0; c < e->columns; c++)
			columns[c] += e->values[(size_t)at * e->columns + c];
	}
}

/* Returns by how much the CPI of the leaves differs from that of all of them: the mean of
 * its square, weighted by their instructions. */
static double spread_of(const struct tr_estimate *e, const struct member *members,
			size_t count, double cpi)
{
	double sum = 0, weights = 0;
	for (size_t i = 0; i < count; i++) {
		double x = 0, y[TR_ESTIMATE_COLUMNS] = {0};
		sum_leaf(e, members[i].leaf, &x, y);
		if (x > 0)
			sum += (y[0] - cpi * x) * (y[0] - cpi * x) / x;
		weights += x;
	}
	return weights > 0 ? sum / weights : 0;
}

/* Makes a unit of leaves, which have one rate. */
static void make_unit(struct tr_estimate *e, const struct member *members, size_t count,
		      uint32_t windows)
{
	struct unit *unit = &e->units[e->nunits];
	double *rates = e->rates + (size_t)e->nunits * e->columns;
	*unit = (struct unit){.first = (uint32_t)(members - e->members),
			      .count = (uint32_t)count,
			      .windows = windows,
			      .is_pool = count > 1};
	for (size_t i = 0; i < count; i++) {
		sum_leaf(e, members[i].leaf, &unit->instructions, rates);
		struct leaf *leaf = &e->leaves[members[i].leaf];
		const double exact = (double)leaf->is.instructions;
		unit->exact_squares += exact * exact;
		leaf->unit = e->nunits;
		leaf->has_unit = true;
	}
	for (unsigned c = 0; c < e->columns; c++)
		rates[c] = unit->instructions > 0 ? rates[c] / unit->instructions : 0;
	if (unit->is_pool)
		unit->spread = spread_of(e, members, count, rates[0]);
	e->nunits++;
}

/* Makes units of those leaves without one that have enough windows together. The members
 * of a unit are e->members[first, first + count); `at` members have one. Returns how many
 * have one now. */
static size_t pool_at_level(struct tr_estimate *e, unsigned level, size_t at)
{
	struct member *rest = e->members + at;
	size_t count = 0, kept = 0;
	for (uint32_t leaf = 0; leaf < e->nleaves; leaf++)
		if (!e->leaves[leaf].has_unit)
			rest[count++] = (struct member){key_at(e, leaf, level), leaf};
	qsort(rest, count, sizeof(*rest), by_key);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && rest[end].key == rest[i].key;)
			end++;
		const uint32_t windows = count_windows(e, rest + i, end - i);
		if (windows < (level == LEVEL_REST ? WINDOWS_OF_REST : TR_ESTIMATE_OWN))
			continue;
		/* The members of units come first. */
		memmove(rest + kept, rest + i, (end - i) * sizeof(*rest));
		make_unit(e, rest + kept, end - i, windows);
		kept += end - i;
	}
	return at + kept;
}

/* The leaves that are left have the rates of all windows. */
static void pool_the_others(struct tr_estimate *e, size_t at)
{
	struct member *all = e->members + at;
	const uint32_t unit = e->nunits;
	bool is_needed = false;
	for (uint32_t leaf = 0; leaf < e->nleaves; leaf++) {
		all[leaf] = (struct member){0, leaf};
		is_needed |= !e->leaves[leaf].has_unit;
	}
	if (!is_needed)
		return;
	uint32_t *units = e->touched; /* scratch of enough room */
	for (uint32_t leaf = 0; leaf < e->nleaves; leaf++)
		units[leaf] = e->leaves[leaf].has_unit ? e->leaves[leaf].unit : unit;
	make_unit(e, all, e->nleaves, count_windows(e, all, e->nleaves));
	e->units[unit].is_pool = true;
	for (uint32_t leaf = 0; leaf < e->nleaves; leaf++)
		e->leaves[leaf].unit = units[leaf];
}

/* Squares of the instructions of a unit in each window, and of its residuals. */
struct squares {
	double instructions, residuals;
};

static struct squares square_unit(const struct tr_estimate *e, uint32_t number)
{
	const struct unit *unit = &e->units[number];
	const double rate = e->rates[(size_t)number * e->columns];
	struct squares sum = {0};
	for (uint32_t m = 0; m < unit->count; m++) {
		const struct leaf *leaf = &e->leaves[e->members[unit->first + m].leaf];
		for (uint32_t k = 0; k < leaf->count; k++) {
			const uint32_t at = e->order[leaf->first + k];
			const double x = e->entries[at].instructions;
			const double r = e->values[(size_t)at * e->columns] - rate * x;
			sum.instructions += x * x;
			sum.residuals += r * r;
		}
	}
	return sum;
}

/* A function that ran in few windows may take the same time in all of them, and yet have
 * met nothing that is rare. So each unit has the variance of one more window, in which
 * its CPI differs as much as those of all units do. */
static void expect_unseen(struct tr_estimate *e)
{
	double residuals = 0, squares = 0;
	for (uint32_t i = 0; i < e->nunits; i++) {
		const struct squares sum = square_unit(e, i);
		const double rate = e->rates[(size_t)i * e->columns];
		residuals += sum.residuals;
		squares += rate * rate * sum.instructions;
	}
	for (uint32_t i = 0; i < e->nunits && squares > 0; i++) {
		const struct squares sum = square_unit(e, i);
		const double rate = e->rates[(size_t)i * e->columns];
		struct unit *unit = &e->units[i];
		/* Windows of equal size that tell as much */
		const double windows =
		    sum.instructions > 0
			? unit->instructions * unit->instructions / sum.instructions
			: 0;
		if (windows > 0)
			unit->unseen =
			    rate * rate * residuals / squares / (windows * (windows + 1));
	}
}

static bool make_room(struct tr_estimate *e, uint32_t count)
{
	const size_t most = e->windows > count ? e->windows : count;
	e->leaves = calloc((size_t)count + 1, sizeof(*e->leaves));
	e->units = calloc((size_t)count + 2, sizeof(*e->units));
	e->members = calloc(2 * (size_t)count + 2, sizeof(*e->members));
	e->rates = calloc(((size_t)count + 2) * e->columns, sizeof(*e->rates));
	e->residuals = calloc((size_t)e->windows + 2, sizeof(*e->residuals));
	e->stamps = calloc((size_t)e->windows + 1, sizeof(*e->stamps));
	e->touched = calloc(most + 1, sizeof(*e->touched));
	e->used = calloc((size_t)count + 2, sizeof(*e->used));
	return e->leaves && e->units && e->members && e->rates && e->residuals &&
	       e->stamps && e->touched && e->used;
}

int tr_estimate_finish(struct tr_estimate *e, const struct tr_estimate_leaf *leaves,
		       uint32_t count)
{
	size_t at = 0;
	if (e->nentries >= UINT32_MAX || !make_room(e, count))
		return TR_E_NOMEM;
	e->nleaves = count;
	for (uint32_t i = 0; i < count; i++) {
		e->leaves[i].is = leaves[i];
		e->exact += (double)leaves[i].instructions;
	}
	if (!sort_entries(e))
		return TR_E_NOMEM;
	for (unsigned level = LEVEL_LEAF; level < LEVELS; level++)
		at = pool_at_level(e, level, at);
	pool_the_others(e, at);
	expect_unseen(e);
	return TR_OK;
}

uint32_t tr_estimate_windows(const struct tr_estimate *e)
{
	return e->windows;
}

uint64_t tr_estimate_instructions(const struct tr_estimate *e)
{
	return e->instructions;
}

double tr_estimate_rate(const struct tr_estimate *e, uint32_t leaf, unsigned column)
{
	return e->rates[(size_t)e->leaves[leaf].unit * e->columns + column];
}
