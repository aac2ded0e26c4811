/* SPDX-License-Identifier: Apache-2.0 */
/* Perfetto's packets of the tasks of a kernel: ftrace events, from which Perfetto makes
 * its tables of scheduling, and slices of system calls and waits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline_perfetto_internal.h"

/* The kernel's flag of a new thread. */
#define CLONE_THREAD UINT64_C(0x10000)

/* Without the version of a kernel, Perfetto takes states for those of Linux 4.4, which
 * has the lower six bits of today's. Returns a state of Linux 4.14 or later in them; a
 * task that has ended is dead. */
static int64_t state_of(uint64_t state)
{
	enum { DEAD_4_4 = 0x10 };
	static const struct {
		unsigned now, in_4_4;
	} bits[] = {{0x40, 0x200}, /* parked */
		    {0x80, DEAD_4_4},
		    {0x100, 0x80},   /* wakes for fatal signals */
		    {0x200, 0x100},  /* waking */
		    {0x400, 0x400}}; /* not counted as load: idle */
	uint64_t old = state & 0x3f;
	for (unsigned i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (state & bits[i].now)
			old |= bits[i].in_4_4;
	return (int64_t)old;
}

static const struct tr_task *task_by_id(const struct tr_perfetto *p, uint32_t task)
{
	return tr_tasks_at(p->tasks, task);
}

/* Returns the number of a task, 0 for TR_TASK_NONE: that of the idle tasks. */
static int32_t task_pid_or_idle(const struct tr_perfetto *p, uint32_t task)
{
	return task == TR_TASK_NONE ? 0 : task_by_id(p, task)->pid;
}

static char *task_comm_or_idle(const struct tr_perfetto *p, uint32_t task, char *text)
{
	static char idle[] = "swapper";
	return task == TR_TASK_NONE
		   ? idle
		   : tr_timeline_utf8(task_by_id(p, task)->comm, text, NAME_BYTES);
}

/* Ftrace events */

/* Writes an ftrace event, which happened while task number `pid` ran, at `ns`. */
static int put_ftrace_at(struct tr_perfetto *p, const struct tr_task_event *at,
			 uint64_t ns, int32_t pid, TrPerfetto__FtraceEvent *event)
{
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	TrPerfetto__Ftrace bundle = TR_PERFETTO__FTRACE__INIT;
	packet.ftrace_events = &bundle;
	bundle.has_cpu = 1;
	bundle.cpu = at->hart;
	bundle.n_event = 1;
	bundle.event = &event;
	event->has_timestamp = event->has_pid = 1;
	event->timestamp = ns;
	event->pid = (uint32_t)pid;
	return tr_perfetto_put(p, &packet, SEQUENCE_SWITCHES);
}

static int put_ftrace(struct tr_perfetto *p, const struct tr_task_event *at, int32_t pid,
		      TrPerfetto__FtraceEvent *event)
{
	return put_ftrace_at(p, at, tr_timeline_ns(&p->clock, at->cycle), pid, event);
}

static int put_switch(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT;
	TrPerfetto__Switch sw = TR_PERFETTO__SWITCH__INIT;
	event.sched_switch = &sw;
	sw.has_prev_pid = sw.has_prev_prio = sw.has_prev_state = 1;
	sw.has_next_pid = sw.has_next_prio = 1;
	sw.prev_comm = task_comm_or_idle(p, at->task, p->text);
	sw.prev_pid = task_pid_or_idle(p, at->task);
	sw.prev_state = state_of(at->state);
	sw.next_comm = task_comm_or_idle(p, at->other, p->next_text);
	sw.next_pid = task_pid_or_idle(p, at->other);
	sw.prev_prio = sw.next_prio = PRIORITY;
	return put_ftrace(p, at, sw.prev_pid, &event);
}

/* For Perfetto, only a task that a hart has left can be woken. */
static int put_waking(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT;
	TrPerfetto__Waking waking = TR_PERFETTO__WAKING__INIT;
	const uint64_t left = tr_timeline_ns(&p->clock, at->start);
	uint64_t ns = tr_timeline_ns(&p->clock, at->cycle);
	if (at->cycle > at->start && ns == left)
		ns++;
	event.sched_waking = &waking;
	waking.comm = task_comm_or_idle(p, at->task, p->text);
	waking.has_pid = 1;
	waking.pid = task_pid_or_idle(p, at->task);
	return put_ftrace_at(p, at, ns, task_pid_or_idle(p, at->other), &event);
}

/* Perfetto takes the task that forks for the parent, which CLONE_PARENT makes wrong. It
 * takes ftrace events after other packets of the same nanosecond. */
static int put_parent(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__Packet packet = TR_PERFETTO__PACKET__INIT;
	TrPerfetto__ProcessTree tree = TR_PERFETTO__PROCESS_TREE__INIT;
	TrPerfetto__TreeProcess process = TR_PERFETTO__TREE_PROCESS__INIT;
	TrPerfetto__TreeProcess *processes = &process;
	const struct tr_task *task = task_by_id(p, at->task);
	if (task->process != at->task || task->parent == TR_TASK_NONE ||
	    task->parent == task_by_id(p, at->other)->process)
		return TR_OK;
	packet.has_timestamp = 1;
	packet.timestamp = tr_timeline_ns(&p->clock, at->cycle) + 1;
	packet.process_tree = &tree;
	tree.n_processes = 1;
	tree.processes = &processes;
	process.has_pid = process.has_ppid = 1;
	process.pid = task->pid;
	process.ppid = task_pid_or_idle(p, task->parent);
	return tr_perfetto_put(p, &packet, SEQUENCE_SWITCHES);
}

static int put_fork(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT;
	TrPerfetto__NewTask task = TR_PERFETTO__NEW_TASK__INIT;
	event.task_newtask = &task;
	task.has_pid = task.has_clone_flags = 1;
	task.pid = task_pid_or_idle(p, at->task);
	task.comm = task_comm_or_idle(p, at->task, p->text);
	task.clone_flags =
	    task_by_id(p, at->task)->process == at->task ? 0 : CLONE_THREAD;
	int status = put_ftrace(p, at, task_pid_or_idle(p, at->other), &event);
	return status ? status : put_parent(p, at);
}

static int put_rename(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT;
	TrPerfetto__Rename rename = TR_PERFETTO__RENAME__INIT;
	event.task_rename = &rename;
	rename.has_pid = 1;
	rename.pid = task_pid_or_idle(p, at->task);
	rename.oldcomm = tr_timeline_utf8(at->text, p->next_text, NAME_BYTES);
	rename.newcomm = task_comm_or_idle(p, at->task, p->text);
	return put_ftrace(p, at, rename.pid, &event);
}

static int put_exit(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT;
	TrPerfetto__Exit end = TR_PERFETTO__EXIT__INIT;
	event.sched_process_exit = &end;
	end.has_pid = end.has_tgid = 1;
	end.comm = task_comm_or_idle(p, at->task, p->text);
	end.pid = task_pid_or_idle(p, at->task);
	end.tgid = task_pid_or_idle(p, task_by_id(p, at->task)->process);
	return put_ftrace(p, at, end.pid, &event);
}

/* Perfetto ends a thread here, not at its exit, after which it still runs. */
static int put_gone(struct tr_perfetto *p, const struct tr_task_event *at)
{
	TrPerfetto__FtraceEvent event = TR_PERFETTO__FTRACE_EVENT__INIT;
	TrPerfetto__Free end = TR_PERFETTO__FREE__INIT;
	event.sched_process_free = &end;
	end.has_pid = 1;
	end.comm = task_comm_or_idle(p, at->task, p->text);
	end.pid = task_pid_or_idle(p, at->task);
	return put_ftrace(p, at, 0, &event);
}

/* Slices */

static void annotate_number(TrPerfetto__Annotation *annotation, char *name, int64_t value)
{
	tr_perfetto__annotation__init(annotation);
	annotation->name = name;
	/* What is no small number is an address, a set of flags, or none. */
	if (value >= -UINT16_MAX && value <= UINT16_MAX) {
		annotation->has_int_value = 1;
		annotation->int_value = value;
	} else {
		annotation->has_pointer_value = 1;
		annotation->pointer_value = (uint64_t)value;
	}
}

int tr_perfetto_slice(struct tr_perfetto *p, uint64_t uuid,
		      const struct perfetto_slice *slice)
{
	TrPerfetto__Event event = TR_PERFETTO__EVENT__INIT;
	TrPerfetto__Annotation ends[3];
	TrPerfetto__Annotation *pointers[] = {&ends[0], &ends[1], &ends[2]};
	uint64_t start = tr_timeline_ns(&p->clock, slice->start);
	uint64_t end = tr_timeline_ns(&p->clock, slice->end);
	if (slice->after && start <= slice->after)
		start = slice->after + 1;
	if (end < start)
		end = start;
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN;
	event.track_uuid = uuid;
	event.name = slice->name;
	event.debug_annotations = slice->notes;
	event.n_debug_annotations = slice->nnotes;
	int status = tr_perfetto_event_at(p, &event, start, NULL);
	if (status)
		return status;
	tr_perfetto__event__init(&event);
	event.type = TR_PERFETTO__EVENT__TYPE__SLICE_END;
	event.track_uuid = uuid;
	tr_perfetto_annotate(&ends[0], NAME_CYCLES, slice->end - slice->start);
	tr_perfetto_annotate(&ends[1], NAME_START, slice->start);
	event.debug_annotations = pointers;
	event.n_debug_annotations = 2;
	if (slice->last)
		pointers[event.n_debug_annotations++] = slice->last;
	return tr_perfetto_event_at(p, &event, end, NULL);
}

/* Writes a slice of a task, on a track below that of its thread. Slices do not overlap;
 * if harts are out of order by a part of a frame, a slice may begin too early. Returns a
 * status. */
static int put_slice(struct tr_perfetto *p, const struct tr_task_event *at, bool is_call,
		     struct perfetto_slice *slice)
{
	static char calls[] = "system calls", waits[] = "waits after wake-ups";
	uint64_t thread;
	int status = tr_perfetto_task_thread(p, at->task, &thread);
	if (status)
		return status;
	struct perfetto_task *tracks = &p->task_tracks[at->task];
	struct perfetto_slices *track = is_call ? &tracks->calls : &tracks->waits;
	if (!track->uuid) {
		track->uuid = ++p->uuids;
		status = tr_perfetto_named_track(p, track->uuid, thread,
						 is_call ? calls : waits, NULL);
	}
	slice->start = at->start > track->end ? at->start : track->end;
	slice->end = at->cycle;
	if (status || slice->start > slice->end)
		return status;
	track->end = slice->end;
	slice->after = tr_timeline_ns(&p->clock, task_by_id(p, at->task)->start);
	return tr_perfetto_slice(p, track->uuid, slice);
}

static int put_syscall_slice(struct tr_perfetto *p, const struct tr_task_event *at)
{
	static char args[TR_TASK_ARGS][5] = {"arg0", "arg1", "arg2",
					     "arg3", "arg4", "arg5"};
	static char result[] = "result";
	TrPerfetto__Annotation notes[TR_TASK_ARGS], last;
	TrPerfetto__Annotation *pointers[TR_TASK_ARGS];
	char text[64];
	for (unsigned i = 0; i < TR_TASK_ARGS; i++) {
		annotate_number(&notes[i], args[i], (int64_t)at->args[i]);
		pointers[i] = &notes[i];
	}
	annotate_number(&last, result, at->result);
	if (*at->text)
		snprintf(text, sizeof(text), "%s", at->text);
	else
		snprintf(text, sizeof(text), "system call %" PRId64, (int64_t)at->number);
	return put_slice(p, at, true,
			 &(struct perfetto_slice){.name = text,
						  .notes = pointers,
						  .nnotes = TR_TASK_ARGS,
						  .last = at->has_result ? &last : NULL});
}

static int put_wait(struct tr_perfetto *p, const struct tr_task_event *at)
{
	static char woken[] = "woken by", waits[] = "waits for a hart";
	char label[TR_TASK_LABEL];
	TrPerfetto__Annotation waker = TR_PERFETTO__ANNOTATION__INIT;
	TrPerfetto__Annotation *pointer = &waker;
	waker.name = woken;
	waker.string_value = tr_timeline_utf8(
	    tr_task_label(task_by_id(p, at->other), label), p->text, sizeof(p->text));
	return put_slice(
	    p, at, false,
	    &(struct perfetto_slice){.name = waits, .notes = &pointer, .nnotes = 1});
}

int tr_perfetto_take_task(void *state, const struct tr_task_event *event)
{
	struct tr_perfetto *p = state;
	static int (*const puts[])(struct tr_perfetto *, const struct tr_task_event *) = {
	    [TR_TASK_FORK] = put_fork,
	    [TR_TASK_RENAME] = put_rename,
	    [TR_TASK_EXIT] = put_exit,
	    [TR_TASK_GONE] = put_gone,
	    [TR_TASK_SWITCH] = put_switch,
	    [TR_TASK_WAKING] = put_waking,
	    [TR_TASK_WAITED] = put_wait,
	    [TR_TASK_SYSCALL] = put_syscall_slice,
	    [TR_TASK_GOROUTINE] = tr_perfetto_goroutine};
	return puts[event->kind](p, event);
}
