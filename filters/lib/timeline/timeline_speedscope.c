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
	uint32_t slices, marks; /* 1 + their sequence in the spool; 0: none yet */
};

struct tr_speedscope {
	FILE *file;
	const struct tr_profile *profile;
	struct tr_timeline_clock clock;
	struct tr_json *json;
	struct tr_spool *spool;
	struct track *tracks;
	struct tr_tallies names; /* of marks, interned */
	/* Of what a slice shows, 2 * function or 2 * name + 1: its frame, from 1; and of
	 * each frame what it shows. */
	uint32_t *frames, *shows;
	size_t track_capacity, frame_capacity, show_capacity;
	uint32_t ntracks, nframes, nsequences;
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
	free(s->shows);
	tr_tallies_free(&s->names);
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

/* Finds or adds the frame of a function or name. Returns false when out of memory. */
static bool frame_of(struct tr_speedscope *s, uint32_t shown, uint32_t *frame)
{
	const size_t had = s->frame_capacity;
	if (!tr_grow(&s->frames, &s->frame_capacity, (size_t)shown + 1,
		     sizeof(*s->frames)))
		return false;
	memset(s->frames + had, 0, (s->frame_capacity - had) * sizeof(*s->frames));
	*frame = s->frames[shown];
	if (*frame)
		return true;
	if (!tr_grow(&s->shows, &s->show_capacity, (size_t)s->nframes + 1,
		     sizeof(*s->shows)))
		return false;
	s->shows[s->nframes++] = shown;
	*frame = s->frames[shown] = s->nframes;
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
 * hart at the same time; or of its marks. */
static void begin_track(struct tr_speedscope *s, uint32_t track, const char *what)
{
	const struct track *t = &s->tracks[track];
	const char *name =
	    t->hart ? t->hart : tr_profile_thread_label(s->profile, t->thread);
	char *longer = NULL;
	const int length =
	    t->only == TR_TIMELINE_NONE
		? asprintf(&longer, "%s%s", name, what)
		: asprintf(&longer, "%s%s (hart %" PRIu32 ")", name, what, t->only);
	if (length < 0)
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

/* Returns a sequence of the spool, a new one at the first call for `number`. */
static uint32_t sequence_of(struct tr_speedscope *s, uint32_t *number)
{
	if (!*number)
		*number = ++s->nsequences;
	return *number - 1;
}

static int put_or_spool_event(struct tr_speedscope *s, uint32_t track, uint64_t cycle,
			      uint32_t func, bool is_open)
{
	const struct tr_spool_record event = {cycle, 2 * func, is_open};
	if (s->first == TR_TIMELINE_NONE) {
		s->first = track;
		begin_track(s, track, "");
	}
	return track == s->first
		   ? put_slice_event(s, &event)
		   : tr_spool_add(s->spool, sequence_of(s, &s->tracks[track].slices),
				  event);
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

/* The regions of a thread nest, and come in the order of time; points have no place in
 * the format. */
static int speedscope_take_mark(void *state, const struct tr_mark_event *mark)
{
	struct tr_speedscope *s = state;
	if (mark->kind == TR_MARK_POINT || mark->is_stray)
		return TR_OK;
	const uint32_t name = tr_tallies_find(
	    &s->names, &(struct tr_tally_key){.what = "", .name = mark->name});
	if (name == UINT32_MAX)
		return TR_E_NOMEM;
	return tr_spool_add(s->spool, sequence_of(s, &s->tracks[mark->track].marks),
			    (struct tr_spool_record){mark->cycle, 2 * name + 1,
						     mark->kind == TR_MARK_BEGIN});
}

/* Writes the regions of a thread as a profile of its own. */
static int put_marks(struct tr_speedscope *s, uint32_t track,
		     const struct tr_timeline_sums *sums)
{
	const uint32_t sequence = s->tracks[track].marks;
	if (!sequence)
		return TR_OK;
	begin_track(s, track, ": marks");
	const int status = tr_spool_each(s->spool, sequence - 1, put_slice_event, s);
	end_profile(s, 0, sums);
	return status;
}

static int put_others(struct tr_speedscope *s, const struct tr_timeline_sums *sums)
{
	int status = TR_OK;
	if (s->first != TR_TIMELINE_NONE)
		end_profile(s, s->tracks[s->first].cycles, sums);
	for (uint32_t i = 0; i < s->ntracks && !status; i++) {
		if (i == s->first || !s->tracks[i].slices)
			continue;
		begin_track(s, i, "");
		status =
		    tr_spool_each(s->spool, s->tracks[i].slices - 1, put_slice_event, s);
		end_profile(s, s->tracks[i].cycles, sums);
	}
	for (uint32_t i = 0; i < s->ntracks && !status; i++)
		status = put_marks(s, i, sums);
	if (!s->nprofiles) {
		begin_profile(s, TR_SPEEDSCOPE_NOTHING);
		end_profile(s, 0, sums);
	}
	return status;
}

static void put_frame(struct tr_speedscope *s, uint32_t shown)
{
	if (shown % 2)
		tr_speedscope_put_frame(
		    s->json,
		    &(struct tr_func){.name = s->names.tallies[shown / 2].key.name,
				      .binary = ""});
	else
		tr_speedscope_put_frame(s->json, tr_profile_func(s->profile, shown / 2));
}

static int speedscope_finish_file(void *state, const struct tr_timeline_sums *sums)
{
	struct tr_speedscope *s = state;
	char left_out[400];
	int status = put_others(s, sums);
	tr_speedscope_end_profiles(s->json, s->shown);
	for (uint32_t i = 0; i < s->nframes; i++)
		put_frame(s, s->shows[i]);
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
    .mark = speedscope_take_mark,
};
