/* SPDX-License-Identifier: Apache-2.0 */
/* Stores DWARF indices in cache files. */
#include "image/image_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE_MAX_BYTES ((off_t)1 << 29)

/* Determines the folder, and creates it if `make`. Returns false when there is no place
 * for one. */
static bool folder_path(char *path, size_t size, bool make)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool xdg = cache && cache[0] == '/';
	if (!xdg && (!home || home[0] != '/'))
		return false;
	int n = snprintf(path, size, "%s%s", xdg ? cache : home, xdg ? "" : "/.cache");
	if (n < 0 || (size_t)n + sizeof("/tr-profiler") > size)
		return false;
	if (make)
		mkdir(path, 0700);
	strcat(path, "/tr-profiler");
	return !make || mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool file_path(char *path, size_t size, const struct image_key *key,
		      enum image_index_kind kind, bool make)
{
	static const char *const kinds[] = {"functions", "calls", "lines",
					    "scopes",	 "spots", "paths"};
	char folder[PATH_MAX - 64], name[2 * IMAGE_KEY_BYTES + 1];
	if (!folder_path(folder, sizeof(folder), make))
		return false;
	for (size_t i = 0; i < IMAGE_KEY_BYTES; i++)
		snprintf(name + 2 * i, 3, "%02x", key->hash[i]);
	int n = snprintf(path, size, "%s/%s.%d.%s", folder, name, IMAGE_INDEX_VERSION,
			 kinds[kind]);
	return n > 0 && (size_t)n < size;
}

static bool is_trusted(int fd, size_t *size)
{
	struct stat st;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
	    (st.st_mode & (S_IWGRP | S_IWOTH)) || st.st_size <= 0 ||
	    st.st_size > CACHE_MAX_BYTES)
		return false;
	*size = (size_t)st.st_size;
	return true;
}

bool tr_image_cache_load(const struct image_key *key, enum image_index_kind kind,
			 struct tr_buffer *index)
{
	char path[PATH_MAX];
	size_t size;
	if (!file_path(path, sizeof(path), key, kind, false))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return false;
	bool good = is_trusted(fd, &size) && tr_buffer_room(index, size);
	while (good && index->size < size) {
		ssize_t n = read(fd, index->data + index->size, size - index->size);
		if (n < 0 && errno == EINTR)
			continue;
		good = n > 0;
		index->size += good ? (size_t)n : 0;
	}
	close(fd);
	return good;
}

void tr_image_cache_store(const struct image_key *key, enum image_index_kind kind,
			  const uint8_t *data, size_t size)
{
	char path[PATH_MAX], temporary[PATH_MAX + 8];
	if (!file_path(path, sizeof(path), key, kind, true))
		return;
	snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return;
	size_t done = 0;
	while (done < size) {
		ssize_t n = write(fd, data + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	bool closed = close(fd) == 0;
	if (done < size || !closed || rename(temporary, path) != 0)
		unlink(temporary);
}
