/* SPDX-License-Identifier: Apache-2.0 */
/* No room, no files, no memory; a clock that jumps, and a daemon that is stopped. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "daemon_cases.h"
#include "daemon_runs.h"

static void fill_run_folder(void)
{
	FILE *rest = fopen(RUN_FOLDER "/rest", "w");

	CHECK(rest);
	while (fputc('x', rest) != EOF && fflush(rest) == 0)
		;
	fclose(rest);
}

/* A child for whose counters there is no room counts in those of its parent. */
static void fork_into_full(void)
{
	pid_t family = start_victim(VICTIM, "family", 1, 0, 1);

	await_turns(1, 200);
	fill_run_folder();
	expect_line("counts in its parent's counters");
	await_turns(2, 200);
	pid_t child = (pid_t)board[2].pid;

	CHECK(!has_counts(child));
	stop_slots(1, 2);
	check_calls(family, sum_turns(1, 2));
	kill(child, SIGTERM);
	finish_victim(family, 1, 2);
	CHECK(unlink(RUN_FOLDER "/rest") == 0);
}

/* The run folder has no room for another file: one line for each program, which runs. */
void try_full(void)
{
	struct prof_span span;

	mkdir(RUN_FOLDER, 0755);
	CHECK(mount("none", RUN_FOLDER, "tmpfs", 0, "size=64k,mode=755") == 0);
	write_config(FOLDER, "");
	start_daemon();
	pid_t first = start_victim(VICTIM, "plain", 0, 0, 0);

	await_turns(0, 200);
	CHECK(read_log(first, &span) > 0);
	fill_run_folder();
	for (unsigned i = 0; i < 4; i++) {
		pid_t victim = start_victim(i % 2 ? VICTIM : OTHER, "threads", 1, 0, 2);

		expect_line("No space left on device");
		await_turns(3, 200);
		CHECK(!has_counts(victim));
		CHECK(read_log(first, &span) > 0);
		end_victim(victim, 1, 3);
	}
	CHECK(unlink(RUN_FOLDER "/rest") == 0);
	fork_into_full();
	finish_victim(first, 0, 1);
	end_daemon();
	CHECK(umount(RUN_FOLDER) == 0);
}

/* The daemon may open few files, so that some programs are not profiled. */
void try_few_files(void)
{
	enum { LEAST = 3, MOST = 24 };
	unsigned profiled = 0, failed = 0;

	write_config(FOLDER, "");
	start_daemon();
	for (unsigned most = LEAST; most < MOST; most++) {
		struct rlimit limit = {most, MOST};

		CHECK(prlimit(daemon_pid, RLIMIT_NOFILE, &limit, NULL) == 0);
		pid_t victim =
		    start_victim(most % 2 ? VICTIM : OTHER, "threads", 0, 0, 2);

		await_turns(0, 200);
		usleep(3 * PERIOD);
		stop_slots(0, 3);
		if (has_counts(victim)) {
			profiled++;
			check_calls(victim, sum_turns(0, 3));
		} else {
			failed++;
			expect_line("No file descriptors available");
		}
		end_victim(victim, 0, 3);
		usleep(2 * PERIOD);
	}
	CHECK(profiled && failed);
	AWAIT(count_files() == 0);
	end_daemon();
}

/* The daemon has no more memory for snapshots. */
void try_no_memory(void)
{
	static const struct rlimit none = {0, RLIM_INFINITY},
				   all = {RLIM_INFINITY, RLIM_INFINITY};
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t first = start_victim(VICTIM, "plain", 0, 0, 0);

	await_turns(0, 200);
	CHECK(read_log(first, &span) > 0);
	CHECK(prlimit(daemon_pid, RLIMIT_AS, &none, NULL) == 0);
	pid_t victim = start_victim(OTHER, "plain", 1, 0, 0);

	expect_line("Out of memory");
	await_turns(1, 200);
	CHECK(read_registered() == daemon_pid);
	CHECK(prlimit(daemon_pid, RLIMIT_AS, &all, NULL) == 0);
	end_victim(victim, 1, 1);
	victim = start_victim(OTHER, "plain", 1, 0, 0);
	await_turns(1, 200);
	CHECK(read_log(victim, &span) > 0);
	finish_victim(victim, 1, 1);
	finish_victim(first, 0, 1);
	end_daemon();
}

/* Times are those of CLOCK_MONOTONIC. */
void try_clock(void)
{
	static const long jumps[] = {1000000000, -500000000, 3600, -7200, -3};
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	await_turns(0, 200);
	usleep(200000);
	for (unsigned i = 0; i < sizeof(jumps) / sizeof(*jumps); i++) {
		struct timespec now;

		clock_gettime(CLOCK_REALTIME, &now);
		now.tv_sec += jumps[i];
		CHECK(now.tv_sec >= 0 && clock_settime(CLOCK_REALTIME, &now) == 0);
		for (unsigned k = 0; k < 5; k++) {
			uint64_t before = now_us() * 1000;

			CHECK(read_log(victim, &span) > 0);
			CHECK(span.time > before && span.time <= now_us() * 1000);
			CHECK(span.time - before < 3000 * PERIOD);
			CHECK(span.length >= 90000000 && span.length <= 130000000);
		}
	}
	finish_victim(victim, 0, 1);
	end_daemon();
}

/* Programs begin after 10 ms at most, while the daemon is stopped; the samples that had
 * no room are counted. Afterwards all goes on. */
void try_stopped(void)
{
	enum { HELD = 10000, SLACK = 3000 };
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "threads", 0, 0, 2);

	await_turns(2, 200);
	CHECK(read_log(victim, &span) > 0 && span.lost_samples == 0);
	kill(daemon_pid, SIGSTOP);
	for (unsigned i = 0; i < 20; i++) {
		uint64_t begin = now_us();
		pid_t new = start_victim(OTHER, "plain", 3, 100, 0);

		AWAIT(board[3].turns);
		CHECK(now_us() - begin < HELD + SLACK);
		end_victim(new, 3, 1);
	}
	/* Something that is sampled. */
	for (uint64_t begin = now_us(); now_us() < begin + 100000;)
		;
	await_turns(0, board[0].turns + 500);
	kill(daemon_pid, SIGCONT);
	AWAIT(read_log(victim, &span) > 0 && span.lost_samples > 0);
	pid_t new = start_victim(OTHER, "plain", 3, 100, 0);

	AWAIT(board[3].stopped);
	finish_victim(new, 3, 1);
	finish_victim(victim, 0, 3);
	AWAIT(count_files() == 0);
	end_daemon();
}
