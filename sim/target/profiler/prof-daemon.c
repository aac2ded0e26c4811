/* SPDX-License-Identifier: Apache-2.0 */
/* prof-daemon: logs what is hot now, of all programs that prof-extract knows. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>

#include "command_line.h"
#include "daemon/daemon.h"

static const char daemon_usage[] =
    "usage: prof-daemon [-f] CONFIG\n"
    "Count the calls and sample the time of running programs, and log both.\n";

static bool foreground;
static const struct prof_option options[] = {
    {"foreground", 'f', .flag = &foreground,
     .help = "stay in the foreground, and write messages to standard error"},
    {0}};
static const struct prof_command command = {"prof-daemon", daemon_usage, options, false};

static bool has_standard_error = true;

static void tell_line(const char *text)
{
	if (has_standard_error)
		prof_warn_user(&command, "%s", text);
	else
		syslog(LOG_WARNING, "%s", text);
}

/* Files that are opened later must not have the numbers of the standard ones, which
 * leave_terminal() replaces. */
static void open_standard_files(void)
{
	int file;

	do
		file = open("/dev/null", O_RDWR);
	while (file >= 0 && file <= STDERR_FILENO);
	if (file > STDERR_FILENO)
		close(file);
}

/* Continues in a child, and returns the end of a pipe at which the parent waits: the
 * daemon is ready when it writes a byte. */
static int leave_foreground(void)
{
	int ready[2];
	char byte;

	if (pipe2(ready, O_CLOEXEC) < 0)
		prof_end_with(&command, "%s", strerror(errno));
	pid_t child = fork();

	if (child < 0)
		prof_end_with(&command, "%s", strerror(errno));
	if (child > 0) {
		close(ready[1]);
		_exit(read(ready[0], &byte, 1) == 1 ? PROF_EXIT_DONE : PROF_EXIT_TROUBLE);
	}
	close(ready[0]);
	setsid();
	return ready[1];
}

/* From now on messages go to the system's log. */
static void leave_terminal(int ready)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	openlog("prof-daemon", LOG_PID, LOG_DAEMON);
	has_standard_error = false;
	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	if (write(ready, "", 1) < 0)
		syslog(LOG_WARNING, "nobody waits for the daemon");
	close(ready);
	if (chdir("/") < 0)
		syslog(LOG_WARNING, "/: %s", strerror(errno));
}

int main(int argc, char **argv)
{
	struct trouble trouble = {{0}};

	open_standard_files();
	prof_parse_options(&command, argc, argv);
	if (argc - optind != 1)
		prof_end_with(&command, "one configuration file is expected");
	char *path = realpath(argv[optind], NULL);

	if (!path)
		prof_end_with(&command, "%s: %s", argv[optind], strerror(errno));
	int ready = foreground ? -1 : leave_foreground();
	struct daemon *daemon = start_daemon(path, tell_line, &trouble);

	if (!daemon)
		prof_end_with(&command, "%s", trouble.text);
	if (!foreground)
		leave_terminal(ready);
	bool done = run_daemon(daemon);

	free_daemon(daemon);
	free(path);
	return done ? PROF_EXIT_DONE : PROF_EXIT_TROUBLE;
}
