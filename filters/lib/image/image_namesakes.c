/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the names of functions unique. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "image/image_state.h"

enum { VARIANTS_MAX = 64 }; /* of one function: symbols that are looked at */

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

/* Returns the symbol of a part or variant that the compiler made of function `base`,
 * which is `base` with a suffix, "f.part.0"; NULL if there is none with this entry. */
static const char *variant_at(const struct tr_image *image, const char *base,
			      uint64_t entry)
{
	size_t length = strlen(base), first = tr_image_symbols_find(image, base);
	for (size_t i = first; i < image->nsymbols && i - first < VARIANTS_MAX; i++) {
		const struct image_symbol *symbol = &image->symbols[i];
		if (strncmp(symbol->name, base, length) != 0)
			break;
		if (symbol->name[length] == '.' && symbol->address == entry)
			return symbol->name;
	}
	return NULL;
}

/* Returns how many of the functions, sorted by entry, are no variants. */
static size_t count_plain(const struct tr_image *image, struct tr_function *const *run,
			  size_t count)
{
	size_t plain = 0;
	for (size_t i = 0; i < count; i++)
		plain += (i == 0 || run[i]->entry != run[i - 1]->entry) &&
			 !variant_at(image, run[i]->name, run[i]->entry);
	return plain;
}

/* Renames functions of one name and place, sorted by entry; `alone` if there are no
 * others of that name. Returns a status. */
static int rename_run(struct tr_image *image, struct tr_function **run, size_t count,
		      bool alone)
{
	const char *place = run[0]->place, *base = run[0]->name;
	bool one_plain = place && count_plain(image, run, count) <= 1;
	for (size_t i = 0, end; i < count; i = end) {
		char entry[24];
		const char *variant =
		    place ? variant_at(image, base, run[i]->entry) : NULL;
		const char *name = variant ? variant : base;
		snprintf(entry, sizeof(entry), "0x%" PRIx64, run[i]->entry);
		if (!variant && !one_plain)
			name = tr_image_name_with_place(image, base, entry);
		else if (!alone)
			name = tr_image_name_with_place(image, name, place);
		if (!name)
			return TR_E_NOMEM;
		for (end = i; end < count && run[end]->entry == run[i]->entry; end++)
			;
		for (size_t j = i; j < end; j++)
			run[j]->name = name;
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
		status = rename_run(image, &group[i], end - i, end - i == count);
	}
	return status;
}

/* Returns true if the group has several functions; ranges of one function do not
 * count. */
static bool has_several(struct tr_function *const *group, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (group[i]->entry != group[0]->entry)
			return true;
	return false;
}

/* Saturating counters of names, indexed by part of their hash: none, one, several. */
struct tally {
	uint8_t *times;
	size_t mask;
};

static uint8_t *times_of(const struct tally *tally, const struct tr_function *function)
{
	const char *name = function->name;
	return &tally->times[XXH3_64bits(name, strlen(name)) & tally->mask];
}

/* Collects the functions whose names may not be unique in `order`. Returns their
 * number. */
static size_t choose_namesakes(const struct tr_image *image, const struct tally *tally,
			       struct tr_function **order)
{
	size_t count = 0;
	for (size_t i = 0; i < image->nfunctions; i++) {
		uint8_t *times = times_of(tally, &image->functions[i]);
		*times = *times ? 2 : 1;
	}
	for (size_t i = 0; i < image->nfunctions; i++)
		if (*times_of(tally, &image->functions[i]) == 2)
			order[count++] = &image->functions[i];
	return count;
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

int tr_image_namesakes_tell_apart(struct tr_image *image)
{
	struct tally tally = {.mask = 1023};
	int status = TR_E_NOMEM;
	while (tally.mask < 4 * image->nfunctions)
		tally.mask = tally.mask * 2 + 1;
	tally.times = calloc(tally.mask + 1, 1);
	struct tr_function **order = calloc(image->nfunctions + 1, sizeof(*order));
	if (tally.times && order)
		status = tell_apart(image, order, choose_namesakes(image, &tally, order));
	free(order);
	free(tally.times);
	return status;
}
