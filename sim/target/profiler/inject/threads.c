/* SPDX-License-Identifier: Apache-2.0 */
/* Stops and continues the threads of traced processes. */
#include "threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process_maps.h"
#include "tracee.h"
#include "tracee_stops.h"

enum {
	OPTIONS = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		  PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC,
	EVENT_SHIFT = 16,
	PATH_ROOM = 64,
};

void free_traced_threads(struct traced_threads *threads)
{
	struct pid_entry *entry;

	while ((entry = any_pid_entry(&threads->by_id)))
		remove_traced_thread(threads, entry->id);
	free_pid_table(&threads->by_id);
	free_pid_table(&threads->by_process);
	free_pid_table(&threads->by_lender);
	free(threads->births);
	*threads = (struct traced_threads){0};
}

/* Entries are part of their threads. */
static struct traced_thread *thread_by_id(struct pid_entry *entry)
{
	return entry ? (struct traced_thread *)(void *)((char *)entry -
							offsetof(struct traced_thread,
								 by_id))
		     : NULL;
}

static struct traced_thread *thread_by_process(struct pid_entry *entry)
{
	return entry ? (struct traced_thread *)(void *)((char *)entry -
							offsetof(struct traced_thread,
								 by_process))
		     : NULL;
}

static struct traced_thread *thread_by_lender(struct pid_entry *entry)
{
	return (
	    struct traced_thread *)(void *)((char *)entry -
					    offsetof(struct traced_thread, by_lender));
}

struct traced_thread *find_traced_thread(const struct traced_threads *threads, pid_t id)
{
	return thread_by_id(find_pid_entry(&threads->by_id, id));
}

struct traced_thread *first_process_thread(const struct traced_threads *threads,
					   pid_t process)
{
	return thread_by_process(find_pid_entry(&threads->by_process, process));
}

struct traced_thread *next_process_thread(const struct traced_thread *thread)
{
	return thread_by_process(next_pid_entry(&thread->by_process));
}

void set_thread_process(struct traced_threads *threads, struct traced_thread *thread,
			pid_t process)
{
	if (thread->process == process)
		return;
	remove_pid_entry(&threads->by_process, &thread->by_process);
	thread->process = process;
	add_pid_entry(&threads->by_process, &thread->by_process, process);
}

void set_thread_lender(struct traced_threads *threads, struct traced_thread *thread,
		       pid_t lender)
{
	if (thread->lender)
		remove_pid_entry(&threads->by_lender, &thread->by_lender);
	thread->lender =
	    lender && add_pid_entry(&threads->by_lender, &thread->by_lender, lender)
		? lender
		: 0;
}

struct traced_thread *add_traced_thread(struct traced_threads *threads, pid_t id,
					pid_t process)
{
	struct traced_thread *thread = malloc(sizeof(*thread));

	if (!thread)
		return NULL;
	*thread = (struct traced_thread){.id = id, .process = process};
	if (!add_pid_entry(&threads->by_id, &thread->by_id, id)) {
		free(thread);
		return NULL;
	}
	if (!add_pid_entry(&threads->by_process, &thread->by_process, process)) {
		remove_pid_entry(&threads->by_id, &thread->by_id);
		free(thread);
		return NULL;
	}
	return thread;
}

void remove_traced_thread(struct traced_threads *threads, pid_t id)
{
	struct traced_thread *thread = find_traced_thread(threads, id);

	if (!thread)
		return;
	remove_pid_entry(&threads->by_id, &thread->by_id);
	remove_pid_entry(&threads->by_process, &thread->by_process);
	set_thread_lender(threads, thread, 0);
	free(thread);
}

bool seize_thread(struct traced_threads *threads, pid_t id, pid_t process,
		  struct trouble *trouble)
{
	if (ptrace(PTRACE_SEIZE, id, 0, (long)OPTIONS) < 0)
		return tell_trouble(trouble, "process %d: it cannot be traced: %s",
				    (int)id, strerror(errno));
	return add_traced_thread(threads, id, process) || tell_no_memory(trouble);
}

/* --- events */

/* The flags of the clone() that a thread is in. */
static unsigned long birth_flags(pid_t parent)
{
	struct tracee_registers registers;
	struct trouble ignored = {{0}};

	if (!get_tracee_registers(parent, &registers, &ignored))
		return 0;
	uint64_t first = *tracee_register(&registers, TRACEE_A0);

	if (*tracee_register(&registers, TRACEE_A7) == SYS_clone3)
		return (unsigned long)ptrace(PTRACE_PEEKDATA, parent, first, 0);
	return first;
}

