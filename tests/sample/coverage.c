/* SPDX-License-Identifier: Apache-2.0 */
/* Counts how often the bars of a sampled run contain the truth.
 *
 *   coverage WINDOWS LENGTH RUNS [equal] stacks.tr
 *
 * From the stacks of a whole run of the hardware it takes WINDOWS windows of LENGTH
 * instructions, one in each interval of the same length, at a random place of it or with
 * `equal` at the same place, RUNS times, and compares what is estimated from them with
 * all rows. A row of stacks that a window cuts is divided evenly. It prints one line, and
 * exits 1 if of the totals or of the 20 functions with the most cycles fewer than 90 %
 * are within their error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "sample/estimate.h"
#include "stream/classes.h"
#include "stream/reader.h"

enum { TOP = 20, ALL = 200 };

struct row {
	uint32_t leaf, instructions;
};

/* A function. */
struct leaf {
	uint32_t func, binary;
	double cycles;
	uint64_t instructions;
};

struct run {
	struct tr_reader *reader;
	struct row *rows;
	float *values; /* `columns` of each row: cycles without waiting, and classes */
	struct leaf *leaves;
	uint32_t *node_leaf;
	size_t nrows, row_capacity, value_capacity, leaf_capacity, node_capacity;
	struct tr_map map; /* from function to leaf */
	struct tr_classes classes;
	uint32_t nleaves, nnodes, idle;
	unsigned width, columns;
	double total[TR_ESTIMATE_COLUMNS];
	uint64_t instructions;
};

/* What was found in all estimates together. */
struct found {
	unsigned runs, totals, tops, rest, nrest, good, classes, nclasses;
	double squares, bars, worst, share, class_error;
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "coverage: %s\n", what);
	exit(2);
}

static void need(bool good)
{
	if (!good)
		fail("out of memory");
}

static uint32_t find_leaf(struct run *r, uint32_t func)
{
	uint32_t id = tr_map_get(&r->map, func);
	if (id != TR_MAP_NONE)
		return id;
	id = r->nleaves++;
	need(tr_grow(&r->leaves, &r->leaf_capacity, r->nleaves, sizeof(*r->leaves)) &&
	     tr_map_set(&r->map, func, id));
	r->leaves[id] = (struct leaf){.func = func};
	return id;
}

/* Code that was inlined, and lines, are of their function. */
static void define_nodes(struct run *r)
{
	for (; r->nnodes < tr_reader_node_count(r->reader); r->nnodes++) {
		const struct tr_node *node = tr_reader_node(r->reader, r->nnodes);
		need(tr_grow(&r->node_leaf, &r->node_capacity, r->nnodes + 1UL,
			     sizeof(*r->node_leaf)));
		r->node_leaf[r->nnodes] = 0;
		if (!r->nnodes)
			continue;
		const uint8_t kind = tr_reader_func(r->reader, node->func)->kind;
		const bool is_inner = kind == TR_FRAME_INLINED || kind == TR_FRAME_LINE;
		r->node_leaf[r->nnodes] =
		    is_inner ? r->node_leaf[node->parent] : find_leaf(r, node->func);
	}
}

static void take_row(struct run *r, const struct tr_shart *hart,
		     const struct tr_srow *srow)
{
	const struct tr_node *node = tr_reader_node(r->reader, srow->node);
	double values[TR_ESTIMATE_COLUMNS] = {(double)srow->cycles};
	if (tr_reader_func(r->reader, node->func)->kind == TR_FRAME_GAP)
		return;
	for (unsigned i = 0; i < srow->nclasses; i++) {
		const struct tr_class_cycles *c = &hart->classes[srow->first_class + i];
		if (r->idle >> c->class & 1)
			values[0] -= (double)c->cycles / r->width;
		else
			values[c->class] += (double)c->cycles * (c->class != 0);
	}
	need(tr_grow(&r->rows, &r->row_capacity, r->nrows + 1, sizeof(*r->rows)) &&
	     tr_grow(&r->values, &r->value_capacity, (r->nrows + 1) * r->columns,
		     sizeof(*r->values)));
	struct leaf *leaf = &r->leaves[r->node_leaf[srow->node]];
	r->rows[r->nrows] = (struct row){.leaf = r->node_leaf[srow->node],
					 .instructions = (uint32_t)srow->instructions};
	for (unsigned c = 0; c < r->columns; c++) {
		r->values[r->nrows * r->columns + c] = (float)values[c];
		r->total[c] += values[c];
	}
	r->nrows++;
	leaf->cycles += values[0];
	leaf->instructions += srow->instructions;
	r->instructions += srow->instructions;
}

