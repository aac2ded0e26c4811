/* SPDX-License-Identifier: Apache-2.0 */
/* Counts durations in buckets, and prints them. */
#include "flame/histogram.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/number.h"
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
	fprintf(file, "\n%s call%s", tr_flame_number(h->count, number[0]),
		tr_plural(h->count));
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

static int add_bucket_row(struct tr_table *table, const struct tr_histogram *h,
			  uint32_t row, uint64_t below)
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

/* The figures as facts; those of calls that ended are left out if there is none. */
static void tell_facts(const struct tr_histogram *h, const struct tr_histogram_text *text,
		       struct tr_report *report)
{
	tr_report_fact(report, "function", text->title);
	tr_report_fact(report, "unit", text->unit);
	tr_report_fact_u64(report, "functions", text->functions);
	tr_report_fact_u64(report, "calls_begun", text->calls);
	tr_report_fact_u64(report, "calls_ended", h->count);
	tr_report_fact(report, "note", text->footer);
	if (!h->count)
		return;
	tr_report_fact_u64(report, "min", h->min);
	tr_report_fact_u64(report, "median", h->median);
	tr_report_fact_u64(report, "p90", h->p90);
	tr_report_fact_u64(report, "p99", h->p99);
	tr_report_fact_u64(report, "max", h->max);
	tr_report_fact(report, "percentiles", h->rounded ? "rounded" : "exact");
}

int tr_histogram_report(const struct tr_histogram *h,
			const struct tr_histogram_text *text, struct tr_report *report)
{
	static const char *const headings[] = {
	    "from", "to", "calls", "%", "sum %", "<distribution", NULL};
	static const char *const keys[] = {"from_*",  "to_*",	     "calls",
					   "percent", "sum_percent", ""};
	struct tr_table *table = tr_table_new(headings);
	FILE *file = tr_report_text(report);
	uint64_t below = 0;
	int failed = table ? tr_table_keys(table, keys, text->unit) : TR_E_NOMEM;
	if (file)
		print_figures(h, text, file);
	tell_facts(h, text, report);
	for (uint32_t row = 0, end; row < h->rows && h->count && !failed; row = end) {
		end = row + 1;
		below += h->counts[row];
		if (h->counts[row]) {
			failed = add_bucket_row(table, h, row, below);
			continue;
		}
		while (!h->counts[end])
			end++;
		failed = add_gap(table, h, row, end);
	}
	if (failed || (file && !h->count))
		tr_table_free(table);
	else
		failed = tr_report_table(report, "calls", table);
	tr_report_say(report, "%s\n", text->footer);
	return failed ? TR_E_NOMEM : TR_OK;
}
