/* SPDX-License-Identifier: Apache-2.0 */
/* Finds files that are not at their recorded path. */
#ifndef TR_IMAGE_SEARCH_H
#define TR_IMAGE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

/* Additional folders to search; the caller owns the strings. All zero is empty. */
struct tr_folders {
	const char **folders;
	size_t count, capacity;
};
/* Returns false when out of memory. */
bool tr_folders_add(struct tr_folders *folders, const char *folder);
void tr_folders_release(struct tr_folders *folders);

/* Returns the path of the first file for which `fits` returns true: `path` itself; in
 * each folder `path`, then its last component; then any file in the folder, sorted by
 * name. The caller frees the result. Returns NULL when none fits or out of memory. */
char *tr_folders_find(const struct tr_folders *folders, const char *path,
		      bool (*fits)(void *context, const char *path), void *context);

#endif