static const char *binary_of(const struct run *r, uint32_t leaf)
{
	return tr_reader_func(r->reader, r->leaves[leaf].func)->binary;
}

static void number_binaries(struct run *r)
{
	uint32_t number = 0;
	for (uint32_t i = 0; i < r->nleaves; i++) {
		uint32_t k = 0;
		while (k < i && strcmp(binary_of(r, k), binary_of(r, i)) != 0)
			k++;
		r->leaves[i].binary = k < i ? r->leaves[k].binary : number++;
	}
}

static void read_run(struct run *r, const char *path)
{
	const struct tr_sframe *frame;
	int status;
	if (tr_reader_open(&r->reader, path, 1) ||
	    tr_classes_read(&r->classes, tr_reader_header(r->reader)))
		fail("no stream of stacks with classes");
	r->width = tr_header_commit_width(tr_reader_header(r->reader));
	r->columns = r->classes.count + 1;
	for (unsigned i = 1; i <= r->classes.count; i++)
		if (strcmp(r->classes.group_name[r->classes.group[i]], "idle") == 0)
			r->idle |= UINT32_C(1) << i;
	while ((status = tr_reader_next_stacks(r->reader, &frame)) == TR_OK) {
		define_nodes(r);
		if (frame->nharts > 1)
			fail("the run has several harts");
		for (uint32_t i = 0; frame->nharts && i < frame->harts[0].nrows; i++)
			take_row(r, &frame->harts[0], &frame->harts[0].rows[i]);
	}
	if (status != TR_END)
		fail(tr_reader_message(r->reader));
	number_binaries(r);
}

/* Where the windows are. */
struct plan {
	uint64_t interval, length;
	uint64_t seed;
	bool is_equal;	/* the same place in each interval */
	uint64_t first; /* instruction of the interval */
};

static uint64_t next_window(struct plan *plan)
{
	const uint64_t room = plan->interval - plan->length;
	const uint64_t first = plan->first;
	plan->first += plan->interval;
	if (!plan->is_equal)
		plan->seed =
		    plan->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return first + (room ? (plan->seed >> 33) % room : 0);
}

/* Adds `part` of `row`'s instructions to the current window. */
static void add_part(const struct run *r, struct tr_estimate *e, size_t row,
		     uint64_t part)
{
	const uint32_t all = r->rows[row].instructions;
	double columns[TR_ESTIMATE_COLUMNS];
	for (unsigned c = 0; c < r->columns; c++)
		columns[c] = (double)r->values[row * r->columns + c] *
			     (all ? (double)part / all : 1);
	need(tr_estimate_add(e, r->rows[row].leaf, part, columns) == TR_OK);
}

static struct tr_estimate *take_windows(const struct run *r, struct plan plan)
{
	struct tr_estimate *e = tr_estimate_new(r->columns);
	struct tr_estimate_leaf *leaves = calloc(r->nleaves, sizeof(*leaves));
	uint64_t at = 0, window = next_window(&plan); /* the current one, or the next */
	bool is_open = false;
	need(e && leaves);
	for (size_t i = 0; i < r->nrows; i++) {
		const uint64_t end = at + r->rows[i].instructions;
		if (at == end && is_open)
			add_part(r, e, i, 0);
		while (at < end && end > window) {
			const uint64_t from = at > window ? at : window;
			const uint64_t to = window + plan.length;
			if (!is_open)
				need(tr_estimate_begin(e) == TR_OK);
			add_part(r, e, i, (end < to ? end : to) - from);
			is_open = end < to;
			if (is_open)
				break;
			window = next_window(&plan);
		}
		at = end;
	}
	for (uint32_t i = 0; i < r->nleaves; i++)
		leaves[i] = (struct tr_estimate_leaf){r->leaves[i].instructions,
						      r->leaves[i].binary};
	need(tr_estimate_finish(e, leaves, r->nleaves) == TR_OK);
	free(leaves);
	return e;
}

static int by_cycles(const void *left, const void *right, void *context)
{
	const struct run *r = context;
	const double a = r->leaves[*(const uint32_t *)left].cycles;
	const double b = r->leaves[*(const uint32_t *)right].cycles;
	return (a < b) - (a > b);
}

static bool contains(const struct tr_bar *bar, double truth)
{
	return fabs(bar->value - truth) <= bar->error;
}

