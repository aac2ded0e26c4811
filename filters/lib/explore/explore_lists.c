/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of slices, and of eight, 64 and 512 of them. A list of an upper level is made
 * when it is first asked for, unless a slice of it is being filled. */
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"

/* Lists above a slice no longer have all of it. */
static void outdate_lists(struct tr_explore *x, size_t slice)
{
	for (unsigned level = 1; level < EXPLORE_LEVELS; level++)
		x->levels[level][slice >> (3 * level)].is_valid = false;
}

static int unpack_list(const struct tr_explore *x, const struct explore_list *list,
		       int (*take)(void *, const struct tr_sum *, const uint64_t *),
		       void *context)
{
	if (!list->packed.size)
		return TR_OK;
	return tr_sums_unpack(list->packed.data, list->packed.size, explore_columns(x),
			      (uint32_t)x->ncells, take, context);
}

int tr_explore_open_list(struct tr_explore *x, size_t slice, uint64_t serial)
{
	struct explore_list *list = &x->levels[0][slice];
	list->raw.columns = explore_columns(x);
	list->serial = serial;
	outdate_lists(x, slice);
	const int status = unpack_list(x, list, tr_sums_append, &list->raw);
	list->packed.size = list->lanes.size = 0;
	tr_sums_release(&list->unpacked);
	return status;
}

/* Sums a list by context into another, of which `place` says where each context is. */
struct by_context {
	const struct tr_explore *x;
	struct tr_sums *sums;
	uint32_t *place; /* 1 + index; 0: not yet */
};

static int add_to_context(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	const struct by_context *by = context;
	const uint32_t key = by->x->cells[sum->key].context;
	if (!by->place[key]) {
		by->place[key] = (uint32_t)tr_sums_add(by->sums, key) + 1;
		if (!by->place[key])
			return TR_E_NOMEM;
	}
	const size_t i = by->place[key] - 1;
	struct tr_sum *to = &by->sums->list[i];
	to->cycles += sum->cycles;
	to->instructions += sum->instructions;
	to->calls += sum->calls;
	for (unsigned c = 0; c < by->sums->columns; c++)
		by->sums->lost[i * by->sums->columns + c] += lost[c];
	return TR_OK;
}

static int each_raw(const struct tr_sums *sums,
		    int (*take)(void *, const struct tr_sum *, const uint64_t *),
		    void *context)
{
	int status = TR_OK;
	for (size_t i = 0; i < sums->count && !status; i++)
		status = take(context, &sums->list[i], sums->lost + i * sums->columns);
	return status;
}

/* Sums an open list by context. Returns a status. */
static int sum_contexts(const struct tr_explore *x, const struct explore_list *list,
			struct tr_sums *sums)
{
	struct by_context by = {x, sums, calloc(x->ncontexts + 1, sizeof(*by.place))};
	const int status =
	    by.place ? each_raw(&list->raw, add_to_context, &by) : TR_E_NOMEM;
	free(by.place);
	return status;
}

int tr_explore_pack_list(struct tr_explore *x, size_t slice)
{
	struct explore_list *list = &x->levels[0][slice];
	struct tr_sums lanes = {.columns = explore_columns(x)};
	int status = sum_contexts(x, list, &lanes);
	if (!status)
		status = tr_sums_pack(&lanes, &list->lanes);
	if (!status)
		status = tr_sums_pack(&list->raw, &list->packed);
	tr_sums_release(&lanes);
	tr_sums_release(&list->raw);
	list->serial = 0;
	return status;
}

/* Appends a list to another, and empties it. Returns a status. */
static int move_list(struct tr_explore *x, struct explore_list *from, struct tr_sums *to)
{
	int status = from->serial ? each_raw(&from->raw, tr_sums_append, to)
				  : unpack_list(x, from, tr_sums_append, to);
	tr_buffer_free(&from->packed);
	tr_buffer_free(&from->lanes);
	tr_sums_release(&from->raw);
	tr_sums_release(&from->unpacked);
	from->serial = 0;
	return status;
}

