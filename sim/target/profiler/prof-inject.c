/* SPDX-License-Identifier: Apache-2.0 */
/* prof-inject: counts the calls of a program while it runs. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command_line.h"
#include "inject/inject.h"
#include "inject/process_maps.h"
#include "inject/tracee_stops.h"

static const char inject_usage[] =
    "usage: prof-inject [-g] FOLDER PROGRAM [ARGUMENT...]\n"
    "       prof-inject [-g] FOLDER -i PID\n"
    "       prof-inject -d PID\n"
    "Count the calls of a program's functions while it runs.\n";

enum {
	SIGNALLED = 128,
	NOT_RUN = 127,
	TRACER_TRIES = 100000,
	TRACER_PAUSE = 100000 /* ns */
};

static struct prof_command command = {"prof-inject", inject_usage, NULL,
				      .in_order = true};

static void tell_line(const char *text)
{
	prof_warn_user(&command, "%s", text);
}

/* --- events */

/* Takes a signal. SIGTERM ends the tracing of the process that its value names, as
 * end_tracing() asks for, or without `child` of all. Other signals that somebody sends
 * are for `child`; those of the terminal have reached it already. */
static void take_signal(struct injector *injector, const siginfo_t *signal, pid_t child,
			bool *all)
{
	bool is_request = signal->si_signo == SIGTERM && signal->si_code == SI_QUEUE &&
			  injector &&
			  follows_process(injector, signal->si_value.sival_int);

	if (is_request)
		release_process(injector, signal->si_value.sival_int);
	else if (child && signal->si_code <= 0)
		kill(child, signal->si_signo);
	else if (signal->si_signo == SIGTERM)
		*all = true;
}

/* Follows processes until `child` has ended, or, without one, until none is traced.
 * Returns the wait status of `child`. */
static int follow_processes(struct injector **injector, pid_t child,
			    const sigset_t *waits)
{
	int status;
	pid_t id;
	bool all = false;
	siginfo_t signal;

	for (;;) {
		while ((id = next_tracee_status(&status)) > 0) {
			if (*injector)
				take_process_event(*injector, id, status);
			if (id == child && !WIFSTOPPED(status))
				return status;
		}
		if (*injector && (all || (!child && count_processes(*injector) == 0))) {
			free_injector(*injector);
			*injector = NULL;
		}
		if (!child && !*injector)
			return 0;
		int number = sigwaitinfo(waits, &signal);

		if (number > 0 && number != SIGCHLD)
			take_signal(*injector, &signal, child, &all);
	}
}

/* --- a program */

/* What a program inherits from the shell, not from prof-inject. */
struct inherited {
	sigset_t mask;
	struct sigaction pipe;
};

static void keep_inherited(struct inherited *own)
{
	sigprocmask(SIG_BLOCK, NULL, &own->mask);
	sigaction(SIGPIPE, NULL, &own->pipe);
}

/* Runs the program when the injector is ready, or has been killed. */
static _Noreturn void run_program(char **argv, int ready, int failure,
				  const struct inherited *inherited)
{
	char byte;

	while (read(ready, &byte, 1) < 0 && errno == EINTR)
		;
	sigaction(SIGPIPE, &inherited->pipe, NULL);
	sigprocmask(SIG_SETMASK, &inherited->mask, NULL);
	execvp(argv[0], argv);
	int cause = errno;

	if (write(failure, &cause, sizeof(cause)) != (ssize_t)sizeof(cause))
		_exit(PROF_EXIT_TROUBLE);
	_exit(NOT_RUN);
}

