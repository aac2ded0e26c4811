/* SPDX-License-Identifier: Apache-2.0 */
/* The unwinder's main loop: harts in order of time, each through its rows and events. */
#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/unwind_internal.h"

/* Makes the modules that name, place and count code. Returns false when out of memory. */
static bool make_unwind_modules(struct tr_unwind *u)
{
	const struct tr_unwind_options *options = &u->options;
	u->binaries = tr_binaries_new(options);
	u->names = tr_names_new(&u->sink, options, &u->status);
	u->nodes = tr_nodes_new(u->names, &u->sink, &u->status);
	u->leaves = tr_leaves_new(&u->source, options, u->names, u->nodes, &u->status);
	u->isa = tr_isa_new(&u->source, options, &u->status);
	u->spaces = tr_spaces_new(&u->status);
	if (options->addresses)
		u->spans = tr_spans_new(&(struct span_parts){.source = &u->source,
							     .sink = &u->sink,
							     .names = u->names,
							     .nodes = u->nodes,
							     .leaves = u->leaves,
							     .status = &u->status},
					options);
	tr_pairs_init(&u->pairs,
		      &(struct pair_parts){.source = &u->source,
					   .binaries = u->binaries,
					   .names = u->names,
					   .leaves = u->leaves,
					   .isa = u->isa,
					   .spaces = u->spaces,
					   .spans = u->spans,
					   .finds_marks = u->sink.mark != NULL,
					   .status = &u->status},
		      options);
	if (u->sink.thread_name)
		u->shells = tr_shells_new(u->names, u->nodes, &u->sink, &u->status);
	tr_queue_init(&u->queue, &u->sink, u->nodes, u->shells, &u->status);
	return u->binaries && u->names && u->nodes && u->leaves && u->isa && u->spaces &&
	       (u->spans || !options->addresses) && (u->shells || !u->sink.thread_name);
}

int tr_unwind_new(struct tr_unwind **unwind, const struct tr_unwind_source *source,
		  const struct tr_unwind_sink *sink,
		  const struct tr_unwind_options *options)
{
	struct tr_unwind *u = calloc(1, sizeof(*u));
	*unwind = u;
	if (!u)
		return TR_E_NOMEM;
	u->source = *source;
	u->sink = *sink;
	u->options = *options;
	u->generation = UINT64_MAX;
	u->reports_all = options->has_traps && options->has_priv &&
			 (options->has_satp || options->has_sp);
	u->stacks = tr_stacks_new();
	unwind_fail(&u->status, tr_rows_create(&u->rows, options));
	if (!make_unwind_modules(u) || !u->stacks)
		unwind_fail(&u->status, TR_E_NOMEM);
	int status = u->status.first;
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
	tr_stacks_free(u);
	tr_rows_release(&u->rows);
	tr_hits_release(u);
	tr_queue_release(&u->queue);
	tr_shells_free(u->shells);
	tr_pairs_release(&u->pairs);
	tr_spans_free(u->spans);
	tr_spaces_free(u->spaces);
	tr_isa_free(u->isa);
	tr_leaves_free(u->leaves);
	tr_nodes_free(u->nodes);
	tr_names_free(u->names);
	tr_binaries_free(u->binaries);
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		free(u->harts[i]);
	free(u);
}

static struct hart *get_hart(struct tr_unwind *u, uint32_t number)
{
	unsigned i = 0;
	while (i < TR_MAX_HARTS && u->harts[i] && hart_number(u->harts[i]) != number)
		i++;
	if (i == TR_MAX_HARTS) {
		unwind_fail(status_of(u), TR_E_ARGUMENT);
		return NULL;
	}
	if (u->harts[i])
		return u->harts[i];
	struct hart *h = tr_hart_new(number);
	if (!h) {
		unwind_fail(status_of(u), TR_E_NOMEM);
		return NULL;
	}
	tr_rows_begin_hart(h);
	tr_hart_pin(h, &u->pairs);
	u->harts[i] = h;
	return h;
}

