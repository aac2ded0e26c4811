/* SPDX-License-Identifier: Apache-2.0 */
/* Counts instructions by slice. What the unwinder charges comes in the order of time of
 * each hart, so that one slice of each hart is open, with lists of each context that ran
 * in it. The executions of a piece of code are counted once for all of its instructions;
 * only those that stall have sums of their own. */
#include "annotate/slices.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/slices_state.h"

enum { WORD = 64 }; /* bits of struct slices_hart.has_run */

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
		free(s->harts[i]->executions);
		free(s->harts[i]->has_run);
		free(s->harts[i]->last);
		free(s->harts[i]);
	}
	for (size_t i = 0; i < s->nlanes; i++) {
		struct slices_lane *lane = s->lanes[i];
		for (size_t k = 0; k < lane->nlists; k++) {
			tr_buffer_free(&lane->lists[k].pieces);
			tr_buffer_free(&lane->lists[k].stalls);
		}
		tr_sums_release(&lane->pieces);
		tr_sums_release(&lane->stalls);
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
				     .stalls = {.columns = s->columns}};
	s->lanes[s->nlanes++] = lane;
	return lane;
}

/* Moves the executions that a hart has counted to its lane, in the order of the pieces.
 * Returns a status. */
static int move_pieces(struct slices_hart *h)
{
	for (size_t word = 0; word * WORD < h->npieces; word++) {
		for (uint64_t bits = h->has_run[word]; bits; bits &= bits - 1) {
			const size_t piece =
			    word * WORD + (unsigned)__builtin_ctzll(bits);
			const size_t at = tr_sums_add(&h->lane->pieces, (uint32_t)piece);
			if (at == SIZE_MAX)
				return TR_E_NOMEM;
			h->lane->pieces.list[at].instructions = h->executions[piece];
			h->executions[piece] = 0;
		}
		h->has_run[word] = 0;
	}
	return TR_OK;
}

/* Returns a hart that is in the counts' context; NULL as find_hart(), or when out of
 * memory. */
static struct slices_hart *hart_of(const struct tr_counts *counts, uint32_t hart)
{
	struct slices_hart *h = find_hart(counts->slices, hart);
	if (!h || (h->lane && h->lane->context == counts->context))
		return h;
	if (move_pieces(h))
		return NULL;
	h->lane = find_lane(counts->slices, hart, counts->context);
	if (!h->lane)
		return NULL;
	if (h->length)
		h->lane->slice = h->slice;
	h->serial++;
	return h;
}

/* Appends the sums of a packed list to another. Returns a status. */
static int append_packed(const struct tr_buffer *packed, struct tr_sums *to)
{
	return packed->size ? tr_sums_unpack(packed->data, packed->size, to->columns,
					     UINT32_MAX, tr_sums_append, to)
			    : TR_OK;
}

/* Adds a list to what `packed` holds, and empties it. Returns a status. */
static int pack_sums(struct tr_sums *sums, struct tr_buffer *packed)
{
	int status = sums->count ? append_packed(packed, sums) : TR_OK;
	if (!status && sums->count)
		status = tr_sums_pack(sums, packed);
	tr_sums_release(sums);
	return status;
}

/* Packs what is open of a lane. Returns a status. */
static int close_lane(struct slices_lane *lane)
{
	const uint32_t slice = lane->slice;
	lane->slice = SLICES_FULL;
	if (!lane->pieces.count && !lane->stalls.count)
		return TR_OK;
	if (!lane->nlists || lane->lists[lane->nlists - 1].slice != slice) {
		if (!tr_grow(&lane->lists, &lane->room, lane->nlists + 1,
			     sizeof(*lane->lists)))
			return TR_E_NOMEM;
		lane->lists[lane->nlists++] = (struct slices_list){.slice = slice};
	}
	struct slices_list *list = &lane->lists[lane->nlists - 1];
	const int status = pack_sums(&lane->pieces, &list->pieces);
	return status ? status : pack_sums(&lane->stalls, &list->stalls);
}

