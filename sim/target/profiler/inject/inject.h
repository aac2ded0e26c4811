/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles running processes: their stubs are mapped when they begin or are attached to,
 * and they are followed through fork, vfork, clone and exec. The caller passes all
 * statuses of next_tracee_status() (tracee_stops.h) on to take_process_event(), and waits
 * for SIGCHLD.
 *
 * A process that cannot be profiled continues without, and one line tells why. */
#ifndef INJECT_H
#define INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "run/trouble.h"

struct injector;

/* `folder` is an absolute path, as prof-extract has written it; `global`: all processes
 * count into one file. `tell` prints a line. Returns NULL without memory. */
struct injector *make_injector(const char *folder, bool global,
			       void (*tell)(const char *text));
/* Ends the tracing of all processes, which keep their stubs. */
void free_injector(struct injector *injector);

/* Traces a child that is about to run its program, and profiles it then. */
bool adopt_process(struct injector *injector, pid_t process, struct trouble *trouble);
/* Profiles a process that runs. Returns false if it is as before, and not traced. */
bool attach_process(struct injector *injector, pid_t process, struct trouble *trouble);
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
