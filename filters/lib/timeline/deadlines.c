/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/deadlines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum figure {
	COUNT,
	OPEN,
	STRAY,
	UNWOKEN,
	TOTAL,
	SELF,
	AWAY,
	MIN,
	MEDIAN,
	P99,
	MAX,
	CPU_MEDIAN,
	CPU_P99,
	CPU_MAX,
	PERIOD_MIN,
	PERIOD_MEDIAN,
	PERIOD_MAX,
	JITTER
};

/* Figures of a table, and what they are. */
static const struct tr_assertion_figure mark_figures[] = {{"count", ""},
							  {"open", ""},
							  {"stray", ""},
							  {"cycles", "cycles"},
							  {"self", "cycles"},
							  {"away", "cycles"},
							  {"min", "cycles"},
							  {"median", "cycles"},
							  {"p99", "cycles"},
							  {"max", "cycles"},
							  {"cpu_p99", "cycles"},
							  {"cpu_max", "cycles"},
							  {"cpu_median", "cycles"},
							  {NULL, NULL}};
static const enum figure mark_kinds[] = {COUNT,	  OPEN,	   STRAY,     TOTAL, SELF,
					 AWAY,	  MIN,	   MEDIAN,    P99,   MAX,
					 CPU_P99, CPU_MAX, CPU_MEDIAN};
static const struct tr_assertion_figure activation_figures[] = {
    {"activations", ""},
    {"open", ""},
    {"unwoken", ""},
    {"response", "cycles"},
    {"away", "cycles"},
    {"response_median", "cycles"},
    {"response_p99", "cycles"},
    {"response_max", "cycles"},
    {"period_min", "cycles"},
    {"period_median", "cycles"},
    {"period_max", "cycles"},
    {"jitter", "cycles"},
    {"cpu_median", "cycles"},
    {"cpu_p99", "cycles"},
    {"cpu_max", "cycles"},
    {NULL, NULL}};
static const enum figure activation_kinds[] = {
    COUNT,	OPEN,	       UNWOKEN,	   TOTAL,  AWAY,       MEDIAN,	P99,	MAX,
    PERIOD_MIN, PERIOD_MEDIAN, PERIOD_MAX, JITTER, CPU_MEDIAN, CPU_P99, CPU_MAX};

int tr_deadline_parse(struct tr_assertion *a, const char *text, bool is_of_marks,
		      char *message, size_t size)
{
	return tr_assertion_parse_figure(a, text,
					 is_of_marks ? mark_figures : activation_figures,
					 "cycles", message, size);
}

/* --- rows */

static const struct tr_tallies *tallies_of(const struct tr_deadlines *d)
{
	return d->marks ? tr_marks_tallies(d->marks) : tr_tasks_tallies(d->tasks);
}

static enum figure figure_of(const struct tr_deadlines *d, const struct tr_assertion *a)
{
	return d->marks ? mark_kinds[a->figure] : activation_kinds[a->figure];
}

static bool is_of_point(const struct tr_deadlines *d, const struct tr_tally *tally)
{
	return d->marks && strcmp(tally->key.what, "point") == 0;
}

/* Returns true if a row of the table has the name of an assertion. */
static bool is_row_of(const struct tr_deadlines *d, const struct tr_tally *tally,
		      const struct tr_assertion *a)
{
	const char *name =
	    d->marks ? tally->key.name : tr_tasks_at(d->tasks, tally->key.task)->comm;
	return (d->marks || tally->cycles.count || tally->open) &&
	       strcmp(name, a->function) == 0;
}

bool tr_deadlines_have_name(const struct tr_deadlines *d, const struct tr_assertion *a)
{
	const struct tr_tallies *tallies = tallies_of(d);
	uint32_t i = 0;
	while (i < tallies->count && !is_row_of(d, &tallies->tallies[i], a))
		i++;
	return i < tallies->count;
}

bool tr_deadline_forbids(const struct tr_assertion *a)
{
	return a->figure == 0 && tr_assertion_is_of_none(a); /* COUNT of both tables */
}

/* --- values */

static struct tr_assertion_value known_value(bool is_known, uint64_t value)
{
	return (struct tr_assertion_value){is_known, value, value, 1, 1};
}

/* Returns false when out of memory. */
static bool quantile_of(const struct tr_durations *durations, unsigned percent,
			struct tr_assertion_value *value)
{
	*value = known_value(durations->count != 0, 0);
	return tr_durations_quantile_range(durations, percent, &value->low, &value->high);
}

/* What has not ended took as long as it has until the end of the window, at least. */
static struct tr_assertion_value most_of(const struct tr_tally *tally,
					 const struct tr_durations *ended, uint64_t open)
{
	const uint64_t most = ended->count ? ended->max : 0;
	return known_value(ended->count || tally->open, most > open ? most : open);
}

