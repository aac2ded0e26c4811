/* SPDX-License-Identifier: Apache-2.0 */
/* The profile of a sampled run: the rows of one hart are windows (sample/estimate.h),
 * from which the cycles of the stacks of the others are estimated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_internal.h"
#include "sample/estimate.h"

/* What a node of the stream executed in a group, in the whole run. */
struct sample_cell {
	uint64_t cycles, instructions; /* as in the stream */
	uint32_t group, raw;
};

struct sample_raw {
	uint32_t leaf;
	uint32_t last_cell; /* 1 + that of its last row; 0: none */
};

struct profile_sample {
	/* Columns: cycles, slots of each class, and those of none. */
	struct tr_estimate *estimate;
	bool is_between; /* windows */
	struct sample_cell *cells;
	struct tr_map cell_map;	 /* from (group, raw node) */
	struct sample_raw *raws; /* nodes of the stream */
	uint32_t *leaves;	 /* functions */
	struct tr_map leaf_map;	 /* from function */
	uint32_t ncells, nraws, nleaves;
	size_t cell_capacity, raw_capacity, leaf_capacity;
};

bool tr_profile_sample_new(struct tr_profile *p)
{
	struct profile_sample *s = calloc(1, sizeof(*s));
	p->sample = s;
	if (!s)
		return false;
	s->is_between = true;
	s->estimate = tr_estimate_new(2 + p->options.classes);
	return s->estimate && tr_grow(&s->raws, &s->raw_capacity, 1, sizeof(*s->raws));
}

void tr_profile_sample_free(struct tr_profile *p)
{
	struct profile_sample *s = p->sample;
	if (!s)
		return;
	tr_estimate_free(s->estimate);
	tr_map_free(&s->cell_map);
	tr_map_free(&s->leaf_map);
	free(s->cells);
	free(s->raws);
	free(s->leaves);
	free(s);
}

/* Finds or adds the leaf of a function. Returns a status. */
static int find_leaf(struct profile_sample *s, uint32_t func, uint32_t *leaf)
{
	*leaf = tr_map_get(&s->leaf_map, func);
	if (*leaf != TR_MAP_NONE)
		return TR_OK;
	*leaf = s->nleaves;
	if (!tr_grow(&s->leaves, &s->leaf_capacity, (size_t)s->nleaves + 1,
		     sizeof(*s->leaves)) ||
	    !tr_map_set(&s->leaf_map, func, s->nleaves))
		return TR_E_NOMEM;
	s->leaves[s->nleaves++] = func;
	return TR_OK;
}

int tr_profile_sample_node(struct tr_profile *p, const struct tr_node *node)
{
	struct profile_sample *s = p->sample;
	const uint32_t func = p->first_func + node->func;
	const bool is_inner = !profile_is_call(&p->funcs[func]) && node->parent;
	uint32_t leaf;
	if (is_inner)
		leaf = s->raws[node->parent].leaf;
	else if (find_leaf(s, func, &leaf))
		return TR_E_NOMEM;
	if (!tr_grow(&s->raws, &s->raw_capacity, (size_t)p->nraws + 1, sizeof(*s->raws)))
		return TR_E_NOMEM;
	s->raws[p->nraws] = (struct sample_raw){.leaf = leaf};
	return TR_OK;
}

bool tr_profile_sample_is_window(const struct tr_profile *p,
				 const struct profile_row *row)
{
	return p->sample && p->harts[row->hart].number == p->options.sample.hart;
}

int tr_profile_sample_window(struct tr_profile *p, const struct profile_row *row)
{
	struct profile_sample *s = p->sample;
	const struct tr_srow *srow = row->srow;
	const uint8_t charge = p->raws[srow->node].charge;
	double columns[TR_ESTIMATE_COLUMNS] = {0}, idle = 0, known = 0;
	if (charge == CHARGE_GAP || charge == CHARGE_LOST) {
		s->is_between = true;
		return TR_OK;
	}
	if (!srow->cycles && !srow->instructions && !srow->nclasses)
		return TR_OK;
	if (s->is_between && tr_estimate_begin(s->estimate))
		return TR_E_NOMEM;
	s->is_between = false;
	for (unsigned i = 0; i < srow->nclasses; i++) {
		const struct tr_class_cycles *part = &row->classes[i];
		if (p->options.sample.idle >> part->class & 1)
			idle += (double)part->cycles;
		else if (part->class && part->class <= p->options.classes)
			columns[part->class] += (double)part->cycles;
	}
	columns[0] = (double)srow->cycles - idle / p->width;
	for (unsigned c = 0; c <= p->options.classes; c++)
		known += c ? columns[c] : (double)srow->instructions;
	columns[p->options.classes + 1] = columns[0] * p->width - known;
	return tr_estimate_add(s->estimate, s->raws[srow->node].leaf, srow->instructions,
			       columns);
}

