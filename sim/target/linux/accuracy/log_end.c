/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program, and prints the log of all of it: before the program ends, it is kept in
 * exit() for SECONDS, until the daemon has taken a snapshot with its last samples.
 *
 *     log_end SECONDS PROGRAM [ARGUMENT...]
 *
 * The exit status is the program's. The daemon must not have to trace the program. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FAILED = 126 };

static void end_with(const char *what)
{
	perror(what);
	exit(FAILED);
}

/* Starts the program when a byte can be read: then it is traced. */
static pid_t start_program(char **argv, int begin)
{
	pid_t child = fork();
	char byte;

	if (child < 0)
		end_with("fork");
	if (child > 0)
		return child;
	if (read(begin, &byte, 1) == 1)
		execv(argv[0], argv);
	perror(argv[0]);
	_exit(FAILED);
}

static void print_log(pid_t process)
{
	char number[24];
	pid_t child;
	int status;

	snprintf(number, sizeof(number), "%d", (int)process);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		execl("/bin/prof-log", "prof-log", number, "-n", "1", "--csv",
		      (char *)NULL);
		_exit(FAILED);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		fputs("log_end: no log\n", stderr);
}

static bool is_ending(int status)
{
	return status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8);
}

/* Returns the signal of a stop that the process is to get. */
static int stop_signal(int status)
{
	return status >> 16 ? 0 : WSTOPSIG(status);
}

int main(int argc, char **argv)
{
	int status, begin[2];
	pid_t child;

	if (argc < 3)
		return FAILED;
	if (pipe(begin) != 0)
		end_with("pipe");
	child = start_program(argv + 2, begin[0]);
	if (ptrace(PTRACE_SEIZE, child, NULL, PTRACE_O_TRACEEXIT) != 0)
		end_with("ptrace");
	if (write(begin[1], "", 1) != 1)
		end_with("write");
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		if (is_ending(status)) {
			sleep((unsigned)atoi(argv[1]));
			print_log(child);
		}
		ptrace(PTRACE_CONT, child, NULL, stop_signal(status));
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILED;
}
