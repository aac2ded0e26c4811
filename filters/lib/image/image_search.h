/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are not where somebody says. */
#ifndef TR_IMAGE_SEARCH_H
#define TR_IMAGE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Folders to look in as well; the texts are the caller's. Zero-initialised is empty. */
struct tr_folders {
	const char **folders;
	size_t count, capacity;
};
/* False when out of memory. */
bool tr_folders_add(struct tr_folders *folders, const char *folder);
void tr_folders_release(struct tr_folders *folders);

/* The first file that `fits`: `path` itself; in each folder `path`, then the last part
 * of it; then any file there, in the order of the names. Returns its path, for the
 * caller to free; NULL when none fits, or memory is out. */
char *tr_folders_find(const struct tr_folders *folders, const char *path,
		      bool (*fits)(void *context, const char *path), void *context);

#endif