static void keep_birth(struct traced_threads *threads, pid_t parent)
{
	unsigned long child = 0;

	if (ptrace(PTRACE_GETEVENTMSG, parent, 0, &child) < 0)
		return;
	if (threads->birth_count == threads->birth_room) {
		size_t room = threads->birth_room * 2 + 8;
		struct traced_birth *more =
		    realloc(threads->births, room * sizeof(*more));

		if (!more) /* the child stays stopped until this process ends */
			return;
		threads->births = more;
		threads->birth_room = room;
	}
	const struct traced_thread *thread = find_traced_thread(threads, parent);
	unsigned long flags = birth_flags(parent);

	threads->births[threads->birth_count++] = (struct traced_birth){
	    .process = thread ? thread->process : 0,
	    .child = (pid_t)child,
	    .shares = flags & CLONE_VM,
	    .thread = flags & CLONE_THREAD,
	};
}

struct traced_thread *await_birth(struct traced_threads *threads, pid_t child)
{
	struct traced_thread *thread = find_traced_thread(threads, child);
	struct trouble ignored = {{0}};
	int status;

	if (thread)
		return thread;
	if (!wait_tracee_stop(child, true, &status, &ignored))
		return NULL;
	thread = add_traced_thread(threads, child, 0);
	if (thread) {
		thread->stopped = true;
		thread->status = status;
	} else {
		ptrace(PTRACE_DETACH, child, 0, 0);
	}
	return thread;
}

enum traced_event take_thread_status(struct traced_threads *threads, pid_t id, int status)
{
	struct traced_thread *thread = find_traced_thread(threads, id);

	if (!WIFSTOPPED(status)) {
		remove_traced_thread(threads, id);
		return TRACED_ENDED;
	}
	if (thread) {
		thread->stopped = true;
		thread->status = status;
	}
	switch (status >> EVENT_SHIFT) {
	case PTRACE_EVENT_STOP:
		return TRACED_STOPPED;
	case PTRACE_EVENT_EXEC:
		if (thread)
			set_thread_lender(threads, thread, 0);
		return TRACED_EXEC;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		keep_birth(threads, id);
		return TRACED_OTHER;
	default:
		return TRACED_OTHER;
	}
}

/* --- to stop and to continue */

void continue_thread(struct traced_thread *thread)
{
	int event = thread->status >> EVENT_SHIFT, signal = WSTOPSIG(thread->status);

	/* A thread that is gone is told by its wait status. One that was stopped with its
	 * group, and has made system calls since, stops for that once more. */
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
		if (ptrace(PTRACE_LISTEN, thread->id, 0, 0) < 0 && errno != ESRCH) {
			ptrace(PTRACE_INTERRUPT, thread->id, 0, 0);
			ptrace(PTRACE_CONT, thread->id, 0, 0);
		}
	} else {
		ptrace(PTRACE_CONT, thread->id, 0,
		       event || signal & 0x80 ? 0L : (long)signal);
	}
	thread->stopped = false;
}

void continue_process_threads(struct traced_threads *threads, pid_t process)
{
	for (struct traced_thread *thread = first_process_thread(threads, process);
	     thread; thread = next_process_thread(thread))
		if (thread->stopped)
			continue_thread(thread);
}

void detach_process_threads(struct traced_threads *threads, pid_t process)
{
	struct traced_thread *thread;

	while ((thread = first_process_thread(threads, process))) {
		int event = thread->status >> EVENT_SHIFT,
		    signal = WSTOPSIG(thread->status);

		ptrace(PTRACE_DETACH, thread->id, 0,
		       event || signal & 0x80 ? 0L : (long)signal);
		remove_traced_thread(threads, thread->id);
	}
}

/* A birth while the process is stopped: a thread stays stopped with the others. A parent
 * may wait for a child that shares its memory, and stops when the child is done. */
static void take_birth(struct traced_threads *threads, pid_t process)
{
	const struct traced_birth birth = threads->births[threads->birth_count - 1];
	struct traced_thread *child = await_birth(threads, birth.child);

	if (child && birth.shares) {
		set_thread_process(threads, child, birth.thread ? process : birth.child);
		if (!birth.thread) {
			set_thread_lender(threads, child, process);
			continue_thread(child);
		}
	}
	if (!child || birth.thread)
		threads->birth_count--;
}

/* A child that shares the memory of a process goes on after a signal, or a birth. What
 * ends that it shares it is kept. */
static void let_borrower_run(struct traced_threads *threads, pid_t id, int status)
{
	if (!WIFSTOPPED(status) || status >> EVENT_SHIFT == PTRACE_EVENT_EXEC) {
		keep_tracee_status(id, status);
		return;
	}
	take_thread_status(threads, id, status);
	continue_thread(find_traced_thread(threads, id));
}

/* Waits as wait_tracee_status(). */
static bool wait_with_borrowers(struct traced_threads *threads, pid_t id, int *status)
{
	const struct traced_thread *thread = find_traced_thread(threads, id);
	pid_t process = thread ? thread->process : id, got;

	for (struct pid_entry *entry = find_pid_entry(&threads->by_lender, process);
	     entry; entry = next_pid_entry(entry)) {
		pid_t borrower = thread_by_lender(entry)->id;

		if (take_stop(borrower, status))
			let_borrower_run(threads, borrower, *status);
	}
	while ((got = wait_any_tracee(id, status)) != id) {
		if (got < 0)
			return false;
		thread = find_traced_thread(threads, got);
		if (thread && thread->lender == process)
			let_borrower_run(threads, got, *status);
		else
			keep_tracee_status(got, *status);
	}
	return true;
}