int tr_explore_double(struct tr_explore *x, uint64_t *serial)
{
	int status = TR_OK;
	for (size_t i = 0; i < TR_EXPLORE_SLICES / 2 && !status; i++) {
		struct explore_list *pair = &x->levels[0][2 * i];
		struct tr_sums both = {.columns = explore_columns(x)};
		const bool is_open = pair[0].serial || pair[1].serial;
		outdate_lists(x, 2 * i);
		status = move_list(x, &pair[0], &both);
		if (!status)
			status = move_list(x, &pair[1], &both);
		x->levels[0][i].raw = both;
		x->levels[0][i].serial = both.count ? ++*serial : 0;
		if (!status && both.count && !is_open)
			status = tr_explore_pack_list(x, i);
	}
	x->length *= 2;
	return status;
}

/* ------------------------------------------------------------ reading */

/* Returns true if a list has what is below it, or can be made to; then it is valid. */
static int complete_list(struct tr_explore *x, unsigned level, size_t i)
{
	struct explore_list *list = &x->levels[level][i];
	struct tr_sums sums = {.columns = explore_columns(x)};
	int status = TR_OK;
	if (!level)
		return list->serial ? TR_END : TR_OK;
	if (list->is_valid)
		return TR_OK;
	for (size_t part = i * EXPLORE_FAN; part < (i + 1) * EXPLORE_FAN && !status;
	     part++) {
		status = complete_list(x, level - 1, part);
		if (!status)
			status = unpack_list(x, &x->levels[level - 1][part],
					     tr_sums_append, &sums);
	}
	list->packed.size = 0;
	if (!status && sums.count)
		status = tr_sums_pack(&sums, &list->packed);
	tr_sums_release(&sums);
	list->is_valid = !status;
	return status;
}

/* Passes the sums of a list. Returns as tr_explore_each(). */
static int take_list(struct tr_explore *x, unsigned level, size_t i,
		     int (*take)(void *, const struct tr_sum *, const uint64_t *),
		     void *context)
{
	const struct explore_list *list = &x->levels[level][i];
	int status = complete_list(x, level, i);
	if (status == TR_OK)
		return unpack_list(x, list, take, context);
	if (status != TR_END)
		return status;
	if (!level)
		return each_raw(&list->raw, take, context);
	status = TR_OK;
	for (size_t part = i * EXPLORE_FAN; part < (i + 1) * EXPLORE_FAN && !status;
	     part++)
		status = take_list(x, level - 1, part, take, context);
	return status;
}

int tr_explore_each(struct tr_explore *x, size_t from, size_t to,
		    int (*take)(void *context, const struct tr_sum *sum,
				const uint64_t *lost),
		    void *context)
{
	int status = TR_OK;
	while (from < to && !status) {
		unsigned level = EXPLORE_LEVELS - 1;
		while (level && (from % ((size_t)1 << (3 * level)) ||
				 from + ((size_t)1 << (3 * level)) > to))
			level--;
		status = take_list(x, level, from >> (3 * level), take, context);
		from += (size_t)1 << (3 * level);
	}
	return status;
}

/* Unpacks the lanes of a slice, unless they are. Returns a status. */
static int unpack_lanes(const struct tr_explore *x, struct explore_list *list)
{
	const unsigned columns = explore_columns(x);
	if (list->unpacked.count || !list->lanes.size)
		return TR_OK;
	list->unpacked.columns = columns;
	return tr_sums_unpack(list->lanes.data, list->lanes.size, columns,
			      (uint32_t)x->ncontexts, tr_sums_append, &list->unpacked);
}

int tr_explore_lanes(struct tr_explore *x, size_t slice,
		     int (*take)(void *context, const struct tr_sum *sum,
				 const uint64_t *lost),
		     void *context)
{
	struct explore_list *list = &x->levels[0][slice];
	struct tr_sums sums = {.columns = explore_columns(x)};
	int status = list->serial ? sum_contexts(x, list, &sums) : unpack_lanes(x, list);
	if (!status)
		status = each_raw(list->serial ? &sums : &list->unpacked, take, context);
	tr_sums_release(&sums);
	return status;
}
