/* SPDX-License-Identifier: Apache-2.0 */
/* A hart: its context, its position in the frame, and what ran last. */
#include "unwind/unwind_hart.h"

#include <stdlib.h>

#include "unwind/stacks_hart.h"

struct hart *tr_hart_new(uint32_t number)
{
	struct hart *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->number = number;
	tr_tracking_begin(h);
	tr_flow_set(h, FLOW_RESYNC, 0);
	return h;
}

void tr_hart_pin(struct hart *h, struct tr_pairs *pairs)
{
	tr_pairs_pin(pairs, &h->from, &h->held);
}

void tr_hart_apply(struct hart *h, const struct tr_event *event)
{
	tr_context_apply(&h->context, event);
}

void tr_hart_apply_note(struct hart *h, const struct tr_event *event)
{
	tr_context_apply(&h->notes, event);
}

void tr_hart_forget_space(struct hart *h)
{
	h->context.space = 0;
}

void tr_hart_begin_part(struct hart *h, const struct tr_unwind_options *options,
			const struct tr_hart_frame *part)
{
	const uint8_t priv = h->part ? h->context.priv : part->start.priv;
	h->context = h->notes = part->start;
	if (!options->has_priv)
		h->context.priv = priv;
	if (!options->has_satp)
		h->context.satp = h->context.hgatp = h->context.space = 0;
	h->part = part;
	h->cycle = part->start_cycle;
	h->next_row = h->next_event = 0;
}

void tr_flow_set(struct hart *h, uint8_t flow, uint64_t next_pc)
{
	h->held = (struct pair){.flow = flow, .pc = next_pc, .binary = TR_NOTE_UNKNOWN};
	h->from = &h->held;
}
