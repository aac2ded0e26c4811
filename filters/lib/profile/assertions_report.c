/* SPDX-License-Identifier: Apache-2.0 */
/* Checks assertions, and reports them with the slowest calls. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "profile/assertions_internal.h"
#include "profile/profile_internal.h"

struct check {
	const struct tr_profile *p;
	const char *unit;
	const struct tr_assertion *assertions;
	size_t count;
	struct tr_profile_line *lines;
	size_t nlines;
	bool *namesakes; /* by function */
	bool *missed;	 /* by line: an assertion does not hold for it */
	uint64_t sum;	 /* of all functions, in the unit */
	uint64_t deep;	 /* calls without a frame, of any function */
};

static struct tr_assertion_value exact_value(uint64_t value)
{
	return (struct tr_assertion_value){true, value, value, 1, 1};
}

/* Any of the calls that were too deep may be one more. */
static struct tr_assertion_value calls_value(const struct check *check, uint64_t calls)
{
	return (struct tr_assertion_value){true, calls, calls + check->deep, 1, 1};
}

static struct tr_assertion_value ratio_value(uint64_t value, uint64_t factor,
					     uint64_t per)
{
	return (struct tr_assertion_value){per != 0, value, value, factor, per};
}

/* Returns false when out of memory. */
static bool quantile_value(const struct tr_profile_line *line, unsigned percent,
			   struct tr_assertion_value *value)
{
	*value = exact_value(0);
	return tr_durations_quantile_range(line->durations, percent, &value->low,
					   &value->high);
}

/* Finds the figure of a line. An unfinished call that is longer than all finished ones
 * has taken that long at least. Returns false when out of memory. */
static bool find_value(const struct check *check, const struct tr_profile_line *line,
		       unsigned figure, struct tr_assertion_value *value)
{
	*value = (struct tr_assertion_value){.is_known = false};
	if (assertion_is_of_calls(figure) && !line->ended &&
	    (figure != MAX || !line->open))
		return true;
	switch (figure) {
	case CALLS:
		*value = calls_value(check, line->calls);
		return true;
	case SELF:
		*value = exact_value(line->self);
		return true;
	case SELF_PERCENT:
		*value = ratio_value(line->self, 100, check->sum);
		return true;
	case TOTAL:
		*value = exact_value(line->total);
		return true;
	case TOTAL_PERCENT:
		*value = ratio_value(line->total, 100, check->sum);
		return true;
	case MIN:
		*value = exact_value(line->min);
		return true;
	case MEDIAN:
		return quantile_value(line, 50, value);
	case P90:
		return quantile_value(line, 90, value);
	case P99:
		return quantile_value(line, 99, value);
	case MAX:
		*value = exact_value(line->open > line->max ? line->open : line->max);
		return true;
	case AWAY:
		*value = exact_value(line->away);
		return true;
	case INSTRUCTIONS:
		*value = exact_value(line->retired);
		return true;
	default:
		*value = ratio_value(line->retired, 1, line->cycles);
		return true;
	}
}

/* Adds the value, of calls the counted ones, and whether it is rounded. */
static int add_value_cells(struct tr_table *table, const struct tr_assertion *a,
			   const struct tr_assertion_value *value)
{
	const bool is_rounded = value->is_known && value->low != value->high;
	const uint64_t half = a->figure == CALLS ? 0 : (value->high - value->low + 1) / 2;
	int failed;
	if (!value->is_known)
		failed = tr_table_cell(table, "-");
	else if (value->per == 1 && value->factor == 1)
		failed = tr_table_cell(table, "%s%" PRIu64, is_rounded ? "~" : "",
				       value->low + half);
	else
		failed = tr_table_cell(table, "%.4f",
				       (double)value->low * (double)value->factor /
					   (double)value->per);
	return failed | tr_table_cell(table, is_rounded ? "true" : "false");
}

/* Adds the function of a line, and its group if there are several. */
static int add_line_function(const struct check *check, struct tr_table *table,
			     const struct tr_profile_line *line)
{
	int failed = tr_profile_add_function(
	    table, line->func, check->namesakes[line->func - check->p->funcs]);
	if (check->p->options.by != TR_BY_JOINED)
		failed |= tr_table_cell(table, "%s", line->group);
	return failed;
}

