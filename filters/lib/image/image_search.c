/* SPDX-License-Identifier: Apache-2.0 */
/* Searches folders for files. */
#include "image/image_search.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"

bool tr_folders_add(struct tr_folders *folders, const char *folder)
{
	if (!tr_grow(&folders->folders, &folders->capacity, folders->count + 1,
		     sizeof(*folders->folders)))
		return false;
	folders->folders[folders->count++] = folder;
	return true;
}

void tr_folders_release(struct tr_folders *folders)
{
	free(folders->folders);
	*folders = (struct tr_folders){0};
}

struct search {
	bool (*fits)(void *context, const char *path);
	void *context;
};

/* Returns "FOLDER/NAME", for the caller to free, if that is a file that fits,
 * else NULL. */
static char *try_search_path(const struct search *search, const char *folder,
			     const char *name)
{
	struct stat file;
	char *path;
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return NULL;
	if (stat(path, &file) == 0 && S_ISREG(file.st_mode) &&
	    search->fits(search->context, path))
		return path;
	free(path);
	return NULL;
}

static char *try_all(const struct search *search, const char *folder)
{
	struct dirent **entries;
	char *found = NULL;
	int count = scandir(folder, &entries, NULL, alphasort);
	for (int i = 0; i < count; i++) {
		if (!found)
			found = try_search_path(search, folder, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return found;
}

char *tr_folders_find(const struct tr_folders *folders, const char *path,
		      bool (*fits)(void *context, const char *path), void *context)
{
	const struct search search = {fits, context};
	const char *slash = strrchr(path, '/');
	char *found = NULL;
	if (fits(context, path))
		return strdup(path);
	for (size_t i = 0; !found && i < folders->count; i++) {
		found = try_search_path(&search, folders->folders[i], path);
		if (!found && slash)
			found = try_search_path(&search, folders->folders[i], slash + 1);
	}
	for (size_t i = 0; !found && i < folders->count; i++)
		found = try_all(&search, folders->folders[i]);
	return found;
}
