/* SPDX-License-Identifier: Apache-2.0 */
/* Tells functions of one name apart. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/map.h"
#include "image/image_state.h"

static int by_name_and_place(const void *left, const void *right)
{
	const struct tr_function *a = *(const struct tr_function *const *)left;
	const struct tr_function *b = *(const struct tr_function *const *)right;
	int order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->place ? a->place : "", b->place ? b->place : "");
	if (order)
		return order;
	return (a->entry > b->entry) - (a->entry < b->entry);
}

static bool have_one_place(const struct tr_function *a, const struct tr_function *b)
{
	return a->place && b->place && strcmp(a->place, b->place) == 0;
}

/* Functions of one name and place, in order of their entries. */
static int rename_run(struct tr_image *image, struct tr_function **run, size_t count)
{
	const char *place = run[0]->place;
	bool place_tells = place && run[0]->entry == run[count - 1]->entry;
	const char *base = run[0]->name, *name = NULL;
	for (size_t i = 0; i < count; i++) {
		char entry[24];
		snprintf(entry, sizeof(entry), "0x%" PRIx64, run[i]->entry);
		if (i == 0 || run[i]->entry != run[i - 1]->entry)
			name = image_name_with_place(image, base,
						     place_tells ? place : entry);
		if (!name)
			return TR_E_NOMEM;
		run[i]->name = name;
	}
	return TR_OK;
}

static int rename_group(struct tr_image *image, struct tr_function **group, size_t count)
{
	int status = TR_OK;
	for (size_t i = 0, end; !status && i < count; i = end) {
		for (end = i + 1;
		     end < count && (have_one_place(group[i], group[end]) ||
				     (!group[i]->place && !group[end]->place));
		     end++)
			;
		status = rename_run(image, &group[i], end - i);
	}
	return status;
}

/* Ranges of one function are no group. */
static bool has_several(struct tr_function *const *group, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (group[i]->entry != group[0]->entry)
			return true;
	return false;
}

/* Marks functions whose name another one has. A hash that is equal by chance marks one
 * too many, which does no harm. */
static bool mark_namesakes(const struct tr_image *image, bool *marked)
{
	struct tr_map first = {.slots = NULL};
	bool ok = true;
	for (size_t i = 0; ok && i < image->nfunctions; i++) {
		const char *name = image->functions[i].name;
		uint64_t key = XXH3_64bits(name, strlen(name));
		uint32_t other = tr_map_get(&first, key);
		if (other == TR_MAP_NONE)
			ok = tr_map_set(&first, key, (uint32_t)i);
		else
			marked[i] = marked[other] = true;
	}
	tr_map_free(&first);
	return ok;
}

static int tell_apart(struct tr_image *image, struct tr_function **order, size_t count)
{
	int status = TR_OK;
	if (count)
		qsort(order, count, sizeof(*order), by_name_and_place);
	for (size_t i = 0, end; !status && i < count; i = end) {
		for (end = i + 1;
		     end < count && strcmp(order[i]->name, order[end]->name) == 0; end++)
			;
		if (has_several(&order[i], end - i))
			status = rename_group(image, &order[i], end - i);
	}
	return status;
}

int image_namesakes_tell_apart(struct tr_image *image)
{
	size_t count = 0;
	struct tr_function **order =
	    calloc(image->nfunctions + 1, sizeof(struct tr_function *));
	bool *marked = calloc(image->nfunctions + 1, sizeof(*marked));
	bool ok = order && marked && mark_namesakes(image, marked);
	for (size_t i = 0; ok && i < image->nfunctions; i++)
		if (marked[i])
			order[count++] = &image->functions[i];
	int status = ok ? tell_apart(image, order, count) : TR_E_NOMEM;
	free(order);
	free(marked);
	return status;
}
