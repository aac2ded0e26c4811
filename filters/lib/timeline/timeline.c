/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the tracks of a profile's steps. */
#include "timeline/timeline.h"

#include <inttypes.h>
#include <stdlib.h>

#include "timeline/timeline_internal.h"

/* In place of a process: of a hart's own track, and of a second track of a thread, for
 * one hart. Harts have lower numbers than UINT32_MAX, and groups this bit clear. */
#define GROUP_HART    UINT32_MAX
#define GROUP_OVERLAP UINT32_C(0x80000000)

struct tr_timeline *tr_timeline_new(const struct tr_timeline_options *options,
				    const struct tr_profile *profile,
				    const struct tr_counters *counters,
				    struct tr_tasks *tasks,
				    const struct tr_timeline_writer *writer, void *state)
{
	struct tr_timeline *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->options = *options;
	t->profile = profile;
	t->counters = counters;
	t->tasks = tasks;
	t->writer = writer;
	t->state = state;
	t->next_hit = UINT64_MAX;
	if (tasks && writer->task)
		tr_tasks_observe(tasks, writer->task, state);
	return t;
}

void tr_timeline_take_marks(struct tr_timeline *t, struct tr_marks *marks,
			    const struct tr_probe_names *probes)
{
	t->marks = marks;
	t->probes = probes;
	tr_marks_observe(marks, t->writer->mark, t->state);
}

void tr_timeline_free(struct tr_timeline *t)
{
	if (!t)
		return;
	tr_timeline_free_stacks(t);
	for (uint32_t i = 0; i < t->nharts; i++)
		tr_timeline_release_samples(&t->harts[i]);
	tr_map_free(&t->track_map);
	tr_map_free(&t->task_map);
	tr_timeline_release_hits(t);
	free(t->tracks);
	free(t->paths);
	free(t->current);
	free(t->task_tracks);
	free(t->early);
	free(t);
}

uint64_t tr_timeline_minimum(const struct tr_timeline *t, uint64_t cycle)
{
	uint64_t minimum = t->options.min_cycles;
	if (minimum == TR_TIMELINE_AUTO)
		minimum = (cycle - t->sums.from) / t->writer->parts;
	return minimum ? minimum : 1;
}

struct hart *tr_timeline_hart(struct tr_timeline *t, uint32_t number)
{
	for (uint32_t i = 0; i < t->nharts; i++)
		if (t->harts[i].number == number)
			return &t->harts[i];
	struct hart *hart = &t->harts[t->nharts++];
	*hart = (struct hart){.number = number,
			      .running = TR_TIMELINE_NONE,
			      .own = TR_TIMELINE_NONE,
			      .thread = UINT32_MAX,
			      .runs = UINT32_MAX};
	snprintf(hart->name, sizeof(hart->name), "hart %" PRIu32, number);
	return hart;
}

/* Tracks */

static int add_track(struct tr_timeline *t, struct tr_map *map, uint64_t key,
		     const struct tr_timeline_track *as, uint32_t *id)
{
	*id = t->sums.tracks;
	if (!tr_grow(&t->tracks, &t->track_capacity, (size_t)*id + 1,
		     sizeof(*t->tracks)) ||
	    !tr_map_set(map, key, *id))
		return TR_E_NOMEM;
	t->tracks[*id] = (struct track){0};
	t->sums.tracks++;
	return t->writer->track ? t->writer->track(t->state, *id, as) : TR_OK;
}

/* Finds or adds a track of the step's thread, which `overlaps` another one. Returns a
 * status. */
