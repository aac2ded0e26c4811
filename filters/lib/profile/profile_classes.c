/* SPDX-License-Identifier: Apache-2.0 */
/* Lost slots of a profile by class, in total and by function; with one commit a cycle
 * they are cycles. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "profile/profile_internal.h"

/* Sums the slots of one stack in cycles with several. */
static void sum_slot_cell(const struct tr_profile *p, uint32_t i, struct tr_class_sum *of,
			  uint64_t *worst)
{
	const struct profile_cell *cell = &p->cells[i];
	const uint64_t *lost = profile_lost(p, p->cell_lost, i);
	const uint64_t *rest = profile_rest(p, i);
	struct tr_tma_sum *sum = &of->sum;
	uint64_t wrong = p->excess && i == p->excess_cell ? p->excess : 0;
	for (unsigned c = 0; c < p->options.classes; c++)
		sum->lost[c + 1] += lost[c];
	sum->slots += tr_profile_cell_slots(p, i);
	sum->retiring += tr_profile_retiring(p, lost, cell->instructions);
	sum->instructions += cell->instructions;
	sum->untraced += rest[PROFILE_UNTRACED];
	sum->lost[0] += rest[PROFILE_NO_CLASS];
	of->wrong += wrong;
	if (wrong > *worst) {
		*worst = wrong;
		of->wrong_func = &p->funcs[p->nodes[cell->node].func];
	}
}

/* Sums the cycles of one stack; a gap needs no class. */
static void sum_class_cell(const struct tr_profile *p, uint32_t i,
			   struct tr_class_sum *of, uint64_t *worst)
{
	const struct profile_cell *cell = &p->cells[i];
	const struct tr_func *func = &p->funcs[p->nodes[cell->node].func];
	const uint64_t *lost = profile_lost(p, p->cell_lost, i);
	struct tr_tma_sum *sum = &of->sum;
	uint64_t known = cell->instructions;
	for (unsigned c = 0; c < p->options.classes; c++) {
		sum->lost[c + 1] += lost[c];
		known += lost[c];
	}
	sum->slots += cell->cycles;
	sum->retiring += cell->instructions;
	sum->instructions += cell->instructions;
	if (known <= cell->cycles) {
		const bool is_gap = func->kind == TR_FRAME_GAP;
		*(is_gap ? &sum->untraced : &sum->lost[0]) += cell->cycles - known;
		return;
	}
	const uint64_t wrong = known - cell->cycles;
	of->wrong += wrong;
	if (wrong > *worst) {
		*worst = wrong;
		of->wrong_func = func;
	}
}

static void sum_cell_of(const struct tr_profile *p, uint32_t i, struct tr_class_sum *of,
			uint64_t *worst)
{
	if (p->width > 1)
		sum_slot_cell(p, i, of, worst);
	else
		sum_class_cell(p, i, of, worst);
}

uint64_t tr_profile_unclassified(const struct tr_profile *p, const struct tr_func *func,
				 const uint64_t *lost, uint64_t cycles, uint64_t retired)
{
	uint64_t known = retired;
	if (!p->options.classes)
		return 0;
	if (p->width > 1)
		return lost[p->options.classes + PROFILE_NO_CLASS];
	for (unsigned c = 0; c < p->options.classes; c++)
		known += lost[c];
	return func->kind != TR_FRAME_GAP && known < cycles ? cycles - known : 0;
}

/* The errors of what groups have, or of all. */
struct class_errors {
	const struct tr_profile *p;
	uint32_t group;
	bool is_all;
};

static double error_of_classes(const void *context, uint64_t classes)
{
	const struct class_errors *of = context;
	const uint32_t group = of->is_all ? UINT32_MAX : of->group;
	const double scale = classes & 1 ? of->p->width : 1;
	return scale * tr_profile_sample_error(of->p, group, classes);
}

void tr_profile_class_sum(const struct tr_profile *p, struct tr_class_sum *sum)
{
	uint64_t worst = 0;
	*sum = (struct tr_class_sum){.sum.width = p->width, .ahead = p->ahead};
	for (uint32_t i = 0; i < p->ncells; i++)
		if (p->cells[i].node)
			sum_cell_of(p, i, sum, &worst);
}

