/* SPDX-License-Identifier: Apache-2.0 */
/* Explains the changes between two profiles. */
#include "diff/tma_diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

__extension__ typedef unsigned __int128 u128;

/* A function of one profile. */
struct entry {
	const struct tr_profile_line *line;
	unsigned side;
};

static int by_function(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->line->func->binary, b->line->func->binary);
	return order ? order : strcmp(a->line->func->name, b->line->func->name);
}

/* Forms the union of two sets of classes, those of the first one first. Returns
 * a status. */
static int join_classes(struct tr_classes *both, const struct tr_classes classes[2])
{
	char *list = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&list, &size);
	if (!file)
		return TR_E_NOMEM;
	for (unsigned side = 0; side < 2; side++)
		for (unsigned c = 1; c <= classes[side].count; c++) {
			bool is_new = true;
			for (unsigned k = 1; side && k <= classes[0].count; k++)
				is_new &=
				    strcmp(classes[0].name[k], classes[1].name[c]) != 0;
			if (is_new)
				fprintf(file, "%s%s", ftell(file) ? "," : "",
					classes[side].name[c]);
		}
	if (fclose(file) != 0) {
		free(list);
		return TR_E_NOMEM;
	}
	int status = tr_classes_parse(both, list);
	free(list);
	return status == TR_E_CORRUPT ? TR_E_ARGUMENT : status;
}

static unsigned find_class(const struct tr_classes *classes, const char *name)
{
	unsigned c = 1;
	while (strcmp(classes->name[c], name) != 0)
		c++;
	return c;
}

/* Adds a profile's line to its function. */
static void add_change_line(struct tr_tma_change *change, const struct entry *entry,
			    unsigned count, const unsigned *class_of)
{
	const struct tr_profile_line *line = entry->line;
	uint64_t untraced = line->self - line->retiring - line->unclassified;
	change->slots[entry->side] += line->self;
	change->instructions[entry->side] += line->retired;
	for (unsigned c = 1; c <= count; c++) {
		change->lost[entry->side][class_of[c]] += line->lost[c - 1];
		untraced -= line->lost[c - 1];
	}
	change->lost[entry->side][0] += untraced;
	change->lost[entry->side][TR_TMA_UNCLASSIFIED] += line->unclassified;
	change->lost[entry->side][TR_TMA_RETIRING] += line->retiring;
}

/* Returns the slots expected at an unchanged loss per instruction. */
static tr_i128 expect_class_loss(const struct tr_tma_change *change, unsigned class)
{
	const uint64_t before = change->instructions[0], after = change->instructions[1];
	if (!change->slots[0] || !change->slots[1])
		return change->lost[1][class];
	if (!before || !after)
		return change->lost[class == TR_TMA_RETIRING][class];
	u128 product = (u128)change->lost[0][class] * after;
	u128 rest = product % before;
	return (tr_i128)(product / before + (rest >= before - rest));
}

static void explain_change(struct tr_tma_change *change)
{
	for (unsigned c = 0; c < TR_TMA_PARTS; c++) {
		tr_i128 lost = expect_class_loss(change, c);
		change->by_instructions += lost - (tr_i128)change->lost[0][c];
		change->by_class[c] = (tr_i128)change->lost[1][c] - lost;
		change->by_cpi += change->by_class[c];
	}
}

static void add_up(struct tr_tma_change *all, const struct tr_tma_change *change)
{
	for (unsigned side = 0; side < 2; side++) {
		all->slots[side] += change->slots[side];
		all->instructions[side] += change->instructions[side];
	}
	all->by_instructions += change->by_instructions;
	all->by_cpi += change->by_cpi;
	for (unsigned c = 0; c < TR_TMA_PARTS; c++)
		all->by_class[c] += change->by_class[c];
}

static uint64_t slot_difference(const struct tr_tma_change *change)
{
	const uint64_t *n = change->slots;
	return n[0] < n[1] ? n[1] - n[0] : n[0] - n[1];
}

static int compare_tma_changes(const void *left, const void *right)
{
	const struct tr_tma_change *a = left, *b = right;
	uint64_t x = slot_difference(a), y = slot_difference(b);
	if (x != y)
		return x < y ? 1 : -1;
	int order = strcmp(a->binary, b->binary);
	return order ? order : strcmp(a->name, b->name);
}

