/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's packets of a timeline. */
#include "timeline/timeline_perfetto.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

int tr_perfetto_put(struct tr_perfetto *p, TrPerfetto__Packet *packet, uint32_t sequence)
{
	static const uint8_t tag = 1 << 3 | 2; /* Trace.packet */
	packet->has_trusted_packet_sequence_id = 1;
	packet->trusted_packet_sequence_id = sequence;
	const size_t size = tr_perfetto__packet__get_packed_size(packet);
	p->packet.size = 0;
	tr_buffer_add(&p->packet, &tag, 1);
	tr_buffer_varint(&p->packet, size);
	uint8_t *room = tr_buffer_grow(&p->packet, size);
	if (!room)
		return TR_E_NOMEM;
	tr_perfetto__packet__pack(packet, room);
	fwrite(p->packet.data, 1, p->packet.size + size, p->file);
	return TR_OK;
}

int tr_perfetto_track(struct tr_perfetto *p, TrPerfetto__Track *track)
{
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	track->has_uuid = 1;
	packet.track_descriptor = track;
	return tr_perfetto_put(p, &packet, SEQUENCE_EVENTS);
}

int tr_perfetto_named_track(struct tr_perfetto *p, uint64_t uuid, uint64_t parent,
			    char *name, TrPerfetto__Counter *counter)
{
	TrPerfetto__Track track = TR_PERFETTO__TRACK__INIT;
	track.uuid = uuid;
	track.has_parent_uuid = parent != 0;
	track.parent_uuid = parent;
	track.name = name;
	track.counter = counter;
	return tr_perfetto_track(p, &track);
}

int tr_perfetto_event_at(struct tr_perfetto *p, TrPerfetto__Event *event, uint64_t ns,
			 TrPerfetto__Interned *names)
{
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	event->has_type = 1;
	event->has_track_uuid = 1;
	packet.has_timestamp = 1;
	packet.timestamp = ns;
	packet.has_sequence_flags = 1;
	packet.sequence_flags = NEEDS_NAMES;
	packet.track_event = event;
	packet.interned_data = names;
	return tr_perfetto_put(p, &packet, SEQUENCE_EVENTS);
}

int tr_perfetto_event(struct tr_perfetto *p, TrPerfetto__Event *event, uint64_t cycle,
		      TrPerfetto__Interned *names)
{
	return tr_perfetto_event_at(p, event, tr_timeline_ns(&p->clock, cycle), names);
}

/* The first packet: names of annotations. */
static int put_begin(struct tr_perfetto *p)
{
	enum { COUNT = NAME_MODE + TR_TIMELINE_MODES };
	static char cycles[] = "cycles", start[] = "start cycle";
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	TrPerfetto__Interned interned = TR_PERFETTO__INTERNED__INIT;
	TrPerfetto__Name names[COUNT], *pointers[COUNT];
	char modes[TR_TIMELINE_MODES][32];
	for (uint32_t i = 1; i < COUNT; i++) {
		tr_perfetto__name__init(&names[i]);
		names[i].has_iid = 1;
		names[i].iid = i;
		names[i].name = i == NAME_CYCLES ? cycles : start;
		if (i >= NAME_MODE) {
			snprintf(modes[i - NAME_MODE], sizeof(modes[0]), "%s cycles",
				 tr_profile_privilege(i - NAME_MODE));
			names[i].name = modes[i - NAME_MODE];
		}
		pointers[i - 1] = &names[i];
	}
	interned.n_debug_annotation_names = COUNT - 1;
	interned.debug_annotation_names = pointers;
	packet.interned_data = &interned;
	packet.has_sequence_flags = 1;
	packet.sequence_flags = BEGINS;
	return tr_perfetto_put(p, &packet, SEQUENCE_EVENTS);
}

struct tr_perfetto *tr_perfetto_new(FILE *file, const struct tr_profile *profile,
				    const struct tr_counters *counters,
				    const struct tr_tasks *tasks,
				    const struct tr_timeline_clock *clock)
{
	struct tr_perfetto *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->file = file;
	p->profile = profile;
	p->counters = counters;
	p->tasks = tasks;
	p->clock = *clock;
	if (!put_begin(p))
		return p;
	tr_perfetto_free(p);
	return NULL;
}

