/* SPDX-License-Identifier: Apache-2.0 */
/* Removes files of ended processes. */
#include "ended_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/little.h"
#include "stubs/shared_counts.h"
#include "target/profiler/counts_files.h"
#include "target/profiler/inject/run_files.h"

/* Whether one of the buffers has a sequence number. */
static bool has_log(int file, const struct tr_shared *shared)
{
	for (unsigned i = 0; i < 2; i++) {
		uint8_t sequence[8];
		off_t at = (off_t)(shared->buffers + i * shared->buffer_size);

		if (pread(file, sequence, sizeof(sequence), at) == sizeof(sequence) &&
		    tr_load64(sequence))
			return true;
	}
	return false;
}

static bool is_ended(int file, const struct stat *about)
{
	_Alignas(8) uint8_t head[TR_SHARED_HEADER];
	struct tr_shared shared;
	uint64_t at;

	return pread(file, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	       tr_shared_head(head, sizeof(head), (uint64_t)about->st_size, &shared,
			      &at) == TR_OK &&
	       !shared.global && has_log(file, &shared) &&
	       prof_find_counter(&shared) != PROF_COUNTER_LIVES;
}

static void remove_if_ended(const struct run_folder *run, uint32_t pid)
{
	char name[PROF_COUNTS_NAME];
	struct stat about;

	prof_name_counts(name, pid);
	int file =
	    openat(run->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (file < 0)
		return;
	if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && is_ended(file, &about))
		remove_run_counts(run, (pid_t)pid, about.st_dev, about.st_ino);
	close(file);
}

static void remove_of_user(uid_t user)
{
	struct trouble ignored = {{0}};
	struct run_folder run;
	uint32_t *pids = NULL;
	size_t count = 0;

	if (open_run_folder(&run, user, (gid_t)-1, &ignored) &&
	    prof_list_counts(run.folder, &pids, &count) == 0)
		for (size_t i = 0; i < count; i++)
			remove_if_ended(&run, pids[i]);
	free(pids);
	close_run_folder(&run);
}

void remove_ended_files(void)
{
	const char *parent = getenv("TMPDIR");
	DIR *folders = opendir(parent && *parent == '/' ? parent : "/tmp");
	const struct dirent *entry;
	unsigned user;

	while (folders && (entry = readdir(folders)))
		if (sscanf(entry->d_name, "prof-%u", &user) == 1)
			remove_of_user(user);
	if (folders)
		closedir(folders);
}