/* Compares the functions, by descending cycles. */
static void compare_functions(const struct run *r, struct tr_estimate *e,
			      const uint32_t *order, double total, struct found *f)
{
	unsigned inside = 0;
	for (uint32_t i = 0; i < r->nleaves && i < ALL; i++) {
		const struct leaf *leaf = &r->leaves[order[i]];
		const struct tr_estimate_part part = {order[i], leaf->instructions};
		const struct tr_bar bar = tr_estimate_sum(e, &part, 1, 1);
		const double share = fabs(bar.value / total - leaf->cycles / r->total[0]);
		if (i < TOP) {
			inside += contains(&bar, leaf->cycles);
			f->share = share > f->share ? share : f->share;
		} else {
			f->rest += contains(&bar, leaf->cycles);
			f->nrest++;
		}
	}
	f->tops += inside;
	f->good += inside >= 17;
}

static void compare_run(const struct run *r, struct tr_estimate *e, const uint32_t *order,
			struct found *f)
{
	struct tr_estimate_part *parts = calloc(r->nleaves, sizeof(*parts));
	need(parts);
	for (uint32_t i = 0; i < r->nleaves; i++)
		parts[i] = (struct tr_estimate_part){i, r->leaves[i].instructions};
	const struct tr_bar bar = tr_estimate_sum(e, parts, r->nleaves, 1);
	const double error = (bar.value - r->total[0]) / r->total[0];
	f->runs++;
	f->totals += contains(&bar, r->total[0]);
	f->squares += error * error;
	f->bars += bar.error / r->total[0];
	f->worst = fabs(error) > f->worst ? fabs(error) : f->worst;
	for (unsigned c = 1; c < r->columns; c++) {
		const struct tr_bar class =
		    tr_estimate_sum(e, parts, r->nleaves, UINT64_C(1) << c);
		const double off =
		    fabs(class.value - r->total[c]) / r->width / (double)r->instructions;
		if (!(r->total[c] > 0))
			continue;
		f->nclasses++;
		f->classes += contains(&class, r->total[c]);
		f->class_error += off > 0.005;
	}
	compare_functions(r, e, order, bar.value, f);
	free(parts);
}

int main(int argc, char **argv)
{
	static struct run r;
	struct found f = {0};
	if (argc < 5 || argc > 6)
		fail("usage: coverage WINDOWS LENGTH RUNS [equal] stacks.tr");
	read_run(&r, argv[argc - 1]);
	const uint64_t windows = strtoull(argv[1], NULL, 10);
	const unsigned runs = (unsigned)strtoul(argv[3], NULL, 10);
	struct plan plan = {.length = strtoull(argv[2], NULL, 10), .is_equal = argc == 6};
	plan.interval = windows ? r.instructions / windows : 0;
	if (!runs || !plan.length || plan.interval < plan.length)
		fail("no windows, or longer ones than there is room for");
	uint32_t *order = calloc(r.nleaves, sizeof(*order));
	need(order);
	for (uint32_t i = 0; i < r.nleaves; i++)
		order[i] = i;
	qsort_r(order, r.nleaves, sizeof(*order), by_cycles, &r);
	for (unsigned k = 0; k < runs; k++) {
		const uint64_t place = (plan.interval - plan.length) * k / runs;
		plan.seed = plan.is_equal ? place << 33 : k;
		plan.first = 0;
		struct tr_estimate *e = take_windows(&r, plan);
		compare_run(&r, e, order, &f);
		tr_estimate_free(e);
	}
	const double top = 100.0 * f.tops / runs / (r.nleaves < TOP ? r.nleaves : TOP);
	printf(
	    "total in %u of %u, error %.2f %% (rms; worst %.2f), bar %.2f %%; top 20 in "
	    "%.1f %%, 17 of them in %u of %u; the next 180 in %.1f %%; share error "
	    "%.2f points; classes in %.1f %%, off by more than 0.005 CPI in %.1f %%\n",
	    f.totals, runs, 100 * sqrt(f.squares / runs), 100 * f.worst,
	    100 * f.bars / runs, top, f.good, runs,
	    f.nrest ? 100.0 * f.rest / f.nrest : 0, 100 * f.share,
	    f.nclasses ? 100.0 * f.classes / f.nclasses : 0,
	    f.nclasses ? 100 * f.class_error / f.nclasses : 0);
	return f.totals < 0.9 * runs || top < 90;
}
