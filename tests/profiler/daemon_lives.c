/* SPDX-License-Identifier: Apache-2.0 */
/* What can happen to a process that is profiled, and sums over processes. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "copied_file.h"
#include "daemon_cases.h"
#include "daemon_runs.h"

#define INJECT "/bin/prof-inject"
#define COPY   "/tmp/daemon_victim"

enum { FORKS = 200, FORK_TURNS = 50 };

static void copy_program(const char *from, const char *to)
{
	copy_file(from, to, -1, -1);
	CHECK(chmod(to, 0755) == 0);
}

/* A program that is killed, replaced on disk or deleted while it is profiled. */
void try_ends(void)
{
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "threads", 0, 0, 2);

	await_turns(2, 200);
	kill(victim, SIGKILL);
	CHECK(end_run(victim) == SIGNALLED + SIGKILL);
	AWAIT(!has_counts(victim));
	CHECK(rename(VICTIM, COPY) == 0);
	copy_program(COPY, VICTIM);
	CHECK(unlink(COPY) == 0);
	victim = start_victim(VICTIM, "plain", 0, 0, 0);
	await_turns(0, 200);
	CHECK(rename(VICTIM, COPY) == 0);
	copy_program(OTHER, VICTIM);
	await_turns(0, board[0].turns + 200);
	CHECK(read_log(victim, &span) > 0);
	CHECK(unlink(VICTIM) == 0);
	await_turns(0, board[0].turns + 200);
	CHECK(read_log(victim, &span) > 0);
	finish_victim(victim, 0, 1);
	/* The files are of another build. */
	copy_program(OTHER, VICTIM);
	victim = start_victim(VICTIM, "plain", 0, 0, 0);
	expect_line("injected.o: not the text of the program");
	await_turns(0, 200);
	CHECK(!has_counts(victim));
	end_victim(victim, 0, 1);
	CHECK(rename(COPY, VICTIM) == 0);
	end_daemon();
}

/* A program that executes itself counts on in the same file, one that executes another
 * program has another file; children have their own. */
void try_execs(void)
{
	write_config(FOLDER, "");
	start_daemon();
	for (unsigned i = 0; i < 20; i++) {
		pid_t victim = start_victim(VICTIM, "exec", 0, 100, 1);

		AWAIT(board[1].stopped);
		check_calls(victim, 200);
		finish_victim(victim, 0, 2);
		victim = start_victim(VICTIM, "other", 0, 100, 1);
		AWAIT(board[1].stopped);
		check_calls(victim, 100);
		CHECK(read_calls(victim, "an_other_one") == 100);
		finish_victim(victim, 1, 1);
		victim = start_victim(VICTIM, "vfork", 0, 100, 1);
		AWAIT(board[0].stopped && board[1].stopped);
		check_calls(victim, 100);
		check_calls((pid_t)board[1].pid, 100);
		kill((pid_t)board[1].pid, SIGTERM);
		finish_victim(victim, 0, 1);
	}
	AWAIT(count_files() == 0);
	end_daemon();
}

/* Processes of slots 0 to FORKS, which have taken their turns, have calls of their own.
 * Those that were attached to have a second file. */
static void check_family(pid_t victim, unsigned files)
{
	for (unsigned i = 0; i <= FORKS; i++)
		AWAIT(board[i].stopped);
	CHECK(count_files() == files);
	for (unsigned i = 0; i <= FORKS; i++)
		check_calls((pid_t)board[i].pid, FORK_TURNS);
	for (unsigned i = 1; i <= FORKS; i++)
		kill((pid_t)board[i].pid, SIGTERM);
	end_victim(victim, 0, FORKS + 1);
	AWAIT(count_files() == 0);
}

void try_forks(void)
{
	write_config(FOLDER, "");
	start_daemon();
	check_family(start_victim(VICTIM, "forks", 0, FORK_TURNS, FORKS), FORKS + 1);
	end_daemon();
}

/* A daemon that is late has the children that were forked before it followed their
 * parent. */
