/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's tracks of processes, threads and harts. */
#include <inttypes.h>
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

static int32_t invent_track_pid(const struct tr_timeline_track *track)
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
	process.pid = invent_track_pid(track);
	process.process_name = none;
	if (strcmp(track->process, "-") != 0)
		process.process_name =
		    tr_timeline_utf8(track->process, p->text, sizeof(p->text));
	return tr_perfetto_track(p, &of);
}

static int describe_thread(struct tr_perfetto *p, const struct perfetto_thread *as,
			   const struct tr_timeline_track *track)
{
	TrPerfetto__Track of = TR_PERFETTO__TRACK__INIT;
	TrPerfetto__Thread thread = TR_PERFETTO__THREAD__INIT;
	of.uuid = as->uuid;
	of.thread = &thread;
	thread.has_pid = thread.has_tid = 1;
	thread.pid = invent_track_pid(track);
	thread.tid = as->tid;
	thread.thread_name = tr_timeline_utf8(track->name, p->text, sizeof(p->text));
	return tr_perfetto_track(p, &of);
}

struct perfetto_hart *tr_perfetto_hart(struct tr_perfetto *p, uint32_t number)
{
	for (uint32_t i = 0; i < p->nharts; i++)
		if (p->harts[i].number == number)
			return &p->harts[i];
	struct perfetto_hart *hart = &p->harts[p->nharts++];
	*hart = (struct perfetto_hart){.number = number, .mode = -1, .uuid = ++p->uuids};
	snprintf(p->text, sizeof(p->text), "hart %" PRIu32, number);
	return tr_perfetto_named_track(p, hart->uuid, 0, p->text, NULL) ? NULL : hart;
}

/* Finds the tracks of a task. Returns NULL when out of memory. */
static struct perfetto_task *task_tracks(struct tr_perfetto *p, uint32_t task)
{
	const size_t had = p->task_capacity;
	if (!tr_grow(&p->task_tracks, &p->task_capacity, task + 1UL,
		     sizeof(*p->task_tracks)))
		return NULL;
	memset(p->task_tracks + had, 0,
	       (p->task_capacity - had) * sizeof(*p->task_tracks));
	return &p->task_tracks[task];
}

/* Describes the process of a task, once; ftrace events tell its name, which changes.
 * Returns a status. */
static int describe_task_process(struct tr_perfetto *p, uint32_t leader)
{
	TrPerfetto__Track of = TR_PERFETTO__TRACK__INIT;
	TrPerfetto__Process process = TR_PERFETTO__PROCESS__INIT;
	struct perfetto_task *tracks = task_tracks(p, leader);
	if (!tracks)
		return TR_E_NOMEM;
	if (tracks->process)
		return TR_OK;
	of.uuid = tracks->process = ++p->uuids;
	of.process = &process;
	process.has_pid = 1;
	process.pid = tr_tasks_at(p->tasks, leader)->pid;
	return tr_perfetto_track(p, &of);
}

int tr_perfetto_task_thread(struct tr_perfetto *p, uint32_t id, uint64_t *uuid)
{
	TrPerfetto__Track of = TR_PERFETTO__TRACK__INIT;
	TrPerfetto__Thread thread = TR_PERFETTO__THREAD__INIT;
	const struct tr_task *task = tr_tasks_at(p->tasks, id);
	int status = describe_task_process(p, task->process);
	struct perfetto_task *tracks = task_tracks(p, id);
	if (status || !tracks)
		return TR_E_NOMEM;
	*uuid = tracks->thread;
	if (tracks->thread)
		return TR_OK;
	*uuid = of.uuid = tracks->thread = ++p->uuids;
	of.thread = &thread;
	thread.has_pid = thread.has_tid = 1;
	thread.pid = tr_tasks_at(p->tasks, task->process)->pid;
	thread.tid = task->pid;
	return tr_perfetto_track(p, &of);
}

int tr_perfetto_take_track(void *state, uint32_t id,
			   const struct tr_timeline_track *track)
{
	struct tr_perfetto *p = state;
	if (!tr_grow(&p->threads, &p->thread_capacity, (size_t)id + 1,
		     sizeof(*p->threads)))
		return TR_E_NOMEM;
	struct perfetto_thread *thread = &p->threads[id];
	*thread = (struct perfetto_thread){.number = track->number};
	if (track->task != TR_TASK_NONE && !track->overlaps) {
		int status = tr_perfetto_task_thread(p, track->task, &thread->uuid);
		thread->tid = tr_tasks_at(p->tasks, track->task)->pid;
		return status;
	}
	thread->uuid = ++p->uuids;
	if (!track->process) {
		static char stacks[] = "stacks";
		const struct perfetto_hart *hart = tr_perfetto_hart(p, track->number);
		return hart ? tr_perfetto_named_track(p, thread->uuid, hart->uuid, stacks,
						      NULL)
			    : TR_E_NOMEM;
	}
	thread->tid =
	    track->again ? MORE_TIDS + (int32_t)id : TIDS + (int32_t)track->number;
	int status = describe_process(p, track);
	return status ? status : describe_thread(p, thread, track);
}
