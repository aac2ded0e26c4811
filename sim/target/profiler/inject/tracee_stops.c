/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for traced threads. */
#include "tracee_stops.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "pid_table.h"

enum { EVENT_SHIFT = 16 };

/* Statuses that have been waited for too early, in their order: of a process as a whole,
 * as waitpid(). */
struct kept_status {
	struct pid_entry entry;
	int status;
	struct kept_status *before, *after;
};
static struct pid_table kept;
static struct kept_status *first_kept, *last_kept;

void keep_tracee_status(pid_t id, int status)
{
	struct kept_status *new = malloc(sizeof(*new));

	/* Without memory the thread is lost, and stays stopped until this process ends.
	 */
	if (!new || !add_pid_entry(&kept, &new->entry, id)) {
		free(new);
		return;
	}
	new->status = status;
	new->before = last_kept;
	new->after = NULL;
	*(last_kept ? &last_kept->after : &first_kept) = new;
	last_kept = new;
}

static void forget_kept(struct kept_status *found)
{
	*(found->before ? &found->before->after : &first_kept) = found->after;
	*(found->after ? &found->after->before : &last_kept) = found->before;
	remove_pid_entry(&kept, &found->entry);
	free(found);
}

/* Returns the id of the first status that is kept, of `id`, or if that is 0 of any; or 0.
 */
static pid_t take_kept_status(pid_t id, int *status)
{
	struct kept_status *found = first_kept;

	if (id) {
		struct pid_entry *entry = find_pid_entry(&kept, id);

		found = entry
			    ? (struct kept_status *)(void *)((char *)entry -
							     offsetof(struct kept_status,
								      entry))
			    : NULL;
	}
	if (!found)
		return 0;
	id = found->entry.id;
	*status = found->status;
	forget_kept(found);
	return id;
}

static bool wait_only_tracee(pid_t id, int *status)
{
	pid_t got;

	do
		got = waitpid(id, status, __WALL);
	while (got < 0 && errno == EINTR);
	return got > 0;
}

bool take_stop(pid_t id, int *status)
{
	return take_kept_status(id, status) != 0;
}

pid_t wait_any_tracee(pid_t id, int *status)
{
	pid_t got = take_kept_status(id, status);

	if (!got)
		got = waitpid(id, status, __WALL | WNOHANG);
	while (got == 0 || (got < 0 && errno == EINTR))
		got = waitpid(-1, status, __WALL);
	return got;
}

/* The kernel looks through all tracees for the next status of any, but not for one's. */
static bool wait_tracee_status(pid_t id, bool only, int *status)
{
	pid_t got;

	if (only)
		return take_kept_status(id, status) || wait_only_tracee(id, status);
	while ((got = wait_any_tracee(id, status)) != id) {
		if (got < 0)
			return false;
		keep_tracee_status(got, *status);
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

bool wait_tracee_stop(pid_t thread, bool only, int *status, struct trouble *trouble)
{
	if (!wait_tracee_status(thread, only, status))
		return tell_trouble(trouble, "process %d: %s", (int)thread,
				    strerror(errno));
	return is_stop(thread, *status, trouble);
}

bool wait_lone_tracee_stop(pid_t thread, bool only, int *status, struct trouble *trouble)
{
	pid_t got;

	while ((got = waitpid(only ? thread : -1, status, __WALL)) != thread) {
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

bool stop_tracee_again(pid_t thread, bool only, int signal, int *status,
		       struct trouble *trouble)
{
	do {
		/* Any stop ends what the last PTRACE_INTERRUPT was for. */
		if (ptrace(PTRACE_INTERRUPT, thread, 0, 0) < 0)
			return tell_trouble(trouble, "process %d: %s", (int)thread,
					    strerror(errno));
		if (!continue_tracee(PTRACE_CONT, thread, signal, trouble) ||
		    !wait_tracee_stop(thread, only, status, trouble))
			return false;
		signal = delivered_tracee_signal(*status);
	} while (*status >> EVENT_SHIFT != PTRACE_EVENT_STOP);
	return true;
}