void try_late_forks(void)
{
	write_config(FOLDER, "");
	start_daemon();
	kill(daemon_pid, SIGSTOP);
	holds_victims = true;
	pid_t victim = start_victim(VICTIM, "forks", 0, FORK_TURNS, FORKS);

	holds_victims = false;
	for (unsigned i = 0; i <= FORKS; i++)
		AWAIT(board[i].held);
	kill(daemon_pid, SIGCONT);
	for (unsigned i = 0; i <= FORKS; i++)
		AWAIT(has_counts((pid_t)board[i].pid));
	release_slots(0, FORKS + 1);
	check_family(victim, 2 * (FORKS + 1));
	end_daemon();
}

/* --- other tracers */

static void release_traced(pid_t victim)
{
	int status;

	CHECK(ptrace(PTRACE_INTERRUPT, victim, 0, 0) == 0 &&
	      waitpid(victim, &status, 0) == victim &&
	      ptrace(PTRACE_DETACH, victim, 0, 0) == 0);
}

/* Starts a program that is traced before its first instruction. */
static pid_t start_traced(void)
{
	char *argv[] = {VICTIM, "plain", "1", "0", NULL};
	int begin[2];
	char byte;

	CHECK(pipe(begin) == 0);
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		CHECK(read(begin[0], &byte, 1) == 1);
		execv(VICTIM, argv);
		_exit(1);
	}
	CHECK(ptrace(PTRACE_SEIZE, pid, 0, 0) == 0);
	board[1] = (struct victim_slot){0};
	CHECK(write(begin[1], "", 1) == 1);
	close(begin[0]);
	close(begin[1]);
	return pid;
}

/* A process that a debugger traces is not profiled, and there is a line: it is traced
 * before the daemon begins, or before the program does. */
void try_debugger(void)
{
	char line[64];
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0), traced;

	write_config(FOLDER, "");
	await_turns(0, 100);
	CHECK(ptrace(PTRACE_SEIZE, victim, 0, 0) == 0);
	start_daemon();
	snprintf(line, sizeof(line), "process %d is traced by process", (int)victim);
	expect_line(line);
	traced = start_traced();
	await_turns(1, 100);
	snprintf(line, sizeof(line), "process %d is traced by process", (int)traced);
	expect_line(line);
	CHECK(!has_counts(victim) && !has_counts(traced));
	/* Nothing tells the daemon when the debugger goes. */
	release_traced(victim);
	release_traced(traced);
	await_turns(0, board[0].turns + 200);
	await_turns(1, board[1].turns + 200);
	end_victim(victim, 0, 1);
	end_victim(traced, 1, 1);
	end_daemon();
}

/* A process of prof-inject is not the daemon's to trace, but has a log. */
void try_beside(void)
{
	char *argv[] = {INJECT, FOLDER, VICTIM, "plain", "0", "0", NULL};
	struct prof_span span;

	write_config(FOLDER, "");
	for (unsigned i = 0; i < 2; i++) {
		if (i)
			start_daemon();
		board[0] = (struct victim_slot){0};
		pid_t injector = start_run(argv, RUN_OUTPUT);

		await_turns(0, 200);
		if (!i)
			start_daemon();
		pid_t victim = (pid_t)board[0].pid;

		AWAIT(read_log(victim, &span) > 100 && span.samples > 0);
		stop_slots(0, 1);
		check_calls(victim, sum_turns(0, 1));
		kill(victim, SIGTERM);
		CHECK(end_run(injector) == VICTIM_STATUS);
		/* It is for the user of prof-inject. */
		usleep(3 * PERIOD);
		CHECK(unlink(counts_path(victim)) == 0);
		end_daemon();
	}
}

/* --- numbers that are used again */

static void set_pid_max(unsigned most)
{
	FILE *file = fopen("/proc/sys/kernel/pid_max", "w");

	CHECK(file && fprintf(file, "%u", most) > 0 && fclose(file) == 0);
}

