/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

void tr_memory_add(struct tr_memory_sum *sum, const struct tr_memory_sum *more)
{
	sum->loads += more->loads;
	sum->stores += more->stores;
	sum->atomics += more->atomics;
	sum->missed += more->missed;
	for (unsigned i = 0; i < TR_MAX_CLASSES; i++)
		sum->lost[i] += more->lost[i];
}

/* Members are the same by name and binary; else the place decides. */
static int compare_identities(const struct tr_memory_object *a,
			      const struct tr_memory_object *b)
{
	if (a->is_typed != b->is_typed)
		return a->is_typed ? 1 : -1;
	if (a->is_typed) {
		const int order = strcmp(a->name, b->name);
		return order ? order : strcmp(a->binary, b->binary);
	}
	if (a->place.kind != b->place.kind)
		return a->place.kind < b->place.kind ? -1 : 1;
	if (a->place.kind != TR_PLACE_SYMBOL && !tr_place_is_on_heap(&a->place))
		return 0;
	if (a->place.kind == TR_PLACE_SYMBOL && a->place.binary != b->place.binary)
		return a->place.binary < b->place.binary ? -1 : 1;
	if (a->place.symbol != b->place.symbol)
		return a->place.symbol < b->place.symbol ? -1 : 1;
	return (a->place.member > b->place.member) - (a->place.member < b->place.member);
}

static int compare_objects(const void *left, const void *right)
{
	const struct tr_memory_object *a = *(const struct tr_memory_object *const *)left,
				      *b = *(const struct tr_memory_object *const *)right;
	const int order = compare_identities(a, b);
	return order ? order : (a > b) - (a < b);
}

/* Finds the first object of each identity, in to[], by number. */
static int find_firsts(const struct tr_memory_object *objects, size_t count, uint32_t *to)
{
	const struct tr_memory_object **order = calloc(count + 1, sizeof(*order));
	if (!order)
		return TR_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		order[i] = &objects[i];
	qsort(order, count, sizeof(*order), compare_objects);
	for (size_t i = 0; i < count; i++) {
		const size_t own = (size_t)(order[i] - objects);
		const bool is_same = i && !compare_identities(order[i - 1], order[i]);
		to[own] = is_same ? to[order[i - 1] - objects] : (uint32_t)own;
	}
	free(order);
	return TR_OK;
}

/* Counts the distinct lines of each object that is left. */
static int count_lines(struct tr_memory_object *objects, const uint32_t *to,
		       const struct tr_touch *touches, size_t ntouches)
{
	struct tr_map seen = {0};
	bool good = true;
	for (size_t i = 0; i < ntouches && good; i++) {
		const uint32_t object = to[touches[i].object];
		const uint64_t key = tr_pair_key(object, touches[i].line);
		if (tr_map_get(&seen, key) != TR_MAP_NONE)
			continue;
		objects[object].sum.lines++;
		good = tr_map_set(&seen, key, 0);
	}
	tr_map_free(&seen);
	return good ? TR_OK : TR_E_NOMEM;
}

int tr_memory_merge(struct tr_memory_object *objects, size_t *count,
		    const struct tr_touch *touches, size_t ntouches)
{
	uint32_t *to = calloc(*count + 1, sizeof(*to));
	int status = to ? find_firsts(objects, *count, to) : TR_E_NOMEM;
	for (size_t i = 0; i < *count && !status; i++) {
		objects[i].sum.lines = 0;
		if (to[i] == i)
			continue;
		tr_memory_add(&objects[to[i]].sum, &objects[i].sum);
		objects[to[i]].evidence |= objects[i].evidence;
	}
	if (!status)
		status = count_lines(objects, to, touches, ntouches);
	size_t left = 0;
	for (size_t i = 0; i < *count && !status; i++)
		if (to[i] == i)
			objects[left++] = objects[i];
	if (!status)
		*count = left;
	free(to);
	return status;
}