/* Adds the errors if the run was sampled; they must live as long as the sum is used. */
static void set_errors(struct tr_tma_sum *sum, const struct class_errors *errors)
{
	if (!errors->p->sample)
		return;
	sum->error_of = error_of_classes;
	sum->context = errors;
}

/* The columns present: groups and classes without slots are omitted, as is a class whose
 * name is only that of its group. */
struct columns {
	const struct tr_classes *classes;
	const struct tr_tma_sum *sum;
	bool unclassified, untraced;
	bool group[TR_MAX_CLASSES], class[TR_MAX_CLASSES];
};
enum { FIRST = 4, COLUMNS = FIRST + 2 * TR_MAX_CLASSES + PROFILE_FUNCTION_COLUMNS + 6 };

/* With `all`, none is omitted for a lack of slots. */
static struct columns select_class_columns(const struct tr_tma_sum *sum,
					   const struct tr_classes *classes, bool all)
{
	struct columns columns = {.classes = classes,
				  .sum = sum,
				  .unclassified = all || sum->lost[0] != 0,
				  .untraced = all || sum->untraced != 0};
	for (unsigned c = 1; c <= classes->count; c++) {
		if (!all && !sum->lost[c])
			continue;
		columns.group[classes->group[c]] = true;
		columns.class[c] = *classes->leaf[c] != '\0';
	}
	return columns;
}

static void make_headings(const struct tr_profile *p, const struct columns *columns,
			  const char *headings[COLUMNS], const char *keys[COLUMNS])
{
	const bool is_slots = p->width > 1;
	const char *const first[][2] = {
	    {is_slots ? "self slots" : "self", is_slots ? "self_slots" : "self_cycles"},
	    {"self %", "self_percent"},
	    {"CPI", "cpi"},
	    {"retiring", is_slots ? "retiring_slots" : "retiring_cycles"}};
	static const char *const function[][PROFILE_FUNCTION_COLUMNS] = {
	    {PROFILE_FUNCTION_HEADINGS}, {PROFILE_FUNCTION_KEYS}};
	const struct tr_classes *classes = columns->classes;
	unsigned n = 0;
	for (unsigned i = 0; i < FIRST; i++) {
		headings[n] = first[i][0];
		keys[n++] = first[i][1];
		if (i || !p->sample)
			continue;
		headings[n] = "±";
		keys[n++] = "self_error";
		headings[n] = "windows";
		keys[n++] = "windows";
	}
	const unsigned begin = n;
	for (unsigned group = 0; group < classes->ngroups; group++)
		if (columns->group[group])
			headings[n++] = tr_tma_group(classes->group_name[group]);
	if (columns->unclassified)
		headings[n++] = "unclassified";
	if (columns->untraced)
		headings[n++] = "not traced";
	for (unsigned c = 1; c <= classes->count; c++)
		if (columns->class[c])
			headings[n++] = classes->name[c];
	for (unsigned i = begin; i < n; i++)
		keys[i] = NULL;
	if (p->options.by != TR_BY_JOINED) {
		headings[n] = tr_profile_by_heading(p->options.by);
		keys[n] = headings[n] + 1;
		n++;
	}
	memcpy(headings + n, function[0], sizeof(function[0]));
	memcpy(keys + n, function[1], sizeof(function[1]));
	headings[n + PROFILE_FUNCTION_COLUMNS] = NULL;
}

/* Names the columns; the key of one of a class or group, which is NULL here, is
 * "NAME_cycles", or "NAME_slots". Returns a status. */
static int make_class_keys(struct tr_table *table, const char *const *headings,
			   const char **keys, const char *unit)
{
	for (unsigned i = 0; headings[i]; i++)
		if (!keys[i])
			keys[i] = tr_table_format(table, "%s_%s", headings[i], unit);
	return tr_table_keys(table, keys, NULL);
}

/* Adds cells for the slots of the groups, those without a class, those not traced, then
 * those of the classes. Returns a status. */
