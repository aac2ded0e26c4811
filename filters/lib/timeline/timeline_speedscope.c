/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's file format, of which the profiles come before the frames. */
#include "timeline/timeline_speedscope.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/json.h"
#include "timeline/speedscope_json.h"
#include "timeline/spool.h"

struct track {
	const char *hart; /* its name; NULL: of a thread */
	uint32_t thread;
	uint32_t only;	 /* the hart of a thread that is on several at once, or NONE */
	uint64_t cycles; /* of the slices that have closed */
	bool has_slices;
};

struct tr_speedscope {
	FILE *file;
	const struct tr_profile *profile;
	struct tr_timeline_clock clock;
	struct tr_json *json;
	struct tr_spool *spool;
	struct track *tracks;
	uint32_t *frames; /* of a function, from 1 */
	uint32_t *funcs;  /* of a frame */
	size_t track_capacity, frame_capacity, func_capacity;
	uint32_t ntracks, nframes;
	uint32_t first; /* the track that is written at once, or NONE */
	uint32_t nprofiles;
	uint32_t shown; /* the profile that the viewer shows first: of the most cycles */
	uint64_t shown_cycles;
};

/* The name of the file has its clock, since the viewer shows no property that is ours. */
static void begin_clocked_file(struct tr_speedscope *s, const char *exporter,
			       const char *title)
{
	char clock[128], *text = NULL;
	tr_timeline_clock_text(&s->clock, clock, sizeof(clock));
	if (asprintf(&text, "%s: %s", title, clock) < 0)
		text = NULL;
	tr_speedscope_begin_file(s->json, exporter, text ? text : clock);
	free(text);
}

struct tr_speedscope *tr_speedscope_new(FILE *file, const struct tr_profile *profile,
					const struct tr_timeline_clock *clock,
					const char *exporter, const char *title)
{
	struct tr_speedscope *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct tr_speedscope){.file = file,
				    .profile = profile,
				    .clock = *clock,
				    .json = tr_json_new(file),
				    .spool = tr_spool_new(),
				    .first = TR_TIMELINE_NONE};
	if (!s->json || !s->spool) {
		tr_speedscope_free(s);
		return NULL;
	}
	begin_clocked_file(s, exporter, title);
	return s;
}

void tr_speedscope_free(struct tr_speedscope *s)
{
	if (!s)
		return;
	tr_json_free(s->json);
	tr_spool_free(s->spool);
	free(s->tracks);
	free(s->frames);
	free(s->funcs);
	free(s);
}

static int speedscope_add_track(void *state, uint32_t id,
				const struct tr_timeline_track *track)
{
	struct tr_speedscope *s = state;
	if (!tr_grow(&s->tracks, &s->track_capacity, (size_t)id + 1, sizeof(*s->tracks)))
		return TR_E_NOMEM;
	s->tracks[id] =
	    (struct track){.hart = track->process ? NULL : track->name,
			   .thread = track->number,
			   .only = track->overlaps ? track->hart : TR_TIMELINE_NONE};
	s->ntracks = id + 1;
	return TR_OK;
}

/* Finds or adds the frame of a function. Returns false when out of memory. */
static bool frame_of(struct tr_speedscope *s, uint32_t func, uint32_t *frame)
{
	const size_t had = s->frame_capacity;
	if (!tr_grow(&s->frames, &s->frame_capacity, (size_t)func + 1,
		     sizeof(*s->frames)))
		return false;
	memset(s->frames + had, 0, (s->frame_capacity - had) * sizeof(*s->frames));
	*frame = s->frames[func];
	if (*frame)
		return true;
	if (!tr_grow(&s->funcs, &s->func_capacity, (size_t)s->nframes + 1,
		     sizeof(*s->funcs)))
		return false;
	s->funcs[s->nframes++] = func;
	*frame = s->frames[func] = s->nframes;
	return true;
}

static int put_slice_event(void *state, const struct tr_spool_record *event)
{
	struct tr_speedscope *s = state;
	uint32_t frame;
	if (!frame_of(s, event->func, &frame))
		return TR_E_NOMEM;
	tr_json_open_object(s->json);
	tr_json_member(s->json, "type", event->is_open ? "O" : "C");
	tr_json_member_u64(s->json, "frame", frame - 1);
	tr_json_member_u64(s->json, "at", event->cycle);
	tr_json_close_object(s->json);
	return TR_OK;
}

