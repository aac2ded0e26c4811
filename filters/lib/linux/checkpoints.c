/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of checkpoints. */
#include "linux/checkpoints.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/buffer.h"

/* A cached file is KEY.HASH: 32 hexadecimal digits each. */
enum { KEY_DIGITS = 32, NAME_DIGITS = 2 * KEY_DIGITS + 1, BLOCK = 1 << 16 };

static void format_hash(char text[KEY_DIGITS + 1], XXH3_state_t *state)
{
	const XXH128_hash_t hash = XXH3_128bits_digest(state);
	snprintf(text, KEY_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
		 (uint64_t)hash.low64);
}

/* Hashes the rest of a file, and writes it to `out`, if that is not negative. Returns
 * false with errno set on failure. */
static bool hash_file(int in, int out, XXH3_state_t *state)
{
	static uint8_t block[BLOCK];
	for (;;) {
		const ssize_t size = read(in, block, sizeof(block));
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return size == 0;
		XXH3_128bits_update(state, block, (size_t)size);
		for (ssize_t done = 0; out >= 0 && done < size;) {
			const ssize_t n = write(out, block + done, (size_t)(size - done));
			if (n < 0 && errno != EINTR)
				return false;
			done += n > 0 ? n : 0;
		}
	}
}

/* Adds a number, so that texts and files that follow one another cannot be confused. */
static void hash_size(XXH3_state_t *state, uint64_t size)
{
	XXH3_128bits_update(state, &size, sizeof(size));
}

static bool hash_path(XXH3_state_t *state, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	bool is_good = fd >= 0 && fstat(fd, &st) == 0;
	if (is_good && !S_ISREG(st.st_mode)) {
		errno = EINVAL;
		is_good = false;
	}
	if (is_good) {
		hash_size(state, (uint64_t)st.st_size);
		is_good = hash_file(fd, -1, state);
	}
	const int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return is_good;
}

bool tr_checkpoint_key(struct tr_checkpoint_key *key, const char *const *texts,
		       const char *const *files, const char **failed)
{
	XXH3_state_t *state = XXH3_createState();
	*failed = "";
	if (!state)
		return false;
	XXH3_128bits_reset(state);
	for (; *texts; texts++) {
		hash_size(state, strlen(*texts));
		XXH3_128bits_update(state, *texts, strlen(*texts));
	}
	bool is_good = true;
	for (; *files && is_good; files++) {
		*failed = *files;
		is_good = hash_path(state, *files);
	}
	if (is_good)
		format_hash(key->text, state);
	XXH3_freeState(state);
	return is_good;
}

/* Sets `path` to the folder, which is created. Returns false if there can be none. */
static bool open_cache(char path[PATH_MAX])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	const bool has_cache = cache && *cache == '/';
	if ((!has_cache && (!home || *home != '/')) ||
	    snprintf(path, PATH_MAX - NAME_DIGITS - 2, "%s%s/tr-profiler/linux",
		     has_cache ? cache : home,
		     has_cache ? "" : "/.cache") >= PATH_MAX - NAME_DIGITS - 2)
		return false;
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* A cached file. */
struct cached {
	char name[NAME_DIGITS + 1];
	uint64_t size;
	struct timespec used;
};

/* Lists the cached files whose names begin with `key`. Returns how many; *all is for the
 * caller to free. */
static size_t list_cached(const char *folder, const char *key, struct cached **all)
{
	DIR *dir = opendir(folder);
	size_t count = 0, capacity = 0;
	struct stat st;
	*all = NULL;
	for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
		if (strlen(e->d_name) != NAME_DIGITS || e->d_name[KEY_DIGITS] != '.' ||
		    strncmp(e->d_name, key, strlen(key)) != 0 ||
		    fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
		    !tr_grow(all, &capacity, count + 1, sizeof(**all)))
			continue;
		struct cached *file = &(*all)[count++];
		memcpy(file->name, e->d_name, sizeof(file->name));
		file->size = (uint64_t)st.st_size;
		file->used = st.st_mtim;
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Copies a file. `hash` becomes that of its contents. */
static bool copy_hashed(const char *from, const char *to, char hash[KEY_DIGITS + 1])
{
	XXH3_state_t *state = XXH3_createState();
	const int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool is_good = state && in >= 0 && out >= 0;
	if (is_good) {
		XXH3_128bits_reset(state);
		is_good = hash_file(in, out, state);
		format_hash(hash, state);
	}
	if (in >= 0)
		close(in);
	if (out >= 0 && close(out) < 0)
		is_good = false;
	XXH3_freeState(state);
	if (!is_good)
		unlink(to);
	return is_good;
}

bool tr_checkpoint_fetch(const struct tr_checkpoint_key *key, const char *to)
{
	char folder[PATH_MAX], path[PATH_MAX + NAME_DIGITS + 2], hash[KEY_DIGITS + 1];
	struct cached *all;
	bool is_found = false;
	if (!open_cache(folder))
		return false;
	const size_t count = list_cached(folder, key->text, &all);
	for (size_t i = 0; i < count && !is_found; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, all[i].name);
		is_found = copy_hashed(path, to, hash);
		if (is_found && strcmp(all[i].name + KEY_DIGITS + 1, hash) != 0) {
			unlink(path);
			unlink(to);
			is_found = false;
		}
		if (is_found)
			utimensat(AT_FDCWD, path, NULL, 0);
	}
	free(all);
	return is_found;
}

/* The file that was used last comes first. */
static int compare_use(const void *a, const void *b)
{
	const struct timespec *x = &((const struct cached *)a)->used,
			      *y = &((const struct cached *)b)->used;
	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? 1 : -1;
	return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

static void remove_oldest(const char *folder, uint64_t limit)
{
	char path[PATH_MAX + NAME_DIGITS + 2];
	struct cached *all;
	const size_t count = list_cached(folder, "", &all);
	uint64_t sum = 0;
	if (count)
		qsort(all, count, sizeof(*all), compare_use);
	for (size_t i = 0; i < count; i++) {
		sum += all[i].size;
		snprintf(path, sizeof(path), "%s/%s", folder, all[i].name);
		if (sum > limit)
			unlink(path);
	}
	free(all);
}

/* Removes what processes that were ended have left half written. */
static void remove_parts(const char *folder)
{
	DIR *dir = opendir(folder);
	long process;
	char rest;
	for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
		if (sscanf(e->d_name, "part-%ld%c", &process, &rest) == 1 &&
		    process > 0 && kill((pid_t)process, 0) < 0 && errno == ESRCH)
			unlinkat(dirfd(dir), e->d_name, 0);
	if (dir)
		closedir(dir);
}

bool tr_checkpoint_store(const struct tr_checkpoint_key *key, const char *from,
			 uint64_t limit)
{
	char folder[PATH_MAX], path[PATH_MAX + NAME_DIGITS + 2],
	    part[PATH_MAX + NAME_DIGITS + 2], hash[KEY_DIGITS + 1];
	struct stat st;
	if (!open_cache(folder) || stat(from, &st) < 0 || (uint64_t)st.st_size > limit)
		return false;
	remove_parts(folder);
	snprintf(part, sizeof(part), "%s/part-%ld", folder, (long)getpid());
	if (!copy_hashed(from, part, hash))
		return false;
	snprintf(path, sizeof(path), "%s/%s.%s", folder, key->text, hash);
	const bool is_stored = rename(part, path) == 0;
	if (!is_stored)
		unlink(part);
	remove_oldest(folder, limit);
	return is_stored;
}
