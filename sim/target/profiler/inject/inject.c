/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the processes that are profiled. */
#include "inject.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "injection.h"
#include "process_maps.h"
#include "program_files.h"
#include "threads.h"
#include "tracee_stops.h"

enum { TRIES = 100, PAUSE_NS = 20000 /* more with each */ };

struct profiled_process {
	pid_t id;
	struct injection injection;
	bool begins; /* has not run its program yet: its files must exist */
};

struct injector {
	char *folder;
	bool global;
	void (*tell)(const char *text);
	struct traced_threads threads;
	struct profiled_process *processes;
	size_t count, room;
	struct program_files *files; /* of all programs so far */
};

struct injector *make_injector(const char *folder, bool global,
			       void (*tell)(const char *text))
{
	struct injector *injector = calloc(1, sizeof(*injector));

	if (!injector || !(injector->folder = strdup(folder))) {
		free(injector);
		return NULL;
	}
	injector->global = global;
	injector->tell = tell;
	return injector;
}

void free_injector(struct injector *injector)
{
	while (injector->count)
		release_process(injector, injector->processes[0].id);
	free_traced_threads(&injector->threads);
	free_program_files(injector->files);
	free(injector->processes);
	free(injector->folder);
	free(injector);
}

size_t count_processes(const struct injector *injector)
{
	return injector->count;
}

/* --- processes */

static struct profiled_process *find_profiled(const struct injector *injector, pid_t id)
{
	for (size_t i = 0; i < injector->count; i++)
		if (injector->processes[i].id == id)
			return &injector->processes[i];
	return NULL;
}

bool follows_process(const struct injector *injector, pid_t process)
{
	return find_profiled(injector, process) != NULL;
}

static struct profiled_process *add_profiled(struct injector *injector, pid_t id)
{
	if (injector->count == injector->room) {
		size_t room = injector->room * 2 + 8;
		struct profiled_process *more =
		    realloc(injector->processes, room * sizeof(*more));

		if (!more)
			return NULL;
		injector->processes = more;
		injector->room = room;
	}
	struct profiled_process *process = &injector->processes[injector->count++];

	*process = (struct profiled_process){.id = id};
	return process;
}

static void forget_process(struct injector *injector, pid_t id)
{
	struct profiled_process *process = find_profiled(injector, id);

	if (process)
		*process = injector->processes[--injector->count];
}

static void tell_user(const struct injector *injector, const struct trouble *trouble)
{
	if (trouble->text[0])
		injector->tell(trouble->text);
}

/* Returns the files of the program that a process runs. NULL without trouble: it has
 * none. */
static struct program_files *find_files(struct injector *injector, pid_t process,
					struct trouble *trouble)
{
	char program[PATH_MAX], folder[PATH_MAX];

	if (!read_process_program(process, program, sizeof(program), trouble))
		return NULL;
	if (!join_path(folder, sizeof(folder) - NAME_MAX, injector->folder, program)) {
		tell_trouble(trouble, "%s: the path is too long", program);
		return NULL;
	}
	for (struct program_files *files = injector->files; files; files = files->next)
		if (strcmp(files->folder, folder) == 0)
			return files;
	struct program_files *files =
	    read_program_files(injector->folder, folder, injector->global, true, trouble);

	if (files) {
		files->next = injector->files;
		injector->files = files;
	} else if (access(folder, F_OK) < 0 && errno == ENOENT) {
		*trouble = (struct trouble){{0}};
	}
	return files;
}

/* Names the program as its files are looked for: after symbolic links and "#!". */
static void tell_no_files(const struct injector *injector, pid_t process,
			  struct trouble *trouble)
{
	char program[PATH_MAX];

	if (read_process_program(process, program, sizeof(program), trouble))
		tell_trouble(trouble, "%s has no files of %s", injector->folder, program);
}

/* --- to begin */

/* Stops a thread that has just begun its program, before the first instruction. */
static bool stop_at_start(struct injector *injector, pid_t process,
			  struct trouble *trouble)
{
	struct traced_thread *thread = find_traced_thread(&injector->threads, process);

	return stop_tracee_again(process, 0, &thread->status, trouble);
}

