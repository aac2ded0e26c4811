/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the logs of the run-time profiler at random moments, and gives what it has seen
 *to whoever traces the machine. It knows the files by prof-files(5) alone.
 *
 *	log_reader FOLDER MOMENTS MEAN SEED
 *	log_reader FOLDER all
 *
 * It has the highest priority, so that the moments are its own, not those of a scheduler.
 * With `all` it reads each of the files once. Else it waits for FOLDER, and ends when
 *MOMENTS logs were whole. The moments are up to twice MEAN microseconds apart. At each
 *one it writes to standard output, which is /dev/null, "clock", a line feed, two zeros,
 *and CLOCK_MONOTONIC in 8 bytes of nanoseconds. Then, of one of the files in FOLDER, a
 *line and the current buffer:
 *
 *	log FILE RESULT SIZE
 *
 * RESULT is whole, torn (it was being overwritten each time) or empty (never written).
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	FILES = 512,
	NAME = 32,
	LINE = 128,
	TRIES = 8,
	CLOCKS = 64,
	THOUSAND = 1000,
	BILLION = 1000000000
};
enum { INDEX_AT = 48, BUFFERS_AT = 56, SIZE_AT = 64 };

struct read_log {
	char name[NAME];
	const uint8_t *bytes; /* NULL: cannot be mapped */
	size_t size;
	bool is_there;
};

static struct read_log logs[FILES];
static uint64_t state;

static uint64_t random_number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void fail_reading(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t load_number(const uint8_t *bytes, uint64_t at)
{
	uint64_t value;

	memcpy(&value, bytes + at, sizeof(value));
	return value;
}

static uint64_t load_shared(const uint8_t *bytes, uint64_t at)
{
	return __atomic_load_n((const uint64_t *)__builtin_assume_aligned(bytes + at, 8),
			       __ATOMIC_RELAXED);
}

static void map_log(struct read_log *log, const char *name)
{
	struct stat about;
	int file = open(name, O_RDONLY);

	*log = (struct read_log){.is_there = true};
	strcpy(log->name, name);
	if (file < 0)
		return;
	if (fstat(file, &about) != 0)
		fail_reading(name);
	log->size = (size_t)about.st_size;
	void *bytes = mmap(NULL, log->size, PROT_READ, MAP_SHARED, file, 0);
	log->bytes = bytes == MAP_FAILED ? NULL : bytes;
	close(file);
}

static void find_log(const char *name)
{
	struct read_log *room = NULL;
	size_t length = strlen(name);

	if (length < 4 || length >= NAME || strcmp(name + length - 4, ".dat") != 0)
		return;
	for (size_t i = 0; i < FILES; i++) {
		if (strcmp(logs[i].name, name) == 0) {
			logs[i].is_there = true;
			return;
		}
		if (!logs[i].name[0] && !room)
			room = &logs[i];
	}
	if (room)
		map_log(room, name);
}

/* Maps what is new in the folder, and forgets what is gone. */
static void find_logs(DIR *folder)
{
	struct dirent *entry;

	for (size_t i = 0; i < FILES; i++)
		logs[i].is_there = false;
	rewinddir(folder);
	while ((entry = readdir(folder)))
		find_log(entry->d_name);
	for (size_t i = 0; i < FILES; i++) {
		if (!logs[i].name[0] || logs[i].is_there)
			continue;
		if (logs[i].bytes)
			munmap((void *)(uintptr_t)logs[i].bytes, logs[i].size);
		logs[i].name[0] = '\0';
	}
}

/* Copies the current buffer. Returns whether nobody wrote to it meanwhile. */
static bool copy_buffer(const struct read_log *log, uint8_t *copy, uint64_t size)
{
	uint64_t index = load_shared(log->bytes, load_number(log->bytes, INDEX_AT));
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	uint64_t at = load_number(log->bytes, BUFFERS_AT) + index * size;
	uint64_t before = load_shared(log->bytes, at);

	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (uint64_t i = 0; i < size; i += 8) {
		uint64_t value = load_shared(log->bytes, at + i);
		memcpy(copy + i, &value, sizeof(value));
	}
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return before % 2 == 0 && load_shared(log->bytes, at) == before;
}

/* Returns whether it was whole. */
static bool give_log(const struct read_log *log)
{
	uint64_t size = load_number(log->bytes, SIZE_AT);
	uint8_t *message = malloc(LINE + size), *copy = message + LINE;
	bool whole = false;

	if (!message)
		fail_reading(log->name);
	memset(message, 0, LINE);
	for (int i = 0; i < TRIES && !whole; i++)
		whole = copy_buffer(log, copy, size);
	int length = snprintf((char *)message, LINE, "log %s %s %" PRIu64 "\n", log->name,
			      !whole		     ? "torn"
			      : load_number(copy, 0) ? "whole"
						     : "empty",
			      size);
	whole = whole && load_number(copy, 0);
	memmove(message + length, copy, size);
	if (write(STDOUT_FILENO, message, (size_t)length + size) !=
	    (ssize_t)((size_t)length + size))
		fail_reading("write");
	free(message);
	return whole;
}

/* Returns whether it was whole. */
static bool give_any_log(void)
{
	const struct read_log *mapped[FILES];
	size_t count = 0;

	for (size_t i = 0; i < FILES; i++)
		if (logs[i].name[0] && logs[i].bytes)
			mapped[count++] = &logs[i];
	return count && give_log(mapped[random_number() % count]);
}

static void give_time(void)
{
	struct {
		char name[8];
		uint64_t time;
	} message = {.name = "clock\n"};
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	message.time = (uint64_t)now.tv_sec * BILLION + (uint64_t)now.tv_nsec;
	if (write(STDOUT_FILENO, &message, sizeof(message)) != sizeof(message))
		fail_reading("write");
}

static void give_all_logs(DIR *folder)
{
	/* The least of many distances from the trace's time counts. */
	for (int i = 0; i < CLOCKS; i++)
		give_time();
	find_logs(folder);
	for (size_t i = 0; i < FILES; i++)
		if (logs[i].name[0] && logs[i].bytes)
			give_log(&logs[i]);
}

static void give_logs_at_random(DIR *folder, long moments, uint64_t mean)
{
	while (moments > 0) {
		struct timespec delay = {
		    .tv_nsec = (long)(random_number() % (2 * mean * THOUSAND))};
		nanosleep(&delay, NULL);
		give_time();
		find_logs(folder);
		if (give_any_log())
			moments--;
	}
}

int main(int argc, char **argv)
{
	bool all = argc == 3 && strcmp(argv[2], "all") == 0;
	DIR *folder = NULL;

	if (!all && argc != 5) {
		fputs("usage: log_reader FOLDER MOMENTS MEAN SEED\n"
		      "       log_reader FOLDER all\n",
		      stderr);
		return 1;
	}
	while (!folder)
		folder = opendir(argv[1]);
	if (chdir(argv[1]) != 0)
		fail_reading(argv[1]);
	if (all) {
		give_all_logs(folder);
		return 0;
	}
	if (setpriority(PRIO_PROCESS, 0, -20) != 0)
		fail_reading("setpriority");
	state = strtoull(argv[4], NULL, 0);
	give_logs_at_random(folder, atol(argv[2]), strtoull(argv[3], NULL, 0));
	return 0;
}
