/* SPDX-License-Identifier: Apache-2.0 */
/* What a picture keeps of a run of any length: sums in columns. */
#include <stdlib.h>

#include "timeline/timeline_svg_internal.h"

__extension__ typedef unsigned __int128 u128;

/* Joins pairs of columns. */
static void widen_bins(struct bins *b)
{
	for (unsigned i = 0; i < COLUMNS; i++)
		for (unsigned v = 0; v < b->values; v++) {
			const unsigned from = 2 * i * b->values + v;
			b->sums[i * b->values + v] =
			    2 * i < COLUMNS ? b->sums[from] + b->sums[from + b->values]
					    : 0;
		}
	b->width *= 2;
}

bool tr_timeline_bins_add(struct bins *b, uint64_t from, uint64_t to, unsigned which,
			  uint64_t value)
{
	if (!b->sums &&
	    !(b->sums = calloc((size_t)COLUMNS * b->values, sizeof(*b->sums))))
		return false;
	if (!b->width)
		b->width = 1;
	while (to > b->width * COLUMNS)
		widen_bins(b);
	/* The parts are differences of rounded sums, so that they add up. */
	uint64_t done = 0;
	for (uint64_t i = from / b->width; i * b->width < to; i++) {
		uint64_t end = (i + 1) * b->width < to ? (i + 1) * b->width : to;
		uint64_t sum = (uint64_t)((u128)value * (end - from) / (to - from));
		b->sums[i * b->values + which] += sum - done;
		done = sum;
	}
	return true;
}

struct columns *tr_timeline_columns_new(const struct tr_profile *nodes)
{
	struct columns *c = calloc(1, sizeof(*c));
	if (c) {
		c->nodes = nodes;
		c->width = 1;
	}
	return c;
}

void tr_timeline_columns_free(struct columns *c)
{
	for (unsigned i = 0; c && i < COLUMNS; i++)
		free(c->column[i].cells);
	free(c);
}

static int by_key(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;
	return (a->key > b->key) - (a->key < b->key);
}

/* Most cycles first. */
static int by_cycles(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;
	if (a->cycles != b->cycles)
		return a->cycles < b->cycles ? 1 : -1;
	return by_key(left, right);
}

/* Joins cells of equal keys. Returns their number. */
static uint32_t join_equal_cells(struct cell *cells, uint32_t count)
{
	uint32_t kept = 0;
	qsort(cells, count, sizeof(*cells), by_key);
	for (uint32_t i = 0; i < count; i++)
		if (kept && cells[kept - 1].key == cells[i].key)
			cells[kept - 1].cycles += cells[i].cycles;
		else
			cells[kept++] = cells[i];
	return kept;
}

/* Joins cells until at most half of CELLS are left. Returns their number. */
static uint32_t halve_cells(const struct columns *c, struct cell *cells, uint32_t count)
{
	count = join_equal_cells(cells, count);
	while (count > CELLS / 2) {
		qsort(cells, count, sizeof(*cells), by_cycles);
		for (uint32_t i = CELLS / 4; i < count; i++)
			if (!c->nodes)
				cells[i].key = TR_TIMELINE_NONE;
			else if (cells[i].key)
				tr_profile_frame(c->nodes, cells[i].key, &cells[i].key);
		count = join_equal_cells(cells, count);
	}
	return count;
}

/* Joins pairs of columns. Returns false when out of memory. */
static bool double_column_width(struct columns *c)
{
	struct cell both[2 * CELLS];
	for (unsigned i = 0; i < COLUMNS / 2; i++) {
		uint32_t count = 0;
		for (unsigned k = 2 * i; k < 2 * i + 2; k++)
			for (uint32_t n = 0; n < c->column[k].count; n++)
				both[count++] = c->column[k].cells[n];
		count = count > CELLS / 2 ? halve_cells(c, both, count)
					  : join_equal_cells(both, count);
		if (count && !c->column[i].cells &&
		    !(c->column[i].cells = malloc(CELLS * sizeof(*both))))
			return false;
		for (uint32_t n = 0; n < count; n++)
			c->column[i].cells[n] = both[n];
		c->column[i].count = count;
	}
	for (unsigned i = COLUMNS / 2; i < COLUMNS; i++)
		c->column[i].count = 0;
	c->width *= 2;
	return true;
}

static bool add_cell(struct columns *c, uint64_t column, uint32_t key, uint64_t cycles)
{
	uint16_t *hint = &c->hints[key % 1024];
	uint32_t count = c->column[column].count, i = *hint;
	struct cell *cells = c->column[column].cells;
	if (!cells && !(cells = malloc(CELLS * sizeof(*cells))))
		return false;
	c->column[column].cells = cells;
	if (i >= count || cells[i].key != key)
		for (i = 0; i < count && cells[i].key != key; i++)
			;
	if (i == CELLS) {
		i = count = halve_cells(c, cells, count);
		for (uint32_t n = 0; n < count; n++)
			if (cells[n].key == key)
				i = n;
	}
	if (i == count)
		cells[count++] = (struct cell){.key = key};
	cells[i].cycles += cycles;
	c->column[column].count = count;
	*hint = (uint16_t)i;
	return true;
}

bool tr_timeline_columns_add(struct columns *c, uint64_t from, uint64_t to, uint32_t key)
{
	while (to > c->width * COLUMNS)
		if (!double_column_width(c))
			return false;
	for (uint64_t i = from / c->width; i * c->width < to; i++) {
		const uint64_t end = (i + 1) * c->width < to ? (i + 1) * c->width : to;
		if (!add_cell(c, i, key, end - from))
			return false;
		from = end;
	}
	return true;
}

bool tr_timeline_columns_spread(struct columns *c, uint64_t from, uint64_t to,
				uint32_t key, uint64_t cycles)
{
	while (to > c->width * COLUMNS)
		if (!double_column_width(c))
			return false;
	/* As in bins, the parts add up. */
	uint64_t done = 0;
	for (uint64_t i = from / c->width; i * c->width < to; i++) {
		const uint64_t end = (i + 1) * c->width < to ? (i + 1) * c->width : to;
		const uint64_t sum =
		    (uint64_t)((u128)cycles * (end - from) / (to - from));
		if (sum != done && !add_cell(c, i, key, sum - done))
			return false;
		done = sum;
	}
	return true;
}
