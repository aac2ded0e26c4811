/* SPDX-License-Identifier: Apache-2.0 */
/* Counts instructions by slice. What the unwinder charges comes in the order of time of
 * each hart, so that a list of each context that ran in the current slice is open. */
#include "annotate/slices.h"

#include <stdlib.h>

#include "annotate/slices_state.h"

struct tr_slices *tr_slices_new(unsigned columns)
{
	struct tr_slices *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->columns = columns;
	s->length = 1;
	return s;
}

void tr_slices_free(struct tr_slices *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nharts; i++) {
		free(s->harts[i]->last);
		free(s->harts[i]);
	}
	for (size_t i = 0; i < s->nlanes; i++) {
		struct slices_lane *lane = s->lanes[i];
		for (size_t k = 0; k < lane->nlists; k++)
			tr_buffer_free(&lane->lists[k].packed);
		tr_sums_release(&lane->open);
		free(lane->lists);
		free(lane);
	}
	tr_map_free(&s->lane_ids);
	free(s->lanes);
	free(s);
}

/* Returns what is known of a hart; NULL when out of memory, or if there are too many. */
static struct slices_hart *find_hart(struct tr_slices *s, uint32_t hart)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		if (s->harts[i]->hart == hart)
			return s->harts[i];
	if (s->nharts == TR_MAX_HARTS)
		return NULL;
	struct slices_hart *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->hart = hart;
	s->harts[s->nharts++] = h;
	return h;
}

/* Finds or adds a lane. Returns NULL when out of memory. */
static struct slices_lane *find_lane(struct tr_slices *s, uint32_t hart, uint32_t context)
{
	const uint64_t key = tr_pair_key(hart, context);
	const uint32_t id = tr_map_get(&s->lane_ids, key);
	if (id != TR_MAP_NONE)
		return s->lanes[id];
	struct slices_lane *lane = calloc(1, sizeof(*lane));
	if (!lane ||
	    !tr_grow(&s->lanes, &s->lanes_room, s->nlanes + 1,
		     sizeof(struct slices_lane *)) ||
	    !tr_map_set(&s->lane_ids, key, (uint32_t)s->nlanes)) {
		free(lane);
		return NULL;
	}
	*lane = (struct slices_lane){.hart = hart,
				     .context = context,
				     .slice = SLICES_FULL,
				     .open = {.columns = s->columns}};
	s->lanes[s->nlanes++] = lane;
	return lane;
}

/* Returns a hart that is in the counts' context; NULL as find_hart(), or when out of
 * memory. */
static struct slices_hart *hart_of(const struct tr_counts *counts, uint32_t hart)
{
	struct slices_hart *h = find_hart(counts->slices, hart);
	if (!h || (h->lane && h->lane->context == counts->context))
		return h;
	h->lane = find_lane(counts->slices, hart, counts->context);
	h->serial++;
	return h->lane ? h : NULL;
}

/* Appends the sums of a packed list to another. Returns a status. */
static int append_packed(const struct tr_buffer *packed, struct tr_sums *to)
{
	return packed->size ? tr_sums_unpack(packed->data, packed->size, to->columns,
					     UINT32_MAX, tr_sums_append, to)
			    : TR_OK;
}

/* Packs the open list of a lane. Returns a status. */
static int close_list(struct slices_lane *lane)
{
	if (lane->slice == SLICES_FULL)
		return TR_OK;
	if (!lane->nlists || lane->lists[lane->nlists - 1].slice != lane->slice) {
		if (!tr_grow(&lane->lists, &lane->room, lane->nlists + 1,
			     sizeof(*lane->lists)))
			return TR_E_NOMEM;
		lane->lists[lane->nlists++] = (struct slices_list){.slice = lane->slice};
	}
	struct tr_buffer *packed = &lane->lists[lane->nlists - 1].packed;
	int status = append_packed(packed, &lane->open);
	if (!status)
		status = tr_sums_pack(&lane->open, packed);
	tr_sums_release(&lane->open);
	lane->slice = SLICES_FULL;
	return status;
}

int tr_slices_pack(struct tr_slices *s)
{
	int status = TR_OK;
	for (size_t i = 0; i < s->nlanes && !status; i++)
		status = close_list(s->lanes[i]);
	return status;
}

/* Adds a list to the one before it. Returns a status. */
static int join_list(struct tr_buffer *before, struct tr_buffer *packed, unsigned columns)
{
	struct tr_sums both = {.columns = columns};
	int status = append_packed(before, &both);
	if (!status)
		status = append_packed(packed, &both);
	if (!status)
		status = tr_sums_pack(&both, before);
	tr_sums_release(&both);
	tr_buffer_free(packed);
	return status;
}

