/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's packets of a timeline. */
#include "timeline/timeline_perfetto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "timeline/perfetto.pb-c.h"

enum { PIDS = 1000000, TIDS = 2000000, MORE_TIDS = 3000000 };
enum { SEQUENCE_EVENTS = 1, SEQUENCE_SWITCHES = 2 };
enum { BEGINS = 1, NEEDS_NAMES = 2 };
/* Numbers of names of annotations; those of privileges follow. */
enum { NAME_CYCLES = 1, NAME_START, NAME_MODE };
/* The stream does not tell why a thread stops; Perfetto shows states beyond the kernel's
 * as unknown. */
enum { STATE_UNKNOWN = 4096, PRIORITY = 120 };
enum { NAME_BYTES = 4096 };

/* Small, since there is one for each thread. */
struct thread {
	uint32_t uuid;
	uint32_t number; /* in the stream */
	int32_t tid;	 /* 0: of a hart */
};

struct hart {
	uint32_t number;
	uint64_t uuid, mode_uuid;
	int mode; /* of the open slice, -1: none */
	uint64_t mode_end;
	uint64_t modes[TR_TIMELINE_MODES]; /* cycles in the open slice */
};

struct tr_perfetto {
	FILE *file;
	const struct tr_profile *profile;
	const struct tr_counters *counters;
	struct tr_timeline_clock clock;
	struct tr_buffer packet;
	struct thread *threads;
	size_t thread_capacity;
	uint8_t *named; /* functions whose names were written */
	size_t named_capacity;
	uint8_t *processes; /* groups that were described */
	size_t process_capacity;
	uint8_t others[2];   /* likewise, of those without a number */
	struct tr_map rises; /* from (hart, set, counter) to a uuid */
	struct hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	uint32_t uuids; /* given so far */
	char text[NAME_BYTES], next_text[NAME_BYTES];
};

static int put(struct tr_perfetto *p, TrPerfetto__Packet *packet, uint32_t sequence)
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

static int put_track(struct tr_perfetto *p, TrPerfetto__Track *track)
{
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	track->has_uuid = 1;
	packet.track_descriptor = track;
	return put(p, &packet, SEQUENCE_EVENTS);
}

/* Writes a track of a name, below another one (0: none). */
static int put_named_track(struct tr_perfetto *p, uint64_t uuid, uint64_t parent,
			   char *name, TrPerfetto__Counter *counter)
{
	TrPerfetto__Track track = TR_PERFETTO__TRACK__INIT;
	track.uuid = uuid;
	track.has_parent_uuid = parent != 0;
	track.parent_uuid = parent;
	track.name = name;
	track.counter = counter;
	return put_track(p, &track);
}

static int put_event(struct tr_perfetto *p, TrPerfetto__Event *event, uint64_t cycle,
		     TrPerfetto__Interned *names)
{
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	event->has_type = 1;
	event->has_track_uuid = 1;
	packet.has_timestamp = 1;
	packet.timestamp = tr_timeline_ns(&p->clock, cycle);
	packet.has_sequence_flags = 1;
	packet.sequence_flags = NEEDS_NAMES;
	packet.track_event = event;
	packet.interned_data = names;
	return put(p, &packet, SEQUENCE_EVENTS);
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
	return put(p, &packet, SEQUENCE_EVENTS);
}

struct tr_perfetto *tr_perfetto_new(FILE *file, const struct tr_profile *profile,
				    const struct tr_counters *counters,
				    const struct tr_timeline_clock *clock)
{
	struct tr_perfetto *p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->file = file;
	p->profile = profile;
	p->counters = counters;
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
	free(p->named);
	free(p);
}

/* Tracks */

static int32_t pid_of(const struct tr_timeline_track *track)
{
	return track->is_process ? PIDS + (int32_t)track->group
				 : PIDS - 1 - (int32_t)(track->group & 1);
}

/* Returns the mark of a group, NULL when out of memory. */
static uint8_t *mark_of(struct tr_perfetto *p, const struct tr_timeline_track *track)
{
	const size_t had = p->process_capacity, index = track->group;
	if (!track->is_process)
		return &p->others[index & 1];
	if (!tr_grow(&p->processes, &p->process_capacity, index + 1, 1))
		return NULL;
	memset(p->processes + had, 0, p->process_capacity - had);
	return &p->processes[index];
}