/* Waits until a thread is stopped as it was told to, or gone. */
static bool wait_until_stopped(struct traced_threads *threads, pid_t id,
			       struct trouble *trouble)
{
	int status;

	for (;;) {
		if (!wait_with_borrowers(threads, id, &status)) {
			remove_traced_thread(threads, id);
			return true;
		}
		size_t births = threads->birth_count;
		enum traced_event event = take_thread_status(threads, id, status);

		if (threads->birth_count > births)
			take_birth(threads, find_traced_thread(threads, id)->process);
		if (event == TRACED_EXEC)
			return tell_trouble(trouble, "process %d runs another program",
					    (int)id);
		if (event == TRACED_ENDED)
			keep_tracee_status(id, status);
		if (event != TRACED_OTHER)
			return true;
		/* Any stop ends what the last PTRACE_INTERRUPT was for. */
		ptrace(PTRACE_INTERRUPT, id, 0, 0);
		continue_thread(find_traced_thread(threads, id));
	}
}

/* A signal that is to be delivered, and an event, are left behind. */
static bool interrupt_thread(struct traced_threads *threads, pid_t id,
			     struct trouble *trouble)
{
	struct traced_thread *thread = find_traced_thread(threads, id);

	if (thread->stopped && thread->status >> EVENT_SHIFT == PTRACE_EVENT_STOP)
		return true;
	if (ptrace(PTRACE_INTERRUPT, id, 0, 0) < 0 && errno != ESRCH)
		return tell_trouble(trouble, "process %d: %s", (int)id, strerror(errno));
	if (thread->stopped)
		continue_thread(thread);
	return wait_until_stopped(threads, id, trouble);
}

bool runs_other_program(const struct traced_thread *thread)
{
	return thread->stopped && thread->status >> EVENT_SHIFT == PTRACE_EVENT_EXEC;
}

bool stop_new_thread(struct traced_threads *threads, pid_t id, struct trouble *trouble)
{
	return seize_thread(threads, id, id, trouble) &&
	       interrupt_thread(threads, id, trouble);
}

void release_births(struct traced_threads *threads)
{
	struct trouble ignored = {{0}};

	for (size_t i = 0; i < threads->birth_count; i++) {
		pid_t child = threads->births[i].child;

		if (await_birth(threads, child) &&
		    interrupt_thread(threads, child, &ignored)) {
			ptrace(PTRACE_DETACH, child, 0, 0);
			remove_traced_thread(threads, child);
		}
	}
	threads->birth_count = 0;
}

/* A thread that has ended but is not yet waited for: the first one of a process remains
 * so until all have. */
static bool is_thread_gone(pid_t process, pid_t id)
{
	char path[PATH_ROOM];
	size_t size;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)process, (int)id);
	char *stat = read_whole_file(AT_FDCWD, path, &size);
	const char *state = stat ? strrchr(stat, ')') : NULL;
	bool ended = !state || (state[1] && (state[2] == 'Z' || state[2] == 'X'));

	free(stat);
	return ended;
}

/* Stops the threads of a listing that run. *any is set if there were some. */
static bool stop_listed(struct traced_threads *threads, DIR *tasks, pid_t process,
			bool *any, struct trouble *trouble)
{
	const struct dirent *task;

	*any = false;
	while ((task = readdir(tasks))) {
		pid_t id = (pid_t)atoi(task->d_name);
		struct traced_thread *thread = find_traced_thread(threads, id);

		if (id <= 0 || (thread && thread->stopped &&
				thread->status >> EVENT_SHIFT == PTRACE_EVENT_STOP))
			continue;
		if (!thread && is_thread_gone(process, id))
			continue;
		*any = true;
		if (!thread && !seize_thread(threads, id, process, trouble)) {
			if (!is_thread_gone(process, id))
				return false;
			*trouble = (struct trouble){{0}};
			continue;
		}
		if (!interrupt_thread(threads, id, trouble))
			return false;
	}
	return true;
}

bool stop_process_threads(struct traced_threads *threads, pid_t process,
			  struct trouble *trouble)
{
	char path[PATH_ROOM];
	bool any = true;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	while (any) {
		DIR *tasks = opendir(path);

		if (!tasks)
			return tell_trouble(trouble, "process %d: %s", (int)process,
					    errno == ENOENT ? "there is none"
							    : strerror(errno));
		bool done = stop_listed(threads, tasks, process, &any, trouble);

		closedir(tasks);
		if (!done)
			return false;
	}
	return true;
}
