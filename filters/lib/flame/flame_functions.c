/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a flame graph's frames, and their binaries. */
#include <stdlib.h>
#include <string.h>

#include "flame/flame_internal.h"

static bool is_node_function(const struct flame_function *function,
			     const struct tr_folded_node *node)
{
	return function->func == node->func && function->tint == node->tint &&
	       function->priv == node->priv;
}

/* Finds or adds the function of a node. `first` has the first function of each name. */
static uint32_t find_node_function(struct flame_layout *layout,
				   const struct tr_folded_node *node, uint32_t *first)
{
	uint32_t at = first[node->name_id];
	for (; at; at = layout->functions[at].next)
		if (is_node_function(&layout->functions[at], node))
			return at;
	layout->functions[layout->nfunctions] = (struct flame_function){
	    .name = node->name,
	    .func = node->func,
	    .next = first[node->name_id],
	    .binary = FLAME_NO_BINARY,
	    .tint = node->tint,
	    .priv = node->priv,
	};
	first[node->name_id] = layout->nfunctions;
	return layout->nfunctions++;
}

/* The functions are listed; this is the order of their binaries. */
struct binary {
	const char *name;
	uint64_t self;
	uint32_t function; /* later: the binary's place in the order of names */
};

static int compare_binary_names(const void *left, const void *right)
{
	const struct binary *a = left, *b = right;
	return strcmp(a->name, b->name);
}

static int by_self(const void *left, const void *right)
{
	const struct binary *a = left, *b = right;
	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	return strcmp(a->name, b->name);
}

static const char *function_binary(const struct flame_function *function)
{
	return function->func ? function->func->binary : "";
}

/* Joins the functions of each binary: sorts `all` by name, numbers the functions'
 * binaries in that order, and adds up their cycles. Returns the number of binaries. */
static uint32_t join_function_binaries(struct flame_layout *layout, struct binary *all)
{
	uint32_t count = 0, nall = 0;
	for (uint32_t i = 0; i < layout->nfunctions; i++) {
		const struct flame_function *function = &layout->functions[i];
		if (*function_binary(function))
			all[nall++] =
			    (struct binary){function_binary(function), function->self, i};
	}
	qsort(all, nall, sizeof(*all), compare_binary_names);
	for (uint32_t i = 0; i < nall; i++) {
		struct binary one = all[i];
		if (!count || strcmp(all[count - 1].name, one.name) != 0) {
			all[count] = (struct binary){one.name, 0, count};
			count++;
		}
		all[count - 1].self += one.self;
		layout->functions[one.function].binary = count - 1;
	}
	return count;
}

static bool list_flame_binaries(struct flame_layout *layout)
{
	struct binary *all = calloc((size_t)layout->nfunctions + 1, sizeof(*all));
	uint32_t *rank = calloc((size_t)layout->nfunctions + 1, sizeof(*rank));
	bool good = all && rank;
	if (good) {
		layout->nbinaries = join_function_binaries(layout, all);
		layout->binaries =
		    calloc((size_t)layout->nbinaries + 1, sizeof(*layout->binaries));
		good = layout->binaries != NULL;
	}
	if (good) {
		for (uint32_t i = 0; i < layout->nbinaries; i++)
			all[i].function = i;
		qsort(all, layout->nbinaries, sizeof(*all), by_self);
		for (uint32_t i = 0; i < layout->nbinaries; i++) {
			layout->binaries[i] = all[i].name;
			rank[all[i].function] = i;
		}
		for (uint32_t i = 0; i < layout->nfunctions; i++)
			if (layout->functions[i].binary != FLAME_NO_BINARY)
				layout->functions[i].binary =
				    rank[layout->functions[i].binary];
	}
	free(all);
	free(rank);
	return good;
}

bool tr_flame_functions(struct flame_layout *layout, const struct tr_folded *folded,
			const struct tr_flame *flame)
{
	uint32_t *first = calloc((size_t)tr_folded_names(folded) + 1, sizeof(*first));
	layout->functions = calloc((size_t)layout->count + 1, sizeof(*layout->functions));
	if (!first || !layout->functions) {
		free(first);
		return false;
	}
	uint32_t top = layout->frames[0].id;
	const struct tr_folded_node *root = tr_folded_node(folded, top);
	layout->functions[layout->nfunctions++] = (struct flame_function){
	    .name = top ? root->name : "all",
	    .func = root->func,
	    .binary = FLAME_NO_BINARY,
	    .tint = root->tint,
	    .priv = root->priv,
	};
	for (uint32_t i = 1; i < layout->count; i++) {
		const struct tr_folded_node *node =
		    tr_folded_node(folded, layout->frames[i].id);
		uint32_t function = find_node_function(layout, node, first);
		layout->functions[function].self += node->self[flame->which];
		layout->frames[i].function = function;
	}
	free(first);
	return list_flame_binaries(layout);
}