/* Describes the process of a track, once. */
static int describe_process(struct tr_perfetto *p, const struct tr_timeline_track *track)
{
	static char none[] = "[no process]";
	TrPerfetto__Track of = TR_PERFETTO__TRACK__INIT;
	TrPerfetto__Process process = TR_PERFETTO__PROCESS__INIT;
	uint8_t *mark = mark_of(p, track);
	if (!mark)
		return TR_E_NOMEM;
	if (*mark)
		return TR_OK;
	*mark = 1;
	of.uuid = ++p->uuids;
	of.process = &process;
	process.has_pid = 1;
	process.pid = pid_of(track);
	process.process_name = none;
	if (strcmp(track->process, "-") != 0)
		process.process_name =
		    tr_timeline_utf8(track->process, p->text, sizeof(p->text));
	return put_track(p, &of);
}

static int describe_thread(struct tr_perfetto *p, const struct thread *as,
			   const struct tr_timeline_track *track)
{
	TrPerfetto__Track of = TR_PERFETTO__TRACK__INIT;
	TrPerfetto__Thread thread = TR_PERFETTO__THREAD__INIT;
	of.uuid = as->uuid;
	of.thread = &thread;
	thread.has_pid = thread.has_tid = 1;
	thread.pid = pid_of(track);
	thread.tid = as->tid;
	thread.thread_name = tr_timeline_utf8(track->name, p->text, sizeof(p->text));
	return put_track(p, &of);
}

static struct hart *hart_of(struct tr_perfetto *p, uint32_t number)
{
	for (uint32_t i = 0; i < p->nharts; i++)
		if (p->harts[i].number == number)
			return &p->harts[i];
	struct hart *hart = &p->harts[p->nharts++];
	*hart = (struct hart){.number = number, .mode = -1, .uuid = ++p->uuids};
	snprintf(p->text, sizeof(p->text), "hart %" PRIu32, number);
	return put_named_track(p, hart->uuid, 0, p->text, NULL) ? NULL : hart;
}

static int take_track(void *state, uint32_t id, const struct tr_timeline_track *track)
{
	struct tr_perfetto *p = state;
	if (!tr_grow(&p->threads, &p->thread_capacity, (size_t)id + 1,
		     sizeof(*p->threads)))
		return TR_E_NOMEM;
	struct thread *thread = &p->threads[id];
	*thread = (struct thread){.uuid = ++p->uuids, .number = track->number};
	if (!track->process) {
		static char stacks[] = "stacks";
		const struct hart *hart = hart_of(p, track->number);
		return hart ? put_named_track(p, thread->uuid, hart->uuid, stacks, NULL)
			    : TR_E_NOMEM;
	}
	thread->tid =
	    track->again ? MORE_TIDS + (int32_t)id : TIDS + (int32_t)track->number;
	int status = describe_process(p, track);
	return status ? status : describe_thread(p, thread, track);
}

/* Slices */

static int take_open(void *state, const struct tr_timeline_slice *slice)
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
		return put_event(p, &event, slice->start, NULL);
	p->named[slice->func] = 1;
	name.has_iid = 1;
	name.iid = event.name_iid;
	name.name = tr_timeline_utf8(tr_profile_func(p->profile, slice->func)->name,
				     p->text, sizeof(p->text));
	interned.n_event_names = 1;
	interned.event_names = &names;
	return put_event(p, &event, slice->start, &interned);
}

static void annotate(TrPerfetto__Annotation *annotation, uint64_t name, uint64_t value)
{
	tr_perfetto__annotation__init(annotation);
	annotation->has_name_iid = 1;
	annotation->name_iid = name;
	annotation->has_uint_value = 1;
	annotation->uint_value = value;
}

static int take_close(void *state, const struct tr_timeline_slice *slice)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	TrPerfetto__Annotation annotations[2];
	TrPerfetto__Annotation *pointers[] = {&annotations[0], &annotations[1]};
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.track_uuid = p->threads[slice->track].uuid;
	annotate(&annotations[0], NAME_CYCLES, slice->cycles);
	annotate(&annotations[1], NAME_START, slice->start);
	event.n_debug_annotations = 2;
	event.debug_annotations = pointers;
	return put_event(p, &event, slice->end, NULL);
}

/* Harts */

/* Returns the name of a thread, of no thread for NULL. */
static char *comm_of(const struct tr_perfetto *p, const struct thread *thread, char *text)
{
	static char idle[] = "swapper";
	return thread
		   ? tr_timeline_utf8(tr_profile_thread_label(p->profile, thread->number),
				      text, NAME_BYTES)
		   : idle;
}

