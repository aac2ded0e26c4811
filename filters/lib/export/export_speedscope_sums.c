/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's file format: each group, or without groups each program, is a sampled
 * profile, and each of its stacks one sample with the weight of its cycles, in the order
 * of a flame graph. */
#include <stdlib.h>

#include "base/buffer.h"
#include "base/json.h"
#include "export/export_formats.h"
#include "export/export_order.h"
#include "timeline/speedscope_json.h"

struct sums {
	const struct tr_export *export;
	struct tr_export_order order;
	struct tr_json *json;
	uint32_t *frames; /* of one stack */
	size_t capacity;
};

/* Writes a stack from its root. Returns a status. */
static int write_stack_frames(struct sums *s, uint32_t stack)
{
	const struct tr_export_stack *stacks = s->order.stacks;
	size_t depth = 0;
	for (bool more = true; more; stack = stacks[stack].parent) {
		if (!tr_grow(&s->frames, &s->capacity, depth + 1, sizeof(*s->frames)))
			return TR_E_NOMEM;
		s->frames[depth++] = stacks[stack].func;
		more = !stacks[stack].is_root;
	}
	tr_json_open_array(s->json);
	while (depth)
		tr_json_u64(s->json, s->frames[--depth]);
	tr_json_close_array(s->json);
	return TR_OK;
}

static int put_profile(struct sums *s, const struct tr_export_thread *thread)
{
	const struct tr_export_sample *samples = s->order.samples + thread->first;
	int status = TR_OK;
	tr_speedscope_begin_profile(s->json, "sampled", thread->name);
	tr_speedscope_put_axis(s->json, 0, thread->sum);
	tr_json_open_member_array(s->json, "samples");
	for (uint32_t i = 0; i < thread->count && !status; i++)
		status = write_stack_frames(s, samples[i].stack);
	tr_json_close_array(s->json);
	tr_json_open_member_array(s->json, "weights");
	for (uint32_t i = 0; i < thread->count; i++)
		tr_json_u64(s->json, samples[i].value);
	tr_json_close_array(s->json);
	tr_json_close_object(s->json);
	return status;
}

/* Returns the profile that the viewer shows first: that of the most cycles. */
static uint32_t find_longest_thread(const struct sums *s)
{
	uint32_t most = 0;
	for (uint32_t i = 1; i < s->order.nthreads; i++)
		if (s->order.threads[i].sum > s->order.threads[most].sum)
			most = i;
	return most;
}

/* The viewer shows the name only, so it has the unit. */
static void begin_sums_file(const struct sums *s)
{
	const char *title = s->export->title ? s->export->title : "tr-fold";
	char name[256];
	snprintf(name, sizeof(name), "%.180s: %.60s", title, s->export->unit);
	tr_speedscope_begin_file(s->json, "tr-fold", name);
}

static int write_sums_file(struct sums *s)
{
	int status = TR_OK;
	begin_sums_file(s);
	for (uint32_t i = 0; i < s->order.nthreads && !status; i++)
		status = put_profile(s, &s->order.threads[i]);
	if (!s->order.nthreads)
		status = put_profile(
		    s, &(struct tr_export_thread){.name = TR_SPEEDSCOPE_NOTHING});
	tr_speedscope_end_profiles(s->json, find_longest_thread(s));
	for (uint32_t i = 0; i < s->order.nfuncs; i++)
		tr_speedscope_put_frame(s->json, s->order.funcs[i].func);
	tr_speedscope_end_frames(s->json);
	tr_json_member(s->json, "conservation", s->export->note);
	tr_json_close_object(s->json);
	return status;
}

static int write_sums(const struct tr_export *export, void *state, FILE *file)
{
	(void)state;
	struct sums s = {.export = export, .json = tr_json_new(file)};
	int status = s.json ? tr_export_order_make(&s.order, export) : TR_E_NOMEM;
	if (!status)
		status = write_sums_file(&s);
	int ended = s.json ? tr_json_free(s.json) : TR_OK;
	tr_export_order_release(&s.order);
	free(s.frames);
	return status ? status : ended;
}

const struct tr_export_format tr_export_speedscope_sums = {
    .name = "speedscope-sums",
    .suffix = ".speedscope.json",
    .summary = "for speedscope: sums",
    .has_no_parts = true,
    .write = write_sums,
};
