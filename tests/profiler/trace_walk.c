/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_walk.h"

#include <stdlib.h>
#include <string.h>

/* What a frame may lack of a hart, in cycles: tr-stream(5). */
enum { LAG = 131072 };

static void take_hart_step(struct trace_walk *walk, struct walked_hart *hart)
{
	struct walked_step step = {.hart = hart,
				   .frame = walk->frames[hart->frame],
				   .before = hart->cursor.context};
	enum tr_step kind =
	    tr_cursor_next(&hart->cursor, &step.first, &step.last, &step.event);

	if (kind == TR_STEP_END) {
		hart->is_open = false;
		hart->frame++;
		return;
	}
	if (kind == TR_STEP_ROWS)
		step.event = NULL;
	walk->take_step(walk->context, &step);
	hart->priv = hart->cursor.context.priv;
}

/* Opens the next part that a hart has in the frames that are held. */
static bool open_hart_part(struct trace_walk *walk, uint32_t number)
{
	struct walked_hart *hart = &walk->harts[number];

	for (; !hart->is_open && hart->frame < walk->frame_count; hart->frame++) {
		const struct tr_frame *frame = walk->frames[hart->frame];
		for (uint32_t i = 0; i < frame->nharts; i++)
			if (frame->harts[i].hart == number) {
				tr_cursor_init(&hart->cursor, &frame->harts[i]);
				hart->priv = hart->cursor.context.priv;
				hart->is_open = true;
				return true;
			}
	}
	return hart->is_open;
}

/* Takes the steps that begin before `limit`, the earliest first. */
static void take_steps_until(struct trace_walk *walk, uint64_t limit)
{
	for (;;) {
		struct walked_hart *earliest = NULL;
		for (uint32_t h = 0; h < TR_MAX_HARTS; h++) {
			struct walked_hart *hart = &walk->harts[h];
			if (!hart->is_open && !open_hart_part(walk, h))
				continue;
			if (!earliest ||
			    hart->cursor.next_cycle < earliest->cursor.next_cycle)
				earliest = hart;
		}
		bool more = earliest && earliest->cursor.next_cycle < limit;
		if (walk->reach_cycle)
			walk->reach_cycle(walk->context,
					  more ? earliest->cursor.next_cycle : limit);
		if (!more)
			return;
		take_hart_step(walk, earliest);
	}
}

static void release_taken_frames(struct trace_walk *walk)
{
	size_t taken = walk->frame_count;

	for (uint32_t h = 0; h < TR_MAX_HARTS; h++)
		if (walk->harts[h].frame < taken)
			taken = walk->harts[h].frame;
	for (size_t i = 0; i < taken; i++)
		tr_frame_release(walk->frames[i]);
	memmove(walk->frames, walk->frames + taken,
		(walk->frame_count - taken) * sizeof(struct tr_frame *));
	walk->frame_count -= taken;
	for (uint32_t h = 0; h < TR_MAX_HARTS; h++)
		walk->harts[h].frame -= taken;
}

static bool hold_next_frame(struct trace_walk *walk, const struct tr_frame *frame)
{
	if (walk->frame_count == walk->frame_room) {
		size_t room = walk->frame_room ? 2 * walk->frame_room : 8;
		const struct tr_frame **more =
		    realloc(walk->frames, room * sizeof(struct tr_frame *));
		if (!more)
			return false;
		walk->frames = more;
		walk->frame_room = room;
	}
	walk->frames[walk->frame_count++] = tr_frame_hold(frame);
	return true;
}

static const char *walk_frames(struct trace_walk *walk)
{
	const struct tr_frame *frame;
	int status;

	while ((status = tr_reader_next(walk->reader, &frame)) == TR_OK) {
		uint64_t end = 0;
		if (!hold_next_frame(walk, frame))
			return "out of memory";
		const char *trouble =
		    walk->take_frame ? walk->take_frame(walk->context, frame) : NULL;
		if (trouble)
			return trouble;
		for (uint32_t i = 0; i < frame->nharts; i++)
			if (frame->harts[i].end_cycle > end)
				end = frame->harts[i].end_cycle;
		take_steps_until(walk, end > LAG ? end - LAG : 0);
		release_taken_frames(walk);
	}
	if (status != TR_END)
		return tr_reader_message(walk->reader);
	take_steps_until(walk, UINT64_MAX);
	return NULL;
}

const char *walk_trace(struct trace_walk *walk)
{
	const char *trouble = walk_frames(walk);

	for (size_t i = 0; i < walk->frame_count; i++)
		tr_frame_release(walk->frames[i]);
	free(walk->frames);
	walk->frames = NULL;
	walk->frame_count = walk->frame_room = 0;
	return trouble;
}