static int take_run(void *state, uint32_t hart, uint64_t cycle, uint32_t from,
		    uint32_t to)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	TrPerfetto__Ftrace bundle = TR_PERFETTO__FTRACE__INIT;
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT, *events = &event;
	TrPerfetto__Switch sw = TR_PERFETTO__SWITCH__INIT;
	const struct thread *prev = from == TR_TIMELINE_NONE ? NULL : &p->threads[from];
	const struct thread *next = to == TR_TIMELINE_NONE ? NULL : &p->threads[to];
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
	sw.prev_comm = comm_of(p, prev, p->text);
	sw.prev_pid = prev ? prev->tid : 0;
	event.pid = (uint32_t)sw.prev_pid;
	sw.prev_state = prev ? STATE_UNKNOWN : 0;
	sw.next_comm = comm_of(p, next, p->next_text);
	sw.next_pid = next ? next->tid : 0;
	sw.prev_prio = sw.next_prio = PRIORITY;
	return put(p, &packet, SEQUENCE_SWITCHES);
}

static int end_mode(struct tr_perfetto *p, struct hart *hart)
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
		annotate(&annotations[i], NAME_MODE + i, hart->modes[i]);
		event.n_debug_annotations++;
	}
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.track_uuid = hart->mode_uuid;
	event.debug_annotations = pointers;
	hart->mode = -1;
	memset(hart->modes, 0, sizeof(hart->modes));
	return put_event(p, &event, hart->mode_end, NULL);
}

static int begin_mode(struct tr_perfetto *p, struct hart *hart, uint64_t cycle, int mode)
{
	static char privilege[] = "privilege";
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	int status = TR_OK;
	if (!hart->mode_uuid) {
		hart->mode_uuid = ++p->uuids;
		status = put_named_track(p, hart->mode_uuid, hart->uuid, privilege, NULL);
	}
	hart->mode = mode;
	if (status || mode < 0)
		return status;
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN;
	event.track_uuid = hart->mode_uuid;
	snprintf(p->text, sizeof(p->text), "%s", tr_profile_privilege((uint32_t)mode));
	event.name = p->text;
	return put_event(p, &event, cycle, NULL);
}

static int take_modes(void *state, const struct tr_timeline_modes *modes)
{
	struct tr_perfetto *p = state;
	struct hart *hart = hart_of(p, modes->hart);
	const int mode = tr_timeline_most(modes->cycles);
	int status = hart ? TR_OK : TR_E_NOMEM;
	if (!status && (mode != hart->mode || modes->from != hart->mode_end)) {
		status = end_mode(p, hart);
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
	struct hart *hart = hart_of(p, rise->hart);
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
	return put_named_track(p, *uuid, hart->uuid, p->text, &counter);
}

static int take_rise(void *state, const struct tr_timeline_rise *rise)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	int status = rise_uuid(p, rise, &event.track_uuid);
	if (status)
		return status;
	event.type = TR_PERFETTO__EVENT__TYPE__COUNTER;
	event.has_counter_value = 1;
	event.counter_value = rise->rise;
	return put_event(p, &event, rise->from, NULL);
}

/* A track with a slice over the whole trace says what it is. */
static int take_finish(void *state, const struct tr_timeline_sums *sums)
{
	struct tr_perfetto *p = state;
	char clock[128], left_out[400];
	static char everything[] = "nothing is left out";
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	int status = TR_OK;
	for (uint32_t i = 0; i < p->nharts && !status; i++)
		status = end_mode(p, &p->harts[i]);
	tr_timeline_clock_text(&p->clock, clock, sizeof(clock));
	tr_timeline_left_out_text(sums, left_out, sizeof(left_out));
	if (!status)
		status =
		    put_named_track(p, event.track_uuid = ++p->uuids, 0, clock, NULL);
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN;
	event.name = *left_out ? left_out : everything;
	if (!status)
		status = put_event(p, &event, sums->from, NULL);
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.name = NULL;
	return status ? status : put_event(p, &event, sums->to, NULL);
}

const struct tr_timeline_writer tr_timeline_perfetto = {
    .parts = 100000,
    .track = take_track,
    .open = take_open,
    .close = take_close,
    .run = take_run,
    .modes = take_modes,
    .rise = take_rise,
    .finish = take_finish,
};
