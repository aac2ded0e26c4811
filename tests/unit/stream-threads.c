/* SPDX-License-Identifier: Apache-2.0 */
/* A writer has as many threads as it is asked for, up to the limit of -@; one thread is
 * the caller's. */
#include "stream/writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "stream/chunk.h"

/* ThreadSanitizer adds a thread of its own to the first of the program. */
#ifdef __SANITIZE_THREAD__
enum { HELPERS = 1 };
#else
enum { HELPERS = 0 };
#endif

static int count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;

	for (const struct dirent *entry; tasks && (entry = readdir(tasks));)
		count += entry->d_name[0] != '.';
	return count;
}

/* Returns how many threads a writer has added, or 255 if it cannot be opened. */
static int open_writer(int level, unsigned threads)
{
	const struct tr_writer_options options = {.level = level, .threads = threads};
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	int fd = open("/dev/null", O_WRONLY), before = count_threads();

	if (tr_header_set(header, "content", "rows") ||
	    tr_writer_open(&w, fd, header, &options))
		return 255;
	return count_threads() - before;
}

/* In a process of its own, because threads that have ended may be counted for a while. */
static void check_threads(int level, unsigned threads, int more)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(open_writer(level, threads));
	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
	CHECK_EQ((uint64_t)WEXITSTATUS(status), (uint64_t)(more + (more ? HELPERS : 0)));
}

int main(void)
{
	check_threads(3, 1, 0);
	check_threads(3, 2, 2);
	check_threads(3, TR_MAX_COMPRESSORS, TR_MAX_COMPRESSORS);
	check_threads(3, TR_MAX_COMPRESSORS + 1, TR_MAX_COMPRESSORS);
	check_threads(0, 2, 0);
	return check_done();
}
