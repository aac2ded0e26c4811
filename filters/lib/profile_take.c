/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a frame of stacks into a profile, and says what is wrong with it. */
#include <inttypes.h>

#include "profile.h"

struct take {
	struct tr_profile *profile;
	const struct tr_reader *reader;
	const struct tr_sframe *frame;
	char *message;
	size_t size;
};

/* "frame 3: func f12: reason", of the kinds and numbers that tr-text(1) prints. */
static int refuse(const struct take *take, int status, const char *what, uint32_t number,
		  const char *reason)
{
	if (status == TR_E_CORRUPT || status == TR_E_ARGUMENT)
		snprintf(take->message, take->size,
			 "frame %" PRIu64 ": %s%" PRIu32 ": %s", take->frame->number,
			 what, number, reason);
	else
		snprintf(take->message, take->size, "%s",
			 tr_status_text((enum tr_status)status));
	return status;
}

/* Definitions that are new to the profile. */
static int take_definitions(const struct take *take)
{
	static const char bad_name[] = "a ';' or a control character in the name";
	struct tr_profile *p = take->profile;
	const struct tr_reader *r = take->reader;
	int status;
	for (uint32_t i; (i = tr_profile_func_count(p)) < tr_reader_func_count(r);)
		if ((status = tr_profile_func(p, tr_reader_func(r, i))))
			return refuse(take, status, "func f", i, bad_name);
	for (uint32_t i; (i = tr_profile_node_count(p)) < tr_reader_node_count(r);)
		if ((status = tr_profile_node(p, tr_reader_node(r, i))))
			return refuse(take, status, "node n", i,
				      "a stack of more than 16384 frames");
	for (uint32_t i; (i = tr_profile_thread_count(p)) < tr_reader_thread_count(r);)
		if ((status = tr_profile_thread(p, tr_reader_thread(r, i))))
			return refuse(take, status, "thread t", i, bad_name);
	return TR_OK;
}

/* The hart whose next row is the earliest, `nharts` when there are no more: a
 * thread may move from hart to hart. */
static uint32_t earliest(const struct tr_sframe *frame, const uint32_t *next,
			 const uint64_t *time)
{
	uint32_t best = frame->nharts;
	for (uint32_t h = 0; h < frame->nharts; h++)
		if (next[h] < frame->harts[h].nrows &&
		    (best == frame->nharts || time[h] < time[best]))
			best = h;
	return best;
}

static const char *row_reason(const struct tr_srow *row, int status)
{
	if (status == TR_E_ARGUMENT)
		return "a class that the header does not name";
	return row->node ? "the sum of all rows leaves 64 bits" : "a row without a stack";
}

static int take_rows(const struct take *take)
{
	const struct tr_sframe *frame = take->frame;
	uint32_t next[TR_MAX_HARTS] = {0};
	uint64_t time[TR_MAX_HARTS];
	for (uint32_t h = 0; h < frame->nharts; h++)
		time[h] = frame->harts[h].start_cycle;
	for (uint32_t h; (h = earliest(frame, next, time)) < frame->nharts;) {
		const struct tr_shart *hart = &frame->harts[h];
		const struct tr_srow *row = &hart->rows[next[h]++];
		int status =
		    tr_profile_row(take->profile, row, hart->classes + row->first_class);
		if (status)
			return refuse(take, status, "srow n", row->node,
				      row_reason(row, status));
		time[h] += row->cycles;
	}
	return TR_OK;
}

int tr_profile_take(struct tr_profile *p, const struct tr_reader *reader,
		    const struct tr_sframe *frame, char *message, size_t size)
{
	const struct take take = {p, reader, frame, message, size};
	int status = take_definitions(&take);
	return status ? status : take_rows(&take);
}
