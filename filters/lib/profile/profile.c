/* SPDX-License-Identifier: Apache-2.0 */
/* Aggregates the rows of a stream of stacks. */
#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "profile/profile_internal.h"

bool tr_profile_grow_lost(const struct tr_profile *p, uint64_t **all, size_t *capacity,
			  uint32_t count)
{
	const size_t n = p->columns;
	if (!n)
		return true;
	if (!tr_grow(all, capacity, (count + 1UL) * n, sizeof(**all)))
		return false;
	memset(*all + count * n, 0, n * sizeof(**all));
	return true;
}

struct profile_cell *tr_profile_add_cell(struct tr_profile *p, uint32_t group,
					 uint32_t node)
{
	if (!tr_grow(&p->cells, &p->cell_capacity, (size_t)p->ncells + 1,
		     sizeof(*p->cells)) ||
	    !tr_profile_grow_lost(p, &p->cell_lost, &p->cell_lost_capacity, p->ncells))
		return NULL;
	struct profile_cell *cell = &p->cells[p->ncells++];
	*cell = (struct profile_cell){.group = group, .node = node};
	return cell;
}

/* Derives settings from the options. Returns false when out of memory. */
static bool derive_settings(struct tr_profile *p)
{
	const struct tr_profile_options *o = &p->options;
	const bool is_late =
	    tr_profile_bound_is_late(&o->from) || tr_profile_bound_is_late(&o->to);
	p->joins_nodes = o->nfold || o->nhide || o->merge_recursion;
	p->mixes_charges = p->joins_nodes || o->nfocus;
	p->is_direct = o->by == TR_BY_JOINED || o->by == TR_BY_PROGRAM;
	p->first_cycle = UINT64_MAX;
	p->from = tr_profile_bound_is_late(&o->from) ? UINT64_MAX : o->from.cycle;
	p->to = tr_profile_bound_is_late(&o->to) ? UINT64_MAX : o->to.cycle;
	p->is_cut = is_late || p->from || p->to != UINT64_MAX;
	p->follows = o->calls || o->histogram || o->from.function || o->to.function;
	p->width = o->commit_width > 1 ? o->commit_width : 1;
	p->columns = o->classes;
	if (profile_counts_slots(p))
		p->columns += PROFILE_MORE_COLUMNS;
	p->is_plain = p->is_direct && !p->is_cut && !p->follows && !o->classes &&
		      !o->idle && !o->counter && !o->nfocus && !o->sample.is_sampled;
	if (is_late && !(p->held = calloc(TR_MAX_HARTS, sizeof(*p->held))))
		return false;
	if ((o->from.mark || o->to.mark) && !(p->bounds = tr_profile_bounds_new()))
		return false;
	if (o->counter && !tr_profile_counter_new(p))
		return false;
	if (o->sample.is_sampled && !tr_profile_sample_new(p))
		return false;
	return tr_grow(&p->nodes, &p->node_capacity, 1, sizeof(*p->nodes)) &&
	       tr_grow(&p->raws, &p->raw_capacity, 1, sizeof(*p->raws)) &&
	       (!p->is_direct || tr_profile_add_cell(p, 0, 0)) &&
	       tr_profile_define_own(p);
}

struct tr_profile *tr_profile_new(const struct tr_profile_options *options)
{
	struct tr_profile *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->options = *options;
	if (derive_settings(p))
		return p;
	tr_profile_free(p);
	return NULL;
}

void tr_profile_free(struct tr_profile *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nthreads; i++)
		free(p->threads[i].starts);
	for (uint32_t i = 0; i < p->nstats; i++) {
		tr_durations_free(&p->stats[i].durations);
		free(p->stats[i].slowest);
	}
	tr_durations_free(&p->timed);
	tr_profile_counter_free(p);
	tr_profile_sample_free(p);
	tr_arena_reset(&p->text);
	tr_map_free(&p->node_map);
	tr_map_free(&p->process_map);
	tr_map_free(&p->process_tasks);
	tr_map_free(&p->cell_map);
	tr_map_free(&p->stat_map);
	free(p->funcs);
	free(p->marks);
	free(p->raws);
	free(p->nodes);
	free(p->threads);
	free(p->processes);
	free(p->tasks);
	free(p->cells);
	free(p->stats);
	free(p->cell_lost);
	free(p->stat_lost);
	free(p->held);
	tr_profile_bounds_free(p->bounds);
	free(p);
}

