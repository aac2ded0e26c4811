/* SPDX-License-Identifier: Apache-2.0 */
#include "children.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_BYTES = 1 << 15 };

static void remove_process(struct children *c, unsigned at)
{
	struct child_process *p = &c->processes[at];
	struct child_result *result = &c->results[p->number];
	int status = 0;

	close(p->fd);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	result->ended = true;
	result->failed = status != 0 || result->bytes.failed || !result->bytes.size;
	*p = c->processes[--c->running];
}

/* Reads what has come from a child; removes it at the end of that. */
static void read_process(struct children *c, unsigned at)
{
	struct tr_buffer *bytes = &c->results[c->processes[at].number].bytes;
	uint8_t spare[PIPE_BYTES], *room = tr_buffer_room(bytes, PIPE_BYTES);
	const ssize_t size = read(c->processes[at].fd, room ? room : spare, PIPE_BYTES);

	if (size > 0 && room)
		bytes->size += (size_t)size;
	if (size == 0 || (size < 0 && errno != EINTR))
		remove_process(c, at);
}

static void wait_for_any(struct children *c)
{
	struct pollfd fds[CHILDREN_MAX];
	const unsigned n = c->running;

	for (unsigned i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = c->processes[i].fd, .events = POLLIN};
	if (poll(fds, n, -1) <= 0)
		return;
	/* From the last on, since a removal moves the last into its place. */
	for (unsigned i = n; i > 0; i--)
		if (fds[i - 1].revents)
			read_process(c, i - 1);
}

static void prepare_child(const struct children *c, pid_t parent)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_IGN);
	for (unsigned i = 0; i < c->running; i++)
		close(c->processes[i].fd);
}

long children_start(struct children *c, int *fd)
{
	int ends[2];
	const pid_t parent = getpid();

	while (c->running >= c->most)
		wait_for_any(c);
	if (!tr_grow(&c->results, &c->room, c->n + 1, sizeof(*c->results))) {
		errno = ENOMEM;
		return -1;
	}
	if (pipe(ends) != 0)
		return -1;
	const pid_t pid = fork();
	if (pid == 0) {
		close(ends[0]);
		prepare_child(c, parent);
		*fd = ends[1];
		return 0;
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return -1;
	}
	c->results[c->n] = (struct child_result){.ended = false};
	c->processes[c->running++] =
	    (struct child_process){.pid = pid, .fd = ends[0], .number = c->n};
	return (long)++c->n;
}

void children_leave(int fd, const struct tr_buffer *bytes)
{
	size_t done = 0;

	while (done < bytes->size) {
		const ssize_t size = write(fd, bytes->data + done, bytes->size - done);

		if (size < 0 && errno != EINTR)
			_exit(1);
		done += size > 0 ? (size_t)size : 0;
	}
	_exit(0);
}

void children_wait(struct children *c, size_t number)
{
	while (!c->results[number].ended)
		wait_for_any(c);
}

void children_free(struct children *c)
{
	for (unsigned i = 0; i < c->running; i++)
		kill(c->processes[i].pid, SIGKILL);
	while (c->running)
		remove_process(c, c->running - 1);
	for (size_t i = 0; i < c->n; i++)
		tr_buffer_free(&c->results[i].bytes);
	free(c->results);
	c->results = NULL;
	c->n = 0;
}
