/* SPDX-License-Identifier: Apache-2.0 */
/* Counts instructions by slice. What the unwinder charges comes in the order of time of
 * each hart, so that one list of each hart is open. */
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
		struct slices_hart *h = s->harts[i];
		for (unsigned slice = 0; slice < TR_SLICES; slice++)
			tr_buffer_free(&h->packed[slice]);
		tr_sums_release(&h->open);
		free(h->last);
		free(h);
	}
	free(s);
}

/* Returns what is known of a hart; NULL when out of memory, or if there are too many. */
static struct slices_hart *hart_of(struct tr_slices *s, uint32_t hart)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		if (s->harts[i]->hart == hart)
			return s->harts[i];
	if (s->nharts == TR_MAX_HARTS)
		return NULL;
	struct slices_hart *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	*h = (struct slices_hart){
	    .hart = hart, .slice = SLICES_FULL, .open = {.columns = s->columns}};
	s->harts[s->nharts++] = h;
	return h;
}

/* Appends the sums of a packed list to another. Returns a status. */
static int append_packed(const struct tr_buffer *packed, struct tr_sums *to)
{
	return packed->size ? tr_sums_unpack(packed->data, packed->size, to->columns,
					     UINT32_MAX, tr_sums_append, to)
			    : TR_OK;
}

/* Packs the open list of a hart. Returns a status. */
static int close_list(struct slices_hart *h)
{
	if (h->slice == SLICES_FULL)
		return TR_OK;
	struct tr_buffer *packed = &h->packed[h->slice];
	int status = append_packed(packed, &h->open);
	if (!status)
		status = tr_sums_pack(&h->open, packed);
	tr_sums_release(&h->open);
	h->slice = SLICES_FULL;
	return status;
}

int tr_slices_pack(struct tr_slices *s)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < s->nharts && !status; i++)
		status = close_list(s->harts[i]);
	return status;
}

/* Makes each two lists of a hart one. Returns a status. */
static int join_lists(struct slices_hart *h, unsigned columns)
{
	int status = TR_OK;
	for (unsigned i = 0; i < TR_SLICES && !status; i++) {
		struct tr_sums both = {.columns = columns};
		if (i < TR_SLICES / 2) {
			status = append_packed(&h->packed[2 * i], &both);
			if (!status)
				status = append_packed(&h->packed[2 * i + 1], &both);
		}
		h->packed[i].size = 0;
		if (!status && both.count)
			status = tr_sums_pack(&both, &h->packed[i]);
		tr_sums_release(&both);
	}
	return status;
}

/* Makes slices long enough for what ends in `cycle`. Returns a status. */
static int fit_slices(struct tr_slices *s, uint64_t cycle)
{
	int status = TR_OK;
	while (cycle && (cycle - 1) / s->length >= TR_SLICES && !status) {
		status = tr_slices_pack(s);
		for (uint32_t i = 0; i < s->nharts && !status; i++)
			status = join_lists(s->harts[i], s->columns);
		s->length *= 2;
	}
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
	if (status || slice == h->slice)
		return status;
	status = close_list(h);
	h->slice = slice;
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
	const size_t index = tr_sums_add(&h->open, id);
	if (index < UINT32_MAX)
		*last = (struct slices_last){h->serial, (uint32_t)index};
	return index < UINT32_MAX ? index : SIZE_MAX;
}

int tr_slices_run(const struct tr_counts *counts, const struct tr_unwind_run *run,
		  const uint32_t *ids)
{
	struct tr_slices *s = counts->slices;
	struct slices_hart *h = hart_of(s, run->hart);
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
		h->open.list[at].instructions++;
		h->open.list[at].cycles += cycles;
		if (stall)
			tr_counts_add_runs(counts, h->open.lost + at * s->columns,
					   &timing->runs[stall->first_run], stall->nruns,
					   run->hart);
	}
	return h ? TR_OK : TR_E_NOMEM;
}

int tr_slices_trap(const struct tr_counts *counts, const struct tr_unwind_trap *trap,
		   uint32_t id)
{
	struct tr_slices *s = counts->slices;
	struct slices_hart *h = hart_of(s, trap->hart);
	if (!h || open_list(s, h, trap->cycle))
		return TR_E_NOMEM;
	const size_t at = sum_of(h, id);
	if (at == SIZE_MAX)
		return TR_E_NOMEM;
	h->open.list[at].calls++;
	h->open.list[at].cycles += trap->event->cycles;
	tr_counts_add_runs(counts, h->open.lost + at * s->columns,
			   trap->event->u.trap.runs, trap->event->u.trap.nruns,
			   trap->hart);
	return TR_OK;
}