static struct hart *begin_part(struct tr_unwind *u, const struct tr_hart_frame *part)
{
	struct hart *h = get_hart(u, part->hart);
	if (!h)
		return NULL;
	tr_hart_begin_part(h, &u->options, part);
	tr_rows_begin_part(u, h);
	tr_stacks_begin_part(u, h);
	return h;
}

/* Processes a run of rows or one event. Returns false at the end of the hart's part. */
static bool step_hart_part(struct tr_unwind *u, struct hart *h)
{
	const struct tr_hart_frame *part = hart_part(h);
	const struct tr_event *event = NULL;
	uint32_t last = part->nrows;
	if (hart_next_event(h) < part->nevents) {
		event = &part->events[hart_next_event(h)];
		last = event->row;
	}
	if (hart_next_row(h) < last) {
		tr_rows_run(u, h, last);
		return true;
	}
	if (!event)
		return false;
	hart_pass_event(h);
	tr_rows_pass_event(u, h, event);
	if (event->kind == TR_EV_PROBE)
		tr_rows_hit(u, h, &event->u.probe);
	if (event->kind == TR_EV_TRIGGER)
		tr_rows_trigger(u, h, event->u.trigger.start != 0);
	tr_stacks_take_event(u, h, event);
	tr_hart_apply_note(h, event);
	return true;
}

/* Runs the hart with the lowest time first, since threads migrate between harts. */
static void run_harts(struct tr_unwind *u, struct hart **harts, uint32_t count)
{
	while (count && !unwind_failed(status_of(u))) {
		uint32_t first = 0;
		for (uint32_t i = 1; i < count; i++)
			if (hart_cycle(harts[i]) < hart_cycle(harts[first]))
				first = i;
		if (step_hart_part(u, harts[first]))
			continue;
		tr_rows_flush(u, harts[first]);
		harts[first] = harts[--count];
	}
}

static void name_shells(struct tr_unwind *u)
{
	if (!u->shells || unwind_failed(&u->status))
		return;
	tr_shells_name(u->shells);
	tr_queue_watch(&u->queue);
}

int tr_unwind_frame(struct tr_unwind *u, const struct tr_frame *frame, uint32_t nblocks,
		    uint32_t ntimings)
{
	struct hart *harts[TR_MAX_HARTS];
	if (frame->nharts > TR_MAX_HARTS)
		return TR_E_ARGUMENT;
	if (frame->generation != u->generation) {
		tr_pairs_generation(&u->pairs);
		tr_rows_generation(u);
	}
	u->generation = frame->generation;
	tr_isa_frame(u->isa, frame, nblocks);
	tr_pairs_frame(&u->pairs, frame, nblocks);
	tr_rows_frame(u, ntimings);
	for (uint32_t i = 0; i < frame->nharts && !unwind_failed(status_of(u)); i++)
		harts[i] = begin_part(u, &frame->harts[i]);
	if (!unwind_failed(status_of(u)))
		run_harts(u, harts, frame->nharts);
	name_shells(u);
	if (u->spans && !unwind_failed(status_of(u)))
		tr_spans_end_frame(u->spans);
	return u->status.first;
}

int tr_unwind_finish(struct tr_unwind *u)
{
	if (!unwind_failed(status_of(u)))
		tr_stacks_finish(u);
	name_shells(u);
	if (u->spans && !unwind_failed(status_of(u)))
		tr_spans_write(u->spans);
	return u->status.first;
}

void tr_unwind_totals(const struct tr_unwind *u, struct tr_unwind_totals *totals)
{
	*totals = (struct tr_unwind_totals){0};
	tr_rows_add_totals(&u->rows, totals);
	tr_queue_add_totals(&u->queue, totals);
	tr_stacks_add_totals(u, totals);
	tr_names_add_totals(u->names, totals);
	tr_nodes_add_totals(u->nodes, totals);
	tr_spaces_add_totals(u->spaces, totals);
}
