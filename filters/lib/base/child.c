/* SPDX-License-Identifier: Apache-2.0 */
/* Starts, signals and ends tr-capture's simulator. */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/status.h"

enum { PIPE_BYTES = 1 << 20, CANNOT_EXECUTE = 127 };

/* State shared with the signal handlers. */
static volatile sig_atomic_t child; /* 0 without a child */
static volatile sig_atomic_t interrupted;
static int nothing = -1; /* /dev/null */

static void end_input(void)
{
	dup2(nothing, STDIN_FILENO);
}

static void stop_child_on_signal(int number)
{
	int error = errno;
	bool again = tr_interrupt_again(number);
	interrupted = 1;
	if (child && again) {
		kill((pid_t)child, SIGKILL);
		end_input();
	} else if (child) {
		kill((pid_t)child, SIGTERM);
		alarm(TR_CHILD_GRACE);
	} else {
		end_input();
	}
	errno = error;
}

/* Other processes may hold the pipe open, so the input ends with the child. */
static void on_alarm(int number)
{
	int error = errno;
	(void)number;
	if (child)
		kill((pid_t)child, SIGKILL);
	end_input();
	errno = error;
}

int tr_child_catch_signals(void)
{
	nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	/* A blocked read must return when the input ends, hence no SA_RESTART. */
	struct sigaction alarm_action = {.sa_handler = on_alarm};
	sigemptyset(&alarm_action.sa_mask);
	if (nothing < 0 || tr_interrupt_catch(stop_child_on_signal, false))
		return TR_E_IO;
	return sigaction(SIGALRM, &alarm_action, NULL) ? TR_E_IO : TR_OK;
}

bool tr_child_interrupted(void)
{
	return interrupted != 0;
}

/* Child side. The pipe `report` carries errno if exec fails and closes if it succeeds. */
static _Noreturn void exec_traced_command(char *const *command, int trace, int report,
					  bool quiet_stdout, const sigset_t *before)
{
	char number[16];
	tr_interrupt_reset(before);
	snprintf(number, sizeof(number), "%d", trace);
	signal(SIGPIPE, SIG_DFL);
	if ((!quiet_stdout || dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) &&
	    fcntl(trace, F_SETFD, 0) == 0 && setenv("TR_CAPTURE_FD", number, 1) == 0)
		execvp(command[0], command);
	int error = errno;
	_exit(write(report, &error, sizeof(error)) < 0 ? CANNOT_EXECUTE + 1
						       : CANNOT_EXECUTE);
}

/* Parent side: waits until the child has called exec. Returns TR_OK, or TR_E_IO with
 * exec's errno. */
static int await_execution(int report, pid_t pid)
{
	int error = 0;
	ssize_t n;
	do
		n = read(report, &error, sizeof(error));
	while (n < 0 && errno == EINTR);
	if (n != sizeof(error))
		return TR_OK;
	child = 0;
	waitpid(pid, NULL, 0);
	errno = error;
	return TR_E_IO;
}

static int adopt_traced_child(pid_t pid, int trace, int report, const sigset_t *before)
{
	child = pid;
	sigprocmask(SIG_SETMASK, before, NULL);
	int status = await_execution(report, pid);
	if (!status && dup2(trace, STDIN_FILENO) < 0)
		status = TR_E_IO;
	return status;
}

int tr_child_start(char *const *command, bool quiet_stdout)
{
	int trace[2], report[2];
	if (pipe2(trace, O_CLOEXEC) != 0)
		return TR_E_IO;
	if (pipe2(report, O_CLOEXEC) != 0) {
		close(trace[0]);
		close(trace[1]);
		return TR_E_IO;
	}
	(void)fcntl(trace[1], F_SETPIPE_SZ, PIPE_BYTES); /* best effort, for speed */
	/* A signal that comes before `child` is set would not reach it. */
	sigset_t before;
	tr_interrupt_block(&before);
	pid_t pid = fork();
	if (pid == 0)
		exec_traced_command(command, trace[1], report[1], quiet_stdout, &before);
	close(trace[1]);
	close(report[1]);
	int status = TR_E_IO, error = errno;
	if (pid < 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
	} else {
		status = adopt_traced_child(pid, trace[0], report[0], &before);
		error = errno;
	}
	close(trace[0]);
	close(report[0]);
	errno = error;
	return status;
}

int tr_child_wait(void)
{
	int status = 0;
	pid_t pid = (pid_t)child;
	while (pid && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	child = 0;
	return status;
}

/* Keeps reading so that the simulator can complete its stream; the alarm bounds this. */
void tr_child_stop(void)
{
	char nowhere[4096];
	ssize_t n;
	if (!child)
		return;
	kill((pid_t)child, SIGTERM);
	alarm(TR_CHILD_GRACE);
	do
		n = read(STDIN_FILENO, nowhere, sizeof(nowhere));
	while (n > 0 || (n < 0 && errno == EINTR));
	tr_child_wait();
	alarm(0);
}
