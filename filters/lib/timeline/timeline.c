/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the steps of a profile into slices on tracks. */
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
	for (uint32_t i = 0; i < t->sums.tracks; i++)
		free(t->tracks[i].slices);
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

/* Slices */

/* Sets t->paths to the functions of the open slices. Returns false when out of memory. */
static bool find_path(struct tr_timeline *t, const struct track *track)
{
	uint32_t node = track->node;
	if (!tr_grow(&t->paths, &t->path_capacity, track->depth, sizeof(*t->paths)))
		return false;
	for (uint32_t i = track->depth; i > track->written; i--) {
		t->paths[i - 1] = tr_profile_func_of(t->profile, node);
		tr_profile_frame(t->profile, node, &node);
	}
	return true;
}

/* Passes on the slices that have lasted for the minimum. Returns a status. */
static int ripen(struct tr_timeline *t, uint32_t id)
{
	struct track *track = &t->tracks[id];
	const uint32_t most = t->options.max_depth;
	const uint32_t last = most && track->depth > most ? most : track->depth;
	const uint64_t minimum = tr_timeline_minimum(t, track->until);
	int status = TR_OK;
	if (track->written >= last ||
	    track->until - track->slices[track->written].start < minimum)
		return TR_OK;
	if (!find_path(t, track))
		return TR_E_NOMEM;
	while (!status && track->written < last &&
	       track->until - track->slices[track->written].start >= minimum) {
		const uint32_t depth = track->written++;
		const struct tr_timeline_slice slice = {.start =
							    track->slices[depth].start,
							.track = id,
							.depth = depth,
							.func = t->paths[depth]};
		t->sums.slices++;
		status = t->writer->open(t->state, &slice);
	}
	return status;
}

/* Counts a slice that was not passed on. */
static void leave_out(struct tr_timeline *t, uint32_t depth, const struct slice *slice)
{
	if (t->options.max_depth && depth >= t->options.max_depth) {
		t->sums.deep_calls++;
		t->sums.deep_own += slice->own;
	} else {
		t->sums.short_calls++;
		t->sums.short_own += slice->own;
	}
}

/* Closes the slices above `depth` at `cycle`. Returns a status. */
static int close_slices(struct tr_timeline *t, uint32_t id, uint32_t depth,
			uint64_t cycle)
{
	struct track *track = &t->tracks[id];
	for (uint32_t node = track->node; track->depth > depth;) {
		const struct slice *slice = &track->slices[--track->depth];
		const uint32_t func = tr_profile_func_of(t->profile, node);
		tr_profile_frame(t->profile, node, &node);
		if (track->depth >= track->written) {
			leave_out(t, track->depth, slice);
			continue;
		}
		track->written--;
		int status = t->writer->close(
		    t->state,
		    &(struct tr_timeline_slice){.start = slice->start,
						.end = cycle,
						.cycles = track->ran - slice->ran,
						.own = slice->own,
						.track = id,
						.depth = track->depth,
						.func = func});
		if (status)
			return status;
	}
	return TR_OK;
}

/* Returns the depth down to which two stacks are the same. */
static uint32_t common_depth(const struct tr_profile *p, uint32_t a, uint32_t b)
{
	while (tr_profile_depth(p, a) > tr_profile_depth(p, b))
		tr_profile_frame(p, a, &a);
	while (tr_profile_depth(p, b) > tr_profile_depth(p, a))
		tr_profile_frame(p, b, &b);
	while (a != b) {
		tr_profile_frame(p, a, &a);
		tr_profile_frame(p, b, &b);
	}
	return tr_profile_depth(p, a);
}

/* Returns the depth below the function that the step entered anew, the depth of the stack
 * if it continues one. Inlined calls and lines belong to the function below them. */
static uint32_t kept_depth(const struct tr_timeline *t, const struct track *track,
			   const struct tr_profile_step *step)
{
	const struct tr_profile *p = t->profile;
	uint32_t node = step->node, depth = tr_profile_depth(p, node), parent;
	if (!step->is_gap &&
	    (!step->fresh || (track->node == step->node && track->raw != step->raw)))
		return depth;
	for (; node; node = parent, depth--) {
		uint8_t kind = tr_profile_frame(p, node, &parent)->kind;
		if (kind != TR_FRAME_INLINED && kind != TR_FRAME_LINE)
			return depth - 1;
	}
	return 0;
}

/* Moves a track to the stack of the step. Returns a status. */
static int change_stack(struct tr_timeline *t, uint32_t id,
			const struct tr_profile_step *step)
{
	struct track *track = &t->tracks[id];
	uint32_t kept = kept_depth(t, track, step);
	const uint32_t depth = tr_profile_depth(t->profile, step->node);
	if (track->node == step->node && kept == depth && track->depth == depth) {
		track->raw = step->raw;
		return TR_OK;
	}
	uint32_t common =
	    track->depth ? common_depth(t->profile, track->node, step->node) : 0;
	int status = close_slices(t, id, kept < common ? kept : common, step->cycle);
	if (status)
		return status;
	if (!tr_grow(&track->slices, &track->capacity, depth, sizeof(*track->slices)))
		return TR_E_NOMEM;
	while (track->depth < depth)
		track->slices[track->depth++] =
		    (struct slice){.start = step->cycle, .ran = track->ran};
	track->node = step->node;
	track->raw = step->raw;
	return TR_OK;
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
		status = close_slices(t, old, 0, t->tracks[old].until);
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
		status = close_slices(t, hart->own, 0, cycle);
	else if (t->writer->rests && from != TR_TIMELINE_NONE)
		status = close_slices(t, from, 0, t->tracks[from].until);
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
		status = change_stack(t, id, step);
	if (status)
		return status;
	struct track *track = &t->tracks[id];
	track->until = hart->until;
	track->ran += step->cycles;
	track->slices[track->depth - 1].own += step->cycles;
	return ripen(t, id);
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
		status = close_slices(t, i, 0, t->tracks[i].until);
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