void tr_perfetto_free(struct tr_perfetto *p)
{
	if (!p)
		return;
	tr_buffer_free(&p->packet);
	tr_map_free(&p->rises);
	free(p->processes);
	free(p->threads);
	free(p->task_tracks);
	free(p->goroutines);
	free(p->named);
	free(p);
}

/* Slices */

static int perfetto_open_slice(void *state, const struct tr_timeline_slice *slice)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	TrPerfetto__Interned interned = TR_PERFETTO__INTERNED__INIT;
	TrPerfetto__Name name = TR_PERFETTO__NAME__INIT, *names = &name;
	const size_t had = p->named_capacity;
	if (!tr_grow(&p->named, &p->named_capacity, (size_t)slice->func + 1, 1))
		return TR_E_NOMEM;
	memset(p->named + had, 0, p->named_capacity - had);
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN;
	event.track_uuid = p->threads[slice->track].uuid;
	event.has_name_iid = 1;
	event.name_iid = slice->func + 1;
	if (p->named[slice->func])
		return tr_perfetto_event(p, &event, slice->start, NULL);
	p->named[slice->func] = 1;
	name.has_iid = 1;
	name.iid = event.name_iid;
	name.name = tr_timeline_utf8(tr_profile_func(p->profile, slice->func)->name,
				     p->text, sizeof(p->text));
	interned.n_event_names = 1;
	interned.event_names = &names;
	return tr_perfetto_event(p, &event, slice->start, &interned);
}

void tr_perfetto_annotate(TrPerfetto__Annotation *annotation, uint64_t name,
			  uint64_t value)
{
	tr_perfetto__annotation__init(annotation);
	annotation->has_name_iid = 1;
	annotation->name_iid = name;
	annotation->has_uint_value = 1;
	annotation->uint_value = value;
}

static int perfetto_close_slice(void *state, const struct tr_timeline_slice *slice)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	TrPerfetto__Annotation annotations[2];
	TrPerfetto__Annotation *pointers[] = {&annotations[0], &annotations[1]};
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.track_uuid = p->threads[slice->track].uuid;
	tr_perfetto_annotate(&annotations[0], NAME_CYCLES, slice->cycles);
	tr_perfetto_annotate(&annotations[1], NAME_START, slice->start);
	event.n_debug_annotations = 2;
	event.debug_annotations = pointers;
	return tr_perfetto_event(p, &event, slice->end, NULL);
}

/* A track with a slice over the whole trace says what it is. */
static int perfetto_finish_trace(void *state, const struct tr_timeline_sums *sums)
{
	struct tr_perfetto *p = state;
	char clock[128], left_out[400];
	static char everything[] = "nothing is left out";
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	int status = TR_OK;
	for (uint32_t i = 0; i < p->nharts && !status; i++)
		status = tr_perfetto_end_mode(p, &p->harts[i]);
	p->window_from = sums->from;
	p->window_to = sums->to;
	if (!status && p->tasks && tr_tasks_has_forks(p->tasks))
		status = tr_perfetto_tree(p);
	tr_timeline_clock_text(&p->clock, clock, sizeof(clock));
	tr_timeline_left_out_text(sums, left_out, sizeof(left_out));
	if (!status)
		status = tr_perfetto_named_track(p, event.track_uuid = ++p->uuids, 0,
						 clock, NULL);
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN;
	event.name = *left_out ? left_out : everything;
	if (!status)
		status = tr_perfetto_event(p, &event, sums->from, NULL);
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.name = NULL;
	return status ? status : tr_perfetto_event(p, &event, sums->to, NULL);
}

const struct tr_timeline_writer tr_timeline_perfetto = {
    .parts = 100000,
    .track = tr_perfetto_take_track,
    .open = perfetto_open_slice,
    .close = perfetto_close_slice,
    .run = tr_perfetto_take_run,
    .modes = tr_perfetto_take_modes,
    .rise = tr_perfetto_take_rise,
    .task = tr_perfetto_take_task,
    .mark = tr_perfetto_take_mark,
    .finish = perfetto_finish_trace,
};