/* Finds or adds the sums of a node in a group. Returns NULL when out of memory. */
static struct sample_cell *find_sample_cell(const struct tr_profile *p, uint32_t group,
					    uint32_t node)
{
	struct profile_sample *s = p->sample;
	const uint64_t key = tr_pair_key(group, node);
	/* Most rows are of the only group that a node has. */
	const uint32_t last = s->raws[node].last_cell;
	if (last && s->cells[last - 1].group == group)
		return &s->cells[last - 1];
	uint32_t id = tr_map_get(&s->cell_map, key);
	if (id == TR_MAP_NONE) {
		id = s->ncells;
		if (!tr_grow(&s->cells, &s->cell_capacity, (size_t)id + 1,
			     sizeof(*s->cells)) ||
		    !tr_map_set(&s->cell_map, key, id))
			return NULL;
		s->cells[s->ncells++] = (struct sample_cell){.group = group, .raw = node};
	}
	s->raws[node].last_cell = id + 1;
	return &s->cells[id];
}

int tr_profile_sample_charge(struct tr_profile *p, const struct profile_row *row,
			     uint32_t group)
{
	struct sample_cell *cell = find_sample_cell(p, group, row->srow->node);
	if (!cell)
		return TR_E_NOMEM;
	cell->cycles += row->srow->cycles;
	cell->instructions += row->srow->instructions;
	return TR_OK;
}

/* The binary of a leaf. */
struct sample_binary {
	const char *name;
	uint32_t leaf;
};

static int by_binary(const void *left, const void *right)
{
	const struct sample_binary *a = left, *b = right;
	const int order = strcmp(a->name, b->name);
	return order ? order : (a->leaf > b->leaf) - (a->leaf < b->leaf);
}

/* Numbers the binaries of the leaves. Returns a status. */
static int number_binaries(const struct tr_profile *p, struct tr_estimate_leaf *leaves)
{
	const struct profile_sample *s = p->sample;
	struct sample_binary *all = calloc((size_t)s->nleaves + 1, sizeof(*all));
	uint32_t number = 0;
	if (!all)
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < s->nleaves; i++)
		all[i] = (struct sample_binary){p->funcs[s->leaves[i]].binary, i};
	qsort(all, s->nleaves, sizeof(*all), by_binary);
	for (uint32_t i = 0; i < s->nleaves; i++) {
		number += i && strcmp(all[i - 1].name, all[i].name) != 0;
		leaves[all[i].leaf].binary = number;
	}
	free(all);
	return TR_OK;
}

/* Tells the estimate how many instructions each leaf executed. Returns a status. */
static int finish_leaves(struct tr_profile *p)
{
	struct profile_sample *s = p->sample;
	struct tr_estimate_leaf *leaves = calloc((size_t)s->nleaves + 1, sizeof(*leaves));
	int status = leaves ? number_binaries(p, leaves) : TR_E_NOMEM;
	for (uint32_t i = 0; i < s->ncells && !status; i++)
		leaves[s->raws[s->cells[i].raw].leaf].instructions +=
		    s->cells[i].instructions;
	if (!status)
		status = tr_estimate_finish(s->estimate, leaves, s->nleaves);
	free(leaves);
	return status;
}

/* Divides the slots in which the instructions of a stack did not retire among the classes
 * as their rates are, rounded so that they add up; what is left has no class. */
static void divide_slots(struct tr_profile *p, uint32_t leaf, uint32_t cell,
			 uint64_t slots, uint64_t instructions)
{
	const struct tr_estimate *e = p->sample->estimate;
	uint64_t *lost = profile_lost(p, p->cell_lost, cell);
	const double rest = slots > instructions ? (double)(slots - instructions) : 0;
	double all = tr_estimate_rate(e, leaf, 0) * p->width - 1, sum = 0;
	double known = 0;
	uint64_t given = 0;
	for (unsigned c = 1; c <= p->options.classes; c++)
		known += tr_estimate_rate(e, leaf, c);
	if (all < known)
		all = known;
	for (unsigned c = 1; c <= p->options.classes && all > 0; c++) {
		sum += tr_estimate_rate(e, leaf, c);
		const uint64_t until = (uint64_t)(rest * (sum / all) + 0.5);
		lost[c - 1] += until - given;
		given = until;
	}
	if (profile_counts_slots(p))
		profile_rest(p, cell)[PROFILE_NO_CLASS] += (uint64_t)rest - given;
}

