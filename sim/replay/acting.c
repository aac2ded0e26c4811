/* SPDX-License-Identifier: Apache-2.0 */
#include "acting.h"

#include <inttypes.h>

#include "accesses.h"
#include "lane.h"

static void take_device_write(struct lane *l, const struct tr_event *event,
			      uint64_t instret)
{
	struct replay_counts *counts = lane_counts(l);

	accesses_tell_write(l, event);
	old_code_note(lane_replay(l), event->u.write.address, event->u.write.size);
	counts->writes++;
	counts->written += event->u.write.size;
	if (!soc_write_physical(lane_soc(l), event->u.write.address, event->u.write.data,
				event->u.write.size))
		replay_fail(l, instret,
			    "a device writes to 0x%" PRIx64 ", outside of memory",
			    event->u.write.address);
}

static void skip_gap(struct lane *l, const struct tr_event *event, uint64_t instret)
{
	if (event->u.gap.reason == TR_GAP_RESET || event->u.gap.reason == TR_GAP_END)
		return;
	replay_fail(l, instret,
		    "%" PRIu64
		    " instructions were not traced; a replay needs all of them",
		    event->u.gap.tokens);
}

bool acts_on_event(const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		return event->u.trap.cause & TR_CAUSE_INTERRUPT;
	case TR_EV_GAP:
	case TR_EV_DEVICE_WRITE:
	case TR_EV_REGISTERS:
	case TR_EV_TRANSLATION:
		return true;
	default:
		return false;
	}
}

void act_on_event(struct lane *l, const struct tr_event *event, uint64_t instret)
{
	if (event->kind == TR_EV_TRAP)
		compare_interrupt(l, event, instret);
	else if (event->kind == TR_EV_GAP)
		skip_gap(l, event, instret);
	else if (event->kind == TR_EV_DEVICE_WRITE)
		take_device_write(l, event, instret);
	else if (event->kind == TR_EV_TRANSLATION)
		soc_translate_anew(lane_soc(l), lane_hart(l));
	else
		compare_registers(l, event, instret);
}
