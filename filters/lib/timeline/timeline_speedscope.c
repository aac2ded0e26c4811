/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's file format, of which the profiles come before the frames. */
#include "timeline/timeline_speedscope.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "base/buffer.h"
#include "timeline/spool.h"

enum { NAME_BYTES = 4096, FLUSH = 1 << 16 };

struct track {
	char *name;
	bool has_slices;
};

struct tr_speedscope {
	FILE *file;
	const struct tr_profile *profile;
	struct tr_timeline_clock clock;
	yajl_gen json;
	struct tr_spool *spool;
	struct track *tracks;
	uint32_t *frames; /* of a function, from 1 */
	uint32_t *funcs;  /* of a frame */
	size_t track_capacity, frame_capacity, func_capacity;
	uint32_t ntracks, nframes;
	uint32_t first; /* the track that is written at once, or NONE */
	char text[NAME_BYTES];
};

static void put_text(struct tr_speedscope *s, const char *text)
{
	yajl_gen_string(s->json, (const unsigned char *)text, strlen(text));
}

static void put_name(struct tr_speedscope *s, const char *name)
{
	put_text(s, tr_timeline_utf8(name, s->text, sizeof(s->text)));
}

static void put_number(struct tr_speedscope *s, const char *key, uint64_t value)
{
	put_text(s, key);
	yajl_gen_integer(s->json, (long long)value);
}

/* Writes what yajl has collected. */
static void flush(struct tr_speedscope *s, size_t above)
{
	const unsigned char *text;
	size_t size;
	yajl_gen_get_buf(s->json, &text, &size);
	if (size <= above)
		return;
	fwrite(text, 1, size, s->file);
	yajl_gen_clear(s->json);
}

/* The viewer shows the title, but no property that is ours. */
static void put_title(struct tr_speedscope *s, const char *title)
{
	char clock[128], *text = NULL;
	tr_timeline_clock_text(&s->clock, clock, sizeof(clock));
	if (asprintf(&text, "%s: %s", title, clock) < 0)
		text = NULL;
	put_name(s, text ? text : clock);
	free(text);
}

struct tr_speedscope *tr_speedscope_new(FILE *file, const struct tr_profile *profile,
					const struct tr_timeline_clock *clock,
					const char *title)
{
	struct tr_speedscope *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct tr_speedscope){.file = file,
				    .profile = profile,
				    .clock = *clock,
				    .json = yajl_gen_alloc(NULL),
				    .spool = tr_spool_new(),
				    .first = TR_TIMELINE_NONE};
	if (!s->json || !s->spool) {
		tr_speedscope_free(s);
		return NULL;
	}
	yajl_gen_map_open(s->json);
	put_text(s, "$schema");
	put_text(s, "https://www.speedscope.app/file-format-schema.json");
	put_text(s, "exporter");
	put_text(s, "tr-timeline");
	put_text(s, "name");
	put_title(s, title);
	put_text(s, "profiles");
	yajl_gen_array_open(s->json);
	return s;
}

void tr_speedscope_free(struct tr_speedscope *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->ntracks; i++)
		free(s->tracks[i].name);
	if (s->json)
		yajl_gen_free(s->json);
	tr_spool_free(s->spool);
	free(s->tracks);
	free(s->frames);
	free(s->funcs);
	free(s);
}

static int take_track(void *state, uint32_t id, const struct tr_timeline_track *track)
{
	struct tr_speedscope *s = state;
	if (!tr_grow(&s->tracks, &s->track_capacity, (size_t)id + 1, sizeof(*s->tracks)))
		return TR_E_NOMEM;
	s->tracks[id] = (struct track){.name = strdup(track->name)};
	s->ntracks = id + 1;
	return s->tracks[id].name ? TR_OK : TR_E_NOMEM;
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

static int put_event(void *state, const struct tr_spool_record *event)
{
	struct tr_speedscope *s = state;
	uint32_t frame;
	if (!frame_of(s, event->func, &frame))
		return TR_E_NOMEM;
	yajl_gen_map_open(s->json);
	put_text(s, "type");
	put_text(s, event->is_open ? "O" : "C");
	put_number(s, "frame", frame - 1);
	put_number(s, "at", event->cycle);
	yajl_gen_map_close(s->json);
	flush(s, FLUSH);
	return TR_OK;
}

static void begin_profile(struct tr_speedscope *s, uint32_t track)
{
	yajl_gen_map_open(s->json);
	put_text(s, "type");
	put_text(s, "evented");
	put_text(s, "name");
	put_name(s, s->tracks[track].name);
	put_text(s, "unit");
	put_text(s, "none");
	put_text(s, "events");
	yajl_gen_array_open(s->json);
}

/* All profiles have one axis. */
static void end_profile(struct tr_speedscope *s, const struct tr_timeline_sums *sums)
{
	yajl_gen_array_close(s->json);
	put_number(s, "startValue", sums->from);
	put_number(s, "endValue", sums->to);
	yajl_gen_map_close(s->json);
}

static int take_event(struct tr_speedscope *s, uint32_t track, uint64_t cycle,
		      uint32_t func, bool is_open)
{
	const struct tr_spool_record event = {cycle, func, is_open};
	if (s->first == TR_TIMELINE_NONE) {
		s->first = track;
		begin_profile(s, track);
	}
	s->tracks[track].has_slices = true;
	return track == s->first ? put_event(s, &event)
				 : tr_spool_add(s->spool, track, event);
}

static int take_open(void *state, const struct tr_timeline_slice *slice)
{
	return take_event(state, slice->track, slice->start, slice->func, true);
}

static int take_close(void *state, const struct tr_timeline_slice *slice)
{
	return take_event(state, slice->track, slice->end, slice->func, false);
}

static int put_others(struct tr_speedscope *s, const struct tr_timeline_sums *sums)
{
	int status = TR_OK;
	if (s->first != TR_TIMELINE_NONE)
		end_profile(s, sums);
	for (uint32_t i = 0; i < s->ntracks && !status; i++) {
		if (i == s->first || !s->tracks[i].has_slices)
			continue;
		begin_profile(s, i);
		status = tr_spool_each(s->spool, i, put_event, s);
		end_profile(s, sums);
	}
	return status;
}

static void put_frames(struct tr_speedscope *s)
{
	put_text(s, "shared");
	yajl_gen_map_open(s->json);
	put_text(s, "frames");
	yajl_gen_array_open(s->json);
	for (uint32_t i = 0; i < s->nframes; i++) {
		const struct tr_func *func = tr_profile_func(s->profile, s->funcs[i]);
		yajl_gen_map_open(s->json);
		put_text(s, "name");
		put_name(s, func->name);
		if (*func->binary) {
			put_text(s, "file");
			put_name(s, func->binary);
		}
		yajl_gen_map_close(s->json);
		flush(s, FLUSH);
	}
	yajl_gen_array_close(s->json);
	yajl_gen_map_close(s->json);
}

static int take_finish(void *state, const struct tr_timeline_sums *sums)
{
	struct tr_speedscope *s = state;
	char left_out[400];
	int status = put_others(s, sums);
	yajl_gen_array_close(s->json);
	put_frames(s);
	tr_timeline_left_out_text(sums, left_out, sizeof(left_out));
	put_text(s, "leftOut");
	put_text(s, left_out);
	yajl_gen_map_close(s->json);
	flush(s, 0);
	putc('\n', s->file);
	return status;
}

const struct tr_timeline_writer tr_timeline_speedscope = {
    .parts = 100000,
    .rests = true,
    .track = take_track,
    .open = take_open,
    .close = take_close,
    .finish = take_finish,
};
