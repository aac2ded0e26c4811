/* SPDX-License-Identifier: Apache-2.0 */
/* Changes between sampled runs, with their errors. */
#include "diff/sample_diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* A function of one run, or after joining, of both. */
struct entry {
	const struct tr_func *func;
	uint64_t cycles[2];
	double variance[2]; /* squares of errors; infinite if unknown */
	uint32_t windows[2];
};

static int compare_entry_names(const struct entry *a, const struct entry *b)
{
	const int order = strcmp(a->func->binary, b->func->binary);
	return order ? order : strcmp(a->func->name, b->func->name);
}

static int by_function(const void *left, const void *right)
{
	return compare_entry_names(left, right);
}

static double change_of(const struct entry *e)
{
	return (double)e->cycles[1] - (double)e->cycles[0];
}

static int by_change(const void *left, const void *right)
{
	const double a = fabs(change_of(left)), b = fabs(change_of(right));
	return a != b ? (a < b) - (a > b) : by_function(left, right);
}

/* Adds the functions of a run. Returns a status. */
static int add_entries(struct tr_profile *profile, unsigned side, struct entry **entries,
		       size_t *count)
{
	const bool is_sampled = tr_profile_estimate(profile) != NULL;
	struct tr_profile_line *lines;
	size_t nlines;
	if (tr_profile_lines(profile, &lines, &nlines))
		return TR_E_NOMEM;
	struct entry *more = realloc(*entries, (*count + nlines + 1) * sizeof(**entries));
	if (!more) {
		free(lines);
		return TR_E_NOMEM;
	}
	*entries = more;
	for (size_t i = 0; i < nlines; i++) {
		const double error = is_sampled ? lines[i].self_bar.error : 0;
		struct entry *e = &more[*count];
		if (!lines[i].cycles)
			continue;
		*e = (struct entry){.func = lines[i].func};
		e->cycles[side] = lines[i].cycles;
		e->variance[side] = error * error;
		e->windows[side] = lines[i].self_bar.windows;
		(*count)++;
	}
	free(lines);
	return TR_OK;
}

/* Joins the entries of a function. Returns their number. */
static size_t join_entries(struct entry *entries, size_t count)
{
	size_t joined = 0;
	if (count)
		qsort(entries, count, sizeof(*entries), by_function);
	for (size_t i = 0; i < count; i++) {
		struct entry *last = joined ? &entries[joined - 1] : NULL;
		if (!last || compare_entry_names(last, &entries[i]) != 0) {
			entries[joined++] = entries[i];
			continue;
		}
		for (unsigned side = 0; side < 2; side++) {
			last->cycles[side] += entries[i].cycles[side];
			last->variance[side] += entries[i].variance[side];
			last->windows[side] += entries[i].windows[side];
		}
	}
	return joined;
}

static int add_error(struct tr_table *table, double error)
{
	return isinf(error) ? tr_table_cell(table, "-")
			    : tr_table_cell(table, "%.0f", ceil(error));
}

static int add_row(struct tr_table *table, const struct entry *e)
{
	int failed = TR_OK;
	for (unsigned side = 0; side < 2; side++)
		failed |= tr_table_cell(table, "%" PRIu64, e->cycles[side]) |
			  add_error(table, sqrt(e->variance[side]));
	failed |= tr_table_cell(table, "%+.0f", change_of(e));
	failed |= add_error(table, sqrt(e->variance[0] + e->variance[1]));
	return failed |
	       tr_table_cell(table, "%s", *e->func->binary ? e->func->binary : "-") |
	       tr_table_cell(table, "%s", e->func->name);
}

/* Adds the rows of what changed by more than its error. Returns a status. */
static int add_rows(struct tr_sample_diff *diff, struct tr_table *table,
		    struct entry *entries, size_t count, double least)
{
	int failed = TR_OK;
	if (count)
		qsort(entries, count, sizeof(*entries), by_change);
	for (size_t i = 0; i < count && !failed; i++) {
		const struct entry *e = &entries[i];
		const double change = fabs(change_of(e));
		if (change > sqrt(e->variance[0] + e->variance[1]) && change > least) {
			diff->beyond++;
			failed = add_row(table, e);
		} else if (change > 0) {
			diff->within++;
		}
	}
	return failed;
}

int tr_sample_diff_report(struct tr_sample_diff *diff,
			  struct tr_profile *const profiles[2], double least,
			  struct tr_report *report)
{
	static const char *const headings[] = {
	    "before", "±", "after", "±", "change", "±", "<binary", "<function", NULL};
	static const char *const keys[] = {"before",	  "before_error", "after",
					   "after_error", "change",	  "change_error",
					   "binary",	  "function"};
	struct entry *entries = NULL;
	size_t count = 0;
	int failed = TR_OK;
	*diff = (struct tr_sample_diff){0};
	for (unsigned side = 0; side < 2 && !failed; side++) {
		failed = add_entries(profiles[side], side, &entries, &count);
		diff->total[side] = tr_profile_charge(profiles[side], false).charged;
		diff->error[side] = tr_profile_error(profiles[side]);
	}
	count = failed ? 0 : join_entries(entries, count);
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	if (!failed)
		failed =
		    table ? add_rows(diff, table, entries, count, least) : TR_E_NOMEM;
	if (failed || (!diff->beyond && tr_report_text(report)))
		tr_table_free(table);
	else
		failed = tr_report_table(report, "functions", table);
	free(entries);
	return failed ? TR_E_NOMEM : TR_OK;
}
