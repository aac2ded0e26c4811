/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that this process traces: by SEIZE, so that they are stopped by INTERRUPT
 * and not by signals. A signal that stops a thread is delivered when it continues, and a
 * thread whose process is stopped, as by ctrl-Z, stays so. Functions that may fail return
 * false with the trouble set; threads that end meanwhile are removed. */
#ifndef THREADS_H
#define THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "pid_table.h"
#include "run/trouble.h"

struct traced_thread {
	struct pid_entry by_id, by_process, by_lender;
	pid_t id, process;
	pid_t lender; /* the process whose memory it uses, and which waits for it; or 0 */
	bool stopped;
	int status; /* of its last stop, from waitpid() */
};

/* A process or thread that a thread has made. */
struct traced_birth {
	pid_t process; /* of the parent */
	pid_t child;
	bool shares; /* the memory of its parent */
	bool thread; /* is one of the same process */
};

struct traced_threads {
	struct pid_table by_id, by_process, by_lender;
	struct traced_birth *births; /* not yet looked at, in their order */
	size_t birth_count, birth_room;
};

void free_traced_threads(struct traced_threads *threads);
/* Returns the thread, or NULL. It is valid until it is removed. */
struct traced_thread *find_traced_thread(const struct traced_threads *threads, pid_t id);
/* Returns a new entry, or NULL without memory. */
struct traced_thread *add_traced_thread(struct traced_threads *threads, pid_t id,
					pid_t process);
void remove_traced_thread(struct traced_threads *threads, pid_t id);
/* Returns a thread of a process, or NULL; the next one. */
struct traced_thread *first_process_thread(const struct traced_threads *threads,
					   pid_t process);
struct traced_thread *next_process_thread(const struct traced_thread *thread);
/* Tells of which process a new thread is. */
void set_thread_process(struct traced_threads *threads, struct traced_thread *thread,
			pid_t process);

/* Waits for the first stop of a new thread, which is added. Returns NULL if it has ended.
 */
struct traced_thread *await_birth(struct traced_threads *threads, pid_t child);
/* Ends the tracing of all processes whose births are not yet looked at. */
void release_births(struct traced_threads *threads);

/* Traces a thread, which continues to run. */
bool seize_thread(struct traced_threads *threads, pid_t id, pid_t process,
		  struct trouble *trouble);
/* Tells that a new process shares the memory of another until it runs a program. While
 * threads of that one are waited for, this one is not left stopped. */
void set_thread_lender(struct traced_threads *threads, struct traced_thread *thread,
		       pid_t lender);
/* Traces a thread, and stops it as the only one of its process: the same as
 * stop_process_threads(), if it is. */
bool stop_new_thread(struct traced_threads *threads, pid_t id, struct trouble *trouble);
/* Tells whether a thread is stopped as it has begun another program. */
bool runs_other_program(const struct traced_thread *thread);
/* Stops all threads of a process, until none is new; those not yet traced are seized. All
 * are then stopped with PTRACE_EVENT_STOP, and none has a signal to be delivered. */
bool stop_process_threads(struct traced_threads *threads, pid_t process,
			  struct trouble *trouble);
/* Continues one thread, or all of a process that are stopped. */
void continue_thread(struct traced_thread *thread);
void continue_process_threads(struct traced_threads *threads, pid_t process);
/* Ends the tracing of all threads of a process, which are stopped. */
void detach_process_threads(struct traced_threads *threads, pid_t process);

/* What a wait status of a thread is about, after its birth, if it is one, is kept. */
enum traced_event {
	TRACED_ENDED,	/* of the thread: it is no longer traced */
	TRACED_STOPPED, /* stopped with PTRACE_EVENT_STOP */
	TRACED_EXEC,	/* runs another program, as the only thread of its process */
	TRACED_OTHER,	/* a signal, or a birth */
};
enum traced_event take_thread_status(struct traced_threads *threads, pid_t id,
				     int status);

#endif