static int add_no_function(const struct check *check, struct tr_table *table,
			   const char *name)
{
	int failed = tr_table_cell(table, "-") | tr_table_cell(table, "%s", name) |
		     tr_table_cell(table, "%s", name) | tr_table_cell(table, "-") |
		     tr_table_cell(table, "-");
	if (check->p->options.by != TR_BY_JOINED)
		failed |= tr_table_cell(table, "-");
	return failed;
}

enum { MOST_COLUMNS = 16 };

/* Adds the columns of add_line_function(), and ends the headings. */
static void end_headings(const struct check *check, const char **headings,
			 const char **keys, unsigned n)
{
	static const char *const function[][PROFILE_FUNCTION_COLUMNS] = {
	    {PROFILE_FUNCTION_HEADINGS}, {PROFILE_FUNCTION_KEYS}};
	memcpy(headings + n, function[0], sizeof(function[0]));
	memcpy(keys + n, function[1], sizeof(function[1]));
	n += PROFILE_FUNCTION_COLUMNS;
	if (check->p->options.by != TR_BY_JOINED) {
		headings[n] = tr_profile_by_heading(check->p->options.by);
		keys[n] = headings[n] + 1;
		n++;
	}
	headings[n] = keys[n] = NULL;
}

static struct tr_table *new_assertion_table(const struct check *check)
{
	const char *headings[MOST_COLUMNS] = {
	    "<assertion", "<holds", "", "value", "", "calls", "unfinished", "<note"};
	const char *keys[MOST_COLUMNS] = {
	    "assertion",	"",	 "holds",      "value",
	    "value_is_rounded", "calls", "unfinished", "note"};
	end_headings(check, headings, keys, 8);
	return tr_table_new_keyed(headings, keys, check->unit);
}

static const char too_deep[] = "others were too deep to be counted";

/* Returns what a reader of the value must know. */
static const char *line_note(const struct tr_assertion *a,
			     const struct tr_profile_line *line,
			     const struct tr_assertion_value *value)
{
	if (!line->calls && a->figure != CALLS)
		return "no call was seen";
	if (!value->is_known)
		return assertion_is_of_calls(a->figure) ? "no call ended" : "no cycles";
	if (a->figure == CALLS && value->low != value->high)
		return too_deep;
	if (a->figure == MAX && line->open > line->max)
		return "the longest did not end";
	return value->low != value->high ? "rounded" : "-";
}

/* Adds the row of a line that the assertion is about. Returns TR_OK or TR_E_NOMEM. */
static int check_line(const struct check *check, const struct tr_assertion *a, size_t i,
		      struct tr_table *table, bool *holds)
{
	const struct tr_profile_line *line = &check->lines[i];
	struct tr_assertion_value value;
	if (!find_value(check, line, a->figure, &value))
		return TR_E_NOMEM;
	const bool is_met = value.is_known && tr_assertion_holds(a, &value);
	check->missed[i] |= !is_met;
	*holds &= is_met;
	return tr_table_cell(table, "%s", a->text) |
	       tr_table_cell(table, is_met ? "yes" : "no") |
	       tr_table_cell(table, is_met ? "true" : "false") |
	       add_value_cells(table, a, &value) |
	       tr_table_cell(table, "%" PRIu64, line->calls) |
	       tr_table_cell(table, "%" PRIu64, line->calls - line->ended) |
	       tr_table_cell(table, "%s", line_note(a, line, &value)) |
	       add_line_function(check, table, line);
}

/* Adds the row of a function that has no line: it was on no stack. Returns TR_OK or
 * TR_E_NOMEM. */
static int check_absent(const struct check *check, const struct tr_assertion *a,
			struct tr_table *table, bool *holds)
{
	struct tr_assertion_value none = calls_value(check, 0);
	none.is_known = a->figure == CALLS;
	*holds = none.is_known && tr_assertion_holds(a, &none);
	return tr_table_cell(table, "%s", a->text) |
	       tr_table_cell(table, *holds ? "yes" : "no") |
	       tr_table_cell(table, *holds ? "true" : "false") |
	       add_value_cells(table, a, &none) | tr_table_cell(table, "0") |
	       tr_table_cell(table, "0") |
	       tr_table_cell(table, none.is_known && check->deep ? too_deep
				    : a->is_in_no_frame ? "no frame has this name"
							: "on no stack") |
	       add_no_function(check, table, a->function);
}

