/* SPDX-License-Identifier: Apache-2.0 */
/* Starts, ends and reads. */
#include "daemon_runs.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "copied_file.h"
#include "target/profiler/counts_files.h"

enum { TEXT = 16384, SETTLE = 3 * PERIOD, APART = 256 /* calls */ };

struct victim_slot *board;
bool holds_victims;
pid_t daemon_pid;

static void print_errors(void)
{
	static char text[TEXT];
	FILE *file = fopen(DAEMON_ERRORS, "r");
	size_t size = file ? fread(text, 1, sizeof(text), file) : 0;

	if (size)
		fprintf(stderr, "prof-daemon has said:\n%.*s", (int)size, text);
	if (file)
		fclose(file);
}

static void finish_test(void)
{
	int status;

	print_errors();
	if (daemon_pid && waitpid(daemon_pid, &status, WNOHANG) == daemon_pid)
		fprintf(stderr, "prof-daemon has ended: status 0x%x\n", (unsigned)status);
}

void start_test(void)
{
	CHECK((board = map_board()));
	atexit(finish_test);
}

uint64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

unsigned draw(unsigned below)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005 + 1442695040888963407;
	return (unsigned)(state >> 33) % below;
}

/* --- the daemon */

static const struct {
	const char *key, *value;
} defaults[] = {{"span", "100 ms"},
		{"snapshot-period", "10 ms"},
		{"sampling-period", "5 ms"},
		{"rate", "2 kHz"}};

