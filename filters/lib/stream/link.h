/* SPDX-License-Identifier: Apache-2.0 */
/* A stream in memory, from a writer in one thread to a reader in another: its chunks are
 * handed over as they are, without checksums. The writer waits while LINK_CHUNKS chunks
 * are not taken, and the reader while there is none. */
#ifndef TR_LINK_H
#define TR_LINK_H

#include <stddef.h>
#include <stdint.h>

struct tr_buffer;
struct tr_link;

enum { LINK_CHUNKS = 4 };

/* Returns an empty link for one writer (tr_writer_options.link) and one reader
 * (tr_reader_open_link()), or NULL when out of memory. */
struct tr_link *tr_link_new(void);
/* Frees it, after writer and reader have been closed; NULL is allowed. */
void tr_link_free(struct tr_link *link);

/* Copies a chunk, with its head, into the link. Returns TR_OK or TR_E_NOMEM. */
int tr_link_put(struct tr_link *link, const uint8_t *chunk, size_t size);
/* Replaces the contents of `bytes` by the next chunk. Returns TR_OK, or TR_END after
 * tr_link_end() and the last chunk. */
int tr_link_take(struct tr_link *link, struct tr_buffer *bytes);
/* No more chunks will come. */
void tr_link_end(struct tr_link *link);

#endif
