/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/linux_console.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_ROOM = 128, MARK_BYTE = 0x1e };

struct tr_linux_console {
	char mark[LINE_ROOM]; /* what the line begins with */
	int input, output;    /* of the pipe */
	FILE *file;
	pthread_t thread;
	/* Of the thread */
	char held[LINE_ROOM]; /* bytes that may be that line */
	size_t nheld;
	int status, error;
};

static void put_bytes(struct tr_linux_console *c, const char *data, size_t size)
{
	if (size == 0)
		return;
	if (fwrite(data, 1, size, c->file) != size && !c->error)
		c->error = errno;
	while (size > 0) {
		const ssize_t n = write(STDOUT_FILENO, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && !c->error)
			c->error = errno;
		if (n < 0)
			return;
		data += n;
		size -= (size_t)n;
	}
}

/* Takes the bytes that are held, if they are the whole line. */
static bool take_status(struct tr_linux_console *c)
{
	const size_t size = strlen(c->mark);
	char *end;
	c->held[c->nheld] = '\0';
	const unsigned long status = strtoul(c->held + size, &end, 10);
	if (c->nheld <= size || status > 255 || end == c->held + size ||
	    (strcmp(end, "\n") != 0 && strcmp(end, "\r\n") != 0))
		return false;
	c->status = (int)status;
	return true;
}

/* Passes on the bytes that were held. */
static void drop_line(struct tr_linux_console *c)
{
	put_bytes(c, c->held, c->nheld);
	c->nheld = 0;
}

/* Takes a byte that may be part of the line. Returns false if it is not; none is held
 * then. */
static bool hold_byte(struct tr_linux_console *c, char byte)
{
	const size_t size = strlen(c->mark);
	if (c->nheld + 1 >= sizeof(c->held) ||
	    (c->nheld < size && byte != c->mark[c->nheld])) {
		drop_line(c);
		return false;
	}
	c->held[c->nheld++] = byte;
	if (byte == '\n' && !take_status(c))
		drop_line(c);
	return true;
}

/* Passes bytes on, and looks for the line in them. */
static void take_bytes(struct tr_linux_console *c, const char *data, size_t size)
{
	for (size_t i = 0; i < size && c->status < 0;) {
		if (c->nheld == 0) {
			const char *mark = memchr(data + i, MARK_BYTE, size - i);
			const size_t plain = mark ? (size_t)(mark - data) : size;
			put_bytes(c, data + i, plain - i);
			i = plain;
		}
		if (i < size && hold_byte(c, data[i]))
			i++;
	}
}

static void *copy_console(void *argument)
{
	struct tr_linux_console *c = argument;
	char data[4096];
	for (;;) {
		const ssize_t size = read(c->output, data, sizeof(data));
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			break;
		take_bytes(c, data, (size_t)size);
	}
	if (c->status < 0)
		put_bytes(c, c->held, c->nheld);
	return NULL;
}

/* Starts the thread, which gets no signals. */
static int start_thread(struct tr_linux_console *c)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int error = pthread_create(&c->thread, NULL, copy_console, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

struct tr_linux_console *tr_linux_console_start(const char *mark, const char *path)
{
	struct tr_linux_console *c = calloc(1, sizeof(*c));
	int ends[2];
	if (!c)
		return NULL;
	c->status = -1;
	snprintf(c->mark, sizeof(c->mark), "%c%s ", MARK_BYTE, mark);
	c->file = fopen(path, "we");
	int error = !c->file || pipe2(ends, O_CLOEXEC) < 0 ? errno : 0;
	if (!error) {
		c->output = ends[0];
		c->input = ends[1];
		error = start_thread(c);
	}
	if (error) {
		free(c);
		errno = error;
		return NULL;
	}
	return c;
}

int tr_linux_console_input(const struct tr_linux_console *c)
{
	return c->input;
}

int tr_linux_console_finish(struct tr_linux_console *c, int *error)
{
	close(c->input);
	pthread_join(c->thread, NULL);
	close(c->output);
	if (fclose(c->file) != 0 && !c->error)
		c->error = errno;
	const int status = c->status;
	*error = c->error;
	free(c);
	return status;
}
