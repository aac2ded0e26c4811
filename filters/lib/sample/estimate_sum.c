/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of an estimate, and their errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "sample/estimate_internal.h"

/* Larger errors, which fit no integer, tell nothing. */
static const double MOST = 1e18;

double tr_estimate_quantile(double freedom)
{
	static const double few[] = {12.706, 4.303, 3.182, 2.776, 2.571};
	const double z = 1.959964, z2 = z * z, v = freedom;
	if (freedom < 5) {
		const double below = floor(freedom > 1 ? freedom : 1);
		const unsigned i = (unsigned)below - 1;
		return few[i] +
		       (freedom > 1 ? freedom - below : 0) * (few[i + 1] - few[i]);
	}
	/* Cornish and Fisher's expansion */
	return z * (1 + (z2 + 1) / (4 * v) + (5 * z2 * z2 + 16 * z2 + 3) / (96 * v * v) +
		    (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * v * v * v));
}

/* What is summed. */
struct sum {
	struct tr_estimate *e;
	uint64_t mask;
	uint32_t ntouched; /* windows with a residual */
};

static double sum_masked(const struct sum *s, const double *columns)
{
	double sum = 0;
	for (unsigned c = 0; c < s->e->columns; c++)
		if (s->mask >> c & 1)
			sum += columns[c];
	return sum;
}

/* Adds the residuals of a leaf of a unit, whose rate is `rate`, times `scale`. */
static void add_leaf_residuals(struct sum *s, const struct leaf *leaf, double rate,
			       double scale)
{
	struct tr_estimate *e = s->e;
	for (uint32_t k = 0; k < leaf->count; k++) {
		const uint32_t at = e->order[leaf->first + k];
		const struct entry *entry = &e->entries[at];
		const double y = sum_masked(s, e->values + (size_t)at * e->columns);
		if (e->stamps[entry->window] != e->stamp) {
			e->stamps[entry->window] = e->stamp;
			e->touched[s->ntouched++] = entry->window;
		}
		e->residuals[entry->window + 1] +=
		    scale * (y - rate * entry->instructions);
	}
}

/* Returns the error of the residuals, and resets them. A window that none of the leaves
 * ran in has a residual of 0. */
static double take_error(struct sum *s, double spread)
{
	struct tr_estimate *e = s->e;
	const double all = e->windows, used = s->ntouched;
	double squares = 0, fourth = 0, across = 0;
	for (uint32_t i = 0; i < s->ntouched; i++) {
		const double *r = &e->residuals[e->touched[i] + 1];
		squares += r[0] * r[0];
		fourth += r[0] * r[0] * r[0] * r[0];
		across += r[0] * r[1];
	}
	for (uint32_t i = 0; i < s->ntouched; i++)
		e->residuals[e->touched[i] + 1] = 0;
	if (used < 2)
		return INFINITY;
	/* Half the sum of the squares of successive differences. */
	double variance = (squares - across) * used / (used - 1);
	double freedom = used - 1;
	const double excess = fourth - squares * squares / all;
	if (excess > 0 && 2 * squares * squares / excess < freedom)
		freedom = 2 * squares * squares / excess;
	/* Nothing is unknown once all is sampled. */
	const double sampled = (double)e->instructions / e->exact;
	const double left = sampled < 1 ? 1 - sampled : 0;
	const double error = tr_estimate_quantile(freedom > 1 ? freedom : 1) *
			     sqrt(((variance > 0 ? variance : 0) + spread) * left);
	return error < MOST ? error : INFINITY;
}

/* Counts the windows in which any of the leaves ran. */
static uint32_t count_own_windows(struct tr_estimate *e,
				  const struct tr_estimate_part *parts, size_t count)
{
	uint32_t windows = 0;
	e->stamp++;
	for (size_t i = 0; i < count; i++) {
		const struct leaf *leaf = &e->leaves[parts[i].leaf];
		for (uint32_t k = 0; k < leaf->count; k++) {
			const struct entry *entry =
			    &e->entries[e->order[leaf->first + k]];
			windows += entry->instructions > 0 &&
				   e->stamps[entry->window] != e->stamp;
			if (entry->instructions > 0)
				e->stamps[entry->window] = e->stamp;
		}
	}
	return windows;
}

/* Returns the variance from how the CPIs of a pool's leaves differ, and resets the sums.
 * Those of all of its leaves differ from its own by 0 on average, so only by how much the
 * parts differ from a share of all leaves matters. */
static double take_spread(struct unit *unit)
{
	double squares = unit->squares;
	if (unit->exact_squares > 0)
		squares -= unit->products * unit->products / unit->exact_squares;
	unit->squares = unit->products = 0;
	return squares > 0 ? squares * unit->spread : 0;
}

struct tr_bar tr_estimate_sum(struct tr_estimate *e, const struct tr_estimate_part *parts,
			      size_t count, uint64_t mask)
{
	struct sum s = {.e = e, .mask = mask};
	struct tr_bar bar = {.windows = count_own_windows(e, parts, count)};
	double spread = 0;
	size_t used = 0;
	for (size_t i = 0; i < count; i++) {
		const double weight = (double)parts[i].instructions;
		const struct leaf *leaf = &e->leaves[parts[i].leaf];
		const uint32_t id = leaf->unit;
		struct unit *unit = &e->units[id];
		if (weight > 0 && unit->weight == 0)
			e->used[used++] = id;
		unit->weight += weight;
		unit->squares += weight * weight;
		unit->products += weight * (double)leaf->is.instructions;
	}
	e->stamp++;
	for (size_t i = 0; i < used; i++) {
		struct unit *unit = &e->units[e->used[i]];
		const double rate =
		    sum_masked(&s, e->rates + (size_t)e->used[i] * e->columns);
		bar.value += rate * unit->weight;
		for (uint32_t m = 0; unit->instructions > 0 && m < unit->count; m++)
			add_leaf_residuals(&s,
					   &e->leaves[e->members[unit->first + m].leaf],
					   rate, unit->weight / unit->instructions);
		spread += unit->weight * unit->weight * unit->unseen;
		spread += take_spread(unit);
		unit->weight = 0;
	}
	bar.error = used ? take_error(&s, mask & 1 ? spread : 0) : 0;
	return bar;
}
