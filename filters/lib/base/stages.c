/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stages.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "base/words.h"

/* State of the handler: processes of the stages, 0 for one that has ended. */
static volatile sig_atomic_t running[TR_MAX_STAGES];
static volatile sig_atomic_t graceful, asked, ended_by;

/* Ends all stages. The first removes what is incomplete; the others read its output. */
static void end_stages(void)
{
	for (int i = TR_MAX_STAGES - 1; i >= 0; i--)
		if (running[i])
			kill((pid_t)running[i], i == 0 ? SIGTERM : SIGKILL);
}

static void end_stages_on_signal(int number)
{
	int error = errno;
	if (!graceful || number == SIGQUIT) {
		ended_by = number;
		end_stages();
	} else if (number != SIGINT) {
		asked = 1;
		if (running[0])
			kill((pid_t)running[0], SIGTERM);
	}
	errno = error;
}

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

static void catch_stage_signals(struct sigaction before[SIGNALS])
{
	struct sigaction action = {.sa_handler = end_stages_on_signal,
				   .sa_flags = SA_RESTART};
	for (size_t i = 0; i < SIGNALS; i++)
		sigaddset(&action.sa_mask, signals[i]);
	for (size_t i = 0; i < SIGNALS; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

static void restore_signals(const struct sigaction before[SIGNALS])
{
	for (size_t i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &before[i], NULL);
}

/* In the child: ignores what is sent to the whole process group, as a terminal and
 * timeout(1) do, and not for this stage. */
static void ignore_signals(const struct tr_stages *stages, size_t i)
{
	if (i < stages->graceful)
		return;
	signal(SIGINT, SIG_IGN);
	if (i > 0) {
		signal(SIGTERM, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
	}
}

/* In the child: replaces it by the program, or returns. */
static void exec_stage_program(char **command, const char *folder)
{
	char path[PATH_MAX];
	if (folder && !strchr(command[0], '/') &&
	    snprintf(path, sizeof(path), "%s/%s", folder, command[0]) < PATH_MAX &&
	    access(path, X_OK) == 0)
		execv(path, command);
	else
		execvp(command[0], command);
}

/* Adds the folder to the end of PATH, where a simulator is found. */
static void extend_path(const char *folder)
{
	const char *path = getenv("PATH");
	char *longer;
	if (!folder || asprintf(&longer, "%s:%s", path ? path : "", folder) < 0)
		return;
	setenv("PATH", path ? longer : folder, 1);
	free(longer);
}

/* Starts a stage between two descriptors. `exec_error` is a pipe that closes when the
 * program runs, or brings the error. Returns its process, or -1 with errno set. */
static pid_t start_stage(const struct tr_stages *stages, size_t i, int in, int out,
			 const struct sigaction before[SIGNALS])
{
	int exec_error[2], error = 0;
	if (pipe2(exec_error, O_CLOEXEC) < 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		restore_signals(before);
		signal(SIGPIPE, SIG_DFL);
		ignore_signals(stages, i);
		extend_path(stages->folder);
		if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
			exec_stage_program(stages->command[i], stages->folder);
		error = errno;
		_exit(write(exec_error[1], &error, sizeof(error)) == sizeof(error) ? 127
										   : 126);
	}
	if (child < 0)
		error = errno;
	close(exec_error[1]);
	if (child > 0 && read(exec_error[0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(child, NULL, 0);
		child = -1;
	}
	close(exec_error[0]);
	errno = error;
	return child;
}

/* Starts the stages. Returns how many run; all, unless errno is set. */
static size_t start_all(const struct tr_stages *stages, pid_t children[TR_MAX_STAGES],
			const struct sigaction before[SIGNALS])
{
	int in = stages->input;
	for (size_t i = 0; i < stages->count; i++) {
		int link[2] = {-1, stages->output ? stages->output : STDOUT_FILENO};
		bool last = i + 1 == stages->count;
		if (!last && pipe2(link, O_CLOEXEC) < 0)
			return i;
		children[i] = start_stage(stages, i, in, link[1], before);
		int error = errno;
		if (in != stages->input)
			close(in);
		if (!last)
			close(link[1]);
		if (children[i] < 0) {
			if (!last)
				close(link[0]);
			errno = error;
			return i;
		}
		running[i] = children[i];
		/* The signal came before this stage. */
		if (ended_by)
			end_stages();
		else if (asked && i == 0)
			kill(children[0], SIGTERM);
		in = link[0];
	}
	return stages->count;
}

int tr_stages_run(const struct tr_stages *stages, struct tr_stages_end *end,
		  size_t *failed)
{
	pid_t children[TR_MAX_STAGES];
	struct sigaction before[SIGNALS];
	asked = ended_by = 0;
	graceful = stages->graceful > 0;
	catch_stage_signals(before);
	size_t started = start_all(stages, children, before);
	int error = errno;
	if (started < stages->count)
		for (size_t i = 0; i < started; i++)
			kill(children[i], SIGTERM);
	for (size_t i = 0; i < started; i++) {
		while (waitpid(children[i], &end->status[i], 0) < 0 && errno == EINTR)
			;
		running[i] = 0;
	}
	restore_signals(before);
	end->signal = ended_by;
	errno = error;
	if (started == stages->count)
		return TR_OK;
	*failed = started;
	return TR_E_IO;
}

void tr_stages_print(const struct tr_stages *stages, FILE *out)
{
	for (size_t i = 0; i < stages->count; i++) {
		if (i > 0)
			fputs(" |\n    ", out);
		for (char **word = stages->command[i]; *word; word++) {
			if (word != stages->command[i])
				putc(' ', out);
			tr_word_print(*word, out);
		}
	}
	putc('\n', out);
}
