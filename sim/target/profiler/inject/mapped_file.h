/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file in memory, mapped: what is not looked at is not read. */
#ifndef MAPPED_FILE_H
#define MAPPED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct mapped_file {
	const uint8_t *bytes; /* NULL: it is not mapped */
	size_t size;
	struct stat about;
};

/* Maps a file, read-only, until unmap_file(). Returns false with errno set. */
bool map_file(struct mapped_file *file, const char *path);
/* Tells whether `path` is that file, as it was when it was mapped. */
bool is_mapped_file(const struct mapped_file *file, const char *path);
void unmap_file(struct mapped_file *file);

#endif
