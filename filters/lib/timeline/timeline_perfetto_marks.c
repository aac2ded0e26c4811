/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's packets of marks: on a track below that of their thread, instants and
 * slices.
 */
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

/* Finds or describes the track for the marks of a thread. Returns a status. */
static int find_marks_track(struct tr_perfetto *p, uint32_t track, uint64_t *uuid)
{
	static char marks[] = "marks";
	struct perfetto_thread *thread = &p->threads[track];
	int status = TR_OK;
	if (!thread->marks) {
		thread->marks = ++p->uuids;
		status =
		    tr_perfetto_named_track(p, thread->marks, thread->uuid, marks, NULL);
	}
	*uuid = thread->marks;
	return status;
}

static int put_region_end(struct tr_perfetto *p, uint64_t uuid,
			  const struct tr_mark_event *mark)
{
	static char open[] = "the program has no end of it", away[] = "away";
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	TrPerfetto__Annotation notes[4];
	TrPerfetto__Annotation *pointers[] = {&notes[0], &notes[1], &notes[2], &notes[3]};
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.track_uuid = uuid;
	tr_perfetto_annotate(&notes[0], NAME_CYCLES, mark->cycle - mark->start);
	tr_perfetto_annotate(&notes[1], NAME_START, mark->start);
	tr_perfetto__annotation__init(&notes[2]);
	notes[2].name = away;
	notes[2].has_uint_value = 1;
	notes[2].uint_value = mark->away;
	tr_perfetto__annotation__init(&notes[3]);
	notes[3].name = open;
	notes[3].has_uint_value = 1;
	notes[3].uint_value = 1;
	event.debug_annotations = pointers;
	event.n_debug_annotations = mark->is_open ? 4 : 3;
	return tr_perfetto_event(p, &event, mark->cycle, NULL);
}

int tr_perfetto_take_mark(void *state, const struct tr_mark_event *mark)
{
	struct tr_perfetto *p = state;
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	char name[TR_MARK_NAME + sizeof(" without its begin")];
	int status = find_marks_track(p, mark->track, &event.track_uuid);
	if (status)
		return status;
	if (mark->kind == TR_MARK_END && !mark->is_stray)
		return put_region_end(p, event.track_uuid, mark);
	snprintf(name, sizeof(name), "%s%s", mark->name,
		 mark->is_stray ? " without its begin" : "");
	event.type = mark->kind == TR_MARK_BEGIN ? TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN
						 : TR_PERFETTO__EVENT__TYPE__INSTANT;
	event.name = tr_timeline_utf8(name, p->text, sizeof(p->text));
	return tr_perfetto_event(p, &event, mark->cycle, NULL);
}