static int shell_exit_status(int status, const char *program, int failure)
{
	int cause;

	if (read(failure, &cause, sizeof(cause)) == (ssize_t)sizeof(cause))
		prof_end_with(&command, "%s: %s", program, strerror(cause));
	return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

static int profile_program(struct injector *injector, char **argv,
			   const struct inherited *inherited, const sigset_t *waits)
{
	struct trouble trouble = {{0}};
	int ready[2], failure[2];

	if (pipe2(ready, O_CLOEXEC) < 0 || pipe2(failure, O_CLOEXEC) < 0)
		prof_end_with(&command, "%s", strerror(errno));
	pid_t child = fork();

	if (child < 0)
		prof_end_with(&command, "%s", strerror(errno));
	if (child == 0) {
		close(ready[1]);
		run_program(argv, ready[0], failure[1], inherited);
	}
	if (!adopt_process(injector, child, &trouble))
		tell_line(trouble.text);
	close(ready[0]);
	close(ready[1]);
	close(failure[1]);
	int status = follow_processes(&injector, child, waits);

	if (injector)
		free_injector(injector);
	return shell_exit_status(status, argv[0], failure[0]);
}

/* --- a process that runs */

static pid_t parse_pid(const char *text)
{
	char *end;
	long pid = strtol(text, &end, 10);

	if (*end || end == text || pid <= 0 || pid > INT_MAX)
		prof_end_with(&command, "%s: not the number of a process", text);
	return (pid_t)pid;
}

static int profile_process(struct injector *injector, pid_t pid, const sigset_t *waits)
{
	struct trouble trouble = {{0}};

	if (!attach_process(injector, pid, &trouble))
		prof_end_with(&command, "%s", trouble.text);
	follow_processes(&injector, 0, waits);
	return PROF_EXIT_DONE;
}

static bool is_injector(pid_t pid)
{
	char path[64];
	size_t size;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	char *name = read_whole_file(AT_FDCWD, path, &size);
	bool is = name && strcmp(name, "prof-inject\n") == 0;

	free(name);
	return is;
}

/* Asks the injector that traces a process to let it go. */
static bool end_tracing(pid_t pid, struct trouble *trouble)
{
	pid_t tracer = 0;

	for (int i = 0; i < TRACER_TRIES; i++) {
		if (!read_process_tracer(pid, &tracer, trouble))
			return false;
		if (!tracer)
			return true;
		if (!is_injector(tracer))
			break;
		if (i == 0 &&
		    sigqueue(tracer, SIGTERM, (union sigval){.sival_int = pid}) < 0)
			break;
		nanosleep(&(struct timespec){.tv_nsec = TRACER_PAUSE}, NULL);
	}
	return tell_trouble(trouble, "process %d is traced by process %d", (int)pid,
			    (int)tracer);
}

static int end_profiling(pid_t pid)
{
	struct trouble trouble = {{0}};

	if (!end_tracing(pid, &trouble) || !remove_from_process(pid, &trouble))
		prof_end_with(&command, "%s", trouble.text);
	return PROF_EXIT_DONE;
}

/* --- */

static struct injector *open_folder(const char *folder, bool global)
{
	char *path = realpath(folder, NULL);
	struct injector *injector =
	    make_injector(path ? path : folder, global, tell_line);

	free(path);
	if (!injector)
		prof_end_with(&command, "out of memory");
	return injector;
}

/* Signals that follow_processes() waits for; with a program also those that it gets. */
static void block_waited(sigset_t *waits, bool has_program)
{
	static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};

	sigemptyset(waits);
	sigaddset(waits, SIGCHLD);
	sigaddset(waits, SIGTERM);
	for (unsigned i = 0; has_program && i < sizeof(passed) / sizeof(*passed); i++)
		sigaddset(waits, passed[i]);
	sigprocmask(SIG_BLOCK, waits, NULL);
}

int main(int argc, char **argv)
{
	bool global = false;
	const char *attach = NULL, *detach = NULL;
	const struct prof_option options[] = {
	    {"global", 'g', .flag = &global,
	     .help = "count in the counters of all processes"},
	    {"inject", 'i', .argument = "PID", .text = &attach,
	     .help = "count the calls of a running process"},
	    {"detach", 'd', .argument = "PID", .text = &detach,
	     .help = "stop counting those of a process"},
	    {0}};
	struct inherited inherited;
	sigset_t waits;

	command.options = options;
	keep_inherited(&inherited);
	prof_parse_options(&command, argc, argv);
	const char *folder = optind < argc && !detach ? argv[optind++] : NULL;

	if (folder)
		prof_parse_options(&command, argc, argv);
	if ((detach && (folder || attach)) || (!detach && !folder) ||
	    (attach || detach) != (optind == argc))
		prof_end_with(&command,
			      "a folder and a program are expected, or -i or -d alone");
	if (detach)
		return end_profiling(parse_pid(detach));
	pid_t pid = attach ? parse_pid(attach) : 0;
	struct injector *injector = open_folder(folder, global);

	block_waited(&waits, !pid);
	return pid ? profile_process(injector, pid, &waits)
		   : profile_program(injector, argv + optind, &inherited, &waits);
}
