/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for traced threads. */
#include "tracee_stops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

enum { EVENT_SHIFT = 16 };

/* Statuses that have been waited for too early: of a process as a whole, as waitpid(). */
static struct kept_status {
	pid_t id;
	int status;
} * kept;
static size_t kept_count, kept_room;

void keep_tracee_status(pid_t id, int status)
{
	if (kept_count == kept_room) {
		size_t room = kept_room * 2 + 16;
		struct kept_status *more = realloc(kept, room * sizeof(*more));

		if (!more) /* the thread is lost, and stays stopped until this process
			      ends */
			return;
		kept = more;
		kept_room = room;
	}
	kept[kept_count++] = (struct kept_status){.id = id, .status = status};
}

/* Returns the id of the first status that is kept, of `id`, or if that is 0 of any; or 0.
 */
static pid_t take_kept_status(pid_t id, int *status)
{
	for (size_t i = 0; i < kept_count; i++) {
		struct kept_status found = kept[i];

		if (id && found.id != id)
			continue;
		memmove(&kept[i], &kept[i + 1], (--kept_count - i) * sizeof(*kept));
		*status = found.status;
		return found.id;
	}
	return 0;
}

bool wait_tracee_status(pid_t id, int *status)
{
	int other;

	while (!take_kept_status(id, status)) {
		pid_t got = waitpid(id, status, __WALL | WNOHANG);

		if (got != 0)
			return got > 0;
		got = waitpid(-1, &other, __WALL);
		if (got > 0)
			keep_tracee_status(got, other);
		else if (errno != EINTR)
			return false;
	}
	return true;
}

pid_t next_tracee_status(int *status)
{
	pid_t id = take_kept_status(0, status);

	return id ? id : waitpid(-1, status, __WALL | WNOHANG);
}

static bool is_stop(pid_t thread, int status, struct trouble *trouble)
{
	if (WIFSTOPPED(status))
		return true;
	keep_tracee_status(thread, status);
	return tell_trouble(trouble, "process %d has ended", (int)thread);
}

bool wait_tracee_stop(pid_t thread, int *status, struct trouble *trouble)
{
	if (!wait_tracee_status(thread, status))
		return tell_trouble(trouble, "process %d: %s", (int)thread,
				    strerror(errno));
	return is_stop(thread, *status, trouble);
}

/* The same of a thread that runs alone: the next status is nearly always its own. No
 * other thread can make it vanish without one, by running another program. */
bool wait_lone_tracee_stop(pid_t thread, int *status, struct trouble *trouble)
{
	pid_t got;

	while ((got = waitpid(-1, status, __WALL)) != thread) {
		if (got > 0)
			keep_tracee_status(got, *status);
		else if (errno != EINTR)
			return tell_trouble(trouble, "process %d: %s", (int)thread,
					    strerror(errno));
	}
	return is_stop(thread, *status, trouble);
}

bool continue_tracee(int request, pid_t thread, int signal, struct trouble *trouble)
{
	return ptrace(request, thread, 0, (long)signal) == 0 ||
	       tell_trouble(trouble, "process %d: %s", (int)thread, strerror(errno));
}

int delivered_tracee_signal(int status)
{
	return status >> EVENT_SHIFT ? 0 : WSTOPSIG(status) & 0x7f;
}

bool stop_tracee_again(pid_t thread, int signal, int *status, struct trouble *trouble)
{
	do {
		/* Any stop ends what the last PTRACE_INTERRUPT was for. */
		if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) < 0)
			return tell_trouble(trouble, "process %d: %s", (int)thread,
					    strerror(errno));
		if (!continue_tracee(PTRACE_CONT, thread, signal, trouble) ||
		    !wait_tracee_stop(thread, status, trouble))
			return false;
		signal = delivered_tracee_signal(*status);
	} while (*status >> EVENT_SHIFT != PTRACE_EVENT_STOP);
	return true;
}