static struct profile_cell *cell_of(struct tr_profile *p, uint32_t group, uint32_t node)
{
	if (p->is_direct)
		return &p->cells[node];
	uint64_t key = tr_pair_key(group, node);
	uint32_t id = tr_map_get(&p->cell_map, key);
	if (id != TR_MAP_NONE)
		return &p->cells[id];
	if (!tr_map_set(&p->cell_map, key, p->ncells))
		return NULL;
	return tr_profile_add_cell(p, group, node);
}

int tr_profile_cell_of(struct tr_profile *p, uint32_t group, uint32_t node, uint32_t *id)
{
	const struct profile_cell *cell = cell_of(p, group, node);
	if (!cell)
		return TR_E_NOMEM;
	*id = (uint32_t)(cell - p->cells);
	return TR_OK;
}

/* Returns the group of a row's idle cycles: they are of a hart, but of nothing else. */
static uint32_t idle_group(const struct tr_profile *p, const struct profile_row *row)
{
	return p->options.by == TR_BY_HART ? row->hart : GROUP_NONE;
}

/* Charges the row's idle cycles to [idle]; the rest excludes them. Of a wide cycle all
 * slots must be idle. Returns a status. */
static int charge_idle(struct tr_profile *p, const struct profile_row *row,
		       uint64_t *waited)
{
	uint64_t slots = 0;
	for (unsigned i = 0; i < row->srow->nclasses; i++)
		if (p->options.idle >> row->classes[i].class & 1)
			slots += row->classes[i].cycles;
	if (!slots)
		return TR_OK;
	*waited = slots / p->width;
	if (*waited > row->srow->cycles)
		*waited = row->srow->cycles;
	struct profile_cell *cell = cell_of(p, idle_group(p, row), p->idle_node);
	if (!cell)
		return TR_E_NOMEM;
	cell->cycles += *waited;
	return TR_OK;
}

static void charge_class_slots(struct tr_profile *p, uint32_t id,
			       const struct profile_row *row)
{
	for (unsigned i = 0; i < row->srow->nclasses; i++) {
		const struct tr_class_cycles *part = &row->classes[i];
		uint32_t to = id;
		if (!part->class || !part->cycles)
			continue;
		if (p->options.idle >> part->class & 1)
			to = (uint32_t)(cell_of(p, idle_group(p, row), p->idle_node) -
					p->cells);
		profile_lost(p, p->cell_lost, to)[part->class - 1] += part->cycles;
	}
	if (profile_counts_slots(p))
		tr_profile_charge_rest(p, row, id);
}

static struct tr_profile_step step_of(const struct tr_profile *p,
				      const struct profile_row *row, uint32_t group)
{
	const struct profile_raw *raw = &p->raws[row->srow->node];
	return (struct tr_profile_step){
	    .cycle = row->time,
	    .cycles = row->srow->cycles,
	    .instructions = row->srow->instructions,
	    .hart = p->harts[row->hart].number,
	    .thread = row->srow->thread,
	    .node = raw->is_left_out ? p->left_out_node : raw->node,
	    .raw = row->srow->node,
	    .group = group,
	    .priv = row->context.priv,
	    .has_context = row->has_context,
	    .fresh = row->srow->fresh && !raw->is_inside && !raw->is_left_out,
	    .is_gap = raw->charge == CHARGE_GAP || raw->charge == CHARGE_LOST};
}

int tr_profile_show_row(struct tr_profile *p, const struct profile_row *row,
			uint32_t group)
{
	const struct tr_profile_step step = step_of(p, row, group);
	return p->observe_row(p->row_observer, &step);
}