static void begin_profile(struct tr_speedscope *s, const char *name)
{
	tr_speedscope_begin_profile(s->json, "evented", name);
	tr_json_open_member_array(s->json, "events");
}

/* Begins the profile of a track: "main#1", or "main#1 (hart 2)" for its stacks on another
 * hart at the same time. */
static void begin_track(struct tr_speedscope *s, uint32_t track)
{
	const struct track *t = &s->tracks[track];
	const char *name =
	    t->hart ? t->hart : tr_profile_thread_label(s->profile, t->thread);
	char *longer = NULL;
	if (t->only != TR_TIMELINE_NONE &&
	    asprintf(&longer, "%s (hart %" PRIu32 ")", name, t->only) < 0)
		longer = NULL;
	begin_profile(s, longer ? longer : name);
	free(longer);
}

/* All profiles have one axis. */
static void end_profile(struct tr_speedscope *s, uint64_t cycles,
			const struct tr_timeline_sums *sums)
{
	tr_json_close_array(s->json);
	tr_speedscope_put_axis(s->json, sums->from, sums->to);
	tr_json_close_object(s->json);
	if (cycles > s->shown_cycles) {
		s->shown = s->nprofiles;
		s->shown_cycles = cycles;
	}
	s->nprofiles++;
}

static int put_or_spool_event(struct tr_speedscope *s, uint32_t track, uint64_t cycle,
			      uint32_t func, bool is_open)
{
	const struct tr_spool_record event = {cycle, func, is_open};
	if (s->first == TR_TIMELINE_NONE) {
		s->first = track;
		begin_track(s, track);
	}
	s->tracks[track].has_slices = true;
	return track == s->first ? put_slice_event(s, &event)
				 : tr_spool_add(s->spool, track, event);
}

static int speedscope_open_slice(void *state, const struct tr_timeline_slice *slice)
{
	return put_or_spool_event(state, slice->track, slice->start, slice->func, true);
}

static int speedscope_close_slice(void *state, const struct tr_timeline_slice *slice)
{
	const struct tr_speedscope *s = state;
	if (!slice->depth)
		s->tracks[slice->track].cycles += slice->cycles;
	return put_or_spool_event(state, slice->track, slice->end, slice->func, false);
}

static int put_others(struct tr_speedscope *s, const struct tr_timeline_sums *sums)
{
	int status = TR_OK;
	if (s->first != TR_TIMELINE_NONE)
		end_profile(s, s->tracks[s->first].cycles, sums);
	for (uint32_t i = 0; i < s->ntracks && !status; i++) {
		if (i == s->first || !s->tracks[i].has_slices)
			continue;
		begin_track(s, i);
		status = tr_spool_each(s->spool, i, put_slice_event, s);
		end_profile(s, s->tracks[i].cycles, sums);
	}
	if (!s->nprofiles) {
		begin_profile(s, TR_SPEEDSCOPE_NOTHING);
		end_profile(s, 0, sums);
	}
	return status;
}

static int speedscope_finish_file(void *state, const struct tr_timeline_sums *sums)
{
	struct tr_speedscope *s = state;
	char left_out[400];
	int status = put_others(s, sums);
	tr_speedscope_end_profiles(s->json, s->shown);
	for (uint32_t i = 0; i < s->nframes; i++)
		tr_speedscope_put_frame(s->json,
					tr_profile_func(s->profile, s->funcs[i]));
	tr_speedscope_end_frames(s->json);
	tr_timeline_left_out_text(sums, left_out, sizeof(left_out));
	tr_json_member(s->json, "leftOut", left_out);
	tr_json_close_object(s->json);
	const int ended = tr_json_free(s->json);
	s->json = NULL;
	return status ? status : ended;
}

const struct tr_timeline_writer tr_timeline_speedscope = {
    .parts = 100000,
    .rests = true,
    .track = speedscope_add_track,
    .open = speedscope_open_slice,
    .close = speedscope_close_slice,
    .finish = speedscope_finish_file,
};