/* Packs the open slice of a hart. Returns a status. */
static int close_slice(struct tr_slices *s, struct slices_hart *h)
{
	int status = move_pieces(h);
	for (size_t i = 0; i < s->nlanes && !status; i++)
		if (s->lanes[i]->hart == h->hart)
			status = close_lane(s->lanes[i]);
	h->length = 0;
	return status;
}

int tr_slices_pack(struct tr_slices *s)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < s->nharts && !status; i++)
		status = close_slice(s, s->harts[i]);
	return status;
}

/* Adds a packed list to another, and frees it. Returns a status. */
static int move_packed(struct tr_buffer *from, struct tr_buffer *to, unsigned columns)
{
	struct tr_sums sums = {.columns = columns};
	int status = TR_OK;
	if (!to->size) {
		tr_buffer_free(to);
		*to = *from;
		return TR_OK;
	}
	if (from->size)
		status = append_packed(from, &sums);
	if (!status)
		status = pack_sums(&sums, to);
	tr_sums_release(&sums);
	tr_buffer_free(from);
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
		if (!status && count && lane->lists[count - 1].slice == list.slice) {
			struct slices_list *to = &lane->lists[count - 1];
			status = move_packed(&list.pieces, &to->pieces, 0);
			if (!status)
				status = move_packed(&list.stalls, &to->stalls, columns);
		} else {
			lane->lists[count++] = list;
		}
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

/* Returns the cycle before one, by which it is in a slice; nothing is before the first.
 */
static uint64_t before(uint64_t cycle)
{
	return cycle ? cycle - 1 : 0;
}

/* Opens the slice that has `cycle`. Returns a status. */
static int open_slice(struct tr_slices *s, struct slices_hart *h, uint64_t cycle)
{
	int status = TR_OK;
	if (cycle > s->end) {
		s->end = cycle;
		status = fit_slices(s, cycle);
	}
	if (!status)
		status = close_slice(s, h);
	h->slice = (uint32_t)(before(cycle) / s->length);
	h->from = h->slice * s->length;
	h->length = s->length;
	h->lane->slice = h->slice;
	h->serial++;
	return status;
}

/* Returns true if the open slice has what ends in `cycle`. */
static bool is_open(const struct slices_hart *h, uint64_t cycle)
{
	return before(cycle) - h->from < h->length;
}

/* Returns the index of the sum of an instruction in the open slice; SIZE_MAX when out of
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
	const size_t index = tr_sums_add(&h->lane->stalls, id);
	if (index < UINT32_MAX)
		*last = (struct slices_last){h->serial, (uint32_t)index};
	return index < UINT32_MAX ? index : SIZE_MAX;
}

/* Adds the stalls of a run, which is in the open slice. Returns a status. */
static int add_stalls(const struct tr_counts *counts, struct slices_hart *h,
		      const struct tr_unwind_run *run, const uint32_t *ids)
{
	const struct tr_timing *timing = run->timing;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (stall->token < run->first)
			continue;
		if (stall->token >= run->end)
			break;
		const size_t at = sum_of(h, ids[stall->token - run->first]);
		if (at == SIZE_MAX)
			return TR_E_NOMEM;
		h->lane->stalls.list[at].instructions++;
		h->lane->stalls.list[at].cycles += stall->cycles;
		tr_counts_add_runs(
		    counts, h->lane->stalls.lost + at * h->lane->stalls.columns,
		    &timing->runs[stall->first_run], stall->nruns, run->hart);
	}
	return TR_OK;
}

/* Makes room for the executions of a piece. Returns a status. */
static int add_piece(struct slices_hart *h, uint32_t piece)
{
	const size_t pieces = h->executions_room, words = h->has_run_room;
	if (!tr_grow(&h->executions, &h->executions_room, piece + 1UL,
		     sizeof(*h->executions)) ||
	    !tr_grow(&h->has_run, &h->has_run_room, h->executions_room / WORD + 1,
		     sizeof(*h->has_run)))
		return TR_E_NOMEM;
	memset(h->executions + pieces, 0,
	       (h->executions_room - pieces) * sizeof(*h->executions));
	memset(h->has_run + words, 0, (h->has_run_room - words) * sizeof(*h->has_run));
	h->npieces = h->executions_room;
	return TR_OK;
}