static int merge_profile_entries(struct tr_tma_diff *diff, struct entry *entries,
				 size_t count, const struct tr_classes classes[2])
{
	unsigned class_of[2][TR_MAX_CLASSES] = {0};
	for (unsigned side = 0; side < 2; side++)
		for (unsigned c = 1; c <= classes[side].count; c++)
			class_of[side][c] =
			    find_class(&diff->classes, classes[side].name[c]);
	diff->changes = calloc(count + 1, sizeof(*diff->changes));
	if (!diff->changes)
		return TR_E_NOMEM;
	qsort(entries, count, sizeof(*entries), by_function);
	for (size_t i = 0; i < count; i++) {
		unsigned side = entries[i].side;
		if (!i || by_function(&entries[i - 1], &entries[i]) != 0)
			diff->changes[diff->count++] = (struct tr_tma_change){
			    .binary = entries[i].line->func->binary,
			    .name = entries[i].line->func->name};
		add_change_line(&diff->changes[diff->count - 1], &entries[i],
				classes[side].count, class_of[side]);
	}
	for (size_t i = 0; i < diff->count; i++) {
		explain_change(&diff->changes[i]);
		for (unsigned side = 0; side < 2; side++)
			diff->is_weighted |=
			    diff->changes[i].lost[side][TR_TMA_RETIRING] !=
			    diff->changes[i].instructions[side];
		add_up(&diff->all, &diff->changes[i]);
	}
	qsort(diff->changes, diff->count, sizeof(*diff->changes), compare_tma_changes);
	return TR_OK;
}

int tr_tma_diff_make(struct tr_tma_diff *diff, struct tr_profile *const profiles[2],
		     const struct tr_classes classes[2])
{
	struct tr_profile_line *lines[2] = {NULL, NULL};
	size_t counts[2] = {0}, count = 0;
	*diff = (struct tr_tma_diff){
	    .width = tr_profile_options_of(profiles[0])->commit_width};
	int status = join_classes(&diff->classes, classes);
	for (unsigned side = 0; side < 2 && !status; side++) {
		status = tr_profile_lines(profiles[side], &lines[side], &counts[side]);
	}
	struct entry *entries = calloc(counts[0] + counts[1] + 1, sizeof(*entries));
	if (!entries)
		status = TR_E_NOMEM;
	for (unsigned side = 0; side < 2 && !status; side++)
		for (size_t i = 0; i < counts[side]; i++)
			if (lines[side][i].self)
				entries[count++] = (struct entry){&lines[side][i], side};
	if (!status)
		status = merge_profile_entries(diff, entries, count, classes);
	free(entries);
	free(lines[0]);
	free(lines[1]);
	return status;
}

void tr_tma_diff_release(struct tr_tma_diff *diff)
{
	tr_classes_release(&diff->classes);
	free(diff->changes);
	*diff = (struct tr_tma_diff){0};
}

/* Printing. */

enum { FIRST = 7, LAST = 3, COLUMNS = FIRST + TR_TMA_PARTS + LAST + 1 };

static double size_of(tr_i128 number)
{
	return (double)(number < 0 ? -number : number);
}

static bool is_change_beyond(const struct tr_tma_change *change, double least)
{
	tr_i128 whole = (tr_i128)change->slots[1] - (tr_i128)change->slots[0];
	bool is = size_of(whole) > least || size_of(change->by_instructions) > least;
	for (unsigned c = 0; c < TR_TMA_PARTS && !is; c++)
		is = size_of(change->by_class[c]) > least;
	return is;
}

/* Prints a number with its sign; 0 has none. */
static int add_part(struct tr_table *table, tr_i128 part)
{
	char digits[48], *at = digits + sizeof(digits);
	tr_i128 rest = part < 0 ? -part : part;
	*--at = '\0';
	do
		*--at = (char)('0' + (int)(rest % 10));
	while (rest /= 10);
	if (part)
		*--at = part < 0 ? '-' : '+';
	return tr_table_cell(table, "%s", at);
}

static int add_cpi(struct tr_table *table, const struct tr_tma_change *change,
		   unsigned side, unsigned width)
{
	if (!change->instructions[side])
		return tr_table_cell(table, "-");
	return tr_table_cell(table, "%.3f",
			     (double)change->slots[side] / width /
				 (double)change->instructions[side]);
}

static int add_change_row(struct tr_table *table, const struct tr_tma_change *change,
			  const bool *columns, unsigned width, const char *name,
			  const char *kind)
{
	int failed = tr_table_cell(table, "%" PRIu64, change->slots[0]);
	failed |= tr_table_cell(table, "%" PRIu64, change->slots[1]);
	failed |= add_part(table, (tr_i128)change->slots[1] - (tr_i128)change->slots[0]);
	failed |= add_part(table, change->by_instructions);
	failed |= add_part(table, change->by_cpi);
	failed |= add_cpi(table, change, 0, width);
	failed |= add_cpi(table, change, 1, width);
	for (unsigned c = 1; c <= TR_TMA_PARTS; c++)
		if (columns[c % TR_TMA_PARTS])
			failed |= add_part(table, change->by_class[c % TR_TMA_PARTS]);
	failed |= tr_table_cell(table, "%s",
				change->binary && *change->binary ? change->binary : "-");
	return failed | tr_table_cell(table, "%s", name) |
	       tr_table_cell(table, "%s", kind);
}

