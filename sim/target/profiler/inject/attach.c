/* SPDX-License-Identifier: Apache-2.0 */
/* Brings stubs into processes that run, and takes them out. */
#include <elf.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "inject_internal.h"
#include "process_maps.h"
#include "tracee.h"

enum { TRIES = 100, PAUSE_NS = 20000 /* more with each */ };

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
					    struct program_files *files,
					    struct injection *injection,
					    struct trouble *trouble)
{
	enum injection_result result = INJECTION_BUSY;

	if (!stop_process_threads(&injector->threads, process, trouble))
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

/* After an injection, or what has ended it. Returns whether the process is followed. If
 * it began another program while it was to be stopped, that is. */
static bool follow_injected(struct injector *injector, pid_t process,
			    enum injection_result result, struct injection *injection,
			    struct trouble *trouble)
{
	struct profiled_process *profiled = find_profiled(injector, process);
	struct traced_thread *thread = find_traced_thread(&injector->threads, process);

	if (result != INJECTION_DONE && thread && runs_other_program(thread)) {
		*trouble = (struct trouble){{0}};
		start_program(injector, thread);
		return find_profiled(injector, process) != NULL;
	}
	if (result != INJECTION_DONE) {
		release_process(injector, process);
		return false;
	}
	profiled->injection = *injection;
	tell_begin(injector, profiled);
	follow_births(injector);
	continue_process_threads(&injector->threads, process);
	return true;
}

static bool may_follow(struct injector *injector, pid_t process, struct trouble *trouble)
{
	if (find_profiled(injector, process))
		return tell_trouble(trouble, "process %d is followed already",
				    (int)process);
	return add_profiled(injector, process) || tell_no_memory(trouble);
}

static bool attach_running(struct injector *injector, pid_t process,
			   struct program_files *files, struct trouble *trouble)
{
	struct injection injection = {0};

	if (!may_follow(injector, process, trouble))
		return false;
	enum injection_result result =
	    inject_running(injector, process, files, &injection, trouble);

	return follow_injected(injector, process, result, &injection, trouble);
}

bool attach_process(struct injector *injector, pid_t process, struct trouble *trouble)
{
	struct program_files *files =
	    find_process_files(&injector->programs, process, trouble);

	if (!files)
		tell_no_files(&injector->programs, process, trouble);
	return files && attach_running(injector, process, files, trouble);
}

/* --- a new program */

/* The interpreter of a program begins with its ELF header. */
static bool is_interpreter_entry(pid_t process, uint64_t interpreter, uint64_t pc)
{
	struct trouble ignored = {{0}};
	int memory = open_tracee_memory(process, &ignored);
	uint64_t entry;
	bool is = memory >= 0 &&
		  read_tracee_memory(memory, interpreter + offsetof(Elf64_Ehdr, e_entry),
				     &entry, sizeof(entry), &ignored) &&
		  pc == interpreter + entry;

	if (memory >= 0)
		close(memory);
	return is;
}

/* Tells whether a stopped process has executed nothing of its program. */
static bool is_at_start(pid_t process)
{
	struct tracee_registers registers;
	struct process_vector vector;
	struct trouble ignored = {{0}};

	if (!get_tracee_registers(process, &registers, &ignored) ||
	    !read_process_vector(process, &vector, &ignored) ||
	    count_process_threads(process) != 1)
		return false;
	return vector.interpreter
		   ? is_interpreter_entry(process, vector.interpreter, registers.pc)
		   : registers.pc == vector.entry;
}

/* The tracer of a process that cannot be traced tells more than why not. */
static void tell_not_traced(const struct injector *injector, pid_t process,
			    struct trouble *trouble)
{
	struct trouble other = {{0}};
	pid_t tracer = 0;

