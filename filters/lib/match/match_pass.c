/* SPDX-License-Identifier: Apache-2.0 */
/* Passes frames on as a reader would return them from the stream that the writer would
 * write: with the matcher's events and notes, and the contexts that follow from these. */
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

int tr_match_pass_on(struct tr_match *match, struct match_held *held)
{
	struct match_passing *p = &match->passing;
	const struct tr_frame *from = held->frame;
	tr_match_drop_held(p->last);
	p->last = held;
	for (uint32_t i = 0; i < from->nharts; i++) {
		struct tr_context *context = passed_context(p, &from->harts[i]);
		p->parts[i] = from->harts[i];
		p->parts[i].start = *context;
		p->parts[i].events = held->events[i];
		p->parts[i].nevents = held->nevents[i];
		for (uint32_t e = 0; e < held->nevents[i]; e++)
			tr_context_apply(context, &held->events[i][e]);
	}
	p->frame = *from;
	p->frame.harts = p->parts;
	p->frame.number = p->frames++;
	p->frame.notes = held->notes;
	p->frame.nnotes = held->nnotes;
	p->frame.payload = (struct tr_payload){0};
	return p->take(p->user, &p->frame);
}
