/* SPDX-License-Identifier: Apache-2.0 */
/* Names of threads and processes: "busybox#2", or "sort[19]" if its task is known, or
 * "sort#2" if the kernel does not number its tasks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "profile/profile_internal.h"

enum { ROOM = 32 }; /* of "comm[4294967295]", where Linux has 15 bytes of comm */

/* Makes room for a text that is replaced again and again, so that memory stays bounded.
 */
static bool reserve_name_text(struct tr_profile *p, char **text, uint32_t *room,
			      size_t size)
{
	if (size <= *room)
		return true;
	*room = size < ROOM ? ROOM : 2 * (uint32_t)size;
	*text = tr_arena_take(&p->text, *room);
	return *text;
}

int tr_profile_name_init(struct tr_profile *p, struct profile_name *name,
			 const char *program, uint32_t number)
{
	*name = (struct profile_name){.next = GROUP_NONE, .number = number};
	if (!reserve_name_text(p, &name->text, &name->room,
			       strlen(program) + sizeof("#4294967295")))
		return TR_E_NOMEM;
	snprintf(name->text, name->room, "%s#%" PRIu32, program, number);
	return TR_OK;
}

/* Keeps the program's name, for a task that has none. */
static bool keep_program(struct tr_profile *p, struct profile_name *name)
{
	const size_t length = (size_t)(strrchr(name->text, '#') - name->text);
	name->program = tr_arena_take(&p->text, length + 1);
	if (!name->program)
		return false;
	memcpy(name->program, name->text, length);
	name->program[length] = '\0';
	return true;
}

static int set_shown_name(struct tr_profile *p, const struct profile_task *task,
			  struct profile_name *name)
{
	if (!name->program && !keep_program(p, name))
		return TR_E_NOMEM;
	const char *shown = *task->name ? task->name : name->program;
	if (!reserve_name_text(p, &name->text, &name->room,
			       strlen(shown) + sizeof("[4294967295]")))
		return TR_E_NOMEM;
	if (task->pid == TR_TASK_NO_PID)
		snprintf(name->text, name->room, "%s#%" PRIu32, shown, name->number);
	else
		snprintf(name->text, name->room, "%s[%" PRIu32 "]", shown, task->pid);
	return TR_OK;
}

static struct profile_name *profile_name_of(struct tr_profile *p, uint32_t id,
					    bool is_process)
{
	return is_process ? &p->processes[id] : &p->threads[id].name;
}

/* Adds a name to the list that begins with *first, which remains the first. */
static int link_task_name(struct tr_profile *p, const struct profile_task *task,
			  uint32_t *first, uint32_t id, bool is_process)
{
	struct profile_name *name = profile_name_of(p, id, is_process);
	if (name->program)
		return TR_OK;
	if (*first == GROUP_NONE) {
		*first = id;
	} else {
		struct profile_name *before = profile_name_of(p, *first, is_process);
		name->next = before->next;
		before->next = id;
	}
	return set_shown_name(p, task, name);
}

static int set_names(struct tr_profile *p, const struct profile_task *task,
		     uint32_t first, bool is_process)
{
	int status = TR_OK;
	for (uint32_t id = first; id != GROUP_NONE && !status;) {
		struct profile_name *name = profile_name_of(p, id, is_process);
		status = set_shown_name(p, task, name);
		id = name->next;
	}
	return status;
}

static int define_task(struct tr_profile *p, const struct tr_stask *from)
{
	const size_t size = strlen(from->name) + 1;
	if (from->number == p->ntasks) {
		if (!tr_grow(&p->tasks, &p->task_capacity, p->ntasks + 1UL,
			     sizeof(*p->tasks)))
			return TR_E_NOMEM;
		p->tasks[p->ntasks++] =
		    (struct profile_task){.process = GROUP_NONE, .thread = GROUP_NONE};
	}
	struct profile_task *task = &p->tasks[from->number];
	if (!reserve_name_text(p, &task->name, &task->room, size))
		return TR_E_NOMEM;
	memcpy(task->name, from->name, size);
	task->pid = from->pid;
	task->tgid = from->tgid;
	int status = set_names(p, task, task->process, true);
	return status ? status : set_names(p, task, task->thread, false);
}