/* Shows a row; `waited` of its cycles, at its end, are idle. Returns a status. */
static int show_row(struct tr_profile *p, const struct profile_row *row, uint32_t group,
		    uint64_t waited)
{
	struct tr_profile_step step = step_of(p, row, group);
	step.cycles -= waited;
	int status = p->observe(p->observer, &step);
	if (status || !waited)
		return status;
	step.cycle += step.cycles;
	step.cycles = waited;
	step.instructions = 0;
	step.node = p->idle_node;
	step.is_gap = true;
	return p->observe(p->observer, &step);
}

int tr_profile_charge_row(struct tr_profile *p, const struct profile_row *row)
{
	const struct profile_raw *raw = &p->raws[row->srow->node];
	uint64_t waited = 0;
	uint32_t group = 0;
	if (p->sample) {
		int status = p->is_direct ? TR_OK : tr_profile_row_group(p, row, &group);
		return status ? status : tr_profile_sample_charge(p, row, group);
	}
	p->cycles += row->srow->cycles;
	p->instructions += row->srow->instructions;
	p->charges[0][raw->charge] += row->srow->cycles;
	p->charges[1][raw->charge] += row->srow->instructions;
	int status = p->options.idle ? charge_idle(p, row, &waited) : TR_OK;
	if (!status && !p->is_direct)
		status = tr_profile_row_group(p, row, &group);
	if (status)
		return status;
	/* A row may have slots of a cycle, but no time. */
	if (p->observe && !profile_is_slots_only(row))
		status = show_row(p, row, group, waited);
	if (status || p->has_no_sums)
		return status;
	struct profile_cell *cell =
	    cell_of(p, group, raw->is_left_out ? p->left_out_node : raw->node);
	if (!cell)
		return TR_E_NOMEM;
	cell->cycles += row->srow->cycles - waited;
	cell->instructions += row->srow->instructions;
	if (p->options.classes)
		charge_class_slots(p, (uint32_t)(cell - p->cells), row);
	if (p->counter && !tr_profile_counter_run(p, row, (uint32_t)(cell - p->cells)))
		return TR_E_NOMEM;
	return TR_OK;
}

void tr_profile_observe(struct tr_profile *p,
			int (*take)(void *context, const struct tr_profile_step *),
			void *context, bool sums)
{
	p->observe = take;
	p->observer = context;
	p->is_plain = false;
	p->has_no_sums = !sums;
}

void tr_profile_observe_rows(struct tr_profile *p,
			     int (*take)(void *context, const struct tr_profile_step *),
			     void *context)
{
	p->observe_row = take;
	p->row_observer = context;
	p->is_plain = false;
}

void tr_profile_slice(struct tr_profile *p, struct tr_profile_slicer *slicer)
{
	p->slicer = slicer;
	p->follows = true;
	p->has_no_sums = true;
	tr_profile_observe_rows(p, slicer->row, slicer->context);
}

uint64_t tr_profile_taken(const struct tr_profile *p, bool instructions)
{
	return p->seen[instructions];
}

struct tr_charge tr_profile_charge(const struct tr_profile *p, bool instructions)
{
	const uint64_t *of = p->charges[instructions];
	return (struct tr_charge){.charged = instructions ? p->instructions : p->cycles,
				  .lost = of[CHARGE_LOST],
				  .gap = of[CHARGE_GAP],
				  .unknown = of[CHARGE_UNKNOWN],
				  .nameless = of[CHARGE_NAMELESS],
				  .ambiguous = of[CHARGE_AMBIGUOUS],
				  .before = p->before[instructions],
				  .after = p->after[instructions]};
}

struct tr_profile_timing tr_profile_timing(const struct tr_profile *p)
{
	struct tr_profile_timing timing = {
	    .durations = &p->timed, .slowest = &p->slowest, .calls = p->timed_calls};
	for (uint32_t i = 0; i < p->nfuncs; i++)
		timing.functions +=
		    profile_is_shown(p, i) && p->marks[i].flags & FUNC_TIMED;
	return timing;
}

const struct tr_profile_options *tr_profile_options_of(const struct tr_profile *p)
{
	return &p->options;
}
