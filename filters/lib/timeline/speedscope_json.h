/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of speedscope's file format that its kinds of profiles share. Source:
 * https://www.speedscope.app/file-format-schema.json
 *
 * In this order: tr_speedscope_begin_file(), the profiles,
 * tr_speedscope_end_profiles(), the frames, tr_speedscope_end_frames(); then the caller
 * adds members of its own, and closes the object. */
#ifndef TR_SPEEDSCOPE_JSON_H
#define TR_SPEEDSCOPE_JSON_H

#include <stdint.h>

struct tr_func;
struct tr_json;

/* The name of the only profile of a file without one, which the viewer would not show. */
#define TR_SPEEDSCOPE_NOTHING "nothing ran"

/* `exporter` is the program that writes the file. The viewer shows `name`, but no
 * property that is ours. */
void tr_speedscope_begin_file(struct tr_json *json, const char *exporter,
			      const char *name);
/* Opens the object of a profile in cycles, which the caller closes; `type` is "evented"
 * or "sampled". */
void tr_speedscope_begin_profile(struct tr_json *json, const char *type,
				 const char *name);
/* The axis of a profile, in cycles. */
void tr_speedscope_put_axis(struct tr_json *json, uint64_t from, uint64_t to);
/* Ends the profiles and begins the frames; `shown` is the number of the profile that the
 * viewer shows first. */
void tr_speedscope_end_profiles(struct tr_json *json, uint32_t shown);
/* Adds a frame; they are numbered from 0. */
void tr_speedscope_put_frame(struct tr_json *json, const struct tr_func *func);
void tr_speedscope_end_frames(struct tr_json *json);

#endif
