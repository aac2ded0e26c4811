/* SPDX-License-Identifier: Apache-2.0 */
/* Stops of traced threads, and other statuses of them: waited for, kept until somebody
 * asks for them, and ended. Functions that may fail return false with the trouble set. */
#ifndef TRACEE_STOPS_H
#define TRACEE_STOPS_H

#include <stdbool.h>
#include <sys/types.h>

#include "run/trouble.h"

/* Waits for the next status of a child or traced thread, or if that has none of any: the
 * first thread of a process ends after the others, which must therefore be waited for as
 * well. Returns whose it is; -1 with errno ECHILD if there is no such thread. */
pid_t wait_any_tracee(pid_t id, int *status);
/* Takes a status of a thread that was given back. Returns false if there is none. */
bool take_stop(pid_t id, int *status);
/* Returns the next status of any, without waiting: its id, or 0 or -1 as waitpid(). */
pid_t next_tracee_status(int *status);
/* Gives a status back, for the next calls. */
void keep_tracee_status(pid_t id, int status);

/* Waits for the next stop of a thread; statuses of others are kept. `only`: its process
 * has no other thread, or it has not run yet; then nothing else is waited for. Returns
 * false if it has ended, of which the status is kept, or is not traced. */
bool wait_tracee_stop(pid_t thread, bool only, int *status, struct trouble *trouble);
/* Makes a stopped thread stop again with PTRACE_EVENT_STOP, before its next instruction;
 * `signal` is delivered to it. Signals that stop it meanwhile are delivered as well. */
bool stop_tracee_again(pid_t thread, bool only, int signal, int *status,
		       struct trouble *trouble);
/* The same of a thread that runs alone: the next status is nearly always its own. No
 * other thread can make it vanish without one, by running another program. `only`: its
 * process has no other thread. */
bool wait_lone_tracee_stop(pid_t thread, bool only, int *status, struct trouble *trouble);
/* Lets a stopped thread continue by a request of ptrace(), and delivers `signal`. */
bool continue_tracee(int request, pid_t thread, int signal, struct trouble *trouble);
/* Returns the signal of a signal-delivery-stop, or 0: an event, or the stop of the group.
 */
int delivered_tracee_signal(int status);

#endif
