/* SPDX-License-Identifier: Apache-2.0 */
/* JIT code: executable memory of no file, by address space. */
#include "unwind/jit_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "stream/probes.h"

enum { RANGES_MAX = 1 << 20 }; /* further ones are not known */

struct jit_range {
	uint32_t space;
	uint64_t low, high;
};

struct tr_jit_code {
	const struct tr_probe_names *probes;
	struct jit_range *ranges; /* disjoint, by space and address */
	size_t count, room;
};

/* The fields of the probe. */
enum { FIELD_START, FIELD_END, FIELD_FILE, FIELDS };
static const char *const FIELD_NAMES[FIELDS] = {"start", "end", "file"};

static bool is_executable_probe(const struct tr_probe_names *probes, uint32_t probe)
{
	if (strcmp(probes->probes[probe].name, "executable") != 0)
		return false;
	for (unsigned i = 0; i < FIELDS; i++)
		if (tr_probe_names_field(probes, probe, FIELD_NAMES[i]) == UINT32_MAX)
			return false;
	return true;
}

bool tr_jit_code_possible(const struct tr_probe_names *probes)
{
	for (uint32_t i = 0; i < probes->count; i++)
		if (is_executable_probe(probes, i))
			return true;
	return false;
}

struct tr_jit_code *tr_jit_code_new(const struct tr_probe_names *probes)
{
	struct tr_jit_code *jit = calloc(1, sizeof(*jit));
	if (jit)
		jit->probes = probes;
	return jit;
}

void tr_jit_code_free(struct tr_jit_code *jit)
{
	if (!jit)
		return;
	free(jit->ranges);
	free(jit);
}

/* Returns the first range that ends behind the address, or jit->count. */
static size_t find_range(const struct tr_jit_code *jit, uint32_t space, uint64_t address)
{
	size_t low = 0, high = jit->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct jit_range *range = &jit->ranges[middle];
		if (range->space < space ||
		    (range->space == space && range->high <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Replaces `old` ranges from the i-th on by `count` others. Returns a status. */
static int replace_ranges(struct tr_jit_code *jit, size_t i, size_t old,
			  const struct jit_range *by, size_t count)
{
	if (!tr_grow(&jit->ranges, &jit->room, jit->count + count, sizeof(*jit->ranges)))
		return TR_E_NOMEM;
	memmove(&jit->ranges[i + count], &jit->ranges[i + old],
		(jit->count - i - old) * sizeof(*jit->ranges));
	if (count)
		memcpy(&jit->ranges[i], by, count * sizeof(*by));
	jit->count += count - old;
	return TR_OK;
}

/* The memory is executable from now on, of a file or of none. */
static int set_range(struct tr_jit_code *jit, const struct jit_range *range, bool of_file)
{
	struct jit_range left[3];
	const size_t i = find_range(jit, range->space, range->low);
	size_t old = 0, count = 0;
	if (range->low >= range->high || (!of_file && jit->count >= RANGES_MAX))
		return TR_OK;
	while (i + old < jit->count && jit->ranges[i + old].space == range->space &&
	       jit->ranges[i + old].low < range->high)
		old++;
	if (old && jit->ranges[i].low < range->low)
		left[count++] =
		    (struct jit_range){range->space, jit->ranges[i].low, range->low};
	if (!of_file)
		left[count++] = *range;
	if (old && jit->ranges[i + old - 1].high > range->high)
		left[count++] = (struct jit_range){range->space, range->high,
						   jit->ranges[i + old - 1].high};
	return old || count ? replace_ranges(jit, i, old, left, count) : TR_OK;
}

static int take_executable_hit(struct tr_jit_code *jit, const struct tr_hit *hit,
			       uint32_t space)
{
	struct tr_probe_value values[FIELDS];
	if (!space || hit->probe >= jit->probes->count ||
	    !is_executable_probe(jit->probes, hit->probe))
		return TR_OK;
	for (unsigned i = 0; i < FIELDS; i++) {
		values[i] = tr_hit_value(
		    hit, tr_probe_names_field(jit->probes, hit->probe, FIELD_NAMES[i]));
		if (values[i].kind == TR_PROBE_MISSING)
			return TR_OK;
	}
	const struct jit_range range = {space, values[FIELD_START].number,
					values[FIELD_END].number};
	return set_range(jit, &range, values[FIELD_FILE].number);
}

int tr_jit_code_frame(struct tr_jit_code *jit, const struct tr_frame *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->nharts && !status; i++) {
		struct tr_cursor cursor;
		const struct tr_event *event;
		uint32_t first, last;
		enum tr_step step;
		tr_cursor_init(&cursor, &frame->harts[i]);
		while (!status && (step = tr_cursor_next(&cursor, &first, &last,
							 &event)) != TR_STEP_END)
			if (step == TR_STEP_EVENT && event->kind == TR_EV_PROBE)
				status = take_executable_hit(jit, &event->u.probe,
							     cursor.context.space);
	}
	return status;
}

bool tr_jit_code_has(const struct tr_jit_code *jit, uint32_t space, uint64_t pc)
{
	const size_t i = find_range(jit, space, pc);
	return i < jit->count && jit->ranges[i].space == space &&
	       jit->ranges[i].low <= pc;
}
