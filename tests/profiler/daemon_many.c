/* SPDX-License-Identifier: Apache-2.0 */
/* Many processes at once, and one after the other. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon_cases.h"
#include "daemon_runs.h"
#include "target/profiler/counts_files.h"

enum {
	PROCESSES = 1000,
	TURNS = 64,
	FLOOD = 10000,
	SNAPSHOTS = 5,
	/* Bytes of the daemon: a megabyte, and for each function, process and snapshot.
	 */
	DAEMON_BYTES = 1 << 20,
	FUNCTION_BYTES = 24
};

/* What the daemon has in memory, in bytes. */
static uint64_t read_memory(void)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)daemon_pid);
	const char *line = strstr(read_text(path, 0), "RssAnon:");

	CHECK(line);
	return strtoul(line + strlen("RssAnon:"), NULL, 10) * 1024;
}

static unsigned count_functions(pid_t pid)
{
	struct prof_counts_file file;
	struct prof_trouble trouble;

	CHECK(prof_read_counts(AT_FDCWD, counts_path(pid), &file, &trouble));
	unsigned count = file.shared.functions;

	prof_free_counts(&file);
	return count;
}

/* Each has its file and its log, with its own calls. */
void try_thousand(void)
{
	static pid_t pids[PROCESSES];
	struct prof_span span;

	write_config(FOLDER, "snapshot-period = 100 ms\nspan = 500 ms\n");
	start_daemon();
	holds_victims = true;
	for (unsigned i = 0; i < PROCESSES; i++)
		pids[i] = start_victim(i % 2 ? VICTIM : OTHER, "plain", i, TURNS + i, 0);
	holds_victims = false;
	AWAIT(count_files() == PROCESSES);
	release_slots(0, PROCESSES);
	for (unsigned i = 0; i < PROCESSES; i++)
		AWAIT(board[i].stopped);
	for (unsigned i = 0; i < PROCESSES; i++)
		check_calls(pids[i], TURNS + i);
	for (unsigned i = 0; i < PROCESSES; i += 97)
		CHECK(read_log(pids[i], &span) <= TURNS + i);
	uint64_t most = DAEMON_BYTES + (uint64_t)FUNCTION_BYTES * PROCESSES *
					   count_functions(pids[0]) * (SNAPSHOTS + 1);

	CHECK(read_memory() <= most);
	for (unsigned i = 0; i < PROCESSES; i++)
		kill(pids[i], SIGTERM);
	for (unsigned i = 0; i < PROCESSES; i++)
		CHECK(end_run(pids[i]) == VICTIM_STATUS && !board[i].wrong);
	uint64_t ended = now_us();

	AWAIT(count_files() == 0);
	CHECK(now_us() - ended < 2 * 100000);
	usleep(100000);
	CHECK(read_memory() <= DAEMON_BYTES);
	end_daemon();
}

/* Programs begin one after the other as fast as they can, with and without files: none is
 * missed. */
void try_flood(void)
{
	enum { SLOT = 8, AT_ONCE = 16 };
	char *none[] = {"/bin/busybox", "true", NULL};
	struct prof_span span;
	pid_t pids[AT_ONCE];

	write_config(FOLDER, "");
	start_daemon();
	pid_t victim = start_victim(VICTIM, "threads", 0, 0, 2);

	for (unsigned i = 0; i < FLOOD; i += AT_ONCE) {
		for (unsigned k = 0; k < AT_ONCE; k++)
			if (k) {
				pids[k] = fork();
				if (pids[k] == 0) {
					execv(none[0], none);
					_exit(1);
				}
			} else {
				pids[k] = start_victim(OTHER, "plain", SLOT, TURNS, 0);
			}
		AWAIT(board[SLOT].stopped);
		check_calls(pids[0], TURNS);
		kill(pids[0], SIGTERM);
		for (unsigned k = 0; k < AT_ONCE; k++)
			CHECK(end_run(pids[k]) == (k ? 0 : VICTIM_STATUS));
	}
	CHECK(read_log(victim, &span) > 0);
	finish_victim(victim, 0, 3);
	AWAIT(count_files() == 0);
	CHECK(read_memory() <= DAEMON_BYTES);
	end_daemon();
}
