/* SPDX-License-Identifier: Apache-2.0 */
/* Results of a profile: its stacks, its functions and their table. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "profile/profile_internal.h"

bool tr_profile_stack(const struct tr_profile *p, uint32_t i,
		      struct tr_profile_stack *stack)
{
	if (i >= p->ncells)
		return false;
	const struct profile_cell *cell = &p->cells[i];
	*stack = (struct tr_profile_stack){.node = cell->node};
	if (tr_profile_group_has_frame(p, cell->group))
		stack->group = tr_profile_group_name(p, cell->group);
	stack->value[0] = p->counter ? tr_profile_counter_of(p, i) : cell->cycles;
	stack->value[1] = p->counter ? cell->cycles : cell->instructions;
	return true;
}

const struct tr_func *tr_profile_frame(const struct tr_profile *p, uint32_t node,
				       uint32_t *parent)
{
	*parent = p->nodes[node].parent;
	return &p->funcs[p->nodes[node].func];
}

uint32_t tr_profile_func_of(const struct tr_profile *p, uint32_t node)
{
	return p->nodes[node].func;
}

const struct tr_func *tr_profile_func(const struct tr_profile *p, uint32_t func)
{
	return &p->funcs[func];
}

uint32_t tr_profile_depth(const struct tr_profile *p, uint32_t node)
{
	return p->nodes[node].depth;
}

const char *tr_profile_label(const struct tr_profile *p, uint32_t group)
{
	return tr_profile_group_name(p, group);
}

bool tr_profile_is_process(const struct tr_profile *p, uint32_t group)
{
	return p->options.by == TR_BY_PROCESS && group < p->nprocesses;
}

const char *tr_profile_thread_label(const struct tr_profile *p, uint32_t thread)
{
	return p->threads[thread].name.text;
}

bool tr_profile_is_task(const struct tr_profile *p, uint32_t thread)
{
	return p->threads[thread].is_task || p->threads[thread].task != GROUP_NONE;
}

uint32_t tr_profile_node_count(const struct tr_profile *p)
{
	return p->nnodes;
}

uint32_t tr_profile_node_of(const struct tr_profile *p, uint32_t stream_node)
{
	return p->raws[stream_node].node;
}

uint32_t tr_profile_charged_node(const struct tr_profile *p, uint32_t stream_node)
{
	const struct profile_raw *raw = &p->raws[stream_node];
	return raw->is_left_out ? p->left_out_node : raw->node;
}

static void add_lost(struct tr_profile *p, uint32_t cell, uint32_t stat)
{
	for (unsigned i = 0; i < p->columns; i++)
		profile_lost(p, p->stat_lost, stat)[i] +=
		    profile_lost(p, p->cell_lost, cell)[i];
}

/* The cycles of a source line are its function's. */
static uint32_t function_node(const struct tr_profile *p, uint32_t node)
{
	bool is_line = node && p->funcs[p->nodes[node].func].kind == TR_FRAME_LINE;
	return is_line ? p->nodes[node].parent : node;
}

/* A stack of which each function is found once. */
struct walk {
	struct tr_profile *p;
	uint32_t *seen; /* by function: 1 + the last stack that it was found on */
	uint32_t stack;
	uint32_t node, leaf; /* the next one, and the one on top */
	uint32_t group;
};

static struct walk begin_walk(struct tr_profile *p, uint32_t *seen, uint32_t stack,
			      uint32_t group, uint32_t node)
{
	const uint32_t leaf = function_node(p, node);
	return (struct walk){p, seen, stack, leaf, leaf, group};
}

/* Finds the next function: its stat, and whether it is on top. Returns false after the
 * last one, and when out of memory with *stat NULL. */
static bool walk_stack(struct walk *w, struct profile_stat **stat, bool *is_leaf)
{
	struct tr_profile *p = w->p;
	for (; w->node; w->node = p->nodes[w->node].parent) {
		const uint32_t func = p->nodes[w->node].func;
		if (w->seen[func] == w->stack + 1)
			continue;
		w->seen[func] = w->stack + 1;
		*is_leaf = w->node == w->leaf;
		*stat = tr_profile_stat_of(
		    p, *is_leaf ? w->group : profile_frame_group(p, w->node, w->group),
		    func);
		w->node = p->nodes[w->node].parent;
		return true;
	}
	return false;
}

