/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/growing_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	PART_BYTES = 1 << 16,
	PAUSE_NS = 50000000 /* before the file is looked at again */
};

struct tr_growing_file {
	const char *folder;
	int fd, pipe[2];
	pthread_t thread;
	uint64_t size; /* of what was copied; read after the end of the pipe */
	volatile sig_atomic_t is_stopped;
	uint8_t part[PART_BYTES];
};

bool tr_is_profiling(const char *folder)
{
	const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const bool is_locked =
	    fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	if (fd >= 0)
		close(fd);
	return is_locked;
}

static bool write_part(const struct tr_growing_file *g, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t written = write(g->pipe[1], g->part + done, size - done);
		if (written < 0 && errno != EINTR)
			return false;
		done += written < 0 ? 0 : (size_t)written;
	}
	return true;
}

static bool is_removed(const struct tr_growing_file *g)
{
	struct stat st;
	return fstat(g->fd, &st) < 0 || !st.st_nlink;
}

/* What was written before tr-profile ended is read after its end is seen. */
static void *copy_file(void *context)
{
	struct tr_growing_file *g = context;
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	bool has_ended = false;
	off_t at = 0;
	while (!g->is_stopped) {
		const ssize_t got = pread(g->fd, g->part, PART_BYTES, at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || (got == 0 && has_ended) ||
		    (got > 0 && !write_part(g, (size_t)got)))
			break;
		at += got;
		if (got)
			continue;
		has_ended = !tr_is_profiling(g->folder) || is_removed(g);
		nanosleep(&pause, NULL);
	}
	g->size = (uint64_t)at;
	close(g->pipe[1]);
	return NULL;
}

struct tr_growing_file *tr_growing_file_open(const char *folder, int fd)
{
	struct tr_growing_file *g = calloc(1, sizeof(*g));
	sigset_t all, former;
	if (!g)
		return NULL;
	g->folder = folder;
	g->fd = fd;
	if (pipe2(g->pipe, O_CLOEXEC) == 0) {
		/* Signals are for the program's own thread. */
		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &former);
		const int failed = pthread_create(&g->thread, NULL, copy_file, g);
		pthread_sigmask(SIG_SETMASK, &former, NULL);
		if (!failed)
			return g;
		close(g->pipe[0]);
		close(g->pipe[1]);
	}
	free(g);
	return NULL;
}

int tr_growing_file_pipe(const struct tr_growing_file *g)
{
	return g->pipe[0];
}

uint64_t tr_growing_file_size(const struct tr_growing_file *g)
{
	return g->size;
}

void tr_growing_file_stop(struct tr_growing_file *g)
{
	g->is_stopped = 1;
}

void tr_growing_file_close(struct tr_growing_file *g)
{
	if (!g)
		return;
	tr_growing_file_stop(g);
	/* The thread may wait for room in the pipe. */
	close(g->pipe[0]);
	pthread_join(g->thread, NULL);
	free(g);
}
