/* SPDX-License-Identifier: Apache-2.0 */
/* Passes frames on as a reader would return them from the stream that the writer would
 * write: with the matcher's events and notes, and the contexts that follow from these. */
#include <stdlib.h>

#include "match/match_state.h"

void tr_match_take(struct tr_match *match,
		   int (*take)(void *user, const struct tr_frame *frame), void *user)
{
	match->passing.take = take;
	match->passing.user = user;
}

/* Returns the context of a hart, which begins with that of its first frame. */
static struct tr_context *passed_context(struct match_passing *p,
					 const struct tr_hart_frame *part)
{
	for (uint32_t i = 0; i < p->nharts; i++)
		if (p->harts[i].hart == part->hart)
			return &p->harts[i].context;
	struct match_passed_hart *hart = &p->harts[p->nharts++];
	*hart = (struct match_passed_hart){.hart = part->hart, .context = part->start};
	return &hart->context;
}

/* A frame that was passed on, and what it points to. */
struct match_passed {
	struct tr_frame
	    frame; /* the first member: tr_match_release_frame() relies on it */
	struct match_held *held;
	struct tr_hart_frame parts[];
};

int tr_match_pass_on(struct tr_match *match, struct match_held *held)
{
	struct match_passing *p = &match->passing;
	const struct tr_frame *from = held->frame;
	struct match_passed *passed =
	    malloc(sizeof(*passed) + from->nharts * sizeof(*passed->parts));
	if (!passed) {
		tr_match_drop_held(held);
		return TR_E_NOMEM;
	}
	for (uint32_t i = 0; i < from->nharts; i++) {
		struct tr_context *context = passed_context(p, &from->harts[i]);
		passed->parts[i] = from->harts[i];
		passed->parts[i].start = *context;
		passed->parts[i].events = held->events[i];
		passed->parts[i].nevents = held->nevents[i];
		for (uint32_t e = 0; e < held->nevents[i]; e++)
			tr_context_apply(context, &held->events[i][e]);
	}
	passed->held = held;
	passed->frame = *from;
	passed->frame.harts = passed->parts;
	passed->frame.number = p->frames++;
	passed->frame.notes = held->notes;
	passed->frame.nnotes = held->nnotes;
	passed->frame.payload = (struct tr_payload){0};
	return p->take(p->user, &passed->frame);
}

void tr_match_release_frame(const struct tr_frame *frame)
{
	struct match_passed *passed = (struct match_passed *)(uintptr_t)frame;
	if (!passed)
		return;
	tr_match_drop_held(passed->held);
	free(passed);
}