static int add_classes(struct tr_table *table, const struct columns *columns,
		       const struct tr_profile_line *line)
{
	const struct tr_classes *classes = columns->classes;
	uint64_t groups[TR_MAX_CLASSES] = {0},
		 known = line->retiring + line->unclassified;
	int failed = TR_OK;
	for (unsigned c = 1; c <= classes->count; c++) {
		groups[classes->group[c]] += line->lost[c - 1];
		known += line->lost[c - 1];
	}
	for (unsigned group = 0; group < classes->ngroups; group++)
		if (columns->group[group])
			failed |= tr_table_cell(table, "%" PRIu64, groups[group]);
	if (columns->unclassified)
		failed |= tr_table_cell(table, "%" PRIu64, line->unclassified);
	if (columns->untraced)
		failed |= tr_table_cell(table, "%" PRIu64, line->self - known);
	for (unsigned c = 1; c <= classes->count; c++)
		if (columns->class[c])
			failed |= tr_table_cell(table, "%" PRIu64, line->lost[c - 1]);
	return failed;
}

static int add_function(const struct tr_profile *p, struct tr_table *table,
			const struct columns *columns, const struct tr_profile_line *line,
			bool namesake)
{
	const double all = (double)columns->sum->slots;
	int failed = tr_table_cell(table, "%" PRIu64, line->self);
	if (p->sample) {
		failed |= tr_profile_add_error(table, line->self_bar.error * p->width);
		failed |= tr_table_cell(table, "%" PRIu32, line->self_bar.windows);
	}
	failed |= tr_table_cell(table, "%.2f", 100.0 * (double)line->self / all);
	if (line->retired)
		failed |= tr_table_cell(
		    table, "%.3f", (double)line->self / p->width / (double)line->retired);
	else
		failed |= tr_table_cell(table, "-");
	failed |= tr_table_cell(table, "%" PRIu64, line->retiring);
	failed |= add_classes(table, columns, line);
	if (p->options.by != TR_BY_JOINED)
		failed |= tr_table_cell(table, "%s", line->group);
	return failed | tr_profile_add_function(table, line->func, namesake);
}

static int report_functions(struct tr_profile *p, const struct columns *columns,
			    struct tr_report *report)
{
	const char *headings[COLUMNS], *keys[COLUMNS];
	struct tr_profile_line *lines;
	size_t count;
	if (tr_profile_lines(p, &lines, &count))
		return TR_E_NOMEM;
	make_headings(p, columns, headings, keys);
	struct tr_table *table = tr_table_new(headings);
	bool *namesakes = tr_profile_namesakes(p);
	int failed = table && namesakes
			 ? make_class_keys(table, headings, keys, tr_tma_unit(p->width))
			 : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++)
		if (lines[i].self)
			failed = add_function(p, table, columns, &lines[i],
					      namesakes[lines[i].func - p->funcs]);
	failed |= tr_report_table(report, "functions", table);
	free(namesakes);
	free(lines);
	return failed ? TR_E_NOMEM : TR_OK;
}

/* A source line within a function, in a group. */
struct source_line {
	uint32_t group, func, line; /* functions of the frame, and of the line on it */
	uint64_t self, retired, cycles;
	uint64_t *lost; /* with all columns of a cell */
};

struct source_lines {
	struct source_line *list;
	size_t count, capacity;
	struct tr_map ids; /* by (group, function, line), probing key + 1, … */
	struct tr_arena lost;
};

static uint32_t line_of_cell(const struct tr_profile *p, uint32_t cell)
{
	const uint32_t node = p->cells[cell].node;
	const uint32_t func = node ? p->nodes[node].func : 0;
	return node && p->funcs[func].kind == TR_FRAME_LINE ? func : UINT32_MAX;
}

/* Returns the line of a cell, which is new if it was not there; NULL when out of
 * memory. */
