/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/explore.h"

#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"

struct tr_explore *tr_explore_new(void)
{
	struct tr_explore *x = calloc(1, sizeof(*x));
	if (!x)
		return NULL;
	x->length = 1;
	x->width = 1;
	bool is_made = tr_grow(&x->nodes, &x->node_room, 1, sizeof(*x->nodes));
	for (unsigned level = 0; level < EXPLORE_LEVELS && is_made; level++) {
		x->levels[level] = calloc(explore_lists(level), sizeof(**x->levels));
		is_made = x->levels[level] != NULL;
	}
	if (is_made) {
		x->nodes[0] = (struct explore_node){0, UINT32_MAX};
		x->nnodes = 1;
		return x;
	}
	tr_explore_free(x);
	return NULL;
}

static void release_names(struct explore_names *names)
{
	free(names->list);
	tr_map_free(&names->index);
}

void tr_explore_free(struct tr_explore *x)
{
	if (!x)
		return;
	tr_explore_build_free(x);
	for (unsigned level = 0; level < EXPLORE_LEVELS; level++) {
		for (size_t i = 0; x->levels[level] && i < explore_lists(level); i++) {
			struct explore_list *list = &x->levels[level][i];
			tr_buffer_free(&list->packed);
			tr_buffer_free(&list->lanes);
			tr_sums_release(&list->raw);
			tr_sums_release(&list->unpacked);
		}
		free(x->levels[level]);
	}
	release_names(&x->processes);
	release_names(&x->threads);
	tr_map_free(&x->mark_index);
	free(x->marks);
	free(x->mark_names);
	tr_classes_release(&x->classes);
	tr_arena_reset(&x->text);
	free(x->funcs);
	free(x->nodes);
	free(x->contexts);
	free(x->cells);
	free(x->order);
	free(x->position);
	free(x);
}

bool tr_explore_is_done(const struct tr_explore *x)
{
	return x->is_done;
}

uint64_t tr_explore_cycles(const struct tr_explore *x)
{
	return x->end;
}

size_t tr_explore_slices(const struct tr_explore *x)
{
	return (size_t)(x->end / x->length + (x->end % x->length != 0));
}

const char *tr_explore_text(struct tr_explore *x, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&x->text, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

uint32_t tr_explore_name(struct explore_names *names, uint32_t number)
{
	const uint32_t found = tr_map_get(&names->index, number);
	if (found != TR_MAP_NONE)
		return found;
	if (!tr_grow(&names->list, &names->room, names->count + 1,
		     sizeof(*names->list)) ||
	    !tr_map_set(&names->index, number, (uint32_t)names->count))
		return UINT32_MAX;
	names->list[names->count] = (struct explore_name){number, ""};
	return (uint32_t)names->count++;
}
