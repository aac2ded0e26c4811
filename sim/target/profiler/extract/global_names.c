/* SPDX-License-Identifier: Apache-2.0 */
/* Gives the functions of a program their global indexes. */
#include "global_names.h"

#include <stdlib.h>
#include <string.h>

#include "stubs/shared_counts.h"

enum { CAPACITY_FIRST = 1024 };

/* A function whose name the file does not have. */
struct new_name {
	const char *name;
	uint32_t number;
};

static int compare_new_names(const void *a, const void *b)
{
	const struct new_name *x = a, *y = b;
	const int order = strcmp(x->name, y->name);
	if (order)
		return order;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Sets the indexes of functions whose names are known. Returns the number of the others,
 * which are then in `added`. */
static uint32_t find_known(const struct tr_shared *old, const char *const *names,
			   uint32_t count, uint32_t *indexes, struct new_name *added)
{
	uint32_t added_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const int64_t index =
		    old->functions ? tr_shared_find(old, names[i]) : TR_SHARED_NONE;
		if (index == TR_SHARED_NONE)
			added[added_count++] = (struct new_name){names[i], i};
		else
			indexes[i] = (uint32_t)index;
	}
	return added_count;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct new_name *x = a, *y = b;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Gives each new name an index, in the order of the functions. */
static void append_names(struct prof_global_names *global, struct new_name *added,
			 uint32_t count)
{
	uint32_t *indexes = global->indexes;
	if (count)
		qsort(added, count, sizeof(*added), compare_new_names);
	/* For now the index is the number of the first function of that name. */
	for (uint32_t i = 0, first = 0; i < count; i++) {
		if (strcmp(added[i].name, added[first].name) != 0)
			first = i;
		indexes[added[i].number] = added[first].number;
	}
	if (count)
		qsort(added, count, sizeof(*added), compare_numbers);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t number = added[i].number;
		if (indexes[number] != number) {
			indexes[number] = indexes[indexes[number]];
			continue;
		}
		indexes[number] = global->count;
		global->names[global->count++] = added[i].name;
	}
}

static enum tr_status join_names(const struct tr_shared *old, const char *const *names,
				 const bool *loops, uint32_t count,
				 struct prof_global_names *global, struct new_name *added)
{
	for (uint32_t i = 0; i < old->functions; i++) {
		global->names[i] = tr_shared_name(old, i);
		global->loops[i] = tr_shared_loops(old, i);
	}
	global->count = old->functions;
	append_names(global, added,
		     find_known(old, names, count, global->indexes, added));
	for (uint32_t i = 0; i < count; i++)
		global->loops[global->indexes[i]] |= loops[i];
	global->capacity = old->capacity ? old->capacity : CAPACITY_FIRST;
	while (global->capacity < global->count)
		global->capacity *= 2;
	return global->capacity > TR_SHARED_CAPACITY_MAX ? TR_E_ARGUMENT : TR_OK;
}

enum tr_status prof_add_global_names(const uint8_t *bytes, size_t size,
				     const char *const *names, const bool *loops,
				     uint32_t count, struct prof_global_names *global,
				     uint64_t *at)
{
	struct tr_shared old = {0};
	*global = (struct prof_global_names){0};
	if (size) {
		const enum tr_status status = tr_shared_open(bytes, size, &old, at);
		if (status)
			return status;
		if (!old.global) {
			*at = 0;
			return TR_E_CORRUPT;
		}
	}
	const size_t most = (size_t)old.functions + count + 1;
	struct new_name *added = calloc((size_t)count + 1, sizeof(*added));
	global->names = calloc(most, sizeof(*global->names));
	global->loops = calloc(most, sizeof(*global->loops));
	global->indexes = calloc((size_t)count + 1, sizeof(*global->indexes));
	enum tr_status status = TR_E_NOMEM;
	if (added && global->names && global->loops && global->indexes)
		status = join_names(&old, names, loops, count, global, added);
	free(added);
	if (status)
		prof_free_global_names(global);
	return status;
}

void prof_free_global_names(struct prof_global_names *global)
{
	free(global->names);
	free(global->loops);
	free(global->indexes);
	*global = (struct prof_global_names){0};
}