/* Charges a stack's cycles once to each of its functions. Returns a status. */
static int sum_stack_cell(struct tr_profile *p, uint32_t i, uint32_t *seen)
{
	const struct profile_cell *cell = &p->cells[i];
	uint64_t value = p->counter		   ? tr_profile_counter_of(p, i)
			 : p->options.instructions ? cell->instructions
			 : profile_counts_slots(p) ? tr_profile_cell_slots(p, i)
						   : cell->cycles;
	const bool is_used = value || cell->instructions || cell->cycles;
	struct walk walk = begin_walk(p, seen, i, cell->group, is_used ? cell->node : 0);
	struct profile_stat *stat;
	bool is_leaf;
	while (walk_stack(&walk, &stat, &is_leaf)) {
		if (!stat)
			return TR_E_NOMEM;
		stat->total += value;
		if (!is_leaf)
			continue;
		stat->self += value;
		stat->retired += cell->instructions;
		stat->cycles += cell->cycles;
		add_lost(p, i, (uint32_t)(stat - p->stats));
	}
	return TR_OK;
}

/* The parts of each stat of a sampled run: of what is its own, and with its callees. */
struct stat_parts {
	struct tr_estimate_item *self, *total;
	size_t nself, ntotal, self_capacity, total_capacity;
};

static int add_stat_parts(struct tr_profile *p, struct stat_parts *parts, uint32_t *seen)
{
	struct tr_estimate_item item;
	uint32_t group, node;
	for (uint32_t i = 0; tr_profile_sample_part(p, i, &group, &node, &item.part);
	     i++) {
		struct walk walk =
		    begin_walk(p, seen, i, group, item.part.instructions ? node : 0);
		struct profile_stat *stat;
		bool is_leaf;
		while (walk_stack(&walk, &stat, &is_leaf)) {
			if (!stat ||
			    !tr_grow(&parts->total, &parts->total_capacity,
				     parts->ntotal + 1, sizeof(*parts->total)) ||
			    !tr_grow(&parts->self, &parts->self_capacity,
				     parts->nself + 1, sizeof(*parts->self)))
				return TR_E_NOMEM;
			item.node = (uint32_t)(stat - p->stats);
			parts->total[parts->ntotal++] = item;
			if (is_leaf)
				parts->self[parts->nself++] = item;
		}
	}
	return TR_OK;
}

/* Computes the bars of all stats, which the caller frees. Returns a status. */
static int sum_stat_bars(struct tr_profile *p, struct tr_bar **self,
			 struct tr_bar **total)
{
	struct stat_parts parts = {0};
	uint32_t *seen = calloc((size_t)p->nfuncs + 1, sizeof(*seen));
	int status = seen ? add_stat_parts(p, &parts, seen) : TR_E_NOMEM;
	*self = calloc((size_t)p->nstats + 1, sizeof(**self));
	*total = calloc((size_t)p->nstats + 1, sizeof(**total));
	if (!*self || !*total)
		status = TR_E_NOMEM;
	if (!status)
		status = tr_estimate_groups(tr_profile_estimate(p), parts.self,
					    parts.nself, *self);
	if (!status)
		status = tr_estimate_groups(tr_profile_estimate(p), parts.total,
					    parts.ntotal, *total);
	free(seen);
	free(parts.self);
	free(parts.total);
	return status;
}

static int sum_cells(struct tr_profile *p)
{
	uint32_t *seen = calloc((size_t)p->nfuncs + 1, sizeof(*seen));
	int status = seen ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < p->nstats; i++)
		p->stats[i].self = p->stats[i].total = p->stats[i].retired =
		    p->stats[i].cycles = 0;
	if (p->nstats && p->columns)
		memset(p->stat_lost, 0, p->nstats * p->columns * sizeof(*p->stat_lost));
	for (uint32_t i = 0; i < p->ncells && !status; i++)
		status = sum_stack_cell(p, i, seen);
	free(seen);
	return status;
}

