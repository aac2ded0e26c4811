/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/walk.h"

#include <stdlib.h>

#include "base/little.h"
#include "stream/frame.h"
#include "stream/sp.h"

/* sp of a hart, if it is known, and the space of the user code that it ran last. */
struct hart_sp {
	uint64_t sp;
	uint32_t hart, space; /* UINT32_MAX: none, or probes were hit since */
	bool known;
};

struct tr_walk {
	const struct tr_memory_options *o;
	int (*row)(void *user, const struct tr_walk_row *row);
	void *user;
	uint32_t width; /* slots of the stream in a cycle */
	struct hart_sp sps[TR_MAX_HARTS];
	uint32_t nsps;
	struct tr_sp_sums added; /* to sp, by block */
};

struct tr_walk *tr_walk_new(const struct tr_memory_options *options,
			    int (*row)(void *user, const struct tr_walk_row *row),
			    void *user)
{
	struct tr_walk *walk = calloc(1, sizeof(*walk));
	if (!walk)
		return NULL;
	walk->o = options;
	walk->row = row;
	walk->user = user;
	walk->width = options->classes ? tr_header_commit_width(options->header) : 1;
	return walk;
}

void tr_walk_free(struct tr_walk *walk)
{
	if (!walk)
		return;
	tr_sp_sums_release(&walk->added);
	free(walk);
}

uint64_t tr_walk_pc(const struct tr_block *block, unsigned token)
{
	uint64_t offset = 0;
	for (unsigned i = 0; i < token && !block->no_bits; i++)
		offset += tr_insn_length(tr_load16(block->code + offset));
	return block->pc + offset;
}

/* Where a walk over a hart's part of a frame is: before rows from `first` up to `last`,
 * or else before the next step. */
struct part_walk {
	const struct tr_frame *frame;
	const struct tr_accesses *accesses;
	struct tr_cursor cursor;
	struct tr_walk_row row;
	struct hart_sp *sp;
	uint32_t part, first, last;
	bool is_ended;
};

/* ------------------------------------------------------------ stacks */

static struct hart_sp *sp_of_hart(struct tr_walk *walk, uint32_t hart)
{
	uint32_t i = 0;
	while (i < walk->nsps && walk->sps[i].hart != hart)
		i++;
	if (i == walk->nsps && i < TR_MAX_HARTS)
		walk->sps[walk->nsps++] =
		    (struct hart_sp){.hart = hart, .space = UINT32_MAX};
	return i < TR_MAX_HARTS ? &walk->sps[i] : NULL;
}

static void take_sp_event(struct hart_sp *sp, const struct tr_event *event)
{
	if (event->kind == TR_EV_GAP)
		sp->known = false;
	if (event->kind != TR_EV_REG || event->u.reg.reg != TR_REG_SP)
		return;
	sp->sp = event->u.reg.value;
	sp->known = true;
}

/* Follows sp over a row, which adds a constant to it. Returns a status. */
static int pass_row_sp(struct tr_walk *walk, struct hart_sp *sp,
		       const struct tr_context *context, int64_t added)
{
	const uint64_t before = sp->sp;
	sp->sp += (uint64_t)added;
	if (!sp->known || !added)
		return TR_OK;
	return added < 0 ? tr_places_stack(walk->o->places, context, sp->sp, before)
			 : tr_places_stack(walk->o->places, context, before, sp->sp);
}

/* ------------------------------------------------------------ heap */

/* Returns the pc at the place of an event; 0 behind the last row. */
static uint64_t pc_of_event(const struct part_walk *w, const struct tr_event *event)
{
	const struct tr_hart_frame *hart = w->cursor.hart;
	if (event->row >= hart->nrows)
		return 0;
	const struct tr_block *block =
	    tr_frame_block(w->frame, hart->rows[event->row].block);
	return tr_walk_pc(block, event->token);
}

