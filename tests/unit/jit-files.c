/* SPDX-License-Identifier: Apache-2.0 */
/* Files that tell of JIT code are put together from the hits of jit.probes; a disk that
 * is full while one is written is trouble, also if the last bytes of it fit. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "cli/jit_files.h"

enum { WRITTEN = 4097 }; /* a byte more than a buffer of stdio */

static const char hits[] = "hits.txt", map[] = "./perf-7.map";

static void write_hit(void)
{
	FILE *file = fopen(hits, "w");
	fprintf(file, "10 hart 0 jit_write file=\"perf-7.map\" size=%d data=", WRITTEN);
	for (int i = 0; i < WRITTEN; i++)
		fputs("61", file);
	CHECK(fputs("\n", file) >= 0 && fclose(file) == 0);
}

/* Returns the exit status of a process that takes the maps. */
static int take_maps(void)
{
	struct tr_cli cli = {.program = "test"};
	struct tr_texts maps = {0};
	int status = -1;
	const pid_t child = fork();
	if (child == 0) {
		if (!freopen("/dev/null", "w", stderr))
			_exit(99);
		tr_jit_files_take(&cli, hits, ".", &maps);
		_exit(maps.count == 1 ? 0 : 98);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	char folder[] = "/tmp/jit-files.XXXXXX";
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 2;
	write_hit();
	CHECK_EQ(take_maps(), 0);
	FILE *file = fopen(map, "r");
	CHECK(file && fseek(file, 0, SEEK_END) == 0);
	CHECK_EQ(file ? ftell(file) : -1, WRITTEN);
	if (file)
		fclose(file);
	unlink(map);
	CHECK_EQ(symlink("/dev/full", map), 0);
	CHECK_EQ(take_maps(), 2);
	unlink(map);
	unlink(hits);
	if (chdir("/") != 0 || rmdir(folder) != 0)
		return 2;
	return check_done();
}
