/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration is read again while programs run. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "daemon_cases.h"
#include "daemon_runs.h"
#include "target/profiler/command_line.h"

enum { PLAIN, THREADED, FORKED = THREADED + 3, SLOTS_USED = FORKED + 4 };

static void reload(const char *folder, const char *more)
{
	write_config(folder, more);
	kill(daemon_pid, SIGHUP);
}

/* Programs with threads and children. */
enum { PIDS = 6 };
static pid_t pids[PIDS];

static void start_programs(void)
{
	pids[0] = start_victim(VICTIM, "plain", PLAIN, 0, 0);
	pids[1] = start_victim(OTHER, "threads", THREADED, 0, 2);
	pids[2] = start_victim(VICTIM, "forks", FORKED, 0, 3);
	for (unsigned i = 0; i < SLOTS_USED; i++)
		await_turns(i, 200);
	for (unsigned i = 0; i < 3; i++)
		pids[3 + i] = (pid_t)board[FORKED + 1 + i].pid;
}

static void end_programs(void)
{
	for (unsigned i = 0; i < 3; i++)
		kill(pids[3 + i], SIGTERM);
	for (unsigned i = 0; i < 3; i++) {
		kill(pids[i], SIGTERM);
		CHECK(end_run(pids[i]) == VICTIM_STATUS);
	}
}

/* What is counted, in all files. */
static uint64_t all_calls(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i <= PIDS; i++) {
		uint64_t calls = read_calls(i < PIDS ? pids[i] : 0, "victim_turn");

		sum += calls == NO_COUNTS ? 0 : calls;
	}
	return sum;
}

/* How many calls were made, and how many of them were not counted. */
static struct {
	uint64_t turns, missed;
} last;

static void look_at_counts(void)
{
	hold_slots(0, SLOTS_USED);
	last.turns = sum_turns(0, SLOTS_USED);
	last.missed = last.turns - all_calls();
	release_slots(0, SLOTS_USED);
}

/* Lets all take turns. Each call is counted. */
static void check_all_counted(void)
{
	uint64_t missed;

	look_at_counts();
	missed = last.missed;
	for (unsigned i = 0; i < SLOTS_USED; i++)
		await_turns(i, board[i].turns + 200);
	look_at_counts();
	CHECK(last.missed == missed);
}

enum mode { PROCESS, GLOBAL, SAMPLES, GLOBAL_SAMPLES };

/* All have logs, as the mode has them. */
static void await_logs(enum mode mode)
{
	struct prof_span span;
	uint64_t calls = 0;

	for (unsigned i = 0; i < PIDS; i++) {
		AWAIT((calls = read_log(mode & 1 ? 0 : pids[i], &span),
		       span.samples > 0 && (calls > 0) == (mode < SAMPLES)));
		CHECK(span.counted == (mode < SAMPLES));
	}
	expect_no_lines();
}

/* The daemon finds FOLDER if the configuration has none. */
static void link_default_folder(void)
{
	mkdir("/var", 0755);
	mkdir("/var/lib", 0755);
	CHECK(symlink(FOLDER, PROF_FOLDER) == 0);
}

void try_reload(void)
{
	static const struct {
		enum mode mode;
		const char *folder, *lines;
		bool keeps; /* the stubs of the mode before */
	} changes[] = {
	    {PROCESS, FOLDER, "rate = 1 kHz\nspan = 200 ms\nsnapshot-period = 20 ms\n",
	     true},
	    {PROCESS, COPIED, "", false},
	    {GLOBAL, FOLDER, "mode = global\n", false},
	    {GLOBAL, FOLDER, "mode = global\nsnapshot-period = 5 ms\n", true},
	    {PROCESS, FOLDER, "", false},
	    {PROCESS, NULL, "", true},
	    {SAMPLES, FOLDER, "calls = no\n", false},
	    {PROCESS, FOLDER, "calls = yes\n", false},
	    {GLOBAL, FOLDER, "mode = global\n", false},
	    {GLOBAL_SAMPLES, FOLDER, "mode = global\ncalls = no\n", false},
	    {PROCESS, FOLDER, "jitter = yes\n", false},
	};

	copy_extracted(VICTIM);
	copy_extracted(OTHER);
	link_default_folder();
	write_config(FOLDER, "");
	start_daemon();
	start_programs();
	look_at_counts();
	CHECK(last.missed == 0);
	for (unsigned i = 0; i < 5 * sizeof(changes) / sizeof(*changes); i++) {
		unsigned k = i % (sizeof(changes) / sizeof(*changes));
		uint64_t turns = last.turns, missed = last.missed;

		reload(changes[k].folder, changes[k].lines);
		await_logs(changes[k].mode);
		if (changes[k].mode >= SAMPLES)
			continue;
		look_at_counts();
		CHECK(last.missed - missed <=
		      (changes[k].keeps ? 0 : last.turns - turns));
		check_all_counted();
	}
	stop_slots(0, SLOTS_USED);
	end_programs();
	AWAIT(count_files() == 1);
	CHECK(unlink(counts_path(0)) == 0);
	end_daemon();
}

/* A configuration with a mistake changes nothing. */
void try_mistakes(void)
{
	static const struct {
		const char *lines, *message;
	} mistakes[] = {
	    {"mode = both\n", "/tmp/daemon.conf:6: mode: "},
	    {"rate = 0 Hz\n", "/tmp/daemon.conf:5: rate: "},
	    {"colour = red\n", "/tmp/daemon.conf:6: unknown key \"colour\""},
	    {"span = 1 ms\n", "/tmp/daemon.conf:5: span: shorter than snapshot-period"},
	    {"\n\ncalls\n", "/tmp/daemon.conf:8: not KEY = VALUE: calls"},
	};
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	await_turns(0, 200);
	usleep(200000);
	for (unsigned i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++) {
		reload(FOLDER, mistakes[i].lines);
		expect_line(mistakes[i].message);
		CHECK(read_log(victim, &span) > 0 && span.length > 90000000);
	}
	reload("/nowhere", "");
	expect_line("/tmp/daemon.conf:1: folder: ");
	/* Only the kernel knows how often it ticks. */
	reload(FOLDER, "rate = tick\nspan = 60 s\nsnapshot-period = 60 s\n"
		       "sampling-period = 60 s\n");
	expect_line("sampling-period: at 250 Hz more than 2048 samples");
	AWAIT(read_log(victim, &span) > 0 && span.length > 90000000 &&
	      span.length < 1000000000);
	CHECK(unlink(CONFIG) == 0);
	kill(daemon_pid, SIGHUP);
	expect_line("/tmp/daemon.conf: No such file");
	CHECK(read_log(victim, &span) > 0 && span.length > 90000000);
	finish_victim(victim, 0, 1);
	end_daemon();
}
