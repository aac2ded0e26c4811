/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the marks of a run, by a timeline, so that they are of the threads of which
 * tr-timeline shows them. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "explore/explore_state.h"
#include "timeline/timeline.h"

struct explore_marks {
	struct tr_explore *x;
	struct tr_profile *profile;
	struct tr_timeline *timeline;
	struct tr_marks *marks;
	uint32_t *group; /* of a track of the timeline: its process */
	size_t room;
	struct tr_map tracks; /* of the index, by thread */
};

uint32_t tr_explore_mark_name(struct tr_explore *x, const char *name)
{
	uint64_t key = XXH64(name, strlen(name), 0);
	uint32_t id;
	for (; (id = tr_map_get(&x->mark_index, key)) != TR_MAP_NONE; key++)
		if (strcmp(x->mark_names[id], name) == 0)
			return id;
	const char *copy = tr_explore_text(x, name);
	if (!copy ||
	    !tr_grow(&x->mark_names, &x->mark_name_room, x->nmark_names + 1,
		     sizeof(const char *)) ||
	    !tr_map_set(&x->mark_index, key, (uint32_t)x->nmark_names))
		return UINT32_MAX;
	x->mark_names[x->nmark_names] = copy;
	return (uint32_t)x->nmark_names++;
}

static int take_track(void *state, uint32_t track, const struct tr_timeline_track *as)
{
	struct explore_marks *taking = state;
	if (!tr_grow(&taking->group, &taking->room, track + 1UL, sizeof(*taking->group)))
		return TR_E_NOMEM;
	taking->group[track] = as->group;
	return TR_OK;
}

/* Returns the number of a thread among those with marks; UINT32_MAX when out of memory.
 */
static uint32_t find_track(struct explore_marks *taking, uint32_t thread)
{
	const uint32_t found = tr_map_get(&taking->tracks, thread);
	if (found != TR_MAP_NONE)
		return found;
	if (!tr_map_set(&taking->tracks, thread, taking->x->ntracks))
		return UINT32_MAX;
	return taking->x->ntracks++;
}

/* Takes a mark of the program: not the end of a region that has none. */
static int take_mark(void *state, const struct tr_mark_event *event)
{
	struct explore_marks *taking = state;
	struct tr_explore *x = taking->x;
	if (event->is_open)
		return TR_OK;
	if (x->nmarks == EXPLORE_MARKS) {
		x->marks_left_out++;
		return TR_OK;
	}
	const struct explore_mark mark = {
	    .cycle = event->cycle,
	    .ran = event->ran,
	    .name = tr_explore_mark_name(x, event->name),
	    .track = find_track(taking, event->thread),
	    .hart = event->hart,
	    .thread = tr_explore_name(
		&x->threads, tr_profile_thread_group(taking->profile, event->thread)),
	    .process = tr_explore_name(&x->processes, taking->group[event->track]),
	    .kind = (uint8_t)event->kind};
	if (mark.name == UINT32_MAX || mark.track == UINT32_MAX ||
	    mark.thread == UINT32_MAX || mark.process == UINT32_MAX ||
	    !tr_grow(&x->marks, &x->mark_room, x->nmarks + 1, sizeof(*x->marks)))
		return TR_E_NOMEM;
	x->marks[x->nmarks++] = mark;
	return TR_OK;
}

struct explore_marks *tr_explore_marks_new(struct tr_explore *x,
					   struct tr_profile *profile,
					   const struct tr_reader *reader)
{
	static const struct tr_timeline_writer writer = {
	    .parts = 1, .track = take_track, .mark = take_mark};
	static const struct tr_timeline_options options = {0};
	struct explore_marks *taking = calloc(1, sizeof(*taking));
	if (!taking)
		return NULL;
	taking->x = x;
	taking->profile = profile;
	taking->marks = tr_marks_new();
	taking->timeline = tr_timeline_new(&options, profile, tr_reader_counters(reader),
					   NULL, &writer, taking);
	if (!taking->marks || !taking->timeline) {
		tr_explore_marks_free(taking);
		return NULL;
	}
	tr_timeline_take_marks(taking->timeline, taking->marks, tr_reader_probes(reader));
	tr_profile_observe(profile, tr_timeline_step, taking->timeline, false);
	return taking;
}

void tr_explore_marks_free(struct explore_marks *taking)
{
	if (!taking)
		return;
	tr_timeline_free(taking->timeline);
	tr_marks_free(taking->marks);
	tr_map_free(&taking->tracks);
	free(taking->group);
	free(taking);
}

int tr_explore_marks_frame(struct explore_marks *taking, const struct tr_sframe *frame)
{
	return tr_timeline_frame(taking->timeline, frame);
}

int tr_explore_marks_finish(struct explore_marks *taking)
{
	const int status = tr_timeline_finish(taking->timeline);
	taking->x->marks_deep = tr_marks_sums(taking->marks).deep;
	return status;
}