static int find_track(struct tr_timeline *t, const struct tr_profile_step *step,
		      bool overlaps, uint32_t *id)
{
	const struct current *current = &t->current[step->thread];
	const bool is_task = !overlaps && current->task != TR_TASK_NONE;
	const uint64_t key =
	    tr_pair_key(overlaps ? GROUP_OVERLAP | step->hart : step->group,
			is_task ? current->task : step->thread);
	struct tr_map *map = is_task ? &t->task_map : &t->track_map;
	*id = tr_map_get(map, key);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	const struct tr_timeline_track as = {
	    .name = tr_profile_thread_label(t->profile, step->thread),
	    .process = tr_profile_label(t->profile, step->group),
	    .number = step->thread,
	    .group = step->group,
	    .is_process = tr_profile_is_process(t->profile, step->group),
	    .again = current->track != TR_TIMELINE_NONE,
	    .overlaps = overlaps,
	    .hart = step->hart,
	    .task = current->task};
	return add_track(t, map, key, &as, id);
}

/* A task continues on another track, as another thread of the stream, when it execs: the
 * calls on the older one have ended. Returns a status. */
static int leave_track(struct tr_timeline *t, uint32_t task, uint32_t id)
{
	if (task == TR_TASK_NONE)
		return TR_OK;
	if (!tr_grow(&t->task_tracks, &t->task_capacity, (size_t)task + 1,
		     sizeof(*t->task_tracks)))
		return TR_E_NOMEM;
	while (t->ntask_tracks <= task)
		t->task_tracks[t->ntask_tracks++] = TR_TIMELINE_NONE;
	const uint32_t old = t->task_tracks[task];
	t->task_tracks[task] = id;
	return old == TR_TIMELINE_NONE || old == id || t->options.by_hart
		   ? TR_OK
		   : tr_timeline_close(t, old, 0, t->tracks[old].until);
}

/* Returns true if the thread, or its task, runs on another hart. */
static bool runs_on_other_hart(const struct tr_timeline *t, const struct current *current,
			       uint64_t cycle)
{
	const uint32_t task = current->task;
	const uint32_t of_task = task != TR_TASK_NONE && task < t->ntask_tracks
				     ? t->task_tracks[task]
				     : TR_TIMELINE_NONE;
	return (current->track != TR_TIMELINE_NONE &&
		t->tracks[current->track].until > cycle) ||
	       (of_task != TR_TIMELINE_NONE && t->tracks[of_task].until > cycle);
}

/* Finds the track of the step's thread. A thread that gets another process continues on
 * another track; untraced time is on the one that it had. If the stream has a thread on
 * two harts at once, the later one gets a track of its own. Returns a status. */
static int thread_track(struct tr_timeline *t, struct hart *hart,
			const struct tr_profile_step *step, uint32_t *id)
{
	if (!tr_grow(&t->current, &t->current_capacity, (size_t)step->thread + 1,
		     sizeof(*t->current)))
		return TR_E_NOMEM;
	while (t->ncurrent <= step->thread)
		t->current[t->ncurrent++] =
		    (struct current){.track = TR_TIMELINE_NONE, .task = TR_TASK_NONE};
	struct current *current = &t->current[step->thread];
	const uint32_t old = current->track;
	current->task = tr_timeline_task(t, hart, step);
	if (runs_on_other_hart(t, current, step->cycle))
		return find_track(t, step, true, id);
	*id = old;
	if (step->is_gap && old != TR_TIMELINE_NONE)
		return TR_OK;
	int status = find_track(t, step, false, id);
	/* The calls of the process that it leaves do not continue. */
	if (!status && old != TR_TIMELINE_NONE && old != *id && !t->options.by_hart)
		status = tr_timeline_close(t, old, 0, t->tracks[old].until);
	current->track = *id;
	return status ? status : leave_track(t, current->task, *id);
}

/* Finds the track for the slices of a step. Returns a status. */
static int slice_track(struct tr_timeline *t, struct hart *hart, uint32_t *id)
{
	if (!t->options.by_hart)
		return TR_OK;
	*id = hart->own;
	if (*id != TR_TIMELINE_NONE)
		return TR_OK;
	int status = add_track(t, &t->track_map, tr_pair_key(GROUP_HART, hart->number),
			       &(struct tr_timeline_track){.name = hart->name,
							   .number = hart->number,
							   .group = GROUP_HART,
							   .task = TR_TASK_NONE},
			       id);
	hart->own = *id;
	return status;
}

