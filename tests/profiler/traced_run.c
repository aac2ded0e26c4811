/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs for tests, with ptrace. */
#include "traced_run.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { SIGNALLED = 128, TEXT = 4096, A7 = 17 };

static void take_output(const char *output, int number)
{
	int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(file >= 0);
	dup2(file, number);
}

static pid_t start_child(char *const *argv, const char *output, bool traced)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid > 0)
		return pid;
	take_output(output, STDOUT_FILENO);
	take_output(RUN_ERRORS, STDERR_FILENO);
	if (traced) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
	}
	execv(argv[0], argv);
	_exit(127);
}

pid_t start_run(char *const *argv, const char *output)
{
	return start_child(argv, output, false);
}

static int status_number(int status)
{
	return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

int end_run(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		CHECK(errno == EINTR);
	return status_number(status);
}

int run_whole(char *const *argv)
{
	return end_run(start_run(argv, RUN_OUTPUT));
}

static uint64_t system_call(pid_t pid)
{
	uint64_t registers[32] = {0};
	struct iovec part = {registers, sizeof(registers)};

	ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &part);
	return registers[A7];
}

enum run_stop run_up_to(char *const *argv, unsigned point, unsigned waits, pid_t *pid)
{
	int status, signal = 0;
	unsigned stops = 0;

	*pid = start_child(argv, RUN_OUTPUT, true);
	CHECK(waitpid(*pid, &status, 0) == *pid && WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, *pid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC);
	for (;;) {
		ptrace(PTRACE_SYSCALL, *pid, 0, (long)signal);
		CHECK(waitpid(*pid, &status, 0) == *pid);
		if (!WIFSTOPPED(status))
			return RUN_ENDED;
		bool call = WSTOPSIG(status) == (SIGTRAP | 0x80);

		signal = call || status >> 16 ? 0 : WSTOPSIG(status);
		if (!call)
			continue;
		if (waits && system_call(*pid) == SYS_rt_sigtimedwait && --waits == 0)
			return RUN_WAITS;
		if (++stops == point)
			return RUN_STOPPED;
	}
}

void release_run(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, 0, 0);
}

void kill_run(pid_t pid)
{
	kill(pid, SIGKILL);
	CHECK(end_run(pid) == SIGNALLED + SIGKILL);
}

const char *read_text(const char *path, int slot)
{
	static char texts[2][TEXT];
	FILE *file = fopen(path, "r");
	size_t size = file ? fread(texts[slot], 1, TEXT - 1, file) : 0;

	texts[slot][size] = '\0';
	if (file)
		fclose(file);
	return texts[slot];
}
