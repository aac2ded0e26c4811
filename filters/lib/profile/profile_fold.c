/* SPDX-License-Identifier: Apache-2.0 */
/* Adds stacks of a profile to a tree of names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_internal.h"

struct tr_profile_folding {
	const struct tr_profile *p;
	struct tr_folded *folded;
	uint8_t *tints; /* by function */
	const char **labels;
	struct tr_arena text; /* storage of labels that are not names */
	struct tr_map ids;    /* from (group, node) to a node of `folded` */
	uint32_t *path;	      /* scratch: nodes yet to be created */
	size_t capacity;
};

/* Finds the folded node at the base of a group's stacks. Returns a status. */
static int group_root(struct tr_profile_folding *fold, uint32_t group, uint32_t *id)
{
	*id = 0;
	if (!tr_profile_group_has_frame(fold->p, group))
		return TR_OK;
	const char *label = tr_profile_group_name(fold->p, group);
	return tr_folded_child(fold->folded, 0, label, strlen(label), TR_TINT_PROGRAM,
			       id);
}

int tr_profile_folding_frame(struct tr_profile_folding *fold, uint32_t parent,
			     uint32_t node, uint32_t *id)
{
	const struct tr_profile *p = fold->p;
	const uint32_t func = p->nodes[node].func;
	const char *label = fold->labels[func];
	int status = tr_folded_child(fold->folded, parent, label, strlen(label),
				     fold->tints[func], id);
	if (!status)
		tr_folded_describe(fold->folded, *id, &p->funcs[func],
				   p->nodes[node].priv);
	return status;
}

int tr_profile_folding_stack(struct tr_profile_folding *fold, uint32_t group,
			     uint32_t node, uint32_t *id)
{
	const struct tr_profile *p = fold->p;
	uint32_t todo = 0;
	int status = TR_OK;
	if (!tr_grow(&fold->path, &fold->capacity, (size_t)p->nodes[node].depth + 1,
		     sizeof(*fold->path)))
		return TR_E_NOMEM;
	*id = TR_MAP_NONE;
	for (; node; node = p->nodes[node].parent) {
		*id = tr_map_get(&fold->ids, tr_pair_key(group, node));
		if (*id != TR_MAP_NONE)
			break;
		fold->path[todo++] = node;
	}
	if (!node)
		status = group_root(fold, group, id);
	while (!status && todo) {
		node = fold->path[--todo];
		status = tr_profile_folding_frame(fold, *id, node, id);
		if (!status && !tr_map_set(&fold->ids, tr_pair_key(group, node), *id))
			status = TR_E_NOMEM;
	}
	return status;
}

static uint64_t cell_unclassified(const struct tr_profile *p, uint32_t i)
{
	const struct profile_cell *cell = &p->cells[i];
	return tr_profile_unclassified(p, &p->funcs[p->nodes[cell->node].func],
				       profile_lost(p, p->cell_lost, i), cell->cycles,
				       cell->instructions);
}

static void fold_classes(const struct tr_profile_folding *fold, uint32_t cell,
			 uint32_t id)
{
	const struct tr_profile *p = fold->p;
	const uint64_t *lost = profile_lost(p, p->cell_lost, cell);
	const unsigned parts = tr_folded_part_count(fold->folded);
	for (unsigned i = 0; i < p->options.classes && i < parts; i++)
		tr_folded_parts(fold->folded, id)[i] += lost[i];
	if (parts > p->options.classes)
		tr_folded_parts(fold->folded, id)[p->options.classes] +=
		    cell_unclassified(p, cell);
}

bool tr_profile_is_empty_cell(const struct tr_profile *p, uint32_t cell)
{
	return !p->cells[cell].cycles && !p->cells[cell].instructions &&
	       (!profile_counts_slots(p) || !tr_profile_cell_slots(p, cell));
}

/* Builds the labels: names, with the address if a binary has several functions of that
 * name. Returns a status. */
static int make_labels(struct tr_profile_folding *fold)
{
	const struct tr_profile *p = fold->p;
	bool *namesakes = tr_profile_namesakes(p);
	int status = namesakes && fold->labels ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < p->nfuncs && !status; i++) {
		const struct tr_func *func = &p->funcs[i];
		size_t size = strlen(func->name) + 24;
		char *label = namesakes[i] ? tr_arena_take(&fold->text, size) : NULL;
		fold->labels[i] = namesakes[i] ? label : func->name;
		if (label)
			snprintf(label, size, "%s (0x%" PRIx64 ")", func->name,
				 func->address);
		status = fold->labels[i] ? TR_OK : TR_E_NOMEM;
	}
	free(namesakes);
	return status;
}