/* Makes each two slices of a lane one. Returns a status. */
static int join_lists(struct slices_lane *lane, unsigned columns)
{
	size_t count = 0;
	int status = TR_OK;
	for (size_t i = 0; i < lane->nlists; i++) {
		struct slices_list list = lane->lists[i];
		list.slice /= 2;
		if (!status && count && lane->lists[count - 1].slice == list.slice)
			status = join_list(&lane->lists[count - 1].packed, &list.packed,
					   columns);
		else
			lane->lists[count++] = list;
	}
	lane->nlists = count;
	return status;
}

/* Makes slices long enough for what ends in `cycle`. Returns a status. */
static int fit_slices(struct tr_slices *s, uint64_t cycle)
{
	int status = TR_OK;
	while (cycle && (cycle - 1) / s->length >= TR_SLICES && !status) {
		status = tr_slices_pack(s);
		for (size_t i = 0; i < s->nlanes && !status; i++)
			status = join_lists(s->lanes[i], s->columns);
		s->length *= 2;
	}
	return status;
}

/* Packs the lists of a hart's other slices. Returns a status. */
static int close_others(struct tr_slices *s, uint32_t hart, uint32_t slice)
{
	int status = TR_OK;
	for (size_t i = 0; i < s->nlanes && !status; i++)
		if (s->lanes[i]->hart == hart && s->lanes[i]->slice != slice)
			status = close_list(s->lanes[i]);
	return status;
}

/* Opens the list of the slice that has `cycle`, unless it is open. Returns a status. */
static int open_list(struct tr_slices *s, struct slices_hart *h, uint64_t cycle)
{
	int status = TR_OK;
	if (cycle > s->end) {
		s->end = cycle;
		status = fit_slices(s, cycle);
	}
	const uint32_t slice = (uint32_t)((cycle ? cycle - 1 : 0) / s->length);
	if (status || slice == h->lane->slice)
		return status;
	status = close_others(s, h->hart, slice);
	h->lane->slice = slice;
	h->serial++;
	return status;
}

/* Returns the index of the sum of an instruction in the open list; SIZE_MAX when out of
 * memory. */
static size_t sum_of(struct slices_hart *h, uint32_t id)
{
	if (id >= h->nlast) {
		if (!tr_grow(&h->last, &h->last_room, id + 1UL, sizeof(*h->last)))
			return SIZE_MAX;
		while (h->nlast < h->last_room)
			h->last[h->nlast++] = (struct slices_last){0, 0};
	}
	struct slices_last *last = &h->last[id];
	if (last->serial == h->serial)
		return last->index;
	const size_t index = tr_sums_add(&h->lane->open, id);
	if (index < UINT32_MAX)
		*last = (struct slices_last){h->serial, (uint32_t)index};
	return index < UINT32_MAX ? index : SIZE_MAX;
}

int tr_slices_run(const struct tr_counts *counts, const struct tr_unwind_run *run,
		  const uint32_t *ids)
{
	struct tr_slices *s = counts->slices;
	struct slices_hart *h = hart_of(counts, run->hart);
	const struct tr_timing *timing = run->timing;
	uint64_t cycle = run->cycle;
	uint32_t next = 0;
	for (uint32_t token = 0; token < run->end && h; token++) {
		const bool has_stall =
		    next < timing->nstalls && timing->stalls[next].token == token;
		const struct tr_stall *stall = has_stall ? &timing->stalls[next++] : NULL;
		const uint64_t cycles = stall ? stall->cycles : 1;
		cycle += cycles;
		if (token < run->first)
			continue;
		if (open_list(s, h, cycle))
			return TR_E_NOMEM;
		const size_t at = sum_of(h, ids[token - run->first]);
		if (at == SIZE_MAX)
			return TR_E_NOMEM;
		h->lane->open.list[at].instructions++;
		h->lane->open.list[at].cycles += cycles;
		if (stall)
			tr_counts_add_runs(counts, h->lane->open.lost + at * s->columns,
					   &timing->runs[stall->first_run], stall->nruns,
					   run->hart);
	}
	return h ? TR_OK : TR_E_NOMEM;
}

int tr_slices_trap(const struct tr_counts *counts, const struct tr_unwind_trap *trap,
		   uint32_t id)
{
	struct tr_slices *s = counts->slices;
	struct slices_hart *h = hart_of(counts, trap->hart);
	if (!h || open_list(s, h, trap->cycle))
		return TR_E_NOMEM;
	const size_t at = sum_of(h, id);
	if (at == SIZE_MAX)
		return TR_E_NOMEM;
	h->lane->open.list[at].calls++;
	h->lane->open.list[at].cycles += trap->event->cycles;
	tr_counts_add_runs(counts, h->lane->open.lost + at * s->columns,
			   trap->event->u.trap.runs, trap->event->u.trap.nruns,
			   trap->hart);
	return TR_OK;
}
