/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads logs: stopped at any point of a copy, and of processes that end. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "daemon_cases.h"
#include "daemon_runs.h"

enum {
	STOPS = 200,
	STOP_TIME = 4 * PERIOD,
	SLEEP_TURNS = 32, /* of daemon_victim.c, between two sleeps */
	TOLERANCE = 4	  /* sleeps */
};

/* --- a reader that is stopped */

static volatile sig_atomic_t stops;

/* The read that this interrupts has stopped for several periods: what it has copied was
 * overwritten. */
static void stop_reader(int number)
{
	(void)number;
	stops++;
	usleep(STOP_TIME);
}

static void start_stops(void)
{
	struct sigaction action = {.sa_handler = stop_reader, .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &action, NULL);
}

static void stop_soon(void)
{
	struct itimerval timer = {.it_value = {.tv_usec = 100 + draw(200)}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

/* A span in which these calls belong together. */
static bool is_whole(const struct prof_log *log, uint32_t turn, uint32_t sleeps)
{
	uint64_t turns = prof_get_calls(log, turn);
	uint64_t slept = prof_get_calls(log, sleeps) * SLEEP_TURNS;
	uint64_t apart = turns > slept ? turns - slept : slept - turns;

	return apart <= TOLERANCE * SLEEP_TURNS;
}

static _Noreturn void read_stopped(pid_t victim)
{
	struct prof_error error;
	struct prof_span span;
	struct prof_log *log = prof_open_process(victim, &error);
	unsigned whole = 0;

	CHECK(log);
	int64_t turn = prof_find_function(log, "victim_turn");
	int64_t sleeps = prof_find_function(log, "nanosleep");

	CHECK(turn >= 0 && sleeps >= 0);
	start_stops();
	while (stops < STOPS) {
		int before = stops;

		stop_soon();
		while (stops == before) {
			enum prof_read read = prof_read_span(log, &span);

			CHECK(read == PROF_READ_WHOLE || read == PROF_READ_TORN);
			whole += read == PROF_READ_WHOLE;
			CHECK(is_whole(log, (uint32_t)turn, (uint32_t)sleeps));
		}
	}
	CHECK(whole);
	prof_close_log(log);
	_exit(0);
}

/* The victim takes turns by fits and starts, so that spans are different. */
void try_reader(void)
{
	struct prof_span span;
	int status;

	write_config(FOLDER, "span = 20 ms\n");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	await_turns(0, 200);
	CHECK(read_log(victim, &span) > 0);
	pid_t reader = fork();

	CHECK(reader >= 0);
	if (reader == 0)
		read_stopped(victim);
	while (waitpid(reader, &status, WNOHANG) == 0) {
		hold_slots(0, 1);
		usleep(draw(40000));
		release_slots(0, 1);
		usleep(draw(40000));
	}
	CHECK(status == 0);
	finish_victim(victim, 0, 1);
	end_daemon();
}

/* --- prof-log */

static void expect_prof_log(const char *argument, int status, const char *error)
{
	char *argv[] = {"/bin/prof-log", (char *)argument, NULL};
	int found = run_whole(argv);
	const char *text = read_text(RUN_ERRORS, 0), *end = strchr(text, '\n');

	CHECK(found == status);
	CHECK(error ? strstr(text, error) && end && !end[1] : !*text);
}

static const char *number_of(pid_t pid)
{
	static char text[16];

	snprintf(text, sizeof(text), "%d", (int)pid);
	return text;
}

/* A process that ends while it is printed. */
static void print_ending(const char *count, int status)
{
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);
	struct prof_span span;

	await_turns(0, 200);
	CHECK(read_log(victim, &span) > 0);
	char *argv[] = {"/bin/prof-log", "--every", "10", (char *)number_of(victim), "-n",
			(char *)count,	 NULL};

	if (!count)
		argv[4] = NULL;
	pid_t printer = start_run(argv, RUN_OUTPUT);

	usleep(5 * PERIOD);
	finish_victim(victim, 0, 1);
	CHECK(end_run(printer) == status);
	CHECK(strstr(read_text(RUN_OUTPUT, 1), "victim_turn"));
}

void try_printed(void)
{
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	/* It has no log yet. */
	expect_prof_log(number_of(victim), 0, NULL);
	await_turns(0, 200);
	CHECK(read_log(victim, &span) > 0);
	expect_prof_log(number_of(victim), 0, NULL);
	CHECK(strstr(read_text(RUN_OUTPUT, 1), "victim_turn"));
	expect_prof_log(number_of(getpid()), TROUBLE, "not profiled");
	expect_prof_log("999999", TROUBLE, "there is no process");
	expect_prof_log("victim", TROUBLE, "victim");
	expect_prof_log("--global", TROUBLE, "no process is profiled globally");
	finish_victim(victim, 0, 1);
	expect_prof_log(number_of(victim), TROUBLE, "there is no process");
	print_ending(NULL, 0);
	print_ending("1000", TROUBLE);
	end_daemon();
}
