/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's packets of harts: switches, privileges and counters. */
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

/* Returns the name of a thread, of no thread for NULL. */
static char *thread_comm_or_idle(const struct tr_perfetto *p,
				 const struct perfetto_thread *thread, char *text)
{
	static char idle[] = "swapper";
	return thread
		   ? tr_timeline_utf8(tr_profile_thread_label(p->profile, thread->number),
				      text, NAME_BYTES)
		   : idle;
}

int tr_perfetto_take_run(void *state, uint32_t hart, uint64_t cycle, uint32_t from,
			 uint32_t to)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	TrPerfetto__Ftrace bundle = TR_PERFETTO__FTRACE__INIT;
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT, *events = &event;
	TrPerfetto__Switch sw = TR_PERFETTO__SWITCH__INIT;
	const struct perfetto_thread *prev =
	    from == TR_TIMELINE_NONE ? NULL : &p->threads[from];
	const struct perfetto_thread *next =
	    to == TR_TIMELINE_NONE ? NULL : &p->threads[to];
	/* The probe of switches tells more. */
	if (p->tasks && tr_tasks_has_switches(p->tasks))
		return TR_OK;
	packet.ftrace_events = &bundle;
	bundle.has_cpu = 1;
	bundle.cpu = hart;
	bundle.n_event = 1;
	bundle.event = &events;
	event.has_timestamp = event.has_pid = 1;
	event.timestamp = tr_timeline_ns(&p->clock, cycle);
	event.sched_switch = &sw;
	sw.has_prev_pid = sw.has_prev_prio = sw.has_prev_state = 1;
	sw.has_next_pid = sw.has_next_prio = 1;
	sw.prev_comm = thread_comm_or_idle(p, prev, p->text);
	sw.prev_pid = prev ? prev->tid : 0;
	event.pid = (uint32_t)sw.prev_pid;
	sw.prev_state = prev ? STATE_UNKNOWN : 0;
	sw.next_comm = thread_comm_or_idle(p, next, p->next_text);
	sw.next_pid = next ? next->tid : 0;
	sw.prev_prio = sw.next_prio = PRIORITY;
	return tr_perfetto_put(p, &packet, SEQUENCE_SWITCHES);
}

int tr_perfetto_end_mode(struct tr_perfetto *p, struct perfetto_hart *hart)
{
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	TrPerfetto__Annotation annotations[TR_TIMELINE_MODES];
	TrPerfetto__Annotation *pointers[TR_TIMELINE_MODES];
	if (hart->mode < 0)
		return TR_OK;
	for (uint32_t i = 0; i < TR_TIMELINE_MODES; i++) {
		pointers[event.n_debug_annotations] = &annotations[i];
		if (!hart->modes[i])
			continue;
		tr_perfetto_annotate(&annotations[i], NAME_MODE + i, hart->modes[i]);
		event.n_debug_annotations++;
	}
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.track_uuid = hart->mode_uuid;
	event.debug_annotations = pointers;
	hart->mode = -1;
	memset(hart->modes, 0, sizeof(hart->modes));
	return tr_perfetto_event(p, &event, hart->mode_end, NULL);
}

static int begin_mode(struct tr_perfetto *p, struct perfetto_hart *hart, uint64_t cycle,
		      int mode)
{
	static char privilege[] = "privilege";
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	int status = TR_OK;
	if (!hart->mode_uuid) {
		hart->mode_uuid = ++p->uuids;
		status = tr_perfetto_named_track(p, hart->mode_uuid, hart->uuid,
						 privilege, NULL);
	}
	hart->mode = mode;
	if (status || mode < 0)
		return status;
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN;
	event.track_uuid = hart->mode_uuid;
	snprintf(p->text, sizeof(p->text), "%s", tr_profile_privilege((uint32_t)mode));
	event.name = p->text;
	return tr_perfetto_event(p, &event, cycle, NULL);
}

int tr_perfetto_take_modes(void *state, const struct tr_timeline_modes *modes)
{
	struct tr_perfetto *p = state;
	struct perfetto_hart *hart = tr_perfetto_hart(p, modes->hart);
	const int mode = tr_timeline_most(modes->cycles);
	int status = hart ? TR_OK : TR_E_NOMEM;
	if (!status && (mode != hart->mode || modes->from != hart->mode_end)) {
		status = tr_perfetto_end_mode(p, hart);
		if (!status)
			status = begin_mode(p, hart, modes->from, mode);
	}
	if (status)
		return status;
	for (uint32_t i = 0; i < TR_TIMELINE_MODES; i++)
		hart->modes[i] += modes->cycles[i];
	hart->mode_end = modes->to;
	return TR_OK;
}

/* Finds or adds the track of a counter. Returns a status. */
static int rise_uuid(struct tr_perfetto *p, const struct tr_timeline_rise *rise,
		     uint64_t *uuid)
{
	struct perfetto_hart *hart = tr_perfetto_hart(p, rise->hart);
	TrPerfetto__Counter counter = TR_PERFETTO__COUNTER__INIT;
	const uint32_t index = rise->set * TR_MAX_COUNTERS + rise->counter;
	const uint64_t key = tr_pair_key(rise->hart, index);
	const uint32_t known = tr_map_get(&p->rises, key);
	*uuid = known;
	if (known != TR_MAP_NONE || !hart)
		return hart ? TR_OK : TR_E_NOMEM;
	*uuid = ++p->uuids;
	if (!tr_map_set(&p->rises, key, (uint32_t)*uuid))
		return TR_E_NOMEM;
	tr_timeline_utf8(p->counters->set[rise->set].label[rise->counter], p->text,
			 sizeof(p->text));
	static char unit[] = "increase until the next point";
	counter.unit_name = unit;
	return tr_perfetto_named_track(p, *uuid, hart->uuid, p->text, &counter);
}

int tr_perfetto_take_rise(void *state, const struct tr_timeline_rise *rise)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	int status = rise_uuid(p, rise, &event.track_uuid);
	if (status)
		return status;
	event.type = TR_PERFETTO__EVENT__TYPE__COUNTER;
	event.has_counter_value = 1;
	event.counter_value = rise->rise;
	return tr_perfetto_event(p, &event, rise->from, NULL);
}
