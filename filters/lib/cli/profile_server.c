/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/profile_server.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t tr_profile_server_start(const struct tr_cli *cli, const char *programs,
			      const char *output)
{
	char program[PATH_MAX + 16];
	const pid_t parent = getpid();
	snprintf(program, sizeof(program), "%s/tr-explore", programs);
	fflush(stdout);
	const pid_t server = fork();
	if (server < 0)
		tr_die(cli, "%s: %s", program, strerror(errno));
	if (server)
		return server;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent) /* it has ended before that */
		_exit(TR_EXIT_TROUBLE);
	execl(program, "tr-explore", "--", output, (char *)NULL);
	tr_warn(cli, "%s: %s", program, strerror(errno));
	_exit(TR_EXIT_TROUBLE);
}

/* Waits for its end, unless WNOHANG says not to. Returns true if it has ended. */
static bool has_ended(pid_t server, int options, int *status)
{
	int end = 0;
	pid_t found;
	while ((found = waitpid(server, &end, options)) < 0 && errno == EINTR)
		;
	*status = WIFEXITED(end) ? WEXITSTATUS(end) : TR_EXIT_TROUBLE;
	return found != 0;
}

int tr_profile_server_wait(pid_t server)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	sigset_t awaited;
	int number, status;
	sigemptyset(&awaited);
	sigaddset(&awaited, SIGCHLD);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sigaction action;
		sigaction(numbers[i], NULL, &action);
		if (action.sa_handler != SIG_IGN)
			sigaddset(&awaited, numbers[i]);
	}
	sigprocmask(SIG_BLOCK, &awaited, NULL);
	while (!has_ended(server, WNOHANG, &status)) {
		sigwait(&awaited, &number);
		if (number != SIGCHLD)
			kill(server, SIGTERM);
	}
	return status;
}

void tr_profile_server_stop(pid_t server)
{
	int status;
	kill(server, SIGTERM);
	has_ended(server, 0, &status);
}
