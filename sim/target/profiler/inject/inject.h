/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles running processes: their stubs are mapped when they begin or are attached to,
 * and they are followed through fork, vfork, clone and exec. The caller passes all
 * statuses of next_tracee_status() (tracee_stops.h) on to take_process_event(), and waits
 * for SIGCHLD.
 *
 * A process that cannot be profiled continues without, and one line tells why. */
#ifndef INJECT_H
#define INJECT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/trouble.h"
#include "run_files.h"
#include "stubs/stubs.h"

struct injector;

/* `folder` is an absolute path, as prof-extract has written it; `global`: all processes
 * count into one file. `tell` prints a line. Returns NULL without memory. */
struct injector *make_injector(const char *folder, bool global,
			       void (*tell)(const char *text));
/* Ends the tracing of all processes, which keep their stubs. */
void free_injector(struct injector *injector);

/* Files of counters are for logs from now on: a daemon removes them when their process
 * has ended, also if another one made them. */
void make_logged_counts(struct injector *injector);

/* A process that is profiled. */
struct injected_process {
	pid_t id;
	uint64_t started; /* after boot, in clock ticks: field 22 of /proc/PID/stat */
	/* The process in whose file it counts: itself, or that whose memory it shares or
	 * whose child it is; 0: the global file. */
	pid_t counts_in;
	struct tr_stubs_places places; /* without stubs the bias alone */
	bool has_stubs;
	const char *folder;	   /* FOLDER/PROGRAM */
	char counts[RUN_FILE_MAX]; /* the path of its counters: PID.dat or 00000.dat */
};

/* Who is told of the processes that are followed. `begins`: a process has stubs, by its
 * program, by its fork, or because it was attached to; it is stopped meanwhile. `ends`:
 * it ends, runs another program, or is released. Each `begins` has one `ends`. What
 * *process refers to is valid during the call, which must not call the injector. */
struct injector_watch {
	void *context;
	void (*begins)(void *context, const struct injected_process *process);
	void (*ends)(void *context, pid_t process);
};
void watch_injector(struct injector *injector, const struct injector_watch *watch);

/* Traces a child that is about to run its program, and profiles it then. */
bool adopt_process(struct injector *injector, pid_t process, struct trouble *trouble);
/* Profiles a process that runs. Returns false if it is as before, and not traced. */
bool attach_process(struct injector *injector, pid_t process, struct trouble *trouble);
/* Profiles a process that has executed nothing of its program, where something else holds
 * it; if it has gone on, as attach_process(). Returns false if it is as before: without
 * trouble if FOLDER has no files of its program, or if it has ended. */
bool attach_new_process(struct injector *injector, pid_t process,
			struct trouble *trouble);
/* Follows a process that runs and may have stubs, as its injector was killed, or belonged
 * to another FOLDER or mode, or was released: what is as it should be remains, and its
 * counts go on; what is not is replaced; without stubs as attach_process(). A child that
 * was forked meanwhile gets counters of its own, unless it shares the memory of its
 * parent. Returns false if it is not traced: without trouble if FOLDER has no files of
 * its program, or if it has ended. */
bool take_over_process(struct injector *injector, pid_t process, struct trouble *trouble);
/* Makes the counters of a process that gets no stubs, and is not traced: for those who
 * count samples. `process->folder` is `folder`. Returns false without trouble if FOLDER
 * has no files of its program, or if it has ended. */
bool prepare_process(struct injector *injector, pid_t id,
		     struct injected_process *process, char folder[PATH_MAX],
		     struct trouble *trouble);
/* Tells what stubs a process has, whoever follows it. `process->folder` is `folder`.
 * Returns false without trouble if it has none, or has ended. */
bool find_injected_process(pid_t id, struct injected_process *process,
			   char folder[PATH_MAX], struct trouble *trouble);

/* Takes a status of any process. */
void take_process_event(struct injector *injector, pid_t id, int status);
/* Ends the tracing of a process, which keeps its stubs. */
void release_process(struct injector *injector, pid_t process);
bool follows_process(const struct injector *injector, pid_t process);
/* Returns the number of processes that are traced. */
size_t count_processes(const struct injector *injector);

/* Takes the stubs out of a process that nobody traces; its counts remain. */
bool remove_from_process(pid_t process, struct trouble *trouble);

#endif