static struct source_line *find_source_line(const struct tr_profile *p,
					    struct source_lines *lines, uint32_t cell,
					    uint32_t line)
{
	const uint32_t group = p->cells[cell].group;
	const uint32_t parent = p->nodes[p->cells[cell].node].parent;
	const uint32_t func = parent ? p->nodes[parent].func : line;
	uint64_t key = tr_mix(tr_pair_key(func, line)) ^ group;
	uint32_t id;
	for (; (id = tr_map_get(&lines->ids, key)) != TR_MAP_NONE; key++) {
		struct source_line *found = &lines->list[id];
		if (found->group == group && found->func == func && found->line == line)
			return found;
	}
	uint64_t *lost = tr_arena_take(&lines->lost, p->columns * sizeof(*lost));
	if (!lost ||
	    !tr_grow(&lines->list, &lines->capacity, lines->count + 1,
		     sizeof(*lines->list)) ||
	    !tr_map_set(&lines->ids, key, (uint32_t)lines->count))
		return NULL;
	memset(lost, 0, p->columns * sizeof(*lost));
	lines->list[lines->count] = (struct source_line){
	    .group = group, .func = func, .line = line, .lost = lost};
	return &lines->list[lines->count++];
}

static int sum_source_lines(const struct tr_profile *p, struct source_lines *lines)
{
	for (uint32_t i = 0; i < p->ncells; i++) {
		const struct profile_cell *cell = &p->cells[i];
		const uint32_t line = line_of_cell(p, i);
		if (line == UINT32_MAX)
			continue;
		struct source_line *sum = find_source_line(p, lines, i, line);
		if (!sum)
			return TR_E_NOMEM;
		sum->self +=
		    profile_counts_slots(p) ? tr_profile_cell_slots(p, i) : cell->cycles;
		sum->retired += cell->instructions;
		sum->cycles += cell->cycles;
		for (unsigned c = 0; c < p->columns; c++)
			sum->lost[c] += profile_lost(p, p->cell_lost, i)[c];
	}
	return TR_OK;
}

/* Lines in descending order; equal ones in that of the stream. */
static int by_line_cost(const void *left, const void *right)
{
	const struct source_line *a = left, *b = right;
	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	if (a->func != b->func)
		return a->func < b->func ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return (a->group > b->group) - (a->group < b->group);
}

static int add_source_line(const struct tr_profile *p, struct tr_table *table,
			   const struct columns *columns, const struct source_line *of,
			   bool namesake)
{
	const struct tr_profile_line line = {
	    .group = tr_profile_group_name(p, of->group),
	    .func = &p->funcs[of->func],
	    .self = of->self,
	    .lost = of->lost,
	    .unclassified = tr_profile_unclassified(p, &p->funcs[of->func], of->lost,
						    of->cycles, of->retired),
	    .retiring = tr_profile_retiring(p, of->lost, of->retired),
	    .retired = of->retired,
	    .cycles = of->cycles};
	return add_function(p, table, columns, &line, namesake) |
	       tr_table_cell(table, "%s", p->funcs[of->line].name);
}

/* Reports the table "lines", if the stream has some. */
static int report_source_lines(const struct tr_profile *p, const struct columns *columns,
			       struct tr_report *report)
{
	const char *headings[COLUMNS + 1], *keys[COLUMNS + 1];
	struct source_lines lines = {0};
	int failed = sum_source_lines(p, &lines);
	if (lines.count && !failed) {
		unsigned n = 0;
		qsort(lines.list, lines.count, sizeof(*lines.list), by_line_cost);
		make_headings(p, columns, headings, keys);
		while (headings[n])
			n++;
		headings[n] = "<line";
		keys[n] = "line";
		headings[n + 1] = NULL;
		struct tr_table *table = tr_table_new(headings);
		bool *namesakes = tr_profile_namesakes(p);
		failed = table && namesakes ? make_class_keys(table, headings, keys,
							      tr_tma_unit(p->width))
					    : TR_E_NOMEM;
		for (size_t i = 0; i < lines.count && !failed; i++)
			if (lines.list[i].self)
				failed =
				    add_source_line(p, table, columns, &lines.list[i],
						    namesakes[lines.list[i].func]);
		tr_report_say(report, "\n");
		failed |= tr_report_table(report, "lines", table);
		free(namesakes);
	}
	free(lines.list);
	tr_map_free(&lines.ids);
	tr_arena_reset(&lines.lost);
	return failed ? TR_E_NOMEM : TR_OK;
}