static int by_cost(const void *left, const void *right)
{
	const struct tr_profile_line *a = left, *b = right;
	int order = (a->self < b->self) - (a->self > b->self);
	if (!order)
		order = (a->total < b->total) - (a->total > b->total);
	if (!order)
		order = strcmp(a->func->name, b->func->name);
	if (!order)
		order = strcmp(a->group, b->group);
	if (!order)
		order = (a->func > b->func) - (a->func < b->func);
	return order ? order : (a->group_id > b->group_id) - (a->group_id < b->group_id);
}

int tr_profile_lines(struct tr_profile *p, struct tr_profile_line **lines, size_t *count)
{
	struct tr_bar *bars[2] = {NULL, NULL};
	int status = sum_cells(p);
	if (!status && p->sample)
		status = sum_stat_bars(p, &bars[0], &bars[1]);
	*count = p->nstats;
	*lines = status ? NULL : calloc(*count + 1, sizeof(**lines));
	if (!*lines) {
		free(bars[0]);
		free(bars[1]);
		return TR_E_NOMEM;
	}
	for (uint32_t i = 0; i < p->nstats; i++) {
		const struct profile_stat *stat = &p->stats[i];
		struct tr_profile_line *line = &(*lines)[i];
		*line = (struct tr_profile_line){
		    .group = tr_profile_group_name(p, stat->group),
		    .func = &p->funcs[stat->func],
		    .self = stat->self,
		    .total = stat->total,
		    .calls = stat->calls,
		    .ended = stat->durations.count,
		    .min = stat->durations.min,
		    .max = stat->durations.max,
		    .away = stat->away,
		    .group_id = stat->group,
		    .lost = profile_lost(p, p->stat_lost, i),
		    .unclassified = tr_profile_unclassified(
			p, &p->funcs[stat->func], profile_lost(p, p->stat_lost, i),
			stat->cycles, stat->retired),
		    .retiring = tr_profile_retiring(p, profile_lost(p, p->stat_lost, i),
						    stat->retired),
		    .retired = stat->retired,
		    .cycles = stat->cycles,
		    .rounded = stat->durations.bits != 0,
		    .durations = &stat->durations,
		    .slowest = stat->slowest,
		    .open = stat->open,
		};
		if (bars[0]) {
			line->self_bar = bars[0][i];
			line->total_bar = bars[1][i];
		}
		if (!tr_durations_quantile(&stat->durations, 50, &line->median)) {
			status = TR_E_NOMEM;
			break;
		}
	}
	free(bars[0]);
	free(bars[1]);
	if (status) {
		free(*lines);
		*lines = NULL;
		return status;
	}
	qsort(*lines, *count, sizeof(**lines), by_cost);
	return TR_OK;
}

static int add_share(struct tr_table *table, uint64_t value, uint64_t sum)
{
	return tr_table_cell(table, "%.2f",
			     sum ? 100.0 * (double)value / (double)sum : 0);
}

static int add_share_columns(struct tr_table *table, uint64_t value, uint64_t sum)
{
	return tr_table_cell(table, "%" PRIu64, value) | add_share(table, value, sum);
}

enum { OWN_COLUMNS = 2, COLUMNS = 26 };

/* Of a sampled run, in which nothing is known of single calls: errors stand behind what
 * they are of. */
static const char *const sampled_columns[][2] = {
    {"calls", "calls"},		{"self", "self_*"},	     {"±", "self_error"},
    {"self %", "self_percent"}, {"windows", "windows"},	     {"total", "total_*"},
    {"±", "total_error"},	{"total %", "total_percent"}};
enum { SAMPLED_COLUMNS = sizeof(sampled_columns) / sizeof(*sampled_columns) };

static unsigned put_sampled_headings(const char *headings[COLUMNS],
				     const char *keys[COLUMNS])
{
	for (unsigned i = 0; i < SAMPLED_COLUMNS; i++) {
		headings[i] = sampled_columns[i][0];
		keys[i] = sampled_columns[i][1];
	}
	return SAMPLED_COLUMNS;
}