static struct tr_assertion_value period_of(const struct tr_tally *tally,
					   enum figure figure)
{
	const struct tr_durations *periods = &tally->periods;
	if (figure == JITTER)
		return known_value(periods->count != 0, periods->max - periods->min);
	return known_value(periods->count != 0,
			   figure == PERIOD_MIN ? periods->min : periods->max);
}

/* Sums stop at the largest number. */
static struct tr_assertion_value sum_of(uint64_t sum)
{
	return known_value(sum != UINT64_MAX, sum);
}

static struct tr_assertion_value count_of(const struct tr_deadlines *d, uint32_t row,
					  enum figure figure)
{
	const struct tr_tally *tally = &tallies_of(d)->tallies[row];
	switch (figure) {
	case COUNT:
		return known_value(true, tally->cycles.count + tally->open);
	case OPEN:
		return known_value(true, tally->open);
	case STRAY:
		return known_value(true, tr_marks_stray(d->marks, row));
	case UNWOKEN:
		return known_value(true, tally->unwoken);
	case TOTAL:
		return sum_of(tally->total);
	case SELF:
		return sum_of(tr_marks_self(d->marks, row));
	default:
		return sum_of(tally->away);
	}
}

/* Finds a figure of a row. Returns false when out of memory. */
static bool find_row_value(const struct tr_deadlines *d, uint32_t row, enum figure figure,
			   struct tr_assertion_value *value)
{
	const struct tr_tally *tally = &tallies_of(d)->tallies[row];
	*value = known_value(false, 0);
	if (is_of_point(d, tally) && figure != COUNT)
		return true;
	switch (figure) {
	case MIN:
		*value = known_value(tally->cycles.count != 0, tally->cycles.min);
		return true;
	case MEDIAN:
		return quantile_of(&tally->cycles, 50, value);
	case P99:
		return quantile_of(&tally->cycles, 99, value);
	case MAX:
		*value = most_of(tally, &tally->cycles, tally->open_most);
		return true;
	case CPU_MEDIAN:
		return quantile_of(&tally->ran, 50, value);
	case CPU_P99:
		return quantile_of(&tally->ran, 99, value);
	case CPU_MAX:
		*value = most_of(tally, &tally->ran, tally->open_most_ran);
		return true;
	case PERIOD_MEDIAN:
		return quantile_of(&tally->periods, 50, value);
	case PERIOD_MIN:
	case PERIOD_MAX:
	case JITTER:
		*value = period_of(tally, figure);
		return true;
	default:
		*value = count_of(d, row, figure);
		return true;
	}
}

/* --- the report */

/* Returns what a reader of the value must know, which `text` may have. */
static const char *value_note(const struct tr_deadlines *d, const struct tr_tally *tally,
			      enum figure figure, const struct tr_assertion_value *value,
			      char text[80])
{
	if (!value->is_known)
		return is_of_point(d, tally)  ? "a point has none"
		       : figure >= PERIOD_MIN ? "no period"
					      : "none ended";
	if ((figure == MAX && tally->open_most > tally->cycles.max) ||
	    (figure == CPU_MAX && tally->open_most_ran > tally->ran.max))
		return "the longest did not end";
	if (tally->unwoken && figure >= TOTAL && figure <= MAX) {
		snprintf(text, 80, "%" PRIu64 " unwoken, without their waits",
			 tally->unwoken);
		return text;
	}
	return "-";
}

static int add_assertion_row(struct tr_table *table, const struct tr_assertion *a,
			     bool is_met, const struct tr_assertion_value *value)
{
	int failed = tr_table_cell(table, "%s", a->text) |
		     tr_table_cell(table, is_met ? "yes" : "no") |
		     tr_table_cell(table, is_met ? "true" : "false");
	return failed | (value->is_known ? tr_table_cell(table, "%" PRIu64, value->low)
					 : tr_table_cell(table, "-"));
}

/* Checks a row that an assertion is about. Returns TR_OK or TR_E_NOMEM. */
static int check_row(const struct tr_deadlines *d, const struct tr_assertion *a,
		     uint32_t row, struct tr_table *table, bool *holds)
{
	const struct tr_tally *tally = &tallies_of(d)->tallies[row];
	const enum figure figure = figure_of(d, a);
	struct tr_assertion_value value;
	if (!find_row_value(d, row, figure, &value))
		return TR_E_NOMEM;
	const bool is_met = value.is_known && tr_assertion_holds(a, &value);
	*holds &= is_met;
	char note[80];
	return add_assertion_row(table, a, is_met, &value) |
	       tr_table_cell(table, "%" PRIu64, tally->cycles.count + tally->open) |
	       tr_table_cell(table, "%" PRIu64, tally->open) |
	       tr_table_cell(table, "%s", value_note(d, tally, figure, &value, note)) |
	       tr_table_cell(table, "%s", a->function);
}