/* Adds a run that is in the open slice. Returns a status. */
static int add_run(const struct tr_counts *counts, struct slices_hart *h,
		   const struct tr_unwind_run *run, uint32_t piece)
{
	if (piece >= h->npieces && add_piece(h, piece))
		return TR_E_NOMEM;
	if (!h->executions[piece]++)
		h->has_run[piece / WORD] |= UINT64_C(1) << piece % WORD;
	return run->timing->nstalls
		   ? add_stalls(counts, h, run, &counts->ids[counts->pieces[piece].first])
		   : TR_OK;
}

/* The cycles in which the first and the last instruction of a run end. */
struct span {
	uint64_t first, last;
};

static struct span span_of(const struct tr_unwind_run *run)
{
	const struct tr_timing *timing = run->timing;
	struct span span = {run->cycle + run->first + 1, run->cycle + run->end};
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (stall->token >= run->end)
			break;
		span.first += stall->token <= run->first ? stall->cycles - 1 : 0;
		span.last += stall->cycles - 1;
	}
	return span;
}

/* Adds a part of a run, perhaps an empty one, that is in the open slice. Returns a
 * status.
 */
static int add_part(struct tr_counts *counts, struct slices_hart *h,
		    const struct tr_unwind_run *part)
{
	if (part->first == part->end)
		return TR_OK;
	const uint32_t piece = tr_counts_piece_of(counts, part);
	return piece != COUNTS_NONE ? add_run(counts, h, part, piece) : TR_E_NOMEM;
}

/* Adds a run that is not in the open slice, or not as a whole. Returns a status. */
static int cut_run(struct tr_counts *counts, struct slices_hart *h,
		   const struct tr_unwind_run *run)
{
	const struct tr_timing *timing = run->timing;
	struct tr_unwind_run part = *run;
	uint64_t cycle = run->cycle;
	uint32_t next = 0;
	part.end = part.first;
	for (uint16_t token = 0; token < run->end; token++) {
		const bool has_stall =
		    next < timing->nstalls && timing->stalls[next].token == token;
		cycle += has_stall ? timing->stalls[next++].cycles : 1;
		if (token < run->first)
			continue;
		if (!is_open(h, cycle)) {
			if (add_part(counts, h, &part) ||
			    open_slice(counts->slices, h, cycle))
				return TR_E_NOMEM;
			part.first = token;
		}
		part.end = (uint16_t)(token + 1);
	}
	return add_part(counts, h, &part);
}

int tr_slices_run(struct tr_counts *counts, const struct tr_unwind_run *run,
		  uint32_t piece)
{
	struct slices_hart *h = hart_of(counts, run->hart);
	if (!h)
		return TR_E_NOMEM;
	const struct span span = span_of(run);
	return is_open(h, span.first) && is_open(h, span.last)
		   ? add_run(counts, h, run, piece)
		   : cut_run(counts, h, run);
}

int tr_slices_trap(const struct tr_counts *counts, const struct tr_unwind_trap *trap,
		   uint32_t id)
{
	struct tr_slices *s = counts->slices;
	struct slices_hart *h = hart_of(counts, trap->hart);
	if (!h || (!is_open(h, trap->cycle) && open_slice(s, h, trap->cycle)))
		return TR_E_NOMEM;
	const size_t at = sum_of(h, id);
	if (at == SIZE_MAX)
		return TR_E_NOMEM;
	h->lane->stalls.list[at].calls++;
	h->lane->stalls.list[at].cycles += trap->event->cycles;
	tr_counts_add_runs(counts, h->lane->stalls.lost + at * s->columns,
			   trap->event->u.trap.runs, trap->event->u.trap.nruns,
			   trap->hart);
	return TR_OK;
}
