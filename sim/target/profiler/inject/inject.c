/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the processes that are profiled. */
#include "inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "inject_internal.h"
#include "process_maps.h"
#include "tracee_stops.h"

struct injector *make_injector(const char *folder, bool global,
			       void (*tell)(const char *text))
{
	struct injector *injector = calloc(1, sizeof(*injector));

	if (!injector || !open_program_folder(&injector->programs, folder, global)) {
		free(injector);
		return NULL;
	}
	injector->tell = tell;
	return injector;
}

void free_injector(struct injector *injector)
{
	struct pid_entry *entry;

	while ((entry = any_pid_entry(&injector->processes)))
		release_process(injector, entry->id);
	free_traced_threads(&injector->threads);
	free_program_folder(&injector->programs);
	free_pid_table(&injector->processes);
	free(injector);
}

void make_logged_counts(struct injector *injector)
{
	injector->programs.logged = true;
}

void watch_injector(struct injector *injector, const struct injector_watch *watch)
{
	injector->watch = *watch;
}

size_t count_processes(const struct injector *injector)
{
	return injector->processes.count;
}

/* --- processes */

struct profiled_process *find_profiled(const struct injector *injector, pid_t id)
{
	struct pid_entry *entry = find_pid_entry(&injector->processes, id);

	return entry
		   ? (struct profiled_process *)(void *)((char *)entry -
							 offsetof(struct profiled_process,
								  entry))
		   : NULL;
}

bool follows_process(const struct injector *injector, pid_t process)
{
	return find_profiled(injector, process) != NULL;
}

struct profiled_process *add_profiled(struct injector *injector, pid_t id)
{
	struct profiled_process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	process->id = id;
	if (add_pid_entry(&injector->processes, &process->entry, id))
		return process;
	free(process);
	return NULL;
}

static uint64_t read_start(pid_t process)
{
	struct process_facts facts = {0};
	struct trouble ignored = {{0}};

	read_process_facts(process, &facts, &ignored);
	return facts.started;
}

void describe_injection(pid_t id, const struct injection *injection,
			struct injected_process *process)
{
	*process = (struct injected_process){
	    .id = id,
	    .started = injection->started ? injection->started : read_start(id),
	    .counts_in = injection->counts_in,
	    .places = injection->places,
	    .has_stubs = true,
	    .folder = injection->files->folder};
	snprintf(process->counts, sizeof(process->counts), "%s", injection->counts);
}

void tell_begin(const struct injector *injector, struct profiled_process *process)
{
	struct injected_process told;

	if (!injector->watch.begins)
		return;
	describe_injection(process->id, &process->injection, &told);
	process->told = true;
	injector->watch.begins(injector->watch.context, &told);
}

/* Its program ends, or its tracing. */
static void end_injection(const struct injector *injector,
			  struct profiled_process *process)
{
	if (process->told && injector->watch.ends)
		injector->watch.ends(injector->watch.context, process->id);
	process->told = false;
	free_injection(&process->injection);
}

static void forget_process(struct injector *injector, pid_t id)
{
	struct profiled_process *process = find_profiled(injector, id);

	if (!process)
		return;
	end_injection(injector, process);
	remove_pid_entry(&injector->processes, &process->entry);
	free(process);
}

static void tell_user(const struct injector *injector, const struct trouble *trouble)
{
	if (trouble->text[0])
		injector->tell(trouble->text);
}

/* --- to begin */

/* Stops a thread that has just begun its program, before the first instruction. */
static bool stop_at_start(struct injector *injector, pid_t process,
			  struct trouble *trouble)
{
	struct traced_thread *thread = find_traced_thread(&injector->threads, process);

	return stop_tracee_again(process, true, 0, &thread->status, trouble);
}

static void begin_program(struct injector *injector, struct profiled_process *process)
{
	struct trouble trouble = {{0}};
	struct program_files *files =
	    find_process_files(&injector->programs, process->id, &trouble);
	enum injection_result result = INJECTION_FAILED;

	if (!files && process->begins)
		tell_no_files(&injector->programs, process->id, &trouble);
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
	tell_begin(injector, process);
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

/* --- to end */

static bool has_threads(const struct injector *injector, pid_t process)
{
	return first_process_thread(&injector->threads, process) != NULL;
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

/* What a child has of its parent, whose counters it shares at first. Returns false
 * without memory. */
static bool inherit_injection(struct injection *injection,
			      const struct injection *parents)
{
	char *counts = parents->files ? strdup(parents->counts) : NULL;

	if (!counts)
		return !parents->files;
	*injection = *parents;
	injection->files->users++;
	injection->counts = counts;
	injection->started = 0;
	return true;
}

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
	if (!inherit_injection(&process->injection, parents)) {
		tell_no_memory(&trouble);
		tell_user(injector, &trouble);
	} else if (parents->files && !shares && !injector->programs.global &&
		   !give_own_counts(&injector->threads, child, &process->injection,
				    &trouble) &&
		   trouble.text[0]) {
		struct trouble whole = {{0}};

		tell_trouble(&whole, "%s; process %d counts in its parent's counters",
			     trouble.text, (int)child);
		tell_user(injector, &whole);
	}
	if (process->injection.files)
		tell_begin(injector, process);
	continue_process_threads(&injector->threads, child);
}

static void follow_birth(struct injector *injector, const struct traced_birth *birth)
{
	struct traced_thread *child = await_birth(&injector->threads, birth->child);
	const struct profiled_process *parent = find_profiled(injector, birth->process);
	struct injection injection = {0};

	if (!child)
		return;
	set_thread_process(&injector->threads, child,
			   birth->thread ? birth->process : birth->child);
	if (birth->thread) {
		if (child->stopped)
			continue_thread(child);
		return;
	}
	if (birth->shares)
		set_thread_lender(&injector->threads, child, birth->process);
	if (parent)
		injection = parent->injection;
	adopt_child_process(injector, birth->child, &injection, birth->shares);
}

void follow_births(struct injector *injector)
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
	struct traced_thread *orphan;

	while ((orphan = first_process_thread(&injector->threads, 0))) {
		ptrace(PTRACE_DETACH, orphan->id, 0, 0);
		remove_traced_thread(&injector->threads, orphan->id);
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
void start_program(struct injector *injector, struct traced_thread *thread)
{
	pid_t process = thread->process;

	struct traced_thread *other = first_process_thread(&injector->threads, process);

	while (other) {
		struct traced_thread *next = next_process_thread(other);

		if (other->id != process)
			remove_traced_thread(&injector->threads, other->id);
		other = next;
	}
	struct profiled_process *profiled = find_profiled(injector, process);

	if (!profiled)
		return;
	end_injection(injector, profiled);
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