static void put_headings(const struct tr_profile *p, const char *headings[COLUMNS],
			 const char *keys[COLUMNS])
{
	static const char *const all[][2] = {{"calls", "calls"},
					     {"self", "self_*"},
					     {"self %", "self_percent"},
					     {"total", "total_*"},
					     {"total %", "total_percent"},
					     {"min", "min_*"},
					     {"median", "median_*"},
					     {"", "median_is_rounded"},
					     {"max", "max_*"},
					     {"away", "away_cycles"}};
	static const char *const function[][PROFILE_FUNCTION_COLUMNS] = {
	    {PROFILE_FUNCTION_HEADINGS}, {PROFILE_FUNCTION_KEYS}};
	static const char *const own[OWN_COLUMNS][2] = {{"instructions", "instructions"},
							{"IPC", "ipc"}};
	unsigned n = p->sample ? put_sampled_headings(headings, keys) : 0;
	/* The increase of a counter within a call is unknown. */
	for (; !p->sample && n < (p->counter ? 5U : 10U); n++) {
		headings[n] = all[n][0];
		keys[n] = all[n][1];
	}
	/* Beside the names in text; behind them elsewhere, where columns are only added
	 * at the end. */
	for (unsigned i = 0; i < OWN_COLUMNS; i++, n++) {
		headings[n] = own[i][0];
		keys[n] = "";
	}
	if (p->options.by != TR_BY_JOINED) {
		headings[n] = tr_profile_by_heading(p->options.by);
		keys[n] = headings[n] + 1;
		n++;
	}
	memcpy(headings + n, function[0], sizeof(function[0]));
	memcpy(keys + n, function[1], sizeof(function[1]));
	n += PROFILE_FUNCTION_COLUMNS;
	for (unsigned i = 0; i < OWN_COLUMNS; i++, n++) {
		headings[n] = "";
		keys[n] = own[i][1];
	}
}

/* Adds the instructions of a function, unless the source counts none, and those in a
 * cycle. */
static int add_instruction_columns(const struct tr_profile *p, struct tr_table *table,
				   const struct tr_profile_line *line)
{
	int failed = p->instructions ? tr_table_cell(table, "%" PRIu64, line->retired)
				     : tr_table_cell(table, "-");
	if (!line->retired || !line->cycles)
		return failed | tr_table_cell(table, "-");
	return failed |
	       tr_table_cell(table, "%.3f", (double)line->retired / (double)line->cycles);
}

int tr_profile_add_error(struct tr_table *table, double error)
{
	return isinf(error) ? tr_table_cell(table, "-")
			    : tr_table_cell(table, "%.0f", ceil(error));
}

/* Adds the sums of a function of a sampled run; instructions are exact. */
static int add_sampled_columns(const struct tr_profile *p, struct tr_table *table,
			       const struct tr_profile_line *line, uint64_t sum)
{
	const bool is_exact = p->options.instructions;
	int failed = tr_table_cell(table, "%" PRIu64, line->self);
	failed |= tr_profile_add_error(table, is_exact ? 0 : line->self_bar.error);
	failed |= add_share(table, line->self, sum);
	failed |= tr_table_cell(table, "%" PRIu32, line->self_bar.windows);
	failed |= tr_table_cell(table, "%" PRIu64, line->total);
	failed |= tr_profile_add_error(table, is_exact ? 0 : line->total_bar.error);
	return failed | add_share(table, line->total, sum);
}

static int add_call_columns(struct tr_table *table, const struct tr_profile_line *line)
{
	if (!line->ended)
		return tr_table_cell(table, "-") | tr_table_cell(table, "-") |
		       tr_table_cell(table, "-") | tr_table_cell(table, "-") |
		       tr_table_cell(table, "-");
	return tr_table_cell(table, "%" PRIu64, line->min) |
	       tr_table_cell(table, "%s%" PRIu64, line->rounded ? "~" : "",
			     line->median) |
	       tr_table_cell(table, line->rounded ? "true" : "false") |
	       tr_table_cell(table, "%" PRIu64, line->max) |
	       tr_table_cell(table, "%" PRIu64, line->away);
}

static int by_name_and_address(const void *left, const void *right)
{
	const struct tr_func *a = *(const struct tr_func *const *)left;
	const struct tr_func *b = *(const struct tr_func *const *)right;
	int order = strcmp(a->binary, b->binary);
	if (!order)
		order = strcmp(a->name, b->name);
	return order ? order : (a->address > b->address) - (a->address < b->address);
}