static const char *name_tma_part(const struct tr_classes *classes, unsigned class)
{
	return class == TR_TMA_UNCLASSIFIED ? "unclassified"
	       : class == TR_TMA_RETIRING   ? "retiring"
	       : class			    ? classes->name[class]
					    : "not traced";
}

/* Returns whether a table of all classes has this one. */
static bool is_in_table(const struct tr_tma_diff *diff, unsigned class)
{
	return class == TR_TMA_RETIRING
		   ? diff->is_weighted
		   : class <= diff->classes.count || class == TR_TMA_UNCLASSIFIED;
}

/* Selects the classes by which some function changed, or all of them; untraced time is
 * last. */
static void choose_changed_classes(const struct tr_tma_diff *diff, bool all,
				   bool columns[TR_TMA_PARTS],
				   const char *headings[COLUMNS])
{
	const bool is_slots = diff->width > 1;
	const char *const first[FIRST] = {
	    is_slots ? "slots before" : "before",
	    is_slots ? "slots after" : "after",
	    "change",
	    "by instructions",
	    "by CPI",
	    "CPI before",
	    "CPI after",
	};
	unsigned n = 0;
	while (n < FIRST) {
		headings[n] = first[n];
		n++;
	}
	for (unsigned c = 1; c <= TR_TMA_PARTS; c++) {
		unsigned class = c % TR_TMA_PARTS;
		columns[class] = all && is_in_table(diff, class);
		for (size_t i = 0; i < diff->count && !columns[class]; i++)
			columns[class] = diff->changes[i].by_class[class] != 0;
		if (columns[class])
			headings[n++] = name_tma_part(&diff->classes, class);
	}
	headings[n++] = "<binary";
	headings[n++] = "<function";
	headings[n++] = "<";
	headings[n] = NULL;
}

/* Names the columns. Returns a status. */
static int name_diff_columns(struct tr_table *table, const char *const *headings,
			     const char *unit)
{
	static const char *const first[FIRST] = {
	    "before_*", "after_*",    "change_*", "by_instructions_*",
	    "by_cpi_*", "before_cpi", "after_cpi"};
	static const char *const last[LAST] = {"binary", "function", "kind"};
	const char *keys[COLUMNS];
	size_t n = 0, count = tr_table_columns(table);
	for (; n < FIRST; n++)
		keys[n] = first[n];
	for (; n < count - LAST; n++)
		keys[n] = tr_table_format(table, "by_%s_%s", headings[n], unit);
	for (; n < count; n++)
		keys[n] = last[n + LAST - count];
	return tr_table_keys(table, keys, unit);
}

static void subtract_change(struct tr_tma_change *rest,
			    const struct tr_tma_change *change)
{
	for (unsigned side = 0; side < 2; side++) {
		rest->slots[side] -= change->slots[side];
		rest->instructions[side] -= change->instructions[side];
	}
	rest->by_instructions -= change->by_instructions;
	rest->by_cpi -= change->by_cpi;
	for (unsigned c = 0; c < TR_TMA_PARTS; c++)
		rest->by_class[c] -= change->by_class[c];
}

static int add_change_rows(const struct tr_tma_diff *diff, double least,
			   struct tr_table *table, const bool *columns, size_t *rows)
{
	struct tr_tma_change rest = diff->all;
	char name[48];
	int failed = TR_OK;
	for (size_t i = 0; i < diff->count && !failed; i++) {
		const struct tr_tma_change *change = &diff->changes[i];
		if (!is_change_beyond(change, least))
			continue;
		failed = add_change_row(table, change, columns, diff->width, change->name,
					"function");
		subtract_change(&rest, change);
		++*rows;
	}
	snprintf(name, sizeof(name), "%zu others", diff->count - *rows);
	if (*rows < diff->count)
		failed |=
		    add_change_row(table, &rest, columns, diff->width, name, "others");
	return failed |
	       add_change_row(table, &diff->all, columns, diff->width, "all", "all");
}

int tr_tma_diff_report(const struct tr_tma_diff *diff, double least, size_t *rows,
		       struct tr_report *report)
{
	const bool is_text = tr_report_text(report) != NULL;
	bool columns[TR_TMA_PARTS] = {false};
	const char *headings[COLUMNS];
	*rows = 0;
	choose_changed_classes(diff, !is_text, columns, headings);
	struct tr_table *table = tr_table_new(headings);
	int failed = table ? name_diff_columns(table, headings, tr_tma_unit(diff->width))
			   : TR_E_NOMEM;
	if (!failed)
		failed = add_change_rows(diff, least, table, columns, rows);
	if (failed || (is_text && !*rows))
		tr_table_free(table);
	else
		failed = tr_report_table(report, "functions", table);
	return failed ? TR_E_NOMEM : TR_OK;
}
