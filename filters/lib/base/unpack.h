/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file or a pipe that may be compressed with gzip, xz or zstd, recognised by its
 * first bytes. Several members or frames, one after the other, are read as one. */
#ifndef TR_UNPACK_H
#define TR_UNPACK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

struct tr_unpack;

/* Opens `path`; "-" is standard input. Returns TR_OK, TR_E_IO (errno is set) or
 * TR_E_NOMEM. */
int tr_unpack_open(struct tr_unpack **unpack, const char *path);
/* Reads up to `size` bytes of the contents; fewer do not mean the end. Returns their
 * number, 0 at the end, or a status below 0: TR_E_IO, TR_E_NOMEM, or, for the compressed
 * form, TR_E_CORRUPT, TR_E_TRUNCATED or, if it needs more memory than is given to it,
 * TR_E_UNSUPPORTED. */
ssize_t tr_unpack_read(struct tr_unpack *unpack, void *data, size_t size);
/* Returns the memory that decompression may take, in bytes. */
uint64_t tr_unpack_memory(const struct tr_unpack *unpack);
/* Returns the name of the compression, or NULL for plain contents. */
const char *tr_unpack_form(const struct tr_unpack *unpack);
/* Return the number of bytes read from the file, and the file's size (0 for a pipe). */
uint64_t tr_unpack_offset(const struct tr_unpack *unpack);
uint64_t tr_unpack_size(const struct tr_unpack *unpack);
void tr_unpack_close(struct tr_unpack *unpack);

#endif
