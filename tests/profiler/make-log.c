/* SPDX-License-Identifier: Apache-2.0 */
/* Writes spans into a file of counters, in the place of the daemon, for tests:
 *
 *     make-log FILE < LINES
 *
 * A line "span TIME LENGTH CYCLES PERIOD SAMPLES ALL_SAMPLES LOST" begins a span, and
 * lines "CALLS SAMPLES" follow for the functions by index, for fewer if the others have
 * none. TIME 0 is the present. After a line "uncounted" the file is one without stubs.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "stubs/shared_log.h"

struct target {
	uint8_t *bytes;
	struct tr_shared shared;
};

static bool map_target(const char *path, struct target *target)
{
	struct stat about;
	uint64_t at;
	const int file = open(path, O_RDWR);
	if (file < 0 || fstat(file, &about) < 0)
		return false;
	const size_t size = (size_t)about.st_size;
	void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (bytes == MAP_FAILED)
		return false;
	target->bytes = bytes;
	return tr_shared_open(bytes, size, &target->shared, &at) == TR_OK;
}

static uint64_t read_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int main(int argc, char **argv)
{
	struct target target;
	struct tr_log_span span, next;
	char line[256];
	uint32_t count = 0;
	bool begun = false;
	if (argc != 2 || !map_target(argv[1], &target))
		return 2;
	struct tr_log_entry *entries =
	    calloc((size_t)target.shared.functions + 1, sizeof(*entries));
	while (entries && fgets(line, sizeof(line), stdin)) {
		if (strcmp(line, "uncounted\n") == 0) {
			tr_shared_mark_counted(target.bytes, false);
		} else if (sscanf(line,
				  "span %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
				  " %" SCNu64 " %" SCNu64 " %" SCNu64,
				  &next.time, &next.span, &next.cycles, &next.period,
				  &next.samples, &next.all_samples,
				  &next.lost_samples) == 7) {
			if (begun)
				tr_log_write(target.bytes, &target.shared, &span, entries,
					     count, true);
			span = next;
			if (span.time == 0)
				span.time = read_clock();
			begun = true;
			count = 0;
		} else if (count >= target.shared.functions ||
			   sscanf(line, "%" SCNu64 " %" SCNu64,
				  &entries[count].counts.calls,
				  &entries[count].counts.samples) != 2) {
			return 2;
		} else {
			entries[count].index = count;
			count++;
		}
	}
	if (begun)
		tr_log_write(target.bytes, &target.shared, &span, entries, count, true);
	free(entries);
	return begun ? 0 : 2;
}
