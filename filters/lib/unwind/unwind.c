/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinder's main loop: harts in order of time, each through its rows and events. */
#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/unwind_spans.h"

bool tr_unwind_reserve(struct tr_unwind *u, void **array, uint32_t *capacity,
		       uint64_t count, size_t size)
{
	if (count <= *capacity)
		return true;
	uint64_t room = *capacity < 16 ? 16 : *capacity;
	while (room < count)
		room *= 2;
	void *bigger = room <= UINT32_MAX ? realloc(*array, room * size) : NULL;
	if (!bigger) {
		unwind_fail(u, TR_E_NOMEM);
		return false;
	}
	*array = bigger;
	*capacity = (uint32_t)room;
	return true;
}

void tr_flow_set(struct hart *h, uint8_t flow, uint64_t next_pc)
{
	h->held = (struct pair){.flow = flow, .pc = next_pc, .binary = TR_NOTE_UNKNOWN};
	h->from = &h->held;
}

int tr_unwind_new(struct tr_unwind **unwind, const struct tr_unwind_ops *ops,
		  const struct tr_unwind_options *options)
{
	struct tr_unwind *u = calloc(1, sizeof(*u));
	*unwind = u;
	if (!u)
		return TR_E_NOMEM;
	u->ops = *ops;
	u->options = *options;
	u->isa = options->isa ? options->isa : options->xlen;
	u->generation = UINT64_MAX;
	u->free_pair = TR_MAP_NONE;
	u->is_watched = ops->where;
	u->reports_all = options->has_traps && options->has_priv &&
			 (options->has_satp || options->has_sp);
	if (!tr_names_init(u) || !tr_stacks_init(u) ||
	    (ops->thread_name && !tr_shells_init(u)) ||
	    (options->addresses && !tr_spans_init(u)))
		unwind_fail(u, TR_E_NOMEM);
	int status = u->status;
	if (status) {
		tr_unwind_free(u);
		*unwind = NULL;
	}
	return status;
}

void tr_unwind_free(struct tr_unwind *u)
{
	if (!u)
		return;
	tr_names_free(u);
	tr_shells_free(u);
	tr_spans_free(u);
	tr_pairs_free(u);
	tr_leaves_free(u);
	tr_spaces_free(u);
	tr_stacks_free(u);
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		free(u->harts[i]);
	free(u);
}

static struct hart *get_hart(struct tr_unwind *u, uint32_t number)
{
	unsigned i = 0;
	while (i < TR_MAX_HARTS && u->harts[i] && u->harts[i]->number != number)
		i++;
	if (i == TR_MAX_HARTS) {
		unwind_fail(u, TR_E_ARGUMENT);
		return NULL;
	}
	if (u->harts[i])
		return u->harts[i];
	struct hart *h = tr_stacks_new_hart();
	if (!h) {
		unwind_fail(u, TR_E_NOMEM);
		return NULL;
	}
	h->number = number;
	h->near_binary = TR_NOTE_UNKNOWN;
	u->harts[i] = h;
	return h;
}

static struct hart *begin_part(struct tr_unwind *u, const struct tr_hart_frame *part)
{
	struct hart *h = get_hart(u, part->hart);
	if (!h)
		return NULL;
	uint8_t priv = h->part ? h->context.priv : part->start.priv;
	h->context = h->notes = part->start;
	if (!u->options.has_priv)
		h->context.priv = priv;
	if (!u->options.has_satp)
		h->context.satp = h->context.hgatp = h->context.space = 0;
	h->part = part;
	h->cycle = part->start_cycle;
	h->next_row = h->next_event = 0;
	tr_stacks_begin_part(u, h);
	return h;
}

/* Processes a run of rows or one event. Returns false at the end of the hart's part. */
static bool step_hart_part(struct tr_unwind *u, struct hart *h)
{
	const struct tr_hart_frame *part = h->part;
	const struct tr_event *event = NULL;
	uint32_t last = part->nrows;
	if (h->next_event < part->nevents) {
		event = &part->events[h->next_event];
		last = event->row;
	}
	if (h->next_row < last) {
		tr_rows_run(u, h, last);
		return true;
	}
	if (!event)
		return false;
	h->next_event++;
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP) {
		h->cycle += event->cycles;
		u->totals.cycles += event->cycles;
	}
	if (event->kind == TR_EV_TRIGGER)
		tr_rows_trigger(u, h, event->u.trigger.start != 0);
	tr_stacks_take_event(u, h, event);
	tr_context_apply(&h->notes, event);
	return true;
}

/* Runs the hart with the lowest time first, since threads migrate between harts. */
static void run_harts(struct tr_unwind *u, struct hart **harts, uint32_t count)
{
	while (count && !u->status) {
		uint32_t first = 0;
		for (uint32_t i = 1; i < count; i++)
			if (harts[i]->cycle < harts[first]->cycle)
				first = i;
		if (step_hart_part(u, harts[first]))
			continue;
		tr_rows_flush(u, harts[first]);
		harts[first] = harts[--count];
	}
}

int tr_unwind_frame(struct tr_unwind *u, const struct tr_frame *frame, uint32_t nblocks,
		    uint32_t ntimings)
{
	struct hart *harts[TR_MAX_HARTS];
	if (frame->nharts > TR_MAX_HARTS)
		return TR_E_ARGUMENT;
	if (frame->generation != u->generation)
		tr_pairs_generation(u);
	u->generation = frame->generation;
	tr_pairs_frame(u, frame, nblocks, ntimings);
	tr_isa_frame(u, frame);
	for (uint32_t i = 0; i < frame->nharts && !u->status; i++)
		harts[i] = begin_part(u, &frame->harts[i]);
	if (!u->status)
		run_harts(u, harts, frame->nharts);
	if (u->shells && !u->status)
		tr_shells_name(u);
	if (u->spans && !u->status)
		tr_spans_end_frame(u);
	return u->status;
}

int tr_unwind_finish(struct tr_unwind *u)
{
	if (!u->status)
		tr_stacks_finish(u);
	if (u->shells && !u->status)
		tr_shells_name(u);
	if (u->spans && !u->status)
		tr_spans_write(u);
	return u->status;
}

void tr_unwind_totals(const struct tr_unwind *u, struct tr_unwind_totals *totals)
{
	*totals = u->totals;
	totals->nodes = u->nodes_written;
}
