/* SPDX-License-Identifier: Apache-2.0 */
#include "space_lives.h"

#include <stdlib.h>

#include "stream/frame.h"

/* More than the bits of a user's address. */
enum { TP_BITS = 40 };

const char *take_space_notes(struct space_lives *spaces, struct process_lives *lives,
			     const struct tr_frame *frame, const size_t *programs,
			     size_t binaries)
{
	for (uint32_t i = 0; i < frame->nnotes; i++) {
		const struct tr_note *note = &frame->notes[i];
		if (note->binary >= binaries || programs[note->binary] == SIZE_MAX)
			continue;
		if (note->space >= SPACES)
			return "too many address spaces";
		if (spaces->lives[note->space])
			continue;
		if (spaces->is_unknown[note->space])
			return "an address space runs before its program is known";
		uint64_t pc = tr_frame_block(frame, note->block)->pc;
		spaces->lives[note->space] = start_space_life(
		    lives, note->space, programs[note->binary], pc - note->address);
		if (!spaces->lives[note->space])
			return "out of memory";
	}
	return NULL;
}

struct traced_task *find_space_task(struct space_lives *spaces,
				    const struct tr_context *context, bool *failed)
{
	uint32_t space = context->space;

	*failed = false;
	if (space >= SPACES || !spaces->lives[space]) {
		if (space < SPACES)
			spaces->is_unknown[space] = true;
		return NULL;
	}
	uint64_t key = (uint64_t)space << TP_BITS | context->tp;
	uint32_t number = tr_map_get(&spaces->task_of, key);
	if (number != TR_MAP_NONE)
		return spaces->tasks[number];
	struct traced_task *task = calloc(1, sizeof(*task));
	struct traced_task **more =
	    realloc(spaces->tasks, (spaces->count + 1) * sizeof(struct traced_task *));
	if (more)
		spaces->tasks = more;
	*failed =
	    !task || !more || !tr_map_set(&spaces->task_of, key, (uint32_t)spaces->count);
	if (*failed) {
		free(task);
		return NULL;
	}
	task->life = spaces->lives[space];
	spaces->tasks[spaces->count++] = task;
	return task;
}

void end_space_lives(struct space_lives *spaces)
{
	for (size_t i = 0; i < spaces->count; i++)
		abandon_open_entries(spaces->tasks[i]);
}

void free_space_lives(struct space_lives *spaces)
{
	for (size_t i = 0; i < spaces->count; i++)
		free(spaces->tasks[i]);
	free(spaces->tasks);
	tr_map_free(&spaces->task_of);
}
