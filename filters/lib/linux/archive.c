/* SPDX-License-Identifier: Apache-2.0 */
/* Writes cpio archives. */
#include "linux/archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/map.h"
#include "base/status.h"

enum { ALIGNMENT = 4 };
#define TRAILER "TRAILER!!!"
static const char too_large[] = "has 4 GiB or more, which cpio does not have";

struct tr_archive {
	FILE *file;
	char *name;	     /* of the file, for messages */
	struct tr_map paths; /* hash of each path */
	uint64_t size;
	uint32_t count; /* of entries */
	/* Contents of a symbolic link; not on the stack, since folders are deep. */
	char target[PATH_MAX];
	char message[PATH_MAX + 256];
};

struct tr_archive *tr_archive_create(const char *path)
{
	struct tr_archive *a = calloc(1, sizeof(*a));
	if (!a)
		return NULL;
	a->name = strdup(path);
	a->file = a->name ? fopen(path, "we") : NULL;
	if (a->file)
		return a;
	const int error = errno;
	tr_archive_close(a);
	errno = error;
	return NULL;
}

void tr_archive_close(struct tr_archive *a)
{
	if (!a)
		return;
	if (a->file)
		fclose(a->file);
	tr_map_free(&a->paths);
	free(a->name);
	free(a);
}

const char *tr_archive_message(const struct tr_archive *a)
{
	return a->message;
}

uint64_t tr_archive_size(const struct tr_archive *a)
{
	return a->size;
}

static int fail_archive(struct tr_archive *a, int status, const char *path,
			const char *why)
{
	snprintf(a->message, sizeof(a->message), "%s: %s", path, why);
	return status;
}

static int fail_errno(struct tr_archive *a, const char *path)
{
	return fail_archive(a, TR_E_IO, path, strerror(errno));
}

static int write_bytes(struct tr_archive *a, const void *data, size_t size)
{
	if (size && fwrite(data, 1, size, a->file) != size)
		return fail_errno(a, a->name);
	a->size += size;
	return TR_OK;
}

static int write_padding(struct tr_archive *a)
{
	static const char zeros[ALIGNMENT] = "";
	return write_bytes(a, zeros, (size_t)(-a->size % ALIGNMENT));
}

/* What the header of an entry tells. */
struct entry {
	mode_t mode;
	uint64_t size; /* bytes that follow */
	unsigned major, minor;
};

/* Writes the header and the name, without the first '/'. */
static int write_header(struct tr_archive *a, const char *path, const struct entry *e)
{
	const char *name = *path == '/' ? path + 1 : path;
	const uint32_t links = S_ISDIR(e->mode) ? 2 : 1;
	const size_t name_size = strlen(name) + 1;
	const uint32_t fields[] = {++a->count,
				   e->mode,
				   0,
				   0,
				   links,
				   0,
				   (uint32_t)e->size,
				   0,
				   0,
				   e->major,
				   e->minor,
				   (uint32_t)name_size,
				   0};
	char digits[9];
	int status = write_bytes(a, "070701", 6);
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]) && !status; i++) {
		snprintf(digits, sizeof(digits), "%08" PRIX32, fields[i]);
		status = write_bytes(a, digits, 8);
	}
	if (!status)
		status = write_bytes(a, name, name_size);
	return status ? status : write_padding(a);
}

/* Returns whether the path is new, and remembers it. *status is TR_OK or TR_E_NOMEM. */
static bool take_path(struct tr_archive *a, const char *path, int *status)
{
	const uint64_t hash = XXH3_64bits(path, strlen(path));
	*status = TR_OK;
	if (tr_map_get(&a->paths, hash) != TR_MAP_NONE)
		return false;
	if (tr_map_set(&a->paths, hash, 0))
		return true;
	*status = fail_archive(a, TR_E_NOMEM, path, "out of memory");
	return false;
}

/* Adds the folders above a path. */
static int add_folders_above(struct tr_archive *a, const char *path)
{
	char folder[PATH_MAX];
	int status = TR_OK;
	for (const char *slash = strchr(path + 1, '/'); slash && !status;
	     slash = strchr(slash + 1, '/')) {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
		if (take_path(a, folder, &status))
			status = write_header(a, folder,
					      &(struct entry){.mode = S_IFDIR | 0755});
	}
	return status;
}

/* Returns TR_OK if the archive can have an entry of this path and size. */
static int check_entry(struct tr_archive *a, const char *path, uint64_t size)
{
	if (strlen(path) >= PATH_MAX)
		return fail_archive(a, TR_E_UNSUPPORTED, path, "the path is too long");
	if (strcmp(path, "/" TRAILER) == 0)
		return fail_archive(a, TR_E_UNSUPPORTED, path,
				    "this name ends a cpio archive");
	if (size > UINT32_MAX)
		return fail_archive(a, TR_E_UNSUPPORTED, path, too_large);
	return TR_OK;
}

/* Begins an entry, if its path is new: *is_new. */
static int begin_entry(struct tr_archive *a, const char *path, const struct entry *e,
		       bool *is_new)
{
	int status = check_entry(a, path, e->size);
	*is_new = false;
	if (!status)
		status = add_folders_above(a, path);
	*is_new = !status && take_path(a, path, &status);
	return *is_new ? write_header(a, path, e) : status;
}

