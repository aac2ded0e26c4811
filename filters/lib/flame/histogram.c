/* SPDX-License-Identifier: Apache-2.0 */
/* Counts durations in buckets, and prints them. */
#include "flame/histogram.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/table.h"
#include "flame/flame.h"

enum { MOST_BITS = 32, BAR = 50 };

uint64_t tr_histogram_bucket(uint64_t value, unsigned bits)
{
	unsigned length = value ? 64U - (unsigned)__builtin_clzll(value) : 0;
	if (length <= bits + 1)
		return value;
	unsigned shift = length - bits - 1;
	return ((uint64_t)shift << bits) + (value >> shift);
}

uint64_t tr_histogram_lowest(uint64_t bucket, unsigned bits)
{
	if (bucket >> bits < 2)
		return bucket;
	uint64_t shift = (bucket >> bits) - 1;
	return (bucket - (shift << bits)) << shift;
}

/* Rounded durations have no more leading bits that could distinguish buckets. */
static unsigned choose_bits(const struct tr_durations *d)
{
	unsigned bits = d->bits ? d->bits - 1U : MOST_BITS;
	while (bits > TR_HISTOGRAM_BITS &&
	       tr_histogram_bucket(d->max, bits) - tr_histogram_bucket(d->min, bits) >=
		   TR_HISTOGRAM_ROWS)
		bits--;
	return bits;
}

int tr_histogram_init(struct tr_histogram *h, const struct tr_durations *d)
{
	*h = (struct tr_histogram){.count = d->count,
				   .min = d->min,
				   .max = d->max,
				   .bits = choose_bits(d),
				   .rounded = d->bits != 0};
	h->first = tr_histogram_bucket(d->min, h->bits);
	h->rows = (uint32_t)(tr_histogram_bucket(d->max, h->bits) - h->first) + 1;
	h->counts = calloc(h->rows, sizeof(*h->counts));
	struct tr_duration *sorted = tr_durations_sorted(d);
	bool good = h->counts && sorted && tr_durations_quantile(d, 50, &h->median) &&
		    tr_durations_quantile(d, 90, &h->p90) &&
		    tr_durations_quantile(d, 99, &h->p99);
	for (uint32_t i = 0; good && i < d->used; i++) {
		uint64_t bucket = tr_histogram_bucket(sorted[i].value, h->bits);
		uint64_t *count = &h->counts[bucket - h->first];
		*count += sorted[i].count;
		if (*count > h->most)
			h->most = *count;
	}
	free(sorted);
	if (!good)
		tr_histogram_release(h);
	return good ? TR_OK : TR_E_NOMEM;
}

void tr_histogram_release(struct tr_histogram *h)
{
	free(h->counts);
	h->counts = NULL;
}

static void print_figures(const struct tr_histogram *h,
			  const struct tr_histogram_text *text, FILE *file)
{
	const char *about = h->rounded ? "~" : "";
	char number[6][28];
	fprintf(file, "%s: %s of a call", text->title, text->unit);
	if (text->functions > 1)
		fprintf(file, ", of %u functions of this name", text->functions);
	fprintf(file, "\n%s calls", tr_flame_number(h->count, number[0]));
	if (text->calls > h->count)
		fprintf(file, ", and %s that did not end",
			tr_flame_number(text->calls - h->count, number[1]));
	if (h->count)
		fprintf(file, ": min %s, median %s%s, p90 %s%s, p99 %s%s, max %s",
			tr_flame_number(h->min, number[1]), about,
			tr_flame_number(h->median, number[2]), about,
			tr_flame_number(h->p90, number[3]), about,
			tr_flame_number(h->p99, number[4]),
			tr_flame_number(h->max, number[5]));
	fputc('\n', file);
}

static int add_row(struct tr_table *table, const struct tr_histogram *h, uint32_t row,
		   uint64_t below)
{
	static const char bar[BAR + 1] =
	    "##################################################";
	uint64_t count = h->counts[row], bucket = h->first + row;
	int size = (int)((double)count * BAR / (double)h->most + 0.5);
	return tr_table_cell(table, "%" PRIu64, tr_histogram_lowest(bucket, h->bits)) |
	       tr_table_cell(table, "%" PRIu64,
			     tr_histogram_lowest(bucket + 1, h->bits) - 1) |
	       tr_table_cell(table, "%" PRIu64, count) |
	       tr_table_cell(table, "%.2f", 100.0 * (double)count / (double)h->count) |
	       tr_table_cell(table, "%.2f", 100.0 * (double)below / (double)h->count) |
	       tr_table_cell(table, "%.*s", size ? size : 1, bar);
}

/* Prints the empty rows from `row` to before `end` as one. Returns a status. */
static int add_gap(struct tr_table *table, const struct tr_histogram *h, uint32_t row,
		   uint32_t end)
{
	return tr_table_cell(table, "%" PRIu64,
			     tr_histogram_lowest(h->first + row, h->bits)) |
	       tr_table_cell(table, "%" PRIu64,
			     tr_histogram_lowest(h->first + end, h->bits) - 1) |
	       tr_table_cell(table, "0") | tr_table_cell(table, "-") |
	       tr_table_cell(table, "-") | tr_table_cell(table, "none");
}

int tr_histogram_print(const struct tr_histogram *h, const struct tr_histogram_text *text,
		       FILE *file)
{
	static const char *const headings[] = {
	    "from", "to", "calls", "%", "sum %", "<distribution", NULL};
	struct tr_table *table = tr_table_new(headings);
	uint64_t below = 0;
	if (!table)
		return TR_E_NOMEM;
	print_figures(h, text, file);
	int failed = TR_OK;
	for (uint32_t row = 0, end; row < h->rows && h->count && !failed; row = end) {
		end = row + 1;
		below += h->counts[row];
		if (h->counts[row]) {
			failed = add_row(table, h, row, below);
			continue;
		}
		while (!h->counts[end])
			end++;
		failed = add_gap(table, h, row, end);
	}
	if (!failed && h->count)
		failed = tr_table_print(table, file);
	tr_table_free(table);
	fprintf(file, "%s\n", text->footer);
	return failed ? TR_E_NOMEM : TR_OK;
}