static int take_heap_hit(struct tr_walk *walk, const struct part_walk *w,
			 const struct tr_event *event)
{
	const struct tr_hit *hit = &event->u.probe;
	const struct tr_context *context = &w->cursor.context;
	uint32_t site = 0;
	if (!walk->o->heap)
		return TR_OK;
	const int status = tr_heap_forks_hit(walk->o->forks, w->row.hart, context, hit);
	const uint64_t pc = pc_of_event(w, event);
	if (status)
		return status;
	w->sp->space = UINT32_MAX; /* tr_heap_forks_run() */
	if (tr_heap_allocates(walk->o->heap, hit->probe))
		site = tr_heap_sites_of(walk->o->sites, context, pc, hit);
	if (site == UINT32_MAX)
		return TR_E_NOMEM;
	return tr_heap_hit(walk->o->heap, tr_places_space(context, pc), hit, site);
}

/* Returns a status. */
static inline int pass_user_space(struct tr_walk *walk, const struct part_walk *w)
{
	const struct tr_context *context = &w->cursor.context;
	if (!walk->o->heap || w->sp->space == context->space ||
	    tr_note_space(context) != context->space)
		return TR_OK;
	w->sp->space = context->space;
	return tr_heap_forks_run(walk->o->forks, w->row.hart, context);
}

/* ------------------------------------------------------------ frames */

static int begin_walk(struct tr_walk *walk, struct part_walk *w, uint32_t part)
{
	const struct tr_hart_frame *hart = &w->frame->harts[part];
	w->part = part;
	w->sp = sp_of_hart(walk, hart->hart);
	w->row = (struct tr_walk_row){
	    .context = &w->cursor.context,
	    .cycle = hart->start_cycle,
	    .hart = hart->hart,
	    .weight = walk->width > 1 ? walk->width / tr_header_hart_width(
							  walk->o->header, hart->hart)
				      : 1};
	tr_cursor_init(&w->cursor, hart);
	return w->sp ? TR_OK : TR_E_NOMEM;
}

static int walk_row(struct tr_walk *walk, struct part_walk *w)
{
	const struct tr_row *row = &w->cursor.hart->rows[w->first];
	w->row.accesses =
	    tr_accesses_row(w->accesses, w->part, w->first++, &w->row.count);
	int status =
	    pass_row_sp(walk, w->sp, &w->cursor.context, walk->added.sums[row->block]);
	if (!status)
		status = pass_user_space(walk, w);
	if (w->row.count && !status) {
		w->row.block = tr_frame_block(w->frame, row->block);
		w->row.timing = tr_frame_timing(w->frame, row->timing);
		status = walk->row(walk->user, &w->row);
	}
	w->row.cycle += row->cycles;
	return status;
}

/* Goes on by a row or an event. Returns a status. */
static int walk_on(struct tr_walk *walk, struct part_walk *w)
{
	const struct tr_event *event;
	if (w->first < w->last)
		return walk_row(walk, w);
	const enum tr_step step = tr_cursor_next(&w->cursor, &w->first, &w->last, &event);
	w->is_ended = step == TR_STEP_END;
	if (!w->is_ended)
		w->row.cycle = w->cursor.cycle;
	if (step != TR_STEP_EVENT)
		return TR_OK;
	w->first = w->last = 0;
	take_sp_event(w->sp, event);
	return event->kind == TR_EV_PROBE ? take_heap_hit(walk, w, event) : TR_OK;
}

/* Takes the harts in the order of their cycles. */
static int walk_harts(struct tr_walk *walk, const struct tr_frame *frame,
		      const struct tr_accesses *accesses)
{
	struct part_walk *walks = calloc(frame->nharts + 1UL, sizeof(*walks));
	int status = walks ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < frame->nharts && !status; i++) {
		walks[i] = (struct part_walk){.frame = frame, .accesses = accesses};
		status = begin_walk(walk, &walks[i], i);
	}
	while (!status) {
		struct part_walk *next = NULL;
		for (uint32_t i = 0; i < frame->nharts; i++)
			if (!walks[i].is_ended &&
			    (!next || walks[i].row.cycle < next->row.cycle))
				next = &walks[i];
		if (!next)
			break;
		status = walk_on(walk, next);
	}
	free(walks);
	return status;
}

int tr_walk_frame(struct tr_walk *walk, const struct tr_reader *reader,
		  const struct tr_frame *frame, const struct tr_accesses *accesses)
{
	int status = tr_places_frame(walk->o->places, frame);
	if (!status)
		status = tr_sp_sums_update(&walk->added, reader, frame->generation);
	if (!status)
		status = walk_harts(walk, frame, accesses);
	return status;
}