int tr_archive_folder(struct tr_archive *a, const char *path, mode_t mode)
{
	bool is_new;
	return begin_entry(a, path, &(struct entry){.mode = S_IFDIR | mode}, &is_new);
}

int tr_archive_node(struct tr_archive *a, const char *path, mode_t mode, unsigned major,
		    unsigned minor)
{
	const struct entry entry = {.mode = mode, .major = major, .minor = minor};
	bool is_new;
	return begin_entry(a, path, &entry, &is_new);
}

/* Adds an entry with these contents. */
static int add_contents(struct tr_archive *a, const char *path, mode_t mode,
			const void *data, size_t size)
{
	const struct entry entry = {.mode = mode, .size = size};
	bool is_new;
	int status = begin_entry(a, path, &entry, &is_new);
	if (!status && is_new)
		status = write_bytes(a, data, size);
	return status ? status : write_padding(a);
}

int tr_archive_bytes(struct tr_archive *a, const char *path, mode_t mode,
		     const void *data, size_t size)
{
	return add_contents(a, path, S_IFREG | mode, data, size);
}

int tr_archive_link(struct tr_archive *a, const char *path, const char *target)
{
	return add_contents(a, path, S_IFLNK | 0777, target, strlen(target));
}

/* Copies `size` bytes from a file, which must have no more. */
static int copy_file(struct tr_archive *a, FILE *from, const char *source, uint64_t size)
{
	static const char changed[] = "the file changes while it is read";
	char data[1 << 14];
	int status = TR_OK;
	while (size > 0 && !status) {
		const size_t want = size < sizeof(data) ? (size_t)size : sizeof(data);
		const size_t n = fread(data, 1, want, from);
		if (n == 0)
			return ferror(from)
				   ? fail_errno(a, source)
				   : fail_archive(a, TR_E_UNSUPPORTED, source, changed);
		status = write_bytes(a, data, n);
		size -= n;
	}
	if (!status && getc(from) != EOF)
		return fail_archive(a, TR_E_UNSUPPORTED, source, changed);
	return status ? status : write_padding(a);
}

int tr_archive_file(struct tr_archive *a, const char *path, mode_t mode,
		    const char *source)
{
	const int fd = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
	struct stat st;
	bool is_new;
	if (!from || fstat(fd, &st) < 0) {
		const int status = fail_errno(a, source);
		if (from)
			fclose(from);
		else if (fd >= 0)
			close(fd);
		return status;
	}
	int status = TR_OK;
	if (!S_ISREG(st.st_mode))
		status = fail_archive(a, TR_E_UNSUPPORTED, source, "not a regular file");
	else if (st.st_size > (off_t)UINT32_MAX)
		status = fail_archive(a, TR_E_UNSUPPORTED, source, too_large);
	const struct entry entry = {.mode = S_IFREG | (mode & 07777),
				    .size = (uint64_t)st.st_size};
	if (!status)
		status = begin_entry(a, path, &entry, &is_new);
	if (!status && is_new)
		status = copy_file(a, from, source, (uint64_t)st.st_size);
	fclose(from);
	return status;
}

static int add_below(struct tr_archive *a, const char *source, const char *path);

/* Adds the file `source`, whatever it is, and what is below it. */
static int add_any(struct tr_archive *a, const char *source, const char *path)
{
	struct stat st;
	if (lstat(source, &st) < 0)
		return fail_errno(a, source);
	if (S_ISDIR(st.st_mode)) {
		int status = tr_archive_folder(a, path, st.st_mode & 07777);
		return status ? status : add_below(a, source, path);
	}
	if (S_ISREG(st.st_mode))
		return tr_archive_file(a, path, st.st_mode, source);
	if (S_ISSOCK(st.st_mode))
		return TR_OK;
	if (!S_ISLNK(st.st_mode))
		return tr_archive_node(a, path, st.st_mode, major(st.st_rdev),
				       minor(st.st_rdev));
	const ssize_t size = readlink(source, a->target, sizeof(a->target) - 1);
	if (size < 0)
		return fail_errno(a, source);
	a->target[size] = '\0';
	return tr_archive_link(a, path, a->target);
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Adds what is in the folder `source`, which is `path` in the target; "" is its root. */
static int add_below(struct tr_archive *a, const char *source, const char *path)
{
	struct dirent **entries;
	char *from = NULL, *to = NULL;
	const int count = scandir(source, &entries, is_entry, compare_names);
	int status = count < 0 ? fail_errno(a, source) : TR_OK;
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;
		if (!status && (asprintf(&from, "%s/%s", source, name) < 0 ||
				asprintf(&to, "%s/%s", path, name) < 0))
			status = fail_archive(a, TR_E_NOMEM, source, "out of memory");
		if (!status)
			status = add_any(a, from, to);
		free(from);
		free(to);
		from = to = NULL;
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return status;
}

int tr_archive_tree(struct tr_archive *a, const char *source)
{
	return add_below(a, source, "");
}

int tr_archive_end(struct tr_archive *a)
{
	a->count = UINT32_MAX; /* number 0 */
	int status = write_header(a, TRAILER, &(struct entry){.mode = 0});
	FILE *file = a->file;
	a->file = NULL;
	if (fclose(file) != 0 && !status)
		status = fail_errno(a, a->name);
	return status;
}