/* The hart runs another thread. Returns a status. */
static int change_thread(struct tr_timeline *t, struct hart *hart, uint64_t cycle,
			 uint32_t to)
{
	const uint32_t from = hart->running;
	int status = TR_OK;
	if (t->options.by_hart && hart->own != TR_TIMELINE_NONE)
		status = tr_timeline_close(t, hart->own, 0, cycle);
	else if (t->writer->rests && from != TR_TIMELINE_NONE)
		status = tr_timeline_close(t, from, 0, t->tracks[from].until);
	hart->running = to;
	return status || !t->writer->run
		   ? status
		   : t->writer->run(t->state, hart->number, cycle, from, to);
}

/* Moves the slices of a track to the stack of a step, and through its cycles. Returns a
 * status. */
static int take_stack(struct tr_timeline *t, struct hart *hart, uint32_t id,
		      const struct tr_profile_step *step)
{
	int status = slice_track(t, hart, &id);
	if (!status)
		status = tr_timeline_change(t, id, step);
	if (status)
		return status;
	struct stack *stack = t->tracks[id].stack;
	t->tracks[id].until = hart->until;
	stack->ran += step->cycles;
	stack->slices[stack->depth - 1].own += step->cycles;
	return tr_timeline_ripen(t, id);
}

int tr_timeline_step(void *timeline, const struct tr_profile_step *step)
{
	struct tr_timeline *t = timeline;
	struct hart *hart = tr_timeline_hart(t, step->hart);
	uint32_t id;
	if (!t->has_begun || step->cycle < t->sums.from)
		t->sums.from = step->cycle;
	t->has_begun = true;
	int status = tr_timeline_hits(t, hart, step->cycle);
	if (!hart->has_begun)
		tr_timeline_begin_hart(t, hart, step->cycle);
	if (!status)
		status = thread_track(t, hart, step, &id);
	if (!status && hart->running != id)
		status = change_thread(t, hart, step->cycle, id);
	hart->until = step->cycle + step->cycles;
	if (hart->until > t->sums.to)
		t->sums.to = hart->until;
	t->sums.cycles += step->cycles;
	if (!status) {
		struct current *current = &t->current[step->thread];
		current->ran += step->cycles;
		current->ran_until = hart->until;
		current->hart = hart->number;
		hart->runs = step->thread;
	}
	if (!status && t->nearly)
		status = tr_timeline_early_marks(t, hart);
	if (!status && t->writer->step)
		status = t->writer->step(t->state, step, id);
	if (!status && t->writer->open)
		status = take_stack(t, hart, id, step);
	return status ? status : tr_timeline_mode(t, hart, step);
}

int tr_timeline_finish(struct tr_timeline *t)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < t->sums.tracks && !status; i++)
		status = tr_timeline_close(t, i, 0, t->tracks[i].until);
	for (uint32_t i = 0; i < t->nharts && !status; i++) {
		struct hart *hart = &t->harts[i];
		status = tr_timeline_flush(t, hart);
		if (!status && t->writer->run && hart->running != TR_TIMELINE_NONE)
			status = t->writer->run(t->state, hart->number, hart->until,
						hart->running, TR_TIMELINE_NONE);
	}
	if (!status)
		status = tr_timeline_end_tasks(t);
	t->sums.minimum = tr_timeline_minimum(t, t->sums.to);
	t->sums.grows = t->options.min_cycles == TR_TIMELINE_AUTO;
	return status || !t->writer->finish ? status
					    : t->writer->finish(t->state, &t->sums);
}

struct tr_timeline_sums tr_timeline_sums(const struct tr_timeline *t)
{
	return t->sums;
}
