/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's tracks of the tree of processes: each below its parent's, with slices of the
 * programs that it ran. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

enum { MERGE_NONE = 2 };

static int put_tree_track(struct tr_perfetto *p, uint64_t uuid, uint64_t parent,
			  uint32_t rank, char *name)
{
	TrPerfetto__Track track = TR_PERFETTO__TRACK__INIT;
	track.uuid = uuid;
	track.has_parent_uuid = parent != 0;
	track.parent_uuid = parent;
	track.name = name;
	track.has_child_ordering = 1;
	track.child_ordering = TR_PERFETTO__CHILD_ORDER__EXPLICIT;
	track.has_sibling_order_rank = 1;
	track.sibling_order_rank = (int32_t)rank;
	track.has_sibling_merge_behavior = 1;
	track.sibling_merge_behavior = MERGE_NONE;
	return tr_perfetto_track(p, &track);
}

/* A part of a process's life with one name and one program. */
struct part {
	const char *comm, *program, *arguments;
	uint64_t start;
};

/* Writes a part up to `end`, as far as it is in the window. */
static int put_process_part(struct tr_perfetto *p, const struct tr_task *task,
			    uint64_t uuid, const struct part *part, uint64_t end)
{
	static char program[] = "program", arguments[] = "arguments", parent[] = "parent";
	char texts[2][512], label[TR_TASK_LABEL];
	TrPerfetto__Annotation notes[3];
	TrPerfetto__Annotation *pointers[] = {&notes[0], &notes[1], &notes[2]};
	const uint64_t start =
	    part->start < p->window_from ? p->window_from : part->start;
	size_t count = 0;
	if (end > p->window_to)
		end = p->window_to;
	if (start >= end)
		return TR_OK;
	for (unsigned i = 0; i < 3; i++)
		tr_perfetto__annotation__init(&notes[i]);
	if (task->parent != TR_TASK_NONE) {
		notes[count].name = parent;
		notes[count++].string_value = tr_timeline_utf8(
		    tr_task_label(tr_tasks_at(p->tasks, task->parent), label),
		    p->next_text, sizeof(p->next_text));
	}
	if (part->program) {
		notes[count].name = program;
		notes[count++].string_value =
		    tr_timeline_utf8(part->program, texts[0], sizeof(texts[0]));
		notes[count].name = arguments;
		notes[count++].string_value =
		    tr_timeline_utf8(part->arguments, texts[1], sizeof(texts[1]));
	}
	return tr_perfetto_slice(
	    p, uuid,
	    &(struct perfetto_slice){
		.name = tr_timeline_utf8(part->comm, p->text, sizeof(p->text)),
		.start = start,
		.end = end,
		.notes = pointers,
		.nnotes = count});
}

/* Writes the life of a process. An exec gives a name just before its program begins. */
static int put_life(struct tr_perfetto *p, const struct tr_task *task, uint64_t uuid)
{
	const struct tr_task_name *name = tr_tasks_name(p->tasks, task->first_name);
	struct part part = {.comm = name->comm, .start = task->start};
	int status = TR_OK;
	for (uint32_t i = name->next; i != TR_TASK_NONE && !status; i = name->next) {
		name = tr_tasks_name(p->tasks, i);
		/* Harts may be out of order by a part of a frame. */
		const uint64_t cycle =
		    name->cycle > part.start ? name->cycle : part.start;
		if (name->program && !part.program &&
		    strcmp(name->comm, part.comm) == 0) {
			part.program = name->program;
			part.arguments = name->arguments;
			continue;
		}
		status = put_process_part(p, task, uuid, &part, cycle);
		part = (struct part){.comm = name->comm,
				     .program = name->program,
				     .arguments = name->arguments,
				     .start = cycle};
	}
	return status ? status : put_process_part(p, task, uuid, &part, task->end);
}

int tr_perfetto_tree(struct tr_perfetto *p)
{
	static char title[] = "processes below their parents";
	uint32_t *depths, count, *order = tr_tasks_tree(p->tasks, &depths, &count);
	uint32_t *uuids = calloc(tr_tasks_count(p->tasks) + 1UL, sizeof(*uuids));
	const uint64_t root = ++p->uuids;
	int status = order && uuids ? put_tree_track(p, root, 0, 0, title) : TR_E_NOMEM;
	for (uint32_t i = 0; i < count && !status; i++) {
		const struct tr_task *task = tr_tasks_at(p->tasks, order[i]);
		char label[TR_TASK_LABEL];
		const uint64_t uuid = uuids[order[i]] = ++p->uuids;
		status = put_tree_track(
		    p, uuid, task->parent == TR_TASK_NONE ? root : uuids[task->parent], i,
		    tr_timeline_utf8(tr_task_label(task, label), p->text,
				     sizeof(p->text)));
		if (!status)
			status = put_life(p, task, uuid);
	}
	free(uuids);
	free(order);
	free(depths);
	return status;
}