/* Charges the idle cycles of a stack: to it, or to [idle]. Returns a status. */
static int charge_sample_idle(struct tr_profile *p, const struct sample_cell *of,
			      uint64_t idle, uint32_t cell)
{
	unsigned class = 0;
	uint32_t to = cell;
	while (class < p->options.classes && !(p->options.sample.idle >> (class + 1) & 1))
		class ++;
	if (p->options.idle &&
	    tr_profile_cell_of(p, p->options.by == TR_BY_HART ? of->group : GROUP_NONE,
			       p->idle_node, &to))
		return TR_E_NOMEM;
	p->cells[to].cycles += idle;
	if (class < p->options.classes)
		profile_lost(p, p->cell_lost, to)[class] += idle * p->width;
	return TR_OK;
}

/* Charges what a stack executed. `carried` is what the stacks of each leaf were rounded
 * by, so that its own cycles are rounded once. Returns a status. */
static int charge_sample_cell(struct tr_profile *p, uint32_t i, double *carried)
{
	struct profile_sample *s = p->sample;
	const struct sample_cell *of = &s->cells[i];
	const struct profile_raw *raw = &p->raws[of->raw];
	const uint32_t leaf = s->raws[of->raw].leaf;
	const bool is_gap = raw->charge == CHARGE_GAP || raw->charge == CHARGE_LOST;
	const uint64_t idle =
	    of->cycles > of->instructions ? of->cycles - of->instructions : 0;
	const double cycles =
	    (double)of->instructions * tr_estimate_rate(s->estimate, leaf, 0) +
	    carried[leaf];
	/* 63 bits, also of slots, and of the sum */
	if (!(cycles * p->width < 0x1p62) || idle > (UINT64_C(1) << 62) / p->width)
		return TR_E_CORRUPT;
	const uint64_t whole = (uint64_t)(cycles + 0.5);
	uint32_t cell;
	carried[leaf] = cycles - (double)whole;
	if (tr_profile_cell_of(p, of->group,
			       raw->is_left_out ? p->left_out_node : raw->node, &cell))
		return TR_E_NOMEM;
	p->cells[cell].cycles += whole;
	p->cells[cell].instructions += of->instructions;
	p->cycles += whole + idle;
	p->instructions += of->instructions;
	if (p->cycles > (UINT64_C(1) << 62) / p->width)
		return TR_E_CORRUPT;
	p->charges[0][raw->charge] += whole + idle;
	p->charges[1][raw->charge] += of->instructions;
	if (p->options.classes)
		divide_slots(p, leaf, cell, whole * p->width, of->instructions);
	if (!idle)
		return TR_OK;
	if (!is_gap)
		return charge_sample_idle(p, of, idle, cell);
	p->cells[cell].cycles += idle;
	if (profile_counts_slots(p))
		profile_rest(p, cell)[PROFILE_UNTRACED] += idle * p->width;
	return TR_OK;
}

int tr_profile_sample_finish(struct tr_profile *p)
{
	double *carried = calloc((size_t)p->sample->nleaves + 1, sizeof(*carried));
	int status = carried ? finish_leaves(p) : TR_E_NOMEM;
	for (uint32_t i = 0; i < p->sample->ncells && !status; i++)
		status = charge_sample_cell(p, i, carried);
	free(carried);
	return status;
}

bool tr_profile_sample_part(const struct tr_profile *p, uint32_t i, uint32_t *group,
			    uint32_t *node, struct tr_estimate_part *part)
{
	const struct profile_sample *s = p->sample;
	if (i >= s->ncells)
		return false;
	const struct sample_cell *of = &s->cells[i];
	const struct profile_raw *raw = &p->raws[of->raw];
	*node = raw->is_left_out ? p->left_out_node : raw->node;
	*group = p->is_direct ? p->cells[*node].group : of->group;
	*part = (struct tr_estimate_part){s->raws[of->raw].leaf, of->instructions};
	return true;
}

double tr_profile_sample_error(const struct tr_profile *p, uint32_t group, uint64_t mask)
{
	const struct profile_sample *s = p->sample;
	struct tr_estimate_part *parts = calloc((size_t)s->nleaves + 1, sizeof(*parts));
	if (!parts)
		return INFINITY;
	for (uint32_t i = 0; i < s->nleaves; i++)
		parts[i].leaf = i;
	struct tr_estimate_part part;
	uint32_t of, node;
	for (uint32_t i = 0; tr_profile_sample_part(p, i, &of, &node, &part); i++)
		if (group == UINT32_MAX || of == group)
			parts[part.leaf].instructions += part.instructions;
	const double error =
	    tr_estimate_sum(s->estimate, parts, s->nleaves, mask & 1 ? 1 : mask).error;
	free(parts);
	return error;
}

double tr_profile_error(const struct tr_profile *p)
{
	return p->sample ? tr_profile_sample_error(p, UINT32_MAX, 1) : 0;
}

struct tr_estimate *tr_profile_estimate(const struct tr_profile *p)
{
	return p->sample ? p->sample->estimate : NULL;
}
