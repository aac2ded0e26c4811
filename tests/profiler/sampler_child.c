/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and files of sampler_check. */
#include "sampler_child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define PROGRAM	    "/bin/sampler_check"
#define STAMPS_FILE "/tmp/stamps"

enum { TEXT = 4096 };

uint64_t read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

void spin_for(uint64_t ns)
{
	uint64_t end = read_clock() + ns;

	while (read_clock() < end)
		spin(100);
}

void sleep_for(uint64_t ns)
{
	struct timespec time = {.tv_sec = (time_t)(ns / SECOND),
				.tv_nsec = (long)(ns % SECOND)};

	while (nanosleep(&time, &time) < 0)
		CHECK(errno == EINTR);
}

static int open_file(const char *file, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/profiler/%s", file);
	return open(path, flags | O_CLOEXEC);
}

int write_file(const char *file, const char *text)
{
	int fd = open_file(file, O_WRONLY);

	CHECK(fd >= 0);
	ssize_t done = write(fd, text, strlen(text));
	int error = done < 0 ? errno : 0;

	CHECK(error || done == (ssize_t)strlen(text));
	close(fd);
	return error;
}

const char *read_file(const char *file)
{
	static char text[TEXT];
	int fd = open_file(file, O_RDONLY);

	CHECK(fd >= 0);
	ssize_t size = read(fd, text, sizeof(text) - 1);

	CHECK(size >= 0);
	text[size] = '\0';
	close(fd);
	return text;
}

void set_rate(const char *rate)
{
	CHECK(write_file("rate", rate) == 0);
}

int register_self(void)
{
	int daemon = open_file("daemon", O_RDWR);
	char text[16];
	sigset_t sigio;

	/* It would end the process. */
	sigemptyset(&sigio);
	sigaddset(&sigio, SIGIO);
	sigprocmask(SIG_BLOCK, &sigio, NULL);

	CHECK(daemon >= 0);
	int length = snprintf(text, sizeof(text), "%d\n", getpid());

	if (write(daemon, text, (size_t)length) == length)
		return daemon;
	int error = errno;

	close(daemon);
	return -error;
}

size_t read_notices(int daemon, struct prof_notice *notices, size_t room)
{
	ssize_t size = read(daemon, notices, room * sizeof(*notices));

	CHECK(size > 0 || (size < 0 && errno == EAGAIN));
	CHECK(size < 0 || (size_t)size % sizeof(*notices) == 0);
	return size > 0 ? (size_t)size / sizeof(*notices) : 0;
}

unsigned wait_for_notice(int daemon, struct prof_notice *notice)
{
	uint64_t end = read_clock() + 100 * MS;

	while (read_clock() < end) {
		if (read_notices(daemon, notice, 1))
			return notice->kind;
		sleep_for(MS / 10);
	}
	return 0;
}

void wait_for_kind(int daemon, unsigned kind, struct prof_notice *notice)
{
	unsigned found;

	do {
		found = wait_for_notice(daemon, notice);
		CHECK(found);
	} while (found != kind);
}

size_t read_samples(struct prof_sample *samples, size_t room)
{
	static int fd = -1;

	if (fd < 0)
		fd = open_file("samples", O_RDONLY);
	ssize_t size = read(fd, samples, room * sizeof(*samples));

	CHECK(size > 0 || (size < 0 && errno == EAGAIN));
	CHECK(size < 0 || (size_t)size % sizeof(*samples) == 0);
	return size > 0 ? (size_t)size / sizeof(*samples) : 0;
}

pid_t start_program(const char *first, const char *second)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		execl(PROGRAM, PROGRAM, AS_CHILD, first, second, NULL);
		_exit(127);
	}
	return pid;
}

void end_process(pid_t pid)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static uint64_t *map_stamps(void)
{
	static uint64_t *stamps;
	int fd;

	if (stamps)
		return stamps;
	fd = open(STAMPS_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && ftruncate(fd, STAMPS * sizeof(*stamps)) == 0);
	stamps = mmap(NULL, STAMPS * sizeof(*stamps), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	CHECK(stamps != MAP_FAILED);
	close(fd);
	return stamps;
}

void clear_stamps(void)
{
	memset(map_stamps(), 0, STAMPS * sizeof(uint64_t));
}

uint64_t read_stamp(unsigned number)
{
	return ((volatile uint64_t *)map_stamps())[number];
}

int run_as_child(const char *first, const char *second)
{
	if (strcmp(first, "again") == 0) {
		execl(PROGRAM, PROGRAM, AS_CHILD, "stamp", second, NULL);
		return 127;
	}
	if (strcmp(first, "stamp") == 0)
		map_stamps()[atoi(second)] = read_clock();
	return 0;
}
