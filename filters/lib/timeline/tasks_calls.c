/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the system calls of tasks. */
#include <stdio.h>
#include <string.h>

#include "timeline/syscalls.h"
#include "timeline/tasks_internal.h"

enum { MOST_ERRNO = 4095 }; /* a result from -MOST_ERRNO to -1 is an error */

/* Counts the system call that a task is in, which ends. Returns false when out of memory.
 */
static bool count_syscall(struct tr_tasks *t, const struct task *task, uint64_t cycle,
			  const uint64_t *result)
{
	if (t->tallied != TR_TALLY_SYSCALLS || !tr_tasks_is_in(t, cycle))
		return true;
	struct tr_tally *tally = &t->tallies.tallies[task->call_tally];
	if (!result) {
		tally->open++;
		return true;
	}
	tally->failed += *result >= (uint64_t)-MOST_ERRNO;
	return tr_tally_add(tally,
			    cycle > task->call_start ? cycle - task->call_start : 0,
			    task->away - task->call_away);
}

int tr_tasks_end_syscall(struct tr_tasks *t, uint32_t hart, uint64_t cycle, uint32_t id,
			 const uint64_t *result)
{
	struct task *task = &t->tasks[id];
	if (!task->is_in_call)
		return TR_OK;
	task->is_in_call = false;
	if (!count_syscall(t, task, cycle, result))
		return TR_E_NOMEM;
	return tr_tasks_pass_part(
	    t, &(struct tr_task_event){.kind = TR_TASK_SYSCALL,
				       .cycle = cycle,
				       .start = task->call_start,
				       .hart = hart,
				       .task = id,
				       .text = task->call_name,
				       .number = task->call_number,
				       .args = task->call_args,
				       .has_result = result != NULL,
				       .result = result ? (int64_t)*result : 0});
}

/* Names the system call of a task, "read" if sys_read, __se_sys_read or __riscv_sys_read
 * serves it. Without that, its number has the name that kernels give it by convention. */
static void name_syscall(struct task *task, const char *function)
{
	const char *sys = strstr(function, "sys_");
	const char *from = sys ? sys + strlen("sys_") : function;
	const char *usual = *function ? NULL : tr_syscall_name(task->call_number);
	snprintf(task->call_name, sizeof(task->call_name), "%.*s",
		 (int)strcspn(usual ? usual : from, "."), usual ? usual : from);
}

/* Finds the tally of a system call. Returns UINT32_MAX when out of memory. */
static uint32_t find_syscall_tally(struct tr_tasks *t, uint32_t process, uint64_t number,
				   const char *name)
{
	return tr_tallies_find(
	    &t->tallies,
	    &(struct tr_tally_key){process, TR_TASK_NONE, (int64_t)number, "", name});
}

int tr_tasks_take_call(struct tr_tasks *t, const struct task_hit *hit)
{
	uint32_t id;
	if (!hit->pid)
		return TR_OK;
	int status = tr_tasks_find(t, hit->pid, hit->tgid, hit->cycle, "", &id);
	if (!status)
		status = tr_tasks_end_syscall(t, hit->hart, hit->cycle, id, NULL);
	if (status)
		return status;
	struct task *task = &t->tasks[id];
	task->call_start = hit->cycle;
	task->call_number = hit->number;
	task->call_away = task->away;
	name_syscall(task, hit->text);
	if (t->tallied == TR_TALLY_SYSCALLS)
		task->call_tally =
		    find_syscall_tally(t, task->is.process, hit->number, task->call_name);
	if (task->call_tally == UINT32_MAX)
		return TR_E_NOMEM;
	task->is_in_call = true;
	memcpy(task->call_args, hit->values, sizeof(task->call_args));
	return TR_OK;
}

void tr_tasks_move_call(struct tr_tasks *t, uint32_t id)
{
	struct task *to = &t->tasks[id];
	uint32_t i = to->is_in_call ? t->count : 0;
	while (i < t->count && !(t->tasks[i].is_in_call && t->tasks[i].is.process == id))
		i++;
	if (i == t->count)
		return;
	struct task *from = &t->tasks[i];
	to->is_in_call = true;
	to->call_start = from->call_start;
	to->call_number = from->call_number;
	to->call_tally = from->call_tally;
	to->call_away = to->away - (from->away - from->call_away);
	memcpy(to->call_args, from->call_args, sizeof(to->call_args));
	from->is_in_call = false;
}

int tr_tasks_take_result(struct tr_tasks *t, const struct task_hit *hit)
{
	const uint32_t id = tr_map_get(&t->by_pid, (uint32_t)hit->pid);
	return id == TR_MAP_NONE
		   ? TR_OK
		   : tr_tasks_end_syscall(t, hit->hart, hit->cycle, id,
					  hit->is_killed ? NULL : &hit->number);
}
