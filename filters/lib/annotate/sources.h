/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of source files. A file is looked for at the path that the compiler was given,
 * then below each folder that was added, by ever fewer of its last folders. */
#ifndef TR_ANNOTATE_SOURCES_H
#define TR_ANNOTATE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct tr_sources;

/* `folders` are not copied. Returns NULL when out of memory; tr_sources_free() accepts
 * NULL. */
struct tr_sources *tr_sources_new(const char *const *folders, size_t count);
void tr_sources_free(struct tr_sources *);

/* Returns line `number`, from 1, without control characters, or NULL if there is no such
 * file or line. It lives as long as the sources. */
const char *tr_sources_line(struct tr_sources *, const char *path, uint32_t number);
/* Returns the number of lines; 0 if the file was not found. */
uint32_t tr_sources_count(struct tr_sources *, const char *path);
/* Returns true if the file was read, and was modified after `binary` was. */
bool tr_sources_is_newer(const struct tr_sources *, const char *path,
			 const struct stat *binary);
/* Returns true if a file is where that of `path` is looked for. Nothing is read. */
bool tr_sources_may_read(const struct tr_sources *, const char *path,
			 const struct stat *file);

#endif
