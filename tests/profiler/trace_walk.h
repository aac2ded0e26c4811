/* SPDX-License-Identifier: Apache-2.0 */
/* Walks through a trace, all harts in the order of their steps. A step is an event, or
 * rows between which no event stands. */
#ifndef TRACE_WALK_H
#define TRACE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/frame.h"
#include "stream/reader.h"

struct walked_hart {
	struct tr_cursor cursor;
	size_t frame; /* whose part the cursor is in; that of the last held one + 1 if
			 none is left */
	uint64_t pid; /* of the task that runs; the caller's */
	uint8_t priv; /* before the step */
	bool is_open; /* the cursor has steps left */
};

struct walked_step {
	struct walked_hart *hart;
	const struct tr_frame *frame;
	struct tr_context before;
	const struct tr_event *event; /* NULL: rows */
	uint32_t first, last;	      /* of the hart's rows: from, and up to */
};

struct trace_walk {
	struct tr_reader *reader;
	void *context;
	/* Takes a frame before its steps; may be NULL. Returns NULL or a message. */
	const char *(*take_frame)(void *context, const struct tr_frame *frame);
	void (*take_step)(void *context, const struct walked_step *step);
	/* All steps that begin before a cycle have been taken; may be NULL. */
	void (*reach_cycle)(void *context, uint64_t cycle);
	/* Zero at first. */
	struct walked_hart harts[TR_MAX_HARTS];
	const struct tr_frame **frames; /* that are held */
	size_t frame_count, frame_room;
};

/* Walks through the whole trace. Returns NULL, or a message, which is the reader's or
 * static. */
const char *walk_trace(struct trace_walk *walk);

#endif
