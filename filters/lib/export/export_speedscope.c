/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's file format in order of time, as tr-timeline writes it by default: a
 * profile for each thread with --by thread, else for each hart. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "export/export_formats.h"
#include "timeline/timeline_speedscope.h"

enum { DEPTH = 256 };

struct time {
	struct tr_speedscope *writer;
	struct tr_timeline *timeline;
};

static void speedscope_release(void *state)
{
	struct time *time = state;
	tr_timeline_free(time->timeline);
	tr_speedscope_free(time->writer);
	free(time);
}

static int speedscope_begin(const struct tr_export *export, void **state, FILE *file)
{
	const struct tr_timeline_clock clock =
	    tr_timeline_clock(export->header, export->clock_hz);
	const struct tr_timeline_options options = {
	    .min_cycles = TR_TIMELINE_AUTO,
	    .max_depth = DEPTH,
	    .by_hart = tr_profile_options_of(export->profile)->by != TR_BY_THREAD};
	struct time *time = calloc(1, sizeof(*time));
	if (!time)
		return TR_E_NOMEM;
	time->writer = tr_speedscope_new(file, export->profile, &clock, "tr-fold",
					 export->title ? export->title : "tr-fold");
	time->timeline = tr_timeline_new(&options, export->profile, NULL, NULL,
					 &tr_timeline_speedscope, time->writer);
	*state = time;
	if (time->writer && time->timeline)
		return TR_OK;
	speedscope_release(time);
	return TR_E_NOMEM;
}

/* Adds the reason to a status. */
static int explain_file_error(const struct tr_export *export, int status)
{
	if (status == TR_E_IO)
		snprintf(export->message, export->size, "temporary file: %s",
			 strerror(errno));
	return status;
}

static int speedscope_take_step(const struct tr_export *export, void *state,
				const struct tr_profile_step *step)
{
	const struct time *time = state;
	return explain_file_error(export, tr_timeline_step(time->timeline, step));
}

static int speedscope_write(const struct tr_export *export, void *state, FILE *file)
{
	const struct time *time = state;
	(void)file;
	return explain_file_error(export, tr_timeline_finish(time->timeline));
}

static void left_out(const void *state, char *text, size_t size)
{
	const struct time *time = state;
	const struct tr_timeline_sums sums = tr_timeline_sums(time->timeline);
	tr_timeline_left_out_text(&sums, text, size);
}

const struct tr_export_format tr_export_speedscope = {
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .summary = "for speedscope: calls in order of time, of harts or with --by thread",
    .has_no_parts = true,
    .write = speedscope_write,
    .begin = speedscope_begin,
    .release = speedscope_release,
    .step = speedscope_take_step,
    .left_out = left_out,
};