static void begin_program(struct injector *injector, struct profiled_process *process)
{
	struct trouble trouble = {{0}};
	struct program_files *files = find_files(injector, process->id, &trouble);
	enum injection_result result = INJECTION_FAILED;

	if (!files && process->begins)
		tell_no_files(injector, process->id, &trouble);
	if (files && stop_at_start(injector, process->id, &trouble))
		result = inject_stubs(&injector->threads, process->id, files, true,
				      &process->injection, &trouble);
	process->begins = false;
	if (result != INJECTION_DONE) {
		tell_user(injector, &trouble);
		detach_process_threads(&injector->threads, process->id);
		forget_process(injector, process->id);
		return;
	}
	continue_process_threads(&injector->threads, process->id);
}

bool adopt_process(struct injector *injector, pid_t process, struct trouble *trouble)
{
	struct profiled_process *new;

	if (!seize_thread(&injector->threads, process, process, trouble))
		return false;
	new = add_profiled(injector, process);
	if (!new) {
		release_process(injector, process);
		return tell_no_memory(trouble);
	}
	new->begins = true;
	return true;
}

static void follow_births(struct injector *injector);

/* Lets the thread whose handler is to return run on, alone or, as it may wait for others,
 * with all; together for a tenth of a second. Then all are stopped again. */
static bool run_on(struct traced_threads *threads, pid_t process, pid_t busy, int tried,
		   struct trouble *trouble)
{
	struct traced_thread *thread = find_traced_thread(threads, busy);

	if (tried % 2 && thread && thread->stopped)
		continue_thread(thread);
	else
		continue_process_threads(threads, process);
	nanosleep(&(struct timespec){.tv_nsec = (long)PAUSE_NS * tried}, NULL);
	*trouble = (struct trouble){{0}};
	return stop_process_threads(threads, process, trouble);
}

/* Stops a process until no signal handler returns to where it may not. Its threads are
 * stopped at the end, also after a failure. */
static enum injection_result inject_running(struct injector *injector, pid_t process,
					    struct injection *injection,
					    struct trouble *trouble)
{
	enum injection_result result = INJECTION_BUSY;
	struct program_files *files = find_files(injector, process, trouble);

	if (!files)
		tell_no_files(injector, process, trouble);
	if (!files || !stop_process_threads(&injector->threads, process, trouble))
		return INJECTION_FAILED;
	for (int i = 0; i < TRIES && result == INJECTION_BUSY; i++) {
		if (i > 0 &&
		    !run_on(&injector->threads, process, injection->busy, i, trouble))
			return INJECTION_FAILED;
		result = inject_stubs(&injector->threads, process, files, false,
				      injection, trouble);
	}
	return result;
}

bool attach_process(struct injector *injector, pid_t process, struct trouble *trouble)
{
	struct profiled_process *new = add_profiled(injector, process);
	struct injection injection = {0};

	if (!new)
		return tell_no_memory(trouble);
	if (inject_running(injector, process, &injection, trouble) != INJECTION_DONE) {
		release_process(injector, process);
		return false;
	}
	find_profiled(injector, process)->injection = injection;
	follow_births(injector);
	continue_process_threads(&injector->threads, process);
	return true;
}

/* --- to end */

static bool has_threads(const struct injector *injector, pid_t process)
{
	for (size_t i = 0; i < injector->threads.count; i++)
		if (injector->threads.list[i].process == process)
			return true;
	return false;
}

void release_process(struct injector *injector, pid_t process)
{
	struct trouble ignored = {{0}};

	if (has_threads(injector, process))
		stop_process_threads(&injector->threads, process, &ignored);
	follow_births(injector);
	detach_process_threads(&injector->threads, process);
	forget_process(injector, process);
}

/* --- births */

/* A new process has the stubs of its parent. If it shares the parent's memory it counts
 * there, until it runs another program. */
