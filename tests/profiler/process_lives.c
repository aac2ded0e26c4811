/* SPDX-License-Identifier: Apache-2.0 */
#include "process_lives.h"

#include <stdlib.h>
#include <string.h>

void abandon_open_entries(struct traced_task *task)
{
	for (uint32_t i = 0; i < task->open_count; i++)
		if (task->life && !task->open[i].is_inherited)
			task->life->counts[task->open[i].entry].open++;
	task->open_count = 0;
	task->is_stopped = false;
}

static struct placed_program *place_watched_program(struct process_lives *all,
						    const struct watched_program *program,
						    uint64_t bias)
{
	for (size_t i = 0; i < all->placed_count; i++)
		if (all->placed[i]->program == program && all->placed[i]->bias == bias)
			return all->placed[i];
	struct placed_program **more = realloc(
	    all->placed, (all->placed_count + 1) * sizeof(struct placed_program *));
	struct placed_program *placed = calloc(1, sizeof(*placed));
	if (more)
		all->placed = more;
	if (!more || !placed) {
		free(placed);
		return NULL;
	}
	placed->program = program;
	placed->bias = bias;
	all->placed[all->placed_count++] = placed;
	return placed;
}

static struct process_life *add_process_life(struct process_lives *all, uint64_t pid,
					     struct placed_program *placed)
{
	struct process_life **more =
	    realloc(all->lives, (all->count + 1) * sizeof(struct process_life *));
	struct process_life *life = calloc(1, sizeof(*life));
	struct entry_counts *counts = calloc(placed->program->count, sizeof(*counts));

	if (more)
		all->lives = more;
	if (!more || !life || !counts || pid >= TASKS) {
		free(life);
		free(counts);
		return NULL;
	}
	life->pid = (uint32_t)pid;
	life->number = ++all->numbers[pid];
	life->placed = placed;
	life->counts = counts;
	all->lives[all->count++] = life;
	return life;
}

/* Returns the task of a pid, which it makes, or NULL. */
static struct traced_task *find_traced_task(struct process_lives *all, uint64_t pid)
{
	if (pid >= TASKS)
		return NULL;
	if (!all->tasks[pid])
		all->tasks[pid] = calloc(1, sizeof(struct traced_task));
	return all->tasks[pid];
}

bool start_task_life(struct process_lives *all, uint64_t pid, uint64_t tgid,
		     size_t program, uint64_t code)
{
	struct traced_task *task = find_traced_task(all, pid);

	if (!task)
		return false;
	abandon_open_entries(task);
	task->life = NULL;
	if (program == SIZE_MAX)
		return true;
	const struct watched_program *watched = &all->watched.programs[program];
	struct placed_program *placed =
	    place_watched_program(all, watched, code - watched->code);
	task->life = placed ? add_process_life(all, tgid, placed) : NULL;
	return task->life != NULL;
}

struct process_life *start_space_life(struct process_lives *all, uint32_t space,
				      size_t program, uint64_t bias)
{
	struct placed_program *placed =
	    place_watched_program(all, &all->watched.programs[program], bias);

	return placed ? add_process_life(all, space, placed) : NULL;
}

bool fork_task_life(struct process_lives *all, uint64_t parent, uint64_t child,
		    uint64_t tgid, bool shares)
{
	struct traced_task *from = find_traced_task(all, parent);
	struct traced_task *task = find_traced_task(all, child);

	if (!from || !task)
		return false;
	abandon_open_entries(task);
	task->life = from->life;
	if (shares || !from->life)
		return true;
	task->life = add_process_life(all, tgid, from->life->placed);
	if (!task->life)
		return false;
	task->life->is_replaced = from->life->is_replaced;
	task->open_count = from->open_count;
	memcpy(task->open, from->open, from->open_count * sizeof(from->open[0]));
	for (uint32_t i = 0; i < task->open_count; i++)
		task->open[i].is_inherited = true;
	return true;
}

/* Returns the entry, or MARK_END. */
static uint32_t count_at_stub(struct process_lives *all, struct traced_task *task)
{
	if (!task->open_count) {
		all->orphans++;
		return MARK_END;
	}
	struct open_entry open = task->open[--task->open_count];
	if (open.is_inherited)
		task->life->counts[open.entry].inherited++;
	return open.entry;
}

bool count_block_mark(struct process_lives *all, struct traced_task *task,
		      struct block_mark mark, uint32_t *counted)
{
	struct process_life *life = task->life;

	*counted = MARK_END;
	if (mark.entry == MARK_COUNTS) {
		*counted = count_at_stub(all, task);
		return true;
	}
	struct entry_counts *counts = &life->counts[mark.entry];
	if (mark.is_replaced) {
		if (task->open_count == OPEN_ENTRIES)
			return false;
		task->open[task->open_count++] = (struct open_entry){.entry = mark.entry};
		counts->entered++;
		life->is_replaced = true;
	} else if (task->open_count &&
		   task->open[task->open_count - 1].entry == mark.entry) {
		task->open_count--; /* moved back from its stub */
	} else {
		counts->before++;
		counts->late += life->is_replaced;
	}
	return true;
}

bool count_block_marks(struct process_lives *all, struct traced_task *task,
		       const struct block_mark *marks)
{
	uint32_t counted;

	for (; marks->entry != MARK_END; marks++)
		if (!count_block_mark(all, task, *marks, &counted))
			return false;
	return true;
}

void end_task_lives(struct process_lives *all)
{
	for (size_t i = 0; i < TASKS; i++)
		if (all->tasks[i])
			abandon_open_entries(all->tasks[i]);
}

void free_process_lives(struct process_lives *all)
{
	for (size_t i = 0; i < TASKS; i++)
		free(all->tasks[i]);
	for (size_t i = 0; i < all->count; i++) {
		free(all->lives[i]->counts);
		free(all->lives[i]);
	}
	for (size_t i = 0; i < all->placed_count; i++) {
		free(all->placed[i]->marks_of);
		free(all->placed[i]->marks);
		free(all->placed[i]);
	}
	free(all->lives);
	free(all->placed);
	free_watched_programs(&all->watched);
}