void write_config(const char *folder, const char *more)
{
	FILE *file = fopen(CONFIG, "w");

	CHECK(file);
	if (folder)
		fprintf(file, "folder = %s\n", folder);
	for (unsigned i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if (!strstr(more, defaults[i].key))
			fprintf(file, "%s = %s\n", defaults[i].key, defaults[i].value);
	fputs(more, file);
	CHECK(fclose(file) == 0);
}

pid_t read_registered(void)
{
	return (pid_t)atoi(read_text("/proc/profiler/daemon", 1));
}

static long lines_taken;

void start_daemon(void)
{
	static char *argv[] = {DAEMON, "-f", CONFIG, NULL};

	lines_taken = 0;
	daemon_pid = fork();
	CHECK(daemon_pid >= 0);
	if (daemon_pid == 0) {
		CHECK(freopen(DAEMON_ERRORS, "w", stderr));
		execv(DAEMON, argv);
		_exit(1);
	}
	AWAIT(read_registered() == daemon_pid);
	usleep(2000);
}

void end_daemon(void)
{
	expect_no_lines();
	kill(daemon_pid, SIGTERM);
	CHECK(end_run(daemon_pid) == 0);
	daemon_pid = 0;
	expect_no_lines();
}

void kill_daemon(int number)
{
	kill(daemon_pid, number);
	CHECK(end_run(daemon_pid) == SIGNALLED + number);
	daemon_pid = 0;
}

/* Returns what was said since lines were taken. */
static const char *read_lines(unsigned *count)
{
	static char text[TEXT];
	FILE *file = fopen(DAEMON_ERRORS, "r");
	size_t size = 0;

	*count = 0;
	if (file && fseek(file, lines_taken, SEEK_SET) == 0)
		size = fread(text, 1, sizeof(text) - 1, file);
	if (file)
		fclose(file);
	text[size] = '\0';
	for (size_t i = 0; i < size; i++)
		*count += text[i] == '\n';
	return text;
}

const char *take_lines(unsigned count)
{
	unsigned lines = 0;
	const char *text = read_lines(&lines);

	for (unsigned tries = 0; lines < count && tries < AWAIT_TRIES; tries++) {
		usleep(AWAIT_STEP);
		text = read_lines(&lines);
	}
	usleep(SETTLE);
	text = read_lines(&lines);
	if (lines != count)
		fprintf(stderr, "%u lines instead of %u\n", lines, count);
	CHECK(lines == count);
	lines_taken += (long)strlen(text);
	return text;
}

const char *take_any_lines(void)
{
	unsigned lines;

	usleep(SETTLE);
	const char *text = read_lines(&lines);

	lines_taken += (long)strlen(text);
	return text;
}

void expect_line(const char *part)
{
	const char *text = take_lines(1);

	if (!strstr(text, part))
		fprintf(stderr, "\"%s\" is not in: %s", part, text);
	CHECK(strstr(text, part));
}

void expect_no_lines(void)
{
	unsigned lines;

	read_lines(&lines);
	CHECK(lines == 0);
}

/* --- victims */

pid_t start_victim(const char *program, const char *mode, unsigned slot, unsigned turns,
		   unsigned count)
{
	char numbers[3][16];
	unsigned values[] = {slot, turns, count};
	char *argv[] = {(char *)program, (char *)mode, numbers[0],
			numbers[1],	 numbers[2],   NULL};

	for (unsigned i = 0; i < 3; i++)
		snprintf(numbers[i], sizeof(numbers[i]), "%u", values[i]);
	for (unsigned i = 0; i <= count; i++)
		board[slot + i] = (struct victim_slot){.hold = holds_victims};
	pid_t pid = fork();

	CHECK(pid >= 0);
	if (pid == 0) {
		execv(program, argv);
		_exit(1);
	}
	return pid;
}

void stop_slots(unsigned slot, unsigned count)
{
	for (unsigned i = slot; i < slot + count; i++)
		board[i].stop = 1;
	for (unsigned i = slot; i < slot + count; i++)
		AWAIT(board[i].stopped);
}

void hold_slots(unsigned slot, unsigned count)
{
	for (unsigned i = slot; i < slot + count; i++)
		board[i].hold = 1;
	for (unsigned i = slot; i < slot + count; i++)
		AWAIT(board[i].held);
}

void release_slots(unsigned slot, unsigned count)
{
	for (unsigned i = slot; i < slot + count; i++)
		board[i].hold = 0;
	for (unsigned i = slot; i < slot + count; i++)
		AWAIT(!board[i].held);
}

void await_turns(unsigned slot, uint64_t turns)
{
	AWAIT(board[slot].turns >= turns);
}

uint64_t sum_turns(unsigned slot, unsigned count)
{
	uint64_t sum = 0;

	for (unsigned i = slot; i < slot + count; i++) {
		CHECK(!board[i].wrong);
		sum += board[i].turns;
	}
	return sum;
}

void end_victim(pid_t pid, unsigned slot, unsigned count)
{
	stop_slots(slot, count);
	sum_turns(slot, count);
	kill(pid, SIGTERM);
	CHECK(end_run(pid) == VICTIM_STATUS);
}

void finish_victim(pid_t pid, unsigned slot, unsigned count)
{
	stop_slots(slot, count);
	check_calls(pid, sum_turns(slot, count));
	end_victim(pid, slot, count);
	uint64_t ended = now_us();

	AWAIT(!has_counts(pid));
	CHECK(now_us() - ended < 2 * PERIOD + 2 * AWAIT_STEP);
}

/* --- counters */

const char *counts_path(pid_t pid)
{
	static char path[PATH_ROOM];

	snprintf(path, sizeof(path), RUN_FOLDER "/%05d.dat", (int)pid);
	return path;
}

bool has_counts(pid_t pid)
{
	return access(counts_path(pid), F_OK) == 0;
}

uint64_t read_calls(pid_t pid, const char *function)
{
	struct prof_counts_file file;
	struct prof_trouble trouble;
	uint64_t calls = NO_COUNTS;

	if (!prof_read_counts(AT_FDCWD, counts_path(pid), &file, &trouble))
		return NO_COUNTS;
	int64_t index = tr_shared_find(&file.shared, function);

	if (index >= 0)
		calls = tr_shared_calls(&file.shared, (uint32_t)index);
	prof_free_counts(&file);
	return calls;
}

void check_calls(pid_t pid, uint64_t turns)
{
	uint64_t have = read_calls(pid, "victim_turn"),
		 mixes = read_calls(pid, "victim_mix");

	if (have != turns || mixes != MIXES * turns)
		fprintf(stderr, "process %d: %lld turns, %lld mixes; %lld turns taken\n",
			(int)pid, (long long)have, (long long)mixes, (long long)turns);
	CHECK(have == turns && mixes == MIXES * turns);
}

unsigned count_files(void)
{
	DIR *run = opendir(RUN_FOLDER);
	unsigned count = 0;

	for (struct dirent *entry; run && (entry = readdir(run));)
		count += entry->d_name[0] != '.';
	if (run)
		closedir(run);
	return count;
}

uint64_t read_log(pid_t pid, struct prof_span *span)
{
	uint64_t begin = now_us() * 1000, calls = 0;
	struct prof_error error = {{0}};
	struct prof_log *log = NULL;

	AWAIT((log = pid ? prof_open_process(pid, &error) : prof_open_global(&error)));
	*span = (struct prof_span){0};
	AWAIT(prof_read_span(log, span) == PROF_READ_WHOLE && span->time > begin);
	int64_t index = prof_find_function(log, "victim_turn");

	CHECK(index >= 0);
	calls = prof_get_calls(log, (uint32_t)index);
	/* A snapshot loads one counter after the other, while the program runs on another
	 * hart. */
	uint64_t mixes =
	    prof_get_calls(log, (uint32_t)prof_find_function(log, "victim_mix"));

	CHECK(mixes + APART >= MIXES * calls && mixes <= MIXES * calls + APART);
	prof_close_log(log);
	return calls;
}

/* --- the files of prof-extract */

static const char *const extracted[] = {"data.bin",  "injected.o", "shmem.dat",
					"funcs.bin", "datag.bin",  "funcsg.bin"};
enum { EXTRACTED = sizeof(extracted) / sizeof(*extracted) };

void name_extracted(char path[PATH_ROOM], const char *folder, const char *program,
		    const char *file)
{
	snprintf(path, PATH_ROOM, "%s%s/%s", folder, program, file);
}

void copy_extracted(const char *program)
{
	char from[PATH_ROOM], to[PATH_ROOM];

	mkdir(COPIED, 0755);
	mkdir(COPIED "/bin", 0755);
	name_extracted(to, COPIED, program, "");
	mkdir(to, 0755);
	for (unsigned i = 0; i < EXTRACTED; i++) {
		name_extracted(from, FOLDER, program, extracted[i]);
		name_extracted(to, COPIED, program, extracted[i]);
		copy_file(from, to, -1, -1);
	}
	copy_file(FOLDER "/shmemg.dat", COPIED "/shmemg.dat", -1, -1);
}
