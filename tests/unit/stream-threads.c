/* SPDX-License-Identifier: Apache-2.0 */
/* A writer has as many threads as it is asked for, up to the limit of -@; one thread is
 * the caller's. */
#include "stream/writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "stream/chunk.h"

static unsigned count_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned count = 0;

	for (const struct dirent *entry; tasks && (entry = readdir(tasks));)
		count += entry->d_name[0] != '.';
	if (CHECK(tasks != NULL))
		closedir(tasks);
	return count;
}

static void check_threads(int level, unsigned threads, unsigned more)
{
	const struct tr_writer_options options = {.level = level, .threads = threads};
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	int fd = open("/dev/null", O_WRONLY);
	unsigned before = count_threads();

	CHECK_EQ(tr_header_set(header, "content", "rows"), TR_OK);
	CHECK_EQ(tr_writer_open(&w, fd, header, &options), TR_OK);
	CHECK_EQ(count_threads() - before, more);
	tr_writer_close(w);
	tr_header_free(header);
	close(fd);
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