/* Checks one assertion. Returns TR_OK or TR_E_NOMEM. */
static int check_assertion(const struct check *check, const struct tr_assertion *a,
			   struct tr_table *table, size_t *failed)
{
	bool holds = true, is_absent = true;
	int status = TR_OK;
	for (size_t i = 0; i < check->nlines && !status; i++)
		if (profile_is_call(check->lines[i].func) &&
		    tr_profile_is_named(check->lines[i].func, a->function)) {
			is_absent = false;
			status = check_line(check, a, i, table, &holds);
		}
	if (is_absent && !status)
		status = check_absent(check, a, table, &holds);
	*failed += !holds;
	return status;
}

static struct tr_table *new_call_table(const struct check *check)
{
	const char *headings[MOST_COLUMNS] = {check->unit, "away", "from",
					      "to",	   "hart", "<thread"};
	const char *keys[MOST_COLUMNS] = {"*",	      "away_cycles", "from_cycle",
					  "to_cycle", "hart",	     "thread"};
	end_headings(check, headings, keys, 6);
	for (unsigned i = 6; headings[i]; i++)
		headings[i] = "";
	return tr_table_new_keyed(headings, keys, check->unit);
}

static int add_call(const struct check *check, struct tr_table *table,
		    const struct tr_profile_line *line, const struct tr_slow_call *call)
{
	int failed = tr_table_cell(table, "%" PRIu64, call->duration) |
		     tr_table_cell(table, "%" PRIu64, call->away) |
		     tr_table_cell(table, "%" PRIu64, call->from);
	if (call->is_open)
		failed |= tr_table_cell(table, "-") | tr_table_cell(table, "-");
	else
		failed |= tr_table_cell(table, "%" PRIu64, call->to) |
			  tr_table_cell(table, "%" PRIu32, call->hart);
	return failed | tr_table_cell(table, "%s", call->thread) |
	       add_line_function(check, table, line);
}

/* Reports the slowest calls of a line. Returns TR_OK or TR_E_NOMEM. */
static int report_calls(const struct check *check, const struct tr_profile_line *line,
			struct tr_report *report)
{
	struct tr_table *table = new_call_table(check);
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (unsigned i = 0; i < line->slowest->count && !failed; i++)
		failed = add_call(check, table, line, &line->slowest->call[i]);
	if (failed) {
		tr_table_free(table);
		return TR_E_NOMEM;
	}
	tr_report_say(report,
		      "\n%s%s%s: the %u slowest of %" PRIu64
		      " call%s; from and to are cycles of the trace\n",
		      line->func->name, *line->group ? " of " : "", line->group,
		      line->slowest->count, line->calls, tr_plural(line->calls));
	return tr_report_table(report, "calls", table);
}

static int report_missed(const struct check *check, struct tr_report *report)
{
	int status = TR_OK;
	bool has_calls = false;
	for (size_t i = 0; i < check->nlines && !status; i++)
		if (check->missed[i] && check->lines[i].slowest) {
			has_calls = true;
			status = report_calls(check, &check->lines[i], report);
		}
	/* Programs that read the report always find the table. */
	if (!has_calls && !status && !tr_report_text(report))
		status = tr_report_table(report, "calls", new_call_table(check));
	return status;
}

static int report_checks(const struct check *check, struct tr_report *report,
			 size_t *failed)
{
	struct tr_table *table = new_assertion_table(check);
	int status = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < check->count && !status; i++)
		status = check_assertion(check, &check->assertions[i], table, failed);
	if (status) {
		tr_table_free(table);
		return TR_E_NOMEM;
	}
	status = tr_report_table(report, "assertions", table);
	return status ? status : report_missed(check, report);
}

int tr_assertions_report(struct tr_profile *p, const struct tr_assertion *assertions,
			 size_t count, const char *unit, uint64_t deep,
			 struct tr_report *report, size_t *failed)
{
	uint64_t rise;
	struct check check = {.p = p,
			      .unit = unit,
			      .assertions = assertions,
			      .count = count,
			      .deep = deep,
			      .sum =
				  p->options.instructions ? p->instructions : p->cycles};
	*failed = 0;
	if (p->counter)
		check.sum = tr_profile_counter_charge(p, &rise).charged;
	if (tr_profile_lines(p, &check.lines, &check.nlines))
		return TR_E_NOMEM;
	check.namesakes = tr_profile_namesakes(p);
	check.missed = calloc(check.nlines + 1, sizeof(*check.missed));
	const int status = check.namesakes && check.missed
			       ? report_checks(&check, report, failed)
			       : TR_E_NOMEM;
	free(check.missed);
	free(check.namesakes);
	free(check.lines);
	return status;
}
