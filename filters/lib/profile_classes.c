/* SPDX-License-Identifier: Apache-2.0 */
/* What the cycles of a profile were lost for, in all and for each function. */
#include <inttypes.h>
#include <stdlib.h>

#include "profile_internal.h"
#include "table.h"

/* Cycles of one stack; those of a gap need no class. */
static void sum_cell(const struct tr_profile *p, uint32_t i, struct tr_class_sum *sum,
		     uint64_t *worst)
{
	const struct profile_cell *cell = &p->cells[i];
	const struct tr_func *func = &p->funcs[p->nodes[cell->node].func];
	const uint64_t *lost = profile_lost(p, p->cell_lost, i);
	uint64_t known = cell->instructions;
	for (unsigned c = 0; c < p->options.classes; c++) {
		sum->lost[c + 1] += lost[c];
		known += lost[c];
	}
	sum->cycles += cell->cycles;
	sum->retiring += cell->instructions;
	if (func->kind == TR_FRAME_GAP && known <= cell->cycles) {
		sum->untraced += cell->cycles - known;
		return;
	}
	uint64_t wrong =
	    known < cell->cycles ? cell->cycles - known : known - cell->cycles;
	sum->wrong += wrong;
	if (wrong > *worst) {
		*worst = wrong;
		sum->wrong_func = func;
	}
}

void tr_profile_class_sum(const struct tr_profile *p, struct tr_class_sum *sum)
{
	uint64_t worst = 0;
	*sum = (struct tr_class_sum){0};
	for (uint32_t i = 0; i < p->ncells; i++)
		if (p->cells[i].node)
			sum_cell(p, i, sum, &worst);
}

static int add_sum(struct tr_table *table, uint64_t value, uint64_t of,
		   const char *indent, const char *name)
{
	double share = of ? 100.0 * (double)value / (double)of : 0;
	return tr_table_cell(table, "%" PRIu64, value) |
	       tr_table_cell(table, "%.2f", share) |
	       tr_table_cell(table, "%s%s", indent, name);
}

/* A group, and its classes when they are more than a name for it. */
static int add_group(struct tr_table *table, const struct tr_classes *classes,
		     const struct tr_class_sum *sum, unsigned group)
{
	uint64_t value = 0;
	for (unsigned c = 1; c <= classes->count; c++)
		value += classes->group[c] == group ? sum->lost[c] : 0;
	if (!value)
		return TR_OK;
	int failed = add_sum(table, value, sum->cycles, "", classes->group_name[group]);
	for (unsigned c = 1; c <= classes->count; c++)
		if (classes->group[c] == group && sum->lost[c] && *classes->leaf[c])
			failed |= add_sum(table, sum->lost[c], sum->cycles, "  ",
					  classes->leaf[c]);
	return failed;
}

static int print_sums(const struct tr_class_sum *sum, const struct tr_classes *classes,
		      FILE *file)
{
	static const char *const headings[] = {"cycles", "%", "<class", NULL};
	struct tr_table *table = tr_table_new(headings);
	if (!table)
		return TR_E_NOMEM;
	int failed = add_sum(table, sum->retiring, sum->cycles, "", "retiring");
	for (unsigned group = 0; group < classes->ngroups; group++)
		failed |= add_group(table, classes, sum, group);
	if (sum->untraced)
		failed |= add_sum(table, sum->untraced, sum->cycles, "", "not traced");
	failed |= add_sum(table, sum->cycles, sum->cycles, "", "all");
	if (!failed)
		failed = tr_table_print(table, file);
	tr_table_free(table);
	return failed ? TR_E_NOMEM : TR_OK;
}

/* The columns of the functions: classes without a cycle are left out. */
enum { FIRST = 4, LAST = 3, COLUMNS = FIRST + TR_MAX_CLASSES + LAST + 1 };

static void make_headings(const struct tr_profile *p, const struct tr_class_sum *sum,
			  const struct tr_classes *classes, const char *headings[COLUMNS])
{
	unsigned n = 0;
	headings[n++] = "self";
	headings[n++] = "self %";
	headings[n++] = "retiring";
	for (unsigned c = 1; c <= classes->count; c++)
		if (sum->lost[c])
			headings[n++] = classes->name[c];
	if (sum->untraced)
		headings[n++] = "not traced";
	if (p->options.by != TR_BY_JOINED)
		headings[n++] = profile_by_heading(p->options.by);
	headings[n++] = "<binary";
	headings[n++] = "<function";
	headings[n] = NULL;
}

static int add_function(const struct tr_profile *p, struct tr_table *table,
			const struct tr_class_sum *sum,
			const struct tr_profile_line *line, bool namesake)
{
	uint64_t known = line->retired;
	int failed = tr_table_cell(table, "%" PRIu64, line->self);
	failed |= tr_table_cell(table, "%.2f",
				100.0 * (double)line->self / (double)sum->cycles);
	failed |= tr_table_cell(table, "%" PRIu64, line->retired);
	for (unsigned c = 0; c < p->options.classes; c++) {
		if (sum->lost[c + 1])
			failed |= tr_table_cell(table, "%" PRIu64, line->lost[c]);
		known += line->lost[c];
	}
	if (sum->untraced)
		failed |= tr_table_cell(table, "%" PRIu64, line->self - known);
	if (p->options.by != TR_BY_JOINED)
		failed |= tr_table_cell(table, "%s", line->group);
	return failed | profile_add_function(table, line->func, namesake);
}

static int print_functions(struct tr_profile *p, const struct tr_class_sum *sum,
			   const struct tr_classes *classes, FILE *file)
{
	const char *headings[COLUMNS];
	struct tr_profile_line *lines;
	size_t count;
	if (tr_profile_lines(p, &lines, &count))
		return TR_E_NOMEM;
	make_headings(p, sum, classes, headings);
	struct tr_table *table = tr_table_new(headings);
	bool *namesakes = profile_namesakes(p);
	int failed = table && namesakes ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++)
		if (lines[i].self)
			failed = add_function(p, table, sum, &lines[i],
					      namesakes[lines[i].func - p->funcs]);
	if (!failed)
		failed = tr_table_print(table, file);
	tr_table_free(table);
	free(namesakes);
	free(lines);
	return failed ? TR_E_NOMEM : TR_OK;
}

int tr_profile_print_classes(struct tr_profile *p, const struct tr_classes *classes,
			     FILE *file)
{
	struct tr_class_sum sum;
	tr_profile_class_sum(p, &sum);
	if (print_sums(&sum, classes, file))
		return TR_E_NOMEM;
	fputc('\n', file);
	return print_functions(p, &sum, classes, file);
}