/* Returns true if an assertion is about a row: one of a point only if there is no region
 * of its name, or if marks are counted. */
static bool is_about(const struct tr_deadlines *d, const struct tr_assertion *a,
		     uint32_t row)
{
	const struct tr_tallies *tallies = tallies_of(d);
	const struct tr_tally *tally = &tallies->tallies[row];
	if (!is_row_of(d, tally, a))
		return false;
	bool has_region = false;
	for (uint32_t i = 0; i < tallies->count; i++)
		has_region |= is_row_of(d, &tallies->tallies[i], a) &&
			      !is_of_point(d, &tallies->tallies[i]);
	return figure_of(d, a) == COUNT || !has_region || !is_of_point(d, tally);
}

static int check_deadline(const struct tr_deadlines *d, const struct tr_assertion *a,
			  struct tr_table *table, bool *holds)
{
	const struct tr_assertion_value none = known_value(true, 0);
	int status = TR_OK;
	*holds = true;
	for (uint32_t i = 0; i < tallies_of(d)->count && !status; i++)
		if (is_about(d, a, i))
			status = check_row(d, a, i, table, holds);
	if (tr_deadlines_have_name(d, a) || status)
		return status;
	*holds = tr_deadline_forbids(a);
	return add_assertion_row(table, a, *holds, &none) | tr_table_cell(table, "0") |
	       tr_table_cell(table, "0") | tr_table_cell(table, "none has this name") |
	       tr_table_cell(table, "%s", a->function);
}

static struct tr_table *new_slowest_table(void)
{
	static const char *const headings[] = {"cycles", "away", "from", "to", NULL};
	static const char *const keys[] = {"cycles", "away_cycles", "from_cycle",
					   "to_cycle"};
	return tr_table_new_keyed(headings, keys, NULL);
}

static int add_slowest(struct tr_table *table, const struct tr_slow_call *call)
{
	const int failed = tr_table_cell(table, "%" PRIu64, call->duration) |
			   tr_table_cell(table, "%" PRIu64, call->away) |
			   tr_table_cell(table, "%" PRIu64, call->from);
	return failed | (call->is_open ? tr_table_cell(table, "-")
				       : tr_table_cell(table, "%" PRIu64, call->to));
}

/* Reports the slowest of a row. Returns TR_OK or TR_E_NOMEM. */
static int report_slowest(const struct tr_tally *tally, const char *name,
			  struct tr_report *report)
{
	struct tr_table *table = new_slowest_table();
	const uint64_t count = tally->cycles.count + tally->open;
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (unsigned i = 0; i < tally->slowest->count && !failed; i++)
		failed = add_slowest(table, &tally->slowest->call[i]);
	if (failed) {
		tr_table_free(table);
		return TR_E_NOMEM;
	}
	tr_report_say(report,
		      "\n%s: the %u slowest of %" PRIu64
		      "; from and to are cycles of the trace\n",
		      name, tally->slowest->count, count);
	return tr_report_table(report, "slowest", table);
}

/* Reports those of the rows of assertions that do not hold, of each row once. */
static int report_missed(const struct tr_deadlines *d, const bool *missed,
			 struct tr_report *report)
{
	const struct tr_tallies *tallies = tallies_of(d);
	bool has_any = false;
	int status = TR_OK;
	for (uint32_t row = 0; row < tallies->count && !status; row++) {
		const struct tr_tally *tally = &tallies->tallies[row];
		size_t i = 0;
		while (i < d->count &&
		       !(missed[i] && is_row_of(d, tally, &d->assertions[i])))
			i++;
		if (i == d->count || is_of_point(d, tally))
			continue;
		has_any = true;
		status = report_slowest(tally, d->assertions[i].function, report);
	}
	/* Programs that read the report always find the table. */
	if (!has_any && !status && !tr_report_text(report))
		status = tr_report_table(report, "slowest", new_slowest_table());
	return status;
}

int tr_deadlines_report(const struct tr_deadlines *d, struct tr_report *report,
			size_t *failed)
{
	static const char *const headings[] = {
	    "<assertion", "<holds", "", "value", "count", "open", "<note", "<name", NULL};
	static const char *const keys[] = {"assertion", "",	"holds", "value",
					   "count",	"open", "note",	 "name"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	bool *missed = calloc(d->count + 1, sizeof(*missed));
	int status = table && missed ? TR_OK : TR_E_NOMEM;
	*failed = 0;
	for (size_t i = 0; i < d->count && !status; i++) {
		bool holds;
		status = check_deadline(d, &d->assertions[i], table, &holds);
		missed[i] = !holds;
		*failed += !holds;
	}
	if (status)
		tr_table_free(table);
	else
		status = tr_report_table(report, "assertions", table);
	if (!status)
		status = report_missed(d, missed, report);
	free(missed);
	return status ? TR_E_NOMEM : TR_OK;
}
