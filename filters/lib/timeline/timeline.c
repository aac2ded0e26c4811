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
				    const struct tr_timeline_writer *writer, void *state)
{
	struct tr_timeline *t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->options = *options;
	t->profile = profile;
	t->counters = counters;
	t->writer = writer;
	t->state = state;
	return t;
}

void tr_timeline_free(struct tr_timeline *t)
{
	if (!t)
		return;
	tr_timeline_free_stacks(t);
	for (uint32_t i = 0; i < t->nharts; i++)
		tr_timeline_release_samples(&t->harts[i]);
	tr_map_free(&t->track_map);
	free(t->tracks);
	free(t->paths);
	free(t->current);
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
	*hart = (struct hart){
	    .number = number, .running = TR_TIMELINE_NONE, .own = TR_TIMELINE_NONE};
	snprintf(hart->name, sizeof(hart->name), "hart %" PRIu32, number);
	return hart;
}

/* Tracks */

static int add_track(struct tr_timeline *t, uint64_t key,
		     const struct tr_timeline_track *as, uint32_t *id)
{
	*id = t->sums.tracks;
	if (!tr_grow(&t->tracks, &t->track_capacity, (size_t)*id + 1,
		     sizeof(*t->tracks)) ||
	    !tr_map_set(&t->track_map, key, *id))
		return TR_E_NOMEM;
	t->tracks[*id] = (struct track){0};
	t->sums.tracks++;
	return t->writer->track ? t->writer->track(t->state, *id, as) : TR_OK;
}

/* Finds or adds a track of the step's thread. Returns a status. */
static int find_track(struct tr_timeline *t, uint64_t key,
		      const struct tr_profile_step *step, uint32_t *id)
{
	*id = tr_map_get(&t->track_map, key);
	if (*id != TR_MAP_NONE)
		return TR_OK;
	const struct tr_timeline_track as = {
	    .name = tr_profile_thread_label(t->profile, step->thread),
	    .process = tr_profile_label(t->profile, step->group),
	    .number = step->thread,
	    .group = step->group,
	    .is_process = tr_profile_is_process(t->profile, step->group),
	    .again = t->current[step->thread] != TR_TIMELINE_NONE};
	return add_track(t, key, &as, id);
}

/* Finds the track of the step's thread. A thread that gets another process continues on
 * another track; untraced time is on the one that it had. If the stream has a thread on
 * two harts at once, the later one gets a track of its own. Returns a status. */
static int thread_track(struct tr_timeline *t, const struct tr_profile_step *step,
			uint32_t *id)
{
	if (!tr_grow(&t->current, &t->current_capacity, (size_t)step->thread + 1,
		     sizeof(*t->current)))
		return TR_E_NOMEM;
	while (t->ncurrent <= step->thread)
		t->current[t->ncurrent++] = TR_TIMELINE_NONE;
	uint32_t *current = &t->current[step->thread];
	const uint32_t old = *current;
	if (old != TR_TIMELINE_NONE && t->tracks[old].until > step->cycle)
		return find_track(
		    t, tr_pair_key(GROUP_OVERLAP | step->hart, step->thread), step, id);
	*id = old;
	if (step->is_gap && old != TR_TIMELINE_NONE)
		return TR_OK;
	int status = find_track(t, tr_pair_key(step->group, step->thread), step, id);
	/* The calls of the process that it leaves do not continue. */
	if (!status && old != TR_TIMELINE_NONE && old != *id && !t->options.by_hart)
		status = tr_timeline_close(t, old, 0, t->tracks[old].until);
	*current = *id;
	return status;
}

/* Finds the track for the slices of a step. Returns a status. */
static int slice_track(struct tr_timeline *t, struct hart *hart, uint32_t *id)
{
	if (!t->options.by_hart)
		return TR_OK;
	*id = hart->own;
	if (*id != TR_TIMELINE_NONE)
		return TR_OK;
	int status = add_track(t, tr_pair_key(GROUP_HART, hart->number),
			       &(struct tr_timeline_track){.name = hart->name,
							   .number = hart->number,
							   .group = GROUP_HART},
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
	int status = thread_track(t, step, &id);
	if (!status && hart->running != id)
		status = change_thread(t, hart, step->cycle, id);
	hart->until = step->cycle + step->cycles;
	if (hart->until > t->sums.to)
		t->sums.to = hart->until;
	t->sums.cycles += step->cycles;
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
	t->sums.minimum = tr_timeline_minimum(t, t->sums.to);
	t->sums.grows = t->options.min_cycles == TR_TIMELINE_AUTO;
	return status || !t->writer->finish ? status
					    : t->writer->finish(t->state, &t->sums);
}

struct tr_timeline_sums tr_timeline_sums(const struct tr_timeline *t)
{
	return t->sums;
}
