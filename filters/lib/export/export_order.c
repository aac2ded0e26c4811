/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as tables. */
#include "export/export_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* Scratch, by node of the profile; node 0 is the root. */
struct work {
	const struct tr_export *export;
	struct tr_export_order *order;
	uint32_t nnodes;
	uint32_t *sizes; /* nodes in use at and above this one; 0: not in use */
	uint32_t *ranks; /* position in the order of a flame graph */
	uint32_t *next;	 /* rank of the next child */
	uint32_t *stacks;
	struct tr_map funcs;
};

/* Marks the nodes of all stacks in use and counts them. */
static void count_nodes(struct work *w)
{
	const struct tr_profile *p = w->export->profile;
	struct tr_profile_stack stack;
	for (uint32_t i = 0; tr_profile_stack(p, i, &stack); i++)
		if (stack.value[w->export->which]) {
			w->sizes[stack.node] = 1;
			w->order->nsamples++;
		}
	for (uint32_t node = w->nnodes - 1; node; node--) {
		uint32_t parent;
		if (!w->sizes[node])
			continue;
		tr_profile_frame(p, node, &parent);
		w->sizes[parent] += w->sizes[node] + !w->sizes[parent];
		w->order->nstacks++;
	}
}

/* Finds or adds the function of a frame. Returns a status. */
static int find_or_add_func(struct work *w, const struct tr_func *func, uint32_t *id)
{
	struct tr_export_order *o = w->order;
	uint32_t binary;
	*id = tr_map_get(&w->funcs, (uintptr_t)func);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	for (binary = *func->binary ? 0 : TR_EXPORT_NO_BINARY; binary < o->nbinaries;
	     binary++)
		if (strcmp(o->binaries[binary], func->binary) == 0)
			break;
	if (binary == o->nbinaries)
		o->binaries[o->nbinaries++] = func->binary;
	*id = o->nfuncs;
	o->funcs[o->nfuncs++] = (struct tr_export_func){func, binary};
	return tr_map_set(&w->funcs, (uintptr_t)func, *id) ? TR_OK : TR_E_NOMEM;
}

/* Ranks the nodes in use, callers first, callees in order of appearance, and makes their
 * stacks. Returns a status. */
static int add_used_stacks(struct work *w)
{
	struct tr_export_order *o = w->order;
	uint32_t count = 0;
	int status = TR_OK;
	for (uint32_t node = 1; node < w->nnodes && !status; node++) {
		struct tr_export_stack *stack = &o->stacks[count];
		uint32_t parent;
		if (!w->sizes[node])
			continue;
		const struct tr_func *func =
		    tr_profile_frame(w->export->profile, node, &parent);
		w->ranks[node] = w->next[parent];
		w->next[parent] += w->sizes[node];
		w->next[node] = w->ranks[node] + 1;
		status = find_or_add_func(w, func, &stack->func);
		stack->is_root = parent == 0;
		stack->parent = w->stacks[parent];
		w->stacks[node] = count++;
	}
	return status;
}

/* Returns the name of a stack's first frame. */
static const char *stack_root_name(const struct tr_profile *p, uint32_t node)
{
	const struct tr_func *func;
	uint32_t parent = node;
	do {
		node = parent;
		func = tr_profile_frame(p, node, &parent);
	} while (parent);
	return func->name;
}

static int by_thread(const void *left, const void *right)
{
	const struct tr_export_sample *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

static void add_stack_samples(struct work *w)
{
	const struct tr_profile *p = w->export->profile;
	struct tr_export_order *o = w->order;
	struct tr_profile_stack stack;
	uint32_t n = 0;
	for (uint32_t i = 0; tr_profile_stack(p, i, &stack); i++)
		if (stack.value[w->export->which])
			o->samples[n++] = (struct tr_export_sample){
			    .value = stack.value[w->export->which],
			    .name = stack.group ? stack.group
						: stack_root_name(p, stack.node),
			    .stack = w->stacks[stack.node],
			    .rank = w->ranks[stack.node]};
	qsort(o->samples, n, sizeof(*o->samples), by_thread);
	for (uint32_t i = 0; i < n; i++) {
		struct tr_export_thread *thread = &o->threads[o->nthreads];
		if (!i || strcmp(o->samples[i].name, o->samples[i - 1].name) != 0) {
			*thread = (struct tr_export_thread){.name = o->samples[i].name,
							    .first = i};
			o->nthreads++;
		} else {
			thread--;
		}
		thread->count++;
		thread->sum += o->samples[i].value;
	}
}

static bool allocate_order(struct work *w)
{
	struct tr_export_order *o = w->order;
	o->funcs = calloc(o->nstacks + 1UL, sizeof(*o->funcs));
	o->binaries = calloc(o->nstacks + 1UL, sizeof(*o->binaries));
	o->stacks = calloc(o->nstacks + 1UL, sizeof(*o->stacks));
	o->samples = calloc(o->nsamples + 1UL, sizeof(*o->samples));
	o->threads = calloc(o->nsamples + 1UL, sizeof(*o->threads));
	return o->funcs && o->binaries && o->stacks && o->samples && o->threads;
}

int tr_export_order_make(struct tr_export_order *order, const struct tr_export *export)
{
	struct work w = {.export = export,
			 .order = order,
			 .nnodes = tr_profile_node_count(export->profile)};
	*order = (struct tr_export_order){0};
	w.sizes = calloc(w.nnodes, sizeof(*w.sizes));
	w.ranks = calloc(w.nnodes, sizeof(*w.ranks));
	w.next = calloc(w.nnodes, sizeof(*w.next));
	w.stacks = calloc(w.nnodes, sizeof(*w.stacks));
	int status = TR_E_NOMEM;
	if (w.sizes && w.ranks && w.next && w.stacks) {
		count_nodes(&w);
		status = allocate_order(&w) ? add_used_stacks(&w) : TR_E_NOMEM;
	}
	if (!status)
		add_stack_samples(&w);
	tr_map_free(&w.funcs);
	free(w.sizes);
	free(w.ranks);
	free(w.next);
	free(w.stacks);
	return status;
}

void tr_export_order_release(struct tr_export_order *order)
{
	free(order->funcs);
	free(order->binaries);
	free(order->stacks);
	free(order->samples);
	free(order->threads);
	*order = (struct tr_export_order){0};
}

const char *tr_export_binary_value(const struct tr_header *header, const char *binary,
				   const char *below)
{
	const char *name;
	for (uint32_t n = 0; (name = tr_header_bin(header, n, ".name")) != NULL; n++)
		if (strcmp(name, binary) == 0)
			return tr_header_bin(header, n, below);
	return NULL;
}