static int define_use(struct tr_profile *p, const struct tr_stask_use *use)
{
	struct profile_task *task = &p->tasks[use->task];
	if (!use->is_process) {
		p->threads[use->id].task = use->task;
		return link_task_name(p, task, &task->thread, use->id, false);
	}
	if (!tr_map_set(&p->process_tasks, use->id, use->task))
		return TR_E_NOMEM;
	const uint32_t group = tr_map_get(&p->process_map, use->id);
	return group == TR_MAP_NONE
		   ? TR_OK
		   : link_task_name(p, task, &task->process, group, true);
}

/* A thread whose task is known is called after that, if the task has a name. */
static int rename_thread(struct tr_profile *p, const struct tr_sname *from)
{
	struct profile_name *name = &p->threads[from->thread].name;
	const size_t size = strlen(from->name) + 1;
	if (name->program) {
		name->program = tr_arena_take(&p->text, size);
		if (!name->program)
			return TR_E_NOMEM;
		memcpy(name->program, from->name, size);
		return set_shown_name(p, &p->tasks[p->threads[from->thread].task], name);
	}
	if (!reserve_name_text(p, &name->text, &name->room, size + sizeof("#4294967295")))
		return TR_E_NOMEM;
	snprintf(name->text, name->room, "%s#%" PRIu32, from->name, name->number);
	return TR_OK;
}

int tr_profile_define_tasks(struct tr_profile *p, const struct tr_sframe *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->ntasks && !status; i++)
		status = define_task(p, &frame->tasks[i]);
	for (uint32_t i = 0; i < frame->nuses && !status; i++)
		status = define_use(p, &frame->uses[i]);
	for (uint32_t i = 0; i < frame->nnames && !status; i++)
		status = rename_thread(p, &frame->names[i]);
	/* Before the tp was known, such a thread may have been in the kernel of a process
	 * that is not known. */
	for (uint32_t i = 0; i < frame->ntps; i++)
		p->threads[frame->tps[i].thread].is_task = false;
	return status;
}

uint32_t tr_profile_task_group(const struct tr_profile *p, uint32_t process)
{
	const uint32_t task = tr_map_get(&p->process_tasks, process);
	return task == TR_MAP_NONE ? GROUP_NONE : p->tasks[task].process;
}

int tr_profile_name_group(struct tr_profile *p, uint32_t process, uint32_t group)
{
	const uint32_t number = tr_map_get(&p->process_tasks, process);
	if (number == TR_MAP_NONE)
		return TR_OK;
	struct profile_task *task = &p->tasks[number];
	return link_task_name(p, task, &task->process, group, true);
}

/* Returns the task of a task's process: the latest with its tgid; itself if there is
 * none.
 */
static uint32_t leader_of(const struct tr_profile *p, uint32_t task)
{
	const uint32_t tgid = p->tasks[task].tgid;
	uint32_t i = p->ntasks;
	if (p->tasks[task].pid == tgid)
		return task;
	while (i && p->tasks[i - 1].pid != tgid)
		i--;
	return i ? i - 1 : task;
}

int tr_profile_task_process(struct tr_profile *p, uint32_t thread, const char *program,
			    uint32_t *group)
{
	struct profile_thread *t = &p->threads[thread];
	*group = t->process;
	if (*group != GROUP_NONE)
		return TR_OK;
	struct profile_task *leader = &p->tasks[leader_of(p, t->task)];
	if (leader->process == GROUP_NONE) {
		const uint32_t made = p->nprocesses;
		if (!tr_grow(&p->processes, &p->process_capacity, made + 1UL,
			     sizeof(*p->processes)))
			return TR_E_NOMEM;
		p->nprocesses++;
		int status = tr_profile_name_init(p, &p->processes[made], program, made);
		if (!status)
			status = link_task_name(p, leader, &leader->process, made, true);
		if (status)
			return status;
	}
	*group = t->process = leader->process;
	return TR_OK;
}