/* Lets numbers come round, until the next one is `pid`. */
static void spend_numbers(pid_t pid)
{
	pid_t last;

	do {
		last = fork();
		if (last == 0)
			_exit(0);
		CHECK(last > 0 && end_run(last) == 0);
	} while (last != pid - 1);
}

/* One process after the other has the same number: the counts and samples of each are its
 * own. */
void try_reuse(void)
{
	enum { ROUNDS = 40, NUMBER = 310, MOST = 330, DEFAULT_MOST = 32768 };
	struct prof_span span;

	set_pid_max(MOST);
	write_config(FOLDER, "span = 1 s\n");
	start_daemon();
	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned turns = 64 + i;

		spend_numbers(NUMBER);
		pid_t victim =
		    start_victim(i % 4 < 2 ? VICTIM : OTHER, "plain", 0, turns, 0);

		CHECK(victim == NUMBER);
		AWAIT(board[0].stopped);
		check_calls(victim, turns);
		CHECK(read_log(victim, &span) == turns);
		CHECK(span.samples < 64);
		/* Its file may still be there when the next one begins. */
		end_victim(victim, 0, 1);
	}
	AWAIT(count_files() == 0);
	end_daemon();
	set_pid_max(DEFAULT_MOST);
}

/* --- sums */

/* Deterministic programs; two have functions of one name. */
static void run_programs(pid_t pids[4])
{
	unsigned slots[] = {0, 1, 4, 4 + FORKS + 1};
	unsigned counts[] = {0, 2, FORKS, 1};

	pids[0] = start_victim(VICTIM, "plain", slots[0], 1000, 0);
	pids[1] = start_victim(OTHER, "threads", slots[1], 700, 2);
	pids[2] = start_victim(VICTIM, "forks", slots[2], FORK_TURNS, FORKS);
	pids[3] = start_victim(OTHER, "exec", slots[3], 300, 1);
	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = slots[i]; k <= slots[i] + counts[i]; k++)
			AWAIT(board[k].stopped);
}

enum { SUM_SLOTS = 4 + FORKS + 3 };

static void end_programs(const pid_t pids[4])
{
	for (unsigned i = 1; i <= FORKS; i++)
		kill((pid_t)board[4 + i].pid, SIGTERM);
	for (unsigned i = 0; i < 4; i++) {
		kill(pids[i], SIGTERM);
		CHECK(end_run(pids[i]) == VICTIM_STATUS);
	}
}

static uint64_t sum_calls(const pid_t pids[4], const char *function)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 4; i++)
		sum += read_calls(pids[i], function);
	for (unsigned i = 1; i <= FORKS; i++)
		sum += read_calls((pid_t)board[4 + i].pid, function);
	return sum;
}

void try_sums(void)
{
	static const char *const functions[] = {"victim_turn", "victim_mix", "spin"};
	uint64_t process[3], global[3], before[3];
	struct prof_span span;
	pid_t pids[4];

	write_config(FOLDER, "");
	start_daemon();
	run_programs(pids);
	for (unsigned f = 0; f < 3; f++)
		process[f] = sum_calls(pids, functions[f]);
	CHECK(process[0] == sum_turns(0, SUM_SLOTS));
	end_programs(pids);
	AWAIT(count_files() == 0);
	end_daemon();

	write_config(FOLDER, "mode = global\nspan = 10 s\nsnapshot-period = 10 ms\n");
	start_daemon();
	for (unsigned f = 0; f < 3; f++) {
		before[f] = read_calls(0, functions[f]);
		before[f] = before[f] == NO_COUNTS ? 0 : before[f];
	}
	run_programs(pids);
	/* A span of all of their time. */
	CHECK(read_log(0, &span) == sum_turns(0, SUM_SLOTS));
	for (unsigned f = 0; f < 3; f++) {
		global[f] = read_calls(0, functions[f]) - before[f];
		CHECK(global[f] == process[f]);
	}
	end_programs(pids);
	end_daemon();
	CHECK(count_files() == 1 && unlink(counts_path(0)) == 0);
}
