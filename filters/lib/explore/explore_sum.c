/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the cells of a choice by node. */
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"

bool tr_explore_chooses(const struct tr_explore_choice *choice,
			const struct explore_context *context)
{
	return (choice->hart == TR_EXPLORE_ALL || choice->hart == context->hart) &&
	       (choice->thread == TR_EXPLORE_ALL || choice->thread == context->thread) &&
	       (choice->process == TR_EXPLORE_ALL || choice->process == context->process);
}

unsigned tr_explore_top(const struct tr_classes *classes, const uint64_t *lost,
			uint64_t *slots)
{
	uint64_t sums[TR_MAX_CLASSES + 1] = {0};
	unsigned top = 0;
	for (unsigned c = 1; c <= classes->count; c++)
		sums[classes->group[c] + 1] += lost[c - 1];
	for (unsigned group = 1; group <= classes->ngroups; group++)
		if (sums[group] > sums[top])
			top = group;
	*slots = sums[top];
	return top;
}

static int add_cell(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	struct explore_view *view = context;
	const struct tr_explore *x = view->x;
	const struct explore_cell *cell = &x->cells[sum->key];
	const uint32_t node = cell->node, root = view->choice.root;
	const unsigned columns = explore_columns(x);
	if (!tr_explore_chooses(&view->choice, &x->contexts[cell->context]))
		return TR_OK;
	if (root && (x->position[node] < x->position[root] ||
		     x->position[node] >= x->order[x->position[root]].end))
		return TR_OK;
	view->self[node].cycles += sum->cycles;
	view->self[node].instructions += sum->instructions;
	view->self[node].calls += sum->calls;
	for (unsigned c = 0; c < columns; c++)
		view->lost[(size_t)node * columns + c] += lost[c];
	return TR_OK;
}

static void add_tally(struct explore_tally *to, const struct explore_tally *more)
{
	to->cycles += more->cycles;
	to->instructions += more->instructions;
	to->calls += more->calls;
}

/* Adds each node to its caller. */
static void sum_callers(struct explore_view *view)
{
	const struct tr_explore *x = view->x;
	const unsigned columns = explore_columns(x);
	memcpy(view->total, view->self, x->nnodes * sizeof(*view->total));
	if (columns)
		memcpy(view->total_lost, view->lost,
		       x->nnodes * columns * sizeof(*view->lost));
	for (size_t i = x->nnodes - 1; i; i--) {
		const uint32_t parent = x->nodes[i].parent;
		add_tally(&view->total[parent], &view->total[i]);
		for (unsigned c = 0; c < columns; c++)
			view->total_lost[parent * (size_t)columns + c] +=
			    view->total_lost[i * columns + c];
	}
	view->sum = view->total[0];
	view->sum_lost = view->total_lost;
}

static bool is_choice(const struct tr_explore *x, const struct tr_explore_choice *choice)
{
	return choice->from < choice->to && choice->root < x->nnodes &&
	       (choice->thread == TR_EXPLORE_ALL || choice->thread < x->threads.count) &&
	       (choice->process == TR_EXPLORE_ALL ||
		choice->process < x->processes.count);
}

int tr_explore_sum(struct tr_explore *x, const struct tr_explore_choice *choice,
		   struct explore_view *view)
{
	const size_t slices = tr_explore_slices(x);
	*view = (struct explore_view){.x = x, .choice = *choice};
	if (!is_choice(x, choice))
		return TR_E_ARGUMENT;
	const uint64_t first = choice->from / x->length;
	const uint64_t end = choice->to / x->length + (choice->to % x->length != 0);
	view->end = end < slices ? (size_t)end : slices;
	view->first = first < view->end ? (size_t)first : view->end;
	int status = tr_explore_order(x);
	if (status)
		return status;
	const size_t lost = x->nnodes * explore_columns(x) + 1;
	view->self = calloc(x->nnodes, sizeof(*view->self));
	view->total = calloc(x->nnodes, sizeof(*view->total));
	view->lost = calloc(lost, sizeof(*view->lost));
	view->total_lost = calloc(lost, sizeof(*view->lost));
	if (!view->self || !view->total || !view->lost || !view->total_lost)
		return TR_E_NOMEM;
	status = tr_explore_each(x, view->first, view->end, add_cell, view);
	if (!status)
		sum_callers(view);
	return status;
}

void tr_explore_sum_release(struct explore_view *view)
{
	free(view->self);
	free(view->total);
	free(view->lost);
	free(view->total_lost);
}
