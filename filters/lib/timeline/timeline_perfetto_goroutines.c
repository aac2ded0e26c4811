/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's tracks of goroutines: a group of each process, and in it a track of each
 * goroutine with its states. */
#include <inttypes.h>
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

/* Finds the group of a process. Returns a status. */
static int find_goroutine_group(struct tr_perfetto *p, uint32_t process, uint64_t *uuid)
{
	static char name[] = "goroutines";
	uint64_t thread;
	int status = tr_perfetto_task_thread(p, process, &thread);
	if (status)
		return status;
	struct perfetto_task *tracks = &p->task_tracks[process];
	if (!tracks->goroutines) {
		tracks->goroutines = ++p->uuids;
		status = tr_perfetto_named_track(p, tracks->goroutines, tracks->process,
						 name, NULL);
	}
	*uuid = tracks->goroutines;
	return status;
}

/* Finds the track of a goroutine. Returns a status. */
static int track_of(struct tr_perfetto *p, const struct tr_task_event *at,
		    struct perfetto_goroutine **track)
{
	const size_t had = p->goroutine_capacity;
	uint64_t group;
	if (!tr_grow(&p->goroutines, &p->goroutine_capacity, at->number + 1UL,
		     sizeof(*p->goroutines)))
		return TR_E_NOMEM;
	memset(p->goroutines + had, 0,
	       (p->goroutine_capacity - had) * sizeof(*p->goroutines));
	struct perfetto_goroutine *g = *track = &p->goroutines[at->number];
	if (g->uuid && g->goid == at->state)
		return TR_OK;
	int status = find_goroutine_group(p, at->task, &group);
	g->uuid = ++p->uuids;
	g->goid = at->state;
	snprintf(p->text, sizeof(p->text), "goroutine %" PRIu64, at->state);
	return status ? status
		      : tr_perfetto_named_track(p, g->uuid, group, p->text, NULL);
}

int tr_perfetto_goroutine(struct tr_perfetto *p, const struct tr_task_event *at)
{
	static char thread_name[] = "thread", hart_name[] = "hart";
	char label[TR_TASK_LABEL];
	TrPerfetto__Annotation thread = TR_PERFETTO__ANNOTATION__INIT;
	TrPerfetto__Annotation hart = TR_PERFETTO__ANNOTATION__INIT;
	TrPerfetto__Annotation *notes[] = {&thread, &hart};
	struct perfetto_goroutine *g;
	int status = track_of(p, at, &g);
	const uint64_t start = at->start > g->end ? at->start : g->end;
	if (status || start >= at->cycle)
		return status;
	g->end = at->cycle;
	struct perfetto_slice slice = {
	    .name = tr_timeline_utf8(at->text, p->text, sizeof(p->text)),
	    .start = start,
	    .end = at->cycle,
	    .notes = notes};
	if (at->other != TR_TASK_NONE) {
		thread.name = thread_name;
		thread.string_value = tr_timeline_utf8(
		    tr_task_label(tr_tasks_at(p->tasks, at->other), label), p->next_text,
		    sizeof(p->next_text));
		slice.nnotes = 1;
		if (strcmp(at->text, "running") == 0) {
			hart.name = hart_name;
			hart.has_int_value = 1;
			hart.int_value = at->hart;
			slice.nnotes = 2;
		}
	}
	return tr_perfetto_slice(p, g->uuid, &slice);
}