struct tr_profile_folding *
tr_profile_folding_new(const struct tr_profile *p, struct tr_folded *folded,
		       uint8_t (*tint)(const void *, const struct tr_func *),
		       const void *argument)
{
	struct tr_profile_folding *fold = calloc(1, sizeof(*fold));
	if (!fold)
		return NULL;
	*fold = (struct tr_profile_folding){.p = p, .folded = folded};
	fold->tints = calloc((size_t)p->nfuncs + 1, sizeof(*fold->tints));
	fold->labels = calloc((size_t)p->nfuncs + 1, sizeof(*fold->labels));
	if (!fold->tints || make_labels(fold)) {
		tr_profile_folding_free(fold);
		return NULL;
	}
	for (uint32_t i = 0; i < p->nfuncs; i++)
		fold->tints[i] = tint(argument, &p->funcs[i]);
	return fold;
}

void tr_profile_folding_free(struct tr_profile_folding *fold)
{
	if (!fold)
		return;
	tr_map_free(&fold->ids);
	free(fold->path);
	free(fold->tints);
	free(fold->labels);
	tr_arena_reset(&fold->text);
	free(fold);
}

/* Adds the i-th cell. Returns a status. */
static int fold_cell(struct tr_profile_folding *fold, uint32_t i, bool is_slots)
{
	const struct tr_profile *p = fold->p;
	const struct profile_cell *cell = &p->cells[i];
	struct tr_profile_stack stack;
	uint32_t id;
	if (tr_profile_is_empty_cell(p, i))
		return TR_OK;
	tr_profile_stack(p, i, &stack);
	if (is_slots)
		stack.value[0] = tr_profile_cell_slots(p, i);
	int status = tr_profile_folding_stack(fold, cell->group, cell->node, &id);
	if (!status)
		fold_classes(fold, i, id);
	for (unsigned k = 0; k < 2 && !status; k++)
		status = tr_folded_add(fold->folded, id, k, stack.value[k]);
	return status;
}

int tr_profile_fold(const struct tr_profile *p, struct tr_folded *folded,
		    uint8_t (*tint)(const void *, const struct tr_func *),
		    const void *argument)
{
	struct tr_profile_folding *fold =
	    tr_profile_folding_new(p, folded, tint, argument);
	const bool is_slots =
	    profile_counts_slots(p) && tr_folded_part_count(folded) != 0;
	int status = fold ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < p->ncells && !status; i++)
		status = fold_cell(fold, i, is_slots);
	tr_profile_folding_free(fold);
	return status;
}

/* Lists the instructions of all nodes by leaf. Returns NULL when out of memory. */
static struct tr_estimate_item *list_items(struct tr_profile_folding *fold, size_t *count)
{
	const struct tr_profile *p = fold->p;
	struct tr_estimate_item *items = NULL, item;
	size_t capacity = 0;
	uint32_t group, node;
	int status = tr_grow(&items, &capacity, 1, sizeof(*items)) ? TR_OK : TR_E_NOMEM;
	*count = 0;
	for (uint32_t i = 0;
	     !status && tr_profile_sample_part(p, i, &group, &node, &item.part); i++) {
		if (!item.part.instructions)
			continue;
		status = tr_profile_folding_stack(fold, group, node, &item.node);
		if (!status && !tr_grow(&items, &capacity, *count + 1, sizeof(*items)))
			status = TR_E_NOMEM;
		if (!status)
			items[(*count)++] = item;
	}
	if (status) {
		free(items);
		return NULL;
	}
	return items;
}

int tr_profile_fold_bars(const struct tr_profile *p, struct tr_folded *folded,
			 uint8_t (*tint)(const void *, const struct tr_func *),
			 const void *argument, struct tr_bar **self,
			 struct tr_bar **total)
{
	struct tr_profile_folding *fold =
	    tr_profile_folding_new(p, folded, tint, argument);
	size_t nitems = 0;
	struct tr_estimate_item *items = fold ? list_items(fold, &nitems) : NULL;
	const uint32_t count = tr_folded_count(folded);
	uint32_t *parents = calloc((size_t)count + 1, sizeof(*parents));
	int status = items && parents ? TR_OK : TR_E_NOMEM;
	*self = calloc((size_t)count + 1, sizeof(**self));
	*total = calloc((size_t)count + 1, sizeof(**total));
	if (!*self || !*total)
		status = TR_E_NOMEM;
	for (uint32_t i = 1; i < count && !status; i++)
		parents[i] = tr_folded_node(folded, i)->parent;
	if (!status)
		status = tr_estimate_tree(tr_profile_estimate(p), parents, count, items,
					  nitems, *self, *total);
	free(parents);
	free(items);
	tr_profile_folding_free(fold);
	return status;
}
