/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of speedscope's file format that its kinds of profiles share. */
#include "timeline/speedscope_json.h"

#include "base/json.h"
#include "stream/stream.h"

void tr_speedscope_begin_file(struct tr_json *json, const char *exporter,
			      const char *name)
{
	tr_json_open_object(json);
	tr_json_member(json, "$schema",
		       "https://www.speedscope.app/file-format-schema.json");
	tr_json_member(json, "exporter", exporter);
	tr_json_member(json, "name", name);
	tr_json_open_member_array(json, "profiles");
}

void tr_speedscope_begin_profile(struct tr_json *json, const char *type, const char *name)
{
	tr_json_open_object(json);
	tr_json_member(json, "type", type);
	tr_json_member(json, "name", name);
	tr_json_member(json, "unit", "none");
}

void tr_speedscope_put_axis(struct tr_json *json, uint64_t from, uint64_t to)
{
	tr_json_member_u64(json, "startValue", from);
	tr_json_member_u64(json, "endValue", to);
}

void tr_speedscope_end_profiles(struct tr_json *json, uint32_t shown)
{
	tr_json_close_array(json);
	tr_json_member_u64(json, "activeProfileIndex", shown);
	tr_json_open_member_object(json, "shared");
	tr_json_open_member_array(json, "frames");
}

void tr_speedscope_put_frame(struct tr_json *json, const struct tr_func *func)
{
	tr_json_open_object(json);
	tr_json_member(json, "name", func->name);
	if (*func->binary)
		tr_json_member(json, "file", func->binary);
	tr_json_close_object(json);
}

void tr_speedscope_end_frames(struct tr_json *json)
{
	tr_json_close_array(json);
	tr_json_close_object(json);
}
