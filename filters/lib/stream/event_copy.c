/* SPDX-License-Identifier: Apache-2.0 */
/* Copies what an event points to. */
#include <string.h>

#include "base/buffer.h"
#include "stream/reader.h"

static int keep(struct tr_arena *arena, const void *from, size_t size, const void **to)
{
	void *copy = tr_arena_take(arena, size);
	*to = copy;
	if (!copy)
		return TR_E_NOMEM;
	if (size)
		memcpy(copy, from, size);
	return TR_OK;
}

int tr_event_copy_data(struct tr_event *event, struct tr_arena *arena)
{
	const void *copy;
	int status = TR_OK;
	switch (event->kind) {
	case TR_EV_TRAP:
		status = keep(arena, event->u.trap.runs,
			      event->u.trap.nruns * sizeof(*event->u.trap.runs), &copy);
		event->u.trap.runs = copy;
		break;
	case TR_EV_COUNTERS:
		status = keep(arena, event->u.counters.values,
			      event->u.counters.count * sizeof(*event->u.counters.values),
			      &copy);
		event->u.counters.values = copy;
		break;
	case TR_EV_DEVICE_WRITE:
	case TR_EV_MEMORY:
		status = keep(arena, event->u.write.data, event->u.write.size, &copy);
		event->u.write.data = copy;
		break;
	case TR_EV_STATE:
		status = keep(arena, event->u.state.text, event->u.state.size, &copy);
		event->u.state.text = copy;
		break;
	case TR_EV_PROBE:
		status = keep(arena, event->u.probe.values, event->u.probe.size, &copy);
		event->u.probe.values = copy;
		break;
	default:
		if (event->kind != TR_EV_MARK && event->kind <= TR_EV_LAST)
			break;
		status = keep(arena, event->u.raw.data, event->u.raw.size, &copy);
		event->u.raw.data = copy;
	}
	return status;
}
