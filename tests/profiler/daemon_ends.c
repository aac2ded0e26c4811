/* SPDX-License-Identifier: Apache-2.0 */
/* Daemons that are killed or refused. Programs go on, and the next daemon counts on. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "daemon_cases.h"
#include "daemon_runs.h"

enum { KILLS = 200, THREADS = 2, CHILDREN = 12, SHORT_TURNS = 40 };

/* Programs that run meanwhile; slots of the crowd, and one for short programs. */
enum { PLAIN, THREADED, FAMILY = THREADED + THREADS + 1, CROWD = FAMILY + CHILDREN + 1 };
struct crowd {
	pid_t plain, threaded, family;
};

static void start_crowd(struct crowd *crowd)
{
	crowd->plain = start_victim(VICTIM, "plain", PLAIN, 0, 0);
	crowd->threaded = start_victim(VICTIM, "threads", THREADED, 0, THREADS);
	crowd->family = start_victim(OTHER, "family", FAMILY, 0, CHILDREN);
	await_turns(PLAIN, 200);
	await_turns(THREADED, 200);
	await_turns(FAMILY, 200);
	CHECK(has_counts(crowd->plain) && has_counts(crowd->threaded) &&
	      has_counts(crowd->family));
}

/* All goes on. */
static void check_crowd(void)
{
	uint64_t turns[CROWD];

	for (unsigned i = 0; i < CROWD; i++)
		turns[i] = board[i].turns;
	for (unsigned i = 0; i < CROWD; i++)
		if (turns[i])
			await_turns(i, turns[i] + 10);
}

/* Ends all, when a daemon has taken them over. What the children called while no daemon
 * was there was counted for their parent. */
static void finish_crowd(const struct crowd *crowd)
{
	pid_t children[CHILDREN];
	uint64_t calls;

	await_turns(FAMILY + CHILDREN, 200);
	for (unsigned i = 0; i < CHILDREN; i++) {
		children[i] = (pid_t)board[FAMILY + 1 + i].pid;
		AWAIT(has_counts(children[i]));
	}
	stop_slots(0, CROWD);
	calls = read_calls(crowd->family, "victim_turn");
	for (unsigned i = 0; i < CHILDREN; i++)
		calls += read_calls(children[i], "victim_turn");
	uint64_t turns = sum_turns(FAMILY, CHILDREN + 1);

	if (calls != turns)
		fprintf(stderr, "%lld calls, %lld turns\n", (long long)calls,
			(long long)turns);
	CHECK(calls == turns);
	for (unsigned i = 0; i < CHILDREN; i++)
		kill(children[i], SIGTERM);
	end_victim(crowd->family, FAMILY, CHILDREN + 1);
	finish_victim(crowd->threaded, THREADED, THREADS + 1);
	finish_victim(crowd->plain, PLAIN, 1);
}

void try_kills(void)
{
	static const char *const modes[] = {"plain", "exec", "other", "vfork"};
	struct crowd crowd;

	prctl(PR_SET_TIMERSLACK, 1);
	write_config(FOLDER, "snapshot-period = 1 ms\nsampling-period = 1 ms\n");
	start_daemon();
	start_crowd(&crowd);
	kill_daemon(SIGKILL);
	for (unsigned i = 0; i < KILLS; i++) {
		pid_t victim = 0;

		start_daemon();
		usleep(draw(4000));
		if (i % 2) {
			victim =
			    start_victim(VICTIM, modes[i / 2 % 4], CROWD, SHORT_TURNS, 1);
			usleep(draw(1500));
		}
		kill_daemon(SIGKILL);
		if (i % 3 == 0)
			check_crowd();
		if (!victim)
			continue;
		unsigned slot = i / 2 % 4 ? CROWD + 1 : CROWD;

		AWAIT(board[slot].stopped);
		if (i / 2 % 4 == 3) {
			AWAIT(board[CROWD].stopped);
			kill((pid_t)board[CROWD + 1].pid, SIGTERM);
		}
		kill(victim, SIGTERM);
		CHECK(end_run(victim) == VICTIM_STATUS);
		CHECK(!board[CROWD].wrong && !board[CROWD + 1].wrong);
	}
	start_daemon();
	finish_crowd(&crowd);
	AWAIT(count_files() == 0);
	end_daemon();
}

/* Whatever is sent to the daemon, programs go on, and it or the next one counts on. */
void try_signals(void)
{
	struct crowd crowd;

	write_config(FOLDER, "");
	start_daemon();
	start_crowd(&crowd);
	for (int number = 1; number < 65; number++) {
		int status;

		kill(daemon_pid, number);
		usleep(2000);
		if (waitpid(daemon_pid, &status, WNOHANG) == daemon_pid)
			start_daemon();
		kill(daemon_pid, SIGCONT);
		if (number % 4 == 0)
			check_crowd();
	}
	finish_crowd(&crowd);
	AWAIT(count_files() == 0);
	end_daemon();
}

/* --- refused */

static int run_daemon_as(bool user)
{
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		CHECK(freopen(RUN_ERRORS, "w", stderr));
		if (user)
			CHECK(setgid(USER) == 0 && setuid(USER) == 0);
		execl(DAEMON, DAEMON, "-f", CONFIG, (char *)NULL);
		_exit(1);
	}
	return end_run(pid);
}

static void check_refused(bool user, const char *text)
{
	CHECK(run_daemon_as(user) == TROUBLE);
	const char *errors = read_text(RUN_ERRORS, 0), *end = strchr(errors, '\n');

	CHECK(strstr(errors, text) && end && !end[1]);
}

/* It goes into the background, with fewer standard files than it expects. */
static void try_closed_files(int closed)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0) {
		for (int file = 0; file < closed; file++)
			close(STDERR_FILENO - file);
		execl(DAEMON, DAEMON, CONFIG, NULL);
		_exit(1);
	}
	CHECK(end_run(child) == 0);
	pid_t registered = read_registered();

	CHECK(registered > 0 && kill(registered, SIGTERM) == 0);
	AWAIT(read_registered() == 0);
}

void try_refused(void)
{
	char text[64];
	struct prof_span span;

	write_config(FOLDER, "");
	check_refused(true, "/proc/profiler/daemon: Permission denied");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	await_turns(0, 100);
	snprintf(text, sizeof(text), "process %d is the daemon already", (int)daemon_pid);
	for (unsigned i = 0; i < 10; i++) {
		check_refused(false, text);
		check_refused(true, "/proc/profiler/daemon: Permission denied");
		CHECK(read_log(victim, &span) > 0 && read_registered() == daemon_pid);
	}
	finish_victim(victim, 0, 1);
	end_daemon();
	AWAIT(read_registered() == 0);
	for (int closed = 1; closed <= 3; closed++)
		try_closed_files(closed);
}
