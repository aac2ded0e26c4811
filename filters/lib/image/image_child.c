/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a function in a child process with limits, and collects its result. */
#include "image/image_child.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fuzzed.h"

enum { EXIT_NO_MEMORY = 3, EXIT_NO_LIMITS = 4, EXIT_NO_OUTPUT = 5 };
enum { RESULT_FD = 3, READ_BYTES = 1 << 16 };

/* Returns the address space in use in bytes, or 0 if the system does not report it. */
static uint64_t address_space(void)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file)
		return 0;
	if (fscanf(file, "%llu", &pages) != 1)
		pages = 0;
	fclose(file);
	return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Closes all files but `fd`, which becomes RESULT_FD, and opens /dev/null. Returns false
 * on failure. */
static bool keep_only(int fd)
{
	int null = open("/dev/null", O_RDWR);
	int result = fcntl(fd, F_DUPFD, RESULT_FD + 1);
	if (null < 0 || result < 0 || dup2(result, RESULT_FD) < 0)
		return false;
	/* Sanitizers report on standard error. */
	for (int i = 0; i < RESULT_FD; i++)
		if (!(TR_IS_FUZZED && i == STDERR_FILENO) && dup2(null, i) < 0)
			return false;
	return close_range(RESULT_FD + 1, ~0U, 0) == 0;
}

static bool confine_child(const struct image_child_limits *limits, uint64_t in_use)
{
	static const int signals[] = {SIGALRM, SIGABRT, SIGSEGV, SIGBUS,
				      SIGFPE,  SIGILL,	SIGXCPU};
	const struct rlimit no_core = {0, 0};
	const struct rlimit time = {limits->cpu_seconds, limits->cpu_seconds + 1};
	struct rlimit space = {RLIM_INFINITY, RLIM_INFINITY};
	sigset_t none;
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(limits->seconds);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	setrlimit(RLIMIT_CPU, &time);
	if (in_use == 0)
		return true;
	/* Never raises an existing limit. */
	getrlimit(RLIMIT_AS, &space);
	if (space.rlim_cur > in_use + limits->memory)
		space.rlim_cur = in_use + limits->memory;
	if (space.rlim_max > in_use + limits->memory)
		space.rlim_max = in_use + limits->memory;
	return setrlimit(RLIMIT_AS, &space) == 0;
}

static bool write_child_result(int fd, const uint8_t *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

_Noreturn static void run_child(void (*work)(void *context, struct tr_buffer *out),
				void *context, const struct image_child_limits *limits,
				int fd)
{
	struct tr_buffer out = {0};
	if (!confine_child(limits, address_space()) || !keep_only(fd))
		_exit(EXIT_NO_LIMITS);
	work(context, &out);
	if (out.failed)
		_exit(EXIT_NO_MEMORY);
	_exit(write_child_result(RESULT_FD, out.data, out.size) ? 0 : EXIT_NO_OUTPUT);
}

/* Reads the child's output to its end. Returns false when it exceeds `most`, or on
 * failure. */
static bool read_child_result(int fd, uint64_t most, struct tr_buffer *out)
{
	for (;;) {
		uint8_t *room = tr_buffer_room(out, READ_BYTES);
		ssize_t n = room ? read(fd, room, READ_BYTES) : -1;
		if (n < 0 && room && errno == EINTR)
			continue;
		if (n < 0 || out->size + (size_t)n > most)
			return false;
		if (n == 0)
			return true;
		out->size += (size_t)n;
	}
}

/* Describes the memory limit that was hit: the user's or this module's. */
static void describe_memory(struct image_child *child)
{
	struct rlimit space;
	uint64_t in_use = address_space();
	bool is_users = getrlimit(RLIMIT_AS, &space) == 0 &&
			space.rlim_cur != RLIM_INFINITY &&
			space.rlim_cur < in_use + child->limits.memory;
	if (is_users)
		snprintf(child->problem, sizeof(child->problem),
			 "out of memory: the limit is %" PRIu64 " KiB (ulimit -v)",
			 (uint64_t)space.rlim_cur >> 10);
	else
		snprintf(child->problem, sizeof(child->problem), "out of memory");
}

static bool judge_child_status(int wait_status, struct image_child *child)
{
	char *problem = child->problem;
	size_t size = sizeof(child->problem);
	/* Sanitizers exit by SIGABRT. */
	if (TR_IS_FUZZED && WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGABRT)
		abort();
	if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGALRM)
		snprintf(problem, size, "no answer within %u s", child->limits.seconds);
	else if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGXCPU)
		snprintf(problem, size, "no answer after %u s of work",
			 child->limits.cpu_seconds);
	else if (WIFSIGNALED(wait_status))
		snprintf(problem, size, "killed by signal %d", WTERMSIG(wait_status));
	else if (WEXITSTATUS(wait_status) == EXIT_NO_MEMORY)
		describe_memory(child);
	else if (WEXITSTATUS(wait_status) == EXIT_NO_LIMITS)
		snprintf(problem, size, "cannot limit itself");
	else if (WEXITSTATUS(wait_status) == EXIT_NO_OUTPUT)
		snprintf(problem, size, "cannot write its answer");
	else if (WEXITSTATUS(wait_status) != 0)
		snprintf(problem, size, "exit status %d", WEXITSTATUS(wait_status));
	else
		return true;
	return false;
}

void tr_image_child_start(struct image_child *child,
			  void (*work)(void *context, struct tr_buffer *out),
			  void *context, const struct image_child_limits *limits)
{
	int ends[2];
	*child = (struct image_child){.fd = -1, .limits = *limits};
	if (pipe2(ends, O_CLOEXEC) != 0) {
		snprintf(child->problem, sizeof(child->problem), "no pipe: %s",
			 strerror(errno));
		return;
	}
	child->pid = fork();
	if (child->pid == 0)
		run_child(work, context, limits, ends[1]);
	if (child->pid < 0)
		snprintf(child->problem, sizeof(child->problem), "no process: %s",
			 strerror(errno));
	else
		child->fd = ends[0];
	close(ends[1]);
	if (child->pid < 0)
		close(ends[0]);
}

bool tr_image_child_finish(struct image_child *child, struct tr_buffer *out)
{
	int wait_status = 0;
	if (child->fd < 0)
		return false;
	bool whole = read_child_result(child->fd, child->limits.most_bytes, out);
	close(child->fd);
	if (!whole)
		kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	child->fd = -1;
	if (whole)
		return judge_child_status(wait_status, child);
	snprintf(child->problem, sizeof(child->problem), "result too large");
	return false;
}