bool *tr_profile_namesakes(const struct tr_profile *p)
{
	const struct tr_func **order = calloc((size_t)p->nfuncs + 1, sizeof(*order));
	bool *namesake = calloc((size_t)p->nfuncs + 1, sizeof(*namesake));
	uint32_t count = 0;
	for (uint32_t i = 0; order && namesake && i < p->nfuncs; i++)
		if (p->funcs[i].kind == TR_FRAME_FUNCTION)
			order[count++] = &p->funcs[i];
	if (count)
		qsort(order, count, sizeof(*order), by_name_and_address);
	for (uint32_t i = 1; i < count; i++)
		if (strcmp(order[i - 1]->binary, order[i]->binary) == 0 &&
		    strcmp(order[i - 1]->name, order[i]->name) == 0) {
			namesake[order[i - 1] - p->funcs] = true;
			namesake[order[i] - p->funcs] = true;
		}
	if (!order) {
		free(namesake);
		namesake = NULL;
	}
	free(order);
	return namesake;
}

int tr_profile_add_function(struct tr_table *table, const struct tr_func *func,
			    bool namesake)
{
	const char *binary = *func->binary ? func->binary : "-";
	static const char *const kinds[] = {"function", "program", "trap",
					    "unknown",	"gap",	   "idle",
					    "inlined",	"line",	   "left out"};
	int failed = tr_table_cell(table, "%s", binary);
	failed |= namesake ? tr_table_cell(table, "%s (0x%" PRIx64 ")", func->name,
					   func->address)
			   : tr_table_cell(table, "%s", func->name);
	failed |= tr_table_cell(table, "%s", func->name);
	failed |= func->address ? tr_table_cell(table, "0x%" PRIx64, func->address)
				: tr_table_cell(table, "-");
	return failed |
	       tr_table_cell(table, "%s", func->kind < 9 ? kinds[func->kind] : "-");
}

static int add_function_line(const struct tr_profile *p, struct tr_table *table,
			     const struct tr_profile_line *line, uint64_t sum,
			     bool namesake)
{
	bool called = line->func->kind != TR_FRAME_INLINED;
	int failed = called ? tr_table_cell(table, "%" PRIu64, line->calls)
			    : tr_table_cell(table, "-");
	if (p->sample) {
		failed |= add_sampled_columns(p, table, line, sum);
	} else {
		failed |= add_share_columns(table, line->self, sum);
		failed |= add_share_columns(table, line->total, sum);
		if (!p->counter)
			failed |= add_call_columns(table, line);
	}
	failed |= add_instruction_columns(p, table, line);
	if (p->options.by != TR_BY_JOINED)
		failed |= tr_table_cell(table, "%s", line->group);
	return failed | tr_profile_add_function(table, line->func, namesake) |
	       add_instruction_columns(p, table, line);
}

/* Functions that were on no stack have no line, nor have those that are out of focus. */
static bool has_line(const struct tr_profile *p, const struct tr_profile_line *line)
{
	const bool is_cycles = !p->counter && !p->options.instructions;
	return line->total || (is_cycles && line->retired) ||
	       (line->calls && !p->options.nfocus);
}

int tr_profile_report(struct tr_profile *p, const char *unit, struct tr_report *report)
{
	const char *headings[COLUMNS] = {0}, *keys[COLUMNS] = {0};
	struct tr_profile_line *lines;
	size_t count;
	uint64_t rise, sum = p->options.instructions ? p->instructions : p->cycles;
	if (p->counter)
		sum = tr_profile_counter_charge(p, &rise).charged;
	if (tr_profile_lines(p, &lines, &count))
		return TR_E_NOMEM;
	put_headings(p, headings, keys);
	struct tr_table *table = tr_table_new(headings);
	bool *namesakes = tr_profile_namesakes(p);
	int failed = table && namesakes ? tr_table_keys(table, keys, unit) : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++)
		if (has_line(p, &lines[i]))
			failed = add_function_line(p, table, &lines[i], sum,
						   namesakes[lines[i].func - p->funcs]);
	failed |= tr_report_table(report, "functions", table);
	free(namesakes);
	free(lines);
	return failed ? TR_E_NOMEM : TR_OK;
}