	if (!has_program(process)) {
		*trouble = (struct trouble){{0}};
	} else if (!find_traced_thread(&injector->threads, process) &&
		   read_process_tracer(process, &tracer, &other) && tracer) {
		tell_trouble(&other, "process %d is traced by process %d", (int)process,
			     (int)tracer);
		*trouble = other;
	}
}

static bool attach_held(struct injector *injector, pid_t process,
			struct program_files *files, struct trouble *trouble)
{
	struct traced_threads *threads = &injector->threads;
	struct injection injection = {0};
	enum injection_result result = INJECTION_FAILED;

	if (!may_follow(injector, process, trouble))
		return false;
	if (!stop_new_thread(threads, process, trouble))
		tell_not_traced(injector, process, trouble);
	else if (is_at_start(process))
		result = inject_stubs(threads, process, files, true, &injection, trouble);
	else
		result = inject_running(injector, process, files, &injection, trouble);
	return follow_injected(injector, process, result, &injection, trouble);
}

bool attach_new_process(struct injector *injector, pid_t process, struct trouble *trouble)
{
	struct program_files *files =
	    find_process_files(&injector->programs, process, trouble);

	if (!files && !has_program(process))
		*trouble = (struct trouble){{0}};
	if (!files)
		return false;
	if (attach_held(injector, process, files, trouble))
		return true;
	/* It has ended, or runs another program by now, which is told of as well. */
	struct trouble ignored = {{0}};

	if (files != find_process_files(&injector->programs, process, &ignored))
		*trouble = (struct trouble){{0}};
	return false;
}

/* --- stubs that are there */

/* Takes out what is of other files, or not whole, and brings in what should be there. */
static bool replace_stubs(struct injector *injector, pid_t process,
			  struct program_files *files, struct trouble *trouble)
{
	release_process(injector, process);
	*trouble = (struct trouble){{0}};
	return remove_from_process(process, trouble) &&
	       attach_running(injector, process, files, trouble);
}

static bool follow_stubs(struct injector *injector, pid_t process,
			 struct program_files *files, struct trouble *trouble)
{
	struct injection injection = {0};
	enum injection_result result = INJECTION_FAILED;

	if (!may_follow(injector, process, trouble))
		return false;
	if (!stop_process_threads(&injector->threads, process, trouble))
		tell_not_traced(injector, process, trouble);
	else
		result = take_over_stubs(&injector->threads, process, files, &injection,
					 trouble);
	if (result == INJECTION_OTHER)
		return replace_stubs(injector, process, files, trouble);
	if (result == INJECTION_NONE)
		result = inject_running(injector, process, files, &injection, trouble);
	return follow_injected(injector, process, result, &injection, trouble);
}

/* A process that has ended is no trouble. */
static bool tell_unless_ended(pid_t process, struct trouble *trouble)
{
	if (!has_program(process))
		*trouble = (struct trouble){{0}};
	return false;
}

bool take_over_process(struct injector *injector, pid_t process, struct trouble *trouble)
{
	struct program_files *files =
	    find_process_files(&injector->programs, process, trouble);

	return (files && follow_stubs(injector, process, files, trouble)) ||
	       tell_unless_ended(process, trouble);
}

bool prepare_process(struct injector *injector, pid_t id,
		     struct injected_process *process, char folder[PATH_MAX],
		     struct trouble *trouble)
{
	struct program_files *files =
	    find_process_files(&injector->programs, id, trouble);
	struct injection injection = {0};

	if (!files || !prepare_counts(id, files, &injection, trouble))
		return tell_unless_ended(id, trouble);
	describe_injection(id, &injection, process);
	process->has_stubs = false;
	process->folder = strcpy(folder, process->folder);
	free_injection(&injection);
	return true;
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
	const struct traced_thread *thread = find_traced_thread(&threads, process);

	/* They have gone with the program. */
	if (!done && thread && runs_other_program(thread)) {
		*trouble = (struct trouble){{0}};
		done = true;
	}
	detach_process_threads(&threads, process);
	release_births(&threads);
	free_traced_threads(&threads);
	return done;
}
