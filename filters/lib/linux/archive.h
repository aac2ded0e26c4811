/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the archive of an initial RAM disk: cpio in the format "newc" (Linux,
 * Documentation/driver-api/early-userspace/buffer-format.rst). All files belong to root,
 * and have no time, so that the same files give the same bytes. */
#ifndef TR_ARCHIVE_H
#define TR_ARCHIVE_H

#include <stdint.h>
#include <sys/types.h>

struct tr_archive;

/* Creates the file. Returns NULL with errno set on failure. */
struct tr_archive *tr_archive_create(const char *path);
/* Closes it without its end, unless tr_archive_end() was called. */
void tr_archive_close(struct tr_archive *archive);

/* Add an entry. Paths are those of the target, absolute; the folders above an entry are
 * added before it, as needed. An entry whose path the archive has already is left out:
 * the first one counts. They return TR_OK, TR_E_NOMEM, TR_E_IO, or TR_E_UNSUPPORTED
 * for contents of 4 GiB or more, a file that changes while it is read, and a path of
 * PATH_MAX bytes or more, or with the name of a cpio archive's end;
 * tr_archive_message() says what is wrong. */
int tr_archive_folder(struct tr_archive *archive, const char *path, mode_t mode);
int tr_archive_link(struct tr_archive *archive, const char *path, const char *target);
/* A device or FIFO, by its mode. */
int tr_archive_node(struct tr_archive *archive, const char *path, mode_t mode,
		    unsigned major, unsigned minor);
int tr_archive_bytes(struct tr_archive *archive, const char *path, mode_t mode,
		     const void *data, size_t size);
/* With the contents of the file `source`. */
int tr_archive_file(struct tr_archive *archive, const char *path, mode_t mode,
		    const char *source);
/* Everything below the folder `source`, sorted by name, with modes and symbolic links as
 * they are. Sockets are left out. */
int tr_archive_tree(struct tr_archive *archive, const char *source);
/* Writes the end. */
int tr_archive_end(struct tr_archive *archive);

/* Returns the message of a call that failed, as in "data/x: Permission denied". */
const char *tr_archive_message(const struct tr_archive *archive);
/* Returns the number of bytes so far. */
uint64_t tr_archive_size(const struct tr_archive *archive);

#endif
