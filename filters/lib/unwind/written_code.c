/* SPDX-License-Identifier: Apache-2.0 */
/* Executable memory of no file, by address space. */
#include "unwind/written_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "stream/probes.h"

enum { RANGES_MAX = 1 << 20 }; /* further ones are not known */

struct written_range {
	uint32_t space;
	uint64_t low, high;
};

struct tr_written_code {
	const struct tr_probe_names *probes;
	struct written_range *ranges; /* disjoint, by space and address */
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

bool tr_written_code_possible(const struct tr_probe_names *probes)
{
	for (uint32_t i = 0; i < probes->count; i++)
		if (is_executable_probe(probes, i))
			return true;
	return false;
}

struct tr_written_code *tr_written_code_new(const struct tr_probe_names *probes)
{
	struct tr_written_code *w = calloc(1, sizeof(*w));
	if (w)
		w->probes = probes;
	return w;
}

void tr_written_code_free(struct tr_written_code *w)
{
	if (!w)
		return;
	free(w->ranges);
	free(w);
}

/* Returns the first range that ends behind the address, or w->count. */
static size_t find_range(const struct tr_written_code *w, uint32_t space,
			 uint64_t address)
{
	size_t low = 0, high = w->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct written_range *range = &w->ranges[middle];
		if (range->space < space ||
		    (range->space == space && range->high <= address))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Replaces `old` ranges from the i-th on by `count` others. Returns a status. */
static int replace_ranges(struct tr_written_code *w, size_t i, size_t old,
			  const struct written_range *by, size_t count)
{
	if (!tr_grow(&w->ranges, &w->room, w->count + count, sizeof(*w->ranges)))
		return TR_E_NOMEM;
	memmove(&w->ranges[i + count], &w->ranges[i + old],
		(w->count - i - old) * sizeof(*w->ranges));
	if (count)
		memcpy(&w->ranges[i], by, count * sizeof(*by));
	w->count += count - old;
	return TR_OK;
}

/* The memory is executable from now on, of a file or of none. */
static int set_range(struct tr_written_code *w, const struct written_range *range,
		     bool of_file)
{
	struct written_range left[3];
	const size_t i = find_range(w, range->space, range->low);
	size_t old = 0, count = 0;
	if (range->low >= range->high || (!of_file && w->count >= RANGES_MAX))
		return TR_OK;
	while (i + old < w->count && w->ranges[i + old].space == range->space &&
	       w->ranges[i + old].low < range->high)
		old++;
	if (old && w->ranges[i].low < range->low)
		left[count++] =
		    (struct written_range){range->space, w->ranges[i].low, range->low};
	if (!of_file)
		left[count++] = *range;
	if (old && w->ranges[i + old - 1].high > range->high)
		left[count++] = (struct written_range){range->space, range->high,
						       w->ranges[i + old - 1].high};
	return old || count ? replace_ranges(w, i, old, left, count) : TR_OK;
}

static int take_written_hit(struct tr_written_code *w, const struct tr_hit *hit,
			    uint32_t space)
{
	struct tr_probe_value values[FIELDS];
	if (!space || hit->probe >= w->probes->count ||
	    !is_executable_probe(w->probes, hit->probe))
		return TR_OK;
	for (unsigned i = 0; i < FIELDS; i++) {
		values[i] = tr_hit_value(
		    hit, tr_probe_names_field(w->probes, hit->probe, FIELD_NAMES[i]));
		if (values[i].kind == TR_PROBE_MISSING)
			return TR_OK;
	}
	const struct written_range range = {space, values[FIELD_START].number,
					    values[FIELD_END].number};
	return set_range(w, &range, values[FIELD_FILE].number);
}

int tr_written_code_frame(struct tr_written_code *w, const struct tr_frame *frame)
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
				status = take_written_hit(w, &event->u.probe,
							  cursor.context.space);
	}
	return status;
}

bool tr_written_code_has(const struct tr_written_code *w, uint32_t space, uint64_t pc)
{
	const size_t i = find_range(w, space, pc);
	return i < w->count && w->ranges[i].space == space && w->ranges[i].low <= pc;
}
