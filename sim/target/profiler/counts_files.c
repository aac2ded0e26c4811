/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of counters. */
#include "counts_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	STARTED_FIELD = 22,
	/* A second, for an injector that holds the lock and was stopped. */
	LOCK_PAUSE_NS = 10000000,
	LOCK_PAUSES = 100,
};

void prof_lock_counts_folder(int folder)
{
	const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
	for (unsigned i = 0; i < LOCK_PAUSES; i++) {
		if (flock(folder, LOCK_SH | LOCK_NB) == 0)
			break;
		nanosleep(&pause, NULL);
	}
}

void prof_unlock_counts_folder(int folder)
{
	flock(folder, LOCK_UN);
}

int prof_open_counts_folder(uid_t user, char path[PATH_MAX])
{
	const char *parent = getenv("TMPDIR");
	if (!parent || *parent != '/')
		parent = "/tmp";
	if (snprintf(path, PATH_MAX, "%s/prof-%u", parent, (unsigned)user) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder >= 0)
		prof_lock_counts_folder(folder);
	return folder;
}

void prof_name_counts(char name[PROF_COUNTS_NAME], uint32_t pid)
{
	snprintf(name, PROF_COUNTS_NAME, "%05" PRIu32 ".dat", pid);
}

/* Returns whether a file is named as prof_name_counts() does. */
static bool is_counts_name(const char *name, uint32_t *pid)
{
	char again[PROF_COUNTS_NAME];
	*pid = (uint32_t)strtoul(name, NULL, 10);
	prof_name_counts(again, *pid);
	return strcmp(name, again) == 0;
}

static int compare_pids(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static int collect_pids(DIR *entries, uint32_t **pids, size_t *count)
{
	size_t room = 0;
	for (const struct dirent *entry; (errno = 0, entry = readdir(entries));) {
		uint32_t pid;
		if (!is_counts_name(entry->d_name, &pid))
			continue;
		if (*count == room) {
			room = 2 * room + 16;
			uint32_t *more = realloc(*pids, room * sizeof(*more));
			if (!more)
				return ENOMEM;
			*pids = more;
		}
		(*pids)[(*count)++] = pid;
	}
	return errno;
}

int prof_list_counts(int folder, uint32_t **pids, size_t *count)
{
	*pids = NULL;
	*count = 0;
	const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = copy < 0 ? NULL : fdopendir(copy);
	if (!entries) {
		const int failed = errno;
		if (copy >= 0)
			close(copy);
		return failed;
	}
	const int failed = collect_pids(entries, pids, count);
	closedir(entries);
	if (failed) {
		free(*pids);
		*pids = NULL;
		*count = 0;
	} else if (*count) {
		qsort(*pids, *count, sizeof(**pids), compare_pids);
	}
	return failed;
}

static bool blame_counts(struct prof_trouble *trouble, uint64_t at, const char *reason)
{
	*trouble = (struct prof_trouble){reason, at};
	return false;
}

static bool blame_status(struct prof_trouble *trouble, uint64_t at, enum tr_status status)
{
	switch (status) {
	case TR_E_TRUNCATED:
		return blame_counts(trouble, at, "truncated");
	case TR_E_UNSUPPORTED:
		return blame_counts(trouble, at, "of another version");
	default:
		return blame_counts(trouble, at, "damaged");
	}
}

/* Reads up to `size` bytes from the begin of a file. Returns their number, or -1. */
static ssize_t read_begin(int file, uint8_t *bytes, size_t size)
{
	size_t done = 0;
	while (done < size) {
		const ssize_t got = pread(file, bytes + done, size - done, (off_t)done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* The header is checked first: it tells whether the size is right. */
static bool read_checked(int fd, struct prof_counts_file *file,
			 struct prof_trouble *trouble)
{
	_Alignas(8) uint8_t head[TR_SHARED_HEADER];
	struct stat about;
	uint64_t at = PROF_NO_BYTE;
	if (fstat(fd, &about) != 0)
		return blame_counts(trouble, PROF_NO_BYTE, strerror(errno));
	if (!S_ISREG(about.st_mode))
		return blame_counts(trouble, PROF_NO_BYTE, "not a regular file");
	const uint64_t size = (uint64_t)about.st_size;
	ssize_t have = read_begin(fd, head, sizeof(head));
	if (have < 0)
		return blame_counts(trouble, PROF_NO_BYTE, strerror(errno));
	enum tr_status status =
	    tr_shared_head(head, (size_t)have, size, &file->shared, &at);
	if (status)
		return blame_status(trouble, at, status);
	file->bytes = malloc(size);
	if (!file->bytes)
		return blame_counts(trouble, PROF_NO_BYTE, strerror(ENOMEM));
	have = read_begin(fd, file->bytes, size);
	if (have < 0)
		return blame_counts(trouble, PROF_NO_BYTE, strerror(errno));
	status = tr_shared_open(file->bytes, (size_t)have, &file->shared, &at);
	return !status || blame_status(trouble, at, status);
}

bool prof_load_counts(int fd, struct prof_counts_file *file, struct prof_trouble *trouble)
{
	*file = (struct prof_counts_file){0};
	const bool good = read_checked(fd, file, trouble);
	if (!good)
		prof_free_counts(file);
	return good;
}

bool prof_read_counts(int folder, const char *name, struct prof_counts_file *file,
		      struct prof_trouble *trouble)
{
	const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return blame_counts(trouble, PROF_NO_BYTE, strerror(errno));
	const bool good = prof_load_counts(fd, file, trouble);
	close(fd);
	return good;
}

void prof_free_counts(struct prof_counts_file *file)
{
	free(file->bytes);
	file->bytes = NULL;
}

enum prof_counter prof_find_counter(const struct tr_shared *shared)
{
	char path[40], line[1024];
	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/stat", shared->pid);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return PROF_COUNTER_ENDED;
	const ssize_t size = read_begin(fd, (uint8_t *)line, sizeof(line) - 1);
	close(fd);
	line[size < 0 ? 0 : size] = '\0';
	/* Field 2 is the name in brackets, which may have spaces and brackets. */
	const char *field = strrchr(line, ')');
	if (!field || field[1] != ' ')
		return PROF_COUNTER_ENDED;
	const char state = field[2];
	for (unsigned i = 2; i < STARTED_FIELD; i++) {
		field = strchr(field + 1, ' ');
		if (!field)
			return PROF_COUNTER_ENDED;
	}
	if (strtoull(field + 1, NULL, 10) != shared->started)
		return PROF_COUNTER_REUSED;
	return state == 'Z' || state == 'X' ? PROF_COUNTER_ENDED : PROF_COUNTER_LIVES;
}
