/* SPDX-License-Identifier: Apache-2.0 */
/* Places events between the tokens. */
#include <stdlib.h>

#include "stream/writer_state.h"

bool tr_writer_event_good(const struct tr_event *event, uint32_t commit_width)
{
	if (event->cycles >= TR_MAX_CYCLES || event->kind == 0 ||
	    event->kind >= TR_MAX_EVENT_KIND)
		return false;
	switch (event->kind) {
	case TR_EV_TRAP:
		return event->u.trap.priv < 16 &&
		       tr_runs_good(event->u.trap.runs, event->u.trap.nruns,
				    event->cycles, commit_width);
	case TR_EV_XRET:
		return event->u.xret.priv < 16;
	case TR_EV_PRIV:
		return event->u.priv.priv < 16;
	case TR_EV_SATP:
		return event->u.satp.space < UINT32_MAX;
	case TR_EV_SPACE:
		return event->u.space.space < UINT32_MAX;
	case TR_EV_REG:
		return event->u.reg.reg < 32;
	case TR_EV_TRIGGER:
		return event->u.trigger.start < 2;
	case TR_EV_GAP:
		return event->u.gap.reason <= TR_GAP_LIMIT &&
		       event->u.gap.tokens < INT64_MAX;
	case TR_EV_COUNTERS:
	case TR_EV_PROBE:
		return true; /* see tr_writer_named_good() */
	case TR_EV_MMIO_LOAD:
	case TR_EV_ATOMIC:
		return event->u.access.size && event->u.access.size <= 8 &&
		       !(event->u.access.size & (event->u.access.size - 1));
	case TR_EV_CSR_READ:
		return event->u.csr.number < TR_CSRS;
	case TR_EV_DEVICE_WRITE:
	case TR_EV_MEMORY:
		return event->u.write.size <= TR_EVENT_MAX_BYTES;
	case TR_EV_REGISTERS:
	case TR_EV_HGATP:
		return true;
	case TR_EV_STATE:
		return event->u.state.back < 2 &&
		       event->u.state.size < TR_EVENT_MAX_BYTES;
	case TR_EV_TRANSLATION:
		return event->u.translation.store < 2;
	case TR_EV_BREAK:
		return event->u.broken.count && event->u.broken.count < INT64_MAX;
	default:
		return event->u.raw.size <= TR_EVENT_MAX_BYTES;
	}
}

bool tr_writer_named_good(const struct tr_writer *w, const struct tr_event *event)
{
	if (event->kind == TR_EV_PROBE)
		return tr_hit_good(&event->u.probe, &w->probes);
	return event->kind != TR_EV_COUNTERS ||
	       tr_sample_good(&event->u.counters, &w->counters);
}

bool tr_writer_sample_at(struct tr_writer *w, uint64_t *last, uint64_t cycle)
{
	if (cycle < *last || cycle > INT64_MAX) {
		tr_writer_status(w, TR_E_ARGUMENT);
		return false;
	}
	*last = cycle;
	return true;
}

/* The place of an event of the next token is known when the token comes. */
static int hold_event(struct tr_writer *w, struct writer_hart *hart,
		      const struct tr_event *event)
{
	if (!tr_grow(&hart->held, &hart->held_room, hart->nheld + 1, sizeof(*hart->held)))
		return tr_writer_status(w, TR_E_NOMEM);
	struct tr_event *held = &hart->held[hart->nheld++];
	*held = *event;
	return tr_writer_status(w, tr_event_copy_data(held, &hart->held_values));
}

static void place_event(struct tr_writer *w, struct writer_hart *hart,
			struct tr_event event, unsigned token)
{
	size_t before = hart->events.size;
	event.row = hart->head.nrows;
	event.token = (uint16_t)token;
	hart->has_inner = token != 0;
	tr_encode_event(&hart->events, &event, &hart->events_from);
	w->frame_events += hart->events.size - before;
	hart->head.nevents++;
}

void tr_writer_count_breaks(struct tr_writer *w, uint32_t hart,
			    const struct tr_event *event)
{
	if (event->kind != TR_EV_BREAK)
		return;
	if (!w->breaks.count) {
		w->breaks.hart = hart;
		w->breaks.first = event->u.broken;
	}
	w->breaks.count += event->u.broken.count;
}

void tr_writer_put_break(struct tr_writer *w, struct writer_hart *hart,
			 const struct tr_break *broken)
{
	const struct tr_event event = {.kind = TR_EV_BREAK,
				       .row = hart->head.nrows + hart->has_inner,
				       .u.broken = *broken};
	const size_t before = hart->events.size;
	tr_writer_count_breaks(w, hart->head.hart, &event);
	tr_encode_event(&hart->events, &event, &hart->events_from);
	w->frame_events += hart->events.size - before;
	hart->head.nevents++;
}

int tr_writer_place_held(struct tr_writer *w, struct writer_hart *hart, unsigned token,
			 unsigned tokens)
{
	for (uint32_t i = 0; i < hart->nheld && !w->status; i++) {
		unsigned at = token + hart->held[i].token;
		if (at && at >= tokens)
			tr_writer_status(w, TR_E_ARGUMENT);
		place_event(w, hart, hart->held[i], at);
	}
	hart->nheld = 0;
	tr_arena_reset(&hart->held_values);
	return w->status;
}

int tr_writer_event(struct tr_writer *w, uint32_t number, const struct tr_event *event)
{
	tr_writer_leave_passing(w);
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (!tr_writer_event_good(event, w->commit_width) ||
	    !tr_writer_named_good(w, event))
		return tr_writer_status(w, TR_E_ARGUMENT);
	if (tr_event_is_of_token(event->kind) && event->token && hart->draft.block.tokens)
		tr_writer_end_block(w, hart, NULL);
	if (tr_event_is_of_token(event->kind))
		return hold_event(w, hart, event);
	tr_writer_cut(w, number);
	if (event->kind == TR_EV_COUNTERS &&
	    !tr_writer_sample_at(w, &hart->sample_cycle, hart->cycle + event->cycles))
		return w->status;
	if (w->marks_breaks && !tr_continuity_event(&hart->continuity, event))
		tr_writer_put_break(w, hart,
				    &(struct tr_break){.from = hart->continuity.last,
						       .to = event->u.trap.epc,
						       .count = 1});
	tr_writer_count_breaks(w, number, event);
	w->has_marked_breaks |= event->kind == TR_EV_BREAK;
	place_event(w, hart, *event, 0);
	tr_context_apply(&hart->context, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		hart->cycle += event->cycles;
	return tr_writer_check_frame(w, hart);
}
