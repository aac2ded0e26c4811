/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a file of counters for tests: lines of "CALLS NAME" or "CALLS * NAME", for a
 * function that jumps to its own first instruction, become functions with these calls.
 *
 *     make-counts [-g] [-p PID -s STARTED] [PROGRAM] < LINES > FILE
 *
 * -g: a global file. -s: field 22 of /proc/PID/stat.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/little.h"
#include "stubs/shared_counts.h"

enum { MOST = 1000, ROOM = 1100 };
static char *names[MOST];
static uint64_t calls[MOST];
static bool loops[MOST];

static uint32_t read_lines(void)
{
	uint32_t count = 0;
	char line[4096];
	for (; count < MOST && fgets(line, sizeof(line), stdin); count++) {
		char *name;
		line[strcspn(line, "\n")] = '\0';
		calls[count] = strtoull(line, &name, 10);
		loops[count] = strncmp(name, " * ", 3) == 0;
		names[count] = strdup(name + (loops[count] ? 3 : 1));
	}
	return count;
}

int main(int argc, char **argv)
{
	static const uint8_t build_id[20] = {0xde, 0xad, 0xbe, 0xef};
	bool global = false;
	uint64_t pid = 0, started = 0;
	for (int option; (option = getopt(argc, argv, "gp:s:")) != -1;) {
		if (option == 'g')
			global = true;
		else if (option == 'p')
			pid = strtoull(optarg, NULL, 10);
		else if (option == 's')
			started = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	const uint32_t count = read_lines();
	size_t size;
	uint8_t *bytes =
	    tr_shared_build((const char *const *)names, count, global ? ROOM : count,
			    global, argv[optind] ? argv[optind] : "", build_id,
			    global ? 0 : sizeof(build_id), &size);
	if (!bytes)
		return 2;
	tr_shared_mark_loops(bytes, loops);
	tr_shared_own(bytes, (uint32_t)pid, started);
	for (uint32_t i = 0; i < count; i++)
		tr_store64(bytes + TR_SHARED_HEADER + 8 * (size_t)i, calls[i]);
	const bool written =
	    fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0;
	for (uint32_t i = 0; i < count; i++)
		free(names[i]);
	free(bytes);
	return written ? 0 : 2;
}
