/* SPDX-License-Identifier: Apache-2.0 */
/* The archive of an initial RAM disk: folders within one another as deep as paths can be,
 * and what the format cannot have. */
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "check.h"
#include "linux/archive.h"

static char folder[] = "/tmp/linux-archive-XXXXXX";

/* Makes folders below the working one until no path is that long. */
static unsigned make_folders(void)
{
	enum { SPARE = 64 };
	char path[PATH_MAX];
	unsigned depth = 0;
	CHECK(getcwd(path, sizeof(path)) != NULL);
	for (size_t size = strlen(path); size + 2 + SPARE < PATH_MAX; size += 2, depth++)
		if (mkdir("d", 0755) < 0 || chdir("d") < 0)
			break;
	CHECK(symlink("target", "link") == 0);
	CHECK(chdir(folder) == 0);
	return depth;
}

/* The stack that is needed is far below that of a process. */
static void check_depth(struct tr_archive *archive)
{
	const struct rlimit small = {.rlim_cur = 4 << 20, .rlim_max = RLIM_INFINITY};
	CHECK(setrlimit(RLIMIT_STACK, &small) == 0);
	CHECK(mkdir("tree", 0755) == 0 && chdir("tree") == 0);
	CHECK(make_folders() > PATH_MAX / 2 - 100);
	const uint64_t size = tr_archive_size(archive);
	CHECK_EQ(tr_archive_tree(archive, "tree"), TR_OK);
	CHECK(tr_archive_size(archive) - size > PATH_MAX / 2 * PATH_MAX / 2);
}

static void check_limits(struct tr_archive *archive)
{
	char path[PATH_MAX + 1];
	memset(path, '/', sizeof(path) - 1);
	path[PATH_MAX] = '\0';
	const uint64_t size = tr_archive_size(archive);
	CHECK_EQ(tr_archive_bytes(archive, "/end", 0644, "", UINT64_C(1) << 32),
		 TR_E_UNSUPPORTED);
	CHECK_STR(tr_archive_message(archive),
		  "/end: has 4 GiB or more, which cpio does not have");
	CHECK_EQ(tr_archive_bytes(archive, "/TRAILER!!!", 0644, "x", 1),
		 TR_E_UNSUPPORTED);
	CHECK_STR(tr_archive_message(archive),
		  "/TRAILER!!!: this name ends a cpio archive");
	CHECK_EQ(tr_archive_bytes(archive, path, 0644, "x", 1), TR_E_UNSUPPORTED);
	CHECK_EQ(tr_archive_size(archive), size);
	CHECK_EQ(tr_archive_bytes(archive, "/f/TRAILER!!!", 0644, "x", 1), TR_OK);
}

int main(void)
{
	CHECK(mkdtemp(folder) && chdir(folder) == 0);
	struct tr_archive *archive = tr_archive_create("root.cpio");
	CHECK(archive != NULL);
	check_depth(archive);
	check_limits(archive);
	CHECK_EQ(tr_archive_end(archive), TR_OK);
	tr_archive_close(archive);
	char command[100];
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	CHECK(system(command) == 0);
	return check_done();
}
