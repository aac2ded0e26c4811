/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the rows of a stream of stacks. */
#include "profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "profile_internal.h"

bool profile_grow_lost(const struct tr_profile *p, uint64_t **all, size_t *capacity,
		       uint32_t count)
{
	const size_t n = p->options.classes;
	if (!n)
		return true;
	if (!tr_grow(all, capacity, (count + 1UL) * n, sizeof(**all)))
		return false;
	memset(*all + count * n, 0, n * sizeof(**all));
	return true;
}

/* The stack of a group; NULL when out of memory. */
static struct profile_cell *add_cell(struct tr_profile *p, uint32_t group, uint32_t node)
{
	if (!tr_grow(&p->cells, &p->cell_capacity, (size_t)p->ncells + 1,
		     sizeof(*p->cells)) ||
	    !profile_grow_lost(p, &p->cell_lost, &p->cell_lost_capacity, p->ncells))
		return NULL;
	struct profile_cell *cell = &p->cells[p->ncells++];
	*cell = (struct profile_cell){.group = group, .node = node};
	return cell;
}

struct tr_profile *tr_profile_new(const struct tr_profile_options *options)
{
	struct tr_profile *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->options = *options;
	if (!tr_grow(&p->nodes, &p->node_capacity, 1, sizeof(*p->nodes)) ||
	    (options->by != TR_BY_THREAD && !add_cell(p, 0, 0))) {
		tr_profile_free(p);
		return NULL;
	}
	p->nodes[p->nnodes++] = (struct profile_node){.func = UINT32_MAX};
	return p;
}

void tr_profile_free(struct tr_profile *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nthreads; i++)
		free(p->threads[i].starts);
	for (uint32_t i = 0; i < p->nstats; i++)
		tr_durations_free(&p->stats[i].durations);
	tr_arena_reset(&p->text);
	tr_map_free(&p->cell_map);
	tr_map_free(&p->stat_map);
	free(p->funcs);
	free(p->nodes);
	free(p->threads);
	free(p->cells);
	free(p->stats);
	free(p->cell_lost);
	free(p->stat_lost);
	free(p);
}

static const char *copy_text(struct tr_profile *p, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&p->text, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

int tr_profile_func(struct tr_profile *p, const struct tr_func *func)
{
	struct tr_func copy = *func;
	if (!tr_name_good(func->name) || !tr_name_good(func->binary))
		return TR_E_CORRUPT;
	copy.name = copy_text(p, func->name);
	copy.binary = copy_text(p, func->binary);
	if (!copy.name || !copy.binary ||
	    !tr_grow(&p->funcs, &p->func_capacity, (size_t)p->nfuncs + 1,
		     sizeof(*p->funcs)))
		return TR_E_NOMEM;
	p->funcs[p->nfuncs++] = copy;
	return TR_OK;
}

int tr_profile_node(struct tr_profile *p, const struct tr_node *node)
{
	if (node->parent >= p->nnodes || node->func >= p->nfuncs ||
	    p->nodes[node->parent].depth == TR_PROFILE_DEPTH)
		return TR_E_CORRUPT;
	if (!tr_grow(&p->nodes, &p->node_capacity, (size_t)p->nnodes + 1,
		     sizeof(*p->nodes)))
		return TR_E_NOMEM;
	const struct profile_node *parent = &p->nodes[node->parent];
	p->nodes[p->nnodes] = (struct profile_node){
	    .parent = node->parent,
	    .func = node->func,
	    .depth = parent->depth + 1,
	    .program = node->parent ? parent->program : node->func,
	};
	if (p->options.by != TR_BY_THREAD &&
	    !add_cell(p, profile_group(p, p->nnodes, 0), p->nnodes))
		return TR_E_NOMEM;
	p->nnodes++;
	return TR_OK;
}

int tr_profile_thread(struct tr_profile *p, const struct tr_thread *thread)
{
	if (!tr_name_good(thread->name))
		return TR_E_CORRUPT;
	size_t size = strlen(thread->name) + 24;
	char *label = tr_arena_take(&p->text, size);
	if (!label || !tr_grow(&p->threads, &p->thread_capacity, (size_t)p->nthreads + 1,
			       sizeof(*p->threads)))
		return TR_E_NOMEM;
	snprintf(label, size, "%s#%" PRIu32, *thread->name ? thread->name : "thread",
		 p->nthreads);
	p->threads[p->nthreads++] = (struct profile_thread){.label = label};
	return TR_OK;
}

uint32_t tr_profile_func_count(const struct tr_profile *p)
{
	return p->nfuncs;
}

uint32_t tr_profile_node_count(const struct tr_profile *p)
{
	return p->nnodes;
}

uint32_t tr_profile_thread_count(const struct tr_profile *p)
{
	return p->nthreads;
}

static struct profile_cell *cell_of(struct tr_profile *p, const struct tr_srow *row)
{
	if (p->options.by != TR_BY_THREAD)
		return &p->cells[row->node];
	uint64_t key = tr_pair_key(row->thread, row->node);
	uint32_t id = tr_map_get(&p->cell_map, key);
	if (id != TR_MAP_NONE)
		return &p->cells[id];
	if (!tr_map_set(&p->cell_map, key, p->ncells))
		return NULL;
	return add_cell(p, row->thread, row->node);
}

static bool has_names(const struct tr_profile *p, const struct tr_srow *row,
		      const struct tr_class_cycles *classes)
{
	for (unsigned i = 0; p->options.classes && i < row->nclasses; i++)
		if (classes[i].class > p->options.classes)
			return false;
	return true;
}

static void add_classes(struct tr_profile *p, const struct profile_cell *cell,
			const struct tr_srow *row, const struct tr_class_cycles *classes)
{
	uint64_t *lost = profile_lost(p, p->cell_lost, (uint32_t)(cell - p->cells));
	for (unsigned i = 0; i < row->nclasses; i++)
		if (classes[i].class)
			lost[classes[i].class - 1] += classes[i].cycles;
}

int tr_profile_row(struct tr_profile *p, const struct tr_srow *row,
		   const struct tr_class_cycles *classes)
{
	if (!row->node || row->node >= p->nnodes || row->thread >= p->nthreads ||
	    __builtin_add_overflow(p->cycles, row->cycles, &p->cycles) ||
	    __builtin_add_overflow(p->instructions, row->instructions, &p->instructions))
		return TR_E_CORRUPT;
	if (!has_names(p, row, classes))
		return TR_E_ARGUMENT;
	struct profile_cell *cell = cell_of(p, row);
	if (!cell || (p->options.calls && !profile_follow_calls(p, row)))
		return TR_E_NOMEM;
	cell->cycles += row->cycles;
	cell->instructions += row->instructions;
	if (p->options.classes)
		add_classes(p, cell, row, classes);
	return TR_OK;
}

uint64_t tr_profile_instructions(const struct tr_profile *p)
{
	return p->instructions;
}