static void adopt_child_process(struct injector *injector, pid_t child,
				const struct injection *parents, bool shares)
{
	struct profiled_process *process = add_profiled(injector, child);
	struct trouble trouble = {{0}};

	if (!process) {
		detach_process_threads(&injector->threads, child);
		return;
	}
	process->injection = *parents;
	if (parents->files && !shares && !injector->global &&
	    !give_own_counts(child, parents, &trouble) && trouble.text[0]) {
		struct trouble whole;

		tell_trouble(&whole, "%s; process %d counts in its parent's counters",
			     trouble.text, (int)child);
		tell_user(injector, &whole);
	}
	continue_process_threads(&injector->threads, child);
}

static void follow_birth(struct injector *injector, const struct traced_birth *birth)
{
	struct traced_thread *child = await_birth(&injector->threads, birth->child);
	const struct profiled_process *parent = find_profiled(injector, birth->process);
	struct injection injection = {0};

	if (!child)
		return;
	child->process = birth->thread ? birth->process : birth->child;
	if (birth->thread) {
		if (child->stopped)
			continue_thread(child);
		return;
	}
	if (parent)
		injection = parent->injection;
	adopt_child_process(injector, birth->child, &injection, birth->shares);
}

static void follow_births(struct injector *injector)
{
	for (size_t i = 0; i < injector->threads.birth_count; i++) {
		struct traced_birth birth = injector->threads.births[i];

		follow_birth(injector, &birth);
	}
	injector->threads.birth_count = 0;
}

/* --- events */

/* A child that has stopped before its parent has told of it is kept. If the parent was
 * killed it never will: the child goes on without the injector. */
static void let_orphans_go(struct injector *injector)
{
	struct traced_threads *threads = &injector->threads;

	for (size_t i = threads->count; i-- > 0;)
		if (threads->list[i].process == 0) {
			ptrace(PTRACE_DETACH, threads->list[i].id, 0, 0);
			remove_traced_thread(threads, threads->list[i].id);
		}
}

static void end_thread(struct injector *injector, pid_t process)
{
	if (has_threads(injector, process))
		return;
	forget_process(injector, process);
	let_orphans_go(injector);
}

/* The other threads of a process end when one runs another program. */
static void start_program(struct injector *injector, struct traced_thread *thread)
{
	pid_t process = thread->process;

	for (size_t i = injector->threads.count; i-- > 0;) {
		const struct traced_thread *other = &injector->threads.list[i];

		if (other->process == process && other->id != process)
			remove_traced_thread(&injector->threads, other->id);
	}
	struct profiled_process *profiled = find_profiled(injector, process);

	if (!profiled)
		return;
	profiled->injection = (struct injection){0};
	begin_program(injector, profiled);
}

void take_process_event(struct injector *injector, pid_t id, int status)
{
	struct traced_thread *thread = find_traced_thread(&injector->threads, id);
	pid_t process = thread ? thread->process : 0;
	enum traced_event event;

	if (!thread && !WIFSTOPPED(status))
		return;
	if (!thread) {
		thread = add_traced_thread(&injector->threads, id, 0);
		if (!thread) {
			ptrace(PTRACE_DETACH, id, 0, 0);
			return;
		}
	}
	event = take_thread_status(&injector->threads, id, status);
	if (event == TRACED_ENDED) {
		end_thread(injector, process);
		return;
	}
	follow_births(injector);
	thread = find_traced_thread(&injector->threads, id);
	if (!thread || thread->process == 0)
		return;
	if (event == TRACED_EXEC)
		start_program(injector, thread);
	else if (thread->stopped)
		continue_thread(thread);
}

/* --- to take out */

static bool remove_running(struct traced_threads *threads, pid_t process,
			   struct trouble *trouble)
{
	enum injection_result result = INJECTION_BUSY;
	pid_t busy = 0;

	if (!stop_process_threads(threads, process, trouble))
		return false;
	for (int i = 0; i < TRIES && result == INJECTION_BUSY; i++) {
		if (i > 0 && !run_on(threads, process, busy, i, trouble))
			return false;
		result = take_out_stubs(threads, process, i == TRIES - 1, &busy, trouble);
	}
	return result == INJECTION_DONE;
}

bool remove_from_process(pid_t process, struct trouble *trouble)
{
	struct traced_threads threads = {0};
	bool done = remove_running(&threads, process, trouble);

	detach_process_threads(&threads, process);
	release_births(&threads);
	free_traced_threads(&threads);
	return done;
}