int tr_profile_report_tma(struct tr_profile *p, const struct tr_classes *classes,
			  struct tr_report *report)
{
	struct tr_class_sum of;
	tr_profile_class_sum(p, &of);
	const struct columns columns =
	    select_class_columns(&of.sum, classes, !tr_report_text(report));
	const struct class_errors errors = {.p = p, .is_all = true};
	set_errors(&of.sum, &errors);
	if (tr_tma_report(&of.sum, classes, NULL, NULL, report))
		return TR_E_NOMEM;
	tr_report_say(report, "\n");
	if (report_functions(p, &columns, report))
		return TR_E_NOMEM;
	return report_source_lines(p, &columns, report);
}

/* The slots of a group by class. */
struct class_group {
	const char *name;
	uint32_t group;
	struct tr_class_sum of;
};

static int compare_class_groups(const void *left, const void *right)
{
	const struct class_group *a = left, *b = right;
	const uint64_t slots[2] = {a->of.sum.slots, b->of.sum.slots};
	if (slots[0] != slots[1])
		return slots[0] < slots[1] ? 1 : -1;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->group > b->group) - (a->group < b->group);
}

/* Returns the sums of all groups, which the caller frees, or NULL when out of memory. */
static struct class_group *sum_class_groups(const struct tr_profile *p, size_t *count)
{
	struct class_group *groups = NULL;
	struct tr_map indices = {0};
	size_t capacity = 0;
	uint64_t worst = 0;
	bool failed = !tr_grow(&groups, &capacity, 1, sizeof(*groups));
	*count = 0;
	for (uint32_t i = 0; i < p->ncells && !failed; i++) {
		const uint32_t group = p->cells[i].group;
		uint32_t index = tr_map_get(&indices, group);
		if (!p->cells[i].node || (p->sample && tr_profile_is_empty_cell(p, i)))
			continue;
		if (index == TR_MAP_NONE) {
			index = (uint32_t)(*count)++;
			failed = !tr_grow(&groups, &capacity, *count, sizeof(*groups)) ||
				 !tr_map_set(&indices, group, index);
			if (failed)
				break;
			groups[index] =
			    (struct class_group){.name = tr_profile_group_name(p, group),
						 .group = group,
						 .of.sum.width = p->width};
		}
		sum_cell_of(p, i, &groups[index].of, &worst);
	}
	tr_map_free(&indices);
	if (failed) {
		free(groups);
		return NULL;
	}
	qsort(groups, *count, sizeof(*groups), compare_class_groups);
	return groups;
}

int tr_profile_report_groups(const struct tr_profile *p, const struct tr_classes *classes,
			     struct tr_report *report)
{
	struct tr_class_sum of;
	size_t count;
	if (p->options.by == TR_BY_JOINED) {
		const struct class_errors errors = {.p = p, .is_all = true};
		tr_profile_class_sum(p, &of);
		set_errors(&of.sum, &errors);
		return tr_tma_report(&of.sum, classes, NULL, NULL, report);
	}
	struct class_group *groups = sum_class_groups(p, &count);
	const char *key = tr_profile_by_heading(p->options.by) + 1;
	int failed = groups ? TR_OK : TR_E_NOMEM;
	if (!count && !failed)
		failed = tr_tma_report(&(struct tr_tma_sum){.width = p->width}, classes,
				       key, "-", report);
	for (size_t i = 0; i < count && !failed; i++) {
		const struct class_errors errors = {.p = p, .group = groups[i].group};
		tr_report_say(report, "%s%s\n", i ? "\n" : "", groups[i].name);
		set_errors(&groups[i].of.sum, &errors);
		failed = tr_tma_report(&groups[i].of.sum, classes, key, groups[i].name,
				       report);
	}
	free(groups);
	return failed ? TR_E_NOMEM : TR_OK;
}
