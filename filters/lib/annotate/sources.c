/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source files, which are read whole when the first one is asked for. */
#include "annotate/sources.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"

enum { FILE_MAX = 64 << 20 };

struct source {
	char *path;
	char *text; /* lines, each terminated by 0; NULL: not found */
	const char **lines;
	uint32_t count;
	struct timespec modified;
};

struct tr_sources {
	const char *const *folders;
	size_t nfolders;
	struct source *files;
	size_t nfiles, room;
};

struct tr_sources *tr_sources_new(const char *const *folders, size_t count)
{
	struct tr_sources *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->folders = folders;
	s->nfolders = count;
	return s;
}

void tr_sources_free(struct tr_sources *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nfiles; i++) {
		free(s->files[i].path);
		free(s->files[i].text);
		free(s->files[i].lines);
	}
	free(s->files);
	free(s);
}

/* Reads a regular file. Returns NULL if there is none, or it is too large. */
static char *read_source(const char *path, size_t *size, struct timespec *modified)
{
	struct stat st = {0};
	char *text = NULL;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < FILE_MAX)
		text = malloc((size_t)st.st_size + 1);
	*size = 0;
	*modified = st.st_mtim;
	while (text && *size < (size_t)st.st_size) {
		const ssize_t n = read(fd, text + *size, (size_t)st.st_size - *size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		*size += (size_t)n;
	}
	close(fd);
	return text;
}

/* Sets `place` to the next place of a file below a folder: first with the whole path, to
 * which *rest points, then with less and less of its end. Returns false at the end. */
static bool next_place(const char *folder, const char **rest, char place[PATH_MAX])
{
	while (*rest) {
		const char *end = *rest + (**rest == '/');
		*rest = strchr(end, '/');
		if (snprintf(place, PATH_MAX, "%s/%s", folder, end) < PATH_MAX)
			return true;
	}
	return false;
}

static char *read_below(const char *folder, const char *path, size_t *size,
			struct timespec *modified)
{
	char place[PATH_MAX];
	char *text = NULL;
	while (!text && next_place(folder, &path, place))
		text = read_source(place, size, modified);
	return text;
}

static bool is_file(const char *path, const struct stat *file)
{
	struct stat st;
	return stat(path, &st) == 0 && st.st_dev == file->st_dev &&
	       st.st_ino == file->st_ino;
}

bool tr_sources_may_read(const struct tr_sources *s, const char *path,
			 const struct stat *file)
{
	char place[PATH_MAX];
	if (is_file(path, file))
		return true;
	for (size_t i = 0; i < s->nfolders; i++)
		for (const char *rest = path; next_place(s->folders[i], &rest, place);)
			if (is_file(place, file))
				return true;
	return false;
}

/* Divides the text into lines, in which a tab is 8 columns at most. */
static bool split_source(struct source *file, size_t size)
{
	char *text = file->text;
	size_t room = 0, start = 0;
	text[size] = '\n';
	for (size_t i = 0; i <= size; i++) {
		if (text[i] != '\n') {
			if ((unsigned char)text[i] < ' ' && text[i] != '\t')
				text[i] = ' ';
			continue;
		}
		text[i] = '\0';
		if (i == size && start == size)
			break;
		if (!tr_grow(&file->lines, &room, file->count + 1ULL,
			     sizeof(*file->lines)))
			return false;
		file->lines[file->count++] = &text[start];
		start = i + 1;
	}
	return true;
}

static struct source *find_source(struct tr_sources *s, const char *path)
{
	size_t size = 0;
	for (size_t i = 0; i < s->nfiles; i++)
		if (strcmp(s->files[i].path, path) == 0)
			return &s->files[i];
	if (!tr_grow(&s->files, &s->room, s->nfiles + 1, sizeof(*s->files)))
		return NULL;
	struct source *file = &s->files[s->nfiles];
	*file = (struct source){.path = strdup(path)};
	if (!file->path)
		return NULL;
	s->nfiles++;
	file->text = read_source(path, &size, &file->modified);
	for (size_t i = 0; i < s->nfolders && !file->text; i++)
		file->text = read_below(s->folders[i], path, &size, &file->modified);
	if (file->text && !split_source(file, size))
		file->count = 0;
	return file;
}

const char *tr_sources_line(struct tr_sources *s, const char *path, uint32_t number)
{
	const struct source *file = find_source(s, path);
	return file && number && number <= file->count ? file->lines[number - 1] : NULL;
}

uint32_t tr_sources_count(struct tr_sources *s, const char *path)
{
	const struct source *file = find_source(s, path);
	return file ? file->count : 0;
}

bool tr_sources_is_newer(const struct tr_sources *s, const char *path,
			 const struct stat *binary)
{
	for (size_t i = 0; i < s->nfiles; i++) {
		const struct timespec *at = &s->files[i].modified;
		if (strcmp(s->files[i].path, path) != 0)
			continue;
		return s->files[i].text && (at->tv_sec > binary->st_mtim.tv_sec ||
					    (at->tv_sec == binary->st_mtim.tv_sec &&
					     at->tv_nsec > binary->st_mtim.tv_nsec));
	}
	return false;
}
